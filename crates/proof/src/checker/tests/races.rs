//! Data races: accesses that are never both next, by counters; and what is refused by name.

use super::*;

/// The counter under a lock, and a main thread that writes before it starts anybody.
pub(super) const TEXT: &str = r#"
program pointer_bits 64 entry f1
global g0 "m" size 4 align 4 shape signed i32 { }
global g1 "x" size 4 align 4 shape signed i32 { }
global g2 "y" size 4 align 4 shape signed i32 { }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a", r1: i32, r2: i32
b0:
  lock [@m]
  r1 = load i32 [@x]
  r2 = add r1, i32 1
  store i32 [@x], r2
  unlock [@m]
  r1 = load i32 [@y]
  return null
}
function f1 "main" () {
  registers r0: i32
b0:
  store i32 [@y], i32 1
  jump b1
b1:
  r0 = fork @worker(null)
  jump b1
}
"#;

pub(super) fn case() -> Case {
    let mut case = Case::new(TEXT, &["main", "worker"]);
    case.asked = vec![Property::DataRace];
    let m = case.cell("m", 0, 4);
    let (held, inside) = (Quantity::IsNonzero(0), Quantity::Counter(0));
    let free = vec![vec![is(&m, 0), is(&inside, 0)], vec![is(&held, 1), is(&inside, 1)]];
    let section = vec![vec![is(&held, 1), is(&inside, 1)]];
    case.spawn(0, (1, 0), 1);
    case.at(0, (0, 0), free.clone());
    case.at(0, (1, 0), free.clone());
    case.at(1, (0, 0), free.clone());
    let members = [
        case.at(1, (0, 1), section.clone()),
        case.at(1, (0, 3), section.clone()),
        case.at(1, (0, 4), section),
    ];
    case.at(1, (0, 5), free);
    case.counter(&members.map(Place::At));
    case
}

#[test]
fn what_a_lock_keeps_apart_does_not_race() {
    assert_eq!(case().verdict(), None);
}

#[test]
fn broken_certificates_are_rejected() {
    let broken: &[Broken] = &[
        (
            "nobody counts who is inside",
            |case| {
                for location in &mut case.certificate.locations {
                    location.invariant = anything();
                }
            },
            "that the accesses at `worker` b0:1 and `worker` b0:3 are never both next",
        ),
        (
            "the counter has a member too few",
            |case| {
                case.certificate.counters[0].members.remove(1);
            },
            "establishes the invariant at `worker` b0:3",
        ),
        (
            "an access is no step of its own",
            |case| drop_location(case, 4),
            "two visible steps without a location",
        ),
        (
            "an access stands behind the step that gives the lock back",
            |case| drop_location(case, 6),
            "two visible steps without a location",
        ),
        (
            "the main thread's write is no step of its own",
            |case| drop_location(case, 1),
            "two visible steps without a location",
        ),
    ];
    all_rejected(case, broken);
}

#[test]
fn programs_that_race_are_not_proved() {
    let changes = [
        ("lock [@m]", "fence seq_cst", ""),
        ("r1 = load i32 [@y]", "store i32 [@y], r1", "that the accesses at `worker` b0:5 and `worker` b0:5"),
        ("r1 = load i32 [@x]", "r1 = load i32 [@x] relaxed", "without being ordered (worker)"),
        ("jump b1\nb1:", "jump b2\nb1:", ""),
    ];
    for (from, to, reason) in changes {
        let mut case = case();
        let text = TEXT.replace(
            "  r0 = fork @worker(null)\n  jump b1\n}",
            "  r0 = fork @worker(null)\n  jump b1\nb2:\n  r0 = fork @worker(null)\n  jump b1\n}",
        );
        assert!(text.contains(from), "{from}");
        case.program = parse_program(&text.replacen(from, to, 1)).expect("the program of a test");
        let verdict = case.verdict();
        assert!(verdict.as_ref().is_some_and(|why| why.contains(reason)), "{from} became {to}: {verdict:?}");
    }
}

