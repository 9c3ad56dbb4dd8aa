//! Which objects more than one thread may access: an escape analysis on the points-to sets.
//!
//! An object is shared when it *escapes* (other threads could get at it: it is a global, or a pointer to it is passed
//! to a thread, left as a thread's result, or stored in something that escapes) and two threads may access it: two
//! functions in which threads start reach accesses to it, or one that may be started more than once does.
//!
//! Over-approximates sharing: an object that is reported private is accessed by one thread only, so that its accesses are no steps.

use raddle_base::{Id, Table};

use super::call_graph::CallGraph;
use super::cfg::ControlFlow;
use super::points_to::{ObjectId, ObjectKind, PointsTo};
use super::side_effects::{Effects, add_inst};
use crate::inst::{InstKind, Operand};
use crate::program::{BlockId, FunctionId, Program};

/// Which threads access an object.
#[derive(Clone, Debug, Default)]
struct Accessors {
    /// Where threads start that may read it, in order.
    readers: Vec<FunctionId>,
    /// Where threads start that may write or free it, in order.
    writers: Vec<FunctionId>,
}

/// Sharing among the threads of a program.
#[derive(Clone, Debug)]
pub struct Sharing {
    escaped: Table<ObjectId, bool>,
    accessors: Table<ObjectId, Accessors>,
    /// Whether several threads may start in the function.
    several: Table<FunctionId, bool>,
}

impl Sharing {
    /// Of a program.
    #[must_use]
    pub fn new(program: &Program, points_to: &PointsTo, graph: &CallGraph) -> Self {
        let mut own: Table<FunctionId, Effects> = Table::new();
        for (id, function) in program.functions.iter() {
            let mut effects = Effects::default();
            let insts = function.blocks.values().flat_map(|block| &block.insts);
            insts.for_each(|inst| add_inst(&mut effects, id, inst, points_to));
            own.push(effects);
        }
        let mut accessors: Table<ObjectId, Accessors> =
            Table::filled(points_to.objects().len(), Accessors::default);
        // Effects of a thread are those of all functions that it may run, without the threads that it starts.
        for &start in graph.thread_functions() {
            let mut all = Effects::default();
            graph.run_by_thread(start).into_iter().for_each(|function| all.include(&own[function]));
            all.reads.ones().for_each(|object| accessors[ObjectId::from_index(object)].readers.push(start));
            all.writes.ones().for_each(|object| accessors[ObjectId::from_index(object)].writers.push(start));
        }
        Self { escaped: escaped(program, points_to), accessors, several: several(program, graph) }
    }

    /// Whether other threads than the one that made it could get at the object.
    #[must_use]
    pub fn is_escaped(&self, object: ObjectId) -> bool {
        self.escaped[object]
    }

    /// Whether more than one thread may start in the function.
    #[must_use]
    pub fn starts_several_threads(&self, function: FunctionId) -> bool {
        self.several[function]
    }

    /// Whether more than one thread may access the object.
    #[must_use]
    pub fn is_shared(&self, object: ObjectId) -> bool {
        let Accessors { readers, writers } = &self.accessors[object];
        // A single thread function that several threads start in shares with itself.
        let first = readers.first().or(writers.first());
        self.escaped[object]
            && first.is_some_and(|first| {
                self.several[*first] || readers.iter().chain(writers).any(|other| other != first)
            })
    }

    /// Whether more than one thread may access the object and one of them may write it: only then do accesses conflict.
    #[must_use]
    pub fn has_conflicts(&self, object: ObjectId) -> bool {
        self.is_shared(object) && !self.accessors[object].writers.is_empty()
    }

    /// Whether an access through the operand may be to a shared object, and so is a step.
    #[must_use]
    pub fn is_step(&self, points_to: &PointsTo, function: FunctionId, address: Operand) -> bool {
        points_to.targets(function, address).iter().any(|(object, _)| self.is_shared(*object))
    }
}

/// Objects that other threads could get at.
fn escaped(program: &Program, points_to: &PointsTo) -> Table<ObjectId, bool> {
    let mut escaped = Table::filled(points_to.objects().len(), || false);
    // A thread's result is there for whoever joins it.
    let mut waiting: Vec<ObjectId> = points_to.thread_results().iter().map(|(object, _)| *object).collect();
    for (id, object) in points_to.objects().iter() {
        match object.kind {
            // Each thread has its own copy, which others reach only by its address.
            ObjectKind::Global(global) if program.globals[global].thread_local => {}
            ObjectKind::Global(_) | ObjectKind::Function(_) => waiting.push(id),
            ObjectKind::Alloc { .. } => {}
        }
    }
    for (id, function) in program.functions.iter() {
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            if let InstKind::Fork { argument, .. } = inst.kind {
                waiting.extend(points_to.targets(id, argument).iter().map(|(object, _)| *object));
            }
        }
    }
    // Whoever gets at an object gets at all it points to.
    while let Some(object) = waiting.pop() {
        if !escaped[object] {
            escaped[object] = true;
            waiting.extend(points_to.contents(object).iter().map(|(inner, _)| *inner));
        }
    }
    escaped
}

