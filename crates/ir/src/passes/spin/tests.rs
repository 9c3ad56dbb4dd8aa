//! Which spin loops become waits, and which do not.

use super::*;
use crate::text::{parse_program, print_function};
use crate::validate::validate;

const SAFETY: SpinOptions = SpinOptions { data_races: false, deadlocks: false };
const RACES: SpinOptions = SpinOptions { data_races: true, deadlocks: false };
const DEADLOCKS: SpinOptions = SpinOptions { data_races: false, deadlocks: true };

/// The function `wait` after conversion, on one line, and what was done. Another thread writes `a`, `b` and `lock`.
fn converted(body: &str, options: SpinOptions) -> (String, Vec<SpinWait>) {
    let text = format!(
        "program pointer_bits 64 entry f0 havoc h0 \"n\" i32
         global g0 \"a\" size 4 align 4 {{ }} global g1 \"b\" size 4 align 4 {{ }} global g2 \"lock\" size 4 align 4 {{ }}
         global g3 \"private\" size 4 align 4 {{ }}
         function f0 \"main\" () {{ registers r0: i32 b0: r0 = fork @other(null) call @wait() return }}
         function f1 \"other\" (r0) -> ptr {{ registers r0: ptr
           b0: store i32 [@a], i32 1 store i32 [@b], i32 1 store i32 [@lock], i32 0 return null }}
         function f2 \"wait\" () {{ registers r0: i32, r1: i1, r2: i32, r3: i1, r4: i32, r5: ptr {body} }}
         function f3 \"yield\" () -> i32 model {{ b0: return i32 0 }}
         function f4 \"get\" () -> i32 {{ registers r0: i32 b0: r0 = load i32 [@a] return r0 }}
         function f5 \"set\" () -> i32 {{ b0: store i32 [@private], i32 1 return i32 0 }}
         function f6 \"external\" () -> i32 {{ }}"
    );
    let mut program = parse_program(&text).expect("parses");
    assert_eq!(validate(&program), []);
    let waits = convert_spin_loops(&mut program, options);
    assert_eq!(validate(&program), []);
    let wait = program.functions.ids().nth(2).expect("there are more");
    let printed = print_function(&program, wait, None);
    let lines = printed.lines().skip(2).map(str::trim).filter(|line| *line != "}");
    (lines.collect::<Vec<_>>().join(" | "), waits)
}

/// How the loop was converted: `exact`, `assume`, with `peeled`, or `left`.
fn form(body: &str, options: SpinOptions) -> &'static str {
    match converted(body, options).1.as_slice() {
        [] => "left",
        [wait] => match (wait.blocking, wait.peeled) {
            (Blocking::Exact, false) => "exact",
            (Blocking::Exact, true) => "exact peeled",
            (Blocking::AssumeLike, false) => "assume",
            (Blocking::AssumeLike, true) => "assume peeled",
        },
        _ => "several",
    }
}

/// `while (a == 0) ;`
const ONE_LOAD: &str = "b0: jump b1 b1: r0 = load i32 [@a] r1 = equal r0, i32 0 branch r1, b2, b3
    b2: jump b1 b3: return";

/// `while (a == 0 && b == 0) ;`
const TWO_LOADS: &str = "b0: jump b1 b1: r0 = load i32 [@a] r1 = equal r0, i32 0 branch r1, b2, b3
    b2: r2 = load i32 [@b] r3 = equal r2, i32 0 branch r3, b1, b3 b3: return";

#[test]
fn one_load_waits_in_one_step() {
    let (text, waits) = converted(ONE_LOAD, SAFETY);
    assert_eq!(
        text,
        "b0: | jump b1 \
         | b1: | atomic_begin | r0 = load i32 [@a] | r1 = equal r0, i32 0 | branch r1, b2, b5 \
         | b2: | jump b4 | b3: | return \
         | b4: | wait_until false | unreachable \
         | b5: | atomic_end | jump b3"
    );
    assert_eq!(waits.len(), 1);
    assert_eq!((waits[0].header.to_string(), waits[0].stuck.to_string()), ("b1".to_owned(), "b4".to_owned()));
    assert_eq!(form(ONE_LOAD, DEADLOCKS), "exact");
}

