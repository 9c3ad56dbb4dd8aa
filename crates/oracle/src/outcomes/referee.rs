//! Native outcomes held against enumeration and engines, program by program, and counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use raddle_base::{Budget, on_large_stack};
use raddle_cfront::layout::DataModel;
use raddle_engines::{Bounds, Engine};
use raddle_ir::Property;
use raddle_vm::{Exit, Search, Vm, explore};

use super::native::{self, Build, Endings, NativeEnding};
use super::{Claim, INCLUDES, Scenario, Topic, scenario};
use crate::build::{Batch, Built, build, model_name};
use crate::compare::{Disagreement, Finding, Question, ask, compare};
use crate::truth::{Truth, Truths};

/// So many programs are built together.
const BATCH: usize = 40;
/// How gcc builds them: batch by batch, these take turns.
const BUILDS: [Build; 4] = [Build::Plain, Build::Optimised, Build::Simplified, Build::Rearranged];
/// A claim names no more outcomes.
const MOST_CLAIMED: usize = 12;
/// So many runs of a program with each sanitizer.
const SANITIZED_RUNS: u32 = 12;
/// The sanitizers, and which property is broken where they complain.
const SANITIZERS: [(Build, Property); 2] =
    [(Build::Thread, Property::DataRace), (Build::Address, Property::MemorySafety)];
/// No enumeration takes longer.
const ENUMERATION_TIME: Duration = Duration::from_secs(10);

/// What to run.
#[derive(Clone)]
pub struct Referee<'c> {
    /// How many programs.
    pub count: usize,
    /// The first one's seed; the others follow.
    pub seed: u64,
    /// What they are about, if not about everything.
    pub about: Option<Topic>,
    /// How often each program is run.
    pub runs: u32,
    /// So many programs are also run with the sanitizers.
    pub sanitize: usize,
    /// How many batches at a time.
    pub jobs: usize,
    /// Programs with more states are not enumerated.
    pub max_states: u64,
    /// Who is judged, besides enumeration: the first by every program, the others by some.
    pub engines: &'c [&'c dyn Engine],
    /// One program in so many is for one of the others too.
    pub others: u64,
    /// How long an engine may take for one program.
    pub time: Duration,
    /// Gets how many programs are done.
    pub progress: &'c (dyn Fn(usize) + Sync),
    /// Gets every mismatch as soon as it is found.
    pub found: &'c (dyn Fn(&Mismatch) + Sync),
}

impl fmt::Debug for Referee<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Referee")
            .field("count", &self.count)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// Something that cannot be.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The program.
    pub scenario: Scenario,
    /// In which data model.
    pub model: DataModel,
    /// What cannot be, in a sentence.
    pub what: String,
    /// How it ended natively.
    pub native: Endings,
    /// How it can end, by enumeration.
    pub enumerated: BTreeSet<NativeEnding>,
    /// What the program claims of its outcomes.
    pub claim: Option<Claim>,
}

impl Mismatch {
    /// The program as we are given it, with what is wrong in front.
    #[must_use]
    pub fn text(&self) -> String {
        format!(
            "// seed {}, {}, --memory-model {}\n// {}\n// native: {:?}\n// enumerated: {:?}\n{INCLUDES}{}",
            self.scenario.seed,
            model_name(self.model),
            self.scenario.memory_model.name(),
            self.what.replace('\n', " "),
            self.native,
            self.enumerated,
            self.scenario.ours(self.claim.as_ref())
        )
    }

