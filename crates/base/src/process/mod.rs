//! A program in a process of its own, watched from outside: limits of time and memory, output, and how it ended.
//!
//! Checkers keep limits by themselves or not at all; this is the net under them. The process leads a group of its own, so that
//! everything it starts ends with it, and it is reaped only after the group was killed: its number cannot have become somebody
//! else's.

use std::ffi::OsString;
use std::io::{self, Read, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use wait4::Wait4 as _;

mod usage;

/// How often the process is looked at. When its output ends it is looked at at once.
const INTERVAL: Duration = Duration::from_millis(20);
/// Of longer output the end is kept: that is where the verdict stands.
const MOST_OUTPUT: usize = 64 << 20;
/// A descendant that left the group can hold the output open; it is not waited for any longer than this.
const LAST_OUTPUT: Duration = Duration::from_millis(500);

/// What a process may use. It is killed when it uses more.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time that passes.
    pub wall: Duration,
    /// Processor time, children included.
    pub cpu: Option<Duration>,
    /// Resident memory, children included.
    pub memory_bytes: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself.
    Code(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// Killed by us for its time.
    OverTime,
    /// Killed by us for its memory.
    OverMemory,
    /// Killed by us because the user wants to stop.
    Cancelled,
}

/// What is known of a process that has ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote; of very much, the end.
    pub stdout: String,
    /// What it wrote as errors; of very much, the end.
    pub stderr: String,
    /// Processor time, children included.
    pub cpu: Duration,
    /// From its start to its end.
    pub wall: Duration,
    /// The largest resident memory. It is not below that of the process that started it: the kernel counts from there.
    pub memory_bytes: u64,
}

/// Runs a program to its end, or until it goes over a limit, or until `stop` says so. The first word is the program.
///
/// # Errors
/// When the program cannot be started or watched.
pub fn run(words: &[OsString], limits: &Limits, stop: &dyn Fn() -> bool) -> io::Result<Run> {
    run_with_input(words, Vec::new(), limits, stop)
}

/// As [`run`], with this to read for the program.
///
/// # Errors
/// As there.
pub fn run_with_input(
    words: &[OsString],
    input: Vec<u8>,
    limits: &Limits,
    stop: &dyn Fn() -> bool,
) -> io::Result<Run> {
    let start = now();
    let mut child = start_process(words)?;
    if let Some(mut pipe) = child.stdin.take()
        && !input.is_empty()
    {
        // A program may write while it still reads. One that stops early closes its input, and its output says why.
        std::thread::spawn(move || drop(pipe.write_all(&input)));
    }
    let (sender, closed) = channel();
    let stdout = child.stdout.take().map(|pipe| Output::collect(pipe, sender.clone()));
    let stderr = child.stderr.take().map(|pipe| Output::collect(pipe, sender));
    let mut watch = Watch { limits, stop, start, peak_memory: 0, most_cpu: Duration::ZERO };
    let process = Pid::from_child(&child);
    let mut killed = None;
    // Doubles after the output has ended, when nothing but the clock can wake us.
    let mut pause = Duration::from_micros(100);
    while !has_ended(process)? {
        if killed.is_none() {
            killed = watch.look(child.id());
            if killed.is_some() {
                kill(process);
            }
        }
        if let Err(RecvTimeoutError::Disconnected) = closed.recv_timeout(INTERVAL) {
            std::thread::sleep(pause);
            pause = (pause * 2).min(INTERVAL);
        }
    }
    let wall = now().saturating_duration_since(start);
    kill(process);
    let reaped = child.wait4()?;
    let ending = killed.unwrap_or_else(|| match (reaped.status.code(), reaped.status.signal()) {
        (Some(code), _) => Ending::Code(code),
        (None, signal) => Ending::Signal(signal.unwrap_or_default()),
    });
    // Both ends of the output close with the group.
    let deadline = now() + LAST_OUTPUT;
    while closed.recv_timeout(deadline.saturating_duration_since(now())).is_ok() {}
    Ok(Run {
        ending,
        stdout: stdout.map_or_else(String::new, |output| output.text()),
        stderr: stderr.map_or_else(String::new, |output| output.text()),
        cpu: (reaped.rusage.utime + reaped.rusage.stime).max(watch.most_cpu),
        wall,
        memory_bytes: reaped.rusage.maxrss.max(watch.peak_memory),
    })
}

#[expect(clippy::disallowed_methods, reason = "this is where programs are run under limits")]
fn start_process(words: &[OsString]) -> io::Result<Child> {
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.process_group(0).spawn()
}

/// Whether the process has ended; it is left to be reaped.
fn has_ended(process: Pid) -> io::Result<bool> {
    let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(process), how)?.is_some())
}

fn kill(group: Pid) {
    // It fails when there is nothing left to kill.
    let _ = kill_process_group(group, Signal::KILL);
}

/// The time.
#[expect(clippy::disallowed_methods, reason = "runs are measured")]
#[must_use]
pub fn now() -> Instant {
    Instant::now()
}

/// Looks at a process from time to time.
struct Watch<'a> {
    limits: &'a Limits,
    stop: &'a dyn Fn() -> bool,
    start: Instant,
    peak_memory: u64,
    most_cpu: Duration,
}

