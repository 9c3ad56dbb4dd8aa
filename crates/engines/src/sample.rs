//! Engine `random`: runs under random schedules, with random inputs. Finds bugs, proves nothing.
//!
//! Half of the runs choose any enabled thread at every step; the other half follow PCT, which finds bugs that need few
//! switches at the right places in long runs. The seed decides all of it, and how much is tried is counted in runs and steps,
//! not in time, so that the same task gives the same answer unless its budget ends.
//!
//! In the first runs it is counted how often loops iterate, for engines that unroll loops (`facts`).
//!
//! Each violation is replayed before it is told, and made shorter. What was not found is `UNKNOWN`: never `SAFE`.

mod iterations;

use std::sync::Arc;

use raddle_base::Exhausted;
use raddle_ir::Property;
use raddle_vm::schedule::{Pct, Random, RandomInputs, Scheduler};
use raddle_vm::{Options, Outcome as Ending, ReplayedTrace, RunResult, Unwatched, Vm, replay, run};

use crate::enumerate::{first_grounds, note_threads};
use crate::facts::Fact;
use crate::shorten::shorten;
use iterations::{Counted, Counter};

use crate::{Card, Engine, Grounds, MemoryModel, Reason, Session, Sizes, Task, Unsupported, Verdict};

/// At most so many runs, and so many steps in all of them together.
const RUNS: u64 = 10_000;
const STEPS: u64 = 50_000_000;
/// A run that is longer is given up: it may never end. The first runs are short, so that one that never ends does not keep others
/// from being tried; each time so many were made they may be twice as long.
const STEPS_PER_RUN: std::ops::RangeInclusive<u64> = 5_000..=1_000_000;
const RUNS_OF_A_LENGTH: u64 = 500;
/// Instructions for each of those steps: most are local to a thread.
const INSTRUCTIONS_PER_STEP: u64 = 200;
/// In so many runs, the first ones, iterations of loops are counted.
const COUNTED_RUNS: u64 = 64;
/// PCT looks for bugs that need up to so many ordered steps.
const DEEPEST: u64 = 5;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Sample;

impl Engine for Sample {
    fn card(&self) -> &'static Card {
        &Card {
            name: "random",
            about: "runs under random schedules: finds bugs, proves nothing",
            properties: Property::ALL,
            memory_models: MemoryModel::ALL,
            options: &[],
            rewrites_source: false,
        }
    }

    fn supports(&self, task: &Task<'_>) -> Result<(), Unsupported> {
        self.card().bounds_contexts(task)
    }

    fn answer(&self, task: &Task<'_>, session: &Session<'_>) {
        let mut sampling = Sampling::new(task, session);
        let stopped = sampling.go();
        let reason = sampling.reason(stopped);
        let unknown = |&property: &Property| (property, Verdict::Unknown(reason.clone()));
        session.answers.give_all(sampling.open.iter().map(unknown), sampling.grounds());
    }
}

/// The work under way.
struct Sampling<'t> {
    task: &'t Task<'t>,
    session: &'t Session<'t>,
    /// Checks the properties that are not decided.
    machine: Vm<'t>,
    open: Vec<Property>,
    runs: u64,
    steps: u64,
    /// The longest run so far, which PCT spreads its switches over.
    longest: u64,
    threads: usize,
    /// Runs that were given up.
    endless: u64,
    unsupported: Option<Reason>,
    counted: Counted,
}

impl<'t> Sampling<'t> {
    fn new(task: &'t Task<'t>, session: &'t Session<'t>) -> Self {
        let open = session.answers.open();
        Self {
            task,
            session,
            machine: Vm::checking(task.program, &open).with_memory_model(task.memory_model),
            open,
            runs: 0,
            steps: 0,
            longest: 1,
            threads: 1,
            endless: 0,
            unsupported: None,
            counted: Counted::new(task.program),
        }
    }

    /// Runs until all is decided or enough was tried; says why the budget ended it, if it did.
    fn go(&mut self) -> Option<Exhausted> {
        while self.runs < RUNS && self.steps < STEPS {
            self.forget_decided();
            if self.open.is_empty() {
                return None;
            }
            if let Err(why) = self.session.budget.check() {
                return Some(why);
            }
            let sizes = Sizes { executions: self.runs, ..Sizes::default() };
            self.session.report("running", format!("{} random runs", self.runs), sizes);
            if let Some(why) = self.one_run() {
                return Some(why);
            }
        }
        None
    }

