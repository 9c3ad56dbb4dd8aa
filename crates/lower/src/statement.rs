//! Statements and function bodies.

use raddle_cfront::ast::{self, ExprId, StmtId, StmtKind};
use raddle_cfront::primitive::is_atomic_function;
use raddle_cfront::types::Type as CType;
use raddle_ir::{
    BlockId, CheckMessage, FunctionId, InstKind, Lifetime, Operand, Ordering, Property, RegisterId,
    Terminator, Type,
};
use rustc_hash::FxHashMap;

use crate::code::Code;
use crate::function::int;
use crate::jump::Jumps;
use crate::lowering::Lowering;
use crate::place::{Body, Home, LoopExit, ResultUse, Val, label_number};
use crate::refused::Refused;
use crate::scope::{ComputedJump, ScopeStack};
use crate::survey::opens_scope;
use crate::types::{self, Class};

/// The cases of a `switch` under construction.
#[derive(Debug, Default)]
pub(crate) struct Cases {
    bits: u8,
    /// How many scopes are around the body.
    depth: usize,
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
    let atomic = is_atomic_function(ast.text(function.name));
    let mut body = Body {
        code: Code::new(program, b),
        scopes: ScopeStack::default(),
        function: id,
        labels: FxHashMap::default(),
        exits: Vec::new(),
        switches: Vec::new(),
        result: None,
        variadic: None,
        atomic,
        copies: Vec::new(),
        asked: None,
        dispatch: None,
        computed: Vec::new(),
        jumps: Jumps::default(),
        lengths: FxHashMap::default(),
    };
    let returns_twice = body.code.program.has_setjmp && !body.code.program.is_model(id);
    body.scopes.survey_function(&mut body.code, block, returns_twice);
    body.parameters(&parameters);
    if body.atomic {
        body.code.b.emit(InstKind::AtomicBegin);
    }
    body.statement(block);
    body.code.b.span = ast.stmts[block].span;
    body.fall_off_the_end();
    // At the very end, when all labels and all calls have blocks.
    body.computed_jumps();
    let forgotten = body.land_jumps();
    let Body { code: Code { program, b, .. }, scopes, .. } = body;
    program.complete(known, b, &scopes.objects, &scopes.nulls, &forgotten);
}

impl Body<'_, '_> {
    /// Gives each parameter its home; aggregates arrive by address, as copies that are the callee's own.
    fn parameters(&mut self, registers: &[RegisterId]) {
        let function = &self.code.ast.functions[self.function];
        let Some(ty) = types::function_type(self.code.ast, function.ty.id) else { return };
        let mut registers = registers.iter().copied();
        if self.code.class(ty.result) == Class::Aggregate {
            self.result = registers.next();
        }
        for &parameter in &function.parameters {
            let Some(register) = registers.next() else { return };
            let declared = &self.code.ast.vars[parameter];
            self.code.b.span = declared.span;
            let Class::Scalar(scalar) = self.code.class(declared.ty) else {
                self.scopes.homes.insert(parameter, Home::Memory(register));
                // A list of arguments stays the caller's own.
                if !matches!(self.code.ast.types.kind(declared.ty.id), CType::VaList) {
                    // Where a model or a builtin reads the list, the caller's position must move on.
                    self.copies.push(register);
                }
                continue;
            };
            // Without a prototype the promoted value arrived.
            let arrived = self.code.b.registers[register].ty;
            // In the callee's view a `float` parameter was passed as a `double`.
            let value = match (arrived, scalar) {
                (Type::F64, Type::F32) => {
                    self.code.b.cast(raddle_ir::CastOp::FloatToFloat, scalar, Operand::Register(register))
                }
                _ => self.code.resize(Operand::Register(register), scalar, true),
            };
            if self.code.needs_memory(parameter) {
                let name = declared.name.map_or("parameter", |name| self.code.ast.text(name));
                let home = self.temporary(declared.ty, name);
                self.code.b.store(Operand::Register(home), value, scalar, Ordering::Plain);
                self.scopes.homes.insert(parameter, Home::Memory(home));
            } else if arrived == scalar {
                self.scopes.homes.insert(parameter, Home::Register(register));
            } else {
                let home = self.code.b.register(scalar, None);
                self.code.b.set(home, value);
                self.scopes.homes.insert(parameter, Home::Register(home));
            }
        }
        if ty.variadic {
            self.variadic = registers.next();
        }
        // Lengths of arrays behind parameters may mention other parameters, so they come last.
        for &parameter in &function.parameters {
            self.evaluate_lengths(self.code.ast.vars[parameter].ty);
        }
    }

