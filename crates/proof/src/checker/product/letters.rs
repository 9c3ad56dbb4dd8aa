//! Steps of threads as letters: what they read and write, which of them are independent, and what may come later.
//!
//! A letter is a path of a thread from a location to the next one, or to something that must not happen. As a formula it relates what shared
//! cells and the thread's own quantities hold before and behind it. So two letters of different slots may be exchanged, with the same states before and
//! behind both, if neither writes a cell that the other one's formula mentions or writes: they have nothing else in common but the list of
//! threads. To that, letters add (fork), mark a thread as ended, and look at it (join, or ask whether a thread was started).

use std::collections::BTreeSet;

use raddle_base::Span;
use raddle_logic::term::{SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::Refusal;
use super::super::explore::Explorer;
use super::super::quantity::Who;
use super::super::rounds::Derived;
use super::super::state::{Check, Edge, Target};

/// A set of cells. Those whose numbers differ by 128 share a bit: then letters count as dependent that are not.
type Cells = u128;

fn bit(cell: usize) -> Cells {
    1 << (cell % 128)
}

/// What letters have to do with other threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effect {
    reads: Cells,
    writes: Cells,
    /// Threads are started.
    pub(super) forks: bool,
    /// A thread is waited for.
    joins: bool,
    /// The thread ends.
    ends: bool,
}

impl Effect {
    /// Whether the order may matter, of two letters of different slots or of any of two sets of them.
    pub(super) fn depends_on(self, other: Self) -> bool {
        self.writes & (other.reads | other.writes) != 0
            || other.writes & self.reads != 0
            || (self.forks && (other.forks || other.joins))
            || (self.joins && (other.forks || other.ends))
            || (self.ends && other.joins)
    }

    fn with(self, other: Self) -> Self {
        Self {
            reads: self.reads | other.reads,
            writes: self.writes | other.writes,
            forks: self.forks || other.forks,
            joins: self.joins || other.joins,
            ends: self.ends || other.ends,
        }
    }
}

/// What a letter does.
#[derive(Debug)]
pub(super) enum Kind {
    Step(Box<Edge>),
    /// It must not be possible.
    Failure(Box<Check>),
}

/// A step of a thread from a location.
#[derive(Debug)]
pub(super) struct Letter {
    pub(super) kind: Kind,
    pub(super) effect: Effect,
}

/// The letters of all locations.
pub(super) struct Letters {
    pub(super) of: Vec<Vec<Letter>>,
    /// Of each location, what the thread may do from there on, and threads that it starts. Failures are not in it.
    pub(super) later: Vec<Effect>,
    /// Of each location, whether the thread may come to a failure.
    may_fail: Vec<bool>,
    /// Of each location, how many threads may be started by the thread from there on, and by threads that it starts; at most one more than allowed.
    starts: Vec<usize>,
    /// Whether more threads may be started than allowed, as far as control tells.
    pub(super) may_overflow: bool,
}

impl Letters {
    pub(super) fn new(
        derived: Derived<'_>,
        most: usize,
    ) -> Result<(Self, Explorer<'_>, Vec<usize>), Refusal> {
        let Derived { mut explorer, edges, mut checks, racing: _, entries } = derived;
        for (from, edges) in edges.iter().enumerate() {
            for edge in edges {
                let owed = known_values(&mut explorer, edge, &entries)?;
                checks[from].extend(owed);
            }
        }
        let mut support = Support::default();
        let mut of = Vec::new();
        for (edges, checks) in edges.into_iter().zip(checks) {
            let mut letters = Vec::new();
            for edge in edges {
                let effect = effect_of_edge(&explorer, &edge, &mut support);
                letters.push(Letter { kind: Kind::Step(Box::new(edge)), effect });
            }
            for check in checks {
                let asked = check.asked.iter().map(|asked| &asked.thread);
                let parts = check.guards.iter().chain(&check.joins).chain(asked);
                let reads = cells_in(&explorer, parts.copied(), &mut support);
                let (forks, joins) = (!check.forks.is_empty(), !check.joins.is_empty());
                let effect = Effect { reads, forks, joins, ..Effect::default() };
                letters.push(Letter { kind: Kind::Failure(Box::new(check)), effect });
            }
            of.push(letters);
        }
        let count = of.len();
        let mut all = Self {
            of,
            later: vec![Effect::default(); count],
            may_fail: vec![false; count],
            starts: vec![0; count],
            may_overflow: false,
        };
        all.look_ahead(&entries, most + 1);
        all.may_overflow = entries.first().is_some_and(|&first| 1 + all.starts[first] > most);
        Ok((all, explorer, entries))
    }

    /// Whether a thread at a location may come to something that must not happen.
    pub(super) fn may_go_wrong(&self, location: usize) -> bool {
        self.may_fail[location] || (self.may_overflow && self.starts[location] > 0)
    }

