//! Scopes: what happens wherever control enters and leaves them.
//!
//! Leaving a scope runs the functions of its variables with the attribute `cleanup`, then ends the lifetimes of its objects. That
//! is so on every way out: at its end, by `break`, `continue` and `goto`. A `return` ends all objects of the function at once,
//! which is done when the function is complete ([`end_activations`]).
//!
//! What an expression makes besides (compound literals, and values that hold arrays) may not be there when its scope is left: the
//! register of its address is null then.

use raddle_cfront::ast::{self, Ast, Attribute, LabelId, StmtId, Storage, VarId};
use raddle_cfront::types::{QualType, Type as CType};
use raddle_ir::{
    AllocStorage, BlockId, Constant, GlobalInit, Inst, InstKind, Lifetime, Operand, Program, RegisterId,
    Terminator,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Code;
use crate::lowering::LocalObject;
use crate::place::{Body, Home};
use crate::refused::Refused;
use crate::survey::{ScopeSurvey, opens_scope};
use crate::types::{self, Class};

/// A scope that control is in.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The statement that opens it.
    statement: StmtId,
    /// Its variables that are to be cleaned up, and by which function.
    pub(crate) cleanups: Vec<(VarId, ast::FunctionId)>,
    /// Its objects that are there for sure, by the registers that hold their addresses.
    objects: Vec<RegisterId>,
    /// Its compound literals; their registers are null while they are not there.
    literals: Vec<RegisterId>,
    /// Values that hold arrays, until the end of the full expression; likewise.
    temporaries: Vec<RegisterId>,
}

/// A computed jump that leaves or may enter scopes with objects.
#[derive(Debug)]
pub(crate) struct ComputedJump {
    pub(crate) block: BlockId,
    pub(crate) number: RegisterId,
    scopes: Vec<Scope>,
}

/// The scopes that control is in, and where the variables of the function live.
#[derive(Debug, Default)]
pub(crate) struct ScopeStack {
    /// The scopes that control is in, the innermost last.
    pub(crate) open: Vec<Scope>,
    pub(crate) homes: FxHashMap<VarId, Home>,
    /// The objects of local variables, by the registers that hold their addresses.
    pub(crate) objects: FxHashMap<RegisterId, LocalObject>,
    /// The registers of objects that need not be there: null while they are not.
    pub(crate) nulls: FxHashSet<RegisterId>,
    survey: ScopeSurvey,
    /// Where the statement at hand stands in the survey.
    pub(crate) position: u32,
    /// Whether the expression at hand is in the head of a loop, which is evaluated again and again in one scope.
    pub(crate) in_head: bool,
}

impl Body<'_, '_> {
    /// The function that is to run when the variable's block is left.
    pub(crate) fn cleanup_of(&self, var: VarId) -> Option<ast::FunctionId> {
        cleanup_of(self.code.ast, var)
    }

    /// Control comes to the end of the scopes inside the first `depth`.
    pub(crate) fn leave_scope(&mut self, depth: usize) {
        self.leave_to_depth(depth);
        self.scopes.open.truncate(depth);
    }

    /// What happens when control leaves to where only the first `depth` scopes are around it. The innermost is left first.
    pub(crate) fn leave_to_depth(&mut self, depth: usize) {
        for index in (depth..self.scopes.open.len()).rev() {
            self.run_cleanups(index, 0);
            // The objects of the function's body end when it returns.
            // `EndLife(Activation)` ends them all at once; see `end_activations`.
            if index > 0 {
                self.scopes.end_objects(&mut self.code, index);
            }
        }
    }

    /// What happens before a `return`, which ends all objects by itself.
    pub(crate) fn leave_function(&mut self) {
        for index in (0..self.scopes.open.len()).rev() {
            self.run_cleanups(index, 0);
            // A cleanup further out may run while an object of an inner scope should be gone already: then it
            // ends here.
            if self.scopes.open[..index].iter().any(|outer| !outer.cleanups.is_empty()) {
                self.scopes.end_objects(&mut self.code, index);
            }
        }
    }

