//! A number for each state, equal for states with the same future.
//!
//! Left out is what no future depends on: how many objects lived in a place before, registers that will not be read again, the
//! contents of constants, threads' names. Under a renaming, also which of several threads is which (`explore/symmetry`). The number has 128 bits, so that of a million million states two that differ share one
//! with a probability below 10^-14.

use raddle_base::Id;
use raddle_ir::analyses::cfg::ControlFlow;
use raddle_ir::analyses::liveness::{Liveness, add_terminator, step_back};
use raddle_ir::{FunctionId, Program, RegisterId};
use rustc_hash::FxHashMap;

use crate::code::Place;
use crate::memory::{Memory, heap_of, stack_of};
use crate::mixer::Mixer;
use crate::renaming::Renaming;
use crate::state::{Exit, Frame, State, Status, Thread, ThreadId};
use crate::value::Value;

/// Makes fingerprints of a program's states.
#[derive(Debug)]
pub struct Fingerprints<'p> {
    program: &'p Program,
    liveness: FxHashMap<FunctionId, Liveness>,
    /// Registers that may be read from a place on.
    live: FxHashMap<Place, Box<[RegisterId]>>,
}

impl<'p> Fingerprints<'p> {
    /// For the states of this program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self { program, liveness: FxHashMap::default(), live: FxHashMap::default() }
    }

    /// The number of a state.
    pub fn of(&mut self, state: &State) -> u128 {
        let mut mixer = Mixer::new(None);
        self.feed_memory(state, &mut mixer);
        for thread in &state.threads {
            self.thread(&state.memory, thread, &mut mixer);
        }
        mixer.finish()
    }

    /// The number of the state that this one is with other names for its threads; nothing if that is not known. Here it
    /// also counts who started a thread, and whether it was joined.
    pub(crate) fn under(&mut self, state: &State, renaming: &Renaming) -> Option<u128> {
        let mut mixer = Mixer::new(Some(renaming));
        self.feed_memory(state, &mut mixer);
        for id in renaming.in_order() {
            let thread = &state.threads[id as usize];
            mixer.id(thread.start);
            mixer.word(thread.parent.map_or(0, |parent| 1 + u64::from(renaming.thread(parent))));
            mixer.word(thread.joined.into());
            self.thread(&state.memory, thread, &mut mixer);
        }
        (mixer.is_exact() || renaming.is_identity()).then(|| mixer.finish())
    }

    /// A number for a thread and what belongs to it alone, if threads had these names.
    pub(crate) fn of_thread(&mut self, state: &State, id: ThreadId, renaming: &Renaming) -> u128 {
        let mut mixer = Mixer::new(Some(renaming));
        let memory = &state.memory;
        self.thread(memory, &state.threads[id as usize], &mut mixer);
        memory.feed_arena_of(stack_of(id), &mut mixer);
        memory.feed_arena_of(heap_of(id), &mut mixer);
        for held in memory.held().iter().filter(|held| held.owner == id) {
            mixer.word(memory.canonical(Some(held.spot.origin), Some(renaming)));
            mixer.word(held.spot.offset.into());
        }
        mixer.finish()
    }

    fn feed_memory(&self, state: &State, mixer: &mut Mixer<'_>) {
        mixer.word(match state.exit {
            None => 0,
            Some(Exit::Abort) => 1,
            Some(Exit::Status(status)) => 2 + u64::from(status.cast_unsigned()),
        });
        state.memory.feed(mixer);
        state.memory.tainted.feed(&state.memory, mixer);
    }

    fn thread(&mut self, memory: &Memory, thread: &Thread, mixer: &mut Mixer<'_>) {
        match thread.status {
            Status::Running => mixer.word(1),
            Status::Stopped => mixer.word(2),
            Status::Ended(result) => {
                mixer.word(3);
                memory.feed_value(result, mixer);
            }
        }
        mixer.word(thread.thread_locals.len() as u64);
        for &(global, origin) in &thread.thread_locals {
            mixer.id(global);
            mixer.word(memory.canonical(Some(origin), mixer.renaming()));
        }
        // Also a thread that an assumption ended may have delayed stores; without any, nothing is fed.
        if !thread.buffer.is_empty() {
            thread.buffer.feed(memory, mixer);
        }
        for (&register, &bits) in &thread.tainted {
            mixer.word(u64::from(register) + 1);
            memory.feed_value(Value::plain(bits), mixer);
        }
        if thread.tainted_result != 0 {
            memory.feed_value(Value::plain(thread.tainted_result), mixer);
        }
        if thread.status != Status::Running {
            return;
        }
        mixer.word(thread.atomic_depth.into());
        mixer.word(thread.frames.len() as u64);
        for (depth, frame) in thread.frames.iter().enumerate() {
            // Where a call's result goes will be assigned before it is read.
            let awaited = thread.frames.get(depth + 1).and_then(|callee| callee.result);
            self.frame(memory, thread, frame, awaited, mixer);
        }
    }

    fn frame(
        &mut self,
        memory: &Memory,
        thread: &Thread,
        frame: &Frame,
        awaited: Option<RegisterId>,
        mixer: &mut Mixer<'_>,
    ) {
        mixer.id(frame.function);
        mixer.id(frame.block);
        mixer.word(frame.index.into());
        mixer.word(frame.result.map_or(0, |register| register.index() as u64 + 1));
        mixer.word(frame.mark.slots().into());
        mixer.word(frame.locals.len() as u64);
        for &(block, index, slot) in &frame.locals {
            mixer.id(block);
            mixer.word(u64::from(index) << 32 | u64::from(slot));
        }
        for &register in self.live_at(frame.stands_at(false)) {
            if Some(register) != awaited {
                memory.feed_value(thread.registers[frame.base as usize + register.index()], mixer);
            }
        }
    }

    fn live_at(&mut self, place: Place) -> &[RegisterId] {
        let Self { program, liveness, live } = self;
        live.entry(place).or_insert_with(|| {
            let function = &program.functions[place.function];
            let liveness = liveness
                .entry(place.function)
                .or_insert_with(|| Liveness::new(function, &ControlFlow::new(function)));
            let block = &function.blocks[place.block];
            let mut set = liveness.live_out_set(place.block);
            add_terminator(&mut set, &block.terminator);
            for inst in block.insts[place.index as usize..].iter().rev() {
                step_back(&mut set, inst);
            }
            set.ones().map(RegisterId::from_index).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::parse;
    use crate::{Unwatched, Vm, ZeroInputs};

    /// Fingerprints after each step of a schedule.
    fn after(text: &str, schedule: &[u32]) -> u128 {
        let program = parse(text);
        let vm = Vm::new(&program);
        let (mut state, _) = vm.start(&mut ZeroInputs, &mut Unwatched);
        for &thread in schedule {
            vm.step(&mut state, thread, &mut ZeroInputs, &mut Unwatched);
        }
        Fingerprints::new(&program).of(&state)
    }

    const TWO: &str = r#"program pointer_bits 64 entry f0
        global g0 "x" size 4 align 4 {}
        global g1 "y" size 4 align 4 {}
        function f0 "main" () {
          registers r0: i32, r1: i32
        b0:
          r0 = fork @a(null)
          r1 = fork @b(null)
          join r0
          exit_process i32 0
        }
        function f1 "a" (r0) -> ptr {
          registers r0: ptr, r1: i32, r2: ptr
        b0:
          r1 = load i32 [@x]
          call @scratch()
          store i32 [@y], i32 1
          return null
        }
        function f2 "b" (r0) -> ptr { registers r0: ptr b0: store i32 [@x], i32 1 return null }
        function f3 "scratch" () {
          registers r0: ptr
        b0:
          r0 = alloc local i64 4 align 4 "s"
          store i32 [r0], i32 1
          return
        }"#;

    #[test]
    fn what_does_not_matter_is_left_out_and_what_does_is_not() {
        // The value that `a` read is dead, and its scratch object is gone: only the order differed.
        assert_eq!(after(TWO, &[0, 0, 1, 2]), after(TWO, &[0, 0, 2, 1]));
        assert_ne!(after(TWO, &[0, 0, 1]), after(TWO, &[0, 0, 2]));
        // The same when the value is used later: then it matters.
        let used = TWO.replace("store i32 [@y], i32 1", "store i32 [@y], r1");
        assert_ne!(after(&used, &[0, 0, 1, 2]), after(&used, &[0, 0, 2, 1]));
        assert_ne!(after(TWO, &[0, 0, 1]), after(TWO, &[0, 0, 1, 1]));
    }
}
