//! How fast the front end reads C, beside `gcc -fsyntax-only` in the same run.
//!
//! `cargo bench -p raddle-cfront --bench frontend [-- FILE.i…]`. Without files it reads the system's headers, preprocessed.
//! Each figure is the best of several rounds in which the two take turns, so that a busy machine hurts both alike.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads clocks and files and starts gcc")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use raddle_base::{Diagnostics, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::names::Names;
use raddle_cfront::{lexer, parse_program};

const ROUNDS: usize = 7;

fn main() {
    let given: Vec<PathBuf> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).map(PathBuf::from).collect();
    let inputs: Vec<(String, Vec<u8>)> =
        if given.is_empty() { vec![headers()] } else { given.iter().map(|path| read(path)).collect() };
    println!(
        "{:<44} {:>8} {:>10} {:>12} {:>10} {:>7}",
        "input", "MB", "lex MB/s", "all MB/s", "gcc MB/s", "ratio"
    );
    for (name, text) in inputs {
        measure(&name, &text);
    }
}

fn headers() -> (String, Vec<u8>) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/headers.c");
    let output = Command::new("cc")
        .args(["-E", "-std=gnu17"])
        .arg(source)
        .output()
        .expect("the benchmark needs a C compiler");
    assert!(output.status.success(), "the system's headers can be preprocessed");
    ("system headers".to_owned(), output.stdout)
}

fn read(path: &Path) -> (String, Vec<u8>) {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    (name, std::fs::read(path).expect("the file named can be read"))
}

fn measure(name: &str, text: &[u8]) {
    let (mut lexed, mut parsed, mut compiled) = (Duration::MAX, Duration::MAX, Duration::MAX);
    let file = std::env::temp_dir().join(format!("raddle-bench-{}.i", std::process::id()));
    std::fs::write(&file, text).expect("the temporary directory can be written");
    for _ in 0..ROUNDS {
        lexed = lexed.min(time(|| {
            let mut sources = SourceMap::new();
            let id = sources.add(name, text).expect("the text is small enough");
            let tokens = lexer::lex(&mut sources, id, &mut Names::new(), &mut Diagnostics::new());
            assert!(!tokens.is_empty());
        }));
        parsed = parsed.min(time(|| {
            let mut sources = SourceMap::new();
            let id = sources.add(name, text).expect("the text is small enough");
            let result = parse_program(&mut sources, &[id], DataModel::Lp64);
            assert!(!result.diagnostics.has_errors(), "{name} has errors");
        }));
        compiled = compiled.min(time(|| {
            let gcc = Command::new("gcc")
                .args(["-fsyntax-only", "-w", "-std=gnu17"])
                .arg(&file)
                .stderr(Stdio::null())
                .status();
            assert!(gcc.expect("the comparison needs gcc").success(), "gcc rejects {name}");
        }));
    }
    std::fs::remove_file(&file).expect("the file written above is there");
    let megabytes = text.len() as f64 / 1e6;
    let rate = |time: Duration| megabytes / time.as_secs_f64();
    println!(
        "{name:<44} {megabytes:>8.2} {:>10.0} {:>12.0} {:>10.1} {:>6.1}x",
        rate(lexed),
        rate(parsed),
        rate(compiled),
        compiled.as_secs_f64() / parsed.as_secs_f64()
    );
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
