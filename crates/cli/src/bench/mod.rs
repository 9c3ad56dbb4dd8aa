//! `raddle bench`: a set of tasks with known verdicts, each checked in a process of its own.
//!
//! [`tasks`] finds them, [`campaign`] runs them several at a time, [`raddle_base::process`] watches one run, [`answer`] judges what it said.
//! Then [`record`] keeps the results, and [`summary`] and [`compare`] tell them. A wrong verdict is told first and cannot be
//! overlooked; nothing else is called wrong.

mod answer;
mod campaign;
mod compare;
mod progress;
mod record;
mod status;
mod summary;
mod tasks;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use raddle_base::process::Limits;

use crate::arguments::BenchArguments;
use crate::output::{self, Exit};
use campaign::{Campaign, Results};
use record::{Earlier, Writer};
use status::{Group, Status};
use tasks::{Found, Task};

/// A checker that keeps its limit ends by itself; after so long it is killed.
const GRACE: Duration = Duration::from_secs(2);

/// Runs the command.
pub(crate) fn run(arguments: &BenchArguments) -> Exit {
    match prepare(arguments) {
        Ok(prepared) => prepared.run(arguments),
        Err(problems) => {
            for problem in problems.lines() {
                output::note(problem);
            }
            Exit::InputError
        }
    }
}

/// All that can be wrong before the first task runs has been looked at.
struct Prepared {
    property: String,
    found: Found,
    earlier: Option<Vec<Earlier>>,
    csv: Option<Writer>,
    checker: Vec<OsString>,
}

fn prepare(arguments: &BenchArguments) -> Result<Prepared, String> {
    let property = property_name(&arguments.property)?;
    let found = tasks::find(&arguments.paths, &property)?;
    if found.tasks.is_empty() {
        return Err(format!("no tasks for the property `{property}`{}", skipped(&found)));
    }
    let cannot = |what: &str, path: &Path, why: &str| format!("cannot {what} {}: {why}", path.display());
    let earlier = match &arguments.compare {
        Some(path) => {
            let file = File::open(path).map_err(|error| cannot("read", path, &error.to_string()))?;
            Some(record::read(file, &property).map_err(|why| cannot("read", path, &why))?)
        }
        None => None,
    };
    let checker = match &arguments.checker {
        Some(program) => vec![program.clone().into_os_string()],
        None => {
            let own = std::env::current_exe().map_err(|error| format!("cannot find myself: {error}"))?;
            vec![own.into_os_string(), "check".into()]
        }
    };
    // Last: the file may be the very one that was read above, and is emptied here.
    let csv = match &arguments.csv {
        Some(path) => {
            Some(Writer::create(path, &property).map_err(|error| cannot("write", path, &error.to_string()))?)
        }
        None => None,
    };
    Ok(Prepared { property, found, earlier, csv, checker })
}

/// `unreach-call`, also from the name of its file.
fn property_name(written: &str) -> Result<String, String> {
    let path = Path::new(written);
    let name = if path.extension().is_some_and(|extension| extension == "prp") {
        path.file_stem().and_then(|stem| stem.to_str())
    } else {
        Some(written)
    };
    match name {
        Some(name) if !name.is_empty() && !name.contains('/') => Ok(name.to_owned()),
        _ => Err(format!("`{written}` is no property; name one like `unreach-call`")),
    }
}

/// What was found and is not run: `; skipped: …`, or nothing.
fn skipped(found: &Found) -> String {
    let counts = [
        (found.without_property, "without the property"),
        (found.without_verdict, "without an expected verdict"),
        (found.no_tasks, "not a task file"),
    ];
    let parts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}")).collect();
    if parts.is_empty() { String::new() } else { format!("; skipped: {}", parts.join(", ")) }
}

