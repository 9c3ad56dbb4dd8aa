//! The one definition of the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches, Parser, ValueEnum};
use clap_complete::Shell;
use raddle_cfront::layout::DataModel;
use raddle_cfront::preprocess::{Flag, Options};

const EXIT_CODES: &str = "\
Exit codes:
   0  no error; no violation was met
   1  wrong usage, or an error in the input
   2  internal error: a mistake in raddle
  10  a property is violated
  20  unknown: something unsupported was reached, or a limit was";

/// Verifies and debugs multi-threaded C programs.
#[derive(Debug, Parser)]
#[command(name = "raddle", version, after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Subcommand,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// How errors and warnings are shown.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct MessageArguments {
    /// How errors and warnings are written: for people, or one JSON object a line
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    pub(crate) error_format: ErrorFormat,
    /// When to colour errors and warnings
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ErrorFormat {
    Human,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    Always,
    Never,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Subcommand {
    /// Parse and type-check C files, link them, and report what is wrong with them
    ///
    /// Files ending in `.c` are preprocessed by the system's C compiler; `.i` files are taken as they are.
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Parse(ParseArguments),
    /// Print the program in the intermediate representation that is run and analysed
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Ir(IrArguments),
    /// Run a program under a chosen schedule, and show the interleaving of a violation
    ///
    /// The program's own output is shown as it comes. What the program returns is printed at the end and does not change the
    /// exit code, unless `--exit-status` asks for it.
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Run(RunArguments),
    /// Run a recorded execution again, step by step the same
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Replay(ReplayArguments),
    /// Explore the interleavings of a program, count them and list every violation
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Explore(ExploreArguments),
    /// Print the manual page
    Man {
        /// The command whose page to print, instead of the main page
        command: Option<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ParseArguments {
    /// C files, together one program; `-` is C from standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print the program: as C, or as a typed tree
    #[arg(long, value_name = "FORM")]
    pub(crate) emit: Option<Emit>,
    /// Put `#line` directives into printed C
    #[arg(long, requires = "emit")]
    pub(crate) line_directives: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
}

#[derive(Debug, Args)]
pub(crate) struct IrArguments {
    /// C files, together one program; `-` is C from standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Draw the control flow graphs instead
    #[arg(long, value_name = "FORM")]
    pub(crate) cfg: Option<GraphForm>,
    /// Only this function
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Leave the API models out
    #[arg(long)]
    pub(crate) no_models: bool,
    /// Check for signed overflow, division by zero and over-wide shifts
    #[arg(long)]
    pub(crate) overflow: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphForm {
    /// Graphviz
    Dot,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// C files, together one program; `-` is C from standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Who runs when
    #[arg(long, value_name = "NAME", default_value = "random")]
    pub(crate) scheduler: SchedulerName,
    /// Where chance starts; run n of several uses seed + n
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many runs to make; stops at the first violation
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) runs: u64,
    /// Values for the program's nondeterministic inputs, in the order they are taken; chance gives the rest
    #[arg(long, value_name = "VALUES", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) inputs: Vec<i128>,
    /// Give up a run after so many steps
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) max_steps: u64,
    /// Record the execution (the violating one, or the last) as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// End with the program's own exit status when nothing is violated
    #[arg(long)]
    pub(crate) exit_status: bool,
    #[command(flatten)]
    pub(crate) properties: PropertyArguments,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
    /// What the program gets as its arguments
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) arguments: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchedulerName {
    /// Any enabled thread, by chance
    Random,
    /// Each thread in turn
    RoundRobin,
    /// Random priorities with few changes: finds rare bugs in long runs
    Pct,
    /// Asks at every choice
    Interactive,
}

/// Which properties are looked at.
#[derive(Debug, Args)]
pub(crate) struct PropertyArguments {
    /// What to look for: assertion, deadlock, lock-misuse, data-race, memory-safety, overflow, or all
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "assertion,deadlock,lock-misuse,data-race,memory-safety"
    )]
    pub(crate) properties: Vec<PropertyName>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PropertyName {
    /// `assert` and `reach_error`
    Assertion,
    /// Every live thread is blocked
    Deadlock,
    /// Locks used against their rules
    LockMisuse,
    /// Conflicting accesses without order
    DataRace,
    /// Accesses outside live objects
    MemorySafety,
    /// Signed overflow, division by zero, over-wide shifts
    Overflow,
    /// All of these
    All,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// A recorded execution
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ExploreArguments {
    /// C files, together one program; `-` is C from standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Go through all interleavings
    #[arg(long, required = true)]
    pub(crate) exhaustive: bool,
    /// Do not merge equal states: counts every execution, which takes far longer
    #[arg(long)]
    pub(crate) all_executions: bool,
    /// Stop after so many states
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) max_states: u64,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u64>,
    /// Record the first violation as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) properties: PropertyArguments,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
    /// What the program gets as its arguments
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) arguments: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    C,
    Ast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Model {
    /// 64-bit: `long` and pointers have 8 bytes
    Lp64,
    /// 32-bit: `int`, `long` and pointers have 4 bytes (also: -m32)
    Ilp32,
}

/// What is said on the command line about the machine and the preprocessor.
#[derive(Debug)]
pub(crate) struct PreprocessorArguments {
    pub(crate) options: Options,
}

impl PreprocessorArguments {
    /// The words that give these options again, for a recorded execution; paths that are not text are lost.
    pub(crate) fn words(options: &Options) -> Vec<String> {
        let mut words = Vec::new();
        for flag in &options.flags {
            let (option, value) = match flag {
                Flag::IncludeDirectory(path) => ("-I", path.display().to_string()),
                Flag::SystemDirectory(path) => ("--isystem", path.display().to_string()),
                Flag::Include(path) => ("--include", path.display().to_string()),
                Flag::Define(name) => ("-D", name.to_string_lossy().into_owned()),
                Flag::Undefine(name) => ("-U", name.to_string_lossy().into_owned()),
            };
            words.extend([option.to_owned(), value]);
        }
        if let Some(standard) = &options.standard {
            words.push(format!("--std={standard}"));
        }
        if let Some(command) = &options.command {
            words.push(format!("--cpp={command}"));
        }
        words
    }

    /// The options that such words give.
    pub(crate) fn from_words(words: &[String], model: DataModel) -> Result<Options, clap::Error> {
        /// Nothing but the options.
        #[derive(Debug, Parser)]
        struct Only {
            #[command(flatten)]
            preprocessor: PreprocessorArguments,
        }
        let words = std::iter::once("raddle").chain(words.iter().map(String::as_str));
        let mut options = Only::try_parse_from(words)?.preprocessor.options;
        options.model = model;
        Ok(options)
    }
}

/// As clap sees it: one list for each flag. Their common order is found in [`PreprocessorArguments`].
#[derive(Debug, Args)]
#[command(next_help_heading = "Preprocessing")]
struct PreprocessorFlags {
    /// Sizes of the basic types
    #[arg(long, value_name = "MODEL", default_value = "lp64", overrides_with = "data_model")]
    data_model: Model,
    /// Search a directory for headers
    #[arg(short = 'I', value_name = "DIR")]
    include_directory: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<OsString>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<OsString>,
    /// Include a file before the input (also: -include)
    #[arg(long, value_name = "FILE")]
    include: Vec<PathBuf>,
    /// Search a directory for system headers (also: -isystem)
    #[arg(long, value_name = "DIR")]
    isystem: Vec<PathBuf>,
    /// The C standard (also: -std=)
    #[arg(long, value_name = "STANDARD", overrides_with = "std")]
    std: Option<String>,
    /// The preprocessor to run instead of `cc`; `-E` is added
    #[arg(long, value_name = "COMMAND", overrides_with = "cpp")]
    cpp: Option<String>,
}

impl Args for PreprocessorArguments {
    fn augment_args(command: clap::Command) -> clap::Command {
        PreprocessorFlags::augment_args(command)
    }
    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        PreprocessorFlags::augment_args_for_update(command)
    }
}

