//! What a checker said, and whether that is right.
//!
//! The contract with a checker: the last thing it prints is a line `VERDICT: TRUE`, `FALSE` or `UNKNOWN` (or all that it prints
//! is a report as JSON), and its exit code agrees: 0 for TRUE, 10 for FALSE, 20 or 30 for UNKNOWN (30: safe up to bounds), 1
//! if it refuses the input, 2 if it knows of a mistake of its own. Whoever breaks the contract has made a mistake, whatever the
//! verdict: nothing that is in doubt counts as right.

use raddle_base::Exhausted;
use raddle_base::process::{Ending, Run};
use serde::Deserialize;

use super::status::{Status, Verdict};

/// How large the question was, where the checker tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Sizes {
    pub(super) events: Option<u64>,
    pub(super) variables: Option<u64>,
    pub(super) clauses: Option<u64>,
    pub(super) conflicts: Option<u64>,
}

/// What a checker said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) verdict: Option<Verdict>,
    /// Why there is no verdict, as the checker tells it.
    pub(super) reason: Option<String>,
    /// The limit that the checker stopped at.
    pub(super) exhausted: Option<Exhausted>,
    pub(super) sizes: Sizes,
}

impl Answer {
    /// Reads what a checker printed.
    pub(super) fn read(run: &Run) -> Self {
        Self::from_json(&run.stdout).unwrap_or_else(|| Self::from_text(&run.stdout))
    }

    /// Reads what `raddle check --format json` prints.
    fn from_json(text: &str) -> Option<Self> {
        if !text.trim_start().starts_with('{') {
            return None;
        }
        let report: Report = serde_json::from_str(text).ok()?;
        let undecided =
            |property: &&PropertyReport| ["unknown", "bounded-safe"].contains(&property.answer.as_str());
        // What is not known at all says more than what holds up to bounds.
        let mut open: Vec<&PropertyReport> = report.properties.iter().filter(undecided).collect();
        open.sort_by_key(|property| property.answer != "unknown");
        let first = open.first();
        let kind = first.and_then(|property| property.reason.as_ref()).map(|reason| reason.kind.as_str());
        Some(Self {
            verdict: Verdict::from_word(&report.verdict),
            reason: first.map(|property| property.line.clone()),
            exhausted: match kind {
                Some("time") => Some(Exhausted::Time),
                Some("memory") => Some(Exhausted::Memory),
                _ => None,
            },
            sizes: report.ledger.sizes,
        })
    }

    /// Reads what is written for people.
    fn from_text(text: &str) -> Self {
        let lines = || text.lines().rev().map(str::trim).filter(|line| !line.is_empty());
        let verdict = lines().find_map(|line| line.strip_prefix("VERDICT:"));
        let undecided = |line: &&str| {
            !line.starts_with("VERDICT:") && (line.contains("UNKNOWN") || line.contains("SAFE up to"))
        };
        let reason = lines().find(undecided);
        let names = |limit: Exhausted| reason.is_some_and(|line| line.contains(&limit.to_string()));
        Self {
            verdict: verdict.and_then(|word| Verdict::from_word(word.trim())),
            reason: reason.map(str::to_owned),
            exhausted: [Exhausted::Time, Exhausted::Memory].into_iter().find(|&limit| names(limit)),
            sizes: Sizes::default(),
        }
    }
}

/// What is read of the JSON form of a report; other fields do not matter here.
#[derive(Debug, Deserialize)]
struct Report {
    verdict: String,
    #[serde(default)]
    properties: Vec<PropertyReport>,
    #[serde(default)]
    ledger: LedgerReport,
}

#[derive(Debug, Deserialize)]
struct PropertyReport {
    answer: String,
    line: String,
    reason: Option<ReasonReport>,
}

#[derive(Debug, Deserialize)]
struct ReasonReport {
    kind: String,
}

#[derive(Debug, Default, Deserialize)]
struct LedgerReport {
    #[serde(default)]
    sizes: Sizes,
}

