//! The commands in README.md and docs/ do what the pages say.
//!
//! A page runs in a folder of its own, from top to bottom. A fence `csv file=NAME` or `arff
//! file=NAME` writes a file; files that are no text, such as Parquet, are those of tests/data.
//! A fence `console` holds commands after `$ ` and what they print: the lines shown must come in
//! that order, `...` stands for any lines, and a line `[exit 2]` for the exit code, which is
//! else 0. Only `evocracy` commands run.

mod common;

use common::Desk;
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
