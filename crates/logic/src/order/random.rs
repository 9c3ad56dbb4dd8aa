//! Random problems of order, for tests and benchmarks: the same seed gives the same problem for ever.
//!
//! A [`Problem`] can be given to a solver with the [`OrderTheory`], or eagerly as clauses alone, or written as
//! difference logic for an SMT solver. The three must agree.

use std::fmt::Write as _;

pub use raddle_base::SplitMix as Random;

use super::{FromRead, NodeId, OrderTheory};
use crate::sat::{Lit, Sat, Var};

/// Two different numbers below `bound`.
fn pair(random: &mut Random, bound: usize) -> (usize, usize) {
    let first = random.below(bound);
    let second = random.below(bound - 1);
    (first, if second >= first { second + 1 } else { second })
}

/// For pairs of nodes, the literal that says the first is before the second.
#[derive(Debug)]
struct Orders {
    nodes: usize,
    literals: Vec<Option<Lit>>,
}

impl Orders {
    fn new(nodes: usize) -> Self {
        Self { nodes, literals: vec![None; nodes * nodes] }
    }

    fn get(&self, before: usize, after: usize) -> Option<Lit> {
        self.literals[before * self.nodes + after]
    }

    fn set(&mut self, before: usize, after: usize, lit: Lit) {
        self.literals[before * self.nodes + after] = Some(lit);
        self.literals[after * self.nodes + before] = Some(!lit);
    }

    /// A literal for each pair.
    fn all(nodes: usize, mut literal: impl FnMut(usize, usize) -> Lit) -> Self {
        let mut orders = Self::new(nodes);
        for first in 0..nodes {
            for second in first + 1..nodes {
                orders.set(first, second, literal(first, second));
            }
        }
        orders
    }
}

/// Clauses over literals, and edges between nodes under conjunctions of literals.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// How many nodes there are.
    pub nodes: usize,
    /// How many variables the clauses and conditions use.
    pub variables: u32,
    /// If all these literals are true, the first node is before the second.
    pub edges: Vec<(Vec<Lit>, usize, usize)>,
    /// Nodes that follow each other with nothing between.
    pub blocks: Vec<Vec<usize>>,
    /// At least one literal of each must be true.
    pub clauses: Vec<Vec<Lit>>,
}

impl Problem {
    /// Adds a variable.
    pub const fn variable(&mut self) -> Lit {
        self.variables += 1;
        Var(self.variables - 1).positive()
    }

    /// Adds a literal that decides the order of two nodes.
    pub fn total_literal(&mut self, before: usize, after: usize) -> Lit {
        let lit = self.variable();
        self.edges.push((vec![lit], before, after));
        self.edges.push((vec![!lit], after, before));
        lit
    }

    /// Random clauses of three literals over the orders of all pairs of nodes. With some three clauses and a
    /// half for each pair it becomes hard, then unsatisfiable.
    #[must_use]
    pub fn total_order(nodes: usize, clauses: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut problem = Self { nodes, ..Self::default() };
        let orders = Orders::all(nodes, |first, second| problem.total_literal(first, second));
        for _ in 0..clauses {
            let clause = (0..3).filter_map(|_| {
                let (first, second) = pair(&mut random, nodes);
                orders.get(first, second)
            });
            let clause = clause.collect();
            problem.clauses.push(clause);
        }
        problem
    }

    /// Threads of writes and reads, each read from a random write, and the orders that sequential consistency
    /// asks for: write order by total literals, from-read by edges with three conditions. `forbidden` random
    /// pairs of reads-from are excluded, which makes it hard.
    #[must_use]
    pub fn read_from(threads: usize, length: usize, positions: usize, forbidden: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut problem = Self { nodes: threads * length + 1, ..Self::default() };
        let mut writes = vec![vec![0]; positions];
        let mut reads = Vec::new();
        for thread in 0..threads {
            for step in 0..length {
                let node = 1 + thread * length + step;
                let before = if step == 0 { 0 } else { node - 1 };
                problem.edges.push((Vec::new(), before, node));
                let position = random.below(positions);
                if random.once_in(2) {
                    writes[position].push(node);
                } else {
                    reads.push((node, position));
                }
            }
        }
        // The order of the writes to a memory location; the node zero writes all of them first.
        let mut orders = Orders::new(problem.nodes);
        for row in &writes {
            for (index, &first) in row.iter().enumerate() {
                for &second in &row[index + 1..] {
                    if orders.get(first, second).is_none() {
                        orders.set(first, second, problem.total_literal(first, second));
                    }
                }
            }
        }
        let mut sources = Vec::new();
        for &(read, position) in &reads {
            let mut choice = Vec::new();
            for &write in &writes[position] {
                let lit = problem.variable();
                choice.push(lit);
                sources.push(lit);
                problem.edges.push((vec![lit], write, read));
                for &other in writes[position].iter().filter(|&&other| other != write) {
                    let conditions = [Some(lit), orders.get(write, other)].into_iter().flatten().collect();
                    problem.edges.push((conditions, read, other));
                }
            }
            for (index, &first) in choice.iter().enumerate() {
                problem.clauses.extend(choice[index + 1..].iter().map(|&second| vec![!first, !second]));
            }
            problem.clauses.push(choice);
        }
        if sources.len() > 1 {
            for _ in 0..forbidden {
                let (first, second) = pair(&mut random, sources.len());
                problem.clauses.push(vec![!sources[first], !sources[second]]);
            }
        }
        problem
    }