/// The status of a run, and in a line why it is no verdict. The reason is empty where there is one.
pub(super) fn judge(run: &Run, answer: &Answer, expected: bool) -> (Status, String) {
    let complaint = || {
        let first = run.stderr.lines().map(str::trim).find(|line| !line.is_empty());
        first.unwrap_or("it says nothing about it").to_owned()
    };
    let why = || answer.reason.clone().unwrap_or_else(|| "no reason given".to_owned());
    match (run.ending, answer.verdict) {
        (Ending::OverTime, _) => (Status::Timeout, "killed: over time".to_owned()),
        (Ending::OverMemory, _) => (Status::OutOfMemory, "killed: over memory".to_owned()),
        (Ending::Cancelled, _) => (Status::Unknown, "interrupted".to_owned()),
        // The allocator of the standard library ends a process that gets no memory in this way.
        (Ending::Signal(_), _) if run.stderr.contains("memory allocation of") => {
            (Status::OutOfMemory, complaint())
        }
        (Ending::Signal(signal), _) => {
            (Status::InternalError, format!("ended by signal {signal}; {}", complaint()))
        }
        (Ending::Code(1), _) => (Status::InputError, complaint()),
        (Ending::Code(2), _) => (Status::InternalError, complaint()),
        (Ending::Code(0), Some(Verdict::True)) => {
            (if expected { Status::CorrectTrue } else { Status::WrongTrue }, String::new())
        }
        (Ending::Code(10), Some(Verdict::False)) => {
            (if expected { Status::WrongFalse } else { Status::CorrectFalse }, String::new())
        }
        (Ending::Code(30), Some(Verdict::Unknown)) => (Status::BoundedSafe, why()),
        (Ending::Code(20), Some(Verdict::Unknown)) => {
            let status = match answer.exhausted {
                Some(Exhausted::Time) => Status::Timeout,
                Some(Exhausted::Memory) => Status::OutOfMemory,
                Some(Exhausted::Cancelled) | None => Status::Unknown,
            };
            (status, why())
        }
        (Ending::Code(code), Some(verdict)) => {
            (Status::InternalError, format!("it says {verdict} and ends with exit code {code}"))
        }
        (Ending::Code(code), None) => {
            (Status::InternalError, format!("no `VERDICT:` line, and exit code {code}; {}", complaint()))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn judged(ending: Ending, stdout: &str, stderr: &str, expected: bool) -> (Status, String) {
        let run = Run {
            ending,
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            cpu: Duration::ZERO,
            wall: Duration::ZERO,
            memory_bytes: 0,
        };
        judge(&run, &Answer::read(&run), expected)
    }

    fn code(code: i32, stdout: &str, expected: bool) -> (Status, String) {
        judged(Ending::Code(code), stdout, "", expected)
    }

    #[test]
    fn verdicts_are_compared_with_what_is_expected() {
        let none = String::new;
        assert_eq!(code(0, "VERDICT: TRUE\n", true), (Status::CorrectTrue, none()));
        assert_eq!(code(0, "VERDICT: TRUE\n", false), (Status::WrongTrue, none()));
        assert_eq!(code(10, "a story\nVERDICT: FALSE\n", true), (Status::WrongFalse, none()));
        assert_eq!(code(10, "a story\nVERDICT: FALSE\n", false), (Status::CorrectFalse, none()));
    }

    #[test]
    fn the_last_verdict_counts() {
        assert_eq!(code(0, "VERDICT: FALSE\nVERDICT: TRUE\n\n", true).0, Status::CorrectTrue);
    }

    #[test]
    fn what_is_no_verdict_has_a_reason() {
        let bounded = "assertion: SAFE up to 3 iterations\nVERDICT: UNKNOWN\n";
        assert_eq!(
            code(30, bounded, false),
            (Status::BoundedSafe, "assertion: SAFE up to 3 iterations".to_owned())
        );
        let unknown = |why: &str| code(20, &format!("assertion: UNKNOWN: {why}\nVERDICT: UNKNOWN\n"), true);
        assert_eq!(unknown("asm at a.c:3"), (Status::Unknown, "assertion: UNKNOWN: asm at a.c:3".to_owned()));
        assert_eq!(unknown("out of time").0, Status::Timeout);
        assert_eq!(unknown("out of memory").0, Status::OutOfMemory);
    }

    #[test]
    fn json_is_read_with_its_sizes() {
        let report = |verdict: &str, answer: &str, line: &str, kind: &str| {
            format!(
                r#"{{"version": 1, "verdict": "{verdict}", "answer": "{answer}", "properties": [
                    {{"property": "assertion", "answer": "{answer}", "line": "{line}", "bounds": [], "reason": {kind}}},
                    {{"property": "deadlock", "answer": "not-checked", "line": "NOT CHECKED", "reason": null}}],
                    "ledger": {{"engine": "x", "sizes": {{"events": 7, "variables": 8, "clauses": 9, "states": 1}}}}}}"#
            )
        };
        let answer = Answer::from_json(&report("TRUE", "safe", "SAFE", "null")).unwrap();
        assert_eq!((answer.verdict, answer.reason), (Some(Verdict::True), None));
        let sizes = Sizes { events: Some(7), variables: Some(8), clauses: Some(9), conflicts: None };
        assert_eq!(answer.sizes, sizes);
        let kind = |kind: &str| format!(r#"{{"kind": "{kind}", "text": "", "place": null}}"#);
        let late = report("UNKNOWN", "unknown", "UNKNOWN: no time left", &kind("time"));
        assert_eq!(code(20, &late, true), (Status::Timeout, "UNKNOWN: no time left".to_owned()));
        let open = report("UNKNOWN", "unknown", "UNKNOWN: asm, out of time", &kind("unsupported"));
        assert_eq!(code(20, &open, true).0, Status::Unknown);
        let bounded = report("UNKNOWN", "bounded-safe", "SAFE up to 3", "null");
        assert_eq!(code(30, &bounded, true), (Status::BoundedSafe, "SAFE up to 3".to_owned()));
        assert_eq!(code(10, &report("FALSE", "violated", "BUG", "null"), true).0, Status::WrongFalse);
        assert_eq!(code(0, &report("TRUE", "safe", "SAFE", "null")[..40], true).0, Status::InternalError);
    }

    #[test]
    fn a_contradiction_is_a_mistake_and_never_a_verdict() {
        for (exit, word) in
            [(10, "TRUE"), (0, "FALSE"), (20, "TRUE"), (30, "FALSE"), (0, "UNKNOWN"), (99, "TRUE")]
        {
            let (status, why) = code(exit, &format!("VERDICT: {word}\n"), true);
            assert_eq!(status, Status::InternalError);
            assert_eq!(why, format!("it says {word} and ends with exit code {exit}"));
        }
        assert_eq!(code(0, "VERDICT: PERHAPS\n", true).0, Status::InternalError);
        assert_eq!(code(0, "", true).0, Status::InternalError);
    }

    #[test]
    fn an_end_that_is_no_answer_outranks_the_verdict() {
        let said = "VERDICT: TRUE\n";
        assert_eq!(judged(Ending::OverTime, said, "", true).0, Status::Timeout);
        assert_eq!(judged(Ending::OverMemory, said, "", true).0, Status::OutOfMemory);
        assert_eq!(code(1, said, true).0, Status::InputError);
        assert_eq!(code(2, said, true).0, Status::InternalError);
        let (status, why) = judged(Ending::Signal(11), said, "\nstack overflow\n", true);
        assert_eq!((status, why.as_str()), (Status::InternalError, "ended by signal 11; stack overflow"));
        let starved = "memory allocation of 8 bytes failed";
        assert_eq!(judged(Ending::Signal(6), "", starved, true).0, Status::OutOfMemory);
    }
}