impl Prepared {
    fn run(self, arguments: &BenchArguments) -> Exit {
        let jobs = arguments.jobs.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            |jobs| usize::try_from(jobs).unwrap_or(usize::MAX),
        );
        let heading = format!(
            "{}, property {}, {} s and {} MB each, {jobs} at a time{}\n",
            summary::counted(self.found.tasks.len(), "task"),
            self.property,
            arguments.timeout.as_secs_f64(),
            record::megabytes(arguments.memory),
            skipped(&self.found),
        );
        let _ = output::write(heading.as_bytes(), None);
        let cancelled = cancelled_by_signals();
        let checker = &self.checker;
        let campaign = Campaign {
            tasks: &self.found.tasks,
            command: &|task| words(checker, arguments, task),
            limits: Limits {
                wall: arguments.timeout.saturating_add(GRACE),
                cpu: arguments.cpu_time,
                memory_bytes: arguments.memory + arguments.memory / 10,
            },
            jobs,
            repeat: usize::try_from(arguments.repeat).unwrap_or(usize::MAX),
            cancelled: &cancelled,
        };
        let results = campaign.run(self.csv);
        if let Some(error) = &results.start_error {
            output::note(&format!("cannot run {}: {error}", checker[0].display()));
            return Exit::InputError;
        }
        let interrupted = cancelled.load(Ordering::Relaxed);
        let earlier = arguments.compare.as_deref().zip(self.earlier.as_deref());
        let text = report(&results, &self.property, earlier, self.found.tasks.len());
        let written = output::write(text.as_bytes(), None);
        if let Some(error) = &results.write_error {
            output::note(&format!("the results are not all in the file: {error}"));
        }
        let file_complete = results.write_error.is_none() && written == Exit::Success;
        exit(&results, interrupted, file_complete)
    }
}

/// The words that start the checker on a task. What the user gives after `--` stands instead of ours.
fn words(checker: &[OsString], arguments: &BenchArguments, task: &Task) -> Vec<OsString> {
    let mut ours: Vec<(&str, OsString)> = vec![
        ("--timeout", arguments.timeout.as_secs_f64().to_string().into()),
        ("--memory", record::megabytes(arguments.memory).to_string().into()),
        ("--property", task.property_file.clone().into_os_string()),
    ];
    if arguments.checker.is_none() {
        // It tells sizes, too. Others tell what they tell to people.
        ours.push(("--format", "json".into()));
    }
    let mut words = checker.to_vec();
    for (option, value) in ours {
        let given = |word: &OsString| {
            let word = word.to_string_lossy();
            word.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        if !arguments.check_options.iter().any(given) {
            words.extend([option.into(), value]);
        }
    }
    words.extend(arguments.check_options.iter().cloned());
    words.push(task.path.clone().into_os_string());
    words
}

/// A flag that Ctrl-C and the other polite signals set.
fn cancelled_by_signals() -> Arc<AtomicBool> {
    let cancelled = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
        if let Err(error) = signal_hook::flag::register(signal, Arc::clone(&cancelled)) {
            output::note(&format!("signal {signal} will not be noticed: {error}"));
        }
    }
    cancelled
}

fn report(results: &Results, property: &str, earlier: Option<(&Path, &[Earlier])>, total: usize) -> String {
    let records = &results.records;
    let mut text = String::from("\n");
    let wrong = summary::wrong(records, property);
    if !wrong.is_empty() {
        text.extend([wrong.as_str(), "\n"]);
    }
    if records.len() < total {
        let all = summary::counted(total, "task");
        writeln!(text, "INTERRUPTED: {} of {all} done\n", records.len())
            .expect("writing to a string cannot fail");
    }
    text.push_str(&summary::table(records));
    text.push_str(&summary::undecided(records));
    if let Some((path, earlier)) = earlier {
        text.push_str(&compare::compare(records, earlier, &path.display().to_string()));
    }
    if !wrong.is_empty() {
        text.extend(["\n", wrong.lines().next().unwrap_or_default(), " (listed above)\n"]);
    }
    text
}

fn exit(results: &Results, interrupted: bool, all_written: bool) -> Exit {
    let any = |test: fn(Status) -> bool| results.records.iter().any(|record| test(record.status));
    if any(|status| status.group() == Group::Wrong) {
        Exit::Violation
    } else if any(|status| status == Status::InternalError) {
        Exit::InternalError
    } else if !all_written {
        Exit::InputError
    } else if interrupted {
        Exit::Unknown
    } else {
        Exit::Success
    }
}
