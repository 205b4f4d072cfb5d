//! `cargo xtask docs`: the pages hold together, the table of combiners is what was measured, and the API documentation builds without warnings.

pub(crate) mod combiners;
mod page;
mod paths;

use crate::finding::{Finding, report};
use crate::shell::{files, name, read, root, run, shown};
use crate::{Failure, Outcome};
use page::Page;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

const SUMMARY: &str = "docs/SUMMARY.md";

/// Folders at the top of a file system that differ from machine to machine.
const MACHINE_FOLDERS: &[&str] =
    &["/home/", "/root/", "/Users/", "/work/", "/mnt/", "/media/", "/scratch/", "C:\\"];

const API: &[&str] = &["cargo", "doc", "--workspace", "--no-deps", "--locked"];

/// Checks the pages, then builds the API documentation.
pub(crate) fn check() -> Outcome {
    let root = root();
    let mut pages = BTreeMap::new();
    let top = std::fs::read_dir(&root).into_iter().flatten().flatten().map(|entry| entry.path());
    let top = top.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    for path in top.chain(files(&root.join("docs"), ".md")) {
        pages.insert(name(&path, &root), page::parse(&read(&path)?));
    }
    let mut findings = look(&pages, |path| root.join(path).exists());
    findings.extend(combiners::stale()?);
    report("docs", &format!("{} pages", pages.len()), &findings)?;
    let given = std::env::var("RUSTDOCFLAGS").unwrap_or_default();
    let flags = format!("{given} -D warnings");
    if run(API, &[("RUSTDOCFLAGS", flags.trim())])? {
        Ok(())
    } else {
        Err(Failure::Failed(format!("`{}` has warnings (here they are errors)", shown(API))))
    }
}

/// All that is wrong with the pages, which are known by their paths in the workspace.
fn look(pages: &BTreeMap<String, Page>, exists: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for needed in ["README.md", SUMMARY] {
        if !pages.contains_key(needed) {
            findings.push(Finding::new(needed, 0, "the page is missing"));
        }
    }
    for (file, page) in pages {
        for (line, target) in &page.links {
            let wrong = broken(file, target, pages, &exists);
            findings.extend(wrong.map(|what| Finding::new(file, *line, what)));
        }
        for (line, code) in &page.code {
            let what = |path| format!("there is no `{path}`");
            let missing = paths::missing(code, &exists).into_iter();
            findings.extend(missing.map(|path| Finding::new(file, *line, what(path))));
        }
        for (line, text) in &page.lines {
            let folder = MACHINE_FOLDERS.iter().find(|folder| names_folder(text, folder));
            let what = |folder| format!("a path of one machine (`{folder}`); name it relatively");
            findings.extend(folder.map(|folder| Finding::new(file, *line, what(folder))));
        }
    }
    findings.extend(unlisted(pages));
    findings
}

/// Pages of the book that its table of contents leaves out.
fn unlisted(pages: &BTreeMap<String, Page>) -> Vec<Finding> {
    let Some(summary) = pages.get(SUMMARY) else { return Vec::new() };
    let listed: Vec<Option<String>> =
        summary.links.iter().map(|(_, target)| resolve(SUMMARY, target)).collect();
    let lacks = |file: &&String| {
        file.starts_with("docs/") && *file != SUMMARY && !listed.contains(&Some((*file).clone()))
    };
    let what = "the page is not listed in docs/SUMMARY.md";
    pages.keys().filter(lacks).map(|file| Finding::new(file, 0, what)).collect()
}

/// What is wrong with a link, if anything is.
fn broken(
    file: &str,
    target: &str,
    pages: &BTreeMap<String, Page>,
    exists: impl Fn(&str) -> bool,
) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let Some(path) = (if path.is_empty() { Some(file.to_owned()) } else { resolve(file, path) })
    else {
        return Some(format!("the link `{target}` leaves the workspace"));
    };
    let page = pages.get(&path);
    if page.is_none() && !exists(&path) {
        return Some(format!("the link `{target}` leads nowhere: there is no {path}"));
    }
    let page = page.filter(|_| !anchor.is_empty())?;
    let lacks = !page.anchors.iter().any(|known| known == anchor);
    lacks.then(|| format!("the link `{target}` leads nowhere: {path} has no heading #{anchor}"))
}

/// The path in the workspace that a link of `file` names; `None` outside the workspace.
fn resolve(file: &str, target: &str) -> Option<String> {
    let path = target.split('#').next().unwrap_or(target);
    let mut resolved = Path::new(file).parent().map_or_else(PathBuf::new, Path::to_path_buf);
    for part in Path::new(path).components() {
        match part {
            Component::Normal(part) => resolved.push(part),
            Component::CurDir => {}
            Component::ParentDir if resolved.pop() => {}
            _ => return None,
        }
    }
    Some(name(&resolved, Path::new("")))
}

/// Whether the text names a folder at the top of a file system, not within another path.
fn names_folder(text: &str, folder: &str) -> bool {
    text.match_indices(folder).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|letter| !(letter.is_alphanumeric() || "._-/~:".contains(letter)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(pages: &[(&str, &str)]) -> Vec<String> {
        let pages = pages.iter().map(|(file, text)| ((*file).to_owned(), page::parse(text)));
        let exists = |path: &str| path == "LICENSE-MIT" || path == "docs/front.svg";
        look(&pages.collect(), exists).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn whole_pages_have_nothing_to_mend() {
        let readme = "# Hello\n[data](docs/data.md#missing-values) [top](#hello)\n\
            ![a](docs/front.svg) [licence](LICENSE-MIT) [out](https://example.org/home/x)";
        let summary = "[Data](data.md)";
        let data = "# Data\n## Missing values\n[back](../README.md#hello)\n\
            ```\n[not a link](nowhere.md)\n```\n`[nor this](nowhere.md)`";
        let pages = [("README.md", readme), (SUMMARY, summary), ("docs/data.md", data)];
        assert_eq!(findings(&pages), [""; 0]);
    }

    #[test]
    fn broken_links_are_named_with_their_line() {
        let readme = "# Hello\n\n[a](docs/gone.md)\n[b](#nothing)\n[c](../up.md)\n[d]: gone.svg";
        let found = findings(&[("README.md", readme), (SUMMARY, "")]);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[0].starts_with("README.md:3:") && found[0].contains("no docs/gone.md"));
        assert!(found[1].starts_with("README.md:4:") && found[1].contains("no heading #nothing"));
        assert!(found[2].contains("leaves the workspace"));
        assert!(found[3].starts_with("README.md:6:"));
        let found = findings(&[("README.md", "see\n`crates/gone.rs`"), (SUMMARY, "")]);
        assert_eq!(found, ["README.md:2: there is no `crates/gone.rs`"]);
    }

    #[test]
    fn missing_and_unlisted_pages_are_named() {
        let found = findings(&[(SUMMARY, ""), ("docs/data.md", "")]);
        assert_eq!(found[0], "README.md: the page is missing");
        assert_eq!(found[1], "docs/data.md: the page is not listed in docs/SUMMARY.md");
    }

    #[test]
    fn paths_of_one_machine_are_found_even_in_code() {
        let readme = "```\ncd /home/someone/evocracy\n```\ncrates/root/x, ~/home/y and `/root/z`";
        let found = findings(&[("README.md", readme), (SUMMARY, "")]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("README.md:2:"));
        assert!(found[1].starts_with("README.md:4:"));
    }
}
