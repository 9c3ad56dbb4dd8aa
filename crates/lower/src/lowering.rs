//! The program under construction.
//!
//! Ids are given out before bodies are lowered, so that functions and objects may mention each other in any order, and
//! in an order that depends on the program's text alone. What comes out is checked by the IR's own validator; a
//! program that breaks one of its rules is refused, never handed on.

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use raddle_base::{Diagnostic, Diagnostics, Id, Span, Table, on_large_stack};
use raddle_cfront::asked::{Named, Reached};
use raddle_cfront::ast::{
    self, Ast, Attribute, Encoding, ExprKind, External, LabelId, Storage, StringLiteral, UnaryOp, VarId,
};
use raddle_cfront::opaque::{Looks, Opaque, copies_locks, looks};
use raddle_cfront::types::Type as CType;
use raddle_ir::analyses::liveness::read_before_assigned;
use raddle_ir::passes::dead_havoc::remove_dead_havocs;
use raddle_ir::passes::known_starts::name_starts;
use raddle_ir::passes::unknown_calls::stop_at_undefined;
use raddle_ir::validate::{Rule, validate};
use raddle_ir::{
    AllocStorage, Block, BlockId, Constant, ForeignReads, Function, FunctionId, Global, GlobalId, GlobalInit,
    Havoc, HavocId, HavocKind, Inst, InstKind, Operand, Program, Register, RegisterId, Rvalue, ScalarStyle,
    Shape, Terminator, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::function::Builder;
use crate::jump::{Forgotten, names_longjmp, names_setjmp, remove_impossible_landings};
use crate::names::NameTable;
use crate::options::{LowerOptions, Threads};
use crate::scope::end_activations;
use crate::types::{self, Class};

/// A lowered program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program, valid by the IR's rules; absent when an error was found.
    pub program: Option<Program>,
    /// What was refused, and why.
    pub diagnostics: Diagnostics,
}

/// Lowers a checked and linked program whose last `models` units are the API models.
///
/// Of the models only what the program uses is lowered; those functions are marked, so that stories can leave them out.
#[must_use]
pub fn lower(ast: &Ast, options: LowerOptions, models: usize) -> Lowered {
    on_large_stack(|| {
        let units = ast.units.len().saturating_sub(models);
        let mut lowering = Lowering::new(ast, options, units);
        // Known before any body is lowered: with `longjmp` in the program every call gets a way out.
        lowering.has_jumps = names_longjmp(ast);
        lowering.has_setjmp = names_setjmp(ast);
        lowering.declare();
        lowering.define();
        lowering.finish()
    })
}

/// The object of a local variable, as it is allocated.
#[derive(Clone, Debug)]
pub(crate) struct LocalObject {
    pub(crate) size: u64,
    pub(crate) align: u64,
    pub(crate) name: String,
    pub(crate) shape: Shape,
}

/// What the program does with handles of threads, keys and locks: found out when somebody asks, and once.
#[derive(Debug, Default)]
pub(crate) struct OpaqueUses {
    threads: Option<Looks>,
    keys: Option<Looks>,
    copies_locks: Option<bool>,
}

impl OpaqueUses {
    /// How the program looks at the bits of handles.
    pub(crate) fn looks_at(&mut self, ast: &Ast, opaque: Opaque) -> Looks {
        let known = match opaque {
            Opaque::Thread => &mut self.threads,
            Opaque::Key => &mut self.keys,
        };
        *known.get_or_insert_with(|| looks(ast, opaque))
    }

    /// Whether the program may copy locks.
    pub(crate) fn copies_locks(&mut self, ast: &Ast) -> bool {
        *self.copies_locks.get_or_insert_with(|| copies_locks(ast))
    }
}

