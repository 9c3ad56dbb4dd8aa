//! Pointers as terms: which object a pointer belongs to, moving pointers, whether an access stays within an object.
//!
//! A pointer is an object and a signed offset, in one number. Every object has a range of its own, [`AddressSpace::span`] numbers
//! long, and begins in the middle of it: the high bits of a pointer tell its object also when it points before the
//! object or behind it, and a pointer that would leave its range points nowhere ([`AddressSpace::nowhere`]). The first range and
//! those from [`AddressSpace::room`] on are for numbers made pointers: null, small numbers and negative ones. Functions
//! have ranges too. This is how pointers are told apart, not where objects lie in memory: nothing that the program can
//! observe may be computed from it.
//!
//! Invariant: a pointer term made by [`moved`](AddressSpace::moved) from one with the high bits of an object has these high bits, or those of
//! `nowhere`. Direction of error: [`targets`](AddressSpace::targets) may not know the objects of a term; those that it gives are all.

use raddle_base::{Id, define_id};
use raddle_logic::term::{Term, TermFacts, TermId, Terms};

define_id!(
    /// An object that pointers can belong to. The first is that of null and of all numbers made pointers.
    pub struct ObjectId, "object"
);

/// More targets than this are not told apart.
const MOST_TARGETS: usize = 64;
/// Symbolic offsets are followed to at most so many constant ones.
const MOST_OFFSETS: u64 = 4096;

/// How the numbers of pointers are divided among objects. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct AddressSpace {
    pointer_bits: u32,
    /// Bits of an offset in an object's range.
    offset_bits: u32,
    /// How many objects there are so far.
    objects: usize,
    nowhere: ObjectId,
}

/// One of the objects that a pointer may belong to.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// When it does.
    pub condition: TermId,
    /// Which: that of null for numbers.
    pub object: ObjectId,
    /// The pointer then.
    pub address: TermId,
}

impl AddressSpace {
    /// Room for objects that are smaller than half of `2^offset_bits`.
    pub fn new(pointer_bits: u32, offset_bits: u32, objects: usize, nowhere: ObjectId) -> Self {
        Self { pointer_bits, offset_bits, objects, nowhere }
    }

    /// There is one more object.
    pub fn add_object(&mut self) {
        self.objects += 1;
    }

    /// What a pointer belongs to that has left its object by far.
    pub fn nowhere(&self) -> ObjectId {
        self.nowhere
    }

    pub fn offset_bits(&self) -> u32 {
        self.offset_bits
    }

    /// Bytes of an object's range.
    pub fn span(&self) -> u128 {
        1 << self.offset_bits
    }

    /// How many ranges there are for objects. Those above are for negative numbers.
    pub fn room(&self) -> usize {
        3 << ((self.pointer_bits - self.offset_bits).min(31) - 2)
    }

    /// How large an object can be: one past its end is still in its range.
    pub fn largest(&self) -> u128 {
        self.span() / 2 - 1
    }

    /// A pointer to an object's first byte.
    pub fn base(&self, object: ObjectId) -> u128 {
        match object.index() {
            0 => 0,
            index => ((index as u128) << self.offset_bits) + self.span() / 2,
        }
    }

    /// The object that a pointer belongs to: that of null for small numbers, none for what is no pointer.
    pub fn object_at(&self, pointer: u128) -> Option<ObjectId> {
        let index = usize::try_from(pointer >> self.offset_bits).ok()?;
        (index < self.objects).then(|| ObjectId::from_index(index))
    }

    /// The object that a pointer belongs to, if it is no number.
    pub fn real_object_at(&self, pointer: u128) -> Option<ObjectId> {
        self.object_at(pointer).filter(|object| object.index() > 0)
    }

    /// A constant pointer.
    pub fn pointer(&self, terms: &mut Terms, address: u128) -> TermId {
        terms.bits(address, self.pointer_bits)
    }

    /// A pointer to an object's first byte, as a term.
    pub fn first_byte(&self, terms: &mut Terms, object: ObjectId) -> TermId {
        self.pointer(terms, self.base(object))
    }

    /// The high bits of a pointer, which tell its object.
    pub fn range_of(&self, terms: &mut Terms, pointer: TermId) -> TermId {
        terms.extract(self.pointer_bits - 1, self.offset_bits, pointer)
    }

    /// Whether a pointer belongs to an object.
    pub fn is_in(&self, terms: &mut Terms, pointer: TermId, object: ObjectId) -> TermId {
        let range = terms.bits(object.index() as u128, self.pointer_bits - self.offset_bits);
        let high = self.range_of(terms, pointer);
        terms.eq(high, range)
    }

