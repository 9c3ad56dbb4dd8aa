//! `raddle explore`: all interleavings.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::Duration;

use raddle_base::Budget;
use raddle_engines::{Progress as _, Sizes, Status};
use raddle_ir::Property;
use raddle_lower::LowerOptions;
use raddle_report::{Replay, Subject, ViolationReport};
use raddle_vm::explore::{Limit, Reduction};
use raddle_vm::{Exploration, Outcome, ReplayedTrace, Search, Strategy, Vm, explore};
use serde::Serialize;

use crate::arguments::{AnswerFormat, DporAlgorithm, ExploreArguments, MessageArguments};
use crate::check::ONLY_SC;
use crate::check::progress::Line;
use crate::output::{self, Exit};
use crate::task::{self, SourceLines, Task};

/// At most so many states are kept.
const MOST_STATES: u64 = 10_000_000;
/// So deep executions go with `--dpor`, and a state is kept for each step.
const MOST_STEPS: usize = 2000;

/// Runs the command.
pub(crate) fn run(arguments: &ExploreArguments, messages: &MessageArguments) -> Exit {
    let is_reduced = arguments.dpor.is_some();
    if is_reduced && arguments.memory_model.model().is_weak() {
        output::note(
            "--dpor: what depends on what is known under sequential consistency only (`--memory-model sc`)",
        );
        return Exit::InputError;
    }
    if arguments.contexts.is_some() && arguments.memory_model.model().is_weak() {
        output::note(ONLY_SC);
        return Exit::InputError;
    }
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
    let mut budget = Budget::unlimited();
    if let Some(seconds) = arguments.timeout {
        budget = budget.with_time(Duration::from_secs(seconds));
    }
    let line = Line::new(if is_reduced { "dpor" } else { "explore" }, true);
    let follow = |found: &Exploration| {
        line.update(&status(found, budget.elapsed()));
        line.draw();
        ControlFlow::Continue(())
    };
    let search = Search {
        strategy: match (is_reduced, arguments.all_executions) {
            (true, _) => Strategy::Dpor,
            (false, true) => Strategy::Executions,
            (false, false) => Strategy::States,
        },
        commutes: !arguments.no_commute,
        reduction: arguments.dpor.map_or(Reduction::Optimal, DporAlgorithm::reduction),
        spurious_wakeups: !arguments.no_spurious_wakeups,
        preemptions: arguments.context_bound,
        jobs: arguments.jobs.unwrap_or(1),
        max_depth: arguments.max_depth.unwrap_or(if is_reduced { MOST_STEPS } else { usize::MAX }),
        // What it counts are the states and executions that there are.
        symmetry: false,
        contexts: arguments.contexts,
        max_states: arguments.max_states.unwrap_or(if is_reduced { u64::MAX } else { MOST_STATES }),
        budget: Some(&budget),
        progress: Some(&follow),
        ..Search::default()
    };
    let found = explore(&vm, &search);
    line.erase();
    let seconds = budget.elapsed().as_secs_f64();
    let text = match arguments.format {
        AnswerFormat::Text => report(&task, &vm, &found, arguments),
        AnswerFormat::Json => json(&task, &vm, &found, seconds, arguments),
    };
    let written = output::write(text.as_bytes(), None);
    if written != Exit::Success {
        return written;
    }
    if let Some(first) = found.violations.first() {
        let saved = task.save(first.trace(), arguments.trace.as_ref());
        return if saved == Exit::Success { Exit::Violation } else { saved };
    }
    let is_bounded = found.more_switches || found.more_preemptions || found.no_spurious_wakeups;
    if found.is_complete() && !found.sampled && !is_bounded { Exit::Success } else { Exit::Unknown }
}

/// How far it has come, for the line on the terminal.
fn status(found: &Exploration, elapsed: Duration) -> Status {
    let seconds = elapsed.as_secs_f64().max(0.001);
    let mut bound = String::new();
    if let Some(done) = found.done {
        let executions = found.executions.unwrap_or(0);
        let count = u32::try_from(executions).map_or(f64::INFINITY, f64::from);
        bound = format!("{executions} executions, {:.0} per second, depth {}", count / seconds, found.depth);
        if done > 0.0 {
            let left = seconds / done * (1.0 - done);
            write!(bound, ", about {:.0} % done, {left:.0} s left", done * 100.0)
                .expect("writing to a string cannot fail");
        }
    }
    let sizes = Sizes { states: found.states, ..Sizes::default() };
    Status { phase: "", bound, sizes, elapsed }
}

