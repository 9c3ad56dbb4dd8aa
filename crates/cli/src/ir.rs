//! `raddle ir`: the program as engines and the VM see it.

use raddle_ir::text::{print_function, print_program};
use raddle_ir::{FunctionId, Program, dot};
use raddle_lower::{ArithmeticChecks, LowerOptions};

use crate::arguments::{GraphForm, IrArguments, MessageArguments};
use crate::load;
use crate::output::{self, Exit};

/// Runs the command.
pub(crate) fn run(arguments: &IrArguments, messages: &MessageArguments) -> Exit {
    let lowering = LowerOptions {
        arithmetic: ArithmeticChecks { overflow: arguments.overflow, no_result: arguments.overflow },
        signed_overflow: arguments.signed_overflow.unwrap_or_default().meaning(),
        ..LowerOptions::default()
    };
    let loaded = match load::program(&arguments.files, &arguments.preprocessor.options, lowering, messages) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let program = &loaded.program;
    let chosen = match chosen(program, arguments) {
        Ok(chosen) => chosen,
        Err(name) => {
            output::note(&format!("the program has no function `{name}`"));
            return Exit::InputError;
        }
    };
    let find = |span: raddle_base::Span| loaded.sources.locate(span.lo);
    let text = match (arguments.cfg, chosen) {
        (Some(GraphForm::Dot), None) => dot::program_to_dot(program),
        (Some(GraphForm::Dot), Some(list)) => {
            list.iter().map(|&id| dot::function_to_dot(program, id)).collect()
        }
        (None, None) => print_program(program, Some(&find)),
        (None, Some(list)) => list.iter().map(|&id| print_function(program, id, Some(&find))).collect(),
    };
    output::write(text.as_bytes(), arguments.output.as_deref())
}

/// The functions asked for; `None` is the whole program.
fn chosen(program: &Program, arguments: &IrArguments) -> Result<Option<Vec<FunctionId>>, String> {
    if let Some(name) = &arguments.function {
        let found = program.functions.iter().find(|(_, function)| function.name == *name);
        return found.map(|(id, _)| Some(vec![id])).ok_or_else(|| name.clone());
    }
    if !arguments.no_models {
        return Ok(None);
    }
    let own = program.functions.iter().filter(|(_, function)| !function.model && !function.blocks.is_empty());
    Ok(Some(own.map(|(id, _)| id).collect()))
}
