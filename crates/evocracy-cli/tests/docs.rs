//! The commands in README.md and docs/ do what the pages say.
//!
//! A page runs in a folder of its own, from top to bottom. A fence `csv file=NAME` or `arff
//! file=NAME` writes a file; files that are no text, such as Parquet, are those of tests/data.
//! A fence `console` holds commands after `$ ` and what they print: the lines shown must come in
//! that order, `...` stands for any lines, and a line `[exit 2]` for the exit code, which is
//! else 0. Only `evocracy` commands run.

mod common;

use common::Desk;
use serde_json::Value;
use std::path::Path;

/// One fenced block.
struct Block<'a> {
    info: &'a str,
    lines: Vec<&'a str>,
    /// The line of the page it starts in.
    at: usize,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open = false;
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), open) {
            (Some(info), false) => {
                open = true;
                blocks.push(Block { info, lines: Vec::new(), at: number + 1 });
            }
            (Some(_), true) => open = false,
            (None, true) => blocks.last_mut().expect("a block is open").lines.push(line),
            (None, false) => {}
        }
    }
    blocks
}

/// Runs the commands of a page and returns how many there were.
fn run_page(path: &Path) -> usize {
    let page = std::fs::read_to_string(path).expect("the page");
    let desk = Desk::new();
    desk.lay_out();
    let mut commands = 0;
    for block in blocks(&page) {
        let place = format!("{}:{}", path.display(), block.at);
        let file = ["csv file=", "arff file="].iter().find_map(|f| block.info.strip_prefix(f));
        if let Some(name) = file {
            desk.write(name, block.lines.join("\n") + "\n");
        }
        if block.info == "console" {
            commands += run_block(&desk, &block, &place);
        }
    }
    commands
}

fn run_block(desk: &Desk, block: &Block<'_>, place: &str) -> usize {
    let mut lines = block.lines.iter().peekable();
    let mut commands = 0;
    while let Some(line) = lines.next() {
        let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("{place}: {line}"));
        let words = split_words(command);
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            shown.push(*line);
        }
        assert_eq!(words[0], "evocracy", "{place}: {command}");
        let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let ran = desk.run(&args);
        let code = shown.iter().find_map(|line| line.strip_prefix("[exit ")?.strip_suffix(']'));
        let code = code.map_or(0, |code| code.parse().expect("an exit code"));
        assert_eq!(ran.code, code, "{place}: {command}\n{}", ran.err);
        compare(&shown, &format!("{}{}", ran.out, ran.err), &format!("{place}: {command}"));
        commands += 1;
    }
    commands
}

/// Words parted by spaces; single quotes keep spaces.
fn split_words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(letter),
        }
    }
    words
}

/// What the commands of a page say in figures is what they say for programs.
fn check_figures(path: &Path) -> usize {
    let page = std::fs::read_to_string(path).expect("the page");
    let desk = Desk::new();
    desk.lay_out();
    let mut checked = 0;
    for block in blocks(&page) {
        if let Some(name) = block.info.strip_prefix("csv file=") {
            desk.write(name, block.lines.join("\n") + "\n");
        }
        if block.info != "console" {
            continue;
        }
        let mut lines = block.lines.iter().peekable();
        while let Some(line) = lines.next() {
            let mut shown = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                shown.push(*line);
            }
            let words = split_words(line.trim_start_matches("$ "));
            let mut args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            let judged = ["fit", "demo", "evaluate", "compare"].contains(&args[0]);
            if judged && !args.contains(&"--json") && !shown.contains(&"[exit 1]") {
                args.push("--json");
                let ran = desk.run(&args);
                let json = serde_json::from_str(&ran.out).expect("a document");
                let known = Leaves::of(&json);
                // The document of the demo holds what was judged, not what the data are.
                let told = |line: &&str| {
                    args[0] != "demo" || line.starts_with("It ") || line.starts_with("AUC ")
                };
                for line in shown.into_iter().filter(told) {
                    checked +=
                        known.check(line, &format!("{}: {}", path.display(), args.join(" ")));
                }
            } else {
                // Later commands may need what it writes.
                desk.run(&args);
            }
        }
    }
    checked
}

