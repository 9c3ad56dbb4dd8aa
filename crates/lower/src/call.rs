//! Calls.
//!
//! Arguments are evaluated left to right, aggregates are copied for the callee, and what stands behind the last parameter
//! goes to an area of slots that `va_arg` walks. A call that does not fit the definition (K&R C allows it) passes what
//! the machine would pass, or is refused.

use raddle_cfront::ast::{Attribute, BinaryOp as COp, CastKind, ExprId, ExprKind, FunctionId as CFunctionId};
use raddle_cfront::check::constant::{Constant as CConstant, evaluate};
use raddle_cfront::layout::access::unit;
use raddle_cfront::layout::align_of;
use raddle_cfront::primitive::{Primitive, Question, SPURIOUS};
use raddle_cfront::types::{FunctionType, QualType, Type as CType};
use raddle_ir::passes::unknown_calls::VARIADIC_AREA;
use raddle_ir::{
    AllocStorage, BinaryOp, CastOp, Constant, FunctionId, InstKind, Lifetime, Operand, Ordering, Property,
    Rvalue, Shape, Terminator, Type, UnaryOp,
};

use crate::function::int;
use crate::jump::is_setjmp;
use crate::known::{self, BitQuestion, KnownFunction};
use crate::place::{Asked, Body, Val, signed};
use crate::refused::{Refused, refused_function};
use crate::types::{self, Class};

/// Each variadic argument takes a slot of so many bytes; one of 128 bits takes two.
const SLOT: u64 = 8;

impl Body<'_, '_> {
    /// The function that a callee expression names directly.
    fn direct(&self, callee: ExprId) -> Option<CFunctionId> {
        if let ExprKind::Cast { kind: CastKind::FunctionToPointer, operand, .. } = self.ast.exprs[callee].kind
            && let ExprKind::Function(id) = self.ast.exprs[operand].kind
        {
            return Some(id);
        }
        None
    }

    /// A call.
    pub(crate) fn call(&mut self, callee: ExprId, arguments: &[ExprId], ty: QualType) -> Val {
        let span = self.b.span;
        let direct = self.direct(callee);
        if let Some(function) = direct
            && let Some(value) = self.special_call(callee, function, arguments, ty)
        {
            self.cancellation_point(function);
            return value;
        }
        let copying = direct.and_then(|function| self.copying(function, arguments));
        let asked = self.asked.take_if(|(call, _)| *call == callee).map(|(_, asked)| asked);
        let twin = direct.and_then(|function| self.twin(function, asked?));
        let target = match (copying.map(|(copying, _)| copying).or(twin), direct) {
            (Some(model), _) => Operand::Constant(Constant::Function(model)),
            (None, Some(function)) => Operand::Constant(self.program.function_address(function)),
            (None, None) => self.scalar(callee),
        };
        let result = match self.class(ty) {
            Class::Aggregate => Some(Operand::Register(self.temporary(ty, "result"))),
            Class::Scalar(_) | Class::Void | Class::Function | Class::Unsupported(_) => None,
        };
        let mut passed: Vec<Operand> = result.into_iter().collect();
        self.pass(callee, direct, arguments, &mut passed);
        passed.extend(copying.map(|(_, unit)| self.b.size(unit)));
        self.b.span = span;
        if let Operand::Constant(Constant::Function(id)) = target
            && !self.fit_arguments(id, direct, ty, &mut passed)
        {
            return self.refuse(Refused::WrongArguments);
        }
        if let Some(function) = direct {
            self.adapt_thread_function(function, &mut passed);
        }
        let value = self.emit_call(target, passed, ty);
        if let Some(function) = direct {
            self.cancellation_point(function);
            self.end_if_noreturn(function);
        }
        result.map_or(value, Val::Aggregate)
    }

    /// The twin of a model that is enough where little is asked of the result: it has less to choose.
    fn twin(&mut self, function: CFunctionId, asked: Asked) -> Option<FunctionId> {
        let definition = self.program.resolve_function(function);
        if !self.program.is_model(definition) {
            return None;
        }
        let suffix = match asked {
            Asked::Nothing => "dropped",
            Asked::Sign => "sign",
        };
        let name = format!("{}_{suffix}", self.ast.text(self.ast.functions[definition].name));
        self.program.defined_function(&name)
    }

