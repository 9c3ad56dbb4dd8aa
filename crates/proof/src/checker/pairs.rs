//! Level 2: what holds while two different threads stand at two locations.
//!
//! It begins to hold when one of them comes to its location while the other one stands at its own, or when one is started there; and it is kept
//! by the steps of every third thread. The claims about pairs may be used wherever two threads are looked at, as the claims about one may: all hold
//! before a step, and each is shown behind it. Where both stand at one location, either may be called the left one.

use raddle_logic::term::TermId;
use raddle_verdict::proof::Obligations;

use super::Refusal;
use super::axioms::Presence;
use super::obligations::{Prover, Step, Touched};
use super::quantity::{Moment, Who};
use super::state::Target;
use crate::certificate::{Pair, Side};

impl Prover<'_> {
    /// A pair's invariant of two threads, the left one and the right one.
    fn pair(
        &mut self,
        pair: &Pair,
        moment: &Moment,
        left: Who<'_>,
        right: Who<'_>,
    ) -> Result<TermId, Refusal> {
        let of = |side| match side {
            Side::Left => Some((pair.left, left)),
            Side::Right => Some((pair.right, right)),
        };
        let formula = self.explorer.formula(&pair.invariant, moment, &of)?;
        Ok(self.explorer.term(&formula))
    }

    /// What is claimed of two threads that stand somewhere.
    pub(super) fn pair_holds(
        &mut self,
        one: Presence<'_>,
        other: Presence<'_>,
        moment: &Moment,
    ) -> Result<Vec<TermId>, Refusal> {
        let mut parts = Vec::new();
        let certificate = self.explorer.certificate;
        for pair in &certificate.pairs {
            if (pair.left, pair.right) == (one.location, other.location) {
                parts.push(self.pair(pair, moment, one.who, other.who)?);
            }
            if (pair.left, pair.right) == (other.location, one.location) {
                parts.push(self.pair(pair, moment, other.who, one.who)?);
            }
        }
        Ok(parts)
    }

    pub(super) fn show_pairs(
        &mut self,
        steps: &[Step],
        obligations: &mut Obligations<'_>,
    ) -> Result<(), Refusal> {
        let certificate = self.explorer.certificate;
        for pair in &certificate.pairs {
            if !self.may_meet(pair.left, pair.right) {
                continue;
            }
            for step in steps {
                self.show_arrival(pair, step, obligations)?;
                self.show_pair_of_started(pair, step, obligations)?;
                self.show_pair_kept(pair, step, obligations)?;
            }
        }
        Ok(())
    }

    fn refute_pair(
        &mut self,
        pair: &Pair,
        step: &Step,
        (mut parts, wanted): (Vec<TermId>, TermId),
        obligations: &mut Obligations<'_>,
    ) -> Result<(), Refusal> {
        parts.push(self.explorer.terms.not(wanted));
        let ((left, at), (right, _), (from, _)) =
            (self.at(pair.left), self.at(pair.right), self.at(step.from));
        let what =
            || format!("that what holds of threads at {left} and {right} holds behind the step from {from}");
        self.refute(obligations, &parts, what, at).map_err(|why| why.with(step.edge.span))
    }

    /// What holds before a step while a thread stands at a location; nothing if none can.
    fn beside(&mut self, step: &Step, location: usize) -> Result<Option<Vec<TermId>>, Refusal> {
        if !self.may_meet(step.from, location) {
            return Ok(None);
        }
        let mut parts = step.before.clone();
        let standing = self.standing[location].clone();
        parts.push(self.explorer.term(&standing));
        parts.extend(self.with_other(step, Presence { location, who: Who::Other })?);
        Ok(Some(parts))
    }

    /// One of the two comes to its location.
    fn show_arrival(
        &mut self,
        pair: &Pair,
        step: &Step,
        obligations: &mut Obligations<'_>,
    ) -> Result<(), Refusal> {
        let Target::At(to) = step.edge.to else { return Ok(()) };
        let came = Who::After(&step.edge.end);
        if to == pair.left
            && let Some(parts) = self.beside(step, pair.right)?
        {
            let wanted = self.pair(pair, &step.after, came, Who::Other)?;
            self.refute_pair(pair, step, (parts, wanted), obligations)?;
        }
        if to == pair.right
            && let Some(parts) = self.beside(step, pair.left)?
        {
            let wanted = self.pair(pair, &step.after, Who::Other, came)?;
            self.refute_pair(pair, step, (parts, wanted), obligations)?;
        }
        Ok(())
    }

    /// One of the two, or both, are started by the step.
    fn show_pair_of_started(
        &mut self,
        pair: &Pair,
        step: &Step,
        obligations: &mut Obligations<'_>,
    ) -> Result<(), Refusal> {
        let forks = &step.edge.end.forks;
        for (index, fork) in forks.iter().enumerate() {
            let entry = self.entries[fork.starts];
            let born = Who::Born { argument: fork.argument, id: fork.id };
            // With who started it, and with others that were started by the same step.
            let mut others = Vec::new();
            if let Target::At(to) = step.edge.to {
                others.push((to, Who::After(&step.edge.end)));
            }
            for sibling in &forks[..index] {
                let who = Who::Born { argument: sibling.argument, id: sibling.id };
                others.push((self.entries[sibling.starts], who));
            }
            for (location, who) in others {
                if (pair.left, pair.right) == (location, entry) {
                    let wanted = self.pair(pair, &step.after, who, born)?;
                    self.refute_pair(pair, step, (step.before.clone(), wanted), obligations)?;
                }
                if (pair.left, pair.right) == (entry, location) {
                    let wanted = self.pair(pair, &step.after, born, who)?;
                    self.refute_pair(pair, step, (step.before.clone(), wanted), obligations)?;
                }
            }
            // With another thread that stands where it stood.
            if entry == pair.right
                && let Some(parts) = self.beside(step, pair.left)?
            {
                let wanted = self.pair(pair, &step.after, Who::Other, born)?;
                self.refute_pair(pair, step, (parts, wanted), obligations)?;
            }
            if entry == pair.left
                && let Some(parts) = self.beside(step, pair.right)?
            {
                let wanted = self.pair(pair, &step.after, born, Who::Other)?;
                self.refute_pair(pair, step, (parts, wanted), obligations)?;
            }
        }
        Ok(())
    }

    /// A third thread makes the step. One that changes nothing that the invariant reads keeps it.
    fn show_pair_kept(
        &mut self,
        pair: &Pair,
        step: &Step,
        obligations: &mut Obligations<'_>,
    ) -> Result<(), Refusal> {
        if !Touched::of_invariant(&pair.invariant).meets(&step.changes)
            || !self.may_meet(step.from, pair.right)
        {
            return Ok(());
        }
        let Some(mut parts) = self.beside(step, pair.left)? else { return Ok(()) };
        let now = self.now.clone();
        let left = Presence { location: pair.left, who: Who::Other };
        let right = Presence { location: pair.right, who: Who::Third };
        parts.push(self.third[pair.right]);
        parts.extend(self.with_other(step, right)?);
        parts.extend(self.pair_holds(left, right, &now)?);
        let me = Presence { location: step.from, who: Who::Actor };
        parts.extend(self.explorer.counter_axioms(&now, &[me, left, right]));
        let certificate = self.explorer.certificate;
        let templates =
            (certificate.locations[pair.left].template, certificate.locations[pair.right].template);
        let ids = (
            self.explorer.identity(templates.0, Who::Other),
            self.explorer.identity(templates.1, Who::Third),
        );
        parts.extend(self.explorer.identity_axioms(&[(templates.0, ids.0), (templates.1, ids.1)]));
        let wanted = self.pair(pair, &step.after, Who::Other, Who::Third)?;
        self.refute_pair(pair, step, (parts, wanted), obligations)
    }
}
