//! Hoare triples: what known predicates and a path imply.
//!
//! Each question is the formula itself: the premises that are connected with the goal by symbols, and the negated goal. The premises that are left out
//! could only matter if they had no model. That is not so: predicates are known only behind steps that were found possible with all that was
//! known before. Answers are kept by the terms of the question.

use raddle_base::Span;
use raddle_logic::term::{SymbolId, TermId};
use raddle_verdict::proof::Obligations;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::Refusal;
use super::super::explore::Explorer;
use super::formulas::{Formulas, Stand, View};
use super::letters::Support;

/// Which predicates are known: their indices, ascending.
pub(super) type Known = Vec<u32>;

/// What triples are shown with.
pub(super) struct Triples<'c, 'o, 'b> {
    pub(super) explorer: Explorer<'c>,
    pub(super) formulas: Formulas<'c>,
    pub(super) obligations: &'o mut Obligations<'b>,
    support: Support,
    answers: FxHashMap<Vec<TermId>, bool>,
    /// Predicates before a step: by predicate, who makes it, and where the slots are that it speaks of.
    before: FxHashMap<(usize, usize, Vec<Stand>), Option<TermId>>,
    /// Predicates behind a step: by predicate, the step (slot, location, letter, how many slots there are behind it), and where the slots are.
    behind: FxHashMap<(usize, Taken, Vec<Stand>), Option<TermId>>,
}

/// A step: slot, location, letter, and how many slots there are behind it.
pub(super) type Taken = (usize, usize, usize, usize);

/// What holds before a step, and what the path demands.
#[derive(Clone, Debug, Default)]
pub(super) struct Premises {
    /// What the path demands.
    pub(super) path: Vec<TermId>,
    /// What is known besides.
    pub(super) known: Vec<TermId>,
}

impl<'c, 'o, 'b> Triples<'c, 'o, 'b> {
    pub(super) fn new(
        explorer: Explorer<'c>,
        formulas: Formulas<'c>,
        obligations: &'o mut Obligations<'b>,
    ) -> Self {
        Self {
            explorer,
            formulas,
            obligations,
            support: Support::default(),
            answers: FxHashMap::default(),
            before: FxHashMap::default(),
            behind: FxHashMap::default(),
        }
    }

    /// A predicate in a state in which a thread is about to make a step.
    pub(super) fn before(&mut self, predicate: usize, places: &[Stand], actor: usize) -> Option<TermId> {
        let of = self.stands(predicate, places);
        let actor = if self.formulas.slots[predicate].contains(&actor) { actor } else { usize::MAX };
        let key = (predicate, actor, of);
        if let Some(&known) = self.before.get(&key) {
            return known;
        }
        let shared = self.explorer.shared.clone();
        let view = View { places, shared: &shared, actor, after: None, born: &[] };
        let term = self.formulas.term(&mut self.explorer, predicate, &view);
        self.before.insert(key, term);
        term
    }

    /// Where the slots are that a predicate speaks of.
    fn stands(&self, predicate: usize, places: &[Stand]) -> Vec<Stand> {
        let of = self.formulas.slots[predicate].iter();
        of.map(|&slot| places.get(slot).copied().unwrap_or(Stand::Stuck)).collect()
    }

    /// A predicate behind a step.
    pub(super) fn behind(&mut self, predicate: usize, taken: Taken, view: &View<'_>) -> Option<TermId> {
        let key = (predicate, taken, self.stands(predicate, view.places));
        if let Some(&known) = self.behind.get(&key) {
            return known;
        }
        let term = self.formulas.term(&mut self.explorer, predicate, view);
        self.behind.insert(key, term);
        term
    }

    /// The symbols that a path says something of, together with what is known.
    pub(super) fn spoken_of(&mut self, premises: &Premises) -> FxHashSet<SymbolId> {
        let mut spoken = FxHashSet::default();
        if !premises.path.is_empty() {
            for part in self.connected(premises, &premises.path) {
                spoken.extend(self.support.of(&self.explorer.terms, part));
            }
        }
        spoken
    }

    /// Whether a term speaks of one of these symbols.
    pub(super) fn speaks_of(&mut self, term: TermId, symbols: &FxHashSet<SymbolId>) -> bool {
        self.support.of(&self.explorer.terms, term).iter().any(|symbol| symbols.contains(symbol))
    }

    /// Whether a path cannot be taken.
    pub(super) fn is_impossible(&mut self, premises: &Premises) -> Result<bool, Refusal> {
        if premises.path.is_empty() {
            return Ok(false);
        }
        let parts = self.connected(premises, &premises.path);
        self.has_no_model(parts, "that a step cannot be made")
    }

    /// Whether the goal holds behind a path.
    pub(super) fn implies(&mut self, premises: &Premises, goal: TermId) -> Result<bool, Refusal> {
        if let Some(value) = self.explorer.terms.as_bool(goal) {
            return Ok(value);
        }
        if premises.known.contains(&goal) || premises.path.contains(&goal) {
            return Ok(true);
        }
        let fails = self.explorer.terms.not(goal);
        let parts = self.connected(premises, &[fails]);
        // Alone it may fail: it is no constant.
        self.has_no_model(parts, "that a predicate holds behind a step")
    }

    /// Whether a path that must not be taken cannot be.
    pub(super) fn exclude(
        &mut self,
        premises: &Premises,
        what: impl FnOnce() -> String,
        at: Span,
    ) -> Result<(), Refusal> {
        let parts = self.connected(premises, &premises.path);
        if self.answers.get(&parts) == Some(&true) {
            return Ok(());
        }
        let terms = &mut self.explorer.terms;
        let shown = self.obligations.refute(terms, &parts, what);
        shown.map_err(|why| Refusal::new(why.to_string(), at))?;
        self.answers.insert(parts, true);
        Ok(())
    }

    fn has_no_model(&mut self, parts: Vec<TermId>, what: &str) -> Result<bool, Refusal> {
        if let Some(&known) = self.answers.get(&parts) {
            return Ok(known);
        }
        let shown = self.obligations.shows(&mut self.explorer.terms, &parts, || what.to_owned())?;
        self.answers.insert(parts, shown);
        Ok(shown)
    }

    /// These parts, and all premises that are connected with them by symbols; in order, each once.
    fn connected(&mut self, premises: &Premises, parts: &[TermId]) -> Vec<TermId> {
        let terms = &self.explorer.terms;
        let mut reached: FxHashSet<SymbolId> = FxHashSet::default();
        let mut found = parts.to_vec();
        for &part in parts {
            reached.extend(self.support.of(terms, part));
        }
        let mut rest: Vec<TermId> = premises.path.iter().chain(&premises.known).copied().collect();
        loop {
            let before = rest.len();
            rest.retain(|&part| {
                let symbols = self.support.of(terms, part);
                // What speaks of nothing is true, or excludes all.
                let is_connected =
                    symbols.is_empty() || symbols.iter().any(|symbol| reached.contains(symbol));
                if is_connected {
                    reached.extend(symbols);
                    found.push(part);
                }
                !is_connected
            });
            if rest.len() == before {
                break;
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
