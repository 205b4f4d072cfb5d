//! The page of all experiments: a section for each, renewed one at a time.

use super::{HEADER, cells};
use anyhow::Result;
use evocracy::data::read::Source;
use evocracy::error::Error;
use evocracy::run::write_file;
use evocracy_experiments::{EXPERIMENTS, Experiment, Measured};
use std::collections::BTreeMap;
use std::path::Path;

const ABOVE: &str = "\
# Reproductions

What the papers claim, measured anew: `evocracy reproduce NAME --page FILE` renews the section of an
experiment. A mean stands with its standard deviation over the repeats; `printed` is the paper's
figure, `target` what was asked for here, and `NO` says that it was not reached. Without a target a
figure is only reported. Most experiments need the data of `EVOCRACY_DATA`.
";

/// Puts the section of `measured` into the page, which is made where it is missing.
pub(super) fn renew(page: &Path, measured: &Measured, of: &Experiment) -> Result<()> {
    let renewed = renewed(&present(page)?, measured, [of.about, of.note()]);
    write_file(page, &[renewed.as_bytes()])?;
    Ok(())
}

/// The page as it is, empty where it is missing; refuses a file that is no such page, of which
/// nothing would be left.
pub(super) fn present(page: &Path) -> Result<String> {
    /// Many times what all experiments write.
    const MOST: u64 = 64 << 20;
    if !page.exists() {
        return Ok(String::new());
    }
    let refused = || {
        let what = format!("`{}` is no page of reproductions", page.display());
        Error::unsuitable(what, "give --page a new name, or a page that it has written")
    };
    if !page.is_file() {
        return Err(refused().into());
    }
    let old = Source::file(page).text(MOST)?;
    let begins = ABOVE.lines().next().is_some_and(|head| old.lines().next() == Some(head));
    if old.trim().is_empty() || begins { Ok(old) } else { Err(refused().into()) }
}

fn renewed(old: &str, measured: &Measured, about: [&str; 2]) -> String {
    let mut sections: BTreeMap<&str, String> = old
        .split("\n## ")
        .skip(1)
        .filter_map(|section| Some((section.lines().next()?.trim(), section.trim_end().to_owned())))
        .collect();
    sections.insert(measured.experiment, section(measured, about));
    let known = EXPERIMENTS.iter().filter_map(|known| sections.get(known.name));
    known.fold(ABOVE.to_owned(), |page, section| page + "\n## " + section + "\n")
}

/// The section of an experiment: what it is about, its note where there is one, its rows.
fn section(measured: &Measured, [about, note]: [&str; 2]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let size = if measured.quick { ", the small version" } else { "" };
    let mut text = format!("{}\n\n{about}; seed {}{size}.\n\n", measured.experiment, measured.seed);
    if !note.is_empty() {
        text += &format!("{note}\n\n");
    }
    text += &line(&HEADER.map(str::to_owned));
    text += &format!("|{}\n", "---|".repeat(HEADER.len()));
    measured.rows.iter().for_each(|row| text += &line(&cells(row)));
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evocracy_experiments::{Compare, Row};

    fn measured(experiment: &'static str, value: f64) -> Measured {
        let rows = vec![Row::new("a/b", value, "count").target(Compare::AtLeast(2.0))];
        Measured { experiment, seed: 1, quick: false, rows, pictures: Vec::new() }
    }

    #[test]
    fn a_file_that_is_no_page_is_refused_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let page = folder.path().join("page.md");
        assert_eq!(present(&page).expect("a new page"), "");
        let rvm = EXPERIMENTS.iter().find(|known| known.name == "rvm").expect("an experiment");
        renew(&page, &measured("rvm", 1.0), rvm).expect("a new page");
        renew(&page, &measured("rvm", 2.0), rvm).expect("its own page");
        for other in ["x,class\n1,a\n", "# Notes\n\n## rvm\n"] {
            std::fs::write(&page, other).expect("written");
            let error = renew(&page, &measured("rvm", 1.0), rvm).expect_err("no page");
            assert!(error.to_string().contains("no page of reproductions"), "{error}");
            assert_eq!(std::fs::read_to_string(&page).expect("read"), other);
        }
        assert!(present(folder.path()).is_err());
    }

    #[test]
    fn a_section_takes_the_place_of_its_older_one_and_leaves_others() {
        let first = renewed("", &measured("rvm", 1.0), ["machines", ""]);
        let both = renewed(&first, &measured("homogeneous", 3.0), ["splits", "Chosen after."]);
        let again = renewed(&both, &measured("rvm", 2.0), ["machines", ""]);
        assert!(again.contains("splits; seed 1.\n\nChosen after.\n\n| "), "{again}");
        assert!(again.contains("machines; seed 1.\n\n| "), "{again}");
        assert!(first.contains("| a/b | 1.0000 |  |  |  | >= 2 | NO | count |"), "{first}");
        assert_eq!(again.matches("## rvm").count(), 1);
        assert!(again.contains("| a/b | 2.0000 |  |  |  | >= 2 | yes | count |"), "{again}");
        assert!(again.find("## homogeneous") < again.find("## rvm"), "in the order of the list");
        assert_eq!(renewed(&again, &measured("rvm", 2.0), ["machines", ""]), again);
    }
}
