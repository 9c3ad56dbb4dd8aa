//! `raddle check`: from files to a verdict.
//!
//! Puts the question together, gives it to an engine within the limits, and tells the answer, as the engine gave it.

mod backend;
mod input;
pub(crate) mod progress;
mod property_file;
pub(crate) mod quantity;
mod reporter;
mod solver;
mod task_file;
mod watch;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use raddle_base::{Budget, Exhausted, on_large_stack};
use raddle_engines::sequential::outside::Checker;
use raddle_engines::{
    Answers, ArgumentBound, Bounds, Engine, EngineOption, Exchange, Grounds, Ledger, MemoryModel, Outcome,
    Reason, Session, Solving, Source, Task as Question, Verdict, engine, sequential,
};
use raddle_ir::analyses::call_graph::CallGraph;
use raddle_ir::analyses::loop_names::loop_names;
use raddle_ir::{CheckMessage, InstKind, Program, Property, UndefinedFunction};
use raddle_lower::{LowerOptions, SignedOverflow};

use crate::arguments::{BoundArguments, CheckArguments, MessageArguments, SignedOverflowName};
use crate::assumed;
use crate::load::Runnable;
use crate::output::{self, Exit};
use crate::task::{self, Task};
pub(crate) use input::program_files;
use progress::Line;
use property_file::{Asked, Rules};
use reporter::Reporter;
use watch::{Limits, Watch};

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments, messages: &MessageArguments) -> Exit {
    let limits = Limits { time: arguments.limits.timeout, memory: arguments.limits.memory };
    let mut budget = Budget::unlimited();
    if let Some(time) = limits.time {
        budget = budget.with_time(time);
    }
    if let Some(bytes) = limits.memory {
        budget = budget.with_memory(bytes);
    }
    let question = match input::question(arguments, messages) {
        Ok(question) => question,
        Err(exit) => return exit,
    };
    let Some(engine) = engine(&arguments.bounds.engine) else { return Exit::InternalError };
    let checker = match backend::checker(&arguments.bounds.backend, question.options.model, limits.memory) {
        Ok(checker) => checker,
        Err(why) => {
            output::note(&why);
            return Exit::InputError;
        }
    };
    if checker.is_some() && !engine.card().has(EngineOption::Backend) {
        output::note("--backend: only the engine `lazy` gives its programs to others");
        return Exit::InputError;
    }
    let solver = match solver::Chosen::new(&arguments.bounds, engine, checker.is_some()) {
        Ok(solver) => solver,
        Err(why) => {
            output::note(&why);
            return Exit::InputError;
        }
    };
    let model = arguments.question.memory_model.model();
    if let Err(why) = restrictions(&arguments.bounds, engine, model) {
        output::note(&why);
        return Exit::InputError;
    }
    let line = Arc::new(Line::new(engine.name(), !arguments.answer.quiet));
    let reporter = Reporter::new(arguments, &question.asked.properties);
    let under_way: Arc<Mutex<Option<UnderWay>>> = Arc::default();
    let words = (reporter.clone(), budget.clone(), Arc::clone(&under_way));
    let watch = Watch::begin(limits, &budget, Arc::clone(&line), move |why| {
        let (reporter, budget, under_way) = words;
        let known = under_way.lock().unwrap_or_else(PoisonError::into_inner).take();
        match known {
            Some(known) => on_large_stack(|| known.report(&reporter, why, budget.elapsed())).code(),
            None => reporter.report_without_engine(why, budget.elapsed()).code(),
        }
    });
    let (files, asked) = (&question.files, &question.asked);
    let signed_overflow = arguments.question.signed_overflow.map(SignedOverflowName::meaning);
    let lowering = LowerOptions {
        arguments: arguments.arguments.clone(),
        environment: arguments.environment.environment(),
        ..asked.lowering(signed_overflow)
    };
    let built = task::build(files, &question.options, lowering, messages)
        .and_then(|task| known_names(arguments, &task).map(|()| task));
    let task = match built {
        Ok(task) => task,
        Err(exit) => {
            // A preprocessor that a signal ended has not failed.
            return match watch.end() {
                Some(why) => reporter.report_without_engine(why, budget.elapsed()),
                None => exit,
            };
        }
    };
    let checker = checker.as_ref().map(|checker| checker as &dyn Checker);
    let known = UnderWay {
        answers: Arc::new(Answers::new(&asked.properties).within(argument_bound(&task.runnable))),
        task: Arc::new(task),
        asked: asked.clone(),
        memory_model: arguments.question.memory_model.model(),
    };
    *under_way.lock().unwrap_or_else(PoisonError::into_inner) = Some(known.clone());
    let facts = Exchange::default();
    let session = Session { budget: &budget, progress: &*line, answers: &known.answers, facts: &facts };
    let outcome = answer(engine, arguments, asked, (&known.task, checker, solver.solving()), &session);
    watch.end();
    known.report_outcome(&reporter, outcome, budget.elapsed())
}

