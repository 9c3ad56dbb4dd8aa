//! From a record of the sequential program to a trace of the input that the machine has replayed.
//!
//! The input runs in the machine, turn by turn: a thread makes steps until it stands where the record says that it is left,
//! and then the next one runs. Where that is can be doubtful: one statement may be several steps, an access that the passes
//! take for shared may be private in the machine, a line is passed many times. So it is a search: at each step the turn
//! may end, if what is known of its end fits, or go on. What fits is first taken narrowly (the place of the label and what the
//! globals hold), then more widely.
//!
//! Invariant: what comes out was replayed on the input. May fail to find an execution that is there; never finds one
//! that is not.
//!
//! In the sequential program the lives of local and thread-local objects do not end, and what is freed stays. So a record may go on
//! behind an access that is an error in the input, and then no execution follows it: [`Lost::MemoryError`] says so.

use raddle_base::{Budget, Span};
use raddle_ir::{Program, Property};
use raddle_sequentialize::record::{Record, Turn};
use raddle_vm::fingerprint::Fingerprints;
use raddle_vm::schedule::Scheduler;
use raddle_vm::{
    InputReason, InputRequest, Inputs, Machine, Move, Options, ReplayedTrace, State, Status, StepResult,
    ThreadId, Unwatched, deadlock, replay, run,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::observe::globals;
use super::transform::{Labels, Place};
use crate::shorten::shorten;

/// What must fit where a turn ends.
#[derive(Clone, Copy, Debug)]
struct Fit {
    place: bool,
    globals: bool,
    /// At most so many states are looked at.
    states: usize,
}

/// Tried in this order.
const FITS: [Fit; 4] = [
    Fit { place: true, globals: true, states: 100_000 },
    Fit { place: false, globals: true, states: 100_000 },
    Fit { place: true, globals: false, states: 50_000 },
    Fit { place: false, globals: false, states: 50_000 },
];

/// How often a turn may go on where it could end, tried in this order: a loop passes the same place many times, and mostly
/// one of the first is meant.
const SKIPS: [u32; 4] = [1, 4, 16, u32::MAX];

/// Why there is no execution.
#[derive(Debug)]
pub(crate) enum Lost {
    /// Executions like it end before, at this memory error.
    MemoryError(String),
    /// They come upon something that is not supported.
    Unsupported(String, Span),
    /// Something is wrong with the record, or it was not found.
    Otherwise(String),
}

/// Looks for the execution of the input that a record tells of.
pub(crate) fn find(
    program: &Program,
    property: Property,
    record: &Record,
    labels: &Labels,
    budget: &Budget,
) -> Result<ReplayedTrace, Lost> {
    let machine = Machine::checking(program, &[property]);
    let (mut memory_error, mut unsupported) = (None, None);
    for (fit, skips) in FITS.into_iter().flat_map(|fit| SKIPS.map(|skips| (fit, skips))) {
        let mut search = Search {
            machine: &machine,
            property,
            record,
            labels,
            fit,
            skips,
            budget,
            names: unique_names(program),
            fingerprints: Fingerprints::new(program),
            seen: FxHashSet::default(),
            made: Vec::new(),
            memory_error: None,
            unsupported: None,
        };
        let found = search.go();
        memory_error = memory_error.or(search.memory_error);
        unsupported = unsupported.or(search.unsupported);
        if let Some(path) = found {
            let mut scheduler = Listed { path: &path, next: 0 };
            let mut inputs = RecordInputs::new(record, program);
            let options = Options { budget: Some(budget), ..Options::default() };
            let result = run(&machine, &mut scheduler, &mut inputs, &options, &mut Unwatched);
            let replayed = replay(&machine, &result.trace, &options, &mut Unwatched)
                .map_err(|error| Lost::Otherwise(error.to_string()))?;
            return Ok(shorten(&machine, replayed, budget));
        }
        budget.check().map_err(|why| Lost::Otherwise(why.to_string()))?;
    }
    if let Some((what, span)) = unsupported {
        return Err(Lost::Unsupported(what, span));
    }
    let nowhere = || Lost::Otherwise("no execution of the input follows it".to_owned());
    Err(memory_error.map_or_else(nowhere, Lost::MemoryError))
}

/// The globals that have a name of their own.
fn unique_names(program: &Program) -> FxHashSet<String> {
    let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
    for global in program.globals.values() {
        *counts.entry(&global.name).or_default() += 1;
    }
    let names = program.globals.values().map(|global| global.name.as_str());
    names.filter(|name| counts.get(name) == Some(&1)).map(str::to_owned).collect()
}

/// A state on the way.
struct Node {
    state: State,
    turn: usize,
    /// How often the turn went on where it could have ended.
    skipped: u32,
    inputs: Taken,
    /// The step that led here, by its place in [`Search::made`].
    last: Option<usize>,
}

struct Search<'s, 'p> {
    machine: &'s Machine<'p>,
    property: Property,
    record: &'s Record,
    labels: &'s Labels,
    fit: Fit,
    /// At most so often.
    skips: u32,
    budget: &'s Budget,
    names: FxHashSet<String>,
    fingerprints: Fingerprints<'p>,
    seen: FxHashSet<(u128, usize, u32, Taken)>,
    /// Steps that were made: who, and the step before.
    made: Vec<(ThreadId, Option<usize>)>,
    /// The first memory error that ended a thread.
    memory_error: Option<String>,
    /// The first thing come upon that is not supported.
    unsupported: Option<(String, Span)>,
}

impl<'p> Search<'_, 'p> {
    /// The threads that make steps, one after the other, until the property is broken.
    fn go(&mut self) -> Option<Vec<ThreadId>> {
        let mut inputs = RecordInputs::new(self.record, self.machine.program());
        let (state, result) = self.machine.start(&mut inputs, &mut Unwatched);
        match result {
            StepResult::Done | StepResult::Blocked => {}
            StepResult::Violated(violation) => {
                return (violation.property == self.property).then(Vec::new);
            }
            StepResult::Unsupported { what, place } => {
                self.unsupported = Some((what, place.span(self.machine.program())));
                return None;
            }
        }
        if stopped(&state) > 0 {
            let mut inputs = RecordInputs::new(self.record, self.machine.program());
            let (_, result) = self.machine.only(Property::MemorySafety).start(&mut inputs, &mut Unwatched);
            self.memory_error = violation(result);
        }
        let mut open = vec![Node { state, turn: 0, skipped: 0, inputs: inputs.taken, last: None }];
        let mut looked_at = 0;
        while let Some(node) = open.pop() {
            looked_at += 1;
            if looked_at > self.fit.states || self.budget.poll().is_err() {
                return None;
            }
            let key = (self.fingerprints.of(&node.state), node.turn, node.skipped, node.inputs.clone());
            if !self.seen.insert(key) {
                continue;
            }
            let Some(turn) = self.record.turns.get(node.turn) else {
                if self.is_over(&node.state) {
                    return Some(self.path(node.last));
                }
                continue;
            };
            let fits = self.fits(&node.state, turn);
            if !fits || node.skipped < self.skips {
                match self.step(&node, self.number(turn.thread)) {
                    Made::Broken(last) => return Some(self.path(Some(last))),
                    Made::Went(next) => open.push(Node { skipped: node.skipped + u32::from(fits), ..next }),
                    Made::Nothing => {}
                }
            }
            // Looked at first.
            if fits {
                open.push(Node { turn: node.turn + 1, skipped: 0, ..node });
            }
        }
        None
    }

    /// Behind the last turn: whether nobody can go on, which is what was to be shown.
    fn is_over(&self, state: &State) -> bool {
        self.property == Property::Deadlock
            && self.machine.moves(state).is_empty()
            && deadlock::find(self.machine, state).is_some()
    }

    /// The number that the machine gives a thread.
    fn number(&self, thread: u32) -> ThreadId {
        number_in_machine(self.record, thread)
    }

    fn step(&mut self, node: &Node, thread: ThreadId) -> Made {
        if thread as usize >= node.state.threads.len() || !self.machine.is_enabled(&node.state, thread) {
            return Made::Nothing;
        }
        let mut state = node.state.clone();
        let mut inputs = RecordInputs::new(self.record, self.machine.program());
        inputs.taken.clone_from(&node.inputs);
        match self.machine.step(&mut state, thread, &mut inputs, &mut Unwatched) {
            StepResult::Done => {}
            StepResult::Violated(violation) if violation.property == self.property => {
                self.made.push((thread, node.last));
                return Made::Broken(self.made.len() - 1);
            }
            StepResult::Violated(_) | StepResult::Blocked => return Made::Nothing,
            StepResult::Unsupported { what, place } => {
                let span = place.span(self.machine.program());
                self.unsupported.get_or_insert((what, span));
                return Made::Nothing;
            }
        }
        if state.exit.is_some() {
            // Nothing happens behind the end of the process; whatever is still to happen comes before it.
            return Made::Nothing;
        }
        if self.memory_error.is_none() && stopped(&state) > stopped(&node.state) {
            self.memory_error = self.find_memory_error(node, thread);
        }
        self.made.push((thread, node.last));
        let last = Some(self.made.len() - 1);
        Made::Went(Node { state, turn: node.turn, skipped: node.skipped, inputs: inputs.taken, last })
    }

    /// The memory error that a step makes, if it does.
    fn find_memory_error(&self, node: &Node, thread: ThreadId) -> Option<String> {
        let machine = self.machine.only(Property::MemorySafety);
        let mut inputs = RecordInputs::new(self.record, self.machine.program());
        inputs.taken.clone_from(&node.inputs);
        violation(machine.step(&mut node.state.clone(), thread, &mut inputs, &mut Unwatched))
    }

    /// Whether a thread may be left here.
    fn fits(&self, state: &State, turn: &Turn) -> bool {
        if turn.leave.is_none() && turn.globals.is_empty() {
            // The last turn ends where the property is broken.
            return false;
        }
        (!self.fit.globals || self.globals_fit(state, turn))
            && (!self.fit.place || self.place_fits(state, turn))
    }

    fn place_fits(&self, state: &State, turn: &Turn) -> bool {
        let Some(place) = turn.leave.and_then(|leave| self.labels.place(turn.thread, leave)) else {
            return true;
        };
        let Some(thread) = state.threads.get(self.number(turn.thread) as usize) else { return false };
        if thread.status != Status::Running {
            return place == Place::End;
        }
        let program = self.machine.program();
        match place {
            // The main thread's end is that of the process, which must not come; others may have nothing left to do.
            Place::End => thread.place().is_some_and(|place| place.inst(program).is_none()),
            Place::Before(span) => thread.stack().iter().any(|place| overlap(place.span(program), span)),
        }
    }

    fn globals_fit(&self, state: &State, turn: &Turn) -> bool {
        if turn.globals.is_empty() {
            return true;
        }
        let program = self.machine.program();
        let here = globals(program, &state.memory);
        turn.globals.iter().filter(|global| self.names.contains(&global.name)).all(|there| {
            let Some(here) = here.iter().find(|here| here.name == there.name) else { return true };
            here.bytes.len() != there.bytes.len()
                || here.bytes.iter().zip(&there.bytes).all(|(one, other)| match (one, other) {
                    (Some(one), Some(other)) => one == other,
                    (None, _) | (_, None) => true,
                })
        })
    }

    fn path(&self, last: Option<usize>) -> Vec<ThreadId> {
        let mut path = Vec::new();
        let mut next = last;
        while let Some(step) = next {
            let (thread, before) = self.made[step];
            path.push(thread);
            next = before;
        }
        path.reverse();
        path
    }
}

