//! What every solver must do: answers, cores, limits, panics, proofs, DIMACS.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use raddle_base::{Budget, Exhausted};

use super::batsat::Batsat;
use super::dimacs::{Cnf, DimacsError, Recorder};
use super::{Answer, Conflict, Lit, Sat, Stop, Theory, Var};
use crate::order::random::{Problem, Random};

fn solvers() -> Vec<Box<dyn Sat>> {
    vec![
        Box::new(Batsat::new()),
        #[cfg(feature = "cadical")]
        Box::new(super::cadical::Cadical::new()),
    ]
}

/// Random clauses of one to three literals.
fn random_cnf(variables: u32, clauses: usize, seed: u64) -> Cnf {
    let mut random = Random::new(seed);
    let mut literal = || {
        let var = Var(u32::try_from(random.below(variables as usize)).unwrap());
        Lit::new(var, random.once_in(2))
    };
    let clauses = (0..clauses).map(|index| (0..1 + index.min(2)).map(|_| literal()).collect()).collect();
    Cnf { variables, clauses }
}

/// More pigeons than holes: short to say, long to refute.
fn pigeons(holes: u32) -> Cnf {
    let position = |pigeon: u32, hole: u32| Var(pigeon * holes + hole).positive();
    let mut clauses: Vec<Vec<Lit>> =
        (0..=holes).map(|pigeon| (0..holes).map(|hole| position(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for first in 0..=holes {
            clauses.extend((0..first).map(|second| vec![!position(first, hole), !position(second, hole)]));
        }
    }
    Cnf { variables: holes * (holes + 1), clauses }
}

#[test]
fn literals_convert() {
    let lit = Var(6).negative();
    assert_eq!((lit.var(), lit.is_negated(), (!lit).is_negated()), (Var(6), true, false));
    assert_eq!(lit.to_dimacs(), -7);
    assert_eq!(Lit::from_dimacs(-7), Some(lit));
    assert_eq!(Lit::from_dimacs(0), None);
    assert_eq!(lit.to_string(), "!x6");
    assert!(lit.under(false) && !lit.under(true));
}

#[test]
fn answers_agree_with_trying_all_valuations() {
    for seed in 0..600 {
        let cnf = random_cnf(6, 4 + usize::try_from(seed % 20).unwrap(), seed);
        let holds = |bits: u32| {
            let value = |lit: &Lit| lit.under(bits >> lit.var().0 & 1 == 1);
            cnf.clauses.iter().all(|clause| clause.iter().any(value))
        };
        let expected = (0..1 << cnf.variables).any(holds);
        for mut solver in solvers() {
            cnf.load(&mut *solver);
            let answer = solver.solve(&[], &Budget::unlimited());
            assert_eq!(answer == Answer::Sat, expected, "{} on {cnf:?}", solver.name());
            if expected {
                let bit = |var: u32| u32::from(solver.value(Var(var).positive()) == Some(true)) << var;
                assert!(holds((0..cnf.variables).map(bit).sum()));
            }
        }
    }
}

#[test]
fn a_core_names_the_assumptions_to_blame() {
    for mut solver in solvers() {
        let [a, b, c, d] = [(); 4].map(|()| solver.new_var().positive());
        solver.add_clause(&[!a, !b]);
        solver.add_clause(&[!c, d]);
        let budget = Budget::unlimited();
        assert_eq!(solver.solve(&[c, a, b], &budget), Answer::Unsat);
        assert!(solver.failed(a) && solver.failed(b) && !solver.failed(c));
        assert_eq!(solver.value(a), None);
        assert_eq!(solver.solve(&[c, a], &budget), Answer::Sat);
        assert_eq!(
            [a, b, c, d].map(|lit| solver.value(lit)),
            [Some(true), Some(false), Some(true), Some(true)]
        );
        assert_eq!(solver.value(!b), Some(true));
        assert!(!solver.failed(a));
        // The empty clause ends it for good.
        solver.add_clause(&[]);
        assert_eq!(solver.solve(&[c], &budget), Answer::Unsat);
        assert!(!solver.failed(c));
    }
}

#[test]
fn phases_are_tried_first() {
    for value in [false, true] {
        for mut solver in solvers() {
            let vars: Vec<Var> = (0..20).map(|_| solver.new_var()).collect();
            for &var in &vars {
                solver.set_phase(var.literal(value));
            }
            solver.clear_phase(vars[19]);
            for pair in vars.windows(2) {
                solver.add_clause(&[pair[0].literal(value), pair[1].literal(value)]);
            }
            assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Sat);
            let as_hinted = vars.iter().filter(|var| solver.value(var.positive()) == Some(value)).count();
            assert!(as_hinted >= 18, "{}: {as_hinted}", solver.name());
        }
    }
}

#[test]
fn limits_end_the_search_and_can_be_lifted() {
    for mut solver in solvers() {
        pigeons(10).load(&mut *solver);
        solver.set_conflict_limit(Some(50));
        assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Unknown(Stop::Conflicts));
        assert!((40..=60).contains(&solver.statistics().conflicts), "{:?}", solver.statistics());
        solver.set_conflict_limit(Some(0));
        assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Unknown(Stop::Conflicts));

        solver.set_conflict_limit(None);
        let short = Budget::unlimited().with_time(Duration::from_millis(30));
        assert_eq!(solver.solve(&[], &short), Answer::Unknown(Stop::Budget(Exhausted::Time)));
        assert!(short.elapsed() < Duration::from_secs(10));
        assert_eq!(solver.value(Var(0).positive()), None);

        let cancelled = Budget::unlimited();
        cancelled.canceller().cancel();
        assert_eq!(solver.solve(&[], &cancelled), Answer::Unknown(Stop::Budget(Exhausted::Cancelled)));
        if raddle_base::budget::memory_in_use().is_some() {
            let small = Budget::unlimited().with_memory(1);
            assert_eq!(solver.solve(&[], &small), Answer::Unknown(Stop::Budget(Exhausted::Memory)));
        }
        // Freed of the contradiction, the solver goes on.
        let mut easy: Vec<Lit> = (0..10).map(|index| Var(index * 10 + index).positive()).collect();
        easy.push(Var(100).positive());
        assert_eq!(solver.solve(&easy, &Budget::unlimited()), Answer::Unsat);
    }
}

