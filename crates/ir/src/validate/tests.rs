//! Each rule has an example that breaks it and nothing else.

use super::{Rule, validate};
use crate::text::parse_program;

/// The rules that a text breaks, in order.
fn broken(text: &str) -> Vec<Rule> {
    let program = parse_program(text).expect("the example parses");
    validate(&program).into_iter().map(|finding| finding.rule).collect()
}

/// The rules that a body of `main` breaks. There are registers r0: i32, r1: i1, r2: ptr, r3: f64, r4: i64,
/// r5: f32, r6: i8, r7: i12, all assigned first; globals `x` (4 bytes) and `t` (thread-local); functions `thread` and `take`.
fn broken_by(body: &str) -> Vec<Rule> {
    broken(&format!(
        "program pointer_bits 64 entry f0
         havoc h0 \"nondet\" i32 signed
         global g0 \"x\" size 4 align 4 {{ }}
         global g1 \"t\" size 4 align 4 thread_local {{ }}
         function f0 \"main\" () {{
           registers r0: i32, r1: i1, r2: ptr, r3: f64, r4: i64, r5: f32, r6: i8, r7: i12
         b0: r0 = i32 0 r1 = false r2 = null r3 = f64 0.0 r4 = i64 0 r5 = f32 0.0 r6 = i8 0 r7 = i12 0
           {body}
         }}
         function f1 \"thread\" (r0) -> ptr {{ registers r0: ptr b0: return r0 }}
         function f2 \"take\" (r0) -> i32 {{ registers r0: i32 b0: return r0 }}"
    ))
}

#[test]
fn a_body_with_every_instruction_breaks_nothing() {
    let body = "r0 = i32 1 r0 = neg r0 r0 = not r0 r3 = float_neg r3 r0 = pop_count r0 r0 = byte_swap r0
        r0 = add r0, i32 1 r0 = shl r0, r4 r3 = float_add r3, r3 r1 = equal r2, null r1 = unsigned_less r2, r2
        r1 = signed_less r0, r0 r1 = float_less r3, r3 r4 = sign_extend r0 r0 = truncate r4 r3 = signed_to_float r0
        r0 = float_to_signed r3 r5 = float_to_float r3 r4 = pointer_to_int r2 r2 = int_to_pointer r4 r4 = bits r3
        r5 = bits r0 r0 = select r1, r0, i32 2 r2 = pointer_add r2, r4 r4 = pointer_difference r2, r2
        r1 = overflows signed_add r0, r0 r2 = thread_local @t r0 = current_thread r1 = thread_exists r0
        r4 = object_size r2 r1 = holds_lock r2 r1 = lock_is_free @x r0 = load i32 [@x] acquire store i32 [@x], r0 release r0 = rmw add i32 [@x], r0 acq_rel
        r2 = rmw add ptr [r2], r4 seq_cst r0 = compare_exchange i32 [@x], r0, i32 1 seq_cst fence seq_cst
        r2 = alloc heap i64 8 align 8 \"malloc\" free r2 r0 = call @take(r0) call @take(r0) call r2(r0)
        intrinsic put_pointer(i32 1, i32 112, i32 0, r2) r3 = intrinsic math pow(r3, r3) intrinsic put_byte(i32 1, i8 65)
        r0 = havoc h0 assume r1 wait_until r1 check assertion r1, \"text\" r0 = fork @thread(r2)
        r2 = join r0 join r0 lock [r2] unlock [r2] atomic_begin atomic_begin atomic_end atomic_end
        switch r0 { 0: b1, 3..9: b2, default: b3 }
        b1: branch r1, b2, b3 b2: exit_thread r2 b3: exit_process r0 b4: abort b5: unreachable
        b6: unsupported \"asm\" b7: jump b8 b8: return";
    assert_eq!(broken_by(body), []);
}

#[test]
fn every_finding_names_its_position() {
    let program = parse_program(
        "program pointer_bits 64 entry f0 function f0 \"main\" () { registers r0: i32 \"n\"
         b0: r0 = i32 1 check assertion %n, \"n\" return }",
    )
    .expect("parses");
    let findings = validate(&program);
    let messages: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        ["in `main` (f0), b0, instruction 1 `check assertion %n, \"n\"`: the condition is i32, expected i1"]
    );
}