    /// What is decided, here or elsewhere, is not looked for.
    fn forget_decided(&mut self) {
        let open = self.session.answers.open();
        if open.len() < self.open.len() {
            self.machine = Vm::checking(self.task.program, &open).with_memory_model(self.task.memory_model);
            self.open = open;
        }
    }

    fn grounds(&self) -> Grounds {
        let mut grounds = first_grounds(Sample.name(), self.task);
        note_threads(&mut grounds, self.threads);
        grounds.sizes.executions = self.runs;
        grounds
    }

    fn one_run(&mut self) -> Option<Exhausted> {
        let seed = self.task.seed.wrapping_add(self.runs);
        let mut random = Random::new(seed);
        let depth = usize::try_from(1 + (self.runs / 2) % DEEPEST).unwrap_or(1);
        let mut pct = Pct::new(seed, depth, usize::try_from(self.longest).unwrap_or(usize::MAX));
        let scheduler: &mut dyn Scheduler = if self.runs.is_multiple_of(2) { &mut random } else { &mut pct };
        let max_steps = longest_run(self.runs);
        let max_instructions = max_steps * INSTRUCTIONS_PER_STEP;
        let options = Options { max_steps, max_instructions, budget: Some(self.session.budget) };
        let mut result = self.counted_run(scheduler, seed, &options);
        result.trace.seed = Some(seed);
        self.runs += 1;
        self.steps += result.steps;
        self.threads = self.threads.max(result.state.threads.len());
        match &result.outcome {
            Ending::Exhausted(why) => return Some(*why),
            Ending::StepLimit => self.endless += 1,
            Ending::Unsupported { what, place } => {
                let span = place.span(self.task.program);
                self.unsupported.get_or_insert(Reason::Unsupported { what: what.clone(), span });
            }
            Ending::Violated(_) | Ending::Deadlock(_) => self.found(&result.outcome, result.trace),
            Ending::Exited(_) | Ending::Stopped | Ending::Halted => {
                self.longest = self.longest.max(result.steps);
            }
        }
        None
    }

    /// Runs the program; in the first runs others are told how often loops iterate.
    fn counted_run(&self, scheduler: &mut dyn Scheduler, seed: u64, options: &Options<'_>) -> RunResult {
        let inputs = &mut RandomInputs::new(seed);
        if self.runs >= COUNTED_RUNS {
            return run(&self.machine, scheduler, inputs, options, &mut Unwatched);
        }
        let mut counter = Counter::new(&self.counted);
        let result = run(&self.machine, scheduler, inputs, options, &mut counter);
        for (key, iterations) in counter.ended() {
            self.session.facts.publish(Fact::Left { key, iterations });
        }
        result
    }

    /// A run broke a property: it is seen again, and no longer looked for.
    fn found(&mut self, outcome: &Ending, trace: raddle_vm::Trace) {
        let Some(property) = outcome.property() else { return };
        let replayed: Result<ReplayedTrace, _> =
            replay(&self.machine, &trace, &Options::default(), &mut Unwatched);
        let verdict = match replayed {
            Ok(replayed) => {
                Verdict::Violated(Box::new(shorten(&self.machine, replayed, self.session.budget)))
            }
            Err(why) => Verdict::Unknown(Reason::Internal {
                message: format!("a run that breaks {} does not replay: {why}", property.name()),
                trace: Some(Box::new(trace)),
            }),
        };
        self.session.answers.give(property, verdict, &Arc::new(self.grounds()));
    }

    /// Why what was not found is not known.
    fn reason(&self, stopped: Option<Exhausted>) -> Reason {
        if let Some(why) = stopped {
            return Reason::Exhausted(why);
        }
        if let Some(unsupported) = &self.unsupported {
            return unsupported.clone();
        }
        let runs =
            if self.runs == 1 { "1 random run".to_owned() } else { format!("{} random runs", self.runs) };
        let endless = match self.endless {
            0 => String::new(),
            count => format!(", {count} of them given up because they were too long"),
        };
        Reason::Sampled(format!("no violation was found in {runs}{endless}"))
    }
}

/// How many steps the run of a number may make.
fn longest_run(run: u64) -> u64 {
    let doublings = u32::try_from(run / RUNS_OF_A_LENGTH).unwrap_or(u32::MAX).min(20);
    (STEPS_PER_RUN.start() << doublings).min(*STEPS_PER_RUN.end())
}
