//! Where C leaves open which operand is evaluated first (C11 6.5p2-3, 6.5.2.2p10), and that may be seen.
//!
//! Lowering takes operands and arguments from left to right; compilers need not. A proof rests on that where one operand has an
//! effect and another one may see it. What is reported here is rather too much than too little: a call is taken to change all that
//! has an address.

#![expect(clippy::wildcard_enum_match_arm, reason = "a few kinds of expressions matter to each question")]

use raddle_base::Span;
use raddle_cfront::ast::{Ast, BinaryOp, CastKind, ExprId, ExprKind, Init, Storage, UnaryOp, VarId};
use raddle_cfront::check::builtin::Builtin;
use raddle_cfront::primitive::Primitive;
use raddle_cfront::types::Qualifiers;
use rustc_hash::FxHashSet;

/// What an evaluation does.
#[derive(Default)]
struct Effects {
    /// It changes what others may see, or calls a function.
    acts: bool,
    /// It reads what others may change.
    looks: bool,
    /// Variables without an address that it reads and writes.
    read: Vec<VarId>,
    written: Vec<VarId>,
}

impl Effects {
    fn add(&mut self, mut other: Self) {
        self.acts |= other.acts;
        self.looks |= other.looks;
        self.read.append(&mut other.read);
        self.written.append(&mut other.written);
    }

    /// Whether the other can observe whether this was done before it.
    fn is_seen_by(&self, other: &Self) -> bool {
        let touches = |var: &VarId| other.read.contains(var) || other.written.contains(var);
        self.acts && (other.acts || other.looks) || self.written.iter().any(touches)
    }
}

struct OrderWalk<'a> {
    ast: &'a Ast,
    /// Variables whose addresses are taken.
    addressed: FxHashSet<VarId>,
}

/// The first expression of the text that `counts` whose value may depend on which operand is evaluated first.
#[must_use]
pub fn first_open_order(ast: &Ast, counts: impl Fn(Span) -> bool) -> Option<Span> {
    let mut addressed = FxHashSet::default();
    for expr in ast.exprs.values() {
        if let ExprKind::Unary(UnaryOp::AddressOf, operand)
        | ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } = expr.kind
        {
            addressed.extend(root(ast, operand));
        }
    }
    let walk = OrderWalk { ast, addressed };
    let open = ast.exprs.iter().filter(|(id, expr)| counts(expr.span) && walk.is_open(*id));
    let lists = ast
        .vars
        .values()
        .filter(|var| counts(var.span) && var.init.as_ref().is_some_and(|init| walk.is_open_list(init)));
    let spans = open.map(|(_, expr)| expr.span).chain(lists.map(|var| var.span));
    spans.min_by_key(|span| span.lo)
}

/// The variable that an lvalue is, or is a part of.
fn root(ast: &Ast, place: ExprId) -> Option<VarId> {
    match ast.exprs[place].kind {
        ExprKind::Var(var) => Some(var),
        ExprKind::Member { base, arrow: false, .. } => root(ast, base),
        _ => None,
    }
}

/// Whether one of the evaluations can observe whether another was done before it.
fn is_any_seen(operands: &[Effects]) -> bool {
    (0..operands.len()).any(|a| (0..operands.len()).any(|b| a != b && operands[a].is_seen_by(&operands[b])))
}

fn list_values(init: &Init, values: &mut Vec<ExprId>) {
    match init {
        Init::Expr(expr) => values.push(*expr),
        Init::Aggregate(parts) => parts.iter().for_each(|part| list_values(&part.value, values)),
    }
}

