//! The manual pages and the shell completions, made from the definition of the command line.

use std::io::Write as _;

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::arguments::Arguments;
use crate::output::{self, Exit};

/// Prints the manual page of the tool, or of one of its commands.
pub(crate) fn manual(name: Option<&str>) -> Exit {
    let mut whole = Arguments::command();
    whole.build();
    let command = match name {
        None => whole,
        Some(name) => match whole.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let _ =
                    writeln!(std::io::stderr(), "raddle: there is no command `{name}`; see `raddle help`");
                return Exit::InputError;
            }
        },
    };
    let mut page = Vec::new();
    match Man::new(command).render(&mut page) {
        Ok(()) => output::write(&page, None),
        Err(_) => Exit::InternalError,
    }
}

/// Prints a completion script.
pub(crate) fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "raddle", &mut script);
    output::write(&script, None)
}
