//! `raddle run`: execute a program under a chosen schedule.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, Write as _};

use raddle_ir::Property;
use raddle_lower::LowerOptions;
use raddle_vm::schedule::{Interactive, Pct, Random, RandomInputs, RoundRobin, Scheduler};
use raddle_vm::{
    Event, InputReason, InputRequest, Inputs, Move, Observer, Options, Outcome, RunResult, State, Stream,
    Unwatched, Vm, describe, leak, replay, run as run_once,
};

use crate::arguments::{MessageArguments, RunArguments, SchedulerName};
use crate::output::{self, Exit};
use crate::task::{self, Task};

/// Runs that look for rare bugs are guessed to be about this long, and the bugs to need so many ordered steps.
const PCT_LENGTH: usize = 1_000;
const PCT_DEPTH: usize = 3;
/// A turn of a thread under round-robin.
const QUANTUM: u64 = 5;

/// Runs the command.
pub(crate) fn run(arguments: &RunArguments, messages: &MessageArguments) -> Exit {
    let properties = task::properties(&arguments.properties.properties);
    let options = &arguments.preprocessor.options;
    let lowering = LowerOptions {
        arguments: arguments.arguments.clone(),
        environment: arguments.environment.environment(),
        ..arguments.properties.lowering()
    };
    let task = match task::build(&arguments.files, options, lowering, messages) {
        Ok(task) => task,
        Err(exit) => return exit,
    };
    let vm =
        Vm::checking(&task.runnable.program, &properties).with_memory_model(arguments.memory_model.model());
    let mut last = None;
    for number in 0..arguments.runs.max(1) {
        let seed = arguments.seed.wrapping_add(number);
        let mut result = one_run(arguments, &vm, seed);
        result.trace.seed = Some(seed);
        let stop = result.outcome.property().is_some()
            || matches!(result.outcome, Outcome::Unsupported { .. } | Outcome::Halted);
        last = Some(result);
        if stop {
            break;
        }
    }
    last.map_or(Exit::Success, |result| finish(arguments, &task, &vm, &result))
}

fn one_run(arguments: &RunArguments, vm: &Vm<'_>, seed: u64) -> RunResult {
    let mut scheduler: Box<dyn Scheduler> = match arguments.scheduler {
        SchedulerName::Random => Box::new(Random::new(seed)),
        SchedulerName::RoundRobin => Box::new(RoundRobin::new(QUANTUM)),
        SchedulerName::Pct => Box::new(Pct::new(seed, PCT_DEPTH, PCT_LENGTH)),
        SchedulerName::Interactive => Box::new(Interactive::new(ask)),
    };
    let mut inputs = GivenInputs::new(&arguments.inputs, seed);
    let options = Options { max_steps: arguments.max_steps, ..Options::default() };
    run_once(vm, scheduler.as_mut(), &mut inputs, &options, &mut Terminal)
}

/// Asks on the terminal which thread goes next, or which delayed store becomes visible.
fn ask(vm: &Vm<'_>, state: &State, enabled: &[Move]) -> Option<Move> {
    let program = vm.program();
    let choice = |next: Move| match next {
        Move::Step(thread) => (thread.to_string(), describe::thread(program, state, thread)),
        Move::Flush { thread, store } => {
            let delayed = &state.threads[thread as usize].buffer.stores()[store as usize];
            let name = describe::thread(program, state, thread);
            let what = describe::store(program, &state.memory, delayed);
            (format!("{thread}.{store}"), format!("store of {what} by {name} becomes visible"))
        }
    };
    let choices: Vec<(String, String)> = enabled.iter().map(|&next| choice(next)).collect();
    let lines: String = choices.iter().map(|(word, text)| format!("\n  {word}: {text}")).collect();
    output::note(&format!("which thread runs next?{lines}"));
    loop {
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line).ok()? == 0 {
            return None;
        }
        match choices.iter().position(|(word, _)| word == line.trim()) {
            Some(chosen) => return Some(enabled[chosen]),
            None => output::note("type the number of one of them, or end the input to stop"),
        }
    }
}

/// The values that were given first, then chance.
pub(crate) struct GivenInputs {
    given: VecDeque<i128>,
    rest: RandomInputs,
}

impl GivenInputs {
    pub(crate) fn new(given: &[i128], seed: u64) -> Self {
        Self { given: given.iter().copied().collect(), rest: RandomInputs::new(seed) }
    }
}

impl Inputs for GivenInputs {
    fn input(&mut self, request: &InputRequest) -> u128 {
        if let InputReason::Address(_) = request.reason {
            return self.rest.input(request);
        }
        // A negative value stands for its bits.
        self.given.pop_front().map_or_else(|| self.rest.input(request), i128::cast_unsigned)
    }
}

/// Shows what the program prints.
pub(crate) struct Terminal;

impl Observer for Terminal {
    fn event(&mut self, _: &Event, _: &raddle_vm::memory::Memory) {}

    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        // A reader that has gone away does not stop the run.
        let _ = match stream {
            Stream::Out => io::stdout().write_all(bytes),
            Stream::Error => io::stderr().write_all(bytes),
        };
    }
}

fn finish(arguments: &RunArguments, task: &Task, vm: &Vm<'_>, result: &RunResult) -> Exit {
    let _ = io::stdout().flush();
    let saved = task.save(&result.trace, arguments.trace.as_ref());
    if saved != Exit::Success {
        return saved;
    }
    match &result.outcome {
        Outcome::Violated(_) | Outcome::Deadlock(_) => {
            // The run itself kept no events, since it could have been as long as it liked without any violation.
            let story = match replay(vm, &result.trace, &Options::default(), &mut Unwatched) {
                Ok(replayed) => task.story(&replayed),
                Err(why) => format!("the execution cannot be shown: {why}\n"),
            };
            output::write(story.as_bytes(), None);
            if let Some(seed) = result.trace.seed {
                output::note(&format!("found with seed {seed}"));
            }
            Exit::Violation
        }
        Outcome::Unsupported { what, place } => {
            let location = task.runnable.sources.locate(place.span(vm.program()).lo);
            let at =
                location.map_or_else(String::new, |at| format!("{}:{}:{}: ", at.file, at.line, at.column));
            output::note(&format!("{at}not supported: {what}"));
            Exit::Unknown
        }
        Outcome::Exited(exit) => {
            let (text, status) = match exit {
                raddle_vm::Exit::Status(status) => {
                    (format!("the program ended with status {status}"), *status)
                }
                raddle_vm::Exit::Abort => ("the program aborted".to_owned(), 134),
            };
            output::note(&format!("{text}; no violation in {}", runs(arguments.runs)));
            if vm.checks(Property::MemorySafety) {
                for leak in leak::find(vm.program(), &result.state) {
                    output::note(&format!("not freed: {}", task.leak(&leak)));
                }
            }
            let code = u8::try_from(status & 0xff).unwrap_or(1);
            if arguments.exit_status { Exit::Status(code) } else { Exit::Success }
        }
        Outcome::Stopped => {
            output::note(&format!("an assumption ended the run; no violation in {}", runs(arguments.runs)));
            Exit::Success
        }
        Outcome::StepLimit => {
            output::note(&format!("stopped after {} steps; `--max-steps` allows more", result.steps));
            Exit::Unknown
        }
        Outcome::Halted => {
            output::note("stopped");
            Exit::Unknown
        }
        Outcome::Exhausted(why) => {
            output::note(&format!("stopped: {why}"));
            Exit::Unknown
        }
    }
}

fn runs(count: u64) -> String {
    if count <= 1 { "this run".to_owned() } else { format!("{count} runs") }
}
