//! Proofs without bounds, held against all who find bugs: what is broken must not be proved.
//!
//! Enumeration of a program whose loops end after a few rounds, po-bmc with few iterations, and random runs are the judges. Each shows
//! an execution, which the VM replays; that none is found proves nothing. They are asked only what the engine proves.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use raddle_base::{Budget, SplitMix, on_large_stack};
use raddle_cfront::layout::DataModel;
use raddle_engines::{Bounds, Engine, Evidence, MemoryModel, Verdict, engine};
use raddle_ir::Property;
use raddle_lower::{ArithmeticChecks, LowerOptions};

use crate::build::{Batch, Built, DATA_MODELS, build_as, model_name, preprocess};
use crate::cases::Case;
use crate::compare::{EngineAnswer, Question, ask, describe, shows};
use crate::generate::{FEW_INCLUDES, Feature, few_rounds, program};
use crate::mutate::mutant;
use crate::truth::{Enumeration, InputDomain, Truth, enumerate};

/// What generated programs are asked for.
const ASKED: [Property; 3] = [Property::Assertion, Property::LockMisuse, Property::MemorySafety];
/// So many programs are preprocessed at once.
const BATCH: usize = 20;
/// Loops of the programs that are enumerated have so many rounds at most.
const ROUNDS: usize = 2;

/// How long everybody may take for one program.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The engine.
    pub engine: Duration,
    /// Each judge.
    pub judge: Duration,
    /// Enumeration is given up beyond so many states.
    pub max_states: u64,
}

/// A program that is given to an engine.
#[derive(Clone, Debug)]
pub struct Subject {
    /// A seed, or a name and what was done to it.
    pub name: String,
    /// Behind the preprocessor.
    pub text: Vec<u8>,
    /// The same, with loops of few rounds, for enumeration; else the program itself.
    pub few: Option<Vec<u8>>,
    /// In which data model.
    pub model: DataModel,
    /// What is asked for.
    pub asked: Vec<Property>,
    /// How it is lowered.
    pub lowering: LowerOptions,
    /// For people.
    pub source: String,
}

/// A proof that is wrong, or a mistake that the engine admits.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Which program.
    pub name: String,
    /// What was proved of it.
    pub property: Property,
    /// Who breaks it; what the engine says otherwise.
    pub who: String,
    /// The program.
    pub source: String,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Programs, each data model counted apart.
    pub programs: usize,
    /// Programs that are no C.
    pub unbuilt: Vec<String>,
    /// Programs of which assertions were proved.
    pub proved: usize,
    /// Programs that have an assertion that some judge breaks, if all programs are judged.
    pub broken: usize,
    /// How often each property was proved.
    pub proofs: BTreeMap<Property, usize>,
    /// Why assertions were not proved.
    pub reasons: BTreeMap<String, usize>,
    /// How often each feature was used, and in how many of them assertions were proved.
    pub features: BTreeMap<Feature, (usize, usize)>,
    /// Time of the engine and of the judges.
    pub times: (Duration, Duration),
    /// Wrong proofs.
    pub failures: Vec<Failure>,
}

