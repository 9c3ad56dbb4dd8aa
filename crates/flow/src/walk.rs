//! The paths of one step: from a location to the next ones.
//!
//! A path is left out only if its conditions contradict each other.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_base::Span;
use raddle_ir::{
    AllocStorage, BlockId, CheckMessage, Frame, Operand, Point, Property, RegisterId, Terminator,
};
use raddle_logic::solver::{Answer, Embedded, Solver as _};
use raddle_logic::term::{Term, TermId};

use crate::build::Builder;
use crate::knowledge::{Known, Slot};
use crate::model::{Check, CheckId};
use crate::objects::Kind;
use crate::options::{Reason, Refused};
use crate::state::{Activation, CheckKey, RawEdge, State, Target};

/// How a path goes on behind an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// With the next instruction.
    Falls,
    /// Where the state says.
    Jumps,
    /// It is over.
    Over,
}

/// Paths that were found and paths that wait.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    pub(crate) found: Vec<RawEdge>,
    pub(crate) waiting: Vec<State>,
}

/// A block is entered more often by one activation only if the loop does not end.
const MOST_ROUNDS: u32 = 600;

impl Builder<'_> {
    /// All steps from a location of the current template.
    pub(crate) fn steps_from(&mut self, point: &Point) -> Result<Vec<RawEdge>, Refused> {
        let mut paths = Paths::default();
        let start = self.start(point);
        paths.waiting.push(start);
        let mut count = 0;
        while let Some(state) = paths.waiting.pop() {
            count += 1;
            if count > self.options.most_paths {
                let function = &self.program.functions[state.top().function];
                return Err(Reason::TooManyPaths(function.name.clone()).at(self.span_at(&state)));
            }
            self.budget.check()?;
            self.run(state, &mut paths)?;
        }
        Ok(paths.found)
    }

    /// A thread that stands at a location.
    fn start(&mut self, point: &Point) -> State {
        let mut stack: Vec<Activation> = Vec::new();
        let mut frame = Frame::new();
        for (index, site) in point.frame.iter().chain(std::iter::once(&point.site)).enumerate() {
            let dest = index.checked_sub(1).and_then(|caller| self.call_dest(&point.frame[caller]));
            let serial = u32::try_from(index).unwrap_or(u32::MAX);
            let registers = BTreeMap::new();
            stack.push(Activation {
                function: site.function,
                frame: Rc::new(frame.clone()),
                registers,
                dest,
                serial,
            });
            frame.push(*site);
        }
        let template = raddle_base::Id::index(self.current);
        let serials = u32::try_from(stack.len()).unwrap_or(u32::MAX);
        let mut state = State {
            stack,
            block: point.site.block,
            index: point.site.index,
            cells: BTreeMap::new(),
            arrays: BTreeMap::new(),
            guards: Vec::new(),
            depth: 0,
            acted: false,
            waits: false,
            spawn: None,
            joins: None,
            accesses: Vec::new(),
            trail: None,
            havocs: Vec::new(),
            existing: Vec::new(),
            steps: 0,
            span: None,
            alive: self.knowledge.templates[template].alive.get(point).cloned().unwrap_or_default(),
            made: Vec::new(),
            entered: BTreeMap::new(),
            serials,
        };
        if point.site.index == 0 {
            state.entered.insert((serials - 1, point.site.block), 1);
        }
        use raddle_base::Id as _;
        let known = self.knowledge.templates[self.current.index()].locations[point].clone();
        for (slot, known) in known {
            let value = match known {
                Known::Constant(value, sort) => self.constant_of(value, sort),
                Known::Varies(sort) => self.slot_value(&slot, sort),
            };
            match slot {
                Slot::Register(frame, register) => {
                    let holder = state.stack.iter_mut().find(|activation| *activation.frame == frame);
                    if let Some(holder) = holder {
                        holder.registers.insert(register, value);
                    }
                }
                Slot::Cell(cell) => {
                    if !self.knowledge.is_shared(cell.object) {
                        state.cells.insert(cell, value);
                    }
                }
            }
        }
        state
    }

    fn call_dest(&self, site: &raddle_ir::Site) -> Option<RegisterId> {
        self.program.functions[site.function].blocks[site.block].insts.get(site.index)?.kind.dest()
    }

    pub(crate) fn span_at(&self, state: &State) -> Span {
        let block = &self.program.functions[state.top().function].blocks[state.block];
        block.insts.get(state.index).map_or(block.span, |inst| inst.span)
    }

    /// Goes on until the path is over or parts.
    fn run(&mut self, mut state: State, paths: &mut Paths) -> Result<(), Refused> {
        let program = self.program;
        loop {
            self.budget.spend(1)?;
            let function = &program.functions[state.top().function];
            if state.steps > self.options.longest_path {
                return Err(Reason::TooManyPaths(function.name.clone()).at(self.span_at(&state)));
            }
            let block = &function.blocks[state.block];
            let next = match block.insts.get(state.index) {
                Some(inst) => self.instruction(&mut state, inst, paths)?,
                None => self.terminator(&mut state, (&block.terminator, block.span), paths)?,
            };
            match next {
                Next::Falls => state.index += 1,
                Next::Jumps => {}
                Next::Over => return Ok(()),
            }
        }
    }

    fn terminator(
        &mut self,
        state: &mut State,
        (terminator, span): (&Terminator, Span),
        paths: &mut Paths,
    ) -> Result<Next, Refused> {
        state.record(span);
        match terminator {
            Terminator::Jump(target) => self.enter(state, *target, paths),
            Terminator::Branch(condition, yes, no) => {
                let condition = self.operand(state, *condition);
                let mut other = state.clone();
                let opposite = self.terms.not(condition);
                if self.assume(&mut other, opposite) && self.enter(&mut other, *no, paths)? != Next::Over {
                    paths.waiting.push(other);
                }
                if self.assume(state, condition) { self.enter(state, *yes, paths) } else { Ok(Next::Over) }
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(state, *value);
                let mut ways: Vec<State> = Vec::new();
                for (low, high, target) in cases {
                    let inside = raddle_semantics::values::is_between(&mut self.terms, value, *low, *high);
                    let mut way = state.clone();
                    if self.assume(&mut way, inside) && self.enter(&mut way, *target, paths)? != Next::Over {
                        ways.push(way);
                    }
                    let outside = self.terms.not(inside);
                    if !self.assume(state, outside) {
                        paths.waiting.extend(ways.into_iter().rev());
                        return Ok(Next::Over);
                    }
                }
                paths.waiting.extend(ways.into_iter().rev());
                self.enter(state, *default, paths)
            }
            Terminator::Return(value) => {
                let value = value.map(|value| self.operand(state, value));
                if state.stack.len() == 1 {
                    if let Some(value) = value {
                        self.expose(value);
                    }
                    self.emit(state.clone(), Target::Ended, paths);
                    return Ok(Next::Over);
                }
                let left = state.stack.pop().expect("a thread that runs has an activation");
                let objects = &self.knowledge.objects;
                state.alive.retain(|object| match &objects.get(*object).kind {
                    Kind::Made(_, point, _) => point.frame != *left.frame,
                    Kind::None | Kind::Function(_) | Kind::Global(_) | Kind::Life(_) => true,
                });
                let site = *left.frame.last().expect("an inner activation was called");
                (state.block, state.index) = (site.block, site.index + 1);
                if let (Some(dest), Some(value)) = (left.dest, value) {
                    state.top_mut().registers.insert(dest, value);
                }
                Ok(Next::Jumps)
            }
            Terminator::ExitThread(value) => {
                let value = self.operand(state, *value);
                self.expose(value);
                self.emit(state.clone(), Target::Ended, paths);
                Ok(Next::Over)
            }
            Terminator::ExitProcess(_) | Terminator::Abort | Terminator::Unreachable => {
                // What the step did before may be seen by others before the process ends.
                self.stops(state.clone(), paths);
                Ok(Next::Over)
            }
            Terminator::Unsupported(what) => {
                let property = self.options.asked.first().copied().unwrap_or(Property::Assertion);
                let message = CheckMessage::Wrong(format!("not supported: {what}").into());
                let check = self.check(state, property, &message, span);
                self.emit(state.clone(), Target::Failed(check), paths);
                Ok(Next::Over)
            }
        }
    }

    /// Control comes to a block.
    fn enter(&mut self, state: &mut State, block: BlockId, paths: &mut Paths) -> Result<Next, Refused> {
        use raddle_base::Id as _;
        (state.block, state.index) = (block, 0);
        let serial = state.top().serial;
        let times = state.entered.entry((serial, block)).or_default();
        *times += 1;
        let times = *times;
        if state.depth > 0 {
            if times > MOST_ROUNDS {
                let name = self.program.functions[state.top().function].name.clone();
                return Err(Reason::LoopInAtomicBlock(name).at(self.span_at(state)));
            }
            return Ok(Next::Jumps);
        }
        let point = state.point();
        let known = &mut self.knowledge.templates[self.current.index()];
        if times > 1 && known.cuts.insert(point.clone()) {
            self.knowledge.changed = true;
        }
        if self.knowledge.templates[self.current.index()].cuts.contains(&point) {
            self.arrive_here(state, paths);
            return Ok(Next::Over);
        }
        Ok(Next::Jumps)
    }

    /// The path goes on only if a condition holds. Gives whether it may.
    pub(crate) fn assume(&mut self, state: &mut State, condition: TermId) -> bool {
        match self.terms.as_bool(condition) {
            Some(holds) => return holds,
            None if state.guards.contains(&condition) => return true,
            None => {}
        }
        if let Term::And(left, right) = self.terms[condition] {
            return self.assume(state, left) && self.assume(state, right);
        }
        let opposite = self.terms.not(condition);
        if state.guards.contains(&opposite) {
            return false;
        }
        state.guards.push(condition);
        state.guards.len() < 2 || self.is_possible(&state.guards)
    }

    /// Whether conditions may hold together; also where the budget is used up, which whoever asks notices by itself.
    fn is_possible(&mut self, guards: &[TermId]) -> bool {
        /// More work is not worth it.
        const CONFLICTS: u64 = 2_000;
        if let Some(&answer) = self.possible.get(guards) {
            return answer;
        }
        let mut solver = Embedded::for_small_questions(CONFLICTS);
        for &guard in guards {
            solver.assert(&mut self.terms, guard);
        }
        let answer = solver.check(&mut self.terms, &[], self.budget);
        let possible = !matches!(answer, Ok(Answer::Unsat));
        self.possible.insert(guards.to_vec(), possible);
        possible
    }

    /// The path ends before what comes next.
    pub(crate) fn arrive_here(&mut self, state: &State, paths: &mut Paths) {
        let point = state.point();
        self.emit(state.clone(), Target::Step(point), paths);
    }

    /// The thread takes no more steps. What it did counts, unless it did nothing that anybody sees: then it may as well have stayed where it
    /// was, as if it had not run; and unless an atomic block is open, which then has not happened.
    pub(crate) fn stops(&mut self, state: State, paths: &mut Paths) {
        let is_seen = state.spawn.is_some()
            || state.accesses.iter().any(|access| access.writes)
            || self.changes_a_life(&state);
        if state.acted && is_seen && state.depth == 0 {
            self.emit(state, Target::Stuck, paths);
        }
    }

    /// The path is over.
    pub(crate) fn emit(&mut self, state: State, to: Target, paths: &mut Paths) {
        let mut edge = RawEdge { to, state, arrives: Vec::new(), child: Vec::new() };
        if let Target::Step(point) = edge.to.clone() {
            edge.arrives = self.slots(&mut edge.state);
            self.stay_alive(self.current, &point, &edge.state.alive);
            self.arrive(self.current, &point, &edge.arrives);
        }
        if let Some(spawn) = edge.state.spawn.clone() {
            edge.child = self.first_values(spawn.template, Some(spawn.argument));
            let entry = self.entry_point(spawn.template);
            self.stay_alive(spawn.template, &entry, &BTreeSet::new());
            self.arrive(spawn.template, &entry, &edge.child);
        }
        paths.found.push(edge);
    }

    /// What the thread has of its own that may be read later.
    fn slots(&mut self, state: &mut State) -> Vec<(Slot, TermId)> {
        let mut slots = Vec::new();
        for depth in 0..state.stack.len() {
            let activation = &state.stack[depth];
            let frame = activation.frame.as_ref().clone();
            let (site, dest) = match state.stack.get(depth + 1) {
                None => (state.site(), None),
                Some(callee) => {
                    let mut site = *callee.frame.last().expect("an inner activation was called");
                    site.index += 1;
                    (site, callee.dest)
                }
            };
            for register in self.live_before(site) {
                if Some(register) == dest {
                    continue;
                }
                let value = match state.stack[depth].registers.get(&register) {
                    Some(&value) => value,
                    None => {
                        let ty = self.program.functions[site.function].registers[register].ty;
                        self.any(ty, "unassigned")
                    }
                };
                slots.push((Slot::Register(frame.clone(), register), value));
            }
        }
        for (&cell, &value) in &state.cells {
            let lives = match &self.knowledge.objects.get(cell.object).kind {
                Kind::None | Kind::Function(_) | Kind::Life(_) => false,
                Kind::Global(_) => true,
                Kind::Made(_, point, storage) => {
                    let is_heap = matches!(storage, AllocStorage::Heap | AllocStorage::Library);
                    (is_heap || state.alive.contains(&cell.object))
                        && state.stack.iter().any(|activation| *activation.frame == point.frame)
                }
            };
            let is_followed = self
                .knowledge
                .extents
                .get(&cell.object)
                .is_some_and(|extents| extents.get(&cell.offset) == Some(&cell.bytes))
                && !self.knowledge.indexed.contains_key(&cell.object);
            if lives && is_followed && !self.knowledge.is_shared(cell.object) {
                slots.push((Slot::Cell(cell), value));
            }
        }
        slots
    }

    /// A check at the instruction that comes next.
    pub(crate) fn check(
        &mut self,
        state: &State,
        property: Property,
        message: &CheckMessage,
        span: Span,
    ) -> CheckId {
        let point = state.point();
        let key = CheckKey { template: self.current, point: point.clone(), property };
        if let Some(&id) = self.check_keys.get(&key) {
            return id;
        }
        let is_asked = self.options.asked.contains(&property);
        let id = self.checks.push(Check { property, point, message: message.clone(), span, is_asked });
        self.check_keys.insert(key, id);
        id
    }

    /// A condition is needed for the program to have a meaning: the path parts in those where it fails, and one where it holds. Gives
    /// whether it goes on.
    pub(crate) fn require(
        &mut self,
        state: &mut State,
        condition: TermId,
        (property, message): (Property, &CheckMessage),
        paths: &mut Paths,
    ) -> bool {
        if self.terms.as_bool(condition) == Some(true) {
            return true;
        }
        let span = self.span_at(state);
        let opposite = self.terms.not(condition);
        let mut failing = state.clone();
        if self.assume(&mut failing, opposite) {
            failing.record(span);
            if !self.is_excused(property) {
                let check = self.check(state, property, message, span);
                self.emit(failing, Target::Failed(check), paths);
            } else {
                self.stops(failing, paths);
            }
        }
        self.assume(state, condition)
    }

    /// A visible instruction comes next. Gives whether this step executes it; else the path is over.
    pub(crate) fn acts(&mut self, state: &mut State, paths: &mut Paths) -> bool {
        if state.depth > 0 {
            return true;
        }
        if state.steps > 0 {
            self.arrive_here(state, paths);
            return false;
        }
        state.acted = true;
        state.span = Some(self.span_at(state));
        true
    }

    /// The function that a call goes to, on each path.
    pub(crate) fn call(
        &mut self,
        state: &mut State,
        (callee, arguments): (Operand, &[Operand]),
        (dest, span): (Option<RegisterId>, Span),
    ) -> Result<Next, Refused> {
        let callee = self.operand(state, callee);
        let function = self.terms.as_bits(callee).and_then(|value| self.knowledge.objects.function_at(value));
        let Some(function) = function else { return Err(Reason::UnknownCallee.at(span)) };
        let body = &self.program.functions[function];
        if state.stack.iter().any(|activation| activation.function == function) {
            return Err(Reason::Recursion(body.name.clone()).at(span));
        }
        let types: Vec<_> = arguments.iter().map(|&argument| self.type_of(state, argument)).collect();
        let result = dest.map(|dest| self.register_type(state, dest));
        if !self.program.fits_call(body, &types, result) {
            return Err(Reason::WrongCall(body.name.clone()).at(span));
        }
        let values: Vec<TermId> = arguments.iter().map(|&argument| self.operand(state, argument)).collect();
        if body.blocks.is_empty() {
            if let (Some(dest), Some(ty)) = (dest, result) {
                let value = self.any(ty, "result");
                state.top_mut().registers.insert(dest, value);
            }
            return Ok(Next::Falls);
        }
        let mut frame = state.top().frame.as_ref().clone();
        frame.push(state.site());
        let registers = body.parameters.iter().copied().zip(values).collect();
        let serial = state.serials;
        state.serials += 1;
        state.stack.push(Activation { function, frame: Rc::new(frame), registers, dest, serial });
        use raddle_base::Id as _;
        (state.block, state.index) = (BlockId::from_index(0), 0);
        *state.entered.entry((serial, state.block)).or_default() += 1;
        Ok(Next::Jumps)
    }
}
