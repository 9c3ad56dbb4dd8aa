//! Declarations and definitions of functions, and how they meet earlier ones.

use raddle_base::{Diagnostic, Id, Span};

use crate::ast::{Function, FunctionId, Inline, VarId};
use crate::check::compatible::{compatible, composite};
use crate::check::declaration::{Declarator, Specifiers, StorageClass, merge_attributes};
use crate::check::describe::describe;
use crate::check::scope::Name;
use crate::check::{Declarations, TreeBuilder};
use crate::layout;
use crate::names::Symbol;
use crate::types::{QualType, Type, Types};

impl Declarations<'_> {
    /// Declares a function, or begins its definition.
    pub fn declare_function(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        definition: bool,
    ) -> FunctionId {
        let ty = self.tree.derived_types().apply_type_attributes(declarator.ty, &specifiers.attributes);
        let ty = self.tree.derived_types().apply_type_attributes(ty, &declarator.attributes);
        // Most functions have nothing to check here.
        let plain =
            matches!(specifiers.storage_class(), None | Some(StorageClass::Extern | StorageClass::Static))
                && self.scopes.at_file_scope()
                && specifiers.thread_local.is_none()
                && specifiers.alignas.is_none();
        if !plain {
            self.check_function_specifiers(specifiers, &declarator, definition);
        }
        let Declarator { name, span, parameters, asm_name, mut attributes, .. } = declarator;
        attributes.merge(&specifiers.attributes);
        // A function without a name was reported by the parser; it gets an empty one and no entry in the scopes.
        let nameless = name.is_none();
        let name = name.unwrap_or_else(|| self.tree.ast.names.intern(""));
        let nested = !self.scopes.at_file_scope()
            && (definition || specifiers.storage_class() == Some(StorageClass::Auto));
        let parameters = parameters.map(|list| (list.vars, list.prototype)).unwrap_or_default();
        let new = Function {
            name,
            ty,
            internal: specifiers.storage_class() == Some(StorageClass::Static),
            inline: self.inline_of(specifiers, attributes.gnu_inline),
            noreturn: specifiers.noreturn.is_some() || attributes.noreturn,
            parameters: parameters.0,
            old_style: definition && !parameters.1,
            body: None,
            attributes: attributes.take_kept(),
            asm_name,
            implicit: false,
            linked: None,
            owner: if nested { self.function } else { None },
            span,
        };
        self.check_weak(&new.attributes, !new.internal, Some(name), span);
        if nameless {
            return self.tree.ast.functions.push(new);
        }
        // A nested function hides others; all other functions of one name in a unit are one function.
        let earlier =
            if nested { self.earlier_nested(name, span) } else { self.earlier_function(name, span) };
        if let Some(known) = earlier
            && self.merge_function(known, &new, definition)
        {
            self.scopes.declare(name, Name::Function(known));
            return known;
        }
        let id = self.tree.ast.functions.push(new);
        self.scopes.declare(name, Name::Function(id));
        if !nested {
            self.scopes.set_linked(name, Name::Function(id));
        }
        id
    }

    /// Reports specifiers that do not fit a function.
    fn check_function_specifiers(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        definition: bool,
    ) {
        let file_scope = self.scopes.at_file_scope();
        let subject = self.tree.subject(declarator.name);
        match specifiers.storage {
            Some((StorageClass::Extern, place)) if definition && !file_scope => {
                self.tree.error(place, format!("nested function {subject} declared `extern`"));
            }
            Some((StorageClass::Extern, _)) | None => {}
            Some((StorageClass::Static, _)) if file_scope => {}
            Some((StorageClass::Auto, _)) if !file_scope => {}
            Some((StorageClass::Auto, place)) if definition => {
                self.tree.warning(place, format!("definition of {subject} declared `auto`"));
            }
            Some((_, place)) => {
                self.tree.error(place, format!("invalid storage class for function {subject}"))
            }
        }
        if let Some(place) = specifiers.thread_local {
            self.tree.error(place, format!("function {subject} declared `_Thread_local`"));
        }
        if let Some((_, place)) = specifiers.alignas {
            self.tree.error(place, format!("alignment specified for function {subject}"));
        }
    }

    fn inline_of(&self, specifiers: &Specifiers, gnu_inline: bool) -> Inline {
        let is_extern = specifiers.storage_class() == Some(StorageClass::Extern);
        match (specifiers.inline.is_some(), gnu_inline, is_extern) {
            (false, ..) => Inline::No,
            (true, true, true) => Inline::Gnu,
            (true, false, false) => Inline::Inline,
            // `static inline` is `Inline` whatever else is said of it.
            (true, true, false) if specifiers.storage_class() == Some(StorageClass::Static) => Inline::Inline,
            (true, _, _) => Inline::Extern,
        }
    }

    fn earlier_nested(&mut self, name: Symbol, span: Span) -> Option<FunctionId> {
        match self.scopes.lookup_here(name)? {
            Name::Function(id) if self.tree.ast.functions[id].owner.is_some() => Some(id),
            other @ (Name::Function(_) | Name::Var(_) | Name::EnumConstant(..) | Name::Typedef(_)) => {
                self.tree.other_kind(name, span, other);
                None
            }
        }
    }

    /// The function of this name in the unit that a declaration refers to again.
    fn earlier_function(&mut self, name: Symbol, span: Span) -> Option<FunctionId> {
        let here = self.scopes.lookup_here(name);
        match here.or_else(|| self.scopes.linked(name))? {
            Name::Function(id) => Some(id),
            other @ (Name::Var(_) | Name::EnumConstant(..) | Name::Typedef(_)) => {
                self.tree.other_kind(name, span, other);
                None
            }
        }
    }

    /// Merges a new declaration into the earlier one; `false` if they contradict each other.
    fn merge_function(&mut self, known: FunctionId, new: &Function, definition: bool) -> bool {
        let old = &self.tree.ast.functions[known];
        let (old_ty, old_span, name) = (old.ty, old.span, old.name);
        // An implicit declaration is only a guess, and a GNU inline body gives way to the real one.
        let assumed = old.implicit && old.body.is_none();
        let replaces = old.inline == Inline::Gnu && old.body.is_some();
        let message = if definition && old.body.is_some() && !replaces {
            Some("redefinition of")
        } else if new.internal && !old.internal {
            Some("a non-static declaration comes before the static one of")
        } else {
            None
        };
        if let Some(message) = message {
            let message = format!("{message} `{}`", self.tree.ast.text(name));
            let label = if old.body.is_some() { "first defined here" } else { "earlier declaration here" };
            self.tree.diagnostics.push(Diagnostic::error(new.span, message).also(old_span, label));
            return false;
        }
        // Names of parameters are kept from the first declaration that has any, unless a definition brings
        // its own.
        let named =
            |parameters: &[VarId]| parameters.iter().any(|&var| self.tree.ast.vars[var].name.is_some());
        let takes_parameters =
            definition || (old.body.is_none() && !named(&old.parameters) && named(&new.parameters));
        let ty = if compatible(&self.tree.ast, old_ty, new.ty) {
            // The types are spelled as in the declaration that gives the parameters.
            let (first, second) = if takes_parameters { (new.ty, old_ty) } else { (old_ty, new.ty) };
            composite(&mut self.tree.ast, first, second)
        } else if assumed && self.returns_void(new.ty) {
            // A call came first and assumed `int`; gcc goes on with `void`.
            let message = format!("conflicting types for `{}`", self.tree.ast.text(name));
            let label = "a call before any declaration assumed that it returns `int`";
            self.tree.diagnostics.push(Diagnostic::warning(new.span, message).also(old_span, label));
            new.ty
        } else {
            self.tree.conflicting_types(name, (new.span, new.ty), (old_span, old_ty));
            return false;
        };
        let old = &self.tree.ast.functions[known];
        let inline = merge_inline(old, new, replaces && definition);
        let old = &mut self.tree.ast.functions[known];
        old.ty = ty;
        old.inline = inline;
        old.noreturn |= new.noreturn;
        if takes_parameters {
            old.parameters.clone_from(&new.parameters);
        }
        // The definition says where the function stands, whatever was declared before.
        if definition {
            old.old_style = new.old_style;
            old.span = new.span;
            old.body = None;
        }
        merge_attributes(&mut old.attributes, &new.attributes);
        if old.asm_name.is_none() {
            old.asm_name.clone_from(&new.asm_name);
        }
        true
    }

    fn returns_void(&self, ty: QualType) -> bool {
        if let Type::Function(function) = self.tree.ast.types.kind(ty.id) {
            self.tree.is_void(function.result)
        } else {
            false
        }
    }

    /// Begins a definition whose parameters are known: they must have a size, and so must the result.
    pub fn check_definition(&mut self, id: FunctionId) {
        let function = &self.tree.ast.functions[id];
        let (span, name) = (function.span, function.name);
        if let Type::Function(ty) = self.tree.ast.types.kind(function.ty.id) {
            let result = ty.result;
            if !self.tree.is_void(result)
                && !self.tree.is_error(result)
                && !layout::is_complete(&self.tree.ast, result)
            {
                let what = describe(&self.tree.ast, result);
                let message = format!("`{}` returns the incomplete type {what}", self.tree.ast.text(name));
                self.tree.error(span, message);
            }
        }
        // By index, because the variables are changed on the way.
        for place in 0..self.tree.ast.functions[id].parameters.len() {
            let var = self.tree.ast.functions[id].parameters[place];
            self.tree.ast.vars[var].owner = Some(id);
            let (ty, var_span) = (self.tree.ast.vars[var].ty, self.tree.ast.vars[var].span);
            if !self.tree.is_error(ty) && !layout::is_complete(&self.tree.ast, ty) {
                let what = describe(&self.tree.ast, ty);
                self.tree.error(var_span, format!("parameter {} has the incomplete type {what}", place + 1));
                self.tree.ast.vars[var].ty = Types::error().into();
            }
        }
    }

    /// After a function's body: the functions declared inside it as nested ones must be defined there.
    pub fn check_nested(&mut self, owner: FunctionId, first: FunctionId) {
        for place in first.index()..self.tree.ast.functions.len() {
            let nested = &self.tree.ast.functions[FunctionId::from_index(place)];
            if nested.owner == Some(owner) && nested.body.is_none() {
                let message = format!(
                    "nested function `{}` is declared but not defined",
                    self.tree.ast.text(nested.name)
                );
                self.tree.error(nested.span, message);
            }
        }
    }
}

impl TreeBuilder {
    /// Whether the type comes from an error reported before.
    #[must_use]
    pub fn is_error(&self, ty: QualType) -> bool {
        self.ast.types.canonical(ty).id == Types::error()
    }
}

/// What `inline` means after one more declaration.
fn merge_inline(old: &Function, new: &Function, replaced: bool) -> Inline {
    match (old.inline, new.inline) {
        _ if replaced => new.inline,
        // A call is no declaration: what comes after it decides.
        (_, new) if old.implicit => new,
        (Inline::Gnu, _) | (_, Inline::Gnu) => Inline::Gnu,
        (old, new) if old == new => old,
        (Inline::No | Inline::Inline | Inline::Extern, _) if old.internal => Inline::Inline,
        (Inline::No | Inline::Inline | Inline::Extern, _) => Inline::Extern,
    }
}
