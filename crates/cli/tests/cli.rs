//! The command as people meet it: help, messages, exit codes, files.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory for one test, removed afterwards. Commands run in it, and have it for temporary files, too.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("raddle-cli-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    #[expect(clippy::disallowed_methods, reason = "tests write their inputs")]
    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.0.join(name), text).unwrap();
        self
    }

    #[expect(clippy::disallowed_methods, reason = "runs the tool under test")]
    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(arguments.split_whitespace()).current_dir(&self.0);
        command.env("TMPDIR", &self.0).env_remove("NO_COLOR").stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &str) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// Fails unless the command reported exactly this and ended with exit code 1.
    #[track_caller]
    fn reports(&self, expected: &str) {
        assert_eq!(self.stderr.trim_end(), expected.trim(), "\n{}", self.stderr);
        assert_eq!(self.code, Some(1));
        assert_eq!(self.stdout, "");
    }

    #[track_caller]
    fn succeeds(&self) -> &Self {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self
    }
}

#[test]
fn help_and_version() {
    let directory = Directory::new("help");
    let help = directory.run("--help");
    assert!(help.succeeds().stdout.starts_with("Verifies and debugs multi-threaded C programs"));
    for expected in ["parse", "completions", "Exit codes:", "0  no error", "2  internal error"] {
        assert!(help.stdout.contains(expected), "{expected}");
    }
    let help = directory.run("parse --help");
    for flag in
        ["--emit", "-I <DIR>", "-D <NAME[=VALUE]>", "-include", "-isystem", "--error-format", "-o, --output"]
    {
        assert!(help.succeeds().stdout.contains(flag), "{flag}");
    }
    let version = directory.run("--version");
    assert_eq!(version.succeeds().stdout, concat!("raddle ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn wrong_usage() {
    let directory = Directory::new("usage");
    for (arguments, expected) in [
        ("", "Usage: raddle"),
        ("parse", "required arguments were not provided"),
        ("frobnicate", "unrecognized subcommand 'frobnicate'"),
        ("parse --frobnicate a.c", "unexpected argument '--frobnicate'"),
        ("parse --emit pascal a.c", "invalid value 'pascal'"),
        ("parse --line-directives a.c", "--emit"),
        ("man frobnicate", "there is no command `frobnicate`"),
    ] {
        let ran = directory.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{arguments}");
        assert!(ran.stderr.contains(expected), "{arguments}: {}", ran.stderr);
    }
}

#[test]
fn manual_pages_and_completions() {
    let directory = Directory::new("documents");
    let page = directory.run("man");
    assert!(page.succeeds().stdout.contains(".TH raddle 1"), "{}", page.stdout);
    let page = directory.run("man parse");
    assert!(page.succeeds().stdout.contains("line\\-directives"), "{}", page.stdout);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = directory.run(&format!("completions {shell}"));
        assert!(script.succeeds().stdout.contains("line-directives"), "{shell}");
    }
}

#[test]
fn files_that_cannot_be_read() {
    let directory = Directory::new("unreadable");
    directory
        .file("empty.c", "")
        .file("binary.c", b"\x7fELF\0\x01")
        .file("a.h", "int x;")
        .file("a.txt", "int x;");
    directory.file("a.o", b"\x7fELF\0\x01");
    std::fs::create_dir(directory.0.join("sub.c")).unwrap();
    directory.run("parse gone.c").reports("error: no such file: `gone.c`\n\nraddle: 1 error");
    directory.run("parse sub.c").reports("error: `sub.c` is a directory\n\nraddle: 1 error");
    let empty = directory.run("parse empty.c");
    assert_eq!(empty.code, Some(0));
    assert!(empty.stderr.starts_with("warning: `empty.c` is empty\n"), "{}", empty.stderr);
    directory.run("parse binary.c").reports("error: `binary.c` is a binary file, not C\n\nraddle: 1 error");
    directory.run("parse a.h").reports(
        "
error: `a.h` is a header, not a translation unit
 |
 = help: give a `.c` file that includes it

raddle: 1 error",
    );
    directory.run("parse a.txt").reports(
        "
error: `a.txt` is not a C file by its name
 |
 = help: give a `.c` file, or a `.i` file that is preprocessed already

raddle: 1 error",
    );
    directory.run("parse a.o gone.c").reports(
        "
error: `a.o` is an object file
 |
 = help: give the C sources it was made from

error: no such file: `gone.c`

raddle: 2 errors",
    );
}

#[test]
fn no_preprocessor() {
    let directory = Directory::new("cpp");
    directory.file("a.c", "int x;\n");
    directory.run("parse --cpp no-such-compiler a.c").reports(
        "
error: cannot preprocess: there is no command `no-such-compiler`
 |
 = help: install a C compiler, name another preprocessor with `--cpp`, or give preprocessed `.i` files

raddle: 1 error",
    );
    let mut command = directory.command("parse a.c");
    let ran: Ran = command.env("PATH", directory.0.join("nowhere")).output().unwrap().into();
    assert!(ran.stderr.starts_with("error: cannot preprocess: there is no command `cc`"), "{}", ran.stderr);
}

#[test]
fn a_missing_header() {
    let directory = Directory::new("header");
    directory.file("a.c", "int x;\n#include \"gone.h\"\n");
    directory.run("parse a.c").reports(
        "
error: gone.h: No such file or directory
 --> a.c:2:10
  |
2 | #include \"gone.h\"
  |          ^^^^^^^^
  |
  = help: name the directory that holds it with `-I`

raddle: 1 error",
    );
}

#[test]
fn mistakes_below_the_grammar() {
    let directory = Directory::new("tokens");
    directory.file("comment.c", "int x;\n/* never closed\nint y;\n");
    directory.file("string.i", "char *s = \"abc;\n");
    directory.file("directive.i", "#include <stdio.h>\n#include <stdlib.h>\nint x;\n");
    let ran = directory.run("parse comment.c");
    assert!(ran.stderr.starts_with("error: unterminated comment\n --> comment.c:2:1\n"), "{}", ran.stderr);
    let ran = directory.run("parse string.i");
    let expected = "
error: unterminated string literal
 --> string.i:1:11
  |
1 | char *s = \"abc;
  |           ^^^^^ no closing `\"` on this line
  |
  = help: close the string on its line; adjacent strings are joined
";
    assert!(ran.stderr.starts_with(expected.trim_start()), "{}", ran.stderr);
    directory.run("parse directive.i").reports(
        "
error: preprocessing directive `#include` in preprocessed text
 --> directive.i:1:1
  |
1 | #include <stdio.h>
  | ^^^^^^^^^^^^^^^^^^ this should have been expanded
  |
  = note: a `.i` file is taken as it is; further directives in it are not reported
  = help: give the file the extension `.c` to have it preprocessed

raddle: 1 error",
    );
}

#[test]
fn messages_as_json() {
    let directory = Directory::new("json");
    directory.file("a.c", "#include \"gone.h\"\n").file("b.i", "int x = `1;\n");
    let ran = directory.run("parse a.c b.i gone.c --error-format json");
    let messages: Vec<serde_json::Value> =
        ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(messages.len(), 3, "{}", ran.stderr);
    assert_eq!(messages[0]["severity"], "error");
    assert_eq!(messages[0]["file"], "a.c");
    assert_eq!((&messages[0]["line"], &messages[0]["column"]), (&1.into(), &10.into()));
    assert_eq!((&messages[0]["end"]["line"], &messages[0]["end"]["column"]), (&1.into(), &18.into()));
    assert_eq!(messages[1]["message"], "no such file: `gone.c`");
    assert_eq!(messages[1].get("file"), None);
    assert_eq!(messages[2]["message"], "stray ``` in program");
    assert_eq!(messages[2]["column"], 9);
    assert_eq!(ran.code, Some(1));
}

#[test]
fn colour_only_when_asked() {
    let directory = Directory::new("colour");
    directory.file("a.i", "int x = `1;\n");
    assert!(!directory.run("parse a.i").stderr.contains('\x1b'));
    assert!(!directory.run("parse a.i --color never").stderr.contains('\x1b'));
    assert!(directory.run("parse a.i --color always").stderr.contains('\x1b'));
}

const PROGRAM: &str = "\
#include <pthread.h>
#include <stdio.h>
#ifndef LIMIT
#define LIMIT 3
#endif
_Static_assert(sizeof(pthread_mutex_t) == MUTEX, \"size of a mutex\");
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int twice(int x) {
    return x + x;
}
int main(void) {
    pthread_mutex_lock(&lock);
    printf(\"%d\\n\", twice(LIMIT));
    return 0;
}
";

#[test]
fn a_program_in_both_data_models() {
    let directory = Directory::new("program");
    directory.file("a.c", PROGRAM);
    let ran = directory.run("parse -DMUTEX=40 a.c");
    assert_eq!(ran.succeeds().stdout, "a.c: 2 functions, 10 lines, no warnings\n");
    let ran = directory.run("parse -m32 -D MUTEX=24 a.c");
    assert_eq!(ran.succeeds().stdout, "a.c: 2 functions, 10 lines, no warnings\n");
    let ran = directory.run("parse --data-model ilp32 -DMUTEX=40 a.c");
    assert!(ran.stderr.contains("size of a mutex"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(1));
    assert_eq!(directory.names(), ["a.c"], "nothing is left behind");
}

#[test]
fn several_units() {
    let directory = Directory::new("units");
    directory
        .file("a.c", "int f(void);\nint main(void) { return f(); }\n")
        .file("b.i", "int f(void) { return 0; }\n");
    let ran = directory.run("parse a.c b.i");
    assert_eq!(
        ran.succeeds().stdout,
        "a.c: 1 function, 2 lines, no warnings\nb.i: 1 function, 1 line, no warnings\n2 units: 2 functions, 3 lines, \
         no warnings\n"
    );
}

#[test]
fn warnings_are_counted_and_no_error() {
    let directory = Directory::new("warnings");
    directory.file("a.c", "#warning mind this\nint f(void) { return g(); }\n");
    let ran = directory.run("parse a.c");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "a.c: 1 function, 1 line, 2 warnings\n"));
    assert!(
        ran.stderr.contains("warning: #warning mind this") && ran.stderr.ends_with("raddle: 2 warnings\n")
    );
}

#[test]
fn standard_input() {
    let directory = Directory::new("stdin");
    let mut command = directory.command("parse - -DX=1 --emit c");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"int x = X;\n").unwrap();
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.succeeds().stdout, "int x = 1;\n");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "reads what the tool wrote")]
fn output_to_a_file() {
    let directory = Directory::new("output");
    directory.file("a.i", "int x;\n").file("bad.i", "int x = `1;\n");
    directory.run("parse a.i --emit c -o a.out.c").succeeds();
    assert_eq!(std::fs::read_to_string(directory.0.join("a.out.c")).unwrap(), "int x;\n");
    let ran = directory.run("parse a.i --emit c -o no/such/place.c");
    assert!(ran.stderr.starts_with("raddle: cannot write to no/such/place.c"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(1));
    // After an error nothing is written.
    assert_eq!(directory.run("parse bad.i --emit c -o bad.out.c").code, Some(1));
    assert!(!Path::new(&directory.0.join("bad.out.c")).exists());
}

#[test]
fn nothing_is_left_behind_after_an_error() {
    let directory = Directory::new("left");
    directory.file("a.c", "#include <stdio.h>\n#include <gone.h>\n");
    assert_eq!(directory.run("parse -m32 a.c").code, Some(1));
    assert_eq!(directory.names(), ["a.c"]);
}

#[test]
fn a_reader_that_goes_away_is_no_mistake_of_ours() {
    let directory = Directory::new("pipe");
    let declarations: String = (0..50_000).map(|number| format!("int variable_{number};\n")).collect();
    directory.file("long.i", declarations);
    for arguments in ["parse --emit c long.i", "parse --emit ast long.i", "completions bash", "--help"] {
        let mut command = directory.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran: Ran = child.wait_with_output().unwrap().into();
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments}");
    }
}
