//! Every interleaving: the oracle for small programs.
//!
//! Depth-first search over snapshots. With hashing, a state that was met before is not searched again, and the executions
//! through it are counted by adding; without, every path is walked. Both count the same executions where both come to an
//! end. An *execution* is a maximal path: it ends with the process, with a violation, or where nobody can go on.
//!
//! Inputs take every value of a small domain. A truth value takes both, and nothing is missed; for other types
//! the exploration says that its inputs were sampled. It is complete when no limit was met.
//!
//! Data races are found without clocks: two threads that can both make their next step, whose accesses there conflict. A section
//! that comes to its end only behind what another thread does next counts as well. Under sequential consistency some
//! interleaving has such a state if any has a race of unordered accesses, except where only the memory orders of relaxed
//! atomics leave accesses unordered that never come together, or a lock that was overwritten; those the clocks of [`crate::race`] find.
//!
//! Under weak memory models a delayed store that becomes visible is a step like any other. A thread that stores without end has
//! infinitely many states there, so the number of delayed stores is bounded; reaching the bound is a limit.
//!
//! With [`Search::rounds`] only round-robin schedules are searched: in each round threads take turns in the order of their
//! numbers, and each makes any number of steps, also none. That is what sequentializations cover, and what they are held against.
//! What a new thread does before its first visible instruction is done in the step that starts it, here as elsewhere; but its
//! end counts only when it has had a turn: a thread of a lower number can join it in the next round at the earliest.

use std::fmt;

use raddle_base::{Budget, Exhausted, Id as _};
use raddle_ir::{BlockId, FunctionId, InstKind, Ordering, Program, Property};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::address::Look;
use crate::choice::Choices;
use crate::code::Place;
use crate::deadlock;
use crate::fingerprint::Fingerprints;
use crate::leak::{self, Leak, Reach};
use crate::memory::{Memory, Spot};
use crate::observe::{Action, Event, InputRequest, Inputs, Observer, Stream, Unwatched, Violation};
use crate::overwritten::LockWords;
use crate::race::{Access, AccessKind};
use crate::run::{Options, Outcome, ReplayedTrace, replay, run};
use crate::schedule::Scheduler;
use crate::state::{Exit, Move, State, Status, ThreadId};
use crate::step::{LOCK_BYTES, Machine, StepResult, bytes};

/// What to search, and how far.
#[derive(Clone)]
pub struct Search<'b> {
    /// Whether to recognise states that were met before.
    pub hashing: bool,
    /// The values that inputs take; truth values always take both.
    pub values: Vec<u128>,
    /// At most so many states.
    pub max_states: u64,
    /// At most so many basic blocks executed in all. A step may run through a long loop that no other thread sees, or through
    /// one for each combination of inputs: a number of states alone does not bound the work.
    pub max_blocks: u64,
    /// At most so many steps in one execution.
    pub max_depth: usize,
    /// Under weak memory models, at most so many delayed stores of each thread.
    pub max_delayed: usize,
    /// Only schedules of at most so many round-robin rounds.
    pub rounds: Option<u32>,
    /// Time and memory.
    pub budget: Option<&'b Budget>,
    /// Is told now and then how far the search has come, and of each violation.
    pub progress: Option<&'b dyn Fn(&Exploration)>,
}

impl Default for Search<'_> {
    fn default() -> Self {
        Self {
            hashing: true,
            values: vec![0, 1],
            max_states: u64::MAX,
            max_blocks: u64::MAX,
            max_depth: 1_000_000,
            max_delayed: 64,
            rounds: None,
            budget: None,
            progress: None,
        }
    }
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hashing, values, max_states, max_depth, .. } = self;
        let mut shown = f.debug_struct("Search");
        shown.field("hashing", hashing).field("values", values).field("max_states", max_states);
        shown.field("max_depth", max_depth).finish_non_exhaustive()
    }
}

