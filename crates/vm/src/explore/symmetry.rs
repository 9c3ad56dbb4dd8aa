//! Threads that nobody can tell apart (Ip and Dill 1996; Bosnacki, Dams and Holenderski 2000).
//!
//! Two states that differ only in which thread is which have the same future, if nothing in the future depends on that. So a state
//! is looked up under other names for its threads: those that one thread started with the same function are sorted by
//! what they are about to do and what they own ([`Fingerprints::of_thread`]), then by what happened before what, and get their ids in that
//! order. With a thread its stack and heap get another name, hence pointers into them other bits, and the locks that it holds another owner.
//! Threads that the order leaves equal though they are not only make more states.
//!
//! *Handles are not renamed.* A handle in memory is a number, and stays it. Let π exchange threads A and B, and s' be π(s) with all
//! handles as they are in s. Then s and s' have the same future as long as nothing connects a number with what a thread does:
//! - The thread itself asks for its own id.
//! - Somebody looks at the bits of a lock word that it holds, or it asks whether it holds a lock word that was not written by locking.
//! - Somebody joins it.
//!
//! The first two are watched for ([`Learned`]), in all steps that are made and in those that wait. Where one is seen, threads that
//! start with that function were *told apart*: the search begins anew and never renames those. What was searched up to then does no
//! harm: every violation that was found is one, and nothing else was concluded.
//!
//! *Joins.* A thread that joins one after the other, and does nothing in between that concerns others, waits for a set
//! ([`JoinRun`]): what it does behind its last join does not depend on which of them ended first. So A and B may be exchanged if both
//! are in that set, and A's being joined tells nothing unless B stays outside: then they were told apart. Which threads are in
//! the set is found by running the thread alone, as if all others had ended. Their results must not matter: they are values that
//! may only be dropped, or if they are kept, all of them are zero, and were written.
//!
//! While one of the set has not ended, the steps of such a thread are *withheld*, if another thread makes one: they lead up to the join
//! that waits, and are independent of what others do. In the words of partial-order reduction the others are a persistent set
//! (Godefroid 1996). That they are independent is watched for too: where another thread touches what a join run reads or writes, the
//! search begins anew without any of this. Nothing that matters is put off for ever, since steps of a join run break no property.
//!
//! *Data races.* What happened before what is renamed with the threads (`race/canonical`): who joins A learns what A knew, and behind
//! the last join what all of the set knew, whatever their order. But a join run may read memory that others wrote before it began, and
//! then races or not depending on whom it has joined by then. So a step is part of a run only if it races with nothing even if
//! joins order nothing. What others touch later is watched for as above.
//!
//! *Weak memory models.* A thread's delayed stores are its own, and get other names with it; that one of them becomes visible is a step
//! of that thread, watched for like any other. A thread joins only when it has none left that others could notice, and a store of a join
//! run that would be delayed ends it.
//!
//! *Values that were never written* are known for registers of a thread and bytes of objects, and move with those.
//!
//! *Leaks.* Whether memory is lost where an execution ends depends on how far each thread has come, also in a join run: it may drop a
//! pointer between two joins. So if an execution ends, or goes round in circles, while a thread is in a run, and leaks are asked for, the
//! search begins anew without any of this. What is *not freed* does not depend on it, since a join run frees nothing.
//!
//! Never wrong: two states share a fingerprint only if one is the other under other names, or the values are not known
//! under those, and then no other names are used. Perhaps incomplete: what lies in the heap of who starts threads is not renamed. And a
//! thread that was started later knows more of what its creator did: where races are looked for, the handle that is stored behind each start
//! tells threads apart, until all of them have been joined, as long as nobody knows that no other thread looks at it.
//!
//! It is off where executions are counted or walked one by one (strategies without states), in rounds, where the
//! order of threads is what is searched, and with more threads than memory has room for under any name.
//!
//! Executions are counted of states that were not withheld, so there is no count where some were.

use raddle_ir::{FunctionId, InstKind, Program, Property};
use rustc_hash::FxHashSet;

