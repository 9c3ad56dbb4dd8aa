//! `raddle predict`: what a run that passed says about other orders of its statements.

use std::fmt::Write as _;

use raddle_base::{Budget, Span};
use raddle_engines::predict::{
    Deed, Ended as Widened, Foretold, Reversed, Run, Step, foretell, reversed, widen,
};
use raddle_engines::{MemoryModel, Reason, Task as Question};
use raddle_ir::Property;
use raddle_lower::LowerOptions;
use raddle_report::{Replay, Subject, ViolationReport};
use raddle_vm::code::Place;
use raddle_vm::schedule::{Random, RoundRobin, Scheduler};
use raddle_vm::trace::ProgramInfo;
use raddle_vm::{Exit as Ended, Options, Outcome, ReplayedTrace, Trace, Unwatched, Vm, run as run_once};
use serde::Serialize;

use crate::arguments::{AnswerFormat, MessageArguments, PredictArguments, RunSchedulerName};
use crate::output::{self, Exit};
use crate::replay;
use crate::run::GivenInputs;
use crate::task::{self, SourceLines, Task};

/// A turn of a thread under round-robin, and where it goes on for as long as it can; a thread that spins must end its turn some time.
const QUANTUM: u64 = 5;
const LONG_TURN: u64 = 10_000;

/// Runs the command.
pub(crate) fn run(arguments: &PredictArguments, messages: &MessageArguments) -> Exit {
    match prepared(arguments, messages) {
        Ok((task, trace, properties)) => predict(arguments, &task, &trace, &properties),
        Err(exit) => exit,
    }
}

/// The program, a run of it, and what to look for.
fn prepared(
    arguments: &PredictArguments,
    messages: &MessageArguments,
) -> Result<(Task, Trace, Vec<Property>), Exit> {
    let properties = task::properties(&arguments.properties.properties);
    let is_trace = |file: &std::path::PathBuf| file.extension().is_some_and(|ending| ending == "json");
    if let [file] = arguments.files.as_slice()
        && is_trace(file)
    {
        let (task, trace) = replay::prepared(file, messages)?;
        let is_missing = |info: &ProgramInfo, property| {
            property == Property::Overflow && !info.overflow
                || property == Property::Arithmetic && !info.arithmetic
        };
        if let Some(&missing) = properties.iter().find(|&&property| is_missing(&trace.program, property)) {
            output::note(&format!(
                "{}: {name} was not checked when the trace was recorded; record it again with `--properties {name}`",
                file.display(),
                name = missing.name()
            ));
            return Err(Exit::InputError);
        }
        return Ok((task, trace, properties));
    }
    if let Some(file) = arguments.files.iter().find(|file| is_trace(file)) {
        output::note(&format!("{}: a trace names its program, so give it alone", file.display()));
        return Err(Exit::InputError);
    }
    let options = &arguments.preprocessor.options;
    let lowering = LowerOptions {
        arguments: arguments.arguments.clone(),
        environment: arguments.environment.environment(),
        ..arguments.properties.lowering()
    };
    let task = task::build(&arguments.files, options, lowering, messages)?;
    let trace = one_run(arguments, &task);
    Ok((task, trace, properties))
}

/// Makes a run. Nothing is checked: it goes on behind what it breaks itself.
fn one_run(arguments: &PredictArguments, task: &Task) -> Trace {
    let vm = Vm::checking(&task.runnable.program, &[]).with_memory_model(arguments.memory_model.model());
    let mut scheduler: Box<dyn Scheduler> = match arguments.scheduler {
        RunSchedulerName::Random => Box::new(Random::new(arguments.seed)),
        RunSchedulerName::RoundRobin => Box::new(RoundRobin::new(QUANTUM)),
        RunSchedulerName::Sequential => Box::new(RoundRobin::new(LONG_TURN)),
    };
    let mut inputs = GivenInputs::new(&arguments.inputs, arguments.seed);
    let options = Options { max_steps: arguments.max_steps, ..Options::default() };
    let mut result = run_once(&vm, scheduler.as_mut(), &mut inputs, &options, &mut Unwatched);
    if result.outcome == Outcome::StepLimit {
        output::note(&format!(
            "the run is ended after {} steps; what it would do later is not asked about (`--max-steps`)",
            result.steps
        ));
    }
    result.trace.seed = Some(arguments.seed);
    result.trace
}

