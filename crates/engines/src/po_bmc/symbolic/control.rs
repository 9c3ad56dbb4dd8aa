//! How execution goes through functions, blocks and calls.
//!
//! The blocks of an activation are executed in the order of their positions ([`order`](super::order)), so that each comes after all that
//! lead to it; paths that come to one block are merged first ([`merge`](super::merge)).

use std::collections::BTreeMap;

use raddle_base::{Exhausted, Id};
use raddle_ir::{BlockId, FunctionId, Lifetime, Operand, Property, RegisterId, Terminator, Type};
use raddle_logic::term::TermId;

use super::context::Flow;
use super::executor::Executor;
use super::follow::{Course, leave};
use super::objects::thread_locals;
use super::order::Position;
use super::path::Path;
use super::stuttering::iteration_start;
use super::sync::end_thread;
use super::world::SiteKey;
use crate::execution_graph::events::LimitKind;
use raddle_semantics::{ObjectId, values};

/// What a visit of a block costs of a budget.
const UNITS_PER_VISIT: u32 = 3;

/// The registers of an activation; what was never assigned is zero.
pub(crate) type Registers = Vec<Option<TermId>>;

impl Executor<'_, '_> {
    /// Calls a function. Gives the result, and what is known when it returns; nothing if it never does.
    pub(crate) fn call(
        &mut self,
        function: FunctionId,
        arguments: &[TermId],
        path: Path,
        site: Option<SiteKey>,
    ) -> Result<Option<(Path, Option<TermId>)>, Exhausted> {
        let body = &self.cx.world.program.functions[function];
        let depth = u32::try_from(self.stack.depth_of(function)).unwrap_or(u32::MAX);
        if depth > 0 {
            let deepest = self.cx.report.recursions.entry(function).or_default();
            *deepest = (*deepest).max(depth);
            let bound = self
                .cx
                .options
                .bounds
                .recursions
                .get(&function)
                .copied()
                .unwrap_or(self.cx.options.bounds.unwind);
            if depth > bound && (path.course != Course::Run || body.model) {
                self.cx.limit(&path, LimitKind::Recursion(function), body.span);
                return Ok(None);
            }
        }
        let activation = self.cx.world.activation(self.cx.thread_name(), site, function);
        let mut registers: Registers = vec![None; body.registers.len()];
        for (parameter, argument) in body.parameters.iter().zip(arguments) {
            registers[parameter.index()] = Some(*argument);
        }
        let entry = BlockId::from_index(0);
        let position = self.cx.world.facts(function).order.start();
        let visit = self.cx.world.visit(activation, entry, &position);
        self.stack.enter(function, visit, position.clone());
        self.cx.come_to(self.stack.point());
        let mut work: Work = BTreeMap::new();
        work.insert(position, (entry, vec![(path, registers)]));
        let mut returns = Vec::new();
        while let Some((position, (block, incoming))) = work.pop_first() {
            self.cx.spend(UNITS_PER_VISIT)?;
            for (number, incoming) in self.blocks_apart(incoming).into_iter().enumerate() {
                let Some((path, registers)) = self.meet(function, block, incoming) else { continue };
                let mut named = position.clone();
                if number > 0 {
                    named.push(u32::try_from(number).expect("there are fewer paths than that"));
                }
                let visit = self.cx.world.visit(activation, block, &named);
                self.stack.visit(visit, block, &position);
                self.cx.come_to(self.stack.point());
                if self.leaves_at(&path, block) {
                    continue;
                }
                self.cx.report.too_large |= self.stack.visits() > self.cx.options.bounds.visit_cap;
                let heads = self.cx.world.facts(function).order.heads(block);
                if heads.last() == Some(&block) {
                    let iteration = (block, Position::from_slice(&position[..2 * heads.len()]));
                    let start = iteration_start(&self.cx, &path, &registers);
                    self.stack.begin_iteration(iteration, start);
                }
                self.block(path, registers, &mut work, &mut returns)?;
            }
        }
        let joined = self.join_returns(returns);
        let (locals, have_ended) = self.stack.locals();
        let returned = joined.map(|(mut path, result)| {
            self.memory.drop_locals(&mut self.cx, &mut path, &locals, have_ended);
            (path, result)
        });
        self.stack.leave();
        self.cx.come_to(self.stack.point());
        Ok(returned)
    }

