//! Interference: which global variables other threads may change or read while a thread uses them.
//!
//! A variable is free of interference if one thread uses it alone once there are several, if no thread changes it then, or if it is
//! only used under one and the same mutex. Accesses to such a variable need no switch points: they are independent of all steps of
//! other threads, and move next to the step before them (movers: Lipton, "Reduction: A Method of Proving Properties of Parallel
//! Programs", 1975). So does the release of a mutex that other threads only ever wait for.
//!
//! Under-approximates: a variable that is called quiet is quiet in all interleavings. A variable whose address gets into
//! memory is never quiet, and a mutex whose address does, or that is written to otherwise than by the functions that are made for
//! it, guards nothing.

use raddle_cfront::ast::{CastKind, ExprId, ExprKind, FunctionId, StmtId, StmtKind, UnaryOp, VarId};
use raddle_cfront::check::builtin::Builtin;
use raddle_cfront::layout::{DataModel, size_of};
use raddle_cfront::primitive::Primitive;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls::{CallGraph, direct, statement_call};
use crate::escape::{Sharing, is_local};
use crate::program::Program;
use crate::visit::{Node, parts, stmts_in, walk};

/// What a call does to a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MutexUse {
    /// The caller has it afterwards.
    Lock,
    /// The caller has it no more.
    Unlock,
    /// It is looked at, or perhaps taken.
    Look,
}

fn mutex_use(name: &str) -> Option<MutexUse> {
    Some(match name {
        "__model_pthread_mutex_lock" | "__model_mtx_lock" => MutexUse::Lock,
        "__model_pthread_mutex_unlock" | "__model_mtx_unlock" => MutexUse::Unlock,
        "__model_pthread_mutex_trylock"
        | "__model_pthread_mutex_timedlock"
        | "__model_pthread_mutex_clocklock"
        | "__model_pthread_mutex_destroy"
        | "__model_mtx_trylock"
        | "__model_mtx_timedlock"
        | "__model_mtx_destroy" => MutexUse::Look,
        _ => return None,
    })
}

/// What a statement does to which mutex; no mutex if that is not known.
pub(crate) fn mutex_call(
    program: &Program,
    sharing: &Sharing,
    stmt: StmtId,
) -> Option<(MutexUse, Option<VarId>)> {
    let call = statement_call(program, stmt)?;
    let used = mutex_use(program.function_text(call.function?))?;
    let targets = call.arguments.first().and_then(|&argument| sharing.pointees(program, argument));
    let mutex = match targets.as_deref() {
        Some([only]) if is_one_mutex(program, *only) => Some(*only),
        _ => None,
    };
    Some((used, mutex))
}

/// Whether a variable is one mutex and nothing else.
fn is_one_mutex(program: &Program, var: VarId) -> bool {
    let size = match program.ast().model {
        DataModel::Lp64 => 40,
        DataModel::Ilp32 => 24,
    };
    !is_local(program, var)
        && size_of(program.ast(), program.ast().vars[var].ty).is_ok_and(|found| found == size)
}

/// A set of mutexes; more than fit are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held(u64);

impl Held {
    /// No mutex.
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// The mutexes of a program by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Mutexes {
    vars: Vec<VarId>,
}

impl Mutexes {
    fn of(program: &Program, sharing: &Sharing) -> Self {
        let mut vars: Vec<VarId> = Vec::new();
        for (_, function) in program.definitions() {
            let Some(body) = program.body(function) else { continue };
            for stmt in stmts_in(program.ast(), body) {
                if let Some((_, Some(mutex))) = mutex_call(program, sharing, stmt)
                    && !vars.contains(&mutex)
                    && vars.len() < 64
                {
                    vars.push(mutex);
                }
            }
        }
        Self { vars }
    }

    fn bit(&self, var: VarId) -> Held {
        Held(self.vars.iter().position(|&known| known == var).map_or(0, |place| 1 << place))
    }

    /// Whether a mutex is among those that are held.
    pub(crate) fn holds(&self, held: Held, var: VarId) -> bool {
        self.bit(var).0 & held.0 != 0
    }

    /// What is held behind a statement, if `held` is before it.
    pub(crate) fn behind(&self, program: &Program, sharing: &Sharing, stmt: StmtId, held: Held) -> Held {
        match mutex_call(program, sharing, stmt) {
            Some((MutexUse::Lock, Some(mutex))) => Held(held.0 | self.bit(mutex).0),
            Some((MutexUse::Unlock, Some(mutex))) => Held(held.0 & !self.bit(mutex).0),
            Some((MutexUse::Unlock, None)) => Held::NONE,
            Some((MutexUse::Lock | MutexUse::Look, _)) => held,
            None if may_unlock(program, stmt, &mut FxHashSet::default()) => Held::NONE,
            None => held,
        }
    }
}

