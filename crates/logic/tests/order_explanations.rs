//! Drives the theory by hand, one literal at a time, and checks every word it says.

use raddle_base::Id;
use raddle_logic::order::OrderTheory;
use raddle_logic::order::random::{Problem, Random};
use raddle_logic::sat::batsat::Batsat;
use raddle_logic::sat::{Lit, Theory, Var};

const FAR: u32 = 1_000_000;

fn u32_of(number: usize) -> u32 {
    u32::try_from(number).expect("small")
}

fn vary(seed: u64, from: usize, count: u64) -> usize {
    from + usize::try_from(seed % count).expect("small")
}

/// The fewest literals on a path between vertices, over the edges that hold; by Floyd and Warshall.
struct Distances {
    vertices: Vec<usize>,
    table: Vec<Vec<u32>>,
}

impl Distances {
    /// `fixed` literals cost nothing.
    fn new(problem: &Problem, holds: &dyn Fn(Lit) -> bool, fixed: &[Lit]) -> Self {
        let mut vertices: Vec<usize> = (0..problem.nodes).collect();
        for block in &problem.blocks {
            for &node in block {
                vertices[node] = block[0];
            }
        }
        let mut table = vec![vec![FAR; problem.nodes]; problem.nodes];
        for (node, row) in table.iter_mut().enumerate() {
            row[node] = 0;
        }
        for (conditions, before, after) in &problem.edges {
            if !conditions.iter().all(|&lit| holds(lit)) || contradictory(conditions) {
                continue;
            }
            let (from, to) = (vertices[*before], vertices[*after]);
            table[from][to] = table[from][to].min(cost(conditions, fixed));
        }
        for via in 0..problem.nodes {
            for from in 0..problem.nodes {
                for to in 0..problem.nodes {
                    table[from][to] = table[from][to].min(table[from][via] + table[via][to]);
                }
            }
        }
        Self { vertices, table }
    }

    fn between(&self, from: usize, to: usize) -> u32 {
        self.table[self.vertices[from]][self.vertices[to]]
    }
}

fn contradictory(conditions: &[Lit]) -> bool {
    conditions.iter().any(|&lit| conditions.contains(&!lit))
}

fn cost(conditions: &[Lit], fixed: &[Lit]) -> u32 {
    let mut conditions: Vec<Lit> = conditions.iter().copied().filter(|lit| !fixed.contains(lit)).collect();
    conditions.sort_unstable();
    conditions.dedup();
    u32_of(conditions.len())
}

/// The order inside a block decides about an edge between two of its nodes.
fn inside(problem: &Problem, before: usize, after: usize) -> Option<bool> {
    let block = problem.blocks.iter().find(|block| block.contains(&before) && block.contains(&after))?;
    let position = |node| block.iter().position(|&member| member == node);
    Some(position(before) < position(after))
}

struct Driver<'a> {
    problem: &'a Problem,
    theory: OrderTheory,
    levels: Vec<Vec<Lit>>,
}

