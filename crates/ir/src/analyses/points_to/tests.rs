//! Points-to sets of small programs, checked by hand.

use super::*;
use crate::text::parse_program;
use crate::validate::validate;

/// What the named registers of `main` (and of other functions as `function.register`) point to.
struct Solved {
    program: Program,
    points_to: PointsTo,
}

fn solve(text: &str) -> Solved {
    let program = parse_program(&format!("program pointer_bits 64 entry f0 {text}")).expect("parses");
    let findings = validate(&program);
    assert!(findings.is_empty(), "{findings:?}");
    let points_to = PointsTo::new(&program);
    Solved { program, points_to }
}

impl Solved {
    fn of(&self, function: &str, register: &str) -> String {
        let (id, function) =
            self.program.functions.iter().find(|(_, each)| each.name == function).expect("the function");
        let (register, _) = (function.registers.iter())
            .find(|(_, each)| each.name.as_deref() == Some(register))
            .expect("the register");
        let targets = self.points_to.targets(id, Operand::Register(register));
        self.show(&targets)
    }

    fn show(&self, targets: &[Target]) -> String {
        let shown = targets.iter().map(|(object, offsets)| {
            let name = self.points_to.name(&self.program, *object);
            match (offsets.exact(), offsets.step()) {
                (Some(0), _) => name,
                (Some(offset), _) => format!("{name}+{offset}"),
                (None, 1) => format!("{name}+?"),
                (None, step) => format!("{name}+{}%{step}", offsets.start()),
            }
        });
        shown.collect::<Vec<_>>().join(" ")
    }
}

const GLOBALS: &str = "global g0 \"x\" size 8 align 8 { } global g1 \"y\" size 8 align 8 { }
    global g2 \"s\" size 32 align 8 { 0: @x 8: @y } global g3 \"table\" size 96 align 8 { }";

#[test]
fn members_of_a_record_are_told_apart() {
    let solved = solve(&format!(
        "{GLOBALS} function f0 \"main\" () {{ registers r0: ptr \"a\", r1: ptr \"b\", r2: ptr \"c\", r3: ptr \"d\"
         b0: %a = load ptr [@s] %b = load ptr [@s+8] store ptr [@s+16], @s+4 %c = load ptr [@s+16]
         %d = load ptr [@s+24] return }}"
    ));
    let of = |register| solved.of("main", register);
    assert_eq!([of("a"), of("b"), of("c"), of("d")], ["x", "y", "s+4", ""]);
}

#[test]
fn members_of_array_elements_are_told_apart() {
    let solved = solve(&format!(
        "havoc h0 \"i\" i32 {GLOBALS} function f0 \"main\" () {{
         registers r0: i32, r1: i64, r2: i64, r3: ptr \"first\", r4: ptr \"second\", r5: ptr \"a\", r6: ptr \"b\"
         b0: r0 = havoc h0 r1 = sign_extend r0 r2 = mul r1, i64 24 %first = pointer_add @table, r2
         %second = pointer_add %first, i64 8 store ptr [%first], @x store ptr [%second], @y
         %a = load ptr [@table+24] %b = load ptr [@table+56] return }}"
    ));
    assert_eq!(solved.of("main", "first"), "table+0%24");
    assert_eq!(solved.of("main", "second"), "table+8%24");
    assert_eq!(solved.of("main", "a"), "x");
    assert_eq!(solved.of("main", "b"), "y");
}

#[test]
fn an_index_that_is_cut_to_eight_bits_may_be_negative() {
    let solved = solve(&format!(
        "havoc h0 \"i\" i32 {GLOBALS} global g4 \"bytes\" size 512 align 8 {{ }} function f0 \"main\" () {{
         registers r0: i32, r1: i32, r2: i32, r3: i8, r4: i64, r5: ptr \"p\"
         b0: r0 = havoc h0 r1 = mul r0, i32 1024 r2 = add r1, i32 200 r3 = truncate r2 r4 = sign_extend r3
         %p = pointer_add @bytes+256, r4 return }}"
    ));
    // 200 as eight bits is -56, and that added to 256 is 200.
    assert_eq!(solved.of("main", "p"), "bytes+200%256");
}

#[test]
fn a_pointer_that_walks_an_array_comes_to_a_fixpoint() {
    let solved = solve(&format!(
        "havoc h0 \"c\" i1 {GLOBALS} function f0 \"main\" () {{ registers r0: i1, r1: ptr \"p\"
         b0: %p = @table jump b1
         b1: %p = pointer_add %p, i64 12 r0 = havoc h0 branch r0, b1, b2
         b2: return }}"
    ));
    assert_eq!(solved.of("main", "p"), "table+0%12");
}

