//! What a run that passed foretells, on the cases: where an execution of the same statements breaks a property, it says so; and what it says
//! never contradicts itself.
//!
//! By default some topics with few executions each. With `RADDLE_ALL_ORDERS` all cases, or those whose name has its value in it, and more executions.

use std::path::Path;

use std::time::Duration;

use raddle_oracle::cases::{for_each, read_all};
use raddle_oracle::orders::{Finding, Limits, Said, judge};

/// A question that takes longer is not answered.
const TIME: Duration = Duration::from_secs(3);

const TOPICS: &[&str] = &["atomicity/", "mutex/", "order/c", "order/u", "deadlock/s", "traps/a"];

#[test]
#[expect(clippy::disallowed_methods, reason = "who starts the tests says how many")]
fn a_run_that_passed_foretells_what_its_statements_can_do() {
    let asked = std::env::var("RADDLE_ALL_ORDERS").ok();
    let (mut cases, limits) = match &asked {
        Some(part) => {
            (read_all(part).unwrap(), Limits { executions: 400, steps: 300, asked: 2, time: TIME, runs: 8 })
        }
        None => {
            let cases = TOPICS.iter().flat_map(|topic| read_all(topic).unwrap()).collect();
            (cases, Limits { executions: 100, steps: 200, asked: 1, time: TIME / 3, runs: 4 })
        }
    };
    for case in &mut cases {
        case.models.truncate(1);
    }
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let findings: Vec<Finding> = for_each(&cases, jobs, &|case, model| {
        judge(case, model, limits).unwrap_or_else(|why| panic!("{}: {why}", Path::new(&case.name).display()))
    });
    let faults: Vec<String> = findings.iter().filter_map(Finding::fault).collect();
    let count = |expected: bool, wanted: fn(&Said) -> bool| {
        findings.iter().filter(|finding| finding.expected == expected && wanted(&finding.said)).count()
    };
    let broken = |said: &Said| matches!(said, Said::Broken);
    let unknown = |said: &Said| matches!(said, Said::Unknown(_));
    let table = format!(
        "{} runs asked; expected and foretold {}, expected and unknown {}, foretold beyond that {}, not known {}",
        findings.len(),
        count(true, broken),
        count(true, unknown),
        count(false, broken),
        count(false, unknown),
    );
    eprintln!("{table}");
    for finding in findings.iter().filter(|finding| unknown(&finding.said)) {
        eprintln!("{finding:?}");
    }
    assert!(faults.is_empty(), "{table}\n{}", faults.join("\n"));
    assert!(asked.is_some() || count(true, broken) >= 20, "{table}");
}
