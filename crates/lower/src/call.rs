//! Calls.
//!
//! Arguments are evaluated left to right, aggregates are copied for the callee, and what stands behind the last parameter
//! goes to an area of slots that `va_arg` walks. A call that does not fit the definition (K&R C allows it) passes what
//! the machine would pass, or is refused.

use raddle_cfront::ast::{Attribute, ExprId, FunctionId as CFunctionId};
use raddle_cfront::check::constant::{Constant as CConstant, evaluate};
use raddle_cfront::primitive::{Primitive, SPURIOUS};
use raddle_cfront::types::{QualType, Type as CType};
use raddle_ir::passes::unknown_calls::VARIADIC_AREA;
use raddle_ir::{
    AllocStorage, CheckMessage, Constant, InstKind, Lifetime, Operand, Ordering, Property, Rvalue, Shape,
    Terminator, Type, UnaryOp,
};

use crate::convert::float_constant;
use crate::function::int;
use crate::jump::is_setjmp;
use crate::known::{self, KnownFunction};
use crate::options::Threads;
use crate::place::{Body, Val, signed};
use crate::refused::{Refused, refused_function};
use crate::types::{self, Class};

/// Each variadic argument takes a slot of so many bytes; one of 128 bits takes two.
const SLOT: u64 = 8;

impl Body<'_, '_> {
    /// A call.
    pub(crate) fn call(&mut self, callee: ExprId, arguments: &[ExprId], ty: QualType) -> Val {
        let span = self.code.b.span;
        // Through a pointer the callee is any function; by its name it may be a special one.
        let direct = self.code.callees().direct(callee);
        if let Some(function) = direct
            && let Some(value) = self.special_call(callee, function, arguments, ty)
        {
            self.cancellation_point(function);
            return value;
        }
        let copying = direct.and_then(|function| self.code.callees().copying(function, arguments));
        // Taken out: what was asked is asked of this call only.
        let asked = self.asked.take_if(|(call, _)| *call == callee).map(|(_, asked)| asked);
        let twin = direct.and_then(|function| self.code.callees().twin(function, asked?));
        // First the models made for this use, then the function itself.
        let target = match (copying.map(|(copying, _)| copying).or(twin), direct) {
            (Some(model), _) => Operand::Constant(Constant::Function(model)),
            (None, Some(function)) => Operand::Constant(self.code.program.function_address(function)),
            (None, None) => self.scalar(callee),
        };
        let result = match self.code.class(ty) {
            Class::Aggregate => Some(Operand::Register(self.temporary(ty, "result"))),
            Class::Scalar(_) | Class::Void | Class::Function | Class::Unsupported(_) => None,
        };
        // The address for an aggregate result comes first.
        let mut passed: Vec<Operand> = result.into_iter().collect();
        self.pass(callee, direct, arguments, &mut passed);
        passed.extend(copying.map(|(_, unit)| self.code.b.size(unit)));
        self.code.b.span = span;
        // With the callee known, the arguments are brought to what it takes, also without a prototype in
        // sight.
        if let Operand::Constant(Constant::Function(id)) = target
            && !self.code.callees().fit_arguments(id, direct, ty, &mut passed)
        {
            return self.code.refuse(Refused::WrongArguments);
        }
        if let Some(function) = direct {
            self.code.callees().adapt_thread_function(function, &mut passed);
        }
        let value = self.emit_call(target, passed, ty);
        if let Some(function) = direct {
            self.cancellation_point(function);
            self.code.callees().end_if_noreturn(function);
        }
        result.map_or(value, Val::Aggregate)
    }

    /// Whether a call in the program does more than the instruction: handlers of signals run, errors are reported.
    fn is_more(&self, known: KnownFunction) -> bool {
        let uses = |name: &&str| self.code.program.uses(name);
        let seen = if known == KnownFunction::Abort {
            ["signal", "sigaction"].iter().any(uses)
        } else {
            known == KnownFunction::Float(UnaryOp::FloatSqrt) && uses(&"__errno_location")
        };
        seen && !self.code.program.is_model(self.function)
    }

