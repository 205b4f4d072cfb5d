use super::reference::{Pair, best_of};
use super::subset::Projection;
use super::*;
use crate::evolve::{Space, below};
use crate::kernel::Kernel;
use crate::num::logit::logistic;
use crate::run::{Pool, Seed, Stop};
use rand::RngExt;

const SHAPE: Shape = Shape { kernel: Kernel::Gaussian, degree: 1 };

/// Two rings that overlap.
fn rings(rows: usize, seed: u64) -> Sample {
    let mut rng = Seed::new(seed).rng();
    let (mut x, mut y, mut targets) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        let angle = rng.random_range(0.0..std::f64::consts::TAU);
        let radius = if row % 2 == 0 { 0.6 } else { 1.3 } + rng.random_range(-0.6..0.6);
        x.push(radius * angle.cos());
        y.push(radius * angle.sin());
        targets.push(f64::from(u8::from(row % 2 == 0)));
    }
    let cells: Vec<f64> = [x, y].concat();
    let points = Arc::new(DenseRows::from_slice(&cells, rows).into_owned());
    Sample { points, targets, weights: None }
}

/// At the mode of kernel logistic regression the log-odds are `K (t - p) / penalty` and a bias: what
/// no part of the solver computes.
#[test]
fn the_reference_solves_kernel_logistic_regression() -> Result<()> {
    let sample = rings(80, 1);
    let smoothing = Smoothing { width: 0.8, penalty: 0.5 };
    let log_odds = reference(SHAPE, &sample, smoothing, &Stop::new())?;
    let rest: Vec<f64> =
        log_odds.iter().zip(&sample.targets).map(|(y, t)| (t - logistic(*y)) / 0.5).collect();
    let mut column = vec![0.0; 80];
    let mut sums = vec![0.0; 80];
    for (row, rest) in rest.iter().enumerate() {
        kernel_into(
            Kernel::Gaussian,
            1,
            &sample.points,
            0,
            &sample.points.row(row),
            0.8,
            &mut column,
        );
        add_scaled(&mut sums, *rest, &column);
    }
    let bias = log_odds[0] - sums[0];
    for (found, sum) in log_odds.iter().zip(&sums) {
        assert!((found - sum - bias).abs() < 2e-2, "{found} {sum} {bias}");
    }
    // The bias is free: residuals sum to nothing.
    assert!(rest.iter().sum::<f64>().abs() < 1e-2);
    Ok(())
}

#[test]
fn greedy_additions_take_the_best_basis_and_fits_are_projections() -> Result<()> {
    let sample = rings(60, 2);
    let smoothing = Smoothing { width: 0.7, penalty: 0.3 };
    let log_odds = reference(SHAPE, &sample, smoothing, &Stop::new())?;
    let dictionary = Dictionary {
        kernel: Kernel::Gaussian,
        degree: 1,
        widths: vec![0.7],
        bias: true,
        centres: 0,
    };
    let all: Vec<u32> = (0..60).collect();
    let design = Design::centred(&dictionary, &all, &sample.points, Keep::Stored, &Stop::new())?;
    let stop = Stop::new();
    let projection = Projection::new(&design, &log_odds, None, 8, &stop);
    let mut rng = rng(Seed::new(4));
    let path = projection.greedy(&mut rng);
    assert_eq!(path.len(), 9);
    // No other single basis has less weighted squares.
    let squares = |basis: u32| projection.squares_left(&[basis]);
    let first = squares(path[1][0]);
    assert!((1..61).all(|basis| squares(basis) >= first - 1e-9));
    // The divergence falls with the size and is 0 for the reference itself.
    let mut last = f64::INFINITY;
    for subset in &path {
        let (_, divergence) = projection.fit(subset, None)?;
        assert!(divergence >= 0.0 && divergence < last + 1e-9);
        last = divergence;
    }
    // Mutations stay subsets.
    let mut subset = path[3].clone();
    for _ in 0..500 {
        projection.mutate(&mut subset, &mut rng);
        projection.admit(&subset)?;
        if below(10, &mut rng) == 0 {
            subset = path[below(path.len(), &mut rng)].clone();
        }
    }
    Ok(())
}

#[test]
fn members_grow_and_come_nearer_and_the_search_beats_greed() -> Result<()> {
    let sample = rings(120, 3);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(5, &stop, &pool);
    let smoothing = Smoothing { width: 0.8, penalty: 0.2 };
    let log_odds = reference(SHAPE, &sample, smoothing, &stop)?;
    let evolved = |evaluations: u64| {
        let options = SoftOptions { shape: SHAPE, most: 12, centres: 0, evaluations };
        evolve(&sample, &log_odds, smoothing, &options, &run)
    };
    let (greedy, searched) = (evolved(1)?, evolved(600)?);
    for members in [&greedy, &searched] {
        assert!(members[0].terms.is_empty() && members.len() > 8);
        for pair in members.windows(2) {
            assert!(pair[0].terms.len() < pair[1].terms.len());
            assert!(pair[0].divergence > pair[1].divergence);
        }
    }
    let total = |members: &[SoftMember]| -> f64 {
        let front = SoftFront::new(SHAPE, members.to_vec(), &sample);
        (1..=12).map(|size| front.at_most(size).divergence).sum()
    };
    assert!(total(&searched) < 0.98 * total(&greedy));
    // What a member says is what was measured of it.
    let front = SoftFront::new(SHAPE, searched, &sample);
    let divergence = |member: &SoftMember| -> f64 {
        let q = front.log_odds(member, &sample.points);
        let one = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
        let rows = log_odds.iter().zip(&q);
        rows.map(|(p, q)| {
            let (p, q) = (logistic(*p), logistic(*q));
            one(p, q) + one(1.0 - p, 1.0 - q)
        })
        .sum()
    };
    for member in &front.members {
        assert!((divergence(member) - member.divergence).abs() < 1e-6 * (1.0 + member.divergence));
    }
    Ok(())
}

#[test]
fn a_wider_kernel_is_taken_where_it_is_not_clearly_worse() {
    let pairs: [Pair; 3] = [(0, 0, 1), (0, 0, 2), (0, 1, 2)];
    let penalties = SoftTuning::PENALTIES.len();
    let scores = |of: [[f64; 2]; 3]| {
        let mut all = vec![vec![[-100.0; 2]; 3]; penalties];
        all[2] = of.to_vec();
        all
    };
    let narrow = scores([[-1.0; 2]; 3]);
    let choose = |wide: [[f64; 2]; 3]| {
        best_of(&[(4.0, scores(wide)), (1.0, narrow.clone())], &pairs, 3, 1.0).width
    };
    // Worse in one fold and better in another: noise.
    assert_eq!(choose([[-0.5, -2.0], [-0.5, -1.0], [-2.0, -1.0]]), 4.0);
    // A little worse in all of them.
    assert_eq!(choose([[-1.1; 2]; 3]), 1.0);
    // Without a preference the best score is taken, however little it is better by.
    let wide = scores([[-0.5, -2.0], [-0.5, -1.0], [-2.0, -1.0]]);
    assert_eq!(best_of(&[(4.0, wide), (1.0, narrow)], &pairs, 3, 0.0).width, 1.0);
}
