//! What symbolic execution makes of small programs: merged paths, bounds of loops, atomic blocks, forwarding.

use raddle_base::{Budget, Id};
use raddle_ir::text::parse_program;
use raddle_ir::{GlobalId, Program};
use raddle_logic::term::{TermId, Terms};
use raddle_vm::MemoryModel;
use rustc_hash::FxHashMap;

use super::world::Origin;
use super::{Assumptions, Options, Report, Spins, World, Writers, WrittenRegion, execute};
use crate::deepening::UnrollBounds;
use crate::execution_graph::events::{
    AccessKind, EventId, EventKind, InstanceId, LimitKind, Space, Unrolling,
};

pub(super) fn options(unwind: u32) -> Options {
    Options {
        bounds: UnrollBounds {
            unwind,
            loops: FxHashMap::default(),
            recursions: FxHashMap::default(),
            constant_iterations: u32::MAX,
            max_threads: 8,
            event_cap: usize::MAX,
            visit_cap: usize::MAX,
            thread_cap: usize::MAX,
        },
        races: false,
        co_enabled: true,
        memory_model: MemoryModel::Sc,
        address_reuse: false,
        ends_at_overflow: false,
        paths: None,
        seen: None,
        follows_looks: false,
    }
}

fn parse(globals: &str, functions: &str) -> Program {
    let text = format!("program pointer_bits 64 entry f0 {globals} {functions}");
    let program = parse_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let findings = raddle_ir::validate::validate(&program);
    assert!(findings.is_empty(), "{findings:?}\n{text}");
    program
}

fn run(program: &Program, unwind: u32) -> (Unrolling, Report) {
    let mut world = World::new(program, Spins::default());
    let (options, assumed, budget) = (options(unwind), Assumptions::default(), Budget::unlimited());
    let draft = execute(&mut world, &options, &assumed, &budget).expect("there is no limit");
    draft.finish().expect("there is no limit")
}

/// The values that are read or written at a global, in the order of the events.
fn accesses(out: &Unrolling, address: TermId, reads: bool) -> Vec<(EventId, TermId)> {
    let found = out.events.iter().filter_map(|(event, info)| match info.kind {
        EventKind::Access { location, access }
            if location.space == Space::Data && location.address == address =>
        {
            match access {
                AccessKind::Read { value, .. } if reads => Some((event, value)),
                AccessKind::Write { value } if !reads => Some((event, value)),
                AccessKind::Read { .. } | AccessKind::Write { .. } => None,
            }
        }
        EventKind::Access { .. } | EventKind::Sync(_) | EventKind::Mark => None,
    });
    found.collect()
}

/// The address of the first global.
fn first_global(program: &Program) -> u128 {
    let mut world = World::new(program, Spins::default());
    let object = world.object(Origin::Global(GlobalId::from_index(0)));
    world.base(object)
}

fn address_term(terms: &mut Terms, address: u128) -> TermId {
    terms.bits(address, 64)
}

#[test]
fn behind_a_branch_the_guard_is_what_it_was_before_and_values_are_choices() {
    let program = parse(
        "havoc h0 \"c\" i1",
        r#"function f0 "main" () { registers r0: i1, r1: i32, r2: i1
           b0: r0 = havoc h0 branch r0, b1, b2
           b1: r1 = i32 5 jump b3
           b2: r1 = i32 7 jump b3
           b3: r2 = equal r1, i32 5 check assertion r2, "five" exit_process i32 0 }"#,
    );
    let (mut out, _) = run(&program, 1);
    let always = out.terms.bool(true);
    assert_eq!(out.checks.len(), 1);
    let check = &out.checks[0];
    assert_eq!(check.reached, always, "the condition is gone where both branches meet");
    // It fails exactly if the input was false.
    let fails = out.terms.not(out.inputs[0].value);
    assert_eq!(out.checks[0].violated, fails);
}

#[test]
fn a_loop_that_goes_on_by_an_input_is_cut_and_one_of_known_length_is_not() {
    let program = parse(
        "havoc h0 \"c\" i1",
        r#"function f0 "main" () { registers r0: i1, r1: i32
           b0: r1 = i32 0 jump b1
           b1: r1 = add r1, i32 1 r0 = havoc h0 branch r0, b1, b2
           b2: exit_process r1 }"#,
    );
    let (out, report) = run(&program, 3);
    assert!(
        matches!(out.limits[..], [ref limit] if matches!(limit.kind, LimitKind::Loop(..))),
        "{:?}",
        out.limits
    );
    assert_eq!(report.loops.values().copied().collect::<Vec<_>>(), [3]);
    assert_eq!(report.open_cuts.len(), 1);
    let program = parse(
        "",
        r#"function f0 "main" () { registers r0: i32, r1: i1
           b0: r0 = i32 0 jump b1
           b1: r0 = add r0, i32 1 r1 = signed_less r0, i32 10 branch r1, b1, b2
           b2: exit_process i32 0 }"#,
    );
    let (out, report) = run(&program, 3);
    assert!(out.limits.is_empty() && report.open_cuts.is_empty(), "{:?}", out.limits);
    assert_eq!(report.loops.values().copied().collect::<Vec<_>>(), [9]);
}

