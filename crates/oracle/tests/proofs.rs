//! Cases under `tests/cases` through the engine `thread-modular`: what runs of the VM or the headers of the cases break is never proved, and
//! what it is there for is.

use std::time::Duration;

use raddle_engines::{MemoryModel, engine};
use raddle_oracle::cases::{Case, read_all};
use raddle_oracle::compare::Question;
use raddle_oracle::judge::{JudgeReport, judge};

/// Topics where much is broken, and where much could be proved.
const TOPICS: &[&str] = &[
    "proofs/",
    "races/",
    "deadlock/",
    "atomic-blocks/",
    "condition/",
    "wakeups/",
    "handles/",
    "ended-threads/",
];

/// Absence of data races and deadlocks, which no engine with bounds shows where loops have none.
const PROVED: &[&str] = &[
    "proofs/blocks-of-the-program",
    "proofs/chain-of-joins",
    "proofs/condition-is-looked-at-again",
    "proofs/counter-under-a-lock",
    "proofs/detached-without-end",
    "proofs/handle-from-a-helper",
    "proofs/handed-on-by-a-flag",
    "proofs/one-lock-without-end",
    "proofs/read-after-join",
    "proofs/two-locks-in-order",
];

#[test]
fn invariants_prove_nothing_that_is_broken() {
    let (mut broken, mut safe): (Vec<_>, Vec<_>) = TOPICS
        .iter()
        .flat_map(|topic| read_all(topic).unwrap())
        .filter(|case| case.is_broken() || PROVED.contains(&case.name.as_str()))
        .partition(|case| case.is_broken());
    for case in broken.iter_mut().chain(&mut safe) {
        case.models.truncate(1);
    }
    assert!(broken.len() >= 80 && safe.len() == PROVED.len(), "{} broken, {} safe", broken.len(), safe.len());
    // All cases, for as long as one likes: `cargo xtask oracle --cases '' --engine thread-modular`.
    let failures = judged(&broken, Duration::from_secs(2)).failures;
    assert!(failures.is_empty(), "WRONG VERDICTS\n{}", failures.join("\n"));
    let report = judged(&safe, Duration::from_secs(60));
    assert!(report.failures.is_empty(), "WRONG VERDICTS\n{}", report.failures.join("\n"));
    assert!(report.undecided.is_empty(), "no longer proved: {:#?}", report.undecided);
}

fn judged(cases: &[Case], time: Duration) -> JudgeReport {
    let question = Question {
        engine: engine("thread-modular").expect("it is there"),
        memory_model: MemoryModel::Sc,
        time,
        unwind_max: None,
        rounds: None,
        contexts: None,
        seed: 1,
    };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    JudgeReport::new(&judge(cases, &question, jobs, false))
}
