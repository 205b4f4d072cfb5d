//! What was selected, in sentences and a table.

use super::Args;
use crate::tables;
use crate::words::{counted, percent};
use evocracy::data::Classes;
use evocracy::select::{ChanceReport, GeneRow, Group, LabelReport, Partner, Selection, Subclasses};

/// Masked columns that are named beside a winner, and as many that are alike.
const SHOWN: usize = 4;
/// Characters of a description.
const NAME: usize = 44;

pub fn all(found: &Selection, args: &Args, data: &str) -> String {
    let [(positive, m), (others, n)] = &found.classes;
    let mut text = format!(
        "Selected columns of {data} that tell {positive} ({m}) from {others} ({n}), by {} on both halves of {}.\n",
        found.by,
        counted(found.splits[0] as u64, "random split"),
    );
    if found.splits[0] < found.splits[1] {
        let so = if p_values(args) { ", so there are no p-values" } else { "" };
        text += &format!("Interrupted: {} splits were asked for{so}.\n", found.splits[1]);
    }
    if found.constant > 0 {
        text += &format!(
            "{} the same value, or none, in all samples and cannot be selected.\n",
            if found.constant == 1 {
                "1 column has".to_owned()
            } else {
                format!("{} columns have", found.constant)
            }
        );
    }
    text += &performance(found);
    text += &chance(found, args);
    if found.table.is_empty() {
        text += "No column was selected.\n";
    } else {
        text += &format!("\n{}\n", table(found, args.top));
    }
    text += &groups(&found.groups);
    text += &found.labels.as_ref().map_or(String::new(), labels);
    text += &found.subclasses.as_deref().map_or(String::new(), subclasses);
    if !args.no_checks {
        text += &unlooked(found);
    }
    text
}

/// Whether p-values were asked for. A given set is selected on every half.
fn p_values(args: &Args) -> bool {
    args.permutations > 0 && args.given.is_none()
}

/// What an interruption left out of the checks.
fn unlooked(found: &Selection) -> String {
    if found.subclasses.is_some() || found.table.is_empty() {
        return String::new();
    }
    let what = match (found.groups.is_empty(), found.labels.is_none()) {
        (true, _) => "interchangeable columns, wrong labels and groups within classes",
        (false, true) => "wrong labels and groups within classes",
        (false, false) => "groups within classes",
    };
    format!("Interrupted: {what} were not looked for.\n")
}

/// Several classes, none of which was chosen.
pub fn unasked(classes: &Classes) -> String {
    format!(
        "There are {} classes and none was asked for, so {} was put against all others; choose with --positive: {}.\n",
        classes.len(),
        classes.names()[classes.positive()],
        classes.names().join(", ")
    )
}

fn performance(found: &Selection) -> String {
    let p = &found.performance;
    if p.classifiers == 0 {
        return "No column was worth selecting on any half.\n".to_owned();
    }
    let mut text = format!(
        "{} of {:.1} columns on average ({} to {}): area under the ROC curve {:.3} on the half they learnt from, {:.3} on the other; accuracy {} and {}.\n",
        counted(p.classifiers as u64, "classifier"),
        p.genes[0],
        p.genes[1],
        p.genes[2],
        p.auc[0],
        p.auc[1],
        percent(p.accuracy[0]),
        percent(p.accuracy[1]),
    );
    if let Some([train, test]) = found.forced_auc {
        text += &format!(
            "On the same halves the forced columns alone have areas of {train:.3} and {test:.3}.\n"
        );
    }
    if p.perfect_training > 0.5 && p.auc[1] < 0.99 {
        text += &format!(
            "{} of them order their own half without an error: the training figures say nothing.\n",
            percent(p.perfect_training)
        );
    }
    text
}

/// How much halves agree. Those of a given set always do.
fn agreement(found: &Selection) -> String {
    let o = &found.overlap;
    let mut text = format!(
        "The two halves of a split have {:.2} selected columns in common on average; random selections of the same sizes would have {:.3}.\n",
        o.mean, o.expected
    );
    if let Some(s) = &found.stability {
        text += &format!(
            "Stability of the selections (Nogueira, 0 random, 1 always the same): {:.3}.\n",
            s.index
        );
    }
    text
}

