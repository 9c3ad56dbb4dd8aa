//! A pointer goes its way, through memory, numbers, calls and other threads, and something is written through it: what lies there has changed.

use raddle_ir::AllocStorage;
use raddle_vm::Vm;
use raddle_vm::explore::{Search, explore};

use super::random::Numbers;
use super::*;
use crate::certificate::{Known, Quantity};

/// How many programs are tried.
const PROGRAMS: u64 = 250;

const REGISTERS: &str = "r0: i32, r1: i32, r2: i1, r3: i32, r4: i1, r5: ptr, r6: ptr, r7: ptr, r8: ptr, r9: i32, r10: ptr, r11: i64, r12: ptr, r13: ptr, r14: i8, r15: ptr";
const START: &str = "  r8 = alloc local i64 8 align 8 zeroed \"a\"\n  r10 = alloc local i64 8 align 8 zeroed \"box\"\n  r12 = alloc local i64 8 align 8 zeroed \"other\"\n";

/// Something that the pointer in `r6` goes through.
fn hop(numbers: &mut Numbers, block: &mut usize) -> String {
    match numbers.below(16) {
        0 => "  store ptr [@gp], r6\n  r6 = load ptr [@gp]\n".to_owned(),
        1 => "  store ptr [r10], r6\n  r6 = load ptr [r10]\n".to_owned(),
        2 => "  store ptr [r10], r6\n  r11 = load i64 [r10]\n  store i64 [r12], r11\n  r6 = load ptr [r12]\n".to_owned(),
        3 => "  store ptr [r10], r6\n  r1 = load i32 [r10]\n  r13 = pointer_add r10, i64 4\n  r3 = load i32 [r13]\n  store i32 [r12], r1\n  r13 = pointer_add r12, i64 4\n  store i32 [r13], r3\n  r6 = load ptr [r12]\n".to_owned(),
        4 => "  r11 = pointer_to_int r6\n  r6 = int_to_pointer r11\n".to_owned(),
        5 => "  r6 = call @same(r6)\n".to_owned(),
        6 => "  r2 = equal r6, null\n  r6 = select r2, @z, r6\n".to_owned(),
        7 => "  r13 = compare_exchange ptr [@gp], null, r6 seq_cst\n  r6 = load ptr [@gp]\n".to_owned(),
        8 => "  r13 = rmw exchange ptr [@gp], r6 seq_cst\n  r6 = rmw exchange ptr [@gp], null seq_cst\n".to_owned(),
        9 => {
            *block += 1;
            format!("  jump b{block}\nb{block}:\n")
        }
        10 => "  r6 = pointer_add r6, i64 8\n  r6 = pointer_add r6, i64 -8\n".to_owned(),
        11 => "  store ptr [@q], r6\n  r6 = load ptr [@q]\n".to_owned(),
        12 => "  store ptr [r10], r6\n  r14 = load i8 [r10]\n  store i8 [r10], r14\n  r6 = load ptr [r10]\n".to_owned(),
        13 => "  r13 = thread_local @own\n  store ptr [r13], r6\n  r13 = thread_local @own\n  r6 = load ptr [r13]\n".to_owned(),
        14 => "  store ptr [r10], r6\n  store ptr [@q], r10\n  r13 = load ptr [@q]\n  r6 = load ptr [r13]\n".to_owned(),
        _ => {
            *block += 2;
            let (then, end) = (*block - 1, *block);
            format!("  r2 = equal r6, null\n  branch r2, b{then}, b{end}\nb{then}:\n  r6 = @z\n  jump b{end}\nb{end}:\n")
        }
    }
}

