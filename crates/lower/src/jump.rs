//! `setjmp` and `longjmp`: jumps out of calls, made of branches and returns.
//!
//! A function with a `setjmp` has an object that lives as long as its activation, its *frame*; the buffer holds its address and
//! which `setjmp` of the function it was. `longjmp` (`models/jump.c`) notes in thread-local objects that a jump to a frame is under
//! way. Behind each call that may end by a jump control looks there: a function whose frame it is not returns at once, which ends
//! its objects as `return` does; the one whose frame it is leaves the scopes that `setjmp` is not in and goes on behind it.
//! Functions of the attribute `cleanup` do not run. So every engine follows jumps, and none knows of them.
//!
//! Variables that were changed since are indeterminate by the standard, unless they are `volatile`: those that live in registers
//! take any value, others keep theirs, as they do without optimisation; the ledger says so ([`first_kept_over_jump`]).

use raddle_base::{Id, Span};
use raddle_cfront::ast::{Ast, ExprId, ExprKind, External, Storage, VarId};
use raddle_cfront::spelling::spelled;
use raddle_cfront::types::{QualType, Qualifiers, Type as CType};
use raddle_ir::analyses::call_graph::{CallGraph, CallKind};
use raddle_ir::analyses::cfg::ControlFlow;
use raddle_ir::analyses::liveness::Liveness;
use raddle_ir::passes::simplify::remove_unreachable;
use raddle_ir::passes::unknown_calls::JUMP_FRAME;
use raddle_ir::{
    Block, BlockId, CastOp, CompareOp, Constant, Function, FunctionId, GlobalId, Havoc, HavocKind, Inst,
    InstKind, Operand, Ordering, Program, Register, RegisterId, Rvalue, Shape, Terminator, Type,
};

use rustc_hash::FxHashSet;

use crate::code::Code;
use crate::function::int;
use crate::lowering::{LocalObject, Lowering, addressed};
use crate::place::{Body, Home, Val};
use crate::scope::Scope;
use crate::types::Class;

/// The functions that jump; [`spelled`] leads their other names here.
const LONGJMP: &str = "longjmp";

/// Where a jump under way goes to: a frame, null if there is none.
const FRAME: &str = "__jump_frame";
/// Which `setjmp` of the frame's function.
const PLACE: &str = "__jump_place";
/// What that returns.
const VALUE: &str = "__jump_value";

/// Whether the function sets a buffer. Both kinds are called in the function that is jumped to, so they have no model.
pub(crate) fn is_setjmp(name: &str) -> bool {
    matches!(&*spelled(name), "setjmp" | "sigsetjmp")
}

/// The first variable of the text that `counts` which keeps its value over jumps here, though it is indeterminate by the standard
/// if it was changed since `setjmp`: one that lies in memory and is not `volatile`, in a function with a `setjmp`.
#[must_use]
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is neither a structure nor an array lies in memory for its address only"
)]
pub fn first_kept_over_jump(ast: &Ast, counts: impl Fn(Span) -> bool) -> Option<Span> {
    let calls = |is_meant: &dyn Fn(&str) -> bool| -> Vec<Span> {
        let named = ast.exprs.values().filter(|expr| {
            let ExprKind::Function(id) = expr.kind else { return false };
            let function = &ast.functions[id];
            function.body.is_none() && function.linked.is_none() && is_meant(ast.text(function.name))
        });
        named.map(|expr| expr.span).collect()
    };
    let places = calls(&is_setjmp);
    if places.is_empty() || calls(&|name| spelled(name) == LONGJMP).is_empty() {
        return None;
    }
    // By position in the text: bodies do not nest in anything else.
    let contains = |outer: Span, inner: Span| outer.lo <= inner.lo && inner.hi <= outer.hi;
    let bodies = ast.functions.values().filter_map(|function| Some(ast.stmts[function.body?].span));
    let bodies: Vec<Span> =
        bodies.filter(|body| places.iter().any(|&place| contains(*body, place))).collect();
    let addressed = addressed(ast);
    let is_kept = |id: VarId| {
        let var = &ast.vars[id];
        let is_local = matches!(var.storage, Storage::Automatic | Storage::Register);
        let in_memory = match ast.types.kind(var.ty.id) {
            CType::Record(_) => true,
            // The buffer itself is set and not changed.
            CType::Array { element, .. } => !is_buffer(ast, *element),
            _ => addressed.contains(id.index()),
        };
        is_local
            && in_memory
            && !is_volatile(ast, var.ty)
            && bodies.iter().any(|&body| contains(body, var.span))
            && counts(var.span)
    };
    let kept = ast.vars.iter().filter(|(id, _)| is_kept(*id)).map(|(_, var)| var.span);
    kept.min_by_key(|span| span.lo)
}

