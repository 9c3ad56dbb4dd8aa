//! From one run to all executions for the same inputs, step by step.
//!
//! All that was seen so far is one question: each thread goes ways that it went in some run, in every combination and order. If an
//! execution breaks a property, that is a violation. Otherwise one is asked for that goes a way which was not seen; it is run, goes on by
//! itself, and what it does is seen from then on. If there is none, every execution was asked about, and what holds so far holds under
//! all schedules. This is ψ of Yang and Sakallah, without its models that turn out to be no executions: what was not seen is not
//! approximated, it ends an execution.
//!
//! Inputs that the first run was given have the values that they had there; others, which it did not come to, have any.
//!
//! Direction of error: none. It need not end: a thread that waits in a loop has a new way for each iteration.

use std::sync::Arc;

use raddle_base::Budget;
use raddle_ir::{Program, Property, Terminator};
use raddle_vm::schedule::{Replay, ReplayInputs, RoundRobin, Scheduler};
use raddle_vm::{Move, Options, State, Trace, Unwatched, Vm, run};

use super::{Foretold, NoRun, Run, broken_in};
use crate::po_bmc::orders::{Beyond, InOtherOrders, Widening};
use crate::{Reason, Task, Verdict};

/// A run that is made to see new ways is cut off so many steps behind the first of them.
const MORE_STEPS: u64 = 1_000;
/// There threads take turns, which are so long.
const QUANTUM: u64 = 5;

/// How far it has come after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many runs were made.
    pub runs: usize,
    /// How many ways from branches of the program were gone, and how many there are.
    pub ways: (usize, usize),
}

/// Why it ended.
#[derive(Clone, Debug)]
pub enum Ended {
    /// There is no execution that was not asked about.
    Complete,
    /// Every property is broken.
    Decided,
    /// As many runs were made as were allowed.
    Runs,
    /// For this reason.
    Unknown(Reason),
}

/// Asks about more and more executions, from a run on, until all are known or so many runs were made. Answers are told as soon as they are
/// known; those that hold when it is complete hold under all schedules, and when it is not they are unknown.
pub fn widen<'t>(
    task: &'t Task<'t>,
    first: &Run,
    most_runs: usize,
    budget: &Budget,
    mut tell: impl FnMut(Property, Foretold),
    mut follow: impl FnMut(Step),
) -> Ended {
    let mut open = Vec::new();
    for &property in &task.properties {
        match broken_in(task, first, property) {
            Some(replayed) => tell(property, Foretold::InTheRun(Box::new(replayed))),
            None => open.push(property),
        }
    }
    let mut widening = Widening::new(task);
    let mut gone = first.paths.gone().clone();
    let all = ways(task.program);
    let mut paths = Arc::clone(&first.paths);
    let mut runs = 1;
    let ended = loop {
        follow(Step { runs, ways: (gone.len(), all) });
        if open.is_empty() {
            break Ended::Decided;
        }
        match widening.learn(&paths, budget) {
            Ok(true) => {}
            Ok(false) if runs == 1 => {}
            Ok(false) => {
                // It goes there in an atomic block that does not commit, or an API function called back in another way.
                let what = "an execution goes a way that was not seen, and running it does not show which"
                    .to_owned();
                break Ended::Unknown(Reason::Other(what));
            }
            Err(reason) => break Ended::Unknown(reason),
        }
        let beyond = widening.ask(&open.clone(), budget, |property, found| {
            let told = match found {
                InOtherOrders::Holds => return,
                InOtherOrders::Asked(Verdict::Violated(replayed)) => Foretold::Possible(replayed),
                InOtherOrders::Asked(Verdict::Unknown(reason)) => Foretold::Unknown(reason),
                InOtherOrders::Asked(Verdict::Safe(_) | Verdict::SafeUnless(..)) => return,
            };
            open.retain(|&other| other != property);
            tell(property, told);
        });
        if open.is_empty() {
            break Ended::Decided;
        }
        match beyond {
            Beyond::Nothing => break Ended::Complete,
            Beyond::Unknown(reason) => break Ended::Unknown(reason),
            Beyond::New(_) if runs >= most_runs => break Ended::Runs,
            Beyond::New(trace) => {
                let next = match go_on(task, &trace) {
                    Ok(next) => next,
                    Err(why) => break Ended::Unknown(Reason::Other(why.to_string())),
                };
                runs += 1;
                gone.extend(next.paths.gone());
                paths = next.paths;
            }
        }
    };
    for property in open {
        tell(
            property,
            match &ended {
                Ended::Complete => Foretold::Holds,
                Ended::Runs | Ended::Decided => {
                    Foretold::Unknown(Reason::Sampled("not all executions were asked about".to_owned()))
                }
                Ended::Unknown(reason) => Foretold::Unknown(reason.clone()),
            },
        );
    }
    ended
}

/// Follows a schedule, and then lets threads take turns.
struct ThenInTurn {
    replay: Replay,
    rest: RoundRobin,
}

impl Scheduler for ThenInTurn {
    fn begin(&mut self) {
        self.replay.begin();
        self.rest.begin();
    }

    fn choose(&mut self, vm: &Vm<'_>, state: &State, enabled: &[Move]) -> Option<Move> {
        let next = self.replay.choose(vm, state, enabled);
        if self.replay.is_done() { next.or_else(|| self.rest.choose(vm, state, enabled)) } else { next }
    }

    fn end(&mut self, chosen: Move, operations: &[u64]) {
        self.replay.end(chosen, operations);
        self.rest.end(chosen, operations);
    }
}

/// Follows a trace, and lets threads go on behind it as they like.
fn go_on(task: &Task<'_>, trace: &Trace) -> Result<Run, NoRun> {
    let vm = Vm::checking(task.program, &[]).with_memory_model(task.memory_model);
    let operations: u64 = trace.schedule.iter().map(|segment| segment.operations).sum();
    let options = Options { max_steps: operations + MORE_STEPS, ..Options::default() };
    let mut scheduler = ThenInTurn { replay: Replay::new(trace), rest: RoundRobin::new(QUANTUM) };
    let mut inputs = ReplayInputs::new(trace);
    let result = run(&vm, &mut scheduler, &mut inputs, &options, &mut Unwatched);
    Run::follow(task, &result.trace)
}

/// How many ways there are from branches of the program itself.
fn ways(program: &Program) -> usize {
    let functions = program.functions.values().filter(|function| !function.model);
    let terminators = functions.flat_map(|function| function.blocks.values()).map(|block| &block.terminator);
    terminators
        .filter(|way| matches!(way, Terminator::Branch(..) | Terminator::Switch { .. }))
        .map(|way| {
            let mut targets = way.successors();
            targets.sort_unstable();
            targets.dedup();
            targets.len()
        })
        .sum()
}
