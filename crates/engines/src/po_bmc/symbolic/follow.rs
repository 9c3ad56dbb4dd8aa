//! Following a run: threads go the ways that they went in it, while reads may read anything.
//!
//! What is made of a program then are the executions in which each thread executes the statements of one run, in all orders: a
//! concurrent trace program (Wang, Chaudhuri, Gupta and Yang: "Symbolic Pruning of Concurrent Program Executions", ESEC/FSE 2009).
//! Values stay terms, so a thread need not read what it read in the run: it goes on as long as its branches go the same way. Where
//! one goes another way, the thread leaves the run and stops: executions are prefix-closed, and what the others did until then counts.
//! What came from outside is what it was.
//!
//! A call of an API function is one statement, which may do what the function can do: inside of its model all ways are gone. Two kinds of
//! ways out of the run are followed too, because people think of them as part of a statement:
//! - those on which a check fails whatever happens ([`Sides::is_doomed`]): `assert` is a branch, and where it fails there is
//!   nothing but a report;
//! - those that only look at something and come back before anything happens ([`Sides::rejoins`]): `a || b` is a branch.
//!
//! Direction of error: none. All executions are executions of the program, and each of the run's statements in another order is
//! one of them.

use raddle_base::{Id, Table};
use raddle_ir::analyses::cfg::ControlFlow;
use raddle_ir::{BlockId, Constant, Function, FunctionId, InstKind, Operand, Program, Terminator, Type};
use raddle_logic::term::TermId;
use raddle_semantics::values;
use raddle_vm::{ThreadId, Way};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::context::Context;
use super::control::{Registers, Work};
use super::executor::Executor;
use super::order::BlockOrder;
use super::path::Path;
use super::report::Report;
use super::world::{SiteKey, VisitId};
use crate::paths::{Paths, ThreadPath};

/// Which ways a path goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Course {
    /// Those that only look at something, until it meets the run again.
    Around,
    /// All there are.
    All,
    /// Those of the run.
    Run,
}

/// The ways that were seen in runs, by the names of where they were gone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    ways: FxHashSet<(VisitId, BlockId)>,
    /// What the first run was given.
    inputs: FxHashMap<SiteKey, u128>,
}

impl Seen {
    /// One more run was followed. Says whether it went new ways.
    pub(crate) fn learn(&mut self, report: &Report) -> bool {
        if self.ways.is_empty() {
            self.inputs.clone_from(&report.given);
        }
        let before = self.ways.len();
        self.ways.extend(&report.ways);
        self.ways.len() > before
    }
}

/// How far the thread at hand has followed the run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Following {
    thread: Option<ThreadId>,
    ways: usize,
    started: usize,
    inputs: usize,
}

impl Following {
    /// From the beginning of a thread of the run, if it is one.
    pub(crate) fn thread(thread: Option<ThreadId>) -> Self {
        Self { thread, ..Self::default() }
    }

    /// Which thread of the run that is.
    pub(crate) fn thread_followed(&self) -> Option<ThreadId> {
        self.thread
    }

    fn path<'p>(&self, paths: &'p Paths) -> Option<&'p ThreadPath> {
        paths.of(self.thread?)
    }

    fn way(&mut self, paths: &Paths) -> Option<Way> {
        let way = self.path(paths)?.ways.get(self.ways).copied();
        self.ways += 1;
        way
    }

    /// The block that the thread went to.
    pub(crate) fn block(&mut self, paths: &Paths) -> Option<BlockId> {
        match self.way(paths)? {
            Way::Block(block) => Some(block),
            Way::Function(_) | Way::Begin(_) => None,
        }
    }

    /// The function that it began with.
    pub(crate) fn begins(&self, paths: &Paths) -> Option<FunctionId> {
        self.path(paths)?.begins
    }

    /// The function that it called.
    pub(crate) fn function(&mut self, paths: &Paths) -> Option<FunctionId> {
        match self.way(paths)? {
            Way::Function(function) => Some(function),
            Way::Block(_) | Way::Begin(_) => None,
        }
    }

    /// The thread that it started.
    pub(crate) fn started(&mut self, paths: &Paths) -> Option<ThreadId> {
        let started = self.path(paths)?.started.get(self.started).copied();
        self.started += 1;
        started
    }

    /// What it was given.
    pub(crate) fn input(&mut self, paths: &Paths) -> Option<u128> {
        let input = self.path(paths)?.inputs.get(self.inputs).copied();
        self.inputs += 1;
        input
    }
}

