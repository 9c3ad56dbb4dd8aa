//! Data races of co-enabled accesses.
//!
//! Two threads that are both enabled, whose next steps make accesses that conflict: that is a race, and no clocks are needed to
//! see it. An atomic block that commits only behind what another thread does next counts as well. Under sequential
//! consistency some interleaving has such a state if any has a race of unordered accesses, except where only the memory
//! orders of relaxed atomics leave accesses unordered that are never co-enabled, or a lock that was overwritten; those the clocks of
//! [`crate::race`] find.

use raddle_ir::{InstKind, Property};

use super::found::{Key, race_key};
use super::path::{Taken, confirm};
use super::walk::{Explorer, Level, taken_on};
use super::watch::{Touch, Watcher};
use crate::choice::Choices;
use crate::race::AccessKind;
use crate::state::{State, ThreadId};

impl Explorer<'_, '_> {
    /// Compares what the step just made touches with what the steps of other threads from the same state touch.
    pub(super) fn look_for_races(&mut self, path: &mut [Level<'_>], touches: Vec<Touch>, root: &[u128]) {
        let (level, before) = path.split_last_mut().expect("the caller has looked");
        let mut pairs = Vec::new();
        for (other, others) in &level.accesses {
            if other.made.thread() == level.taken.made.thread() {
                continue;
            }
            for first in others {
                let hit = touches.iter().find(|second| first.races(second));
                if let Some(second) = hit {
                    pairs.push((other.clone(), *first, *second));
                }
            }
        }
        for (other, first, second) in pairs {
            let orders = [[other.clone(), level.taken.clone()], [level.taken.clone(), other]];
            self.show_race(before, &orders, root, (first, second));
        }
        level.accesses.push((level.taken.clone(), touches));
    }

    /// Whether a thread is about to begin an atomic block of the program, or of a model if those are meant too.
    fn is_at_block(&self, state: &State, thread: ThreadId, models_too: bool) -> bool {
        let program = self.machine.program();
        state.threads[thread as usize].place().is_some_and(|place| {
            let begins = place.inst(program).is_some_and(|inst| matches!(inst.kind, InstKind::AtomicBegin));
            begins && (models_too || !program.functions[place.function].model)
        })
    }

    /// Compares what the step just made touches with what atomic blocks touch behind it, where they may commit though they
    /// would not have before it: they waited, an assumption failed, or something could not be done.
    pub(super) fn look_behind(
        &mut self,
        path: &[Level<'_>],
        state: &State,
        touches: &[Touch],
        root: &[u128],
    ) {
        if touches.is_empty() {
            return;
        }
        // What models touch in their atomic blocks is atomic: it races with plain writes alone, of a lock or semaphore that is overwritten.
        let writes_plainly =
            touches.iter().any(|touch| !touch.access.atomic && touch.access.kind != AccessKind::Read);
        let (level, before) = path.split_last().expect("the caller has looked");
        for next in self.machine.moves(state) {
            let thread = next.thread();
            if thread == level.taken.made.thread() || !self.is_at_block(state, thread, writes_plainly) {
                continue;
            }
            let mut choices = Choices::new(&self.search.values);
            loop {
                choices.begin();
                let mut watcher =
                    Watcher::new(self.machine, thread, (&mut self.found.passed, &mut self.found.unsupported));
                self.machine.make(&mut state.clone(), next, &mut choices, &mut watcher);
                let behind = Taken { made: next, inputs: choices.given().to_vec() };
                for second in watcher.touches {
                    if let Some(first) = touches.iter().find(|first| first.races(&second)) {
                        let order = [level.taken.clone(), behind.clone()];
                        self.show_race(before, &[order], root, (*first, second));
                    }
                }
                if !choices.advance() {
                    break;
                }
            }
        }
    }

    /// Makes a trace of a race by making two steps in one of these orders.
    fn show_race(
        &mut self,
        before: &[Level<'_>],
        orders: &[[Taken; 2]],
        root: &[u128],
        (first, second): (Touch, Touch),
    ) {
        let (a, b) = (first.access.place, second.access.place);
        let key = Key::Race(a.min(b), a.max(b));
        if self.known.contains(&key) {
            return;
        }
        let base = taken_on(before);
        let shown = orders.iter().find_map(|order| {
            let path: Vec<Taken> = base.iter().chain(order).cloned().collect();
            confirm(self.machine, Property::DataRace, root, &path)
        });
        // In neither order does the atomic block with the access commit; elsewhere it may.
        let Some(shown) = shown else { return };
        self.known.insert(key.clone());
        // The trace shows the first race on its way, which may be another one.
        if race_key(&shown).is_some_and(|found| found == key || self.known.insert(found)) {
            self.found.violations.push(shown);
        } else {
            self.found.hidden_races += 1;
        }
    }
}
