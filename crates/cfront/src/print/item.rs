//! Declarations: records, enumerations, typedefs, variables and functions.

use raddle_base::Span;

use crate::ast::{
    Attribute, Enum, EnumId, Field, Function, FunctionId, Inline, Item, Record, RecordId, StmtKind, Storage,
    TypedefId, Var, VarId,
};
use crate::print::survey::Declared;
use crate::print::types::{Parameters, record_keyword};
use crate::print::{Printer, literal};
use crate::types::{ArrayLength, FunctionType, QualType, Type, TypeId};

impl Printer<'_> {
    /// A declaration on lines of its own.
    pub(crate) fn item(&mut self, item: Item) {
        match item {
            Item::Record { id, definition } => {
                if self.survey.is_anonymous_member(id) {
                    return;
                }
                if definition {
                    self.record_definition(id);
                } else {
                    self.forward(id);
                }
            }
            Item::Enum(id) => self.enum_definition(id),
            Item::Typedef(id) => self.typedef(id),
            Item::Var { id, definition } => self.var_item(id, definition),
            Item::Function { id, definition } => self.function_item(id, definition),
            Item::Asm(stmt) => {
                let stmt = &self.ast.stmts[stmt];
                if let StmtKind::Asm(asm) = &stmt.kind {
                    self.start_line(stmt.span);
                    self.asm(asm);
                    self.end_line();
                }
            }
            Item::Label(label) => {
                let label = &self.ast.labels[label];
                self.line(label.span, &format!("__label__ {};", self.ast.text(label.name)));
            }
        }
    }

    fn line(&mut self, span: Span, text: &str) {
        self.start_line(span);
        self.push(text);
        self.end_line();
    }

    fn record_head(&self, id: RecordId) -> String {
        let record = &self.ast.records[id];
        format!("{} {}", record_keyword(record.kind), self.survey.record_name(self.ast, id))
    }

    /// `struct s;`
    fn forward(&mut self, id: RecordId) {
        self.known_records.insert(id);
        let text = self.record_head(id) + ";";
        self.line(self.ast.records[id].span, &text);
    }

    /// Declares the records that a type mentions and that were not declared yet, so that the mention does not
    /// declare them in some inner scope or mean another record of that tag.
    fn forward_mentioned(&mut self, ty: QualType, within: Option<RecordId>) {
        for id in self.mentioned(ty.id) {
            if Some(id) != within && !self.known_records.contains(&id) && self.ast.records[id].tag.is_some() {
                self.forward(id);
            }
        }
    }

    fn mentioned(&self, ty: TypeId) -> Vec<RecordId> {
        match self.ast.types.written(ty) {
            Type::Record(id) => vec![*id],
            Type::Pointer(inner) | Type::Array { element: inner, .. } => self.mentioned(inner.id),
            Type::Function(function) => {
                let parts = std::iter::once(&function.result).chain(&function.parameters);
                parts.flat_map(|part| self.mentioned(part.id)).collect()
            }
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector { .. }
            | Type::Enum(_)
            | Type::VaList
            | Type::Typedef(_)
            | Type::Error => Vec::new(),
        }
    }

    fn record_definition(&mut self, id: RecordId) {
        let ast = self.ast;
        let record = &ast.records[id];
        for field in record.fields.iter().flatten() {
            self.forward_mentioned(field.ty, Some(id));
        }
        self.known_records.insert(id);
        if let Some(pack) = record.pack {
            self.push(&format!("#pragma pack(push, {pack})\n"));
        }
        self.start_line(record.span);
        self.push(record_keyword(record.kind));
        self.push(" ");
        self.push(&record_attributes(record));
        self.push(self.survey.record_name(ast, id));
        self.push(" ");
        self.fields(record);
        self.push(";");
        self.end_line();
        if record.pack.is_some() {
            self.push("#pragma pack(pop)\n");
        }
    }

    /// `{ int a; … }`
    fn fields(&mut self, record: &Record) {
        self.push("{");
        self.end_line();
        self.indent += 1;
        for field in record.fields.iter().flatten() {
            self.field(field);
        }
        self.indent -= 1;
        self.indentation();
        self.push("}");
    }

    fn field(&mut self, field: &Field) {
        let ast = self.ast;
        self.start_line(field.span);
        if let (None, None, Type::Record(id)) = (field.name, field.width, ast.types.written(field.ty.id)) {
            // An anonymous member. Behind its brace an attribute would belong to its type.
            if let Some(align) = field.align {
                self.push(&format!("_Alignas({align}) "));
            }
            for keyword in field.ty.qualifiers.keywords() {
                self.push(keyword);
                self.push(" ");
            }
            let record = &ast.records[*id];
            self.push(record_keyword(record.kind));
            self.push(" ");
            self.push(&record_attributes(record));
            self.fields(record);
        } else {
            let name = field.name.map_or_else(String::new, |name| ast.text(name).to_owned());
            let text = self.declaration(field.ty, name).joined();
            self.push(&text);
            if let Some(width) = field.width {
                self.push(&format!(" : {width}"));
            }
            let mut attributes = Vec::new();
            if field.packed {
                attributes.push("packed".to_owned());
            }
            if let Some(align) = field.align {
                attributes.push(format!("aligned({align})"));
            }
            self.push(&suffix_attributes(&attributes));
        }
        self.push(";");
        self.end_line();
    }

    fn enum_definition(&mut self, id: EnumId) {
        let ast = self.ast;
        let definition: &Enum = &ast.enums[id];
        let packed = if definition.packed { "__attribute__((packed)) " } else { "" };
        self.start_line(definition.span);
        self.push(&format!("enum {packed}{} {{", self.survey.enum_name(ast, id)));
        self.end_line();
        self.indent += 1;
        let mut next = Some(0);
        for constant in definition.constants.iter().flatten() {
            self.start_line(constant.span);
            self.push(ast.text(constant.name));
            if next != Some(constant.value) {
                self.push(&enum_value(constant.value));
            }
            self.push(",");
            self.end_line();
            next = constant.value.checked_add(1);
            self.scope.declare(constant.name, None);
        }
        self.indent -= 1;
        self.indentation();
        self.push("};");
        self.end_line();
    }

    fn typedef(&mut self, id: TypedefId) {
        let ast = self.ast;
        let typedef = &ast.typedefs[id];
        self.forward_mentioned(typedef.ty, None);
        let name = ast.text(typedef.name).to_owned();
        let mut text = "typedef ".to_owned();
        let vector = ast.types.written(typedef.ty.id);
        if let Type::Vector { element, lanes } = vector {
            let element = QualType { id: *element, qualifiers: typedef.ty.qualifiers };
            text += &self.declaration(element, name).joined();
            text.push(' ');
            text += &self.vector_attribute(vector, *lanes);
        } else {
            text += &self.declaration(typedef.ty, name).joined();
        }
        if let Some(align) = typedef.align {
            text += &suffix_attributes(&[format!("aligned({align})")]);
        }
        text.push(';');
        self.line(typedef.span, &text);
        self.declare_typedef(id);
    }

    /// From here on the typedef name is in scope, and the lengths in its type are evaluated.
    pub(crate) fn declare_typedef(&mut self, id: TypedefId) {
        let typedef = &self.ast.typedefs[id];
        self.scope.declare(typedef.name, Some(id));
        let name = self.ast.text(typedef.name);
        if let Type::Array { length: ArrayLength::Variable(_), .. } = self.ast.types.written(typedef.ty.id) {
            self.variable_types.entry(typedef.ty.id).or_insert_with(|| name.to_owned());
        }
    }

    /// The type that this declaration shows, and counts it.
    pub(crate) fn declared_type(&mut self, declared: Declared, last: QualType) -> QualType {
        let place = self.declarations.entry(declared).or_default();
        let ty = self.survey.type_at(declared, *place, last);
        *place += 1;
        ty
    }

    fn var_item(&mut self, id: VarId, definition: bool) {
        let ast = self.ast;
        let var = &ast.vars[id];
        let ty = self.declared_type(Declared::Var(id), var.ty);
        self.forward_mentioned(ty, None);
        self.start_line(var.span);
        self.push(&var_attributes(self, var));
        self.push(self.storage(var, definition));
        if var.thread_local {
            self.push("_Thread_local ");
        }
        let name = self.var_name(var);
        let text = self.declaration(ty, name).joined();
        self.push(&text);
        self.declare_var(id, ty);
        self.push(&asm_name(var.asm_name.as_ref()));
        if let (true, Some(init)) = (definition, &var.init) {
            self.push(" = ");
            self.init(init, ty);
        }
        self.push(";");
        self.end_line();
    }

    fn var_name(&self, var: &Var) -> String {
        var.name.map_or_else(String::new, |name| self.ast.text(name).to_owned())
    }

    /// From here on the variable's name is in scope, and the lengths in its type are evaluated.
    pub(crate) fn declare_var(&mut self, id: VarId, ty: QualType) {
        if let Some(name) = self.ast.vars[id].name {
            self.scope.declare(name, None);
            self.remember_variable_types(self.ast.text(name), ty);
        }
    }

    fn storage(&self, var: &Var, definition: bool) -> &'static str {
        match var.storage {
            Storage::External if definition => "",
            Storage::External => "extern ",
            // In a block, what is not the definition can only be a mention of the static at file scope.
            Storage::Static if !definition && !self.scope.at_file_scope() => "extern ",
            Storage::Static => "static ",
            Storage::Register => "register ",
            Storage::Automatic | Storage::Parameter => "",
        }
    }

    /// The declaration at the head of a `for`: one specifier, several declarators.
    pub(crate) fn var_list(&mut self, vars: &[VarId]) {
        let ast = self.ast;
        let mut specifier: Option<String> = None;
        for &id in vars {
            let var = &ast.vars[id];
            let ty = self.declared_type(Declared::Var(id), var.ty);
            let name = self.var_name(var);
            let declaration = self.declaration(ty, name);
            if specifier.is_some() {
                self.push(", ");
            } else {
                self.push(self.storage(var, true));
                self.push(&declaration.specifier);
                self.push(" ");
            }
            specifier.get_or_insert(declaration.specifier);
            self.push(&declaration.declarator);
            self.push(" ");
            self.push(&var_attributes(self, var));
            self.text.truncate(self.text.trim_end().len());
            self.declare_var(id, ty);
            if let Some(init) = &var.init {
                self.push(" = ");
                self.init(init, ty);
            }
        }
    }

    fn function_item(&mut self, id: FunctionId, definition: bool) {
        let ast = self.ast;
        let function = &ast.functions[id];
        let first = !self.declarations.contains_key(&Declared::Function(id));
        let shown = self.declared_type(Declared::Function(id), function.ty);
        let ty = if definition { function.ty } else { shown };
        self.forward_mentioned(ty, None);
        self.scope.declare(function.name, None);
        let written = ast.types.written(ty.id);
        let by_typedef = matches!(written, Type::Typedef(_));
        let kind = if definition && by_typedef { ast.types.kind(ty.id) } else { written };
        if let (true, Type::Function(kind), Some(body)) = (definition, kind, function.body) {
            self.function_definition(id, kind, body);
            return;
        }
        self.start_line(function.span);
        self.function_specifiers(function, first, definition);
        let text = if let Type::Function(kind) = kind {
            let named = function.parameters.len() == kind.parameters.len();
            let parameters =
                if named { Parameters::Named(&function.parameters) } else { Parameters::Unnamed };
            self.function_declaration(function, kind, parameters)
        } else {
            // A typedef of a function type.
            self.declaration(ty, ast.text(function.name).to_owned())
        };
        self.push(&text.joined());
        self.push(&asm_name(function.asm_name.as_ref()));
        self.push(";");
        self.end_line();
    }

    fn function_definition(&mut self, id: FunctionId, ty: &FunctionType, body: crate::ast::StmtId) {
        let ast = self.ast;
        let function = &ast.functions[id];
        if !self.text.is_empty() {
            self.end_line();
        }
        self.start_line(function.span);
        self.function_specifiers(function, false, true);
        let parameters = if function.old_style {
            Parameters::OldStyle(&function.parameters)
        } else {
            Parameters::Defined(&function.parameters)
        };
        let text = self.function_declaration(function, ty, parameters).joined();
        self.push(&text);
        self.end_line();
        self.scope.enter();
        for &parameter in &function.parameters {
            let var = &ast.vars[parameter];
            if function.old_style {
                let name = self.var_name(var);
                let text = self.declaration(var.ty, name).joined() + ";";
                self.indent += 1;
                self.line(var.span, &text);
                self.indent -= 1;
            }
            self.declare_var(parameter, var.ty);
        }
        if let StmtKind::Block(stmts) = &ast.stmts[body].kind {
            self.start_line(ast.stmts[body].span);
            self.block(stmts);
        }
        self.scope.leave();
        self.end_line();
    }

    /// Attributes, storage class and function specifiers.
    fn function_specifiers(&mut self, function: &Function, first: bool, definition: bool) {
        let mut text = String::new();
        let mut attributes: Vec<String> = Vec::new();
        for attribute in &function.attributes {
            // An alias is a definition, so only one declaration may say it.
            if first || !matches!(attribute, Attribute::Alias(_)) {
                attributes.push(self.attribute(attribute));
            }
        }
        if function.inline == Inline::Gnu {
            attributes.push("gnu_inline".to_owned());
        }
        if !attributes.is_empty() {
            text += &format!("__attribute__(({})) ", attributes.join(", "));
        }
        let nested = function.owner.is_some() && function.body.is_some();
        if nested {
            if !definition {
                text += "auto ";
            }
        } else if function.internal && self.scope.at_file_scope() {
            text += "static ";
        }
        if self.scope.at_file_scope() || nested {
            text += match (function.inline, function.internal || nested) {
                (Inline::No, _) => "",
                (Inline::Extern | Inline::Gnu, false) => "extern inline ",
                (Inline::Inline | Inline::Extern | Inline::Gnu, _) => "inline ",
            };
        }
        if function.noreturn {
            text += "_Noreturn ";
        }
        self.push(&text);
    }

    /// An attribute as it stands between double parentheses.
    pub(crate) fn attribute(&self, attribute: &Attribute) -> String {
        let with_priority = |name: &str, priority: Option<u32>| {
            priority.map_or_else(|| name.to_owned(), |priority| format!("{name}({priority})"))
        };
        match attribute {
            Attribute::Weak => "weak".to_owned(),
            Attribute::Alias(target) => format!("alias({})", literal::string(target)),
            Attribute::Constructor(priority) => with_priority("constructor", *priority),
            Attribute::Destructor(priority) => with_priority("destructor", *priority),
            Attribute::Cleanup(function) => {
                format!("cleanup({})", self.ast.text(self.ast.functions[*function].name))
            }
            Attribute::ReturnsTwice => "returns_twice".to_owned(),
            Attribute::AlwaysInline => "always_inline".to_owned(),
            Attribute::NoInline => "noinline".to_owned(),
            Attribute::ForeignReads(reads) => format!("raddle_reads({})", reads.word()),
        }
    }
}

