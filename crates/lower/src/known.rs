//! Functions that mean something to us by their name: the primitives of the models, SV-COMP's conventions, the ways to fail.

use raddle_cfront::check::builtin::OverflowOp;
use raddle_cfront::opaque::Opaque;
use raddle_ir::AllocStorage;

use crate::spelling::spelled;

/// What a call of a known function does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Known {
    /// Any value of the result's type.
    Nondet,
    /// The thread ends when the argument is zero.
    Assume,
    /// An atomic section begins.
    AtomicBegin,
    /// It ends.
    AtomicEnd,
    /// Reaching the call breaks the assertion property.
    Error,
    /// `assert` has failed; the first argument is its text.
    AssertFail,
    /// Ends the process abnormally.
    Abort,
    /// The thread waits while the argument is zero.
    WaitUntil,
    /// Takes a lock word.
    Lock,
    /// Releases it.
    Unlock,
    /// Whether this thread has taken it.
    HoldsLock,
    /// Whether nobody has.
    LockIsFree,
    /// A word, and a constant for it if it was never written.
    Peek,
    /// The thread returns to none of its functions: their variables end.
    EndLocals,
    /// So many bytes, a constant, count as never written.
    Unwritten,
    /// Starts a thread.
    Fork,
    /// Waits for a thread's end.
    Join,
    /// The number of this thread.
    CurrentThread,
    /// Whether there is a thread of that number.
    ThreadExists,
    /// Ends this thread.
    ExitThread,
    /// Ends the process.
    ExitProcess,
    /// Makes a heap object: size, and whether it is zeroed.
    Alloc(AllocStorage),
    /// Makes a heap object: size, and its alignment, a constant.
    AllocAligned,
    /// Ends it.
    Free,
    /// Whether the program names the function or variable that the argument, a text, names.
    ProgramUses,
    /// How the program looks at values that are opaque: 0 never, 1 compares them, 2 takes them for numbers.
    LooksAt(Opaque),
    /// Whether the program may copy locks.
    CopiesLocks,
    /// A cleanup handler is registered.
    RegisterCleanup,
    /// Bytes of the object behind a pointer.
    ObjectSize,
    /// A check of a property: condition and text.
    Check(raddle_ir::Property),
    /// A full fence.
    Fence,
    /// Reaching it makes the verdict unknown; the argument names what is not supported.
    Unsupported,
    /// A service of the machine.
    Intrinsic(raddle_ir::Intrinsic),
    /// A floating operation.
    Float(raddle_ir::UnaryOp),
    /// The first argument, the others evaluated.
    First,
    /// Nothing but the evaluation of its arguments.
    Nothing,
    /// Promised to be out of reach.
    Unreachable,
    /// Memory until the function returns.
    Alloca,
    /// A question about the bits of an integer.
    Bits(BitQuestion),
    /// A floating constant.
    FloatConstant(f64),
    /// `__builtin_object_size`: nothing is known, as gcc answers without optimisation.
    UnknownSize,
}

/// Questions about the bits of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitQuestion {
    /// Leading zeros.
    LeadingZeros,
    /// Trailing zeros.
    TrailingZeros,
    /// Bits set.
    Count,
    /// Whether an odd number is set.
    Parity,
    /// One plus the place of the lowest bit set, or zero.
    FirstSet,
    /// Copies of the sign bit behind it.
    SignCopies,
    /// Bytes reversed.
    Swap,
}

/// What a built-in of ordinary type means, by its name without `__builtin_`; the rest are library functions.
fn builtin(name: &str) -> Option<Known> {
    use raddle_ir::UnaryOp;
    let question = |question| Some(Known::Bits(question));
    let width_suffix =
        |family: &str| name.strip_prefix(family).is_some_and(|rest| matches!(rest, "" | "l" | "ll"));
    for (family, known) in [
        ("clz", BitQuestion::LeadingZeros),
        ("ctz", BitQuestion::TrailingZeros),
        ("popcount", BitQuestion::Count),
        ("parity", BitQuestion::Parity),
        ("ffs", BitQuestion::FirstSet),
        ("clrsb", BitQuestion::SignCopies),
    ] {
        if width_suffix(family) {
            return question(known);
        }
    }
    Some(match name {
        "bswap16" | "bswap32" | "bswap64" | "bswap128" => Known::Bits(BitQuestion::Swap),
        "expect" | "expect_with_probability" | "assume_aligned" => Known::First,
        "prefetch" | "cpu_init" => Known::Nothing,
        "unreachable" => Known::Unreachable,
        "trap" => Known::Abort,
        "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => Known::Alloca,
        "object_size" | "dynamic_object_size" => Known::UnknownSize,
        "huge_val" | "huge_valf" | "inf" | "inff" => Known::FloatConstant(f64::INFINITY),
        "nan" | "nanf" => Known::FloatConstant(f64::NAN),
        "fabs" | "fabsf" => Known::Float(UnaryOp::FloatAbs),
        _ => return None,
    })
}

