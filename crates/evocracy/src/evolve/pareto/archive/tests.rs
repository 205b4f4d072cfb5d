use super::super::testing::{KINDS, PointKind, naive_front, random};
use super::*;

fn filled(points: &PointSet, duplicates: Duplicates) -> Result<Archive<u32>> {
    let mut archive = Archive::with_duplicates(points.goals(), duplicates)?;
    for at in 0..points.len() {
        archive.insert(&points.point(at), at as u32)?;
    }
    Ok(archive)
}

fn members(archive: &Archive<u32>) -> Vec<u32> {
    archive.iter().map(|entry| *entry.payload).collect()
}

#[test]
fn members_are_those_of_the_definition_in_their_order() -> Result<()> {
    for objectives in 1..=6 {
        for (kind, n) in KINDS.iter().flat_map(|&kind| [1, 2, 40, 600].map(|n| (kind, n))) {
            let points = random(kind, n, objectives, 7)?;
            let first = filled(&points, Duplicates::KeepFirst)?;
            assert_eq!(members(&first), naive_front(&points, false), "{kind:?} {n} {objectives}");
            assert_eq!(first.len(), first.iter().count());
            let all = filled(&points, Duplicates::KeepAll)?;
            assert_eq!(members(&all), naive_front(&points, true), "{kind:?} {n} {objectives}");
            assert_eq!(all.len(), all.iter().count());
        }
    }
    Ok(())
}

#[test]
fn the_last_of_equal_points_can_be_kept() -> Result<()> {
    let points = random(PointKind::Grid(4), 500, 3, 3)?;
    let last = members(&filled(&points, Duplicates::KeepLast)?);
    let all = naive_front(&points, true);
    let newest = |&&a: &&u32| {
        !all.iter().any(|&b| b > a && points.costs(b as usize) == points.costs(a as usize))
    };
    assert_eq!(last, all.iter().filter(newest).copied().collect::<Vec<_>>());
    Ok(())
}

#[test]
fn many_equal_points_leave_together() -> Result<()> {
    let mut archive = Archive::with_duplicates(&[Goal::Minimise; 2], Duplicates::KeepAll)?;
    for payload in 0..1000 {
        assert_eq!(archive.insert(&[1.0, 1.0], payload)?, Outcome::Kept { removed: 0 });
    }
    assert_eq!(archive.len(), 1000);
    assert_eq!(archive.insert(&[2.0, 1.0], 0)?, Outcome::Dominated);
    assert_eq!(archive.insert(&[0.0, 1.0], 7)?, Outcome::Kept { removed: 1000 });
    assert_eq!(members_of(&archive), [7]);
    Ok(())
}

fn members_of(archive: &Archive<i32>) -> Vec<i32> {
    archive.iter().map(|entry| *entry.payload).collect()
}

#[test]
fn nan_is_an_error_and_changes_nothing() -> Result<()> {
    let mut archive = Archive::new(&[Goal::Maximise, Goal::Minimise])?;
    archive.insert(&[1.0, 1.0], "a")?;
    for bad in [[f64::NAN, 0.0], [0.0, f64::NAN]] {
        assert!(archive.insert(&bad, "b").is_err());
        assert!(archive.would_keep(&bad).is_err());
    }
    assert!(archive.insert(&[1.0], "b").is_err());
    assert_eq!(archive.len(), 1);
    assert!(archive.would_keep(&[1.5, 2.0])?);
    assert!(!archive.would_keep(&[0.5, 1.0])?);
    assert!(!archive.would_keep(&[1.0, 1.0])?);
    let entry = archive.iter().next().unwrap();
    assert_eq!(archive.objectives(&entry), [1.0, 1.0]);
    assert!(Archive::<()>::new(&[Goal::Minimise; 7]).is_err());
    assert!(Archive::<()>::new(&[]).is_err());
    Ok(())
}

#[test]
fn infinite_objectives_have_their_place() -> Result<()> {
    let inf = f64::INFINITY;
    let mut archive = Archive::new(&[Goal::Minimise; 2])?;
    for i in 0..100 {
        archive.insert(&[f64::from(i), -f64::from(i)], i)?;
        archive.insert(&[inf, -inf], i)?;
        archive.insert(&[-inf, inf], i)?;
    }
    assert_eq!(archive.len(), 102);
    assert_eq!(archive.insert(&[-inf, -inf], 0)?, Outcome::Kept { removed: 102 });
    Ok(())
}

#[test]
fn saved_and_loaded_it_goes_on_as_before() -> Result<()> {
    let points = random(PointKind::Noisy, 800, 3, 5)?;
    let mut through = Archive::new(points.goals())?;
    let mut halfway: Archive<u32> = Archive::new(points.goals())?;
    for at in 0..points.len() {
        if at == 400 {
            let bytes = rmp_serde::to_vec(&halfway).unwrap();
            halfway = rmp_serde::from_slice(&bytes).unwrap();
        }
        let point = points.point(at);
        let outcome = through.insert(&point, at as u32)?;
        assert_eq!(halfway.insert(&point, at as u32)?, outcome);
    }
    assert_eq!(rmp_serde::to_vec(&through).unwrap(), rmp_serde::to_vec(&halfway).unwrap());
    // One that dominates all: they are handed over in the order in which they came.
    let came = members(&through);
    for archive in [&mut through, &mut halfway] {
        let mut gone = Vec::new();
        archive.exchange(&[-1.0; 3], 0, |payload| gone.push(payload))?;
        assert_eq!(gone, came);
    }
    Ok(())
}

#[test]
fn a_file_with_dominated_points_is_refused() {
    let text = |b: f64| {
        format!(
            r#"{{"goals":["minimise","minimise"],"duplicates":"keep-first","costs":[[1.0,1.0],[2.0,{b}]],"payloads":[1,2]}}"#
        )
    };
    assert!(serde_json::from_str::<Archive<i32>>(&text(0.5)).is_ok());
    assert!(serde_json::from_str::<Archive<i32>>(&text(1.0)).is_err());
    let few = text(0.5).replace("[1,2]", "[1]");
    assert!(serde_json::from_str::<Archive<i32>>(&few).is_err());
}