/// What a step costs of a budget, and how many basic blocks cost one unit more.
const UNITS_PER_STEP: u32 = 6;
const BLOCKS_PER_UNIT: u64 = 8;
/// One state in this many is told to [`Search::progress`].
const STATES_PER_PROGRESS: u64 = 1024;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// States that were met: different ones with hashing, all without.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// Maximal executions; `None` when there are infinitely many or a limit cut some off.
    pub executions: Option<u128>,
    /// Violations of every property, different in property or place, in the order they were found; each replays.
    pub violations: Vec<ReplayedTrace>,
    /// Data races that were seen too, but only where another one had happened before, which is what a trace would show.
    pub hidden_races: u64,
    /// How processes ended, each way once, in the order they were found.
    pub exits: Vec<Exit>,
    /// What was not freed at some exit, each place once.
    pub leaks: Vec<Leak>,
    /// Where leaks are looked for, why none can be excluded though none was found.
    pub leak_doubt: Option<LeakDoubt>,
    /// Executions that end because what follows has no meaning, for a reason that nobody checks: the first for each property that
    /// is about such reasons, as a violation of it.
    pub undefined: Vec<ReplayedTrace>,
    /// What is not supported and was come upon, each place once.
    pub unsupported: Vec<(String, Place)>,
    /// The limit that ended the search, if one did.
    pub limit: Option<Limit>,
    /// Whether inputs took only some of their values.
    pub sampled: bool,
    /// Whether a lock was overwritten while it was held; noted only where races are looked for.
    pub overwrites_lock: bool,
    /// Basic blocks that were executed.
    pub blocks: u64,
    /// The largest number of threads in one execution.
    pub threads: usize,
    /// The blocks of code that some execution went through to their end.
    pub passed: Passed,
}

/// Why a leak cannot be excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeakDoubt {
    /// Only registers of variables, which may be out of scope, lead to an object at the end.
    OnlyRegisters(Place),
    /// An object is lost in an execution that does not end.
    WithoutEnd(Place),
}

/// A set of blocks of code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Where the blocks of each function begin in `blocks`.
    starts: Vec<usize>,
    blocks: Vec<bool>,
}

impl Passed {
    /// None of a program's blocks.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut starts = Vec::with_capacity(program.functions.len());
        let mut count = 0;
        for function in program.functions.values() {
            starts.push(count);
            count += function.blocks.len();
        }
        Self { starts, blocks: vec![false; count] }
    }

    /// Puts a block in.
    pub fn insert(&mut self, function: FunctionId, block: BlockId) {
        self.blocks[self.starts[function.index()] + block.index()] = true;
    }

    /// Whether a block is in.
    #[must_use]
    pub fn contains(&self, function: FunctionId, block: BlockId) -> bool {
        self.starts.get(function.index()).is_some_and(|start| self.blocks[start + block.index()])
    }
}

impl Exploration {
    /// Whether every execution was seen, for the inputs that were tried.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.limit.is_none() && self.unsupported.is_empty()
    }

    /// Whether some execution breaks a property.
    #[must_use]
    pub fn breaks(&self, property: Property) -> bool {
        self.violations.iter().any(|violation| violation.outcome().property() == Some(property))
    }
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Too many states.
    States,
    /// Too many basic blocks executed.
    Blocks,
    /// An execution was too long; others were searched.
    Depth,
    /// A thread delayed as many stores as it may: executions in which it delays more were not searched.
    Delayed,
    /// Time or memory ran out.
    Budget(Exhausted),
}

/// Searches all interleavings of a program.
#[must_use]
pub fn explore(machine: &Machine<'_>, search: &Search<'_>) -> Exploration {
    let machine = &machine.delaying_at_most(search.max_delayed.max(1));
    let mut explorer = Explorer {
        machine,
        search,
        fingerprints: Fingerprints::new(machine.program()),
        seen: FxHashMap::default(),
        known: FxHashSet::default(),
        locks: LockWords::default(),
        found: Exploration {
            executions: Some(0),
            passed: Passed::new(machine.program()),
            ..Exploration::default()
        },
        paid: 0,
        reported: 0,
    };
    explorer.run();
    explorer.found
}

/// A move that was made, and with which inputs.
#[derive(Clone, Debug)]
struct Taken {
    made: Move,
    inputs: Vec<u128>,
}

/// Whose turn it is, in which round; always the same when rounds are not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Turn {
    round: u32,
    thread: ThreadId,
    /// The round in which each thread was started.
    births: Vec<u32>,
}

impl Turn {
    fn first() -> Self {
        Self { round: 0, thread: 0, births: vec![0] }
    }

    /// The round in which a thread can make its next step.
    const fn round_of(&self, thread: ThreadId) -> u32 {
        if thread < self.thread { self.round + 1 } else { self.round }
    }

