//! Which objects have a copy for each round.
//!
//! An object needs copies when two threads touch it after the first was started, one of them writes, and somebody reads it.
//! Objects that one pointer may lead to are treated alike, so that it is known for each access through a pointer whether it goes
//! to the copy of the round: either all of them have copies, at equal distances, or none has.
//!
//! Before `main` starts the first thread it is alone and in the first round, so what it does until then counts for nothing here.

use raddle_cfront::primitive::Primitive;
use std::collections::{BTreeSet, VecDeque};

use indexmap::IndexMap;
use raddle_base::Span;
use raddle_cfront::ast::{ExprId, FunctionId, StmtId, StmtKind, Storage, VarId};
use raddle_cfront::layout::size_of;
use raddle_cfront::types::QualType;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::accesses::{Doing, LvalueAccess, Way, doings};
use super::points::{Object, Points, Target};
use super::within::{Check, check};
use crate::calls::{CallGraph, statement_call};
use crate::pass::Refusal;
use crate::program::Program;
use crate::visit::stmts_in;

/// A part of an object that some access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) target: Target,
    pub(super) size: u64,
    pub(super) ty: QualType,
}

/// Who does what with an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Use {
    threads: BTreeSet<usize>,
    /// What is read after the first thread was started.
    pub(super) reads: Vec<Touch>,
    /// What is written after that.
    pub(super) writes: Vec<Touch>,
    /// What `main` writes before.
    pub(super) first_writes: Vec<Touch>,
}

/// The objects with copies, and how accesses come to them.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// Each object with copies, and the distance of these in bytes.
    pub(super) strides: IndexMap<VarId, u64, FxBuildHasher>,
    pub(super) uses: IndexMap<Object, Use, FxBuildHasher>,
    /// What becomes of accesses, by the name or pointer they start from. What is found in an expression comes before what is
    /// found in its parts.
    pub(super) changes: IndexMap<ExprId, Change, FxBuildHasher>,
    /// Uses of names that are accesses.
    pub(super) names: FxHashSet<ExprId>,
}

/// What becomes of an access.
#[derive(Clone, Debug, Default)]
pub(super) struct Change {
    /// The access goes through a pointer to the copy of the round, and copies have this distance.
    pub(super) stride: Option<u64>,
    /// It must stay in one copy.
    pub(super) check: Option<Check>,
}

/// Functions without bodies that may be shown pointers to memory with copies: they only print, or say something.
fn is_harmless(program: &Program, function: FunctionId) -> bool {
    // What is said to be unwritten: of objects with copies that is not followed.
    program.primitive(function) == Some(Primitive::Unwritten)
        || matches!(program.function_text(function), "printf" | "fprintf" | "puts")
}

/// Looks at all that threads do; `own` are variables that need no copies, unless pointers lead to them.
pub(super) fn find(
    program: &Program,
    points: &Points,
    threads: &[FunctionId],
    starts: FunctionId,
    own: &[VarId],
) -> Result<Copies, Refusal> {
    let mut finder = Finder {
        program,
        points,
        done: FxHashMap::default(),
        taken: CallGraph::of(program).taken,
        uses: IndexMap::default(),
        first: Vec::new(),
        later: Vec::new(),
        seen: FxHashSet::default(),
        names: FxHashSet::default(),
        outside: Vec::new(),
    };
    for (number, &function) in threads.iter().enumerate() {
        let first = if number == 0 { alone(program, function, starts) } else { FxHashSet::default() };
        finder.thread(number, function, &first);
    }
    finder.finish(own)
}

/// The statements of `main` that are over before a thread is started.
fn alone(program: &Program, main: FunctionId, starts: FunctionId) -> FxHashSet<StmtId> {
    let Some(body) = program.body(main) else { return FxHashSet::default() };
    let all = stmts_in(program.ast(), body);
    let begins = |&stmt: &StmtId| {
        statement_call(program, stmt)
            .and_then(|call| call.function)
            .is_some_and(|function| function == starts)
    };
    let Some(first) = all.iter().position(begins) else { return all.into_iter().collect() };
    // A jump back would make the order of the text say nothing.
    let labels: Vec<_> = all[..first]
        .iter()
        .filter_map(|&stmt| match program.ast().stmts[stmt].kind {
            StmtKind::Label(label, _) => Some(label),
            _ => None,
        })
        .collect();
    let back = all[first..].iter().any(
        |&stmt| matches!(program.ast().stmts[stmt].kind, StmtKind::Goto(label) if labels.contains(&label)),
    );
    if back { FxHashSet::default() } else { all[..first].iter().copied().collect() }
}

