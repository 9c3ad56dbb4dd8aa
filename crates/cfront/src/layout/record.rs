//! The layout of structures and unions.
//!
//! Places are counted in bits, in 128-bit arithmetic that no input can overflow: a field has less than 2^64
//! bytes, and there are fewer than 2^32 of them.

use super::{BIGGEST_ALIGNMENT, Mode, NoSize, RecordLayout, Shape, integer_mode, shape};
use crate::ast::{Ast, Field, Record, RecordId, RecordKind};
use crate::layout::DataModel;
use crate::types::{ArrayLength, QualType, Type};

/// Computes offsets, size and alignment of a record whose fields have just been set.
///
/// Fields of incomplete type (an error, which the caller reports) take no room; so does a flexible array
/// member, wherever it stands.
///
/// # Errors
/// [`NoSize::TooLarge`] when the record does not fit the address space; it is complete all the same, but has
/// no size. A record with members of variable length is no error here; its [`RecordLayout::no_size`] says so.
pub fn lay_out_record(ast: &mut Ast, record: RecordId) -> Result<(), NoSize> {
    let mut layout = Layout::start(ast.model, &ast.records[record]);
    let count = ast.records[record].fields.as_ref().map_or(0, Vec::len);
    for index in 0..count {
        let Some(field) = ast.records[record].fields.as_ref().and_then(|fields| fields.get(index)) else {
            break;
        };
        let shape = field_shape(ast, field.ty);
        layout.block |= is_flexible(ast, field.ty);
        let place = layout.place(field, &shape);
        if let Some(field) = ast.records[record].fields.as_mut().and_then(|fields| fields.get_mut(index)) {
            field.bit_offset = u64::try_from(place).unwrap_or(!7);
        }
    }
    let (size, align, result) = layout.finish();
    let record = &mut ast.records[record];
    record.size = size;
    record.alignment = align;
    record.layout = result;
    match result.no_size {
        Some(NoSize::TooLarge) => Err(NoSize::TooLarge),
        Some(NoSize::Variable | NoSize::Incomplete) | None => Ok(()),
    }
}

/// The shape of a field's type. What has no size by mistake or by being a flexible array takes no room.
fn field_shape(ast: &Ast, ty: QualType) -> Shape {
    let mut field = match shape(ast, ty) {
        Ok(shape) => shape,
        Err(_) => Shape::of(0, 1, Mode::Block),
    };
    if field.size == Err(NoSize::Incomplete) {
        field.size = Ok(0);
        field.mode = Mode::Block;
    }
    field
}

/// Whether a member of this type is a flexible array.
fn is_flexible(ast: &Ast, ty: QualType) -> bool {
    matches!(ast.types.kind(ty.id), Type::Array { length: ArrayLength::Unknown, .. })
}

/// A record being laid out.
struct Layout {
    model: DataModel,
    kind: RecordKind,
    packed: bool,
    /// The limit of `#pragma pack`, in bits.
    pack: Option<u64>,
    /// The first free bit of a structure; the size of a union so far.
    position: u128,
    /// The alignment that was asked for the record itself, in bits.
    own_align: u64,
    /// The record's alignment so far, in bits.
    align: u64,
    user_aligned: bool,
    no_size: Option<NoSize>,
    /// Whether some member must live in memory.
    block: bool,
    /// The mode of the first member of each size, for a structure that is all of one member.
    largest: Option<(u64, Mode)>,
}

/// The alignment of a field, once its own wishes, its type and the record's packing are weighed.
struct FieldAlign {
    /// In bits; 1 where a bit-field may begin anywhere.
    bits: u64,
    user_aligned: bool,
    /// Whether it still is a bit-field: one that fills a whole aligned integer no longer is.
    bit_field: bool,
}

impl Layout {
    fn start(model: DataModel, record: &Record) -> Self {
        let own_align = record.align.map_or(8, |bytes| bytes.saturating_mul(8).max(8));
        Self {
            model,
            kind: record.kind,
            packed: record.packed,
            pack: record.pack.filter(|&bytes| bytes > 0).map(|bytes| bytes.saturating_mul(8)),
            position: 0,
            own_align,
            align: own_align,
            user_aligned: record.align.is_some(),
            no_size: None,
            block: false,
            largest: None,
        }
    }