#[test]
fn another_thread_can_cancel() {
    for mut solver in solvers() {
        pigeons(12).load(&mut *solver);
        let budget = Budget::unlimited();
        let canceller = budget.canceller();
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            canceller.cancel();
        });
        assert_eq!(solver.solve(&[], &budget), Answer::Unknown(Stop::Budget(Exhausted::Cancelled)));
        other.join().unwrap();
    }
}

/// What of a [`Faulty`] theory panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Nothing,
    Begin,
    Assign,
    Level,
    Propagate,
    Explain,
    Final,
    Backtrack,
    Stranger,
}

/// `observed[0]` implies all others; the last one is never explained by anything else.
struct Faulty {
    observed: Vec<Var>,
    fault: Fault,
    first_is_true: bool,
    reported: bool,
    level: u32,
    first_level: u32,
}

impl Faulty {
    fn trip(&self, here: Fault) {
        assert!(self.fault != here, "tripped in {here:?}");
    }
}

impl Theory for Faulty {
    fn observed(&self) -> &[Var] {
        &self.observed
    }
    fn begin(&mut self) {
        self.trip(Fault::Begin);
    }
    fn assign(&mut self, lit: Lit) {
        self.trip(Fault::Assign);
        if lit == self.observed[0].positive() && !self.first_is_true {
            self.first_is_true = true;
            self.first_level = self.level;
        }
    }
    fn new_level(&mut self) {
        self.trip(Fault::Level);
        self.level += 1;
    }
    fn backtrack(&mut self, level: u32) {
        if level < self.level {
            self.trip(Fault::Backtrack);
        }
        self.level = level.min(self.level);
        if self.first_level > level {
            self.first_is_true = false;
            self.reported = false;
        }
    }
    fn propagate(&mut self, implied: &mut Vec<Lit>) -> Result<(), Conflict> {
        self.trip(Fault::Propagate);
        if self.first_is_true && !std::mem::replace(&mut self.reported, true) {
            implied.extend(self.observed[1..].iter().map(|var| var.positive()));
            if self.fault == Fault::Stranger {
                implied.insert(0, Var(999).positive());
            }
        }
        Ok(())
    }
    fn explain(&mut self, _lit: Lit, reason: &mut Vec<Lit>) {
        self.trip(Fault::Explain);
        reason.push(self.observed[0].positive());
    }
    fn check_final(&mut self) -> Result<(), Conflict> {
        self.trip(Fault::Final);
        Ok(())
    }
}

/// Solves under the assumption that the first variable is true; satisfiable unless `contradict`.
fn solve_faulty(solver: &mut dyn Sat, fault: Fault, contradict: bool) -> Answer {
    let vars: Vec<Var> = (0..12).map(|_| solver.new_var()).collect();
    // Two consequences contradict each other, so that somebody asks why they hold.
    let (x, y) = (vars[10].positive(), vars[11].positive());
    if contradict {
        solver.add_clause(&[!x, !y]);
    }
    let observed = vars.clone();
    let mut theory =
        Faulty { observed, fault, first_is_true: false, reported: false, level: 0, first_level: 0 };
    let answer = solver.solve_with(&[vars[0].positive()], &mut theory, &Budget::unlimited());
    if answer == Answer::Sat {
        assert!(vars.iter().all(|var| solver.value(var.positive()) == Some(true)));
    }
    answer
}

