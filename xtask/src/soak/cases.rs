//! The kinds of hostile commands.

use super::draw::{Draw, crc32};
use super::limits::{Ended, Hostile, Signal};
use super::tables;
use crate::Failure;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of some kind; an error where it does what none may do.
pub(super) type Kind = fn(&mut Desk, usize, &mut Draw) -> Result<(), String>;

pub(super) const KINDS: &[Kind] = &[
    forged_model,
    broken_table,
    extreme_parameter,
    interrupt,
    kill,
    full_disk,
    threads,
    two_writers,
    output_over_input,
];

/// Where commands run, and what they start from.
pub(super) struct Desk {
    binary: PathBuf,
    folder: PathBuf,
    /// Methods with their parameters: name and what it takes.
    methods: Vec<(String, Vec<(String, String)>)>,
    models: Vec<Vec<u8>>,
    smaller: usize,
}

const TABLES: [&str; 4] = [
    "a,b,class\n1,x,yes\n2,y,no\n3,x,yes\n4,z,no\n5,x,yes\n6,y,no\n7,x,yes\n8,z,no\n",
    "\"a\",\"b\"\"c\",w,class\r\n1.5,\"two\nlines\",1e307,0\r\n-2e3,,1e154,1\r\n3,?,0,0\r\n4,u,-1,1\r\n",
    "@relation r\n@attribute x numeric\n@attribute class {p,q}\n@data\n1,p\n2,q\n?,p\n4,q\n5,p\n6,q\n",
    "x;y\n1e308;0\n-1e308;1\nNaN;0\n1e-320;1\n5;0\n6;1\n7;0\n8;1\n",
];
const SPICE: &[u8] = b",,;\t\n\n\r\"'?#|0123456789.-+eEinfNaN @{}%\xff\x00";
/// Data sets with which most methods are done in a moment.
const DATA: [&str; 4] = ["iris", "gen:moons:rows=60", "gen:xor:rows=80", "table.csv"];

impl Desk {
    pub(super) fn new(binary: &Path, folder: &Path, smaller: usize) -> Result<Self, Failure> {
        let binary = std::fs::canonicalize(binary)
            .map_err(|e| Failure::Missing(format!("cannot run `{}`: {e}", binary.display())))?;
        let (folder, methods, models) = (folder.to_path_buf(), Vec::new(), Vec::new());
        let mut desk = Self { binary, folder, methods, models, smaller };
        desk.write("table.csv", TABLES[0].as_bytes());
        for name in first_words(&desk.said(&["methods"])?) {
            let table = desk.said(&["methods", &name])?;
            desk.methods.push((name, parameters(&table)));
        }
        for method in ["tree", "naive-bayes", "knn", "forest", "moe-ga", "ucs", "mlp", "rvm"] {
            desk.said(&["fit", "iris", "-m", method, "--out", "seed.evo", "--quiet"])?;
            desk.models.push(desk.read("seed.evo"));
        }
        Ok(desk)
    }

    /// What a command that must succeed prints.
    fn said(&self, words: &[&str]) -> Result<String, Failure> {
        let mut command = Command::new(&self.binary);
        let ran = command.args(words).current_dir(&self.folder).output();
        let ran = ran.map_err(|e| Failure::Missing(format!("cannot run the binary: {e}")))?;
        if !ran.status.success() {
            return Err(Failure::Failed(format!("`evocracy {}` fails", words.join(" "))));
        }
        Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let _ = std::fs::write(self.folder.join(name), bytes);
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.join(name)).unwrap_or_default()
    }

    fn run_with(&self, line: &str, output: &str, signal: Signal) -> Result<Ended, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let (binary, folder) = (&self.binary, &self.folder);
        Hostile { binary, folder, words: &words, output, signal, told: "stderr" }.run()
    }

    /// As [`Desk::run`] beside another command, with a file of its own for what it says.
    fn run_told(&self, line: &str, told: &str) -> Result<Ended, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let (binary, folder, output) = (&self.binary, &self.folder, "/dev/null");
        Hostile { binary, folder, words: &words, output, signal: Signal::None, told }.run()
    }

    fn run(&self, line: &str) -> Result<Ended, String> {
        self.run_with(line, "/dev/null", Signal::None)
    }

    /// Writes a large table, once.
    fn table<'a>(&self, name: &'a str) -> &'a str {
        if !self.folder.join(name).exists() {
            self.write(name, tables::text(name, self.smaller).as_bytes());
        }
        name
    }

    /// A model file, where there is one, is whole.
    fn whole_model(&self, name: &str) -> Result<(), String> {
        if !self.folder.join(name).exists() {
            return Ok(());
        }
        match self.run(&format!("show {name}"))?.code {
            Some(0) => Ok(()),
            _ => Err(format!("half a model is left in {name}")),
        }
    }

    /// No private file of an unfinished output is left.
    fn nothing_private(&self, name: &str) -> Result<(), String> {
        let left = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = left.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut private = names.filter(|file| file.starts_with(name) && file != name);
        private.next().map_or(Ok(()), |file| Err(format!("{file} is left behind")))
    }
}

