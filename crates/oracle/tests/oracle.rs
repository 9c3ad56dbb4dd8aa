//! A fixed sample of generated programs: engines agree with enumeration, and engines that are wrong on purpose are caught.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use raddle_engines::{
    Card, Coverage, Engine, Evidence, Extent, Grounds, MemoryModel, Reason, Session, Task, Unsupported,
    Verdict, engine,
};
use raddle_ir::Property;
use raddle_oracle::build::{Scratch, build};
use raddle_oracle::campaign::{Campaign, CampaignSummary};
use raddle_oracle::compare::Disagreement;
use raddle_oracle::generate::{INCLUDES, Topic, program};
use raddle_oracle::truth::Truth;
use raddle_vm::{ReplayedTrace, Search, Vm, explore};

use self::common::{assert_agrees, assert_clean};

/// Seconds, not minutes: the long campaigns are `cargo xtask oracle`.
const PROGRAMS: usize = 160;

fn campaign(engine: &dyn Engine, count: usize, seed: u64, shrinks: usize) -> CampaignSummary {
    campaign_under(engine, MemoryModel::Sc, count, seed, shrinks)
}

fn campaign_under(
    engine: &dyn Engine,
    memory_model: MemoryModel,
    count: usize,
    seed: u64,
    shrinks: usize,
) -> CampaignSummary {
    campaign_within(engine, (memory_model, None), count, seed, shrinks)
}

/// With at most so many context switches, if there is a bound.
fn campaign_within(
    engine: &dyn Engine,
    (memory_model, contexts): (MemoryModel, Option<u32>),
    count: usize,
    seed: u64,
    shrinks: usize,
) -> CampaignSummary {
    let campaign = Campaign {
        count,
        seed,
        engine,
        against: &[],
        memory_model,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        max_states: 2_000,
        time: Duration::from_secs(20),
        unwind_max: Some(5),
        within: None,
        contexts,
        shrinks,
        progress: &|_| {},
        found: &|_| {},
    };
    campaign.run().unwrap()
}

#[test]
fn the_default_engine_agrees_with_enumeration() {
    let summary = campaign(engine("po-bmc").unwrap(), PROGRAMS, 1_000_000, 3);
    assert_clean(&summary);
    for &property in Property::COMMON {
        let violated = summary.count_truth(property, Truth::Violated);
        let safe = summary.count_truth(property, Truth::Safe);
        // Arithmetic without a result is rare among the generated programs.
        let least = if matches!(property, Property::Overflow | Property::Arithmetic) { 2 } else { 4 };
        assert!(violated >= least && safe >= 60, "{}: {violated} violated, {safe} safe", property.name());
    }
    let assertions = summary.count_truth(Property::Assertion, Truth::Violated) * 100 / summary.programs;
    assert!((25..=65).contains(&assertions), "{assertions} % of the programs break an assertion");
    assert!(summary.features.len() >= 60, "{} features are used", summary.features.len());
}

#[test]
fn the_default_engine_agrees_on_memory_orders_and_atomic_blocks() {
    for topic in [Topic::Orders, Topic::AtomicBlocks] {
        assert_clean(&campaign(engine("po-bmc").unwrap(), 40, topic.first_seed(), 3));
    }
}

#[test]
fn within_few_context_switches_engines_agree_with_enumeration() {
    for (name, seed) in [("po-bmc", 1_000_000), ("exhaustive", 1_000_100), ("portfolio", 1_000_200)] {
        let within = (MemoryModel::Sc, Some(4));
        let summary = campaign_within(engine(name).unwrap(), within, 24, seed, 3);
        assert_clean(&summary);
        let count = |what| summary.count(Property::Assertion, what);
        assert!(count("violated") > 0, "{summary}");
        assert!(
            count("bounded") + count("bounded (though violated)") > 0,
            "the bound matters nowhere: {summary}"
        );
    }
}