/// The program under construction.
pub(crate) struct Lowering<'a> {
    pub(crate) ast: &'a Ast,
    pub(crate) options: LowerOptions,
    pub(crate) pointer_bits: u8,
    pub(crate) functions: Table<FunctionId, Function>,
    pub(crate) globals: Table<GlobalId, Global>,
    pub(crate) havocs: Table<HavocId, Havoc>,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) names: NameTable,
    /// How many units are the program's own; those behind are models.
    pub(crate) units: usize,
    pub(crate) function_ids: FxHashMap<ast::FunctionId, FunctionId>,
    pub(crate) global_ids: FxHashMap<VarId, GlobalId>,
    strings: IndexMap<(Encoding, Box<[u32]>), GlobalId>,
    /// Functions that are declared and still to be lowered: models, and nested functions met before their definition.
    wanted: Vec<(ast::FunctionId, FunctionId)>,
    /// Objects that are used and that no unit defines.
    pub(crate) undefined: Vec<GlobalId>,
    /// `argv` and `envp`, once they are made.
    pub(crate) start_objects: FxHashMap<&'static str, GlobalId>,
    /// The functions around those of other shapes that threads start in.
    pub(crate) thread_functions: FxHashMap<FunctionId, FunctionId>,
    pub(crate) has_destructors: bool,
    /// Whether the program names `longjmp`: then calls may end by a jump.
    pub(crate) has_jumps: bool,
    /// Whether it names `setjmp`.
    pub(crate) has_setjmp: bool,
    /// What the program does with handles and locks.
    pub(crate) opaque: OpaqueUses,
    /// What the program names, what it reaches by that once somebody has asked, and what was said to be out of reach.
    named: Named,
    reached: Option<Reached>,
    denied: FxHashSet<String>,
    /// The number of arguments of `main`, where that is free.
    pub(crate) free_count: Option<Operand>,
    /// Variables whose address is taken somewhere: they live in memory.
    pub(crate) addressed: FixedBitSet,
    /// Labels whose address is taken somewhere.
    pub(crate) addressed_labels: Vec<LabelId>,
}

impl<'a> Lowering<'a> {
    fn new(ast: &'a Ast, options: LowerOptions, units: usize) -> Self {
        let pointer_bits = u8::try_from(ast.model.pointer_bytes() * 8).expect("32 or 64");
        let labels = ast.exprs.values().filter_map(|expr| {
            if let ExprKind::LabelAddress(label) = expr.kind { Some(label) } else { None }
        });
        let mut addressed_labels: Vec<LabelId> = labels.collect();
        addressed_labels.sort_unstable();
        addressed_labels.dedup();
        Self {
            ast,
            options,
            pointer_bits,
            functions: Table::new(),
            globals: Table::new(),
            havocs: Table::new(),
            diagnostics: Diagnostics::new(),
            names: NameTable::new(ast),
            units,
            function_ids: FxHashMap::default(),
            global_ids: FxHashMap::default(),
            strings: IndexMap::new(),
            wanted: Vec::new(),
            undefined: Vec::new(),
            start_objects: FxHashMap::default(),
            thread_functions: FxHashMap::default(),
            has_destructors: false,
            has_jumps: false,
            has_setjmp: false,
            opaque: OpaqueUses::default(),
            named: Named::anywhere(ast),
            reached: None,
            denied: FxHashSet::default(),
            free_count: None,
            addressed: addressed(ast),
            addressed_labels,
        }
    }

    /// The IR function of a C function.
    pub(crate) fn function(&mut self, id: ast::FunctionId) -> FunctionId {
        let id = self.resolve_function(id);
        if let Some(&known) = self.function_ids.get(&id) {
            return known;
        }
        // The program's own functions are declared before any is used, so this is a model, is nested, or has no body.
        let known = self.declare_function(id);
        if self.ast.functions[id].body.is_some() {
            self.wanted.push((id, known));
        }
        known
    }

    /// Declares every function of the program, in order, so that numbering does not depend on who calls whom.
    fn declare(&mut self) {
        for unit in &self.ast.units[..self.units] {
            for item in &unit.items {
                if let ast::Item::Function { id, definition: true } = *item
                    // Of several inline definitions only the one that the others lead to gets a body.
                    && self.resolve_function(id) == id
                    && !self.function_ids.contains_key(&id)
                {
                    self.declare_function(id);
                }
            }
        }
    }

    /// Whether a function comes with the models.
    pub(crate) fn is_model(&self, id: ast::FunctionId) -> bool {
        self.names.unit_of(id).is_some_and(|unit| unit >= self.units)
    }

