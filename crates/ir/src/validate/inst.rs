//! Instructions.

use super::{InstPosition, Rule, Validator, show};
use crate::inst::{Constant, InstKind, Intrinsic, Lifetime, Operand, Ordering, RmwOp};
use crate::program::{RegisterId, Type};

impl<'p> Validator<'p> {
    pub(super) fn inst(&mut self, position: InstPosition<'p>, kind: &InstKind) {
        match kind {
            InstKind::Assign { dest, value } => self.assign(position, *dest, value),
            InstKind::Load { dest, address, ty, ordering } => {
                self.expect(position, "the address", *address, Type::Ptr);
                self.storable(position, *ty);
                self.expect_dest(position, *dest, *ty);
                if matches!(ordering, Ordering::Release | Ordering::AcquireRelease) {
                    self.report_at(Rule::MemoryOrder, position, "a load cannot release");
                }
            }
            InstKind::Store { address, value, ty, ordering } => {
                self.expect(position, "the address", *address, Type::Ptr);
                self.storable(position, *ty);
                self.expect(position, "the value", *value, *ty);
                if matches!(ordering, Ordering::Acquire | Ordering::AcquireRelease) {
                    self.report_at(Rule::MemoryOrder, position, "a store cannot acquire");
                }
            }
            InstKind::AtomicRmw { dest, op, address, value, ty, ordering } => {
                self.expect(position, "the address", *address, Type::Ptr);
                self.storable(position, *ty);
                self.rmw(position, *op, *value, *ty);
                self.expect_dest(position, *dest, *ty);
                self.not_plain(position, *ordering);
            }
            InstKind::CompareExchange { dest, address, expected, desired, ty, ordering, failure } => {
                self.not_plain(position, *failure);
                self.expect(position, "the address", *address, Type::Ptr);
                self.storable(position, *ty);
                self.expect(position, "the expected value", *expected, *ty);
                self.expect(position, "the desired value", *desired, *ty);
                self.expect_dest(position, *dest, *ty);
                self.not_plain(position, *ordering);
            }
            InstKind::Fence(ordering) => self.not_plain(position, *ordering),
            InstKind::Alloc { dest, size, align, .. } => {
                self.expect(position, "the size", *size, self.pointer_int());
                self.alignment(position, *align);
                self.expect_dest(position, *dest, Type::Ptr);
            }
            InstKind::Free { pointer }
            | InstKind::EndLife(Lifetime::Object(pointer) | Lifetime::Contents { pointer, .. }) => {
                self.expect(position, "the pointer", *pointer, Type::Ptr)
            }
            InstKind::EndLife(Lifetime::Activation | Lifetime::Activations | Lifetime::Thread) => {}
            InstKind::Call { dest, callee, arguments } => self.call(position, *dest, *callee, arguments),
            InstKind::Intrinsic { dest, which, arguments } => {
                self.intrinsic(position, *dest, *which, arguments)
            }
            InstKind::Havoc { dest, site } => match self.program.havocs.get(*site) {
                Some(havoc) => self.expect_dest(position, *dest, havoc.ty),
                None => self.report_at(Rule::IdInRange, position, &format!("{site} does not exist")),
            },
            InstKind::Assume(condition)
            | InstKind::WaitUntil(condition)
            | InstKind::Check { condition, .. } => self.condition(position, *condition),
            InstKind::Fork { dest, function, argument } => {
                self.expect_dest(position, *dest, Type::Int(32));
                self.expect(position, "the function", *function, Type::Ptr);
                self.expect(position, "the argument", *argument, Type::Ptr);
                if let Operand::Constant(Constant::Function(id)) = function
                    && let Some(function) = self.program.functions.get(*id)
                    && !self.program.fits_call(function, &[Type::Ptr], Some(Type::Ptr))
                {
                    let text = format!("`{}` does not take one pointer and return a pointer", function.name);
                    self.report_at(Rule::ForkSignature, position, &text);
                }
            }
            InstKind::Join { dest, thread } => {
                self.expect(position, "the thread id", *thread, Type::Int(32));
                if let Some(dest) = dest {
                    self.expect_dest(position, *dest, Type::Ptr);
                }
            }
            InstKind::Lock { lock } | InstKind::Unlock { lock } => {
                self.expect(position, "the lock", *lock, Type::Ptr);
            }
            InstKind::AtomicBegin | InstKind::AtomicEnd => {}
        }
    }

