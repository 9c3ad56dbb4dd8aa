//! All orders of the statements of one run, as one question: `symbolic/follow` says which executions these are.
//!
//! The program is executed symbolically along the paths of the run. What comes out is an unrolling like any other, of which the encoder
//! is asked the same questions. No bound is on what the run itself did; the few ways beside it that are followed have bounds, and
//! whether these are reached is asked too.
//!
//! # Windows
//! A long run is asked about in windows: what happened in one window of the run happens before what happened in a later one. Only
//! within a window is the order open, and the solver does all windows at once, so that what one leaves behind the next one begins with.

use std::sync::Arc;

use raddle_base::{Budget, Id as _};
use raddle_ir::{AddressReuse, Property};
use raddle_logic::solver::{Answer, Stop};
use raddle_logic::term::TermId;
use raddle_vm::{Trace, Vm};
use rustc_hash::FxHashMap;

use super::addresses::Known;
use super::counterexample::{Reader, counterexample};
use super::hypotheses;
use super::local::rule_out;
use super::symbolic::{Assumptions, Options, Report, Seen, Spins, World};
use crate::deepening::UnrollBounds;
use crate::execution_graph::encode::{Encoding, Question, Reads};
use crate::execution_graph::events::{EventKind, InstanceId, Limit, LimitKind, StepId, Unrolling};
use crate::paths::Paths;
use crate::{Effort, Reason, Sizes, Task, Verdict};

/// Iterations of loops beside the run and in API functions, and depth of recursions there, until they are enough.
const BESIDE: &[u32] = &[4, 32, 256];
/// The same where several runs are followed.
const WIDENING: u32 = 64;
/// The same for loops whose number of iterations is known.
const KNOWN_ITERATIONS: u32 = 100_000;
/// How many conflicts a question may meet while others wait.
const FIRST_CONFLICTS: u64 = 20_000;

/// What was found about a property.
#[derive(Clone, Debug)]
pub(crate) enum InOtherOrders {
    /// An order breaks it, or may: that is for the verdict to say.
    Asked(Verdict),
    /// No order breaks it.
    Holds,
}

/// Asks whether an order of the statements of a run breaks the properties of a task, and tells each answer as soon as it is known.
pub(crate) fn ask(
    task: &Task<'_>,
    paths: &Arc<Paths>,
    window: Option<u64>,
    budget: &Budget,
    mut tell: impl FnMut(Property, InOtherOrders),
) -> Sizes {
    let mut open = task.properties.clone();
    let mut why = None;
    let mut sizes = Sizes::default();
    for &beside in BESIDE {
        let asked = Task { properties: open.clone(), ..task.clone() };
        let mut answer = |property: Property, found: InOtherOrders| {
            open.retain(|&other| other != property);
            tell(property, found);
        };
        let options = Options { paths: Some(Arc::clone(paths)), ..options(task, beside) };
        let mut asking = Asking {
            task: &asked,
            world: &mut World::new(task.program, Spins::default()),
            assumptions: &mut Assumptions::default(),
            options: &options,
            windows: window.map(|size| paths.windows(size)),
            budget,
        };
        match asking.ask(false, &mut sizes, &mut answer) {
            Ok(Asked { cut: None, .. }) => break,
            Ok(Asked { cut: Some(reason), .. }) => why = Some(reason),
            Err(reason) => {
                why = Some(reason);
                break;
            }
        }
    }
    for property in open {
        let why = why.clone().expect("what is open has a reason");
        tell(property, InOtherOrders::Asked(Verdict::Unknown(why)));
    }
    sizes
}

/// All orders of all that several runs did: each thread goes ways that were seen, whichever run it was. What is left is asked for too:
/// an execution that goes a way which was not seen (ψ of Yang and Sakallah). Where there is none, every execution was asked about.
pub(crate) struct Widening<'t> {
    task: &'t Task<'t>,
    world: World<'t>,
    assumptions: Assumptions,
    seen: Arc<Seen>,
}

/// What came of asking about all that was seen.
pub(crate) enum Beyond {
    /// This execution goes a way that was not seen.
    New(Box<Trace>),
    /// None does.
    Nothing,
    /// Not known.
    Unknown(Reason),
}

