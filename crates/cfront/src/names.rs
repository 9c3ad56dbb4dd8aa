//! Interned names.

use raddle_base::{Table, define_id};
use rustc_hash::FxHashMap;

use crate::primitive::Primitive;

define_id!(
    /// An interned identifier. Equal names have equal symbols within one [`Names`].
    pub struct Symbol, "sym"
);

/// All names met so far.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Table<Symbol, Box<str>>,
    symbols: FxHashMap<Box<str>, Symbol>,
    /// Those that mean something as the name of a function.
    primitives: FxHashMap<Symbol, Primitive>,
}

impl Names {
    /// No names yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The symbol of `text`, new or known.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = self.texts.push(text.into());
        self.symbols.insert(text.into(), symbol);
        if let Some(primitive) = Primitive::named(text) {
            self.primitives.insert(symbol, primitive);
        }
        symbol
    }

    /// All symbols, in the order they were met.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        self.texts.ids()
    }

    /// The symbol of `text` if it was met before.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// What `symbol` means as the name of a function that nobody defines.
    #[must_use]
    pub fn primitive(&self, symbol: Symbol) -> Option<Primitive> {
        self.primitives.get(&symbol).copied()
    }

    /// The text of `symbol`.
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol]
    }
}
