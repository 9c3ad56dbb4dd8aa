//! Native runs held against enumeration and engines: `cargo xtask outcomes`.
//!
//! What this prints comes from `raddle-oracle`, which does the work; a fixed sample is a test of that crate.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use raddle_base::Budget;
use raddle_engines::{Engine, engine};
use raddle_oracle::outcomes::referee::{Mismatch, Referee};
use raddle_oracle::outcomes::{INCLUDES, Topic, scenario};

use crate::chores::say;

/// What the command line asks for.
struct Arguments {
    count: usize,
    seed: u64,
    about: Option<Topic>,
    runs: u32,
    sanitize: usize,
    jobs: usize,
    max_states: u64,
    seconds: u64,
    engines: Vec<&'static dyn Engine>,
    others: u64,
    keep: PathBuf,
    shows: bool,
}

/// `cargo xtask outcomes [--count N] [--seed S] [--about TOPIC] [--runs R] [--sanitize N] [--engines NAMES] [--keep DIR]`, and
/// `[--others N] [--jobs N] [--max-states N] [--time SECONDS] [--show]`. gcc builds some programs together, with optimisations that
/// take turns, and each is run `R` times. The first engine is asked about every program, one of the others about one program in
/// `--others`.
pub(crate) fn outcomes(arguments: &[String]) -> Result<()> {
    let arguments = parse(arguments)?;
    if arguments.shows {
        for seed in (0..arguments.count as u64).map(|offset| arguments.seed.wrapping_add(offset)) {
            say(&format!("// seed {seed}\n{INCLUDES}{}", scenario(seed, arguments.about).ours(None)));
        }
        return Ok(());
    }
    let problems = Mutex::new(Vec::new());
    let step = (arguments.count / 20).max(100);
    let told = AtomicUsize::new(0);
    let clock = Budget::unlimited();
    let referee = Referee {
        count: arguments.count,
        seed: arguments.seed,
        about: arguments.about,
        runs: arguments.runs,
        sanitize: arguments.sanitize,
        jobs: arguments.jobs,
        max_states: arguments.max_states,
        engines: &arguments.engines,
        others: arguments.others,
        time: Duration::from_secs(arguments.seconds),
        progress: &|done| {
            if told.fetch_max(done / step, Ordering::Relaxed) < done / step {
                say(&format!("… {done} of {} programs", arguments.count));
            }
        },
        found: &|mismatch| {
            if let Err(problem) = report(mismatch, &arguments.keep) {
                problems.lock().expect("nobody panics while reporting").push(problem);
            }
        },
    };
    let summary = referee.run().map_err(anyhow::Error::msg)?;
    if let Some(problem) = problems.into_inner().expect("nobody panics while reporting").into_iter().next() {
        return Err(problem);
    }
    say(&summary.to_string());
    let seconds = clock.elapsed().as_secs_f64();
    say(&format!("{:.1} programs a second", summary.programs as f64 / seconds.max(1e-9)));
    if summary.mismatches.is_empty() { Ok(()) } else { bail!("{} mismatches", summary.mismatches.len()) }
}

fn parse(arguments: &[String]) -> Result<Arguments> {
    let mut parsed = Arguments {
        count: 1_000,
        seed: 1,
        about: None,
        runs: 50,
        sanitize: 0,
        jobs: 2,
        max_states: 20_000,
        seconds: 2,
        engines: engines("po-bmc,portfolio,lazy,lal-reps,random")?,
        others: 6,
        keep: std::env::temp_dir().join("raddle-outcomes"),
        shows: false,
    };
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
                parsed.about = Some(Topic::from_name(name).with_context(unknown)?);
            }
            "--runs" => parsed.runs = value()?.parse()?,
            "--sanitize" => parsed.sanitize = value()?.parse()?,
            "--jobs" => parsed.jobs = value()?.parse()?,
            "--max-states" => parsed.max_states = value()?.parse()?,
            "--time" => parsed.seconds = value()?.parse()?,
            "--engines" => parsed.engines = engines(value()?)?,
            "--others" => parsed.others = value()?.parse()?,
            "--keep" => parsed.keep = PathBuf::from(value()?),
            "--show" => parsed.shows = true,
            other => bail!("`{other}` means nothing here"),
        }
    }
    Ok(parsed)
}

/// Engines by name, separated by commas; none if there is nothing.
fn engines(names: &str) -> Result<Vec<&'static dyn Engine>> {
    let names = names.split(',').filter(|name| !name.is_empty());
    names.map(|name| engine(name).with_context(|| format!("no engine is called `{name}`"))).collect()
}

/// Tells a mismatch and keeps the program, as we are given it and as gcc is.
fn report(mismatch: &Mismatch, keep: &Path) -> Result<()> {
    let seed = mismatch.scenario.seed;
    say(&format!("MISMATCH: seed {seed}: {}", mismatch.what));
    std::fs::create_dir_all(keep)?;
    let mut numbers = (0..).map(|number: u32| keep.join(format!("outcomes-{seed}-{number}.c")));
    let path = numbers.find(|path| !path.exists()).context("some number is free")?;
    for (path, text) in [(&path, mismatch.text()), (&path.with_extension("native.c"), mismatch.native_text())]
    {
        #[expect(clippy::disallowed_methods, reason = "what was found is kept")]
        std::fs::write(path, text)?;
    }
    say(&format!("  kept as {}", path.display()));
    Ok(())
}
