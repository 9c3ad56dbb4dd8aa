//! The solver in this process: rewriting, bit-blasting, array lemmas, and a SAT solver with the theory of
//! order.

use std::rc::Rc;

use indexmap::IndexMap;
use raddle_base::{Budget, Exhausted, Id};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::{Answer, Core, Name, NodeId, QueryRecord, Solver, SolverError, Statistics, Stop};
use crate::array::{Arrays, Checked};
use crate::blast::{Blaster, Polarity};
use crate::order::OrderTheory;
use crate::sat::batsat::Batsat;
use crate::sat::{Lit, Sat, default_solver};
use crate::solver::record::{Assertion, OrderEdge};
use crate::term::{Evaluator, Model, Sort, Term, TermId, Terms};

/// Bit-blasts to a SAT solver. See [`Solver`].
#[derive(Debug)]
pub struct Embedded {
    sat: Box<dyn Sat>,
    blaster: Blaster,
    arrays: Arrays,
    order: OrderTheory,
    record: QueryRecord,
    /// Whether everything is kept in the record.
    records: bool,
    /// The bits of values that were said to be equal to others.
    bits: FxHashMap<TermId, Rc<[Bit]>>,
    /// One for each open frame: assumed while the frame is open, and then false for ever.
    activations: Vec<Lit>,
    /// For each named assertion that counts, what is assumed for it.
    named: IndexMap<Name, Lit, FxBuildHasher>,
    /// How many named assertions there were when each open frame was opened.
    named_frames: Vec<usize>,
    outcome: EmbeddedResult,
    asserted: u64,
    checks: u64,
    /// Of so many gates a budget knows.
    paid: u64,
}

/// A bit of a value: known, or a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bit {
    Known(bool),
    Open(Lit),
}

/// What the last check found.
#[derive(Debug)]
enum EmbeddedResult {
    None,
    Model(Model, Vec<NodeId>),
    Core(Core),
}

impl Default for Embedded {
    fn default() -> Self {
        Self::new()
    }
}

impl Embedded {
    /// Over the default SAT solver.
    #[must_use]
    pub fn new() -> Self {
        Self::with(default_solver(), Blaster::new())
    }

    /// Keeps no record of what is asserted: it cannot be dumped, and no model is checked against it. Large questions are mostly
    /// clauses and edges, which need no memory here beside that of the SAT solver and the theory of order.
    #[must_use]
    pub fn without_record() -> Self {
        Self { records: false, ..Self::new() }
    }

    /// For one small question of many: over a SAT solver that is made at once, which CaDiCaL is not. Keeps no record. Gives up after so many
    /// conflicts; who needs the answer then asks a solver for large questions.
    #[must_use]
    pub fn for_small_questions(most_conflicts: u64) -> Self {
        let mut sat = Batsat::new();
        sat.set_conflict_limit(Some(most_conflicts));
        Self { records: false, ..Self::with(Box::new(sat), Blaster::new()) }
    }

    /// Over any SAT solver that has no variables yet, with any circuits.
    #[must_use]
    pub fn with(sat: Box<dyn Sat>, blaster: Blaster) -> Self {
        Self {
            sat,
            blaster,
            arrays: Arrays::default(),
            order: OrderTheory::new(),
            record: QueryRecord::default(),
            records: true,
            bits: FxHashMap::default(),
            activations: Vec::new(),
            named: IndexMap::default(),
            named_frames: Vec::new(),
            outcome: EmbeddedResult::None,
            asserted: 0,
            checks: 0,
            paid: 0,
        }
    }

    /// Charges a budget for what was built since it was charged last: a gate is a few clauses, and takes about a microsecond.
    fn charge(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let gates = self.blaster.gate_count() as u64;
        let built = gates - self.paid;
        self.paid = gates;
        budget.spend(u32::try_from(built).unwrap_or(u32::MAX))
    }

    /// The SAT solver, to set limits and hints.
    pub fn sat(&mut self) -> &mut dyn Sat {
        &mut *self.sat
    }

