//! What is true of a program, found by enumerating its interleavings.
//!
//! A property is violated if some execution breaks it while nothing else is checked: what breaks another property first does
//! not hide it. That is how traces are replayed too. Where the enumeration meets a limit, or something that is not
//! supported, what it did not find stays open.

use raddle_base::Budget;
use raddle_ir::{Program, Property};
use raddle_vm::{MemoryModel, Search, Strategy, Vm, explore};

use crate::clocks;

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
    /// Whether all executions were looked at.
    pub complete: bool,
    /// What is not supported and was come upon.
    pub unsupported: Option<String>,
    /// Whether only schedules of some rounds were looked at: what is said is true of those alone.
    pub in_rounds: bool,
    /// What is true of executions of so many context switches, if they were looked at, too.
    pub in_contexts: Vec<(Property, Truth)>,
}

impl Truths {
    /// What is true of one property.
    #[must_use]
    pub fn of(&self, property: Property) -> Truth {
        let found = self.properties.iter().find(|(asked, _)| *asked == property);
        found.map_or(Truth::Open, |(_, truth)| *truth)
    }

    /// What is true of executions of few context switches, if there is a bound.
    #[must_use]
    pub fn in_contexts(&self, property: Property) -> Truth {
        let found = self.in_contexts.iter().find(|(asked, _)| *asked == property);
        found.map_or(Truth::Open, |(_, truth)| *truth)
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

/// How to enumerate.
#[derive(Clone, Copy, Debug)]
pub struct Enumeration<'e> {
    /// How inputs are taken.
    pub domain: InputDomain,
    /// Which reorderings of memory accesses are possible.
    pub memory_model: MemoryModel,
    /// At most so many states.
    pub max_states: u64,
    /// Only schedules of at most so many round-robin rounds.
    pub rounds: Option<u32>,
    /// Looks at executions of at most so many context switches as well.
    pub contexts: Option<u32>,
    /// Time and memory.
    pub budget: &'e Budget,
}

/// Enumerates a program's interleavings. The search is made again without the properties that are broken, until none is: an
/// execution ends where it breaks a property, and what lies behind must not stay hidden from the others.
///
/// Data races are found by happens-before, which is part of a state there. Where a program has few executions, a second search looks at one
/// of each class of them, without telling states apart: both must agree.
#[must_use]
pub fn enumerate(program: &Program, properties: &[Property], how: &Enumeration<'_>) -> Truths {
    let mut truths = enumerate_within(program, properties, how, None);
    if properties.contains(&Property::DataRace) && how.rounds.is_none() {
        compare_races(program, how, truths.of(Property::DataRace));
    }
    if how.contexts.is_some() {
        truths.in_contexts = within_bound(program, properties, how);
    }
    truths
}

/// What is true of executions of at most as many context switches as are asked for.
#[must_use]
pub fn within_bound(
    program: &Program,
    properties: &[Property],
    how: &Enumeration<'_>,
) -> Vec<(Property, Truth)> {
    enumerate_within(program, properties, how, how.contexts).properties
}

/// Enumerates executions of at most so many context switches, if there is a bound.
fn enumerate_within(
    program: &Program,
    properties: &[Property],
    how: &Enumeration<'_>,
    contexts: Option<u32>,
) -> Truths {
    let search = Search {
        contexts,
        strategy: how
            .rounds
            .map_or(Strategy::States, |rounds| Strategy::RoundRobin { rounds, hashing: true }),
        // The judge is as simple as can be: engines that merge states are compared with it.
        symmetry: false,
        max_states: how.max_states,
        budget: Some(how.budget),
        ..Search::default()
    };
    let mut open = properties.to_vec();
    let mut truths = Truths {
        properties: Vec::new(),
        states: 0,
        complete: true,
        unsupported: None,
        in_rounds: how.rounds.is_some(),
        in_contexts: Vec::new(),
    };
    let rest = loop {
        let vm = Vm::checking(program, &open).with_memory_model(how.memory_model);
        let found = explore(&vm, &search);
        truths.states = truths.states.max(found.states);
        truths.unsupported = found.unsupported.first().map(|(what, _)| what.clone());
        truths.complete = found.is_complete() && (how.domain == InputDomain::OneBit || !found.sampled);
        let (broken, kept): (Vec<Property>, Vec<Property>) =
            open.iter().partition(|&&property| found.breaks(property));
        truths.properties.extend(broken.iter().map(|&property| (property, Truth::Violated)));
        open = kept;
        if open.is_empty() || !truths.complete {
            break Truth::Open;
        }
        if broken.is_empty() {
            break Truth::Safe;
        }
    };
    truths.properties.extend(open.iter().map(|&property| (property, rest)));
    truths
}

/// So many steps all executions of a program may have together to be looked at one by one.
const MOST_STEPS: u64 = 4_000;

/// States that are told apart by what happens before what show the same races as executions do.
fn compare_races(program: &Program, how: &Enumeration<'_>, truth: Truth) {
    let found = clocks::races(program, how.memory_model, MOST_STEPS);
    let expected = match (found.found, found.complete) {
        (true, _) => Truth::Violated,
        (false, true) => Truth::Safe,
        (false, false) => return,
    };
    assert!(
        truth == expected || truth == Truth::Open,
        "races by states: {truth:?}, by executions: {expected:?}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::build;
    use raddle_cfront::layout::DataModel;

    fn truths(text: &str, max_states: u64) -> Truths {
        let built = build("t", text.as_bytes(), DataModel::Lp64, Property::COMMON).expect("it is C");
        let how = Enumeration {
            domain: InputDomain::OneBit,
            memory_model: MemoryModel::Sc,
            max_states,
            rounds: None,
            contexts: None,
            budget: &Budget::unlimited(),
        };
        enumerate(&built.program, Property::COMMON, &how)
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
        assert!(truths.complete);
    }

    #[test]
    fn what_was_not_looked_at_stays_open() {
        let text = "int x; int main(void) { x = 1; x = 2; x = 3; return 0; }";
        assert_eq!(truths(text, 1_000).of(Property::Assertion), Truth::Safe);
        let cut = truths(text, 1);
        assert_eq!(cut.of(Property::Assertion), Truth::Open);
        assert!(!cut.complete);
    }

    #[test]
    fn races_by_memory_order_alone_are_seen() {
        let text = |order: u32| {
            format!(
                "typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int data, flag;\
                 void *writer(void *a) {{ data = 1; __atomic_store_n(&flag, 1, {order}); return a; }}\
                 int main(void) {{ pthread_t t; pthread_create(&t, 0, writer, 0);\
                 if (__atomic_load_n(&flag, {order})) return data; return 0; }}"
            )
        };
        let (relaxed, sequential) = (0, 5);
        assert_eq!(truths(&text(sequential), 1_000).of(Property::DataRace), Truth::Safe);
        assert_eq!(truths(&text(relaxed), 1_000).of(Property::DataRace), Truth::Violated);
        let passed = text(relaxed).replace(", 1, 0", ", 1, 3").replace("&flag, 0", "&flag, 2");
        assert_eq!(truths(&passed, 1_000).of(Property::DataRace), Truth::Safe);
    }
}
