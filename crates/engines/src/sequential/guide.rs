//! From a record of the sequential program to a trace of the input that the machine has replayed.
//!
//! The input runs in the VM, turn by turn: a thread makes steps until it stands where the record says that it is left,
//! and then the next one runs. Where that is can be doubtful: one statement may be several steps, an access that the passes
//! take for shared may be private in the VM, a line is passed many times. So it is a search: at each step the turn
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
    Move, Options, ReplayedTrace, State, Status, StepResult, ThreadId, Unwatched, Vm, deadlock, replay, run,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::inputs::{RecordInputs, Taken};
use super::observe::globals;
use super::transform::{Labels, Place};
use crate::looked::LookedAt;
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

/// So many values are tried in one step where the record does not say which memory holds them.
const MOST_CHOICES: usize = 64;

/// Why there is no execution.
#[derive(Debug)]
pub(crate) enum Lost {
    /// Executions like it end before, at this memory error.
    MemoryError(String),
    /// They come upon something that is not supported, or look at where objects lie, which others do elsewhere.
    Unsupported(String, Span),
    /// They read memory that was never written, of which the record does not say what it holds.
    Unwritten,
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
    let machine = Vm::checking(program, &[property]);
    let (mut memory_error, mut unsupported, mut unwritten) = (None, None, false);
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
            looked: LookedAt::default(),
            unwritten: false,
        };
        let found = search.go();
        memory_error = memory_error.or(search.memory_error);
        unsupported = unsupported.or(search.unsupported).or_else(|| search.looked.at(program));
        unwritten |= search.unwritten;
        if let Some((path, choices)) = found {
            let mut scheduler = Listed { path: &path, next: 0 };
            let mut inputs = RecordInputs::new(record, program).choosing(choices);
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
    let nowhere = || if unwritten { Lost::Unwritten } else { nowhere() };
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
    machine: &'s Vm<'p>,
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
    /// Steps that were made: who (nobody before the first), what was chosen in it, and the step before.
    made: Vec<(Option<ThreadId>, Vec<usize>, Option<usize>)>,
    /// The first memory error that ended a thread.
    memory_error: Option<String>,
    /// The first thing come upon that is not supported.
    unsupported: Option<(String, Span)>,
    /// Where somebody looked at where objects lie.
    looked: LookedAt,
    /// Whether memory was read that was never written, and the record does not say what it holds.
    unwritten: bool,
}

