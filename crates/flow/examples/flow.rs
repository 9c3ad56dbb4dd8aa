//! Prints the flow of a C program: `flow [--ilp32] [--alike] [--quiet] FILE...`. With `--alike` models do not tell threads apart.

#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "an example prints, and reads clocks")]

use std::path::PathBuf;

use raddle_base::{Budget, Diagnostics, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_cfront::preprocess::{Options as Preprocessing, Preprocessor};
use raddle_lower::{LowerOptions, Threads, lower, models};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let model =
        if arguments.iter().any(|word| word == "--ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let quiet = arguments.iter().any(|word| word == "--quiet");
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(Preprocessing { model, ..Preprocessing::default() });
    let files = arguments.iter().filter(|word| !word.starts_with("--")).map(PathBuf::from);
    let mut units: Vec<_> =
        files.filter_map(|file| preprocessor.load(&mut sources, &file, &mut diagnostics)).collect();
    let (name, text) = models();
    units.extend(sources.add(name, text.into_bytes()));
    let parsed = parse_program(&mut sources, &units, model);
    let is_alike = arguments.iter().any(|word| word == "--alike");
    let threads = if is_alike { Threads::Alike } else { Threads::Apart };
    let arguments = vec!["program".to_owned()];
    let lowering = LowerOptions { arguments, threads, ..LowerOptions::default() };
    let Some(program) = lower(&parsed.ast, lowering, 1).program else {
        println!("no program");
        return;
    };
    let start = std::time::Instant::now();
    match raddle_flow::build(&program, &raddle_flow::Options::default(), &Budget::unlimited()) {
        Err(refused) => {
            let place = sources.locate(refused.span.lo);
            let place = place.map_or_else(String::new, |place| format!("{}:{}: ", place.file, place.line));
            println!("refused: {place}{refused}");
        }
        Ok(flow) => {
            if !quiet {
                print!("{}", raddle_flow::dump(&flow, &program));
            }
            let locations: usize = flow.templates.values().map(|template| template.locations.len()).sum();
            let edges: usize = flow.templates.values().map(|template| template.edges.len()).sum();
            println!(
                "{} templates, {locations} locations, {edges} edges, {} variables, {} checks, {} ms",
                flow.templates.len(),
                flow.variables.len(),
                flow.checks.len(),
                start.elapsed().as_millis()
            );
        }
    }
}
