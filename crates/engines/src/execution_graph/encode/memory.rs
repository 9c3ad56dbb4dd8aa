//! Memory: a read reads from the last write before it.
//!
//! Owns the writes by location, and what each read may read from. For each read there is a choice among the writes that it may read
//! from and the initial value. If it reads from w, then w happens, to the same address, with the same value, and before the read; and
//! every other write w' that happens to that address is before w or after the read ([`between`](super::between)). Which writes
//! matter to a read at all is found first ([`visible`](super::visible)).
//!
//! Within one step all reads read memory as it was before the step. So of two reads of one step from one location, the second of which
//! happens only if the first does, the second reads from what the first reads from, and nothing else need be said of it. The producer
//! drops such a read where it knows of the first on all paths; where paths met since, it does not.

use std::rc::Rc;

use indexmap::IndexMap;
use raddle_base::{Budget, Exhausted};
use raddle_logic::term::{TermId, Terms};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::between::{Between, Candidate};
use super::facts::{self, Facts};
use super::influence::Influence;
use super::knowledge::Knowledge;
use super::locks::CriticalSections;
use super::visible::{NEIGHBOURS, Viewer};
use super::writer::{Writer, choice};
use crate::execution_graph::access_index::AccessIndex;
use crate::execution_graph::events::{
    AccessKind, Event, EventId, EventKind, InstanceId, Location, StepId, Unrolling,
};

/// What it costs of a budget to encode that a read may read from a write.
const UNITS_PER_SOURCE: u32 = 5;
/// What it costs to look whether another write matters to that.
const UNITS_PER_OTHER: u32 = 1;

/// Where the value of a read comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// What was there before any write.
    Initial,
    /// This event.
    Write(EventId),
    /// The same as that of this earlier read of its thread, or of its step.
    Again(EventId),
}

/// A write that may happen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) event: EventId,
    pub(super) step: StepId,
    pub(super) thread: InstanceId,
    pub(super) position: u32,
    pub(super) effective: TermId,
    pub(super) address: TermId,
    value: TermId,
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

/// A read that may happen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub(super) event: EventId,
    pub(super) step: StepId,
    pub(super) thread: InstanceId,
    pub(super) position: u32,
    pub(super) guard: TermId,
    location: Location,
    value: TermId,
    initial: Option<TermId>,
}

/// All writes, and what reads may read from. See the [module](self).
#[derive(Debug)]
pub(super) struct Memory {
    /// In the order of threads and of program order within them.
    writes: AccessIndex<Write>,
    /// The writes that may be to a location, for those that were asked for.
    groups: FxHashMap<Location, Rc<[Member]>>,
    /// What each read may read from, and the condition under which it does, given that it happens.
    sources: IndexMap<EventId, Vec<(Source, TermId)>, FxBuildHasher>,
}

impl Memory {
    pub(super) fn new(unrolling: &Unrolling, known: &Knowledge<'_>) -> Self {
        let mut writes = Vec::new();
        for (event, what) in unrolling.events.iter() {
            let EventKind::Access { location, access: AccessKind::Write { value } } = what.kind else {
                continue;
            };
            let effective = known.effective(event);
            if unrolling.terms.as_bool(effective) == Some(false) {
                continue;
            }
            let step = what.step;
            let (thread, position) = (unrolling.steps[step].thread, known.position(step));
            let write = Write { event, step, thread, position, effective, address: location.address, value };
            writes.push((location, write));
        }
        writes.sort_by_key(|(_, write)| (write.thread, write.position, write.event));
        let writes = AccessIndex::new(&unrolling.terms, writes);
        Self { writes, groups: FxHashMap::default(), sources: IndexMap::default() }
    }

    /// The writes that may happen and may be to a location, in the order of threads and of program order.
    pub(super) fn writes_to(
        &mut self,
        terms: &mut Terms,
        known: &Knowledge<'_>,
        location: Location,
    ) -> Rc<[Member]> {
        if let Some(group) = self.groups.get(&location) {
            return Rc::clone(group);
        }
        let candidates: Vec<Write> = self.writes.same(terms, location).map(|(_, &write)| write).collect();
        let mut group = Vec::new();
        for write in candidates {
            let equal = known.equal_addresses(terms, location.address, write.address);
            let is_equal = terms.as_bool(equal);
            if is_equal != Some(false) {
                group.push(Member { write, equal, same: is_equal == Some(true) });
            }
        }
        let group: Rc<[Member]> = group.into();
        self.groups.insert(location, Rc::clone(&group));
        group
    }