struct Finder<'p> {
    program: &'p Program,
    points: &'p Points,
    done: FxHashMap<FunctionId, Vec<Doing>>,
    taken: Vec<FunctionId>,
    uses: IndexMap<Object, Use, FxBuildHasher>,
    /// Accesses before the first thread is started.
    first: Vec<LvalueAccess>,
    /// Accesses after that.
    later: Vec<LvalueAccess>,
    seen: FxHashSet<FunctionId>,
    names: FxHashSet<ExprId>,
    outside: Vec<(FunctionId, Span, super::points::Targets)>,
}

impl Finder<'_> {
    fn doings(&mut self, function: FunctionId) -> Vec<Doing> {
        if let Some(known) = self.done.get(&function) {
            return known.clone();
        }
        let found = doings(self.program, self.points, function);
        self.done.insert(function, found.clone());
        found
    }

    fn thread(&mut self, number: usize, function: FunctionId, first: &FxHashSet<StmtId>) {
        let own = self.doings(function);
        let (before, after): (Vec<Doing>, Vec<Doing>) =
            own.into_iter().partition(|doing| first.contains(&doing.stmt));
        for doing in self.all(before) {
            for access in &doing.accesses {
                self.name(access);
                if access.writes {
                    for (object, touch) in touches(access) {
                        self.uses.entry(object).or_default().first_writes.push(touch);
                    }
                }
                self.first.push(access.clone());
            }
        }
        for doing in self.all(after) {
            for access in &doing.accesses {
                self.name(access);
                for (object, touch) in touches(access) {
                    let found = self.uses.entry(object).or_default();
                    found.threads.insert(number);
                    if access.reads && !found.reads.contains(&touch) {
                        found.reads.push(touch);
                    }
                    if access.writes && !found.writes.contains(&touch) {
                        found.writes.push(touch);
                    }
                }
                self.later.push(access.clone());
            }
            self.outside.extend(doing.outside);
        }
    }

    fn name(&mut self, access: &LvalueAccess) {
        if let Way::Name(expr, _) = access.way {
            self.names.insert(expr);
        }
    }

    /// What statements do, and the functions that they call, and those that these call.
    fn all(&mut self, own: Vec<Doing>) -> Vec<Doing> {
        let mut found = Vec::new();
        let mut open: VecDeque<Doing> = own.into();
        let mut entered: FxHashSet<FunctionId> = FxHashSet::default();
        while let Some(doing) = open.pop_front() {
            let mut called = doing.calls.clone();
            if doing.unnamed_call {
                called.extend(&self.taken);
            }
            for function in called {
                if entered.insert(function) {
                    self.seen.insert(function);
                    open.extend(self.doings(function));
                }
            }
            found.push(doing);
        }
        found
    }

    fn finish(self, own: &[VarId]) -> Result<Copies, Refusal> {
        let mut classes = Classes::default();
        for access in &self.later {
            if let Way::Pointer(_) = access.way {
                let objects: Vec<Object> = touches(access).into_iter().map(|(object, _)| object).collect();
                objects.windows(2).for_each(|pair| classes.join(pair[0], pair[1]));
                classes.pointed.extend(objects);
            }
        }
        let needed = self.uses.iter().filter(|(object, found)| {
            let counts = match **object {
                Object::Var(var) => {
                    lasts(self.program, var) && (!own.contains(&var) || classes.pointed.contains(*object))
                }
                Object::Heap(_) | Object::Outside(_) => true,
                Object::Function(_) | Object::Text | Object::Number | Object::Unknown => false,
            };
            counts && found.threads.len() > 1 && !found.writes.is_empty() && !found.reads.is_empty()
        });
        let copied: FxHashSet<Object> = needed.map(|(&object, _)| classes.of(object)).collect();
        let mut strides: FxHashMap<Object, u64> = FxHashMap::default();
        let mut members: Vec<(VarId, Object)> = Vec::new();
        for &object in self.uses.keys() {
            let class = classes.of(object);
            // What has no name is refused where it is accessed.
            let Object::Var(var) = object else { continue };
            if !copied.contains(&class) {
                continue;
            }
            let size = self.copyable(var)?;
            members.push((var, class));
            let stride = strides.entry(class).or_insert(1);
            *stride = least_common_multiple(*stride, size)
                .filter(|&stride| stride <= MOST_BYTES)
                .ok_or_else(|| {
                    let text = self.program.var_text(var);
                    let message = format!(
                        "`{text}` and other objects that one pointer may lead to differ in their sizes"
                    );
                    Refusal::new(self.program.ast().vars[var].span, message)
                })?;
        }
        let mut copies = Copies { uses: self.uses.clone(), names: self.names.clone(), ..Copies::default() };
        for (var, class) in members {
            copies.strides.insert(var, strides[&class]);
        }
        for (access, is_later) in self
            .first
            .iter()
            .map(|access| (access, false))
            .chain(self.later.iter().map(|access| (access, true)))
        {
            let (from, stride) = match access.way {
                Way::Pointer(pointer) if is_later => {
                    (pointer, self.stride(access, &copies, &copied, &classes)?)
                }
                Way::Pointer(from) | Way::Name(from, _) => (from, None),
                Way::Declaration(_) => continue,
            };
            let check = check(self.program, access, &copies.strides);
            if stride.is_some() || check.is_some() {
                let change = copies.changes.entry(from).or_default();
                change.stride = change.stride.or(stride);
                change.check = change.check.take().or(check);
            }
        }
        self.check_outside(&copies)?;
        Ok(copies)
    }

    /// The size of an object that shall have copies.
    fn copyable(&self, var: VarId) -> Result<u64, Refusal> {
        let ast = self.program.ast();
        let variable = &ast.vars[var];
        let text = self.program.var_text(var);
        let known_elsewhere = variable.storage == Storage::External && !variable.defined;
        if known_elsewhere {
            let message = format!("`{text}` is not defined here, and threads share it");
            return Err(Refusal::new(variable.span, message));
        }
        if variable.storage == Storage::Parameter {
            let message =
                format!("a pointer may lead to the parameter `{text}` and to memory that threads share");
            return Err(Refusal::new(variable.span, message).help("copy it into a variable"));
        }
        match size_of(ast, variable.ty) {
            Ok(size) if size > 0 => Ok(size),
            Ok(_) | Err(_) => Err(Refusal::new(
                variable.span,
                format!("`{text}` has no size that is known, and threads share it"),
            )),
        }
    }

    /// The distance of the copies that an access through a pointer goes to.
    fn stride(
        &self,
        access: &LvalueAccess,
        copies: &Copies,
        copied: &FxHashSet<Object>,
        classes: &Classes,
    ) -> Result<Option<u64>, Refusal> {
        let mut stride = None;
        for (object, _) in touches(access) {
            match object {
                Object::Var(var) => stride = stride.or(copies.strides.get(&var).copied()),
                Object::Heap(_) if copied.contains(&classes.of(object)) => {
                    let message = "this pointer may lead to memory from the heap that threads share and that is allocated in \
                                   a loop, in a function that is not inlined, or in a size that is not constant";
                    return Err(Refusal::new(access.span, message));
                }
                Object::Outside(var) if copied.contains(&classes.of(object)) => {
                    let text = self.program.var_text(var);
                    let message =
                        format!("threads share what `{text}` of the library leads to, and change it");
                    return Err(Refusal::new(access.span, message));
                }
                Object::Heap(_)
                | Object::Outside(_)
                | Object::Function(_)
                | Object::Text
                | Object::Number
                | Object::Unknown => {}
            }
        }
        let has = |object| access.targets.contains(object);
        if has(Object::Unknown) && !copies.strides.is_empty() {
            return Err(Refusal::new(access.span, "it is not known what this pointer leads to"));
        }
        if stride.is_some() && has(Object::Text) {
            let message = "this pointer may lead to memory that threads share and to a constant";
            return Err(Refusal::new(access.span, message));
        }
        Ok(stride)
    }

    fn check_outside(&self, copies: &Copies) -> Result<(), Refusal> {
        for (function, span, targets) in &self.outside {
            let shared = targets.iter().any(|target| match target.object {
                Object::Var(var) => copies.strides.contains_key(&var),
                Object::Function(_)
                | Object::Text
                | Object::Number
                | Object::Heap(_)
                | Object::Outside(_)
                | Object::Unknown => false,
            });
            let name = self.program.function_text(*function);
            if shared && !is_harmless(self.program, *function) {
                let message = format!("`{name}`, which has no body, is passed a pointer to shared memory");
                return Err(Refusal::new(*span, message));
            }
        }
        Ok(())
    }
}