/// The numbers of a document, and sums over its confusion matrices.
#[derive(Default)]
struct Leaves {
    numbers: Vec<f64>,
    /// Those that are rounded so that they add up.
    of_1000: Vec<f64>,
    /// The numbers in texts.
    texts: Vec<String>,
}

impl Leaves {
    fn of(json: &Value) -> Self {
        // The level of intervals, and what rows are counted out of.
        let mut all = Self { numbers: vec![0.95, 1000.0, 0.0], ..Self::default() };
        all.add(json, false);
        all
    }

    fn add(&mut self, json: &Value, of_1000: bool) {
        match json {
            Value::Number(number) => {
                let list = if of_1000 { &mut self.of_1000 } else { &mut self.numbers };
                list.extend(number.as_f64());
            }
            Value::String(text) => {
                let within = |c: char| c.is_alphanumeric() || ".+-".contains(c);
                let words = text.split(|c: char| !within(c)).map(|word| word.trim_matches('.'));
                let numbers = words.filter(|word| word.parse::<f64>().is_ok());
                self.texts.extend(numbers.map(str::to_owned));
            }
            Value::Array(items) => items.iter().for_each(|item| self.add(item, of_1000)),
            Value::Object(fields) => {
                // Digits that stand in a fingerprint by chance are no figures.
                for (name, value) in fields.iter().filter(|(name, _)| *name != "fingerprint") {
                    self.add(value, of_1000 || name == "per_1000");
                    match (name.as_str(), value.as_f64()) {
                        ("confusion", _) => self.sums(value),
                        // Costs are told for 1000 rows.
                        ("mean" | "mean_of_always", Some(cost)) => self.numbers.push(1000.0 * cost),
                        _ => {}
                    }
                }
                let of = |name: &str| fields.get(name).and_then(Value::as_f64);
                if let (true, Some(found), Some(missed)) =
                    (of_1000, of("true_positives"), of("false_negatives"))
                {
                    self.of_1000.push(found + missed);
                }
            }
            _ => {}
        }
    }

    /// The rows of each class, the rows called each class, the rows that are called right, and
    /// the shares of what each class is called.
    fn sums(&mut self, confusion: &Value) {
        let rows = confusion.as_array().map_or(&[][..], Vec::as_slice);
        let cell = |row: &Value, column: usize| row[column].as_f64().unwrap_or(0.0);
        let all = 0..rows.len();
        self.numbers
            .extend(rows.iter().map(|row| all.clone().map(|at| cell(row, at)).sum::<f64>()));
        self.numbers
            .extend(all.clone().map(|at| rows.iter().map(|row| cell(row, at)).sum::<f64>()));
        self.numbers.push(all.clone().map(|at| cell(&rows[at], at)).sum());
        for row in rows {
            let total: f64 = all.clone().map(|at| cell(row, at)).sum();
            self.numbers.extend(all.clone().map(|at| cell(row, at) / total.max(1.0)));
        }
    }

    /// Every number of a line is one of the document, rounded as it is shown. How many there were.
    fn check(&self, line: &str, place: &str) -> usize {
        let all = numbers(line);
        let found = all.len();
        // Of the table of thresholds the last three cells, and what is said of its 1000 rows.
        let of_1000 = if line.trim_start().starts_with("at most ") {
            found.saturating_sub(3)..found
        } else if line.contains("out of 1000 rows ") {
            0..found
        } else {
            0..0
        };
        for (at, (text, percent)) in all.into_iter().enumerate() {
            let places = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            let of = |value: &f64| {
                let value = if percent { 100.0 * value } else { *value };
                let exponent = text.contains('e').then(|| format!("{value:e}"));
                exponent.unwrap_or_else(|| format!("{value:.places$}")) == text
            };
            let value: f64 = text.parse().expect("a number");
            let near = |exact: &f64| places == 0 && (exact - value).abs() < 1.0;
            let known = self.numbers.iter().any(of)
                || (of_1000.contains(&at) && self.of_1000.iter().any(near))
                || self.texts.contains(&text);
            assert!(known, "{place}\n`{text}` is no figure of the document: {line}");
        }
        found
    }
}