/// What lies beside the run.
#[derive(Debug)]
pub(crate) struct Sides {
    /// For each function the blocks from which all ways lead to a check that fails.
    doomed: Table<FunctionId, Table<BlockId, bool>>,
    /// For each function whether it only looks at something, and returns.
    looking: Table<FunctionId, bool>,
    /// What was found out about ways back: function, source, target, and where the run goes.
    rejoins: FxHashMap<(FunctionId, BlockId, BlockId, BlockId), bool>,
}

impl Sides {
    pub(crate) fn new(program: &Program) -> Self {
        let no = |function: &Function| Table::filled(function.blocks.len(), || false);
        let mut doomed: Table<FunctionId, Table<BlockId, bool>> = Table::new();
        for function in program.functions.values() {
            doomed.push(no(function));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (id, function) in program.functions.iter() {
                for (block, code) in function.blocks.iter() {
                    if !doomed[id][block] && is_doomed(&doomed, id, code) {
                        doomed[id][block] = true;
                        changed = true;
                    }
                }
            }
        }
        Self { doomed, looking: looking(program), rejoins: FxHashMap::default() }
    }

    /// Whether nothing happens in a block but that something is looked at.
    pub(crate) fn only_looks(&self, body: &Function, block: BlockId) -> bool {
        only_looks(&self.looking, body, block)
    }

    /// Whether all ways from a block lead to a check that fails whatever happens, without a loop of the function.
    pub(crate) fn is_doomed(&self, function: FunctionId, block: BlockId) -> bool {
        self.doomed[function][block]
    }

    /// Whether whoever goes to `target` where the run goes to `taken` only looks at something before the run's blocks come again, or is
    /// doomed.
    pub(crate) fn rejoins(
        &mut self,
        (program, order): (&Program, &BlockOrder),
        function: FunctionId,
        (source, target, taken): (BlockId, BlockId, BlockId),
    ) -> bool {
        let key = (function, source, target, taken);
        if let Some(&known) = self.rejoins.get(&key) {
            return known;
        }
        let body = &program.functions[function];
        let ahead = reachable_ahead(body, order, taken);
        let mut seen = FxHashSet::default();
        let mut open = vec![(source, target)];
        let mut rejoins = true;
        while let Some((from, block)) = open.pop() {
            if order.goes_back(from, block) {
                rejoins = false;
                break;
            }
            if ahead.contains(&block) || self.is_doomed(function, block) || !seen.insert(block) {
                continue;
            }
            if !self.only_looks(body, block) {
                rejoins = false;
                break;
            }
            open.extend(body.blocks[block].terminator.successors().into_iter().map(|next| (block, next)));
        }
        self.rejoins.insert(key, rejoins);
        rejoins
    }
}

fn is_doomed(
    doomed: &Table<FunctionId, Table<BlockId, bool>>,
    function: FunctionId,
    code: &raddle_ir::Block,
) -> bool {
    let fails = |kind: &InstKind| match kind {
        InstKind::Check { condition: Operand::Constant(Constant::Int(_, 0)), .. } => true,
        InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), .. } => {
            let blocks = &doomed[*callee];
            !blocks.is_empty() && blocks[BlockId::from_index(0)]
        }
        InstKind::Check { .. }
        | InstKind::Call { .. }
        | InstKind::Assign { .. }
        | InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::AtomicRmw { .. }
        | InstKind::CompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::Free { .. }
        | InstKind::EndLife(_)
        | InstKind::Intrinsic { .. }
        | InstKind::Havoc { .. }
        | InstKind::Assume(_)
        | InstKind::WaitUntil(_)
        | InstKind::Fork { .. }
        | InstKind::Join { .. }
        | InstKind::Lock { .. }
        | InstKind::Unlock { .. }
        | InstKind::AtomicBegin
        | InstKind::AtomicEnd => false,
    };
    if code.insts.iter().any(|inst| fails(&inst.kind)) {
        return true;
    }
    match &code.terminator {
        Terminator::Unreachable => true,
        Terminator::Return(_)
        | Terminator::ExitThread(_)
        | Terminator::ExitProcess(_)
        | Terminator::Abort
        | Terminator::Unsupported(_) => false,
        way @ (Terminator::Jump(_) | Terminator::Branch(..) | Terminator::Switch { .. }) => {
            way.successors().into_iter().all(|target| doomed[function][target])
        }
    }
}

