//! The program under construction.

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use raddle_base::{Diagnostics, Id, Span, Table};
use raddle_cfront::ast::{self, Ast, Encoding, ExprKind, External, Storage, StringLiteral, UnaryOp, VarId};
use raddle_ir::passes::dead_havoc::remove_dead_havocs;
use raddle_ir::{
    BlockId, Constant, Function, FunctionId, Global, GlobalId, GlobalInit, Havoc, HavocId, InstKind, Operand,
    Program, Register, RegisterId, ScalarStyle, Shape, Terminator, Type,
};
use rustc_hash::FxHashMap;

use crate::function::Builder;
use crate::types::{self, Class};

/// What to check in the lowered program beyond what the program itself asserts.
#[derive(Clone, Debug, Default)]
pub struct LowerOptions {
    /// Signed overflow, division by zero and over-wide shifts become checks.
    pub overflow: bool,
    /// What `main` gets as `argv`, the program's name first.
    pub arguments: Vec<String>,
}

/// A lowered program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program; absent when there is no `main`.
    pub program: Option<Program>,
    /// What was refused, and why.
    pub diagnostics: Diagnostics,
}

/// Lowers a checked and linked program whose last `models` units are the API models.
///
/// Of the models only what the program uses is lowered; those functions are marked, so that stories can leave them out.
#[must_use]
pub fn lower(ast: &Ast, options: LowerOptions, models: usize) -> Lowered {
    let mut lowering = Lowering::new(ast, options);
    let units = ast.units.len().saturating_sub(models);
    lowering.declare(units);
    lowering.define(units);
    lowering.finish()
}

/// What a model of the function `name` is called.
const MODEL_PREFIX: &str = "__model_";

/// The program under construction.
pub(crate) struct Lowering<'a> {
    pub(crate) ast: &'a Ast,
    pub(crate) options: LowerOptions,
    pub(crate) pointer_bits: u8,
    pub(crate) functions: Table<FunctionId, Function>,
    pub(crate) globals: Table<GlobalId, Global>,
    pub(crate) havocs: Table<HavocId, Havoc>,
    pub(crate) diagnostics: Diagnostics,
    function_ids: FxHashMap<ast::FunctionId, FunctionId>,
    global_ids: FxHashMap<VarId, GlobalId>,
    strings: IndexMap<(Encoding, Box<[u32]>), GlobalId>,
    /// Models that are declared and still to be lowered.
    wanted: Vec<(ast::FunctionId, FunctionId)>,
    /// Variables whose address is taken somewhere: they live in memory.
    pub(crate) addressed: FixedBitSet,
}

impl<'a> Lowering<'a> {
    fn new(ast: &'a Ast, options: LowerOptions) -> Self {
        let pointer_bits = u8::try_from(ast.model.pointer_bytes() * 8).expect("32 or 64");
        Self {
            ast,
            options,
            pointer_bits,
            functions: Table::new(),
            globals: Table::new(),
            havocs: Table::new(),
            diagnostics: Diagnostics::new(),
            function_ids: FxHashMap::default(),
            global_ids: FxHashMap::default(),
            strings: IndexMap::new(),
            wanted: Vec::new(),
            addressed: addressed(ast),
        }
    }

    /// The definition that a declaration leads to.
    pub(crate) fn resolve_function(&self, id: ast::FunctionId) -> ast::FunctionId {
        let function = &self.ast.functions[id];
        if function.body.is_some() {
            return id;
        }
        if let Some(linked) = function.linked {
            return linked;
        }
        let name = self.ast.text(function.name);
        // A library function may be called by the name of its built-in twin.
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let model = self.ast.names.find(&format!("{MODEL_PREFIX}{name}"));
        match model.and_then(|name| self.ast.externals.get(&name)) {
            Some(External::Function(model)) if self.ast.functions[*model].body.is_some() => *model,
            Some(External::Function(_) | External::Var(_)) | None => id,
        }
    }

    fn resolve_var(&self, id: VarId) -> VarId {
        self.ast.vars[id].linked.unwrap_or(id)
    }

    /// The IR function of a C function.
    pub(crate) fn function(&mut self, id: ast::FunctionId) -> FunctionId {
        let id = self.resolve_function(id);
        if let Some(&known) = self.function_ids.get(&id) {
            return known;
        }
        // The program's own functions are declared before any is used, so this is a model or has no body.
        let known = self.declare_function(id, self.ast.functions[id].body.is_some());
        self.function_ids.insert(id, known);
        if self.ast.functions[id].body.is_some() {
            self.wanted.push((id, known));
        }
        known
    }

    /// Declares every function of the program, in order, so that numbering does not depend on who calls whom.
    fn declare(&mut self, units: usize) {
        for unit in &self.ast.units[..units] {
            for item in &unit.items {
                if let ast::Item::Function { id, definition: true } = *item
                    && !self.function_ids.contains_key(&id)
                {
                    let known = self.declare_function(id, false);
                    self.function_ids.insert(id, known);
                }
            }
        }
    }

