use super::*;
use crate::evolve::{Problem, ScorePoints};
use crate::run::Seed;

fn value(problem: &impl Problem<Vec<f64>>, x: &[f64]) -> Result<Vec<f64>> {
    let mut out = ScorePoints::new(problem.goals().len());
    problem.score(&x.to_vec(), None, Seed::new(1), &mut out)?;
    Ok(out.flat().to_vec())
}

/// Figures by hand from the papers' formulas.
#[test]
fn values_by_hand() -> Result<()> {
    let near = |a: &[f64], b: &[f64]| {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{a} {b}"));
    };
    let mut x = vec![0.0; 30];
    x[0] = 0.25;
    near(&value(&Zdt::One, &x)?, &[0.25, 0.5]);
    near(&value(&Zdt::Two, &x)?, &[0.25, 0.9375]);
    near(&value(&Zdt::Three, &x)?, &[0.25, 0.25]);
    x[1..].fill(1.0);
    // g is 10.
    near(&value(&Zdt::One, &x)?, &[0.25, 10.0 * (1.0 - 0.025_f64.sqrt())]);
    let mut x = vec![0.0; 10];
    x[0] = 0.25;
    near(&value(&Zdt::Four, &x)?, &[0.25, 0.5]);
    x[1] = 0.25;
    // One bump at its top: g is 1 + 90 + 0.0625 + 10 - 80.
    near(&value(&Zdt::Four, &x)?, &[0.25, 21.0625 * (1.0 - (0.25_f64 / 21.0625).sqrt())]);
    near(&value(&Zdt::Six, &[0.0; 10])?, &[1.0, 0.0]);
    near(&value(&Dtlz::new(1, 3)?, &[0.5; 7])?, &[0.125, 0.125, 0.25]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    near(&value(&Dtlz::new(2, 3)?, &[0.5; 12])?, &[0.5, 0.5, half]);
    near(&value(&Dtlz::new(3, 3)?, &[0.5; 12])?, &[0.5, 0.5, half]);
    near(&value(&Dtlz::new(4, 3)?, &[0.5; 12])?, &[1.0, 0.0, 0.0]);
    near(&value(&Dtlz::new(7, 3)?, &[0.0; 22])?, &[0.0, 0.0, 6.0]);
    assert!(Dtlz::new(5, 3).is_err() && Dtlz::new(1, 1).is_err());
    // Too few variables, and fronts too large to list.
    assert!(value(&Dtlz::new(2, 3)?, &[0.5]).is_err() && value(&Zdt::One, &[]).is_err());
    assert!(Dtlz::new(7, 16)?.front(60).is_err() && Dtlz::new(7, 6)?.front(usize::MAX).is_err());
    Ok(())
}

/// On the distance variables' best values every point lies on the front that is claimed.
#[test]
fn fronts_are_where_the_distance_is_least() -> Result<()> {
    let near = |front: &PointSet, row: &[f64]| {
        let off =
            |other: &[f64]| other.iter().zip(row).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        front.rows().map(off).fold(f64::INFINITY, f64::min)
    };
    for zdt in [Zdt::One, Zdt::Two, Zdt::Four, Zdt::Six] {
        let front = zdt.front(2001)?;
        assert_eq!(front.len(), 2001);
        for i in 0..=20 {
            let mut x = vec![0.0; zdt.variables()];
            x[0] = f64::from(i) / 20.0;
            let row = value(&zdt, &x)?;
            // The first step of a root is steep.
            assert!(near(&front, &row) < 0.03, "{zdt:?} {row:?}");
        }
    }
    // The five pieces of the third, where the authors' figure has them.
    let third = Zdt::Three.front(20_001)?;
    let gaps = (1..third.len()).filter(|&i| third.costs(i)[0] - third.costs(i - 1)[0] > 0.05);
    assert_eq!(gaps.count(), 4);
    for number in [1, 2, 3, 4] {
        let dtlz = Dtlz::new(number, 3)?;
        let front = dtlz.front(40)?;
        assert_eq!(front.len(), 41 * 42 / 2);
        for row in front.rows() {
            let whole: f64 =
                if number == 1 { row.iter().sum() } else { row.iter().map(|x| x * x).sum() };
            assert!((whole - if number == 1 { 0.5 } else { 1.0 }).abs() < 1e-12);
        }
        let x: Vec<f64> = (0..dtlz.variables()).map(|i| if i < 2 { 0.3 } else { 0.5 }).collect();
        assert!(near(&front, &value(&dtlz, &x)?) < 0.03);
    }
    // With three objectives the seventh is in four pieces.
    let seventh = Dtlz::new(7, 3)?.front(60)?;
    let corner = |row: &[f64]| (row[0] > 0.4, row[1] > 0.4);
    let mut corners: Vec<_> = seventh.rows().map(corner).collect();
    corners.sort_unstable();
    corners.dedup();
    assert_eq!(corners.len(), 4);
    Ok(())
}
