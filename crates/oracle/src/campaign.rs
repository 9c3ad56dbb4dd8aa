//! Many generated programs, one after the other: enumerated, given to an engine, compared, counted.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use raddle_base::{Budget, on_large_stack};
use raddle_cfront::layout::DataModel;
use raddle_engines::{Bounds, Engine, MemoryModel, Verdict};
use raddle_ir::{Program, Property};

use crate::build::{Batch, Built, DATA_MODELS, build, model_name};
use crate::compare::{Disagreement, EngineAnswer, Finding, Question, ask, compare, shows};
use crate::generate::{Feature, Generated, INCLUDES, Topic, program};
use crate::shrink::shrink;
use crate::tree::Tree;
use crate::truth::{Enumeration, InputDomain, Truth, Truths, enumerate};

/// So many programs are preprocessed at once.
const BATCH: usize = 40;

/// The properties that people get when they do not say.
const DEFAULT_PROPERTIES: [Property; 4] =
    [Property::Assertion, Property::Deadlock, Property::LockMisuse, Property::DataRace];

/// What to run.
#[derive(Clone)]
pub struct Campaign<'c> {
    /// How many programs.
    pub count: usize,
    /// The first one's seed; the others follow.
    pub seed: u64,
    /// Who is judged.
    pub engine: &'c dyn Engine,
    /// By whom, instead of by enumeration: what one of them shows nobody may deny. For programs whose inputs are too many to
    /// enumerate.
    pub against: &'c [&'c dyn Engine],
    /// Under which memory model.
    pub memory_model: MemoryModel,
    /// How many at a time.
    pub jobs: usize,
    /// Programs with more states are left out.
    pub max_states: u64,
    /// How long the engine may take for one program.
    pub time: Duration,
    /// How far it deepens by itself: the loops of generated programs are short, except those without end.
    pub unwind_max: Option<u32>,
    /// Only these bounds, for engine and enumeration alike, if the engine goes through schedules in rounds.
    pub within: Option<Within>,
    /// Only executions of few context switches: of none to so many, one program after the other.
    pub contexts: Option<u32>,
    /// How many programs with a disagreement are made smaller; the others stay as they are.
    pub shrinks: usize,
    /// Gets how many programs are done.
    pub progress: &'c (dyn Fn(usize) + Sync),
    /// Gets every disagreement as soon as it is found.
    pub found: &'c (dyn Fn(&Failure) + Sync),
}

/// Bounds of an engine that goes through schedules in rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within {
    /// How many rounds.
    pub rounds: u32,
    /// How far loops and recursions are followed; where that cuts one, only what the engine finds is compared.
    pub unwind: u32,
}

impl fmt::Debug for Campaign<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Campaign")
            .field("count", &self.count)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// A program on which engine and enumeration cannot both be right.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The program's seed.
    pub seed: u64,
    /// In which data model.
    pub model: DataModel,
    /// What was asked for.
    pub asked: Vec<Property>,
    /// Which property.
    pub property: Property,
    /// Why not.
    pub what: Disagreement,
    /// The program, made smaller if that was wanted.
    pub text: String,
}

/// So many of the slowest programs are reported.
const SLOWEST: usize = 10;

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct CampaignSummary {
    /// Programs, each data model counted apart.
    pub programs: usize,
    /// Programs that cannot be built, which is a mistake of the generator.
    pub unbuilt: Vec<String>,
    /// Programs with too many states.
    pub too_large: usize,
    /// States that were enumerated.
    pub states: u64,
    /// Time for enumeration and for the engine.
    pub times: (Duration, Duration),
    /// The programs that took the engine longest, the slowest first.
    pub slowest: Vec<(Duration, String)>,
    /// How often each property is broken and kept.
    pub truths: BTreeMap<(Property, Truth), usize>,
    /// How often what came of which property.
    pub findings: BTreeMap<(Property, String), usize>,
    /// How often each feature was used, in programs that were compared.
    pub features: BTreeMap<Feature, usize>,
    /// Where they disagree.
    pub failures: Vec<Failure>,
}

