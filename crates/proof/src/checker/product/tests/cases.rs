//! Right certificates and broken ones.

use super::*;

/// A program's text, and what makes it with its certificate.
type Made = (&'static str, fn() -> Case);

/// Those that are right, and one that is not.
pub(super) const CASES: &[Made] =
    &[(JOIN, join), (LOCK, lock), (LOOP, bounded_loop), (SPIN, spin), (NUMBERS, numbers)];

/// A broken version: what is wrong with it, how it is made, and what must be in the reason why it is rejected.
type Broken = (&'static str, fn(&mut Case), &'static str);

fn all_rejected(make: fn() -> Case, broken: &[Broken]) {
    assert_eq!(make().verdict(), None);
    let mut wrong = Vec::new();
    for (name, break_it, reason) in broken {
        let mut case = make();
        break_it(&mut case);
        match case.verdict() {
            None => wrong.push(format!("{name}: accepted")),
            Some(why) if why.contains(reason) => {}
            Some(why) => wrong.push(format!("{name}: rejected because {why}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Takes something out, or the last.
fn forget<T>(list: &mut Vec<T>, index: Option<usize>) {
    list.remove(index.unwrap_or(list.len() - 1));
}

/// Takes the location at an instruction out.
fn drop_location(case: &mut Case, template: usize, (block, index): (usize, usize)) {
    let before = case.certificate.locations.len();
    case.certificate.locations.retain(|standing| {
        let site = standing.point.site;
        (standing.template, site.block.index(), site.index) != (template, block, index)
    });
    assert_eq!(case.certificate.locations.len(), before - 1);
}

pub(super) const JOIN: &str = r#"
program pointer_bits 64 entry f1
global g0 "x" size 4 align 4 shape signed i32 { }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a", r1: i32, r2: i32
b0:
  r1 = load i32 [@x]
  r2 = add r1, i32 1
  store i32 [@x], r2
  return null
}
function f1 "main" () {
  registers r0: i32 "thread", r1: i32, r2: i1
b0:
  r0 = fork @worker(null)
  join r0
  r0 = fork @worker(null)
  join r0
  r1 = load i32 [@x]
  r2 = equal r1, i32 2
  check assertion r2, "x == 2"
  return
}
"#;

/// Two threads, one after the other.
pub(super) fn join() -> Case {
    let mut case = Case::new(JOIN, &["main", "worker"], &["x"], 3);
    for value in 0..=2 {
        let is = case.is(Node::Shared(0), value);
        case.predicate(is);
    }
    for (slot, value) in [(1, 0), (1, 1), (2, 1), (2, 2)] {
        let is = case.is(register(slot, 1 + usize::from(value == slot as u128)), value);
        case.predicate(is);
    }
    let is = case.is(register(0, 0), 2);
    case.predicate(is);
    case
}

#[test]
fn threads_that_are_joined_have_done_their_work() {
    assert_eq!(join().verdict(), None);
    assert!(join().check().unwrap() >= 4);
}

#[test]
fn broken_certificates_of_joins_are_rejected() {
    let broken: &[Broken] = &[
        (
            "a predicate is dropped",
            |case| forget(&mut case.certificate.predicates, Some(0)),
            "that x == 2 does not hold",
        ),
        (
            "what main waits for is not known",
            |case| forget(&mut case.certificate.predicates, None),
            "that x == 2 does not hold",
        ),
        (
            "a wrong number",
            |case| case.certificate.nodes[4] = Node::Bits { width: 32, value: 3 },
            "that x == 2 does not hold",
        ),
        (
            "a predicate over another slot",
            |case| {
                for node in &mut case.certificate.nodes {
                    if let Node::Register { slot, .. } = node
                        && *slot == 1
                    {
                        *slot = 2;
                    }
                }
            },
            "that x == 2 does not hold",
        ),
        (
            "a predicate over a slot that is never there",
            |case| {
                for node in &mut case.certificate.nodes {
                    if let Node::Register { slot, .. } = node
                        && *slot == 2
                    {
                        *slot = 3;
                    }
                }
            },
            "that x == 2 does not hold",
        ),
        ("too few threads", |case| case.certificate.most_threads = 2, "more than 2 threads may be started"),
        ("no threads", |case| case.certificate.most_threads = 0, "a bound of 0 threads"),
        (
            "a location is missing",
            |case| drop_location(case, 1, (0, 2)),
            "two visible steps without a location",
        ),
        (
            "the first location is missing",
            |case| drop_location(case, 1, (0, 0)),
            "the first instruction of `worker`",
        ),
        (
            "main's location behind the join is missing",
            |case| drop_location(case, 0, (0, 2)),
            "two visible steps without a location",
        ),
        (
            "the wrong template",
            |case| case.certificate.templates[1] = case.certificate.templates[0],
            "a location is at no instruction",
        ),
        (
            "a spawn is missing",
            |case| forget(&mut case.certificate.spawns, None),
            "the certificate does not name one",
        ),
        (
            "the main thread is started again",
            |case| case.certificate.spawns[0].starts = 0,
            "the main thread is started again",
        ),
        (
            "a cell is not followed",
            |case| {
                case.certificate.cells.clear();
                case.certificate.predicates.retain(|_| false);
                case.certificate.nodes.clear();
            },
            "that x == 2 does not hold",
        ),
    ];
    all_rejected(join, broken);
}

#[test]
fn malformed_certificates_are_rejected() {
    let broken: &[Broken] = &[
        (
            "a formula speaks of no cell",
            |case| case.certificate.nodes[0] = Node::Shared(7),
            "a cell that there is not",
        ),
        (
            "a formula refers to itself",
            |case| case.certificate.nodes[2] = Node::Eq(0, 2),
            "refers to a later one",
        ),
        (
            "a predicate is no formula",
            |case| case.certificate.predicates.push(1000),
            "a predicate is no formula",
        ),
        ("a predicate is a number", |case| case.certificate.predicates[1] = 0, "that x == 2 does not hold"),
        (
            "widths that do not fit",
            |case| case.certificate.nodes[4] = Node::Bits { width: 16, value: 1 },
            "that x == 2 does not hold",
        ),
        (
            "a width that there is not",
            |case| case.certificate.nodes[4] = Node::Bits { width: 0, value: 1 },
            "that x == 2 does not hold",
        ),
        (
            "a known value that is not so",
            |case| {
                let zero = raddle_ir::Constant::Int(32, 0);
                let known = (
                    crate::certificate::Quantity::Register(Vec::new(), RegisterId::from_index(1)),
                    crate::certificate::Known::Constant(zero),
                );
                let standing = case.certificate.locations.iter_mut().rfind(|standing| standing.template == 1);
                standing.expect("a location").constants.push(known);
            },
            "that what is known at `worker` b0:2 is so does not hold",
        ),
        (
            "a data race is asked for",
            |case| case.asked.push(Property::DataRace),
            "cannot prove the absence of data races",
        ),
    ];
    all_rejected(join, broken);
}

pub(super) const LOCK: &str = r#"
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
  jump b0
}
function f1 "main" () {
  registers r0: i32
b0:
  r0 = fork @worker(null)
  r0 = fork @worker(null)
  return
}
"#;

/// Two threads that count under a lock, for ever.
pub(super) fn lock() -> Case {
    let mut case = Case::new(LOCK, &["main", "worker"], &["m", "x"], 3);
    let free = case.is(Node::Shared(0), 0);
    let (first, second) = (case.is(Node::Shared(0), 2), case.is(Node::Shared(0), 3));
    let (zero, one) = (case.is(Node::Shared(1), 0), case.is(Node::Shared(1), 1));
    let (mine, yours) = (case.is(register(1, 2), 1), case.is(register(2, 2), 1));
    let (seen, other) = (case.is(register(1, 1), 0), case.is(register(2, 1), 0));
    for predicate in [free, first, second, zero, one, mine, yours, seen, other] {
        case.predicate(predicate);
    }
    case
}

#[test]
fn a_lock_keeps_threads_apart() {
    assert_eq!(lock().verdict(), None);
}

#[test]
fn broken_certificates_of_locks_are_rejected() {
    let broken: &[Broken] = &[
        (
            "it is not known that the lock is held",
            |case| forget(&mut case.certificate.predicates, Some(1)),
            "that x == 1 does not hold",
        ),
        (
            "the lock is held by another thread",
            |case| case.certificate.nodes[4] = Node::Bits { width: 32, value: 1 },
            "that x == 1 does not hold",
        ),
        (
            "the counter at rest is not known",
            |case| forget(&mut case.certificate.predicates, Some(3)),
            "that x == 1 does not hold",
        ),
        (
            "what is about to be stored is not known",
            |case| forget(&mut case.certificate.predicates, Some(5)),
            "that x == 1 does not hold",
        ),
        (
            "the location of the loop is missing",
            |case| drop_location(case, 1, (0, 0)),
            "the first instruction of `worker`",
        ),
    ];
    all_rejected(lock, broken);
    for (from, to) in [
        ("  lock [@m]", "  fence seq_cst"),
        ("lock [@m]", "lock [@x]"),
        ("store i32 [@x], i32 0", "fence seq_cst"),
        ("store i32 [@x], i32 0", "unlock [@m]"),
        ("add r1, i32 1", "add r1, i32 2"),
    ] {
        let mut case = lock();
        case.program = parse_program(&LOCK.replacen(from, to, 1)).expect("a program");
        assert!(case.verdict().is_some(), "{from} became {to}");
    }
}

/// Where a thread that spins must not hide another one.
pub(super) const SPIN: &str = r#"
program pointer_bits 64 entry f2
global g0 "s" size 4 align 4 shape signed i32 { }
global g1 "x" size 4 align 4 shape signed i32 { }
function f0 "spin" (r0) -> ptr {
  registers r0: ptr "a", r1: i32
b0:
  jump b1
b1:
  r1 = load i32 [@s]
  r1 = add r1, i32 1
  r1 = and r1, i32 1
  store i32 [@s], r1
  jump b1
}
function f1 "writer" (r0) -> ptr {
  registers r0: ptr "a"
b0:
  store i32 [@x], i32 1
  return null
}
function f2 "main" () {
  registers r0: i32, r1: i32, r2: i1
b0:
  r0 = fork @spin(null)
  r0 = fork @writer(null)
  r1 = load i32 [@x]
  r2 = signed_less r1, i32 1
  check assertion r2, "x < 1"
  return
}
"#;

pub(super) fn spin() -> Case {
    let mut case = Case::new(SPIN, &["main", "spin", "writer"], &["s", "x"], 3);
    for value in 0..2 {
        for node in [Node::Shared(0), Node::Shared(1), register(1, 1), register(0, 1)] {
            let is = case.is(node, value);
            case.predicate(is);
        }
    }
    case
}

#[test]
fn no_thread_is_ignored_for_ever() {
    assert_eq!(spin().verdict().as_deref(), Some("that x < 1 does not hold"));
    let path = spin().check().unwrap_err().path;
    let last = path.last().unwrap();
    assert_eq!((last.slot, last.to), (0, None));
    assert!(path.iter().any(|step| step.slot == 2), "{path:?}");
    // Without the bug it is proved.
    let mut case = spin();
    case.program =
        parse_program(&SPIN.replacen("store i32 [@x], i32 1", "store i32 [@x], i32 0", 1)).unwrap();
    assert_eq!(case.verdict(), None);
}

/// A loop that starts as many threads as a shared counter says.
pub(super) const LOOP: &str = r#"
program pointer_bits 64 entry f1
global g0 "n" size 4 align 4 shape signed i32 { }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a", r1: i32, r2: i1
b0:
  r1 = load i32 [@n]
  r2 = unsigned_less_equal r1, i32 2
  check assertion r2, "n <= 2"
  return null
}
function f1 "main" () {
  registers r0: i32, r1: i32 "i", r2: i1
b0:
  r1 = i32 0
  jump b1
b1:
  r2 = unsigned_less r1, i32 2
  branch r2, b2, b3
b2:
  r1 = add r1, i32 1
  store i32 [@n], r1
  r0 = fork @worker(null)
  jump b1
b3:
  return
}
"#;

pub(super) fn bounded_loop() -> Case {
    let mut case = Case::new(LOOP, &["main", "worker"], &["n"], 3);
    for value in 0..=2 {
        let (is, held) = (case.is(register(0, 1), value), case.is(Node::Shared(0), value));
        case.predicate(is);
        case.predicate(held);
    }
    case
}

#[test]
fn a_loop_starts_so_many_threads() {
    assert_eq!(bounded_loop().verdict(), None);
    let broken: &[Broken] = &[
        (
            "the bound is smaller",
            |case| case.certificate.most_threads = 2,
            "more than 2 threads may be started",
        ),
        (
            "the counter of the loop is not known",
            |case| forget(&mut case.certificate.predicates, Some(4)),
            "threads may be started",
        ),
        (
            "what is shared is not known",
            |case| forget(&mut case.certificate.predicates, Some(5)),
            "that n <= 2 does not hold",
        ),
    ];
    all_rejected(bounded_loop, broken);
}

/// Two threads start others, and the order of that gives these their numbers.
const NUMBERS: &str = r#"
program pointer_bits 64 entry f2
function f0 "idle" (r0) -> ptr {
  registers r0: ptr "a"
b0:
  return null
}
function f1 "starter" (r0) -> ptr {
  registers r0: ptr "a", r1: i32
b0:
  r1 = fork @idle(null)
  return null
}
function f2 "main" () {
  registers r0: i32, r1: i1
b0:
  r0 = fork @starter(null)
  r0 = fork @idle(null)
  r1 = not_equal r0, i32 3
  check assertion r1, "it is not the third"
  return
}
"#;

fn numbers() -> Case {
    let mut case = Case::new(NUMBERS, &["main", "idle", "starter"], &[], 4);
    for value in 1..=3 {
        let is = case.is(register(0, 0), value);
        case.predicate(is);
    }
    case
}

#[test]
fn forks_of_two_threads_are_not_exchanged() {
    let make = |text: &str| {
        let mut case = numbers();
        case.program = parse_program(text).expect("a program");
        case
    };
    assert_eq!(make(NUMBERS).verdict().as_deref(), Some("that it is not the third does not hold"));
    assert_eq!(make(&NUMBERS.replacen("i32 3", "i32 1", 1)).verdict(), None);
    assert_eq!(
        make(&NUMBERS.replacen("i32 3", "i32 2", 1)).verdict().as_deref(),
        Some("that it is not the third does not hold")
    );
    // Behind the join the numbers are fixed.
    let joined = NUMBERS.replacen("starter(null)\n", "starter(null)\n  join r0\n", 1);
    let mut case = Case::new(&joined.replacen("i32 3", "i32 2", 1), &["main", "idle", "starter"], &[], 4);
    (case.certificate.nodes, case.certificate.predicates) =
        (numbers().certificate.nodes, numbers().certificate.predicates);
    assert_eq!(case.verdict(), None);
}

/// One predicate that says it all, about two slots.
#[test]
fn a_predicate_may_speak_of_two_slots_and_of_memory() {
    let mut case = lock();
    case.certificate.predicates.clear();
    let zero = case.is(Node::Shared(1), 0);
    let free = case.is(Node::Shared(0), 0);
    let at_rest = case.implies(free, zero);
    case.predicate(at_rest);
    assert!(case.verdict().is_some());
    for (slot, word) in [(1, 2), (2, 3)] {
        let held = case.is(Node::Shared(0), word);
        let (read, next) = (case.is(register(slot, 1), 0), case.is(register(slot, 2), 1));
        let one = case.is(Node::Shared(1), 1);
        let (any, some) = (case.or(&[zero, one]), case.is(Node::Shared(1), 1));
        for predicate in [held, read, next, any, some, zero] {
            case.predicate(predicate);
        }
    }
    assert_eq!(case.verdict(), None);
}

#[test]
fn without_time_nothing_is_proved() {
    let budget = Budget::unlimited();
    budget.canceller().cancel();
    let case = lock();
    let claim = Claim { program: &case.program, asked: case.asked.clone(), excused: Vec::new() };
    assert!(check_product(&claim, &case.certificate, &budget).is_err());
}