impl<'p> Search<'_, 'p> {
    /// The threads that make steps, one after the other, until the property is broken; and what they chose.
    fn go(&mut self) -> Option<(Vec<ThreadId>, Vec<usize>)> {
        let mut open = match self.start() {
            Made::Broken(last) => return Some(self.path(last)),
            Made::Went(nodes) => nodes,
        };
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
                match self.steps(&node, self.number(turn.thread)) {
                    Made::Broken(last) => return Some(self.path(last)),
                    Made::Went(nodes) => {
                        let went = nodes
                            .into_iter()
                            .map(|next| Node { skipped: node.skipped + u32::from(fits), ..next });
                        open.extend(went);
                    }
                }
            }
            // Looked at first.
            if fits {
                open.push(Node { turn: node.turn + 1, skipped: 0, ..node });
            }
        }
        None
    }

    /// The first states, one for each choice that the record leaves open. The first comes last.
    fn start(&mut self) -> Made {
        let mut nodes = Vec::new();
        let mut choices = Vec::new();
        for _ in 0..MOST_CHOICES {
            let mut inputs = RecordInputs::new(self.record, self.machine.program()).choosing(choices);
            let (state, result) = self.machine.start(&mut inputs, &mut self.looked);
            self.unwritten |= inputs.is_guessing;
            let last = (!inputs.chosen.is_empty()).then(|| {
                self.made.push((None, inputs.chosen.clone(), None));
                self.made.len() - 1
            });
            match result {
                StepResult::Violated(violation) if violation.property == self.property => {
                    return Made::Broken(last);
                }
                StepResult::Violated(_) => {}
                StepResult::Unsupported { what, place } => {
                    let span = place.span(self.machine.program());
                    self.unsupported.get_or_insert((what, span));
                }
                StepResult::Done | StepResult::Blocked => {
                    if self.memory_error.is_none() && stopped(&state) > 0 {
                        let mut inputs = RecordInputs::new(self.record, self.machine.program());
                        let machine = self.machine.only(Property::MemorySafety);
                        self.memory_error = violation(machine.start(&mut inputs, &mut Unwatched).1);
                    }
                    let taken = inputs.taken.clone();
                    nodes.push(Node { state, turn: 0, skipped: 0, inputs: taken, last });
                }
            }
            let Some(next) = inputs.next_choices() else { break };
            choices = next;
        }
        nodes.reverse();
        Made::Went(nodes)
    }

    /// Behind the last turn: whether nobody can go on, which is what was to be shown.
    fn is_over(&self, state: &State) -> bool {
        self.property == Property::Deadlock
            && self.machine.moves(state).is_empty()
            && deadlock::find(self.machine, state).is_some()
    }

    /// The number that the VM gives a thread.
    fn number(&self, thread: u32) -> ThreadId {
        number_in_machine(self.record, thread)
    }

    /// The next step of a thread, with each choice that the record leaves open. The first comes last.
    fn steps(&mut self, node: &Node, thread: ThreadId) -> Made {
        let mut nodes = Vec::new();
        if thread as usize >= node.state.threads.len() || !self.machine.is_enabled(&node.state, thread) {
            return Made::Went(nodes);
        }
        let mut choices = Vec::new();
        for _ in 0..MOST_CHOICES {
            let mut inputs = RecordInputs::new(self.record, self.machine.program()).choosing(choices);
            inputs.taken.clone_from(&node.inputs);
            match self.step(node, thread, &mut inputs) {
                Made::Broken(last) => return Made::Broken(last),
                Made::Went(next) => nodes.extend(next),
            }
            let Some(next) = inputs.next_choices() else { break };
            choices = next;
        }
        nodes.reverse();
        Made::Went(nodes)
    }

    fn step(&mut self, node: &Node, thread: ThreadId, inputs: &mut RecordInputs<'_>) -> Made {
        let nothing = || Made::Went(Vec::new());
        let mut state = node.state.clone();
        let result = self.machine.step(&mut state, thread, inputs, &mut self.looked);
        self.unwritten |= inputs.is_guessing;
        match result {
            StepResult::Done => {}
            StepResult::Violated(violation) if violation.property == self.property => {
                self.made.push((Some(thread), inputs.chosen.clone(), node.last));
                return Made::Broken(Some(self.made.len() - 1));
            }
            StepResult::Violated(_) | StepResult::Blocked => return nothing(),
            StepResult::Unsupported { what, place } => {
                let span = place.span(self.machine.program());
                self.unsupported.get_or_insert((what, span));
                return nothing();
            }
        }
        if state.exit.is_some() {
            // Nothing happens behind the end of the process; whatever is still to happen comes before it.
            return nothing();
        }
        if self.memory_error.is_none() && stopped(&state) > stopped(&node.state) {
            self.memory_error = self.find_memory_error(node, thread);
        }
        self.made.push((Some(thread), inputs.chosen.clone(), node.last));
        let last = Some(self.made.len() - 1);
        let taken = inputs.taken.clone();
        Made::Went(vec![Node { state, turn: node.turn, skipped: node.skipped, inputs: taken, last }])
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

    fn path(&self, last: Option<usize>) -> (Vec<ThreadId>, Vec<usize>) {
        let mut steps = Vec::new();
        let mut next = last;
        while let Some(step) = next {
            let (thread, chosen, before) = &self.made[step];
            steps.push((*thread, chosen));
            next = *before;
        }
        let path = steps.iter().rev().filter_map(|(thread, _)| *thread).collect();
        let choices = steps.iter().rev().flat_map(|(_, chosen)| chosen.iter().copied()).collect();
        (path, choices)
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
    /// It breaks the property; the step, if it was one.
    Broken(Option<usize>),
    /// It leads on to these; to nothing if it cannot be made.
    Went(Vec<Node>),
}

pub(super) fn overlap(one: Span, other: Span) -> bool {
    one != Span::NONE && other != Span::NONE && one.lo < other.hi && other.lo < one.hi
}

/// Threads are numbered in the order in which they are started; those that the record does not list, in that of their numbers.
pub(super) fn number_in_machine(record: &Record, thread: u32) -> ThreadId {
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

    fn choose(&mut self, _: &Vm<'_>, _: &State, _: &[Move]) -> Option<Move> {
        let thread = *self.path.get(self.next)?;
        self.next += 1;
        Some(Move::Step(thread))
    }

    fn end(&mut self, _: Move, _: &[u64]) {}
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
