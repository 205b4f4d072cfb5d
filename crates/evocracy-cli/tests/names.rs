//! Names: what people type, what they find, and what the help says.

mod common;

use common::{Desk, Ran};

#[test]
fn names_of_other_libraries_lead_to_methods_and_parameters() {
    let desk = Desk::new();
    for (line, said) in [
        ("fit iris -m random-forest", "did you mean `forest`?"),
        ("fit iris -m rf", "did you mean `forest`?"),
        ("fit iris -m RandomForestClassifier", "did you mean `forest`?"),
        ("fit iris -m svm", "did you mean `rvm` or `logistic`?"),
        ("fit iris -m xgboost", "did you mean `adaboost` or `forest`?"),
        ("fit iris -m gbm", "did you mean `adaboost` or `forest`?"),
        ("fit iris -m lightgbm", "did you mean `adaboost` or `forest`?"),
        ("fit iris -m decision-tree", "did you mean `tree`?"),
        ("fit iris -m vote:nb+lr", "did you mean `naive-bayes`?"),
        ("compare iris -m tree,nn", "did you mean `mlp`?"),
        ("methods svm", "did you mean `rvm` or `logistic`?"),
        // A slip is one as before.
        ("fit iris -m tere", "did you mean `tree`?"),
        ("fit iris -m forest -p n_estimators=10", "did you mean `trees`?"),
        ("fit iris -m adaboost -p n_estimators=10", "did you mean `rounds`?"),
        ("fit iris -m tree -p max_depth=3", "did you mean `depth`?"),
        ("fit iris -m knn -p n_neighbors=3", "did you mean `k`?"),
        ("fit iris -m logistic -p C=3", "did you mean `penalty`?"),
        ("fit iris -m vote:knn+tree -p 2.max_depth=3", "did you mean `depth`?"),
    ] {
        desk.line(line).fails(2, &[said]);
    }
    let json = desk.line("fit iris -m svm --json").out;
    assert!(json.contains("did you mean `rvm` or `logistic`?"), "{json}");
}

#[test]
fn a_target_of_numbers_names_the_methods_for_numbers() {
    let desk = Desk::new();
    let listed = desk.json("methods --json");
    let methods = listed["methods"].as_array().expect("methods");
    let names: Vec<&str> = methods
        .iter()
        .filter(|method| method["predicts"] == "number")
        .filter_map(|method| method["name"].as_str())
        .collect();
    assert!(names.contains(&"ridge") && !names.contains(&"tree"), "{names:?}");
    let said = format!("take a method for numbers ({})", names.join(", "));
    desk.line("fit gen:sinc -m tree").fails(1, &["`y` is a number", &said, "--nominal"]);
}

/// Runs a command with a folder of data sets.
fn with_sets(desk: &Desk, line: &str) -> Ran {
    let mut command = desk.command(&line.split(' ').collect::<Vec<_>>());
    Ran::from(command.env("EVOCRACY_DATA", desk.path("sets")).output().expect("it starts"))
}

#[test]
fn what_was_added_can_be_removed_and_nothing_else() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("sets")).expect("a folder");
    let table = "a,class\n1,x\n2,y\n3,x\n4,y\n";
    desk.write("t.csv", table);
    desk.write("sets/other.csv", table);
    desk.json("data add mine t.csv --json");
    let removed = desk.json("data remove mine --json");
    assert!(!std::path::Path::new(removed["file"].as_str().expect("a path")).exists());
    assert_eq!(desk.read("t.csv"), table);
    desk.line("data remove mine").fails(2, &["no data set `mine`"]);
    desk.json("data add mine t.csv --json");
    desk.line("data remove mien").fails(2, &["did you mean `mine`?"]);
    desk.line("data remove iris").fails(1, &["`iris` cannot be removed: it is built in"]);
    with_sets(&desk, "data remove other").fails(1, &["other.csv, which was not added"]);
    desk.line("data remove ../mine").fails(2, &["letters, digits"]);
    assert_eq!(desk.read("sets/other.csv"), table);
    assert_eq!(desk.json("data show mine --json")["rows"], 4);
}

