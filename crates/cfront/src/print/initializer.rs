//! Initialisers. Values stand in order without designators as far as nothing is left out.

use crate::ast::{Field, Init, InitPart, RecordId, Subobject};
use crate::print::Printer;
use crate::print::expression::Level;
use crate::types::{QualType, Type};

impl Printer<'_> {
    /// An initialiser behind `=`.
    pub(crate) fn init(&mut self, init: &Init, ty: QualType) {
        match init {
            Init::Expr(expr) => self.expr(*expr, Level::Assignment),
            Init::Aggregate(parts) => {
                self.push("{");
                self.parts(parts, ty);
                self.push("}");
            }
        }
    }

    /// An initialiser in braces, which a compound literal always has.
    pub(crate) fn braced_init(&mut self, init: &Init, ty: QualType) {
        match init {
            Init::Expr(expr) => {
                self.push("{");
                self.expr(*expr, Level::Assignment);
                self.push("}");
            }
            Init::Aggregate(_) => self.init(init, ty),
        }
    }

    fn parts(&mut self, parts: &[InitPart], ty: QualType) {
        match *self.ast.types.kind(ty.id) {
            Type::Record(record) => {
                let mut first = true;
                let designated = !self.in_order(parts, record);
                self.record_parts(parts, record, designated, &mut first);
            }
            Type::Array { element, .. } => self.element_parts(parts, element),
            Type::Vector { element, .. } => self.element_parts(parts, element.into()),
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Typedef(_)
            | Type::Error => {
                if let [part] = parts {
                    self.init(&part.value, ty);
                }
            }
        }
    }

    fn element_parts(&mut self, parts: &[InitPart], element: QualType) {
        let mut next = 0;
        for (place, part) in parts.iter().enumerate() {
            if place > 0 {
                self.push(", ");
            }
            if let Subobject::Elements { first, last } = part.subobject {
                if first != last {
                    self.push(&format!("[{first} ... {last}] = "));
                } else if first != next {
                    self.push(&format!("[{first}] = "));
                }
                next = last.saturating_add(1);
            }
            self.init(&part.value, element);
        }
    }

    /// Whether the parts are the first members that an initialiser without designators would reach.
    fn in_order(&self, parts: &[InitPart], record: RecordId) -> bool {
        let fields = self.ast.records[record].fields.as_deref().unwrap_or_default();
        let reached = (0_u32..).zip(fields).filter(|(_, field)| !is_padding(field)).map(|(place, _)| place);
        parts.iter().zip(reached).all(|(part, place)| part.subobject == Subobject::Field(place))
    }

    fn record_parts(&mut self, parts: &[InitPart], record: RecordId, designated: bool, first: &mut bool) {
        let ast = self.ast;
        let fields = ast.records[record].fields.as_deref().unwrap_or_default();
        for part in parts {
            let Subobject::Field(place) = part.subobject else { continue };
            let Some(field) = fields.get(place as usize) else { continue };
            if designated && field.name.is_none() {
                // An anonymous member cannot be named; its members can.
                if let (Init::Aggregate(inner), Type::Record(inner_record)) =
                    (&part.value, ast.types.kind(field.ty.id))
                {
                    self.record_parts(inner, *inner_record, true, first);
                    continue;
                }
            }
            if !std::mem::take(first) {
                self.push(", ");
            }
            if let (true, Some(name)) = (designated, field.name) {
                self.push(".");
                self.push(ast.text(name));
                self.push(" = ");
            }
            self.init(&part.value, field.ty);
        }
    }
}

/// Unnamed bit-fields are passed by when an object is initialised.
fn is_padding(field: &Field) -> bool {
    field.name.is_none() && field.width.is_some()
}
