//! Reading and writing objects that a path knows the contents of.

use raddle_ir::Type;
use raddle_logic::term::TermId;

use super::context::Context;
use super::memory::Memory;
use super::path::Path;
use raddle_semantics::pointers::possible_offsets;
use raddle_semantics::{ObjectId, possible};

impl Memory {
    /// The offsets that an access to an object may have.
    pub(crate) fn offsets(
        &self,
        cx: &Context<'_, '_>,
        object: ObjectId,
        offset: TermId,
        size: u32,
    ) -> Option<Vec<u64>> {
        possible_offsets(&cx.out.terms, offset, size, self.heap.facts(object).most)
    }

    pub(crate) fn read_own(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        (object, offset, size): (ObjectId, TermId, u32),
        ty: Type,
        condition: TermId,
    ) -> TermId {
        let bits = cx.pointer_bits();
        let Some(offsets) = self.offsets(cx, object, offset, size).filter(|offsets| !offsets.is_empty())
        else {
            let what = "an index that is not known into a large object";
            cx.unsupported_under(path, condition, what);
            return cx.layout().constant(&mut cx.out.terms, 0, size);
        };
        let mut value = None;
        for at in offsets {
            let contents = path.memory.contents_mut(object).expect("the destination says so");
            let cell = contents.cell_at(at, size, &mut cx.out.terms);
            let here = cx.out.terms.bits(at.into(), bits);
            let here = cx.out.terms.eq(offset, here);
            if let Some(unwritten) = cell.unwritten {
                let asked = cx.out.terms.and(condition, here);
                let asks = cx.out.terms.and(asked, unwritten);
                let name = "unwritten memory".to_owned();
                let taken = cx.out.terms.and(path.guard.term(), asks);
                cx.report.uninitialised.push(taken);
                let bytes = cx.layout().bytes(&mut cx.out.terms, cell.value, size);
                self.placement.unknown_value(cx, ty, bytes);
                cx.input(path, ty, bytes, name, asks);
                let rest = cx.out.terms.not(asked);
                let rest = cx.out.terms.and(unwritten, rest);
                let contents = path.memory.contents_mut(object).expect("the destination says so");
                contents.set_unwritten(at, possible(rest, &cx.out.terms));
            }
            value = Some(value.map_or(cell.value, |rest| cx.out.terms.ite(here, cell.value, rest)));
        }
        value.expect("there is an offset")
    }

    /// Reads what the path knows, where memory that was never written counts as a number.
    pub(crate) fn look_at_own(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        (object, offset, size): (ObjectId, TermId, u32),
        number: u32,
    ) -> TermId {
        let bits = cx.pointer_bits();
        let unwritten_is = cx.layout().constant(&mut cx.out.terms, number.into(), size);
        let mut value = unwritten_is;
        let Some(offsets) = self.offsets(cx, object, offset, size) else {
            let always = cx.out.terms.bool(true);
            cx.unsupported_under(path, always, "an index that is not known into a large object");
            return value;
        };
        for at in offsets {
            let contents = path.memory.contents_mut(object).expect("the destination says so");
            let cell = contents.cell_at(at, size, &mut cx.out.terms);
            let found = match cell.unwritten {
                Some(unwritten) => cx.out.terms.ite(unwritten, unwritten_is, cell.value),
                None => cell.value,
            };
            let here = cx.out.terms.bits(at.into(), bits);
            let here = cx.out.terms.eq(offset, here);
            value = cx.out.terms.ite(here, found, value);
        }
        value
    }

    pub(crate) fn write_own(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        (object, offset, size): (ObjectId, TermId, u32),
        value: TermId,
        condition: TermId,
    ) {
        let bits = cx.pointer_bits();
        let Some(offsets) = self.offsets(cx, object, offset, size) else {
            let what = "an index that is not known into a large object";
            cx.unsupported_under(path, condition, what);
            return;
        };
        for at in offsets {
            let here = cx.out.terms.bits(at.into(), bits);
            let here = cx.out.terms.eq(offset, here);
            let happens = cx.out.terms.and(condition, here);
            if !cx.world.is_torn() && cx.out.terms.as_bool(happens) != Some(false) {
                cx.report.tears_pointers |= Self::tears_pointer(cx, path, object, at, size);
            }
            let terms = &mut cx.out.terms;
            let contents = path.memory.contents_mut(object).expect("the destination says so");
            if terms.as_bool(happens) == Some(true) {
                contents.write(at, size, value, terms);
                continue;
            }
            let old = contents.cell_at(at, size, terms);
            let new = terms.ite(happens, value, old.value);
            contents.write(at, size, new, terms);
            if let Some(unwritten) = old.unwritten {
                let not = terms.not(happens);
                let still = terms.and(unwritten, not);
                contents.set_unwritten(at, possible(still, terms));
            }
        }
    }

    /// Whether a write to an object that the path knows leaves a part of a pointer.
    fn tears_pointer(cx: &mut Context<'_, '_>, path: &Path, object: ObjectId, at: u64, size: u32) -> bool {
        let Some(contents) = path.memory.contents(object) else { return false };
        let pointer = cx.layout().pointer_bytes;
        let end = at + u64::from(size);
        let is_cut = |cell: u64| {
            let cell_end = cell + u64::from(pointer);
            cell < end && cell_end > at && (cell < at || cell_end > end)
        };
        let near = contents.cells_in(at.saturating_sub(pointer.into())..end);
        let cut = near.filter(|(at, cell)| cell.size == pointer && is_cut(*at)).map(|(_, cell)| cell.value);
        let cut: Vec<TermId> = cut.collect();
        cut.into_iter().any(|word| {
            let value = cx.layout().bytes(&mut cx.out.terms, word, pointer);
            cx.world.addresses().may_lead_somewhere(&mut cx.out.terms, value)
        })
    }
}
