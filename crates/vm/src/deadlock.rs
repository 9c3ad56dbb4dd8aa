//! Deadlocks: who waits for what, and who has it.
//!
//! A state is a deadlock when the process has not ended, at least one thread waits, and no thread can make a step. A thread
//! that an assumption ended silences the report: what the others wait for may be what it would have done, in a future that
//! the assumption excluded. So a deadlock beside such a thread is not reported, and every one that is reported is real. While a
//! delayed store can become visible, nobody waits for ever.

use std::fmt::Write;

use raddle_ir::{InstKind, Program};

use crate::code::Place;
use crate::describe;
use crate::memory::Memory;
use crate::state::{State, Status, Thread, ThreadId};
use crate::step::{LOCK_BYTES, Readiness, Vm};
use raddle_ir::text::FindLocation;

/// A deadlock: every thread that lives waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// The threads that wait, in order.
    pub waiters: Vec<Waiter>,
    /// Threads of which each waits for the next, and the last for the first; empty if there are none.
    pub cycle: Vec<ThreadId>,
}

/// A thread that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiter {
    /// Who.
    pub thread: ThreadId,
    /// What people call it.
    pub name: String,
    /// What for.
    pub waits_for: WaitsFor,
    /// Where its activations stand, the innermost first.
    pub stack: Vec<Place>,
    /// Where the program itself stands: the innermost place that is not in a model.
    pub user: Place,
    /// The API function that it called there, if it did.
    pub api: Option<String>,
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    /// A lock.
    Lock {
        /// Its name.
        name: String,
        /// Who has it, and what people call that thread.
        holder: Option<(ThreadId, String)>,
        /// Whether the holder has ended.
        holder_ended: bool,
    },
    /// The end of a thread.
    Join {
        /// Which, and what people call it; `None` when no such thread was ever started.
        thread: Option<(ThreadId, String)>,
    },
    /// A condition that others must make true.
    Condition,
}

/// The deadlock in a state, if it is one.
#[must_use]
pub fn find(vm: &Vm<'_>, state: &State) -> Option<Deadlock> {
    if state.exit.is_some() || state.threads.iter().any(|thread| thread.status == Status::Stopped) {
        return None;
    }
    if vm.flushes(state).next().is_some() {
        return None;
    }
    let mut waiters = Vec::new();
    for id in 0..u32::try_from(state.threads.len()).unwrap_or(u32::MAX) {
        match vm.readiness(state, id) {
            Readiness::Ready | Readiness::Perhaps => return None,
            Readiness::Waiting => waiters.push(waiter(vm, state, id)),
            Readiness::Over => {}
        }
    }
    if waiters.is_empty() {
        return None;
    }
    let cycle = cycle(&waiters);
    Some(Deadlock { waiters, cycle })
}

fn waiter(vm: &Vm<'_>, state: &State, id: ThreadId) -> Waiter {
    let program = vm.program();
    // The instruction that waits may be inside an atomic block, whose effects nobody sees: it is looked at there.
    let inside = vm.waiting_state(state, id);
    let thread = &inside.threads[id as usize];
    let stack = thread.stack();
    let is_user = |place: &&Place| !program.functions[place.function].model;
    let depth = stack.iter().position(|place| is_user(&place)).unwrap_or(0);
    let waits_for = match vm.stands_at(&inside, id) {
        Some((_, kind)) => waits_for(vm, &inside.memory, thread, kind, state),
        None => WaitsFor::Condition,
    };
    Waiter {
        thread: id,
        name: describe::thread(program, state, id),
        waits_for,
        user: stack[depth],
        api: depth.checked_sub(1).map(|inner| describe::function(program, stack[inner].function).to_owned()),
        stack,
    }
}

