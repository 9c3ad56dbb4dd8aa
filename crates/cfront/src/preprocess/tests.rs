//! Preprocessing, by the compiler of the machine that runs the tests.

use super::*;

/// A directory for one test; removed afterwards.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("raddle-test-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    #[expect(clippy::disallowed_methods, reason = "tests write their inputs")]
    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn load(options: Options, path: &Path) -> Result<String, Vec<Diagnostic>> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = Preprocessor::new(options).load(&mut sources, path, &mut diagnostics);
    match file {
        Some(file) => Ok(String::from_utf8(sources.file(file).text.to_vec()).unwrap()),
        None => {
            assert!(diagnostics.has_errors());
            Err(diagnostics.iter().cloned().collect())
        }
    }
}

fn message(options: Options, path: &Path) -> String {
    let problems = load(options, path).unwrap_err();
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].message.clone()
}

const HEADERS: [&str; 17] = [
    "pthread.h",
    "stdatomic.h",
    "threads.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "semaphore.h",
    "stdbool.h",
    "stdint.h",
    "inttypes.h",
    "limits.h",
    "unistd.h",
    "errno.h",
    "assert.h",
    "math.h",
    "sys/types.h",
    "time.h",
];

/// The headers preprocess in both models, and the compiler finds the sizes right in the result.
#[test]
#[expect(clippy::disallowed_methods, reason = "asks the compiler for its opinion")]
fn all_headers_in_both_models() {
    let directory = Directory::new("headers");
    let includes: String = HEADERS.iter().map(|header| format!("#include <{header}>\n")).collect();
    let checks = "_Static_assert(sizeof(pthread_mutex_t) == (sizeof(void *) == 4 ? 24 : 40), \"mutex\");\n\
                  _Static_assert(sizeof(long) == WORD && sizeof(size_t) == WORD, \"word\");\n\
                  _Static_assert(sizeof(sem_t) == 4 * WORD, \"semaphore\");\n";
    let path = directory.file("all.c", includes + checks);
    for (model, word, flags) in [(DataModel::Lp64, "8", &[][..]), (DataModel::Ilp32, "4", &["-m32"][..])] {
        let flags_for_us = vec![Flag::Define(format!("WORD={word}").into())];
        let options = Options { model, flags: flags_for_us, ..Options::default() };
        let text = load(options, &path).unwrap();
        let preprocessed = directory.file("all.i", text);
        let checked = Command::new("cc").args(flags).arg("-fsyntax-only").arg(preprocessed).output().unwrap();
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    }
}

#[test]
fn flags_are_passed_on_in_order() {
    let directory = Directory::new("flags");
    let path = directory.file("a.c", "#include <own.h>\nint x = A B C __STDC_VERSION__;\n");
    std::fs::create_dir(directory.0.join("include")).unwrap();
    directory.file("include/own.h", "#define C 3\n");
    let forced = directory.file("forced.h", "#define B 2\n");
    let flags = vec![
        Flag::SystemDirectory(directory.0.join("include")),
        Flag::Include(forced),
        Flag::Define("A=0".into()),
        Flag::Undefine("A".into()),
        Flag::Define("A=1".into()),
    ];
    let options = Options { flags, standard: Some("gnu11".to_owned()), ..Options::default() };
    let text = load(options, &path).unwrap();
    let code: Vec<&str> =
        text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect();
    assert_eq!(code.join(" "), "int x = 1 2 3 201112L ;");
    assert!(text.contains("own.h\" 1 3"), "the header is a system header: {text}");
}

#[test]
fn a_missing_header_is_shown_at_its_place() {
    let directory = Directory::new("missing");
    let path = directory.file("a.c", "\t# include \"deep.h\"\n");
    directory.file("deep.h", "int x;\n#include <gone.h>\n");
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = Preprocessor::new(Options::default()).load(&mut sources, &path, &mut diagnostics);
    assert_eq!(file, None);
    let problem = diagnostics.iter().next().unwrap();
    assert_eq!(problem.message, "gone.h: No such file or directory");
    assert_eq!(sources.text(problem.primary.span), b"<gone.h>");
    let location = sources.locate(problem.primary.span.lo).unwrap();
    assert!(location.file.ends_with("deep.h") && location.line == 2, "{location:?}");
    assert!(
        problem.notes[0].starts_with("included from ") && problem.notes[0].ends_with("a.c:1"),
        "{problem:?}"
    );
}

