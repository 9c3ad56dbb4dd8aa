//! Memory: a read sees the last write before it.
//!
//! For each read there is a choice among the writes it may see and the initial value. If it sees w, then w happens, to the
//! same address, with the same value, and before the read; and every other write w' that happens to that address is
//! before w or after the read.
//!
//! A write is *settled* for a read if the read cannot see anything older: the write is always before it, or is an earlier
//! one of the same thread (see the [module above](super) for memory models). It is *sure* if it also happens whenever the read
//! does, to the same address. What is older than a sure write is of no concern to the read: it is not seen, and it needs
//! no place, because the sure write has one.

use std::rc::Rc;

use indexmap::IndexMap;
use raddle_base::{Budget, Exhausted};
use raddle_logic::term::{TermId, Terms};
use rustc_hash::FxBuildHasher;

use super::facts::{self, Facts};
use super::{Encoding, ReadFrom, choice};
use crate::po_bmc::events::{EventId, EventKind, InstanceId, Space, StepId, Unrolling};

/// How many writes nearby are tried as a stand-in for one.
const NEIGHBOURS: usize = 4;

/// A write that may happen.
#[derive(Clone, Copy, Debug)]
struct Write {
    event: EventId,
    step: StepId,
    thread: InstanceId,
    position: u32,
    effective: TermId,
    address: TermId,
    value: TermId,
}

/// A write that may be to the address that is read.
#[derive(Clone, Copy, Debug)]
struct Member {
    write: Write,
    /// Whether it is.
    equal: TermId,
    /// Whether it always is.
    same: bool,
}

/// A read.
#[derive(Clone, Copy, Debug)]
struct Read {
    event: EventId,
    step: StepId,
    thread: InstanceId,
    position: u32,
    guard: TermId,
    value: TermId,
    initial: Option<TermId>,
}

/// Memory of a kind, and an address in it.
type Location = (Space, u32, TermId);

/// All writes, by kind of memory, in the order of threads and of program order within them.
#[derive(Debug, Default)]
struct Writes {
    by_kind: IndexMap<(Space, u32), Vec<Write>, FxBuildHasher>,
    groups: IndexMap<Location, Rc<[Member]>, FxBuildHasher>,
}

/// What a read sees, while it is encoded.
#[derive(Clone, Copy, Debug)]
struct Source<'m> {
    /// None for the initial value.
    member: Option<&'m Member>,
    /// Whether it is seen.
    seen: TermId,
}

