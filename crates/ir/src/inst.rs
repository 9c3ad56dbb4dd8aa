//! Instructions.
//!
//! Two rules hold for every instruction: it makes at most one access to memory, and it either is invisible to
//! other threads or is a step of its own. What it means precisely is the VM's to say; what it may
//! touch is said here.

use raddle_base::Span;
use serde::{Deserialize, Serialize};

use crate::program::{BlockId, FunctionId, GlobalId, HavocId, RegisterId, Shape, Type};

/// An instruction and its source span.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// Where it comes from.
    pub span: Span,
}

/// A value: a register or a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// What a register holds.
    Register(RegisterId),
    /// A constant.
    Constant(Constant),
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Constant {
    /// An integer: bits and value, zero-extended.
    Int(u8, u128),
    /// A single-precision number, by its bits.
    F32(u32),
    /// A double-precision number, by its bits.
    F64(u64),
    /// The null pointer.
    Null,
    /// A global plus an offset in bytes.
    Global(GlobalId, i64),
    /// A function's address.
    Function(FunctionId),
}

/// What a check is about, for people. Displayed, it is what is wrong when the check fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckMessage {
    /// What is wrong: `a mutex is initialised while it is held`.
    Wrong(Box<str>),
    /// An assertion, by the text of its condition.
    Asserts(Box<str>),
    /// A function that must not be called, by its name.
    Forbids(Box<str>),
    /// A label that must not be reached.
    ForbidsLabel(Box<str>),
}

impl CheckMessage {
    /// What is checked, whether it fails or not: `assertion x == 2`, with the text in backquotes.
    #[must_use]
    pub fn claim(&self) -> String {
        match self {
            Self::Wrong(text) => text.to_string(),
            Self::Asserts(condition) => format!("assertion `{condition}`"),
            Self::Forbids(function) => format!("call of `{function}`"),
            Self::ForbidsLabel(label) => format!("label `{label}`"),
        }
    }
}

impl std::fmt::Display for CheckMessage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Wrong(text) => f.write_str(text),
            Self::Asserts(condition) => write!(f, "assertion `{condition}` fails"),
            Self::Forbids(function) => write!(f, "`{function}` is called"),
            Self::ForbidsLabel(label) => write!(f, "label `{label}` is reached"),
        }
    }
}

