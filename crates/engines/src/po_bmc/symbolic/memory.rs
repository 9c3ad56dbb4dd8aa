//! Memory that a path knows the contents of: objects of one thread, and everything before the first thread is started.
//!
//! An object is a set of cells that do not overlap, each with the term it holds. Bytes without a cell hold what the object
//! began with. A cell may be *unwritten* under a condition: then reading it asks for an input, as the virtual machine does.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_logic::term::{TermId, Terms};

use super::words::Layout;
use super::world::ObjectId;

/// What an object holds where nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Background {
    Zero,
    Unwritten,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) size: u32,
    pub(crate) value: TermId,
    /// The condition under which it was never written.
    pub(crate) unwritten: Option<TermId>,
}

#[derive(Clone, Debug)]
pub(crate) struct Contents {
    pub(crate) background: Background,
    /// Of the values in cells.
    layout: Layout,
    /// By offset.
    pub(crate) cells: BTreeMap<u64, Cell>,
    /// The condition under which it is dead; none: it lives.
    pub(crate) dead: Option<TermId>,
}

/// The memory of a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    objects: Rc<BTreeMap<ObjectId, Rc<Contents>>>,
}

impl Memory {
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
                Some(own) => Rc::make_mut(own).join(theirs, selector, terms),
                // Made on that path only: nobody else has a pointer to it.
                None => {
                    joined.insert(*object, Rc::clone(theirs));
                }
            }
        }
        self.objects = Rc::new(joined);
    }
}

impl Contents {
    pub(crate) fn new(background: Background, layout: Layout) -> Self {
        Self { background, layout, cells: BTreeMap::new(), dead: None }
    }

    fn join(&mut self, other: &Self, selector: TermId, terms: &mut Terms) {
        let mut other = other.clone();
        // Both sides get the same cells first.
        let places = |contents: &Self| -> Vec<(u64, u32)> {
            contents.cells.iter().map(|(&at, cell)| (at, cell.size)).collect()
        };
        for (at, size) in places(self) {
            other.cell_at(at, size, terms);
        }
        for (at, size) in places(&other) {
            self.cell_at(at, size, terms);
        }
        for (at, size) in places(self) {
            other.cell_at(at, size, terms);
        }
        for (at, cell) in &mut self.cells {
            let theirs = other.cells[at];
            let no = terms.bool(false);
            cell.value = terms.ite(selector, cell.value, theirs.value);
            if cell.unwritten != theirs.unwritten {
                let (own, others) = (cell.unwritten.unwrap_or(no), theirs.unwritten.unwrap_or(no));
                cell.unwritten = known(terms.ite(selector, own, others), terms);
            }
        }
        if self.dead != other.dead {
            let no = terms.bool(false);
            let (own, others) = (self.dead.unwrap_or(no), other.dead.unwrap_or(no));
            self.dead = known(terms.ite(selector, own, others), terms);
        }
    }

    /// What the cell at exactly this place holds. Cells that overlap it are cut; where there is none, what the object began
    /// with becomes one.
    pub(crate) fn cell_at(&mut self, at: u64, size: u32, terms: &mut Terms) -> Cell {
        if let Some(cell) = self.cells.get(&at)
            && cell.size == size
        {
            return *cell;
        }
        let end = at + u64::from(size);
        self.cut(at, terms);
        self.cut(end, terms);
        let inside: Vec<(u64, Cell)> = self.cells.range(at..end).map(|(&at, cell)| (at, *cell)).collect();
        let mut pieces: Vec<Cell> = Vec::new();
        let mut place = at;
        for (start, cell) in inside {
            if start > place {
                pieces.push(self.fresh(start - place, terms));
            }
            pieces.push(cell);
            place = start + u64::from(cell.size);
            self.cells.remove(&start);
        }
        if place < end {
            pieces.push(self.fresh(end - place, terms));
        }
        let (mut whole, mut unwritten): (Option<(TermId, u32)>, _) = (None, None);
        for piece in pieces {
            let this = (piece.value, piece.size);
            whole = Some(whole.map_or(this, |low| (self.layout.join(terms, low, this), low.1 + this.1)));
            unwritten = match (unwritten, piece.unwritten) {
                (Some(a), Some(b)) => Some(terms.or(a, b)),
                (a, b) => a.or(b),
            };
        }
        let (value, _) = whole.expect("a cell has at least one byte");
        let cell = Cell { size, value, unwritten };
        self.cells.insert(at, cell);
        cell
    }

    /// Bytes as they were at first.
    fn fresh(&self, bytes: u64, terms: &mut Terms) -> Cell {
        let size = u32::try_from(bytes).expect("an access has few bytes");
        match self.background {
            Background::Zero => Cell { size, value: self.layout.constant(terms, 0, size), unwritten: None },
            Background::Unwritten => {
                let value = self.layout.unknown(terms, "unwritten", size);
                Cell { size, value, unwritten: Some(terms.bool(true)) }
            }
        }
    }

    /// Makes a cell that reaches across a place two.
    fn cut(&mut self, place: u64, terms: &mut Terms) {
        let Some((&at, &cell)) = self.cells.range(..place).next_back() else { return };
        let end = at + u64::from(cell.size);
        if end <= place {
            return;
        }
        let below = u32::try_from(place - at).expect("an access has few bytes");
        let word = (cell.value, cell.size);
        let low = self.layout.part(terms, word, 0, below);
        let high = self.layout.part(terms, word, below, cell.size - below);
        self.cells.insert(at, Cell { size: below, value: low, unwritten: cell.unwritten });
        self.cells.insert(place, Cell { size: cell.size - below, value: high, unwritten: cell.unwritten });
    }

    /// Bytes count as never written.
    pub(crate) fn forget(&mut self, at: u64, size: u64, terms: &mut Terms) {
        /// As large as most accesses.
        const PIECE: u32 = 8;
        let end = at + size;
        self.cut(at, terms);
        self.cut(end, terms);
        let inside: Vec<u64> = self.cells.range(at..end).map(|(&at, _)| at).collect();
        for start in inside {
            self.cells.remove(&start);
        }
        if self.background == Background::Unwritten {
            return;
        }
        let mut place = at;
        while place < end {
            let bytes = u32::try_from(end - place).unwrap_or(PIECE).min(PIECE);
            let value = self.layout.unknown(terms, "unwritten", bytes);
            self.cells.insert(place, Cell { size: bytes, value, unwritten: Some(terms.bool(true)) });
            place += u64::from(bytes);
        }
    }

    pub(crate) fn write(&mut self, at: u64, size: u32, value: TermId, terms: &mut Terms) {
        if self.cells.get(&at).is_none_or(|cell| cell.size != size) {
            let end = at + u64::from(size);
            self.cut(at, terms);
            self.cut(end, terms);
            let inside: Vec<u64> = self.cells.range(at..end).map(|(&at, _)| at).collect();
            for start in inside {
                self.cells.remove(&start);
            }
        }
        self.cells.insert(at, Cell { size, value, unwritten: None });
    }
}

/// A condition, unless it never holds.
pub(crate) fn known(condition: TermId, terms: &Terms) -> Option<TermId> {
    (terms.as_bool(condition) != Some(false)).then_some(condition)
}