    fn declare_function(&mut self, id: ast::FunctionId) -> FunctionId {
        let function = &self.ast.functions[id];
        let (parameters, registers, result) = self.signature(id);
        let model = self.is_model(id);
        let foreign_reads = if model { foreign_reads(&function.attributes) } else { None };
        let name = self.names.function(self.ast, id);
        // The id exists before the body is lowered, so functions may call each other and themselves.
        let known = self.functions.push(Function {
            name,
            parameters,
            result,
            registers,
            blocks: Table::new(),
            model,
            foreign_reads,
            span: function.span,
        });
        self.function_ids.insert(id, known);
        known
    }

    /// Whether the arguments of a call all go to the variadic area: the function has no body to say what it takes.
    pub(crate) fn takes_anything(&self, id: ast::FunctionId) -> bool {
        let function = &self.ast.functions[id];
        function.body.is_none()
            && types::function_type(self.ast, function.ty.id).is_some_and(|ty| !ty.prototype && !ty.variadic)
    }

    /// The registers that a function's arguments arrive in: a place for a result held in memory first, then the
    /// parameters (aggregates by address), then the area of variadic arguments.
    fn signature(&self, id: ast::FunctionId) -> (Vec<RegisterId>, Table<RegisterId, Register>, Option<Type>) {
        let function = &self.ast.functions[id];
        let mut registers = Table::new();
        let mut parameters = Vec::new();
        let Some(ty) = types::function_type(self.ast, function.ty.id) else {
            return (parameters, registers, None);
        };
        let mut add = |ty, name: Option<String>| parameters.push(registers.push(Register { ty, name }));
        let result = match types::class(self.ast, ty.result) {
            Class::Scalar(result) => Some(result),
            Class::Aggregate => {
                // The caller makes the object and passes its address first.
                add(Type::Ptr, Some("result".to_owned()));
                None
            }
            Class::Void | Class::Function | Class::Unsupported(_) => None,
        };
        let named = function.parameters.iter().map(|&parameter| self.ast.vars[parameter].name);
        let names =
            named.map(|name| name.map(|name| self.ast.text(name).to_owned())).chain(std::iter::repeat(None));
        let declared: Vec<_> = if function.old_style {
            function.parameters.iter().map(|&parameter| self.ast.vars[parameter].ty).collect()
        } else {
            ty.parameters.to_vec()
        };
        for (parameter, name) in declared.into_iter().zip(names) {
            match types::class(self.ast, parameter) {
                Class::Scalar(scalar) => {
                    // Called without a prototype, the caller has promoted what it passes.
                    add(if function.old_style { types::promoted(scalar) } else { scalar }, name);
                }
                Class::Aggregate | Class::Void | Class::Function | Class::Unsupported(_) => {
                    // Aggregates come by address; what has no meaning as a type is refused where it is used.
                    add(Type::Ptr, name);
                }
            }
        }
        if ty.variadic || self.takes_anything(id) {
            add(Type::Ptr, Some("variadic arguments".to_owned()));
        }
        (parameters, registers, result)
    }

    fn define(&mut self) {
        for unit in &self.ast.units[..self.units] {
            for item in &unit.items {
                match *item {
                    ast::Item::Function { id, definition: true } => {
                        if self.resolve_function(id) == id {
                            let known = self.function(id);
                            self.define_function(id, known);
                        }
                    }
                    ast::Item::Var { id, definition: true } => {
                        self.global(id);
                    }
                    ast::Item::Function { definition: false, .. }
                    | ast::Item::Var { definition: false, .. }
                    | ast::Item::Record { .. }
                    | ast::Item::Enum(_)
                    | ast::Item::Typedef(_)
                    | ast::Item::Label(_) => {}
                    ast::Item::Asm(statement) => {
                        let span = self.ast.stmts[statement].span;
                        self.diagnostics.push(
                            Diagnostic::error(span, "assembly at file scope is not supported")
                                .help("leave it out with `#ifndef`, or write in C what it does"),
                        );
                    }
                }
            }
        }
    }

