//! How wide text will be, and breaking it into lines. Which font the reader has is not known,
//! so widths are those of a wide one.

/// About how many pixels wide text is in a sans-serif font of that size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// The width of a character in units of the font size.
fn advance(c: char) -> f64 {
    match c {
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' | 'I' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '+' | '=' | '<' | '>' | '—' | '…' => 0.98,
        'A'..='Z' => 0.74,
        // Scripts whose characters fill a square, and pictures.
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' => 1.05,
        '\u{ff00}'..='\u{ff60}' | '\u{1f000}'.. => 1.3,
        _ => 0.63,
    }
}

/// A number of rows to the last one; a weight to one digit.
pub(crate) fn count(rows: f64) -> String {
    match rows {
        _ if rows >= 1e12 => short_count(rows),
        _ if rows.fract() == 0.0 => format!("{rows:.0}"),
        _ => format!("{rows:.1}"),
    }
}

/// A number of rows to two or three digits: 12k, 1.2M.
pub(crate) fn short_count(rows: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.iter().find(|(unit, _)| rows >= unit * 0.9995) {
        _ if rows >= 1e15 => format!("{rows:.0e}"),
        Some((unit, name)) if rows / unit < 9.95 => format!("{:.1}{name}", rows / unit),
        Some((unit, name)) => format!("{:.0}{name}", rows / unit),
        None if rows >= 99.5 => format!("{rows:.0}"),
        None => count(rows),
    }
}

/// Breaks text into at most `most` lines of at most `room` pixels, at spaces or after
/// punctuation where there is some, else anywhere. What does not fit is cut, which shows as
/// an ellipsis.
pub(crate) fn wrap(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut rest: Vec<char> =
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    let mut lines = Vec::new();
    while !rest.is_empty() {
        let last = lines.len() + 1 >= most;
        let fits = fitting(&rest, size, room);
        if fits == rest.len() {
            lines.push(rest.iter().collect());
            break;
        }
        if last {
            let mut cut = fitting(&rest, size, room - width("…", size));
            while cut > 0 && rest[cut - 1] == ' ' {
                cut -= 1;
            }
            lines.push(rest[..cut].iter().chain(&['…']).collect());
            break;
        }
        let line: String = rest.drain(..breaking(&rest, fits)).collect();
        lines.push(line.trim_end().to_owned());
        let spaces = rest.iter().take_while(|c| **c == ' ').count();
        rest.drain(..spaces);
    }
    lines
}

/// How many characters fit; at least one, so that work goes on.
fn fitting(text: &[char], size: f64, room: f64) -> usize {
    let mut used = 0.0;
    let fits = text.iter().take_while(|c| {
        used += advance(**c) * size;
        used <= room
    });
    fits.count().max(1)
}

/// Where to break a text of which `fits` characters fit: not in the first half of the line.
fn breaking(text: &[char], fits: usize) -> usize {
    let after =
        |at: &usize| matches!(text[at - 1], '+' | ':' | '/' | '_' | '-' | ',' | ';' | ')' | '.');
    let spaced = |at: &usize| text[*at] == ' ' || text[at - 1] == ' ';
    let range = || (fits / 2 + 1..=fits).rev();
    range().find(spaced).or_else(|| range().find(after)).unwrap_or(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_where_a_person_would_break_them() {
        assert_eq!(wrap("one two three", 10.0, 60.0, 3), ["one two", "three"]);
        assert_eq!(wrap("stack:tree+mlp+knn", 10.0, 80.0, 3), ["stack:tree+", "mlp+knn"]);
        assert_eq!(wrap("  a\n b ", 10.0, 60.0, 3), ["a b"]);
        assert!(wrap("", 10.0, 60.0, 3).is_empty());
    }

    #[test]
    fn counts_are_exact_or_short() {
        let exact: Vec<String> = [0.0, 12345.0, 1.25, 3e12].map(count).into();
        assert_eq!(exact, ["0", "12345", "1.2", "3.0T"]);
        let short = [0.0, 999.0, 999.7, 1234.0, 12345.0, 999_999.0, 5e7, 2e20];
        let short: Vec<String> = short.map(short_count).into();
        assert_eq!(short, ["0", "999", "1.0k", "1.2k", "12k", "1.0M", "50M", "2e20"]);
    }

    #[test]
    fn lines_fit_and_nothing_is_lost_but_behind_an_ellipsis() {
        let long = "x".repeat(100);
        let lines = wrap(&long, 10.0, 200.0, 9);
        assert_eq!(lines.concat(), long);
        assert!(lines.iter().all(|l| width(l, 10.0) <= 200.0));
        let cut = wrap(&long, 10.0, 200.0, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('…') && width(&cut[1], 10.0) <= 200.0);
        // Even where there is no room at all it ends.
        assert_eq!(wrap("abc", 10.0, 0.0, 2).len(), 2);
    }
}
