//! Around which waits spurious wake-ups are left out.

use super::*;
use crate::text::{parse_program, print_function};
use crate::validate::validate;

/// The function `work` after the pass, on one line, and what was done. `wait` chooses and then waits as a model would; `rest` is more
/// of the program.
fn limited(body: &str, chooser: &str, rest: &str) -> (String, Vec<SpinWait>) {
    let text = format!(
        "program pointer_bits 64 entry f0 havoc h0 \"n\" i1 havoc h1 \"s\" i1 spurious
         global g0 \"ready\" size 4 align 4 {{ }} global g1 \"lock\" size 4 align 4 {{ }}
         global g2 \"queue\" size 8 align 4 {{ }}
         function f0 \"main\" () {{ registers r0: i32 b0: r0 = fork @other(null) call @work(@queue) {rest} return }}
         function f1 \"other\" (r0) -> ptr {{ registers r0: ptr
           b0: lock [@lock] store i32 [@ready], i32 1 unlock [@lock] return null }}
         function f2 \"work\" (r0) {{ registers r0: ptr, r1: i32, r2: i1, r3: ptr {body} }}
         function f3 \"wait\" (r0) model {{ registers r0: ptr, r1: i1
           b0: r1 = call @choose() call @blocks(r0, r1) return }}
         function f4 \"choose\" () -> i1 model {{ registers r0: i1, r1: i1 {chooser} }}
         function f5 \"blocks\" (r0, r1) model reads any {{ registers r0: ptr, r1: i1, r2: i32, r3: i1
           b0: atomic_begin r2 = load i32 [r0] r3 = equal r2, i32 0 wait_until r3 store i32 [r0], i32 1 atomic_end return }}"
    );
    let mut program = parse_program(&text).expect("parses");
    assert_eq!(validate(&program), []);
    let waits = limit_spurious_wakeups(&mut program);
    assert_eq!(validate(&program), []);
    let work = program.functions.ids().nth(2).expect("there are more");
    let printed = print_function(&program, work, None);
    let lines = printed.lines().skip_while(|line| !line.starts_with('b')).map(str::trim);
    (lines.filter(|line| *line != "}").collect::<Vec<_>>().join(" | "), waits)
}

/// `while (!ready) wait(queue);`
const LOOP: &str = "b0: jump b1 b1: r1 = load i32 [@ready] r2 = equal r1, i32 0 branch r2, b2, b3
    b2: r3 = r0 call @wait(r3) jump b1 b3: return";

const CHOOSER: &str = "b0: r0 = havoc h1 return r0";

fn is_limited(body: &str, chooser: &str, rest: &str) -> bool {
    !limited(body, chooser, rest).1.is_empty()
}

#[test]
fn one_wake_up_for_no_reason_is_left_of_each_visit() {
    let (text, waits) = limited(LOOP, CHOOSER, "");
    assert_eq!(waits.len(), 1);
    assert_eq!(waits[0].blocking, Blocking::AssumeLike);
    assert_eq!(
        text,
        "b0: | jump b4 | b1: | r1 = load i32 [@ready] | r2 = equal r1, i32 0 | branch r2, b2, b3 | \
         b2: | r3 = r0 | r5 = r3 | r6 = call @choose() | r7 = equal r6, false | r8 = select r7, true, r4 | \
         r4 = select r7, r4, false | branch r8, b6, b5 | b3: | return | b4: | r4 = true | jump b1 | \
         b5: | wait_until false | unreachable | b6: | call @blocks(r5, r6) | jump b1"
    );
}

#[test]
fn a_choice_that_is_any_input_stays() {
    assert!(!is_limited(LOOP, "b0: r0 = havoc h0 return r0", ""));
}

#[test]
fn what_models_never_come_to_does_not_count() {
    let never = "b0: branch false, b1, b2 b1: r0 = havoc h0 return r0 b2: r1 = havoc h1 return r1";
    assert!(is_limited(LOOP, never, ""));
    let sometimes =
        "b0: r0 = havoc h0 branch r0, b1, b2 b1: r0 = havoc h0 return r0 b2: r1 = havoc h1 return r1";
    assert!(!is_limited(LOOP, sometimes, ""));
}

#[test]
fn a_loop_that_writes_stays() {
    let writes = LOOP.replace("jump b1 b3", "store i32 [@ready], i32 0 jump b1 b3");
    assert!(!is_limited(&writes, CHOOSER, ""));
}

#[test]
fn a_loop_that_waits_elsewhere_each_time_stays() {
    let moves = LOOP.replace("r3 = r0 call @wait(r3)", "r3 = load ptr [r0] call @wait(r3)");
    assert!(!is_limited(&moves, CHOOSER, ""));
    let carries = LOOP.replace("r3 = r0 call @wait(r3)", "call @wait(r0) r0 = pointer_add r0, i64 4");
    assert!(!is_limited(&carries, CHOOSER, ""));
}

#[test]
fn a_loop_with_two_waits_stays() {
    let twice = LOOP.replace("call @wait(r3)", "call @wait(r3) call @wait(r3)");
    assert!(!is_limited(&twice, CHOOSER, ""));
}

#[test]
fn where_threads_communicate_without_ordering_all_stays() {
    assert!(is_limited(LOOP, CHOOSER, "store i32 [@ready], i32 1"));
    assert!(!is_limited(LOOP, CHOOSER, "store i32 [@ready], i32 1 relaxed"));
}

#[test]
fn what_is_found_out_before_the_wait_and_used_behind_it_stays() {
    let used = "b0: jump b1 b1: r1 = load i32 [@ready] r2 = equal r1, i32 0 branch r2, b2, b3
        b2: call @wait(r0) r2 = equal r1, i32 7 branch r2, b3, b1 b3: return";
    assert!(!is_limited(used, CHOOSER, ""));
    let same = "b0: jump b1 b1: r1 = load i32 [@ready] r2 = equal r1, i32 0 branch r2, b2, b3
        b2: r3 = r0 call @wait(r3) r2 = equal r3, null branch r2, b3, b1 b3: return";
    assert!(is_limited(same, CHOOSER, ""));
}
