//! What is asked: which files make the program, and which properties it is to keep.

use std::ops::Range;
use std::path::{Path, PathBuf};

use raddle_base::{Diagnostic, Diagnostics, SourceMap, Span};
use raddle_cfront::preprocess::Options;
use raddle_engines::engine;
use raddle_ir::Property;

use super::property_file::{self, Asked, Rules};
use super::task_file;
use crate::arguments::{CheckArguments, MessageArguments, PropertyName};
use crate::output::{self, Exit};
use crate::task;

/// What is looked for when nothing is said.
const DEFAULT: &[PropertyName] = &[
    PropertyName::Assertion,
    PropertyName::Deadlock,
    PropertyName::LockMisuse,
    PropertyName::DataRace,
    PropertyName::MemorySafety,
];

/// A program and what is asked about it.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) files: Vec<PathBuf>,
    pub(super) options: Options,
    pub(super) asked: Asked,
}

/// Puts together what the command line, the task file and the property files say. What is wrong is reported.
pub(super) fn question(arguments: &CheckArguments, messages: &MessageArguments) -> Result<Question, Exit> {
    let reader = Reader { messages };
    // Better said now than after an hour of work.
    for file in arguments.answer.trace.iter().chain(&arguments.answer.certificate) {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
        if let Some(folder) = folder {
            let (file, folder) = (file.display(), folder.display());
            let message = format!("cannot write to `{file}`: there is no folder `{folder}`");
            return Err(reader.complain(Diagnostic::error(Span::NONE, message), SourceMap::new()));
        }
    }
    let mut options = arguments.preprocessor.options.clone();
    let mut files = arguments.files.clone();
    let mut property_files: Vec<PathBuf> = arguments.question.property.iter().cloned().collect();
    let said = !arguments.question.properties.is_empty() || !property_files.is_empty();
    if let Some(file) = files.iter().find(|file| is_task_file(file)) {
        if files.len() > 1 {
            let message = format!("`{}` is a task file: it cannot be given with other files", file.display());
            return Err(reader.complain(Diagnostic::error(Span::NONE, message), SourceMap::new()));
        }
        let task = reader.task_file(file)?;
        files = task.input_files;
        if let Some(model) = task.data_model.filter(|_| !arguments.preprocessor.says_model) {
            options.model = model;
        }
        if !said {
            property_files = task.properties;
        }
    }
    let mut asked = reader.property_files(&property_files)?;
    if !property_files.is_empty() {
        asked.rules = Rules::SvComp;
    } else {
        let names = &arguments.question.properties;
        asked.properties = task::properties(if names.is_empty() { DEFAULT } else { names });
        if names.is_empty()
            && let Some(engine) = engine(&arguments.bounds.engine)
        {
            asked.properties.retain(|&property| engine.card().offers(property));
        }
    }
    asked.error_labels.extend(arguments.question.error_label.iter().cloned());
    if !arguments.question.error_label.is_empty() && !asked.properties.contains(&Property::Assertion) {
        asked.properties.push(Property::Assertion);
    }
    // Engines look at properties one after the other: who is named first makes no difference.
    asked.properties.sort_unstable();
    Ok(Question { files, options, asked })
}

/// The files of a program that is given by its files, or by a task file.
pub(crate) fn program_files(files: &[PathBuf], messages: &MessageArguments) -> Result<Vec<PathBuf>, Exit> {
    match files {
        [task] if is_task_file(task) => Ok(Reader { messages }.task_file(task)?.input_files),
        _ => Ok(files.to_vec()),
    }
}

fn is_task_file(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Reads small files and complains about them.
struct Reader<'m> {
    messages: &'m MessageArguments,
}

impl Reader<'_> {
    fn complain(&self, diagnostic: Diagnostic, sources: SourceMap) -> Exit {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        output::report(&diagnostics, &sources, self.messages);
        Exit::InputError
    }

    /// Complains about a place in a text.
    fn wrong(&self, path: &Path, text: &str, message: &str, at: &Range<usize>, help: Option<&str>) -> Exit {
        let mut sources = SourceMap::new();
        let file = sources.add(&path.display().to_string(), text.as_bytes());
        let start = file.map_or(0, |file| sources.file(file).start);
        let position = |local: usize| start + u32::try_from(local).unwrap_or(0);
        let span = if file.is_some() { Span::new(position(at.start), position(at.end)) } else { Span::NONE };
        let mut diagnostic = Diagnostic::error(span, message);
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.complain(diagnostic, sources)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the file is named on the command line or in the task file"
    )]
    fn text(&self, path: &Path) -> Result<String, Exit> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string());
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not text".to_owned()));
        text.map_err(|why| {
            let message = format!("cannot read `{}`: {why}", path.display());
            self.complain(Diagnostic::error(Span::NONE, message), SourceMap::new())
        })
    }

    fn task_file(&self, path: &Path) -> Result<task_file::TaskFile, Exit> {
        let text = self.text(path)?;
        task_file::parse(&text, path).map_err(|(message, at)| {
            let message = format!("not a task file: {message}");
            self.wrong(path, &text, &message, &at, None)
        })
    }

    /// What several property files ask together. One that cannot be answered is left out when there are others, and that is said.
    fn property_files(&self, paths: &[PathBuf]) -> Result<Asked, Exit> {
        let mut all = Asked::default();
        let mut refused = Vec::new();
        for path in paths {
            let text = self.text(path)?;
            match property_file::parse(&text) {
                Ok(asked) => {
                    let new = |property: &Property| !all.properties.contains(property);
                    let properties: Vec<Property> = asked.properties.into_iter().filter(new).collect();
                    all.properties.extend(properties);
                    all.error_labels.extend(asked.error_labels);
                }
                Err(problem) if problem.refused => refused.push((path, text, problem)),
                Err(problem) => {
                    return Err(self.wrong(path, &text, &problem.message, &problem.at, problem.help));
                }
            }
        }
        if all.properties.is_empty()
            && let Some((path, text, problem)) = refused.first()
        {
            return Err(self.wrong(path, text, &problem.message, &problem.at, problem.help));
        }
        for (path, _, problem) in &refused {
            output::note(&format!("{} is left out: {}", path.display(), problem.message));
        }
        Ok(all)
    }
}
