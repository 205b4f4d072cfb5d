//! The multi-objective measures against moocore, pygmo, pymoo and plain formulas; see
//! `reference/pareto.py`.

use evocracy::error::Result;
use evocracy::evolve::pareto::{
    Attainment, Crowding, PointSet, Sorter, decide, generational_distance, hypervolume, igd_plus,
    spread,
};
use evocracy::evolve::problems::{Dtlz, Zdt};
use serde::Deserialize;

type Rows = Vec<Vec<f64>>;

#[derive(Deserialize)]
struct Reference {
    sorting: Vec<Sorting>,
    crowding: Vec<Crowded>,
    volumes: Vec<Dominated>,
    distances: Vec<Distances>,
    attainment: Attained,
    deciding: Vec<Deciding>,
    problems: Vec<Value>,
}

#[derive(Deserialize)]
struct Sorting {
    points: Rows,
    ranks: Vec<u32>,
}

#[derive(Deserialize)]
struct Crowded {
    points: Rows,
    distances: Vec<Option<f64>>,
}

#[derive(Deserialize)]
struct Dominated {
    points: Rows,
    reference: Vec<f64>,
    volume: f64,
}

#[derive(Deserialize)]
struct Distances {
    points: Rows,
    reference: Rows,
    gd: f64,
    igd_plus: f64,
    spread: f64,
}

#[derive(Deserialize)]
struct Attained {
    runs: Vec<Rows>,
    surfaces: Vec<Rows>,
}

#[derive(Deserialize)]
struct Deciding {
    points: Rows,
    pseudo_weights: Rows,
    wanted: Vec<f64>,
    chosen: usize,
    aspiration: Vec<f64>,
    weights: Vec<f64>,
    rho: f64,
    achievement: Vec<f64>,
    trade_off: Vec<f64>,
    bulge: Vec<f64>,
    gains: Option<Vec<Option<f64>>>,
}

#[derive(Deserialize)]
struct Value {
    name: String,
    x: Vec<f64>,
    values: Vec<f64>,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("reference/pareto.json")).expect("the reference")
}

fn near(found: f64, wanted: f64, what: &str) {
    let off = (found - wanted).abs() / wanted.abs().max(1.0);
    assert!(off < 1e-10, "{what}: {found} instead of {wanted}");
}

fn all_near(found: &[f64], wanted: &[f64], what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    found.iter().zip(wanted).for_each(|(found, wanted)| near(*found, *wanted, what));
}

#[test]
fn ranks_and_crowding() -> Result<()> {
    let reference = reference();
    let (mut sorter, mut crowding) = (Sorter::new(), Crowding::new());
    for case in &reference.sorting {
        assert_eq!(sorter.sort(&PointSet::minimised(&case.points)?), case.ranks);
    }
    for case in &reference.crowding {
        let points = PointSet::minimised(&case.points)?;
        let members: Vec<u32> = (0..points.len() as u32).collect();
        let found = crowding.measure(&points, &members);
        let wanted: Vec<f64> = case.distances.iter().map(|d| d.unwrap_or(f64::INFINITY)).collect();
        for (found, wanted) in found.iter().zip(wanted) {
            assert_eq!(found.is_infinite(), wanted.is_infinite());
            if wanted.is_finite() {
                near(*found, wanted, "crowding");
            }
        }
    }
    Ok(())
}

#[test]
fn volumes_and_distances() -> Result<()> {
    let reference = reference();
    for case in &reference.volumes {
        let found = hypervolume(&PointSet::minimised(&case.points)?, &case.reference)?;
        near(found, case.volume, "hypervolume");
    }
    for case in &reference.distances {
        let points = PointSet::minimised(&case.points)?;
        let front = PointSet::minimised(&case.reference)?;
        near(generational_distance(&points, &front)?, case.gd, "generational distance");
        near(igd_plus(&points, &front)?, case.igd_plus, "inverted distance");
        near(spread(&points, &front)?, case.spread, "spread");
    }
    // No gaps at all are even.
    let same = PointSet::minimised([[1.0, 2.0], [1.0, 2.0]])?;
    assert_eq!(spread(&same, &same)?, 0.0);
    Ok(())
}

#[test]
fn attainment_surfaces() -> Result<()> {
    let Attained { runs, surfaces } = reference().attainment;
    let sets = runs.iter().map(PointSet::minimised).collect::<Result<Vec<_>>>()?;
    let attainment = Attainment::new(sets)?;
    for (k, wanted) in surfaces.iter().enumerate() {
        let surface = attainment.surface(k + 1)?;
        let found: Rows = surface.rows().map(<[f64]>::to_vec).collect();
        assert_eq!(&found, wanted, "{}", k + 1);
        // Every corner is attained by so many runs at least, and nothing better is.
        for corner in &found {
            assert!(attainment.share(corner)? >= (k + 1) as f64 / 5.0);
            let better = [corner[0] - 1e-9, corner[1]];
            assert!(attainment.share(&better)? < (k + 1) as f64 / 5.0);
        }
    }
    assert!(attainment.surface(0).is_err() && attainment.surface(6).is_err());
    Ok(())
}

#[test]
fn decisions() -> Result<()> {
    for case in &reference().deciding {
        let front = PointSet::minimised(&case.points)?;
        let found = decide::pseudo_weights(&front)?.concat();
        all_near(&found, &case.pseudo_weights.concat(), "pseudo-weights");
        assert_eq!(decide::by_weights(&front, &case.wanted)?, case.chosen);
        let found = decide::achievement(&front, &case.aspiration, &case.weights, case.rho)?;
        all_near(&found, &case.achievement, "achievement");
        let endless = vec![f64::INFINITY; case.weights.len()];
        assert!(decide::achievement(&front, &endless, &case.weights, case.rho).is_err());
        all_near(&decide::trade_off(&front)?, &case.trade_off, "trade-off");
        all_near(&decide::bulge(&front)?, &case.bulge, "bulge");
        let Some(wanted) = &case.gains else {
            assert!(decide::performance_gain(&front).is_err());
            continue;
        };
        for (found, wanted) in decide::performance_gain(&front)?.iter().zip(wanted) {
            assert_eq!(found.is_some(), wanted.is_some());
            near(found.unwrap_or_default(), wanted.unwrap_or_default(), "gain");
        }
    }
    Ok(())
}

#[test]
fn problems() -> Result<()> {
    for case in &reference().problems {
        let (family, number) = case.name.split_at(case.name.len() - 1);
        let mut values = vec![0.0; case.values.len()];
        match (family, number) {
            ("zdt", "1") => values.copy_from_slice(&Zdt::One.value(&case.x)),
            ("zdt", "2") => values.copy_from_slice(&Zdt::Two.value(&case.x)),
            ("zdt", "3") => values.copy_from_slice(&Zdt::Three.value(&case.x)),
            ("zdt", "4") => values.copy_from_slice(&Zdt::Four.value(&case.x)),
            ("zdt", _) => values.copy_from_slice(&Zdt::Six.value(&case.x)),
            _ => {
                let number = number.parse().expect("a number");
                let problem = Dtlz::new(number, values.len())?;
                assert_eq!(problem.variables(), case.x.len());
                problem.value(&case.x, &mut values);
            }
        }
        all_near(&values, &case.values, &case.name);
    }
    Ok(())
}
