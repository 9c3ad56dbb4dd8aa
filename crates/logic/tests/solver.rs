//! The façade: frames, assumptions, cores, arrays, order facts, dumps, and errors.

#![expect(clippy::print_stdout, reason = "a comparison that is skipped says so")]

use std::time::Duration;

use raddle_base::Budget;
use raddle_logic::blast::Blaster;
use raddle_logic::sat::batsat::Batsat;
use raddle_logic::smtlib::{Command, External};
use raddle_logic::solver::{Answer, Embedded, Name, NodeId, Solver, SolverError};
use raddle_logic::term::{Sort, TermId, Terms, Value};

fn check(solver: &mut dyn Solver, terms: &mut Terms, assumptions: &[TermId]) -> Answer {
    solver.check(terms, assumptions, &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}"))
}

/// Both embedded solvers.
fn embedded() -> Vec<Box<dyn Solver>> {
    vec![Box::new(Embedded::new()), Box::new(Embedded::with(Box::new(Batsat::new()), Blaster::new()))]
}

/// Both embedded solvers, and the installed ones.
fn solvers() -> Vec<Box<dyn Solver>> {
    let mut all = embedded();
    for name in ["z3", "cvc5"] {
        let command = Command::named(name);
        match command.available() {
            Ok(()) => all.push(Box::new(External::new(command))),
            Err(error) => println!("SKIPPED: {name}: {error}"),
        }
    }
    all
}

#[test]
fn frames_retract_their_assertions() {
    for mut solver in solvers() {
        let solver = &mut *solver;
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(8));
        let (five, six) = (terms.bits(5, 8), terms.bits(6, 8));
        let (is_five, is_six) = (terms.eq(x, five), terms.eq(x, six));
        let large = terms.ugt(x, five);
        solver.assert(&mut terms, large);
        solver.push();
        solver.assert_named(&mut terms, Name(1), is_five);
        assert_eq!(check(solver, &mut terms, &[]), Answer::Unsat, "{}", solver.name());
        assert_eq!(solver.core().expect("a core").names, [Name(1)]);
        solver.pop();
        solver.push();
        solver.assert(&mut terms, is_six);
        assert_eq!(check(solver, &mut terms, &[]), Answer::Sat);
        assert_eq!(solver.value(&terms, x), Some(Value::Bits { width: 8, value: 6 }));
        solver.pop();
        assert_eq!(solver.value(&terms, x), None, "the model is gone with the change");
        assert_eq!(check(solver, &mut terms, &[is_five]), Answer::Unsat);
        assert_eq!(solver.core().expect("a core").assumptions, [is_five]);
        assert_eq!(check(solver, &mut terms, &[]), Answer::Sat);
    }
}

#[test]
fn clauses_and_equalities_hold_in_all_frames_and_only_under_their_conditions() {
    let mut all = solvers();
    all.push(Box::new(Embedded::without_record()));
    for mut solver in all {
        let solver = &mut *solver;
        let mut terms = Terms::new();
        let [p, q] = ["p", "q"].map(|name| terms.symbol(name, Sort::Bool));
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::BitVec(8)));
        let (yes, seven) = (terms.bool(true), terms.bits(7, 8));
        solver.push();
        solver.assert_clause(&mut terms, &[p, yes], &[q]);
        solver.assert_equal_if(&mut terms, p, x, y);
        solver.assert_equal_if(&mut terms, q, y, seven);
        solver.pop();
        let different = terms.ne(x, seven);
        let otherwise = terms.not(p);
        assert_eq!(check(solver, &mut terms, &[different, p]), Answer::Unsat, "{}", solver.name());
        assert_eq!(check(solver, &mut terms, &[different, otherwise]), Answer::Sat, "{}", solver.name());
        assert_eq!(check(solver, &mut terms, &[p]), Answer::Sat, "{}", solver.name());
        assert_eq!(solver.value(&terms, x), Some(Value::Bits { width: 8, value: 7 }));
        // Nothing follows from nothing.
        solver.assert_clause(&mut terms, &[p], &[]);
        assert_eq!(check(solver, &mut terms, &[p]), Answer::Unsat, "{}", solver.name());
        assert_eq!(check(solver, &mut terms, &[]), Answer::Sat, "{}", solver.name());
    }
}

#[test]
fn cores_are_minimal_on_request() {
    let mut terms = Terms::new();
    let mut solver = Embedded::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::BitVec(16)));
    let (xy, yz, zx) = (terms.ult(x, y), terms.ult(y, z), terms.ult(z, x));
    let parts = [terms.is_nonzero(x), xy, terms.is_nonzero(y), yz, terms.is_nonzero(z), zx];
    for (name, part) in (0..).map(Name).zip(parts) {
        solver.assert_named(&mut terms, name, part);
    }
    let small = {
        let limit = terms.bits(1000, 16);
        terms.ult(x, limit)
    };
    assert_eq!(check(&mut solver, &mut terms, &[small]), Answer::Unsat);
    solver.minimize_core(&mut terms, &Budget::unlimited()).expect("embedded");
    let core = solver.core().expect("a core");
    assert_eq!(
        (core.names.as_slice(), core.assumptions.as_slice()),
        (&[Name(1), Name(3), Name(5)][..], &[][..])
    );
}

