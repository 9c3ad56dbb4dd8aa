//! What must be true of the tree and no compiler checks.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::chores::{root, say};

/// Which of our crates a crate may depend on. What is not listed is forbidden: this is the architecture.
const ALLOWED: &[(&str, &[&str])] = &[
    ("raddle-base", &[]),
    ("raddle-domains", &["raddle-base"]),
    ("raddle-cfront", &["raddle-base"]),
    ("raddle-ir", &["raddle-base"]),
    ("raddle-vm", &["raddle-base", "raddle-ir"]),
    ("raddle-lower", &["raddle-base", "raddle-cfront", "raddle-ir"]),
    ("raddle-logic", &["raddle-base"]),
    ("raddle-semantics", &["raddle-base", "raddle-ir", "raddle-logic"]),
    ("raddle-verdict", &["raddle-base", "raddle-ir", "raddle-logic", "raddle-vm"]),
    ("raddle-sequentialize", &["raddle-base", "raddle-cfront"]),
    ("raddle-flow", &["raddle-base", "raddle-ir", "raddle-logic", "raddle-semantics"]),
    (
        "raddle-thread-modular",
        &["raddle-base", "raddle-domains", "raddle-flow", "raddle-ir", "raddle-logic", "raddle-proof"],
    ),
    (
        "raddle-trace-abstraction",
        &["raddle-base", "raddle-flow", "raddle-ir", "raddle-logic", "raddle-proof"],
    ),
    ("raddle-proof", &["raddle-base", "raddle-ir", "raddle-logic", "raddle-semantics", "raddle-verdict"]),
    (
        "raddle-engines",
        &[
            "raddle-base",
            "raddle-cfront",
            "raddle-domains",
            "raddle-ir",
            "raddle-logic",
            "raddle-lower",
            "raddle-flow",
            "raddle-proof",
            "raddle-semantics",
            "raddle-sequentialize",
            "raddle-thread-modular",
            "raddle-trace-abstraction",
            "raddle-verdict",
            "raddle-vm",
        ],
    ),
    (
        "raddle-oracle",
        &[
            "raddle-base",
            "raddle-cfront",
            "raddle-engines",
            "raddle-flow",
            "raddle-ir",
            "raddle-logic",
            "raddle-lower",
            "raddle-proof",
            "raddle-thread-modular",
            "raddle-vm",
        ],
    ),
    ("raddle-report", &["raddle-base", "raddle-ir", "raddle-verdict", "raddle-vm"]),
    (
        "raddle",
        &[
            "raddle-base",
            "raddle-cfront",
            "raddle-engines",
            "raddle-ir",
            "raddle-lower",
            "raddle-proof",
            "raddle-report",
            "raddle-sequentialize",
            "raddle-verdict",
            "raddle-vm",
        ],
    ),
    (
        "xtask",
        &[
            "raddle-base",
            "raddle-cfront",
            "raddle-engines",
            "raddle-flow",
            "raddle-ir",
            "raddle-lower",
            "raddle-oracle",
            "raddle-proof",
            "raddle-trace-abstraction",
            "raddle-vm",
        ],
    ),
];

/// What tests of any crate may use beside that: the way from C to IR, and the VM, against which meaning is held.
const IN_TESTS: &[&str] = &["raddle-cfront", "raddle-lower", "raddle-vm"];

/// Longer files are to be split by responsibility.
const MAX_LINES: usize = 1_000;

/// Runs all checks and reports every finding.
pub(crate) fn check() -> Result<()> {
    say("\n$ tidy");
    let root = root();
    let mut findings = Vec::new();
    let mut manifests = vec![root.join("xtask/Cargo.toml")];
    for entry in fs::read_dir(root.join("crates"))? {
        manifests.push(entry?.path().join("Cargo.toml"));
    }
    manifests.sort();
    for manifest in manifests {
        check_dependencies(&manifest, &mut findings)?;
    }
    check_glossary(&root, &mut findings)?;
    let mut sources = Vec::new();
    for folder in ["crates", "xtask"] {
        collect(&root.join(folder), "rs", &mut sources)?;
    }
    for source in &sources {
        check_source(source, &mut findings)?;
    }
    for finding in &findings {
        say(finding);
    }
    if findings.is_empty() { Ok(()) } else { bail!("tidy: {} findings", findings.len()) }
}

fn check_dependencies(manifest: &Path, findings: &mut Vec<String>) -> Result<()> {
    let text = read(manifest)?;
    let name =
        text.lines().find_map(|line| line.strip_prefix("name = ")).unwrap_or_default().trim_matches('"');
    let Some((_, allowed)) = ALLOWED.iter().find(|(crate_name, _)| *crate_name == name) else {
        findings.push(format!(
            "{}: crate `{name}` is not in tidy's list of allowed dependencies",
            shown(manifest)
        ));
        return Ok(());
    };
    let mut is_for_tests = false;
    for line in text.lines() {
        if line.starts_with('[') {
            is_for_tests = line == "[dev-dependencies]";
        }
        let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
        let ours = dependency == "raddle" || dependency.starts_with("raddle-");
        let is_allowed = allowed.contains(&dependency) || is_for_tests && IN_TESTS.contains(&dependency);
        if ours && !is_allowed {
            findings.push(format!("{}: `{name}` must not depend on `{dependency}`", shown(manifest)));
        }
    }
    Ok(())
}

/// Every file that the glossary names is there: what was moved or renamed is so in both.
fn check_glossary(root: &Path, findings: &mut Vec<String>) -> Result<()> {
    let text = read(&root.join("ARCHITECTURE.md"))?;
    let Some(glossary) = text.split("\n## ").find(|part| part.starts_with("Glossary\n")) else {
        bail!("ARCHITECTURE.md has no glossary");
    };
    for row in glossary.lines().filter(|line| line.starts_with("| ")) {
        let files = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap_or_default();
        for path in files.split('`').skip(1).step_by(2).filter(|path| path.contains("/src")) {
            if !root.join("crates").join(path).exists() {
                findings
                    .push(format!("ARCHITECTURE.md: the glossary names crates/{path}, which does not exist"));
            }
        }
    }
    Ok(())
}

fn check_source(path: &Path, findings: &mut Vec<String>) -> Result<()> {
    let text = read(path)?;
    let lines = text.lines().count();
    if lines > MAX_LINES {
        findings.push(format!("{}: {lines} lines; split it (the limit is {MAX_LINES})", shown(path)));
    }
    if !text.starts_with("//!") {
        findings.push(format!("{}: does not open with `//!` and what it is for", shown(path)));
    }
    let ignored = concat!("#[", "ignore");
    if let Some(line) = text.lines().position(|line| line.trim_start().starts_with(ignored)) {
        findings.push(format!("{}:{}: ignored test", shown(path), line + 1));
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    #[expect(clippy::disallowed_methods, reason = "chores read the tree")]
    fs::read_to_string(path).with_context(|| format!("cannot read {}", shown(path)))
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// All files below `folder` with the extension, in order, build output left out.
pub(crate) fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(|| format!("cannot list {}", shown(folder)))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                collect(&path, extension, found)?;
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    Ok(())
}
