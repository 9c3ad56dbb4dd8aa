//! `raddle explore`: all interleavings.

use std::fmt::Write as _;
use std::time::Duration;

use raddle_base::Budget;
use raddle_ir::Property;
use raddle_lower::LowerOptions;
use raddle_vm::explore::Limit;
use raddle_vm::{Exploration, Outcome, Search, Strategy, Vm, explore};

use crate::arguments::{ExploreArguments, MessageArguments};
use crate::check::ONLY_SC;
use crate::output::{self, Exit};
use crate::task::{self, Task};

/// Runs the command.
pub(crate) fn run(arguments: &ExploreArguments, messages: &MessageArguments) -> Exit {
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
    let search = Search {
        strategy: if arguments.all_executions { Strategy::Executions } else { Strategy::States },
        // What it counts are the states and executions that there are.
        symmetry: false,
        contexts: arguments.contexts,
        max_states: arguments.max_states,
        budget: Some(&budget),
        ..Search::default()
    };
    let found = explore(&vm, &search);
    let written = output::write(report(&task, &vm, &found).as_bytes(), None);
    if written != Exit::Success {
        return written;
    }
    if let Some(first) = found.violations.first() {
        let saved = task.save(first.trace(), arguments.trace.as_ref());
        return if saved == Exit::Success { Exit::Violation } else { saved };
    }
    if found.is_complete() && !found.sampled && !found.more_switches { Exit::Success } else { Exit::Unknown }
}

fn report(task: &Task, vm: &Vm<'_>, found: &Exploration) -> String {
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "{words}").expect("writing to a string cannot fail");
    line(format!("states: {}", found.states));
    line(format!("transitions: {}", found.transitions));
    match found.executions {
        Some(count) => line(format!("executions: {count}")),
        None => line("executions: not counted (without end, or cut off)".to_owned()),
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
        let why = match limit {
            Limit::States => "too many states; `--max-states` allows more".to_owned(),
            Limit::Blocks => "too many basic blocks were executed".to_owned(),
            Limit::Depth => "an execution was too long".to_owned(),
            Limit::Enough => "enough was found".to_owned(),
            Limit::Delayed => "a thread delays too many stores".to_owned(),
            Limit::Budget(why) => why.to_string(),
        };
        line(format!("incomplete: {why}"));
    }
    if found.more_switches {
        line("bounded: some executions have more context switches".to_owned());
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