#[test]
fn arrays_are_extensional() {
    for mut solver in solvers() {
        let solver = &mut *solver;
        let mut terms = Terms::new();
        let sort = Sort::Array { index: 8, element: 8 };
        let (m, n) = (terms.symbol("m", sort), terms.symbol("n", sort));
        let [i, j] = ["i", "j"].map(|name| terms.symbol(name, Sort::BitVec(8)));
        // Swapping two elements twice gives the array back.
        let swap = |terms: &mut Terms, array, i, j| {
            let (at_i, at_j) = (terms.select(array, i), terms.select(array, j));
            let first = terms.store(array, i, at_j);
            terms.store(first, j, at_i)
        };
        let once = swap(&mut terms, m, i, j);
        let twice = swap(&mut terms, once, i, j);
        let back = terms.eq(twice, m);
        let not_back = terms.not(back);
        assert_eq!(check(solver, &mut terms, &[not_back]), Answer::Unsat, "{}", solver.name());
        let changed = terms.ne(once, m);
        assert_eq!(check(solver, &mut terms, &[changed]), Answer::Sat);
        // Equal arrays have equal elements.
        let (same, in_m, in_n) = (terms.eq(m, n), terms.select(m, i), terms.select(n, j));
        let (indices, elements) = (terms.eq(i, j), terms.ne(in_m, in_n));
        assert_eq!(check(solver, &mut terms, &[same, indices, elements]), Answer::Unsat);
        assert_eq!(check(solver, &mut terms, &[same, elements]), Answer::Sat);
    }
}

#[test]
fn constant_arrays_differ_where_nothing_was_stored() {
    // Not the installed ones: cvc5 1.0 declines chains between constant arrays, and z3 4.8 takes indices to
    // be inexhaustible.
    for mut solver in embedded() {
        let solver = &mut *solver;
        let mut terms = Terms::new();
        let v = terms.symbol("v", Sort::BitVec(4));
        for (index, stores, expected) in [(2, 3, Answer::Unsat), (2, 4, Answer::Sat), (1, 2, Answer::Sat)] {
            let (zero, one) = (terms.bits(0, 4), terms.bits(1, 4));
            let zeros = terms.const_array(index, zero);
            let mut array = terms.const_array(index, one);
            for position in 0..stores {
                let at = terms.symbol(&format!("at{position}_{index}"), Sort::BitVec(index));
                array = terms.store(array, at, v);
            }
            let same = terms.eq(array, zeros);
            assert_eq!(check(solver, &mut terms, &[same]), expected, "{} {index} {stores}", solver.name());
        }
    }
}

/// Two threads with two locks, a variable, and an atomic block.
#[test]
fn order_facts_and_terms_work_together() {
    for mut solver in solvers() {
        let solver = &mut *solver;
        let mut terms = Terms::new();
        let [w1, r1, w2, a, b] = [(); 5].map(|()| solver.add_node());
        solver.add_edge(w1, r1);
        solver.make_atomic(&[a, b]);
        let x = terms.symbol("x", Sort::BitVec(8));
        let (one, two) = (terms.bits(1, 8), terms.bits(2, 8));
        // The read sees 2 exactly if it reads from w2, which then is before it; w1 is not in between.
        let from_second = terms.eq(x, two);
        let from_first = terms.eq(x, one);
        let either = terms.or(from_first, from_second);
        solver.assert(&mut terms, either);
        let first_write = solver.before(&mut terms, w1, w2);
        let second_write = solver.before(&mut terms, w2, w1);
        assert_eq!(second_write, terms.not(first_write));
        solver.add_edge_if(&terms, &[from_second], w2, r1);
        solver.add_edge_if(&terms, &[from_second], w1, w2);
        solver.add_edge_if(&terms, &[from_first, first_write], r1, w2);
        let position = |order: &[NodeId], node| order.iter().position(|&other| other == node);

        assert_eq!(check(solver, &mut terms, &[from_second]), Answer::Sat, "{}", solver.name());
        let order = solver.order().expect("an order");
        assert_eq!(order.len(), 5);
        assert!(position(&order, w1) < position(&order, w2) && position(&order, w2) < position(&order, r1));
        assert_eq!(position(&order, a).map(|position| position + 1), position(&order, b));

        assert_eq!(check(solver, &mut terms, &[from_first]), Answer::Sat);
        let after_read = solver.before(&mut terms, r1, w2);
        let overwritten = terms.not(after_read);
        assert_eq!(check(solver, &mut terms, &[from_first, first_write, overwritten]), Answer::Unsat);
        assert_eq!(check(solver, &mut terms, &[from_second, second_write]), Answer::Unsat);

        // Nothing gets between a and b.
        let (a_first, b_last) = (solver.before(&mut terms, a, w1), solver.before(&mut terms, w1, b));
        assert_eq!(check(solver, &mut terms, &[a_first, b_last]), Answer::Unsat);
        let inside = solver.before(&mut terms, a, b);
        let outside = terms.not(inside);
        assert_eq!(check(solver, &mut terms, &[outside]), Answer::Unsat);
        assert_eq!(check(solver, &mut terms, &[a_first]), Answer::Sat);
    }
}

