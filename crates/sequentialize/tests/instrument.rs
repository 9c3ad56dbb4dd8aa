//! The pass `instrument`: what a program with every primitive becomes for each backend (`data/instrument`; after a wanted change
//! run with `RADDLE_BLESS=1` and read what has changed), that gcc accepts it, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use raddle_base::SourceMap;
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_sequentialize::backend::Backend;
use raddle_sequentialize::{Pipeline, Program, RunError, linemap};

const OTHERS: [Backend; 4] = [Backend::Cbmc, Backend::Esbmc, Backend::Cpachecker, Backend::Klee];

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/instrument").join(name)
}

#[expect(clippy::disallowed_methods, reason = "the tests read their data")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// What a pipeline prints, or why it is refused. Every pass is checked.
fn run(pipeline: &str, text: &str, model: DataModel) -> Result<String, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("input.c", text.as_bytes().to_vec()).unwrap();
    let parsed = parse_program(&mut sources, &[file], model);
    let errors: Vec<_> = parsed.diagnostics.iter().map(|found| found.message.clone()).collect();
    assert!(!parsed.diagnostics.has_errors(), "{errors:?}");
    let mut program = Program::new(sources, parsed.ast, 0);
    match Pipeline::parse(pipeline).unwrap().run(&mut program, true, |_, _, _| {}) {
        Ok(()) => Ok(linemap::print(&program).text),
        Err(RunError::Refused { pass, refusal }) => {
            let help = refusal.help.map_or_else(String::new, |help| format!(" ({help})"));
            Err(format!("{pass}: {}{help}", refusal.message))
        }
        Err(broken @ (RunError::Broken { .. } | RunError::Exhausted(_))) => panic!("{pipeline}: {broken}"),
    }
}

fn instrumented(backend: Backend, text: &str) -> String {
    run(&format!("simplify,instrument({})", backend.name()), text, DataModel::Lp64).unwrap()
}

