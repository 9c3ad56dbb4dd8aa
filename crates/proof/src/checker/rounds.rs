//! The paths of all locations, followed again until the facts that they rest on are stable; and whether the certificate is well formed.

use std::collections::BTreeSet;

use raddle_base::{Budget, Span};
use raddle_ir::Site;

use super::deadlock::Wait;
use super::explore::Explorer;
use super::objects::Origin;
use super::races::Racing;
use super::state::{Check, Edge, FrameId, Slot, State, Target};
use super::{Claim, Refusal};
use crate::certificate::Certificate;

/// More rounds than this are not made.
const MOST_ROUNDS: usize = 200;

/// What the obligations are made of.
pub(super) struct Derived<'p> {
    pub(super) explorer: Explorer<'p>,
    /// Of each location, the paths from there.
    pub(super) edges: Vec<Vec<Edge>>,
    pub(super) checks: Vec<Vec<Check>>,
    /// Of each location, the accesses of these paths that may race.
    pub(super) racing: Vec<Vec<Racing>>,
    /// Of each location, the instructions of these paths that may wait.
    pub(super) waits: Vec<Vec<Wait>>,
    /// The first location of each template.
    pub(super) entries: Vec<usize>,
}

/// Derives from the program what a certificate is about.
pub(super) fn derive<'p>(
    claim: &'p Claim<'p>,
    certificate: &'p Certificate,
    budget: &Budget,
) -> Result<Derived<'p>, Refusal> {
    derive_with(Explorer::new(claim, certificate), budget)
}

/// The same with an explorer that is already made.
pub(super) fn derive_with<'p>(mut explorer: Explorer<'p>, budget: &Budget) -> Result<Derived<'p>, Refusal> {
    let certificate = explorer.certificate;
    let entries = explorer.set_up()?;
    let locations = certificate.locations.len();
    let (mut edges, mut checks) = (vec![Vec::new(); locations], vec![Vec::new(); locations]);
    let (mut racing, mut waits) = (vec![Vec::new(); locations], vec![Vec::new(); locations]);
    for _ in 0..MOST_ROUNDS {
        explorer.facts.changed = false;
        for location in 0..locations {
            // No thread ever stands where nothing holds.
            if certificate.locations[location].invariant.is_empty() {
                continue;
            }
            let paths = explorer.explore(location, budget)?;
            (edges[location], checks[location]) = (paths.edges, paths.checks);
            (racing[location], waits[location]) = (paths.racing, paths.waits);
        }
        explorer.spread_life(&edges, &entries);
        explorer.spread_needs(&edges);
        explorer.escape_lost(&edges);
        explorer.recount(&edges);
        if !explorer.facts.changed {
            explorer.check_followed(&edges)?;
            return Ok(Derived { explorer, edges, checks, racing, waits, entries });
        }
    }
    Err(Refusal::new("what escapes was not found in time", Span::NONE))
}

