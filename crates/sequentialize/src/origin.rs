//! Where the pieces of a transformed program came from.
//!
//! A node keeps the span it had in the input. That is not enough once code is copied: an unrolled loop has the same line
//! several times. So beside the tree stands this table: a statement or variable that was copied leads to a [`struct@Copy`], which
//! says which iteration, call or thread it belongs to and, by its chain of outer copies, where that one stands. A statement
//! without an entry is no copy.
//!
//! Invariant: chains lead from the inside to the outside. Ids of statements and variables are never reused, so an entry stays
//! true in every later pass.

use raddle_base::{Span, Table, define_id};
use raddle_cfront::ast::{FunctionId, StmtId, VarId};
use raddle_cfront::names::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

define_id!(
    /// One act of copying, and what stood around it.
    pub struct CopyId, "copy"
);

/// Why code was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// An iteration, from one, of the loop at `place`.
    Iteration {
        /// The loop.
        place: Span,
        /// Which.
        number: u32,
    },
    /// The body of a function that is called at `place`.
    Call {
        /// The call.
        place: Span,
        /// Whose body.
        function: FunctionId,
    },
    /// The function of the thread that is started at `place`.
    Thread {
        /// Where the thread is started.
        place: Span,
        /// What it runs.
        function: FunctionId,
        /// The thread's id; the first thread, which runs `main`, is zero.
        number: u32,
    },
}

/// One act of copying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Copy {
    /// Why.
    pub context: Context,
    /// The copy that this one is a part of.
    pub outer: Option<CopyId>,
}

/// What a variable is a copy of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarOrigin {
    /// The variable of the input.
    pub var: VarId,
    /// Which copy of it.
    pub copy: Option<CopyId>,
}

/// The table.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    copies: Table<CopyId, Copy>,
    ids: FxHashMap<Copy, CopyId>,
    stmts: FxHashMap<StmtId, CopyId>,
    vars: FxHashMap<VarId, VarOrigin>,
    functions: FxHashMap<FunctionId, FunctionId>,
    names: FxHashMap<VarId, Symbol>,
    temporaries: FxHashSet<VarId>,
    private: FxHashSet<VarId>,
}

impl Origins {
    /// The copy that a statement belongs to.
    #[must_use]
    pub fn stmt(&self, id: StmtId) -> Option<CopyId> {
        self.stmts.get(&id).copied()
    }

    /// What a variable was in the input.
    #[must_use]
    pub fn var(&self, id: VarId) -> VarOrigin {
        self.vars.get(&id).copied().unwrap_or(VarOrigin { var: id, copy: None })
    }

    /// What a function was in the input.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> FunctionId {
        self.functions.get(&id).copied().unwrap_or(id)
    }

    /// One copy.
    #[must_use]
    pub fn copy(&self, id: CopyId) -> Copy {
        self.copies[id]
    }

    /// The contexts of a copy, innermost first.
    pub fn contexts(&self, id: Option<CopyId>) -> impl Iterator<Item = Context> {
        let mut next = id;
        std::iter::from_fn(move || {
            let copy = self.copies[next?];
            next = copy.outer;
            Some(copy.context)
        })
    }

    /// The copy for `context` inside of `outer`.
    pub fn enter(&mut self, context: Context, outer: Option<CopyId>) -> CopyId {
        let copy = Copy { context, outer };
        if let Some(&known) = self.ids.get(&copy) {
            return known;
        }
        let id = self.copies.push(copy);
        self.ids.insert(copy, id);
        id
    }

    /// The copy that `inner` becomes when all of its code is copied once more, as a part of `around`.
    pub fn within(&mut self, inner: Option<CopyId>, around: Option<CopyId>) -> Option<CopyId> {
        self.moved(inner, None, around)
    }

    /// The copy that `inner`, a part of `from`, becomes as a part of `to`.
    pub fn moved(
        &mut self,
        inner: Option<CopyId>,
        from: Option<CopyId>,
        to: Option<CopyId>,
    ) -> Option<CopyId> {
        let mut contexts = Vec::new();
        let mut next = inner;
        while let Some(id) = next
            && next != from
        {
            contexts.push(self.copies[id].context);
            next = self.copies[id].outer;
        }
        contexts.into_iter().rev().fold(to, |outer, context| Some(self.enter(context, outer)))
    }

    /// The name that a variable had in the input, if it has another now.
    #[must_use]
    pub fn name(&self, id: VarId) -> Option<Symbol> {
        self.names.get(&self.var(id).var).copied()
    }

    /// Whether a variable is one that a pass made, which is always written before it is read.
    #[must_use]
    pub fn is_temporary(&self, id: VarId) -> bool {
        self.temporaries.contains(&self.var(id).var)
    }

    /// Whether a `static` variable was a local one, and so belongs to one thread.
    #[must_use]
    pub fn is_private(&self, id: VarId) -> bool {
        self.private.contains(&id)
    }

    /// Says that a `static` variable was a local one.
    pub fn set_private(&mut self, id: VarId) {
        self.private.insert(id);
    }

    /// Remembers the name that a variable had in the input.
    pub fn set_name(&mut self, id: VarId, name: Symbol) {
        let var = self.var(id).var;
        self.names.entry(var).or_insert(name);
    }

    /// Says that a variable is always written before it is read.
    pub fn set_temporary(&mut self, id: VarId) {
        self.temporaries.insert(id);
    }

    /// Says which copy a statement belongs to.
    pub fn set_stmt(&mut self, id: StmtId, copy: Option<CopyId>) {
        if let Some(copy) = copy {
            self.stmts.insert(id, copy);
        }
    }

    /// Says what a variable is a copy of.
    pub fn set_var(&mut self, id: VarId, of: VarId, copy: Option<CopyId>) {
        let var = self.var(of).var;
        self.vars.insert(id, VarOrigin { var, copy });
    }

    /// Says what a function is a copy of.
    pub fn set_function(&mut self, id: FunctionId, of: FunctionId) {
        let of = self.function(of);
        self.functions.insert(id, of);
    }
}

#[cfg(test)]
mod tests {
    use raddle_base::Id as _;

    use super::*;

    fn iteration(number: u32) -> Context {
        Context::Iteration { place: Span::new(5, 9), number }
    }

    fn call(at: u32) -> Context {
        Context::Call { place: Span::new(at, at + 1), function: FunctionId::from_index(0) }
    }

    #[test]
    fn a_copy_of_a_copy_keeps_the_inner_contexts_inside() {
        let mut origins = Origins::default();
        let second = origins.enter(iteration(2), None);
        let here = origins.enter(call(40), None);
        let both = origins.within(Some(second), Some(here));
        assert_eq!(origins.contexts(both).collect::<Vec<_>>(), [iteration(2), call(40)]);
        assert_eq!(origins.within(None, Some(here)), Some(here));
        assert_eq!(origins.within(Some(second), None), Some(second));
        assert_eq!(origins.within(Some(second), Some(here)), both, "equal copies have one id");
    }

    #[test]
    fn a_copied_variable_leads_to_the_first_one() {
        let mut origins = Origins::default();
        let [first, second, third] = [0, 1, 2].map(VarId::from_index);
        let copy = Some(origins.enter(iteration(1), None));
        origins.set_var(second, first, None);
        origins.set_var(third, second, copy);
        assert_eq!(origins.var(third), VarOrigin { var: first, copy });
        assert_eq!(origins.var(first), VarOrigin { var: first, copy: None });
    }
}