/// Whether gcc accepts a text. Where it is missing nobody judges, and that is said.
#[expect(clippy::disallowed_methods, reason = "the tests ask the real compiler")]
#[expect(clippy::print_stderr, reason = "a check that is left out is left out loudly")]
fn assert_accepted(text: &str, machine: &str) {
    let child = Command::new("gcc")
        .args([
            machine,
            "-std=gnu11",
            "-fsyntax-only",
            "-Werror=implicit-function-declaration",
            "-w",
            "-x",
            "c",
            "-",
        ])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("SKIPPED: there is no gcc on this machine, so nobody judged what was printed");
        return;
    };
    // gcc may stop reading at an error.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "blessing is asked for by the environment, and writes the snapshots"
)]
fn every_primitive_is_spelled_as_each_backend_wants() {
    let text = read(&data("primitives.c"));
    let mut changed = Vec::new();
    for backend in OTHERS {
        let found = instrumented(backend, &text);
        let snapshot = data(&format!("{}.out", backend.name()));
        if std::env::var_os("RADDLE_BLESS").is_some() {
            std::fs::write(&snapshot, &found).unwrap();
        } else if found != read(&snapshot) {
            changed.push(format!("{}:\n{found}", backend.name()));
        }
        for primitive in
            ["__VERIFIER_assume", "__raddle_check", "__raddle_alloc", "__raddle_nondet", "__raddle_assume"]
        {
            assert!(!found.contains(primitive), "{primitive} for {}", backend.name());
        }
        assert_accepted(&found, "-m64");
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

#[test]
fn our_own_checker_needs_nothing() {
    let text = read(&data("primitives.c"));
    let without = run("simplify", &text, DataModel::Lp64).unwrap();
    assert_eq!(instrumented(Backend::Ours, &text), without);
}

#[test]
fn the_small_data_model_is_accepted_too() {
    let text =
        read(&data("primitives.c")).replace("__raddle_alloc(unsigned long", "__raddle_alloc(unsigned int");
    for backend in OTHERS {
        let pipeline = format!("simplify,instrument({})", backend.name());
        assert_accepted(&run(&pipeline, &text, DataModel::Ilp32).unwrap(), "-m32");
    }
}

#[test]
fn names_of_the_program_give_way() {
    let text = "int nondet_int(void) { return 3; }\n\
                int __VERIFIER_nondet_int(void);\n\
                extern int __VERIFIER_nondet_bool(void);\n\
                int klee_assume, __CPROVER_assume;\n\
                void __VERIFIER_assume(int);\n\
                int reach_error(int code) { return code; }\n\
                int main(void) {\n\
                    int __ESBMC_assume = nondet_int() + __VERIFIER_nondet_int() + __VERIFIER_nondet_bool();\n\
                    __VERIFIER_assume(klee_assume + __CPROVER_assume + __ESBMC_assume);\n\
                    return 0;\n\
                }\n";
    for backend in OTHERS {
        let found = instrumented(backend, text);
        assert_accepted(&found, "-m64");
        // The program's own function is still called, and gives 3.
        let own = if matches!(backend, Backend::Cbmc | Backend::Esbmc) {
            "nondet_int__2()"
        } else {
            "nondet_int()"
        };
        assert!(found.contains(own) && found.contains("return 3;"), "{}:\n{found}", backend.name());
    }
}

#[test]
fn only_checks_that_are_asked_for_are_kept() {
    let text = read(&data("primitives.c"));
    let kept = |properties: &str| {
        let pipeline = format!("simplify,instrument(cbmc,properties={properties})");
        let text = run(&pipeline, &text, DataModel::Lp64)?;
        let kinds = ["assertion: ", "lock-misuse: ", "memory-safety: ", "unsupported: ", "bound: "];
        Ok::<_, String>(kinds.map(|kind| text.matches(&format!("\"{kind}")).count()))
    };
    assert_eq!(kept("assertion+lock-misuse+memory-safety"), Ok([3, 1, 1, 1, 1]));
    assert_eq!(kept("assertion"), Ok([3, 0, 0, 1, 1]));
    assert_eq!(kept("lock-misuse+memory-safety"), Ok([0, 1, 1, 1, 1]));
    assert!(kept("overflow").unwrap_err().contains("`overflow` is no property that is checked here"));
}

#[test]
fn what_is_not_sequential_or_not_simple_is_refused() {
    let refused = |passes: &str, text: &str| {
        run(&format!("{passes}instrument(cbmc)"), text, DataModel::Lp64).unwrap_err()
    };
    let thread = "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n\
                  void *f(void *p) { return p; }\n\
                  int main(void) { unsigned long t; return pthread_create(&t, 0, f, 0); }\n";
    let message = refused("simplify,", thread);
    assert!(
        message.contains("`pthread_create` is called") && message.contains("`lazy` or `lal_reps`"),
        "{message}"
    );
    let inside = "void __VERIFIER_assume(int);\nint main(void) { return __VERIFIER_assume(1), 0; }\n";
    let message = refused("", inside);
    assert!(message.contains("inside of an expression") && message.contains("`simplify`"), "{message}");
    assert!(run("simplify,instrument(cbmc)", inside, DataModel::Lp64).is_ok());
    let record = "struct s { int a; };\nstruct s __VERIFIER_nondet_s(void);\n\
                  int main(void) { struct s s = __VERIFIER_nondet_s(); return s.a; }\n";
    assert!(refused("simplify,", record).contains("neither a number nor a pointer"));
    let size = "unsigned long __raddle_object_size(const void *);\n\
                int main(void) { int i; return (int)__raddle_object_size(&i); }\n";
    let message = run("simplify,instrument(cpachecker)", size, DataModel::Lp64).unwrap_err();
    assert!(message.contains("which cpachecker cannot express"), "{message}");
    assert!(instrumented(Backend::Cbmc, size).contains("__CPROVER_OBJECT_SIZE(&i)"));
}

#[test]
fn assembly_does_nothing_or_is_not_supported() {
    let text = "int x;\nint main(void) {\n\
                    __asm__ volatile(\"mfence\" : : : \"memory\");\n\
                    __asm__ volatile(\"\" : \"+r\"(x) : : \"memory\");\n\
                    if (x)\n        __asm__ volatile(\"\" : \"=r\"(x));\n\
                    else\n        __asm__ volatile(\"hlt\");\n\
                    return 0;\n}\n";
    for backend in OTHERS {
        let found = instrumented(backend, text);
        assert!(!found.contains("asm"), "{}:\n{found}", backend.name());
        assert_eq!(
            found.matches("\"unsupported: inline assembly\"").count(),
            2,
            "{}:\n{found}",
            backend.name()
        );
    }
}

/// Every atomic built-in on several types; each is given a result that is printed, so that a compiler can show the difference.
const ATOMICS: &str = "\
int printf(const char *, ...);
_Atomic int a;
unsigned char small = 250;
int *pointer, target, other;
_Bool flag;
long wide = 5;
enum colour { RED, GREEN, BLUE } colour;
struct pair { int left, right; } pair = {1, 2};
int main(void) {
    int i, expected = 0, stored = 7, loaded;
    long l;
    i = __atomic_fetch_add(&a, 3, 5);
    printf(\"%d %d\\n\", i, a);
    i = (int)__atomic_add_fetch(&small, 10, 5);
    printf(\"%d %d\\n\", i, small);
    i = __atomic_fetch_nand(&target, 6, 5) + 1;
    printf(\"%d %d\\n\", i, target);
    l = __sync_fetch_and_or(&wide, 8);
    printf(\"%ld %ld\\n\", l, wide);
    __sync_sub_and_fetch(&wide, l);
    printf(\"%ld\\n\", wide);
    wide = __atomic_xor_fetch(&wide, wide + 1, 5);
    printf(\"%ld\\n\", wide);
    i = __atomic_compare_exchange_n(&target, &expected, 9, 0, 5, 5);
    printf(\"%d %d %d\\n\", i, target, expected);
    i = __atomic_compare_exchange(&target, &expected, &stored, 1, 5, 5);
    printf(\"%d %d %d\\n\", i, target, expected);
    i = __sync_bool_compare_and_swap(&target, 7, 8);
    printf(\"%d %d\\n\", i, target);
    i = __sync_val_compare_and_swap(&target, 7, 1);
    printf(\"%d %d\\n\", i, target);
    __atomic_load(&target, &loaded, 5);
    __atomic_store(&other, &loaded, 5);
    __atomic_store_n(&pointer, &other, 3);
    i = *__atomic_load_n(&pointer, 2);
    printf(\"%d %d\\n\", i, other);
    __atomic_exchange(&target, &stored, &loaded, 5);
    printf(\"%d %d\\n\", target, loaded);
    target = __atomic_exchange_n(&other, target, 5);
    printf(\"%d %d\\n\", target, other);
    i = __sync_lock_test_and_set(&small, 300);
    printf(\"%d %d\\n\", i, small);
    __sync_lock_release(&small);
    i = __atomic_test_and_set(&flag, 5);
    printf(\"%d %d %d\\n\", i, small, flag);
    i = __atomic_test_and_set(&flag, 5);
    __atomic_clear(&flag, 5);
    printf(\"%d %d\\n\", i, flag);
    colour = __atomic_exchange_n(&colour, BLUE, 5);
    __atomic_thread_fence(5);
    __sync_synchronize();
    struct pair was;
    struct pair new = {3, 4};
    __atomic_exchange(&pair, &new, &was, 5);
    printf(\"%d %d %d\\n\", colour, was.right, pair.right);
    return 0;
}
";

/// Builds a text with gcc and runs it; nothing if there is no gcc.
#[expect(clippy::disallowed_methods, reason = "the tests ask the real compiler, and run what it builds")]
#[expect(clippy::print_stderr, reason = "a check that is left out is left out loudly")]
fn output(text: &str, name: &str) -> Option<String> {
    let folder = std::env::temp_dir().join(format!("raddle-instrument-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.c"), text).unwrap();
    let built =
        Command::new("gcc").args(["-std=gnu11", "-w", "-o", "a.exe", "a.c"]).current_dir(&folder).output();
    let Ok(built) = built else {
        eprintln!("SKIPPED: there is no gcc on this machine, so nothing was built");
        return None;
    };
    assert!(built.status.success(), "{}\n{text}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(folder.join("a.exe")).output().unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    Some(String::from_utf8(run.stdout).unwrap())
}

#[test]
fn atomic_operations_become_plain_and_mean_the_same() {
    let plain = instrumented(Backend::Cbmc, ATOMICS);
    // Structures stay with those who know them.
    assert_eq!(plain.matches("__atomic_").count(), 1, "{plain}");
    assert!(!plain.contains("__sync_"), "{plain}");
    let (Some(before), Some(after)) = (output(ATOMICS, "before"), output(&plain, "after")) else { return };
    assert_eq!(before, after);
    assert_eq!(before.lines().count(), 17);
}

#[test]
fn a_word_that_may_be_unwritten_is_just_read() {
    let text =
        "int __raddle_peek(int *, int);\nint word;\nint main(void) { return __raddle_peek(&word, -2); }\n";
    for backend in OTHERS {
        let text = instrumented(backend, text);
        assert!(!text.contains("__raddle_peek") && text.contains("*&word"), "{text}");
        assert_accepted(&text, "-m64");
    }
    assert!(instrumented(Backend::Ours, text).contains("__raddle_peek(&word, -2)"));
}

#[test]
fn built_ins_of_one_compiler_are_refused() {
    for name in ["__sync_fetch_and_max", "__sync_fetch_and_umin", "__atomic_fetch_max"] {
        let order = if name.starts_with("__atomic") { ", 5" } else { "" };
        let text = format!("int x;\nint main(void) {{ return {name}(&x, 3{order}); }}\n");
        for backend in OTHERS {
            let refused = run(&format!("simplify,instrument({})", backend.name()), &text, DataModel::Lp64);
            let expected = format!("instrument: `{name}` is called, which not every C compiler knows");
            assert_eq!(refused.unwrap_err(), expected);
        }
    }
}
