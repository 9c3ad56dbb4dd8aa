//! All tasks, several at a time.

use std::ffi::OsString;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use raddle_base::process::{self, Ending, Limits};

use super::answer::{self, Answer};
use super::progress::Progress;
use super::record::{Record, Writer};
use super::status::Status;
use super::tasks::Task;

/// How often the changing line is written anew when nothing happens.
const REFRESH: Duration = Duration::from_millis(250);

/// What is to be done.
pub(super) struct Campaign<'a> {
    pub(super) tasks: &'a [Task],
    /// The words that start the checker on a task.
    pub(super) command: &'a (dyn Fn(&Task) -> Vec<OsString> + Sync),
    pub(super) limits: Limits,
    pub(super) jobs: usize,
    /// How often each task is run.
    pub(super) repeat: usize,
    /// Set to stop.
    pub(super) cancelled: &'a AtomicBool,
}

/// What came of it.
pub(super) struct Results {
    /// In the order of the tasks. Some are missing if the campaign was cancelled.
    pub(super) records: Vec<Record>,
    /// The checker could not be started.
    pub(super) start_error: Option<io::Error>,
    /// The file of results could not be written.
    pub(super) write_error: Option<io::Error>,
}

/// What a worker says.
enum Event {
    Started(usize),
    /// No record if the task was cut off.
    Finished(usize, io::Result<Option<Record>>),
}

impl Campaign<'_> {
    /// Runs all tasks; shows how far it is, and writes each result once those before it are there.
    pub(super) fn run(&self, mut file: Option<Writer>) -> Results {
        let mut progress = Progress::new(self.tasks.len());
        let mut slots: Vec<Option<Record>> = vec![None; self.tasks.len()];
        let mut due = 0;
        let mut results = Results { records: Vec::new(), start_error: None, write_error: None };
        let mut emit = |record: Record, progress: &mut Progress, results: &mut Results| {
            progress.in_order(&record);
            if let Some(Err(error)) = file.as_mut().map(|file| file.write(&record)) {
                results.write_error.get_or_insert(error);
            }
            results.records.push(record);
        };
        let (sender, events) = channel();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.min(self.tasks.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    self.work(next, &|event| {
                        // The receiver outlives the workers.
                        let _ = sender.send(event);
                    });
                });
            }
            drop(sender);
            loop {
                match events.recv_timeout(REFRESH) {
                    Ok(Event::Started(index)) => progress.started(index, &self.tasks[index].name),
                    Ok(Event::Finished(index, Ok(record))) => {
                        progress.finished(index, record.as_ref());
                        slots[index] = record;
                    }
                    Ok(Event::Finished(index, Err(error))) => {
                        progress.finished(index, None);
                        self.cancelled.store(true, Ordering::Relaxed);
                        results.start_error.get_or_insert(error);
                    }
                    Err(RecvTimeoutError::Timeout) => progress.refresh(),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                while let Some(record) = slots.get_mut(due).and_then(Option::take) {
                    due += 1;
                    emit(record, &mut progress, &mut results);
                }
            }
        });
        // After a cancellation there may be gaps.
        for record in slots.into_iter().flatten() {
            emit(record, &mut progress, &mut results);
        }
        progress.clear();
        results
    }

    /// Takes one task after the other until none is left.
    fn work(&self, next: &AtomicUsize, say: &dyn Fn(Event)) {
        while !self.cancelled.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = self.tasks.get(index) else { break };
            say(Event::Started(index));
            say(Event::Finished(index, self.task(task)));
        }
    }

    fn task(&self, task: &Task) -> io::Result<Option<Record>> {
        let words = (self.command)(task);
        let mut runs = Vec::new();
        for _ in 0..self.repeat {
            let run = process::run(&words, &self.limits, &|| self.cancelled.load(Ordering::Relaxed))?;
            if run.ending == Ending::Cancelled {
                break;
            }
            let answer = Answer::read(&run);
            let (status, reason) = answer::judge(&run, &answer, task.expected);
            let exit_code = if let Ending::Code(code) = run.ending { Some(code) } else { None };
            runs.push(Record {
                task: task.name.clone(),
                path: task.path.clone(),
                expected: task.expected,
                verdict: answer.verdict,
                status,
                exit_code,
                cpu: run.cpu,
                wall: run.wall,
                memory_bytes: run.memory_bytes,
                sizes: answer.sizes,
                reason,
            });
        }
        Ok(median(runs))
    }
}

/// Of several runs the one in the middle by processor time, among those with the worst status.
fn median(runs: Vec<Record>) -> Option<Record> {
    let worst =
        Status::WORST_FIRST.into_iter().find(|status| runs.iter().any(|record| record.status == *status))?;
    let count = runs.len();
    let mut worst_runs: Vec<Record> = runs.into_iter().filter(|record| record.status == worst).collect();
    let times = worst_runs.len();
    worst_runs.sort_by_key(|record| record.cpu);
    let mut chosen = worst_runs.swap_remove((times - 1) / 2);
    if times < count {
        let space = if chosen.reason.is_empty() { "" } else { " " };
        chosen.reason.push_str(&format!("{space}[only in {times} of {count} runs]"));
    }
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::summary::tests::record;

    #[test]
    fn the_median_of_equal_statuses_counts() {
        let run = |cpu| record("a/1.yml", Status::CorrectTrue, cpu);
        assert_eq!(median(vec![run(9), run(1), run(5)]), Some(run(5)));
        assert_eq!(median(vec![run(9), run(1)]), Some(run(1)));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn the_worst_status_counts_and_the_difference_is_said() {
        let good = record("a/1.yml", Status::CorrectFalse, 1);
        let open = record("a/1.yml", Status::Timeout, 9);
        let chosen = median(vec![good.clone(), open, good]).unwrap();
        assert_eq!(chosen.status, Status::Timeout);
        assert_eq!(chosen.reason, "because [only in 1 of 3 runs]");
    }
}