#[test]
fn two_loads_stay_two_steps() {
    let (text, _) = converted(TWO_LOADS, SAFETY);
    assert_eq!(
        text,
        "b0: | jump b1 \
         | b1: | r0 = load i32 [@a] | r1 = equal r0, i32 0 | branch r1, b2, b3 \
         | b2: | r2 = load i32 [@b] | r3 = equal r2, i32 0 | branch r3, b4, b3 \
         | b3: | return | b4: | wait_until false | unreachable"
    );
    assert_eq!(form(TWO_LOADS, SAFETY), "assume");
    assert_eq!(form(TWO_LOADS, DEADLOCKS), "left");
}

#[test]
fn a_second_load_that_nobody_else_sees_does_not_count() {
    let body = TWO_LOADS.replace("@b", "@private");
    assert_eq!(form(&body, DEADLOCKS), "exact");
}

#[test]
fn races_keep_a_round_where_the_last_one_may_not_repeat_it() {
    // The only load is on every way out.
    assert_eq!(form(ONE_LOAD, RACES), "assume");
    // The load of `b` is not.
    assert_eq!(form(TWO_LOADS, RACES), "assume peeled");
    // An acquire may order the last iteration after what an earlier one raced with.
    let acquire = ONE_LOAD.replace("[@a]", "[@a] acquire");
    assert_eq!(form(&acquire, RACES), "assume peeled");
    assert_eq!(form(&acquire, SAFETY), "exact");
}

#[test]
fn a_peeled_loop_has_its_body_twice() {
    let (text, _) = converted(TWO_LOADS, RACES);
    assert_eq!(
        text,
        "b0: | jump b1 \
         | b1: | r0 = load i32 [@a] | r1 = equal r0, i32 0 | branch r1, b2, b3 \
         | b2: | r2 = load i32 [@b] | r3 = equal r2, i32 0 | branch r3, b5, b3 \
         | b3: | return | b4: | wait_until false | unreachable \
         | b5: | r0 = load i32 [@a] | r1 = equal r0, i32 0 | branch r1, b6, b3 \
         | b6: | r2 = load i32 [@b] | r3 = equal r2, i32 0 | branch r3, b4, b3"
    );
}

#[test]
fn iterations_with_lasting_effects_are_left() {
    let with = |inst: &str| ONE_LOAD.replace("b2: jump", &format!("b2: {inst} jump"));
    for inst in [
        "store i32 [@b], i32 1",
        "store i32 [@private], i32 1",
        "r2 = rmw add i32 [@b], i32 1 seq_cst",
        "fence seq_cst",
        "r5 = alloc local i64 4 align 4 \"t\"",
        "free null",
        "r2 = fork @other(null)",
        "join i32 1",
        "lock [@lock]",
        "unlock [@lock]",
        "wait_until true",
        "atomic_begin atomic_end",
        "r2 = call @set()",
        "intrinsic put_byte(i32 1, i32 46)",
    ] {
        assert_eq!(form(&with(inst), SAFETY), "left", "{inst}");
    }
}

#[test]
fn calls_that_leave_no_trace_are_allowed() {
    let with = |inst: &str| ONE_LOAD.replace("b2: jump", &format!("b2: {inst} jump"));
    assert_eq!(form(&with("r2 = call @yield()"), DEADLOCKS), "exact");
    assert_eq!(form(&with("r2 = call @get()"), SAFETY), "assume");
    assert_eq!(form(&with("r2 = call @external()"), SAFETY), "assume");
    assert_eq!(form(&with("r2 = havoc h0"), SAFETY), "assume");
    assert_eq!(form(&with("r2 = havoc h0"), DEADLOCKS), "left");
    assert_eq!(form(&with("check assertion r1, \"a == 0\""), SAFETY), "assume");
}