impl CampaignSummary {
    fn add(&mut self, other: Self) {
        self.programs += other.programs;
        self.unbuilt.extend(other.unbuilt);
        self.too_large += other.too_large;
        self.states += other.states;
        self.times.0 += other.times.0;
        self.times.1 += other.times.1;
        self.slowest.extend(other.slowest);
        self.slowest.sort_by_key(|&(time, _)| Reverse(time));
        self.slowest.truncate(SLOWEST);
        for (key, count) in other.truths {
            *self.truths.entry(key).or_default() += count;
        }
        for (key, count) in other.findings {
            *self.findings.entry(key).or_default() += count;
        }
        for (key, count) in other.features {
            *self.features.entry(key).or_default() += count;
        }
        self.failures.extend(other.failures);
    }

    /// How often a property came out like this.
    #[must_use]
    pub fn count(&self, property: Property, what: &str) -> usize {
        self.findings.get(&(property, what.to_owned())).copied().unwrap_or(0)
    }

    /// How often this is true of a property.
    #[must_use]
    pub fn count_truth(&self, property: Property, truth: Truth) -> usize {
        self.truths.get(&(property, truth)).copied().unwrap_or(0)
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.failures.is_empty() && self.unbuilt.is_empty()
    }
}

impl fmt::Display for CampaignSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} programs, {} left out as too large, {} not built, {} states",
            self.programs,
            self.too_large,
            self.unbuilt.len(),
            self.states
        )?;
        for property in Property::COMMON {
            let of_property = self.findings.iter().filter(|((of, _), _)| of == property);
            let shown: Vec<String> =
                of_property.map(|((_, what), count)| format!("{what} {count}")).collect();
            let (violated, safe) =
                (self.count_truth(*property, Truth::Violated), self.count_truth(*property, Truth::Safe));
            let truth = format!("({violated} violated, {safe} safe)");
            writeln!(f, "  {:<14} {truth:<30} engine: {}", property.name(), shown.join(", "))?;
        }
        let (enumeration, engine) = (self.times.0.as_secs_f64(), self.times.1.as_secs_f64());
        writeln!(
            f,
            "time: enumeration {enumeration:.1} s, engine {engine:.1} s, ratio {:.2}",
            engine / enumeration.max(1e-9)
        )?;
        let slowest: Vec<String> =
            self.slowest.iter().map(|(time, which)| format!("{which} {:.1} s", time.as_secs_f64())).collect();
        writeln!(f, "slowest: {}", slowest.join(", "))?;
        let features: Vec<String> =
            self.features.iter().map(|(feature, count)| format!("{feature:?} {count}")).collect();
        writeln!(f, "features: {}", features.join(", "))
    }
}

