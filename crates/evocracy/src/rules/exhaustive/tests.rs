use super::cube::{ANY, buffer, code, digits, gather, rules, scatter};
use super::mixture::{Mixture, heaviest};
use super::rows::{Grouped, density, matching};
use super::*;
use crate::classify::{Classifier, Proba, Saved};
use crate::data::{Classes, Column, Field, Table, Target};
use crate::run::{Pool, Stop};
use proptest::prelude::*;

/// A table of bits, 2 for a missing one, and the classes of its rows.
pub(super) fn table(bits: usize, codes: &[u32]) -> Table {
    let fields = (0..bits).map(|bit| Field::number(format!("b{bit}"))).collect();
    let cell = |code: u32, bit: usize| match digits(code, bits).nth(bit) {
        Some(ANY) | None => f64::NAN,
        Some(digit) => f64::from(digit),
    };
    let column = |bit| Column::Number(codes.iter().map(|&code| cell(code, bit)).collect());
    Table::new(Schema { fields }, (0..bits).map(column).collect()).expect("a sound table")
}

fn classes(count: usize) -> Classes {
    Classes::new((0..count).map(|class| class.to_string()).collect()).expect("classes")
}

fn fit<L: Learner>(
    learner: &L,
    bits: usize,
    codes: &[u32],
    labels: &[u32],
    k: usize,
) -> Result<L::Model> {
    let (table, classes) = (table(bits, codes), classes(k));
    let target = Target::Class { codes: labels, classes: &classes };
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let task = Task::new(table.view(), "class", target, None)?;
    Ok(learner.fit(&task, &Run::new(1, &stop, &pool))?.model)
}

fn proba(model: &impl Classifier, bits: usize, codes: &[u32]) -> Result<Proba> {
    let mut out = Proba::new();
    model.proba_into(table(bits, codes).view(), &mut out)?;
    Ok(out)
}

/// Bits, and rows with missing values and a class among three.
fn cases() -> impl Strategy<Value = (usize, Vec<(u32, u32)>)> {
    (1..5_usize).prop_flat_map(|bits| {
        let row = (0..rules(bits) as u32, 0..3_u32);
        (Just(bits), prop::collection::vec(row, 2..12))
    })
}

fn grouped(rows: &[(u32, u32)]) -> Vec<Grouped> {
    let (codes, labels): (Vec<u32>, Vec<u32>) = rows.iter().copied().unzip();
    Grouped::by_class(&codes, &labels, &vec![1.0; rows.len()], 3)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-10 * a.abs().max(b.abs()).max(1e-12)
}

/// Equations (8) to (10) as they stand, every rule tried on every row.
fn naive(bits: usize, rows: &[(u32, u32)], prior: f64, passes: usize) -> Vec<Vec<f64>> {
    let count = rules(bits);
    let mut z = vec![1.0 / count as f64; count];
    let mut c = vec![vec![1.0 / 3.0; 3]; count];
    for _ in 0..passes {
        let mut counts = vec![vec![0.0; 3]; count];
        for &(row, class) in rows {
            let share = |j: usize| c[j][class as usize] * density(j as u32, row, bits) * z[j];
            let total: f64 = (0..count).map(share).sum();
            (0..count).for_each(|j| counts[j][class as usize] += share(j) / total);
        }
        for (j, counts) in counts.iter().enumerate() {
            let all: f64 = counts.iter().sum();
            z[j] = all / rows.len() as f64;
            let p_class = |n: &f64| (n + prior) / (all + 3.0 * prior);
            c[j] = counts.iter().map(p_class).map(|p| if p.is_nan() { 0.0 } else { p }).collect();
        }
    }
    (0..count).map(|j| c[j].iter().map(|p| z[j] * p).collect()).collect()
}

