//! Proofs that were checked: the only maker of a [`CheckedProof`].
//!
//! An engine that finds a proof without bounds does not say so itself. It gives a [`Certificate`]: data from which obligations follow,
//! each a formula that must have no model. [`check`] asks a solver of its own for each of them, one by one, from nothing. Only
//! when all are refuted there is a proof.
//!
//! The obligations are part of what is trusted, as the encoder of a bounded engine is. So whoever implements [`Certificate`] writes it from
//! the program and the meaning of its instructions, and shares no code with the analysis that found the certificate: what
//! the analysis got wrong is then an obligation with a model. Errors are in one direction: what is not refuted, for whatever reason,
//! is [`Rejected`], never a proof. [`check_each`] is the same for obligations that are too many to be kept.
//!
//! [`Inductive`] is the smallest certificate: an invariant of a transition system (Floyd 1967; Manna and Pnueli 1995).

use std::sync::Arc;

use raddle_base::{Budget, Exhausted};
use raddle_logic::solver::{Answer, Embedded, Solver as _, SolverError, Stop};
pub use raddle_logic::term::{Sort, TermId, Terms};
use rustc_hash::FxHashSet;

/// A proof that holds without bounds, because all its obligations were refuted by [`check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedProof {
    method: &'static str,
    obligations: usize,
    certificate: Option<Arc<str>>,
}

impl CheckedProof {
    /// What kind of certificate it was: `inductive invariant`.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        self.method
    }

    /// How many obligations were refuted.
    #[must_use]
    pub const fn obligations(&self) -> usize {
        self.obligations
    }

    /// What was checked, as text: to be checked again by others. Not all proofs keep it.
    #[must_use]
    pub fn certificate(&self) -> Option<&str> {
        self.certificate.as_deref()
    }

    /// The same proof, which keeps what was checked.
    #[must_use]
    pub fn with_certificate(self, text: Arc<str>) -> Self {
        Self { certificate: Some(text), ..self }
    }
}

/// What an engine has to show for a proof.
pub trait Certificate {
    /// What kind it is, in a few words: `inductive invariant`.
    fn method(&self) -> &'static str;

    /// Everything that must be shown. If none of the obligations has a model, the property holds in all executions.
    fn obligations(&self, terms: &mut Terms) -> Vec<Obligation>;
}

/// One formula that must have no model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What is shown by refuting it: `the invariant holds at the start`.
    pub what: String,
    /// The negation of that.
    pub violated: TermId,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// It shows nothing.
    #[error("the certificate has no obligations")]
    Empty,
    /// An obligation has a model.
    #[error("{0} does not hold")]
    Refuted(String),
    /// Time or memory ended before an obligation was decided.
    #[error("{0} was not decided: {1}")]
    Exhausted(String, Exhausted),
    /// The solver gave up on an obligation.
    #[error("{0} was not decided: {1}")]
    Undecided(String, String),
}

/// Checks a certificate whose obligations are made all at once. With [`check_each`] the only way to get a [`CheckedProof`].
pub fn check(certificate: &dyn Certificate, budget: &Budget) -> Result<CheckedProof, Rejected> {
    let mut terms = Terms::new();
    let obligations = certificate.obligations(&mut terms);
    check_each(certificate.method(), budget, |made| {
        for Obligation { what, violated } in &obligations {
            made.refute(&mut terms, &[*violated], || what.clone())?;
        }
        Ok(())
    })
}

/// Checks a certificate whose obligations are made one after the other, each decided at once, so that none has to be kept. Whoever
/// makes them answers `Ok` only when there are no more.
pub fn check_each<E: From<Rejected>>(
    method: &'static str,
    budget: &Budget,
    make: impl FnOnce(&mut Obligations<'_>) -> Result<(), E>,
) -> Result<CheckedProof, E> {
    let mut obligations = Obligations { budget, refuted: 0, solved: 0 };
    make(&mut obligations)?;
    // Nothing to show would show everything.
    if obligations.refuted == 0 {
        return Err(Rejected::Empty.into());
    }
    Ok(CheckedProof { method, obligations: obligations.refuted, certificate: None })
}

/// Units of work for a question, beside what solvers charge.
const QUESTION: u32 = 50;
/// An obligation that takes more conflicts than this is large.
const SMALL: u64 = 2_000;

/// Where obligations are decided as they are made.
#[derive(Debug)]
pub struct Obligations<'b> {
    budget: &'b Budget,
    refuted: usize,
    solved: usize,
}

