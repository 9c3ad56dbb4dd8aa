//! Counts of classes, and comparisons with all executions.

use super::crew::Orders;
use super::steps::{Step, StepId};
use super::{Explorer, stop};
use crate::choice::{Choices, Pick};
use crate::explore::tests::{body, threads};
use crate::explore::{Exploration, Reduction, Search, Strategy, explore};
use crate::fingerprint::Fingerprints;
use crate::observe::Unwatched;
use crate::state::{State, ThreadId};
use crate::step::{StepResult, Vm};
use proptest::prelude::*;
use proptest::strategy::Strategy as Generate;
use raddle_ir::{Program, Property};
use rustc_hash::FxHashSet;

fn dpor(program: &Program, properties: &[Property], search: &Search<'_>) -> Exploration {
    explore(&Vm::checking(program, properties), &Search { strategy: Strategy::Dpor, ..search.clone() })
}

/// How many executions, of which none was begun in vain.
fn count(bodies: &[&str]) -> u128 {
    let found = dpor(&threads(bodies), &[Property::Assertion], &Search::default());
    assert_eq!(found.redundant, 0);
    found.executions.unwrap()
}

const LOCKED: &str = "lock [@m] r1 = load i32 [@x] store i32 [@x], i32 1 unlock [@m]";

#[test]
fn stores_to_one_place_are_ordered_in_all_ways() {
    for (n, factorial) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        assert_eq!(count(&vec!["store i32 [@x], i32 1"; n]), factorial);
        assert_eq!(count(&vec![LOCKED; n]), factorial);
    }
    assert_eq!(count(&[LOCKED, &LOCKED.replace("@m", "@n").replace("@x", "@y")]), 1);
}

#[test]
fn each_of_n_readers_reads_before_or_behind_the_writer() {
    for n in 1..9_u32 {
        let mut bodies = vec!["r1 = load i32 [@x] relaxed"; n as usize];
        bodies.push("store i32 [@x], i32 1 relaxed");
        assert_eq!(count(&bodies), 1 << n);
    }
}

#[test]
fn additions_whose_results_nobody_uses_commute() {
    let add = "r1 = rmw add i32 [@x], i32 1 seq_cst";
    assert_eq!(count(&[add; 4]), 1);
    let program = threads(&[add; 4]);
    let executions = |properties: &[Property], commutes: bool| {
        dpor(&program, properties, &Search { commutes, ..Search::default() }).executions
    };
    assert_eq!(executions(&[], false), Some(24));
    assert_eq!(executions(&[Property::DataRace], true), Some(24), "they give and take what happened before");
    assert_eq!(count(&[add, add, "r1 = load i32 [@x]"]), 4, "which of them are before the load");
    let used = "r1 = rmw add i32 [@x], i32 1 seq_cst store i32 [@y], r1";
    assert_eq!(count(&[used, used]), 2 * 2);
}

#[test]
fn with_few_preemptions_not_all_is_followed_and_that_is_said() {
    let program = threads(&["store i32 [@x], i32 1 r1 = load i32 [@x]"; 3]);
    let bounded = |bound| dpor(&program, &[], &Search { preemptions: bound, ..Search::default() });
    let all = bounded(None);
    assert!(!all.more_preemptions);
    let mut before = 0;
    for bound in 0..2 {
        let found = bounded(Some(bound));
        assert!(found.more_preemptions && found.executions > Some(before), "{bound}");
        before = found.executions.unwrap();
    }
    let enough = bounded(Some(50));
    assert_eq!((enough.executions, enough.more_preemptions), (all.executions, false));
}

#[test]
fn waits_end_without_reason_unless_that_is_left_out() {
    let program = crate::run::tests::parse(
        r#"program pointer_bits 64 entry f0
        havoc h0 "spurious" i1 spurious
        function f0 "main" () {
          registers r0: i1
        b0:
          r0 = havoc h0
          check assertion r0, "woken"
          exit_process i32 0
        }"#,
    );
    let counted = |spurious_wakeups| dpor(&program, &[], &Search { spurious_wakeups, ..Search::default() });
    let (all, calm) = (counted(true), counted(false));
    assert_eq!((all.executions, all.no_spurious_wakeups), (Some(2), false));
    assert_eq!((calm.executions, calm.no_spurious_wakeups), (Some(1), true));
}

