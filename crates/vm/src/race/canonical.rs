//! What a [`RaceDetector`] knows, as facts that are the same where the same races can still be found.
//!
//! Times of a vector clock grow without end, but nobody looks at them: an access is compared with the clock of a thread, and clocks
//! are joined. So for each thread only the order counts in which its remembered accesses and the components of all clocks
//! for it come. Accesses that no clock tells apart are of one *class*, and a component is the number of classes that it covers. Times that
//! come later are beyond all of them.
//!
//! Left out is what makes no difference any more: an access that happens before whatever any running thread does next, what a
//! lock, an atomic store or a thread that has ended gives that all running threads know, objects that have ended. New threads know what
//! their creator knows. So a thread that goes round a loop comes back to what was known before, and a program with finitely many
//! states has finitely many with happens-before.
//!
//! An access is *subsumed* by another to the same bytes, if whatever would race with the first would race with the second, and every clock that
//! covers the second covers the first. Clocks come from clocks, so that stays true; and who does not know the first, and races with it,
//! does not know the second, and races with that. (Two threads read the kind of a lock before they take it, one after the other.) What a
//! release sequence gives that another one on the same bytes gives too is left out if its thread has ended: only its own stores
//! could have gone on with the one and not with the other.
//!
//! *Other names.* A clock has a component for each thread, and belongs to a thread, a lock or a place in memory. So a renaming of
//! threads moves components as well as clocks. A fact names the thread whose clock it is, the thread whose component it is, and the
//! object, each for itself; under a [`Renaming`] each gets its other name. How facts come after one another does not matter: they are a
//! multiset, and its number is the sum of theirs. Classes are numbers of one thread's accesses alone, and which they are does not
//! depend on names. So what this detector knows under other names has the same facts as a detector that saw the same happen to
//! threads that had these names from the beginning.
//!
//! May tell apart what is the same; never takes for the same what is not.

use std::sync::Arc;

use super::cells::{Cell, Stamped};
use super::clock::Clock;
use super::{Continues, RaceDetector};
use crate::layout::ArenaIndex;
use crate::memory::Spot;
use crate::mixer::Mixer;
use crate::renaming::Renaming;
use crate::state::{State, Status, ThreadId};
use crate::value::Origin;

