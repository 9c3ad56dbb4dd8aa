//! What engines that work on one task let each other know: facts, each with what it claims and of which executions.
//!
//! An engine publishes what it has found, and reads what others had published when its turn began (see `portfolio`: facts are passed on between
//! rounds only, so that an engine knows the same at the same point of its work, however many engines work at the same time).
//!
//! | fact | claims | of |
//! |---|---|---|
//! | `Fact::Left` | a loop was left after so many iterations | one execution, which the VM ran |
//! | `Fact::Held` | no execution breaks a property | executions within a coverage |
//! | `Fact::Enough` | no loop and no recursion goes on further | all executions: `Always` |
//! | `Fact::Counted` | each loop that was cut goes on as often as is known before it begins | executions within some coverage |
//!
//! Direction of error: none. No answer rests on a fact: facts only choose within which bounds an engine asks next, and what is then said to
//! be covered is what the engine asked itself. So a ledger never names somebody else's work. What holds of all executions is a type of its own,
//! which cannot be made of a coverage that bounds anything.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use raddle_ir::Property;

use crate::Coverage;
use crate::deepening::LoopKey;

/// Something that an engine found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// Some execution went back to the head of a loop so often before it left the loop.
    Left { key: LoopKey, iterations: u32 },
    /// No execution in which loops iterate, and recursions are deep, up to so often breaks the property.
    Held { property: Property, up_to: UpTo },
    /// In no execution any loop iterates, or any recursion is deeper, more often.
    Enough(Always),
    /// An unrolling cut no loop but those whose number of iterations is known, so larger ones come to an end.
    Counted,
}

/// So many iterations of every loop, and calls of a recursion at the same time, under all schedules and with all threads: what is known of
/// executions that stay within that is known of no other. Iterations that stutter do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UpTo(u32);

/// So many iterations and calls are never exceeded, in no execution at all. Iterations that stutter do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Always(u32);

impl UpTo {
    /// Up to where a coverage leaves nothing out.
    pub(crate) fn of(coverage: &Coverage) -> Option<Self> {
        let loops = coverage.open_loops().map(|entry| entry.iterations);
        let depths = coverage.open_recursions().map(|entry| entry.depth);
        let others = coverage.unwind.filter(|unwind| !unwind.complete).map(|unwind| unwind.covered);
        bounds_loops_alone(coverage)
            .then(|| Self(loops.chain(depths).chain(others).min().unwrap_or(u32::MAX)))
    }

    pub(crate) const fn get(self) -> u32 {
        self.0
    }
}

impl Always {
    /// What a coverage says that bounds nothing; of any other nothing is to be had.
    pub(crate) fn of(coverage: &Coverage) -> Option<Self> {
        let loops = coverage.loops.iter().map(|entry| entry.iterations);
        let depths = coverage.recursions.iter().map(|entry| entry.depth);
        let others = coverage.unwind.map(|unwind| unwind.covered);
        let is_whole = bounds_loops_alone(coverage) && !coverage.cuts_loops();
        is_whole.then(|| Self(loops.chain(depths).chain(others).max().unwrap_or(0)))
    }

    /// The same where some loop that the coverage does not name iterates so often.
    pub(crate) fn or_more(self, iterations: u32) -> Self {
        Self(self.0.max(iterations))
    }

    pub(crate) const fn get(self) -> u32 {
        self.0
    }
}

/// Whether a coverage leaves out nothing but iterations and calls.
fn bounds_loops_alone(coverage: &Coverage) -> bool {
    let Coverage {
        loops: _,
        recursions: _,
        threads,
        unwind: _,
        rounds,
        contexts,
        steps,
        added_loops,
        arguments,
    } = coverage;
    threads.is_none_or(|threads| threads.complete)
        && contexts.is_none_or(|contexts| contexts.complete)
        && steps.is_none_or(|steps| steps.complete)
        && rounds.is_none()
        && added_loops.is_none()
        && arguments.is_none()
}

/// All facts that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    left: BTreeMap<LoopKey, u32>,
    held: BTreeMap<Property, UpTo>,
    enough: Option<Always>,
    is_counted: bool,
}

impl Facts {
    /// Adds one. What says less than what is known is dropped.
    pub(crate) fn add(&mut self, fact: Fact) {
        match fact {
            Fact::Left { key, iterations } => {
                let fewest = self.left.entry(key).or_insert(iterations);
                *fewest = (*fewest).min(iterations);
            }
            Fact::Held { property, up_to } => {
                let most = self.held.entry(property).or_insert(up_to);
                *most = (*most).max(up_to);
            }
            Fact::Enough(most) => self.enough = Some(self.enough.map_or(most, |known| known.min(most))),
            Fact::Counted => self.is_counted = true,
        }
    }

    /// Adds all of these.
    pub(crate) fn add_all(&mut self, others: &Self) {
        let Self { left, held, enough, is_counted } = others;
        left.iter().for_each(|(&key, &iterations)| self.add(Fact::Left { key, iterations }));
        held.iter().for_each(|(&property, &up_to)| self.add(Fact::Held { property, up_to }));
        enough.iter().for_each(|&most| self.add(Fact::Enough(most)));
        self.is_counted |= is_counted;
    }

    /// After how few iterations executions were seen to leave a loop, if any was.
    pub(crate) fn fewest_iterations(&self, key: LoopKey) -> Option<u32> {
        self.left.get(&key).copied()
    }

