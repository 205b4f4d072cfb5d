//! `cargo xtask layers`: modules and crates use only what lies below them.
//!
//! The order is the one of `docs/ARCHITECTURE.md`. Code that only tests see may look anywhere.

mod manifest;
mod source;

use crate::Outcome;
use crate::finding::{Finding, report};
use crate::shell::{files, name, read, root};
use std::path::{Path, PathBuf};

/// Names of one height.
struct Layer {
    names: &'static [&'static str],
    /// Whether they must not use each other.
    apart: bool,
}

const fn together(names: &'static [&'static str]) -> Layer {
    Layer { names, apart: false }
}

const fn apart(names: &'static [&'static str]) -> Layer {
    Layer { names, apart: true }
}

/// Layers from the bottom up.
struct Order(&'static [Layer]);

/// The modules of the library.
const MODULES: Order = Order(&[
    together(&["error", "param", "run"]),
    together(&["num"]),
    apart(&["data", "evolve", "measure"]),
    together(&["classify"]),
    apart(&["experts", "rules", "kernel", "network", "sample"]),
    together(&["model", "method", "committee", "judge", "front"]),
    together(&["study"]),
    together(&["select"]),
]);

/// The crates of the workspace. `xtask` must build when nothing else does.
const CRATES: Order = Order(&[
    apart(&["evocracy", "xtask"]),
    together(&["evocracy-external", "evocracy-report"]),
    together(&["evocracy-experiments"]),
    together(&["evocracy-cli", "evocracy-py"]),
]);

/// Macros that stand at the crate's root, and the module that defines them.
const MACROS: &[(&str, &str)] = &[("params", "param"), ("choices", "param")];

impl Order {
    fn height(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|layer| layer.names.contains(&name))
    }

    /// What `name` may use, from the bottom up.
    fn below(&self, name: &str) -> Vec<&'static str> {
        let height = self.height(name).unwrap_or(0);
        let lower = self.0[..height].iter().flat_map(|layer| layer.names).copied();
        let beside = self.0[height..=height].iter().filter(|layer| !layer.apart);
        let beside = beside.flat_map(|layer| layer.names).copied();
        lower.chain(beside.filter(|&other| other != name)).collect()
    }

    /// What is wrong when `from` uses `to`, if anything is.
    fn wrong(&self, from: &str, to: &str) -> Option<String> {
        if from == to {
            return None;
        }
        for name in [from, to] {
            if self.height(name).is_none() {
                return Some(format!(
                    "`{name}` stands in no layer; give it one in xtask/src/layers/mod.rs, or name the module it comes from"
                ));
            }
        }
        let allowed = self.below(from);
        if allowed.contains(&to) {
            return None;
        }
        let allowed = if allowed.is_empty() { "nothing".into() } else { allowed.join(", ") };
        Some(format!("`{from}` uses `{to}`; it may use {allowed}"))
    }
}

/// Checks the library's modules and the workspace's crates.
pub(crate) fn check() -> Outcome {
    let root = root();
    let sources = root.join("crates/evocracy/src");
    let mut findings = Vec::new();
    let mut texts = Vec::new();
    for path in files(&sources, ".rs") {
        texts.push((source::strip(&read(&path)?), path));
    }
    let only_tests: Vec<PathBuf> = texts.iter().flat_map(|(s, p)| test_modules(s, p)).collect();
    for (stripped, path) in &texts {
        let module = module_of(path, &sources);
        if !module.is_empty() && !only_tests.iter().any(|tests| path.starts_with(tests)) {
            findings.extend(check_source(&stripped.code, &module, &name(path, &root)));
        }
    }
    let crates = std::fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    let crates = crates.map(|entry| entry.path()).chain([root.join("xtask")]);
    let mut manifests: Vec<PathBuf> = crates.map(|folder| folder.join("Cargo.toml")).collect();
    manifests.retain(|manifest| manifest.exists());
    manifests.sort();
    for path in &manifests {
        findings.extend(check_manifest(&read(path)?, &name(path, &root)));
    }
    let looked_at = format!("{} source files and {} crates", texts.len(), manifests.len());
    report("layers", &looked_at, &findings)
}

/// Where the modules are that a file declares for tests only: `NAME.rs` and all below `NAME`.
fn test_modules(stripped: &source::Stripped, path: &Path) -> Vec<PathBuf> {
    let own = path.with_extension("");
    let is_root = own.ends_with("mod") || own.ends_with("lib");
    let folder = if is_root { path.parent().unwrap_or(path).to_path_buf() } else { own };
    let both = |name: &String| [folder.join(name), folder.join(format!("{name}.rs"))];
    stripped.test_modules.iter().flat_map(both).collect()
}

/// The module path of a source file; empty for the crate's root.
fn module_of(path: &Path, sources: &Path) -> Vec<String> {
    let inner = name(&path.with_extension(""), sources);
    let parts = inner.split('/').map(str::to_owned);
    parts.filter(|part| part != "mod" && part != "lib").collect()
}

fn check_source(code: &str, module: &[String], file: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for used in source::uses(code, module.len()) {
        let to = MACROS
            .iter()
            .find(|(name, _)| *name == used.name)
            .map_or(used.name.as_str(), |(_, module)| module);
        // `super::super::name` may also be an item of a module written inside the file.
        if used.by_super && MODULES.height(to).is_none() {
            continue;
        }
        findings
            .extend(MODULES.wrong(&module[0], to).map(|what| Finding::new(file, used.line, what)));
    }
    findings
}

