//! The graph and the network that `evocracy combine` draws and writes.

use super::{Args, NETWORKS, by, short};
use crate::shell::Shell;
use anyhow::Result;
use evocracy::classify::LabelReport;
use evocracy::committee::LabelsModel;
use evocracy::data::Dataset;
use evocracy_report::{Graph, network_svg};
use std::path::Path;

/// A file about the network.
pub(super) struct Picture<'a> {
    pub(super) what: &'static str,
    pub(super) path: &'a Path,
    pub(super) text: String,
}

/// The pictures and files of the network that were asked for. Where `auto` chose a way that is no
/// network there is nothing to write, which is no reason to lose the rest.
pub(super) fn pictures<'a>(
    shell: &Shell,
    args: &'a Args,
    data: &Dataset,
    labels: &LabelsModel,
) -> Result<Vec<Picture<'a>>> {
    let mut found = Vec::new();
    let lacking = |option: &str, what: &str, help: &str| {
        let way = short(&labels.report().way);
        shell.remark(&format!(
            "note: `{way}` {what}, so there is nothing for {option}; take --method {help}"
        ));
    };
    if let Some(path) = &args.graph {
        if labels.report().arcs_of.is_some() {
            let text = graph(args, data, labels.report());
            found.push(Picture { what: "graph", path, text });
        } else {
            lacking("--graph", "has no graph of what depends on what", "evobn");
        }
    }
    if let Some(path) = &args.bif {
        match labels.network() {
            Some(network) => {
                let text = network.to_bif(&data.name)?;
                found.push(Picture { what: "network", path, text });
            }
            None => lacking("--bif", "is not one Bayesian network", "evobn"),
        }
    }
    Ok(found)
}

/// The class and the experts with their arcs, as SVG.
fn graph(args: &Args, data: &Dataset, report: &LabelReport) -> String {
    let mut names = vec![args.truth.as_str()];
    names.extend(report.experts.iter().map(|expert| expert.name.as_str()));
    let number = |name: &String| names.iter().position(|known| known == name).map(|at| at as u32);
    let arcs: Vec<(u32, u32)> = report
        .arcs
        .iter()
        .filter_map(|[parent, child]| Some((number(parent)?, number(child)?)))
        .collect();
    let relevant = blanket(&arcs);
    // Of a blend the picture shows one way only, and what that one depends on.
    let way = report.arcs_of.as_deref().map_or("", short);
    let alone = if report.arcs_of.as_ref() == Some(&report.way) {
        String::new()
    } else {
        format!(" by {way} alone")
    };
    let (kind, tinted) = if NETWORKS.contains(&way) {
        ("Bayesian network", "what its probabilities depend on (its Markov blanket)")
    } else {
        ("What depends on what", "the experts that its probabilities depend on")
    };
    let tinted = format!("{tinted}{alone}");
    let graph = Graph {
        kind,
        tinted: &tinted,
        names: &names,
        arcs: &arcs,
        focus: Some(0),
        relevant: &relevant,
        confidence: &report.confidence,
    };
    let title = format!("{} experts combined by {}", report.experts.len(), by(report));
    let mut subtitle = format!("{}, {} rows", data.name, data.table().rows());
    if let Some(way) = report.arcs_of.as_ref().filter(|way| **way != report.way) {
        subtitle += &format!("; what depends on what by {}", short(way));
    }
    network_svg(&graph, &args.look.options((title, subtitle)))
}

/// What the class, node 0, depends on: its parents, its children and their parents. For a blend that
/// is less than what it looks at.
fn blanket(arcs: &[(u32, u32)]) -> Vec<u32> {
    let child = |node: u32| arcs.contains(&(0, node));
    let near = |&&(parent, of): &&(u32, u32)| of == 0 || parent == 0 || child(of);
    let mut nodes: Vec<u32> =
        arcs.iter().filter(near).flat_map(|&(parent, of)| [parent, of]).collect();
    nodes.retain(|&node| node > 0);
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
