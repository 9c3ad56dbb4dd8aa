//! From C text to a program of the IR.
//!
//! The headers of generated programs are the same for all, and a run of the preprocessor costs more than everything else
//! that is done to build a small program. So many texts are preprocessed in one run, with marks between them
//! ([`Batch`]).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use raddle_base::{Diagnostics, Severity, SourceMap};
use raddle_cfront::ast::Ast;
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_cfront::preprocess::{Options, Preprocessor};
use raddle_engines::Source;
use raddle_ir::{Program, Property};
use raddle_lower::{ArithmeticChecks, LowerOptions, lower, models};

/// Both data models.
pub const DATA_MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

/// What people call a data model.
#[must_use]
pub const fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Lp64 => "lp64",
        DataModel::Ilp32 => "ilp32",
    }
}

/// A program and the texts it came from.
#[derive(Debug)]
pub struct Built {
    /// The texts.
    pub sources: SourceMap,
    /// The program, validated.
    pub program: Program,
    /// What it was lowered from.
    pub ast: Ast,
    /// And how.
    pub lowering: LowerOptions,
}

impl Built {
    /// For engines that rewrite C.
    #[must_use]
    pub fn source(&self) -> Source<'_> {
        Source { sources: &self.sources, ast: &self.ast, lowering: &self.lowering }
    }
}

/// Builds a preprocessed text with the checks of the properties; what is wrong with it otherwise, in a sentence.
pub fn build(
    name: &str,
    text: impl Into<Arc<[u8]>>,
    model: DataModel,
    asked: &[Property],
) -> Result<Built, String> {
    let lowering = LowerOptions { arithmetic: ArithmeticChecks::of(asked), ..LowerOptions::default() };
    build_as(name, text, model, lowering)
}

/// The same, lowered in a way of its own.
pub fn build_as(
    name: &str,
    text: impl Into<Arc<[u8]>>,
    model: DataModel,
    lowering: LowerOptions,
) -> Result<Built, String> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add(name, text);
    let (models_name, models_text) = models();
    let units: Vec<_> = file.into_iter().chain(sources.add(models_name, models_text.into_bytes())).collect();
    let parsed = parse_program(&mut sources, &units, model);
    diagnostics.append(parsed.diagnostics);
    refuse_errors(&diagnostics, &sources)?;
    let lowered = lower(&parsed.ast, lowering.clone(), 1);
    diagnostics.append(lowered.diagnostics);
    refuse_errors(&diagnostics, &sources)?;
    let program = lowered.program.ok_or("there is no program")?;
    let invalid = raddle_ir::validate::validate(&program);
    if let Some(first) = invalid.first() {
        return Err(format!("the lowered program is not valid: {first:?}"));
    }
    Ok(Built { sources, program, ast: parsed.ast, lowering })
}

fn refuse_errors(diagnostics: &Diagnostics, sources: &SourceMap) -> Result<(), String> {
    let Some(error) = diagnostics.iter().find(|found| found.severity == Severity::Error) else {
        return Ok(());
    };
    let line = sources.locate(error.primary.span.lo).map_or(0, |place| place.line);
    Err(format!("line {line}: {}", error.message))
}

/// The text of a C file behind the preprocessor.
pub fn preprocess(path: &Path, model: DataModel) -> Result<Vec<u8>, String> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(Options { model, ..Options::default() });
    let file = preprocessor.load(&mut sources, path, &mut diagnostics);
    refuse_errors(&diagnostics, &sources)?;
    let file = file.ok_or_else(|| format!("{} cannot be read", path.display()))?;
    Ok(sources.file(file).text.to_vec())
}

/// Texts preprocessed together, for one data model.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Where each part begins: what all have in front, then the texts.
    parts: Vec<Vec<u8>>,
}

/// Stands between the texts of a batch; no program has such a word.
const MARK: &str = "raddle_oracle_next_text";

impl Batch {
    /// Preprocesses texts behind the same includes. They must not define macros.
    pub fn new(includes: &str, texts: &[String], model: DataModel) -> Result<Self, String> {
        let mut all = String::from(includes);
        for text in texts {
            all.push_str(&format!("{MARK}\n{text}"));
        }
        all.push_str(&format!("{MARK}\n"));
        let scratch = Scratch::new()?;
        let path = scratch.write("batch.c", &all)?;
        let whole = preprocess(&path, model)?;
        let parts = split(&whole, format!("{MARK}\n").as_bytes());
        if parts.len() != texts.len() + 2 {
            return Err(format!("{} texts became {} parts", texts.len(), parts.len()));
        }
        Ok(Self { parts })
    }

    /// One of the texts, with what all have in front.
    #[must_use]
    pub fn text(&self, index: usize) -> Vec<u8> {
        let mut text = self.parts[0].clone();
        text.extend_from_slice(b"# 1 \"program.c\"\n");
        text.extend_from_slice(&self.parts[index + 1]);
        text
    }
}

fn split(text: &[u8], mark: &[u8]) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.windows(mark.len()).position(|window| window == mark) {
        parts.push(rest[..at].to_vec());
        rest = &rest[at + mark.len()..];
    }
    parts.push(rest.to_vec());
    parts
}

/// A folder of one's own for files that come and go.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// A new, empty folder.
    pub fn new() -> Result<Self, String> {
        static FOLDERS: AtomicU64 = AtomicU64::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("raddle-oracle-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self { folder })
    }

    /// Writes a file there.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        #[expect(clippy::disallowed_methods, reason = "the preprocessor reads files")]
        let written = fs::write(&path, text);
        written.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind lies in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_batch_come_back_apart() {
        let texts = ["int a = EOF;\n".to_owned(), String::new(), "int b;\n".to_owned()];
        let batch = Batch::new("#include <stdio.h>\n", &texts, DataModel::Lp64).expect("it is preprocessed");
        let text = |index: usize| String::from_utf8(batch.text(index)).expect("it is text");
        assert!(text(0).contains("(-1)") && !text(0).contains("int b"));
        assert!(text(2).contains("int b;") && text(2).contains("printf"));
        assert!(build("t", batch.text(2), DataModel::Lp64, &[]).is_err(), "there is no main");
    }
}
