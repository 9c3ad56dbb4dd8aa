//! A fixed sample of programs as gcc builds them: what is seen natively is enumerated, and no engine says otherwise.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use raddle_cfront::layout::DataModel;
use raddle_engines::{
    Card, Engine, Evidence, Grounds, MemoryModel, Reason, Session, Task, Unsupported, Verdict, engine,
};
use raddle_oracle::outcomes::Topic;
use raddle_oracle::outcomes::native::is_available;
use raddle_oracle::outcomes::referee::{Referee, RefereeSummary};

/// What the referee says of so many programs; nothing where there is no gcc.
#[expect(clippy::print_stdout, reason = "the test tells what it has seen")]
fn referee(engines: &[&dyn Engine], count: usize, seed: u64) -> Option<RefereeSummary> {
    if !is_available(DataModel::Lp64) {
        println!("SKIPPED: gcc is not installed, so nobody tells what programs do");
        return None;
    }
    let referee = Referee {
        count,
        seed,
        about: None,
        runs: 4,
        sanitize: 0,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        max_states: 20_000,
        engines,
        others: 1,
        time: Duration::from_secs(20),
        progress: &|_| {},
        found: &|mismatch| println!("{}: {}", mismatch.what, mismatch.text()),
    };
    Some(referee.run().unwrap())
}

#[test]
fn what_is_seen_natively_is_enumerated_and_not_refuted() {
    let Some(summary) = referee(&[engine("po-bmc").unwrap()], 40, 3_170) else { return };
    println!("{summary}");
    assert!(summary.mismatches.is_empty());
    assert!(summary.compared >= 28, "most programs are enumerated");
    assert!(summary.outcomes.0 >= 50, "programs have several outcomes");
    let missing: Vec<&Topic> =
        Topic::ALL.iter().filter(|topic| !summary.topics.contains_key(topic)).collect();
    assert!(missing.is_empty(), "the sample is about everything: {missing:?}");
}

/// An engine that gives the same answer to all.
struct Same(Verdict);

impl Engine for Same {
    fn card(&self) -> &'static Card {
        &Card {
            name: "same",
            about: "says the same of all programs",
            properties: raddle_ir::Property::ALL,
            memory_models: MemoryModel::ALL,
            options: &[],
            rewrites_source: false,
        }
    }

    fn supports(&self, _: &Task<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn answer(&self, task: &Task<'_>, session: &Session<'_>) {
        let verdicts = task.properties.iter().map(|&property| (property, self.0.clone()));
        session.answers.give_all(verdicts, Grounds::default());
    }
}

#[test]
fn an_engine_that_refutes_what_was_seen_is_caught() {
    let safe = Same(Verdict::Safe(Evidence::FullyUnrolled));
    let Some(summary) = referee(&[&safe], 10, 3_060) else { return };
    // One program in four claims that an outcome which was seen never is.
    assert!(summary.mismatches.len() >= 2, "{summary}");
    assert!(summary.mismatches.iter().all(|mismatch| mismatch.what.contains("WRONG SAFE")));
    let modest = Same(Verdict::Unknown(Reason::Other("tired".to_owned())));
    assert!(referee(&[&modest], 10, 3_060).is_some_and(|summary| summary.mismatches.is_empty()));
}
