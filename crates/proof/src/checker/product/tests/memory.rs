//! Random programs that do all sorts of things with memory: parts of cells, pointers that are moved, stored, copied as numbers, locals that escape,
//! copies of a thread. Certificates say what can be said of values. What an exploration breaks must not be proved.

use raddle_ir::AllocStorage;
use raddle_vm::Vm;
use raddle_vm::explore::{Search, explore};

use super::random::Numbers;
use super::*;
use crate::certificate::{Known, Quantity};

/// How many programs are tried.
const PROGRAMS: u64 = 60;

const REGISTERS: &str = "r0: i32, r1: i32, r2: i1, r3: i32, r4: i1, r5: ptr, r6: ptr, r7: ptr, r8: ptr, r9: i32, r10: ptr, r11: i64";
const START: &str = "  r8 = alloc local i64 8 align 8 zeroed \"a\"\n  r10 = alloc local i64 8 align 8 zeroed \"box\"\n  r6 = @x\n  r7 = @y\n  r1 = i32 0\n  r2 = false\n";

fn place(numbers: &mut Numbers) -> &'static str {
    ["@x", "@x+4", "@y", "r6", "r8"][usize::try_from(numbers.below(5)).unwrap()]
}

fn statement(numbers: &mut Numbers) -> String {
    let (place, other, value) = (place(numbers), place(numbers), numbers.below(4));
    let byte = numbers.below(8);
    let move_by = ["4", "-4", "8", "1"][usize::try_from(numbers.below(4)).unwrap()];
    match numbers.below(27) {
        0 | 1 => format!("  r1 = load i32 [{place}]\n  r1 = and r1, i32 3\n"),
        2 | 3 => format!("  store i32 [{place}], i32 {value}\n"),
        4 => format!("  store i32 [{place}], r1\n"),
        5 => format!("  store i8 [@x+{byte}], i8 {value}\n"),
        6 => format!("  store i16 [@x+{byte}], i16 {value}\n"),
        7 => format!("  store i32 [@x+{}], i32 {value}\n", byte / 2),
        8 | 9 => format!("  r6 = {place}\n"),
        10 => format!("  r7 = {place}\n"),
        11 => format!("  r6 = pointer_add r6, i64 {move_by}\n"),
        12 => "  r6 = select r2, r6, r7\n".to_owned(),
        13 | 14 => format!("  store ptr [@gp], {place}\n"),
        15 | 16 => "  r6 = load ptr [@gp]\n".to_owned(),
        17 => format!("  store ptr [r10], {place}\n  r7 = load ptr [r10]\n"),
        18 => format!(
            "  store ptr [r10], {place}\n  r11 = load i64 [r10]\n  store i64 [r10], r11\n  r6 = load ptr [r10]\n"
        ),
        19 => "  r2 = equal r6, r7\n".to_owned(),
        20 => format!("  r2 = equal r1, i32 {value}\n"),
        21 => "  r6 = thread_local @own\n".to_owned(),
        22 => format!("  r7 = compare_exchange ptr [@gp], r7, {place} seq_cst\n"),
        23 => format!("  r1 = rmw exchange i32 [{place}], i32 {value} seq_cst\n  r1 = and r1, i32 3\n"),
        24 => format!("  r6 = call @pick({place}, {other})\n"),
        25 => format!(
            "  atomic_begin\n  r6 = load ptr [@gp]\n  store i32 [r6], i32 {value}\n  r1 = load i32 [@x+4]\n  r1 = and r1, i32 3\n  atomic_end\n"
        ),
        _ => format!(
            "  store ptr [@gp], {place}\n  r7 = {other}\n  r6 = load ptr [@gp]\n  store i32 [r6], i32 {value}\n"
        ),
    }
}

fn check(numbers: &mut Numbers) -> String {
    let (place, value) = (place(numbers), numbers.below(4));
    format!("  r9 = load i32 [{place}]\n  r4 = not_equal r9, i32 {value}\n  check assertion r4, \"rare\"\n")
}

fn body(numbers: &mut Numbers, count: u64) -> String {
    (0..count).map(|_| statement(numbers)).collect()
}

