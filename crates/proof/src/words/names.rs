//! What quantities of a certificate are called in the program, and at which lines its locations are.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::Span;
use raddle_ir::text::FindLocation;
use raddle_ir::{Frame, FunctionId, InstKind, Point, Program, ScalarStyle, Shape, Site, Type};

use super::Line;
use super::cases::{Case, Range, Sum};
use crate::certificate::{Cell, Certificate, Constraint, Object, Place, Quantity, Reading};

/// What a number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Shared,
    Own,
    Counter(usize),
    /// The thread's id, which people do not know.
    Identity,
}

/// What ids of threads are.
const IDS: Range = (Some(0), Some((1 << 32) - 1));

/// Names of quantities, numbered as they are met.
pub(super) struct Names<'n> {
    program: &'n Program,
    certificate: &'n Certificate,
    find: FindLocation<'n>,
    list: Vec<(String, Sort)>,
    /// The values that a name's type has.
    types: Vec<Range>,
    /// Names that are words of locks of the library.
    locks: BTreeSet<usize>,
}

impl<'n> Names<'n> {
    pub(super) fn new(program: &'n Program, certificate: &'n Certificate, find: FindLocation<'n>) -> Self {
        let mut names =
            Self { program, certificate, find, list: Vec::new(), types: Vec::new(), locks: BTreeSet::new() };
        for index in 0..certificate.counters.len() {
            let words = names.counted(index);
            names.number(words, Sort::Counter(index), (Some(0), None));
        }
        names
    }

    /// Whom a counter counts: as it says itself, if that is in words of the program, else by lines.
    fn counted(&self, index: usize) -> String {
        let counter = &self.certificate.counters[index];
        let is_inner = |word: &str| {
            word.strip_prefix(['T', 'l']).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
        };
        if !counter.name.is_empty() && !counter.name.split(' ').any(is_inner) {
            return counter.name.clone();
        }
        let at = |location: usize| self.line(&self.certificate.locations.get(location)?.point);
        let lines: BTreeSet<Line> = counter
            .members
            .iter()
            .filter_map(|member| match member {
                Place::At(location) => at(*location),
                Place::Ended(_) | Place::Stuck(_) => None,
            })
            .collect();
        let is_whole = (0..self.certificate.locations.len()).all(|location| {
            counter.members.contains(&Place::At(location))
                || at(location).is_none_or(|line| !lines.contains(&line))
        });
        let ended = counter.members.iter().any(|member| matches!(member, Place::Ended(_) | Place::Stuck(_)));
        let list: Vec<String> = lines.iter().map(|line| line.1.to_string()).collect();
        match (list.as_slice(), ended) {
            ([], _) => "threads that have ended".to_owned(),
            (lines, true) => {
                format!("threads that have ended or are at some of the lines {}", lines.join(", "))
            }
            (lines, false) if is_whole => format!("threads at lines {}", lines.join(", ")),
            (lines, false) => format!("some threads at lines {}", lines.join(", ")),
        }
    }

    pub(super) fn name(&self, number: usize) -> &str {
        &self.list[number].0
    }

    /// The values that its type has.
    pub(super) fn of_type(&self, number: usize) -> Range {
        self.types[number]
    }

    pub(super) fn shared(&self) -> Vec<usize> {
        (0..self.list.len()).filter(|&number| self.list[number].1 == Sort::Shared).collect()
    }

    pub(super) fn counters(&self) -> Vec<usize> {
        (0..self.list.len()).filter(|&number| self.is_counter(number)).collect()
    }

    pub(super) fn is_counter(&self, number: usize) -> bool {
        matches!(self.list[number].1, Sort::Counter(_))
    }

    /// Who is counted.
    pub(super) fn members(&self, number: usize) -> &[Place] {
        match self.list[number].1 {
            Sort::Counter(index) => &self.certificate.counters[index].members,
            Sort::Shared | Sort::Own | Sort::Identity => &[],
        }
    }

    /// Whether a cell is a word of a lock of the library.
    pub(super) fn is_of_library(&self, cell: usize) -> bool {
        self.locks.contains(&cell)
    }

    /// The number of the thread's id, if any invariant speaks of it.
    pub(super) fn identity(&self) -> Option<usize> {
        self.list.iter().position(|(_, sort)| *sort == Sort::Identity)
    }

    fn number(&mut self, name: String, sort: Sort, range: Range) -> usize {
        let entry = (name, sort);
        if let Some(number) = self.list.iter().position(|known| *known == entry) {
            return number;
        }
        self.list.push(entry);
        self.types.push(range);
        self.list.len() - 1
    }

