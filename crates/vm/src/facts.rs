//! What is known about a program's atomic blocks before it runs.
//!
//! Most blocks can neither wait nor be given up half-way; the VM need not try those out before it says that
//! a thread is enabled, nor remember the state they began in. Over-approximates: a block said to be harmless is.
//!
//! What a thread cannot do at all (reading through a null pointer, dividing by zero) ends it where nobody looks for that. A block in
//! which this can happen after something was written is given up half-way, like one whose assumption fails.

use raddle_base::Table;
use raddle_ir::layout::bytes;
use raddle_ir::{
    BinaryOp, BlockId, Constant, Function, FunctionId, IfUnchecked, InstKind, Operand, Program, Rvalue,
    Terminator, Type,
};
use rustc_hash::FxHashMap;

use crate::code::Place;

/// What may happen on the way through some code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    /// It may have to wait: for a lock, a condition, a thread.
    pub(crate) waits: bool,
    /// An assumption, or something that cannot be done, may end it.
    pub(crate) stops: bool,
}

/// What may happen in some code, whatever the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Deeds {
    effects: Effects,
    /// Memory may change.
    writes: bool,
    /// Something may be impossible.
    fails: bool,
}

impl Deeds {
    const ALL: Self = Self { effects: Effects::ALL, writes: true, fails: true };

    fn join(&mut self, other: Self) {
        self.effects.join(other.effects);
        self.writes |= other.writes;
        self.fails |= other.fails;
    }
}

impl Effects {
    const ALL: Self = Self { waits: true, stops: true };

    fn join(&mut self, other: Self) {
        self.waits |= other.waits;
        self.stops |= other.stops;
    }

    /// Whether it may end otherwise than by completion.
    pub(crate) fn any(self) -> bool {
        self.waits || self.stops
    }
}

/// The effects of each block, by the place where it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    blocks: FxHashMap<Place, Effects>,
}

impl Facts {
    pub(crate) fn new(program: &Program) -> Self {
        let functions = function_deeds(program);
        let mut blocks = FxHashMap::default();
        for (id, function) in program.functions.iter() {
            for (block_id, block) in function.blocks.iter() {
                for (inst, index) in block.insts.iter().zip(0..) {
                    if matches!(inst.kind, InstKind::AtomicBegin) {
                        let effects = block_effects(program, function, &functions, block_id, index as usize);
                        blocks.insert(Place { function: id, block: block_id, index }, effects);
                    }
                }
            }
        }
        Self { blocks }
    }

    /// What may happen in the block that begins at a place.
    pub(crate) fn block(&self, place: Place) -> Effects {
        self.blocks.get(&place).copied().unwrap_or(Effects::ALL)
    }
}

/// What one instruction may do, given what functions may do.
fn inst_deeds(kind: &InstKind, program: &Program, functions: &Table<FunctionId, Deeds>) -> Deeds {
    let reads = |address: &Operand, ty: Type| Deeds {
        fails: !is_in_global(program, address, bytes(ty, program.pointer_bits), false),
        ..Deeds::default()
    };
    let writes = |address: &Operand, ty: Type| Deeds {
        writes: true,
        fails: !is_in_global(program, address, bytes(ty, program.pointer_bits), true),
        ..Deeds::default()
    };
    let word = Type::Int(32);
    let waits = Effects { waits: true, stops: false };
    match kind {
        InstKind::Load { address, ty, .. } => reads(address, *ty),
        InstKind::Store { address, ty, .. }
        | InstKind::AtomicRmw { address, ty, .. }
        | InstKind::CompareExchange { address, ty, .. } => writes(address, *ty),
        InstKind::Lock { lock } => Deeds { effects: waits, ..writes(lock, word) },
        InstKind::Unlock { lock } => writes(lock, word),
        InstKind::WaitUntil(_) => Deeds { effects: waits, ..Deeds::default() },
        InstKind::Join { .. } => Deeds { effects: waits, fails: true, writes: true },
        InstKind::Fork { .. } | InstKind::Free { .. } => {
            Deeds { writes: true, fails: true, ..Deeds::default() }
        }
        InstKind::EndLife(_) => Deeds { writes: true, ..Deeds::default() },
        InstKind::Check { if_unchecked, .. } => {
            Deeds { fails: *if_unchecked == IfUnchecked::Ends, ..Deeds::default() }
        }
        InstKind::Assume(_) => Deeds { effects: Effects { waits: false, stops: true }, ..Deeds::default() },
        InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), .. } => functions[*callee],
        InstKind::Call { .. } => Deeds::ALL,
        InstKind::Intrinsic { which, .. } => Deeds { writes: which.prints(), ..Deeds::default() },
        InstKind::Assign { value, .. } => Deeds { fails: may_fail(value, program), ..Deeds::default() },
        InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::Havoc { .. }
        | InstKind::AtomicBegin
        | InstKind::AtomicEnd => Deeds::default(),
    }
}

