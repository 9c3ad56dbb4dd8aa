//! Followed cells: what a read finds there, what a write changes.

use raddle_ir::Type;
use raddle_logic::term::{Sort, TermId};
use raddle_semantics::ObjectId;

use super::explore::Explorer;
use super::state::State;

impl Explorer<'_> {
    /// The objects of followed cells that any pointer may lead to.
    pub(super) fn escaped_with_cells(&self) -> Vec<ObjectId> {
        let mut list: Vec<ObjectId> = self.cells.iter().map(|cell| cell.object).collect();
        list.retain(|object| self.facts.escaped.contains(object));
        list.sort();
        list.dedup();
        list
    }

    /// What a read at an offset of an object finds; the last value is what it finds elsewhere.
    pub(super) fn read_cells(
        &mut self,
        state: &State,
        object: ObjectId,
        offset: TermId,
        bytes: u64,
        ty: Type,
        mut value: TermId,
    ) -> TermId {
        for index in 0..self.cells.len() {
            let cell = self.cells[index];
            if cell.object != object || u64::from(cell.bytes) != bytes {
                continue;
            }
            let here = self.terms.bits(cell.offset.into(), self.objects.pointer_bits);
            let hits = self.terms.eq(offset, here);
            if self.terms.as_bool(hits) == Some(false) || self.is_mixed_cell(index, ty) {
                continue;
            }
            let (held, rest) = (state.shared[index], value);
            value = self.terms.ite(hits, held, rest);
            self.objects.derive(&self.terms, value, &[held, rest]);
        }
        value
    }

    /// A write at an offset of an object, under a condition: of a value, or of anything.
    pub(super) fn write_cells(
        &mut self,
        state: &mut State,
        object: ObjectId,
        (offset, bytes): (TermId, u64),
        (condition, value): (TermId, Option<TermId>),
        ty: Type,
    ) {
        let bits = self.objects.pointer_bits;
        for index in 0..self.cells.len() {
            let cell = self.cells[index];
            if cell.object != object {
                continue;
            }
            let mut new = state.shared[index];
            // The write begins before the cell ends, and ends behind its begin: with wrapping numbers, how far the write begins behind
            // the byte that is its own length before the cell.
            let reach = u128::from(bytes) + u128::from(cell.bytes) - 1;
            let first = self.terms.signed_bits(i128::from(cell.offset) - i128::from(bytes) + 1, bits);
            let (distance, reach) = (self.terms.sub(offset, first), self.terms.bits(reach, bits));
            let overlaps = self.terms.ult(distance, reach);
            let overlaps = self.terms.and(condition, overlaps);
            if self.terms.as_bool(overlaps) != Some(false) {
                let any = self.terms.fresh("any", Sort::BitVec(8 * cell.bytes));
                new = self.terms.ite(overlaps, any, new);
            }
            if let Some(value) = value
                && bytes == u64::from(cell.bytes)
            {
                let here = self.terms.bits(cell.offset.into(), bits);
                let hits = self.terms.eq(offset, here);
                let hits = self.terms.and(condition, hits);
                if self.terms.as_bool(hits) != Some(false) {
                    self.is_mixed_cell(index, ty);
                    new = self.terms.ite(hits, value, new);
                }
            }
            state.shared[index] = new;
        }
    }
}
