//! Passes that keep the meaning: the programs of `tests/programs` are built by gcc before and after, and must print the same
//! and end the same. The suite takes a sample; `RADDLE_PASSES=all` takes all programs and all passes, `RADDLE_PASSES=text` those
//! programs whose names have the text in them.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

mod common;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Behaviour, behaviour, environment, files, folder, gcc_is_there, program_from, read, run};
use raddle_cfront::layout::DataModel;
use raddle_sequentialize::linemap;

/// Each pass by itself, and several together. A bound that is reached ends the program in a way of its own.
const PIPELINES: &[&str] = &[
    "declarations",
    "simplify",
    "loops",
    "switches",
    "bounds(200),unroll(4,assert)",
    "pointers",
    "inline(4,assert)",
    "prune",
    "statics",
    "merge,declarations,simplify,loops,switches,bounds(100),unroll(3,assert),inline(3,assert),pointers,prune,statics",
];

/// Programs that take passes to their corners.
const SAMPLE: &[&str] = &[
    "bits_assign_value",
    "comma_sequence",
    "const_objects",
    "control_duff",
    "control_loops",
    "control_statement_expression",
    "control_switch_ranges",
    "function_pointers",
    "function_static_locals",
    "init_evaluation",
    "misc_goto_out_of_scopes",
    "scopes_shadowing",
    "static_same_names",
    "struct_nested_init",
];

/// What the passes use and the C library does not have.
const STUBS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static void stub_bound(void) { printf("BOUND\n"); exit(99); }
void __VERIFIER_assume(int condition) { if (!condition) stub_bound(); }
void __raddle_bound_reached(void) { stub_bound(); }
#define NONDET(name, type) type __VERIFIER_nondet_##name(void) { return (type)5; }
NONDET(bool, _Bool) NONDET(char, char) NONDET(uchar, unsigned char) NONDET(short, short) NONDET(ushort, unsigned short)
NONDET(int, int) NONDET(uint, unsigned) NONDET(long, long) NONDET(ulong, unsigned long) NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long) NONDET(float, float) NONDET(double, double) NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
void *__VERIFIER_nondet_pointer(void) { return 0; }
void __raddle_unwritten(void *at, unsigned long size) { (void)at; (void)size; }
void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
"#;

/// What one program does under one pipeline: nothing to say, or what is wrong.
fn compare(file: &Path, original: &Behaviour, pipeline: &str, place: &Path) -> Result<(), String> {
    let mut program = program_from(file, DataModel::Lp64, false);
    let name = file.file_stem().unwrap().to_string_lossy();
    if run(pipeline, &mut program).is_err() {
        // Refused by name: that is an answer.
        return Ok(());
    }
    let text = linemap::print(&program).text;
    // Headers of the stubs and of the program must not meet in one unit.
    let stubs = place.with_file_name(format!("{}-stubs.c", place.file_stem().unwrap().to_string_lossy()));
    common::write(&stubs, STUBS);
    let changed =
        behaviour_with(&text, place, &stubs).map_err(|error| format!("{name} {pipeline}: gcc: {error}"))?;
    if changed.output.ends_with("BOUND\n") || changed == *original {
        return Ok(());
    }
    Err(format!("{name} {pipeline}: was {original:?}, became {changed:?}"))
}

#[expect(clippy::disallowed_methods, reason = "the built program is run")]
fn behaviour_with(text: &str, place: &Path, stubs: &Path) -> Result<Behaviour, String> {
    let (source, program) = (place.with_extension("c"), place.with_extension("exe"));
    common::write(&source, text);
    let built = common::gcc()
        .args(["-std=gnu11", "-w", "-O0", "-o"])
        .arg(&program)
        .args([&source, stubs])
        .args(["-lm", "-lpthread"])
        .output()
        .unwrap();
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let run = std::process::Command::new(&program).stdin(std::process::Stdio::null()).output().unwrap();
    Ok(Behaviour { output: String::from_utf8_lossy(&run.stdout).into_owned(), status: run.status.code() })
}

/// A folder of one's own that goes away at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("raddle-passes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn programs_behave_the_same_after_each_pass() {
    if !gcc_is_there() {
        return;
    }
    let wanted = environment("RADDLE_PASSES");
    let chosen = |file: &PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        match wanted.as_deref() {
            None => SAMPLE.contains(&name.as_str()),
            Some("all") => true,
            Some(part) => name.contains(part),
        }
    };
    let programs: Vec<PathBuf> = files(&folder("programs"), "c").into_iter().filter(chosen).collect();
    assert!(wanted.is_some() || programs.len() == SAMPLE.len(), "the sample is there");
    let scratch = Scratch::new();
    let next = AtomicUsize::new(0);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..std::thread::available_parallelism().map_or(1, usize::from))
            .map(|worker| {
                let (programs, next, scratch) = (&programs, &next, &scratch);
                scope.spawn(move || {
                    let place = scratch.0.join(format!("worker-{worker}"));
                    let mut failures = Vec::new();
                    while let Some(file) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        failures.extend(one_program(file, &place));
                    }
                    failures
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{} differences\n{}", failures.len(), failures.join("\n"));
}

fn one_program(file: &Path, place: &Path) -> Vec<String> {
    let original = match behaviour(&read(file), place) {
        Ok(original) => original,
        Err(error) => return vec![format!("{}: {error}", file.display())],
    };
    PIPELINES.iter().filter_map(|pipeline| compare(file, &original, pipeline, place).err()).collect()
}
