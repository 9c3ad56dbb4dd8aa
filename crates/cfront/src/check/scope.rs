//! Names in scope.
//!
//! Look-up is one index by symbol: each name space is a vector from symbols to the innermost binding. A scope
//! remembers what its declarations covered up, and puts it back when it closes. Labels have a space of their
//! own, which belongs to the statements.

use raddle_base::Id;
use rustc_hash::FxHashMap;

use crate::ast::{EnumId, FunctionId, RecordId, TypedefId, VarId};
use crate::names::Symbol;

/// What an ordinary identifier stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// A variable or parameter.
    Var(VarId),
    /// A function.
    Function(FunctionId),
    /// An enumeration constant.
    EnumConstant(EnumId, u32),
    /// A typedef name.
    Typedef(TypedefId),
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `struct` or `union`
    Record(RecordId),
    /// `enum`
    Enum(EnumId),
}

/// What kind of scope it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeKind {
    /// A block, or a function's parameters together with its outermost block.
    Block,
    /// The parentheses of a function declarator.
    Prototype,
}

#[derive(Clone, Copy, Debug)]
struct Scope {
    kind: ScopeKind,
    /// Where its part of the undo list begins.
    undo_start: usize,
}

#[derive(Clone, Copy, Debug)]
struct Binding<T> {
    meaning: T,
    /// How many scopes were open, the file scope not counted.
    depth: usize,
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    Name(Symbol, Option<Binding<Name>>),
    Tag(Symbol, Option<Binding<Tag>>),
}

/// Something declared in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// An ordinary name.
    Name(Symbol, Name),
    /// A tag.
    Tag(Symbol, Tag),
}

/// The stack of scopes. Look-up is by symbol index, with an undo list a scope.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    names: Vec<Option<Binding<Name>>>,
    tags: Vec<Option<Binding<Tag>>>,
    undo: Vec<Undo>,
    scopes: Vec<Scope>,
    /// What has linkage in this unit, whether or not its name is visible here.
    linked: FxHashMap<Symbol, Name>,
}

impl Scopes {
    /// Opens the scope of a block.
    pub fn push(&mut self) {
        self.open(ScopeKind::Block);
    }

    /// Opens the scope of a parameter list.
    pub fn push_prototype(&mut self) {
        self.open(ScopeKind::Prototype);
    }

    fn open(&mut self, kind: ScopeKind) {
        self.scopes.push(Scope { kind, undo_start: self.undo.len() });
    }

    /// Closes the innermost scope. The file scope stays.
    pub fn pop(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        for undo in self.undo.drain(scope.undo_start..).rev() {
            match undo {
                Undo::Name(symbol, covered) => self.names[symbol.index()] = covered,
                Undo::Tag(symbol, covered) => self.tags[symbol.index()] = covered,
            }
        }
    }

    /// What was declared in the innermost scope (not the file scope), in order.
    pub fn declared_here(&self) -> impl Iterator<Item = Declared> {
        let start = self.scopes.last().map_or(self.undo.len(), |scope| scope.undo_start);
        self.undo[start..].iter().filter_map(|undo| match *undo {
            Undo::Name(symbol, _) => self.lookup(symbol).map(|name| Declared::Name(symbol, name)),
            Undo::Tag(symbol, _) => self.lookup_tag(symbol).map(|tag| Declared::Tag(symbol, tag)),
        })
    }

    /// Declares again what [`declared_here`](Self::declared_here) gave.
    pub fn declare_again(&mut self, declared: Declared) {
        match declared {
            Declared::Name(symbol, name) => self.declare(symbol, name),
            Declared::Tag(symbol, tag) => self.declare_tag(symbol, tag),
        }
    }

    /// Forgets everything: a new translation unit begins.
    pub fn clear(&mut self) {
        self.names.clear();
        self.tags.clear();
        self.undo.clear();
        self.scopes.clear();
        self.linked.clear();
    }

    /// What an identifier stands for here.
    #[must_use]
    pub fn lookup(&self, name: Symbol) -> Option<Name> {
        self.names.get(name.index())?.map(|binding| binding.meaning)
    }

    /// What an identifier was declared as in the innermost scope.
    #[must_use]
    pub fn lookup_here(&self, name: Symbol) -> Option<Name> {
        let binding = self.names.get(name.index())?.as_ref()?;
        (binding.depth == self.depth()).then_some(binding.meaning)
    }

