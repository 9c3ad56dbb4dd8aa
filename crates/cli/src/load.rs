//! From files on the command line to a program.

use std::path::PathBuf;

use raddle_base::{Diagnostics, FileId, SourceMap};
use raddle_cfront::ast::Ast;
use raddle_cfront::preprocess::{Options, Preprocessor};
use raddle_cfront::{Parsed, parse_program};
use raddle_engines::Source;
use raddle_ir::Program;
use raddle_lower::{Environment, LowerOptions, Lowered, lower, models_in};

use crate::arguments::MessageArguments;
use crate::output::{self, Exit};

/// Files read, checked and linked.
pub(crate) struct Loaded {
    pub(crate) sources: SourceMap,
    pub(crate) ast: Ast,
    pub(crate) diagnostics: Diagnostics,
    /// The files' texts after preprocessing.
    pub(crate) files: Vec<FileId>,
}

/// Reads, checks and links files; for some world around the program the API models are added as a last unit.
pub(crate) fn load(paths: &[PathBuf], options: &Options, models: Option<&Environment>) -> Loaded {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(options.clone());
    let files: Vec<FileId> =
        paths.iter().filter_map(|path| preprocessor.load(&mut sources, path, &mut diagnostics)).collect();
    drop(preprocessor);
    let mut units = files.clone();
    if let Some(environment) = models {
        let (name, text) = models_in(environment);
        units.extend(sources.add(name, text.into_bytes()));
    }
    let Parsed { ast, diagnostics: found } = parse_program(&mut sources, &units, options.model);
    diagnostics.append(found);
    Loaded { sources, ast, diagnostics, files }
}

/// A program that can be run, and the texts it came from.
pub(crate) struct Runnable {
    pub(crate) sources: SourceMap,
    pub(crate) program: Program,
    /// What it was lowered from, and how.
    pub(crate) ast: Ast,
    pub(crate) lowering: LowerOptions,
    /// The files' texts after preprocessing.
    pub(crate) files: Vec<FileId>,
}

impl Runnable {
    /// For engines that lower it again, or rewrite C.
    pub(crate) const fn source(&self) -> Source<'_> {
        Source { sources: &self.sources, ast: &self.ast, lowering: &self.lowering }
    }
}

/// Reads, checks, links and lowers files. What is wrong is reported; then there is no program.
pub(crate) fn program(
    paths: &[PathBuf],
    options: &Options,
    lowering: LowerOptions,
    messages: &MessageArguments,
) -> Result<Runnable, Exit> {
    let Loaded { sources, ast, mut diagnostics, files } = load(paths, options, Some(&lowering.environment));
    let mut lowered = None;
    if !diagnostics.has_errors() {
        let Lowered { program, diagnostics: found } = lower(&ast, lowering.clone(), 1);
        diagnostics.append(found);
        lowered = program;
    }
    output::report(&diagnostics, &sources, messages);
    match lowered {
        Some(program) if !diagnostics.has_errors() => {
            raddle_ir::validate::debug_validate(&program, "lowering");
            Ok(Runnable { sources, program, ast, lowering, files })
        }
        _ => Err(Exit::InputError),
    }
}
