//! What people call loops: `function.N`, the N-th loop of a function in the order of the source, from 0.
//!
//! Natural loops and irreducible regions are counted alike: both are cycles that bounds apply to. A loop stands where its
//! first instruction does, so an outer loop comes before the loops inside it. Exact on the program as it was lowered: a pass
//! that removes blocks may change the numbers, so names are made before it.

use raddle_base::Span;

use super::cfg::ControlFlow;
use super::dominators::Dominators;
use super::loops::Loops;
use crate::program::{BlockId, Function, FunctionId, Program};

/// A loop of a program, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedLoop {
    /// `function.N`
    pub name: String,
    /// The function it is in.
    pub function: FunctionId,
    /// Its header; of an irreducible region, the first entry.
    pub header: BlockId,
    /// Where it begins.
    pub span: Span,
}

/// All loops of a program, by function, in the order of the source.
#[must_use]
pub fn loop_names(program: &Program) -> Vec<NamedLoop> {
    program.functions.ids().flat_map(|function| function_loops(program, function)).collect()
}

/// The loops of one function, in the order of the source.
#[must_use]
pub fn function_loops(program: &Program, id: FunctionId) -> Vec<NamedLoop> {
    let function = &program.functions[id];
    if function.blocks.is_empty() {
        return Vec::new();
    }
    let flow = ControlFlow::new(function);
    let loops = Loops::new(function, &flow, &Dominators::new(&flow, function.blocks.len()));
    let natural = loops.loops.values().map(|each| (each.header, each.blocks.as_slice()));
    let irreducible = loops
        .irreducible
        .iter()
        .filter_map(|region| Some((region.entries.first().copied()?, region.blocks.as_slice())));
    let mut found: Vec<(Span, Option<usize>, BlockId)> = natural
        .chain(irreducible)
        .map(|(header, blocks)| (begin(function, blocks), flow.position(header), header))
        .collect();
    // The header of an outer loop comes before those of inner ones, also where both begin at the same source location.
    found.sort_by_key(|&(span, position, _)| (span.lo, position));
    let named = found.into_iter().enumerate().map(|(number, (span, _, header))| NamedLoop {
        name: format!("{}.{number}", function.name),
        function: id,
        header,
        span,
    });
    named.collect()
}

/// The first span of the blocks that has a source location.
fn begin(function: &Function, blocks: &[BlockId]) -> Span {
    let spans = blocks.iter().flat_map(|&block| {
        let block = &function.blocks[block];
        block.insts.iter().map(|inst| inst.span).chain([block.span])
    });
    spans.filter(|&span| span != Span::NONE).min().unwrap_or(Span::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    #[test]
    fn loops_are_numbered_in_the_order_of_the_source() {
        let program = parse_program(
            "program pointer_bits 64 entry f0
             function f0 \"main\" (r0) {
               registers r0: i1
             b0: jump b3 @1-2
             b1: jump b2 @20-21
             b2: branch r0, b1, b5 @22-23
             b3: jump b4 @10-11
             b4: branch r0, b4, b6 @12-13
             b5: return
             b6: branch r0, b3, b1 @14-15
             }
             function f1 \"far\" () {}",
        )
        .unwrap();
        let shown: Vec<String> = loop_names(&program)
            .iter()
            .map(|each| format!("{} {} {}", each.name, each.header, each.span.lo))
            .collect();
        assert_eq!(shown, ["main.0 b3 10", "main.1 b4 12", "main.2 b1 20"]);
    }
}
