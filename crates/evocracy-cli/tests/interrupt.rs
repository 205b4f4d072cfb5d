//! Ctrl-C on the real binary: what was done is kept, the exit code is 130, and a second Ctrl-C
//! ends the process at once. Linux only: that a process is ready for a signal shows in `/proc`.
#![cfg(target_os = "linux")]

mod common;

use common::{Desk, Ran};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// How long to wait for something that comes at once on an idle machine, in steps.
const STEP: Duration = Duration::from_millis(10);
const PATIENCE: u32 = 12_000;

/// Waits until something has happened; far longer than it ever takes.
fn wait_for(what: &str, mut happened: impl FnMut() -> bool) {
    for _ in 0..PATIENCE {
        if happened() {
            return;
        }
        sleep(STEP);
    }
    panic!("waited in vain for {what}");
}

/// A command under way, ready to be interrupted.
struct Underway(Child);

impl Underway {
    /// Starts a command and waits until it catches signals instead of dying of them.
    fn start(command: &mut Command) -> Self {
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let status = format!("/proc/{}/status", child.id());
        wait_for("the command to catch signals", || {
            let status = std::fs::read_to_string(&status).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let mask = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            // Signal 2 is the interrupt; bits are counted from signal 1.
            mask.is_some_and(|mask| mask >> 1 & 1 == 1)
        });
        Self(child)
    }

    fn interrupt(&self) {
        let kill = format!("kill -s INT {}", self.0.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    }

    /// The first signal only asks: the command goes on. The second one ends it.
    fn interrupt_twice(&mut self) {
        self.interrupt();
        for _ in 0..30 {
            sleep(STEP);
            assert!(!self.is_over(), "the first signal only asks");
        }
        wait_for("the end of the command", || {
            self.interrupt();
            self.is_over()
        });
    }

    fn is_over(&mut self) -> bool {
        self.0.try_wait().expect("a child can be waited for").is_some()
    }

    fn finish(self) -> Ran {
        Ran::from(self.0.wait_with_output().expect("the command ends"))
    }
}

/// A table of noise with a class that depends on the first column a little.
fn noise(rows: u32, columns: u32) -> String {
    let mut text: String =
        (0..columns).map(|column| format!("x{column},")).collect::<Vec<_>>().concat();
    text += "class\n";
    let mut state = 1_u64;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 44
    };
    for _ in 0..rows {
        let first = draw();
        write!(text, "{first}").expect("memory takes it");
        for _ in 1..columns {
            write!(text, ",{}", draw()).expect("memory takes it");
        }
        text += if first + draw() > 1 << 20 { ",a\n" } else { ",b\n" };
    }
    text
}

/// Whether there is something in a file whose name begins so.
fn begun(desk: &Desk, name: &str) -> bool {
    let size = |file: &String| std::fs::metadata(desk.path(file)).map_or(0, |file| file.len());
    desk.files().iter().any(|file| file.starts_with(name) && size(file) > 0)
}

/// Header and rows of predictions for two classes, every line whole.
fn assert_whole_lines(text: &str) {
    assert!(text.starts_with("prediction,p_a,p_b\n"), "{}", &text[..text.len().min(100)]);
    assert!(text.ends_with('\n'), "the last line is cut off");
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        assert!(cells.len() == 3 && ["a", "b"].contains(&cells[0]), "{line}");
        let total: f64 = cells[1..].iter().map(|p| p.parse::<f64>().expect("a number")).sum();
        assert!((total - 1.0).abs() < 1e-9, "{line}");
    }
}

#[test]
fn an_interrupted_prediction_keeps_its_whole_lines_under_a_partial_name() {
    let desk = Desk::new();
    desk.write("train.csv", noise(200, 3));
    assert_eq!(desk.line("fit train.csv -m naive-bayes --out m.evo").code, 0);
    // The rows come through a pipe that stays open, so the command cannot be through before
    // the signal, however fast it is.
    let mut command = desk.command(&["predict", "m.evo", "-", "--out", "p.csv"]);
    let mut predict = Underway::start(command.stdin(Stdio::piped()));
    let mut rows = predict.0.stdin.take().expect("a pipe");
    let table = noise(100_000, 3);
    rows.write_all(table.as_bytes()).expect("the command reads");
    // They go to a private file beside the one that is asked for.
    wait_for("predictions", || begun(&desk, "p.csv."));
    predict.interrupt();
    // What was asked for at the signal may be under way: the next rows end it. The command
    // may be gone before it has read them all.
    let body = table.split_once('\n').expect("a header").1;
    for _ in 0..1000 {
        if predict.is_over() || rows.write_all(body.as_bytes()).is_err() {
            break;
        }
    }
    drop(rows);
    let ran = predict.finish();
    ran.fails(130, &["stopped after", "p.csv.partial"]);
    assert!(!desk.path("p.csv").exists(), "an incomplete file must not look complete");
    let kept = desk.read("p.csv.partial");
    assert_whole_lines(&kept);
    let said: usize = ran.err.split(' ').find_map(|word| word.parse().ok()).expect("a count");
    assert_eq!(kept.lines().count(), said + 1);
}

