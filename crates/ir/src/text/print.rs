//! Prints programs as text. What is printed parses back to an equal program.

use std::fmt::Write;

use raddle_base::{Id, Location, Span, Table};
use rustc_hash::FxHashMap;

use super::lex::is_plain_name;
use crate::inst::{
    CheckMessage, Constant, IfUnchecked, Inst, InstKind, Intrinsic, Lifetime, Operand, Ordering, Rvalue,
    Terminator,
};
use crate::program::{
    AddressReuse, Block, Function, FunctionId, Global, GlobalId, Havoc, HavocId, HavocKind, Outside, Program,
    Shape, Type,
};

/// Finds the source location of a span, for comments.
pub type FindLocation<'a> = &'a dyn Fn(Span) -> Option<Location>;

/// The program's text. With `locations`, each span is followed by a comment that names its file, line and column.
#[must_use]
pub fn print_program(program: &Program, locations: Option<FindLocation<'_>>) -> String {
    let mut printer = Printer::new(program, locations);
    let reuse = match program.address_reuse {
        AddressReuse::Possible => "",
        AddressReuse::Never => " no_address_reuse",
    };
    printer.text = format!("program pointer_bits {} entry {}{reuse}\n", program.pointer_bits, program.entry);
    printer.outside(&program.outside);
    for (id, havoc) in program.havocs.iter() {
        printer.havoc(id, havoc);
    }
    for (id, global) in program.globals.iter() {
        printer.global(id, global);
    }
    for (id, function) in program.functions.iter() {
        printer.text.push('\n');
        printer.function(id, function);
    }
    printer.text
}

/// One function's text.
#[must_use]
pub fn print_function(
    program: &Program,
    function: FunctionId,
    locations: Option<FindLocation<'_>>,
) -> String {
    let mut printer = Printer::new(program, locations);
    printer.function(function, &program.functions[function]);
    printer.text
}

/// An operand as it stands in a function's text: for messages.
#[must_use]
pub fn print_operand(program: &Program, function: &Function, operand: Operand) -> String {
    let mut printer = Printer::new(program, None);
    printer.name_registers(function);
    printer.operand(operand);
    printer.text
}

/// An instruction as it stands in a function's text, without its span: for messages and drawings.
#[must_use]
pub fn print_inst(program: &Program, function: &Function, inst: &Inst) -> String {
    let mut printer = Printer::new(program, None);
    printer.name_registers(function);
    printer.inst(&inst.kind);
    printer.text
}

/// A terminator as it stands in a function's text, without its span: for messages and drawings.
#[must_use]
pub fn print_terminator(program: &Program, function: &Function, terminator: &Terminator) -> String {
    let mut printer = Printer::new(program, None);
    printer.name_registers(function);
    printer.terminator(terminator);
    printer.text
}

struct Printer<'p> {
    locations: Option<FindLocation<'p>>,
    text: String,
    functions: Table<FunctionId, String>,
    globals: Table<GlobalId, String>,
    registers: Table<crate::program::RegisterId, String>,
}

/// A name as it is written: plain or quoted.
fn push_name(text: &mut String, name: &str) {
    if is_plain_name(name) {
        text.push_str(name);
    } else {
        push_quoted(text, name);
    }
}

fn push_quoted(text: &mut String, quoted: &str) {
    text.push('"');
    for c in quoted.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            c if c.is_control() => push(text, format_args!("\\u{{{:x}}}", u32::from(c))),
            c => text.push(c),
        }
    }
    text.push('"');
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

macro_rules! put {
    ($printer:expr, $($arguments:tt)*) => { push(&mut $printer.text, format_args!($($arguments)*)) };
}

/// How often each name occurs.
fn count_names<'n>(names: impl Iterator<Item = &'n str>) -> FxHashMap<&'n str, u32> {
    let mut counts = FxHashMap::default();
    for name in names {
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}

/// `sigil` and the name where it is unique, the id elsewhere.
fn reference(
    id: impl Id + std::fmt::Display,
    sigil: char,
    name: &str,
    counts: &FxHashMap<&str, u32>,
) -> String {
    if counts.get(name) != Some(&1) {
        return id.to_string();
    }
    let mut text = sigil.to_string();
    push_name(&mut text, name);
    text
}

