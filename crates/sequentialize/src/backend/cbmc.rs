//! CBMC: runs it on a sequential program, and reads what it says.
//!
//! CBMC gives its answer twice, by its exit code and by a JSON document (`--json-ui`), and both must agree: 0 and success, or
//! 10 and failure with a trace of every property that fails. Anything else is "unknown" with the words of the tool, or, if the
//! document has another shape than that of CBMC 6, an error that names its position. Of a trace only the assignments count that
//! the driver and the functions for inputs make (`passes::lazy` and `passes::instrument` say which).

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use raddle_base::process::{self, Ending, Limits, Run};
use raddle_cfront::layout::DataModel;
use serde_json::Value;

pub use super::json::ReadError;

use super::Bounds;
use super::counterexample::{CheckKind, Counterexample, InputValue, ReportedInput, ReportedTurn};
use super::json::At;

/// The variable that says which round it is.
pub const ROUND: &str = "__raddle_round";
/// The variable that is set when all rounds are over.
pub const PROBE: &str = "__raddle_probe";
/// The variable that says whose turn it is.
pub const CURRENT: &str = "__raddle_current";
/// The variable that says at which label the thread will be left.
pub const LEAVE: &str = "__raddle_leave";
/// The array that says which threads were started.
pub const ACTIVE: &str = "__raddle_active";
/// Functions whose names begin so give the program its inputs.
pub const INPUT_FUNCTIONS: &str = "__raddle_any_";
/// The variable in them that holds the value.
pub const INPUT: &str = "__raddle_value";

/// What CBMC found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CbmcAnswer {
    /// No check can fail.
    Safe,
    /// These checks can fail, each in its own way.
    Fails(Vec<Counterexample>),
    /// It came to no answer, for this reason.
    Unknown(String),
}

/// Why there is no answer at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no such program on the path.
    #[error("`{0}` is not on the PATH")]
    Missing(String),
    /// It cannot be started, or the files it needs cannot be made.
    #[error("cannot run `{program}`: {error}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// Its answer is not understood.
    #[error("the answer of CBMC is not understood: {0}")]
    Read(#[from] ReadError),
}

/// The command line for a file. Only what is asserted in the file is checked, and memory never runs out, as everywhere here.
#[must_use]
pub fn command(program: &str, file: &str, bounds: Bounds) -> Vec<String> {
    let width = match bounds.model {
        DataModel::Lp64 => "--64",
        DataModel::Ilp32 => "--32",
    };
    let tests = super::inner_unwind(bounds.unwind).saturating_add(1).to_string();
    let words = [
        program,
        "--json-ui",
        "--trace",
        width,
        // No checks of CBMC's own: what is undefined is asserted in the text, where we want it.
        "--no-standard-checks",
        "--no-malloc-may-fail",
        "--unwind",
        &tests,
        "--no-unwinding-assertions",
        file,
    ];
    words.map(str::to_owned).to_vec()
}

/// Looks for a program in the directories of a `PATH`.
#[must_use]
pub fn find(program: &str, path: &std::ffi::OsStr) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt as _;
    std::env::split_paths(path).map(|folder| folder.join(program)).find(|file| {
        std::fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    })
}

/// Runs CBMC on a file and reads its answer. `path` is the search path for programs.
///
/// # Errors
/// When CBMC is not there, cannot be started, or answers in a way that is not understood.
pub fn run(
    path: &std::ffi::OsStr,
    file: &Path,
    bounds: Bounds,
    limits: &Limits,
    stop: &dyn Fn() -> bool,
) -> Result<CbmcAnswer, RunError> {
    let Some(program) = find("cbmc", path) else { return Err(RunError::Missing("cbmc".to_owned())) };
    let (program, file) = (program.display().to_string(), file.display().to_string());
    let words: Vec<OsString> = command(&program, &file, bounds).into_iter().map(OsString::from).collect();
    match process::run(&words, limits, stop) {
        Ok(run) => Ok(answer(&run, &file)?),
        Err(error) => Err(RunError::Start { program, error }),
    }
}

/// What a finished run of CBMC says about `file`.
///
/// # Errors
/// When its document has another shape than expected, or disagrees with its exit code.
pub fn answer(run: &Run, file: &str) -> Result<CbmcAnswer, ReadError> {
    match run.ending {
        // The only two codes that are answers.
        Ending::Code(code @ (0 | 10)) => read(&run.stdout, code, file),
        Ending::Code(code) => Ok(CbmcAnswer::Unknown(format!("CBMC ended with code {code}{}", said(run)))),
        Ending::Signal(signal) => {
            Ok(CbmcAnswer::Unknown(format!("CBMC was ended by signal {signal}{}", said(run))))
        }
        Ending::OverTime => Ok(CbmcAnswer::Unknown("CBMC ran out of time".to_owned())),
        Ending::OverMemory => Ok(CbmcAnswer::Unknown("CBMC ran out of memory".to_owned())),
        Ending::Cancelled => Ok(CbmcAnswer::Unknown("CBMC was stopped".to_owned())),
    }
}

