//! Makes a counterexample easier to read: fewer switches between threads, fewer steps.
//!
//! Every candidate is followed; what does not break the same property any more is dropped. The best one is replayed at the
//! end, and only then recorded. So the result is as true as what came in, and the search may stop at any time.

use raddle_base::Budget;
use raddle_ir::Property;
use raddle_vm::trace::Segment;
use raddle_vm::{Options, ReplayedTrace, Trace, Unwatched, Vm, follow, replay};

/// At most so many candidates are followed, with so many steps in all of them together.
const TRIES: usize = 400;
const STEPS: u64 = 4_000_000;
/// Longer traces are left as they are.
const LONGEST: usize = 2_000;

/// A counterexample that breaks the same property in at most as many switches.
#[must_use]
pub fn shorten(machine: &Vm<'_>, found: ReplayedTrace, budget: &Budget) -> ReplayedTrace {
    let Some(property) = found.outcome().property() else { return found };
    if found.trace().schedule.len() > LONGEST {
        return found;
    }
    let (machine_of_property, best) = (machine.only(property), found.trace().clone());
    let mut search = Search {
        machine: &machine_of_property,
        property,
        budget,
        tries: 0,
        steps: 0,
        best,
        length: found.steps(),
        is_better: false,
    };
    loop {
        let before = search.cost();
        search.pull_together();
        search.drop_segments();
        if search.cost() >= before || search.is_over() {
            break;
        }
    }
    if !search.is_better {
        return found;
    }
    replay(machine, &search.best, &Options::default(), &mut Unwatched).unwrap_or(found)
}

struct Search<'s, 'p> {
    /// Checks nothing but the property.
    machine: &'s Vm<'p>,
    property: Property,
    budget: &'s Budget,
    tries: usize,
    /// Of the candidates that were followed: each counts as long as the best one before it.
    steps: u64,
    best: Trace,
    /// The steps of the best.
    length: u64,
    /// Whether the best is better than what came in.
    is_better: bool,
}

impl Search<'_, '_> {
    fn is_over(&self) -> bool {
        self.tries >= TRIES || self.steps >= STEPS || self.budget.check().is_err()
    }

    fn cost(&self) -> (usize, u64) {
        (self.best.schedule.len(), self.length)
    }

    /// Takes a schedule if it breaks the property and is better.
    fn try_schedule(&mut self, schedule: Vec<Segment>) -> bool {
        if self.is_over() {
            return false;
        }
        self.tries += 1;
        self.steps += self.length;
        let mut trace = self.best.clone();
        trace.schedule = merged(schedule);
        trace.property = Some(self.property.name().to_owned());
        let steps = self.length.saturating_mul(2).saturating_add(1_000);
        let options = Options { max_steps: steps, budget: Some(self.budget), ..Options::default() };
        let Ok(result) = follow(self.machine, &trace, &options, &mut Unwatched) else { return false };
        if result.outcome.property() != Some(self.property) {
            return false;
        }
        let better = (result.trace.schedule.len(), result.steps) < self.cost();
        if better {
            (self.best, self.length, self.is_better) = (result.trace, result.steps, true);
        }
        better
    }

    /// Moves a segment to the thread's next or previous one.
    fn pull_together(&mut self) {
        let mut place = 0;
        while place < self.best.schedule.len() && !self.is_over() {
            let schedule = self.best.schedule.clone();
            let thread = schedule[place].thread;
            let next = (place + 1..schedule.len()).find(|&other| schedule[other].thread == thread);
            let moved = next.is_some_and(|next| {
                let mut later = schedule.clone();
                let segment = later.remove(place);
                later.insert(next - 1, segment);
                let mut earlier = schedule.clone();
                let segment = earlier.remove(next);
                earlier.insert(place + 1, segment);
                self.try_schedule(later) || self.try_schedule(earlier)
            });
            if !moved {
                place += 1;
            }
        }
    }

    /// Leaves segments out.
    fn drop_segments(&mut self) {
        let mut place = 0;
        while place < self.best.schedule.len() && !self.is_over() {
            let mut schedule = self.best.schedule.clone();
            schedule.remove(place);
            if !self.try_schedule(schedule) {
                place += 1;
            }
        }
    }
}

/// Neighbouring segments of one thread are one.
fn merged(schedule: Vec<Segment>) -> Vec<Segment> {
    let mut result: Vec<Segment> = Vec::new();
    for segment in schedule {
        match result.last_mut() {
            Some(last)
                if last.thread == segment.thread && last.flush.is_none() && segment.flush.is_none() =>
            {
                last.operations += segment.operations
            }
            _ => result.push(segment),
        }
    }
    result
}
