//! What one object holds, as terms: cells of bytes that are split and joined as accesses of different sizes ask.
//!
//! An object is a set of cells that do not overlap, each with the word it holds ([`WordLayout`]). Bytes without a cell hold what the
//! object began with. A cell may be *unwritten* under a condition: then reading it asks for an input, as the VM does.
//!
//! Invariant: every byte of an object is in at most one cell, and splitting or joining cells changes no byte.

use std::collections::BTreeMap;

use raddle_logic::term::{TermId, Terms};

use super::words::WordLayout;

/// What an object holds where nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    Zero,
    Unwritten,
}

/// Some bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub size: u32,
    pub value: TermId,
    /// The condition under which it was never written.
    pub unwritten: Option<TermId>,
}

/// What an object holds.
#[derive(Clone, Debug)]
pub struct Contents {
    pub background: Background,
    /// Of the values in cells.
    layout: WordLayout,
    /// By offset.
    cells: BTreeMap<u64, Cell>,
    /// The condition under which its lifetime is over; none: it is not.
    ended: Option<TermId>,
}

impl Contents {
    pub fn new(background: Background, layout: WordLayout) -> Self {
        Self { background, layout, cells: BTreeMap::new(), ended: None }
    }

    /// The condition under which its lifetime is over, if it may be.
    pub fn ended(&self) -> Option<TermId> {
        self.ended
    }

    /// Its lifetime ends, if the condition holds.
    pub fn end(&mut self, condition: TermId, terms: &mut Terms) {
        let before = self.ended.unwrap_or_else(|| terms.bool(false));
        self.ended = possible(terms.or(before, condition), terms);
    }

    /// What was stored, by offset; the rest is as it was at first.
    pub fn cells(&self) -> impl Iterator<Item = (u64, Cell)> {
        self.cells.iter().map(|(&at, cell)| (at, *cell))
    }

    /// The cells that begin in a range of offsets.
    pub fn cells_in(&self, range: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Cell)> {
        self.cells.range(range).map(|(&at, cell)| (at, *cell))
    }

    /// Two objects become one: the first where `selector` holds.
    pub fn merge(&mut self, other: &Self, selector: TermId, terms: &mut Terms) {
        let mut other = other.clone();
        // Both get the same cells first. Those of this one are made in the other, which cuts and joins what is there; what is left of
        // the other's own cells then lies between them, and is made here.
        let extents = |contents: &Self| -> Vec<(u64, u32)> {
            contents.cells.iter().map(|(&at, cell)| (at, cell.size)).collect()
        };
        for (at, size) in extents(self) {
            other.cell_at(at, size, terms);
        }
        for (at, size) in extents(&other) {
            self.cell_at(at, size, terms);
        }
        for (at, cell) in &mut self.cells {
            let theirs = other.cells[at];
            let no = terms.bool(false);
            cell.value = terms.ite(selector, cell.value, theirs.value);
            if cell.unwritten != theirs.unwritten {
                let (own, others) = (cell.unwritten.unwrap_or(no), theirs.unwritten.unwrap_or(no));
                cell.unwritten = possible(terms.ite(selector, own, others), terms);
            }
        }
        if self.ended != other.ended {
            let no = terms.bool(false);
            let (own, others) = (self.ended.unwrap_or(no), other.ended.unwrap_or(no));
            self.ended = possible(terms.ite(selector, own, others), terms);
        }
    }

    /// What the cell at exactly this offset holds. Cells that overlap it are cut; where there is none, what the object began
    /// with becomes one.
    pub fn cell_at(&mut self, at: u64, size: u32, terms: &mut Terms) -> Cell {
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
        let mut next = at;
        for (start, cell) in inside {
            if start > next {
                pieces.push(self.fresh(start - next, terms));
            }
            pieces.push(cell);
            next = start + u64::from(cell.size);
            self.cells.remove(&start);
        }
        if next < end {
            pieces.push(self.fresh(end - next, terms));
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

    /// The same, for who only looks: no cell is cut or made.
    pub fn peek(&self, at: u64, size: u32, terms: &mut Terms) -> Cell {
        match self.cells.get(&at) {
            Some(cell) if cell.size == size => *cell,
            Some(_) | None => self.clone().cell_at(at, size, terms),
        }
    }

    /// Says anew when the cell at an offset was never written.
    pub fn set_unwritten(&mut self, at: u64, unwritten: Option<TermId>) {
        if let Some(cell) = self.cells.get_mut(&at) {
            cell.unwritten = unwritten;
        }
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

    /// Makes a cell that reaches across an offset two.
    fn cut(&mut self, border: u64, terms: &mut Terms) {
        let Some((&at, &cell)) = self.cells.range(..border).next_back() else { return };
        let end = at + u64::from(cell.size);
        if end <= border {
            return;
        }
        let below = u32::try_from(border - at).expect("an access has few bytes");
        let word = (cell.value, cell.size);
        let low = self.layout.part(terms, word, 0, below);
        let high = self.layout.part(terms, word, below, cell.size - below);
        self.cells.insert(at, Cell { size: below, value: low, unwritten: cell.unwritten });
        self.cells.insert(border, Cell { size: cell.size - below, value: high, unwritten: cell.unwritten });
    }

    /// Bytes count as never written.
    pub fn forget(&mut self, at: u64, size: u64, terms: &mut Terms) {
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
        let mut next = at;
        while next < end {
            let bytes = u32::try_from(end - next).unwrap_or(PIECE).min(PIECE);
            let value = self.layout.unknown(terms, "unwritten", bytes);
            self.cells.insert(next, Cell { size: bytes, value, unwritten: Some(terms.bool(true)) });
            next += u64::from(bytes);
        }
    }

    /// Stores a word.
    pub fn write(&mut self, at: u64, size: u32, value: TermId, terms: &mut Terms) {
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

/// A condition, and that two objects hold the same; none if that cannot be, or if they were not written in the same cells.
pub fn and_equal_contents(
    condition: TermId,
    now: &Contents,
    before: &Contents,
    terms: &mut Terms,
) -> Option<TermId> {
    if now.ended != before.ended || now.cells.len() != before.cells.len() {
        return None;
    }
    let mut condition = condition;
    for ((at, cell), (other_at, other)) in now.cells.iter().zip(&before.cells) {
        if at != other_at || cell.size != other.size || cell.unwritten != other.unwritten {
            return None;
        }
        let same = terms.eq(cell.value, other.value);
        condition = terms.and(condition, same);
    }
    possible(condition, terms)
}

/// A condition, unless it never holds.
pub fn possible(condition: TermId, terms: &Terms) -> Option<TermId> {
    (terms.as_bool(condition) != Some(false)).then_some(condition)
}