proptest! {
    /// Summing and spreading over shared beginnings is the same as trying all rules on all rows.
    #[test]
    fn sums_over_rules_are_those_of_a_naive_matcher(
        (bits, rows) in cases(), seed in 0..1000_u32,
    ) {
        let count = rules(bits);
        let weights: Vec<f64> = (0..count as u32).map(|j| f64::from((j * 7919 + seed) % 101)).collect();
        let mut codes: Vec<u32> = rows.iter().map(|(code, _)| *code).collect();
        codes.sort_unstable();
        codes.dedup();
        let mut found = vec![0.0; codes.len()];
        gather(&weights, &codes, &mut buffer(count), &mut found);
        let mut spread = vec![0.0; count];
        scatter(&found, &codes, &mut buffer(count), &mut spread);
        for (sum, &row) in found.iter().zip(&codes) {
            let expected: f64 =
                (0..count).map(|j| weights[j] * density(j as u32, row, bits)).sum();
            prop_assert!(close(*sum, expected), "{sum} is not {expected}");
            let mut listed = Vec::new();
            matching(row, bits, &mut listed);
            listed.sort_by_key(|(rule, _)| *rule);
            let all = (0..count as u32).map(|j| (j, density(j, row, bits)));
            let tried: Vec<(u32, f64)> = all.filter(|(_, density)| *density > 0.0).collect();
            prop_assert_eq!(listed, tried);
        }
        for (rule, sum) in spread.iter().enumerate() {
            let each = found.iter().zip(&codes);
            let expected: f64 = each.map(|(f, &row)| f * density(rule as u32, row, bits)).sum();
            prop_assert!(close(*sum, expected), "{sum} is not {expected}");
        }
    }

    #[test]
    fn passes_are_those_of_the_equations((bits, rows) in cases(), prior in 0..2_u32) {
        let prior = 0.5 * f64::from(prior);
        let grouped = grouped(&rows);
        let mut mixture = Mixture::new(bits, &grouped, prior);
        (0..4).for_each(|_| { mixture.pass(); });
        for (rule, expected) in naive(bits, &rows, prior, 4).iter().enumerate() {
            for (found, expected) in mixture.rule(rule as u32).iter().zip(expected) {
                prop_assert!(close(*found, *expected), "{found} is not {expected}");
            }
        }
    }

    #[test]
    fn the_likelihood_never_falls_and_probabilities_sum_to_one(
        (bits, rows) in cases(), prior in 0..2_u32,
    ) {
        let grouped = grouped(&rows);
        let mut mixture = Mixture::new(bits, &grouped, 0.5 * f64::from(prior));
        let mut last = f64::NEG_INFINITY;
        for _ in 0..60 {
            let found = mixture.pass();
            prop_assert!(found >= last - 1e-9 * last.abs(), "{found} after {last}");
            last = found;
            prop_assert!(close(mixture.rule_weights().iter().sum(), 1.0));
        }
        // All rows and classes together, equation (12).
        let joint = mixture.joint();
        let total: f64 = joint.iter().flatten().map(|log| log.exp()).sum();
        prop_assert!(close(total, 1.0), "{total}");
    }

    #[test]
    fn the_heaviest_rules_are_those_of_a_sorted_list(
        weights in prop::collection::vec(0.0..1.0_f64, 1..60), share in 0.01..0.99,
    ) {
        let mut sorted = weights.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let wanted = share * weights.iter().sum::<f64>();
        let sums = sorted.iter().scan(0.0, |sum, weight| { *sum += weight; Some(*sum) });
        let expected = sums.take_while(|sum| *sum < wanted - 1e-12).count() + 1;
        prop_assert_eq!(heaviest(weights, share), expected.min(sorted.len()));
    }

    /// Equation (13) is a distribution, (14) loses nothing, and chunks do not matter.
    #[test]
    fn a_stream_is_learnt_alike_in_chunks((bits, rows) in cases(), cut in 0..12_usize) {
        let (codes, labels): (Vec<u32>, Vec<u32>) = rows.iter().copied().unzip();
        let (table, classes) = (table(bits, &codes), classes(3));
        let ids: Vec<u32> = (0..codes.len() as u32).collect();
        let (head, tail) = ids.split_at(cut.min(ids.len()));
        let mut whole = MoeOnlineModel::start(table.schema(), &classes).with(0.2, 0.1);
        let mut parts = whole.clone();
        let weights = vec![1.5; codes.len()];
        whole.learn(table.view(), &labels, &weights).expect("bits");
        for part in [head, tail] {
            let labels: Vec<u32> = part.iter().map(|&row| labels[row as usize]).collect();
            parts.learn(table.view().with_rows(part), &labels, &weights[..part.len()]).expect("bits");
        }
        prop_assert_eq!(&whole, &parts);
        prop_assert!(close(whole.seen(), 1.5 * codes.len() as f64));
        for &code in &codes {
            for class in 0..3 {
                prop_assert!(close(whole.posterior(code, class), 1.0));
            }
        }
    }
}

/// xor of the first two of six bits on rows of a balanced sample; the others are to be called.
fn xor6() -> (Vec<u32>, Vec<u32>, Vec<u32>, Vec<u32>) {
    let (mut codes, mut labels, mut rest, mut truth) = (vec![], vec![], vec![], vec![]);
    for row in 0..64_usize {
        let code = (0..6).rev().fold(0, |code, place| 3 * code + (row >> place & 1) as u32);
        let class = (row >> 5 ^ row >> 4) as u32 & 1;
        // Three of four rows of each quarter.
        if (row.count_ones() + row as u32 / 3).is_multiple_of(4) {
            rest.push(code);
            truth.push(class);
        } else {
            codes.push(code);
            labels.push(class);
        }
    }
    (codes, labels, rest, truth)
}

