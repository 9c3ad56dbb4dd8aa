//! Statements and function bodies.

use raddle_cfront::ast::{self, Attribute, ExprId, ExprKind, Item, StmtId, StmtKind, Storage, VarId};
use raddle_cfront::types::{ArrayLength, QualType, Type as CType};
use raddle_ir::{AllocStorage, BlockId, FunctionId, InstKind, Operand, Ordering, Rvalue, Terminator, Type};
use rustc_hash::FxHashMap;

use crate::function::int;
use crate::known;
use crate::lowering::Lowering;
use crate::place::{Body, Home, Val};
use crate::types::{self, Class};

/// The cases of a `switch` under construction.
#[derive(Debug, Default)]
pub(crate) struct Cases {
    bits: u8,
    cases: Vec<(i128, i128, BlockId)>,
    default: Option<BlockId>,
}

/// Lowers a function's body.
pub(crate) fn lower_function(program: &mut Lowering<'_>, id: ast::FunctionId, known: FunctionId) {
    let ast = program.ast;
    let function = &ast.functions[id];
    let Some(block) = function.body else { return };
    let b = program.builder(known);
    let parameters = program.functions[known].parameters.clone();
    let mut body = Body {
        program,
        ast,
        b,
        function: id,
        homes: FxHashMap::default(),
        labels: FxHashMap::default(),
        exits: Vec::new(),
        switches: Vec::new(),
        result: None,
        variadic: None,
        atomic: known::is_atomic_function(ast.text(function.name)),
        has_labels: false,
        lengths: FxHashMap::default(),
    };
    body.has_labels = body.holds_label(block);
    body.parameters(&parameters);
    if body.atomic {
        body.b.emit(InstKind::AtomicBegin);
    }
    if body.has_labels {
        body.declare_early(block);
    }
    body.statement(block);
    body.b.span = ast.stmts[block].span;
    body.fall_off_the_end();
    let b = body.b;
    program.complete(known, b);
}

impl Body<'_, '_> {
    /// Gives each parameter its home; aggregates arrive by address, as copies that are the callee's own.
    fn parameters(&mut self, registers: &[raddle_ir::RegisterId]) {
        let function = &self.ast.functions[self.function];
        let Some(ty) = types::function_type(self.ast, function.ty.id) else { return };
        let mut registers = registers.iter().copied();
        if self.class(ty.result) == Class::Aggregate {
            self.result = registers.next();
        }
        for &parameter in &function.parameters {
            let Some(register) = registers.next() else { return };
            let declared = &self.ast.vars[parameter];
            self.b.span = declared.span;
            let Class::Scalar(scalar) = self.class(declared.ty) else {
                self.homes.insert(parameter, Home::Memory(register));
                continue;
            };
            // Without a prototype the promoted value arrived.
            let arrived = self.b.registers[register].ty;
            let value = match (arrived, scalar) {
                (Type::F64, Type::F32) => {
                    self.b.cast(raddle_ir::CastOp::FloatToFloat, scalar, Operand::Register(register))
                }
                _ => self.resize(Operand::Register(register), scalar, true),
            };
            if self.needs_memory(parameter) {
                let name = declared.name.map_or("parameter", |name| self.ast.text(name));
                let home = self.temporary(declared.ty, name);
                self.b.store(Operand::Register(home), value, scalar, Ordering::Plain);
                self.homes.insert(parameter, Home::Memory(home));
            } else if arrived == scalar {
                self.homes.insert(parameter, Home::Register(register));
            } else {
                let home = self.b.register(scalar, None);
                self.b.set(home, value);
                self.homes.insert(parameter, Home::Register(home));
            }
        }
        if ty.variadic {
            self.variadic = registers.next();
        }
    }

