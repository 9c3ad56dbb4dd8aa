//! Copies of structures in shared memory, member by member.

use raddle_cfront::ast::{CastKind, ExprId, ExprKind, RecordKind};
use raddle_cfront::types::{ArrayLength, QualType, Type};

use super::Simplifier;
use crate::copy::copy_expr;
use crate::passes::declarations::assignable;

/// Structures of more members than this are copied as a whole.
const MOST_MEMBERS: usize = 32;

/// One step from an object to a part of it.
#[derive(Clone, Copy, Debug)]
enum Step {
    Field(raddle_cfront::ast::RecordId, u32),
    Element(u64),
}

impl Simplifier<'_> {
    /// Whether a copy to or from this place is made of several accesses that can be told apart.
    pub(super) fn splits(&self, place: ExprId) -> bool {
        let ty = self.program.ast().exprs[place].ty;
        matches!(self.program.ast().types.kind(ty.id), Type::Record(_))
            && self.is_shared(place)
            && assignable(self.program, self.program.ast().types.unqualified(ty).into())
            && self.leaves(ty).is_some()
    }

    /// The ways to the scalars in an object of this type, unless there are too many or they overlap.
    fn leaves(&self, ty: QualType) -> Option<Vec<Vec<Step>>> {
        let mut found = Vec::new();
        self.collect(ty, &mut Vec::new(), &mut found).then_some(found)
    }

    fn collect(&self, ty: QualType, way: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) -> bool {
        let ast = self.program.ast();
        match *ast.types.kind(ty.id) {
            Type::Record(id) => {
                let record = &ast.records[id];
                let Some(fields) = &record.fields else { return false };
                if record.kind == RecordKind::Union {
                    return false;
                }
                (0_u32..).zip(fields).all(|(place, field)| {
                    // Padding has no value.
                    if field.name.is_none() && field.width.is_some() {
                        return true;
                    }
                    way.push(Step::Field(id, place));
                    let fits = self.collect(field.ty, way, found);
                    way.pop();
                    fits
                })
            }
            Type::Array { element, length: ArrayLength::Fixed(length) } => {
                length <= MOST_MEMBERS as u64
                    && (0..length).all(|place| {
                        way.push(Step::Element(place));
                        let fits = self.collect(element, way, found);
                        way.pop();
                        fits
                    })
            }
            // A flexible member is not copied.
            Type::Array { length: ArrayLength::Unknown, .. } => true,
            Type::Array { .. } | Type::Function(_) | Type::Void | Type::VaList | Type::Error => false,
            Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Vector { .. }
            | Type::Enum(_)
            | Type::Typedef(_) => {
                found.push(way.clone());
                found.len() <= MOST_MEMBERS
            }
        }
    }

    /// The part of an object that a way leads to.
    fn part(&mut self, object: ExprId, way: &[Step]) -> ExprId {
        let mut place = copy_expr(self.program, object);
        let span = self.program.ast().exprs[object].span;
        for &step in way {
            let qualifiers = self.program.ast().types.qualifiers(self.program.ast().exprs[place].ty);
            match step {
                Step::Field(record, field) => {
                    let fields = self.program.ast().records[record].fields.as_deref().unwrap_or_default();
                    let Some(ty) = fields.get(field as usize).map(|field| field.ty.with(qualifiers)) else {
                        return place;
                    };
                    let kind = ExprKind::Member { base: place, record, field, arrow: false };
                    place = self.program.tree.expr(kind, ty, true, span);
                }
                Step::Element(index) => {
                    let index = self.program.int(i128::from(index), span);
                    place = self.program.tree.index(place, index, span);
                }
            }
        }
        place
    }

    /// Reads a structure into a variable of one's own.
    pub(super) fn read_record(&mut self, place: ExprId) -> ExprId {
        let (ty, span) = (self.program.ast().exprs[place].ty, self.program.ast().exprs[place].span);
        let ty = self.program.ast().types.unqualified(ty);
        let hint = self.place_name(place);
        let var = self.temporary(&hint, ty, span);
        let target = self.program.var(var, span);
        self.copy_members(target, place);
        self.program.read(var, span)
    }

    /// Copies each scalar of a structure.
    pub(super) fn copy_members(&mut self, to: ExprId, from: ExprId) {
        let ty = self.program.ast().exprs[to].ty;
        for way in self.leaves(ty).unwrap_or_default() {
            let (target, source) = (self.part(to, &way), self.part(from, &way));
            let value = self.program.tree.rvalue(source);
            debug_assert!(
                matches!(self.program.ast().exprs[value].kind, ExprKind::Cast { kind: CastKind::Load, .. }),
                "a scalar is loaded"
            );
            self.assign(target, value, false);
        }
    }
}
