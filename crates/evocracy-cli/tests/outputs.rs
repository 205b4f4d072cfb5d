//! Results never destroy what a command reads.

mod common;

use common::{Desk, Ran};
use std::process::Stdio;

fn desk() -> Desk {
    let desk = Desk::new();
    let mut table = "x,class\n".to_owned();
    (0..40).for_each(|row| table += &format!("{row},{}\n", if row % 2 == 0 { "a" } else { "b" }));
    desk.write("t.csv", table);
    desk
}

#[test]
fn an_output_over_an_input_is_refused_and_the_input_stays() {
    let desk = desk();
    desk.json("fit t.csv --out m.evo --json");
    let (table, model) = (desk.read("t.csv"), std::fs::read(desk.path("m.evo")).expect("saved"));
    desk.write("costs.csv", "true,a,b\na,0,1\nb,5,0\n");
    let costs = desk.read("costs.csv");
    std::fs::hard_link(desk.path("t.csv"), desk.path("hard.csv")).expect("a link");
    for (line, said) in [
        ("fit t.csv --out t.csv", "both the data and --out"),
        ("fit t.csv --out hard.csv", "both the data and --out"),
        ("fit hard.csv --plot t.csv", "both the data and --plot"),
        ("predict m.evo t.csv --costs costs.csv --out costs.csv", "both --costs and --out"),
        ("evaluate m.evo t.csv --costs costs.csv --plot costs.csv", "both --costs and --plot"),
        ("fit t.csv --out ./t.csv", "both the data and --out"),
        ("fit t.csv --plot t.csv", "both the data and --plot"),
        ("fit iris --test t.csv --out t.csv", "both the test data and --out"),
        ("predict m.evo t.csv --out t.csv", "both the data and --out"),
        ("predict m.evo t.csv --out m.evo", "both the model and --out"),
        ("evaluate m.evo t.csv --plot m.evo", "both the model and --plot"),
        ("fit t.csv --out new --plot new", "both --out and --plot"),
    ] {
        desk.line(line).fails(1, &[said, "another name"]);
        assert_eq!(desk.read("t.csv"), table, "{line}");
        assert!(std::fs::read(desk.path("m.evo")).expect("saved") == model, "{line}");
        assert_eq!(desk.read("costs.csv"), costs, "{line}");
    }
    for (line, said) in [
        ("demo --plot t.csv", "pictures are SVG"),
        ("reproduce rvm --quick --page t.csv", "no name for a page"),
    ] {
        desk.line(line).fails(1, &[said]);
        assert_eq!(desk.read("t.csv"), table, "{line}");
    }
    assert!(!desk.path("new").exists());
    desk.json("fit iris --out iris --json");
}

#[cfg(unix)]
#[test]
fn predictions_never_take_the_place_of_a_device() {
    use std::os::unix::fs::FileTypeExt;
    let desk = desk();
    desk.json("fit t.csv --out m.evo --json");
    let place = desk.path("socket");
    let _socket = std::os::unix::net::UnixListener::bind(&place).expect("a socket");
    desk.line("predict m.evo t.csv --out socket").fails(1, &["not an ordinary file"]);
    assert!(std::fs::metadata(&place).expect("it is there").file_type().is_socket());
}

#[test]
fn pictures_of_an_experiment_are_written_where_they_are_asked_for() {
    let desk = desk();
    let json = desk.json("reproduce rvm --quick --json --pictures new/folder");
    let names = json["pictures"].as_array().expect("names");
    assert!(!names.is_empty());
    for name in names {
        let path = format!("new/folder/{}", name.as_str().expect("a name"));
        assert!(desk.read(&path).starts_with("<svg"), "{path}");
    }
    desk.line("reproduce rvm --quick --pictures t.csv").fails(1, &["cannot make `t.csv`"]);
    desk.line("reproduce --pictures here").fails(2, &["NAME"]);
    let ran = desk.line("reproduce homogeneous --quick --pictures here");
    assert!(ran.err.contains("homogeneous has no pictures"), "{}", ran.err);
}

#[test]
fn writers_of_one_file_do_not_mix_their_rows() {
    let desk = desk();
    desk.json("fit t.csv -m naive-bayes --out m.evo --json");
    let table = |shift: usize| {
        (0..20_000).fold("x\n".to_owned(), |text, row| text + &format!("{}\n", (row + shift) % 40))
    };
    let whole: Vec<String> = (0..2)
        .map(|shift| {
            desk.write(&format!("{shift}.csv"), table(shift));
            desk.line(&format!("predict m.evo {shift}.csv")).out
        })
        .collect();
    assert_ne!(whole[0], whole[1]);
    for _ in 0..6 {
        let line = |shift| ["predict", "m.evo", ["0.csv", "1.csv"][shift], "--out", "c.csv"];
        let start = |shift| {
            let mut command = desk.command(&line(shift));
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
        };
        for child in [start(0), start(1)] {
            let ran = Ran::from(child.wait_with_output().expect("it ends"));
            assert_eq!(ran.code, 0, "{}", ran.err);
        }
        assert!(whole.contains(&desk.read("c.csv")), "rows of both");
    }
    assert_eq!(desk.files(), ["0.csv", "1.csv", "c.csv", "m.evo", "t.csv"]);
}

