//! Arguments of threads, addresses that escape, locals, calls.

use super::*;

pub(super) const ARGUMENT: &str = r#"
program pointer_bits 64 entry f1
global g0 "x" size 8 align 4 shape [2 stride 4: signed i32] { }
global g1 "seen" size 4 align 4 thread_local shape signed i32 { 0: i32 3 }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a", r1: i32, r2: i1, r3: ptr, r4: i32
b0:
  r1 = load i32 [r0]
  r2 = signed_less_equal r1, i32 1
  check assertion r2, "x[1] <= 1"
  r3 = thread_local @seen
  r4 = load i32 [r3]
  r2 = equal r4, i32 3
  check assertion r2, "a new thread's own copy"
  store i32 [r3], i32 4
  jump b1
b1:
  store i32 [r0], i32 1
  jump b2
b2:
  r3 = thread_local @seen
  r4 = load i32 [r3]
  r2 = equal r4, i32 4
  check assertion r2, "what this thread stored"
  return null
}
function f1 "main" () {
  registers r0: i32
b0:
  jump b1
b1:
  r0 = fork @worker(@x+4)
  jump b1
}
"#;

pub(super) fn argument() -> Case {
    let mut case = Case::new(ARGUMENT, &["main", "worker"]);
    case.asked.push(Property::MemorySafety);
    let x = case.cell("x", 4, 4);
    let small = vec![vec![at_most(&x, 1)]];
    case.spawn(0, (1, 0), 1);
    let seen = Quantity::Own(Cell { object: Object::Global(GlobalId::from_index(1)), offset: 0, bytes: 4 });
    case.at(0, (0, 0), small.clone());
    case.at(0, (1, 0), small);
    case.at(1, (0, 0), vec![vec![at_most(&x, 1), is(&seen, 3)]]);
    case.at(1, (1, 0), vec![vec![at_most(&x, 1), is(&seen, 4)]]);
    case.at(1, (2, 0), vec![vec![at_most(&x, 1), is(&seen, 4)]]);
    let address = Known::Address(Object::Global(GlobalId::from_index(0)), 4);
    for location in &mut case.certificate.locations[2..4] {
        location.constants.push((register(0), address.clone()));
    }
    case
}

#[test]
fn an_argument_is_known_where_it_is_always_the_same() {
    assert_eq!(argument().verdict(), None);
}

#[test]
fn broken_arguments_are_rejected() {
    let broken: &[Broken] = &[
        (
            "another address",
            |case| {
                let other = Known::Address(Object::Global(GlobalId::from_index(0)), 0);
                case.certificate.locations[2].constants[0].1 = other;
                case.asked.retain(|property| *property == Property::MemorySafety);
                case.excused.push(Property::Assertion);
            },
            "when the thread is started",
        ),
        (
            "a number for the address",
            |case| {
                let number = Known::Constant(Constant::Int(64, (2 << 40) + (1 << 39)));
                case.certificate.locations[2].constants[0].1 = number;
            },
            "the known value of a pointer is a number",
        ),
        (
            "the address is not said: the access may be invalid",
            |case| case.certificate.locations[3].constants.clear(),
            "that the access is valid does not hold",
        ),
        (
            "a wrong initial value of the thread's own",
            |case| case.certificate.locations[2].invariant[0][1].constant = -2,
            "that a new thread's own copy does not hold",
        ),
        (
            "the own value is not kept",
            |case| {
                case.certificate.locations[3].invariant[0].pop();
            },
            "establishes the invariant at `worker` b2:0",
        ),
        (
            "a known value of the wrong type",
            |case| case.certificate.locations[2].constants[0].1 = Known::Constant(Constant::Int(32, 0)),
            "has not the type",
        ),
        (
            "a known value of another activation",
            |case| {
                let frame = vec![case.point(1, 0, 0).site];
                case.certificate.locations[2].constants[0].0 =
                    Quantity::Register(frame, RegisterId::from_index(0));
            },
            "an activation that does not run there",
        ),
        (
            "the own copy as a shared cell",
            |case| {
                case.cell("seen", 0, 4);
            },
            "is of a thread's own copy",
        ),
    ];
    all_rejected(argument, broken);
}

