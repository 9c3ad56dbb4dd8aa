//! Declarations of variables, typedef names and parameters, and how they meet earlier ones.

use raddle_base::{Diagnostic, Span};
use smallvec::SmallVec;

use crate::ast::{Ast, Attribute, ExprId, FunctionId, Item, Storage, StringLiteral, Typedef, Var, VarId};
use crate::check::TreeBuilder;
use crate::check::attribute::Attributes;
use crate::check::compatible::{compatible, composite};
use crate::check::describe::describe;
use crate::check::scope::{Declared, Name, Scopes};
use crate::check::shape::is_variably_modified;
use crate::layout;
use crate::names::Symbol;
use crate::types::{ArrayLength, QualType, Type, Types};

/// A storage class specifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageClass {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// What was read before the declarators.
#[derive(Debug)]
pub struct Specifiers {
    /// The type, `int` if none was written.
    pub ty: QualType,
    /// Where they stand, or the empty position before the declarator.
    pub span: Span,
    /// The storage class and where it stands.
    pub storage: Option<(StorageClass, Span)>,
    /// `_Thread_local`, `__thread`
    pub thread_local: Option<Span>,
    /// `inline`
    pub inline: Option<Span>,
    /// `_Noreturn`
    pub noreturn: Option<Span>,
    /// `_Alignas`, the strictest, in bytes.
    pub alignas: Option<(u64, Span)>,
    /// `__attribute__`
    pub attributes: Attributes,
    /// `__auto_type`
    pub auto_type: bool,
    /// Whether a type was written.
    pub has_type: bool,
    /// Whether anything at all was written.
    pub any: bool,
    /// Whether that was nothing but attributes.
    pub only_attributes: bool,
    /// Whether the type is a `struct`, `union` or `enum` specifier, so that it may stand without declarator.
    pub tagged: bool,
    /// Whether the specifiers end a definition with its `}`.
    pub defines: bool,
    /// Whether that was a definition of a record without a tag: an anonymous member, if in a record.
    pub untagged_record: bool,
}

impl Specifiers {
    /// The storage class.
    #[must_use]
    pub fn storage_class(&self) -> Option<StorageClass> {
        self.storage.map(|(class, _)| class)
    }
}

/// A declarator, applied to its type.
#[derive(Debug)]
pub struct Declarator {
    /// The name, if there is one.
    pub name: Option<Symbol>,
    /// Where the name stands, or would.
    pub span: Span,
    /// The declared type.
    pub ty: QualType,
    /// The parameters, if the declarator itself makes a function.
    pub parameters: Option<Parameters>,
    /// `asm("name")`
    pub asm_name: Option<StringLiteral>,
    /// Attributes in and behind it.
    pub attributes: Attributes,
}

/// A parameter list as written.
#[derive(Debug, Default)]
pub struct Parameters {
    /// The parameters of a prototype.
    pub vars: Vec<VarId>,
    /// Their types for the function's type.
    pub types: Vec<QualType>,
    /// `...`
    pub variadic: bool,
    /// Whether it is a prototype, so not `()` and not a list of names.
    pub prototype: bool,
    /// The names of an old-style definition.
    pub names: Vec<(Symbol, Span)>,
    /// Everything declared between the parentheses: parameters, tags, enumeration constants.
    pub declared: Vec<Declared>,
    /// Where `[*]` stands in it: fine in a prototype, not in a definition.
    pub star: Option<Span>,
}

/// A parameter list being read.
#[derive(Debug, Default)]
pub struct ParameterList {
    vars: SmallVec<[VarId; 8]>,
    /// GNU: parameters declared ahead, before a `;`.
    forward: Vec<VarId>,
    /// The one parameter `void`, unnamed, and whether it is qualified.
    void: Option<(Span, bool)>,
}

/// Checks declarations, and lets them meet earlier ones of the same name.
#[derive(Debug)]
pub struct Declarations<'t> {
    pub(super) tree: &'t mut TreeBuilder,
    pub(super) scopes: &'t mut Scopes,
    /// The function whose body they stand in.
    pub(super) function: Option<FunctionId>,
}