    /// Within what a property is known to hold.
    pub(crate) fn held(&self, property: Property) -> Option<UpTo> {
        self.held.get(&property).copied()
    }

    /// Whether unrolling comes to an end, as far as is known.
    pub(crate) const fn is_counted(&self) -> bool {
        self.is_counted
    }

    /// How often loops iterate at most, if that is known.
    pub(crate) const fn enough(&self) -> Option<Always> {
        self.enough
    }
}

/// The facts of one engine at work: what it was told, and what it has found. Facts are about the program of one task.
#[derive(Debug, Default)]
pub struct Exchange {
    known: Mutex<Arc<Facts>>,
    found: Mutex<Facts>,
}

impl Exchange {
    /// What others had found when this was last told.
    #[must_use]
    pub fn known(&self) -> Arc<Facts> {
        Arc::clone(&lock(&self.known))
    }

    /// To be told to others.
    pub(crate) fn publish(&self, fact: Fact) {
        lock(&self.found).add(fact);
    }

    /// What was found here so far.
    #[must_use]
    pub fn found(&self) -> Facts {
        lock(&self.found).clone()
    }

    /// This is known from now on.
    pub(crate) fn tell(&self, facts: &Arc<Facts>) {
        *lock(&self.known) = Arc::clone(facts);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extent, LoopCoverage, RecursionCoverage, Rounds};
    use raddle_base::{Id, Span};
    use raddle_ir::{BlockId, FunctionId};

    fn looped(iterations: u32, complete: bool) -> LoopCoverage {
        let name = |text: &str| text.to_owned();
        LoopCoverage { name: name("f.0"), function: name("f"), span: Span::NONE, iterations, complete }
    }

    fn key() -> LoopKey {
        (FunctionId::from_index(0), BlockId::from_index(1))
    }

    #[test]
    fn what_is_shown_within_bounds_is_never_always() {
        let whole = Coverage {
            loops: vec![looped(3, true), looped(5, true)],
            threads: Some(Extent::all(2)),
            ..Coverage::default()
        };
        assert_eq!(Always::of(&whole).map(Always::get), Some(5));
        assert_eq!(UpTo::of(&whole).map(UpTo::get), Some(u32::MAX));
        let recursion = RecursionCoverage { function: "f".to_owned(), depth: 2, complete: false };
        let cut = [
            Coverage { loops: vec![looped(3, false), looped(5, true)], ..whole.clone() },
            Coverage { recursions: vec![recursion], ..whole.clone() },
            Coverage { unwind: Some(Extent::bounded(4)), ..whole },
        ];
        let shown: Vec<Option<u32>> = cut.iter().map(|each| UpTo::of(each).map(UpTo::get)).collect();
        assert_eq!(shown, [Some(3), Some(2), Some(4)]);
        assert!(cut.iter().all(|each| Always::of(each).is_none()));
    }

    #[test]
    fn of_what_leaves_out_schedules_or_threads_nothing_is_known() {
        let bounded = [
            Coverage { threads: Some(Extent::bounded(2)), ..Coverage::default() },
            Coverage { contexts: Some(Extent::bounded(2)), ..Coverage::default() },
            Coverage { steps: Some(Extent::bounded(9)), ..Coverage::default() },
            Coverage { added_loops: Some(1), ..Coverage::default() },
            Coverage {
                rounds: Some(Rounds { rounds: 2, schedule: None, switches: None }),
                ..Coverage::default()
            },
        ];
        for coverage in bounded {
            assert_eq!((UpTo::of(&coverage), Always::of(&coverage)), (None, None), "{coverage:?}");
        }
    }

    #[test]
    fn facts_add_up_in_any_order() {
        let of = |coverage: &Coverage| (UpTo::of(coverage).unwrap(), Always::of(coverage));
        let (two, _) = of(&Coverage { loops: vec![looped(2, false)], ..Coverage::default() });
        let (seven, _) = of(&Coverage { loops: vec![looped(7, false)], ..Coverage::default() });
        let (_, always) = of(&Coverage { loops: vec![looped(9, true)], ..Coverage::default() });
        let list = [
            Fact::Left { key: key(), iterations: 8 },
            Fact::Left { key: key(), iterations: 6 },
            Fact::Held { property: Property::Assertion, up_to: two },
            Fact::Held { property: Property::Assertion, up_to: seven },
            Fact::Enough(always.unwrap()),
            Fact::Counted,
        ];
        let (mut there, mut back, mut merged) = (Facts::default(), Facts::default(), Facts::default());
        list.iter().for_each(|&fact| there.add(fact));
        list.iter().rev().for_each(|&fact| back.add(fact));
        merged.add_all(&there);
        merged.add_all(&back);
        assert_eq!((&there, &there), (&back, &merged));
        assert_eq!(there.fewest_iterations(key()), Some(6));
        assert_eq!(there.held(Property::Assertion), Some(seven));
        assert_eq!(there.held(Property::Deadlock), None);
        assert_eq!(there.enough().map(Always::get), Some(9));
        assert!(there.is_counted() && !Facts::default().is_counted());
    }

    #[test]
    fn what_is_found_is_known_only_when_it_is_told() {
        let exchange = Exchange::default();
        exchange.publish(Fact::Left { key: key(), iterations: 4 });
        assert_eq!(*exchange.known(), Facts::default());
        exchange.tell(&Arc::new(exchange.found()));
        assert_eq!(exchange.known().fewest_iterations(key()), Some(4));
    }
}
