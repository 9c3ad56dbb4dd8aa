//! Places in the program's code.

use raddle_ir::{Block, BlockId, FunctionId, Inst, InstKind, Program, Rvalue};

/// An instruction, or a block's terminator when the index is one past the last instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// The instruction's index.
    pub index: u32,
}

impl Place {
    /// The block.
    #[must_use]
    pub fn block<'a>(&self, program: &'a Program) -> &'a Block {
        &program.functions[self.function].blocks[self.block]
    }

    /// The instruction, or `None` at the terminator.
    #[must_use]
    pub fn inst<'a>(&self, program: &'a Program) -> Option<&'a Inst> {
        self.block(program).insts.get(self.index as usize)
    }

    /// Where it stands in the source.
    #[must_use]
    pub fn span(&self, program: &Program) -> raddle_base::Span {
        self.inst(program).map_or_else(|| self.block(program).span, |inst| inst.span)
    }
}

/// Whether a schedule counts this instruction: it touches memory, synchronises, or asks about other threads' doings. A property of the instruction alone,
/// so that a trace means the same to everybody who reads it.
#[must_use]
pub fn is_operation(kind: &InstKind) -> bool {
    match kind {
        InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::AtomicRmw { .. }
        | InstKind::CompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::Free { .. }
        | InstKind::EndLife(_)
        | InstKind::Fork { .. }
        | InstKind::Join { .. }
        | InstKind::Lock { .. }
        | InstKind::Unlock { .. }
        | InstKind::WaitUntil(_)
        | InstKind::AtomicBegin
        | InstKind::AtomicEnd => true,
        InstKind::Assign { value, .. } => match value {
            Rvalue::ThreadExists(_)
            | Rvalue::ObjectSize(_)
            | Rvalue::HoldsLock(_)
            | Rvalue::LockIsFree(_)
            | Rvalue::Peek(..) => true,
            Rvalue::Use(_)
            | Rvalue::Unary(..)
            | Rvalue::Binary(..)
            | Rvalue::Compare(..)
            | Rvalue::Cast(..)
            | Rvalue::Select(..)
            | Rvalue::PointerAdd(..)
            | Rvalue::PointerDifference(..)
            | Rvalue::Overflows(..)
            | Rvalue::ThreadLocal(_)
            | Rvalue::CurrentThread => false,
        },
        InstKind::Call { .. }
        | InstKind::Intrinsic { .. }
        | InstKind::Havoc { .. }
        | InstKind::Assume(_)
        | InstKind::Check { .. } => false,
    }
}
