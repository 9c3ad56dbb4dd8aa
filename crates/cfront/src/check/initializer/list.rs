//! Braced lists: which value goes where.
//!
//! A position is the way from the object in braces down to one of its parts. A designator sets it; a value
//! without one initialises the subobject that follows. A value that is not of an aggregate's own type goes down to its first part,
//! which is how inner braces can be left out.

use raddle_base::Span;

use super::tree::{PathStep, store};
use super::{Designator, Normalised, Written, WrittenPart};
use crate::ast::{Ast, CastKind, ExprId, ExprKind, Field, Init, InitPart, RecordId, RecordKind, Subobject};
use crate::check::Initializers;
use crate::layout::{find_field, size_of};
use crate::types::{ArrayLength, QualType, Type, TypeId, Types};

/// Something with parts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Container {
    /// An array; of unknown length it has as many elements as are given.
    Array { element: QualType, length: Option<u64> },
    /// A vector.
    Vector { element: TypeId, lanes: u64 },
    /// A structure.
    Struct(RecordId),
    /// A union.
    Union(RecordId),
}

/// A part of a container, or a range of its elements.
#[derive(Clone, Copy, Debug)]
struct Level {
    container: Container,
    first: u64,
    last: u64,
}

/// Where the next value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListState {
    /// At the first part.
    Start,
    /// After the current position.
    Running,
    /// Nowhere: all parts have had their turn.
    Full,
    /// Nobody knows: a designator was wrong.
    Lost,
}

/// An object being initialised by a list.
struct Filling {
    root: Container,
    path: Vec<Level>,
    state: ListState,
    init: Init,
    /// One past the last element given, for an array.
    length: u64,
    outermost: bool,
    /// Whether the message about values without a subobject was given.
    excess_reported: bool,
}

/// What a type has parts of, if it has any.
pub(super) fn container_of(ast: &Ast, id: TypeId) -> Option<Container> {
    let kind = ast.types.kind(id);
    if let Type::Array { element, length } = kind {
        let length = if let ArrayLength::Fixed(count) = length { Some(*count) } else { None };
        Some(Container::Array { element: *element, length })
    } else if let Type::Vector { element, lanes } = kind {
        Some(Container::Vector { element: *element, lanes: *lanes })
    } else if let Type::Record(record) = kind {
        Some(Container::of_record(ast, *record))
    } else {
        None
    }
}

impl Container {
    fn of_record(ast: &Ast, record: RecordId) -> Self {
        match ast.records[record].kind {
            RecordKind::Struct => Self::Struct(record),
            RecordKind::Union => Self::Union(record),
        }
    }

    /// How messages call it.
    fn describe(self) -> &'static str {
        match self {
            Self::Array { .. } => "array",
            Self::Vector { .. } => "vector",
            Self::Struct(_) => "struct",
            Self::Union(_) => "union",
        }
    }

    /// The first part at or behind `index` that takes part in initialisation without a designator.
    fn index_from(self, ast: &Ast, index: u64) -> Option<u64> {
        let below = |length: u64| (index < length).then_some(index);
        match self {
            // Even an array without elements is entered, as gcc does: the value is dropped there.
            Self::Array { length, .. } => length.map_or(Some(index), |length| below(length.max(1))),
            Self::Vector { lanes, .. } => below(lanes),
            Self::Struct(record) | Self::Union(record) => {
                let fields = ast.records[record].fields.as_deref().unwrap_or_default();
                // Unnamed bit-fields are only padding; unnamed records are members.
                let counts = |field: &Field| field.name.is_some() || field.width.is_none();
                let start = usize::try_from(index).ok()?;
                let found = fields.iter().skip(start).position(counts)?;
                u64::try_from(start + found).ok()
            }
        }
    }

    /// The index after `index`.
    fn index_after(self, ast: &Ast, index: u64) -> Option<u64> {
        match self {
            Self::Union(_) => None,
            Self::Array { .. } | Self::Vector { .. } | Self::Struct(_) => {
                self.index_from(ast, index.checked_add(1)?)
            }
        }
    }

    /// The type of a part.
    fn part_type(self, ast: &Ast, index: u64) -> QualType {
        match self {
            Self::Array { element, .. } => element,
            Self::Vector { element, .. } => QualType::plain(element),
            Self::Struct(record) | Self::Union(record) => {
                let fields = ast.records[record].fields.as_deref().unwrap_or_default();
                let field = usize::try_from(index).ok().and_then(|index| fields.get(index));
                field.map_or(QualType::plain(Types::error()), |field| field.ty)
            }
        }
    }
}