    /// What may come behind a location, until nothing more is found.
    fn look_ahead(&mut self, entries: &[usize], most: usize) {
        loop {
            let mut changed = false;
            for location in 0..self.of.len() {
                let (mut later, mut may_fail, mut starts) =
                    (self.later[location], self.may_fail[location], self.starts[location]);
                for letter in &self.of[location] {
                    let Kind::Step(edge) = &letter.kind else {
                        may_fail = true;
                        continue;
                    };
                    later = later.with(letter.effect);
                    let mut count = 0_usize;
                    if let Target::At(to) = edge.to {
                        later = later.with(self.later[to]);
                        may_fail |= self.may_fail[to];
                        count = self.starts[to];
                    }
                    for fork in &edge.end.forks {
                        let entry = entries[fork.starts];
                        later = later.with(self.later[entry]);
                        count = count.saturating_add(1 + self.starts[entry]);
                    }
                    starts = starts.max(count.min(most));
                }
                changed |= (later, may_fail, starts)
                    != (self.later[location], self.may_fail[location], self.starts[location]);
                (self.later[location], self.may_fail[location], self.starts[location]) =
                    (later, may_fail, starts);
            }
            if !changed {
                return;
            }
        }
    }
}

/// What is claimed to be known where a step leads, and what it starts: that it is not so must not happen.
fn known_values(explorer: &mut Explorer<'_>, edge: &Edge, entries: &[usize]) -> Result<Vec<Check>, Refusal> {
    let mut wanted = Vec::new();
    if let Target::At(to) = edge.to {
        for value in explorer.known_values(to, Who::After(&edge.end))? {
            wanted.push((to, value));
        }
    }
    for fork in &edge.end.forks {
        let entry = entries[fork.starts];
        let who = Who::Born { argument: fork.argument, id: fork.id };
        for value in explorer.known_values(entry, who)? {
            wanted.push((entry, value));
        }
    }
    let mut checks = Vec::new();
    for (location, value) in wanted {
        if explorer.terms.as_bool(value) == Some(true) {
            continue;
        }
        let mut guards = edge.end.guards.clone();
        guards.push(explorer.terms.not(value));
        let site = &explorer.certificate.locations[location].point.site;
        let name = &explorer.program.functions[site.function].name;
        checks.push(Check {
            guards,
            joins: edge.end.joins.clone(),
            forks: edge.end.forks.clone(),
            asked: edge.end.asked.clone(),
            what: format!("what is known at `{name}` {}:{} is so", site.block, site.index),
            at: edge.span,
            other: None,
            trail: edge.end.trail.clone(),
            missing: None,
        });
    }
    Ok(checks)
}

fn effect_of_edge(explorer: &Explorer<'_>, edge: &Edge, support: &mut Support) -> Effect {
    let end = &edge.end;
    let mut writes = 0;
    let mut parts: Vec<TermId> = end.guards.iter().chain(&end.joins).copied().collect();
    for (cell, (&new, &old)) in end.shared.iter().zip(&explorer.shared).enumerate() {
        if new != old {
            writes |= bit(cell);
            parts.push(new);
        }
    }
    parts.extend(end.registers.values());
    parts.extend(end.own.values().flat_map(|own| own.slots.values()));
    parts.extend(end.forks.iter().map(|fork| fork.argument));
    parts.extend(end.asked.iter().map(|asked| asked.thread));
    Effect {
        reads: cells_in(explorer, parts.into_iter(), support),
        writes,
        forks: !end.forks.is_empty(),
        joins: !end.joins.is_empty(),
        ends: edge.to == Target::Ended,
    }
}

/// The cells whose values before the step terms are made of.
fn cells_in(explorer: &Explorer<'_>, terms: impl Iterator<Item = TermId>, support: &mut Support) -> Cells {
    let mut cells = 0;
    for term in terms {
        for &symbol in support.of(&explorer.terms, term) {
            let held = |&held: &TermId| explorer.terms.as_symbol(held) == Some(symbol);
            if let Some(cell) = explorer.shared.iter().position(held) {
                cells |= bit(cell);
            }
        }
    }
    cells
}

/// The symbols that terms are made of.
#[derive(Debug, Default)]
pub(super) struct Support {
    known: FxHashMap<TermId, Vec<SymbolId>>,
}

impl Support {
    pub(super) fn of(&mut self, terms: &Terms, term: TermId) -> &[SymbolId] {
        self.known.entry(term).or_insert_with(|| {
            let (mut seen, mut open) = (FxHashSet::default(), vec![term]);
            let mut symbols = BTreeSet::new();
            while let Some(part) = open.pop() {
                if seen.insert(part) {
                    symbols.extend(terms.as_symbol(part));
                    open.extend(terms[part].children());
                }
            }
            symbols.into_iter().collect()
        })
    }
}

/// Where a letter is in the source.
pub(super) fn span(letter: &Letter) -> Span {
    match &letter.kind {
        Kind::Step(edge) => edge.span,
        Kind::Failure(check) => check.at,
    }
}