/// Whether a variable of a type is `volatile`; an array is if its elements are.
fn is_volatile(ast: &Ast, ty: QualType) -> bool {
    ast.types.qualifiers(ty).contains(Qualifiers::VOLATILE)
        || matches!(ast.types.kind(ty.id), CType::Array { element, .. } if is_volatile(ast, *element))
}

fn is_buffer(ast: &Ast, ty: QualType) -> bool {
    let CType::Record(id) = ast.types.kind(ty.id) else { return false };
    ast.records[*id].tag.is_some_and(|tag| ast.text(tag) == "__jmp_buf_tag")
}

/// The jumps of one function.
#[derive(Debug, Default)]
pub(crate) struct Jumps {
    /// Holds the address of the frame, if there is one.
    frame: Option<RegisterId>,
    sites: Vec<SetjmpSite>,
    landings: Vec<Landing>,
}

/// A call of `setjmp`.
#[derive(Debug)]
struct SetjmpSite {
    /// What it returns.
    dest: RegisterId,
    scopes: Vec<Scope>,
    span: Span,
}

/// A call that has ended by a jump.
#[derive(Debug)]
struct Landing {
    block: BlockId,
    /// The frame that the jump goes to.
    frame: Operand,
    scopes: Vec<Scope>,
    span: Span,
}

/// What is needed to forget variables that were changed between `setjmp` and a jump.
#[derive(Debug)]
pub(crate) struct Forgotten {
    /// What each `setjmp` returns.
    results: Vec<(RegisterId, Span)>,
    variables: Vec<RegisterId>,
    /// The registers that say which `setjmp` a jump goes to.
    places: Vec<RegisterId>,
}

/// Whether the program has jumps at all.
pub(crate) fn names_longjmp(ast: &Ast) -> bool {
    names_library_function(ast, |name| spelled(name) == LONGJMP)
}

/// Whether it has program points to jump to.
pub(crate) fn names_setjmp(ast: &Ast) -> bool {
    names_library_function(ast, is_setjmp)
}

fn names_library_function(ast: &Ast, is_meant: impl Fn(&str) -> bool) -> bool {
    let functions = &ast.functions;
    ast.exprs.values().any(|expr| {
        let ExprKind::Function(id) = expr.kind else { return false };
        functions[id].body.is_none()
            && functions[id].linked.is_none()
            && is_meant(ast.text(functions[id].name))
    })
}

impl Lowering<'_> {
    /// The object that says whether a jump is under way.
    pub(crate) fn jump_frame(&mut self) -> Option<GlobalId> {
        self.jump_object(FRAME)
    }

    fn jump_object(&mut self, name: &str) -> Option<GlobalId> {
        let name = self.ast.names.find(name)?;
        match *self.ast.externals.get(&name)? {
            External::Var(var) => Some(self.global(var)),
            External::Function(_) => None,
        }
    }
}