fn check_manifest(text: &str, file: &str) -> Vec<Finding> {
    let manifest = manifest::parse(text);
    let Some(own) = manifest.name else {
        return vec![Finding::new(file, 0, "it names no package")];
    };
    if CRATES.height(&own).is_none() {
        return vec![Finding::new(file, 0, format!("the crate `{own}` stands in no layer"))];
    }
    let ours = manifest.dependencies.iter().filter(|d| CRATES.height(&d.name).is_some());
    ours.filter_map(|d| Some(Finding::new(file, d.line, CRATES.wrong(&own, &d.name)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(module: &str, text: &str) -> Vec<(usize, String)> {
        let module: Vec<String> = module.split('/').map(str::to_owned).collect();
        let code = source::strip(text).code;
        check_source(&code, &module, "a.rs").into_iter().map(|f| (f.line, f.what)).collect()
    }

    #[test]
    fn what_lies_below_may_be_used() {
        assert_eq!(found("experts/tree", "use crate::classify::Learner;"), []);
        assert_eq!(found("method", "use crate::model::Model;\nuse crate::experts::Tree;"), []);
        assert_eq!(found("model/core", "use crate::committee::Forest;"), []);
        assert_eq!(found("committee/stack", "use crate::judge::Protocol;"), []);
        assert_eq!(found("front", "use crate::{judge::Report, model::Model};"), []);
        assert_eq!(found("select", "use crate::study::Plan;"), []);
        assert_eq!(found("data/view", "use crate::data::Table;"), []);
        assert_eq!(found("experts/tree", "crate::params! { }"), []);
    }

    #[test]
    fn what_lies_above_or_beside_may_not() {
        let found_one = found("data/view", "\nuse crate::model::Model;");
        let what = "`data` uses `model`; it may use error, param, run, num";
        assert_eq!(found_one, [(2, what.to_owned())]);
        assert_eq!(found("measure", "fn f() { crate::data::read(); }").len(), 1);
        assert_eq!(found("experts", "use crate::{error::{Error, Result}, rules::Ucs};").len(), 1);
        assert_eq!(found("data/view", "use super::super::model::Model;").len(), 1);
        assert_eq!(found("method", "use super::study;").len(), 1);
        assert_eq!(found("judge", "use crate::study::Plan;").len(), 1);
        assert_eq!(found("study", "use crate::select::Genes;").len(), 1);
        assert_eq!(found("error", "use crate::num::Matrix;").len(), 1);
        assert_eq!(found("error", "use crate::*;").len(), 1);
        let group = "use crate::{\n    error::{self, Error},\n    data,\n    model::{Model},\n};";
        assert_eq!(found("data", group).iter().map(|(line, _)| *line).collect::<Vec<_>>(), [4]);
    }

    #[test]
    fn a_module_without_a_layer_is_reported() {
        let what = &found("data", "use crate::helpers::x;")[0].1;
        assert!(what.contains("`helpers` stands in no layer"), "{what}");
        assert!(found("helpers", "use crate::data::x;")[0].1.contains("`helpers`"));
    }

    #[test]
    fn comments_strings_and_tests_are_not_code() {
        let text = r##"
            //! See [`crate::model`].
            /* crate::model::a /* crate::model::b */ crate::model::c */
            const A: &str = "crate::model::d \" crate::model::e";
            const B: &str = r#"crate::model::f " crate::model::g"#;
            const C: char = '"';
            fn f<'a>(x: &'a str) {}
            #[cfg(test)]
            mod tests { use crate::model::Model; fn g() { if true { crate::study::h() } } }
            #[cfg(test)]
            use crate::method::{make, registry};
        "##;
        assert_eq!(found("data", text), []);
        let after = format!("{text} use crate::model::Model;");
        assert_eq!(found("data", &after).len(), 1, "code after the tests counts");
    }

    #[test]
    fn files_of_test_modules_are_known() {
        let stripped = source::strip("#[cfg(test)]\nmod reference;\nmod real;");
        let paths = test_modules(&stripped, Path::new("src/measure/mod.rs"));
        assert_eq!(paths[1], Path::new("src/measure/reference.rs"));
        let paths = test_modules(&stripped, Path::new("src/measure/roc.rs"));
        assert_eq!(paths[1], Path::new("src/measure/roc/reference.rs"));
        assert_eq!(stripped.test_modules, ["reference"]);
    }

    #[test]
    fn crates_depend_downwards() {
        let manifest = |name: &str, rest: &str| {
            check_manifest(&format!("[package]\nname = \"{name}\"\n{rest}"), "Cargo.toml").len()
        };
        assert_eq!(manifest("evocracy-cli", "[dependencies]\nevocracy-report.workspace = true"), 0);
        assert_eq!(manifest("evocracy", "[dependencies]\nevocracy-cli = { path = \"x\" }"), 1);
        assert_eq!(manifest("evocracy", "[dependencies.evocracy-cli]\npath = \"x\""), 1);
        assert_eq!(manifest("evocracy", "[dependencies]\nx = { package = \"evocracy-cli\" }"), 1);
        assert_eq!(manifest("evocracy", "[dev-dependencies]\nevocracy-cli.workspace = true"), 0);
        assert_eq!(manifest("evocracy-experiments", "[dependencies]\nevocracy-report = \"1\""), 0);
        assert_eq!(manifest("evocracy-report", "[dependencies]\nevocracy-experiments = \"1\""), 1);
        assert_eq!(manifest("stranger", ""), 1);
        let target = "[target.'cfg(unix)'.dependencies]\nevocracy-py = \"1\"";
        assert_eq!(manifest("evocracy", target), 1);
    }
}