/// The blocks that can be reached from one without going back.
fn reachable_ahead(body: &Function, order: &BlockOrder, from: BlockId) -> FxHashSet<BlockId> {
    let mut found = FxHashSet::default();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if found.insert(block) {
            let next = body.blocks[block].terminator.successors().into_iter();
            open.extend(next.filter(|&target| !order.goes_back(block, target)));
        }
    }
    found
}

/// The functions that only look at something and return: without loops and recursion.
fn looking(program: &Program) -> Table<FunctionId, bool> {
    let mut looking = Table::filled(program.functions.len(), || false);
    let mut changed = true;
    while changed {
        changed = false;
        for (id, body) in program.functions.iter().filter(|(_, body)| !body.blocks.is_empty()) {
            let mut blocks = body.blocks.ids();
            if !looking[id] && !has_cycle(body) && blocks.all(|block| only_looks(&looking, body, block)) {
                looking[id] = true;
                changed = true;
            }
        }
    }
    looking
}

/// Whether the blocks of a function form a cycle.
fn has_cycle(body: &Function) -> bool {
    let flow = ControlFlow::new(body);
    let goes_back = |&block: &BlockId| {
        flow.successors(block).iter().any(|&next| flow.position(next) <= flow.position(block))
    };
    flow.reverse_postorder().iter().any(goes_back)
}

fn only_looks(looking: &Table<FunctionId, bool>, body: &Function, block: BlockId) -> bool {
    let code = &body.blocks[block];
    let goes_on = matches!(
        code.terminator,
        Terminator::Jump(_) | Terminator::Branch(..) | Terminator::Switch { .. } | Terminator::Return(_)
    );
    let looks = |kind: &InstKind| match kind {
        InstKind::Assign { .. } | InstKind::Load { .. } | InstKind::Check { .. } => true,
        InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), .. } => looking[*callee],
        InstKind::Call { .. }
        | InstKind::Store { .. }
        | InstKind::AtomicRmw { .. }
        | InstKind::CompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::Free { .. }
        | InstKind::EndLife(_)
        | InstKind::Intrinsic { .. }
        | InstKind::Havoc { .. }
        | InstKind::Assume(_)
        | InstKind::WaitUntil(_)
        | InstKind::Fork { .. }
        | InstKind::Join { .. }
        | InstKind::Lock { .. }
        | InstKind::Unlock { .. }
        | InstKind::AtomicBegin
        | InstKind::AtomicEnd => false,
    };
    goes_on && code.insts.iter().all(|inst| looks(&inst.kind))
}

/// A path leaves the run: what its thread would do next is not asked about.
pub(crate) fn leave(cx: &mut Context<'_, '_>, path: &Path) {
    let always = cx.terms().bool(true);
    cx.stop_if(path, always);
    let step = cx.step_at(path);
    cx.report.left.push((path.guard.term(), step));
}

impl Executor<'_, '_> {
    /// Whether a path comes to a block in which it leaves the run.
    pub(crate) fn leaves_at(&mut self, path: &Path, block: BlockId) -> bool {
        if path.course != Course::Around {
            return false;
        }
        let body = &self.cx.world.program.functions[self.stack.function()];
        let leaves = !self.cx.world.sides().only_looks(body, block);
        if leaves {
            leave(&mut self.cx, path);
        }
        leaves
    }

    /// Whether a path goes the ways of the run in the function at hand, and no others.
    pub(crate) fn follows(&self, path: &Path) -> bool {
        path.course == Course::Run && self.cx.options.is_narrowed() && !self.is_in_model()
    }

