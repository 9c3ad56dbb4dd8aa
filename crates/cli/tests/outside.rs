//! What lies outside of one file: functions without a body, the world around the program, other files that it is linked with.

#![expect(clippy::disallowed_methods, reason = "the tests start commands and write what they read")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of one's own with the files of a program: `0.c`, `1.c`, …
struct Folder {
    path: PathBuf,
    files: Vec<String>,
}

impl Folder {
    fn new(name: &str, texts: &[&str]) -> Self {
        let path = std::env::temp_dir().join(format!("raddle-outside-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let files: Vec<String> = (0..texts.len()).map(|number| format!("{number}.c")).collect();
        for (file, text) in files.iter().zip(texts) {
            std::fs::write(path.join(file), text).unwrap();
        }
        Self { path, files }
    }

    fn raddle(&self, command: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut line = Command::new(env!("CARGO_BIN_EXE_raddle"));
        line.arg(command).args(&self.files).args(arguments).current_dir(&self.path);
        let Output { status, stdout, stderr } = line.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (status.code(), text(stdout), text(stderr))
    }

    /// The exit code of `raddle check` for assertions, and what it prints.
    fn check(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let (code, stdout, _) = self.raddle("check", &[&["--properties", "assertion"], arguments].concat());
        (code, stdout)
    }

    /// What the program returns when gcc builds it; nothing if it does not link.
    fn gcc(&self) -> Option<Option<i32>> {
        let mut line = Command::new("gcc");
        line.args(["-w", "-o", "program"]).args(&self.files).current_dir(&self.path);
        if !line.output().ok()?.status.success() {
            return None;
        }
        Some(Command::new(self.path.join("program")).status().ok()?.code())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

const TRUE: Option<i32> = Some(0);
const FALSE: Option<i32> = Some(10);
const UNKNOWN: Option<i32> = Some(20);
const BOUNDED: Option<i32> = Some(30);

#[test]
fn a_function_without_a_body_is_named_with_the_place_of_its_call() {
    let text = "#include <assert.h>\nvoid fill(int *);\nint main(void) {\n  int x = 0;\n  fill(&x);\n  assert(x == 0);\n}\n";
    let folder = Folder::new("named", &[text]);
    for engine in ["portfolio", "po-bmc", "exhaustive", "random", "lazy", "lal-reps"] {
        let (code, text) = folder.check(&["--engine", engine]);
        let line = "UNKNOWN: depends on `fill`, which has no body: give a stub at 0.c:5";
        assert_eq!((code, text.contains(line)), (UNKNOWN, true), "{engine}: {text}");
    }
    assert_eq!(folder.check(&["--assume-pure", "fill"]).0, TRUE);
    let (code, _, said) = folder.raddle("check", &["--assume-pure", "full"]);
    assert_eq!((code, said.contains("no function `full`")), (Some(1), true), "{said}");
    let stub = Folder::new("stub", &[text, "void fill(int *place) { *place = 1; }"]);
    assert_eq!(stub.check(&[]).0, FALSE, "a stub says what it does");
}

#[test]
fn what_a_pure_function_returns_is_not_known() {
    let text = |condition: &str| {
        format!(
            "#include <assert.h>\nint shared;\nint number(void);\n
             int main(void) {{ shared = 1; int n = number(); assert({condition}); }}"
        )
    };
    let folder = |name: &str, condition: &str| Folder::new(name, &[&text(condition)]);
    assert_eq!(folder("pure", "shared == 1").check(&[]).0, UNKNOWN);
    assert_eq!(folder("pure-said", "shared == 1").check(&["--assume-pure", "number"]).0, TRUE);
    assert_eq!(folder("pure-result", "n != 3").check(&["--assume-pure", "number"]).0, UNKNOWN);
}

#[test]
fn arguments_are_named_or_free() {
    let text =
        "#include <assert.h>\nint main(int argc, char **argv) { assert(argc < 3 && argv[argc] == 0); }\n";
    let folder = Folder::new("arguments", &[text]);
    let (code, said) = folder.check(&[]);
    assert_eq!(code, TRUE);
    assert!(said.contains("main is called with argc = 1, argv[0] = \"0.c\""), "{said}");
    assert_eq!(folder.check(&["--", "a", "b"]).0, FALSE);
    assert_eq!(folder.check(&["--free-arguments"]).0, FALSE);
    let (_, json) = folder.check(&["--format", "json"]);
    assert!(json.contains("\"assumptions\":") && json.contains("argc = 1"), "{json}");
    let ends = "#include <assert.h>\nint main(int argc, char **argv) { assert(argv[argc] == 0); }\n";
    let (code, said) = Folder::new("end", &[ends]).check(&["--free-arguments"]);
    assert!(code == BOUNDED && said.contains("SAFE up to argc=4"), "{said}");
    let unused = Folder::new("unused", &["int main(int argc, char **argv) { return 0; }"]);
    let (code, said) = unused.check(&["--free-arguments"]);
    assert!(code == TRUE && !said.contains("argc"), "{said}");
}

#[test]
fn free_arguments_hold_any_text() {
    let text = "#include <assert.h>\nint main(int argc, char **argv) {\n\
                if (argc == 2) assert(argv[1][0] != 'x' || argv[1][1] != 0); }\n";
    let folder = Folder::new("text", &[text]);
    assert_eq!((folder.check(&[]).0, folder.check(&["--free-arguments"]).0), (TRUE, FALSE));
}

#[test]
fn an_order_of_evaluation_that_can_be_seen_is_named() {
    let open = [
        "int main(void) { int before = x + take(3); return before; }",
        "int main(void) { x += take(3); return x; }",
        "int main(void) { return less(take(1), take(2)); }",
        "int main(void) { int i = 0; return less(i, i++); }",
        "int main(void) { int a[2] = {0, 0}, *p = a; *p = take(1); p[x] = take(1); return 0; }",
        "_Atomic int y; int main(void) { return y - y; }",
        "typedef volatile int cell; cell y, z; int main(void) { return less(y, z); }",
        "int main(void) { int a[2] = {take(1), x}; return a[1]; }",
        "struct pair { int a, b; }; int main(void) { return (struct pair){ .b = take(1), .a = x }.a; }",
        "int main(void) { int i = 1; i = i++; return i; }",
    ];
    let fixed = [
        "int main(void) { int before = take(3); return before; }",
        "int main(void) { int i = 1, a[2] = {i, i + 1}; i = i + 1; return a[0] + i; }",
        "int main(void) { return take(1) && take(2); }",
        "int main(void) { int a[3] = {0}, *p = a, *q = a + 1; *p++ = *q++; return a[0] + x; }",
        "int main(void) { int i = 0; i += less(1, 2); return less(i, x), x; }",
        "int main(void) { return __VERIFIER_nondet_int() - __VERIFIER_nondet_int(); }",
    ];
    let head = "extern int __VERIFIER_nondet_int(void); static int x = 10;
                static int take(int n) { x = (x - n) & 15; return n; }
                static int less(int a, int b) { return a < b; }
                ";
    for (mains, is_named) in [(&open[..], true), (&fixed[..], false)] {
        for main in mains {
            let (_, said) = Folder::new("order", &[&format!("{head}{main}")]).check(&[]);
            assert_eq!(said.contains("evaluated from left to right"), is_named, "{main}: {said}");
        }
    }
}

#[test]
fn memory_may_run_out() {
    let text = "#include <assert.h>\n#include <errno.h>\n#include <stdlib.h>\n
                int main(void) { int *p = malloc(4); if (!p) { assert(errno == ENOMEM); return 0; } free(p); }";
    let folder = Folder::new("memory", &[text]);
    let (code, said) = folder.check(&[]);
    assert!(code == TRUE && said.contains("there is always memory left"), "{said}");
    let (code, said) = folder.check(&["--malloc-may-fail"]);
    assert!(code == TRUE && !said.contains("there is always memory left"), "{said}");
    for call in ["malloc(4)", "calloc(1, 4)", "realloc(0, 4)", "aligned_alloc(64, 64)"] {
        let text =
            format!("#include <assert.h>\n#include <stdlib.h>\nint main(void) {{ assert({call} != 0); }}");
        let folder = Folder::new("fails", &[&text]);
        assert_eq!((folder.check(&[]).0, folder.check(&["--malloc-may-fail"]).0), (TRUE, FALSE), "{call}");
    }
}

#[test]
fn threads_may_not_start() {
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <errno.h>\n
                static void *work(void *p) { *(int *)p = 1; return 0; }\n
                int main(void) { int x = 0; pthread_t t; int e = pthread_create(&t, 0, work, &x);\n
                if (e) assert(e == EAGAIN && x == 0); else { pthread_join(t, 0); assert(x == 1); }\n
                assert(x == 1); }";
    let folder = Folder::new("threads", &[text]);
    let (code, said) = folder.check(&[]);
    assert!(code == TRUE && said.contains("threads can always be started"), "{said}");
    let (code, said) = folder.check(&["--create-may-fail", "--trace", "trace.json"]);
    assert!(code == FALSE && said.contains("`x == 1` fails"), "{said}");
    let mut again = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let output = again.args(["replay", "trace.json"]).current_dir(&folder.path).output().unwrap();
    assert_eq!(output.status.code(), FALSE, "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn addresses_may_come_again() {
    let text = "#include <assert.h>\n#include <stdlib.h>\n
                int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); assert(p != q); free(q); }";
    let folder = Folder::new("addresses", &[text]);
    let (code, said) = folder.check(&["--trace", "trace.json"]);
    assert!(code == FALSE && said.contains("address = one that was freed"), "{said}");
    let mut again = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let output = again.args(["replay", "trace.json"]).current_dir(&folder.path).output().unwrap();
    assert_eq!(output.status.code(), FALSE, "{}", String::from_utf8_lossy(&output.stderr));
    let (code, said) = folder.check(&["--no-address-reuse"]);
    assert!(code == TRUE && said.contains("no address is given out twice"), "{said}");
    let text = text.replace("assert(p != q);", "");
    let (code, said) = Folder::new("untold", &[&text]).check(&[]);
    assert!(code == TRUE && !said.contains("given out"), "{said}");
}

/// Pairs of files, each with what the program returns; gcc is asked, too.
const LINKED: &[(&str, &str, i32)] = &[
    ("extern int n; int main(void) { return n == -1; }", "unsigned n = 4294967295u;", 1),
    ("extern unsigned char n; int main(void) { return n; }", "int n = 0x1203;", 3),
    ("extern int a[4]; int main(void) { return a[1]; }", "int a[2] = {5, 6};", 6),
    ("struct s { int x; }; extern struct s v; int main(void) { return v.x; }", "int v = 7;", 7),
    ("int f(unsigned); int main(void) { return f(9); }", "int f(int x) { return x; }", 9),
    ("int f(); int main(void) { return f(3, 4); }", "int f(a, b) int a, b; { return a * b; }", 12),
    ("int f(); int main(void) { return f('a') == 97; }", "int f(c) char c; { return c; }", 1),
    (
        "int f(int); int main(void) { return f(2); }",
        "static int h(int x) { return x + 1; } int f(int x) { return h(x); }",
        3,
    ),
    (
        "static int h(void) { return 1; } int g(void); int main(void) { return h() + g(); }",
        "static int h(void) { return 2; } int g(void) { return h(); }",
        3,
    ),
    (
        "static inline int two(void) { return 2; } int g(void); int main(void) { return two() + g(); }",
        "static inline int two(void) { return 2; } int g(void) { return two(); }",
        4,
    ),
    (
        "inline int two(void) { return 2; } extern int two(void); int g(void); int main(void) { return two() + g(); }",
        "int two(void); int g(void) { return two(); }",
        4,
    ),
    ("int f(void) __attribute__((weak)); int main(void) { return f ? f() : 8; }", "int other;", 8),
    (
        "int f(void) __attribute__((weak)); int main(void) { return f ? f() : 8; }",
        "int f(void) { return 5; }",
        5,
    ),
    (
        "__attribute__((weak)) int f(void) { return 1; } int main(void) { return f(); }",
        "int f(void) { return 2; }",
        2,
    ),
    ("__attribute__((weak)) int v = 1; int main(void) { return v; }", "int v = 2;", 2),
    ("extern int v __attribute__((weak)); int main(void) { return &v ? v : 6; }", "int other;", 6),
    (
        "extern int v __attribute__((weak)); int *p = &v; int main(void) { return p ? *p : 6; }",
        "int v = 3;",
        3,
    ),
    (
        "int main(void) { extern int v; int f(void); v++; return f(); }",
        "int v = 3; int f(void) { return v; }",
        4,
    ),
    (
        "int g(void); int main(void) { return g(); }",
        "int f(void) { return 11; } int g(void) __attribute__((alias(\"f\")));",
        11,
    ),
    ("extern const int v; int main(void) { return v; }", "int v = 4;", 4),
    ("enum e { A, B }; extern enum e v; int main(void) { return v; }", "int v = 1;", 1),
];

#[test]
fn files_are_linked_as_gcc_links_them() {
    for (number, (first, second, status)) in LINKED.iter().enumerate() {
        let folder = Folder::new(&format!("linked-{number}"), &[first, second]);
        if let Some(built) = folder.gcc() {
            assert_eq!(built, Some(*status), "gcc: {first} | {second}");
        }
        let (code, _, said) = folder.raddle("run", &["--exit-status"]);
        assert_eq!(code, Some(*status), "{first} | {second}\n{said}");
    }
}

#[test]
fn what_gcc_does_not_link_is_refused() {
    for (number, (first, second)) in [
        ("int v = 1; int main(void) { return v; }", "int v = 1;"),
        ("_Thread_local int v; int main(void) { return v; }", "_Thread_local int v;"),
        ("int f(void) { return 1; } int main(void) { return f(); }", "int f(void) { return 1; }"),
        ("extern _Thread_local int v; int main(void) { return v; }", "int v;"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = Folder::new(&format!("refused-{number}"), &[first, second]);
        let (code, _, said) = folder.raddle("run", &[]);
        assert_eq!(code, Some(1), "{first} | {second}\n{said}");
        assert_eq!(folder.gcc(), None, "{first} | {second}");
    }
}

#[test]
fn tentative_definitions_are_one_object() {
    let main =
        "#include <assert.h>\nint v; void set(void); int main(void) { set(); assert(v == 3); return 0; }";
    let folder = Folder::new("tentative", &[main, "int v; void set(void) { v = 3; }"]);
    let (code, said, warned) = folder.raddle("check", &[]);
    assert_eq!(code, TRUE, "{said}");
    assert!(warned.contains("warning: `v` is defined in two translation units"), "{warned}");
    let (_, said, _) = folder.raddle("check", &["--engine", "lazy", "--properties", "assertion"]);
    assert!(said.contains("SAFE up to"), "{said}");
}

#[test]
fn other_types_elsewhere_are_a_warning() {
    let folder = Folder::new("types", &["extern int n; int main(void) { return n; }", "unsigned n;"]);
    let (code, said, warned) = folder.raddle("check", &[]);
    assert_eq!(code, TRUE, "{said}");
    assert!(warned.contains("warning: `n` has different types in two translation units"), "{warned}");
    let (code, said, _) = folder.raddle("check", &["--engine", "lazy", "--properties", "assertion"]);
    assert!(code == UNKNOWN && said.contains("`n` has different types"), "{said}");
}

#[test]
fn variables_that_a_jump_may_spoil_are_named() {
    let named = [
        "int a[2] = {1, 2}; if (setjmp(back)) return a[0]; a[0] = 5; longjmp(back, 1);",
        "int n = 1, *p = &n; if (setjmp(back)) return n; *p = 5; longjmp(back, 1);",
    ];
    let fine = [
        "volatile int a[2] = {1, 2}; if (setjmp(back)) return a[0]; a[0] = 5; longjmp(back, 1);",
        "static int n = 1; if (setjmp(back)) return n; n = 5; longjmp(back, 1);",
        "jmp_buf own; if (setjmp(own)) return 0; longjmp(own, 1);",
        "int a[2] = {1, 2}; if (setjmp(back)) return a[0]; return a[1];",
    ];
    let head = "#include <setjmp.h>\n static jmp_buf back;\n";
    for (bodies, is_named) in [(&named[..], true), (&fine[..], false)] {
        for body in bodies {
            let program = format!("{head}int main(void) {{ {body} }}");
            let (_, said) = Folder::new("jumps", &[&program]).check(&[]);
            assert_eq!(said.contains("when `longjmp` goes back"), is_named, "{body}: {said}");
        }
    }
}
