//! The header of an ARFF file: its attributes.

use super::super::buffer::Buffer;
use super::super::intern::Codes;
use super::super::wrong::{not_utf8, shown};
use super::super::{Source, place, too_wide, twice, wrong};
use super::token::{Tokens, Unclosed};
use crate::error::{Error, Result, nearest};

/// A column as the header declares it.
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) kind: AttributeKind,
    /// The line it is declared in.
    pub(super) line: u64,
}

/// What a column is declared to hold.
pub(super) enum AttributeKind {
    Number,
    /// Any text; dates are texts too, as they are in CSV.
    Text,
    Nominal(Declared),
}

/// The values a nominal attribute may have, in the order of the declaration.
#[derive(Default)]
pub(super) struct Declared {
    pub(super) values: Vec<String>,
    pub(super) codes: Codes,
}

/// The types that are read, as they are spelt.
const TYPES: [&str; 5] = ["numeric", "real", "integer", "string", "date"];
const KEYWORDS: [&str; 3] = ["@relation", "@attribute", "@data"];

/// Whether a text starts like an ARFF file: comments, then a keyword.
pub(in super::super) fn starts(text: &[u8]) -> bool {
    let content = |line: &&[u8]| !line.is_empty() && !line.starts_with(b"%");
    let first = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).find(content);
    let is = |line: &[u8], keyword: &str| {
        let start = line.get(..keyword.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(keyword.as_bytes()))
    };
    first.is_some_and(|line| KEYWORDS.iter().any(|keyword| is(line, keyword)))
}

/// Reads up to the line `@data`.
pub(super) fn read(buffer: &mut Buffer, most: usize) -> Result<Vec<Attribute>> {
    let source = buffer.source.clone();
    let mut attributes = Vec::new();
    let mut last = 1;
    while let Some((rest, len, number)) = buffer.next_line()? {
        let line = Line { source: &source, text: &rest[..len], number };
        last = number;
        let mut words = Tokens::new(line.text, 0);
        let from = words.at();
        if from == len {
            continue;
        }
        let keyword = words.word(b"").map_err(|Unclosed| line.unclosed())?;
        let keyword = &line.text[keyword.from..keyword.to];
        if keyword.eq_ignore_ascii_case(b"@attribute") {
            if attributes.len() == most {
                return Err(too_wide(&source, Some(number), most));
            }
            attributes.push(line.attribute(&mut words)?);
        } else if keyword.eq_ignore_ascii_case(b"@data") {
            check(&attributes, &source, number)?;
            return Ok(attributes);
        } else if !keyword.eq_ignore_ascii_case(b"@relation") {
            return Err(line.unknown(keyword));
        }
    }
    let help = "the line `@data` separates the attributes from the rows";
    let place = place(&source, Some(last), None);
    Err(Error::table(place, "the file ends within its header", "`@data`", help))
}

fn check(attributes: &[Attribute], source: &Source, line: u64) -> Result<()> {
    if attributes.is_empty() {
        let help = "declare the columns, such as `@attribute age numeric`";
        let place = place(source, Some(line), None);
        return Err(Error::table(place, "there are no attributes", "`@attribute`", help));
    }
    let Some(name) = twice(attributes.iter().map(|a| a.name.as_str())) else { return Ok(()) };
    let line = attributes.iter().rev().find(|a| a.name == name).map(|a| a.line);
    Err(Error::table(
        place(source, line, Some(name.to_owned())),
        format!("two attributes are called `{name}`"),
        "a different name for each attribute",
        "rename one of them",
    ))
}

/// A line of the header.
struct Line<'a> {
    source: &'a Source,
    text: &'a [u8],
    number: u64,
}

impl Line<'_> {
    fn refuse(&self, problem: &str, expected: &str, help: impl Into<String>) -> Error {
        Error::table(place(self.source, Some(self.number), None), problem, expected, help)
    }

    fn unclosed(&self) -> Error {
        let help = "close the quote, or write a backslash before it where it belongs to the text";
        self.refuse("a quote is opened here and never closed", "a closing quote", help)
    }

    fn unknown(&self, keyword: &[u8]) -> Error {
        let got = shown(keyword);
        let known = KEYWORDS.map(str::to_owned);
        let help = match nearest(&got, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "rows come after the line `@data`, comments start with %".to_owned(),
        };
        self.refuse(&format!("`{got}` is no keyword of a header"), "`@attribute` or `@data`", help)
    }

    /// The rest of an `@attribute` line.
    fn attribute(&self, words: &mut Tokens<'_>) -> Result<Attribute> {
        let name = words.word(b"{").map_err(|Unclosed| self.unclosed())?;
        let text = name.text(self.text);
        let not_text = |_| not_utf8(place(self.source, Some(self.number), None));
        let name = wrong::text(&text).map_err(not_text)?.to_owned();
        if name.is_empty() {
            let help = "such as `@attribute age numeric`";
            return Err(self.refuse("the attribute has no name", "a name and a type", help));
        }
        let kind = if words.skip(b'{') {
            AttributeKind::Nominal(self.values(words, &name)?)
        } else {
            let word = words.word(b"{[").map_err(|Unclosed| self.unclosed())?;
            self.simple(&shown(&word.text(self.text)), &name)?
        };
        Ok(Attribute { name, kind, line: self.number })
    }

    /// A type of one word. What follows it, such as the format of a date, does not matter here.
    fn simple(&self, word: &str, name: &str) -> Result<AttributeKind> {
        match word.to_ascii_lowercase().as_str() {
            "numeric" | "real" | "integer" => Ok(AttributeKind::Number),
            "string" | "date" => Ok(AttributeKind::Text),
            _ => {
                let help = match nearest(word, &TYPES.map(str::to_owned)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "nominal values stand in braces: {red, green}".to_owned(),
                };
                let place = place(self.source, Some(self.number), Some(name.to_owned()));
                let problem = format!("`{word}` is no type of an attribute that can be read");
                let expected = "numeric, real, integer, string, date or {values}";
                Err(Error::table(place, problem, expected, help))
            }
        }
    }

    /// The values of a nominal attribute, after the opening brace.
    fn values(&self, words: &mut Tokens<'_>, name: &str) -> Result<Declared> {
        let mut declared = Declared::default();
        while !words.skip(b'}') {
            let here = || place(self.source, Some(self.number), Some(name.to_owned()));
            if words.at() == self.text.len() {
                let problem = "the list of values is never closed";
                return Err(Error::table(here(), problem, "a closing }", ""));
            }
            let word = words.word(b"}").map_err(|Unclosed| self.unclosed())?;
            let text = word.text(self.text);
            let value = wrong::text(&text).map_err(|_| not_utf8(here()))?;
            if (word.quoted || !value.is_empty()) && declared.codes.get(&text).is_none() {
                declared.codes.insert(&text, declared.values.len() as u32);
                declared.values.push(value.to_owned());
            }
            words.skip(b',');
        }
        Ok(declared)
    }
}
