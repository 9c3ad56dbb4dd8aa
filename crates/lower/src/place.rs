//! Places: what an lvalue designates, and how it is read and written.

use raddle_base::Id;
use raddle_cfront::ast::{self, ExprId, ExprKind, Storage, UnaryOp, VarId};
use raddle_cfront::layout::access::bit_unit;
use raddle_cfront::types::{QualType, Qualifiers};
use raddle_ir::{
    BinaryOp, BlockId, CastOp, Constant, GlobalId, HavocId, InstKind, Operand, Ordering, OverflowOp,
    RegisterId, Rvalue, Terminator, Type,
};
use rustc_hash::FxHashMap;

use crate::code::Code;
use crate::function::int;
use crate::jump::Jumps;
use crate::refused::Refused;
use crate::scope::{ComputedJump, ScopeStack};
use crate::types::{self, Class};

/// The body of one function under construction: lowers its statements and expressions.
///
/// That is a recursive descent over the tree, since a statement may stand in an expression; so it is one type. What needs no
/// recursion stands apart: the code being made ([`Code`], with views for topics) and the scopes that control is in
/// ([`ScopeStack`]).
pub(crate) struct Body<'l, 'a> {
    pub(crate) code: Code<'l, 'a>,
    /// The scopes that control is in, and where variables live.
    pub(crate) scopes: ScopeStack,
    pub(crate) function: ast::FunctionId,
    pub(crate) labels: FxHashMap<ast::LabelId, BlockId>,
    /// Where `break` and `continue` go, innermost last.
    pub(crate) exits: Vec<LoopExit>,
    pub(crate) switches: Vec<crate::statement::Cases>,
    /// Where a result held in memory goes.
    pub(crate) result: Option<RegisterId>,
    /// The area of variadic arguments.
    pub(crate) variadic: Option<RegisterId>,
    /// The whole function is one atomic block.
    pub(crate) atomic: bool,
    /// The parameters that are aggregates, in the caller's copies, which end with this function.
    pub(crate) copies: Vec<RegisterId>,
    /// What is asked of the result of the call with this callee, where that is little.
    pub(crate) asked: Option<(ExprId, ResultUse)>,
    /// Where computed jumps meet, and the register that says which label they go to.
    pub(crate) dispatch: Option<(BlockId, RegisterId)>,
    /// Computed jumps that go by themselves.
    pub(crate) computed: Vec<ComputedJump>,
    /// Jumps out of calls.
    pub(crate) jumps: Jumps,
    /// The lengths of variable length arrays, evaluated where their types are declared.
    pub(crate) lengths: FxHashMap<ExprId, RegisterId>,
}

/// How little of a call's result is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultUse {
    /// Nothing.
    Nothing,
    /// How it compares with zero.
    Sign,
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopExit {
    pub(crate) break_to: BlockId,
    /// A `switch` has none of its own.
    pub(crate) continue_to: Option<BlockId>,
    /// How many scopes are not left.
    pub(crate) depth: usize,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Home {
    /// In a register.
    Register(RegisterId),
    /// In memory, at the address that the register holds.
    Memory(RegisterId),
}

/// What an lvalue designates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lvalue {
    /// A register.
    Register(RegisterId),
    /// Memory.
    Memory(Operand, Ordering),
    /// Some bits of a unit of memory.
    Bits { address: Operand, unit: u8, shift: u8, width: u8, signed: bool },
}

/// The value of an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Val {
    /// In a register or constant.
    Scalar(Operand),
    /// In memory, at this address, until the next store there.
    Aggregate(Operand),
    /// None.
    Void,
}

impl Val {
    /// The scalar; anything else comes from code that cannot be reached.
    pub(crate) fn scalar(self) -> Operand {
        match self {
            Self::Scalar(operand) | Self::Aggregate(operand) => operand,
            Self::Void => Operand::Constant(Constant::Int(32, 0)),
        }
    }
}

