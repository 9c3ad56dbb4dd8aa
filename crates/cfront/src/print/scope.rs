//! Which typedef names can be used at a position of the printed text.
//!
//! A type remembers the typedef it was written with, but where it is printed that name may be hidden by a
//! variable, or not declared yet. Then the printer writes what the name stands for instead.

use rustc_hash::FxHashMap;

use crate::ast::TypedefId;
use crate::names::Symbol;

/// The ordinary identifiers in scope, as far as typedef names care.
#[derive(Debug, Default)]
pub(crate) struct PrintScope {
    /// What a name stands for now; `None` for anything that is no typedef.
    meanings: FxHashMap<Symbol, Option<TypedefId>>,
    /// For each open scope, what its declarations replaced.
    undo: Vec<Vec<(Symbol, Option<Option<TypedefId>>)>>,
}

impl PrintScope {
    /// Opens a scope.
    pub(crate) fn enter(&mut self) {
        self.undo.push(Vec::new());
    }

    /// Closes the innermost scope.
    pub(crate) fn leave(&mut self) {
        for (name, before) in self.undo.pop().unwrap_or_default().into_iter().rev() {
            match before {
                Some(meaning) => self.meanings.insert(name, meaning),
                None => self.meanings.remove(&name),
            };
        }
    }

    /// `name` is declared here, as a typedef or as something else.
    pub(crate) fn declare(&mut self, name: Symbol, typedef: Option<TypedefId>) {
        let before = self.meanings.insert(name, typedef);
        if let Some(undo) = self.undo.last_mut() {
            undo.push((name, before));
        }
    }

    /// Whether `name` can be used here for `typedef`.
    pub(crate) fn sees(&self, name: Symbol, typedef: TypedefId) -> bool {
        self.meanings.get(&name) == Some(&Some(typedef))
    }

    /// Whether this is the file scope.
    pub(crate) fn at_file_scope(&self) -> bool {
        self.undo.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use raddle_base::Id;

    use super::*;

    #[test]
    fn an_inner_declaration_hides_a_typedef_until_its_scope_ends() {
        let (name, typedef) = (Symbol::from_index(0), TypedefId::from_index(0));
        let mut scope = PrintScope::default();
        assert!(!scope.sees(name, typedef));
        scope.declare(name, Some(typedef));
        scope.enter();
        scope.declare(name, None);
        scope.declare(name, None);
        assert!(!scope.sees(name, typedef));
        scope.leave();
        assert!(scope.sees(name, typedef));
        assert!(!scope.sees(name, TypedefId::from_index(1)));
    }
}
