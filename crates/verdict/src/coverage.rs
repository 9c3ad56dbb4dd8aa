//! Coverage: how far executions were followed, as numbers. Words are made of it where it is written (`report`).
//!
//! Each entry says how far something was followed and whether that is all there is. What is complete bounds nothing; what is not
//! is what "safe up to" means. A bound that an engine does not have is absent.

use raddle_base::Span;

/// How far executions were followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Every loop that was met, in the order of the source.
    pub loops: Vec<LoopCoverage>,
    /// Recursive functions that were met.
    pub recursions: Vec<RecursionCoverage>,
    /// How many threads were followed, the main one included.
    pub threads: Option<Extent<u32>>,
    /// One bound for all loops and recursions that are not listed.
    pub unwind: Option<Extent<u32>>,
    /// Of engines that go through schedules in rounds: which schedules.
    pub rounds: Option<Rounds>,
    /// Context switches in an execution.
    pub contexts: Option<Extent<u32>>,
    /// Steps of an execution.
    pub steps: Option<Extent<u64>>,
    /// Iterations of loops that are not the program's but an engine's own, which it adds when it rewrites the program.
    pub added_loops: Option<u32>,
    /// Arguments of the program, where they are free.
    pub arguments: Option<ArgumentBound>,
}

/// How far something was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent<N> {
    /// So far.
    pub covered: N,
    /// Whether there is no more in any execution.
    pub complete: bool,
}

impl<N> Extent<N> {
    /// All there is.
    pub const fn all(covered: N) -> Self {
        Self { covered, complete: true }
    }

    /// There may be more.
    pub const fn bounded(covered: N) -> Self {
        Self { covered, complete: false }
    }
}

/// A loop and how far it was followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopCoverage {
    /// As `--unwindset` calls it: `function.N`.
    pub name: String,
    /// The function it stands in.
    pub function: String,
    /// Where it begins.
    pub span: Span,
    /// The largest number of iterations that were followed.
    pub iterations: u32,
    /// Whether that is enough in every execution.
    pub complete: bool,
}

/// A recursive function and how deep it was followed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecursionCoverage {
    /// Its name.
    pub function: String,
    /// Calls of it at the same time.
    pub depth: u32,
    /// Whether that is enough in every execution.
    pub complete: bool,
}

/// Schedules of so many round-robin rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// How many.
    pub rounds: u32,
    /// Which threads take part in each, if not all do, as the user wrote it.
    pub schedule: Option<String>,
    /// Where threads may be left, if not everywhere, as the user wrote it.
    pub switches: Option<String>,
}

/// How many arguments a program is given, and how long they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentBound {
    /// `argc` at most.
    pub count: u32,
    /// Characters of each at most.
    pub length: u32,
}

impl Coverage {
    /// Loops that are not covered in full.
    pub fn open_loops(&self) -> impl Iterator<Item = &LoopCoverage> {
        self.loops.iter().filter(|entry| !entry.complete)
    }

    /// Recursions that are not covered in full.
    pub fn open_recursions(&self) -> impl Iterator<Item = &RecursionCoverage> {
        self.recursions.iter().filter(|entry| !entry.complete)
    }

    /// Whether some loop or recursion may go on behind what was followed.
    #[must_use]
    pub fn cuts_loops(&self) -> bool {
        self.open_loops().next().is_some()
            || self.open_recursions().next().is_some()
            || self.unwind.is_some_and(|unwind| !unwind.complete)
            || self.added_loops.is_some()
    }

    /// Whether the number of context switches is bounded, and nothing else.
    #[must_use]
    pub fn is_bounded_by_contexts_alone(&self) -> bool {
        let Self {
            loops: _,
            recursions: _,
            threads,
            unwind: _,
            rounds,
            contexts,
            steps,
            added_loops: _,
            arguments,
        } = self;
        contexts.is_some_and(|contexts| !contexts.complete)
            && !self.cuts_loops()
            && threads.is_none_or(|threads| threads.complete)
            && steps.is_none_or(|steps| steps.complete)
            && rounds.is_none()
            && arguments.is_none()
    }

    /// How many threads were followed.
    #[must_use]
    pub fn thread_count(&self) -> u32 {
        self.threads.map_or(0, |threads| threads.covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_on_context_switches_is_the_only_one_where_all_else_is_complete() {
        let alone = Coverage {
            threads: Some(Extent::all(3)),
            contexts: Some(Extent::bounded(2)),
            ..Coverage::default()
        };
        assert!(alone.is_bounded_by_contexts_alone());
        let others = [
            Coverage { contexts: Some(Extent::all(2)), ..alone.clone() },
            Coverage { threads: Some(Extent::bounded(3)), ..alone.clone() },
            Coverage { unwind: Some(Extent::bounded(1)), ..alone.clone() },
            Coverage { added_loops: Some(1), ..alone.clone() },
            Coverage { steps: Some(Extent::bounded(9)), ..alone.clone() },
            Coverage { arguments: Some(ArgumentBound { count: 1, length: 1 }), ..alone },
        ];
        assert!(!others.iter().any(Coverage::is_bounded_by_contexts_alone));
    }
}