#[test]
fn waiting_for_a_silent_pipe_can_be_interrupted() {
    let desk = Desk::new();
    assert_eq!(desk.line("fit iris -m naive-bayes --out m.evo").code, 0);
    // Nothing ever comes through this pipe.
    for line in [
        "predict m.evo -",
        "predict m.evo - --out p.csv",
        "evaluate m.evo -",
        "roc - --truth a --score b",
        "combine - --truth a --experts b,c",
    ] {
        let mut command = desk.command(&line.split(' ').collect::<Vec<_>>());
        let mut waiting = Underway::start(command.stdin(Stdio::piped()));
        let silent = waiting.0.stdin.take().expect("a pipe");
        waiting.interrupt();
        wait_for("the end of the command", || waiting.is_over());
        drop(silent);
        assert_eq!(waiting.finish().code, 130, "{line}");
        assert!(!begun(&desk, "p.csv"), "{line}");
    }
}

/// A named pipe.
fn fifo(desk: &Desk) {
    let made = Command::new("mkfifo").arg(desk.path("fifo")).status();
    assert!(made.expect("a command of every Linux").success());
}

#[test]
fn waiting_for_a_named_pipe_can_be_interrupted() {
    let desk = Desk::new();
    assert_eq!(desk.line("fit iris -m naive-bayes --out m.evo").code, 0);
    fifo(&desk);
    let lines = [
        "fit fifo",
        "data show fifo",
        "predict m.evo fifo",
        "evaluate m.evo fifo",
        "roc fifo --truth a --score b",
    ];
    // First nobody opens the pipe, then somebody who writes nothing.
    for written in [false, true] {
        let mut open = std::fs::OpenOptions::new();
        let silent = written.then(|| open.read(true).write(true).open(desk.path("fifo")));
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            let mut waiting = Underway::start(&mut desk.command(&words));
            // Silence for a while is no end of the table.
            sleep(20 * STEP);
            assert!(!waiting.is_over(), "{line}");
            waiting.interrupt();
            wait_for("the end of the command", || waiting.is_over());
            assert_eq!(waiting.finish().code, 130, "{line}");
        }
        assert!(silent.is_none_or(|opened| opened.is_ok()));
    }
}

