//! Where executions end, and what is to be said of that: exits, deadlocks, leaks, violations.

use raddle_ir::Property;

use rustc_hash::FxHashSet;

use super::found::{Exploration, Key, LeakDoubt, Passed, race_key};
use super::path::{Taken, confirm};
use crate::deadlock;
use crate::leak::{self, Reach};
use crate::race::Race;
use crate::run::ReplayedTrace;
use crate::state::{Exit, State, Status};
use crate::step::{StepResult, Vm};
use crate::violation::Violation;

/// Whether an execution that breaks a property ends there, though the program would go on.
#[must_use]
pub const fn ends_execution(property: Property) -> bool {
    match property {
        Property::Assertion
        | Property::LockMisuse
        | Property::MemorySafety
        | Property::Overflow
        | Property::Arithmetic
        | Property::Uninitialised => true,
        // The path goes on behind a race; the others are about states in which nothing more can be done.
        Property::DataRace | Property::Deadlock | Property::Leak | Property::Cleanup => false,
    }
}

/// What a search has found, and what of that is known already. A path is put together only where something new is found on it.
pub(super) struct Findings<'e, 'p> {
    pub(super) vm: &'e Vm<'p>,
    known: FxHashSet<Key>,
    pub(super) found: Exploration,
}

impl<'e, 'p> Findings<'e, 'p> {
    /// Nothing yet.
    pub(super) fn new(vm: &'e Vm<'p>) -> Self {
        let found =
            Exploration { executions: Some(0), passed: Passed::new(vm.program()), ..Exploration::default() };
        Self { vm, known: FxHashSet::default(), found }
    }

    /// Something was found; where that is new, a trace is to show it.
    fn find(&mut self, key: Key, show: impl FnOnce() -> Option<ReplayedTrace>) {
        if !self.known.insert(key.clone()) {
            return;
        }
        let shown = show();
        match key {
            Key::At(..) | Key::Deadlock(_) => self.found.violations.extend(shown),
            Key::Undefined(_) => self.found.undefined.extend(shown),
            Key::Race(..) => {
                let Some(shown) = shown else { return };
                if race_key(&shown).is_some_and(|shown| shown == key || self.known.insert(shown)) {
                    self.found.violations.push(shown);
                } else {
                    self.found.hidden_races += 1;
                }
            }
        }
    }

    /// A state without steps: the process has ended, or no thread is enabled.
    pub(super) fn terminal(&mut self, state: &State, root: &[u128], path: &dyn Fn() -> Vec<Taken>) {
        if let Some(exit) = leak::end_of(state) {
            if !self.found.exits.contains(&exit) {
                self.found.exits.push(exit);
            }
            self.look_for_leaks(state, exit, root, path);
            return;
        }
        if state.threads.iter().all(|thread| thread.status != Status::Stopped) {
            self.note_lost(state);
        }
        if !self.vm.checks(Property::Deadlock) {
            return;
        }
        if let Some(deadlock) = deadlock::find(self.vm, state) {
            let places =
                deadlock.waiters.iter().map(|waiter| (waiter.user, waiter.stack.first().copied())).collect();
            let vm = self.vm;
            self.find(Key::Deadlock(places), || confirm(vm, Property::Deadlock, root, &path()));
        }
    }

    /// The process has ended: what does it leave behind?
    fn look_for_leaks(&mut self, state: &State, exit: Exit, root: &[u128], path: &dyn Fn() -> Vec<Taken>) {
        for leak in leak::find(self.vm.program(), state) {
            if leak.reach == Reach::Registers && self.vm.checks(Property::Leak) && exit != Exit::Abort {
                self.found.leak_doubt.get_or_insert(LeakDoubt::OnlyRegisters(leak.place));
            }
            if !self.found.leaks.iter().any(|known| known.place == leak.place) {
                self.found.leaks.push(leak);
            }
        }
        for property in [Property::Leak, Property::Cleanup] {
            if !self.vm.checks(property) {
                continue;
            }
            if let Some(violation) = leak::violation(&self.vm.only(property), state) {
                self.violated(&violation, root, path);
            }
        }
    }

    /// An execution does not end here, but goes round in circles or waits for ever: what has it lost before?
    pub(super) fn note_lost(&mut self, state: &State) {
        if self.vm.checks(Property::Leak) && self.found.leak_doubt.is_none() {
            let leaks = leak::find(self.vm.program(), state);
            let lost = leaks.iter().find(|leak| leak.reach != Reach::Memory);
            self.found.leak_doubt = lost.map(|leak| LeakDoubt::WithoutEnd(leak.place));
        }
    }

    /// A step that ended the execution.
    pub(super) fn ended(
        &mut self,
        result: StepResult,
        root: &[u128],
        path: &dyn Fn() -> Vec<Taken>,
    ) -> Option<u128> {
        match result {
            StepResult::Violated(violation) => self.violated(&violation, root, path),
            StepResult::Unsupported { what, place } => {
                if !self.found.unsupported.iter().any(|known| known.1 == place) {
                    self.found.unsupported.push((what, place));
                }
            }
            StepResult::Done | StepResult::Blocked => {}
        }
        Some(1)
    }

    fn violated(&mut self, violation: &Violation, root: &[u128], path: &dyn Fn() -> Vec<Taken>) {
        let vm = self.vm;
        self.find(Key::At(violation.property, violation.stack.first().copied()), || {
            let found = confirm(vm, violation.property, root, &path());
            debug_assert!(found.is_some(), "a path that was walked can be walked again");
            found
        });
    }

    /// Two accesses of a path race. A trace shows the first race on its way, which may be another one.
    pub(super) fn raced(&mut self, race: &Race, root: &[u128], path: &dyn Fn() -> Vec<Taken>) {
        let (a, b) = (race.first.place, race.second.place);
        let vm = self.vm;
        self.find(Key::Race(a.min(b), a.max(b)), || {
            let found = confirm(vm, Property::DataRace, root, &path());
            debug_assert!(found.is_some(), "a race that was seen can be seen again");
            found
        });
    }

    /// Some step of a path ends a thread by undefined behaviour that these properties are about.
    pub(super) fn note_undefined(
        &mut self,
        properties: &[Property],
        root: &[u128],
        path: &dyn Fn() -> Vec<Taken>,
    ) {
        let vm = self.vm;
        for &property in properties {
            self.find(Key::Undefined(property), || {
                let found = confirm(vm, property, root, &path());
                debug_assert!(found.is_some(), "what ended a thread can be seen again");
                found
            });
        }
    }
}
