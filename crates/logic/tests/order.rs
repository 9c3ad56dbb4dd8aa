//! The order theory on both solvers against brute force and against the eager encoding.

use raddle_base::Budget;
use raddle_logic::order::random::{Problem, Random};
use raddle_logic::order::{FromRead, NodeId, OrderTheory};
use raddle_logic::sat::batsat::Batsat;
#[cfg(feature = "cadical")]
use raddle_logic::sat::cadical::Cadical;
use raddle_logic::sat::{Answer, Lit, Sat};

fn vary(seed: u64, from: usize, count: u64) -> usize {
    from + usize::try_from(seed % count).expect("small")
}

fn solvers() -> Vec<Box<dyn Sat>> {
    vec![
        Box::new(Batsat::new()),
        #[cfg(feature = "cadical")]
        Box::new(Cadical::new()),
    ]
}

/// Whether some order of the nodes fits the edges under this valuation, by trying all.
fn some_order_fits(problem: &Problem, value: &dyn Fn(Lit) -> bool) -> bool {
    let edges: Vec<(usize, usize)> = problem
        .edges
        .iter()
        .filter(|(conditions, ..)| conditions.iter().all(|&lit| value(lit)))
        .map(|&(_, before, after)| (before, after))
        .collect();
    let mut line: Vec<usize> = (0..problem.nodes).collect();
    permutations(&mut line, 0, &mut |line| fits(problem, &edges, line))
}

fn permutations(line: &mut Vec<usize>, from: usize, accept: &mut dyn FnMut(&[usize]) -> bool) -> bool {
    if from == line.len() {
        return accept(line);
    }
    for index in from..line.len() {
        line.swap(from, index);
        let found = permutations(line, from + 1, accept);
        line.swap(from, index);
        if found {
            return true;
        }
    }
    false
}

fn fits(problem: &Problem, edges: &[(usize, usize)], line: &[usize]) -> bool {
    let mut positions = vec![0; line.len()];
    for (position, &node) in line.iter().enumerate() {
        positions[node] = position;
    }
    edges.iter().all(|&(before, after)| positions[before] < positions[after])
        && problem.blocks.iter().all(|block| block.windows(2).all(|w| positions[w[0]] + 1 == positions[w[1]]))
}

fn brute_force(problem: &Problem) -> bool {
    // Orders first: there are fewer than valuations, and an order leaves few literals free.
    let mut line: Vec<usize> = (0..problem.nodes).collect();
    permutations(&mut line, 0, &mut |line| {
        let mut positions = vec![0; line.len()];
        for (position, &node) in line.iter().enumerate() {
            positions[node] = position;
        }
        if !fits(problem, &[], line) {
            return false;
        }
        // Clauses that say which literals may not be true together in this order.
        let forbidden: Vec<&[Lit]> = problem
            .edges
            .iter()
            .filter(|&&(_, before, after)| positions[before] >= positions[after])
            .map(|(conditions, ..)| &**conditions)
            .collect();
        let mut solver = Batsat::new();
        for _ in 0..problem.variables {
            solver.new_var();
        }
        for clause in &problem.clauses {
            solver.add_clause(clause);
        }
        for literals in forbidden {
            solver.add_clause(&literals.iter().map(|&lit| !lit).collect::<Vec<_>>());
        }
        solver.solve(&[], &Budget::unlimited()) == Answer::Sat
    })
}

/// A model must satisfy the clauses, and the order read off it every edge and block.
fn check_model(problem: &Problem, solver: &dyn Sat, order: &OrderTheory) {
    let value = |lit: Lit| solver.value(lit) == Some(true);
    for clause in &problem.clauses {
        assert!(clause.iter().any(|&lit| value(lit)), "clause {clause:?} is false in the model");
    }
    let line = order.linearize(|lit| solver.value(lit)).expect("a model has an order");
    let line: Vec<usize> = line.iter().map(|node| raddle_base::Id::index(*node)).collect();
    let edges: Vec<(usize, usize)> = problem
        .edges
        .iter()
        .filter(|(conditions, ..)| conditions.iter().all(|&lit| value(lit)))
        .map(|&(_, before, after)| (before, after))
        .collect();
    assert!(fits(problem, &edges, &line), "the order {line:?} does not fit");
}