fn waits_for(vm: &Vm<'_>, memory: &Memory, thread: &Thread, kind: &InstKind, state: &State) -> WaitsFor {
    let program = vm.program();
    let named = |id: ThreadId| (id, describe::thread(program, state, id));
    if let InstKind::Lock { lock } = kind {
        let pointer = vm.operand(memory, thread, *lock);
        let Ok(spot) = memory.resolve(pointer, LOCK_BYTES) else { return WaitsFor::Condition };
        let word = memory.read(spot, LOCK_BYTES).value.bits;
        let holder = word.checked_sub(1).and_then(|holder| u32::try_from(holder).ok());
        let holder = holder.filter(|&holder| (holder as usize) < state.threads.len());
        let ended = holder.is_some_and(|id| state.threads[id as usize].status != Status::Running);
        return WaitsFor::Lock {
            name: describe::lock(program, memory, spot),
            holder: holder.map(named),
            holder_ended: ended,
        };
    }
    if let InstKind::Join { thread: target, .. } = kind {
        let target = u32::try_from(vm.operand(memory, thread, *target).bits).ok();
        let target = target.filter(|&target| (target as usize) < state.threads.len());
        return WaitsFor::Join { thread: target.map(named) };
    }
    WaitsFor::Condition
}

impl Waiter {
    /// The one thread that could help, if one is known.
    #[must_use]
    pub fn helper(&self) -> Option<ThreadId> {
        match &self.waits_for {
            WaitsFor::Lock { holder, .. } => holder.as_ref().map(|holder| holder.0),
            WaitsFor::Join { thread } => thread.as_ref().map(|thread| thread.0),
            WaitsFor::Condition => None,
        }
    }
}

/// Each waiter has at most one helper, so following them ends in a cycle or nowhere.
fn cycle(waiters: &[Waiter]) -> Vec<ThreadId> {
    let next = |id: ThreadId| waiters.iter().find(|waiter| waiter.thread == id).and_then(Waiter::helper);
    for start in waiters {
        let mut path = vec![start.thread];
        let mut current = start.thread;
        while let Some(helper) = next(current) {
            if helper == start.thread {
                return path;
            }
            if path.contains(&helper) {
                break;
            }
            path.push(helper);
            current = helper;
        }
    }
    Vec::new()
}

impl Deadlock {
    /// The picture as text: one line a thread.
    #[must_use]
    pub fn text(&self, program: &Program, find: Option<FindLocation<'_>>) -> String {
        let mut text = "deadlock: no thread is enabled\n".to_owned();
        let width = self.waiters.iter().map(|waiter| waiter.name.chars().count()).max().unwrap_or(0);
        for waiter in &self.waiters {
            let place = find.and_then(|find| find(waiter.user.span(program)));
            let place = place.map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
            let api = waiter.api.as_ref().map_or_else(String::new, |api| format!(" in {api}"));
            let _ =
                writeln!(text, "  {:width$}  waits{api}{place} for {}", waiter.name, waiter.waits_for.text());
        }
        if !self.cycle.is_empty() {
            let name = |id: ThreadId| {
                self.waiters.iter().find(|waiter| waiter.thread == id).map_or("?", |waiter| &waiter.name)
            };
            let names: Vec<&str> =
                self.cycle.iter().chain(self.cycle.first()).map(|&thread| name(thread)).collect();
            let _ = writeln!(text, "  each waits for the next: {}", names.join(" -> "));
        }
        text
    }
}

