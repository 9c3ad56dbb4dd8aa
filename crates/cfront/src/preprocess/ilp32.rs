//! The 32-bit headers of a machine that has none.
//!
//! The C library's headers serve both data models, but `cc -m32` does not look in the directory of the host's
//! architecture (Debian's multiarch), and one generated file is only installed with the 32-bit library:
//! `gnu/stubs-32.h`, a list of functions that always fail. The directory is added at the end of the search list,
//! and an empty list is provided from a temporary directory, which is removed again when this goes out of scope.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;

use super::provided::ProvidedHeader;
use super::{Options, Problems};
use crate::layout::DataModel;

/// Tells that a directory is the one of the host's architecture.
const ARCHITECTURE_HEADER: &str = "bits/wordsize.h";
const STUBS_HEADER: &str = "gnu/stubs-32.h";
const STUBS_TEXT: &str = "/* Provided by raddle: no function of the 32-bit C library is a stub. */\n";

/// What is missing, and where to find it.
#[derive(Debug)]
pub(super) struct Headers {
    directories: Vec<PathBuf>,
    stubs: Option<ProvidedHeader>,
}

impl Headers {
    /// Compares where the preprocessor looks with and without `-m32`.
    pub(super) fn find(options: &Options) -> Result<Self, Problems> {
        let searched = search_list(options)?;
        let has = |directories: &[PathBuf], header: &str| {
            directories.iter().any(|directory| directory.join(header).is_file())
        };
        // Given a command that does not say, or a machine with 32-bit headers, there is nothing to do.
        if searched.is_empty() || has(&searched, ARCHITECTURE_HEADER) && has(&searched, STUBS_HEADER) {
            return Ok(Self { directories: Vec::new(), stubs: None });
        }
        let mut host_options = options.clone();
        host_options.model = DataModel::Lp64;
        let mut directories = search_list(&host_options)?;
        directories.retain(|directory| !searched.contains(directory));
        let missing = !has(&searched, STUBS_HEADER) && !has(&directories, STUBS_HEADER);
        let stubs = if missing { Some(ProvidedHeader::new(STUBS_HEADER, STUBS_TEXT)?) } else { None };
        Ok(Self { directories, stubs })
    }

    /// The options that add the directories, after all others.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let stubs = self.stubs.iter().map(ProvidedHeader::directory);
        let directories = self.directories.iter().map(PathBuf::as_path).chain(stubs);
        directories.flat_map(|directory| ["-idirafter".into(), directory.into()]).collect()
    }
}

/// The directories searched for `#include <…>`, from what `-v` prints.
fn search_list(options: &Options) -> Result<Vec<PathBuf>, Problems> {
    let mut command = options.start();
    command.args(["-v", "-x", "c", "/dev/null"]).stdin(Stdio::null());
    let output = options.run(command)?;
    let said = String::from_utf8_lossy(&output.stderr);
    let list = said
        .lines()
        .skip_while(|line| !line.starts_with("#include <...>"))
        .skip(1)
        .take_while(|line| line.starts_with(' '));
    Ok(list.map(|line| PathBuf::from(line.trim())).collect())
}
