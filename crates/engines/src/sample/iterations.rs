//! How often runs go through loops: counted while they happen.
//!
//! A visit of a loop is counted when its thread leaves the loop for another block of the same function, so that a visit that is cut
//! off (by the end of the process, or because the run is given up) says nothing. Functions that call themselves are left out: which of their
//! activations a block belongs to is not told. So are cycles with several entries.

use raddle_base::Table;
use raddle_ir::analyses::call_graph::CallGraph;
use raddle_ir::analyses::cfg::ControlFlow;
use raddle_ir::analyses::dominators::Dominators;
use raddle_ir::analyses::loops::{LoopId, Loops};
use raddle_ir::{BlockId, FunctionId, Program};
use raddle_vm::code::Place;
use raddle_vm::memory::Memory;
use raddle_vm::{Event, Observer, Stream, ThreadId};

use crate::deepening::LoopKey;

/// The loops of a program whose iterations can be counted.
pub(super) struct Counted {
    functions: Table<FunctionId, Option<Loops>>,
}

impl Counted {
    pub(super) fn new(program: &Program) -> Self {
        let graph = CallGraph::by_type(program);
        let mut functions = Table::filled(program.functions.len(), || None);
        for (id, function) in program.functions.iter() {
            if function.blocks.is_empty() || graph.is_recursive(id) {
                continue;
            }
            let flow = ControlFlow::new(function);
            let loops = Loops::new(function, &flow, &Dominators::new(&flow, function.blocks.len()));
            if !loops.loops.is_empty() {
                functions[id] = Some(loops);
            }
        }
        Self { functions }
    }
}

/// A loop that a thread is in.
struct Visit {
    function: FunctionId,
    entered: LoopId,
    /// How often it came to the head again.
    iterations: u32,
    /// Whether none of them was undone.
    is_certain: bool,
}

/// Counts while a run happens.
pub(super) struct Counter<'c> {
    counted: &'c Counted,
    /// For each thread, the loops that it is in.
    visits: Vec<Vec<Visit>>,
    /// The visits that have ended, and those of them that ended in the step at hand, which may be undone.
    ended: Vec<(LoopKey, u32)>,
    of_step: Vec<(LoopKey, u32)>,
}

impl<'c> Counter<'c> {
    pub(super) fn new(counted: &'c Counted) -> Self {
        Self { counted, visits: Vec::new(), ended: Vec::new(), of_step: Vec::new() }
    }

    /// The visits that have ended: of which loop, after how many iterations.
    pub(super) fn ended(mut self) -> Vec<(LoopKey, u32)> {
        self.ended.append(&mut self.of_step);
        self.ended
    }

    /// A thread comes through a block: loops without it are left, and a head begins an iteration.
    fn count(&mut self, thread: ThreadId, function: FunctionId, block: BlockId) {
        let Some(loops) = &self.counted.functions[function] else { return };
        let index = thread as usize;
        if self.visits.len() <= index {
            self.visits.resize_with(index + 1, Vec::new);
        }
        let visits = &mut self.visits[index];
        while let Some(visit) = visits.last().filter(|visit| visit.function == function) {
            let left = &loops.loops[visit.entered];
            if left.contains(block) {
                break;
            }
            if visit.is_certain {
                self.of_step.push(((function, left.header), visit.iterations));
            }
            visits.pop();
        }
        let Some((entered, _)) = loops.loops.iter().find(|(_, each)| each.header == block) else { return };
        match visits.last_mut().filter(|visit| visit.function == function && visit.entered == entered) {
            Some(visit) => visit.iterations = visit.iterations.saturating_add(1),
            None => visits.push(Visit { function, entered, iterations: 0, is_certain: true }),
        }
    }
}

impl Observer for Counter<'_> {
    /// No event is looked at.
    fn is_watching(&self) -> bool {
        false
    }

    fn event(&mut self, _: &Event, _: &Memory) {}

    fn passed(&mut self, thread: ThreadId, place: Place) {
        self.count(thread, place.function, place.block);
    }

    fn step(&mut self, _: ThreadId, _: u64) {
        self.ended.append(&mut self.of_step);
    }

    fn undone(&mut self) {
        self.of_step.clear();
        // Who was undone is not told here: nobody's visit is certain any more.
        self.visits.iter_mut().flatten().for_each(|visit| visit.is_certain = false);
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::text::parse_program;
    use raddle_vm::schedule::{Random, RandomInputs};
    use raddle_vm::{Options, Vm, run};

    /// Three times two iterations of an inner loop.
    const NESTED: &str = "program pointer_bits 64 entry f0
        function f0 \"main\" () {
          registers r0: i32, r1: i32, r2: i1
        b0:
          r0 = i32 0
          jump b1
        b1:
          r2 = signed_less r0, i32 3
          branch r2, b2, b5
        b2:
          r1 = i32 0
          jump b3
        b3:
          r2 = signed_less r1, i32 2
          branch r2, b4, b6
        b4:
          r1 = add r1, i32 1
          jump b3
        b5:
          exit_process i32 0
        b6:
          r0 = add r0, i32 1
          jump b1
        }";

    #[test]
    fn iterations_are_counted_visit_by_visit() {
        let program = parse_program(NESTED).unwrap();
        let counted = Counted::new(&program);
        let mut counter = Counter::new(&counted);
        let machine = Vm::checking(&program, &[]);
        run(&machine, &mut Random::new(1), &mut RandomInputs::new(1), &Options::default(), &mut counter);
        let shown: Vec<(usize, u32)> =
            counter.ended().iter().map(|&((_, head), count)| (raddle_base::Id::index(head), count)).collect();
        // The process ends behind the outer loop, in a block of the function.
        assert_eq!(shown, [(3, 2), (3, 2), (3, 2), (1, 3)]);
    }
}
