//! Any number of threads that count under a lock.

use super::*;

const TEXT: &str = r#"
program pointer_bits 64 entry f1
global g0 "m" size 4 align 4 shape signed i32 { }
global g1 "x" size 4 align 4 shape signed i32 { }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a", r1: i32, r2: i32, r3: i1
b0:
  lock [@m]
  r1 = load i32 [@x]
  r2 = add r1, i32 1
  store i32 [@x], r2
  r1 = load i32 [@x]
  r3 = equal r1, i32 1
  check assertion r3, "x == 1"
  store i32 [@x], i32 0
  unlock [@m]
  return null
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

fn case() -> Case {
    let mut case = Case::new(TEXT, &["main", "worker"]);
    let (m, x) = (case.cell("m", 0, 4), case.cell("x", 0, 4));
    let held = Quantity::IsNonzero(0);
    let inside = Quantity::Counter(0);
    let free = vec![vec![is(&m, 0), is(&inside, 0), is(&x, 0)], vec![is(&held, 1), is(&inside, 1)]];
    let in_section = |more: Constraint| vec![vec![is(&held, 1), is(&inside, 1), more]];
    case.spawn(0, (1, 0), 1);
    case.at(0, (0, 0), free.clone());
    case.at(0, (1, 0), free.clone());
    case.at(1, (0, 0), free);
    let members = [
        case.at(1, (0, 1), in_section(is(&x, 0))),
        case.at(1, (0, 3), vec![vec![is(&held, 1), is(&inside, 1), is(&x, 0), is(&register(2), 1)]]),
        case.at(1, (0, 4), in_section(is(&x, 1))),
        case.at(1, (0, 7), in_section(is(&x, 1))),
        case.at(1, (0, 8), in_section(is(&x, 0))),
    ];
    case.counter(&members.map(Place::At));
    case
}

#[test]
fn a_counter_under_a_lock_is_proved() {
    assert_eq!(case().verdict(), None);
    assert!(case().obligations() > 30, "{}", case().obligations());
}

#[test]
fn broken_certificates_are_rejected() {
    all_rejected(
        case,
        &[(
            "a conjunct is dropped",
            |case| {
                case.certificate.locations[4].invariant[0].pop();
            },
            "establishes the invariant",
        )],
    );
}
