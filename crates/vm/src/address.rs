//! What computations tell about where objects lie.
//!
//! Objects lie at any addresses that respect their alignment; the VM's own layout is one of the possible ones. A value
//! that was made of an address keeps what it was made of in its origin (`mark`).
//! A computation whose result other layouts need not share is a *look*: a run that makes one says nothing about them.
//!
//! No object lies in the first or in the last page, so comparing with null or with -1 is no look. Neither is comparing
//! pointers into one object, or asking whether pointers into different live objects are equal. One past the end of an object may be
//! where another begins: comparing that is a look. So is comparing a pointer to an object that has ended with one to another
//! that may lie there now, unless it is known where heap objects lie that come again (`vm/reuse`).

use raddle_ir::{AddressReuse, BinaryOp, CompareOp, RmwOp};

use crate::layout::{PAGE, is_code, is_in_no_object};
use crate::mark::is_several;
pub use crate::mark::{ADDRESSES, FUNCTION, LAYOUT, LINEAR, Look, MIXED, REUSE};
use crate::memory::Memory;
use crate::step::Vm;
use crate::value::{Origin, Value, mask};

/// What comparing two values means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// What their bits say, in every layout.
    ByBits,
    /// They are different, whatever their bits say.
    Different,
    /// Other layouts may say otherwise.
    Look(Look),
}

/// A value to compute with: a piece of an address is a number that depends on where objects lie.
fn as_number(value: Value) -> Value {
    let origin =
        value.origin.map(|origin| if is_several(origin) && origin != LINEAR { MIXED } else { origin });
    Value { origin, ..value }
}

/// The origin of the result of an operation of which at least one operand has one.
pub(crate) fn binary(memory: &Memory, op: BinaryOp, left: Value, right: Value, bits: u128) -> Option<Origin> {
    let (left, right) = (as_number(left), as_number(right));
    let all = mask(memory.pointer_bits());
    let linear = |value: Value| value.origin.is_none_or(|origin| origin != MIXED);
    let combined = if linear(left) && linear(right) { Some(LINEAR) } else { Some(MIXED) };
    let one = match (left.origin, right.origin) {
        (Some(origin), None) => Some((origin, right.bits)),
        (None, Some(origin)) => Some((origin, left.bits)),
        (Some(_), Some(_)) | (None, None) => None,
    };
    // How many low bits of the address every layout shares, as a number that they can hold.
    let fixed = one.map_or(0, |(origin, _)| memory.alignment(origin) - 1);
    match op {
        BinaryOp::Add => match one {
            Some((origin, _)) => Some(origin),
            None => combined,
        },
        BinaryOp::Sub => match (left.origin, right.origin) {
            (Some(a), Some(b)) if a == b && !is_several(a) => None,
            (Some(origin), None) => Some(origin),
            _ => combined,
        },
        BinaryOp::Xor => match one {
            Some((origin, number)) if number <= u128::from(fixed) => Some(origin),
            None if left == right && left.origin != Some(MIXED) => None,
            _ => combined,
        },
        BinaryOp::Or => match one {
            Some((origin, number)) if number <= u128::from(fixed) => Some(origin),
            _ => Some(MIXED),
        },
        BinaryOp::And => match one {
            Some((_, number)) if number <= u128::from(fixed) => None,
            Some((origin, number)) if !number & all <= u128::from(fixed) => Some(origin),
            _ => Some(MIXED),
        },
        BinaryOp::UnsignedRem if right.origin.is_none() && is_fixed_modulus(right.bits, fixed) => None,
        BinaryOp::SignedRem if right.origin.is_none() && is_fixed_modulus(right.bits, fixed) && bits == 0 => {
            None
        }
        BinaryOp::Mul
        | BinaryOp::SignedDiv
        | BinaryOp::UnsignedDiv
        | BinaryOp::SignedRem
        | BinaryOp::UnsignedRem
        | BinaryOp::Shl
        | BinaryOp::SignedShr
        | BinaryOp::UnsignedShr
        | BinaryOp::FloatAdd
        | BinaryOp::FloatSub
        | BinaryOp::FloatMul
        | BinaryOp::FloatDiv => Some(MIXED),
    }
}

/// Whether the remainder by a number is in the low bits that every layout shares.
fn is_fixed_modulus(modulus: u128, fixed: u64) -> bool {
    modulus.is_power_of_two() && modulus - 1 <= u128::from(fixed)
}

/// The origin of what a read-modify-write of an integer leaves.
pub(crate) fn rmw(memory: &Memory, op: RmwOp, old: Value, operand: Value, bits: u128) -> Option<Origin> {
    let op = match op {
        RmwOp::Exchange => return operand.origin,
        RmwOp::Add => BinaryOp::Add,
        RmwOp::Sub => BinaryOp::Sub,
        RmwOp::And => BinaryOp::And,
        RmwOp::Or => BinaryOp::Or,
        RmwOp::Xor => BinaryOp::Xor,
        RmwOp::Nand | RmwOp::SignedMin | RmwOp::SignedMax | RmwOp::UnsignedMin | RmwOp::UnsignedMax => {
            return old.origin.or(operand.origin).map(|_| MIXED);
        }
    };
    if old.origin.is_none() && operand.origin.is_none() {
        return None;
    }
    binary(memory, op, old, operand, bits)
}

