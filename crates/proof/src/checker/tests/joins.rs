//! A thread that is started once, and joined.

use super::*;

pub(super) const TEXT: &str = r#"
program pointer_bits 64 entry f1
global g0 "x" size 4 align 4 shape signed i32 { }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a"
b0:
  store i32 [@x], i32 1
  return null
}
function f1 "main" () {
  registers r0: i32 "thread", r1: i32, r2: i1
b0:
  r0 = fork @worker(null)
  join r0
  r1 = load i32 [@x]
  r2 = equal r1, i32 1
  check assertion r2, "x == 1"
  return
}
"#;

pub(super) fn case() -> Case {
    let mut case = Case::new(TEXT, &["main", "worker"]);
    let x = case.cell("x", 0, 4);
    let working = Quantity::Counter(0);
    let thread = same(&register(0), &Quantity::IdentityOf(1));
    case.spawn(0, (0, 0), 1);
    case.at(0, (0, 0), vec![vec![is(&x, 0), is(&working, 0)]]);
    case.at(0, (0, 1), vec![vec![is(&working, 1), thread.clone()], vec![is(&x, 1), thread]]);
    case.at(0, (0, 2), vec![vec![is(&x, 1), is(&working, 0)]]);
    let works = case.at(1, (0, 0), anything());
    case.counter(&[Place::At(works)]);
    case
}

#[test]
fn what_a_joined_thread_did_is_done() {
    assert_eq!(case().verdict(), None);
}

#[test]
fn broken_certificates_are_rejected() {
    let broken: &[Broken] = &[
        (
            "it is not said whose id it is",
            |case| {
                for part in &mut case.certificate.locations[1].invariant {
                    part.pop();
                }
            },
            "establishes the invariant at `main` b0:2",
        ),
        (
            "the wrong thread's id",
            |case| {
                for part in &mut case.certificate.locations[1].invariant {
                    part[1] = same(&register(0), &Quantity::IdentityOf(0));
                }
            },
            "establishes the invariant at `main` b0:1",
        ),
        (
            "the counter has a member too many",
            |case| case.certificate.counters[0].members.push(Place::Ended(1)),
            "establishes the invariant at `main` b0:2",
        ),
        (
            "the counter has no members",
            |case| case.certificate.counters[0].members.clear(),
            "establishes the invariant at `main` b0:1",
        ),
        (
            "behind the join the worker may still work",
            |case| {
                case.certificate.locations[2].invariant[0].pop();
            },
            "",
        ),
        (
            "what the worker does is not seen",
            |case| {
                case.certificate.locations[1].invariant.pop();
                case.certificate.locations[2].invariant[0] = vec![is(&Quantity::Counter(0), 0)];
                case.asked.clear();
            },
            "that the invariant at `main` b0:1 is kept",
        ),
        (
            "the worker is claimed never to start",
            |case| case.certificate.locations[3].invariant.clear(),
            "when the thread is started",
        ),
    ];
    let (fine, broken): (Vec<Broken>, Vec<Broken>) =
        broken.iter().partition(|(_, _, reason)| reason.is_empty());
    all_rejected(case, &broken);
    // A store of the same value changes nothing: less suffices.
    for (name, change, _) in fine {
        let mut case = case();
        change(&mut case);
        assert_eq!(case.verdict(), None, "{name}");
    }
}

#[test]
fn programs_that_are_wrong_are_not_proved() {
    for (from, to) in [("join r0", "fence seq_cst"), ("store i32 [@x], i32 1", "fence seq_cst")] {
        let mut case = case();
        rewrite(&mut case, TEXT, from, to);
        assert!(case.verdict().is_some(), "{from} became {to}");
    }
}

/// A template that is started in a loop has not one thread, whatever the certificate needs.
#[test]
fn a_thread_that_is_started_in_a_loop_is_not_single() {
    let mut case = case();
    rewrite(&mut case, TEXT, "check assertion r2, \"x == 1\"\n  return", "jump b0");
    let why = case.verdict().expect("it is started more than once");
    assert!(why.contains("of a template that may have more"), "{why}");
}

/// What is known of a thread that was started must not make the path impossible on which it is started.
#[test]
fn what_fails_right_behind_a_creation_is_not_proved() {
    for (what, then) in [
        ("a check", "check assertion i1 0, \"never\""),
        ("a second visible step", "r1 = load i32 [@x] r2 = equal r1, i32 7 check assertion r2, \"never\""),
        ("what is not followed", "r1 = load i32 [@x] r2 = equal r1, i32 7 join r0"),
    ] {
        let text = TEXT.replace(
            "  join r0\n  r1 = load i32 [@x]\n  r2 = equal r1, i32 1\n  check assertion r2, \"x == 1\"",
            then,
        );
        assert_ne!(text, TEXT);
        let mut case = Case::new(&text, &["main", "worker"]);
        case.cell("x", 0, 4);
        case.spawn(0, (0, 0), 1);
        case.at(0, (0, 0), anything());
        case.at(1, (0, 0), anything());
        assert!(case.verdict().is_some(), "{what} is proved not to happen");
    }
}
