//! Objects taken as something else: `*(ty *)((char *)&object + offset)`.

use raddle_cfront::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use raddle_cfront::types::{QualType, TypeId, Types};

use crate::copy::copy_expr;
use crate::program::Program;

impl Program {
    /// `(char *)&object`, and where the object begins behind that: one without a name is looked for in what is around it.
    pub(crate) fn bytes_of(&mut self, object: ExprId) -> (ExprId, u64) {
        let ast = self.ast();
        let (span, mut whole, mut start, mut arrow) = (ast.exprs[object].span, object, 0, false);
        while let ExprKind::Member { base, record, field, arrow: through } = ast.exprs[whole].kind
            && let Some(found) = ast.records[record].fields.iter().flatten().nth(field as usize)
            && found.name.is_none()
            && !arrow
        {
            (whole, start, arrow) = (base, start + found.bit_offset / 8, through);
        }
        let whole = copy_expr(self, whole);
        let address = if arrow {
            self.bare(whole)
        } else {
            self.tree.operators().unary(UnaryOp::AddressOf, whole, span)
        };
        (self.tree.explicit_cast(address, Types::char_pointer().into(), span), start)
    }

    /// What lies so many bytes behind the beginning of an object, taken as a type.
    pub(crate) fn view(&mut self, object: ExprId, offset: u64, ty: impl Into<QualType>) -> ExprId {
        let span = self.ast().exprs[object].span;
        let (mut place, start) = self.bytes_of(object);
        if start + offset > 0 {
            let offset = self.int(i128::from(start + offset), span);
            place = self.tree.operators().binary(BinaryOp::Add, place, offset, span);
        }
        self.at(place, ty)
    }

    /// `*(ty *)place`
    pub(crate) fn at(&mut self, place: ExprId, ty: impl Into<QualType>) -> ExprId {
        let span = self.ast().exprs[place].span;
        let pointer = self.ast_mut().types.pointer_to(ty.into());
        let pointer = self.tree.explicit_cast(place, pointer.into(), span);
        self.tree.operators().unary(UnaryOp::Deref, pointer, span)
    }
}

/// An integer of so many bytes, which carries whatever lies there.
pub(crate) fn integer_of(bytes: u64) -> TypeId {
    match bytes {
        1 => Types::unsigned_char(),
        2 => Types::unsigned_short(),
        4 => Types::unsigned_int(),
        _ => Types::unsigned_long_long(),
    }
}