    /// A call of a function that means something by its name.
    fn special_call(
        &mut self,
        callee: ExprId,
        function: CFunctionId,
        arguments: &[ExprId],
        ty: QualType,
    ) -> Option<Val> {
        let declared = &self.code.ast.functions[function];
        let name = self.code.ast.text(declared.name);
        let definition = self.code.program.resolve_function(function);
        // Calling it is the violation, whatever the program puts into its body.
        // Before looking for a body: programs define it themselves.
        if self.code.ast.primitive(function) == Some(Primitive::Error) {
            return Some(self.known(KnownFunction::Error, name, arguments, ty));
        }
        let defined = self.code.ast.functions[definition].body.is_some();
        if !defined || self.code.program.is_model(definition) {
            if is_setjmp(name) {
                return Some(self.setjmp(arguments));
            }
            let returns_twice = !defined && declared.attributes.contains(&Attribute::ReturnsTwice);
            let refused = refused_function(name).or_else(|| returns_twice.then_some(Refused::ReturnsTwice));
            if let Some(refused) = refused {
                return Some(self.code.refuse(refused));
            }
        }
        // The models of what instructions do are there for those who take their addresses, or see more of them.
        let is_instruction = self.code.program.is_model(definition)
            && known::known(self.code.ast, function).is_some_and(|known| !self.is_more(known));
        if defined && !is_instruction {
            return self.print_call(callee, function, arguments, ty);
        }
        if let Some(op) = known::typed_overflow(name) {
            let lost = self.overflow(op, arguments, true).scalar();
            let scalar = self.code.scalar_type(ty);
            return Some(Val::Scalar(self.code.resize(lost, scalar, false)));
        }
        let known = known::known(self.code.ast, function)?;
        // A function of one's own may have the name of one of mathematics.
        if matches!(known, KnownFunction::Float(_)) {
            let is_float = matches!(self.code.class(ty), Class::Scalar(Type::F32 | Type::F64));
            let same =
                |argument: &ExprId| self.code.class(self.code.ast.exprs[*argument].ty) == self.code.class(ty);
            if !is_float || !arguments.iter().all(same) {
                return None;
            }
        }
        Some(self.known(known, name, arguments, ty))
    }

    /// Evaluates the arguments of a call, and puts those behind the last parameter into the variadic area.
    fn pass(
        &mut self,
        callee: ExprId,
        direct: Option<CFunctionId>,
        arguments: &[ExprId],
        passed: &mut Vec<Operand>,
    ) {
        // The definition says where the variadic part begins, whatever was declared here.
        let definition = direct.map(|function| self.code.program.resolve_function(function));
        let signature = match definition {
            Some(definition) => {
                types::function_type(self.code.ast, self.code.ast.functions[definition].ty.id).cloned()
            }
            None => self.code.callees().signature(callee),
        };
        let (fixed, variadic) = match (definition, signature) {
            (Some(definition), _) if self.code.program.takes_anything(definition) => (0, true),
            (_, Some(signature)) if signature.prototype => (signature.parameters.len(), signature.variadic),
            (_, Some(_) | None) => (arguments.len(), false),
        };
        let (fixed, rest) = arguments.split_at(fixed.min(arguments.len()));
        for &argument in fixed {
            let value = self.argument(argument);
            passed.push(value);
        }
        if variadic {
            let area = self.variadic_area(rest);
            passed.push(area);
        } else {
            // More than the definition takes: evaluated, and lost.
            for &argument in rest {
                self.value(argument);
            }
        }
    }

    /// Calls, and brings the result to the type that the caller expects: without a prototype in sight it may be another.
    fn emit_call(&mut self, callee: Operand, arguments: Vec<Operand>, ty: QualType) -> Val {
        let Class::Scalar(wanted) = self.code.class(ty) else {
            self.invoke(None, callee, arguments);
            return Val::Void;
        };
        // Without a prototype the caller has assumed `int`.
        let given = match callee {
            Operand::Constant(Constant::Function(id)) => self.code.program.functions[id].result,
            Operand::Constant(_) | Operand::Register(_) => Some(wanted),
        };
        let dest = given.map(|given| self.code.b.register(given, None));
        self.invoke(dest, callee, arguments);
        let fitted = dest.and_then(|dest| self.code.callees().fit(Operand::Register(dest), wanted));
        Val::Scalar(match fitted {
            Some(value) => value,
            None => {
                let signed = types::is_signed(self.code.ast, ty.id);
                self.code.havoc("result of a function of another type".to_owned(), wanted, signed)
            }
        })
    }

