//! Which memory an expression touches, and who may see it.
//!
//! A variable of a function whose address is never taken belongs to its thread alone; so do constants. Everything else may be
//! shared: globals, what pointers lead to, locals whose address is taken. This errs on the side of sharing: what is called
//! private here is private.

use raddle_cfront::ast::{Ast, CastKind, ExprId, ExprKind, Item, Storage, UnaryOp, VarId};
use raddle_cfront::types::{QualType, Qualifiers, Type};
use rustc_hash::FxHashSet;

use crate::program::Program;
use crate::visit::{Node, walk};

/// What an lvalue is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A variable.
    Var(VarId),
    /// A string literal or another constant.
    Constant,
    /// What a pointer leads to, or an object without a name.
    Memory,
}

/// What an lvalue is a part of.
#[must_use]
pub fn root(ast: &Ast, mut lvalue: ExprId) -> Root {
    loop {
        lvalue = match &ast.exprs[lvalue].kind {
            ExprKind::Var(var) => return Root::Var(*var),
            ExprKind::String(_) | ExprKind::FunctionName(..) | ExprKind::Function(_) => {
                return Root::Constant;
            }
            ExprKind::Member { base, arrow: false, .. } => *base,
            ExprKind::Index { base, index } => match (decayed(ast, *base), decayed(ast, *index)) {
                (Some(array), _) | (None, Some(array)) => array,
                // A lane of a vector.
                (None, None) if ast.exprs[*base].lvalue => *base,
                (None, None) => return Root::Memory,
            },
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, operand) => *operand,
            ExprKind::Unary(UnaryOp::Deref, operand) => match decayed(ast, *operand) {
                Some(array) => array,
                None => return Root::Memory,
            },
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Comma(..)
            | ExprKind::Cast { .. }
            | ExprKind::Member { .. }
            | ExprKind::Call { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::TypeQuery(..)
            | ExprKind::ExprQuery(..)
            | ExprKind::Offsetof { .. }
            | ExprKind::VaArg(_)
            | ExprKind::Statement(_)
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => return Root::Memory,
        };
    }
}

/// The array that an expression is the decay of.
fn decayed(ast: &Ast, expr: ExprId) -> Option<ExprId> {
    match ast.exprs[expr].kind {
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } => Some(operand),
        _ => None,
    }
}

/// The variables whose addresses are taken somewhere in the program.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    taken: FxHashSet<VarId>,
    /// Static variables that were local ones.
    private: FxHashSet<VarId>,
}

impl Addresses {
    /// Looks through the whole program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut addresses = Self::default();
        addresses.private.extend(program.ast().vars.ids().filter(|&var| program.origins.is_private(var)));
        for unit in &program.ast().units {
            for item in &unit.items {
                match *item {
                    Item::Var { id, definition: true } => {
                        if let Some(init) = &program.ast().vars[id].init {
                            let mut exprs = Vec::new();
                            crate::visit::init_parts(&mut init.clone(), &mut |expr| exprs.push(*expr));
                            exprs.iter().for_each(|&expr| addresses.scan(program.ast(), Node::Expr(expr)));
                        }
                    }
                    Item::Function { id, definition: true } => {
                        if let Some(body) = program.ast().functions[id].body {
                            addresses.scan(program.ast(), Node::Stmt(body));
                        }
                    }
                    Item::Var { .. }
                    | Item::Function { .. }
                    | Item::Record { .. }
                    | Item::Enum(_)
                    | Item::Typedef(_)
                    | Item::Asm(_)
                    | Item::Label(_) => {}
                }
            }
        }
        addresses
    }

    fn scan(&mut self, ast: &Ast, node: Node) {
        // Arrays whose decay is subscripted or dereferenced at once.
        let mut direct: FxHashSet<ExprId> = FxHashSet::default();
        walk(ast, node, &mut |node| {
            let id = match node {
                Node::Expr(id) => id,
                Node::Stmt(stmt) => {
                    if let raddle_cfront::ast::StmtKind::Asm(asm) = &ast.stmts[stmt].kind {
                        for operand in asm.outputs.iter().chain(&asm.inputs) {
                            self.take(ast, operand.value);
                        }
                    }
                    return true;
                }
            };
            match &ast.exprs[id].kind {
                ExprKind::Index { base, index } => direct.extend([*base, *index]),
                ExprKind::Unary(UnaryOp::Deref, operand) => {
                    direct.insert(*operand);
                }
                ExprKind::Unary(UnaryOp::AddressOf, operand) => self.take(ast, *operand),
                ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } if !direct.contains(&id) => {
                    self.take(ast, *operand);
                }
                ExprKind::Builtin { arguments, .. } => {
                    arguments.iter().for_each(|&argument| self.take(ast, argument));
                }
                ExprKind::VaArg(list) => self.take(ast, *list),
                _ => {}
            }
            true
        });
    }

    fn take(&mut self, ast: &Ast, lvalue: ExprId) {
        if ast.exprs[lvalue].lvalue
            && let Root::Var(var) = root(ast, lvalue)
        {
            self.taken.insert(var);
        }
    }

    /// Whether the address of a variable is taken.
    #[must_use]
    pub fn is_taken(&self, var: VarId) -> bool {
        self.taken.contains(&var)
    }

    /// Whether other threads may see an access to this lvalue.
    #[must_use]
    pub fn may_be_shared(&self, ast: &Ast, lvalue: ExprId) -> bool {
        match root(ast, lvalue) {
            Root::Constant => false,
            Root::Memory => true,
            Root::Var(id) => self.var_may_be_shared(ast, id),
        }
    }

    /// Whether other threads may see an access to this variable.
    #[must_use]
    pub fn var_may_be_shared(&self, ast: &Ast, id: VarId) -> bool {
        let var = &ast.vars[id];
        match var.storage {
            Storage::Automatic | Storage::Register | Storage::Parameter => self.is_taken(id),
            Storage::Static if self.private.contains(&id) => self.is_taken(id),
            Storage::External | Storage::Static => {
                !is_constant(ast, var.ty) && (!var.thread_local || self.is_taken(id))
            }
        }
    }
}

/// Whether an object of the type never changes.
fn is_constant(ast: &Ast, ty: QualType) -> bool {
    let mut ty = ast.types.canonical(ty);
    while let Type::Array { element, .. } = ast.types.kind(ty.id) {
        ty = ast.types.canonical(element.with(ty.qualifiers));
    }
    ty.qualifiers.contains(Qualifiers::CONST) && !ty.qualifiers.contains(Qualifiers::VOLATILE)
}

/// Whether accesses to the lvalue are atomic.
#[must_use]
pub fn is_atomic(ast: &Ast, lvalue: ExprId) -> bool {
    ast.types.qualifiers(ast.exprs[lvalue].ty).contains(Qualifiers::ATOMIC)
}