    fn declare_function(&mut self, id: ast::FunctionId, model: bool) -> FunctionId {
        let function = &self.ast.functions[id];
        let (parameters, registers, result) = self.signature(id);
        let name = self.ast.text(function.name).to_owned();
        self.functions.push(Function {
            name,
            parameters,
            result,
            registers,
            blocks: Table::new(),
            model,
            span: function.span,
        })
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
                    add(if function.old_style { types::promoted(scalar) } else { scalar }, name)
                }
                Class::Aggregate | Class::Void | Class::Function | Class::Unsupported(_) => {
                    add(Type::Ptr, name)
                }
            }
        }
        if ty.variadic {
            add(Type::Ptr, Some("variadic arguments".to_owned()));
        }
        (parameters, registers, result)
    }

    fn define(&mut self, units: usize) {
        for unit in &self.ast.units[..units] {
            for item in &unit.items {
                match *item {
                    ast::Item::Function { id, definition: true } => {
                        let known = self.function(id);
                        if self.functions[known].blocks.is_empty() && self.resolve_function(id) == id {
                            crate::statement::lower_function(self, id, known);
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
                            raddle_base::Diagnostic::error(span, "assembly at file scope is not supported")
                                .help("leave it out with `#ifndef`, or write in C what it does"),
                        );
                    }
                }
            }
        }
    }

    /// Lowers the models that were asked for, and those they ask for.
    fn define_wanted(&mut self) {
        while let Some((id, known)) = self.wanted.pop() {
            crate::statement::lower_function(self, id, known);
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
        let name = declared.name.map_or("object", |name| self.ast.text(name)).to_owned();
        let read_only =
            self.ast.types.qualifiers(declared.ty).contains(raddle_cfront::types::Qualifiers::CONST);
        let global = Global {
            name,
            size,
            align,
            init: Vec::new(),
            read_only,
            thread_local: declared.thread_local,
            span: declared.span,
            shape: types::shape(self.ast, declared.ty),
        };
        let id = self.globals.push(global);
        self.global_ids.insert(var, id);
        // An initialiser may mention the object itself, so it is lowered when the id is known.
        if let Some(init) = &declared.init {
            let mut parts = Vec::new();
            self.static_initializer(init, declared.ty, 0, &mut parts);
            parts.sort_by_key(|part| part.offset);
            self.globals[id].size = size.max(parts.iter().map(|part| self.part_end(part)).max().unwrap_or(0));
            self.globals[id].init = parts;
        }
        id
    }

    fn part_end(&self, part: &GlobalInit) -> u64 {
        part.offset + constant_bytes(part.value, self.pointer_bits)
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
            literal.units.iter().zip(0..).filter(|(unit, _)| **unit != 0).map(|(&unit, index)| GlobalInit {
                offset: index * bytes,
                value: Constant::Int(bits, u128::from(unit) & ((1 << bits) - 1)),
            });
        let id = self.globals.push(Global {
            name: format!("string {}", self.strings.len()),
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

    /// A new place of nondeterminism.
    pub(crate) fn havoc(&mut self, name: String, ty: Type, signed: bool, span: Span) -> HavocId {
        self.havocs.push(Havoc { name, ty, signed, span })
    }

    /// Whether an expression somewhere names the function.
    pub(crate) fn uses(&self, name: &str) -> bool {
        self.ast.names.find(name).is_some_and(|name| {
            let names_it = |expr: &ast::Expr| {
                matches!(expr.kind, ExprKind::Function(id) if self.ast.functions[id].name == name)
            };
            self.ast.exprs.values().any(names_it)
        })
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
                raddle_base::Diagnostic::error(Span::NONE, "the program has no function `main`")
                    .help("name all files of the program, or the one that defines `main`"),
            );
            return Lowered { program: None, diagnostics: self.diagnostics };
        };
        let entry = self.entry(main);
        self.define_wanted();
        let mut program = Program {
            pointer_bits: self.pointer_bits,
            functions: self.functions,
            globals: self.globals,
            havocs: self.havocs,
            entry,
        };
        remove_dead_havocs(&mut program);
        Lowered { program: Some(program), diagnostics: self.diagnostics }
    }

    /// Where the program starts: constructors, `main` with its arguments, `exit` with what it returns.
    fn entry(&mut self, main: FunctionId) -> FunctionId {
        let mut b = Builder::new(self.pointer_bits, self.functions[main].span);
        let mut constructors = self.constructors();
        constructors.sort_by_key(|(priority, _)| *priority);
        for (_, constructor) in constructors {
            let callee = Operand::Constant(Constant::Function(constructor));
            b.emit(InstKind::Call { dest: None, callee, arguments: Vec::new() });
        }
        let parameters: Vec<Type> = {
            let function = &self.functions[main];
            function.parameters.iter().map(|&parameter| function.registers[parameter].ty).collect()
        };
        let arguments =
            parameters.iter().enumerate().map(|(index, ty)| self.main_argument(index, *ty)).collect();
        let result = self.functions[main].result;
        let dest = result.map(|ty| b.register(ty, None));
        b.emit(InstKind::Call { dest, callee: Operand::Constant(Constant::Function(main)), arguments });
        let status = match (dest, result) {
            (Some(dest), Some(Type::Int(32))) => Operand::Register(dest),
            _ => crate::function::int(32, 0),
        };
        match self.defined_function("__model_exit") {
            Some(exit) => {
                let callee = Operand::Constant(Constant::Function(exit));
                b.emit(InstKind::Call { dest: None, callee, arguments: vec![status] });
                b.terminate(Terminator::Unreachable);
            }
            None => b.terminate(Terminator::ExitProcess(status)),
        }
        let (registers, blocks) = b.finish();
        self.functions.push(Function {
            name: "start of the program".to_owned(),
            parameters: Vec::new(),
            result: None,
            registers,
            blocks,
            model: true,
            span: Span::NONE,
        })
    }

    /// `argc`, `argv`, and an empty environment.
    fn main_argument(&mut self, index: usize, ty: Type) -> Operand {
        match (index, ty) {
            (0, Type::Int(bits)) => {
                let count = i128::try_from(self.options.arguments.len()).unwrap_or(0);
                crate::function::int(bits, count)
            }
            (1, Type::Ptr) => {
                let arguments = self.options.arguments.clone();
                Operand::Constant(Constant::Global(self.pointer_array("argv", &arguments), 0))
            }
            (2, Type::Ptr) => Operand::Constant(Constant::Global(self.pointer_array("environ", &[]), 0)),
            (_, Type::Ptr) => Operand::Constant(Constant::Null),
            (_, Type::Int(bits)) => crate::function::int(bits, 0),
            (_, Type::F32) => Operand::Constant(Constant::F32(0)),
            (_, Type::F64) => Operand::Constant(Constant::F64(0)),
        }
    }

    /// An array of pointers to writable strings, closed by a null pointer.
    fn pointer_array(&mut self, name: &str, texts: &[String]) -> GlobalId {
        let bytes = u64::from(self.pointer_bits / 8);
        let mut init = Vec::new();
        for (text, index) in texts.iter().zip(0..) {
            let units = text.bytes().map(u32::from).collect();
            let string = self.string(&StringLiteral { encoding: Encoding::Plain, units });
            init.push(GlobalInit { offset: index * bytes, value: Constant::Global(string, 0) });
        }
        let count = texts.len() as u64 + 1;
        self.globals.push(Global {
            name: name.to_owned(),
            size: count * bytes,
            align: bytes,
            init,
            read_only: false,
            thread_local: false,
            span: Span::NONE,
            shape: Shape::Array {
                element: Box::new(Shape::Scalar(Type::Ptr, ScalarStyle::Pointer)),
                stride: bytes,
                count,
            },
        })
    }

    /// The functions that run before `main`, with their priorities.
    fn constructors(&mut self) -> Vec<(u32, FunctionId)> {
        let marked: Vec<(u32, ast::FunctionId)> = self
            .ast
            .functions
            .iter()
            .filter(|(_, function)| function.body.is_some())
            .flat_map(|(id, function)| function.attributes.iter().map(move |attribute| (id, attribute)))
            .filter_map(|(id, attribute)| match attribute {
                ast::Attribute::Constructor(priority) => Some((priority.unwrap_or(u32::MAX), id)),
                ast::Attribute::Weak
                | ast::Attribute::Alias(_)
                | ast::Attribute::Destructor(_)
                | ast::Attribute::Cleanup(_)
                | ast::Attribute::ReturnsTwice
                | ast::Attribute::AlwaysInline
                | ast::Attribute::NoInline => None,
            })
            .collect();
        marked.into_iter().map(|(priority, id)| (priority, self.function(id))).collect()
    }

    /// A builder for a function whose parameters are declared already.
    pub(crate) fn builder(&self, id: FunctionId) -> Builder {
        let mut builder = Builder::new(self.pointer_bits, self.functions[id].span);
        builder.registers = self.functions[id].registers.clone();
        builder
    }

    /// Puts a finished body into its function.
    pub(crate) fn complete(&mut self, id: FunctionId, builder: Builder) {
        let (registers, blocks) = builder.finish();
        self.functions[id].registers = registers;
        self.functions[id].blocks = blocks;
        debug_assert!(
            self.functions[id].blocks.get(BlockId::from_index(0)).is_some(),
            "a body has a first block"
        );
    }
}

/// Bytes of a constant in memory.
pub(crate) fn constant_bytes(constant: Constant, pointer_bits: u8) -> u64 {
    let bits = match constant {
        Constant::Int(bits, _) => bits,
        Constant::F32(_) => 32,
        Constant::F64(_) => 64,
        Constant::Null | Constant::Global(..) | Constant::Function(_) => pointer_bits,
    };
    u64::from(bits).div_ceil(8)
}

/// The variables whose address is taken, by `&` or by inline assembly, anywhere in the program.
fn addressed(ast: &Ast) -> FixedBitSet {
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
        let cleaned = var.attributes.iter().any(|attribute| matches!(attribute, ast::Attribute::Cleanup(_)));
        // The position in a list is moved in place, also where the list is a pointer.
        let list = matches!(ast.types.kind(var.ty.id), raddle_cfront::types::Type::VaList);
        if static_storage || cleaned || list {
            set.insert(id.index());
        }
    }
    set
}
