//! How far the work has come: one line on the terminal, written over and over, and taken away at the end.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use raddle_engines::{Progress, Status};

use crate::output;

/// The line is written at most this often, and not before the work has lasted so long.
const INTERVAL: Duration = Duration::from_millis(100);
const FIRST: Duration = Duration::from_millis(300);

/// The line.
pub(crate) struct Line {
    engine: &'static str,
    /// Whether there is a terminal to write to, and somebody who wants to see it.
    live: bool,
    start: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    status: Option<Status>,
    drawn: Option<Instant>,
    erased: bool,
}

#[expect(clippy::disallowed_methods, reason = "people are told the time")]
fn now() -> Instant {
    Instant::now()
}

impl Line {
    /// Nothing is shown when it is not wanted or when standard error is no terminal.
    pub(crate) fn new(engine: &'static str, wanted: bool) -> Self {
        let live = wanted && io::stderr().is_terminal();
        Self { engine, live, start: now(), state: Mutex::new(State::default()) }
    }

    /// Writes the line anew, if it is time. Called now and then.
    pub(crate) fn draw(&self) {
        if !self.live {
            return;
        }
        let time = now();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = match state.drawn {
            Some(drawn) => time.saturating_duration_since(drawn) < INTERVAL,
            None => time.saturating_duration_since(self.start) < FIRST,
        };
        let Some(status) = state.status.as_ref().filter(|_| !waits && !state.erased) else { return };
        let width = output::terminal_width(io::stderr()).unwrap_or(80);
        let text = text(self.engine, status, time.saturating_duration_since(self.start), width);
        state.drawn = Some(time);
        // If standard error is closed there is nobody left to tell.
        let _ = write!(io::stderr().lock(), "\r\x1b[2K{text}");
    }

    /// Takes the line away, for good.
    pub(crate) fn erase(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.erased = true;
        if state.drawn.take().is_some() {
            let _ = write!(io::stderr().lock(), "\r\x1b[2K");
        }
    }
}

impl Progress for Line {
    fn update(&self, status: &Status) {
        if self.live {
            self.state.lock().unwrap_or_else(PoisonError::into_inner).status = Some(status.clone());
        }
    }
}

fn text(engine: &str, status: &Status, elapsed: Duration, width: usize) -> String {
    let mut parts = vec![engine.to_owned()];
    parts.extend([status.bound.as_str(), status.phase].map(str::to_owned));
    let sizes = &status.sizes;
    for (count, name) in [
        (sizes.events, "events"),
        (sizes.clauses, "clauses"),
        (sizes.conflicts, "conflicts"),
        (sizes.states, "states"),
        (sizes.executions, "runs"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {name}"));
        }
    }
    parts.push(format!("{} s", elapsed.as_secs()));
    parts.retain(|part| !part.is_empty());
    // A line that wraps could not be taken back.
    format!("raddle: {}", parts.join(", ")).chars().take(width.saturating_sub(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_engines::Sizes;

    #[test]
    fn the_line_tells_what_there_is_and_fits() {
        let sizes = Sizes { events: 120, conflicts: 7, ..Sizes::default() };
        let status =
            Status { phase: "solving", bound: "unwind 3".to_owned(), sizes, elapsed: Duration::ZERO };
        let elapsed = Duration::from_millis(12_900);
        assert_eq!(
            text("po-bmc", &status, elapsed, 200),
            "raddle: po-bmc, unwind 3, solving, 120 events, 7 conflicts, 12 s"
        );
        assert_eq!(text("po-bmc", &status, elapsed, 20), "raddle: po-bmc, unw");
    }
}
