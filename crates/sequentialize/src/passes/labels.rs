//! Switch points: labels where a thread may be preempted, before each visible statement of a thread function.
//!
//! The labels of a function are called `__raddle_point_0`, `__raddle_point_1` and so on, in the order of the text. The first stands
//! at the head, the last at the end. An atomic block has one label, at its beginning. Before an assumption, or another program
//! point where the thread may end for good, stands a label when the thread has done something since the last one: it must be
//! possible that it ends after doing that, whatever the assumption says. While `main` is alone no other thread can interleave: its
//! first part has no labels until a thread may have been started, except where it may wait for ever, if that is asked for.
//!
//! There is no label at a statement that is visible to other threads, but free of interference (`interference.rs`).
//!
//! Statements must be simple, as [`super::simplify`] makes them. Loops that hold visible statements must be unrolled before, and
//! functions whose calls are several steps inlined.

use raddle_base::Span;
use raddle_cfront::ast::{FunctionId, Label, LabelId, StmtId, StmtKind};
use raddle_cfront::primitive::Primitive;
use raddle_cfront::types::Types;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls::statement_call;
use crate::escape::Sharing;
use crate::flow::never_returns;
use crate::interference::{Held, Interference, Visit};
use crate::origin::{Context, CopyId};
use crate::pass::{Parameter, ParameterKind, Pass, Refusal, Values};
use crate::passes::threads::{site, thread_functions};
use crate::program::Program;
use crate::steps::{Action, Steps};
use crate::tidy::tidy;
use crate::visit::{each_stmt, stmts_in};

/// The pass.
pub static PASS: Pass = Pass {
    name: "labels",
    description: "labels at the statements of thread functions that other threads can see",
    parameters: &[
        Parameter {
            name: "deadlock",
            description: "whether a thread must be able to stop wherever it may wait, also while it is alone",
            kind: ParameterKind::Choice(SWITCH),
        },
        Parameter {
            name: "at",
            description: "labels where others may meddle, wherever they can see something, or at calls only",
            kind: ParameterKind::Choice(&["meddling", "visible", "calls"]),
        },
        Parameter {
            name: "joined",
            description: "whether `main` is taken to be alone when it has joined as many threads as it has started; \
                          `__raddle_check_alone` is called there",
            kind: ParameterKind::Choice(SWITCH),
        },
    ],
    run,
};

/// What is done on request only.
pub(crate) const SWITCH: &[&str] = &["off", "on"];

const PREFIX: &str = "__raddle_point_";

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    let threads = thread_functions(program)?;
    let asked = LabelOptions {
        deadlock: values.choice(0) == 1,
        calls: values.choice(1) == 2,
        joined: values.choice(2) == 1 && only_main_starts(&threads, program),
    };
    // Twice: the first walk says under which mutexes statements run, the second one uses that nobody meddles
    // there.
    let sharing = Sharing::of(program);
    let mut interference = Interference::mutexes_of(program, &sharing);
    let steps = Steps::of(program, &sharing);
    let mut visits = Vec::new();
    for (place, &(function, _)) in threads.iter().enumerate() {
        let mut planner = Planner::new(program, &steps, &interference, asked);
        planner.function(function, place == 0)?;
        visits.push(planner.visits);
    }
    let sharing = if values.choice(1) != 1 {
        // Where two statements never run at the same time, a switch between them shows nothing.
        interference = interference.judge(program, &sharing, &visits);
        let quiet = interference.quiet.clone();
        sharing.with_quiet(quiet)
    } else {
        sharing
    };
    let steps = Steps::of(program, &sharing);
    let mut plans = Vec::new();
    for (place, &(function, _)) in threads.iter().enumerate() {
        let mut planner = Planner::new(program, &steps, &interference, asked);
        planner.function(function, place == 0)?;
        // With several accesses in one statement there would be program points that no label marks.
        if let Some(stmt) = planner.crowded {
            let message = "a statement makes several accesses to memory that other threads may reach";
            return Err(
                Refusal::new(program.ast().stmts[stmt].span, message).help("run the pass `simplify` before")
            );
        }
        if let Some(stmt) = planner.torn {
            let message =
                "a function with a format and any number of arguments is passed a pointer to shared memory";
            return Err(Refusal::new(program.ast().stmts[stmt].span, message));
        }
        plans.push((function, planner.visible, planner.checked));
    }
    // Plans first, changes then: a plan speaks of statements as they are in the input.
    for (function, visible, checked) in plans {
        program.may_go_on()?;
        insert(program, function, &visible);
        for stmt in checked {
            check_before(program, stmt);
        }
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

/// What is asked of the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LabelOptions {
    /// Whether a thread that waits must be found where it waits.
    deadlock: bool,
    /// Whether `main` is taken to be alone again when it has joined all threads.
    joined: bool,
    /// Whether plain accesses get no labels, which leaves interleavings out.
    calls: bool,
}

