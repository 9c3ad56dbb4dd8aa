//! Inline assembly: the empty template in all its uses, pauses, and fences. All else is refused.

use raddle_cfront::ast::{Asm, AsmOperand, StringLiteral};
use raddle_ir::{InstKind, Operand, Ordering, Type};

use crate::place::Body;
use crate::refused::Refused;
use crate::types::{self, Class};

/// What a template does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Template {
    /// Nothing: a barrier for the compiler, or a hint to the processor.
    Nothing,
    /// A full fence.
    Fence,
    /// Something else.
    Other,
}

fn text(literal: &StringLiteral) -> String {
    literal.units.iter().filter_map(|&unit| char::from_u32(unit)).collect()
}

fn template(text: &str) -> Template {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ';').filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [] | ["nop"] | ["pause"] | ["rep", "nop"] => Template::Nothing,
        ["mfence"] | ["lock", "addl", "$0,0(%%rsp)" | "$0,0(%%esp)" | "$0,(%%rsp)" | "$0,(%%esp)"] => {
            Template::Fence
        }
        _ => Template::Other,
    }
}

impl Body<'_, '_> {
    pub(crate) fn assembly(&mut self, asm: &Asm) {
        let text = text(&asm.template);
        let meaning = template(&text);
        let is_empty = text.trim_matches(|c: char| c.is_whitespace() || c == ';').is_empty();
        let refused =
            meaning == Template::Other || !asm.labels.is_empty() || (!is_empty && !asm.outputs.is_empty());
        if refused {
            self.code.refuse(Refused::Assembly);
            return;
        }
        let mut inputs = Vec::new();
        for input in &asm.inputs {
            let ty = self.code.ast.exprs[input.value].ty;
            if self.code.ast.exprs[input.value].lvalue || !matches!(self.code.class(ty), Class::Scalar(_)) {
                self.lvalue(input.value);
            } else {
                let value = self.scalar(input.value);
                inputs.push((self::text(&input.constraint), value));
            }
        }
        for (index, output) in asm.outputs.iter().enumerate() {
            self.output(index, output, &inputs);
        }
        if meaning == Template::Fence {
            self.code.b.emit(InstKind::Fence(Ordering::SequentiallyConsistent));
        }
    }

    /// An output of an empty template: what was in it stays (`+`, or in memory), is that of the input in the same register, or
    /// is whatever the register held.
    fn output(&mut self, index: usize, output: &AsmOperand, inputs: &[(String, Operand)]) {
        let constraint = text(&output.constraint);
        let place = self.lvalue(output.value);
        if constraint.contains('+') || (constraint.contains('m') && !constraint.contains('r')) {
            return;
        }
        let ty = self.code.ast.exprs[output.value].ty;
        let Class::Scalar(scalar) = self.code.class(ty) else {
            self.code.refuse(Refused::Assembly);
            return;
        };
        let matching = inputs.iter().find(|(constraint, _)| constraint.trim() == index.to_string());
        let value = match matching {
            Some((_, value)) => match (self.code.b.type_of(*value), scalar) {
                (from, to) if from == to => *value,
                (Type::Int(_), Type::Int(_)) => self.code.resize(*value, scalar, true),
                _ => {
                    self.code.refuse(Refused::Assembly);
                    return;
                }
            },
            None => {
                let signed = types::is_signed(self.code.ast, ty.id);
                self.code.havoc("output of inline assembly".to_owned(), scalar, signed)
            }
        };
        self.code.write(place, value, scalar);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_templates_without_effect_and_fences_have_a_meaning() {
        for nothing in ["", " ; ", "pause", "rep; nop", "rep;nop", "nop\n\t"] {
            assert_eq!(template(nothing), Template::Nothing, "{nothing:?}");
        }
        for fence in ["mfence", "lock; addl $0,0(%%rsp)"] {
            assert_eq!(template(fence), Template::Fence, "{fence:?}");
        }
        for other in ["cli", "lock; xadd %0,%1", "nop; nop; hlt", "movl %1, %0"] {
            assert_eq!(template(other), Template::Other, "{other:?}");
        }
    }
}
