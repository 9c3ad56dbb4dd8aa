//! The proof automaton: predicates, and which of them hold behind a letter.
//!
//! A state is the set of predicates that are known to hold. Behind a letter those hold that the known ones and the letter imply (every Hoare-valid edge:
//! Heizmann, Hoenicke and Podelski 2009), so the automaton is deterministic, and made as far as it is asked for. Only known predicates that share symbols with what is asked,
//! directly or through others, are looked at: the others say nothing about it. Answers are kept.
//!
//! Direction of error: what the solver does not decide is not known to hold.

use std::rc::Rc;
use std::time::Duration;

use indexmap::IndexSet;
use raddle_base::{Budget, Exhausted, Id as _, define_id};
use raddle_logic::solver::{Answer, Embedded, Solver as _};
use raddle_logic::term::{Evaluator, Model, TermId, Terms};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::footprint::symbols_of;
use crate::letters::{Letter, LetterId};

define_id!(
    /// A set of predicates that hold.
    pub(crate) struct KnownId, "k"
);

/// A predicate, and what it speaks of.
#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub term: TermId,
    pub symbols: Vec<TermId>,
}

/// Questions that take longer are left open.
const CONFLICTS: u64 = 20_000;
/// Models kept for each letter.
const MODELS: usize = 16;
/// What a question costs beside what the solver counts.
const QUERY: u32 = 20;

/// The automaton, as far as it was made.
#[derive(Debug, Default)]
pub(crate) struct Automaton {
    pub predicates: Vec<Predicate>,
    by_term: FxHashMap<TermId, usize>,
    states: IndexSet<Vec<u32>, FxBuildHasher>,
    /// By letter and what was asked (none: whether the letter is possible), with what was known.
    answers: FxHashMap<(LetterId, Option<u32>, Vec<u32>), bool>,
    before: FxHashMap<(LetterId, u32), Before>,
    guards: FxHashMap<LetterId, Guards>,
    queries: FxHashMap<LetterId, Query>,
    /// Questions that the solver was asked.
    pub asked: u64,
    /// Spent on them.
    pub solving: Duration,
}

/// The guards of a letter, each with what it speaks of.
type Guards = Rc<[(TermId, Vec<TermId>)]>;

/// What has to hold before a letter for a predicate to hold behind it.
#[derive(Clone, Debug)]
struct Before {
    term: TermId,
    symbols: Rc<[TermId]>,
    /// Whether the letter writes nothing that the predicate speaks of.
    is_kept: bool,
}

/// A solver that is asked about one letter.
#[derive(Debug)]
struct Query {
    solver: Embedded,
    /// What was found to be possible before.
    models: Vec<Model>,
}

/// What is known, in parts that share no symbols.
struct Parts {
    /// The part that a symbol is in.
    of: FxHashMap<TermId, usize>,
    /// The predicates of each part, ascending.
    members: Vec<Vec<u32>>,
}

impl Automaton {
    /// Adds a predicate. Gives whether it is new.
    pub(crate) fn add(&mut self, terms: &Terms, term: TermId) -> bool {
        if terms.as_bool(term).is_some() || self.by_term.contains_key(&term) {
            return false;
        }
        self.by_term.insert(term, self.predicates.len());
        self.predicates.push(Predicate { term, symbols: symbols_of(terms, &[term]) });
        true
    }

    pub(crate) fn intern(&mut self, known: Vec<u32>) -> KnownId {
        KnownId::from_index(self.states.insert_full(known).0)
    }

    pub(crate) fn known(&self, id: KnownId) -> &[u32] {
        &self.states[id.index()]
    }

    /// All predicates, by their numbers.
    fn all(&self) -> std::ops::Range<u32> {
        0..u32::try_from(self.predicates.len()).unwrap_or(u32::MAX)
    }

    /// What holds at the start: predicates that are true of the initial values.
    pub(crate) fn start(
        &mut self,
        terms: &mut Terms,
        initial: &FxHashMap<TermId, TermId>,
        budget: &Budget,
    ) -> Result<KnownId, Exhausted> {
        let mut known = Vec::new();
        for index in self.all() {
            let holds = terms.substitute(&[self.predicates[index as usize].term], initial)[0];
            let opposite = terms.not(holds);
            if is_impossible(terms, &[opposite], budget)? {
                known.push(index);
            }
        }
        Ok(self.intern(known))
    }

    /// What holds behind a letter, of the predicates that are wanted there; none if it cannot be made. Of the first predicates it may be known already.
    pub(crate) fn after(
        &mut self,
        terms: &mut Terms,
        known: KnownId,
        (id, letter): (LetterId, &Letter),
        (wanted, already): (&[bool], Option<(usize, KnownId)>),
        budget: &Budget,
    ) -> Result<Option<KnownId>, Exhausted> {
        let known = self.known(known).to_vec();
        let parts = self.parts(&known);
        let guards = self.guards_of(terms, id, letter);
        if already.is_none() && !guards.is_empty() {
            let symbols: Vec<TermId> =
                guards.iter().flat_map(|(_, symbols)| symbols.iter().copied()).collect();
            let relevant = parts.around(&symbols);
            let no = terms.bool(false);
            if self.implies(terms, (id, letter), &relevant, (None, no), budget)? {
                return Ok(None);
            }
        }
        let (made, mut after) =
            already.map_or((0, Vec::new()), |(made, after)| (made, self.known(after).to_vec()));
        for index in self.all().skip(made).filter(|&index| wanted[index as usize]) {
            let Before { term, symbols, is_kept } = self.before(terms, (id, letter), index);
            if is_kept && known.binary_search(&index).is_ok() {
                after.push(index);
                continue;
            }
            if let Some(holds) = terms.as_bool(term) {
                if holds {
                    after.push(index);
                }
                continue;
            }
            let (near, is_guarded) = parts.with_guards(&symbols, &guards);
            if is_kept && !is_guarded {
                continue;
            }
            if self.implies(terms, (id, letter), &near, (Some(index), term), budget)? {
                after.push(index);
            }
        }
        Ok(Some(self.intern(after)))
    }

