//! All executions of a program, each with vector clocks, to see whether any has a data race.
//!
//! Enumeration by states does not do for races of accesses that are never possible at the same moment: two ways to a state may
//! differ in what happens before what. So here executions are enumerated, one of each class that differs only in the order
//! of steps that do not meddle with each other (sleep sets, Godefroid 1996). Steps that may meddle are taken to; so it
//! errs on the side of too many executions. For small programs only.

use raddle_ir::{Program, Property};
use raddle_vm::choice::Choices;
use raddle_vm::memory::{Memory, Spot};
use raddle_vm::step::bytes;
use raddle_vm::{
    Action, Event, Machine, MemoryModel, Move, Observer, RaceDetector, State, StepResult, Stream,
};

/// No execution is followed beyond so many steps.
const MOST_STEPS: usize = 300;

/// What a step touches.
#[derive(Clone, Debug, Default)]
struct Footprint {
    /// Object, first byte, the byte behind the last, and whether it is changed.
    bytes: Vec<(raddle_vm::value::Origin, u64, u64, bool)>,
    /// Whether it takes or gives back a lock.
    locks: bool,
    /// Whether it looks at a lock.
    queries: bool,
    /// Whether it is an atomic section of the program.
    section: bool,
    /// Whether it starts a thread.
    forks: bool,
    /// Whether it ends the process.
    exits: bool,
}

impl Footprint {
    fn touch(&mut self, spot: Spot, size: u64, changes: bool) {
        let start = u64::from(spot.offset);
        self.bytes.push((spot.origin, start, start.saturating_add(size), changes));
    }

    fn meddles_with(&self, other: &Self) -> bool {
        let meet = self
            .bytes
            .iter()
            .any(|a| other.bytes.iter().any(|b| a.0 == b.0 && a.1 < b.2 && b.1 < a.2 && (a.3 || b.3)));
        meet || self.exits
            || other.exits
            || self.section && other.section
            || self.forks && other.forks
            || self.queries && other.locks
            || self.locks && other.queries
    }
}

/// Takes down what a step touches, and keeps the clocks.
struct Watcher<'w, 'p> {
    program: &'p Program,
    clocks: &'w mut RaceDetector<'p>,
    footprint: Footprint,
}

impl Observer for Watcher<'_, '_> {
    fn event(&mut self, event: &Event, memory: &Memory) {
        self.clocks.event(event, memory);
        let size = |ty| bytes(ty, memory.pointer_bits());
        let footprint = &mut self.footprint;
        match event.action {
            Action::Read { spot, ty, .. } => footprint.touch(spot, size(ty), false),
            Action::Write { spot, ty, .. }
            | Action::Delay { spot, ty, .. }
            | Action::Flush { spot, ty, .. }
            | Action::Update { spot, ty, .. } => footprint.touch(spot, size(ty), true),
            Action::Lock(spot) | Action::Unlock(spot) => {
                footprint.locks = true;
                footprint.touch(spot, 1, true);
            }
            Action::Free(Some(origin)) | Action::Ended(origin) => {
                footprint.touch(Spot { origin, offset: 0 }, u64::MAX, true)
            }
            Action::Query => footprint.queries = true,
            Action::AtomicBegin => {
                footprint.section |= !self.program.functions[event.place.function].model;
            }
            Action::Fork(_) => footprint.forks = true,
            Action::Fence(_)
            | Action::Join(_)
            | Action::AtomicEnd
            | Action::Free(None)
            | Action::EndLife
            | Action::Alloc(_)
            | Action::Wait
            | Action::Input(..)
            | Action::End(_) => {}
        }
    }

    fn undone(&mut self) {
        self.clocks.undone();
    }

    fn exited(&mut self, memory: &Memory) {
        self.clocks.exited(memory);
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Races {
    /// Whether some execution has a race.
    pub found: bool,
    /// Whether all executions were looked at.
    pub complete: bool,
    /// Whether inputs took only some of their values.
    pub sampled: bool,
}

struct Search<'p> {
    machine: Machine<'p>,
    left: u64,
    races: Races,
}

/// Looks for a race in all executions, as long as they do not have more than so many steps together.
#[must_use]
pub fn races(program: &Program, model: MemoryModel, steps: u64) -> Races {
    let machine = Machine::checking(program, &[Property::DataRace]).with_memory_model(model);
    let races = Races { found: false, complete: true, sampled: false };
    let mut search = Search { machine, left: steps, races };
    let mut choices = Choices::new(&[0, 1]);
    loop {
        choices.begin();
        let mut clocks = RaceDetector::new(program);
        let mut watcher = Watcher { program, clocks: &mut clocks, footprint: Footprint::default() };
        let (state, result) = search.machine.start(&mut choices, &mut watcher);
        search.races.sampled |= choices.is_sampled();
        search.follow(&state, &clocks, result, Vec::new(), 0);
        if search.is_over() || !choices.advance() {
            return search.races;
        }
    }
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.races.found || self.left == 0
    }

