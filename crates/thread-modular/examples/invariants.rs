//! Looks for invariants of a C program: `invariants [--ilp32] [--wraps] [--alike] [--flow] [--show] FILE...`.

#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "an example prints, and reads clocks")]

use std::path::PathBuf;

use raddle_base::{Budget, Diagnostics, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_cfront::preprocess::{Options as Preprocessing, Preprocessor};
use raddle_lower::{LowerOptions, SignedOverflow, Threads, lower, models};
use raddle_thread_modular::{Answer, prove};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let model = if has("--ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(Preprocessing { model, ..Preprocessing::default() });
    let files = arguments.iter().filter(|word| !word.starts_with("--")).map(PathBuf::from);
    let mut units: Vec<_> =
        files.filter_map(|file| preprocessor.load(&mut sources, &file, &mut diagnostics)).collect();
    let (name, text) = models();
    units.extend(sources.add(name, text.into_bytes()));
    let parsed = parse_program(&mut sources, &units, model);
    let lowering = LowerOptions {
        arguments: vec!["program".to_owned()],
        signed_overflow: if has("--wraps") { SignedOverflow::Wraps } else { SignedOverflow::Undefined },
        threads: if has("--alike") { Threads::Alike } else { Threads::Apart },
        ..LowerOptions::default()
    };
    let Some(program) = lower(&parsed.ast, lowering, 1).program else {
        println!("no program");
        return;
    };
    let budget = Budget::unlimited();
    let start = std::time::Instant::now();
    let mut flow = match raddle_flow::build(&program, &raddle_flow::Options::default(), &budget) {
        Err(refused) => {
            println!("refused: {refused}");
            return;
        }
        Ok(flow) => flow,
    };
    let built = start.elapsed();
    if has("--flow") {
        print!("{}", raddle_flow::dump(&flow, &program));
    }
    let answer = prove(&program, &mut flow, &budget);
    let took = start.elapsed() - built;
    match answer {
        Err(why) => println!("{why}"),
        Ok(Answer::Claim(claim)) => {
            println!(
                "claim: {:?}, flow {} ms, invariants {} ms",
                claim.effort,
                built.as_millis(),
                took.as_millis()
            );
            let claimed = raddle_proof::Claim {
                program: &program,
                asked: vec![raddle_ir::Property::Assertion],
                excused: raddle_flow::Options::default().excused,
            };
            let start = std::time::Instant::now();
            match raddle_proof::check(&claimed, &claim.certificate, &budget) {
                Ok(proof) => println!(
                    "CHECKED {} obligations, {} ms",
                    proof.obligations(),
                    start.elapsed().as_millis()
                ),
                Err(rejected) => println!("REJECTED {rejected}, {} ms", start.elapsed().as_millis()),
            }
            if has("--show") {
                for location in &claim.certificate.locations {
                    println!("{:?}", location.point);
                    for conjunction in &location.invariant {
                        println!("   or");
                        conjunction.iter().for_each(|constraint| println!("      {constraint:?}"));
                    }
                }
            }
        }
        Ok(Answer::Open(open) | Answer::GaveUp(open)) => {
            println!(
                "open: {} checks, flow {} ms, invariants {} ms",
                open.len(),
                built.as_millis(),
                took.as_millis()
            );
            for check in open {
                let check = &flow.checks[check];
                println!("  {} at {:?}", check.message, check.point);
            }
        }
    }
}
