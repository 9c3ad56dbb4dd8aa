//! What the printer and the dump must know of a unit before the first line: the names of its tags, which
//! records are anonymous members, and which type each declaration shows.
//!
//! The survey walks a unit in the order of its text. It keeps one invariant: the survey of a unit and the
//! survey of that unit printed and read again give the same names, because both depend only on the order of
//! what is printed.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{
    Ast, EnumId, ExprId, ExprKind, FunctionId, Init, Item, OffsetStep, Record, RecordId, StmtId, StmtKind,
    VarId,
};
use crate::names::Symbol;
use crate::types::{QualType, Type};

/// Something that may be declared several times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Declared {
    Var(VarId),
    Function(FunctionId),
}

/// What carries a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Tagged {
    Record(RecordId),
    Enum(EnumId),
}

/// What is known of a unit.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    names: FxHashMap<Tagged, String>,
    anonymous_members: FxHashSet<RecordId>,
    /// For each declaration of a thing, the type that the first use after it and before the next one sees.
    seen_types: FxHashMap<Declared, Vec<Option<QualType>>>,
}

impl Survey {
    /// Looks through a unit.
    pub(crate) fn of_unit(ast: &Ast, unit: usize) -> Self {
        let items = ast.units.get(unit).map_or(&[][..], |unit| &unit.items);
        let mut walk = Walk { ast, survey: Self::default(), tags: vec![FxHashMap::default()], anonymous: 0 };
        for record in ast.records.values() {
            walk.survey.anonymous_members.extend(anonymous_members(ast, record));
        }
        // A structure that is defined at file scope keeps its tag, even if a prototype mentioned another,
        // never defined one of that name before.
        for &item in items {
            if let Item::Record { id, definition: true } = item
                && let Some(tag) = ast.records[id].tag
            {
                walk.tags[0].entry(tag).or_insert(Tagged::Record(id));
            }
        }
        for &item in items {
            walk.item(item);
        }
        walk.survey
    }

    /// The tag that a record is printed with.
    pub(crate) fn record_name<'a>(&'a self, ast: &'a Ast, id: RecordId) -> &'a str {
        let given = self.names.get(&Tagged::Record(id)).map(String::as_str);
        given.or_else(|| ast.records[id].tag.map(|tag| ast.text(tag))).unwrap_or("__anon_unknown")
    }

    /// The tag that an enumeration is printed with.
    pub(crate) fn enum_name<'a>(&'a self, ast: &'a Ast, id: EnumId) -> &'a str {
        let given = self.names.get(&Tagged::Enum(id)).map(String::as_str);
        given.or_else(|| ast.enums[id].tag.map(|tag| ast.text(tag))).unwrap_or("__anon_unknown")
    }

    /// Whether the record is the type of an anonymous member, printed in place.
    pub(crate) fn is_anonymous_member(&self, id: RecordId) -> bool {
        self.anonymous_members.contains(&id)
    }

    /// The type to show at the declaration number `position` (from zero) of a thing whose type in the end is `last`.
    ///
    /// Later declarations may complete a type (`extern int a[]; int a[3];`, `int f(); int f(char *s) {…}`). What
    /// stands between them was checked against the type known there, so that is the type to print.
    pub(crate) fn type_at(&self, declared: Declared, place: usize, last: QualType) -> QualType {
        let seen = self.seen_types.get(&declared).and_then(|types| types.get(place..));
        seen.unwrap_or_default().iter().find_map(|&ty| ty).unwrap_or(last)
    }
}

/// The records that are anonymous members of `record`.
fn anonymous_members(ast: &Ast, record: &Record) -> impl Iterator<Item = RecordId> {
    record.fields.iter().flatten().filter_map(|field| {
        if field.name.is_some() || field.width.is_some() {
            return None;
        }
        let Type::Record(id) = ast.types.written(field.ty.id) else { return None };
        ast.records[*id].tag.is_none().then_some(*id)
    })
}

struct Walk<'a> {
    ast: &'a Ast,
    survey: Survey,
    /// The tags of the open scopes.
    tags: Vec<FxHashMap<Symbol, Tagged>>,
    anonymous: u32,
}

