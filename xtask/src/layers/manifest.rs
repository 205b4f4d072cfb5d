//! The few things of a `Cargo.toml` that the check needs: its name and its dependencies.

/// A dependency that the built crate has; those of tests do not count.
pub(super) struct Dependency {
    pub name: String,
    pub line: usize,
}

pub(super) struct Manifest {
    pub name: Option<String>,
    pub dependencies: Vec<Dependency>,
}

pub(super) fn parse(text: &str) -> Manifest {
    let mut manifest = Manifest { name: None, dependencies: Vec::new() };
    let mut section = "";
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            // `[dependencies.NAME]` names one dependency by itself.
            if let Some((kind, name)) = section.rsplit_once('.')
                && is_built(kind)
            {
                manifest.dependencies.push(Dependency { name: bare(name), line: at + 1 });
            }
        } else if let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            let key = key.trim();
            if section == "package" && key == "name" {
                manifest.name = Some(bare(value));
            } else if is_built(section) {
                let own = key.split('.').next().unwrap_or(key);
                let name = renamed(value).unwrap_or(own);
                manifest.dependencies.push(Dependency { name: bare(name), line: at + 1 });
            }
        }
    }
    manifest
}

fn is_built(section: &str) -> bool {
    let kind = section.rsplit('.').next().unwrap_or(section);
    matches!(kind, "dependencies" | "build-dependencies")
}

/// The crate behind another name: `{ package = "crate" }`.
fn renamed(value: &str) -> Option<&str> {
    let (_, after) = value.split_once("package")?;
    after.trim_start().strip_prefix('=')?.split('"').nth(1)
}

fn bare(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).to_owned()
}
