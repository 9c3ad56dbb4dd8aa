//! An execution told to people: who did what, in which order, and how it ended.
//!
//! A [`StoryTeller`] watches a run and makes a [`Story`], which is plain data; `render` makes text of it. Told are accesses to
//! memory that several threads can reach, synchronisation, and inputs. What the models of API functions do inside is not: their
//! steps are shown as the call, at the program's own line.

use raddle_base::Span;
use raddle_ir::text::FindPlace;
use raddle_ir::{FunctionId, Program, Type};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::code::Place;
use crate::describe;
use crate::memory::{Memory, Spot};
use crate::observe::{Action, Event, InputReason, Observer, Stream, Violation};
use crate::run::{Options, Outcome, ReplayError, RunResult, follow};
use crate::state::{State, ThreadId};
use crate::step::{Machine, bytes};
use crate::trace::Trace;
use crate::value::{Origin, Value, width};

mod fold;
mod render;

/// An execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// The names of the threads, by number.
    pub threads: Vec<String>,
    /// What happened, in order.
    pub rows: Vec<Row>,
    /// How it ended.
    pub ending: Ending,
}

/// What one thread did at one place in one step. A step with deeds in several places has several rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The step; 0 is what happens before the first choice.
    pub step: u64,
    /// How many equal rows in a row this one stands for.
    pub times: u64,
    /// Who.
    pub thread: ThreadId,
    /// Where in the source, as `file:line`.
    pub place: Option<String>,
    /// What stands there, see [`Story::with_source`].
    pub source: Option<String>,
    /// The API function that was called there.
    pub api: Option<String>,
    /// What.
    pub deeds: Vec<Deed>,
}

/// Something a thread did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// Read a place.
    Read {
        /// Its name.
        name: String,
        /// What it held.
        value: String,
        /// The step that wrote it; none: it is the first value.
        from: Option<u64>,
    },
    /// Wrote a place.
    Write {
        /// Its name.
        name: String,
        /// What it holds now.
        value: String,
    },
    /// Made a store that others do not see yet.
    Delay {
        /// The place's name.
        name: String,
        /// What it will hold.
        value: String,
    },
    /// A store that the thread made before became visible to others.
    Visible {
        /// The place's name.
        name: String,
        /// What it holds now.
        value: String,
    },
    /// Read and wrote a place in one step; a failed compare-exchange wrote nothing.
    Update {
        /// Its name.
        name: String,
        /// What it held.
        old: String,
        /// The step that wrote that; none: it is the first value.
        from: Option<u64>,
        /// What it holds now.
        new: Option<String>,
    },
    /// Took a lock.
    Lock(String),
    /// Released a lock.
    Unlock(String),
    /// Started a thread.
    Start(ThreadId),
    /// Saw a thread's end.
    Join(ThreadId),
    /// Freed a heap object.
    Free,
    /// Ended the life of a local or thread-local object that others could reach, by name.
    EndOfLife(String),
    /// Took a value from outside.
    Input {
        /// Its name.
        name: String,
        /// The value.
        value: String,
    },
    /// Printed something.
    Output(String),
    /// Did things that are left out here, see [`Story::folded`].
    LeftOut {
        /// So many rows.
        rows: u64,
    },
}

/// How an execution ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// In one line.
    pub summary: String,
    /// The property that was broken.
    pub property: Option<String>,
    /// Who broke it.
    pub thread: Option<ThreadId>,
    /// The calls that led there, the innermost first.
    pub stack: Vec<Call>,
    /// Variables of the innermost function of the program, by name.
    pub values: Vec<(String, String)>,
    /// The locks that each thread held then, by name; threads without are left out.
    pub locks: Vec<(ThreadId, Vec<String>)>,
    /// More to know, one line each: the accesses of a race, who waits for what.
    pub details: Vec<String>,
}

/// A place in the source and the function it is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The function.
    pub function: String,
    /// `file:line`, if it is known.
    pub place: Option<String>,
}

/// Replays a trace and tells it.
pub fn tell(
    machine: &Machine<'_>,
    trace: &Trace,
    options: &Options<'_>,
    find: FindPlace<'_>,
) -> Result<Story, ReplayError> {
    let mut teller = StoryTeller::new(machine.program(), find);
    let property = trace.property.as_deref().and_then(raddle_ir::Property::from_word);
    let result = match property {
        Some(property) => follow(&machine.only(property), trace, options, &mut teller)?,
        None => follow(machine, trace, options, &mut teller)?,
    };
    Ok(teller.finish(&result))
}