/// The numbers of a line that stand by themselves, and whether they are percentages. What is in
/// backticks is a name.
fn numbers(line: &str) -> Vec<(String, bool)> {
    let outside: Vec<&str> = line.split('`').step_by(2).collect();
    let outside = outside.join("name");
    let mut words = outside.split_whitespace().peekable();
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        let bare = word.trim_matches(|c: char| "(),;:.".contains(c));
        let ended = word.ends_with([')', ',', ';', ':']);
        if bare.parse::<f64>().is_ok() && bare.contains(|c: char| c.is_ascii_digit()) {
            let percent = !ended && words.peek().is_some_and(|next| next.starts_with('%'));
            found.push((bare.trim_start_matches('+').to_owned(), percent));
        }
    }
    found
}

fn compare(shown: &[&str], printed: &str, place: &str) {
    let mut printed = printed.lines().map(str::trim_end);
    let mut skipping = false;
    for line in shown.iter().map(|line| line.trim_end()) {
        if line == "..." {
            skipping = true;
        } else if !line.starts_with("[exit ") {
            let found = if skipping {
                printed.by_ref().any(|p| p == line)
            } else {
                printed.next() == Some(line)
            };
            assert!(found, "{place}\nnot printed: {line}");
            skipping = false;
        }
    }
    let left: Vec<&str> = printed.filter(|line| !line.is_empty()).collect();
    assert!(skipping || left.is_empty(), "{place}\nprinted and not shown: {left:#?}");
}

#[test]
fn the_commands_of_every_page_do_what_the_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages: Vec<_> = std::fs::read_dir(root.join("docs"))
        .expect("the folder docs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    pages.push(root.join("README.md"));
    pages.sort();
    let commands: usize = pages.iter().map(|page| run_page(page)).sum();
    assert!(commands >= 10, "only {commands} commands were found");
}

#[test]
fn the_figures_in_the_sentences_are_those_of_the_documents() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (page, least) in [("README.md", 60), ("docs/first-steps.md", 150)] {
        let checked = check_figures(&root.join(page));
        assert!(checked >= least, "only {checked} figures of {page} were found");
    }
    // A figure that is not in the document is found.
    let known = Leaves::of(&serde_json::json!({ "accuracy": 0.744, "rows": 332 }));
    assert_eq!(known.check("right for 332 rows: accuracy 74.4 % (95 % interval", ""), 3);
    let wrong = |known: &Leaves, line: &str| {
        assert!(std::panic::catch_unwind(|| known.check(line, "")).is_err(), "{line}");
    };
    wrong(&known, "accuracy 74.5 %");
    // A count is compared as a whole, and is exact but for the columns of 1000 rows.
    let known = Leaves::of(&serde_json::json!({
        "rows": 77,
        "fingerprint": "9f12 5 e44",
        "test_rows_are": "a share of 0.25",
        "point": { "per_1000": { "true_positives": 250.4, "false_negatives": 63.8 } },
    }));
    assert_eq!(known.check("Judged on 77 rows (a share of 0.25)", ""), 2);
    assert_eq!(known.check("out of 1000 rows 314 are ill", ""), 2);
    assert_eq!(known.check(" at most 95 %  0.25  251  63  77", ""), 5);
    for line in ["5 rows", "12 rows", "25 rows", "251 rows", "78 rows", " at most 251 % 77 77 77"] {
        wrong(&known, line);
    }
}