use super::join_run::{JoinRun, simulate};
use crate::code::Place;
use crate::fingerprint::Fingerprints;
use crate::mark::MIXED;
use crate::memory::{Held, Memory, Spot};
use crate::observe::{Action, Event, InputRequest, Inputs, Observer, Question, Stream};
use crate::race::{Knowledge, RaceDetector};
use crate::renaming::Renaming;
use crate::state::{Move, State, Status, Thread, ThreadId};
use crate::step::{LOCK_BYTES, Readiness, Vm, bytes};
use crate::value::Value;

/// With more threads than this nothing is renamed: in 32 bits later ones have less room.
const MOST_THREADS: usize = 128;

/// What is known of threads that can or cannot be told apart. Kept when a search begins anew.
#[derive(Debug)]
pub(super) struct Symmetry {
    /// Whether it matters what is lost where executions end.
    looks_for_leaks: bool,
    /// Threads that start with these were told apart.
    told_apart: FxHashSet<FunctionId>,
    /// Whether steps of a join run turned out not to be independent: then nothing is renamed or withheld.
    is_off: bool,
    /// Whether something was found out that the search up to now did not know.
    pub(super) is_stale: bool,
    /// The functions that join threads.
    joining: FxHashSet<FunctionId>,
    /// Where threads stood on their way to a join in some join run.
    on_the_way: FxHashSet<Place>,
}

impl Symmetry {
    /// Nothing is known yet.
    pub(super) fn new(vm: &Vm<'_>) -> Self {
        let program = vm.program();
        let joins = |function: &raddle_ir::Function| {
            let mut insts = function.blocks.values().flat_map(|block| &block.insts);
            insts.any(|inst| matches!(inst.kind, InstKind::Join { .. }))
        };
        Self {
            looks_for_leaks: vm.checks(Property::Leak),
            told_apart: FxHashSet::default(),
            is_off: false,
            is_stale: false,
            joining: program.functions.iter().filter(|(_, f)| joins(f)).map(|(id, _)| id).collect(),
            on_the_way: FxHashSet::default(),
        }
    }

    /// What is left of it for a search from the beginning.
    pub(super) fn for_another_search(self) -> Option<Self> {
        (!self.is_off).then_some(Self { is_stale: false, ..self })
    }

    /// A number for a state and what happened before what, the same where only which thread is which differs.
    pub(super) fn fingerprint(
        &self,
        fingerprints: &mut Fingerprints<'_>,
        state: &State,
        clocks: Option<&Knowledge>,
    ) -> u128 {
        let renaming = self.renaming(fingerprints, state, clocks);
        let mut under = |renaming: &Renaming| {
            let known = clocks.map_or(0, |clocks| clocks.number(renaming));
            fingerprints.under(state, renaming).map(|number| number ^ known)
        };
        let identity = || Renaming::identity(state.threads.len());
        under(&renaming).or_else(|| under(&identity())).expect("nothing has another name")
    }

    /// The threads that can be exchanged, in groups.
    fn groups(&self, state: &State) -> Vec<Vec<ThreadId>> {
        let mut groups: Vec<Vec<ThreadId>> = Vec::new();
        let key = |thread: &Thread| (thread.parent, thread.start, thread.joined);
        for (thread, id) in state.threads.iter().zip(0..) {
            if thread.parent.is_none() || self.told_apart.contains(&thread.start) {
                continue;
            }
            let same = |group: &&mut Vec<ThreadId>| key(&state.threads[group[0] as usize]) == key(thread);
            match groups.iter_mut().find(same) {
                Some(group) => group.push(id),
                None => groups.push(vec![id]),
            }
        }
        groups.retain(|group| group.len() > 1);
        groups
    }

    fn renaming(
        &self,
        fingerprints: &mut Fingerprints<'_>,
        state: &State,
        clocks: Option<&Knowledge>,
    ) -> Renaming {
        let groups = if state.threads.len() > MOST_THREADS { Vec::new() } else { self.groups(state) };
        let mut to: Vec<ThreadId> = (0..u32::try_from(state.threads.len()).unwrap_or(u32::MAX)).collect();
        let mut names = to.clone();
        groups.iter().flatten().for_each(|&id| names[id as usize] = OTHER);
        let keyed = |group: &Vec<ThreadId>| {
            let key = |&id: &ThreadId| (fingerprints.of_thread(state, id, &seen_by(&names, id)), id);
            let mut keyed: Vec<(u128, ThreadId)> = group.iter().map(key).collect();
            keyed.sort_unstable();
            keyed
        };
        let mut orders: Vec<Vec<(u128, ThreadId)>> = groups.iter().map(keyed).collect();
        if let Some(clocks) = clocks {
            order_by_clocks(&mut orders, names, clocks);
        }
        for (order, group) in orders.iter().zip(&groups) {
            order.iter().zip(group).for_each(|(&(_, id), &name)| to[id as usize] = name);
        }
        Renaming::new(to)
    }