#[test]
fn the_frame() {
    let main = "function f0 \"main\" () { b0: return }";
    assert_eq!(broken(&format!("program pointer_bits 16 entry f0 {main}")), [Rule::PointerBits]);
    assert_eq!(broken(&format!("program pointer_bits 64 entry f1 {main}")), [Rule::Entry]);
    assert_eq!(broken("program pointer_bits 64 entry f0 function f0 \"main\" () { }"), [Rule::Entry]);
    let with_parameter = "function f0 \"main\" (r0) { registers r0: i32 b0: return }";
    assert_eq!(broken(&format!("program pointer_bits 64 entry f0 {with_parameter}")), [Rule::Entry]);
    let twice = "function f1 \"main\" () { }";
    assert_eq!(broken(&format!("program pointer_bits 64 entry f0 {main} {twice}")), [Rule::UniqueName]);
    let odd = "function f1 \"f\" (r0, r0) { registers r0: i32 }";
    assert_eq!(broken(&format!("program pointer_bits 64 entry f0 {main} {odd}")), [Rule::Parameters]);
    let missing = "function f1 \"f\" (r0) { }";
    assert_eq!(broken(&format!("program pointer_bits 64 entry f0 {main} {missing}")), [Rule::IdInRange]);
    let wide = "function f1 \"f\" () { registers r0: i129, r1: i0 }";
    let expected = [Rule::IntegerRange, Rule::IntegerRange];
    assert_eq!(broken(&format!("program pointer_bits 64 entry f0 {main} {wide}")), expected);
    let havoc = "havoc h0 \"n\" i0";
    assert_eq!(broken(&format!("program pointer_bits 64 entry f0 {havoc} {main}")), [Rule::IntegerRange]);
}

#[test]
fn ids_in_range() {
    for body in [
        "r9 = i32 1 return",
        "r0 = r9 return",
        "r0 = add r9, r9 return",
        "store ptr [r2], g7 return",
        "store ptr [r2], function f7 return",
        "r0 = havoc h1 return",
        "r2 = thread_local g9 return",
        "jump b9",
        "branch r1, b0, b9",
        "switch r0 { 1: b9, default: b0 }",
        "return r9",
    ] {
        let rules = broken_by(body);
        assert!(!rules.is_empty() && rules.iter().all(|rule| *rule == Rule::IdInRange), "{body}: {rules:?}");
    }
}

#[test]
fn operand_types() {
    for body in [
        "r0 = i64 1",
        "r0 = neg r3",
        "r3 = float_neg r0",
        "r7 = byte_swap r7",
        "r0 = add r0, r4",
        "r2 = add r2, r2",
        "r0 = shl r0, r3",
        "r3 = float_add r3, r5",
        "r0 = equal r0, r0",
        "r1 = signed_less r2, r2",
        "r1 = equal r3, r3",
        "r1 = float_less r0, r0",
        "r0 = truncate r0",
        "r0 = sign_extend r4",
        "r4 = zero_extend r4",
        "r3 = signed_to_float r3",
        "r0 = float_to_unsigned r0",
        "r3 = float_to_float r3",
        "r0 = pointer_to_int r2",
        "r2 = int_to_pointer r0",
        "r3 = bits r0",
        "r0 = bits r0",
        "r0 = select r1, r0, r4",
        "r2 = pointer_add r2, r0",
        "r0 = pointer_difference r2, r2",
        "r1 = overflows signed_add r3, r3",
        "r4 = current_thread",
        "r1 = thread_exists r4",
        "r0 = object_size r2",
        "r0 = holds_lock r2",
        "r1 = holds_lock r0",
        "r0 = lock_is_free r2",
        "r1 = lock_is_free r4",
        "r0 = load i32 [r4]",
        "r0 = load i64 [r2]",
        "store i32 [r2], r4",
        "r3 = rmw add f64 [r2], r3 seq_cst",
        "r2 = rmw add ptr [r2], r2 seq_cst",
        "r2 = rmw and ptr [r2], r2 seq_cst",
        "r0 = compare_exchange i32 [r2], r4, r0 seq_cst",
        "r0 = compare_exchange i32 [r2], r0, r4 seq_cst",
        "r2 = alloc heap i32 8 align 8 \"malloc\"",
        "free r4",
        "call r4()",
        "r4 = fork @thread(r2)",
        "r0 = fork r0(r2)",
        "r0 = fork @thread(r0)",
        "r0 = join r0",
        "join r4",
        "lock [r0]",
        "unlock [r0]",
        "r4 = havoc h0",
    ] {
        let mut rules = broken_by(&format!("{body} return"));
        // Both operands may be wrong.
        rules.dedup();
        assert_eq!(rules, [Rule::OperandType], "{body}");
    }
    assert_eq!(broken_by("switch r2 { default: b0 }"), [Rule::OperandType]);
    assert_eq!(broken_by("exit_thread r0"), [Rule::OperandType]);
    assert_eq!(broken_by("exit_process r4"), [Rule::OperandType]);
}

#[test]
fn conditions() {
    for body in
        ["assume r0 return", "wait_until r6 return", "check overflow r2, \"\" return", "branch r0, b0, b0"]
    {
        assert_eq!(broken_by(body), [Rule::Condition], "{body}");
    }
    assert_eq!(broken_by("r0 = select r0, r0, r0 return"), [Rule::Condition]);
}

