//! No other write comes between the one that a read sees and the read.
//!
//! Order is a matter of steps. So writes of one step (an atomic section may have many, to addresses that differ or not) are
//! taken together: the read sees one of them, or one of them happens to the address that is read.

use std::rc::Rc;

use raddle_logic::term::{TermId, Terms};

use super::Encoding;
use super::clauses::choice;
use super::facts::{self, Facts};
use super::memory::{Member, Read, Write};
use super::visible::NEIGHBOURS;
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

/// What a read sees, and what is known when it does.
#[derive(Debug)]
pub(super) struct Sight<'m> {
    /// The writes one of which is seen, all of one step; none for the initial value, or what an earlier read saw.
    pub(super) members: Vec<&'m Member>,
    /// Whether it is seen.
    pub(super) seen: TermId,
}

/// A sight, and what follows from the guards of the read and of the write that is seen.
#[derive(Debug)]
struct Known<'s> {
    sight: &'s Sight<'s>,
    premises: Vec<Rc<Facts>>,
}

impl Known<'_> {
    fn implies(&self, terms: &Terms, more: Option<&Facts>, goal: TermId) -> bool {
        let premises: Vec<&Facts> = self.premises.iter().map(Rc::as_ref).chain(more).collect();
        facts::implied(terms, &premises, goal)
    }

    /// Whether one of these writes happens for sure to the address that is read.
    fn is_sure(&self, terms: &Terms, group: &Group<'_>) -> bool {
        group.members.iter().any(|member| member.same && self.implies(terms, None, member.write.effective))
    }
}

impl Encoding<'_> {
    /// Takes the writes that matter to a read together by steps.
    pub(super) fn group_by_step<'m>(
        &mut self,
        terms: &mut Terms,
        read: &Read,
        live: &'m [Member],
    ) -> Vec<Group<'m>> {
        let facts = self.facts.of(terms, read.guard);
        let mut groups = Vec::new();
        for members in live.chunk_by(|a, b| a.write.step == b.write.step) {
            let mut hit = None;
            if members.len() > 1 {
                let any = choice(terms, "hit");
                for member in members {
                    let happens = facts::implied(terms, &[&facts], member.write.effective);
                    let happens = if happens { terms.bool(true) } else { member.write.effective };
                    self.clause(terms, &[happens, member.equal], &[any]);
                }
                hit = Some(any);
            }
            groups.push(Group { members, hit });
        }
        groups
    }

    /// No other write comes between what is seen and the read.
    pub(super) fn encode_others(
        &mut self,
        terms: &mut Terms,
        read: &Read,
        groups: &[Group<'_>],
        sight: &Sight<'_>,
    ) {
        let mut premises = vec![self.facts.of(terms, read.guard)];
        if let [only] = sight.members[..] {
            premises.push(self.facts.of(terms, only.write.effective));
        }
        let known = Known { sight, premises };
        for groups in groups.chunk_by(|a, b| a.write().thread == b.write().thread) {
            self.encode_others_of_thread(terms, read, groups, &known);
        }
    }

    fn encode_others_of_thread(
        &mut self,
        terms: &mut Terms,
        read: &Read,
        groups: &[Group<'_>],
        known: &Known<'_>,
    ) {
        let seen = known.sight.members.first().map(|member| member.write.step);
        let mut newer = Vec::new();
        let mut older = Vec::new();
        for group in groups {
            let step = group.step();
            let is_newer = seen.is_none_or(|seen| self.reach.before(seen, step));
            let is_older = seen.is_some_and(|seen| seen == step || self.reach.before(step, seen));
            if is_older || self.is_elsewhere(terms, known.sight, group) {
                continue;
            }
            match (is_newer, self.settled(group.write(), read)) {
                // It would come between.
                (true, true) => {
                    let conditions = Self::conditions(terms, known, group);
                    self.clause(terms, &conditions, &[]);
                }
                (true, false) => newer.push(group),
                (false, true) => older.push(group),
                (false, false) => {
                    if let Some(seen) = seen {
                        let mut conditions = Self::conditions(terms, known, group);
                        conditions.push(self.write_order(terms, seen, step));
                        self.edge_if(terms, &conditions, read.step, step);
                    }
                }
            }
        }
        // The first of those that are newer, and the last of those that are older, stand for the rest.
        let mut kept: Vec<&Group<'_>> = Vec::new();
        for group in newer {
            let nearer = |encoding: &Self, nearer: StepId| encoding.reach.before(nearer, group.step());
            if !self.is_covered(terms, known, &kept, group, nearer) {
                let conditions = Self::conditions(terms, known, group);
                self.edge_if(terms, &conditions, read.step, group.step());
                kept.push(group);
            }
        }
        let Some(seen) = seen else { return };
        kept.clear();
        for group in older.into_iter().rev() {
            let nearer = |encoding: &Self, nearer: StepId| encoding.reach.before(group.step(), nearer);
            if !self.is_covered(terms, known, &kept, group, nearer) {
                let conditions = Self::conditions(terms, known, group);
                self.edge_if(terms, &conditions, group.step(), seen);
                kept.push(group);
            }
        }
    }

    /// The conditions under which it is seen, and one of the writes happens to the address that is read.
    fn conditions(terms: &Terms, known: &Known<'_>, group: &Group<'_>) -> Vec<TermId> {
        let mut conditions = Vec::with_capacity(4);
        conditions.push(known.sight.seen);
        match group.hit {
            Some(hit) => conditions.extend((!known.is_sure(terms, group)).then_some(hit)),
            None => {
                for member in group.members {
                    if !known.implies(terms, None, member.write.effective) {
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

    /// Whether no write of the group can be to the address of what is seen.
    fn is_elsewhere(&self, terms: &Terms, sight: &Sight<'_>, group: &Group<'_>) -> bool {
        if sight.members.is_empty() {
            return false;
        }
        let mut pairs =
            sight.members.iter().flat_map(|seen| group.members.iter().map(move |other| (seen, other)));
        pairs.all(|(seen, other)| {
            let (a, b) = (seen.write.address, other.write.address);
            match (terms.as_bits(a), terms.as_bits(b)) {
                (Some(a), Some(b)) => a != b,
                // If either is always the address that is read, the other was looked at already.
                _ => !seen.same && !other.same && !self.addresses.may_be_equal(terms, a, b),
            }
        })
    }

    /// The condition under which one write is before another, should both happen. In critical sections of one lock it is the
    /// order of the sections, so that all their writes share it.
    fn write_order(&mut self, terms: &mut Terms, before: StepId, after: StepId) -> TermId {
        match self.apart(before, after) {
            Some((first, second)) => {
                let (first, second) = (self.section_steps[first], self.section_steps[second]);
                self.before(terms, first, second)
            }
            None => self.before(terms, before, after),
        }
    }

    /// Whether a write nearer to the read happens whenever one of these does, to the same address.
    fn is_covered(
        &mut self,
        terms: &Terms,
        known: &Known<'_>,
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
                    let own = self.facts.of(terms, member.write.effective);
                    nearer.members.iter().any(|other| {
                        (other.same || other.write.address == member.write.address)
                            && known.implies(terms, Some(&own), other.write.effective)
                    })
                }
                _ => known.is_sure(terms, nearer),
            };
            if covered {
                return true;
            }
        }
        false
    }
}