/// Walks all executions, and says which classes they are of.
struct Classes<'e, 'p> {
    explorer: Explorer<'e, 'p>,
    fingerprints: Fingerprints<'p>,
    /// The least execution of each class, as threads and what their inputs get.
    found: FxHashSet<Vec<(ThreadId, Vec<usize>)>>,
    executions: u32,
    most: u32,
}

impl<'e, 'p> Classes<'e, 'p> {
    /// Nothing if there are too many executions.
    fn of(orders: &'e Orders<'e, 'p>, most: u32) -> Option<usize> {
        let explorer = Explorer::new(orders, None);
        let fingerprints = Fingerprints::new(orders.vm.program());
        let mut classes = Self { explorer, fingerprints, found: FxHashSet::default(), executions: 0, most };
        let (state, result) = orders.vm.start(&mut Choices::new(&orders.domain.values), &mut Unwatched);
        assert_eq!(result, StepResult::Done);
        classes.walk(&state, &mut Vec::new());
        (classes.executions <= most).then_some(classes.found.len())
    }

    /// A step that can be made, and the state behind it.
    fn made(&mut self, state: &State, thread: ThreadId, picks: &[Pick]) -> (StepId, State) {
        let Explorer { orders, domain, seen, .. } = &mut self.explorer;
        let attempt = seen.attempt_in((orders, domain), (state.clone(), None), thread, picks);
        assert_ne!(attempt.result, StepResult::Blocked);
        let mut after = attempt.state;
        if matches!(attempt.result, StepResult::Violated(_) | StepResult::Unsupported { .. }) {
            stop(&mut after, thread);
        }
        let step = Step { thread, picks: picks.to_vec(), footprint: attempt.footprint };
        (self.explorer.steps.id_of(step), after)
    }

