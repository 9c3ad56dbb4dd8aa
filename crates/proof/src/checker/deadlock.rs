//! Deadlocks: that in no reachable state all threads wait or have ended and one waits.
//!
//! Take such a state. No thread in it has been stopped by an assumption or by undefined behaviour (what others wait for may be what it would
//! have done), and the process has not ended. So each thread has ended, or stands at a location from which a path leads to
//! an instruction that waits in this state. Locations are shown to be *empty* in such a state, one after the other:
//!
//! - a location without such a path is empty: who stands there can go on;
//! - so is one where no path waits, by its invariant and because all counters of empty places are zero: a lock is held, so somebody stands in its
//!   critical section, which is empty;
//! - and one where paths wait for the end of a thread that was started before, whose locations are empty: it has ended.
//!
//! When all are empty nobody waits. The order in which they are found takes the place of an order of locks. Counters need not be
//! those of locks; whatever invariants say of them counts.
//!
//! Direction of error: a path may be said to wait that never does.

use std::collections::BTreeSet;

use raddle_base::Span;
use raddle_ir::Property;
use raddle_logic::term::TermId;
use raddle_verdict::proof::Obligations;

use super::Refusal;
use super::explore::Explorer;
use super::obligations::Prover;
use super::state::State;
use crate::certificate::Place;

/// An instruction on a path that may wait.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wait {
    /// When it is reached and waits; of a join: when it is reached.
    guards: Vec<TermId>,
    /// The thread whose end is waited for.
    thread: Option<Joined>,
    span: Span,
}

/// A thread whose end is waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Joined {
    id: TermId,
    own_id: TermId,
    /// Whether the path has asked if it exists.
    exists: bool,
}

impl Explorer<'_> {
    /// A path comes to an instruction that waits unless this holds.
    pub(super) fn note_wait(&mut self, state: &State, granted: TermId) {
        if !self.asked.contains(&Property::Deadlock) {
            return;
        }
        let mut waiting = state.clone();
        let refused = self.terms.not(granted);
        if self.assume(&mut waiting, refused) {
            let wait = Wait { guards: waiting.guards, thread: None, span: state.span };
            if !self.waits.contains(&wait) {
                self.waits.push(wait);
            }
        }
    }

    /// A path comes to where it waits for the end of a thread.
    pub(super) fn note_join(&mut self, state: &State, id: TermId) {
        if !self.asked.contains(&Property::Deadlock) {
            return;
        }
        let exists = (state.exist.iter()).any(|&(thread, holds)| {
            thread == id && (self.terms.as_bool(holds) == Some(true) || state.guards.contains(&holds))
        });
        let thread = Some(Joined { id, own_id: self.own_id(state), exists });
        let wait = Wait { guards: state.guards.clone(), thread, span: state.span };
        if !self.waits.contains(&wait) {
            self.waits.push(wait);
        }
    }
}

impl Prover<'_> {
    /// There is no deadlock. `at` has the waits of all paths, by locations.
    pub(super) fn show_deadlock_free(
        &mut self,
        at: &[Vec<Wait>],
        obligations: &mut Obligations<'_>,
    ) -> Result<(), Refusal> {
        let mut empty: BTreeSet<usize> = (0..at.len()).filter(|location| at[*location].is_empty()).collect();
        loop {
            let mut open = None;
            let before = empty.len();
            for location in (0..at.len()).filter(|location| !at[*location].is_empty()) {
                if empty.contains(&location) {
                    continue;
                }
                match self.show_empty(location, &at[location], &empty, obligations) {
                    Ok(()) => _ = empty.insert(location),
                    Err(why) => _ = open.get_or_insert(why),
                }
            }
            match open {
                None => return Ok(()),
                Some(why) if empty.len() == before => return Err(why),
                Some(_) => {}
            }
        }
    }

    /// Nobody waits at a location when everybody waits and nobody stands at the empty ones.
    fn show_empty(
        &mut self,
        location: usize,
        waits: &[Wait],
        empty: &BTreeSet<usize>,
        obligations: &mut Obligations<'_>,
    ) -> Result<(), Refusal> {
        let mut known = self.before(location, &[], &[])?;
        known.extend(self.nobody(empty));
        for wait in waits {
            let mut parts = known.clone();
            parts.extend(&wait.guards);
            if let Some(joined) = wait.thread {
                parts.extend(self.not_ended(location, joined, empty));
            }
            let ((here, _), at) = (self.at(location), wait.span);
            let what = || format!("that nobody waits at {here} when everybody waits");
            self.refute(obligations, &parts, what, at)?;
        }
        Ok(())
    }

    /// Counters of places where nobody is are zero: of empty locations, and of threads that are stuck.
    fn nobody(&mut self, empty: &BTreeSet<usize>) -> Vec<TermId> {
        let certificate = self.explorer.certificate;
        let is_empty = |place: &Place| match place {
            Place::At(location) => empty.contains(location),
            Place::Stuck(_) => true,
            Place::Ended(_) => false,
        };
        let mut parts = Vec::new();
        for (index, counter) in certificate.counters.iter().enumerate() {
            if counter.members.iter().all(is_empty) {
                let value = self.now.counters[index];
                let width = self.explorer.terms.width(value);
                let zero = self.explorer.terms.bits(0, width);
                parts.push(self.explorer.terms.eq(value, zero));
            }
        }
        parts
    }

    /// When a thread that is waited for may not have ended: it is none of those that were started and stand nowhere.
    fn not_ended(&mut self, location: usize, joined: Joined, empty: &BTreeSet<usize>) -> Vec<TermId> {
        let certificate = self.explorer.certificate;
        let template = certificate.locations[location].template;
        let stands = |of: usize| {
            let mut locations = certificate.locations.iter().enumerate();
            locations.any(|(index, location)| location.template == of && !empty.contains(&index))
        };
        let (single, started) = (&self.explorer.facts.single, &self.explorer.facts.started[location]);
        let over: Vec<usize> = (started.iter().flatten().copied())
            .filter(|of| *of != template && single[*of] && !stands(*of))
            .collect();
        let others_stand =
            (0..certificate.templates.len()).any(|of| stands(of) && !(of == template && single[of]));
        let mut parts = Vec::new();
        for of in over {
            let identity = self.explorer.identities[of];
            parts.push(self.explorer.terms.ne(joined.id, identity));
        }
        // Any thread that exists and is not this one has ended.
        if joined.exists && !others_stand {
            parts.push(self.explorer.terms.eq(joined.id, joined.own_id));
        }
        parts
    }
}