/// What was found, for programs.
#[derive(Serialize)]
struct Explored {
    version: u32,
    states: u64,
    transitions: u64,
    /// As far as they were counted.
    executions: Option<u128>,
    blocked: u64,
    redundant: u64,
    depth: usize,
    seconds: f64,
    /// Why not all was searched.
    incomplete: Option<String>,
    /// Whether inputs took only some of their values.
    sampled: bool,
    /// The bound on preemptions, if executions of more were cut off.
    preemptions_at_most: Option<u32>,
    /// Whether waits for condition variables were not let end without reason.
    no_spurious_wakeups: bool,
    not_supported: Vec<String>,
    violations: Vec<Broken>,
}

#[derive(Serialize)]
struct Broken {
    property: &'static str,
    violation: ViolationReport,
}

fn json(task: &Task, vm: &Vm<'_>, found: &Exploration, seconds: f64, arguments: &ExploreArguments) -> String {
    let lines = SourceLines::default();
    let find = |span: raddle_base::Span| task.runnable.sources.locate(span.lo);
    let subject = Subject {
        vm: Some(vm),
        find: &find,
        source: &|file, line| lines.get(file, line),
        program: &task.info,
        replay: &|_| Replay { recorded: None, commands: Vec::new() },
    };
    let broken = |replayed: &ReplayedTrace| {
        let property = replayed.outcome().property()?;
        let violation = ViolationReport::of(property, replayed, &subject);
        Some(Broken { property: property.name(), violation })
    };
    let explored = Explored {
        version: 1,
        states: found.states,
        transitions: found.transitions,
        executions: found.executions,
        blocked: found.blocked,
        redundant: found.redundant,
        depth: found.depth,
        seconds,
        incomplete: found.limit.map(why),
        sampled: found.sampled,
        preemptions_at_most: arguments.context_bound.filter(|_| found.more_preemptions),
        no_spurious_wakeups: found.no_spurious_wakeups,
        not_supported: found.unsupported.iter().map(|(what, _)| what.clone()).collect(),
        violations: found.violations.iter().filter_map(broken).collect(),
    };
    let mut text = serde_json::to_string_pretty(&explored).expect("what was explored is plain data");
    text.push('\n');
    text
}

/// Why not all was searched.
fn why(limit: Limit) -> String {
    match limit {
        Limit::States => "too many states or steps; `--max-states` allows more".to_owned(),
        Limit::Blocks => "too many basic blocks were executed".to_owned(),
        Limit::Depth => "an execution was too long; `--max-depth` allows more steps".to_owned(),
        Limit::Enough => "enough was found".to_owned(),
        Limit::Delayed => "a thread delays too many stores".to_owned(),
        Limit::Budget(why) => why.to_string(),
    }
}

fn report(task: &Task, vm: &Vm<'_>, found: &Exploration, arguments: &ExploreArguments) -> String {
    let is_reduced = arguments.dpor.is_some();
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "{words}").expect("writing to a string cannot fail");
    if is_reduced {
        line(format!("steps: {}", found.transitions));
    } else {
        line(format!("states: {}", found.states));
        line(format!("transitions: {}", found.transitions));
    }
    match found.executions {
        Some(count) => line(format!("executions: {count}")),
        None => line("executions: not counted (without end, or cut off)".to_owned()),
    }
    if is_reduced {
        line(format!("of these blocked: {}", found.blocked));
        line(format!("deepest: {}", found.depth));
    }
    if found.redundant > 0 {
        line(format!("begun in vain: {}", found.redundant));
    }
    line(format!("violations: {}", found.violations.len()));
    if found.hidden_races > 0 {
        line(format!("data races behind another one: {}", found.hidden_races));
    }
    for leak in &found.leaks {
        line(format!("leak: {}", task.leak(leak)));
    }
    for (what, place) in &found.unsupported {
        let at = task.runnable.sources.locate(place.span(vm.program()).lo);
        let at = at.map_or_else(String::new, |at| format!("{}:{}: ", at.file, at.line));
        line(format!("not supported: {at}{what}"));
    }
    if let Some(limit) = found.limit {
        line(format!("incomplete: {}", why(limit)));
    }
    if found.more_switches {
        line("bounded: some executions have more context switches".to_owned());
    }
    if let Some(bound) = arguments.context_bound.filter(|_| found.more_preemptions) {
        line(format!("bounded: executions of more than {bound} preemptions were not followed"));
    }
    if found.no_spurious_wakeups {
        line("bounded: waits for condition variables did not end without reason".to_owned());
    }
    if found.sampled {
        line("inputs: only some values were tried".to_owned());
    }
    for (number, violation) in found.violations.iter().enumerate() {
        let property = violation.outcome().property();
        let what = if let Outcome::Violated(violation) = violation.outcome() {
            violation.message.clone()
        } else {
            "no thread is enabled".to_owned()
        };
        line(format!("\nviolation {}: {}: {what}", number + 1, property.map_or("", Property::name)));
        line(task.story(violation));
    }
    text
}
