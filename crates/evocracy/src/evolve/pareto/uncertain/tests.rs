use super::super::testing::{KINDS, naive_front, random};
use super::*;
use crate::evolve::pareto::Archive;
use crate::evolve::{Goal, gauss};

fn sample(centre: [f64; 2], spread: f64, draws: usize, seed: u64) -> Result<PointSet> {
    let mut rng = rng(Seed::new(seed));
    let mut draw = || centre.map(|x| x + spread * gauss(&mut rng));
    PointSet::minimised((0..draws).map(|_| draw()).collect::<Vec<_>>())
}

/// Normal objectives: the chance to win one is that of a normal number of twice the variance,
/// and both are independent.
#[test]
fn normal_objectives_give_the_known_probability() -> Result<()> {
    let a = sample([0.0, 0.0], 1.0, 1500, 1)?;
    let b = sample([1.0, 0.5], 1.0, 1500, 2)?;
    // Phi(1 / sqrt 2) Phi(0.5 / sqrt 2), and their complements.
    let (first, second) = (0.760_249_938_9, 0.638_163_195_1);
    let found = probability(&a, &b, Pairing::Independent)?;
    assert!((found - first * second).abs() < 0.02, "{found}");
    let other = probability(&b, &a, Pairing::Independent)?;
    assert!((other - (1.0 - first) * (1.0 - second)).abs() < 0.02, "{other}");
    let paired = probability(&a, &b, Pairing::Paired)?;
    assert!((paired - first * second).abs() < 0.04, "{paired}");
    Ok(())
}

#[test]
fn noise_that_is_shared_cancels_in_pairs() -> Result<()> {
    let a = sample([0.0, 0.0], 1.0, 200, 1)?;
    let b = sample([0.1, 0.1], 1.0, 200, 1)?;
    assert_eq!(probability(&a, &b, Pairing::Paired)?, 1.0);
    assert_eq!(probability(&b, &a, Pairing::Paired)?, 0.0);
    assert!(probability(&a, &b, Pairing::Independent)? < 0.5);
    let few = sample([0.0, 0.0], 1.0, 3, 1)?;
    assert!(probability(&a, &few, Pairing::Paired).is_err());
    assert!(probability(&a, &few.select(&[]), Pairing::Independent).is_err());
    Ok(())
}

#[test]
fn replicates_spread_like_the_mean() -> Result<()> {
    let repeats = sample([3.0, 5.0], 1.0, 100, 4)?;
    let means = bootstrap(&repeats, 2000, Seed::new(1))?;
    let first: Vec<f64> = means.rows().map(|row| row[0]).collect();
    let mean = first.iter().sum::<f64>() / 2000.0;
    let sd = (first.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 1999.0).sqrt();
    assert!((mean - 3.0).abs() < 0.3 && (sd - 0.1).abs() < 0.03, "{mean} {sd}");
    assert_eq!(means, bootstrap(&repeats, 2000, Seed::new(1))?);
    let goals = [Goal::Maximise, Goal::Minimise];
    let turned = PointSet::from_rows(&goals, [[1.0, 2.0], [3.0, 2.0]])?;
    let means = bootstrap(&turned, 50, Seed::new(1))?;
    assert!((0..50).all(|at| (1.0..=3.0).contains(&means.point(at)[0])));
    let inf = f64::INFINITY;
    let undefined = PointSet::minimised([[inf], [-inf]])?;
    assert!(bootstrap(&undefined, 50, Seed::new(1)).is_err());
    Ok(())
}

/// With one draw each it is the plain archive, whatever the level, which keeps the first of equal
/// points.
#[test]
fn certain_objectives_make_it_the_plain_archive() -> Result<()> {
    for (kind, level) in KINDS.iter().flat_map(|&kind| [0.5, 0.9].map(|level| (kind, level))) {
        let points = random(kind, 120, 3, 1)?;
        let mut archive = UncertainArchive::new(points.goals(), level, Pairing::Independent)?;
        for at in 0..points.len() as u32 {
            archive.insert(points.select(&[at]), at)?;
        }
        let members: Vec<u32> = archive.iter().map(|member| member.payload).collect();
        assert_eq!(members, naive_front(&points, false), "{kind:?}");
        let mut plain = Archive::new(points.goals())?;
        for at in 0..points.len() as u32 {
            plain.insert(points.costs(at as usize), at)?;
        }
        let members_of_plain: Vec<u32> = plain.iter().map(|entry| *entry.payload).collect();
        assert_eq!(members, members_of_plain, "{kind:?}");
    }
    Ok(())
}

#[test]
fn the_same_draws_join_once() -> Result<()> {
    for pairing in [Pairing::Paired, Pairing::Independent] {
        let mut archive = UncertainArchive::new(&[Goal::Minimise; 2], 0.75, pairing)?;
        let first = sample([0.0, 0.0], 1.0, 20, 1)?;
        assert!(archive.insert(first.clone(), 1)?);
        assert!(!archive.insert(first.clone(), 2)?);
        // The same bounds and other draws between them are another solution.
        let mut order: Vec<u32> = (0..20).collect();
        order.reverse();
        assert!(archive.insert(first.select(&order), 3)?);
        assert_eq!(archive.iter().map(|kept| kept.payload).collect::<Vec<i32>>(), [1, 3]);
    }
    Ok(())
}

#[test]
fn members_never_likely_dominate_each_other_and_more_doubt_keeps_more() -> Result<()> {
    let mut kept = Vec::new();
    for level in [0.5, 0.75, 0.95] {
        let mut archive = UncertainArchive::new(&[Goal::Minimise; 2], level, Pairing::Paired)?;
        for seed in 0..80_u32 {
            let place = sample([0.0, 0.0], 1.0, 1, u64::from(seed))?;
            let centre = [place.costs(0)[0], place.costs(0)[1]];
            archive.insert(sample(centre, 0.5, 40, 100 + u64::from(seed))?, seed)?;
        }
        for a in archive.iter() {
            for b in archive.iter() {
                assert!(probability(&a.sample, &b.sample, Pairing::Paired)? <= level);
            }
        }
        let bytes = rmp_serde::to_vec(&archive).unwrap();
        let again: UncertainArchive<u32> = rmp_serde::from_slice(&bytes).unwrap();
        assert_eq!(rmp_serde::to_vec(&again).unwrap(), bytes);
        kept.push(archive.len());
    }
    assert!(kept[0] < kept[1] && kept[1] < kept[2], "{kept:?}");
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused() -> Result<()> {
    let goals = [Goal::Minimise; 2];
    for level in [0.4, 1.0, f64::NAN] {
        assert!(UncertainArchive::<()>::new(&goals, level, Pairing::Paired).is_err());
    }
    let mut archive = UncertainArchive::new(&goals, 0.5, Pairing::Paired)?;
    archive.insert(sample([0.0, 0.0], 1.0, 5, 1)?, ())?;
    assert!(archive.insert(sample([0.0, 0.0], 1.0, 6, 1)?, ()).is_err());
    assert!(archive.insert(PointSet::minimised([[1.0; 3]])?, ()).is_err());
    assert!(archive.insert(PointSet::new(&goals)?, ()).is_err());
    assert_eq!(archive.len(), 1);
    Ok(())
}
