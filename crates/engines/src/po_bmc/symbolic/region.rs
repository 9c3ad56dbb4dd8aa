//! Memory under a lock.
//!
//! Where every access to a place is made with the same lock held, nobody else touches the place from the moment the lock
//! is taken to the moment it is released. So what is there can be read when the lock is taken, and what is written there
//! can be seen when it is released, at once: in between the thread knows what the place holds. A critical section that uses
//! a variable ten times makes one read and one write of it.
//!
//! Which locations are protected so is an assumption ([`LockProtected`](super::assumptions::LockProtected)) that the execution
//! confirms or refutes. Races are about single accesses: when they are looked for, this is not done.
//!
//! Invariant: what a region knows is what memory would hold if all its writes had happened. So an access goes through the region
//! that knows all of what it may touch; if there is none, every region that knows any of it writes down what it has and is given
//! up. The same happens at an unlock that may be of its lock.

use std::rc::Rc;

use raddle_base::Id;
use raddle_logic::term::TermId;
use smallvec::SmallVec;

use super::access::Request;
use super::assumptions::Target;
use super::execute::Executor;
use super::path::{Path, Section, Written};
use super::split::objects_of;
use crate::execution_graph::events::StepId;

/// The addresses of the locks that were held for sure.
pub(crate) type Locks = SmallVec<[u128; 2]>;

/// A critical section that is under way.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The lock's address.
    pub(crate) lock: u128,
    pub(crate) acquisition: usize,
    /// What was read since the lock was taken, and what was written.
    pub(crate) section: Section,
}

impl Executor<'_, '_> {
    /// The locks that the thread holds for sure.
    pub(crate) fn locks(&self, path: &Path) -> Locks {
        path.held
            .iter()
            .filter(|held| self.out.terms.as_bool(held.held) == Some(true) || path.guard.implies(held.held))
            .filter_map(|held| self.out.terms.as_bits(held.address))
            .collect()
    }

    /// A lock was taken: from here on what it protects is known.
    pub(crate) fn begin_region(&mut self, path: &mut Path, lock: TermId, acquisition: usize, step: StepId) {
        let Some(lock) = self.out.terms.as_bits(lock) else { return };
        if !path.forked || self.options.races || !self.assumed.protected.protects_with(lock) {
            return;
        }
        // An atomic block of the program knows what it has written, and goes on knowing it behind the unlock.
        if path.section.as_ref().is_some_and(|section| !section.model) {
            return;
        }
        let section = Section {
            step,
            depth: 0,
            model: true,
            inputs: false,
            acquisition: Some(acquisition),
            log: None,
            reads: Rc::default(),
        };
        path.regions.push(Region { lock, acquisition, section });
    }

    /// The region that knows what an access is about. Regions that know only a part of it are given up.
    pub(crate) fn region(&mut self, path: &mut Path, request: &Request) -> Option<usize> {
        if path.regions.is_empty() {
            return None;
        }
        let target = match self.out.terms.as_bits(request.address) {
            Some(address) => Target::Constant(address),
            None => match objects_of(&mut self.out.terms, self.world, request.address) {
                Some(objects) => Target::Objects(objects),
                None => Target::Anywhere,
            },
        };
        let touches = |region: &Region| {
            self.assumed.protected.may_touch(region.lock, &target, request.size, self.world)
        };
        let touched: Vec<usize> =
            (0..path.regions.len()).filter(|&index| touches(&path.regions[index])).collect();
        if let [only] = *touched
            && self.is_known_to(path.regions[only].lock, request)
        {
            return Some(only);
        }
        let given_up = touched.into_iter().rev().map(|index| path.regions.remove(index)).collect();
        self.give_up(path, given_up);
        None
    }

    /// Whether all that an access may touch is protected by a lock.
    fn is_known_to(&mut self, lock: u128, request: &Request) -> bool {
        let Some(list) = self.world.addresses().targets(&mut self.out.terms, request.address) else {
            return false;
        };
        // An access goes on only where its pointer is no number.
        list.into_iter().filter(|target| target.object.index() > 0).all(|target| {
            let protector = match self.out.terms.as_bits(target.address) {
                Some(address) => self.assumed.protected.lock_of((address, request.size), self.world),
                None => self.assumed.protected.lock_of_object(target.object),
            };
            protector == Some(lock)
        })
    }

    /// What regions have written is written down, before anything else is done.
    fn give_up(&mut self, path: &mut Path, regions: Vec<Region>) {
        if regions.is_empty() {
            return;
        }
        if path.section.is_some() {
            regions.iter().for_each(|region| hand_over(path, region));
            return;
        }
        let step = self.step(path, true);
        for region in regions {
            self.flush(path, &region.section.writes(), step, Some(region.acquisition));
        }
    }

    /// Does something with what a region knows in the place of what an atomic section would.
    pub(crate) fn in_region<T>(
        &mut self,
        path: &mut Path,
        index: usize,
        work: impl FnOnce(&mut Self, &mut Path, StepId) -> T,
    ) -> T {
        let section = path.regions[index].section.clone();
        let step = section.step;
        let outer = path.section.replace(section);
        let result = work(self, path, step);
        if let Some(section) = std::mem::replace(&mut path.section, outer) {
            path.regions[index].section = section;
        }
        result
    }

    /// A lock is released: what was written under it can be seen.
    pub(crate) fn end_regions(&mut self, path: &mut Path, lock: TermId, step: StepId) {
        for index in (0..path.regions.len()).rev() {
            let own = self.pointer(path.regions[index].lock);
            let same = self.out.terms.eq(own, lock);
            if self.out.terms.as_bool(same) == Some(false) {
                continue;
            }
            let region = path.regions.remove(index);
            // An atomic block of the program goes on behind the unlock, and reads what is in its own log.
            if path.section.as_ref().is_some_and(|section| !section.model) {
                hand_over(path, &region);
            } else {
                self.flush(path, &region.section.writes(), step, Some(region.acquisition));
            }
        }
    }

    /// What only some of the paths that meet know is written down.
    pub(crate) fn align_regions(&mut self, paths: &mut [&mut Path]) {
        let names =
            |path: &Path| -> Vec<usize> { path.regions.iter().map(|region| region.acquisition).collect() };
        let first = names(paths[0]);
        if paths.iter().all(|path| names(path) == first) {
            return;
        }
        for path in paths.iter_mut() {
            let regions = std::mem::take(&mut path.regions);
            self.give_up(path, regions);
        }
    }
}

/// What a region has written becomes what the atomic block at hand has written: the block wrote nothing of that itself.
fn hand_over(path: &mut Path, region: &Region) {
    let Some(section) = &mut path.section else { return };
    for written in region.section.writes() {
        let before = section.log.take();
        let depth = before.as_ref().map_or(0, |written| written.depth) + 1;
        section.log = Some(Rc::new(Written { before, depth, ..Written::clone(&written) }));
    }
}