/// How many threads went no further.
fn stopped(state: &State) -> usize {
    state.threads.iter().filter(|thread| thread.status == Status::Stopped).count()
}

/// What is broken, for people.
fn violation(result: StepResult) -> Option<String> {
    match result {
        StepResult::Violated(violation) => Some(violation.message),
        StepResult::Done | StepResult::Blocked | StepResult::Unsupported { .. } => None,
    }
}

/// What became of a step.
enum Made {
    /// It breaks the property.
    Broken(usize),
    /// It leads on.
    Went(Node),
    /// It cannot be made, or leads nowhere.
    Nothing,
}

fn overlap(one: Span, other: Span) -> bool {
    one != Span::NONE && other != Span::NONE && one.lo < other.hi && other.lo < one.hi
}

/// Threads are numbered in the order in which they are started; those that the record does not list, in that of their numbers.
fn number_in_machine(record: &Record, thread: u32) -> ThreadId {
    if thread == 0 {
        return 0;
    }
    let place = record.started.iter().position(|&started| started == thread);
    place.map_or(thread, |place| u32::try_from(place + 1).unwrap_or(u32::MAX))
}

/// Chooses as a path says, and stops at its end.
struct Listed<'t> {
    path: &'t [ThreadId],
    next: usize,
}

impl Scheduler for Listed<'_> {
    fn begin(&mut self) {}

    fn choose(&mut self, _: &Machine<'_>, _: &State, _: &[Move]) -> Option<Move> {
        let thread = *self.path.get(self.next)?;
        self.next += 1;
        Some(Move::Step(thread))
    }

    fn end(&mut self, _: Move, _: &[u64]) {}
}