impl Obligations<'_> {
    /// The parts must have no model together.
    pub fn refute(
        &mut self,
        terms: &mut Terms,
        parts: &[TermId],
        what: impl FnOnce() -> String,
    ) -> Result<(), Rejected> {
        match self.has_model(terms, parts) {
            Ok(Answer::Unsat) => {
                self.refuted += 1;
                Ok(())
            }
            Ok(Answer::Sat) => Err(Rejected::Refuted(what())),
            Ok(Answer::Unknown(Stop::Budget(why))) => Err(Rejected::Exhausted(what(), why)),
            Ok(Answer::Unknown(Stop::Conflicts)) => {
                Err(Rejected::Undecided(what(), "too many conflicts".to_owned()))
            }
            Err(error) => Err(Rejected::Undecided(what(), error.to_string())),
        }
    }

    /// Whether the parts are known to have no model together. That they are not shows nothing.
    pub fn is_refuted(&mut self, terms: &mut Terms, parts: &[TermId]) -> bool {
        matches!(self.has_model(terms, parts), Ok(Answer::Unsat))
    }

    /// Whether the parts have no model together, for proofs that look for what they rest on: if so it is shown as by [`refute`](Self::refute).
    /// It is an error that this is not decided.
    pub fn shows(
        &mut self,
        terms: &mut Terms,
        parts: &[TermId],
        what: impl FnOnce() -> String,
    ) -> Result<bool, Rejected> {
        match self.refute(terms, parts, what) {
            Ok(()) => Ok(true),
            Err(Rejected::Refuted(_)) => Ok(false),
            Err(why @ (Rejected::Empty | Rejected::Exhausted(..) | Rejected::Undecided(..))) => Err(why),
        }
    }

    /// How many questions a solver was needed for.
    #[must_use]
    pub const fn solved(&self) -> usize {
        self.solved
    }

    fn has_model(&mut self, terms: &mut Terms, parts: &[TermId]) -> Result<Answer, SolverError> {
        // What folds to false needs no solver.
        let mut known = FxHashSet::default();
        for &part in parts {
            let opposite = terms.not(part);
            if terms.as_bool(part) == Some(false) || known.contains(&opposite) {
                return Ok(Answer::Unsat);
            }
            known.insert(part);
        }
        if let Err(why) = self.budget.spend(QUESTION) {
            return Ok(Answer::Unknown(Stop::Budget(why)));
        }
        self.solved += 1;
        // Each has a solver of its own: none rests on what was said of another. Most are small.
        let answer = self.ask(Embedded::for_small_questions(SMALL), terms, parts);
        if matches!(answer, Ok(Answer::Unknown(Stop::Conflicts))) {
            return self.ask(Embedded::without_record(), terms, parts);
        }
        answer
    }

    fn ask(&self, mut solver: Embedded, terms: &mut Terms, parts: &[TermId]) -> Result<Answer, SolverError> {
        for &part in parts {
            solver.assert(terms, part);
        }
        solver.check(terms, &[], self.budget)
    }
}

/// States, where executions start, and what a step does: a program as an [`Inductive`] certificate sees it.
pub trait TransitionSystem {
    /// The sorts of the variables of a state.
    fn variables(&self) -> Vec<Sort>;

    /// Whether executions may start in a state.
    fn starts(&self, terms: &mut Terms, state: &[TermId]) -> TermId;

    /// Whether a step may lead from a state to another.
    fn steps(&self, terms: &mut Terms, now: &[TermId], next: &[TermId]) -> TermId;

    /// Whether a state breaks the property.
    fn breaks(&self, terms: &mut Terms, state: &[TermId]) -> TermId;
}

/// A formula about states that holds at the start, is kept by every step, and leaves no room for a violation.
#[derive(Clone, Copy)]
pub struct Inductive<'c> {
    /// What it is an invariant of.
    pub system: &'c dyn TransitionSystem,
    /// The formula.
    pub invariant: &'c dyn Fn(&mut Terms, &[TermId]) -> TermId,
}

impl std::fmt::Debug for Inductive<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inductive").finish_non_exhaustive()
    }
}