impl Driver<'_> {
    fn assigned(&self) -> Vec<Lit> {
        self.levels.concat()
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.levels.iter().any(|level| level.contains(&lit))
    }

    /// Whether these literals, with those that are fixed, switch on a cycle.
    fn contradict(&self, literals: &[Lit]) -> bool {
        let literals = &[literals, &self.levels[0]].concat();
        let distances = Distances::new(self.problem, &|lit| literals.contains(&lit), &[]);
        self.problem.edges.iter().any(|(conditions, before, after)| {
            conditions.iter().all(|lit| literals.contains(lit))
                && !contradictory(conditions)
                && self.impossible(&distances, *before, *after)
        })
    }

    /// Whether an edge closes a cycle, or contradicts the order inside a block.
    fn impossible(&self, distances: &Distances, before: usize, after: usize) -> bool {
        match inside(self.problem, before, after) {
            Some(in_order) => !in_order,
            None => distances.between(after, before) < FAR,
        }
    }

    /// What is implied, by definition: the negation of a literal that would switch on a cycle.
    fn implied(&self) -> Vec<Lit> {
        let distances = Distances::new(self.problem, &|lit| self.is_true(lit), &[]);
        let mut implied = Vec::new();
        for (conditions, before, after) in &self.problem.edges {
            let impossible = self.impossible(&distances, *before, *after);
            let mut open: Vec<Lit> = conditions.iter().copied().filter(|&lit| !self.is_true(lit)).collect();
            open.sort_unstable();
            open.dedup();
            if impossible && !contradictory(conditions) && open.len() == 1 && !self.is_true(!open[0]) {
                implied.push(!open[0]);
            }
        }
        implied.sort_unstable();
        implied.dedup();
        implied
    }

    /// The fewest literals that explain why this one is false, paid per edge.
    fn cheapest(&self, lit: Lit, earlier: &[Lit]) -> u32 {
        let fixed = &self.levels[0];
        let distances = Distances::new(self.problem, &|other| earlier.contains(&other), fixed);
        let candidates = self.problem.edges.iter().filter(|(conditions, ..)| {
            conditions.contains(&lit)
                && conditions.iter().all(|other| *other == lit || earlier.contains(other))
        });
        candidates
            .map(|(conditions, before, after)| {
                let others: Vec<Lit> = conditions.iter().copied().filter(|&other| other != lit).collect();
                let path = match inside(self.problem, *before, *after) {
                    Some(in_order) => {
                        if in_order {
                            FAR
                        } else {
                            0
                        }
                    }
                    None => distances.between(*after, *before),
                };
                path + cost(&others, fixed)
            })
            .min()
            .unwrap_or(FAR)
    }

    fn check_conflict(&self, conflict: &[Lit]) {
        assert!(conflict.iter().all(|&lit| self.is_true(lit)), "{conflict:?} is not all true");
        assert!(self.contradict(conflict), "{conflict:?} is no conflict in {:?}", self.problem);
    }

    /// Walks at random: assign, propagate, check, sometimes go back.
    fn walk(&mut self, random: &mut Random, counts: &mut Counts) {
        self.theory.begin();
        // Which literals were propagated, with those that were true then.
        let mut pending: Vec<(Lit, Vec<Lit>)> = Vec::new();
        for _ in 0..60 {
            let mut implied = Vec::new();
            let outcome = self.theory.propagate(&mut implied);
            let all = self.assigned();
            if let Err(conflict) = &outcome {
                counts.conflicts += 1;
                self.check_conflict(&conflict.0);
                assert!(self.contradict(&all));
            } else {
                assert!(!self.contradict(&all), "missed a conflict in {:?} under {all:?}", self.problem);
                pending.extend(implied.iter().map(|&lit| (lit, all.clone())));
                let expected = self.implied();
                for lit in &expected {
                    assert!(
                        pending.iter().any(|(known, _)| known == lit),
                        "missed {lit} in {:?}",
                        self.problem
                    );
                }
                for lit in &implied {
                    assert!(expected.contains(lit), "{lit} is not implied in {:?}", self.problem);
                }
            }
            // Reasons are asked for at any later time.
            for (lit, earlier) in &pending {
                if random.once_in(3) {
                    self.check_explanation(*lit, earlier, counts);
                }
            }
            if outcome.is_err() || random.once_in(8) {
                if self.levels.len() == 1 {
                    return;
                }
                let level = random.below(self.levels.len() - 1);
                self.levels.truncate(level + 1);
                self.theory.backtrack(u32_of(level));
                let all = self.assigned();
                pending.retain(|(_, earlier)| earlier.len() <= all.len());
                continue;
            }
            if random.once_in(2) {
                self.levels.push(Vec::new());
                self.theory.new_level();
            }
            let var = Var(u32_of(random.below(self.problem.variables as usize)));
            let lit = Lit::new(var, random.once_in(2));
            if !self.is_true(lit) && !self.is_true(!lit) && self.theory.observed().contains(&var) {
                self.levels.last_mut().expect("level zero is always there").push(lit);
                self.theory.assign(lit);
            }
        }
    }

    fn check_explanation(&mut self, lit: Lit, earlier: &[Lit], counts: &mut Counts) {
        counts.explanations += 1;
        let mut reason = Vec::new();
        self.theory.explain(lit, &mut reason);
        assert!(reason.iter().all(|premise| earlier.contains(premise)), "{reason:?} came later than {lit}");
        let mut all = reason.clone();
        all.push(!lit);
        assert!(self.contradict(&all), "{reason:?} does not explain {lit} in {:?}", self.problem);
        // The path has the fewest literals for the edge chosen; when there is a single such edge, overall.
        let edges = self.problem.edges.iter().filter(|(conditions, ..)| conditions.contains(&!lit)).count();
        if edges == 1 {
            counts.minimal += 1;
            assert!(
                cost(&reason, &self.levels[0]) <= self.cheapest(!lit, earlier),
                "{reason:?} is too long for {lit} in {:?}",
                self.problem
            );
        }
    }
}

