//! Copies of statements and expressions.
//!
//! A copy has nodes of its own, all the way down. Variables and labels that are declared inside of what is copied are copied
//! too; those of outside are shared. What was copied remembers from where ([`crate::origin`]).
//!
//! Objects that live longer than the code they are declared in must not be copied: `static` variables, nested functions and
//! types have to be moved out first, which `passes::declarations::hoist` does.

use raddle_cfront::ast::{
    CastKind, ExprId, ExprKind, FunctionId, Item, LabelId, PredefinedName, StmtId, StmtKind, VarId,
};
use raddle_cfront::check::conversion::is_null_constant;
use raddle_cfront::types::{ArrayLength, QualType, Type};
use rustc_hash::FxHashMap;

use crate::names::function_name_object;
use crate::origin::CopyId;
use crate::program::Program;
use crate::visit::{Part, expr_parts, init_parts, labels_in, lengths, stmt_parts};

/// How code is copied.
#[derive(Debug)]
pub struct Copier<'p> {
    /// The program.
    pub program: &'p mut Program,
    /// What the copies are a part of, beside what they were a part of before.
    around: Option<CopyId>,
    /// What all that is copied is a part of.
    outer: Option<CopyId>,
    /// The function that the copies will belong to, if it is another one.
    owner: Option<FunctionId>,
    /// Whether variables get new names there.
    rename: bool,
    vars: FxHashMap<VarId, VarId>,
    values: FxHashMap<VarId, ExprId>,
    labels: FxHashMap<LabelId, LabelId>,
    types: FxHashMap<QualType, QualType>,
}

impl<'p> Copier<'p> {
    /// Copies that are a part of `around`. With an `owner` they belong to that function, and their variables get new names.
    pub fn new(program: &'p mut Program, around: Option<CopyId>, owner: Option<FunctionId>) -> Self {
        Self {
            program,
            around,
            outer: None,
            owner,
            rename: true,
            vars: FxHashMap::default(),
            values: FxHashMap::default(),
            labels: FxHashMap::default(),
            types: FxHashMap::default(),
        }
    }

    /// Variables keep their names: a whole function is copied.
    #[must_use]
    pub fn keep_names(mut self) -> Self {
        self.rename = false;
        self
    }

    /// What is copied is a part of `outer` already, and so is what the copies become a part of.
    #[must_use]
    pub fn without(mut self, outer: Option<CopyId>) -> Self {
        self.outer = outer;
        self
    }

    /// Reads of `var` become copies of `value`, which changes nothing and never changes. The variable must not be used otherwise.
    pub fn replace(&mut self, var: VarId, value: ExprId) {
        self.values.insert(var, value);
    }

    /// Copies a variable that is not declared inside of what is copied: a parameter.
    pub fn var(&mut self, id: VarId) -> VarId {
        let mut var = self.program.ast().vars[id].clone();
        if let (Some(owner), Some(name)) = (self.owner, var.name) {
            if self.rename {
                let hint = self.program.ast().text(name).to_owned();
                var.name = Some(self.program.fresh_name(&hint));
            }
            var.owner = Some(owner);
        }
        let new = self.program.ast().vars.next_id();
        self.vars.insert(id, new);
        var.ty = self.written_ty(var.ty);
        // The initialiser may name the variable itself.
        let init = var.init.take();
        let pushed = self.program.ast_mut().vars.push(var);
        debug_assert_eq!(pushed, new, "lengths in types declare nothing");
        if let Some(mut init) = init {
            init_parts(&mut init, &mut |expr| *expr = self.expr(*expr));
            self.program.ast_mut().vars[new].init = Some(init);
        }
        let inner = self.program.origins.var(id).copy;
        let copy = self.program.origins.moved(inner, self.outer, self.around);
        self.program.origins.set_var(new, id, copy);
        new
    }

    /// A type that is written in what is copied: the lengths of its arrays are evaluated anew, so they are copied, too.
    fn written_ty(&mut self, ty: QualType) -> QualType {
        self.mapped_ty(ty, true)
    }

    /// A type as it is in the copy: that of a copied variable, or a part of it.
    fn ty(&mut self, ty: QualType) -> QualType {
        self.mapped_ty(ty, false)
    }

    fn mapped_ty(&mut self, ty: QualType, written: bool) -> QualType {
        if lengths(self.program.ast(), ty).is_empty() {
            return ty;
        }
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let old = self.program.ast().types.written(ty.id).clone();
        let new = match old.clone() {
            Type::Pointer(target) => Type::Pointer(self.mapped_ty(target, written)),
            Type::Array { element, length } => {
                let length = match length {
                    ArrayLength::Variable(expr) if written => ArrayLength::Variable(self.expr(expr)),
                    ArrayLength::Variable(_)
                    | ArrayLength::Fixed(_)
                    | ArrayLength::Unknown
                    | ArrayLength::Star => length,
                };
                Type::Array { element: self.mapped_ty(element, written), length }
            }
            other @ (Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector { .. }
            | Type::Function(_)
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Typedef(_)
            | Type::Error) => other,
        };
        if new == old {
            return ty;
        }
        let id = self.program.ast_mut().types.intern(new);
        let new = QualType { id, qualifiers: ty.qualifiers };
        self.types.insert(ty, new);
        new
    }

