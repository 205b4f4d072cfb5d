//! Numbers as people and programs write them: with a decimal comma, marks between thousands, a
//! percent sign, or as dates and times of ISO 8601.
//!
//! What can be read in two ways is not read: a comma between three digits and three others parts
//! thousands only where commas also part the cells, so that the cell was quoted, or where the
//! person said that the decimal mark is a point.

use super::Format;
use super::cell;
use serde::{Deserialize, Serialize};

/// The longest cell that is looked at; numbers are shorter.
const LONGEST: usize = 48;

/// How the numbers of a column are written. A column has one way: 5 and 5 % are not the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Written {
    /// As numbers, perhaps with marks between thousands.
    Plain,
    /// With a percent sign: 5 % is 0.05.
    Percent,
    /// As dates: days since 1970-01-01.
    Date,
    /// As dates with times: seconds since 1970-01-01 00:00, in universal time where a zone is said.
    Moment,
    /// As times of a day: seconds since midnight.
    Time,
}

impl Written {
    /// One of its kind, as in a sentence.
    pub fn one(self) -> &'static str {
        match self {
            Self::Plain => "a number",
            Self::Percent => "a percentage",
            Self::Date => "a date",
            Self::Moment => "a date with a time",
            Self::Time => "a time",
        }
    }

    /// What the numbers of a column are, as in a table.
    pub fn many(self) -> &'static str {
        match self {
            Self::Plain => "numbers",
            Self::Percent => "percentages",
            Self::Date => "dates (days since 1970)",
            Self::Moment => "dates with times (seconds since 1970)",
            Self::Time => "times (seconds since midnight)",
        }
    }
}

/// The number in a cell and how it is written, or `None` where it is text.
pub(super) fn read(cell: &[u8], format: &Format) -> Option<(Written, f64)> {
    if let Some(value) = simple(cell, format.point()) {
        return Some((Written::Plain, value));
    }
    let first = *cell.first()?;
    let starts = first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.' | b',');
    if !starts || cell.len() > LONGEST {
        return None;
    }
    if let Some(share) = cell.strip_suffix(b"%") {
        let share = share.trim_ascii_end();
        let share = share.strip_suffix("\u{a0}".as_bytes()).unwrap_or(share);
        let share = share.strip_suffix("\u{202f}".as_bytes()).unwrap_or(share);
        let value = simple(share, format.point()).or_else(|| grouped(share, format))?;
        // As decimal digits, since a division by 100 rounds once more.
        return Some((Written::Percent, format!("{value}e-2").parse().ok()?));
    }
    grouped(cell, format).map(|value| (Written::Plain, value)).or_else(|| moment(cell))
}

/// Whether a text that is no number would be one if the decimal mark were a comma.
pub(crate) fn has_decimal_comma(text: &str) -> bool {
    text.len() <= LONGEST && text.contains(',') && simple(text.as_bytes(), b',').is_some()
}

/// A number without marks.
fn simple(cell: &[u8], point: u8) -> Option<f64> {
    if point == b'.' {
        return cell::number(cell);
    }
    if cell.len() > LONGEST || cell.contains(&b'.') {
        return None;
    }
    let mut text = [0; LONGEST];
    for (to, &byte) in text.iter_mut().zip(cell) {
        *to = if byte == point { b'.' } else { byte };
    }
    cell::number(&text[..cell.len()])
}

/// A number whose digits before the decimal mark stand in groups of three.
fn grouped(cell: &[u8], format: &Format) -> Option<f64> {
    let point = format.point();
    let sign = usize::from(matches!(cell.first(), Some(b'+' | b'-')));
    let whole =
        cell[sign..].iter().position(|&byte| byte == point).map_or(cell.len(), |at| at + sign);
    let mut text = Vec::with_capacity(LONGEST);
    text.extend_from_slice(&cell[..sign]);
    let mut rest = &cell[sign..whole];
    let first = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=3).contains(&first) || rest[0] == b'0' {
        return None;
    }
    text.extend_from_slice(&rest[..first]);
    rest = &rest[first..];
    let mark = mark(rest, format)?;
    while let Some(group) = rest.strip_prefix(mark) {
        let three = group.get(..3).filter(|three| three.iter().all(u8::is_ascii_digit))?;
        text.extend_from_slice(three);
        rest = &group[3..];
    }
    if !rest.is_empty() {
        return None;
    }
    if let Some((_, decimals)) = cell[whole..].split_first() {
        if !decimals.iter().all(u8::is_ascii_digit) {
            return None;
        }
        text.push(b'.');
        text.extend_from_slice(decimals);
    }
    cell::number(&text)
}

