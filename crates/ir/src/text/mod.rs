//! The text form of programs: printed for people, read back exactly.
//!
//! Blanks and line ends only separate; `;` starts a comment. Everything has an id (`f0` a function, `g0` a global,
//! `h0` a source of nondeterminism, `r0` a register, `b0` a block), and definitions come in the order of their
//! ids. Where a name is unique it may stand for the id: `@counter` for a global or function, `%i` for a
//! register; names that are no identifiers are quoted (`@"unit.c:helper"`). A span is written behind the thing
//! it belongs to as `@lo-hi`, in bytes of the source map, and left out when there is none.
//!
//! ```text
//! program pointer_bits 64 entry f1
//!
//! havoc h0 "__VERIFIER_nondet_int()" i32 signed @120-143
//!
//! global g0 "counter" size 8 align 4 shape { value 0: signed i32, lock 4: unsigned i32 } {
//!   0: i32 5
//! }
//!
//! function f0 "worker" (r0) -> ptr @12-18 {
//!   registers r0: ptr "argument", r1: i32 "old", r2: i1
//! b0:
//!   lock [@counter+4]
//!   %old = load i32 [@counter] @40-47 ; worker.c:7:5
//!   r2 = signed_less %old, i32 10
//!   check assertion r2, "old < 10"
//!   unlock [@counter+4]
//!   return null
//! }
//!
//! function f1 "main" () {
//!   registers r0: i32
//! b0:
//!   r0 = fork @worker(null)
//!   join r0
//!   exit_process i32 0
//! }
//! ```
//!
//! The head of a function that comes with the API models ends with `model`, and with `reads acquired` or another word if it
//! declares what it reads of other threads.
//!
//! Behind the first line may stand what code outside of the program is and can name: `undefined f2` or `undefined f2 pure` for a
//! function that no file defines, `exposed g0` and `exposed f1` for what has external linkage, `hidden g1` for what the library
//! keeps between calls, `handlers g2` for where it keeps functions that it calls.
//!
//! | constants | |
//! |---|---|
//! | `i32 5`, `i8 -1`, `i64 0x7fff` | an integer of that many bits; negative numbers are taken modulo its range |
//! | `true`, `false` | `i1 1` and `i1 0` |
//! | `f64 1.5`, `f32 bits 0x7fc00000` | a number, or its bits |
//! | `null`, `@x`, `@x+4`, `@f`, `g0`, `function f0` | pointers |
//!
//! | instructions | |
//! |---|---|
//! | `r = v`, `r = add v, w`, `r = equal v, w`, `r = sign_extend v`, … | assignments; the operators are those of [`crate::inst`] |
//! | `r = select c, v, w`, `r = overflows signed_add v, w` | |
//! | `r = pointer_add p, n`, `r = pointer_difference p, q` | |
//! | `r = thread_local @x`, `r = current_thread`, `r = thread_exists t`, `r = object_size p` | |
//! | `r = holds_lock p`, `r = lock_is_free p` | |
//! | `r = load i32 [p] acquire`, `store i32 [p], v release` | no ordering means a plain access |
//! | `r = rmw add i32 [p], v seq_cst`, `r = compare_exchange i32 [p], expected, desired seq_cst`, `fence seq_cst` | |
//! | `r = alloc heap n align 8 zeroed "malloc" shape …`, `free p` | |
//! | `end_life object p`, `end_life activation`, `end_life thread` | |
//! | `r = call @f(v, w)`, `call p()`, `r = intrinsic put_byte(v, w)`, `r = intrinsic math sin(v)` | |
//! | `r = havoc h0`, `assume c`, `wait_until c`, `check assertion c, "text"` | |
//! | `r = fork @f(p)`, `r = join t`, `join t`, `lock [p]`, `unlock [p]`, `atomic_begin`, `atomic_end` | |
//!
//! | terminators | |
//! |---|---|
//! | `jump b1`, `branch c, b1, b2`, `switch v { 0: b1, 3..9: b2, default: b3 }` | |
//! | `return`, `return v`, `exit_thread p`, `exit_process v`, `abort`, `unreachable`, `unsupported "text"` | |
//!
//! Shapes: `bytes`, `signed i32` (a style and a type), `[10 stride 4: signed i32]`, `{ member 0: signed i32 }`.
//!
//! Printing and parsing give back an equal program for every program whose ids are in range.

