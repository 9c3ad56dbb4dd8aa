//! What to check in the lowered program beyond what the program itself asserts.

use crate::environment::Environment;

/// What to check in the lowered program beyond what the program itself asserts.
#[derive(Clone, Debug, Default)]
pub struct LowerOptions {
    /// Which arithmetic without a result becomes checks.
    pub overflow: OverflowChecks,
    /// What signed overflow means where nobody checks it.
    pub signed_overflow: SignedOverflow,
    /// What `main` gets as `argv`, the program's name first.
    pub arguments: Vec<String>,
    /// Reaching a label of one of these names breaks the assertion property.
    pub error_labels: Vec<String>,
    /// The world around the program.
    pub environment: Environment,
}

/// Which arithmetic without a result becomes checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverflowChecks {
    /// None: nobody asks for the property.
    #[default]
    None,
    /// Only results that are no values of their signed type, as SV-COMP's no-overflow asks. Other executions without a result are
    /// assumed not to be.
    SignedOnly,
    /// Signed overflow, division by zero, over-wide shifts, floating values out of the range of an integer type.
    All,
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

/// What a check of a label in [`LowerOptions::error_labels`] says.
#[must_use]
pub fn error_label_message(label: &str) -> String {
    format!("label `{label}` is reached")
}

impl OverflowChecks {
    /// All or none.
    #[must_use]
    pub const fn all_if(asked: bool) -> Self {
        if asked { Self::All } else { Self::None }
    }
}
