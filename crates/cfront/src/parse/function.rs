//! Function definitions, with prototypes and in the old style.

use raddle_base::{Diagnostic, Span};

use crate::ast::{FunctionId, Inline, Item, VarId};
use crate::check::declaration::{Declarator, Parameters, Specifiers, StorageClass};
use crate::check::scope::Name;
use crate::names::Symbol;
use crate::parse::Parser;
use crate::parse::declarator::DeclaratorKind;
use crate::parse::specifier::SpecifierContext;
use crate::token::TokenKind;
use crate::types::{FunctionType, Type, Types};

/// The parameters of an old-style definition: their names, and their declarations as far as they were read.
type OldStyle = Vec<(Symbol, Span, Option<VarId>)>;

impl Parser<'_> {
    /// Reads a function's definition behind its declarator. Its item goes to `self.items`; `None` after a syntax
    /// error before the body.
    pub(super) fn function_definition(
        &mut self,
        specifiers: &Specifiers,
        mut declarator: Declarator,
    ) -> Option<()> {
        self.check.declarations().warn_implicit_int(specifiers, &declarator);
        if let Some((StorageClass::Typedef, place)) = specifiers.storage {
            self.check.tree.error(place, "a function definition cannot be a `typedef`");
        }
        if declarator.parameters.as_ref().is_some_and(|list| !list.prototype) {
            self.old_style_parameters(&mut declarator)?;
        }
        let list = declarator.parameters.as_mut();
        let declared = list.map(|list| std::mem::take(&mut list.declared)).unwrap_or_default();
        if let Some(star) = declarator.parameters.as_ref().and_then(|list| list.star) {
            self.check.tree.error(star, "`[*]` in a function definition");
        }
        let outer = self.check.function;
        let replaced = self.replaced_definition(&declarator);
        let id = self.check.declarations().declare_function(specifiers, declarator, true);
        self.flush_pending();
        if replaced == Some(id) {
            self.drop_definition_item(id);
        }
        self.items.push(Item::Function { id, definition: true });
        self.check.declarations().check_definition(id);
        self.check.scopes.push();
        for entry in declared {
            self.check.scopes.declare_again(entry);
        }
        self.check.function = Some(id);
        let first_nested = self.check.tree.ast.functions.next_id();
        let body = self.deeper(|parser| parser.function_body(id));
        self.check.declarations().check_nested(id, first_nested);
        self.check.function = outer;
        self.check.scopes.pop();
        self.check.tree.ast.functions[id].body = body;
        Some(())
    }

    /// A definition for inlining only (`extern inline` with `gnu_inline`) gives way to the proper one.
    fn replaced_definition(&self, declarator: &Declarator) -> Option<FunctionId> {
        let Some(Name::Function(id)) = self.check.scopes.linked(declarator.name?) else { return None };
        let known = &self.check.tree.ast.functions[id];
        (known.inline == Inline::Gnu && known.body.is_some()).then_some(id)
    }

    fn drop_definition_item(&mut self, id: FunctionId) {
        for item in &mut self.items {
            if let Item::Function { id: known, definition } = item
                && *known == id
            {
                *definition = false;
            }
        }
    }

    /// Reads the declarations between `)` and `{` and gives the declarator its parameters.
    fn old_style_parameters(&mut self, declarator: &mut Declarator) -> Option<()> {
        let names =
            declarator.parameters.as_mut().map(|list| std::mem::take(&mut list.names)).unwrap_or_default();
        let mut list: OldStyle = names.into_iter().map(|(name, span)| (name, span, None)).collect();
        self.check.scopes.push();
        let read = self.old_style_declarations(&mut list);
        let mut vars = Vec::with_capacity(list.len());
        for (place, &(name, span, var)) in list.iter().enumerate() {
            if list[..place].iter().any(|&(earlier, ..)| earlier == name) {
                let message = format!("two parameters are named `{}`", self.text(name));
                self.check.tree.error(span, message);
            }
            let var = var.unwrap_or_else(|| {
                let message = format!("the type of `{}` defaults to `int`", self.check.tree.ast.text(name));
                self.check.tree.warning(span, message);
                let var = self.check.declarations().new_parameter(Some(name), Types::int().into(), span);
                self.check.scopes.declare(name, Name::Var(var));
                var
            });
            vars.push(var);
        }
        let declared = self.check.scopes.declared_here().collect();
        self.check.scopes.pop();
        read?;
        let types: Vec<_> =
            vars.iter().map(|&var| self.check.tree.derived_types().type_of_parameter(var)).collect();
        if let Type::Function(function) = self.check.tree.ast.types.kind(declarator.ty.id) {
            let ty = FunctionType { parameters: types.into(), ..function.clone() };
            declarator.ty = self.check.tree.ast.types.intern(Type::Function(ty)).into();
        }
        declarator.parameters = Some(Parameters { vars, declared, ..Parameters::default() });
        Some(())
    }

    fn old_style_declarations(&mut self, list: &mut OldStyle) -> Option<()> {
        while !self.tokens.at(TokenKind::LeftBrace) {
            let start = self.tokens.position();
            let specifiers = self.specifiers(SpecifierContext::Declaration);
            if !specifiers.any {
                self.expected("`{` or the declaration of a parameter");
                return None;
            }
            if self.tokens.eat(TokenKind::Semicolon).is_some() {
                continue;
            }
            loop {
                let mut declarator = self.declarator(&specifiers, DeclaratorKind::Parameter)?;
                declarator.attributes.merge(&self.attributes());
                if let Some(equal) = self.tokens.eat(TokenKind::Equal) {
                    self.check.tree.error(equal.span, "a parameter cannot be initialised");
                    self.written_initializer();
                }
                self.old_style_parameter(&specifiers, &declarator, list);
                if self.tokens.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
            self.expect(TokenKind::Semicolon)?;
            debug_assert!(self.tokens.position() > start, "specifiers were read");
        }
        Some(())
    }

    fn old_style_parameter(&mut self, specifiers: &Specifiers, declarator: &Declarator, list: &mut OldStyle) {
        let ty = self.check.declarations().parameter_type(specifiers, declarator);
        let Some(name) = declarator.name else {
            self.check.tree.error(declarator.span, "the name of a parameter is missing");
            return;
        };
        let var = self.check.declarations().new_parameter(Some(name), ty, declarator.span);
        let Some((.., known)) = list.iter_mut().find(|(listed, ..)| *listed == name) else {
            let message =
                format!("`{}` is declared between `)` and `{{` but is no parameter", self.text(name));
            self.check.tree.error(declarator.span, message);
            return;
        };
        if let Some(first) = known.replace(var) {
            let message = format!("parameter `{}` declared twice", self.text(name));
            let first = self.check.tree.ast.vars[first].span;
            let diagnostic = Diagnostic::error(declarator.span, message).also(first, "first declared here");
            self.check.tree.diagnostics.push(diagnostic);
        }
        self.check.scopes.declare(name, Name::Var(var));
    }
}
