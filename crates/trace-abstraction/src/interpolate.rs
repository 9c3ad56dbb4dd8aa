//! From a trace that is impossible to predicates that show why: inductive sequences of interpolants.
//!
//! Backwards: which states lead along the rest of the trace to its end, looking only at the guards that are to blame (an unsatisfiable core), is a
//! conjunction; its negation is the weakest precondition. Inputs are eliminated (by an equation that says what they are, or by both values of a truth value), and
//! where that does not work what speaks of them is left out: then more states are said to lead to the end.
//!
//! Forwards, from the start, each conjunction is made smaller: only those parts that the interpolant before and the step contradict (a clause); or it is
//! contradicted by atoms that hold there: what variables are equal to along the trace (strongest postconditions), negated parts, and predicates that are there already.
//! The smaller sequence is taken. Only variables that are live occur, because only what the rest of the trace reads does.
//!
//! Invariant: each step is checked by the solver (what holds before it and the step imply what holds behind it), the start implies the first interpolant, and the last is
//! false. A sequence that does not pass is not used.

use raddle_base::{Budget, Exhausted};
use raddle_logic::solver::{Answer, Embedded, Solver as _};
use raddle_logic::term::{Sort, Term, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::footprint::symbols_of;
use crate::letters::{Letter, conjuncts};
use crate::trace::Unfolded;

/// A trace that is impossible.
#[derive(Debug)]
pub(crate) struct Infeasible<'t> {
    pub letters: &'t [&'t Letter],
    pub unfolded: &'t Unfolded,
    /// By step, the guards to blame.
    pub core: &'t [Vec<usize>],
    /// What symbols are at the start.
    pub initial: &'t FxHashMap<TermId, TermId>,
}

/// What holds before each step and at the end: conjunctions.
type Sequence = Vec<Vec<TermId>>;

/// More parts of a conjunction are not made by looking at both values of inputs.
const MOST_PARTS: usize = 64;
/// Larger formulas, in nodes, are not kept.
const LARGEST: usize = 4_000;

/// Interpolants of a trace; none if no sequence was found.
pub(crate) fn interpolants(
    terms: &mut Terms,
    trace: &Infeasible<'_>,
    known: &[TermId],
    budget: &Budget,
) -> Result<Option<Vec<TermId>>, Exhausted> {
    let bad = backwards(terms, trace);
    let clauses = forwards(terms, trace, &bad, &Clauses, budget)?;
    let atoms = forwards(terms, trace, &bad, &Atoms { known }, budget)?;
    let size = |sequence: &Sequence| {
        terms.subterms(&sequence.iter().flatten().copied().collect::<Vec<TermId>>()).len()
    };
    let best = match (clauses, atoms) {
        (Some(clauses), Some(atoms)) => Some(if size(&atoms) < size(&clauses) { atoms } else { clauses }),
        (clauses, atoms) => clauses.or(atoms),
    };
    Ok(best.filter(|best| size(best) <= LARGEST).map(|best| best.into_iter().flatten().collect()))
}

/// The states that lead to the end, before each step and at the end. A conjunction that has false: none.
fn backwards(terms: &mut Terms, trace: &Infeasible<'_>) -> Sequence {
    let mut bad: Sequence = vec![Vec::new()];
    for (letter, core) in trace.letters.iter().zip(trace.core).rev() {
        let after = bad.last().cloned().unwrap_or_default();
        let mut parts: Vec<TermId> = core.iter().map(|&index| letter.guards[index]).collect();
        parts.extend(terms.substitute(&after, &letter.updates));
        let parts = conjuncts(terms, parts);
        let mut parts = eliminate(terms, parts, &letter.inputs);
        if parts.iter().any(|&part| terms.as_bool(part) == Some(false)) {
            parts = vec![terms.bool(false)];
        }
        bad.push(parts);
    }
    bad.reverse();
    bad
}

