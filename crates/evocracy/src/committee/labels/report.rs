//! What a combiner found out about its experts.

use super::law::Law;
use super::network::Names;
use super::rows::{Experts, Named, Rows};
use super::sources::Shared;
use super::trials::{Trial, Trials};
use super::ways::Way;
use crate::classify::{
    BlendedWay, ComparedWay, CopiedExpert, ExpertReport, LabelReport, LeftOutWay,
};
use crate::data::MISSING;
use crate::error::{Error, Result};
use crate::run::Run;
use std::f64::consts::LN_2;

/// What was settled on: a way, or a blend of several, with their names and weights.
pub(super) struct Settled {
    pub way: Way,
    pub law: Law,
    pub blended: Vec<(Way, f64)>,
    pub left_out: Vec<(Way, Error)>,
}

/// How experts of one combiner did.
pub(super) struct Judging<'a> {
    pub trials: &'a Trials,
    /// That of the way that was chosen.
    pub trial: &'a Trial,
}

/// The ways that were tried, best first.
pub(super) fn compared(trials: &Trials, all: &[Trial]) -> Vec<ComparedWay> {
    let mean = |trial: &Trial| trials.mean(&trial.logs) / LN_2;
    let Some(best) = best(trials, all) else { return Vec::new() };
    let mut ways: Vec<ComparedWay> = all
        .iter()
        .map(|trial| {
            let differ: Vec<f64> =
                best.logs.iter().zip(&trial.logs).map(|(a, b)| (a - b) / LN_2).collect();
            let behind = trials.mean(&differ);
            let squares: Vec<f64> = differ.iter().map(|d| (d - behind) * (d - behind)).collect();
            let error = (trials.mean(&squares) / differ.len() as f64).sqrt();
            let right: Vec<f64> = trial.right.iter().map(|&r| f64::from(u8::from(r))).collect();
            ComparedWay {
                way: trial.way.name().to_owned(),
                accuracy: trials.mean(&right),
                log2_likelihood: mean(trial),
                behind,
                error,
            }
        })
        .collect();
    // The sort is stable: among equals the simpler way goes first.
    ways.sort_by(|a, b| b.log2_likelihood.total_cmp(&a.log2_likelihood));
    ways
}

/// The trial of the greatest likelihood, the first one among equals.
pub(super) fn best<'t>(trials: &Trials, all: &'t [Trial]) -> Option<&'t Trial> {
    let mean = |trial: &Trial| trials.mean(&trial.logs);
    all.iter().reduce(|best, next| if mean(next) > mean(best) { next } else { best })
}

/// Everything that is known of the experts.
pub(super) fn of(
    names: &Names<'_>,
    rows: &Rows,
    settled: &Settled,
    compared: Vec<ComparedWay>,
    judging: Option<&Judging<'_>>,
    run: &Run<'_>,
) -> Result<LabelReport> {
    let (count, law) = (rows.experts(), &settled.law);
    let adds: Vec<Option<f64>> = match judging {
        None => vec![None; count],
        Some(Judging { trials, trial }) => {
            // What nothing looks at adds nothing, whatever those of single folds look at.
            let each = run.pool.map(count, |expert| {
                if !law.heeds(expert) {
                    return Ok(Some(0.0));
                }
                match trials.adds(trial, expert, run.stop) {
                    // That there was no time to measure it is no reason to lose the rest.
                    Err(Error::Stopped) => Ok(None),
                    adds => adds.map(Some),
                }
            });
            each.into_iter().collect::<Result<_>>()?
        }
    };
    let (same, named) = (twins(names, rows), Named::new(names.classes));
    let experts = (0..count).map(|expert| {
        let relevant = law.heeds(expert);
        // The first of those that say the same adds nothing only because the others do.
        let first = same.contains(&Some(expert));
        let idle = adds[expert].is_some_and(|adds| adds <= 0.0) && !first;
        let redundant = !relevant || same[expert].is_some() || idle;
        let same_as = same[expert].map(|twin| names.inputs.fields[twin].name.clone());
        let (accuracy, abstains) = shares(names, &named, rows, expert);
        ExpertReport {
            name: names.inputs.fields[expert].name.clone(),
            accuracy,
            abstains,
            relevant,
            adds: adds[expert],
            redundant,
            same_as,
            says: (0..rows.states[expert])
                .map(|state| Experts::name(names.inputs, expert, state).to_owned())
                .collect(),
            confusion: confusion(rows, expert),
        }
    });
    let graph = each(settled).find(|(way, _)| way.has_graph());
    Ok(LabelReport {
        way: settled.way.name().to_owned(),
        blended: blended(settled),
        left_out: settled.left_out.iter().map(left_out).collect(),
        compared,
        judged_rows: judging.map_or(0, |judging| judging.trials.judged.len()),
        experts: experts.collect(),
        arcs: graph.map_or(Vec::new(), |(way, law)| arcs(names, way, law)),
        arcs_of: graph.map(|(way, _)| way.name().to_owned()),
        confidence: Vec::new(),
        sources: each(settled).find_map(|(_, law)| sources(names, law)).unwrap_or_default(),
    })
}

