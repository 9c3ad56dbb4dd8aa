//! Preprocessing by the system's C compiler, and the reading of input files.
//!
//! A `.c` file goes through `cc -E`, or through the command that [`Options::command`] names; a `.i` file is taken
//! as it is. What the preprocessor has to say becomes our own diagnostics, at the position it names. This is the
//! one module of the front end that reads files and starts processes.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use raddle_base::{Diagnostic, Diagnostics, FileId, Severity, SourceMap, Span};

use crate::layout::DataModel;

mod ilp32;
mod messages;
mod provided;

use provided::ProvidedHeader;

/// A text with a null byte this early is no text.
const BINARY_PROBE: usize = 8 * 1024;
/// How much of a preprocessor's unknown message is shown.
const MAX_NOTES: usize = 10;

/// `<stdatomic.h>` with an `atomic_init` that is no atomic access (C11, 7.17.2.2p2): gcc's is a relaxed store, and so is what is
/// left of it once it is preprocessed.
const ATOMIC_HEADER: (&str, &str) = (
    "stdatomic.h",
    "#include_next <stdatomic.h>\n\
     #undef atomic_init\n\
     #define atomic_init(object, value) __extension__ ({ __auto_type __init_object = (object); \\\n\
     *(__typeof__((void)0, *__init_object) *)__init_object = (value); (void)0; })\n",
);
/// What gcc's `atomic_init` becomes.
const ATOMIC_INIT_AS_STORE: &[u8] = b"&__atomic_store_tmp, (0))";

/// One option for the preprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// `-I dir`
    IncludeDirectory(PathBuf),
    /// `-isystem dir`
    SystemDirectory(PathBuf),
    /// `-include file`
    Include(PathBuf),
    /// `-D name` or `-D name=value`
    Define(OsString),
    /// `-U name`
    Undefine(OsString),
}

/// How to preprocess.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The command to run instead of `cc`, with arguments of its own if there are several words; `-E` is added.
    pub command: Option<String>,
    /// In the order given, which matters.
    pub flags: Vec<Flag>,
    /// `-std=…`
    pub standard: Option<String>,
    /// ILP32 adds `-m32`.
    pub model: DataModel,
}

/// Reads input files, preprocessed if need be.
#[derive(Debug)]
pub struct Preprocessor {
    options: Options,
    /// What `-m32` needs on a machine without 32-bit headers, found when first needed.
    ilp32: Option<ilp32::Headers>,
}

/// Why a file cannot be read: at least one error.
type Problems = Vec<Diagnostic>;

/// What a file is, by its name.
enum InputKind {
    Source,
    Preprocessed,
}