#[test]
fn a_panicking_theory_panics_on_our_side_of_the_border() {
    for mut solver in solvers() {
        assert_eq!(solve_faulty(&mut *solver, Fault::Nothing, false), Answer::Sat);
    }
    for mut solver in solvers() {
        assert_eq!(solve_faulty(&mut *solver, Fault::Nothing, true), Answer::Unsat);
        assert!(solver.failed(Var(0).positive()));
    }
    for (fault, contradict) in [
        (Fault::Begin, false),
        (Fault::Assign, false),
        (Fault::Level, false),
        (Fault::Propagate, false),
        (Fault::Explain, true),
        (Fault::Final, false),
        (Fault::Backtrack, false),
    ] {
        for mut solver in solvers() {
            let name = solver.name();
            let outcome = catch_unwind(AssertUnwindSafe(|| solve_faulty(&mut *solver, fault, contradict)));
            let panic = outcome.expect_err("the theory panicked");
            let message = panic.downcast_ref::<String>().expect("a message was given");
            assert_eq!(message, &format!("tripped in {fault:?}"), "{name}");
        }
    }
}

#[cfg(feature = "cadical")]
#[test]
fn after_a_panic_cadical_refuses_to_solve() {
    let mut solver = super::cadical::Cadical::new();
    for _ in 0..2 {
        let outcome = catch_unwind(AssertUnwindSafe(|| solve_faulty(&mut solver, Fault::Stranger, false)));
        assert!(outcome.is_err());
    }
}

#[test]
fn a_variable_can_be_observed_after_it_was_solved_with() {
    for mut solver in solvers() {
        // Variables that a first solve may eliminate, then one more theory over them.
        let vars: Vec<Var> = (0..12).map(|_| solver.new_var()).collect();
        for window in vars.windows(3) {
            solver.add_clause(&[window[0].positive(), window[1].negative(), window[2].positive()]);
            solver.add_clause(&[window[0].negative(), window[1].positive(), window[2].negative()]);
        }
        for round in 0..20 {
            let hint = vars[round % 12].literal(round % 3 == 0);
            assert_eq!(solver.solve(&[hint], &Budget::unlimited()), Answer::Sat);
        }
        let observed = vars.clone();
        let mut theory = Faulty {
            observed,
            fault: Fault::Nothing,
            first_is_true: false,
            reported: false,
            level: 0,
            first_level: 0,
        };
        let first = vars[0].positive();
        assert_eq!(solver.solve_with(&[first], &mut theory, &Budget::unlimited()), Answer::Sat);
        assert!(vars.iter().all(|var| solver.value(var.positive()) == Some(true)));
        let assumptions = [first, vars[7].negative()];
        assert_eq!(solver.solve_with(&assumptions, &mut theory, &Budget::unlimited()), Answer::Unsat);
        assert!(assumptions.iter().all(|&lit| solver.failed(lit)));
    }
}

#[test]
fn what_was_recorded_reads_back_the_same() {
    let cnf = random_cnf(9, 30, 5);
    for solver in solvers() {
        let mut recorder = Recorder::new(solver);
        cnf.load(&mut recorder);
        assert_eq!(recorder.cnf(), &cnf);
        let assumption = Var(3).negative();
        let answer = recorder.solve(&[assumption], &Budget::unlimited());
        let read = Cnf::parse(&recorder.to_dimacs()).unwrap();
        assert_eq!(read.clauses.len(), cnf.clauses.len() + 1);
        assert_eq!(Cnf::parse(&read.to_dimacs(&[])), Ok(read.clone()));
        let mut again = Batsat::new();
        read.load(&mut again);
        assert_eq!(again.solve(&[], &Budget::unlimited()), answer);
        assert_eq!(recorder.into_inner().variables(), 9);
    }
}

