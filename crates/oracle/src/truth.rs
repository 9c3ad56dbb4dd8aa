//! What is true of a program, found by enumerating its interleavings.
//!
//! A property is violated if some execution breaks it while nothing else is checked: what breaks another property first does
//! not hide it. That is how traces are replayed too. Where the enumeration meets a limit, or something that is not
//! supported, what it did not find stays open.

use raddle_base::Budget;
use raddle_ir::{Program, Property};
use raddle_vm::{Machine, Search, explore};

/// What is true of one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    /// Some execution breaks it.
    Violated,
    /// None does.
    Safe,
    /// None was found, but not all were looked at.
    Open,
}

/// What is true of a program.
#[derive(Clone, Debug)]
pub struct Truths {
    /// For each property that was asked for.
    pub properties: Vec<(Property, Truth)>,
    /// States of the largest enumeration.
    pub states: u64,
    /// What is not supported and was come upon.
    pub unsupported: Option<String>,
}

impl Truths {
    /// What is true of one property.
    #[must_use]
    pub fn of(&self, property: Property) -> Truth {
        let found = self.properties.iter().find(|(asked, _)| *asked == property);
        found.map_or(Truth::Open, |(_, truth)| *truth)
    }

    /// Whether everything that was asked has an answer.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.properties.iter().all(|(_, truth)| *truth != Truth::Open)
    }
}

/// How inputs are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputDomain {
    /// Any value: to have tried zero and one proves nothing, unless they are truth values.
    Any,
    /// The program masks them all to one bit, so zero and one are all there is.
    OneBit,
}

/// Enumerates a program's interleavings. The search is made again without the properties that are broken, until none is: an
/// execution ends where it breaks a property, and what lies behind must not stay hidden from the others.
#[must_use]
pub fn enumerate(
    program: &Program,
    properties: &[Property],
    domain: InputDomain,
    max_states: u64,
    budget: &Budget,
) -> Truths {
    let search = Search { max_states, budget: Some(budget), ..Search::default() };
    let mut open = properties.to_vec();
    let mut truths = Truths { properties: Vec::new(), states: 0, unsupported: None };
    let rest = loop {
        let found = explore(&Machine::checking(program, &open), &search);
        truths.states = truths.states.max(found.states);
        truths.unsupported = found.unsupported.first().map(|(what, _)| what.clone());
        let (broken, kept): (Vec<Property>, Vec<Property>) =
            open.iter().partition(|&&property| found.breaks(property));
        truths.properties.extend(broken.iter().map(|&property| (property, Truth::Violated)));
        open = kept;
        if broken.is_empty() || open.is_empty() || !found.is_complete() {
            let covers = found.is_complete() && (domain == InputDomain::OneBit || !found.sampled);
            break if broken.is_empty() && covers { Truth::Safe } else { Truth::Open };
        }
    };
    truths.properties.extend(open.into_iter().map(|property| (property, rest)));
    truths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::build;
    use raddle_cfront::layout::DataModel;

    fn truths(text: &str, max_states: u64) -> Truths {
        let built = build("t", text.as_bytes(), DataModel::Lp64, true).expect("it is C");
        enumerate(&built.program, Property::ALL, InputDomain::OneBit, max_states, &Budget::unlimited())
    }

    #[test]
    fn what_is_broken_first_hides_nothing() {
        // The mutex, all zero, is a normal one that nobody holds.
        let text = "typedef union { long words[5]; } m; int pthread_mutex_unlock(m *); void reach_error(void); m l;\
                    int main(void) { pthread_mutex_unlock(&l); reach_error(); }";
        let truths = truths(text, 1_000);
        assert_eq!(truths.of(Property::Assertion), Truth::Violated);
        assert_eq!(truths.of(Property::LockMisuse), Truth::Violated);
        assert_eq!(truths.of(Property::Deadlock), Truth::Safe);
        assert!(truths.is_complete());
    }

    #[test]
    fn what_was_not_looked_at_stays_open() {
        let text = "int x; int main(void) { x = 1; x = 2; x = 3; return 0; }";
        assert_eq!(truths(text, 1_000).of(Property::Assertion), Truth::Safe);
        let cut = truths(text, 1);
        assert_eq!(cut.of(Property::Assertion), Truth::Open);
        assert!(!cut.is_complete());
    }
}
