//! Which tasks there are, and what is true of each.
//!
//! A task is a file `*.yml` in SV-COMP's format, version 2. Here only its property and the expected verdict matter; the rest
//! is read by the checker. A broken task file ends the command before anything runs: a campaign that silently leaves tasks
//! out would look better than it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A task to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// The task file.
    pub(super) path: PathBuf,
    /// What it is called in tables: `folder/file.yml`, the same wherever the tasks lie.
    pub(super) name: String,
    /// The property file it names.
    pub(super) property_file: PathBuf,
    /// Whether the property holds.
    pub(super) expected: bool,
}

impl Task {
    /// The part of the name before the file.
    pub(super) fn folder(name: &str) -> &str {
        name.rsplit_once('/').map_or(".", |(folder, _)| folder)
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// In the order of their names.
    pub(super) tasks: Vec<Task>,
    /// Task files that do not ask for the property.
    pub(super) without_property: usize,
    /// Task files that do not say whether the property holds.
    pub(super) without_verdict: usize,
    /// Files in the directories that end in `.yml` and are no task files.
    pub(super) no_tasks: usize,
}

#[derive(Debug, Deserialize)]
struct TaskFile {
    format_version: Option<String>,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
}

#[derive(Debug, Deserialize)]
struct PropertyEntry {
    property_file: String,
    expected_verdict: Option<bool>,
}

/// Finds the tasks with a property in files and below directories. The error lists everything that is wrong.
pub(super) fn find(paths: &[PathBuf], property: &str) -> Result<Found, String> {
    let mut problems = Vec::new();
    let mut candidates = Vec::new();
    for path in paths {
        match fs::metadata(path) {
            Ok(what) if what.is_dir() => {
                let root = Root::Directory(path);
                let mut files = Vec::new();
                if let Err(problem) = collect(path, &mut files) {
                    problems.push(problem);
                }
                files.sort();
                candidates.extend(files.into_iter().map(|file| (file, root)));
            }
            Ok(_) => candidates.push((path.clone(), Root::File)),
            Err(error) => problems.push(format!("{}: {error}", path.display())),
        }
    }
    let mut found = Found::default();
    for (path, root) in candidates {
        match read(&path, property) {
            Ok(Content::Task { property_file, expected }) => {
                let name = name(&path, root);
                found.tasks.push(Task { path, name, property_file, expected });
            }
            Ok(Content::WithoutProperty) => found.without_property += 1,
            Ok(Content::WithoutVerdict) => found.without_verdict += 1,
            Ok(Content::NoTask) if matches!(root, Root::Directory(_)) => found.no_tasks += 1,
            Ok(Content::NoTask) => {
                problems.push(format!("{}: not a task file: it has no `format_version`", path.display()));
            }
            Err(problem) => problems.push(format!("{}: {problem}", path.display())),
        }
    }
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    sort_and_name(&mut found.tasks);
    Ok(found)
}

/// Where a task file was found.
#[derive(Clone, Copy)]
enum Root<'a> {
    Directory(&'a Path),
    File,
}

/// All files below a directory that end in `.yml`; hidden ones and links to directories are left out.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let unreadable = |error| format!("{}: {error}", directory.display());
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if entry.file_type().map_err(unreadable)?.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yml") && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

enum Content {
    Task { property_file: PathBuf, expected: bool },
    WithoutProperty,
    WithoutVerdict,
    NoTask,
}

#[expect(clippy::disallowed_methods, reason = "task files are read here")]
fn read(path: &Path, property: &str) -> Result<Content, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    parse(&text, path, property)
}

fn parse(text: &str, path: &Path, property: &str) -> Result<Content, String> {
    let file: TaskFile = serde_saphyr::from_str(text).map_err(|error| error.without_snippet().to_string())?;
    let Some(version) = file.format_version else { return Ok(Content::NoTask) };
    if version != "2" && !version.starts_with("2.") {
        return Err(format!("format_version {version} is not supported; version 2 is"));
    }
    let named = |entry: &&PropertyEntry| {
        Path::new(&entry.property_file).file_stem().is_some_and(|stem| stem == property)
    };
    let Some(entry) = file.properties.iter().find(named) else { return Ok(Content::WithoutProperty) };
    let property_file = path.parent().unwrap_or(Path::new("")).join(&entry.property_file);
    Ok(match entry.expected_verdict {
        Some(expected) => Content::Task { property_file, expected },
        None => Content::WithoutVerdict,
    })
}

