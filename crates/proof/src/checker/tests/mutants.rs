//! Programs that are broken at random places, with the certificates of the right ones and with weaker ones: what random runs of the VM
//! break must not be proved.

use raddle_vm::schedule::{Random, RandomInputs};
use raddle_vm::{Options, Unwatched, Vm};

use super::*;

/// Runs of each program, and steps of each run.
const RUNS: u64 = 60;
const STEPS: u64 = 90;

/// Whether a run breaks a property.
pub(in super::super) fn is_broken(program: &Program, asked: &[Property]) -> bool {
    let vm = Vm::checking(program, asked);
    let options = Options { max_steps: STEPS, max_instructions: 20_000, budget: None };
    (0..RUNS).any(|seed| {
        let (mut schedule, mut inputs) = (Random::new(seed), RandomInputs::new(seed));
        let result = raddle_vm::run(&vm, &mut schedule, &mut inputs, &options, &mut Unwatched);
        result.outcome.property().is_some_and(|property| asked.contains(&property))
    })
}

/// The text with one line changed, or two exchanged. Lines keep their number, so that the points of the certificate stay.
pub(in super::super) fn mutants(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut list = Vec::new();
    let mut with = |changes: &[(usize, String)]| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        for (index, line) in changes {
            lines[*index].clone_from(line);
        }
        list.push(lines.join("\n"));
    };
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("  ")) {
        if line.starts_with("  registers") {
            continue;
        }
        let nothing = match line.split_once(" = ") {
            Some((register, _)) => format!("{register} = i32 0"),
            None => "  fence seq_cst".to_owned(),
        };
        with(&[(index, nothing)]);
        for (from, to) in [
            ("i32 0", "i32 1"),
            ("i32 1", "i32 2"),
            ("i32 1", "i32 0"),
            ("equal", "not_equal"),
            ("unsigned_less", "unsigned_less_equal"),
            ("@x", "@m"),
            ("@x+4", "@x"),
            ("@a", "@b"),
            ("@next", "@serving"),
            ("@serving", "@owner"),
            ("lock", "unlock"),
            ("add", "sub"),
            ("r1", "r2"),
            ("r4", "r1"),
        ] {
            if line.contains(from) {
                with(&[(index, line.replacen(from, to, 1))]);
            }
        }
        if let Some(next) = lines.get(index + 1)
            && next.starts_with("  ")
        {
            with(&[(index, (*next).to_owned()), (index + 1, (*line).to_owned())]);
        }
    }
    list
}

/// The certificate, and all that are weaker by a conjunct.
fn weaker(certificate: &Certificate) -> Vec<Certificate> {
    let mut list = vec![certificate.clone()];
    for location in 0..certificate.locations.len() {
        for part in 0..certificate.locations[location].invariant.len() {
            for conjunct in 0..certificate.locations[location].invariant[part].len() {
                let mut less = certificate.clone();
                less.locations[location].invariant[part].remove(conjunct);
                list.push(less);
            }
        }
    }
    list
}

#[test]
fn what_runs_break_is_not_proved() {
    let (mut all, mut broken, mut proved) = (0, 0, 0);
    for (text, make) in CASES {
        let certificate = make().certificate;
        for text in mutants(text) {
            let mut case = make();
            let Ok(program) = parse_program(&text) else { continue };
            if !raddle_ir::validate::validate(&program).is_empty() {
                continue;
            }
            case.program = program;
            all += 1;
            let is_broken = is_broken(&case.program, &case.asked);
            broken += usize::from(is_broken);
            if !is_broken {
                proved += usize::from(case.verdict().is_none());
                continue;
            }
            // A few of the weaker ones, others for each mutant.
            let some = weaker(&certificate).into_iter().enumerate();
            for (_, certificate) in some.filter(|(index, _)| *index == 0 || index % 31 == all % 31) {
                case.certificate = certificate;
                assert!(case.verdict().is_some(), "proved, and broken:\n{text}\n{:#?}", case.certificate);
            }
        }
    }
    // Fewer would mean that this is no test any more.
    assert!(all >= 150 && broken >= 75 && proved >= 30, "{all} mutants, {broken} broken, {proved} proved");
}
