//! Declarations in functions: what makes objects and values of variables, and when lengths of arrays are evaluated.

use crate::code::Code;
use crate::lowering::LocalObject;
use crate::place::{Body, Home};
use crate::refused::Refused;
use crate::scope::ScopeStack;
use crate::types::{self};
use raddle_cfront::ast::{self, ExprId, Item, Storage, VarId};
use raddle_cfront::types::{ArrayLength, QualType, Type as CType};
use raddle_ir::{AllocStorage, BlockId, InstKind, Operand, RegisterId, Terminator, Type};

impl Code<'_, '_> {
    pub(crate) fn dispatch_from(
        &mut self,
        block: BlockId,
        number: RegisterId,
        cases: Vec<(u128, u128, BlockId)>,
    ) {
        let elsewhere = self.b.block();
        self.b.switch_to(block);
        self.b.terminate(Terminator::Switch { value: Operand::Register(number), cases, default: elsewhere });
        // A number that is no label of this function.
        self.b.switch_to(elsewhere);
        self.refuse(Refused::ForeignLabel);
    }

    /// A nested function is a function of its own; what it takes from the function around it is refused where it does.
    pub(crate) fn nested_function(&mut self, id: ast::FunctionId) {
        let known = self.program.function(id);
        self.program.define_function(id, known);
    }
}

impl ScopeStack {
    /// Makes the object of a variable, at the address register it has or a new one.
    pub(crate) fn allocate_variable(
        &mut self,
        code: &mut Code<'_, '_>,
        var: VarId,
        zeroed: bool,
    ) -> RegisterId {
        let declared = &code.ast.vars[var];
        code.b.span = declared.span;
        let size = types::size_of(code.ast, declared.ty);
        let align = declared
            .align
            .unwrap_or(1)
            .max(raddle_cfront::layout::align_of(code.ast, declared.ty).unwrap_or(1));
        let name = declared.name.map_or("local", |name| code.ast.text(name));
        let register = match self.homes.get(&var) {
            Some(Home::Memory(register)) => *register,
            Some(Home::Register(_)) | None => code.b.register(Type::Ptr, None),
        };
        let shape = types::shape(code.ast, declared.ty);
        let object = LocalObject { size, align, name: name.to_owned(), shape: shape.clone() };
        code.b.alloc_into(register, size, align, zeroed, name, shape);
        self.objects.insert(register, object);
        self.homes.insert(var, Home::Memory(register));
        register
    }
}

impl Body<'_, '_> {
    pub(crate) fn declare(&mut self, item: &Item) {
        match *item {
            Item::Var { id, definition: true } => self.declare_variable(id),
            Item::Function { id, definition: true } => self.code.nested_function(id),
            // The lengths in a typedef count from here on, whatever becomes of the variables in them.
            Item::Typedef(id) => self.evaluate_lengths(self.code.ast.typedefs[id].ty),
            Item::Var { definition: false, .. }
            | Item::Function { definition: false, .. }
            | Item::Record { .. }
            | Item::Enum(_)
            | Item::Asm(_)
            | Item::Label(_) => {}
        }
    }

    pub(crate) fn declare_variable(&mut self, id: VarId) {
        let declared = &self.code.ast.vars[id];
        self.code.b.span = declared.span;
        match declared.storage {
            Storage::External | Storage::Static => {
                self.code.program.global(id);
            }
            Storage::Automatic | Storage::Register | Storage::Parameter => {
                self.declare_local(id);
                if let (Some(function), Some(scope)) = (self.cleanup_of(id), self.scopes.open.last_mut()) {
                    scope.cleanups.push((id, function));
                }
            }
        }
    }