/// Whether `main` starts all threads.
fn only_main_starts(threads: &[(FunctionId, Option<StmtId>)], program: &Program) -> bool {
    let others = threads.iter().skip(1).filter_map(|(function, _)| program.body(*function));
    others
        .into_iter()
        .all(|body| stmts_in(program.ast(), body).into_iter().all(|stmt| site(program, stmt).is_none()))
}

/// The call of `pthread_join` or its kin that a statement is a part of.
fn join_around(program: &Program, stmt: StmtId) -> Option<CopyId> {
    let mut next = program.origins.stmt(stmt);
    let mut found = None;
    while let Some(id) = next {
        let copy = program.origins.copy(id);
        // Inlining has put the body of the model here; where it came from is remembered.
        if let Context::Call { function, .. } = copy.context
            && matches!(program.function_text(function), "__model_pthread_join" | "__model_thrd_join")
        {
            found = Some(id);
        }
        next = copy.outer;
    }
    found
}

/// What is known when control comes to a program point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LabelState {
    /// How many atomic blocks are open.
    depth: u32,
    /// Whether others may have noticed something since the last label.
    dirty: bool,
    /// Whether no other thread can be there yet.
    alone: bool,
    /// The mutexes that the thread has.
    held: Held,
    /// How many threads it has started at most, and joined at least.
    started: u32,
    joined: u32,
    /// The last call that joins.
    join: Option<CopyId>,
}

/// Finds the statements that need a label.
struct Planner<'a, 'b> {
    program: &'a Program,
    steps: &'a Steps<'b>,
    interference: &'a Interference,
    /// The statements that are made while others may be there.
    visits: Vec<Visit>,
    asked: LabelOptions,
    /// The statements before which it is checked that all other threads have ended.
    checked: Vec<StmtId>,
    visible: Vec<StmtId>,
    /// The ends of outermost atomic blocks.
    ends: FxHashSet<StmtId>,
    /// A statement with more than one access to shared memory.
    crowded: Option<StmtId>,
    /// A call of a function of the library that accesses shared memory in several steps.
    torn: Option<StmtId>,
    /// What is known where jumps lead.
    jumps: FxHashMap<LabelId, LabelState>,
}

/// The statements of a thread function that end an outermost atomic block.
pub(crate) fn atomic_block_ends(
    program: &Program,
    steps: &Steps<'_>,
    function: FunctionId,
) -> Result<FxHashSet<StmtId>, Refusal> {
    let interference = Interference::default();
    let mut planner = Planner::new(program, steps, &interference, LabelOptions::default());
    planner.function(function, false)?;
    Ok(planner.ends)
}

impl<'a, 'b> Planner<'a, 'b> {
    fn new(
        program: &'a Program,
        steps: &'a Steps<'b>,
        interference: &'a Interference,
        asked: LabelOptions,
    ) -> Self {
        Self {
            program,
            steps,
            interference,
            asked,
            checked: Vec::new(),
            visits: Vec::new(),
            visible: Vec::new(),
            ends: FxHashSet::default(),
            crowded: None,
            torn: None,
            jumps: FxHashMap::default(),
        }
    }

