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
use raddle_vm::{Exit, Machine, Search, explore};

use super::native::{self, Build, Ending, Endings};
use super::{INCLUDES, Scenario, Topic, scenario};
use crate::build::{Batch, Built, build, model_name};
use crate::compare::{Disagreement, Finding, Question, ask, compare};
use crate::truth::{Truth, Truths};

/// So many programs are built together.
const BATCH: usize = 20;
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
    /// How often each build of a program is run.
    pub runs: u32,
    /// So many programs are also run with the sanitizers.
    pub sanitize: usize,
    /// How many batches at a time.
    pub jobs: usize,
    /// Programs with more states are not enumerated.
    pub max_states: u64,
    /// Who is judged, besides enumeration.
    pub engines: &'c [&'c dyn Engine],
    /// How long an engine may take for one program.
    pub time: Duration,
    /// Is told how many programs are done.
    pub progress: &'c (dyn Fn(usize) + Sync),
    /// Is told of every mismatch as soon as it is found.
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
    pub enumerated: BTreeSet<Ending>,
    /// The outcome that the program for us must not have, if it was changed so.
    pub forbidden: Option<i32>,
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
            self.scenario.ours(self.forbidden)
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
pub struct Summary {
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

impl Summary {
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

impl fmt::Display for Summary {
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
    endings: BTreeSet<Ending>,
    broken: Vec<Property>,
    complete: bool,
}

impl Referee<'_> {
    /// Runs it. Programs and what is said of them are the same with any number of jobs; what is seen natively is up to the
    /// processor.
    pub fn run(&self) -> Result<Summary, String> {
        let models: Vec<DataModel> =
            crate::build::DATA_MODELS.into_iter().filter(|&model| native::is_available(model)).collect();
        if models.is_empty() {
            return Err("gcc is not installed".to_owned());
        }
        let batches = self.count.div_ceil(BATCH);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let parts: Mutex<Vec<(usize, Summary)>> = Mutex::new(Vec::new());
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
        let mut summary = Summary::default();
        parts.into_iter().for_each(|(_, part)| summary.add(part));
        Ok(summary)
    }

    fn batch(&self, first: usize, count: usize, models: &[DataModel]) -> Result<Summary, String> {
        let mut summary = Summary::default();
        let seeds = (first..first + count).map(|number| self.seed.wrapping_add(number as u64));
        let scenarios: Vec<Scenario> = seeds.map(|seed| scenario(seed, self.about)).collect();
        let all: Vec<&Scenario> = scenarios.iter().collect();
        for &model in models {
            let clock = Budget::unlimited();
            let plain = native::run(&all, model, Build::Plain, self.runs, 0)?;
            let optimised = native::run(&all, model, Build::Optimised, self.runs, self.runs)?;
            let mut sanitized = Vec::new();
            if first < self.sanitize && model == DataModel::Lp64 {
                for (sanitizer, property) in SANITIZERS {
                    sanitized.push((property, native::run(&all, model, sanitizer, SANITIZED_RUNS, 1)?));
                }
            }
            summary.times[0] += clock.elapsed();
            let texts: Vec<String> = scenarios.iter().map(|scenario| scenario.ours(None)).collect();
            let batch = Batch::new(INCLUDES, &texts, model)?;
            for (index, scenario) in scenarios.iter().enumerate() {
                let mut endings = plain[index].clone();
                for (&ending, &times) in &optimised[index] {
                    *endings.entry(ending).or_default() += times;
                }
                summary.programs += 1;
                summary.runs += endings.values().map(|&times| u64::from(times)).sum::<u64>();
                for &topic in &scenario.topics {
                    *summary.topics.entry(topic).or_default() += 1;
                }
                let built = build("program.c", batch.text(index), model, false);
                let trial = Trial { referee: self, scenario, model, endings };
                let complaints =
                    sanitized.iter().filter(|(_, endings)| endings[index].keys().any(is_complaint));
                let complaints: Option<Vec<Property>> =
                    (!sanitized.is_empty()).then(|| complaints.map(|&(property, _)| property).collect());
                match built {
                    Ok(built) => trial.judge(&built, complaints.as_deref(), &mut summary)?,
                    Err(why) => {
                        let what = format!("we do not build it: {why}");
                        trial.mismatch(what, &BTreeSet::new(), None, &mut summary);
                    }
                }
            }
        }
        Ok(summary)
    }
}

/// Whether a run with a sanitizer ended by its complaint.
const fn is_complaint(ending: &Ending) -> bool {
    match ending {
        Ending::Code(_) | Ending::Signal(_) => true,
        Ending::Outcome(_) | Ending::Abort | Ending::Hung => false,
    }
}

/// One program in one data model.
struct Trial<'t> {
    referee: &'t Referee<'t>,
    scenario: &'t Scenario,
    model: DataModel,
    endings: Endings,
}