#[test]
fn a_name_that_stands_for_several_data_sets_is_said() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("sets")).expect("a folder");
    desk.write("t.csv", "a,class\n1,x\n2,y\n3,x\n4,y\n");
    desk.write("sets/iris.csv", "a,class\n1,x\n2,y\n3,x\n");
    let note = "note: `iris` is ";
    assert!(!desk.line("data show iris").err.contains(note));
    let ran = with_sets(&desk, "data show iris");
    assert!(ran.err.contains("sets/iris.csv, not the built-in data set"), "{}", ran.err);
    // It is added, and found only behind the other one.
    let ran = with_sets(&desk, "data add iris t.csv");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("The name stands for ") && ran.out.contains("sets/iris.csv first"));
    let advice = ran.out.lines().find_map(|line| line.strip_prefix("Try: evocracy "));
    let advice = advice.unwrap_or_else(|| panic!("{}", ran.out));
    let tried = with_sets(&desk, &format!("{advice} -m naive-bayes --json --test t.csv"));
    assert!(tried.out.contains("\"rows\": 4"), "{}{}", tried.out, tried.err);
    // Alone it is what the name stands for, before the built-in one.
    let ran = desk.line("data add iris t.csv --replace");
    assert!(
        ran.out.contains("Try: evocracy fit iris\n") || ran.out.ends_with("fit iris"),
        "{}",
        ran.out
    );
    let said = "iris.csv, not the built-in data set, which the name also stands for";
    for line in ["fit iris -m naive-bayes", "compare iris -m naive-bayes --folds 2 --repeats 1"] {
        assert!(desk.line(line).err.contains(said), "{line}");
    }
    assert!(!desk.line("data show iris --quiet").err.contains(note));
    desk.write("iris", "a,class\n1,x\n2,y\n");
    let ran = with_sets(&desk, "data show iris");
    assert!(ran.err.contains("note: `iris` is the file iris, not "), "{}", ran.err);
    assert_eq!(ran.err.matches(" or ").count(), 2, "{}", ran.err);
}

#[test]
fn completions_know_methods_and_data_sets() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("sets")).expect("a folder");
    desk.write("sets/my-own.csv", "a,class\n1,x\n2,y\n");
    // No name is more than a word to a shell.
    desk.write("sets/$(touch gone).csv", "a,class\n1,x\n2,y\n");
    for shell in ["bash", "zsh", "fish"] {
        let script = with_sets(&desk, &format!("completions {shell}")).out;
        for name in ["my-own", "iris", "naive-bayes", "extra-trees", "evo-tree"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
        assert!(!script.contains("EVOCRACY_SETS") && !script.contains("touch"), "{shell}");
    }
    for shell in ["elvish", "powershell"] {
        let script = desk.line(&format!("completions {shell}")).out;
        assert!(script.contains("evaluate") && !script.contains("EVOCRACY_SETS"), "{shell}");
    }
}