    fn is_in_model(&self) -> bool {
        self.cx.world.program.functions[self.stack.function()].model
    }

    /// Whether it matters to a path at a branch what lies beside the run.
    pub(crate) fn is_guided(&self, path: &Path) -> bool {
        self.follows(path) || path.course == Course::Around && !self.is_in_model()
    }

    /// Goes on with what the run goes to, and with those of the other targets that are followed beside it. Each target comes with the
    /// condition under which it is gone to.
    pub(crate) fn choose_by_run(
        &mut self,
        targets: Vec<(TermId, BlockId)>,
        path: &Path,
        registers: &Registers,
        work: &mut Work,
    ) {
        let taken: SmallVec<[BlockId; 2]> = match path.course {
            Course::Run => self.taken(&targets),
            Course::Around | Course::All => SmallVec::new(),
        };
        let (function, source) = (self.stack.function(), self.stack.block());
        for (condition, target) in targets {
            let mut next = path.clone();
            next.guard = next.guard.and(&mut self.cx.out.terms, condition);
            if next.guard.is_false(&self.cx.out.terms) {
                continue;
            }
            let is_doomed = self.cx.world.sides().is_doomed(function, target);
            next.course = match path.course {
                Course::Run if taken.contains(&target) => Course::Run,
                Course::Run | Course::Around if is_doomed => Course::All,
                Course::Run if taken.iter().any(|&taken| self.rejoins(function, (source, target, taken))) => {
                    Course::Around
                }
                Course::Run => {
                    leave(&mut self.cx, &next);
                    continue;
                }
                Course::Around => Course::Around,
                Course::All => Course::All,
            };
            self.go(target, next, registers.clone(), work);
        }
    }

    /// Which of the targets the run went to, or runs that were seen.
    fn taken(&mut self, targets: &[(TermId, BlockId)]) -> SmallVec<[BlockId; 2]> {
        let (visit, _) = self.cx.site();
        let targets = targets.iter().map(|&(_, target)| target);
        if let Some(seen) = &self.cx.options.seen {
            return targets.filter(|&target| seen.ways.contains(&(visit, target))).collect();
        }
        let went = self.cx.options.paths.as_deref().and_then(|paths| self.following.block(paths));
        // An API function may call back in another way than in the run; then what was kept does not fit.
        let taken: SmallVec<[BlockId; 2]> = targets.filter(|&target| Some(target) == went).collect();
        self.cx.report.ways.extend(taken.iter().map(|&target| (visit, target)));
        taken
    }

    fn rejoins(&mut self, function: FunctionId, way: (BlockId, BlockId, BlockId)) -> bool {
        self.cx.options.follows_looks && self.cx.world.rejoins(function, way)
    }

    /// What a path is given from outside: on a path of the run what it was given there, anything else otherwise. A pointer is not
    /// the number that it was in the VM.
    pub(crate) fn given(&mut self, path: &Path, ty: Type, prefix: &str) -> TermId {
        let known = if self.follows(path) { self.known_input() } else { None };
        match known.filter(|_| ty != Type::Ptr) {
            Some(bits) => {
                let pointer_bits = self.cx.pointer_bits();
                values::constant(&mut self.cx.out.terms, ty, bits, pointer_bits)
            }
            None => self.cx.fresh(prefix, ty),
        }
    }

    /// What the run was given here.
    fn known_input(&mut self) -> Option<u128> {
        let site = self.cx.site();
        if let Some(seen) = &self.cx.options.seen {
            return seen.inputs.get(&site).copied();
        }
        let given = self.following.input(self.cx.options.paths.as_deref()?)?;
        self.cx.report.given.insert(site, given);
        Some(given)
    }

    /// Whether a path beside the run has come to what it was followed for: a check that fails whatever happens.
    pub(crate) fn is_through(&self, path: &Path, condition: TermId) -> bool {
        let is_beside = self.cx.options.is_narrowed() && path.course == Course::All;
        is_beside && self.cx.out.terms.as_bool(condition) == Some(false)
    }
}
