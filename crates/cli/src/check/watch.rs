//! Limits that hold even when an engine does not: time, memory, Ctrl-C.
//!
//! The budget that engines poll ends by itself. Beside it a thread watches: at the deadline, when the memory is used up or when
//! a signal has come it cancels the budget, and if the engine does not come back soon after, it tells the result itself and
//! ends the process. Exactly one of the two tells: whoever takes the right to speak first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use raddle_base::budget::memory_in_use;
use raddle_base::{Budget, Canceller, Exhausted};

use super::progress::Line;
use crate::output;

/// How long an engine may take to come back once it was told to stop.
const GRACE: Duration = Duration::from_millis(900);
/// How often the watch looks: at ease, and when memory is nearly used up.
const PAUSE: Duration = Duration::from_millis(50);
const SHORT_PAUSE: Duration = Duration::from_millis(5);
/// How the process ends when the signal comes a second time.
const INTERRUPTED: i32 = 130;

/// How far the work may go.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    pub(super) time: Option<Duration>,
    /// In bytes.
    pub(super) memory: Option<u64>,
}

/// The watch over a piece of work.
pub(super) struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    canceller: Canceller,
    /// Set by a signal.
    interrupted: Arc<AtomicBool>,
    /// Why the work was told to stop.
    cause: Mutex<Option<Exhausted>>,
    /// Whether somebody tells the result.
    speaks: Mutex<bool>,
    wake: Condvar,
    line: Arc<Line>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[expect(clippy::disallowed_methods, reason = "limits are kept by the clock")]
fn now() -> Instant {
    Instant::now()
}

impl Watch {
    /// Begins to watch. `last_words` tells a result without the engine; the process then ends with the code it gives.
    pub(super) fn begin(
        limits: Limits,
        budget: &Budget,
        line: Arc<Line>,
        last_words: impl FnOnce(Exhausted) -> u8 + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared {
            canceller: budget.canceller(),
            interrupted: Arc::new(AtomicBool::new(false)),
            cause: Mutex::new(None),
            speaks: Mutex::new(false),
            wake: Condvar::new(),
            line,
        });
        shared.listen();
        let deadline = limits.time.and_then(|time| now().checked_add(time));
        let watched = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || watched.watch(deadline, limits.memory, last_words));
        match thread {
            Ok(thread) => Self { shared, thread: Some(thread) },
            Err(error) => {
                output::note(&format!("cannot watch the limits: {error}"));
                Self { shared, thread: None }
            }
        }
    }

    /// The work is done, and the caller will tell the result. Gives why it was told to stop, if it was.
    pub(super) fn end(mut self) -> Option<Exhausted> {
        {
            let mut speaks = lock(&self.shared.speaks);
            // Never seen true: who speaks instead ends the process before it lets go.
            *speaks = true;
            self.shared.wake.notify_all();
        }
        if let Some(thread) = self.thread.take() {
            // A watch that has panicked has said so.
            let _ = thread.join();
        }
        self.shared.line.erase();
        *lock(&self.shared.cause)
    }
}

impl Shared {
    /// The first signal asks for the end, the second one is the end.
    fn listen(&self) {
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            let again = Arc::clone(&self.interrupted);
            let set = signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED, again)
                .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&self.interrupted)));
            if let Err(error) = set {
                output::note(&format!("cannot react to Ctrl-C: {error}"));
            }
        }
    }

    fn watch(
        &self,
        deadline: Option<Instant>,
        memory: Option<u64>,
        last_words: impl FnOnce(Exhausted) -> u8,
    ) {
        let mut stopped: Option<(Instant, Exhausted)> = None;
        let mut speaks = lock(&self.speaks);
        while !*speaks {
            let used = memory.and_then(|_| memory_in_use()).unwrap_or(0);
            let time = now();
            let cause = if self.interrupted.load(Ordering::Relaxed) {
                Some(Exhausted::Cancelled)
            } else if deadline.is_some_and(|deadline| time >= deadline) {
                Some(Exhausted::Time)
            } else if memory.is_some_and(|most| used > most) {
                Some(Exhausted::Memory)
            } else {
                None
            };
            if let (None, Some(cause)) = (stopped, cause) {
                stopped = Some((time, cause));
                *lock(&self.cause) = Some(cause);
                self.canceller.cancel_for(cause);
            }
            if let Some((since, cause)) = stopped {
                let late = time.saturating_duration_since(since) >= GRACE;
                let huge = memory.is_some_and(|most| used > most.saturating_add(most / 20));
                if late || huge {
                    self.line.erase();
                    let code = last_words(cause);
                    // Other threads are in the middle of something, so nothing is torn down.
                    signal_hook::low_level::exit(i32::from(code));
                }
            }
            self.line.draw();
            let near = memory.is_some_and(|most| used > most / 4 * 3);
            let pause = if near { SHORT_PAUSE } else { PAUSE };
            let left = deadline.filter(|_| stopped.is_none()).map(|deadline| deadline - time);
            let pause = left.map_or(pause, |left| pause.min(left));
            let woken = self.wake.wait_timeout(speaks, pause);
            speaks = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
