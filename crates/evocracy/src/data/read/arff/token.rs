//! The words of a line: separated by white space or single commas, quoted with ' or ".

use std::borrow::Cow;

/// A word of a line, without its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) quoted: bool,
    /// Whether it holds a backslash.
    escaped: bool,
}

impl Word {
    const fn plain(from: usize, to: usize) -> Self {
        Self { from, to, quoted: false, escaped: false }
    }

    /// The word as it is meant, in the line it was found in.
    pub(super) fn text<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        let raw = &line[self.from..self.to];
        if !self.escaped {
            return Cow::Borrowed(raw);
        }
        let mut text = Vec::with_capacity(raw.len());
        let mut bytes = raw.iter();
        while let Some(&byte) = bytes.next() {
            text.push(match byte {
                b'\\' => match bytes.next() {
                    Some(b'n') => b'\n',
                    Some(b't') => b'\t',
                    Some(b'r') => b'\r',
                    Some(&other) => other,
                    None => b'\\',
                },
                _ => byte,
            });
        }
        Cow::Owned(text)
    }
}

/// A quote that is never closed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unclosed;

/// Goes through a line word by word.
pub(super) struct Tokens<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(line: &'a [u8], at: usize) -> Self {
        Self { line, at }
    }

    /// Where the next word starts, at a comment the end of the line.
    pub(super) fn at(&mut self) -> usize {
        while self.line.get(self.at).is_some_and(|byte| *byte <= b' ') {
            self.at += 1;
        }
        if self.line.get(self.at) == Some(&b'%') {
            self.at = self.line.len();
        }
        self.at
    }

    /// Steps over `byte` if it comes next.
    pub(super) fn skip(&mut self, byte: u8) -> bool {
        let at = self.at();
        let found = self.line.get(at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// The next word, up to white space, a comma or one of `stops`; it may be empty.
    pub(super) fn word(&mut self, stops: &[u8]) -> Result<Word, Unclosed> {
        let from = self.at();
        if let Some(&quote @ (b'\'' | b'"')) = self.line.get(from) {
            return self.quoted(quote);
        }
        let ends = |byte: &u8| *byte <= b' ' || *byte == b',' || stops.contains(byte);
        let rest = &self.line[from..];
        self.at = from + rest.iter().position(ends).unwrap_or(rest.len());
        Ok(Word::plain(from, self.at))
    }

    fn quoted(&mut self, quote: u8) -> Result<Word, Unclosed> {
        let from = self.at + 1;
        let (mut to, mut escaped) = (from, false);
        loop {
            match self.line.get(to).ok_or(Unclosed)? {
                b'\\' => {
                    escaped = true;
                    to += 2;
                }
                byte if *byte == quote => break,
                _ => to += 1,
            }
        }
        self.at = to + 1;
        Ok(Word { from, to, quoted: true, escaped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Vec<String>, Unclosed> {
        let mut words = Tokens::new(line.as_bytes(), 0);
        let mut all = Vec::new();
        while words.at() < line.len() {
            let word = words.word(b"}")?;
            all.push(String::from_utf8_lossy(&word.text(line.as_bytes())).into_owned());
            words.skip(b',');
        }
        Ok(all)
    }

    #[test]
    fn words_are_separated_and_quotes_taken_off() {
        assert_eq!(words("a, b\tc,,d % e").unwrap(), ["a", "b", "c", "", "d"]);
        assert_eq!(words(r#"'it\'s',"a, b" '%' 50%"#).unwrap(), ["it's", "a, b", "%", "50%"]);
        assert_eq!(words(r"'two\nlines'").unwrap(), ["two\nlines"]);
        assert_eq!(words("'open"), Err(Unclosed));
        assert_eq!(words(r"'open\"), Err(Unclosed));
    }
}
