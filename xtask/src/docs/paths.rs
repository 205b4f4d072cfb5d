//! Files and folders of the project that a page names in code: they must exist.
//!
//! A path starts at the top of the workspace (`crates/...`) or, as modules are spoken of, at the
//! sources of the library (`data/view.rs`, `data/encode/`). What only looks like one, such as a
//! person's `data/mine.csv`, is left alone.

use std::path::Path;

/// The folders at the top that a path may start with.
const TOP: &[&str] = &["crates", "docs", "bench", "xtask"];

/// Where a path may start that starts at no such folder.
const INSIDE: &[&str] = &["crates/evocracy/src", "crates/evocracy", "."];

/// A part of a path that stands for any name; a check ends before it.
const ANY: &str = "NAME";

/// A part of the paths of files that a build makes.
const MADE: &str = "target";

/// The paths of a piece of code that do not exist.
pub(super) fn missing(code: &str, exists: &impl Fn(&str) -> bool) -> Vec<String> {
    let words = code.split(|c: char| !(c.is_alphanumeric() || "._-/".contains(c)));
    let lacks = |word: &&str| {
        let (first, rest) = word.split_once('/').unwrap_or((word, ""));
        let path = word.split(ANY).next().unwrap_or(word);
        let elsewhere = path.is_empty() || word.starts_with(['/', '.']);
        if elsewhere || word.split('/').any(|part| part == MADE) {
            return false;
        }
        let inside = |name: &str| INSIDE.iter().any(|start| exists(&format!("{start}/{name}")));
        if TOP.contains(&first) {
            !rest.is_empty() && !exists(path)
        } else {
            let module = word.ends_with('/') && !rest.is_empty() && inside(first);
            let source = Path::new(word).extension().is_some_and(|ending| ending == "rs");
            (source || module) && !inside(path)
        }
    };
    words.map(|word| word.trim_end_matches('.')).filter(lacks).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code: &str) -> Vec<String> {
        let known = [
            "crates/evocracy/src/kernel",
            "crates/evocracy/src/kernel/fast.rs",
            "crates/evocracy/src/kernel/fast/",
            "crates/evocracy/src/",
            "crates/evocracy/tests/contract.rs",
            "docs/data.md",
            "bench/",
        ];
        missing(code, &|path| known.contains(&path.trim_start_matches("./")))
    }

    #[test]
    fn paths_that_exist_are_left_alone() {
        for code in [
            "see docs/data.md.",
            "crates/evocracy/src/NAME.rs",
            "kernel/fast.rs:12, kernel/fast/",
            "tests/contract.rs",
            "bench/target/venv/bin/python",
            "bench/*.toml",
            "xtask docs",
        ] {
            assert_eq!(found(code), [""; 0], "{code}");
        }
    }

    #[test]
    fn what_is_no_path_of_the_project_is_left_alone() {
        for code in
            ["data/mine.csv", "pictures/", "https://example.org/docs/x.rs", "a / b", "~/x.rs"]
        {
            assert_eq!(found(code), [""; 0], "{code}");
        }
    }

    #[test]
    fn paths_that_do_not_exist_are_named() {
        assert_eq!(found("`crates/evocracy/src/gone.rs`"), ["crates/evocracy/src/gone.rs"]);
        assert_eq!(found("kernel/slow.rs and kernel/slow/"), ["kernel/slow.rs", "kernel/slow/"]);
        assert_eq!(found("gone.rs, docs/gone.md."), ["gone.rs", "docs/gone.md"]);
        assert_eq!(found("crates/gone/src/NAME.rs"), ["crates/gone/src/NAME.rs"]);
    }
}
