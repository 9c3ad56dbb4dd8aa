//! Memory that a path knows the contents of: objects of one thread, and everything before the first thread is started.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_logic::term::{TermId, Terms};

use raddle_semantics::{Contents, ObjectId};

/// The memory of a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownMemory {
    objects: Rc<BTreeMap<ObjectId, Rc<Contents>>>,
}

impl KnownMemory {
    pub(crate) fn contents(&self, object: ObjectId) -> Option<&Rc<Contents>> {
        self.objects.get(&object)
    }

    pub(crate) fn add(&mut self, object: ObjectId, contents: Contents) {
        Rc::make_mut(&mut self.objects).insert(object, Rc::new(contents));
    }

    pub(crate) fn remove(&mut self, object: ObjectId) -> Option<Rc<Contents>> {
        if !self.objects.contains_key(&object) {
            return None;
        }
        Rc::make_mut(&mut self.objects).remove(&object)
    }

    pub(crate) fn objects(&self) -> impl Iterator<Item = (ObjectId, &Rc<Contents>)> {
        self.objects.iter().map(|(object, contents)| (*object, contents))
    }

    pub(crate) fn contents_mut(&mut self, object: ObjectId) -> Option<&mut Contents> {
        if !self.objects.contains_key(&object) {
            return None;
        }
        Rc::make_mut(&mut self.objects).get_mut(&object).map(Rc::make_mut)
    }

    /// Two memories become one: the first where `selector` holds.
    pub(crate) fn join(&mut self, other: &Self, selector: TermId, terms: &mut Terms) {
        if Rc::ptr_eq(&self.objects, &other.objects) {
            return;
        }
        let mut joined = BTreeMap::clone(&self.objects);
        for (object, theirs) in other.objects.iter() {
            match joined.get_mut(object) {
                Some(own) if Rc::ptr_eq(own, theirs) => {}
                Some(own) => Rc::make_mut(own).merge(theirs, selector, terms),
                // Made on that path only: nobody else has a pointer to it.
                None => {
                    joined.insert(*object, Rc::clone(theirs));
                }
            }
        }
        self.objects = Rc::new(joined);
    }
}
