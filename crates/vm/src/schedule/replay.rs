//! A recorded schedule, again.

use std::collections::VecDeque;

use super::Scheduler;
use crate::observe::{InputRequest, Inputs};
use crate::state::{State, ThreadId};
use crate::step::Machine;
use crate::trace::{Segment, Trace, type_name};

/// Follows a trace's schedule. Segments count operations, not steps: a step may make more operations than the segment has left
/// (those behind its visible one, which nobody else could see); they are then taken off the thread's later segments.
#[derive(Clone, Debug)]
pub struct Replay {
    schedule: Vec<Segment>,
    /// Operations each thread has made by the schedule so far, once the current segment is done.
    due: Vec<u64>,
    made: Vec<u64>,
    position: usize,
}

impl Replay {
    /// The schedule of a trace.
    #[must_use]
    pub fn new(trace: &Trace) -> Self {
        Self { schedule: trace.schedule.clone(), due: Vec::new(), made: Vec::new(), position: 0 }
    }

    /// Whether the whole schedule was followed.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.position >= self.schedule.len()
    }

    /// The segment that is being followed, with its number.
    #[must_use]
    pub fn current(&self) -> Option<(usize, Segment)> {
        self.schedule.get(self.position).map(|&segment| (self.position, segment))
    }
}

fn at(counts: &mut Vec<u64>, thread: ThreadId) -> &mut u64 {
    let index = thread as usize;
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
    &mut counts[index]
}

impl Scheduler for Replay {
    fn begin(&mut self) {
        self.position = 0;
        self.due.clear();
        self.made.clear();
    }

    fn choose(&mut self, _: &Machine<'_>, _: &State, enabled: &[ThreadId]) -> Option<ThreadId> {
        loop {
            let segment = *self.schedule.get(self.position)?;
            // A thread that was never started has made nothing, and its count is not kept.
            let made = self.made.get(segment.thread as usize).copied().unwrap_or(0);
            let is_known = segment.thread as usize <= MOST_THREADS;
            let due = if is_known {
                at(&mut self.due, segment.thread).saturating_add(segment.operations)
            } else {
                segment.operations
            };
            if made < due {
                // A thread that cannot go on where the trace says it does: the trace is not one of this program.
                return enabled.contains(&segment.thread).then_some(segment.thread);
            }
            if is_known {
                *at(&mut self.due, segment.thread) = due;
            }
            self.position += 1;
        }
    }

    fn end(&mut self, _: ThreadId, operations: &[u64]) {
        self.made.clear();
        self.made.extend_from_slice(operations);
    }
}

/// A trace that names a higher thread is nonsense, and must not make us keep that many counts.
const MOST_THREADS: usize = 1 << 16;

/// Gives each thread the inputs that the trace recorded for it, in order; zero when they are used up.
#[derive(Clone, Debug)]
pub struct ReplayInputs {
    inputs: Vec<VecDeque<(u128, String)>>,
    /// Where the program asked for something else than what was recorded.
    misfit: Option<Misfit>,
}

/// An input of another type than the program asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Who asked.
    pub thread: ThreadId,
    /// The type in the trace.
    pub recorded: String,
    /// The type that the program asked for.
    pub asked: String,
}

impl ReplayInputs {
    /// The inputs of a trace.
    #[must_use]
    pub fn new(trace: &Trace) -> Self {
        let mut inputs: Vec<VecDeque<(u128, String)>> = Vec::new();
        for input in &trace.inputs {
            let index = input.thread as usize;
            if index > MOST_THREADS {
                continue;
            }
            if inputs.len() <= index {
                inputs.resize(index + 1, VecDeque::new());
            }
            inputs[index].push_back((input.bits(), input.ty.clone()));
        }
        Self { inputs, misfit: None }
    }

    /// The first input that did not fit what the program asked for.
    #[must_use]
    pub fn misfit(&self) -> Option<&Misfit> {
        self.misfit.as_ref()
    }
}

impl Inputs for ReplayInputs {
    fn input(&mut self, request: &InputRequest) -> u128 {
        let next = self.inputs.get_mut(request.thread as usize).and_then(VecDeque::pop_front);
        let Some((bits, recorded)) = next else { return 0 };
        let asked = type_name(request.ty);
        if recorded != asked && self.misfit.is_none() {
            self.misfit = Some(Misfit { thread: request.thread, recorded, asked });
        }
        bits
    }
}