/// Functions in which several threads may start: all that are not run at most once.
fn several(program: &Program, graph: &CallGraph) -> Table<FunctionId, bool> {
    // Every way in: who calls or forks, and whether that may happen again and again.
    let mut ways: Table<FunctionId, Vec<(FunctionId, bool)>> =
        Table::filled(program.functions.len(), Vec::new);
    for (id, function) in program.functions.iter().filter(|(id, _)| graph.is_reached(*id)) {
        let flow = ControlFlow::new(function);
        for call in graph.calls(id) {
            let again = is_on_cycle(&flow, call.block);
            call.callees.iter().for_each(|callee| ways[*callee].push((id, again)));
        }
    }
    let runs_once = |mut function: FunctionId| {
        // Up the only chain of ways in; a chain longer than there are functions goes in circles.
        // The entry must have no other way in: called again, it would run more than once.
        for _ in 0..=program.functions.len() {
            match (ways[function].as_slice(), function == program.entry) {
                ([], true) => return true,
                ([(caller, false)], false) => function = *caller,
                _ => return false,
            }
        }
        false
    };
    program.functions.ids().map(|id| !runs_once(id)).collect()
}

/// Whether the block may be reached again from itself.
fn is_on_cycle(flow: &ControlFlow, block: BlockId) -> bool {
    let mut seen: Vec<BlockId> = Vec::new();
    let mut waiting = flow.successors(block).to_vec();
    while let Some(next) = waiting.pop() {
        if next == block {
            return true;
        }
        if !seen.contains(&next) {
            seen.push(next);
            waiting.extend(flow.successors(next));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    /// The names of the shared objects, and `!` behind those that may be written.
    fn shared(text: &str) -> String {
        let program = parse_program(&format!("program pointer_bits 64 entry f0 {text}")).expect("parses");
        let findings = crate::validate::validate(&program);
        assert!(findings.is_empty(), "{findings:?}");
        let points_to = PointsTo::new(&program);
        let graph = CallGraph::new(&program, &points_to);
        let sharing = Sharing::new(&program, &points_to, &graph);
        let objects = points_to.objects().ids().filter(|object| sharing.is_shared(*object));
        let names = objects.map(|object| {
            let mark = if sharing.has_conflicts(object) { "!" } else { "" };
            points_to.name(&program, object) + mark
        });
        names.collect::<Vec<_>>().join(", ")
    }

    const GLOBALS: &str =
        "havoc h0 \"c\" i1 global g0 \"x\" size 8 align 8 { } global g1 \"y\" size 8 align 8 { }
        global g2 \"mine\" size 8 align 8 { } global g3 \"own\" size 8 align 8 thread_local { }";

    #[test]
    fn globals_of_two_threads_and_of_one() {
        let text = format!(
            "{GLOBALS} function f0 \"main\" () {{ registers r0: i32, r1: i64, r2: ptr
             b0: r0 = fork @work(null) r1 = load i64 [@x] r1 = load i64 [@y] store i64 [@mine], r1
             r2 = thread_local @own store i64 [r2], r1 return }}
             function f1 \"work\" (r0) -> ptr {{ registers r0: ptr, r1: i64
             b0: r1 = load i64 [@y] store i64 [@x], r1 r0 = thread_local @own store i64 [r0], r1 return null }}"
        );
        assert_eq!(shared(&text), "x!, y");
    }

    #[test]
    fn one_thread_function_started_twice_shares_with_itself() {
        let work = "function f1 \"work\" (r0) -> ptr { registers r0: ptr, r1: ptr
            b0: store i64 [@x], i64 1 r1 = alloc local i64 8 align 8 \"local\" store i64 [r1], i64 1 return null }";
        let main = |body: &str| {
            format!("{GLOBALS} function f0 \"main\" () {{ registers r0: i32, r1: i1 b0: {body} }} {work}")
        };
        assert_eq!(shared(&main("r0 = fork @work(null) return")), "");
        assert_eq!(shared(&main("r0 = fork @work(null) r0 = fork @work(null) return")), "x!");
        let looped = "jump b1 b1: r0 = fork @work(null) r1 = havoc h0 branch r1, b1, b2 b2: return";
        assert_eq!(shared(&main(looped)), "x!");
    }

    #[test]
    fn locals_are_shared_when_their_address_gets_out() {
        let text = format!(
            "{GLOBALS} function f0 \"main\" () {{ registers r0: i32, r1: ptr, r2: ptr, r3: ptr, r4: i64
             b0: r1 = alloc local i64 8 align 8 \"passed\" r2 = alloc local i64 8 align 8 \"kept\"
             r3 = alloc heap i64 8 align 8 \"inner\" store ptr [r1], r3
             r0 = fork @work(r1) store i64 [r2], i64 1 r4 = load i64 [r1] store i64 [r3], r4 return }}
             function f1 \"work\" (r0) -> ptr {{ registers r0: ptr, r1: ptr, r2: i64
             b0: r1 = load ptr [r0] r2 = load i64 [r1] return null }}"
        );
        assert_eq!(shared(&text), "passed in main!, inner in main!");
    }

    #[test]
    fn what_is_stored_in_a_global_escapes() {
        let text = format!(
            "{GLOBALS} function f0 \"main\" () {{ registers r0: i32, r1: ptr
             b0: r0 = fork @work(null) r0 = fork @work(null) return }}
             function f1 \"work\" (r0) -> ptr {{ registers r0: ptr, r1: ptr, r2: ptr
             b0: r1 = alloc heap i64 8 align 8 \"published\" store ptr [@y], r1 store i64 [r1], i64 1
             r2 = alloc heap i64 8 align 8 \"private\" store i64 [r2], i64 1 return null }}"
        );
        assert_eq!(shared(&text), "y!, published in work!");
    }
}
