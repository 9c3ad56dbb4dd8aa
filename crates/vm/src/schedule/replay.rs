//! A recorded schedule, again.

use std::collections::{BTreeSet, VecDeque};

use super::Scheduler;
use crate::observe::{InputReason, InputRequest, Inputs};
use crate::state::{Move, State, ThreadId};
use crate::step::Vm;
use crate::trace::{Segment, Trace, type_name};

/// Follows a trace's schedule. Segments count operations, not steps: a step may make more operations than the segment has left
/// (those behind its visible one, which nobody else could see); they are then taken off the thread's later segments. What
/// becomes of delayed stores is said in [`crate::trace`].
#[derive(Clone, Debug)]
pub struct Replay {
    schedule: Vec<Segment>,
    /// Operations each thread has made by the schedule so far, once the current segment is done.
    due: Vec<u64>,
    made: Vec<u64>,
    position: usize,
    /// The stores whose flushes the schedule has, by thread and operation.
    mentioned: BTreeSet<(ThreadId, u64)>,
}

impl Replay {
    /// The schedule of a trace.
    #[must_use]
    pub fn new(trace: &Trace) -> Self {
        let flushes = trace.schedule.iter().filter_map(|segment| Some((segment.thread, segment.flush?)));
        let mentioned = flushes.collect();
        Self { schedule: trace.schedule.clone(), due: Vec::new(), made: Vec::new(), position: 0, mentioned }
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

/// What becomes of a flush in the schedule.
enum Flush {
    /// There is nothing to do.
    Passed,
    /// This is to be done, for it or before it.
    Made(Move),
    /// It cannot be.
    Refused,
}

impl Replay {
    fn flush(&self, vm: &Vm<'_>, state: &State, thread: ThreadId, operation: u64) -> Flush {
        let Some(owner) = state.threads.get(thread as usize) else { return Flush::Refused };
        if owner.operations < operation {
            return Flush::Refused;
        }
        let stores = owner.buffer.stores().iter().zip(0..);
        let Some(store) =
            stores.into_iter().find_map(|(store, index)| (store.operation == operation).then_some(index))
        else {
            return Flush::Passed;
        };
        if vm.can_flush(state, thread, store) {
            return Flush::Made(Move::Flush { thread, store });
        }
        self.unmentioned(vm, state, thread, store as usize).map_or(Flush::Refused, Flush::Made)
    }

    /// The oldest of a thread's first delayed stores that may become visible and whose flush the schedule does not have.
    fn unmentioned(&self, vm: &Vm<'_>, state: &State, thread: ThreadId, first: usize) -> Option<Move> {
        let stores = state.threads.get(thread as usize)?.buffer.stores().iter().zip(0..).take(first);
        let mut unmentioned =
            stores.filter(|(store, _)| !self.mentioned.contains(&(thread, store.operation)));
        let (_, store) = unmentioned.find(|&(_, index)| vm.can_flush(state, thread, index))?;
        Some(Move::Flush { thread, store })
    }
}

/// Behind the last segment nobody runs any more, but what is delayed may still become visible.
fn after_the_end(enabled: &[Move]) -> Option<Move> {
    let runs = enabled.iter().any(|next| matches!(next, Move::Step(_)));
    if runs { None } else { enabled.first().copied() }
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

    fn choose(&mut self, vm: &Vm<'_>, state: &State, enabled: &[Move]) -> Option<Move> {
        loop {
            let Some(&segment) = self.schedule.get(self.position) else {
                return after_the_end(enabled);
            };
            if let Some(operation) = segment.flush {
                match self.flush(vm, state, segment.thread, operation) {
                    Flush::Passed => {
                        self.position += 1;
                        continue;
                    }
                    Flush::Made(next) => return Some(next),
                    Flush::Refused => return None,
                }
            }
            // A thread that was never started has made nothing, and its count is not kept.
            let made = self.made.get(segment.thread as usize).copied().unwrap_or(0);
            let is_known = segment.thread as usize <= MOST_THREADS;
            let due = if is_known {
                at(&mut self.due, segment.thread).saturating_add(segment.operations)
            } else {
                segment.operations
            };
            if made < due {
                let step = Move::Step(segment.thread);
                // A thread that cannot go on where the trace says it does: the trace is not one of this program. It may be, though,
                // that the trace says nothing of delayed stores that the thread waits for.
                return if enabled.contains(&step) {
                    Some(step)
                } else {
                    self.unmentioned(vm, state, segment.thread, usize::MAX)
                };
            }
            if is_known {
                *at(&mut self.due, segment.thread) = due;
            }
            self.position += 1;
        }
    }

    fn end(&mut self, _: Move, operations: &[u64]) {
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
    /// Where objects lie that each thread makes.
    addresses: Vec<VecDeque<u32>>,
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
        let mut addresses: Vec<VecDeque<u32>> = Vec::new();
        for choice in trace.addresses.iter().filter(|choice| choice.thread as usize <= MOST_THREADS) {
            let index = choice.thread as usize;
            if addresses.len() <= index {
                addresses.resize(index + 1, VecDeque::new());
            }
            addresses[index].push_back(choice.choice);
        }
        Self { inputs, addresses, misfit: None }
    }

    /// The first input that did not fit what the program asked for.
    #[must_use]
    pub fn misfit(&self) -> Option<&Misfit> {
        self.misfit.as_ref()
    }
}

impl Inputs for ReplayInputs {
    fn input(&mut self, request: &InputRequest) -> u128 {
        if let InputReason::Address(_) = request.reason {
            let next = self.addresses.get_mut(request.thread as usize).and_then(VecDeque::pop_front);
            return next.unwrap_or(0).into();
        }
        let next = self.inputs.get_mut(request.thread as usize).and_then(VecDeque::pop_front);
        let Some((bits, recorded)) = next else { return 0 };
        let asked = type_name(request.ty);
        if recorded != asked && self.misfit.is_none() {
            self.misfit = Some(Misfit { thread: request.thread, recorded, asked });
        }
        bits
    }
}