#[test]
fn a_table_comes_through_a_named_pipe() {
    let desk = Desk::new();
    desk.write("t.csv", noise(200, 3));
    fifo(&desk);
    let table = desk.read("t.csv");
    for line in ["fit fifo -m naive-bayes --quiet", "data show fifo"] {
        let (path, table) = (desk.path("fifo"), table.clone());
        let writer = std::thread::spawn(move || std::fs::write(path, table));
        let ran = desk.line(line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        writer.join().expect("no panic").expect("all was read");
    }
}

#[test]
fn a_second_interrupt_ends_what_does_not_look() {
    let desk = Desk::new();
    assert_eq!(desk.line("fit iris -m naive-bayes --out m.evo").code, 0);
    fifo(&desk);
    // The picture waits for a reader, which nobody is: opening it cannot be told to stop.
    let words = ["evaluate", "m.evo", "iris", "--plot", "fifo"];
    let mut evaluate = Underway::start(&mut desk.command(&words));
    let mut report = [0; 1];
    let out = evaluate.0.stdout.as_mut().expect("a pipe");
    std::io::Read::read_exact(out, &mut report).expect("the report comes before the picture");
    evaluate.interrupt_twice();
    assert_eq!(evaluate.finish().code, 130);
}

#[test]
fn a_second_interrupt_leaves_no_half_written_file() {
    // Nobody writes to the other side of a new terminal, and reading it cannot be told to stop.
    let terminal = "/dev/ptmx";
    if std::fs::File::open(terminal).is_err() {
        return;
    }
    let desk = Desk::new();
    assert_eq!(desk.line("fit iris -m naive-bayes --out m.evo").code, 0);
    let words = ["predict", "m.evo", terminal, "--skip-bad", "--out", "p.csv"];
    let mut predict = Underway::start(&mut desk.command(&words));
    let begun = |file: &String| file.ends_with(".partial");
    wait_for("a private file", || desk.files().iter().any(begun));
    predict.interrupt_twice();
    assert_eq!(predict.finish().code, 130);
    assert!(!desk.files().iter().any(begun), "{:?}", desk.files());
}

#[test]
fn a_pipe_that_always_delivers_can_be_interrupted() {
    let desk = Desk::new();
    let mut fit = Underway::start(desk.command(&["fit", "-"]).stdin(Stdio::piped()));
    let mut rows = fit.0.stdin.take().expect("a pipe");
    let table = noise(1000, 3);
    let writer = std::thread::spawn(move || {
        let mut written = rows.write_all(table.as_bytes());
        let body = table.split_once('\n').expect("a header").1;
        // It ends when nobody reads any more.
        while written.is_ok() {
            written = rows.write_all(body.as_bytes());
        }
    });
    fit.interrupt();
    wait_for("the end of the command", || fit.is_over());
    fit.finish().fails(130, &["stopped before there was a usable result"]);
    writer.join().expect("no panic");
    // Where nobody interrupts it, it ends at the limit of memory.
    let mut command = desk.command(&["fit", "-", "--max-memory", "2M"]);
    let mut fit = Underway::start(command.stdin(Stdio::piped()));
    let mut rows = fit.0.stdin.take().expect("a pipe");
    let table = noise(200_000, 3);
    let _ = rows.write_all(table.as_bytes());
    drop(rows);
    wait_for("the end of the command", || fit.is_over());
    fit.finish().fails(1, &["standard input holds more than the limit of memory, which is 2"]);
}

/// Rows that cannot be read are left out for as long as they come.
#[test]
fn rows_that_are_left_out_can_be_interrupted() {
    let desk = Desk::new();
    desk.write("train.csv", noise(200, 3));
    assert_eq!(desk.line("fit train.csv -m naive-bayes --out m.evo").code, 0);
    // A file, so that no wait for a pipe looks at the stop; few of its bytes are a record.
    desk.write("bad.csv", format!("x0,x1,x2,class\n{}1,2,3,a\n", "x,1,2,a\n".repeat(6_000_000)));
    let words = ["predict", "m.evo", "bad.csv", "--skip-bad", "--out", "p.csv"];
    let mut predict = Underway::start(&mut desk.command(&words));
    predict.interrupt();
    wait_for("the end of the command", || predict.is_over());
    let ran = predict.finish();
    ran.fails(130, &["stopped after 0 rows"]);
    // All of them are read where nobody interrupts it, chunk after chunk without a row.
    desk.write("bad.csv", format!("x0,x1,x2,class\n{}1,2,3,a\n", "x,1,2,a\n".repeat(20_000)));
    let json = desk.json("predict m.evo bad.csv --skip-bad --out p.csv --json");
    assert_eq!((&json["rows"], &json["skipped"]["rows"]), (&1.into(), &20_000.into()));
}

#[test]
fn a_pipe_is_not_added_as_a_data_set() {
    let desk = Desk::new();
    fifo(&desk);
    desk.line("data add mine fifo").fails(1, &["not an ordinary file", "save it to a file first"]);
}

/// The ways in which an interrupted fit may end: with the best so far, saved, judged and usable;
/// where there is none yet, with an error that says so and no file; and where training was
/// through, with the saved model and an error that says that it was not judged.
fn assert_fit_ended_well(desk: &Desk, ran: &Ran) {
    assert!(!desk.path("m.evo.partial").exists());
    if !desk.path("m.evo").exists() {
        ran.fails(130, &["stopped before there was a usable result"]);
        assert!(ran.out.is_empty(), "{}", ran.out);
        return;
    }
    if ran.out.is_empty() {
        ran.fails(130, &["the trained model is in m.evo, not judged"]);
    } else {
        let code = if ran.out.contains("interrupted") { 130 } else { 0 };
        assert_eq!(ran.code, code, "{}", ran.out);
        assert!(ran.out.contains("Saved in m.evo"), "{}", ran.out);
    }
    let predicted = desk.line("predict m.evo few.csv");
    assert_eq!(predicted.code, 0, "{}", predicted.err);
    assert_whole_lines(&predicted.out);
}

#[test]
fn an_interrupted_fit_keeps_the_best_so_far_or_says_there_is_none() {
    let desk = Desk::new();
    desk.write("many.csv", noise(300_000, 20));
    desk.write("few.csv", noise(50, 20));
    // At once, while the table is read, and ever later. A fit that was through before the
    // signal came is a result too, and later signals would only find the same.
    let mut interrupted = 0;
    for steps in [0, 25, 50, 75, 100, 150, 200, 300] {
        let _ = std::fs::remove_file(desk.path("m.evo"));
        let mut command = desk.command(&["fit", "many.csv", "--test", "few.csv", "--out", "m.evo"]);
        let mut fit = Underway::start(&mut command);
        for _ in 0..steps {
            if fit.is_over() {
                break;
            }
            sleep(STEP);
        }
        if fit.is_over() {
            assert_fit_ended_well(&desk, &fit.finish());
            break;
        }
        fit.interrupt();
        let ran = fit.finish();
        assert_fit_ended_well(&desk, &ran);
        interrupted += u32::from(ran.code == 130);
    }
    // The first signal finds a table of 40 MB unread.
    assert!(interrupted > 0, "no signal came in time");
}

#[test]
fn a_mixture_of_rules_that_is_interrupted_has_rules() {
    let desk = Desk::new();
    desk.write("wide.csv", noise(400, 166));
    let mut kept = 0;
    for steps in [50, 100, 200, 300] {
        let _ = std::fs::remove_file(desk.path("m.evo"));
        let line = ["fit", "wide.csv", "-m", "moe-ga", "--out", "m.evo"];
        let fit = Underway::start(&mut desk.command(&line));
        sleep(steps * STEP);
        fit.interrupt();
        let ran = fit.finish();
        assert_eq!(ran.code, 130, "{}", ran.err);
        assert!(ran.err.contains("stopping, keeping the best so far"), "{}", ran.err);
        // It may have come before there was a table.
        if desk.path("m.evo").exists() {
            let rules = desk.json("rules m.evo --format json");
            assert!(rules["rules"].as_array().is_some_and(|rules| rules.len() > 1), "{rules}");
            kept += 1;
        }
    }
    assert!(kept > 0, "every signal came before training had begun");
}

#[test]
fn reading_a_large_table_can_be_interrupted() {
    let desk = Desk::new();
    desk.write("many.csv", noise(300_000, 20));
    for line in ["data show many.csv", "data add mine many.csv", "fit many.csv --out m.evo"] {
        let fit = Underway::start(&mut desk.command(&line.split(' ').collect::<Vec<_>>()));
        fit.interrupt();
        fit.finish().fails(130, &["stopped before there was a usable result"]);
    }
    assert!(!desk.path("m.evo").exists());
    assert!(!desk.path("home/evocracy/data/mine.csv").exists());
}

/// A program behind a shell that knows the table, says which process it is, and never answers.
const SILENT: &str = r#"
import json, os, sys, time
open("starts", "a").write("started\n")
for line in sys.stdin:
    asked = json.loads(line)
    if "rows" in asked:
        print(json.dumps({"rows": len(asked["rows"]), "parameters": 2}), flush=True)
    else:
        open("asked", "w").write(str(os.getpid()))
        time.sleep(100000)
"#;

/// Whether the process whose number is in a file has ended; nobody may have asked how.
fn is_gone(desk: &Desk, file: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", desk.read(file).trim()));
    stat.map_or(true, |stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
}

#[test]
fn a_program_that_is_waited_for_ends_with_the_command() {
    let desk = Desk::new();
    desk.write("silent.py", SILENT);
    let shell = "sh -c 'python3 silent.py; true'";
    let asked = ["soften", "ripley-synth", "--command", shell, "--time-limit", "100000"];
    let mut soften = Underway::start(&mut desk.command(&asked));
    wait_for("the program to be asked", || begun(&desk, "asked"));
    soften.interrupt();
    wait_for("the command to end", || soften.is_over());
    assert_eq!(soften.finish().code, 130);
    wait_for("the program to end", || is_gone(&desk, "asked"));
}

#[test]
fn a_program_behind_a_shell_is_ended_when_it_is_late() {
    let desk = Desk::new();
    desk.write("silent.py", SILENT);
    let shell = "sh -c 'python3 silent.py; true'";
    let ran = desk.run(&["soften", "ripley-synth", "--command", shell, "--time-limit", "0.5"]);
    ran.fails(1, &["did not answer within 0.5 s"]);
    wait_for("the program to end", || is_gone(&desk, "asked"));
}

/// Each of 76 chains would wait for the program, and start it again; those that were not under way
/// when it failed for good do not.
#[test]
fn a_silent_program_is_not_asked_by_every_chain() {
    let desk = Desk::new();
    desk.write("silent.py", SILENT);
    let asked = ["soften", "ripley-synth", "--command", "python3 silent.py"];
    let ran = desk.run(&[&asked[..], &["--time-limit", "2", "--threads", "2"]].concat());
    ran.fails(1, &["did not answer within 2 s"]);
    // One process of each worker, and one in its place.
    let starts = desk.read("starts").lines().count();
    assert!((1..=4).contains(&starts), "{starts}");
}

/// A combiner that is trained is kept where Ctrl-C comes while other rows are judged.
#[test]
fn judging_a_combiner_can_be_interrupted() {
    let desk = Desk::new();
    let rows = |from: u32, to: u32| {
        let row = |row: u32| format!("{},{},{}\n", row % 2, row / 2 % 2, row % 2);
        (from..to).map(row).collect::<String>()
    };
    desk.write("t.csv", format!("one,two,truth\n{}", rows(0, 60)));
    let line = ["combine", "t.csv", "--truth", "truth", "-m", "naive", "--test", "-"];
    let mut command = desk.command(&[&line[..], &["--out", "c.evo"]].concat());
    let mut combine = Underway::start(command.stdin(Stdio::piped()));
    let mut input = combine.0.stdin.take().expect("a pipe");
    // More than a pipe holds: when it is written most of it was read, to be judged.
    input
        .write_all(format!("one,two,truth\n{}", rows(0, 200_000)).as_bytes())
        .expect("the command reads");
    combine.interrupt();
    wait_for("the command to end", || {
        combine.is_over() || {
            let _ = input.write_all(rows(0, 1000).as_bytes());
            false
        }
    });
    let ran = combine.finish();
    assert_eq!(ran.code, 130, "{}", ran.err);
    assert!(ran.out.contains("was not judged on -") && ran.out.contains("Saved in c.evo"));
    assert_eq!(desk.line("predict c.evo t.csv --out p.csv").code, 0);
}

/// A threshold on the second column that answers so many questions about the training rows, then says
/// which process it is, and never answers.
const ANSWERS: &str = r#"
import json, os, sys, time
rows, left = [], int(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    if "rows" in asked:
        rows = asked["rows"]
        print(json.dumps({"rows": len(rows), "parameters": 1}), flush=True)
        continue
    left -= 1
    if left < 0 or len(rows) != 250:
        open("silent", "w").write(str(os.getpid()))
        time.sleep(100000)
    at = asked["parameters"][0]
    print(json.dumps({"labels": "".join("01"[row[1] > at] for row in rows)}), flush=True)
"#;

/// Chains of that program that end soon, on one thread.
const SOON: [&str; 12] = [
    "soften",
    "ripley-synth",
    "-p",
    "lambda=4",
    "-p",
    "steps=5",
    "--samples",
    "38",
    "--chains",
    "2",
    "--threads",
    "1",
];

#[test]
fn chains_are_saved_before_they_are_judged() {
    let desk = Desk::new();
    desk.write("answers.py", ANSWERS);
    let asked = |out: &'static str, limit: &'static str| {
        let given = ["--command", "python3 answers.py 1000000", "-o", out, "--time-limit", limit];
        [&SOON[..], &given].concat()
    };
    let mut soften = Underway::start(&mut desk.command(&asked("m.evo", "100000")));
    wait_for("judging", || begun(&desk, "silent"));
    soften.interrupt();
    wait_for("the command to end", || soften.is_over());
    let ran = soften.finish();
    assert_eq!(ran.code, 130, "{}", ran.err);
    assert!(ran.out.contains("It was not judged: the work was interrupted."), "{}", ran.out);
    assert!(!ran.out.contains("Sampling was interrupted"), "{}", ran.out);
    assert_eq!(desk.line("show m.evo").code, 0);
    // A program that does not answer in time takes nothing with it.
    let ran = desk.run(&asked("late.evo", "1"));
    ran.fails(1, &["did not answer within 1 s", "the sampled model is in late.evo, not judged"]);
    assert_eq!(desk.line("show late.evo").code, 0);
}