    /// The program as gcc is given it.
    #[must_use]
    pub fn native_text(&self) -> String {
        native::text(&[&self.scenario])
    }
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct RefereeSummary {
    /// Programs, each data model counted apart.
    pub programs: usize,
    /// How many of them are about what.
    pub topics: BTreeMap<Topic, usize>,
    /// Native runs.
    pub runs: u64,
    /// Programs whose native outcomes were held against all that enumeration finds.
    pub compared: usize,
    /// Programs with too many states.
    pub too_large: usize,
    /// Programs with values that enumeration only samples.
    pub sampled: usize,
    /// Programs with something that we refuse, by what it is.
    pub refused: BTreeMap<String, usize>,
    /// Different outcomes of all programs that were compared: seen natively, enumerated.
    pub outcomes: (usize, usize),
    /// How often each engine answered what.
    pub answers: BTreeMap<(&'static str, String), usize>,
    /// Programs that were run with the sanitizers, and how many of them these complained about.
    pub sanitized: (usize, usize),
    /// Time natively, for enumeration, for engines.
    pub times: [Duration; 3],
    /// What cannot be.
    pub mismatches: Vec<Mismatch>,
}

impl RefereeSummary {
    fn add(&mut self, other: Self) {
        self.programs += other.programs;
        self.runs += other.runs;
        self.compared += other.compared;
        self.too_large += other.too_large;
        self.sampled += other.sampled;
        self.outcomes.0 += other.outcomes.0;
        self.outcomes.1 += other.outcomes.1;
        self.sanitized.0 += other.sanitized.0;
        self.sanitized.1 += other.sanitized.1;
        for (topic, count) in other.topics {
            *self.topics.entry(topic).or_default() += count;
        }
        for (what, count) in other.refused {
            *self.refused.entry(what).or_default() += count;
        }
        for (answer, count) in other.answers {
            *self.answers.entry(answer).or_default() += count;
        }
        for (time, more) in self.times.iter_mut().zip(other.times) {
            *time += more;
        }
        self.mismatches.extend(other.mismatches);
    }
}

impl fmt::Display for RefereeSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let refused: usize = self.refused.values().sum();
        writeln!(
            f,
            "{} programs, {} native runs; {} compared, {} too large to enumerate, {} with any value of something, {refused} with \
             something refused; {} mismatches",
            self.programs,
            self.runs,
            self.compared,
            self.too_large,
            self.sampled,
            self.mismatches.len()
        )?;
        writeln!(f, "outcomes: {} enumerated, {} of them seen natively", self.outcomes.1, self.outcomes.0)?;
        for (what, count) in &self.refused {
            writeln!(f, "  refused: {what} {count}")?;
        }
        for ((engine, what), count) in &self.answers {
            writeln!(f, "  {engine}: {what} {count}")?;
        }
        let topics: Vec<String> =
            self.topics.iter().map(|(topic, count)| format!("{} {count}", topic.name())).collect();
        writeln!(f, "topics: {}", topics.join(", "))?;
        let (sanitized, complained) = self.sanitized;
        writeln!(f, "sanitizers: {sanitized} programs, {complained} of them with complaints")?;
        let [native, enumeration, engines] = self.times.map(|time| time.as_secs_f64());
        writeln!(f, "time: native {native:.1} s, enumeration {enumeration:.1} s, engines {engines:.1} s")
    }
}

/// What enumeration finds.
struct Enumerated {
    /// How executions end that keep what the program claims, and the outcome that breaks it if there is one alone.
    endings: BTreeSet<NativeEnding>,
    /// What is broken, besides the claim.
    broken: Vec<Property>,
    /// Whether some execution breaks what the program claims.
    breaks_claim: bool,
    complete: bool,
}