    pub(crate) fn block(
        &mut self,
        mut path: Path,
        mut registers: Registers,
        work: &mut Work,
        returns: &mut Vec<(Path, Option<TermId>)>,
    ) -> Result<(), Exhausted> {
        let (function, block) = (self.stack.function(), self.stack.block());
        let code = &self.cx.world.program.functions[function].blocks[block];
        for (index, inst) in code.insts.iter().enumerate() {
            self.come_to(index);
            match self.instruction(&inst.kind, &mut path, &mut registers)? {
                Flow::Next => {}
                Flow::Ends => return Ok(()),
            }
        }
        self.come_to(code.insts.len());
        self.cx.report.passed.insert((function, block));
        self.terminate(&code.terminator, path, registers, work, returns);
        Ok(())
    }

    fn come_to(&mut self, index: usize) {
        self.stack.come_to(index);
        self.cx.come_to(self.stack.point());
    }

    fn terminate(
        &mut self,
        terminator: &Terminator,
        mut path: Path,
        registers: Registers,
        work: &mut Work,
        returns: &mut Vec<(Path, Option<TermId>)>,
    ) {
        match terminator {
            Terminator::Jump(target) => self.go(*target, path, registers, work),
            Terminator::Branch(condition, then, otherwise) => {
                let condition = self.operand(&registers, *condition);
                let cases = [(condition, *then)];
                self.choose(&cases, *otherwise, path, registers, work);
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(&registers, *value);
                let cases: Vec<(TermId, BlockId)> = cases
                    .iter()
                    .map(|&(low, high, target)| {
                        (values::is_between(&mut self.cx.out.terms, value, low, high), target)
                    })
                    .collect();
                self.choose(&cases, *default, path, registers, work);
            }
            Terminator::Return(result) => {
                let result = result.map(|result| self.operand(&registers, result));
                returns.push((path, result));
            }
            Terminator::ExitThread(result) => {
                let result = self.operand(&registers, *result);
                self.leave_all(&mut path);
                end_thread(&mut self.cx, &mut path);
                self.ends.push((path, Some(result)));
            }
            Terminator::ExitProcess(_) | Terminator::Abort => {
                self.cx.out.process_ends = self.cx.out.terms.or(self.cx.out.process_ends, path.guard.term());
                if let Some(block) = &path.block {
                    self.cx.emit().exit_in_block(block.step(), path.guard.term());
                    if self.cx.options.races && self.cx.options.memory_model.is_weak() {
                        // Such stores are made, so they may race, but they never become visible.
                        let what = "data races of an atomic block that ends the process before late stores become visible";
                        self.cx.unsupported(&path, what);
                    }
                }
            }
            Terminator::Unreachable => {
                let never = self.cx.terms().bool(false);
                self.cx.check(&path, Property::MemorySafety, never, "unreachable code was reached");
                self.cx.assume(&mut path, never);
            }
            Terminator::Unsupported(what) => {
                self.cx.unsupported(&path, what);
            }
        }
    }

    /// Goes to the target of the first case that holds, or to the default.
    pub(crate) fn choose(
        &mut self,
        cases: &[(TermId, BlockId)],
        default: BlockId,
        mut path: Path,
        registers: Registers,
        work: &mut Work,
    ) {
        if self.is_guided(&path) {
            let targets = self.by_target(cases, default);
            self.choose_by_run(targets, &path, &registers, work);
            return;
        }
        let open = cases.iter().any(|(condition, _)| self.cx.out.terms.as_bool(*condition).is_none());
        if open {
            let targets: Vec<BlockId> =
                cases.iter().map(|(_, target)| *target).chain(std::iter::once(default)).collect();
            let order = &self.cx.world.facts(self.stack.function()).order;
            self.stack.leave_open(order, &targets);
        }
        for (condition, target) in cases {
            let mut taken = path.clone();
            taken.guard = taken.guard.and(&mut self.cx.out.terms, *condition);
            if !taken.guard.is_false(&self.cx.out.terms) {
                self.go(*target, taken, registers.clone(), work);
            }
            let otherwise = self.cx.out.terms.not(*condition);
            path.guard = path.guard.and(&mut self.cx.out.terms, otherwise);
            if path.guard.is_false(&self.cx.out.terms) {
                return;
            }
        }
        self.go(default, path, registers, work);
    }

    /// The targets, each once, with the conditions under which they are gone to.
    fn by_target(&mut self, cases: &[(TermId, BlockId)], default: BlockId) -> Vec<(TermId, BlockId)> {
        let mut targets: Vec<(TermId, BlockId)> = Vec::new();
        let terms = &mut self.cx.out.terms;
        let (always, mut otherwise) = (terms.bool(true), terms.bool(true));
        for &(condition, target) in cases.iter().chain([&(always, default)]) {
            let chosen = terms.and(otherwise, condition);
            match targets.iter_mut().find(|(_, known)| *known == target) {
                Some((before, _)) => *before = terms.or(*before, chosen),
                None => targets.push((chosen, target)),
            }
            let not = terms.not(condition);
            otherwise = terms.and(otherwise, not);
        }
        targets
    }