/// What a function without a body of its own means.
pub(crate) fn primitive(name: &str) -> Option<Known> {
    use raddle_ir::{Intrinsic, Property, UnaryOp};
    if name.starts_with("__VERIFIER_nondet") || name.starts_with("__raddle_nondet") {
        return Some(Known::Nondet);
    }
    if let Some(known) = name.strip_prefix("__builtin_").and_then(builtin) {
        return Some(known);
    }
    if let Some(function) = name.strip_prefix("__raddle_").and_then(raddle_ir::MathFunction::from_word) {
        return Some(Known::Intrinsic(Intrinsic::Math(function)));
    }
    let name = &*spelled(name);
    Some(match name {
        "__VERIFIER_assume" | "__raddle_assume" => Known::Assume,
        "__VERIFIER_atomic_begin" | "__raddle_atomic_begin" => Known::AtomicBegin,
        "__VERIFIER_atomic_end" | "__raddle_atomic_end" => Known::AtomicEnd,
        "__assert_fail" | "__assert_perror_fail" | "__assert" => Known::AssertFail,
        "abort" | "__raddle_abort" => Known::Abort,
        "alloca" => Known::Alloca,
        "ffs" | "ffsl" | "ffsll" => Known::Bits(BitQuestion::FirstSet),
        "__raddle_wait_until" => Known::WaitUntil,
        "__raddle_lock" => Known::Lock,
        "__raddle_unlock" => Known::Unlock,
        "__raddle_holds" => Known::HoldsLock,
        "__raddle_lock_is_free" => Known::LockIsFree,
        "__raddle_peek" => Known::Peek,
        "__raddle_unwritten" => Known::Unwritten,
        "__raddle_end_locals" => Known::EndLocals,
        "__raddle_fork" => Known::Fork,
        "__raddle_join" => Known::Join,
        "__raddle_self" => Known::CurrentThread,
        "__raddle_thread_exists" => Known::ThreadExists,
        "__raddle_exit_thread" => Known::ExitThread,
        "__raddle_exit_process" => Known::ExitProcess,
        "__raddle_alloc" => Known::Alloc(AllocStorage::Heap),
        "__raddle_alloc_own" => Known::Alloc(AllocStorage::Library),
        "__raddle_alloc_aligned" => Known::AllocAligned,
        "__raddle_free" => Known::Free,
        "__raddle_program_uses" => Known::ProgramUses,
        "__raddle_threads_looked_at" => Known::LooksAt(Opaque::Thread),
        "__raddle_locks_copied" => Known::CopiesLocks,
        "__raddle_keys_looked_at" => Known::LooksAt(Opaque::Key),
        "__pthread_register_cancel" => Known::RegisterCleanup,
        "__raddle_object_size" => Known::ObjectSize,
        "__raddle_check_lock" => Known::Check(Property::LockMisuse),
        "__raddle_check_memory" => Known::Check(Property::MemorySafety),
        "__raddle_check_assertion" => Known::Check(Property::Assertion),
        "__raddle_fence" | "__sync_synchronize" => Known::Fence,
        "__raddle_unsupported" => Known::Unsupported,
        "__raddle_put_byte" => Known::Intrinsic(Intrinsic::PutByte),
        "__raddle_put_integer" => Known::Intrinsic(Intrinsic::PutInteger),
        "__raddle_put_float" => Known::Intrinsic(Intrinsic::PutFloat),
        "__raddle_put_pointer" => Known::Intrinsic(Intrinsic::PutPointer),
        "__raddle_float_byte" => Known::Intrinsic(Intrinsic::FloatByte),
        "__raddle_decimal" => Known::Intrinsic(Intrinsic::Decimal),
        "sqrt" | "sqrtf" => Known::Float(UnaryOp::FloatSqrt),
        "fabs" | "fabsf" => Known::Float(UnaryOp::FloatAbs),
        _ => return None,
    })
}

/// `__builtin_sadd_overflow` and its kin, which have the types of their operands in their names.
pub(crate) fn typed_overflow(name: &str) -> Option<OverflowOp> {
    let name = name.strip_prefix("__builtin_")?.strip_suffix("_overflow")?;
    let name = name.strip_prefix(['s', 'u'])?;
    match name.strip_suffix("ll").or_else(|| name.strip_suffix('l')).unwrap_or(name) {
        "add" => Some(OverflowOp::Add),
        "sub" => Some(OverflowOp::Sub),
        // The last letter of the operator is not one of the type's.
        "mu" | "mul" => Some(OverflowOp::Mul),
        _ => None,
    }
}

/// What a function means even when the program gives it a body: calling it is the violation.
pub(crate) fn overriding(name: &str) -> Option<Known> {
    match name {
        "reach_error" | "__VERIFIER_error" => Some(Known::Error),
        _ => None,
    }
}

/// SV-COMP: the whole body of such a function is one atomic step.
pub(crate) fn is_atomic_function(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_")
        && !matches!(name, "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end")
}
