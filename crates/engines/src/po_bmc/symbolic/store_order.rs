//! Which instructions keep stores in order under weak memory models: the rule of `docs/semantics.md`, stated for the encoder.
//!
//! The VM states it a second time (`vm/memory_model`), and neither reads the other: what is wrong in one alone is a counterexample that
//! does not replay, or a difference that the test below finds. Only a rule that is wrong in both, in the same way, could hide an execution.

use raddle_ir::{InstKind, Lifetime, Ordering, Rvalue};

/// What an instruction outside of atomic blocks does to the stores that its thread made before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EarlierStores {
    /// They may become visible behind it.
    Pass,
    /// They may become visible behind it, but before all stores that come later.
    Precede,
    /// All are visible when it happens.
    Visible,
}

/// See [`EarlierStores`]. It is decided by the instruction alone.
pub(crate) fn earlier_stores(kind: &InstKind) -> EarlierStores {
    use EarlierStores::{Pass, Precede, Visible};
    match kind {
        // A thread's own computations and loads never wait.
        InstKind::Load { .. }
        | InstKind::Alloc { .. }
        | InstKind::Call { .. }
        | InstKind::Intrinsic { .. }
        | InstKind::Havoc { .. }
        | InstKind::Assume(_)
        | InstKind::Check { .. } => Pass,
        // The end of an atomic block: within it everything was visible at once.
        InstKind::AtomicEnd => Pass,
        // Of stores only the strongest wait; what others have to do with each other is theirs (`releases`).
        InstKind::Store { ordering, .. } => match ordering {
            Ordering::SequentiallyConsistent => Visible,
            Ordering::Plain
            | Ordering::Relaxed
            | Ordering::Acquire
            | Ordering::Release
            | Ordering::AcquireRelease => Pass,
        },
        InstKind::Fence(ordering) => match ordering {
            Ordering::SequentiallyConsistent => Visible,
            Ordering::Release | Ordering::AcquireRelease => Precede,
            Ordering::Plain | Ordering::Relaxed | Ordering::Acquire => Pass,
        },
        // What reads and writes in one step, whatever its ordering.
        InstKind::AtomicRmw { .. } | InstKind::CompareExchange { .. } => Visible,
        // What other threads wait for, or what waits for them.
        InstKind::Lock { .. }
        | InstKind::Unlock { .. }
        | InstKind::Fork { .. }
        | InstKind::Join { .. }
        | InstKind::WaitUntil(_)
        | InstKind::AtomicBegin => Visible,
        // The end of memory that others may use; local objects take their own late stores with them.
        InstKind::Free { .. } => Visible,
        InstKind::EndLife(lifetime) => match lifetime {
            Lifetime::Contents { .. } | Lifetime::Thread => Visible,
            Lifetime::Object(_) | Lifetime::Activation | Lifetime::Activations => Pass,
        },
        InstKind::Assign { value, .. } => match value {
            Rvalue::HoldsLock(_) | Rvalue::LockIsFree(_) | Rvalue::Peek(..) => Visible,
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
            | Rvalue::CurrentThread
            | Rvalue::ThreadExists(_)
            | Rvalue::ObjectSize(_) => Pass,
        },
    }
}

/// Whether a store that is late itself becomes visible behind all earlier ones of its thread.
pub(crate) fn releases(ordering: Ordering) -> bool {
    match ordering {
        Ordering::Release | Ordering::AcquireRelease | Ordering::SequentiallyConsistent => true,
        Ordering::Plain | Ordering::Relaxed | Ordering::Acquire => false,
    }
}

#[cfg(test)]
mod tests {
    use raddle_base::Id;
    use raddle_ir::{
        AllocStorage, BinaryOp, CastOp, CompareOp, Constant, GlobalId, HavocId, IfUnchecked, Intrinsic,
        Operand, OverflowOp, Property, RegisterId, RmwOp, ScalarStyle, Shape, Type, UnaryOp,
    };
    use raddle_vm::memory_model::{keeps_stores_before, waits_for_stores};

    use super::*;