/// The mark between thousands that a text begins with.
fn mark<'a>(text: &'a [u8], format: &Format) -> Option<&'a [u8]> {
    const MARKS: [&str; 5] = [" ", "'", "\u{a0}", "\u{202f}", "\u{2019}"];
    if let Some(mark) = MARKS.iter().find(|mark| text.starts_with(mark.as_bytes())) {
        return Some(&text[..mark.len()]);
    }
    let commas = format.decimal == Some(b'.') || format.delimiter == Some(b',');
    match text.first() {
        Some(b'.') if format.point() == b',' => Some(&text[..1]),
        Some(b',') if format.point() == b'.' && commas => Some(&text[..1]),
        _ => None,
    }
}

/// A date, a date with a time, or a time.
fn moment(cell: &[u8]) -> Option<(Written, f64)> {
    if let Some(seconds) = time(cell) {
        return Some((Written::Time, seconds));
    }
    let days = date(cell.get(..10)?)?;
    match cell[10..].split_first() {
        None => Some((Written::Date, days as f64)),
        Some((b'T' | b't' | b' ', rest)) => {
            let (clock, shift) = zone(rest)?;
            Some((Written::Moment, days as f64 * 86_400.0 + time(clock)? - shift))
        }
        Some(_) => None,
    }
}

