//! Pointers: where an address term may lead, and moving pointers.

use raddle_ir::analyses::points_to::ObjectKind;
use raddle_ir::{Operand, Property};
use raddle_logic::term::TermId;

use super::context::{Context, Flow};
use super::heap::Validity;
use super::memory::Memory;
use super::path::Path;
use super::placement::may_be_address;
use super::world::{Origin, Reach};
use raddle_semantics::{ObjectId, Target};

/// Where an access goes.
#[derive(Debug, Default)]
pub(crate) struct Destination {
    /// Objects whose contents the path knows: when, which, and the offset.
    pub(crate) own: Vec<(TermId, ObjectId, TermId)>,
    /// When it is shared memory.
    pub(crate) shared: Option<TermId>,
    /// Whether shared objects among them may end.
    pub(crate) may_end: bool,
    /// The pointer, where it can lead to one object only: its term need not tell of the cases in which it leads nowhere.
    pub(crate) address: Option<TermId>,
}

impl Memory {
    /// Finds out where an access goes, checks that it goes to live memory, and goes on where it does.
    ///
    /// Reading whether a shared object lives is left to the caller, who has the step for it.
    pub(crate) fn destination(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        (address, size): (TermId, u32),
        writes: bool,
        operand: Operand,
    ) -> Option<Destination> {
        let mut found = Destination::default();
        let mut valid = cx.terms().bool(false);
        match cx.world.addresses().targets(&mut cx.out.terms, address) {
            Some(list) => {
                let mut possible = Vec::new();
                for target in list {
                    let fits = self.case(cx, path, target, (size, writes), &mut found);
                    valid = cx.out.terms.or(valid, fits);
                    if cx.out.terms.as_bool(fits) != Some(false) {
                        possible.push(target.address);
                    }
                }
                if let [only] = possible[..] {
                    found.address = Some(only);
                }
            }
            None => valid = self.unknown_case(cx, path, address, (size, writes), operand, &mut found),
        }
        if cx.out.terms.as_bits(address).is_none() && cx.out.terms.as_bool(valid) != Some(true) {
            let wild = may_be_address(cx, address);
            self.placement.guess(cx, path, wild);
        }
        cx.check(path, Property::MemorySafety, valid, "an access outside of live memory");
        match cx.assume(path, valid) {
            Flow::Next => Some(found),
            Flow::Ends => None,
        }
    }

    /// One possible object. Gives the condition under which the access goes there and is within it.
    pub(crate) fn case(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &Path,
        Target { condition, object, address }: Target,
        (size, writes): (u32, bool),
        found: &mut Destination,
    ) -> TermId {
        let never = cx.terms().bool(false);
        if !self.heap.exists(cx, object) {
            return match cx.world.origin(object) {
                // Made by a thread that is executed later.
                Origin::Alloc(_) if path.forked => {
                    let there = cx.flag("valid");
                    self.heap.resolve_later(Validity { valid: there, address, size, writes });
                    let shared = found.shared.unwrap_or(never);
                    found.shared = Some(cx.out.terms.or(shared, condition));
                    found.may_end = true;
                    cx.out.terms.and(condition, there)
                }
                Origin::Alloc(_)
                | Origin::Nothing
                | Origin::Function(_)
                | Origin::Global(_)
                | Origin::ThreadLocal(..)
                | Origin::Nowhere => never,
            };
        }
        let facts = self.heap.facts(object).clone();
        if writes && facts.read_only {
            return never;
        }
        let offset = cx.offset_in(address, object);
        let fits = cx.within(offset, size, facts.size);
        let mut valid = cx.out.terms.and(condition, fits);
        let known = path.memory.contents(object).cloned();
        if facts.reach == Reach::Own || !path.forked {
            let Some(contents) = known else { return never };
            if let Some(dead) = contents.ended() {
                let lives = cx.out.terms.not(dead);
                valid = cx.out.terms.and(valid, lives);
            }
            if cx.out.terms.as_bool(valid) != Some(false) {
                found.own.push((condition, object, offset));
            }
        } else if cx.out.terms.as_bool(valid) != Some(false) {
            let shared = found.shared.unwrap_or(never);
            found.shared = Some(cx.out.terms.or(shared, condition));
            found.may_end |= facts.may_end;
        }
        valid
    }

    /// The address may be anything that the analysis of pointers does not exclude.
    pub(crate) fn unknown_case(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &Path,
        address: TermId,
        (size, writes): (u32, bool),
        operand: Operand,
        found: &mut Destination,
    ) -> TermId {
        let mut shared = cx.terms().bool(true);
        let mut valid = cx.terms().bool(false);
        for object in self.own_candidates(cx, path, operand) {
            let here = cx.is_in(address, object);
            if cx.out.terms.as_bool(here) == Some(false) {
                continue;
            }
            let fits =
                self.case(cx, path, Target { condition: here, object, address }, (size, writes), found);
            valid = cx.out.terms.or(valid, fits);
            let elsewhere = cx.out.terms.not(here);
            shared = cx.out.terms.and(shared, elsewhere);
        }
        if path.forked {
            let somewhere = cx.flag("valid");
            self.heap.resolve_later(Validity { valid: somewhere, address, size, writes });
            let there = cx.out.terms.and(shared, somewhere);
            found.shared = Some(shared);
            found.may_end = true;
            valid = cx.out.terms.or(valid, there);
        }
        valid
    }

    /// The objects known to the path that an operand may point to.
    pub(crate) fn own_candidates(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &Path,
        operand: Operand,
    ) -> Vec<ObjectId> {
        let function = cx.point().function;
        let targets = cx.world.points_to.targets(function, operand);
        let kinds: Vec<ObjectKind> =
            targets.iter().map(|(object, _)| cx.world.points_to.objects()[*object].kind.clone()).collect();
        let mut list = Vec::new();
        for (object, _) in path.memory.objects() {
            let may = match cx.world.origin(object) {
                Origin::Global(global) | Origin::ThreadLocal(_, global) => {
                    kinds.contains(&ObjectKind::Global(global))
                }
                Origin::Alloc(_) => {
                    let site = self.heap.facts(object).site;
                    kinds.iter().any(|kind| match kind {
                        ObjectKind::Alloc { site: candidate, .. } => site.is_some_and(|site| {
                            site.function == candidate.function
                                && site.block == candidate.block
                                && site.index as usize == candidate.inst
                        }),
                        ObjectKind::Global(_) | ObjectKind::Function(_) => false,
                    })
                }
                Origin::Nothing | Origin::Function(_) | Origin::Nowhere => false,
            };
            if may && (!path.forked || self.heap.get(object).is_some_and(|facts| facts.reach == Reach::Own)) {
                list.push(object);
            }
        }
        list
    }
}
