//! A number for what a [`RaceDetector`] knows, equal where the same races can still be found.
//!
//! Times of a vector clock grow without end, but nobody looks at them: an access is compared with the clock of a thread, and clocks
//! are joined. So for each thread only the order counts in which its remembered accesses and the components of all clocks
//! for it come. Accesses that no clock tells apart are of one *class*, and a component is the number of classes that it covers. Times that
//! come later are beyond all of them.
//!
//! Left out is what makes no difference any more: an access that happens before whatever any running thread does next, what a
//! lock or an atomic store gives that all running threads know, objects that have ended. New threads know what their creator
//! knows. So a thread that goes round a loop comes back to what was known before, and a program with finitely many
//! states has finitely many with happens-before.
//!
//! May tell apart what is the same; never takes for the same what is not.

use std::sync::Arc;

use super::cells::{Cell, Stamped};
use super::clock::Clock;
use super::{Continues, RaceDetector};
use crate::fingerprint::Mixer;
use crate::memory::Memory;
use crate::state::{State, Status, ThreadId};
use crate::value::Origin;

impl RaceDetector<'_> {
    /// Forgets what makes no difference behind a state, and gives a number for the rest.
    pub(crate) fn fingerprint(&mut self, state: &State) -> u128 {
        self.forget(state);
        let mut mixer = Mixer::new(None);
        self.feed(state, &mut mixer);
        mixer.finish()
    }

    fn forget(&mut self, state: &State) {
        let all = 0..u32::try_from(state.threads.len()).expect("fewer than 2^32 threads");
        for id in all.clone() {
            self.thread(id);
        }
        let running: Vec<(ThreadId, Clock)> = all
            .filter(|&id| state.threads[id as usize].status == Status::Running)
            .map(|id| (id, self.threads[id as usize].now.clone()))
            .collect();
        let is_known = |clock: &Clock| running.iter().all(|(_, now)| clock.is_within(now));
        let is_over = |known: &Stamped| {
            let others = running.iter().filter(|(id, _)| *id != known.access.thread);
            others.into_iter().all(|(_, now)| known.time <= now.of(known.access.thread))
        };
        let lives = |origin: Origin| state.memory.object(origin).is_some();
        self.shadows.retain(|&(arena, slot), shadow| {
            let origin = shadow.generation.map(|generation| Origin::new(arena, slot, generation));
            if !origin.is_some_and(lives) {
                return false;
            }
            let is_useless = |cell: &Cell| {
                cell.accesses.iter().any(is_over) || cell.release.iter().any(|(_, clock)| is_known(clock))
            };
            if shadow.cells.values().any(is_useless) {
                Arc::make_mut(shadow).cells.retain(|_, cell| {
                    cell.accesses.retain(|known| !is_over(known));
                    cell.release.retain(|(_, clock)| !is_known(clock));
                    !cell.accesses.is_empty() || !cell.release.is_empty()
                });
            }
            !shadow.cells.is_empty()
        });
        self.locks.retain(|spot, clock| lives(spot.origin) && !is_known(clock));
        self.freed.retain(|_, clock| !is_known(clock));
    }

    fn feed(&self, state: &State, mixer: &mut Mixer<'_>) {
        let classes = self.classes();
        let running: Vec<&Clock> = (self.threads.iter().zip(&state.threads))
            .filter(|(_, thread)| thread.status == Status::Running)
            .map(|(clocks, _)| &clocks.now)
            .collect();
        let floor = classes.iter().zip(0..).map(|(classes, thread)| {
            let known = running.iter().map(|now| classes.covered(now.of(thread)));
            known.min().unwrap_or(u32::MAX)
        });
        let floor = floor.collect();
        let form = Form { classes, floor, memory: &state.memory };
        for clocks in &self.threads {
            form.clock(&clocks.now, mixer);
            form.gift(clocks.released.as_ref(), mixer);
            form.gift(Some(&clocks.pending), mixer);
            mixer.word(clocks.delayed.len() as u64);
            for delayed in &clocks.delayed {
                mixer.word(state.memory.canonical(Some(delayed.spot.origin), None));
                mixer.word(u64::from(delayed.spot.offset));
                mixer.word(delayed.size);
                mixer.word(match delayed.continues {
                    Continues::All => 0,
                    Continues::Own => 1,
                    Continues::None => 2,
                });
                form.gift(delayed.clock.as_ref(), mixer);
            }
        }
        form.gift(Some(&self.blocks), mixer);
        self.feed_memory(&form, mixer);
    }

    fn feed_memory(&self, form: &Form<'_>, mixer: &mut Mixer<'_>) {
        let mut shadows: Vec<_> = self.shadows.iter().collect();
        shadows.sort_unstable_by_key(|(place, _)| **place);
        for (&(arena, slot), shadow) in shadows {
            mixer.word(u64::from(arena) << 32 | u64::from(slot));
            mixer.word(shadow.cells.len() as u64);
            for (&start, cell) in &shadow.cells {
                mixer.word(u64::from(start) << 32 | u64::from(cell.end));
                form.cell(cell, mixer);
            }
        }
        let mut locks: Vec<_> = self.locks.iter().collect();
        locks.sort_unstable_by_key(|(spot, _)| (spot.origin.arena, spot.origin.slot, spot.offset));
        for (spot, clock) in locks {
            mixer.word(form.memory.canonical(Some(spot.origin), None));
            mixer.word(u64::from(spot.offset));
            form.gift(Some(clock), mixer);
        }
        let mut freed: Vec<_> = self.freed.iter().collect();
        freed.sort_unstable_by_key(|(place, _)| **place);
        for (&(arena, slot), clock) in freed {
            mixer.word(u64::from(arena) << 32 | u64::from(slot));
            form.gift(Some(clock), mixer);
        }
    }

    /// For each thread the classes of its accesses.
    fn classes(&self) -> Vec<Classes> {
        let mut clocks: Vec<&Clock> = vec![&self.blocks];
        for thread in &self.threads {
            clocks.extend([&thread.now, &thread.pending]);
            clocks.extend(&thread.released);
            clocks.extend(thread.delayed.iter().filter_map(|delayed| delayed.clock.as_ref()));
        }
        clocks.extend(self.locks.values().chain(self.freed.values()));
        let mut times = vec![Vec::new(); self.threads.len()];
        for cell in self.shadows.values().flat_map(|shadow| shadow.cells.values()) {
            clocks.extend(cell.release.iter().map(|(_, clock)| &**clock));
            for known in &cell.accesses {
                times[known.access.thread as usize].push(known.time);
            }
        }
        let of_thread = |(mut times, thread): (Vec<u32>, ThreadId)| {
            times.sort_unstable();
            let is_first = |place: usize| {
                place == 0
                    || clocks.iter().any(|clock| (times[place - 1]..times[place]).contains(&clock.of(thread)))
            };
            Classes((0..times.len()).filter(|&place| is_first(place)).map(|place| times[place]).collect())
        };
        times.into_iter().zip(0..).map(of_thread).collect()
    }
}