    /// What happens at the closing brace: `main` returns zero, others nothing (using that nothing is undefined).
    fn fall_off_the_end(&mut self) {
        let function = &self.ast.functions[self.function];
        let result = types::function_type(self.ast, function.ty.id).map(|ty| self.class(ty.result));
        let value = match result {
            Some(Class::Scalar(scalar)) if self.ast.text(function.name) == "main" => match scalar {
                Type::Int(bits) => Some(int(bits, 0)),
                Type::F32 | Type::F64 | Type::Ptr => None,
            },
            Some(Class::Scalar(scalar)) => {
                let name =
                    format!("result of `{}`, which ends without `return`", self.ast.text(function.name));
                Some(self.havoc(name, scalar, false))
            }
            _ => None,
        };
        self.leave(value);
    }

    fn leave(&mut self, value: Option<Operand>) {
        if self.atomic {
            self.b.emit(InstKind::AtomicEnd);
        }
        self.b.terminate(Terminator::Return(value));
    }

    /// Whether a statement holds a label or a `switch`, so that a jump may pass a declaration by.
    fn holds_label(&self, statement: StmtId) -> bool {
        let mut found = false;
        self.walk(statement, &mut |kind| {
            found |= matches!(kind, StmtKind::Label(..) | StmtKind::Switch { .. })
        });
        found
    }

    /// Visits a statement and those in it (not those in statement expressions).
    fn walk(&self, statement: StmtId, visit: &mut dyn FnMut(&StmtKind)) {
        let kind = &self.ast.stmts[statement].kind;
        visit(kind);
        match kind {
            StmtKind::Block(list) => list.iter().for_each(|&inner| self.walk(inner, visit)),
            StmtKind::If { then, otherwise, .. } => {
                self.walk(*then, visit);
                if let Some(otherwise) = otherwise {
                    self.walk(*otherwise, visit);
                }
            }
            StmtKind::For { init, body, .. } => {
                if let Some(init) = init {
                    self.walk(*init, visit);
                }
                self.walk(*body, visit);
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default(body)
            | StmtKind::Label(_, body) => self.walk(*body, visit),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Declare(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm(_)
            | StmtKind::Error => {}
        }
    }

    /// Where a jump may pass a declaration by, the variable still has an object: made at entry, replaced by a fresh one when
    /// the declaration is reached.
    fn declare_early(&mut self, block: StmtId) {
        let mut variables = Vec::new();
        self.walk(block, &mut |kind| {
            if let StmtKind::Declare(items) = kind {
                variables.extend(items.iter().filter_map(|item| match item {
                    Item::Var { id, definition: true } => Some(*id),
                    _ => None,
                }));
            }
        });
        for var in variables {
            let declared = &self.ast.vars[var];
            let automatic = matches!(declared.storage, Storage::Automatic | Storage::Register);
            if automatic
                && self.needs_memory(var)
                && raddle_cfront::layout::size_of(self.ast, declared.ty).is_ok()
            {
                self.allocate_variable(var);
            }
        }
    }

    /// Makes the object of a variable, at the address register it has or a new one.
    fn allocate_variable(&mut self, var: VarId) -> raddle_ir::RegisterId {
        let declared = &self.ast.vars[var];
        self.b.span = declared.span;
        let size = types::size_of(self.ast, declared.ty);
        let align = declared
            .align
            .unwrap_or(1)
            .max(raddle_cfront::layout::align_of(self.ast, declared.ty).unwrap_or(1));
        let name = declared.name.map_or("local", |name| self.ast.text(name));
        let register = match self.homes.get(&var) {
            Some(Home::Memory(register)) => *register,
            _ => self.b.register(Type::Ptr, None),
        };
        self.b.alloc_into(register, size, align, false, name, types::shape(self.ast, declared.ty));
        self.homes.insert(var, Home::Memory(register));
        register
    }

    fn statements(&mut self, list: &[StmtId]) {
        for &statement in list {
            self.statement(statement);
        }
    }

    /// Lowers one statement.
    pub(crate) fn statement(&mut self, id: StmtId) {
        let ast = self.ast;
        let statement = &ast.stmts[id];
        self.b.span = statement.span;
        match &statement.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                self.value(*expr);
            }
            StmtKind::Block(list) => self.statements(list),
            StmtKind::Declare(items) => {
                for item in items {
                    self.declare(item);
                }
            }
            StmtKind::If { condition, then, otherwise } => self.lower_if(*condition, *then, *otherwise),
            StmtKind::While { condition, body } => {
                let (test, inside, after) = (self.b.block(), self.b.block(), self.b.block());
                self.b.fall_into(test);
                self.condition(*condition, inside, after);
                self.b.switch_to(inside);
                self.looped(*body, after, test);
                self.b.terminate(Terminator::Jump(test));
                self.b.switch_to(after);
            }
            StmtKind::DoWhile { body, condition } => {
                let (inside, test, after) = (self.b.block(), self.b.block(), self.b.block());
                self.b.fall_into(inside);
                self.looped(*body, after, test);
                self.b.fall_into(test);
                self.condition(*condition, inside, after);
                self.b.switch_to(after);
            }
            StmtKind::For { init, condition, step, body } => self.lower_for(*init, *condition, *step, *body),
            StmtKind::Switch { value, body } => self.lower_switch(*value, *body),
            StmtKind::Case { values, body, .. } => {
                let block = self.b.block();
                self.b.fall_into(block);
                if let Some(cases) = self.switches.last_mut()
                    && values.0 <= values.1
                {
                    cases.cases.push((values.0, values.1, block));
                }
                self.statement(*body);
            }
            StmtKind::Default(body) => {
                let block = self.b.block();
                self.b.fall_into(block);
                if let Some(cases) = self.switches.last_mut() {
                    cases.default = Some(block);
                }
                self.statement(*body);
            }
            StmtKind::Label(label, body) => {
                let block = self.label(*label);
                self.b.fall_into(block);
                self.statement(*body);
            }
            StmtKind::Goto(label) => {
                let block = self.label(*label);
                self.b.terminate(Terminator::Jump(block));
            }
            StmtKind::GotoComputed(_) => {
                self.unsupported("a computed goto");
            }
            StmtKind::Break => {
                if let Some((target, _)) = self.exits.last().copied() {
                    self.b.terminate(Terminator::Jump(target));
                }
            }
            StmtKind::Continue => {
                if let Some(target) = self.exits.iter().rev().find_map(|exit| exit.1) {
                    self.b.terminate(Terminator::Jump(target));
                }
            }
            StmtKind::Return(value) => self.lower_return(*value),
            StmtKind::Asm(asm) => {
                // An empty template is a compiler barrier: it does nothing at run time.
                let empty = asm.template.units.iter().all(|&unit| matches!(unit, 9..=13 | 32 | 59));
                if !empty || !asm.outputs.is_empty() {
                    self.unsupported("inline assembly");
                }
            }
            StmtKind::Error => {
                self.unsupported("an erroneous statement");
            }
        }
    }