/// Whether something is unlocked in a call that a statement makes.
fn may_unlock(program: &Program, stmt: StmtId, seen: &mut FxHashSet<FunctionId>) -> bool {
    let mut found = false;
    for part in parts(program.ast(), Node::Stmt(stmt)) {
        let Node::Expr(expr) = part else { continue };
        walk(program.ast(), Node::Expr(expr), &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Call { callee, .. } = program.ast().exprs[expr].kind
            {
                found |= match direct(program, callee).map(|function| program.definition_of(function)) {
                    Some(function) => function_unlocks(program, function, seen),
                    None => true,
                };
            }
            !found
        });
    }
    found
}

fn function_unlocks(program: &Program, function: FunctionId, seen: &mut FxHashSet<FunctionId>) -> bool {
    if program.primitive(function) == Some(Primitive::Unlock) {
        return true;
    }
    if !seen.insert(function) {
        return false;
    }
    let Some(body) = program.body(function) else { return false };
    stmts_in(program.ast(), body).into_iter().any(|stmt| may_unlock(program, stmt, seen))
}

/// What is accessed.
#[derive(Clone, Debug, Default)]
struct Accesses {
    reads: FxHashSet<VarId>,
    writes: FxHashSet<VarId>,
}

/// A statement that a thread makes while others may be there, and the mutexes that it holds then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    /// The statement.
    pub(crate) stmt: StmtId,
    /// What is held there.
    pub(crate) held: Held,
}

/// What is known of the variables and mutexes of a program.
#[derive(Debug, Default)]
pub(crate) struct Interference {
    /// Variables that nobody meddles with.
    pub(crate) quiet: FxHashSet<VarId>,
    /// Mutexes that others only wait for.
    unobserved: FxHashSet<VarId>,
    pub(crate) mutexes: Mutexes,
}

impl Interference {
    /// Nothing but the mutexes.
    pub(crate) fn mutexes_of(program: &Program, sharing: &Sharing) -> Self {
        Self { mutexes: Mutexes::of(program, sharing), ..Self::default() }
    }

    /// Whether a statement releases a mutex that the thread has and others only wait for.
    pub(crate) fn is_plain_unlock(
        &self,
        program: &Program,
        sharing: &Sharing,
        stmt: StmtId,
        held: Held,
    ) -> bool {
        match mutex_call(program, sharing, stmt) {
            Some((MutexUse::Unlock, Some(mutex))) => {
                self.unobserved.contains(&mutex) && self.mutexes.holds(held, mutex)
            }
            _ => false,
        }
    }

    /// Judges by all statements of each thread.
    pub(crate) fn judge(mut self, program: &Program, sharing: &Sharing, threads: &[Vec<Visit>]) -> Self {
        let mut collector = Collector {
            program,
            sharing,
            functions: FxHashMap::default(),
            open: Vec::new(),
            lost: false,
            taken: CallGraph::of(program).taken,
        };
        let mut readers: FxHashMap<VarId, FxHashSet<usize>> = FxHashMap::default();
        let mut writers: FxHashMap<VarId, FxHashSet<usize>> = FxHashMap::default();
        let mut guards: FxHashMap<VarId, Held> = FxHashMap::default();
        let mut observed: FxHashSet<VarId> = FxHashSet::default();
        let mut order: Vec<VarId> = Vec::new();
        for (thread, visits) in threads.iter().enumerate() {
            for visit in visits {
                if let Some((used, mutex)) = mutex_call(program, sharing, visit.stmt) {
                    let looked = collector.looked_at(visit.stmt, mutex);
                    if used == MutexUse::Look || mutex.is_none() {
                        observed.extend(looked);
                    }
                    continue;
                }
                let accesses = collector.stmt(visit.stmt);
                for (vars, users) in [(&accesses.reads, &mut readers), (&accesses.writes, &mut writers)] {
                    let mut vars: Vec<VarId> = vars.iter().copied().collect();
                    vars.sort_unstable();
                    for var in vars {
                        users.entry(var).or_default().insert(thread);
                        order.push(var);
                        let guard = guards.entry(var).or_insert(visit.held);
                        *guard = guard.and(visit.held);
                    }
                }
            }
        }
        if collector.lost {
            return self;
        }
        let none = FxHashSet::default();
        let is_clean = |mutex: &VarId| !sharing.escapes(*mutex) && !writers.contains_key(mutex);
        let clean: Vec<VarId> = self.mutexes.vars.iter().copied().filter(is_clean).collect();
        for var in order {
            if sharing.escapes(var) || is_local(program, var) {
                continue;
            }
            let (read, written) = (readers.get(&var).unwrap_or(&none), writers.get(&var).unwrap_or(&none));
            let users: FxHashSet<usize> = read.union(written).copied().collect();
            let guard = guards.get(&var).copied().unwrap_or(Held::NONE);
            let guarded = clean.iter().any(|&mutex| self.mutexes.holds(guard, mutex));
            if written.is_empty() || users.len() == 1 || guarded {
                self.quiet.insert(var);
            }
        }
        for mutex in clean {
            if !observed.contains(&mutex) && !readers.contains_key(&mutex) {
                self.unobserved.insert(mutex);
            }
        }
        self
    }
}

