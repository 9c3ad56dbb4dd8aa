//! Labels where other threads may come in between: before each visible statement of a thread function.
//!
//! The labels of a function are called `__at_0`, `__at_1` and so on, in the order of the text. The first stands at the head, the
//! last at the end. An atomic section has one label, at its beginning. Before an assumption, or another place where the
//! thread may end for good, stands a label when the thread has done something since the last one: it must be possible that it
//! ends after doing that, whatever the assumption says. While `main` is alone there is nobody to come in between: its first
//! part has no labels until a thread may have been started.
//!
//! Statements must be simple, as [`super::simplify`] makes them. Loops that hold visible statements must be unrolled before, and functions whose calls are several steps inlined.

use raddle_base::Span;
use raddle_cfront::ast::{FunctionId, Label, LabelId, StmtId, StmtKind};
use rustc_hash::FxHashMap;

use crate::escape::Sharing;
use crate::flow::never_returns;
use crate::pass::{Pass, Refusal, Values};
use crate::passes::threads::{site, thread_functions};
use crate::program::Program;
use crate::steps::{Action, Steps};
use crate::tidy::tidy;
use crate::visit::{each_stmt, stmts_in};

/// The pass.
pub static PASS: Pass = Pass {
    name: "labels",
    description: "labels at the statements of thread functions that other threads can see",
    parameters: &[],
    run,
};

const PREFIX: &str = "__at_";

fn run(program: &mut Program, _: &Values) -> Result<(), Refusal> {
    let threads = thread_functions(program)?;
    let sharing = Sharing::of(program);
    let steps = Steps::of(program, &sharing);
    let mut plans = Vec::new();
    for (place, &(function, _)) in threads.iter().enumerate() {
        plans.push((function, plan(program, &steps, function, place == 0)?));
    }
    for (function, visible) in plans {
        insert(program, function, &visible);
        tidy(program, function);
    }
    Ok(())
}

/// The number of a label that this pass made.
pub(crate) fn number(program: &Program, label: LabelId) -> Option<u32> {
    program.ast().text(program.ast().labels[label].name).strip_prefix(PREFIX)?.parse().ok()
}

/// How many labels a function has; the last has this number less one.
pub(crate) fn count(program: &Program, function: FunctionId) -> u32 {
    let Some(body) = program.body(function) else { return 0 };
    let labels = crate::visit::labels_in(program.ast(), body);
    labels.into_iter().filter_map(|label| number(program, label)).max().map_or(0, |last| last + 1)
}

/// What is known when control comes to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    /// How many atomic sections are open.
    depth: u32,
    /// Whether others may have noticed something since the last label.
    dirty: bool,
    /// Whether no other thread can be there yet.
    alone: bool,
}

/// Finds the statements that need a label.
struct Planner<'a, 'b> {
    program: &'a Program,
    steps: &'a Steps<'b>,
    visible: Vec<StmtId>,
    /// A statement with more than one access to shared memory.
    crowded: Option<StmtId>,
    /// What is known where jumps lead.
    jumps: FxHashMap<LabelId, State>,
}

fn plan(
    program: &Program,
    steps: &Steps<'_>,
    function: FunctionId,
    is_main: bool,
) -> Result<Vec<StmtId>, Refusal> {
    let Some(body) = program.body(function) else { return Ok(Vec::new()) };
    let mut planner =
        Planner { program, steps, visible: Vec::new(), crowded: None, jumps: FxHashMap::default() };
    let start = State { depth: 0, dirty: false, alone: is_main };
    planner.stmt(body, Some(start))?;
    if let Some(stmt) = planner.crowded {
        let message = "a statement makes several accesses to memory that other threads may reach";
        return Err(
            Refusal::new(program.ast().stmts[stmt].span, message).help("run the pass `simplify` before")
        );
    }
    Ok(planner.visible)
}

impl Planner<'_, '_> {
    fn span(&self, stmt: StmtId) -> Span {
        self.program.ast().stmts[stmt].span
    }

    /// What is known where two ways meet; `None` is no way.
    fn join(
        &self,
        left: Option<State>,
        right: Option<State>,
        place: StmtId,
    ) -> Result<Option<State>, Refusal> {
        match (left, right) {
            (None, other) | (other, None) => Ok(other),
            (Some(left), Some(right)) if left.depth == right.depth => Ok(Some(State {
                depth: left.depth,
                dirty: left.dirty || right.dirty,
                alone: left.alone && right.alone,
            })),
            (Some(_), Some(_)) => {
                let message = "an atomic section is open here on one way and closed on another";
                Err(Refusal::new(self.span(place), message))
            }
        }
    }

