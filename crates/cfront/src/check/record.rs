//! Tags, records and enumerations.

use raddle_base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::ast::{Enum, EnumConstant, EnumId, ExprId, Field, Record, RecordId, RecordKind};
use crate::check::TreeBuilder;
use crate::check::attribute::Attributes;
use crate::check::declaration::{Declarator, Specifiers, span_of_name};
use crate::check::describe::describe;
use crate::check::scope::{Name, Scopes, Tag};
use crate::layout::{self, NoSize};
use crate::names::Symbol;
use crate::types::{ArrayLength, IntKind, QualType, Qualifiers, Type, TypeId, Types};

/// Tags that begin so are ours: the printer gives them to records without a tag.
const ANONYMOUS_PREFIX: &str = "__anon_";

/// What kind of tagged type is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKind {
    /// `struct` or `union`
    Record(RecordKind),
    /// `enum`
    Enum,
}

impl TagKind {
    /// The keyword.
    #[must_use]
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Record(RecordKind::Struct) => "struct",
            Self::Record(RecordKind::Union) => "union",
            Self::Enum => "enum",
        }
    }
}

/// How a tag is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagUse {
    /// `struct s x;`: the type in scope, or a new incomplete one.
    Mention,
    /// `struct s;`: a type of this very scope.
    Declare,
    /// `struct s { … }`
    Define,
}

/// Checks `struct`, `union` and `enum`, and what their tags and constants stand for.
#[derive(Debug)]
pub struct Records<'t> {
    tree: &'t mut TreeBuilder,
    scopes: &'t mut Scopes,
}

impl<'t> Records<'t> {
    pub(super) fn new(tree: &'t mut TreeBuilder, scopes: &'t mut Scopes) -> Self {
        Self { tree, scopes }
    }
}