/// Watches a run to tell it.
pub struct StoryTeller<'p, 'f> {
    program: &'p Program,
    find: FindPlace<'f>,
    rows: Vec<Told>,
    step: u64,
    /// Where the current step's rows begin.
    step_begin: usize,
    /// The step that last wrote each byte.
    writers: FxHashMap<(Origin, u32), u64>,
    /// The delayed stores, in the order they were made.
    delayed: Vec<Delayed>,
    /// The locks that each thread holds, by name.
    locks: Vec<(ThreadId, Spot, String)>,
    /// The atomic sections that the running thread is in: whether each is a model's.
    sections: Vec<bool>,
    /// What [`Observer::undone`] brings back: who wrote the bytes that this step wrote, and the locks before it.
    written_before: Vec<((Origin, u32), Option<u64>)>,
    locks_before: Vec<(ThreadId, Spot, String)>,
}

impl std::fmt::Debug for StoryTeller<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoryTeller").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// A delayed store: who made it as which operation, where, and in which step.
#[derive(Clone, Copy, Debug)]
struct Delayed {
    thread: ThreadId,
    operation: u64,
    spot: Spot,
    size: u64,
    step: u64,
}

/// A row whose place is not yet looked up.
#[derive(Clone, Debug)]
struct Told {
    step: u64,
    thread: ThreadId,
    user: Place,
    api: Option<FunctionId>,
    deeds: Vec<Deed>,
}

impl<'p, 'f> StoryTeller<'p, 'f> {
    /// Tells a run of a program; `find` knows where things stand in the source.
    #[must_use]
    pub fn new(program: &'p Program, find: FindPlace<'f>) -> Self {
        Self {
            program,
            find,
            rows: Vec::new(),
            step: 0,
            step_begin: 0,
            writers: FxHashMap::default(),
            delayed: Vec::new(),
            locks: Vec::new(),
            sections: Vec::new(),
            written_before: Vec::new(),
            locks_before: Vec::new(),
        }
    }

    fn note(&mut self, event: &Event, deed: Option<Deed>) {
        let goes_on = self.rows.last().is_some_and(|row| {
            row.step == self.step
                && row.thread == event.thread
                && row.api == event.api
                && (row.user == event.user || self.line(row.user) == self.line(event.user))
        });
        if !goes_on {
            self.rows.push(Told {
                step: self.step,
                thread: event.thread,
                user: event.user,
                api: event.api,
                deeds: Vec::new(),
            });
        }
        if let Some(row) = self.rows.last_mut() {
            row.deeds.extend(deed);
        }
    }

    fn line(&self, place: Place) -> Option<String> {
        place_text(self.find, place.span(self.program))
    }

    /// Whether an access is told: others can reach the place, and it is not an inner matter of a model.
    fn is_told(&self, memory: &Memory, spot: Spot) -> bool {
        !self.sections.contains(&true)
            && memory.object(spot.origin).is_some_and(|object| object.shared && !object.read_only)
    }

    fn name(&self, memory: &Memory, spot: Spot) -> String {
        describe::spot(self.program, memory, spot)
    }

    fn value(&self, memory: &Memory, spot: Spot, value: Value, ty: Type) -> String {
        let style = describe::style(self.program, memory, spot);
        describe::value(self.program, memory, value, width(ty, memory.pointer_bits()), style)
    }

    /// The latest step that wrote any of the bytes, as a thread sees them: its own delayed stores hide what others wrote.
    fn writer(&self, thread: ThreadId, spot: Spot, size: u64) -> Option<u64> {
        let bytes = (0..u32::try_from(size).unwrap_or(0)).map(|byte| spot.offset + byte);
        let writer = |byte: u32| {
            let holds = |delayed: &&Delayed| {
                let end = u64::from(delayed.spot.offset) + delayed.size;
                delayed.thread == thread
                    && delayed.spot.origin == spot.origin
                    && (u64::from(delayed.spot.offset)..end).contains(&byte.into())
            };
            let own = self.delayed.iter().rev().find(holds).map(|delayed| delayed.step);
            own.or_else(|| self.writers.get(&(spot.origin, byte)).copied())
        };
        bytes.filter_map(writer).max()
    }

    fn written(&mut self, spot: Spot, size: u64) {
        for byte in 0..u32::try_from(size).unwrap_or(0) {
            let key = (spot.origin, spot.offset + byte);
            let before = self.writers.insert(key, self.step);
            self.written_before.push((key, before));
        }
    }