#[test]
fn a_state_that_differs_between_rounds_is_left() {
    // Counts the iterations.
    let counted = "b0: r4 = i32 0 jump b1 b1: r0 = load i32 [@a] r1 = equal r0, i32 0 branch r1, b2, b3
        b2: r4 = add r4, i32 1 jump b1 b3: exit_process r4";
    assert_eq!(form(counted, SAFETY), "left");
    // Remembers the value of the iteration before.
    let previous = "b0: r4 = i32 0 jump b1 b1: r0 = load i32 [@a] r1 = equal r0, r4 r4 = r0 branch r1, b2, b3
        b2: jump b1 b3: return";
    assert_eq!(form(previous, SAFETY), "left");
    // The value read last is used behind the loop: every iteration assigns it anew.
    let value = ONE_LOAD.replace("b3: return", "b3: exit_process r0");
    assert_eq!(form(&value, SAFETY), "exact");
    // Assigned in some iterations only and used behind: a dropped iteration may be the one that assigned it.
    let sometimes = "b0: r4 = i32 0 jump b1 b1: r0 = load i32 [@a] r1 = equal r0, i32 0 branch r1, b2, b3
        b2: r4 = i32 7 jump b1 b3: exit_process r4";
    assert_eq!(form(sometimes, SAFETY), "left");
}

/// `while (compare_exchange(lock, 0, 1) != 0) ;` with the test of its result.
fn exchange(expected: &str, test: &str) -> String {
    format!(
        "b0: r2 = i32 0 jump b1 b1: r0 = compare_exchange i32 [@lock], {expected}, i32 1 seq_cst {test} b2: jump b1 b3: return"
    )
}

#[test]
fn a_failed_exchange_is_no_effect_if_success_leaves() {
    let direct = exchange("i32 0", "r1 = equal r0, i32 0 branch r1, b3, b2");
    assert_eq!(form(&direct, SAFETY), "exact");
    assert_eq!(form(&direct, RACES), "assume peeled");
    let widened =
        exchange("i32 0", "r1 = equal r0, i32 0 r4 = zero_extend r1 r3 = equal r4, i32 0 branch r3, b2, b3");
    assert_eq!(form(&widened, SAFETY), "exact");
    let register = exchange("r2", "r1 = not_equal r0, r2 branch r1, b2, b3");
    assert_eq!(form(&register, SAFETY), "exact");
}

#[test]
fn an_exchange_that_may_go_on_after_success_is_left() {
    let inverted = exchange("i32 0", "r1 = equal r0, i32 0 branch r1, b2, b3");
    assert_eq!(form(&inverted, SAFETY), "left");
    let unrelated = exchange("i32 0", "r1 = equal r0, i32 5 branch r1, b3, b2");
    assert_eq!(form(&unrelated, SAFETY), "left");
    let overwritten = exchange("r2", "r2 = i32 3 r1 = equal r0, r2 branch r1, b3, b2");
    assert_eq!(form(&overwritten, SAFETY), "left");
}

#[test]
fn endless_loops_stop_for_safety_only() {
    let endless = "b0: jump b1 b1: jump b1";
    assert_eq!(form(endless, SAFETY), "assume");
    assert_eq!(form(endless, DEADLOCKS), "left");
}

#[test]
fn only_inner_loops_and_no_tangles() {
    // The inner loop waits; the outer one, which contains it, stays.
    let nested = "b0: jump b1
        b1: r0 = load i32 [@b] r1 = equal r0, i32 0 branch r1, b3, b2
        b2: r0 = load i32 [@a] r1 = equal r0, i32 0 branch r1, b2, b1 b3: return";
    let (_, waits) = converted(nested, SAFETY);
    assert_eq!(waits.iter().map(|wait| wait.header.to_string()).collect::<Vec<_>>(), ["b2"]);
    let tangled = "b0: r0 = havoc h0 r1 = equal r0, i32 0 branch r1, b1, b2
        b1: r0 = load i32 [@a] r1 = equal r0, i32 0 branch r1, b2, b3
        b2: r0 = load i32 [@b] r1 = equal r0, i32 0 branch r1, b1, b3 b3: return";
    assert_eq!(form(tangled, SAFETY), "left");
}