    /// Goes on behind a step.
    fn follow(
        &mut self,
        state: &State,
        clocks: &RaceDetector<'_>,
        result: StepResult,
        asleep: Vec<(Move, Footprint)>,
        depth: usize,
    ) {
        match result {
            StepResult::Blocked => {}
            StepResult::Done if clocks.race().is_some() => self.races.found = true,
            StepResult::Done if depth < MOST_STEPS => self.explore(state, clocks, asleep, depth),
            StepResult::Done | StepResult::Violated(_) | StepResult::Unsupported { .. } => {
                self.races.complete = false;
            }
        }
    }

    fn explore(
        &mut self,
        state: &State,
        clocks: &RaceDetector<'_>,
        mut asleep: Vec<(Move, Footprint)>,
        depth: usize,
    ) {
        for made in self.machine.moves(state) {
            if asleep.iter().any(|(sleeper, _)| *sleeper == made) {
                continue;
            }
            let (mut all, mut made_any) = (Footprint::default(), false);
            let mut choices = Choices::new(&[0, 1]);
            loop {
                if self.is_over() {
                    self.races.complete &= self.left > 0;
                    return;
                }
                self.left -= 1;
                choices.begin();
                let (mut next, mut clocks) = (state.clone(), clocks.clone());
                let program = self.machine.program();
                let mut watcher = Watcher { program, clocks: &mut clocks, footprint: Footprint::default() };
                let result = self.machine.make(&mut next, made, &mut choices, &mut watcher);
                let mut footprint = watcher.footprint;
                footprint.exits = next.exit.is_some();
                self.races.sampled |= choices.is_sampled();
                let stays = |sleeper: &Move, other: &Footprint| {
                    sleeper.thread() != made.thread() && !other.meddles_with(&footprint)
                };
                let still = asleep.iter().filter(|(sleeper, other)| stays(sleeper, other));
                let still = still.cloned().collect();
                all.join(footprint);
                made_any |= result != StepResult::Blocked;
                self.follow(&next, &clocks, result, still, depth + 1);
                if !choices.advance() {
                    break;
                }
            }
            if made_any {
                asleep.push((made, all));
            }
        }
    }
}

impl Footprint {
    fn join(&mut self, other: Self) {
        self.bytes.extend(other.bytes);
        self.locks |= other.locks;
        self.queries |= other.queries;
        self.section |= other.section;
        self.forks |= other.forks;
        self.exits |= other.exits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::build;
    use raddle_cfront::layout::DataModel;

    /// A thread writes `data` and then does `give`; the other does `take` and, if that gives one, reads `data`.
    fn passing(give: &str, take: &str) -> Races {
        let text = format!(
            "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *); int data, flag, other;\
             void *writer(void *a) {{ data = 1; {give} return a; }}\
             int main(void) {{ unsigned long t; pthread_create(&t, 0, writer, 0);\
             int seen; {take} if (seen == 1) return data; return 0; }}"
        );
        let built = build("t", text.as_bytes(), DataModel::Lp64, true).expect("it is C");
        races(&built.program, MemoryModel::Sc, 10_000)
    }

    #[test]
    fn what_orders_is_told_from_what_does_not() {
        let safe = Races { found: false, complete: true, sampled: false };
        let relaxed_store = "__atomic_store_n(&flag, 1, 0);";
        let release_store = "__atomic_store_n(&flag, 1, 3);";
        let fenced_store = "__atomic_thread_fence(3); __atomic_store_n(&flag, 1, 0);";
        let relaxed_load = "seen = __atomic_load_n(&flag, 0);";
        let acquire_load = "seen = __atomic_load_n(&flag, 2);";
        let fenced_load = "seen = __atomic_load_n(&flag, 0); __atomic_thread_fence(2);";
        for (give, take, ordered) in [
            (release_store, acquire_load, true),
            (fenced_store, fenced_load, true),
            (release_store, fenced_load, true),
            (relaxed_store, acquire_load, false),
            (release_store, relaxed_load, false),
            (fenced_store, relaxed_load, false),
        ] {
            let races = passing(give, take);
            assert_eq!(races.found, !ordered, "{give} {take}");
            assert!(!ordered || races == safe, "{give} {take}: {races:?}");
        }
    }

    #[test]
    fn too_many_steps_leave_it_open() {
        let text = "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *); int x;\
                    void *other(void *a) { for (int i = 0; i < 9; i++) __atomic_fetch_add(&x, 1, 0); return a; }\
                    int main(void) { unsigned long t; pthread_create(&t, 0, other, 0); other(0); return 0; }";
        let built = build("t", text.as_bytes(), DataModel::Lp64, true).expect("it is C");
        let races = races(&built.program, MemoryModel::Sc, 100);
        assert!(!races.found && !races.complete);
    }
}
