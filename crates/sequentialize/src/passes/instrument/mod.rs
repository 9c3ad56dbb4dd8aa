//! Primitives of a sequential program, spelled as a backend wants them.
//!
//! What is left of the primitives when a program is sequential: assumptions, checks, inputs, the end of everything, memory. For
//! our own checker they stay as they are. For the others a check becomes `if (!condition)` and the tool's way to fail, with a
//! description `KIND: text` ([`crate::backend::counterexample::CheckKind`]); after it nothing goes on. Inputs become calls of functions
//! for their types (`text`). Inline assembly that only orders memory goes, other assembly is reported as unsupported where it is
//! reached. Atomic built-ins become plain reads and writes. Memory comes from `malloc` and `calloc`, and goes to `free`.
//!
//! The input must be sequential and have calls as statements ([`super::simplify`]); otherwise it is refused. A name of the
//! program that means something to the tool gets another one.

mod assembly;
mod atomics;
mod text;
mod values;

use crate::steps::fork_argument;
use raddle_base::Span;
use raddle_cfront::ast::{
    Encoding, ExprId, ExprKind, FunctionId, Item, StmtId, StmtKind, StringLiteral, UnaryOp,
};
use raddle_cfront::primitive::{Allocation, Checked, Primitive, Printing};
use raddle_cfront::types::{ArrayLength, QualType, Type, TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::added::add_unit;
use crate::backend::counterexample::CheckKind;
use crate::backend::{Backend, NAMES};
use crate::calls::{Call, direct, statement_call};
use crate::pass::{Parameter, ParameterKind, Pass, Refusal, Values};
use crate::program::Program;
use crate::visit::{exprs_in, stmts_in};
use text::{Fail, Words};

/// The pass.
pub static PASS: Pass = Pass {
    name: "instrument",
    description: "the primitives of a sequential program are spelled as a backend wants them",
    parameters: &[
        Parameter {
            name: "backend",
            description: "who will read the program",
            kind: ParameterKind::Choice(NAMES),
        },
        Parameter {
            name: "properties",
            description: "which checks are kept, as in `assertion+lock-misuse`; all if not said",
            kind: ParameterKind::Text,
        },
    ],
    run,
};

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    let backend = Backend::ALL[values.choice(0).min(Backend::ALL.len() - 1)];
    let kept = kept(values.text(1)).map_err(|message| Refusal::new(Span::NONE, message))?;
    let Some(words) = text::words(backend) else { return Ok(()) };
    let primitives = primitives(program);
    let inputs = values::input_types(program, &primitives)?;
    let text = text::text(backend, program.ast().model, &inputs);
    give_way(program, &text);
    add_unit(program, &format!("<instrument>/{}.c", backend.name()), &text)?;
    let mut writer = Writer { program, backend, words, kept, primitives: &primitives };
    writer.program_body()?;
    atomics::make_plain(program);
    if !words.free_locals {
        values::free_locals(program);
    }
    crate::order::in_time(program);
    super::prune::run(program, &Values::default())?;
    atomics::refuse_unknown(program)
}

/// The kinds of checks to keep. What is not supported, and what is beyond a bound, is always reported.
fn kept(text: &str) -> Result<Vec<CheckKind>, String> {
    let mut kept = vec![CheckKind::Unsupported, CheckKind::Bound];
    if text.is_empty() {
        return Ok(CheckKind::ALL.to_vec());
    }
    for word in text.split('+') {
        match CheckKind::ALL.into_iter().find(|kind| kind.is_violation() && kind.name() == word) {
            Some(kind) => kept.push(kind),
            None => {
                return Err(format!(
                    "`{word}` is no property that is checked here: there are assertion, lock-misuse, memory-safety \
                     and deadlock"
                ));
            }
        }
    }
    Ok(kept)
}