impl From<&str> for CheckMessage {
    fn from(text: &str) -> Self {
        Self::Wrong(text.into())
    }
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
pub enum InstKind {
    /// Computes a value from registers and constants.
    Assign {
        /// Where it goes.
        dest: RegisterId,
        /// What is computed.
        value: Rvalue,
    },
    /// Reads memory.
    Load {
        /// Where the value goes.
        dest: RegisterId,
        /// A pointer.
        address: Operand,
        /// What is read; the register's type.
        ty: Type,
        /// Atomic or plain.
        ordering: Ordering,
    },
    /// Writes memory.
    Store {
        /// A pointer.
        address: Operand,
        /// What is written.
        value: Operand,
        /// Its type.
        ty: Type,
        /// Atomic or plain.
        ordering: Ordering,
    },
    /// Reads, computes and writes in one step; gives the old value.
    AtomicRmw {
        /// Where the old value goes.
        dest: RegisterId,
        /// How the new value is made.
        op: RmwOp,
        /// A pointer.
        address: Operand,
        /// The other operand.
        value: Operand,
        /// The type in memory.
        ty: Type,
        /// Its ordering.
        ordering: Ordering,
    },
    /// Compares memory with `expected` and, if equal, writes `desired`, in one step; gives the old value.
    CompareExchange {
        /// Where the old value goes.
        dest: RegisterId,
        /// A pointer.
        address: Operand,
        /// Compared bit by bit.
        expected: Operand,
        /// Written when equal.
        desired: Operand,
        /// The type in memory.
        ty: Type,
        /// Its ordering on success.
        ordering: Ordering,
        /// Its ordering when the values differ: it is a load then.
        failure: Ordering,
    },
    /// A memory fence.
    Fence(Ordering),
    /// Makes a new object and gives a pointer to it.
    Alloc {
        /// Where the pointer goes.
        dest: RegisterId,
        /// In bytes.
        size: Operand,
        /// In bytes.
        align: u64,
        /// Its lifetime.
        storage: AllocStorage,
        /// Whether it starts as zeros; else its bytes are nondeterministic until written.
        zeroed: bool,
        /// The variable's name, or the allocating function's.
        name: Box<str>,
        /// How to name its parts, where known.
        shape: Box<Shape>,
    },
    /// Ends a heap object's lifetime. Null is allowed and does nothing.
    Free {
        /// A pointer to its first byte.
        pointer: Operand,
    },
    /// Ends the lifetimes of objects that are not on the heap: what uses them afterwards is a memory-safety violation. Others may
    /// come before it. What has ended already, or was never made, stays as it is.
    EndLife(Lifetime),
    /// Calls a function. A call through a pointer to something else than a function of fitting type is a memory-safety violation.
    Call {
        /// Where the result goes.
        dest: Option<RegisterId>,
        /// A constant function or a pointer.
        callee: Operand,
        /// As many as the callee has parameters.
        arguments: Vec<Operand>,
    },
    /// Asks the outside: formatted output and the like. Has no effect on other threads.
    Intrinsic {
        /// Where the result goes.
        dest: Option<RegisterId>,
        /// Which.
        which: Intrinsic,
        /// Its arguments.
        arguments: Vec<Operand>,
    },
    /// Takes any value of the register's type.
    Havoc {
        /// Where it goes.
        dest: RegisterId,
        /// Which source of nondeterminism this is.
        site: HavocId,
    },
    /// When false, this thread ends here (and nothing else does).
    Assume(Operand),
    /// When false, this thread waits here: inside an atomic block the whole block waits.
    WaitUntil(Operand),
    /// When false, the property is violated.
    Check {
        /// Which property.
        property: Property,
        /// An `i1`.
        condition: Operand,
        /// What was violated, for people.
        message: CheckMessage,
        /// What happens when it is false and nobody asks for the property.
        if_unchecked: IfUnchecked,
    },
    /// Starts a thread that runs `function(argument)`.
    Fork {
        /// Where the new thread's id goes.
        dest: RegisterId,
        /// A function of one pointer parameter and a pointer result.
        function: Operand,
        /// Its argument.
        argument: Operand,
    },
    /// Waits until a thread has ended and takes its result. An unknown thread is never granted.
    Join {
        /// Where its result goes.
        dest: Option<RegisterId>,
        /// The thread's id.
        thread: Operand,
    },
    /// Waits until the 32-bit lock word is zero, and sets it to the thread's id plus one, in one step.
    Lock {
        /// A pointer to the lock word.
        lock: Operand,
    },
    /// Sets the lock word to zero. Who holds it is the models' to check.
    Unlock {
        /// A pointer to the lock word.
        lock: Operand,
    },
    /// From here to the matching end no other thread runs. Atomic blocks nest.
    AtomicBegin,
    /// Ends the innermost atomic block.
    AtomicEnd,
}

/// A value computed from others. Only the last three look at memory; they change nothing there.
#[derive(Clone, Debug, PartialEq)]
pub enum Rvalue {
    /// The operand itself.
    Use(Operand),
    /// One operand.
    Unary(UnaryOp, Operand),
    /// Two operands of one type (shifts: the amount may have another width).
    Binary(BinaryOp, Operand, Operand),
    /// A comparison, giving an `i1`.
    Compare(CompareOp, Operand, Operand),
    /// A conversion to the type of the destination.
    Cast(CastOp, Operand),
    /// `condition ? a : b`
    Select(Operand, Operand, Operand),
    /// A pointer moved by a signed offset in bytes (an integer of pointer width).
    PointerAdd(Operand, Operand),
    /// The distance of two pointers in bytes, as an integer of pointer width.
    PointerDifference(Operand, Operand),
    /// Whether the signed or unsigned operation overflows, giving an `i1`.
    Overflows(OverflowOp, Operand, Operand),
    /// The address of this thread's copy of a thread-local global.
    ThreadLocal(GlobalId),
    /// The number of the running thread, an integer of 32 bits; the main thread is 0.
    CurrentThread,
    /// Whether a thread id names a thread that was started, an `i1`.
    ThreadExists(Operand),
    /// Bytes of the live object that a pointer points into, or zero: an integer of pointer width.
    ObjectSize(Operand),
    /// Whether the 32-bit lock word at a pointer is the running thread's id plus one, an `i1`. What was never written
    /// reads as zero, as `Lock` sees it. It never races and orders nothing; a bad pointer is the fault that it is for `Lock`.
    HoldsLock(Operand),
    /// Whether the 32-bit lock word at a pointer is zero, an `i1`; otherwise as `HoldsLock`.
    LockIsFree(Operand),
    /// The 32-bit word at a pointer, or the number given here if a byte of it was never written, an integer of 32 bits.
    /// Otherwise as `HoldsLock`.
    Peek(Operand, u32),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Two's complement negation.
    Neg,
    /// Bitwise complement.
    Not,
    /// Floating negation: flips the sign bit.
    FloatNeg,
    /// Leading zero bits; the width for zero.
    CountLeadingZeros,
    /// Trailing zero bits; the width for zero.
    CountTrailingZeros,
    /// Bits set.
    PopCount,
    /// Bytes reversed.
    ByteSwap,
    /// Square root, correctly rounded.
    FloatSqrt,
    /// Absolute value: clears the sign bit.
    FloatAbs,
}

/// Operators with two operands of one type. Integers wrap. Division by zero and over-wide shifts are checked before where
/// the property is asked for; unchecked, they stop the thread as undefined behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
    /// Signed division, towards zero.
    SignedDiv,
    /// Unsigned division.
    UnsignedDiv,
    /// Signed remainder, with the dividend's sign.
    SignedRem,
    /// Unsigned remainder.
    UnsignedRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift left.
    Shl,
    /// Shift right, sign-filling.
    SignedShr,
    /// Shift right, zero-filling.
    UnsignedShr,
    /// Floating addition; IEEE, to nearest even; so the next ones.
    FloatAdd,
    /// Floating subtraction.
    FloatSub,
    /// Floating multiplication.
    FloatMul,
    /// Floating division.
    FloatDiv,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// Equal; also of pointers.
    Equal,
    /// Not equal; also of pointers.
    NotEqual,
    /// Signed less.
    SignedLess,
    /// Signed less or equal.
    SignedLessEqual,
    /// Unsigned less; of pointers by address.
    UnsignedLess,
    /// Unsigned less or equal; of pointers by address.
    UnsignedLessEqual,
    /// Floating equal: false for NaN; so the next two.
    FloatEqual,
    /// Floating less.
    FloatLess,
    /// Floating less or equal.
    FloatLessEqual,
}

/// Conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastOp {
    /// To a narrower integer.
    Truncate,
    /// To a wider integer with zeros.
    ZeroExtend,
    /// To a wider integer with the sign.
    SignExtend,
    /// Signed integer to floating.
    SignedToFloat,
    /// Unsigned integer to floating.
    UnsignedToFloat,
    /// Floating to signed integer, towards zero; out of range gives what x86 gives.
    FloatToSigned,
    /// Floating to unsigned integer, towards zero; out of range gives what x86 gives.
    FloatToUnsigned,
    /// Between floating types.
    FloatToFloat,
    /// Pointer to an integer of pointer width.
    PointerToInt,
    /// Integer of pointer width to a pointer.
    IntToPointer,
    /// Same bits, between a floating type and an integer of its width.
    Bits,
}

/// Operations asked whether they overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverflowOp {
    /// Signed addition.
    SignedAdd,
    /// Unsigned addition.
    UnsignedAdd,
    /// Signed subtraction.
    SignedSub,
    /// Unsigned subtraction.
    UnsignedSub,
    /// Signed multiplication.
    SignedMul,
    /// Unsigned multiplication.
    UnsignedMul,
}

/// How an atomic read-modify-write makes the new value from the old one and its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RmwOp {
    /// The operand.
    Exchange,
    /// old + operand; a pointer moves by that many bytes.
    Add,
    /// old - operand
    Sub,
    /// old & operand
    And,
    /// old | operand
    Or,
    /// old ^ operand
    Xor,
    /// !(old & operand)
    Nand,
    /// The lesser one, as signed numbers.
    SignedMin,
    /// The greater one, as signed numbers.
    SignedMax,
    /// The lesser one, as unsigned numbers.
    UnsignedMin,
    /// The greater one, as unsigned numbers.
    UnsignedMax,
}

impl RmwOp {
    /// For a least or greatest value: how the old value compares with the operand if it stays.
    #[must_use]
    pub const fn stays_if(self) -> Option<(CompareOp, bool)> {
        match self {
            Self::SignedMin => Some((CompareOp::SignedLessEqual, false)),
            Self::SignedMax => Some((CompareOp::SignedLessEqual, true)),
            Self::UnsignedMin => Some((CompareOp::UnsignedLessEqual, false)),
            Self::UnsignedMax => Some((CompareOp::UnsignedLessEqual, true)),
            Self::Exchange | Self::Add | Self::Sub | Self::And | Self::Or | Self::Xor | Self::Nand => None,
        }
    }
}