    /// The turn in which a thread made a step that joined these and left so many threads behind it.
    fn next(&self, thread: ThreadId, joined: &[ThreadId], threads: usize) -> Self {
        let mut round = self.round_of(thread);
        let too_early = |&other: &ThreadId| {
            other > thread && self.births.get(other as usize).is_some_and(|&birth| birth >= round)
        };
        if joined.iter().any(too_early) {
            round += 1;
        }
        let mut births = self.births.clone();
        births.resize(threads.max(births.len()), round);
        Self { round, thread, births }
    }

    /// All in a number.
    fn number(&self) -> u128 {
        // Multiplication by an odd number, and addition, keep what differs different with the greatest probability.
        const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        let parts = [self.round, self.thread].into_iter().chain(self.births.iter().copied());
        parts.fold(0, |number: u128, part| {
            number.wrapping_add(u128::from(part) + 1).wrapping_mul(ODD).rotate_left(47)
        })
    }
}

/// A state on the current path, and how far its steps have been searched.
struct Level {
    state: State,
    turn: Turn,
    fingerprint: u128,
    enabled: Vec<Move>,
    /// The move that is being searched.
    position: usize,
    choices: Choices,
    /// The step that leads to the next level.
    taken: Taken,
    /// What each step from here touches.
    accesses: Vec<(Taken, Vec<Touch>)>,
    has_steps: bool,
    /// Executions from here on, as far as searched; `None`: without end, or not all known.
    executions: Option<u128>,
}

/// An access of a step that others could race with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Touch {
    spot: Spot,
    size: u64,
    access: Access,
    /// Whether it is inside an atomic section of the program.
    in_section: bool,
}

/// What makes a violation different from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    At(Property, Option<Place>),
    Undefined(Property),
    Race(Place, Place),
    Deadlock(Vec<(Place, Option<Place>)>),
}

struct Explorer<'e, 'p> {
    machine: &'e Machine<'p>,
    search: &'e Search<'e>,
    fingerprints: Fingerprints<'p>,
    /// Executions from each state that was searched; `None` inside for those on the path or without end.
    seen: FxHashMap<u128, Seen>,
    known: FxHashSet<Key>,
    locks: LockWords,
    found: Exploration,
    /// How many of the blocks were paid for.
    paid: u64,
    /// How many of the violations were reported.
    reported: usize,
}

#[derive(Clone, Copy)]
enum Seen {
    OnPath,
    Searched(Option<u128>),
}

impl Explorer<'_, '_> {
    fn run(&mut self) {
        let mut choices = Choices::new(&self.search.values);
        loop {
            choices.begin();
            let mut watcher =
                Watcher::new(self.machine, 0, (&mut self.found.passed, &mut self.found.unsupported));
            let (state, result) = self.machine.start(&mut choices, &mut watcher);
            // Inputs cost as much as blocks: many of them multiply where nothing else happens.
            self.found.blocks += watcher.blocks + choices.given().len() as u64;
            let undefined = std::mem::take(&mut watcher.undefined);
            let root = choices.given().to_vec();
            self.note_undefined(&undefined, &root, &[]);
            let executions = match result {
                StepResult::Done | StepResult::Blocked => self.search_from(state, &root),
                other @ (StepResult::Violated(_) | StepResult::Unsupported { .. }) => {
                    self.ended(other, &root, &[])
                }
            };
            self.found.executions = add(self.found.executions, executions);
            self.found.sampled |= choices.is_sampled();
            let goes_on = matches!(self.found.limit, None | Some(Limit::Depth | Limit::Delayed));
            if !goes_on || !choices.advance() || self.is_spent() {
                break;
            }
        }
        if self.found.limit.is_some() {
            self.found.executions = None;
        }
    }

    fn search_from(&mut self, state: State, root: &[u128]) -> Option<u128> {
        let mut path: Vec<Level> = Vec::new();
        match self.arrive(state, Turn::first()) {
            Arrival::New(level) => path.push(*level),
            Arrival::Known(executions) => return executions,
            Arrival::Cut => return None,
        }
        let mut result = Some(0);
        while let Some(level) = path.last() {
            if level.position >= level.enabled.len() {
                result = self.leave(&mut path, root);
                continue;
            }
            if self.is_spent() {
                return None;
            }
            let next = self.advance(&mut path, root);
            match next {
                Some(level) if path.len() < self.search.max_depth => path.push(*level),
                Some(level) => {
                    self.found.limit = self.found.limit.or(Some(Limit::Depth));
                    self.seen.insert(level.fingerprint, Seen::Searched(None));
                }
                None if self.found.limit == Some(Limit::States) => return None,
                None => {}
            }
        }
        result
    }

