//! The options of the preprocessor, which are those of `cc`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, FromArgMatches, Parser};
use raddle_cfront::layout::DataModel;
use raddle_cfront::preprocess::{Flag, Options};

use super::Model;

/// What the command line says about the data model and the preprocessor.
#[derive(Debug)]
pub(crate) struct PreprocessorArguments {
    pub(crate) options: Options,
    /// Whether the data model was said, rather than left to the default.
    pub(crate) says_model: bool,
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
        let says_model = matches.value_source("data_model") == Some(ValueSource::CommandLine);
        Ok(Self { options, says_model })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
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