    /// The literal that stands for a Boolean term, to set a phase or to say more about it.
    pub fn literal(&mut self, terms: &Terms, term: TermId) -> Lit {
        self.blaster.literal(terms, &mut *self.sat, term, Polarity::Both)
    }

    /// The bits of a bit-vector.
    fn bits(&mut self, terms: &mut Terms, value: TermId) -> Rc<[Bit]> {
        if let Some(bits) = self.bits.get(&value) {
            return Rc::clone(bits);
        }
        let bits = (0..terms.width(value))
            // Bits that are known are not made literals: a clause over them would only be longer.
            .map(|position| {
                let bit = terms.bit(value, position);
                terms.as_bool(bit).map_or_else(|| Bit::Open(self.literal(terms, bit)), Bit::Known)
            })
            .collect::<Rc<[Bit]>>();
        self.bits.insert(value, Rc::clone(&bits));
        bits
    }

    /// As [`Solver::assert_clause`], and not recorded.
    fn add_clause(&mut self, terms: &Terms, conditions: &[TermId], consequences: &[TermId]) {
        let mut clause: SmallVec<[Lit; 8]> = SmallVec::new();
        for (part, sign) in
            conditions.iter().map(|part| (part, false)).chain(consequences.iter().map(|part| (part, true)))
        {
            // A constant part either satisfies the clause or says nothing.
            match terms.as_bool(*part) {
                Some(value) if value == sign => return,
                Some(_) => {}
                None => {
                    let lit = self.literal(terms, *part);
                    clause.push(if sign { lit } else { !lit });
                }
            }
        }
        self.sat.add_clause(&clause);
    }

    /// Makes every array read and equality that was blasted known to the array theory.
    fn register_arrays(&mut self, terms: &mut Terms) {
        // A fact may bring new reads, which have to be known too.
        loop {
            let facts = self.arrays.register(terms, &mut self.blaster);
            if facts.is_empty() {
                return;
            }
            for fact in facts {
                self.blaster.assert(terms, &mut *self.sat, fact, &[]);
            }
        }
    }

    /// Solves, and adds lemmas about arrays until there is an answer that respects them.
    fn solve(&mut self, terms: &mut Terms, assumptions: &[Lit], budget: &Budget) -> Answer {
        loop {
            self.register_arrays(terms);
            if let Err(exhausted) = self.charge(budget) {
                return Answer::Unknown(Stop::Budget(exhausted));
            }
            // Without nodes the theory would only slow the solver down.
            let answer = if self.order.node_count() == 0 {
                self.sat.solve(assumptions, budget)
            } else {
                self.sat.solve_with(assumptions, &mut self.order, budget)
            };
            if answer != Answer::Sat {
                return answer;
            }
            match self.read_model(terms) {
                Ok(model) => {
                    let order = self
                        .order
                        .linearize(|lit| self.sat.value(lit))
                        .expect("the theory of order agreed to the model");
                    self.outcome = EmbeddedResult::Model(model, order);
                    return Answer::Sat;
                }
                // The model is wrong about arrays. The lemmas exclude it and all like it, and the search goes
                // on.
                Err(lemmas) => {
                    for lemma in lemmas {
                        self.blaster.assert(terms, &mut *self.sat, lemma, &[]);
                    }
                }
            }
            if let Err(exhausted) = budget.check() {
                return Answer::Unknown(Stop::Budget(exhausted));
            }
        }
    }