impl Certificate for Inductive<'_> {
    fn method(&self) -> &'static str {
        "inductive invariant"
    }

    fn obligations(&self, terms: &mut Terms) -> Vec<Obligation> {
        let Self { system, invariant } = self;
        let mut state = |prefix| -> Vec<TermId> {
            system.variables().into_iter().map(|sort| terms.fresh(prefix, sort)).collect()
        };
        let (now, next) = (state("now"), state("next"));
        let (holds_now, holds_next) = (invariant(terms, &now), invariant(terms, &next));
        let fails_now = terms.not(holds_now);
        let fails_next = terms.not(holds_next);
        let starts = system.starts(terms, &now);
        let steps = system.steps(terms, &now, &next);
        let breaks = system.breaks(terms, &now);
        let mut obligation = |what: &str, parts: &[TermId]| Obligation {
            what: what.to_owned(),
            violated: terms.and_all(parts.iter().copied()),
        };
        vec![
            obligation("that the invariant holds at the start", &[starts, fails_now]),
            obligation("that every step keeps the invariant", &[holds_now, steps, fails_next]),
            obligation("that the invariant excludes violations", &[holds_now, breaks]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x = 0; while (*) x += step;`, and `x` must not be 7; numbers wrap at 256.
    struct Counter {
        step: u128,
    }

    impl TransitionSystem for Counter {
        fn variables(&self) -> Vec<Sort> {
            vec![Sort::BitVec(8)]
        }

        fn starts(&self, terms: &mut Terms, state: &[TermId]) -> TermId {
            let zero = terms.bits(0, 8);
            terms.eq(state[0], zero)
        }

        fn steps(&self, terms: &mut Terms, now: &[TermId], next: &[TermId]) -> TermId {
            let step = terms.bits(self.step, 8);
            let sum = terms.add(now[0], step);
            terms.eq(next[0], sum)
        }

        fn breaks(&self, terms: &mut Terms, state: &[TermId]) -> TermId {
            let seven = terms.bits(7, 8);
            terms.eq(state[0], seven)
        }
    }

    fn is_even(terms: &mut Terms, state: &[TermId]) -> TermId {
        let (two, zero) = (terms.bits(2, 8), terms.bits(0, 8));
        let rest = terms.urem(state[0], two);
        terms.eq(rest, zero)
    }

    fn is_small(terms: &mut Terms, state: &[TermId]) -> TermId {
        let seven = terms.bits(7, 8);
        terms.ult(state[0], seven)
    }

    fn is_odd(terms: &mut Terms, state: &[TermId]) -> TermId {
        let even = is_even(terms, state);
        terms.not(even)
    }

    fn verdict(
        step: u128,
        invariant: &dyn Fn(&mut Terms, &[TermId]) -> TermId,
    ) -> Result<CheckedProof, Rejected> {
        check(&Inductive { system: &Counter { step }, invariant }, &Budget::unlimited())
    }

    #[test]
    fn an_inductive_invariant_is_a_proof() {
        let proof = verdict(2, &is_even).unwrap();
        assert_eq!((proof.method(), proof.obligations()), ("inductive invariant", 3));
    }

    #[test]
    fn what_is_no_inductive_invariant_is_rejected_by_name() {
        let rejected = |step, invariant| verdict(step, invariant).unwrap_err().to_string();
        assert_eq!(rejected(2, &is_odd), "that the invariant holds at the start does not hold");
        assert_eq!(rejected(1, &is_even), "that every step keeps the invariant does not hold");
        assert_eq!(rejected(2, &is_small), "that every step keeps the invariant does not hold");
        let anything = |terms: &mut Terms, _: &[TermId]| terms.bool(true);
        assert_eq!(rejected(2, &anything), "that the invariant excludes violations does not hold");
    }

    #[test]
    fn without_time_nothing_is_proved() {
        let budget = Budget::unlimited();
        budget.canceller().cancel();
        let certificate = Inductive { system: &Counter { step: 2 }, invariant: &is_even };
        assert!(matches!(check(&certificate, &budget), Err(Rejected::Exhausted(..))));
    }

    #[test]
    fn nothing_shown_is_nothing_proved() {
        struct Nothing;
        impl Certificate for Nothing {
            fn method(&self) -> &'static str {
                "nothing"
            }

            fn obligations(&self, _: &mut Terms) -> Vec<Obligation> {
                Vec::new()
            }
        }
        assert_eq!(check(&Nothing, &Budget::unlimited()), Err(Rejected::Empty));
    }
}
