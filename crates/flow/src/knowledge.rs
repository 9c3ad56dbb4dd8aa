//! What is assumed of a program while its flow is built. It begins with the best that could be and is only ever weakened, until one round
//! over the whole program contradicts nothing: then it holds, by induction over the steps of executions.
//!
//! Invariant: everything here changes in one direction only, so there is an end. Nothing here is a term: terms are made anew in each round.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::{IndexMap, IndexSet};
use raddle_ir::{Frame, FunctionId, Point, RegisterId};
use raddle_logic::term::Sort;
use raddle_semantics::ObjectId;

use crate::model::TemplateId;
use crate::objects::Objects;

/// What a thread has of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    Register(Frame, RegisterId),
    Cell(Cell),
}

/// Some bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cell {
    pub(crate) object: ObjectId,
    pub(crate) offset: u64,
    pub(crate) bytes: u32,
}

/// What is known of a value at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// It is always this one; truth values are 0 and 1.
    Constant(u128, Sort),
    Varies(Sort),
}

/// How an object is accessed at indices that are no constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Indexed {
    /// As equal elements: from one to the next so many bytes; which parts of an element are accessed.
    Elements { stride: u64, fields: BTreeMap<u64, u32> },
    /// Not followed.
    Any,
}

/// What is known of a template.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownTemplate {
    pub(crate) function: Option<FunctionId>,
    pub(crate) starts: BTreeSet<(TemplateId, Point)>,
    pub(crate) is_several: bool,
    /// Where steps begin, and what is constant there.
    pub(crate) locations: IndexMap<Point, BTreeMap<Slot, Known>>,
    /// Of each location, the thread's local objects that live whenever it stands there.
    pub(crate) alive: BTreeMap<Point, BTreeSet<ObjectId>>,
    /// Points where loops are cut.
    pub(crate) cuts: BTreeSet<Point>,
}

/// Everything that is assumed.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    pub(crate) objects: Objects,
    /// By first function and the point that starts it.
    pub(crate) keys: IndexSet<(FunctionId, Option<Point>)>,
    pub(crate) templates: Vec<KnownTemplate>,
    /// Objects whose addresses others may have.
    pub(crate) exposed: BTreeSet<ObjectId>,
    /// Objects of which there may be several with one number.
    pub(crate) summaries: BTreeSet<ObjectId>,
    /// Where accesses of one extent are made.
    pub(crate) extents: BTreeMap<ObjectId, BTreeMap<u64, u32>>,
    /// Bytes where accesses of several extents are made, by where they begin, and their end.
    pub(crate) blurred: BTreeMap<ObjectId, BTreeMap<u64, u64>>,
    pub(crate) indexed: BTreeMap<ObjectId, Indexed>,
    /// Cells that are stored to; of objects that are indexed: offset and field.
    pub(crate) written: BTreeSet<Cell>,
    /// Objects whose lives end before their functions return.
    pub(crate) ended: BTreeSet<ObjectId>,
    /// Whether heap objects are ever freed.
    pub(crate) frees: bool,
    /// Whether something was weakened that steps that were looked at rest on.
    pub(crate) changed: bool,
}

impl Knowledge {
    pub(crate) fn new(objects: Objects, entry: FunctionId) -> Self {
        let mut new = Self {
            objects,
            keys: IndexSet::new(),
            templates: Vec::new(),
            exposed: BTreeSet::new(),
            summaries: BTreeSet::new(),
            extents: BTreeMap::new(),
            blurred: BTreeMap::new(),
            indexed: BTreeMap::new(),
            written: BTreeSet::new(),
            ended: BTreeSet::new(),
            frees: false,
            changed: false,
        };
        new.keys.insert((entry, None));
        new.templates.push(KnownTemplate { function: Some(entry), ..KnownTemplate::default() });
        new
    }

    /// Forgets what values are where, and what of templates follows from that; the rest stays.
    pub(crate) fn forget_values(&mut self) {
        for template in &mut self.templates {
            template.locations.clear();
            template.alive.clear();
            template.starts.clear();
        }
    }

