//! A counterexample of a sequential program as an external tool reports it, in terms of the lines of the text it was given.
//!
//! It says what the driver guessed and what the program was given: in which order threads had their turns, at which label each
//! was left, and which values the program read in each turn. With the table of lines it becomes a [`Record`], from which the
//! execution of the input is found. It is a claim of somebody else until the VM has replayed that.

use std::fmt;

use raddle_base::Span;

use crate::linemap::Printed;
use crate::record::{self, Record};

/// What a failed check was about. The description of every check begins with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckKind {
    /// An assertion of the program.
    Assertion,
    /// Wrong use of a lock or a thread.
    LockMisuse,
    /// Wrong use of memory.
    MemorySafety,
    /// Every live thread waits.
    Deadlock,
    /// Something that is not supported was reached: no violation, but no proof either.
    Unsupported,
    /// A loop or recursion went beyond its bound: no violation, but no proof beyond the bound either.
    Bound,
}

impl CheckKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Assertion,
        Self::LockMisuse,
        Self::MemorySafety,
        Self::Deadlock,
        Self::Unsupported,
        Self::Bound,
    ];

    /// The word before the colon.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::LockMisuse => "lock-misuse",
            Self::MemorySafety => "memory-safety",
            Self::Deadlock => "deadlock",
            Self::Unsupported => "unsupported",
            Self::Bound => "bound",
        }
    }

    /// Whether a property of the program is broken.
    #[must_use]
    pub const fn is_violation(self) -> bool {
        match self {
            Self::Assertion | Self::LockMisuse | Self::MemorySafety | Self::Deadlock => true,
            Self::Unsupported | Self::Bound => false,
        }
    }

    /// The kind of a check and what it says, from its description.
    #[must_use]
    pub fn split(description: &str) -> Option<(Self, &str)> {
        let (word, rest) = description.split_once(": ")?;
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == word)?;
        Some((kind, rest))
    }
}

impl fmt::Display for CheckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An execution of a sequentialized program in which a check fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// What the check is about.
    pub kind: CheckKind,
    /// What it says.
    pub message: String,
    /// The line of the sequential program that the check stands in.
    pub line: u32,
    /// The turns in their order; the check fails in the last one, or behind them all if it is about a deadlock.
    pub turns: Vec<ReportedTurn>,
    /// Thread ids in the order in which they are started, as far as that is known.
    pub started: Vec<u32>,
}

impl Counterexample {
    /// The same in terms of the input; `printed` is the text that the tool was given.
    #[must_use]
    pub fn record(&self, printed: &Printed) -> Record {
        let span = |line: u32| {
            let place = printed.lines.binary_search_by_key(&line, |mapped| mapped.line);
            place.map_or(Span::NONE, |place| printed.lines[place].span)
        };
        let mut record = Record { started: self.started.clone(), ..Record::default() };
        for (place, turn) in self.turns.iter().enumerate() {
            // A check fails before the last turn is over; a deadlock shows when all turns are.
            let is_over = place + 1 < self.turns.len() || self.kind == CheckKind::Deadlock;
            let leave = is_over.then_some(turn.leave);
            record.turns.push(record::Turn { thread: turn.thread, leave, globals: Vec::new() });
            for input in &turn.inputs {
                let value = match input.value {
                    InputValue::Bits { bits, .. } => bits,
                    InputValue::Null => 0,
                    // Where a pointer leads cannot be compared across programs.
                    InputValue::Pointer(_) => continue,
                };
                let (thread, name) = (turn.thread, String::new());
                record.inputs.push(record::Input { thread, name, span: span(input.line), value });
            }
        }
        record
    }
}

/// A thread goes on for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedTurn {
    /// The round, from one.
    pub round: u32,
    /// The thread's id; that of `main` is zero.
    pub thread: u32,
    /// The label at which it was guessed to be left. In the last turn the check fails before that.
    pub leave: u32,
    /// What the program read in this turn, in order.
    pub inputs: Vec<ReportedInput>,
}

/// A value that the program asked for: by a nondeterministic function, or by using what was never set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedInput {
    /// The line of the sequential program that asks.
    pub line: u32,
    /// The value.
    pub value: InputValue,
}

/// A value as a backend reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputValue {
    /// A number or truth value, as bits; of floating numbers, those of their encoding.
    Bits {
        /// The bits, the lowest first.
        bits: u128,
        /// How many.
        width: u32,
    },
    /// The null pointer.
    Null,
    /// Another pointer, as the backend writes it.
    Pointer(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linemap::MappedLine;

    #[test]
    fn a_record_has_the_places_of_the_input() {
        let value = |bits| InputValue::Bits { bits, width: 32 };
        let input = |line, value| ReportedInput { line, value };
        let turn = |thread, leave, inputs| ReportedTurn { round: 1, thread, leave, inputs };
        let counterexample = Counterexample {
            kind: CheckKind::Assertion,
            message: String::new(),
            line: 9,
            turns: vec![
                turn(0, 4, vec![input(3, value(7)), input(4, InputValue::Pointer("&x".to_owned()))]),
                turn(2, 5, vec![input(8, InputValue::Null)]),
            ],
            started: vec![2, 1],
        };
        let span = Span { lo: 40, hi: 45 };
        let lines = vec![MappedLine { line: 3, span, copy: None }];
        let record = counterexample.record(&Printed { text: String::new(), lines });
        let leaves: Vec<_> = record.turns.iter().map(|turn| (turn.thread, turn.leave)).collect();
        // The last turn fails before it is left.
        assert_eq!(leaves, [(0, Some(4)), (2, None)]);
        let inputs: Vec<_> =
            record.inputs.iter().map(|input| (input.thread, input.span, input.value)).collect();
        assert_eq!(inputs, [(0, span, 7), (2, Span::NONE, 0)]);
        assert_eq!(record.started, [2, 1]);
    }

    #[test]
    fn descriptions_tell_the_kind() {
        assert_eq!(
            CheckKind::split("lock-misuse: held: twice"),
            Some((CheckKind::LockMisuse, "held: twice"))
        );
        assert_eq!(CheckKind::split("arithmetic overflow on signed +"), None);
        assert_eq!(CheckKind::split("assertion seen != 1"), None);
        for kind in CheckKind::ALL {
            assert_eq!(CheckKind::split(&format!("{kind}: x")), Some((kind, "x")));
        }
    }
}
