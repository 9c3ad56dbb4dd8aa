//! Tickets: what holds of two threads at the same time.

use super::*;

pub(super) const TEXT: &str = r#"
program pointer_bits 64 entry f1
global g0 "next" size 4 align 4 shape unsigned i32 { }
global g1 "serving" size 4 align 4 shape unsigned i32 { }
global g2 "owner" size 4 align 4 shape unsigned i32 { }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a", r1: i32 "ticket", r2: i1, r3: i32, r4: i32, r5: i1, r6: i32, r7: i1, r8: i32
b0:
  atomic_begin
  r1 = load i32 [@next]
  r2 = unsigned_less r1, i32 1000
  assume r2
  r3 = add r1, i32 1
  store i32 [@next], r3
  atomic_end
  jump b1
b1:
  atomic_begin
  r4 = load i32 [@serving]
  r5 = equal r4, r1
  wait_until r5
  atomic_end
  jump b2
b2:
  store i32 [@owner], r1
  jump b3
b3:
  r6 = load i32 [@owner]
  r7 = equal r6, r1
  check assertion r7, "nobody else is here"
  r8 = add r1, i32 1
  jump b4
b4:
  store i32 [@serving], r8
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
    let (next, serving, owner) =
        (case.cell("next", 0, 4), case.cell("serving", 0, 4), case.cell("owner", 0, 4));
    let ticket = register(1);
    let order = sum(&[(1, &serving), (-1, &next)], Relation::LessEqual, 0);
    let general = vec![order, at_most(&next, 1000)];
    let mine = sum(&[(1, &ticket), (-1, &next)], Relation::LessEqual, 1);
    let with = |more: &[Constraint]| vec![[general.as_slice(), more].concat()];
    case.spawn(0, (1, 0), 1);
    case.at(0, (0, 0), with(&[]));
    case.at(0, (1, 0), with(&[]));
    case.at(1, (0, 0), with(&[]));
    let waits = sum(&[(1, &serving), (-1, &ticket)], Relation::LessEqual, 0);
    let served = same(&serving, &ticket);
    let owned = same(&owner, &ticket);
    let follows = sum(&[(1, &register(8)), (-1, &ticket)], Relation::Equal, -1);
    let first = case.at(1, (1, 0), with(&[mine.clone(), waits]));
    case.at(1, (2, 0), with(&[mine.clone(), served.clone()]));
    case.at(1, (3, 0), with(&[mine.clone(), served.clone(), owned.clone()]));
    let last = case.at(1, (4, 0), with(&[mine, served, owned, follows]));
    let side = |side| Reading { side, ..reading(&ticket) };
    let terms = vec![(1, side(Side::Left)), (-1, side(Side::Right))];
    let differ = Constraint { terms, constant: 0, relation: Relation::NotEqual };
    for left in first..=last {
        for right in left..=last {
            case.certificate.pairs.push(Pair { left, right, invariant: vec![vec![differ.clone()]] });
        }
    }
    case
}

#[test]
fn tickets_keep_threads_apart() {
    assert_eq!(case().verdict(), None);
}

#[test]
fn broken_certificates_are_rejected() {
    let broken: &[Broken] = &[
        ("no pairs", |case| case.certificate.pairs.clear(), "is kept when another thread makes the step"),
        (
            "a pair is missing",
            |case| {
                case.certificate.pairs.pop();
            },
            "is kept when another thread makes the step",
        ),
        (
            "a pair says too much",
            |case| case.certificate.pairs[0].invariant[0][0].relation = Relation::LessEqual,
            "that what holds of threads at `worker` b1:0 and `worker` b1:0",
        ),
        (
            "a pair that cannot be is not shown",
            |case| case.certificate.pairs[0].invariant.clear(),
            "that what holds of threads at `worker` b1:0 and `worker` b1:0",
        ),
        (
            "tickets may wrap",
            |case| {
                for location in &mut case.certificate.locations {
                    location.invariant[0].remove(1);
                }
                let text = TEXT.replace("r2 = unsigned_less r1, i32 1000", "r2 = equal i32 0, i32 0");
                case.program = parse_program(&text).expect("a program");
            },
            "establishes the invariant",
        ),
        (
            "a wrong bound",
            |case| {
                for location in &mut case.certificate.locations {
                    location.invariant[0][1].constant = -999;
                }
            },
            "establishes the invariant at `worker` b1:0",
        ),
        (
            "a ticket is not behind the last one",
            |case| {
                case.certificate.locations[3].invariant[0].remove(2);
            },
            "establishes the invariant at `worker` b2:0",
        ),
        (
            "another thread's register is named in an invariant of one",
            |case| {
                let right = Reading { side: Side::Right, ..reading(&register(1)) };
                let constraint =
                    Constraint { terms: vec![(1, right)], constant: 0, relation: Relation::Equal };
                case.certificate.locations[3].invariant[0].push(constraint);
            },
            "an invariant of one thread speaks of another one",
        ),
    ];
    all_rejected(case, broken);
}

#[test]
fn programs_that_are_wrong_are_not_proved() {
    for (from, to) in [
        ("store i32 [@next], r3", "store i32 [@next], r1"),
        ("wait_until r5", "fence seq_cst"),
        ("r8 = add r1, i32 1", "r8 = add r1, i32 2"),
        ("r1 = load i32 [@next]", "r1 = load i32 [@serving]"),
    ] {
        let mut case = case();
        rewrite(&mut case, TEXT, from, to);
        assert!(case.verdict().is_some(), "{from} became {to}");
    }
}
