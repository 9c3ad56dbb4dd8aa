//! How far executions were followed, in words and as plain data.

use raddle_verdict::{Coverage, Extent, Rounds};
use serde::Serialize;

/// How far executions were followed; what an engine does not bound is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoverageReport {
    /// Loops that may go on.
    pub loops: Vec<LoopBoundReport>,
    /// Recursive functions that may go deeper.
    pub recursions: Vec<RecursionBoundReport>,
    /// The bound on threads.
    pub threads: Option<u32>,
    /// One bound for all other loops.
    pub unwind: Option<u32>,
    /// Of engines that go through schedules in rounds: how many.
    pub rounds: Option<u32>,
    /// Context switches of an execution.
    pub contexts: Option<u32>,
    /// Steps of an execution.
    pub steps: Option<u64>,
}

/// A loop that may go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoopBoundReport {
    /// As `--unwindset` calls it.
    pub name: String,
    /// How many iterations were covered.
    pub iterations: u32,
}

/// A recursive function that may go deeper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecursionBoundReport {
    /// Its name.
    pub function: String,
    /// How deep it was followed.
    pub depth: u32,
}

impl CoverageReport {
    pub(crate) fn new(coverage: &Coverage) -> Self {
        fn bound<N>(extent: Option<Extent<N>>) -> Option<N> {
            extent.filter(|extent| !extent.complete).map(|extent| extent.covered)
        }
        let loops = coverage
            .open_loops()
            .map(|entry| LoopBoundReport { name: entry.name.clone(), iterations: entry.iterations });
        let recursions = coverage
            .open_recursions()
            .map(|entry| RecursionBoundReport { function: entry.function.clone(), depth: entry.depth });
        Self {
            loops: loops.collect(),
            recursions: recursions.collect(),
            threads: bound(coverage.threads),
            unwind: bound(coverage.unwind),
            rounds: coverage.rounds.as_ref().map(|rounds| rounds.rounds),
            contexts: bound(coverage.contexts),
            steps: bound(coverage.steps),
        }
    }
}

/// The bounds, a short phrase each: `3 iterations of loop main.0`.
pub(crate) fn bounds(coverage: &Coverage) -> Vec<String> {
    let mut words = Vec::new();
    match (&coverage.unwind, &coverage.rounds) {
        (Some(unwind), Some(_)) => words.push(format!("unwind={}", unwind.covered)),
        (Some(unwind), None) if !unwind.complete => {
            words.push(format!("{} of every loop", counted(unwind.covered, "iteration")));
        }
        (Some(_) | None, _) => {}
    }
    words.extend(coverage.rounds.as_ref().map(rounds_text));
    let loops = coverage
        .open_loops()
        .map(|entry| format!("{} of loop {}", counted(entry.iterations, "iteration"), entry.name));
    words.extend(loops);
    let recursions = coverage
        .open_recursions()
        .map(|entry| format!("depth {} of the recursion of `{}`", entry.depth, entry.function));
    words.extend(recursions);
    for (extent, name) in [(coverage.threads, "thread"), (coverage.contexts, "context switch")] {
        words.extend(extent.filter(|extent| !extent.complete).map(|extent| counted(extent.covered, name)));
    }
    let steps = coverage.steps.filter(|steps| !steps.complete);
    words.extend(steps.map(|steps| counted(steps.covered, "step")));
    let added = coverage.added_loops;
    words.extend(added.map(|added| format!("{} of loops that the engine adds", counted(added, "iteration"))));
    if let Some(arguments) = coverage.arguments {
        words.push(format!("argc={}, arguments of {} characters", arguments.count, arguments.length));
    }
    words
}

/// What the rounds are restricted to is said with them: of several bounds some may not be shown.
fn rounds_text(rounds: &Rounds) -> String {
    let mut text = format!("rounds={}", rounds.rounds);
    let schedule = rounds.schedule.as_ref().map(|schedule| format!("the schedule {schedule}"));
    let switches = rounds.switches.as_ref().map(|switches| format!("the switch points {switches}"));
    for (word, restriction) in [" within ", " and "].into_iter().zip(schedule.into_iter().chain(switches)) {
        text.push_str(word);
        text.push_str(&restriction);
    }
    text
}

/// The first few bounds; the rest is in the ledger.
pub(crate) fn bounds_text(bounds: &[String]) -> String {
    const SHOWN: usize = 3;
    match bounds {
        [] => "bounds".to_owned(),
        _ if bounds.len() <= SHOWN => bounds.join(", "),
        _ => format!("{} and {} more bounds", bounds[..SHOWN - 1].join(", "), bounds.len() - SHOWN + 1),
    }
}

/// `1 iteration`, `2 iterations`, `3 context switches`.
pub(crate) fn counted(count: impl Into<u64>, name: &str) -> String {
    let count = count.into();
    let plural = match (count, name.ends_with("ch")) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    // A count that does not fit is the largest there is.
    match count {
        u64::MAX => format!("more than 2^64 {name}{plural}"),
        _ => format!("{count} {name}{plural}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_has_its_words() {
        let rounds =
            Rounds { rounds: 2, schedule: Some("main".to_owned()), switches: Some("*:0".to_owned()) };
        let coverage = Coverage {
            threads: Some(Extent::bounded(64)),
            unwind: Some(Extent::all(1)),
            rounds: Some(rounds),
            contexts: Some(Extent::bounded(2)),
            steps: Some(Extent::all(7)),
            added_loops: Some(8),
            ..Coverage::default()
        };
        let expected = [
            "unwind=1",
            "rounds=2 within the schedule main and the switch points *:0",
            "64 threads",
            "2 context switches",
            "8 iterations of loops that the engine adds",
        ];
        assert_eq!(bounds(&coverage), expected);
        let report = CoverageReport::new(&coverage);
        assert_eq!((report.unwind, report.contexts, report.steps), (None, Some(2), None));
        let every = Coverage { unwind: Some(Extent::bounded(1)), ..Coverage::default() };
        assert_eq!(bounds(&every), ["1 iteration of every loop"]);
        assert_eq!(bounds_text(&[]), "bounds");
        assert_eq!(counted(u64::MAX, "execution"), "more than 2^64 executions");
    }
}
