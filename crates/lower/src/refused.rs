//! The constructs that have no meaning here, by name, and what to write instead.
//!
//! A path that reaches one of them makes the verdict unknown; one that stands where it has an effect without being
//! reached (assembly at file scope, an initialiser of a static object) is an error of its own.

/// A construct that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// `long double` and the other names of the 80-bit type.
    LongDouble,
    /// `_Float128`, `__float128`
    Float128,
    /// `_Float16`
    Float16,
    /// `_Decimal32` and its kin.
    Decimal,
    /// `_Complex`, `__real__`, `__imag__`
    Complex,
    /// Vectors of GNU C.
    Vector,
    /// An `asm` statement that is neither empty nor a pause or fence.
    Assembly,
    /// Another function than `setjmp` that may return twice.
    ReturnsTwice,
    /// `makecontext` and its kin.
    Context,
    /// A nested function that uses variables of the function around it.
    NestedCapture,
    /// A structure with a member of variable length.
    VariableRecord,
    /// A computed `goto` to something that is no label of the function.
    ForeignLabel,
    /// A jump across declarations with the attribute `cleanup`, to a label that is not known.
    CleanupJump,
    /// An atomic operation on an object of more than 16 bytes, or of an odd size.
    LargeAtomic,
    /// `__builtin_add_overflow` and its kin on 128-bit integers.
    WideOverflow,
    /// `va_start` in a function without `...`.
    StrayVaStart,
    /// A call with arguments that the function's definition cannot take.
    WrongArguments,
    /// `__VERIFIER_nondet_…` of a structure.
    NondetAggregate,
    /// A floating test (`isnan`, …) of a type that is not `float` or `double`.
    FloatTest,
    /// Arithmetic with a bit-field wider than `int`: with gcc it has as many bits as the bit-field, with clang those of its type.
    WideBitField,
    /// What an error in the program left behind.
    Erroneous,
}

impl Refused {
    /// All of them, for the manual.
    pub const ALL: &'static [Self] = &[
        Self::LongDouble,
        Self::Float128,
        Self::Float16,
        Self::Decimal,
        Self::Complex,
        Self::Vector,
        Self::Assembly,
        Self::ReturnsTwice,
        Self::Context,
        Self::NestedCapture,
        Self::VariableRecord,
        Self::ForeignLabel,
        Self::CleanupJump,
        Self::LargeAtomic,
        Self::WideOverflow,
        Self::StrayVaStart,
        Self::WrongArguments,
        Self::NondetAggregate,
        Self::FloatTest,
        Self::WideBitField,
        Self::Erroneous,
    ];

    /// What it is.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LongDouble => "a value of type `long double`",
            Self::Float128 => "a value of a 128-bit floating type",
            Self::Float16 => "a value of type `_Float16`",
            Self::Decimal => "a value of a decimal floating type",
            Self::Complex => "a complex number",
            Self::Vector => "a value of a vector type",
            Self::Assembly => "inline assembly",
            Self::ReturnsTwice => "a function without a body that returns twice",
            Self::Context => "contexts (`makecontext`, `swapcontext`)",
            Self::NestedCapture => "a nested function that uses variables of the function around it",
            Self::VariableRecord => "a structure with a member of variable length",
            Self::ForeignLabel => "a computed `goto` to something that is no label of the function",
            Self::CleanupJump => "a jump out of a block with `cleanup` variables",
            Self::LargeAtomic => "an atomic operation on an object that no machine instruction covers",
            Self::WideOverflow => "arithmetic with overflow test on 128-bit integers",
            Self::StrayVaStart => "`va_start` in a function without `...`",
            Self::WrongArguments => "a call with other arguments than the function takes",
            Self::NondetAggregate => "a nondeterministic value that is not a scalar",
            Self::FloatTest => "a floating test of a type that is neither `float` nor `double`",
            Self::WideBitField => {
                "arithmetic with a bit-field wider than `int`, which compilers do in different widths"
            }
            Self::Erroneous => "an erroneous construct",
        }
    }

    /// What to write instead.
    #[must_use]
    pub const fn way_around(self) -> &'static str {
        match self {
            Self::LongDouble | Self::Float128 | Self::Float16 | Self::Decimal => {
                "use `double` or `float`, whose arithmetic is exact to the bit"
            }
            Self::Complex => "compute with the real and the imaginary part as two `double`s",
            Self::Vector => "use an array and a loop",
            Self::Assembly => "write in C what it does, with `__atomic` built-ins where it is atomic",
            Self::ReturnsTwice => "use `setjmp` and `longjmp`",
            Self::Context => "use threads",
            Self::NestedCapture => "pass what it needs as arguments",
            Self::VariableRecord => "use a flexible array member and `malloc`",
            Self::ForeignLabel => "use `switch`, or jump to labels of the same function only",
            Self::CleanupJump => "leave the block by `break`, `return` or its end",
            Self::LargeAtomic => "protect the object with a mutex",
            Self::WideOverflow => "compute with 64-bit integers",
            Self::StrayVaStart => "pass the `va_list` as an argument",
            Self::WrongArguments => "declare the function with its prototype before the call",
            Self::NondetAggregate => "fill the members one by one",
            Self::FloatTest => "convert the operand to `double`",
            Self::WideBitField => "convert it to its type first",
            Self::Erroneous => "correct the error",
        }
    }

    /// Both, as a message.
    #[must_use]
    pub fn text(self) -> String {
        format!("{}; {}", self.name(), self.way_around())
    }
}

/// Library functions that no model can give a meaning: they change where the program goes on.
pub(crate) fn refused_function(name: &str) -> Option<Refused> {
    match name.trim_start_matches('_').trim_start_matches("builtin_") {
        "getcontext" | "setcontext" | "makecontext" | "swapcontext" => Some(Refused::Context),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_names_itself_and_a_way_around() {
        for (index, refused) in Refused::ALL.iter().enumerate() {
            assert!(refused.text().contains("; "), "{refused:?}");
            assert!(!Refused::ALL[..index].iter().any(|other| other.name() == refused.name()), "{refused:?}");
        }
    }

    #[test]
    fn contexts_are_known_by_all_their_names() {
        for name in ["getcontext", "__swapcontext"] {
            assert_eq!(refused_function(name), Some(Refused::Context), "{name}");
        }
        assert_eq!(refused_function("context"), None);
    }
}