    /// What a tag stands for here.
    #[must_use]
    pub fn lookup_tag(&self, tag: Symbol) -> Option<Tag> {
        self.tags.get(tag.index())?.map(|binding| binding.meaning)
    }

    /// What a tag was declared as in the innermost scope.
    #[must_use]
    pub fn lookup_tag_here(&self, tag: Symbol) -> Option<Tag> {
        let binding = self.tags.get(tag.index())?.as_ref()?;
        (binding.depth == self.depth()).then_some(binding.meaning)
    }

    /// Declares an identifier in the innermost scope; covers up or replaces what it stood for.
    pub fn declare(&mut self, name: Symbol, meaning: Name) {
        let depth = self.depth();
        let slot = slot(&mut self.names, name);
        if depth > 0 && slot.is_none_or(|binding| binding.depth != depth) {
            self.undo.push(Undo::Name(name, *slot));
        }
        *slot = Some(Binding { meaning, depth });
    }

    /// Declares a tag in the innermost scope; covers up or replaces what it stood for.
    pub fn declare_tag(&mut self, tag: Symbol, meaning: Tag) {
        let depth = self.depth();
        let slot = slot(&mut self.tags, tag);
        if depth > 0 && slot.is_none_or(|binding| binding.depth != depth) {
            self.undo.push(Undo::Tag(tag, *slot));
        }
        *slot = Some(Binding { meaning, depth });
    }

    /// The variable or function of this name that has linkage, wherever in the unit it was declared.
    #[must_use]
    pub fn linked(&self, name: Symbol) -> Option<Name> {
        self.linked.get(&name).copied()
    }

    /// Remembers a variable or function with linkage.
    pub fn set_linked(&mut self, name: Symbol, meaning: Name) {
        self.linked.insert(name, meaning);
    }

    /// How many scopes are open inside the file scope.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Whether this is the file scope.
    #[must_use]
    pub fn at_file_scope(&self) -> bool {
        self.scopes.is_empty()
    }

    /// Whether the innermost scope is that of a parameter list.
    #[must_use]
    pub fn at_prototype_scope(&self) -> bool {
        self.scopes.last().is_some_and(|scope| scope.kind == ScopeKind::Prototype)
    }
}

fn slot<T: Copy>(table: &mut Vec<Option<Binding<T>>>, symbol: Symbol) -> &mut Option<Binding<T>> {
    let index = symbol.index();
    if index >= table.len() {
        table.resize(index + 1, None);
    }
    &mut table[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typedef(index: usize) -> Name {
        Name::Typedef(TypedefId::from_index(index))
    }

    #[test]
    fn inner_declarations_cover_outer_ones_until_their_scope_closes() {
        let mut scopes = Scopes::default();
        let name = Symbol::from_index(7);
        scopes.declare(name, typedef(0));
        scopes.push();
        assert_eq!((scopes.lookup(name), scopes.lookup_here(name)), (Some(typedef(0)), None));
        scopes.declare(name, typedef(1));
        scopes.declare(name, typedef(2));
        scopes.push();
        scopes.declare(name, typedef(3));
        assert_eq!(scopes.lookup(name), Some(typedef(3)));
        scopes.pop();
        assert_eq!(scopes.lookup_here(name), Some(typedef(2)));
        scopes.pop();
        assert_eq!((scopes.lookup(name), scopes.at_file_scope()), (Some(typedef(0)), true));
    }

    #[test]
    fn a_prototype_scope_tells_what_it_declared() {
        let mut scopes = Scopes::default();
        let (name, tag) = (Symbol::from_index(1), Symbol::from_index(0));
        scopes.push_prototype();
        assert!(scopes.at_prototype_scope());
        scopes.declare(name, typedef(4));
        scopes.declare_tag(tag, Tag::Record(RecordId::from_index(2)));
        let declared: Vec<_> = scopes.declared_here().collect();
        scopes.pop();
        assert_eq!((scopes.lookup(name), scopes.lookup_tag(tag)), (None, None));
        scopes.push();
        for entry in declared {
            scopes.declare_again(entry);
        }
        assert_eq!(scopes.lookup(name), Some(typedef(4)));
        assert_eq!(scopes.lookup_tag(tag), Some(Tag::Record(RecordId::from_index(2))));
    }
}