    /// What a read may read from, and the condition under which it does, given that it happens.
    pub(super) fn sources(&self, read: EventId) -> Option<&[(Source, TermId)]> {
        self.sources.get(&read).map(|sources| &sources[..])
    }

    /// Finds the reads that can influence where threads go, or one of these terms.
    pub(super) fn influence(
        &mut self,
        unrolling: &mut Unrolling,
        known: &Knowledge<'_>,
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
            if unrolling.terms.as_bool(guard) == Some(false) || !followed.insert(location) {
                continue;
            }
            let group = self.writes_to(&mut unrolling.terms, known, location);
            let others = u32::try_from(group.len()).unwrap_or(u32::MAX).saturating_mul(UNITS_PER_OTHER);
            budget.spend(others)?;
            for Member { write, equal, .. } in group.iter() {
                for term in [write.effective, write.address, write.value, *equal] {
                    influence.add(&unrolling.terms, term);
                }
            }
        }
        Ok(influence)
    }

    /// Says for all reads what they read from, or for those that matter.
    pub(super) fn encode(
        &mut self,
        unrolling: &mut Unrolling,
        known: &mut Knowledge<'_>,
        writer: &mut Writer,
        (sections, influence): (&CriticalSections, Option<&Influence>),
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        // The last read of each thread from a location.
        let mut last: FxHashMap<(InstanceId, Location), Read> = FxHashMap::default();
        // The reads of each step from a location.
        let mut of_step: FxHashMap<(StepId, Location), Vec<Read>> = FxHashMap::default();
        for read in reads(unrolling, known) {
            if influence.is_some_and(|influence| !influence.matters(read.event)) {
                continue;
            }
            let others = of_step.entry((read.step, read.location)).or_default();
            if let Some(first) = made_before(&unrolling.terms, known, &read, others) {
                writer.equal_if(&mut unrolling.terms, read.guard, read.value, first.value);
                self.sources.insert(read.event, vec![(Source::Again(first.event), read.guard)]);
                budget.spend(UNITS_PER_SOURCE)?;
                continue;
            }
            others.push(read);
            let group = self.writes_to(&mut unrolling.terms, known, read.location);
            let others = u32::try_from(group.len()).unwrap_or(u32::MAX).saturating_mul(UNITS_PER_OTHER);
            budget.spend(others)?;
            let earlier = last.insert((read.thread, read.location), read);
            let mut encoder = ReadEncoder { terms: &mut unrolling.terms, known, writer, sections, budget };
            let sources = encoder.encode(read, earlier, &group)?;
            self.sources.insert(read.event, sources);
        }
        Ok(())
    }
}

/// One of some reads that happens whenever another one does.
fn made_before(terms: &Terms, known: &mut Knowledge<'_>, read: &Read, others: &[Read]) -> Option<Read> {
    if others.is_empty() {
        return None;
    }
    let facts = known.facts(terms, read.guard);
    let mut nearest = others.iter().rev().take(NEIGHBOURS).copied();
    nearest.find(|other| facts::implied(terms, &[&facts], other.guard))
}

/// All reads that may happen, in the order of events.
fn reads(unrolling: &Unrolling, known: &Knowledge<'_>) -> Vec<Read> {
    let mut reads = Vec::new();
    for (event, what) in unrolling.events.iter() {
        let EventKind::Access { location, access: AccessKind::Read { value, initial, .. } } = what.kind
        else {
            continue;
        };
        if unrolling.terms.as_bool(what.guard) == Some(false) {
            continue;
        }
        let (step, guard) = (what.step, what.guard);
        let (thread, position) = (unrolling.steps[step].thread, known.position(step));
        reads.push(Read { event, step, thread, position, guard, location, value, initial });
    }
    reads
}

