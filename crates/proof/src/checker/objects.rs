//! Objects and their numbers: what the high bits of a pointer term say.
//!
//! Objects get numbers as they are met. One number may stand for many objects (those that an instruction makes in several threads, or
//! several times): who uses numbers to tell pointers apart asks first whether it stands for one.

use indexmap::IndexMap;
use raddle_base::Id;
use raddle_ir::{AllocStorage, FunctionId, GlobalId, Point, Program};
use raddle_logic::term::{Term, TermId, Terms};
use raddle_semantics::{AddressSpace, ObjectId};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::certificate::Object;

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// That of null and of numbers made pointers.
    Number,
    /// What a pointer belongs to that has left its object by far, or whose object is gone.
    Nowhere,
    Function(FunctionId),
    Global(GlobalId),
    /// A thread's own copy.
    ThreadLocal(GlobalId),
    Made {
        template: usize,
        point: Point,
        storage: AllocStorage,
    },
    /// Not memory: whether an object lives.
    Life(ObjectId),
}

/// All objects that were met.
#[derive(Debug)]
pub(super) struct Objects {
    pub(super) space: AddressSpace,
    origins: IndexMap<Origin, (), FxBuildHasher>,
    pub(super) pointer_bits: u32,
    derived: FxHashMap<TermId, Vec<ObjectId>>,
}

impl Objects {
    pub(super) fn new(program: &Program) -> Self {
        let pointer_bits = u32::from(program.pointer_bits);
        let offset_bits = if pointer_bits == 64 { 40 } else { 20 };
        let nowhere = ObjectId::from_index(1);
        let mut origins = IndexMap::default();
        origins.insert(Origin::Number, ());
        origins.insert(Origin::Nowhere, ());
        let space = AddressSpace::new(pointer_bits, offset_bits, 2, nowhere);
        Self { space, origins, pointer_bits, derived: FxHashMap::default() }
    }

    /// The number of an object. There is none where there are too many objects.
    pub(super) fn id(&mut self, origin: Origin) -> Option<ObjectId> {
        let (index, old) = self.origins.insert_full(origin, ());
        if old.is_none() {
            self.space.add_object();
        }
        (index < self.space.room()).then(|| ObjectId::from_index(index))
    }

    /// The number of what a certificate names. A thread-local global is the thread's own copy.
    pub(super) fn named(&mut self, program: &Program, object: &Object) -> Option<ObjectId> {
        let origin = match object {
            Object::Global(global) if program.globals.get(*global)?.thread_local => {
                Origin::ThreadLocal(*global)
            }
            Object::Global(global) => Origin::Global(*global),
            Object::Made { template, point, storage } => {
                Origin::Made { template: *template, point: point.clone(), storage: *storage }
            }
            Object::Life(of) => Origin::Life(self.named(program, of)?),
        };
        self.id(origin)
    }

    pub(super) fn origin(&self, object: ObjectId) -> &Origin {
        self.origins.get_index(object.index()).map_or(&Origin::Nowhere, |(origin, ())| origin)
    }

    /// All that were met so far.
    pub(super) fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (2..self.origins.len()).map(ObjectId::from_index)
    }

    /// A pointer to a byte of an object.
    pub(super) fn pointer(&self, terms: &mut Terms, object: ObjectId, offset: i64) -> TermId {
        let base = self.space.base(object).wrapping_add_signed(i128::from(offset));
        terms.bits(base, self.pointer_bits)
    }

    /// A pointer that leads nowhere.
    pub(super) fn nowhere(&self, terms: &mut Terms) -> TermId {
        self.space.first_byte(terms, self.space.nowhere())
    }

    /// All objects whose addresses a term may be made of: those of the terms that it was derived from, and, if it is one, of the
    /// constant.
    pub(super) fn mentions(&self, terms: &Terms, term: TermId) -> Vec<ObjectId> {
        let mut found = self.derived.get(&term).cloned().unwrap_or_default();
        if let Term::Bits { value, width } = terms[term]
            && width == self.pointer_bits
        {
            found.extend(self.space.real_object_at(value).filter(|object| *object != self.space.nowhere()));
        }
        found.sort();
        found.dedup();
        found
    }

    /// A pointer was made of others. Terms are rewritten when they are built, so that their shape does not tell.
    pub(super) fn derive(&mut self, terms: &Terms, made: TermId, from: &[TermId]) -> TermId {
        let mut of = Vec::new();
        for &part in from {
            of.extend(self.mentions(terms, part));
        }
        if !of.is_empty() && terms.as_bits(made).is_none() {
            let known = self.derived.entry(made).or_default();
            known.extend(of);
            known.sort();
            known.dedup();
        }
        made
    }
}
