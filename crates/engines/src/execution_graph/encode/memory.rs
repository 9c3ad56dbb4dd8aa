//! Memory: a read sees the last write before it.
//!
//! For each read there is a choice among the writes it may see and the initial value. If it sees w, then w happens, to the
//! same address, with the same value, and before the read; and every other write w' that happens to that address is
//! before w or after the read ([`between`](super::between)). Which writes matter to a read at all is found first
//! ([`visible`](super::visible)).

use std::rc::Rc;

use indexmap::IndexMap;
use raddle_base::{Budget, Exhausted};
use raddle_logic::term::{TermId, Terms};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::between::Sight;
use super::clauses::choice;
use super::facts::{self, Facts};
use super::influence::{Influence, Reads};
use super::{Encoding, Source};
use crate::execution_graph::events::{
    AccessKind, Event, EventId, EventKind, InstanceId, Location, Space, StepId, Unrolling,
};

/// What it costs of a budget to encode that a read may read from a write.
const UNITS_PER_SOURCE: u32 = 5;

/// A write that may happen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) event: EventId,
    pub(super) step: StepId,
    pub(super) thread: InstanceId,
    pub(super) position: u32,
    pub(super) effective: TermId,
    pub(super) address: TermId,
    pub(super) value: TermId,
}

/// A write that may be to the address that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) write: Write,
    /// Whether it is.
    pub(super) equal: TermId,
    /// Whether it always is.
    pub(super) same: bool,
}

/// A read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub(super) event: EventId,
    pub(super) step: StepId,
    pub(super) thread: InstanceId,
    pub(super) position: u32,
    pub(super) guard: TermId,
    pub(super) value: TermId,
    pub(super) initial: Option<TermId>,
}

/// All accesses to memory.
#[derive(Debug, Default)]
struct Accesses {
    /// All writes, by kind of memory, in the order of threads and of program order within them.
    writes: IndexMap<(Space, u32), Vec<Write>, FxBuildHasher>,
    /// The writes that may be to a location.
    groups: IndexMap<Location, Rc<[Member]>, FxBuildHasher>,
    /// The last read of each thread from a location.
    reads: IndexMap<(InstanceId, Location), Read, FxBuildHasher>,
}