#[test]
fn dimacs_that_breaks_its_promises_is_refused() {
    let parse = |text| Cnf::parse(text).unwrap_err();
    assert_eq!(parse(""), DimacsError::Header { line: 1 });
    assert_eq!(parse("c hello\np cnf x 1\n"), DimacsError::Header { line: 2 });
    assert_eq!(parse("p cnf 4294967295 1\n1 0\n"), DimacsError::Header { line: 1 });
    let wrong = |line, token: &str| DimacsError::Literal { line, token: token.to_owned() };
    assert_eq!(parse("p cnf 2 1\n1 3 0\n"), wrong(2, "3"));
    assert_eq!(parse("p cnf 2 1\n1\n-2147483648 0\n"), wrong(3, "-2147483648"));
    assert_eq!(parse("p cnf 2 1\n1 two 0\n"), wrong(2, "two"));
    assert_eq!(parse("p cnf 2 1\n1 2\n"), DimacsError::Unfinished);
    assert_eq!(parse("p cnf 2 2\n1 0\n"), DimacsError::Count { declared: 2, found: 1 });
    let lenient = Cnf::parse("c\np cnf 2 2\n 1\n-2 0 0\n").unwrap();
    assert_eq!(lenient.clauses, [vec![Var(0).positive(), Var(1).negative()], vec![]]);
}

#[cfg(feature = "cadical")]
mod proofs {
    use std::path::PathBuf;

    use super::super::cadical::{Cadical, ProofError, ProofFormat};
    use super::*;

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("raddle-{}-{name}", std::process::id()))
    }

    #[expect(clippy::disallowed_methods, reason = "the test reads the proof that was written")]
    fn proof_of(name: &str, format: ProofFormat, cnf: &Cnf) -> String {
        let path = path(name);
        let mut solver = Cadical::with_proof(&path, format).unwrap();
        cnf.load(&mut solver);
        assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Unsat);
        solver.close_proof();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        text
    }

    /// Whether unit propagation alone refutes the clauses under these literals.
    fn refutes(clauses: &[Vec<Lit>], mut truth: Vec<Lit>) -> bool {
        loop {
            let mut grown = false;
            for clause in clauses {
                if clause.iter().any(|lit| truth.contains(lit)) {
                    continue;
                }
                let open: Vec<Lit> = clause.iter().copied().filter(|&lit| !truth.contains(&!lit)).collect();
                match open[..] {
                    [] => return true,
                    [lit] => {
                        truth.push(lit);
                        grown = true;
                    }
                    _ => {}
                }
            }
            if !grown {
                return false;
            }
        }
    }

    fn literals(words: &[&str]) -> Vec<Lit> {
        words.iter().map_while(|word| Lit::from_dimacs(word.parse().unwrap())).collect()
    }

    #[test]
    fn a_drat_proof_holds_step_by_step() {
        let cnf = pigeons(4);
        let proof = proof_of("drat", ProofFormat::Drat, &cnf);
        let mut clauses = cnf.clauses;
        let mut last = None;
        for line in proof.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            if words[0] == "d" {
                // Deleting nothing keeps every later step valid.
                continue;
            }
            let clause = literals(&words);
            assert!(refutes(&clauses, clause.iter().map(|&lit| !lit).collect()), "{line} does not follow");
            last = Some(clause.clone());
            clauses.push(clause);
        }
        assert_eq!(last, Some(Vec::new()), "the proof ends with the empty clause");
    }

    #[test]
    fn an_lrat_proof_holds_by_its_hints_alone() {
        let cnf = pigeons(4);
        let proof = proof_of("lrat", ProofFormat::Lrat, &cnf);
        let mut clauses: indexmap::IndexMap<String, Vec<Lit>> =
            (1..).map(|id: usize| id.to_string()).zip(cnf.clauses).collect();
        let mut empty = false;
        for line in proof.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            if words[1] == "d" {
                continue;
            }
            let clause = literals(&words[1..]);
            let hints = &words[clause.len() + 2..words.len() - 1];
            let hinted: Vec<Vec<Lit>> = hints.iter().map(|&id| clauses[id].clone()).collect();
            assert!(refutes(&hinted, clause.iter().map(|&lit| !lit).collect()), "{line} does not follow");
            empty |= clause.is_empty();
            clauses.insert(words[0].to_owned(), clause);
        }
        assert!(empty);
    }

    #[test]
    fn a_proof_with_a_theory_is_written_too() {
        let path = path("theory");
        let mut solver = Cadical::with_proof(&path, ProofFormat::Lrat).unwrap();
        let problem = Problem::total_order(10, 250, 3);
        let mut order = problem.load(&mut solver);
        assert_eq!(solver.solve_with(&[], &mut order, &Budget::unlimited()), Answer::Unsat);
        drop(solver);
        assert!(std::fs::remove_file(&path).is_ok());
    }

    #[test]
    fn a_proof_that_cannot_be_written_is_an_error() {
        let path = path("missing").join("proof");
        let expected = ProofError(path.to_str().unwrap().to_owned());
        assert_eq!(Cadical::with_proof(&path, ProofFormat::Drat).err(), Some(expected));
    }
}
