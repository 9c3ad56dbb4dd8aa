//! Flows of small programs, by hand.

use raddle_base::Budget;
use raddle_ir::text::parse_program;
use raddle_ir::{Program, Property};

use crate::model::{Edge, Flow, LocationKind, Storage, Template};
use crate::{Options, Reason, Refused, build, dump};

const GLOBALS: &str = r#"program pointer_bits 64 entry f0
    havoc h0 "input" i32
    havoc h1 "pointer" ptr
    global g0 "x" size 4 align 4 shape signed i32 {}
    global g1 "y" size 4 align 4 shape signed i32 { 0: i32 7 }
    global g2 "a" size 40 align 4 shape [10 stride 4: signed i32] {}
    global g3 "p" size 8 align 8 shape pointer ptr {}
"#;

const REGISTERS: &str = "registers r0: ptr, r1: i32, r2: i32, r3: i1, r4: i64, r5: ptr, r6: i64, r7: i16";

fn parse(text: &str) -> Program {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    raddle_ir::validate::debug_validate(&program, "test");
    program
}

/// A main thread that does some work, and functions behind it.
fn program(main: &str, others: &str) -> Program {
    parse(&format!("{GLOBALS} function f0 \"main\" () {{ {REGISTERS}, r8: i32 b0: {main} }} {others}"))
}

/// A main thread that starts one thread in a loop.
fn many(body: &str) -> Program {
    let thread = format!("function f1 \"work\" (r0) -> ptr {{ {REGISTERS} b0: {body} }}");
    program("jump b1 b1: r8 = fork @work(null) jump b1", &thread)
}

fn flow(program: &Program) -> Flow {
    built(program, &Options::default()).unwrap_or_else(|refused| panic!("{refused}"))
}

fn built(program: &Program, options: &Options) -> Result<Flow, Refused> {
    build(program, options, &Budget::unlimited())
}

fn refused(program: &Program) -> Reason {
    built(program, &Options::default()).expect_err("it is refused").reason
}

/// What an edge does, as text.
fn effect(flow: &Flow, edge: &Edge) -> String {
    let guards: Vec<String> = edge.guards.iter().map(|term| flow.terms.display(*term).to_string()).collect();
    let updates: Vec<String> = edge
        .updates
        .iter()
        .map(|(variable, value)| {
            format!("{} := {}", flow.variables[*variable].name, flow.terms.display(*value))
        })
        .collect();
    format!("[{}] {}", guards.join(", "), updates.join(", "))
}

fn effects(flow: &Flow, template: &Template) -> Vec<String> {
    template.edges.iter().map(|edge| effect(flow, edge)).collect()
}

fn work(flow: &Flow) -> &Template {
    flow.templates.values().nth(1).expect("there is a second template")
}

fn has(template: &Template, wanted: impl Fn(&LocationKind) -> bool) -> bool {
    template.locations.values().any(|location| wanted(&location.kind))
}

fn names(flow: &Flow) -> Vec<&str> {
    flow.variables.values().map(|variable| variable.name.as_str()).collect()
}

#[test]
fn an_increment_is_two_steps_and_an_atomic_one_is_one() {
    let text = "r1 = load i32 [@x] r2 = add r1, i32 1 store i32 [@x], r2 return null";
    let plain = flow(&many(text));
    assert_eq!(
        effects(&plain, work(&plain)),
        ["[] work.r2@T1 := (bvadd #x00000001 x)", "[] x := work.r2@T1"]
    );
    let atomic = flow(&many("r1 = rmw add i32 [@x], i32 1 seq_cst return null"));
    assert_eq!(effects(&atomic, work(&atomic)), ["[] x := (bvadd #x00000001 x)"]);
    let block = flow(&many(&format!("atomic_begin {}", text.replace("return", "atomic_end return"))));
    assert_eq!(effects(&block, work(&block)), ["[] x := (bvadd #x00000001 x)"]);
}

