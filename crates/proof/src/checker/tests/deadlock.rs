//! Deadlocks: that not all threads wait, by counters of who is inside, one lock after the other; and by ends that were waited for.

use super::*;

/// Any number of threads that take two locks, the second one inside of the first one.
pub(super) const TEXT: &str = r#"
program pointer_bits 64 entry f1
global g0 "m" size 4 align 4 shape signed i32 { }
global g1 "n" size 4 align 4 shape signed i32 { }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a"
b0:
  lock [@m]
  lock [@n]
  unlock [@n]
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
    case.asked = vec![Property::Deadlock];
    let (m, n) = (case.cell("m", 0, 4), case.cell("n", 0, 4));
    let (outer, inner) = (Quantity::Counter(0), Quantity::Counter(1));
    let (outer_held, inner_held) = (Quantity::IsNonzero(0), Quantity::IsNonzero(1));
    let free = vec![is(&m, 0), is(&outer, 0), is(&n, 0), is(&inner, 0)];
    let half = vec![is(&outer_held, 1), is(&outer, 1), is(&n, 0), is(&inner, 0)];
    let full = vec![is(&outer_held, 1), is(&outer, 1), is(&inner_held, 1), is(&inner, 1)];
    let any = vec![free, half.clone(), full.clone()];
    case.spawn(0, (1, 0), 1);
    case.at(0, (0, 0), any.clone());
    case.at(0, (1, 0), any.clone());
    case.at(1, (0, 0), any);
    let before = case.at(1, (0, 1), vec![half.clone()]);
    let inside = case.at(1, (0, 2), vec![full]);
    let behind = case.at(1, (0, 3), vec![half]);
    case.counter(&[before, inside, behind].map(Place::At));
    case.counter(&[Place::At(inside)]);
    case
}

#[test]
fn locks_that_are_taken_in_order_are_proved() {
    assert_eq!(case().verdict(), None);
}

#[test]
fn broken_certificates_are_rejected() {
    let nobody = |case: &mut Case| {
        for location in &mut case.certificate.locations {
            location.invariant = anything();
        }
    };
    let broken: &[Broken] = &[
        ("nobody counts who is inside", nobody, "that nobody waits at `worker` b0:0 when everybody waits"),
        (
            "the inner counter has no members",
            |case| case.certificate.counters[1].members.clear(),
            "establishes the invariant at `worker` b0:2",
        ),
        (
            "threads that have ended are counted as inside",
            |case| case.certificate.counters[0].members.push(Place::Ended(1)),
            "that the invariant at",
        ),
        (
            "a location that waits is missing",
            |case| drop_location(case, 3),
            "two visible steps without a location",
        ),
        (
            "nothing is known of the inner lock",
            |case| {
                let inner = [Quantity::Counter(1), Quantity::Shared(1), Quantity::IsNonzero(1)];
                for part in case.certificate.locations.iter_mut().flat_map(|location| &mut location.invariant)
                {
                    part.retain(|constraint| !inner.contains(&constraint.terms[0].1.quantity));
                }
            },
            "that nobody waits at `worker` b0:0 when everybody waits",
        ),
    ];
    all_rejected(case, broken);
}

#[test]
fn programs_that_deadlock_are_not_proved() {
    for (from, to) in [
        ("  unlock [@n]\n", "  fence seq_cst\n"),
        ("  unlock [@m]\n", "  fence seq_cst\n"),
        ("  lock [@m]\n  lock [@n]", "  lock [@m]\n  lock [@m]"),
        ("  unlock [@n]\n  unlock [@m]\n", "  lock [@m]\n  unlock [@m]\n"),
    ] {
        let mut case = case();
        rewrite(&mut case, TEXT, from, to);
        assert!(case.verdict().is_some(), "{from} became {to}");
    }
}

