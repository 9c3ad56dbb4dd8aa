//! No other write comes between the one that a read reads from and the read.
//!
//! Order is a matter of steps. So writes of one step (an atomic block may have many, to addresses that differ or not) are
//! taken together: the read reads from one of them, or one of them happens to the address that is read.

use std::rc::Rc;

use raddle_logic::term::{TermId, Terms};

use super::facts::{self, Facts};
use super::knowledge::Knowledge;
use super::locks::CriticalSections;
use super::memory::{Member, Read, Write};
use super::visible::{NEIGHBOURS, is_past};
use super::writer::{Writer, choice};
use crate::execution_graph::events::StepId;

/// The writes of a step that matter to a read.
#[derive(Debug)]
pub(super) struct Group<'m> {
    members: &'m [Member],
    /// If there are several: whether one of them happens to the address that is read.
    hit: Option<TermId>,
}

impl Group<'_> {
    /// Any of its writes, to tell the step and the thread.
    fn write(&self) -> &Write {
        &self.members[0].write
    }

    fn step(&self) -> StepId {
        self.write().step
    }
}

/// Something that a read may read from.
#[derive(Debug)]
pub(super) struct Candidate<'m> {
    /// The writes one of which it is, all of one step; none for the initial value, or what an earlier read read from.
    pub(super) members: Vec<&'m Member>,
    /// Whether it is read from.
    pub(super) chosen: TermId,
}

/// A candidate that is read from, and what follows from the guards of the read and of the write.
#[derive(Debug)]
struct Chosen<'s> {
    candidate: &'s Candidate<'s>,
    premises: Vec<Rc<Facts>>,
}

impl Chosen<'_> {
    fn implies(&self, terms: &Terms, more: Option<&Facts>, goal: TermId) -> bool {
        let premises: Vec<&Facts> = self.premises.iter().map(Rc::as_ref).chain(more).collect();
        facts::implied(terms, &premises, goal)
    }

    /// Whether one of these writes happens for sure to the address that is read.
    fn is_sure(&self, terms: &Terms, group: &Group<'_>) -> bool {
        group.members.iter().any(|member| member.same && self.implies(terms, None, member.write.effective))
    }
}

/// Says what comes between a read and what it reads from: nothing. See the [module](self).
#[derive(Debug)]
pub(super) struct Between<'e, 'a> {
    terms: &'e mut Terms,
    known: &'e mut Knowledge<'a>,
    writer: &'e mut Writer,
    sections: &'e CriticalSections,
    read: Read,
}

impl<'e, 'a> Between<'e, 'a> {
    pub(super) fn new(
        terms: &'e mut Terms,
        known: &'e mut Knowledge<'a>,
        writer: &'e mut Writer,
        sections: &'e CriticalSections,
        read: Read,
    ) -> Self {
        Self { terms, known, writer, sections, read }
    }