    fn lower_if(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        let (yes, no, after) = (self.b.block(), self.b.block(), self.b.block());
        self.condition(condition, yes, no);
        self.b.switch_to(yes);
        self.statement(then);
        self.b.terminate(Terminator::Jump(after));
        self.b.switch_to(no);
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        self.b.fall_into(after);
    }

    fn looped(&mut self, body: StmtId, break_to: BlockId, continue_to: BlockId) {
        self.exits.push((break_to, Some(continue_to)));
        self.statement(body);
        self.exits.pop();
    }

    fn lower_for(
        &mut self,
        init: Option<StmtId>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) {
        if let Some(init) = init {
            self.statement(init);
        }
        let (test, inside, next, after) = (self.b.block(), self.b.block(), self.b.block(), self.b.block());
        self.b.fall_into(test);
        match condition {
            Some(condition) => self.condition(condition, inside, after),
            None => self.b.terminate(Terminator::Jump(inside)),
        }
        self.b.switch_to(inside);
        self.looped(body, after, next);
        self.b.fall_into(next);
        if let Some(step) = step {
            self.value(step);
        }
        self.b.terminate(Terminator::Jump(test));
        self.b.switch_to(after);
    }

    fn lower_switch(&mut self, value: ExprId, body: StmtId) {
        let span = self.ast.exprs[value].span;
        let value = self.scalar(value);
        let Type::Int(bits) = self.b.type_of(value) else { return };
        // The switch itself stands in a block of its own, made when all its cases are known.
        let (choose, after) = (self.b.block(), self.b.block());
        self.b.terminate(Terminator::Jump(choose));
        self.switches.push(Cases { bits, ..Cases::default() });
        self.exits.push((after, None));
        self.statement(body);
        self.exits.pop();
        self.b.terminate(Terminator::Jump(after));
        let cases = self.switches.pop().unwrap_or_default();
        self.b.switch_to(choose);
        self.b.span = span;
        let default = cases.default.unwrap_or(after);
        let cases = cases.unsigned();
        self.b.terminate(Terminator::Switch { value, cases, default });
        self.b.switch_to(after);
    }