impl Summary {
    fn add(&mut self, other: Self) {
        self.programs += other.programs;
        self.unbuilt.extend(other.unbuilt);
        self.proved += other.proved;
        self.broken += other.broken;
        for (property, count) in other.proofs {
            *self.proofs.entry(property).or_default() += count;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        for (feature, (used, proved)) in other.features {
            let entry = self.features.entry(feature).or_default();
            *entry = (entry.0 + used, entry.1 + proved);
        }
        self.times = (self.times.0 + other.times.0, self.times.1 + other.times.1);
        self.failures.extend(other.failures);
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = 100 * self.proved / self.programs.max(1);
        writeln!(
            f,
            "{} programs, {} not built, assertions of {} proved ({percent} %), of {} broken",
            self.programs,
            self.unbuilt.len(),
            self.proved,
            self.broken
        )?;
        let proofs: Vec<String> =
            self.proofs.iter().map(|(property, count)| format!("{} {count}", property.name())).collect();
        writeln!(f, "proved: {}", proofs.join(", "))?;
        writeln!(
            f,
            "time: engine {:.1} s, judges {:.1} s",
            self.times.0.as_secs_f64(),
            self.times.1.as_secs_f64()
        )?;
        let mut reasons: Vec<(&String, &usize)> = self.reasons.iter().collect();
        reasons.sort_by_key(|&(reason, count)| (std::cmp::Reverse(*count), reason));
        for (reason, count) in reasons.into_iter().take(12) {
            writeln!(f, "  {count:>6} {reason}")?;
        }
        let features: Vec<String> = (self.features.iter())
            .map(|(feature, (used, proved))| format!("{feature:?} {used} ({proved})"))
            .collect();
        writeln!(f, "features (proved): {}", features.join(", "))?;
        write!(f, "wrong proofs: {}", self.failures.len())
    }
}

/// Gives a program to an engine that proves, and what it proves to the judges. With `always`, judges look at assertions in any case.
pub fn hold(subject: &Subject, prover: &dyn Engine, limits: &Limits, always: bool, summary: &mut Summary) {
    let build = |text: &[u8]| build_as("program.c", text, subject.model, subject.lowering.clone());
    let built = match build(&subject.text) {
        Ok(built) => built,
        Err(why) => {
            summary.unbuilt.push(format!("{}: {why}", subject.name));
            return;
        }
    };
    summary.programs += 1;
    let answer = ask(&question(prover, limits.engine), &built, &subject.asked, &Bounds::default());
    summary.times.0 += answer.time;
    let mut fail = |property: Property, who: String| {
        let (name, source) = (subject.name.clone(), subject.source.clone());
        summary.failures.push(Failure { name, property, who, source });
    };
    let proved = match &answer.outcome {
        Ok(outcome) => {
            for answer in &outcome.answers {
                if let Verdict::Unknown(raddle_engines::Reason::Internal { message, .. }) = &answer.verdict {
                    fail(answer.property, format!("the engine: {message}"));
                }
            }
            proved(&answer)
        }
        Err(panic) => {
            fail(Property::Assertion, format!("the engine panics: {panic}"));
            Vec::new()
        }
    };
    for &property in &proved {
        *summary.proofs.entry(property).or_default() += 1;
    }
    if proved.contains(&Property::Assertion) {
        summary.proved += 1;
    } else if let Some(why) = why_not(&answer) {
        *summary.reasons.entry(why).or_default() += 1;
    }
    let clock = Budget::unlimited();
    let mut judged = proved.clone();
    if always && !judged.contains(&Property::Assertion) {
        judged.push(Property::Assertion);
    }
    let few = subject.few.as_ref().and_then(|few| build(few).ok());
    for (property, who) in breaks(&built, few.as_ref(), &judged, limits) {
        summary.broken += usize::from(property == Property::Assertion);
        if proved.contains(&property) {
            let (name, source) = (subject.name.clone(), subject.source.clone());
            summary.failures.push(Failure { name, property, who, source });
        }
    }
    summary.times.1 += clock.elapsed();
}

fn question(engine: &dyn Engine, time: Duration) -> Question<'_> {
    Question {
        engine,
        memory_model: MemoryModel::Sc,
        time,
        unwind_max: Some(3),
        rounds: None,
        contexts: None,
        seed: 1,
    }
}

/// What an answer says holds of all executions.
fn proved(answer: &EngineAnswer) -> Vec<Property> {
    let Ok(outcome) = &answer.outcome else { return Vec::new() };
    let is_proved = |verdict: &Verdict| match verdict {
        Verdict::Safe(evidence) | Verdict::SafeUnless(evidence, _) => match evidence {
            Evidence::FullyUnrolled | Evidence::Enumerated | Evidence::Proved(_) => true,
            Evidence::Bounded(_) => false,
        },
        Verdict::Violated(_) | Verdict::Unknown(_) => false,
    };
    outcome.answers.iter().filter(|answer| is_proved(&answer.verdict)).map(|answer| answer.property).collect()
}

/// Why assertions are not proved, without what differs from program to program.
fn why_not(answer: &EngineAnswer) -> Option<String> {
    let outcome = answer.outcome.as_ref().ok()?;
    let assertion = outcome.answers.iter().find(|answer| answer.property == Property::Assertion)?;
    let Verdict::Unknown(reason) = &assertion.verdict else { return None };
    let text = describe(reason);
    Some(text.split(['`', ':']).next().unwrap_or_default().trim().to_owned())
}