/// What a function without a body means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Any value of its type.
    Input,
    /// Goes on only where the argument is true.
    Assume,
    /// Nothing goes on.
    Stop,
    /// The argument holds, or a check has failed.
    Check(CheckKind),
    /// A check has failed; the first argument may say which.
    Failed(CheckKind),
    /// Nothing at all.
    Nothing,
    Allocate,
    AllocateAligned,
    Free,
    ObjectSize,
    /// A byte is printed, and given back.
    PutByte,
    /// What a word holds. The second argument is what it holds if nobody ever wrote it, which no backend can ask: it is any
    /// value there (or just something, where a tool fixes what it allocates). So a counterexample may rest on such a value; it does
    /// not replay then, and is not reported.
    Peek,
    /// Has no meaning in a sequential program, or none that a backend knows.
    Refused,
}

fn meaning(program: &Program, function: FunctionId) -> Option<Meaning> {
    let Some(primitive) = program.ast().primitive(function) else {
        let is_ours = program.function_text(function).starts_with("__raddle_");
        return (is_ours || fork_argument(program, function).is_some()).then_some(Meaning::Refused);
    };
    Some(match primitive {
        Primitive::Nondet => Meaning::Input,
        Primitive::Assume | Primitive::WaitUntil => Meaning::Assume,
        Primitive::Abort | Primitive::ExitProcess => Meaning::Stop,
        Primitive::AssertFail | Primitive::Error => Meaning::Failed(CheckKind::Assertion),
        Primitive::Unsupported => Meaning::Failed(CheckKind::Unsupported),
        Primitive::BoundReached => Meaning::Failed(CheckKind::Bound),
        Primitive::Deadlock => Meaning::Failed(CheckKind::Deadlock),
        Primitive::Check(Checked::Assertion) => Meaning::Check(CheckKind::Assertion),
        Primitive::Check(Checked::Lock) => Meaning::Check(CheckKind::LockMisuse),
        Primitive::Check(Checked::Memory) => Meaning::Check(CheckKind::MemorySafety),
        // Backends do not ask whether memory was written.
        Primitive::Fence | Primitive::Unwritten | Primitive::EndLocals => Meaning::Nothing,
        Primitive::Allocate(Allocation::Plain) => Meaning::Allocate,
        Primitive::Allocate(Allocation::Aligned) => Meaning::AllocateAligned,
        Primitive::Free => Meaning::Free,
        Primitive::ObjectSize => Meaning::ObjectSize,
        Primitive::Print(Printing::Byte) => Meaning::PutByte,
        Primitive::Peek => Meaning::Peek,
        Primitive::AtomicBegin
        | Primitive::AtomicEnd
        | Primitive::Lock
        | Primitive::Unlock
        | Primitive::HoldsLock
        | Primitive::LockIsFree
        | Primitive::Fork
        | Primitive::Join
        | Primitive::CurrentThread
        | Primitive::ThreadExists
        | Primitive::ExitThread
        | Primitive::Allocate(Allocation::Own)
        | Primitive::Question(_)
        | Primitive::Print(Printing::Integer | Printing::Float | Printing::Pointer)
        | Primitive::FloatByte
        | Primitive::Decimal
        | Primitive::Mathematics(_)
        | Primitive::CheckAlone => Meaning::Refused,
    })
}

/// The program's functions that are primitives.
fn primitives(program: &Program) -> FxHashMap<FunctionId, Meaning> {
    let mut found = FxHashMap::default();
    for (id, _) in program.ast().functions.iter() {
        // To call these is the violation, whatever is put into their bodies.
        let always = matches!(program.ast().primitive(id), Some(Primitive::Error | Primitive::Deadlock));
        if (always || program.body(program.definition_of(id)).is_none())
            && let Some(meaning) = meaning(program, id)
        {
            found.insert(id, meaning);
        }
    }
    found
}

