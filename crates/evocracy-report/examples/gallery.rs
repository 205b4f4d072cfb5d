//! Draws every kind of picture with easy and with nasty data, to be looked at:
//! `cargo run -p evocracy-report --example gallery -- FOLDER`.

use evocracy::measure::{Interval, Point};
use evocracy_report::{
    Band, Bin, Confusion, NamedCurve, Options, PrCurve, PrecisionRecall, Ranks, Reliability, Theme,
    cd_svg, confusion_svg, pr_svg, reliability_svg, roc_svg,
};
use std::io::Result;
use std::path::PathBuf;

/// Where pictures go, each for a light and for a dark page.
struct Gallery(PathBuf);

impl Gallery {
    fn hang(&self, name: &str, title: &str, draw: impl Fn(&Options) -> String) -> Result<()> {
        for (theme, page) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            let subtitle = "wdbc, 143 held-out rows, positive class malignant".to_owned();
            let svg =
                draw(&Options { title: title.to_owned(), subtitle, theme, ..Options::default() });
            std::fs::write(self.0.join(format!("{name}-{page}.svg")), svg)?;
        }
        Ok(())
    }
}

const NAMES: [&str; 6] = [
    "forest",
    "stack:tree+mlp+(bag:knn)",
    "a committee with a name so long that no legend could ever hold it on a single line",
    "tree",
    "naive Bayes <with> \"marks\" & signs",
    "knn",
];

/// Repeatable noise from 0 to 1.
fn noise(i: usize) -> f64 {
    f64::from((i as u32).wrapping_mul(2_654_435_761) >> 8) / f64::from(1u32 << 24)
}

fn roc_points(power: f64, steps: usize) -> Vec<Point> {
    let mut tpr = 0.0_f64;
    let at = |i: usize| {
        let fpr = i as f64 / steps as f64;
        tpr = tpr.max((fpr.powf(power) + (noise(i) - 0.5) * 0.05).clamp(0.0, 1.0));
        Point { threshold: 1.0 - fpr, fpr, tpr: if i == 0 { 0.0 } else { tpr } }
    };
    let mut points: Vec<Point> = (0..steps).map(at).collect();
    points.push(Point { threshold: 0.0, fpr: 1.0, tpr: 1.0 });
    points
}

/// The corners of the convex hull.
fn upper_hull(points: &[Point]) -> Vec<(f64, f64)> {
    let mut hull: Vec<(f64, f64)> = Vec::new();
    for p in points.iter().map(|p| (p.fpr, p.tpr)) {
        while let [.., a, b] = hull[..]
            && (b.0 - a.0) * (p.1 - a.1) >= (p.0 - a.0) * (b.1 - a.1)
        {
            hull.pop();
        }
        hull.push(p);
    }
    hull
}

fn rocs(gallery: &Gallery) -> Result<()> {
    let points = roc_points(0.25, 60);
    let hull = upper_hull(&points);
    let best = points[points.iter().position(|p| p.fpr == hull[3].0).unwrap_or(0)];
    let shifted = |by: f64| {
        let point = move |p: &Point| (p.fpr, (p.tpr + by * (1.02 - p.tpr).sqrt()).clamp(0.0, 1.0));
        points.iter().map(point).collect::<Vec<_>>()
    };
    let (lower, upper) = (shifted(-0.25), shifted(0.12));
    let band = Band { lower: &lower, upper: &upper, label: "95 % confidence band".to_owned() };
    let curve = NamedCurve::plain("forest", &points)
        .interval(Interval { low: 0.72, high: 0.84, level: 0.95 })
        .mark(best, "threshold 0.31");
    let curve = NamedCurve { auc: Some(0.79), ..curve };
    let cost = "equal cost: FP 1, FN 2, prior 0.37";
    let full = curve.clone().hull(&hull).band(band.clone()).iso(1.6, cost);
    gallery.hang("roc-plain", "Is it malignant?", |o| roc_svg(std::slice::from_ref(&curve), o))?;
    gallery.hang("roc-full", "Is it malignant?", |o| roc_svg(std::slice::from_ref(&full), o))?;
    let steep = curve.clone().hull(&hull).mark(points[1], "few false alarms").iso(
        12.0,
        "equal cost: a false alarm costs a hundred thousand, a miss only one, prior 0.000 01",
    );
    gallery.hang("roc-steep", "Rare and cheap", |o| roc_svg(std::slice::from_ref(&steep), o))?;
    six_rocs(gallery, &hull, &band)?;
    gallery.hang("roc-none", "", |o| roc_svg(&[], o))
}

fn six_rocs(gallery: &Gallery, hull: &[(f64, f64)], band: &Band<'_>) -> Result<()> {
    let all: Vec<Vec<Point>> = (0..6).map(|i| roc_points(0.15 + 0.15 * f64::from(i), 80)).collect();
    let named = |i: usize| {
        let points = &all[i];
        let curve = NamedCurve::plain(NAMES[i], points);
        let curve = NamedCurve { auc: Some(0.95 - 0.08 * i as f64), ..curve };
        if i > 1 {
            return curve;
        }
        let iso = "equal cost: FP 1, FN 2, prior 0.37";
        curve.mark(points[10 + 20 * i], "best").iso(0.5, iso).hull(hull).band(band.clone())
    };
    let curves: Vec<NamedCurve<'_>> = (0..6).map(named).collect();
    gallery.hang("roc-six", "Six methods with a heading that is far too long for one line", |o| {
        roc_svg(&curves, o)
    })
}

