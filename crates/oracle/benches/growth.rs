//! How questions grow: events, variables, clauses, conflicts and seconds.
//!
//!     cargo bench -p raddle-oracle --bench growth -- sizes [NAME]     larger and larger programs, through `po-bmc`
//!     cargo bench -p raddle-oracle --bench growth -- rounds           growing bounds, through `lazy`, `lal-reps` and `po-bmc`
//!     cargo bench -p raddle-oracle --bench growth -- proofs           programs without bounds, through `thread-modular`
//!
//! A program stops growing when it is not decided in time. Seconds are of the clock: compare them within one run.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::fmt::Write as _;
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
        Some("proofs") => proofs(),
        _ => println!("say which table: `sizes`, and perhaps a program, `rounds`, or `proofs`"),
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

/// What grows in a program without bounds.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Functions of which any number of threads run.
    kinds: u32,
    /// Variables that are kept within bounds under one lock.
    variables: u32,
    /// Accesses of each thread in a round.
    accesses: u32,
}

fn proofs() {
    let base = Shape { kinds: 1, variables: 4, accesses: 20 };
    let kinds = (1..=8).map(|kinds| Shape { kinds, ..base });
    let variables = [4, 8, 16, 32, 64].map(|variables| Shape { variables, ..base });
    let accesses = [20, 50, 100, 200, 500].map(|accesses| Shape { accesses, ..base });
    println!("| thread functions | variables | accesses | answer | obligations | seconds |");
    println!("|---:|---:|---:|---|---:|---:|");
    for shape in kinds.chain(variables).chain(accesses) {
        let (outcome, seconds) = question("thread-modular", &without_bounds(shape), &Bounds::default(), None);
        let obligations = match &outcome.answers[0].verdict {
            Verdict::Safe(Evidence::Proved(proof)) => proof.obligations().to_string(),
            Verdict::Safe(_) | Verdict::SafeUnless(..) | Verdict::Violated(_) | Verdict::Unknown(_) => {
                "-".to_owned()
            }
        };
        let Shape { kinds, variables, accesses } = shape;
        println!(
            "| {kinds} | {variables} | {accesses} | {} | {obligations} | {seconds:.2} |",
            answer(&outcome)
        );
    }
}

/// Threads that, in a loop without end, take a lock, find it theirs, and move each variable up while it is below its bound.
fn without_bounds(Shape { kinds, variables, accesses }: Shape) -> Built {
    let mut text = String::from(
        "_Bool __VERIFIER_nondet_bool(void);\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint busy;\n",
    );
    (0..variables).for_each(|variable| writeln!(text, "int v{variable};").expect("into a string"));
    for kind in 0..kinds {
        let mut body = String::new();
        // Each turn reads twice and writes once.
        for turn in 0..accesses / 3 {
            let variable = (turn + kind) % variables;
            let most = 3 + variable;
            writeln!(body, "if (v{variable} < {most}) v{variable}++; assert(v{variable} <= {most});")
                .expect("into a string");
        }
        writeln!(
            text,
            "void *w{kind}(void *a) {{ while (__VERIFIER_nondet_bool()) {{ pthread_mutex_lock(&m); assert(!busy); busy = 1;\n\
             {body}busy = 0; pthread_mutex_unlock(&m); }} return 0; }}"
        )
        .expect("into a string");
    }
    text.push_str("int main(void) { pthread_t t; while (__VERIFIER_nondet_bool()) {\n");
    for kind in 0..kinds {
        writeln!(text, "if (__VERIFIER_nondet_bool()) pthread_create(&t, 0, w{kind}, 0);")
            .expect("into a string");
    }
    text.push_str("} return 0; }\n");
    program(&text, 0)
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