impl FromArgMatches for PreprocessorArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let written = PreprocessorFlags::from_arg_matches(matches)?;
        let indices = |flag: &str| matches.indices_of(flag).into_iter().flatten().collect::<Vec<usize>>();
        let mut flags: Vec<(usize, Flag)> = Vec::new();
        let mut add = |name: &str, list: Vec<Flag>| flags.extend(indices(name).into_iter().zip(list));
        let paths = |list: Vec<PathBuf>, flag: fn(PathBuf) -> Flag| list.into_iter().map(flag).collect();
        let words = |list: Vec<OsString>, flag: fn(OsString) -> Flag| list.into_iter().map(flag).collect();
        add("include_directory", paths(written.include_directory, Flag::IncludeDirectory));
        add("isystem", paths(written.isystem, Flag::SystemDirectory));
        add("include", paths(written.include, Flag::Include));
        add("define", words(written.define, Flag::Define));
        add("undefine", words(written.undefine, Flag::Undefine));
        flags.sort_by_key(|&(index, _)| index);
        let options = Options {
            command: written.cpp,
            flags: flags.into_iter().map(|(_, flag)| flag).collect(),
            standard: written.std,
            model: match written.data_model {
                Model::Lp64 => DataModel::Lp64,
                Model::Ilp32 => DataModel::Ilp32,
            },
        };
        Ok(Self { options })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Puts the compiler's options with one dash and a long name into the form that clap reads:
