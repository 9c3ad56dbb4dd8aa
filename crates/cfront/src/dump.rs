//! The typed tree as indented text that shows everything: types, layout, conversions, lvalues, initialisers,
//! linkage.
//!
//! The text holds no source positions and no ids, and it does not distinguish what C does not distinguish
//! (`int a, b;` and `int a; int b;`, forward declarations of records). So the dump of a tree and the dump of
//! that tree printed and parsed again must be equal, byte for byte; the round-trip tests demand it.

use std::fmt::Write as _;

use raddle_base::on_large_stack;

use crate::ast::{
    Asm, AsmOperand, Ast, Attribute, CastKind, EnumId, ExprId, ExprKind, Field, FunctionId, Init, Inline,
    Item, OffsetStep, Record, StmtId, StmtKind, Storage, StringLiteral, Subobject, TypedefId, UnaryOp, VarId,
};
use crate::print::survey::{Declared, Survey};
use crate::print::{
    Printer, binary_text, head_types, integer_name, lengths, literal, predefined_text, query_text, unary_text,
};
use crate::types::{QualType, Type};

/// All units of a program as text.
#[must_use]
pub fn dump(ast: &Ast) -> String {
    on_large_stack(|| {
        let mut text = String::new();
        for unit in 0..ast.units.len() {
            let survey = Survey::of_unit(ast, unit);
            let mut dumper =
                Dumper { ast, survey: &survey, printer: Printer::new(ast, &survey, None), text, depth: 0 };
            dumper.line("unit");
            for &item in &ast.units[unit].items {
                dumper.nested(|dumper| dumper.item(item));
            }
            text = dumper.text;
        }
        text
    })
}

/// Deeper lines say their depth in digits: a sum of many terms would drown in spaces.
const MAX_INDENT: usize = 100;

struct Dumper<'a> {
    ast: &'a Ast,
    survey: &'a Survey,
    /// Spells types, and knows which names are in scope.
    printer: Printer<'a>,
    text: String,
    depth: usize,
}