    /// What happens at the closing brace: `main` returns zero, others nothing (using that nothing is undefined).
    fn fall_off_the_end(&mut self) {
        let function = &self.code.ast.functions[self.function];
        let value = match self.result_class() {
            Class::Scalar(Type::Int(bits)) if self.code.ast.text(function.name) == "main" => {
                Some(int(bits, 0))
            }
            Class::Scalar(scalar) => {
                let site = self.code.program.missing_result(
                    self.code.ast.text(function.name),
                    scalar,
                    self.code.b.span,
                );
                let dest = self.code.b.register(scalar, None);
                self.code.b.emit(InstKind::Havoc { dest, site });
                Some(Operand::Register(dest))
            }
            Class::Aggregate | Class::Void | Class::Function | Class::Unsupported(_) => None,
        };
        self.leave(value);
    }

    pub(crate) fn leave(&mut self, value: Option<Operand>) {
        for &copy in &self.copies {
            self.code.b.emit(InstKind::EndLife(Lifetime::Object(Operand::Register(copy))));
        }
        if self.atomic {
            self.code.b.emit(InstKind::AtomicEnd);
        }
        self.code.b.terminate(Terminator::Return(value));
    }

    /// Ends the function with the one block that all computed jumps go through.
    fn computed_jumps(&mut self) {
        for jump in std::mem::take(&mut self.computed) {
            // Each has blocks of its own, because what is left and entered depends on where it goes.
            self.computed_jump_of_its_own(&jump);
        }
        let Some((block, number)) = self.dispatch else { return };
        let cases = self.addressed_labels();
        let cases =
            cases.into_iter().map(|(label, target)| (label_number(label), label_number(label), target));
        self.code.dispatch_from(block, number, cases.collect());
    }

    /// One that leaves or may enter scopes, which depends on where it goes.
    fn computed_jump_of_its_own(&mut self, jump: &ComputedJump) {
        let mut cases = Vec::new();
        for (label, target) in self.addressed_labels() {
            let way = self.code.b.block();
            self.code.b.switch_to(way);
            self.scopes.scopes_of_jump(jump);
            self.leave_to(label);
            self.code.b.terminate(Terminator::Jump(target));
            cases.push((label_number(label), label_number(label), way));
        }
        self.scopes.open.clear();
        self.code.dispatch_from(jump.block, jump.number, cases);
    }

    /// The labels of this function that computed jumps may go to, and their blocks.
    fn addressed_labels(&self) -> Vec<(ast::LabelId, BlockId)> {
        let labels = self.code.program.addressed_labels.iter();
        labels.filter_map(|label| Some((*label, *self.labels.get(label)?))).collect()
    }