    /// Takes an edge.
    pub(crate) fn go(&mut self, target: BlockId, mut path: Path, registers: Registers, work: &mut Work) {
        let (function, block) = (self.stack.function(), self.stack.block());
        let follows = self.follows(&path);
        let order = &self.cx.world.facts(function).order;
        let taken = order.take(block, self.stack.position(), target);
        if taken.iteration.is_some() && path.course == Course::Around {
            leave(&mut self.cx, &path);
            return;
        }
        if let Some((head, count)) = taken.iteration.filter(|_| !follows) {
            let depth = order.heads(target).len();
            let iteration = (head, Position::from_slice(&self.stack.position()[..2 * depth]));
            let open = self.stack.is_open(&iteration);
            if let Some(start) = self.stack.iteration_start(&iteration) {
                self.ask_for_progress(&mut path, &registers, &start, (function, &iteration));
                if path.guard.is_false(&self.cx.out.terms) {
                    return;
                }
            }
            let named = self.cx.options.bounds.loops.get(&(function, head)).copied();
            let bound = match named {
                Some(bound) => bound,
                None if open => self.cx.options.bounds.unwind,
                None => self.cx.options.bounds.constant_iterations,
            };
            self.cx.report.too_large |= self.cx.out.events.len() > self.cx.options.bounds.event_cap
                || self.cx.out.threads.len() > self.cx.options.bounds.thread_cap;
            if count > bound || self.cx.report.too_large {
                if open || named.is_some() {
                    self.cx.report.open_cuts.insert((function, head));
                }
                let span = self.cx.world.program.functions[function].blocks[head].span;
                self.cx.limit(&path, LimitKind::Loop(function, head), span);
                return;
            }
            let most = self.cx.report.loops.entry((function, head)).or_default();
            *most = (*most).max(count);
        }
        work.entry(taken.position).or_insert_with(|| (target, Vec::new())).1.push((path, registers));
    }

    /// What an operand holds.
    pub(crate) fn operand(&mut self, registers: &Registers, operand: Operand) -> TermId {
        let pointer_bits = self.cx.pointer_bits();
        match operand {
            Operand::Register(register) => registers[register.index()].unwrap_or_else(|| {
                let ty = self.register_type(register);
                values::constant(&mut self.cx.out.terms, ty, 0, pointer_bits)
            }),
            Operand::Constant(constant) => self.cx.constant(constant),
        }
    }

    pub(crate) fn register_type(&self, register: RegisterId) -> Type {
        let function = self.stack.function();
        self.cx.world.program.functions[function].registers[register].ty
    }

    pub(crate) fn operand_type(&self, operand: Operand) -> Type {
        match operand {
            Operand::Register(register) => self.register_type(register),
            Operand::Constant(constant) => constant.ty(),
        }
    }

    /// The objects whose lifetimes end, each with its condition; none if they are not known.
    pub(crate) fn ending(
        &mut self,
        lifetime: Lifetime,
        registers: &Registers,
    ) -> Option<Vec<(TermId, ObjectId)>> {
        let always = self.cx.out.terms.bool(true);
        let mut objects = match lifetime {
            Lifetime::Object(pointer) => {
                let pointer = self.operand(registers, pointer);
                return self.memory.local_cases(&mut self.cx, pointer);
            }
            Lifetime::Activation => {
                self.stack.end_locals();
                self.stack.locals().0
            }
            Lifetime::Thread => {
                self.stack.end_locals();
                self.stack.all_locals().0
            }
            Lifetime::Activations => {
                let (locals, _) = self.stack.all_locals();
                return Some(locals.into_iter().map(|object| (always, object)).collect());
            }
            // The objects live on.
            Lifetime::Contents { .. } => return Some(Vec::new()),
        };
        if lifetime == Lifetime::Thread || self.stack.is_outermost() {
            objects.extend(thread_locals(&mut self.cx));
        }
        Some(objects.into_iter().map(|object| (always, object)).collect())
    }

    /// The locals of all activations end, if they have not before.
    pub(crate) fn leave_all(&mut self, path: &mut Path) {
        let (locals, have_ended) = self.stack.all_locals();
        self.memory.drop_locals(&mut self.cx, path, &locals, have_ended);
    }
}
/// Block instances that are to be executed, and the paths that lead to them.
pub(crate) type Work = BTreeMap<Position, (BlockId, Vec<(Path, Registers)>)>;