    /// Threads that each take all locks in a random order, hand over hand: a lock is let go when the one after
    /// the next has been taken. The critical sections of a lock are ordered as wholes; random clauses of three literals
    /// restrict who comes first.
    #[must_use]
    pub fn lock_order(threads: usize, locks: usize, clauses: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut problem = Self { nodes: 2 * threads * locks, ..Self::default() };
        let mut taken = vec![Vec::new(); locks];
        for thread in 0..threads {
            let start = 2 * locks * thread;
            for node in start + 1..start + 2 * locks {
                problem.edges.push((Vec::new(), node - 1, node));
            }
            let mut names: Vec<usize> = (0..locks).collect();
            for index in (1..locks).rev() {
                names.swap(index, random.below(index + 1));
            }
            for (index, &lock) in names.iter().enumerate() {
                let enter = start + 2 * index;
                let leave = start + (2 * index + 3).min(2 * locks - 1);
                taken[lock].push((enter, leave));
            }
        }
        let mut orders = Vec::new();
        for row in &taken {
            for (index, &(enter, leave)) in row.iter().enumerate() {
                for &(other_enter, other_leave) in &row[index + 1..] {
                    let lit = problem.variable();
                    problem.edges.push((vec![lit], leave, other_enter));
                    problem.edges.push((vec![!lit], other_leave, enter));
                    orders.push(lit);
                }
            }
        }
        if !orders.is_empty() {
            for _ in 0..clauses {
                let lit = |random: &mut Random| {
                    let lit = orders[random.below(orders.len())];
                    if random.once_in(2) { !lit } else { lit }
                };
                let clause = (0..3).map(|_| lit(&mut random)).collect();
                problem.clauses.push(clause);
            }
        }
        problem
    }

    /// A bit of everything: static edges, edges under one to three literals, atomic blocks, clauses.
    #[must_use]
    pub fn mixed(nodes: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut problem = Self { nodes, ..Self::default() };
        for _ in 0..random.below(nodes) {
            let (before, after) = pair(&mut random, nodes);
            // Mostly forwards, so that the static edges alone seldom contradict each other.
            let flip = before > after && !random.once_in(12);
            let (before, after) = if flip { (after, before) } else { (before, after) };
            problem.edges.push((Vec::new(), before, after));
        }
        let mut free: Vec<usize> = (0..nodes).collect();
        while free.len() > 3 && random.once_in(3) {
            let size = 2 + random.below(2);
            let block = (0..size).map(|_| free.swap_remove(random.below(free.len()))).collect();
            problem.blocks.push(block);
        }
        let mut literals = Vec::new();
        for _ in 0..=random.below(3 * nodes) {
            let (before, after) = pair(&mut random, nodes);
            if random.once_in(3) {
                let lit = problem.variable();
                problem.edges.push((vec![lit], before, after));
                literals.push(lit);
            } else {
                literals.push(problem.total_literal(before, after));
            }
        }
        let any = |random: &mut Random| {
            let lit = literals[random.below(literals.len())];
            if random.once_in(2) { !lit } else { lit }
        };
        for _ in 0..random.below(2 * nodes) {
            let (before, after) = pair(&mut random, nodes);
            let conditions = (0..2 + random.below(2)).map(|_| any(&mut random)).collect();
            problem.edges.push((conditions, before, after));
        }
        for _ in 0..random.below(2 * literals.len() + 1) {
            let clause = (0..1 + random.below(4)).map(|_| any(&mut random)).collect();
            problem.clauses.push(clause);
        }
        problem
    }

