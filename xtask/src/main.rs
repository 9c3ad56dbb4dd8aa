//! Project chores, run as `cargo xtask COMMAND`.

mod campaign;
mod chores;
mod differential;
mod oracle;
mod outcomes;
mod papers;
mod tidy;

use anyhow::{Result, bail};

const USAGE: &str = "usage: cargo xtask COMMAND

  test              everything that must hold: format, tidy, clippy, docs, all tests
  tidy              dependency directions, file sizes, words that do not belong here
  bless             run the tests and accept what they now print as the expected snapshots
  bench [ARGS…]     run the benchmarks (release build)
  roundtrip DIR…    parse, print, re-parse every C file below DIR and compare with gcc
  mutate [--count N] [--seed S] DIR…
                    break N copies of C files below DIR token by token and compare verdicts with gcc
  differential [--count N] [--seed S] [--keep DIR] [FILE…]
                    run N random programs, or those in the files, as gcc builds them and as we do
  oracle [--count N] [--seed S] [--engine NAME] [--memory-model sc|tso|pso] [--keep DIR] [--jobs N] [--metamorphic]
                    compare an engine with enumeration on N random concurrent programs, or on variants of the cases;
                    `--about TOPIC` for programs about memory orders, atomic blocks that do not commit, lifetimes …;
                    `--about inputs` for programs with inputs of any value: po-bmc, lazy and random must not contradict each other;
                    `--about unbounded [--judge-all]` for engines that prove without bounds, judged by all who find bugs;
                    `--mutants N [--cases PART] [FILE…]` for N mutants of each case, or file, that such an engine proves;
                    `--within ROUNDS,UNWIND` for the engines lazy and lal-reps, `--cases PART` for the cases themselves
  outcomes [--count N] [--seed S] [--about TOPIC] [--runs R] [--sanitize N] [--engines NAMES] [--keep DIR] [--jobs N]
                    run N random concurrent programs as gcc builds them, R times each, and hold what is seen against
                    enumeration and engines; N of them with the sanitizers
  papers raptor [DIR]
                    the table of the paper behind trace-abstraction; DIR has SV-COMP's tasks, without it only those in benches/";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = arguments.split_first() else { bail!("{USAGE}") };
    if rest.iter().any(|argument| argument == "--help") {
        chores::say(USAGE);
        return Ok(());
    }
    match command.as_str() {
        "test" => chores::test(),
        "tidy" => tidy::check(),
        "bless" => chores::bless(),
        "bench" => chores::bench(rest),
        "roundtrip" => campaign::roundtrip(rest),
        "mutate" => campaign::mutate(rest),
        "differential" => differential::differential(rest),
        "oracle" => oracle::oracle(rest),
        "outcomes" => outcomes::outcomes(rest),
        "papers" => papers::papers(rest),
        "help" | "--help" | "-h" => {
            chores::say(USAGE);
            Ok(())
        }
        other => bail!("no command `{other}`\n{USAGE}"),
    }
}