/// Which properties some judge breaks, and who.
fn breaks(
    built: &Built,
    few: Option<&Built>,
    asked: &[Property],
    limits: &Limits,
) -> Vec<(Property, String)> {
    let mut found = Vec::new();
    let mut open = asked.to_vec();
    if open.is_empty() {
        return found;
    }
    let how = Enumeration {
        domain: InputDomain::Any,
        memory_model: MemoryModel::Sc,
        max_states: limits.max_states,
        rounds: None,
        contexts: None,
        budget: &Budget::unlimited().with_time(limits.judge),
    };
    let truths = enumerate(&few.unwrap_or(built).program, &open, &how);
    for property in open.clone() {
        if truths.of(property) == Truth::Violated {
            found.push((property, "enumeration".to_owned()));
        }
    }
    for name in ["po-bmc", "random"] {
        open.retain(|property| found.iter().all(|(broken, _)| broken != property));
        let Some(judge) = engine(name).filter(|_| !open.is_empty()) else { continue };
        let answer = ask(&question(judge, limits.judge), built, &open, &Bounds::default());
        let Ok(outcome) = &answer.outcome else { continue };
        for answer in &outcome.answers {
            if let Verdict::Violated(trace) = &answer.verdict
                && shows(&built.program, answer.property, trace, MemoryModel::Sc).is_ok()
            {
                found.push((answer.property, name.to_owned()));
            }
        }
    }
    found
}

/// Generated programs without bounds.
#[derive(Clone, Copy)]
pub struct Generated<'c> {
    /// How many.
    pub count: usize,
    /// The first one's seed; the others follow.
    pub seed: u64,
    /// Who proves.
    pub engine: &'c dyn Engine,
    /// How many at a time.
    pub jobs: usize,
    /// For how long at most.
    pub limits: Limits,
    /// Whether judges look at all programs: then one knows how many are broken.
    pub always: bool,
    /// Gets how many are done.
    pub progress: &'c (dyn Fn(usize) + Sync),
}

impl fmt::Debug for Generated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Generated")
            .field("count", &self.count)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

impl Generated<'_> {
    /// Runs it. The same campaign gives the same summary, up to what time limits cut off.
    pub fn run(&self) -> Result<Summary, String> {
        let batches = self.count.div_ceil(BATCH);
        let done = AtomicUsize::new(0);
        in_turn(batches, self.jobs, &|number| {
            let count = BATCH.min(self.count - number * BATCH);
            let first = self.seed.wrapping_add((number * BATCH) as u64);
            let part = self.batch(first, count);
            (self.progress)(done.fetch_add(count, Ordering::Relaxed) + count);
            part
        })
    }

    fn batch(&self, first: u64, count: usize) -> Result<Summary, String> {
        let programs: Vec<_> = (0..count as u64).map(|offset| program(first.wrapping_add(offset))).collect();
        let texts: Vec<String> = programs.iter().map(|program| program.tree.to_string()).collect();
        let few = texts.iter().map(|text| few_rounds(text, ROUNDS));
        let both: Vec<String> = texts.iter().cloned().chain(few).collect();
        // One data model for each program: they differ little, and time is better spent on other programs.
        let mut all = Summary::default();
        for model in DATA_MODELS {
            let batch = Batch::new(FEW_INCLUDES, &both, model)?;
            for (index, generated) in programs.iter().enumerate() {
                let seed = generated.seed;
                if DATA_MODELS[usize::from(seed.is_multiple_of(4))] != model {
                    continue;
                }
                let mut asked = ASKED.to_vec();
                if seed.is_multiple_of(5) {
                    asked.push(Property::Overflow);
                }
                let subject = Subject {
                    name: format!("seed {seed} ({})", model_name(model)),
                    text: batch.text(index),
                    few: Some(batch.text(count + index)),
                    model,
                    lowering: LowerOptions {
                        arithmetic: ArithmeticChecks::of(&asked),
                        ..LowerOptions::default()
                    },
                    asked,
                    source: format!("// seed {seed}, {}\n{FEW_INCLUDES}{}", model_name(model), texts[index]),
                };
                let mut one = Summary::default();
                hold(&subject, self.engine, &self.limits, self.always, &mut one);
                for &feature in &generated.features {
                    one.features.insert(feature, (one.programs, one.proved));
                }
                all.add(one);
            }
        }
        Ok(all)
    }
}