impl Code<'_, '_> {
    /// The construct has no meaning here: a path that reaches it makes the verdict unknown.
    pub(crate) fn refuse(&mut self, what: Refused) -> Val {
        self.unsupported(&what.text())
    }

    /// The same for what has a name of its own.
    pub(crate) fn unsupported(&mut self, what: &str) -> Val {
        self.b.terminate(Terminator::Unsupported(what.into()));
        Val::Void
    }

    pub(crate) fn class(&self, ty: QualType) -> Class {
        types::class(self.ast, ty)
    }

    /// The IR type of a scalar C type; another type comes only from code that cannot be reached.
    pub(crate) fn scalar_type(&mut self, ty: QualType) -> Type {
        match self.class(ty) {
            Class::Scalar(scalar) => scalar,
            Class::Unsupported(what) => {
                self.refuse(what);
                Type::Int(32)
            }
            Class::Aggregate | Class::Function => Type::Ptr,
            Class::Void => Type::Int(32),
        }
    }

    fn global_address(&mut self, global: GlobalId, thread_local: bool) -> Operand {
        if thread_local || self.program.globals[global].thread_local {
            self.b.assign(Type::Ptr, Rvalue::ThreadLocal(global))
        } else {
            Operand::Constant(Constant::Global(global, 0))
        }
    }

    /// Accesses through an `_Atomic` lvalue are sequentially consistent.
    pub(crate) fn ordering(&self, ty: QualType) -> Ordering {
        let atomic = self.ast.types.qualifiers(ty).contains(Qualifiers::ATOMIC);
        if atomic { Ordering::SequentiallyConsistent } else { Ordering::Plain }
    }

    pub(crate) fn member(&mut self, address: Operand, record: ast::RecordId, field: u32) -> Lvalue {
        self.field(address, record, field, Ordering::Plain)
    }

    fn field(&mut self, address: Operand, record: ast::RecordId, field: u32, ordering: Ordering) -> Lvalue {
        let fields = self.ast.records[record].fields.as_deref().unwrap_or_default();
        let place = field as usize;
        let Some(field) = fields.get(place) else { return Lvalue::Memory(address, ordering) };
        let Some(width) = field.width else {
            return Lvalue::Memory(self.b.offset(address, signed(field.bit_offset / 8)), ordering);
        };
        // The unit is the same for all bit-fields that share bytes, so writing one keeps the others.
        let (start, bytes) = bit_unit(&self.ast.records[record], place);
        let small = |value: u64| u8::try_from(value).expect("a bit-field spans at most 17 bytes");
        Lvalue::Bits {
            address: self.b.offset(address, signed(start)),
            unit: small((bytes * 8).min(128)),
            shift: small(field.bit_offset - start * 8),
            width: small(u64::from(width)),
            signed: types::is_signed(self.ast, field.ty.id),
        }
    }

    /// Whether so many elements are a number of bytes that an address can count, whatever the index is.
    fn fits_any_index(&self, index: Operand, size: Operand) -> bool {
        let pointer_bits = u32::from(self.b.pointer_bits);
        let Operand::Constant(Constant::Int(_, size)) = size else { return false };
        let size_bits = u128::BITS - size.leading_zeros();
        match (index, self.b.type_of(index)) {
            _ if size <= 1 => true,
            // With a constant the product is known; only its size counts.
            (Operand::Constant(Constant::Int(bits, value)), _) => {
                let shift = 128 - u32::from(bits);
                let value = (value << shift).cast_signed() >> shift;
                let size = i128::try_from(size).unwrap_or(i128::MAX);
                value.checked_mul(size).is_some_and(|bytes| bytes.unsigned_abs() < 1 << (pointer_bits - 1))
            }
            // Neither factor has enough bits for a product that an address could not hold.
            (_, Type::Int(bits)) => u32::from(bits) + size_bits <= pointer_bits,
            (_, Type::F32 | Type::F64 | Type::Ptr) => true,
        }
    }

