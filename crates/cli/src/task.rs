//! What `run`, `replay` and `explore` have in common: a program, what to look for, and how findings are reported.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

use raddle_base::{FileId, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::preprocess::Options;
use raddle_ir::Property;
use raddle_lower::{ArithmeticChecks, LowerOptions, SignedOverflow};
use raddle_vm::leak::Reach;
use raddle_vm::trace::{FileInfo, ProgramInfo};
use raddle_vm::{Leak, ReplayedTrace, Story, Trace};

use crate::arguments::{EnvironmentArguments, MessageArguments, PreprocessorArguments, PropertyName};
use crate::load::{self, Runnable};
use crate::output::{self, Exit};

/// A program and what is needed to build it again.
pub(crate) struct Task {
    pub(crate) runnable: Runnable,
    pub(crate) info: ProgramInfo,
}

/// The properties that are asked for, each once.
pub(crate) fn properties(names: &[PropertyName]) -> Vec<Property> {
    let mut list = Vec::new();
    for name in names {
        let chosen: &[Property] = match name {
            PropertyName::Assertion => &[Property::Assertion],
            PropertyName::Deadlock => &[Property::Deadlock],
            PropertyName::LockMisuse => &[Property::LockMisuse],
            PropertyName::DataRace => &[Property::DataRace],
            PropertyName::MemorySafety => &[Property::MemorySafety],
            PropertyName::Overflow => &[Property::Overflow],
            PropertyName::Arithmetic => &[Property::Arithmetic],
            PropertyName::Leak => &[Property::Leak],
            PropertyName::Cleanup => &[Property::Cleanup],
            PropertyName::Uninitialised => &[Property::Uninitialised],
            PropertyName::All => Property::COMMON,
        };
        list.extend(chosen.iter().copied().filter(|property| !list.contains(property)).collect::<Vec<_>>());
    }
    list
}

/// How to lower a program that was built before.
pub(crate) fn lowering(info: &ProgramInfo) -> LowerOptions {
    let arithmetic = ArithmeticChecks { overflow: info.overflow, no_result: info.arithmetic };
    let signed_overflow =
        if info.signed_overflow_undefined { SignedOverflow::Undefined } else { SignedOverflow::Wraps };
    LowerOptions {
        arithmetic,
        signed_overflow,
        arguments: info.arguments.clone(),
        error_labels: info.error_labels.clone(),
        ..LowerOptions::default()
    }
}

/// Builds the program; the arguments in `lowering` are those behind the program's name.
pub(crate) fn build(
    files: &[PathBuf],
    options: &Options,
    lowering: LowerOptions,
    messages: &MessageArguments,
) -> Result<Task, Exit> {
    let name = files.first().map_or_else(String::new, |file| file.display().to_string());
    build_as(&name, files, options, lowering, messages)
}

/// The same for a program that is told that it has some name.
pub(crate) fn build_as(
    name: &str,
    files: &[PathBuf],
    options: &Options,
    mut lowering: LowerOptions,
    messages: &MessageArguments,
) -> Result<Task, Exit> {
    let LowerOptions { arithmetic, signed_overflow, arguments, error_labels, environment, threads: _ } =
        lowering.clone();
    lowering.arguments.insert(0, name.to_owned());
    let runnable = load::program(files, options, lowering, messages)?;
    let hashed = |file: &FileId| hash(&runnable.sources, *file);
    let info = ProgramInfo {
        files: files
            .iter()
            .zip(runnable.files.iter().map(hashed))
            .map(|(name, hash)| FileInfo { name: name.display().to_string(), hash })
            .collect(),
        data_model: match options.model {
            DataModel::Lp64 => "lp64".to_owned(),
            DataModel::Ilp32 => "ilp32".to_owned(),
        },
        preprocessor: PreprocessorArguments::words(options),
        arguments,
        overflow: arithmetic.overflow,
        arithmetic: arithmetic.no_result,
        signed_overflow_undefined: signed_overflow == SignedOverflow::Undefined,
        error_labels,
        environment: EnvironmentArguments::words(&environment),
    };
    Ok(Task { runnable, info })
}

/// A hash of a text (FNV-1a): tells whether a file was changed since, no more.
fn hash(sources: &SourceMap, file: FileId) -> String {
    let bytes = sources.file(file).text.iter();
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("fnv1a:{hash:016x}")
}

impl Task {
    /// Shows a violation as an interleaving.
    pub(crate) fn story(&self, replayed: &ReplayedTrace) -> String {
        let find = |span: raddle_base::Span| self.runnable.sources.locate(span.lo);
        let lines = SourceLines::default();
        let story = Story::of(&self.runnable.program, replayed, &find);
        story.with_source(&|file, line| lines.get(file, line)).render(output::width())
    }

    /// A leak, for people.
    pub(crate) fn leak(&self, leak: &Leak) -> String {
        let at = self.runnable.sources.locate(leak.place.span(&self.runnable.program).lo);
        let at = at.map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
        let how = match leak.reach {
            Reach::Memory => "still reachable",
            Reach::Registers => "reachable from local variables at most",
            Reach::Lost => "lost",
        };
        format!("{} bytes from {}{at}, {how}", leak.size, leak.name)
    }

    /// Writes a trace to the file that was asked for, and says how to see it again.
    pub(crate) fn save(&self, trace: &Trace, file: Option<&PathBuf>) -> Exit {
        let Some(file) = file else { return Exit::Success };
        let mut trace = trace.clone();
        trace.program = self.info.clone();
        let exit = output::write(trace.to_json().as_bytes(), Some(file));
        if exit == Exit::Success {
            output::note(&format!("recorded; to see it again: raddle replay {}", file.display()));
        }
        exit
    }
}

/// The lines of the user's files, read when they are first wanted.
#[derive(Default)]
pub(crate) struct SourceLines(RefCell<BTreeMap<String, Vec<String>>>);

impl SourceLines {
    /// A line, counted from 1; nothing if there is no such file or line.
    pub(crate) fn get(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.0.borrow_mut();
        let lines = files.entry(file.to_owned()).or_insert_with(|| {
            let bytes = output::read_original(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        });
        lines.get(usize::try_from(line).ok()?.checked_sub(1)?).cloned()
    }
}
