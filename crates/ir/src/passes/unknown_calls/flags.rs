//! Flags in the memory of a program: raised at some instructions, looked at before others.

use raddle_base::Span;

use crate::analyses::points_to::CallSite;
use crate::inst::{CompareOp, Constant, Inst, InstKind, Operand, Ordering, Rvalue, Terminator};
use crate::program::{
    Block, BlockId, Function, Global, GlobalId, Program, Register, ScalarStyle, Shape, Type,
};

const FLAG: Type = Type::Int(32);

/// A word that is zero until something has happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flag {
    global: GlobalId,
    /// How it is raised. Two that raise it race if this is plain.
    raised: Ordering,
    /// How it is looked at. Who looks races with who raises it if one of the two is plain.
    seen: Ordering,
}

impl Flag {
    pub(super) fn new(program: &mut Program, name: &str, raised: Ordering, seen: Ordering) -> Self {
        let global = program.globals.push(Global {
            name: name.to_owned(),
            size: 4,
            align: 4,
            init: Vec::new(),
            read_only: false,
            thread_local: false,
            span: Span::NONE,
            shape: Shape::Scalar(FLAG, ScalarStyle::Unsigned),
        });
        Self { global, raised, seen }
    }

    fn address(self) -> Operand {
        Operand::Constant(Constant::Global(self.global, 0))
    }

    pub(super) fn raise(self) -> InstKind {
        let value = Operand::Constant(Constant::Int(32, 1));
        InstKind::Store { address: self.address(), value, ty: FLAG, ordering: self.raised }
    }
}

/// What is done before an instruction, or at the end of a block.
#[derive(Clone, Copy, Debug)]
pub(super) enum FlagAction {
    /// The flag is raised.
    Raise(Flag),
    /// The path ends if the flag is up.
    StopIf(Flag),
}

/// Does all that. Where both is done, the flags are looked at first.
pub(super) fn instrument(program: &mut Program, mut actions: Vec<(CallSite, FlagAction)>, what: &str) {
    // From the last to the first, so that what is left of a block keeps its numbers.
    actions.sort_by_key(|(site, action)| (*site, matches!(action, FlagAction::Raise(_))));
    for (site, action) in actions.into_iter().rev() {
        let function = &mut program.functions[site.function];
        match action {
            FlagAction::Raise(flag) => {
                let insts = &mut function.blocks[site.block].insts;
                let span = insts.get(site.inst).map_or(Span::NONE, |inst| inst.span);
                insts.insert(site.inst, Inst { kind: flag.raise(), span });
            }
            FlagAction::StopIf(flag) => stop_if(function, flag, (site.block, site.inst), what),
        }
    }
}

/// Ends the path before an instruction if the flag is up.
pub(super) fn stop_if(function: &mut Function, flag: Flag, (block, inst): (BlockId, usize), what: &str) {
    let rest = function.blocks[block].insts.split_off(inst);
    let before = &mut function.blocks[block];
    let span = rest.first().map_or(before.span, |inst| inst.span);
    let terminator = std::mem::replace(&mut before.terminator, Terminator::Unreachable);
    let end = std::mem::replace(&mut before.span, span);
    let after: BlockId = function.blocks.push(Block { insts: rest, terminator, span: end });
    let stop = Terminator::Unsupported(what.into());
    let stop = function.blocks.push(Block { insts: Vec::new(), terminator: stop, span });
    let seen = function.registers.push(Register { ty: FLAG, name: None });
    let free = function.registers.push(Register { ty: Type::Int(1), name: None });
    let zero = Operand::Constant(Constant::Int(32, 0));
    let value = Rvalue::Compare(CompareOp::Equal, Operand::Register(seen), zero);
    let load = InstKind::Load { dest: seen, address: flag.address(), ty: FLAG, ordering: flag.seen };
    let before = &mut function.blocks[block];
    before.insts.push(Inst { kind: load, span });
    before.insts.push(Inst { kind: InstKind::Assign { dest: free, value }, span });
    before.terminator = Terminator::Branch(Operand::Register(free), after, stop);
}
