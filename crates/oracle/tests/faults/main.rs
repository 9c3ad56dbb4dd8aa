//! Faults in the analyser of invariants: what it then "proves" of programs that are wrong, the checker rejects; and broken certificates of
//! programs that are right are rejected, or say what is true of all states that runs come to.
//!
//! The faults are made in data: in the automata of threads that the analyser is given (a step is gone, an update, a spawn; two steps are one; a guard
//! too much; a thread that there is one of) and in the certificates that it gives.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod certificates;
mod flows;
mod programs;

use std::time::Duration;

use raddle_base::{Budget, on_large_stack};
use raddle_cfront::layout::DataModel;
use raddle_flow::Flow;
use raddle_ir::{Program, Property};
use raddle_oracle::build::{Batch, Built, build};
use raddle_oracle::generate::FEW_INCLUDES;
use raddle_proof::{Certificate, Claim};
use raddle_thread_modular::Answer;

const ASKED: [Property; 1] = [Property::Assertion];
const EXCUSED: [Property; 3] = [Property::MemorySafety, Property::Overflow, Property::Arithmetic];
const DECLARATIONS: &str = "#define B __VERIFIER_atomic_begin()\n#define E __VERIFIER_atomic_end()\nvoid __VERIFIER_atomic_begin(void);\n\
    void __VERIFIER_atomic_end(void);\n_Bool __VERIFIER_nondet_bool(void);\nint __VERIFIER_nondet_int(void);\n";

/// The programs, ready to be analysed.
fn built(programs: &[(&str, &str)]) -> Vec<Built> {
    let includes = format!("{FEW_INCLUDES}{DECLARATIONS}");
    let texts: Vec<String> = programs.iter().map(|(_, text)| format!("{text}\n")).collect();
    let batch = Batch::new(&includes, &texts, DataModel::Lp64).unwrap();
    (0..texts.len())
        .map(|index| build("program.c", batch.text(index), DataModel::Lp64, &ASKED).unwrap())
        .collect()
}

/// Automata with a fault in them may have no invariants that are found soon.
fn budget() -> Budget {
    Budget::unlimited().with_time(Duration::from_secs(1))
}

fn patient() -> Budget {
    Budget::unlimited().with_time(Duration::from_secs(60))
}

fn flow(program: &Program) -> Flow {
    let options =
        raddle_flow::Options { asked: ASKED.to_vec(), excused: EXCUSED.to_vec(), ..Default::default() };
    raddle_flow::build(program, &options, &patient()).expect("there is a flow")
}

/// What the analyser claims of automata.
fn claimed(program: &Program, flow: &mut Flow, budget: &Budget) -> Option<Certificate> {
    match raddle_thread_modular::prove(program, flow, budget) {
        Ok(Answer::Claim(claim)) => Some(claim.certificate),
        Ok(Answer::Open(_) | Answer::GaveUp(_)) | Err(_) => None,
    }
}

fn is_accepted(program: &Program, certificate: &Certificate) -> Result<(), String> {
    let claim = Claim { program, asked: ASKED.to_vec(), excused: EXCUSED.to_vec() };
    raddle_proof::check(&claim, certificate, &patient()).map(|_| ()).map_err(|why| why.to_string())
}

#[test]
fn the_programs_are_what_they_say() {
    on_large_stack(|| {
        for ((name, _), built) in programs::UNSAFE.iter().zip(built(programs::UNSAFE)) {
            assert_eq!(claimed(&built.program, &mut flow(&built.program), &budget()), None, "{name}");
            let vm = raddle_vm::Vm::checking(&built.program, &ASKED);
            let is_broken = (0..3_000).any(|seed| {
                let options = raddle_vm::Options { max_steps: 300, max_instructions: 20_000, budget: None };
                let mut schedule = raddle_vm::schedule::Random::new(seed);
                let mut inputs = raddle_vm::schedule::RandomInputs::new(seed);
                let result =
                    raddle_vm::run(&vm, &mut schedule, &mut inputs, &options, &mut raddle_vm::Unwatched);
                result.outcome.property() == Some(Property::Assertion)
            });
            assert!(is_broken, "{name} is not broken by any run");
        }
        for ((name, _), built) in programs::SAFE.iter().zip(built(programs::SAFE)) {
            let certificate = claimed(&built.program, &mut flow(&built.program), &patient()).expect(name);
            assert_eq!(is_accepted(&built.program, &certificate), Ok(()), "{name}");
        }
    });
}