impl Records<'_> {
    /// The kind of what a tag stands for.
    #[must_use]
    pub fn tag_kind(&self, tag: Tag) -> TagKind {
        match tag {
            Tag::Record(id) => TagKind::Record(self.tree.ast.records[id].kind),
            Tag::Enum(_) => TagKind::Enum,
        }
    }

    /// The keyword of what a tag stands for.
    #[must_use]
    pub fn tag_keyword(&self, tag: Tag) -> &'static str {
        self.tag_kind(tag).keyword()
    }

    fn span_of_tag(&self, tag: Tag) -> Span {
        match tag {
            Tag::Record(id) => self.tree.ast.records[id].span,
            Tag::Enum(id) => self.tree.ast.enums[id].span,
        }
    }

    fn is_defined(&self, tag: Tag) -> bool {
        match tag {
            Tag::Record(id) => self.tree.ast.records[id].fields.is_some(),
            Tag::Enum(id) => self.tree.ast.enums[id].constants.is_some(),
        }
    }

    /// What a tagged type specifier stands for, and whether it is new. `defining` are the types whose braces are open.
    pub fn tag(
        &mut self,
        kind: TagKind,
        name: Option<Symbol>,
        usage: TagUse,
        span: Span,
        defining: &[Tag],
    ) -> (Tag, bool) {
        let Some(name) = name else { return (self.new_tag(kind, None, span), true) };
        let known = match usage {
            TagUse::Mention => self.scopes.lookup_tag(name),
            TagUse::Declare | TagUse::Define => self.scopes.lookup_tag_here(name),
        };
        if let Some(known) = known {
            let message = if self.tag_kind(known) != kind {
                Some(format!(
                    "`{}` is not the tag of {} {}",
                    self.tree.ast.text(name),
                    article(kind),
                    kind.keyword()
                ))
            } else if usage != TagUse::Define {
                None
            } else if defining.contains(&known) {
                Some(format!("nested redefinition of `{} {}`", kind.keyword(), self.tree.ast.text(name)))
            } else if self.is_defined(known) {
                Some(format!("redefinition of `{} {}`", kind.keyword(), self.tree.ast.text(name)))
            } else {
                None
            };
            let Some(message) = message else { return (known, false) };
            let first = self.span_of_tag(known);
            self.tree.diagnostics.push(Diagnostic::error(span, message).also(first, "first defined here"));
        }
        let tag = self.new_tag(kind, Some(name), span);
        self.scopes.declare_tag(name, tag);
        (tag, true)
    }

    fn new_tag(&mut self, kind: TagKind, name: Option<Symbol>, span: Span) -> Tag {
        let mut shown = name.filter(|&name| !self.tree.ast.text(name).starts_with(ANONYMOUS_PREFIX));
        if shown.is_some() && self.scopes.at_prototype_scope() {
            if let TagKind::Record(_) = kind {
                let message = format!(
                    "`{} {}` declared inside a parameter list is not visible outside of it",
                    kind.keyword(),
                    shown.map_or("", |name| self.tree.ast.text(name))
                );
                self.tree.warning(span, message);
            }
            // Its item stands outside of the list, where the tag may belong to another type: it goes without.
            shown = None;
        }
        match kind {
            TagKind::Record(kind) => Tag::Record(self.tree.ast.records.push(Record {
                kind,
                tag: shown,
                fields: None,
                packed: false,
                align: None,
                pack: None,
                transparent: false,
                size: 0,
                alignment: 1,
                layout: layout::RecordLayout::default(),
                span,
            })),
            TagKind::Enum => Tag::Enum(self.tree.ast.enums.push(Enum {
                tag: shown,
                constants: None,
                packed: false,
                underlying: IntKind::UnsignedInt,
                span,
            })),
        }
    }

    /// The type that a tag stands for.
    pub fn tag_type(&mut self, tag: Tag) -> TypeId {
        self.tree.ast.types.intern(match tag {
            Tag::Record(id) => Type::Record(id),
            Tag::Enum(id) => Type::Enum(id),
        })
    }

    /// Checks a member and makes its entry. `width` is a bit-field's.
    pub fn field(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        width: Option<ExprId>,
    ) -> Field {
        let Declarator { name, span, .. } = *declarator;
        let ty = self.tree.derived_types().apply_type_attributes(declarator.ty, &specifiers.attributes);
        let mut ty = self.tree.derived_types().apply_type_attributes(ty, &declarator.attributes);
        let flexible =
            matches!(self.tree.ast.types.kind(ty.id), Type::Array { length: ArrayLength::Unknown, .. });
        if self.tree.is_error(ty) {
        } else if matches!(self.tree.ast.types.kind(ty.id), Type::Function(_)) {
            let message = format!("{} declared as a function", self.member_subject(name));
            self.tree.error(span, message);
            ty = Types::error().into();
        } else if width.is_none() && !flexible && !layout::is_complete(&self.tree.ast, ty) {
            let message = if self.tree.is_void(ty) {
                format!("{} declared `void`", self.member_subject(name))
            } else {
                format!(
                    "{} has the incomplete type {}",
                    self.member_subject(name),
                    describe(&self.tree.ast, ty)
                )
            };
            self.tree.error(span, message);
            ty = Types::error().into();
        }
        if specifiers.auto_type {
            let message = format!("{} declared `__auto_type`", self.member_subject(name));
            self.tree.error(span, message);
        }
        let width = width.and_then(|width| self.bit_field_width(ty, width, name, span));
        if let Some((bytes, place)) = specifiers.alignas {
            if width.is_some() {
                let message = format!("alignment specified for bit-field {}", self.member_subject(name));
                self.tree.error(place, message);
            } else if layout::align_of(&self.tree.ast, ty).is_ok_and(|own| bytes < own) {
                let message =
                    format!("`_Alignas` cannot reduce the alignment of {}", self.member_subject(name));
                self.tree.error(place, message);
            }
        }
        let attributes = [&specifiers.attributes, &declarator.attributes];
        let aligned = attributes.iter().filter_map(|attributes| attributes.aligned).max();
        Field {
            name,
            ty,
            width,
            packed: attributes.iter().any(|attributes| attributes.packed),
            align: aligned.max(specifiers.alignas.map(|(bytes, _)| bytes)),
            bit_offset: 0,
            span,
        }
    }

    /// How a message calls a member.
    fn member_subject(&self, name: Option<Symbol>) -> String {
        match name {
            Some(name) => format!("member `{}`", self.tree.ast.text(name)),
            None => "unnamed member".to_owned(),
        }
    }

    /// The width of a bit-field, if it may have it.
    fn bit_field_width(
        &mut self,
        ty: QualType,
        width: ExprId,
        name: Option<Symbol>,
        span: Span,
    ) -> Option<u32> {
        let subject = match name {
            Some(name) => format!("bit-field `{}`", self.tree.ast.text(name)),
            None => "unnamed bit-field".to_owned(),
        };
        let width = self.tree.rvalue(width);
        let value = self.tree.integer_constant(width, "width of a bit-field")?;
        let bits = match *self.tree.ast.types.kind(ty.id) {
            Type::Int(IntKind::Bool) => 1,
            Type::Int(kind) => self.tree.ast.model.int_bytes(kind) * 8,
            Type::Enum(id) => {
                if self.tree.ast.enums[id].constants.is_none() {
                    self.tree.error(span, format!("{subject} has an incomplete type"));
                    return None;
                }
                self.tree.ast.model.int_bytes(self.tree.ast.enums[id].underlying) * 8
            }
            Type::Error => return None,
            Type::Void
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Function(_)
            | Type::Record(_)
            | Type::VaList
            | Type::Typedef(_) => {
                let what = describe(&self.tree.ast, ty);
                self.tree.error(span, format!("{subject} has the type {what}, which is not an integer type"));
                return None;
            }
        };
        let message = if self.tree.ast.types.qualifiers(ty).contains(Qualifiers::ATOMIC) {
            Some(format!("{subject} is atomic"))
        } else if value < 0 {
            Some(format!("{subject} has a negative width"))
        } else if value > i128::from(bits) {
            Some(format!("{subject} is wider than its type, which has {bits} bits"))
        } else if value == 0 && name.is_some() {
            Some(format!("{subject} has the width zero, which only an unnamed one may have"))
        } else {
            None
        };
        if let Some(message) = message {
            self.tree.error(span, message);
            return None;
        }
        u32::try_from(value).ok()
    }

    /// Completes a record.
    pub fn finish_record(
        &mut self,
        id: RecordId,
        mut fields: Vec<Field>,
        attributes: &Attributes,
        pack: Option<u64>,
        span: Span,
    ) {
        if let Some((_, place)) = attributes.vector_size {
            self.tree.error(place, "`vector_size` needs an integer or floating type");
        }
        if let Some((_, place)) = attributes.mode {
            self.tree.error(place, "this machine mode does not fit the type");
        }
        self.check_flexible_arrays(id, &mut fields);
        self.check_member_names(&fields);
        let record = &mut self.tree.ast.records[id];
        record.fields = Some(fields);
        record.packed = attributes.packed;
        record.align = attributes.aligned;
        record.pack = pack;
        record.transparent = attributes.transparent_union;
        match layout::lay_out_record(&mut self.tree.ast, id) {
            Ok(()) | Err(NoSize::Incomplete | NoSize::Variable) => {}
            Err(NoSize::TooLarge) => self.tree.error(span, "the type is too large"),
        }
    }

    fn check_flexible_arrays(&mut self, id: RecordId, fields: &mut [Field]) {
        let union = self.tree.ast.records[id].kind == RecordKind::Union;
        let last = fields.len().saturating_sub(1);
        for place in 0..fields.len() {
            let ty = fields[place].ty;
            if !matches!(self.tree.ast.types.kind(ty.id), Type::Array { length: ArrayLength::Unknown, .. }) {
                continue;
            }
            let named_before =
                fields[..place].iter().any(|field| field.name.is_some() || field.width.is_none());
            let message = if union {
                "flexible array member in a union"
            } else if place != last {
                "flexible array member is not the last member"
            } else if !named_before {
                "flexible array member in a struct with no other named member"
            } else {
                continue;
            };
            self.tree.error(fields[place].span, message);
            fields[place].ty = Types::error().into();
        }
    }

    /// Reports members of one name, those of anonymous members included.
    fn check_member_names(&mut self, fields: &[Field]) {
        const FEW: usize = 12;
        let mut names: Vec<(Symbol, Span)> = Vec::with_capacity(fields.len());
        self.member_names(fields, &mut names);
        let mut clashes: Vec<(Symbol, Span, Span)> = Vec::new();
        if names.len() <= FEW {
            for (place, &(name, span)) in names.iter().enumerate() {
                if let Some(&(_, first)) = names[..place].iter().find(|(earlier, _)| *earlier == name) {
                    clashes.push((name, span, first));
                }
            }
        } else {
            let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
            for &(name, span) in &names {
                if let Some(&first) = seen.get(&name) {
                    clashes.push((name, span, first));
                } else {
                    seen.insert(name, span);
                }
            }
        }
        for (name, span, first) in clashes {
            let message = format!("duplicate member `{}`", self.tree.ast.text(name));
            self.tree
                .diagnostics
                .push(Diagnostic::error(span, message).also(first, "first member of this name here"));
        }
    }

    fn member_names(&self, fields: &[Field], names: &mut Vec<(Symbol, Span)>) {
        for field in fields {
            if let Some(name) = field.name {
                names.push((name, field.span));
            } else if let Type::Record(inner) = *self.tree.ast.types.kind(field.ty.id) {
                self.member_names(self.tree.ast.records[inner].fields.as_deref().unwrap_or_default(), names);
            }
        }
    }

    /// Adds a constant to an enumeration being defined. Without `value`, one more than the last.
    pub fn enum_constant(&mut self, id: EnumId, name: Symbol, span: Span, value: Option<ExprId>) {
        let given = value.and_then(|value| {
            let value = self.tree.rvalue(value);
            let number = self.tree.integer_constant(value, "value of an enumeration constant")?;
            Some((number, self.tree.type_of(value).id))
        });
        let (value, ty) = given.unwrap_or_else(|| self.next_enum_value(id, span));
        // Until the closing brace the constant has a type that holds its value; then all are looked at together.
        let ty = if i32::try_from(value).is_ok() { Types::int() } else { ty };
        match self.scopes.lookup_here(name) {
            Some(known @ Name::EnumConstant(..)) => {
                let message = format!("redeclaration of enumeration constant `{}`", self.tree.ast.text(name));
                let first = span_of_name(&self.tree.ast, known).unwrap_or(Span::NONE);
                self.tree
                    .diagnostics
                    .push(Diagnostic::error(span, message).also(first, "first declared here"));
            }
            Some(other) => self.tree.other_kind(name, span, other),
            None => {}
        }
        let constants = self.tree.ast.enums[id].constants.get_or_insert_with(Vec::new);
        let place = u32::try_from(constants.len()).unwrap_or(u32::MAX);
        constants.push(EnumConstant { name, value, ty, span });
        self.scopes.declare(name, Name::EnumConstant(id, place));
    }

    /// The value of a constant that is given none: one more than the last, which the type of the last must hold.
    fn next_enum_value(&mut self, id: EnumId, span: Span) -> (i128, TypeId) {
        let last = self.tree.ast.enums[id].constants.as_deref().and_then(|constants| constants.last());
        let Some(&EnumConstant { value, ty, .. }) = last else { return (0, Types::int()) };
        let kind = match *self.tree.ast.types.kind(ty) {
            Type::Int(kind) => kind,
            Type::Enum(id) => self.tree.ast.enums[id].underlying,
            Type::Void
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Function(_)
            | Type::Record(_)
            | Type::VaList
            | Type::Typedef(_)
            | Type::Error => IntKind::Int,
        };
        match value.checked_add(1).filter(|&next| self.tree.ast.model.wrap(next, kind) == next) {
            Some(next) => (next, ty),
            None => {
                self.tree
                    .error(span, "one more than the last value of the enumeration does not fit its type");
                (value, ty)
            }
        }
    }

    /// Completes an enumeration.
    pub fn finish_enum(&mut self, id: EnumId, attributes: &Attributes) {
        let definition = &mut self.tree.ast.enums[id];
        definition.packed = attributes.packed;
        definition.constants.get_or_insert_with(Vec::new);
        layout::lay_out_enum(&mut self.tree.ast, id);
    }
}

const fn article(kind: TagKind) -> &'static str {
    match kind {
        TagKind::Record(_) => "a",
        TagKind::Enum => "an",
    }
}
