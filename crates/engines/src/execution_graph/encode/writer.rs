//! What is said to the solver: terms, clauses over terms, equalities under a condition, and edges between nodes.
//!
//! Owns the solver, the nodes of the order theory and the static order of steps. So what the static order decides is never
//! said: an edge that always holds is left out, and one that would close a cycle forbids its conditions.
//!
//! Clauses and edges outnumber events by far, so the solver is mostly one that keeps no record of them, and its own check of
//! models does not know them; `check` looks at every model instead, in debug builds.

use raddle_base::{Budget, Table};
use raddle_logic::sat::Statistics;
use raddle_logic::solver::{Answer, NodeId, Solver, SolverError};
use raddle_logic::term::{Model, Sort, TermId, Terms};

use super::reach::Reach;
use crate::execution_graph::events::StepId;

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Writer {
    solver: Box<dyn Solver>,
    nodes: Table<StepId, NodeId>,
    /// The step of each node that is one.
    steps: Table<NodeId, Option<StepId>>,
    reach: Reach,
    conditional_edges: u64,
}

impl Writer {
    /// To a solver that has heard nothing yet. Along a chain, in ascending order of steps, each step reaches the next by edges,
    /// which have no cycle.
    pub(super) fn new(
        mut solver: Box<dyn Solver>,
        chains: &Table<StepId, u32>,
        edges: &[(StepId, StepId)],
    ) -> Self {
        let nodes: Table<StepId, NodeId> = chains.ids().map(|_| solver.add_node()).collect();
        for &(before, after) in edges {
            solver.add_edge(nodes[before], nodes[after]);
        }
        let steps = chains.ids().map(Some).collect();
        Self { solver, nodes, steps, reach: Reach::new(chains, edges), conditional_edges: 0 }
    }

    /// The term holds.
    pub(super) fn assert(&mut self, terms: &mut Terms, term: TermId) {
        if terms.as_bool(term) != Some(true) {
            self.solver.assert(terms, term);
        }
    }

    /// If all of these hold, so does that.
    pub(super) fn assert_if(&mut self, terms: &mut Terms, conditions: &[TermId], consequence: TermId) {
        let condition = terms.and_all(conditions.iter().copied());
        let term = terms.implies(condition, consequence);
        self.assert(terms, term);
    }

    /// If all of the first hold, so does one of the second.
    pub(super) fn clause(&mut self, terms: &mut Terms, conditions: &[TermId], consequences: &[TermId]) {
        self.solver.assert_clause(terms, conditions, consequences);
    }

    /// If the condition holds, two values are equal.
    pub(super) fn equal_if(&mut self, terms: &mut Terms, condition: TermId, a: TermId, b: TermId) {
        self.solver.assert_equal_if(terms, condition, a, b);
    }

    /// Whether one step is before another in every execution in which both happen. May miss that it is.
    pub(super) fn always_before(&self, before: StepId, after: StepId) -> bool {
        self.reach.before(before, after)
    }

    /// One step is before another, always. Says whether that could be said: not if it would close a cycle.
    pub(super) fn order(&mut self, before: StepId, after: StepId) -> bool {
        let is_possible = self.reach.add(before, after);
        if is_possible {
            self.solver.add_edge(self.nodes[before], self.nodes[after]);
        }
        is_possible
    }

    /// If all of these hold, one step is before the other.
    pub(super) fn edge_if(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        before: StepId,
        after: StepId,
    ) {
        if self.always_before(before, after)
            || conditions.iter().any(|&term| terms.as_bool(term) == Some(false))
        {
            return;
        }
        if before == after || self.always_before(after, before) {
            self.clause(terms, conditions, &[]);
            return;
        }
        self.node_edge_if(terms, conditions, self.nodes[before], self.nodes[after]);
    }

    /// The condition under which one step is before another.
    pub(super) fn before(&mut self, terms: &mut Terms, before: StepId, after: StepId) -> TermId {
        if self.always_before(before, after) {
            return terms.bool(true);
        }
        if before == after || self.always_before(after, before) {
            return terms.bool(false);
        }
        self.solver.before(terms, self.nodes[before], self.nodes[after])
    }

    /// The same for nodes.
    pub(super) fn node_before(&mut self, terms: &mut Terms, before: NodeId, after: NodeId) -> TermId {
        self.solver.before(terms, before, after)
    }

    /// The node of a step.
    pub(super) fn node(&self, step: StepId) -> NodeId {
        self.nodes[step]
    }

    /// A node that is no step's.
    pub(super) fn add_loose_node(&mut self) -> NodeId {
        self.steps.push(None);
        self.solver.add_node()
    }

    /// One node is before another, always.
    pub(super) fn node_edge(&mut self, before: NodeId, after: NodeId) {
        self.solver.add_edge(before, after);
    }

    /// If all of these hold, one node is before the other.
    pub(super) fn node_edge_if(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        before: NodeId,
        after: NodeId,
    ) {
        self.conditional_edges += 1;
        self.solver.add_edge_if(terms, conditions, before, after);
    }

    /// Looks for a model of all that was said, and of the assumptions.
    pub(super) fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, SolverError> {
        self.solver.check(terms, assumptions, budget)
    }

    /// All that was said as SMT-LIB text, if the solver keeps a record of it.
    pub(super) fn script(&self, terms: &Terms, assumptions: &[TermId]) -> String {
        self.solver.dump_smt2(terms, assumptions)
    }

    /// The model, if the last check found one.
    pub(super) fn model(&self) -> Option<&Model> {
        self.solver.model()
    }

    /// All steps in an order that fits the model, if the last check found one.
    pub(super) fn order_of_steps(&self) -> Option<Vec<StepId>> {
        let nodes = self.solver.order()?;
        Some(nodes.into_iter().filter_map(|node| self.steps[node]).collect())
    }

    /// The steps that come before a node in such an order.
    pub(super) fn order_of_steps_before(&self, end: NodeId) -> Vec<StepId> {
        let nodes = self.solver.order().unwrap_or_default();
        nodes.into_iter().take_while(|&node| node != end).filter_map(|node| self.steps[node]).collect()
    }

    /// How many conflicts each later check may meet.
    pub(super) fn limit_conflicts(&mut self, limit: Option<u64>) {
        self.solver.limit_conflicts(limit);
    }

    /// How much the SAT solver has to do.
    pub(super) fn statistics(&self) -> Statistics {
        self.solver.statistics().sat
    }

    /// How many edges there are under conditions.
    pub(super) const fn conditional_edges(&self) -> u64 {
        self.conditional_edges
    }
}

/// A new Boolean symbol.
pub(super) fn choice(terms: &mut Terms, name: &str) -> TermId {
    terms.fresh(name, Sort::Bool)
}
