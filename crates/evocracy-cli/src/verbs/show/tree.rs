//! A tree in words and as a picture.

use crate::look::Look;
use crate::words;
use anyhow::Result;
use evocracy::data::Classes;
use evocracy::experts::{TreeNode, TreeOutline};
use evocracy::model::Model;
use evocracy_report::{TreeBox, TreePicture, tree_svg};
use std::path::Path;

/// How many nodes a person is shown, and how many are drawn.
const SHOWN: usize = 63;
const DRAWN: usize = 127;

/// Deeper lines are not indented further.
const MOST_INDENT: usize = 40;

/// The tree as indented lines; nothing for a model that is none.
pub fn text(model: &Model) -> String {
    let (Some(tree), Ok(classes)) = (model.tree(SHOWN), model.classes()) else {
        return String::new();
    };
    let mut text = "\nThe tree, each condition below the one that it comes after:\n".to_owned();
    for node in &tree.nodes {
        if node.depth == 0 && !node.leaf {
            continue;
        }
        let indent = 2 * node.depth.saturating_sub(1).min(MOST_INDENT);
        let condition = if node.depth == 0 { "all rows" } else { &node.condition };
        text += &format!("{:indent$}{condition}{}\n", "", verdict(node, classes));
    }
    text + &cut(&tree, "; --plot draws more, --json lists more")
}

/// What a leaf says, and what a node says below which nothing is shown.
fn verdict(node: &TreeNode, classes: &Classes) -> String {
    if !node.leaf && node.hidden == 0 {
        return String::new();
    }
    let best = (1..node.says.len())
        .fold(0, |best, class| if node.says[class] > node.says[best] { class } else { best });
    let (name, share, rows) = (&classes.names()[best], node.says[best], words::count(node.rows));
    let s = if node.rows == 1.0 { "" } else { "s" };
    let hidden = match node.hidden {
        0 => String::new(),
        more => format!("; {more} more nodes below"),
    };
    format!(": {name} {share:.3} ({rows} row{s}){hidden}")
}

/// How much of the tree is shown, where that is not all.
fn cut(tree: &TreeOutline, more: &str) -> String {
    if tree.is_whole() {
        return String::new();
    }
    format!(
        "Only the first {} of {} levels of splits are shown, {} of {} nodes{more}.\n",
        tree.depth,
        tree.of_depth,
        tree.nodes.len(),
        tree.of_nodes
    )
}

/// Draws the tree, as many of its levels as can be read.
pub fn draw(model: &Model, from: &str, (path, look): (&Path, &Look)) -> Result<()> {
    let Some(tree) = model.tree(DRAWN) else { return Ok(()) };
    let names: Vec<&str> = model.classes()?.names().iter().map(String::as_str).collect();
    let drawn = |node| {
        let TreeNode { parent, condition, says, rows, hidden, leaf, .. }: &TreeNode = node;
        let (parent, rows, hidden, leaf) = (*parent, *rows, *hidden, *leaf);
        TreeBox { parent, condition, shares: says, rows, hidden, leaf }
    };
    let nodes: Vec<TreeBox<'_>> = tree.nodes.iter().map(drawn).collect();
    let note = cut(&tree, "");
    let picture = TreePicture { nodes: &nodes, classes: &names, note: note.trim_end() };
    let about = model.about();
    let title = format!("Predicting {}", about.target);
    let subtitle = format!("{from}, {}, trained on {} rows", about.method, about.rows);
    look.write(path, (title, subtitle), |options| tree_svg(&picture, options))
}
