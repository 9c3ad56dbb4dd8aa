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