/// Names of the program that the text needs become others.
fn give_way(program: &mut Program, text: &str) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names: FxHashSet<&str> = text.split(|c| !is_word(c)).collect();
    let functions: Vec<FunctionId> = program.ast().functions.iter().map(|(id, _)| id).collect();
    let mut renamed = FxHashMap::default();
    for id in functions {
        let old = program.ast().functions[id].name;
        let name = program.ast().text(old).to_owned();
        if names.contains(name.as_str()) {
            // All declarations of a function get the same one.
            let new = *renamed.entry(old).or_insert_with(|| program.fresh_name(&name));
            program.ast_mut().functions[id].name = new;
        }
    }
    let vars: Vec<_> = program.ast().vars.iter().filter_map(|(id, var)| Some((id, var.name?))).collect();
    for (id, old) in vars {
        let name = program.ast().text(old).to_owned();
        // Names of parameters in the text are nobody's.
        if name.contains('_') && names.contains(name.as_str()) {
            let new = *renamed.entry(old).or_insert_with(|| program.fresh_name(&name));
            program.ast_mut().vars[id].name = Some(new);
        }
    }
}

/// Rewrites calls.
struct Writer<'p> {
    program: &'p mut Program,
    backend: Backend,
    words: Words,
    kept: Vec<CheckKind>,
    primitives: &'p FxHashMap<FunctionId, Meaning>,
}

