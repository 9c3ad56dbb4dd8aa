//! From a trace that is impossible to predicates that show why: inductive sequences of interpolants.
//!
//! Backwards: which states lead along the rest of the trace to its end, looking only at the guards that are to blame (an unsatisfiable core), is a
//! conjunction; its negation is the weakest precondition. Inputs are eliminated (by an equation that says what they are, or by both values of a truth value), and
//! where that does not work what speaks of them is left out: then more states are said to lead to the end.
//!
//! Forwards, from the start, each conjunction is made smaller: only those parts that the interpolant before and the step contradict (a clause); or it is
//! contradicted by atoms that hold there: what variables are equal to along the trace (strongest postconditions), negated parts, and predicates that are there already.
//! Clauses are taken where they work, because they say less (that a counter has the one value that it has here excludes few other traces); then atoms; then
//! either, step by step. Only variables that are live occur, because only what the rest of the trace reads does.
//!
//! Invariant: each step is checked by the solver (what holds before it and the step imply what holds behind it), the start implies the first interpolant, and the last is
//! false. A sequence that does not pass is not used.

use raddle_base::{Budget, Exhausted};
use raddle_logic::solver::{Answer, Embedded, Solver as _};
use raddle_logic::term::{Sort, Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// So many choices that inputs depend on are looked at, one inside of the other.
const MOST_CHOICES: usize = 6;
/// Larger formulas, in nodes, are not kept.
const LARGEST: usize = 4_000;

/// Interpolants of a trace; none if no sequence was found.
pub(crate) fn interpolants(
    terms: &mut Terms,
    trace: &Infeasible<'_>,
    known: &[TermId],
    budget: &Budget,
) -> Result<Option<Vec<TermId>>, Exhausted> {
    let bad = [false, true].map(|is_exact| backwards(terms, trace, is_exact));
    let atoms = Atoms { known };
    let choices: [&dyn Choice; 3] = [&Clauses, &atoms, &Both(&Clauses, &atoms)];
    let mut found = None;
    for choice in choices {
        if found.is_none() {
            found = forwards(terms, trace, &bad, choice, budget)?;
        }
    }
    let size = |sequence: &Sequence| {
        terms.subterms(&sequence.iter().flatten().copied().collect::<Vec<TermId>>()).len()
    };
    let found = found.filter(|found| size(found) <= LARGEST);
    Ok(found.map(|found| found.into_iter().flatten().collect()))
}

/// The states that lead to the end, before each step and at the end. A conjunction that has false: none. Exact: inputs stay, each a symbol of its own; else
/// there are none, and these are at least the states in which there are inputs that lead to the end.
fn backwards(terms: &mut Terms, trace: &Infeasible<'_>, is_exact: bool) -> Sequence {
    let mut bad: Sequence = vec![Vec::new()];
    for (index, (letter, core)) in trace.letters.iter().zip(trace.core).enumerate().rev() {
        let after = bad.last().cloned().unwrap_or_default();
        let mut parts: Vec<TermId> = core.iter().map(|&index| letter.guards[index]).collect();
        parts.extend(terms.substitute(&after, &letter.updates));
        let parts = conjuncts(terms, parts);
        let mut parts = if is_exact {
            terms.substitute(&parts, &trace.unfolded.inputs[index])
        } else {
            eliminate(terms, parts, &letter.inputs)
        };
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
        let (with, without): (Vec<TermId>, Vec<TermId>) =
            parts.iter().partition(|&&part| speaks(terms, part, input));
        if with.is_empty() {
            continue;
        }
        parts = without;
        parts.extend(without_input(terms, with, input, MOST_CHOICES));
        parts = conjuncts(terms, parts);
    }
    parts
}

fn speaks(terms: &Terms, part: TermId, symbol: TermId) -> bool {
    symbols_of(terms, &[part]).contains(&symbol)
}

/// The same for parts that all speak of one input, with so many choices.
fn without_input(terms: &mut Terms, with: Vec<TermId>, input: TermId, choices: usize) -> Vec<TermId> {
    let given = with.iter().find_map(|&part| {
        let Term::Eq(a, b) = terms[part] else { return None };
        let other = if a == input { b } else { a };
        (a == input || b == input).then_some(other).filter(|&other| !speaks(terms, other, input))
    });
    if let Some(given) = given {
        return terms.substitute(&with, &[(input, given)].into_iter().collect());
    }
    if choices == 0 {
        return Vec::new();
    }
    let yes = terms.bool(true);
    let (conditions, what, alternatives) = choice(terms, &with, input)
        .map(|(condition, term, alternatives)| ([condition, terms.not(condition)], term, alternatives))
        .unwrap_or_else(|| {
            // Whatever is said of the input may be so or not.
            let parts = terms.subterms(&with);
            let atom =
                parts.into_iter().find(|&part| terms.sort(part) == Sort::Bool && speaks(terms, part, input));
            ([yes, yes], atom.unwrap_or(yes), [yes, terms.not(yes)])
        });
    let mut ways = Vec::new();
    for (condition, alternative) in conditions.into_iter().zip(alternatives) {
        let way = terms.substitute(&with, &[(what, alternative)].into_iter().collect());
        let (with, mut way): (Vec<TermId>, Vec<TermId>) =
            way.into_iter().partition(|&part| speaks(terms, part, input));
        if !with.is_empty() {
            way.extend(without_input(terms, with, input, choices - 1));
        }
        way.push(condition);
        ways.push(terms.and_all(way));
    }
    vec![terms.or_all(ways)]
}

/// Where the input is one of two alternatives: the condition, the term, and what it is.
fn choice(terms: &Terms, with: &[TermId], input: TermId) -> Option<(TermId, TermId, [TermId; 2])> {
    terms.subterms(with).into_iter().find_map(|term| {
        let Term::Ite(condition, a, b) = terms[term] else { return None };
        let is_choice = (a == input || b == input) && !speaks(terms, condition, input);
        is_choice.then_some((condition, term, [a, b]))
    })
}

/// A step, as it is asked about.
struct Step<'s> {
    trace: &'s Infeasible<'s>,
    /// Its number; none: the start.
    index: Option<usize>,
    /// What holds before it.
    holds: &'s [TermId],
    /// What leads to the end behind it, without inputs.
    bad: &'s [TermId],
    /// The same with inputs.
    exact: &'s [TermId],
    /// What inputs are called.
    inputs: &'s FxHashSet<TermId>,
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
    [bad, exact]: &[Sequence; 2],
    choice: &dyn Choice,
    budget: &Budget,
) -> Result<Option<Sequence>, Exhausted> {
    let mut sequence: Sequence = Vec::new();
    let inputs = trace.unfolded.inputs.iter().flat_map(|inputs| inputs.values().copied()).collect();
    for (place, (bad, exact)) in bad.iter().zip(exact).enumerate() {
        let holds = sequence.last().cloned().unwrap_or_default();
        let chosen = if exact.iter().any(|&part| terms.as_bool(part) == Some(false)) {
            Some(Vec::new())
        } else if holds.iter().any(|&term| terms.as_bool(term) == Some(false)) {
            Some(vec![terms.bool(false)])
        } else {
            let step =
                Step { trace, index: place.checked_sub(1), holds: &holds, bad, exact, inputs: &inputs };
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

/// One way where it works, else the other.
struct Both<'c>(&'c dyn Choice, &'c dyn Choice);

impl Choice for Both<'_> {
    fn choose(
        &self,
        terms: &mut Terms,
        step: &Step<'_>,
        budget: &Budget,
    ) -> Result<Option<Vec<TermId>>, Exhausted> {
        match self.0.choose(terms, step, budget)? {
            None => self.1.choose(terms, step, budget),
            found => Ok(found),
        }
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
        let mut symbols = symbols_of(terms, step.exact);
        symbols.retain(|symbol| !step.inputs.contains(symbol));
        let is_near = |terms: &Terms, term: TermId| {
            symbols_of(terms, &[term]).iter().all(|symbol| symbols.contains(symbol))
        };
        let mut found: Vec<TermId> =
            self.known.iter().copied().filter(|&term| is_near(terms, term)).collect();
        found.extend(step.bad.iter().map(|&part| terms.not(part)));
        found.extend(step.exact.iter().map(|&part| terms.not(part)));
        found.retain(|&term| is_near(terms, term));
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
        let mut seen = FxHashSet::default();
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
        for &part in step.exact {
            solver.assert(terms, part);
        }
        let Some(core) = contradiction(terms, &mut solver, &holding, budget)? else { return Ok(None) };
        Ok(Some(core.into_iter().map(|index| holding[index]).collect()))
    }
}