impl OrderWalk<'_> {
    fn is_open(&self, expr: ExprId) -> bool {
        let operands: Vec<Effects> = match &self.ast.exprs[expr].kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => return false,
            ExprKind::Binary(_, left, right) | ExprKind::Index { base: left, index: right } => {
                vec![self.deeds(*left), self.deeds(*right)]
            }
            // The value is stored last. Where it goes is an operand.
            ExprKind::Assign(target, value) => {
                let value = self.deeds(*value);
                // `i = i++`: which of the two stores is the last?
                if self.own(*target).is_some_and(|var| value.written.contains(&var)) {
                    return true;
                }
                vec![self.place(*target), value]
            }
            ExprKind::CompoundLiteral { init, .. } => return self.is_open_list(init),
            ExprKind::CompoundAssign { target, value, .. } => {
                let mut left = self.place(*target);
                left.add(self.load(*target));
                vec![left, self.deeds(*value)]
            }
            ExprKind::Call { callee, arguments } => {
                arguments.iter().chain([callee]).map(|&operand| self.deeds(operand)).collect()
            }
            _ => return false,
        };
        is_any_seen(&operands)
    }

    /// The same for the values of a list (C11 6.7.9p23).
    fn is_open_list(&self, init: &Init) -> bool {
        let mut values = Vec::new();
        list_values(init, &mut values);
        let operands: Vec<Effects> = values.into_iter().map(|value| self.deeds(value)).collect();
        is_any_seen(&operands)
    }

    /// What evaluating an expression for its value does.
    fn deeds(&self, expr: ExprId) -> Effects {
        let all = |operands: &[ExprId]| {
            let mut deeds = Effects::default();
            operands.iter().for_each(|&operand| deeds.add(self.deeds(operand)));
            deeds
        };
        match &self.ast.exprs[expr].kind {
            ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                let mut deeds = self.place(*operand);
                deeds.add(self.load(*operand));
                deeds
            }
            ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. }
            | ExprKind::Unary(UnaryOp::AddressOf, operand) => self.place(*operand),
            ExprKind::Unary(
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement,
                target,
            ) => {
                let mut deeds = self.place(*target);
                deeds.add(self.load(*target));
                deeds.add(self.store(*target));
                deeds
            }
            ExprKind::Assign(target, value) | ExprKind::CompoundAssign { target, value, .. } => {
                let mut deeds = self.place(*target);
                deeds.add(self.deeds(*value));
                deeds.add(self.store(*target));
                deeds
            }
            ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => self.deeds(*operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::Index { base: left, index: right } => all(&[*left, *right]),
            ExprKind::Conditional { condition, then, otherwise } => {
                let mut deeds = all(&[*condition, *otherwise]);
                then.iter().for_each(|&then| deeds.add(self.deeds(then)));
                deeds
            }
            ExprKind::Member { base, arrow, .. } if *arrow => self.deeds(*base),
            ExprKind::Member { base, .. } => self.place(*base),
            ExprKind::Call { callee, arguments } => {
                let mut deeds = all(arguments);
                deeds.add(self.deeds(*callee));
                deeds.acts |= !self.is_input(*callee);
                deeds
            }
            ExprKind::Builtin { builtin, arguments } => {
                let mut deeds = all(arguments);
                let computes = matches!(
                    builtin,
                    Builtin::FloatTest(_)
                        | Builtin::FloatCompare(_)
                        | Builtin::FloatClassify
                        | Builtin::OverflowPredicate(_)
                        | Builtin::SpeculationSafeValue
                );
                deeds.acts |= !computes;
                deeds.looks |= !computes;
                deeds
            }
            ExprKind::CompoundLiteral { init, .. } => {
                let mut values = Vec::new();
                list_values(init, &mut values);
                all(&values)
            }
            ExprKind::Statement(_) | ExprKind::VaArg(_) => {
                Effects { acts: true, looks: true, ..Effects::default() }
            }
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::FunctionName(..)
            | ExprKind::TypeQuery(..)
            | ExprKind::ExprQuery(..)
            | ExprKind::Offsetof { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => Effects::default(),
        }
    }

    /// What finding out which object an lvalue is does.
    fn place(&self, place: ExprId) -> Effects {
        match &self.ast.exprs[place].kind {
            ExprKind::Unary(UnaryOp::Deref, pointer) => self.deeds(*pointer),
            ExprKind::Member { base, arrow, .. } if *arrow => self.deeds(*base),
            ExprKind::Member { base, .. } => self.place(*base),
            ExprKind::Index { .. } => self.deeds(place),
            _ => Effects::default(),
        }
    }

    fn load(&self, place: ExprId) -> Effects {
        if self.is_sensitive(place) {
            return Effects { acts: true, looks: true, ..Effects::default() };
        }
        match self.own(place) {
            Some(var) => Effects { read: vec![var], ..Effects::default() },
            None => Effects { looks: !self.is_constant(place), ..Effects::default() },
        }
    }

    fn store(&self, place: ExprId) -> Effects {
        match self.own(place) {
            Some(var) if !self.is_sensitive(place) => Effects { written: vec![var], ..Effects::default() },
            _ => Effects { acts: true, ..Effects::default() },
        }
    }

    /// The variable of one activation without an address that an lvalue is, or is a part of.
    fn own(&self, place: ExprId) -> Option<VarId> {
        let var = root(self.ast, place)?;
        let local = match self.ast.vars[var].storage {
            Storage::Automatic | Storage::Register | Storage::Parameter => true,
            Storage::External | Storage::Static => false,
        };
        (local && !self.addressed.contains(&var)).then_some(var)
    }

    /// Whether each access counts: others take part in its meaning.
    fn is_sensitive(&self, place: ExprId) -> bool {
        let qualifiers = self.ast.types.canonical(self.ast.exprs[place].ty).qualifiers;
        qualifiers.contains(Qualifiers::VOLATILE) || qualifiers.contains(Qualifiers::ATOMIC)
    }

    fn is_constant(&self, place: ExprId) -> bool {
        self.ast.types.canonical(self.ast.exprs[place].ty).qualifiers.contains(Qualifiers::CONST)
    }

    /// Whether a call asks for an input, which no other call can observe.
    fn is_input(&self, callee: ExprId) -> bool {
        match self.ast.exprs[callee].kind {
            ExprKind::Cast { operand, .. } => self.is_input(operand),
            ExprKind::Function(function) => self.ast.primitive(function) == Some(Primitive::Nondet),
            _ => false,
        }
    }
}
