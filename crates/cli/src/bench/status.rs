//! What became of one task, and what that is worth.

use std::fmt;

/// What a task's own file, or a checker, says about the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    True,
    False,
    Unknown,
}

impl Verdict {
    /// The word after `VERDICT:`.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        [Self::True, Self::False, Self::Unknown].into_iter().find(|verdict| verdict.to_string() == word)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::True => "TRUE",
            Self::False => "FALSE",
            Self::Unknown => "UNKNOWN",
        })
    }
}

/// How a task ended. There is no status between right and wrong: what is not a verdict is worth nothing and costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    CorrectTrue,
    CorrectFalse,
    /// TRUE was said of a program with a bug.
    WrongTrue,
    /// FALSE was said of a program without one.
    WrongFalse,
    /// Safe up to bounds, which is no verdict.
    BoundedSafe,
    Unknown,
    Timeout,
    OutOfMemory,
    /// The checker refused the input.
    InputError,
    /// The checker made a mistake, crashed or contradicted itself.
    InternalError,
}

impl Status {
    /// All of them, the worst first: of several runs of a task the worst counts.
    pub(super) const WORST_FIRST: [Self; 10] = [
        Self::WrongTrue,
        Self::WrongFalse,
        Self::InternalError,
        Self::InputError,
        Self::OutOfMemory,
        Self::Timeout,
        Self::Unknown,
        Self::BoundedSafe,
        Self::CorrectFalse,
        Self::CorrectTrue,
    ];

    /// As it stands in tables and files.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::CorrectTrue => "correct-true",
            Self::CorrectFalse => "correct-false",
            Self::WrongTrue => "WRONG-TRUE",
            Self::WrongFalse => "WRONG-FALSE",
            Self::BoundedSafe => "bounded-safe",
            Self::Unknown => "unknown",
            Self::Timeout => "time-out",
            Self::OutOfMemory => "out-of-memory",
            Self::InputError => "input-error",
            Self::InternalError => "internal-error",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::WORST_FIRST.into_iter().find(|status| status.name() == name)
    }

    /// The points that SV-COMP gives.
    pub(super) const fn score(self) -> i64 {
        match self {
            Self::CorrectTrue => 2,
            Self::CorrectFalse => 1,
            Self::WrongTrue => -32,
            Self::WrongFalse => -16,
            Self::BoundedSafe
            | Self::Unknown
            | Self::Timeout
            | Self::OutOfMemory
            | Self::InputError
            | Self::InternalError => 0,
        }
    }

    pub(super) const fn group(self) -> Group {
        match self {
            Self::WrongTrue | Self::WrongFalse => Group::Wrong,
            Self::InputError | Self::InternalError => Group::Error,
            Self::Unknown | Self::Timeout | Self::OutOfMemory => Group::Undecided,
            Self::BoundedSafe => Group::Bounded,
            Self::CorrectTrue | Self::CorrectFalse => Group::Correct,
        }
    }
}

/// Statuses that are as good as each other, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Wrong,
    Error,
    Undecided,
    Bounded,
    Correct,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for status in Status::WORST_FIRST {
            assert_eq!(Status::from_name(status.name()), Some(status));
        }
        assert_eq!(Verdict::from_word("UNKNOWN"), Some(Verdict::Unknown));
        assert_eq!(Verdict::from_word("true"), None);
    }

    #[test]
    fn the_order_agrees_with_the_groups() {
        assert!(Status::WORST_FIRST.is_sorted_by_key(|status| status.group()));
    }
}