mod lex;
pub mod names;
mod parse;
mod parse_inst;
mod print;
#[cfg(test)]
mod random;
mod tokens;

pub use parse::{ParseError, parse_program};
pub use print::{FindLocation, print_function, print_inst, print_operand, print_program, print_terminator};

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the module's documentation.
    fn documented_example() -> String {
        include_str!("mod.rs")
            .lines()
            .skip_while(|line| *line != "//! ```text")
            .skip(1)
            .take_while(|line| *line != "//! ```")
            .map(|line| line.trim_start_matches("//!").to_owned() + "\n")
            .collect()
    }

    #[test]
    fn the_documented_example_parses_and_round_trips() {
        let program = parse_program(&documented_example()).expect("the documentation is right");
        assert_eq!(program.functions.len(), 2);
        let printed = print_program(&program, None);
        assert_eq!(parse_program(&printed).expect("printed text parses"), program);
        assert!(printed.contains("%old = load i32 [@counter] @40-47\n"), "{printed}");
        assert!(printed.contains("lock [@counter+4]"), "{printed}");
    }

    #[test]
    fn places_become_comments_that_the_parser_skips() {
        let program = parse_program(&documented_example()).expect("the documentation is right");
        let find = |span: raddle_base::Span| {
            Some(raddle_base::Location { file: "worker.c".into(), line: span.lo, column: 5 })
        };
        let printed = print_program(&program, Some(&find));
        assert!(printed.contains("@40-47 ; worker.c:40:5\n"), "{printed}");
        assert_eq!(parse_program(&printed).expect("printed text parses"), program);
    }

    #[test]
    fn errors_tell_line_column_and_what_was_expected() {
        let error = |text: &str| parse_program(text).expect_err("is wrong").to_string();
        assert_eq!(
            error("program pointer_bits 64 entry"),
            "line 1, column 30: expected a function id like f0, found the end"
        );
        assert_eq!(error("\n  function"), "line 2, column 3: expected program, found function");
        let inside = |text: &str| {
            error(&format!(
                "program pointer_bits 64 entry f0\nfunction f0 \"main\" () {{\nregisters r0: i32 \"i\"\nb0:\n{text}"
            ))
        };
        assert_eq!(inside("r0 = i32 x"), "line 5, column 10: expected an integer, found x");
        assert_eq!(inside("r0 = %j"), "line 5, column 6: expected a register of this function, found %j");
        assert_eq!(
            inside("r0 = @j"),
            "line 5, column 6: expected the name of one global or function, found @j"
        );
        assert_eq!(inside("jump b1"), "line 5, column 8: expected } or a block label, found the end");
        assert_eq!(
            inside("r0 = i32 1 }"),
            "line 5, column 12: expected an instruction or a terminator, found }"
        );
        assert_eq!(inside("r0 = \"open"), "line 5, column 6: expected a closing quote, found the end");
        assert_eq!(inside("b2:"), "line 5, column 1: expected an instruction or a terminator, found b2");
        assert_eq!(
            inside("r0 = i32 0x1ffffffffffffffffffffffffffffffffff"),
            "line 5, column 10: expected an integer of at most 128 bits, found 0x1ffffffffffffffffffffffffffffffffff"
        );
    }

    #[test]
    fn any_prefix_of_a_program_is_an_error_and_no_panic() {
        let text = documented_example();
        for (end, _) in text.char_indices() {
            let prefix = &text[..end];
            let _ = parse_program(prefix);
            let _ = parse_program(&format!("{prefix} \" ["));
        }
    }

    #[test]
    fn deep_shapes_are_refused_not_overflowed() {
        let text = format!(
            "program pointer_bits 64 entry f0 global g0 \"x\" size 1 align 1 shape {}",
            "[1 stride 1: ".repeat(100_000)
        );
        assert!(parse_program(&text).is_err());
    }
}