impl Writer<'_> {
    fn program_body(&mut self) -> Result<(), Refusal> {
        for (_, function) in self.program.definitions() {
            let Some(body) = self.program.body(function) else { continue };
            if self.primitives.contains_key(&function) {
                continue;
            }
            for stmt in stmts_in(self.program.ast(), body) {
                if let Some(call) = statement_call(self.program, stmt)
                    && let Some(primitive) = self.meaning(call.callee)
                {
                    self.statement(stmt, &call, primitive)?;
                } else if let StmtKind::Asm(asm) = &self.program.ast().stmts[stmt].kind {
                    let harmless = assembly::does_nothing(asm);
                    let kind = if harmless {
                        StmtKind::Empty
                    } else {
                        self.fail(CheckKind::Unsupported, "inline assembly", stmt)
                    };
                    self.program.ast_mut().stmts[stmt].kind = kind;
                }
            }
            for expr in exprs_in(self.program.ast(), body) {
                self.expression(expr)?;
            }
        }
        Ok(())
    }

    fn meaning(&self, callee: ExprId) -> Option<Meaning> {
        self.primitives.get(&direct(self.program, callee)?).copied()
    }

    /// A call that is a statement.
    fn statement(&mut self, stmt: StmtId, call: &Call, primitive: Meaning) -> Result<(), Refusal> {
        let span = self.program.ast().stmts[stmt].span;
        let kind = match primitive {
            Meaning::Assume => {
                let Some(&condition) = call.arguments.first() else { return Ok(()) };
                self.assume(condition, stmt)
            }
            Meaning::Stop => {
                let never = self.program.int(0, span);
                self.assume(never, stmt)
            }
            Meaning::Nothing => StmtKind::Empty,
            Meaning::Failed(kind) => {
                let said = call.arguments.first().and_then(|&argument| self.text_of(argument));
                let name = call.function.map_or("", |function| self.program.function_text(function));
                let said = match (kind, said) {
                    (_, Some(said)) => said,
                    (CheckKind::Deadlock, None) => "every thread waits".to_owned(),
                    (CheckKind::Bound, None) => "a loop or recursion goes on beyond its bound".to_owned(),
                    (_, None) => format!("{} is called", original_name(name)),
                };
                self.fail(kind, &said, stmt)
            }
            Meaning::Check(kind) => {
                let [condition, said] = call.arguments[..] else { return Ok(()) };
                let said = self.text_of(said).unwrap_or_default();
                self.check(condition, kind, &said, stmt)
            }
            Meaning::Input
            | Meaning::Allocate
            | Meaning::AllocateAligned
            | Meaning::Free
            | Meaning::ObjectSize
            | Meaning::PutByte
            | Meaning::Peek
            | Meaning::Refused => return Ok(()),
        };
        self.program.ast_mut().stmts[stmt].kind = kind;
        Ok(())
    }

    fn assume(&mut self, condition: ExprId, stmt: StmtId) -> StmtKind {
        let span = self.program.ast().exprs[condition].span;
        let condition = self.program.bare(condition);
        self.call_statement(self.words.assume, vec![condition], span, stmt)
    }

    fn call_statement(&mut self, name: &str, arguments: Vec<ExprId>, span: Span, stmt: StmtId) -> StmtKind {
        let function = self.function(name);
        let call = self.program.call(function, arguments, span);
        let made = self.program.expr_stmt(call, stmt);
        self.program.ast().stmts[made].kind.clone()
    }

    /// `if (!condition)` and the way to fail.
    fn check(&mut self, condition: ExprId, kind: CheckKind, said: &str, stmt: StmtId) -> StmtKind {
        if !self.kept.contains(&kind) {
            return StmtKind::Empty;
        }
        let failed = self.fail(kind, said, stmt);
        let condition = self.program.bare(condition);
        if self.program.constant(condition) == Some(0) {
            return failed;
        }
        let then = self.program.stmt(failed, stmt);
        let value = self.program.tree.rvalue(condition);
        let wrong = self.program.not(value);
        let made = self.program.if_stmt(wrong, then, None, stmt);
        self.program.ast().stmts[made].kind.clone()
    }

    /// The way to fail. Of what is not asked for, only that nothing goes on.
    fn fail(&mut self, kind: CheckKind, said: &str, stmt: StmtId) -> StmtKind {
        let span = self.program.ast().stmts[stmt].span;
        let never = self.program.int(0, span);
        if !self.kept.contains(&kind) {
            return self.assume(never, stmt);
        }
        let description = string(self.program, &format!("{kind}: {said}"), span);
        match self.words.fail {
            Fail::Call(name) => self.call_statement(name, vec![description], span, stmt),
            Fail::Assert(name) => {
                let told = self.call_statement(name, vec![never, description], span, stmt);
                let never = self.program.int(0, span);
                let ended = self.assume(never, stmt);
                let list = vec![self.program.stmt(told, stmt), self.program.stmt(ended, stmt)];
                StmtKind::Block(list)
            }
        }
    }

    /// A call anywhere. Those that had to be statements are gone by now.
    fn expression(&mut self, expr: ExprId) -> Result<(), Refusal> {
        let ExprKind::Call { callee, arguments } = self.program.ast().exprs[expr].kind.clone() else {
            return Ok(());
        };
        let Some(primitive) = self.meaning(callee) else { return Ok(()) };
        let span = self.program.ast().exprs[expr].span;
        let arguments: Vec<ExprId> = arguments.iter().map(|&argument| self.program.bare(argument)).collect();
        let argument = |place: usize| arguments.get(place).copied();
        let void_pointer = Types::void_pointer();
        let size = self.size_type();
        let new = match primitive {
            Meaning::Input => {
                let ty = self.program.ast().exprs[expr].ty;
                let Some((name, _)) = values::input_type(self.program, ty) else { return Ok(()) };
                let function = self.function(&format!("{}{name}", self.words.any));
                self.program.call(function, Vec::new(), span)
            }
            Meaning::Allocate => {
                let (Some(bytes), Some(zeroed)) = (argument(0), argument(1)) else { return Ok(()) };
                if self.program.constant(zeroed) == Some(0) {
                    let malloc = self.program.external("malloc", void_pointer, &[size], 0);
                    self.program.call(malloc, vec![bytes], span)
                } else {
                    let calloc = self.program.external("calloc", void_pointer, &[size, size], 0);
                    let one = self.program.int(1, span);
                    self.program.call(calloc, vec![one, bytes], span)
                }
            }
            Meaning::AllocateAligned => {
                let (Some(bytes), Some(alignment)) = (argument(0), argument(1)) else { return Ok(()) };
                let allocate = self.program.external("aligned_alloc", void_pointer, &[size, size], 0);
                self.program.call(allocate, vec![alignment, bytes], span)
            }
            Meaning::Free => {
                let Some(pointer) = argument(0) else { return Ok(()) };
                let free = self.program.external("free", Types::void(), &[void_pointer], 0);
                self.program.call(free, vec![pointer], span)
            }
            Meaning::ObjectSize => {
                let (Some(name), Some(pointer)) = (self.words.object_size, argument(0)) else {
                    return Err(self.refuse("the size of an object is asked for", span));
                };
                let function = self.function(name);
                self.program.call(function, vec![pointer], span)
            }
            Meaning::PutByte => {
                let Some(byte) = argument(1) else { return Ok(()) };
                let putchar = self.program.external("putchar", Types::int(), &[Types::int()], 0);
                self.program.call(putchar, vec![byte], span)
            }
            Meaning::Peek => {
                let Some(word) = argument(0) else { return Ok(()) };
                let read = self.program.tree.operators().unary(UnaryOp::Deref, word, span);
                self.program.tree.rvalue(read)
            }
            Meaning::Refused => {
                let name = direct(self.program, callee).map_or("", |id| self.program.function_text(id));
                if name.starts_with("__raddle_print") {
                    return Err(self.refuse("something is printed from a list of arguments", span));
                }
                let message = format!("`{}` is called", original_name(name));
                return Err(Refusal::new(span, message)
                    .help("the program must be sequential: run `lazy` or `lal_reps` before"));
            }
            Meaning::Assume | Meaning::Stop | Meaning::Check(_) | Meaning::Failed(_) | Meaning::Nothing => {
                return Err(Refusal::new(span, "a call of a primitive stands inside of an expression")
                    .help("run the pass `simplify` before"));
            }
        };
        let wanted = self.program.ast().exprs[expr].ty;
        let types = &self.program.ast().types;
        let same = types.same(self.program.ast().exprs[new].ty.id, wanted.id);
        let new = if same { new } else { self.program.tree.explicit_cast(new, wanted, span) };
        let new = self.program.ast().exprs[new].clone();
        self.program.ast_mut().exprs[expr] = new;
        Ok(())
    }

    fn refuse(&self, what: &str, span: Span) -> Refusal {
        Refusal::new(span, format!("{what}, which {} cannot express", self.backend.name()))
    }

    fn size_type(&mut self) -> TypeId {
        let kind = self.program.ast().model.size_type();
        self.program.ast_mut().types.intern(Type::Int(kind))
    }

    /// A function of the text.
    fn function(&self, name: &str) -> FunctionId {
        let ast = self.program.ast();
        let found = ast.units.iter().flat_map(|unit| &unit.items).find_map(|item| match *item {
            Item::Function { id, .. } if self.program.function_text(id) == name => Some(id),
            Item::Function { .. }
            | Item::Record { .. }
            | Item::Enum(_)
            | Item::Typedef(_)
            | Item::Var { .. }
            | Item::Asm(_)
            | Item::Label(_) => None,
        });
        found.expect("the text for the backend declares it")
    }

    /// The text of an argument that is a string.
    fn text_of(&self, argument: ExprId) -> Option<String> {
        let mut expr = argument;
        loop {
            expr = match &self.program.ast().exprs[expr].kind {
                ExprKind::String(literal) => {
                    return literal.units.iter().map(|&unit| char::from_u32(unit)).collect();
                }
                ExprKind::Cast { operand, .. } => *operand,
                _ => return None,
            };
        }
    }
}

/// A name without the number that it got to give way.
fn original_name(name: &str) -> &str {
    match name.rsplit_once("__") {
        Some((base, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            base
        }
        Some(_) | None => name,
    }
}

/// A string literal.
fn string(program: &mut Program, text: &str, span: Span) -> ExprId {
    let units: Box<[u32]> = text.bytes().map(u32::from).collect();
    let length = u64::try_from(units.len() + 1).unwrap_or(u64::MAX);
    let element = QualType::plain(Types::char());
    let ty = program.ast_mut().types.intern(Type::Array { element, length: ArrayLength::Fixed(length) });
    let literal = ExprKind::String(StringLiteral { encoding: Encoding::Plain, units });
    program.tree.expr(literal, ty, true, span)
}