    /// An integer in another width.
    pub(crate) fn resize(&mut self, value: Operand, to: Type, signed: bool) -> Operand {
        let (Type::Int(from), Type::Int(bits)) = (self.b.type_of(value), to) else { return value };
        // Constants are folded here, so that what is known stays known to the passes.
        if let Operand::Constant(Constant::Int(_, value)) = value {
            let unused = 128 - u32::from(from);
            let extended =
                if signed { (value << unused).cast_signed() >> unused } else { value.cast_signed() };
            return int(bits, extended);
        }
        match from.cmp(&bits) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.b.cast(CastOp::Truncate, to, value),
            std::cmp::Ordering::Less => {
                self.b.cast(if signed { CastOp::SignExtend } else { CastOp::ZeroExtend }, to, value)
            }
        }
    }

    /// Reads a scalar.
    pub(crate) fn read(&mut self, place: Lvalue, ty: Type) -> Operand {
        match place {
            // A later write to the register must not change what was read now.
            Lvalue::Register(register) => {
                let ty = self.b.registers[register].ty;
                self.b.assign(ty, Rvalue::Use(Operand::Register(register)))
            }
            Lvalue::Memory(address, ordering) => self.b.load(address, ty, ordering),
            Lvalue::Bits { address, unit, shift, width, signed } => {
                let whole = self.b.load(address, Type::Int(unit), Ordering::Plain);
                let low = self.shift(BinaryOp::UnsignedShr, whole, unit, shift);
                // Cut to its width first; extending then gives the sign of the field and not that of the
                // unit.
                let field = self.resize(low, Type::Int(width), false);
                self.resize(field, ty, signed)
            }
        }
    }

    fn shift(&mut self, op: BinaryOp, value: Operand, unit: u8, amount: u8) -> Operand {
        if amount == 0 { value } else { self.b.binary(op, Type::Int(unit), value, int(unit, amount.into())) }
    }

    /// Writes a scalar, and gives the value that the place then holds (a bit-field may have cut it).
    pub(crate) fn write(&mut self, place: Lvalue, value: Operand, ty: Type) -> Operand {
        match place {
            Lvalue::Register(register) => {
                self.b.set(register, value);
                value
            }
            Lvalue::Memory(address, ordering) => {
                self.b.store(address, value, ty, ordering);
                value
            }
            Lvalue::Bits { address, unit, shift, width, signed } => {
                let whole_type = Type::Int(unit);
                // Read, change and write back the whole unit: other fields in it are written with what was
                // read, which races show.
                let field = self.resize(value, Type::Int(width), false);
                let old = self.b.load(address, whole_type, Ordering::Plain);
                let hole = !(mask(width) << shift);
                let kept = self.b.binary(BinaryOp::And, whole_type, old, int(unit, hole.cast_signed()));
                let wide = self.resize(field, whole_type, false);
                let moved = self.shift(BinaryOp::Shl, wide, unit, shift);
                let new = self.b.binary(BinaryOp::Or, whole_type, kept, moved);
                self.b.store(address, new, whole_type, Ordering::Plain);
                // The value of the assignment is what the field holds now, cut to its width.
                self.resize(field, ty, signed)
            }
        }
    }

    /// A nondeterministic value.
    pub(crate) fn havoc(&mut self, name: String, ty: Type, signed: bool) -> Operand {
        let site = self.program.havoc(name, ty, signed, self.b.span);
        self.choose(site, ty)
    }

    /// Whether a wait ends for no reason.
    pub(crate) fn spurious(&mut self, name: String) -> Operand {
        let ty = Type::Int(1);
        let site = self.program.spurious(name, ty, self.b.span);
        self.choose(site, ty)
    }

    fn choose(&mut self, site: HavocId, ty: Type) -> Operand {
        let dest = self.b.register(ty, None);
        self.b.emit(InstKind::Havoc { dest, site });
        Operand::Register(dest)
    }

    /// Whether a variable must live in memory.
    pub(crate) fn needs_memory(&self, var: VarId) -> bool {
        self.program.addressed.contains(var.index())
            || !matches!(self.class(self.ast.vars[var].ty), Class::Scalar(_))
    }
}