/// After a thousand passes the general rules weigh next to nothing and still decide what no
/// training row is like.
#[test]
fn no_rule_is_lost_however_light() -> Result<()> {
    let (codes, labels, rest, truth) = xor6();
    let batch = MoeBatch::default().passes(1500).tolerance(0.0);
    let model = fit(&batch, 6, &codes, &labels, 2)?;
    let found = proba(&model, 6, &rest)?;
    let wrong = (0..rest.len()).filter(|&row| found.best(row) as u32 != truth[row]).count();
    assert_eq!(wrong, 0);
    assert!(model.monotone());
    let useful: Vec<u64> = model.useful().collect();
    assert_eq!((useful.len(), useful[0]), (1501, 693));
    assert!(useful[1500] < 200, "{}", useful[1500]);
    let online = MoeOnline::default().epochs(60);
    let found = proba(&fit(&online, 6, &codes, &labels, 2)?, 6, &rest)?;
    let wrong = (0..rest.len()).filter(|&row| found.best(row) as u32 != truth[row]).count();
    assert_eq!(wrong, 0);
    Ok(())
}

#[test]
fn missing_bits_are_summed_over_and_absent_classes_have_no_share() -> Result<()> {
    let (codes, labels) = ([0, 1, 3, 4, 4], [0, 0, 1, 1, 1]);
    let unknown = code([ANY, ANY]);
    let batch = fit(&MoeBatch::default(), 2, &codes, &labels, 3)?;
    let row = proba(&batch, 2, &[unknown, 0])?;
    for (found, share) in row.row(0).iter().zip([0.4, 0.6, 0.0]) {
        assert!(close(*found, share), "{found} is not {share}");
    }
    assert_eq!(row.row(1)[2], 0.0);
    let batch = fit(&MoeBatch::default().prior(0.5), 2, &codes, &labels, 3)?;
    assert!(proba(&batch, 2, &[0])?.row(0)[2] > 0.0);
    let online = fit(&MoeOnline::default(), 2, &codes, &labels, 3)?;
    let row = proba(&online, 2, &[unknown])?;
    assert!((row.row(0)[1] - 0.6).abs() < 0.01, "{row:?}");
    Ok(())
}

#[test]
fn rules_can_be_read() -> Result<()> {
    // The first of two bits is the class.
    let model = fit(&MoeBatch::default(), 2, &[0, 1, 3, 4], &[0, 0, 1, 1], 2)?;
    let inputs = table(2, &[0]).schema().clone();
    let book = model.rules(&inputs).expect("rules");
    let read: Vec<String> = book.rules.iter().map(|rule| rule.words(&inputs)).collect();
    assert!(read.contains(&"b0 is 0".to_owned()), "{read:?}");
    let rule = &book.rules[read.iter().position(|words| words == "b0 is 0").expect("the rule")];
    assert_eq!((&rule.says[..], rule.support), (&[1.0, 0.0][..], 2.0));
    assert!(book.rules.windows(2).all(|pair| pair[0].weight >= pair[1].weight));
    Ok(())
}

#[test]
fn what_cannot_be_learnt_is_refused_with_advice() {
    let codes = vec![0; 4];
    let labels = [0, 1, 0, 1];
    let many = fit(&MoeBatch::default(), 17, &codes, &labels, 2).unwrap_err();
    assert!(many.to_string().contains("17 bits have 3^17 rules"), "{many}");
    assert!(many.help().unwrap_or_default().contains("bits:2"));
    assert!(check_memory(16, Mixture::bytes(16, 2, 0.5), MOST_BYTES).is_ok());
    let many = fit(&MoeOnline::default(), 17, &codes, &labels, 2).unwrap_err();
    assert!(many.to_string().contains("3^17 rules"), "{many}");
    let wide = table(40, &[]);
    let mut online = MoeOnlineModel::start(wide.schema(), &classes(2));
    assert!(online.learn(wide.view(), &[], &[]).is_err());
    assert_eq!(online.size()[0], ("rules", 0));
    let narrow = table(2, &[0]);
    let fresh = MoeOnlineModel::start(narrow.schema(), &classes(2));
    let mut out = Proba::new();
    assert!(fresh.proba_into(narrow.view(), &mut out).is_err());
    let schema = Schema { fields: vec![Field::number("age")] };
    let table = Table::new(schema, vec![Column::Number(vec![0.0, 7.0])]).expect("a table");
    let error = rows::codes(table.view()).unwrap_err();
    assert!(error.to_string().contains("`age` does not hold bits"), "{error}");
}

#[test]
fn a_stream_finds_its_columns_by_name() -> Result<()> {
    let (straight, classes) = (table(2, &[code([0, 1])]), classes(2));
    let fields = straight.schema().fields.iter().rev().cloned().collect();
    let columns = vec![Column::Number(vec![1.0]), Column::Number(vec![0.0])];
    let turned = Table::new(Schema { fields }, columns)?;
    let mut models = [0; 2].map(|_| MoeOnlineModel::start(straight.schema(), &classes));
    models[0].learn(straight.view(), &[1], &[1.0])?;
    models[1].learn(turned.view(), &[1], &[1.0])?;
    assert_eq!(models[0], models[1]);
    assert!(models[0].learn(straight.view(), &[2], &[1.0]).is_err());
    assert!(models[0].learn(straight.view(), &[1], &[]).is_err());
    assert!(models[0].learn(straight.view(), &[1], &[f64::NAN]).is_err());
    Ok(())
}