    /// Goes over a statement; gives what is known behind it, if control comes out there.
    fn stmt(&mut self, stmt: StmtId, state: Option<State>) -> Result<Option<State>, Refusal> {
        match self.program.ast().stmts[stmt].kind.clone() {
            StmtKind::Block(list) => {
                let mut state = state;
                for inner in list {
                    state = self.stmt(inner, state)?;
                }
                Ok(state)
            }
            StmtKind::Label(label, inner) => {
                let from = self.jumps.get(&label).copied();
                let state = self.join(state, from, stmt)?;
                self.stmt(inner, state)
            }
            StmtKind::Goto(label) => {
                let known = self.jumps.get(&label).copied();
                if let Some(joined) = self.join(known, state, stmt)? {
                    self.jumps.insert(label, joined);
                }
                Ok(None)
            }
            StmtKind::If { then, otherwise, .. } => {
                let state = self.own(stmt, state);
                let then = self.stmt(then, state)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.stmt(otherwise, state)?,
                    None => state,
                };
                self.join(then, otherwise, stmt)
            }
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                self.inner_loop(stmt, state)
            }
            StmtKind::Switch { .. } | StmtKind::Case { .. } | StmtKind::Default(_) => {
                Err(Refusal::new(self.span(stmt), "a switch is left here").help("run the pass `switches`"))
            }
            StmtKind::GotoComputed(_) => Err(Refusal::new(
                self.span(stmt),
                "a computed `goto` in a thread function cannot be followed",
            )),
            StmtKind::Return(_) => {
                self.own(stmt, state);
                Ok(None)
            }
            StmtKind::Break | StmtKind::Continue => Ok(None),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Declare(_)
            | StmtKind::Asm(_)
            | StmtKind::Error => Ok(self.own(stmt, state)),
        }
    }

    /// A statement by itself.
    fn own(&mut self, stmt: StmtId, state: Option<State>) -> Option<State> {
        let mut state = state?;
        let action = self.steps.action(self.program, stmt);
        if state.depth == 0 && !state.alone {
            let needed = match action {
                Action::Quiet | Action::End => false,
                Action::Stop => state.dirty,
                Action::Read | Action::Change | Action::Begin => true,
            };
            if needed {
                if self.steps.accesses(self.program, stmt) > 1 {
                    self.crowded.get_or_insert(stmt);
                }
                self.visible.push(stmt);
                state.dirty = false;
            }
        }
        match action {
            Action::Quiet | Action::Stop | Action::Read => {}
            Action::Change => state.dirty = true,
            Action::Begin => state.depth += 1,
            Action::End => {
                state.depth = state.depth.saturating_sub(1);
                state.dirty = true;
            }
        }
        if site(self.program, stmt).is_some() {
            state.alone = false;
        }
        (!never_returns(self.program, stmt)).then_some(state)
    }

    /// A loop that was left: nothing in it may need a label.
    fn inner_loop(&mut self, stmt: StmtId, state: Option<State>) -> Result<Option<State>, Refusal> {
        let Some(state) = state else { return Ok(None) };
        let mut quiet = true;
        each_stmt(self.program.ast(), stmt, &mut |inner| {
            quiet &= matches!(self.steps.action(self.program, inner), Action::Quiet)
                || (state.depth > 0
                    && matches!(
                        self.steps.action(self.program, inner),
                        Action::Stop | Action::Read | Action::Change
                    ));
        });
        let free = state.alone
            && stmts_in(self.program.ast(), stmt).iter().all(|&inner| site(self.program, inner).is_none());
        if quiet || free {
            let dirty = state.dirty || !quiet;
            return Ok(Some(State { dirty, ..state }));
        }
        Err(Refusal::new(self.span(stmt), "a loop with steps that other threads can see is left here")
            .help("unroll it before"))
    }
}

/// Puts the labels.
fn insert(program: &mut Program, function: FunctionId, visible: &[StmtId]) {
    let Some(body) = program.body(function) else { return };
    let mut next = 0;
    let first = label(program, &mut next, body);
    let first = program.label_stmt(first, body);
    mark(program, body, visible, &mut next);
    let last = label(program, &mut next, body);
    let last = program.label_stmt(last, body);
    if let StmtKind::Block(list) = &mut program.ast_mut().stmts[body].kind {
        // Behind the declarations at the head, which do nothing.
        list.insert(0, first);
        list.push(last);
    }
}

fn label(program: &mut Program, next: &mut u32, like: StmtId) -> LabelId {
    let name = program.ast_mut().names.intern(&format!("{PREFIX}{next}"));
    *next += 1;
    let span = program.ast().stmts[like].span;
    program.ast_mut().labels.push(Label { name, local: false, span })
}

/// Marks the visible statements in and below a statement, in the order of the text.
fn mark(program: &mut Program, stmt: StmtId, visible: &[StmtId], next: &mut u32) {
    match program.ast().stmts[stmt].kind.clone() {
        StmtKind::Block(list) => {
            for inner in list {
                mark(program, inner, visible, next);
            }
        }
        StmtKind::If { then, otherwise, .. } => {
            mark(program, then, visible, next);
            if let Some(otherwise) = otherwise {
                mark(program, otherwise, visible, next);
            }
        }
        StmtKind::Label(_, inner) => mark(program, inner, visible, next),
        kind => {
            if visible.contains(&stmt) {
                let label = label(program, next, stmt);
                let inner = program.stmt(kind, stmt);
                let declares = matches!(program.ast().stmts[inner].kind, StmtKind::Declare(_));
                if declares {
                    // The scope of what is declared must not end with a block of its own, so the label marks nothing.
                    let empty = program.stmt(StmtKind::Empty, stmt);
                    let mark = program.stmt(StmtKind::Label(label, empty), stmt);
                    let declaration = program.ast().stmts[inner].kind.clone();
                    program.ast_mut().stmts[stmt].kind = declaration;
                    put_before(program, stmt, mark);
                } else {
                    program.ast_mut().stmts[stmt].kind = StmtKind::Label(label, inner);
                }
            }
        }
    }
}

/// Puts a statement before another one in the block that holds it.
fn put_before(program: &mut Program, stmt: StmtId, new: StmtId) {
    let home = program.ast().stmts.iter().find_map(|(id, found)| match &found.kind {
        StmtKind::Block(list) => list.iter().position(|inner| *inner == stmt).map(|place| (id, place)),
        _ => None,
    });
    if let Some((block, place)) = home
        && let StmtKind::Block(list) = &mut program.ast_mut().stmts[block].kind
    {
        list.insert(place, new);
    }
}