    /// The values of all symbols in the SAT solver's model, or what it got wrong about arrays.
    fn read_model(&mut self, terms: &mut Terms) -> Result<Model, Vec<TermId>> {
        let mut model = Model::new();
        let mut other = Vec::new();
        // Reads and equalities of arrays were free bits; their values are taken as given and then checked.
        for &term in self.blaster.free_terms() {
            let value = self.blaster.free_value(terms, &*self.sat, term);
            match (terms[term], terms.sort(term)) {
                (Term::Symbol(symbol), Sort::Bool) => model.set_bool(symbol, value == 1),
                (Term::Symbol(symbol), _) => model.set_bits(symbol, value),
                _ => other.push((term, value)),
            }
        }
        if other.is_empty() {
            return Ok(model);
        }
        let mut evaluator = Evaluator::new(&model);
        for (term, value) in other {
            evaluator.preset(terms, term, value);
        }
        match self.arrays.check(terms, &mut evaluator) {
            Checked::Lemmas(lemmas) => {
                debug_assert!(
                    lemmas.iter().all(|&lemma| !evaluator.holds(terms, lemma)),
                    "a lemma holds in the model it was made against"
                );
                Err(lemmas)
            }
            Checked::Consistent(arrays) => {
                for (symbol, value) in arrays {
                    model.set_array(symbol, value);
                }
                Ok(model)
            }
        }
    }

    /// What to assume: open frames, named assertions, and the caller's assumptions.
    fn assumed(&mut self, terms: &Terms, assumptions: &[TermId]) -> (Vec<Lit>, Vec<Lit>) {
        let own: Vec<Lit> = assumptions
            .iter()
            .map(|&term| self.blaster.literal(terms, &mut *self.sat, term, Polarity::Positive))
            .collect();
        let mut all = self.activations.clone();
        all.extend(self.named.values());
        all.extend(&own);
        (all, own)
    }

    /// Evaluates all that should hold under the model that was found.
    fn model_is_right(&self, terms: &Terms, assumptions: &[TermId]) -> bool {
        let EmbeddedResult::Model(model, order) = &self.outcome else { return true };
        let mut evaluator = Evaluator::new(model);
        let assertions = self.record.all().map(|assertion| assertion.term);
        let terms_hold =
            assertions.chain(assumptions.iter().copied()).all(|term| evaluator.holds(terms, term));
        let mut positions = vec![0; order.len()];
        for (position, node) in order.iter().enumerate() {
            positions[node.index()] = position;
        }
        let position = |node: NodeId| positions[node.index()];
        let befores_hold =
            self.record.befores.iter().all(|(&(low, high), &term)| {
                evaluator.holds(terms, term) == (position(low) < position(high))
            });
        let edges_hold = self.record.edges.iter().all(|edge| {
            !edge.conditions.iter().all(|&term| evaluator.holds(terms, term))
                || position(edge.before) < position(edge.after)
        });
        terms_hold && befores_hold && edges_hold
    }
}

impl Solver for Embedded {
    fn name(&self) -> String {
        self.sat.name().to_owned()
    }

    fn assert(&mut self, terms: &mut Terms, term: TermId) {
        self.outcome = EmbeddedResult::None;
        self.asserted += 1;
        if self.records {
            self.record.assertions.push(Assertion { term, name: None });
        }
        // The guard makes the clause vanish when the frame is closed, since clauses cannot be taken back.
        let guard: Vec<Lit> = self.activations.last().map(|&activation| !activation).into_iter().collect();
        self.blaster.assert(terms, &mut *self.sat, term, &guard);
    }

    fn assert_named(&mut self, terms: &mut Terms, name: Name, term: TermId) {
        self.outcome = EmbeddedResult::None;
        self.asserted += 1;
        if self.records {
            self.record.assertions.push(Assertion { term, name: Some(name) });
        }
        let sat = &mut *self.sat;
        let assumed = *self.named.entry(name).or_insert_with(|| sat.new_var().positive());
        // A name may be in use outside of the frame, so the frame guards it too.
        let mut guard = vec![!assumed];
        guard.extend(self.activations.last().map(|&activation| !activation));
        self.blaster.assert(terms, sat, term, &guard);
    }

    fn assert_clause(&mut self, terms: &mut Terms, conditions: &[TermId], consequences: &[TermId]) {
        self.outcome = EmbeddedResult::None;
        self.asserted += 1;
        if self.records {
            self.record.clause(terms, conditions, consequences);
        }
        self.add_clause(terms, conditions, consequences);
    }