/// What permuted labels do to areas.
fn permuted(c: &ChanceReport, asked: u32, forced: bool) -> String {
    let times = if c.permutations < asked as usize {
        format!("{} of {asked} times, then it was interrupted", c.permutations)
    } else {
        counted(c.permutations as u64, "time")
    };
    let area = match (c.permuted_auc, c.auc_p) {
        (None, _) => "no column was selected".to_owned(),
        (Some([mean, _]), None) if forced => format!(
            "the test area is {mean:.3} on average; the one above has no p-value, since these labels break what forced columns say as well"
        ),
        (Some([mean, _]), None) => format!("the test area is {mean:.3} on average"),
        (Some([mean, _]), Some(p)) => {
            format!("the test area is {mean:.3} on average (p = {p:.3} for the one above)")
        }
    };
    format!("With permuted labels ({times}) {area}.\n")
}

fn chance(found: &Selection, args: &Args) -> String {
    let mut text = if args.given.is_none() { agreement(found) } else { String::new() };
    let Some(c) = &found.chance else {
        if args.permutations == 0 && args.given.is_none() {
            text += "Without permutations there are no p-values (see --permutations).\n";
        } else if p_values(args) && found.splits[0] == found.splits[1] {
            text += "Interrupted before labels were permuted once, so there are no p-values.\n";
        }
        return text;
    };
    text += &permuted(c, args.permutations, !args.force.is_empty());
    text += &format!(
        "{} at most {} expected false discoveries (q).\n",
        match found.winners {
            0 => "No column has".to_owned(),
            1 => "1 column has".to_owned(),
            n => format!("{n} columns have"),
        },
        percent(args.fdr),
    );
    let least = 1.0 / (1.0 + (c.permutations * found.genes) as f64);
    if found.winners == 0 && least * found.genes as f64 > args.fdr {
        text += &format!(
            "With {} permutations the smallest q of a lone column is {:.2}: ask for more.\n",
            c.permutations,
            least * found.genes as f64
        );
    }
    text
}

fn table(found: &Selection, top: usize) -> String {
    let p = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1e}"));
    let q = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    let row = |row: &GeneRow| {
        let tie = if row.tied > 0 { "=" } else { "" };
        let mut name: String = row.name.as_deref().unwrap_or_default().chars().take(NAME).collect();
        if row.name.as_ref().is_some_and(|whole| whole.chars().count() > NAME) {
            name += "...";
        }
        vec![
            format!("{}{tie}", row.rank),
            row.gene.clone(),
            name,
            row.total.to_string(),
            row.coincident.to_string(),
            p(row.p),
            q(row.q),
            row.group.map_or(String::new(), |group| group.to_string()),
        ]
    };
    let header = ["rank", "gene", "name", "total", "coincident", "p", "q", "group"];
    let shown = tables::plain(&header, found.table.iter().take(top).map(row));
    match found.table.len().saturating_sub(top) {
        0 => shown,
        more => format!("{shown}\n({more} more)"),
    }
}

fn groups(groups: &[Group]) -> String {
    let mut text = String::new();
    for (number, group) in groups.iter().enumerate() {
        let also: Vec<String> =
            group.also_selected.iter().map(|name| format!("{name} (selected too)")).collect();
        let also = if also.is_empty() { None } else { Some(also.join("; ")) };
        let kinds = [
            ("also", also),
            ("masked", partners(&group.masked)),
            ("alike", partners(&group.alike)),
        ];
        let said: Vec<String> =
            kinds.into_iter().filter_map(|(kind, of)| Some(format!("{kind}: {}", of?))).collect();
        if !said.is_empty() {
            text += &format!("group {}: {}; {}\n", number + 1, group.name, said.join("; "));
        }
    }
    if text.is_empty() { text } else { format!("\nInterchangeable columns:\n{text}") }
}