/// The first words of the lines of a table, without its header.
fn first_words(table: &str) -> Vec<String> {
    let rows = table.lines().skip(1).take_while(|line| !line.trim().is_empty());
    let words = rows.filter_map(|line| line.split_whitespace().next());
    // A committee shows the members it takes: `bag[:MEMBER]`.
    words.filter_map(|word| word.split(['[', ':']).next()).map(str::to_owned).collect()
}

/// The parameters of a table of `evocracy methods NAME`: name, and what it takes with its meaning.
fn parameters(table: &str) -> Vec<(String, String)> {
    let rows = table.lines().skip_while(|line| !line.trim_start().starts_with("parameter")).skip(1);
    let split = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.collect::<Vec<_>>().join(" ")))
    };
    rows.take_while(|line| !line.trim().is_empty()).filter_map(split).collect()
}

fn forged_model(desk: &mut Desk, _: usize, draw: &mut Draw) -> Result<(), String> {
    let model = draw.of(&desk.models).clone();
    let body = &model[..model.len().saturating_sub(4)];
    let mut forged = draw.damaged(body, &[0xa0, 0x90, 0xdd, 0xff, 0x7f, 0xc0, 0xcb, 0x00]);
    if draw.below(8) > 0 {
        forged.extend(crc32(&forged).to_le_bytes());
    }
    desk.write("forged.evo", &forged);
    let line = *draw.of(&[
        "predict forged.evo iris",
        "evaluate forged.evo iris",
        "show forged.evo",
        "explain forged.evo iris --row 3",
        "rules forged.evo",
    ]);
    desk.run(line).map(|_| ())
}

fn broken_table(desk: &mut Desk, _: usize, draw: &mut Draw) -> Result<(), String> {
    let whole = *draw.of(&TABLES);
    let mut table = draw.damaged(whole.as_bytes(), SPICE);
    for _ in 0..draw.below(4) {
        table = draw.damaged(&table, SPICE);
    }
    desk.write("broken.csv", &table);
    let method = draw.of(&["tree", "naive-bayes", "knn", "logistic", "forest", "labels-naive"]);
    let line = *draw.of(&[
        "data show broken.csv",
        "roc broken.csv --truth class --score a",
        "combine broken.csv --truth class",
        "select broken.csv --repeats 2",
        "FIT",
        "FIT --weights w",
        "FIT --folds 3",
        "FIT --no-header",
    ]);
    desk.run(&line.replace("FIT", &format!("fit broken.csv -m {method}"))).map(|_| ())
}

fn extreme_parameter(desk: &mut Desk, _: usize, draw: &mut Draw) -> Result<(), String> {
    let (method, parameters) = draw.of(&desk.methods).clone();
    let mut line = format!("fit {} -m {method}", draw.of(&DATA));
    for _ in 0..=draw.below(2) {
        let Some((name, takes)) = parameters.get(draw.below(parameters.len())) else { break };
        line += &format!(" -p {name}={}", extreme(takes, draw));
    }
    // Parameters such as a number of rounds may ask for work without end: then Ctrl-C must end it.
    desk.run_with(&line, "/dev/null", Signal::Interrupt(4000)).map(|_| ())
}

/// A bound of a parameter, or what is no value of it.
fn extreme(takes: &str, draw: &mut Draw) -> String {
    let bounds = takes.split_once(" from ").map(|(_, rest)| rest);
    let bounds = bounds.and_then(|rest| {
        let mut words = rest.split_whitespace();
        Some([words.next()?.to_owned(), words.nth(1)?.to_owned()])
    });
    match bounds {
        Some(bounds) if draw.below(4) > 0 => draw.of(&bounds).clone(),
        _ => {
            (*draw.of(&["0", "-1", "1e300", "nan", "inf", "99999999999999999999", "", "x"])).into()
        }
    }
}