impl RaceDetector<'_> {
    /// Forgets what makes no difference behind a state, and gives the rest.
    pub(crate) fn knowledge(&mut self, state: &State) -> Knowledge {
        self.forget(state);
        self.facts(state)
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
        for clocks in &mut self.threads {
            // Nobody reads what becomes visible where no object is.
            clocks.delayed.retain(|delayed| lives(delayed.spot.origin));
        }
        self.forget_subsumed(state);
    }

    #[expect(
        clippy::iter_over_hash_type,
        reason = "what is left out of a cell depends on the clocks and that cell alone"
    )]
    fn forget_subsumed(&mut self, state: &State) {
        let stores = |head: ThreadId| {
            let is_running = state.threads[head as usize].status == Status::Running;
            is_running || !self.threads[head as usize].delayed.is_empty()
        };
        let clocks = self.clocks();
        let mut thinner: Vec<((ArenaIndex, u32), u32, Cell)> = Vec::new();
        for (&place, shadow) in &self.shadows {
            for (&start, cell) in &shadow.cells {
                let accesses = without(&cell.accesses, |one, other| is_subsumed(&clocks, one, other));
                let release =
                    without(&cell.release, |(head, one), (_, other)| !stores(*head) && one.is_within(other));
                if accesses.len() < cell.accesses.len() || release.len() < cell.release.len() {
                    let (accesses, release) = (accesses.into(), release.into());
                    thinner.push((place, start, Cell { end: cell.end, accesses, release }));
                }
            }
        }
        for (place, start, cell) in thinner {
            let shadow = self.shadows.get_mut(&place).expect("nothing was removed");
            Arc::make_mut(shadow).cells.insert(start, cell);
        }
    }

    /// All clocks that somebody may still join.
    fn clocks(&self) -> Vec<&Clock> {
        let mut clocks: Vec<&Clock> = vec![&self.blocks];
        for thread in &self.threads {
            clocks.extend([&thread.now, &thread.pending]);
            clocks.extend(&thread.released);
            clocks.extend(thread.delayed.iter().filter_map(|delayed| delayed.clock.as_ref()));
        }
        clocks.extend(self.locks.values().chain(self.freed.values()));
        let cells = self.shadows.values().flat_map(|shadow| shadow.cells.values());
        clocks.extend(cells.flat_map(|cell| cell.release.iter().map(|(_, clock)| &**clock)));
        clocks
    }

    #[expect(clippy::iter_over_hash_type, reason = "the order of facts does not matter")]
    fn facts(&self, state: &State) -> Knowledge {
        let mut gathered = Gathering::new(self, state);
        for ((clocks, thread), id) in self.threads.iter().zip(&state.threads).zip(0..) {
            let of = |kind| Owner { kind, thread: Some(id), place: None };
            match thread.status {
                Status::Running => {
                    gathered.clock(of(Kind::Now), &clocks.now);
                    gathered.gift(of(Kind::Pending), &clocks.pending);
                    if let Some(released) = &clocks.released {
                        gathered.gift(of(Kind::Released), released);
                    }
                }
                // Whoever joins it is given what it knew.
                Status::Ended(_) => gathered.gift(of(Kind::Now), &clocks.now),
                // Nobody can join it.
                Status::Stopped => {}
            }
            for (delayed, number) in clocks.delayed.iter().zip(0..) {
                let origin = delayed.spot.origin;
                let place = Some((origin.arena, origin.slot));
                let store = Owner { kind: Kind::Delayed, thread: Some(id), place };
                let continues = match delayed.continues {
                    Continues::All => 0,
                    Continues::Own => 1,
                    Continues::None => 2,
                };
                gathered.fact(
                    store,
                    None,
                    [number, delayed.spot.offset.into(), delayed.size << 2 | continues],
                );
                if let Some(clock) = &delayed.clock {
                    gathered.gift_at(store, [number, 0], clock);
                }
            }
        }
        gathered.gift(Owner { kind: Kind::Blocks, thread: None, place: None }, &self.blocks);
        for (&place, shadow) in &self.shadows {
            for (&start, cell) in &shadow.cells {
                gathered.cell(place, start, cell);
            }
        }
        for (spot, clock) in &self.locks {
            let Spot { origin, offset } = *spot;
            let lock = Owner { kind: Kind::Lock, thread: None, place: Some((origin.arena, origin.slot)) };
            gathered.gift_at(lock, [offset.into(), 0], clock);
        }
        for (&place, clock) in &self.freed {
            gathered.gift(Owner { kind: Kind::Freed, thread: None, place: Some(place) }, clock);
        }
        Knowledge { facts: gathered.facts }
    }

    /// For each thread the classes of its accesses.
    fn classes(&self) -> Vec<Classes> {
        let clocks = self.clocks();
        let mut times = vec![Vec::new(); self.threads.len()];
        for cell in self.shadows.values().flat_map(|shadow| shadow.cells.values()) {
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

/// Whether an access that is remembered says nothing that another one does not say.
fn is_subsumed(clocks: &[&Clock], one: &Stamped, other: &Stamped) -> bool {
    let knows = |clock: &Clock, known: &Stamped| known.time <= clock.of(known.access.thread);
    other.access.covers(&one.access) && clocks.iter().all(|clock| !knows(clock, other) || knows(clock, one))
}

/// The elements that are left when those are taken out, one after the other, that another one which is left subsumes.
fn without<T: Clone>(all: &[T], is_subsumed: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut left: Vec<T> = all.to_vec();
    let mut place = 0;
    while place < left.len() {
        let mut others = left.iter().enumerate().filter(|&(other, _)| other != place);
        if others.any(|(_, other)| is_subsumed(&left[place], other)) {
            left.remove(place);
        } else {
            place += 1;
        }
    }
    left
}

/// What can still be found out by the clocks of a state.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    facts: Vec<Fact>,
}

impl Knowledge {
    /// How many facts there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    /// A number for it, if threads and their objects had these names. Where threads share a name it is the same for all that
    /// differ only in which of those is which.
    pub(crate) fn number(&self, renaming: &Renaming) -> u128 {
        self.facts.iter().fold(0, |sum, fact| sum.wrapping_add(fact.number(renaming)))
    }
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// What has happened before the next step of a thread, or what one that has ended gives.
    Now,
    Pending,
    Released,
    Delayed,
    Blocks,
    Lock,
    Freed,
    /// What the release sequence gives that a thread began.
    Release,
    /// An access that is remembered.
    Access,
}

/// Whose clock or access it is: a thread's, a place's, or that of a thread at a place.
#[derive(Clone, Copy, Debug)]
struct Owner {
    kind: Kind,
    thread: Option<ThreadId>,
    place: Option<(ArenaIndex, u32)>,
}

/// One thing that is known.
#[derive(Clone, Copy, Debug)]
struct Fact {
    owner: Owner,
    /// The thread whose accesses are counted.
    about: Option<ThreadId>,
    words: [u64; 3],
}

impl Fact {
    fn number(&self, renaming: &Renaming) -> u128 {
        let name =
            |thread: Option<ThreadId>| thread.map_or(0, |thread| 1 + u64::from(renaming.thread(thread)));
        let place = |(arena, slot)| 1 + (u64::from(renaming.arena(arena)) << 32 | u64::from(slot));
        let mut mixer = Mixer::new(None);
        mixer.word(self.owner.kind as u64);
        mixer.word(name(self.owner.thread));
        mixer.word(self.owner.place.map_or(0, place));
        mixer.word(name(self.about));
        self.words.iter().for_each(|&word| mixer.word(word));
        mixer.finish()
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

/// Facts, while they are gathered.
struct Gathering {
    classes: Vec<Classes>,
    /// For each thread how many of its classes all running threads know.
    floor: Vec<u32>,
    facts: Vec<Fact>,
}

impl Gathering {
    fn new(detector: &RaceDetector<'_>, state: &State) -> Self {
        let classes = detector.classes();
        let running: Vec<&Clock> = (detector.threads.iter().zip(&state.threads))
            .filter(|(_, thread)| thread.status == Status::Running)
            .map(|(clocks, _)| &clocks.now)
            .collect();
        let floor = classes.iter().zip(0..).map(|(classes, thread)| {
            let known = running.iter().map(|now| classes.covered(now.of(thread)));
            known.min().unwrap_or(u32::MAX)
        });
        Self { floor: floor.collect(), classes, facts: Vec::new() }
    }

    fn fact(&mut self, owner: Owner, about: Option<ThreadId>, words: [u64; 3]) {
        self.facts.push(Fact { owner, about, words });
    }

    /// What a running thread knows; components that are none are no facts.
    fn clock(&mut self, owner: Owner, clock: &Clock) {
        for place in 0..self.classes.len() {
            let thread = name_of(place);
            let covered = self.classes[place].covered(clock.of(thread));
            if covered > 0 {
                self.fact(owner, Some(thread), [covered.into(), 0, 0]);
            }
        }
    }

    /// A clock that somebody may join: only what some running thread does not know counts.
    fn gift(&mut self, owner: Owner, clock: &Clock) {
        self.gift_at(owner, [0, 0], clock);
    }

    fn gift_at(&mut self, owner: Owner, at: [u64; 2], clock: &Clock) {
        for place in 0..self.classes.len() {
            let thread = name_of(place);
            let covered = self.classes[place].covered(clock.of(thread));
            if covered > self.floor[place] {
                self.fact(owner, Some(thread), [covered.into(), at[0], at[1]]);
            }
        }
    }

    fn cell(&mut self, place: (ArenaIndex, u32), start: u32, cell: &Cell) {
        let bytes = u64::from(start) << 32 | u64::from(cell.end);
        let describe = |known: &Stamped| {
            let class = self.classes[known.access.thread as usize].covered(known.time);
            (known.access.thread, class, known.access.kind.writes(), known.access.atomic)
        };
        let mut accesses: Vec<_> = cell.accesses.iter().map(describe).collect();
        accesses.sort_unstable();
        accesses.dedup();
        for (thread, class, writes, atomic) in accesses {
            let owner = Owner { kind: Kind::Access, thread: Some(thread), place: Some(place) };
            self.fact(owner, None, [bytes, class.into(), u64::from(writes) << 1 | u64::from(atomic)]);
        }
        for (head, clock) in &cell.release {
            let owner = Owner { kind: Kind::Release, thread: Some(*head), place: Some(place) };
            self.gift_at(owner, [bytes, 0], clock);
        }
    }
}

fn name_of(place: usize) -> ThreadId {
    u32::try_from(place).expect("fewer than 2^32 threads")
}