impl Referee<'_> {
    /// Runs it. Programs and what is said of them are the same with any number of jobs; what is seen natively is up to the
    /// processor.
    pub fn run(&self) -> Result<RefereeSummary, String> {
        let models: Vec<DataModel> =
            crate::build::DATA_MODELS.into_iter().filter(|&model| native::is_available(model)).collect();
        if models.is_empty() {
            return Err("gcc is not installed".to_owned());
        }
        let batches = self.count.div_ceil(BATCH);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let parts: Mutex<Vec<(usize, RefereeSummary)>> = Mutex::new(Vec::new());
        let worker = || -> Result<(), String> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= batches {
                    return Ok(());
                }
                let first = number * BATCH;
                let count = BATCH.min(self.count - first);
                let part = on_large_stack(|| self.batch(first, count, &models))?;
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
        let mut summary = RefereeSummary::default();
        parts.into_iter().for_each(|(_, part)| summary.add(part));
        Ok(summary)
    }

    fn batch(&self, first: usize, count: usize, models: &[DataModel]) -> Result<RefereeSummary, String> {
        let mut summary = RefereeSummary::default();
        let seeds = (first..first + count).map(|number| self.seed.wrapping_add(number as u64));
        let scenarios: Vec<Scenario> = seeds.map(|seed| scenario(seed, self.about)).collect();
        let all: Vec<&Scenario> = scenarios.iter().collect();
        for &model in models {
            let clock = Budget::unlimited();
            let optimisation = BUILDS[first / BATCH % BUILDS.len()];
            let native = native::run(&all, model, optimisation, self.runs, 0)?;
            let mut sanitized = Vec::new();
            if first < self.sanitize && model == DataModel::Lp64 {
                for (sanitizer, property) in SANITIZERS {
                    sanitized.push((property, native::run(&all, model, sanitizer, SANITIZED_RUNS, 1)?));
                }
            }
            summary.times[0] += clock.elapsed();
            let claims: Vec<Option<Claim>> =
                scenarios.iter().zip(&native).map(|(scenario, endings)| claim(scenario, endings)).collect();
            let texts = scenarios.iter().zip(&claims).map(|(scenario, claim)| scenario.ours(claim.as_ref()));
            let batch = Batch::new(INCLUDES, &texts.collect::<Vec<String>>(), model)?;
            for (index, (scenario, endings)) in scenarios.iter().zip(native).enumerate() {
                summary.programs += 1;
                summary.runs += endings.values().map(|&times| u64::from(times)).sum::<u64>();
                for &topic in &scenario.topics {
                    *summary.topics.entry(topic).or_default() += 1;
                }
                let built = build("program.c", batch.text(index), model, &[]);
                let trial = Trial { referee: self, scenario, model, endings, claim: claims[index].as_ref() };
                let complaints =
                    sanitized.iter().filter(|(_, endings)| endings[index].keys().any(is_complaint));
                let complaints: Option<Vec<Property>> =
                    (!sanitized.is_empty()).then(|| complaints.map(|&(property, _)| property).collect());
                match built {
                    Ok(built) => trial.judge(&built, complaints.as_deref(), &mut summary),
                    Err(why) => {
                        let what = format!("we do not build it: {why}");
                        trial.mismatch(what, &BTreeSet::new(), &mut summary);
                    }
                }
            }
        }
        Ok(summary)
    }
}

/// What a program claims, so that engines have something to prove or to refute: that an outcome which was seen never is, or one
/// beside it, or that there are no others than those that were seen.
fn claim(scenario: &Scenario, endings: &Endings) -> Option<Claim> {
    let seen: BTreeSet<i32> = outcomes(endings.keys()).collect();
    let rotation = usize::try_from(scenario.seed / 4 % 1_000).unwrap_or(0);
    let one = seen.iter().nth(rotation % seen.len().max(1)).copied()?;
    Some(match scenario.seed % 4 {
        0 | 1 if seen.len() <= MOST_CLAIMED => Claim::Only(seen),
        2 => Claim::Never(seen.iter().map(|seen| seen.wrapping_add(1)).find(|near| !seen.contains(near))?),
        _ => Claim::Never(one),
    })
}

/// The outcomes among endings.
fn outcomes<'e>(endings: impl IntoIterator<Item = &'e NativeEnding>) -> impl Iterator<Item = i32> {
    endings.into_iter().filter_map(|ending| match ending {
        NativeEnding::Outcome(outcome) => Some(*outcome),
        NativeEnding::Abort | NativeEnding::Signal(_) | NativeEnding::Code(_) | NativeEnding::Hung => None,
    })
}

/// Whether a run with a sanitizer ended by its complaint.
const fn is_complaint(ending: &NativeEnding) -> bool {
    match ending {
        NativeEnding::Code(_) | NativeEnding::Signal(_) => true,
        NativeEnding::Outcome(_) | NativeEnding::Abort | NativeEnding::Hung => false,
    }
}

/// One program in one data model.
struct Trial<'t> {
    referee: &'t Referee<'t>,
    scenario: &'t Scenario,
    model: DataModel,
    endings: Endings,
    claim: Option<&'t Claim>,
}