pub(super) const ESCAPED: &str = r#"
program pointer_bits 64 entry f1
global g0 "p" size 8 align 8 shape pointer ptr { 0: @x }
global g1 "x" size 4 align 4 shape signed i32 { }
global g2 "y" size 4 align 4 shape signed i32 { }
global g3 "q" size 8 align 8 shape pointer ptr { }
function f0 "worker" (r0) -> ptr {
  registers r0: ptr "a", r1: ptr, r2: i32, r3: i1
b0:
  r1 = load ptr [@p]
  jump b1
b1:
  store i32 [r1], i32 5
  jump b2
b2:
  r2 = load i32 [@y]
  r3 = equal r2, i32 0
  check assertion r3, "y == 0"
  return null
}
function f1 "main" () {
  registers r0: i32
b0:
  store ptr [@q], null
  jump b1
b1:
  r0 = fork @worker(null)
  jump b1
}
"#;

pub(super) fn escaped() -> Case {
    let mut case = Case::new(ESCAPED, &["main", "worker"]);
    case.excused.push(Property::MemorySafety);
    let y = case.cell("y", 0, 4);
    case.cell("x", 0, 4);
    let known = vec![vec![is(&y, 0)]];
    case.spawn(0, (1, 0), 1);
    for (template, block) in [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)] {
        case.at(template, (block, 0), known.clone());
    }
    case
}

#[test]
fn a_loaded_pointer_leads_to_what_escaped_only() {
    assert_eq!(escaped().verdict(), None);
}

#[test]
fn broken_escapes_are_rejected() {
    let broken: &[Broken] = &[
        (
            "an address that may alias",
            |case| rewrite(case, ESCAPED, "store ptr [@q], null", "store ptr [@q], @y"),
            "does not hold",
        ),
        (
            "an address that became a number",
            |case| {
                let text = ESCAPED.replace("registers r0: i32\n", "registers r0: i32, r1: i64\n");
                let text = text.replace("store ptr [@q], null", "r1 = pointer_to_int @y");
                case.program = parse_program(&text).expect("a program");
            },
            "does not hold",
        ),
        (
            "an address that is kept where its value is not known",
            |case| {
                let text = ESCAPED.replace("registers r0: i32\n", "registers r0: i32, r1: ptr, r2: i1\n");
                let text = text.replace(
                    "store ptr [@q], null\n  jump b1\nb1:",
                    "r1 = @y\n  jump b1\nb1:\n  r2 = equal r1, null\n",
                );
                case.program = parse_program(&text).expect("a program");
                case.certificate.spawns[0].at.site.index = 1;
            },
            "does not hold",
        ),
        (
            "what escaped may be written",
            |case| {
                for location in &mut case.certificate.locations {
                    location.invariant[0].push(at_most(&Quantity::Shared(1), 4));
                }
            },
            "the step from `worker` b1:0",
        ),
        (
            "a part of what escaped may be written",
            |case| {
                for location in &mut case.certificate.locations {
                    location.invariant[0].push(at_most(&Quantity::Shared(1), 5));
                }
            },
            "the step from `worker` b1:0",
        ),
        ("a fused edge", |case| drop_location(case, 4), "two visible steps without a location"),
        ("memory safety is owed", |case| case.excused.clear(), "that the access is valid does not hold"),
    ];
    all_rejected(escaped, broken);
}