/// Two digits of a number up to `most`.
fn two(text: &[u8], most: u32) -> Option<u32> {
    let [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = text else { return None };
    Some(u32::from(tens - b'0') * 10 + u32::from(ones - b'0')).filter(|&value| value <= most)
}

/// Days from 1970-01-01 to `YYYY-MM-DD` in the Gregorian calendar.
fn date(text: &[u8]) -> Option<i64> {
    let [_, _, _, _, b'-', _, _, b'-', _, _] = text else { return None };
    let year = i64::from(two(&text[..2], 99)? * 100 + two(&text[2..4], 99)?);
    let (month, day) = (two(&text[5..7], 12)?, two(&text[8..], 31)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, 28 + u32::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = lengths.get((month as usize).checked_sub(1)?)?;
    if day == 0 || day > *length {
        return None;
    }
    let before: u32 = lengths[..month as usize - 1].iter().sum();
    // Days of whole years since the year 0, which was a leap year.
    let years = |year: i64| {
        let last = year - 1;
        365 * year + last.div_euclid(4) - last.div_euclid(100) + last.div_euclid(400) + 1
    };
    Some(years(year) - years(1970) + i64::from(before + day) - 1)
}

/// Seconds since midnight of `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fff`.
fn time(text: &[u8]) -> Option<f64> {
    let (hours, minutes) = (two(text.get(..2)?, 23)?, two(text.get(3..5)?, 59)?);
    let [b':', _, _, seconds @ ..] = text.get(2..)? else { return None };
    let whole = f64::from(hours * 3600 + minutes * 60);
    if seconds.is_empty() {
        return Some(whole);
    }
    let [b':', seconds @ ..] = seconds else { return None };
    // A leap second is the 60th.
    two(seconds.get(..2)?, 60)?;
    match seconds.get(2) {
        None => {}
        Some(b'.') if seconds.len() > 3 && seconds[3..].iter().all(u8::is_ascii_digit) => {}
        Some(_) => return None,
    }
    Some(whole + cell::number(seconds)?)
}

/// A time without its zone, and how many seconds that is ahead of universal time.
fn zone(text: &[u8]) -> Option<(&[u8], f64)> {
    if let Some(clock) = text.strip_suffix(b"Z").or_else(|| text.strip_suffix(b"z")) {
        return Some((clock, 0.0));
    }
    let Some(at) = text.iter().rposition(|byte| matches!(byte, b'+' | b'-')) else {
        return Some((text, 0.0));
    };
    let (hours, minutes) = match &text[at + 1..] {
        [_, _] => (&text[at + 1..], &b"00"[..]),
        [_, _, b':', _, _] => (&text[at + 1..at + 3], &text[at + 4..]),
        [_, _, _, _] => (&text[at + 1..at + 3], &text[at + 3..]),
        _ => return None,
    };
    let ahead = f64::from(two(hours, 23)? * 3600 + two(minutes, 59)? * 60);
    Some((&text[..at], if text[at] == b'-' { -ahead } else { ahead }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(decimal: Option<u8>, delimiter: u8) -> Format {
        Format { decimal, delimiter: Some(delimiter), ..Format::default() }
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let plain = |text: &str, format: &Format| read(text.as_bytes(), format);
        let comma = format(Some(b','), b';');
        let point = format(None, b',');
        let semicolon = format(None, b';');
        for (text, format, value) in [
            ("1,5", &comma, Some(1.5)),
            ("-0,25", &comma, Some(-0.25)),
            ("1.234,5", &comma, Some(1234.5)),
            ("1 234 567", &comma, Some(1_234_567.0)),
            ("12", &comma, Some(12.0)),
            ("1,5e3", &comma, Some(1500.0)),
            ("1.5", &comma, None),
            ("1.23.456", &comma, None),
            ("1,234", &point, Some(1234.0)),
            ("-1,234,567.25", &point, Some(-1_234_567.25)),
            ("1'234.5", &point, Some(1234.5)),
            ("1\u{202f}234", &point, Some(1234.0)),
            ("0,532", &point, None),
            ("1,23", &point, None),
            ("1234,567", &point, None),
            ("1,234 567", &point, None),
            ("1,234,", &point, None),
            // It could be a decimal comma.
            ("1,234", &semicolon, None),
            ("1 234", &semicolon, Some(1234.0)),
            ("abc", &point, None),
            ("", &point, None),
            ("-", &point, None),
            ("+,", &point, None),
        ] {
            let expected = value.map(|value| (Written::Plain, value));
            assert_eq!(plain(text, format), expected, "{text}");
        }
        let said = format(Some(b'.'), b';');
        assert_eq!(plain("1,234", &said), Some((Written::Plain, 1234.0)));
        assert_eq!(plain("12.5 %", &point), Some((Written::Percent, 0.125)));
        assert_eq!(plain("12,5%", &comma), Some((Written::Percent, 0.125)));
        assert_eq!(plain("3.6%", &point), Some((Written::Percent, 0.036)));
        assert_eq!(plain("%", &point), None);
        assert!(has_decimal_comma("1,5") && !has_decimal_comma("1.5") && !has_decimal_comma("a,b"));
    }

    #[test]
    fn dates_and_times_are_those_of_the_calendar() {
        // `date -u -d TEXT +%s` of coreutils.
        let format = Format::default();
        for (text, written, value) in [
            ("1970-01-01", Written::Date, 0.0),
            ("1969-12-31", Written::Date, -1.0),
            ("2000-02-29", Written::Date, 11_016.0),
            ("2024-03-01", Written::Date, 19_783.0),
            ("0001-01-01", Written::Date, -719_162.0),
            ("9999-12-31", Written::Date, 2_932_896.0),
            ("2024-03-01T12:30", Written::Moment, 1_709_296_200.0),
            ("2024-03-01 12:30:15.25", Written::Moment, 1_709_296_215.25),
            ("2024-03-01T12:30:00Z", Written::Moment, 1_709_296_200.0),
            ("2024-03-01T12:30:00+02:00", Written::Moment, 1_709_289_000.0),
            ("2024-03-01T12:30:00-0330", Written::Moment, 1_709_308_800.0),
            ("23:59", Written::Time, 86_340.0),
            ("07:05:09", Written::Time, 25_509.0),
        ] {
            assert_eq!(read(text.as_bytes(), &format), Some((written, value)), "{text}");
        }
        for text in [
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-01-00",
            "24-01-01",
            "2024-1-1",
            "24:00",
            "12:60",
            "1:30",
            "12:30:",
            "12:30:61",
            "2024-01-01T",
            "2024-01-01x",
            "2024-01-01T12:00+1",
        ] {
            assert_eq!(read(text.as_bytes(), &format), None, "{text}");
        }
    }
}
