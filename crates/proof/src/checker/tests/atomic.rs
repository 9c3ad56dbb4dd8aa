//! Atomic blocks are one step, whatever they contain.

use super::*;

pub(super) const TEXT: &str = r#"
program pointer_bits 32 entry f1
global g0 "a" size 4 align 4 shape signed i32 { 0: i32 5 }
global g1 "b" size 8 align 4 shape [2 stride 4: signed i32] { 4: i32 5 }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a", r1: i32, r2: i32 "i", r3: i1, r4: i32, r5: i1
b0:
  atomic_begin
  r2 = i32 0
  jump b1
b1:
  r3 = signed_less r2, i32 3
  branch r3, b2, b3
b2:
  r1 = load i32 [@a]
  r1 = add r1, i32 1
  store i32 [@a], r1
  atomic_begin
  r4 = load i32 [@b+4]
  r4 = add r4, i32 1
  store i32 [@b+4], r4
  atomic_end
  r2 = add r2, i32 1
  jump b1
b3:
  atomic_end
  jump b4
b4:
  atomic_begin
  r1 = load i32 [@a]
  r4 = load i32 [@b+4]
  r5 = equal r1, r4
  check assertion r5, "a == b"
  atomic_end
  jump b0
}
function f1 "main" () {
  registers r0: i32
b0:
  jump b1
b1:
  r0 = fork @worker(null)
  jump b1
}
"#;

pub(super) fn case() -> Case {
    let mut case = Case::new(TEXT, &["main", "worker"]);
    let (a, b) = (case.cell("a", 0, 4), case.cell("b", 4, 4));
    let equal = vec![vec![same(&a, &b)]];
    case.spawn(0, (1, 0), 1);
    for (template, at) in [(0, (0, 0)), (0, (1, 0)), (1, (0, 0)), (1, (4, 0))] {
        case.at(template, at, equal.clone());
    }
    case
}

#[test]
fn atomic_blocks_are_one_step() {
    assert_eq!(case().verdict(), None);
}

#[test]
fn broken_certificates_are_rejected() {
    let broken: &[Broken] = &[
        (
            "a block is missing its location",
            |case| drop_location(case, 3),
            "two visible steps without a location",
        ),
        (
            "a wrong initial value",
            |case| case.certificate.locations[0].invariant[0][0].constant = 1,
            "holds at the start",
        ),
        ("the wrong element", |case| case.certificate.cells[1].offset = 0, "holds at the start"),
        (
            "the value never changes",
            |case| {
                for location in &mut case.certificate.locations {
                    location.invariant[0].push(is(&Quantity::Shared(0), 5));
                }
            },
            "establishes the invariant",
        ),
        (
            "a location inside of a block",
            |case| {
                case.at(1, (3, 0), vec![Vec::new()]);
            },
            "a location is inside of an atomic block",
        ),
        (
            "a location at no instruction",
            |case| {
                case.at(1, (2, 70), vec![Vec::new()]);
            },
            "a location is at no instruction",
        ),
        (
            "nothing is known",
            |case| case.certificate.locations[3].invariant = anything(),
            "that a == b does not hold",
        ),
    ];
    all_rejected(case, broken);
}

#[test]
fn programs_that_are_wrong_are_not_proved() {
    for (from, to) in [
        ("b0:\n  atomic_begin", "b0:\n  fence seq_cst"),
        ("add r4, i32 1", "add r4, i32 2"),
        ("store i32 [@b+4], r4", "store i32 [@b], r4"),
        ("store i32 [@b+4], r4", "store i16 [@b+6], i16 0"),
    ] {
        let mut case = case();
        case.program = parse_program(&TEXT.replacen(from, to, 1)).expect("a program");
        assert!(case.verdict().is_some(), "{from} became {to}");
    }
}
