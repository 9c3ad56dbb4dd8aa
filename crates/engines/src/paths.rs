//! The paths that threads took in a run: all that is needed to follow them again.
//!
//! Of each thread are kept the ways it went where its code left that open, the threads it started, and the values it was given from
//! outside, each in order; and after each step how many operations it had made. What an atomic block did that did not commit is not kept.
//! A call of an API function is one statement: of ways and inputs only those of the program itself are kept.

use std::collections::BTreeSet;

use raddle_ir::{BlockId, FunctionId, Program};
use raddle_vm::code::Place;
use raddle_vm::memory::Memory;
use raddle_vm::{Action, Event, InputReason, Observer, Stream, ThreadId, Way};

/// The path of one thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadPath {
    /// The function it began with, if it was started.
    pub begins: Option<FunctionId>,
    /// The ways it went.
    pub ways: Vec<Way>,
    /// The threads it started.
    pub started: Vec<ThreadId>,
    /// The bits of what it was given: inputs, and results of functions without a body.
    pub inputs: Vec<u128>,
}

/// The paths of all threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    threads: Vec<ThreadPath>,
    /// The ways that were gone from branches of the program itself.
    gone: BTreeSet<(FunctionId, BlockId, BlockId)>,
    /// After which steps who had made how many operations: the step, the thread, and all its operations.
    made: Vec<(u64, ThreadId, u64)>,
}

impl Paths {
    /// The path of a thread; that of one that was not there is empty.
    #[must_use]
    pub fn of(&self, thread: ThreadId) -> Option<&ThreadPath> {
        self.threads.get(thread as usize)
    }

    /// The ways that were gone from branches of the program itself: function, block and target. Of what was not kept some may be among them.
    #[must_use]
    pub fn gone(&self) -> &BTreeSet<(FunctionId, BlockId, BlockId)> {
        &self.gone
    }

    /// How many threads there were.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// How many operations each thread had made when windows of so many steps ended, the last one excepted.
    #[must_use]
    pub fn windows(&self, size: u64) -> Vec<Vec<u64>> {
        let mut windows = Vec::new();
        let mut now = vec![0; self.threads.len()];
        let mut end = size;
        for &(step, thread, operations) in &self.made {
            while step > end {
                windows.push(now.clone());
                end += size;
            }
            now[thread as usize] = operations;
        }
        windows
    }
}

/// Watches a run, and keeps the paths of its threads.
#[derive(Debug)]
pub struct PathRecorder<'p> {
    program: &'p Program,
    paths: Paths,
    operations: Vec<u64>,
    step: u64,
    /// What was kept since the step began.
    news: Vec<News>,
}

/// What was kept of a thread.
#[derive(Clone, Copy, Debug)]
enum News {
    Began(ThreadId),
    Way(ThreadId),
    Started(ThreadId),
    Input(ThreadId),
    Operation(ThreadId),
}

impl<'p> PathRecorder<'p> {
    /// For a run of a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self { program, paths: Paths::default(), operations: Vec::new(), step: 0, news: Vec::new() }
    }

    /// What was kept.
    #[must_use]
    pub fn finish(mut self) -> Paths {
        self.end_step();
        self.paths
    }

    fn of(&mut self, thread: ThreadId) -> &mut ThreadPath {
        let index = thread as usize;
        if self.paths.threads.len() <= index {
            self.paths.threads.resize_with(index + 1, ThreadPath::default);
            self.operations.resize(index + 1, 0);
        }
        &mut self.paths.threads[index]
    }

    /// The step that was begun was made.
    fn end_step(&mut self) {
        for news in std::mem::take(&mut self.news) {
            if let News::Operation(thread) = news {
                let operations = self.operations[thread as usize];
                match self.paths.made.last_mut() {
                    Some(last) if (last.0, last.1) == (self.step, thread) => last.2 = operations,
                    _ => self.paths.made.push((self.step, thread, operations)),
                }
            }
        }
    }
}

impl Observer for PathRecorder<'_> {
    fn operation(&mut self, thread: ThreadId) {
        self.of(thread);
        self.operations[thread as usize] += 1;
        self.news.push(News::Operation(thread));
    }

    fn event(&mut self, event: &Event, _: &Memory) {
        let thread = event.thread;
        match event.action {
            Action::Fork(started) => {
                self.of(thread).started.push(started);
                self.news.push(News::Started(thread));
            }
            Action::Input(InputReason::Havoc(_) | InputReason::External, value, _)
                if !self.program.functions[event.place.function].model =>
            {
                self.of(thread).inputs.push(value.bits);
                self.news.push(News::Input(thread));
            }
            Action::Input(..)
            | Action::Read { .. }
            | Action::Write { .. }
            | Action::Delay { .. }
            | Action::Flush { .. }
            | Action::Update { .. }
            | Action::Fence(_)
            | Action::Wait
            | Action::Lock(_)
            | Action::Unlock(_)
            | Action::Join(_)
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Alloc(_)
            | Action::Free(_)
            | Action::EndLife
            | Action::Ended(_)
            | Action::Query
            | Action::End(_) => {}
        }
    }

    fn went(&mut self, thread: ThreadId, place: Place, way: Way) {
        match way {
            Way::Begin(function) => {
                self.of(thread).begins = Some(function);
                self.news.push(News::Began(thread));
            }
            Way::Block(_) | Way::Function(_) if self.program.functions[place.function].model => {}
            Way::Block(_) | Way::Function(_) => {
                if let Way::Block(target) = way {
                    self.paths.gone.insert((place.function, place.block, target));
                }
                self.of(thread).ways.push(way);
                self.news.push(News::Way(thread));
            }
        }
    }

    fn step(&mut self, _: ThreadId, number: u64) {
        if number != self.step {
            self.end_step();
        }
        self.step = number;
    }

    fn undone(&mut self) {
        for news in std::mem::take(&mut self.news).into_iter().rev() {
            match news {
                News::Began(thread) => self.of(thread).begins = None,
                News::Way(thread) => drop(self.of(thread).ways.pop()),
                News::Started(thread) => drop(self.of(thread).started.pop()),
                News::Input(thread) => drop(self.of(thread).inputs.pop()),
                News::Operation(thread) => self.operations[thread as usize] -= 1,
            }
        }
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}