    /// Copies a statement. Labels that stand in it are labels of the copy's own.
    pub fn stmt(&mut self, id: StmtId) -> StmtId {
        for label in labels_in(self.program.ast(), id) {
            let old = self.program.ast().labels[label].clone();
            let hint = self.program.ast().text(old.name).to_owned();
            let new = self.program.fresh_label(&hint, old.span);
            self.labels.insert(label, new);
        }
        self.inner_stmt(id)
    }

    fn inner_stmt(&mut self, id: StmtId) -> StmtId {
        let mut stmt = self.program.ast().stmts[id].clone();
        match &mut stmt.kind {
            StmtKind::Declare(items) => items.iter_mut().for_each(|item| self.item(item)),
            StmtKind::Label(label, _) | StmtKind::Goto(label) => *label = self.label(*label),
            StmtKind::Asm(asm) => asm.labels.iter_mut().for_each(|label| *label = self.label(*label)),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Block(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Error => {}
        }
        stmt_parts(&mut stmt.kind, &mut |part| self.part(part));
        let inner = self.program.origins.stmt(id);
        let copy = self.program.origins.moved(inner, self.outer, self.around);
        let new = self.program.ast_mut().stmts.push(stmt);
        self.program.origins.set_stmt(new, copy);
        new
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Expr(expr) => *expr = self.expr(*expr),
            Part::Stmt(stmt) => *stmt = self.inner_stmt(*stmt),
        }
    }

    fn item(&mut self, item: &mut Item) {
        match item {
            Item::Var { id, .. } => *id = self.var(*id),
            Item::Label(label) => *label = self.label(*label),
            // Moved out before anything is copied; what stays means the same in every copy.
            Item::Record { .. } | Item::Enum(_) | Item::Typedef(_) | Item::Function { .. } | Item::Asm(_) => {
            }
        }
    }

    fn label(&mut self, label: LabelId) -> LabelId {
        self.labels.get(&label).copied().unwrap_or(label)
    }

    /// Copies an expression.
    pub fn expr(&mut self, id: ExprId) -> ExprId {
        let mut expr = self.program.ast().exprs[id].clone();
        match &mut expr.kind {
            ExprKind::Var(var) => *var = self.vars.get(var).copied().unwrap_or(*var),
            ExprKind::Cast { operand, explicit, .. } => {
                if *explicit {
                    expr.ty = self.written_ty(expr.ty);
                }
                // The load of a variable whose value is known.
                if let ExprKind::Var(var) = self.program.ast().exprs[*operand].kind
                    && let Some(&value) = self.values.get(&var)
                {
                    return self.expr(value);
                }
            }
            ExprKind::LabelAddress(label) => *label = self.label(*label),
            ExprKind::FunctionName(name, text) if self.owner.is_some() => {
                let (name, text): (PredefinedName, Box<str>) = (*name, text.clone());
                let (var, new) = function_name_object(self.program, name, &text, expr.ty, expr.span);
                if new {
                    let unit = self.owner.and_then(|owner| self.program.unit_of(owner)).unwrap_or(0);
                    let item = Item::Var { id: var, definition: true };
                    self.program.ast_mut().units[unit].items.insert(0, item);
                }
                expr.kind = ExprKind::Var(var);
            }
            ExprKind::TypeQuery(_, ty) | ExprKind::Offsetof { ty, .. } => *ty = self.written_ty(*ty),
            ExprKind::VaArg(_) | ExprKind::CompoundLiteral { .. } => expr.ty = self.written_ty(expr.ty),
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::String(_)
            | ExprKind::Function(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::FunctionName(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Comma(..)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Call { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::ExprQuery(..)
            | ExprKind::Statement(_)
            | ExprKind::Error => {}
        }
        expr.ty = self.ty(expr.ty);
        expr_parts(&mut expr.kind, &mut |part| self.part(part));
        // Where a variable has become a constant, zero is a null pointer.
        if let ExprKind::Cast { kind: kind @ CastKind::IntegerToPointer, operand, .. } = &mut expr.kind
            && is_null_constant(self.program.ast(), *operand)
        {
            *kind = CastKind::NullToPointer;
        }
        self.program.ast_mut().exprs.push(expr)
    }
}

/// Copies an expression that declares nothing.
pub fn copy_expr(program: &mut Program, expr: ExprId) -> ExprId {
    Copier::new(program, None, None).expr(expr)
}