/// Without inputs: at least the states in which there are inputs with which all parts hold.
fn eliminate(terms: &mut Terms, mut parts: Vec<TermId>, inputs: &[TermId]) -> Vec<TermId> {
    for &input in inputs {
        let speaks = |terms: &Terms, part: TermId| symbols_of(terms, &[part]).contains(&input);
        let (with, without): (Vec<TermId>, Vec<TermId>) =
            parts.iter().partition(|&&part| speaks(terms, part));
        if with.is_empty() {
            continue;
        }
        parts = without;
        let given = with.iter().find_map(|&part| {
            let Term::Eq(a, b) = terms[part] else { return None };
            let other = if a == input { b } else { a };
            (a == input || b == input).then_some(other).filter(|&other| !speaks(terms, other))
        });
        if let Some(given) = given {
            let map = [(input, given)].into_iter().collect();
            parts.extend(terms.substitute(&with, &map));
        } else if terms.sort(input) == Sort::Bool && with.len() <= MOST_PARTS {
            let mut ways = Vec::new();
            for value in [true, false] {
                let map = [(input, terms.bool(value))].into_iter().collect();
                let parts = terms.substitute(&with, &map);
                ways.push(terms.and_all(parts));
            }
            parts.push(terms.or_all(ways));
        }
        parts = conjuncts(terms, parts);
    }
    parts
}

/// A step, as it is asked about.
struct Step<'s> {
    trace: &'s Infeasible<'s>,
    /// Its number; none: the start.
    index: Option<usize>,
    /// What holds before it.
    holds: &'s [TermId],
    /// What leads to the end behind it.
    bad: &'s [TermId],
}

impl Step<'_> {
    /// What a term is before the step.
    fn before(&self, terms: &mut Terms, list: &[TermId]) -> Vec<TermId> {
        let map = self.index.map_or(self.trace.initial, |index| &self.trace.letters[index].updates);
        terms.substitute(list, map)
    }

    /// Asserts what holds before it and its guards.
    fn assert(&self, terms: &mut Terms, solver: &mut Embedded) {
        for &term in self.holds {
            solver.assert(terms, term);
        }
        if let Some(index) = self.index {
            for &guard in &self.trace.letters[index].guards {
                solver.assert(terms, guard);
            }
        }
    }
}

/// A way to choose what holds behind a step and contradicts what leads to the end.
trait Choice {
    fn choose(
        &self,
        terms: &mut Terms,
        step: &Step<'_>,
        budget: &Budget,
    ) -> Result<Option<Vec<TermId>>, Exhausted>;
}

/// A sequence, step by step from the start; none if it does not pass.
fn forwards(
    terms: &mut Terms,
    trace: &Infeasible<'_>,
    bad: &Sequence,
    choice: &dyn Choice,
    budget: &Budget,
) -> Result<Option<Sequence>, Exhausted> {
    let mut sequence: Sequence = Vec::new();
    for (place, bad) in bad.iter().enumerate() {
        let holds = sequence.last().cloned().unwrap_or_default();
        let chosen = if bad.iter().any(|&part| terms.as_bool(part) == Some(false)) {
            Some(Vec::new())
        } else if holds.iter().any(|&term| terms.as_bool(term) == Some(false)) {
            Some(vec![terms.bool(false)])
        } else {
            let step = Step { trace, index: place.checked_sub(1), holds: &holds, bad };
            choice.choose(terms, &step, budget)?
        };
        let Some(chosen) = chosen else { return Ok(None) };
        sequence.push(chosen);
    }
    Ok(Some(sequence))
}

/// The clause of some negated parts.
struct Clauses;

impl Choice for Clauses {
    fn choose(
        &self,
        terms: &mut Terms,
        step: &Step<'_>,
        budget: &Budget,
    ) -> Result<Option<Vec<TermId>>, Exhausted> {
        let mut solver = Embedded::without_record();
        step.assert(terms, &mut solver);
        let parts = step.before(terms, step.bad);
        let Some(core) = contradiction(terms, &mut solver, &parts, budget)? else { return Ok(None) };
        let negated: Vec<TermId> = core.into_iter().map(|index| terms.not(step.bad[index])).collect();
        let clause = terms.or_all(negated);
        Ok(Some(conjuncts(terms, vec![clause])))
    }
}

