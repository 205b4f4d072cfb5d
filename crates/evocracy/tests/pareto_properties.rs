//! Sorting and archive against the plain definition of dominance, on millions of random points
//! with ties, duplicates, infinities and NaN.

use evocracy::error::Result;
use evocracy::evolve::Goal;
use evocracy::evolve::pareto::{Archive, Duplicates, Outcome, PointSet, Relation, Sorter};
use evocracy::run::Seed;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;

/// A random set with random goals, of one of the shapes that trouble a sorter or an archive.
fn draw(rng: &mut ChaCha8Rng, n: usize, objectives: usize) -> Result<PointSet> {
    let goal = |up: bool| if up { Goal::Maximise } else { Goal::Minimise };
    let goals: Vec<Goal> = (0..objectives).map(|_| goal(rng.random())).collect();
    let shape = rng.random_range(0..5);
    let mut points = PointSet::new(&goals)?;
    for i in 0..n {
        let mut row: Vec<f64> = (0..objectives).map(|_| rng.random()).collect();
        match shape {
            // All over, or on a coarse grid, or mostly near a plane, or sorted along one.
            0 => {}
            1 => row.iter_mut().for_each(|x| *x = (*x * 4.0).floor() - 1.0),
            2 => level(&mut row, &goals, 1.0),
            3 => {
                row[0] = i as f64 / n as f64;
                level(&mut row, &goals, 0.02);
            }
            _ => {
                for x in &mut row {
                    let special = [f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0];
                    *x = special.get((*x * 8.0) as usize).copied().unwrap_or(*x);
                }
            }
        }
        points.push(&row)?;
    }
    Ok(points)
}

/// Moves the last objective so that the costs sum to almost nothing.
fn level(row: &mut [f64], goals: &[Goal], noise: f64) {
    let cost = |x: f64, goal: Goal| if goal == Goal::Minimise { x } else { -x };
    let last = row.len() - 1;
    let rest: f64 = row[..last].iter().zip(goals).map(|(x, goal)| cost(*x, *goal)).sum();
    row[last] = cost(noise * row[last] * 0.1 - rest, goals[last]);
}

/// One more than the highest rank among the dominators. Whoever dominates comes earlier in
/// lexicographic order, so points meet their dominators first.
fn ranks_by_definition(points: &PointSet) -> Vec<u32> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (points.costs(a), points.costs(b));
        a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|c| c.is_ne()).unwrap_or(Ordering::Equal)
    });
    let mut ranks = vec![0; points.len()];
    for (i, &b) in order.iter().enumerate() {
        let above = order[..i].iter().filter(|&&a| points.relation(a, b) == Relation::Dominates);
        ranks[b] = above.map(|&a| ranks[a] + 1).max().unwrap_or(0);
    }
    ranks
}

#[test]
fn sorting_agrees_with_the_definition() -> Result<()> {
    let mut rng = Seed::new(1).rng();
    let mut sorter = Sorter::new();
    let mut seen = 0;
    while seen < 1_000_000 {
        let (n, objectives) = (rng.random_range(1..300), rng.random_range(1..8));
        let points = draw(&mut rng, n, objectives)?;
        assert_eq!(sorter.sort(&points), ranks_by_definition(&points), "{points:?}");
        seen += n;
    }
    Ok(())
}

/// The archive after each point of a set is compared with a list that is kept by the definition.
#[test]
fn the_archive_agrees_with_the_definition() -> Result<()> {
    let mut rng = Seed::new(2).rng();
    let mut seen = 0;
    while seen < 1_000_000 {
        let (n, objectives) = (rng.random_range(1..300), rng.random_range(1..7));
        let points = draw(&mut rng, n, objectives)?;
        let rule = [Duplicates::KeepFirst, Duplicates::KeepLast, Duplicates::KeepAll]
            [rng.random_range(0..3)];
        let mut archive = Archive::with_duplicates(points.goals(), rule)?;
        let mut list: Vec<u32> = Vec::new();
        for at in 0..n {
            let wanted = by_definition(&points, &mut list, at as u32, rule);
            let point = points.point(at);
            assert_eq!(archive.would_keep(&point)?, wanted.kept());
            assert_eq!(archive.insert(&point, at as u32)?, wanted);
            let mut hole = point.clone();
            hole[at % objectives] = f64::NAN;
            assert!(archive.insert(&hole, 0).is_err());
            assert_eq!(archive.len(), list.len());
        }
        let members: Vec<u32> = archive.iter().map(|entry| *entry.payload).collect();
        assert_eq!(members, list, "{rule:?} {points:?}");
        seen += n;
    }
    Ok(())
}

fn by_definition(points: &PointSet, list: &mut Vec<u32>, new: u32, rule: Duplicates) -> Outcome {
    let relation = |old: u32| points.relation(old as usize, new as usize);
    if list.iter().any(|&old| relation(old) == Relation::Dominates) {
        return Outcome::Dominated;
    }
    if rule == Duplicates::KeepFirst && list.iter().any(|&old| relation(old) == Relation::Equal) {
        return Outcome::Duplicate;
    }
    let before = list.len();
    list.retain(|&old| match relation(old) {
        Relation::Dominated => false,
        Relation::Equal => rule != Duplicates::KeepLast,
        _ => true,
    });
    let removed = before - list.len();
    list.push(new);
    Outcome::Kept { removed }
}
