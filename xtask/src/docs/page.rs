//! What the check needs of a Markdown page: its links, its headings, its code, its lines.

/// A page; lines are counted from 1.
#[derive(Default)]
pub(super) struct Page {
    pub links: Vec<(usize, String)>,
    pub anchors: Vec<String>,
    /// Code spans, and the lines of code blocks.
    pub code: Vec<(usize, String)>,
    pub lines: Vec<(usize, String)>,
}

pub(super) fn parse(text: &str) -> Page {
    let mut page = Page::default();
    let mut fence: Option<String> = None;
    for (at, line) in text.lines().enumerate() {
        let number = at + 1;
        page.lines.push((number, line.to_owned()));
        let start = line.trim_start();
        if let Some(open) = &fence {
            if start.starts_with(open.as_str()) && start.trim_end().len() == fence_of(start).len() {
                fence = None;
            } else {
                page.code.push((number, line.to_owned()));
            }
            continue;
        }
        if fence_of(start).len() >= 3 {
            fence = Some(fence_of(start).to_owned());
            continue;
        }
        if let Some(heading) = heading(line) {
            page.anchors.push(unused(&slug(heading), &page.anchors));
        }
        let (prose, code) = split(line);
        page.code.extend(code.into_iter().map(|code| (number, code)));
        page.anchors.extend(["id=\"", "name=\""].iter().flat_map(|key| quoted(&prose, key)));
        let mut links = inline(&prose);
        links.extend(["href=\"", "src=\""].iter().flat_map(|key| quoted(&prose, key)));
        links.extend(definition(&prose));
        page.links.extend(links.into_iter().map(|target| (number, target)));
    }
    page
}

/// The backticks or tildes a line starts with.
fn fence_of(line: &str) -> &str {
    let mark = if line.starts_with('~') { '~' } else { '`' };
    &line[..line.len() - line.trim_start_matches(mark).len()]
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim())
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || "_- ".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The second heading of a name ends in `-1`, and so on.
fn unused(slug: &str, known: &[String]) -> String {
    let mut names = (0..).map(|n| if n == 0 { slug.to_owned() } else { format!("{slug}-{n}") });
    names.find(|name| !known.contains(name)).unwrap_or_default()
}

/// The line without its code spans, and what they hold.
fn split(line: &str) -> (String, Vec<String>) {
    let (mut prose, mut code) = (String::new(), Vec::new());
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let ticks = fence_of(&rest[at..]).len();
        let (mark, after) = rest[at..].split_at(ticks);
        let Some(end) = after.find(mark) else { break };
        prose.push_str(&rest[..at]);
        code.push(after[..end].to_owned());
        rest = &after[end + ticks..];
    }
    (prose + rest, code)
}

/// The targets of `[text](target "title")`.
fn inline(prose: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for (at, mark) in prose.match_indices("](") {
        let inside = &prose[at + mark.len()..];
        let mut depth = 1;
        let end = inside.char_indices().find(|(_, letter)| {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let inside = end.map_or(inside, |(end, _)| &inside[..end]);
        targets.extend(inside.split_whitespace().next().map(bare));
    }
    targets
}

/// The target of `[name]: target`.
fn definition(prose: &str) -> Option<String> {
    let (_, target) = prose.trim_start().strip_prefix('[')?.split_once("]:")?;
    target.split_whitespace().next().map(bare)
}

fn quoted(prose: &str, key: &str) -> Vec<String> {
    let after = prose.match_indices(key).map(|(at, _)| &prose[at + key.len()..]);
    after.filter_map(|text| Some(text.split_once('"')?.0.to_owned())).collect()
}

fn bare(target: &str) -> String {
    target.trim_start_matches('<').trim_end_matches('>').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_anchors() {
        let page = parse("# A first: `look`, now\n## Same\n## Same\n####### no\n#no\n<a id=\"x\">");
        assert_eq!(page.anchors, ["a-first-look-now", "same", "same-1", "x"]);
    }

    #[test]
    fn links_of_every_form_are_found() {
        let text = "[a](b.md \"c\") ![d](<e.svg>) [f](g_(h).md)\n[i]: j.md\n<img src=\"k.png\">";
        let targets: Vec<_> = parse(text).links.into_iter().map(|(_, target)| target).collect();
        assert_eq!(targets, ["b.md", "e.svg", "g_(h).md", "j.md", "k.png"]);
    }

    #[test]
    fn code_holds_no_links() {
        let text = "````\n```\n[a](b)\n````\n~~~text\n[a](b)\n~~~\n``[a](b) ` ``\n[c](d)";
        let page = parse(text);
        assert_eq!(page.links, [(9, "d".to_owned())]);
        let code = [(2, "```"), (3, "[a](b)"), (6, "[a](b)"), (8, "[a](b) ` ")];
        assert_eq!(page.code, code.map(|(line, text)| (line, text.to_owned())));
    }
}
