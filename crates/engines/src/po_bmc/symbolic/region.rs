//! Memory under a lock.
//!
//! Where every access to a location is made with the same lock held, nobody else touches it from when the lock
//! is taken until it is released. So what is there can be read when the lock is taken, and what is written there
//! can be seen when it is released, at once: in between the thread knows what it holds. A critical section that uses
//! a variable ten times makes one read and one write of it.
//!
//! Which locations are protected so is an assumption ([`LockProtected`](super::assumptions::LockProtected)) that the execution
//! confirms or refutes. Races are about single accesses: when they are looked for, this is not done.
//!
//! Invariant: what a region knows is what memory would hold if all its writes had happened. So an access goes through the region
//! that knows all of what it may touch; if there is none, every region that knows any of it writes down what it has and is given
//! up. The same happens at an unlock that may be of its lock.

use raddle_base::Id;
use raddle_logic::term::TermId;
use smallvec::SmallVec;

use super::assumptions::Target;
use super::atomic_block::AtomicBlock;
use super::context::Context;
use super::memory::Request;
use super::path::Path;
use super::shared::flush;
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
    pub(crate) block: AtomicBlock,
}

/// The locks that the thread holds for sure.
pub(crate) fn locks(cx: &Context<'_, '_>, path: &Path) -> Locks {
    path.held
        .iter()
        .filter(|held| cx.out.terms.as_bool(held.held) == Some(true) || path.guard.implies(held.held))
        .filter_map(|held| cx.out.terms.as_bits(held.address))
        .collect()
}

/// A lock was taken: from here on what it protects is known.
pub(crate) fn begin_region(
    cx: &mut Context<'_, '_>,
    path: &mut Path,
    lock: TermId,
    acquisition: usize,
    step: StepId,
) {
    let Some(lock) = cx.out.terms.as_bits(lock) else { return };
    if !path.forked || cx.options.races || !cx.assumed.protected.protects_with(lock) {
        return;
    }
    // An atomic block of the program knows what it has written, and goes on knowing it behind the unlock.
    if path.block.as_ref().is_some_and(|block| !block.is_model()) {
        return;
    }
    let block = AtomicBlock::critical_section(step, acquisition);
    path.regions.push(Region { lock, acquisition, block });
}

/// The region that knows what an access is about. Regions that know only a part of it are given up.
pub(crate) fn region(cx: &mut Context<'_, '_>, path: &mut Path, request: &Request) -> Option<usize> {
    if path.regions.is_empty() {
        return None;
    }
    let target = match cx.out.terms.as_bits(request.address) {
        Some(address) => Target::Constant(address),
        None => match objects_of(&mut cx.out.terms, cx.world, request.address) {
            Some(objects) => Target::Objects(objects),
            None => Target::Anywhere,
        },
    };
    let touches =
        |region: &Region| cx.assumed.protected.may_touch(region.lock, &target, request.size, cx.world);
    let touched: Vec<usize> =
        (0..path.regions.len()).filter(|&index| touches(&path.regions[index])).collect();
    if let [only] = *touched
        && is_known_to(cx, path.regions[only].lock, request)
    {
        return Some(only);
    }
    let given_up = touched.into_iter().rev().map(|index| path.regions.remove(index)).collect();
    give_up(cx, path, given_up);
    None
}

/// Whether all that an access may touch is protected by a lock.
fn is_known_to(cx: &mut Context<'_, '_>, lock: u128, request: &Request) -> bool {
    let Some(list) = cx.world.addresses().targets(&mut cx.out.terms, request.address) else {
        return false;
    };
    // An access goes on only where its pointer is no number.
    list.into_iter().filter(|target| target.object.index() > 0).all(|target| {
        let protector = match cx.out.terms.as_bits(target.address) {
            Some(address) => cx.assumed.protected.lock_of((address, request.size), cx.world),
            None => cx.assumed.protected.lock_of_object(target.object),
        };
        protector == Some(lock)
    })
}

/// What regions have written is written down, before anything else is done.
fn give_up(cx: &mut Context<'_, '_>, path: &mut Path, regions: Vec<Region>) {
    if regions.is_empty() {
        return;
    }
    if path.block.is_some() {
        regions.iter().for_each(|region| hand_over(path, region));
        return;
    }
    let step = cx.step(path, true);
    for region in regions {
        flush(cx, path, &region.block.writes(), step, Some(region.acquisition));
    }
}

/// A lock is released: what was written under it can be seen.
pub(crate) fn end_regions(cx: &mut Context<'_, '_>, path: &mut Path, lock: TermId, step: StepId) {
    for index in (0..path.regions.len()).rev() {
        let own = cx.pointer(path.regions[index].lock);
        let same = cx.out.terms.eq(own, lock);
        if cx.out.terms.as_bool(same) == Some(false) {
            continue;
        }
        let region = path.regions.remove(index);
        // An atomic block of the program goes on behind the unlock, and reads what is in its own log.
        if path.block.as_ref().is_some_and(|block| !block.is_model()) {
            hand_over(path, &region);
        } else {
            flush(cx, path, &region.block.writes(), step, Some(region.acquisition));
        }
    }
}

/// What only some of the paths that meet know is written down.
pub(crate) fn align_regions(cx: &mut Context<'_, '_>, paths: &mut [&mut Path]) {
    let names =
        |path: &Path| -> Vec<usize> { path.regions.iter().map(|region| region.acquisition).collect() };
    let first = names(paths[0]);
    if paths.iter().all(|path| names(path) == first) {
        return;
    }
    for path in paths.iter_mut() {
        let regions = std::mem::take(&mut path.regions);
        give_up(cx, path, regions);
    }
}

/// Does something with what a region knows in place of what an atomic block would.
pub(crate) fn in_region<T>(path: &mut Path, index: usize, work: impl FnOnce(&mut Path, StepId) -> T) -> T {
    let block = path.regions[index].block.clone();
    let step = block.step();
    let outer = path.block.replace(block);
    let result = work(path, step);
    if let Some(block) = std::mem::replace(&mut path.block, outer) {
        path.regions[index].block = block;
    }
    result
}

/// What a region has written becomes what the atomic block at hand has written: the block wrote nothing of that itself.
fn hand_over(path: &mut Path, region: &Region) {
    if let Some(block) = &mut path.block {
        block.take_over(&region.block);
    }
}