    /// Whether no more work may be done; the limit is noted.
    fn is_spent(&mut self) -> bool {
        if self.reported < self.found.violations.len() {
            self.reported = self.found.violations.len();
            self.search.progress.iter().for_each(|progress| progress(&self.found));
        }
        let blocks = self.found.blocks - self.paid;
        self.paid = self.found.blocks;
        let units =
            UNITS_PER_STEP.saturating_add(u32::try_from(blocks / BLOCKS_PER_UNIT).unwrap_or(u32::MAX));
        let limit = match self.search.budget.map(|budget| budget.spend(units)) {
            Some(Err(exhausted)) => Limit::Budget(exhausted),
            Some(Ok(())) | None if self.found.blocks > self.search.max_blocks => Limit::Blocks,
            Some(Ok(())) | None => return false,
        };
        self.found.limit = Some(limit);
        true
    }

    /// Makes the next step from the last level; gives the state it leads to if that is to be searched.
    fn advance(&mut self, path: &mut [Level], root: &[u128]) -> Option<Box<Level>> {
        let level = path.last_mut().expect("the caller has looked");
        let made = level.enabled[level.position];
        let mut state = level.state.clone();
        let mut watcher =
            Watcher::new(self.machine, made.thread(), (&mut self.found.passed, &mut self.found.unsupported));
        level.choices.begin();
        let result = self.machine.make(&mut state, made, &mut level.choices, &mut watcher);
        let Watcher { enabled, touches, joined, blocks, undefined, locked, written, .. } = watcher;
        self.found.blocks += blocks;
        locked.into_iter().for_each(|spot| self.locks.add(spot));
        let memory = &level.state.memory;
        self.found.overwrites_lock |=
            written.iter().any(|&(spot, size)| self.locks.is_held_within(memory, spot, size));
        level.taken = Taken { made, inputs: level.choices.given().to_vec() };
        self.found.sampled |= level.choices.is_sampled();
        if !level.choices.advance() {
            level.choices.restart();
            level.position += 1;
        }
        if result == StepResult::Blocked {
            return None;
        }
        level.has_steps = true;
        let turn = match self.search.rounds {
            None => level.turn.clone(),
            Some(rounds) => {
                let turn = level.turn.next(made.thread(), &joined, state.threads.len());
                if turn.round >= rounds {
                    return None;
                }
                turn
            }
        };
        self.found.transitions += 1;
        self.note_undefined(&undefined, root, path);
        if enabled {
            self.look_behind(path, &state, &touches, root);
            self.look_for_races(path, touches, root);
        }
        let executions = match result {
            StepResult::Done | StepResult::Blocked => match self.arrive(state, turn) {
                Arrival::New(level) => return Some(level),
                Arrival::Known(executions) => executions,
                Arrival::Cut => None,
            },
            other @ (StepResult::Violated(_) | StepResult::Unsupported { .. }) => {
                let taken: Vec<Taken> = path.iter().map(|level| level.taken.clone()).collect();
                self.ended(other, root, &taken)
            }
        };
        let level = path.last_mut().expect("nothing was removed");
        level.executions = add(level.executions, executions);
        None
    }

