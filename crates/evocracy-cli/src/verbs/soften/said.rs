//! What `soften` says of what it found.

use super::{Args, Found, JudgedRows, Step, what};
use crate::{reporting, words};
use evocracy::committee::Thinned;
use evocracy::data::Dataset;
use evocracy::judge::Report;
use evocracy::model::Model;
use evocracy::sample::Mixing;

/// The figures of all chains.
pub(super) fn mixing(model: &Model) -> impl Iterator<Item = &Mixing> {
    let parts = model.chain().map_or(&[][..], |chain| chain.parts());
    parts.iter().filter_map(|part| part.mixing.as_ref())
}

/// How the chains have mixed, those of several classes with the name of theirs.
fn mixing_words(model: &Model) -> String {
    let mut text = String::new();
    let several = mixing(model).count() > 1;
    let classes = model.classes().map_or(&[][..], |classes| classes.names());
    for (class, mixing) in mixing(model).enumerate() {
        let of = classes.get(class).filter(|_| several);
        text += &format!(
            "{}{} of {} each: {:.0} % of the proposals were accepted{}{}{}.\n",
            of.map_or(String::new(), |class| format!("`{class}`: ")),
            words::counted(mixing.levels as u64, "target"),
            words::counted(mixing.chains as u64, "chain"),
            100.0 * mixing.acceptance,
            mixing.effective.map_or(String::new(), |effective| format!(
                ", the worst is worth {effective:.0} independent samples"
            )),
            mixing.r_hat.map_or(String::new(), |r_hat| format!(" (R-hat {r_hat:.2})")),
            mixing.autocorrelation.map_or(String::new(), |lag| format!(
                ", successive samples of a chain correlate by up to {lag:.2}"
            )),
        );
    }
    text
}

/// What was interrupted, in sentences.
fn broken(args: &Args, found: &Found) -> String {
    let JudgedRows { rows, broke, .. } = &found.judged;
    let mut text = match (found.broke, &args.prune) {
        (None, _) => String::new(),
        (Some(Step::Sampling), None) => {
            "Sampling was interrupted: this is what there is so far.\n".to_owned()
        }
        (Some(Step::Sampling), Some(_)) => {
            "Sampling was interrupted: this is what there is so far, and nothing was pruned.\n"
                .to_owned()
        }
        (Some(Step::Pruning), _) => {
            "Pruning was interrupted: all sampled classifiers are still there.\n".to_owned()
        }
    };
    text += match (broke, rows) {
        (false, _) => "",
        (true, None) => "It was not judged: the work was interrupted.\n",
        (true, Some(_)) => {
            "The work was interrupted before the standard error of the probabilities was known.\n"
        }
    };
    text
}

/// What pruning did.
fn pruned(pruned: &Thinned) -> String {
    format!(
        "Pruned from {} to {} classifiers, {:.1} times fewer to ask: on the training rows the AUC of `{}` goes from {:.4} to {:.4}, and probabilities move by {:.4} (root mean square).\n",
        pruned.before,
        pruned.after,
        pruned.fewer,
        pruned.class,
        pruned.auc[0],
        pruned.auc[1],
        pruned.rms
    )
}

/// What was found, in sentences and a table.
pub(super) fn words(args: &Args, data: &Dataset, found: &Found, report: &Report) -> String {
    let model = &found.model;
    let mut text = format!(
        "Sampled {} on {} of {} to predict `{}`.\n",
        what(args),
        words::counted(model.about().rows as u64, "row"),
        data.name,
        data.target_name(),
    );
    text += &broken(args, found);
    text += &mixing_words(model);
    text += &found.pruned.as_ref().map_or(String::new(), pruned);
    if let Some(figures) = &report.test {
        let rows = words::counted(figures.rows() as u64, "row");
        text += &format!("\nJudged on {rows} ({}):\n", report.test_rows_are);
        text += &format!("{}\n{}\n\n", reporting::figures(report), reporting::tables(report));
    }
    if let Some(error) = found.judged.error {
        text += &format!(
            "By how the chains differ, the probabilities of these rows have a standard error of {error:.3} on average.\n"
        );
    }
    text += &match &args.out {
        Some(path) if args.program.command.is_some() => format!(
            "Saved in {0}; the file holds no command: say `evocracy predict {0} DATA --command ...`.\n",
            path.display()
        ),
        Some(path) => format!("Saved in {}.\n", path.display()),
        None => "The model was not saved: add --out FILE to keep it.\n".to_owned(),
    };
    text
}
