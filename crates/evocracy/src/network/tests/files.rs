//! BIF: round trips, places of errors, texts that are not what they should be.

use super::*;

const SMALL: &str = "network unknown { property author x; }
// a comment
variable Rain { type discrete [ 2 ] { yes, no }; property z = 1; }
variable \"Wet Grass\" {
  type discrete [ 3 ] { dry, damp, wet };
}
variable Sun { type discrete[2]{yes,no}; }
probability ( Rain | Sun ) { (yes) 0.25, 0.75; default 0.5 0.5; }
probability ( \"Wet Grass\" | Sun, Rain ) {
  table 0.1, 0.2, 0.3, 0.4, 0.2, 0.2, 0.2, 0.2, 0.7, 0.6, 0.5, 0.4;
}
/* and
another */
probability ( Sun ) { table 0.4, 0.6; }
";

#[test]
fn a_network_is_read_as_the_format_says() {
    let network = read_bif("small", SMALL).unwrap();
    assert_eq!(network.names(), ["Rain", "Wet Grass", "Sun"]);
    assert_eq!(network.dag().parents(1), [0, 2]);
    assert_eq!(network.table(0), [0.25, 0.75, 0.5, 0.5]);
    // The file has Sun before Rain; here they are sorted: Rain changes slower.
    let wet = [0.1, 0.2, 0.7, 0.3, 0.2, 0.5, 0.2, 0.2, 0.6, 0.4, 0.2, 0.4];
    assert!(network.table(1).iter().zip(wet).all(|(a, b)| (a - b).abs() < 1e-12));
    assert_eq!(network.variable("Sun").unwrap(), 2);
    assert!(network.variable("Sum").is_err());
    assert!(network.to_dot().contains("n2 -> n1;"));
}

#[test]
fn networks_survive_being_written() {
    let mut rng = seeded(21);
    for _ in 0..40 {
        let states: Vec<u32> = (0..7).map(|_| 1 + below(4, &mut rng) as u32).collect();
        let network = random_network(&states, 0.4, &mut rng);
        let again = read_bif("again", &network.to_bif("again").unwrap()).unwrap();
        assert_eq!((again.variables(), again.dag()), (network.variables(), network.dag()));
        for node in 0..7 {
            let pairs = again.table(node).iter().zip(network.table(node));
            assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-15));
        }
        let bytes = rmp_serde::to_vec_named(&network).unwrap();
        assert_eq!(rmp_serde::from_slice::<Network>(&bytes).unwrap(), network);
    }
}

#[test]
fn names_that_other_programs_would_not_read_are_changed() {
    let name = |name: &str| name.to_owned();
    let variables = vec![
        Variable { name: name("a b"), states: vec![name("x|y"), name("x y"), name("")] },
        Variable { name: name("a_b"), states: vec![name("0")] },
    ];
    let tables = vec![vec![0.5, 0.25, 0.25], vec![1.0]];
    let network = Network::new(variables, Dag::new(2), tables).unwrap();
    let again = read_bif("x", &network.to_bif("my net").unwrap()).unwrap();
    assert_eq!(again.names(), ["a_b", "a_b_2"]);
    assert_eq!(again.variables()[0].states, ["x_y", "x_y_2", "_"]);
}

#[test]
fn errors_name_their_place() {
    let change = |from: &str, to: &str| {
        assert!(SMALL.contains(from), "{from}");
        read_bif("f.bif", &SMALL.replacen(from, to, 1)).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        ("[ 3 ]", "[ 2 ]", "f.bif, line 5, column `36`: 2 states are announced"),
        ("[ 3 ]", "[ 9999999999 ]", "f.bif, line 5, column `19`: this is no number of states"),
        ("0.25, 0.75", "0.25, 0.85", "probabilities of `Rain` sum to 1.1"),
        ("0.25, 0.75", "0.25", "line 8, column `40`: `;` is not expected here; expected 2 prob"),
        ("0.25, 0.75", "0.25, nan", "`nan` is not expected here; expected a probability"),
        ("(yes)", "(yes, no)", "`no` is not expected here"),
        ("(yes)", "(ye)", "`Sun` has no state `ye`; expected `yes`"),
        ("default 0.5 0.5;", "", "the table of `Rain` has gaps"),
        ("| Sun )", "| Sin )", "there is no variable `Sin`; expected `Sun`"),
        ("| Sun )", "| Rain )", "this parent comes twice"),
        ("( Sun ) {", "( Sun | Rain ) {", "line 14, column `44`: `;` is not expected here"),
        ("*/", "", "line 12, column `1`: a comment does not end"),
        ("\"Wet Grass\" {", "\"Wet Grass {", "a quotation does not end"),
        ("variable Sun", "variable Rain", "variable `Rain` comes twice"),
        ("probability ( Sun ) { table 0.4, 0.6; }", "", "variable `Sun` has no probabilities"),
        ("{ table 0.4, 0.6; }", "{ table 0.4, 0.6;", "the file ends here"),
        (
            "probability ( Sun ) { table 0.4, 0.6; }",
            "probability ( Sun | Rain ) { default 0.4, 0.6; }",
            "the parents close a cycle",
        ),
    ] {
        let message = change(from, to);
        assert!(message.contains(expected), "{message}");
    }
}

/// A few lines must not ask for more memory than a table may have.
#[test]
fn small_texts_make_no_large_tables() {
    let mut text = String::new();
    let states: Vec<String> = (0..100).map(|s| format!("s{s}")).collect();
    for v in 0..9 {
        text += &format!("variable v{v} {{ type discrete [ 100 ] {{ {} }}; }}\n", states.join(" "));
    }
    text += "probability ( v0 | v1 v2 v3 v4 v5 v6 v7 v8 ) { default ";
    text += &format!("{}; }}", "0.01 ".repeat(100));
    let message = read_bif("x", &text).unwrap_err().to_string();
    assert!(message.contains("the tables are too large"), "{message}");
}

/// Changed, cut and doubled texts are read or refused; nothing panics.
#[test]
fn damaged_texts_do_no_harm() {
    let mut rng = seeded(22);
    let words = [
        "{", "}", "(", ")", "|", ";", "[", "]", "\"", "/*", "//", "\u{e4}", "table", "-1", "1e400",
    ];
    let mut read = 0;
    for round in 0..20_000 {
        let mut text: Vec<char> = SMALL.chars().collect();
        for _ in 0..=round % 4 {
            let at = below(text.len(), &mut rng);
            match below(4, &mut rng) {
                0 if text.len() > 1 => drop(text.remove(at)),
                1 => text.truncate(at.max(1)),
                2 if !text.is_empty() => text[at] = char::from(below(256, &mut rng) as u8),
                _ => {
                    let word = words[below(words.len(), &mut rng)];
                    text.splice(at..at, word.chars());
                }
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(network) = read_bif("x", &text) {
            network.check().unwrap();
            read += 1;
        }
    }
    assert!(read > 100);
}
