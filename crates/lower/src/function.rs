//! The function under construction: blocks, registers, and small emitting helpers.
//!
//! Every operand has the type that its register or constant says; the helpers keep operand and result types together.

use raddle_base::{Id, Span, Table};
use raddle_ir::{
    AllocStorage, BinaryOp, Block, BlockId, CastOp, CheckMessage, CompareOp, Constant, IfUnchecked, Inst,
    InstKind, Operand, Ordering, Property, Register, RegisterId, Rvalue, Shape, Terminator, Type,
};

/// A block under construction: its instructions, and how it ends.
type Draft = (Vec<Inst>, Option<(Terminator, Span)>);

/// Builds one function, block by block.
///
/// There always is a current block; code behind a jump goes to a block that nothing reaches, which is dropped at
/// the end.
#[derive(Debug)]
pub(crate) struct Builder {
    pub(crate) registers: Table<RegisterId, Register>,
    blocks: Table<BlockId, Draft>,
    current: BlockId,
    /// Where the code being made comes from.
    pub(crate) span: Span,
    pub(crate) pointer_bits: u8,
}

impl Builder {
    pub(crate) fn new(pointer_bits: u8, span: Span) -> Self {
        let mut blocks = Table::new();
        let current = blocks.push((Vec::new(), None));
        Self { registers: Table::new(), blocks, current, span, pointer_bits }
    }

    /// A new, empty block, not yet current.
    pub(crate) fn block(&mut self) -> BlockId {
        self.blocks.push((Vec::new(), None))
    }

    /// Goes on in another block.
    pub(crate) fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    /// A new register.
    pub(crate) fn register(&mut self, ty: Type, name: Option<String>) -> RegisterId {
        self.registers.push(Register { ty, name })
    }

    pub(crate) fn emit(&mut self, kind: InstKind) {
        let span = self.span;
        let (insts, end) = &mut self.blocks[self.current];
        // Behind a jump nothing is reached: what is emitted there is dropped.
        if end.is_none() {
            insts.push(Inst { kind, span });
        }
    }

    /// Ends the current block; what follows goes to a fresh block that nothing reaches yet.
    pub(crate) fn terminate(&mut self, terminator: Terminator) {
        let span = self.span;
        let end = &mut self.blocks[self.current].1;
        if end.is_none() {
            *end = Some((terminator, span));
        }
        // There is always a current block, so callers need not ask whether control can be here.
        self.current = self.block();
    }

    /// Ends the current block with a jump and goes on in its target.
    pub(crate) fn fall_into(&mut self, target: BlockId) {
        self.terminate(Terminator::Jump(target));
        self.switch_to(target);
    }

    pub(crate) fn branch(&mut self, condition: Operand, then: BlockId, otherwise: BlockId) {
        self.terminate(Terminator::Branch(condition, then, otherwise));
    }