    fn declare_local(&mut self, var: VarId) {
        let ast = self.code.ast;
        let declared = &ast.vars[var];
        self.evaluate_lengths(declared.ty);
        let name = declared.name.map_or("local", |name| ast.text(name));
        if !self.code.needs_memory(var) {
            let Some(register) = self.scopes.register_of(&mut self.code, var) else { return };
            match &declared.init {
                Some(init) => {
                    let value = self.scalar_initializer(init, declared.ty);
                    self.code.b.span = declared.span;
                    self.code.b.set(register, value);
                }
                None => {
                    let signed = types::is_signed(ast, declared.ty.id);
                    let scalar = self.code.b.registers[register].ty;
                    let site = self.code.program.uninitialised(name, scalar, signed, self.code.b.span);
                    self.code.b.emit(InstKind::Havoc { dest: register, site });
                }
            }
            return;
        }
        if raddle_cfront::layout::size_of(ast, declared.ty).is_ok() {
            let zeroed = declared.init.as_ref().is_some_and(|init| self.code.objects().starts_as_zeros(init));
            let register = match self.scopes.homes.get(&var) {
                // It is the same object each time, made where its scope was entered.
                // In a loop or behind a label the same declaration makes the same object, until its scope is
                // left.
                Some(Home::Memory(register)) if self.scopes.comes_again() => {
                    let register = *register;
                    if zeroed {
                        self.code.objects().fill_with_zeros(Operand::Register(register), declared.ty);
                    }
                    register
                }
                Some(Home::Memory(_) | Home::Register(_)) | None => {
                    self.scopes.allocate_variable(&mut self.code, var, zeroed)
                }
            };
            self.scopes.note_object(register);
            if let Some(init) = &declared.init {
                // Of a type without meaning the object is there; only its value is refused.
                self.initialize(Operand::Register(register), init, declared.ty);
            }
            return;
        }
        let size = self.size_value(declared.ty);
        let dest = self.code.b.register(Type::Ptr, None);
        if self.scopes.comes_again() {
            // Control has left its scope, which begins at its declaration.
            // Ending null ends nothing, so this is right the first time, too.
            self.scopes.nulls.insert(dest);
            self.code.end_conditional(dest);
        }
        let align = raddle_cfront::layout::align_of(ast, declared.ty).unwrap_or(16);
        self.code.b.emit(InstKind::Alloc {
            dest,
            size,
            align,
            storage: AllocStorage::Dynamic,
            zeroed: false,
            name: name.into(),
            shape: Box::default(),
        });
        self.scopes.note_object(dest);
        self.scopes.homes.insert(var, Home::Memory(dest));
    }

    /// Evaluates the lengths in a type once, where it is written. Those behind a typedef were evaluated with the typedef.
    pub(crate) fn evaluate_lengths(&mut self, ty: QualType) {
        match *self.code.ast.types.written(ty.id) {
            // The length of the outer array is evaluated before that of its elements, in the order of the
            // text.
            CType::Array { element, length } => {
                if let ArrayLength::Variable(length) = length {
                    let value = self.length_value(length);
                    let register = self.code.b.register(self.code.b.size_type(), None);
                    self.code.b.set(register, value);
                    self.lengths.insert(length, register);
                }
                self.evaluate_lengths(element);
            }
            CType::Pointer(target) => self.evaluate_lengths(target),
            CType::Void
            | CType::Int(_)
            | CType::Float(_)
            | CType::Complex(_)
            | CType::ComplexInt(_)
            | CType::Vector { .. }
            | CType::Function(_)
            | CType::Record(_)
            | CType::Enum(_)
            | CType::VaList
            | CType::Typedef(_)
            | CType::Error => {}
        }
    }

    /// The length of a variable length array, as it was where the type was met.
    pub(crate) fn array_length(&mut self, length: ExprId) -> Operand {
        match self.lengths.get(&length) {
            Some(&register) => Operand::Register(register),
            None => self.length_value(length),
        }
    }

    fn length_value(&mut self, length: ExprId) -> Operand {
        let signed = types::is_signed(self.code.ast, self.code.ast.exprs[length].ty.id);
        let value = self.scalar(length);
        let size_type = self.code.b.size_type();
        self.code.resize(value, size_type, signed)
    }
}