/// The first time of each class of a thread's accesses, ascending.
#[derive(Debug)]
struct Classes(Vec<u32>);

impl Classes {
    /// How many classes have happened before what has this component; of an access, its class.
    fn covered(&self, time: u32) -> u32 {
        u32::try_from(self.0.partition_point(|&first| first <= time)).expect("fewer than 2^32 accesses")
    }
}

/// How clocks are fed.
struct Form<'m> {
    classes: Vec<Classes>,
    /// For each thread how many of its classes all running threads know.
    floor: Vec<u32>,
    memory: &'m Memory,
}

impl Form<'_> {
    fn components(&self, clock: &Clock) -> impl Iterator<Item = u32> {
        self.classes.iter().zip(0..).map(|(classes, thread)| classes.covered(clock.of(thread)))
    }

    fn clock(&self, clock: &Clock, mixer: &mut Mixer<'_>) {
        self.components(clock).for_each(|covered| mixer.word(covered.into()));
    }

    /// A clock that somebody may join: only what some running thread does not know counts.
    fn gift(&self, clock: Option<&Clock>, mixer: &mut Mixer<'_>) {
        for (place, (&floor, thread)) in self.floor.iter().zip(0..).enumerate() {
            let covered = clock.map_or(0, |clock| self.classes[place].covered(clock.of(thread)));
            mixer.word(if covered > floor { covered.into() } else { 0 });
        }
    }

    fn cell(&self, cell: &Cell, mixer: &mut Mixer<'_>) {
        let describe = |known: &Stamped| {
            let class = self.classes[known.access.thread as usize].covered(known.time);
            (known.access.thread, class, known.access.kind.writes(), known.access.atomic)
        };
        let mut accesses: Vec<_> = cell.accesses.iter().map(describe).collect();
        accesses.sort_unstable();
        accesses.dedup();
        mixer.word(accesses.len() as u64);
        for (thread, class, writes, atomic) in accesses {
            mixer.word(u64::from(thread) << 32 | u64::from(class));
            mixer.word(u64::from(writes) << 1 | u64::from(atomic));
        }
        let mut given: Vec<_> = cell.release.iter().collect();
        given.sort_unstable_by_key(|(head, _)| *head);
        mixer.word(given.len() as u64);
        for (head, clock) in given {
            mixer.word((*head).into());
            self.gift(Some(clock), mixer);
        }
    }
}