/// C11's memory orders. Only happens-before (data races) and weak memory models look at them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ordering {
    /// A plain access.
    Plain,
    /// `memory_order_relaxed`
    Relaxed,
    /// `memory_order_acquire` and `consume`
    Acquire,
    /// `memory_order_release`
    Release,
    /// `memory_order_acq_rel`
    AcquireRelease,
    /// `memory_order_seq_cst`
    SequentiallyConsistent,
}

/// The lifetime of an allocated object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AllocStorage {
    /// Until it is freed.
    Heap,
    /// Until it is freed, by the library, which made it for itself.
    Library,
    /// Until the function returns, this instruction runs again in the same activation, or [`InstKind::EndLife`] ends it.
    Local,
    /// Until the function returns, or [`InstKind::EndLife`] ends it: `alloca`, and variable length arrays.
    Dynamic,
}

/// Whose lifetimes end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lifetime {
    /// Of the local object that a pointer points to; of none if it is null. Its block is left.
    Object(Operand),
    /// Of all local objects of this activation: it is about to return. If it is the thread's first one, of the thread's
    /// thread-local objects too.
    Activation,
    /// Of all local objects of all activations of the thread: nobody returns to them.
    Activations,
    /// Of all local objects of all activations of the thread, and of its thread-local objects: it is about to end.
    Thread,
    /// Of what an object holds, not of the object: these bytes count as never written. So a variable that is kept where it does
    /// not end becomes new.
    Contents {
        /// A pointer to the first byte.
        pointer: Operand,
        /// How many bytes.
        size: u64,
    },
}

/// Services from outside the program. None of them touches memory: what a model reads and writes are instructions of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intrinsic {
    /// Writes one byte `(stream, byte)`; stream 1 is standard output, 2 standard error, and what goes to others is lost.
    PutByte,
    /// Writes an integer as `printf` does: `(stream, specification, width, precision, magnitude)`. A specification is the
    /// conversion's letter in the low byte, and flags above it (see `models/print.c`).
    PutInteger,
    /// Writes a number as `printf` does: `(stream, specification, width, precision, number)`; gives how many bytes that takes.
    PutFloat,
    /// Writes a pointer as `printf` does: `(stream, specification, width, pointer)`; gives how many bytes that takes.
    PutPointer,
    /// A byte of a printed number: `(specification, width, precision, number, index)`; -1 behind the last one.
    FloatByte,
    /// The number nearest to `mantissa * 10^exponent`.
    Decimal,
    /// A function of `<math.h>` on doubles.
    Math(MathFunction),
}

impl Intrinsic {
    /// Whether it shows something to the outside; the others are functions of their arguments.
    #[must_use]
    pub const fn prints(self) -> bool {
        match self {
            Self::PutByte | Self::PutInteger | Self::PutFloat | Self::PutPointer => true,
            Self::FloatByte | Self::Decimal | Self::Math(_) => false,
        }
    }
}

/// Functions of `<math.h>` that have no simple definition in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MathFunction {
    /// sin
    Sin,
    /// cos
    Cos,
    /// tan
    Tan,
    /// asin
    Asin,
    /// acos
    Acos,
    /// atan
    Atan,
    /// atan2
    Atan2,
    /// sinh
    Sinh,
    /// cosh
    Cosh,
    /// tanh
    Tanh,
    /// asinh
    Asinh,
    /// acosh
    Acosh,
    /// atanh
    Atanh,
    /// exp
    Exp,
    /// exp2
    Exp2,
    /// expm1
    Expm1,
    /// log
    Log,
    /// log1p
    Log1p,
    /// log2
    Log2,
    /// log10
    Log10,
    /// pow
    Pow,
    /// cbrt
    Cbrt,
    /// hypot
    Hypot,
    /// fmod
    Fmod,
    /// fma
    Fma,
    /// fmaf: rounded once, to single precision
    FmaSingle,
}