    /// For a function that copies memory: the model that does so by units, and the unit that the types of the pointers
    /// guarantee.
    fn copying(&mut self, function: CFunctionId, arguments: &[ExprId]) -> Option<(FunctionId, u64)> {
        let definition = self.program.resolve_function(function);
        if !self.program.is_model(definition) {
            return None;
        }
        let name = format!("{}_by", self.ast.text(self.ast.functions[definition].name));
        let model = self.program.defined_function(&name)?;
        let pointers = arguments.iter().filter_map(|argument| self.pointed_alignment(*argument));
        let alignment = pointers.min().unwrap_or(1);
        Some((model, unit(self.ast.model, alignment)))
    }

    /// The alignment of what an argument points to, before it became a pointer to `void`; nothing if it is no pointer.
    fn pointed_alignment(&self, mut argument: ExprId) -> Option<u64> {
        let is_void = |pointee: QualType| self.class(pointee) == Class::Void;
        let mut pointee = self.ast.types.pointee(self.ast.exprs[argument].ty.id)?;
        while is_void(pointee)
            && let ExprKind::Cast { operand, .. } = self.ast.exprs[argument].kind
            && let Some(inner) = self.ast.types.pointee(self.ast.exprs[operand].ty.id)
        {
            (argument, pointee) = (operand, inner);
        }
        let known = if is_void(pointee) { None } else { align_of(self.ast, pointee).ok() };
        Some(known.unwrap_or(1))
    }

    /// Whether a call in the program does more than the instruction: handlers of signals run, errors are reported.
    fn is_more(&self, known: KnownFunction) -> bool {
        let uses = |name: &&str| self.program.uses(name);
        let seen = if known == KnownFunction::Abort {
            ["signal", "sigaction"].iter().any(uses)
        } else {
            known == KnownFunction::Float(UnaryOp::FloatSqrt) && uses(&"__errno_location")
        };
        seen && !self.program.is_model(self.function)
    }

