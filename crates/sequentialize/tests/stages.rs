//! On the way to a sequential program gcc accepts what is printed: for some cases after every pass, for others at the end.
//!
//! What is refused, and why, stands in `refused.txt`; `RADDLE_BLESS=1` writes the list anew. `RADDLE_PASSES=all` looks at every stage of
//! every case, `RADDLE_PASSES=last` at the end of every case, and `RADDLE_TASKS=folder` at the preprocessed 32-bit tasks (`.i`) below a folder, too.

mod common;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{accepted, environment, files, folder, gcc_is_there, program_from, read, write};
use raddle_cfront::layout::DataModel;
use raddle_sequentialize::schema::Lazy;
use raddle_sequentialize::{RunError, linemap};

/// Cases of many kinds.
const SAMPLE: &[&str] = &[
    "atomics/all-operations",
    "barrier/phases",
    "c11/condition",
    "cleanup/handler-unlocks",
    "condition/mutex-is-back",
    "keys/own-values",
    "lockfree/treiber-push",
    "patterns/dining-philosophers",
    "producer-consumer/bounded-buffer",
    "rwlock/counts",
    "semaphore/ping-pong",
];

/// What came of one file.
enum Found {
    Fine,
    Refused(String),
    Wrong(String),
}

/// When gcc is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Never,
    AtTheEnd,
    AfterEveryStage,
}

/// Of the other cases gcc sees one in so many.
const ONE_IN: usize = 4;

/// Runs the pipeline and asks gcc.
fn look(file: &Path, name: &str, model: DataModel, asked: Asked) -> Found {
    let every_stage = asked == Asked::AfterEveryStage;
    let mut program = program_from(file, model, true);
    let schema = Lazy { unwind: 2, rounds: 2, deadlock: true, ..Lazy::default() };
    let pipeline = schema.pipeline();
    let last = pipeline.stages.len() - 1;
    let mut wrong = None;
    let result = pipeline.run(&mut program, every_stage, |place, stage, program| {
        if every_stage || asked == Asked::AtTheEnd && place == last {
            let text = linemap::print(program).text;
            if let Err(message) = accepted(&text, model) {
                wrong.get_or_insert(format!("{name} after {stage}: {message}"));
            }
        }
    });
    match (wrong, result) {
        (Some(wrong), _) => Found::Wrong(wrong),
        (None, Ok(())) => Found::Fine,
        (None, Err(RunError::Refused { pass, refusal })) => {
            let place = program.sources.locate(refusal.span.lo);
            let line = place.map_or(0, |place| place.line);
            Found::Refused(format!("{name}:{line}: {pass}: {refusal}\n"))
        }
        (None, Err(broken @ (RunError::Broken { .. } | RunError::Exhausted(_)))) => {
            Found::Wrong(format!("{name}: {broken}"))
        }
    }
}

#[test]
fn gcc_accepts_what_is_printed() {
    if !gcc_is_there() {
        return;
    }
    let passes = environment("RADDLE_PASSES");
    let cases = folder("cases");
    let mut tasks: Vec<(PathBuf, String, DataModel, Asked)> = Vec::new();
    for (place, file) in files(&cases, "c").into_iter().enumerate() {
        let name = file.strip_prefix(&cases).unwrap().with_extension("").to_string_lossy().into_owned();
        let asked = match passes.as_deref() {
            Some("all") => Asked::AfterEveryStage,
            _ if SAMPLE.contains(&name.as_str()) => Asked::AfterEveryStage,
            Some(_) => Asked::AtTheEnd,
            None if place % ONE_IN == 0 => Asked::AtTheEnd,
            None => Asked::Never,
        };
        tasks.push((file, name, DataModel::Lp64, asked));
    }
    assert!(tasks.len() > 300, "the cases are there");
    let sampled = tasks.iter().filter(|(.., asked)| *asked == Asked::AfterEveryStage).count();
    assert!(sampled >= SAMPLE.len(), "the sample is there");
    if let Some(folder) = environment("RADDLE_TASKS") {
        for file in files(Path::new(&folder), "i") {
            let name = file.display().to_string();
            tasks.push((file, name, DataModel::Ilp32, Asked::AfterEveryStage));
        }
    }
    let next = AtomicUsize::new(0);
    let mut found: Vec<(usize, Found)> = std::thread::scope(|scope| {
        let worker = || {
            let mut found = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some((file, name, model, asked)) = tasks.get(place) else { return found };
                found.push((place, look(file, name, *model, *asked)));
            }
        };
        let workers: Vec<_> = (0..std::thread::available_parallelism().map_or(1, usize::from))
            .map(|_| scope.spawn(worker))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    found.sort_by_key(|(place, _)| *place);
    let mut refused =
        "# Cases that a pass of the lazy schema refuses, and why; none if nothing stands below.\n".to_owned();
    let mut wrong = Vec::new();
    for (_, found) in found {
        match found {
            Found::Fine => {}
            Found::Refused(line) => refused += &line,
            Found::Wrong(line) => wrong.push(line),
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused.txt");
    if environment("RADDLE_BLESS").is_some() {
        write(&list, &refused);
    } else if environment("RADDLE_TASKS").is_none() {
        assert_eq!(refused, read(&list), "what is refused is listed");
    }
}
