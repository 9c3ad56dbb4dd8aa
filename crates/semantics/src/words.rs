//! What memory holds: bytes, and a mark for each that says what it is a byte of.
//!
//! A pointer in memory is an object and an offset, a number that was made of a pointer is that of an address: one is not the
//! other, and neither are their bytes. Where a program may read one as the other ([`raddle_ir::analyses::punning`]), each byte has
//! a mark, and a *word*, the term of what some bytes hold, has the marks of its bytes above their bits. Marks go where the
//! bytes go: through copies, registers, other threads. A value that is used must be marked as what it is taken for
//! ([`is_what_it_is_taken_for`](WordLayout::is_what_it_is_taken_for)); where it is not, it is not followed.
//!
//! Invariant: splitting a word into bytes and joining them gives the word again. Direction of error: a word may be marked as pieces
//! although it was put together right; then it is not followed, never taken for something else.
//!
//! A pointer's bytes are marked as such when all of it is written at once, or copied at once. Where a part of it is copied, it is
//! not known any more what that is a part of. Null, and other numbers made pointers, are numbers.

use raddle_ir::Type;
use raddle_logic::term::{Sort, Term, TermId, Terms};
use rustc_hash::FxHashMap;

use super::pointers::AddressSpace;
use super::values;

/// Bits of a mark.
const MARK: u32 = 2;
/// The first byte of a pointer.
const FIRST: u128 = 0b10;
/// Each of the others.
const REST: u128 = 0b01;
/// A byte of a pointer that was copied without the others.
const PIECE: u128 = 0b11;
/// No larger words have marks.
const LARGEST: u32 = 8;

/// How words are made of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordLayout {
    /// Whether bytes have marks.
    pub marked: bool,
    pub pointer_bytes: u32,
}

impl WordLayout {
    /// Bits of a word.
    pub fn width(self, size: u32) -> u32 {
        if self.marked { (8 + MARK) * size } else { 8 * size }
    }

    /// The mark of every byte.
    fn all(size: u32, mark: u128) -> u128 {
        (0..size).fold(0, |marks, _| marks << MARK | mark)
    }

    /// The marks of a pointer.
    fn pointer(self) -> u128 {
        Self::all(self.pointer_bytes - 1, REST) << MARK | FIRST
    }

    /// The word of a number.
    pub fn number(self, terms: &mut Terms, bytes: TermId, size: u32) -> TermId {
        terms.resize(bytes, self.width(size), false)
    }

    /// The word of a constant number.
    pub fn constant(self, terms: &mut Terms, number: u128, size: u32) -> TermId {
        let bytes = terms.bits(number, 8 * size);
        self.number(terms, bytes, size)
    }

    /// A number that nobody knows.
    pub fn unknown(self, terms: &mut Terms, name: &str, size: u32) -> TermId {
        let bytes = terms.fresh(name, Sort::BitVec(8 * size));
        self.number(terms, bytes, size)
    }

    /// The word of a pointer; `is_number` says when it is one.
    fn of_pointer(self, terms: &mut Terms, pointer: TermId, is_number: TermId) -> TermId {
        let width = MARK * self.pointer_bytes;
        let (none, whole) = (terms.bits(0, width), terms.bits(self.pointer(), width));
        let marks = terms.ite(is_number, none, whole);
        terms.concat(marks, pointer)
    }

    /// The bytes of a word without their marks.
    pub fn bytes(self, terms: &mut Terms, word: TermId, size: u32) -> TermId {
        self.take(terms, word, (8 * size - 1, 0))
    }

    /// Bits of a word, choice by choice, so that constants stay constants.
    fn take(self, terms: &mut Terms, word: TermId, (high, low): (u32, u32)) -> TermId {
        if !self.marked {
            return terms.extract(high, low, word);
        }
        each_choice(terms, word, &mut Done::default(), &mut |terms, word| terms.extract(high, low, word))
    }

    /// The marks of a word of bytes with marks.
    fn marks(self, terms: &mut Terms, word: TermId, size: u32) -> TermId {
        self.take(terms, word, (self.width(size) - 1, 8 * size))
    }

    /// Some of the bytes of a word.
    pub fn part(self, terms: &mut Terms, (word, size): (TermId, u32), first: u32, count: u32) -> TermId {
        let bytes = terms.extract(8 * (first + count) - 1, 8 * first, word);
        if !self.marked {
            return bytes;
        }
        let marks = 8 * size;
        let marks = terms.extract(marks + MARK * (first + count) - 1, marks + MARK * first, word);
        terms.concat(marks, bytes)
    }

    /// Two words side by side.
    pub fn join(
        self,
        terms: &mut Terms,
        (low, small): (TermId, u32),
        (high, large): (TermId, u32),
    ) -> TermId {
        if !self.marked {
            return terms.concat(high, low);
        }
        let (bytes, more) = (terms.extract(8 * small - 1, 0, low), terms.extract(8 * large - 1, 0, high));
        let bytes = terms.concat(more, bytes);
        let marks = terms.extract(self.width(small) - 1, 8 * small, low);
        let more = terms.extract(self.width(large) - 1, 8 * large, high);
        let marks = terms.concat(more, marks);
        terms.concat(marks, bytes)
    }

