//! An execution told to people: who did what, in which order, and how it ended.
//!
//! A [`Story`] is plain data that is read from a [`Recording`]; nothing is executed for it. `render` makes text of it. Told are
//! accesses to memory that several threads can reach, synchronisation, and inputs. What the models of API functions do inside is
//! not: their steps are shown as the call, at the program's own line.

use raddle_base::Span;
use raddle_ir::text::FindLocation;
use raddle_ir::{FunctionId, Program, Type};
use serde::{Deserialize, Serialize};

use crate::code::Place;
use crate::describe;
use crate::memory::Spot;
use crate::observe::{Action, InputReason};
use crate::recording::{Entry, Moment, Recorded, Recording};
use crate::run::{Outcome, ReplayedTrace};
use crate::state::{State, ThreadId};
use crate::value::{Value, width};
use crate::violation::Violation;

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

impl Story {
    /// The story of a violation, read from its recording. `find` knows where things stand in the source.
    #[must_use]
    pub fn of(program: &Program, replayed: &ReplayedTrace, find: FindLocation<'_>) -> Self {
        write_story(program, replayed.recording(), (replayed.outcome(), replayed.state()), find)
    }
}

/// The story of a run that ended so, read from its recording.
fn write_story(
    program: &Program,
    recording: &Recording,
    (outcome, state): (&Outcome, &State),
    find: FindLocation<'_>,
) -> Story {
    let mut writer = StoryWriter { program, find, rows: Vec::new(), locks: Vec::new(), blocks: Vec::new() };
    let mut step = 0;
    for entry in recording.entries() {
        if entry.step() != step {
            step = entry.step();
            writer.blocks.clear();
        }
        match entry {
            Entry::Event(recorded) => {
                writer.event(recorded, &recording.at(recorded), recording.pointer_bits())
            }
            Entry::Output { step, bytes } => writer.output(*step, bytes),
        }
    }
    writer.finish(outcome, state)
}