/// Which inputs of a record were used.
type Taken = Vec<bool>;

/// Gives each thread the inputs that the record has for it: of the same place and name if there is one, else of the same place,
/// else of the same name, else one of which neither is known; else zero.
struct RecordInputs<'r> {
    record: &'r Record,
    program: &'r Program,
    taken: Taken,
}

impl<'r> RecordInputs<'r> {
    fn new(record: &'r Record, program: &'r Program) -> Self {
        Self { record, program, taken: vec![false; record.inputs.len()] }
    }
}

impl Inputs for RecordInputs<'_> {
    fn input(&mut self, request: &InputRequest) -> u128 {
        if let InputReason::Address(_) = request.reason {
            return 0;
        }
        let (name, span) = match request.reason {
            InputReason::Havoc(site) => {
                (self.program.havocs[site].name.as_str(), self.program.havocs[site].span)
            }
            InputReason::Uninitialised(_) | InputReason::External | InputReason::Address(_) => {
                ("", request.place.span(self.program))
            }
        };
        let mine = |index: &usize| {
            let input = &self.record.inputs[*index];
            !self.taken[*index] && number_in_machine(self.record, input.thread) == request.thread
        };
        let open: Vec<usize> = (0..self.taken.len()).filter(mine).collect();
        let input = |index: usize| &self.record.inputs[index];
        let same_name = |index: usize| !name.is_empty() && input(index).name == name;
        let same_place = |index: usize| overlap(input(index).span, span);
        let found = open
            .iter()
            .find(|&&index| same_name(index) && same_place(index))
            .or_else(|| open.iter().find(|&&index| same_place(index)))
            .or_else(|| open.iter().find(|&&index| same_name(index)))
            .or_else(|| {
                open.iter().find(|&&index| input(index).name.is_empty() && input(index).span == Span::NONE)
            });
        match found {
            Some(&index) => {
                let value = input(index).value;
                self.taken[index] = true;
                value
            }
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::parse_program;
    use raddle_sequentialize::record::Global;

    use super::*;

    /// Two threads add one to `x`, and main looks at it when both have ended. Places: 10 is the load, 20 the store, 30 the
    /// first join.
    fn counter(expected: u32) -> Program {
        let text = format!(
            "program pointer_bits 64 entry f0
            global g0 \"x\" size 4 align 4 shape signed i32 {{}}
            function f0 \"main\" () {{
              registers r0: i32, r1: i32, r2: i32, r3: i1
            b0:
              r0 = fork @add(null) @40-41
              r1 = fork @add(null) @42-43
              join r0 @30-31
              join r1 @32-33
              r2 = load i32 [@x] @34-35
              r3 = equal r2, i32 {expected}
              check assertion r3, \"x\" @36-37
              exit_process i32 0
            }}
            function f1 \"add\" (r0) -> ptr {{
              registers r0: ptr, r1: i32
            b0:
              r1 = load i32 [@x] @10-11
              r1 = add r1, i32 1
              store i32 [@x], r1 @20-21
              return null
            }}"
        );
        parse_program(&text).unwrap()
    }

    fn span(lo: u32) -> Span {
        Span::new(lo, lo + 1)
    }

    fn labels() -> Labels {
        let add = vec![span(10), span(20), Span::NONE];
        Labels { places: vec![vec![span(40), span(30), Span::NONE], add.clone(), add] }
    }

    fn turn(thread: u32, leave: u32) -> Turn {
        Turn { thread, leave: Some(leave), globals: Vec::new() }
    }

    /// The second thread runs between the first one's load and store.
    fn lost(started: &[u32]) -> Record {
        let turns = vec![turn(0, 1), turn(1, 1), turn(2, 2), turn(1, 2), Turn::default()];
        Record { turns, started: started.to_vec(), inputs: Vec::new() }
    }

    fn find(program: &Program, record: &Record) -> Result<ReplayedTrace, Lost> {
        super::find(program, Property::Assertion, record, &labels(), &Budget::unlimited())
    }

    #[test]
    fn a_thread_is_left_before_the_statement_of_its_label() {
        let found = find(&counter(2), &lost(&[1, 2])).unwrap();
        assert_eq!(found.trace().message.as_deref(), Some("x"));
        assert!(found.trace().context_switches() >= 3);
    }

    #[test]
    fn threads_may_be_numbered_otherwise() {
        let found = find(&counter(2), &lost(&[2, 1])).unwrap();
        assert_eq!(found.outcome().property(), Some(Property::Assertion));
    }

    #[test]
    fn what_globals_hold_leads_as_well() {
        let holds = |value: u8| {
            let bytes = [value, 0, 0, 0].map(Some).to_vec();
            vec![Global { name: "x".to_owned(), bytes }]
        };
        let turn = |thread, value| Turn { thread, leave: None, globals: holds(value) };
        let turns = vec![turn(0, 0), turn(1, 0), turn(2, 1), turn(1, 1), Turn::default()];
        let record = Record { turns, started: vec![1, 2], inputs: Vec::new() };
        assert!(find(&counter(2), &record).is_ok());
    }

    #[test]
    fn what_does_not_happen_is_not_found() {
        // Both additions are made when main looks, or one is lost: it is never three.
        let never = parse_program(
            "program pointer_bits 64 entry f0
            function f0 \"main\" () { b0: exit_process i32 0 }",
        );
        assert!(find(&never.unwrap(), &lost(&[1, 2])).is_err());
    }
}
