//! Tables of papers, repeated.
//!
//! `raptor`: Table 1 of "Verification of concurrent programs using trace abstraction refinement" (Cassez and Ziegler 2015), by `trace-abstraction` alone.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use raddle_base::{Budget, Diagnostics, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_cfront::preprocess::{Options as Preprocessing, Preprocessor};
use raddle_ir::{Program, Property};
use raddle_lower::{LowerOptions, lower, models};
use raddle_proof::{Claim, check_product};
use raddle_trace_abstraction::{Answer, Effort, Options, Reduction, decide};

use crate::chores::say;

/// A row of the table: the file, whether it is safe, and the paper's steps, states, reduction in percent, seconds, and length of the counterexample.
struct Row {
    name: &'static str,
    file: &'static str,
    is_safe: bool,
    paper: (u32, u32, u32, f64, Option<u32>),
}

const fn row(
    name: &'static str,
    file: &'static str,
    is_safe: bool,
    paper: (u32, u32, u32, f64, Option<u32>),
) -> Row {
    Row { name, file, is_safe, paper }
}

const RAPTOR: &[Row] = &[
    row("stateful01", "benches/raptor/stateful01_false.c", false, (0, 22, 0, 1.1, Some(20))),
    row("stateful01", "benches/raptor/stateful01_true.c", true, (10, 1628, 17, 6.1, None)),
    row("lazy01", "benches/raptor/lazy01.c", false, (1, 11, 0, 1.3, Some(9))),
    row("peterson", "pthread-atomic/peterson.i", true, (29, 1200, 8, 5.7, None)),
    row("dekker", "pthread-atomic/dekker.i", true, (9, 1276, 7, 6.6, None)),
    row("szymanski", "pthread-atomic/szymanski.i", true, (47, 9811, 13, 10.0, None)),
    row("read_write_lock", "pthread-atomic/read_write_lock-2.i", false, (11, 2178, 16, 6.0, Some(26))),
    row("read_write_lock", "pthread-atomic/read_write_lock-1.i", true, (38, 10216, 24, 9.5, None)),
    row("time_var_mutex", "pthread-atomic/time_var_mutex.i", true, (5, 67, 38, 0.69, None)),
    row("fib_bench_false", "pthread/fib_bench-2.i", false, (284, 10082, 77, 29.0, Some(37))),
    row("ext-spin2003", "benches/raptor/ext_spin2003.c", true, (1, 203, 0, 3.4, None)),
];

/// `papers NAME [DIR]`
pub(crate) fn papers(arguments: &[String]) -> Result<()> {
    match arguments.split_first() {
        Some((name, rest)) if name == "raptor" => raptor(rest.first().map(PathBuf::from)),
        _ => bail!("usage: cargo xtask papers raptor [DIR]"),
    }
}

fn raptor(tasks: Option<PathBuf>) -> Result<()> {
    say("program            safe   steps        states           reduced    solving  length     seconds");
    say("                        ours paper   ours paper    ours paper            ours paper  ours paper");
    let mut failed = 0;
    for row in RAPTOR {
        let is_ours = row.file.starts_with("benches");
        let path = match (&tasks, is_ours) {
            (_, true) => PathBuf::from(row.file),
            (Some(tasks), false) => tasks.join(row.file),
            (None, false) => {
                say(&format!("{:<18} not at hand", row.name));
                continue;
            }
        };
        let model = if is_ours { DataModel::Lp64 } else { DataModel::Ilp32 };
        let program = load(&path, model)?;
        let (verdict, effort, seconds) = run(&program, Reduction::PartialOrder)?;
        let (_, all, _) = run(&program, Reduction::None)?;
        let is_right = verdict == Some(row.is_safe);
        failed += usize::from(!is_right);
        say(&line(row, &effort, &all, seconds));
        if !is_right {
            say("    not the right verdict");
        }
    }
    if failed > 0 { bail!("{failed} programs were not decided right") } else { Ok(()) }
}

fn line(row: &Row, effort: &Effort, all: &Effort, seconds: f64) -> String {
    let (steps, states, reduced, paper_seconds, length) = row.paper;
    let percent = |part: f64, whole: f64| if whole > 0.0 { 100.0 * part / whole } else { 0.0 };
    let ours = percent(all.states as f64 - effort.states as f64, all.states as f64);
    let solving = percent(effort.solving.as_secs_f64(), seconds);
    let own_length = if row.is_safe { String::new() } else { effort.length.to_string() };
    let length = length.map_or_else(String::new, |length| length.to_string());
    format!(
        "{:<18} {:<4} {:>5} {steps:>5} {:>6} {states:>5} {ours:>6.0}% {reduced:>4}% {solving:>8.0}% {own_length:>6} {length:>5} {seconds:>6.2} {paper_seconds:>5.2}",
        row.name,
        if row.is_safe { "yes" } else { "no" },
        effort.rounds,
        effort.states,
    )
}

fn load(path: &Path, model: DataModel) -> Result<Program> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(Preprocessing { model, ..Preprocessing::default() });
    let mut units: Vec<_> = preprocessor.load(&mut sources, path, &mut diagnostics).into_iter().collect();
    let (name, text) = models();
    units.extend(sources.add(name, text.into_bytes()));
    let parsed = parse_program(&mut sources, &units, model);
    let lowering = LowerOptions { arguments: vec!["program".to_owned()], ..LowerOptions::default() };
    match lower(&parsed.ast, lowering, 1).program {
        Some(program) => Ok(program),
        None => bail!("{} has no meaning here", path.display()),
    }
}

/// Whether the program is safe, if that is known; a proof is one when it was checked, and the time has that in it.
fn run(program: &Program, reduction: Reduction) -> Result<(Option<bool>, Effort, f64)> {
    let budget = Budget::unlimited().with_time(Duration::from_secs(120));
    let options = raddle_flow::Options::default();
    let excused = options.excused.clone();
    let flow = match raddle_flow::build(program, &options, &budget) {
        Ok(flow) => flow,
        Err(refused) => bail!("{refused}"),
    };
    let options = Options { reduction, ..Options::default() };
    let (answer, effort) = decide(program, flow, options, &budget);
    let verdict = match answer {
        Ok(Answer::Safe(certificate)) => {
            let claim = Claim { program, asked: vec![Property::Assertion], excused };
            check_product(&claim, &certificate, &budget).is_ok().then_some(true)
        }
        Ok(Answer::Bug(_)) => Some(false),
        Ok(Answer::Open(_)) | Err(_) => None,
    };
    Ok((verdict, effort, budget.elapsed().as_secs_f64()))
}
