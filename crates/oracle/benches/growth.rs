//! How questions grow: events, variables, clauses, conflicts and seconds.
//!
//!     cargo bench -p raddle-oracle --bench growth -- sizes [NAME]     larger and larger programs, through `po-bmc`
//!     cargo bench -p raddle-oracle --bench growth -- rounds           growing bounds, through `lazy`, `lal-reps` and `po-bmc`
//!
//! A program stops growing when it is not decided in time. Seconds are of the clock: compare them within one run.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::time::Duration;

use raddle_cfront::layout::DataModel;
use raddle_engines::{Bounds, Engine, Evidence, MemoryModel, Outcome, Verdict, engine};
use raddle_ir::Property;
use raddle_oracle::build::{Batch, Built, build};
use raddle_oracle::compare::{Question, ask};
use raddle_oracle::generate::INCLUDES;

const DECLARATIONS: &str = "
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
";

/// Name, text with `SIZE` in it, sizes.
const PROGRAMS: &[(&str, &str, &[u32])] = &[
    ("fib", include_str!("growth/fib.c"), &[1, 2, 3, 4, 5, 6, 7, 8]),
    ("triangular", include_str!("growth/triangular.c"), &[5, 10, 20, 40, 80]),
    ("queue", include_str!("growth/queue.c"), &[5, 10, 20, 40, 80, 160]),
    ("stack", include_str!("growth/stack.c"), &[5, 20, 80, 320, 1280]),
    ("szymanski", include_str!("growth/szymanski.c"), &[1, 2, 3, 4, 5]),
    ("qrcu", include_str!("growth/qrcu.c"), &[1, 2, 3, 4, 5, 6]),
];

const TIME: Duration = Duration::from_secs(30);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let (table, name) = (arguments.first().map(String::as_str), arguments.get(1));
    let chosen = PROGRAMS.iter().filter(|program| name.is_none_or(|name| program.0 == name));
    match table {
        Some("sizes") => sizes(chosen),
        Some("rounds") => rounds(),
        _ => println!("say which table: `sizes`, and perhaps a program, or `rounds`"),
    }
}

fn sizes<'p>(programs: impl Iterator<Item = &'p (&'p str, &'p str, &'p [u32])>) {
    println!("| program | size | answer | events | variables | clauses | conflicts | seconds |");
    println!("|---|---:|---|---:|---:|---:|---:|---:|");
    for &(name, text, sizes) in programs {
        for &size in sizes {
            let built = program(text, size);
            let (outcome, seconds) = question("po-bmc", &built, &Bounds::default(), None);
            let sizes = outcome.ledger.work;
            let answer = answer(&outcome);
            println!(
                "| {name} | {size} | {answer} | {} | {} | {} | {} | {seconds:.2} |",
                sizes.events, sizes.variables, sizes.clauses, sizes.conflicts
            );
            if answer == "not decided" {
                break;
            }
        }
    }
}

fn rounds() {
    println!("| unwind | engine | rounds | answer | variables | clauses | seconds |");
    println!("|---:|---|---:|---|---:|---:|---:|");
    // Its loops have no bound of their own.
    let built = program(include_str!("growth/open.c"), 0);
    let within = |engine: &'static str| (1..=4).map(move |rounds| (engine, Some(rounds)));
    for unwind in 1..=8 {
        for (engine, rounds) in [("po-bmc", None)].into_iter().chain(within("lazy")).chain(within("lal-reps"))
        {
            let bounds = Bounds { unwind: Some(unwind), ..Bounds::default() };
            let (outcome, seconds) = question(engine, &built, &bounds, rounds);
            let sizes = outcome.ledger.work;
            println!(
                "| {unwind} | {engine} | {} | {} | {} | {} | {seconds:.2} |",
                rounds.map_or_else(|| "any".to_owned(), |rounds| rounds.to_string()),
                answer(&outcome),
                sizes.variables,
                sizes.clauses
            );
        }
    }
}

fn program(text: &str, size: u32) -> Built {
    let text = format!("{DECLARATIONS}{}", text.replace("SIZE", &size.to_string()));
    let batch = Batch::new(INCLUDES, &[text], DataModel::Lp64).expect("the program can be read");
    build("program.c", batch.text(0), DataModel::Lp64, &[]).expect("the program can be built")
}

fn question(name: &str, built: &Built, bounds: &Bounds, rounds: Option<u32>) -> (Outcome, f64) {
    let engine: &dyn Engine = engine(name).expect("there is such an engine");
    let question = Question {
        engine,
        memory_model: MemoryModel::Sc,
        time: TIME,
        unwind_max: None,
        rounds,
        contexts: None,
        seed: 1,
    };
    let answer = ask(&question, built, &[Property::Assertion], bounds);
    (answer.outcome.expect("the engine does not panic"), answer.time.as_secs_f64())
}

fn answer(outcome: &Outcome) -> &'static str {
    match &outcome.answers[0].verdict {
        Verdict::Violated(_) => "bug",
        Verdict::Safe(Evidence::FullyUnrolled | Evidence::Enumerated | Evidence::Proved(_)) => "safe",
        Verdict::Safe(Evidence::Bounded(_)) => "safe up to bounds",
        Verdict::Unknown(_) | Verdict::SafeUnless(..) => "not decided",
    }
}