    /// A statement that is a scope whatever it is: the body of another one.
    pub(crate) fn part(&mut self, statement: StmtId) {
        if opens_scope(&self.code.ast.stmts[statement].kind) {
            self.statement(statement);
        } else {
            let depth = self.scopes.enter_scope(&mut self.code, statement);
            self.statement(statement);
            self.leave_scope(depth);
        }
    }

    /// Lowers a part of the head of a loop.
    pub(crate) fn in_head<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        // Loops nest, so the old value comes back.
        let before = std::mem::replace(&mut self.scopes.in_head, true);
        let lowered = lower(self);
        self.scopes.in_head = before;
        lowered
    }

    /// Calls what is to be called for the variables of a scope behind the first `kept`; the last declared goes first.
    fn run_cleanups(&mut self, index: usize, kept: usize) {
        // In the reverse order of the declarations, as gcc does.
        let running = self.scopes.open[index].cleanups.get(kept..).unwrap_or_default().to_vec();
        for &(var, function) in running.iter().rev() {
            let Some(Home::Memory(address)) = self.scopes.homes.get(&var).copied() else { continue };
            let callee = self.code.program.function(function);
            if self.code.program.functions[callee].parameters.len() != 1 {
                self.code.refuse(Refused::WrongArguments);
                return;
            }
            let callee = Operand::Constant(Constant::Function(callee));
            self.invoke(None, callee, vec![Operand::Register(address)]);
        }
    }

    /// Makes ready for a jump to a label: leaves the scopes that it is not in, and enters those that it is in. It enters none that
    /// has variables to be cleaned up.
    pub(crate) fn leave_to(&mut self, label: LabelId) {
        let Some(target) = self.scopes.survey.label(label).cloned() else {
            if self.scopes.cleanup_count() > 0 {
                self.code.refuse(Refused::CleanupJump);
            }
            return;
        };
        let first = target.scopes.first();
        // Scopes of the target begin with the body of the function, or with a statement expression further
        // in.
        let outside = self.scopes.open.iter().position(|scope| Some(&scope.statement) == first).unwrap_or(0);
        let around = self.scopes.open[outside..].iter().zip(&target.scopes);
        let common = outside + around.take_while(|(scope, other)| scope.statement == **other).count();
        // First out, then in: an object of a scope that is left and entered again is a new one.
        self.leave_to_depth(common);
        // Going back past the declaration of such a variable cleans it up as well.
        let mut kept = target.cleanups;
        let counts: Vec<usize> =
            self.scopes.open[..common].iter().map(|scope| scope.cleanups.len()).collect();
        for (index, count) in counts.into_iter().enumerate() {
            if kept < count {
                self.run_cleanups(index, kept);
            }
            kept = kept.saturating_sub(count);
        }
        // The declarations of these scopes may be passed by.
        for &scope in &target.scopes[common - outside..] {
            self.scopes.make_early(&mut self.code, scope, false);
        }
    }
}

impl ScopeStack {
    /// Looks where scopes and labels are in the body of a function, which may come back to its calls by jumps.
    pub(crate) fn survey_function(&mut self, code: &mut Code<'_, '_>, body: StmtId, returns_twice: bool) {
        self.survey.returns_twice = returns_twice;
        self.survey(code, body);
    }

    /// Control comes to a statement.
    pub(crate) fn stand_at(&mut self, statement: StmtId) {
        // Statement expressions have positions of their own; without one, that of the statement around counts.
        self.position = self.survey.position(statement).unwrap_or(self.position);
    }

    /// Looks where scopes and labels are in a function's body or in a statement expression.
    pub(crate) fn survey(&mut self, code: &mut Code<'_, '_>, body: StmtId) {
        if self.survey.position(body).is_some() {
            return;
        }
        let (ast, cleanups) = (code.ast, self.cleanup_count());
        let is_cleaned = |var| cleanup_of(ast, var).is_some();
        self.survey.look_at(ast, body, cleanups, &code.program.addressed_labels, &is_cleaned);
    }

