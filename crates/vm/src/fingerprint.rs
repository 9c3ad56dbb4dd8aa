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
use crate::renaming::Renaming;
use crate::state::{Exit, Frame, State, Status, Thread, ThreadId};
use crate::value::Value;

/// Mixes words into 128 bits, in two lanes that do not know each other.
#[derive(Clone, Debug)]
pub(crate) struct Mixer<'r> {
    left: u64,
    right: u64,
    /// The names that threads and their objects get.
    renaming: Option<&'r Renaming>,
    /// Whether all of it was fed under those names.
    is_exact: bool,
}

/// The product's halves, folded: every bit of the result depends on every bit of the operands.
#[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product as u64) ^ ((product >> 64) as u64)
}

impl<'r> Mixer<'r> {
    pub(crate) const fn new(renaming: Option<&'r Renaming>) -> Self {
        Self { left: 0x243f_6a88_85a3_08d3, right: 0x1319_8a2e_0370_7344, renaming, is_exact: true }
    }

    /// The names that threads get, if they get others.
    pub(crate) const fn renaming(&self) -> Option<&'r Renaming> {
        self.renaming
    }

    /// What is fed has other bits under these names, and nobody knows which.
    pub(crate) const fn not_exact(&mut self) {
        self.is_exact = false;
    }

    pub(crate) const fn word(&mut self, word: u64) {
        self.left = fold(self.left ^ word, 0x9e37_79b9_7f4a_7c15).wrapping_add(word.rotate_left(17));
        self.right = fold(self.right.wrapping_add(word), 0xa409_3822_299f_31d1) ^ word.rotate_left(43);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    pub(crate) fn value(&mut self, memory: &Memory, value: Value) {
        let renamed = self.renaming.map_or(Some(value.bits), |renaming| memory.renamed(value, renaming));
        self.is_exact &= renamed.is_some();
        let bits = renamed.unwrap_or(value.bits);
        self.word(bits as u64);
        self.word((bits >> 64) as u64);
        self.word(memory.canonical(value.origin, self.renaming));
    }

    fn id(&mut self, id: impl Id) {
        self.word(id.index() as u64);
    }

    pub(crate) fn finish(mut self) -> u128 {
        self.word(self.right);
        self.word(self.left);
        u128::from(self.left) << 64 | u128::from(self.right)
    }
}

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
        (mixer.is_exact || renaming.is_identity()).then(|| mixer.finish())
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
                mixer.value(memory, result);
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
            mixer.value(memory, Value::plain(bits));
        }
        if thread.tainted_result != 0 {
            mixer.value(memory, Value::plain(thread.tainted_result));
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
                mixer.value(memory, thread.registers[frame.base as usize + register.index()]);
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

    #[test]
    fn mixing_tells_order_length_and_value_apart() {
        let of = |words: &[u64]| {
            let mut mixer = Mixer::new(None);
            words.iter().for_each(|&word| mixer.word(word));
            mixer.finish()
        };
        let mut seen = rustc_hash::FxHashSet::default();
        for a in 0..100 {
            for b in 0..100 {
                assert!(seen.insert(of(&[a, b])), "{a} {b}");
                assert!(seen.insert(of(&[a, b, 0])), "{a} {b} 0");
                assert!(seen.insert(of(&[a << 56 | 1 << 20, b << 48, a])), "{a} {b} apart");
            }
        }
    }

    /// Fingerprints after each step of a schedule.
    fn after(text: &str, schedule: &[u32]) -> u128 {
        let program = parse(text);
        let machine = Vm::new(&program);
        let (mut state, _) = machine.start(&mut ZeroInputs, &mut Unwatched);
        for &thread in schedule {
            machine.step(&mut state, thread, &mut ZeroInputs, &mut Unwatched);
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