/// Work that takes a while: the verbs in turn, and between them the methods in turn.
fn long_work(desk: &Desk, turn: usize, draw: &mut Draw) -> String {
    let (number, verb) = (turn / 2, turn % 2 == 1);
    if verb {
        let line = match number % 5 {
            0 => "front gen:waveform:rows=3000 --out out.evo --positive 0",
            1 => "select wide.csv --splits 50",
            2 => "compare long.csv -m tree,knn,logistic,rvm",
            3 => "combine calls.csv --truth class -m evobn --out out.evo",
            _ => "soften long.csv --out out.evo",
        };
        // What has no shape, such as a generator, is no table.
        line.split(' ').nth(1).map(|name| desk.table(name));
        return line.to_owned();
    }
    let methods: Vec<&str> = desk.methods.iter().map(|(name, _)| name.as_str()).collect();
    let method = methods.get(number % (methods.len() + 1)).copied();
    let method = method.unwrap_or("bag:knn -p members=100");
    let target = match method {
        "ridge" | "rvm-regression" | "moe-regression" => " --target x0",
        _ => "",
    };
    let name = *draw.of::<&str>(&tables::NAMES);
    let data = desk.table(name);
    format!("fit {data} -m {method}{target} --out out.evo")
}

fn interrupt(desk: &mut Desk, number: usize, draw: &mut Draw) -> Result<(), String> {
    let _ = std::fs::remove_file(desk.folder.join("out.evo"));
    let line = long_work(desk, number / KINDS.len(), draw) + " --threads 1";
    let moment = Signal::Interrupt(20 + draw.below(2500) as u64);
    desk.run_with(&line, "/dev/null", moment)?;
    desk.nothing_private("out.evo")?;
    desk.whole_model("out.evo").map_err(|what| format!("{what}: {line}"))
}