/// Mutants of programs that are right.
#[derive(Clone, Copy)]
pub struct Mutants<'c> {
    /// The programs, as they were written.
    pub sources: &'c [Source],
    /// How many mutants of each.
    pub count: usize,
    /// What they are drawn by.
    pub seed: u64,
    /// Who proves.
    pub engine: &'c dyn Engine,
    /// How many at a time.
    pub jobs: usize,
    /// For how long at most.
    pub limits: Limits,
    /// Gets how many sources are done.
    pub progress: &'c (dyn Fn(usize) + Sync),
}

impl fmt::Debug for Mutants<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mutants")
            .field("count", &self.count)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// A program that is right.
#[derive(Clone, Debug)]
pub struct Source {
    /// For people.
    pub name: String,
    /// As it was written.
    pub text: String,
    /// In which data model.
    pub model: DataModel,
    /// How it is lowered.
    pub lowering: LowerOptions,
}

impl Source {
    /// A case that is safe, as it was written.
    pub fn of_case(case: &Case) -> Result<Self, String> {
        #[expect(clippy::disallowed_methods, reason = "the cases are files")]
        let text = std::fs::read_to_string(&case.path).map_err(|error| format!("{}: {error}", case.name))?;
        let model = case.models.first().copied().unwrap_or(DataModel::Lp64);
        let arithmetic = ArithmeticChecks::of(&ASKED);
        let lowering = LowerOptions { arithmetic, ..case.lowering() };
        Ok(Self { name: case.name.clone(), text, model, lowering })
    }

    fn subject(&self, name: String, text: &str) -> Result<Subject, String> {
        let scratch = crate::build::Scratch::new()?;
        let path = scratch.write("program.c", text)?;
        Ok(Subject {
            text: preprocess(&path, self.model)?,
            few: None,
            model: self.model,
            asked: ASKED.to_vec(),
            lowering: self.lowering.clone(),
            source: format!("// {name}\n{text}"),
            name,
        })
    }
}

impl Mutants<'_> {
    /// Runs it: the summary is of mutants of those sources that are proved as they are.
    pub fn run(&self) -> Result<Summary, String> {
        let done = AtomicUsize::new(0);
        in_turn(self.sources.len(), self.jobs, &|number| {
            let part = self.of_one(&self.sources[number], number as u64);
            (self.progress)(done.fetch_add(1, Ordering::Relaxed) + 1);
            part
        })
    }

    fn of_one(&self, source: &Source, number: u64) -> Result<Summary, String> {
        let mut summary = Summary::default();
        let Ok(original) = source.subject(source.name.clone(), &source.text) else { return Ok(summary) };
        let mut first = Summary::default();
        hold(&original, self.engine, &self.limits, false, &mut first);
        if first.proved == 0 {
            summary.failures = first.failures;
            return Ok(summary);
        }
        let mut random = SplitMix::new(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..4 * self.count {
            if summary.programs >= self.count {
                break;
            }
            let Some(made) = mutant(&source.text, &mut random).filter(|made| seen.insert(made.text.clone()))
            else {
                continue;
            };
            let name = format!("{}, {}", source.name, made.what);
            // Many mutants are no C.
            if let Ok(subject) = source.subject(name, &made.text) {
                hold(&subject, self.engine, &self.limits, true, &mut summary);
            }
        }
        Ok(summary)
    }
}

/// Does pieces of work, several at a time, and adds up what they give in order.
fn in_turn(
    count: usize,
    jobs: usize,
    work: &(dyn Fn(usize) -> Result<Summary, String> + Sync),
) -> Result<Summary, String> {
    let next = AtomicUsize::new(0);
    let parts: Mutex<Vec<(usize, Summary)>> = Mutex::new(Vec::new());
    let worker = || -> Result<(), String> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok(());
            }
            let part = on_large_stack(|| work(number))?;
            parts.lock().expect("no worker panics while it holds the list").push((number, part));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|_| Err("a worker panicked".to_owned())))
    })?;
    let mut parts = parts.into_inner().expect("no worker panics while it holds the list");
    parts.sort_by_key(|(number, _)| *number);
    let mut summary = Summary::default();
    parts.into_iter().for_each(|(_, part)| summary.add(part));
    Ok(summary)
}
