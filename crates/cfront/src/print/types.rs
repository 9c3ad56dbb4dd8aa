//! Types and declarators.
//!
//! A declaration is a *specifier* (`const unsigned int`) and a *declarator* (`*(*name)[3]`). The declarator grows
//! from the name outwards while the type is followed inwards: pointers to its left, arrays and functions to its
//! right, parentheses where a pointer is followed by one of those.

use std::borrow::Cow;

use crate::ast::{Ast, ExprId, Function, RecordKind, VarId};
use crate::print::Printer;
use crate::types::{ArrayLength, FloatKind, FunctionType, IntKind, QualType, Qualifiers, Type};

/// The two halves of a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// Qualifiers and type specifier.
    pub(crate) specifier: String,
    /// The name and what is around it; empty for a plain type name.
    pub(crate) declarator: String,
}

impl Declaration {
    /// Both halves, with a space between where there is something on each side.
    pub(crate) fn joined(self) -> String {
        if self.declarator.is_empty() {
            return self.specifier;
        }
        format!("{} {}", self.specifier, self.declarator)
    }
}

/// The parameters of a function that is being declared or defined.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parameters<'a> {
    /// Types only.
    Unnamed,
    /// With the names of these variables.
    Named(&'a [VarId]),
    /// As these variables, which the body uses, are declared.
    Defined(&'a [VarId]),
    /// Names only, as a K&R definition has them.
    OldStyle(&'a [VarId]),
}

/// The name of an integer type.
pub(crate) const fn integer_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "_Bool",
        IntKind::Char => "char",
        IntKind::SignedChar => "signed char",
        IntKind::UnsignedChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UnsignedShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UnsignedInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::UnsignedLong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::UnsignedLongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UnsignedInt128 => "unsigned __int128",
    }
}

/// The name of a floating type.
pub(crate) const fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float16 => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Float32 => "_Float32",
        FloatKind::Double => "double",
        FloatKind::Float32x => "_Float32x",
        FloatKind::Float64 => "_Float64",
        FloatKind::LongDouble => "long double",
        FloatKind::Float64x => "_Float64x",
        FloatKind::Float80 => "__float80",
        FloatKind::Float128 => "_Float128",
        FloatKind::Decimal32 => "_Decimal32",
        FloatKind::Decimal64 => "_Decimal64",
        FloatKind::Decimal128 => "_Decimal128",
    }
}

/// The keyword of a record type.
pub(crate) const fn record_keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

/// The length expressions of the variable length arrays in a type, as far as it is written out (a typedef's
/// length was evaluated at the typedef).
pub(crate) fn lengths(ast: &Ast, ty: QualType) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut current = ty.id;
    loop {
        match ast.types.written(current) {
            Type::Pointer(target) => current = target.id,
            Type::Array { element, length } => {
                if let ArrayLength::Variable(expr) = length {
                    found.push(*expr);
                }
                current = element.id;
            }
            Type::Function(function) => {
                for &parameter in &function.parameters {
                    found.extend(lengths(ast, parameter));
                }
                current = function.result.id;
            }
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector { .. }
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Typedef(_)
            | Type::Error => return found,
        }
    }
}

