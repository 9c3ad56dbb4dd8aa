//! What is told at the end: wrong verdicts first, then the table, then what is not decided and why.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use super::record::{Record, megabytes};
use super::status::{Group, Status};
use super::tasks::Task;

/// Sums over tasks.
#[derive(Clone, Debug, Default)]
struct Sums {
    statuses: BTreeMap<&'static str, usize>,
    tasks: usize,
    errors: usize,
    cpu: Duration,
    wall: Duration,
    peak_bytes: u64,
    score: i64,
    best_score: i64,
}

impl Sums {
    fn add(&mut self, record: &Record) {
        *self.statuses.entry(record.status.name()).or_default() += 1;
        self.tasks += 1;
        self.errors += usize::from(record.status.group() == Group::Error);
        self.cpu += record.cpu;
        self.wall += record.wall;
        self.peak_bytes = self.peak_bytes.max(record.memory_bytes);
        self.score += record.status.score();
        let best = if record.expected { Status::CorrectTrue } else { Status::CorrectFalse };
        self.best_score += best.score();
    }

    fn count(&self, status: Status) -> usize {
        self.statuses.get(status.name()).copied().unwrap_or_default()
    }

    fn row(&self, folder: &str) -> Vec<String> {
        let counts = [
            self.tasks,
            self.count(Status::CorrectTrue),
            self.count(Status::CorrectFalse),
            self.count(Status::WrongTrue),
            self.count(Status::WrongFalse),
            self.count(Status::BoundedSafe),
            self.count(Status::Unknown),
            self.count(Status::Timeout),
            self.count(Status::OutOfMemory),
            self.errors,
        ];
        let mut row = vec![folder.to_owned()];
        row.extend(counts.map(|count| count.to_string()));
        row.extend([
            format!("{:.1}", self.cpu.as_secs_f64()),
            format!("{:.1}", self.wall.as_secs_f64()),
            megabytes(self.peak_bytes).to_string(),
            format!("{}/{}", self.score, self.best_score),
        ]);
        row
    }
}

/// Two lines of headings: a word above that spans two columns, and one for each column.
const HEADINGS: [(&str, &str); 15] = [
    ("", "folder"),
    ("", "tasks"),
    ("right", "true"),
    ("right", "false"),
    ("wrong", "true"),
    ("wrong", "false"),
    ("up to", "bounds"),
    ("", "unknown"),
    ("time", "out"),
    ("out of", "memory"),
    ("", "errors"),
    ("CPU", "s"),
    ("wall", "s"),
    ("peak", "MB"),
    ("", "score"),
];

/// The table by folder and in total.
pub(super) fn table(records: &[Record]) -> String {
    let mut folders: BTreeMap<&str, Sums> = BTreeMap::new();
    let mut total = Sums::default();
    for record in records {
        folders.entry(Task::folder(&record.task)).or_default().add(record);
        total.add(record);
    }
    let mut rows = vec![
        HEADINGS.map(|(above, _)| above.to_owned()).to_vec(),
        HEADINGS.map(|(_, below)| below.to_owned()).to_vec(),
    ];
    rows.extend(folders.iter().map(|(folder, sums)| sums.row(folder)));
    rows.push(total.row("total"));
    align(&rows)
}

/// Columns of equal width; the first is set to the left, the others to the right.
pub(super) fn align(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let written =
                if column == 0 { write!(line, "{cell:<width$}") } else { write!(line, "  {cell:>width$}") };
            written.expect("writing to a string cannot fail");
        }
        text.extend([line.trim_end(), "\n"]);
    }
    text
}

/// A number of things: `1 task`, `2 tasks`.
pub(super) fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// The list of wrong verdicts, for the top; empty if there is none.
pub(super) fn wrong(records: &[Record], property: &str) -> String {
    let wrong = of_group(records, Group::Wrong);
    if wrong.is_empty() {
        return String::new();
    }
    let mut text = format!("!!! WRONG VERDICTS: {}\n", wrong.len());
    for record in wrong {
        let got = record.verdict.map_or_else(String::new, |verdict| verdict.to_string());
        let expected = if record.expected { "TRUE" } else { "FALSE" };
        writeln!(text, "!!! {}: {property}: expected {expected}, got {got}", record.path.display())
            .expect("writing to a string cannot fail");
    }
    text
}

