//! States: memory, threads, and who is enabled.
//!
//! A state is plain data: cloning it is a snapshot. Memory and threads are shared between snapshots until
//! written.

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_ir::{BlockId, FunctionId, GlobalId, Program, RegisterId};

use crate::buffer::StoreBuffer;
use crate::code::Place;
pub use crate::layout::ThreadId;
use crate::memory::{Memory, StackMark};
use crate::value::{Origin, Value};

/// What can happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A thread makes its next step.
    Step(ThreadId),
    /// A delayed store of a thread becomes visible to others. Only under weak memory models.
    Flush {
        /// Whose.
        thread: ThreadId,
        /// Which, by its place in the thread's buffer.
        store: u32,
    },
}

impl Move {
    /// Whose move it is.
    #[must_use]
    pub const fn thread(self) -> ThreadId {
        match self {
            Self::Step(thread) | Self::Flush { thread, .. } => thread,
        }
    }
}

/// A state of a program.
#[derive(Clone, Debug)]
pub struct State {
    /// All objects.
    pub memory: Memory,
    /// All threads that were ever started.
    pub threads: Vec<Arc<Thread>>,
    /// Set when the process has ended.
    pub exit: Option<Exit>,
}

/// How the process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// With a status.
    Status(i32),
    /// By `abort`.
    Abort,
}

/// How a thread stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Not at its end. Whether it is enabled is for [`crate::Vm::enabled`] to say.
    Running,
    /// Ended with a result.
    Ended(Value),
    /// An assumption failed: it goes no further, and that is nobody's fault.
    Stopped,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// How it stands.
    pub status: Status,
    /// The function it was started with.
    pub start: FunctionId,
    /// Who started it.
    pub parent: Option<ThreadId>,
    /// Whether somebody has seen its end by joining it.
    pub joined: bool,
    /// The activations, the current one last.
    pub frames: Vec<Frame>,
    /// The registers of all activations, one after the other.
    pub registers: Vec<Value>,
    /// How many atomic blocks it is in.
    pub atomic_depth: u32,
    /// Its copies of the thread-local globals it has touched.
    pub thread_locals: Vec<(GlobalId, Origin)>,
    /// Its stores that others do not see yet; always empty under sequential consistency and inside atomic blocks.
    pub buffer: StoreBuffer,
    /// For registers, counted as in `registers`, the bits that were never written, if anybody asks.
    pub tainted: BTreeMap<u32, u128>,
    /// The same for its result.
    pub tainted_result: u128,
    /// How many operations it has made; kept under weak memory models only, where it names delayed stores.
    pub operations: u64,
}

/// One activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Which function.
    pub function: FunctionId,
    /// The block it is in.
    pub block: BlockId,
    /// The next instruction.
    pub index: u32,
    /// Where its registers begin.
    pub base: u32,
    /// Where the caller wants the result.
    pub result: Option<RegisterId>,
    /// How far the stack was filled at entry.
    pub mark: StackMark,
    /// The object that each `Alloc` of local storage made last.
    pub locals: Vec<(BlockId, u32, u32)>,
}

impl Frame {
    /// Where it stands. One that waits for a call to return has its next instruction behind the call.
    #[must_use]
    pub fn stands_at(&self, calling: bool) -> Place {
        let index = if calling { self.index.saturating_sub(1) } else { self.index };
        Place { function: self.function, block: self.block, index }
    }
}

impl Thread {
    /// A thread that has not done anything yet.
    pub(crate) fn new(start: FunctionId, parent: Option<ThreadId>) -> Self {
        Self {
            status: Status::Running,
            start,
            parent,
            joined: false,
            frames: Vec::new(),
            registers: Vec::new(),
            atomic_depth: 0,
            thread_locals: Vec::new(),
            buffer: StoreBuffer::default(),
            tainted: BTreeMap::new(),
            tainted_result: 0,
            operations: 0,
        }
    }

    /// The current activation.
    #[must_use]
    pub fn frame(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// The next instruction.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.frame().map(|frame| frame.stands_at(false))
    }

    /// Where the activations stand, the innermost first: its next instruction, then the calls that led there.
    #[must_use]
    pub fn stack(&self) -> Vec<Place> {
        self.frames.iter().rev().enumerate().map(|(depth, frame)| frame.stands_at(depth > 0)).collect()
    }

    /// What a register holds.
    #[must_use]
    pub fn register(&self, register: RegisterId) -> Value {
        use raddle_base::Id;
        let base = self.frames.last().map_or(0, |frame| frame.base as usize);
        self.registers[base + register.index()]
    }

    /// Pushes an activation of `function` with the given arguments.
    pub fn enter(
        &mut self,
        program: &Program,
        function: FunctionId,
        arguments: &[Value],
        result: Option<RegisterId>,
        mark: StackMark,
    ) {
        use raddle_base::Id;
        let callee = &program.functions[function];
        let base = self.registers.len();
        self.registers.resize(base + callee.registers.len(), Value::ZERO);
        for (&parameter, &argument) in callee.parameters.iter().zip(arguments) {
            self.registers[base + parameter.index()] = argument;
        }
        self.frames.push(Frame {
            function,
            block: BlockId::from_index(0),
            index: 0,
            base: u32::try_from(base).expect("fewer than 2^32 registers are live"),
            result,
            mark,
            locals: Vec::new(),
        });
    }
}
