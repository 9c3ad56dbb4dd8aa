//! What holds of counters, tallies and thread ids in all states, whatever the program does.
//!
//! Threads stand at one place each; a counter is how many stand at its members. So, as long as fewer than 2^32 threads are started: each has an id of 32 bits (A4):
//!
//! - (A1) 0 ≤ counter < 2^32.
//! - (A2) A thread that stands at a member makes it at least 1; two of them, at least 2.
//! - (A3) Where all members are places of one template that has one thread at most, it is at most 1; and 0 while that thread is
//!   known to stand at another place.
//! - (A4) Threads have different ids; that of the main thread is 0; none is the largest number. A template that has one thread at most
//!   has an id too that no other thread has, also before its thread is started.
//! - (A5) Who joins a thread finds it ended: it is none that stands anywhere. If it is the only thread of a template, the
//!   counters of other places of that template are 0, those of its end 1.
//! - (A6) 0 ≤ tally < 2^60.
//! - (A7) Ids are numbers in the order of creation. So where only threads of templates that have one thread at most can have been started before
//!   a thread, its id is at most one more than there are such templates.
//!
//! A state before a step and the one behind it are both states.

use raddle_logic::term::TermId;

use super::explore::Explorer;
use super::quantity::{COUNTER_BITS, COUNTER_LIMIT_BITS, Moment, TALLY_BITS, TALLY_LIMIT_BITS, Who};
use super::state::Fork;
use crate::certificate::{Counter, Place};

/// A thread that is known to be there: where, and which one of those that are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Presence<'s> {
    pub(super) location: usize,
    pub(super) who: Who<'s>,
}

impl Explorer<'_> {
    pub(super) fn template_of(&self, place: Place) -> usize {
        match place {
            Place::At(location) => self.certificate.locations[location].template,
            Place::Ended(template) | Place::Stuck(template) => template,
        }
    }

    /// The template that all members are places of, if it has one thread at most.
    fn single_template(&self, counter: &Counter) -> Option<usize> {
        let first = self.template_of(*counter.members.first()?);
        let all = counter.members.iter().all(|member| self.template_of(*member) == first);
        (all && self.facts.single[first]).then_some(first)
    }

    /// What holds of the counters of a state in which these threads stand where they stand.
    pub(super) fn counter_axioms(&mut self, moment: &Moment, present: &[Presence<'_>]) -> Vec<TermId> {
        let mut axioms = Vec::new();
        let limit = self.terms.bits(1 << COUNTER_LIMIT_BITS, COUNTER_BITS);
        let certificate = self.certificate;
        for (index, counter) in certificate.counters.iter().enumerate() {
            let value = moment.counters[index];
            axioms.push(self.terms.ult(value, limit));
            let inside = |presence: &&Presence<'_>| counter.members.contains(&Place::At(presence.location));
            let least = present.iter().filter(inside).count();
            let least_term = self.terms.bits(least as u128, COUNTER_BITS);
            axioms.push(self.terms.ule(least_term, value));
            if counter.members.is_empty() {
                axioms.push(self.equals(value, 0));
            } else if let Some(template) = self.single_template(counter) {
                let one = self.terms.bits(1, COUNTER_BITS);
                axioms.push(self.terms.ule(value, one));
                let elsewhere =
                    |presence: &Presence<'_>| certificate.locations[presence.location].template == template;
                if least == 0 && present.iter().any(elsewhere) {
                    axioms.push(self.equals(value, 0));
                }
            }
        }
        let limit = self.terms.bits(1 << TALLY_LIMIT_BITS, TALLY_BITS);
        for &tally in &moment.tallies {
            axioms.push(self.terms.ult(tally, limit));
        }
        axioms
    }

    fn equals(&mut self, value: TermId, number: u128) -> TermId {
        let number = self.terms.bits(number, COUNTER_BITS);
        self.terms.eq(value, number)
    }

    /// What holds of ids: of threads that are there, by template, and of threads that a step starts.
    pub(super) fn identity_axioms(&mut self, threads: &[(usize, TermId)]) -> Vec<TermId> {
        let mut axioms = Vec::new();
        let (zero, last) = (self.terms.bits(0, 32), self.terms.bits(u128::from(u32::MAX), 32));
        let mut ids = threads.to_vec();
        for template in 0..self.certificate.templates.len() {
            if self.facts.single[template] && threads.iter().all(|(known, _)| *known != template) {
                ids.push((template, self.identities[template]));
            }
        }
        for (index, &(template, id)) in ids.iter().enumerate() {
            axioms.push(self.terms.ne(id, last));
            if template != 0 {
                axioms.push(self.terms.ne(id, zero));
            }
            for &(_, other) in &ids[..index] {
                axioms.push(self.terms.ne(id, other));
            }
        }
        axioms
    }

    /// What holds of the ids of threads that were certainly started (A7): by those that stand at a location, or by a step from there.
    pub(super) fn order_axioms(&mut self, location: usize, forks: &[Fork]) -> Vec<TermId> {
        let template = self.certificate.locations[location].template;
        let mut started = self.facts.started[location].clone().unwrap_or_default();
        started.insert(template);
        let mut most: Vec<(usize, u32)> = (started.into_iter())
            .filter_map(|template| Some((template, self.most_ids.get(template).copied().flatten()?)))
            .collect();
        // Of what the main thread starts the paths that led it there say how many there were before.
        for fork in forks.iter().filter(|_| template == 0) {
            let mut before = self.beside[location].clone();
            before.extend(forks.iter().map(|fork| fork.starts));
            before.remove(&fork.starts);
            let count = u32::try_from(before.len() + 1).ok();
            if before.iter().chain([&fork.starts]).all(|other| self.facts.single[*other]) {
                most.extend(count.map(|count| (fork.starts, count)));
            }
        }
        let mut axioms = Vec::new();
        for (template, most) in most {
            let most = self.terms.bits(most.into(), 32);
            axioms.push(self.terms.ule(self.identities[template], most));
        }
        axioms
    }

    /// The threads of a path that are the first ones of their templates. A path that must not be taken was not counted when it was found
    /// which templates have one thread at most.
    pub(super) fn first_started(&self, location: usize, forks: &[Fork]) -> Vec<Fork> {
        let is_main = self.certificate.locations[location].template == 0;
        let is_first = |index: usize, fork: &Fork| {
            !self.beside[location].contains(&fork.starts)
                && forks[..index].iter().all(|other| other.starts != fork.starts)
        };
        let first = forks.iter().enumerate().filter(|(index, fork)| is_main && is_first(*index, fork));
        first.map(|(_, fork)| fork.clone()).collect()
    }

    /// What holds where threads were joined, while others are there.
    pub(super) fn join_axioms(
        &mut self,
        joins: &[TermId],
        moment: &Moment,
        threads: &[(usize, TermId)],
    ) -> Vec<TermId> {
        let mut axioms = Vec::new();
        let certificate = self.certificate;
        for &joined in joins {
            for &(_, id) in threads {
                axioms.push(self.terms.ne(joined, id));
            }
            for (index, counter) in certificate.counters.iter().enumerate() {
                let Some(template) = self.single_template(counter) else { continue };
                let is_it = self.terms.eq(joined, self.identities[template]);
                let ended = counter.members.contains(&Place::Ended(template));
                let known = self.equals(moment.counters[index], u128::from(ended));
                axioms.push(self.terms.implies(is_it, known));
            }
        }
        axioms
    }
}