impl WaitsFor {
    /// In words.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Lock { name, holder: Some((_, holder)), holder_ended: false } => {
                format!("lock `{name}`, which {holder} holds")
            }
            Self::Lock { name, holder: Some((_, holder)), holder_ended: true } => {
                format!("lock `{name}`, which {holder} held when it ended")
            }
            Self::Lock { name, holder: None, .. } => format!("lock `{name}`"),
            Self::Join { thread: Some((_, name)) } => format!("{name} to end"),
            Self::Join { thread: None } => "a thread that was never started".to_owned(),
            Self::Condition => "a condition that nobody will make true".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::{Fixed, parse};
    use crate::run::{Options, Outcome, run};
    use crate::{Unwatched, ZeroInputs};

    fn outcome(text: &str, schedule: &[ThreadId]) -> Outcome {
        let program = parse(text);
        let vm = Vm::new(&program);
        let mut scheduler = Fixed::new(schedule);
        run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched).outcome
    }

    fn two_locks(first: &str, second: &str) -> String {
        format!(
            r#"program pointer_bits 64 entry f0
            global g0 "a" size 4 align 4 {{}}
            global g1 "b" size 4 align 4 {{}}
            function f0 "main" () {{
              registers r0: i32, r1: i32
            b0:
              r0 = fork @left(null)
              r1 = fork @right(null)
              join r0
              join r1
              exit_process i32 0
            }}
            function f1 "left" (r0) -> ptr {{ registers r0: ptr b0: {first} return null }}
            function f2 "right" (r0) -> ptr {{ registers r0: ptr b0: {second} return null }}"#
        )
    }

    #[test]
    fn a_cycle_of_locks_is_a_deadlock_with_its_picture() {
        let text = two_locks(
            "lock [@a] lock [@b] unlock [@b] unlock [@a]",
            "lock [@b] lock [@a] unlock [@a] unlock [@b]",
        );
        let Outcome::Deadlock(deadlock) = outcome(&text, &[0, 0, 1, 2]) else { panic!("no deadlock") };
        assert_eq!(deadlock.cycle, [1, 2]);
        assert_eq!(
            deadlock.text(&parse(&text), None),
            "deadlock: no thread is enabled\n\
             \u{20} main      waits for T1 left to end\n\
             \u{20} T1 left   waits for lock `b`, which T2 right holds\n\
             \u{20} T2 right  waits for lock `a`, which T1 left holds\n\
             \u{20} each waits for the next: T1 left -> T2 right -> T1 left\n"
        );
        assert_eq!(outcome(&text, &[0, 0, 1, 1, 1, 1, 2, 2, 2, 2]), Outcome::Exited(crate::Exit::Status(0)));
    }

    #[test]
    fn a_lock_that_an_ended_thread_holds_is_never_granted() {
        let text = two_locks("lock [@a]", "lock [@a] unlock [@a]");
        let Outcome::Deadlock(deadlock) = outcome(&text, &[0, 0, 1]) else { panic!("no deadlock") };
        assert!(deadlock.cycle.is_empty());
        assert_eq!(deadlock.waiters[1].waits_for.text(), "lock `a`, which T1 left held when it ended");
    }

    #[test]
    fn a_lock_inside_an_atomic_section_is_seen_through_it() {
        let text = two_locks("lock [@a]", "atomic_begin store i32 [@b], i32 1 lock [@a] atomic_end");
        let Outcome::Deadlock(deadlock) = outcome(&text, &[0, 0, 1]) else { panic!("no deadlock") };
        assert_eq!(deadlock.waiters[1].waits_for.text(), "lock `a`, which T1 left held when it ended");
    }

    #[test]
    fn an_assumption_silences_deadlocks_and_exit_ends_everything() {
        assert_eq!(outcome(&two_locks("assume false", "lock [@a]"), &[0, 0, 2]), Outcome::Stopped);
        let exits = two_locks("lock [@a]", "lock [@a]").replace("join r0\n", "exit_process i32 3 b1:\n");
        assert_eq!(outcome(&exits, &[0, 0, 1, 0]), Outcome::Exited(crate::Exit::Status(3)));
    }

    #[test]
    fn an_unknown_thread_and_a_false_condition_are_waited_for_for_ever() {
        let text = two_locks("wait_until false", "").replace("join r1", "join i32 9");
        let Outcome::Deadlock(deadlock) = outcome(&text, &[0, 0]) else { panic!("no deadlock") };
        assert_eq!(deadlock.waiters[1].waits_for, WaitsFor::Condition);
        assert_eq!(deadlock.waiters[0].waits_for.text(), "T1 left to end");
        let text = text.replace("wait_until false", "");
        let Outcome::Deadlock(deadlock) = outcome(&text, &[0, 0, 0]) else { panic!("no deadlock") };
        assert_eq!(deadlock.waiters[0].waits_for.text(), "a thread that was never started");
    }
}