impl Trial<'_> {
    fn judge(&self, built: &Built, complaints: Option<&[Property]>, summary: &mut RefereeSummary) {
        let clock = Budget::unlimited();
        let enumerated = self.enumerate(built, summary);
        summary.times[1] += clock.elapsed();
        let endings = &enumerated.endings;
        for property in &enumerated.broken {
            let what = format!("enumeration: {} is broken, but the program is right", property.name());
            self.mismatch(what, endings, summary);
        }
        for &ending in self.endings.keys() {
            let what = match ending {
                NativeEnding::Outcome(_) | NativeEnding::Abort
                    if !enumerated.complete || endings.contains(&ending) =>
                {
                    continue;
                }
                NativeEnding::Outcome(outcome) => {
                    format!("outcome {outcome} was seen, but is not enumerated")
                }
                NativeEnding::Abort => "it was aborted, but no enumerated execution is".to_owned(),
                NativeEnding::Signal(signal) => format!("it was ended by signal {signal}"),
                NativeEnding::Code(code) => format!("it exited with {code}"),
                NativeEnding::Hung => "a run hung, but the program has no deadlock".to_owned(),
            };
            self.mismatch(what, endings, summary);
        }
        if enumerated.complete {
            summary.compared += 1;
            summary.outcomes.0 += self.endings.len();
            summary.outcomes.1 += endings.len();
        }
        let clock = Budget::unlimited();
        for (number, engine) in self.engines().into_iter().enumerate() {
            // What breaks a property must not hide what is claimed, nor the other way round.
            let all = (self.scenario.seed / 2).wrapping_add(number as u64).is_multiple_of(4);
            self.ask(engine, all || self.claim.is_none(), built, &enumerated, summary);
        }
        summary.times[2] += clock.elapsed();
        if let Some(complaints) = complaints {
            self.weigh(complaints, built, &enumerated, summary);
        }
    }

    /// What holds of the program because it was made so.
    fn properties(&self) -> Vec<Property> {
        let all = [Property::Deadlock, Property::LockMisuse, Property::DataRace, Property::MemorySafety];
        let holds = |property: &Property| {
            !(*property == Property::LockMisuse && self.scenario.misuses
                || *property == Property::DataRace && self.scenario.races)
        };
        all.into_iter().filter(holds).collect()
    }

    fn enumerate(&self, built: &Built, summary: &mut RefereeSummary) -> Enumerated {
        let budget = Budget::unlimited().with_time(ENUMERATION_TIME);
        let max_states = self.referee.max_states;
        let search = Search { symmetry: false, max_states, budget: Some(&budget), ..Search::default() };
        let explored = |mut properties: Vec<Property>| {
            // An execution that breaks the claim is at its end.
            properties.push(Property::Assertion);
            let vm = Vm::checking(&built.program, &properties);
            explore(&vm.with_memory_model(self.scenario.memory_model), &search)
        };
        let checked = explored(self.properties());
        // What a value that may be anything breaks is for the engines to say: enumeration does not know whether it can be.
        let is_broken = |property: &Property| checked.breaks(*property) && !checked.sampled;
        let broken: Vec<Property> = self.properties().into_iter().filter(is_broken).collect();
        // An execution ends where it breaks something; what lies behind is to be seen as well.
        let found = if broken.is_empty() { checked } else { explored(Vec::new()) };
        // Each program that is not compared is counted once.
        match (found.unsupported.first(), found.limit, found.sampled) {
            (Some((what, _)), ..) => *summary.refused.entry(what.clone()).or_default() += 1,
            (None, Some(_), _) => summary.too_large += 1,
            (None, None, true) => summary.sampled += 1,
            (None, None, false) => {}
        }
        let complete = found.is_complete() && !found.sampled;
        let breaks_claim = found.breaks(Property::Assertion);
        let exits = found.exits.iter().map(|exit| match exit {
            Exit::Status(status) => NativeEnding::Outcome(*status),
            Exit::Abort => NativeEnding::Abort,
        });
        let wrong = match self.claim {
            Some(Claim::Never(wrong)) if breaks_claim => Some(NativeEnding::Outcome(*wrong)),
            Some(Claim::Never(_) | Claim::Only(_)) | None => None,
        };
        Enumerated { endings: exits.chain(wrong).collect(), broken, breaks_claim, complete }
    }

    /// Whether what the program claims of its outcomes holds.
    fn truth(&self, claim: &Claim, enumerated: &Enumerated) -> Truth {
        let seen = outcomes(self.endings.keys()).any(|outcome| claim.is_broken_by(outcome));
        if seen || enumerated.breaks_claim {
            Truth::Violated
        } else if enumerated.complete {
            Truth::Safe
        } else {
            Truth::Open
        }
    }

    /// Whether an engine agrees about what the program claims of its outcomes, and finds nothing wrong with a program that is
    /// right.
    fn ask(
        &self,
        engine: &dyn Engine,
        all: bool,
        built: &Built,
        enumerated: &Enumerated,
        summary: &mut RefereeSummary,
    ) {
        let safe = |property: Property| (property, Truth::Safe);
        let mut known: Vec<(Property, Truth)> =
            if all { self.properties().into_iter().map(safe).collect() } else { Vec::new() };
        known.extend(self.claim.map(|claim| (Property::Assertion, self.truth(claim, enumerated))));
        let properties: Vec<Property> = known.iter().map(|&(property, _)| property).collect();
        let (truths, model) = (truths(known), self.scenario.memory_model);
        let question = Question {
            engine,
            memory_model: model,
            time: self.referee.time,
            unwind_max: Some(5),
            rounds: None,
            contexts: None,
            seed: self.scenario.seed,
        };
        let answer = ask(&question, built, &properties, &Bounds::default());
        for (property, finding) in compare(&built.program, &properties, &truths, &answer, model) {
            let about = match (property, self.claim) {
                (Property::Assertion, Some(claim)) => claim.to_string(),
                _ => property.name().to_owned(),
            };
            let truth = match truths.of(property) {
                Truth::Violated => "broken",
                Truth::Safe => "kept",
                Truth::Open => "open",
            };
            let what = format!("{} ({truth}) {}", property.name(), shown(&finding));
            *summary.answers.entry((engine.name(), what)).or_default() += 1;
            if let Finding::Disagreement(why) = finding {
                let what = format!("{}: {about} ({truth}): {why}", engine.name());
                self.mismatch(what, &enumerated.endings, summary);
            }
        }
    }

    /// What the sanitizers complain of must be broken.
    fn weigh(
        &self,
        complaints: &[Property],
        built: &Built,
        enumerated: &Enumerated,
        summary: &mut RefereeSummary,
    ) {
        summary.sanitized.0 += 1;
        let known = |property: Property| !(property == Property::DataRace && self.scenario.unsanitized);
        let complaints: Vec<Property> =
            complaints.iter().copied().filter(|&property| known(property)).collect();
        summary.sanitized.1 += usize::from(!complaints.is_empty());
        for property in complaints {
            let budget = Budget::unlimited().with_time(ENUMERATION_TIME);
            let max_states = self.referee.max_states;
            let search = Search { symmetry: false, max_states, budget: Some(&budget), ..Search::default() };
            let found = explore(&Vm::checking(&built.program, &[property]), &search);
            if !found.breaks(property) && found.is_complete() {
                let what = format!("a sanitizer complains, but {} is kept", property.name());
                self.mismatch(what, &enumerated.endings, summary);
            }
        }
    }

    /// The first engine is asked about every program; one of the others about some.
    fn engines(&self) -> Vec<&dyn Engine> {
        let Some((&first, others)) = self.referee.engines.split_first() else { return Vec::new() };
        let (turn, every) = (self.scenario.seed, self.referee.others.max(1));
        let number = usize::try_from(turn / every % others.len().max(1) as u64).unwrap_or(0);
        let other = others.get(number).copied().filter(|_| turn.is_multiple_of(every));
        std::iter::once(first).chain(other).collect()
    }

    fn mismatch(&self, what: String, enumerated: &BTreeSet<NativeEnding>, summary: &mut RefereeSummary) {
        let mismatch = Mismatch {
            scenario: self.scenario.clone(),
            model: self.model,
            what,
            native: self.endings.clone(),
            enumerated: enumerated.clone(),
            claim: self.claim.cloned(),
        };
        (self.referee.found)(&mismatch);
        summary.mismatches.push(mismatch);
    }
}

fn truths(properties: Vec<(Property, Truth)>) -> Truths {
    Truths {
        properties,
        states: 0,
        complete: true,
        unsupported: None,
        in_rounds: false,
        in_contexts: Vec::new(),
    }
}

/// What came of a question, without what differs from program to program.
fn shown(finding: &Finding) -> String {
    match finding {
        Finding::Violated | Finding::Beyond => "violated".to_owned(),
        Finding::Safe => "safe".to_owned(),
        Finding::Bounded(_) => "bounded".to_owned(),
        Finding::Unknown(why) => format!("unknown ({why})"),
        Finding::Unchecked => "unchecked".to_owned(),
        Finding::Disagreement(Disagreement::WrongSafe) => "WRONG SAFE".to_owned(),
        Finding::Disagreement(why) => why.class().to_owned(),
    }
}
