//! Whether what a run foretells is all that its statements can do: judged by going through executions one by one.
//!
//! Executions belong together if each thread does the same in them, in its own order. Where one of them passes and another one breaks a
//! property, the run that passed must foretell it. So every execution is made (`Systematic`), or many random ones where there are too many, and
//! a failing one is looked for whose threads do nothing that those of the passing one do not; then the passing one is asked.

use std::time::Duration;

use raddle_base::Budget;
use raddle_cfront::layout::DataModel;
use raddle_engines::predict::{Foretold, NoRun, Run, foretell, widen};
use raddle_engines::{Bounds, MemoryModel, Solving, Task, sequential};
use raddle_ir::{InstKind, Program, Property};
use raddle_vm::code::Place;
use raddle_vm::memory::Memory;
use raddle_vm::schedule::{Random, Scheduler};
use raddle_vm::{
    Event, InputReason, InputRequest, Inputs, Move, Observer, Options, Outcome, State, Stream, ThreadId,
    Trace, Unwatched, Vm, Way, run,
};

use crate::build::{build_as, preprocess};
use crate::cases::Case;
use crate::truth::Truth;

/// How far executions are gone through.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// So many executions at most, of each property.
    pub executions: usize,
    /// So many steps of each.
    pub steps: u64,
    /// So many passing runs are asked, of each property.
    pub asked: usize,
    /// A question that takes longer is not answered.
    pub time: Duration,
    /// From one run on, so many are made to see all there is.
    pub runs: usize,
}

/// What a run that passed was asked, and what it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The case, and the property.
    pub about: String,
    /// Whether an execution of the same statements is known to break it.
    pub expected: bool,
    /// What the run foretells.
    pub said: Said,
}

/// What a run foretells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A violation, which was replayed.
    Broken,
    /// None.
    Holds,
    /// It is not known, for this reason.
    Unknown(String),
}

impl Said {
    fn of(foretold: &Foretold) -> Self {
        match foretold {
            Foretold::InTheRun(_) | Foretold::Possible(_) => Self::Broken,
            Foretold::Holds => Self::Holds,
            Foretold::Unknown(reason) => Self::Unknown(crate::compare::describe(reason)),
        }
    }
}

impl Finding {
    /// What is wrong with it: something was missed, or our own parts contradict each other.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        match (&self.said, self.expected) {
            (Said::Holds, true) => Some(format!("{}: missed", self.about)),
            (Said::Unknown(why), _) if why.contains("internal error") => {
                Some(format!("{}: {why}", self.about))
            }
            (Said::Broken | Said::Holds | Said::Unknown(_), _) => None,
        }
    }
}

/// Asks runs of a case, for each of its properties.
pub fn judge(case: &Case, model: DataModel, limits: Limits) -> Result<Vec<Finding>, String> {
    let text = preprocess(&case.path, model)?;
    let built = build_as(&case.name, text, model, case.lowering())?;
    let mut findings = Vec::new();
    for &property in &case.properties {
        if matches!(property, Property::Leak | Property::Cleanup | Property::Uninitialised) {
            continue;
        }
        findings.extend(judge_property(&built.program, &case.name, property, limits));
    }
    if !takes_inputs(&built.program) {
        findings.extend(judge_all(&built.program, case, limits));
    }
    Ok(findings)
}

/// Asks about all executions, from one run on: what some execution breaks must not be said to hold.
fn judge_all(program: &Program, case: &Case, limits: Limits) -> Vec<Finding> {
    let task = task(program, case.properties.clone());
    let options = Options { max_steps: limits.steps, ..Options::default() };
    let first = run(
        &Vm::checking(program, &[]),
        &mut Random::new(1),
        &mut FixedInputs::default(),
        &options,
        &mut Unwatched,
    );
    let Ok(first) = Run::follow(&task, &first.trace) else { return Vec::new() };
    let truths = case.truths(MemoryModel::Sc);
    let mut findings = Vec::new();
    let budget = Budget::unlimited().with_time(limits.time);
    let tell = |property: Property, foretold| {
        let truth = truths.properties.iter().find(|(of, _)| *of == property);
        let expected = truth.is_some_and(|(_, truth)| *truth == Truth::Violated);
        let about = format!("{} {} in all executions", case.name, property.name());
        findings.push(Finding { about, expected, said: Said::of(&foretold) });
    };
    widen(&task, &first, limits.runs, &budget, tell, |_| {});
    findings
}

