//! One program, run twice: as gcc compiles it, and as we lower and interpret it.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use raddle_base::{Diagnostics, Severity, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_cfront::preprocess::{Options, Preprocessor};
use raddle_ir::Property;
use raddle_lower::{LowerOptions, Lowered, lower, models};
use raddle_vm::memory::Memory;
use raddle_vm::schedule::RoundRobin;
use raddle_vm::{Event, Exit, Observer, Outcome, Stream, Vm, ZeroInputs};

use crate::chores::command;

/// No program of the comparison makes more steps.
const MAX_STEPS: u64 = 20_000_000;
/// No program of the comparison runs longer as gcc builds it, in seconds.
const MAX_SECONDS: &str = "10";
/// What a shell makes of a process that `abort` ended.
const ABORTED: i32 = 134;

/// What a run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) output: Vec<u8>,
    pub(crate) status: i32,
}

/// Keeps what the program prints to its standard output.
#[derive(Default)]
struct Listener {
    output: Vec<u8>,
}

impl Observer for Listener {
    const WATCHES: bool = false;
    fn event(&mut self, _: &Event, _: &Memory) {}
    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        if stream == Stream::Out {
            self.output.extend_from_slice(bytes);
        }
    }
}

/// Lowers and interprets the program in a file.
pub(crate) fn ours(path: &Path, model: DataModel) -> Result<Shown> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(Options { model, ..Options::default() });
    let file = preprocessor.load(&mut sources, path, &mut diagnostics);
    let (name, text) = models();
    let models = sources.add(name, text.into_bytes());
    let units: Vec<_> = file.into_iter().chain(models).collect();
    let parsed = parse_program(&mut sources, &units, model);
    diagnostics.append(parsed.diagnostics);
    refuse_errors(&diagnostics, &sources)?;
    let options = LowerOptions { arguments: vec!["program".to_owned()], ..LowerOptions::default() };
    let Lowered { program, diagnostics } = lower(&parsed.ast, options, 1);
    refuse_errors(&diagnostics, &sources)?;
    let program = program.context("there is no program")?;
    let machine = Vm::checking(
        &program,
        &[Property::Assertion, Property::MemorySafety, Property::Overflow, Property::Arithmetic],
    );
    let mut listener = Listener::default();
    let options = raddle_vm::Options { max_steps: MAX_STEPS, ..raddle_vm::Options::default() };
    let result =
        raddle_vm::run(&machine, &mut RoundRobin::new(u64::MAX), &mut ZeroInputs, &options, &mut listener);
    let status = match &result.outcome {
        Outcome::Exited(Exit::Status(status)) => *status & 0xff,
        Outcome::Exited(Exit::Abort) => ABORTED,
        Outcome::Violated(violation) => {
            let place =
                sources.locate(violation.span.lo).map(|place| format!("{}:{}", place.file, place.line));
            bail!("{} at {}", violation.message, place.unwrap_or_default())
        }
        Outcome::Unsupported { what, place } => {
            let span = place.span(&program);
            let place = sources.locate(span.lo).map(|place| format!("{}:{}", place.file, place.line));
            bail!("not supported: {what} at {}", place.unwrap_or_default())
        }
        Outcome::Deadlock(_)
        | Outcome::StepLimit
        | Outcome::Stopped
        | Outcome::Halted
        | Outcome::Exhausted(_) => bail!("it does not end: {:?}", result.outcome),
    };
    Ok(Shown { output: listener.output, status })
}

fn refuse_errors(diagnostics: &Diagnostics, sources: &SourceMap) -> Result<()> {
    let Some(error) = diagnostics.iter().find(|found| found.severity == Severity::Error) else {
        return Ok(());
    };
    let place = sources.locate(error.primary.span.lo).map(|place| format!("{}:{}", place.file, place.line));
    bail!("{} at {}", error.message, place.unwrap_or_default())
}

/// Compiles the program in a file with gcc, without optimisation, and runs it; `None` when gcc itself crashes on it.
pub(crate) fn native(path: &Path, scratch: &Scratch) -> Result<Option<Shown>> {
    let binary = scratch.file("program");
    let mut gcc = command("gcc");
    gcc.args(["-O0", "-w", "-std=gnu17", "-o"]).arg(&binary).arg(path).arg("-lm");
    let output = gcc.output().context("cannot start gcc")?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr);
        if messages.contains("internal compiler error") {
            return Ok(None);
        }
        bail!("gcc refuses it: {messages}");
    }
    let mut program = command("timeout");
    program.args(["--foreground", MAX_SECONDS]).arg(&binary);
    let output = program.output().context("cannot start the program")?;
    // Death by a signal counts as the shell counts it.
    let status = output.status.code().or_else(|| output.status.signal().map(|signal| 128 + signal));
    let status = status.context("the program ended neither way")?;
    if status == 124 {
        bail!("the gcc build does not end");
    }
    Ok(Some(Shown { output: output.stdout, status }))
}

/// A folder of one's own for files that come and go.
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    pub(crate) fn new(name: &str) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("raddle-differential-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.file(name);
        #[expect(clippy::disallowed_methods, reason = "gcc reads files")]
        fs::write(&path, text)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind lies in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What the two runs differ in, if they do.
pub(crate) fn compare(native: &Shown, ours: &Shown) -> Option<String> {
    if native == ours {
        return None;
    }
    let (theirs_text, our_text) =
        (String::from_utf8_lossy(&native.output), String::from_utf8_lossy(&ours.output));
    let mut lines = theirs_text.lines().zip(our_text.lines()).enumerate();
    if let Some((number, (gcc, raddle))) = lines.find(|(_, (gcc, raddle))| gcc != raddle) {
        return Some(format!("line {}: gcc prints `{gcc}`, we print `{raddle}`", number + 1));
    }
    if native.status != ours.status {
        return Some(format!("gcc's build exits with {}, ours with {}", native.status, ours.status));
    }
    Some(format!(
        "gcc's build prints {} bytes, ours {}: `{}`",
        native.output.len(),
        ours.output.len(),
        our_text.lines().last().unwrap_or_default()
    ))
}
