//! What calls of functions do that mean something by their name: primitives ([`raddle_cfront::primitive`]), built-ins, and what of
//! the library is an instruction.

use raddle_cfront::ast::{Ast, FunctionId};
use raddle_cfront::check::builtin::OverflowOp;
use raddle_cfront::opaque::Opaque;
use raddle_cfront::primitive::{Allocation, Checked, Mathematics, Primitive, Printing, Question};
use raddle_ir::{AllocStorage, MathFunction, Property};

use crate::spelling::spelled;

/// What a call of a known function does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Known {
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
    /// How the program looks at values that are opaque: 0 never, 1 compares them, 2 takes them for numbers.
    LooksAt(Opaque),
    /// Whether the program may copy locks.
    CopiesLocks,
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
pub(crate) fn known(ast: &Ast, function: FunctionId) -> Option<Known> {
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
        "alloca" => Known::Alloca,
        "ffs" | "ffsl" | "ffsll" => Known::Bits(BitQuestion::FirstSet),
        "__pthread_register_cancel" => Known::RegisterCleanup,
        "sqrt" | "sqrtf" => Known::Float(UnaryOp::FloatSqrt),
        "fabs" | "fabsf" => Known::Float(UnaryOp::FloatAbs),
        _ => return None,
    })
}

/// What a call of a primitive does; nothing is known of those that a sequentialization has for itself, and that others replace.
fn of_primitive(primitive: Primitive) -> Option<Known> {
    use raddle_ir::Intrinsic;
    Some(match primitive {
        Primitive::Nondet => Known::Nondet,
        Primitive::Assume => Known::Assume,
        Primitive::AtomicBegin => Known::AtomicBegin,
        Primitive::AtomicEnd => Known::AtomicEnd,
        Primitive::WaitUntil => Known::WaitUntil,
        Primitive::Lock => Known::Lock,
        Primitive::Unlock => Known::Unlock,
        Primitive::HoldsLock => Known::HoldsLock,
        Primitive::LockIsFree => Known::LockIsFree,
        Primitive::Peek => Known::Peek,
        Primitive::Unwritten => Known::Unwritten,
        Primitive::EndLocals => Known::EndLocals,
        Primitive::Fork => Known::Fork,
        Primitive::Join => Known::Join,
        Primitive::CurrentThread => Known::CurrentThread,
        Primitive::ThreadExists => Known::ThreadExists,
        Primitive::ExitThread => Known::ExitThread,
        Primitive::ExitProcess => Known::ExitProcess,
        Primitive::Abort => Known::Abort,
        Primitive::Allocate(Allocation::Plain) => Known::Alloc(AllocStorage::Heap),
        Primitive::Allocate(Allocation::Own) => Known::Alloc(AllocStorage::Library),
        Primitive::Allocate(Allocation::Aligned) => Known::AllocAligned,
        Primitive::Free => Known::Free,
        Primitive::ObjectSize => Known::ObjectSize,
        Primitive::Check(Checked::Lock) => Known::Check(Property::LockMisuse),
        Primitive::Check(Checked::Memory) => Known::Check(Property::MemorySafety),
        Primitive::Check(Checked::Assertion) => Known::Check(Property::Assertion),
        Primitive::Question(Question::Uses) => Known::ProgramUses,
        Primitive::Question(Question::ThreadsLookedAt) => Known::LooksAt(Opaque::Thread),
        Primitive::Question(Question::KeysLookedAt) => Known::LooksAt(Opaque::Key),
        Primitive::Question(Question::LocksCopied) => Known::CopiesLocks,
        Primitive::Unsupported => Known::Unsupported,
        Primitive::Fence => Known::Fence,
        Primitive::Print(Printing::Byte) => Known::Intrinsic(Intrinsic::PutByte),
        Primitive::Print(Printing::Integer) => Known::Intrinsic(Intrinsic::PutInteger),
        Primitive::Print(Printing::Float) => Known::Intrinsic(Intrinsic::PutFloat),
        Primitive::Print(Printing::Pointer) => Known::Intrinsic(Intrinsic::PutPointer),
        Primitive::FloatByte => Known::Intrinsic(Intrinsic::FloatByte),
        Primitive::Decimal => Known::Intrinsic(Intrinsic::Decimal),
        Primitive::Mathematics(function) => Known::Intrinsic(Intrinsic::Math(mathematics(function))),
        Primitive::AssertFail => Known::AssertFail,
        Primitive::Error => Known::Error,
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