    fn guards_of(&mut self, terms: &Terms, id: LetterId, letter: &Letter) -> Guards {
        let guards = self.guards.entry(id).or_insert_with(|| {
            letter.guards.iter().map(|&guard| (guard, symbols_of(terms, &[guard]))).collect()
        });
        Rc::clone(guards)
    }

    /// What has to hold before a letter for a predicate to hold behind it.
    fn before(&mut self, terms: &mut Terms, (id, letter): (LetterId, &Letter), index: u32) -> Before {
        if let Some(before) = self.before.get(&(id, index)) {
            return before.clone();
        }
        let predicate = &self.predicates[index as usize];
        let term = terms.substitute(&[predicate.term], &letter.updates)[0];
        let is_written =
            |symbol: &TermId| letter.updates.contains_key(symbol) || letter.inputs.contains(symbol);
        let is_kept = !predicate.symbols.iter().any(is_written);
        let before = Before { term, symbols: symbols_of(terms, &[term]).into(), is_kept };
        self.before.insert((id, index), before.clone());
        before
    }

    fn parts(&self, known: &[u32]) -> Parts {
        let mut parts = Parts { of: FxHashMap::default(), members: Vec::new() };
        for &index in known {
            let symbols = &self.predicates[index as usize].symbols;
            let mut joined = vec![index];
            let mut met: Vec<usize> =
                symbols.iter().filter_map(|symbol| parts.of.get(symbol).copied()).collect();
            met.sort_unstable();
            met.dedup();
            for &part in &met {
                joined.append(&mut parts.members[part]);
            }
            joined.sort_unstable();
            let place = parts.members.len();
            for &member in &joined {
                for &symbol in &self.predicates[member as usize].symbols {
                    parts.of.insert(symbol, place);
                }
            }
            parts.members.push(joined);
        }
        parts
    }

    /// Whether what is known and the guards of a letter imply a condition.
    fn implies(
        &mut self,
        terms: &mut Terms,
        (id, letter): (LetterId, &Letter),
        known: &[u32],
        (what, condition): (Option<u32>, TermId),
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let key = (id, what, known.to_vec());
        if let Some(&answer) = self.answers.get(&key) {
            return Ok(answer);
        }
        budget.spend(QUERY)?;
        let mut assumed: Vec<TermId> = letter.guards.clone();
        assumed.extend(known.iter().map(|&index| self.predicates[index as usize].term));
        assumed.push(terms.not(condition));
        let query = self
            .queries
            .entry(id)
            .or_insert_with(|| Query { solver: Embedded::without_record(), models: Vec::new() });
        let is_possible = query.models.iter().any(|model| {
            let mut evaluator = Evaluator::new(model);
            assumed.iter().rev().all(|&term| evaluator.holds(terms, term))
        });
        let answer = !is_possible && {
            self.asked += 1;
            query.solver.limit_conflicts(Some(CONFLICTS));
            let start = budget.elapsed();
            let answer = query.solver.check(terms, &assumed, budget);
            self.solving += budget.elapsed().saturating_sub(start);
            budget.poll()?;
            if let (Ok(Answer::Sat), Some(model)) = (&answer, query.solver.model()) {
                if query.models.len() >= MODELS {
                    query.models.remove(0);
                }
                query.models.push(model.clone());
            }
            matches!(answer, Ok(Answer::Unsat))
        };
        self.answers.insert(key, answer);
        Ok(answer)
    }
}

impl Parts {
    /// What is known of symbols.
    fn around(&self, symbols: &[TermId]) -> Vec<u32> {
        let mut parts: Vec<usize> =
            symbols.iter().filter_map(|symbol| self.of.get(symbol).copied()).collect();
        parts.sort_unstable();
        parts.dedup();
        let mut known: Vec<u32> =
            parts.into_iter().flat_map(|part| self.members[part].iter().copied()).collect();
        known.sort_unstable();
        known
    }

    /// What is known of symbols, also through guards that share symbols with them; and whether there are such guards.
    fn with_guards(&self, symbols: &[TermId], guards: &[(TermId, Vec<TermId>)]) -> (Vec<u32>, bool) {
        let mut reached: Vec<TermId> = symbols.to_vec();
        let mut used = vec![false; guards.len()];
        loop {
            let part = |symbol: &TermId| self.of.get(symbol);
            let next = guards.iter().enumerate().position(|(index, (_, own))| {
                !used[index]
                    && own.iter().any(|symbol| {
                        reached.contains(symbol)
                            || part(symbol)
                                .is_some_and(|one| reached.iter().any(|other| part(other) == Some(one)))
                    })
            });
            let Some(index) = next else { break };
            used[index] = true;
            reached.extend(&guards[index].1);
        }
        (self.around(&reached), used.contains(&true))
    }
}

/// Whether conditions cannot hold together, for certain.
pub(crate) fn is_impossible(
    terms: &mut Terms,
    conditions: &[TermId],
    budget: &Budget,
) -> Result<bool, Exhausted> {
    if conditions.iter().any(|&condition| terms.as_bool(condition) == Some(false)) {
        return Ok(true);
    }
    budget.spend(QUERY)?;
    let mut solver = Embedded::without_record();
    solver.limit_conflicts(Some(CONFLICTS));
    let answer = solver.check(terms, conditions, budget);
    budget.poll()?;
    Ok(matches!(answer, Ok(Answer::Unsat)))
}