impl<'t> Declarations<'t> {
    pub(super) fn new(
        tree: &'t mut TreeBuilder,
        scopes: &'t mut Scopes,
        function: Option<FunctionId>,
    ) -> Self {
        Self { tree, scopes, function }
    }
}

impl ParameterList {
    /// Whether no parameter was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }

    /// What was read so far only gave types in advance: the list begins again.
    pub fn make_forward(&mut self) {
        self.forward.extend(self.vars.drain(..));
    }
}

impl Declarations<'_> {
    /// Warns that a type is missing.
    pub fn warn_implicit_int(&mut self, specifiers: &Specifiers, declarator: &Declarator) {
        if !specifiers.has_type {
            let function = matches!(self.tree.ast.types.kind(declarator.ty.id), Type::Function(_));
            let what = if function { "the return type" } else { "the type" };
            let message = format!("{what} of {} defaults to `int`", self.tree.subject(declarator.name));
            self.tree.warning(declarator.span, message);
        }
    }

    /// Declares a parameter of a prototype.
    pub fn declare_parameter(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        list: &mut ParameterList,
    ) {
        let Declarator { name, span, .. } = *declarator;
        let ty = self.parameter_type(specifiers, declarator);
        // `(void)` means no parameters, but only alone: that is known at the end of the list.
        if self.tree.is_void(ty) && name.is_none() && list.void.is_none() {
            let decorated = !self.tree.ast.types.qualifiers(ty).is_empty() || specifiers.storage.is_some();
            list.void = Some((specifiers.span, decorated));
        }
        // GNU: what was declared ahead of the `;` is this parameter.
        let forward = name.and_then(|name| {
            let place = list.forward.iter().position(|&var| self.tree.ast.vars[var].name == Some(name))?;
            Some(list.forward.remove(place))
        });
        if let Some(var) = forward {
            self.tree.ast.vars[var].ty = ty;
            list.vars.push(var);
            return;
        }
        let var = self.new_parameter(name, ty, span);
        if let Some(name) = name {
            if let Some(Name::Var(first)) = self.scopes.lookup_here(name) {
                let message = format!("two parameters are named `{}`", self.tree.ast.text(name));
                let first = self.tree.ast.vars[first].span;
                self.tree
                    .diagnostics
                    .push(Diagnostic::error(span, message).also(first, "first parameter here"));
            }
            self.scopes.declare(name, Name::Var(var));
        }
        list.vars.push(var);
    }

    /// Adds a parameter to the tree.
    pub fn new_parameter(&mut self, name: Option<Symbol>, ty: QualType, span: Span) -> VarId {
        self.tree.ast.vars.push(Var {
            name,
            ty,
            storage: Storage::Parameter,
            thread_local: false,
            defined: true,
            init: None,
            align: None,
            attributes: Vec::new(),
            asm_name: None,
            linked: None,
            owner: None,
            span,
        })
    }

    /// The adjusted type of a parameter; reports specifiers that no parameter has.
    pub fn parameter_type(&mut self, specifiers: &Specifiers, declarator: &Declarator) -> QualType {
        // Nearly all parameters are plain, and then there is nothing to look for.
        let plain = specifiers.has_type
            && !specifiers.auto_type
            && specifiers.storage.is_none()
            && specifiers.thread_local.is_none()
            && specifiers.alignas.is_none()
            && specifiers.inline.or(specifiers.noreturn).is_none()
            && specifiers.attributes.aligned.or(declarator.attributes.aligned).is_none();
        if !plain {
            self.check_parameter_specifiers(specifiers, declarator);
        }
        let ty = self.tree.derived_types().apply_type_attributes(declarator.ty, &specifiers.attributes);
        let ty = self.tree.derived_types().apply_type_attributes(ty, &declarator.attributes);
        self.tree.derived_types().adjust_parameter(ty)
    }

    fn check_parameter_specifiers(&mut self, specifiers: &Specifiers, declarator: &Declarator) {
        let subject = match declarator.name {
            Some(name) => format!("parameter `{}`", self.tree.ast.text(name)),
            None => "an unnamed parameter".to_owned(),
        };
        match specifiers.storage {
            Some((StorageClass::Register, _)) | None => {}
            Some((_, span)) => self.tree.error(span, format!("storage class specified for {subject}")),
        }
        if let Some(span) = specifiers.thread_local {
            self.tree.error(span, format!("{subject} cannot be `_Thread_local`"));
        }
        if let Some((_, span)) = specifiers.alignas {
            self.tree.error(span, format!("alignment specified for {subject}"));
        }
        if specifiers.attributes.aligned.or(declarator.attributes.aligned).is_some() {
            self.tree.error(declarator.span, format!("alignment specified for {subject}"));
        }
        if let Some(span) = specifiers.inline.or(specifiers.noreturn) {
            self.tree.warning(span, format!("{subject} declared `inline` or `_Noreturn`"));
        }
        if specifiers.auto_type {
            self.tree.error(specifiers.span, format!("{subject} declared `__auto_type`"));
        }
        if !specifiers.has_type {
            self.tree.warning(specifiers.span, format!("the type of {subject} defaults to `int`"));
        }
    }

    /// Ends a prototype: the parameters and their types in the function's type.
    pub fn finish_parameters(&mut self, list: ParameterList, variadic: bool) -> (Vec<VarId>, Vec<QualType>) {
        if let (Some((span, decorated)), 1) = (list.void, list.vars.len()) {
            if decorated || variadic {
                self.tree.error(span, "`void` as the only parameter stands alone");
            }
            return (Vec::new(), Vec::new());
        }
        if let Some((span, _)) = list.void {
            self.tree.error(span, "`void` must be the only parameter");
        }
        let vars = list.vars.into_vec();
        let types = vars.iter().map(|&var| self.tree.derived_types().type_of_parameter(var)).collect();
        (vars, types)
    }

    /// Declares a typedef name; gives its item unless it only repeats an earlier declaration.
    pub fn declare_typedef(&mut self, specifiers: &Specifiers, declarator: &Declarator) -> Option<Item> {
        let Declarator { name, span, .. } = *declarator;
        let name = name?;
        if let Some((_, alignas)) = specifiers.alignas {
            let message = format!("alignment specified for typedef `{}`", self.tree.ast.text(name));
            self.tree.error(alignas, message);
        }
        let ty = self.tree.derived_types().apply_type_attributes(declarator.ty, &specifiers.attributes);
        let ty = self.tree.derived_types().apply_type_attributes(ty, &declarator.attributes);
        let align = specifiers.attributes.aligned.max(declarator.attributes.aligned);
        if specifiers.attributes.transparent_union || declarator.attributes.transparent_union {
            self.make_transparent(ty);
        }
        match self.scopes.lookup_here(name) {
            Some(Name::Typedef(known)) => {
                // C11 lets a typedef be repeated with the same type; gcc takes compatible ones as well.
                let (known_ty, known_span) =
                    (self.tree.ast.typedefs[known].ty, self.tree.ast.typedefs[known].span);
                let same = self.tree.ast.types.canonical(known_ty) == self.tree.ast.types.canonical(ty)
                    || compatible(&self.tree.ast, known_ty, ty);
                if !same {
                    self.tree.conflicting_types(name, (span, ty), (known_span, known_ty));
                }
                return None;
            }
            Some(other) => self.tree.other_kind(name, span, other),
            None => {}
        }
        let id = self.tree.ast.typedefs.push(Typedef { name, ty, align, span });
        self.tree.ast.types.typedef(id, ty);
        self.scopes.declare(name, Name::Typedef(id));
        Some(Item::Typedef(id))
    }

    /// `transparent_union` on a typedef of a union makes the union itself transparent.
    fn make_transparent(&mut self, ty: QualType) {
        if let Type::Record(record) = *self.tree.ast.types.kind(ty.id) {
            self.tree.ast.records[record].transparent = true;
        }
    }

    /// Declares a variable, before its initialiser is read. `definition` says whether storage is reserved here.
    pub fn declare_variable(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        initialized: bool,
    ) -> VarId {
        let file_scope = self.scopes.at_file_scope();
        let ty = self.tree.derived_types().apply_type_attributes(declarator.ty, &specifiers.attributes);
        let ty = self.tree.derived_types().apply_type_attributes(ty, &declarator.attributes);
        let mut declarator = Declarator { ty, ..declarator };
        self.reject_void(specifiers, &mut declarator);
        // As with parameters: the common case asks for nothing.
        let plain = matches!(specifiers.storage_class(), None | Some(StorageClass::Static))
            && specifiers.thread_local.is_none()
            && specifiers.inline.or(specifiers.noreturn).is_none()
            && !is_variably_modified(&self.tree.ast, ty.id);
        if !plain {
            self.check_variable_specifiers(specifiers, &declarator, initialized);
        }
        let is_extern = specifiers.storage_class() == Some(StorageClass::Extern);
        let storage = match specifiers.storage_class() {
            Some(StorageClass::Extern) => Storage::External,
            Some(StorageClass::Static) => Storage::Static,
            Some(StorageClass::Register) if !file_scope => Storage::Register,
            None | Some(StorageClass::Auto | StorageClass::Register | StorageClass::Typedef) => {
                if file_scope { Storage::External } else { Storage::Automatic }
            }
        };
        let Declarator { name, span, ty, asm_name, mut attributes, .. } = declarator;
        attributes.merge(&specifiers.attributes);
        let align = self.variable_alignment(specifiers, name, ty, attributes.aligned);
        let var = Var {
            name,
            ty,
            storage,
            thread_local: specifiers.thread_local.is_some(),
            defined: !is_extern || initialized,
            init: None,
            align,
            attributes: attributes.take_kept(),
            asm_name,
            linked: None,
            owner: self.function,
            span,
        };
        self.check_weak(&var.attributes, storage == Storage::External, name, span);
        let Some(name) = name else { return self.tree.ast.vars.push(var) };
        // A name at file scope has linkage even if it is `static`.
        let has_linkage = storage == Storage::External || file_scope;
        let earlier = if has_linkage {
            self.earlier_with_linkage(name, var.span, is_extern)
        } else {
            self.earlier_without_linkage(name, &var);
            None
        };
        // Declared before: there is one variable for all declarations with linkage, and the new one is merged
        // into it.
        if let Some(known) = earlier
            && self.merge_variable(name, known, &var, is_extern, initialized)
        {
            self.scopes.declare(name, Name::Var(known));
            return known;
        }
        let id = self.tree.ast.vars.push(var);
        self.scopes.declare(name, Name::Var(id));
        if has_linkage {
            // Other scopes and units find it by its name, whoever owns the block.
            self.scopes.set_linked(name, Name::Var(id));
            self.tree.ast.vars[id].owner = None;
        }
        id
    }

    /// gcc lets objects of type `void` pass where their storage is not yet reserved.
    fn reject_void(&mut self, specifiers: &Specifiers, declarator: &mut Declarator) {
        let tentative = match specifiers.storage_class() {
            Some(StorageClass::Extern) => true,
            Some(StorageClass::Static | StorageClass::Register) => false,
            None | Some(StorageClass::Auto | StorageClass::Typedef) => self.scopes.at_file_scope(),
        };
        if self.tree.is_void(declarator.ty) && !tentative {
            let message = format!("variable {} declared `void`", self.tree.subject(declarator.name));
            self.tree.error(declarator.span, message);
            declarator.ty = Types::error().into();
        }
    }

    /// Reports `weak` on what only its own unit sees.
    pub(crate) fn check_weak(
        &mut self,
        attributes: &[Attribute],
        public: bool,
        name: Option<Symbol>,
        span: Span,
    ) {
        if !public && attributes.contains(&Attribute::Weak) {
            let message = format!("{} is weak but has no external linkage", self.tree.subject(name));
            self.tree.error(span, message);
        }
    }

    /// Reports specifiers that do not fit a variable of this type and scope.
    fn check_variable_specifiers(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        initialized: bool,
    ) {
        let file_scope = self.scopes.at_file_scope();
        let subject = self.tree.subject(declarator.name);
        if let Some(span) = specifiers.inline.or(specifiers.noreturn) {
            self.tree.warning(span, format!("variable {subject} declared `inline` or `_Noreturn`"));
        }
        let span = declarator.span;
        match specifiers.storage {
            Some((StorageClass::Auto, place)) if file_scope => {
                self.tree.error(place, format!("{subject} at file scope declared `auto`"));
            }
            Some((StorageClass::Register, place))
                if file_scope && !initialized && declarator.asm_name.is_none() =>
            {
                self.tree.error(place, format!("no register named for {subject} at file scope"));
            }
            Some((StorageClass::Extern, _)) if initialized && file_scope => {
                self.tree.warning(span, format!("{subject} is initialised and declared `extern`"));
            }
            Some((StorageClass::Extern, _)) if initialized => {
                self.tree.error(span, format!("{subject} has both `extern` and an initialiser"));
            }
            _ => {}
        }
        let fixed_lifetime = file_scope
            || matches!(specifiers.storage_class(), Some(StorageClass::Static | StorageClass::Extern));
        if let Some(place) = specifiers.thread_local
            && !fixed_lifetime
        {
            self.tree.error(
                place,
                format!("{subject} in a function is `_Thread_local` but neither `static` nor `extern`"),
            );
        }
        if is_variably_modified(&self.tree.ast, declarator.ty.id) {
            let variable_length = matches!(
                self.tree.ast.types.kind(declarator.ty.id),
                Type::Array { length: ArrayLength::Variable(_), .. }
            );
            if specifiers.storage_class() == Some(StorageClass::Extern) {
                self.tree.error(span, format!("{subject} has linkage and a type that depends on a variable"));
            } else if variable_length && specifiers.storage_class() == Some(StorageClass::Static) {
                self.tree.error(span, format!("the storage size of {subject} is not constant"));
            }
        }
    }

    /// The alignment asked for, if it is above the type's own.
    fn variable_alignment(
        &mut self,
        specifiers: &Specifiers,
        name: Option<Symbol>,
        ty: QualType,
        attribute: Option<u64>,
    ) -> Option<u64> {
        if specifiers.alignas.is_none() && attribute.is_none() {
            return None;
        }
        let own = layout::align_of(&self.tree.ast, ty).unwrap_or(1);
        if let Some((asked, span)) = specifiers.alignas {
            let subject = self.tree.subject(name);
            if specifiers.storage_class() == Some(StorageClass::Register) {
                self.tree.error(span, format!("alignment specified for `register` variable {subject}"));
            } else if asked < own {
                self.tree.error(span, format!("`_Alignas` cannot reduce the alignment of {subject}"));
            }
        }
        let asked = attribute.max(specifiers.alignas.map(|(bytes, _)| bytes));
        asked.filter(|&bytes| bytes > own)
    }

    /// The variable of this name that a declaration with linkage refers to again.
    fn earlier_with_linkage(&mut self, name: Symbol, span: Span, is_extern: bool) -> Option<VarId> {
        match self.scopes.lookup_here(name) {
            // In this scope first; a name without linkage may hide the one that is meant.
            Some(Name::Var(id)) => {
                let known = &self.tree.ast.vars[id];
                let linked = self.scopes.linked(name) == Some(Name::Var(id));
                if linked {
                    return Some(id);
                }
                let first = known.span;
                let message = if is_extern {
                    format!(
                        "extern declaration of `{}` follows one without linkage",
                        self.tree.ast.text(name)
                    )
                } else {
                    format!("redeclaration of `{}`", self.tree.ast.text(name))
                };
                self.tree
                    .diagnostics
                    .push(Diagnostic::error(span, message).also(first, "first declared here"));
                return None;
            }
            Some(other) => {
                self.tree.other_kind(name, span, other);
                return None;
            }
            None => {}
        }
        // Hidden or declared in another block, it is still the same object.
        match self.scopes.linked(name)? {
            Name::Var(id) => Some(id),
            other @ (Name::Function(_) | Name::EnumConstant(..) | Name::Typedef(_)) => {
                self.tree.other_kind(name, span, other);
                None
            }
        }
    }

    /// A name without linkage must be new in its scope.
    fn earlier_without_linkage(&mut self, name: Symbol, var: &Var) {
        match self.scopes.lookup_here(name) {
            Some(Name::Var(known)) => {
                let message = if self.scopes.linked(name) == Some(Name::Var(known)) {
                    format!(
                        "declaration of `{}` without linkage follows an extern one",
                        self.tree.ast.text(name)
                    )
                } else {
                    format!("redeclaration of `{}`", self.tree.ast.text(name))
                };
                let first = self.tree.ast.vars[known].span;
                self.tree
                    .diagnostics
                    .push(Diagnostic::error(var.span, message).also(first, "first declared here"));
            }
            Some(other) => self.tree.other_kind(name, var.span, other),
            None => {}
        }
    }

    /// Merges a new declaration with linkage into the earlier one; `false` if they contradict each other.
    fn merge_variable(
        &mut self,
        name: Symbol,
        known: VarId,
        new: &Var,
        is_extern: bool,
        initialized: bool,
    ) -> bool {
        let old = &self.tree.ast.vars[known];
        let (old_ty, old_span) = (old.ty, old.span);
        let text = self.tree.ast.text(name);
        let message = match (old.storage, new.storage) {
            (Storage::Static, Storage::External) if !is_extern => {
                Some(format!("non-static declaration of `{text}` follows a static one"))
            }
            (Storage::External, Storage::Static) => {
                Some(format!("static declaration of `{text}` follows a non-static one"))
            }
            _ if old.thread_local != new.thread_local => {
                Some(format!("declarations of `{text}` differ in being thread-local"))
            }
            _ if initialized && old.init.is_some() => Some(format!("redefinition of `{text}`")),
            _ => None,
        };
        if let Some(message) = message {
            self.tree
                .diagnostics
                // Contradictions first; types are compared only between declarations that can be of one
                // object.
                .push(Diagnostic::error(new.span, message).also(old_span, "earlier declaration here"));
            return false;
        }
        if !compatible(&self.tree.ast, old_ty, new.ty) {
            self.tree.conflicting_types(name, (new.span, new.ty), (old_span, old_ty));
            return false;
        }
        // Each declaration may know more than the others: lengths of arrays, parameters.
        let ty = composite(&mut self.tree.ast, old_ty, new.ty);
        let old = &mut self.tree.ast.vars[known];
        old.ty = ty;
        if new.defined && !old.defined {
            // The position of the definition says more than that of a mere declaration.
            old.span = new.span;
        }
        old.defined |= new.defined;
        old.align = old.align.max(new.align);
        merge_attributes(&mut old.attributes, &new.attributes);
        if old.asm_name.is_none() {
            old.asm_name.clone_from(&new.asm_name);
        }
        true
    }

    /// After its declaration and initialiser: a variable whose storage is reserved must have a size.
    pub fn require_complete_variable(&mut self, id: VarId) {
        let var = &self.tree.ast.vars[id];
        let (ty, span, storage) = (var.ty, var.span, var.storage);
        if storage == Storage::External || ty.id == Types::error() || layout::is_complete(&self.tree.ast, ty)
        {
            return;
        }
        let subject = self.tree.subject(var.name);
        let message = if matches!(self.tree.ast.types.kind(ty.id), Type::Array { .. }) {
            format!("the array size of {subject} is missing")
        } else if self.tree.is_void(ty) {
            format!("variable {subject} declared `void`")
        } else {
            format!(
                "the storage size of {subject} is not known: {} is incomplete",
                describe(&self.tree.ast, ty)
            )
        };
        self.tree.error(span, message);
        // With an error type nothing more is said of it.
        self.tree.ast.vars[id].ty = Types::error().into();
    }

    /// Completes a tentative definition at the end of its unit.
    pub fn finish_tentative(&mut self, id: VarId) {
        let var = &self.tree.ast.vars[id];
        let (ty, span, name) = (var.ty, var.span, var.name);
        // Only here, at the end of the unit, is it sure that no other declaration gives a length.
        if let Type::Array { element, length: ArrayLength::Unknown } = *self.tree.ast.types.kind(ty.id) {
            let message = format!("array {} is assumed to have one element", self.tree.subject(name));
            self.tree.warning(span, message);
            let array = Type::Array { element, length: ArrayLength::Fixed(1) };
            self.tree.ast.vars[id].ty = self.tree.ast.types.intern(array).into();
        } else if matches!(self.tree.ast.types.kind(ty.id), Type::Record(_) | Type::Enum(_))
            && !layout::is_complete(&self.tree.ast, ty)
        {
            let message = format!("the storage size of {} is not known", self.tree.subject(name));
            self.tree.error(span, message);
        }
    }

    /// `_Static_assert`: the condition must be constant and not zero.
    pub fn static_assertion(&mut self, condition: ExprId, message: Option<&StringLiteral>, span: Span) {
        let condition = self.tree.rvalue(condition);
        let Some(value) = self.tree.integer_constant(condition, "condition of a static assertion") else {
            return;
        };
        if value == 0 {
            let text = match message {
                Some(message) => format!("static assertion failed: {:?}", text_of(message)),
                None => "static assertion failed".to_owned(),
            };
            self.tree.error(span, text);
        }
    }
}