    fn lower_return(&mut self, value: Option<ExprId>) {
        let span = self.b.span;
        let value = value.map(|value| (self.value(value), self.ast.exprs[value].ty));
        self.b.span = span;
        match (value, self.result) {
            (Some((Val::Aggregate(from), ty)), Some(result)) => {
                self.copy(Operand::Register(result), from, ty);
                self.leave(None);
            }
            (Some((Val::Scalar(value), _)), _) => {
                let function = &self.ast.functions[self.function];
                let returns = types::function_type(self.ast, function.ty.id).map(|ty| self.class(ty.result));
                self.leave(matches!(returns, Some(Class::Scalar(_))).then_some(value));
            }
            (None, _) if !self.returns_nothing() => self.fall_off_the_end(),
            _ => self.leave(None),
        }
    }

    fn returns_nothing(&self) -> bool {
        let function = &self.ast.functions[self.function];
        types::function_type(self.ast, function.ty.id).is_none_or(|ty| self.class(ty.result) == Class::Void)
    }

    fn label(&mut self, label: ast::LabelId) -> BlockId {
        if let Some(&block) = self.labels.get(&label) {
            return block;
        }
        let block = self.b.block();
        self.labels.insert(label, block);
        block
    }

    fn declare(&mut self, item: &Item) {
        let Item::Var { id, definition: true } = *item else {
            if let Item::Function { id, definition: true } = *item {
                self.nested_function(id);
            }
            return;
        };
        let declared = &self.ast.vars[id];
        self.b.span = declared.span;
        match declared.storage {
            Storage::External | Storage::Static => {
                self.program.global(id);
            }
            Storage::Automatic | Storage::Register | Storage::Parameter => self.declare_local(id),
        }
        if declared.attributes.iter().any(|attribute| matches!(attribute, Attribute::Cleanup(_))) {
            self.unsupported("the attribute `cleanup`");
        }
    }

    /// A nested function is a function of its own; what it takes from the function around it is refused where it does.
    fn nested_function(&mut self, id: ast::FunctionId) {
        let known = self.program.function(id);
        if self.program.functions[known].blocks.is_empty() {
            lower_function(self.program, id, known);
        }
    }