    /// Gives variables and clauses to a solver that has none yet, and the rest to a new theory.
    pub fn load(&self, solver: &mut dyn Sat) -> OrderTheory {
        self.load_clauses(solver);
        let mut order = OrderTheory::new();
        let nodes: Vec<NodeId> = (0..self.nodes).map(|_| order.add_node()).collect();
        for (conditions, before, after) in &self.edges {
            match **conditions {
                // The same edge by the door an engine would use.
                [read_from, other] => order.add_from_read(FromRead {
                    read_from,
                    overwritten: Some(other),
                    guard: None,
                    read: nodes[*before],
                    other: nodes[*after],
                }),
                _ => order.add_conditional_edge(conditions, nodes[*before], nodes[*after]),
            }
        }
        for block in &self.blocks {
            order.make_atomic(&block.iter().map(|&node| nodes[node]).collect::<Vec<_>>());
        }
        order
    }

    fn load_clauses(&self, solver: &mut dyn Sat) {
        for _ in 0..self.variables {
            solver.new_var();
        }
        for clause in &self.clauses {
            solver.add_clause(clause);
        }
    }

    /// Gives all of it to a solver as clauses: a variable for the order of each pair of nodes, and
    /// transitivity for each triple.
    pub fn load_eagerly(&self, solver: &mut dyn Sat) {
        self.load_clauses(solver);
        let nodes = self.nodes;
        let orders = Orders::all(nodes, |_, _| solver.new_var().positive());
        let order = |before: usize, after: usize| orders.get(before, after).into_iter();
        for first in 0..nodes {
            for second in first + 1..nodes {
                for third in second + 1..nodes {
                    for [a, b, c] in [[first, second, third], [first, third, second]] {
                        // No cycle a, b, c, a.
                        let cycle = order(a, b).chain(order(b, c)).chain(order(c, a));
                        solver.add_clause(&cycle.map(|lit| !lit).collect::<Vec<_>>());
                    }
                }
            }
        }
        for (conditions, before, after) in &self.edges {
            let negated = conditions.iter().map(|&lit| !lit);
            solver.add_clause(&negated.chain(order(*before, *after)).collect::<Vec<_>>());
        }
        for block in &self.blocks {
            for window in block.windows(2) {
                solver.add_clause(&order(window[0], window[1]).collect::<Vec<_>>());
                for outside in (0..nodes).filter(|node| !block.contains(node)) {
                    let between = order(window[0], outside).chain(order(outside, window[1]));
                    solver.add_clause(&between.map(|lit| !lit).collect::<Vec<_>>());
                }
            }
        }
    }

    /// The problem in SMT-LIB, with the positions of the nodes as integers. Atomic blocks must be absent.
    #[must_use]
    pub fn to_smtlib(&self) -> String {
        debug_assert!(self.blocks.is_empty(), "blocks have no form in difference logic here");
        let mut text = String::from("(set-logic QF_IDL)\n");
        let literal = |lit: &Lit| {
            if lit.is_negated() { format!("(not b{})", lit.var().0) } else { format!("b{}", lit.var().0) }
        };
        let join = |lits: &[Lit]| lits.iter().map(literal).collect::<Vec<_>>().join(" ");
        for node in 0..self.nodes {
            writeln!(text, "(declare-const n{node} Int)").expect("writing to a string does not fail");
        }
        for var in 0..self.variables {
            writeln!(text, "(declare-const b{var} Bool)").expect("writing to a string does not fail");
        }
        for (conditions, before, after) in &self.edges {
            let edge = format!("(< (- n{before} n{after}) 0)");
            let line = match &**conditions {
                [] => format!("(assert {edge})"),
                [lit] => format!("(assert (=> {} {edge}))", literal(lit)),
                lits => format!("(assert (=> (and {}) {edge}))", join(lits)),
            };
            writeln!(text, "{line}").expect("writing to a string does not fail");
        }
        for clause in &self.clauses {
            let line = match &**clause {
                [] => "(assert false)".to_owned(),
                [lit] => format!("(assert {})", literal(lit)),
                lits => format!("(assert (or {}))", join(lits)),
            };
            writeln!(text, "{line}").expect("writing to a string does not fail");
        }
        text.push_str("(check-sat)\n");
        text
    }
}
