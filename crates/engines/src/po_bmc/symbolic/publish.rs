//! What becomes known when the first thread is started, and when all threads have been executed.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_base::Exhausted;
use raddle_logic::term::TermId;
use rustc_hash::FxHashMap;

use super::context::Context;
use super::forwarding::forward_initial;
use super::known::KnownMemory;
use super::memory::Memory;
use super::path::Path;
use super::shared::write_shared;
use super::split::{objects_of, split};
use super::world::Reach;
use crate::execution_graph::events::{AccessKind, EventKind, Location, Space};
use raddle_semantics::{Contents, ObjectId};

impl Memory {
    /// From here on others may see shared memory: what is known about it becomes what it holds initially, or, if that was
    /// decided on another path, is written.
    pub(crate) fn publish(&mut self, cx: &mut Context<'_, '_>, path: &mut Path) {
        path.forked = true;
        let shared: Vec<ObjectId> = path
            .memory
            .objects()
            .map(|(object, _)| object)
            .filter(|object| self.heap.facts(*object).reach == Reach::Shared)
            .collect();
        let mut contents: BTreeMap<ObjectId, Rc<Contents>> = BTreeMap::new();
        for object in shared {
            contents.extend(path.memory.remove(object).map(|known| (object, known)));
        }
        forward_initial(cx, path, &contents);
        let Some(mut initial) = self.heap.take_initial() else {
            let mut initial = KnownMemory::default();
            for (object, known) in contents {
                initial.add(object, Contents::clone(&known));
            }
            // What was made before and is not there any more has ended.
            for object in self.heap.sorted_objects(cx) {
                let facts = &self.heap.facts(object);
                if facts.reach == Reach::Shared && facts.may_end && initial.contents(object).is_none() {
                    let mut ended = Contents::new(facts.background, cx.layout());
                    let always = cx.out.terms.bool(true);
                    ended.end(always, &mut cx.out.terms);
                    initial.add(object, ended);
                }
            }
            self.heap.set_initial(initial);
            return;
        };
        // The thread may be started inside of an atomic block: what it finds is written before that ends.
        let step = cx.step_for(path, true);
        for (object, known) in contents {
            if initial.contents(object).is_none() {
                let background = self.heap.facts(object).background;
                initial.add(object, Contents::new(background, cx.layout()));
            }
            let base = cx.world.base(object);
            // Where only the other path wrote, this one finds what was there at first.
            let mut known = Contents::clone(&known);
            let others: Vec<(u64, u32)> = initial
                .contents(object)
                .map(|first| first.cells().map(|(at, cell)| (at, cell.size)).collect())
                .unwrap_or_default();
            for (at, size) in others {
                known.cell_at(at, size, &mut cx.out.terms);
            }
            for (at, cell) in known.cells() {
                let terms = &mut cx.out.terms;
                let first = initial.contents_mut(object).expect("just made").cell_at(at, cell.size, terms);
                if first.value == cell.value {
                    continue;
                }
                let always = terms.bool(true);
                if let Some(unwritten) = cell.unwritten {
                    if cell.unwritten == first.unwritten && unwritten == always {
                        continue;
                    }
                    // What the other path wrote is not there on this one, but anything. The VM asks for that when it is read.
                    let anything = terms.and(path.guard.term(), unwritten);
                    cx.report.havocked.push((anything, "unwritten memory"));
                    cx.report.uninitialised.push(anything);
                }
                let address = cx.pointer(base + u128::from(at));
                let location = Location { space: Space::Data, address, size: cell.size };
                write_shared(cx, path, step, location, (always, cell.value), None);
            }
            let alive = initial.contents(object).is_none_or(|first| first.ended().is_none());
            if let (Some(dead), true) = (known.ended(), alive) {
                let (address, one) = (cx.pointer(base), cx.out.terms.bits(1, 8));
                let location = Location { space: Space::Life, address, size: 1 };
                write_shared(cx, path, step, location, (dead, one), None);
            }
        }
        self.heap.set_initial(initial);
    }