    /// A state was reached: is it new?
    fn arrive(&mut self, state: State, turn: Turn) -> Arrival {
        let fingerprint = if self.search.hashing { self.fingerprint(&state, &turn) } else { 0 };
        if self.search.hashing {
            match self.seen.get(&fingerprint) {
                // Around a cycle there are executions without end.
                Some(Seen::OnPath) => {
                    self.note_lost(&state);
                    return Arrival::Known(None);
                }
                Some(Seen::Searched(executions)) => return Arrival::Known(*executions),
                None => {}
            }
        }
        if self.found.states >= self.search.max_states {
            self.found.limit = Some(Limit::States);
            return Arrival::Cut;
        }
        self.found.states += 1;
        self.found.threads = self.found.threads.max(state.threads.len());
        if let Some(progress) = self.search.progress.filter(|_| self.found.states % STATES_PER_PROGRESS == 1)
        {
            progress(&self.found);
        }
        if self.search.hashing {
            self.seen.insert(fingerprint, Seen::OnPath);
        }
        let mut enabled = self.machine.moves(&state);
        let can_go_on = !enabled.is_empty();
        if let Some(rounds) = self.search.rounds {
            enabled.retain(|next| turn.round_of(next.thread()) < rounds);
        }
        let is_cut = can_go_on && enabled.is_empty();
        if state.threads.iter().any(|thread| thread.buffer.len() >= self.machine.most_delayed()) {
            self.found.limit = self.found.limit.or(Some(Limit::Delayed));
        }
        Arrival::New(Box::new(Level {
            state,
            turn,
            fingerprint,
            enabled,
            position: 0,
            choices: Choices::new(&self.search.values),
            taken: Taken { made: Move::Step(0), inputs: Vec::new() },
            accesses: Vec::new(),
            // Where only the number of rounds is in the way, the execution has not come to its end.
            has_steps: is_cut,
            executions: Some(0),
        }))
    }

    /// A number for a state and whose turn it is.
    fn fingerprint(&mut self, state: &State, turn: &Turn) -> u128 {
        let number = if self.search.rounds.is_some() { turn.number() } else { 0 };
        self.fingerprints.of(state) ^ number
    }

    /// All steps from the last level were searched.
    fn leave(&mut self, path: &mut Vec<Level>, root: &[u128]) -> Option<u128> {
        let level = path.pop().expect("the caller has looked");
        let executions = if level.has_steps {
            level.executions
        } else {
            self.terminal(&level.state, root, path);
            Some(1)
        };
        if self.search.hashing {
            self.seen.insert(level.fingerprint, Seen::Searched(executions));
        }
        if let Some(parent) = path.last_mut() {
            parent.executions = add(parent.executions, executions);
        }
        executions
    }

    /// A state without steps: the process has ended, or nobody can go on.
    fn terminal(&mut self, state: &State, root: &[u128], path: &[Level]) {
        if let Some(exit) = leak::end_of(state) {
            if !self.found.exits.contains(&exit) {
                self.found.exits.push(exit);
            }
            self.look_for_leaks(state, exit, root, path);
            return;
        }
        if state.threads.iter().all(|thread| thread.status != Status::Stopped) {
            self.note_lost(state);
        }
        if !self.machine.checks(Property::Deadlock) {
            return;
        }
        if let Some(deadlock) = deadlock::find(self.machine, state) {
            let places =
                deadlock.waiters.iter().map(|waiter| (waiter.user, waiter.stack.first().copied())).collect();
            if self.known.insert(Key::Deadlock(places)) {
                let taken: Vec<Taken> = path.iter().map(|level| level.taken.clone()).collect();
                let found = self.confirm(Property::Deadlock, root, &taken);
                self.found.violations.extend(found);
            }
        }
    }

    /// The process has ended: what does it leave behind?
    fn look_for_leaks(&mut self, state: &State, exit: Exit, root: &[u128], path: &[Level]) {
        for leak in leak::find(self.machine.program(), state) {
            if leak.reach == Reach::Registers && self.machine.checks(Property::Leak) && exit != Exit::Abort {
                self.found.leak_doubt.get_or_insert(LeakDoubt::OnlyRegisters(leak.place));
            }
            if !self.found.leaks.iter().any(|known| known.place == leak.place) {
                self.found.leaks.push(leak);
            }
        }
        for property in [Property::Leak, Property::Cleanup] {
            if !self.machine.checks(property) {
                continue;
            }
            if let Some(violation) = leak::violation(&self.machine.only(property), state) {
                let taken: Vec<Taken> = path.iter().map(|level| level.taken.clone()).collect();
                self.violated(&violation, root, &taken);
            }
        }
    }

    /// An execution does not end here, but goes round in circles or waits for ever: what has it lost before?
    fn note_lost(&mut self, state: &State) {
        if self.machine.checks(Property::Leak) && self.found.leak_doubt.is_none() {
            let leaks = leak::find(self.machine.program(), state);
            let lost = leaks.iter().find(|leak| leak.reach != Reach::Memory);
            self.found.leak_doubt = lost.map(|leak| LeakDoubt::WithoutEnd(leak.place));
        }
    }

