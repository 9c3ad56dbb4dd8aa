//! What is called, and how arguments and results fit: signatures, models made for one use, literals as arguments.

use crate::code::Code;
use crate::function::int;
use crate::known::BitQuestion;
use crate::place::ResultUse;
use crate::types::{self, Class};
use raddle_cfront::ast::{BinaryOp as COp, CastKind, ExprId, ExprKind, FunctionId as CFunctionId};
use raddle_cfront::layout::access::unit;
use raddle_cfront::layout::align_of;
use raddle_cfront::primitive::{Primitive, Question};
use raddle_cfront::types::{FunctionType, QualType};
use raddle_ir::{BinaryOp, CastOp, Constant, FunctionId, Operand, Rvalue, Terminator, Type, UnaryOp};

/// What is called, and how arguments and results fit.
pub(crate) struct Callees<'c, 'l, 'a> {
    pub(crate) code: &'c mut Code<'l, 'a>,
}

impl Callees<'_, '_, '_> {
    /// The function that a callee expression names directly.
    pub(crate) fn direct(&self, callee: ExprId) -> Option<CFunctionId> {
        if let ExprKind::Cast { kind: CastKind::FunctionToPointer, operand, .. } =
            self.code.ast.exprs[callee].kind
            && let ExprKind::Function(id) = self.code.ast.exprs[operand].kind
        {
            return Some(id);
        }
        None
    }

    /// The twin of a model that is enough where little is asked of the result: it has less to choose.
    pub(crate) fn twin(&mut self, function: CFunctionId, asked: ResultUse) -> Option<FunctionId> {
        let definition = self.code.program.resolve_function(function);
        if !self.code.program.is_model(definition) {
            return None;
        }
        let suffix = match asked {
            ResultUse::Nothing => "dropped",
            ResultUse::Sign => "sign",
        };
        let name = format!("{}_{suffix}", self.code.ast.text(self.code.ast.functions[definition].name));
        self.code.program.defined_function(&name)
    }

    /// For a function that copies memory: the model that does so by units, and the unit that the types of the pointers
    /// guarantee.
    pub(crate) fn copying(
        &mut self,
        function: CFunctionId,
        arguments: &[ExprId],
    ) -> Option<(FunctionId, u64)> {
        let definition = self.code.program.resolve_function(function);
        if !self.code.program.is_model(definition) {
            return None;
        }
        let name = format!("{}_by", self.code.ast.text(self.code.ast.functions[definition].name));
        let model = self.code.program.defined_function(&name)?;
        let pointers = arguments.iter().filter_map(|argument| self.pointed_alignment(*argument));
        let alignment = pointers.min().unwrap_or(1);
        Some((model, unit(self.code.ast.model, alignment)))
    }

    /// The alignment of what an argument points to, before it became a pointer to `void`; nothing if it is no pointer.
    pub(crate) fn pointed_alignment(&self, mut argument: ExprId) -> Option<u64> {
        let is_void = |pointee: QualType| self.code.class(pointee) == Class::Void;
        let mut pointee = self.code.ast.types.pointee(self.code.ast.exprs[argument].ty.id)?;
        while is_void(pointee)
            && let ExprKind::Cast { operand, .. } = self.code.ast.exprs[argument].kind
            && let Some(inner) = self.code.ast.types.pointee(self.code.ast.exprs[operand].ty.id)
        {
            (argument, pointee) = (operand, inner);
        }
        let known = if is_void(pointee) { None } else { align_of(self.code.ast, pointee).ok() };
        Some(known.unwrap_or(1))
    }

    pub(crate) fn end_if_noreturn(&mut self, function: CFunctionId) {
        let definition = self.code.program.resolve_function(function);
        if self.code.ast.functions[definition].body.is_none() && self.code.ast.functions[function].noreturn {
            // Nothing is known of it but that it ends the process.
            self.code.b.terminate(Terminator::ExitProcess(int(32, 1)));
        } else if self.code.ast.functions[function].noreturn {
            self.code.b.terminate(Terminator::Unreachable);
        }
    }

    /// A thread starts in a function that takes a pointer and returns one; others get one of that shape around them.
    pub(crate) fn adapt_thread_function(&mut self, function: CFunctionId, passed: &mut [Operand]) {
        if self.code.ast.text(self.code.ast.functions[function].name) == "pthread_create"
            && let Some(Operand::Constant(Constant::Function(start))) = passed.get_mut(2)
        {
            *start = self.code.program.thread_function(*start);
        }
    }

    pub(crate) fn signature(&self, callee: ExprId) -> Option<FunctionType> {
        let pointee = self.code.ast.types.pointee(self.code.ast.exprs[callee].ty.id)?;
        types::function_type(self.code.ast, pointee.id).cloned()
    }

    /// Brings the arguments to what the definition takes. Where no prototype was in sight they may be too many, which are
    /// dropped, too few, which may be anything, or of another type. False if that cannot be made up for.
    pub(crate) fn fit_arguments(
        &mut self,
        function: FunctionId,
        direct: Option<CFunctionId>,
        ty: QualType,
        passed: &mut Vec<Operand>,
    ) -> bool {
        if let Some(definition) = direct.map(|direct| self.code.program.resolve_function(direct)) {
            let result = types::function_type(self.code.ast, self.code.ast.functions[definition].ty.id)
                .map_or(Class::Void, |definition| self.code.class(definition.result));
            if (result == Class::Aggregate) != (self.code.class(ty) == Class::Aggregate) {
                return false;
            }
        }
        let wanted = &self.code.program.functions[function];
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
            let missing = self.code.havoc("argument that is not passed".to_owned(), ty, false);
            passed.push(missing);
        }
        true
    }

    /// A value in another type, as it arrives on the machine: integers are cut, addresses are integers. What is above a narrower
    /// integer nobody has set.
    pub(crate) fn fit(&mut self, value: Operand, to: Type) -> Option<Operand> {
        let size_type = self.code.b.size_type();
        match (self.code.b.type_of(value), to) {
            (from, to) if from == to => Some(value),
            (Type::Int(from), Type::Int(wide)) if from < wide => {
                let any = self.code.havoc("upper bits of a narrower argument".to_owned(), to, false);
                let upper = self.code.b.binary(BinaryOp::Shl, to, any, int(wide, from.into()));
                let lower = self.code.resize(value, to, false);
                Some(self.code.b.binary(BinaryOp::Or, to, upper, lower))
            }
            (Type::Int(_), Type::Int(_)) => Some(self.code.resize(value, to, true)),
            (Type::Int(_), Type::Ptr) => {
                let wide = self.code.resize(value, size_type, true);
                Some(self.code.b.cast(CastOp::IntToPointer, Type::Ptr, wide))
            }
            (Type::Ptr, Type::Int(_)) => {
                let address = self.code.b.cast(CastOp::PointerToInt, size_type, value);
                Some(self.code.resize(address, to, false))
            }
            (Type::Int(_) | Type::Ptr | Type::F32 | Type::F64, _) => None,
        }
    }

    pub(crate) fn bit_question(&mut self, question: BitQuestion, value: Operand, ty: QualType) -> Operand {
        let from = self.code.b.type_of(value);
        let Type::Int(bits) = from else { return value };
        let ask = |code: &mut Code<'_, '_>, op, value| code.b.assign(from, Rvalue::Unary(op, value));
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
                    Operand::Constant(_) | Operand::Register(_) => Some(self.code.b.truth(value)),
                };
                self.code
                    .where_defined(has_any, (from, false), "zero bits of zero", |code| ask(code, op, value))
            }
            BitQuestion::Count => ask(self.code, UnaryOp::PopCount, value),
            BitQuestion::Swap => ask(self.code, UnaryOp::ByteSwap, value),
            BitQuestion::Parity => {
                let count = ask(self.code, UnaryOp::PopCount, value);
                self.code.b.binary(BinaryOp::And, from, count, int(bits, 1))
            }
            BitQuestion::FirstSet => {
                let zeros = ask(self.code, UnaryOp::CountTrailingZeros, value);
                let place = self.code.b.binary(BinaryOp::Add, from, zeros, int(bits, 1));
                let any = self.code.b.truth(value);
                self.code.b.assign(from, Rvalue::Select(any, place, int(bits, 0)))
            }
            // The sign bit is cleared from all its copies; what is left begins behind them.
            BitQuestion::SignCopies => {
                let sign =
                    self.code.b.binary(BinaryOp::SignedShr, from, value, int(bits, i128::from(bits) - 1));
                let cleared = self.code.b.binary(BinaryOp::Xor, from, value, sign);
                let zeros = ask(self.code, UnaryOp::CountLeadingZeros, cleared);
                self.code.b.binary(BinaryOp::Sub, from, zeros, int(bits, 1))
            }
        };
        let target = self.code.scalar_type(ty);
        self.code.resize(answer, target, false)
    }

    /// The bytes of an argument that is a string literal, up to its first zero.
    pub(crate) fn literal_bytes(&self, argument: ExprId) -> Option<Vec<u8>> {
        if let ExprKind::Cast { operand, .. } = self.code.ast.exprs[argument].kind {
            return self.literal_bytes(operand);
        }
        let ExprKind::String(literal) = &self.code.ast.exprs[argument].kind else { return None };
        let bytes: Option<Vec<u8>> = literal.units.iter().map(|&unit| u8::try_from(unit).ok()).collect();
        Some(bytes?.into_iter().take_while(|&byte| byte != 0).collect())
    }

    /// The answer, if the expression is a question of a model what the program uses.
    pub(crate) fn asked_of_program(&self, question: ExprId) -> Option<bool> {
        let kind = &self.code.ast.exprs[question].kind;
        if let ExprKind::Cast { operand, .. } = kind {
            return self.asked_of_program(*operand);
        }
        if let ExprKind::Binary(COp::Or, left, right) = kind {
            return Some(self.asked_of_program(*left)? || self.asked_of_program(*right)?);
        }
        let ExprKind::Call { callee, arguments } = kind else { return None };
        let is_question =
            self.code.ast.primitive(self.direct(*callee)?) == Some(Primitive::Question(Question::Uses));
        let text = if is_question { self.literal_text(*arguments.first()?)? } else { return None };
        Some(self.code.program.uses(&text))
    }

    /// The text of a string literal argument.
    pub(crate) fn literal_text(&self, argument: ExprId) -> Option<String> {
        if let ExprKind::Cast { operand, .. } = self.code.ast.exprs[argument].kind {
            return self.literal_text(operand);
        }
        if let ExprKind::String(literal) = &self.code.ast.exprs[argument].kind {
            return Some(literal.units.iter().filter_map(|&unit| char::from_u32(unit)).collect());
        }
        None
    }
}