impl Body<'_, '_> {
    /// A call of `setjmp`: sets the buffer, and gives zero; control comes here again with what `longjmp` was given.
    pub(crate) fn setjmp(&mut self, arguments: &[ExprId]) -> Val {
        let span = self.code.b.span;
        let mut passed: Vec<Operand> = arguments.iter().map(|&argument| self.argument(argument)).collect();
        self.code.b.span = span;
        let set = self.code.program.defined_function("__model___jump_set");
        let (Some(set), Some(buffer)) = (set, passed.first().copied()) else {
            return self.code.unsupported("`setjmp` without a buffer");
        };
        let mask = if passed.len() > 1 { passed.swap_remove(1) } else { int(32, 0) };
        let mask = self.code.resize(mask, Type::Int(32), true);
        // Which `setjmp` of this function it is; the buffer keeps it beside the frame.
        let frame = Operand::Register(self.frame());
        let place = int(32, i128::try_from(self.jumps.sites.len()).unwrap_or_default());
        let callee = Operand::Constant(Constant::Function(set));
        // The model sets the buffer: the frame tells activations apart, the number tells the calls of one
        // activation apart.
        self.code.b.emit(InstKind::Call { dest: None, callee, arguments: vec![buffer, frame, place, mask] });
        let (dest, resume) = (self.code.b.register(Type::Int(32), None), self.code.b.block());
        // The first return gives zero.
        self.code.b.set(dest, int(32, 0));
        self.code.b.fall_into(resume);
        // The scopes at this call, to which a jump comes back.
        self.jumps.sites.push(SetjmpSite { dest, scopes: self.scopes.open.clone(), span });
        Val::Scalar(Operand::Register(dest))
    }

    /// The frame of the function. Nothing assigns the register, so its object is made where the function begins.
    fn frame(&mut self) -> RegisterId {
        if let Some(frame) = self.jumps.frame {
            return frame;
        }
        let frame = self.code.b.register(Type::Ptr, None);
        let object = LocalObject { size: 1, align: 1, name: JUMP_FRAME.to_owned(), shape: Shape::Bytes };
        self.scopes.objects.insert(frame, object);
        self.jumps.frame = Some(frame);
        frame
    }

    /// Calls a function, which may end by a jump.
    pub(crate) fn invoke(&mut self, dest: Option<RegisterId>, callee: Operand, arguments: Vec<Operand>) {
        self.code.b.emit(InstKind::Call { dest, callee, arguments });
        // Without `longjmp` in the program no call ends by a jump, and all this costs nothing.
        if !self.code.program.has_jumps {
            return;
        }
        let Some(address) = self.code.jump_object(FRAME) else { return };
        let frame = self.code.b.load(address, Type::Ptr, Ordering::Plain);
        let is_jumping = self.code.b.truth(frame);
        let (block, next) = (self.code.b.block(), self.code.b.block());
        self.code.b.branch(is_jumping, block, next);
        self.code.b.switch_to(next);
        // The way out is emitted at the end of the function, when all its `setjmp` are known.
        self.jumps.landings.push(Landing {
            block,
            frame,
            scopes: self.scopes.open.clone(),
            span: self.code.b.span,
        });
    }

    /// Ends the function with the ways from its calls to its callers and to its own `setjmp`.
    pub(crate) fn land_jumps(&mut self) -> Forgotten {
        let Jumps { frame, sites, landings } = std::mem::take(&mut self.jumps);
        // Arrivals first: the dispatches below jump to them.
        let arrivals: Vec<BlockId> = sites.iter().map(|site| self.arrival(site)).collect();
        let mut places = Vec::new();
        for landing in landings {
            self.code.b.switch_to(landing.block);
            self.code.b.span = landing.span;
            if let Some(frame) = frame {
                let is_own = self.code.b.compare(CompareOp::Equal, landing.frame, Operand::Register(frame));
                let (own, other) = (self.code.b.block(), self.code.b.block());
                self.code.b.branch(is_own, own, other);
                self.code.b.switch_to(own);
                places.extend(self.dispatch_jump(&landing, &sites, &arrivals));
                self.code.b.switch_to(other);
            }
            let nothing = self.nothing();
            // Not its own frame, or none: return at once, so that the caller looks.
            self.leave(nothing);
        }
        let mut variables: Vec<RegisterId> = Vec::new();
        if !sites.is_empty() {
            let mut homes: Vec<_> = self.scopes.homes.iter().map(|(var, home)| (*var, *home)).collect();
            // In the order of the variables, since a hash map has none.
            homes.sort_unstable_by_key(|(var, _)| *var);
            variables.extend(homes.into_iter().filter_map(|(var, home)| match home {
                Home::Register(register) if !is_volatile(self.code.ast, self.code.ast.vars[var].ty) => {
                    Some(register)
                }
                Home::Register(_) | Home::Memory(_) => None,
            }));
        }
        Forgotten { results: sites.iter().map(|site| (site.dest, site.span)).collect(), variables, places }
    }

