//! Engines that prove without bounds, held against all who find bugs: on generated programs (`--about unbounded`), and on mutants of programs that are
//! right (`--mutants N`).

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use raddle_cfront::layout::DataModel;
use raddle_oracle::cases::read_all;
use raddle_oracle::proofs::{Failure, Generated, Limits, Mutants, Source, Summary};
use raddle_oracle::truth::Truth;

use super::Arguments;
use crate::chores::say;

/// Judges get so many times what the engine gets.
const PATIENCE: u32 = 3;

fn limits(arguments: &Arguments) -> Limits {
    let engine = Duration::from_secs(arguments.seconds);
    Limits { engine, judge: engine * PATIENCE, max_states: arguments.max_states }
}

/// Generated programs without bounds.
pub(super) fn generated(arguments: &Arguments) -> Result<()> {
    let step = (arguments.count / 20).max(100);
    let told = AtomicUsize::new(0);
    let campaign = Generated {
        count: arguments.count,
        seed: arguments.seed,
        engine: arguments.engine,
        jobs: arguments.jobs,
        limits: limits(arguments),
        always: arguments.judges_all,
        progress: &|done| {
            if told.fetch_max(done / step, Ordering::Relaxed) < done / step {
                say(&format!("… {done} of {} programs", arguments.count));
            }
        },
    };
    let summary = campaign.run().map_err(anyhow::Error::msg)?;
    for line in &summary.unbuilt {
        say(&format!("NOT BUILT: {line}"));
    }
    if !summary.unbuilt.is_empty() {
        say(&format!("{} programs were not built", summary.unbuilt.len()));
    }
    tell(arguments, &summary)
}

/// Mutants of cases and files.
pub(super) fn mutants(arguments: &Arguments, count: usize) -> Result<()> {
    let mut sources = Vec::new();
    if arguments.files.is_empty() {
        let cases = read_all(arguments.cases.as_deref().unwrap_or_default()).map_err(anyhow::Error::msg)?;
        for case in cases.iter().filter(|case| !case.is_unknown()) {
            let truths = case.truths(raddle_engines::MemoryModel::Sc);
            if truths.properties.iter().all(|&(_, truth)| truth == Truth::Safe) {
                sources.push(Source::of_case(case).map_err(anyhow::Error::msg)?);
            }
        }
    }
    for path in &arguments.files {
        sources.push(read(path)?);
    }
    let told = AtomicUsize::new(0);
    let campaign = Mutants {
        sources: &sources,
        count,
        seed: arguments.seed,
        engine: arguments.engine,
        jobs: arguments.jobs,
        limits: limits(arguments),
        progress: &|done| {
            if told.fetch_max(done / 20, Ordering::Relaxed) < done / 20 {
                say(&format!("… {done} of {} programs", sources.len()));
            }
        },
    };
    let summary = campaign.run().map_err(anyhow::Error::msg)?;
    tell(arguments, &summary)
}

fn read(path: &Path) -> Result<Source> {
    #[expect(clippy::disallowed_methods, reason = "the input")]
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(Source {
        name: path.display().to_string(),
        text,
        model: DataModel::Lp64,
        lowering: raddle_lower::LowerOptions::default(),
    })
}

fn tell(arguments: &Arguments, summary: &Summary) -> Result<()> {
    for failure in &summary.failures {
        report(failure, arguments.keep.as_deref())?;
    }
    say(&format!("engine {}", arguments.engine.name()));
    say(&summary.to_string());
    if summary.failures.is_empty() { Ok(()) } else { bail!("{} wrong proofs", summary.failures.len()) }
}

fn report(failure: &Failure, keep: Option<&Path>) -> Result<()> {
    let property = failure.property.name();
    say(&format!("WRONG PROOF: {}, {property}: {}", failure.name, failure.who));
    let Some(folder) = keep else {
        say(&failure.source);
        return Ok(());
    };
    std::fs::create_dir_all(folder)?;
    let name: String = failure
        .name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .collect();
    let path = folder.join(format!("{}-{property}.c", name.chars().take(80).collect::<String>()));
    #[expect(clippy::disallowed_methods, reason = "what was found is kept where one asks for it")]
    std::fs::write(&path, &failure.source)?;
    say(&format!("  kept as {}", path.display()));
    Ok(())
}