    fn computed_goto(&mut self, target: ExprId) {
        if self.scopes.open.iter().any(|scope| !scope.cleanups.is_empty()) {
            self.code.refuse(Refused::CleanupJump);
            return;
        }
        let value = self.scalar(target);
        let size_type = self.code.b.size_type();
        let number = match self.code.b.type_of(value) {
            Type::Ptr => self.code.b.cast(raddle_ir::CastOp::PointerToInt, size_type, value),
            Type::Int(_) | Type::F32 | Type::F64 => self.code.resize(value, size_type, false),
        };
        // Usual computed jumps share one `switch`: as many edges as jumps and labels, and not their product.
        let (block, register) = match self.dispatch {
            _ if self.scopes.has_objects_in_scopes(&mut self.code) => {
                let (block, number) = (self.code.b.block(), self.code.b.register(size_type, None));
                self.computed.push(self.scopes.computed_jump(block, number));
                (block, number)
            }
            Some(known) => known,
            None => {
                let made = (self.code.b.block(), self.code.b.register(size_type, None));
                self.dispatch = Some(made);
                made
            }
        };
        self.code.b.set(register, number);
        self.code.b.terminate(Terminator::Jump(block));
    }

    fn statements(&mut self, list: &[StmtId]) {
        for &statement in list {
            self.statement(statement);
        }
    }

    /// Lowers one statement.
    pub(crate) fn statement(&mut self, id: StmtId) {
        let ast = self.code.ast;
        let statement = &ast.stmts[id];
        self.code.b.span = statement.span;
        self.scopes.stand_at(id);
        let depth = opens_scope(&statement.kind).then(|| self.scopes.enter_scope(&mut self.code, id));
        self.statement_inside(id);
        if let Some(depth) = depth {
            self.leave_scope(depth);
        }
    }