/// Whether the program itself is given something from outside.
fn takes_inputs(program: &Program) -> bool {
    let functions = program.functions.values().filter(|function| !function.model);
    let mut insts = functions.flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts);
    insts.any(|inst| matches!(inst.kind, InstKind::Havoc { .. }))
}

/// Asks runs of a program about a property.
#[must_use]
pub fn judge_property(program: &Program, name: &str, property: Property, limits: Limits) -> Vec<Finding> {
    let executions = executions(program, property, limits);
    let broken: Vec<&Execution> = executions.iter().filter(|one| one.broken.is_some()).collect();
    let mut passed: Vec<(&Execution, bool)> = executions
        .iter()
        .filter(|one| one.broken.is_none())
        .map(|one| (one, broken.iter().any(|broken| broken.does_no_more_than(one))))
        .collect();
    // Those of which something is known first.
    passed.sort_by_key(|(_, expected)| !expected);
    passed.truncate(limits.asked);
    let ask = |(one, expected): (&Execution, bool)| {
        let about = format!("{name} {}", property.name());
        let said = match foretold(program, property, &one.trace, limits.time) {
            Ok(foretold) => Said::of(&foretold),
            Err(why) => Said::Unknown(why.to_string()),
        };
        Finding { about, expected, said }
    };
    passed.into_iter().map(ask).collect()
}

/// What the run of a trace foretells about a property.
fn foretold(program: &Program, property: Property, trace: &Trace, time: Duration) -> Result<Foretold, NoRun> {
    let task = task(program, vec![property]);
    let run = Run::follow(&task, trace)?;
    let mut said = None;
    let budget = Budget::unlimited().with_time(time);
    foretell(&task, &run, None, &budget, |_, foretold| said = Some(foretold));
    Ok(said.expect("each property gets an answer"))
}

fn task(program: &Program, properties: Vec<Property>) -> Task<'_> {
    Task {
        program,
        source: None,
        outside: None,
        properties,
        excused: Vec::new(),
        bounds: Bounds::default(),
        sequential: sequential::Options::default(),
        memory_model: MemoryModel::Sc,
        solving: Solving::default(),
        seed: 0,
        jobs: 1,
    }
}

/// Something that a thread does, of which others may or may not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Operation(Place),
    Way(Way),
}

/// An execution.
#[derive(Debug)]
struct Execution {
    threads: Vec<Vec<Item>>,
    trace: Trace,
    /// Who broke the property, if somebody did; of a race or a deadlock nobody in particular.
    broken: Option<Option<ThreadId>>,
}

impl Execution {
    /// Whether each thread does the same as in another execution, as far as it comes. Who breaks the property may go another way in the
    /// end, as long as there it does nothing but break it.
    fn does_no_more_than(&self, other: &Self) -> bool {
        let nothing = Vec::new();
        self.threads.iter().enumerate().all(|(thread, own)| {
            let others = other.threads.get(thread).unwrap_or(&nothing);
            let common = own.iter().zip(others).take_while(|(a, b)| a == b).count();
            let is_breaker = self.broken == Some(u32::try_from(thread).ok());
            common == own.len() || is_breaker && own[common..].iter().all(|item| matches!(item, Item::Way(_)))
        })
    }
}