/// What bash offers behind a line, by the script itself.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes_methods_and_data_sets() {
    let desk = Desk::new();
    desk.write("evocracy.bash", desk.line("completions bash").out);
    let offered = |words: &str| {
        let ask = format!(
            "source evocracy.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _evocracy evocracy \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = std::process::Command::new("bash");
        let output = bash.args(["-c", &ask]).current_dir(desk.path("")).output().expect("bash");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    assert_eq!(offered("evocracy fit iri"), "iris");
    assert_eq!(offered("evocracy fit iris --method naive"), "naive-bayes");
    assert_eq!(offered("evocracy front iris -m evo-t"), "evo-tree");
    assert_eq!(offered("evocracy methods extra"), "extra-trees");
    assert_eq!(offered("evocracy predict m.evo wdb"), "wdbc");
}

/// The examples at the end of a verb's help.
fn examples(help: &str) -> Vec<String> {
    let (_, after) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{help}"));
    let lines = after.lines().map_while(|line| line.strip_prefix("  "));
    lines.map(str::to_owned).collect()
}

#[test]
fn the_help_of_every_verb_shows_two_examples_that_work() {
    let desk = Desk::new();
    // What the examples read.
    let score =
        |row: usize| format!("{},{},{}\n", row % 11, row * 7 % 13, ["no", "yes"][row % 11 / 6]);
    desk.write(
        "scores.csv",
        format!("marker,other,ill\n{}", (0..60).map(score).collect::<String>()),
    );
    desk.write("labels.csv", "e,f,class\n".to_owned() + &"a,a,a\nb,a,b\nb,b,b\na,b,a\n".repeat(9));
    desk.write(
        "new.csv",
        "id,sepal length (cm),sepal width (cm),petal length (cm),petal width (cm)\n7,5,3,1.5,0.2\n",
    );
    desk.json("fit iris -m foil --out rules.evo --json");
    desk.json("fit pima -m tree --out other.evo --json");
    let top = desk.line("--help").out;
    let (_, verbs) = top.split_once("Commands:\n").expect("verbs");
    let verbs: Vec<&str> = verbs
        .lines()
        .map_while(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split(' ').next())
        .filter(|verb| !verb.is_empty() && *verb != "help")
        .collect();
    assert!(verbs.len() > 15, "{verbs:?}");
    for verb in verbs {
        let (short, long) =
            (desk.line(&format!("{verb} -h")).out, desk.line(&format!("{verb} --help")).out);
        // The options of every command stand in the long help alone.
        assert!(!short.contains("--threads") && long.contains("--threads"), "{short}");
        let examples = examples(&long);
        assert_eq!((examples.len(), &examples), (2, &self::examples(&short)), "{verb}");
        for example in examples {
            let line = example.split(" > ").next().expect("a command");
            assert!(line.starts_with(&format!("evocracy {verb}")), "{line}");
            let ran = desk.line(line.strip_prefix("evocracy ").expect("the command"));
            assert_eq!(ran.code, 0, "{example}: {}{}", ran.out, ran.err);
        }
    }
}

#[test]
fn the_advice_after_adding_a_table_reads_it_as_it_was_read() {
    let desk = Desk::new();
    let row = |row: usize| {
        let x = if row.is_multiple_of(9) {
            "-999".to_owned()
        } else {
            format!("{},5", (row * 37) % 60)
        };
        format!("{x};{}\n", ["a", "b"][row * 37 % 60 / 30])
    };
    let rows: String = (0..60).map(row).collect();
    desk.write("t.csv", format!("x;class\n{rows}"));
    let args =
        ["data", "add", "mine", "t.csv", "--decimal", ",", "--delimiter", ";", "--missing=-999"];
    let ran = desk.run(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let advice = ran.out.lines().find_map(|line| line.strip_prefix("Try: evocracy "));
    let advice = advice.expect("an advice").replace('\'', "");
    assert_eq!(advice, "fit mine --delimiter ; --decimal , --missing=-999");
    assert_ne!(desk.line("fit mine").code, 0);
    let document = desk.json(&format!("{advice} --json"));
    assert!(document["test"]["accuracy"].as_f64() > Some(0.7), "{document}");
}

#[test]
fn two_that_add_one_name_leave_one_whole_table() {
    let desk = Desk::new();
    let table = |class: &str, rows: usize| {
        format!("x,y,class\n{}", format!("1,2,{class}\n2,1,other\n").repeat(rows))
    };
    let (one, two) = (table("one", 20_000), table("two", 30_000));
    desk.write("one.csv", &one);
    desk.write("two.csv", &two);
    for _ in 0..4 {
        let add = |file: &str| {
            let words = ["data", "add", "mine", file, "--replace", "--quiet"];
            desk.command(&words).stdout(std::process::Stdio::null()).spawn().expect("it starts")
        };
        let both = [add("one.csv"), add("two.csv")];
        for mut child in both {
            assert!(child.wait().expect("it ends").success());
        }
        let kept = desk.read("home/evocracy/data/mine.csv");
        assert!(kept == one || kept == two, "{} bytes", kept.len());
        let folder = std::fs::read_dir(desk.path("home/evocracy/data")).expect("the folder");
        assert_eq!(folder.count(), 1, "nothing half written stays");
    }
}
