//! The objects of a program and their numbers: which pointer is which term.
//!
//! First the range of null, then that of pointers that lead nowhere, then all globals, all functions, and what instructions make, in the order
//! they were found. Invariant: an object keeps its number while a flow is built.

use indexmap::IndexMap;
use raddle_base::{Id, Span};
use raddle_ir::{AllocStorage, FunctionId, GlobalId, Point, Program, Shape};
use raddle_semantics::{AddressSpace, ObjectId};

use crate::addresses::{Addresses, Pointee};
use crate::model::{self, TemplateId};
use crate::options::{Reason, Refused};

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What numbers made pointers lead to, and what lies beyond all objects.
    None,
    Global(GlobalId),
    Function(FunctionId),
    Made(TemplateId, Point, AllocStorage),
    /// Not memory: whether an object lives.
    Life(ObjectId),
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) kind: Kind,
    /// In bytes, where it is known.
    pub(crate) size: Option<u64>,
    /// What it is called.
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// Every thread has one of its own, as long as nobody gives its address away.
    pub(crate) is_own: bool,
    /// Nothing is ever stored there.
    pub(crate) is_read_only: bool,
}

/// All objects.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    all: Vec<Object>,
    made: IndexMap<(TemplateId, Point), ObjectId>,
    lives: IndexMap<ObjectId, ObjectId>,
    pub(crate) space: AddressSpace,
    functions_from: usize,
}

/// The two ranges that belong to no object.
const NOWHERE: usize = 1;

impl Objects {
    pub(crate) fn new(program: &Program) -> Result<Self, Refused> {
        let none = Object {
            kind: Kind::None,
            size: Some(0),
            name: "null".to_owned(),
            shape: Shape::Bytes,
            is_own: false,
            is_read_only: true,
        };
        let mut all = vec![none.clone(), none.clone()];
        for (id, global) in program.globals.iter() {
            all.push(Object {
                kind: Kind::Global(id),
                size: Some(global.size),
                name: global.name.clone(),
                shape: global.shape.clone(),
                is_own: global.thread_local,
                is_read_only: global.read_only,
            });
        }
        let functions_from = all.len();
        for (id, function) in program.functions.iter() {
            let kind = Kind::Function(id);
            all.push(Object { kind, name: function.name.clone(), ..none.clone() });
        }
        let bits = u32::from(program.pointer_bits);
        let largest = program.globals.values().map(|global| global.size).max().unwrap_or(0);
        let needed = 64 - largest.leading_zeros() + 1;
        let offset_bits = needed.max(if bits == 32 { 20 } else { 40 });
        if offset_bits + 4 > bits {
            return Err(Reason::Objects.at(Span::NONE));
        }
        let space = AddressSpace::new(bits, offset_bits, all.len(), ObjectId::from_index(NOWHERE));
        let objects = Self { all, made: IndexMap::new(), lives: IndexMap::new(), space, functions_from };
        objects.fits(Span::NONE)?;
        Ok(objects)
    }

    fn fits(&self, span: Span) -> Result<(), Refused> {
        if self.all.len() < self.space.room() { Ok(()) } else { Err(Reason::Objects.at(span)) }
    }

    pub(crate) fn get(&self, id: ObjectId) -> &Object {
        &self.all[id.index()]
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.all.len()).map(ObjectId::from_index)
    }

    pub(crate) fn global(id: GlobalId) -> ObjectId {
        ObjectId::from_index(id.index() + NOWHERE + 1)
    }

    pub(crate) fn function(&self, id: FunctionId) -> ObjectId {
        ObjectId::from_index(id.index() + self.functions_from)
    }

    /// What an instruction of a template makes. Gives whether it is new.
    pub(crate) fn made(
        &mut self,
        (template, point): (TemplateId, &Point),
        storage: AllocStorage,
        object: impl FnOnce() -> (Option<u64>, String, Shape),
        span: Span,
    ) -> Result<(ObjectId, bool), Refused> {
        let key = (template, point.clone());
        if let Some(&id) = self.made.get(&key) {
            return Ok((id, false));
        }
        let (size, name, shape) = object();
        if size.is_some_and(|size| u128::from(size) > self.space.largest()) {
            return Err(Reason::Objects.at(span));
        }
        let id = ObjectId::from_index(self.all.len());
        let is_own = match storage {
            AllocStorage::Local | AllocStorage::Dynamic => true,
            AllocStorage::Heap | AllocStorage::Library => false,
        };
        let kind = Kind::Made(template, point.clone(), storage);
        self.all.push(Object { kind, size, name, shape, is_own, is_read_only: false });
        self.space.add_object();
        self.made.insert(key, id);
        self.fits(span)?;
        Ok((id, true))
    }

    /// What says whether an object lives; none if there are too many objects.
    pub(crate) fn life(&mut self, of: ObjectId) -> Option<ObjectId> {
        if let Some(&id) = self.lives.get(&of) {
            return Some(id);
        }
        if self.all.len() + 1 >= self.space.room() {
            return None;
        }
        let id = ObjectId::from_index(self.all.len());
        let (name, kind) = (format!("life of {}", self.get(of).name), Kind::Life(of));
        let (size, shape) = (Some(1), Shape::Bytes);
        self.all.push(Object { kind, size, name, shape, is_own: false, is_read_only: false });
        self.space.add_object();
        self.lives.insert(of, id);
        Some(id)
    }

    /// What constant pointers lead to.
    pub(crate) fn addresses(&self) -> Addresses {
        let pointee = |kind: &Kind| match kind {
            Kind::None | Kind::Life(_) => None,
            Kind::Global(id) => Some(Pointee::Object(model::Object::Global(*id), 0)),
            Kind::Function(id) => Some(Pointee::Function(*id)),
            Kind::Made(template, point, storage) => {
                let (template, point, storage) = (*template, point.clone(), *storage);
                Some(Pointee::Object(model::Object::Made { template, point, storage }, 0))
            }
        };
        let base = |id: ObjectId| Some((self.space.base(id), pointee(&self.get(id).kind)?));
        Addresses { bases: self.ids().filter_map(base).collect(), reach: self.space.span() / 2 }
    }

    /// The object that a constant pointer leads to, if it is memory.
    pub(crate) fn memory_at(&self, pointer: u128) -> Option<ObjectId> {
        let id = self.space.real_object_at(pointer)?;
        match self.get(id).kind {
            Kind::None | Kind::Function(_) | Kind::Life(_) => None,
            Kind::Global(_) | Kind::Made(..) => Some(id),
        }
    }

    /// The function that a constant pointer is the address of.
    pub(crate) fn function_at(&self, pointer: u128) -> Option<FunctionId> {
        let id = self.space.real_object_at(pointer)?;
        match self.get(id).kind {
            Kind::Function(function) if self.space.base(id) == pointer => Some(function),
            Kind::Function(_) | Kind::None | Kind::Global(_) | Kind::Made(..) | Kind::Life(_) => None,
        }
    }
}
