//! Sequentializations held against the enumeration of round-robin schedules: an assertion fails in the sequential program exactly
//! when it fails in an execution of so many rounds. And every case under `tests/cases`: right or unknown, never wrong.
//! The long campaigns are `cargo xtask oracle --engine lazy --within ROUNDS,UNWIND`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::time::Duration;

use raddle_engines::{MemoryModel, engine};
use raddle_ir::Property;
use raddle_oracle::campaign::{Campaign, CampaignSummary, Within};
use raddle_oracle::cases::read_all;
use raddle_oracle::compare::Question;
use raddle_oracle::judge::{JudgeReport, judge};
use raddle_oracle::truth::Truth;

use self::common::{assert_agrees, assert_clean};

fn jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn campaign(name: &str, within: Within, count: usize, seed: u64) -> CampaignSummary {
    let campaign = Campaign {
        count,
        seed,
        engine: engine(name).unwrap(),
        against: &[],
        memory_model: MemoryModel::Sc,
        jobs: jobs(),
        max_states: 2_000,
        time: Duration::from_secs(20),
        unwind_max: None,
        within: Some(within),
        contexts: None,
        shrinks: 3,
        progress: &|_| {},
        found: &|_| {},
    };
    campaign.run().unwrap()
}

/// Both verdicts must come up, or nothing is compared.
fn assert_telling(summary: &CampaignSummary, property: Property) {
    let (violated, safe) = (summary.count(property, "violated"), summary.count(property, "bounded"));
    assert!(violated >= 4 && safe >= 4, "{}: {violated} violated, {safe} safe", property.name());
    assert!(summary.count_truth(property, Truth::Violated) >= violated);
}

#[test]
fn lazy_finds_what_happens_in_so_many_rounds() {
    for (rounds, seed) in [(1, 7_000_000), (2, 7_000_100), (3, 7_000_200)] {
        let summary = campaign("lazy", Within { rounds, unwind: 2 }, 16, seed);
        assert_agrees(&summary);
        assert_telling(&summary, Property::Assertion);
    }
}

#[test]
fn lal_reps_finds_what_happens_in_so_many_rounds() {
    let summary = campaign("lal-reps", Within { rounds: 2, unwind: 2 }, 20, 7_000_300);
    assert_clean(&summary);
    assert_telling(&summary, Property::Assertion);
}

#[test]
fn cases_are_right_or_unknown() {
    // One in ten, without those whose models make very large programs (destructors of thread-specific data); all of them by
    // `cargo xtask oracle --cases '' --engine lazy`.
    let cases: Vec<_> =
        read_all("").unwrap().into_iter().filter(|case| !case.name.starts_with("keys/")).collect();
    let chosen: Vec<_> =
        cases.into_iter().enumerate().filter(|(number, _)| number % 10 == 1).map(|(_, case)| case).collect();
    let question = Question {
        engine: engine("lazy").unwrap(),
        memory_model: MemoryModel::Sc,
        time: Duration::from_secs(5),
        // Then it looks at two rounds only.
        unwind_max: Some(1),
        rounds: None,
        contexts: None,
        seed: 1,
    };
    let report = JudgeReport::new(&judge(&chosen, &question, jobs(), false));
    println!("{report}");
    let failures = report.failures.join("\n");
    assert!(report.failures.is_empty(), "{} WRONG VERDICTS\n{failures}", report.failures.len());
    assert!(report.right >= 8 && report.bounded >= 8, "it decides something");
}
