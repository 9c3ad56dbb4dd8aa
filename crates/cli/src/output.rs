//! What is printed, and the exit code.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use raddle_base::diagnostic::Renderer;
use raddle_base::{Diagnostics, SourceMap};

use crate::arguments::{Color, ErrorFormat, MessageArguments};

/// How the command ends. The codes are listed in `--help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Success,
    InputError,
    InternalError,
    /// A property is violated.
    Violation,
    /// Something unsupported was reached, or a limit was.
    Unknown,
    /// No violation within bounds, and no proof beyond them.
    Bounded,
    /// What the program itself returned.
    Status(u8),
}

impl Exit {
    /// The code that the process ends with.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::InputError => 1,
            Self::InternalError => 2,
            Self::Violation => 10,
            Self::Unknown => 20,
            Self::Bounded => 30,
            Self::Status(status) => status,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Writes all messages to standard error, and their number.
pub(crate) fn report(diagnostics: &Diagnostics, sources: &SourceMap, how: &MessageArguments) {
    let mut renderer = Renderer::new(sources, read_original).colour(use_colour(how.color));
    let mut text = String::new();
    for diagnostic in diagnostics.iter() {
        match how.error_format {
            ErrorFormat::Human => text.extend([renderer.text(diagnostic).as_str(), "\n\n"]),
            ErrorFormat::Json => text.extend([renderer.json(diagnostic).as_str(), "\n"]),
        }
    }
    if let (ErrorFormat::Human, Some(summary)) = (how.error_format, diagnostics.summary()) {
        text.extend(["raddle: ", &summary, "\n"]);
    }
    // If standard error is closed there is nobody left to tell.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[expect(clippy::disallowed_methods, reason = "people are shown the lines of their own files")]
pub(crate) fn read_original(file: &str) -> Option<Vec<u8>> {
    std::fs::read(file).ok()
}

#[expect(clippy::disallowed_methods, reason = "the usual variables by which people turn colours off")]
fn use_colour(when: Color) -> bool {
    match when {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
            !unwanted && !dumb && io::stderr().is_terminal()
        }
    }
}

/// Tells the user something beside the result, on standard error.
pub(crate) fn note(text: &str) {
    // If standard error is closed there is nobody left to tell.
    let _ = writeln!(io::stderr().lock(), "raddle: {text}");
}

/// The width of the terminal, or what is comfortable to read.
#[expect(clippy::disallowed_methods, reason = "the usual variable by which people set the width")]
pub(crate) fn width() -> usize {
    const COMFORTABLE: usize = 110;
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    said.or_else(|| terminal_width(io::stdout())).unwrap_or(COMFORTABLE)
}

/// How wide a terminal is; nothing for what is none.
pub(crate) fn terminal_width(terminal: impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(terminal).ok()?;
    (size.ws_col > 0).then(|| usize::from(size.ws_col))
}

/// Writes a result to the file named, or to standard output. A reader that has gone away is no error.
pub(crate) fn write(text: &[u8], file: Option<&Path>) -> Exit {
    let (result, name) = match file {
        Some(file) => (write_file(file, text), file.display().to_string()),
        None => (write_stdout(text), "standard output".to_owned()),
    };
    match result {
        Ok(()) => Exit::Success,
        Err(error) => {
            let _ = writeln!(io::stderr(), "raddle: cannot write to {name}: {error}");
            Exit::InputError
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "`--output` names a file")]
fn write_file(file: &Path, text: &[u8]) -> io::Result<()> {
    std::fs::write(file, text)
}

fn write_stdout(text: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
