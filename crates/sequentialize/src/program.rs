//! A program on its way through a pipeline.

use std::sync::atomic::{AtomicUsize, Ordering};

use indexmap::IndexMap;
use raddle_base::{Budget, SourceMap};
use raddle_cfront::ast::{Ast, FunctionId, Item, StmtId, VarId};
use raddle_cfront::check::TreeBuilder;
use raddle_cfront::primitive::Primitive;

use crate::origin::Origins;
use crate::pass::Refusal;
use crate::sequential::Sequential;

/// So many new statements are worth a look at the clock and the memory.
const MANY: usize = 2_000;

/// The tree, the texts it came from, and where its pieces came from.
///
/// The tree lives inside of a [`TreeBuilder`]: passes make new nodes with the methods that the parser uses, so every node is made
/// as if its text had been read.
#[derive(Debug)]
pub struct Program {
    /// Every text that was read, those that passes bring along included.
    pub sources: SourceMap,
    /// The tree, and how to make nodes.
    pub tree: TreeBuilder,
    /// Where copies came from.
    pub origins: Origins,
    /// How many of the last units are models of the API, not the user's.
    pub models: usize,
    /// When this is a sequential program that stands for a concurrent one: its threads and where they can be left.
    pub sequential: Option<Sequential>,
    /// How long passes may work, and how large the program may become. They look at it wherever they make many nodes.
    pub budget: Budget,
    /// How many statements there were when the clock was looked at last.
    looked_at: AtomicUsize,
    /// How often each name was numbered.
    pub(crate) numbered: IndexMap<String, u32>,
}

impl Program {
    /// A program as the front end read it; the last `models` units are API models.
    #[must_use]
    pub fn new(sources: SourceMap, ast: Ast, models: usize) -> Self {
        Self {
            sources,
            tree: TreeBuilder::over(ast),
            origins: Origins::default(),
            models,
            sequential: None,
            budget: Budget::unlimited(),
            looked_at: AtomicUsize::new(0),
            numbered: IndexMap::new(),
        }
    }

    /// Whether a pass may go on. Cheap enough for every statement.
    ///
    /// # Errors
    /// When a limit is met; the program is in no useful state then.
    pub(crate) fn may_go_on(&self) -> Result<(), Refusal> {
        let made = self.ast().stmts.len();
        let limit = if made.saturating_sub(self.looked_at.load(Ordering::Relaxed)) < MANY {
            self.budget.poll()
        } else {
            self.looked_at.store(made, Ordering::Relaxed);
            self.budget.check()
        };
        limit.map_err(Refusal::exhausted)
    }

    /// The tree.
    #[must_use]
    pub fn ast(&self) -> &Ast {
        &self.tree.ast
    }

    /// The tree, to change it.
    pub fn ast_mut(&mut self) -> &mut Ast {
        &mut self.tree.ast
    }

    /// All functions that have a body here, in order of their definitions, each with the number of its unit.
    #[must_use]
    pub fn definitions(&self) -> Vec<(usize, FunctionId)> {
        let mut found = Vec::new();
        for (place, unit) in self.ast().units.iter().enumerate() {
            for item in &unit.items {
                if let Item::Function { id, definition: true } = *item
                    && self.ast().functions[id].body.is_some()
                {
                    found.push((place, id));
                }
            }
        }
        found
    }

    /// The functions of the user: those of [`definitions`](Self::definitions) that are no models.
    #[must_use]
    pub fn own_definitions(&self) -> Vec<(usize, FunctionId)> {
        let own = self.ast().units.len() - self.models.min(self.ast().units.len());
        self.definitions().into_iter().filter(|(unit, _)| *unit < own).collect()
    }

    /// The unit that defines a function.
    #[must_use]
    pub fn unit_of(&self, function: FunctionId) -> Option<usize> {
        let defines = |item: &Item| *item == Item::Function { id: function, definition: true };
        self.ast().units.iter().position(|unit| unit.items.iter().any(defines))
    }

    /// The body of a function.
    #[must_use]
    pub fn body(&self, function: FunctionId) -> Option<StmtId> {
        self.ast().functions[function].body
    }

    /// The text of a variable's name.
    #[must_use]
    pub fn var_text(&self, var: VarId) -> &str {
        self.ast().vars[var].name.map_or("", |name| self.ast().text(name))
    }

    /// The text of a function's name.
    #[must_use]
    pub fn function_text(&self, function: FunctionId) -> &str {
        self.ast().text(self.ast().functions[function].name)
    }

    /// What a call of a function means by its name: nothing if it is defined, save for the functions whose call is the violation.
    #[must_use]
    pub fn primitive(&self, function: FunctionId) -> Option<Primitive> {
        let found = self.ast().primitive(function)?;
        let is_defined = self.body(self.definition_of(function)).is_some();
        (found == Primitive::Error || !is_defined).then_some(found)
    }

    /// The function that a name with linkage stands for: the definition, if there is one.
    #[must_use]
    pub fn definition_of(&self, function: FunctionId) -> FunctionId {
        self.ast().functions[function].linked.unwrap_or(function)
    }
}
