//! Inline assembly in a sequential program: what orders memory, or hints at waiting, does nothing there.

use raddle_cfront::ast::{Asm, StringLiteral};

fn text(literal: &StringLiteral) -> String {
    literal.units.iter().filter_map(|&unit| char::from_u32(unit)).collect()
}

/// Whether an assembly statement changes nothing that a single thread can see. Of what is not known the answer is no.
pub(super) fn does_nothing(asm: &Asm) -> bool {
    let template = text(&asm.template);
    let words: Vec<&str> =
        template.split(|c: char| c.is_whitespace() || c == ';').filter(|word| !word.is_empty()).collect();
    let known = match words.as_slice() {
        // What an output of an empty template held is still there if it is read, too.
        [] => asm.outputs.iter().all(|output| text(&output.constraint).contains('+')),
        ["nop" | "pause" | "mfence"] | ["rep", "nop"] => asm.outputs.is_empty(),
        ["lock", "addl", "$0,0(%%rsp)" | "$0,0(%%esp)" | "$0,(%%rsp)" | "$0,(%%esp)"] => {
            asm.outputs.is_empty()
        }
        _ => false,
    };
    known && asm.labels.is_empty()
}