    /// Where all jumps to a `setjmp` come together: it returns again.
    fn arrival(&mut self, site: &SetjmpSite) -> BlockId {
        let block = self.code.b.block();
        self.code.b.switch_to(block);
        self.code.b.span = site.span;
        if let (Some(frame), Some(value)) = (self.code.jump_object(FRAME), self.code.jump_object(VALUE)) {
            // The jump has arrived, so it is no longer under way.
            self.code.b.store(frame, Operand::Constant(Constant::Null), Type::Ptr, Ordering::Plain);
            let value = self.code.b.load(value, Type::Int(32), Ordering::Plain);
            self.code.b.set(site.dest, value);
        }
        // `Forgotten::forget` leads on from here.
        self.code.b.terminate(Terminator::Unreachable);
        block
    }

    /// Chooses the `setjmp` that a jump to this function goes to; gives the register that says which.
    fn dispatch_jump(
        &mut self,
        landing: &Landing,
        sites: &[SetjmpSite],
        arrivals: &[BlockId],
    ) -> Option<RegisterId> {
        let object = self.code.jump_object(PLACE)?;
        let place = self.code.b.register(Type::Int(32), None);
        let load =
            InstKind::Load { dest: place, address: object, ty: Type::Int(32), ordering: Ordering::Plain };
        self.code.b.emit(load);
        let ways: Vec<BlockId> = sites.iter().map(|_| self.code.b.block()).collect();
        let cases = ways.iter().zip(0_u128..).map(|(way, index)| (index, index, *way)).collect();
        let elsewhere = self.code.b.block();
        let value = Operand::Register(place);
        self.code.b.terminate(Terminator::Switch { value, cases, default: elsewhere });
        for ((site, way), arrival) in sites.iter().zip(ways).zip(arrivals) {
            self.code.b.switch_to(way);
            // Each way leaves the scopes of its call and makes those of the `setjmp`.
            self.scopes.change_scopes(&mut self.code, &landing.scopes, &site.scopes);
            self.code.b.terminate(Terminator::Jump(*arrival));
        }
        Some(place)
    }

    /// A result that nobody looks at.
    fn nothing(&self) -> Option<Operand> {
        let Class::Scalar(scalar) = self.result_class() else { return None };
        Some(zero(scalar))
    }
}

impl Code<'_, '_> {
    fn jump_object(&mut self, name: &str) -> Option<Operand> {
        let global = self.program.jump_object(name)?;
        Some(self.b.assign(Type::Ptr, Rvalue::ThreadLocal(global)))
    }
}

fn zero(ty: Type) -> Operand {
    match ty {
        Type::Int(bits) => int(bits, 0),
        Type::F32 => Operand::Constant(Constant::F32(0)),
        Type::F64 => Operand::Constant(Constant::F64(0)),
        Type::Ptr => Operand::Constant(Constant::Null),
    }
}

/// Where a `setjmp` stands in the finished function.
#[derive(Clone, Copy, Debug)]
struct Returns {
    /// The block in which it returns for the first time, and the instruction.
    first: (BlockId, usize),
    /// The block at which jumps arrive, if there are any.
    again: Option<BlockId>,
    /// Where control goes on.
    resume: BlockId,
}

impl Returns {
    fn find(function: &Function, result: RegisterId) -> Option<Self> {
        let (mut first, mut again) = (None, None);
        for (id, block) in function.blocks.iter() {
            let Some(place) = block.insts.iter().position(|inst| inst.kind.dest() == Some(result)) else {
                continue;
            };
            let value = &block.insts[place].kind;
            // The first return assigns the constant zero, the second the value of the jump.
            if matches!(value, InstKind::Assign { value: Rvalue::Use(Operand::Constant(_)), .. }) {
                first = Some((id, place));
            } else {
                again = Some(id);
            }
        }
        let first = first?;
        let Terminator::Jump(resume) = function.blocks[first.0].terminator else { return None };
        Some(Self { first, again, resume })
    }
}