struct Collector<'a> {
    program: &'a Program,
    sharing: &'a Sharing,
    functions: FxHashMap<FunctionId, Accesses>,
    /// The functions that are looked at.
    open: Vec<FunctionId>,
    /// Recursion was met: nothing is known.
    lost: bool,
    /// The functions that a pointer may be.
    taken: Vec<FunctionId>,
}

impl Collector<'_> {
    /// The mutexes that a call may look at.
    fn looked_at(&self, stmt: StmtId, mutex: Option<VarId>) -> Vec<VarId> {
        let argument = statement_call(self.program, stmt).and_then(|call| call.arguments.first().copied());
        let all = argument.and_then(|argument| self.sharing.pointees(self.program, argument));
        mutex.map_or_else(|| all.unwrap_or_default(), |mutex| vec![mutex])
    }

    /// What a statement by itself accesses, with what it calls. Memory that is not known by a variable's name is left out: a
    /// variable that may be in it has escaped.
    fn stmt(&mut self, stmt: StmtId) -> Accesses {
        let mut accesses = Accesses::default();
        for part in parts(self.program.ast(), Node::Stmt(stmt)) {
            if let Node::Expr(expr) = part {
                self.expr(expr, &mut accesses);
            }
        }
        if let StmtKind::Asm(asm) = &self.program.ast().stmts[stmt].kind {
            for operand in asm.outputs.iter().chain(&asm.inputs) {
                self.place(operand.value, &mut accesses.writes);
            }
        }
        accesses
    }

    fn expr(&mut self, expr: ExprId, accesses: &mut Accesses) {
        let program = self.program;
        let mut nodes = Vec::new();
        walk(program.ast(), Node::Expr(expr), &mut |node| {
            if let Node::Expr(expr) = node {
                nodes.push(expr);
            }
            true
        });
        for expr in nodes {
            match &program.ast().exprs[expr].kind {
                ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                    self.place(*operand, &mut accesses.reads)
                }
                ExprKind::Assign(target, _) => self.place(*target, &mut accesses.writes),
                ExprKind::CompoundAssign { target, .. }
                | ExprKind::Unary(
                    UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement,
                    target,
                ) => {
                    self.place(*target, &mut accesses.reads);
                    self.place(*target, &mut accesses.writes);
                }
                ExprKind::Builtin { builtin, arguments } => {
                    let reads_only = *builtin == Builtin::AtomicLoadN;
                    self.arguments(arguments, !reads_only, accesses);
                }
                ExprKind::Call { callee, arguments } => self.call(*callee, arguments, accesses),
                _ => {}
            }
        }
    }

    fn place(&self, lvalue: ExprId, into: &mut FxHashSet<VarId>) {
        into.extend(self.sharing.place(self.program, lvalue).into_iter().flatten());
    }

    /// What is looked at through pointers that are handed over.
    fn arguments(&self, arguments: &[ExprId], writes: bool, accesses: &mut Accesses) {
        for &argument in arguments {
            let pointees = self.sharing.pointees(self.program, argument).unwrap_or_default();
            if writes {
                accesses.writes.extend(&pointees);
            }
            accesses.reads.extend(pointees);
        }
    }

    fn call(&mut self, callee: ExprId, arguments: &[ExprId], accesses: &mut Accesses) {
        let program = self.program;
        let Some(function) = direct(program, callee) else {
            self.arguments(arguments, true, accesses);
            for function in self.taken.clone() {
                let inner = self.function(function);
                accesses.reads.extend(inner.reads);
                accesses.writes.extend(inner.writes);
            }
            return;
        };
        let function = program.definition_of(function);
        let name = program.function_text(function);
        match program.primitive(function) {
            // These are handled by `mutex_call`, or look at what belongs to the caller, or at nothing.
            Some(Primitive::HoldsLock | Primitive::Fork) => {}
            _ if mutex_use(name).is_some() => {}
            _ if program.body(function).is_some() => {
                let inner = self.function(function);
                accesses.reads.extend(inner.reads);
                accesses.writes.extend(inner.writes);
            }
            _ => self.arguments(arguments, true, accesses),
        }
    }

    fn function(&mut self, function: FunctionId) -> Accesses {
        if let Some(known) = self.functions.get(&function) {
            return known.clone();
        }
        let mut all = Accesses::default();
        if self.open.contains(&function) {
            self.lost = true;
            return all;
        }
        let Some(body) = self.program.body(function) else { return all };
        self.open.push(function);
        for stmt in stmts_in(self.program.ast(), body) {
            let accesses = self.stmt(stmt);
            all.reads.extend(accesses.reads);
            all.writes.extend(accesses.writes);
        }
        self.open.pop();
        self.functions.insert(function, all.clone());
        all
    }
}
