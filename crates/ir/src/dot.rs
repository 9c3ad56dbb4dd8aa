//! Control-flow graphs as Graphviz text.

use std::fmt::Write;

use crate::inst::Terminator;
use crate::program::{Block, FunctionId, Program};
use crate::text::{print_inst, print_terminator};

/// The control-flow graph of a function: a box for each block with its instructions, an edge for each way on.
#[must_use]
pub fn function_to_dot(program: &Program, function: FunctionId) -> String {
    let mut text = "digraph {\n".to_owned();
    write_function(&mut text, program, function);
    text.push_str("}\n");
    text
}

/// The control-flow graphs of all functions that have a body, each in a frame of its own.
#[must_use]
pub fn program_to_dot(program: &Program) -> String {
    let mut text = "digraph {\n".to_owned();
    for (id, function) in program.functions.iter() {
        if !function.blocks.is_empty() {
            write_function(&mut text, program, id);
        }
    }
    text.push_str("}\n");
    text
}

fn write_function(text: &mut String, program: &Program, id: FunctionId) {
    let function = &program.functions[id];
    push(text, format_args!("  subgraph cluster_{id} {{\n    label=\"{}\";\n", escaped(&function.name)));
    text.push_str("    node [shape=box, fontname=\"monospace\"];\n");
    for (block_id, block) in function.blocks.iter() {
        let mut label = format!("{block_id}:\\l");
        for inst in &block.insts {
            label.push_str(&escaped(&print_inst(program, function, inst)));
            label.push_str("\\l");
        }
        label.push_str(&escaped(&print_terminator(program, function, &block.terminator)));
        label.push_str("\\l");
        push(text, format_args!("    {id}_{block_id} [label=\"{label}\"];\n"));
    }
    for (block_id, block) in function.blocks.iter() {
        for (label, target) in edges(block) {
            push(text, format_args!("    {id}_{block_id} -> {id}_{target} [label=\"{label}\"];\n"));
        }
    }
    text.push_str("  }\n");
}

fn edges(block: &Block) -> Vec<(String, crate::program::BlockId)> {
    match &block.terminator {
        Terminator::Jump(target) => vec![(String::new(), *target)],
        Terminator::Branch(_, yes, no) => vec![("true".to_owned(), *yes), ("false".to_owned(), *no)],
        Terminator::Switch { cases, default, .. } => {
            let cases = cases.iter().map(|(low, high, target)| {
                (if low == high { low.to_string() } else { format!("{low}..{high}") }, *target)
            });
            cases.chain(std::iter::once(("default".to_owned(), *default))).collect()
        }
        Terminator::Return(_)
        | Terminator::ExitThread(_)
        | Terminator::ExitProcess(_)
        | Terminator::Abort
        | Terminator::Unreachable
        | Terminator::Unsupported(_) => Vec::new(),
    }
}

/// A text inside a quoted label.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    #[test]
    fn blocks_are_boxes_and_ways_are_edges() {
        let program = parse_program(
            "program pointer_bits 64 entry f0 function f0 \"main\" () { registers r0: i32 \"n\", r1: i1
             b0: %n = i32 1 r1 = equal %n, i32 0 check assertion r1, \"say \\\"hi\\\"\" branch r1, b1, b1
             b1: switch %n { 0..3: b0, default: b1 } }",
        )
        .expect("parses");
        assert_eq!(
            function_to_dot(&program, program.entry),
            r#"digraph {
  subgraph cluster_f0 {
    label="main";
    node [shape=box, fontname="monospace"];
    f0_b0 [label="b0:\l%n = i32 1\lr1 = equal %n, i32 0\lcheck assertion r1, \"say \\\"hi\\\"\"\lbranch r1, b1, b1\l"];
    f0_b1 [label="b1:\lswitch %n { 0..3: b0, default: b1 }\l"];
    f0_b0 -> f0_b1 [label="true"];
    f0_b0 -> f0_b1 [label="false"];
    f0_b1 -> f0_b0 [label="0..3"];
    f0_b1 -> f0_b1 [label="default"];
  }
}
"#
        );
        assert_eq!(program_to_dot(&program), function_to_dot(&program, program.entry));
    }
}
