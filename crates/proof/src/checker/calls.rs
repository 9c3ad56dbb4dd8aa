//! How control goes on: calls, branches, the end of a thread; and threads that are started.

use raddle_base::{Id, Span};
use raddle_ir::{FunctionId, InstKind, Operand, Property, RegisterId, Terminator, Type};
use raddle_logic::term::{Sort, TermId};
use raddle_semantics::values;

use super::Refusal;
use super::explore::{Explorer, Flow, advance, jump};
use super::objects::Origin;
use super::state::{Activation, Fork, State, Target};

impl Explorer<'_> {
    fn called(&mut self, function: TermId) -> Option<FunctionId> {
        let targets = self.known_targets(function)?;
        let [target] = targets.as_slice() else { return None };
        let base = self.objects.space.base(target.object);
        match self.objects.origin(target.object) {
            Origin::Function(id) if self.terms.as_bits(function) == Some(base) => Some(*id),
            Origin::Function(_)
            | Origin::Number
            | Origin::Nowhere
            | Origin::Global(_)
            | Origin::ThreadLocal(_)
            | Origin::Made { .. }
            | Origin::Life(_) => None,
        }
    }

    pub(super) fn call(
        &mut self,
        state: &mut State,
        dest: Option<RegisterId>,
        callee: Operand,
        arguments: &[Operand],
        span: Span,
    ) -> Result<Flow, Refusal> {
        let callee = self.operand(state, callee)?;
        let Some(id) = self.called(callee) else {
            let what = "no function is called through a pointer that may lead to several";
            return Ok(self.refuse_path(state, what, span));
        };
        let program = self.program;
        let function = &program.functions[id];
        if function.blocks.is_empty() {
            let what = format!("`{}`, which has no body, is not called", function.name);
            return Ok(self.refuse_path(state, what, span));
        }
        if state.stack.iter().any(|activation| activation.function == id) {
            let what = format!("`{}` does not come to call itself", function.name);
            return Ok(self.refuse_path(state, what, span));
        }
        let types: Vec<Type> = arguments.iter().map(|argument| self.operand_type(state, *argument)).collect();
        let result = dest.map(|dest| self.register_type(state, dest));
        if !program.fits_call(function, &types, result) {
            let what = format!("`{}` is not called through a pointer of another type", function.name);
            return Ok(self.refuse_path(state, what, span));
        }
        let mut held = Vec::new();
        for argument in arguments {
            held.push(self.operand(state, *argument)?);
        }
        let top = state.stack.last().expect("a thread that runs has an activation");
        let mut path = self.frames[top.frame].clone();
        path.push(top.site());
        let frame = self.frame(path);
        state.registers.retain(|(owner, _), _| *owner != frame);
        state.entered.insert(frame);
        let block = Id::from_index(0);
        state.stack.push(Activation { frame, function: id, block, index: 0 });
        for (&parameter, value) in function.parameters.iter().zip(held) {
            self.set(state, parameter, value);
        }
        Ok(Flow::Next)
    }

    pub(super) fn fork(
        &mut self,
        state: &mut State,
        dest: RegisterId,
        function: Operand,
        argument: Operand,
        span: Span,
    ) -> Result<Flow, Refusal> {
        if self.visible(state, span) == Flow::Over {
            return Ok(Flow::Over);
        }
        let (function, argument) = (self.operand(state, function)?, self.operand(state, argument)?);
        let Some(id) = self.called(function) else {
            let what = "no thread is started at a pointer that may lead to several functions";
            return Ok(self.refuse_path(state, what, span));
        };
        let top = state.stack.last().expect("a thread that runs has an activation");
        let (frame, site) = (top.frame, top.site());
        let spawn = self.certificate.spawns.iter().find(|spawn| {
            spawn.by == state.template && spawn.at.site == site && spawn.at.frame == self.frames[frame]
        });
        let Some(spawn) = spawn else {
            let what = "no thread is started here, where the certificate does not name one";
            return Ok(self.refuse_path(state, what, span));
        };
        let starts = spawn.starts;
        if self.certificate.templates.get(starts) != Some(&id) {
            let what = "no thread is started here with another function than the certificate says";
            return Ok(self.refuse_path(state, what, span));
        }
        let started = &self.program.functions[id];
        let fits = match started.parameters.as_slice() {
            [] => true,
            [only] => started.registers[*only].ty == Type::Ptr,
            _ => false,
        };
        if !fits || started.blocks.is_empty() {
            let what = format!("no thread is started with `{}`, which none can run", started.name);
            return Ok(self.refuse_path(state, what, span));
        }
        self.escape(argument);
        self.facts.happens(state, frame, site);
        let id = if self.facts.single[starts] && !self.is_product {
            self.identities[starts]
        } else {
            self.terms.fresh("id", Sort::BitVec(32))
        };
        state.forks.push(Fork { starts, id, argument });
        self.set(state, dest, id);
        Ok(Flow::Next)
    }

    pub(super) fn terminate(&mut self, state: &mut State, terminator: &Terminator) -> Result<Flow, Refusal> {
        match terminator {
            Terminator::Jump(target) => jump(state, *target),
            Terminator::Branch(condition, then, otherwise) => {
                let holds = self.operand(state, *condition)?;
                let mut other = state.clone();
                let fails = self.terms.not(holds);
                if self.assume(&mut other, fails) {
                    jump(&mut other, *otherwise);
                    self.pending.push(other);
                }
                if !self.assume(state, holds) {
                    return Ok(Flow::Over);
                }
                jump(state, *then);
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(state, *value)?;
                for &(low, high, target) in cases {
                    let hits = if let Sort::Bool = self.terms.sort(value) {
                        let bit = self.terms.bool_to_bit(value);
                        values::is_between(&mut self.terms, bit, low, high)
                    } else {
                        values::is_between(&mut self.terms, value, low, high)
                    };
                    let mut other = state.clone();
                    if self.assume(&mut other, hits) {
                        jump(&mut other, target);
                        self.pending.push(other);
                    }
                    let misses = self.terms.not(hits);
                    if !self.assume(state, misses) {
                        return Ok(Flow::Over);
                    }
                }
                jump(state, *default);
            }
            Terminator::Return(result) => return self.leave(state, *result),
            Terminator::ExitThread(result) => {
                let result = self.operand(state, *result)?;
                self.escape(result);
                self.finish(state, Target::Ended);
                return Ok(Flow::Over);
            }
            // Others may go on before the process ends, and see what the path did.
            Terminator::ExitProcess(_) | Terminator::Abort => {
                self.stop(state);
                return Ok(Flow::Over);
            }
            Terminator::Unreachable => {
                let no = self.terms.bool(false);
                let (what, span) = (|| "unreachable code is not reached".to_owned(), state.span);
                return Ok(self.demand(state, Property::MemorySafety, (no, no), what, span));
            }
            Terminator::Unsupported(what) => {
                let span = state.span;
                let what = format!("what is not supported is not reached: {what}");
                return Ok(self.refuse_path(state, what, span));
            }
        }
        Ok(Flow::Next)
    }

    /// The function returns.
    fn leave(&mut self, state: &mut State, result: Option<Operand>) -> Result<Flow, Refusal> {
        let result = result.map(|result| self.operand(state, result)).transpose()?;
        let over = state.stack.pop().expect("a thread that runs has an activation");
        self.end_locals(state, |owner| owner == over.frame, state.stack.is_empty());
        if state.stack.is_empty() {
            if let Some(result) = result {
                self.escape(result);
            }
            self.finish(state, Target::Ended);
            return Ok(Flow::Over);
        }
        state.registers.retain(|(owner, _), _| *owner != over.frame);
        let caller = state.stack.last().expect("it was called");
        let inst = &self.program.functions[caller.function].blocks[caller.block].insts.get(caller.index);
        let Some(InstKind::Call { dest, .. }) = inst.map(|inst| &inst.kind) else {
            return Err(Refusal::new("an activation of the certificate is no call", state.span));
        };
        if let Some(dest) = *dest {
            match result {
                Some(value) => self.set(state, dest, value),
                None => self.set_any(state, Some(dest)),
            }
        }
        advance(state);
        Ok(Flow::Next)
    }
}