impl Campaign<'_> {
    /// Runs it. The same campaign gives the same summary, up to times, with any number of jobs.
    pub fn run(&self) -> Result<CampaignSummary, String> {
        let batches = self.count.div_ceil(BATCH);
        let (next, done, shrunk) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let parts: Mutex<Vec<(usize, CampaignSummary)>> = Mutex::new(Vec::new());
        let worker = || -> Result<(), String> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= batches {
                    return Ok(());
                }
                let count = BATCH.min(self.count - number * BATCH);
                let first = self.seed.wrapping_add((number * BATCH) as u64);
                let seeds = (0..count as u64).map(|offset| first.wrapping_add(offset));
                let part = on_large_stack(|| self.batch(seeds.map(program).collect(), &shrunk))?;
                parts.lock().expect("no worker panics while it holds the list").push((number, part));
                (self.progress)(done.fetch_add(count, Ordering::Relaxed) + count);
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.max(1)).map(|_| scope.spawn(worker)).collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().unwrap_or_else(|_| Err("a worker panicked".to_owned())))
        })?;
        let mut parts = parts.into_inner().expect("no worker panics while it holds the list");
        parts.sort_by_key(|(number, _)| *number);
        let mut summary = CampaignSummary::default();
        parts.into_iter().for_each(|(_, part)| summary.add(part));
        Ok(summary)
    }

    fn batch(&self, programs: Vec<Generated>, shrunk: &AtomicUsize) -> Result<CampaignSummary, String> {
        let mut summary = CampaignSummary::default();
        let texts: Vec<String> = programs.iter().map(|program| program.tree.to_string()).collect();
        for model in DATA_MODELS {
            let batch = Batch::new(INCLUDES, &texts, model)?;
            for (index, program) in programs.iter().enumerate() {
                summary.programs += 1;
                let asked = self.asked(program.seed);
                if self.within.is_some() && has_open_order(program) {
                    summary.too_large += 1;
                    continue;
                }
                match build("program.c", batch.text(index), model, &asked) {
                    Ok(built) => self.judge(program, (model, &built), &asked, &mut summary, shrunk),
                    Err(why) => {
                        summary.unbuilt.push(format!("seed {} ({}): {why}", program.seed, model_name(model)));
                    }
                }
            }
        }
        Ok(summary)
    }

    /// All properties, or those that people get when they do not say: an engine may go different ways for them.
    fn asked(&self, seed: u64) -> Vec<Property> {
        let is_any = Topic::of(seed) == Topic::Symmetry;
        let all = match seed % 3 {
            2 => DEFAULT_PROPERTIES.to_vec(),
            // Threads that are equal for some properties are not for others.
            1 if is_any => Property::ALL.to_vec(),
            _ => Property::COMMON.to_vec(),
        };
        let offered =
            |property: &Property| !is_any && self.within.is_none() || self.engine.card().offers(*property);
        all.into_iter().filter(offered).collect()
    }

    fn question<'q>(&'q self, engine: &'q dyn Engine, seed: u64) -> Question<'q> {
        Question {
            engine,
            memory_model: self.memory_model,
            time: self.time,
            unwind_max: self.unwind_max,
            rounds: self.within.map(|within| within.rounds),
            contexts: self.contexts_of(seed),
            seed,
        }
    }

    /// The bound on context switches for a program.
    fn contexts_of(&self, seed: u64) -> Option<u32> {
        self.contexts.map(|most| u32::try_from(seed % (u64::from(most) + 1)).unwrap_or(most))
    }

    fn bounds(&self) -> Bounds {
        Bounds { unwind: self.within.map(|within| within.unwind), ..Bounds::default() }
    }

    fn truths(&self, seed: u64, built: &Built, asked: &[Property]) -> Truths {
        // Where stores overtake each other, a thread may see memory that is not filled yet: that holds any value.
        let sequential = self.memory_model == MemoryModel::Sc;
        let how = Enumeration {
            domain: if sequential { InputDomain::OneBit } else { InputDomain::Any },
            memory_model: self.memory_model,
            max_states: self.max_states,
            rounds: self.within.map(|within| within.rounds),
            contexts: self.contexts_of(seed),
            budget: &Budget::unlimited().with_time(ENUMERATION_TIME),
        };
        enumerate(&built.program, asked, &how)
    }

    /// What is true, and what all engines that are judged answer.
    fn trial(&self, seed: u64, built: &Built, asked: &[Property], times: &mut (Duration, Duration)) -> Trial {
        let ask_one = |engine: &dyn Engine| ask(&self.question(engine, seed), built, asked, &self.bounds());
        if self.against.is_empty() {
            let clock = Budget::unlimited();
            let truths = self.truths(seed, built, asked);
            times.0 += clock.elapsed();
            let answers = if truths.complete { vec![ask_one(self.engine)] } else { Vec::new() };
            times.1 += answers.iter().map(|answer| answer.time).sum::<Duration>();
            return Trial { truths, answers };
        }
        let answers: Vec<EngineAnswer> =
            std::iter::once(&self.engine).chain(self.against).map(|&engine| ask_one(engine)).collect();
        times.1 += answers.iter().map(|answer| answer.time).sum::<Duration>();
        let truths = shown_by(&answers, &built.program, asked, self.memory_model);
        Trial { truths, answers }
    }

    fn judge(
        &self,
        program: &Generated,
        (model, built): (DataModel, &Built),
        asked: &[Property],
        summary: &mut CampaignSummary,
        shrunk: &AtomicUsize,
    ) {
        let before = summary.times.1;
        let Trial { truths, answers } = self.trial(program.seed, built, asked, &mut summary.times);
        let time = summary.times.1.saturating_sub(before);
        summary.states += truths.states;
        if !truths.complete {
            summary.too_large += 1;
            return;
        }
        for &key in &truths.properties {
            *summary.truths.entry(key).or_default() += 1;
        }
        for &feature in &program.features {
            *summary.features.entry(feature).or_default() += 1;
        }
        summary.slowest.push((time, format!("seed {} ({})", program.seed, model_name(model))));
        let findings = answers
            .iter()
            .flat_map(|answer| compare(&built.program, asked, &truths, answer, self.memory_model));
        let mut failed = BTreeSet::new();
        for (property, finding) in findings {
            *summary.findings.entry((property, name(&finding))).or_default() += 1;
            // A panic concerns all properties, and is reported once.
            if let Finding::Disagreement(what) = finding
                && failed.insert(what.to_string())
            {
                let mut failure = Failure {
                    seed: program.seed,
                    model,
                    asked: asked.to_vec(),
                    property,
                    what,
                    text: String::new(),
                };
                let shrinks = shrunk.fetch_add(1, Ordering::Relaxed) < self.shrinks;
                let tree = if shrinks { self.smaller(program, &failure) } else { program.tree.clone() };
                failure.text = failure.describe(&tree);
                (self.found)(&failure);
                summary.failures.push(failure);
            }
        }
    }

    /// A smaller program with the same disagreement.
    fn smaller(&self, program: &Generated, failure: &Failure) -> Tree {
        let asked = &failure.asked;
        let budget = Budget::unlimited().with_time(SHRINKING_TIME);
        shrink(&program.tree, &mut |tree| {
            if budget.check().is_err() {
                return false;
            }
            let Ok(batch) = Batch::new(INCLUDES, &[tree.to_string()], failure.model) else { return false };
            let built = build("program.c", batch.text(0), failure.model, asked);
            let Ok(built) = built else { return false };
            let Trial { truths, answers } = self.trial(program.seed, &built, asked, &mut Default::default());
            let mut findings = answers
                .iter()
                .flat_map(|answer| compare(&built.program, asked, &truths, answer, self.memory_model));
            findings.any(|(of, finding)| {
                of == failure.property
                    && matches!(finding, Finding::Disagreement(what) if what.class() == failure.what.class())
            })
        })
    }
}

