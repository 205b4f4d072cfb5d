use super::population::{Breeding, JointPopulation, extent};
use super::*;
use crate::classify::{Classifier, Online, Proba, Saved};
use crate::data::catalogue::{Catalogue, Load};
use crate::data::{Column, Dataset, Field, Schema, Table};
use crate::num::bits::has;
use crate::rules::condition::LiteralRows;
use crate::run::{Pool, Seed, Stop};
use proptest::prelude::*;

fn open(spec: &str) -> Dataset {
    Catalogue::embedded().open(spec, &Load::default()).expect(spec)
}

fn fit(params: &MoeJoint, data: &Dataset) -> Result<MoeJointModel> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    Ok(params.fit(&data.task()?, &Run::new(1, &stop, &pool))?.model)
}

fn accuracy(model: &MoeJointModel, data: &Dataset) -> Result<f64> {
    let mut proba = Proba::new();
    model.proba_into(data.features(), &mut proba)?;
    let codes = data.codes().expect("classes");
    let right = (0..proba.rows()).filter(|&row| proba.best(row) as u32 == codes[row]).count();
    Ok(right as f64 / proba.rows() as f64)
}

/// Numerosities, differing conditions, and shares that make up whole rows.
fn check(population: &JointPopulation, size: u64) {
    assert!(population.copies() <= size);
    assert!(population.experts.iter().all(|expert| expert.copies > 0));
    assert_eq!(population.conditions.len(), population.experts.len());
    for a in 0..population.experts.len() {
        let condition = population.conditions.condition(a);
        let same =
            (0..population.experts.len()).filter(|&b| population.conditions.is(b, &condition));
        assert_eq!(same.count(), 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_books_are_kept_row_by_row(
        seed in 0..1000_u64, size in 2..40_usize, niche in any::<bool>(), severity in 0..40_u32,
    ) {
        let data = open("gen:xor:bits=5:k=2:rows=120");
        let task = data.task().expect("a task");
        let (_, labels) = task.labels().expect("classes");
        let parents = if niche { Parents::Niche } else { Parents::Population };
        let params = MoeJoint::default().size(size).every(3).mutation(0.1).parents(parents)
            .severity(f64::from(severity)).trust(20.0);
        let layout = Layout::of_view(task.features, &vec![1.0; labels.len()], 8).unwrap();
        let rows = LiteralRows::new(&layout, task.features);
        let mut population =
            JointPopulation::new(Breeding::new(&params), 2, layout.words(), Seed::new(seed));
        for (row, &label) in rows.each().zip(&labels) {
            let before: f64 = population.experts.iter().flat_map(|e| &e.sums).sum();
            let (count, bred) = (population.copies(), population.bred);
            population.learn_row(&layout, row, label as usize, 1.0);
            if population.bred == bred && count < size as u64 {
                // Nothing was deleted: the shares of the row add up to it.
                let after: f64 = population.experts.iter().flat_map(|e| &e.sums).sum();
                prop_assert!((after - before - 1.0).abs() < 1e-9, "{before} {after}");
            }
            check(&population, size as u64);
        }
        prop_assert_eq!(population.weight(), labels.len() as f64);
    }

    #[test]
    fn a_stream_is_learnt_alike_in_chunks(cut in 0..200_usize) {
        let data = open("gen:multiplexer:size=6:rows=200");
        let task = data.task().expect("a task");
        let (classes, labels) = task.labels().expect("classes");
        let schema = Schema { fields: task.features.fields().cloned().collect() };
        let weights = vec![1.0; labels.len()];
        let ids: Vec<u32> = (0..labels.len() as u32).collect();
        let (head, tail) = ids.split_at(cut);
        let mut whole = MoeJointModel::start(&schema, classes);
        let mut parts = whole.clone();
        whole.learn(task.features, &labels, &weights).expect("levels");
        for part in [head, tail] {
            let labels: Vec<u32> = part.iter().map(|&row| labels[row as usize]).collect();
            parts.learn(task.features.with_rows(part), &labels, &weights[..part.len()]).expect("levels");
        }
        prop_assert_eq!(whole, parts);
    }
}

/// Over all rows there can be, the density of a rule adds up to 1: equation (6) for levels too.
#[test]
fn densities_are_densities() {
    let data = open("car");
    let task = data.task().expect("a task");
    let layout = Layout::of_view(task.features, &vec![1.0; task.rows()], 8).unwrap();
    let rows = LiteralRows::new(&layout, task.features);
    let mut population =
        JointPopulation::new(Breeding::new(&MoeJoint::default()), 4, layout.words(), Seed::new(3));
    for _ in 0..20 {
        population.time += 1;
        population.cover(&layout, rows.row(77 * population.time as usize));
    }
    // car has every combination of its levels once.
    let mut sums = vec![0.0; population.experts.len()];
    for row in rows.each() {
        for (at, extent) in population.extents(&layout, row) {
            sums[at as usize] += (-extent).exp2();
        }
    }
    assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-9), "{sums:?}");
    // A missing value is summed over: it has the factor 1.
    let mut row = rows.row(77).to_vec();
    let condition = population.conditions.condition(0);
    layout.span(0).for_each(|l| row[l / 64] &= !(1 << (l % 64)));
    let known = population.extents(&layout, rows.row(77))[0];
    let missing = population.extents(&layout, &row)[0];
    let allowed = layout.span(0).filter(|&l| !has(&condition, l)).count() as f64;
    assert_eq!((known.0, missing.0), (0, 0));
    assert!(((known.1 - missing.1).exp2() - allowed).abs() < 1e-9);
    assert!(extent(&layout, &condition) >= 0.0);
}