#[derive(Debug, Default)]
struct Counts {
    conflicts: u32,
    explanations: u32,
    minimal: u32,
}

fn drive(problem: &Problem, seed: u64, counts: &mut Counts) {
    let theory = problem.load(&mut Batsat::new());
    let mut driver = Driver { problem, theory, levels: vec![Vec::new()] };
    driver.walk(&mut Random::new(seed), counts);
}

#[test]
fn every_word_is_true_complete_and_short_on_mixed_problems() {
    let mut counts = Counts::default();
    for seed in 0..2500 {
        drive(&Problem::mixed(vary(seed, 3, 8), 4_000_000 + seed), seed, &mut counts);
    }
    assert!(counts.conflicts > 200 && counts.explanations > 5000 && counts.minimal > 1000, "{counts:?}");
}

#[test]
fn every_word_is_true_complete_and_short_on_read_from_problems() {
    let mut counts = Counts::default();
    for seed in 0..300 {
        drive(&Problem::read_from(vary(seed, 2, 2), 4, 2, 0, seed), seed, &mut counts);
    }
    assert!(counts.conflicts > 50 && counts.explanations > 2000 && counts.minimal > 500, "{counts:?}");
}

#[test]
fn an_explanation_takes_the_path_with_the_fewest_literals() {
    let mut theory = OrderTheory::new();
    let nodes: Vec<_> = (0..6).map(|_| theory.add_node()).collect();
    let lit = |index| Var(index).positive();
    // From 0 to 5: three literals, or one literal and two static edges.
    for (index, (before, after)) in [(0, 1), (1, 2), (2, 5), (3, 4)].into_iter().enumerate() {
        theory.add_literal(lit(u32_of(index)), nodes[before], nodes[after]);
    }
    theory.add_edge(nodes[0], nodes[3]);
    theory.add_edge(nodes[4], nodes[5]);
    theory.add_literal(lit(4), nodes[5], nodes[0]);
    theory.begin();
    theory.new_level();
    let mut implied = Vec::new();
    for index in 0..4 {
        assert!(implied.is_empty() || index == 3);
        theory.assign(lit(index));
        theory.propagate(&mut implied).unwrap();
    }
    // The longer path was there first: at that moment it was the only one.
    assert_eq!(implied, [!lit(4)]);
    let mut reason = Vec::new();
    theory.explain(!lit(4), &mut reason);
    assert_eq!(reason, [lit(0), lit(1), lit(2)]);

    theory.backtrack(0);
    theory.new_level();
    implied.clear();
    for index in [3, 0, 1, 2] {
        theory.assign(lit(index));
        theory.propagate(&mut implied).unwrap();
    }
    assert_eq!(implied, [!lit(4)]);
    reason.clear();
    theory.explain(!lit(4), &mut reason);
    assert_eq!(reason, [lit(3)]);
    assert_eq!(nodes[5].index(), 5);
}