    /// Enters a scope; gives how many were entered before.
    pub(crate) fn enter_scope(&mut self, code: &mut Code<'_, '_>, statement: StmtId) -> usize {
        let depth = self.open.len();
        // Before the scope is pushed: the objects belong to it, but what is evaluated on the way does not.
        let objects = self.make_early(code, statement, depth == 0);
        self.open.push(Scope {
            statement,
            cleanups: Vec::new(),
            objects,
            literals: Vec::new(),
            temporaries: Vec::new(),
        });
        depth
    }

    /// Makes the objects of a scope that is entered whose declarations may be passed by, or come to again. Variables in registers
    /// are new as well: they hold any value.
    fn make_early(&mut self, code: &mut Code<'_, '_>, scope: StmtId, outermost: bool) -> Vec<RegisterId> {
        // The outermost scope is entered once, with the function, so nothing in it is old.
        if !outermost {
            for var in self.survey.passed_by(scope) {
                self.forget_register(code, var);
            }
        }
        let mut made = Vec::new();
        for var in self.survey.made_at_entry(scope, outermost) {
            let has_size = raddle_cfront::layout::size_of(code.ast, code.ast.vars[var].ty).is_ok();
            // Objects of variable length are made at their declaration, which cannot be passed by.
            if has_size && code.needs_memory(var) {
                made.push(self.allocate_variable(code, var, false));
            }
        }
        made
    }

    /// A variable that lives in a register is new.
    fn forget_register(&mut self, code: &mut Code<'_, '_>, var: VarId) {
        let ast = code.ast;
        let declared = &ast.vars[var];
        let is_local = matches!(declared.storage, Storage::Automatic | Storage::Register);
        if !is_local || code.needs_memory(var) {
            return;
        }
        let Some(register) = self.register_of(code, var) else { return };
        let name = declared.name.map_or("local", |name| ast.text(name));
        let (ty, signed) = (code.b.registers[register].ty, types::is_signed(ast, declared.ty.id));
        let site = code.program.uninitialised(name, ty, signed, code.b.span);
        code.b.emit(InstKind::Havoc { dest: register, site });
    }

    /// The register of a variable that needs no memory; none if its type has no meaning.
    pub(crate) fn register_of(&mut self, code: &mut Code<'_, '_>, var: VarId) -> Option<RegisterId> {
        if let Some(Home::Register(register)) = self.homes.get(&var) {
            return Some(*register);
        }
        let declared = &code.ast.vars[var];
        let Class::Scalar(scalar) = code.class(declared.ty) else { return None };
        let name = declared.name.map_or("local", |name| code.ast.text(name));
        let register = code.b.register(scalar, Some(name.to_owned()));
        self.homes.insert(var, Home::Register(register));
        Some(register)
    }

    /// Whether control may come to the statement or expression at hand again without leaving the innermost scope.
    pub(crate) fn comes_again(&self) -> bool {
        self.in_head
            // The innermost scope decides: leaving it ends the object, and coming again makes a new one.
            || self.open.last().is_some_and(|scope| self.survey.comes_again(scope.statement, self.position))
    }

    /// An object of the innermost scope, if it is not noted yet.
    pub(crate) fn note_object(&mut self, register: RegisterId) {
        if let Some(scope) = self.open.last_mut()
            && !scope.objects.contains(&register)
        {
            scope.objects.push(register);
        }
    }

    /// A compound literal of the innermost scope.
    pub(crate) fn note_literal(&mut self, register: RegisterId) {
        // Null where the literal has not been evaluated in this turn.
        self.nulls.insert(register);
        if let Some(scope) = self.open.last_mut() {
            scope.literals.push(register);
        }
    }

    /// A value in memory that ends with the full expression. Only what holds an array has an address that anybody could keep.
    pub(crate) fn note_temporary(&mut self, code: &mut Code<'_, '_>, register: RegisterId, ty: QualType) {
        if !holds_array(code.ast, ty) {
            return;
        }
        if let Some(scope) = self.open.last_mut() {
            self.nulls.insert(register);
            scope.temporaries.push(register);
        }
    }