/// What is known while an engine works: enough to tell it without the engine.
#[derive(Clone)]
struct UnderWay {
    task: Arc<Task>,
    answers: Arc<Answers>,
    asked: Asked,
    memory_model: MemoryModel,
}

impl UnderWay {
    /// Tells what the engine has answered so far. What is open has this reason.
    fn report(&self, reporter: &Reporter, why: Exhausted, time: Duration) -> Exit {
        let memory_model = self.memory_model.name().to_owned();
        let ledger = Ledger { memory_model, work: self.answers.work(), ..Ledger::default() };
        let answers = self.answers.finish(&Reason::Exhausted(why));
        self.report_outcome(reporter, Outcome { answers, ledger }, time)
    }

    fn report_outcome(&self, reporter: &Reporter, mut outcome: Outcome, time: Duration) -> Exit {
        let runnable = &self.task.runnable;
        outcome.ledger.notes.extend(undefined_behaviour(&self.asked, &runnable.lowering));
        outcome.ledger.assumptions = assumed::environment(runnable, self.memory_model.is_weak());
        outcome.ledger.time = time;
        reporter.report(&outcome, &self.task)
    }
}

/// Under weak memory models a store that becomes visible late would have to count as a step of somebody.
pub(crate) const ONLY_SC: &str =
    "--contexts: context switches are bounded under sequential consistency only (`--memory-model sc`)";

/// Makes sure that what restricts schedules is understood by the engine: otherwise it would be ignored.
fn restrictions(bounds: &BoundArguments, engine: &dyn Engine, model: MemoryModel) -> Result<(), String> {
    let given = [
        ("--schedule", EngineOption::Schedule, bounds.schedule.is_some()),
        ("--switches", EngineOption::Switches, bounds.switches.is_some()),
        ("--rounds", EngineOption::Rounds, bounds.rounds.is_some()),
        ("--contexts", EngineOption::Contexts, bounds.contexts.is_some()),
    ];
    let is_refused =
        |(_, option, is_given): &(_, EngineOption, bool)| *is_given && !engine.card().has(*option);
    if let Some((name, option, _)) = given.into_iter().find(is_refused) {
        let names: Vec<String> = option.engines().map(|other| format!("`{}`", other.name())).collect();
        let who = match names.as_slice() {
            [only] => format!("only the engine {only} has that"),
            [first @ .., last] => format!("only the engines {} and {last} have that", first.join(", ")),
            [] => "no engine has that".to_owned(),
        };
        return Err(format!("{name}: {who}, not `{}`", engine.name()));
    }
    if bounds.contexts.is_some() && model.is_weak() {
        return Err(ONLY_SC.to_owned());
    }
    let says_rounds = bounds.rounds.is_some() || bounds.schedule.is_some();
    if bounds.switches.is_some() && !(bounds.unwind.is_some() && says_rounds) {
        return Err("--switches: labels change with the bounds, so say them: `--unwind`, and `--rounds` or `--schedule`"
            .to_owned());
    }
    Ok(())
}

/// The bounds of the command line.
fn bounds(given: &BoundArguments) -> Bounds {
    Bounds {
        unwind: given.unwind,
        unwind_set: given.unwindset.iter().cloned().collect(),
        unwind_max: given.unwind_max,
        max_threads: given.max_threads,
        contexts: given.contexts,
    }
}

/// What the command line says to engines that go through schedules in rounds.
fn round_robin(given: &BoundArguments) -> sequential::Options {
    sequential::Options {
        rounds: given.rounds,
        schedule: given.schedule.clone(),
        switches: given.switches.clone(),
    }
}