impl Preprocessor {
    /// A preprocessor; nothing is run yet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, ilp32: None }
    }

    /// Reads a translation unit into the source map; `-` is C from standard input. Gives `None` after an error,
    /// which is then among the diagnostics.
    pub fn load(
        &mut self,
        sources: &mut SourceMap,
        path: &Path,
        diagnostics: &mut Diagnostics,
    ) -> Option<FileId> {
        match self.read(sources, path, diagnostics) {
            Ok(text) => {
                let file = sources.add(&path.to_string_lossy(), text);
                if file.is_none() {
                    diagnostics.push(no_place("the input is larger than 4 GiB".to_owned()));
                }
                file
            }
            Err(problems) => {
                for problem in problems {
                    diagnostics.push(problem);
                }
                None
            }
        }
    }

    fn read(
        &mut self,
        sources: &mut SourceMap,
        path: &Path,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<u8>, Problems> {
        if path == Path::new("-") {
            return self.preprocess(sources, path, diagnostics);
        }
        let kind = kind_of(path);
        let text = read_file(path, kind.is_ok())?;
        let kind = kind?;
        if text.trim_ascii().is_empty() {
            // gcc takes it without a word, but nobody means to check nothing.
            diagnostics.push(Diagnostic::warning(Span::NONE, format!("`{}` is empty", path.display())));
        }
        match kind {
            InputKind::Preprocessed => Ok(text),
            InputKind::Source => {
                drop(text);
                self.preprocess(sources, path, diagnostics)
            }
        }
    }

    fn preprocess(
        &mut self,
        sources: &mut SourceMap,
        path: &Path,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<u8>, Problems> {
        if self.options.model == DataModel::Ilp32 && self.ilp32.is_none() {
            self.ilp32 = Some(ilp32::Headers::find(&self.options)?);
        }
        // Standard input can be read once only.
        let is_input = path == Path::new("-");
        let mut output = self.run(path, is_input)?;
        if !is_input
            && output.stdout.windows(ATOMIC_INIT_AS_STORE.len()).any(|text| text == ATOMIC_INIT_AS_STORE)
        {
            output = self.run(path, true)?;
        }
        let mut problems = messages::read(sources, &output.stderr);
        if output.status.success() {
            for problem in problems {
                diagnostics.push(problem);
            }
            return Ok(output.stdout);
        }
        if !problems.iter().any(|problem| problem.severity == Severity::Error) {
            problems.push(self.options.failure(path, &output));
        }
        Err(problems)
    }

    fn run(&self, path: &Path, own_atomics: bool) -> Result<Output, Problems> {
        let mut command = self.options.start();
        command.args(self.options.arguments());
        if let Some(headers) = &self.ilp32 {
            command.args(headers.arguments());
        }
        let (name, text) = ATOMIC_HEADER;
        let atomics = if own_atomics { Some(ProvidedHeader::new(name, text)?) } else { None };
        if let Some(header) = &atomics {
            command.arg("-isystem").arg(header.directory());
        }
        command.stdin(Stdio::null());
        if path == Path::new("-") {
            command.args(["-x", "c", "-"]).stdin(Stdio::inherit());
        } else {
            command.arg(as_argument(path));
        }
        self.options.run(command)
    }
}

impl Options {
    fn program(&self) -> &str {
        self.command.as_deref().and_then(|command| command.split_whitespace().next()).unwrap_or("cc")
    }

    /// The command, without the options for this input.
    #[expect(clippy::disallowed_methods, reason = "this is where the preprocessor is started")]
    fn start(&self) -> Command {
        let mut command = Command::new(self.program());
        command.args(self.command.as_deref().unwrap_or_default().split_whitespace().skip(1));
        // Messages are read below, so they must not be translated.
        command.env("LC_ALL", "C").arg("-E");
        if self.model == DataModel::Ilp32 {
            command.arg("-m32");
        }
        command
    }

    fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = Vec::new();
        arguments.extend(self.standard.iter().map(|standard| format!("-std={standard}").into()));
        for flag in &self.flags {
            let (option, value): (&str, &OsStr) = match flag {
                Flag::IncludeDirectory(directory) => ("-I", directory.as_os_str()),
                Flag::SystemDirectory(directory) => ("-isystem", directory.as_os_str()),
                Flag::Include(file) => ("-include", file.as_os_str()),
                Flag::Define(definition) => ("-D", definition),
                Flag::Undefine(name) => ("-U", name),
            };
            arguments.extend([option.into(), value.to_owned()]);
        }
        arguments
    }

    fn run(&self, mut command: Command) -> Result<Output, Problems> {
        command.output().map_err(|error| {
            let program = self.program();
            let diagnostic = if error.kind() == io::ErrorKind::NotFound {
                no_place(format!("cannot preprocess: there is no command `{program}`"))
            } else {
                no_place(format!("cannot preprocess: `{program}` does not start: {error}"))
            };
            vec![diagnostic.help(
                "install a C compiler, name another preprocessor with `--cpp`, or give preprocessed `.i` files",
            )]
        })
    }

    /// For when the preprocessor fails without a message that we understand.
    fn failure(&self, path: &Path, output: &Output) -> Diagnostic {
        let (program, path) = (self.program(), path.display());
        let mut diagnostic =
            no_place(format!("cannot preprocess `{path}`: `{program} -E` failed, {}", output.status));
        let said = String::from_utf8_lossy(&output.stderr);
        for line in said.lines().filter(|line| !line.trim().is_empty()).take(MAX_NOTES) {
            diagnostic = diagnostic.note(line.trim_end());
        }
        diagnostic
    }
}

fn no_place(message: String) -> Diagnostic {
    Diagnostic::error(Span::NONE, message)
}

/// A path that no command takes for an option.
fn as_argument(path: &Path) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    }
}

/// Tells from its name how a file is to be read.
fn kind_of(path: &Path) -> Result<InputKind, Problems> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
    let shown = path.display();
    let diagnostic = match extension.as_deref() {
        Some("c") => return Ok(InputKind::Source),
        Some("i") => return Ok(InputKind::Preprocessed),
        Some("h") => no_place(format!("`{shown}` is a header, not a translation unit"))
            .help("give a `.c` file that includes it"),
        Some("o" | "a" | "so" | "obj" | "exe") => {
            no_place(format!("`{shown}` is an object file")).help("give the C sources it was made from")
        }
        Some("C" | "cc" | "cpp" | "cxx" | "c++" | "hpp" | "hh" | "ii") => {
            no_place(format!("`{shown}` is C++, which is not supported"))
        }
        _ => no_place(format!("`{shown}` is not a C file by its name"))
            .help("give a `.c` file, or a `.i` file that is preprocessed already"),
    };
    Err(vec![diagnostic])
}

/// Reads a file; refuses what cannot be C. When the name is wrong already, only that it exists matters.
#[expect(clippy::disallowed_methods, reason = "this is where the front end reads its input")]
fn read_file(path: &Path, name_fits: bool) -> Result<Vec<u8>, Problems> {
    let shown = path.display();
    let problem = |message: String| Err(vec![no_place(message)]);
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return problem(format!("`{shown}` is a directory")),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return problem(format!("no such file: `{shown}`"));
        }
        Err(error) => return problem(format!("cannot read `{shown}`: {error}")),
    }
    if !name_fits {
        return Ok(Vec::new());
    }
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) => return problem(format!("cannot read `{shown}`: {error}")),
    };
    if text[..text.len().min(BINARY_PROBE)].contains(&0) {
        return problem(format!("`{shown}` is a binary file, not C"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
