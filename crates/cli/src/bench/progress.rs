//! What is shown while a campaign runs: one line that changes on a terminal, one line a task elsewhere.
//!
//! Lines of tasks come in the order of the tasks, however many run at a time, so that two campaigns can be compared line by line.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Instant;

use raddle_base::process::now;

use super::record::{Record, megabytes};
use super::status::Group;
use crate::output;

/// Shows how far a campaign has come.
pub(super) struct Progress {
    total: usize,
    done: usize,
    counts: BTreeMap<Group, usize>,
    /// What runs, and since when.
    running: BTreeMap<usize, (String, Instant)>,
    /// Whether there is a terminal for a line that changes.
    live: bool,
    /// Whether each task gets a line.
    lines: bool,
    printed: usize,
}

impl Progress {
    pub(super) fn new(total: usize) -> Self {
        let live = io::stderr().is_terminal();
        Self {
            total,
            done: 0,
            counts: BTreeMap::new(),
            running: BTreeMap::new(),
            live,
            lines: !(live && io::stdout().is_terminal()),
            printed: 0,
        }
    }

    pub(super) fn started(&mut self, index: usize, task: &str) {
        self.running.insert(index, (task.to_owned(), now()));
        self.refresh();
    }

    /// A task has ended, in whatever order.
    pub(super) fn finished(&mut self, index: usize, record: Option<&Record>) {
        self.running.remove(&index);
        let Some(record) = record else { return };
        self.done += 1;
        *self.counts.entry(record.status.group()).or_default() += 1;
        if self.live && record.status.group() == Group::Wrong {
            self.clear();
            let _ = writeln!(io::stderr(), "!!! {}: {}", record.status.name(), record.path.display());
        }
        self.refresh();
    }

    /// The turn of a task has come to be printed.
    pub(super) fn in_order(&mut self, record: &Record) {
        self.printed += 1;
        if self.lines {
            self.clear();
            // A reader that has gone away has seen enough; the rest of the campaign still counts.
            let _ = output::write(self.line(record).as_bytes(), None);
            self.refresh();
        }
    }

    fn line(&self, record: &Record) -> String {
        let width = self.total.to_string().len();
        let why = if record.reason.is_empty() { String::new() } else { format!("  ({})", record.reason) };
        format!(
            "[{:>width$}/{}] {:<14} {:>8.2} s {:>6} MB  {}{why}\n",
            self.printed,
            self.total,
            record.status.name(),
            record.cpu.as_secs_f64(),
            megabytes(record.memory_bytes),
            record.task,
        )
    }

    /// Writes the changing line anew.
    pub(super) fn refresh(&self) {
        if self.live {
            let width = output::terminal_width(io::stderr()).unwrap_or_else(output::width);
            let _ = write!(io::stderr(), "\r\x1b[2K{}", self.state(width));
        }
    }

    /// Takes the changing line away.
    pub(super) fn clear(&self) {
        if self.live {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }

    fn state(&self, width: usize) -> String {
        let count = |group| self.counts.get(&group).copied().unwrap_or_default();
        let open = count(Group::Undecided) + count(Group::Bounded);
        let mut text = format!("{}/{}: {} correct", self.done, self.total, count(Group::Correct));
        let wrong = count(Group::Wrong);
        text.push_str(&if wrong > 0 { format!(", {wrong} WRONG") } else { ", 0 wrong".to_owned() });
        text.push_str(&format!(", {open} unknown"));
        if count(Group::Error) > 0 {
            text.push_str(&format!(", {} errors", count(Group::Error)));
        }
        for (position, (task, since)) in self.running.values().enumerate() {
            text.push_str(if position == 0 { " | " } else { ", " });
            let seconds = now().saturating_duration_since(*since).as_secs();
            text.push_str(&format!("{} {seconds} s", task.trim_end_matches(".yml")));
        }
        // A line that wraps could not be taken back.
        text.chars().take(width.saturating_sub(1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::status::Status;
    use crate::bench::summary::tests::record;

    fn silent(total: usize) -> Progress {
        Progress { live: false, lines: false, ..Progress::new(total) }
    }

    #[test]
    fn the_state_counts_and_names_what_runs() {
        let mut progress = silent(12);
        progress.started(0, "a/1.yml");
        progress.started(1, "a/2.yml");
        progress.started(2, "a/3.yml");
        progress.finished(1, Some(&record("a/2.yml", Status::WrongTrue, 1)));
        assert_eq!(progress.state(200), "1/12: 0 correct, 1 WRONG, 0 unknown | a/1 0 s, a/3 0 s");
        assert_eq!(progress.state(10), "1/12: 0 c");
    }

    #[test]
    fn a_line_says_what_became_of_a_task() {
        let mut progress = silent(12);
        let record = record("a/2.yml", Status::Timeout, 1_250);
        progress.in_order(&record);
        assert_eq!(
            progress.line(&record),
            "[ 1/12] time-out           1.25 s   1250 MB  a/2.yml  (because)\n"
        );
    }
}