#[test]
fn single_instructions() {
    for (body, rule) in [
        ("r6 = i8 256", Rule::IntegerRange),
        ("r7 = load i12 [r2]", Rule::StorableType),
        ("store i1 [r2], r1", Rule::StorableType),
        ("r0 = load i32 [r2] release", Rule::MemoryOrder),
        ("store i32 [r2], r0 acquire", Rule::MemoryOrder),
        ("r0 = rmw add i32 [r2], r0", Rule::MemoryOrder),
        ("fence plain", Rule::MemoryOrder),
        ("r2 = alloc heap i64 8 align 3 \"malloc\"", Rule::Alignment),
        ("call @take()", Rule::CallSignature),
        ("call @take(r4)", Rule::CallSignature),
        ("r4 = call @take(r0)", Rule::CallSignature),
        ("r0 = call @main()", Rule::CallSignature),
        ("r0 = fork @take(r2)", Rule::ForkSignature),
        ("r2 = @t", Rule::ThreadLocal),
        ("r2 = thread_local @x", Rule::ThreadLocal),
        ("intrinsic put_float(r2)", Rule::IntrinsicSignature),
        ("intrinsic math sin(r0)", Rule::IntrinsicSignature),
        ("r3 = intrinsic put_byte(r0, r0)", Rule::IntrinsicSignature),
    ] {
        assert_eq!(broken_by(&format!("{body} return")), [rule], "{body}");
    }
    // Both of its orders are missing.
    let exchange = "r0 = compare_exchange i32 [r2], r0, r0 return";
    assert_eq!(broken_by(exchange), [Rule::MemoryOrder, Rule::MemoryOrder]);
}

#[test]
fn returned_values() {
    assert_eq!(broken_by("return r0"), [Rule::ReturnValue]);
    let rest =
        "program pointer_bits 64 entry f0 function f0 \"main\" () { b0: return } function f1 \"f\" () -> i32";
    assert_eq!(broken(&format!("{rest} {{ b0: return }}")), [Rule::ReturnValue]);
    assert_eq!(broken(&format!("{rest} {{ b0: return i8 1 }}")), [Rule::ReturnValue]);
}

#[test]
fn switch_ranges() {
    for cases in ["3..1: b0", "0..4: b0, 4: b0", "7: b0, 7: b0", "256: b0"] {
        let body = format!("switch r6 {{ {cases}, default: b0 }}");
        assert_eq!(broken_by(&body), [Rule::SwitchRanges], "{cases}");
    }
}

#[test]
fn atomic_blocks() {
    for body in [
        "atomic_end return",
        "atomic_begin return",
        "branch r1, b1, b2 b1: atomic_begin jump b3 b2: jump b3 b3: exit_process r0",
        "jump b1 b1: atomic_begin jump b1",
    ] {
        assert_eq!(broken_by(body), [Rule::AtomicBlocks], "{body}");
    }
    assert_eq!(broken_by("atomic_begin branch r1, b1, b2 b1: abort b2: atomic_end return"), []);
}

#[test]
fn assigned_before_read() {
    let frame = "program pointer_bits 64 entry f0 function f0 \"main\" () { registers r0: i32, r1: i1";
    let looped = "b0: r1 = true jump b1 b1: branch r1, b2, b3 b2: r0 = i32 1 jump b3 b3: exit_process r0 }";
    assert_eq!(broken(&format!("{frame} {looped}")), [Rule::AssignedBeforeRead]);
}

#[test]
fn global_contents() {
    let main = "function f0 \"main\" () { b0: return }";
    let frame = "program pointer_bits 32 entry f0 global g0 \"x\" size 8 align";
    assert_eq!(broken(&format!("{frame} 4 {{ 0: i32 1 4: g0+4 }} {main}")), []);
    for (rest, rule) in [
        ("3 { }", Rule::Alignment),
        ("4 { 6: i32 1 }", Rule::GlobalContents),
        ("4 { 0: i64 1 4: i32 1 }", Rule::GlobalContents),
        ("4 { 4: i32 1 0: i32 1 }", Rule::GlobalContents),
        ("4 { 0: i7 1 }", Rule::StorableType),
        ("4 { 0: i8 300 }", Rule::IntegerRange),
        ("4 { 0: g3 }", Rule::IdInRange),
        ("4 thread_local { 0: g0 }", Rule::ThreadLocal),
        ("4 shape [3 stride 4: signed i32] { }", Rule::GlobalContents),
        ("4 shape { a 0: signed i32, b 6: signed i32 } { }", Rule::GlobalContents),
        ("4 shape [2 stride 18446744073709551615: signed i32] { }", Rule::GlobalContents),
    ] {
        assert_eq!(broken(&format!("{frame} {rest} {main}")), [rule], "{rest}");
    }
    let twice = "global g1 \"x\" size 0 align 1 { }";
    assert_eq!(broken(&format!("{frame} 4 {{ }} {twice} {main}")), [Rule::UniqueName]);
}
