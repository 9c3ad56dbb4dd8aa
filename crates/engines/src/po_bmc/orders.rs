//! All orders of the statements of one run, as one question: see [`follow`](super::symbolic::Course).
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
use rustc_hash::FxHashMap;

use super::addresses::Known;
use super::counterexample::counterexample;
use super::hypotheses;
use super::local::rule_out;
use super::symbolic::{Assumptions, Options, Report, Spins, World};
use crate::deepening::UnrollBounds;
use crate::execution_graph::encode::{Encoding, Question, Reads};
use crate::execution_graph::events::{EventKind, InstanceId, Limit, LimitKind, StepId, Unrolling};
use crate::paths::Paths;
use crate::{Effort, Reason, Sizes, Task, Verdict};

/// Iterations of loops beside the run and in API functions, and depth of recursions there, until they are enough.
const BESIDE: &[u32] = &[4, 32, 256];
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
    let mut sizes = Sizes::default();
    let mut why = None;
    for &beside in BESIDE {
        let asked = Task { properties: std::mem::take(&mut open), ..task.clone() };
        open.clone_from(&asked.properties);
        let mut answer = |property: Property, found: InOtherOrders| {
            open.retain(|&other| other != property);
            tell(property, found);
        };
        match ask_all(&asked, &options(task, paths, window, beside), window, budget, &mut sizes, &mut answer)
        {
            Ok(None) => break,
            Ok(Some(reason)) => why = Some(reason),
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

fn options(task: &Task<'_>, paths: &Arc<Paths>, window: Option<u64>, beside: u32) -> Options {
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
        paths: Some(Arc::clone(paths)),
        // In windows the steps of the run are known by how many operations came before.
        follows_looks: window.is_none(),
    }
}

/// Asks with these options. What has no answer then has this reason: a loop would have to be followed further.
fn ask_all(
    task: &Task<'_>,
    options: &Options,
    window: Option<u64>,
    budget: &Budget,
    sizes: &mut Sizes,
    tell: &mut dyn FnMut(Property, InOtherOrders),
) -> Result<Option<Reason>, Reason> {
    let paths = options.paths.as_deref().expect("a run is followed");
    let mut world = World::new(task.program, Spins::default());
    let mut assumptions = Assumptions::default();
    let (mut unrolling, report) = hypotheses::unroll(&mut world, options, &mut assumptions, budget)
        .map_err(Reason::Exhausted)?
        .expect("there is no limit on sizes");
    if let Some(size) = window {
        keep_windows_apart(&mut unrolling, &report, &paths.windows(size));
    }
    rule_out(&mut unrolling, &task.properties, budget).map_err(Reason::Exhausted)?;
    let addresses = Known::new(&mut unrolling, &world);
    let checks = unrolling.checks.iter().filter(|check| task.properties.contains(&check.property));
    let asked = checks.flat_map(|check| [check.reached, check.violated, check.operations]);
    let limits = unrolling.limits.iter().map(|limit| limit.reached);
    let looked_at: Vec<TermId> = report.looked_at().into_iter().chain(asked).chain(limits).collect();
    let (solver, reads) = (task.solving.solver(), Reads::ThatMatter(&looked_at));
    let mut encoding = Encoding::new(solver, &mut unrolling, task.memory_model, &addresses, reads, budget)
        .map_err(Reason::Exhausted)?;
    *sizes = encoding.sizes();
    let mut cut = None;
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
                Ok(Said::Cut(reason)) => cut = Some(reason),
            }
            *sizes = encoding.sizes();
        }
    }
    Ok(cut)
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