    /// The number of a kind, without gaps. A new kind does not compile here until it has one.
    fn number(kind: &InstKind) -> usize {
        match kind {
            InstKind::Load { .. } => 0,
            InstKind::Store { .. } => 1,
            InstKind::AtomicRmw { .. } => 2,
            InstKind::CompareExchange { .. } => 3,
            InstKind::Fence(_) => 4,
            InstKind::Alloc { .. } => 5,
            InstKind::Free { .. } => 6,
            InstKind::Call { .. } => 7,
            InstKind::Intrinsic { .. } => 8,
            InstKind::Havoc { .. } => 9,
            InstKind::Assume(_) => 10,
            InstKind::WaitUntil(_) => 11,
            InstKind::Check { .. } => 12,
            InstKind::Fork { .. } => 13,
            InstKind::Join { .. } => 14,
            InstKind::Lock { .. } => 15,
            InstKind::Unlock { .. } => 16,
            InstKind::AtomicBegin => 17,
            InstKind::AtomicEnd => 18,
            InstKind::EndLife(lifetime) => match lifetime {
                Lifetime::Object(_) => 19,
                Lifetime::Activation => 20,
                Lifetime::Activations => 21,
                Lifetime::Thread => 22,
                Lifetime::Contents { .. } => 23,
            },
            InstKind::Assign { value, .. } => match value {
                Rvalue::Use(_) => 24,
                Rvalue::Unary(..) => 25,
                Rvalue::Binary(..) => 26,
                Rvalue::Compare(..) => 27,
                Rvalue::Cast(..) => 28,
                Rvalue::Select(..) => 29,
                Rvalue::PointerAdd(..) => 30,
                Rvalue::PointerDifference(..) => 31,
                Rvalue::Overflows(..) => 32,
                Rvalue::ThreadLocal(_) => 33,
                Rvalue::CurrentThread => 34,
                Rvalue::ThreadExists(_) => 35,
                Rvalue::ObjectSize(_) => 36,
                Rvalue::HoldsLock(_) => 37,
                Rvalue::LockIsFree(_) => 38,
                Rvalue::Peek(..) => 39,
            },
        }
    }
    const KINDS: usize = 40;

    /// Instructions of all kinds, with this ordering where they have one.
    fn all(ordering: Ordering) -> Vec<InstKind> {
        let dest = RegisterId::from_index(0);
        let word = Operand::Constant(Constant::Int(32, 0));
        let address = Operand::Register(dest);
        let ty = Type::Int(32);
        let values = [
            Rvalue::Use(word),
            Rvalue::Unary(UnaryOp::Not, word),
            Rvalue::Binary(BinaryOp::Add, word, word),
            Rvalue::Compare(CompareOp::Equal, word, word),
            Rvalue::Cast(CastOp::ZeroExtend, word),
            Rvalue::Select(word, word, word),
            Rvalue::PointerAdd(address, word),
            Rvalue::PointerDifference(address, address),
            Rvalue::Overflows(OverflowOp::SignedAdd, word, word),
            Rvalue::ThreadLocal(GlobalId::from_index(0)),
            Rvalue::CurrentThread,
            Rvalue::ThreadExists(word),
            Rvalue::ObjectSize(address),
            Rvalue::HoldsLock(address),
            Rvalue::LockIsFree(address),
            Rvalue::Peek(address, 0),
        ];
        let mut kinds = vec![
            InstKind::Load { dest, address, ty, ordering },
            InstKind::Store { address, value: word, ty, ordering },
            InstKind::AtomicRmw { dest, op: RmwOp::Add, address, value: word, ty, ordering },
            InstKind::CompareExchange {
                dest,
                address,
                expected: word,
                desired: word,
                ty,
                ordering,
                failure: ordering,
            },
            InstKind::Fence(ordering),
            InstKind::Alloc {
                dest,
                size: word,
                align: 4,
                storage: AllocStorage::Heap,
                zeroed: false,
                name: "a".into(),
                shape: Box::new(Shape::Scalar(ty, ScalarStyle::Signed)),
            },
            InstKind::Free { pointer: address },
            InstKind::Call { dest: None, callee: address, arguments: Vec::new() },
            InstKind::Intrinsic { dest: None, which: Intrinsic::PutByte, arguments: vec![word, word] },
            InstKind::Havoc { dest, site: HavocId::from_index(0) },
            InstKind::Assume(word),
            InstKind::WaitUntil(word),
            InstKind::Check {
                property: Property::Assertion,
                condition: word,
                message: "m".into(),
                if_unchecked: IfUnchecked::Ends,
            },
            InstKind::Fork { dest, function: address, argument: address },
            InstKind::Join { dest: None, thread: word },
            InstKind::Lock { lock: address },
            InstKind::Unlock { lock: address },
            InstKind::AtomicBegin,
            InstKind::AtomicEnd,
            InstKind::EndLife(Lifetime::Object(address)),
            InstKind::EndLife(Lifetime::Activation),
            InstKind::EndLife(Lifetime::Activations),
            InstKind::EndLife(Lifetime::Thread),
            InstKind::EndLife(Lifetime::Contents { pointer: address, size: 4 }),
        ];
        kinds.extend(values.map(|value| InstKind::Assign { dest, value }));
        kinds
    }

    #[test]
    fn the_encoder_and_the_vm_keep_the_same_stores_in_order() {
        for &ordering in Ordering::ALL {
            let kinds = all(ordering);
            let mut seen: Vec<usize> = kinds.iter().map(number).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..KINDS).collect::<Vec<_>>(), "each kind once");
            for kind in &kinds {
                let ours = earlier_stores(kind);
                assert_eq!(ours == EarlierStores::Visible, waits_for_stores(kind), "{kind:?}");
                let is_fence = matches!(kind, InstKind::Fence(_));
                let keeps = is_fence && !waits_for_stores(kind) && keeps_stores_before(ordering);
                assert_eq!(ours == EarlierStores::Precede, keeps, "{kind:?}");
            }
            assert_eq!(releases(ordering), keeps_stores_before(ordering), "{ordering:?}");
        }
    }
}