/// What was settled on, the heaviest of a blend first.
fn each(settled: &Settled) -> impl Iterator<Item = (Way, &Law)> {
    let alone = match &settled.law {
        Law::Blend(_) => None,
        law => Some((settled.way, law)),
    };
    let mut blended: Vec<(f64, Way, &Law)> = match &settled.law {
        Law::Blend(blend) => {
            let ways = settled.blended.iter().map(|(way, _)| *way);
            blend.laws().zip(ways).map(|((weight, law), way)| (weight, way, law)).collect()
        }
        _ => Vec::new(),
    };
    // The sort is stable: among equals the simpler way goes first.
    blended.sort_by(|a, b| b.0.total_cmp(&a.0));
    alone.into_iter().chain(blended.into_iter().map(|(_, way, law)| (way, law)))
}

fn blended(settled: &Settled) -> Vec<BlendedWay> {
    let weight = |wanted: Way| settled.blended.iter().find(|(way, _)| *way == wanted);
    let one = |(way, _): (Way, &Law)| {
        weight(way).map(|(way, weight)| BlendedWay { way: way.name().to_owned(), weight: *weight })
    };
    each(settled).filter_map(one).collect()
}

fn left_out((way, error): &(Way, Error)) -> LeftOutWay {
    LeftOutWay { way: way.name().to_owned(), why: error.to_string() }
}

/// For each expert the first one before it that says the same of every row.
fn twins(names: &Names<'_>, rows: &Rows) -> Vec<Option<usize>> {
    let count = rows.experts();
    let said = |row: usize, expert: usize| {
        let levels = names.inputs.fields[expert].levels();
        levels.get(rows.row(row)[expert] as usize)
    };
    let same = |a: usize, b: usize| (0..rows.len()).all(|row| said(row, a) == said(row, b));
    (0..count).map(|b| (0..b).find(|&a| same(a, b))).collect()
}

/// How often its labels are right, and how often it abstains. Labels that are no classes are not
/// right or wrong: what they are a vote for was learnt from the same rows.
fn shares(names: &Names<'_>, named: &Named<'_>, rows: &Rows, expert: usize) -> (Option<f64>, f64) {
    let (mut right, mut votes, mut silent, mut all) = (0.0, 0.0, 0.0, 0.0);
    let levels = names.inputs.fields[expert].levels();
    let classes = levels.iter().all(|level| named.class(level).is_some());
    let labels = levels.len();
    for row in 0..rows.len() {
        let (state, weight) = (rows.row(row)[expert], rows.weights[row]);
        all += weight;
        if state == MISSING || state as usize >= labels {
            silent += weight;
        }
        if let Some(class) = names.experts.vote(expert, state) {
            votes += weight;
            if class == rows.labels[row] as usize {
                right += weight;
            }
        }
    }
    ((classes && votes > 0.0).then(|| right / votes), silent / all)
}

fn confusion(rows: &Rows, expert: usize) -> Vec<Vec<f64>> {
    let mut table = vec![vec![0.0; rows.states[expert]]; rows.classes];
    for row in 0..rows.len() {
        let state = rows.row(row)[expert];
        if state != MISSING {
            table[rows.labels[row] as usize][state as usize] += rows.weights[row];
        }
    }
    table
}

/// What depends on what.
fn arcs(names: &Names<'_>, way: Way, law: &Law) -> Vec<[String; 2]> {
    let name = |expert: u32| names.inputs.fields[expert as usize].name.clone();
    match law {
        Law::Network(law) => {
            let all = law.network().names();
            let named = |(a, b): (u32, u32)| [a, b].map(|node| all[node as usize].clone());
            law.network().dag().arcs().into_iter().map(named).collect()
        }
        Law::Factors(law) if way.has_graph() => {
            let each = law.each.iter().flat_map(|factor| {
                let class = [names.target.to_owned(), name(factor.expert)];
                let others = factor.parents.iter().map(|&p| [name(p), name(factor.expert)]);
                [class].into_iter().chain(others).collect::<Vec<_>>()
            });
            each.collect()
        }
        _ => Vec::new(),
    }
}

fn sources(names: &Names<'_>, law: &Law) -> Option<Vec<Vec<CopiedExpert>>> {
    let Law::Sources(sources) = law else { return None };
    let copied = |shared: Shared| CopiedExpert {
        name: names.inputs.fields[shared.expert as usize].name.clone(),
        copied: shared.rate,
        gain: shared.worth.gain,
        error: shared.worth.error,
    };
    Some(sources.shared().map(|group| group.into_iter().map(copied).collect()).collect())
}
