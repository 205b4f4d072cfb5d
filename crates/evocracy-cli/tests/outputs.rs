//! Results never destroy what a command reads.

mod common;

use common::Desk;

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
    for (line, said) in [
        ("fit t.csv --out t.csv", "both the data and --out"),
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