/// Asks the engine.
fn answer(
    engine: &dyn Engine,
    arguments: &CheckArguments,
    asked: &Asked,
    (task, outside, solving): (&Task, Option<&dyn Checker>, Solving<'_>),
    session: &Session<'_>,
) -> Outcome {
    let question = Question {
        program: &task.runnable.program,
        source: Some(Source {
            sources: &task.runnable.sources,
            ast: &task.runnable.ast,
            lowering: &task.runnable.lowering,
        }),
        outside,
        properties: asked.properties.clone(),
        excused: asked.excused(),
        bounds: bounds(&arguments.bounds),
        sequential: round_robin(&arguments.bounds),
        memory_model: arguments.question.memory_model.model(),
        solving,
        seed: arguments.bounds.seed,
        jobs: arguments.limits.jobs.unwrap_or_else(cores),
    };
    match engine.supports(&question) {
        Ok(()) => engine.check_for(&question, session),
        Err(why) => {
            let reason = Reason::Other(format!("the engine {} cannot answer this: {}", engine.name(), why.0));
            let unknown = |&property: &Property| (property, Verdict::Unknown(reason.clone()));
            let memory_model = question.memory_model.name().to_owned();
            let ledger = Ledger { memory_model, ..Ledger::default() };
            let grounds = Grounds { engine: engine.name(), ..Grounds::default() };
            Outcome::new(asked.properties.iter().map(unknown).collect(), grounds, ledger)
        }
    }
}

/// As many as the VM can run at the same time.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// What is assumed about behaviour that the standard leaves undefined, a sentence each.
fn undefined_behaviour(asked: &Asked, lowering: &LowerOptions) -> Vec<String> {
    let mut notes = Vec::new();
    if lowering.signed_overflow == SignedOverflow::Wraps {
        notes.push("signed overflow wraps around".to_owned());
    }
    if asked.rules == Rules::SvComp {
        if !asked.properties.contains(&Property::MemorySafety) {
            notes.push(
                "memory safety is not checked; a thread that makes an invalid access is assumed to stop there".to_owned(),
            );
        }
        notes.push(
            "undefined behaviour that is not asked for is not checked; a thread that reaches it is assumed to stop there"
                .to_owned(),
        );
    }
    notes
}

/// What free arguments put on every proof about a program.
fn argument_bound(runnable: &Runnable) -> Option<ArgumentBound> {
    let bound = runnable.lowering.environment.bound(&runnable.ast);
    bound.map(|(count, length)| ArgumentBound { count, length })
}

/// Makes sure that the loops and labels on the command line exist: a bound for nothing would be silently no bound.
fn known_names(arguments: &CheckArguments, task: &Task) -> Result<(), Exit> {
    let program = &task.runnable.program;
    for label in &arguments.question.error_label {
        let is_it = |kind: &InstKind| matches!(kind, InstKind::Check { message: CheckMessage::ForbidsLabel(found), .. } if **found == **label);
        let blocks = program.functions.values().flat_map(|function| function.blocks.values());
        if !blocks.flat_map(|block| &block.insts).any(|inst| is_it(&inst.kind)) {
            output::note(&format!("the program has no label `{label}`"));
            return Err(Exit::InputError);
        }
    }
    for name in &task.runnable.lowering.environment.pure {
        let is_it = |undefined: &UndefinedFunction| program.functions[undefined.id].name == *name;
        if !program.outside.functions.iter().any(is_it) {
            output::note(&format!("--assume-pure: the program uses no function `{name}` without a body"));
            return Err(Exit::InputError);
        }
    }
    let loops = loop_names(program);
    let recursive = recursive(program);
    for (name, _) in &arguments.bounds.unwindset {
        if loops.iter().any(|each| each.name == *name) || recursive.contains(name) {
            continue;
        }
        let own = loops.iter().filter(|each| !program.functions[each.function].model).map(|each| {
            let at = task.runnable.sources.locate(each.span.lo);
            let at = at.map_or_else(String::new, |at| format!(" ({}:{})", at.file, at.line));
            format!("`{}`{at}", each.name)
        });
        let known: Vec<String> =
            own.chain(recursive.iter().map(|name| format!("`{name}` (recursive)"))).collect();
        let help = match known.as_slice() {
            [] => "it has none".to_owned(),
            _ => format!("it has {}", known.join(", ")),
        };
        output::note(&format!("--unwindset: the program has no loop `{name}`; {help}"));
        return Err(Exit::InputError);
    }
    Ok(())
}

/// The functions of the program that call themselves, directly or through others.
fn recursive(program: &Program) -> Vec<String> {
    let calls = CallGraph::by_type(program);
    let functions = program
        .functions
        .iter()
        .filter(|(id, function)| !function.model && !function.blocks.is_empty() && calls.is_recursive(*id));
    functions.map(|(_, function)| function.name.clone()).collect()
}
