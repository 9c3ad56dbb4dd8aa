//! Headers that the system lacks, or has in a form that loses what a program says: provided from a temporary directory.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Problems, no_place};

/// A directory with one header; removed when dropped.
#[derive(Debug)]
pub(super) struct ProvidedHeader {
    directory: PathBuf,
}

impl ProvidedHeader {
    /// Writes the header, under the name that programs include it by.
    pub(super) fn new(name: &str, text: &str) -> Result<Self, Problems> {
        Self::write(name, text).map_err(|error| {
            vec![no_place(format!("cannot write to the directory for temporary files: {error}"))]
        })
    }

    /// Where to look for it.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    fn write(name: &str, text: &str) -> std::io::Result<Self> {
        let parent = std::env::temp_dir();
        let provided = (0_u32..)
            .map(|attempt| parent.join(format!("raddle-{}-{attempt}", std::process::id())))
            .find_map(|directory| match fs::create_dir(&directory) {
                Ok(()) => Some(Ok(Self { directory })),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => None,
                Err(error) => Some(Err(error)),
            })
            .unwrap_or_else(|| Err(std::io::ErrorKind::AlreadyExists.into()))?;
        let header = provided.directory.join(name);
        fs::create_dir_all(header.parent().unwrap_or(Path::new(".")))?;
        write(&header, text)?;
        Ok(provided)
    }
}

#[expect(clippy::disallowed_methods, reason = "the preprocessor reads headers from files only")]
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    fs::write(path, text)
}

impl Drop for ProvidedHeader {
    fn drop(&mut self) {
        // Nobody can be notified if this fails.
        let _ = fs::remove_dir_all(&self.directory);
    }
}