fn program(seed: u64) -> String {
    let mut numbers = Numbers::new(seed);
    let mut text = "program pointer_bits 64 entry f1\nglobal g0 \"x\" size 8 align 8 shape [2 stride 4: signed i32] { }\nglobal g1 \"y\" size 4 align 4 shape signed i32 { }\n".to_owned();
    let first = ["", "0: @y", "0: @x+4"][usize::try_from(numbers.below(3)).unwrap()];
    text += &format!(
        "global g2 \"gp\" size 8 align 8 shape pointer ptr {{ {first} }}\nglobal g3 \"own\" size 4 align 4 thread_local shape signed i32 {{ }}\n"
    );
    let count = 2 + numbers.below(4);
    let (worker, loops) = (body(&mut numbers, count), numbers.below(4) == 0);
    let checked = if numbers.below(2) == 0 { check(&mut numbers) } else { String::new() };
    let end = if loops { "branch r2, b2, b1" } else { "jump b2" };
    text += &format!(
        "function f0 \"worker\" (r5) -> ptr {{\n  registers {REGISTERS}\nb0:\n{START}  jump b1\nb1:\n{worker}{checked}  {end}\nb2:\n  return null\n}}\n"
    );
    let argument = ["null", "@x", "r8", "@y"][usize::try_from(numbers.below(4)).unwrap()];
    let counts = [numbers.below(3), 1 + numbers.below(3), numbers.below(2)];
    let [before, after, last] = counts.map(|count| body(&mut numbers, count));
    let join = if numbers.below(2) == 0 { "  join r0\n" } else { "" };
    let checked = check(&mut numbers);
    text += &format!(
        "function f1 \"main\" () {{\n  registers {REGISTERS}\nb0:\n{START}  r5 = null\n{before}  r0 = fork @worker({argument})\n{after}{join}{last}{checked}  return\n}}\n"
    );
    text + "function f2 \"pick\" (r0, r1) -> ptr {\n  registers r0: ptr, r1: ptr, r2: i1, r3: ptr\nb0:\n  r3 = alloc local i64 4 align 4 zeroed \"l\"\n  r2 = equal r0, r1\n  r0 = select r2, r3, r0\n  end_life activation\n  return r0\n}\n"
}

fn case(text: &str, numbers: &mut Numbers) -> Case {
    let mut case = Case::new(text, &["main", "worker"], &["y"], 2);
    let global = |case: &Case, name: &str| {
        Object::Global(case.program.globals.iter().find(|(_, known)| known.name == name).unwrap().0)
    };
    for (name, offset, bytes) in [("x", 0, 4), ("x", 4, 4), ("gp", 0, 8)] {
        let object = global(&case, name);
        case.certificate.cells.push(Cell { object, offset, bytes });
    }
    let made = |case: &Case, template: usize, index: usize| Object::Made {
        template,
        point: Point {
            frame: Vec::new(),
            site: Site { function: case.certificate.templates[template], block: Id::from_index(0), index },
        },
        storage: AllocStorage::Local,
    };
    // Sometimes what main has is a cell that all may come to.
    if numbers.below(3) == 0 {
        let object = made(&case, 0, 0);
        case.certificate.cells.push(Cell { object, offset: 0, bytes: 4 });
    }
    let is_known = numbers.below(4) > 0;
    for index in 0..case.certificate.locations.len() {
        let (template, site) = {
            let standing = &case.certificate.locations[index];
            (standing.template, standing.point.site)
        };
        if is_known && (site.block.index(), site.index) != (0, 0) {
            for (register, of) in [(8, 0), (10, 1)] {
                let known = Known::Address(made(&case, template, of), 0);
                let register = Quantity::Register(Vec::new(), RegisterId::from_index(register));
                case.certificate.locations[index].constants.push((register, known));
            }
        }
    }
    let mut nodes: Vec<Node> =
        [0, 1, 2, 4].into_iter().take(case.certificate.cells.len() - 1).map(Node::Shared).collect();
    for slot in 0..2 {
        nodes.extend([1, 9].map(|index| register(slot, index)));
        let object = made(&case, slot, 0);
        nodes.push(Node::Own { slot, cell: Cell { object, offset: 0, bytes: 4 } });
        let object = global(&case, "own");
        nodes.push(Node::Own { slot, cell: Cell { object, offset: 0, bytes: 4 } });
        let truth = case.node(register(slot, 2));
        let no = case.node(Node::Not(truth));
        case.predicate(truth);
        case.predicate(no);
    }
    for node in nodes {
        for value in 0..4 {
            let is = case.is(node.clone(), value);
            case.predicate(is);
        }
    }
    let mut pointers = vec![Node::Shared(3)];
    for slot in 0..2 {
        pointers.extend([6, 7].map(|index| register(slot, index)));
    }
    for node in pointers {
        for object in 2..7_u128 {
            for offset in [0, 4] {
                let (of, value) = (
                    case.node(node.clone()),
                    case.node(Node::Bits { width: 64, value: (object << 40) + (1 << 39) + offset }),
                );
                let is = case.node(Node::Eq(of, value));
                case.predicate(is);
            }
        }
    }
    case
}

#[test]
fn what_memory_may_hold_is_not_excluded() {
    let (mut broken, mut proved) = (0, 0);
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let case = case(&text, &mut Numbers::new(seed));
        let vm = Vm::checking(&case.program, &case.asked);
        let found = explore(&vm, &Search { symmetry: false, max_states: 50_000, ..Search::default() });
        let fails = found.breaks(Property::Assertion);
        broken += usize::from(fails);
        for excused in [Vec::new(), vec![Property::MemorySafety]] {
            let claim = Claim { program: &case.program, asked: case.asked.clone(), excused };
            let verdict = check_product(&claim, &case.certificate, &Budget::unlimited());
            assert!(
                verdict.is_err() || !fails,
                "proved, and broken:\n{text}\n{:#?}",
                found.violations.first()
            );
            proved += usize::from(verdict.is_ok());
        }
    }
    assert!(broken >= 10 && proved >= 20, "{broken} broken, {proved} proved");
}