/// Reads a recording to tell it.
struct StoryWriter<'p, 'f> {
    program: &'p Program,
    find: FindLocation<'f>,
    rows: Vec<Told>,
    /// The locks that each thread holds, by name.
    locks: Vec<(ThreadId, Spot, String)>,
    /// The atomic blocks that the running thread is in: whether each is a model's.
    blocks: Vec<bool>,
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

impl StoryWriter<'_, '_> {
    fn note(&mut self, recorded: &Recorded, deed: Option<Deed>) {
        let Recorded { step, event, .. } = recorded;
        let goes_on = self.rows.last().is_some_and(|row| {
            row.step == *step
                && row.thread == event.thread
                && row.api == event.api
                && (row.user == event.user || self.line(row.user) == self.line(event.user))
        });
        if !goes_on {
            self.rows.push(Told {
                step: *step,
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

    /// Whether an access is told: it is not an inner matter of a model.
    fn is_told(&self) -> bool {
        !self.blocks.contains(&true)
    }

    fn access(&mut self, recorded: &Recorded, moment: &Moment<'_>, pointer_bits: u8) {
        if !self.is_told() {
            return;
        }
        let program = self.program;
        let name = |spot| describe::spot(program, moment, spot);
        let shown = |spot, value, ty| {
            let style = describe::style(program, moment, spot);
            describe::value(program, moment, value, width(ty, pointer_bits), style)
        };
        let from = recorded.reads_from;
        let deed = match recorded.event.action {
            Action::Read { spot, ty, value, .. } => {
                Deed::Read { name: name(spot), value: shown(spot, value, ty), from }
            }
            Action::Write { spot, ty, value, .. } => {
                Deed::Write { name: name(spot), value: shown(spot, value, ty) }
            }
            Action::Delay { spot, ty, value, .. } => {
                Deed::Delay { name: name(spot), value: shown(spot, value, ty) }
            }
            Action::Flush { spot, ty, value, .. } => {
                Deed::Visible { name: name(spot), value: shown(spot, value, ty) }
            }
            Action::Update { spot, ty, old, new, .. } => Deed::Update {
                name: name(spot),
                old: shown(spot, old, ty),
                from,
                new: new.map(|new| shown(spot, new, ty)),
            },
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
            | Action::End(_) => return,
        };
        self.note(recorded, Some(deed));
    }

    fn input(
        &mut self,
        recorded: &Recorded,
        moment: &Moment<'_>,
        pointer_bits: u8,
        (reason, value, ty): (InputReason, Value, Type),
    ) {
        let bits = width(ty, pointer_bits);
        let (name, style) = match reason {
            InputReason::Address(_) if value.bits == 0 => return,
            InputReason::Address(_) => {
                let value = "one that was freed".to_owned();
                self.note(recorded, Some(Deed::Input { name: "address".to_owned(), value }));
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
                format!("uninitialised {}", describe::spot(self.program, moment, spot)),
                describe::style(self.program, moment, spot),
            ),
            InputReason::External => ("result of a function".to_owned(), None),
        };
        let value = describe::value(self.program, moment, value, bits, style);
        self.note(recorded, Some(Deed::Input { name, value }));
    }

    /// The story of the run that was recorded.
    fn finish(self, outcome: &Outcome, state: &State) -> Story {
        let threads: Vec<String> = (0..state.threads.len())
            .map(|id| describe::thread(self.program, state, u32::try_from(id).unwrap_or(u32::MAX)))
            .collect();
        let ending = self.ending(outcome, state);
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

    fn ending(&self, outcome: &Outcome, state: &State) -> Ending {
        let mut ending = Ending { summary: summary(outcome), ..Ending::default() };
        for &(thread, _, ref name) in &self.locks {
            match ending.locks.iter_mut().find(|held| held.0 == thread) {
                Some(held) => held.1.push(name.clone()),
                None => ending.locks.push((thread, vec![name.clone()])),
            }
        }
        ending.locks.sort_by_key(|held| held.0);
        ending.property = outcome.property().map(|property| property.name().to_owned());
        if let Outcome::Violated(violation) = outcome {
            self.violation(violation, state, &mut ending);
        }
        if let Outcome::Deadlock(deadlock) = outcome {
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
        Outcome::Deadlock(_) => "deadlock: no thread is enabled".to_owned(),
        Outcome::Unsupported { what, .. } => format!("not supported: {what}"),
        Outcome::StepLimit => "the run was as long as it may be".to_owned(),
        Outcome::Stopped => "no thread is enabled: an assumption ended a thread".to_owned(),
        Outcome::Halted => "the schedule ends here".to_owned(),
        Outcome::Exhausted(exhausted) => exhausted.to_string(),
    }
}

fn place_text(find: FindLocation<'_>, span: Span) -> Option<String> {
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

impl StoryWriter<'_, '_> {
    fn event(&mut self, recorded: &Recorded, moment: &Moment<'_>, pointer_bits: u8) {
        let event = &recorded.event;
        match event.action {
            Action::Read { .. }
            | Action::Write { .. }
            | Action::Delay { .. }
            | Action::Flush { .. }
            | Action::Update { .. } => self.access(recorded, moment, pointer_bits),
            Action::Lock(spot) => {
                let name = describe::lock(self.program, moment, spot);
                self.locks.push((event.thread, spot, name.clone()));
                self.note(recorded, Some(Deed::Lock(name)));
            }
            Action::Unlock(spot) => {
                let name = describe::lock(self.program, moment, spot);
                self.locks.retain(|lock| lock.1 != spot);
                self.note(recorded, Some(Deed::Unlock(name)));
            }
            Action::Fork(child) => self.note(recorded, Some(Deed::Start(child))),
            Action::Join(joined) => self.note(recorded, Some(Deed::Join(joined))),
            Action::Free(Some(_)) => self.note(recorded, Some(Deed::Free)),
            Action::Ended(origin) => {
                let name = describe::ended(self.program, moment, origin);
                self.note(recorded, Some(Deed::EndOfLife(name)));
            }
            Action::AtomicBegin => {
                let is_model = self.program.functions[event.place.function].model;
                self.blocks.push(is_model);
                // The call is shown even when nothing in it is told.
                if is_model {
                    self.note(recorded, None);
                }
            }
            Action::AtomicEnd => {
                self.blocks.pop();
            }
            Action::Input(reason, value, ty) => {
                self.input(recorded, moment, pointer_bits, (reason, value, ty))
            }
            Action::End(_) => self.blocks.clear(),
            Action::Fence(_)
            | Action::Wait
            | Action::Alloc(_)
            | Action::Free(None)
            | Action::EndLife
            | Action::Query => {}
        }
    }

    fn output(&mut self, step: u64, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes).into_owned();
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