#[test]
fn data_opened_by_name_is_not_written_over() {
    let desk = desk();
    std::fs::create_dir(desk.path("d")).expect("a folder");
    std::fs::rename(desk.path("t.csv"), desk.path("d/mine.csv")).expect("moved");
    let table = desk.read("d/mine.csv");
    for line in ["fit mine --out d/mine.csv", "fit mine --plot ./d/mine.csv"] {
        let words: Vec<&str> = line.split(' ').collect();
        let ran = desk.command(&words).env("EVOCRACY_DATA", desk.path("d")).output();
        Ran::from(ran.expect("it starts")).fails(1, &["both the data and --", "another name"]);
        assert_eq!(desk.read("d/mine.csv"), table);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_the_input_is_the_input() {
    let desk = desk();
    std::os::unix::fs::symlink("t.csv", desk.path("soft.csv")).expect("a link");
    std::os::unix::fs::symlink("soft.csv", desk.path("again.csv")).expect("a link");
    let table = desk.read("t.csv");
    for line in
        ["fit t.csv --out again.csv", "fit again.csv --out t.csv", "fit soft.csv --plot t.csv"]
    {
        desk.line(line).fails(1, &["both the data and --", "another name"]);
        assert_eq!(desk.read("t.csv"), table, "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_can_be_named_and_takes_a_picture() {
    let desk = desk();
    let ran = desk.line("fit t.csv --plot /dev/stdout --quiet");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("<svg") && ran.out.contains("</svg>"), "{}", ran.out);
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_whose_reader_has_left_is_said() {
    let desk = desk();
    // A model that a pipe cannot hold: it waits for its reader.
    let rows = (0..5000).map(|row| format!("{row},{},{},c{}\n", row * 7, row * 3, row % 2));
    desk.write("long.csv", format!("x,y,z,class\n{}", rows.collect::<String>()));
    let made = std::process::Command::new("mkfifo").arg(desk.path("fifo")).status();
    assert!(made.expect("a command of every Linux").success());
    let mut command = desk.command(&["fit", "long.csv", "-m", "knn", "--out", "fifo", "--quiet"]);
    let fit = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let fifo = desk.path("fifo");
    // The writer is there as soon as this is open.
    let reader = std::thread::spawn(move || drop(std::fs::File::open(fifo)));
    let ran = Ran::from(fit.wait_with_output().expect("it ends"));
    ran.fails(1, &["cannot write `fifo`", "Broken pipe"]);
    reader.join().expect("the reader has left");
}

#[cfg(unix)]
#[test]
fn a_private_file_stays_private_and_a_link_a_link() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk();
    let mode = |name: &str| {
        std::fs::metadata(desk.path(name)).expect("there").permissions().mode() & 0o777
    };
    for (line, name) in [
        ("fit t.csv --out m.evo --quiet", "m.evo"),
        ("fit t.csv --plot p.svg --quiet", "p.svg"),
        ("predict m.evo t.csv --out c.csv --quiet", "c.csv"),
    ] {
        assert_eq!(desk.line(line).code, 0, "{line}");
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(desk.path(name), private).expect("our own file");
        assert_eq!(desk.line(line).code, 0, "{line}");
        assert_eq!(mode(name), 0o600, "{line}");
    }
    std::os::unix::fs::symlink("m.evo", desk.path("link")).expect("a link");
    assert_eq!(desk.line("fit t.csv -m naive-bayes --out link --quiet").code, 0);
    assert!(std::fs::symlink_metadata(desk.path("link")).expect("there").is_symlink());
    assert_eq!(desk.json("show m.evo --json")["method"], "naive-bayes");
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_said() {
    let desk = desk();
    desk.json("fit t.csv --out m.evo --json");
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    for line in ["--help", "fit --help", "methods", "data list --json", "predict m.evo t.csv"] {
        let words: Vec<&str> = line.split(' ').collect();
        let ran = desk.command(&words).stdout(full()).output().expect("it starts");
        Ran::from(ran).fails(1, &["standard output"]);
    }
    for line in ["fit t.csv --out /dev/full", "fit t.csv --plot /dev/full"] {
        desk.line(line).fails(1, &["cannot write `/dev/full`"]);
    }
}

#[test]
fn what_cannot_be_written_or_drawn_is_refused_before_the_work() {
    let desk = desk();
    std::fs::create_dir(desk.path("folder")).expect("a folder");
    desk.json("fit t.csv --out m.evo --json");
    let files = desk.files();
    for (line, said) in [
        ("fit t.csv --out folder", "it is a folder"),
        ("fit t.csv --out m.csv", "no name for a model"),
        ("fit t.csv --plot p.txt", "pictures are SVG"),
        ("fit t.csv --target x --method ridge --plot p.svg --picture roc", "nothing to draw"),
        ("predict m.evo t.csv --out p.json", "they are CSV"),
        ("predict m.evo t.csv --out p.evo", "they are CSV"),
        ("evaluate m.evo t.csv --plot p.pdf", "pictures are SVG"),
    ] {
        // The words come before the method is looked for: nothing was trained.
        let line = line.replace("t.csv --plot p.txt", "t.csv -m nothing --plot p.txt");
        let ran = desk.line(&line);
        ran.fails(1, &[said]);
        assert!(ran.out.is_empty(), "{line}: {}", ran.out);
        assert_eq!(desk.files(), files, "{line}");
    }
    let many: Vec<String> = (0..603).map(|row| format!("{},c{}\n", row % 7, row % 201)).collect();
    desk.write("many.csv", format!("x,class\n{}", many.concat()));
    let ran = desk.line("fit many.csv --out n.evo --plot p.svg --picture confusion");
    ran.fails(1, &["201 classes cannot be read"]);
    assert!(!desk.path("n.evo").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_cannot_be_written_to_is_refused_before_the_work() {
    let desk = desk();
    desk.json("fit t.csv --out m.evo --json");
    for line in ["fit t.csv --out /proc/m.evo", "fit t.csv --plot /proc/p.svg"] {
        let ran = desk.line(line);
        ran.fails(1, &["cannot write `/proc/"]);
        assert!(ran.out.is_empty() && !ran.err.contains("Trained"), "{}", ran.out);
    }
    // The report is there before a picture that fails.
    for line in ["fit t.csv --plot /dev/full", "evaluate m.evo t.csv --plot /dev/full"] {
        let ran = desk.line(line);
        ran.fails(1, &["cannot write `/dev/full`"]);
        assert!(ran.out.contains("It is right for "), "{}", ran.out);
        assert!(!ran.out.contains("is in /dev/full"), "{}", ran.out);
        let json = desk.line(&format!("{line} --json"));
        let document: serde_json::Value = serde_json::from_str(&json.out).expect("one document");
        assert!(document["test"]["accuracy"].is_number());
    }
}

/// Every verb that draws or writes shows its result first: a full disk takes the file alone.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written_takes_no_result_with_it() {
    let desk = desk();
    desk.json("fit t.csv -m tree --out a.evo --json");
    desk.json("fit t.csv -m naive-bayes --out b.evo --json");
    desk.json("front t.csv -m evo-tree -p evaluations=8 -p folds=2 --out t.front --json");
    desk.write("labels.csv", "e,f,class\n".to_owned() + &"a,a,a\nb,a,b\nb,b,b\na,b,a\n".repeat(9));
    for (line, first) in [
        ("demo --plot /dev/full", "Who has diabetes?"),
        ("fit t.csv --plot /dev/full", "Trained tree on"),
        ("evaluate a.evo t.csv --plot /dev/full", "The model a.evo"),
        ("evaluate a.evo b.evo t.csv --plot /dev/full", "2 models judged"),
        ("compare iris -m stump,knn --folds 3 --repeats 1 --plot /dev/full", "stump"),
        ("show t.front --plot /dev/full", "t.front: "),
        (
            "front t.csv -m evo-tree -p evaluations=8 -p folds=2 --plot /dev/full",
            "Evolved evo-tree",
        ),
        (
            "select pima --by auc --splits 4 --permutations 0 --no-checks --plot /dev/full",
            "Selected columns",
        ),
        (
            "select pima --by auc --splits 4 --permutations 0 --no-checks --out /dev/full",
            "Selected columns",
        ),
        ("combine labels.csv --truth class --method naive --out /dev/full", "Combined 2 experts"),
        ("soften gen:ripley --samples 38 --chains 2 -p steps=5 --plot /dev/full", "Sampled"),
    ] {
        let ran = desk.line(line);
        ran.fails(1, &["cannot write"]);
        assert!(ran.out.contains(first), "{line}: {}", ran.out);
        assert!(!ran.out.contains("picture is in") && !ran.out.contains("Saved in"), "{line}");
        let ran = desk.line(&format!("{line} --json"));
        assert_eq!(ran.code, 1, "{line}: {}", ran.err);
        // One document, which has the result.
        let document: Result<serde_json::Value, _> = serde_json::from_str(&ran.out);
        let document = document.unwrap_or_else(|error| panic!("{line}: {error}: {}", ran.out));
        assert!(document.get("error").is_none(), "{line}: {document}");
    }
    desk.line("demo --plot no/such/folder.svg").fails(1, &["there is no folder"]);
    desk.line("demo --plot p.gif").fails(1, &["pictures are SVG"]);
}
