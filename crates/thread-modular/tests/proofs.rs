//! The cases of `tests/cases/proofs` that are about assertions, memory safety or data races: what is safe is proved, whatever the number of threads, and what is
//! not is not.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on fails, and reads its cases"
)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle_base::{Budget, Diagnostics, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_cfront::preprocess::{Options as Preprocessing, Preprocessor};
use raddle_ir::{Program, Property};
use raddle_lower::{LowerOptions, SignedOverflow, Threads, lower, models};
use raddle_proof::Claim;
use raddle_thread_modular::{Answer, Goal, Tried, prove, prove_together};

/// What is wrong is looked at for so long; campaigns of the oracle (`--about unbounded`) look at more, and for longer.
const WRONG: Duration = Duration::from_secs(2);
/// What is right takes a few seconds on an idle machine.
const RIGHT: Duration = Duration::from_secs(120);

fn cases(property: &str, verdict: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/proofs");
    let verdict = format!("//@ property: {property}\n//@ verdict: {verdict}\n");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| std::fs::read_to_string(file).unwrap().contains(&verdict)).collect();
    files.sort();
    assert!(!files.is_empty(), "there are cases");
    files
}

fn program(file: &Path, threads: Threads) -> Program {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(Preprocessing::default());
    let mut units: Vec<_> = preprocessor.load(&mut sources, file, &mut diagnostics).into_iter().collect();
    let (name, text) = models();
    units.extend(sources.add(name, text.into_bytes()));
    let parsed = parse_program(&mut sources, &units, DataModel::Lp64);
    let lowering = LowerOptions {
        arguments: vec!["program".to_owned()],
        signed_overflow: SignedOverflow::Undefined,
        threads,
        ..LowerOptions::default()
    };
    lower(&parsed.ast, lowering, 1).program.unwrap()
}

/// Whether a proof of a case is found and accepted, of the program itself or of the one in which threads are not told apart.
fn is_proved(file: &Path, property: Property, time: Duration) -> bool {
    let threads = [Threads::Alike, Threads::Apart];
    threads.into_iter().any(|threads| is_proved_where(file, property, threads, time))
}

/// The same of one of them; a claim that is not accepted is an error of the analysis.
fn is_proved_where(file: &Path, property: Property, threads: Threads, time: Duration) -> bool {
    let (program, budget) = (program(file, threads), Budget::unlimited().with_time(time));
    let asked = vec![property];
    let mut options = raddle_flow::Options { asked: asked.clone(), ..raddle_flow::Options::default() };
    options.excused.retain(|excused| *excused != property);
    let excused = options.excused.clone();
    let Ok(mut flow) = raddle_flow::build(&program, &options, &budget) else { return false };
    match prove(&program, &mut flow, &budget) {
        // Out of time.
        Err(_) | Ok(Answer::Open(_) | Answer::GaveUp(_)) => false,
        Ok(Answer::Claim(claim)) => {
            let claimed = Claim { program: &program, asked, excused };
            let checked = raddle_proof::check(&claimed, &claim.certificate, &Budget::unlimited());
            if let Err(rejected) = &checked {
                // Which pointers are numbers the analysis does not look at; the checker does.
                assert_eq!(property, Property::MemorySafety, "{}: {rejected}", file.display());
            }
            checked.is_ok()
        }
    }
}

/// Cases of a property with a verdict that are proved, or not.
fn that_are(proved: bool, property: Property, verdict: &str, time: Duration) -> Vec<PathBuf> {
    let cases = cases(property.name(), verdict).into_iter();
    cases.filter(|file| is_proved(file, property, time) == proved).collect()
}

#[test]
fn what_is_safe_is_proved() {
    assert_eq!(that_are(false, Property::Assertion, "safe", RIGHT), Vec::<PathBuf>::new());
}

#[test]
fn what_is_not_safe_is_not_proved() {
    assert_eq!(that_are(true, Property::Assertion, "bug", WRONG), Vec::<PathBuf>::new());
}

#[test]
fn memory_that_is_used_right_is_proved_and_what_is_used_wrong_is_not() {
    assert_eq!(that_are(false, Property::MemorySafety, "safe", RIGHT), Vec::<PathBuf>::new());
    assert_eq!(that_are(true, Property::MemorySafety, "bug", WRONG), Vec::<PathBuf>::new());
}

/// Whether a proof is found and accepted that a case has no data races.
fn is_race_free(file: &Path, time: Duration) -> bool {
    [Threads::Alike, Threads::Apart].into_iter().any(|threads| is_race_free_where(file, threads, time))
}

fn is_race_free_where(file: &Path, threads: Threads, time: Duration) -> bool {
    let (program, budget) = (program(file, threads), Budget::unlimited().with_time(time));
    let asked = vec![Property::DataRace];
    let mut options = raddle_flow::Options { asked: asked.clone(), ..raddle_flow::Options::default() };
    options.excused.push(Property::Assertion);
    let excused = options.excused.clone();
    let Ok(mut flow) = raddle_flow::build(&program, &options, &budget) else { return false };
    let mut accepts = |claim: raddle_thread_modular::Claim| {
        let claimed = Claim { program: &program, asked: asked.clone(), excused: excused.clone() };
        raddle_proof::check(&claimed, &claim.certificate, &budget).is_ok()
    };
    let tried = prove_together(&program, &mut flow, Goal::NoRace, &budget, &mut accepts);
    matches!(tried, Ok(Tried::Accepted))
}

#[test]
fn what_has_no_races_is_proved_and_what_has_is_not() {
    let open: Vec<PathBuf> =
        cases("data-race", "safe").into_iter().filter(|file| !is_race_free(file, RIGHT)).collect();
    assert_eq!(open, Vec::<PathBuf>::new());
    let proved: Vec<PathBuf> =
        cases("data-race", "bug").into_iter().filter(|file| is_race_free(file, WRONG)).collect();
    assert_eq!(proved, Vec::<PathBuf>::new());
}