    /// How far a pointer is behind the first byte of its object.
    pub fn offset_in(&self, terms: &mut Terms, pointer: TermId, object: ObjectId) -> TermId {
        let base = self.first_byte(terms, object);
        terms.sub(pointer, base)
    }

    /// The same without knowing the object, for a pointer that belongs to one.
    pub fn offset_in_range(&self, terms: &mut Terms, pointer: TermId) -> TermId {
        let low = terms.extract(self.offset_bits - 1, 0, pointer);
        // Every object begins in the middle of its range.
        let middle = terms.bits(self.span() / 2, self.offset_bits);
        let offset = terms.sub(low, middle);
        terms.resize(offset, self.pointer_bits, false)
    }

    /// Whether an access of so many bytes at an offset stays within an object.
    pub fn within(&self, terms: &mut Terms, offset: TermId, size: u32, object_size: TermId) -> TermId {
        let size = terms.bits(size.into(), self.pointer_bits);
        let large_enough = terms.ule(size, object_size);
        let last = terms.sub(object_size, size);
        let before_end = terms.ule(offset, last);
        terms.and(large_enough, before_end)
    }

    /// Whether a pointer is a number that was made a pointer, null included.
    pub fn is_number(&self, terms: &mut Terms, pointer: TermId) -> TermId {
        let range = self.range_of(terms, pointer);
        let width = self.pointer_bits - self.offset_bits;
        let (first, room) = (terms.bits(0, width), terms.bits(self.room() as u128, width));
        let small = terms.eq(range, first);
        let negative = terms.ule(room, range);
        terms.or(small, negative)
    }

    /// A pointer moved by an offset. One that would leave the range of its object points nowhere.
    pub fn moved(&self, terms: &mut Terms, pointer: TermId, offset: TermId) -> TermId {
        let moved = terms.add(pointer, offset);
        // So near that it takes several such moves, all of them out of bounds, to get to another object.
        let is_near = signed_bits(terms, offset, 0) < self.offset_bits;
        let is_constant = terms.as_bits(moved).is_some() && terms.as_bits(pointer).is_some();
        if is_near && !is_constant {
            return moved;
        }
        let reach = 1_i128 << (self.offset_bits - 1);
        let bits = self.pointer_bits;
        let (least, most) = (terms.signed_bits(-reach, bits), terms.signed_bits(reach, bits));
        let (above, below) = (terms.sle(least, offset), terms.sle(offset, most));
        let near = terms.and(above, below);
        let (before, after) = (self.range_of(terms, pointer), self.range_of(terms, moved));
        let same = terms.eq(before, after);
        let stays = terms.and(near, same);
        // Numbers made pointers move as they like among themselves.
        let (was_number, is_number) = (self.is_number(terms, pointer), self.is_number(terms, moved));
        let number = terms.and(was_number, is_number);
        let fine = terms.or(stays, number);
        let nowhere = self.first_byte(terms, self.nowhere);
        terms.ite(fine, moved, nowhere)
    }

    /// A pointer to the first byte of the object that a pointer belongs to.
    pub fn first_address(&self, terms: &mut Terms, pointer: TermId) -> TermId {
        // Target by target, so that constants stay constants.
        if let Some(list) = self.targets(terms, pointer) {
            let mut first = None;
            for target in list {
                let base = self.first_byte(terms, target.object);
                first = Some(first.map_or(base, |rest| terms.ite(target.condition, base, rest)));
            }
            return first.expect("a pointer has a target");
        }
        let high = self.range_of(terms, pointer);
        let middle = terms.bits(self.span() / 2, self.offset_bits);
        terms.concat(high, middle)
    }

    /// The objects that a pointer may belong to; `None` if they are not known.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is taken as unknown")]
    pub fn targets(&self, terms: &mut Terms, pointer: TermId) -> Option<Vec<Target>> {
        match terms[pointer] {
            Term::Bits { value, .. } => {
                let object = self.object_at(value).unwrap_or(ObjectId::from_index(0));
                Some(vec![Target { condition: terms.bool(true), object, address: pointer }])
            }
            Term::Ite(condition, then, otherwise) => {
                let mut list = Vec::new();
                let opposite = terms.not(condition);
                for (condition, branch) in [(condition, then), (opposite, otherwise)] {
                    for target in self.targets(terms, branch)? {
                        list.push(Target { condition: terms.and(condition, target.condition), ..target });
                    }
                }
                (list.len() <= MOST_TARGETS).then_some(list)
            }
            Term::Add(..) => {
                if let Some(object) = self.known_object(terms, pointer) {
                    return Some(vec![Target { condition: terms.bool(true), object, address: pointer }]);
                }
                // One of the summands is the pointer that was moved, the others are offsets.
                let mut summands = Vec::new();
                collect_summands(terms, pointer, &mut summands);
                for (index, &summand) in summands.iter().enumerate() {
                    if !matches!(terms[summand], Term::Ite(..)) {
                        continue;
                    }
                    let Some(list) = self.targets(terms, summand) else { continue };
                    if list.iter().all(|target| target.object.index() == 0) {
                        continue;
                    }
                    let others = summands.iter().enumerate().filter(|(other, _)| *other != index);
                    let offset =
                        others.map(|(_, other)| *other).reduce(|sum, other| terms.add(sum, other))?;
                    let moved =
                        |target: Target| Target { address: terms.add(target.address, offset), ..target };
                    return Some(list.into_iter().map(moved).collect());
                }
                None
            }
            _ => None,
        }
    }

