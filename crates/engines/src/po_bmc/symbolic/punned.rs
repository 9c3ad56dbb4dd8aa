//! Pointers that are read as numbers, and numbers that are read as pointers, without a cast.
//!
//! A pointer in memory is an object and an offset, a number that was made of a pointer is that of an address: one is not the
//! other. An analysis finds the reads that may confuse them ([`raddle_ir::analyses::punning`]); here it is seen which bytes
//! really hold which, also after they were copied. A read that may come upon such bytes is not followed.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Id, Span};
use raddle_ir::analyses::points_to::Offsets;
use raddle_ir::{Constant, FunctionId, Operand, RegisterId, Type};
use raddle_logic::term::{Term, TermId, Terms};

use super::access::Request;
use super::execute::Executor;
use super::order::Position;
use super::path::Path;
use super::pointer::{signed_bits, targets};
use super::world::{ObjectId, Origin};
use crate::po_bmc::events::{Limit, LimitKind};

/// What is not followed.
const CONFUSED: &str =
    "a pointer that is read as a number or put together from pieces, or a number that is read as a pointer";

/// A read that may come upon more parts of objects is not looked into.
const MOST_PARTS: usize = 128;

/// What was read and written, as far as it may be confused.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    /// Where pointers were written.
    pointers: Vec<Access>,
    /// Where numbers that were made of pointers were written.
    numbers: Vec<Access>,
    /// From where to where values were copied.
    copies: Vec<(Access, Access)>,
    reads: Vec<Read>,
}

/// Where registers whose values are only copied have them from.
pub(crate) type Sources = BTreeMap<RegisterId, (Position, Vec<Access>)>;

/// Where an access goes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Access {
    /// The objects, and the offsets in each; `None` for whatever the operand may point to.
    objects: Option<Vec<(ObjectId, Offsets)>>,
    function: FunctionId,
    operand: Operand,
    address: TermId,
    size: u32,
}

#[derive(Debug)]
struct Read {
    ty: Type,
    access: Access,
    reached: TermId,
    /// Whether it may come upon numbers: the number of an address is no constant.
    numbers: bool,
    span: Span,
}

/// Some bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    offsets: Offsets,
    size: u32,
}

impl Part {
    fn meets(self, other: Self) -> bool {
        let overlap = self.offsets.overlap(self.size.into(), other.offsets, other.size.into());
        overlap.same_start || overlap.partial
    }
}

/// The bytes that hold one kind of value.
#[derive(Default)]
struct Held(BTreeMap<ObjectId, BTreeSet<Part>>);

impl Held {
    /// Whether that is new.
    fn insert(&mut self, (object, part): (ObjectId, Part)) -> bool {
        self.0.entry(object).or_default().insert(part)
    }

    /// Those that share bytes with a part of an object.
    fn meeting(&self, (object, part): (ObjectId, Part)) -> impl Iterator<Item = (ObjectId, Part)> + '_ {
        let parts = self.0.get(&object).into_iter().flatten();
        parts.filter(move |held| held.meets(part)).map(move |held| (object, *held))
    }
}

impl Executor<'_, '_> {
    /// Takes notice of what was read.
    pub(crate) fn note_read(
        &mut self,
        path: &Path,
        dest: RegisterId,
        request: &Request,
        (ty, value): (Type, TermId),
    ) {
        let place = self.place();
        if self.world.is_copied(place.function, dest) {
            let access = self.access_of(request);
            self.note_source(dest, vec![access]);
        } else if self.world.is_punned(place) {
            let access = self.access_of(request);
            let (mut reached, span) = (path.guard.term(), self.span());
            let is_constant = self.out.terms.as_bits(value).is_some();
            let numbers = ty == Type::Ptr && !is_constant;
            if ty != Type::Ptr && self.out.terms.width(value) == self.pointer_bits() {
                // What is in no object's range is no pointer.
                let is_number = self.is_number(value);
                let is_pointer = self.out.terms.not(is_number);
                reached = self.out.terms.and(reached, is_pointer);
            }
            if self.out.terms.as_bool(reached) != Some(false) {
                self.holders.reads.push(Read { ty, access, reached, numbers, span });
            }
        }
    }

    /// Takes notice of what goes from one register to another.
    pub(crate) fn note_move(&mut self, dest: RegisterId, from: Operand) {
        if let Operand::Register(from) = from
            && self.world.is_copied(self.place().function, dest)
            && let Some(sources) = self.sources_of(from)
        {
            self.note_source(dest, sources);
        }
    }

    /// A register got its value from there. What another path left at the same position counts too, and what was left before where
    /// the register has several values.
    fn note_source(&mut self, dest: RegisterId, from: Vec<Access>) {
        let several = self.world.is_merged(self.place().function, dest);
        let frame = self.frames.last_mut().expect("something is being executed");
        let position = frame.position.clone();
        match frame.sources.get_mut(&dest) {
            Some((at, known)) if several || *at == position => {
                let new: Vec<Access> = from.into_iter().filter(|access| !known.contains(access)).collect();
                known.extend(new);
            }
            Some(_) | None => {
                frame.sources.insert(dest, (position, from));
            }
        }
    }

