//! What calls of functions do that mean something by their name: primitives ([`raddle_cfront::primitive`]), built-ins, and what of
//! the library is an instruction.

use raddle_cfront::ast::{Ast, FunctionId};
use raddle_cfront::check::builtin::OverflowOp;
use raddle_cfront::opaque::Opaque;
use raddle_cfront::primitive::{Allocation, Checked, Mathematics, Primitive, Printing, Question};
use raddle_cfront::spelling::spelled;
use raddle_ir::{AllocStorage, MathFunction, Property};

/// What a call of a known function does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum KnownFunction {
    /// Any value of the result's type.
    Nondet,
    /// The thread ends when the argument is zero.
    Assume,
    /// An atomic block begins.
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
    /// Whether it reaches the function of the models that the argument names.
    ProgramReaches,
    /// How the program looks at values that are opaque: 0 never, 1 compares them, 2 takes them for numbers.
    LooksAt(Opaque),
    /// Whether the program may copy locks.
    CopiesLocks,
    /// Whether the models tell threads apart.
    KeepsThreadsApart,
    /// A cleanup handler is registered.
    RegisterCleanup,
    /// Bytes of the object behind a pointer.
    ObjectSize,
    /// A check of a property: condition and text.
    Check(Property),
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
    /// One plus the position of the lowest bit set, or zero.
    FirstSet,
    /// Copies of the sign bit behind it.
    SignCopies,
    /// Bytes reversed.
    Swap,
}

/// What a built-in of ordinary type means, by its name without `__builtin_`; the rest are library functions.
fn builtin(name: &str) -> Option<KnownFunction> {
    use raddle_ir::UnaryOp;
    let question = |question| Some(KnownFunction::Bits(question));
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
        "bswap16" | "bswap32" | "bswap64" | "bswap128" => KnownFunction::Bits(BitQuestion::Swap),
        "expect" | "expect_with_probability" | "assume_aligned" => KnownFunction::First,
        "prefetch" | "cpu_init" => KnownFunction::Nothing,
        "unreachable" => KnownFunction::Unreachable,
        "trap" => KnownFunction::Abort,
        "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => KnownFunction::Alloca,
        "object_size" | "dynamic_object_size" => KnownFunction::UnknownSize,
        "huge_val" | "huge_valf" | "inf" | "inff" => KnownFunction::FloatConstant(f64::INFINITY),
        "nan" | "nanf" => KnownFunction::FloatConstant(f64::NAN),
        "fabs" | "fabsf" => KnownFunction::Float(UnaryOp::FloatAbs),
        _ => return None,
    })
}

/// What a function without a body of its own means.
pub(crate) fn known(ast: &Ast, function: FunctionId) -> Option<KnownFunction> {
    use raddle_ir::UnaryOp;
    if let Some(primitive) = ast.primitive(function) {
        return of_primitive(primitive);
    }
    let name = ast.text(ast.functions[function].name);
    if let Some(known) = name.strip_prefix("__builtin_").and_then(builtin) {
        return Some(known);
    }
    // Functions of the library that are instructions.
    Some(match &*spelled(name) {
        "alloca" => KnownFunction::Alloca,
        "ffs" | "ffsl" | "ffsll" => KnownFunction::Bits(BitQuestion::FirstSet),
        "__pthread_register_cancel" => KnownFunction::RegisterCleanup,
        "sqrt" | "sqrtf" => KnownFunction::Float(UnaryOp::FloatSqrt),
        "fabs" | "fabsf" => KnownFunction::Float(UnaryOp::FloatAbs),
        _ => return None,
    })
}