    /// The one object that a pointer belongs to whatever its offset, if its term is a constant pointer and an offset. A constant
    /// that is no pointer is an offset, perhaps a negative one, from a pointer that is not known.
    pub fn known_object(&self, terms: &Terms, pointer: TermId) -> Option<ObjectId> {
        let mut summands = Vec::new();
        collect_summands(terms, pointer, &mut summands);
        let mut constants = summands.into_iter().filter_map(|summand| terms.as_bits(summand));
        constants.find_map(|constant| self.real_object_at(constant))
    }

    /// Whether a value is known to be a pointer to an object, perhaps.
    pub fn may_lead_somewhere(&self, terms: &mut Terms, value: TermId) -> bool {
        terms.width(value) == self.pointer_bits
            && self
                .targets(terms, value)
                .is_some_and(|list| list.iter().any(|target| target.object.index() != 0))
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

/// How many bits suffice to hold a term as a signed number.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is taken as unknown")]
pub fn signed_bits(terms: &Terms, term: TermId, depth: u32) -> u32 {
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

/// The constants that an offset of an access may be, by what is known of its bits; `None` if they are too many.
pub fn possible_offsets(terms: &Terms, offset: TermId, size: u32, object_size: u128) -> Option<Vec<u64>> {
    if let Some(offset) = terms.as_bits(offset) {
        return Some(vec![u64::try_from(offset).ok()?]);
    }
    let facts = terms.facts(offset);
    let last = u64::try_from(object_size.min(facts.max + u128::from(size))).ok()?;
    let last = last.checked_sub(u64::from(size))?;
    let step = 1_u64 << low_bits(&facts).min(40);
    let begin = u64::try_from(facts.min).ok()?;
    if begin > last {
        return Some(Vec::new());
    }
    let first = begin.next_multiple_of(step) + u64::try_from(facts.ones).ok()? % step;
    let first = if first >= begin + step { first - step } else { first };
    if last.saturating_sub(first) / step > MOST_OFFSETS {
        return None;
    }
    let fits = |offset: &u64| {
        let offset = u128::from(*offset);
        offset & facts.zeros == 0
            && offset & facts.ones == facts.ones
            && (facts.min..=facts.max).contains(&offset)
    };
    let all = (first..=last).step_by(usize::try_from(step).ok()?);
    Some(all.filter(fits).collect())
}

/// How many of the lowest bits are known.
fn low_bits(facts: &TermFacts) -> u32 {
    (facts.zeros | facts.ones).trailing_ones()
}

/// Whether two accesses at constant addresses share bytes.
pub fn overlap((first, size): (u128, u32), (second, other): (u128, u32)) -> bool {
    first < second + u128::from(other) && second < first + u128::from(size)
}

/// Whether a write may change some bytes of a word and not all, by what is known of the low bits of the addresses.
pub fn overlap_in_part(terms: &Terms, (word, word_size): (TermId, u32), (part, size): (TermId, u32)) -> bool {
    let (word, part) = (terms.facts(word), terms.facts(part));
    let (word_end, part_end) = (word.max + u128::from(word_size), part.max + u128::from(size));
    if word_end <= part.min || part_end <= word.min {
        return false;
    }
    if word.min == word.max && part.min == part.max {
        return word.min < part.min || part_end < word_end;
    }
    let block = low_bits(&word).min(low_bits(&part)).min(64);
    // Where each begins within blocks of a size; what reaches beyond the end of its block goes on in the next one.
    let block = 1_u128 << block;
    let distance = part.ones.wrapping_sub(word.ones) % block;
    let overlaps = distance < u128::from(word_size) || distance + u128::from(size) > block;
    overlaps && (distance != 0 || size < word_size || block < u128::from(word_size))
}
