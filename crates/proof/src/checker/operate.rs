//! What is computed from registers: numbers bit by bit, pointers as far as objects are known.

use raddle_base::{Id, Span};
use raddle_ir::{BinaryOp, CastOp, CompareOp, Operand, Property, RegisterId, Rvalue, Type, UnaryOp};
use raddle_logic::term::TermId;
use raddle_semantics::pointers::signed_bits;
use raddle_semantics::{ObjectId, values};

use super::Refusal;
use super::explore::{Explorer, Flow};
use super::objects::Origin;
use super::races::Touch;
use super::state::{Asked, State};

/// What lies in the first page and in the last is no object.
pub(super) const PAGE: u128 = 4096;

impl Explorer<'_> {
    #[expect(clippy::too_many_lines, reason = "one flat match")]
    pub(super) fn assign(
        &mut self,
        state: &mut State,
        dest: RegisterId,
        value: &Rvalue,
        span: Span,
    ) -> Result<Flow, Refusal> {
        let ty = self.register_type(state, dest);
        let result = match value {
            Rvalue::Use(operand) => self.operand(state, *operand)?,
            Rvalue::Unary(op, operand) => {
                let term = self.operand(state, *operand)?;
                match op {
                    UnaryOp::FloatNeg | UnaryOp::FloatSqrt | UnaryOp::FloatAbs => self.any(ty),
                    UnaryOp::Neg
                    | UnaryOp::Not
                    | UnaryOp::CountLeadingZeros
                    | UnaryOp::CountTrailingZeros
                    | UnaryOp::PopCount
                    | UnaryOp::ByteSwap => values::unary(&mut self.terms, *op, term, ty),
                }
            }
            Rvalue::Binary(op, left, right) => {
                let (a, b) = (self.operand(state, *left)?, self.operand(state, *right)?);
                let of = self.operand_type(state, *left);
                match op {
                    BinaryOp::FloatAdd | BinaryOp::FloatSub | BinaryOp::FloatMul | BinaryOp::FloatDiv => {
                        self.any(ty)
                    }
                    BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Xor
                    | BinaryOp::SignedDiv
                    | BinaryOp::UnsignedDiv
                    | BinaryOp::SignedRem
                    | BinaryOp::UnsignedRem
                    | BinaryOp::Shl
                    | BinaryOp::SignedShr
                    | BinaryOp::UnsignedShr => {
                        let computed = values::binary(&mut self.terms, *op, a, b, of);
                        let what = || "the operation has a result".to_owned();
                        let defined = (computed.defined, computed.defined);
                        if self.demand(state, Property::Arithmetic, defined, what, span) == Flow::Over {
                            return Ok(Flow::Over);
                        }
                        let what = || "the operation does not overflow".to_owned();
                        if self.demand(state, Property::Overflow, (computed.fits, computed.fits), what, span)
                            == Flow::Over
                        {
                            return Ok(Flow::Over);
                        }
                        computed.result
                    }
                }
            }
            Rvalue::Compare(op, left, right) => {
                let (a, b) = (self.operand(state, *left)?, self.operand(state, *right)?);
                match (op, self.operand_type(state, *left)) {
                    (_, Type::Ptr) => self.compare_pointers(*op, a, b),
                    (CompareOp::FloatEqual | CompareOp::FloatLess | CompareOp::FloatLessEqual, _)
                    | (_, Type::F32 | Type::F64) => self.any(ty),
                    (_, of @ Type::Int(_)) => values::compare(&mut self.terms, *op, a, b, of),
                }
            }
            Rvalue::Cast(op, operand) => {
                let from = self.operand_type(state, *operand);
                let term = self.operand(state, *operand)?;
                self.cast(*op, term, from, ty)
            }
            Rvalue::Select(condition, then, otherwise) => {
                let condition = self.operand(state, *condition)?;
                let (a, b) = (self.operand(state, *then)?, self.operand(state, *otherwise)?);
                let made = self.terms.ite(condition, a, b);
                self.objects.derive(&self.terms, made, &[a, b])
            }
            Rvalue::PointerAdd(pointer, offset) => {
                let (pointer, offset) = (self.operand(state, *pointer)?, self.operand(state, *offset)?);
                self.moved(pointer, offset)
            }
            Rvalue::PointerDifference(left, right) => {
                let (a, b) = (self.operand(state, *left)?, self.operand(state, *right)?);
                match (self.one_object(a), self.one_object(b)) {
                    (Some((object, first)), Some((other, second)))
                        if object == other && self.is_one(object) =>
                    {
                        self.terms.sub(first, second)
                    }
                    (Some(_) | None, _) => self.any(ty),
                }
            }
            Rvalue::Overflows(op, left, right) => {
                let (a, b) = (self.operand(state, *left)?, self.operand(state, *right)?);
                values::overflows(&mut self.terms, *op, a, b)
            }
            Rvalue::ThreadLocal(global) => {
                let object = self.objects.id(Origin::ThreadLocal(*global));
                let object = object.ok_or_else(|| {
                    Refusal::new("there are too many objects for pointers of this width", span)
                })?;
                self.pointer_at(object, 0)
            }
            Rvalue::CurrentThread => self.own_id(state),
            // That a thread exists is known of oneself, of the main thread, and of those that were started before.
            Rvalue::ThreadExists(thread) => {
                let thread = self.operand(state, *thread)?;
                let mut exists = self.any(Type::Int(1));
                state.asked.push(Asked { holds: exists, thread, forks: state.forks.len() });
                // In a product threads have numbers, which say it.
                if !self.is_product {
                    let mut known = vec![self.terms.bits(0, 32), self.own_id(state)];
                    known.extend(state.forks.iter().map(|fork| fork.id));
                    let started = self.facts.started[state.from].iter().flatten();
                    known.extend(started.filter(|of| self.facts.single[**of]).map(|of| self.identities[*of]));
                    for id in known {
                        let same = self.terms.eq(thread, id);
                        exists = self.terms.or(exists, same);
                    }
                }
                state.exist.push((thread, exists));
                exists
            }
            Rvalue::ObjectSize(pointer) => {
                let pointer = self.operand(state, *pointer)?;
                self.escape(pointer);
                self.any(ty)
            }
            Rvalue::HoldsLock(lock) | Rvalue::LockIsFree(lock) | Rvalue::Peek(lock, _) => {
                return self.look(state, (dest, value), *lock, span);
            }
        };
        self.set(state, dest, result);
        Ok(Flow::Next)
    }

    /// Looks at a lock word, or at one that may never have been written.
    fn look(
        &mut self,
        state: &mut State,
        (dest, value): (RegisterId, &Rvalue),
        lock: Operand,
        span: Span,
    ) -> Result<Flow, Refusal> {
        let address = self.operand(state, lock)?;
        let access = self.resolve(state, address, 4, false);
        if self.begin(state, &access, span, Touch::Looks) == Flow::Over {
            return Ok(Flow::Over);
        }
        let word = self.read(state, &access, Type::Int(32));
        let result = if matches!(value, Rvalue::HoldsLock(_)) {
            let (id, one) = (self.own_id(state), self.terms.bits(1, 32));
            let held = self.terms.add(id, one);
            self.terms.eq(word, held)
        } else if matches!(value, Rvalue::LockIsFree(_)) {
            let zero = self.terms.bits(0, 32);
            self.terms.eq(word, zero)
        } else if self.is_always_written(address) {
            word
        } else {
            self.any(Type::Int(32))
        };
        self.set(state, dest, result);
        Ok(Flow::Next)
    }

    /// Whether a pointer leads to static storage only, which counts as written.
    fn is_always_written(&mut self, pointer: TermId) -> bool {
        let Some(targets) = self.known_targets(pointer) else { return false };
        targets.iter().all(|target| match self.objects.origin(target.object) {
            Origin::Global(_) => !self.facts.is_forgotten(target.object),
            Origin::Number
            | Origin::Nowhere
            | Origin::Function(_)
            | Origin::ThreadLocal(_)
            | Origin::Made { .. }
            | Origin::Life(_) => false,
        })
    }

    fn cast(&mut self, op: CastOp, term: TermId, from: Type, to: Type) -> TermId {
        let bits = self.objects.pointer_bits;
        match op {
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend | CastOp::Bits => {
                values::cast(&mut self.terms, op, term, (from, to), bits)
            }
            CastOp::PointerToInt => {
                let null = self.terms.bits(0, bits);
                if term == null {
                    return term;
                }
                // As a number it may come back anywhere.
                self.escape(term);
                self.any(to)
            }
            CastOp::IntToPointer => match self.terms.as_bits(term) {
                Some(number) if number < PAGE => term,
                Some(_) | None => self.any(to),
            },
            CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::FloatToFloat => self.any(to),
        }
    }

    /// A pointer moved by an offset. It keeps its object: where it would leave the range of that it leads nowhere.
    fn moved(&mut self, pointer: TermId, offset: TermId) -> TermId {
        let zero = self.terms.bits(0, self.objects.pointer_bits);
        if offset == zero {
            return pointer;
        }
        let is_near = signed_bits(&self.terms, offset, 0) < self.objects.space.offset_bits();
        let Some(targets) = self.known_targets(pointer) else {
            self.escape(pointer);
            return self.any(Type::Ptr);
        };
        let mut result = None;
        for target in targets {
            let moved = self.moved_target(target.object, (target.address, offset), is_near);
            result = Some(match result {
                None => moved,
                Some(rest) => {
                    let made = self.terms.ite(target.condition, moved, rest);
                    self.objects.derive(&self.terms, made, &[moved, rest])
                }
            });
        }
        result.unwrap_or_else(|| self.any(Type::Ptr))
    }

    fn moved_target(
        &mut self,
        object: ObjectId,
        (address, offset): (TermId, TermId),
        is_near: bool,
    ) -> TermId {
        let nowhere = self.objects.nowhere(&mut self.terms);
        if object.index() < 2 {
            // Null and numbers lead nowhere, wherever they are moved; a small number is still one.
            let sum = self.terms.add(address, offset);
            let is_small = self.terms.as_bits(sum).is_some_and(|sum| sum < PAGE);
            return if object.index() == 0 && is_small { sum } else { nowhere };
        }
        let made = self.terms.add(address, offset);
        let distance = self.objects.space.offset_in(&mut self.terms, made, object);
        let bits = self.objects.space.offset_bits();
        let stays = signed_bits(&self.terms, distance, 0) < bits;
        if let Some(number) = self.terms.as_bits(made) {
            let is_inside = self.objects.space.real_object_at(number) == Some(object);
            return if is_inside { made } else { nowhere };
        }
        if !is_near || self.objects.space.known_object(&self.terms, made) != Some(object) {
            self.escape(address);
            return self.any(Type::Ptr);
        }
        self.objects.derive(&self.terms, made, &[address]);
        if stays {
            return made;
        }
        let inside = self.objects.space.is_in(&mut self.terms, made, object);
        let result = self.terms.ite(inside, made, nowhere);
        self.objects.derive(&self.terms, result, &[address])
    }

    /// The only object that a pointer may lead to, and where in it.
    fn one_object(&mut self, pointer: TermId) -> Option<(ObjectId, TermId)> {
        let targets = self.known_targets(pointer)?;
        let [target] = targets.as_slice() else { return None };
        let (object, address) = (target.object, target.address);
        (object.index() > 1).then(|| (object, self.objects.space.offset_in(&mut self.terms, address, object)))
    }

    /// Whether a number of an object stands for one object only, as far as this thread can see.
    fn is_one(&self, object: ObjectId) -> bool {
        match self.objects.origin(object) {
            Origin::Function(_) | Origin::Global(_) => true,
            Origin::ThreadLocal(_) | Origin::Made { .. } => self.is_private(object),
            Origin::Number | Origin::Nowhere | Origin::Life(_) => false,
        }
    }

    /// Compares pointers. What depends on where objects lie may be either.
    pub(super) fn compare_pointers(&mut self, op: CompareOp, left: TermId, right: TermId) -> TermId {
        let negates = match op {
            CompareOp::Equal => false,
            CompareOp::NotEqual => true,
            CompareOp::SignedLess
            | CompareOp::SignedLessEqual
            | CompareOp::UnsignedLess
            | CompareOp::UnsignedLessEqual
            | CompareOp::FloatEqual
            | CompareOp::FloatLess
            | CompareOp::FloatLessEqual => return self.any(Type::Int(1)),
        };
        let equal = self.equal_pointers(left, right);
        if negates { self.terms.not(equal) } else { equal }
    }

    fn equal_pointers(&mut self, left: TermId, right: TermId) -> TermId {
        let (first, second) = (self.known_targets(left), self.known_targets(right));
        if let (Some(first), Some(second)) = (&first, &second) {
            let mut equal = self.terms.bool(false);
            for a in first {
                for b in second {
                    let both = self.terms.and(a.condition, b.condition);
                    let same = self.equal_constants((a.object, a.address), (b.object, b.address));
                    let here = self.terms.and(both, same);
                    equal = self.terms.or(equal, here);
                }
            }
            return equal;
        }
        // A loaded pointer is null, or it is not; what it is equal to else depends on where things lie.
        let null = self.terms.bits(0, self.objects.pointer_bits);
        let other = if left == null { right } else { left };
        let any = self.any(Type::Int(1));
        if left != null && right != null {
            return any;
        }
        let is_null = self.terms.eq(other, null);
        let offset = self.objects.space.offset_in_range(&mut self.terms, other);
        let most = self.terms.bits(PAGE - 1, self.objects.pointer_bits);
        // No object reaches into the first page or the last: what is close behind the begin of one is not null.
        let is_close = self.terms.ule(offset, most);
        // Where a pointer went that has left its object by far, nobody knows.
        let is_gone = self.objects.space.is_in(&mut self.terms, other, self.objects.space.nowhere());
        let is_here = self.terms.not(is_gone);
        let is_close = self.terms.and(is_close, is_here);
        let is_far = self.terms.not(is_close);
        let may_be = self.terms.and(is_far, any);
        self.terms.or(is_null, may_be)
    }

    /// Compares pointers into known objects.
    fn equal_constants(&mut self, left: (ObjectId, TermId), right: (ObjectId, TermId)) -> TermId {
        let (a, b) = (self.terms.as_bits(left.1), self.terms.as_bits(right.1));
        if left.0 == right.0 && self.is_one(left.0) {
            return self.terms.eq(left.1, right.1);
        }
        let (Some(a), Some(b)) = (a, b) else { return self.any(Type::Int(1)) };
        let is_number = |object: ObjectId| object.index() == 0;
        match (is_number(left.0), is_number(right.0)) {
            (true, true) => self.terms.bool(a == b),
            (true, false) if a == 0 && self.is_inside(right.0, b) => self.terms.bool(false),
            (false, true) if b == 0 && self.is_inside(left.0, a) => self.terms.bool(false),
            (false, false)
                if left.0 != right.0
                    && self.lasts(left.0)
                    && self.lasts(right.0)
                    && self.is_inside(left.0, a)
                    && self.is_inside(right.0, b) =>
            {
                self.terms.bool(false)
            }
            (true | false, true | false) => self.any(Type::Int(1)),
        }
    }

    /// Whether a pointer is one to a byte of an object, or to the object itself.
    fn is_inside(&self, object: ObjectId, address: u128) -> bool {
        let offset = address.wrapping_sub(self.objects.space.base(object));
        let size = match self.objects.origin(object) {
            Origin::Nowhere | Origin::Number | Origin::Life(_) => return false,
            Origin::Function(_) => Some(1),
            Origin::Global(_) | Origin::ThreadLocal(_) | Origin::Made { .. } => self.size(object),
        };
        size.is_some_and(|size| offset < u128::from(size))
    }

    /// Whether nothing else ever lies where an object lies.
    fn lasts(&self, object: ObjectId) -> bool {
        match self.objects.origin(object) {
            Origin::Function(_) | Origin::Global(_) => true,
            Origin::Number
            | Origin::Nowhere
            | Origin::ThreadLocal(_)
            | Origin::Made { .. }
            | Origin::Life(_) => false,
        }
    }
}
