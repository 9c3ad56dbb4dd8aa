//! `raddle transform`: run source-to-source passes and print what comes out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use raddle_base::Diagnostics;
use raddle_cfront::preprocess::Options;
use raddle_lower::Environment;
use raddle_sequentialize::pass::{Parameter, ParameterKind};
use raddle_sequentialize::{PASSES, Pipeline, Program, RunError, linemap};

use crate::arguments::{MessageArguments, TransformArguments};
use crate::load::{Loaded, load};
use crate::output::{self, Exit};

/// Runs the command.
pub(crate) fn run(arguments: &TransformArguments, messages: &MessageArguments) -> Exit {
    if arguments.list {
        return output::write(list().as_bytes(), arguments.output.as_deref());
    }
    let pipeline = match pipeline(arguments) {
        Ok(pipeline) => pipeline,
        Err(problem) => {
            output::note(&problem);
            return Exit::InputError;
        }
    };
    let program = apply(
        &pipeline,
        &arguments.files,
        &arguments.preprocessor.options,
        cfg!(debug_assertions) || arguments.check_passes,
        messages,
    );
    match program {
        Ok(program) => {
            let printed = linemap::print(&program);
            let text = if arguments.linemap { linemap::table(&program, &printed) } else { printed.text };
            output::write(text.as_bytes(), arguments.output.as_deref())
        }
        Err(exit) => exit,
    }
}

/// Reads files and runs a pipeline on them. What goes wrong is told.
pub(crate) fn apply(
    pipeline: &Pipeline,
    files: &[PathBuf],
    options: &Options,
    checked: bool,
    messages: &MessageArguments,
) -> Result<Program, Exit> {
    let models = pipeline.stages.iter().any(|stage| stage.pass.name == "models");
    let environment = Environment::default();
    let Loaded { sources, ast, diagnostics, .. } = load(files, options, models.then_some(&environment));
    output::report(&diagnostics, &sources, messages);
    if diagnostics.has_errors() {
        return Err(Exit::InputError);
    }
    let mut program = Program::new(sources, ast, usize::from(models));
    match pipeline.run(&mut program, checked, |_, _, _| {}) {
        Ok(()) => Ok(program),
        Err(RunError::Refused { pass, refusal }) => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(refusal.diagnostic(pass));
            output::report(&diagnostics, &program.sources, messages);
            Err(Exit::InputError)
        }
        Err(error @ (RunError::Broken { .. } | RunError::Exhausted(_))) => {
            output::note(&format!("internal error: {error}"));
            Err(Exit::InternalError)
        }
    }
}

/// The pipeline that is asked for, up to the pass to stop after.
fn pipeline(arguments: &TransformArguments) -> Result<Pipeline, String> {
    let (text, name) = match (&arguments.passes, &arguments.pipeline) {
        (Some(text), _) => (text.clone(), "--passes".to_owned()),
        (None, Some(file)) => (read(file)?, file.display().to_string()),
        (None, None) => (String::new(), String::new()),
    };
    let mut pipeline = Pipeline::parse(&text).map_err(|error| {
        let before = text.get(..error.offset).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
        format!("{name}:{line}:{column}: {error}")
    })?;
    if let Some(after) = &arguments.after {
        let by_name = pipeline.stages.iter().position(|stage| stage.pass.name == after);
        let by_place = || after.parse::<usize>().ok().and_then(|place| place.checked_sub(1));
        let place = by_name.or_else(by_place).filter(|&place| place < pipeline.stages.len());
        let place = place.ok_or_else(|| format!("--after: pass `{after}` is not in the pipeline"))?;
        pipeline.stages.truncate(place + 1);
    }
    Ok(pipeline)
}

#[expect(clippy::disallowed_methods, reason = "`--pipeline` names a file")]
fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// All passes with their parameters.
fn list() -> String {
    let mut text = String::new();
    for pass in PASSES {
        let _ = writeln!(text, "{}\n    {}", signature(pass.name, pass.parameters), pass.description);
        for parameter in pass.parameters {
            let _ = writeln!(text, "    {}: {}", parameter.name, about(parameter));
        }
    }
    text
}

fn signature(name: &str, parameters: &[Parameter]) -> String {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    if names.is_empty() { name.to_owned() } else { format!("{name}({})", names.join(", ")) }
}

fn about(parameter: &Parameter) -> String {
    let description = parameter.description;
    match parameter.kind {
        ParameterKind::Number { least, most, default } => {
            format!("{description} ({least} to {most}; {default} if not said)")
        }
        ParameterKind::Choice(words) => {
            format!("{description} ({}; the first if not said)", words.join(" or "))
        }
        ParameterKind::Text => description.to_owned(),
    }
}