/// Relative to the directory that was asked for, but with at least one folder: `pthread/queue.yml` for all of `sets`,
/// `sets/pthread` and `sets/pthread/queue.yml`. So results of different calls can be compared.
fn name(path: &Path, root: Root<'_>) -> String {
    let relative = match root {
        Root::Directory(directory) => path.strip_prefix(directory).unwrap_or(path),
        Root::File => Path::new(path.file_name().unwrap_or(path.as_os_str())),
    };
    let parent = || {
        let whole = fs::canonicalize(path).ok()?;
        Some(whole.parent()?.file_name()?.to_owned())
    };
    let relative = match parent() {
        Some(folder) if relative.components().count() == 1 => Path::new(&folder).join(relative),
        _ => relative.to_owned(),
    };
    relative.to_string_lossy().into_owned()
}

/// Sorts the tasks, drops those that were named twice, and calls tasks by their whole path where the short names are not unique.
fn sort_and_name(tasks: &mut Vec<Task>) {
    let whole = |task: &Task| fs::canonicalize(&task.path).unwrap_or_else(|_| task.path.clone());
    tasks.sort_by_cached_key(|task| (task.name.clone(), whole(task)));
    tasks.dedup_by(|a, b| a.name == b.name && whole(a) == whole(b));
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for task in tasks.iter() {
        *count.entry(task.name.clone()).or_default() += 1;
    }
    for task in tasks.iter_mut() {
        if count.get(&task.name).is_some_and(|&count| count > 1) {
            task.name = task.path.to_string_lossy().into_owned();
        }
    }
    // Folder by folder, as in the table: `a/z.yml` before `a-b/a.yml`.
    tasks.sort_by(|a, b| Path::new(&a.name).cmp(Path::new(&b.name)));
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "sets/a/t.yml";

    fn parsed(text: &str) -> Result<Content, String> {
        parse(text, Path::new(PATH), "unreach-call")
    }

    #[test]
    fn a_task_is_read() {
        for version in ["'2.0'", "2.0", "\"2.1\""] {
            let text = format!(
                "format_version: {version}\ninput_files: [t.i, u.i]\nproperties:\n  - property_file: ../p/no-overflow.prp\n  \
                 - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n    subproperty: x\noptions:\n  language: C\n"
            );
            let Ok(Content::Task { property_file, expected }) = parsed(&text) else { panic!("{text}") };
            assert_eq!((property_file, expected), (PathBuf::from("sets/a/../p/unreach-call.prp"), false));
        }
    }

    #[test]
    fn tasks_are_sorted_by_folder_and_called_by_their_paths_where_names_are_not_unique() {
        let task = |path: &str, name: &str| Task {
            path: path.into(),
            name: name.to_owned(),
            property_file: PathBuf::new(),
            expected: true,
        };
        let mut tasks = vec![
            task("x/a-b/1.yml", "a-b/1.yml"),
            task("x/a/2.yml", "a/2.yml"),
            task("y/c/1.yml", "c/1.yml"),
            task("x/c/1.yml", "c/1.yml"),
        ];
        // Files that do not exist are told apart by nothing but their paths.
        sort_and_name(&mut tasks);
        let names: Vec<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
        assert_eq!(names, ["a/2.yml", "a-b/1.yml", "x/c/1.yml", "y/c/1.yml"]);
    }

    #[test]
    fn what_is_no_such_task_is_told_apart() {
        assert!(matches!(parsed("a: 1"), Ok(Content::NoTask)));
        assert!(matches!(parsed("format_version: '2.0'\ninput_files: t.i"), Ok(Content::WithoutProperty)));
        let without = "format_version: '2.0'\nproperties: [{property_file: unreach-call.prp}]";
        assert!(matches!(parsed(without), Ok(Content::WithoutVerdict)));
        assert!(parsed("format_version: '1.0'").is_err());
        assert!(
            parsed("format_version: '2.0'\nproperties: [{property_file: x, expected_verdict: perhaps}]")
                .is_err()
        );
        assert!(parsed("a: [").is_err());
    }
}