fn check_theory(problem: &Problem, expected: bool) {
    for mut solver in solvers() {
        let mut order = problem.load(&mut *solver);
        let answer = solver.solve_with(&[], &mut order, &Budget::unlimited());
        let expected = if expected { Answer::Sat } else { Answer::Unsat };
        assert_eq!(answer, expected, "{} on {problem:?}", solver.name());
        if answer == Answer::Sat {
            check_model(problem, &*solver, &order);
        }
    }
}

#[test]
fn small_mixed_problems_agree_with_brute_force() {
    let mut satisfiable = 0;
    for seed in 0..3000 {
        let problem = Problem::mixed(vary(seed, 2, 4), seed);
        let expected = brute_force(&problem);
        satisfiable += u32::from(expected);
        check_theory(&problem, expected);
    }
    assert!((600..2400).contains(&satisfiable), "{satisfiable} of 3000: the problems are lopsided");
}

#[test]
fn mixed_problems_agree_with_the_eager_encoding() {
    let mut satisfiable = 0;
    for seed in 0..3000 {
        let problem = Problem::mixed(vary(seed, 5, 12), 1_000_000 + seed);
        let mut eager = Batsat::new();
        problem.load_eagerly(&mut eager);
        let expected = eager.solve(&[], &Budget::unlimited()) == Answer::Sat;
        satisfiable += u32::from(expected);
        check_theory(&problem, expected);
    }
    assert!((300..2700).contains(&satisfiable), "{satisfiable} of 3000: the problems are lopsided");
}

#[test]
fn families_agree_with_the_eager_encoding_on_both_solvers() {
    let mut answers = [0, 0];
    for seed in 0..120 {
        let size = vary(seed, 0, 5);
        for problem in [
            Problem::total_order(8 + size, (8 + size) * 14, seed),
            Problem::read_from(2 + size % 3, 5, 2, 25 + 5 * size, seed),
            Problem::lock_order(3, 2 + size % 2, 14, seed),
        ] {
            let mut expected = None;
            for mut eager in solvers() {
                problem.load_eagerly(&mut *eager);
                let answer = eager.solve(&[], &Budget::unlimited());
                assert!(expected.is_none_or(|expected| expected == answer));
                expected = Some(answer);
            }
            let expected = expected == Some(Answer::Sat);
            answers[usize::from(expected)] += 1;
            check_theory(&problem, expected);
        }
    }
    assert!(answers.iter().all(|&count| count > 30), "{answers:?}: the problems are lopsided");
}

/// Everything arrives bit by bit, with a solve under assumptions after each bit; a fresh solver must agree,
/// and the failed assumptions alone must fail.
#[test]
fn incremental_solving_agrees_with_starting_anew() {
    for seed in 0..150 {
        let whole = Problem::mixed(vary(seed, 4, 8), 2_000_000 + seed);
        for mut solver in solvers() {
            let mut random = Random::new(seed);
            let mut order = OrderTheory::new();
            let mut part = Problem { variables: whole.variables, ..Problem::default() };
            for _ in 0..whole.variables {
                solver.new_var();
            }
            let mut nodes: Vec<NodeId> = Vec::new();
            let (mut edges, mut clauses) = (whole.edges.iter(), whole.clauses.iter());
            for step in 1..=4 {
                let goal = whole.nodes * step / 4;
                nodes.extend((nodes.len()..goal).map(|_| order.add_node()));
                part.nodes = goal;
                for (conditions, before, after) in edges.by_ref().take(whole.edges.len() / 4 + 1) {
                    if *before < goal && *after < goal {
                        order.add_conditional_edge(conditions, nodes[*before], nodes[*after]);
                        part.edges.push((conditions.clone(), *before, *after));
                    }
                }
                for clause in clauses.by_ref().take(whole.clauses.len() / 4 + 1) {
                    solver.add_clause(clause);
                    part.clauses.push(clause.clone());
                }
                for block in &whole.blocks {
                    if !part.blocks.contains(block) && block.iter().all(|&node| node < goal) {
                        order.make_atomic(&block.iter().map(|&node| nodes[node]).collect::<Vec<_>>());
                        part.blocks.push(block.clone());
                    }
                }
                for _ in 0..3 {
                    check_step(&part, &mut *solver, &mut order, &mut random);
                }
            }
        }
    }
}