/// What CBMC complained about: the last error in its document, or its last words.
fn said(run: &Run) -> String {
    let document: Option<Value> = serde_json::from_str(&run.stdout).ok();
    let is_error = |message: &&Value| message["messageType"] == "ERROR";
    let messages = document.as_ref().and_then(Value::as_array);
    let error = messages
        .and_then(|messages| messages.iter().rev().find(is_error))
        .and_then(|message| message["messageText"].as_str());
    let last = run.stderr.lines().rev().find(|line| !line.trim().is_empty());
    error.or(last).map_or_else(String::new, |words| format!(": {}", words.trim()))
}

/// Reads the document of a run that ended with this code, 0 or 10.
fn read(text: &str, code: i32, file: &str) -> Result<CbmcAnswer, ReadError> {
    let value: Value = serde_json::from_str(text).map_err(|error| ReadError {
        place: format!("line {}, column {}", error.line(), error.column()),
        // Any text that is no document is an error, and never an answer.
        problem: error.to_string(),
    })?;
    let document = At::document(&value);
    let mut results = None;
    let mut status = None;
    // Parts may come in any order; what is not known at all is an error.
    for part in document.elements()? {
        if let Some(result) = part.find("result")? {
            results = Some(result);
        } else if let Some(found) = part.find("cProverStatus")? {
            status = Some(found.text()?);
        } else if part.find("messageText")?.is_none() && part.find("program")?.is_none() {
            return part.error("neither a message nor a result");
        }
    }
    let Some(status) = status else { return document.error("`cProverStatus` is missing") };
    let failures = match results {
        Some(results) => failures(&results, file)?,
        // A program without anything to check.
        None => Vec::new(),
    };
    // Exit code, status and properties must say the same. A tool that changed its mind in between is not
    // believed.
    match (code, status, failures.is_empty()) {
        (0, "success", true) => Ok(CbmcAnswer::Safe),
        (10, "failure", false) => Ok(CbmcAnswer::Fails(failures)),
        (10, "failure", true) => document.error("it failed, but no property did"),
        _ => document.error(format!("the exit code is {code}, but `cProverStatus` is `{status}`")),
    }
}

/// The properties that fail.
fn failures(results: &At<'_>, file: &str) -> Result<Vec<Counterexample>, ReadError> {
    let mut found = Vec::new();
    for property in results.elements()? {
        let status = property.member("status")?;
        match status.text()? {
            "SUCCESS" => {}
            "FAILURE" => found.push(counterexample(&property, file)?),
            other => return status.error(format!("`SUCCESS` or `FAILURE` is expected, not `{other}`")),
        }
    }
    Ok(found)
}

fn counterexample(property: &At<'_>, file: &str) -> Result<Counterexample, ReadError> {
    let description = property.member("description")?;
    // Every assertion in the text was written by us, with the kind in front.
    let Some((kind, message)) = CheckKind::split(description.text()?) else {
        return description.error("this is no check of ours");
    };
    let place = property.member("sourceLocation")?;
    let Some(line) = own_line(&place, file)? else { return place.error("this is not in the program") };
    let name = property.member("property")?.text()?;
    let mut reader = TraceReader {
        file,
        turns: Vec::new(),
        started: Vec::new(),
        round: 0,
        next: None,
        caller: None,
        over: false,
    };
    let trace = property.member("trace")?;
    let steps = trace.elements()?;
    // CBMC ends a trace with the step that fails; anything else would be a trace of something else.
    let Some((last, before)) = steps.split_last() else { return trace.error("the trace is empty") };
    for step in before {
        reader.step(step)?;
    }
    if last.member("stepType")?.text()? != "failure" || last.member("property")?.text()? != name {
        return last.error(format!("the trace does not end with the failure of `{name}`"));
    }
    // A trace without turns says nothing that could be replayed.
    if reader.turns.is_empty() {
        return trace.error(format!("`{LEAVE}` is never set: no thread has a turn"));
    }
    Ok(Counterexample {
        kind,
        message: message.to_owned(),
        line,
        turns: reader.turns,
        started: reader.started,
    })
}

