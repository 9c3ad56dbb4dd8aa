//! Functions that mean something to us by their name: the primitives of the API models, SV-COMP's conventions, and the names of the
//! library that mean the same.
//!
//! This is the one table of such names. A name is looked up once, when it is interned ([`crate::names::Names::primitive`]);
//! from there on everybody matches on [`Primitive`], exhaustively where it matters. A program may define a function of such a
//! name: whoever asks must know whether it did. Only for [`Primitive::Error`] the body counts for nothing.

/// What a call of a function means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// Any value of the result's type.
    Nondet,
    /// The thread ends when the argument is zero.
    Assume,
    /// An atomic block begins.
    AtomicBegin,
    /// It ends.
    AtomicEnd,
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
    /// So many bytes, a constant, count as never written.
    Unwritten,
    /// The thread returns to none of its functions: their variables end.
    EndLocals,
    /// Starts a thread.
    Fork,
    /// Waits for a thread's end.
    Join,
    /// The id of this thread.
    CurrentThread,
    /// Whether there is a thread of that id.
    ThreadExists,
    /// Ends this thread.
    ExitThread,
    /// Ends the process.
    ExitProcess,
    /// Ends the process abnormally.
    Abort,
    /// Makes a heap object.
    Allocate(Allocation),
    /// Ends it.
    Free,
    /// Bytes of the object behind a pointer.
    ObjectSize,
    /// A check of a property: condition and text.
    Check(Checked),
    /// A question about the program, with a constant answer.
    Question(Question),
    /// Reaching it makes the verdict unknown; the argument names what is not supported.
    Unsupported,
    /// A full fence.
    Fence,
    /// Prints something.
    Print(Printing),
    /// A byte of a floating number as text.
    FloatByte,
    /// A mantissa times a power of ten.
    Decimal,
    /// A function of mathematics.
    Mathematics(Mathematics),
    /// `assert` has failed; the first argument is its text.
    AssertFail,
    /// Reaching the call breaks the assertion property, whatever the body is.
    Error,
    /// A bound of a sequentialization is reached.
    BoundReached,
    /// A sequentialization takes it that `main` is alone here.
    CheckAlone,
    /// A sequentialization has found a deadlock.
    Deadlock,
}

/// How a heap object is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allocation {
    /// Size, and whether it is zeroed.
    Plain,
    /// The same, for the library itself.
    Own,
    /// Size, and its alignment, a constant.
    Aligned,
}

/// The properties that models check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Checked {
    /// Locks used against their rules.
    Lock,
    /// Accesses outside of live objects.
    Memory,
    /// Assertions.
    Assertion,
}

/// Questions about the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Whether it names the function or variable that the argument, a text, names.
    Uses,
    /// Whether it reaches the function of the models that the argument, a text, names.
    Reaches,
    /// How it looks at handles of threads.
    ThreadsLookedAt,
    /// How it looks at keys.
    KeysLookedAt,
    /// Whether it may copy locks.
    LocksCopied,
    /// Whether the models tell threads apart: else what they know of one is any value.
    KeepsThreadsApart,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Printing {
    /// A byte.
    Byte,
    /// An integer.
    Integer,
    /// A floating number.
    Float,
    /// A pointer.
    Pointer,
}