/// `-include F`, `-isystem D`, `-isystemD`, `-std=S`, `-m32` and `-m64`. Nothing after `--` is touched.
pub(crate) fn translate(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut options_end = false;
    words
        .into_iter()
        .map(|word| {
            options_end |= word == "--";
            let Some(text) = word.to_str().filter(|_| !options_end) else { return word };
            match text {
                "-include" | "-isystem" => format!("-{text}").into(),
                "-m32" => "--data-model=ilp32".into(),
                "-m64" => "--data-model=lp64".into(),
                _ if text.starts_with("-std=") => format!("-{text}").into(),
                _ => match text.strip_prefix("-isystem") {
                    Some(directory) => format!("--isystem={directory}").into(),
                    None => word,
                },
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> ParseArguments {
        let words = translate(line.split_whitespace().map(OsString::from));
        let command = Arguments::try_parse_from(words).unwrap().command;
        if let Subcommand::Parse(arguments) = command { arguments } else { panic!("another command") }
    }

    #[test]
    fn options_survive_in_a_trace() {
        let options = parse("raddle parse a.c -Iinc -DX=1 -U Y -include f.h -isystem s -std=c11 -m32")
            .preprocessor
            .options;
        let words = PreprocessorArguments::words(&options);
        assert_eq!(PreprocessorArguments::from_words(&words, options.model).unwrap(), options);
    }

    #[test]
    fn the_compilers_options_are_understood_in_order() {
        let parsed =
            parse("raddle parse a.c -Iinc -DX=1 -U X -D X -include f.h -isystem s -isystemt -std=c11 -m32");
        let options = parsed.preprocessor.options;
        assert_eq!(
            options.flags,
            [
                Flag::IncludeDirectory("inc".into()),
                Flag::Define("X=1".into()),
                Flag::Undefine("X".into()),
                Flag::Define("X".into()),
                Flag::Include("f.h".into()),
                Flag::SystemDirectory("s".into()),
                Flag::SystemDirectory("t".into()),
            ]
        );
        assert_eq!(options.standard.as_deref(), Some("c11"));
        assert_eq!(options.model, DataModel::Ilp32);
        assert_eq!(options.command, None);
    }

    #[test]
    fn the_last_of_several_choices_counts() {
        let options =
            parse("raddle parse a.c -m32 --data-model lp64 --std c99 -std=gnu17").preprocessor.options;
        assert_eq!((options.model, options.standard.as_deref()), (DataModel::Lp64, Some("gnu17")));
    }

    #[test]
    fn nothing_after_two_dashes_is_an_option() {
        assert_eq!(parse("raddle parse -- -include -m32").files, [PathBuf::from("-include"), "-m32".into()]);
    }
}