fn program(seed: u64, writes: bool) -> String {
    let mut numbers = Numbers::new(seed);
    let target = ["@x", "@x+4", "@y", "r8"][usize::try_from(numbers.below(4)).unwrap()];
    let mut text = "program pointer_bits 64 entry f1\nglobal g0 \"x\" size 8 align 8 shape [2 stride 4: signed i32] { }\nglobal g1 \"y\" size 4 align 4 shape signed i32 { }\nglobal g2 \"gp\" size 8 align 8 shape pointer ptr { }\nglobal g3 \"own\" size 8 align 8 thread_local shape pointer ptr { }\nglobal g4 \"q\" size 8 align 8 shape pointer ptr { }\nglobal g5 \"z\" size 4 align 4 shape signed i32 { }\n".to_owned();
    let by_worker = numbers.below(3);
    let mut block = 1;
    let mut hops = String::new();
    for _ in 0..=numbers.below(2) {
        hops += &hop(&mut numbers, &mut block);
    }
    let write = match numbers.below(4) {
        0 => "  r1 = rmw add i32 [r6], i32 3 seq_cst\n",
        1 => "  r14 = i8 3\n  store i8 [r6], r14\n",
        2 => "  atomic_begin\n  r1 = load i32 [r6]\n  store i32 [r6], i32 3\n  atomic_end\n",
        _ => "  store i32 [r6], i32 3\n",
    };
    let write = if writes { write } else { "  r1 = load i32 [r6]\n" };
    let nothing = "  jump b1\nb1:\n".to_owned();
    let (worker, main) = match by_worker {
        // By an argument, by a global, or not at all.
        0 => (format!("  r6 = r5\n  jump b1\nb1:\n{hops}{write}"), format!("{nothing}  r5 = {target}\n")),
        1 => (
            format!("  jump b1\nb1:\n  r6 = load ptr [@q]\n{write}"),
            format!("{nothing}  r6 = {target}\n{hops}  store ptr [@q], r6\n  r5 = null\n"),
        ),
        _ => (nothing.clone(), format!("{nothing}  r6 = {target}\n{hops}{write}  r5 = null\n")),
    };
    text += &format!(
        "function f0 \"worker\" (r5) -> ptr {{\n  registers {REGISTERS}\nb0:\n{START}{worker}  return null\n}}\n"
    );
    text += &format!(
        "function f1 \"main\" () {{\n  registers {REGISTERS}\nb0:\n{START}{main}  r0 = fork @worker(r5)\n  join r0\n  r9 = load i32 [{target}]\n  r4 = equal r9, i32 0\n  check assertion r4, \"it is as it was\"\n  return\n}}\n"
    );
    text + "function f2 \"same\" (r0) -> ptr {\n  registers r0: ptr\nb0:\n  return r0\n}\n"
}

/// With all that holds while nobody writes there.
fn case(text: &str) -> Case {
    let mut case = Case::new(text, &["main", "worker"], &["y"], 2);
    let global = |case: &Case, name: &str| {
        Object::Global(case.program.globals.iter().find(|(_, known)| known.name == name).unwrap().0)
    };
    for (name, offset, bytes) in [("x", 0, 4), ("x", 4, 4)] {
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
    // As few as will do: at each of them the checker may lose sight of the pointer.
    let functions = &case.program.functions;
    case.certificate.locations.retain(|standing| {
        let site = standing.point.site;
        let inst = functions[site.function].blocks[site.block].insts.get(site.index);
        let is_last = |dest: RegisterId| dest == RegisterId::from_index(9);
        site.index == 0
            || inst.is_some_and(|inst| {
                matches!(inst.kind, InstKind::Fork { .. } | InstKind::Join { .. })
                    || matches!(inst.kind, InstKind::Load { dest, .. } if is_last(dest))
            })
    });
    for index in 0..case.certificate.locations.len() {
        let (template, site) = {
            let standing = &case.certificate.locations[index];
            (standing.template, standing.point.site)
        };
        if (site.block.index(), site.index) != (0, 0) {
            for (register, of) in [(8, 0), (10, 1), (12, 2)] {
                let known = Known::Address(made(&case, template, of), 0);
                let register = Quantity::Register(Vec::new(), RegisterId::from_index(register));
                case.certificate.locations[index].constants.push((register, known));
            }
        }
    }
    let object = made(&case, 0, 0);
    let own = Node::Own { slot: 0, cell: Cell { object, offset: 0, bytes: 4 } };
    for node in [Node::Shared(0), Node::Shared(1), Node::Shared(2), own, register(0, 9)] {
        let is = case.is(node, 0);
        case.predicate(is);
    }
    case
}

#[test]
fn what_is_written_through_a_pointer_has_changed() {
    let (mut broken, mut proved) = (0, 0);
    for seed in 0..PROGRAMS {
        let text = program(seed, true);
        let case = case(&text);
        let vm = Vm::checking(&case.program, &case.asked);
        let fails =
            explore(&vm, &Search { symmetry: false, ..Search::default() }).breaks(Property::Assertion);
        broken += usize::from(fails);
        for excused in [Vec::new(), vec![Property::MemorySafety]] {
            let claim = Claim { program: &case.program, asked: case.asked.clone(), excused };
            let verdict = check_product(&claim, &case.certificate, &Budget::unlimited());
            assert!(verdict.is_err() || !fails, "proved, and broken:\n{text}");
        }
        // What writes nothing is proved: the rejection is for what is written.
        let mut case = case;
        case.program = parse_program(&program(seed, false)).expect("a program");
        let excused = vec![Property::MemorySafety];
        let claim = Claim { program: &case.program, asked: case.asked.clone(), excused };
        proved += usize::from(check_product(&claim, &case.certificate, &Budget::unlimited()).is_ok());
    }
    assert!(broken >= 100 && proved >= 120, "{broken} broken, {proved} proved");
}
