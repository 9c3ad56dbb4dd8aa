//! How accesses are split, where that goes by types: what every part of the tool must agree on, so that a program has the same
//! accesses everywhere.
//!
//! A scalar is accessed at once. A bit-field shares its *storage unit* with its neighbours: writing it reads and writes the unit.
//! An object is copied member by member where they are few and none overlap. Everything else (objects with unions or bit-fields,
//! large ones, `memcpy` and its kin) is copied in *units*, in ascending order: the largest power of two that the alignment known
//! from the types guarantees, and no more than a word. Real code may copy larger pieces at once, which other threads cannot
//! distinguish from a copy that nobody came between.

use crate::ast::{Ast, Field, Record, RecordKind};
use crate::layout::DataModel;
use crate::types::{ArrayLength, QualType, Type};

/// Objects of more scalars than this are copied by units, and more units than this by a loop.
pub const FEW: u64 = 32;

/// Whether an object is copied member by member; else it is copied by units.
#[must_use]
pub fn is_copied_by_members(ast: &Ast, ty: QualType) -> bool {
    !overlaps(ast, ty) && count_scalars(ast, ty) <= FEW
}

/// Whether members of a type may lie in the same bytes: unions and bit-fields.
fn overlaps(ast: &Ast, ty: QualType) -> bool {
    match ast.types.kind(ty.id) {
        Type::Array { element, .. } => overlaps(ast, *element),
        Type::Record(id) => {
            let record = &ast.records[*id];
            let overlapping = |field: &Field| field.width.is_some() || overlaps(ast, field.ty);
            record.kind == RecordKind::Union || record.fields.iter().flatten().any(overlapping)
        }
        Type::VaList => true,
        Type::Void
        | Type::Int(_)
        | Type::Float(_)
        | Type::Complex(_)
        | Type::ComplexInt(_)
        | Type::Pointer(_)
        | Type::Vector { .. }
        | Type::Function(_)
        | Type::Enum(_)
        | Type::Typedef(_)
        | Type::Error => false,
    }
}

/// How many scalars an object has, counted not much further than [`FEW`].
fn count_scalars(ast: &Ast, ty: QualType) -> u64 {
    match ast.types.kind(ty.id) {
        Type::Array { element, length: ArrayLength::Fixed(count) } => {
            count_scalars(ast, *element).saturating_mul(*count)
        }
        Type::Record(id) => {
            let mut sum: u64 = 0;
            for field in ast.records[*id].fields.iter().flatten() {
                sum = sum.saturating_add(count_scalars(ast, field.ty));
                if sum > FEW {
                    break;
                }
            }
            sum
        }
        Type::Array { .. }
        | Type::VaList
        | Type::Void
        | Type::Int(_)
        | Type::Float(_)
        | Type::Complex(_)
        | Type::ComplexInt(_)
        | Type::Pointer(_)
        | Type::Vector { .. }
        | Type::Function(_)
        | Type::Enum(_)
        | Type::Typedef(_)
        | Type::Error => 1,
    }
}

/// Bytes of the unit in which memory of this alignment is copied.
#[must_use]
pub fn unit(model: DataModel, alignment: u64) -> u64 {
    let guaranteed = 1 << alignment.max(1).trailing_zeros();
    model.pointer_bytes().min(guaranteed)
}

/// The pieces, each with its offset and its bytes, in which the bytes `from .. size` of an object are copied by units of
/// at most `unit` bytes.
pub fn pieces(from: u64, size: u64, unit: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut offset = from;
    std::iter::from_fn(move || {
        let rest = size.checked_sub(offset).filter(|&rest| rest > 0)?;
        let mut piece = unit.max(1);
        while piece > rest || !offset.is_multiple_of(piece) {
            piece /= 2;
        }
        let at = offset;
        offset += piece;
        Some((at, piece))
    })
}

/// The bytes that an access to a bit-field reads and writes, its storage unit: where they begin in the record, and how many.
///
/// Adjacent bit-fields are one memory location in C11, so all of them are accessed together where eight bytes hold them;
/// never more, or the access would conflict with one to the member beside them.
#[must_use]
pub fn bit_unit(record: &Record, place: usize) -> (u64, u64) {
    const MOST: u64 = 8;
    let fields = record.fields.as_deref().unwrap_or_default();
    let end_of = |field: &Field| field.bit_offset + u64::from(field.width.unwrap_or(0));
    let is_part = |field: &&Field| field.width.is_some_and(|width| width > 0);
    let (mut start, mut end) = (fields[place].bit_offset, end_of(&fields[place]));
    let (first, last) = (start / 8, end.div_ceil(8));
    if record.kind == RecordKind::Struct {
        start =
            fields[..place].iter().rev().take_while(is_part).last().map_or(start, |field| field.bit_offset);
        end = fields[place + 1..].iter().take_while(is_part).last().map_or(end, end_of);
    }
    let (start, end) = (start / 8, end.div_ceil(8));
    let chunk = start + (first - start) / MOST * MOST;
    let chunk_end = (chunk + MOST).min(end);
    if last <= chunk_end { (chunk, chunk_end - chunk) } else { (first, last - first) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_guaranteed_by_the_alignment_and_no_larger_than_a_word() {
        let units = |model: DataModel| [1, 2, 4, 8, 16].map(|alignment| unit(model, alignment));
        assert_eq!(units(DataModel::Lp64), [1, 2, 4, 8, 8]);
        assert_eq!(units(DataModel::Ilp32), [1, 2, 4, 4, 4]);
    }

    #[test]
    fn pieces_cover_every_byte_once() {
        for size in 0..20 {
            for unit in [1, 2, 4, 8] {
                let mut next = 0;
                for (offset, bytes) in pieces(0, size, unit) {
                    assert_eq!(offset, next);
                    assert!(bytes <= unit && offset % bytes == 0);
                    next += bytes;
                }
                assert_eq!(next, size);
            }
        }
        assert_eq!(pieces(0, 7, 4).collect::<Vec<_>>(), [(0, 4), (4, 2), (6, 1)]);
        assert_eq!(pieces(8, 11, 8).collect::<Vec<_>>(), [(8, 2), (10, 1)]);
    }
}
