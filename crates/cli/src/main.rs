//! The `raddle` command: flags, exit codes, and all that is printed.
//!
//! What the command line looks like is defined once, in [`arguments`]; help, manual page and shell completions
//! are made from that. A mistake in the input is reported and ends with exit code 1; a mistake of ours, which
//! shows as a panic, with exit code 2.

use std::ffi::OsString;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use raddle_base::on_large_stack;

mod arguments;
mod assumed;
mod bench;
mod check;
mod document;
mod explore;
mod ir;
mod load;
mod output;
mod parse;
mod predict;
mod proof;
mod replay;
mod run;
mod sequentialize;
mod task;
mod transform;

use arguments::{Arguments, Subcommand};
use output::Exit;

fn main() -> ExitCode {
    let words: Vec<OsString> = arguments::translate(std::env::args_os());
    guarded(|| run(words)).into()
}

fn run(words: Vec<OsString>) -> Exit {
    let command = Arguments::command();
    let parsed =
        command.try_get_matches_from(words).and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => {
            let exit = if error.use_stderr() { Exit::InputError } else { Exit::Success };
            // A reader that has gone away wants no help.
            let _ = error.print();
            return exit;
        }
    };
    match arguments.command {
        Subcommand::Check(check) => check::run(&check, &arguments.messages),
        Subcommand::Parse(parse) => parse::run(&parse, &arguments.messages),
        Subcommand::Ir(ir) => ir::run(&ir, &arguments.messages),
        Subcommand::Run(run) => run::run(&run, &arguments.messages),
        Subcommand::Replay(replay) => replay::run(&replay, &arguments.messages),
        Subcommand::Predict(predict) => predict::run(&predict, &arguments.messages),
        Subcommand::Explore(explore) => explore::run(&explore, &arguments.messages),
        Subcommand::Proof { command } => proof::run(&command, &arguments.messages),
        Subcommand::Bench(bench) => bench::run(&bench),
        Subcommand::Transform(transform) => transform::run(&transform, &arguments.messages),
        Subcommand::Sequentialize(sequentialize) => sequentialize::run(&sequentialize, &arguments.messages),
        Subcommand::Man { command } => document::manual(command.as_deref()),
        Subcommand::Completions { shell } => document::completions(shell),
    }
}

/// Runs `work` on a large stack; a panic becomes a message and an exit code.
fn guarded(work: impl FnOnce() -> Exit + Send) -> Exit {
    std::panic::set_hook(Box::new(|panic| {
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(stderr, "raddle: internal error: {panic}");
        let _ =
            writeln!(stderr, "This is a mistake in raddle. Please report it, with the input that shows it.");
    }));
    catch_unwind(AssertUnwindSafe(|| on_large_stack(work))).unwrap_or(Exit::InternalError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(guarded(|| panic!("on purpose")), Exit::InternalError);
        assert_eq!(guarded(|| Exit::Success), Exit::Success);
    }

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