impl<'t> Widening<'t> {
    pub(crate) fn new(task: &'t Task<'t>) -> Self {
        let world = World::new(task.program, Spins::default());
        Self { task, world, assumptions: Assumptions::default(), seen: Arc::default() }
    }

    /// Takes notice of a run. Says whether it went ways that were not seen before.
    pub(crate) fn learn(&mut self, paths: &Arc<Paths>, budget: &Budget) -> Result<bool, Reason> {
        let options = Options { paths: Some(Arc::clone(paths)), ..options(self.task, WIDENING) };
        let mut assumptions = Assumptions::default();
        let (_, report) = hypotheses::unroll(&mut self.world, &options, &mut assumptions, budget)
            .map_err(Reason::Exhausted)?
            .expect("there is no limit on sizes");
        Ok(Arc::make_mut(&mut self.seen).learn(&report))
    }

    /// Asks about these properties, and for a way that was not seen.
    pub(crate) fn ask(
        &mut self,
        open: &[Property],
        budget: &Budget,
        mut tell: impl FnMut(Property, InOtherOrders),
    ) -> Beyond {
        let asked = Task { properties: open.to_vec(), ..self.task.clone() };
        let options = Options { seen: Some(Arc::clone(&self.seen)), ..options(&asked, WIDENING) };
        let mut asking = Asking {
            task: &asked,
            world: &mut self.world,
            assumptions: &mut self.assumptions,
            options: &options,
            windows: None,
            budget,
        };
        match asking.ask(true, &mut Sizes::default(), &mut tell) {
            Ok(Asked { beyond: Some(trace), .. }) => Beyond::New(trace),
            Err(reason) | Ok(Asked { cut: Some(reason), .. }) => Beyond::Unknown(reason),
            Ok(Asked { beyond: None, cut: None }) => Beyond::Nothing,
        }
    }
}

/// Options without anything to follow yet.
fn options(task: &Task<'_>, beside: u32) -> Options {
    Options {
        bounds: UnrollBounds {
            unwind: beside,
            loops: FxHashMap::default(),
            recursions: FxHashMap::default(),
            constant_iterations: KNOWN_ITERATIONS,
            max_threads: u32::MAX,
            event_cap: usize::MAX,
            visit_cap: usize::MAX,
            thread_cap: usize::MAX,
        },
        races: task.properties.contains(&Property::DataRace),
        // No iteration is dropped.
        co_enabled: false,
        memory_model: task.memory_model,
        address_reuse: task.program.address_reuse == AddressReuse::Possible,
        ends_at_overflow: true,
        paths: None,
        seen: None,
        follows_looks: true,
    }
}

/// A question about all that is followed.
struct Asking<'a, 't> {
    task: &'a Task<'a>,
    world: &'a mut World<'t>,
    assumptions: &'a mut Assumptions,
    options: &'a Options,
    /// See [`Paths::windows`].
    windows: Option<Vec<Vec<u64>>>,
    budget: &'a Budget,
}

/// What else came of it.
#[derive(Default)]
struct Asked {
    /// What has no answer has this reason: a loop would have to be followed further.
    cut: Option<Reason>,
    /// An execution that goes a way which is not followed.
    beyond: Option<Box<Trace>>,
}