impl Trial<'_> {
    fn judge(
        &self,
        built: &Built,
        complaints: Option<&[Property]>,
        summary: &mut Summary,
    ) -> Result<(), String> {
        let clock = Budget::unlimited();
        let enumerated = self.enumerate(built, summary);
        summary.times[1] += clock.elapsed();
        let endings = &enumerated.endings;
        for property in &enumerated.broken {
            let what = format!("enumeration: {} is broken, but the program is right", property.name());
            self.mismatch(what, endings, None, summary);
        }
        for &ending in self.endings.keys() {
            let what = match ending {
                Ending::Outcome(_) | Ending::Abort if !enumerated.complete || endings.contains(&ending) => {
                    continue;
                }
                Ending::Outcome(outcome) => format!("outcome {outcome} was seen, but is not enumerated"),
                Ending::Abort => "it was aborted, but no enumerated execution is".to_owned(),
                Ending::Signal(signal) => format!("it was ended by signal {signal}"),
                Ending::Code(code) => format!("it exited with {code}"),
                Ending::Hung => "a run hung, but the program has no deadlock".to_owned(),
            };
            self.mismatch(what, endings, None, summary);
        }
        if enumerated.complete {
            summary.compared += 1;
            summary.outcomes.0 += self.endings.len();
            summary.outcomes.1 += endings.len();
        }
        let clock = Budget::unlimited();
        for (number, engine) in self.engines().into_iter().enumerate() {
            let turn = (self.scenario.seed / 2).wrapping_add(number as u64) % 4;
            match turn {
                0 => self.ask_about_properties(engine, built, &enumerated, summary),
                1 => self.ask_about_outcome(engine, &enumerated, false, summary)?,
                _ => self.ask_about_outcome(engine, &enumerated, true, summary)?,
            }
        }
        summary.times[2] += clock.elapsed();
        if let Some(complaints) = complaints {
            self.weigh(complaints, built, &enumerated, summary);
        }
        Ok(())
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

    fn enumerate(&self, built: &Built, summary: &mut Summary) -> Enumerated {
        let budget = Budget::unlimited().with_time(ENUMERATION_TIME);
        let search =
            Search { max_states: self.referee.max_states, budget: Some(&budget), ..Search::default() };
        let explored = |properties: &[Property]| {
            let machine = Machine::checking(&built.program, properties);
            explore(&machine.with_memory_model(self.scenario.memory_model), &search)
        };
        let checked = explored(&self.properties());
        // What a value that may be anything breaks is for the engines to say: enumeration does not know whether it can be.
        let is_broken = |property: &Property| checked.breaks(*property) && !checked.sampled;
        let broken: Vec<Property> = self.properties().into_iter().filter(is_broken).collect();
        // An execution ends where it breaks something; what lies behind is to be seen as well.
        let found = if broken.is_empty() { checked } else { explored(&[]) };
        // Each program that is not compared is counted once.
        match (found.unsupported.first(), found.limit, found.sampled) {
            (Some((what, _)), ..) => *summary.refused.entry(what.clone()).or_default() += 1,
            (None, Some(_), _) => summary.too_large += 1,
            (None, None, true) => summary.sampled += 1,
            (None, None, false) => {}
        }
        let complete = found.is_complete() && !found.sampled;
        let endings = found.exits.iter().map(|exit| match exit {
            Exit::Status(status) => Ending::Outcome(*status),
            Exit::Abort => Ending::Abort,
        });
        Enumerated { endings: endings.collect(), broken, complete }
    }

    fn question<'q>(&'q self, engine: &'q dyn Engine) -> Question<'q> {
        Question {
            engine,
            memory_model: self.scenario.memory_model,
            time: self.referee.time,
            unwind_max: Some(5),
            seed: self.scenario.seed,
        }
    }

    /// Whether an engine finds something wrong with a program that is right.
    fn ask_about_properties(
        &self,
        engine: &dyn Engine,
        built: &Built,
        enumerated: &Enumerated,
        summary: &mut Summary,
    ) {
        let properties = self.properties();
        let truths = truths(properties.iter().map(|&property| (property, Truth::Safe)).collect());
        let answer = ask(&self.question(engine), built, &properties, &Bounds::default());
        let model = self.scenario.memory_model;
        for (property, finding) in compare(&built.program, &properties, &truths, &answer, model) {
            let what = format!("{} {}", property.name(), shown(&finding));
            *summary.answers.entry((engine.name(), what.clone())).or_default() += 1;
            if let Finding::Disagreement(why) = finding {
                let what = format!("{}: {}: {why}", engine.name(), property.name());
                self.mismatch(what, &enumerated.endings, None, summary);
            }
        }
    }

    /// Whether an engine finds out that an outcome is possible which was seen, or that one is not which is not enumerated.
    fn ask_about_outcome(
        &self,
        engine: &dyn Engine,
        enumerated: &Enumerated,
        possible: bool,
        summary: &mut Summary,
    ) -> Result<(), String> {
        let seen = |endings: &mut dyn Iterator<Item = &Ending>| -> Vec<i32> {
            let outcomes = endings.filter_map(|ending| match ending {
                Ending::Outcome(outcome) => Some(*outcome),
                Ending::Abort | Ending::Signal(_) | Ending::Code(_) | Ending::Hung => None,
            });
            outcomes.collect()
        };
        let native = seen(&mut self.endings.keys());
        let known = seen(&mut enumerated.endings.iter());
        let forbidden = if possible {
            let rotation = usize::try_from(self.scenario.seed / 4 % 1_000).unwrap_or(0);
            native.get(rotation % native.len().max(1)).copied()
        } else {
            let near = known.iter().chain(&native).map(|outcome| outcome.wrapping_add(1));
            near.filter(|outcome| {
                enumerated.complete && !known.contains(outcome) && !native.contains(outcome)
            })
            .min()
        };
        let Some(forbidden) = forbidden else { return Ok(()) };
        let batch = Batch::new(INCLUDES, &[self.scenario.ours(Some(forbidden))], self.model)?;
        let built = build("program.c", batch.text(0), self.model, false)?;
        let truth = if possible { Truth::Violated } else { Truth::Safe };
        let (truths, model) = (truths(vec![(Property::Assertion, truth)]), self.scenario.memory_model);
        let answer = ask(&self.question(engine), &built, &[Property::Assertion], &Bounds::default());
        for (_, finding) in compare(&built.program, &[Property::Assertion], &truths, &answer, model) {
            let which = if possible { "a seen outcome" } else { "an impossible outcome" };
            let what = format!("{which} {}", shown(&finding));
            *summary.answers.entry((engine.name(), what)).or_default() += 1;
            if let Finding::Disagreement(why) = finding {
                let what = format!("{}: outcome {forbidden}, {which}: {why}", engine.name());
                self.mismatch(what, &enumerated.endings, Some(forbidden), summary);
            }
        }
        Ok(())
    }

    /// What the sanitizers complain of must be broken.
    fn weigh(&self, complaints: &[Property], built: &Built, enumerated: &Enumerated, summary: &mut Summary) {
        summary.sanitized.0 += 1;
        let known = |property: Property| !(property == Property::DataRace && self.scenario.unsanitized);
        let complaints: Vec<Property> =
            complaints.iter().copied().filter(|&property| known(property)).collect();
        summary.sanitized.1 += usize::from(!complaints.is_empty());
        for property in complaints {
            let budget = Budget::unlimited().with_time(ENUMERATION_TIME);
            let search =
                Search { max_states: self.referee.max_states, budget: Some(&budget), ..Search::default() };
            let found = explore(&Machine::checking(&built.program, &[property]), &search);
            if !found.breaks(property) && found.is_complete() {
                let what = format!("a sanitizer complains, but {} is kept", property.name());
                self.mismatch(what, &enumerated.endings, None, summary);
            }
        }
    }

    /// The first engine is asked about every program, and one of the others.
    fn engines(&self) -> Vec<&dyn Engine> {
        let Some((&first, others)) = self.referee.engines.split_first() else { return Vec::new() };
        let number = usize::try_from(self.scenario.seed % others.len().max(1) as u64).unwrap_or(0);
        std::iter::once(first).chain(others.get(number).copied()).collect()
    }

    fn mismatch(
        &self,
        what: String,
        enumerated: &BTreeSet<Ending>,
        forbidden: Option<i32>,
        summary: &mut Summary,
    ) {
        let mismatch = Mismatch {
            scenario: self.scenario.clone(),
            model: self.model,
            what,
            native: self.endings.clone(),
            enumerated: enumerated.clone(),
            forbidden,
        };
        (self.referee.found)(&mismatch);
        summary.mismatches.push(mismatch);
    }
}

fn truths(properties: Vec<(Property, Truth)>) -> Truths {
    Truths { properties, states: 0, complete: true, unsupported: None, in_rounds: false }
}

/// What came of a question, without what differs from program to program.
fn shown(finding: &Finding) -> String {
    match finding {
        Finding::Violated => "violated".to_owned(),
        Finding::Safe => "safe".to_owned(),
        Finding::Bounded(_) => "bounded".to_owned(),
        Finding::Unknown(why) => format!("unknown ({why})"),
        Finding::Unchecked => "unchecked".to_owned(),
        Finding::Disagreement(Disagreement::WrongSafe) => "WRONG SAFE".to_owned(),
        Finding::Disagreement(why) => why.class().to_owned(),
    }
}
