//! Calls: which function, with which arguments, and what comes back.

use raddle_base::Exhausted;
use raddle_ir::analyses::points_to::CallSite;
use raddle_ir::{Constant, FunctionId, Operand, Property, RegisterId, Type};
use raddle_logic::term::TermId;

use super::context::{Context, Flow};
use super::control::Registers;
use super::executor::Executor;
use super::instruction::set;
use super::path::Path;
use super::world::Origin;
use raddle_semantics::Target;

impl Executor<'_, '_> {
    /// Calls what an operand points to.
    pub(crate) fn call_operand(
        &mut self,
        dest: Option<RegisterId>,
        callee: Operand,
        arguments: &[Operand],
        path: &mut Path,
        registers: &mut Registers,
    ) -> Result<Flow, Exhausted> {
        let types: Vec<Type> = arguments.iter().map(|argument| self.operand_type(*argument)).collect();
        let result_type = dest.map(|dest| self.register_type(dest));
        let values: Vec<TermId> =
            arguments.iter().map(|argument| self.operand(registers, *argument)).collect();
        let candidates = match callee {
            Operand::Constant(Constant::Function(function)) => {
                let always = self.cx.terms().bool(true);
                vec![(always, function)]
            }
            Operand::Constant(_) | Operand::Register(_) => {
                let target = self.operand(registers, callee);
                callees(&mut self.cx, target)
            }
        };
        let fits = |function: FunctionId| {
            let callee = &self.cx.world.program.functions[function];
            callee.parameters.len() == types.len()
                && (result_type.is_none() || result_type == callee.result)
                && callee
                    .parameters
                    .iter()
                    .zip(&types)
                    .all(|(parameter, ty)| callee.registers[*parameter].ty == *ty)
        };
        let fitting: Vec<(TermId, FunctionId)> =
            candidates.into_iter().filter(|(_, function)| fits(*function)).collect();
        let some = self.cx.out.terms.or_all(fitting.iter().map(|(condition, _)| *condition));
        self.cx.check(
            path,
            Property::MemorySafety,
            some,
            "a call through a pointer that is not a fitting function",
        );
        if matches!(self.cx.assume(path, some), Flow::Ends) {
            return Ok(Flow::Ends);
        }
        let is_open = !matches!(callee, Operand::Constant(Constant::Function(_)));
        let fitting = if is_open { self.called(path, fitting) } else { fitting };
        let site = self.cx.site();
        let mut returns = Vec::new();
        for (condition, function) in fitting {
            let mut taken = path.clone();
            taken.guard = taken.guard.and(&mut self.cx.out.terms, condition);
            if taken.guard.is_false(&self.cx.out.terms) {
                continue;
            }
            if self.cx.world.program.functions[function].blocks.is_empty() {
                returns.push(self.call_nothing(function, taken));
            } else if let Some(returned) = self.call(function, &values, taken, Some(site))? {
                returns.push(returned);
            }
        }
        let Some((returned, result)) = self.join_returns(returns) else { return Ok(Flow::Ends) };
        *path = returned;
        if let (Some(dest), Some(result)) = (dest, result) {
            set(registers, dest, result);
        }
        Ok(Flow::Next)
    }

    /// Of the functions that a call may lead to, the one that it led to in the run, if that is followed.
    fn called(&mut self, path: &mut Path, functions: Vec<(TermId, FunctionId)>) -> Vec<(TermId, FunctionId)> {
        let Some(paths) = self.cx.options.paths.as_deref().filter(|_| self.follows(path)) else {
            return functions;
        };
        let called = self.following.function(paths);
        let (kept, left): (Vec<_>, Vec<_>) =
            functions.into_iter().partition(|&(_, function)| Some(function) == called);
        let leaves = self.cx.out.terms.or_all(left.into_iter().map(|(condition, _)| condition));
        self.cx.stop_if(path, leaves);
        kept
    }

    /// A function without a body returns anything.
    pub(crate) fn call_nothing(&mut self, function: FunctionId, mut path: Path) -> (Path, Option<TermId>) {
        let callee = &self.cx.world.program.functions[function];
        let result = callee.result.map(|ty| {
            let value = self.given(&path, ty, "result");
            self.memory.placement.unknown_value(&mut self.cx, ty, value);
            let always = self.cx.terms().bool(true);
            self.cx.input(&mut path, ty, value, format!("result of `{}`", callee.name), always);
            value
        });
        (path, result)
    }
}

/// The functions that a pointer may lead to.
pub(crate) fn callees(cx: &mut Context<'_, '_>, target: TermId) -> Vec<(TermId, FunctionId)> {
    if let Some(list) = cx.world.addresses().targets(&mut cx.out.terms, target) {
        let mut functions: Vec<(TermId, FunctionId)> = Vec::new();
        for Target { condition, object, address } in list {
            if cx.out.terms.as_bits(address) != Some(cx.world.base(object)) {
                continue;
            }
            if let Origin::Function(function) = cx.world.origin(object) {
                match functions.iter_mut().find(|(_, known)| *known == function) {
                    Some((before, _)) => *before = cx.out.terms.or(*before, condition),
                    None => functions.push((condition, function)),
                }
            }
        }
        return functions;
    }
    let place = cx.point();
    let site = CallSite { function: place.function, block: place.block, inst: place.index as usize };
    let callees: Vec<FunctionId> = cx.world.points_to.callees(site).to_vec();
    callees
        .into_iter()
        .map(|function| {
            let object = cx.world.object(Origin::Function(function));
            let address = cx.pointer(cx.world.base(object));
            (cx.out.terms.eq(target, address), function)
        })
        .collect()
}
