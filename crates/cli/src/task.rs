//! What `run`, `replay` and `explore` have in common: a program, what to look for, and how findings are told.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

use raddle_base::{FileId, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::preprocess::Options;
use raddle_ir::{Function, Property, Type};
use raddle_lower::LowerOptions;
use raddle_vm::story;
use raddle_vm::trace::{FileInfo, ProgramInfo};
use raddle_vm::{Leak, Machine, Options as RunOptions, Trace};

use crate::arguments::{MessageArguments, PreprocessorArguments, PropertyName};
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
            PropertyName::All => Property::ALL,
        };
        list.extend(chosen.iter().copied().filter(|property| !list.contains(property)).collect::<Vec<_>>());
    }
    list
}

/// Builds the program.
pub(crate) fn build(
    files: &[PathBuf],
    options: &Options,
    arguments: &[String],
    overflow: bool,
    messages: &MessageArguments,
) -> Result<Task, Exit> {
    build_with_errors(files, options, arguments, (overflow, &[]), messages)
}

/// Builds the program; whether overflow is checked and which labels are errors changes it.
pub(crate) fn build_with_errors(
    files: &[PathBuf],
    options: &Options,
    arguments: &[String],
    (overflow, error_labels): (bool, &[String]),
    messages: &MessageArguments,
) -> Result<Task, Exit> {
    let name = files.first().map_or_else(String::new, |file| file.display().to_string());
    let all: Vec<String> = std::iter::once(name).chain(arguments.iter().cloned()).collect();
    let lowering = LowerOptions { overflow, arguments: all, error_labels: error_labels.to_vec() };
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
        arguments: arguments.to_vec(),
        overflow,
        error_labels: error_labels.to_vec(),
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
    /// Shows a violation as an interleaving, by replaying its trace.
    pub(crate) fn tell(&self, machine: &Machine<'_>, trace: &Trace) -> String {
        let find = |span: raddle_base::Span| self.runnable.sources.locate(span.lo);
        match story::tell(machine, trace, &RunOptions::default(), &find) {
            Ok(story) => {
                let lines = SourceLines::default();
                story.with_source(&|file, line| lines.get(file, line)).render(output::width())
            }
            Err(why) => format!("the execution cannot be shown: {why}\n"),
        }
    }

    /// The functions that the program uses and nobody gives a body: each with whether it is handed pointers, through which the
    /// real one could change memory that we take as unchanged.
    pub(crate) fn without_body(&self) -> Vec<(&str, bool)> {
        let functions = self.runnable.program.functions.values();
        let bodiless = functions.filter(|function| function.blocks.is_empty());
        let takes_pointer = |function: &Function| {
            function.parameters.iter().any(|&parameter| function.registers[parameter].ty == Type::Ptr)
        };
        bodiless.map(|function| (function.name.as_str(), takes_pointer(function))).collect()
    }

    /// A leak, for people.
    pub(crate) fn leak(&self, leak: &Leak) -> String {
        let at = self.runnable.sources.locate(leak.place.span(&self.runnable.program).lo);
        let at = at.map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
        let how = if leak.reachable { "still reachable" } else { "lost" };
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
