//! The words of a BIF file, each with its place.

use crate::error::{Error, Place, Result};

/// A word, or one of the signs `{ } ( ) [ ] | ;`. Commas are like blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word<'a> {
    Text(&'a str),
    Sign(u8),
    End,
}

/// Walks through the words of a text.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    name: &'a str,
    text: &'a str,
    at: usize,
    line: u64,
    /// Where the line begins.
    start: usize,
    /// Where the last word began.
    last: (u64, u64),
}

impl<'a> Lexer<'a> {
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Self { name, text, at: 0, line: 1, start: 0, last: (1, 1) }
    }

    /// An error at the last word.
    pub fn wrong(&self, problem: impl Into<String>, expected: impl Into<String>) -> Error {
        let (line, column) = self.last;
        let place = Place {
            source: self.name.to_owned(),
            line: Some(line),
            column: Some(column.to_string()),
            row: None,
        };
        Error::table(place, problem, expected, "")
    }

    /// The next word.
    pub fn next(&mut self) -> Result<Word<'a>> {
        self.skip()?;
        self.last = (self.line, (self.at - self.start) as u64 + 1);
        let rest = &self.text[self.at..];
        let Some(&first) = rest.as_bytes().first() else { return Ok(Word::End) };
        if b"{}()[]|;".contains(&first) {
            self.at += 1;
            return Ok(Word::Sign(first));
        }
        if first == b'"' {
            let inside = &rest[1..];
            let end = inside.find(['"', '\n']).filter(|end| inside.as_bytes()[*end] == b'"');
            let end = end.ok_or_else(|| self.wrong("a quotation does not end", "`\"`"))?;
            self.at += end + 2;
            return Ok(Word::Text(&inside[..end]));
        }
        let end = |c: char| c.is_whitespace() || ",{}()[]|;\"".contains(c);
        let length = rest.find(end).unwrap_or(rest.len());
        self.at += length;
        Ok(Word::Text(&rest[..length]))
    }

    /// Passes over blanks, commas and comments.
    fn skip(&mut self) -> Result<()> {
        loop {
            let rest = &self.text[self.at..];
            let Some(first) = rest.chars().next() else { return Ok(()) };
            if first == '\n' {
                self.at += 1;
                (self.line, self.start) = (self.line + 1, self.at);
            } else if first.is_whitespace() || first == ',' || first == '\u{feff}' {
                self.at += first.len_utf8();
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(inside) = rest.strip_prefix("/*") {
                self.last = (self.line, (self.at - self.start) as u64 + 1);
                let end = inside
                    .find("*/")
                    .ok_or_else(|| self.wrong("a comment does not end", "`*/`"))?;
                self.lines(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    /// Goes on by so many bytes and counts the lines in them.
    fn lines(&mut self, length: usize) {
        let end = self.at + length;
        for (at, byte) in self.text.as_bytes()[self.at..end].iter().enumerate() {
            if *byte == b'\n' {
                (self.line, self.start) = (self.line + 1, self.at + at + 1);
            }
        }
        self.at = end;
    }

    /// The rest of a property, up to and with its semicolon.
    pub fn pass_property(&mut self) -> Result<()> {
        loop {
            match self.next()? {
                Word::Sign(b';') => return Ok(()),
                Word::End => return Err(self.wrong("the file ends in a property", "`;`")),
                _ => {}
            }
        }
    }

    /// A word that is no sign.
    pub fn text(&mut self, what: &str) -> Result<&'a str> {
        match self.next()? {
            Word::Text(text) => Ok(text),
            other => Err(self.wrong(found(other), what)),
        }
    }

    /// This sign and no other.
    pub fn sign(&mut self, sign: u8) -> Result<()> {
        match self.next()? {
            Word::Sign(found) if found == sign => Ok(()),
            other => Err(self.wrong(found(other), format!("`{}`", char::from(sign)))),
        }
    }

    /// This word and no other.
    pub fn keyword(&mut self, word: &str) -> Result<()> {
        match self.next()? {
            Word::Text(text) if text == word => Ok(()),
            other => Err(self.wrong(found(other), format!("`{word}`"))),
        }
    }
}

/// A word for messages.
pub(super) fn found(word: Word<'_>) -> String {
    match word {
        Word::Text(text) => {
            let short: String = text.chars().take(40).collect();
            format!("`{short}` is not expected here")
        }
        Word::Sign(sign) => format!("`{}` is not expected here", char::from(sign)),
        Word::End => "the file ends here".into(),
    }
}