    fn not_plain(&mut self, position: InstPosition<'p>, ordering: Ordering) {
        if ordering == Ordering::Plain {
            self.report_at(Rule::MemoryOrder, position, "an atomic operation cannot be plain");
        }
    }

    /// The operand of a read-modify-write: of the type in memory, except that a pointer moves by a number.
    fn rmw(&mut self, position: InstPosition<'p>, op: RmwOp, value: Operand, ty: Type) {
        match (op, ty) {
            (RmwOp::Add | RmwOp::Sub, Type::Ptr) => {
                self.expect(position, "the distance", value, self.pointer_int());
            }
            (RmwOp::Exchange, _) | (_, Type::Int(_)) => self.expect(position, "the value", value, ty),
            (_, Type::Ptr | Type::F32 | Type::F64) => {
                let text = format!("there is no atomic {} on {}", op.word(), show(ty));
                self.report_at(Rule::OperandType, position, &text);
            }
        }
    }

    fn call(
        &mut self,
        position: InstPosition<'p>,
        dest: Option<RegisterId>,
        callee: Operand,
        arguments: &[Operand],
    ) {
        self.expect(position, "the callee", callee, Type::Ptr);
        let types: Vec<Option<Type>> =
            arguments.iter().map(|argument| self.operand(position, *argument)).collect();
        let result = dest.and_then(|dest| self.register(position, dest));
        let Operand::Constant(Constant::Function(id)) = callee else { return };
        let Some(callee) = self.program.functions.get(id) else { return };
        if callee.parameters.len() != arguments.len() {
            let text = format!(
                "`{}` takes {} arguments, not {}",
                callee.name,
                callee.parameters.len(),
                arguments.len()
            );
            self.report_at(Rule::CallSignature, position, &text);
            return;
        }
        for (index, (&parameter, found)) in callee.parameters.iter().zip(types).enumerate() {
            if let (Some(expected), Some(found)) = (callee.registers.get(parameter), found)
                && expected.ty != found
            {
                let text = format!(
                    "argument {index} of `{}` is {}, expected {}",
                    callee.name,
                    show(found),
                    show(expected.ty)
                );
                self.report_at(Rule::CallSignature, position, &text);
            }
        }
        if let Some(found) = result
            && callee.result != Some(found)
        {
            let returned = callee.result.map_or("nothing".to_owned(), show);
            let text = format!("`{}` returns {returned}, taken as {}", callee.name, show(found));
            self.report_at(Rule::CallSignature, position, &text);
        }
    }

    fn intrinsic(
        &mut self,
        position: InstPosition<'p>,
        dest: Option<RegisterId>,
        which: Intrinsic,
        arguments: &[Operand],
    ) {
        let (any_int, double) = (Type::Int(0), Type::F64);
        let (expected, result): (&[Type], Type) = match which {
            Intrinsic::PutByte => (&[any_int, any_int], any_int),
            Intrinsic::PutInteger => (&[any_int, any_int, any_int, any_int, any_int], any_int),
            Intrinsic::PutFloat => (&[any_int, any_int, any_int, any_int, double], any_int),
            Intrinsic::PutPointer => (&[any_int, any_int, any_int, Type::Ptr], any_int),
            Intrinsic::FloatByte => (&[any_int, any_int, any_int, double, any_int], any_int),
            Intrinsic::Decimal => (&[any_int, any_int], double),
            Intrinsic::Math(function) => (&[double, double, double][..function.operands()], double),
        };
        // An integer of any width fits where the width is not said.
        let fits = |found: Type, wanted: Type| {
            found == wanted || (wanted == any_int && matches!(found, Type::Int(_)))
        };
        let types: Option<Vec<Type>> =
            arguments.iter().map(|argument| self.operand(position, *argument)).collect();
        if let Some(types) = types
            && (types.len() != expected.len()
                || !types.iter().zip(expected).all(|(found, wanted)| fits(*found, *wanted)))
        {
            let text = format!("{} takes other arguments", which.word());
            self.report_at(Rule::IntrinsicSignature, position, &text);
        }
        if let Some(found) = dest.and_then(|dest| self.register(position, dest))
            && !fits(found, result)
        {
            let text = format!("{} does not give {}", which.word(), show(found));
            self.report_at(Rule::IntrinsicSignature, position, &text);
        }
    }
}
