//! Pointers that are read as numbers, and numbers that are read as pointers, without a cast.
//!
//! A pointer in memory is an object and an offset, a number that was made of a pointer is that of an address: one is not the
//! other. An analysis finds the reads that may confuse them ([`raddle_ir::analyses::punning`]); here it is seen which objects
//! really hold which, also after they were copied. A read that remains is not followed.

use std::collections::BTreeSet;

use raddle_base::{Id, Span};
use raddle_ir::{Constant, FunctionId, Operand, RegisterId, Type};
use raddle_logic::term::TermId;
use rustc_hash::FxHashMap;

use super::access::Request;
use super::execute::Executor;
use super::path::Path;
use super::pointer::targets;
use super::world::{ObjectId, Origin};
use crate::po_bmc::events::{Limit, LimitKind};

/// Which objects hold pointers and numbers that were made of pointers.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    pointers: BTreeSet<ObjectId>,
    numbers: BTreeSet<ObjectId>,
    /// From where to where values were copied.
    copies: Vec<(Vec<ObjectId>, Vec<ObjectId>)>,
    /// Where registers whose values are only copied have them from.
    sources: FxHashMap<(FunctionId, RegisterId), Vec<ObjectId>>,
    reads: Vec<Read>,
}

#[derive(Debug)]
struct Read {
    ty: Type,
    objects: Vec<ObjectId>,
    reached: TermId,
    span: Span,
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
            let objects = self.objects_at(request);
            self.holders.sources.insert((place.function, dest), objects);
        } else if self.world.is_punned(place) {
            let objects = self.objects_at(request);
            let (mut reached, span) = (path.guard.term(), self.span());
            if ty != Type::Ptr && self.out.terms.width(value) == self.pointer_bits() {
                // What is in no object's range is no pointer.
                let is_number = self.is_number(value);
                let is_pointer = self.out.terms.not(is_number);
                reached = self.out.terms.and(reached, is_pointer);
            }
            if self.out.terms.as_bool(reached) != Some(false) {
                self.holders.reads.push(Read { ty, objects, reached, span });
            }
        }
    }

    /// Takes notice of what goes from one register to another.
    pub(crate) fn note_move(&mut self, dest: RegisterId, from: Operand) {
        let function = self.place().function;
        if let Operand::Register(from) = from
            && self.world.is_copied(function, dest)
            && let Some(source) = self.holders.sources.get(&(function, from)).cloned()
        {
            self.holders.sources.insert((function, dest), source);
        }
    }

    /// Takes notice of a write.
    pub(crate) fn note_write(&mut self, value: Operand, request: &Request, ty: Type) {
        if !self.world.has_punned() {
            return;
        }
        let function = self.place().function;
        let carries = match value {
            Operand::Register(register) => {
                !self.world.points_to.register_targets(function, register).is_empty()
            }
            Operand::Constant(constant) => matches!(constant, Constant::Global(..) | Constant::Function(_)),
        };
        if !carries {
            return;
        }
        let objects = self.objects_at(request);
        let copied = value.register().filter(|register| self.world.is_copied(function, *register));
        let source = copied.and_then(|register| self.holders.sources.get(&(function, register)));
        match (source, ty) {
            (Some(source), _) => self.holders.copies.push((source.clone(), objects)),
            (None, Type::Ptr) => self.holders.pointers.extend(objects),
            (None, Type::Int(_) | Type::F32 | Type::F64) => self.holders.numbers.extend(objects),
        }
    }

    fn objects_at(&mut self, request: &Request) -> Vec<ObjectId> {
        match targets(&mut self.out.terms, self.world, request.address) {
            Some(list) => list.into_iter().map(|target| target.object).collect(),
            None => self.candidates(request.operand),
        }
    }

    /// When all is executed: which reads are not followed.
    pub(crate) fn settle_punned(&mut self) {
        let mut holders = std::mem::take(&mut self.holders);
        if holders.reads.is_empty() {
            return;
        }
        for index in 0..self.world.object_count() {
            let object = ObjectId::from_index(index);
            if let Origin::Global(global) | Origin::ThreadLocal(_, global) = self.world.origin(object) {
                let init = &self.world.program.globals[global].init;
                let is_pointer = |value| matches!(value, Constant::Global(..) | Constant::Function(_));
                if init.iter().any(|init| is_pointer(init.value)) {
                    holders.pointers.insert(object);
                }
            }
        }
        loop {
            let before = holders.pointers.len() + holders.numbers.len();
            for (from, to) in &holders.copies {
                if from.iter().any(|object| holders.pointers.contains(object)) {
                    holders.pointers.extend(to);
                }
                if from.iter().any(|object| holders.numbers.contains(object)) {
                    holders.numbers.extend(to);
                }
            }
            if holders.pointers.len() + holders.numbers.len() == before {
                break;
            }
        }
        for read in holders.reads {
            let others = if read.ty == Type::Ptr { &holders.numbers } else { &holders.pointers };
            if read.objects.iter().any(|object| others.contains(object)) {
                let what = "a pointer that is read as a number, or a number as a pointer".to_owned();
                let kind = LimitKind::Unsupported(what);
                self.out.limits.push(Limit { kind, reached: read.reached, span: read.span });
            }
        }
    }
}
