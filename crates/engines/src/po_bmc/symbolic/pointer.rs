//! Pointers: where an address term may lead, and moving pointers.

use raddle_ir::analyses::points_to::ObjectKind;
use raddle_ir::{Operand, Property};
use raddle_logic::term::TermId;

use super::execute::{Executor, Flow, Validity};
use super::path::Path;
use super::world::{Origin, Reach};
use crate::semantics::{ObjectId, Target};

/// Where an access goes.
#[derive(Debug, Default)]
pub(crate) struct Destination {
    /// Objects whose contents the path knows: when, which, and the offset.
    pub(crate) own: Vec<(TermId, ObjectId, TermId)>,
    /// When it is shared memory.
    pub(crate) shared: Option<TermId>,
    /// Whether shared objects among them may end.
    pub(crate) mortal: bool,
    /// The pointer, where it can lead to one object only: its term need not tell of the cases in which it leads nowhere.
    pub(crate) address: Option<TermId>,
}

impl Executor<'_, '_> {
    /// Finds out where an access goes, checks that it goes to live memory, and goes on where it does.
    ///
    /// Reading whether a shared object lives is left to the caller, who has the step for it.
    pub(crate) fn destination(
        &mut self,
        path: &mut Path,
        address: TermId,
        size: u32,
        writes: bool,
        operand: Operand,
    ) -> Option<Destination> {
        let mut found = Destination::default();
        let mut valid = self.terms().bool(false);
        match self.world.addresses().targets(&mut self.out.terms, address) {
            Some(list) => {
                let mut possible = Vec::new();
                for Target { condition, object, address } in list {
                    let fits = self.case(path, condition, object, address, (size, writes), &mut found);
                    valid = self.out.terms.or(valid, fits);
                    if self.out.terms.as_bool(fits) != Some(false) {
                        possible.push(address);
                    }
                }
                if let [only] = possible[..] {
                    found.address = Some(only);
                }
            }
            None => valid = self.unknown_case(path, address, (size, writes), operand, &mut found),
        }
        if self.out.terms.as_bits(address).is_none() && self.out.terms.as_bool(valid) != Some(true) {
            let wild = self.may_be_address(address);
            self.guess(path, wild);
        }
        self.check(path, Property::MemorySafety, valid, "an access outside of live memory");
        match self.assume(path, valid) {
            Flow::Next => Some(found),
            Flow::Ends => None,
        }
    }

    /// One possible object. Gives the condition under which the access goes there and is within it.
    fn case(
        &mut self,
        path: &Path,
        condition: TermId,
        object: ObjectId,
        address: TermId,
        (size, writes): (u32, bool),
        found: &mut Destination,
    ) -> TermId {
        let never = self.terms().bool(false);
        if !self.exists(object) {
            return match self.world.origin(object) {
                // Made by a thread that is executed later.
                Origin::Alloc(_) if path.forked => {
                    let there = self.flag("valid");
                    self.validities.push(Validity { valid: there, address, size, writes });
                    let shared = found.shared.unwrap_or(never);
                    found.shared = Some(self.out.terms.or(shared, condition));
                    found.mortal = true;
                    self.out.terms.and(condition, there)
                }
                Origin::Alloc(_)
                | Origin::Nothing
                | Origin::Function(_)
                | Origin::Global(_)
                | Origin::ThreadLocal(..)
                | Origin::Nowhere => never,
            };
        }
        let facts = self.objects[&object].clone();
        if writes && facts.read_only {
            return never;
        }
        let offset = self.offset_in(address, object);
        let fits = self.within(offset, size, facts.size);
        let mut valid = self.out.terms.and(condition, fits);
        let known = path.memory.contents(object).cloned();
        if facts.reach == Reach::Own || !path.forked {
            let Some(contents) = known else { return never };
            if let Some(dead) = contents.ended() {
                let lives = self.out.terms.not(dead);
                valid = self.out.terms.and(valid, lives);
            }
            if self.out.terms.as_bool(valid) != Some(false) {
                found.own.push((condition, object, offset));
            }
        } else if self.out.terms.as_bool(valid) != Some(false) {
            let shared = found.shared.unwrap_or(never);
            found.shared = Some(self.out.terms.or(shared, condition));
            found.mortal |= facts.is_mortal;
        }
        valid
    }

    /// The address may be anything that the analysis of pointers does not exclude.
    fn unknown_case(
        &mut self,
        path: &Path,
        address: TermId,
        (size, writes): (u32, bool),
        operand: Operand,
        found: &mut Destination,
    ) -> TermId {
        let mut shared = self.terms().bool(true);
        let mut valid = self.terms().bool(false);
        for object in self.own_candidates(path, operand) {
            let here = self.is_in(address, object);
            if self.out.terms.as_bool(here) == Some(false) {
                continue;
            }
            let fits = self.case(path, here, object, address, (size, writes), found);
            valid = self.out.terms.or(valid, fits);
            let elsewhere = self.out.terms.not(here);
            shared = self.out.terms.and(shared, elsewhere);
        }
        if path.forked {
            let somewhere = self.flag("valid");
            self.validities.push(Validity { valid: somewhere, address, size, writes });
            let there = self.out.terms.and(shared, somewhere);
            found.shared = Some(shared);
            found.mortal = true;
            valid = self.out.terms.or(valid, there);
        }
        valid
    }

    /// The objects known to the path that an operand may point to.
    fn own_candidates(&mut self, path: &Path, operand: Operand) -> Vec<ObjectId> {
        let function = self.place().function;
        let targets = self.world.points_to.targets(function, operand);
        let kinds: Vec<ObjectKind> =
            targets.iter().map(|(object, _)| self.world.points_to.objects()[*object].kind.clone()).collect();
        let mut list = Vec::new();
        for (object, _) in path.memory.objects() {
            let may = match self.world.origin(object) {
                Origin::Global(global) | Origin::ThreadLocal(_, global) => {
                    kinds.contains(&ObjectKind::Global(global))
                }
                Origin::Alloc(_) => {
                    let site = self.objects[&object].site;
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
            if may
                && (!path.forked || self.objects.get(&object).is_some_and(|facts| facts.reach == Reach::Own))
            {
                list.push(object);
            }
        }
        list
    }

    /// Whether an access of so many bytes at an offset stays within an object.
    pub(crate) fn within(&mut self, offset: TermId, size: u32, object_size: TermId) -> TermId {
        self.world.addresses().within(&mut self.out.terms, offset, size, object_size)
    }

    /// A pointer moved by an offset.
    pub(crate) fn moved(&mut self, pointer: TermId, offset: TermId) -> TermId {
        self.world.addresses().moved(&mut self.out.terms, pointer, offset)
    }

    /// Whether a pointer belongs to an object.
    pub(crate) fn is_in(&mut self, pointer: TermId, object: ObjectId) -> TermId {
        self.world.addresses().is_in(&mut self.out.terms, pointer, object)
    }

    /// How far a pointer is behind the first byte of an object.
    pub(crate) fn offset_in(&mut self, pointer: TermId, object: ObjectId) -> TermId {
        self.world.addresses().offset_in(&mut self.out.terms, pointer, object)
    }

    /// Whether a pointer is a number that was made a pointer, null included.
    pub(crate) fn is_number(&mut self, pointer: TermId) -> TermId {
        self.world.addresses().is_number(&mut self.out.terms, pointer)
    }
}
