//! The inclusion constraints and their solution.
//!
//! A node stands for a register of an instance of a function, or for a part of an object's memory. What is stored
//! in memory goes to *in* cells, what is loaded comes from *out* cells, and an out cell takes from every in cell
//! that it may share bytes with; so two parts of an object that no access spans stay apart.

use std::collections::VecDeque;

use indexmap::IndexMap;
use raddle_base::{Table, define_id};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::{Object, ObjectId, ObjectKind, Offsets};

define_id!(
    /// A set of pointers to be found.
    pub(super) struct NodeId, "n"
);
define_id!(
    /// A call or fork through a pointer.
    pub(super) struct IndirectId, "indirect"
);

/// How pointers change on their way from one node to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PointerChange {
    /// Not at all.
    None,
    /// They move by one of these distances.
    Move(Offsets),
    /// They may move anywhere inside their object: arithmetic, or only some of their bytes.
    Blur,
}

/// What the pointers of a node are used for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PointerUse {
    /// Loads that many bytes through them.
    Load(NodeId, u64),
    /// Stores that many bytes through them.
    Store(NodeId, u64),
    /// Calls them; the maker of the constraints must be notified.
    Call(IndirectId),
}

#[derive(Debug, Default)]
struct ConstraintNode {
    /// The set: a few sets of offsets for each object.
    targets: IndexMap<ObjectId, SmallVec<[Offsets; 2]>, FxBuildHasher>,
    /// Everything that was ever added, in order.
    log: Vec<(ObjectId, Offsets)>,
    /// How much of the log was passed on.
    done: usize,
    copies: Vec<(NodeId, PointerChange)>,
    uses: Vec<PointerUse>,
    is_waiting: bool,
}

#[derive(Clone, Copy, Debug)]
struct MemoryCell {
    offsets: Offsets,
    width: u64,
    node: NodeId,
}

#[derive(Debug, Default)]
struct ObjectCells {
    ins: Vec<MemoryCell>,
    outs: Vec<MemoryCell>,
}

/// More sets of offsets into one object are joined to one.
const MAX_OFFSETS: usize = 8;

/// More parts of one object are not distinguished.
const MAX_CELLS: usize = 64;

#[derive(Debug, Default)]
pub(super) struct ConstraintSolver {
    nodes: Table<NodeId, ConstraintNode>,
    memories: Table<ObjectId, ObjectCells>,
    pub(super) objects: Table<ObjectId, Object>,
    waiting: VecDeque<NodeId>,
    /// Pointers that reached a call: for the maker of constraints to take.
    pub(super) called: Vec<(IndirectId, ObjectId)>,
}

impl ConstraintSolver {
    pub(super) fn add_node(&mut self) -> NodeId {
        self.nodes.push(ConstraintNode::default())
    }

    pub(super) fn add_object(&mut self, object: Object) -> ObjectId {
        self.memories.push(ObjectCells::default());
        self.objects.push(object)
    }

    /// Whether the node may point into an object, as far as is known.
    pub(super) fn points_to(&self, node: NodeId, object: ObjectId) -> bool {
        self.nodes[node].targets.contains_key(&object)
    }

    /// The node may point there. Says whether that is new.
    pub(super) fn add_target(&mut self, node: NodeId, object: ObjectId, offsets: Offsets) -> bool {
        // A function has no parts.
        let offsets = match self.objects[object].kind {
            ObjectKind::Function(_) => Offsets::exactly(0),
            ObjectKind::Global(_) | ObjectKind::Alloc { .. } => offsets,
        };
        let entry = &mut self.nodes[node];
        let known = entry.targets.entry(object).or_default();
        // Nothing new if one known set has all of it.
        if known.iter().any(|each| each.contains(offsets)) {
            return false;
        }
        let mut added = offsets;
        // The log keeps what is dropped here: it was passed on, or will be.
        known.retain(|each| !offsets.contains(*each));
        if known.len() == MAX_OFFSETS {
            // Each time this happens the joined set is coarser than that of the time before: that ends.
            added = known.iter().fold(offsets, |joined, each| joined.join(*each));
            known.clear();
        }
        known.push(added);
        entry.log.push((object, added));
        if !entry.is_waiting {
            entry.is_waiting = true;
            self.waiting.push_back(node);
        }
        true
    }

    /// Whatever `from` points to, changed so, `to` may point to.
    pub(super) fn add_copy(&mut self, from: NodeId, to: NodeId, change: PointerChange) {
        // A copy that exists need not be added, and a copy to itself that changes nothing would go on for
        // ever.
        if (from == to && change == PointerChange::None) || self.nodes[from].copies.contains(&(to, change)) {
            return;
        }
        self.nodes[from].copies.push((to, change));
        // What the node has passed on already, the new edge gets now; the rest comes with the queue.
        for index in 0..self.nodes[from].done {
            let (object, offsets) = self.nodes[from].log[index];
            self.copy(to, object, offsets, change);
        }
    }

