//! `--solver` and `--dump-smt2`: who solves the formulas, and where they are written.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use raddle_engines::{Engine, EngineOption, InstalledSolver, Questions, Solving};

use crate::arguments::BoundArguments;
use crate::output;

/// What the command line says about solving.
#[derive(Debug)]
pub(super) struct Chosen {
    installed: Option<InstalledSolver>,
    folder: Option<Folder>,
}

impl Chosen {
    /// Reads the options; makes sure that the solver can be started, and the folder be written to.
    pub(super) fn new(
        arguments: &BoundArguments,
        engine: &dyn Engine,
        has_backend: bool,
    ) -> Result<Self, String> {
        let installed = (arguments.solver != "ours").then(|| InstalledSolver::named(&arguments.solver));
        let option = match (&installed, &arguments.dump_smt2) {
            (None, None) => return Ok(Self { installed: None, folder: None }),
            (Some(_), _) => "--solver",
            (None, Some(_)) => "--dump-smt2",
        };
        if !engine.card().has(EngineOption::Solver) {
            return Err(format!("{option}: the engine `{}` asks no solver", engine.name()));
        }
        if has_backend {
            return Err(format!("{option}: with --backend, it is the backend that solves"));
        }
        if let Some(solver) = &installed {
            solver.available().map_err(|error| format!("--solver: {error}"))?;
        }
        let folder = arguments.dump_smt2.clone();
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("--dump-smt2: {}: {error}", folder.display()))?;
        }
        Ok(Self { installed, folder: folder.map(|path| Folder { path, written: AtomicU32::new(0) }) })
    }

    /// As engines want it.
    pub(super) fn solving(&self) -> Solving<'_> {
        Solving {
            external: self.installed.as_ref(),
            reader: self.folder.as_ref().map(|folder| folder as &dyn Questions),
        }
    }
}

/// Where questions are written, each to a file of its own: `0003-unwind-2-assertion.smt2`.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    written: AtomicU32,
}

impl Questions for Folder {
    fn question(&self, about: &str, smt2: &str) {
        let number = self.written.fetch_add(1, Ordering::Relaxed) + 1;
        let name = format!("{number:04}-{}.smt2", about.replace(' ', "-"));
        // It says itself what went wrong; the answer does not depend on it.
        let _ = output::write(smt2.as_bytes(), Some(&self.path.join(name)));
    }
}
