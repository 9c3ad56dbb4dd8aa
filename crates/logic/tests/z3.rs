//! Thousands of random questions, answered by the embedded solver and by Z3: no disagreement, models evaluate
//! to true, cores are unsatisfiable by themselves.
//!
//! Without `z3` (apt package `z3`) the comparison is skipped, and says so.

#![expect(clippy::print_stdout, reason = "a comparison that is skipped says so")]

mod terms_support;

use raddle_base::Budget;
use raddle_logic::blast::Blaster;
use raddle_logic::sat::batsat::Batsat;
use raddle_logic::smtlib::{Command, External};
use raddle_logic::solver::{Answer, Embedded, Name, Solver};
use raddle_logic::term::{TermId, Terms};
use terms_support::Random;
use terms_support::generator::Generator;

/// A question with the embedded solver's answer.
struct Asked {
    terms: Terms,
    parts: Vec<TermId>,
    answer: Answer,
    dump: String,
    lemmas: u64,
}

fn check(solver: &mut dyn Solver, terms: &mut Terms) -> Answer {
    solver.check(terms, &[], &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}"))
}

/// Makes a question, answers it, and checks model or core.
fn ask(random: &mut Random, with_arrays: bool) -> Asked {
    let mut terms = if random.below(4) == 0 { Terms::without_rewriting() } else { Terms::new() };
    let steps = 4 + random.below(22);
    let parts = Generator::new(&mut terms, random).question(steps, with_arrays);
    let mut solver = if random.below(4) == 0 {
        Embedded::with(Box::new(Batsat::new()), Blaster::new())
    } else {
        Embedded::new()
    };
    for (position, &part) in parts.iter().enumerate() {
        solver.assert_named(&mut terms, Name(u32::try_from(position).expect("few")), part);
    }
    let dump = solver.dump_smt2(&terms, &[]);
    let answer = check(&mut solver, &mut terms);
    match answer {
        Answer::Sat => {
            let model = solver.model().expect("a model");
            for &part in &parts {
                assert!(model.holds(&terms, part), "the model breaks {}\n{dump}", terms.display(part));
            }
        }
        Answer::Unsat => {
            solver.minimize_core(&mut terms, &Budget::unlimited()).expect("embedded");
            let names = solver.core().expect("a core").names.clone();
            assert!(unsatisfiable(&mut terms, &parts, &names), "the core is satisfiable\n{dump}");
            for left_out in &names {
                let rest: Vec<Name> = names.iter().copied().filter(|name| name != left_out).collect();
                assert!(!unsatisfiable(&mut terms, &parts, &rest), "the core is not minimal\n{dump}");
            }
        }
        Answer::Unknown(stop) => panic!("no limit was set, but {stop}"),
    }
    let lemmas = solver.statistics().array_lemmas;
    Asked { terms, parts, answer, dump, lemmas }
}

fn unsatisfiable(terms: &mut Terms, parts: &[TermId], names: &[Name]) -> bool {
    let mut solver = Embedded::new();
    for name in names {
        solver.assert(terms, parts[name.0 as usize]);
    }
    check(&mut solver, terms) == Answer::Unsat
}

fn z3() -> Option<Command> {
    let command = Command::named("z3");
    match command.available() {
        Ok(()) => Some(command),
        Err(error) => {
            println!("SKIPPED: the comparison with z3: {error}");
            None
        }
    }
}

/// Asks many questions and compares the answers.
fn compare(seed: u64, count: usize, with_arrays: bool) {
    let mut random = Random(seed);
    let asked: Vec<Asked> = (0..count).map(|_| ask(&mut random, with_arrays)).collect();
    let unsat = asked.iter().filter(|one| one.answer == Answer::Unsat).count();
    assert!(unsat > count / 20 && unsat < count * 19 / 20, "{unsat} of {count} are unsatisfiable");
    let lemmas: u64 = asked.iter().map(|one| one.lemmas).sum();
    assert!(!with_arrays || lemmas > count as u64 / 10, "only {lemmas} lemmas about arrays were needed");
    let Some(z3) = z3() else { return };
    // One process for all: each question starts from nothing.
    let scripts: Vec<&str> = asked.iter().map(|one| one.dump.as_str()).collect();
    let printed = z3
        .run(&scripts.join("(reset)\n"), &Budget::unlimited())
        .expect("z3 was just started")
        .expect("there is no limit");
    let answers: Vec<&str> = printed.lines().collect();
    assert_eq!(answers.len(), count, "z3 complains: {printed:.500}");
    for (one, theirs) in asked.iter().zip(answers) {
        let ours = if one.answer == Answer::Sat { "sat" } else { "unsat" };
        assert_eq!(ours, theirs, "\n{}", one.dump);
    }
}

#[test]
fn bit_vectors_agree_with_z3() {
    compare(0x5eed_0000_0000_0001, 2_000, false);
}

#[test]
fn arrays_agree_with_z3() {
    compare(0x5eed_0000_0000_0002, 2_500, true);
}

#[test]
fn models_and_cores_of_z3_are_read_back() {
    let Some(z3) = z3() else { return };
    let mut random = Random(0x5eed_0000_0000_0003);
    for round in 0..60 {
        let mut one = ask(&mut random, round % 2 == 0);
        let mut solver = External::new(z3.clone());
        for (position, &part) in one.parts.iter().enumerate() {
            solver.assert_named(&mut one.terms, Name(u32::try_from(position).expect("few")), part);
        }
        assert_eq!(check(&mut solver, &mut one.terms), one.answer);
        if one.answer == Answer::Sat {
            let model = solver.model().expect("a model");
            for &part in &one.parts {
                assert!(model.holds(&one.terms, part), "z3's model breaks {}", one.terms.display(part));
            }
        } else {
            let names = solver.core().expect("a core").names.clone();
            assert!(unsatisfiable(&mut one.terms, &one.parts, &names), "z3's core is satisfiable");
        }
    }
}
