//! Programs in Python: one that is the built-in network, and those that fail in every way.

use evocracy::classify::Fitted;
use evocracy::committee::{HardKind, Soften};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Dataset, Encoding};
use evocracy::error::Result;
use evocracy::method::Method;
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Stop};
use evocracy::sample::{AbcMlp, Program};
use evocracy_external::Command;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn command(text: &str, limit: f64) -> Command {
    Command::new(text, Duration::from_secs_f64(limit)).expect("a command")
}

fn ripley() -> Dataset {
    Catalogue::embedded().open("ripley-synth:train", &Load::default()).expect("an embedded set")
}

fn train(kind: HardKind, with: &AbcMlp, data: &Dataset, threads: usize) -> Result<Model> {
    let (stop, pool) = (Stop::new(), Pool::new(threads)?);
    let method = Soften { kind, with: with.clone() };
    let run = Run::new(3, &stop, &pool);
    let Fitted { model, .. } = method.train_encoded(Encoding::Dense, &data.task()?, &run)?;
    Ok(model)
}

/// The example in Python gives the chain of the built-in network, sample by sample.
#[test]
fn the_example_in_python_gives_the_chain_of_the_built_in_network() -> Result<()> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hard_mlp.py");
    let program = command(&format!("python3 '{}' 7", script.display()), 30.0);
    let data = ripley();
    let with = AbcMlp::default().samples(19).chains(1).steps(4).lambda(4.0).width(4.0);
    let own = train(HardKind::Mlp, &with, &data, 1)?;
    let other = train(HardKind::Program(Arc::new(program.clone())), &with, &data, 2)?;
    let samples = |model: &Model| model.chain().expect("a chain").parts()[0].values.clone();
    assert_eq!(samples(&own), samples(&other));
    let answers = own.proba(data.features())?;
    assert_eq!(answers.values(), other.proba(data.features())?.values());
    // A saved model holds no command.
    let bytes = other.to_bytes()?;
    assert!(!bytes.windows(6).any(|part| part == b"python"));
    let loaded = Model::from_bytes(&bytes)?;
    let error = loaded.proba(data.features()).unwrap_err();
    assert!(error.to_string().contains("never holds a command"), "{error}");
    let given = loaded.with_program(Arc::new(program))?;
    assert_eq!(answers.values(), given.proba(data.features())?.values());
    assert!(own.with_program(Arc::new(command("true", 1.0))).is_err());
    Ok(())
}

/// What is said of a program that answers each line by `body`, which may use `asked` and `count`.
fn failure(body: &str, limit: f64) -> String {
    let script = format!(
        "import sys, json, time, os\ncount = 0\nfor line in sys.stdin:\n    asked = json.loads(line)\n    count += 1\n    n = 250\n    if 'rows' in asked:\n        print(json.dumps({{'rows': n, 'parameters': 2}}), flush=True)\n        continue\n    {body}\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.py");
    std::fs::write(&path, script).expect("the folder takes it");
    let program = command(&format!("python3 '{}'", path.display()), limit);
    let data = ripley();
    let mut session = program.open(data.features()).expect("it knows the table");
    for _ in 0..3 {
        if let Err(error) = session.labels(&[1.0, 2.0]) {
            return error.to_string();
        }
    }
    String::new()
}

#[test]
fn crashes_hangs_wrong_counts_and_non_labels_are_told() {
    let crash = failure("sys.stderr.write('no licence\\n'); sys.exit(3)", 20.0);
    assert!(crash.contains("ended") && crash.contains("no licence"), "{crash}");
    // The limit holds for the start of the program too, which is slow on a busy machine.
    let hang = failure("time.sleep(60)", 4.5);
    assert!(hang.contains("did not answer within 4.5 s"), "{hang}");
    let few = failure("print(json.dumps({'labels': '01'}), flush=True)", 20.0);
    assert!(few.contains("2 labels for 250 rows"), "{few}");
    let odd = failure("print(json.dumps({'labels': '7' * n}), flush=True)", 20.0);
    assert!(odd.contains("`7` for row 0"), "{odd}");
    let quoted = failure("print(json.dumps({'error': 'too hot'}), flush=True)", 20.0);
    assert!(quoted.contains("too hot"), "{quoted}");
    // A line too many, at once or late.
    for pause in ["0", "0.002"] {
        let body = "print(json.dumps({'labels': '0' * n}), flush=True)";
        let twice = failure(&format!("{body}; time.sleep({pause}); {body}"), 20.0);
        assert!(twice.contains("more than one"), "{pause}: {twice}");
    }
    assert!(command("no-such-program-here", 1.0).open(ripley().features()).is_err());
    assert!(Command::new("a 'b", Duration::from_secs(1)).is_err());
}

/// A program that ends now and then is started again and told the table again.
#[test]
fn a_program_that_ends_is_started_again() {
    let body = "print(json.dumps({'labels': '01' * (n // 2)}), flush=True)\n    sys.exit(0)";
    assert_eq!(failure(body, 20.0), "");
}

/// A line too many that comes between two questions, late in the life of a process, is not taken for
/// the answer to the second: the process is ended, and another one asked.
#[test]
fn a_late_line_is_not_the_answer_to_the_next_question() -> Result<()> {
    let script = "import sys, json, time, os\ncount = 0\nfor line in sys.stdin:\n    asked = json.loads(line)\n    count += 1\n    if 'rows' in asked:\n        print(json.dumps({'rows': 250, 'parameters': 1}), flush=True)\n        continue\n    answer = json.dumps({'labels': '01'[asked['parameters'][0] > 0] * 250})\n    print(answer, flush=True)\n    if count == 5 and not os.path.exists(sys.argv[1]):\n        open(sys.argv[1], 'w').close()\n        time.sleep(0.01)\n        print(answer, flush=True)\n";
    let folder = tempfile::tempdir().expect("a folder");
    let (path, once) = (folder.path().join("program.py"), folder.path().join("once"));
    std::fs::write(&path, script).expect("the folder takes it");
    let program = command(&format!("python3 '{}' '{}'", path.display(), once.display()), 20.0);
    let data = ripley();
    let mut session = program.open(data.features())?;
    for at in 0..10 {
        let sign = if at % 2 == 0 { 1.0 } else { -1.0 };
        assert!(session.labels(&[sign])?.iter().all(|yes| *yes == (sign > 0.0)), "{at}");
        // The line that comes late is there before the next question.
        std::thread::sleep(Duration::from_millis(if at == 3 { 500 } else { 0 }));
    }
    assert!(once.exists());
    assert_eq!(program.restarts(), 1);
    Ok(())
}
