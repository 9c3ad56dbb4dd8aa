//! All translation units become one.
//!
//! What has external linkage and the same name becomes one thing: uses lead to the definition. Types that units share through
//! headers become one type when they are the same, member by member; otherwise the later one gets a new name. So do `static`
//! variables and functions whose name is taken, and inline functions, which every unit has for itself.

use raddle_cfront::ast::{
    Attribute, EnumId, ExprKind, External, FunctionId, Inline, Item, OffsetStep, RecordId, StmtKind, Storage,
    TypedefId, VarId,
};
use raddle_cfront::check::compatible::{AcrossUnits, composite};
use raddle_cfront::names::Symbol;
use raddle_cfront::types::{FunctionType, QualType, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::pass::{Pass, Refusal, Values};
use crate::program::Program;

/// The pass.
pub static PASS: Pass = Pass {
    name: "merge",
    description: "all translation units become one; what collides gets a new name",
    parameters: &[],
    run,
};

pub(crate) fn run(program: &mut Program, _: &Values) -> Result<(), Refusal> {
    // With one unit everything has its name already.
    if program.ast().units.len() <= 1 {
        return Ok(());
    }
    same_types(program)?;
    let mut merger = Merger::new(program);
    let units = std::mem::take(&mut merger.program.ast_mut().units);
    let mut name = String::new();
    for unit in units {
        if name.is_empty() {
            name.clone_from(&unit.name);
        }
        // Two walks over a unit: a typedef behind a record tells what the record is.
        for item in &unit.items {
            merger.ahead(*item, &unit.items);
        }
        for item in unit.items {
            merger.item(item);
        }
    }
    let items = std::mem::take(&mut merger.items);
    // Only now is it known what became what.
    merger.rewrite();
    let items = items.into_iter().map(|item| merger.mapped_item(item)).collect();
    program.ast_mut().units = vec![raddle_cfront::ast::Unit { name, items }];
    // The models are part of the one unit from here on.
    program.models = 0;
    crate::order::in_time(program);
    Ok(())
}

/// Refuses what units declare with different types: where there is one unit, there is one declaration.
fn same_types(program: &Program) -> Result<(), Refusal> {
    let ast = program.ast();
    let mut types = AcrossUnits::default();
    let vars =
        ast.vars.values().filter_map(|var| Some((var.ty, ast.vars[var.linked?].ty, var.span, var.name?)));
    let functions = ast.functions.values().filter_map(|function| {
        let (own, linked) = (function.ty, ast.functions[function.linked?].ty);
        // Without a prototype here and with one there: gcc lets that pass, and so do we.
        let alike = has_prototype(program, own) == has_prototype(program, linked);
        alike.then_some((own, linked, function.span, function.name))
    });
    for (own, linked, span, name) in vars.chain(functions) {
        if !types.compatible(ast, own, linked) {
            let name = ast.text(name);
            return Err(Refusal::new(span, format!("`{name}` has different types in two translation units")));
        }
    }
    Ok(())
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MergedTag {
    Record(RecordId),
    Enum(EnumId),
}

struct Merger<'p> {
    program: &'p mut Program,
    items: Vec<Item>,
    /// What is known at file scope, of all units so far.
    tags: FxHashMap<Symbol, MergedTag>,
    typedefs: FxHashMap<Symbol, TypedefId>,
    /// Enumerations by their first constant.
    enums: FxHashMap<Symbol, EnumId>,
    ordinary: FxHashMap<Symbol, Item>,
    /// What became what.
    records: FxHashMap<RecordId, RecordId>,
    enum_map: FxHashMap<EnumId, EnumId>,
    typedef_map: FxHashMap<TypedefId, TypedefId>,
    vars: FxHashMap<VarId, VarId>,
    functions: FxHashMap<FunctionId, FunctionId>,
    types: FxHashMap<TypeId, TypeId>,
    seen: FxHashSet<(u8, usize)>,
}

impl<'p> Merger<'p> {
    fn new(program: &'p mut Program) -> Self {
        Self {
            program,
            items: Vec::new(),
            tags: FxHashMap::default(),
            typedefs: FxHashMap::default(),
            enums: FxHashMap::default(),
            ordinary: FxHashMap::default(),
            records: FxHashMap::default(),
            enum_map: FxHashMap::default(),
            typedef_map: FxHashMap::default(),
            vars: FxHashMap::default(),
            functions: FxHashMap::default(),
            types: FxHashMap::default(),
            seen: FxHashSet::default(),
        }
    }

    /// Records without a tag are known by the typedef name behind them: looks for those before the items are taken.
    fn ahead(&mut self, item: Item, all: &[Item]) {
        let Item::Record { id, definition: true } = item else { return };
        if self.program.ast().records[id].tag.is_some() {
            return;
        }
        for other in all {
            let Item::Typedef(typedef) = *other else { continue };
            let typedef = &self.program.ast().typedefs[typedef];
            if self.program.ast().types.written(typedef.ty.id) != &Type::Record(id) {
                continue;
            }
            let Some(&known) = self.typedefs.get(&typedef.name) else { continue };
            let meaning = self.program.ast().typedefs[known].ty.id;
            if let Type::Record(first) = *self.program.ast().types.kind(meaning) {
                self.unify(id, first);
            }
        }
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Record { id, definition } => self.record(id, definition),
            Item::Enum(id) => self.enumeration(id),
            Item::Typedef(id) => self.typedef(id),
            Item::Var { id, definition } => self.var(id, definition),
            Item::Function { id, definition } => self.function(id, definition),
            Item::Asm(_) | Item::Label(_) => self.items.push(item),
        }
    }

    /// Whether something is met for the first time.
    fn first(&mut self, what: u8, index: usize) -> bool {
        self.seen.insert((what, index))
    }

    fn record(&mut self, id: RecordId, definition: bool) {
        use raddle_base::Id as _;
        if let Some(tag) = self.program.ast().records[id].tag {
            match self.tags.get(&tag).copied() {
                // The first of its name keeps it.
                None => {
                    self.tags.insert(tag, MergedTag::Record(id));
                }
                Some(MergedTag::Record(known)) if known == id => {}
                Some(MergedTag::Record(known)) if self.unify(id, known) => {}
                Some(MergedTag::Record(_) | MergedTag::Enum(_)) => {
                    // Another type of this name: it is renamed, but only where it is defined, or it would be
                    // renamed twice.
                    if !self.records.contains_key(&id) && definition {
                        let new = fresh_like(self.program, tag);
                        self.program.ast_mut().records[id].tag = Some(new);
                        self.tags.insert(new, MergedTag::Record(id));
                    }
                }
            }
        }
        let id = self.records.get(&id).copied().unwrap_or(id);
        if self.first(u8::from(definition), id.index()) {
            self.items.push(Item::Record { id, definition });
        }
    }

    /// Makes `later` the same type as `first`, if it is the same.
    fn unify(&mut self, later: RecordId, first: RecordId) -> bool {
        if later == first || self.records.get(&later) == Some(&first) {
            return true;
        }
        let ast = self.program.ast();
        let (new, known) = (ast.records[later].clone(), ast.records[first].clone());
        if new.kind != known.kind || self.records.contains_key(&later) {
            return false;
        }
        // Assumed equal while the members are compared, since a list leads back to itself. Taken back if they
        // differ.
        let before = self.records.clone();
        self.records.insert(later, first);
        self.types.clear();
        let same = match (&new.fields, &known.fields) {
            (None, _) => true,
            (Some(_), None) => {
                // So far it was only mentioned.
                let mut complete = new.clone();
                complete.tag = known.tag;
                self.program.ast_mut().records[first] = complete;
                true
            }
            (Some(left), Some(right)) => {
                let layout = new.packed == known.packed
                    && new.align == known.align
                    && new.pack == known.pack
                    && new.transparent == known.transparent
                    && left.len() == right.len();
                layout
                    && left.iter().zip(right).all(|(left, right)| {
                        left.name == right.name
                            && left.width == right.width
                            && left.packed == right.packed
                            && left.align == right.align
                            && self.same(left.ty, right.ty)
                    })
            }
        };
        if !same {
            self.records = before;
            self.types.clear();
        }
        same
    }

    /// Whether a type of a later unit is, or can become, a type of an earlier one.
    fn same(&mut self, later: QualType, first: QualType) -> bool {
        let ast = self.program.ast();
        let (from, to) = (ast.types.canonical(later), ast.types.canonical(first));
        if from.qualifiers != to.qualifiers {
            return false;
        }
        let (left, right) = (ast.types.kind(from.id).clone(), ast.types.kind(to.id).clone());
        match (left, right) {
            // What is known of the left one by now counts.
            (Type::Record(left), Type::Record(right)) => {
                let left = self.records.get(&left).copied().unwrap_or(left);
                let tags = (self.program.ast().records[left].tag, self.program.ast().records[right].tag);
                left == right || (tags.0 == tags.1 && self.unify(left, right))
            }
            (Type::Enum(left), Type::Enum(right)) => {
                let left = self.enum_map.get(&left).copied().unwrap_or(left);
                left == right || self.unify_enums(left, right)
            }
            (Type::Pointer(left), Type::Pointer(right)) => self.same(left, right),
            (
                Type::Array { element: left, length: left_length },
                Type::Array { element: right, length: right_length },
            ) => left_length == right_length && self.same(left, right),
            (Type::Function(left), Type::Function(right)) => {
                left.variadic == right.variadic
                    && left.prototype == right.prototype
                    && left.parameters.len() == right.parameters.len()
                    && self.same(left.result, right.result)
                    && left
                        .parameters
                        .iter()
                        .zip(&right.parameters)
                        .all(|(&left, &right)| self.same(left, right))
            }
            (left, right) => left == right,
        }
    }

    fn unify_enums(&mut self, later: EnumId, first: EnumId) -> bool {
        let ast = self.program.ast();
        let (new, known) = (&ast.enums[later], &ast.enums[first]);
        let values = |id: EnumId| {
            let constants = ast.enums[id].constants.iter().flatten();
            constants.map(|constant| (constant.name, constant.value)).collect::<Vec<_>>()
        };
        let same = new.tag == known.tag
            && new.underlying == known.underlying
            && new.packed == known.packed
            && values(later) == values(first);
        if same {
            self.enum_map.insert(later, first);
            self.types.clear();
        }
        same
    }

    #[expect(
        clippy::map_entry,
        reason = "making a new tag needs the whole program while the entry would be held"
    )]
    fn enumeration(&mut self, id: EnumId) {
        use raddle_base::Id as _;
        // Constants decide: an enumeration without a tag has no other name.
        let constants = self.program.ast().enums[id].constants.clone().unwrap_or_default();
        if let Some(first) = constants.first()
            && let Some(&known) = self.enums.get(&first.name)
            && (known == id || self.unify_enums(id, known))
        {
            return;
        }
        if let Some(tag) = self.program.ast().enums[id].tag {
            if self.tags.contains_key(&tag) {
                let new = fresh_like(self.program, tag);
                self.program.ast_mut().enums[id].tag = Some(new);
            } else {
                self.tags.insert(tag, MergedTag::Enum(id));
            }
        }
        for (place, constant) in constants.iter().enumerate() {
            // An enumeration constant is an ordinary name, and can collide with anything.
            let item = Item::Enum(id);
            if self.ordinary.contains_key(&constant.name) {
                let new = fresh_like(self.program, constant.name);
                if let Some(constants) = &mut self.program.ast_mut().enums[id].constants {
                    constants[place].name = new;
                }
                self.ordinary.insert(new, item);
            } else {
                self.ordinary.insert(constant.name, item);
            }
        }
        self.enums.extend(constants.first().map(|first| (first.name, id)));
        if self.first(2, id.index()) {
            self.items.push(Item::Enum(id));
        }
    }

    fn typedef(&mut self, id: TypedefId) {
        use raddle_base::Id as _;
        let (name, ty, align) = {
            let typedef = &self.program.ast().typedefs[id];
            (typedef.name, typedef.ty, typedef.align)
        };
        if let Some(&known) = self.typedefs.get(&name) {
            let (known_ty, known_align) = {
                let typedef = &self.program.ast().typedefs[known];
                (typedef.ty, typedef.align)
            };
            if known == id {
                return;
            }
            if align == known_align && self.same(ty, known_ty) {
                self.typedef_map.insert(id, known);
                self.types.clear();
                return;
            }
        }
        if self.ordinary.contains_key(&name) {
            let new = fresh_like(self.program, name);
            self.program.ast_mut().typedefs[id].name = new;
            self.ordinary.insert(new, Item::Typedef(id));
        } else {
            self.ordinary.insert(name, Item::Typedef(id));
            self.typedefs.insert(name, id);
        }
        if self.first(3, id.index()) {
            self.items.push(Item::Typedef(id));
        }
    }

    fn var(&mut self, id: VarId, definition: bool) {
        let var = &self.program.ast().vars[id];
        let Some(name) = var.name else { return };
        if var.storage == Storage::External {
            let chosen = self.external(name).and_then(|found| match found {
                External::Var(chosen) => Some(chosen),
                External::Function(_) => None,
            });
            // The linker has chosen one definition; all declarations lead to it.
            let target = chosen.or(var.linked).unwrap_or(id);
            if target != id {
                self.vars.insert(id, target);
            }
            self.ordinary.insert(name, Item::Var { id: target, definition: false });
            self.items.push(Item::Var { id: target, definition: definition && target == id });
            return;
        }
        if let Some(&Item::Var { id: known, .. }) = self.ordinary.get(&name)
            && known == id
        {
            self.items.push(Item::Var { id, definition });
            return;
        }
        // `static` in both units: the later one gets a new name, and messages keep the old one.
        if self.ordinary.contains_key(&name) {
            let new = fresh_like(self.program, name);
            self.program.origins.set_name(id, name);
            self.program.ast_mut().vars[id].name = Some(new);
            self.ordinary.insert(new, Item::Var { id, definition: false });
        } else {
            self.ordinary.insert(name, Item::Var { id, definition: false });
        }
        self.items.push(Item::Var { id, definition });
    }

    /// What the linker chose for a name.
    fn external(&self, name: Symbol) -> Option<External> {
        self.program.ast().externals.get(&name).copied()
    }

    fn function(&mut self, id: FunctionId, definition: bool) {
        let function = &self.program.ast().functions[id];
        let (name, body) = (function.name, function.body);
        // Each unit has its own body of these.
        let own =
            function.internal || (body.is_some() && matches!(function.inline, Inline::Inline | Inline::Gnu));
        if !own {
            let chosen = self.external(name).and_then(|found| match found {
                External::Function(chosen) => Some(chosen),
                External::Var(_) => None,
            });
            let target = chosen.or(function.linked).unwrap_or(id);
            // Headers declare the same in every unit; a weak definition gives way.
            let mut again = self.ordinary.contains_key(&name);
            if target != id {
                self.functions.insert(id, target);
                // Without a prototype here and with one there: both declarations stay.
                let (left, right) =
                    (self.program.ast().functions[target].ty, self.program.ast().functions[id].ty);
                if has_prototype(self.program, left) != has_prototype(self.program, right) {
                    let both = composite(self.program.ast_mut(), left, right);
                    self.program.ast_mut().functions[target].ty = both;
                    again = false;
                }
            }
            self.ordinary.insert(name, Item::Function { id: target, definition: false });
            if definition && target == id {
                self.items.push(Item::Function { id, definition });
            } else if !again {
                self.items.push(Item::Function { id: target, definition: false });
            }
            return;
        }
        if let Some(&Item::Function { id: known, .. }) = self.ordinary.get(&name)
            && known == id
        {
            self.items.push(Item::Function { id, definition });
            return;
        }
        // A `static` function may also have the name of an external one in another unit.
        let mut known_as = name;
        if self.ordinary.contains_key(&name)
            || self.external(name).is_some_and(|found| found != External::Function(id))
        {
            known_as = fresh_like(self.program, name);
            self.program.ast_mut().functions[id].name = known_as;
        }
        let function = &mut self.program.ast_mut().functions[id];
        // With a body in each unit nothing is external any more.
        function.internal = true;
        function.inline = if function.inline == Inline::No { Inline::No } else { Inline::Inline };
        self.ordinary.insert(known_as, Item::Function { id, definition: false });
        self.items.push(Item::Function { id, definition });
    }

    fn mapped_item(&mut self, item: Item) -> Item {
        match item {
            Item::Record { id, definition } => {
                Item::Record { id: self.records.get(&id).copied().unwrap_or(id), definition }
            }
            Item::Enum(id) => Item::Enum(self.enum_map.get(&id).copied().unwrap_or(id)),
            Item::Typedef(id) => Item::Typedef(self.typedef_map.get(&id).copied().unwrap_or(id)),
            Item::Var { id, definition } => {
                Item::Var { id: self.vars.get(&id).copied().unwrap_or(id), definition }
            }
            Item::Function { id, definition } => {
                Item::Function { id: self.functions.get(&id).copied().unwrap_or(id), definition }
            }
            Item::Asm(_) | Item::Label(_) => item,
        }
    }

    fn ty(&mut self, ty: QualType) -> QualType {
        QualType { id: self.type_id(ty.id), qualifiers: ty.qualifiers }
    }

    fn type_id(&mut self, id: TypeId) -> TypeId {
        if let Some(&known) = self.types.get(&id) {
            return known;
        }
        let new = match self.program.ast().types.written(id).clone() {
            Type::Pointer(target) => Type::Pointer(self.ty(target)),
            Type::Array { element, length } => Type::Array { element: self.ty(element), length },
            Type::Vector { element, lanes } => Type::Vector { element: self.type_id(element), lanes },
            Type::Function(function) => Type::Function(FunctionType {
                result: self.ty(function.result),
                parameters: function.parameters.iter().map(|&parameter| self.ty(parameter)).collect(),
                variadic: function.variadic,
                prototype: function.prototype,
            }),
            Type::Record(record) => Type::Record(self.records.get(&record).copied().unwrap_or(record)),
            Type::Enum(found) => Type::Enum(self.enum_map.get(&found).copied().unwrap_or(found)),
            Type::Typedef(typedef) => {
                let typedef = self.typedef_map.get(&typedef).copied().unwrap_or(typedef);
                let meaning = self.program.ast().typedefs[typedef].ty;
                let meaning = self.ty(meaning);
                let new = self.program.ast_mut().types.typedef(typedef, meaning);
                // Noted before anything else asks: a typedef may lead back to itself through a record.
                self.types.insert(id, new);
                return new;
            }
            other @ (Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::VaList
            | Type::Error) => other,
        };
        let new = self.program.ast_mut().types.intern(new);
        self.types.insert(id, new);
        new
    }

    /// Makes everything refer to what it became.
    fn rewrite(&mut self) {
        // What calls alone have declared has no item.
        for id in self.program.ast().functions.ids() {
            let function = &self.program.ast().functions[id];
            if function.implicit
                && function.body.is_none()
                && let Some(External::Function(target)) = self.external(function.name)
                && target != id
            {
                self.functions.insert(id, target);
            }
        }
        // What was looked up so far rests on less than what is known now.
        self.types.clear();
        self.rewrite_types();
        for id in self.program.ast().exprs.ids() {
            let mut expr = self.program.ast().exprs[id].clone();
            expr.ty = self.ty(expr.ty);
            match &mut expr.kind {
                ExprKind::Var(var) => *var = self.vars.get(var).copied().unwrap_or(*var),
                ExprKind::Function(function) => {
                    *function = self.functions.get(function).copied().unwrap_or(*function);
                }
                ExprKind::EnumConstant(found, _) => {
                    *found = self.enum_map.get(found).copied().unwrap_or(*found);
                }
                ExprKind::Member { record, .. } => {
                    *record = self.records.get(record).copied().unwrap_or(*record);
                }
                ExprKind::Offsetof { ty, path } => {
                    *ty = self.ty(*ty);
                    for step in path.iter_mut() {
                        if let OffsetStep::Field(record, _) = step {
                            *record = self.records.get(record).copied().unwrap_or(*record);
                        }
                    }
                }
                ExprKind::TypeQuery(_, ty) => *ty = self.ty(*ty),
                ExprKind::CompoundAssign { computation, .. } => *computation = self.type_id(*computation),
                _ => {}
            }
            self.program.ast_mut().exprs[id] = expr;
        }
        for id in self.program.ast().stmts.ids() {
            if let StmtKind::Declare(items) = self.program.ast().stmts[id].kind.clone() {
                let items = items.into_iter().map(|item| self.mapped_item(item)).collect();
                self.program.ast_mut().stmts[id].kind = StmtKind::Declare(items);
            }
        }
    }

    fn rewrite_types(&mut self) {
        for id in self.program.ast().typedefs.ids() {
            let ty = self.program.ast().typedefs[id].ty;
            self.program.ast_mut().typedefs[id].ty = self.ty(ty);
        }
        for id in self.program.ast().records.ids() {
            let Some(mut fields) = self.program.ast().records[id].fields.clone() else { continue };
            for field in &mut fields {
                field.ty = self.ty(field.ty);
            }
            self.program.ast_mut().records[id].fields = Some(fields);
        }
        for id in self.program.ast().vars.ids() {
            let ty = self.program.ast().vars[id].ty;
            let mut attributes = self.program.ast().vars[id].attributes.clone();
            self.attributes(&mut attributes);
            let ty = self.ty(ty);
            let var = &mut self.program.ast_mut().vars[id];
            (var.ty, var.attributes) = (ty, attributes);
        }
        for id in self.program.ast().functions.ids() {
            let ty = self.program.ast().functions[id].ty;
            self.program.ast_mut().functions[id].ty = self.ty(ty);
        }
    }

    fn attributes(&self, attributes: &mut [Attribute]) {
        for attribute in attributes {
            if let Attribute::Cleanup(function) = attribute {
                *function = self.functions.get(function).copied().unwrap_or(*function);
            }
        }
    }
}

fn has_prototype(program: &Program, ty: QualType) -> bool {
    matches!(program.ast().types.kind(ty.id), Type::Function(function) if function.prototype)
}

fn fresh_like(program: &mut Program, name: Symbol) -> Symbol {
    let hint = program.ast().text(name).to_owned();
    program.fresh_name(&hint)
}