/// Two threads that take two locks in different orders, and the main thread waits for both.
pub(super) const ORDERS: &str = r#"
program pointer_bits 64 entry f2
global g0 "m" size 4 align 4 shape signed i32 { }
global g1 "n" size 4 align 4 shape signed i32 { }
function f0 "left" (r0) -> ptr {
  registers r0: ptr "a"
b0:
  lock [@m]
  lock [@n]
  unlock [@n]
  unlock [@m]
  return null
}
function f1 "right" (r0) -> ptr {
  registers r0: ptr "a"
b0:
  lock [@m]
  lock [@n]
  unlock [@n]
  unlock [@m]
  return null
}
function f2 "main" () {
  registers r0: i32, r1: i32
b0:
  r0 = fork @left(null)
  r1 = fork @right(null)
  join r0
  join r1
  return
}
"#;

pub(super) fn orders() -> Case {
    let mut case = Case::new(ORDERS, &["main", "left", "right"]);
    case.asked = vec![Property::Deadlock];
    let (m, n) = (case.cell("m", 0, 4), case.cell("n", 0, 4));
    let (outer, inner) = (Quantity::Counter(0), Quantity::Counter(1));
    let (outer_held, inner_held) = (Quantity::IsNonzero(0), Quantity::IsNonzero(1));
    let outer_is =
        |held: bool| if held { [is(&outer_held, 1), is(&outer, 1)] } else { [is(&m, 0), is(&outer, 0)] };
    let inner_is =
        |held: bool| if held { [is(&inner_held, 1), is(&inner, 1)] } else { [is(&n, 0), is(&inner, 0)] };
    let part = |outer: bool, inner: bool| [outer_is(outer), inner_is(inner)].concat();
    let any = vec![part(false, false), part(true, false), part(true, true)];
    let with = |more: &[Constraint]| -> Invariant {
        any.iter().map(|part| [part.clone(), more.to_vec()].concat()).collect()
    };
    let thread = |number: usize| same(&register(number - 1), &Quantity::IdentityOf(number));
    case.spawn(0, (0, 0), 1);
    case.spawn(0, (0, 1), 2);
    case.at(0, (0, 0), any.clone());
    case.at(0, (0, 1), with(&[thread(1)]));
    case.at(0, (0, 2), with(&[thread(1), thread(2)]));
    case.at(0, (0, 3), with(&[thread(2)]));
    case.at(0, (0, 4), any.clone());
    let mut members = [Vec::new(), Vec::new()];
    for template in [1, 2] {
        case.at(template, (0, 0), any.clone());
        let before = case.at(template, (0, 1), vec![part(true, false)]);
        let inside = case.at(template, (0, 2), vec![part(true, true)]);
        let behind = case.at(template, (0, 3), vec![part(true, false)]);
        members[0].extend([before, inside, behind].map(Place::At));
        members[1].push(Place::At(inside));
    }
    for members in &members {
        case.counter(members);
    }
    case
}

#[test]
fn ends_that_are_waited_for_come() {
    assert_eq!(orders().verdict(), None);
    let broken: &[Broken] = &[(
        "it is not known whose end is waited for",
        |case| {
            for part in &mut case.certificate.locations[3].invariant {
                part.pop();
            }
        },
        "that nobody waits at `main` b0:3 when everybody waits",
    )];
    all_rejected(orders, broken);
}

#[test]
fn different_orders_are_not_proved() {
    let right = "function f1 \"right\" (r0) -> ptr {\n  registers r0: ptr \"a\"\nb0:\n";
    let from = format!("{right}  lock [@m]\n  lock [@n]");
    let mut case = orders();
    rewrite(&mut case, ORDERS, &from, &format!("{right}  lock [@n]\n  lock [@m]"));
    assert!(case.verdict().is_some());
    // A thread that waits for the main thread, which waits for it.
    let mut case = orders();
    rewrite(&mut case, ORDERS, &from, &format!("{right}  join i32 0\n  lock [@n]"));
    assert!(case.verdict().is_some());
}