/// Asks, and tells.
fn predict(arguments: &PredictArguments, task: &Task, trace: &Trace, properties: &[Property]) -> Exit {
    let mut budget = Budget::unlimited();
    if let Some(time) = arguments.timeout {
        budget = budget.with_time(time);
    }
    if let Some(bytes) = arguments.memory {
        budget = budget.with_memory(bytes);
    }
    let question = question(task, trace.memory_model, properties);
    if arguments.window.is_some() && trace.memory_model.is_weak() {
        output::note("--window: what windows mean is known under sequential consistency only");
        return Exit::InputError;
    }
    let run = match Run::follow(&question, trace) {
        Ok(run) => run,
        Err(why) => {
            output::note(&why.to_string());
            return Exit::Unknown;
        }
    };
    let mut found = Vec::new();
    let mut steps = Vec::new();
    let tell = |property, foretold| found.push((property, foretold));
    let most = if arguments.until_done { Some(u64::MAX) } else { arguments.steps };
    let how = match most {
        Some(most) => {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            let ended = widen(&question, &run, most, &budget, tell, |step| steps.push(step));
            if matches!(ended, Widened::Complete) { How::Complete } else { How::Widened }
        }
        None => {
            foretell(&question, &run, arguments.window, &budget, tell);
            How::OneRun
        }
    };
    found.sort_by_key(|(property, _)| properties.iter().position(|other| other == property));
    let told =
        Telling { task, question: &question, run: &run, window: arguments.window, how }.tell(&found, &steps);
    let text = match arguments.format {
        AnswerFormat::Text => told.text(),
        AnswerFormat::Json => told.json(),
    };
    let written = output::write(text.as_bytes(), None);
    if written != Exit::Success {
        return written;
    }
    let broken = found.iter().find_map(|(_, foretold)| violation(foretold));
    if let Some(replayed) = broken {
        let saved = task.save(replayed.trace(), arguments.trace.as_ref());
        return if saved == Exit::Success { Exit::Violation } else { saved };
    }
    let is_unknown = found.iter().any(|(_, foretold)| matches!(foretold, Foretold::Unknown(_)));
    if is_unknown { Exit::Unknown } else { Exit::Success }
}

fn violation(foretold: &Foretold) -> Option<&ReplayedTrace> {
    match foretold {
        Foretold::InTheRun(replayed) | Foretold::Possible(replayed) => Some(replayed),
        Foretold::Holds | Foretold::Unknown(_) => None,
    }
}

fn question<'t>(task: &'t Task, memory_model: MemoryModel, properties: &[Property]) -> Question<'t> {
    Question {
        program: &task.runnable.program,
        source: None,
        outside: None,
        properties: properties.to_vec(),
        excused: Vec::new(),
        bounds: raddle_engines::Bounds::default(),
        sequential: raddle_engines::sequential::Options::default(),
        memory_model,
        solving: raddle_engines::Solving::default(),
        seed: 0,
        jobs: 1,
    }
}

/// What was asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// The statements of one run.
    OneRun,
    /// Those of several runs.
    Widened,
    /// All executions.
    Complete,
}

/// What is needed to tell what was found.
struct Telling<'t> {
    task: &'t Task,
    question: &'t Question<'t>,
    run: &'t Run,
    window: Option<u64>,
    how: How,
}

/// What is told.
#[derive(Serialize)]
struct Told {
    version: u32,
    run: RunReport,
    /// Only steps of the same so many steps in a row of the run are put in another order.
    window: Option<u64>,
    /// How far it has come from the run on, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<StepReport>,
    properties: Vec<PropertyReport>,
}

/// So many runs later.
#[derive(Serialize)]
struct StepReport {
    runs: usize,
    /// How many ways from branches were gone, and how many there are.
    ways: usize,
    of: usize,
}

/// The run that was made.
#[derive(Serialize)]
struct RunReport {
    seed: Option<u64>,
    steps: u64,
    events: usize,
    threads: usize,
    /// How it ended.
    ending: String,
}

#[derive(Serialize)]
struct PropertyReport {
    property: &'static str,
    /// `in-the-run`, `foretold`, `holds` or `unknown`.
    answer: &'static str,
    /// In one line, as the text form tells it.
    line: String,
    violation: Option<ViolationReport>,
    /// What comes the other way round in the run.
    reversed: Vec<ReversedReport>,
}

#[derive(Serialize)]
struct ReversedReport {
    /// What both touch.
    name: String,
    /// What comes first now.
    first: DeedReport,
    /// What came first in the run.
    second: DeedReport,
}

#[derive(Serialize)]
struct DeedReport {
    /// None: it does not happen.
    step: Option<u64>,
    thread: u32,
    place: Option<String>,
    does: String,
}