impl<'p> Printer<'p> {
    fn new(program: &Program, locations: Option<FindLocation<'p>>) -> Self {
        let names = program.functions.values().map(|function| function.name.as_str());
        let counts = count_names(names.chain(program.globals.values().map(|global| global.name.as_str())));
        let functions =
            program.functions.iter().map(|(id, function)| reference(id, '@', &function.name, &counts));
        let globals = program.globals.iter().map(|(id, global)| reference(id, '@', &global.name, &counts));
        Self {
            locations,
            text: String::new(),
            functions: functions.collect(),
            globals: globals.collect(),
            registers: Table::new(),
        }
    }

    fn name_registers(&mut self, function: &Function) {
        let counts = count_names(function.registers.values().filter_map(|register| register.name.as_deref()));
        let registers = function.registers.iter().map(|(id, register)| match &register.name {
            Some(name) => reference(id, '%', name, &counts),
            None => id.to_string(),
        });
        self.registers = registers.collect();
    }

    fn span(&mut self, span: Span) {
        if span == Span::NONE {
            return;
        }
        put!(self, " @{}-{}", span.lo, span.hi);
    }

    /// Ends a line that belongs to `span`.
    fn end_line(&mut self, span: Span) {
        self.span(span);
        if let Some(location) = self.locations.filter(|_| span != Span::NONE).and_then(|find| find(span)) {
            // A line end in a file's name would end the comment.
            let file = location.file.replace(['\n', '\r'], "?");
            put!(self, " ; {file}:{}:{}", location.line, location.column);
        }
        self.text.push('\n');
    }

    fn outside(&mut self, outside: &Outside) {
        for function in &outside.functions {
            put!(self, "undefined {}{}\n", function.id, if function.pure { " pure" } else { "" });
        }
        for object in &outside.objects {
            put!(self, "exposed {object}\n");
        }
        for function in &outside.entries {
            put!(self, "exposed {function}\n");
        }
        for object in &outside.hidden {
            put!(self, "hidden {object}\n");
        }
        for object in &outside.handlers {
            put!(self, "handlers {object}\n");
        }
    }

    fn havoc(&mut self, id: HavocId, havoc: &Havoc) {
        put!(self, "\nhavoc {id} ");
        push_quoted(&mut self.text, &havoc.name);
        self.text.push(' ');
        self.ty(havoc.ty);
        if havoc.signed {
            self.text.push_str(" signed");
        }
        match havoc.kind {
            HavocKind::Input => {}
            HavocKind::Uninitialised => self.text.push_str(" uninitialised"),
            HavocKind::Spurious => self.text.push_str(" spurious"),
        }
        self.end_line(havoc.span);
    }

    fn global(&mut self, id: GlobalId, global: &Global) {
        put!(self, "\nglobal {id} ");
        push_quoted(&mut self.text, &global.name);
        put!(self, " size {} align {}", global.size, global.align);
        if global.read_only {
            self.text.push_str(" read_only");
        }
        if global.thread_local {
            self.text.push_str(" thread_local");
        }
        self.shape_clause(&global.shape);
        self.span(global.span);
        self.text.push_str(" {\n");
        for part in &global.init {
            put!(self, "  {}: ", part.offset);
            self.constant(part.value);
            self.text.push('\n');
        }
        self.text.push_str("}\n");
    }

    fn function(&mut self, id: FunctionId, function: &Function) {
        self.name_registers(function);
        put!(self, "function {id} ");
        push_quoted(&mut self.text, &function.name);
        self.text.push_str(" (");
        for (index, parameter) in function.parameters.iter().enumerate() {
            put!(self, "{}{parameter}", if index == 0 { "" } else { ", " });
        }
        self.text.push(')');
        if let Some(result) = function.result {
            self.text.push_str(" -> ");
            self.ty(result);
        }
        if function.model {
            self.text.push_str(" model");
        }
        if let Some(reads) = function.foreign_reads {
            put!(self, " reads {}", reads.word());
        }
        self.span(function.span);
        self.text.push_str(" {\n");
        self.register_list(function);
        for (id, block) in function.blocks.iter() {
            put!(self, "{id}:\n");
            self.block(block);
        }
        self.text.push_str("}\n");
    }