/// A list with its reasons of everything that was not decided, errors first; empty if all was.
pub(super) fn undecided(records: &[Record]) -> String {
    let lists = [
        ("errors", Group::Error),
        ("not decided", Group::Undecided),
        ("safe only up to bounds", Group::Bounded),
    ];
    let mut text = String::new();
    for (heading, group) in lists {
        let members = of_group(records, group);
        if members.is_empty() {
            continue;
        }
        let rows: Vec<Vec<String>> = members.iter().map(|record| row(record)).collect();
        let place = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or_default();
        writeln!(text, "\n{heading}: {}", members.len()).expect("writing to a string cannot fail");
        for row in rows {
            let line = format!("  {:<place$}  {:<14}  {}", row[0], row[1], row[2]);
            text.extend([line.trim_end(), "\n"]);
        }
    }
    text
}

fn row(record: &Record) -> Vec<String> {
    vec![record.task.clone(), record.status.name().to_owned(), record.reason.clone()]
}

fn of_group(records: &[Record], group: Group) -> Vec<&Record> {
    records.iter().filter(|record| record.status.group() == group).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bench::answer::Sizes;
    use crate::bench::status::Verdict;

    /// A record with made-up numbers.
    pub(in crate::bench) fn record(task: &str, status: Status, cpu_ms: u64) -> Record {
        let (expected, verdict) = match status {
            Status::CorrectTrue => (true, Verdict::True),
            Status::CorrectFalse => (false, Verdict::False),
            Status::WrongTrue => (false, Verdict::True),
            Status::WrongFalse => (true, Verdict::False),
            Status::BoundedSafe
            | Status::Unknown
            | Status::Timeout
            | Status::OutOfMemory
            | Status::InputError
            | Status::InternalError => (true, Verdict::Unknown),
        };
        let decided = matches!(status.group(), Group::Correct | Group::Wrong);
        Record {
            task: task.to_owned(),
            path: format!("sets/{task}").into(),
            expected,
            verdict: Some(verdict),
            status,
            exit_code: Some(0),
            cpu: Duration::from_millis(cpu_ms),
            wall: Duration::from_millis(2 * cpu_ms),
            memory_bytes: cpu_ms * 1_000_000,
            sizes: Sizes::default(),
            reason: if decided { String::new() } else { "because".to_owned() },
        }
    }

    #[test]
    fn the_table_counts_everything() {
        let statuses = Status::WORST_FIRST.into_iter().zip(1..);
        let mut records: Vec<Record> =
            statuses.map(|(status, n)| record(&format!("b/{n}.yml"), status, n * 100)).collect();
        records.push(record("a/long/x.yml", Status::CorrectTrue, 1_500));
        let expected = "
               right  right  wrong  wrong   up to           time  out of          CPU  wall  peak
folder  tasks   true  false   true  false  bounds  unknown   out  memory  errors    s     s    MB   score
a/long      1      1      0      0      0       0        0     0       0       0  1.5   3.0  1500     2/2
b          10      1      1      1      1       1        1     1       1       2  5.5  11.0  1000  -45/18
total      11      2      1      1      1       1        1     1       1       2  7.0  14.0  1500  -43/20
";
        let table = format!("\n{}", table(&records));
        assert_eq!(table, expected, "{table}");
    }

    #[test]
    fn wrong_verdicts_are_loud() {
        let records = [record("a/1.yml", Status::WrongTrue, 1), record("a/2.yml", Status::CorrectTrue, 1)];
        assert_eq!(
            wrong(&records, "unreach-call"),
            "!!! WRONG VERDICTS: 1\n!!! sets/a/1.yml: unreach-call: expected FALSE, got TRUE\n"
        );
        assert_eq!(wrong(&records[1..], "unreach-call"), "");
    }

    #[test]
    fn what_is_open_is_listed_with_its_reason() {
        let records = [
            record("a/1.yml", Status::CorrectTrue, 1),
            record("a/22.yml", Status::Timeout, 1),
            record("a/3.yml", Status::BoundedSafe, 1),
            record("a/4.yml", Status::InternalError, 1),
        ];
        let expected = "
errors: 1
  a/4.yml  internal-error  because

not decided: 1
  a/22.yml  time-out        because

safe only up to bounds: 1
  a/3.yml  bounded-safe    because
";
        assert_eq!(undecided(&records), expected);
        assert_eq!(undecided(&records[..1]), "");
    }
}