#[test]
fn threads_started_in_a_loop_are_several_and_the_main_thread_is_single() {
    let program = many("store i32 [@x], i32 1 return null");
    let several = flow(&program);
    assert!(several.templates.values().next().expect("main").is_single && !work(&several).is_single);
    let thread =
        "function f1 \"work\" (r0) -> ptr { registers r0: ptr b0: store i32 [@x], i32 1 return null }";
    let main = |forks: &str| super::tests::program(&format!("{forks} return"), thread);
    let once = flow(&main("r8 = fork @work(null)"));
    assert!(work(&once).is_single);
    let twice = flow(&main("r8 = fork @work(null) r8 = fork @work(null)"));
    assert_eq!(twice.templates.len(), 3, "two places start threads of one function");
    assert!(twice.templates.values().all(|template| template.is_single));
}

#[test]
fn threads_of_several_threads_are_several() {
    let others = "function f1 \"work\" (r0) -> ptr { registers r0: ptr, r1: i32 b0: r1 = fork @leaf(null) return null }
        function f2 \"leaf\" (r0) -> ptr { registers r0: ptr b0: store i32 [@x], i32 1 return null }";
    let found = flow(&program("jump b1 b1: r8 = fork @work(null) jump b1", others));
    let single: Vec<bool> = found.templates.values().map(|template| template.is_single).collect();
    assert_eq!(single, [true, false, false]);
}

#[test]
fn a_failed_assumption_leaves_a_thread_stuck_but_undoes_an_atomic_block() {
    let outside = "store i32 [@x], i32 1 r1 = havoc h0 r3 = equal r1, i32 0 assume r3 store i32 [@x], i32 2 return null";
    let found = flow(&many(outside));
    assert!(has(work(&found), |kind| *kind == LocationKind::Stuck));
    let stuck =
        work(&found).edges.iter().find(|edge| work(&found).locations[edge.to].kind == LocationKind::Stuck);
    assert!(effect(&found, stuck.expect("an edge leads there")).ends_with("x := #x00000001"));
    let inside = format!("atomic_begin {}", outside.replace("return", "atomic_end return"));
    let found = flow(&many(&inside));
    assert!(!has(work(&found), |kind| *kind == LocationKind::Stuck));
    assert_eq!(work(&found).edges.len(), 1, "{}", dump(&found, &many(&inside)));
}

#[test]
fn what_a_thread_did_before_it_ends_the_process_may_be_seen_by_others() {
    let found = flow(&many("store i32 [@x], i32 1 abort"));
    let all = effects(&found, work(&found));
    assert_eq!(all.last().map(String::as_str), Some("[] x := #x00000001"));
    assert!(has(work(&found), |kind| *kind == LocationKind::Stuck));
    let inside = flow(&many("atomic_begin store i32 [@x], i32 1 abort"));
    assert!(work(&inside).edges.is_empty(), "{:?}", effects(&inside, work(&inside)));
}

#[test]
fn checks_that_are_asked_for_fail_and_undefined_behaviour_is_owed_unless_excused() {
    let body = "r1 = load i32 [@x] r3 = equal r1, i32 0 check assertion r3, \"a\" goes_on
        check overflow r3, \"b\" ends store i32 [@x], i32 1 return null";
    let program = many(&body.replace(" goes_on", ""));
    let found = flow(&program);
    assert_eq!(found.checks.len(), 1);
    let strict = Options { asked: vec![Property::Overflow], excused: Vec::new(), ..Options::default() };
    let found = built(&program, &strict).expect("it has a flow");
    assert_eq!(found.checks.values().map(|check| check.is_asked).collect::<Vec<_>>(), [true]);
    let owing = Options { asked: vec![Property::Deadlock], excused: Vec::new(), ..Options::default() };
    let found = built(&program, &owing).expect("it has a flow");
    assert_eq!(found.checks.values().map(|check| check.is_asked).collect::<Vec<_>>(), [false]);
}

#[test]
fn what_nobody_stores_to_is_folded_and_told() {
    let found = flow(&many("r1 = load i32 [@y] store i32 [@x], r1 return null"));
    assert_eq!(effects(&found, work(&found)), ["[] ", "[] x := #x00000007"]);
    assert_eq!(found.constants.len(), 1);
    let stored = flow(&many("r1 = load i32 [@y] store i32 [@x], r1 store i32 [@y], i32 8 return null"));
    assert!(stored.constants.is_empty());
    assert_eq!(effects(&stored, work(&stored))[0], "[] work.r1@T1 := y");
}