impl Telling<'_> {
    fn tell(&self, found: &[(Property, Foretold)], steps: &[Step]) -> Told {
        let ending = match self.run.exit {
            Some(Ended::Status(status)) => format!("ended with status {status}"),
            Some(Ended::Abort) => "aborted".to_owned(),
            None => "did not end".to_owned(),
        };
        let run = RunReport {
            seed: self.run.trace.seed,
            steps: self.run.steps,
            events: self.run.events(),
            threads: self.run.threads,
            ending,
        };
        let properties = found.iter().map(|(property, foretold)| self.property(*property, foretold));
        let step = |&Step { runs, ways: (ways, of) }: &Step| StepReport { runs, ways, of };
        let steps = steps.iter().map(step).collect();
        Told { version: 1, run, window: self.window, steps, properties: properties.collect() }
    }

    fn property(&self, property: Property, foretold: &Foretold) -> PropertyReport {
        let mut report = PropertyReport {
            property: property.name(),
            answer: "unknown",
            line: String::new(),
            violation: violation(foretold).map(|replayed| self.violation(property, replayed)),
            reversed: Vec::new(),
        };
        let bug = report.violation.as_ref().map_or_else(String::new, ViolationReport::line);
        match foretold {
            Foretold::InTheRun(_) => {
                report.answer = "in-the-run";
                report.line = format!("{bug} (in this run)");
            }
            Foretold::Possible(replayed) => {
                report.answer = "foretold";
                let which =
                    if self.how == How::OneRun { "another order of this run" } else { "another execution" };
                report.line = format!("{bug} (in {which})");
                let found =
                    reversed(self.question.program, property, &self.run.recording, replayed.recording());
                report.reversed = found.into_iter().map(|found| self.reversed(found)).collect();
            }
            Foretold::Holds => {
                report.answer = "holds";
                report.line = match self.window {
                    _ if self.how == How::Complete => "holds for these inputs under all schedules".to_owned(),
                    None => "no other order of this run breaks it".to_owned(),
                    Some(size) => {
                        format!("no other order within windows of {size} steps of this run breaks it")
                    }
                };
            }
            Foretold::Unknown(reason) => report.line = format!("UNKNOWN: {}", self.reason(reason)),
        }
        report
    }

    fn reason(&self, reason: &Reason) -> String {
        match reason {
            Reason::Exhausted(why) => {
                let help = if self.window.is_none() {
                    "; `--window N` asks less"
                } else {
                    "; a smaller `--window` asks less"
                };
                format!("{why}{help}")
            }
            Reason::Effort(effort) => effort.to_string(),
            Reason::Unsupported { what, span } => format!("not supported: {what}{}", self.at(*span)),
            Reason::NotProved { why, span } => format!("{why}{}", self.at(*span)),
            Reason::Bodiless { function, .. } => format!("depends on what `{function}` does"),
            Reason::Internal { message, .. } => format!("internal error: {message}"),
            Reason::Sampled(what) | Reason::Other(what) => what.clone(),
        }
    }

    fn at(&self, span: Span) -> String {
        let at = self.task.runnable.sources.locate(span.lo);
        at.map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line))
    }

    fn violation(&self, property: Property, replayed: &ReplayedTrace) -> ViolationReport {
        let vm = Vm::new(self.question.program).with_memory_model(self.question.memory_model);
        let lines = SourceLines::default();
        let subject = Subject {
            vm: Some(&vm),
            find: &|span| self.task.runnable.sources.locate(span.lo),
            source: &|file, line| lines.get(file, line),
            program: &self.task.info,
            replay: &|_| Replay { recorded: None, commands: Vec::new() },
        };
        ViolationReport::of(property, replayed, &subject)
    }

    fn reversed(&self, Reversed { name, first, second }: Reversed) -> ReversedReport {
        ReversedReport { name, first: self.deed(first), second: self.deed(second) }
    }

    fn deed(&self, Deed { step, thread, place, does }: Deed) -> DeedReport {
        DeedReport { step, thread, place: self.place(place), does }
    }

    fn place(&self, place: Place) -> Option<String> {
        let span = place.span(self.question.program);
        self.task.runnable.sources.locate(span.lo).map(|at| format!("{}:{}", at.file, at.line))
    }
}

impl Told {
    fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("what is told is plain data");
        text.push('\n');
        text
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for property in &self.properties {
            let Some(violation) = &property.violation else { continue };
            writeln!(text, "{}\n", violation.line()).expect("writing to a string cannot fail");
            if let Some(story) = &violation.story {
                text.push_str(&story.render(output::width()));
            }
            text.push('\n');
            for reversed in &property.reversed {
                text.push_str(&reversed.text());
            }
            if !property.reversed.is_empty() {
                text.push('\n');
            }
        }
        let seed = self.run.seed.map_or_else(String::new, |seed| format!(" with seed {seed}"));
        let RunReport { steps, events, threads, ending, .. } = &self.run;
        let threads = if *threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
        writeln!(text, "The run{seed} made {steps} steps ({events} events) of {threads} and {ending}.\n")
            .expect("writing to a string cannot fail");
        for StepReport { runs, ways, of } in &self.steps {
            let runs = if *runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
            writeln!(text, "{runs}: {ways} of {of} ways from branches")
                .expect("writing to a string cannot fail");
        }
        if !self.steps.is_empty() {
            text.push('\n');
        }
        let width = self.properties.iter().map(|property| property.property.len()).max().unwrap_or(0);
        for PropertyReport { property, line, .. } in &self.properties {
            writeln!(text, "{property:width$}  {line}").expect("writing to a string cannot fail");
        }
        text
    }
}

impl ReversedReport {
    fn text(&self) -> String {
        let Self { name, first, second } = self;
        let now = format!("step {} ({})", first.step.unwrap_or(0), first.text(name));
        let then = second.text(name);
        match second.step {
            Some(step) => format!("In the run that passed, step {step} ({then}) came before {now}.\n"),
            None => format!("In the run that passed, {then} before {now}; here it does not come to that.\n"),
        }
    }
}

impl DeedReport {
    fn text(&self, name: &str) -> String {
        let Self { thread, place, does, .. } = self;
        let who = if *thread == 0 { "main".to_owned() } else { format!("T{thread}") };
        let at = place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
        format!("{who} {does} {name}{at}")
    }
}
