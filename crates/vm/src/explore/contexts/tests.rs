//! Searches within a bound, held against plain walks along all executions that count their switches.

use std::collections::{BTreeMap, BTreeSet};

use super::super::tests::{body, threads};
use super::super::{Exploration, Search, Strategy, explore};
use crate::choice::Choices;
use crate::deadlock;
use crate::observe::Unwatched;
use crate::run::tests::{LOST_UPDATE, parse};
use crate::state::State;
use crate::step::{StepResult, Vm};
use proptest::prelude::*;
use raddle_ir::{Program, Property};

/// All executions, by how many context switches they have, and the least number with which each property is broken.
#[derive(Debug, Default)]
struct Walked {
    executions: BTreeMap<u32, u128>,
    broken: BTreeMap<Property, u32>,
}

impl Walked {
    fn new(program: &Program, properties: &[Property]) -> Self {
        let vm = Vm::checking(program, properties);
        let mut walked = Self::default();
        let mut choices = Choices::new(&[0, 1]);
        choices.begin();
        let (state, result) = vm.start(&mut choices, &mut Unwatched);
        assert_eq!(result, StepResult::Done);
        walked.walk(&vm, &state, (None, 0));
        walked
    }

    fn end(&mut self, used: u32, broken: Option<Property>) {
        *self.executions.entry(used).or_default() += 1;
        if let Some(property) = broken {
            let least = self.broken.entry(property).or_insert(used);
            *least = used.min(*least);
        }
    }

    fn walk(&mut self, vm: &Vm<'_>, state: &State, (last, used): (Option<u32>, u32)) {
        let mut is_end = true;
        for next in vm.moves(state) {
            let thread = next.thread();
            let used = used + u32::from(last.is_some_and(|last| last != thread));
            let mut choices = Choices::new(&[0, 1]);
            loop {
                choices.begin();
                let mut behind = state.clone();
                match vm.make(&mut behind, next, &mut choices, &mut Unwatched) {
                    StepResult::Blocked => {}
                    StepResult::Done => {
                        is_end = false;
                        self.walk(vm, &behind, (Some(thread), used));
                    }
                    StepResult::Violated(violation) => {
                        is_end = false;
                        self.end(used, Some(violation.property));
                    }
                    StepResult::Unsupported { what, .. } => panic!("{what}"),
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        if is_end {
            let is_stuck =
                vm.checks(Property::Deadlock) && state.exit.is_none() && deadlock::find(vm, state).is_some();
            self.end(used, is_stuck.then_some(Property::Deadlock));
        }
    }
}

fn within(program: &Program, properties: &[Property], bound: u32, strategy: Strategy) -> Exploration {
    let search = Search { strategy, contexts: Some(bound), ..Search::default() };
    let found = explore(&Vm::checking(program, properties), &search);
    assert!(found.is_complete());
    found
}

/// Compares searches with bounds with a walk without.
fn compare(program: &Program) {
    let properties = [Property::Assertion, Property::Deadlock];
    let walked = Walked::new(program, &properties);
    for bound in 0..6 {
        let expected: u128 = walked.executions.range(..=bound).map(|(_, count)| count).sum();
        let has_more = walked.executions.keys().any(|&used| used > bound);
        let broken: BTreeSet<Property> = walked
            .broken
            .iter()
            .filter(|&(_, &least)| least <= bound)
            .map(|(&property, _)| property)
            .collect();
        for strategy in [Strategy::States, Strategy::Executions, Strategy::SleepSets] {
            let found = within(program, &properties, bound, strategy);
            assert_eq!(found.executions, Some(expected), "{strategy:?} within {bound}");
            assert_eq!(found.more_switches, has_more, "{strategy:?} within {bound}");
            let shown: BTreeSet<Property> =
                properties.into_iter().filter(|&property| found.breaks(property)).collect();
            assert_eq!(shown, broken, "{strategy:?} within {bound}");
            for violation in &found.violations {
                assert!(violation.trace().context_switches() <= bound as usize, "{:?}", violation.trace());
            }
        }
    }
}

#[test]
fn a_lost_update_needs_a_switch_there_and_one_back() {
    let program = parse(LOST_UPDATE);
    compare(&program);
    let least = Walked::new(&program, &[Property::Assertion]).broken[&Property::Assertion];
    let breaks =
        |bound| within(&program, &[Property::Assertion], bound, Strategy::States).breaks(Property::Assertion);
    assert!(least > 1 && !breaks(least - 1) && breaks(least));
}

#[test]
fn a_deadlock_of_two_locks_needs_two_switches_behind_the_start() {
    let program = threads(&[
        "lock [@m] lock [@n] unlock [@n] unlock [@m]",
        "lock [@n] lock [@m] unlock [@m] unlock [@n]",
    ]);
    compare(&program);
    let breaks =
        |bound| within(&program, &[Property::Deadlock], bound, Strategy::States).breaks(Property::Deadlock);
    assert_eq!([0, 1, 2].map(breaks), [false, false, true]);
}

#[test]
fn a_block_that_waits_is_no_way_on() {
    // The second thread waits for ever: behind one switch there is a deadlock, and no other execution.
    let stuck = "atomic_begin r1 = load i32 [@x] r2 = equal r1, i32 7 wait_until r2 atomic_end";
    let program = threads(&["store i32 [@y], i32 1", stuck]);
    compare(&program);
    let found = within(&program, &[Property::Deadlock], 1, Strategy::States);
    assert!(found.breaks(Property::Deadlock) && !found.more_switches);
    let found = within(&program, &[Property::Deadlock], 0, Strategy::States);
    assert!(!found.breaks(Property::Deadlock) && found.more_switches, "the first thread is enabled");
}

#[test]
fn what_a_thread_does_before_its_first_step_is_no_switch() {
    let program = threads(&["check assertion i1 0, \"never\""]);
    assert!(within(&program, &[Property::Assertion], 0, Strategy::States).breaks(Property::Assertion));
    let program = threads(&["store i32 [@x], i32 1 check assertion i1 0, \"never\""]);
    assert!(!within(&program, &[Property::Assertion], 0, Strategy::States).breaks(Property::Assertion));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn executions_with_few_switches_are_those_that_are_searched(
        bodies in prop::collection::vec(body(), 1..3)
    ) {
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        compare(&threads(&bodies));
    }
}