impl Level {
    fn part_type(&self, ast: &Ast) -> QualType {
        self.container.part_type(ast, self.first)
    }

    fn step(&self, ast: &Ast) -> PathStep {
        let subobject = match self.container {
            Container::Array { .. } | Container::Vector { .. } => {
                Subobject::Elements { first: self.first, last: self.last }
            }
            Container::Struct(_) | Container::Union(_) => {
                Subobject::Field(u32::try_from(self.first).expect("the index of a field fits 32 bits"))
            }
        };
        let exclusive = matches!(self.container, Container::Union(_));
        let limit =
            if let Container::Array { length: Some(count), .. } = self.container { count } else { u64::MAX };
        PathStep { subobject, exclusive, ty: self.part_type(ast).id, limit }
    }
}

impl Filling {
    /// Goes to the subobject after the current one; says whether there is any.
    fn advance(&mut self, ast: &Ast) -> bool {
        match self.state {
            ListState::Start => {
                if let Some(first) = self.root.index_from(ast, 0) {
                    self.path.push(Level { container: self.root, first, last: first });
                    self.state = ListState::Running;
                    return true;
                }
            }
            ListState::Running => {
                // What follows a range of elements follows its last one.
                // A range was one position; the next value goes behind all of it.
                for level in &mut self.path {
                    level.first = level.last;
                }
                // Up until some container has another part: that is how inner braces are left out.
                while let Some(level) = self.path.last_mut() {
                    if let Some(next) = level.container.index_after(ast, level.last) {
                        (level.first, level.last) = (next, next);
                        return true;
                    }
                    if let ([level], Container::Array { .. }) = (self.path.as_mut_slice(), self.root) {
                        // Elements behind the end are read as elements, then dropped.
                        level.last = level.last.saturating_add(1);
                        level.first = level.last;
                        return true;
                    }
                    self.path.pop();
                }
            }
            ListState::Full | ListState::Lost => return false,
        }
        self.state = ListState::Full;
        false
    }
}