impl Forgotten {
    /// Leads jumps to where `setjmp` returns. Variables that are read later take any value there if they were changed since.
    pub(crate) fn forget(&self, program: &mut Lowering<'_>, id: FunctionId) {
        if self.results.is_empty() {
            return;
        }
        // First the jumps that cannot happen, since they would make variables live that are not.
        self.remove_jumps_ahead(&mut program.functions[id]);
        for &(result, _) in &self.results {
            let function = &mut program.functions[id];
            if let Some(Returns { again: Some(again), resume, .. }) = Returns::find(function, result) {
                function.blocks[again].terminator = Terminator::Jump(resume);
            }
        }
        for &(result, span) in &self.results {
            let function = &program.functions[id];
            let Some(Returns { again: Some(_), resume, .. }) = Returns::find(function, result) else {
                continue;
            };
            // Computed again for each `setjmp`: forgetting adds reads.
            let liveness = Liveness::new(function, &ControlFlow::new(function));
            let is_read = |variable: &RegisterId| liveness.is_live_in(resume, *variable);
            let read: Vec<RegisterId> = self.variables.iter().copied().filter(is_read).collect();
            for variable in read {
                forget_variable(program, id, variable, result, span);
            }
        }
    }

    /// A call that comes before a `setjmp` on every way cannot end by a jump to it.
    fn remove_jumps_ahead(&self, function: &mut Function) {
        let returns: Vec<Option<Returns>> =
            self.results.iter().map(|(result, _)| Returns::find(function, *result)).collect();
        let is_dispatch = |terminator: &Terminator| matches!(terminator, Terminator::Switch { value: Operand::Register(value), .. } if self.places.contains(value));
        let flow = ControlFlow::new(function);
        // Which ways jumps may go: from the block that chooses, to which `setjmp`.
        let mut possible: FxHashSet<(BlockId, usize)> = FxHashSet::default();
        loop {
            let before = possible.len();
            for (target, site) in returns.iter().enumerate() {
                let Some(site) = site else { continue };
                let mut seen = FxHashSet::default();
                let mut waiting = vec![site.resume];
                while let Some(block) = waiting.pop() {
                    if !seen.insert(block) {
                        continue;
                    }
                    // A dispatch passes control on only along ways that are known to be possible; that is why
                    // this is a fixpoint.
                    let terminator = &function.blocks[block].terminator;
                    if is_dispatch(terminator) {
                        possible.insert((block, target));
                        let known = possible.iter().filter(|(from, _)| *from == block);
                        waiting.extend(known.filter_map(|(_, to)| Some(returns[*to]?.resume)));
                    } else {
                        waiting.extend(flow.successors(block));
                    }
                }
            }
            if possible.len() == before {
                break;
            }
        }
        for block in function.blocks.ids().collect::<Vec<_>>() {
            if is_dispatch(&function.blocks[block].terminator)
                && let Terminator::Switch { cases, .. } = &mut function.blocks[block].terminator
            {
                cases.retain(|(place, _, _)| {
                    usize::try_from(*place).is_ok_and(|place| possible.contains(&(block, place)))
                });
            }
        }
        remove_unreachable(function);
    }
}

