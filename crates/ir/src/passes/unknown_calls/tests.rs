//! Unknown functions: what is proved without them, and what is not.

use super::*;
use crate::text::{parse_program, print_program};

fn program(text: &str) -> Program {
    parse_program(&format!("program pointer_bits 64 entry f0 {text}")).unwrap()
}

fn over(program: &Program) -> Option<OverApproximation> {
    over_approximate(program, ThreadEnds::Possible)
}

/// A program that calls `f`, which nobody defines, and then reads `x`.
fn reads_after(outside: &str, argument: &str) -> Program {
    program(&format!(
        "undefined f1 {outside}
         global g0 \"x\" size 4 align 4 shape signed i32 {{}}
         function f0 \"main\" () {{
           registers r0: i32, r1: i32
         b0:
           r0 = call @f({argument}) @10-11
           r1 = load i32 [@x]
           exit_process r1
         }}
         function f1 \"f\" (r0) -> i32 {{ registers r0: ptr }}
         function f2 \"set\" () {{
         b0:
           store i32 [@x], i32 1
           return
         }}
         function f3 \"none\" () {{
         b0:
           return
         }}"
    ))
}

#[test]
fn what_unknown_functions_cannot_reach_is_not_guarded() {
    let made = over(&reads_after("", "null")).expect("the call returns");
    assert!(made.only_returns && made.program.functions.values().any(|function| function.blocks.is_empty()));
}

#[test]
fn what_they_can_name_or_are_given_is_guarded() {
    for (outside, argument) in [("exposed g0", "null"), ("", "@x")] {
        let made = over(&reads_after(outside, argument)).expect("the call returns");
        let text = print_program(&made.program, None);
        assert!(!made.only_returns && text.contains("unsupported \"depends on `f`"), "{text}");
    }
    let pure = over(&reads_after("pure exposed g0", "@x")).expect("the call returns");
    assert!(pure.only_returns, "one that only returns a value changes nothing");
}

#[test]
fn a_call_that_may_call_back_does_not_return() {
    assert!(over(&reads_after("exposed f2", "null")).is_none());
    assert!(over(&reads_after("", "function f2")).is_none());
    assert!(over(&reads_after("exposed f3", "function f3")).is_some(), "it does nothing");
}

#[test]
fn a_pointer_that_is_used_and_a_thread_stay_unknown() {
    let text = |result: &str| {
        program(&format!(
            "undefined f1
             function f0 \"main\" () {{
               registers r0: ptr, r1: i32
             b0:
               r0 = call @f(null)
               {result}
               exit_process i32 0
             }}
             function f1 \"f\" (r0) -> ptr {{ registers r0: ptr }}"
        ))
    };
    assert!(over(&text("")).is_some());
    assert!(over(&text("r1 = load i32 [r0]")).is_none());
    assert!(over(&text("r1 = fork @f(null)")).is_none());
}

#[test]
fn a_program_stops_at_the_first_call() {
    let mut program = reads_after("", "null");
    stop_at_undefined(&mut program);
    let text = print_program(&program, None);
    assert!(text.contains("unsupported \"depends on `f`, which has no body: give a stub\" @10-11"), "{text}");
    assert_eq!(undefined_function(&program, &depends_on("f")).map(|found| found.name.as_str()), Some("f"));
}

/// A program that looks at `x` behind a call of `f`, with more functions and objects.
fn reads_beside(outside: &str, more: &str) -> Program {
    program(&format!(
        "undefined f1 {outside}
         global g0 \"x\" size 4 align 4 shape signed i32 {{}}
         global g1 \"table\" size 8 align 8 {{ 0: @handler }}
         function f0 \"main\" () {{
           registers r0: i32
         b0:
           call @f()
           r0 = load i32 [@x]
           exit_process r0
         }}
         function f1 \"f\" () {{ }}
         function f2 \"get\" () -> ptr {{
           registers r0: ptr
         b0:
           {more}
           return r0
         }}
         function f3 \"handler\" () {{
         b0:
           store i32 [@x], i32 1
           return
         }}"
    ))
}

#[test]
fn what_functions_return_that_they_may_call_is_theirs() {
    let only_returns = |outside, more| over(&reads_beside(outside, more)).map(|made| made.only_returns);
    assert_eq!(only_returns("", "r0 = @x"), Some(true), "nobody can call `get`");
    assert_eq!(only_returns("exposed f2", "r0 = null"), Some(true));
    assert_eq!(only_returns("exposed f2", "r0 = @x"), Some(false));
    assert_eq!(only_returns("exposed f2", "r0 = @handler"), None, "they may call what it returns");
}

#[test]
fn what_the_library_keeps_is_theirs_and_its_handlers_may_run() {
    let only_returns = |outside| over(&reads_beside(outside, "r0 = null")).map(|made| made.only_returns);
    assert_eq!(only_returns("hidden g0"), Some(false));
    assert_eq!(only_returns("handlers g0"), Some(true), "it is not changed, and no function is there");
    assert_eq!(only_returns("handlers g1"), None);
}

/// A program with a thread in which `f` is called.
fn calls_in_thread(argument: &str, result: &str) -> Program {
    program(&format!(
        "undefined f1
         global g0 \"x\" size 4 align 4 shape signed i32 {{}}
         function f0 \"main\" () {{
           registers r0: i32, r1: ptr
         b0:
           r0 = fork @work(null)
           r1 = join r0
           {result}
           exit_process i32 0
         }}
         function f1 \"f\" (r0) {{ registers r0: i64 }}
         function f2 \"work\" (r0) -> ptr {{
           registers r0: ptr, r1: i32, r2: i64
         b0:
           r1 = current_thread
           r2 = zero_extend r1
           call @f({argument})
           return r0
         }}"
    ))
}

#[test]
fn a_thread_may_end_there_and_leave_anything() {
    let text = |result| {
        let made = over(&calls_in_thread("i64 1", result)).expect("the call returns");
        assert!(!made.only_returns);
        print_program(&made.program, None)
    };
    assert!(text("").contains("exit_thread") && !text("").contains("unsupported"));
    assert!(text("store ptr [@x], r1").contains("unsupported"), "{}", text("store ptr [@x], r1"));
    let made = over_approximate(&calls_in_thread("i64 1", ""), ThreadEnds::Ignored).expect("it returns");
    assert!(made.only_returns);
}

#[test]
fn a_call_with_a_handle_does_not_return() {
    assert!(over(&calls_in_thread("r2", "")).is_none());
}

#[test]
fn a_call_stops_if_something_ended_that_it_may_hold() {
    let text = |first, second| {
        let made = over(&program(&format!(
            "undefined f1
             function f0 \"main\" () {{
               registers r0: ptr, r1: ptr
             b0:
               r0 = alloc heap i64 4 align 4 \"a\"
               r1 = alloc heap i64 4 align 4 \"b\"
               free {first}
               call @f({second})
               exit_process i32 0
             }}
             function f1 \"f\" (r0) {{ registers r0: ptr }}"
        )));
        print_program(&made.expect("the call returns").program, None)
    };
    assert!(text("r0", "r0").contains("unsupported"));
    assert!(!text("r0", "r1").contains("unsupported"));
}