impl Asking<'_, '_> {
    /// Asks about all properties, and perhaps for a way that is not followed.
    fn ask(
        &mut self,
        looks_beyond: bool,
        sizes: &mut Sizes,
        tell: &mut dyn FnMut(Property, InOtherOrders),
    ) -> Result<Asked, Reason> {
        let (task, budget) = (self.task, self.budget);
        // In windows the steps of the run are known by how many operations came before.
        let options = Options {
            follows_looks: self.options.follows_looks && self.windows.is_none(),
            ..self.options.clone()
        };
        let (mut unrolling, report) = hypotheses::unroll(self.world, &options, self.assumptions, budget)
            .map_err(Reason::Exhausted)?
            .expect("there is no limit on sizes");
        if let Some(windows) = &self.windows {
            keep_windows_apart(&mut unrolling, &report, windows);
        }
        rule_out(&mut unrolling, &task.properties, budget).map_err(Reason::Exhausted)?;
        let addresses = Known::new(&mut unrolling, self.world);
        let checks = unrolling.checks.iter().filter(|check| task.properties.contains(&check.property));
        let asked = checks.flat_map(|check| [check.reached, check.violated, check.operations]);
        let limits = unrolling.limits.iter().map(|limit| limit.reached);
        let left = report.left.iter().map(|&(left, _)| left);
        let looked_at: Vec<TermId> =
            report.looked_at().into_iter().chain(asked).chain(limits).chain(left).collect();
        let (solver, reads) = (task.solving.solver(), Reads::ThatMatter(&looked_at));
        let mut encoding =
            Encoding::new(solver, &mut unrolling, task.memory_model, &addresses, reads, budget)
                .map_err(Reason::Exhausted)?;
        let mut result = Asked::default();
        let mut open = task.properties.clone();
        // One hard question must not hide the others.
        for conflicts in [Some(FIRST_CONFLICTS), None] {
            encoding.limit_conflicts(conflicts);
            for property in std::mem::take(&mut open) {
                let parts = (&mut unrolling, &mut encoding, &report);
                match ask_one(task, property, parts, budget) {
                    Err(Reason::Effort(_)) if conflicts.is_some() => open.push(property),
                    Err(reason) => return Err(reason),
                    Ok(Said::Found(found)) => tell(property, found),
                    Ok(Said::Cut(reason)) => result.cut = Some(reason),
                }
                *sizes = encoding.sizes();
            }
        }
        if looks_beyond {
            result.beyond = look_beyond(task, (&mut unrolling, &mut encoding, &report), budget)?;
        }
        Ok(result)
    }
}

