//! Declarations come before uses, also when code has moved to an earlier position.
//!
//! Each definition of a function is looked through for what it names. What is declared only further down moves to just before
//! it, with all that it needs itself; functions are declared there and stay where they are.

use raddle_base::Id as _;
use raddle_cfront::ast::{ExprKind, FunctionId, Item, RecordId, StmtKind, VarId};
use raddle_cfront::types::{Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::Program;
use crate::visit::{Node, init_parts, walk};

/// Something that is declared at file scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Entity {
    Record(usize),
    Enum(usize),
    Typedef(usize),
    Var(usize),
    Function(usize),
}

fn entity(item: Item) -> Option<Entity> {
    Some(match item {
        Item::Record { id, .. } => Entity::Record(id.index()),
        Item::Enum(id) => Entity::Enum(id.index()),
        Item::Typedef(id) => Entity::Typedef(id.index()),
        Item::Var { id, .. } => Entity::Var(id.index()),
        Item::Function { id, .. } => Entity::Function(id.index()),
        Item::Asm(_) | Item::Label(_) => return None,
    })
}

/// Puts the items of all units into an order in which everything is declared in time.
pub(crate) fn in_time(program: &mut Program) {
    for unit in 0..program.ast().units.len() {
        // Nobody will look at the program any more.
        if program.budget.check().is_err() {
            return;
        }
        let items = std::mem::take(&mut program.ast_mut().units[unit].items);
        let mut order = Order::new(program, items);
        order.run();
        let placed = order.placed;
        program.ast_mut().units[unit].items = placed;
    }
}

struct Order<'p> {
    program: &'p Program,
    items: Vec<Item>,
    /// The items of each entity.
    places: FxHashMap<Entity, Vec<usize>>,
    /// Which items are placed already.
    done: Vec<bool>,
    known: FxHashSet<Entity>,
    /// Functions that are declared here for the first time: the next declaration of each says nothing new.
    made_up: FxHashSet<FunctionId>,
    types: FxHashSet<TypeId>,
    /// Types that are known well enough for pointers to them.
    pointees: FxHashSet<TypeId>,
    /// Records of which at least the tag is declared.
    tags: FxHashSet<RecordId>,
    placed: Vec<Item>,
}

impl<'p> Order<'p> {
    fn new(program: &'p Program, items: Vec<Item>) -> Self {
        let mut places: FxHashMap<Entity, Vec<usize>> = FxHashMap::default();
        for (place, &item) in items.iter().enumerate() {
            if let Some(entity) = entity(item) {
                places.entry(entity).or_default().push(place);
            }
        }
        let done = vec![false; items.len()];
        Self {
            program,
            items,
            places,
            done,
            known: FxHashSet::default(),
            made_up: FxHashSet::default(),
            types: FxHashSet::default(),
            pointees: FxHashSet::default(),
            tags: FxHashSet::default(),
            placed: Vec::new(),
        }
    }

    fn run(&mut self) {
        for place in 0..self.items.len() {
            if !self.done[place] {
                self.place(place);
            }
        }
    }

    /// Places an item, and before it what it needs.
    fn place(&mut self, place: usize) {
        let item = self.items[place];
        self.done[place] = true;
        if let Item::Function { id, definition: false } = item
            && self.made_up.remove(&id)
        {
            return;
        }
        match item {
            Item::Function { id, definition } => {
                self.ty(self.program.ast().functions[id].ty.id);
                if definition {
                    // In its own body a function is known.
                    self.known.insert(Entity::Function(id.index()));
                    for &parameter in &self.program.ast().functions[id].parameters {
                        self.ty(self.program.ast().vars[parameter].ty.id);
                    }
                    if let Some(body) = self.program.body(id) {
                        self.node(Node::Stmt(body));
                    }
                }
            }
            Item::Var { id, definition } => {
                self.ty(self.program.ast().vars[id].ty.id);
                self.known.insert(Entity::Var(id.index()));
                if let (true, Some(init)) = (definition, &self.program.ast().vars[id].init) {
                    let mut exprs = Vec::new();
                    init_parts(&mut init.clone(), &mut |expr| exprs.push(*expr));
                    exprs.into_iter().for_each(|expr| self.node(Node::Expr(expr)));
                }
            }
            Item::Record { id, definition: true } => self.fields(id),
            Item::Typedef(id) => self.pointee(self.program.ast().typedefs[id].ty.id),
            Item::Record { .. } | Item::Enum(_) | Item::Asm(_) | Item::Label(_) => {}
        }
        self.known.extend(entity(item));
        if let Item::Record { id, .. } = item {
            self.tags.insert(id);
        }
        self.placed.push(item);
    }

