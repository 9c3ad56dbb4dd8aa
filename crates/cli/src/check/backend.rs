//! A checker of other people, run on the sequential programs of an engine.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use raddle_base::Budget;
use raddle_base::process::Limits;
use raddle_cfront::layout::DataModel;
use raddle_engines::sequential::outside::Checker;
use raddle_sequentialize::backend::{Backend, Bounds, cbmc};

use crate::output;

/// When nothing is said: about three years.
const NO_LIMIT: Duration = Duration::from_secs(100_000_000);

/// CBMC, as it is installed.
#[derive(Debug)]
pub(super) struct Cbmc {
    /// Where programs are looked for.
    path: OsString,
    model: DataModel,
    memory: Option<u64>,
    /// How many programs it was given.
    runs: AtomicU32,
}

/// The checker that is asked for, if it is not our own; otherwise why there is none, in a sentence.
pub(super) fn checker(name: &str, model: DataModel, memory: Option<u64>) -> Result<Option<Cbmc>, String> {
    match Backend::find(name) {
        None | Some(Backend::Ours) => Ok(None),
        Some(Backend::Cbmc) => {
            #[expect(clippy::disallowed_methods, reason = "where programs are is the environment's to say")]
            let path = std::env::var_os("PATH").unwrap_or_default();
            if cbmc::find("cbmc", &path).is_none() {
                return Err(format!("--backend cbmc: CBMC is not there; {}", Backend::Cbmc.install()));
            }
            Ok(Some(Cbmc { path, model, memory, runs: AtomicU32::new(0) }))
        }
        Some(other @ (Backend::Esbmc | Backend::Cpachecker | Backend::Klee)) => {
            let name = other.name();
            Err(format!(
                "--backend {name}: `check` runs only `ours` and `cbmc`; `raddle sequentialize --backend {name}` writes a \
                 program for it"
            ))
        }
    }
}

impl Checker for Cbmc {
    fn backend(&self) -> Backend {
        Backend::Cbmc
    }

    fn run(&self, text: &str, unwind: u32, budget: &Budget) -> Result<cbmc::CbmcAnswer, String> {
        let number = self.runs.fetch_add(1, Ordering::Relaxed);
        let name = format!("raddle-{}-{number}.c", std::process::id());
        let file = Scratch(std::env::temp_dir().join(name));
        if output::write(text.as_bytes(), Some(&file.0)) != output::Exit::Success {
            return Err("the program for CBMC cannot be written".to_owned());
        }
        let limits = Limits {
            wall: budget.remaining().unwrap_or(NO_LIMIT),
            cpu: None,
            memory_bytes: self.memory.unwrap_or(u64::MAX),
        };
        let bounds = Bounds { unwind, model: self.model };
        let stop = || budget.check().is_err();
        cbmc::run(&self.path, &file.0, bounds, &limits, &stop).map_err(|error| error.to_string())
    }
}

/// A file that goes with its owner.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind lies in the folder for temporary files.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_run_is_named() {
        let asked = |name: &str| checker(name, DataModel::Lp64, None);
        assert!(asked("ours").unwrap().is_none());
        assert!(asked("klee").unwrap_err().contains("raddle sequentialize --backend klee"));
    }
}