    /// The join runs of a state that is new. Gives how many blocks were executed to find them, or copied: a copy of a state is as much
    /// work as a block for each of its threads.
    pub(super) fn join_runs<'p>(
        &mut self,
        vm: &Vm<'p>,
        state: &State,
        clocks: Option<&RaceDetector<'p>>,
        pass: &mut dyn FnMut(Place),
    ) -> (Vec<JoinRun>, u64) {
        let mut runs = Vec::new();
        let mut blocks = 0;
        for (thread, id) in state.threads.iter().zip(0..) {
            if thread.status != Status::Running || !self.may_join(vm.program(), thread) {
                continue;
            }
            // What was made of a result that may not matter is marked.
            let marked = Value { bits: 0, origin: Some(MIXED) };
            let mut run = simulate(vm, state, clocks, (id, marked));
            blocks += run.blocks;
            if run.keeps_result {
                run = simulate(vm, state, clocks, (id, Value::ZERO));
                blocks += run.blocks;
                if let Some(other) = run.joins.iter().find(|&&other| has_other_result(state, other)) {
                    self.tell_apart(state.threads[*other as usize].start);
                    continue;
                }
            }
            self.on_the_way.extend(&run.places);
            if run.joins.is_empty() {
                continue;
            }
            run.passed.iter().for_each(|&place| pass(place));
            self.check_cover(state, &run);
            runs.push(run);
        }
        let looks = self.look_at_waiting(vm, state, &runs);
        (runs, blocks + looks)
    }

    /// Whether a thread may be about to join another, or on its way there.
    fn may_join(&self, program: &Program, thread: &Thread) -> bool {
        let Some(place) = thread.place() else { return false };
        let joins = place.inst(program).is_some_and(|inst| {
            let begins = matches!(inst.kind, InstKind::AtomicBegin);
            matches!(inst.kind, InstKind::Join { .. }) || begins && self.joining.contains(&place.function)
        });
        joins || self.on_the_way.contains(&place)
    }

    /// Threads of which only some are joined are told apart, and so is one that is joined twice.
    fn check_cover(&mut self, state: &State, run: &JoinRun) {
        for &joined in &run.joins {
            let thread = &state.threads[joined as usize];
            let is_same = |other: &Thread| (other.parent, other.start) == (thread.parent, thread.start);
            let mut others = state.threads.iter().zip(0..);
            let is_apart =
                others.any(|(other, id)| is_same(other) && !other.joined && !run.joins.contains(&id));
            if thread.joined || is_apart {
                self.tell_apart(thread.start);
            }
        }
    }

    /// What threads that wait have learned counts as well: under other names they might not wait.
    fn look_at_waiting(&mut self, vm: &Vm<'_>, state: &State, runs: &[JoinRun]) -> u64 {
        let is_renamed = state.threads.len() <= MOST_THREADS && !self.groups(state).is_empty();
        if runs.is_empty() && !is_renamed {
            return 0;
        }
        let mut work = 0;
        for id in 0..u32::try_from(state.threads.len()).unwrap_or(u32::MAX) {
            let begins =
                vm.stands_at(state, id).is_some_and(|(_, kind)| matches!(kind, InstKind::AtomicBegin));
            if begins && vm.readiness(state, id) == Readiness::Waiting {
                let mut learned = Learned::new(&state.memory);
                vm.step(&mut state.clone(), id, &mut Zeros, &mut learned);
                self.check(state, id, runs, &learned);
                work += state.threads.len() as u64;
            }
        }
        work
    }

    /// A step was made or refused: has anybody been told apart, and was it independent of join runs?
    pub(super) fn check(&mut self, after: &State, id: ThreadId, runs: &[JoinRun], learned: &Learned) {
        // The main thread is never renamed.
        let child = |id: ThreadId| after.threads.get(id as usize).filter(|thread| thread.parent.is_some());
        let start = |id: ThreadId| child(id).map(|thread| thread.start);
        for told in learned.told.iter().filter_map(|&id| start(id)) {
            self.tell_apart(told);
        }
        let own = runs.iter().find(|run| run.thread == id);
        for &joined in &learned.joined {
            if !own.is_some_and(|run| run.joins.contains(&joined))
                && let Some(start) = start(joined)
            {
                self.tell_apart(start);
            }
        }
        let others = || runs.iter().filter(|run| run.thread != id);
        let conflicts = |touched: &Touched| others().any(|run| run.conflicts(touched));
        if learned.touched.iter().any(conflicts) {
            self.turn_off();
        }
        self.note_end(after.exit.is_some() && others().next().is_some());
    }

    /// An execution ends or goes round in circles, perhaps while a thread is in a join run: how far that has come decides what is lost.
    pub(super) fn note_end(&mut self, is_in_run: bool) {
        if is_in_run && self.looks_for_leaks {
            self.turn_off();
        }
    }

    fn turn_off(&mut self) {
        self.is_stale = true;
        self.is_off = true;
    }

    fn tell_apart(&mut self, start: FunctionId) {
        self.is_stale |= self.told_apart.insert(start);
    }
}

