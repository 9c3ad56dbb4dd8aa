//! Within which bounds sequential programs are made, one after the other.
//!
//! Iterations and rounds grow together. What other engines have shown is not asked again: see [`Bounds::next`].

use std::collections::VecDeque;

use raddle_ir::Property;

use super::Options;
use crate::facts::{Always, Facts, UpTo};
use crate::{Coverage, Extent, Reason, Rounds, Task};

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) unwind: u32,
    pub(super) rounds: u32,
    /// Loops that run a constant number of times are followed to their end if that is not more.
    pub(super) constant: u32,
}

impl Bound {
    /// What is covered when all schedules within it were looked at.
    pub(super) fn coverage(self, options: &Options) -> Coverage {
        let rounds = Rounds {
            rounds: self.rounds,
            schedule: options.schedule.as_ref().map(ToString::to_string),
            switches: options.switches.as_ref().map(ToString::to_string),
        };
        Coverage { unwind: Some(Extent::bounded(self.unwind)), rounds: Some(rounds), ..Coverage::default() }
    }

    /// For those who follow the progress.
    pub(super) fn shown(self) -> String {
        format!("unwind={}, rounds={}", self.unwind, self.rounds)
    }
}

/// Such loops are followed to their end when the user says how far others are followed.
const CONSTANT: u32 = 100;
/// Otherwise when they are not so many times as long as others: most bugs show in the first rounds of long loops, too.
const CONSTANT_TIMES: u32 = 5;
/// More than that is never followed to its end.
pub(super) const MOST_CONSTANT: u32 = 10_000;

