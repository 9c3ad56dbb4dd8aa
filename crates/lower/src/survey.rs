//! Where scopes, labels, jumps and declarations stand in a function, before it is lowered.
//!
//! In C an object's lifetime begins where its *block* is entered, not at its declaration. Usually that cannot be observed, and the
//! object is made at the declaration. It must be made where the block is entered if a jump may pass the declaration by, or may come
//! back to it while the object lives.

use raddle_cfront::ast::{Ast, Item, LabelId, StmtId, StmtKind, Storage, VarId};
use rustc_hash::FxHashMap;

/// A position in the order of the text.
type Position = u32;

/// See the [module](self).
#[derive(Debug, Default)]
pub(crate) struct ScopeSurvey {
    next: Position,
    /// Where statements begin.
    positions: FxHashMap<StmtId, Position>,
    scopes: FxHashMap<StmtId, ScopeFacts>,
    labels: FxHashMap<LabelId, LabelFacts>,
    /// Control may come back anywhere: to a `setjmp`.
    pub(crate) returns_twice: bool,
}

/// What is known of a scope.
#[derive(Debug, Default)]
struct ScopeFacts {
    /// Its own variables, and where they are declared.
    variables: Vec<(VarId, Position)>,
    /// The labels anywhere in it.
    labels: Vec<LabelId>,
    /// The cases in it of a `switch` around it.
    cases: Vec<Position>,
}

/// What is known of a label.
#[derive(Clone, Debug, Default)]
pub(crate) struct LabelFacts {
    position: Position,
    /// The last `goto` to it, if there is any.
    last_jump: Option<Position>,
    /// The scopes it stands in, the outermost first.
    pub(crate) scopes: Vec<StmtId>,
    /// How many variables with the attribute `cleanup` are in scope there.
    pub(crate) cleanups: usize,
}

/// Whether a statement opens a scope wherever it stands. Others do where they are the body of such a statement.
pub(crate) const fn opens_scope(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Block(_)
        | StmtKind::If { .. }
        | StmtKind::While { .. }
        | StmtKind::DoWhile { .. }
        | StmtKind::For { .. }
        | StmtKind::Switch { .. } => true,
        StmtKind::Empty
        | StmtKind::Expr(_)
        | StmtKind::Declare(_)
        | StmtKind::Case { .. }
        | StmtKind::Default(_)
        | StmtKind::Label(..)
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_)
        | StmtKind::Error => false,
    }
}

impl ScopeSurvey {
    /// Looks at a function's body, or at a statement expression, which nobody can jump into. `addressed` are the labels that
    /// computed jumps may go to.
    pub(crate) fn look_at(
        &mut self,
        ast: &Ast,
        body: StmtId,
        cleanups: usize,
        addressed: &[LabelId],
        is_cleaned: &dyn Fn(VarId) -> bool,
    ) {
        let mut walk =
            SurveyWalk { survey: self, ast, addressed, is_cleaned, scopes: Vec::new(), switch: 0, cleanups };
        walk.part(body);
    }

    /// The label's facts.
    pub(crate) fn label(&self, label: LabelId) -> Option<&LabelFacts> {
        self.labels.get(&label)
    }

    /// Where a statement begins.
    pub(crate) fn position(&self, statement: StmtId) -> Option<Position> {
        self.positions.get(&statement).copied()
    }

    /// Whether a jump may come back to a position in a scope while the scope is not left.
    pub(crate) fn comes_again(&self, scope: StmtId, position: Position) -> bool {
        let Some(facts) = self.scopes.get(&scope) else { return false };
        if self.returns_twice {
            return true;
        }
        facts
            .labels
            .iter()
            .filter_map(|label| self.labels.get(label))
            .any(|label| label.position < position && label.last_jump.is_some_and(|jump| jump >= position))
    }

    /// Whether a jump into a scope may skip a position in it.
    fn is_passed_by(&self, facts: &ScopeFacts, position: Position) -> bool {
        let mut labels = facts.labels.iter().filter_map(|label| self.labels.get(label));
        labels.any(|label| label.position > position && label.last_jump.is_some())
            || facts.cases.iter().any(|&case| case > position)
    }

    /// The variables whose objects are made where the scope is entered. `outermost` is a function's body, which is entered
    /// once: what a jump passes by there gets its object where the function begins.
    pub(crate) fn made_at_entry(&self, scope: StmtId, outermost: bool) -> Vec<VarId> {
        let Some(facts) = self.scopes.get(&scope) else { return Vec::new() };
        let early = facts.variables.iter().filter(|&&(_, position)| {
            self.comes_again(scope, position) || !outermost && self.is_passed_by(facts, position)
        });
        early.map(|&(var, _)| var).collect()
    }

