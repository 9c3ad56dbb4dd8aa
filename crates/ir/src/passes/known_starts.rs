//! Threads that start in a function which a register names start in one that is named there: a step of its own for each function
//! that it may be.
//!
//! `r = fork f, a` becomes `if f == first { r = fork first, a } else if f == second { … } else misuse`, over all functions whose address the program
//! takes: a thread can start in no other. What is none of them, or no function of one pointer with a body, is an error of memory there as it
//! was before. So the program means the same.

use crate::inst::{CompareOp, Constant, IfUnchecked, Inst, InstKind, Operand, Property, Rvalue, Terminator};
use crate::program::{Block, BlockId, Function, FunctionId, GlobalInit, Program, Register, Type};

/// With more candidates a program is left as it is.
const MOST: usize = 16;

/// Does so wherever threads are started. Gives how many places were changed.
pub fn name_starts(program: &mut Program) -> usize {
    let candidates = candidates(program);
    // Where a thread may start in a function of another type, which only the VM can do, it cannot be named.
    let fits = |&id: &FunctionId| program.fits_call(&program.functions[id], &[Type::Ptr], Some(Type::Ptr));
    if candidates.is_empty() || candidates.len() > MOST || !candidates.iter().all(fits) {
        return 0;
    }
    let mut changed = 0;
    for id in program.functions.ids() {
        changed += in_function(&mut program.functions[id], &candidates);
    }
    crate::validate::debug_validate(program, "naming the functions that threads start in");
    changed
}

/// The functions whose address is taken, and that a thread can start in.
fn candidates(program: &Program) -> Vec<FunctionId> {
    let mut found = Vec::new();
    let mut note = |operand: Operand| {
        if let Operand::Constant(Constant::Function(id)) = operand {
            found.push(id);
        }
    };
    for block in program.functions.values().flat_map(|function| function.blocks.values()) {
        for inst in &block.insts {
            // The callee itself is called and not passed on.
            if let InstKind::Call { arguments, .. } = &inst.kind {
                arguments.iter().copied().for_each(&mut note);
            } else {
                inst.kind.for_each_operand(&mut note);
            }
        }
        block.terminator.for_each_operand(&mut note);
    }
    for GlobalInit { value, .. } in program.globals.values().flat_map(|global| &global.init) {
        note(Operand::Constant(*value));
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|&id| {
        let function = &program.functions[id];
        let fits = match function.parameters.as_slice() {
            [] => true,
            [only] => function.registers[*only].ty == Type::Ptr,
            _ => false,
        };
        fits && !function.blocks.is_empty()
    });
    found
}

fn in_function(function: &mut Function, candidates: &[FunctionId]) -> usize {
    let mut changed = 0;
    let mut open: Vec<BlockId> = function.blocks.ids().collect();
    while let Some(id) = open.pop() {
        let is_start =
            |inst: &Inst| matches!(inst.kind, InstKind::Fork { function: Operand::Register(_), .. });
        let Some(index) = function.blocks[id].insts.iter().position(is_start) else { continue };
        open.push(split(function, id, index, candidates));
        changed += 1;
    }
    changed
}

/// Takes a block apart at an instruction that starts a thread. Gives the block behind it.
fn split(function: &mut Function, id: BlockId, index: usize, candidates: &[FunctionId]) -> BlockId {
    let block = &mut function.blocks[id];
    let (span, end) = (block.insts[index].span, block.span);
    let terminator = std::mem::replace(&mut block.terminator, Terminator::Unreachable);
    let insts = block.insts.split_off(index + 1);
    let fork = block.insts.pop();
    let Some(Inst { kind: InstKind::Fork { dest, function: named, argument }, .. }) = fork else {
        unreachable!("the instruction starts a thread")
    };
    let rest = function.blocks.push(Block { insts, terminator, span: end });
    let mut at = id;
    for &candidate in candidates {
        let candidate = Operand::Constant(Constant::Function(candidate));
        let kind = InstKind::Fork { dest, function: candidate, argument };
        let starts = function.blocks.push(Block {
            insts: vec![Inst { kind, span }],
            terminator: Terminator::Jump(rest),
            span,
        });
        let next =
            function.blocks.push(Block { insts: Vec::new(), terminator: Terminator::Unreachable, span });
        let same = function.registers.push(Register { ty: Type::Int(1), name: None });
        let value = Rvalue::Compare(CompareOp::Equal, named, candidate);
        let block = &mut function.blocks[at];
        block.insts.push(Inst { kind: InstKind::Assign { dest: same, value }, span });
        block.terminator = Terminator::Branch(Operand::Register(same), starts, next);
        block.span = span;
        at = next;
    }
    // The terminator is never reached.
    let kind = InstKind::Check {
        property: Property::MemorySafety,
        condition: Operand::Constant(Constant::Int(1, 0)),
        message: "a thread is started at something that is not a function of one pointer with a body".into(),
        if_unchecked: IfUnchecked::Ends,
    };
    function.blocks[at].insts.push(Inst { kind, span });
    rest
}