fn check_step(part: &Problem, solver: &mut dyn Sat, order: &mut OrderTheory, random: &mut Random) {
    let mut assumptions = Vec::new();
    for var in 0..part.variables {
        if random.once_in(4) {
            assumptions.push(Lit::new(raddle_logic::sat::Var(var), random.once_in(2)));
        }
    }
    let budget = Budget::unlimited();
    let answer = solver.solve_with(&assumptions, order, &budget);
    let anew = |assumptions: &[Lit]| {
        let mut solver = Batsat::new();
        part.load_eagerly(&mut solver);
        solver.solve(assumptions, &budget)
    };
    assert_eq!(answer, anew(&assumptions), "{} on {part:?} under {assumptions:?}", solver.name());
    match answer {
        Answer::Sat => {
            check_model(part, solver, order);
            assert!(assumptions.iter().all(|&lit| solver.value(lit) == Some(true)));
        }
        Answer::Unsat => {
            let core: Vec<Lit> = assumptions.iter().copied().filter(|&lit| solver.failed(lit)).collect();
            let name = solver.name();
            assert_eq!(
                anew(&core),
                Answer::Unsat,
                "{name}: the core {core:?} of {assumptions:?} does not fail: {part:?}"
            );
        }
        Answer::Unknown(stop) => panic!("no limit was set, yet: {stop}"),
    }
}

#[test]
fn the_same_problem_takes_the_same_steps() {
    let run = |mut solver: Box<dyn Sat>| {
        let problem = Problem::total_order(20, 420, 7);
        let mut order = problem.load(&mut *solver);
        let answer = solver.solve_with(&[], &mut order, &Budget::unlimited());
        (answer, solver.statistics(), order.statistics())
    };
    let (first, second): (Vec<_>, Vec<_>) =
        (solvers().into_iter().map(run).collect(), solvers().into_iter().map(run).collect());
    assert_eq!(first, second);
    assert!(first.iter().all(|(_, statistics, _)| statistics.theory_propagations > 100));
}

#[test]
fn atomic_blocks_keep_others_out() {
    // Two increments, each a read and a write. As atomic blocks both cannot read the initial value.
    for atomic in [false, true] {
        for mut solver in solvers() {
            let mut order = OrderTheory::new();
            let [init, r1, w1, r2, w2] = [(); 5].map(|()| order.add_node());
            for (before, after) in [(init, r1), (r1, w1), (init, r2), (r2, w2)] {
                order.add_edge(before, after);
            }
            if atomic {
                order.make_atomic(&[r1, w1]);
                order.make_atomic(&[r2, w2]);
            }
            let (both_read_init, guard) = (solver.new_var().positive(), solver.new_var().positive());
            for (read, other) in [(r1, w2), (r2, w1)] {
                let triple = FromRead {
                    read_from: both_read_init,
                    overwritten: None,
                    guard: Some(guard),
                    read,
                    other,
                };
                order.add_from_read(triple);
            }
            let budget = Budget::unlimited();
            let answer = solver.solve_with(&[both_read_init, guard], &mut order, &budget);
            assert_eq!(answer, if atomic { Answer::Unsat } else { Answer::Sat });
            assert_eq!(solver.solve_with(&[guard], &mut order, &budget), Answer::Sat);
            assert!(order.always_before(init, w2));
            assert!(!order.always_before(w1, w2));
        }
    }
}

#[test]
fn a_static_cycle_is_unsatisfiable_without_any_literal() {
    for mut solver in solvers() {
        let mut order = OrderTheory::new();
        let [a, b] = [(); 2].map(|()| order.add_node());
        let lit = solver.new_var().positive();
        order.add_literal(lit, a, b);
        order.add_edge(a, b);
        assert_eq!(solver.solve_with(&[lit], &mut order, &Budget::unlimited()), Answer::Sat);
        order.add_edge(b, a);
        assert_eq!(solver.solve_with(&[lit], &mut order, &Budget::unlimited()), Answer::Unsat);
        assert!(!solver.failed(lit));
    }
}

#[test]
fn small_problems_have_an_order_exactly_if_the_graph_is_acyclic() {
    for seed in 0..400 {
        let mut problem = Problem::mixed(5, 3_000_000 + seed);
        problem.clauses.clear();
        let mut random = Random::new(seed);
        let values: Vec<bool> = (0..problem.variables).map(|_| random.once_in(2)).collect();
        let value = |lit: Lit| lit.under(values[lit.var().index()]);
        let order = problem.load(&mut Batsat::new());
        let found = order.linearize(|lit| Some(value(lit))).is_some();
        assert_eq!(found, some_order_fits(&problem, &value));
    }
}
