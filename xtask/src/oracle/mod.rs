//! Engines held against enumeration: `cargo xtask oracle`.
//!
//! Generated programs, or with `--metamorphic` variants of those under `tests/cases`. What this prints comes from
//! `raddle-oracle`, which does the work; the fixed samples are tests of that crate. Programs with inputs of any value, which
//! enumeration cannot answer, are for several engines: none may deny what another shows.

mod proofs;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use raddle_engines::{Engine, MemoryModel, engine};
use raddle_oracle::build::model_name;
use raddle_oracle::campaign::{Campaign, Failure, Within};
use raddle_oracle::cases::read_all;
use raddle_oracle::compare::Question;
use raddle_oracle::generate::{INCLUDES, Topic, program};
use raddle_oracle::judge::{JudgeReport, judge};

use crate::chores::say;

/// What the command line asks for.
struct Arguments {
    count: usize,
    seed: u64,
    engine: &'static dyn Engine,
    /// By whom the engine is judged, if enumeration cannot.
    against: Vec<&'static dyn Engine>,
    memory_model: MemoryModel,
    keep: Option<PathBuf>,
    jobs: usize,
    seconds: u64,
    max_states: u64,
    unwind_max: u32,
    shrinks: usize,
    within: Option<Within>,
    /// At most so many context switches: for generated programs none to so many, one after the other.
    contexts: Option<u32>,
    shows: bool,
    /// The cases whose name has this in it, instead of generated programs.
    cases: Option<String>,
    /// And their variants.
    metamorphic: bool,
    /// So many mutants of each program that is right, instead of generated programs.
    mutants: Option<usize>,
    /// Files whose mutants are made, besides those of the cases.
    files: Vec<PathBuf>,
    /// Whether all programs are judged, or only what is proved.
    judges_all: bool,
}

/// `cargo xtask oracle [--count N] [--seed S] [--about TOPIC] [--engine NAME] [--memory-model sc|tso|pso] [--keep DIR] [--jobs N]`,
/// and `[--time SECONDS] [--max-states N] [--unwind-max N] [--shrink N] [--show]`; `--cases PART` for the cases whose name has that
/// in it instead, `--metamorphic` for their variants too. `--within ROUNDS,UNWIND` holds engines that go through schedules in
/// rounds against the enumeration of as many rounds. `--contexts N` bounds context switches: to none, one, … N for generated programs, one after
/// the other, and to N for cases. `--about unbounded` and `--mutants N` are for engines that prove without bounds: see [`proofs`].
pub(crate) fn oracle(arguments: &[String]) -> Result<()> {
    let arguments = parse(arguments)?;
    if arguments.shows {
        for seed in (0..arguments.count as u64).map(|offset| arguments.seed.wrapping_add(offset)) {
            say(&format!("// seed {seed}\n{INCLUDES}{}", program(seed).tree));
        }
        return Ok(());
    }
    if let Some(count) = arguments.mutants {
        return proofs::mutants(&arguments, count);
    }
    if Topic::of(arguments.seed) == Topic::Unbounded {
        return proofs::generated(&arguments);
    }
    if arguments.metamorphic || arguments.cases.is_some() {
        return cases(&arguments);
    }
    let problems = Mutex::new(Vec::new());
    let step = (arguments.count / 20).max(200);
    let told = AtomicUsize::new(0);
    let campaign = Campaign {
        count: arguments.count,
        seed: arguments.seed,
        engine: arguments.engine,
        against: &arguments.against,
        memory_model: arguments.memory_model,
        jobs: arguments.jobs,
        max_states: arguments.max_states,
        time: Duration::from_secs(arguments.seconds),
        unwind_max: Some(arguments.unwind_max),
        within: arguments.within,
        contexts: arguments.contexts,
        shrinks: arguments.shrinks,
        progress: &|done| {
            if told.fetch_max(done / step, Ordering::Relaxed) < done / step {
                say(&format!("… {done} of {} programs", arguments.count));
            }
        },
        found: &|failure| {
            if let Err(problem) = report(failure, arguments.keep.as_deref()) {
                problems.lock().expect("nobody panics while reporting").push(problem);
            }
        },
    };
    let summary = campaign.run().map_err(anyhow::Error::msg)?;
    if let Some(problem) = problems.into_inner().expect("nobody panics while reporting").into_iter().next() {
        return Err(problem);
    }
    for line in &summary.unbuilt {
        say(&format!("NOT BUILT: {line}"));
    }
    say(&format!("engine {}, {}", arguments.engine.name(), arguments.memory_model.name()));
    say(&summary.to_string());
    if summary.is_clean() { Ok(()) } else { bail!("{} disagreements", summary.failures.len()) }
}

