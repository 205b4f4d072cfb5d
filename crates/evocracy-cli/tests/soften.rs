//! `evocracy soften` and what it saves.

mod common;

use common::Desk;
use serde_json::Value;

/// A program that calls a row positive where its second column is above its only parameter.
const PROGRAM: &str = r#"
import json, sys
rows = []
for line in sys.stdin:
    asked = json.loads(line)
    if "rows" in asked:
        rows = asked["rows"]
        answer = {"rows": len(rows), "parameters": 1}
        answer["priors"] = [{"normal": {"mean": 0.5, "sd": 0.5}}]
    else:
        at = asked["parameters"][0]
        answer = {"labels": "".join("1" if row[1] > at else "0" for row in rows)}
    print(json.dumps(answer), flush=True)
"#;

const SMALL: [&str; 10] =
    ["-p", "lambda=4", "-p", "width=4", "--samples", "76", "-p", "steps=40", "--chains", "2"];

fn json(desk: &Desk, args: &[&str]) -> Value {
    let ran = desk.run(args);
    assert_eq!(ran.code, 0, "{args:?}\n{}", ran.err);
    serde_json::from_str(&ran.out).expect("one JSON document")
}

#[test]
fn networks_are_softened_pruned_saved_and_used() {
    let desk = Desk::new();
    let asked =
        [&["soften", "ripley-synth", "--json", "--prune", "simplex", "-o", "m.evo"], &SMALL[..]];
    let found = json(&desk, &asked.concat());
    let area = found["test"]["auc"].as_f64().expect("an area");
    assert!(area > 0.93, "{area}");
    let pruned = &found["pruned"];
    assert!(pruned["after"].as_u64().unwrap() <= 60 && pruned["before"].as_u64().unwrap() > 60);
    assert!(found["mixing"][0]["acceptance"].as_f64().unwrap() > 0.0);
    let judged = json(&desk, &["evaluate", "m.evo", "ripley-synth:test", "--json"]);
    assert_eq!(judged["test"]["auc"].as_f64(), Some(area));
    let ran = desk.run(&["explain", "m.evo", "ripley-synth:test", "--row", "0"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // Samples that were weighted anew have no standard error; those of chains do.
    assert!(!ran.out.contains("standard error"), "{}", ran.out);
    let whole = [&["soften", "ripley-synth", "-o", "whole.evo"], &SMALL[..]].concat();
    assert_eq!(desk.run(&whole).code, 0);
    let ran = desk.run(&["explain", "whole.evo", "ripley-synth:test", "--row", "0"]);
    assert!(ran.out.contains("(standard error 0."), "{}", ran.out);
    for (classifier, least) in [("linear", 0.9), ("rules", 0.85)] {
        let asked = [&["soften", "ripley-synth", "--json", "--classifier", classifier], &SMALL[..]];
        let area = json(&desk, &asked.concat())["test"]["auc"].as_f64().unwrap();
        assert!(area > least, "{classifier}: {area}");
    }
}

#[test]
fn a_program_is_softened_and_its_model_holds_no_command() {
    let desk = Desk::new();
    desk.write("hard.py", PROGRAM);
    let command = "python3 hard.py";
    let asked =
        [&["soften", "ripley-synth", "--json", "--command", command, "-o", "m.evo"], &SMALL[..]];
    let found = json(&desk, &asked.concat());
    let area = found["test"]["auc"].as_f64().unwrap();
    assert!(area > 0.85, "{area}");
    let ran = desk.run(&["predict", "m.evo", "ripley-synth:test"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(
        ran.err.contains("never holds a command") && ran.err.contains("--command"),
        "{}",
        ran.err
    );
    let judged =
        json(&desk, &["evaluate", "m.evo", "ripley-synth:test", "--json", "--command", command]);
    assert_eq!(judged["test"]["auc"].as_f64(), Some(area));
    let ran = desk.run(&["predict", "m.evo", "ripley-synth:test", "--command", "no-such-program"]);
    assert!(ran.code == 1 && ran.err.contains("no-such-program"), "{}", ran.err);
    // The built-in classifiers take no program.
    let asked = [&["soften", "ripley-synth", "-o", "own.evo"], &SMALL[..]].concat();
    assert_eq!(desk.run(&asked).code, 0);
    let ran = desk.run(&["predict", "own.evo", "ripley-synth:test", "--command", command]);
    assert!(ran.code == 1 && ran.err.contains("not sampled from an external program"));
}

#[test]
fn a_run_that_is_repeated_in_its_folder_is_taken_as_finished() {
    let desk = Desk::new();
    let asked = [&["soften", "ripley-synth", "--json", "--resume", "parts"], &SMALL[..]].concat();
    let (first, second) = (json(&desk, &asked), json(&desk, &asked));
    assert_eq!(first["resumed_parts"].as_u64(), Some(0));
    assert!(second["resumed_parts"].as_u64().unwrap() > 0);
    assert_eq!(first["test"], second["test"]);
}

/// Another encoding is another run: nothing of the first is taken.
#[test]
fn parts_of_another_encoding_are_not_taken() {
    let desk = Desk::new();
    let with = |encoding: &str, folder: &[&str]| {
        let asked = ["soften", "ripley-synth", "--json", "--encode", encoding];
        json(&desk, &[&asked[..], folder, &SMALL[..]].concat())
    };
    let folder = ["--resume", "parts"];
    assert_eq!(with("dense", &folder)["resumed_parts"].as_u64(), Some(0));
    let bits = with("bits", &folder);
    assert_eq!(bits["resumed_parts"].as_u64(), Some(0));
    assert_eq!(bits["test"], with("bits", &[])["test"]);
    assert!(with("bits", &folder)["resumed_parts"].as_u64().unwrap() > 0);
}

#[test]
fn slips_are_told() {
    let desk = Desk::new();
    for (args, told) in [
        (vec!["--prune", "simplx"], "simplex"),
        (vec!["--sampler", "cost"], "costs"),
        (vec!["-p", "hiden=3"], "hidden"),
        (vec!["--command", "x", "--classifier", "mlp"], "--classifier"),
        (vec!["--time-limit", "3"], "--command"),
    ] {
        let ran = desk.run(&[&["soften", "ripley-synth"], &args[..]].concat());
        assert_ne!(ran.code, 0);
        assert!(ran.err.contains(told), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_machine_that_is_fitted_to_the_classes_is_warned_of() {
    let desk = Desk::new();
    let pruned = |how: &str| {
        let ran = desk.run(&[&["soften", "ripley-synth", "--prune", how], &SMALL[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("the AUC of `1` goes from"), "{}", ran.out);
        ran.err
    };
    assert!(pruned("rvm-classification").contains("over-fits"));
    assert!(!pruned("rvm").contains("over-fits"));
}

/// Of several classes the pruning tells one of them by name.
#[test]
fn pruning_several_classes_names_one() {
    let desk = Desk::new();
    let found =
        json(&desk, &[&["soften", "iris", "--json", "--prune", "top:19"], &SMALL[..]].concat());
    let class = found["pruned"]["class"].as_str().expect("a class");
    assert!(["setosa", "versicolor", "virginica"].contains(&class), "{class}");
    assert_eq!(found["pruned"]["after"].as_u64(), Some(57));
}

/// Both verbs say it, and name the class where each has chains of its own.
#[test]
fn chains_that_are_too_short_or_do_not_mix_are_told() {
    let desk = Desk::new();
    let short = |asked: &[&str]| {
        let ran =
            desk.run(&[asked, &["-p", "lambda=4", "-p", "width=4", "-p", "steps=5"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    };
    let ran = short(&["soften", "iris", "-p", "samples=76"]);
    assert!(ran.err.contains("chains of `setosa` of fewer than 20 samples each"), "{}", ran.err);
    assert!(ran.out.contains("`virginica`: 19 targets of 4 chains each"), "{}", ran.out);
    let ran = short(&["fit", "ripley-synth", "-m", "abc-mlp", "-p", "samples=76"]);
    assert!(ran.err.contains("too short to tell whether they have mixed"), "{}", ran.err);
    // Five proposals a sample move little.
    for verb in [&["soften", "ripley-synth"][..], &["fit", "ripley-synth", "-m", "abc-mlp"]] {
        let ran = short(verb);
        assert!(ran.err.contains("warning") && ran.err.contains("R-hat"), "{}", ran.err);
    }
}

#[test]
fn contours_are_drawn_over_two_columns() {
    let desk = Desk::new();
    let ran = desk.run(&[&["soften", "ripley-synth", "--plot", "c.svg"], &SMALL[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("The picture is in c.svg."), "{}", ran.out);
    let svg = desk.read("c.svg");
    assert!(svg.starts_with("<svg") && svg.contains("the probability of 1") && svg.contains("ys"));
    desk.line("soften iris --plot c.svg").fails(1, &["two columns of numbers"]);
    desk.line("soften ripley-synth --plot none/c.svg").fails(1, &["there is no folder `none`"]);
}

#[test]
fn the_best_of_every_cost_are_kept() {
    let desk = Desk::new();
    let pruned = |how: &str| {
        desk.run(&[&["soften", "ripley-synth", "--json", "--prune", how], &SMALL[..]].concat())
    };
    let found: Value = serde_json::from_str(&pruned("top:38").out).expect("one JSON document");
    assert!(found["pruned"]["after"].as_u64().unwrap() <= 38);
    assert!(found["test"]["auc"].as_f64().unwrap() > 0.93, "{}", found["test"]);
    assert!(found["test"]["brier"].as_f64().unwrap() < 0.1, "{}", found["test"]);
    pruned("top:5").fails(1, &["5 classifiers are fewer than the 19 costs"]);
    pruned("auc:0.5").fails(1, &["no probability", "top:N"]);
    assert_eq!(pruned("bmc").code, 0);
}

#[test]
fn restarts_are_counted_and_have_an_end() {
    let desk = Desk::new();
    let ending = |answers: u32| {
        let ending = format!(
            "    print(json.dumps(answer), flush=True)\n    asks = globals().get('asks', 0) + 1\n    if asks > {answers}:\n        sys.exit(7)\n"
        );
        desk.write(
            "ends.py",
            PROGRAM.replace("    print(json.dumps(answer), flush=True)\n", &ending),
        );
        let asked = ["soften", "ripley-synth", "--json", "--command", "python3 ends.py"];
        desk.run(&[&asked[..], &SMALL[..]].concat())
    };
    ending(1).fails(1, &["started again 5 times in a row", "exit status: 7"]);
    let ran = ending(1500);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).expect("one JSON document");
    assert!(found["restarts"].as_u64().unwrap() > 0, "{}", found["restarts"]);
    assert!(ran.err.contains("was started again"), "{}", ran.err);
}

/// Programs that do anything but what they are asked.
#[test]
fn hostile_programs_are_told() {
    let desk = Desk::new();
    for (command, told) in [
        ("no-such-program", "no-such-program"),
        ("true", "without an answer"),
        ("yes", "`y`"),
        (r#"sh -c 'read x; printf "\377\376\n"'"#, "UTF-8"),
        (r#"sh -c 'read x; echo "{\"rows\":1,\"parameters\":1}"'"#, "1 rows of 250"),
        (r#"sh -c 'read x; echo "{\"rows\":250,\"parameters\":NaN}"'"#, "NaN"),
        ("cat /dev/zero", "longer than"),
        ("sh -c 'echo no licence >&2; exit 3'", "no licence"),
        ("sh -c 'setsid sleep 5 & sleep 100'", "did not answer within 1 s"),
    ] {
        let limit = if told.starts_with("did not") { "1" } else { "60" };
        let asked = ["soften", "ripley-synth", "--time-limit", limit, "--command", command];
        let ran = desk.run(&[&asked[..], &SMALL[..]].concat());
        ran.fails(1, &[told]);
    }
}

#[test]
fn parameters_that_change_nothing_are_told() {
    let desk = Desk::new();
    let said = |args: &[&str]| {
        let asked = ["soften", "ripley-synth", "--samples", "40", "-p", "steps=5"];
        let ran = desk.run(&[&asked[..], args].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.err
    };
    let linear = ["--classifier", "linear", "-p", "width=3", "-p", "lambda=4", "--chains", "1"];
    let err = said(&linear);
    assert!(err.contains("`width` changes nothing") && !err.contains("`lambda`"), "{err}");
    let wide = ["-p", "epsilon=0.5", "-p", "levels=3", "--chains", "2"];
    let err = said(&[&["--sampler", "rejection"], &wide[..]].concat());
    for name in ["`levels`", "`chains`", "`steps`"] {
        assert!(err.contains(&format!("{name} changes nothing")), "{err}");
    }
    assert!(err.contains("sampled by rejection") && !err.contains("`epsilon`"), "{err}");
}

/// Draws are independent: how their blocks differ is a standard error.
#[test]
fn draws_of_the_prior_have_a_standard_error() {
    let desk = Desk::new();
    let asked = ["soften", "ripley-synth", "--json", "--sampler", "rejection"];
    let with = ["-p", "epsilon=0.5", "--samples", "200"];
    let found = json(&desk, &[&asked[..], &with].concat());
    // Of the mean of 200 calls it is 0.035 at most.
    let error = found["standard_error"].as_f64().expect("a standard error");
    assert!((0.005..0.045).contains(&error), "{error}");
    assert_eq!(found["mixing"][0]["chains"].as_u64(), Some(1));
}
