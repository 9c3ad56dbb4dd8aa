//! Task files: which program, which properties, which data model. SV-COMP's format, version 2.
//!
//! A file that is not one is refused at its line. Keys that do not concern us are passed over: the format has many, and more
//! may come.

use std::ops::Range;
use std::path::{Path, PathBuf};

use raddle_cfront::layout::DataModel;
use serde::Deserialize;
use serde_saphyr::{Location, Spanned};

/// What a task file says. Paths are relative to the current directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TaskFile {
    pub(super) input_files: Vec<PathBuf>,
    /// Property files, in order.
    pub(super) properties: Vec<PathBuf>,
    pub(super) data_model: Option<DataModel>,
}

/// What is wrong with a task file, and where.
pub(super) type Problem = (String, Range<usize>);

#[derive(Deserialize)]
struct Contents {
    format_version: Spanned<String>,
    input_files: Spanned<OneOrMore>,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    #[serde(default)]
    options: TaskOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: String,
}

#[derive(Default, Deserialize)]
struct TaskOptions {
    language: Option<Spanned<String>>,
    data_model: Option<Spanned<String>>,
}

/// Reads a task file.
pub(super) fn parse(text: &str, path: &Path) -> Result<TaskFile, Problem> {
    let contents: Contents = serde_saphyr::from_str(text).map_err(|error| {
        let error = error.without_snippet();
        (message(&error.to_string()), error.location().map_or(0..0, |at| range(text, at)))
    })?;
    let at = |location: Location| range(text, location);
    let version = &contents.format_version;
    if version.value != "2" && !version.value.starts_with("2.") {
        let message = format!("format_version {} is not known; version 2.0 is", version.value);
        return Err((message, at(version.referenced)));
    }
    if let Some(language) = &contents.options.language
        && language.value != "C"
    {
        return Err((
            format!("a program in {} cannot be checked; C can", language.value),
            at(language.referenced),
        ));
    }
    let data_model = match &contents.options.data_model {
        None => None,
        Some(model) => match model.value.as_str() {
            "LP64" => Some(DataModel::Lp64),
            "ILP32" => Some(DataModel::Ilp32),
            other => {
                let message = format!("there is no data model {other}; there are ILP32 and LP64");
                return Err((message, at(model.referenced)));
            }
        },
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let input_files: Vec<PathBuf> = match &contents.input_files.value {
        OneOrMore::One(file) => vec![folder.join(file)],
        OneOrMore::More(files) => files.iter().map(|file| folder.join(file)).collect(),
    };
    if input_files.is_empty() {
        return Err(("there are no input files".to_owned(), at(contents.input_files.referenced)));
    }
    let properties = contents.properties.iter().map(|entry| folder.join(&entry.property_file)).collect();
    Ok(TaskFile { input_files, properties, data_model })
}

/// What the reader of YAML says, without the place, which is shown.
fn message(text: &str) -> String {
    let text = text.lines().next().unwrap_or("");
    let end = text.rfind(" at line ").or_else(|| text.rfind("(line ")).unwrap_or(text.len());
    let start = text.strip_prefix("error: ").map_or(0, |rest| text.len() - rest.len());
    text.get(start..end).unwrap_or(text).trim_end_matches([' ', ':', ',']).to_owned()
}

/// Bytes of a text: the rest of the word at a place.
fn range(text: &str, at: Location) -> Range<usize> {
    let before = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
    let line_start: usize = text.split_inclusive('\n').take(before(at.line())).map(str::len).sum();
    let line = text[line_start..].lines().next().unwrap_or("");
    let column = before(at.column());
    let start = line_start + line.char_indices().nth(column).map_or(line.len(), |(index, _)| index);
    let length = text[start..].find(|c: char| c.is_whitespace() || c == ',').unwrap_or(text.len() - start);
    start..start + length
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  \
        - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n  \
        - property_file: ../p/no-overflow.prp\noptions:\n  language: C\n  data_model: ILP32\n";

    fn parsed(text: &str) -> Result<TaskFile, Problem> {
        parse(text, Path::new("sets/t.yml"))
    }

    #[test]
    fn a_task_is_read() {
        let task = parsed(GOOD).unwrap();
        assert_eq!(task.input_files, [PathBuf::from("sets/a.i")]);
        let properties = ["sets/../p/unreach-call.prp", "sets/../p/no-overflow.prp"].map(PathBuf::from);
        assert_eq!(task.properties, properties);
        assert_eq!(task.data_model, Some(DataModel::Ilp32));
        let several = GOOD.replace("'a.i'", "\n  - a.i\n  - \"b.c\"").replace("'2.0'", "2.0");
        assert_eq!(parsed(&several).unwrap().input_files, ["sets/a.i", "sets/b.c"].map(PathBuf::from));
    }

    #[test]
    fn what_is_no_task_is_refused_at_its_place() {
        for (from, to, message, word) in [
            ("'2.0'", "'1.0'", "format_version 1.0 is not known; version 2.0 is", "'1.0'"),
            ("ILP32", "LP128", "there is no data model LP128; there are ILP32 and LP64", "LP128"),
            ("language: C", "language: Java", "a program in Java cannot be checked; C can", "Java"),
            ("'a.i'", "[]", "there are no input files", "[]"),
        ] {
            let text = GOOD.replace(from, to);
            let (found, at) = parsed(&text).unwrap_err();
            assert_eq!((found.as_str(), &text[at]), (message, word));
        }
    }

    #[test]
    fn what_is_no_yaml_is_refused() {
        for text in ["", "a: [", "input_files: a.i\n", "format_version: '2.0'\n", "- 1\n- 2\n", "\t: x"] {
            let (message, at) = parsed(text).unwrap_err();
            assert!(!message.is_empty() && at.end <= text.len(), "{text:?}: {message:?} {at:?}");
        }
        let (message, _) = parsed("format_version: '2.0'\n").unwrap_err();
        assert!(message.contains("input_files"), "{message}");
    }
}