/// Names for threads that can be exchanged, where a thread is looked at: its own, and that of the others or the first of theirs.
const OWN: ThreadId = 1 << 16;
const OTHER: ThreadId = 1 << 17;

/// The names of threads as one of them sees them.
fn seen_by(names: &[ThreadId], id: ThreadId) -> Renaming {
    let mut names = names.to_vec();
    names[id as usize] = OWN;
    Renaming::new(names)
}

/// Threads of each group are in an order, some of them equal in it: orders those by what happened before what, as far as that tells them
/// apart while those that are equal have one name.
fn order_by_clocks(orders: &mut [Vec<(u128, ThreadId)>], mut names: Vec<ThreadId>, clocks: &Knowledge) {
    let is_same = |a: &(u128, ThreadId), b: &(u128, ThreadId)| a.0 == b.0;
    let has_equal = |order: &Vec<(u128, ThreadId)>| order.windows(2).any(|pair| is_same(&pair[0], &pair[1]));
    if !orders.iter().any(has_equal) {
        return;
    }
    let classes = orders.iter().flat_map(|order| order.chunk_by(is_same));
    for (class, name) in classes.zip(OTHER..) {
        class.iter().for_each(|&(_, id)| names[id as usize] = name);
    }
    for class in orders.iter_mut().flat_map(|order| order.chunk_by_mut(is_same)) {
        if class.len() > 1 {
            class.sort_by_cached_key(|&(_, id)| (clocks.number(&seen_by(&names, id)), id));
        }
    }
}

/// Whether a thread has ended with another result than zero, or one that was never written.
fn has_other_result(state: &State, id: ThreadId) -> bool {
    let thread = &state.threads[id as usize];
    matches!(thread.status, Status::Ended(result) if result != Value::ZERO || thread.tainted_result != 0)
}

/// Takes the moves of threads in join runs that wait out of those that can be made, if others are left.
pub(super) fn withhold(runs: &[JoinRun], moves: &mut Vec<Move>) -> Vec<Move> {
    let waits = |made: &Move| runs.iter().any(|run| run.waits && run.thread == made.thread());
    if moves.iter().all(waits) {
        return Vec::new();
    }
    moves.extract_if(.., |made| waits(made)).collect()
}

/// Bytes that a step reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touched {
    pub(super) spot: Spot,
    pub(super) size: u64,
    pub(super) writes: bool,
}

impl Touched {
    pub(super) fn conflicts(&self, other: &Self) -> bool {
        let (a, b) = (u64::from(self.spot.offset), u64::from(other.spot.offset));
        self.spot.origin == other.spot.origin
            && (self.writes || other.writes)
            && a < b.saturating_add(other.size)
            && b < a.saturating_add(self.size)
    }
}