    fn assert_equal_if(&mut self, terms: &mut Terms, condition: TermId, a: TermId, b: TermId) {
        if a == b {
            return;
        }
        self.outcome = EmbeddedResult::None;
        self.asserted += 1;
        if self.records {
            self.record.equal_if(terms, condition, a, b);
        }
        // Being a constant is a literal that other conditions can use, too.
        let is_bool = |sort| match sort {
            Sort::Bool => true,
            Sort::BitVec(_) | Sort::Array { .. } => false,
        };
        if is_bool(terms.sort(a)) || terms.as_bits(a).is_some() || terms.as_bits(b).is_some() {
            let equal = terms.eq(a, b);
            self.add_clause(terms, &[condition], &[equal]);
            return;
        }
        // A condition that is known costs no literal.
        let unless: Option<Lit> = match terms.as_bool(condition) {
            Some(false) => return,
            Some(true) => None,
            None => Some(!self.literal(terms, condition)),
        };
        let (a, b) = (self.bits(terms, a), self.bits(terms, b));
        for (&a, &b) in a.iter().zip(b.iter()) {
            let mut say = |parts: &[Lit]| {
                let clause: SmallVec<[Lit; 4]> = unless.iter().chain(parts).copied().collect();
                self.sat.add_clause(&clause);
            };
            match (a, b) {
                (Bit::Known(a), Bit::Known(b)) if a == b => {}
                (Bit::Known(_), Bit::Known(_)) => say(&[]),
                (Bit::Known(true), Bit::Open(lit)) | (Bit::Open(lit), Bit::Known(true)) => say(&[lit]),
                (Bit::Known(false), Bit::Open(lit)) | (Bit::Open(lit), Bit::Known(false)) => say(&[!lit]),
                (Bit::Open(a), Bit::Open(b)) if a == b => {}
                (Bit::Open(a), Bit::Open(b)) => {
                    say(&[!a, b]);
                    say(&[a, !b]);
                }
            }
        }
    }

    fn push(&mut self) {
        self.outcome = EmbeddedResult::None;
        self.record.frames.push(self.record.assertions.len());
        // Names first used in this frame are forgotten with it.
        self.named_frames.push(self.named.len());
        self.activations.push(self.sat.new_var().positive());
    }

    fn pop(&mut self) {
        self.outcome = EmbeddedResult::None;
        self.record.pop();
        let activation = self.activations.pop().expect("the record has checked that there is a frame");
        // For good: so the solver can drop all clauses of the frame.
        self.sat.add_clause(&[!activation]);
        let names = self.named_frames.pop().expect("as many as frames");
        for lit in self.named.split_off(names).into_values() {
            self.sat.add_clause(&[!lit]);
        }
    }

    fn add_node(&mut self) -> NodeId {
        self.record.nodes.push(None);
        self.order.add_node()
    }

    fn add_edge(&mut self, before: NodeId, after: NodeId) {
        self.outcome = EmbeddedResult::None;
        if self.records {
            self.record.edges.push(OrderEdge { conditions: Vec::new(), before, after });
        }
        self.order.add_edge(before, after);
    }

    fn add_edge_if(&mut self, terms: &Terms, conditions: &[TermId], before: NodeId, after: NodeId) {
        self.outcome = EmbeddedResult::None;
        if conditions.iter().any(|&term| terms.as_bool(term) == Some(false)) {
            return;
        }
        // The theory must hear of the edge whenever the conditions hold, and of nothing else.
        let lits: SmallVec<[Lit; 4]> = conditions
            .iter()
            .filter(|&&term| terms.as_bool(term).is_none())
            .map(|&term| self.blaster.literal(terms, &mut *self.sat, term, Polarity::Negative))
            .collect();
        if self.records {
            self.record.edges.push(OrderEdge { conditions: conditions.to_vec(), before, after });
        }
        self.order.add_conditional_edge(&lits, before, after);
    }

