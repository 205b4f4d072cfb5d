//! Fewer points for the same picture.

/// A point of the unit square: false positive rate, true positive rate.
pub(crate) type Rates = (f64, f64);

/// At most `most` (at least 4) points of a curve.
///
/// A curve that has no more corners than that keeps all of them. A longer one is followed in
/// steps of `2 / (most - 2)`, measured along the sides of the square: the whole way from corner
/// to corner is 2, and no point left out is farther than one step from one that is kept, which
/// for 2000 points is half a pixel of a picture 500 pixels wide. A curve that is too long for
/// that, such as a jagged one of precision, keeps the first, lowest, highest and last point of
/// each of `most / 4` columns.
pub(crate) fn thin(points: impl IntoIterator<Item = Rates>, most: usize) -> Vec<Rates> {
    let mut corners: Vec<Rates> = Vec::new();
    for (x, y) in points {
        if x.is_nan() || y.is_nan() {
            continue;
        }
        let p = (x.clamp(0.0, 1.0), y.clamp(0.0, 1.0));
        if let [.., a, b] = corners[..]
            && straight(a, b, p)
        {
            corners.pop();
        }
        corners.push(p);
    }
    let most = most.max(4);
    let mut step = 2.0 / (most - 2) as f64;
    if corners.len() <= most {
        return corners;
    }
    let mut kept = stride(&corners, step);
    if kept.len() > most {
        kept = columns(&corners, most / 4);
    }
    // A line that goes to and fro sideways as well; of no curve.
    while kept.len() > most {
        step *= 2.0;
        kept = stride(&kept, step);
    }
    kept
}

/// Whether `b` lies on a side of the square's grid between `a` and `c`. Exact, and only along
/// the axes: a test with a tolerance would let a slow bend drift away.
fn straight(a: Rates, b: Rates, c: Rates) -> bool {
    let between = |a: f64, b: f64, c: f64| (a <= b && b <= c) || (c <= b && b <= a);
    (a.0 == b.0 && b.0 == c.0 && between(a.1, b.1, c.1))
        || (a.1 == b.1 && b.1 == c.1 && between(a.0, b.0, c.0))
}

fn stride(points: &[Rates], step: f64) -> Vec<Rates> {
    let mut kept: Vec<Rates> = Vec::new();
    for &p in points {
        if kept.last().is_none_or(|k| (p.0 - k.0).abs() + (p.1 - k.1).abs() >= step) {
            kept.push(p);
        }
    }
    match (kept.last(), points.last()) {
        (Some(k), Some(&last)) if *k != last => kept.push(last),
        _ => {}
    }
    kept
}

/// The first, lowest, highest and last of all successive points in one of so many columns.
fn columns(points: &[Rates], count: usize) -> Vec<Rates> {
    let column = |p: &Rates| ((p.0 * count as f64) as usize).min(count - 1);
    let mut kept = Vec::new();
    for run in points.chunk_by(|a, b| column(a) == column(b)) {
        let ends = || run.iter().enumerate();
        let lowest = ends().min_by(|a, b| a.1.1.total_cmp(&b.1.1)).map(|(i, _)| i);
        let highest = ends().max_by(|a, b| a.1.1.total_cmp(&b.1.1)).map(|(i, _)| i);
        let mut chosen = vec![0, run.len() - 1];
        chosen.extend(lowest.into_iter().chain(highest));
        chosen.sort_unstable();
        chosen.dedup();
        kept.extend(chosen.into_iter().map(|i| run[i]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_stay_and_straight_runs_go() {
        let stairs = [(0.0, 0.0), (0.0, 0.2), (0.0, 0.5), (0.3, 0.5), (0.6, 0.5), (1.0, 1.0)];
        assert_eq!(thin(stairs, 100), [(0.0, 0.0), (0.0, 0.5), (0.6, 0.5), (1.0, 1.0)]);
        assert_eq!(thin([(f64::NAN, 0.0), (-1.0, 2.0)], 100), [(0.0, 1.0)]);
    }

    #[test]
    fn a_long_curve_keeps_its_shape_and_its_ends() {
        let n = 200_000;
        let curve: Vec<Rates> =
            (0..=n).map(|i| f64::from(i) / f64::from(n)).map(|x| (x, x.powf(0.2))).collect();
        let kept = thin(curve.iter().copied(), 2000);
        assert!(kept.len() <= 2000 && kept.len() > 900);
        assert_eq!((kept[0], kept[kept.len() - 1]), ((0.0, 0.0), (1.0, 1.0)));
        for (x, y) in curve.iter().step_by(97) {
            let near = kept.iter().map(|k| (k.0 - x).abs() + (k.1 - y).abs());
            assert!(near.fold(f64::INFINITY, f64::min) <= 2.0 / 1998.0);
        }
    }

    #[test]
    fn a_jagged_curve_keeps_its_height_everywhere() {
        let jagged = |i: u32| (f64::from(i) / 1e6, 0.4 + 0.2 * f64::from(i % 2));
        let kept = thin((0..1_000_000).map(jagged), 2000);
        assert!(kept.len() <= 2000 && kept.len() > 900, "{}", kept.len());
        for column in kept.chunk_by(|a, b| (a.0 * 500.0) as u32 == (b.0 * 500.0) as u32) {
            assert!(column.iter().any(|p| p.1 == 0.4) && column.iter().any(|p| p.1 > 0.59));
        }
    }

    #[test]
    fn even_noise_is_bounded() {
        let noise = (0..100_000u64).map(|i| {
            let x = i.wrapping_mul(6_364_136_223_846_793_005) >> 33;
            (x as f64 / (1u64 << 31) as f64, f64::from(u8::from(i % 2 == 0)))
        });
        assert!(thin(noise, 2000).len() <= 2000);
    }
}