    fn sources_of(&self, register: RegisterId) -> Option<Vec<Access>> {
        let frame = self.frames.last().expect("something is being executed");
        frame.sources.get(&register).map(|(_, sources)| sources.clone())
    }

    /// Takes notice of a write.
    pub(crate) fn note_write(&mut self, (operand, value): (Operand, TermId), request: &Request, ty: Type) {
        if !self.world.has_punned() {
            return;
        }
        let function = self.place().function;
        let carries = match operand {
            Operand::Register(register) => {
                !self.world.points_to.register_targets(function, register).is_empty()
            }
            Operand::Constant(constant) => matches!(constant, Constant::Global(..) | Constant::Function(_)),
        };
        if !carries {
            return;
        }
        let access = self.access_of(request);
        let copied = operand.register().filter(|register| self.world.is_copied(function, *register));
        if let Some(sources) = copied.and_then(|register| self.sources_of(register)) {
            self.holders.copies.extend(sources.into_iter().map(|source| (source, access.clone())));
            return;
        }
        let is_constant = self.out.terms.as_bits(value).is_some();
        match ty {
            Type::Ptr => {
                let is_number = self.is_number(value);
                if self.out.terms.as_bool(is_number) != Some(true) {
                    self.holders.pointers.push(access);
                }
            }
            // The number of an address is no constant.
            Type::Int(_) | Type::F32 | Type::F64 if is_constant => {}
            Type::Int(_) | Type::F32 | Type::F64 => self.holders.numbers.push(access),
        }
    }

    fn access_of(&mut self, request: &Request) -> Access {
        let list = targets(&mut self.out.terms, self.world, request.address);
        let objects = list.map(|list| {
            let offsets = |object: ObjectId, address: TermId| {
                let base = i64::try_from(self.world.base(object)).map_or(Offsets::ANY, Offsets::exactly);
                multiples(&self.out.terms, address, 0).plus(base.times(-1))
            };
            list.into_iter().map(|target| (target.object, offsets(target.object, target.address))).collect()
        });
        Access {
            objects,
            function: self.place().function,
            operand: request.operand,
            address: request.address,
            size: request.size,
        }
    }

    /// The bytes that an access may go to, when all objects are known.
    fn parts(&self, access: &Access) -> Vec<(ObjectId, Part)> {
        let found = self.world.points_to.targets(access.function, access.operand);
        let objects = match &access.objects {
            Some(objects) => objects.clone(),
            None => {
                let candidates = self.candidates_of(access.function, access.operand);
                candidates.into_iter().map(|object| (object, Offsets::ANY)).collect()
            }
        };
        let mut parts = Vec::new();
        for (object, offsets) in objects {
            let mut add = |offsets: Offsets| parts.push((object, Part { offsets, size: access.size }));
            if offsets.step() != 1 {
                add(offsets);
                continue;
            }
            let mut known = false;
            for (candidate, offsets) in &found {
                if self.stands_for(*candidate, object) {
                    add(*offsets);
                    known = true;
                }
            }
            if !known {
                add(Offsets::ANY);
            }
        }
        parts
    }

    /// The bytes that hold pointers, those that hold numbers made of pointers, and those that hold pieces of pointers.
    fn held(&self, holders: &Holders) -> [Held; 3] {
        let (mut pointers, mut numbers) = (Held::default(), Held::default());
        let size = self.pointer_bits() / 8;
        for index in 0..self.world.object_count() {
            let object = ObjectId::from_index(index);
            if let Origin::Global(global) | Origin::ThreadLocal(_, global) = self.world.origin(object) {
                for init in &self.world.program.globals[global].init {
                    if matches!(init.value, Constant::Global(..) | Constant::Function(_)) {
                        let offsets = i64::try_from(init.offset).map_or(Offsets::ANY, Offsets::exactly);
                        pointers.insert((object, Part { offsets, size }));
                    }
                }
            }
        }
        for (held, written) in [(&mut pointers, &holders.pointers), (&mut numbers, &holders.numbers)] {
            for part in written.iter().flat_map(|access| self.parts(access)) {
                held.insert(part);
            }
        }
        let copies: Vec<_> = holders
            .copies
            .iter()
            .map(|(from, to)| (self.parts(from), self.parts(to), from.size < size))
            .collect();
        let mut held = [pointers, numbers, Held::default()];
        let mut changed = true;
        while changed {
            changed = false;
            for (from, to, is_piece) in &copies {
                let [pointers, _, pieces] = &mut held;
                if *is_piece && from.iter().any(|part| pointers.meeting(*part).next().is_some()) {
                    for part in to {
                        changed |= pieces.insert(*part);
                    }
                }
                for held in &mut held {
                    if from.iter().any(|part| held.meeting(*part).next().is_some()) {
                        for part in to {
                            changed |= held.insert(*part);
                        }
                    }
                }
            }
        }
        held
    }

