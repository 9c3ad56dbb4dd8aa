//! What is different in an execution that was foretold: which conflicting events come in another order than in the run.
//!
//! An event is the same in both if its thread has made as many operations before it and it touches the same bytes in the same way.

use raddle_ir::{Program, Property};
use raddle_vm::code::Place;
use raddle_vm::describe;
use raddle_vm::memory::Spot;
use raddle_vm::recording::{Entry, Recorded, Recording};
use raddle_vm::{Action, MemoryAccess, ThreadId};
use rustc_hash::FxHashMap;

/// At most so many are told.
const MOST: usize = 3;
const LOCKS: &str = "locks";

/// Something that a thread did in the execution that was foretold, or in the run if it did not come to it there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The step of the execution that was foretold; none if it is not in it.
    pub step: Option<u64>,
    /// Who.
    pub thread: ThreadId,
    /// Where, in the program itself.
    pub place: Place,
    /// `reads`, `writes`, `locks`, or the API function that it calls, in backquotes.
    pub does: String,
}

/// Two things that were done to the same bytes, the other way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversed {
    /// What was touched.
    pub name: String,
    /// What comes first now.
    pub first: Deed,
    /// What came first in the run.
    pub second: Deed,
}

/// An event that may conflict with others.
#[derive(Clone, Copy, Debug)]
struct Touch<'r> {
    recorded: &'r Recorded,
    spot: Spot,
    does: &'static str,
    changes: bool,
}

/// What tells an event from others of all executions.
type Key = (ThreadId, u64, Spot, &'static str);

impl Touch<'_> {
    fn key(&self) -> Key {
        (self.recorded.event.thread, self.recorded.operations, self.spot, self.does)
    }

    fn deed(&self, program: &Program, step: Option<u64>) -> Deed {
        let event = &self.recorded.event;
        let api = event.api.filter(|_| self.does != LOCKS);
        let does = api.map_or_else(
            || self.does.to_owned(),
            |api| format!("calls `{}`", describe::function(program, api)),
        );
        Deed { step, thread: event.thread, place: event.user, does }
    }
}

fn touches(recording: &Recording) -> Vec<Touch<'_>> {
    fn touch(entry: &Entry) -> Option<Touch<'_>> {
        let Entry::Event(recorded) = entry else { return None };
        let action = &recorded.event.action;
        let (spot, does, changes) = if let Some(MemoryAccess { spot, read, written, .. }) = action.access() {
            match (read, written) {
                (Some(_), None) => (spot, "reads", false),
                (None, _) => (spot, "writes", true),
                (Some(_), Some(_)) => (spot, "changes", true),
            }
        } else if let Action::Lock(spot) = *action {
            (spot, LOCKS, true)
        } else {
            return None;
        };
        Some(Touch { recorded, spot, does, changes })
    }
    recording.entries().iter().filter_map(touch).collect()
}

/// The first conflicting events that come in another order than in the run, at most one for each two threads. Who takes a lock first is told
/// of deadlocks, and where nothing else is known: mostly it is a consequence.
#[must_use]
pub fn reversed(
    program: &Program,
    property: Property,
    run: &Recording,
    foretold: &Recording,
) -> Vec<Reversed> {
    let search = |locks: bool| {
        let of = |recording| touches(recording).into_iter().filter(|touch| (touch.does == LOCKS) == locks);
        pairs(program, foretold, &of(run).collect::<Vec<_>>(), &of(foretold).collect::<Vec<_>>())
    };
    let first = search(property == Property::Deadlock);
    if first.is_empty() { search(property != Property::Deadlock) } else { first }
}

fn pairs(program: &Program, foretold: &Recording, then: &[Touch<'_>], now: &[Touch<'_>]) -> Vec<Reversed> {
    let positions = |touches: &[Touch<'_>]| -> FxHashMap<Key, usize> {
        touches.iter().enumerate().map(|(position, touch)| (touch.key(), position)).collect()
    };
    let (before, after) = (positions(then), positions(now));
    let mut at_spot: FxHashMap<Spot, Vec<usize>> = FxHashMap::default();
    for (position, touch) in then.iter().enumerate() {
        at_spot.entry(touch.spot).or_default().push(position);
    }
    let mut found: Vec<Reversed> = Vec::new();
    for (position, first) in now.iter().enumerate() {
        let Some(&then_at) = before.get(&first.key()) else { continue };
        for &earlier in at_spot[&first.spot].iter().take_while(|&&earlier| earlier < then_at) {
            let second = &then[earlier];
            let threads = (first.recorded.event.thread, second.recorded.event.thread);
            let is_conflict = (first.changes || second.changes) && threads.0 != threads.1;
            let comes = after.get(&second.key());
            let is_known = |other: &Reversed| (other.first.thread, other.second.thread) == threads;
            if is_conflict && comes.is_none_or(|&comes| comes > position) && !found.iter().any(is_known) {
                let at = foretold.at(first.recorded);
                let name = if first.does == LOCKS {
                    describe::lock(program, &at, first.spot)
                } else {
                    describe::spot(program, &at, first.spot)
                };
                found.push(Reversed {
                    name,
                    first: first.deed(program, Some(first.recorded.step)),
                    second: second.deed(program, comes.map(|&comes| now[comes].recorded.step)),
                });
                if found.len() == MOST {
                    return found;
                }
            }
        }
    }
    found
}