impl Dumper<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth.min(MAX_INDENT) {
            self.text.push_str("  ");
        }
        if self.depth > MAX_INDENT {
            let _ = write!(self.text, "({}) ", self.depth);
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn nested(&mut self, dump: impl FnOnce(&mut Self)) {
        self.depth += 1;
        dump(self);
        self.depth -= 1;
    }

    /// A heading and what belongs to it.
    fn group(&mut self, heading: &str, dump: impl FnOnce(&mut Self)) {
        self.line(heading);
        self.nested(dump);
    }

    fn ty(&mut self, ty: QualType) -> String {
        self.printer.type_name(ty)
    }

    /// The lengths of variable length arrays in a type, which are evaluated where it stands.
    fn lengths(&mut self, ty: QualType) {
        for length in lengths(self.ast, ty) {
            self.group("length", |dumper| dumper.expr(length));
        }
    }

    fn item(&mut self, item: Item) {
        match item {
            // Anonymous members are shown where they stand.
            Item::Record { definition: false, .. } => {}
            Item::Record { id, definition: true } => {
                if !self.survey.is_anonymous_member(id) {
                    let name = self.survey.record_name(self.ast, id).to_owned();
                    self.record(&self.ast.records[id], &name);
                }
            }
            Item::Enum(id) => self.enumeration(id),
            Item::Typedef(id) => self.typedef(id),
            Item::Var { id, definition } => self.var(id, definition),
            Item::Function { id, definition } => self.function(id, definition),
            Item::Asm(stmt) => self.stmt(stmt),
            Item::Label(label) => {
                let name = self.ast.text(self.ast.labels[label].name);
                self.line(&format!("local label {name}"));
            }
        }
    }

    fn record(&mut self, record: &Record, name: &str) {
        let keyword = crate::print::record_keyword(record.kind);
        let mut heading = format!("{keyword} {name} size {} align {}", record.size, record.alignment);
        if record.packed {
            heading += " packed";
        }
        if let Some(align) = record.align {
            let _ = write!(heading, " aligned {align}");
        }
        if let Some(pack) = record.pack {
            let _ = write!(heading, " pack {pack}");
        }
        if record.transparent {
            heading += " transparent";
        }
        self.group(&heading, |dumper| {
            for field in record.fields.iter().flatten() {
                dumper.field(field);
            }
        });
    }

    fn field(&mut self, field: &Field) {
        let anonymous = match (field.name, field.width, self.ast.types.written(field.ty.id)) {
            (None, None, Type::Record(id)) => Some(*id),
            _ => None,
        };
        let name = field.name.map_or("<unnamed>", |name| self.ast.text(name));
        let mut heading = format!("field {name}");
        if anonymous.is_none() {
            let _ = write!(heading, ": {}", self.ty(field.ty));
        } else {
            for keyword in field.ty.qualifiers.keywords() {
                let _ = write!(heading, " {keyword}");
            }
        }
        if let Some(width) = field.width {
            let _ = write!(heading, " : {width}");
        }
        let _ = write!(heading, " at bit {}", field.bit_offset);
        if field.packed {
            heading += " packed";
        }
        if let Some(align) = field.align {
            let _ = write!(heading, " aligned {align}");
        }
        self.group(&heading, |dumper| {
            dumper.lengths(field.ty);
            if let Some(id) = anonymous {
                dumper.record(&dumper.ast.records[id], "<anonymous>");
            }
        });
    }

    fn enumeration(&mut self, id: EnumId) {
        let ast = self.ast;
        let definition = &ast.enums[id];
        let name = self.survey.enum_name(ast, id);
        let packed = if definition.packed { " packed" } else { "" };
        let heading = format!("enum {name}: {}{packed}", integer_name(definition.underlying));
        self.group(&heading, |dumper| {
            for constant in definition.constants.iter().flatten() {
                let ty = dumper.ty(constant.ty.into());
                dumper.line(&format!("{} = {}: {ty}", ast.text(constant.name), constant.value));
                dumper.printer.scope.declare(constant.name, None);
            }
        });
    }

    fn typedef(&mut self, id: TypedefId) {
        let typedef = &self.ast.typedefs[id];
        let mut heading = format!("typedef {} = {}", self.ast.text(typedef.name), self.ty(typedef.ty));
        if let Some(align) = typedef.align {
            let _ = write!(heading, " aligned {align}");
        }
        self.group(&heading, |dumper| dumper.lengths(typedef.ty));
        self.printer.declare_typedef(id);
    }

    fn attributes(&self, attributes: &[Attribute], heading: &mut String) {
        for attribute in attributes {
            heading.push(' ');
            *heading += &self.printer.attribute(attribute);
        }
    }

    fn var(&mut self, id: VarId, definition: bool) {
        let var = &self.ast.vars[id];
        let ty = self.printer.declared_type(Declared::Var(id), var.ty);
        let name = var.name.map_or("<unnamed>", |name| self.ast.text(name));
        let storage = match var.storage {
            Storage::External => "external",
            Storage::Static => "static",
            Storage::Automatic => "automatic",
            Storage::Register => "register",
            Storage::Parameter => "parameter",
        };
        let mut heading = format!("var {name}: {} {storage}", self.ty(ty));
        for (given, text) in [
            (var.thread_local, " thread-local"),
            (definition, " definition"),
            (var.defined, " defined"),
            (var.linked.is_some(), " linked"),
        ] {
            if given {
                heading += text;
            }
        }
        if let Some(align) = var.align {
            let _ = write!(heading, " aligned {align}");
        }
        self.attributes(&var.attributes, &mut heading);
        asm_name(var.asm_name.as_ref(), &mut heading);
        self.line(&heading);
        self.nested(|dumper| dumper.lengths(ty));
        self.printer.declare_var(id, ty);
        if let (true, Some(init)) = (definition, &var.init) {
            self.nested(|dumper| dumper.init(init));
        }
    }

    fn function(&mut self, id: FunctionId, definition: bool) {
        let ast = self.ast;
        let function = &ast.functions[id];
        let shown = self.printer.declared_type(Declared::Function(id), function.ty);
        let ty = if definition { function.ty } else { shown };
        self.printer.scope.declare(function.name, None);
        let mut heading = format!("function {}: {}", ast.text(function.name), self.ty(ty));
        heading += if function.internal { " internal" } else { " external" };
        heading += match function.inline {
            Inline::No => "",
            Inline::Inline => " inline",
            Inline::Extern => " extern-inline",
            Inline::Gnu => " gnu-inline",
        };
        for (given, text) in [
            (function.noreturn, " noreturn"),
            (function.old_style, " old-style"),
            (function.body.is_some(), " defined"),
            (function.owner.is_some() && function.body.is_some(), " nested"),
            (function.linked.is_some(), " linked"),
        ] {
            if given {
                heading += text;
            }
        }
        self.attributes(&function.attributes, &mut heading);
        asm_name(function.asm_name.as_ref(), &mut heading);
        let (true, Some(body)) = (definition, function.body) else { return self.line(&heading) };
        self.printer.scope.enter();
        self.group(&heading, |dumper| {
            for &parameter in &function.parameters {
                let var = &ast.vars[parameter];
                let name = var.name.map_or("<unnamed>", |name| ast.text(name));
                let ty = dumper.ty(var.ty);
                dumper.group(&format!("parameter {name}: {ty}"), |dumper| dumper.lengths(var.ty));
                dumper.printer.declare_var(parameter, var.ty);
            }
            dumper.stmt(body);
        });
        self.printer.scope.leave();
    }

    fn stmts(&mut self, stmts: &[StmtId]) {
        for &stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn exprs(&mut self, exprs: &[ExprId]) {
        for &expr in exprs {
            self.expr(expr);
        }
    }

    fn scoped(&mut self, heading: &str, dump: impl FnOnce(&mut Self)) {
        self.printer.scope.enter();
        self.group(heading, dump);
        self.printer.scope.leave();
    }

    /// A statement. Labels stand before what they mark, not around it, so that a label before several
    /// declarators and one before the first of several declarations look alike.
    fn stmt(&mut self, id: StmtId) {
        let ast = self.ast;
        match &ast.stmts[id].kind {
            StmtKind::Empty => self.line("empty"),
            StmtKind::Expr(expr) => self.group("expression", |dumper| dumper.expr(*expr)),
            StmtKind::Block(stmts) => self.scoped("block", |dumper| dumper.stmts(stmts)),
            StmtKind::Declare(items) => items.iter().for_each(|&item| self.item(item)),
            StmtKind::If { condition, then, otherwise } => self.group("if", |dumper| {
                dumper.expr(*condition);
                dumper.group("then", |dumper| dumper.stmt(*then));
                if let Some(otherwise) = otherwise {
                    dumper.group("else", |dumper| dumper.stmt(*otherwise));
                }
            }),
            StmtKind::While { condition, body } => self.group("while", |dumper| {
                dumper.expr(*condition);
                dumper.stmt(*body);
            }),
            StmtKind::DoWhile { body, condition } => self.group("do", |dumper| {
                dumper.stmt(*body);
                dumper.expr(*condition);
            }),
            StmtKind::For { init, condition, step, body } => {
                let types = head_types(ast, id);
                types.iter().for_each(|&item| self.item(item));
                self.scoped("for", |dumper| {
                    dumper.group("init", |dumper| match init.map(|init| &ast.stmts[init].kind) {
                        Some(StmtKind::Declare(items)) => {
                            items[types.len()..].iter().for_each(|&item| dumper.item(item));
                        }
                        Some(_) | None => dumper.stmts(init.as_slice()),
                    });
                    dumper.group("condition", |dumper| dumper.exprs(condition.as_slice()));
                    dumper.group("step", |dumper| dumper.exprs(step.as_slice()));
                    dumper.stmt(*body);
                });
            }
            StmtKind::Switch { value, body } => self.group("switch", |dumper| {
                dumper.expr(*value);
                dumper.stmt(*body);
            }),
            StmtKind::Case { first, last, values: (low, high), body } => {
                self.group(&format!("case {low} to {high}"), |dumper| {
                    dumper.expr(*first);
                    dumper.exprs(last.as_slice());
                });
                self.stmt(*body);
            }
            StmtKind::Default(body) => {
                self.line("default");
                self.stmt(*body);
            }
            StmtKind::Label(label, body) => {
                self.line(&format!("label {}", ast.text(ast.labels[*label].name)));
                self.stmt(*body);
            }
            StmtKind::Goto(label) => self.line(&format!("goto {}", ast.text(ast.labels[*label].name))),
            StmtKind::GotoComputed(target) => self.group("goto computed", |dumper| dumper.expr(*target)),
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Return(value) => self.group("return", |dumper| dumper.exprs(value.as_slice())),
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::Error => self.line("error"),
        }
    }

    fn asm(&mut self, asm: &Asm) {
        let mut heading = format!("asm {}", literal::string(&asm.template));
        for (given, text) in [
            (asm.volatile, " volatile"),
            (asm.inline, " inline"),
            (asm.goto, " goto"),
            (asm.extended, " extended"),
        ] {
            if given {
                heading += text;
            }
        }
        self.group(&heading, |dumper| {
            dumper.operands("output", &asm.outputs);
            dumper.operands("input", &asm.inputs);
            for clobber in &asm.clobbers {
                dumper.line(&format!("clobber {}", literal::string(clobber)));
            }
            for &label in &asm.labels {
                let name = dumper.ast.text(dumper.ast.labels[label].name);
                dumper.line(&format!("label {name}"));
            }
        });
    }

    fn operands(&mut self, what: &str, operands: &[AsmOperand]) {
        for operand in operands {
            let name = operand.name.map_or("", |name| self.ast.text(name));
            let heading = format!("{what} [{name}] {}", literal::string(&operand.constraint));
            self.group(&heading, |dumper| dumper.expr(operand.value));
        }
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(expr) => self.group("init", |dumper| dumper.expr(*expr)),
            Init::Aggregate(parts) => self.group("init aggregate", |dumper| {
                for part in parts {
                    match part.subobject {
                        Subobject::Field(field) => dumper.line(&format!("field {field}")),
                        Subobject::Elements { first, last } => {
                            dumper.line(&format!("elements {first} to {last}"))
                        }
                    }
                    dumper.nested(|dumper| dumper.init(&part.value));
                }
            }),
        }
    }

    fn expr(&mut self, id: ExprId) {
        let expr = &self.ast.exprs[id];
        let mut heading = self.heading(&expr.kind);
        let _ = write!(heading, ": {}", self.ty(expr.ty));
        if expr.lvalue {
            heading += " lvalue";
        }
        self.group(&heading, |dumper| dumper.operands_of(&expr.kind, expr.ty));
    }

    /// What an expression does, apart from its operands.
    fn heading(&mut self, kind: &ExprKind) -> String {
        let ast = self.ast;
        match kind {
            ExprKind::Integer(value) => format!("integer {value}"),
            ExprKind::Float { spelling, value } => format!("float {} ({value:?})", ast.text(*spelling)),
            ExprKind::Imaginary(_) => "imaginary".to_owned(),
            ExprKind::String(string) => format!("string {}", literal::string(string)),
            ExprKind::Var(var) => {
                let var = &ast.vars[*var];
                format!("var {}", var.name.map_or("<unnamed>", |name| ast.text(name)))
            }
            ExprKind::Function(function) => format!("function {}", ast.text(ast.functions[*function].name)),
            ExprKind::EnumConstant(id, place) => {
                let constants = ast.enums[*id].constants.as_deref().unwrap_or_default();
                let constant = constants.get(*place as usize);
                let name = constant.map_or("<unknown>", |constant| ast.text(constant.name));
                format!("constant {name} of enum {}", self.survey.enum_name(ast, *id))
            }
            ExprKind::FunctionName(name, text) => format!("{} {text:?}", predefined_text(*name)),
            ExprKind::Unary(op, _) => match op {
                UnaryOp::PostIncrement | UnaryOp::PostDecrement => format!("postfix {}", unary_text(*op)),
                UnaryOp::Plus
                | UnaryOp::Negate
                | UnaryOp::BitNot
                | UnaryOp::Not
                | UnaryOp::AddressOf
                | UnaryOp::Deref
                | UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::Real
                | UnaryOp::Imag => format!("prefix {}", unary_text(*op).trim_end()),
            },
            ExprKind::Binary(op, ..) => format!("binary {}", binary_text(*op)),
            ExprKind::Assign(..) => "assign".to_owned(),
            ExprKind::CompoundAssign { op, computation, .. } => {
                format!("assign {}= in {}", binary_text(*op), self.ty((*computation).into()))
            }
            ExprKind::Conditional { then: Some(_), .. } => "conditional".to_owned(),
            ExprKind::Conditional { then: None, .. } => "conditional without middle".to_owned(),
            ExprKind::Comma(..) => "comma".to_owned(),
            ExprKind::Cast { kind, explicit, .. } => {
                let how = if *explicit { "explicit" } else { "implicit" };
                format!("{how} cast {}", cast_text(*kind))
            }
            ExprKind::Member { record, field, arrow, .. } => {
                let name =
                    self.printer.field_name(*record, *field).map_or("<anonymous>", |name| ast.text(name));
                format!("member {}{name}", if *arrow { "->" } else { "." })
            }
            ExprKind::Index { .. } => "index".to_owned(),
            ExprKind::Call { .. } => "call".to_owned(),
            ExprKind::Builtin { builtin, .. } => format!("builtin {}", builtin.name(&ast.names)),
            ExprKind::TypeQuery(query, ty) => format!("{} type {}", query_text(*query), self.ty(*ty)),
            ExprKind::ExprQuery(query, _) => format!("{} expression", query_text(*query)),
            ExprKind::Offsetof { ty, .. } => format!("offsetof {}", self.ty(*ty)),
            ExprKind::VaArg(_) => "va_arg".to_owned(),
            ExprKind::Statement(_) => "statement expression".to_owned(),
            ExprKind::CompoundLiteral { static_storage: true, .. } => "compound literal static".to_owned(),
            ExprKind::CompoundLiteral { static_storage: false, .. } => "compound literal".to_owned(),
            ExprKind::LabelAddress(label) => {
                format!("address of label {}", ast.text(ast.labels[*label].name))
            }
            ExprKind::Error => "error".to_owned(),
        }
    }

    fn operands_of(&mut self, kind: &ExprKind, ty: QualType) {
        match kind {
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::EnumConstant(..)
            | ExprKind::FunctionName(..)
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => {}
            ExprKind::TypeQuery(_, ty) => self.lengths(*ty),
            ExprKind::Imaginary(operand)
            | ExprKind::Unary(_, operand)
            | ExprKind::Member { base: operand, .. }
            | ExprKind::ExprQuery(_, operand)
            | ExprKind::VaArg(operand) => self.expr(*operand),
            ExprKind::Cast { operand, explicit, kind: _ } => {
                if *explicit {
                    self.lengths(ty);
                }
                self.expr(*operand);
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Assign(left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::CompoundAssign { target: left, value: right, .. }
            | ExprKind::Index { base: left, index: right } => self.exprs(&[*left, *right]),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(*condition);
                self.exprs(then.as_slice());
                self.expr(*otherwise);
            }
            ExprKind::Call { callee, arguments } => {
                self.expr(*callee);
                self.exprs(arguments);
            }
            ExprKind::Builtin { arguments, .. } => self.exprs(arguments),
            ExprKind::Offsetof { path, .. } => self.offset_path(path),
            ExprKind::Statement(stmt) => self.stmt(*stmt),
            ExprKind::CompoundLiteral { init, .. } => self.init(init),
        }
    }

    fn offset_path(&mut self, path: &[OffsetStep]) {
        for step in path {
            match step {
                OffsetStep::Field(record, field) => {
                    let name = self.printer.field_name(*record, *field);
                    let name = name.map_or("<anonymous>", |name| self.ast.text(name));
                    self.line(&format!("field {name}"));
                }
                OffsetStep::Index(index) => self.group("index", |dumper| dumper.expr(*index)),
            }
        }
    }
}

fn asm_name(name: Option<&StringLiteral>, heading: &mut String) {
    if let Some(name) = name {
        let _ = write!(heading, " asm {}", literal::string(name));
    }
}

/// What a conversion does, in words.
const fn cast_text(kind: CastKind) -> &'static str {
    match kind {
        CastKind::Load => "load",
        CastKind::ArrayToPointer => "array to pointer",
        CastKind::FunctionToPointer => "function to pointer",
        CastKind::NoOp => "no-op",
        CastKind::Integer => "integer",
        CastKind::ToBool => "to bool",
        CastKind::IntegerToFloat => "integer to float",
        CastKind::FloatToInteger => "float to integer",
        CastKind::Float => "float",
        CastKind::IntegerToPointer => "integer to pointer",
        CastKind::NullToPointer => "null to pointer",
        CastKind::PointerToInteger => "pointer to integer",
        CastKind::Pointer => "pointer",
        CastKind::ToVoid => "to void",
        CastKind::ToUnion => "to union",
        CastKind::RealToComplex => "real to complex",
        CastKind::ComplexToReal => "complex to real",
        CastKind::Complex => "complex",
        CastKind::VectorBits => "vector bits",
        CastKind::ScalarToVector => "scalar to vector",
    }
}