    /// An argument: a scalar, or the address of a copy. A `va_list` that is an array goes by its own address.
    pub(crate) fn argument(&mut self, argument: ExprId) -> Operand {
        let ty = self.code.ast.exprs[argument].ty;
        match self.value(argument) {
            Val::Scalar(value) => value,
            Val::Aggregate(from) if matches!(self.code.ast.types.kind(ty.id), CType::VaList) => from,
            Val::Aggregate(from) => {
                // The callee ends it.
                let home = Operand::Register(self.code.objects().new_object(ty, "argument", false));
                self.code.objects().copy(home, from, ty);
                home
            }
            Val::Void => int(32, 0),
        }
    }

    pub(crate) fn variadic_area(&mut self, arguments: &[ExprId]) -> Operand {
        let mut slots = Vec::new();
        let mut size = 0;
        // All values first, then the area: an argument may contain a call with an area of its own.
        for &argument in arguments {
            let ty = self.code.ast.exprs[argument].ty;
            let value = self.value(argument);
            slots.push((size, value, ty));
            size += types::size_of(self.code.ast, ty).max(1).next_multiple_of(SLOT);
        }
        let area = Operand::Register(self.code.b.local(size, SLOT, false, VARIADIC_AREA, Shape::Bytes));
        for (offset, value, ty) in slots {
            let slot = self.code.b.offset(area, signed(offset));
            self.code.objects().store_value(slot, value, ty);
        }
        area
    }

    /// `va_arg`: takes the value at the list's position and moves on.
    pub(crate) fn va_arg(&mut self, list: ExprId, ty: QualType) -> Val {
        let list = self.list_address(list);
        let position = self.code.b.load(list, Type::Ptr, Ordering::Plain);
        let size = types::size_of(self.code.ast, ty).max(1).next_multiple_of(SLOT);
        let next = self.code.b.offset(position, signed(size));
        self.code.b.store(list, next, Type::Ptr, Ordering::Plain);
        match self.code.class(ty) {
            Class::Scalar(scalar) => Val::Scalar(self.code.b.load(position, scalar, Ordering::Plain)),
            Class::Aggregate => Val::Aggregate(position),
            Class::Void | Class::Function => Val::Void,
            Class::Unsupported(what) => self.code.refuse(what),
        }
    }

    /// The address of the position that a `va_list` expression holds: its first word.
    pub(crate) fn list_address(&mut self, list: ExprId) -> Operand {
        if self.code.ast.exprs[list].lvalue { self.address(list) } else { self.scalar(list) }
    }

    /// `va_start`
    pub(crate) fn va_start(&mut self, list: ExprId) -> Val {
        let list = self.list_address(list);
        match self.variadic {
            Some(area) => self.code.b.store(list, Operand::Register(area), Type::Ptr, Ordering::Plain),
            None => {
                self.code.refuse(Refused::StrayVaStart);
            }
        }
        Val::Void
    }

    /// `va_copy`
    pub(crate) fn va_copy(&mut self, to: ExprId, from: ExprId) -> Val {
        let (to, from) = (self.list_address(to), self.list_address(from));
        let position = self.code.b.load(from, Type::Ptr, Ordering::Plain);
        self.code.b.store(to, position, Type::Ptr, Ordering::Plain);
        Val::Void
    }