    /// How many values in memory the full expressions around hold so far.
    pub(crate) fn temporaries(&self) -> usize {
        self.open.last().map_or(0, |scope| scope.temporaries.len())
    }

    /// A full expression has come to its end: those of its values that are in memory end.
    pub(crate) fn end_temporaries(&mut self, code: &mut Code<'_, '_>, before: usize) {
        let Some(scope) = self.open.last_mut() else { return };
        for register in scope.temporaries.split_off(before) {
            // Null as soon as it is there, so that the end may be emitted on paths that never made it.
            code.end_conditional(register);
        }
    }

    fn end_objects(&mut self, code: &mut Code<'_, '_>, index: usize) {
        let Scope { objects, literals, temporaries, .. } = self.open[index].clone();
        objects.into_iter().for_each(|register| code.end_object(register));
        literals.into_iter().chain(temporaries).for_each(|register| code.end_conditional(register));
    }

    fn cleanup_count(&self) -> usize {
        self.open.iter().map(|scope| scope.cleanups.len()).sum()
    }

    /// The scopes inside the first `depth` are entered at a `case`: gives the block that the `switch` goes to.
    pub(crate) fn enter_at_case(&mut self, code: &mut Code<'_, '_>, depth: usize, case: BlockId) -> BlockId {
        let entered: Vec<StmtId> = self.open[depth..].iter().map(|scope| scope.statement).collect();
        // The usual `case` enters nothing that has objects, and needs no block of its own.
        let makes_nothing = |&scope: &StmtId| {
            self.survey.passed_by(scope).is_empty() && self.survey.made_at_entry(scope, false).is_empty()
        };
        if entered.iter().all(makes_nothing) {
            return case;
        }
        let way = code.b.block();
        code.b.switch_to(way);
        for scope in entered {
            self.make_early(code, scope, false);
        }
        code.b.terminate(Terminator::Jump(case));
        code.b.switch_to(case);
        way
    }

    /// Makes ready for a jump from a call to a `setjmp`: leaves scopes, and makes the objects of those that it comes back to anew.
    pub(crate) fn change_scopes(&mut self, code: &mut Code<'_, '_>, from: &[Scope], to: &[Scope]) {
        // The scopes that both are in stay as they are: their objects live on.
        let common = from.iter().zip(to).take_while(|(one, other)| one.statement == other.statement).count();
        self.open = from.to_vec();
        // The outermost objects end with the activation and not before.
        for index in (common.max(1)..from.len()).rev() {
            self.end_objects(code, index);
        }
        // The landing stands in no scope: it only makes objects, and then jumps.
        self.open.clear();
        for scope in &to[common..] {
            // Variables that live in registers are new in a scope that is entered again.
            for var in self.survey.variables(scope.statement) {
                if self.homes.contains_key(&var) {
                    self.forget_register(code, var);
                }
            }
        }
        for register in to[common..].iter().flat_map(|scope| &scope.objects).copied() {
            match self.objects.get(&register).cloned() {
                Some(LocalObject { size, align, name, shape }) => {
                    code.b.alloc_into(register, size, align, false, &name, shape);
                }
                None => {
                    code.unsupported("a jump back into the scope of an array of variable length");
                    return;
                }
            }
        }
    }

    /// Whether a computed jump from here may concern objects of scopes.
    pub(crate) fn has_objects_in_scopes(&self, code: &mut Code<'_, '_>) -> bool {
        let has_some = |scope: &Scope| !(scope.objects.is_empty() && scope.literals.is_empty());
        self.open.iter().skip(1).any(has_some)
            || code.program.addressed_labels.iter().filter_map(|label| self.survey.label(*label)).any(
                |label| {
                    label
                        .scopes
                        .iter()
                        .skip(1)
                        .any(|&scope| !self.survey.made_at_entry(scope, false).is_empty())
                },
            )
    }

    /// A computed jump from here.
    pub(crate) fn computed_jump(&self, block: BlockId, number: RegisterId) -> ComputedJump {
        ComputedJump { block, number, scopes: self.open.clone() }
    }