/// Keeps the variable where `setjmp` returns for the first time, and compares where it returns again.
fn forget_variable(
    program: &mut Lowering<'_>,
    id: FunctionId,
    variable: RegisterId,
    result: RegisterId,
    span: Span,
) {
    let function = &mut program.functions[id];
    let Some(Returns { first: (first, place), again: Some(again), .. }) = Returns::find(function, result)
    else {
        return;
    };
    let Register { ty, name } = function.registers[variable].clone();
    let kept = function.registers.push(Register { ty, name: None });
    let inst = |kind| Inst { kind, span };
    let copy = |dest, value| inst(InstKind::Assign { dest, value: Rvalue::Use(value) });
    // Kept in a register of its own before the first return ...
    function.blocks[first].insts.insert(place, copy(kept, Operand::Register(variable)));
    // ... which must be assigned on every path; a path without the `setjmp` never compares.
    function.blocks[BlockId::from_index(0)].insts.insert(0, copy(kept, zero(ty)));
    let mut insts = Vec::new();
    // Floating values are compared as bits: a NaN is not changed just because it differs from itself.
    let mut bits = |function: &mut Function, register: RegisterId| {
        let width = match ty {
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Int(_) | Type::Ptr => return Operand::Register(register),
        };
        let dest = function.registers.push(Register { ty: Type::Int(width), name: None });
        let value = Rvalue::Cast(CastOp::Bits, Operand::Register(register));
        insts.push(inst(InstKind::Assign { dest, value }));
        Operand::Register(dest)
    };
    let (now, then) = (bits(function, variable), bits(function, kept));
    let changed = function.registers.push(Register { ty: Type::Int(1), name: None });
    let value = Rvalue::Compare(CompareOp::NotEqual, now, then);
    insts.push(inst(InstKind::Assign { dest: changed, value }));
    let name = name.unwrap_or_else(|| "variable".to_owned());
    let name = format!("`{name}`, changed since `setjmp`");
    let site = program.havocs.push(Havoc { name, ty, signed: false, kind: HavocKind::Uninitialised, span });
    let havoc = inst(InstKind::Havoc { dest: variable, site });
    // The comparison comes between the arrival of jumps and what comes behind it now.
    // A variable that was not changed keeps its value, as the standard says.
    let Terminator::Jump(next) = function.blocks[again].terminator else { return };
    let forgets =
        function.blocks.push(Block { insts: vec![havoc], terminator: Terminator::Jump(next), span });
    let terminator = Terminator::Branch(Operand::Register(changed), forgets, next);
    let compares = function.blocks.push(Block { insts, terminator, span });
    function.blocks[again].terminator = Terminator::Jump(compares);
}

/// Takes out the ways from calls that cannot end by a jump.
pub(crate) fn remove_impossible_landings(program: &mut Program, frame: Option<GlobalId>) {
    let Some(frame) = frame else { return };
    // By type: points-to sets are not there yet.
    let graph = CallGraph::by_type(program);
    let mut may_jump = fixedbitset::FixedBitSet::with_capacity(program.functions.len());
    for (id, function) in program.functions.iter() {
        if function.model && function.name == "__model_longjmp" {
            may_jump.insert(id.index());
        }
    }
    // Callees come before callers; those that call one another are looked at until nothing changes.
    loop {
        let before = may_jump.count_ones(..);
        for &id in graph.components().iter().flatten() {
            let calls = graph.calls(id).iter().filter(|call| call.kind != CallKind::Fork);
            if calls.flat_map(|call| &call.callees).any(|callee| may_jump.contains(callee.index())) {
                may_jump.insert(id.index());
            }
        }
        if may_jump.count_ones(..) == before {
            break;
        }
    }
    for id in program.functions.ids().collect::<Vec<_>>() {
        let impossible: Vec<(BlockId, usize)> = graph
            .calls(id)
            .iter()
            .filter(|call| !call.callees.iter().any(|callee| may_jump.contains(callee.index())))
            .map(|call| (call.block, call.inst))
            .collect();
        let function = &mut program.functions[id];
        for (block, call) in impossible {
            let block = &mut function.blocks[block];
            // Behind a call that may jump stands the look at the frame that `invoke` has made.
            let looks = matches!(
                block.insts.get(call + 1).map(|inst| &inst.kind),
                Some(InstKind::Assign { value: Rvalue::ThreadLocal(global), .. }) if *global == frame
            );
            if let (true, Terminator::Branch(_, _, next)) = (looks, &block.terminator) {
                block.terminator = Terminator::Jump(*next);
                block.insts.truncate(call + 1);
            }
        }
        remove_unreachable(function);
    }
}
