//! Every case under `tests/cases` through the default engine, in both data models: right or unknown, never wrong, and every
//! bug replays. What the engine does not decide is listed in `undecided.txt`; `RADDLE_BLESS=1` writes the list anew.
//! `RADDLE_CASES=part` runs only the cases that match.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use raddle_engines::{MemoryModel, engine};
use raddle_ir::Property;
use raddle_oracle::cases::{Case, read_all};
use raddle_oracle::compare::{Finding, Question};
use raddle_oracle::judge::{JudgeReport, Judged, judge};
use raddle_oracle::truth::Truth;

#[expect(clippy::disallowed_methods, reason = "the environment chooses the cases")]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The default engine's answers.
fn judged(part: &str, with_variants: bool, chosen: impl Fn(usize) -> bool) -> Vec<Judged> {
    let cases = read_all(part).unwrap();
    let cases: Vec<_> =
        cases.into_iter().enumerate().filter(|(number, _)| chosen(*number)).map(|(_, case)| case).collect();
    let question = Question {
        engine: engine("po-bmc").unwrap(),
        memory_model: MemoryModel::Sc,
        // Of a case that is decided late some variants may not be.
        time: Duration::from_secs(if with_variants { 5 } else { 60 }),
        // What waits without end is not decided by looking further.
        unwind_max: Some(4),
        rounds: None,
        contexts: None,
        seed: 1,
    };
    judge(&cases, &question, std::thread::available_parallelism().map_or(1, usize::from), with_variants)
}

#[expect(clippy::print_stdout, reason = "the test tells what it has seen")]
fn assert_right(report: &JudgeReport) {
    println!("{}", report.weaker.join("\n"));
    println!("{report}");
    let failures = report.failures.join("\n");
    assert!(report.failures.is_empty(), "{} WRONG VERDICTS\n{failures}", report.failures.len());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the list is a file")]
fn every_case_is_right_or_unknown() {
    let part = environment("RADDLE_CASES");
    let report = JudgeReport::new(&judged(part.as_deref().unwrap_or_default(), false, |_| true));
    assert_right(&report);
    if part.is_some() {
        return;
    }
    let cases = report.programs.get(&None).copied().unwrap_or_default();
    assert!(cases >= 600, "{cases} cases");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/undecided.txt");
    let mut found = report.undecided.join("\n");
    found.push('\n');
    if environment("RADDLE_BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    let difference = |one: &str, other: &str| -> Vec<String> {
        one.lines().filter(|line| !other.lines().any(|known| known == *line)).map(str::to_owned).collect()
    };
    let (new, gone) = (difference(&found, &expected), difference(&expected, &found));
    assert!(
        new.is_empty() && gone.is_empty(),
        "what is not decided has changed\nnew:\n{}\ngone:\n{}",
        new.join("\n"),
        gone.join("\n")
    );
}

#[test]
fn bugs_show_with_so_many_context_switches_and_no_fewer() {
    let cases: Vec<_> = read_all("").unwrap().into_iter().filter(|case| case.contexts.is_some()).collect();
    assert!(cases.len() >= 6, "{} cases", cases.len());
    for case in cases {
        let fewest = case.contexts.unwrap_or_default();
        for (name, switches) in ["po-bmc", "exhaustive"]
            .into_iter()
            .flat_map(|name| (fewest.saturating_sub(1)..=fewest).map(move |switches| (name, switches)))
        {
            let question = Question {
                engine: engine(name).unwrap(),
                memory_model: MemoryModel::Sc,
                time: Duration::from_secs(60),
                unwind_max: Some(4),
                rounds: None,
                contexts: Some(switches),
                seed: 1,
            };
            for judged in judge(std::slice::from_ref(&case), &question, 1, false) {
                for (property, finding) in judged.findings.unwrap() {
                    let about = format!("{} {name} within {switches}: {}", judged.name, property.name());
                    let expected = if switches == fewest {
                        Finding::Violated
                    } else {
                        Finding::Bounded(Truth::Violated)
                    };
                    assert_eq!(finding, expected, "{about}");
                }
            }
        }
    }
}

/// What each of these properties is said to be, by case.
fn found(
    cases: &[Case],
    order: &[Property],
    engine_name: &str,
) -> Vec<(String, BTreeMap<Property, Finding>)> {
    let mut cases = cases.to_vec();
    for case in &mut cases {
        case.properties = order.to_vec();
        case.models.truncate(1);
    }
    let question = Question {
        engine: engine(engine_name).unwrap(),
        memory_model: MemoryModel::Sc,
        time: Duration::from_secs(60),
        unwind_max: Some(3),
        rounds: None,
        contexts: None,
        seed: 1,
    };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let judged = judge(&cases, &question, jobs, false);
    judged.into_iter().map(|judged| (judged.name, judged.findings.unwrap().into_iter().collect())).collect()
}

#[test]
fn the_order_in_which_properties_are_asked_makes_no_difference() {
    // One case in twenty, each asked for everything that is asked for by default.
    let cases: Vec<_> = read_all("").unwrap().into_iter().skip(7).step_by(20).collect();
    assert!(cases.len() >= 30, "{} cases", cases.len());
    let order = [
        Property::Assertion,
        Property::Deadlock,
        Property::LockMisuse,
        Property::DataRace,
        Property::MemorySafety,
    ];
    let mut other = order;
    other.reverse();
    other.swap(0, 2);
    for (one, same) in found(&cases, &order, "po-bmc").into_iter().zip(found(&cases, &other, "po-bmc")) {
        assert_eq!(one, same);
    }
}

#[test]
fn variants_have_the_verdict_of_their_case() {
    // One case in eight; all of them by `cargo xtask oracle --metamorphic`.
    let part = environment("RADDLE_CASES");
    let report = JudgeReport::new(&judged(part.as_deref().unwrap_or_default(), true, |number| {
        part.is_some() || number % 8 == 2
    }));
    assert_right(&report);
}