impl MathFunction {
    /// How many numbers it takes.
    #[must_use]
    pub const fn operands(self) -> usize {
        match self {
            Self::Atan2 | Self::Pow | Self::Hypot | Self::Fmod => 2,
            Self::Fma | Self::FmaSingle => 3,
            Self::Sin
            | Self::Cos
            | Self::Tan
            | Self::Asin
            | Self::Acos
            | Self::Atan
            | Self::Sinh
            | Self::Cosh
            | Self::Tanh
            | Self::Asinh
            | Self::Acosh
            | Self::Atanh
            | Self::Exp
            | Self::Exp2
            | Self::Expm1
            | Self::Log
            | Self::Log1p
            | Self::Log2
            | Self::Log10
            | Self::Cbrt => 1,
        }
    }
}

/// What a failed check means for an execution when nobody asks for its property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IfUnchecked {
    /// Nothing: what follows has a meaning.
    GoesOn,
    /// The behaviour is undefined: the thread ends there, and a proof of another property says so.
    Ends,
}

/// The properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// Assertions and `reach_error`.
    Assertion,
    /// Every live thread is blocked.
    Deadlock,
    /// Locks used against their rules.
    LockMisuse,
    /// Conflicting accesses without order.
    DataRace,
    /// Accesses outside live objects.
    MemorySafety,
    /// A result that is no value of its signed type, as SV-COMP's no-overflow has it.
    Overflow,
    /// Other arithmetic without a result: division by zero, shifts by too much, floating values out of the range of an integer type.
    Arithmetic,
    /// Allocated memory that nothing points to when the program ends.
    Leak,
    /// Any allocated memory when the program ends.
    Cleanup,
    /// A value that was never written decides something.
    Uninitialised,
}

impl Property {
    /// Those that every program is expected to keep. The others are asked for by name.
    pub const COMMON: &'static [Self] = &[
        Self::Assertion,
        Self::Deadlock,
        Self::LockMisuse,
        Self::DataRace,
        Self::MemorySafety,
        Self::Overflow,
        Self::Arithmetic,
    ];

    /// Whether an execution has no meaning behind a violation of it: where nobody asks for it, it ends there.
    #[must_use]
    pub const fn is_about_undefined_behaviour(self) -> bool {
        match self {
            Self::MemorySafety | Self::Overflow | Self::Arithmetic => true,
            Self::Assertion
            | Self::Deadlock
            | Self::LockMisuse
            | Self::DataRace
            | Self::Leak
            | Self::Cleanup
            | Self::Uninitialised => false,
        }
    }
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    /// Goes on there.
    Jump(BlockId),
    /// Goes to the first if the `i1` is true, else to the second.
    Branch(Operand, BlockId, BlockId),
    /// Goes to the block of the first range (inclusive, unsigned order) that holds the value, else to the default.
    Switch {
        /// An integer.
        value: Operand,
        /// Low, high, target.
        cases: Vec<(u128, u128, BlockId)>,
        /// Otherwise.
        default: BlockId,
    },
    /// Returns from the function; from a thread's first function, ends the thread with that result. Local objects that live
    /// still end with it, and nobody can come between: where others may have their addresses, [`InstKind::EndLife`] comes before.
    Return(Option<Operand>),
    /// Ends the thread with a pointer as its result.
    ExitThread(Operand),
    /// Ends the process with a status.
    ExitProcess(Operand),
    /// Ends the process abnormally: `abort`.
    Abort,
    /// Cannot be reached as the program was lowered (after a call that does not return).
    Unreachable,
    /// Reaching it makes the verdict unknown: the construct is not supported.
    Unsupported(Box<str>),
}

#[cfg(test)]
mod tests {
    use super::CheckMessage;

    #[test]
    fn a_check_says_what_it_claims_and_what_is_wrong_when_it_fails() {
        let said = |message: CheckMessage| (message.claim(), message.to_string());
        let expect = |claim: &str, wrong: &str| (claim.to_owned(), wrong.to_owned());
        assert_eq!(
            said(CheckMessage::Asserts("x == 2".into())),
            expect("assertion `x == 2`", "assertion `x == 2` fails")
        );
        assert_eq!(
            said(CheckMessage::Forbids("reach_error".into())),
            expect("call of `reach_error`", "`reach_error` is called")
        );
        assert_eq!(
            said(CheckMessage::ForbidsLabel("ERROR".into())),
            expect("label `ERROR`", "label `ERROR` is reached")
        );
        assert_eq!(said("left == 80".into()), expect("left == 80", "left == 80"));
    }
}