impl Walk<'_> {
    fn item(&mut self, item: Item) {
        match item {
            Item::Record { id, .. } => {
                if !self.survey.is_anonymous_member(id) {
                    self.name(Tagged::Record(id), self.ast.records[id].tag);
                }
            }
            Item::Enum(id) => self.name(Tagged::Enum(id), self.ast.enums[id].tag),
            Item::Var { id, definition } => {
                self.declare(Declared::Var(id));
                let init = self.ast.vars[id].init.as_ref();
                self.ty(self.ast.vars[id].ty);
                if let (true, Some(init)) = (definition, init) {
                    self.init(init);
                }
            }
            Item::Function { id, definition } => {
                self.declare(Declared::Function(id));
                if let (true, Some(body)) = (definition, self.ast.functions[id].body) {
                    self.tags.push(FxHashMap::default());
                    self.stmt(body);
                    self.tags.pop();
                }
            }
            Item::Typedef(id) => self.ty(self.ast.typedefs[id].ty),
            Item::Asm(stmt) => self.stmt(stmt),
            Item::Label(_) => {}
        }
    }

    /// Gives a record or enumeration its name, at its first item.
    fn name(&mut self, tagged: Tagged, tag: Option<Symbol>) {
        if self.survey.names.contains_key(&tagged) {
            return;
        }
        let name = match tag {
            None => {
                self.anonymous += 1;
                format!("__anon_{}", self.anonymous)
            }
            Some(tag) => {
                let text = self.ast.text(tag);
                let scope = self.tags.last_mut().expect("the file scope is never left");
                if *scope.entry(tag).or_insert(tagged) == tagged {
                    text.to_owned()
                } else {
                    // Tags of a parameter list or a `for` are printed one scope further out, where another
                    // record may have the same tag.
                    let free = |name: &String| self.ast.names.find(name).is_none();
                    let mut numbered = (2_u32..).map(|number| format!("{text}__{number}"));
                    numbered.find(free).unwrap_or_default()
                }
            }
        };
        self.survey.names.insert(tagged, name);
    }

    fn declare(&mut self, declared: Declared) {
        self.survey.seen_types.entry(declared).or_default().push(None);
    }

    /// An expression uses a thing whose type is known to be `ty` there.
    fn see(&mut self, declared: Declared, ty: QualType) {
        if let Some(types) = self.survey.seen_types.get_mut(&declared)
            && let Some(last) = types.last_mut()
        {
            last.get_or_insert(ty);
        }
    }

    /// The lengths in a type are expressions, too.
    fn ty(&mut self, ty: QualType) {
        for length in super::types::lengths(self.ast, ty) {
            self.expr(length);
        }
    }

    fn stmts(&mut self, stmts: &[StmtId]) {
        for &stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn scoped(&mut self, walk: impl FnOnce(&mut Self)) {
        self.tags.push(FxHashMap::default());
        walk(self);
        self.tags.pop();
    }

    fn stmt(&mut self, id: StmtId) {
        match &self.ast.stmts[id].kind {
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Error => {}
            StmtKind::Expr(expr) | StmtKind::GotoComputed(expr) | StmtKind::Return(Some(expr)) => {
                self.expr(*expr)
            }
            StmtKind::Block(stmts) => self.scoped(|walk| walk.stmts(stmts)),
            StmtKind::Declare(items) => items.iter().for_each(|&item| self.item(item)),
            StmtKind::If { condition, then, otherwise } => {
                self.expr(*condition);
                self.stmt(*then);
                self.stmts(otherwise.as_slice());
            }
            StmtKind::While { condition, body } | StmtKind::Switch { value: condition, body } => {
                self.expr(*condition);
                self.stmt(*body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.stmt(*body);
                self.expr(*condition);
            }
            StmtKind::For { init, condition, step, body } => {
                // These are printed before the loop, and so belong to the scope around it.
                let types = super::head_types(self.ast, id);
                types.iter().for_each(|&item| self.item(item));
                self.scoped(|walk| {
                    walk.stmts(init.as_slice());
                    walk.exprs(condition.as_slice());
                    walk.exprs(step.as_slice());
                    walk.stmt(*body);
                });
            }
            StmtKind::Case { first, last, values: _, body } => {
                self.expr(*first);
                self.exprs(last.as_slice());
                self.stmt(*body);
            }
            StmtKind::Default(body) | StmtKind::Label(_, body) => self.stmt(*body),
            StmtKind::Asm(asm) => {
                for operand in asm.outputs.iter().chain(&asm.inputs) {
                    self.expr(operand.value);
                }
            }
        }
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(expr) => self.expr(*expr),
            Init::Aggregate(parts) => parts.iter().for_each(|part| self.init(&part.value)),
        }
    }

    fn exprs(&mut self, exprs: &[ExprId]) {
        for &expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, id: ExprId) {
        let expr = &self.ast.exprs[id];
        match &expr.kind {
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::String(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::FunctionName(..)
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => {}
            ExprKind::TypeQuery(_, ty) => self.ty(*ty),
            ExprKind::Var(var) => self.see(Declared::Var(*var), expr.ty),
            ExprKind::Function(function) => self.see(Declared::Function(*function), expr.ty),
            ExprKind::Unary(_, operand) | ExprKind::ExprQuery(_, operand) | ExprKind::VaArg(operand) => {
                self.expr(*operand);
            }
            ExprKind::Cast { operand, explicit, kind: _ } => {
                if *explicit {
                    self.ty(expr.ty);
                }
                self.expr(*operand);
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Assign(left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::CompoundAssign { target: left, value: right, .. }
            | ExprKind::Index { base: left, index: right } => self.exprs(&[*left, *right]),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(*condition);
                self.exprs(then.as_slice());
                self.expr(*otherwise);
            }
            ExprKind::Member { base, .. } => self.expr(*base),
            ExprKind::Call { callee, arguments } => {
                self.expr(*callee);
                self.exprs(arguments);
            }
            ExprKind::Builtin { arguments, .. } => self.exprs(arguments),
            ExprKind::Offsetof { path, .. } => {
                for step in path {
                    if let OffsetStep::Index(index) = step {
                        self.expr(*index);
                    }
                }
            }
            ExprKind::Statement(stmt) => self.stmt(*stmt),
            ExprKind::CompoundLiteral { init, .. } => self.init(init),
        }
    }
}
