//! What to check in the lowered program beyond what the program itself asserts.

use raddle_ir::Property;

use crate::environment::Environment;

/// What to check in the lowered program beyond what the program itself asserts.
#[derive(Clone, Debug, Default)]
pub struct LowerOptions {
    /// Which arithmetic without a result becomes checks.
    pub arithmetic: ArithmeticChecks,
    /// What signed overflow means where nobody checks it.
    pub signed_overflow: SignedOverflow,
    /// What `main` gets as `argv`, the program's name first.
    pub arguments: Vec<String>,
    /// Reaching a label of one of these names breaks the assertion property.
    pub error_labels: Vec<String>,
    /// The world around the program.
    pub environment: Environment,
    /// What the models of the thread API keep of single threads.
    pub threads: Threads,
}

/// What the models of the thread API keep of single threads: who is detached, joined, over, waits for a condition variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// All that POSIX says. There is a limit to the number of threads of which something is kept.
    #[default]
    Apart,
    /// Nothing; where it is asked for it is any value. The program then has all executions that it really has, and more, so only proofs may be
    /// taken from it, of properties for which [`proofs_without_apart`](Self::proofs_without_apart) says so.
    Alike,
}

impl Threads {
    /// Whether what holds of a property where threads are alike holds of the program: nothing that the property is about was left out.
    ///
    /// Misuse of locks and threads is not checked there, who waits for a condition is never stuck, and what is lost at the end depends on both.
    #[must_use]
    pub const fn proofs_without_apart(property: Property) -> bool {
        match property {
            Property::Assertion
            | Property::DataRace
            | Property::MemorySafety
            | Property::Overflow
            | Property::Arithmetic => true,
            Property::LockMisuse
            | Property::Deadlock
            | Property::Leak
            | Property::Cleanup
            | Property::Uninitialised => false,
        }
    }
}

/// Which arithmetic without a result becomes checks: those of the properties that somebody asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArithmeticChecks {
    /// [`Property::Overflow`]
    pub overflow: bool,
    /// [`Property::Arithmetic`]
    pub no_result: bool,
}

impl ArithmeticChecks {
    /// Those that the properties need.
    #[must_use]
    pub fn of(properties: &[Property]) -> Self {
        Self {
            overflow: properties.contains(&Property::Overflow),
            no_result: properties.contains(&Property::Arithmetic),
        }
    }

    /// Whether there are none.
    pub(crate) const fn is_none(self) -> bool {
        !self.overflow && !self.no_result
    }
}

/// What signed overflow means, and conversions of floating values out of the range of an integer type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignedOverflow {
    /// The result wraps around, as gcc does with `-fwrapv`.
    #[default]
    Wraps,
    /// The behaviour is undefined: an execution ends there.
    Undefined,
}