impl TreeBuilder {
    /// Whether the type is `void`, qualified or not.
    #[must_use]
    pub fn is_void(&self, ty: QualType) -> bool {
        matches!(self.ast.types.kind(ty.id), Type::Void)
    }

    /// Reports that a name already stands for something of another kind in this scope.
    pub(crate) fn other_kind(&mut self, name: Symbol, span: Span, earlier: Name) {
        let message = format!("`{}` redeclared as a different kind of symbol", self.ast.text(name));
        let mut diagnostic = Diagnostic::error(span, message);
        if let Some(first) = span_of_name(&self.ast, earlier) {
            diagnostic = diagnostic.also(first, "first declared here");
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports two declarations of different types.
    pub(crate) fn conflicting_types(&mut self, name: Symbol, new: (Span, QualType), old: (Span, QualType)) {
        let message = format!("conflicting types for `{}`", self.ast.text(name));
        let diagnostic = Diagnostic::error(new.0, message)
            .label(format!("has type {}", describe(&self.ast, new.1)))
            .also(old.0, format!("earlier declared with type {}", describe(&self.ast, old.1)));
        self.diagnostics.push(diagnostic);
    }
}

/// Where a name was declared.
#[must_use]
pub fn span_of_name(ast: &Ast, name: Name) -> Option<Span> {
    let span = match name {
        Name::Var(id) => ast.vars[id].span,
        Name::Function(id) => ast.functions[id].span,
        Name::Typedef(id) => ast.typedefs[id].span,
        Name::EnumConstant(id, place) => {
            let constants = ast.enums[id].constants.as_deref().unwrap_or_default();
            constants.get(place as usize).map_or(Span::NONE, |constant| constant.span)
        }
    };
    (span != Span::NONE).then_some(span)
}

/// The text of a literal, for messages.
fn text_of(literal: &StringLiteral) -> String {
    literal.units.iter().map(|&unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Adds the attributes that are not there yet.
pub(crate) fn merge_attributes(known: &mut Vec<Attribute>, more: &[Attribute]) {
    for attribute in more {
        if !known.contains(attribute) {
            known.push(attribute.clone());
        }
    }
}