/// The main thread writes behind the first creation: only a counter of workers could tell that there are none, and there are some.
#[test]
fn a_write_beside_a_thread_races_with_it() {
    let mut case = case();
    rewrite(
        &mut case,
        TEXT,
        "  store i32 [@y], i32 1\n  jump b1\nb1:",
        "  jump b1\nb1:\n  store i32 [@y], i32 1",
    );
    case.certificate.locations[0].point = case.point(0, 0, 0);
    let point = case.point(0, 1, 1);
    let location = Location { point, ..case.certificate.locations[1].clone() };
    case.certificate.locations.push(location);
    case.certificate.spawns[0].at = case.point(0, 1, 1);
    let verdict = case.verdict();
    let wanted = "that the accesses at `main` b1:0 and `worker` b0:5 are never both next";
    assert!(verdict.as_ref().is_some_and(|why| why.contains(wanted)), "{verdict:?}");
}

/// An atomic block that gives a lock back and then writes: who is ordered behind the lock is not ordered behind the write.
const LATE: &str = r#"
program pointer_bits 64 entry f1
global g0 "m" size 4 align 4 shape signed i32 { }
global g1 "x" size 4 align 4 shape signed i32 { }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a"
b0:
  lock [@m]
  atomic_begin
  unlock [@m]
  store i32 [@x], i32 1
  atomic_end
  return null
}
function f1 "main" () {
  registers r0: i32
b0:
  jump b1
b1:
  r0 = fork @worker(null)
  lock [@m]
  store i32 [@x], i32 2
  unlock [@m]
  jump b1
}
"#;

#[test]
fn what_a_block_does_behind_a_release_is_not_believed() {
    let mut case = Case::new(LATE, &["main", "worker"]);
    case.asked = vec![Property::DataRace];
    let m = case.cell("m", 0, 4);
    let (held, inside) = (Quantity::IsNonzero(0), Quantity::Counter(0));
    let free = vec![vec![is(&m, 0), is(&inside, 0)], vec![is(&held, 1), is(&inside, 1)]];
    let section = vec![vec![is(&held, 1), is(&inside, 1)]];
    case.spawn(0, (1, 0), 1);
    for point in [(0, 0), (1, 0), (1, 1)] {
        case.at(0, point, free.clone());
    }
    case.at(1, (0, 0), free);
    let members = [
        case.at(0, (1, 2), section.clone()),
        case.at(0, (1, 3), section.clone()),
        case.at(1, (0, 1), section),
    ];
    case.counter(&members.map(Place::At));
    let verdict = case.verdict();
    let wanted = "comes behind a release in its atomic block";
    assert!(verdict.as_ref().is_some_and(|why| why.contains(wanted)), "{verdict:?}");
    // The other way round nothing comes behind it.
    let text = LATE.replace("unlock [@m]\n  store i32 [@x], i32 1", "store i32 [@x], i32 1\n  unlock [@m]");
    case.program = parse_program(&text).expect("the program of a test");
    assert_eq!(case.verdict(), None);
}

/// Locks whose words are written by atomic accesses order nobody.
#[test]
fn an_atomic_write_of_a_lock_word_is_refused() {
    let mut case = case();
    rewrite(&mut case, TEXT, "store i32 [@y], i32 1", "r0 = rmw or i32 [@m], i32 0 seq_cst");
    let verdict = case.verdict();
    assert!(
        verdict.as_ref().is_some_and(|why| why.contains("an atomic access may write a lock word")),
        "{verdict:?}"
    );
}

/// A path that must not be taken was not counted when it was found that a template has one thread at most: what it starts may be a second one.
#[test]
fn ids_of_paths_that_fail_are_not_believed() {
    let text = TEXT.replace("  jump b1\n}", "  r0 = fork @worker(null)\n  jump b1\n}");
    let mut case = case();
    case.program = parse_program(&text).expect("the program of a test");
    assert!(case.verdict().is_some());
}