    fn before(&mut self, terms: &mut Terms, before: NodeId, after: NodeId) -> TermId {
        let (term, new) = self.record.before(terms, before, after);
        if new {
            self.outcome = EmbeddedResult::None;
            let lit = self.literal(terms, term);
            self.order.add_total_literal(lit, before, after);
        }
        term
    }

    fn make_atomic(&mut self, nodes: &[NodeId]) {
        self.outcome = EmbeddedResult::None;
        self.record.make_atomic(nodes);
        self.order.make_atomic(nodes);
    }

    fn limit_conflicts(&mut self, limit: Option<u64>) {
        self.sat.set_conflict_limit(limit);
    }

    fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, SolverError> {
        self.checks += 1;
        self.outcome = EmbeddedResult::None;
        let (all, own) = self.assumed(terms, assumptions);
        let answer = self.solve(terms, &all, budget);
        if answer == Answer::Unsat {
            let mut names: Vec<Name> =
                self.named.iter().filter(|&(_, &lit)| self.sat.failed(lit)).map(|(&name, _)| name).collect();
            names.sort_unstable();
            let blamed = assumptions.iter().zip(&own).filter(|&(_, &lit)| self.sat.failed(lit));
            let assumptions = blamed.map(|(&term, _)| term).collect();
            self.outcome = EmbeddedResult::Core(Core { names, assumptions });
        }
        // In debug builds every model is evaluated, apart from the way it was found.
        debug_assert!(
            self.model_is_right(terms, assumptions),
            "the model does not satisfy what was asserted"
        );
        Ok(answer)
    }

    fn model(&self) -> Option<&Model> {
        if let EmbeddedResult::Model(model, _) = &self.outcome { Some(model) } else { None }
    }

    fn order(&self) -> Option<Vec<NodeId>> {
        if let EmbeddedResult::Model(_, order) = &self.outcome { Some(order.clone()) } else { None }
    }

    fn core(&self) -> Option<&Core> {
        if let EmbeddedResult::Core(core) = &self.outcome { Some(core) } else { None }
    }

    fn minimize_core(&mut self, terms: &mut Terms, budget: &Budget) -> Result<(), SolverError> {
        let EmbeddedResult::Core(core) = std::mem::replace(&mut self.outcome, EmbeddedResult::None) else {
            return Ok(());
        };
        // Each candidate is a name or an assumption with its literal.
        let names = core.names.iter().map(|name| (Ok(*name), self.named[name]));
        let mut kept: Vec<(Result<Name, TermId>, Lit)> = names.collect();
        for &term in &core.assumptions {
            let lit = self.blaster.literal(terms, &mut *self.sat, term, Polarity::Positive);
            kept.push((Err(term), lit));
        }
        // Deletion by linear search: each part is left out once, and stays out if the rest still contradicts
        // itself.
        let mut position = 0;
        while position < kept.len() {
            let mut lits = self.activations.clone();
            lits.extend(
                kept.iter().enumerate().filter(|&(other, _)| other != position).map(|(_, part)| part.1),
            );
            match self.solve(terms, &lits, budget) {
                Answer::Unsat => {
                    let _dropped = kept.remove(position);
                    // What came before is needed; of the rest, only what was used again.
                    let sat = &*self.sat;
                    let mut index = 0;
                    kept.retain(|&(_, lit)| {
                        index += 1;
                        index <= position || sat.failed(lit)
                    });
                }
                Answer::Sat => position += 1,
                // Out of time: what is left is a core, though perhaps not a least one.
                Answer::Unknown(_) => break,
            }
        }
        let names = kept.iter().filter_map(|part| part.0.ok()).collect();
        let assumptions = kept.iter().filter_map(|part| part.0.err()).collect();
        self.outcome = EmbeddedResult::Core(Core { names, assumptions });
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            assertions: self.asserted,
            checks: self.checks,
            gates: self.blaster.gate_count() as u64,
            array_lemmas: self.arrays.lemma_count(),
            sat: self.sat.statistics(),
            order: self.order.statistics(),
        }
    }

    fn record(&self) -> &QueryRecord {
        &self.record
    }
}