/// The cases, and with `--metamorphic` all their variants.
fn cases(arguments: &Arguments) -> Result<()> {
    let cases = read_all(arguments.cases.as_deref().unwrap_or_default()).map_err(anyhow::Error::msg)?;
    let question = Question {
        engine: arguments.engine,
        memory_model: arguments.memory_model,
        time: Duration::from_secs(arguments.seconds),
        unwind_max: Some(arguments.unwind_max),
        rounds: None,
        contexts: arguments.contexts,
        seed: arguments.seed,
    };
    let report = JudgeReport::new(&judge(&cases, &question, arguments.jobs, arguments.metamorphic));
    for line in &report.failures {
        say(&format!("WRONG: {line}"));
    }
    for line in report.undecided.iter().filter(|_| !arguments.metamorphic) {
        say(&format!("not decided: {line}"));
    }
    for line in &report.weaker {
        say(&format!("weaker: {line}"));
    }
    say(&format!("engine {}, {}", arguments.engine.name(), arguments.memory_model.name()));
    say(&report.to_string());
    if report.failures.is_empty() { Ok(()) } else { bail!("{} wrong verdicts", report.failures.len()) }
}

fn parse(arguments: &[String]) -> Result<Arguments> {
    let mut parsed = Arguments {
        count: 1_000,
        seed: 1,
        engine: engine("po-bmc").context("the engine is there")?,
        against: Vec::new(),
        memory_model: MemoryModel::Sc,
        keep: None,
        jobs: 2,
        seconds: 10,
        max_states: 20_000,
        unwind_max: 5,
        shrinks: 20,
        within: None,
        contexts: None,
        shows: false,
        cases: None,
        metamorphic: false,
        mutants: None,
        files: Vec::new(),
        judges_all: false,
    };
    let mut topic = Topic::Any;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--count" => parsed.count = value()?.parse()?,
            "--seed" => parsed.seed = value()?.parse()?,
            "--about" => {
                let name = value()?;
                let names: Vec<&str> = Topic::ALL.iter().map(|topic| topic.name()).collect();
                let unknown = || format!("programs are about {}, not `{name}`", names.join(", "));
                topic = Topic::from_name(name).with_context(unknown)?;
            }
            "--engine" => {
                let name = value()?;
                parsed.engine = engine(name).with_context(|| format!("no engine is called `{name}`"))?;
            }
            "--memory-model" => {
                let name = value()?;
                let found = MemoryModel::ALL.iter().find(|model| model.name() == name);
                parsed.memory_model =
                    *found.with_context(|| format!("no memory model is called `{name}`"))?;
            }
            "--keep" => parsed.keep = Some(PathBuf::from(value()?)),
            "--jobs" => parsed.jobs = value()?.parse()?,
            "--time" => parsed.seconds = value()?.parse()?,
            "--unwind-max" => parsed.unwind_max = value()?.parse()?,
            "--max-states" => parsed.max_states = value()?.parse()?,
            "--shrink" => parsed.shrinks = value()?.parse()?,
            "--within" => parsed.within = Some(within(value()?)?),
            "--contexts" => parsed.contexts = Some(value()?.parse()?),
            "--show" => parsed.shows = true,
            "--metamorphic" => parsed.metamorphic = true,
            "--cases" => parsed.cases = Some(value()?.clone()),
            "--mutants" => parsed.mutants = Some(value()?.parse()?),
            "--judge-all" => parsed.judges_all = true,
            file if !file.starts_with('-') => parsed.files.push(PathBuf::from(file)),
            other => bail!("`{other}` means nothing here"),
        }
    }
    parsed.seed = parsed.seed.wrapping_add(topic.first_seed());
    if topic == Topic::Inputs {
        parsed.against = ["lazy", "random"].iter().filter_map(|name| engine(name)).collect();
    }
    Ok(parsed)
}

/// `ROUNDS,UNWIND`
fn within(text: &str) -> Result<Within> {
    let (rounds, unwind) = text.split_once(',').context("--within needs ROUNDS,UNWIND")?;
    Ok(Within { rounds: rounds.parse()?, unwind: unwind.parse()? })
}

/// Tells a disagreement and keeps the program if a folder is given.
fn report(failure: &Failure, keep: Option<&Path>) -> Result<()> {
    let model = model_name(failure.model);
    let property = failure.property.name();
    say(&format!("DISAGREEMENT: seed {} ({model}), {property}: {}", failure.seed, failure.what));
    match keep {
        Some(folder) => {
            std::fs::create_dir_all(folder)?;
            let path = folder.join(format!("oracle-{}-{model}-{property}.c", failure.seed));
            #[expect(clippy::disallowed_methods, reason = "what was found is kept where one asks for it")]
            std::fs::write(&path, &failure.text)?;
            say(&format!("  kept as {}", path.display()));
        }
        None => say(&failure.text),
    }
    Ok(())
}