/// Copies are at most so far from each other.
const MOST_BYTES: u64 = 1 << 20;

fn least_common_multiple(left: u64, right: u64) -> Option<u64> {
    let (mut a, mut b) = (left, right);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (left / a).checked_mul(right)
}

/// Whether a variable is there as long as the program.
fn lasts(program: &Program, var: VarId) -> bool {
    matches!(program.ast().vars[var].storage, Storage::External | Storage::Static)
}

fn touches(access: &LvalueAccess) -> Vec<(Object, Touch)> {
    let mut found = Vec::new();
    for target in access.targets.iter() {
        if target.object.is_memory() {
            found.push((target.object, Touch { target, size: access.size, ty: access.ty }));
        }
    }
    found
}

/// Objects that are treated alike.
#[derive(Debug, Default)]
struct Classes {
    next: FxHashMap<Object, Object>,
    /// The objects that some pointer may lead to.
    pointed: FxHashSet<Object>,
}

impl Classes {
    fn of(&self, mut object: Object) -> Object {
        while let Some(&next) = self.next.get(&object) {
            object = next;
        }
        object
    }

    fn join(&mut self, left: Object, right: Object) {
        let (left, right) = (self.of(left), self.of(right));
        if left != right {
            self.next.insert(right, left);
        }
    }
}