#[test]
fn the_default_engine_agrees_on_every_topic() {
    // Inputs of any value are not for enumeration, and the programs of all topics together are tested above.
    let sampled = |topic: &&Topic| {
        !matches!(topic, Topic::Any | Topic::Inputs | Topic::Orders | Topic::AtomicBlocks | Topic::Unbounded)
    };
    for topic in Topic::ALL.iter().filter(sampled) {
        assert_agrees(&campaign(engine("po-bmc").unwrap(), 4, topic.first_seed() + 100, 1));
    }
}

#[test]
fn known_loads_do_not_hide_the_order_of_accesses() {
    for (model, topic) in [(MemoryModel::Tso, Topic::Forwarding), (MemoryModel::Pso, Topic::Wrappers)] {
        let summary = campaign_under(engine("po-bmc").unwrap(), model, 12, topic.first_seed(), 1);
        assert_agrees(&summary);
        assert!(summary.count(Property::Assertion, "violated") >= 2, "stores come late");
    }
}

#[test]
fn the_other_engines_agree_with_enumeration() {
    assert_clean(&campaign(engine("exhaustive").unwrap(), 40, 2_000_000, 3));
}

/// Whether gcc takes a text; `None` where there is no gcc.
#[expect(clippy::disallowed_methods, reason = "gcc says what C is")]
fn gcc_accepts(path: &Path) -> Option<Result<(), String>> {
    let mut gcc = Command::new("gcc");
    gcc.args(["-fsyntax-only", "-Wall", "-Wno-unused", "-fmax-errors=1"]).arg(path);
    let output = gcc.output().ok()?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    Some(if output.status.success() { Ok(()) } else { Err(messages) })
}

#[test]
fn gcc_takes_the_programs() {
    let scratch = Scratch::new().unwrap();
    let topics = Topic::ALL.iter().map(|topic| topic.first_seed()).flat_map(|first| first..first + 8);
    for seed in (3_000_000..3_000_060).chain(topics) {
        let path = scratch.write("program.c", &format!("{INCLUDES}{}", program(seed).tree)).unwrap();
        match gcc_accepts(&path) {
            None => {
                println!("SKIPPED: gcc is not installed, so nobody tells what C is");
                return;
            }
            Some(accepted) => assert_eq!(accepted, Ok(()), "seed {seed}"),
        }
    }
}

#[test]
fn the_default_engine_agrees_under_weaker_memory_models() {
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        let engine = engine("po-bmc").unwrap();
        assert_clean(&campaign_under(engine, model, 30, 4_000_000, 3));
    }
}

/// An engine that answers by a function.
struct Fake<F>(F);

impl<F: Fn(&Task<'_>) -> Vec<(Property, Verdict)> + Sync> Engine for Fake<F> {
    fn card(&self) -> &'static Card {
        &Card {
            name: "fake",
            about: "answers as the test likes",
            properties: Property::ALL,
            memory_models: MemoryModel::ALL,
            options: &[],
            rewrites_source: false,
        }
    }

    fn supports(&self, _: &Task<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn answer(&self, task: &Task<'_>, session: &Session<'_>) {
        session.answers.give_all((self.0)(task), Grounds::default());
    }
}

fn for_all(task: &Task<'_>, verdict: &Verdict) -> Vec<(Property, Verdict)> {
    task.properties.iter().map(|&property| (property, verdict.clone())).collect()
}

