//! What the tests of the passes share: programs from files, gcc as the judge.

#![allow(dead_code, reason = "each test uses a part of this")]
#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use raddle_base::{Diagnostics, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_cfront::preprocess::{Options, Preprocessor};
use raddle_sequentialize::{Pipeline, Program};

/// A folder below the project's tests.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name)
}

/// All files below a folder whose names end so, in order.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[expect(clippy::disallowed_methods, reason = "the tests read their cases")]
pub(crate) fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}

#[expect(
    clippy::disallowed_methods,
    reason = "blessing writes the snapshots, and programs are built from files"
)]
pub(crate) fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

/// A variable of the environment.
#[expect(
    clippy::disallowed_methods,
    reason = "how much is run, and blessing, is asked for by the environment"
)]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The API models as one text, as the front end is given them.
pub(crate) fn models() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lower/models");
    let mut text = format!("# 1 \"<models>/raddle.h\" 3\n{}", read(&folder.join("raddle.h")));
    // As the lowering says it where nothing may fail.
    text += "enum { __ENVIRONMENT_MALLOC_MAY_FAIL = 0, __ENVIRONMENT_CREATE_MAY_FAIL = 0 };\n";
    // The lowering lists them in the order in which they can be read.
    let list = read(&folder.join("../src/models.rs"));
    for name in list.lines().filter_map(|line| line.trim().strip_prefix("(\"")?.split('"').next()) {
        text += &format!("# 1 \"<models>/{name}\" 3\n{}", read(&folder.join(name)));
    }
    text
}

/// A program from texts that need no preprocessor; `with_models` adds the API models.
pub(crate) fn program_of(texts: &[(&str, &str)], model: DataModel, with_models: bool) -> Program {
    let mut sources = SourceMap::new();
    let mut units: Vec<_> =
        texts.iter().map(|(name, text)| sources.add(name, text.as_bytes().to_vec()).unwrap()).collect();
    if with_models {
        units.push(sources.add("<models>", models().into_bytes()).unwrap());
    }
    let parsed = parse_program(&mut sources, &units, model);
    let errors: Vec<_> = parsed.diagnostics.iter().map(|found| found.message.clone()).collect();
    assert!(
        !parsed.diagnostics.has_errors(),
        "{:?}: {errors:?}",
        texts.iter().map(|text| text.0).collect::<Vec<_>>()
    );
    Program::new(sources, parsed.ast, usize::from(with_models))
}

/// A program from a file, preprocessed if its name says so.
pub(crate) fn program_from(path: &Path, model: DataModel, with_models: bool) -> Program {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(Options { model, ..Options::default() });
    let file = preprocessor.load(&mut sources, path, &mut diagnostics).unwrap();
    let mut units = vec![file];
    if with_models {
        units.push(sources.add("<models>", models().into_bytes()).unwrap());
    }
    let parsed = parse_program(&mut sources, &units, model);
    let errors: Vec<_> = parsed.diagnostics.iter().map(|found| found.message.clone()).collect();
    assert!(!parsed.diagnostics.has_errors(), "{}: {errors:?}", path.display());
    Program::new(sources, parsed.ast, usize::from(with_models))
}

/// Runs a pipeline, every pass checked. Gives why it was refused, if it was; a broken program fails the test.
pub(crate) fn run(pipeline: &str, program: &mut Program) -> Result<(), String> {
    let pipeline = Pipeline::parse(pipeline).unwrap();
    match pipeline.run(program, true, |_, _, _| {}) {
        Ok(()) => Ok(()),
        Err(raddle_sequentialize::RunError::Refused { pass, refusal }) => Err(format!("{pass}: {refusal}")),
        Err(
            broken @ (raddle_sequentialize::RunError::Broken { .. }
            | raddle_sequentialize::RunError::Exhausted(_)),
        ) => panic!("{broken}"),
    }
}

/// Whether gcc is there; says loudly if not.
#[expect(clippy::print_stderr, reason = "a check that is left out is left out loudly")]
pub(crate) fn gcc_is_there() -> bool {
    let found = gcc().arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    if !found {
        eprintln!("SKIPPED: there is no gcc on this machine, so nobody judged what was printed");
    }
    found
}

#[expect(clippy::disallowed_methods, reason = "the tests ask the real compiler")]
pub(crate) fn gcc() -> Command {
    Command::new("gcc")
}

/// Whether gcc accepts a text; what it says if not.
pub(crate) fn accepted(text: &str, model: DataModel) -> Result<(), String> {
    let machine = match model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    };
    let mut child = gcc()
        .args([machine, "-std=gnu11", "-fsyntax-only", "-w", "-fmax-errors=3", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // gcc may stop reading at an error.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    let output = child.wait_with_output().unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// What a built program printed, and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Behaviour {
    pub(crate) output: String,
    pub(crate) status: Option<i32>,
}

/// Builds a text with gcc and runs it.
#[expect(clippy::disallowed_methods, reason = "the built program is run")]
pub(crate) fn behaviour(text: &str, place: &Path) -> Result<Behaviour, String> {
    let (source, program) = (place.with_extension("c"), place.with_extension("exe"));
    write(&source, text);
    let built: Output = gcc()
        .args(["-std=gnu11", "-w", "-O0", "-o"])
        .arg(&program)
        .arg(&source)
        .args(["-lm", "-lpthread"])
        .output()
        .unwrap();
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let run = Command::new(&program).stdin(Stdio::null()).output().unwrap();
    Ok(Behaviour { output: String::from_utf8_lossy(&run.stdout).into_owned(), status: run.status.code() })
}