impl Watch<'_> {
    /// Why the process must be killed now, if it must.
    fn look(&mut self, process: u32) -> Option<Ending> {
        let usage = usage::of_tree(process);
        self.peak_memory = self.peak_memory.max(usage.memory_bytes);
        self.most_cpu = self.most_cpu.max(usage.cpu);
        if (self.stop)() {
            Some(Ending::Cancelled)
        } else if usage.memory_bytes > self.limits.memory_bytes {
            Some(Ending::OverMemory)
        } else if now().saturating_duration_since(self.start) > self.limits.wall
            || self.limits.cpu.is_some_and(|limit| usage.cpu > limit)
        {
            Some(Ending::OverTime)
        } else {
            None
        }
    }
}

/// One stream of a process's output, read as it comes.
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    /// Reads `pipe` to its end, then drops `closed`.
    fn collect(mut pipe: impl Read + Send + 'static, closed: Sender<()>) -> Self {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&kept);
        std::thread::spawn(move || {
            let mut chunk = [0; 1 << 16];
            while let Ok(length @ 1..) = pipe.read(&mut chunk) {
                let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&chunk[..length]);
                if kept.len() > 2 * MOST_OUTPUT {
                    let surplus = kept.len() - MOST_OUTPUT;
                    kept.drain(..surplus);
                }
            }
            drop(closed);
        });
        Self(kept)
    }

    fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { wall: Duration::from_secs(20), cpu: None, memory_bytes: 4 << 30 };

    fn shell(script: &str, limits: &Limits) -> Run {
        let words = ["sh", "-c", script].map(OsString::from);
        run(&words, limits, &|| false).unwrap()
    }

    #[test]
    fn output_and_code_are_kept_apart() {
        let ran = shell("echo out; echo err >&2; exit 7", &LIMITS);
        assert_eq!(ran.ending, Ending::Code(7));
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("out\n", "err\n"));
        assert!(ran.memory_bytes > 0 && ran.wall < Duration::from_secs(10));
    }

    #[test]
    fn input_is_given_while_output_is_read() {
        let words = ["cat"].map(OsString::from);
        let ran = run_with_input(&words, vec![b'x'; 3_000_000], &LIMITS, &|| false).unwrap();
        assert_eq!((ran.ending, ran.stdout.len()), (Ending::Code(0), 3_000_000));
        // Without input there is its end at once.
        assert_eq!(run(&words, &LIMITS, &|| false).unwrap().ending, Ending::Code(0));
        // And nobody has to read it.
        let words = ["true"].map(OsString::from);
        let ran = run_with_input(&words, vec![b'x'; 3_000_000], &LIMITS, &|| false).unwrap();
        assert_eq!(ran.ending, Ending::Code(0));
    }

    #[test]
    fn a_signal_is_told_from_a_code() {
        assert_eq!(shell("kill -SEGV $$", &LIMITS).ending, Ending::Signal(11));
    }

    #[test]
    fn much_output_on_both_streams_does_not_block() {
        let ran = shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2", &LIMITS);
        assert_eq!((ran.stdout.len(), ran.stderr.len()), (3_000_000, 3_000_000));
    }

    #[test]
    fn everything_it_started_ends_with_it() {
        // The child in the background holds the output open; it must neither be waited for nor survive.
        let ran = shell("sleep 100 & echo $!", &LIMITS);
        assert_eq!(ran.ending, Ending::Code(0));
        assert!(ran.wall < Duration::from_secs(10), "{:?}", ran.wall);
        let child: u32 = ran.stdout.trim().parse().unwrap();
        let gone = (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            let left = usage::of_tree(child).memory_bytes;
            left == 0
        });
        assert!(gone, "{child} is still there");
    }

    #[test]
    fn a_process_that_closes_its_output_is_still_limited() {
        let limits = Limits { wall: Duration::from_millis(300), ..LIMITS };
        let ran = shell("exec >&- 2>&-; sleep 100", &limits);
        assert_eq!(ran.ending, Ending::OverTime);
        assert!(ran.wall < Duration::from_secs(10), "{:?}", ran.wall);
    }

    #[test]
    fn processor_time_of_grandchildren_counts() {
        let limits = Limits { cpu: Some(Duration::from_millis(300)), ..LIMITS };
        let ran = shell("sh -c 'while :; do :; done'; exit 0", &limits);
        assert_eq!(ran.ending, Ending::OverTime);
        assert!(ran.cpu >= Duration::from_millis(300), "{:?}", ran.cpu);
    }

    #[test]
    fn memory_of_grandchildren_counts() {
        let limits = Limits { memory_bytes: 100 << 20, ..LIMITS };
        let ran = shell("{ head -c 300000000 /dev/zero; sleep 100; } | tail", &limits);
        assert_eq!(ran.ending, Ending::OverMemory);
        assert!(ran.memory_bytes > 100 << 20, "{}", ran.memory_bytes);
    }

    #[test]
    fn cancelling_kills() {
        let words = ["sleep", "100"].map(OsString::from);
        let ran = run(&words, &LIMITS, &|| true).unwrap();
        assert_eq!(ran.ending, Ending::Cancelled);
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let error = run(&["/does/not/exist".into()], &LIMITS, &|| false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