impl Initializers<'_> {
    /// Initialises the parts of an object by the parts of a list.
    pub(super) fn fill(&mut self, parts: Vec<WrittenPart>, root: Container, outermost: bool) -> Normalised {
        let mut filling = Filling {
            root,
            path: Vec::new(),
            state: ListState::Start,
            init: Init::Aggregate(Vec::new()),
            length: 0,
            outermost,
            excess_reported: false,
        };
        // One position, moved by designators and by each value.
        for part in parts {
            if !part.designators.is_empty() {
                let known = self.designate(&mut filling, &part.designators);
                filling.state = if known { ListState::Running } else { ListState::Lost };
                if !known {
                    continue;
                }
            } else if !filling.advance(&self.tree.ast) {
                if filling.state == ListState::Full {
                    self.drop_excess(&mut filling, &part.value);
                }
                continue;
            }
            self.put(&mut filling, part.value);
        }
        let unknown_length = matches!(root, Container::Array { length: None, .. });
        (filling.init, unknown_length.then_some(filling.length))
    }

    /// Sets the position by designators; reports what they do not fit.
    fn designate(&mut self, filling: &mut Filling, designators: &[(Designator, Span)]) -> bool {
        // A designator begins at the object in braces, wherever the list was.
        filling.path.clear();
        let mut container = Some(filling.root);
        for &(designator, span) in designators {
            if !filling.path.is_empty() && !self.flexible_part_allowed(filling, false, span) {
                return false;
            }
            match (designator, container) {
                (Designator::Elements(first, last), Some(array @ Container::Array { length, .. })) => {
                    if length.is_some_and(|length| last >= length) {
                        let what = if first == last { "index" } else { "index range" };
                        self.tree.error(span, format!("array {what} in initializer exceeds array bounds"));
                        return false;
                    }
                    filling.path.push(Level { container: array, first, last });
                }
                (Designator::Field(name), Some(Container::Struct(record) | Container::Union(record))) => {
                    let Some(way) = find_field(&self.tree.ast, record, name) else {
                        self.report_no_member(record, name, span);
                        return false;
                    };
                    // A member of an unnamed structure is found by its name: the way leads through that
                    // structure.
                    for (record, field) in way {
                        let container = Container::of_record(&self.tree.ast, record);
                        filling.path.push(Level {
                            container,
                            first: u64::from(field),
                            last: u64::from(field),
                        });
                    }
                }
                (Designator::Field(_) | Designator::Elements(..) | Designator::Error, _) => {
                    self.report_misplaced(designator, span);
                    return false;
                }
            }
            container = filling.path.last().and_then(|level| {
                let part = level.part_type(&self.tree.ast);
                container_of(&self.tree.ast, part.id)
            });
        }
        true
    }

    fn report_no_member(&mut self, record: RecordId, name: crate::names::Symbol, span: Span) {
        let kind = Container::of_record(&self.tree.ast, record).describe();
        let tag = self.tree.ast.records[record].tag.map_or("<anonymous>", |tag| self.tree.ast.text(tag));
        let message = format!("`{kind} {tag}` has no member named `{}`", self.tree.ast.text(name));
        self.tree.error(span, message);
    }

    /// Puts a value at the current position, going down into aggregates that it is not a value of.
    fn put(&mut self, filling: &mut Filling, value: Written) {
        let span = self.written_span(&value);
        // Down, until the part is no aggregate or the value stands for all of it.
        loop {
            let Some(&level) = filling.path.last() else { return };
            let ty = level.part_type(&self.tree.ast);
            let empty = matches!(&value, Written::List(parts, _) if parts.is_empty());
            if !self.flexible_part_allowed(filling, empty, span) {
                return;
            }
            let expr = match value {
                Written::List(..) if matches!(level.container, Container::Vector { .. }) => {
                    self.tree.error(span, "braces around an element of a vector");
                    return;
                }
                Written::List(parts, list_span) => {
                    let (init, _) = self.initialize_by_list(parts, ty, false, list_span);
                    self.store(filling, init, span);
                    return;
                }
                Written::Expr(expr) => expr,
            };
            // An aggregate that the value does not stand for is entered; the value goes to its first part.
            let inner = match container_of(&self.tree.ast, ty.id) {
                Some(container) if !self.stands_for_all(expr, ty.id) => container,
                Some(_) | None if self.dropped_behind_end(filling, span) => return,
                Some(_) | None => {
                    let (init, _) = self.initialize_whole(expr, ty);
                    self.store(filling, init, span);
                    return;
                }
            };
            let Some(first) = inner.index_from(&self.tree.ast, 0) else {
                // An aggregate without parts swallows the value, as in gcc, and counts as initialised.
                self.report_excess(filling, inner, span);
                self.store(filling, Init::Aggregate(Vec::new()), span);
                return;
            };
            filling.path.push(Level { container: inner, first, last: first });
        }
    }

    /// Whether an expression initialises an aggregate of this type as a whole.
    fn stands_for_all(&self, expr: ExprId, aggregate: TypeId) -> bool {
        let value = self.tree.type_of(expr).id;
        if matches!(self.tree.ast.types.kind(value), Type::Error) {
            return true;
        }
        match (self.tree.ast.types.kind(aggregate), &self.tree.ast.exprs[expr].kind) {
            (Type::Array { element, .. }, ExprKind::String(_)) => self.is_integral(element.id),
            (Type::Array { .. }, ExprKind::CompoundLiteral { .. }) => {
                self.tree.ast.types.same(value, aggregate)
            }
            (Type::Array { .. }, _) => false,
            _ => self.tree.ast.types.same(value, aggregate),
        }
    }

    /// Whether a part is a flexible array member.
    fn is_flexible(&self, level: &Level) -> bool {
        matches!(level.container, Container::Struct(_))
            && matches!(
                self.tree.ast.types.kind(level.part_type(&self.tree.ast).id),
                Type::Array { length: ArrayLength::Unknown, .. }
            )
    }

    /// Whether the current position may be initialised if it is a flexible array member: GNU C allows that in a
    /// static object that is not part of another one. Reports otherwise.
    fn flexible_part_allowed(&mut self, filling: &Filling, empty: bool, span: Span) -> bool {
        if !filling.path.last().is_some_and(|level| self.is_flexible(level)) {
            return true;
        }
        if !self.static_storage {
            self.tree.error(span, "non-static initialization of a flexible array member");
            return false;
        }
        let nested = !filling.outermost || filling.path.len() > 1;
        if nested && !empty {
            self.tree.error(span, "initialization of flexible array member in a nested context");
            return false;
        }
        // An empty list leaves the member as it is, even if it had elements.
        !empty
    }

    /// A value that comes when all parts have had their turn. gcc only warns, unless it is a list of its own and
    /// there is no type to read it by.
    fn drop_excess(&mut self, filling: &mut Filling, value: &Written) {
        let span = self.written_span(value);
        if let Written::List(..) = value {
            match filling.root {
                Container::Struct(_) | Container::Union(_) => {
                    self.tree.error(span, "extra brace group at end of initializer");
                    return;
                }
                Container::Array { .. } | Container::Vector { .. } => {}
            }
        }
        let container = filling.root;
        self.report_excess(filling, container, span);
    }

    /// Warns about a value that has no subobject; once in each list.
    fn report_excess(&mut self, filling: &mut Filling, container: Container, span: Span) {
        if !filling.excess_reported {
            filling.excess_reported = true;
            self.tree.warning(span, format!("excess elements in {} initializer", container.describe()));
        }
    }

    /// Whether the current position lies behind the end of an array, so that its value is dropped with a warning.
    fn dropped_behind_end(&mut self, filling: &mut Filling, span: Span) -> bool {
        let behind_end = |level: &&Level| matches!(level.container, Container::Array { length: Some(length), .. } if level.last >= length);
        let Some(array) = filling.path.iter().find(behind_end) else { return false };
        let container = array.container;
        self.report_excess(filling, container, span);
        true
    }

    /// Makes `value` the value of the current position.
    fn store(&mut self, filling: &mut Filling, value: Init, span: Span) {
        if self.dropped_behind_end(filling, span) {
            return;
        }
        // The way as data, so that the tree knows nothing of lists.
        let mut steps = smallvec::SmallVec::<[PathStep; 8]>::new();
        steps.extend(filling.path.iter().map(|level| level.step(&self.tree.ast)));
        if let (Container::Array { .. }, Some(level)) = (filling.root, filling.path.first()) {
            filling.length = filling.length.max(level.last.saturating_add(1));
        }
        // An empty member of a union does not count, so the union stays as it is.
        let empty = matches!(value, Init::Aggregate(_))
            && steps.last().is_some_and(|step| size_of(&self.tree.ast, step.ty.into()) == Ok(0));
        if empty && steps.iter().any(|step| step.exclusive) {
            return;
        }
        store(&mut filling.init, &steps, value, &mut |whole, step| self.expand(whole, step));
    }

    /// The parts of a value given by one expression, because one of them is to be overridden. A string becomes its
    /// characters; any other value is dropped as a whole, as in gcc.
    fn expand(&mut self, whole: ExprId, step: PathStep) -> Vec<InitPart> {
        let span = self.tree.span(whole);
        let ExprKind::String(literal) = &self.tree.ast.exprs[whole].kind else { return Vec::new() };
        // In an array of unknown length the closing zero counts.
        let closing = (step.limit == u64::MAX).then_some(0);
        let units: Vec<u32> = literal.units.iter().copied().chain(closing).collect();
        (0..step.limit)
            .zip(units)
            .map(|(index, unit)| {
                // As if the number had been written there, and converted.
                let number = if i32::try_from(unit).is_ok() { Types::int() } else { Types::unsigned_int() };
                let mut value = self.tree.expr(ExprKind::Integer(i128::from(unit)), number, false, span);
                if !self.tree.ast.types.same(number, step.ty) {
                    let cast = ExprKind::Cast { kind: CastKind::Integer, operand: value, explicit: false };
                    value =
                        self.tree.expr(cast, self.tree.ast.types.unqualified(step.ty.into()), false, span);
                }
                InitPart {
                    subobject: Subobject::Elements { first: index, last: index },
                    value: Init::Expr(value),
                }
            })
            .collect()
    }
}