/// Some columns that could stand in for a winner.
fn partners(all: &[Partner]) -> Option<String> {
    let one = |partner: &Partner| {
        format!(
            "{} (correlation {:.2}; {} selections, {} on the same halves without all columns that have a group)",
            partner.name, partner.correlation, partner.total, partner.without
        )
    };
    let mut said: Vec<String> = all.iter().take(SHOWN).map(one).collect();
    if all.len() > SHOWN {
        said.push(format!("and {} more", all.len() - SHOWN));
    }
    (!said.is_empty()).then(|| said.join("; "))
}

fn labels(report: &LabelReport) -> String {
    let mut text = String::new();
    if let (Some(found), Some([mean, sd]), Some(p)) =
        (report.correlation, report.clean, report.p_value)
    {
        text += &format!(
            "\nTraining and test areas of the most frequent columns have a correlation of {found:.2} over splits; clean normal samples of the same means and covariance give {mean:.2} (sd {sd:.2}), as low or lower with p = {p:.3}.\n"
        );
    }
    if !report.suspects.is_empty() {
        text += "These samples are at odds with their label; it may be wrong (1 in 100 clean tables has such a sample, where values are normal):\n";
        for one in &report.suspects {
            text += &format!(
                "  sample {} ({}): called otherwise in {} of the splits where it was not learnt from, {:.1} standard deviations from its class\n",
                one.sample,
                one.class,
                percent(one.wrong),
                one.distance
            );
        }
    }
    text
}

fn subclasses(found: &[Subclasses]) -> String {
    let mut text = String::new();
    for one in found.iter().filter(|one| one.p_value <= 0.05) {
        text += &format!(
            "\nThe samples of {} fall into two groups of {} and {} in the selected columns (p = {:.3}); they differ most in {}.\n",
            one.class,
            one.groups[0].len(),
            one.groups[1].len(),
            one.p_value,
            one.genes.join(", ")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use evocracy::data::catalogue::{Catalogue, Load};
    use evocracy::run::{Pool, Run, Stop};
    use evocracy::select::{Halving, Preparation, Samples, SelectOptions, select, selector};

    #[test]
    fn what_an_interruption_left_out_is_said() -> evocracy::error::Result<()> {
        let spec = "gen:genes:rows=16:genes=6:informative=2:masked=0:shift=3";
        let data = Catalogue::embedded().open(spec, &Load::default())?;
        let (samples, preparation) = (Samples::new(&data)?, Preparation::default());
        let by = selector("auc", &[("genes".to_owned(), "2".to_owned())])?;
        let halving = Halving {
            samples: &samples,
            selector: by.as_ref(),
            preparation: &preparation,
            splits: 2,
            left_out: &[],
        };
        let (stop, pool) = (Stop::new(), Pool::new(1)?);
        let options = SelectOptions { permutations: 0, ..SelectOptions::default() };
        let mut found = select(&halving, options, &Run::new(1, &stop, &pool))?;
        assert_eq!(unlooked(&found), "");
        found.subclasses = None;
        assert!(unlooked(&found).contains("Interrupted: groups within classes were not"));
        found.labels = None;
        assert!(unlooked(&found).contains("Interrupted: wrong labels and groups within classes"));
        found.groups.clear();
        assert!(unlooked(&found).contains("interchangeable columns, wrong labels"));
        found.table.clear();
        assert_eq!(unlooked(&found), "");
        Ok(())
    }

    #[test]
    fn permutations_are_said_as_they_were() {
        let of = |permuted_auc, auc_p| ChanceReport { permutations: 3, permuted_auc, auc_p };
        let said = permuted(&of(Some([0.5, 0.1]), Some(0.25)), 3, false);
        assert!(said.contains("(3 times) the test area is 0.500 on average (p = 0.250"), "{said}");
        let cut = permuted(&of(Some([0.5, 0.1]), Some(0.25)), 20, false);
        assert!(cut.contains("(3 of 20 times, then it was interrupted)"), "{cut}");
        let none = permuted(&of(None, None), 3, false);
        assert!(none.ends_with("(3 times) no column was selected.\n"), "{none}");
        let forced = permuted(&of(Some([0.5, 0.1]), None), 3, true);
        assert!(forced.contains("no p-value") && !forced.contains("p ="), "{forced}");
    }
}
