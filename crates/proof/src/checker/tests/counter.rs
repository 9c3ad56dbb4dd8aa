//! Any number of threads that count under a lock.

use super::*;

pub(super) const TEXT: &str = r#"
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

pub(super) fn case() -> Case {
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
    let broken: &[Broken] = &[
        (
            "a conjunct is dropped",
            |case| {
                case.certificate.locations[4].invariant[0].pop();
            },
            "establishes the invariant at `worker` b0:4",
        ),
        (
            "a wrong bound",
            |case| case.certificate.locations[5].invariant[0][2].constant = -2,
            "that x == 1 does not hold",
        ),
        (
            "a wrong initial value",
            |case| case.certificate.locations[0].invariant = vec![vec![is(&Quantity::Shared(1), 1)]],
            "holds at the start",
        ),
        (
            "a member too many",
            |case| case.certificate.counters[0].members.push(Place::At(1)),
            "establishes the invariant at `main` b1:0",
        ),
        (
            "a member is missing",
            |case| {
                case.certificate.counters[0].members.pop();
            },
            "establishes the invariant at `worker` b0:8",
        ),
        ("a location is missing", |case| drop_location(case, 4), "two visible steps without a location"),
        (
            "the location of a loop is missing",
            |case| drop_location(case, 1),
            "two visible steps without a location",
        ),
        ("the first location is missing", |case| drop_location(case, 2), "the first instruction of `worker`"),
        ("a spawn is missing", |case| case.certificate.spawns.clear(), "the certificate does not name one"),
        (
            "interference is ignored",
            |case| {
                case.certificate.locations[2].invariant.pop();
            },
            "that the invariant at `worker` b0:0",
        ),
        (
            "what the check needs is missing",
            |case| {
                case.certificate.locations[5].invariant[0].pop();
            },
            "that x == 1 does not hold",
        ),
        (
            "a location is claimed to be unreachable",
            |case| case.certificate.locations[5].invariant.clear(),
            "establishes the invariant at `worker` b0:4",
        ),
        (
            "two cells overlap",
            |case| {
                case.cell("x", 2, 2);
            },
            "overlaps another one",
        ),
        (
            "a cell is not within its object",
            |case| {
                case.cell("x", 2, 4);
            },
            "is not within its object",
        ),
        (
            "a register of nobody",
            |case| {
                let frame = vec![case.point(1, 0, 0).site];
                let far = Quantity::Register(frame, RegisterId::from_index(0));
                case.certificate.locations[5].invariant[0].push(is(&far, 0));
            },
            "an activation that does not run there",
        ),
        (
            "a sum that could wrap",
            |case| {
                let x = Quantity::Shared(1);
                case.certificate.locations[5].invariant[0].push(sum(&[(1 << 100, &x)], Relation::Equal, 0));
            },
            "more than 128 bits",
        ),
    ];
    all_rejected(case, broken);
}

#[test]
fn programs_that_are_wrong_are_not_proved() {
    for (from, to) in [
        // The lock is not taken, or not the same, or given back too early.
        ("lock [@m]", "fence seq_cst"),
        ("lock [@m]", "lock [@x]"),
        ("store i32 [@x], i32 0", "fence seq_cst"),
        ("store i32 [@x], i32 0", "unlock [@m]"),
        ("add r1, i32 1", "add r1, i32 2"),
        ("unlock [@m]", "store i32 [@m], i32 7"),
    ] {
        let mut case = case();
        rewrite(&mut case, TEXT, from, to);
        assert!(case.verdict().is_some(), "{from} became {to}");
    }
}

#[test]
fn properties_that_are_not_checked_here_are_refused_by_name() {
    let mut case = case();
    case.asked.push(Property::Deadlock);
    assert_eq!(case.verdict().as_deref(), Some("this checker cannot prove the absence of deadlocks"));
}