    /// The steps that a state allows, with all inputs, and where they lead.
    fn steps(&mut self, state: &State) -> Vec<(StepId, State)> {
        let orders = self.explorer.orders;
        let mut steps = Vec::new();
        for thread in orders.vm.enabled(state) {
            let mut choices = Choices::new(&orders.domain.values);
            loop {
                choices.begin();
                let mut trial = state.clone();
                let result = orders.vm.step(&mut trial, thread, &mut choices, &mut Unwatched);
                if result != StepResult::Blocked {
                    steps.push(self.made(state, thread, choices.picks()));
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        steps
    }

    fn walk(&mut self, state: &State, path: &mut Vec<StepId>) {
        if self.executions > self.most {
            return;
        }
        let steps = self.steps(state);
        self.check_independence(&steps);
        if steps.is_empty() {
            self.executions += 1;
            self.found.insert(self.least(path));
        }
        for (step, after) in steps {
            path.push(step);
            self.walk(&after, path);
            path.pop();
        }
    }

    /// Of two steps that are called independent each can be made behind the other, does the same there, and the same state
    /// follows.
    fn check_independence(&mut self, steps: &[(StepId, State)]) {
        for (a, behind_a) in steps {
            for (b, behind_b) in steps {
                let threads = (self.explorer.steps.thread(*a), self.explorer.steps.thread(*b));
                if threads.0 >= threads.1 || self.explorer.steps.depend(*a, *b) {
                    continue;
                }
                let mut again = |state: &State, step: StepId| {
                    let Step { thread, picks, .. } = self.explorer.steps.of(step).clone();
                    let (again, after) = self.made(state, thread, &picks);
                    assert_eq!(again, step, "behind an independent step it does the same");
                    self.fingerprints.of(&after)
                };
                assert_eq!(again(behind_a, *b), again(behind_b, *a), "both orders lead to the same state");
            }
        }
    }

    /// The execution of the class in which at each point the lowest thread goes on that can.
    fn least(&self, path: &[StepId]) -> Vec<(ThreadId, Vec<usize>)> {
        let steps = &self.explorer.steps;
        let mut left: Vec<StepId> = path.to_vec();
        let mut least = Vec::new();
        while !left.is_empty() {
            let is_first =
                |&index: &usize| left[..index].iter().all(|&earlier| !steps.depend(earlier, left[index]));
            let first = (0..left.len()).filter(is_first).min_by_key(|&index| steps.thread(left[index]));
            let step = left.remove(first.expect("the first of all depends on none"));
            let Step { thread, picks, .. } = steps.of(step);
            least.push((*thread, picks.iter().map(|pick| pick.0).collect()));
        }
        least
    }
}

/// What must be the same however many search.
fn numbers(found: &Exploration) -> (Option<u128>, [u64; 4], usize, Vec<String>, String) {
    let counts = [found.blocked, found.redundant, found.transitions, found.blocks];
    let messages = found.violations.iter().map(|violation| format!("{:?}", violation.trace()));
    let seen = format!("{:?} {:?} {}", found.passed, found.unsupported, found.sampled);
    (found.executions, counts, found.depth, messages.collect(), seen)
}

/// Compares the search with all executions; nothing if there are too many.
fn compare(program: &Program) -> Result<(), TestCaseError> {
    let vm = Vm::checking(program, &[]);
    let search = Search { strategy: Strategy::Dpor, ..Search::default() };
    let Some(classes) = Classes::of(&Orders::new(&vm, &search), 5_000) else { return Ok(()) };
    let found = explore(&vm, &search);
    prop_assert_eq!(found.executions, Some(classes as u128));
    prop_assert_eq!(found.redundant, 0);
    let together = explore(&vm, &Search { jobs: 2, ..search.clone() });
    prop_assert_eq!(numbers(&together), numbers(&found));
    for reduction in [Reduction::Source, Reduction::Classic] {
        let other = explore(&vm, &Search { reduction, ..search.clone() });
        if other.sampled {
            continue;
        }
        prop_assert_eq!(other.executions, found.executions, "{:?}", reduction);
        prop_assert_eq!((other.blocked, other.depth), (found.blocked, found.depth), "{:?}", reduction);
    }
    for &property in Property::ALL {
        let vm = vm.only(property);
        let found = explore(&vm, &search);
        let all = explore(&vm, &Search { symmetry: false, ..Search::default() });
        prop_assert_eq!(found.breaks(property), all.breaks(property), "{:?}", property);
        let together = explore(&vm, &Search { jobs: 2, ..search.clone() });
        prop_assert_eq!(numbers(&together), numbers(&found), "{:?}", property);
        prop_assert_eq!(found.limit, None);
        prop_assert_eq!(found.undefined.len(), all.undefined.len());
        prop_assert_eq!(found.leak_doubt.is_some(), all.leak_doubt.is_some());
    }
    Ok(())
}

/// What several places, waits, locks and inputs add to [`body`].
fn entangled() -> impl Generate<Value = String> {
    let single = prop_oneof![
        Just("store i32 [@x], i32 1"),
        Just("store i32 [@y], i32 1"),
        Just("store i32 [@x], i32 0"),
        Just("r1 = load i32 [@x]"),
        Just("r1 = load i32 [@y] store i32 [@x], r1"),
        Just("r1 = rmw add i32 [@x], i32 1 relaxed"),
        Just("r1 = rmw or i32 [@x], i32 2 relaxed"),
        Just("r1 = compare_exchange i32 [@x], i32 0, i32 1 seq_cst"),
        Just("r1 = compare_exchange i32 [@y], i32 1, i32 0 seq_cst store i32 [@x], r1"),
        Just("lock [@m] store i32 [@z], i32 1 unlock [@m]"),
        Just("lock [@m] lock [@n] unlock [@n] unlock [@m]"),
        Just("lock [@n] lock [@m] unlock [@m] unlock [@n]"),
        Just("r2 = holds_lock @m"),
        Just("r1 = havoc h1 store i32 [@y], r1"),
        Just("atomic_begin r2 = havoc h0 r1 = zero_extend r2 store i32 [@x], r1 atomic_end"),
        Just(
            "atomic_begin r1 = load i32 [@x] r2 = equal r1, i32 0 wait_until r2 r1 = load i32 [@y] r2 = equal r1, i32 0 wait_until r2 store i32 [@z], i32 1 atomic_end"
        ),
        Just("atomic_begin r1 = load i32 [@x] r2 = equal r1, i32 1 wait_until r2 atomic_end"),
        Just(
            "atomic_begin r2 = havoc h0 r1 = load i32 [@y] r1 = add r1, i32 0 r2 = select r2, true, false wait_until r2 store i32 [@y], i32 1 atomic_end"
        ),
        Just("r1 = load i32 [@x] r2 = equal r1, i32 0 check assertion r2, \"x == 0\""),
        Just("r1 = load i32 [@y] r2 = equal r1, i32 0 assume r2"),
        Just("unlock [@m]"),
    ];
    prop::collection::vec(single, 1..4).prop_map(|operations| operations.join(" "))
}

fn all_of(bodies: &[String]) -> Program {
    threads(&bodies.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn attempts_to_take_a_lock_fail_while_it_is_held() {
    let tries = "atomic_begin r2 = lock_is_free @m branch r2, b1, b2 b1: lock [@m] jump b2 b2: atomic_end r1 = zero_extend r2 store i32 [@y], r1";
    assert_eq!(count(&["lock [@m] unlock [@m]", tries]), 3, "before, between and behind");
    for bodies in [
        vec![LOCKED, tries],
        vec![LOCKED, LOCKED, tries],
        vec![LOCKED, tries, tries],
        vec!["lock [@m] store i32 [@x], i32 1 unlock [@m] lock [@m] unlock [@m]", tries],
    ] {
        compare(&threads(&bodies)).unwrap();
    }
}

#[test]
fn what_is_not_supported_is_told_however_many_search() {
    let program = threads(&["store i32 [@x], i32 1 unsupported \"longjmp\" b1:", "r1 = load i32 [@x]"]);
    for jobs in 1..3 {
        let found = dpor(&program, &[], &Search { jobs, ..Search::default() });
        assert_eq!(found.unsupported.len(), 1, "{jobs}");
        assert!(!found.is_complete());
    }
}

#[test]
fn an_access_behind_the_end_of_its_object_is_tried_before_it() {
    let program = crate::run::tests::parse(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 {}
        function f0 "main" () {
          registers r0: ptr, r1: i32
        b0:
          r0 = alloc heap i64 4 align 4 zeroed "malloc"
          r1 = fork @t(r0)
          free r0
          join r1
          exit_process i32 0
        }
        function f1 "t" (r0) -> ptr {
          registers r0: ptr, r1: i32
        b0:
          r1 = load i32 [r0]
          check assertion false, "reached"
          return null
        }"#,
    );
    let found = dpor(&program, &[Property::Assertion], &Search::default());
    assert!(found.breaks(Property::Assertion), "only an access in time leads there");
    let sleeping = Search { strategy: Strategy::SleepSets, ..Search::default() };
    let vm = Vm::checking(&program, &[Property::Assertion]);
    assert!(explore(&vm, &sleeping).breaks(Property::Assertion), "with sleep sets as well");
    assert_eq!(found.undefined.len(), 1);
    compare(&program).unwrap();
}

/// How many random programs are made; a campaign says how many (`RADDLE_PROGRAMS`).
#[expect(clippy::disallowed_methods, reason = "who starts the tests says so")]
fn config() -> ProptestConfig {
    let asked = std::env::var("RADDLE_PROGRAMS").ok().and_then(|number| number.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(60), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn one_execution_of_each_class_is_walked(bodies in prop::collection::vec(body(), 2..4)) {
        compare(&all_of(&bodies))?;
    }

    #[test]
    fn one_execution_of_each_class_is_walked_where_much_is_entangled(
        bodies in prop::collection::vec(entangled(), 2..5),
    ) {
        compare(&all_of(&bodies))?;
    }
}