    /// A call of a function that means something by its name.
    fn special_call(
        &mut self,
        callee: ExprId,
        function: CFunctionId,
        arguments: &[ExprId],
        ty: QualType,
    ) -> Option<Val> {
        let declared = &self.ast.functions[function];
        let name = self.ast.text(declared.name);
        let definition = self.program.resolve_function(function);
        // Calling it is the violation, whatever the program puts into its body.
        if self.ast.primitive(function) == Some(Primitive::Error) {
            return Some(self.known(KnownFunction::Error, name, arguments, ty));
        }
        let defined = self.ast.functions[definition].body.is_some();
        if !defined || self.program.is_model(definition) {
            if is_setjmp(name) {
                return Some(self.setjmp(arguments));
            }
            let returns_twice = !defined && declared.attributes.contains(&Attribute::ReturnsTwice);
            let refused = refused_function(name).or_else(|| returns_twice.then_some(Refused::ReturnsTwice));
            if let Some(refused) = refused {
                return Some(self.refuse(refused));
            }
        }
        // The models of what instructions do are there for those who take their addresses, or see more of them.
        let is_instruction = self.program.is_model(definition)
            && known::known(self.ast, function).is_some_and(|known| !self.is_more(known));
        if defined && !is_instruction {
            return self.print_call(callee, function, arguments, ty);
        }
        if let Some(op) = known::typed_overflow(name) {
            let lost = self.overflow(op, arguments, true).scalar();
            let scalar = self.scalar_type(ty);
            return Some(Val::Scalar(self.resize(lost, scalar, false)));
        }
        let known = known::known(self.ast, function)?;
        // A function of one's own may have the name of one of mathematics.
        if matches!(known, KnownFunction::Float(_)) {
            let is_float = matches!(self.class(ty), Class::Scalar(Type::F32 | Type::F64));
            let same = |argument: &ExprId| self.class(self.ast.exprs[*argument].ty) == self.class(ty);
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
        let definition = direct.map(|function| self.program.resolve_function(function));
        let signature = match definition {
            Some(definition) => types::function_type(self.ast, self.ast.functions[definition].ty.id).cloned(),
            None => self.signature(callee),
        };
        let (fixed, variadic) = match (definition, signature) {
            (Some(definition), _) if self.program.takes_anything(definition) => (0, true),
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
        let Class::Scalar(wanted) = self.class(ty) else {
            self.invoke(None, callee, arguments);
            return Val::Void;
        };
        let given = match callee {
            Operand::Constant(Constant::Function(id)) => self.program.functions[id].result,
            Operand::Constant(_) | Operand::Register(_) => Some(wanted),
        };
        let dest = given.map(|given| self.b.register(given, None));
        self.invoke(dest, callee, arguments);
        let fitted = dest.and_then(|dest| self.fit(Operand::Register(dest), wanted));
        Val::Scalar(match fitted {
            Some(value) => value,
            None => {
                let signed = types::is_signed(self.ast, ty.id);
                self.havoc("result of a function of another type".to_owned(), wanted, signed)
            }
        })
    }

    fn end_if_noreturn(&mut self, function: CFunctionId) {
        let definition = self.program.resolve_function(function);
        if self.ast.functions[definition].body.is_none() && self.ast.functions[function].noreturn {
            // Nothing is known of it but that it ends the process.
            self.b.terminate(Terminator::ExitProcess(int(32, 1)));
        } else if self.ast.functions[function].noreturn {
            self.b.terminate(Terminator::Unreachable);
        }
    }

    /// A thread starts in a function that takes a pointer and returns one; others get one of that shape around them.
    fn adapt_thread_function(&mut self, function: CFunctionId, passed: &mut [Operand]) {
        if self.ast.text(self.ast.functions[function].name) == "pthread_create"
            && let Some(Operand::Constant(Constant::Function(start))) = passed.get_mut(2)
        {
            *start = self.program.thread_function(*start);
        }
    }

    fn signature(&self, callee: ExprId) -> Option<FunctionType> {
        let pointee = self.ast.types.pointee(self.ast.exprs[callee].ty.id)?;
        types::function_type(self.ast, pointee.id).cloned()
    }

    /// Brings the arguments to what the definition takes. Where no prototype was in sight they may be too many, which are
    /// dropped, too few, which may be anything, or of another type. False if that cannot be made up for.
    fn fit_arguments(
        &mut self,
        function: FunctionId,
        direct: Option<CFunctionId>,
        ty: QualType,
        passed: &mut Vec<Operand>,
    ) -> bool {
        if let Some(definition) = direct.map(|direct| self.program.resolve_function(direct)) {
            let result = types::function_type(self.ast, self.ast.functions[definition].ty.id)
                .map_or(Class::Void, |definition| self.class(definition.result));
            if (result == Class::Aggregate) != (self.class(ty) == Class::Aggregate) {
                return false;
            }
        }
        let wanted = &self.program.functions[function];
        let types: Vec<Type> =
            wanted.parameters.iter().map(|&parameter| wanted.registers[parameter].ty).collect();
        passed.truncate(types.len());
        for (value, ty) in passed.iter_mut().zip(&types) {
            match self.fit(*value, *ty) {
                Some(fitted) => *value = fitted,
                None => return false,
            }
        }
        for &ty in &types[passed.len()..] {
            let missing = self.havoc("argument that is not passed".to_owned(), ty, false);
            passed.push(missing);
        }
        true
    }

    /// A value in another type, as it arrives on the machine: integers are cut, addresses are integers. What is above a narrower
    /// integer nobody has set.
    fn fit(&mut self, value: Operand, to: Type) -> Option<Operand> {
        let size_type = self.b.size_type();
        match (self.b.type_of(value), to) {
            (from, to) if from == to => Some(value),
            (Type::Int(from), Type::Int(wide)) if from < wide => {
                let any = self.havoc("upper bits of a narrower argument".to_owned(), to, false);
                let upper = self.b.binary(BinaryOp::Shl, to, any, int(wide, from.into()));
                let lower = self.resize(value, to, false);
                Some(self.b.binary(BinaryOp::Or, to, upper, lower))
            }
            (Type::Int(_), Type::Int(_)) => Some(self.resize(value, to, true)),
            (Type::Int(_), Type::Ptr) => {
                let wide = self.resize(value, size_type, true);
                Some(self.b.cast(CastOp::IntToPointer, Type::Ptr, wide))
            }
            (Type::Ptr, Type::Int(_)) => {
                let address = self.b.cast(CastOp::PointerToInt, size_type, value);
                Some(self.resize(address, to, false))
            }
            (Type::Int(_) | Type::Ptr | Type::F32 | Type::F64, _) => None,
        }
    }

    /// An argument: a scalar, or the address of a copy. A `va_list` that is an array goes by its own address.
    pub(crate) fn argument(&mut self, argument: ExprId) -> Operand {
        let ty = self.ast.exprs[argument].ty;
        match self.value(argument) {
            Val::Scalar(value) => value,
            Val::Aggregate(from) if matches!(self.ast.types.kind(ty.id), CType::VaList) => from,
            Val::Aggregate(from) => {
                // The callee ends it.
                let home = Operand::Register(self.new_object(ty, "argument", false));
                self.copy(home, from, ty);
                home
            }
            Val::Void => int(32, 0),
        }
    }

    pub(crate) fn variadic_area(&mut self, arguments: &[ExprId]) -> Operand {
        let mut slots = Vec::new();
        let mut size = 0;
        for &argument in arguments {
            let ty = self.ast.exprs[argument].ty;
            let value = self.value(argument);
            slots.push((size, value, ty));
            size += types::size_of(self.ast, ty).max(1).next_multiple_of(SLOT);
        }
        let area = Operand::Register(self.b.local(size, SLOT, false, VARIADIC_AREA, Shape::Bytes));
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
            Class::Unsupported(what) => self.refuse(what),
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
                self.refuse(Refused::StrayVaStart);
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

    #[expect(clippy::too_many_lines, reason = "one flat match")]
    fn known(&mut self, known: KnownFunction, name: &str, arguments: &[ExprId], ty: QualType) -> Val {
        let span = self.b.span;
        let text = arguments.iter().find_map(|&argument| self.literal_text(argument));
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
        self.b.span = span;
        let value = |index: usize| values.get(index).copied().unwrap_or(int(32, 0));
        match known {
            KnownFunction::Nondet => {
                let Class::Scalar(scalar) = self.class(ty) else {
                    return self.refuse(Refused::NondetAggregate);
                };
                // One bit, so that both values are all there are.
                if types::is_bool(self.ast, ty.id) {
                    let bit = if name == SPURIOUS {
                        self.spurious(format!("{name}()"))
                    } else {
                        self.havoc(format!("{name}()"), Type::Int(1), false)
                    };
                    return Val::Scalar(self.resize(bit, scalar, false));
                }
                let signed = types::is_signed(self.ast, ty.id);
                let value = self.havoc(format!("{name}()"), scalar, signed);
                return Val::Scalar(value);
            }
            KnownFunction::Assume => {
                let condition = self.b.truth(value(0));
                self.b.emit(InstKind::Assume(condition));
            }
            KnownFunction::AtomicBegin => self.b.emit(InstKind::AtomicBegin),
            KnownFunction::AtomicEnd => self.b.emit(InstKind::AtomicEnd),
            KnownFunction::Error | KnownFunction::AssertFail => {
                let message = match (known, text) {
                    (KnownFunction::AssertFail, Some(text)) => format!("assertion `{text}` fails"),
                    _ => format!("`{name}` is called"),
                };
                self.b.check(Property::Assertion, int(1, 0), &message);
                self.b.terminate(Terminator::Abort);
            }
            KnownFunction::Abort => self.b.terminate(Terminator::Abort),
            KnownFunction::WaitUntil => {
                let condition = self.b.truth(value(0));
                self.b.emit(InstKind::WaitUntil(condition));
            }
            KnownFunction::Lock => self.b.emit(InstKind::Lock { lock: value(0) }),
            KnownFunction::Unlock => self.b.emit(InstKind::Unlock { lock: value(0) }),
            KnownFunction::Fork => {
                let dest = self.b.register(Type::Int(32), None);
                let mut function = value(0);
                if let Operand::Constant(Constant::Function(start)) = &mut function {
                    *start = self.program.thread_function(*start);
                }
                self.b.emit(InstKind::Fork { dest, function, argument: value(1) });
                return Val::Scalar(Operand::Register(dest));
            }
            KnownFunction::Join => {
                let dest = self.b.register(Type::Ptr, None);
                self.b.emit(InstKind::Join { dest: Some(dest), thread: value(0) });
                return Val::Scalar(Operand::Register(dest));
            }
            KnownFunction::CurrentThread => {
                return Val::Scalar(self.b.assign(Type::Int(32), Rvalue::CurrentThread));
            }
            KnownFunction::ThreadExists => {
                let exists = self.b.assign(Type::Int(1), Rvalue::ThreadExists(value(0)));
                return Val::Scalar(self.resize(exists, Type::Int(32), false));
            }
            KnownFunction::HoldsLock => {
                let holds = self.b.assign(Type::Int(1), Rvalue::HoldsLock(value(0)));
                return Val::Scalar(self.resize(holds, Type::Int(32), false));
            }
            KnownFunction::LockIsFree => {
                let free = self.b.assign(Type::Int(1), Rvalue::LockIsFree(value(0)));
                return Val::Scalar(self.resize(free, Type::Int(32), false));
            }
            KnownFunction::Peek => {
                let Operand::Constant(Constant::Int(_, unwritten)) = value(1) else {
                    return self.unsupported("looking at a word with a default that is not constant");
                };
                let unwritten = u32::try_from(unwritten & u128::from(u32::MAX)).unwrap_or_default();
                return Val::Scalar(self.b.assign(Type::Int(32), Rvalue::Peek(value(0), unwritten)));
            }
            KnownFunction::EndLocals => self.b.emit(InstKind::EndLife(Lifetime::Activations)),
            KnownFunction::Unwritten => {
                let Operand::Constant(Constant::Int(_, size)) = value(1) else {
                    return self.unsupported("making memory new whose size is not constant");
                };
                let size = u64::try_from(size).unwrap_or(u64::MAX);
                self.b.emit(InstKind::EndLife(Lifetime::Contents { pointer: value(0), size }));
            }
            KnownFunction::ExitThread => self.b.terminate(Terminator::ExitThread(value(0))),
            KnownFunction::ExitProcess => self.b.terminate(Terminator::ExitProcess(value(0))),
            KnownFunction::Alloc(storage) => {
                let dest = self.b.register(Type::Ptr, None);
                let zeroed = !matches!(value(1), Operand::Constant(Constant::Int(_, 0)));
                self.b.emit(InstKind::Alloc {
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
            KnownFunction::ProgramUses => {
                let uses = self.program.uses(text.as_deref().unwrap_or_default());
                return Val::Scalar(int(32, i128::from(uses)));
            }
            KnownFunction::ProgramReaches => {
                let reaches = self.program.reaches(text.as_deref().unwrap_or_default());
                return Val::Scalar(int(32, i128::from(reaches)));
            }
            KnownFunction::LooksAt(opaque) => {
                let looks = self.program.looks_at(opaque) as i128;
                return Val::Scalar(int(32, looks));
            }
            KnownFunction::CopiesLocks => {
                return Val::Scalar(int(32, i128::from(self.program.copies_locks())));
            }
            KnownFunction::RegisterCleanup => return self.register_cleanup(arguments.first().copied()),
            KnownFunction::Free => self.b.emit(InstKind::Free { pointer: value(0) }),
            KnownFunction::ObjectSize => {
                let size_type = self.b.size_type();
                return Val::Scalar(self.b.assign(size_type, Rvalue::ObjectSize(value(0))));
            }
            KnownFunction::Check(property) => {
                let condition = self.b.truth(value(0));
                self.b.check(property, condition, text.as_deref().unwrap_or(name));
            }
            KnownFunction::Unsupported => {
                self.unsupported(text.as_deref().unwrap_or(name));
            }
            KnownFunction::Fence => self.b.emit(InstKind::Fence(Ordering::SequentiallyConsistent)),
            KnownFunction::Intrinsic(which) => {
                let dest = match self.class(ty) {
                    Class::Scalar(scalar) => Some(self.b.register(scalar, None)),
                    Class::Aggregate | Class::Void | Class::Function | Class::Unsupported(_) => None,
                };
                self.b.emit(InstKind::Intrinsic { dest, which, arguments: values });
                return dest.map_or(Val::Void, |dest| Val::Scalar(Operand::Register(dest)));
            }
            KnownFunction::First => return Val::Scalar(value(0)),
            KnownFunction::Nothing => {}
            KnownFunction::Unreachable => {
                self.b.check(Property::MemorySafety, int(1, 0), "unreachable code was reached");
                self.b.terminate(Terminator::Unreachable);
            }
            KnownFunction::Alloca => {
                let dest = self.b.register(Type::Ptr, None);
                let size = self.resize(value(0), self.b.size_type(), false);
                self.b.emit(InstKind::Alloc {
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
            KnownFunction::Bits(question) => return Val::Scalar(self.bit_question(question, value(0), ty)),
            KnownFunction::FloatConstant(constant) => {
                return Val::Scalar(Operand::Constant(self.float_constant(constant, ty)));
            }
            KnownFunction::UnknownSize => {
                let kind = arguments.get(1).and_then(|&kind| evaluate(self.ast, kind));
                let least = matches!(kind, Some(CConstant::Integer(2 | 3)));
                return Val::Scalar(int(self.b.pointer_bits, if least { 0 } else { -1 }));
            }
            KnownFunction::Float(op) => {
                let scalar = self.scalar_type(ty);
                return Val::Scalar(self.b.assign(scalar, Rvalue::Unary(op, value(0))));
            }
        }
        Val::Void
    }

    fn bit_question(&mut self, question: BitQuestion, value: Operand, ty: QualType) -> Operand {
        let from = self.b.type_of(value);
        let Type::Int(bits) = from else { return value };
        let ask = |body: &mut Self, op, value| body.b.assign(from, Rvalue::Unary(op, value));
        let answer = match question {
            BitQuestion::LeadingZeros | BitQuestion::TrailingZeros => {
                let op = if question == BitQuestion::LeadingZeros {
                    UnaryOp::CountLeadingZeros
                } else {
                    UnaryOp::CountTrailingZeros
                };
                // Of zero they are undefined, and compilers differ.
                let has_any = match value {
                    Operand::Constant(Constant::Int(_, number)) if number != 0 => None,
                    Operand::Constant(_) | Operand::Register(_) => Some(self.b.truth(value)),
                };
                self.where_defined(has_any, (from, false), "zero bits of zero", |body| ask(body, op, value))
            }
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

    /// The bytes of an argument that is a string literal, up to its first zero.
    pub(crate) fn literal_bytes(&self, argument: ExprId) -> Option<Vec<u8>> {
        if let ExprKind::Cast { operand, .. } = self.ast.exprs[argument].kind {
            return self.literal_bytes(operand);
        }
        let ExprKind::String(literal) = &self.ast.exprs[argument].kind else { return None };
        let bytes: Option<Vec<u8>> = literal.units.iter().map(|&unit| u8::try_from(unit).ok()).collect();
        Some(bytes?.into_iter().take_while(|&byte| byte != 0).collect())
    }

    /// The answer, if the expression is a question of a model what the program uses.
    pub(crate) fn asked_of_program(&self, question: ExprId) -> Option<bool> {
        let kind = &self.ast.exprs[question].kind;
        if let ExprKind::Cast { operand, .. } = kind {
            return self.asked_of_program(*operand);
        }
        if let ExprKind::Binary(COp::Or, left, right) = kind {
            return Some(self.asked_of_program(*left)? || self.asked_of_program(*right)?);
        }
        let ExprKind::Call { callee, arguments } = kind else { return None };
        let is_question =
            self.ast.primitive(self.direct(*callee)?) == Some(Primitive::Question(Question::Uses));
        let text = if is_question { self.literal_text(*arguments.first()?)? } else { return None };
        Some(self.program.uses(&text))
    }

    /// The text of a string literal argument.
    fn literal_text(&self, argument: ExprId) -> Option<String> {
        if let ExprKind::Cast { operand, .. } = self.ast.exprs[argument].kind {
            return self.literal_text(operand);
        }
        if let ExprKind::String(literal) = &self.ast.exprs[argument].kind {
            return Some(literal.units.iter().filter_map(|&unit| char::from_u32(unit)).collect());
        }
        None
    }
}
