//! The order theory against the eager encoding, on 40, 60 and 100 nodes, satisfiable and not.
//!
//! The eager encoding is left out where it needs minutes; `cargo bench -p raddle-logic --bench order`.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use raddle_base::Budget;
use raddle_logic::order::random::Problem;
use raddle_logic::sat::batsat::Batsat;
use raddle_logic::sat::{Answer, Sat, default_solver};

/// A problem, what is known of it, and whether the eager encoding and batsat finish in reasonable time.
struct Case {
    name: &'static str,
    problem: Problem,
    answer: Answer,
    eager: bool,
    batsat: bool,
}

fn cases() -> Vec<Case> {
    let case = |name, problem, answer, eager, batsat| Case { name, problem, answer, eager, batsat };
    vec![
        case("total-40-sat", Problem::total_order(40, 380, 1), Answer::Sat, true, true),
        case("total-40-unsat", Problem::total_order(40, 4500, 1), Answer::Unsat, true, true),
        case("total-60-sat", Problem::total_order(60, 560, 1), Answer::Sat, true, true),
        case("total-60-unsat", Problem::total_order(60, 16000, 1), Answer::Unsat, false, true),
        case("total-100-sat", Problem::total_order(100, 850, 1), Answer::Sat, true, true),
        case("read-from-40-unsat", Problem::read_from(4, 10, 3, 1500, 2), Answer::Unsat, true, true),
        case("read-from-60-unsat", Problem::read_from(4, 15, 3, 5000, 2), Answer::Unsat, true, true),
        case("read-from-100-sat", Problem::read_from(5, 20, 4, 4000, 2), Answer::Sat, true, true),
        case("lock-40-unsat", Problem::lock_order(5, 4, 60, 1), Answer::Unsat, true, true),
        case("lock-60-unsat", Problem::lock_order(5, 6, 80, 1), Answer::Unsat, true, true),
        case("lock-100-unsat", Problem::lock_order(5, 10, 110, 1), Answer::Unsat, true, true),
    ]
}

fn with_theory(case: &Case, mut solver: Box<dyn Sat>) {
    let mut order = case.problem.load(&mut *solver);
    assert_eq!(solver.solve_with(&[], &mut order, &Budget::unlimited()), case.answer);
}

fn eagerly(case: &Case, mut solver: Box<dyn Sat>) {
    case.problem.load_eagerly(&mut *solver);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), case.answer);
}

fn order(criterion: &mut Criterion) {
    for case in cases() {
        let mut group = criterion.benchmark_group(case.name);
        group.sample_size(10);
        let setup = default_solver;
        group.bench_function("theory", |bencher| {
            bencher.iter_batched(setup, |solver| with_theory(&case, solver), BatchSize::PerIteration);
        });
        if case.batsat {
            let setup = || -> Box<dyn Sat> { Box::new(Batsat::new()) };
            group.bench_function("theory-batsat", |bencher| {
                bencher.iter_batched(setup, |solver| with_theory(&case, solver), BatchSize::PerIteration);
            });
        }
        if case.eager {
            group.bench_function("eager", |bencher| {
                bencher.iter_batched(setup, |solver| eagerly(&case, solver), BatchSize::PerIteration);
            });
        }
        group.finish();
    }
}

criterion_group!(benches, order);
criterion_main!(benches);