fn prs(gallery: &Gallery) -> Result<()> {
    let curve = |power: i32, steps: usize| -> Vec<(f64, f64)> {
        let recall = |i: usize| i as f64 / steps as f64;
        let fall = |r: f64| 1.0 - 0.8 * r.powi(power);
        let wave = |i: usize| (noise(i) - 0.5) * 0.5 / (i as f64).sqrt();
        (1..=steps).map(|i| (recall(i), (fall(recall(i)) + wave(i)).clamp(0.0, 1.0))).collect()
    };
    let curves: Vec<Vec<(f64, f64)>> = [6, 4, 3, 2, 1, 1]
        .into_iter()
        .zip([40, 90, 20, 30, 60, 9])
        .map(|(p, s)| curve(p, s))
        .collect();
    let named = |i: usize| PrCurve {
        name: NAMES[i],
        points: &curves[i],
        average: Some(0.93 - 0.07 * i as f64),
        interval: (i < 3).then_some(Interval { low: 0.5, high: 0.9, level: 0.95 }),
        mark: (i == 1).then_some((0.7, 0.8, "threshold 0.5")),
    };
    let many: Vec<PrCurve<'_>> = (0..6).map(named).collect();
    for (name, curves, prevalence) in
        [("one", &many[1..2], 0.2), ("six", &many[..], 0.2), ("rare", &many[..1], 0.003)]
    {
        gallery.hang(&format!("pr-{name}"), "Is it malignant?", |o| {
            pr_svg(&PrecisionRecall { curves, prevalence: Some(prevalence) }, o)
        })?;
    }
    Ok(())
}

fn reliabilities(gallery: &Gallery) -> Result<()> {
    let bins = |count: usize, bend: f64, empty: &[usize]| -> Vec<Bin> {
        let bin = |i: usize| {
            let (from, to) = (i as f64 / count as f64, (i + 1) as f64 / count as f64);
            let mean = f64::midpoint(from, to);
            let rate = mean.powf(bend);
            let rows = if empty.contains(&i) {
                0.0
            } else {
                (900.0 * (mean - 0.45).powi(2) + 4.0).floor()
            };
            let half = 1.0 / rows.max(1.0).sqrt();
            let interval = Some(Interval {
                low: (rate - half * rate).max(0.0),
                high: (rate + half * (1.0 - rate)).min(1.0),
                level: 0.95,
            });
            Bin { from, to, rows, mean, rate, interval }
        };
        (0..count).map(bin).collect()
    };
    let (one, two, fine) = (bins(10, 1.6, &[4, 6]), bins(10, 0.9, &[]), bins(500, 1.2, &[]));
    let note = "ECE 0.081, slope 0.74, intercept -0.32";
    let tables = [
        Reliability { name: "forest", bins: &one, note },
        Reliability { name: NAMES[2], bins: &two, note: "ECE 0.02" },
        Reliability { name: "fine", bins: &fine, note },
    ];
    gallery.hang("rel-one", "Can it be believed?", |o| reliability_svg(&tables[..1], o))?;
    gallery.hang("rel-two", "Can it be believed?", |o| reliability_svg(&tables[..2], o))?;
    gallery.hang("rel-fine", "Can it be believed?", |o| reliability_svg(&tables[2..], o))
}

fn confusions(gallery: &Gallery) -> Result<()> {
    let long = |i: usize| {
        format!(
            "{} of species {i}",
            ["leaf", "an unusually long description", "Saxifraga_oppositifolia_subspecies"][i % 3]
        )
    };
    for (name, classes, rows, named) in [
        ("2", 2, 60.0, false),
        ("3-big", 3, 4e6, true),
        ("10", 10, 90.0, false),
        ("10-long", 10, 3000.0, true),
        ("25", 25, 400.0, false),
        ("25-long", 25, 2e5, true),
        ("60", 60, 50.0, false),
    ] {
        let at = |i: usize| {
            let (truth, called) = (i / classes, i % classes);
            let part = if truth == called { 1.0 } else { (noise(i) - 0.75).max(0.0) * 0.8 };
            (rows * part * (1.0 + noise(truth))).floor()
                * if truth == 1 && classes == 10 { 0.0 } else { 1.0 }
        };
        let counts: Vec<f64> = (0..classes * classes).map(at).collect();
        let names: Vec<String> =
            (0..classes).map(|i| if named { long(i) } else { format!("class {i}") }).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        gallery.hang(&format!("conf-{name}"), "What is called what", |o| {
            confusion_svg(&Confusion { classes: &names, counts: &counts }, o)
        })?;
    }
    Ok(())
}

fn differences(gallery: &Gallery) -> Result<()> {
    let five = [("tree", 3.9), ("forest", 1.6), ("knn", 3.2), ("mlp", 2.1), ("naive Bayes", 4.2)];
    let twelve: Vec<(&str, f64)> =
        (0..12).map(|i| (NAMES[i % 6], 2.0 + 8.5 * noise(i * 3 + 1))).collect();
    let same = [("a", 2.5), ("b", 2.5), ("c", 2.5), ("d", 2.5)];
    let two = [("tree", 1.6), ("forest", 1.4)];
    let many: Vec<(&str, f64)> = (0..60).map(|i| (NAMES[i % 6], 5.0 + 50.0 * noise(i))).collect();
    for (name, methods, critical) in [
        ("five", &five[..], 1.3),
        ("twelve", &twelve, 2.4),
        ("same", &same, 1.2),
        ("two", &two, 1.39),
        ("many", &many, 9.0),
        ("short", &twelve, 0.4),
    ] {
        gallery.hang(&format!("cd-{name}"), "Which method is better?", |o| {
            cd_svg(&Ranks { methods, critical: Some(critical) }, o)
        })?;
    }
    Ok(())
}

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| "gallery".into());
    let gallery = Gallery(folder.into());
    std::fs::create_dir_all(&gallery.0)?;
    rocs(&gallery)?;
    prs(&gallery)?;
    reliabilities(&gallery)?;
    confusions(&gallery)?;
    differences(&gallery)
}