/// Gives an enum of mathematics its words.
macro_rules! mathematics {
    ($($variant:ident => $word:literal),* $(,)?) => {
        /// Functions of `<math.h>` that have no simple definition in bits.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Mathematics {
            $(
                #[doc = $word]
                $variant,
            )*
        }

        impl Mathematics {
            fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

mathematics! {
    Sin => "sin",
    Cos => "cos",
    Tan => "tan",
    Asin => "asin",
    Acos => "acos",
    Atan => "atan",
    Atan2 => "atan2",
    Sinh => "sinh",
    Cosh => "cosh",
    Tanh => "tanh",
    Asinh => "asinh",
    Acosh => "acosh",
    Atanh => "atanh",
    Exp => "exp",
    Exp2 => "exp2",
    Expm1 => "expm1",
    Log => "log",
    Log1p => "log1p",
    Log2 => "log2",
    Log10 => "log10",
    Pow => "pow",
    Cbrt => "cbrt",
    Hypot => "hypot",
    Fmod => "fmod",
    Fma => "fma",
    FmaSingle => "fma_single",
}

/// How the names of nondeterministic choices begin; the type's name follows.
pub const NONDET: &str = "__VERIFIER_nondet_";

/// The choice whether a wait for a condition variable ends for no reason. It is one of the others; that it is this one may be used
/// to leave out wake-ups that change nothing.
pub const SPURIOUS: &str = "__raddle_nondet_spurious";

/// The names. Where there are several for one, the first is the one that passes print.
const NAMES: &[(&str, Primitive)] = &[
    ("__VERIFIER_assume", Primitive::Assume),
    ("__raddle_assume", Primitive::Assume),
    ("__VERIFIER_atomic_begin", Primitive::AtomicBegin),
    ("__raddle_atomic_begin", Primitive::AtomicBegin),
    ("__VERIFIER_atomic_end", Primitive::AtomicEnd),
    ("__raddle_atomic_end", Primitive::AtomicEnd),
    ("__raddle_wait_until", Primitive::WaitUntil),
    ("__raddle_lock", Primitive::Lock),
    ("__raddle_unlock", Primitive::Unlock),
    ("__raddle_holds", Primitive::HoldsLock),
    ("__raddle_lock_is_free", Primitive::LockIsFree),
    ("__raddle_peek", Primitive::Peek),
    ("__raddle_unwritten", Primitive::Unwritten),
    ("__raddle_end_locals", Primitive::EndLocals),
    ("__raddle_fork", Primitive::Fork),
    ("__raddle_join", Primitive::Join),
    ("__raddle_self", Primitive::CurrentThread),
    ("__raddle_thread_exists", Primitive::ThreadExists),
    ("__raddle_exit_thread", Primitive::ExitThread),
    ("__raddle_exit_process", Primitive::ExitProcess),
    ("abort", Primitive::Abort),
    ("__builtin_abort", Primitive::Abort),
    ("__raddle_abort", Primitive::Abort),
    ("__raddle_alloc", Primitive::Allocate(Allocation::Plain)),
    ("__raddle_alloc_own", Primitive::Allocate(Allocation::Own)),
    ("__raddle_alloc_aligned", Primitive::Allocate(Allocation::Aligned)),
    ("__raddle_free", Primitive::Free),
    ("__raddle_object_size", Primitive::ObjectSize),
    ("__raddle_check_lock", Primitive::Check(Checked::Lock)),
    ("__raddle_check_memory", Primitive::Check(Checked::Memory)),
    ("__raddle_check_assertion", Primitive::Check(Checked::Assertion)),
    ("__raddle_program_uses", Primitive::Question(Question::Uses)),
    ("__raddle_program_reaches", Primitive::Question(Question::Reaches)),
    ("__raddle_threads_looked_at", Primitive::Question(Question::ThreadsLookedAt)),
    ("__raddle_keys_looked_at", Primitive::Question(Question::KeysLookedAt)),
    ("__raddle_keeps_threads_apart", Primitive::Question(Question::KeepsThreadsApart)),
    ("__raddle_locks_copied", Primitive::Question(Question::LocksCopied)),
    ("__raddle_unsupported", Primitive::Unsupported),
    ("__raddle_fence", Primitive::Fence),
    ("__sync_synchronize", Primitive::Fence),
    ("__raddle_put_byte", Primitive::Print(Printing::Byte)),
    ("__raddle_put_integer", Primitive::Print(Printing::Integer)),
    ("__raddle_put_float", Primitive::Print(Printing::Float)),
    ("__raddle_put_pointer", Primitive::Print(Printing::Pointer)),
    ("__raddle_float_byte", Primitive::FloatByte),
    ("__raddle_decimal", Primitive::Decimal),
    ("__assert_fail", Primitive::AssertFail),
    ("__assert_perror_fail", Primitive::AssertFail),
    ("__assert", Primitive::AssertFail),
    ("reach_error", Primitive::Error),
    ("__VERIFIER_error", Primitive::Error),
    ("__raddle_bound_reached", Primitive::BoundReached),
    ("__raddle_check_alone", Primitive::CheckAlone),
    ("__raddle_deadlock", Primitive::Deadlock),
];

impl Primitive {
    /// The primitive of this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        if name.starts_with("__VERIFIER_nondet") || name.starts_with("__raddle_nondet") {
            return Some(Self::Nondet);
        }
        let listed = NAMES.iter().find(|(known, _)| *known == name).map(|(_, primitive)| *primitive);
        let word = || name.strip_prefix("__raddle_").and_then(Mathematics::from_word);
        listed.or_else(|| word().map(Self::Mathematics))
    }

    /// Those that have names of their own; one with several comes several times.
    pub fn listed() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(_, primitive)| *primitive)
    }

    /// The name that is printed for it; of choices and mathematics, which have many, none.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        NAMES.iter().find(|(_, primitive)| *primitive == self).map(|(name, _)| *name)
    }
}

/// SV-COMP: the whole body of a function of such a name is one atomic step.
#[must_use]
pub fn is_atomic_function(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_") && Primitive::named(name).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_primitives_and_back() {
        for (name, primitive) in NAMES {
            assert_eq!(Primitive::named(name), Some(*primitive));
            let printed = primitive.name().expect("it is listed");
            assert_eq!(Primitive::named(printed), Some(*primitive), "{name}");
        }
        assert_eq!(Primitive::named("__VERIFIER_nondet_int"), Some(Primitive::Nondet));
        assert_eq!(Primitive::named("__raddle_nondet_label"), Some(Primitive::Nondet));
        assert_eq!(Primitive::named("__raddle_atan2"), Some(Primitive::Mathematics(Mathematics::Atan2)));
        assert_eq!(Primitive::named("atan2"), None);
        assert_eq!(Primitive::named("__raddle_seq_lock"), None);
        assert_eq!(Primitive::Assume.name(), Some("__VERIFIER_assume"));
    }

    #[test]
    fn atomic_functions_are_those_that_are_not_borders() {
        assert!(is_atomic_function("__VERIFIER_atomic_acquire"));
        assert!(!is_atomic_function("__VERIFIER_atomic_begin"));
        assert!(!is_atomic_function("atomic_begin"));
    }
}