/// What a step touches of memory, if it does.
pub(super) fn touched(event: &Event, memory: &Memory) -> Option<Touched> {
    let size = |ty| bytes(ty, memory.pointer_bits());
    let (spot, size, writes) = match event.action {
        Action::Read { spot, ty, .. } => (spot, size(ty), false),
        Action::Write { spot, ty, .. }
        | Action::Delay { spot, ty, .. }
        | Action::Flush { spot, ty, .. }
        | Action::Update { spot, ty, .. } => (spot, size(ty), true),
        Action::Lock(spot) | Action::Unlock(spot) => (spot, LOCK_BYTES, true),
        Action::Free(Some(origin)) | Action::Ended(origin) => (Spot { origin, offset: 0 }, u64::MAX, true),
        Action::Fence(_)
        | Action::Wait
        | Action::Fork(_)
        | Action::Join(_)
        | Action::AtomicBegin
        | Action::AtomicEnd
        | Action::Alloc(_)
        | Action::Free(None)
        | Action::EndLife
        | Action::Query
        | Action::Input(..)
        | Action::End(_) => return None,
    };
    Some(Touched { spot, size, writes })
}

/// Watches a step for what may tell threads apart. What was learned stays learned where the step does not commit.
#[derive(Debug)]
pub(super) struct Learned {
    /// The locks that are held before the step, or were taken in it.
    held: Vec<Held>,
    /// The threads that were told apart from others.
    told: Vec<ThreadId>,
    /// The threads that were joined.
    joined: Vec<ThreadId>,
    touched: Vec<Touched>,
}

impl Learned {
    pub(super) fn new(memory: &Memory) -> Self {
        Self { held: memory.held().to_vec(), told: Vec::new(), joined: Vec::new(), touched: Vec::new() }
    }

    /// The bits at a spot come to somebody's knowledge: who holds a lock there is told apart.
    fn read(&mut self, spot: Spot, size: u64) {
        let Self { held, told, .. } = self;
        told.extend(held.iter().filter(|held| held.overlaps(spot, size)).map(|held| held.owner));
    }

    fn touch(&mut self, touched: Touched) {
        if self.touched.last() != Some(&touched) {
            self.touched.push(touched);
        }
    }
}

impl Observer for Learned {
    fn event(&mut self, event: &Event, memory: &Memory) {
        match event.action {
            Action::Read { spot, ty, .. } | Action::Update { spot, ty, .. } => {
                self.read(spot, bytes(ty, memory.pointer_bits()));
            }
            Action::Lock(spot) => self.held.push(Held { spot, owner: event.thread }),
            Action::Join(other) => self.joined.push(other),
            Action::Write { .. }
            | Action::Delay { .. }
            | Action::Flush { .. }
            | Action::Fence(_)
            | Action::Wait
            | Action::Unlock(_)
            | Action::Fork(_)
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Alloc(_)
            | Action::Free(_)
            | Action::EndLife
            | Action::Ended(_)
            | Action::Query
            | Action::Input(..)
            | Action::End(_) => {}
        }
        if let Some(touched) = touched(event, memory) {
            self.touch(touched);
        }
    }

    fn asked(&mut self, thread: ThreadId, question: Question, memory: &Memory) {
        let spot = match question {
            Question::OwnId => return self.told.push(thread),
            Question::Holds(spot) | Question::IsFree(spot) | Question::Word(spot) => spot,
        };
        match question {
            Question::Word(_) => self.read(spot, LOCK_BYTES),
            Question::Holds(_) => {
                let is_locked = memory.held().iter().any(|held| held.spot == spot);
                if !is_locked && memory.read(spot, LOCK_BYTES).value.bits != 0 {
                    self.told.push(thread);
                }
            }
            Question::OwnId | Question::IsFree(_) => {}
        }
        self.touch(Touched { spot, size: LOCK_BYTES, writes: false });
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}

/// Zero, always.
struct Zeros;

impl Inputs for Zeros {
    fn input(&mut self, _: &InputRequest) -> u128 {
        0
    }
}

#[cfg(test)]
mod tests;