/// Whether an access at this address is always possible.
fn is_in_global(program: &Program, address: &Operand, bytes: u64, writes: bool) -> bool {
    let Operand::Constant(Constant::Global(global, offset)) = address else { return false };
    let global = &program.globals[*global];
    let end = u64::try_from(*offset).ok().and_then(|offset| offset.checked_add(bytes));
    end.is_some_and(|end| end <= global.size) && !(writes && global.read_only)
}

fn may_fail(value: &Rvalue, program: &Program) -> bool {
    match value {
        Rvalue::Binary(op, _, right) => match op {
            BinaryOp::SignedDiv | BinaryOp::SignedRem => true,
            BinaryOp::UnsignedDiv | BinaryOp::UnsignedRem => {
                !matches!(right, Operand::Constant(Constant::Int(_, 1..)))
            }
            // No type is narrower than eight bits, but for truth values, which are not shifted.
            BinaryOp::Shl | BinaryOp::SignedShr | BinaryOp::UnsignedShr => {
                !matches!(right, Operand::Constant(Constant::Int(_, ..8)))
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::FloatAdd
            | BinaryOp::FloatSub
            | BinaryOp::FloatMul
            | BinaryOp::FloatDiv => false,
        },
        Rvalue::HoldsLock(address) | Rvalue::LockIsFree(address) | Rvalue::Peek(address, _) => {
            !is_in_global(program, address, 4, false)
        }
        Rvalue::Use(_)
        | Rvalue::Unary(..)
        | Rvalue::Compare(..)
        | Rvalue::Cast(..)
        | Rvalue::Select(..)
        | Rvalue::PointerAdd(..)
        | Rvalue::PointerDifference(..)
        | Rvalue::Overflows(..)
        | Rvalue::ThreadLocal(_)
        | Rvalue::CurrentThread
        | Rvalue::ThreadExists(_)
        | Rvalue::ObjectSize(_) => false,
    }
}

/// The least solution: what a function's own instructions and its callees do.
fn function_deeds(program: &Program) -> Table<FunctionId, Deeds> {
    let mut deeds = Table::filled(program.functions.len(), Deeds::default);
    loop {
        let mut changed = false;
        for (id, function) in program.functions.iter() {
            let mut sum = deeds[id];
            for block in function.blocks.values() {
                for inst in &block.insts {
                    sum.join(inst_deeds(&inst.kind, program, &deeds));
                }
                sum.fails |= matches!(block.terminator, Terminator::Unreachable);
            }
            changed |= sum != deeds[id];
            deeds[id] = sum;
        }
        if !changed {
            return deeds;
        }
    }
}

/// Walks from the block's beginning to its end, on all ways.
fn block_effects(
    program: &Program,
    function: &Function,
    functions: &Table<FunctionId, Deeds>,
    block: BlockId,
    index: usize,
) -> Effects {
    let mut sum = Effects::default();
    // For each block, whether it was come to before and after something was written.
    let mut seen: Table<BlockId, [bool; 2]> = Table::filled(function.blocks.len(), || [false; 2]);
    let mut work = vec![(block, index, 0_u32, false)];
    while let Some((block_id, from, mut depth, mut written)) = work.pop() {
        let block = &function.blocks[block_id];
        let mut open = true;
        for inst in &block.insts[from..] {
            let deeds = inst_deeds(&inst.kind, program, functions);
            sum.join(deeds.effects);
            let calls = matches!(inst.kind, InstKind::Call { .. });
            sum.stops |= deeds.fails && (written || (calls && deeds.writes));
            written |= deeds.writes;
            if matches!(inst.kind, InstKind::AtomicBegin) {
                depth += 1;
            } else if matches!(inst.kind, InstKind::AtomicEnd) {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                open = false;
                break;
            }
        }
        if open {
            sum.stops |= written && matches!(block.terminator, Terminator::Unreachable);
            // A validated function is as deep at a block's start on every way there.
            for target in block.terminator.successors() {
                if !std::mem::replace(&mut seen[target][usize::from(written)], true) {
                    work.push((target, 0, depth, written));
                }
            }
            if let Terminator::Return(_) = block.terminator {
                return Effects::ALL;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_base::Id;
    use raddle_ir::text::parse_program;

    #[test]
    fn waiting_is_found_through_calls_and_branches_and_ends_with_the_block() {
        let program = parse_program(
            r#"program pointer_bits 64 entry f0
            global g0 "m" size 4 align 4 {}
            function f0 "main" () {
              registers r0: i1, r1: i32
            b0:
              atomic_begin
              r1 = load i32 [@m]
              atomic_end
              atomic_begin
              call @helper()
              branch r0, b1, b2
            b1:
              atomic_end
              atomic_begin
              atomic_begin
              atomic_end
              assume true
              atomic_end
              lock [@m]
              exit_process i32 0
            b2:
              jump b1
            }
            function f1 "helper" () { b0: call @inner() return }
            function f2 "inner" () { b0: lock [@m] call @helper() return }"#,
        )
        .unwrap();
        let facts = Facts::new(&program);
        let at = |block, index| {
            facts.block(Place {
                function: FunctionId::from_index(0),
                block: BlockId::from_index(block),
                index,
            })
        };
        assert_eq!(at(0, 0), Effects::default());
        assert_eq!(at(0, 3), Effects { waits: true, stops: false });
        assert_eq!(at(1, 1), Effects { waits: false, stops: true });
        assert_eq!(at(1, 2), Effects::default());
        assert_eq!(at(7, 7), Effects::ALL, "what is not known may do anything");
    }

    #[test]
    fn what_cannot_be_done_stops_a_block_only_after_it_wrote() {
        let program = parse_program(
            r#"program pointer_bits 64 entry f0
            global g0 "m" size 4 align 4 {}
            function f0 "main" () {
              registers r0: ptr, r1: i32
            b0:
              atomic_begin
              r1 = load i32 [r0]
              store i32 [@m], i32 1
              r1 = load i32 [@m]
              atomic_end
              atomic_begin
              store i32 [@m], i32 1
              r1 = load i32 [r0]
              atomic_end
              atomic_begin
              store i32 [@m], i32 1
              r1 = unsigned_div r1, i32 3
              r1 = signed_div r1, r1
              atomic_end
              atomic_begin
              call @helper(r0)
              atomic_end
              exit_process i32 0
            }
            function f1 "helper" (r0) {
              registers r0: ptr
            b0:
              store i32 [r0], i32 1
              return
            }"#,
        )
        .unwrap();
        let facts = Facts::new(&program);
        let stops = [0, 5, 9, 14].map(|index| {
            let place = Place { function: FunctionId::from_index(0), block: BlockId::from_index(0), index };
            facts.block(place).stops
        });
        assert_eq!(stops, [false, true, true, true]);
    }
}