/// The attributes of a variable, and a space.
fn var_attributes(printer: &Printer<'_>, var: &Var) -> String {
    let mut attributes: Vec<String> =
        var.attributes.iter().map(|attribute| printer.attribute(attribute)).collect();
    if let Some(align) = var.align {
        attributes.push(format!("aligned({align})"));
    }
    if attributes.is_empty() {
        return String::new();
    }
    format!("__attribute__(({})) ", attributes.join(", "))
}

/// The attributes of a record type, and a space.
fn record_attributes(record: &Record) -> String {
    let mut attributes = Vec::new();
    if record.packed {
        attributes.push("packed".to_owned());
    }
    if let Some(align) = record.align {
        attributes.push(format!("aligned({align})"));
    }
    if record.transparent {
        attributes.push("transparent_union".to_owned());
    }
    if attributes.is_empty() {
        return String::new();
    }
    format!("__attribute__(({})) ", attributes.join(", "))
}

fn suffix_attributes(attributes: &[String]) -> String {
    if attributes.is_empty() {
        return String::new();
    }
    format!(" __attribute__(({}))", attributes.join(", "))
}

fn asm_name(name: Option<&crate::ast::StringLiteral>) -> String {
    name.map_or_else(String::new, |name| format!(" __asm__({})", literal::string(name)))
}

/// ` = 5`: the smallest type that holds the value is the one the enumeration would choose again.
fn enum_value(value: i128) -> String {
    if value > i128::from(i64::MAX) {
        return format!(" = {value}ULL");
    }
    if value == i128::from(i64::MIN) {
        return format!(" = {}LL - 1", value + 1);
    }
    format!(" = {value}")
}
