//! Structure search on samples of published networks: ALARM (Beinlich et al. 1989), insurance,
//! hailfinder and ASIA, 10,000 rows each, `BDeu` with an equivalent sample of 10 rows.
//!
//! The true structure is known, and a tabu search that starts from it is what every search is held
//! against. Differences are in nats. K2 is given an order of the true structure, which the others
//! do not have; `hc` is plain hill climbing from no arcs, `tabu` the tabu search of the library from
//! no arcs, `printed` the genetic algorithm as the paper has it, with settings of ours where it
//! has none. The settings of `evobn` were chosen on other samples of ALARM.

use crate::sets::network;
use crate::{Compare, Experiment, Findings, Picture, Row};
use evocracy::error::Result;
use evocracy::evolve;
use evocracy::network::search::{Climb, Evobn, PrintedEvobn, climb, evobn, evobn_printed, k2};
use evocracy::network::{Constraints, Dag, Network, Score, Scorer};
use evocracy::run::Run;
use evocracy_report::{Graph, Options, network_svg};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "alarm",
    about: "structures of ALARM and other networks: EvoBN, K2, climbing, tabu (EvoBN paper, 3)",
    run,
};

const ROWS: usize = 10_000;
const SIZE: f64 = 10.0;

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let (samples, seeds) = if quick { (2, 1) } else { (5, 2) };
    let alarm = network("alarm")?;
    let task = run.task("samples", 4 * samples);
    let mut all = Vec::new();
    for sample in 0..samples {
        all.push(Sample::new(&alarm, &run.child("alarm", sample), seeds, sample < 2)?);
        task.watch.advance(1);
    }
    let column = |of: fn(&Sample) -> f64| all.iter().map(of).collect::<Vec<f64>>();
    let evolved: Vec<f64> = all.iter().flat_map(|sample| sample.evobn.clone()).collect();
    let least = all.iter().flat_map(|sample| sample.evobn.iter().map(|e| e - sample.from_truth));
    let least = least.fold(f64::INFINITY, f64::min);
    let printed: Vec<f64> = all.iter().filter_map(|sample| sample.printed).collect();
    let mut rows = vec![
        Row::new("evobn/above-tabu-from-truth", least, "nats").target(Compare::AtLeast(-1.0)),
        Row::mean("evobn/above-true", &evolved, "nats"),
        Row::mean("tabu/above-true", &column(|sample| sample.tabu), "nats"),
        Row::mean("k2/above-true", &column(|sample| sample.k2), "nats"),
        Row::mean("hc/above-true", &column(|sample| sample.climbed), "nats"),
        Row::mean("printed/above-true", &printed, "nats"),
    ];
    for name in ["hailfinder", "insurance", "asia"] {
        let other = network(name)?;
        let mut above = Vec::new();
        for sample in 0..samples {
            let found = Sample::new(&other, &run.child(name, sample), 1, false)?;
            let against = if name == "asia" { found.from_truth } else { found.tabu };
            above.push(found.evobn[0] - against);
            task.watch.advance(1);
        }
        rows.push(match name {
            "asia" => Row::mean("asia/evobn/above-tabu-from-truth", &above, "nats")
                .target(Compare::AtLeast(-1.0)),
            // EvoBN begins with this tabu search, so that 0 would not be above it.
            _ => Row::mean(format!("{name}/evobn/above-tabu"), &above, "nats")
                .target(Compare::AtLeast(1.0)),
        });
    }
    let pictures = all.first().map(|sample| picture(&alarm, &sample.best)).into_iter().collect();
    Ok(Findings { rows, pictures })
}

/// What the searches reach on one sample, above the true structure.
struct Sample {
    evobn: Vec<f64>,
    from_truth: f64,
    tabu: f64,
    k2: f64,
    climbed: f64,
    printed: Option<f64>,
    best: Dag,
}

impl Sample {
    fn new(network: &Network, run: &Run<'_>, seeds: u64, printed: bool) -> Result<Self> {
        let data = network.sample(ROWS, &mut evolve::rng(run.seed.child("rows", 0)))?;
        let all = Constraints::default();
        let fresh = || Scorer::new(&data, Score::Bdeu(SIZE));
        let truth = fresh()?.total(network.dag());
        let climbed = |start: Option<&Dag>, how: &Climb| -> Result<f64> {
            Ok(climb(&fresh()?, &all, start, how, run)?.score - truth)
        };
        let mut evolved = Vec::new();
        let mut best = Dag::new(0);
        for seed in 0..seeds {
            let found = evobn(&fresh()?, &all, &Evobn::default(), &run.child("evobn", seed))?;
            evolved.push(found.score - truth);
            best = found.dag;
        }
        let genetic = || evobn_printed(&fresh()?, &all, &PrintedEvobn::default(), run);
        Ok(Self {
            evobn: evolved,
            from_truth: climbed(Some(network.dag()), &Climb::tabu())?,
            tabu: climbed(None, &Climb::tabu())?,
            k2: k2(&fresh()?, &all, &network.dag().order(), run)?.score - truth,
            climbed: climbed(None, &Climb::greedy())?,
            printed: if printed { Some(genetic()?.score - truth) } else { None },
            best,
        })
    }
}

/// The structure that was found.
fn picture(network: &Network, found: &Dag) -> Picture {
    let names = network.names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let graph = Graph { names: &names, arcs: &found.arcs(), ..Graph::default() };
    let options = Options {
        title: "ALARM, learnt from 10,000 rows".into(),
        subtitle: "EvoBN, BDeu with an equivalent sample of 10 rows".into(),
        ..Options::default()
    };
    Picture { name: "alarm.svg", svg: network_svg(&graph, &options) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::same_on_any_threads;

    #[test]
    fn the_small_version_holds() -> Result<()> {
        if std::env::var_os("EVOCRACY_DATA").is_none() {
            assert!(std::env::var_os("EVOCRACY_REQUIRE_DATA").is_none(), "no EVOCRACY_DATA");
            return Ok(());
        }
        let measured = same_on_any_threads(&EXPERIMENT)?;
        assert!(measured.rows.iter().all(|row| row.ok != Some(false)), "{measured:#?}");
        assert_eq!(measured.pictures.len(), 1);
        Ok(())
    }
}
