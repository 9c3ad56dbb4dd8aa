//! Programs that are broken at random places, with the certificates of the right ones and with weaker ones: what random runs of the VM
//! break must not be proved.

use super::super::super::tests::mutants::{is_broken, mutants};
use super::*;

#[test]
fn what_runs_break_is_not_proved() {
    let (mut all, mut broken, mut proved) = (0_usize, 0, 0);
    for (text, make) in cases::CASES {
        for text in mutants(text) {
            let mut case = make();
            let Ok(program) = parse_program(&text) else { continue };
            if !raddle_ir::validate::validate(&program).is_empty() {
                continue;
            }
            case.program = program;
            all += 1;
            if !is_broken(&case.program, &case.asked) {
                proved += usize::from(case.verdict().is_none());
                continue;
            }
            broken += 1;
            assert!(case.verdict().is_some(), "proved, and broken:\n{text}");
            // One of the weaker ones, another for each mutant.
            let dropped = all % case.certificate.predicates.len();
            case.certificate.predicates.remove(dropped);
            assert!(case.verdict().is_some(), "proved, and broken:\n{text}");
        }
    }
    // Fewer would mean that this is no test any more.
    assert!(all >= 80 && broken >= 45 && proved >= 20, "{all} mutants, {broken} broken, {proved} proved");
}
