//! Every C file that the project ships: parsed, printed, accepted by gcc, parsed again to the same tree.
//!
//! A case is read in both data models, unless its first line says `// model: lp64` or `// model: ilp32`.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use raddle_base::{Diagnostics, FileId, Severity, SourceMap, on_large_stack};
use raddle_cfront::ast::{Ast, Stmt, StmtKind};
use raddle_cfront::layout::DataModel;
use raddle_cfront::preprocess::{Options, Preprocessor};
use raddle_cfront::print::{PrintOptions, print};
use raddle_cfront::{dump, parse_program};

/// All C files below a folder of the project's tests, in order of their names.
fn c_files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder);
    let mut folders = vec![root];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[expect(clippy::disallowed_methods, reason = "the tests read their cases")]
fn models(file: &Path) -> &'static [DataModel] {
    let text = std::fs::read(file).unwrap();
    if text.starts_with(b"// model: lp64") {
        &[DataModel::Lp64]
    } else if text.starts_with(b"// model: ilp32") {
        &[DataModel::Ilp32]
    } else {
        &[DataModel::Lp64, DataModel::Ilp32]
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests ask the real compiler")]
fn gcc() -> Command {
    Command::new("gcc")
}

#[expect(clippy::print_stderr, reason = "a check that is left out is left out loudly")]
fn gcc_is_there() -> bool {
    let found = gcc().arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    if !found {
        eprintln!("SKIPPED: there is no gcc on this machine, so nobody judged what was printed");
    }
    found
}

fn accepted_by_gcc(text: &str, model: DataModel) -> Result<(), String> {
    let machine = match model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    };
    let mut child = gcc()
        .args([machine, "-std=gnu17", "-fsyntax-only", "-w", "-fmax-errors=3", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // gcc may stop reading at an error.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    let output = child.wait_with_output().unwrap();
    if output.status.success() {
        return Ok(());
    }
    Err(format!("gcc refuses what we print:\n{}", String::from_utf8_lossy(&output.stderr)))
}

fn parse(sources: &mut SourceMap, file: FileId, model: DataModel) -> Result<Ast, String> {
    let parsed = parse_program(sources, &[file], model);
    let error = parsed.diagnostics.iter().find(|found| found.severity == Severity::Error);
    match error {
        None => Ok(parsed.ast),
        Some(error) => {
            let line = sources.locate(error.primary.span.lo).map_or(0, |place| place.line);
            Err(format!("line {line}: {}", error.message))
        }
    }
}

fn difference(before: &str, after: &str) -> Option<String> {
    if before == after {
        return None;
    }
    let mut lines = before.lines().zip(after.lines()).enumerate();
    Some(match lines.find(|(_, (left, right))| left != right) {
        Some((number, (left, right))) => {
            format!("the trees differ at line {}:\n  before: {left}\n  after:  {right}", number + 1)
        }
        None => "one tree is longer than the other".to_owned(),
    })
}

/// The file and line of every statement that has a line of its own.
fn places(ast: &Ast, sources: &SourceMap) -> Vec<(String, u32)> {
    let own_line = |kind: &StmtKind| {
        !matches!(kind, StmtKind::Block(_) | StmtKind::Declare(_) | StmtKind::Empty | StmtKind::Asm(_))
    };
    let statements = ast.stmts.values().filter(|stmt| own_line(&stmt.kind));
    let place = |stmt: &Stmt| sources.locate(stmt.span.lo).map(|place| (place.file.to_string(), place.line));
    statements.map(|stmt| place(stmt).unwrap_or_default()).collect()
}

fn round_trip(file: &Path, model: DataModel, gcc_judges: bool) -> Result<(), String> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(Options { model, ..Options::default() });
    let id = preprocessor.load(&mut sources, file, &mut diagnostics).ok_or_else(|| {
        let messages: Vec<_> = diagnostics.iter().map(|problem| problem.message.as_str()).collect();
        format!("cannot be preprocessed: {}", messages.join("; "))
    })?;
    let first = parse(&mut sources, id, model)?;
    let before = dump::dump(&first);
    for line_directives in [false, true] {
        let printed = print(&first, &PrintOptions { line_directives }, &sources);
        if gcc_judges && !line_directives {
            accepted_by_gcc(&printed, model)?;
        }
        let again = sources.add("printed.i", printed.into_bytes()).unwrap();
        let second = parse(&mut sources, again, model).map_err(|why| format!("the printed text: {why}"))?;
        if let Some(difference) = difference(&before, &dump::dump(&second)) {
            return Err(difference);
        }
        if line_directives {
            // Statements inside `typeof` and the like are not printed, so some may be missing.
            let wanted = places(&first, &sources);
            let mut rest = wanted.iter();
            if let Some(moved) =
                places(&second, &sources).iter().find(|place| !rest.any(|known| known == *place))
            {
                return Err(format!("`#line` moves a statement to {moved:?}"));
            }
        }
    }
    Ok(())
}

fn all_round_trip(files: &[PathBuf]) {
    let gcc_judges = gcc_is_there();
    let jobs: Vec<(&Path, DataModel)> = files
        .iter()
        .flat_map(|file| models(file).iter().map(move |&model| (file.as_path(), model)))
        .collect();
    let failure = |&(file, model): &(&Path, DataModel)| {
        let why = on_large_stack(|| round_trip(file, model, gcc_judges)).err()?;
        Some(format!("{} ({model:?}): {why}", file.display()))
    };
    // Most of the time goes to waiting for the preprocessor and for gcc.
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let jobs = &jobs;
        let work =
            |first: usize| jobs.iter().skip(first).step_by(workers).filter_map(failure).collect::<Vec<_>>();
        let started: Vec<_> = (0..workers).map(|first| scope.spawn(move || work(first))).collect();
        started.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn accepted_cases_round_trip() {
    let files = c_files("c/accept");
    assert!(files.len() >= 100, "the accepted cases are there");
    all_round_trip(&files);
}

#[test]
fn verification_cases_round_trip() {
    all_round_trip(&c_files("cases"));
}
