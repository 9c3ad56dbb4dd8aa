//! Which threads are taken for equal: each condition once kept and once broken.

use raddle_base::{Budget, Id};
use raddle_ir::Program;
use raddle_ir::text::parse_program;

use super::super::tests::options;
use super::super::{Assumptions, Options, Spins, World, execute};
use crate::execution_graph::events::{InstanceId, Unrolling};

const WORK: &str =
    "lock [@m] r1 = load i32 [@x] r1 = add r1, i32 1 store i32 [@x], r1 unlock [@m] return null";

/// Main starts so many workers, the first of which is `r4`, and does something between and behind.
fn program(count: usize, body: &str, between: &str, behind: &str) -> Program {
    let forks: Vec<String> = (0..count).map(|n| format!("r{} = fork @worker(null)\n", 4 + n)).collect();
    let forks = forks.join(&format!("{between}\n"));
    let registers: String = (0..count).map(|n| format!(", r{}: i32", 4 + n)).collect();
    let text = format!(
        r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 shape signed i32 {{}}
        global g1 "m" size 4 align 4 shape signed i32 {{}}
        global g2 "p" size 8 align 8 {{}}
        havoc h0 "c" i1
        function f0 "main" () {{
          registers r0: i32, r1: i1, r2: ptr, r3: i1{registers}
        b0: {forks} {behind} exit_process i32 0 }}
        function f1 "worker" (r0) -> ptr {{
          registers r0: ptr, r1: i32, r2: i1, r3: ptr, r4: i64
        b0: {body} }}"#
    );
    let program = parse_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let findings = raddle_ir::validate::validate(&program);
    assert!(findings.is_empty(), "{findings:?}\n{text}");
    program
}

/// The pairs of threads that are ordered, by their first steps that do something.
fn ordered(count: usize, body: &str, behind: &str) -> Vec<(usize, usize)> {
    ordered_in(&program(count, body, "", behind), &options(1))
}

/// The same for two threads between whose starts main does something.
fn ordered_apart(body: &str, between: &str, races: bool) -> Vec<(usize, usize)> {
    ordered_in(&program(2, body, between, ""), &Options { races, ..options(1) })
}

fn ordered_in(program: &Program, options: &Options) -> Vec<(usize, usize)> {
    let mut world = World::new(program, Spins::default());
    let (assumed, budget) = (Assumptions::default(), Budget::unlimited());
    let draft = execute(&mut world, options, &assumed, &budget).expect("there is no limit");
    let out: Unrolling = draft.finish().expect("there is no limit").0;
    let thread = |step| {
        let is_second =
            |&thread: &usize| out.threads[InstanceId::from_index(thread)].steps.get(1) == Some(&step);
        (0..out.threads.len()).find(is_second).expect("it is the second step of a thread")
    };
    out.ordered.iter().map(|&(earlier, later)| (thread(earlier), thread(later))).collect()
}

fn joins(threads: impl IntoIterator<Item = usize>) -> String {
    threads.into_iter().map(|n| format!("join r{} ", 4 + n)).collect()
}

#[test]
fn threads_that_nobody_joins_are_ordered() {
    assert_eq!(ordered(3, WORK, ""), [(1, 2), (2, 3)]);
}

#[test]
fn threads_that_are_joined_in_a_row_are_ordered() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        assert_eq!(ordered(3, WORK, &joins(order)), [(1, 2), (2, 3)], "{order:?}");
    }
    // What comes behind the last join does not matter.
    let reads =
        format!("{} r0 = load i32 [@x] r1 = equal r0, i32 2 check assertion r1, \"x\"", joins([0, 1]));
    assert_eq!(ordered(2, WORK, &reads), [(1, 2)]);
}

#[test]
fn threads_of_which_one_is_joined_are_not_ordered() {
    assert_eq!(ordered(2, WORK, &joins([0])), []);
    // The two that are not joined are.
    assert_eq!(ordered(3, WORK, &joins([0])), [(2, 3)]);
    assert_eq!(ordered(2, WORK, &joins([0, 1, 0])), [], "one is joined twice");
}

#[test]
fn what_lies_between_two_joins_tells_threads_apart() {
    for between in [
        "r0 = load i32 [@x]",
        "store i32 [@x], i32 1",
        "lock [@m] unlock [@m]",
        "r1 = havoc h0 check assertion r1, \"between\"",
        "r0 = fork @worker(null)",
    ] {
        assert_eq!(ordered(2, WORK, &format!("join r4 {between} join r5")), [], "{between}");
    }
    // What nobody else touches is nobody's business.
    assert_eq!(ordered(2, WORK, "join r4 store ptr [@p], null join r5"), [(1, 2)]);
    // Not every way from the first join leads to the second.
    let parts = "join r4 r1 = havoc h0 branch r1, b1, b2 b1: exit_process i32 1 b2: join r5";
    assert_eq!(ordered(2, WORK, parts), []);
}

#[test]
fn what_lies_between_two_starts_tells_threads_apart_where_races_are_asked_for() {
    for between in [
        "store i32 [@x], i32 1",
        "r0 = load i32 [@x]",
        "lock [@m] unlock [@m]",
        "fence acquire",
        "r1 = true r0 = fork @worker(@p) join r0",
    ] {
        assert_eq!(ordered_apart(WORK, between, true), [], "{between}");
    }
    for between in ["", "store ptr [@p], null", "r0 = load i32 [@m]", "r1 = true"] {
        assert_eq!(ordered_apart(WORK, between, true), [(1, 2)], "{between}");
    }
    // What comes before or behind both is the same for both.
    let around = |behind| ordered_in(&program(2, WORK, "", behind), &Options { races: true, ..options(1) });
    assert_eq!(around("store i32 [@x], i32 1"), [(1, 2)]);
    // Values alone are no older for the one that was started first and comes second.
    for between in ["store i32 [@x], i32 1", "lock [@m] unlock [@m]"] {
        assert_eq!(ordered_apart(WORK, between, false), [(1, 2)], "{between}");
    }
}

#[test]
fn results_tell_threads_apart_unless_they_are_one_constant() {
    let returns = |result: &str| WORK.replace("return null", result);
    let number = returns("r4 = zero_extend r1 r3 = int_to_pointer r4 return r3");
    assert_eq!(ordered(2, &number, &joins([0, 1])), []);
    assert_eq!(ordered(2, &number, ""), [(1, 2)], "nobody looks");
    let three = returns("r3 = int_to_pointer i64 3 return r3");
    assert_eq!(ordered(2, &three, &joins([0, 1])), [(1, 2)]);
}

#[test]
fn ids_and_arguments_tell_threads_apart() {
    let aware = format!("r1 = current_thread store i32 [@x], r1 {WORK}");
    assert_eq!(ordered(2, &aware, ""), []);
    assert_eq!(ordered(2, WORK, "r1 = true r0 = fork @worker(null)"), [(1, 2), (2, 3)]);
    assert_eq!(ordered(2, WORK, "r1 = true r0 = fork @worker(@p)"), [(1, 2)]);
}