#[test]
fn an_engine_that_says_safe_is_caught() {
    let safe = Verdict::Safe(Evidence::FullyUnrolled);
    let summary = campaign(&Fake(|task: &Task<'_>| for_all(task, &safe)), 40, 7, 0);
    assert!(summary.failures.len() >= 20, "{summary}");
    assert!(summary.failures.iter().all(|failure| failure.what == Disagreement::WrongSafe));
    // The same with bounds is no wrong verdict.
    let bounded = Verdict::Safe(Evidence::Bounded(Coverage::default()));
    let summary = campaign(&Fake(|task: &Task<'_>| for_all(task, &bounded)), 40, 7, 0);
    assert!(summary.is_clean());
    assert!(summary.count(Property::Assertion, "bounded (though violated)") > 0);
    // But not if the bound is on context switches, and some execution needs no more.
    let few = Coverage { contexts: Some(Extent::bounded(4)), ..Coverage::default() };
    let bounded = Verdict::Safe(Evidence::Bounded(few));
    let engine = Fake(|task: &Task<'_>| for_all(task, &bounded));
    let summary = campaign_within(&engine, (MemoryModel::Sc, Some(4)), 40, 7, 0);
    assert!(!summary.failures.is_empty());
    assert!(summary.failures.iter().all(|failure| failure.what == Disagreement::Missed));
}

/// A trace that breaks an assertion of some other program.
fn foreign_trace() -> ReplayedTrace {
    let text = "void reach_error(void); int x; int main(void) { x = 1; x = 2; reach_error(); }";
    let built = build("t", text.as_bytes(), raddle_cfront::layout::DataModel::Lp64, &[]).unwrap();
    let found = explore(&Vm::new(&built.program), &Search::default());
    found.violations.first().unwrap().clone()
}

#[test]
fn an_engine_that_shows_something_else_is_caught() {
    let violated = Verdict::Violated(Box::new(foreign_trace()));
    let summary = campaign(&Fake(|task: &Task<'_>| for_all(task, &violated)), 20, 7, 0);
    assert!(summary.failures.len() >= 20, "{summary}");
    assert!(summary.failures.iter().all(|failure| matches!(failure.what, Disagreement::Replay(_))));
}

#[test]
fn an_engine_that_fails_is_caught() {
    type Answer = fn(&Task<'_>) -> Vec<(Property, Verdict)>;
    let internal: Answer = |task| {
        let reason = Reason::Internal { message: "the model does not replay".to_owned(), trace: None };
        for_all(task, &Verdict::Unknown(reason))
    };
    let forgetful: Answer = |task| {
        let unknown = Verdict::Unknown(Reason::Other("tired".to_owned()));
        for_all(task, &unknown).into_iter().skip(1).collect()
    };
    let honest: Answer = |task| for_all(task, &Verdict::Unknown(Reason::Other("tired".to_owned())));
    for answer in [internal, forgetful] {
        let summary = campaign(&Fake(answer), 4, 7, 0);
        assert_eq!(summary.failures.len(), summary.programs - summary.too_large);
        assert!(summary.failures.iter().all(|failure| failure.what.class() == "an internal error"));
    }
    let summary = campaign(&Fake(honest), 4, 7, 0);
    assert!(summary.is_clean() && summary.count(Property::Deadlock, "unknown (tired)") > 0);
}

#[test]
fn a_subtle_mistake_is_found_and_made_small() {
    // Enumerates, but looks only at the first steps and takes that for everything.
    let answer = |task: &Task<'_>| {
        let search = Search { max_depth: 9, ..Search::default() };
        let verdict = |&property: &Property| {
            let found = explore(&Vm::checking(task.program, &[property]), &search);
            let violated = found.violations.into_iter().next();
            let safe = Verdict::Safe(Evidence::Enumerated);
            (property, violated.map_or(safe, |trace| Verdict::Violated(Box::new(trace))))
        };
        task.properties.iter().map(verdict).collect()
    };
    let summary = campaign(&Fake(answer), 2, 7, 1);
    assert!(!summary.failures.is_empty());
    assert!(summary.failures.iter().all(|failure| failure.what == Disagreement::WrongSafe));
    let lines = |text: &str| text.lines().filter(|line| !line.starts_with(['#', '/'])).count();
    let smallest = summary.failures.iter().min_by_key(|failure| lines(&failure.text)).unwrap();
    println!("{}", smallest.text);
    // Shrinking may be cut short where time is; all of it leads to some twenty lines.
    assert!(lines(&smallest.text) <= 40);
}