pub(super) const LOCALS: &str = r#"
program pointer_bits 64 entry f2
havoc h0 "input" i1
global g0 "x" size 4 align 4 shape signed i32 { }
function f0 "set" (r0, r1) -> i32 {
  registers r0: ptr "to", r1: i32 "what", r2: ptr, r3: i32
b0:
  r2 = alloc local i64 4 align 4 "copy" shape signed i32
  store i32 [r2], r1
  store i32 [@x], i32 1
  r3 = load i32 [r2]
  store i32 [r0], r3
  end_life activation
  return r3
}
function f1 "worker" (r0) -> ptr {
  registers r0: ptr "a", r1: ptr, r2: i32, r3: i1
b0:
  r1 = alloc local i64 4 align 4 "mine" shape signed i32
  jump b1
b1:
  r2 = call @set(r1, i32 7)
  r2 = load i32 [r1]
  r3 = equal r2, i32 7
  check assertion r3, "what was set"
  jump b1
}
function f2 "main" () {
  registers r0: i32
b0:
  jump b1
b1:
  r0 = fork @worker(null)
  jump b1
}
"#;

pub(super) fn locals() -> Case {
    let mut case = Case::new(LOCALS, &["main", "worker"]);
    case.asked.push(Property::MemorySafety);
    case.cell("x", 0, 4);
    case.spawn(0, (1, 0), 1);
    case.at(0, (0, 0), anything());
    case.at(0, (1, 0), anything());
    case.at(1, (0, 0), anything());
    case.at(1, (1, 0), anything());
    let call = case.point(1, 1, 0).site;
    let inside = |index| Point {
        frame: vec![call],
        site: Site { function: function(&case.program, "set"), block: Id::from_index(0), index },
    };
    let made = |point: Point| Object::Made { template: 1, point, storage: raddle_ir::AllocStorage::Local };
    let (mine, copy) = (made(case.point(1, 0, 0)), made(inside(0)));
    let constants = vec![
        (register(1), Known::Address(mine.clone(), 0)),
        (Quantity::Register(vec![call], RegisterId::from_index(0)), Known::Address(mine, 0)),
        (Quantity::Register(vec![call], RegisterId::from_index(2)), Known::Address(copy.clone(), 0)),
        (Quantity::Own(Cell { object: copy, offset: 0, bytes: 4 }), Known::Constant(Constant::Int(32, 7))),
    ];
    case.certificate.locations[3].constants = constants[..1].to_vec();
    let location = Location { template: 1, point: inside(2), constants, invariant: anything() };
    case.certificate.locations.push(location);
    case
}

#[test]
fn locals_are_followed_through_calls() {
    assert_eq!(locals().verdict(), None);
}

#[test]
fn broken_locals_are_rejected() {
    let broken: &[Broken] = &[
        (
            "the address of a local is lost",
            |case| {
                case.certificate.locations[4].constants.remove(1);
            },
            "that the access is valid",
        ),
        (
            "what a local holds is not said",
            |case| {
                case.certificate.locations[4].constants.pop();
            },
            "that what was set does not hold",
        ),
        (
            "a local holds something else",
            |case| case.certificate.locations[4].constants[3].1 = Known::Constant(Constant::Int(32, 8)),
            "that what was set does not hold",
        ),
        (
            "a local that others can access is not the thread's own",
            |case| rewrite(case, LOCALS, "store i32 [r2], r1", "store ptr [r0], r2"),
            "that the access is valid",
        ),
        (
            "a local that is over",
            |case| rewrite(case, LOCALS, "r3 = load i32 [r2]", "end_life activation\n  r3 = load i32 [r2]"),
            "that the access is valid does not hold",
        ),
        (
            "a local of the caller that is over",
            |case| rewrite(case, LOCALS, "jump b1", "end_life activation\n  jump b1"),
            "that the access is valid",
        ),
        (
            "an object that is made often as a followed cell",
            |case| {
                let Known::Address(object, _) = case.certificate.locations[3].constants[0].1.clone() else {
                    panic!("an address");
                };
                case.certificate.cells.push(Cell { object, offset: 0, bytes: 4 });
            },
            "that may be made more than once",
        ),
        (
            "recursion",
            |case| {
                rewrite(
                    case,
                    LOCALS,
                    "end_life activation\n  return r3",
                    "r3 = call @set(r0, r1)\n  return r3",
                )
            },
            "does not come to call itself",
        ),
    ];
    all_rejected(locals, broken);
}