    fn access(&mut self, event: &Event, memory: &Memory) {
        let size = |ty| bytes(ty, memory.pointer_bits());
        match event.action {
            Action::Read { spot, ty, value, .. } => {
                if self.is_told(memory, spot) {
                    let value = self.value(memory, spot, value, ty);
                    let from = self.writer(event.thread, spot, size(ty));
                    self.note(event, Some(Deed::Read { name: self.name(memory, spot), value, from }));
                }
            }
            Action::Write { spot, ty, value, .. } => {
                if self.is_told(memory, spot) {
                    let value = self.value(memory, spot, value, ty);
                    self.note(event, Some(Deed::Write { name: self.name(memory, spot), value }));
                }
                self.written(spot, size(ty));
            }
            Action::Delay { operation, spot, ty, value, .. } => {
                if self.is_told(memory, spot) {
                    let value = self.value(memory, spot, value, ty);
                    self.note(event, Some(Deed::Delay { name: self.name(memory, spot), value }));
                }
                let (thread, step) = (event.thread, self.step);
                self.delayed.push(Delayed { thread, operation, spot, size: size(ty), step });
            }
            Action::Flush { operation, spot, ty, value, .. } => {
                if self.is_told(memory, spot) {
                    let value = self.value(memory, spot, value, ty);
                    self.note(event, Some(Deed::Visible { name: self.name(memory, spot), value }));
                }
                self.delayed
                    .retain(|delayed| (delayed.thread, delayed.operation) != (event.thread, operation));
                self.written(spot, size(ty));
            }
            Action::Update { spot, ty, old, new, .. } => {
                if self.is_told(memory, spot) {
                    let shown = |value| self.value(memory, spot, value, ty);
                    let deed = Deed::Update {
                        name: self.name(memory, spot),
                        old: shown(old),
                        from: self.writer(event.thread, spot, size(ty)),
                        new: new.map(shown),
                    };
                    self.note(event, Some(deed));
                }
                if new.is_some() {
                    self.written(spot, size(ty));
                }
            }
            Action::Fence(_)
            | Action::Wait
            | Action::Lock(_)
            | Action::Unlock(_)
            | Action::Fork(_)
            | Action::Join(_)
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Alloc(_)
            | Action::Free(_)
            | Action::EndLife
            | Action::Ended(_)
            | Action::Query
            | Action::Input(..)
            | Action::End(_) => {}
        }
    }

    fn input(&mut self, event: &Event, memory: &Memory, reason: InputReason, value: Value, ty: Type) {
        let bits = width(ty, memory.pointer_bits());
        let (name, style) = match reason {
            InputReason::Address(_) if value.bits == 0 => return,
            InputReason::Address(_) => {
                let value = "one that was freed".to_owned();
                self.note(event, Some(Deed::Input { name: "address".to_owned(), value }));
                return;
            }
            InputReason::Havoc(site) => {
                let havoc = &self.program.havocs[site];
                let style = match ty {
                    Type::Int(1) => raddle_ir::ScalarStyle::Bool,
                    Type::F32 | Type::F64 => raddle_ir::ScalarStyle::Float,
                    Type::Ptr => raddle_ir::ScalarStyle::Pointer,
                    Type::Int(_) if havoc.signed => raddle_ir::ScalarStyle::Signed,
                    Type::Int(_) => raddle_ir::ScalarStyle::Unsigned,
                };
                (havoc.name.clone(), Some(style))
            }
            InputReason::Uninitialised(spot) => (
                format!("uninitialised {}", self.name(memory, spot)),
                describe::style(self.program, memory, spot),
            ),
            InputReason::External => ("result of a function".to_owned(), None),
        };
        let value = describe::value(self.program, memory, value, bits, style);
        self.note(event, Some(Deed::Input { name, value }));
    }

    /// The story of the run that was watched.
    #[must_use]
    pub fn finish(self, result: &RunResult) -> Story {
        let threads: Vec<String> = (0..result.state.threads.len())
            .map(|id| describe::thread(self.program, &result.state, u32::try_from(id).unwrap_or(u32::MAX)))
            .collect();
        let ending = self.ending(result);
        let mut rows: Vec<Row> = Vec::new();
        for told in &self.rows {
            let row = Row {
                step: told.step,
                times: 1,
                thread: told.thread,
                place: self.line(told.user),
                source: None,
                api: told.api.map(|api| describe::function(self.program, api).to_owned()),
                deeds: told.deeds.clone(),
            };
            match rows.last_mut() {
                Some(last) if last.repeats(&row) => last.times += 1,
                _ => rows.push(row),
            }
        }
        Story { threads, rows, ending }
    }

