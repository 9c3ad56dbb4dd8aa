//! Objects of the heap of which it is followed whether they live.

use super::*;
use raddle_ir::AllocStorage;

/// The main thread makes an object, writes to it, frees it, and goes on for ever.
const FREED: &str = r#"
program pointer_bits 64 entry f0
global g0 "x" size 4 align 4 shape signed i32 { }
function f0 "main" () {
  registers r0: ptr, r1: i32, r2: ptr
b0:
  r0 = alloc heap i64 8 align 8 "object" shape bytes
  store i32 [r0], i32 1
  free r0
  jump b1
b1:
  store i32 [@x], i32 1
  jump b1
}
"#;

/// The cell that says whether the object lives that an instruction of the main thread makes.
fn life(case: &mut Case, at: (usize, usize)) -> Quantity {
    let point = case.point(0, at.0, at.1);
    let object = Object::Made { template: 0, point, storage: AllocStorage::Heap };
    let life = Object::Life(Box::new(object));
    case.certificate.cells.push(Cell { object: life, offset: 0, bytes: 1 });
    Quantity::Shared(case.certificate.cells.len() - 1)
}

fn object(case: &Case) -> Known {
    let object = Object::Made { template: 0, point: case.point(0, 0, 0), storage: AllocStorage::Heap };
    Known::Address(object, 0)
}

fn freed() -> Case {
    let mut case = Case::new(FREED, &["main"]);
    case.asked = vec![Property::MemorySafety];
    let life = life(&mut case, (0, 0));
    for (at, number) in [((0, 0), 0), ((0, 1), 1), ((0, 2), 1), ((1, 0), 2)] {
        let index = case.at(0, at, vec![vec![is(&life, number)]]);
        if at == (0, 1) || at == (0, 2) {
            let known = object(&case);
            let register = Quantity::Register(Vec::new(), Id::from_index(0));
            case.certificate.locations[index].constants.push((register, known));
        }
    }
    case
}

#[test]
fn what_is_freed_once_and_not_used_behind_that_is_right() {
    assert_eq!(freed().verdict(), None);
}

#[test]
fn objects_that_are_used_too_late_or_made_again_are_rejected() {
    let broken: &[Broken] = &[
        (
            "freed twice",
            |case| rewrite(case, FREED, "  free r0\n", "  free r0\n  free r0\n"),
            "does not hold",
        ),
        (
            "another byte of it is freed",
            |case| rewrite(case, FREED, "  free r0\n", "  r2 = pointer_add r0, i64 4\n  free r2\n"),
            "that what is freed lives and is of the heap",
        ),
        (
            "used behind the free",
            |case| rewrite(case, FREED, "store i32 [@x], i32 1", "store i32 [r0], i32 1"),
            "that the access is valid",
        ),
        ("made again", |case| rewrite(case, FREED, "  jump b1\nb1:\n", "  jump b0\nb1:\n"), "does not hold"),
        (
            "it is said to live too long",
            |case| {
                let life = Quantity::Shared(0);
                case.certificate.locations[3].invariant = vec![vec![is(&life, 1)]];
            },
            "does not hold",
        ),
        (
            "it is said to live from the start",
            |case| {
                let life = Quantity::Shared(0);
                case.certificate.locations[0].invariant = vec![vec![is(&life, 1)]];
            },
            "does not hold",
        ),
        (
            "of what is not of the heap",
            |case| {
                let Object::Life(of) = &mut case.certificate.cells[0].object else { return };
                if let Object::Made { storage, .. } = &mut **of {
                    *storage = AllocStorage::Local;
                }
            },
            "says whether something lives that is not of the heap",
        ),
    ];
    all_rejected(freed, broken);
}