    /// The variables of a scope whose declarations a jump into it may pass by.
    pub(crate) fn passed_by(&self, scope: StmtId) -> Vec<VarId> {
        let Some(facts) = self.scopes.get(&scope) else { return Vec::new() };
        let passed = facts.variables.iter().filter(|&&(_, position)| self.is_passed_by(facts, position));
        passed.map(|&(var, _)| var).collect()
    }

    /// The variables of a scope.
    pub(crate) fn variables(&self, scope: StmtId) -> Vec<VarId> {
        self.scopes
            .get(&scope)
            .map_or_else(Vec::new, |facts| facts.variables.iter().map(|&(var, _)| var).collect())
    }
}

struct SurveyWalk<'s, 'a> {
    survey: &'s mut ScopeSurvey,
    ast: &'a Ast,
    addressed: &'s [LabelId],
    is_cleaned: &'s dyn Fn(VarId) -> bool,
    scopes: Vec<StmtId>,
    /// How many scopes are around the body of the innermost `switch`.
    switch: usize,
    cleanups: usize,
}

impl SurveyWalk<'_, '_> {
    /// A statement that is a scope whatever it is.
    fn part(&mut self, statement: StmtId) {
        if opens_scope(&self.ast.stmts[statement].kind) {
            self.statement(statement);
        } else {
            self.scope(statement, |walk| walk.statement_inside(statement));
        }
    }

    fn statement(&mut self, statement: StmtId) {
        if opens_scope(&self.ast.stmts[statement].kind) {
            self.scope(statement, |walk| walk.statement_inside(statement));
        } else {
            self.statement_inside(statement);
        }
    }

    fn scope(&mut self, statement: StmtId, inside: impl FnOnce(&mut Self)) {
        let cleanups = self.cleanups;
        self.scopes.push(statement);
        self.survey.scopes.entry(statement).or_default();
        inside(self);
        self.scopes.pop();
        self.cleanups = cleanups;
    }

    fn here(&mut self) -> Position {
        self.survey.next += 1;
        self.survey.next
    }

    fn statement_inside(&mut self, statement: StmtId) {
        let position = self.here();
        self.survey.positions.insert(statement, position);
        match &self.ast.stmts[statement].kind {
            StmtKind::Block(list) => list.iter().for_each(|&inner| self.statement(inner)),
            StmtKind::Declare(items) => items.iter().for_each(|item| self.declare(item, position)),
            StmtKind::Label(label, body) => {
                self.label(*label, position);
                self.statement(*body);
            }
            StmtKind::Goto(label) => {
                self.survey.labels.entry(*label).or_default().last_jump = Some(position);
            }
            StmtKind::If { then, otherwise, .. } => {
                self.part(*then);
                otherwise.iter().for_each(|&otherwise| self.part(otherwise));
            }
            StmtKind::For { init, body, .. } => {
                init.iter().for_each(|&init| self.statement(init));
                self.part(*body);
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => self.part(*body),
            StmtKind::Switch { body, .. } => {
                let outer = std::mem::replace(&mut self.switch, self.scopes.len());
                self.part(*body);
                self.switch = outer;
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) => {
                for scope in &self.scopes[self.switch.min(self.scopes.len())..] {
                    self.survey.scopes.entry(*scope).or_default().cases.push(position);
                }
                self.statement(*body);
            }
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm(_)
            | StmtKind::Error => {}
        }
    }

    fn declare(&mut self, item: &Item, position: Position) {
        let Item::Var { id, definition: true } = *item else { return };
        let is_local = match self.ast.vars[id].storage {
            Storage::Automatic | Storage::Register => true,
            Storage::External | Storage::Static | Storage::Parameter => false,
        };
        if let (Some(scope), true) = (self.scopes.last(), is_local) {
            self.survey.scopes.entry(*scope).or_default().variables.push((id, position));
        }
        if (self.is_cleaned)(id) {
            self.cleanups += 1;
        }
    }

    fn label(&mut self, label: LabelId, position: Position) {
        for scope in &self.scopes {
            self.survey.scopes.entry(*scope).or_default().labels.push(label);
        }
        let facts = self.survey.labels.entry(label).or_default();
        facts.position = position;
        facts.scopes.clone_from(&self.scopes);
        facts.cleanups = self.cleanups;
        if self.addressed.contains(&label) {
            facts.last_jump = Some(Position::MAX);
        }
    }
}