    fn ending(&self, result: &RunResult) -> Ending {
        let mut ending = Ending { summary: summary(&result.outcome), ..Ending::default() };
        for &(thread, _, ref name) in &self.locks {
            match ending.locks.iter_mut().find(|held| held.0 == thread) {
                Some(held) => held.1.push(name.clone()),
                None => ending.locks.push((thread, vec![name.clone()])),
            }
        }
        ending.locks.sort_by_key(|held| held.0);
        ending.property = result.outcome.property().map(|property| property.name().to_owned());
        if let Outcome::Violated(violation) = &result.outcome {
            self.violation(violation, &result.state, &mut ending);
        }
        if let Outcome::Deadlock(deadlock) = &result.outcome {
            let text = deadlock.text(self.program, Some(self.find));
            ending.details.extend(text.lines().skip(1).map(|line| line.trim_start().to_owned()));
        }
        ending
    }

    fn violation(&self, violation: &Violation, state: &State, ending: &mut Ending) {
        ending.thread = Some(violation.thread);
        ending.stack = violation
            .stack
            .iter()
            .map(|place| Call {
                function: describe::function(self.program, place.function).to_owned(),
                place: self.line(*place),
            })
            .collect();
        if let Some(race) = &violation.race {
            for access in [&race.first, &race.second] {
                let place = self.line(access.user).map_or_else(String::new, |place| format!(" at {place}"));
                ending.details.push(format!(
                    "{}{} of {} by {}{place}",
                    if access.atomic { "atomic " } else { "" },
                    access.kind.word(),
                    race.name,
                    describe::thread(self.program, state, access.thread),
                ));
            }
            return;
        }
        ending.values = values(self.program, state, violation.thread);
    }
}

/// The named registers of the innermost activation that is the program's own.
fn values(program: &Program, state: &State, thread: ThreadId) -> Vec<(String, String)> {
    let Some(thread) = state.threads.get(thread as usize) else { return Vec::new() };
    let user = thread.frames.iter().rev().find(|frame| !program.functions[frame.function].model);
    let Some(frame) = user else { return Vec::new() };
    let mut values: Vec<(String, String)> = Vec::new();
    for ((_, register), offset) in program.functions[frame.function].registers.iter().zip(0..) {
        let Some(name) = &register.name else { continue };
        let value = thread.registers[frame.base as usize + offset];
        let style = match register.ty {
            Type::Int(1) => raddle_ir::ScalarStyle::Bool,
            Type::Int(_) => raddle_ir::ScalarStyle::Signed,
            Type::F32 | Type::F64 => raddle_ir::ScalarStyle::Float,
            Type::Ptr => raddle_ir::ScalarStyle::Pointer,
        };
        let bits = width(register.ty, program.pointer_bits);
        let shown = describe::value(program, &state.memory, value, bits, Some(style));
        values.push((name.clone(), shown));
    }
    // Of several variables of one name, only those that agree can be told without saying which is meant.
    let all = values.clone();
    values.retain(|(name, value)| all.iter().all(|(other, shown)| other != name || shown == value));
    values.dedup();
    values
}

fn summary(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Exited(crate::Exit::Status(status)) => format!("the process ends with status {status}"),
        Outcome::Exited(crate::Exit::Abort) => "the process aborts".to_owned(),
        Outcome::Violated(violation) if violation.race.is_some() => violation.message.clone(),
        Outcome::Violated(violation) => {
            let (name, message) = (violation.property.name(), &violation.message);
            // The message of an assertion says what it is about.
            if message.starts_with(name) { message.clone() } else { format!("{name}: {message}") }
        }
        Outcome::Deadlock(_) => "deadlock: no thread can go on".to_owned(),
        Outcome::Unsupported { what, .. } => format!("not supported: {what}"),
        Outcome::StepLimit => "the run was as long as it may be".to_owned(),
        Outcome::Stopped => "nobody goes on: an assumption ended a thread".to_owned(),
        Outcome::Halted => "the schedule ends here".to_owned(),
        Outcome::Exhausted(exhausted) => exhausted.to_string(),
    }
}