/// Bounds that grow together, one after the other: most bugs need little of both.
const LADDER: &[(u32, u32)] =
    &[(1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (5, 4), (5, 5), (8, 6), (13, 8), (21, 10), (34, 13), (55, 16)];
/// When only one of them grows.
const ALONE: &[u32] = &[1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 21, 34, 55, 89, 144];

/// The bounds to look within, one after the other.
pub(super) fn ladder(task: &Task<'_>) -> Vec<Bound> {
    let bounds = &task.bounds;
    let most = bounds.unwind_max.unwrap_or(u32::MAX);
    let rounds = task.sequential.rounds();
    let constant = |unwind: u32| {
        if bounds.unwind.is_some() { CONSTANT } else { unwind.saturating_mul(CONSTANT_TIMES) }
    };
    let bound = |(unwind, rounds): (u32, u32)| Bound { unwind, rounds, constant: constant(unwind) };
    let mut list: Vec<Bound> = match (bounds.unwind, rounds) {
        (Some(unwind), Some(rounds)) => vec![bound((unwind, rounds))],
        (Some(unwind), None) => ALONE.iter().map(|&rounds| bound((unwind, rounds))).collect(),
        (None, Some(rounds)) => ALONE.iter().map(|&unwind| bound((unwind, rounds))).collect(),
        (None, None) => LADDER.iter().copied().map(bound).collect(),
    };
    list.retain(|bound| bound.unwind <= most);
    list
}

/// The bounds that are still to be looked within.
pub(super) struct Bounds {
    waiting: VecDeque<Bound>,
    /// The last one that was given out.
    last: Option<Bound>,
    /// Whether bounds were passed over since then.
    has_skipped: bool,
    /// Whether rounds grow.
    grows: bool,
}

impl Bounds {
    pub(super) fn new(task: &Task<'_>) -> Self {
        let grows = task.sequential.rounds().is_none();
        Self { waiting: ladder(task).into(), last: None, has_skipped: false, grows }
    }

    /// The next bounds, for what is open.
    ///
    /// Where every open property is known to hold under all schedules up to so many iterations, bounds within that are passed over: some of
    /// those schedules would be asked again. Behind them the fewest rounds come first. Where no loop iterates more often in any
    /// execution, loops are not unrolled further. Both choose what is asked, and nothing else: what is then covered was asked here, for all
    /// iterations up to the bound and all rounds, so no answer rests on what others have shown.
    pub(super) fn next(&mut self, facts: &Facts, open: &[Property]) -> Option<Bound> {
        // A property of which nothing is known makes the least of all.
        let held = open.iter().map(|&property| facts.held(property)).min().flatten();
        while let Some(bound) = self.waiting.pop_front() {
            if held.is_some_and(|held| bound.unwind <= UpTo::get(held)) {
                self.has_skipped = true;
                continue;
            }
            let most = facts.enough().map_or(u32::MAX, Always::get).max(1);
            let mut bound = Bound { unwind: bound.unwind.min(most), ..bound };
            if self.has_skipped && self.grows && bound.rounds > LADDER[0].1 {
                self.waiting.push_front(bound);
                bound.rounds = LADDER[0].1;
            }
            self.has_skipped = false;
            let is_new = |last: Bound| (last.unwind, last.rounds) != (bound.unwind, bound.rounds);
            if self.last.is_none_or(is_new) {
                self.last = Some(bound);
                return Some(bound);
            }
        }
        None
    }

    /// Why nothing was looked at, if nothing was because others had.
    pub(super) fn reason(&self) -> Option<Reason> {
        let why = "all schedules were looked at up to larger bounds by another engine";
        (self.has_skipped && self.last.is_none()).then(|| Reason::Other(why.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Fact;
    use crate::{LoopCoverage, MemoryModel, Solving};
    use raddle_base::Span;
    use raddle_ir::text::parse_program;

    const EMPTY: &str = "program pointer_bits 64 entry f0
        function f0 \"main\" () { b0: exit_process i32 0 }";

    fn looped(iterations: u32, complete: bool) -> Coverage {
        let entry = LoopCoverage {
            name: "f.0".to_owned(),
            function: "f".to_owned(),
            span: Span::NONE,
            iterations,
            complete,
        };
        Coverage { loops: vec![entry], ..Coverage::default() }
    }

    /// The first bounds for assertions and deadlocks when these facts are known.
    fn first(facts: &[Fact], count: usize) -> Vec<(u32, u32)> {
        let program = parse_program(EMPTY).unwrap();
        let open = [Property::Assertion, Property::Deadlock];
        let task = Task {
            program: &program,
            source: None,
            outside: None,
            properties: open.to_vec(),
            excused: Vec::new(),
            bounds: crate::Bounds::default(),
            sequential: Options::default(),
            memory_model: MemoryModel::Sc,
            solving: Solving::default(),
            seed: 1,
            jobs: 1,
        };
        let mut known = Facts::default();
        facts.iter().for_each(|&fact| known.add(fact));
        let mut bounds = Bounds::new(&task);
        let given = std::iter::from_fn(|| bounds.next(&known, &open)).take(count);
        let given = given.map(|bound| (bound.unwind, bound.rounds)).collect();
        assert_eq!(bounds.reason().is_some(), bounds.last.is_none());
        given
    }

    fn held(property: Property, iterations: u32) -> Fact {
        Fact::Held { property, up_to: UpTo::of(&looped(iterations, false)).unwrap() }
    }

    #[test]
    fn what_all_schedules_are_known_to_keep_is_not_asked_again() {
        assert_eq!(first(&[], 4), [(1, 2), (2, 2), (2, 3), (3, 3)]);
        let both = [held(Property::Assertion, 3), held(Property::Deadlock, 2)];
        assert_eq!(first(&both, 4), [(3, 2), (3, 3), (3, 4), (5, 4)]);
        assert_eq!(first(&both[..1], 4), first(&[], 4), "nothing is known of deadlocks");
        assert_eq!(first(&[held(Property::Assertion, 99), held(Property::Deadlock, 99)], 4), []);
    }

    #[test]
    fn loops_are_not_unrolled_beyond_what_executions_do() {
        let enough = Fact::Enough(Always::of(&looped(2, true)).unwrap());
        assert_eq!(first(&[enough], 5), [(1, 2), (2, 2), (2, 3), (2, 4), (2, 5)]);
    }
}