#[test]
fn own_objects_are_invisible_until_their_address_is_given_away() {
    let own = "r0 = alloc local i64 4 align 4 \"v\" store i32 [r0], i32 3 r1 = load i32 [r0] store i32 [@x], r1 return null";
    let body = |text: &str| many(&text.replace("r0", "r5"));
    let found = flow(&body(own));
    assert_eq!(effects(&found, work(&found)), ["[] ", "[] x := #x00000003"]);
    let given = own.replace("store i32 [@x]", "store ptr [@p], r0 store i32 [@x]");
    let found = flow(&body(&given));
    // The object is shared, and each thread has one: nothing is known of what it holds.
    assert_eq!(work(&found).edges.len(), 5);
    assert!(effects(&found, work(&found)).iter().any(|effect| effect.contains("work.r1@T1 := memory")));
}

#[test]
fn what_one_path_does_not_have_is_no_constant_where_paths_meet() {
    // A local variable of one branch, whose life has ended where the branches meet, and one that still lives there.
    let body = |end: &str| {
        format!(
            "r1 = load i32 [@x] r3 = equal r1, i32 0 branch r3, b1, b2
            b1: r5 = alloc local i64 4 align 4 \"t\" shape signed i32 store i32 [r5], i32 1 r2 = load i32 [r5]
                store i32 [@x], r2 {end} jump b3
            b2: jump b3
            b3: r1 = load i32 [@x] store i32 [@y], r1 return null"
        )
    };
    for end in ["end_life object r5", ""] {
        let built = flow(&many(&body(end)));
        let template = work(&built);
        let is_own = |(storage, _): &(Storage, _)| matches!(storage, Storage::Cell { .. });
        let stores = template.edges.iter().filter(|edge| effect(&built, edge).starts_with("[] x := "));
        let before: Vec<_> = stores.map(|edge| &template.locations[edge.from]).collect();
        assert!(
            before.len() == 1 && before[0].constants.iter().any(is_own),
            "it is one inside of the branch"
        );
        let met: Vec<_> = template.edges.iter().filter(|edge| edge.from != template.entry).collect();
        let met = met.iter().map(|edge| &template.locations[edge.to]);
        assert!(met.filter(|at| at.kind != before[0].kind).all(|at| !at.constants.iter().any(is_own)));
    }
}

#[test]
fn bytes_that_are_accessed_in_different_ways_hold_any_value() {
    let found = flow(&many(
        "store i32 [@x], i32 1 r7 = load i16 [@x] r1 = load i32 [@x] store i32 [@y], r1 return null",
    ));
    assert!(!names(&found).contains(&"x"), "{:?}", names(&found));
}

#[test]
fn elements_at_symbolic_indices_are_an_array() {
    let body = "r1 = havoc h0 store i32 [@x], r1 r2 = load i32 [@a] atomic_begin r1 = load i32 [@x] r4 = sign_extend r1 r6 = mul r4, i64 4
        r5 = pointer_add @a, r6 store i32 [r5], i32 9 atomic_end return null";
    let found = flow(&many(body));
    let array =
        found.variables.values().find(|variable| matches!(variable.storage, Storage::Elements { .. }));
    assert_eq!(array.expect("there is an array").name, "a[]");
    assert!(effects(&found, work(&found)).iter().any(|effect| effect.contains("a[] := (store |a[]|")));
}

#[test]
fn a_store_through_an_unknown_pointer_changes_what_it_may_lead_to() {
    let body =
        "store ptr [@p], @x r5 = load ptr [@p] store i32 [r5], i32 9 r1 = load i32 [@y] store i32 [@y], r1
        r2 = load i32 [@x] r3 = equal r1, r2 check assertion r3, \"a\" return null";
    let found = flow(&many(body));
    let all = effects(&found, work(&found));
    assert!(all.iter().any(|effect| effect.contains("x := (ite (= ")), "{all:?}");
    assert!(!all.iter().any(|effect| effect.contains("y := (ite")), "nobody has the address of y: {all:?}");
}