    pub(super) fn add_use(&mut self, node: NodeId, each: PointerUse) {
        if self.nodes[node].uses.contains(&each) {
            return;
        }
        self.nodes[node].uses.push(each);
        for index in 0..self.nodes[node].done {
            let (object, offsets) = self.nodes[node].log[index];
            self.apply(each, object, offsets);
        }
    }

    fn copy(&mut self, to: NodeId, object: ObjectId, offsets: Offsets, change: PointerChange) {
        let offsets = match change {
            PointerChange::None => offsets,
            PointerChange::Move(distance) => offsets.plus(distance),
            PointerChange::Blur => Offsets::ANY,
        };
        self.add_target(to, object, offsets);
    }

    fn apply(&mut self, each: PointerUse, object: ObjectId, offsets: Offsets) {
        match each {
            PointerUse::Load(dest, width) => {
                let cell = self.out_cell(object, offsets, width);
                self.add_copy(cell, dest, PointerChange::None);
            }
            PointerUse::Store(source, width) => {
                let cell = self.in_cell(object, offsets, width);
                self.add_copy(source, cell, PointerChange::None);
            }
            PointerUse::Call(indirect) => self.called.push((indirect, object)),
        }
    }

    /// The node that holds what is stored at these offsets.
    pub(super) fn in_cell(&mut self, object: ObjectId, offsets: Offsets, width: u64) -> NodeId {
        let cell = match find(&self.memories[object].ins, offsets, width) {
            Ok(node) => return node,
            Err(offsets) => MemoryCell { offsets, width, node: self.add_node() },
        };
        self.memories[object].ins.push(cell);
        // A cell is connected when it is made, in both directions, so every pair is connected once.
        for index in 0..self.memories[object].outs.len() {
            let out = self.memories[object].outs[index];
            self.connect(cell, out);
        }
        cell.node
    }

    fn out_cell(&mut self, object: ObjectId, offsets: Offsets, width: u64) -> NodeId {
        let cell = match find(&self.memories[object].outs, offsets, width) {
            Ok(node) => return node,
            Err(offsets) => MemoryCell { offsets, width, node: self.add_node() },
        };
        self.memories[object].outs.push(cell);
        for index in 0..self.memories[object].ins.len() {
            let stored = self.memories[object].ins[index];
            self.connect(stored, cell);
        }
        cell.node
    }

    fn connect(&mut self, stored: MemoryCell, loaded: MemoryCell) {
        let overlap = stored.offsets.overlap(stored.width, loaded.offsets, loaded.width);
        // At the same start with different widths, or elsewhere: only some bytes of the pointer are read.
        if overlap.partial || (overlap.same_start && stored.width != loaded.width) {
            self.add_copy(stored.node, loaded.node, PointerChange::Blur);
        }
        if overlap.same_start && stored.width == loaded.width {
            self.add_copy(stored.node, loaded.node, PointerChange::None);
        }
    }

    /// Passes everything on until nothing is new, or until a call is to be answered.
    pub(super) fn run(&mut self) {
        while let Some(node) = self.waiting.pop_front() {
            self.nodes[node].is_waiting = false;
            // The node itself may grow meanwhile, if an edge leads back to it.
            while self.nodes[node].done < self.nodes[node].log.len() {
                let (object, offsets) = self.nodes[node].log[self.nodes[node].done];
                self.nodes[node].done += 1;
                for index in 0..self.nodes[node].copies.len() {
                    let (to, change) = self.nodes[node].copies[index];
                    self.copy(to, object, offsets, change);
                }
                for index in 0..self.nodes[node].uses.len() {
                    let each = self.nodes[node].uses[index];
                    self.apply(each, object, offsets);
                }
            }
        }
    }

    /// What the node may point to, by object in the order of their ids.
    pub(super) fn targets(&self, node: NodeId) -> Vec<(ObjectId, Offsets)> {
        let mut all: Vec<(ObjectId, Offsets)> = (self.nodes[node].targets.iter())
            .flat_map(|(object, offsets)| offsets.iter().map(|each| (*object, *each)))
            .collect();
        all.sort_unstable();
        all
    }

    /// What is stored somewhere in the object, as nodes.
    pub(super) fn contents(&self, object: ObjectId) -> impl Iterator<Item = NodeId> + '_ {
        self.memories[object].ins.iter().map(|cell| cell.node)
    }
}

/// The cell of these offsets, or the offsets of the cell to be made for them.
fn find(cells: &[MemoryCell], offsets: Offsets, width: u64) -> Result<NodeId, Offsets> {
    let is = |wanted: Offsets| move |cell: &&MemoryCell| cell.offsets == wanted && cell.width == width;
    // The same offsets and the same width.
    if let Some(cell) = cells.iter().find(is(offsets)) {
        return Ok(cell.node);
    }
    if cells.len() < MAX_CELLS {
        return Err(offsets);
    }
    // From now on new parts of this object share one cell that overlaps with all.
    cells.iter().find(is(Offsets::ANY)).map(|cell| cell.node).ok_or(Offsets::ANY)
}