    /// A step that ended the execution.
    fn ended(&mut self, result: StepResult, root: &[u128], path: &[Taken]) -> Option<u128> {
        match result {
            StepResult::Violated(violation) => self.violated(&violation, root, path),
            StepResult::Unsupported { what, place } => {
                if !self.found.unsupported.iter().any(|known| known.1 == place) {
                    self.found.unsupported.push((what, place));
                }
            }
            StepResult::Done | StepResult::Blocked => {}
        }
        Some(1)
    }

    fn violated(&mut self, violation: &Violation, root: &[u128], path: &[Taken]) {
        if self.known.insert(Key::At(violation.property, violation.stack.first().copied())) {
            let found = self.confirm(violation.property, root, path);
            debug_assert!(found.is_some(), "a path that was walked can be walked again");
            self.found.violations.extend(found);
        }
    }

    /// Some step of a path ends a thread by undefined behaviour that these properties are about.
    fn note_undefined(&mut self, properties: &[Property], root: &[u128], path: &[Level]) {
        for &property in properties {
            if self.known.insert(Key::Undefined(property)) {
                let taken: Vec<Taken> = path.iter().map(|level| level.taken.clone()).collect();
                let found = self.confirm(property, root, &taken);
                debug_assert!(found.is_some(), "what ended a thread can be seen again");
                self.found.undefined.extend(found);
            }
        }
    }

    /// Makes a trace of a path and sees it break the property.
    fn confirm(&self, property: Property, root: &[u128], path: &[Taken]) -> Option<ReplayedTrace> {
        let machine = self.machine.only(property);
        let mut scheduler = Listed { path, next: 0 };
        let given = root.iter().chain(path.iter().flat_map(|taken| &taken.inputs)).copied().collect();
        let mut inputs = ListedInputs { given, next: 0 };
        let result = run(&machine, &mut scheduler, &mut inputs, &Options::default(), &mut Unwatched);
        if result.outcome.property() != Some(property) {
            return None;
        }
        replay(&machine, &result.trace, &Options::default(), &mut Unwatched).ok()
    }

    /// Compares what the step just made touches with what the steps of other threads from the same state touch.
    fn look_for_races(&mut self, path: &mut [Level], touches: Vec<Touch>, root: &[u128]) {
        let (level, before) = path.split_last_mut().expect("the caller has looked");
        let mut pairs = Vec::new();
        for (other, others) in &level.accesses {
            if other.made.thread() == level.taken.made.thread() {
                continue;
            }
            for first in others {
                let hit = touches.iter().find(|second| first.races(second));
                if let Some(second) = hit {
                    pairs.push((other.clone(), *first, *second));
                }
            }
        }
        for (other, first, second) in pairs {
            let orders = [[other.clone(), level.taken.clone()], [level.taken.clone(), other]];
            self.show_race(before, &orders, root, (first, second));
        }
        level.accesses.push((level.taken.clone(), touches));
    }

    /// Whether a thread is about to begin an atomic section of the program, or of a model if those are meant too.
    fn is_at_section(&self, state: &State, thread: ThreadId, models_too: bool) -> bool {
        let program = self.machine.program();
        state.threads[thread as usize].place().is_some_and(|place| {
            let begins = place.inst(program).is_some_and(|inst| matches!(inst.kind, InstKind::AtomicBegin));
            begins && (models_too || !program.functions[place.function].model)
        })
    }

    /// Compares what the step just made touches with what sections touch behind it, where they may come to their end though they
    /// would not have before it: they waited, an assumption failed, or something could not be done.
    fn look_behind(&mut self, path: &[Level], state: &State, touches: &[Touch], root: &[u128]) {
        if touches.is_empty() {
            return;
        }
        // What models touch in their sections is atomic: it races with plain writes alone, of a lock or semaphore that is overwritten.
        let writes_plainly =
            touches.iter().any(|touch| !touch.access.atomic && touch.access.kind != AccessKind::Read);
        let (level, before) = path.split_last().expect("the caller has looked");
        for next in self.machine.moves(state) {
            let thread = next.thread();
            if thread == level.taken.made.thread() || !self.is_at_section(state, thread, writes_plainly) {
                continue;
            }
            let mut choices = Choices::new(&self.search.values);
            loop {
                choices.begin();
                let mut watcher =
                    Watcher::new(self.machine, thread, (&mut self.found.passed, &mut self.found.unsupported));
                self.machine.make(&mut state.clone(), next, &mut choices, &mut watcher);
                let behind = Taken { made: next, inputs: choices.given().to_vec() };
                for second in watcher.touches {
                    if let Some(first) = touches.iter().find(|first| first.races(&second)) {
                        let order = [level.taken.clone(), behind.clone()];
                        self.show_race(before, &[order], root, (*first, second));
                    }
                }
                if !choices.advance() {
                    break;
                }
            }
        }
    }

