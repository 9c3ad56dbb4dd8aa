//! What tests of commands that write programs share: the command itself, and a folder of one's own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the command in a folder.
#[expect(clippy::disallowed_methods, reason = "the tests run the command")]
pub(crate) fn raddle(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle")).args(arguments).current_dir(folder).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of one's own that goes away at the end.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let name = format!("raddle-{}-{name}-{}", env!("CARGO_CRATE_NAME"), std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    #[expect(clippy::disallowed_methods, reason = "some inputs are made here")]
    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    #[expect(clippy::disallowed_methods, reason = "results are read back")]
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