    /// Takes the writes that matter to a read together by steps.
    pub(super) fn group_by_step<'m>(&mut self, live: &'m [Member]) -> Vec<Group<'m>> {
        let facts = self.known.facts(self.terms, self.read.guard);
        let mut groups = Vec::new();
        for members in live.chunk_by(|a, b| a.write.step == b.write.step) {
            let mut hit = None;
            if members.len() > 1 {
                let any = choice(self.terms, "hit");
                for member in members {
                    let happens = facts::implied(self.terms, &[&facts], member.write.effective);
                    let happens = if happens { self.terms.bool(true) } else { member.write.effective };
                    self.writer.clause(self.terms, &[happens, member.equal], &[any]);
                }
                hit = Some(any);
            }
            groups.push(Group { members, hit });
        }
        groups
    }

    /// No other write comes between what is read from and the read.
    pub(super) fn encode_others(&mut self, groups: &[Group<'_>], candidate: &Candidate<'_>) {
        let mut premises = vec![self.known.facts(self.terms, self.read.guard)];
        if let [only] = candidate.members[..] {
            premises.push(self.known.facts(self.terms, only.write.effective));
        }
        let chosen = Chosen { candidate, premises };
        for groups in groups.chunk_by(|a, b| a.write().thread == b.write().thread) {
            self.encode_others_of_thread(groups, &chosen);
        }
    }

    fn encode_others_of_thread(&mut self, groups: &[Group<'_>], chosen: &Chosen<'_>) {
        let from = chosen.candidate.members.first().map(|member| member.write.step);
        let mut newer = Vec::new();
        let mut older = Vec::new();
        for group in groups {
            let step = group.step();
            // By static order alone. What is neither newer nor older can be either, and a literal decides.
            let is_newer = from.is_none_or(|from| self.writer.always_before(from, step));
            let is_older = from.is_some_and(|from| from == step || self.writer.always_before(step, from));
            // What comes before the write that is read from, or is of its step, was overwritten by it.
            if is_older || self.is_elsewhere(chosen.candidate, group) {
                continue;
            }
            match (is_newer, is_past(self.writer, group.write(), &self.read)) {
                // Behind what is read from and before the read: it would come between.
                (true, true) => {
                    let conditions = Self::conditions(self.terms, chosen, group);
                    self.writer.clause(self.terms, &conditions, &[]);
                }
                // Behind what is read from, so it must come behind the read.
                (true, false) => newer.push(group),
                // Before the read, so it must come before what is read from.
                (false, true) => older.push(group),
                // If it comes behind what is read from, it comes behind the read. That it comes before the read otherwise needs no
                // edge: one of the two orders holds, and the other one asks nothing of it.
                (false, false) => {
                    if let Some(from) = from {
                        let mut conditions = Self::conditions(self.terms, chosen, group);
                        conditions.push(self.write_order(from, step));
                        self.writer.edge_if(self.terms, &conditions, self.read.step, step);
                    }
                }
            }
        }
        // The first of those that are newer, and the last of those that are older, stand for the rest.
        let mut kept: Vec<&Group<'_>> = Vec::new();
        for group in newer {
            let nearer = |this: &Self, nearer: StepId| this.writer.always_before(nearer, group.step());
            if !self.is_covered(chosen, &kept, group, nearer) {
                let conditions = Self::conditions(self.terms, chosen, group);
                self.writer.edge_if(self.terms, &conditions, self.read.step, group.step());
                kept.push(group);
            }
        }
        let Some(from) = from else { return };
        kept.clear();
        for group in older.into_iter().rev() {
            let nearer = |this: &Self, nearer: StepId| this.writer.always_before(group.step(), nearer);
            if !self.is_covered(chosen, &kept, group, nearer) {
                let conditions = Self::conditions(self.terms, chosen, group);
                self.writer.edge_if(self.terms, &conditions, group.step(), from);
                kept.push(group);
            }
        }
    }

    /// The conditions under which it is read from, and one of the writes happens to the address that is read.
    fn conditions(terms: &Terms, chosen: &Chosen<'_>, group: &Group<'_>) -> Vec<TermId> {
        let mut conditions = Vec::with_capacity(4);
        conditions.push(chosen.candidate.chosen);
        match group.hit {
            Some(hit) => conditions.extend((!chosen.is_sure(terms, group)).then_some(hit)),
            None => {
                for member in group.members {
                    if !chosen.implies(terms, None, member.write.effective) {
                        conditions.push(member.write.effective);
                    }
                    if !member.same {
                        conditions.push(member.equal);
                    }
                }
            }
        }
        conditions
    }

    /// Whether no write of the group can be to the address of what is read from.
    fn is_elsewhere(&self, candidate: &Candidate<'_>, group: &Group<'_>) -> bool {
        if candidate.members.is_empty() {
            return false;
        }
        let mut pairs =
            candidate.members.iter().flat_map(|from| group.members.iter().map(move |other| (from, other)));
        pairs.all(|(from, other)| {
            let (a, b) = (from.write.address, other.write.address);
            match (self.terms.as_bits(a), self.terms.as_bits(b)) {
                (Some(a), Some(b)) => a != b,
                // If either is always the address that is read, the other was looked at already.
                _ => !from.same && !other.same && !self.known.may_be_equal(self.terms, a, b),
            }
        })
    }

    /// The condition under which one write is before another, should both happen. In critical sections of one lock it is the
    /// order of these, so that all their writes share it.
    fn write_order(&mut self, before: StepId, after: StepId) -> TermId {
        match self.sections.apart(before, after) {
            Some((first, second)) => {
                let (first, second) = (self.sections.begin(first), self.sections.begin(second));
                self.writer.before(self.terms, first, second)
            }
            None => self.writer.before(self.terms, before, after),
        }
    }

    /// Whether a write nearer to the read happens whenever one of these does, to the same address.
    fn is_covered(
        &mut self,
        chosen: &Chosen<'_>,
        kept: &[&Group<'_>],
        group: &Group<'_>,
        is_nearer: impl Fn(&Self, StepId) -> bool,
    ) -> bool {
        for nearer in kept.iter().rev().take(NEIGHBOURS) {
            if !is_nearer(self, nearer.step()) {
                continue;
            }
            let covered = match group.members {
                [member] => {
                    let own = self.known.facts(self.terms, member.write.effective);
                    nearer.members.iter().any(|other| {
                        (other.same || other.write.address == member.write.address)
                            && chosen.implies(self.terms, Some(&own), other.write.effective)
                    })
                }
                _ => chosen.is_sure(self.terms, nearer),
            };
            if covered {
                return true;
            }
        }
        false
    }
}