    /// Makes a trace of a race by making two steps in one of these orders.
    fn show_race(
        &mut self,
        before: &[Level],
        orders: &[[Taken; 2]],
        root: &[u128],
        (first, second): (Touch, Touch),
    ) {
        let (a, b) = (first.access.place, second.access.place);
        let key = Key::Race(a.min(b), a.max(b));
        if self.known.contains(&key) {
            return;
        }
        let base: Vec<Taken> = before.iter().map(|level| level.taken.clone()).collect();
        let shown = orders.iter().find_map(|order| {
            let path: Vec<Taken> = base.iter().chain(order).cloned().collect();
            self.confirm(Property::DataRace, root, &path)
        });
        // In neither order does the section with the access come to its end; elsewhere it may.
        let Some(shown) = shown else { return };
        self.known.insert(key.clone());
        // The trace shows the first race on its way, which may be another one.
        if race_key(&shown).is_some_and(|found| found == key || self.known.insert(found)) {
            self.found.violations.push(shown);
        } else {
            self.found.hidden_races += 1;
        }
    }
}

enum Arrival {
    New(Box<Level>),
    Known(Option<u128>),
    Cut,
}

fn race_key(replayed: &ReplayedTrace) -> Option<Key> {
    let Outcome::Violated(violation) = replayed.outcome() else { return None };
    let race = violation.race.as_ref()?;
    let (a, b) = (race.first.place, race.second.place);
    Some(Key::Race(a.min(b), a.max(b)))
}

fn add(a: Option<u128>, b: Option<u128>) -> Option<u128> {
    a?.checked_add(b?)
}

impl Touch {
    fn races(&self, other: &Self) -> bool {
        let overlap = self.spot.origin == other.spot.origin
            && u64::from(self.spot.offset) < u64::from(other.spot.offset) + other.size
            && u64::from(other.spot.offset) < u64::from(self.spot.offset) + self.size;
        overlap && self.access.conflicts(&other.access) && !(self.in_section && other.in_section)
    }
}

/// So far back is looked whether an access is noted already.
const RECENT: usize = 16;

/// Takes down what a step touches.
struct Watcher<'p, 'b> {
    program: &'p Program,
    passed: &'b mut Passed,
    /// How many blocks were passed.
    blocks: u64,
    /// Where it depended on the layout of memory how to go on.
    unsupported: &'b mut Vec<(String, Place)>,
    /// Only when races are looked for.
    enabled: bool,
    thread: ThreadId,
    /// The sections it is in: whether each is a model's.
    sections: Vec<bool>,
    touches: Vec<Touch>,
    /// The locks that it took.
    locked: Vec<Spot>,
    /// What it wrote, and how many bytes, by whatever means but `Lock` and `Unlock`.
    written: Vec<(Spot, u64)>,
    /// The threads whose ends it saw.
    joined: Vec<ThreadId>,
    /// What nobody checks and ended a thread.
    undefined: Vec<Property>,
}

impl<'p, 'b> Watcher<'p, 'b> {
    fn new(
        machine: &Machine<'p>,
        thread: ThreadId,
        (passed, unsupported): (&'b mut Passed, &'b mut Vec<(String, Place)>),
    ) -> Self {
        Self {
            program: machine.program(),
            passed,
            blocks: 0,
            unsupported,
            enabled: machine.checks(Property::DataRace),
            thread,
            sections: Vec::new(),
            touches: Vec::new(),
            locked: Vec::new(),
            written: Vec::new(),
            joined: Vec::new(),
            undefined: Vec::new(),
        }
    }

    fn touch(&mut self, event: &Event, spot: Spot, size: u64, kind: AccessKind, ordering: Ordering) {
        if kind == AccessKind::Write && self.written.last() != Some(&(spot, size)) {
            self.written.push((spot, size));
        }
        self.note(event, spot, size, kind, ordering);
    }