    fn register_list(&mut self, function: &Function) {
        const LINE: usize = 100;
        let mut line_start = self.text.len();
        for (id, register) in function.registers.iter() {
            if id.index() == 0 {
                self.text.push_str("  registers ");
            } else if self.text.len() - line_start > LINE {
                self.text.push_str(",\n    ");
                line_start = self.text.len();
            } else {
                self.text.push_str(", ");
            }
            put!(self, "{id}: ");
            self.ty(register.ty);
            if let Some(name) = &register.name {
                self.text.push(' ');
                push_quoted(&mut self.text, name);
            }
        }
        if !function.registers.is_empty() {
            self.text.push('\n');
        }
    }

    fn block(&mut self, block: &Block) {
        for inst in &block.insts {
            self.text.push_str("  ");
            self.inst(&inst.kind);
            self.end_line(inst.span);
        }
        self.text.push_str("  ");
        self.terminator(&block.terminator);
        self.end_line(block.span);
    }

    fn ty(&mut self, ty: Type) {
        match ty {
            Type::Int(bits) => put!(self, "i{bits}"),
            Type::F32 => self.text.push_str("f32"),
            Type::F64 => self.text.push_str("f64"),
            Type::Ptr => self.text.push_str("ptr"),
        }
    }

    fn shape_clause(&mut self, shape: &Shape) {
        if *shape != Shape::Bytes {
            self.text.push_str(" shape ");
            self.shape(shape);
        }
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Bytes => self.text.push_str("bytes"),
            Shape::Scalar(ty, style) => {
                put!(self, "{} ", style.word());
                self.ty(*ty);
            }
            Shape::Array { element, stride, count } => {
                put!(self, "[{count} stride {stride}: ");
                self.shape(element);
                self.text.push(']');
            }
            Shape::Record(members) => {
                self.text.push('{');
                for (index, (name, offset, member)) in members.iter().enumerate() {
                    self.text.push_str(if index == 0 { " " } else { ", " });
                    push_name(&mut self.text, name);
                    put!(self, " {offset}: ");
                    self.shape(member);
                }
                self.text.push_str(" }");
            }
        }
    }

    fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Register(register) => match self.registers.get(register) {
                Some(name) => self.text.push_str(name),
                None => put!(self, "{register}"),
            },
            Operand::Constant(constant) => self.constant(constant),
        }
    }

    fn constant(&mut self, constant: Constant) {
        match constant {
            Constant::Int(1, 0) => self.text.push_str("false"),
            Constant::Int(1, 1) => self.text.push_str("true"),
            Constant::Int(bits, value) => {
                // Small negative numbers are shown as such.
                let complement = 1u128.checked_shl(bits.into()).unwrap_or(0).wrapping_sub(value);
                let fits = bits >= 128 || value >> bits == 0;
                if fits && (1..=4096).contains(&complement) && bits > 12 {
                    put!(self, "i{bits} -{complement}");
                } else {
                    put!(self, "i{bits} {value}");
                }
            }
            Constant::F32(bits) if f32::from_bits(bits).is_finite() => {
                put!(self, "f32 {:?}", f32::from_bits(bits));
            }
            Constant::F32(bits) => put!(self, "f32 bits {bits:#x}"),
            Constant::F64(bits) if f64::from_bits(bits).is_finite() => {
                put!(self, "f64 {:?}", f64::from_bits(bits));
            }
            Constant::F64(bits) => put!(self, "f64 bits {bits:#x}"),
            Constant::Null => self.text.push_str("null"),
            Constant::Global(global, offset) => {
                self.global_name(global);
                if offset != 0 {
                    put!(self, "{offset:+}");
                }
            }
            Constant::Function(function) => match self.functions.get(function) {
                Some(name) if name.starts_with('@') => self.text.push_str(name),
                // Not the bare id: `f32` would read as a type.
                Some(_) | None => put!(self, "function {function}"),
            },
        }
    }

    fn global_name(&mut self, global: GlobalId) {
        match self.globals.get(global) {
            Some(name) => self.text.push_str(name),
            None => put!(self, "{global}"),
        }
    }

    /// `word a, b, c`
    fn words(&mut self, word: &str, operands: &[Operand]) {
        self.text.push_str(word);
        self.operands(' ', operands);
    }

    fn operands(&mut self, before: char, operands: &[Operand]) {
        for (index, operand) in operands.iter().enumerate() {
            if index == 0 {
                self.text.push(before);
            } else {
                self.text.push_str(", ");
            }
            self.operand(*operand);
        }
    }

    fn arguments(&mut self, arguments: &[Operand]) {
        if arguments.is_empty() {
            self.text.push('(');
        }
        self.operands('(', arguments);
        self.text.push(')');
    }

    /// `word type [address], operands ordering`
    fn access(&mut self, word: &str, ty: Type, address: Operand, operands: &[Operand], ordering: Ordering) {
        put!(self, "{word} ");
        self.ty(ty);
        self.text.push_str(" [");
        self.operand(address);
        self.text.push(']');
        for operand in operands {
            self.text.push_str(", ");
            self.operand(*operand);
        }
        if ordering != Ordering::Plain {
            put!(self, " {}", ordering.word());
        }
    }

    fn rvalue(&mut self, value: &Rvalue) {
        match value {
            Rvalue::Use(a) => self.operand(*a),
            Rvalue::Unary(op, a) => self.words(op.word(), &[*a]),
            Rvalue::Binary(op, a, b) => self.words(op.word(), &[*a, *b]),
            Rvalue::Compare(op, a, b) => self.words(op.word(), &[*a, *b]),
            Rvalue::Cast(op, a) => self.words(op.word(), &[*a]),
            Rvalue::Select(c, a, b) => self.words("select", &[*c, *a, *b]),
            Rvalue::PointerAdd(a, b) => self.words("pointer_add", &[*a, *b]),
            Rvalue::PointerDifference(a, b) => self.words("pointer_difference", &[*a, *b]),
            Rvalue::Overflows(op, a, b) => {
                self.text.push_str("overflows ");
                self.words(op.word(), &[*a, *b]);
            }
            Rvalue::ThreadLocal(global) => {
                self.text.push_str("thread_local ");
                self.global_name(*global);
            }
            Rvalue::CurrentThread => self.text.push_str("current_thread"),
            Rvalue::ThreadExists(a) => self.words("thread_exists", &[*a]),
            Rvalue::ObjectSize(a) => self.words("object_size", &[*a]),
            Rvalue::HoldsLock(a) => self.words("holds_lock", &[*a]),
            Rvalue::LockIsFree(a) => self.words("lock_is_free", &[*a]),
            Rvalue::Peek(a, unwritten) => {
                self.words("peek", &[*a]);
                put!(self, " unwritten {unwritten}");
            }
        }
    }

    fn inst(&mut self, kind: &InstKind) {
        if let Some(dest) = kind.dest() {
            self.operand(Operand::Register(dest));
            self.text.push_str(" = ");
        }
        match kind {
            InstKind::Assign { dest: _, value } => self.rvalue(value),
            InstKind::Load { dest: _, address, ty, ordering } => {
                self.access("load", *ty, *address, &[], *ordering);
            }
            InstKind::Store { address, value, ty, ordering } => {
                self.access("store", *ty, *address, &[*value], *ordering);
            }
            InstKind::AtomicRmw { dest: _, op, address, value, ty, ordering } => {
                put!(self, "rmw ");
                self.access(op.word(), *ty, *address, &[*value], *ordering);
            }
            InstKind::CompareExchange { dest: _, address, expected, desired, ty, ordering, failure } => {
                self.access("compare_exchange", *ty, *address, &[*expected, *desired], *ordering);
                if failure != ordering {
                    put!(self, " else {}", failure.word());
                }
            }
            InstKind::Fence(ordering) => put!(self, "fence {}", ordering.word()),
            InstKind::Alloc { dest: _, size, align, storage, zeroed, name, shape } => {
                put!(self, "alloc {} ", storage.word());
                self.operand(*size);
                put!(self, " align {align}{} ", if *zeroed { " zeroed" } else { "" });
                push_quoted(&mut self.text, name);
                self.shape_clause(shape);
            }
            InstKind::Free { pointer } => self.words("free", &[*pointer]),
            InstKind::EndLife(Lifetime::Object(pointer)) => self.words("end_life object", &[*pointer]),
            InstKind::EndLife(Lifetime::Activation) => put!(self, "end_life activation"),
            InstKind::EndLife(Lifetime::Activations) => put!(self, "end_life activations"),
            InstKind::EndLife(Lifetime::Thread) => put!(self, "end_life thread"),
            InstKind::EndLife(Lifetime::Contents { pointer, size }) => {
                self.words("end_life contents", &[*pointer]);
                put!(self, ", {size}");
            }
            InstKind::Call { dest: _, callee, arguments } => {
                self.words("call", &[*callee]);
                self.arguments(arguments);
            }
            InstKind::Intrinsic { dest: _, which, arguments } => {
                put!(self, "intrinsic {}", which.word());
                if let Intrinsic::Math(function) = which {
                    put!(self, " {}", function.word());
                }
                self.arguments(arguments);
            }
            InstKind::Havoc { dest: _, site } => put!(self, "havoc {site}"),
            InstKind::Assume(condition) => self.words("assume", &[*condition]),
            InstKind::WaitUntil(condition) => self.words("wait_until", &[*condition]),
            InstKind::Check { property, condition, message, if_unchecked } => {
                put!(self, "check {}", property.word());
                self.operands(' ', &[*condition]);
                self.text.push_str(", ");
                let (word, text) = match message {
                    CheckMessage::Wrong(text) => ("", text),
                    CheckMessage::Asserts(condition) => ("asserts ", condition),
                    CheckMessage::Forbids(function) => ("forbids ", function),
                    CheckMessage::ForbidsLabel(label) => ("forbids_label ", label),
                };
                self.text.push_str(word);
                push_quoted(&mut self.text, text);
                match if_unchecked {
                    IfUnchecked::GoesOn => {}
                    IfUnchecked::Ends => self.text.push_str(" ends"),
                }
            }
            InstKind::Fork { dest: _, function, argument } => {
                self.words("fork", &[*function]);
                self.arguments(&[*argument]);
            }
            InstKind::Join { dest: _, thread } => self.words("join", &[*thread]),
            InstKind::Lock { lock } => self.bracketed("lock", *lock),
            InstKind::Unlock { lock } => self.bracketed("unlock", *lock),
            InstKind::AtomicBegin => self.text.push_str("atomic_begin"),
            InstKind::AtomicEnd => self.text.push_str("atomic_end"),
        }
    }

    fn bracketed(&mut self, word: &str, address: Operand) {
        put!(self, "{word} [");
        self.operand(address);
        self.text.push(']');
    }

    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Jump(target) => put!(self, "jump {target}"),
            Terminator::Branch(condition, yes, no) => {
                self.words("branch", &[*condition]);
                put!(self, ", {yes}, {no}");
            }
            Terminator::Switch { value, cases, default } => {
                self.words("switch", &[*value]);
                self.text.push_str(" { ");
                for (low, high, target) in cases {
                    if low == high {
                        put!(self, "{low}: {target}, ");
                    } else {
                        put!(self, "{low}..{high}: {target}, ");
                    }
                }
                put!(self, "default: {default} }}");
            }
            Terminator::Return(None) => self.text.push_str("return"),
            Terminator::Return(Some(value)) => self.words("return", &[*value]),
            Terminator::ExitThread(value) => self.words("exit_thread", &[*value]),
            Terminator::ExitProcess(value) => self.words("exit_process", &[*value]),
            Terminator::Abort => self.text.push_str("abort"),
            Terminator::Unreachable => self.text.push_str("unreachable"),
            Terminator::Unsupported(what) => {
                self.text.push_str("unsupported ");
                push_quoted(&mut self.text, what);
            }
        }
    }
}