    /// When marks are those of whole pointers and numbers.
    fn is_whole(self, terms: &mut Terms, marks: TermId, size: u32) -> TermId {
        let mut whole = terms.bool(true);
        if !size.is_multiple_of(self.pointer_bytes) {
            let none = terms.bits(0, MARK * size);
            return terms.eq(marks, none);
        }
        let width = MARK * self.pointer_bytes;
        let (none, pointer) = (terms.bits(0, width), terms.bits(self.pointer(), width));
        for part in 0..size / self.pointer_bytes {
            let marks = terms.extract(width * (part + 1) - 1, width * part, marks);
            let (is_number, is_pointer) = (terms.eq(marks, none), terms.eq(marks, pointer));
            let either = terms.or(is_number, is_pointer);
            whole = terms.and(whole, either);
        }
        whole
    }

    /// A word as it is when it was copied at once: what it has of pointers in part are pieces from now on.
    fn copied(self, terms: &mut Terms, word: TermId, size: u32) -> TermId {
        if !self.marked {
            return word;
        }
        each_choice(terms, word, &mut Done::default(), &mut |terms, word| {
            let marks = self.marks(terms, word, size);
            let whole = self.is_whole(terms, marks, size);
            let bytes = self.bytes(terms, word, size);
            let pieces = terms.bits(Self::all(size, PIECE), MARK * size);
            let torn = terms.concat(pieces, bytes);
            terms.ite(whole, word, torn)
        })
    }

    /// Whether there are no marks for an access of so many bytes.
    pub fn is_too_wide(self, size: u32) -> bool {
        self.marked && size > LARGEST
    }

    /// What a word means to an access that takes it for something.
    pub fn value(self, terms: &mut Terms, word: TermId, size: u32, view: View, pointer_bits: u32) -> TermId {
        let ty = match view {
            View::Copy => return self.copied(terms, word, size),
            View::Punned(ty) | View::Value(ty) => ty,
        };
        let bytes = self.bytes(terms, word, size);
        match ty {
            Type::Int(1) => terms.is_nonzero(bytes),
            Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr => {
                terms.resize(bytes, values::width(ty, pointer_bits), false)
            }
        }
    }

    /// When a word is marked as a value of a type: always, where there are no marks.
    pub fn is_what_it_is_taken_for(
        self,
        terms: &mut Terms,
        word: TermId,
        size: u32,
        ty: Type,
        addresses: &AddressSpace,
    ) -> TermId {
        if !self.marked {
            return terms.bool(true);
        }
        let marks = self.marks(terms, word, size);
        let none = terms.bits(0, MARK * size);
        let no_marks = terms.eq(marks, none);
        if ty != Type::Ptr {
            return no_marks;
        }
        // A number that may be an address is not known to be one.
        let bytes = self.bytes(terms, word, size);
        let is_number = addresses.is_number(terms, bytes);
        let number = terms.and(no_marks, is_number);
        let whole = terms.bits(self.pointer(), MARK * size);
        let pointer = terms.eq(marks, whole);
        terms.or(number, pointer)
    }

    /// A value as a word.
    pub fn word(
        self,
        terms: &mut Terms,
        value: TermId,
        size: u32,
        view: View,
        addresses: &AddressSpace,
    ) -> TermId {
        let bits = match terms.sort(value) {
            Sort::Bool => terms.bool_to_bit(value),
            Sort::BitVec(_) | Sort::Array { .. } => value,
        };
        if !self.marked {
            return self.number(terms, bits, size);
        }
        match view {
            View::Copy if terms.width(bits) == self.width(size) => bits,
            View::Value(Type::Ptr) | View::Punned(Type::Ptr) => self.word_of_pointer(terms, bits, addresses),
            View::Copy | View::Value(_) | View::Punned(_) => {
                let bytes = terms.resize(bits, 8 * size, false);
                self.number(terms, bytes, size)
            }
        }
    }

    /// The word of a pointer in a layout with marks.
    fn word_of_pointer(self, terms: &mut Terms, pointer: TermId, addresses: &AddressSpace) -> TermId {
        each_choice(terms, pointer, &mut Done::default(), &mut |terms, pointer| {
            // It was read as a pointer: the marks it had then are right.
            if let Term::Extract { low: 0, of, .. } = terms[pointer]
                && terms.width(of) == self.width(self.pointer_bytes)
                && terms.as_symbol(of).is_some()
            {
                return of;
            }
            let is_number = addresses.is_number(terms, pointer);
            self.of_pointer(terms, pointer, is_number)
        })
    }
}

/// Terms that something was made of.
type Done = FxHashMap<TermId, TermId>;

/// Makes something of each of the terms that a term chooses from.
fn each_choice(
    terms: &mut Terms,
    term: TermId,
    done: &mut Done,
    make: &mut impl FnMut(&mut Terms, TermId) -> TermId,
) -> TermId {
    if let Some(made) = done.get(&term) {
        return *made;
    }
    let made = if let Term::Ite(condition, then, otherwise) = terms[term] {
        let then = each_choice(terms, then, done, make);
        let otherwise = each_choice(terms, otherwise, done, make);
        terms.ite(condition, then, otherwise)
    } else {
        make(terms, term)
    };
    done.insert(term, made);
    made
}

/// What an access takes the bytes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// A value of its type. No value of another kind can be there.
    Value(Type),
    /// A value of its type, perhaps of another kind.
    Punned(Type),
    /// Bytes that are only copied.
    Copy,
}