    fn declare_local(&mut self, var: VarId) {
        let ast = self.ast;
        let declared = &ast.vars[var];
        self.evaluate_lengths(declared.ty);
        let name = declared.name.map_or("local", |name| ast.text(name));
        if !self.needs_memory(var) {
            let Class::Scalar(scalar) = self.class(declared.ty) else { return };
            let register = match self.homes.get(&var) {
                Some(Home::Register(register)) => *register,
                _ => self.b.register(scalar, Some(name.to_owned())),
            };
            self.homes.insert(var, Home::Register(register));
            let value = match &declared.init {
                Some(init) => self.scalar_initializer(init, declared.ty),
                None => {
                    let signed = types::is_signed(ast, declared.ty.id);
                    self.havoc(format!("uninitialised `{name}`"), scalar, signed)
                }
            };
            self.b.span = declared.span;
            self.b.set(register, value);
            return;
        }
        if let Class::Unsupported(what) = self.class(declared.ty) {
            // The object is there; only its value has no meaning.
            if declared.init.is_some() {
                self.unsupported(what);
            }
        }
        if raddle_cfront::layout::size_of(ast, declared.ty).is_ok() {
            let register = self.allocate_variable(var);
            if let Some(init) = &declared.init {
                self.initialize(Operand::Register(register), init, declared.ty, true);
            }
            return;
        }
        let size = self.size_value(declared.ty);
        let dest = self.b.register(Type::Ptr, None);
        let align = raddle_cfront::layout::align_of(ast, declared.ty).unwrap_or(16);
        self.b.emit(InstKind::Alloc {
            dest,
            size,
            align,
            storage: AllocStorage::Dynamic,
            zeroed: false,
            name: name.into(),
            shape: Box::default(),
        });
        self.homes.insert(var, Home::Memory(dest));
    }

    /// Evaluates the lengths of a variable length array once, where its type is declared.
    fn evaluate_lengths(&mut self, ty: QualType) {
        match *self.ast.types.kind(ty.id) {
            CType::Array { element, length } => {
                if let ArrayLength::Variable(length) = length {
                    self.lengths.remove(&length);
                    self.array_length(length);
                }
                self.evaluate_lengths(element);
            }
            CType::Pointer(target) => self.evaluate_lengths(target),
            _ => {}
        }
    }

    /// The length of a variable length array, as it was where the type was met.
    pub(crate) fn array_length(&mut self, length: ExprId) -> Operand {
        if let Some(&register) = self.lengths.get(&length) {
            return Operand::Register(register);
        }
        let signed = types::is_signed(self.ast, self.ast.exprs[length].ty.id);
        let value = self.scalar(length);
        let size_type = self.b.size_type();
        let value = self.resize(value, size_type, signed);
        let register = self.b.register(size_type, None);
        self.b.emit(InstKind::Assign { dest: register, value: Rvalue::Use(value) });
        self.lengths.insert(length, register);
        Operand::Register(register)
    }

    /// `({ … })`: the value is that of the last statement.
    pub(crate) fn statement_expression(&mut self, block: StmtId) -> Val {
        let StmtKind::Block(list) = &self.ast.stmts[block].kind else { return Val::Void };
        let Some((&last, before)) = list.split_last() else { return Val::Void };
        self.statements(before);
        let mut last = last;
        // A label in front of the value keeps the value.
        while let StmtKind::Label(label, inner) = self.ast.stmts[last].kind {
            let block = self.label(label);
            self.b.fall_into(block);
            last = inner;
        }
        match self.ast.stmts[last].kind {
            StmtKind::Expr(expr) => match self.value(expr) {
                // The block's own objects may be gone when the value is used.
                Val::Aggregate(from) if !matches!(self.ast.exprs[expr].kind, ExprKind::Statement(_)) => {
                    let ty = self.ast.exprs[expr].ty;
                    let home = Operand::Register(self.temporary(ty, "temporary"));
                    self.copy(home, from, ty);
                    Val::Aggregate(home)
                }
                value => value,
            },
            _ => {
                self.statement(last);
                Val::Void
            }
        }
    }
}

impl Cases {
    /// The ranges in unsigned order of the switch's width; one that crosses zero becomes two.
    fn unsigned(self) -> Vec<(u128, u128, BlockId)> {
        let all = if self.bits >= 128 { u128::MAX } else { (1 << self.bits) - 1 };
        let mut ranges = Vec::new();
        for (low, high, block) in self.cases {
            let bits = |value: i128| value.cast_unsigned() & all;
            if low < 0 && high >= 0 {
                ranges.push((bits(low), all, block));
                ranges.push((0, bits(high), block));
            } else {
                ranges.push((bits(low), bits(high), block));
            }
        }
        ranges
    }
}