    /// Goes over a thread function.
    fn function(&mut self, function: FunctionId, is_main: bool) -> Result<(), Refusal> {
        let Some(body) = self.program.body(function) else { return Ok(()) };
        let start = LabelState {
            depth: 0,
            dirty: false,
            alone: is_main,
            held: Held::NONE,
            started: 0,
            joined: 0,
            join: None,
        };
        self.stmt(body, Some(start))?;
        Ok(())
    }
}

impl Planner<'_, '_> {
    fn span(&self, stmt: StmtId) -> Span {
        self.program.ast().stmts[stmt].span
    }

    /// What is known where two ways meet; `None` is no way.
    fn join(
        &self,
        left: Option<LabelState>,
        right: Option<LabelState>,
        place: StmtId,
    ) -> Result<Option<LabelState>, Refusal> {
        match (left, right) {
            (None, other) | (other, None) => Ok(other),
            (Some(left), Some(right)) if left.depth == right.depth => Ok(Some(LabelState {
                depth: left.depth,
                dirty: left.dirty || right.dirty,
                alone: left.alone && right.alone,
                held: left.held.and(right.held),
                // What was started counts at most and what was joined at least, so "alone" is never claimed
                // too early.
                started: left.started.max(right.started),
                joined: left.joined.min(right.joined),
                join: left.join.filter(|_| left.join == right.join),
            })),
            (Some(_), Some(_)) => {
                let message = "an atomic block is open here on one path and closed on another";
                Err(Refusal::new(self.span(place), message))
            }
        }
    }

