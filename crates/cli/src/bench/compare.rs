//! Now against an earlier campaign: what changed, and whether it became faster.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::record::{Earlier, Record};
use super::status::Group;
use super::summary::{align, counted};
use super::tasks::Task;

/// Below this many seconds the clock says more about the VM than about the checker.
const SHORTEST: f64 = 0.01;
/// So many of the slowest tasks are shown one by one.
const SLOWEST: usize = 10;

/// A task in both campaigns.
struct Pair<'a> {
    now: &'a Record,
    before: &'a Earlier,
}

impl Pair<'_> {
    fn seconds(&self) -> (f64, f64) {
        (self.before.cpu_s.max(SHORTEST), self.now.cpu.as_secs_f64().max(SHORTEST))
    }

    fn slower_of_both(&self) -> f64 {
        let (before, now) = self.seconds();
        before.max(now)
    }
}

/// The comparison as text.
pub(super) fn compare(records: &[Record], earlier: &[Earlier], name: &str) -> String {
    let before: BTreeMap<&str, &Earlier> = earlier.iter().map(|old| (old.task.as_str(), old)).collect();
    let pairs: Vec<Pair<'_>> = records
        .iter()
        .filter_map(|now| Some(Pair { now, before: before.get(now.task.as_str()).copied()? }))
        .collect();
    let mut text = format!("\ncompared with {name}: {} in both", counted(pairs.len(), "task"));
    let (added, missing) = (records.len() - pairs.len(), before.len() - pairs.len());
    for (count, what) in [(added, "only now"), (missing, "only there")] {
        if count > 0 {
            write!(text, ", {count} {what}").expect("writing to a string cannot fail");
        }
    }
    text.push('\n');
    changes(&pairs, &mut text);
    times(&pairs, &mut text);
    text
}

/// Tasks whose status changed, those that became worse first.
fn changes(pairs: &[Pair<'_>], text: &mut String) {
    let changed = |wanted: fn(Group, Group) -> bool| {
        let differs = |pair: &&Pair<'_>| {
            let (before, now) = (pair.before.status, pair.now.status);
            before != now && wanted(before.group(), now.group())
        };
        pairs.iter().filter(differs).collect::<Vec<_>>()
    };
    let lists = [
        ("REGRESSIONS", changed(|before, now| now < before)),
        ("improvements", changed(|before, now| now > before)),
        ("other changes", changed(|before, now| now == before)),
    ];
    if lists.iter().all(|(_, list)| list.is_empty()) {
        text.push_str("no status changed\n");
    }
    for (heading, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
        writeln!(text, "{heading}: {}", list.len()).expect("writing to a string cannot fail");
        for pair in list {
            let (before, now) = (pair.before.status.name(), pair.now.status.name());
            let why = if pair.now.reason.is_empty() { "" } else { ": " };
            writeln!(text, "  {}: {before} -> {now}{why}{}", pair.now.task, pair.now.reason)
                .expect("writing to a string cannot fail");
        }
    }
}

/// How the times of the tasks compare that were decided rightly both times; others measure only the limits.
fn times(pairs: &[Pair<'_>], text: &mut String) {
    let correct = |group: Group| group == Group::Correct;
    let mut pairs: Vec<&Pair<'_>> = pairs
        .iter()
        .filter(|pair| correct(pair.now.status.group()) && correct(pair.before.status.group()))
        .collect();
    if pairs.is_empty() {
        text.push_str("no task was decided rightly both times: no times to compare\n");
        return;
    }
    let mut folders: BTreeMap<&str, Vec<&Pair<'_>>> = BTreeMap::new();
    for &pair in &pairs {
        folders.entry(Task::folder(&pair.now.task)).or_default().push(pair);
    }
    let heading =
        ["CPU s of tasks decided rightly both times", "tasks", "before", "now", "ratio", "geo. mean"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(folders.iter().map(|(folder, members)| sums(folder, members)));
    rows.push(sums("total", &pairs));
    text.push_str(&align(&rows));

    pairs.sort_by(|a, b| {
        b.slower_of_both().total_cmp(&a.slower_of_both()).then_with(|| a.now.task.cmp(&b.now.task))
    });
    pairs.truncate(SLOWEST);
    let mut rows = vec![["slowest of them", "before", "now", "ratio"].map(str::to_owned).to_vec()];
    for pair in pairs {
        let (before, now) = pair.seconds();
        rows.push(vec![
            pair.now.task.clone(),
            format!("{before:.2}"),
            format!("{now:.2}"),
            format!("{:.2}", now / before),
        ]);
    }
    text.push_str(&align(&rows));
}

fn sums(name: &str, pairs: &[&Pair<'_>]) -> Vec<String> {
    let (mut before, mut now, mut logarithms, mut count) = (0.0, 0.0, 0.0, 0.0);
    for pair in pairs {
        let (old, new) = pair.seconds();
        before += old;
        now += new;
        logarithms += (new / old).ln();
        count += 1.0;
    }
    let mean: f64 = f64::exp(logarithms / f64::max(count, 1.0));
    vec![
        name.to_owned(),
        pairs.len().to_string(),
        format!("{before:.2}"),
        format!("{now:.2}"),
        format!("{:.2}", now / before),
        format!("{mean:.2}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::status::Status;
    use crate::bench::summary::tests::record;

    fn earlier(task: &str, status: Status, cpu_s: f64) -> Earlier {
        Earlier { task: task.to_owned(), status, cpu_s }
    }

    #[test]
    fn regressions_come_first_and_times_are_of_what_was_right_twice() {
        let records = [
            record("a/1.yml", Status::CorrectTrue, 500),
            record("a/2.yml", Status::Timeout, 9_000),
            record("a/3.yml", Status::CorrectFalse, 100),
            record("b/4.yml", Status::CorrectTrue, 4_000),
            record("b/5.yml", Status::Unknown, 1),
            record("b/6.yml", Status::CorrectTrue, 1),
        ];
        let old = [
            earlier("a/1.yml", Status::CorrectTrue, 2.0),
            earlier("a/2.yml", Status::CorrectTrue, 1.0),
            earlier("a/3.yml", Status::Unknown, 1.0),
            earlier("b/4.yml", Status::CorrectTrue, 4.0),
            earlier("b/5.yml", Status::Timeout, 1.0),
            earlier("b/7.yml", Status::CorrectTrue, 1.0),
        ];
        let expected = "
compared with old.csv: 5 tasks in both, 1 only now, 1 only there
REGRESSIONS: 1
  a/2.yml: correct-true -> time-out: because
improvements: 1
  a/3.yml: unknown -> correct-false
other changes: 1
  b/5.yml: time-out -> unknown: because
CPU s of tasks decided rightly both times  tasks  before   now  ratio  geo. mean
a                                              1    2.00  0.50   0.25       0.25
b                                              1    4.00  4.00   1.00       1.00
total                                          2    6.00  4.50   0.75       0.50
slowest of them  before   now  ratio
b/4.yml            4.00  4.00   1.00
a/1.yml            2.00  0.50   0.25
";
        let text = compare(&records, &old, "old.csv");
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn nothing_in_common_is_said() {
        let text = compare(&[record("a/1.yml", Status::Unknown, 1)], &[], "old.csv");
        assert!(text.contains("0 tasks in both, 1 only now\nno status changed\n"), "{text}");
        assert!(text.contains("no times to compare"), "{text}");
    }
}