    fn note(&mut self, event: &Event, spot: Spot, size: u64, kind: AccessKind, ordering: Ordering) {
        if self.sections.contains(&true) && ordering == Ordering::Plain {
            return;
        }
        let access = Access {
            thread: event.thread,
            kind,
            atomic: ordering != Ordering::Plain,
            place: event.place,
            user: event.user,
        };
        let touch = Touch { spot, size, access, in_section: !self.sections.is_empty() };
        // A thread that spins on a variable of its own touches it millions of times in one step.
        if !self.touches.iter().rev().take(RECENT).any(|known| *known == touch) {
            self.touches.push(touch);
        }
    }
}

impl Watcher<'_, '_> {
    /// A lock is taken or given back, which writes its word. That is no overwriting.
    fn lock_word(&mut self, event: &Event, spot: Spot) {
        self.note(event, spot, LOCK_BYTES, AccessKind::Write, Ordering::SequentiallyConsistent);
    }
}

impl Observer for Watcher<'_, '_> {
    fn looked(&mut self, place: Place, what: Look) {
        if !self.unsupported.iter().any(|known| known.1 == place) {
            self.unsupported.push((what.to_owned(), place));
        }
    }

    fn event(&mut self, event: &Event, memory: &Memory) {
        if let Action::Join(other) = event.action {
            self.joined.push(other);
        }
        if !self.enabled || event.thread != self.thread {
            return;
        }
        let size = |ty| bytes(ty, memory.pointer_bits());
        match event.action {
            Action::Read { spot, ty, ordering, .. } => {
                self.touch(event, spot, size(ty), AccessKind::Read, ordering);
            }
            // A delayed store is one access all the time; whoever comes upon it while it is delayed is not ordered with it.
            Action::Write { spot, ty, ordering, .. }
            | Action::Delay { spot, ty, ordering, .. }
            | Action::Flush { spot, ty, ordering, .. } => {
                self.touch(event, spot, size(ty), AccessKind::Write, ordering);
            }
            Action::Update { spot, ty, new, ordering, .. } => {
                let kind = if new.is_some() { AccessKind::Write } else { AccessKind::Read };
                self.touch(event, spot, size(ty), kind, ordering);
            }
            Action::Free(Some(origin)) => {
                let spot = Spot { origin, offset: 0 };
                self.touch(event, spot, u64::from(u32::MAX), AccessKind::Free, Ordering::Plain);
            }
            Action::Ended(origin) => {
                let spot = Spot { origin, offset: 0 };
                self.touch(event, spot, u64::from(u32::MAX), AccessKind::End, Ordering::Plain);
            }
            Action::Lock(spot) => {
                self.locked.push(spot);
                self.lock_word(event, spot);
            }
            Action::Unlock(spot) => self.lock_word(event, spot),
            Action::AtomicBegin => self.sections.push(self.program.functions[event.place.function].model),
            Action::AtomicEnd => {
                self.sections.pop();
            }
            Action::Free(None)
            | Action::EndLife
            | Action::Fence(_)
            | Action::Wait
            | Action::Fork(_)
            | Action::Join(_)
            | Action::Alloc(_)
            | Action::Query
            | Action::Input(..)
            | Action::End(_) => {}
        }
    }

    fn passed(&mut self, place: Place) {
        self.blocks += 1;
        self.passed.insert(place.function, place.block);
    }

    fn undone(&mut self) {
        self.touches.clear();
        self.locked.clear();
        self.written.clear();
        self.sections.clear();
        self.joined.clear();
    }

    fn undefined(&mut self, property: Property) {
        self.undefined.push(property);
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}

/// Chooses as a path says, and stops at its end.
struct Listed<'t> {
    path: &'t [Taken],
    next: usize,
}

impl Scheduler for Listed<'_> {
    fn begin(&mut self) {}

    fn choose(&mut self, _: &Machine<'_>, _: &State, _: &[Move]) -> Option<Move> {
        let taken = self.path.get(self.next)?;
        self.next += 1;
        Some(taken.made)
    }

    fn end(&mut self, _: Move, _: &[u64]) {}
}

struct ListedInputs {
    given: Vec<u128>,
    next: usize,
}

impl Inputs for ListedInputs {
    fn input(&mut self, _: &InputRequest) -> u128 {
        let value = self.given.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        value
    }
}

#[cfg(test)]
mod tests;