    /// Lowers a function's body, once.
    pub(crate) fn define_function(&mut self, id: ast::FunctionId, known: FunctionId) {
        if self.functions[known].blocks.is_empty() {
            crate::statement::lower_function(self, id, known);
        }
    }

    /// Lowers the functions that were asked for, and those they ask for.
    fn define_wanted(&mut self) {
        while let Some((id, known)) = self.wanted.pop() {
            self.define_function(id, known);
        }
    }

    /// The object of a variable with static storage.
    pub(crate) fn global(&mut self, var: VarId) -> GlobalId {
        let var = self.resolve_var(var);
        if let Some(&known) = self.global_ids.get(&var) {
            return known;
        }
        let declared = &self.ast.vars[var];
        let size = types::size_of(self.ast, declared.ty);
        let align = declared
            .align
            .unwrap_or(1)
            .max(raddle_cfront::layout::align_of(self.ast, declared.ty).unwrap_or(1));
        let name = self.names.var(self.ast, var);
        let id = self.globals.push(Global {
            name,
            size,
            align,
            init: Vec::new(),
            read_only: types::is_constant(self.ast, declared.ty),
            thread_local: declared.thread_local,
            span: declared.span,
            shape: types::shape(self.ast, declared.ty),
        });
        self.global_ids.insert(var, id);
        if declared.storage == Storage::External && !declared.defined && declared.init.is_none() {
            // Nobody has seen its definition, so nothing is known of what it holds, not even if it is
            // `const`.
            self.globals[id].read_only = false;
            self.undefined.push(id);
        }
        // An initialiser may mention the object itself, so it is lowered when the id is known.
        if let Some(init) = &declared.init {
            self.fill_global(id, init, declared.ty);
        }
        id
    }

    /// The object of a string literal; equal literals share one.
    pub(crate) fn string(&mut self, literal: &StringLiteral) -> GlobalId {
        let key = (literal.encoding, literal.units.clone());
        if let Some(&known) = self.strings.get(&key) {
            return known;
        }
        let kind = types::unit_kind(self.ast, literal.encoding);
        let bits = types::int_bits(self.ast, kind);
        let bytes = u64::from(bits / 8);
        let count = literal.units.len() as u64 + 1;
        let init =
            // Zeros need no initialiser: objects with static storage start as zeros.
            literal.units.iter().zip(0..).filter(|(unit, _)| **unit != 0).map(|(&unit, index)| GlobalInit {
                offset: index * bytes,
                value: Constant::Int(bits, u128::from(unit) & ((1 << bits) - 1)),
            });
        let name = self.names.other_global(format!("string {}", self.strings.len()));
        let id = self.globals.push(Global {
            name,
            size: count * bytes,
            align: bytes,
            init: init.collect(),
            read_only: true,
            thread_local: false,
            span: Span::NONE,
            shape: Shape::Array {
                element: Box::new(Shape::Scalar(Type::Int(bits), ScalarStyle::Char)),
                stride: bytes,
                count,
            },
        });
        self.strings.insert(key, id);
        id
    }

    /// A new source of nondeterminism.
    pub(crate) fn havoc(&mut self, name: String, ty: Type, signed: bool, span: Span) -> HavocId {
        self.havocs.push(Havoc { name, ty, signed, kind: HavocKind::Input, span })
    }

    /// A choice whether a wait ends for no reason.
    pub(crate) fn spurious(&mut self, name: String, ty: Type, span: Span) -> HavocId {
        self.havocs.push(Havoc { name, ty, signed: false, kind: HavocKind::Spurious, span })
    }

    /// The value of a variable that has none yet.
    pub(crate) fn uninitialised(&mut self, name: &str, ty: Type, signed: bool, span: Span) -> HavocId {
        let name = format!("uninitialised `{name}`");
        self.havocs.push(Havoc { name, ty, signed, kind: HavocKind::Uninitialised, span })
    }

    /// The result of a function that ends without giving one.
    pub(crate) fn missing_result(&mut self, function: &str, ty: Type, span: Span) -> HavocId {
        let name = format!("result of `{function}`, which ends without `return`");
        self.havocs.push(Havoc { name, ty, signed: false, kind: HavocKind::Uninitialised, span })
    }