/// Which of some terms contradict what was asserted; none if they do not, or it is not known.
fn contradiction(
    terms: &mut Terms,
    solver: &mut Embedded,
    parts: &[TermId],
    budget: &Budget,
) -> Result<Option<Vec<usize>>, Exhausted> {
    let answer = solver.check(terms, parts, budget);
    budget.check()?;
    if !matches!(answer, Ok(Answer::Unsat)) {
        return Ok(None);
    }
    let _kept = solver.minimize_core(terms, budget);
    budget.check()?;
    let core = solver.core().map(|core| core.assumptions.clone()).unwrap_or_default();
    let mut seen: Vec<TermId> = Vec::new();
    let mut found = Vec::new();
    for (index, &part) in parts.iter().enumerate() {
        if core.contains(&part) && !seen.contains(&part) {
            seen.push(part);
            found.push(index);
        }
    }
    Ok(Some(found))
}

/// Atoms that hold behind the step.
struct Atoms<'k> {
    /// Predicates that are there already.
    known: &'k [TermId],
}

impl Atoms<'_> {
    /// What may hold behind a step.
    fn candidates(&self, terms: &mut Terms, step: &Step<'_>) -> Vec<TermId> {
        let symbols = symbols_of(terms, step.bad);
        let is_near = |terms: &Terms, term: TermId| {
            symbols_of(terms, &[term]).iter().all(|symbol| symbols.contains(symbol))
        };
        let mut found: Vec<TermId> =
            self.known.iter().copied().filter(|&term| is_near(terms, term)).collect();
        found.extend(step.bad.iter().map(|&part| terms.not(part)));
        let place = step.index.map_or(0, |index| index + 1);
        let store = &step.trace.unfolded.stores[place];
        let mut by_value: Vec<(TermId, TermId)> = Vec::new();
        for &symbol in &symbols {
            let value = store.get(&symbol).copied().unwrap_or(symbol);
            let is_scalar = matches!(terms.sort(symbol), Sort::Bool | Sort::BitVec(_));
            if is_scalar && (terms.as_bits(value).is_some() || terms.as_bool(value).is_some()) {
                found.push(terms.eq(symbol, value));
            } else if let Some(&(_, other)) = by_value.iter().find(|(same, _)| *same == value) {
                found.push(terms.eq(symbol, other));
            } else {
                by_value.push((value, symbol));
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        found.retain(|&term| terms.as_bool(term).is_none() && seen.insert(term));
        found
    }
}

impl Choice for Atoms<'_> {
    fn choose(
        &self,
        terms: &mut Terms,
        step: &Step<'_>,
        budget: &Budget,
    ) -> Result<Option<Vec<TermId>>, Exhausted> {
        let mut solver = Embedded::without_record();
        step.assert(terms, &mut solver);
        if solver.check(terms, &[], budget) == Ok(Answer::Unsat) {
            return Ok(Some(vec![terms.bool(false)]));
        }
        let candidates = self.candidates(terms, step);
        let before = step.before(terms, &candidates);
        let mut holding = Vec::new();
        for (&candidate, &before) in candidates.iter().zip(&before) {
            let opposite = terms.not(before);
            let answer = match terms.as_bool(before) {
                Some(holds) => holds,
                None => solver.check(terms, &[opposite], budget) == Ok(Answer::Unsat),
            };
            budget.check()?;
            if answer {
                holding.push(candidate);
            }
        }
        let mut solver = Embedded::without_record();
        for &part in step.bad {
            solver.assert(terms, part);
        }
        let Some(core) = contradiction(terms, &mut solver, &holding, budget)? else { return Ok(None) };
        Ok(Some(core.into_iter().map(|index| holding[index]).collect()))
    }
}