    /// Puts a field at the next offset that suits it, and gives that offset in bits.
    fn place(&mut self, field: &Field, shape: &Shape) -> u128 {
        let type_bits = match shape.size {
            Ok(bytes) => u128::from(bytes) * 8,
            Err(reason) => {
                self.no_size = Some(reason);
                0
            }
        };
        let bits = field.width.map_or(type_bits, u128::from);
        // Packing a byte-aligned member that is no bit-field means nothing.
        let packed = (self.packed || field.packed) && (field.width.is_some() || shape.align > 8);
        let known_align = match self.kind {
            RecordKind::Struct => self.position & self.position.wrapping_neg(),
            RecordKind::Union => 0,
        };
        let align = self.field_align(field, shape, packed, known_align);
        self.raise_record_align(field, shape, packed, &align);
        self.note_mode(shape, bits);
        if self.kind == RecordKind::Union {
            self.position = self.position.max(bits);
            return 0;
        }
        // The compiler counts in chunks of this many bits: what it rounds up below, it rounds within the chunk that
        // the field before ended in.
        let chunk = u128::from(self.own_align.max(BIGGEST_ALIGNMENT));
        let mut base = self.position - self.position % chunk;
        self.position = self.position.next_multiple_of(u128::from(align.bits));
        if u128::from(align.bits) >= chunk {
            base = self.position;
        }
        let may_straddle = packed || self.pack.is_some() || bits == 0;
        if align.bit_field && !may_straddle {
            // A bit-field may not touch more units of its type's alignment than the type itself has.
            let unit = u128::from(natural_align(self.model, shape));
            if (self.position % unit + bits).div_ceil(unit) > type_bits / unit {
                self.position = base + (self.position - base).next_multiple_of(unit);
            }
            self.user_aligned |= shape.user_aligned;
        }
        let place = self.position;
        self.position += bits;
        place
    }

    /// The alignment that a field gets.
    fn field_align(&self, field: &Field, shape: &Shape, packed: bool, known_align: u128) -> FieldAlign {
        let asked = field.align.map(|bytes| bytes.saturating_mul(8));
        let mut bits = asked.unwrap_or(1).max(1);
        let mut user_aligned = asked.is_some();
        let mut by_type = |bits: &mut u64| {
            if shape.align > *bits {
                *bits = shape.align;
                user_aligned = shape.user_aligned;
            }
        };
        // A bit-field of no width shuts the unit, whatever packing is in force.
        let zero_width = field.width == Some(0);
        let packed = packed && !zero_width;
        let mut bit_field = field.width.is_some();
        match field.width {
            Some(0) => by_type(&mut bits),
            Some(width) => {
                if let Some(natural) = integer_align(self.model, width)
                    && shape.element_mode == Mode::Integer
                    && !(natural > 8 && packed)
                    && (known_align == 0 || known_align >= u128::from(natural))
                {
                    bits = bits.max(natural);
                    bit_field = false;
                }
            }
            None if packed && asked.is_some() => {}
            None => by_type(&mut bits),
        }
        if packed && asked.is_none() {
            bits = bits.min(8);
        }
        if !packed && !user_aligned {
            bits = shape.field_align(self.model, bits);
        }
        if let Some(limit) = self.pack
            && !zero_width
        {
            bits = bits.min(limit);
        }
        FieldAlign { bits, user_aligned, bit_field }
    }

    /// A record is aligned at least as its fields are.
    fn raise_record_align(&mut self, field: &Field, shape: &Shape, packed: bool, align: &FieldAlign) {
        let mut user_aligned = align.user_aligned;
        match field.width {
            // Unnamed bit-fields do not count.
            Some(_) if field.name.is_none() => {}
            Some(_) => {
                let mut by_type = natural_align(self.model, shape);
                if let Some(limit) = self.pack {
                    by_type = by_type.min(limit);
                } else if packed {
                    by_type = by_type.min(8);
                }
                self.align = self.align.max(align.bits).max(by_type);
                user_aligned |= shape.user_aligned;
            }
            None => self.align = self.align.max(align.bits),
        }
        self.user_aligned |= user_aligned;
    }

    fn note_mode(&mut self, shape: &Shape, bits: u128) {
        if shape.size.is_err() || (shape.mode == Mode::Block && shape.size != Ok(0)) {
            self.block = true;
        }
        let bytes = u64::try_from(bits.div_ceil(8)).unwrap_or(u64::MAX);
        if bits > 0 && self.largest.is_none_or(|(known, _)| known < bytes) {
            self.largest = Some((bytes, shape.mode));
        }
    }

    fn finish(self) -> (u64, u64, RecordLayout) {
        let align = self.align.max(8);
        let bytes = self.position.next_multiple_of(u128::from(align)) / 8;
        let fits = |&bytes: &u64| bytes <= self.model.max_object_bytes() && bytes < 1 << 61;
        let size = u64::try_from(bytes).ok().filter(fits);
        let no_size = self.no_size.or(if size.is_none() { Some(NoSize::TooLarge) } else { None });
        let size = size.filter(|_| no_size.is_none()).unwrap_or(0);
        let mode = match (self.kind, self.largest) {
            _ if self.block || no_size.is_some() => Mode::Block,
            (RecordKind::Struct, Some((bytes, mode))) if bytes == size => mode,
            (RecordKind::Struct | RecordKind::Union, _) => integer_mode(self.model, size),
        };
        let layout = RecordLayout { user_aligned: self.user_aligned, mode, no_size };
        (size, align / 8, layout)
    }
}

/// The alignment in bits of a field of this type that nobody aligned or packed.
fn natural_align(model: DataModel, shape: &Shape) -> u64 {
    if shape.user_aligned { shape.align } else { shape.field_align(model, shape.align) }
}

/// The alignment in bits of the integer of exactly `width` bits, if there is one.
fn integer_align(model: DataModel, width: u32) -> Option<u64> {
    match (width, model) {
        (8 | 16 | 32 | 64, _) | (128, DataModel::Lp64) => Some(u64::from(width)),
        _ => None,
    }
}