/// What comparing two values means of which at least one has an origin.
#[cold]
pub(crate) fn compare(vm: &Vm<'_>, memory: &Memory, op: CompareOp, left: Value, right: Value) -> Comparison {
    let equality = match op {
        CompareOp::Equal | CompareOp::NotEqual => true,
        CompareOp::UnsignedLess | CompareOp::UnsignedLessEqual => false,
        CompareOp::SignedLess
        | CompareOp::SignedLessEqual
        | CompareOp::FloatEqual
        | CompareOp::FloatLess
        | CompareOp::FloatLessEqual => return Comparison::Look(LAYOUT),
    };
    match (left.origin, right.origin) {
        (Some(a), Some(b)) if a == b && !is_several(a) => Comparison::ByBits,
        (Some(FUNCTION), Some(FUNCTION)) if equality => Comparison::ByBits,
        // They are equal where all their parts are.
        (Some(ADDRESSES), Some(ADDRESSES)) if equality => Comparison::ByBits,
        (Some(ADDRESSES), None) if equality && holds_no_address(memory, right.bits) => Comparison::ByBits,
        (None, Some(ADDRESSES)) if equality && holds_no_address(memory, left.bits) => Comparison::ByBits,
        (Some(FUNCTION), None) if equality && right.low() < PAGE => Comparison::ByBits,
        (None, Some(FUNCTION)) if equality && left.low() < PAGE => Comparison::ByBits,
        (Some(a), Some(b)) if is_several(a) || is_several(b) => Comparison::Look(LAYOUT),
        (Some(a), Some(b)) if equality => match (memory.object(a), memory.object(b)) {
            (Some(_), Some(_)) if memory.is_inside(left, a) && memory.is_inside(right, b) => {
                Comparison::ByBits
            }
            (Some(_), Some(_)) => Comparison::Look(LAYOUT),
            // What lives as long as the program never had that address.
            (None, Some(object)) | (Some(object), None) if object.is_static() => Comparison::Different,
            (None, _) | (_, None) => ended(vm, memory, (left, a), (right, b)),
        },
        (Some(_), Some(_)) => Comparison::Look(LAYOUT),
        (Some(origin), None) => number(memory, origin, left, right.low()),
        (None, Some(origin)) => number(memory, origin, right, left.low()),
        (None, None) => Comparison::ByBits,
    }
}

/// What asking whether two pointers are equal means if they belong to different objects of which one has ended at least.
fn ended(
    vm: &Vm<'_>,
    memory: &Memory,
    (left, a): (Value, Origin),
    (right, b): (Value, Origin),
) -> Comparison {
    if vm.program().address_reuse == AddressReuse::Never {
        return Comparison::Different;
    }
    // The objects' first bytes are where they were chosen to be. Whether one may begin in the midst of the other was not.
    let offsets = memory.heap_offset(left, a).zip(memory.heap_offset(right, b));
    let is_known = offsets.is_some_and(|(left, right)| left == right) && !memory.missed;
    if is_known && vm.reuse().is_some() { Comparison::ByBits } else { Comparison::Look(REUSE) }
}

/// Whether comparing an address with a plain number is a look.
fn number(memory: &Memory, origin: Origin, address: Value, number: u64) -> Comparison {
    if is_several(origin) {
        return Comparison::Look(LAYOUT);
    }
    let all = mask(memory.pointer_bits());
    // What is longer than an address says more: how it was made longer.
    let in_no_object = u128::from(number) <= all && is_in_no_object(memory.pointer_bits(), number.into());
    // Of an object that is gone the size is not known any more.
    let is_near = memory
        .object(origin)
        .is_none_or(|object| address.low().wrapping_sub(object.address) <= object.bytes.len() as u64);
    if in_no_object && is_near || is_code(number) { Comparison::ByBits } else { Comparison::Look(LAYOUT) }
}

/// Whether none of the parts of a longer number can be the address of an object.
fn holds_no_address(memory: &Memory, number: u128) -> bool {
    let bits = memory.pointer_bits();
    let parts = (0..128 / bits).map(|part| number >> (part * bits) & mask(bits));
    parts.into_iter().all(|part| is_in_no_object(memory.pointer_bits(), part))
}

/// Whether comparing pointers tells where functions lie.
pub(crate) fn orders_code(op: CompareOp, left: u128, right: u128) -> bool {
    match op {
        CompareOp::Equal
        | CompareOp::NotEqual
        | CompareOp::FloatEqual
        | CompareOp::FloatLess
        | CompareOp::FloatLessEqual => false,
        CompareOp::UnsignedLess
        | CompareOp::UnsignedLessEqual
        | CompareOp::SignedLess
        | CompareOp::SignedLessEqual => {
            is_code(Value::plain(left).low()) || is_code(Value::plain(right).low())
        }
    }
}
