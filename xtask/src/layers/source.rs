//! Which modules of the crate a source file uses: a look at its text, not a parser.

/// The code of a file without comments, literals and what only tests see. Lines keep their
/// numbers.
pub(super) struct Stripped {
    pub code: String,
    /// Modules that are declared for tests only and stand in files of their own.
    pub test_modules: Vec<String>,
}

/// A top-level name of the crate that the code uses.
pub(super) struct Used {
    pub name: String,
    pub line: usize,
    /// Whether it was reached by `super::` instead of `crate::`.
    pub by_super: bool,
}

const TEST_ONLY: &str = "#[cfg(test)]";

pub(super) fn strip(text: &str) -> Stripped {
    let mut code = without_literals(text);
    let mut test_modules = Vec::new();
    let mut from = 0;
    while let Some(found) = code[from..].find(TEST_ONLY) {
        let start = from + found;
        let end = start + TEST_ONLY.len() + item(&code[start + TEST_ONLY.len()..]);
        let words: Vec<&str> = code[start + TEST_ONLY.len()..end].split_whitespace().collect();
        if let [.., "mod", name] = words[..]
            && let Some(name) = name.strip_suffix(';')
        {
            test_modules.push(name.to_owned());
        }
        code.replace_range(start..end, &blank(&code[start..end]));
        from = end;
    }
    Stripped { code, test_modules }
}

/// Spaces instead of letters, lines kept.
fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

fn without_literals(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, literal) = match literal(rest) {
            0 => (first.len_utf8(), !first.is_ascii()),
            length => (length, true),
        };
        let (taken, after) = rest.split_at(length);
        if literal {
            code.push_str(&blank(taken));
        } else {
            code.push_str(taken);
        }
        rest = after;
    }
    code
}

/// The length of the comment, string or character that the text starts with; 0 for code.
fn literal(text: &str) -> usize {
    let all = text.len();
    if text.starts_with("//") {
        text.find('\n').unwrap_or(all)
    } else if text.starts_with("/*") {
        block_comment(text)
    } else if let Some(inside) = text.strip_prefix('"') {
        1 + closing(inside, '"')
    } else if let Some(inside) = text.strip_prefix('\'') {
        let mut letters = inside.chars();
        match (letters.next(), letters.next()) {
            (Some('\\'), _) => 1 + closing(inside, '\''),
            (Some(letter), Some('\'')) => letter.len_utf8() + 2,
            // A lifetime.
            _ => 0,
        }
    } else if let Some(inside) = text.strip_prefix('r') {
        let hashes = inside.len() - inside.trim_start_matches('#').len();
        if !inside[hashes..].starts_with('"') {
            return 0;
        }
        let end = format!("\"{}", "#".repeat(hashes));
        let open = 2 + hashes;
        text[open..].find(&end).map_or(all, |at| open + at + end.len())
    } else {
        0
    }
}

/// The length up to and with the closing quote, escapes passed over.
fn closing(inside: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in inside.char_indices() {
        if !escaped && letter == quote {
            return at + 1;
        }
        escaped = !escaped && letter == '\\';
    }
    inside.len()
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_u32, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// The length of the item the code starts with: up to its `;` or the end of its block.
fn item(code: &str) -> usize {
    let (mut braces, mut brackets) = (0_u32, 0_u32);
    for (at, letter) in code.char_indices() {
        match letter {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets = brackets.saturating_sub(1),
            '{' => braces += 1,
            '}' if braces <= 1 => return at + 1,
            '}' => braces -= 1,
            ';' if braces == 0 && brackets == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// The top-level names of the crate that a file uses whose module path has `depth` parts.
pub(super) fn uses(code: &str, depth: usize) -> Vec<Used> {
    let mut found = Vec::new();
    for (at, word) in words(code) {
        let tail = match word {
            "crate" => code[at + word.len()..].trim_start().strip_prefix("::"),
            "super" if !code[..at].trim_end().ends_with("super::") => climb(&code[at..], depth),
            _ => None,
        };
        let Some(tail) = tail else { continue };
        let by_super = word == "super";
        for (offset, name) in heads(tail) {
            let line = 1 + code[..code.len() - tail.len() + offset].matches('\n').count();
            found.push(Used { name: name.to_owned(), line, by_super });
        }
    }
    found
}

/// What follows when the code climbs by `super::` at least `depth` times, to the crate's root.
fn climb(mut code: &str, depth: usize) -> Option<&str> {
    let mut climbed = 0;
    while let Some(rest) = code.strip_prefix("super") {
        code = rest.trim_start().strip_prefix("::")?.trim_start();
        climbed += 1;
    }
    (climbed >= depth).then_some(code)
}

/// All words with their positions.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    code.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter_map(
        move |word| {
            let start = at;
            // Separators are ASCII: everything else was made blank.
            at += word.len() + 1;
            (!word.is_empty()).then_some((start, word))
        },
    )
}

/// The first names of a path tail with their positions: one, or all of a group in braces.
fn heads(tail: &str) -> Vec<(usize, &str)> {
    let path = tail.trim_start();
    let start = tail.len() - path.len();
    if path.starts_with('*') {
        return vec![(start, "*")];
    }
    if !path.starts_with('{') {
        return words(tail).next().filter(|(at, _)| *at == start).into_iter().collect();
    }
    let group = &tail[..start + item(path)];
    let is_head = |&(at, word): &(usize, &str)| {
        let before = group[..at].trim_end();
        let depth = before.matches('{').count() - before.matches('}').count();
        depth == 1 && before.ends_with(['{', ',']) && word != "self"
    };
    words(group).filter(is_head).collect()
}
