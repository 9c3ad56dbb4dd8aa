//! What API models ask about the program: which functions, variables and constants it names, and which models it reaches by that.
//!
//! A model that keeps something only where somebody asks for it later should ask for the model that *reads* it: a list of API
//! functions by name misses the one that is added later.
//!
//! May say that a program names or reaches what it does not (code that is never called, branches that are never taken). That it
//! does not is never wrong: a name counts wherever it stands, under each of its spellings, and what a model names it reaches.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Ast, ExprKind, FunctionId};
use crate::spelling::spelled;
use crate::visit::each_expr;

/// What a model of the function `name` is called.
pub const MODEL_PREFIX: &str = "__model_";

/// Names as they are written, and those under which the same functions are modelled.
#[derive(Clone, Debug, Default)]
pub struct Named {
    texts: FxHashSet<String>,
}

impl Named {
    /// What expressions anywhere in the tree name.
    #[must_use]
    pub fn anywhere(ast: &Ast) -> Self {
        let mut named = Self::default();
        for expr in ast.exprs.values() {
            named.look_at(ast, &expr.kind);
        }
        named
    }

    /// Adds what an expression names itself.
    pub fn look_at(&mut self, ast: &Ast, expr: &ExprKind) {
        if let ExprKind::Function(id) = *expr {
            self.add(ast.text(ast.functions[id].name));
        } else if let ExprKind::Var(id) = *expr
            && let Some(name) = ast.vars[id].name
        {
            self.add(ast.text(name));
        } else if let ExprKind::EnumConstant(id, place) = *expr
            && let Some(constant) = ast.enums[id].constants.as_ref().and_then(|all| all.get(place as usize))
        {
            self.add(ast.text(constant.name));
        }
    }

    /// Adds a name.
    pub fn add(&mut self, name: &str) {
        if !self.texts.contains(name) {
            self.texts.insert(name.to_owned());
            self.texts.insert(spelled(name).into_owned());
        }
    }

    /// Whether a function, variable or constant of that name is among them, however it is spelled.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.texts.contains(name)
    }
}

/// The functions of the models that are reached from what the program names.
#[derive(Clone, Debug)]
pub struct Reached {
    names: FxHashSet<String>,
}

impl Reached {
    /// From those names, by what models name in their bodies.
    #[must_use]
    pub fn from(ast: &Ast, named: &Named) -> Self {
        let mut bodies: FxHashMap<&str, FunctionId> = FxHashMap::default();
        let mut open: Vec<FunctionId> = Vec::new();
        for (id, function) in ast.functions.iter() {
            let text = ast.text(function.name);
            if function.body.is_none() {
                continue;
            }
            bodies.insert(text, id);
            if text.strip_prefix(MODEL_PREFIX).is_some_and(|modelled| named.has(modelled)) {
                open.push(id);
            }
        }
        let mut names = FxHashSet::default();
        while let Some(id) = open.pop() {
            let function = &ast.functions[id];
            let Some(body) = function.body else { continue };
            if !names.insert(ast.text(function.name).to_owned()) {
                continue;
            }
            each_expr(ast, body, &mut |expr| {
                if let ExprKind::Function(named) = ast.exprs[expr].kind {
                    let named = ast.functions[named].linked.unwrap_or(named);
                    let text = ast.text(ast.functions[named].name);
                    // Declared first and defined later.
                    let defined =
                        if ast.functions[named].body.is_some() { Some(&named) } else { bodies.get(text) };
                    open.extend(defined);
                }
            });
        }
        Self { names }
    }

    /// Whether a function of the models is among them.
    #[must_use]
    pub fn has(&self, model: &str) -> bool {
        self.names.contains(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse_units;

    const MODELS: &str = "static int reads(void) { return 1; }
        static int asks(void) { return reads(); }
        int __model_fopen(void) { return asks(); }
        int __model_fclose(void);
        int __model_freopen(void) { return __model_fclose(); }
        int __model_fclose(void) { return 2; }";

    fn reached(program: &str) -> Reached {
        let parsed = parse_units(&[program, MODELS]);
        Reached::from(&parsed.ast, &Named::anywhere(&parsed.ast))
    }

    #[test]
    fn what_a_model_calls_is_reached_with_it() {
        let found = reached("int fopen(void); int main(void) { return fopen(); }");
        assert!(found.has("__model_fopen") && found.has("asks") && found.has("reads"));
        assert!(!found.has("__model_fclose"));
    }

    #[test]
    fn a_name_in_an_initialiser_and_another_spelling_count() {
        let found = reached("int fopen64(void); int (*open)(void) = fopen64; int main(void) { return 0; }");
        assert!(found.has("reads"));
    }

    #[test]
    fn a_model_that_is_declared_before_it_is_defined_is_followed() {
        assert!(reached("int freopen(void); int main(void) { return freopen(); }").has("__model_fclose"));
    }

    #[test]
    fn what_nobody_names_is_not_reached() {
        assert!(!reached("int main(void) { return 0; }").has("reads"));
    }
}