/// What a call of a primitive does; nothing is known of those that a sequentialization has for itself, and that others replace.
fn of_primitive(primitive: Primitive) -> Option<KnownFunction> {
    use raddle_ir::Intrinsic;
    Some(match primitive {
        Primitive::Nondet => KnownFunction::Nondet,
        Primitive::Assume => KnownFunction::Assume,
        Primitive::AtomicBegin => KnownFunction::AtomicBegin,
        Primitive::AtomicEnd => KnownFunction::AtomicEnd,
        Primitive::WaitUntil => KnownFunction::WaitUntil,
        Primitive::Lock => KnownFunction::Lock,
        Primitive::Unlock => KnownFunction::Unlock,
        Primitive::HoldsLock => KnownFunction::HoldsLock,
        Primitive::LockIsFree => KnownFunction::LockIsFree,
        Primitive::Peek => KnownFunction::Peek,
        Primitive::Unwritten => KnownFunction::Unwritten,
        Primitive::EndLocals => KnownFunction::EndLocals,
        Primitive::Fork => KnownFunction::Fork,
        Primitive::Join => KnownFunction::Join,
        Primitive::CurrentThread => KnownFunction::CurrentThread,
        Primitive::ThreadExists => KnownFunction::ThreadExists,
        Primitive::ExitThread => KnownFunction::ExitThread,
        Primitive::ExitProcess => KnownFunction::ExitProcess,
        Primitive::Abort => KnownFunction::Abort,
        Primitive::Allocate(Allocation::Plain) => KnownFunction::Alloc(AllocStorage::Heap),
        Primitive::Allocate(Allocation::Own) => KnownFunction::Alloc(AllocStorage::Library),
        Primitive::Allocate(Allocation::Aligned) => KnownFunction::AllocAligned,
        Primitive::Free => KnownFunction::Free,
        Primitive::ObjectSize => KnownFunction::ObjectSize,
        Primitive::Check(Checked::Lock) => KnownFunction::Check(Property::LockMisuse),
        Primitive::Check(Checked::Memory) => KnownFunction::Check(Property::MemorySafety),
        Primitive::Check(Checked::Assertion) => KnownFunction::Check(Property::Assertion),
        Primitive::Question(Question::Uses) => KnownFunction::ProgramUses,
        Primitive::Question(Question::Reaches) => KnownFunction::ProgramReaches,
        Primitive::Question(Question::ThreadsLookedAt) => KnownFunction::LooksAt(Opaque::Thread),
        Primitive::Question(Question::KeysLookedAt) => KnownFunction::LooksAt(Opaque::Key),
        Primitive::Question(Question::LocksCopied) => KnownFunction::CopiesLocks,
        Primitive::Question(Question::KeepsThreadsApart) => KnownFunction::KeepsThreadsApart,
        Primitive::Unsupported => KnownFunction::Unsupported,
        Primitive::Fence => KnownFunction::Fence,
        Primitive::Print(Printing::Byte) => KnownFunction::Intrinsic(Intrinsic::PutByte),
        Primitive::Print(Printing::Integer) => KnownFunction::Intrinsic(Intrinsic::PutInteger),
        Primitive::Print(Printing::Float) => KnownFunction::Intrinsic(Intrinsic::PutFloat),
        Primitive::Print(Printing::Pointer) => KnownFunction::Intrinsic(Intrinsic::PutPointer),
        Primitive::FloatByte => KnownFunction::Intrinsic(Intrinsic::FloatByte),
        Primitive::Decimal => KnownFunction::Intrinsic(Intrinsic::Decimal),
        Primitive::Mathematics(function) => KnownFunction::Intrinsic(Intrinsic::Math(mathematics(function))),
        Primitive::AssertFail => KnownFunction::AssertFail,
        Primitive::Error => KnownFunction::Error,
        Primitive::BoundReached | Primitive::CheckAlone | Primitive::Deadlock => return None,
    })
}

fn mathematics(function: Mathematics) -> MathFunction {
    match function {
        Mathematics::Sin => MathFunction::Sin,
        Mathematics::Cos => MathFunction::Cos,
        Mathematics::Tan => MathFunction::Tan,
        Mathematics::Asin => MathFunction::Asin,
        Mathematics::Acos => MathFunction::Acos,
        Mathematics::Atan => MathFunction::Atan,
        Mathematics::Atan2 => MathFunction::Atan2,
        Mathematics::Sinh => MathFunction::Sinh,
        Mathematics::Cosh => MathFunction::Cosh,
        Mathematics::Tanh => MathFunction::Tanh,
        Mathematics::Asinh => MathFunction::Asinh,
        Mathematics::Acosh => MathFunction::Acosh,
        Mathematics::Atanh => MathFunction::Atanh,
        Mathematics::Exp => MathFunction::Exp,
        Mathematics::Exp2 => MathFunction::Exp2,
        Mathematics::Expm1 => MathFunction::Expm1,
        Mathematics::Log => MathFunction::Log,
        Mathematics::Log1p => MathFunction::Log1p,
        Mathematics::Log2 => MathFunction::Log2,
        Mathematics::Log10 => MathFunction::Log10,
        Mathematics::Pow => MathFunction::Pow,
        Mathematics::Cbrt => MathFunction::Cbrt,
        Mathematics::Hypot => MathFunction::Hypot,
        Mathematics::Fmod => MathFunction::Fmod,
        Mathematics::Fma => MathFunction::Fma,
        Mathematics::FmaSingle => MathFunction::FmaSingle,
    }
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
