//! Where declarations lead: to definitions in other units, to aliases, to models.

use raddle_cfront::asked::MODEL_PREFIX;
use raddle_cfront::ast::{self, Attribute, External, Storage, VarId};
use raddle_cfront::spelling::spelled;
use raddle_ir::Constant;

use crate::lowering::Lowering;

fn alias_target(attributes: &[Attribute]) -> Option<String> {
    let alias = attributes
        .iter()
        .find_map(|attribute| if let Attribute::Alias(target) = attribute { Some(target) } else { None });
    alias?.units.iter().map(|&unit| char::from_u32(unit)).collect()
}

impl Lowering<'_> {
    /// The definition that a declaration leads to.
    pub(crate) fn resolve_function(&self, id: ast::FunctionId) -> ast::FunctionId {
        // A weak definition gives way to the linked one, so the link counts before the body.
        let id = self.ast.functions[id].linked.unwrap_or(id);
        let function = &self.ast.functions[id];
        if function.body.is_some() {
            return id;
        }
        // An alias has no body and no model: the body is that of the function it names.
        if let Some(target) = alias_target(&function.attributes) {
            let named = |candidate: &ast::Function| {
                candidate.body.is_some()
                    && candidate.owner.is_none()
                    && self.ast.text(candidate.name) == target
            };
            if let Some((found, _)) = self.ast.functions.iter().find(|(_, candidate)| named(candidate)) {
                return found;
            }
        }
        let name = self.ast.text(function.name);
        let name = spelled(name);
        // A body of the program comes before a model: programs may define functions of the library
        // themselves.
        let model = self.ast.names.find(&format!("{MODEL_PREFIX}{name}"));
        match model.and_then(|name| self.ast.externals.get(&name)) {
            Some(External::Function(model)) if self.ast.functions[*model].body.is_some() => *model,
            Some(External::Function(_) | External::Var(_)) | None => id,
        }
    }

    pub(crate) fn resolve_var(&self, id: VarId) -> VarId {
        let id = self.ast.vars[id].linked.unwrap_or(id);
        let Some(target) = alias_target(&self.ast.vars[id].attributes) else { return id };
        let named = |candidate: &ast::Var| {
            candidate.defined
                && candidate.owner.is_none()
                && candidate.name.is_some_and(|name| self.ast.text(name) == target)
        };
        self.ast.vars.iter().find(|(_, candidate)| named(candidate)).map_or(id, |(found, _)| found)
    }

    /// The address of a function: null for a weak one that nobody defines.
    pub(crate) fn function_address(&mut self, id: ast::FunctionId) -> Constant {
        let definition = &self.ast.functions[self.resolve_function(id)];
        if definition.body.is_none() && self.ast.functions[id].attributes.contains(&Attribute::Weak) {
            return Constant::Null;
        }
        Constant::Function(self.function(id))
    }

    /// Whether a variable is weak and nobody defines it: then its address is null.
    pub(crate) fn is_weak_undefined(&self, var: VarId) -> bool {
        let declared = &self.ast.vars[self.resolve_var(var)];
        declared.storage == Storage::External
            && !declared.defined
            && declared.init.is_none()
            && self.ast.vars[var].attributes.contains(&Attribute::Weak)
    }
}