#[test]
fn pointers_survive_integers_and_bytes() {
    let solved = solve(&format!(
        "{GLOBALS} function f0 \"main\" () {{
         registers r0: i64 \"n\", r1: ptr \"p\", r2: i64 \"masked\", r3: ptr \"q\", r4: i8, r5: ptr \"copy\", r6: i64,
           r7: ptr \"whole\"
         b0: %n = pointer_to_int @x+4 %p = int_to_pointer %n %masked = and %n, i64 -8 %q = int_to_pointer %masked
         r4 = load i8 [@s+3] store i8 [@table+3], r4 %copy = load ptr [@table]
         r6 = load i64 [@s+8] store i64 [@table+16], r6 %whole = load ptr [@table+16] return }}"
    ));
    assert_eq!(solved.of("main", "p"), "x+4");
    assert_eq!(solved.of("main", "q"), "x+?");
    assert_eq!(solved.of("main", "copy"), "x+?");
    assert_eq!(solved.of("main", "whole"), "y");
}

#[test]
fn calls_function_pointers_and_results() {
    let solved = solve(&format!(
        "{GLOBALS} global g4 \"handler\" size 8 align 8 {{ 0: @identity }}
         function f0 \"main\" () {{ registers r0: ptr \"f\", r1: ptr \"a\", r2: ptr \"b\"
         b0: %f = load ptr [@handler] %a = call %f(@x) %b = call @identity(@y) return }}
         function f1 \"identity\" (r0) -> ptr {{ registers r0: ptr \"p\" b0: return r0 }}
         function f2 \"other\" (r0) -> ptr {{ registers r0: ptr \"p\" b0: return @s }}"
    ));
    assert_eq!(solved.of("main", "f"), "identity");
    assert_eq!(solved.of("main", "a"), "x y");
    assert_eq!(solved.of("identity", "p"), "x y");
    let identity = solved.program.functions.ids().nth(1).expect("three functions");
    assert!(solved.points_to.is_reached(identity));
    assert!(!solved.points_to.is_reached(solved.program.functions.ids().nth(2).expect("three functions")));
    let main = solved.program.entry;
    let block = solved.program.functions[main].blocks.ids().next().expect("a block");
    assert_eq!(solved.points_to.callees(CallSite { function: main, block, inst: 1 }), [identity]);
}

#[test]
fn callers_of_malloc_get_objects_of_their_own() {
    let solved = solve(
        "function f0 \"main\" () { registers r0: ptr \"a\", r1: ptr \"b\", r2: ptr \"c\"
         b0: %a = call @malloc(i64 8) %b = call @malloc(i64 8) %c = call @wrapper() return }
         function f1 \"malloc\" (r0) -> ptr model { registers r0: i64, r1: ptr \"p\"
         b0: r1 = alloc heap r0 align 16 \"malloc\" return r1 }
         function f2 \"wrapper\" () -> ptr { registers r0: ptr \"p\" b0: r0 = call @malloc(i64 4) return r0 }",
    );
    assert_eq!(solved.of("main", "a"), "malloc in malloc from main");
    assert_eq!(solved.of("main", "c"), "malloc in malloc from wrapper from main");
    assert_ne!(
        solved.points_to.targets(solved.program.entry, Operand::Register(raddle_base::Id::from_index(0))),
        solved.points_to.targets(solved.program.entry, Operand::Register(raddle_base::Id::from_index(1)))
    );
}

#[test]
fn threads_take_arguments_and_leave_results() {
    let solved = solve(&format!(
        "{GLOBALS} function f0 \"main\" () {{ registers r0: i32, r1: ptr \"result\"
         b0: r0 = fork @work(@x) %result = join r0 return }}
         function f1 \"work\" (r0) -> ptr {{ registers r0: ptr \"argument\", r1: i1
         b0: r1 = equal r0, null branch r1, b1, b2 b1: exit_thread @y b2: return r0 }}"
    ));
    assert_eq!(solved.of("work", "argument"), "x");
    assert_eq!(solved.of("main", "result"), "x y");
    assert_eq!(solved.points_to.thread_functions().len(), 2);
}

#[test]
fn atomics_move_pointers() {
    let solved = solve(&format!(
        "{GLOBALS} function f0 \"main\" () {{ registers r0: ptr \"old\", r1: ptr \"now\", r2: ptr \"moved\"
         b0: %old = rmw exchange ptr [@table], @x seq_cst %now = compare_exchange ptr [@table+8], null, @y seq_cst
         %moved = rmw add ptr [@table], i64 8 seq_cst %moved = load ptr [@table] %now = load ptr [@table+8] return }}"
    ));
    assert_eq!(solved.of("main", "old"), "x+?");
    assert_eq!(solved.of("main", "now"), "y");
}

#[test]
fn overlap_of_sets() {
    let solved = solve(&format!("{GLOBALS} function f0 \"main\" () {{ b0: return }}"));
    let x = solved.points_to.global(raddle_base::Id::from_index(0)).expect("x");
    let at = |offset| vec![(x, Offsets::exactly(offset))];
    assert!(PointsTo::may_overlap(&at(0), 4, &at(2), 4));
    assert!(!PointsTo::may_overlap(&at(0), 4, &at(4), 4));
    assert!(PointsTo::may_overlap(&at(0), 4, &[(x, Offsets::ANY)], 1));
}