    /// The cases of a location's invariant.
    pub(super) fn cases(&mut self, location: usize) -> Vec<Case> {
        let certificate = self.certificate;
        let here = &certificate.locations[location];
        let readings: BTreeSet<&Reading> = here
            .invariant
            .iter()
            .flatten()
            .flat_map(|constraint| &constraint.terms)
            .map(|(_, reading)| reading)
            .collect();
        let mut numbers: BTreeMap<&Reading, (usize, usize)> = BTreeMap::new();
        for reading in readings {
            if let Some((name, sort, range, depth)) = self.reading(reading, location) {
                numbers.insert(reading, (self.number(name, sort, range), depth));
            }
        }
        self.keep_innermost(&mut numbers);
        let mut ranges =
            numbers.values().map(|&(number, _)| (number, self.of_type(number))).collect::<BTreeMap<_, _>>();
        if here.template == 0 {
            let main = self.number(String::new(), Sort::Identity, IDS);
            ranges.insert(main, (Some(0), Some(0)));
        }
        let case = |conjunction: &Vec<Constraint>| {
            let mut case = Case::new(ranges.clone());
            for constraint in conjunction {
                let terms = constraint.terms.iter();
                let terms = terms.map(|(factor, reading)| Some((numbers.get(reading)?.0, *factor)));
                if let Some(terms) = terms.collect::<Option<Vec<_>>>() {
                    case.add(
                        Sum { terms, constant: constraint.constant, is_equal: false },
                        constraint.relation,
                    );
                }
            }
            case.close();
            case
        };
        here.invariant.iter().map(case).collect()
    }

    /// Of several variables with one name only the innermost can be named.
    fn keep_innermost(&self, numbers: &mut BTreeMap<&Reading, (usize, usize)>) {
        let of = numbers.clone();
        numbers.retain(|_, (number, depth)| {
            let hides =
                |(other, deeper): &(usize, usize)| self.name(*other) == self.name(*number) && deeper > depth;
            self.list[*number].1 != Sort::Own || !of.values().any(hides)
        });
    }

    /// What a quantity is called, its values, and how deep in calls it lives; nothing if people have no name for it.
    fn reading(&self, reading: &Reading, location: usize) -> Option<(String, Sort, Range, usize)> {
        let here = &self.certificate.locations[location];
        let of_bits = |bits: u32| match bits {
            1..=64 if reading.signed => (Some(-(1_i128 << (bits - 1))), Some((1_i128 << (bits - 1)) - 1)),
            1..=64 => (Some(0), Some((1_i128 << bits) - 1)),
            _ => (None, None),
        };
        match &reading.quantity {
            Quantity::Shared(index) => {
                let cell = self.certificate.cells.get(*index)?;
                Some((self.cell(cell)?, Sort::Shared, of_bits(8 * cell.bytes), 0))
            }
            Quantity::Own(cell) => {
                Some((self.cell(cell)?, Sort::Own, of_bits(8 * cell.bytes), depth_of(cell)))
            }
            Quantity::Register(frame, register) => {
                let function = &self.program.functions.get(activation(&here.point, frame)?)?;
                let info = function.registers.get(*register)?;
                let name = info.name.clone().filter(|name| !function.model && !name.starts_with("__"))?;
                let bits = match info.ty {
                    Type::Int(bits) => u32::from(bits),
                    Type::F32 | Type::F64 | Type::Ptr => return None,
                };
                Some((name, Sort::Own, of_bits(bits), frame.len() + 1))
            }
            Quantity::Counter(index) => {
                self.certificate.counters.get(*index)?;
                Some((self.name(*index).to_owned(), Sort::Counter(*index), (Some(0), None), 0))
            }
            Quantity::Identity => Some((String::new(), Sort::Identity, IDS, 0)),
            Quantity::IsNonzero(_)
            | Quantity::HeldByThread(_)
            | Quantity::IdentityOf(_)
            | Quantity::Tally(_) => None,
        }
    }

