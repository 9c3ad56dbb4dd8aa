//! The walk: depth first over snapshots of states.
//!
//! Each level of the path holds a state and what is left to search from it. With hashing, the executions through a state that
//! was met before are counted by adding; a state that is met again on its own path has executions without end.

use std::ops::ControlFlow;

use raddle_ir::Property;
use rustc_hash::FxHashMap;

use super::contexts::{Switches, can_make_any};
use super::ends::Findings;
use super::footprint::Footprint;
use super::found::{Exploration, Limit};
use super::join_run::JoinRun;
use super::path::Taken;
use super::rounds::Turn;
use super::sleep_sets::Sleep;
use super::symmetry::{self, Learned, Symmetry};
use super::watch::Watcher;
use super::{Search, Strategy};
use crate::choice::Choices;
use crate::code::Place;
use crate::fingerprint::Fingerprints;
use crate::race::RaceDetector;
use crate::renaming::Renaming;
use crate::state::{Move, State};
use crate::step::{StepResult, Vm};

/// What a step costs of a budget; how many basic blocks, and how many threads of the state that it leads to, cost one unit more.
const UNITS_PER_STEP: u32 = 6;
const BLOCKS_PER_UNIT: u64 = 8;
const THREADS_PER_UNIT: u64 = 4;
/// One state in this many is reported to [`Search::progress`].
const STATES_PER_PROGRESS: u64 = 1024;

/// A state on the current path, and how far its steps have been searched.
struct Level<'p> {
    state: State,
    turn: Turn,
    switches: Switches,
    fingerprint: u128,
    enabled: Vec<Move>,
    /// Moves that are made only if no other could be; see `symmetry`.
    withheld: Vec<Move>,
    /// Moves that need more context switches than there may be.
    beyond: Vec<Move>,
    /// The threads that only join others for a while.
    runs: Vec<JoinRun>,
    /// The move that is being searched.
    position: usize,
    choices: Choices,
    /// The step that leads to the next level.
    taken: Taken,
    /// What happens before what, where that is kept.
    clocks: Option<RaceDetector<'p>>,
    /// Where executions are searched with sleep sets.
    sleep: Option<Sleep>,
    /// Whether the move that is being searched was made with some inputs.
    is_made: bool,
    has_steps: bool,
    /// Executions from here on, as far as searched; `None`: without end, or not all known.
    executions: Option<u128>,
}

/// A search under way.
struct Explorer<'e, 'p> {
    search: &'e Search<'e>,
    fingerprints: Fingerprints<'p>,
    /// Executions from each state that was searched; `None` inside for those on the path or without end.
    seen: FxHashMap<u128, Seen>,
    /// Which threads can be told apart, where that is asked.
    symmetry: Option<Symmetry>,
    /// Whether some moves were not made.
    withholds: bool,
    ends: Findings<'e, 'p>,
    /// How many of the blocks were paid for.
    paid: u64,
    /// How many threads had the states that were reached and not paid for: a state is copied and looked at thread by thread.
    threads: u64,
    /// How many of the violations were reported.
    reported: usize,
}

/// What is known of a state beside the state itself.
struct Extras<'p> {
    turn: Turn,
    switches: Switches,
    clocks: Option<RaceDetector<'p>>,
    sleep: Option<Sleep>,
}

#[derive(Clone, Copy)]
enum Seen {
    OnPath,
    Searched(Option<u128>),
}

/// Searches a program; again from the beginning if threads were told apart that were taken for equal.
pub(super) fn walk(vm: &Vm<'_>, search: &Search<'_>) -> Exploration {
    let may_merge = search.symmetry && search.contexts.is_none() && search.strategy == Strategy::States;
    let mut symmetry = may_merge.then(|| Symmetry::new(vm));
    loop {
        let (found, known) = walk_once(vm, search, symmetry);
        match known {
            Some(known) if known.is_stale => symmetry = known.for_another_search(),
            Some(_) | None => return found,
        }
    }
}

fn walk_once(
    vm: &Vm<'_>,
    search: &Search<'_>,
    symmetry: Option<Symmetry>,
) -> (Exploration, Option<Symmetry>) {
    let mut explorer = Explorer {
        search,
        fingerprints: Fingerprints::new(vm.program()),
        seen: FxHashMap::default(),
        symmetry,
        withholds: false,
        ends: Findings::new(vm),
        paid: 0,
        threads: 0,
        reported: 0,
    };
    explorer.run();
    (explorer.ends.found, explorer.symmetry)
}