#[test]
fn a_missing_solver_says_what_to_install() {
    let mut terms = Terms::new();
    let mut solver = External::new(Command::named("no-such-solver-anywhere --flag"));
    let answer = solver.check(&mut terms, &[], &Budget::unlimited());
    let Err(SolverError::Missing { program, .. }) = &answer else { panic!("{answer:?}") };
    assert_eq!(program, "no-such-solver-anywhere");
    assert!(answer.unwrap_err().to_string().contains("z3, cvc5, bitwuzla, yices"));
}

#[test]
fn the_budget_stops_a_hard_question() {
    // Factoring: two 40-bit factors of a product of primes.
    let question = |solver: &mut dyn Solver| {
        let mut terms = Terms::new();
        let [p, q] = ["p", "q"].map(|name| terms.symbol(name, Sort::BitVec(40)));
        let (wide_p, wide_q) = (terms.zero_extend(40, p), terms.zero_extend(40, q));
        let product = terms.mul(wide_p, wide_q);
        let target = terms.bits(577_229_347_349 * 655_579_141_447, 80);
        let (found, one) = (terms.eq(product, target), terms.bits(1, 40));
        let (p, q) = (terms.ne(p, one), terms.ne(q, one));
        solver.assert(&mut terms, found);
        let budget = Budget::unlimited().with_time(Duration::from_millis(200));
        solver.check(&mut terms, &[p, q], &budget).unwrap_or_else(|error| panic!("{error}"))
    };
    for mut solver in solvers() {
        let answer = question(&mut *solver);
        assert!(matches!(answer, Answer::Unknown(_)), "{} says {answer:?}", solver.name());
    }
}

#[test]
fn dumps_are_complete_and_deterministic() {
    let dump = || {
        let mut terms = Terms::new();
        let mut solver = Embedded::new();
        let x = terms.symbol("strange |name\\", Sort::BitVec(5));
        let m = terms.symbol("m", Sort::Array { index: 5, element: 5 });
        let read = terms.select(m, x);
        let overflow = terms.smul_overflows(read, x);
        solver.assert_named(&mut terms, Name(7), overflow);
        let [a, b] = [(); 2].map(|()| solver.add_node());
        let before = solver.before(&mut terms, a, b);
        solver.dump_smt2(&terms, &[before])
    };
    assert_eq!(dump(), dump());
    assert!(dump().contains("(assert (! ") && dump().contains(":named a7"));
    for name in ["z3", "cvc5"] {
        let command = Command::named(name);
        match command.run(&dump(), &Budget::unlimited()) {
            Ok(printed) => assert_eq!(printed.expect("no limit").trim(), "sat", "{name}"),
            Err(error) => println!("SKIPPED: {name}: {error}"),
        }
    }
}

#[test]
fn deep_questions_do_not_exhaust_the_stack() {
    let mut terms = Terms::new();
    let mut solver = Embedded::new();
    let memory = terms.symbol("memory", Sort::Array { index: 16, element: 8 });
    let (mut array, mut chain) = (memory, terms.symbol("p", Sort::Bool));
    let mut counter = terms.symbol("n", Sort::BitVec(16));
    for step in 0..100_000 {
        let q = terms.symbol(&format!("q{}", step % 1000), Sort::Bool);
        let (other, flipped) = (terms.xor(chain, q), terms.and(chain, q));
        chain = terms.ite(q, other, flipped);
        if step % 10 == 0 {
            let three = terms.bits(3, 16);
            let tripled = terms.mul(counter, three);
            counter = terms.ite(chain, tripled, counter);
        }
        if step % 100 == 0 {
            let byte = terms.extract(7, 0, counter);
            array = terms.store(array, counter, byte);
        }
    }
    let (index, zero) = (terms.symbol("index", Sort::BitVec(16)), terms.bits(0, 8));
    let read = terms.select(array, index);
    let nonzero = terms.ne(read, zero);
    let both = terms.and(chain, nonzero);
    assert_eq!(check(&mut solver, &mut terms, &[both]), Answer::Sat);
    assert!(solver.dump_smt2(&terms, &[both]).len() > 100_000);
}