    fn statement_inside(&mut self, id: StmtId) {
        let ast = self.code.ast;
        match &ast.stmts[id].kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                let before = self.scopes.temporaries();
                self.ask(*expr, ResultUse::Nothing);
                self.value(*expr);
                self.scopes.end_temporaries(&mut self.code, before);
            }
            StmtKind::Block(list) => self.statements(list),
            StmtKind::Declare(items) => {
                for item in items {
                    let before = self.scopes.temporaries();
                    self.declare(item);
                    self.scopes.end_temporaries(&mut self.code, before);
                }
            }
            StmtKind::If { condition, then, otherwise } => self.lower_if(*condition, *then, *otherwise),
            StmtKind::While { condition, body } => {
                let (test, inside, after) = (self.code.b.block(), self.code.b.block(), self.code.b.block());
                self.code.b.fall_into(test);
                // The head is evaluated again and again in the scope around the loop.
                self.in_head(|body| body.condition(*condition, inside, after));
                self.code.b.switch_to(inside);
                self.looped(*body, after, test);
                self.code.b.terminate(Terminator::Jump(test));
                self.code.b.switch_to(after);
            }
            StmtKind::DoWhile { body, condition } => {
                let (inside, test, after) = (self.code.b.block(), self.code.b.block(), self.code.b.block());
                self.code.b.fall_into(inside);
                self.looped(*body, after, test);
                self.code.b.fall_into(test);
                self.in_head(|body| body.condition(*condition, inside, after));
                self.code.b.switch_to(after);
            }
            StmtKind::For { init, condition, step, body } => self.lower_for(*init, *condition, *step, *body),
            StmtKind::Switch { value, body } => self.lower_switch(*value, *body),
            StmtKind::Case { values, body, .. } => {
                let block = self.code.b.block();
                self.code.b.fall_into(block);
                // A `case` outside of any `switch` was refused by the checker; an empty range matches
                // nothing.
                if let Some(depth) = self.switches.last().map(|cases| cases.depth)
                    && values.0 <= values.1
                {
                    let way = self.scopes.enter_at_case(&mut self.code, depth, block);
                    self.switches.last_mut().expect("just seen").cases.push((values.0, values.1, way));
                }
                self.statement(*body);
            }
            StmtKind::Default(body) => {
                let block = self.code.b.block();
                self.code.b.fall_into(block);
                if let Some(depth) = self.switches.last().map(|cases| cases.depth) {
                    let way = self.scopes.enter_at_case(&mut self.code, depth, block);
                    self.switches.last_mut().expect("just seen").default = Some(way);
                }
                self.statement(*body);
            }
            StmtKind::Label(label, body) => {
                let block = self.label(*label);
                self.code.b.fall_into(block);
                let name = self.code.ast.text(self.code.ast.labels[*label].name);
                if self.code.program.options.error_labels.iter().any(|wanted| wanted == name) {
                    let message = CheckMessage::ForbidsLabel(name.into());
                    self.code.b.check(Property::Assertion, int(1, 0), message);
                }
                self.statement(*body);
            }
            StmtKind::Goto(label) => {
                // Scopes are left before the jump, in the block that jumps.
                self.leave_to(*label);
                let block = self.label(*label);
                self.code.b.terminate(Terminator::Jump(block));
            }
            StmtKind::GotoComputed(target) => self.computed_goto(*target),
            StmtKind::Break => {
                if let Some(exit) = self.exits.last().copied() {
                    self.leave_to_depth(exit.depth);
                    self.code.b.terminate(Terminator::Jump(exit.break_to));
                }
            }
            StmtKind::Continue => {
                let target = self.exits.iter().rev().find_map(|exit| Some((exit.continue_to?, exit.depth)));
                if let Some((target, depth)) = target {
                    self.leave_to_depth(depth);
                    self.code.b.terminate(Terminator::Jump(target));
                }
            }
            StmtKind::Return(value) => self.lower_return(*value),
            StmtKind::Asm(asm) => self.assembly(asm),
            StmtKind::Error => {
                self.code.refuse(Refused::Erroneous);
            }
        }
    }

    fn lower_if(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        // What models do only for programs that use something else is left out of others.
        if let Some(answer) = self.code.callees().asked_of_program(condition) {
            if let Some(part) = if answer { Some(then) } else { otherwise } {
                self.part(part);
            }
            return;
        }
        let (yes, no, after) = (self.code.b.block(), self.code.b.block(), self.code.b.block());
        self.condition(condition, yes, no);
        self.code.b.switch_to(yes);
        self.part(then);
        self.code.b.terminate(Terminator::Jump(after));
        self.code.b.switch_to(no);
        if let Some(otherwise) = otherwise {
            self.part(otherwise);
        }
        self.code.b.fall_into(after);
    }

    fn looped(&mut self, body: StmtId, break_to: BlockId, continue_to: BlockId) {
        let depth = self.scopes.open.len();
        self.exits.push(LoopExit { break_to, continue_to: Some(continue_to), depth });
        self.part(body);
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
        let (test, inside, next, after) =
            (self.code.b.block(), self.code.b.block(), self.code.b.block(), self.code.b.block());
        self.code.b.fall_into(test);
        match condition {
            Some(condition) => self.in_head(|body| body.condition(condition, inside, after)),
            None => self.code.b.terminate(Terminator::Jump(inside)),
        }
        self.code.b.switch_to(inside);
        self.looped(body, after, next);
        self.code.b.fall_into(next);
        if let Some(step) = step {
            let before = self.scopes.temporaries();
            self.in_head(|body| body.value(step));
            self.scopes.end_temporaries(&mut self.code, before);
        }
        self.code.b.terminate(Terminator::Jump(test));
        self.code.b.switch_to(after);
    }

    fn lower_switch(&mut self, value: ExprId, body: StmtId) {
        let span = self.code.ast.exprs[value].span;
        let value = self.scalar(value);
        let Type::Int(bits) = self.code.b.type_of(value) else { return };
        // The switch itself stands in a block of its own, made when all its cases are known.
        // What comes between the head and the first `case` is not reached.
        let (choose, after) = (self.code.b.block(), self.code.b.block());
        self.code.b.terminate(Terminator::Jump(choose));
        let depth = self.scopes.open.len();
        self.switches.push(Cases { bits, depth, ..Cases::default() });
        self.exits.push(LoopExit { break_to: after, continue_to: None, depth });
        self.part(body);
        // A `switch` has no `continue` of its own, so the one around it stays.
        self.exits.pop();
        self.code.b.terminate(Terminator::Jump(after));
        let cases = self.switches.pop().unwrap_or_default();
        self.code.b.switch_to(choose);
        self.code.b.span = span;
        let default = cases.default.unwrap_or(after);
        let cases = cases.unsigned();
        self.code.b.terminate(Terminator::Switch { value, cases, default });
        self.code.b.switch_to(after);
    }

    fn lower_return(&mut self, value: Option<ExprId>) {
        let span = self.code.b.span;
        let value = value.map(|value| (self.value(value), self.code.ast.exprs[value].ty));
        // The value is computed before anything is left: cleanups may change what it was computed from.
        self.code.b.span = span;
        let returns = self.result_class();
        if let (Some((Val::Aggregate(from), ty)), Some(result)) = (value, self.result) {
            // Into the caller's object now, for the same reason.
            self.code.objects().copy(Operand::Register(result), from, ty);
        }
        self.leave_function();
        match (value, returns) {
            (Some((Val::Scalar(value), _)), Class::Scalar(_)) => self.leave(Some(value)),
            // `return` without a value, in a function that should give one.
            (_, Class::Scalar(_)) => self.fall_off_the_end(),
            (_, Class::Aggregate | Class::Void | Class::Function | Class::Unsupported(_)) => self.leave(None),
        }
    }

    pub(crate) fn result_class(&self) -> Class {
        let function = &self.code.ast.functions[self.function];
        types::function_type(self.code.ast, function.ty.id)
            .map_or(Class::Void, |ty| self.code.class(ty.result))
    }

    fn label(&mut self, label: ast::LabelId) -> BlockId {
        if let Some(&block) = self.labels.get(&label) {
            return block;
        }
        let block = self.code.b.block();
        self.labels.insert(label, block);
        block
    }

    /// `({ … })`: the value is that of the last statement.
    pub(crate) fn statement_expression(&mut self, block: StmtId) -> Val {
        let StmtKind::Block(list) = &self.code.ast.stmts[block].kind else { return Val::Void };
        let Some((&last, before)) = list.split_last() else { return Val::Void };
        self.scopes.survey(&mut self.code, block);
        // Inside, statements stand elsewhere, and no longer in the head of the loop around.
        let (position, in_head) = (self.scopes.position, std::mem::replace(&mut self.scopes.in_head, false));
        let depth = self.scopes.enter_scope(&mut self.code, block);
        self.statements(before);
        let mut last = last;
        // A label in front of the value keeps the value.
        while let StmtKind::Label(label, inner) = self.code.ast.stmts[last].kind {
            let block = self.label(label);
            self.code.b.fall_into(block);
            last = inner;
        }
        let mut copied = None;
        let value = if let StmtKind::Expr(expr) = self.code.ast.stmts[last].kind {
            let value = self.value(expr);
            if let Val::Aggregate(from) = value {
                // The block's own objects are gone when the value is used.
                // The copy is an object of the scope around, so it is noted only after this scope is left.
                let ty = self.code.ast.exprs[expr].ty;
                let home = self.code.objects().new_object(ty, "temporary", false);
                copied = Some((home, ty));
                self.code.objects().copy(Operand::Register(home), from, ty);
                Val::Aggregate(Operand::Register(home))
            } else {
                value
            }
        } else {
            self.statement(last);
            Val::Void
        };
        self.leave_scope(depth);
        (self.scopes.position, self.scopes.in_head) = (position, in_head);
        if let Some((home, ty)) = copied {
            self.scopes.note_temporary(&mut self.code, home, ty);
        }
        value
    }
}

impl Cases {
    /// The ranges in unsigned order of the switch's width; one that crosses zero becomes two.
    fn unsigned(self) -> Vec<(u128, u128, BlockId)> {
        // The IR compares without signs.
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