    #[expect(clippy::too_many_lines, reason = "one flat match")]
    fn known(&mut self, known: KnownFunction, name: &str, arguments: &[ExprId], ty: QualType) -> Val {
        let span = self.code.b.span;
        let text = arguments.iter().find_map(|&argument| self.code.callees().literal_text(argument));
        // These take their arguments as text or as questions and evaluate none.
        let unevaluated = matches!(
            known,
            KnownFunction::AssertFail
                | KnownFunction::Error
                | KnownFunction::ProgramUses
                | KnownFunction::ProgramReaches
                | KnownFunction::RegisterCleanup
        );
        let evaluated = if unevaluated { &[] } else { arguments };
        let values: Vec<Operand> = evaluated.iter().map(|&argument| self.argument(argument)).collect();
        self.code.b.span = span;
        let value = |index: usize| values.get(index).copied().unwrap_or(int(32, 0));
        match known {
            KnownFunction::Nondet => {
                let Class::Scalar(scalar) = self.code.class(ty) else {
                    return self.code.refuse(Refused::NondetAggregate);
                };
                // One bit, so that both values are all there are.
                if types::is_bool(self.code.ast, ty.id) {
                    let bit = if name == SPURIOUS {
                        self.code.spurious(format!("{name}()"))
                    } else {
                        self.code.havoc(format!("{name}()"), Type::Int(1), false)
                    };
                    return Val::Scalar(self.code.resize(bit, scalar, false));
                }
                let signed = types::is_signed(self.code.ast, ty.id);
                let value = self.code.havoc(format!("{name}()"), scalar, signed);
                return Val::Scalar(value);
            }
            KnownFunction::Assume => {
                let condition = self.code.b.truth(value(0));
                self.code.b.emit(InstKind::Assume(condition));
            }
            KnownFunction::AtomicBegin => self.code.b.emit(InstKind::AtomicBegin),
            KnownFunction::AtomicEnd => self.code.b.emit(InstKind::AtomicEnd),
            KnownFunction::Error | KnownFunction::AssertFail => {
                let message = match (known, text) {
                    (KnownFunction::AssertFail, Some(text)) => CheckMessage::Asserts(text.as_str().into()),
                    _ => CheckMessage::Forbids(name.into()),
                };
                self.code.b.check(Property::Assertion, int(1, 0), message);
                self.code.b.terminate(Terminator::Abort);
            }
            KnownFunction::Abort => self.code.b.terminate(Terminator::Abort),
            KnownFunction::WaitUntil => {
                let condition = self.code.b.truth(value(0));
                self.code.b.emit(InstKind::WaitUntil(condition));
            }
            KnownFunction::Lock => self.code.b.emit(InstKind::Lock { lock: value(0) }),
            KnownFunction::Unlock => self.code.b.emit(InstKind::Unlock { lock: value(0) }),
            KnownFunction::Fork => {
                let dest = self.code.b.register(Type::Int(32), None);
                let mut function = value(0);
                if let Operand::Constant(Constant::Function(start)) = &mut function {
                    *start = self.code.program.thread_function(*start);
                }
                self.code.b.emit(InstKind::Fork { dest, function, argument: value(1) });
                return Val::Scalar(Operand::Register(dest));
            }
            KnownFunction::Join => {
                let dest = self.code.b.register(Type::Ptr, None);
                self.code.b.emit(InstKind::Join { dest: Some(dest), thread: value(0) });
                return Val::Scalar(Operand::Register(dest));
            }
            KnownFunction::CurrentThread => {
                return Val::Scalar(self.code.b.assign(Type::Int(32), Rvalue::CurrentThread));
            }
            KnownFunction::ThreadExists => {
                let exists = self.code.b.assign(Type::Int(1), Rvalue::ThreadExists(value(0)));
                return Val::Scalar(self.code.resize(exists, Type::Int(32), false));
            }
            KnownFunction::HoldsLock => {
                let holds = self.code.b.assign(Type::Int(1), Rvalue::HoldsLock(value(0)));
                return Val::Scalar(self.code.resize(holds, Type::Int(32), false));
            }
            KnownFunction::LockIsFree => {
                let free = self.code.b.assign(Type::Int(1), Rvalue::LockIsFree(value(0)));
                return Val::Scalar(self.code.resize(free, Type::Int(32), false));
            }
            KnownFunction::Peek => {
                let Operand::Constant(Constant::Int(_, unwritten)) = value(1) else {
                    return self.code.unsupported("looking at a word with a default that is not constant");
                };
                let unwritten = u32::try_from(unwritten & u128::from(u32::MAX)).unwrap_or_default();
                return Val::Scalar(self.code.b.assign(Type::Int(32), Rvalue::Peek(value(0), unwritten)));
            }
            KnownFunction::EndLocals => self.code.b.emit(InstKind::EndLife(Lifetime::Activations)),
            KnownFunction::Unwritten => {
                let Operand::Constant(Constant::Int(_, size)) = value(1) else {
                    return self.code.unsupported("making memory new whose size is not constant");
                };
                let size = u64::try_from(size).unwrap_or(u64::MAX);
                self.code.b.emit(InstKind::EndLife(Lifetime::Contents { pointer: value(0), size }));
            }
            KnownFunction::ExitThread => self.code.b.terminate(Terminator::ExitThread(value(0))),
            KnownFunction::ExitProcess => self.code.b.terminate(Terminator::ExitProcess(value(0))),
            KnownFunction::Alloc(storage) => {
                let dest = self.code.b.register(Type::Ptr, None);
                let zeroed = !matches!(value(1), Operand::Constant(Constant::Int(_, 0)));
                self.code.b.emit(InstKind::Alloc {
                    dest,
                    size: value(0),
                    align: 16,
                    storage,
                    zeroed,
                    name: "malloc".into(),
                    shape: Box::default(),
                });
                return Val::Scalar(Operand::Register(dest));
            }
            KnownFunction::AllocAligned => {
                let Operand::Constant(Constant::Int(_, align)) = value(1) else {
                    return self.code.unsupported("a heap object whose alignment is not constant");
                };
                let dest = self.code.b.register(Type::Ptr, None);
                self.code.b.emit(InstKind::Alloc {
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
            KnownFunction::ProgramUses => {
                let uses = self.code.program.uses(text.as_deref().unwrap_or_default());
                return Val::Scalar(int(32, i128::from(uses)));
            }
            KnownFunction::ProgramReaches => {
                let reaches = self.code.program.reaches(text.as_deref().unwrap_or_default());
                return Val::Scalar(int(32, i128::from(reaches)));
            }
            KnownFunction::LooksAt(opaque) => {
                let looks = self.code.program.opaque.looks_at(self.code.ast, opaque) as i128;
                return Val::Scalar(int(32, looks));
            }
            KnownFunction::CopiesLocks => {
                return Val::Scalar(int(
                    32,
                    i128::from(self.code.program.opaque.copies_locks(self.code.ast)),
                ));
            }
            KnownFunction::KeepsThreadsApart => {
                let apart = self.code.program.options.threads == Threads::Apart;
                return Val::Scalar(int(32, i128::from(apart)));
            }
            KnownFunction::RegisterCleanup => return self.register_cleanup(arguments.first().copied()),
            KnownFunction::Free => self.code.b.emit(InstKind::Free { pointer: value(0) }),
            KnownFunction::ObjectSize => {
                let size_type = self.code.b.size_type();
                return Val::Scalar(self.code.b.assign(size_type, Rvalue::ObjectSize(value(0))));
            }
            KnownFunction::Check(property) => {
                let condition = self.code.b.truth(value(0));
                self.code.b.check(property, condition, text.as_deref().unwrap_or(name));
            }
            KnownFunction::Unsupported => {
                self.code.unsupported(text.as_deref().unwrap_or(name));
            }
            KnownFunction::Fence => self.code.b.emit(InstKind::Fence(Ordering::SequentiallyConsistent)),
            KnownFunction::Intrinsic(which) => {
                let dest = match self.code.class(ty) {
                    Class::Scalar(scalar) => Some(self.code.b.register(scalar, None)),
                    Class::Aggregate | Class::Void | Class::Function | Class::Unsupported(_) => None,
                };
                self.code.b.emit(InstKind::Intrinsic { dest, which, arguments: values });
                return dest.map_or(Val::Void, |dest| Val::Scalar(Operand::Register(dest)));
            }
            KnownFunction::First => return Val::Scalar(value(0)),
            KnownFunction::Nothing => {}
            KnownFunction::Unreachable => {
                self.code.b.check(Property::MemorySafety, int(1, 0), "unreachable code was reached");
                self.code.b.terminate(Terminator::Unreachable);
            }
            KnownFunction::Alloca => {
                let dest = self.code.b.register(Type::Ptr, None);
                let size = self.code.resize(value(0), self.code.b.size_type(), false);
                self.code.b.emit(InstKind::Alloc {
                    dest,
                    size,
                    align: 16,
                    storage: AllocStorage::Dynamic,
                    zeroed: false,
                    name: "alloca".into(),
                    shape: Box::default(),
                });
                return Val::Scalar(Operand::Register(dest));
            }
            KnownFunction::Bits(question) => {
                return Val::Scalar(self.code.callees().bit_question(question, value(0), ty));
            }
            KnownFunction::FloatConstant(constant) => {
                return Val::Scalar(Operand::Constant(float_constant(self.code.ast, constant, ty)));
            }
            KnownFunction::UnknownSize => {
                let kind = arguments.get(1).and_then(|&kind| evaluate(self.code.ast, kind));
                let least = matches!(kind, Some(CConstant::Integer(2 | 3)));
                return Val::Scalar(int(self.code.b.pointer_bits, if least { 0 } else { -1 }));
            }
            KnownFunction::Float(op) => {
                let scalar = self.code.scalar_type(ty);
                return Val::Scalar(self.code.b.assign(scalar, Rvalue::Unary(op, value(0))));
            }
        }
        Val::Void
    }
}