    /// When an access comes upon one of these parts.
    fn comes_upon(&mut self, access: &Access, parts: &BTreeSet<(ObjectId, Part)>) -> TermId {
        let (bits, offset_bits) = (self.pointer_bits(), self.world.offset_bits());
        if parts.len() > MOST_PARTS || self.out.terms.as_bits(access.address).is_some() {
            return self.out.terms.bool(true);
        }
        let mut some = self.out.terms.bool(false);
        for &(object, part) in parts {
            let here = match part.offsets.exact() {
                Some(offset) => {
                    let first = self.pointer(self.world.base(object));
                    let before = i128::from(offset) - i128::from(access.size) + 1;
                    let before = self.out.terms.signed_bits(before, bits);
                    let first = self.out.terms.add(first, before);
                    let distance = self.out.terms.sub(access.address, first);
                    let size = self.out.terms.bits((access.size + part.size - 1).into(), bits);
                    self.out.terms.ult(distance, size)
                }
                None => {
                    let range = self.out.terms.bits(object.index() as u128, bits - offset_bits);
                    let high = self.out.terms.extract(bits - 1, offset_bits, access.address);
                    self.out.terms.eq(high, range)
                }
            };
            some = self.out.terms.or(some, here);
        }
        some
    }

    /// When all is executed: which reads are not followed.
    pub(crate) fn settle_punned(&mut self) {
        let holders = std::mem::take(&mut self.holders);
        if holders.reads.is_empty() {
            return;
        }
        let [pointers, numbers, pieces] = self.held(&holders);
        for read in holders.reads {
            let nothing = Held::default();
            let (others, torn) = match read.ty {
                Type::Ptr => (if read.numbers { &numbers } else { &nothing }, &pieces),
                Type::Int(_) | Type::F32 | Type::F64 => (&pointers, &nothing),
            };
            let parts = self.parts(&read.access);
            let met: BTreeSet<(ObjectId, Part)> =
                parts.into_iter().flat_map(|part| others.meeting(part).chain(torn.meeting(part))).collect();
            if met.is_empty() {
                continue;
            }
            let here = self.comes_upon(&read.access, &met);
            let reached = self.out.terms.and(read.reached, here);
            if self.out.terms.as_bool(reached) != Some(false) {
                // What is made of the value counts for nothing: a counterexample need not replay.
                self.report.opaque.push((reached, CONFUSED));
                let kind = LimitKind::Unsupported(CONFUSED.to_owned());
                self.out.limits.push(Limit { kind, reached, span: read.span });
            }
        }
    }
}

/// The values that a term may have, as a signed number.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into may be anything")]
fn multiples(terms: &Terms, term: TermId, depth: u32) -> Offsets {
    const DEEP: u32 = 8;
    let width = terms.width(term);
    let power = |bits: u32| 1_u64 << bits.min(62);
    let any = {
        let zeros = terms.facts(term).zeros.trailing_ones().min(width);
        Offsets::every(power(zeros), 0)
    };
    if depth > DEEP {
        return any;
    }
    let of = |term: TermId| multiples(terms, term, depth + 1);
    let bits = |term: TermId| signed_bits(terms, term, 0);
    let (values, needed) = match terms[term] {
        Term::Bits { value, .. } => {
            let shift = 128 - width;
            let value = (value << shift).cast_signed() >> shift;
            return i64::try_from(value).map_or(any, Offsets::exactly);
        }
        Term::Ite(_, then, otherwise) => return of(then).join(of(otherwise)),
        Term::SignExtend { of: inner, .. } => return of(inner),
        Term::Concat(high, low) if terms.as_bits(high) == Some(0) => {
            return of(low).plus(Offsets::every(power(terms.width(low)), 0));
        }
        // A product with a power of two.
        Term::Concat(high, low) => {
            let (Some(low_bits), shift) = (terms.as_bits(low), terms.width(low)) else { return any };
            match i64::try_from(low_bits) {
                Ok(number) if shift < 62 => {
                    return of(high).times(1 << shift).plus(Offsets::exactly(number));
                }
                Ok(_) | Err(_) => return any,
            }
        }
        Term::Extract { low: 0, of: inner, .. } => (of(inner), bits(inner)),
        Term::Add(left, right) => (of(left).plus(of(right)), bits(left).max(bits(right)) + 1),
        Term::Mul(left, right) => {
            let (factor, other) = if terms.as_bits(left).is_some() { (left, right) } else { (right, left) };
            match of(factor).exact() {
                Some(number) => (of(other).times(number), bits(factor) + bits(other)),
                None => return any,
            }
        }
        Term::Shl(inner, amount) => match terms.as_bits(amount).and_then(|amount| u32::try_from(amount).ok())
        {
            Some(amount) if amount < 62 => (of(inner).times(1 << amount), bits(inner) + amount),
            _ => return any,
        },
        _ => return any,
    };
    // What wraps around keeps a remainder modulo a power of two.
    if needed <= width { values } else { values.wrapped().plus(Offsets::every(power(width), 0)) }
}
