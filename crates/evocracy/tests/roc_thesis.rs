//! The examples of section 2.2 of A. R. J. Clark's thesis (Exeter, 2011) on points of our own.

use evocracy::measure::{
    Conditions, Confusion, Roc, attained_area, auc, hull, joined_area, unbeaten,
};

#[test]
fn figure_2_4_has_two_areas() {
    // Four classifiers, one of them beaten; by hand:
    let points = [(0.1, 0.4), (0.3, 0.7), (0.4, 0.6), (0.6, 0.9)];
    let rectangles = 0.2 * 0.4 + 0.3 * 0.7 + 0.4 * 0.9;
    let trapezia = 0.1 * 0.2 + 0.2 * 0.55 + 0.3 * 0.8 + 0.4 * 0.95;
    assert!((attained_area(&points).unwrap() - rectangles).abs() < 1e-15);
    assert!((joined_area(&points).unwrap() - trapezia).abs() < 1e-15);
    assert!(rectangles < trapezia);
    assert_eq!(unbeaten(&points).unwrap().len(), 3);
}

#[test]
fn more_points_bring_the_rectangles_near_the_trapezia() {
    let gap = |n: u32| {
        let at = |i: u32| f64::from(i) / f64::from(n);
        let points: Vec<_> = (0..=n).map(|i| (at(i), at(i).sqrt())).collect();
        joined_area(&points).unwrap() - attained_area(&points).unwrap()
    };
    assert!(gap(10) > gap(100) && gap(100) > gap(10_000) && gap(10_000) < 1e-4);
}

/// Equations (2.42) and (2.43), with the sum over the negatives that the misprint hides.
fn by_ranks(truth: &[bool], of_negative: &[f64]) -> f64 {
    let mut rows: Vec<usize> = (0..truth.len()).collect();
    rows.sort_by(|&a, &b| of_negative[a].total_cmp(&of_negative[b]));
    let ranks = (1..).zip(&rows).filter(|(_, row)| !truth[**row]).map(|(rank, _)| f64::from(rank));
    let negatives = truth.iter().filter(|t| !**t).count() as f64;
    let sum: f64 = ranks.sum();
    let pairs = negatives * (truth.len() as f64 - negatives);
    (sum - negatives * (negatives + 1.0) / 2.0) / pairs
}

#[test]
fn mann_whitney_equals_the_rectangles_only_without_ties() {
    let truth = [true, true, false, true, false, false, true, false];
    let scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2];
    let roc = Roc::new(&truth, &scores, None).unwrap();
    let of_negative = scores.map(|s| 1.0 - s);
    assert!((roc.auc() - by_ranks(&truth, &of_negative)).abs() < 1e-15);
    assert!((roc.auc() - roc.conservative_auc()).abs() < 1e-15);
    // One tie between the classes: half a pair apart.
    let tied = [0.9, 0.8, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2];
    let roc = Roc::new(&truth, &tied, None).unwrap();
    assert!((roc.auc() - roc.conservative_auc() - 0.5 / 16.0).abs() < 1e-15);
}

#[test]
fn table_2_1_shows_which_shapes_are_confused() {
    // Printed with true classes as columns: squares, stars, triangles.
    let columns = [[6, 4, 0], [4, 5, 1], [0, 1, 9]];
    let (mut truth, mut called) = (Vec::new(), Vec::new());
    for (t, column) in columns.iter().enumerate() {
        for (c, &count) in column.iter().enumerate() {
            truth.extend(vec![t as u32; count]);
            called.extend(vec![c as u32; count]);
        }
    }
    let confusion = Confusion::new(&truth, &called, 3, None).unwrap();
    assert_eq!((confusion.total(), confusion.accuracy()), (30.0, 20.0 / 30.0));
    assert_eq!((confusion.tpr(2), confusion.fpr(2)), (Some(0.9), Some(0.05)));
    assert_eq!((confusion.tpr(0), confusion.fpr(0)), (Some(0.6), Some(0.2)));
    // Triangles stand out; squares and stars do not.
    let area = |class| {
        let point = (confusion.fpr(class).unwrap(), confusion.tpr(class).unwrap());
        attained_area(&[point]).unwrap()
    };
    assert!((area(2) - 0.9 * 0.95).abs() < 1e-15 && area(0) < 0.5 && area(1) < 0.5);
}

#[test]
fn ninety_nine_percent_accuracy_can_be_worth_nothing() {
    let truth: Vec<bool> = (0..1000).map(|row| row < 10).collect();
    let labels: Vec<u32> = truth.iter().map(|&t| u32::from(t)).collect();
    let confusion = Confusion::new(&labels, &vec![0; 1000], 2, None).unwrap();
    assert_eq!(confusion.accuracy(), 0.99);
    assert_eq!((confusion.fpr(1), confusion.tpr(1)), (Some(0.0), Some(0.0)));
    assert_eq!(auc(&truth, &vec![0.0; 1000], None).unwrap(), 0.5);
    // Where missing one costs more than 99 alarms, calling all positive is cheaper.
    let cost = |miss| Conditions::new(1.0, miss, 0.01).unwrap();
    assert!(cost(98.0).cost(0.0, 0.0) < cost(98.0).cost(1.0, 1.0));
    assert!(cost(100.0).cost(0.0, 0.0) > cost(100.0).cost(1.0, 1.0));
}

#[test]
fn points_on_one_iso_performance_line_cost_the_same() {
    let conditions = Conditions::new(2.0, 3.0, 0.25).unwrap();
    let slope = conditions.slope().unwrap();
    assert!((slope - 0.75 * 2.0 / (0.25 * 3.0)).abs() < 1e-15);
    let (a, b) = ((0.1, 0.3), (0.3, 0.3 + 0.2 * slope));
    assert!((conditions.cost(a.0, a.1) - conditions.cost(b.0, b.1)).abs() < 1e-15);
    // A line more to the north-west is cheaper.
    assert!(conditions.cost(0.1, 0.35) < conditions.cost(0.1, 0.3));
    // (2.39) at equal classes is twice (2.40).
    let even = Conditions::new(2.0, 3.0, 0.5).unwrap();
    assert!((even.cost_of_rates(0.2, 0.7) - 2.0 * even.cost(0.2, 0.7)).abs() < 1e-15);
}

#[test]
fn the_corner_of_the_hull_changes_with_the_slope() {
    let points = [(0.1, 0.5), (0.4, 0.85), (0.3, 0.6)];
    let outer = hull(&points).unwrap();
    assert_eq!(outer, [(0.0, 0.0), (0.1, 0.5), (0.4, 0.85), (1.0, 1.0)]);
    let cheapest = |prior: f64| {
        let conditions = Conditions::new(1.0, 1.0, prior).unwrap();
        let cost = |p: &(f64, f64)| conditions.cost(p.0, p.1);
        outer.iter().copied().min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap()
    };
    // The slopes of the edges are 5, 7/6 and 1/4.
    assert_eq!(cheapest(0.1), (0.0, 0.0));
    assert_eq!(cheapest(0.4), (0.1, 0.5));
    assert_eq!(cheapest(0.7), (0.4, 0.85));
    assert_eq!(cheapest(0.9), (1.0, 1.0));
}