/// The main thread starts another and both use `x`.
fn two_threads(other: &str) -> Program {
    parse(
        r#"global g0 "x" size 4 align 4 shape signed i32 {} global g1 "y" size 4 align 4 shape signed i32 {}"#,
        &format!(
            r#"function f0 "main" () {{ registers r0: i32, r1: i32
               b0: store i32 [@x], i32 3 r0 = fork @work(null) r1 = load i32 [@x] join r0 exit_process i32 0 }}
               function f1 "work" (r0) -> ptr {{ registers r0: ptr, r1: i32, r2: i1 {other} }}"#
        ),
    )
}

#[test]
fn an_atomic_block_writes_each_location_once_and_reads_back_what_it_wrote() {
    let program = two_threads(
        "b0: atomic_begin store i32 [@x], i32 1 r1 = load i32 [@x] r1 = add r1, i32 1 store i32 [@x], r1
         atomic_end return null",
    );
    let (mut out, _) = run(&program, 1);
    let x = address_term(&mut out.terms, first_global(&program));
    let writes = accesses(&out, x, false);
    let two = out.terms.bits(2, 32);
    assert_eq!(writes.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [two]);
    // The only read is that of the main thread.
    assert_eq!(accesses(&out, x, true).len(), 1);
    let step = out.events[writes[0].0].step;
    assert_eq!(out.terms.as_bool(out.steps[step].completes), Some(true));
}

#[test]
fn an_atomic_block_that_does_not_commit_leaves_nothing() {
    let program = two_threads(
        "b0: atomic_begin store i32 [@x], i32 1 r1 = load i32 [@y] wait_until false atomic_end return null",
    );
    let (mut out, _) = run(&program, 1);
    let x = address_term(&mut out.terms, first_global(&program));
    assert!(accesses(&out, x, false).is_empty(), "what it wrote is not seen");
    let open = out.steps.values().filter(|step| out.terms.as_bool(step.completes) == Some(false)).count();
    assert!(open >= 1, "the step of the block does not complete");
    let waits = out.blockings.iter().filter(|blocking| blocking.thread.index() == 1).count();
    assert_eq!(waits, 1, "but its thread waits");
}

#[test]
fn where_paths_of_an_atomic_block_meet_its_writes_are_kept_apart_by_their_conditions() {
    let program = two_threads(
        "b0: atomic_begin r1 = load i32 [@x] r2 = equal r1, i32 0 branch r2, b1, b2
         b1: store i32 [@x], i32 1 jump b3
         b2: store i32 [@x], i32 2 jump b3
         b3: atomic_end return null",
    );
    let (mut out, _) = run(&program, 1);
    let x = address_term(&mut out.terms, first_global(&program));
    let writes = accesses(&out, x, false);
    assert_eq!(writes.len(), 2);
    let (first, second) = (out.events[writes[0].0].guard, out.events[writes[1].0].guard);
    let both = out.terms.and(first, second);
    assert_eq!(out.terms.as_bool(both), Some(false), "never both");
}

#[test]
fn an_iteration_that_changes_nothing_is_not_followed_by_another() {
    let program = two_threads(
        "b0: jump b1
         b1: r1 = rmw exchange i32 [@x], i32 1 seq_cst r2 = equal r1, i32 1 branch r2, b1, b2
         b2: return null",
    );
    let (out, report) = run(&program, 5);
    assert!(out.limits.is_empty(), "{:?}", out.limits);
    assert!(report.loops.is_empty(), "{:?}", report.loops);
}

#[test]
fn what_nobody_else_writes_is_forwarded_and_what_others_write_is_read() {
    let program = two_threads("b0: r1 = load i32 [@x] store i32 [@y], r1 return null");
    let address = first_global(&program);
    let executed = |assumed: &Assumptions| {
        let mut world = World::new(&program, Spins::default());
        let (options, budget) = (options(1), Budget::unlimited());
        let draft = execute(&mut world, &options, assumed, &budget).expect("there is no limit");
        let (mut out, _) = draft.finish().expect("there is no limit");
        let x = address_term(&mut out.terms, address);
        accesses(&out, x, true).len()
    };
    let mut assumed = Assumptions::default();
    assert_eq!(executed(&assumed), 2, "nothing is assumed: both threads read");
    let nothing = || WrittenRegion::default();
    let [main, work] = [0, 1].map(InstanceId::from_index);
    let mut writers = Writers {
        disturbed: [(main, nothing()), (work, nothing())].into(),
        written: [(main, nothing()), (work, nothing())].into(),
        read: [(address, 4)].into(),
    };
    assumed.interference.writers = Some(writers.clone());
    assert_eq!(executed(&assumed), 0, "both know what the main thread wrote");
    // If the other thread may write there, the main thread has to read.
    writers.written.insert(work, WrittenRegion { places: [(address, 4)].into(), ..nothing() });
    assumed.interference.writers = Some(writers);
    assert_eq!(executed(&assumed), 1);
}