#[test]
fn it_learns_the_multiplexer_and_rows_without_a_rule_get_the_shares() -> Result<()> {
    let data = open("gen:multiplexer:size=6:rows=1000");
    let model = fit(&MoeJoint::default().size(200).epochs(30), &data)?;
    let right = accuracy(&model, &data)?;
    assert!(right > 0.95, "{right}");
    assert!(model.numerosity() <= 200 && model.macro_count() as u64 <= model.numerosity());
    let book = model.rules(data.table().schema()).expect("rules");
    assert_eq!(book.rules.iter().map(|rule| rule.numerosity).sum::<u64>(), model.numerosity());

    // Two rows, rules that test everything: any other row has no rule.
    let schema = Schema { fields: vec![Field::nominal("a", ["x", "y", "z"]), Field::number("b")] };
    let columns = vec![Column::Nominal(vec![0, 1, 2]), Column::Number(vec![0.0, 1.0, 1.0])];
    let table = Table::new(schema.clone(), columns)?;
    let classes = data.classes().expect("classes").clone();
    let mut model = MoeJointModel::new(
        &MoeJoint::default().wild(0.0),
        (schema.clone(), Layout::of_bits(&schema)),
        &classes,
        Seed::new(1),
    );
    let mut proba = Proba::new();
    model.proba_into(table.view(), &mut proba)?;
    assert_eq!(proba.row(2), [0.5, 0.5]);
    model.learn(table.view().with_rows(&[0, 0, 1]), &[0, 0, 1], &[1.0, 2.0, 1.0])?;
    model.proba_into(table.view(), &mut proba)?;
    assert_eq!(proba.row(2), [0.75, 0.25]);
    assert!(proba.row(0)[0] > 0.9 && proba.row(1)[1] > 0.9);
    assert!((model.unmatched(table.view())? - 1.0 / 3.0).abs() < 1e-12);
    let explained = model.explain(table.view(), 2)?;
    assert!(explained.parts[0].because.contains("no rule applies"));
    assert_eq!(explained.rebuild(), [0.75, 0.25]);
    Ok(())
}

#[test]
fn a_stream_finds_its_columns_by_name_and_takes_bits_only() -> Result<()> {
    let schema = Schema { fields: vec![Field::nominal("a", ["x", "y"]), Field::number("b")] };
    let table = |level: Vec<u32>, bit: Vec<f64>| {
        Table::new(schema.clone(), vec![Column::Nominal(level), Column::Number(bit)])
    };
    let classes = crate::data::Classes::new(vec!["no".into(), "yes".into()])?;
    let turned = Schema { fields: vec![Field::number("b"), Field::nominal("a", ["y", "x", "z"])] };
    // The levels have other codes there, and `z` was not announced.
    let columns = vec![Column::Number(vec![0.0, 1.0, 1.0]), Column::Nominal(vec![1, 0, 2])];
    let turned = Table::new(turned, columns)?;
    let straight = table(vec![0, 1, crate::data::MISSING], vec![0.0, 1.0, 1.0])?;
    let mut models = [0; 2].map(|_| MoeJointModel::start(&schema, &classes));
    models[0].learn(straight.view(), &[0, 1, 1], &[1.0; 3])?;
    models[1].learn(turned.view(), &[0, 1, 1], &[1.0; 3])?;
    assert_eq!(models[0], models[1]);
    assert!(models[0].learn(straight.view(), &[0, 1, 2], &[1.0; 3]).is_err());
    let refused = models[0].learn(table(vec![0], vec![0.7])?.view(), &[0], &[1.0]);
    assert!(refused.unwrap_err().to_string().contains("`b` does not hold bits"));
    Ok(())
}

/// Over so many bits `2^-#` is below the smallest number there is.
#[test]
fn thousands_of_bits_are_no_obstacle() -> Result<()> {
    let data = open("gen:xor:bits=1500:k=1:rows=60");
    let model = fit(&MoeJoint::default().epochs(3), &data)?;
    let mut proba = Proba::new();
    model.proba_into(data.features(), &mut proba)?;
    for row in 0..proba.rows() {
        assert!((proba.row(row).iter().sum::<f64>() - 1.0).abs() < 1e-9, "{:?}", proba.row(row));
    }
    let schema = Schema { fields: data.features().fields().cloned().collect() };
    assert!(model.check(&schema).is_ok());
    Ok(())
}
