//! Assertions that no execution reaches: a proof says nothing about them, so they are reported.
//!
//! An assertion that is never false is never *executed* where it stands behind its condition (`if (!c) reach_error();`, and
//! `assert` is that, too). It counts as reached when the decision before it is made, whichever way that goes: when some block
//! that branches towards it is passed to its end. A function that always fails (`void die(void) { reach_error(); }`) is
//! looked at where it is called.
//!
//! May be wrong in both directions about what a person would call reached, and no verdict depends on it.

use raddle_base::{Span, Table};
use raddle_ir::analyses::cfg::ControlFlow;
use raddle_ir::{BlockId, Constant, FunctionId, InstKind, Operand, Program, Property, Terminator};

/// The assertions of the program's own code that are not reached, given which blocks are passed to their end: where each
/// stands, and its text, in the order of the source.
#[must_use]
pub fn unreached(program: &Program, passed: impl Fn(FunctionId, BlockId) -> bool) -> Vec<(Span, String)> {
    let flows: Table<FunctionId, ControlFlow> = {
        let mut flows = Table::new();
        for function in program.functions.values() {
            flows.push(ControlFlow::new(function));
        }
        flows
    };
    let walk = Walk { program, flows, passed };
    let mut found: Vec<(Span, String)> = Vec::new();
    for (id, function) in program.functions.iter().filter(|(_, function)| !function.model) {
        for (block, contents) in function.blocks.iter() {
            for inst in &contents.insts {
                let InstKind::Check { property: Property::Assertion, condition, message, .. } = &inst.kind
                else {
                    continue;
                };
                let always_fails = *condition == Operand::Constant(Constant::Int(1, 0));
                let reached =
                    if always_fails { walk.is_decided(id, block) } else { (walk.passed)(id, block) };
                let entry = (inst.span, message.claim());
                if !reached && !found.contains(&entry) {
                    found.push(entry);
                }
            }
        }
    }
    found.sort();
    found
}

struct Walk<'p, P> {
    program: &'p Program,
    flows: Table<FunctionId, ControlFlow>,
    passed: P,
}

impl<P: Fn(FunctionId, BlockId) -> bool> Walk<'_, P> {
    /// Whether a decision whose one way leads inevitably to the block is made somewhere.
    fn is_decided(&self, function: FunctionId, block: BlockId) -> bool {
        let mut seen = vec![(function, block)];
        let mut next = 0;
        while let Some(&(function, block)) = seen.get(next) {
            next += 1;
            if (self.passed)(function, block) {
                return true;
            }
            let mut add = |place: (FunctionId, BlockId)| {
                if !seen.contains(&place) {
                    seen.push(place);
                }
            };
            let flow = &self.flows[function];
            for &before in flow.predecessors(block) {
                match self.program.functions[function].blocks[before].terminator {
                    Terminator::Jump(_) => add((function, before)),
                    Terminator::Branch(..) | Terminator::Switch { .. } => {
                        if (self.passed)(function, before) {
                            return true;
                        }
                    }
                    Terminator::Return(_)
                    | Terminator::ExitThread(_)
                    | Terminator::ExitProcess(_)
                    | Terminator::Abort
                    | Terminator::Unreachable
                    | Terminator::Unsupported(_) => {}
                }
            }
            if flow.reverse_postorder().first() == Some(&block) {
                self.callers(function).into_iter().for_each(add);
            }
        }
        false
    }

    /// The blocks that call or start a function by its name.
    fn callers(&self, callee: FunctionId) -> Vec<(FunctionId, BlockId)> {
        let is_call = |kind: &InstKind| {
            let (InstKind::Call { callee: target, .. } | InstKind::Fork { function: target, .. }) = kind
            else {
                return false;
            };
            *target == Operand::Constant(Constant::Function(callee))
        };
        let mut found = Vec::new();
        for (id, function) in self.program.functions.iter() {
            for (block, contents) in function.blocks.iter() {
                if contents.insts.iter().any(|inst| is_call(&inst.kind)) {
                    found.push((id, block));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_base::Id as _;
    use raddle_ir::text::parse_program;

    /// `main` decides in b0; `die` always fails; `lonely` is never called.
    const TEXT: &str = "program pointer_bits 64 entry f0
        function f0 \"main\" () {
          registers r0: i1
        b0:
          branch r0, b1, b2
        b1:
          call @die()
          return
        b2:
          check assertion r0, \"plain\" @5-6
          return
        }
        function f1 \"die\" () {
        b0: jump b1
        b1:
          check assertion i1 0, \"error\" @7-8
          abort
        }
        function f2 \"lonely\" () {
          registers r0: i1
        b0: branch r0, b1, b2
        b1:
          check assertion i1 0, \"lost\" @9-10
          abort
        b2: return
        }";

    fn found(passed: &[(usize, usize)]) -> Vec<String> {
        let program = parse_program(TEXT).unwrap();
        let is_passed =
            |function: FunctionId, block: BlockId| passed.contains(&(function.index(), block.index()));
        unreached(&program, is_passed).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_decision_reaches_what_stands_behind_it() {
        assert_eq!(found(&[]), ["plain", "error", "lost"]);
        assert_eq!(found(&[(0, 0)]), ["plain", "lost"], "the decision in `main` leads to `die`");
        assert_eq!(found(&[(0, 0), (0, 2), (2, 0)]), [""; 0]);
    }
}
