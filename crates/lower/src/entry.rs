//! Where the program and its threads start.

use raddle_base::{Diagnostic, Span};
use raddle_cfront::ast;
use raddle_ir::{
    CastOp, CompareOp, Constant, Function, FunctionId, Global, GlobalId, GlobalInit, InstKind, Operand,
    Ordering, RegisterId, Rvalue, ScalarStyle, Shape, Terminator, Type,
};

use crate::environment::{LONGEST_ARGUMENT, MOST_ARGUMENTS};
use crate::function::{Builder, int};
use crate::lowering::Lowering;
use crate::place::signed;

/// The functions around `main`, each with its priority: those without one come last.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    pub(crate) constructors: Vec<(u32, FunctionId)>,
    pub(crate) destructors: Vec<(u32, FunctionId)>,
    pub(crate) exit: Option<FunctionId>,
    pub(crate) at_exit: Option<FunctionId>,
}

/// An undefined object of more scalars than this is refused rather than filled with nondeterministic values.
const MOST_SCALARS: usize = 1_024;

impl Lowering<'_> {
    /// Finds what runs before and after `main`, and asks for the models that takes.
    pub(crate) fn surroundings(&mut self) -> Surroundings {
        let mut found =
            Surroundings { exit: self.defined_function("__model_exit"), ..Surroundings::default() };
        for id in self.ast.functions.ids() {
            let function = &self.ast.functions[id];
            if function.body.is_none() || self.resolve_function(id) != id {
                continue;
            }
            for attribute in &function.attributes {
                match attribute {
                    ast::Attribute::Constructor(priority) => {
                        let constructor = self.function(id);
                        found.constructors.push((priority.unwrap_or(u32::MAX), constructor));
                    }
                    ast::Attribute::Destructor(priority) => {
                        let destructor = self.function(id);
                        found.destructors.push((priority.unwrap_or(u32::MAX), destructor));
                    }
                    ast::Attribute::Weak
                    | ast::Attribute::Alias(_)
                    | ast::Attribute::Cleanup(_)
                    | ast::Attribute::ReturnsTwice
                    | ast::Attribute::AlwaysInline
                    | ast::Attribute::NoInline
                    | ast::Attribute::ForeignReads(_) => {}
                }
            }
        }
        found.constructors.sort_by_key(|(priority, _)| *priority);
        found.destructors.sort_by_key(|(priority, _)| *priority);
        if !found.destructors.is_empty() {
            self.has_destructors = true;
            found.at_exit = self.defined_function("__model_atexit");
        }
        found
    }

    /// Where the program starts: undefined objects take any value, destructors are noted for the exit, then constructors,
    /// `main` with its arguments, and `exit` with what it returns.
    pub(crate) fn entry(&mut self, main: FunctionId, around: &Surroundings) -> FunctionId {
        let mut b = Builder::new(self.pointer_bits, self.functions[main].span);
        for global in std::mem::take(&mut self.undefined) {
            self.fill(&mut b, global);
        }
        // Handlers run in reverse order, so the destructors, noted first, run last: as the C library does it.
        for &(_, destructor) in &around.destructors {
            let arguments = vec![Operand::Constant(Constant::Function(destructor))];
            match around.at_exit {
                Some(at_exit) => {
                    let callee = Operand::Constant(Constant::Function(at_exit));
                    b.emit(InstKind::Call { dest: None, callee, arguments });
                }
                None => b.terminate(Terminator::Unsupported("a destructor without exit handlers".into())),
            }
        }
        if self.options.environment.bound(self.ast).is_some() {
            self.free_arguments(&mut b);
        }
        for &(_, constructor) in &around.constructors {
            let arguments = self.main_arguments(constructor);
            let callee = Operand::Constant(Constant::Function(constructor));
            b.emit(InstKind::Call { dest: None, callee, arguments });
        }
        let arguments = self.main_arguments(main);
        let result = self.functions[main].result;
        let dest = result.map(|ty| b.register(ty, None));
        b.emit(InstKind::Call { dest, callee: Operand::Constant(Constant::Function(main)), arguments });
        let status = match (dest, result) {
            (Some(dest), Some(Type::Int(32))) => Operand::Register(dest),
            (Some(dest), Some(Type::Int(bits))) => {
                let cast = if bits > 32 { CastOp::Truncate } else { CastOp::SignExtend };
                b.cast(cast, Type::Int(32), Operand::Register(dest))
            }
            (_, Some(Type::F32 | Type::F64 | Type::Ptr | Type::Int(_)) | None) => int(32, 0),
        };
        match around.exit {
            Some(exit) => {
                let callee = Operand::Constant(Constant::Function(exit));
                b.emit(InstKind::Call { dest: None, callee, arguments: vec![status] });
                b.terminate(Terminator::Unreachable);
            }
            None => b.terminate(Terminator::ExitProcess(status)),
        }
        let (registers, blocks) = b.finish();
        let name = self.names.other_function("start of the program".to_owned());
        self.functions.push(Function {
            name,
            parameters: Vec::new(),
            result: None,
            registers,
            blocks,
            model: true,
            foreign_reads: None,
            span: Span::NONE,
        })
    }

    fn main_arguments(&mut self, function: FunctionId) -> Vec<Operand> {
        let function = &self.functions[function];
        let types: Vec<Type> =
            function.parameters.iter().map(|&parameter| function.registers[parameter].ty).collect();
        types.into_iter().enumerate().map(|(index, ty)| self.main_argument(index, ty)).collect()
    }

    /// `argc`, `argv`, and an empty environment.
    fn main_argument(&mut self, index: usize, ty: Type) -> Operand {
        match (index, ty) {
            (0, Type::Int(32)) if self.free_count.is_some() => self.free_count.unwrap_or(int(32, 0)),
            (0, Type::Int(bits)) => {
                let count = i128::try_from(self.options.arguments.len()).unwrap_or(0);
                int(bits, count)
            }
            (1, Type::Ptr) => {
                let arguments = self.options.arguments.clone();
                Operand::Constant(Constant::Global(self.pointer_array("argv", &arguments), 0))
            }
            (2, Type::Ptr) => Operand::Constant(Constant::Global(self.pointer_array("envp", &[]), 0)),
            (_, Type::Ptr) => Operand::Constant(Constant::Null),
            (_, Type::Int(bits)) => int(bits, 0),
            (_, Type::F32) => Operand::Constant(Constant::F32(0)),
            (_, Type::F64) => Operand::Constant(Constant::F64(0)),
        }
    }

    /// Any number of arguments up to [`MOST_ARGUMENTS`], each any text of up to [`LONGEST_ARGUMENT`] characters.
    fn free_arguments(&mut self, b: &mut Builder) {
        let site = self.havoc("argc".to_owned(), Type::Int(32), true, Span::NONE);
        let count = b.register(Type::Int(32), None);
        b.emit(InstKind::Havoc { dest: count, site });
        let count = Operand::Register(count);
        let fits = b.compare(CompareOp::UnsignedLessEqual, count, int(32, i128::from(MOST_ARGUMENTS)));
        b.emit(InstKind::Assume(fits));
        self.free_count = Some(count);
        let blank = " ".repeat(LONGEST_ARGUMENT as usize);
        let texts = vec![blank; MOST_ARGUMENTS as usize];
        let array = self.pointer_array("argv", &texts);
        let strings: Vec<Constant> = self.globals[array].init.iter().map(|part| part.value).collect();
        for (string, index) in strings.into_iter().zip(0_i64..) {
            let is_given = b.compare(CompareOp::SignedLess, int(32, i128::from(index)), count);
            let Constant::Global(global, _) = string else { continue };
            // A text ends where its object does, so that whoever reads beyond its end is outside.
            let site = self.havoc(
                format!("start of argv[{index}]"),
                Type::Int(self.pointer_bits),
                false,
                Span::NONE,
            );
            let start = b.register(Type::Int(self.pointer_bits), None);
            b.emit(InstKind::Havoc { dest: start, site });
            let start = Operand::Register(start);
            let longest = int(self.pointer_bits, i128::from(LONGEST_ARGUMENT));
            let fits = b.compare(CompareOp::UnsignedLessEqual, start, longest);
            b.emit(InstKind::Assume(fits));
            let begins = b.assign(Type::Ptr, Rvalue::PointerAdd(Operand::Constant(string), start));
            let text =
                b.assign(Type::Ptr, Rvalue::Select(is_given, begins, Operand::Constant(Constant::Null)));
            let address = Constant::Global(array, index * i64::from(self.pointer_bits / 8));
            b.store(Operand::Constant(address), text, Type::Ptr, Ordering::Plain);
            for offset in 0..i64::from(LONGEST_ARGUMENT) {
                let name = format!("argv[{index}][{offset}]");
                let site = self.havoc(name, Type::Int(8), true, Span::NONE);
                let byte = b.register(Type::Int(8), None);
                b.emit(InstKind::Havoc { dest: byte, site });
                let is_text = b.compare(CompareOp::NotEqual, Operand::Register(byte), int(8, 0));
                b.emit(InstKind::Assume(is_text));
                let address = Operand::Constant(Constant::Global(global, offset));
                b.store(address, Operand::Register(byte), Type::Int(8), Ordering::Plain);
            }
        }
    }

    /// An array of pointers to writable strings, closed by a null pointer; the same one each time it is asked for.
    fn pointer_array(&mut self, name: &'static str, texts: &[String]) -> GlobalId {
        if let Some(&known) = self.start_objects.get(name) {
            return known;
        }
        let bytes = u64::from(self.pointer_bits / 8);
        let mut init = Vec::new();
        for (text, index) in texts.iter().zip(0_u64..) {
            let contents = text
                .bytes()
                .zip(0..)
                .map(|(byte, offset)| GlobalInit { offset, value: Constant::Int(8, u128::from(byte)) });
            let contents = contents.collect();
            let size = text.len() as u64 + 1;
            let element = Shape::Scalar(Type::Int(8), ScalarStyle::Char);
            let string = self.start_object(format!("{name}[{index}]"), (element, 1, size), contents);
            init.push(GlobalInit { offset: index * bytes, value: Constant::Global(string, 0) });
        }
        let element = Shape::Scalar(Type::Ptr, ScalarStyle::Pointer);
        let array = self.start_object(name.to_owned(), (element, bytes, texts.len() as u64 + 1), init);
        self.start_objects.insert(name, array);
        array
    }

    fn start_object(
        &mut self,
        name: String,
        (element, stride, count): (Shape, u64, u64),
        init: Vec<GlobalInit>,
    ) -> GlobalId {
        let name = self.names.other_global(name);
        self.globals.push(Global {
            name,
            size: count * stride,
            align: stride,
            init,
            read_only: false,
            thread_local: false,
            span: Span::NONE,
            shape: Shape::Array { element: Box::new(element), stride, count },
        })
    }

    /// Gives every scalar of an object that the program declares but nobody defines a nondeterministic value.
    fn fill(&mut self, b: &mut Builder, id: GlobalId) {
        let global = &self.globals[id];
        let (name, span) = (global.name.clone(), global.span);
        let mut scalars = Vec::new();
        let known = gather(&global.shape, 0, &mut scalars);
        let warning = "no file defines this object: it starts with nondeterministic contents";
        if !known || scalars.len() > MOST_SCALARS {
            let message = "no file defines this object, and its contents are unknown";
            self.diagnostics
                .push(Diagnostic::error(span, message).help("name the file that defines it, too"));
            return;
        }
        self.diagnostics.push(Diagnostic::warning(span, warning));
        b.span = span;
        for (offset, ty, style) in scalars {
            let site =
                self.havoc(format!("undefined object `{name}`"), ty, style == ScalarStyle::Signed, span);
            let dest = b.register(ty, None);
            b.emit(InstKind::Havoc { dest, site });
            let mut value = Operand::Register(dest);
            if let (ScalarStyle::Bool, Type::Int(bits)) = (style, ty) {
                value = b.binary(raddle_ir::BinaryOp::And, ty, value, int(bits, 1));
            }
            let address = Operand::Constant(Constant::Global(id, signed(offset)));
            b.store(address, value, ty, Ordering::Plain);
        }
    }

    /// A function that a thread can start in, which takes a pointer and returns one: the function itself, or one around
    /// it. Programs start threads in functions of other shapes, and it works where arguments travel in registers.
    pub(crate) fn thread_function(&mut self, id: FunctionId) -> FunctionId {
        let function = &self.functions[id];
        let types: Vec<Type> =
            function.parameters.iter().map(|&parameter| function.registers[parameter].ty).collect();
        if (types.as_slice(), function.result) == (&[Type::Ptr], Some(Type::Ptr)) {
            return id;
        }
        if !matches!(types.as_slice(), [] | [Type::Ptr | Type::Int(_)]) {
            return id;
        }
        if let Some(&known) = self.thread_functions.get(&id) {
            return known;
        }
        let (name, result, span) = (format!("start of {}", function.name), function.result, function.span);
        let mut b = Builder::new(self.pointer_bits, span);
        let argument = b.register(Type::Ptr, Some("argument".to_owned()));
        let arguments = types.first().map(|&ty| from_pointer(&mut b, argument, ty));
        let dest = result.map(|ty| b.register(ty, None));
        b.emit(InstKind::Call {
            dest,
            callee: Operand::Constant(Constant::Function(id)),
            arguments: arguments.into_iter().collect(),
        });
        let value = dest.map_or(Operand::Constant(Constant::Null), |dest| to_pointer(&mut b, dest));
        b.terminate(Terminator::Return(Some(value)));
        let (registers, blocks) = b.finish();
        let name = self.names.other_function(name);
        let made = self.functions.push(Function {
            name,
            parameters: vec![argument],
            result: Some(Type::Ptr),
            registers,
            blocks,
            model: true,
            foreign_reads: None,
            span,
        });
        self.thread_functions.insert(id, made);
        made
    }
}

