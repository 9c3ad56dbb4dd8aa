//! Calls.

use raddle_cfront::ast::{CastKind, ExprId, ExprKind, FunctionId as CFunctionId};
use raddle_cfront::check::constant::{Constant as CConstant, evaluate};
use raddle_cfront::types::{FunctionType, QualType};
use raddle_ir::{
    AllocStorage, BinaryOp, Constant, InstKind, Operand, Ordering, Property, Rvalue, Shape, Terminator, Type,
    UnaryOp,
};

use crate::function::int;
use crate::known::{self, BitQuestion, Known};
use crate::place::{Body, Val, signed};
use crate::types::{self, Class};

/// Each variadic argument takes a slot of so many bytes; one of 128 bits takes two.
const SLOT: u64 = 8;

impl Body<'_, '_> {
    /// The function that a callee expression names directly.
    fn direct(&self, callee: ExprId) -> Option<CFunctionId> {
        match self.ast.exprs[callee].kind {
            ExprKind::Cast { kind: CastKind::FunctionToPointer, operand, .. } => {
                match self.ast.exprs[operand].kind {
                    ExprKind::Function(id) => Some(id),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A call.
    pub(crate) fn call(&mut self, callee: ExprId, arguments: &[ExprId], ty: QualType) -> Val {
        let span = self.b.span;
        if let Some(function) = self.direct(callee) {
            let name = self.ast.text(self.ast.functions[function].name);
            let defined = self.ast.functions[self.program.resolve_function(function)].body.is_some();
            let known =
                known::overriding(name).or_else(|| if defined { None } else { known::primitive(name) });
            if let Some(known) = known {
                let name = name.to_owned();
                return self.known(known, &name, arguments, ty);
            }
        }
        let target = match self.direct(callee) {
            Some(function) => Operand::Constant(Constant::Function(self.program.function(function))),
            None => self.scalar(callee),
        };
        let signature = self.signature(callee);
        let (mut passed, fixed) =
            (Vec::new(), signature.as_ref().map_or(arguments.len(), |signature| signature.parameters.len()));
        let result = match self.class(ty) {
            Class::Aggregate => {
                let home = Operand::Register(self.temporary(ty, "result"));
                passed.push(home);
                Some(home)
            }
            Class::Scalar(_) | Class::Void | Class::Function | Class::Unsupported(_) => None,
        };
        let prototype = signature.as_ref().is_some_and(|signature| signature.prototype);
        let fixed = if prototype { fixed.min(arguments.len()) } else { arguments.len() };
        for &argument in &arguments[..fixed] {
            let value = self.argument(argument);
            passed.push(value);
        }
        if signature.is_some_and(|signature| signature.variadic) {
            let area = self.variadic_area(&arguments[fixed..]);
            passed.push(area);
        }
        self.b.span = span;
        if let Operand::Constant(Constant::Function(id)) = target
            && !self.fit_arguments(id, &mut passed)
        {
            return self.unsupported("a call with other arguments than the function takes");
        }
        let dest = match self.class(ty) {
            Class::Scalar(scalar) => Some(self.b.register(scalar, None)),
            Class::Aggregate | Class::Void | Class::Function | Class::Unsupported(_) => None,
        };
        self.b.emit(InstKind::Call { dest, callee: target, arguments: passed });
        if self.direct(callee).is_some_and(|function| self.ast.functions[function].noreturn) {
            self.b.terminate(Terminator::Unreachable);
        }
        match (dest, result) {
            (Some(dest), _) => Val::Scalar(Operand::Register(dest)),
            (None, Some(home)) => Val::Aggregate(home),
            (None, None) => Val::Void,
        }
    }

    fn signature(&self, callee: ExprId) -> Option<FunctionType> {
        let pointee = self.ast.types.pointee(self.ast.exprs[callee].ty.id)?;
        types::function_type(self.ast, pointee.id).cloned()
    }

    /// Whether the arguments fit the definition; without a prototype in sight, missing precision is made up for.
    fn fit_arguments(&mut self, function: raddle_ir::FunctionId, passed: &mut [Operand]) -> bool {
        let wanted = &self.program.functions[function];
        if wanted.parameters.len() != passed.len() {
            // A function without a body takes whatever it is given: the call is dropped to what it declares.
            return false;
        }
        let types: Vec<Type> =
            wanted.parameters.iter().map(|&parameter| wanted.registers[parameter].ty).collect();
        for (value, ty) in passed.iter_mut().zip(types) {
            match (self.b.type_of(*value), ty) {
                (from, to) if from == to => {}
                (Type::Int(_), Type::Int(_)) => *value = self.resize(*value, ty, true),
                (Type::Int(_), Type::Ptr) => {
                    let wide = self.resize(*value, self.b.size_type(), true);
                    *value = self.b.cast(raddle_ir::CastOp::IntToPointer, Type::Ptr, wide);
                }
                _ => return false,
            }
        }
        true
    }

    /// An argument: a scalar, or the address of a copy.
    fn argument(&mut self, argument: ExprId) -> Operand {
        let ty = self.ast.exprs[argument].ty;
        match self.value(argument) {
            Val::Scalar(value) => value,
            Val::Aggregate(from) => {
                let home = Operand::Register(self.temporary(ty, "argument"));
                self.copy(home, from, ty);
                home
            }
            Val::Void => int(32, 0),
        }
    }

    fn variadic_area(&mut self, arguments: &[ExprId]) -> Operand {
        let mut slots = Vec::new();
        let mut size = 0;
        for &argument in arguments {
            let ty = self.ast.exprs[argument].ty;
            let value = self.value(argument);
            slots.push((size, value, ty));
            size += types::size_of(self.ast, ty).max(1).next_multiple_of(SLOT);
        }
        let area = Operand::Register(self.b.local(size, SLOT, false, "variadic arguments", Shape::Bytes));
        for (offset, value, ty) in slots {
            let slot = self.b.offset(area, signed(offset));
            self.store_value(slot, value, ty);
        }
        area
    }

    /// `va_arg`: takes the value at the list's position and moves on.
    pub(crate) fn va_arg(&mut self, list: ExprId, ty: QualType) -> Val {
        let list = self.list_address(list);
        let position = self.b.load(list, Type::Ptr, Ordering::Plain);
        let size = types::size_of(self.ast, ty).max(1).next_multiple_of(SLOT);
        let next = self.b.offset(position, signed(size));
        self.b.store(list, next, Type::Ptr, Ordering::Plain);
        match self.class(ty) {
            Class::Scalar(scalar) => Val::Scalar(self.b.load(position, scalar, Ordering::Plain)),
            Class::Aggregate => Val::Aggregate(position),
            Class::Void | Class::Function => Val::Void,
            Class::Unsupported(what) => self.unsupported(what),
        }
    }

    /// The address of the position that a `va_list` expression holds: its first word.
    pub(crate) fn list_address(&mut self, list: ExprId) -> Operand {
        if self.ast.exprs[list].lvalue { self.address(list) } else { self.scalar(list) }
    }

    /// `va_start`
    pub(crate) fn va_start(&mut self, list: ExprId) -> Val {
        let list = self.list_address(list);
        match self.variadic {
            Some(area) => self.b.store(list, Operand::Register(area), Type::Ptr, Ordering::Plain),
            None => {
                self.unsupported("va_start outside of a variadic function");
            }
        }
        Val::Void
    }

    /// `va_copy`
    pub(crate) fn va_copy(&mut self, to: ExprId, from: ExprId) -> Val {
        let (to, from) = (self.list_address(to), self.list_address(from));
        let position = self.b.load(from, Type::Ptr, Ordering::Plain);
        self.b.store(to, position, Type::Ptr, Ordering::Plain);
        Val::Void
    }

    fn known(&mut self, known: Known, name: &str, arguments: &[ExprId], ty: QualType) -> Val {
        let span = self.b.span;
        let text = arguments.iter().find_map(|&argument| self.literal_text(argument));
        let values: Vec<Operand> = match known {
            Known::AssertFail | Known::Error | Known::ProgramUses | Known::RegisterCleanup => Vec::new(),
            _ => arguments.iter().map(|&argument| self.argument(argument)).collect(),
        };
        self.b.span = span;
        let value = |index: usize| values.get(index).copied().unwrap_or(int(32, 0));
        match known {
            Known::Nondet => {
                let Class::Scalar(scalar) = self.class(ty) else {
                    return self.unsupported("a nondeterministic value that is not a scalar");
                };
                let is_bool = matches!(
                    self.ast.types.kind(ty.id),
                    raddle_cfront::types::Type::Int(raddle_cfront::types::IntKind::Bool)
                );
                // One bit, so that both values are all there are.
                if is_bool {
                    let bit = self.havoc(format!("{name}()"), Type::Int(1), false);
                    return Val::Scalar(self.resize(bit, scalar, false));
                }
                let signed = types::is_signed(self.ast, ty.id);
                let value = self.havoc(format!("{name}()"), scalar, signed);
                return Val::Scalar(value);
            }
            Known::Assume => {
                let condition = self.b.truth(value(0));
                self.b.emit(InstKind::Assume(condition));
            }
            Known::AtomicBegin => self.b.emit(InstKind::AtomicBegin),
            Known::AtomicEnd => self.b.emit(InstKind::AtomicEnd),
            Known::Error | Known::AssertFail => {
                let message = match (known, text) {
                    (Known::AssertFail, Some(text)) => format!("assertion `{text}` fails"),
                    _ => format!("`{name}` is called"),
                };
                self.b.check(Property::Assertion, int(1, 0), &message);
                self.b.terminate(Terminator::Abort);
            }
            Known::Abort => self.b.terminate(Terminator::Abort),
            Known::WaitUntil => {
                let condition = self.b.truth(value(0));
                self.b.emit(InstKind::WaitUntil(condition));
            }
            Known::Lock => self.b.emit(InstKind::Lock { lock: value(0) }),
            Known::Unlock => self.b.emit(InstKind::Unlock { lock: value(0) }),
            Known::Fork => {
                let dest = self.b.register(Type::Int(32), None);
                self.b.emit(InstKind::Fork { dest, function: value(0), argument: value(1) });
                return Val::Scalar(Operand::Register(dest));
            }
            Known::Join => {
                let dest = self.b.register(Type::Ptr, None);
                self.b.emit(InstKind::Join { dest: Some(dest), thread: value(0) });
                return Val::Scalar(Operand::Register(dest));
            }
            Known::CurrentThread => return Val::Scalar(self.b.assign(Type::Int(32), Rvalue::CurrentThread)),
            Known::ThreadExists => {
                let exists = self.b.assign(Type::Int(1), Rvalue::ThreadExists(value(0)));
                return Val::Scalar(self.resize(exists, Type::Int(32), false));
            }
            Known::ExitThread => self.b.terminate(Terminator::ExitThread(value(0))),
            Known::ExitProcess => self.b.terminate(Terminator::ExitProcess(value(0))),
            Known::Alloc => {
                let dest = self.b.register(Type::Ptr, None);
                let zeroed = !matches!(value(1), Operand::Constant(Constant::Int(_, 0)));
                self.b.emit(InstKind::Alloc {
                    dest,
                    size: value(0),
                    align: 16,
                    storage: AllocStorage::Heap,
                    zeroed,
                    name: "malloc".into(),
                    shape: Box::default(),
                });
                return Val::Scalar(Operand::Register(dest));
            }
            Known::AllocAligned => {
                let Operand::Constant(Constant::Int(_, align)) = value(1) else {
                    return self.unsupported("a heap object whose alignment is not constant");
                };
                let dest = self.b.register(Type::Ptr, None);
                self.b.emit(InstKind::Alloc {
                    dest,
                    size: value(0),
                    align: u64::try_from(align).unwrap_or(16),
                    storage: AllocStorage::Heap,
                    zeroed: false,
                    name: "malloc".into(),
                    shape: Box::default(),
                });
                return Val::Scalar(Operand::Register(dest));
            }
            Known::ProgramUses => {
                let uses = self.program.uses(text.as_deref().unwrap_or_default());
                return Val::Scalar(int(32, i128::from(uses)));
            }
            Known::RegisterCleanup => return self.register_cleanup(arguments.first().copied()),
            Known::Free => self.b.emit(InstKind::Free { pointer: value(0) }),
            Known::ObjectSize => {
                let size_type = self.b.size_type();
                return Val::Scalar(self.b.assign(size_type, Rvalue::ObjectSize(value(0))));
            }
            Known::Check(property) => {
                let condition = self.b.truth(value(0));
                self.b.check(property, condition, text.as_deref().unwrap_or(name));
            }
            Known::Unsupported => {
                self.unsupported(text.as_deref().unwrap_or(name));
            }
            Known::Fence => self.b.emit(InstKind::Fence(Ordering::SequentiallyConsistent)),
            Known::Intrinsic(which) => {
                let dest = match self.class(ty) {
                    Class::Scalar(scalar) => Some(self.b.register(scalar, None)),
                    Class::Aggregate | Class::Void | Class::Function | Class::Unsupported(_) => None,
                };
                self.b.emit(InstKind::Intrinsic { dest, which, arguments: values });
                return dest.map_or(Val::Void, |dest| Val::Scalar(Operand::Register(dest)));
            }
            Known::First => return Val::Scalar(value(0)),
            Known::Nothing => {}
            Known::Unreachable => {
                self.b.check(Property::MemorySafety, int(1, 0), "`__builtin_unreachable` is reached");
                self.b.terminate(Terminator::Unreachable);
            }
            Known::Alloca => {
                let dest = self.b.register(Type::Ptr, None);
                self.b.emit(InstKind::Alloc {
                    dest,
                    size: value(0),
                    align: 16,
                    storage: AllocStorage::Dynamic,
                    zeroed: false,
                    name: "alloca".into(),
                    shape: Box::default(),
                });
                return Val::Scalar(Operand::Register(dest));
            }
            Known::Bits(question) => return Val::Scalar(self.bit_question(question, value(0), ty)),
            Known::FloatConstant(constant) => {
                return Val::Scalar(Operand::Constant(self.float_constant(constant, ty)));
            }
            Known::UnknownSize => {
                let kind = arguments.get(1).and_then(|&kind| evaluate(self.ast, kind));
                let least = matches!(kind, Some(CConstant::Integer(2 | 3)));
                return Val::Scalar(int(self.b.pointer_bits, if least { 0 } else { -1 }));
            }
            Known::Float(op) => {
                let scalar = self.scalar_type(ty);
                return Val::Scalar(self.b.assign(scalar, Rvalue::Unary(op, value(0))));
            }
        }
        Val::Void
    }

    fn bit_question(&mut self, question: BitQuestion, value: Operand, ty: QualType) -> Operand {
        let from = self.b.type_of(value);
        let Type::Int(bits) = from else { return value };
        let mut ask = |body: &mut Self, op, value| body.b.assign(from, Rvalue::Unary(op, value));
        let answer = match question {
            BitQuestion::LeadingZeros => ask(self, UnaryOp::CountLeadingZeros, value),
            BitQuestion::TrailingZeros => ask(self, UnaryOp::CountTrailingZeros, value),
            BitQuestion::Count => ask(self, UnaryOp::PopCount, value),
            BitQuestion::Swap => ask(self, UnaryOp::ByteSwap, value),
            BitQuestion::Parity => {
                let count = ask(self, UnaryOp::PopCount, value);
                self.b.binary(BinaryOp::And, from, count, int(bits, 1))
            }
            BitQuestion::FirstSet => {
                let zeros = ask(self, UnaryOp::CountTrailingZeros, value);
                let place = self.b.binary(BinaryOp::Add, from, zeros, int(bits, 1));
                let any = self.b.truth(value);
                self.b.assign(from, Rvalue::Select(any, place, int(bits, 0)))
            }
            // The sign bit is cleared from all its copies; what is left begins behind them.
            BitQuestion::SignCopies => {
                let sign = self.b.binary(BinaryOp::SignedShr, from, value, int(bits, i128::from(bits) - 1));
                let cleared = self.b.binary(BinaryOp::Xor, from, value, sign);
                let zeros = ask(self, UnaryOp::CountLeadingZeros, cleared);
                self.b.binary(BinaryOp::Sub, from, zeros, int(bits, 1))
            }
        };
        let target = self.scalar_type(ty);
        self.resize(answer, target, false)
    }

    /// The text of a string literal argument.
    fn literal_text(&self, argument: ExprId) -> Option<String> {
        match &self.ast.exprs[argument].kind {
            ExprKind::String(literal) => {
                Some(literal.units.iter().filter_map(|&unit| char::from_u32(unit)).collect())
            }
            ExprKind::Cast { operand, .. } => self.literal_text(*operand),
            _ => None,
        }
    }
}
