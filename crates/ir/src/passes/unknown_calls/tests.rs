//! Unknown functions: what is proved without them, and what is not.

use super::*;
use crate::text::{parse_program, print_program};

fn program(text: &str) -> Program {
    parse_program(&format!("program pointer_bits 64 entry f0 {text}")).unwrap()
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
    let made = over_approximate(&reads_after("", "null")).expect("the call returns");
    assert!(!made.has_flag && made.program.functions.values().any(|function| function.blocks.is_empty()));
}

#[test]
fn what_they_can_name_or_are_given_is_guarded() {
    for (outside, argument) in [("exposed g0", "null"), ("", "@x")] {
        let made = over_approximate(&reads_after(outside, argument)).expect("the call returns");
        let text = print_program(&made.program, None);
        assert!(made.has_flag && text.contains("unsupported \"depends on `f`"), "{text}");
    }
    let pure = over_approximate(&reads_after("pure exposed g0", "@x")).expect("the call returns");
    assert!(!pure.has_flag, "one that only returns a value changes nothing");
}

#[test]
fn a_call_that_may_call_back_does_not_return() {
    assert!(over_approximate(&reads_after("exposed f2", "null")).is_none());
    assert!(over_approximate(&reads_after("", "function f2")).is_none());
    assert!(over_approximate(&reads_after("exposed f3", "function f3")).is_some(), "it does nothing");
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
    assert!(over_approximate(&text("")).is_some());
    assert!(over_approximate(&text("r1 = load i32 [r0]")).is_none());
    assert!(over_approximate(&text("r1 = fork @f(null)")).is_none());
}

#[test]
fn a_program_stops_at_the_first_call() {
    let mut program = reads_after("", "null");
    stop_at_undefined(&mut program);
    let text = print_program(&program, None);
    assert!(text.contains("unsupported \"depends on `f`, which has no body: give a stub\" @10-11"), "{text}");
    assert_eq!(undefined_function(&program, &depends_on("f")).map(|found| found.name.as_str()), Some("f"));
}