fn from_pointer(b: &mut Builder, argument: RegisterId, ty: Type) -> Operand {
    let pointer = Operand::Register(argument);
    match ty {
        Type::Int(bits) => {
            let size_type = b.size_type();
            let address = b.cast(CastOp::PointerToInt, size_type, pointer);
            match bits.cmp(&b.pointer_bits) {
                std::cmp::Ordering::Less => b.cast(CastOp::Truncate, ty, address),
                std::cmp::Ordering::Equal => address,
                std::cmp::Ordering::Greater => b.cast(CastOp::ZeroExtend, ty, address),
            }
        }
        Type::Ptr | Type::F32 | Type::F64 => pointer,
    }
}

/// What a joining thread finds: the result as a pointer, null for none.
fn to_pointer(b: &mut Builder, result: RegisterId) -> Operand {
    let size_type = b.size_type();
    let value = Operand::Register(result);
    match b.type_of(value) {
        Type::Ptr => value,
        Type::F32 | Type::F64 => Operand::Constant(Constant::Null),
        Type::Int(bits) => {
            let address = match bits.cmp(&b.pointer_bits) {
                std::cmp::Ordering::Less => b.cast(CastOp::SignExtend, size_type, value),
                std::cmp::Ordering::Equal => value,
                std::cmp::Ordering::Greater => b.cast(CastOp::Truncate, size_type, value),
            };
            b.cast(CastOp::IntToPointer, Type::Ptr, address)
        }
    }
}

/// Gathers the scalars of a shape with their offsets (those of a union overlap, which does no harm); returns whether they
/// are all there is.
fn gather(shape: &Shape, offset: u64, scalars: &mut Vec<(u64, Type, ScalarStyle)>) -> bool {
    if scalars.len() > MOST_SCALARS {
        return false;
    }
    match shape {
        Shape::Bytes => false,
        Shape::Scalar(ty, style) => {
            scalars.push((offset, *ty, *style));
            true
        }
        Shape::Array { element, stride, count } => {
            (0..*count).all(|index| gather(element, offset + index * stride, scalars))
        }
        Shape::Record(members) => members.iter().all(|(_, at, member)| gather(member, offset + at, scalars)),
    }
}