/// Looks for an execution that goes a way which is not followed, and gives it up to there.
fn look_beyond(
    task: &Task<'_>,
    (unrolling, encoding, report): (&mut Unrolling, &mut Encoding<'_>, &Report),
    budget: &Budget,
) -> Result<Option<Box<Trace>>, Reason> {
    let any = unrolling.terms.or_all(report.left.iter().map(|&(left, _)| left));
    if unrolling.terms.as_bool(any) == Some(false)
        || !finds(unrolling, encoding, Question::Holds(any), budget)?
    {
        return Ok(None);
    }
    let vm = Vm::checking(task.program, &[]).with_memory_model(task.memory_model);
    let reader = Reader::new(unrolling, encoding, report, task.memory_model)
        .expect("there is a model")
        .with_layout(&vm);
    let left = report.left.iter().find(|&&(left, _)| reader.holds(left));
    Ok(left.map(|&(_, step)| {
        let trace = reader.trace_to(step);
        Box::new(Trace { memory_model: task.memory_model, ..trace })
    }))
}

/// What became of a question.
enum Said {
    /// It was answered.
    Found(InOtherOrders),
    /// A loop would have to be followed further.
    Cut(Reason),
}

/// Asks about one property.
fn ask_one(
    task: &Task<'_>,
    property: Property,
    (unrolling, encoding, report): (&mut Unrolling, &mut Encoding<'_>, &Report),
    budget: &Budget,
) -> Result<Said, Reason> {
    if let Some(verdict) = look_for(task, property, (unrolling, encoding, report), budget)? {
        return Ok(Said::Found(InOtherOrders::Asked(verdict)));
    }
    Ok(match reached_limit(unrolling, encoding, budget)? {
        None => Said::Found(InOtherOrders::Holds),
        Some((LimitKind::Unsupported(_), why)) => Said::Found(InOtherOrders::Asked(Verdict::Unknown(why))),
        Some((LimitKind::Loop(..) | LimitKind::Recursion(_) | LimitKind::Threads, why)) => Said::Cut(why),
    })
}

/// Looks for an order that breaks a property.
fn look_for(
    task: &Task<'_>,
    property: Property,
    (unrolling, encoding, report): (&mut Unrolling, &mut Encoding<'_>, &Report),
    budget: &Budget,
) -> Result<Option<Verdict>, Reason> {
    let question = match property {
        Property::DataRace => Question::Race,
        Property::Deadlock => Question::Deadlock,
        Property::Assertion
        | Property::LockMisuse
        | Property::MemorySafety
        | Property::Overflow
        | Property::Arithmetic => {
            let checks = unrolling.checks.iter().filter(|check| check.property == property);
            let violated: Vec<TermId> = checks.map(|check| check.violated).collect();
            let any = unrolling.terms.or_all(violated);
            if unrolling.terms.as_bool(any) == Some(false) {
                return Ok(None);
            }
            Question::Holds(any)
        }
        Property::Leak | Property::Cleanup | Property::Uninitialised => {
            let what = format!("{} is not predicted; `raddle check` looks for it", property.name());
            return Ok(Some(Verdict::Unknown(Reason::Other(what))));
        }
    };
    let found = finds(unrolling, encoding, question, budget)?;
    Ok(found.then(|| counterexample(task, property, (unrolling, encoding, report), budget)))
}

/// What could not be followed, if an execution comes there.
fn reached_limit(
    unrolling: &mut Unrolling,
    encoding: &mut Encoding<'_>,
    budget: &Budget,
) -> Result<Option<(LimitKind, Reason)>, Reason> {
    let reached: Vec<TermId> = unrolling.limits.iter().map(|limit| limit.reached).collect();
    let any = unrolling.terms.or_all(reached);
    if unrolling.terms.as_bool(any) == Some(false)
        || !finds(unrolling, encoding, Question::Holds(any), budget)?
    {
        return Ok(None);
    }
    let mut found = encoding.found().expect("there is a model");
    let limit = unrolling.limits.iter().find(|limit| found.holds(unrolling, limit.reached));
    Ok(limit.map(|Limit { kind, span, .. }| {
        let what = match kind {
            LimitKind::Unsupported(what) => what.clone(),
            LimitKind::Loop(..) | LimitKind::Recursion(_) | LimitKind::Threads => {
                "so many iterations in a function of an API, or before a check fails that did not fail in the run"
                    .to_owned()
            }
        };
        (kind.clone(), Reason::Unsupported { what, span: *span })
    }))
}

fn finds(
    unrolling: &mut Unrolling,
    encoding: &mut Encoding<'_>,
    question: Question,
    budget: &Budget,
) -> Result<bool, Reason> {
    match encoding.ask(unrolling, question, budget) {
        Ok(Answer::Sat) => Ok(true),
        Ok(Answer::Unsat) => Ok(false),
        Ok(Answer::Unknown(Stop::Budget(why))) => Err(Reason::Exhausted(why)),
        Ok(Answer::Unknown(Stop::Conflicts)) => Err(Reason::Effort(Effort::Conflicts)),
        Err(error) => Err(Reason::Other(error.to_string())),
    }
}

/// Says that whatever happened in one window of the run happens before all that happened in later ones.
fn keep_windows_apart(unrolling: &mut Unrolling, report: &Report, windows: &[Vec<u64>]) {
    let threads: Vec<(InstanceId, Vec<(StepId, u64)>)> = unrolling
        .threads
        .iter()
        .map(|(thread, instance)| {
            let counted = instance.steps.iter().filter_map(|&step| {
                let operations = unrolling.terms.as_bits(unrolling.steps[step].operations)?;
                let events = &unrolling.steps[step].events;
                let is_mark =
                    events.iter().all(|&event| matches!(unrolling.events[event].kind, EventKind::Mark));
                (!is_mark).then(|| (step, u64::try_from(operations).unwrap_or(u64::MAX)))
            });
            (thread, counted.collect())
        })
        .collect();
    let mut ordered = Vec::new();
    for made in windows {
        let ends = |(thread, steps): &(InstanceId, Vec<(StepId, u64)>)| {
            let followed = report.followed[thread.index()];
            let made = followed.and_then(|followed| made.get(followed as usize)).copied().unwrap_or(0);
            let split = steps.partition_point(|&(_, operations)| operations <= made);
            let before = split.checked_sub(1).map(|last| steps[last].0);
            (*thread, before, steps.get(split).map(|&(step, _)| step))
        };
        let ends: Vec<_> = threads.iter().map(ends).collect();
        for &(a, before, _) in &ends {
            for &(b, _, after) in &ends {
                if let (Some(before), Some(after)) = (before.filter(|_| a != b), after) {
                    ordered.push((before, after));
                }
            }
        }
    }
    unrolling.ordered.extend(ordered);
}