/// Says what one read reads from.
#[derive(Debug)]
struct ReadEncoder<'e, 'a> {
    terms: &'e mut Terms,
    known: &'e mut Knowledge<'a>,
    writer: &'e mut Writer,
    sections: &'e CriticalSections,
    budget: &'e Budget,
}

impl ReadEncoder<'_, '_> {
    /// `earlier` is the last read of its thread from the same location, if there is one.
    fn encode(
        &mut self,
        read: Read,
        earlier: Option<Read>,
        group: &[Member],
    ) -> Result<Vec<(Source, TermId)>, Exhausted> {
        let facts = self.known.facts(self.terms, read.guard);
        let mut viewer = Viewer::new(self.terms, self.known, self.writer, self.sections);
        let mut view = viewer.view(&read, &facts, group);
        let earlier = earlier.filter(|earlier| viewer.is_as_before(&read, &facts, earlier, &mut view));
        let mut between = Between::new(self.terms, self.known, self.writer, self.sections, read);
        let groups = between.group_by_step(&view.live);
        let only = view.visible.len() + usize::from(view.sure.is_empty()) == 1;

        let mut sources = Vec::new();
        let mut candidates: Vec<Candidate<'_>> = Vec::new();
        if view.sure.is_empty() {
            let chosen = self.choose(&read, only);
            if let Some(earlier) = earlier {
                self.writer.equal_if(self.terms, chosen, read.value, earlier.value);
                sources.push((Source::Again(earlier.event), chosen));
            } else if let Some(initial) = read.initial {
                self.writer.equal_if(self.terms, chosen, read.value, initial);
                sources.push((Source::Initial, chosen));
            } else {
                self.writer.clause(self.terms, &[chosen], &[]);
            }
            candidates.push(Candidate { members: Vec::new(), chosen });
        }
        for members in view.visible.chunk_by(|&a, &b| view.live[a].write.step == view.live[b].write.step) {
            self.budget.spend(UNITS_PER_SOURCE)?;
            let several = (members.len() > 1).then(|| choice(self.terms, "rf"));
            for &index in members {
                let member = &view.live[index];
                let chosen = self.choose(&read, only);
                self.encode_source(&read, &facts, member, chosen);
                sources.push((Source::Write(member.write.event), chosen));
                if let Some(several) = several {
                    self.writer.clause(self.terms, &[chosen], &[several]);
                }
            }
            let chosen = several.unwrap_or_else(|| sources.last().expect("each step has a write").1);
            let members = members.iter().map(|&index| &view.live[index]).collect();
            candidates.push(Candidate { members, chosen });
        }
        let others = u32::try_from(groups.len()).unwrap_or(u32::MAX).saturating_mul(UNITS_PER_OTHER);
        for candidate in &candidates {
            self.budget.spend(others.saturating_add(UNITS_PER_SOURCE))?;
            let mut between = Between::new(self.terms, self.known, self.writer, self.sections, read);
            between.encode_others(&groups, candidate);
        }
        if !only {
            let any: Vec<TermId> = sources.iter().map(|&(_, chosen)| chosen).collect();
            self.writer.clause(self.terms, &[read.guard], &any);
        }
        Ok(sources)
    }

    /// The literal of a source: if there is only one, the read's guard.
    fn choose(&mut self, read: &Read, only: bool) -> TermId {
        if only { read.guard } else { choice(self.terms, "rf") }
    }

    /// What it means to read from a write, apart from other writes.
    fn encode_source(&mut self, read: &Read, facts: &Facts, member: &Member, chosen: TermId) {
        let write = member.write;
        if !facts::implied(self.terms, &[facts], write.effective) {
            self.writer.clause(self.terms, &[chosen], &[write.effective]);
        }
        self.writer.clause(self.terms, &[chosen], &[member.equal]);
        self.writer.equal_if(self.terms, chosen, read.value, write.value);
        let may_wait_in_buffer = write.thread == read.thread && write.position < read.position;
        if !may_wait_in_buffer {
            self.writer.edge_if(self.terms, &[chosen], write.step, read.step);
        }
    }
}