impl Body<'_, '_> {
    /// What an lvalue designates.
    pub(crate) fn lvalue(&mut self, expr: ExprId) -> Lvalue {
        let node = &self.code.ast.exprs[expr];
        // Operands set the span for themselves; the access itself counts as the whole expression.
        self.code.b.span = node.span;
        let ordering = self.code.ordering(node.ty);
        match &node.kind {
            ExprKind::Var(var) => self.variable(*var, ordering),
            ExprKind::Unary(UnaryOp::Deref, pointer) => {
                let address = self.value(*pointer).scalar();
                Lvalue::Memory(address, ordering)
            }
            ExprKind::Member { base, record, field, arrow } => {
                // `a.b` takes the address of `a`, `a->b` its value.
                let address = if *arrow { self.value(*base).scalar() } else { self.address(*base) };
                self.code.field(address, *record, *field, ordering)
            }
            ExprKind::Index { base, index } => {
                let address = self.element(*base, *index);
                Lvalue::Memory(address, ordering)
            }
            ExprKind::String(literal) => {
                let id = self.code.program.string(literal);
                Lvalue::Memory(Operand::Constant(Constant::Global(id, 0)), Ordering::Plain)
            }
            ExprKind::FunctionName(_, text) => {
                let id = self.code.program.string(&plain_string(text));
                Lvalue::Memory(Operand::Constant(Constant::Global(id, 0)), Ordering::Plain)
            }
            ExprKind::CompoundLiteral { init, static_storage } => {
                let address = if *static_storage {
                    Operand::Constant(Constant::Global(
                        self.code.program.unnamed_global(init, node.ty, node.span),
                        0,
                    ))
                } else {
                    self.compound_literal(init, node.ty)
                };
                Lvalue::Memory(address, ordering)
            }
            ExprKind::Function(id) => {
                let address = self.code.program.function_address(*id);
                Lvalue::Memory(Operand::Constant(address), Ordering::Plain)
            }
            // Values of aggregate type lie in memory as well.
            // An array member of a function's result, for example, is reached through the object that holds
            // the result.
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::Imaginary(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Comma(..)
            | ExprKind::Cast { .. }
            | ExprKind::Call { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::TypeQuery(..)
            | ExprKind::ExprQuery(..)
            | ExprKind::Offsetof { .. }
            | ExprKind::VaArg(_)
            | ExprKind::Statement(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => match self.value(expr) {
                Val::Aggregate(address) => Lvalue::Memory(address, Ordering::Plain),
                Val::Scalar(value) => {
                    let ty = self.code.b.type_of(value);
                    let register = self.code.b.register(ty, None);
                    self.code.b.set(register, value);
                    Lvalue::Register(register)
                }
                Val::Void => Lvalue::Memory(Operand::Constant(Constant::Null), Ordering::Plain),
            },
        }
    }

    pub(crate) fn variable(&mut self, var: VarId, ordering: Ordering) -> Lvalue {
        match self.scopes.homes.get(&var) {
            Some(Home::Register(register)) => Lvalue::Register(*register),
            Some(Home::Memory(address)) => Lvalue::Memory(Operand::Register(*address), ordering),
            None => {
                let declared = &self.code.ast.vars[var];
                if !matches!(declared.storage, Storage::External | Storage::Static) {
                    // A variable of the function around this one.
                    self.code.refuse(Refused::NestedCapture);
                    return Lvalue::Memory(Operand::Constant(Constant::Null), Ordering::Plain);
                }
                if self.code.program.is_weak_undefined(var) {
                    return Lvalue::Memory(Operand::Constant(Constant::Null), ordering);
                }
                let global = self.code.program.global(var);
                Lvalue::Memory(self.code.global_address(global, declared.thread_local), ordering)
            }
        }
    }

    /// The address of what an expression designates; a bit-field or register has none.
    pub(crate) fn address(&mut self, expr: ExprId) -> Operand {
        match self.lvalue(expr) {
            Lvalue::Memory(address, _) | Lvalue::Bits { address, .. } => address,
            // Only a value that was never an object is found here: give it a place of its own.
            Lvalue::Register(register) => {
                let ty = self.code.b.registers[register].ty;
                let bytes = raddle_ir::layout::bytes(ty, self.code.b.pointer_bits);
                let home = Operand::Register(self.code.b.local(
                    bytes,
                    bytes,
                    false,
                    "temporary",
                    raddle_ir::Shape::Bytes,
                ));
                self.code.b.store(home, Operand::Register(register), ty, Ordering::Plain);
                home
            }
        }
    }

    fn element(&mut self, base: ExprId, index: ExprId) -> Operand {
        // `index[array]` is the same as `array[index]`; operands are evaluated in the order in which they are
        // written.
        let pointer_first = self.code.ast.types.pointee(self.code.ast.exprs[base].ty.id).is_some();
        let left = self.value(base).scalar();
        let right = self.value(index).scalar();
        let (pointer, index, pointer_expr, index_expr) =
            if pointer_first { (left, right, base, index) } else { (right, left, index, base) };
        self.pointer_plus(
            pointer,
            index,
            self.code.ast.exprs[pointer_expr].ty,
            self.code.ast.exprs[index_expr].ty,
            false,
        )
    }

    /// `pointer ± index`, counted in elements.
    pub(crate) fn pointer_plus(
        &mut self,
        pointer: Operand,
        index: Operand,
        pointer_ty: QualType,
        index_ty: QualType,
        minus: bool,
    ) -> Operand {
        let signed = types::is_signed(self.code.ast, index_ty.id);
        let Some(element) = self.code.ast.types.pointee(pointer_ty.id) else { return pointer };
        let size = self.size_value(element);
        let is_narrow = self.code.fits_any_index(index, size);
        let index = self.code.resize(index, self.code.b.size_type(), signed);
        let ty = self.code.b.size_type();
        // So far away that the bytes cannot be counted is out of bounds (C11 6.5.6p8), wherever the product would lead.
        let pointer = if is_narrow {
            pointer
        } else {
            let far = self.code.b.assign(Type::Int(1), Rvalue::Overflows(OverflowOp::SignedMul, index, size));
            // A null pointer instead: the access is then invalid whatever the product would have been.
            self.code.b.assign(Type::Ptr, Rvalue::Select(far, Operand::Constant(Constant::Null), pointer))
        };
        let mut bytes = match (index, size) {
            (Operand::Constant(Constant::Int(bits, index)), Operand::Constant(Constant::Int(_, size))) => {
                int(bits, index.wrapping_mul(size).cast_signed())
            }
            (index, Operand::Constant(Constant::Int(_, 1))) => index,
            (index, size) => self.code.b.binary(BinaryOp::Mul, ty, index, size),
        };
        if minus {
            bytes = if let Operand::Constant(Constant::Int(bits, value)) = bytes {
                int(bits, value.wrapping_neg().cast_signed())
            } else {
                self.code.b.binary(BinaryOp::Sub, ty, int(self.code.b.pointer_bits, 0), bytes)
            };
        }
        if matches!(bytes, Operand::Constant(Constant::Int(_, 0))) {
            return pointer;
        }
        self.code.b.assign(Type::Ptr, Rvalue::PointerAdd(pointer, bytes))
    }
}

/// A string literal without prefix.
pub(crate) fn plain_string(text: &str) -> ast::StringLiteral {
    ast::StringLiteral { encoding: ast::Encoding::Plain, units: text.bytes().map(u32::from).collect() }
}

/// What the address of a label is: a number that no object has as its address.
pub(crate) fn label_number(label: ast::LabelId) -> u128 {
    label.index() as u128 + 1
}

pub(crate) fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// An offset inside an object; objects are smaller than half the address space.
pub(crate) fn signed(offset: u64) -> i64 {
    i64::try_from(offset).unwrap_or(i64::MAX)
}