impl Explorer<'_> {
    /// Which objects live where paths lead, and which threads were started.
    fn spread_life(&mut self, edges: &[Vec<Edge>], entries: &[usize]) {
        let before = self.facts.changed;
        loop {
            self.facts.changed = false;
            for (from, edges) in edges.iter().enumerate() {
                let Some(known) = self.facts.live[from].clone() else { continue };
                let before = self.facts.started[from].clone().unwrap_or_default();
                for edge in edges {
                    let state = &edge.end;
                    let mut started = before.clone();
                    started.extend(state.forks.iter().map(|fork| fork.starts));
                    for fork in &state.forks {
                        self.facts.has_started(entries[fork.starts], &started);
                    }
                    let Target::At(to) = edge.to else { continue };
                    self.facts.has_started(to, &started);
                    let mut alive = known.clone();
                    alive.extend(state.made.iter().copied());
                    alive.retain(|object| !state.dead.contains(object));
                    self.facts.arrives(to, &alive);
                }
            }
            if !self.facts.changed {
                break;
            }
            self.facts.changed_life = true;
        }
        self.facts.changed = before || std::mem::take(&mut self.facts.changed_life);
    }

    /// What is needed behind a path and not made on it is needed before.
    fn spread_needs(&mut self, edges: &[Vec<Edge>]) {
        loop {
            let mut grew = false;
            for (from, edges) in edges.iter().enumerate() {
                for edge in edges {
                    let Target::At(to) = edge.to else { continue };
                    for slot in self.facts.needed[to].clone() {
                        if !is_made(&edge.end, slot) {
                            grew |= self.facts.needs(from, slot);
                        }
                    }
                }
            }
            if !grew {
                return;
            }
        }
    }

    /// Addresses that a thread keeps where the checker loses sight of them.
    fn escape_lost(&mut self, edges: &[Vec<Edge>]) {
        let certificate = self.certificate;
        for edge in edges.iter().flatten() {
            let Target::At(to) = edge.to else { continue };
            let location = &certificate.locations[to];
            let known: Vec<Slot> = (location.constants.iter())
                .filter_map(|(quantity, _)| self.slot(location.template, &location.point, quantity).ok())
                .map(|(slot, _)| slot)
                .collect();
            let needed = self.facts.needed[to].clone();
            let is_lost = |slot: Slot| {
                !known.contains(&slot) && needed.iter().any(|needed| needed.overlaps(slot))
                    || (known.contains(&slot)
                        && needed.iter().any(|needed| *needed != slot && needed.overlaps(slot)))
            };
            let state = &edge.end;
            let mut lost = Vec::new();
            for (&(frame, register), &value) in &state.registers {
                if is_lost(Slot::Register(frame, register)) {
                    lost.push(value);
                }
            }
            for (&object, own) in &state.own {
                for (&(offset, bytes), &value) in &own.slots {
                    if is_lost(Slot::Own(object, offset, bytes)) {
                        lost.push(value);
                    }
                }
            }
            for value in lost {
                self.escape(value);
            }
        }
    }

    /// Which templates are started once at most, by the paths.
    fn recount(&mut self, edges: &[Vec<Edge>]) {
        for index in 0..self.certificate.spawns.len() {
            let spawn = &self.certificate.spawns[index];
            let (by, starts) = (spawn.by, spawn.starts);
            let frame = self.frames.get_index_of(&spawn.at.frame);
            let site = spawn.at.site;
            let once = self.facts.single[by]
                && frame.is_none_or(|frame| self.happens_once(edges, by, (frame, site)));
            if !once && self.facts.single[starts] {
                self.facts.single[starts] = false;
                self.facts.changed = true;
            }
        }
    }

    /// Whether a thread of a template executes an instruction once at most.
    fn happens_once(&self, edges: &[Vec<Edge>], template: usize, at: (FrameId, Site)) -> bool {
        if self.facts.may_happen_twice(at) {
            return false;
        }
        let mut after = Vec::new();
        for edges in edges {
            for edge in edges.iter().filter(|edge| edge.end.template == template) {
                let times = edge.end.happened.iter().filter(|happened| **happened == at).count();
                match (times, edge.to) {
                    (0, _) | (1, Target::Ended | Target::Stuck) => {}
                    (1, Target::At(to)) => after.push(to),
                    (2.., _) => return false,
                }
            }
        }
        let mut seen = BTreeSet::new();
        while let Some(location) = after.pop() {
            if !seen.insert(location) {
                continue;
            }
            if self.facts.may_happen_from(location, at) {
                return false;
            }
            for edge in &edges[location] {
                if let Target::At(to) = edge.to {
                    after.push(to);
                }
            }
        }
        true
    }

    /// Followed cells are of objects that there is one of.
    fn check_followed(&mut self, edges: &[Vec<Edge>]) -> Result<(), Refusal> {
        for cell in &self.cells {
            if let Origin::Made { template, point, .. } = self.objects.origin(cell.object) {
                // Where it is followed whether an object lives, it is shown that it is made once.
                let frame = self.frames.get_index_of(&point.frame);
                let once = self.life_of(cell.object).is_some()
                    || self.facts.single[*template]
                        && frame.is_none_or(|frame| self.happens_once(edges, *template, (frame, point.site)));
                if !once {
                    let what = "a followed cell is of an object that may be made more than once";
                    return Err(Refusal::new(what, Span::NONE));
                }
                let size = self.facts.sizes.get(&cell.object).copied();
                if let Some(size) = size
                    && size.is_none_or(|size| cell.offset.saturating_add(cell.bytes.into()) > size)
                {
                    return Err(Refusal::new("a followed cell is not within its object", Span::NONE));
                }
            }
        }
        for location in &self.certificate.locations {
            for (quantity, _) in &location.constants {
                self.slot(location.template, &location.point, quantity)?;
            }
        }
        Ok(())
    }
}

/// Whether a path gives a slot a value of its own.
fn is_made(state: &State, slot: Slot) -> bool {
    match slot {
        Slot::Register(frame, register) => {
            let is_read = state.reads.contains(&slot);
            !is_read && (state.entered.contains(&frame) || state.registers.contains_key(&(frame, register)))
        }
        Slot::Own(object, offset, bytes) => state.own.get(&object).is_some_and(|own| {
            own.is_new
                || own.written.iter().any(|range| {
                    range.0 <= offset && offset.saturating_add(bytes) <= range.0.saturating_add(range.1)
                })
        }),
    }
}
