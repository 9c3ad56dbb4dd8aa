//! The result of one task, and the file of comma-separated values that keeps them.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::answer::Sizes;
use super::status::{Status, Verdict};

/// What became of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// What it is called: `folder/file.yml`.
    pub(super) task: String,
    /// The task file.
    pub(super) path: PathBuf,
    pub(super) expected: bool,
    pub(super) verdict: Option<Verdict>,
    pub(super) status: Status,
    pub(super) exit_code: Option<i32>,
    pub(super) cpu: Duration,
    pub(super) wall: Duration,
    pub(super) memory_bytes: u64,
    pub(super) sizes: Sizes,
    /// Why there is no verdict; empty where there is one.
    pub(super) reason: String,
}

const COLUMNS: [&str; 14] = [
    "task",
    "property",
    "expected",
    "verdict",
    "status",
    "exit_code",
    "cpu_s",
    "wall_s",
    "memory_mb",
    "events",
    "variables",
    "clauses",
    "conflicts",
    "reason",
];

/// Megabytes, rounded up.
pub(super) fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}

/// Writes one row a task, each at once, so that a campaign that is cut off leaves what it knew.
pub(super) struct Writer {
    rows: csv::Writer<File>,
    property: String,
}

impl Writer {
    pub(super) fn create(path: &Path, property: &str) -> io::Result<Self> {
        let mut rows = csv::Writer::from_writer(File::create(path)?);
        rows.write_record(COLUMNS)?;
        rows.flush()?;
        Ok(Self { rows, property: property.to_owned() })
    }

    pub(super) fn write(&mut self, record: &Record) -> io::Result<()> {
        fn optional(value: Option<impl ToString>) -> String {
            value.map_or_else(String::new, |value| value.to_string())
        }
        self.rows.write_record([
            record.task.clone(),
            self.property.clone(),
            record.expected.to_string(),
            optional(record.verdict),
            record.status.name().to_owned(),
            optional(record.exit_code),
            format!("{:.3}", record.cpu.as_secs_f64()),
            format!("{:.3}", record.wall.as_secs_f64()),
            megabytes(record.memory_bytes).to_string(),
            optional(record.sizes.events),
            optional(record.sizes.variables),
            optional(record.sizes.clauses),
            optional(record.sizes.conflicts),
            record.reason.clone(),
        ])?;
        self.rows.flush()
    }
}

/// What a comparison needs of an earlier result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Earlier {
    pub(super) task: String,
    pub(super) status: Status,
    pub(super) cpu_s: f64,
}

/// Reads the results for a property. The error says what is wrong and where.
pub(super) fn read(file: impl io::Read, property: &str) -> Result<Vec<Earlier>, String> {
    let mut reader = csv::Reader::from_reader(file);
    let headers = reader.headers().map_err(|error| error.to_string())?.clone();
    let column = |name: &str| {
        headers
            .iter()
            .position(|header| header == name)
            .ok_or_else(|| format!("no column `{name}`; is this a file that `raddle bench --csv` wrote?"))
    };
    let (task, asked) = (column("task")?, column("property")?);
    let (status, cpu) = (column("status")?, column("cpu_s")?);
    let mut results = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        let field = |index: usize| row.get(index).unwrap_or_default();
        let wrong = |name: &str, index: usize| format!("line {line}: `{}` is no {name}", field(index));
        if field(asked) != property {
            continue;
        }
        let seconds = field(cpu).parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
        results.push(Earlier {
            task: field(task).to_owned(),
            status: Status::from_name(field(status)).ok_or_else(|| wrong("status", status))?,
            cpu_s: seconds.ok_or_else(|| wrong("time in seconds", cpu))?,
        });
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_the_property_are_read() {
        let text = "status,cpu_s,extra,property,task\ncorrect-true,1.5,x,p,\"a,b/c.yml\"\nunknown,0,x,q,d\n";
        let expected = Earlier { task: "a,b/c.yml".to_owned(), status: Status::CorrectTrue, cpu_s: 1.5 };
        assert_eq!(read(text.as_bytes(), "p"), Ok(vec![expected]));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let error = |text: &str| read(text.as_bytes(), "p").unwrap_err();
        assert!(error("task,property,status\n").starts_with("no column `cpu_s`"));
        let head = "task,property,status,cpu_s\na,p,unknown,1\n";
        assert_eq!(error(&format!("{head}b,p,good,1\n")), "line 3: `good` is no status");
        assert_eq!(error(&format!("{head}b,p,unknown,-1\n")), "line 3: `-1` is no time in seconds");
        assert!(error(&format!("{head}b,p\n")).contains("line: 3"));
    }
}