/// What is true of a program, and what engines answer.
struct Trial {
    truths: Truths,
    answers: Vec<EngineAnswer>,
}

/// What some answer shows is true; the rest stays open.
fn shown_by(answers: &[EngineAnswer], program: &Program, asked: &[Property], model: MemoryModel) -> Truths {
    let outcomes = || answers.iter().filter_map(|answer| answer.outcome.as_ref().ok());
    let is_shown = |property: Property| {
        let mut verdicts = outcomes().flat_map(|outcome| &outcome.answers);
        verdicts.any(|answer| match &answer.verdict {
            Verdict::Violated(trace) => {
                answer.property == property && shows(program, property, trace, model).is_ok()
            }
            Verdict::Safe(_) | Verdict::SafeUnless(..) | Verdict::Unknown(_) => false,
        })
    };
    let truth = |property: Property| if is_shown(property) { Truth::Violated } else { Truth::Open };
    let properties = asked.iter().map(|&property| (property, truth(property))).collect();
    Truths {
        properties,
        states: 0,
        complete: true,
        unsupported: None,
        in_rounds: false,
        in_contexts: Vec::new(),
    }
}

impl Failure {
    /// The program, with what is wrong in front.
    fn describe(&self, tree: &Tree) -> String {
        let names: Vec<&str> = self.asked.iter().map(|property| property.name()).collect();
        let whence = format!("seed {}, {}, asked for {}", self.seed, model_name(self.model), names.join(","));
        let what = format!("{}: {}", self.property.name(), self.what).replace('\n', " ");
        format!("// {whence}\n// {what}\n{INCLUDES}{tree}")
    }
}

/// Whether the VM may number threads in another order than a sequentialization, which goes by the text: then rounds
/// are not the same.
fn has_open_order(program: &Generated) -> bool {
    let text = program.tree.to_string();
    let created = text.matches("_create(").count();
    program.features.contains(&Feature::NestedCreate) && created > 2
}

/// No program is made smaller for longer.
const SHRINKING_TIME: Duration = Duration::from_secs(60);
/// No enumeration takes longer.
const ENUMERATION_TIME: Duration = Duration::from_secs(10);

fn name(finding: &Finding) -> String {
    match finding {
        Finding::Violated => "violated".to_owned(),
        Finding::Beyond => "violated (with more switches)".to_owned(),
        Finding::Safe => "safe".to_owned(),
        Finding::Bounded(Truth::Violated) => "bounded (though violated)".to_owned(),
        Finding::Bounded(Truth::Safe | Truth::Open) => "bounded".to_owned(),
        Finding::Unknown(why) => format!("unknown ({why})"),
        Finding::Unchecked => "unchecked".to_owned(),
        Finding::Disagreement(what) => what.class().to_owned(),
    }
}
