//! `raddle sequentialize`: a concurrent program as a sequential one, for a backend.

use raddle_sequentialize::backend::{self, Backend, Bounds};
use raddle_sequentialize::{Pipeline, linemap, schema};

use crate::arguments::{MessageArguments, Schema, SequentializeArguments};
use crate::output::{self, Exit};
use crate::transform::apply;

/// What the file is called in its head when it has no name yet.
const UNNAMED: &str = "FILE.c";

/// Runs the command.
pub(crate) fn run(arguments: &SequentializeArguments, messages: &MessageArguments) -> Exit {
    // The parser of the command line knows the names.
    let backend = Backend::find(&arguments.backend).unwrap_or(Backend::Ours);
    let pipeline = match pipeline(arguments, backend) {
        Ok(pipeline) => pipeline,
        Err(problem) => {
            output::note(&problem);
            return Exit::InputError;
        }
    };
    let options = &arguments.preprocessor.options;
    match apply(&pipeline, &arguments.files, options, cfg!(debug_assertions), messages) {
        Ok(program) => {
            let printed = backend::print(&program, &head(arguments, backend));
            let text = if arguments.points {
                linemap::points(&program)
            } else if arguments.linemap {
                linemap::table(&program, &printed)
            } else {
                printed.text
            };
            output::write(text.as_bytes(), arguments.output.as_deref())
        }
        Err(exit) => exit,
    }
}

/// The passes of the schema, then what the backend wants.
fn pipeline(arguments: &SequentializeArguments, backend: Backend) -> Result<Pipeline, String> {
    let (unwind, rounds) = (arguments.unwind, arguments.rounds);
    let mut pipeline = match arguments.schema {
        Schema::Lazy => {
            let deadlock = arguments.deadlock;
            let (schedule, switches) = (arguments.schedule.clone(), arguments.switches.clone());
            let numbered = arguments.points;
            schema::Lazy { unwind, rounds, schedule, switches, numbered, deadlock, ..schema::Lazy::default() }
                .pipeline()
        }
        Schema::LalReps if arguments.schedule.is_some() => {
            return Err("--schedule: only the schema lazy has one".to_owned());
        }
        Schema::LalReps if arguments.switches.is_some() => {
            return Err("--switches: only the schema lazy has them".to_owned());
        }
        Schema::LalReps if arguments.points => {
            return Err("--points: only in the schema lazy they can be restricted".to_owned());
        }
        Schema::LalReps if arguments.deadlock => {
            return Err("--deadlock: only the schema lazy looks for them".to_owned());
        }
        Schema::LalReps => schema::lal_reps(unwind, rounds),
    };
    pipeline.stages.extend(backend::passes(backend, unwind, ""));
    pipeline.check().map_err(|error| error.to_string())?;
    Ok(pipeline)
}

/// The comment at the head of the program.
fn head(arguments: &SequentializeArguments, backend: Backend) -> String {
    let schema = match arguments.schema {
        Schema::Lazy => "lazy",
        Schema::LalReps => "Lal-Reps",
    };
    let rounds = match &arguments.schedule {
        Some(schedule) => format!("rounds {schedule}"),
        None if arguments.rounds == 1 => "1 round".to_owned(),
        None => format!("{} rounds", arguments.rounds),
    };
    let unwind = arguments.unwind;
    let title = format!(
        "Sequential program made by raddle for {}: {schema} schema, {rounds}, loops and recursions up to {unwind}.",
        backend.name()
    );
    let inputs: Vec<String> = arguments.files.iter().map(|file| file.display().to_string()).collect();
    let file =
        arguments.output.as_ref().map_or_else(|| UNNAMED.to_owned(), |file| file.display().to_string());
    let bounds = Bounds { unwind, model: arguments.preprocessor.options.model };
    let mut head = backend::head(backend, &title, &inputs, &file, bounds);
    if backend == Backend::Ours {
        let command = format!("\n   run:  raddle check --engine po-bmc {file} */\n");
        head.truncate(head.len() - " */\n".len());
        head.push_str(&command);
    }
    head
}