    /// Whether an expression somewhere names the function, or the variable.
    pub(crate) fn uses(&self, name: &str) -> bool {
        // Destructors are noted as exit handlers.
        if name == "atexit" && self.has_destructors {
            return true;
        }
        self.named.has(name)
    }

    /// Whether the program reaches a function of the models.
    pub(crate) fn reaches(&mut self, model: &str) -> bool {
        let reaches = self.reached.get_or_insert_with(|| Reached::from(self.ast, &self.named)).has(model);
        if !reaches {
            self.denied.insert(model.to_owned());
        }
        reaches
    }

    /// What was taken for unreachable and is there all the same. There is no such function; a mistake here must not become a proof.
    fn refuse_denied(&mut self) {
        for function in self.functions.values() {
            if function.model && self.denied.contains(&function.name) {
                let message = format!("the models took `{}` for out of reach", function.name);
                let error = Diagnostic::error(function.span, message);
                self.diagnostics.push(
                    error.help("this is a mistake of the tool's, not of the program's; please report it"),
                );
            }
        }
    }

    /// The function of a name with external linkage that has a body.
    pub(crate) fn defined_function(&mut self, name: &str) -> Option<FunctionId> {
        let symbol = self.ast.names.find(name)?;
        match self.ast.externals.get(&symbol)? {
            External::Function(id) if self.ast.functions[self.resolve_function(*id)].body.is_some() => {
                Some(self.function(*id))
            }
            External::Function(_) | External::Var(_) => None,
        }
    }

    fn finish(mut self) -> Lowered {
        let Some(main) = self.defined_function("main") else {
            self.diagnostics.push(
                Diagnostic::error(Span::NONE, "the program has no function `main`")
                    .help("name all files of the program, or the one that defines `main`"),
            );
            return Lowered { program: None, diagnostics: self.diagnostics };
        };
        // Before the wanted functions: the surroundings ask for models, too.
        let around = self.surroundings();
        self.define_wanted();
        let entry = self.entry(main, &around);
        // After all bodies, when every function that is used has been declared.
        self.refuse_undeclared();
        self.refuse_denied();
        let outside = self.outside();
        let (address_reuse, threads) = (self.options.environment.address_reuse, self.options.threads);
        let jump_frame = if self.has_jumps { self.jump_frame() } else { None };
        let mut program = Program {
            pointer_bits: self.pointer_bits,
            functions: self.functions,
            globals: self.globals,
            havocs: self.havocs,
            entry,
            address_reuse,
            outside,
        };
        // Calls of functions without a body stop here; `unknown_calls` looks at them again.
        stop_at_undefined(&mut program);
        remove_impossible_landings(&mut program, jump_frame);
        let mut diagnostics = self.diagnostics;
        // The rules of the IR are checked, and a program that breaks one is not handed on.
        for finding in validate(&program) {
            let span = finding.function.map_or(Span::NONE, |id| program.functions[id].span);
            // The one rule that a program can break by itself.
            if let (Rule::AtomicBlocks, Some(function)) = (finding.rule, finding.function) {
                refuse_atomic_blocks(&mut program.functions[function]);
                continue;
            }
            let error = Diagnostic::error(span, format!("this cannot be lowered: {finding}"));
            diagnostics
                .push(error.help("this is a mistake of the tool's, not of the program's; please report it"));
        }
        if diagnostics.has_errors() {
            return Lowered { program: None, diagnostics };
        }
        // `int i;` is no input where `i` is assigned before it is read.
        // Only now: it reads which registers are live, which needs a valid program.
        remove_dead_havocs(&mut program);
        end_activations(&mut program);
        if threads == Threads::Alike {
            name_starts(&mut program);
        }
        Lowered { program: Some(program), diagnostics }
    }

    /// A builder for a function whose parameters are declared already.
    pub(crate) fn builder(&self, id: FunctionId) -> Builder {
        let mut builder = Builder::new(self.pointer_bits, self.functions[id].span);
        builder.registers = self.functions[id].registers.clone();
        builder
    }