fn kill(desk: &mut Desk, _: usize, draw: &mut Draw) -> Result<(), String> {
    let old = draw.of(&desk.models).clone();
    desk.write("killed.evo", &old);
    let method = draw.of(&["tree", "knn", "naive-bayes", "forest"]);
    let line = format!("fit gen:waveform:rows=4000 -m {method} --out killed.evo");
    desk.run_with(&line, "/dev/null", Signal::Kill(1 + draw.below(600) as u64))?;
    if desk.read("killed.evo") != old {
        desk.whole_model("killed.evo").map_err(|what| format!("{what}: {line}"))?;
    }
    // What a killed command leaves beside the file is no part of the next one.
    for entry in std::fs::read_dir(&desk.folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with("killed.evo.") {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

fn full_disk(desk: &mut Desk, _: usize, draw: &mut Draw) -> Result<(), String> {
    desk.write("good.evo", &desk.models[0]);
    let (line, output) = *draw.of(&[
        ("fit iris --out /dev/full", "/dev/null"),
        ("predict good.evo iris --out /dev/full", "/dev/null"),
        ("predict good.evo iris", "/dev/full"),
        ("predict good.evo iris --json", "/dev/full"),
        ("fit iris --json", "/dev/full"),
        ("fit iris --plot /dev/full", "/dev/null"),
        ("show good.evo", "/dev/full"),
        ("methods", "/dev/full"),
        ("--help", "/dev/full"),
        ("evaluate good.evo iris --plot /dev/full", "/dev/null"),
    ]);
    let ended = desk.run_with(line, output, Signal::None)?;
    match ended.code {
        Some(0) => Err(format!("a full disk is not noticed: evocracy {line} >{output}")),
        _ if ended.error.is_empty() => Err(format!("nothing is said: evocracy {line} >{output}")),
        _ => Ok(()),
    }
}

fn threads(desk: &mut Desk, _: usize, draw: &mut Draw) -> Result<(), String> {
    let (method, _) = draw.of(&desk.methods).clone();
    let data = match method.as_str() {
        "ridge" | "rvm-regression" | "moe-regression" => "gen:friedman1:rows=120",
        _ => *draw.of(&["gen:moons:rows=120", "gen:xor:rows=90"]),
    };
    let small = match method.as_str() {
        "moe-ga" | "moe-joint" | "moe-online" => " -p epochs=3",
        "evo-rvm" | "evo-logistic" | "evo-tree" | "evo-rules" => " -p evaluations=20",
        "abc-mlp" => " -p samples=38 -p hidden=3",
        "ucs" => " -p iterations=3000",
        _ => "",
    };
    let mut files = Vec::new();
    for count in [1, 4] {
        let _ = std::fs::remove_file(desk.folder.join("threads.evo"));
        let line = format!("fit {data} -m {method}{small} --threads {count} --out threads.evo");
        desk.run(&line)?;
        files.push(desk.read("threads.evo"));
    }
    if files[0] == files[1] {
        return Ok(());
    }
    Err(format!("1 and 4 threads give different bytes: fit {data} -m {method}{small}"))
}

/// Two writers of one file: what is there in the end is of one of them.
fn two_writers(desk: &mut Desk, _: usize, draw: &mut Draw) -> Result<(), String> {
    let data = format!("gen:moons:rows={}", 500 + draw.below(3000));
    let mut whole = Vec::new();
    let method = *draw.of(&["tree", "naive-bayes", "knn"]);
    let line = |seed: usize, out: &str| format!("fit {data} -m {method} --seed {seed} --out {out}");
    for seed in 0..2 {
        desk.run(&line(seed, "alone.evo"))?;
        whole.push(desk.read("alone.evo"));
    }
    let both = std::thread::scope(|scope| {
        let other = scope.spawn(|| desk.run_told(&line(1, "both.evo"), "stderr2"));
        let first = desk.run(&line(0, "both.evo"));
        (first, other.join())
    });
    let (Ok(first), Ok(Ok(second))) = both else {
        return Err(format!("one of two writers fails: {}", line(0, "both.evo")));
    };
    desk.nothing_private("both.evo")?;
    let codes = [first.code, second.code];
    if codes == [Some(0); 2] && whole.contains(&desk.read("both.evo")) {
        return Ok(());
    }
    Err(format!("two writers of one file (exit codes {codes:?}): {}", line(0, "both.evo")))
}

/// What a command reads is never what it writes: by name, by another path, by a link.
fn output_over_input(desk: &mut Desk, _: usize, draw: &mut Draw) -> Result<(), String> {
    desk.write("in.csv", TABLES[0].as_bytes());
    desk.write("in.evo", &desk.models[0]);
    desk.write("costs.csv", b"class,no,yes\nno,0,1\nyes,5,0\n");
    let _ = std::fs::remove_file(desk.folder.join("link"));
    let _ = std::fs::hard_link(desk.folder.join("in.csv"), desk.folder.join("link"));
    let line = *draw.of(&[
        "fit in.csv --out in.csv",
        "fit in.csv --out ./in.csv",
        "fit in.csv --out link",
        "fit link --plot in.csv",
        "fit iris --test in.csv --out in.csv",
        "fit in.csv --costs costs.csv --out costs.csv",
        "predict in.evo in.csv --out in.csv",
        "predict in.evo in.csv --out in.evo",
        "predict in.evo in.csv --costs costs.csv --out costs.csv",
        "evaluate in.evo in.csv --costs costs.csv --plot costs.csv",
        "roc in.csv --truth class --score a --plot in.csv",
        "select in.csv --out in.csv",
        "soften in.csv --out in.csv",
        "combine in.csv --truth class --out in.csv",
        "reproduce rvm --quick --page in.csv",
        "demo --plot in.csv",
    ]);
    let inputs = |desk: &Desk| ["in.csv", "in.evo", "costs.csv"].map(|name| desk.read(name));
    let before = inputs(desk);
    let ended = desk.run(line)?;
    if ended.code == Some(0) || before != inputs(desk) {
        return Err(format!("an input is written over: evocracy {line}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_the_command_are_understood() {
        let table = " method  predicts  what\n tree    a class   A tree.\n bag[:MEMBER]  a class   k.\n\nWords.\n";
        assert_eq!(first_words(table), ["tree", "bag"]);
        let table = "A tree.\n\n parameter  default  takes\n depth      30       a whole number from 0 to 1000000  the most\n\nmore\n";
        let parameters = parameters(table);
        assert_eq!(parameters.len(), 1);
        let draws: Vec<String> =
            (0..40).map(|n| extreme(&parameters[0].1, &mut Draw::new(1, n))).collect();
        assert!(draws.iter().any(|d| d == "0") && draws.iter().any(|d| d == "1000000"));
    }
}
