//! `raddle replay`: a recorded execution, again.

use std::path::{Path, PathBuf};

use raddle_cfront::layout::DataModel;
use raddle_lower::LowerOptions;
use raddle_vm::{Options, Trace, Vm, follow, replay};

use crate::arguments::{EnvironmentArguments, MessageArguments, PreprocessorArguments, ReplayArguments};
use crate::output::{self, Exit};
use crate::run::Terminal;
use crate::task::{self, Task};

/// Runs the command.
pub(crate) fn run(arguments: &ReplayArguments, messages: &MessageArguments) -> Exit {
    match prepared(&arguments.trace, messages) {
        Ok((task, trace)) => again(&task, &trace),
        Err(exit) => exit,
    }
}

/// Reads the trace and builds its program.
pub(crate) fn prepared(file: &Path, messages: &MessageArguments) -> Result<(Task, Trace), Exit> {
    let refuse = |why: String| {
        output::note(&format!("{}: {why}", file.display()));
        Exit::InputError
    };
    #[expect(clippy::disallowed_methods, reason = "the trace is named on the command line")]
    let text = std::fs::read_to_string(file).map_err(|error| refuse(error.to_string()))?;
    let trace = Trace::from_json(&text).map_err(|error| refuse(error.to_string()))?;
    let model = match trace.program.data_model.as_str() {
        "lp64" => DataModel::Lp64,
        "ilp32" => DataModel::Ilp32,
        other => return Err(refuse(format!("there is no data model `{other}`"))),
    };
    let options = PreprocessorArguments::from_words(&trace.program.preprocessor, model)
        .map_err(|error| refuse(error.to_string()))?;
    let files: Vec<PathBuf> = trace.program.files.iter().map(|file| PathBuf::from(&file.name)).collect();
    let environment = EnvironmentArguments::from_words(&trace.program.environment)
        .map_err(|error| refuse(error.to_string()))?;
    let lowering = LowerOptions { environment, ..task::lowering(&trace.program) };
    let task = task::build(&files, &options, lowering, messages)?;
    let changed = task.info.files.iter().zip(&trace.program.files).find(|(now, then)| now.hash != then.hash);
    if let Some((now, _)) = changed {
        return Err(refuse(format!("{} has changed since the trace was recorded", now.name)));
    }
    Ok((task, trace))
}

fn again(task: &Task, trace: &Trace) -> Exit {
    let vm = Vm::new(&task.runnable.program).with_memory_model(trace.memory_model);
    if trace.property.is_none() {
        return match follow(&vm, trace, &Options::default(), &mut Terminal) {
            Ok(result) => {
                output::note(&format!("replayed {} steps; no violation was recorded", result.steps));
                Exit::Success
            }
            Err(why) => {
                output::note(&why.to_string());
                Exit::InputError
            }
        };
    }
    match replay(&vm, trace, &Options::default(), &mut Terminal) {
        Ok(replayed) => {
            output::write(task.story(&replayed).as_bytes(), None);
            Exit::Violation
        }
        Err(why) => {
            output::note(&why.to_string());
            Exit::InputError
        }
    }
}