    /// Puts a finished body into its function. Where a jump passes a declaration by, the variable still has an object or a
    /// value: made at entry, whatever it holds.
    pub(crate) fn complete(
        &mut self,
        id: FunctionId,
        builder: Builder,
        objects: &FxHashMap<RegisterId, LocalObject>,
        nulls: &FxHashSet<RegisterId>,
        jumps: &Forgotten,
    ) {
        let (registers, blocks) = builder.finish();
        self.functions[id].registers = registers;
        self.functions[id].blocks = blocks;
        jumps.forget(self, id);
        let span = self.functions[id].span;
        let mut first = Vec::new();
        // What a jump passes by is read before it is assigned on that path. A well-formed function has no
        // other such registers.
        for dest in read_before_assigned(&self.functions[id]) {
            let Register { ty, name } = self.functions[id].registers[dest].clone();
            let kind = match objects.get(&dest) {
                // A register that says "not there" begins as null.
                _ if nulls.contains(&dest) => {
                    InstKind::Assign { dest, value: Rvalue::Use(Operand::Constant(Constant::Null)) }
                }
                Some(object) => InstKind::Alloc {
                    dest,
                    size: Operand::Constant(Constant::Int(self.pointer_bits, object.size.into())),
                    align: object.align,
                    storage: AllocStorage::Local,
                    zeroed: false,
                    name: object.name.as_str().into(),
                    shape: Box::new(object.shape.clone()),
                },
                None => {
                    let name = name.unwrap_or_else(|| "an intermediate value".to_owned());
                    let site = self.uninitialised(&name, ty, false, span);
                    InstKind::Havoc { dest, site }
                }
            };
            first.push(Inst { kind, span });
        }
        let entry = BlockId::from_index(0);
        // In front of everything, so that each path finds the object or a value.
        self.functions[id].blocks[entry].insts.splice(0..0, first);
    }
}

/// What a model says of the state of other threads that it reads.
fn foreign_reads(attributes: &[Attribute]) -> Option<ForeignReads> {
    attributes.iter().find_map(|attribute| match attribute {
        Attribute::ForeignReads(reads) => Some(match reads {
            ast::ForeignReads::Acquired => ForeignReads::Acquired,
            ast::ForeignReads::Initialised => ForeignReads::Initialised,
            ast::ForeignReads::Ordered => ForeignReads::Ordered,
            ast::ForeignReads::Any => ForeignReads::Any,
            ast::ForeignReads::Hidden => ForeignReads::Hidden,
        }),
        Attribute::Weak
        | Attribute::Alias(_)
        | Attribute::Constructor(_)
        | Attribute::Destructor(_)
        | Attribute::Cleanup(_)
        | Attribute::ReturnsTwice
        | Attribute::AlwaysInline
        | Attribute::NoInline => None,
    })
}

/// The variables whose address is taken anywhere in the program, and those that are used by address.
pub(crate) fn addressed(ast: &Ast) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(ast.vars.len());
    for expr in ast.exprs.values() {
        if let ExprKind::Unary(UnaryOp::AddressOf, operand) = expr.kind
            && let ExprKind::Var(var) = ast.exprs[operand].kind
        {
            set.insert(var.index());
        }
    }
    for (id, var) in ast.vars.iter() {
        let static_storage = matches!(var.storage, Storage::External | Storage::Static);
        let cleaned = var.attributes.iter().any(|attribute| matches!(attribute, Attribute::Cleanup(_)));
        // The position in a list is moved in place, also where the list is a pointer.
        let is_list = matches!(ast.types.kind(var.ty.id), CType::VaList);
        if static_storage || cleaned || is_list {
            set.insert(id.index());
        }
    }
    set
}

/// A function whose atomic blocks do not begin and end in it on every path is refused where it is called.
fn refuse_atomic_blocks(function: &mut Function) {
    let what = format!(
        "atomic blocks that begin and end on different paths, or in different functions, as in `{}`",
        function.name
    );
    let block =
        Block { insts: Vec::new(), terminator: Terminator::Unsupported(what.into()), span: function.span };
    function.blocks = Table::new();
    function.blocks.push(block);
}