    /// Now that all objects and events are known: what reads read initially, which addresses are valid.
    pub(crate) fn resolve(&mut self, cx: &mut Context<'_, '_>) -> Result<(), Exhausted> {
        if split(&mut cx.out, cx.world, &mut cx.report) {
            self.resolve_reads(cx)?;
        }
        self.heap.resolve_pointers(cx);
        self.placement.resolve(cx, &self.heap);
        self.look_at_locks(cx);
        Ok(())
    }

    /// What reads read initially.
    pub(crate) fn resolve_reads(&mut self, cx: &mut Context<'_, '_>) -> Result<(), Exhausted> {
        // One place is read again and again, and what was never written must look the same each time.
        let mut known: FxHashMap<(Space, TermId, u32), (TermId, Option<TermId>)> = FxHashMap::default();
        for event in cx.out.events.ids().collect::<Vec<_>>() {
            cx.spend(1)?;
            if let EventKind::Access {
                location: Location { space, address, size },
                access: AccessKind::Read { initial: None, uninitialised, .. },
            } = cx.out.events[event].kind
            {
                let place = (space, address, size);
                let (mut first, mut unwritten) = match known.get(&place) {
                    Some(&found) => found,
                    None => {
                        let found = self.heap.initial_value(cx, space, address, size);
                        *known.entry(place).or_insert(found)
                    }
                };
                if let (Some(number), Some(never)) = (cx.report.unwritten_is.get(&event), unwritten) {
                    let number = cx.layout().constant(&mut cx.out.terms, (*number).into(), size);
                    first = cx.out.terms.ite(never, number, first);
                    unwritten = None;
                }
                cx.out.set_initial(event, first, unwritten.and(uninitialised));
                if let Some(unwritten) = unwritten {
                    if let Some(ty) = uninitialised {
                        let bytes = cx.layout().bytes(&mut cx.out.terms, first, size);
                        self.placement.unknown_value(cx, ty, bytes);
                    }
                    cx.report.unwritten.insert(event, unwritten);
                }
            }
        }
        for index in 0..cx.report.constant_reads.len() {
            let read = cx.report.constant_reads[index];
            let place = (read.space, read.address, read.size);
            let (first, _) = match known.get(&place) {
                Some(&found) => found,
                None => self.heap.initial_value(cx, read.space, read.address, read.size),
            };
            cx.report.constant_reads[index].initial = Some(first);
        }
        Ok(())
    }

    /// Lock events are meant for lock words that nothing else touches.
    fn look_at_locks(&mut self, cx: &mut Context<'_, '_>) {
        if !cx.assumed.lock_words_apart.0 || cx.report.touches_lock_words {
            return;
        }
        let mut unique: Vec<TermId> =
            cx.out.events.values().filter_map(|event| event.kind.lock_word()).collect();
        unique.sort_unstable();
        unique.dedup();
        let zero = cx.out.terms.bits(0, 32);
        for &address in &unique {
            let (first, _) = self.heap.initial_value(cx, Space::Data, address, 4);
            let first = cx.layout().bytes(&mut cx.out.terms, first, 4);
            if first != zero && self.heap.has_initial() {
                // Never written counts as zero for a lock word.
                let unwritten = cx.out.terms.as_symbol(first).is_some();
                cx.report.touches_lock_words |= !unwritten;
            }
        }
        let mut accesses: Vec<(TermId, u32)> = cx.report.touched.iter().copied().collect();
        accesses.sort_unstable();
        for (access, size) in accesses {
            for &lock in &unique {
                if may_touch(cx, access, size, lock) {
                    cx.report.touches_lock_words = true;
                    return;
                }
            }
        }
    }
}

/// Whether an access may be to a lock word.
pub(crate) fn may_touch(cx: &mut Context<'_, '_>, access: TermId, size: u32, lock: TermId) -> bool {
    if let (Some(access), Some(lock)) = (cx.out.terms.as_bits(access), cx.out.terms.as_bits(lock)) {
        return access < lock + 4 && lock < access + u128::from(size);
    }
    let objects = objects_of(&mut cx.out.terms, cx.world, access);
    let locks = objects_of(&mut cx.out.terms, cx.world, lock);
    match (objects, locks) {
        (Some(objects), Some(locks)) => !objects.is_disjoint(&locks),
        (_, _) => true,
    }
}