    fn fields(&mut self, id: RecordId) {
        for field in self.program.ast().records[id].fields.iter().flatten() {
            match self.program.ast().types.written(field.ty.id) {
                Type::Pointer(target) => self.pointee(target.id),
                _ => self.ty(field.ty.id),
            }
        }
    }

    /// Makes sure that a type is known well enough for a pointer to it: of a record with a tag, that is the tag. Two records may
    /// lead to each other.
    fn pointee(&mut self, id: TypeId) {
        if !self.pointees.insert(id) {
            return;
        }
        match *self.program.ast().types.written(id) {
            Type::Pointer(target) => self.pointee(target.id),
            Type::Record(record) if self.program.ast().records[record].tag.is_some() => self.tag(record),
            Type::Typedef(id) => self.need(Entity::Typedef(id.index())),
            _ => self.ty(id),
        }
    }

    /// Makes sure that the tag of a record is declared.
    fn tag(&mut self, record: RecordId) {
        if self.tags.contains(&record) {
            return;
        }
        let own = self.places.get(&Entity::Record(record.index())).cloned().unwrap_or_default();
        let is_tag = |place: &usize| matches!(self.items[*place], Item::Record { definition: false, .. });
        match own.iter().find(|place| is_tag(place) && !self.done[**place]) {
            Some(&place) => self.place(place),
            None if own.is_empty() => {}
            None => {
                self.tags.insert(record);
                self.placed.push(Item::Record { id: record, definition: false });
            }
        }
    }

    /// Makes sure that something is declared.
    fn need(&mut self, entity: Entity) {
        if let Entity::Function(index) = entity {
            if self.known.contains(&entity) {
                return;
            }
            // A declaration further down, or one made up for the definition.
            let id = FunctionId::from_index(index);
            if !self.places.contains_key(&entity) {
                return;
            }
            self.known.insert(entity);
            self.ty(self.program.ast().functions[id].ty.id);
            self.placed.push(Item::Function { id, definition: false });
            self.made_up.insert(id);
            return;
        }
        let Some(places) = self.places.get(&entity).cloned() else { return };
        let is_type = !matches!(entity, Entity::Var(_));
        if self.known.contains(&entity) && !is_type {
            return;
        }
        for place in places {
            if !self.done[place] {
                self.place(place);
                if !is_type {
                    // One declaration is enough.
                    return;
                }
            }
        }
    }

    fn node(&mut self, node: Node) {
        let ast = self.program.ast();
        let mut needed = Vec::new();
        let mut types = Vec::new();
        walk(ast, node, &mut |node| {
            match node {
                Node::Expr(expr) => {
                    types.push(ast.exprs[expr].ty.id);
                    match &ast.exprs[expr].kind {
                        ExprKind::Var(var) => needed.push(Entity::Var(var.index())),
                        ExprKind::Function(function) => needed.push(Entity::Function(function.index())),
                        ExprKind::EnumConstant(id, _) => needed.push(Entity::Enum(id.index())),
                        ExprKind::TypeQuery(_, ty) | ExprKind::Offsetof { ty, .. } => types.push(ty.id),
                        ExprKind::Member { record, .. } => needed.push(Entity::Record(record.index())),
                        _ => {}
                    }
                }
                Node::Stmt(stmt) => {
                    let declared: Vec<VarId> = crate::visit::declared_here(ast, stmt);
                    types.extend(declared.into_iter().map(|var| ast.vars[var].ty.id));
                    if let StmtKind::Declare(items) = &ast.stmts[stmt].kind {
                        for item in items {
                            if let Item::Typedef(id) = item {
                                types.push(ast.typedefs[*id].ty.id);
                            }
                        }
                    }
                }
            }
            true
        });
        types.into_iter().for_each(|ty| self.ty(ty));
        needed.into_iter().for_each(|entity| self.need(entity));
    }

    fn ty(&mut self, id: TypeId) {
        if !self.types.insert(id) {
            return;
        }
        match self.program.ast().types.written(id).clone() {
            Type::Pointer(target) => self.ty(target.id),
            Type::Array { element, .. } => self.ty(element.id),
            Type::Vector { element, .. } => self.ty(element),
            Type::Function(function) => {
                self.ty(function.result.id);
                function.parameters.iter().for_each(|parameter| self.ty(parameter.id));
            }
            Type::Record(record) => self.need(Entity::Record(record.index())),
            Type::Enum(id) => self.need(Entity::Enum(id.index())),
            Type::Typedef(id) => {
                self.need(Entity::Typedef(id.index()));
                self.ty(self.program.ast().typedefs[id].ty.id);
            }
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::VaList
            | Type::Error => {}
        }
    }
}