impl Printer<'_> {
    /// A type name, as in a cast.
    pub(crate) fn type_name(&mut self, ty: QualType) -> String {
        self.declaration(ty, String::new()).joined()
    }

    /// The declaration of `name`, which has type `ty`.
    pub(crate) fn declaration(&mut self, ty: QualType, name: String) -> Declaration {
        self.grow(ty, name)
    }

    /// The declaration of a function with its own parameters.
    pub(crate) fn function_declaration(
        &mut self,
        function: &Function,
        ty: &FunctionType,
        parameters: Parameters<'_>,
    ) -> Declaration {
        let name = self.ast.text(function.name).to_owned();
        let list = self.parameter_list(ty, parameters);
        self.grow(ty.result, name + &list)
    }

    /// Follows the type inwards from `declarator` until a specifier is reached.
    fn grow(&mut self, mut ty: QualType, mut declarator: String) -> Declaration {
        loop {
            let written = self.ast.types.written(ty.id);
            match written {
                Type::Pointer(target) => {
                    let atomic = ty.qualifiers.contains(Qualifiers::ATOMIC);
                    if atomic && declarator.starts_with('(') {
                        // `_Atomic` before a parenthesis is the type specifier, so write that one.
                        return self.atomic_pointer(ty, declarator);
                    }
                    declarator = pointer(ty.qualifiers, &declarator);
                    if self.is_suffix(*target) {
                        declarator = format!("({declarator})");
                    }
                    ty = *target;
                }
                Type::Array { element, length } => {
                    if let Some(known) = self.variable_types.get(&ty.id) {
                        let specifier = qualified(ty.qualifiers, &format!("__typeof__({known})"));
                        return Declaration { specifier, declarator };
                    }
                    let length = match length {
                        ArrayLength::Fixed(length) => Cow::Owned(length.to_string()),
                        ArrayLength::Unknown => Cow::Borrowed(""),
                        ArrayLength::Star => Cow::Borrowed("*"),
                        ArrayLength::Variable(expr) => Cow::Owned(self.assignment_text(*expr)),
                    };
                    declarator = format!("{declarator}[{length}]");
                    ty = element.with(ty.qualifiers);
                }
                Type::Function(function) => {
                    declarator += &self.parameter_list(function, Parameters::Unnamed);
                    ty = function.result;
                }
                Type::Typedef(typedef) => {
                    let (name, meaning) = {
                        let typedef = &self.ast.typedefs[*typedef];
                        (typedef.name, typedef.ty)
                    };
                    if self.scope.sees(name, *typedef) {
                        let specifier = qualified(ty.qualifiers, self.ast.text(name));
                        return Declaration { specifier, declarator };
                    }
                    ty = meaning.with(ty.qualifiers);
                }
                Type::Void
                | Type::Int(_)
                | Type::Float(_)
                | Type::Complex(_)
                | Type::ComplexInt(_)
                | Type::Vector { .. }
                | Type::Record(_)
                | Type::Enum(_)
                | Type::VaList
                | Type::Error => {
                    let specifier = qualified(ty.qualifiers, &self.specifier(written));
                    return Declaration { specifier, declarator };
                }
            }
        }
    }

    /// Whether the declarator of this type goes to the right of the name, as it is going to be printed.
    fn is_suffix(&self, ty: QualType) -> bool {
        match self.ast.types.written(ty.id) {
            Type::Array { .. } => !self.variable_types.contains_key(&ty.id),
            Type::Function(_) => true,
            Type::Typedef(id) => {
                let typedef = &self.ast.typedefs[*id];
                !self.scope.sees(typedef.name, *id) && self.is_suffix(typedef.ty)
            }
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Pointer(_)
            | Type::Vector { .. }
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Error => false,
        }
    }

    /// Remembers the variable length array types that `text`, an expression or type name, gives a way to.
    pub(crate) fn remember_variable_types(&mut self, text: &str, ty: QualType) {
        let mut text = text.to_owned();
        let mut current = self.ast.types.written(ty.id);
        let mut id = ty.id;
        loop {
            match current {
                Type::Pointer(target) => {
                    text = format!("*{text}");
                    id = target.id;
                }
                Type::Array { element, length } => {
                    if let ArrayLength::Variable(_) = length {
                        self.variable_types.entry(id).or_insert_with(|| text.clone());
                    }
                    text = if text.starts_with('*') { format!("({text})[0]") } else { format!("{text}[0]") };
                    id = element.id;
                }
                Type::Void
                | Type::Int(_)
                | Type::Float(_)
                | Type::Complex(_)
                | Type::ComplexInt(_)
                | Type::Function(_)
                | Type::Vector { .. }
                | Type::Record(_)
                | Type::Enum(_)
                | Type::VaList
                | Type::Typedef(_)
                | Type::Error => return,
            }
            current = self.ast.types.written(id);
        }
    }

    fn atomic_pointer(&mut self, ty: QualType, declarator: String) -> Declaration {
        let plain = self.type_name(QualType::plain(ty.id));
        let others = ty.qualifiers.without(Qualifiers::ATOMIC);
        Declaration { specifier: qualified(others, &format!("_Atomic({plain})")), declarator }
    }

    /// The specifier of a type that needs no declarator.
    fn specifier(&mut self, ty: &Type) -> Cow<'static, str> {
        match ty {
            Type::Void => Cow::Borrowed("void"),
            Type::Int(kind) => Cow::Borrowed(integer_name(*kind)),
            Type::Float(kind) => Cow::Borrowed(float_name(*kind)),
            Type::Complex(kind) => Cow::Owned(format!("_Complex {}", float_name(*kind))),
            Type::ComplexInt(kind) => Cow::Owned(format!("_Complex {}", integer_name(*kind))),
            Type::Vector { element, lanes } => {
                let element = self.type_name(QualType::plain(*element));
                Cow::Owned(format!("__typeof__({element} {})", self.vector_attribute(ty, *lanes)))
            }
            Type::Record(id) => {
                let keyword = record_keyword(self.ast.records[*id].kind);
                Cow::Owned(format!("{keyword} {}", self.survey.record_name(self.ast, *id)))
            }
            Type::Enum(id) => Cow::Owned(format!("enum {}", self.survey.enum_name(self.ast, *id))),
            Type::VaList => Cow::Borrowed("__builtin_va_list"),
            Type::Error => Cow::Borrowed("int /* error */"),
            Type::Pointer(_) | Type::Array { .. } | Type::Function(_) | Type::Typedef(_) => {
                unreachable!("the declarator takes these")
            }
        }
    }

    /// The attribute that makes a vector of `lanes` elements.
    pub(crate) fn vector_attribute(&self, ty: &Type, lanes: u64) -> String {
        let Type::Vector { element, .. } = ty else { return String::new() };
        let bytes = crate::layout::size_of(self.ast, QualType::plain(*element)).unwrap_or(1);
        format!("__attribute__((vector_size({})))", lanes.saturating_mul(bytes))
    }

    /// `(int a, char *b, ...)`
    fn parameter_list(&mut self, ty: &FunctionType, parameters: Parameters<'_>) -> String {
        if let Parameters::OldStyle(vars) = parameters {
            let names =
                vars.iter().filter_map(|&var| self.ast.vars[var].name.map(|name| self.ast.text(name)));
            return format!("({})", names.collect::<Vec<_>>().join(", "));
        }
        if !ty.prototype {
            return "()".to_owned();
        }
        if ty.parameters.is_empty() && !ty.variadic {
            return "(void)".to_owned();
        }
        self.scope.enter();
        let mut list = Vec::with_capacity(ty.parameters.len() + 1);
        for (place, &parameter) in ty.parameters.iter().enumerate() {
            let var = match parameters {
                Parameters::Named(vars) | Parameters::Defined(vars) => {
                    vars.get(place).map(|&var| &self.ast.vars[var])
                }
                Parameters::Unnamed | Parameters::OldStyle(_) => None,
            };
            // A parameter's own qualifiers and lengths are no part of the function's type; the body may need them.
            let ty = match (parameters, var) {
                (Parameters::Defined(_), Some(var)) => var.ty,
                (
                    Parameters::Defined(_)
                    | Parameters::Named(_)
                    | Parameters::Unnamed
                    | Parameters::OldStyle(_),
                    _,
                ) => parameter,
            };
            let name = var.and_then(|var| var.name);
            let text = name.map_or_else(String::new, |name| self.ast.text(name).to_owned());
            list.push(self.declaration(ty, text).joined());
            if let Some(name) = name {
                self.scope.declare(name, None);
            }
        }
        self.scope.leave();
        if ty.variadic {
            list.push("...".to_owned());
        }
        format!("({})", list.join(", "))
    }
}

/// `*const name`
fn pointer(qualifiers: Qualifiers, declarator: &str) -> String {
    let mut text = "*".to_owned();
    for keyword in qualifiers.keywords() {
        text += keyword;
        text.push(' ');
    }
    if declarator.is_empty() {
        text.truncate(text.trim_end().len());
    }
    text + declarator
}

/// `const specifier`
fn qualified(qualifiers: Qualifiers, specifier: &str) -> String {
    let mut text = String::new();
    for keyword in qualifiers.keywords() {
        text += keyword;
        text.push(' ');
    }
    text + specifier
}