    /// The blocks that can be reached, renumbered in order.
    pub(crate) fn finish(mut self) -> (Table<RegisterId, Register>, Table<BlockId, Block>) {
        // A body that control runs through gets its `return` before this.
        self.terminate(Terminator::Unreachable);
        let mut reached = vec![false; self.blocks.len()];
        let mut work = vec![BlockId::from_index(0)];
        // Only what is reached from the first block: numbers in the result do not depend on code that was
        // dropped.
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut reached[block.index()], true)
                && let Some((terminator, _)) = &self.blocks[block].1
            {
                work.extend(targets(terminator));
            }
        }
        let mut next = 0;
        let names: Vec<Option<BlockId>> = reached
            .iter()
            .map(|&reached| {
                reached.then(|| {
                    next += 1;
                    BlockId::from_index(next - 1)
                })
            })
            .collect();
        let rename = |block: BlockId| names[block.index()].expect("targets of reached blocks are reached");
        let mut blocks = Table::new();
        for (id, (insts, end)) in self.blocks.iter() {
            if reached[id.index()] {
                let (terminator, span) = end.clone().unwrap_or((Terminator::Unreachable, self.span));
                blocks.push(Block { insts: insts.clone(), terminator: renamed(terminator, rename), span });
            }
        }
        (self.registers, blocks)
    }

    /// Computes a value into a new register.
    pub(crate) fn assign(&mut self, ty: Type, value: Rvalue) -> Operand {
        let dest = self.register(ty, None);
        self.emit(InstKind::Assign { dest, value });
        Operand::Register(dest)
    }

    pub(crate) fn set(&mut self, dest: RegisterId, value: Operand) {
        self.emit(InstKind::Assign { dest, value: Rvalue::Use(value) });
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, ty: Type, left: Operand, right: Operand) -> Operand {
        self.assign(ty, Rvalue::Binary(op, left, right))
    }

    pub(crate) fn compare(&mut self, op: CompareOp, left: Operand, right: Operand) -> Operand {
        self.assign(Type::Int(1), Rvalue::Compare(op, left, right))
    }

    pub(crate) fn cast(&mut self, op: CastOp, to: Type, operand: Operand) -> Operand {
        self.assign(to, Rvalue::Cast(op, operand))
    }

    pub(crate) fn load(&mut self, address: Operand, ty: Type, ordering: Ordering) -> Operand {
        let dest = self.register(ty, None);
        self.emit(InstKind::Load { dest, address, ty, ordering });
        Operand::Register(dest)
    }

    pub(crate) fn store(&mut self, address: Operand, value: Operand, ty: Type, ordering: Ordering) {
        self.emit(InstKind::Store { address, value, ty, ordering });
    }

    /// A new local object.
    pub(crate) fn local(
        &mut self,
        size: u64,
        align: u64,
        zeroed: bool,
        name: &str,
        shape: Shape,
    ) -> RegisterId {
        let dest = self.register(Type::Ptr, None);
        self.alloc_into(dest, size, align, zeroed, name, shape);
        dest
    }

    /// A new local object whose address goes to a known register.
    pub(crate) fn alloc_into(
        &mut self,
        dest: RegisterId,
        size: u64,
        align: u64,
        zeroed: bool,
        name: &str,
        shape: Shape,
    ) {
        let size = self.size(size);
        self.emit(InstKind::Alloc {
            dest,
            size,
            align,
            storage: AllocStorage::Local,
            zeroed,
            name: name.into(),
            shape: Box::new(shape),
        });
    }

    /// `pointer + bytes`
    pub(crate) fn offset(&mut self, pointer: Operand, bytes: i64) -> Operand {
        match (pointer, bytes) {
            (pointer, 0) => pointer,
            // The offset of an object is part of the constant, so address arithmetic on globals needs no
            // instruction.
            (Operand::Constant(Constant::Global(id, at)), bytes) => {
                Operand::Constant(Constant::Global(id, at.wrapping_add(bytes)))
            }
            (pointer, bytes) => {
                let bytes = int(self.pointer_bits, i128::from(bytes));
                self.assign(Type::Ptr, Rvalue::PointerAdd(pointer, bytes))
            }
        }
    }

    /// A constant of the width of `size_t`.
    pub(crate) fn size(&self, value: u64) -> Operand {
        Operand::Constant(Constant::Int(self.pointer_bits, value.into()))
    }

    /// The type of `size_t`.
    pub(crate) fn size_type(&self) -> Type {
        Type::Int(self.pointer_bits)
    }

    pub(crate) fn type_of(&self, operand: Operand) -> Type {
        match operand {
            Operand::Register(register) => self.registers[register].ty,
            Operand::Constant(constant) => match constant {
                Constant::Int(bits, _) => Type::Int(bits),
                Constant::F32(_) => Type::F32,
                Constant::F64(_) => Type::F64,
                Constant::Null | Constant::Global(..) | Constant::Function(_) => Type::Ptr,
            },
        }
    }

    /// A check; where nobody asks for its property, undefined behaviour ends the execution, and all else goes on.
    pub(crate) fn check(&mut self, property: Property, condition: Operand, message: impl Into<CheckMessage>) {
        let if_unchecked =
            // Undefined behaviour must not be a proof: where nobody asks for the property the execution ends
            // there.
            if property.is_about_undefined_behaviour() { IfUnchecked::Ends } else { IfUnchecked::GoesOn };
        self.check_or(property, condition, message, if_unchecked);
    }

    /// A check that says itself what happens where nobody asks for its property.
    pub(crate) fn check_or(
        &mut self,
        property: Property,
        condition: Operand,
        message: impl Into<CheckMessage>,
        if_unchecked: IfUnchecked,
    ) {
        self.emit(InstKind::Check { property, condition, message: message.into(), if_unchecked });
    }

    /// Whether a scalar differs from zero, as an `i1`.
    pub(crate) fn truth(&mut self, value: Operand) -> Operand {
        match self.type_of(value) {
            Type::Int(1) => value,
            Type::Int(bits) => self.compare(CompareOp::NotEqual, value, int(bits, 0)),
            Type::Ptr => self.compare(CompareOp::NotEqual, value, Operand::Constant(Constant::Null)),
            Type::F32 => self.float_truth(value, Constant::F32(0)),
            Type::F64 => self.float_truth(value, Constant::F64(0)),
        }
    }

    /// A NaN is not equal to zero, and so is true.
    fn float_truth(&mut self, value: Operand, zero: Constant) -> Operand {
        let equal = self.compare(CompareOp::FloatEqual, value, Operand::Constant(zero));
        self.negate(equal)
    }

    /// The opposite of an `i1`.
    pub(crate) fn negate(&mut self, condition: Operand) -> Operand {
        self.binary(BinaryOp::Xor, Type::Int(1), condition, int(1, 1))
    }
}

/// An integer constant; negative values are taken in two's complement.
#[expect(clippy::cast_sign_loss, reason = "two's complement is the point")]
pub(crate) fn int(bits: u8, value: i128) -> Operand {
    let all = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
    Operand::Constant(Constant::Int(bits, value as u128 & all))
}

fn targets(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Jump(target) => vec![*target],
        Terminator::Branch(_, then, otherwise) => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            cases.iter().map(|case| case.2).chain(std::iter::once(*default)).collect()
        }
        Terminator::Return(_)
        | Terminator::ExitThread(_)
        | Terminator::ExitProcess(_)
        | Terminator::Abort
        | Terminator::Unreachable
        | Terminator::Unsupported(_) => Vec::new(),
    }
}

fn renamed(terminator: Terminator, rename: impl Fn(BlockId) -> BlockId) -> Terminator {
    match terminator {
        Terminator::Jump(target) => Terminator::Jump(rename(target)),
        Terminator::Branch(condition, then, otherwise) => {
            Terminator::Branch(condition, rename(then), rename(otherwise))
        }
        Terminator::Switch { value, cases, default } => Terminator::Switch {
            value,
            cases: cases.into_iter().map(|(low, high, target)| (low, high, rename(target))).collect(),
            default: rename(default),
        },
        Terminator::Return(_)
        | Terminator::ExitThread(_)
        | Terminator::ExitProcess(_)
        | Terminator::Abort
        | Terminator::Unreachable
        | Terminator::Unsupported(_) => terminator,
    }
}