impl<'p> Explorer<'_, 'p> {
    fn run(&mut self) {
        let mut choices = Choices::new(&self.search.values);
        loop {
            choices.begin();
            let has_clocks = self.ends.vm.checks(Property::DataRace);
            let clocks = has_clocks.then(|| RaceDetector::new(self.ends.vm.program()));
            let mut watcher =
                Watcher::new(self.ends.vm, (&mut self.ends.found.passed, &mut self.ends.found.unsupported))
                    .with_clocks(clocks);
            let (state, result) = self.ends.vm.start(&mut choices, &mut watcher);
            // Inputs cost as much as blocks: many of them multiply where nothing else happens.
            self.ends.found.blocks += watcher.blocks + choices.given().len() as u64;
            let Watcher { undefined, clocks, .. } = watcher;
            let may_sleep = self.search.strategy == Strategy::SleepSets && self.search.contexts.is_none();
            let sleep = may_sleep.then(|| Sleep::first(self.ends.vm));
            let extras = Extras { turn: Turn::first(), switches: Switches::default(), clocks, sleep };
            let root = choices.given().to_vec();
            self.ends.note_undefined(&undefined, &root, &Vec::new);
            let executions = match result {
                StepResult::Done | StepResult::Blocked => self.search_from(state, extras, &root),
                other @ (StepResult::Violated(_) | StepResult::Unsupported { .. }) => {
                    self.ends.ended(other, &root, &Vec::new)
                }
            };
            self.ends.found.executions = add(self.ends.found.executions, executions);
            self.ends.found.sampled |= choices.is_sampled();
            let goes_on = matches!(self.ends.found.limit, None | Some(Limit::Depth | Limit::Delayed));
            if !goes_on || self.is_stale() || !choices.advance() || self.is_spent() {
                break;
            }
        }
        if self.ends.found.limit.is_some() || self.withholds {
            self.ends.found.executions = None;
        }
    }

    fn search_from(&mut self, state: State, extras: Extras<'p>, root: &[u128]) -> Option<u128> {
        let mut path: Vec<Level<'p>> = Vec::new();
        match self.arrive(state, extras) {
            Arrival::New(level) => path.push(*level),
            Arrival::Known(executions) => return executions,
            Arrival::Cut => return None,
        }
        let mut result = Some(0);
        while let Some(level) = path.last() {
            if level.position >= level.enabled.len() {
                if !release(&mut path) {
                    result = self.leave(&mut path, root);
                }
                continue;
            }
            if self.is_stale() || self.is_spent() {
                return None;
            }
            let next = self.advance(&mut path, root);
            match next {
                Some(level) if path.len() < self.search.max_depth => path.push(*level),
                Some(level) => {
                    self.ends.found.limit = self.ends.found.limit.or(Some(Limit::Depth));
                    self.seen.insert(level.fingerprint, Seen::Searched(None));
                }
                None if matches!(self.ends.found.limit, Some(Limit::States | Limit::Enough)) => return None,
                None => {}
            }
        }
        result
    }

    /// Whether threads were told apart that the search took for equal.
    fn is_stale(&self) -> bool {
        self.symmetry.as_ref().is_some_and(|symmetry| symmetry.is_stale)
    }

    /// Whether no more work may be done; the limit is noted.
    fn is_spent(&mut self) -> bool {
        if self.reported < self.ends.found.violations.len() && self.report().is_break() {
            self.ends.found.limit = Some(Limit::Enough);
            return true;
        }
        let blocks = self.ends.found.blocks - self.paid;
        self.paid = self.ends.found.blocks;
        let more = blocks / BLOCKS_PER_UNIT + std::mem::take(&mut self.threads) / THREADS_PER_UNIT;
        let units = UNITS_PER_STEP.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
        let limit = match self.search.budget.map(|budget| budget.spend(units)) {
            Some(Err(exhausted)) => Limit::Budget(exhausted),
            Some(Ok(())) | None if self.ends.found.blocks > self.search.max_blocks => Limit::Blocks,
            Some(Ok(())) | None => return false,
        };
        self.ends.found.limit = Some(limit);
        true
    }

    /// Reports how far the search has come; the answer is whether it is to go on.
    fn report(&mut self) -> ControlFlow<()> {
        self.reported = self.ends.found.violations.len();
        self.search.progress.map_or(ControlFlow::Continue(()), |progress| progress(&self.ends.found))
    }

    /// Makes the next step from the last level; gives the state it leads to if that is to be searched.
    fn advance(&mut self, path: &mut [Level<'p>], root: &[u128]) -> Option<Box<Level<'p>>> {
        let level = path.last_mut().expect("the caller has looked");
        let made = level.enabled[level.position];
        let mut state = level.state.clone();
        let mut watcher =
            Watcher::new(self.ends.vm, (&mut self.ends.found.passed, &mut self.ends.found.unsupported))
                .with_clocks(level.clocks.clone())
                .with_footprint(level.sleep.is_some())
                .with_learned(self.symmetry.as_ref().map(|_| Learned::new(&level.state.memory)));
        level.choices.begin();
        let result = self.ends.vm.make(&mut state, made, &mut level.choices, &mut watcher);
        let Watcher { joined, blocks, undefined, mut clocks, footprint, learned, .. } = watcher;
        if let (Some(symmetry), Some(learned)) = (&mut self.symmetry, learned) {
            symmetry.check(&state, made.thread(), &level.runs, &learned);
        }
        self.ends.found.blocks += blocks;
        level.taken = Taken { made, inputs: level.choices.given().to_vec() };
        self.ends.found.sampled |= level.choices.is_sampled();
        let is_violation = matches!(result, StepResult::Violated(_) | StepResult::Unsupported { .. });
        let footprint = footprint.map(|mut footprint| {
            if is_violation || !undefined.is_empty() {
                footprint.fails();
            }
            footprint
        });
        let sleep = level.go_on(&state, result != StepResult::Blocked, footprint);
        if result == StepResult::Blocked {
            return None;
        }
        let turn = match self.search.strategy.rounds() {
            None => level.turn.clone(),
            Some(rounds) => {
                let turn = level.turn.next(made.thread(), &joined, state.threads.len());
                if turn.round >= rounds {
                    return None;
                }
                turn
            }
        };
        let switches = level.switches.next(made.thread(), self.search.contexts);
        self.ends.found.transitions += 1;
        self.ends.note_undefined(&undefined, root, &|| taken_on(path));
        if let Some(race) = clocks.as_mut().and_then(RaceDetector::take_race) {
            self.ends.raced(&race, root, &|| taken_on(path));
        }
        let executions = match result {
            StepResult::Done | StepResult::Blocked => {
                match self.arrive(state, Extras { turn, switches, clocks, sleep }) {
                    Arrival::New(level) => return Some(level),
                    Arrival::Known(executions) => executions,
                    Arrival::Cut => None,
                }
            }
            other @ (StepResult::Violated(_) | StepResult::Unsupported { .. }) => {
                self.ends.ended(other, root, &|| taken_on(path))
            }
        };
        let level = path.last_mut().expect("nothing was removed");
        level.executions = add(level.executions, executions);
        None
    }

    /// A state was reached: is it new?
    fn arrive(&mut self, state: State, mut extras: Extras<'p>) -> Arrival<'p> {
        self.threads += state.threads.len() as u64;
        let hashes = self.search.strategy.hashes();
        let fingerprint = if hashes { self.fingerprint(&state, &mut extras) } else { 0 };
        let Extras { turn, switches, clocks, sleep } = extras;
        if hashes {
            match self.seen.get(&fingerprint) {
                // Around a cycle there are executions without end.
                Some(Seen::OnPath) => {
                    self.ends.note_lost(&state);
                    let withholds = self.withholds;
                    self.symmetry.iter_mut().for_each(|symmetry| symmetry.note_end(withholds));
                    return Arrival::Known(None);
                }
                Some(Seen::Searched(executions)) => return Arrival::Known(*executions),
                None => {}
            }
        }
        if self.ends.found.states >= self.search.max_states {
            self.ends.found.limit = Some(Limit::States);
            return Arrival::Cut;
        }
        self.ends.found.states += 1;
        self.ends.found.threads = self.ends.found.threads.max(state.threads.len());
        if self.ends.found.states % STATES_PER_PROGRESS == 1 && self.report().is_break() {
            self.ends.found.limit = Some(Limit::Enough);
            return Arrival::Cut;
        }
        if hashes {
            self.seen.insert(fingerprint, Seen::OnPath);
        }
        let mut enabled = self.ends.vm.moves(&state);
        let runs = self.join_runs(&state, clocks.as_ref());
        let withheld = symmetry::withhold(&runs, &mut enabled);
        self.withholds |= !withheld.is_empty();
        let beyond = switches.withhold(self.search.contexts, &mut enabled);
        let is_enabled = !enabled.is_empty();
        if let Some(rounds) = self.search.strategy.rounds() {
            enabled.retain(|next| turn.round_of(next.thread()) < rounds);
        }
        if let Some(sleep) = &sleep {
            enabled.retain(|&next| !sleep.contains(next));
        }
        let is_cut = is_enabled && enabled.is_empty();
        if state.threads.iter().any(|thread| thread.buffer.len() >= self.ends.vm.most_delayed()) {
            self.ends.found.limit = self.ends.found.limit.or(Some(Limit::Delayed));
        }
        Arrival::New(Box::new(Level {
            state,
            turn,
            switches,
            fingerprint,
            enabled,
            withheld,
            beyond,
            runs,
            position: 0,
            choices: Choices::new(&self.search.values),
            taken: Taken { made: Move::Step(0), inputs: Vec::new() },
            clocks,
            sleep,
            is_made: false,
            // Where only the number of rounds is in the way, or all that is enabled sleeps, this is no end of an execution.
            has_steps: is_cut,
            executions: Some(0),
        }))
    }

    /// A number for a state, whose turn it is, how often threads were switched, and what happened before what.
    fn fingerprint(&mut self, state: &State, extras: &mut Extras<'_>) -> u128 {
        let clocks = extras.clocks.as_mut().map(|clocks| clocks.knowledge(state));
        if let Some(symmetry) = &self.symmetry {
            return symmetry.fingerprint(&mut self.fingerprints, state, clocks.as_ref());
        }
        let turn = if self.search.strategy.rounds().is_some() { extras.turn.number() } else { 0 };
        let known = clocks.map_or(0, |clocks| clocks.number(&Renaming::identity(state.threads.len())));
        self.fingerprints.of(state) ^ turn ^ known ^ extras.switches.number()
    }

    /// The threads of a new state that only join others for a while.
    fn join_runs(&mut self, state: &State, clocks: Option<&RaceDetector<'p>>) -> Vec<JoinRun> {
        let Self { symmetry, ends: Findings { vm, found, .. }, .. } = self;
        let Some(symmetry) = symmetry else { return Vec::new() };
        let passed = &mut found.passed;
        let pass = &mut |place: Place| passed.insert(place.function, place.block);
        let (runs, blocks) = symmetry.join_runs(vm, state, clocks, pass);
        found.blocks += blocks;
        runs
    }

    /// All steps from the last level were searched.
    fn leave(&mut self, path: &mut Vec<Level<'p>>, root: &[u128]) -> Option<u128> {
        let mut level = path.pop().expect("the caller has looked");
        self.look_beyond(&mut level);
        let executions = if level.has_steps {
            level.executions
        } else {
            self.ends.terminal(&level.state, root, &|| taken_on(path));
            let is_in_run = !level.runs.is_empty();
            self.symmetry.iter_mut().for_each(|symmetry| symmetry.note_end(is_in_run));
            Some(1)
        };
        if self.search.strategy.hashes() {
            self.seen.insert(level.fingerprint, Seen::Searched(executions));
        }
        if let Some(parent) = path.last_mut() {
            parent.executions = add(parent.executions, executions);
        }
        executions
    }
}

impl Explorer<'_, '_> {
    /// Whether an execution goes on where the number of context switches is all that is in the way.
    fn look_beyond(&mut self, level: &mut Level<'_>) {
        let is_known = level.has_steps && self.ends.found.more_switches;
        if !is_known && !level.beyond.is_empty() {
            let goes_on = can_make_any(self.ends.vm, self.search, &level.state, &level.beyond);
            self.ends.found.more_switches |= goes_on;
            // Then this is no end of an execution.
            level.has_steps |= goes_on;
        }
    }
}

impl Level<'_> {
    /// A move was made or refused; goes on to its next inputs, or to the next move. Gives what is kept behind it for sleep sets.
    fn go_on(&mut self, after: &State, is_made: bool, footprint: Option<Footprint>) -> Option<Sleep> {
        let made = self.taken.made;
        self.has_steps |= is_made;
        self.is_made |= is_made;
        let behind = match (&mut self.sleep, footprint) {
            (Some(sleep), Some(footprint)) if is_made => {
                Some(sleep.behind(made, (&self.state, after), footprint))
            }
            (Some(sleep), Some(footprint)) => {
                sleep.refused(footprint);
                None
            }
            (None, _) | (_, None) => None,
        };
        if !self.choices.advance() {
            self.choices.restart();
            self.position += 1;
            let was_made = std::mem::take(&mut self.is_made);
            if let Some(sleep) = &mut self.sleep {
                sleep.searched(made, was_made);
            }
        }
        behind
    }
}

/// Where no move of the last level was made, those that were withheld come to their turn; whether there are any.
fn release(path: &mut [Level<'_>]) -> bool {
    let Some(level) = path.last_mut() else { return false };
    let withheld = std::mem::take(&mut level.withheld);
    let is_needed = !level.has_steps && !withheld.is_empty();
    if is_needed {
        level.enabled.extend(withheld);
    }
    is_needed
}

/// The steps that lead along a path, the last one included.
fn taken_on(path: &[Level<'_>]) -> Vec<Taken> {
    path.iter().map(|level| level.taken.clone()).collect()
}

enum Arrival<'p> {
    New(Box<Level<'p>>),
    Known(Option<u128>),
    Cut,
}

fn add(a: Option<u128>, b: Option<u128>) -> Option<u128> {
    a?.checked_add(b?)
}
