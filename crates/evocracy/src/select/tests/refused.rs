//! What cannot be done is said before it is begun.

use super::*;

fn said(samples: &Samples, by: &str, preparation: &Preparation, memory: u64) -> String {
    let selector = super::by(by);
    let selector = selector.as_ref();
    let halving = Halving { samples, selector, preparation, splits: 2, left_out: &[] };
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run { memory, ..Run::new(1, &stop, &pool) };
    let options = SelectOptions { permutations: 0, checks: false, ..SelectOptions::default() };
    select(&halving, options, &run).map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn memory_is_asked_for() {
    let spec = "gen:genes:rows=40:genes=10:informative=2:masked=0";
    let data = Catalogue::embedded().open(spec, &Load::default()).unwrap();
    let (few, plain) = (Samples::new(&data).unwrap(), Preparation::default());
    // A half is 10 columns of 20 samples, `ard` has three matrices of 20 x 20.
    let half = said(&few, "ard", &plain, 10 * 20 * 8 - 1);
    assert!(half.contains("a half of 10 columns would need"), "{half}");
    let matrices = said(&few, "ard", &plain, 3 * 20 * 20 * 8 - 1);
    assert!(matrices.contains("three matrices of 20 samples would need"), "{matrices}");
    assert_eq!(said(&few, "auc", &plain, 10 * 20 * 8), "");
    assert_eq!(said(&few, "ard", &plain, 3 * 20 * 20 * 8), "");
}

#[test]
fn cofactors_leave_something_to_explain() {
    let samples = small();
    let said = |preparation: &Preparation| said(&samples, "auc", preparation, u64::MAX);
    let adjust = |count: u32| Preparation { adjust: (0..count).collect(), ..Default::default() };
    assert_eq!(said(&adjust(17)), "");
    let many = said(&adjust(18));
    assert!(many.contains("18 columns to adjust for explain anything in halves of 20"), "{many}");
    let both = Preparation { offer: vec![3], ..adjust(5) };
    assert!(said(&both).contains("is offered, and others are adjusted"));
    let mut cells: Vec<f64> = (0..60).flat_map(|gene| samples.values(gene)).copied().collect();
    cells[40..80].fill(7.0);
    let (genes, names) = (samples.genes().to_vec(), samples.class_names().clone());
    let flat = Samples::of(genes, cells, samples.positive().to_vec(), names).unwrap();
    for preparation in [
        Preparation { force: vec![1], ..Preparation::default() },
        Preparation { adjust: vec![0, 1], ..Preparation::default() },
        Preparation { offer: vec![1], ..Preparation::default() },
    ] {
        let said = refused::said(&flat, "auc", &preparation, u64::MAX);
        assert!(said.contains("`g0002` has the same value, or none"), "{said}");
    }
}

#[test]
fn given_genes_are_all_looked_at() {
    let samples = small();
    let force = Preparation { force: vec![4], ..Preparation::default() };
    assert!(Given::new(vec![1, 4], &samples, &Preparation::default()).is_ok());
    let forced = Given::new(vec![1, 4], &samples, &force).unwrap_err().to_string();
    assert!(forced.contains("`g0005` is given, and others are adjusted for it"), "{forced}");
    let mut cells: Vec<f64> = (0..60).flat_map(|gene| samples.values(gene)).copied().collect();
    cells[..40].fill(f64::NAN);
    let (genes, names) = (samples.genes().to_vec(), samples.class_names().clone());
    let empty = Samples::of(genes, cells, samples.positive().to_vec(), names).unwrap();
    let missing = Given::new(vec![0], &empty, &Preparation::default()).unwrap_err().to_string();
    assert!(missing.contains("`g0001` has the same value, or none"), "{missing}");
}

#[test]
fn values_whose_squares_are_infinite_are_refused() {
    let samples = small();
    for value in [1.1e150, -1e200, f64::INFINITY] {
        let mut cells: Vec<f64> = (0..60).flat_map(|gene| samples.values(gene)).copied().collect();
        cells[2 * 40 + 7] = value;
        let (genes, names) = (samples.genes().to_vec(), samples.class_names().clone());
        let found = Samples::of(genes, cells, samples.positive().to_vec(), names);
        let said = found.unwrap_err().to_string();
        assert!(said.contains("the column `g0003` has the value"), "{said}");
    }
}
