//! Functions that a program uses and nobody gives a body.
//!
//! A call of one gives any value and touches nothing. The real function may do more, and through a pointer it can change what
//! the program relies on. Over-approximates: a function that takes a pointer (or any number of further arguments, which are
//! handed over through one) counts, whether or not it is ever called with one that leads anywhere.

use crate::program::{Function, FunctionId, Program, Type};

/// The functions without a body, each with whether it takes pointers, in the order of the program.
#[must_use]
pub fn bodiless(program: &Program) -> Vec<(FunctionId, bool)> {
    let takes_pointer = |function: &Function| {
        function.parameters.iter().any(|&parameter| function.registers[parameter].ty == Type::Ptr)
    };
    let bodiless = program.functions.iter().filter(|(_, function)| function.blocks.is_empty());
    bodiless.map(|(id, function)| (id, takes_pointer(function))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    #[test]
    fn functions_without_a_body_are_told_with_whether_they_take_pointers() {
        let program = parse_program(
            "program pointer_bits 64 entry f0
             function f0 \"main\" () {
             b0:
               call @number(i32 1)
               call @pointer(null)
               return
             }
             function f1 \"number\" (r0) { registers r0: i32 }
             function f2 \"pointer\" (r0) { registers r0: ptr }",
        )
        .unwrap();
        let shown: Vec<(&str, bool)> = bodiless(&program)
            .into_iter()
            .map(|(id, takes)| (program.functions[id].name.as_str(), takes))
            .collect();
        assert_eq!(shown, [("number", false), ("pointer", true)]);
    }
}