/// The line of a source location, if that is in our own file.
fn own_line(place: &At<'_>, file: &str) -> Result<Option<u32>, ReadError> {
    match place.find("file")? {
        Some(found) if found.text()? == file => Ok(Some(place.member("line")?.number_in_text()?)),
        Some(_) | None => Ok(None),
    }
}

/// Goes along a trace.
struct TraceReader<'a> {
    file: &'a str,
    turns: Vec<ReportedTurn>,
    started: Vec<u32>,
    round: u32,
    /// The thread whose turn is next, before it is known where it will be left.
    next: Option<u32>,
    /// The line of the last call of a function that gives an input.
    caller: Option<u32>,
    /// Whether all rounds are over.
    over: bool,
}

impl TraceReader<'_> {
    fn step(&mut self, step: &At<'_>) -> Result<(), ReadError> {
        let kind = step.member("stepType")?;
        match kind.text()? {
            "assignment" => self.assignment(step),
            "function-call" => self.call(step),
            "function-return" | "location-only" | "loop-head" | "input" | "output" => Ok(()),
            // An unknown step may be one that matters.
            other => kind.error(format!("a step of kind `{other}` is not known here")),
        }
    }

    fn call(&mut self, step: &At<'_>) -> Result<(), ReadError> {
        let name = step.member("function")?.member("displayName")?.text()?;
        if name.starts_with(INPUT_FUNCTIONS) {
            // The line of the call says whose input the next value is.
            self.caller = own_line(&step.member("sourceLocation")?, self.file)?;
        }
        Ok(())
    }

    fn assignment(&mut self, step: &At<'_>) -> Result<(), ReadError> {
        // Hidden ones are those of static initialisation and declaration.
        // When the rounds are over, the driver only asks whether all threads are stuck.
        if step.member("hidden")?.truth()? || self.over {
            return Ok(());
        }
        match step.member("lhs")?.text()? {
            ROUND => self.round = small(&step.member("value")?)?,
            PROBE => self.over = true,
            CURRENT => self.next = Some(small(&step.member("value")?)?),
            LEAVE => {
                let leave = small(&step.member("value")?)?;
                // Taken, so that each turn needs a thread of its own.
                let Some(thread) = self.next.take() else {
                    return step.error(format!("`{LEAVE}` is set, but `{CURRENT}` was not"));
                };
                self.turns.push(ReportedTurn { round: self.round, thread, leave, inputs: Vec::new() });
            }
            INPUT => {
                let value = value(&step.member("value")?)?;
                // A value without a caller could be matched to the wrong input.
                let Some(line) = self.caller.take() else {
                    return step.error(format!("`{INPUT}` is set, but it is not known for whom"));
                };
                // Between two turns the driver itself asks.
                if let (None, Some(turn)) = (self.next, self.turns.last_mut()) {
                    turn.inputs.push(ReportedInput { line, value });
                }
            }
            other => self.started.extend(started(other)),
        }
        Ok(())
    }
}

/// The number in `__raddle_active[2l]`. `main` is always there.
fn started(place: &str) -> Option<u32> {
    let index = place.strip_prefix(ACTIVE)?.strip_prefix('[')?.strip_suffix(']')?;
    index.trim_end_matches(['u', 'l']).parse().ok().filter(|&number| number > 0)
}

/// A small number.
fn small(at: &At<'_>) -> Result<u32, ReadError> {
    match value(at)? {
        InputValue::Bits { bits, .. } => {
            u32::try_from(bits).or_else(|_| at.error("a small number is expected"))
        }
        InputValue::Null | InputValue::Pointer(_) => at.error("a number is expected"),
    }
}

fn value(at: &At<'_>) -> Result<InputValue, ReadError> {
    let name = at.member("name")?;
    match name.text()? {
        "integer" | "float" => bits(at),
        "pointer" => {
            let data = at.member("data")?.text()?;
            // A null pointer may be written with a cast.
            let null = data == "NULL" || data.ends_with(")NULL");
            Ok(if null { InputValue::Null } else { InputValue::Pointer(data.to_owned()) })
        }
        other => name.error(format!("a value of kind `{other}` is not known here")),
    }
}

fn bits(at: &At<'_>) -> Result<InputValue, ReadError> {
    let width = at.member("width")?.number()?;
    let binary = at.member("binary")?;
    let digits = binary.text()?;
    // The width and the digits say the same twice; both must agree.
    if width == 0 || width > u128::BITS || digits.len() != width as usize {
        return binary.error(format!("{width} binary digits are expected"));
    }
    match u128::from_str_radix(digits, 2) {
        Ok(bits) if !digits.starts_with('+') => Ok(InputValue::Bits { bits, width }),
        Ok(_) | Err(_) => binary.error("binary digits are expected"),
    }
}