    /// Goes back to the scopes of a computed jump.
    pub(crate) fn scopes_of_jump(&mut self, jump: &ComputedJump) {
        self.open.clone_from(&jump.scopes);
    }
}

impl Code<'_, '_> {
    fn end_object(&mut self, register: RegisterId) {
        self.b.emit(InstKind::EndLife(Lifetime::Object(Operand::Register(register))));
    }

    /// Ends an object that need not be there.
    pub(crate) fn end_conditional(&mut self, register: RegisterId) {
        self.end_object(register);
        // Null again, so that ending it twice ends nothing.
        self.b.set(register, Operand::Constant(Constant::Null));
    }
}

fn cleanup_of(ast: &Ast, var: VarId) -> Option<ast::FunctionId> {
    ast.vars[var].attributes.iter().find_map(|attribute| match attribute {
        Attribute::Cleanup(function) => Some(*function),
        Attribute::Weak
        | Attribute::Alias(_)
        | Attribute::Constructor(_)
        | Attribute::Destructor(_)
        | Attribute::ReturnsTwice
        | Attribute::AlwaysInline
        | Attribute::NoInline
        | Attribute::ForeignReads(_) => None,
    })
}

/// Ends the objects of each activation before it returns, and those of a thread before it ends.
pub(crate) fn end_activations(program: &mut Program) {
    let has_thread_locals = program.globals.values().any(|global| global.thread_local);
    // Without thread-local objects a thread's start has nothing to end.
    let starts = if has_thread_locals { thread_functions(program) } else { Vec::new() };
    let ids: Vec<_> = program.functions.ids().collect();
    for id in ids {
        let function = &mut program.functions[id];
        let mut insts = function.blocks.values().flat_map(|block| &block.insts);
        let makes_objects = insts.any(|inst| {
            matches!(inst.kind, InstKind::Alloc { storage: AllocStorage::Local | AllocStorage::Dynamic, .. })
        });
        let ends = makes_objects || starts.contains(&id);
        for block in function.blocks.ids().collect::<Vec<_>>() {
            let block = &mut function.blocks[block];
            let lifetime = match block.terminator {
                Terminator::Return(_) if ends => Lifetime::Activation,
                // Whoever ends a thread, also from a function deep in it, ends all activations and
                // thread-local objects of that thread.
                Terminator::ExitThread(_) => Lifetime::Thread,
                Terminator::Return(_)
                | Terminator::Jump(_)
                | Terminator::Branch(..)
                | Terminator::Switch { .. }
                | Terminator::ExitProcess(_)
                | Terminator::Abort
                | Terminator::Unreachable
                | Terminator::Unsupported(_) => continue,
            };
            block.insts.push(Inst { kind: InstKind::EndLife(lifetime), span: block.span });
        }
    }
}

/// The functions whose address is taken: only those can be what a thread starts with.
fn thread_functions(program: &Program) -> Vec<raddle_ir::FunctionId> {
    let mut found = Vec::new();
    let mut note = |operand: Operand| {
        if let Operand::Constant(Constant::Function(id)) = operand {
            found.push(id);
        }
    };
    for block in program.functions.values().flat_map(|function| function.blocks.values()) {
        for inst in &block.insts {
            // The callee itself is called and not passed on.
            if let InstKind::Call { arguments, .. } = &inst.kind {
                arguments.iter().copied().for_each(&mut note);
            } else {
                inst.kind.for_each_operand(&mut note);
            }
        }
        block.terminator.for_each_operand(&mut note);
    }
    for GlobalInit { value, .. } in program.globals.values().flat_map(|global| &global.init) {
        note(Operand::Constant(*value));
    }
    found
}

fn holds_array(ast: &Ast, ty: QualType) -> bool {
    let kind = ast.types.kind(ty.id);
    if let CType::Record(id) = kind {
        let fields = ast.records[*id].fields.as_deref().unwrap_or_default();
        return fields.iter().any(|field| holds_array(ast, field.ty));
    }
    matches!(kind, CType::Array { .. })
}