#[test]
fn warnings_of_the_preprocessor_come_through() {
    let directory = Directory::new("warnings");
    let path = directory.file("a.c", "#warning mind this\nint x;\n");
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = Preprocessor::new(Options::default()).load(&mut sources, &path, &mut diagnostics);
    assert!(file.is_some());
    let warnings: Vec<&str> = diagnostics.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("mind this"), "{warnings:?}");
}

#[test]
fn inputs_that_are_no_c() {
    let directory = Directory::new("inputs");
    let cases: [(&str, &[u8], &str); 7] = [
        ("binary.c", b"\x7fELF\0\0", "is a binary file, not C"),
        ("binary.i", b"\x7fELF\0\0", "is a binary file, not C"),
        ("x.h", b"int x;", "is a header, not a translation unit"),
        ("x.o", b"int x;", "is an object file"),
        ("x.cpp", b"int x;", "is C++, which is not supported"),
        ("x.txt", b"int x;", "is not a C file by its name"),
        ("x", b"int x;", "is not a C file by its name"),
    ];
    for (name, text, expected) in cases {
        let path = directory.file(name, text);
        let message = message(Options::default(), &path);
        assert!(message.ends_with(expected) && message.contains(name), "{message}");
    }
    assert!(message(Options::default(), &directory.0).ends_with("is a directory"));
    assert!(message(Options::default(), &directory.0.join("gone.c")).starts_with("no such file"));
}

#[test]
fn an_empty_file_is_taken_with_a_warning() {
    let directory = Directory::new("empty");
    for (name, text) in [("empty.c", ""), ("blank.i", " \n\n")] {
        let path = directory.file(name, text);
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = Preprocessor::new(Options::default()).load(&mut sources, &path, &mut diagnostics);
        assert!(file.is_some() && !diagnostics.has_errors());
        assert!(diagnostics.iter().all(|warning| warning.message.ends_with("is empty")));
        assert_eq!(diagnostics.iter().count(), 1);
    }
}

#[test]
fn another_preprocessor() {
    let directory = Directory::new("another");
    let path = directory.file("a.c", "int x = Y;\n");
    let with = |command: &str| Options { command: Some(command.to_owned()), ..Options::default() };
    assert!(load(with("cc -DY=7"), &path).unwrap().contains("int x = 7;"));
    let missing = message(with("no-such-compiler"), &path);
    assert_eq!(missing, "cannot preprocess: there is no command `no-such-compiler`");
    let failing = message(with("false"), &path);
    assert!(failing.contains("`false -E` failed"), "{failing}");
    // A preprocessed file needs no preprocessor.
    let path = directory.file("a.i", "int x;\n");
    assert_eq!(load(with("no-such-compiler"), &path).unwrap(), "int x;\n");
}

#[test]
fn nothing_is_left_behind() {
    let directory = Directory::new("left");
    let path = directory.file("a.c", "#include <stdio.h>\n#include <gone.h>\n");
    let options = Options { model: DataModel::Ilp32, ..Options::default() };
    let mut preprocessor = Preprocessor::new(options);
    let mut diagnostics = Diagnostics::new();
    assert_eq!(preprocessor.load(&mut SourceMap::new(), &path, &mut diagnostics), None);
    let added = preprocessor.ilp32.as_ref().map(ilp32::Headers::arguments).unwrap_or_default();
    drop(preprocessor);
    let left = added.iter().map(Path::new).filter(|path| path.starts_with(std::env::temp_dir()));
    assert_eq!(left.filter(|path| path.exists()).count(), 0);
}

#[test]
fn a_file_whose_name_begins_with_a_dash_is_no_option() {
    assert_eq!(as_argument(Path::new("-x.c")), Path::new("./-x.c"));
    assert_eq!(as_argument(Path::new("x.c")), Path::new("x.c"));
}