impl Encoding<'_> {
    pub(super) fn encode_memory(
        &mut self,
        unrolling: &mut Unrolling,
        reads: Reads<'_>,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let mut accesses = self.collect_writes(unrolling);
        if let Reads::ThatMatter(looked_at) = reads {
            self.influence = Some(self.influence(unrolling, &mut accesses, looked_at, budget)?);
        }
        for event in unrolling.events.ids() {
            let what = &unrolling.events[event];
            let EventKind::Access { location, access: AccessKind::Read { value, initial, .. } } = what.kind
            else {
                continue;
            };
            let matters = self.influence.as_ref().is_none_or(|influence| influence.matters(event));
            if !matters || unrolling.terms.as_bool(what.guard) == Some(false) {
                continue;
            }
            let step = what.step;
            let thread = unrolling.steps[step].thread;
            let position = self.positions[step];
            let read = Read { event, step, thread, position, guard: what.guard, value, initial };
            let group = self.group(&mut unrolling.terms, &mut accesses, location);
            let earlier = accesses.reads.insert((thread, location), read);
            self.encode_read(&mut unrolling.terms, read, earlier, &group, budget)?;
        }
        Ok(())
    }

    /// Finds the reads that can influence what is asked.
    fn influence(
        &self,
        unrolling: &mut Unrolling,
        accesses: &mut Accesses,
        looked_at: &[TermId],
        budget: &Budget,
    ) -> Result<Influence, Exhausted> {
        let mut influence = Influence::new(unrolling, looked_at);
        let mut followed = FxHashSet::default();
        while let Some(event) = influence.next() {
            let Event { guard, kind, .. } = unrolling.events[event];
            let EventKind::Access { location, access: AccessKind::Read { initial, .. } } = kind else {
                continue;
            };
            influence.add(&unrolling.terms, guard);
            influence.add(&unrolling.terms, location.address);
            initial.into_iter().for_each(|initial| influence.add(&unrolling.terms, initial));
            if !followed.insert(location) || unrolling.terms.as_bool(guard) == Some(false) {
                continue;
            }
            budget.spend(UNITS_PER_SOURCE)?;
            for member in self.group(&mut unrolling.terms, accesses, location).iter() {
                for term in [member.write.effective, member.write.address, member.write.value] {
                    influence.add(&unrolling.terms, term);
                }
            }
        }
        Ok(influence)
    }

    fn collect_writes(&self, unrolling: &Unrolling) -> Accesses {
        let mut accesses = Accesses::default();
        for (event, what) in unrolling.events.iter() {
            let EventKind::Access { location, access: AccessKind::Write { value } } = what.kind else {
                continue;
            };
            let effective = self.effective[event];
            if unrolling.terms.as_bool(effective) == Some(false) {
                continue;
            }
            let step = what.step;
            let thread = unrolling.steps[step].thread;
            let position = self.positions[step];
            let write = Write { event, step, thread, position, effective, address: location.address, value };
            accesses.writes.entry((location.space, location.size)).or_default().push(write);
        }
        for list in accesses.writes.values_mut() {
            list.sort_by_key(|write| (write.thread, write.position, write.event));
        }
        accesses
    }

    /// The writes that may be to an address.
    fn group(&self, terms: &mut Terms, accesses: &mut Accesses, location: Location) -> Rc<[Member]> {
        if let Some(group) = accesses.groups.get(&location) {
            return Rc::clone(group);
        }
        let Location { space, address, size } = location;
        let mut group = Vec::new();
        for &write in accesses.writes.get(&(space, size)).map_or(&[][..], |list| list) {
            let equal = self.equal_addresses(terms, address, write.address);
            let known = terms.as_bool(equal);
            if known != Some(false) {
                group.push(Member { write, equal, same: known == Some(true) });
            }
        }
        let group: Rc<[Member]> = group.into();
        accesses.groups.insert(location, Rc::clone(&group));
        group
    }

    fn encode_read(
        &mut self,
        terms: &mut Terms,
        read: Read,
        earlier: Option<Read>,
        group: &[Member],
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let facts = self.facts.of(terms, read.guard);
        let mut view = self.view(terms, &read, &facts, group);
        let earlier = earlier.filter(|earlier| self.is_as_before(terms, &read, &facts, earlier, &mut view));
        let groups = self.group_by_step(terms, &read, &view.live);
        let only = view.visible.len() + usize::from(view.sure.is_empty()) == 1;

        let mut sources = Vec::new();
        let mut sights: Vec<Sight<'_>> = Vec::new();
        if view.sure.is_empty() {
            let seen = if only { read.guard } else { choice(terms, "rf") };
            if let Some(earlier) = earlier {
                self.equal_if(terms, seen, read.value, earlier.value);
                sources.push((Source::Again(earlier.event), seen));
            } else if let Some(initial) = read.initial {
                self.equal_if(terms, seen, read.value, initial);
                sources.push((Source::Initial, seen));
            } else {
                self.clause(terms, &[seen], &[]);
            }
            sights.push(Sight { members: Vec::new(), seen });
        }
        for members in view.visible.chunk_by(|&a, &b| view.live[a].write.step == view.live[b].write.step) {
            budget.spend(UNITS_PER_SOURCE)?;
            let several = (members.len() > 1).then(|| choice(terms, "rf"));
            for &place in members {
                let member = &view.live[place];
                let seen = if only { read.guard } else { choice(terms, "rf") };
                self.encode_source(terms, &read, &facts, member, seen);
                sources.push((Source::Write(member.write.event), seen));
                if let Some(several) = several {
                    self.clause(terms, &[seen], &[several]);
                }
            }
            let seen = several.unwrap_or_else(|| sources.last().expect("each step has a write").1);
            sights.push(Sight { members: members.iter().map(|&place| &view.live[place]).collect(), seen });
        }
        for sight in &sights {
            budget.spend(UNITS_PER_SOURCE)?;
            self.encode_others(terms, &read, &groups, sight);
        }
        if !only {
            let any: Vec<TermId> = sources.iter().map(|&(_, seen)| seen).collect();
            self.clause(terms, &[read.guard], &any);
        }
        self.sources.insert(read.event, sources);
        Ok(())
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
            self.clause(terms, &[seen], &[write.effective]);
        }
        self.clause(terms, &[seen], &[member.equal]);
        self.equal_if(terms, seen, read.value, write.value);
        let may_wait_in_buffer = write.thread == read.thread && write.position < read.position;
        if !may_wait_in_buffer {
            self.edge_if(terms, &[seen], write.step, read.step);
        }
    }
}