    /// Whether others may access an object.
    pub(crate) fn is_shared(&self, object: ObjectId) -> bool {
        !self.objects.get(object).is_own || self.exposed.contains(&object)
    }

    /// Others may have the address of an object.
    pub(crate) fn expose(&mut self, object: ObjectId) {
        if self.exposed.insert(object) {
            self.changed = true;
            // Every thread has one, and all have one number.
            if self.objects.get(object).is_own
                && matches!(self.objects.get(object).kind, crate::objects::Kind::Global(_))
            {
                self.summaries.insert(object);
            }
        }
    }

    /// There may be several objects of a number.
    pub(crate) fn summarise(&mut self, object: ObjectId) {
        self.changed |= self.summaries.insert(object);
    }

    /// Says that bytes of an object are accessed together. Gives whether they are followed.
    pub(crate) fn access(&mut self, cell: Cell) -> bool {
        let end = cell.offset + u64::from(cell.bytes);
        if self.is_blurred(cell) {
            self.blur(cell.object, cell.offset, end);
            return false;
        }
        let extents = self.extents.entry(cell.object).or_default();
        if extents.get(&cell.offset) == Some(&cell.bytes) {
            return true;
        }
        let overlapping: Vec<(u64, u32)> = extents
            .range(..end)
            .filter(|(at, bytes)| **at + u64::from(**bytes) > cell.offset)
            .map(|(at, bytes)| (*at, *bytes))
            .collect();
        self.changed = true;
        if overlapping.is_empty() {
            extents.insert(cell.offset, cell.bytes);
            return true;
        }
        for (at, bytes) in overlapping {
            self.blur(cell.object, at, at + u64::from(bytes));
        }
        self.blur(cell.object, cell.offset, end);
        false
    }

    fn is_blurred(&self, cell: Cell) -> bool {
        let end = cell.offset + u64::from(cell.bytes);
        self.blurred
            .get(&cell.object)
            .is_some_and(|list| list.range(..end).any(|(_, until)| *until > cell.offset))
    }

    fn blur(&mut self, object: ObjectId, from: u64, to: u64) {
        let list = self.blurred.entry(object).or_default();
        if list.range(..=from).next_back().is_some_and(|(_, until)| *until >= to) {
            return;
        }
        self.changed = true;
        let (mut from, mut to) = (from, to);
        let touching: Vec<u64> =
            list.range(..=to).filter(|(_, until)| **until >= from).map(|(at, _)| *at).collect();
        for at in touching {
            to = to.max(list.remove(&at).unwrap_or(to));
            from = from.min(at);
        }
        list.insert(from, to);
        // What it covers now is not followed any more.
        if let Some(extents) = self.extents.get_mut(&object) {
            extents.retain(|at, bytes| *at + u64::from(*bytes) <= from || *at >= to);
        }
    }

    /// Says that a cell is stored to.
    pub(crate) fn write(&mut self, cell: Cell) {
        self.changed |= self.written.insert(cell);
    }

    /// The cells of an object that are followed one by one.
    pub(crate) fn cells(&self, object: ObjectId) -> Vec<Cell> {
        if self.indexed.contains_key(&object) {
            return Vec::new();
        }
        let extents = self.extents.get(&object);
        extents.into_iter().flatten().map(|(&offset, &bytes)| Cell { object, offset, bytes }).collect()
    }

    /// A template for a function that is started at a point.
    pub(crate) fn template(&mut self, function: FunctionId, by: TemplateId, at: &Point) -> TemplateId {
        use raddle_base::Id as _;
        let (index, is_new) = self.keys.insert_full((function, Some(at.clone())));
        if is_new {
            self.templates.push(KnownTemplate { function: Some(function), ..KnownTemplate::default() });
            self.changed = true;
        }
        self.templates[index].starts.insert((by, at.clone()));
        TemplateId::from_index(index)
    }
}