#[test]
fn loops_without_visible_instructions_are_cut() {
    let body = "r1 = i32 0 jump b1 b1: r3 = signed_less r1, i32 9 branch r3, b2, b3
        b2: r1 = add r1, i32 1 jump b1 b3: store i32 [@x], r1 return null";
    let found = flow(&many(body));
    let all = effects(&found, work(&found));
    assert_eq!(all.len(), 4, "{all:?}");
    assert!(work(&found).locations.values().any(|location| location.is_on_cycle && location.live.len() == 1));
}

#[test]
fn loops_in_atomic_blocks_are_unrolled_if_they_end() {
    let body = "atomic_begin r1 = i32 0 jump b1 b1: r3 = signed_less r1, i32 9 branch r3, b2, b3
        b2: r1 = add r1, i32 1 jump b1 b3: store i32 [@x], r1 atomic_end return null";
    let found = flow(&many(body));
    assert_eq!(effects(&found, work(&found)), ["[] x := #x00000009"]);
    let endless = body.replace("i32 9", "r2").replace("r1 = i32 0", "r1 = i32 0 r2 = load i32 [@y]");
    let endless = format!("store i32 [@y], i32 1 r2 = havoc h0 store i32 [@y], r2 {endless}");
    assert!(matches!(refused(&many(&endless)), Reason::LoopInAtomicBlock(_) | Reason::TooManyPaths(_)));
}

#[test]
fn locks_wait_and_know_their_holder() {
    let found = flow(&many("lock [@x] unlock [@x] return null"));
    let all = effects(&found, work(&found));
    assert!(
        all[0].contains("(= #x00000000 x)") && all[0].contains("x := (bvadd #x00000001 |id of T1|)"),
        "{all:?}"
    );
    assert!(work(&found).edges[0].waits && !work(&found).edges[1].waits);
    assert_eq!(all[1], "[] x := #x00000000");
}

#[test]
fn what_has_no_meaning_here_is_refused_by_name() {
    let recursive = "function f1 \"again\" () { b0: call @again() return }";
    assert_eq!(refused(&program("call @again() return", recursive)), Reason::Recursion("again".to_owned()));
    assert_eq!(refused(&program("r0 = havoc h1 call r0() return", "")), Reason::UnknownCallee);
    assert_eq!(refused(&program("r0 = havoc h1 r8 = fork r0(null) return", "")), Reason::UnknownThread);
    let found = flow(&program("store i32 [@x], i32 1 unsupported \"this\"", ""));
    assert!(has(found.templates.values().next().expect("main"), |kind| matches!(
        kind,
        LocationKind::Failed(_)
    )));
}

#[test]
fn a_compare_exchange_is_two_edges() {
    let found = flow(&many("r1 = compare_exchange i32 [@x], i32 0, i32 5 seq_cst return null"));
    let mut all = effects(&found, work(&found));
    all.sort();
    assert_eq!(all, ["[(= #x00000000 x)] x := #x00000005", "[(not (= #x00000000 x))] "]);
}

#[test]
fn arguments_of_threads_are_constants_if_they_are_one() {
    let thread =
        "function f1 \"work\" (r0) -> ptr { registers r0: ptr b0: store i32 [r0], i32 1 return null }";
    let one = flow(&program("r8 = fork @work(@x) return", thread));
    assert_eq!(effects(&one, work(&one)), ["[] x := #x00000001"]);
    let loops = "r5 = havoc h1 jump b1 b1: r8 = fork @work(r5) jump b1";
    let several = flow(&program(loops, thread));
    let spawn = several
        .templates
        .values()
        .next()
        .and_then(|main| main.edges.iter().find_map(|edge| edge.spawn.clone()));
    assert_eq!(spawn.expect("a thread is started").values.len(), 1);
}

#[test]
fn a_flow_is_the_same_every_time() {
    let program =
        many("r1 = load i32 [@x] r2 = add r1, i32 1 store i32 [@x], r2 lock [@y] unlock [@y] return null");
    assert_eq!(dump(&flow(&program), &program), dump(&flow(&program), &program));
}
