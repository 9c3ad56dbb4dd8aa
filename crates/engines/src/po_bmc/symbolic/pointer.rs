//! Pointers: where an address term may lead, and moving pointers.

use raddle_base::Id;
use raddle_ir::analyses::points_to::ObjectKind;
use raddle_ir::{Operand, Property};
use raddle_logic::term::{Term, TermId, Terms};

use super::execute::{Executor, Flow, Validity};
use super::path::Path;
use super::world::{ObjectId, Origin, Reach};

/// More cases than this are not told apart.
const MOST_CASES: usize = 64;

/// Where an access goes.
#[derive(Debug, Default)]
pub(crate) struct Destination {
    /// Objects whose contents the path knows: when, which, and the offset.
    pub(crate) own: Vec<(TermId, ObjectId, TermId)>,
    /// When it is shared memory.
    pub(crate) shared: Option<TermId>,
    /// Whether shared objects among them may end.
    pub(crate) mortal: bool,
}

/// The addresses that a term may have, each with its condition; `None` if they are not known.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is taken as unknown")]
pub(crate) fn cases(terms: &mut Terms, address: TermId, base_of: u32) -> Option<Vec<(TermId, TermId)>> {
    match terms[address] {
        Term::Bits { .. } => Some(vec![(terms.bool(true), address)]),
        Term::Ite(condition, then, otherwise) => {
            let mut list = Vec::new();
            let opposite = terms.not(condition);
            for (condition, branch) in [(condition, then), (opposite, otherwise)] {
                for (inner, address) in cases(terms, branch, base_of)? {
                    list.push((terms.and(condition, inner), address));
                }
            }
            (list.len() <= MOST_CASES).then_some(list)
        }
        Term::Add(left, right) => {
            for (pointer, offset) in [(left, right), (right, left)] {
                let Some(list) = cases(terms, pointer, base_of) else { continue };
                let is_pointer = |address: TermId, terms: &Terms| match terms[address] {
                    Term::Bits { value, .. } => value >> base_of != 0,
                    _ => true,
                };
                if list.iter().all(|(_, address)| is_pointer(*address, terms)) {
                    return Some(
                        list.into_iter()
                            .map(|(condition, address)| (condition, terms.add(address, offset)))
                            .collect(),
                    );
                }
            }
            None
        }
        _ => None,
    }
}

/// The constant part of a sum, and whether that is all of it.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is taken as unknown")]
pub(crate) fn constant_part(terms: &Terms, address: TermId) -> Option<u128> {
    match terms[address] {
        Term::Bits { value, .. } => Some(value),
        Term::Add(left, right) => constant_part(terms, left).or_else(|| constant_part(terms, right)),
        _ => None,
    }
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
        let offset_bits = self.world.offset_bits();
        let mut found = Destination::default();
        let mut valid = self.terms().bool(false);
        match cases(&mut self.out.terms, address, offset_bits) {
            Some(list) => {
                for (condition, address) in list {
                    let object = constant_part(&self.out.terms, address)
                        .and_then(|constant| self.world.object_at(constant));
                    let Some(object) = object else { continue };
                    let fits = self.case(path, condition, object, address, (size, writes), &mut found);
                    valid = self.out.terms.or(valid, fits);
                }
            }
            None => valid = self.unknown_case(path, address, (size, writes), operand, &mut found),
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
        let base = self.pointer(self.world.base(object));
        let offset = self.out.terms.sub(address, base);
        let fits = self.within(offset, size, facts.size);
        let mut valid = self.out.terms.and(condition, fits);
        let known = path.memory.contents(object).cloned();
        if facts.reach == Reach::Own || !path.forked {
            let Some(contents) = known else { return never };
            if let Some(dead) = contents.dead {
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
        let offset_bits = self.world.offset_bits();
        let width = self.pointer_bits();
        let mut shared = self.terms().bool(true);
        let mut valid = self.terms().bool(false);
        for object in self.own_candidates(path, operand) {
            let number = self.out.terms.bits(object.index() as u128, width - offset_bits);
            let high = self.out.terms.extract(width - 1, offset_bits, address);
            let here = self.out.terms.eq(high, number);
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
        let bits = self.pointer_bits();
        let terms = &mut self.out.terms;
        let size = terms.bits(size.into(), bits);
        let large_enough = terms.ule(size, object_size);
        let last = terms.sub(object_size, size);
        let before_end = terms.ule(offset, last);
        terms.and(large_enough, before_end)
    }

    /// Moves a pointer. One that leaves its object by far points nowhere.
    pub(crate) fn move_pointer(&mut self, pointer: TermId, offset: TermId) -> TermId {
        let moved = self.out.terms.add(pointer, offset);
        let reach = self.world.offset_bits() - 1;
        if signed_bits(&self.out.terms, offset, 0) <= reach {
            return moved;
        }
        let bits = self.pointer_bits();
        let (low, high) = (-(1_i128 << (reach - 1)), (1_i128 << (reach - 1)) - 1);
        let (low, high) = (self.out.terms.signed_bits(low, bits), self.out.terms.signed_bits(high, bits));
        let (above, below) = (self.out.terms.sle(low, offset), self.out.terms.sle(offset, high));
        let near = self.out.terms.and(above, below);
        let nowhere = self.world.object(Origin::Nowhere);
        let nowhere = self.pointer(self.world.base(nowhere));
        // Integers made pointers may move as they like.
        let high_bits = self.out.terms.extract(bits - 1, reach + 1, pointer);
        let zero = self.out.terms.bits(0, bits - reach - 1);
        let is_number = self.out.terms.eq(high_bits, zero);
        let fine = self.out.terms.or(near, is_number);
        self.out.terms.ite(fine, moved, nowhere)
    }
}

/// How many bits suffice to hold a term as a signed number.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is taken as unknown")]
fn signed_bits(terms: &Terms, term: TermId, depth: u32) -> u32 {
    const DEEP: u32 = 12;
    let width = terms.width(term);
    let unsigned = terms.facts(term).significant() + 1;
    if depth > DEEP {
        return unsigned.min(width);
    }
    let of = |term: TermId| signed_bits(terms, term, depth + 1);
    let structural = match terms[term] {
        Term::Bits { value, width } => {
            let negative = value >> (width - 1) & 1 == 1;
            let magnitude = if negative { !value & raddle_logic::term::bits::mask(width) } else { value };
            128 - magnitude.leading_zeros() + 1
        }
        Term::SignExtend { of: inner, .. } => of(inner),
        Term::Add(left, right) => of(left).max(of(right)) + 1,
        Term::Mul(left, right) => of(left) + of(right),
        Term::Ite(_, then, otherwise) => of(then).max(of(otherwise)),
        Term::Shl(inner, amount) => {
            terms.as_bits(amount).map_or(width, |amount| of(inner) + u32::try_from(amount).unwrap_or(width))
        }
        _ => width,
    };
    structural.min(unsigned).min(width)
}