fn place_text(find: FindPlace<'_>, span: Span) -> Option<String> {
    find(span).map(|at| format!("{}:{}", at.file, at.line))
}

impl Story {
    /// The same story with the lines of the source that its rows stand for, as far as `source` knows them.
    #[must_use]
    pub fn with_source(mut self, source: &dyn Fn(&str, u32) -> Option<String>) -> Self {
        for row in &mut self.rows {
            row.source = row.place.as_deref().and_then(|place| {
                let (file, line) = place.rsplit_once(':')?;
                let text = source(file, line.parse().ok()?)?;
                let words: Vec<&str> = text.split_whitespace().collect();
                (!words.is_empty()).then(|| words.join(" "))
            });
        }
        self
    }
}

impl Row {
    /// Whether another row, next to this one, says nothing new.
    fn repeats(&self, next: &Self) -> bool {
        let fresh = |deed: &Deed| match deed {
            Deed::Read { .. } | Deed::Update { new: None, .. } => false,
            Deed::Write { .. }
            | Deed::Delay { .. }
            | Deed::Visible { .. }
            | Deed::Update { .. }
            | Deed::Lock(_)
            | Deed::Unlock(_)
            | Deed::Start(_)
            | Deed::Join(_)
            | Deed::Free
            | Deed::EndOfLife(_)
            | Deed::Input { .. }
            | Deed::Output(_)
            | Deed::LeftOut { .. } => true,
        };
        self.step != next.step
            && (self.thread, &self.place, &self.api, &self.deeds)
                == (next.thread, &next.place, &next.api, &next.deeds)
            && !next.deeds.iter().any(fresh)
    }
}

impl Observer for StoryTeller<'_, '_> {
    fn event(&mut self, event: &Event, memory: &Memory) {
        match event.action {
            Action::Read { .. }
            | Action::Write { .. }
            | Action::Delay { .. }
            | Action::Flush { .. }
            | Action::Update { .. } => self.access(event, memory),
            Action::Lock(spot) => {
                let name = describe::lock(self.program, memory, spot);
                self.written(spot, crate::step::LOCK_BYTES);
                self.locks.push((event.thread, spot, name.clone()));
                self.note(event, Some(Deed::Lock(name)));
            }
            Action::Unlock(spot) => {
                let name = describe::lock(self.program, memory, spot);
                self.written(spot, crate::step::LOCK_BYTES);
                self.locks.retain(|lock| lock.1 != spot);
                self.note(event, Some(Deed::Unlock(name)));
            }
            Action::Fork(child) => self.note(event, Some(Deed::Start(child))),
            Action::Join(joined) => self.note(event, Some(Deed::Join(joined))),
            Action::Free(Some(_)) => self.note(event, Some(Deed::Free)),
            Action::Ended(origin) => {
                let name = describe::ended(self.program, memory, origin);
                self.note(event, Some(Deed::EndOfLife(name)));
            }
            Action::AtomicBegin => {
                let is_model = self.program.functions[event.place.function].model;
                self.sections.push(is_model);
                // The call is shown even when nothing in it is told.
                if is_model {
                    self.note(event, None);
                }
            }
            Action::AtomicEnd => {
                self.sections.pop();
            }
            Action::Input(reason, value, ty) => self.input(event, memory, reason, value, ty),
            Action::End(_) => self.sections.clear(),
            Action::Fence(_)
            | Action::Wait
            | Action::Alloc(_)
            | Action::Free(None)
            | Action::EndLife
            | Action::Query => {}
        }
    }

    fn step(&mut self, _: ThreadId, number: u64) {
        self.step = number;
        self.step_begin = self.rows.len();
        self.sections.clear();
        self.written_before.clear();
        self.locks_before.clone_from(&self.locks);
    }

    fn undone(&mut self) {
        self.rows.truncate(self.step_begin);
        for (key, before) in self.written_before.drain(..).rev() {
            match before {
                Some(step) => self.writers.insert(key, step),
                None => self.writers.remove(&key),
            };
        }
        self.locks.clone_from(&self.locks_before);
        self.sections.clear();
    }

    fn output(&mut self, _: Stream, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let step = self.step;
        let Some(row) = self.rows.last_mut().filter(|row| row.step == step) else { return };
        if let Some(Deed::Output(known)) = row.deeds.last_mut() {
            known.push_str(&text);
        } else {
            row.deeds.push(Deed::Output(text));
        }
    }
}

#[cfg(test)]
mod tests;