impl Encoding<'_> {
    pub(super) fn encode_memory(
        &mut self,
        unrolling: &mut Unrolling,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let mut writes = self.collect_writes(unrolling);
        for event in unrolling.events.ids() {
            let what = &unrolling.events[event];
            let EventKind::Read { space, address, size, value, initial, .. } = what.kind else { continue };
            if unrolling.terms.as_bool(what.guard) == Some(false) {
                continue;
            }
            let step = what.step;
            let thread = unrolling.steps[step].thread;
            let position = self.positions[step];
            let read = Read { event, step, thread, position, guard: what.guard, value, initial };
            let group = self.group(&mut unrolling.terms, &mut writes, (space, size, address));
            self.encode_read(&mut unrolling.terms, read, &group, budget)?;
        }
        Ok(())
    }

    fn collect_writes(&self, unrolling: &Unrolling) -> Writes {
        let mut writes = Writes::default();
        for (event, what) in unrolling.events.iter() {
            let EventKind::Write { space, address, size, value } = what.kind else { continue };
            let effective = self.effective[event];
            if unrolling.terms.as_bool(effective) == Some(false) {
                continue;
            }
            let step = what.step;
            let thread = unrolling.steps[step].thread;
            let position = self.positions[step];
            let write = Write { event, step, thread, position, effective, address, value };
            writes.by_kind.entry((space, size)).or_default().push(write);
        }
        for list in writes.by_kind.values_mut() {
            list.sort_by_key(|write| (write.thread, write.position, write.event));
        }
        writes
    }

    /// The writes that may be to an address.
    fn group(&self, terms: &mut Terms, writes: &mut Writes, location: Location) -> Rc<[Member]> {
        if let Some(group) = writes.groups.get(&location) {
            return Rc::clone(group);
        }
        let (space, size, address) = location;
        let mut group = Vec::new();
        for &write in writes.by_kind.get(&(space, size)).map_or(&[][..], |list| list) {
            let equal = self.equal_addresses(terms, address, write.address);
            let known = terms.as_bool(equal);
            if known != Some(false) {
                group.push(Member { write, equal, same: known == Some(true) });
            }
        }
        let group: Rc<[Member]> = group.into();
        writes.groups.insert(location, Rc::clone(&group));
        group
    }

    /// Whether the read cannot see anything older than the write, should that happen to its address.
    fn settled(&self, write: &Write, read: &Read) -> bool {
        self.reach.before(write.step, read.step)
            || write.thread == read.thread && write.position < read.position
    }

    fn encode_read(
        &mut self,
        terms: &mut Terms,
        read: Read,
        group: &[Member],
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let facts = self.facts.of(terms, read.guard);
        let (live, is_surely_written) = self.live(terms, &read, &facts, group);
        let visible: Vec<usize> = (0..live.len())
            .filter(|&place| !self.is_overwritten(terms, &read, &facts, &live, place))
            .collect();
        let initial = read.initial.filter(|_| !is_surely_written);
        let only = visible.len() + usize::from(initial.is_some()) == 1;

        let mut sources = Vec::new();
        for &place in &visible {
            budget.poll()?;
            let member = &live[place];
            let seen = if only { read.guard } else { choice(terms, "rf") };
            self.encode_source(terms, &read, &facts, member, seen);
            self.encode_others(terms, &read, &facts, &live, Source { member: Some(member), seen });
            sources.push((ReadFrom::Write(member.write.event), seen));
        }
        if let Some(initial) = initial {
            let seen = if only { read.guard } else { choice(terms, "rf") };
            let same = terms.eq(read.value, initial);
            self.assert_if(terms, &[seen], same);
            self.encode_others(terms, &read, &facts, &live, Source { member: None, seen });
            sources.push((ReadFrom::Initial, seen));
        }
        if !only {
            let any = terms.or_all(sources.iter().map(|&(_, seen)| seen));
            self.assert_if(terms, &[read.guard], any);
        }
        self.sources.insert(read.event, sources);
        Ok(())
    }

    /// The writes that matter to a read: not those after it, nor those before a sure one. Also tells whether there is a sure
    /// one.
    fn live(&self, terms: &Terms, read: &Read, facts: &Facts, group: &[Member]) -> (Vec<Member>, bool) {
        let mut live: Vec<Member> = group
            .iter()
            .filter(|Member { write, .. }| {
                write.step != read.step
                    && !self.reach.before(read.step, write.step)
                    && !(write.thread == read.thread && facts::exclusive(terms, facts, write.effective))
            })
            .copied()
            .collect();
        let mut sure: Vec<Write> = Vec::new();
        for member in live.iter().rev() {
            let write = member.write;
            // The last one of a thread does, so that few are kept.
            let is_last = sure.last().is_none_or(|last| !self.reach.before(write.step, last.step));
            if member.same
                && is_last
                && self.settled(&write, read)
                && facts::implied(terms, &[facts], write.effective)
            {
                sure.push(write);
            }
        }
        live.retain(|member| !sure.iter().any(|sure| self.reach.before(member.write.step, sure.step)));
        (live, !sure.is_empty())
    }

    /// Whether a write is followed by one that happens with it and that is settled for the read.
    fn is_overwritten(
        &mut self,
        terms: &Terms,
        read: &Read,
        facts: &Facts,
        live: &[Member],
        place: usize,
    ) -> bool {
        let write = live[place].write;
        let mut own = None;
        let later = live[place + 1..].iter().take_while(|member| member.write.thread == write.thread);
        for other in later.take(NEIGHBOURS) {
            if (other.same || other.write.address == write.address)
                && self.reach.before(write.step, other.write.step)
                && self.settled(&other.write, read)
            {
                let own = own.get_or_insert_with(|| self.facts.of(terms, write.effective));
                if facts::implied(terms, &[facts, own], other.write.effective) {
                    return true;
                }
            }
        }
        false
    }

    /// What it means to see a write, apart from other writes.
    fn encode_source(
        &mut self,
        terms: &mut Terms,
        read: &Read,
        facts: &Facts,
        member: &Member,
        seen: TermId,
    ) {
        let write = member.write;
        if !facts::implied(terms, &[facts], write.effective) {
            self.assert_if(terms, &[seen], write.effective);
        }
        self.assert_if(terms, &[seen], member.equal);
        let same = terms.eq(read.value, write.value);
        self.assert_if(terms, &[seen], same);
        let may_wait_in_buffer = write.thread == read.thread && write.position < read.position;
        if !may_wait_in_buffer {
            self.edge_if(terms, &[seen], write.step, read.step);
        }
    }

    /// No other write comes between the one that is seen and the read.
    fn encode_others(
        &mut self,
        terms: &mut Terms,
        read: &Read,
        facts: &Facts,
        live: &[Member],
        source: Source<'_>,
    ) {
        let seen_facts = source.member.map(|member| self.facts.of(terms, member.write.effective));
        let mut premises: Vec<&Facts> = vec![facts];
        premises.extend(seen_facts.as_deref());
        let mut start = 0;
        while let Some(first) = live.get(start) {
            let thread = first.write.thread;
            let length = live[start..].iter().take_while(|member| member.write.thread == thread).count();
            self.encode_others_of_thread(terms, read, &premises, &live[start..start + length], source);
            start += length;
        }
    }

    fn encode_others_of_thread(
        &mut self,
        terms: &mut Terms,
        read: &Read,
        premises: &[&Facts],
        members: &[Member],
        source: Source<'_>,
    ) {
        let mut newer = Vec::new();
        let mut older = Vec::new();
        for member in members {
            let other = member.write;
            let (is_newer, is_older) = match source.member {
                None => (true, false),
                Some(seen) => (
                    self.reach.before(seen.write.step, other.step),
                    other.step == seen.write.step || self.reach.before(other.step, seen.write.step),
                ),
            };
            if is_older {
                continue;
            }
            match (is_newer, self.settled(&other, read)) {
                // It would come between.
                (true, true) => {
                    let mut conditions = self.hits(terms, premises, member);
                    conditions.push(source.seen);
                    let never = terms.bool(false);
                    self.assert_if(terms, &conditions, never);
                }
                (true, false) => newer.push(member),
                (false, true) => older.push(member),
                (false, false) => {
                    let Some(seen) = source.member else { continue };
                    let mut conditions = self.hits(terms, premises, member);
                    conditions.push(source.seen);
                    conditions.push(self.before(terms, seen.write.step, other.step));
                    self.edge_if(terms, &conditions, read.step, other.step);
                }
            }
        }
        // The first of those that are newer, and the last of those that are older, stand for the rest.
        let mut kept: Vec<&Member> = Vec::new();
        for member in newer {
            if !self.is_covered(terms, premises, &kept, member, |encoding, nearer| {
                encoding.reach.before(nearer.step, member.write.step)
            }) {
                let mut conditions = self.hits(terms, premises, member);
                conditions.push(source.seen);
                self.edge_if(terms, &conditions, read.step, member.write.step);
                kept.push(member);
            }
        }
        let Some(seen) = source.member else { return };
        kept.clear();
        for member in older.into_iter().rev() {
            if !self.is_covered(terms, premises, &kept, member, |encoding, nearer| {
                encoding.reach.before(member.write.step, nearer.step)
            }) {
                let mut conditions = self.hits(terms, premises, member);
                conditions.push(source.seen);
                self.edge_if(terms, &conditions, member.write.step, seen.write.step);
                kept.push(member);
            }
        }
    }

    /// The conditions under which a write happens to the address that is read, as far as they do not follow.
    fn hits(&self, terms: &Terms, premises: &[&Facts], member: &Member) -> Vec<TermId> {
        let mut conditions = Vec::with_capacity(4);
        if !facts::implied(terms, premises, member.write.effective) {
            conditions.push(member.write.effective);
        }
        if !member.same {
            conditions.push(member.equal);
        }
        conditions
    }

    /// Whether a write nearer to the read happens whenever this one does, to the same address.
    fn is_covered(
        &mut self,
        terms: &Terms,
        premises: &[&Facts],
        kept: &[&Member],
        member: &Member,
        is_nearer: impl Fn(&Self, &Write) -> bool,
    ) -> bool {
        for nearer in kept.iter().rev().take(NEIGHBOURS) {
            let always_hit = nearer.same || nearer.write.address == member.write.address;
            if !always_hit || !is_nearer(self, &nearer.write) {
                continue;
            }
            let own = self.facts.of(terms, member.write.effective);
            let mut premises = premises.to_vec();
            premises.push(&own);
            if facts::implied(terms, &premises, nearer.write.effective) {
                return true;
            }
        }
        false
    }
}
