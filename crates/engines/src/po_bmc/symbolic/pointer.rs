//! Pointers: where an address term may lead, and moving pointers.

use raddle_base::Id;
use raddle_ir::analyses::points_to::ObjectKind;
use raddle_ir::{Operand, Property};
use raddle_logic::term::{Term, TermId, Terms};

use super::execute::{Executor, Flow, Validity};
use super::path::Path;
use super::world::{ObjectId, Origin, Reach, World};

/// More targets than this are not told apart.
const MOST_TARGETS: usize = 64;

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

/// One of the objects that a pointer may belong to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// When it does.
    pub(crate) condition: TermId,
    /// Which: that of null for numbers.
    pub(crate) object: ObjectId,
    /// The pointer then.
    pub(crate) address: TermId,
}

/// Whether a value is known to be a pointer to an object, perhaps.
pub(crate) fn may_lead_somewhere(terms: &mut Terms, world: &World<'_>, value: TermId) -> bool {
    terms.width(value) == world.pointer_bits()
        && targets(terms, world, value)
            .is_some_and(|list| list.iter().any(|target| target.object.index() != 0))
}

/// The objects that a pointer may belong to; `None` if they are not known.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is taken as unknown")]
pub(crate) fn targets(terms: &mut Terms, world: &World<'_>, pointer: TermId) -> Option<Vec<Target>> {
    match terms[pointer] {
        Term::Bits { value, .. } => {
            let object = world.object_at(value).unwrap_or(ObjectId::from_index(0));
            Some(vec![Target { condition: terms.bool(true), object, address: pointer }])
        }
        Term::Ite(condition, then, otherwise) => {
            let mut list = Vec::new();
            let opposite = terms.not(condition);
            for (condition, branch) in [(condition, then), (opposite, otherwise)] {
                for target in targets(terms, world, branch)? {
                    list.push(Target { condition: terms.and(condition, target.condition), ..target });
                }
            }
            (list.len() <= MOST_TARGETS).then_some(list)
        }
        Term::Add(..) => {
            if let Some(object) = known_object(terms, world, pointer) {
                return Some(vec![Target { condition: terms.bool(true), object, address: pointer }]);
            }
            // One of the summands is the pointer that was moved, the others are offsets.
            let mut summands = Vec::new();
            collect_summands(terms, pointer, &mut summands);
            for (index, &summand) in summands.iter().enumerate() {
                if !matches!(terms[summand], Term::Ite(..)) {
                    continue;
                }
                let Some(list) = targets(terms, world, summand) else { continue };
                if list.iter().all(|target| target.object.index() == 0) {
                    continue;
                }
                let others = summands.iter().enumerate().filter(|(other, _)| *other != index);
                let offset = others.map(|(_, other)| *other).reduce(|sum, other| terms.add(sum, other))?;
                let moved = |target: Target| Target { address: terms.add(target.address, offset), ..target };
                return Some(list.into_iter().map(moved).collect());
            }
            None
        }
        _ => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "whatever is no sum is a summand")]
fn collect_summands(terms: &Terms, sum: TermId, list: &mut Vec<TermId>) {
    match terms[sum] {
        Term::Add(left, right) => {
            collect_summands(terms, left, list);
            collect_summands(terms, right, list);
        }
        _ => list.push(sum),
    }
}

/// The one object that a pointer belongs to whatever its offset, if its term is a constant pointer and an offset. A constant that
/// is no pointer is an offset, perhaps a negative one, from a pointer that is not known.
pub(crate) fn known_object(terms: &Terms, world: &World<'_>, pointer: TermId) -> Option<ObjectId> {
    let mut summands = Vec::new();
    collect_summands(terms, pointer, &mut summands);
    let mut constants = summands.into_iter().filter_map(|summand| terms.as_bits(summand));
    constants.find_map(|constant| world.real_object_at(constant))
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
        match targets(&mut self.out.terms, self.world, address) {
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

    /// Moves a pointer. One that would leave the range of its object points nowhere.
    pub(crate) fn move_pointer(&mut self, pointer: TermId, offset: TermId) -> TermId {
        let moved = self.out.terms.add(pointer, offset);
        let (bits, offset_bits) = (self.pointer_bits(), self.world.offset_bits());
        // So near that it takes several such moves, all of them out of bounds, to get to another object.
        let is_near = signed_bits(&self.out.terms, offset, 0) < offset_bits;
        let is_constant =
            self.out.terms.as_bits(moved).is_some() && self.out.terms.as_bits(pointer).is_some();
        if is_near && !is_constant {
            return moved;
        }
        let reach = 1_i128 << (offset_bits - 1);
        let (least, most) =
            (self.out.terms.signed_bits(-reach, bits), self.out.terms.signed_bits(reach, bits));
        let (above, below) = (self.out.terms.sle(least, offset), self.out.terms.sle(offset, most));
        let near = self.out.terms.and(above, below);
        let before = self.out.terms.extract(bits - 1, offset_bits, pointer);
        let after = self.out.terms.extract(bits - 1, offset_bits, moved);
        let same = self.out.terms.eq(before, after);
        let stays = self.out.terms.and(near, same);
        // Numbers made pointers move as they like among themselves.
        let (was_number, is_number) = (self.is_number(pointer), self.is_number(moved));
        let number = self.out.terms.and(was_number, is_number);
        let fine = self.out.terms.or(stays, number);
        let nowhere = self.world.object(Origin::Nowhere);
        let nowhere = self.pointer(self.world.base(nowhere));
        self.out.terms.ite(fine, moved, nowhere)
    }

    /// Whether a pointer is a number that was made a pointer, null included.
    pub(crate) fn is_number(&mut self, pointer: TermId) -> TermId {
        self.ranges().is_number(&mut self.out.terms, pointer)
    }

    /// The ranges that are for pointers.
    pub(crate) fn ranges(&self) -> Ranges {
        Ranges {
            bits: self.pointer_bits(),
            offset_bits: self.world.offset_bits(),
            room: self.world.room() as u128,
        }
    }
}

/// Which numbers are pointers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranges {
    bits: u32,
    offset_bits: u32,
    room: u128,
}

impl Ranges {
    /// Whether a pointer is a number that was made a pointer, null included.
    pub(crate) fn is_number(self, terms: &mut Terms, pointer: TermId) -> TermId {
        let range = terms.extract(self.bits - 1, self.offset_bits, pointer);
        let width = self.bits - self.offset_bits;
        let (first, room) = (terms.bits(0, width), terms.bits(self.room, width));
        let small = terms.eq(range, first);
        let negative = terms.ule(room, range);
        terms.or(small, negative)
    }
}

/// How many bits suffice to hold a term as a signed number.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is taken as unknown")]
pub(crate) fn signed_bits(terms: &Terms, term: TermId, depth: u32) -> u32 {
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
