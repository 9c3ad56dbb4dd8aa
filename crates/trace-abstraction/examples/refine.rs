//! Refines the error traces of C programs: `refine [--ilp32] [--all] [--predicates] [--threads=N] [--seconds=N] FILE...`. With `--all` nothing is reduced.

#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "an example prints, and reads clocks")]

use std::path::PathBuf;
use std::time::Duration;

use raddle_base::{Budget, Diagnostics, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_cfront::preprocess::{Options as Preprocessing, Preprocessor};
use raddle_ir::Property;
use raddle_lower::{LowerOptions, lower, models};
use raddle_trace_abstraction::{Answer, Options, Reduction, decide};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|other| other == word);
    let model = if has("--ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let threads = arguments.iter().find_map(|word| word.strip_prefix("--threads=")?.parse().ok());
    let seconds = arguments.iter().find_map(|word| word.strip_prefix("--seconds=")?.parse().ok());
    let reduction = if has("--all") { Reduction::None } else { Reduction::PartialOrder };
    for file in arguments.iter().filter(|word| !word.starts_with("--")) {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let mut preprocessor = Preprocessor::new(Preprocessing { model, ..Preprocessing::default() });
        let mut units: Vec<_> =
            preprocessor.load(&mut sources, &PathBuf::from(file), &mut diagnostics).into_iter().collect();
        let (name, text) = models();
        units.extend(sources.add(name, text.into_bytes()));
        let parsed = parse_program(&mut sources, &units, model);
        let lowering = LowerOptions { arguments: vec!["program".to_owned()], ..LowerOptions::default() };
        let Some(program) = lower(&parsed.ast, lowering, 1).program else {
            println!("{file}: no program");
            continue;
        };
        let budget = Budget::unlimited().with_time(Duration::from_secs(seconds.unwrap_or(60)));
        let flow = match raddle_flow::build(&program, &raddle_flow::Options::default(), &budget) {
            Ok(flow) => flow,
            Err(refused) => {
                println!("{file}: refused: {refused}");
                continue;
            }
        };
        let start = std::time::Instant::now();
        let options = Options { reduction, most_threads: threads.unwrap_or(10), ..Options::default() };
        let (answer, effort) = decide(&program, flow, options, &budget);
        let answer = match answer {
            Ok(Answer::Safe(certificate)) => {
                let ms = start.elapsed().as_millis();
                let excused = raddle_flow::Options::default().excused;
                let claim =
                    raddle_proof::Claim { program: &program, asked: vec![Property::Assertion], excused };
                match raddle_proof::check_product(&claim, &certificate, &budget) {
                    Ok(proof) => format!("safe in {ms} ms, {} obligations", proof.obligations()),
                    Err(why) => format!("safe in {ms} ms, rejected: {why} ({} steps)", why.path.len()),
                }
            }
            Ok(Answer::Bug(execution)) => {
                if has("--predicates") {
                    for step in &execution.steps {
                        println!("    thread {} {:?} {:?}", step.thread, step.path.first(), step.havocs);
                    }
                }
                format!("bug of {} steps", execution.steps.len())
            }
            Ok(Answer::Open(why)) => format!("open: {why}"),
            Err(why) => format!("open: {why}"),
        };
        println!("{file}: {answer} {effort:?} {} ms", start.elapsed().as_millis());
    }
}