    /// A part of an object, as C names it.
    fn cell(&self, cell: &Cell) -> Option<String> {
        let (name, shape, span) = match &cell.object {
            Object::Global(id) => {
                let global = self.program.globals.get(*id)?;
                (global.name.as_str(), &global.shape, Some(global.span))
            }
            Object::Made { point, .. } => {
                let block = self.program.functions.get(point.site.function)?.blocks.get(point.site.block)?;
                let InstKind::Alloc { name, shape, .. } = &block.insts.get(point.site.index)?.kind else {
                    return None;
                };
                (&**name, &**shape, None)
            }
            // Whether an object lives is no part of it.
            Object::Life(_) => return None,
        };
        let name = name.rsplit(':').next().unwrap_or(name);
        if name.starts_with("__") || span.is_some_and(|span| self.user_line(span).is_none()) {
            return None;
        }
        let path = part(shape, cell.offset)?;
        // Of what the library keeps in its objects only the first word has a meaning for people.
        match path.find(".__") {
            None => Some(format!("{name}{path}")),
            Some(_) if part_is_first(shape, cell.offset) => {
                Some(format!("{name}{}", &path[..path.find(".__")?]))
            }
            Some(_) => None,
        }
    }

    /// Notes which names are locks of the library. They are those whose first word is followed.
    pub(super) fn note_locks(&mut self) {
        for cell in &self.certificate.cells {
            let Object::Global(id) = &cell.object else { continue };
            let Some(global) = self.program.globals.get(*id) else { continue };
            let is_internal = part(&global.shape, cell.offset).is_some_and(|path| path.contains(".__"));
            let Some(name) = self.cell(cell).filter(|_| is_internal) else { continue };
            self.locks.extend(self.list.iter().position(|known| *known == (name.clone(), Sort::Shared)));
        }
    }

    /// The line of the program where a thread is: where it called the model that it is in.
    pub(super) fn line(&self, point: &Point) -> Option<Line> {
        let sites = point.frame.iter().chain(std::iter::once(&point.site));
        let user = sites
            .filter(|site| self.program.functions.get(site.function).is_some_and(|function| !function.model));
        let spans: Vec<Span> = user.filter_map(|site| self.span(site)).collect();
        spans.into_iter().rev().find_map(|span| self.user_line(span))
    }

    fn span(&self, site: &Site) -> Option<Span> {
        let block = self.program.functions.get(site.function)?.blocks.get(site.block)?;
        Some(block.insts.get(site.index).map_or(block.span, |inst| inst.span))
    }

    fn user_line(&self, span: Span) -> Option<Line> {
        let location = (self.find)(span).filter(|_| span != Span::NONE)?;
        (!location.file.starts_with('<')).then(|| (location.file.to_string(), location.line))
    }
}

/// The function whose activation a frame is, of a thread that stands at a point.
fn activation(point: &Point, frame: &Frame) -> Option<FunctionId> {
    let depth = frame.len();
    if point.frame == *frame {
        return Some(point.site.function);
    }
    (point.frame.len() > depth && point.frame[..depth] == frame[..]).then(|| point.frame[depth].function)
}

fn depth_of(cell: &Cell) -> usize {
    match &cell.object {
        Object::Global(_) => 0,
        Object::Made { point, .. } => point.frame.len() + 1,
        Object::Life(_) => usize::MAX,
    }
}

/// What leads to a scalar part of an object: `.items[2]`.
fn part(shape: &Shape, offset: u64) -> Option<String> {
    match shape {
        Shape::Scalar(_, ScalarStyle::Float) | Shape::Bytes => None,
        Shape::Scalar(..) => (offset == 0).then(String::new),
        Shape::Array { element, stride, count } => {
            let index = offset.checked_div(*stride).filter(|index| index < count)?;
            Some(format!("[{index}]{}", part(element, offset - index * stride)?))
        }
        Shape::Record(members) => {
            let member = |(name, at, shape): &(String, u64, Shape)| {
                Some(format!(".{name}{}", part(shape, offset.checked_sub(*at)?)?))
            };
            members.iter().find_map(member)
        }
    }
}

/// Whether a part lies where the innermost object of the library that it is in begins.
fn part_is_first(shape: &Shape, offset: u64) -> bool {
    match shape {
        Shape::Scalar(..) | Shape::Bytes => offset == 0,
        Shape::Array { element, stride, count } => {
            let index = offset.checked_div(*stride).unwrap_or(0);
            index < *count && part_is_first(element, offset - index * stride)
        }
        Shape::Record(members) if members.iter().any(|(name, ..)| name.starts_with("__")) => offset == 0,
        Shape::Record(members) => {
            let member = members.iter().rev().find(|(_, at, _)| *at <= offset);
            member.is_some_and(|(_, at, shape)| part_is_first(shape, offset - at))
        }
    }
}