/// All executions, or many.
fn executions(program: &Program, property: Property, limits: Limits) -> Vec<Execution> {
    let vm = Vm::checking(program, &[property]);
    let options = Options { max_steps: limits.steps, max_instructions: 1_000_000, budget: None };
    let mut systematic = Systematic::default();
    let mut found = Vec::new();
    while found.len() < limits.executions {
        found.extend(execution(&vm, &mut systematic, &options));
        if !systematic.advance() {
            return found;
        }
    }
    (0..limits.executions as u64)
        .filter_map(|seed| execution(&vm, &mut Random::new(seed), &options))
        .collect()
}

fn execution(vm: &Vm<'_>, scheduler: &mut dyn Scheduler, options: &Options<'_>) -> Option<Execution> {
    let mut watcher = Watcher::default();
    let result = run(vm, scheduler, &mut FixedInputs::default(), options, &mut watcher);
    let broken = match &result.outcome {
        Outcome::Violated(violation) => Some(violation.race.is_none().then_some(violation.thread)),
        Outcome::Deadlock(_) => Some(None),
        Outcome::Exited(_) | Outcome::Stopped => None,
        Outcome::Unsupported { .. } | Outcome::StepLimit | Outcome::Halted | Outcome::Exhausted(_) => {
            return None;
        }
    };
    let mut trace = result.trace;
    trace.property = None;
    Some(Execution { threads: watcher.threads, trace, broken })
}

/// All schedules, one after the other.
#[derive(Debug, Default)]
struct Systematic {
    /// For each choice which one was made, and how many there were.
    choices: Vec<(usize, usize)>,
    next: usize,
}

impl Systematic {
    /// Goes on to the next schedule, if there is one.
    fn advance(&mut self) -> bool {
        self.choices.truncate(self.next);
        while let Some((chosen, of)) = self.choices.pop() {
            if chosen + 1 < of {
                self.choices.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

impl Scheduler for Systematic {
    fn begin(&mut self) {
        self.next = 0;
    }

    fn choose(&mut self, _: &Vm<'_>, _: &State, enabled: &[Move]) -> Option<Move> {
        if self.next == self.choices.len() {
            self.choices.push((0, enabled.len()));
        }
        let chosen = self.choices[self.next].0;
        self.next += 1;
        enabled.get(chosen).copied()
    }

    fn end(&mut self, _: Move, _: &[u64]) {}
}

/// Inputs that depend on who asks for the how-manieth time, so that they are the same in every order.
#[derive(Debug, Default)]
struct FixedInputs(Vec<u128>);

impl Inputs for FixedInputs {
    fn input(&mut self, request: &InputRequest) -> u128 {
        if let InputReason::Uninitialised(_) | InputReason::Address(_) = request.reason {
            return 0;
        }
        let thread = request.thread as usize;
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] += 1;
        (self.0[thread] * 5 + u128::from(request.thread)) % 7 % 3
    }
}

/// Takes down what each thread does.
#[derive(Debug, Default)]
struct Watcher {
    threads: Vec<Vec<Item>>,
    /// Who did something since the step began.
    news: Vec<ThreadId>,
    step: u64,
}

impl Watcher {
    fn note(&mut self, thread: ThreadId, item: Item) {
        let index = thread as usize;
        if self.threads.len() <= index {
            self.threads.resize_with(index + 1, Vec::new);
        }
        self.threads[index].push(item);
        self.news.push(thread);
    }
}

impl Observer for Watcher {
    fn event(&mut self, event: &Event, _: &Memory) {
        if event.action.is_operation() {
            self.note(event.thread, Item::Operation(event.place));
        }
    }

    fn went(&mut self, thread: ThreadId, _: Place, way: Way) {
        self.note(thread, Item::Way(way));
    }

    fn step(&mut self, _: ThreadId, number: u64) {
        if number != self.step {
            self.news.clear();
        }
        self.step = number;
    }

    fn undone(&mut self) {
        for thread in std::mem::take(&mut self.news) {
            self.threads[thread as usize].pop();
        }
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}