    /// Goes over a statement; gives what is known behind it, if control comes out there.
    fn stmt(&mut self, stmt: StmtId, state: Option<LabelState>) -> Result<Option<LabelState>, Refusal> {
        self.program.may_go_on()?;
        match self.program.ast().stmts[stmt].kind.clone() {
            StmtKind::Block(list) => {
                let mut state = state;
                for inner in list {
                    state = self.stmt(inner, state)?;
                }
                Ok(state)
            }
            StmtKind::Label(label, inner) => {
                // All jumps lead forwards, so what is known of them is complete here.
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
                    // Both parts begin with what is known behind the condition.
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
    fn own(&mut self, stmt: StmtId, state: Option<LabelState>) -> Option<LabelState> {
        let mut state = state?;
        let sharing = self.steps.sharing();
        let action = self.steps.action(self.program, stmt);
        if self.asked.joined {
            self.count_joins(stmt, action, &mut state);
        }
        if !state.alone {
            self.visits.push(Visit { stmt, held: state.held });
        }
        let waits =
            self.asked.deadlock && (action == Action::Begin || self.steps.may_wait(self.program, stmt));
        // Inside an atomic block nobody comes between, and alone nobody is there.
        if state.depth == 0 && (!state.alone || waits) {
            let needed = match action {
                Action::Quiet | Action::End => false,
                // Stopping for good must be possible before the next thing that can stop it, if others may
                // have noticed something.
                Action::Stop => state.dirty,
                Action::Read | Action::Begin => true,
                Action::Change => !self.interference.is_plain_unlock(self.program, sharing, stmt, state.held),
            };
            let left_out = self.asked.calls
                && matches!(action, Action::Read | Action::Change)
                && statement_call(self.program, stmt).is_none();
            if needed && !left_out {
                if self.steps.is_torn(self.program, stmt) {
                    self.torn.get_or_insert(stmt);
                }
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
                // What the block did becomes visible as a whole at its end.
                state.dirty = true;
                if state.depth == 0 {
                    self.ends.insert(stmt);
                }
            }
        }
        state.held = self.interference.mutexes.behind(self.program, sharing, stmt, state.held);
        if site(self.program, stmt).is_some() {
            // From here on somebody else may be there.
            state.alone = false;
            state.started += 1;
        }
        (!never_returns(self.program, stmt)).then_some(state)
    }

    /// When a thread has joined as many as it has started it is alone again, or so it seems: that is checked when the program
    /// runs.
    fn count_joins(&mut self, stmt: StmtId, action: Action, state: &mut LabelState) {
        let join = join_around(self.program, stmt);
        if join.is_some() && join != state.join {
            state.joined += 1;
        }
        // A join is several statements; it counts once.
        state.join = join.or(state.join);
        let all = state.started > 0 && state.joined >= state.started;
        // Not at the join itself: that has just ended the other thread.
        if join.is_none() && all && !state.alone && state.depth == 0 && action != Action::Quiet {
            state.alone = true;
            self.checked.push(stmt);
        }
    }

    /// A loop that was left: nothing in it may need a label.
    fn inner_loop(&mut self, stmt: StmtId, state: Option<LabelState>) -> Result<Option<LabelState>, Refusal> {
        let Some(mut state) = state else { return Ok(None) };
        // What is held in a later iteration is not followed.
        state.held = Held::NONE;
        if !state.alone {
            let inner = stmts_in(self.program.ast(), stmt);
            self.visits.extend(inner.into_iter().map(|stmt| Visit { stmt, held: Held::NONE }));
        }
        let mut quiet = true;
        // A loop has no labels, so nothing in it may need one.
        each_stmt(self.program.ast(), stmt, &mut |inner| {
            quiet &= matches!(self.steps.action(self.program, inner), Action::Quiet)
                || (state.depth > 0
                    && matches!(
                        self.steps.action(self.program, inner),
                        Action::Stop | Action::Read | Action::Change
                    ));
        });
        let waits = |&inner: &StmtId| {
            self.steps.action(self.program, inner) == Action::Begin
                || self.steps.may_wait(self.program, inner)
        };
        let stuck = self.asked.deadlock && stmts_in(self.program.ast(), stmt).iter().any(waits);
        let free = state.alone
            && !stuck
            && stmts_in(self.program.ast(), stmt).iter().all(|&inner| site(self.program, inner).is_none());
        if quiet || free {
            let dirty = state.dirty || !quiet;
            return Ok(Some(LabelState { dirty, ..state }));
        }
        Err(Refusal::new(self.span(stmt), "a loop with steps that other threads can see is left here")
            .help("unroll it before"))
    }
}

/// Puts the labels.
fn insert(program: &mut Program, function: FunctionId, visible: &[StmtId]) {
    let Some(body) = program.body(function) else { return };
    let mut next = 0;
    // The first label marks the head, so that each thread can be left before it has done anything.
    let first = label(program, &mut next, body);
    let first = program.label_stmt(first, body);
    let visible = visible.iter().copied().collect();
    mark(program, body, &visible, &mut next);
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
fn mark(program: &mut Program, stmt: StmtId, visible: &FxHashSet<StmtId>, next: &mut u32) {
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

/// `__raddle_check_alone();` before a statement.
fn check_before(program: &mut Program, stmt: StmtId) {
    let check = program.external_primitive(Primitive::CheckAlone, Types::void(), &[], 0);
    let span = program.ast().stmts[stmt].span;
    let call = program.call(check, Vec::new(), span);
    let call = program.expr_stmt(call, stmt);
    let kind = program.ast().stmts[stmt].kind.clone();
    match kind {
        StmtKind::Declare(_) => put_before(program, stmt, call),
        // A label of this pass stays in front.
        StmtKind::Label(label, inner) => {
            let rest = program.block(vec![call, inner], stmt);
            program.ast_mut().stmts[stmt].kind = StmtKind::Label(label, rest);
        }
        _ => {
            let inner = program.stmt(kind, stmt);
            program.ast_mut().stmts[stmt].kind = StmtKind::Block(vec![call, inner]);
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
