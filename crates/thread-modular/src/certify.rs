//! Invariants as a certificate: in the words of the program, without what follows from the rest.

use std::collections::BTreeMap;

use raddle_base::Id as _;
use raddle_domains::{Constraint, Domain as _, Form, Interval, Product, Relation};
use raddle_flow::{Flow, LocationId, LocationKind, Object, Pointee, Storage, TemplateId, VariableId};
use raddle_ir::{Constant, Point, Program, Type};
use raddle_logic::term::{Term, TermId};
use raddle_proof::certificate::{self, Certificate, Known, Place, Quantity, Reading, Side};

use crate::found::Found;
use crate::joins::Joins;
use crate::linear::{numeric, range};
use crate::meeting::Meeting;
use crate::space::{Space, assume_between};
use crate::transfer::with;

/// Names of what a certificate speaks of.
struct Names<'n> {
    program: &'n Program,
    flow: &'n Flow,
    space: &'n Space<'n>,
    /// The index of each location that threads take steps from.
    locations: BTreeMap<(TemplateId, LocationId), usize>,
    /// The index of each shared variable's cell.
    cells: BTreeMap<VariableId, usize>,
    /// Which variables hold handles of threads.
    joins: Joins,
    /// What holds everywhere: what shared memory holds that nobody stores to.
    everywhere: Vec<certificate::Constraint>,
}

/// The certificate of what was found.
pub(crate) fn certificate(
    program: &Program,
    flow: &Flow,
    space: &Space<'_>,
    meeting: &Meeting,
    found: &Found,
) -> Certificate {
    let steps_from = |(template, location): &(TemplateId, LocationId)| {
        matches!(flow.templates[*template].locations[*location].kind, LocationKind::Step(_))
    };
    let all = || {
        flow.templates
            .iter()
            .flat_map(|(id, template)| template.locations.ids().map(move |location| (id, location)))
    };
    let locations = all().filter(steps_from).enumerate().map(|(index, at)| (at, index)).collect();
    let mut names = Names {
        program,
        flow,
        space,
        locations,
        cells: BTreeMap::new(),
        joins: Joins::new(flow),
        everywhere: Vec::new(),
    };
    let mut cells = Vec::new();
    for &variable in &space.shared {
        if let Storage::Cell { object, offset, bytes } = &flow.variables[variable].storage {
            names.cells.insert(variable, cells.len());
            cells.push(certificate::Cell { object: of_object(object), offset: *offset, bytes: *bytes });
        }
    }
    for (cell, value) in unchanging(program, flow) {
        let quantity = Quantity::Shared(cells.len());
        cells.push(cell);
        names.everywhere.push(certificate::Constraint {
            terms: vec![(1, Reading { quantity, signed: false, side: Side::Left })],
            constant: -value,
            relation: certificate::Relation::Equal,
        });
    }
    let spawns = flow.templates.iter().flat_map(|(id, template)| {
        template.started_at.iter().map(move |(by, at)| certificate::Spawn {
            by: by.index(),
            at: at.clone(),
            starts: id.index(),
        })
    });
    let places = |counter: &crate::counters::Counter| certificate::Counter {
        members: counter.members.iter().filter_map(|at| names.place(*at)).collect(),
        name: counter.name.clone(),
    };
    Certificate {
        templates: flow.templates.values().map(|template| template.function).collect(),
        spawns: spawns.collect(),
        cells,
        counters: space.counters.iter().map(places).collect(),
        tallies: Vec::new(),
        locations: all().filter(steps_from).map(|at| names.location(at, found)).collect(),
        pairs: names.pairs(meeting, found),
    }
}

/// Cells that nobody stores to, and the numbers that they hold. Of constant objects everybody knows what they hold.
fn unchanging(program: &Program, flow: &Flow) -> Vec<(certificate::Cell, i128)> {
    let known = flow.constants.iter().filter_map(|(storage, value)| {
        let Storage::Cell { object: object @ Object::Global(global), offset, bytes } = storage else {
            return None;
        };
        let value = i128::try_from(flow.terms.as_bits(*value)?).ok()?;
        let cell = certificate::Cell { object: of_object(object), offset: *offset, bytes: *bytes };
        // Large numbers may be addresses.
        (!program.globals[*global].read_only && *bytes <= 8 && value <= i128::from(u32::MAX))
            .then_some((cell, value))
    });
    known.collect()
}

fn of_object(object: &Object) -> certificate::Object {
    match object {
        Object::Global(id) => certificate::Object::Global(*id),
        Object::Made { template, point, storage } => {
            certificate::Object::Made { template: template.index(), point: point.clone(), storage: *storage }
        }
        Object::Life(of) => certificate::Object::Life(Box::new(of_object(of))),
    }
}

impl Names<'_> {
    fn place(&self, at: (TemplateId, LocationId)) -> Option<Place> {
        match self.flow.templates[at.0].locations[at.1].kind {
            LocationKind::Step(_) => Some(Place::At(self.locations[&at])),
            LocationKind::Ended => Some(Place::Ended(at.0.index())),
            LocationKind::Stuck => Some(Place::Stuck(at.0.index())),
            LocationKind::Failed(_) => None,
        }
    }

    fn location(&self, at: (TemplateId, LocationId), found: &Found) -> certificate::Location {
        let location = &self.flow.templates[at.0].locations[at.1];
        let LocationKind::Step(point) = &location.kind else {
            unreachable!("only locations that threads take steps from are named")
        };
        let constants = location
            .constants
            .iter()
            .filter_map(|(storage, constant)| {
                Some((self.own_quantity(storage)?, self.known(point, storage, *constant)?))
            })
            .collect();
        let cases = found.elements(at).flat_map(|element| self.cases(at, element));
        let invariant = cases.map(|element| self.constraints(at, &element)).collect();
        certificate::Location { template: at.0.index(), point: point.clone(), constants, invariant }
    }

    /// An element for each combination of values of variables that have few.
    fn cases(&self, at: (TemplateId, LocationId), element: &Product) -> Vec<Product> {
        let mut cases = vec![element.clone()];
        for (dim, values) in self.space.few(at, self.space.common()) {
            let of = |case: &Product, value: i128| {
                let form = Form::variable(dim).plus_constant(-value)?;
                with(case, &Constraint::equal(form))
            };
            cases = cases
                .iter()
                .flat_map(|case| values.iter().filter_map(move |&value| of(case, value)))
                .collect();
        }
        cases
    }

    fn own_quantity(&self, storage: &Storage) -> Option<Quantity> {
        match storage {
            Storage::Cell { object, offset, bytes } => Some(Quantity::Own(certificate::Cell {
                object: of_object(object),
                offset: *offset,
                bytes: *bytes,
            })),
            Storage::Register { frame, register } => Some(Quantity::Register(frame.clone(), *register)),
            Storage::Identity => Some(Quantity::Identity),
            Storage::Elements { .. } => None,
        }
    }

    /// A value that is the same whenever a thread is there.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is no constant has no known value")]
    fn known(&self, point: &Point, storage: &Storage, constant: TermId) -> Option<Known> {
        let width = match self.flow.terms[constant] {
            Term::Bool(value) => return Some(Known::Constant(Constant::Int(1, value.into()))),
            Term::Bits { width, .. } => width,
            _ => return None,
        };
        let value = self.flow.terms.as_bits(constant)?;
        let integer = || Some(Known::Constant(Constant::Int(u8::try_from(width).ok()?, value)));
        if self.is_number(point, storage) {
            return integer();
        }
        let Some(pointee) = self.flow.pointee(constant) else { return integer() };
        match pointee {
            Pointee::Number(_) => integer(),
            Pointee::Function(function) => Some(Known::Constant(Constant::Function(function))),
            Pointee::Object(Object::Global(global), offset) => {
                Some(Known::Constant(Constant::Global(global, offset)))
            }
            Pointee::Object(object, offset) => Some(Known::Address(of_object(&object), offset)),
        }
    }

    /// Whether something that holds as many bits as a pointer is known to be none.
    fn is_number(&self, point: &Point, storage: &Storage) -> bool {
        let Storage::Register { frame, register } = storage else { return false };
        let function = point.frame.get(frame.len()).map_or(point.site.function, |site| site.function);
        self.program.functions[function].registers[*register].ty != Type::Ptr
    }

    /// What a dimension is; none of what has no name there.
    fn reading(&self, at: (TemplateId, LocationId), dim: usize) -> Option<Reading> {
        let of = |quantity, signed| Some(Reading { quantity, signed, side: Side::default() });
        let common = self.space.common();
        if let Some(&variable) = self.space.shared.get(dim) {
            return of(Quantity::Shared(*self.cells.get(&variable)?), self.flow.variables[variable].signed);
        }
        if dim < common {
            return of(Quantity::Counter(dim - self.space.shared.len()), false);
        }
        let variable = &self.flow.variables[*self.space.locals(at).get(dim - common)?];
        of(self.own_quantity(&variable.storage)?, variable.signed)
    }

    /// The numbers that a dimension has in any case.
    fn range(&self, at: (TemplateId, LocationId), dim: usize) -> Interval {
        let common = self.space.common();
        let variable = if dim < self.space.shared.len() {
            self.space.shared[dim]
        } else if dim < common {
            return Interval { low: Some(0), high: None };
        } else {
            let Some(&variable) = self.space.locals(at).get(dim - common) else { return Interval::ALL };
            variable
        };
        let variable = &self.flow.variables[variable];
        numeric(variable.sort).map_or(Interval::ALL, |width| range(width, variable.signed))
    }

    fn constraints(&self, at: (TemplateId, LocationId), element: &Product) -> Vec<certificate::Constraint> {
        let mut known = Product::top(element.dims());
        (0..element.dims()).for_each(|dim| assume_between(&mut known, dim, self.range(at, dim)));
        self.space.assume_rows(&mut known, at);
        let kept = beyond(&known, element.constraints());
        let reading = |dim| self.reading(at, dim);
        let rows: BTreeMap<usize, Form> = self.space.row_forms(at).collect();
        let mut constraints: Vec<certificate::Constraint> = (kept.iter())
            .filter_map(|constraint| Self::constraint(&written_out(constraint, &rows)?, &reading))
            .collect();
        constraints.extend(self.handles(at));
        constraints.extend(self.everywhere.iter().cloned());
        constraints
    }

    /// That variables hold handles of threads.
    fn handles(&self, at: (TemplateId, LocationId)) -> impl Iterator<Item = certificate::Constraint> {
        let live = &self.flow.templates[at.0].locations[at.1].live;
        self.joins.handles(at).filter_map(move |(variable, handle)| {
            let quantity = match self.flow.variables[variable].owner {
                None => Quantity::Shared(*self.cells.get(&variable)?),
                Some(_) if live.contains(&variable) => {
                    self.own_quantity(&self.flow.variables[variable].storage)?
                }
                Some(_) => return None,
            };
            let of = |quantity| Reading { quantity, signed: false, side: Side::Left };
            Some(certificate::Constraint {
                terms: vec![(1, of(quantity)), (-1, of(Quantity::IdentityOf(handle.of.index())))],
                constant: i128::try_from(handle.added).ok()?.checked_neg()?,
                relation: certificate::Relation::Equal,
            })
        })
    }

    /// What is claimed of two threads at the same time: what is known beside what is known of each, and where no two threads ever stand.
    fn pairs(&self, meeting: &Meeting, found: &Found) -> Vec<certificate::Pair> {
        let mut pairs = Vec::new();
        for (&left, &left_index) in &self.locations {
            for (&right, &right_index) in self.locations.range(left..) {
                let is_other = left.0 != right.0 || !self.flow.templates[left.0].is_single;
                if !is_other || found.at(left).is_empty() || found.at(right).is_empty() {
                    continue;
                }
                let seen = found.pairs.as_ref().map(|pairs| pairs.seen(left, right).collect::<Vec<_>>());
                let invariant = match seen {
                    _ if !meeting.may_meet(left, right) => Vec::new(),
                    None => continue,
                    Some(seen) if seen.iter().any(|seen| seen.element.is_none()) => continue,
                    Some(seen) => {
                        let elements = seen.iter().filter_map(|seen| seen.element);
                        elements.map(|element| self.of_two(left, right, element, found)).collect()
                    }
                };
                pairs.push(certificate::Pair { left: left_index, right: right_index, invariant });
            }
        }
        pairs
    }

    /// What is known of two threads that is not known of each.
    fn of_two(
        &self,
        left: (TemplateId, LocationId),
        right: (TemplateId, LocationId),
        element: &Product,
        found: &Found,
    ) -> Vec<certificate::Constraint> {
        let (common, own) = (self.space.common(), self.space.locals(left).len());
        let at = |dim: usize| if dim < common + own { (left, dim) } else { (right, dim - own) };
        let place = |first: usize, count: usize| -> Vec<Option<usize>> {
            (0..common).chain(first..first + count).map(Some).collect()
        };
        let others = self.space.locals(right).len();
        let known: Vec<Product> = [(left, place(common, own)), (right, place(common + own, others))]
            .into_iter()
            .filter_map(|(at, to)| Some(found.hull(at)?.0.remap(element.dims(), &to)))
            .collect();
        let known = known.iter().skip(1).fold(known[0].clone(), |met, known| met.meet(known));
        let all = beyond(&known, element.constraints());
        let reading = |dim: usize| {
            let (at, place) = at(dim);
            let side = if at == right && dim >= common + own { Side::Right } else { Side::Left };
            self.reading(at, place).map(|reading| Reading { side, ..reading })
        };
        all.iter().filter_map(|constraint| Self::constraint(constraint, &reading)).collect()
    }

    fn constraint(
        constraint: &Constraint,
        reading: &dyn Fn(usize) -> Option<Reading>,
    ) -> Option<certificate::Constraint> {
        let terms = constraint.form.terms().iter();
        let terms = terms.map(|&(dim, factor)| Some((factor, reading(dim)?)));
        Some(certificate::Constraint {
            terms: terms.collect::<Option<_>>()?,
            constant: constraint.form.offset(),
            relation: match constraint.relation {
                Relation::Equal => certificate::Relation::Equal,
                Relation::LessEqual => certificate::Relation::LessEqual,
                Relation::NotEqual => certificate::Relation::NotEqual,
            },
        })
    }
}

/// A constraint with the sums that rows stand for.
fn written_out(constraint: &Constraint, rows: &BTreeMap<usize, Form>) -> Option<Constraint> {
    let start = Form::constant(constraint.form.offset());
    let form =
        constraint.form.terms().iter().try_fold(start, |form, &(dim, factor)| match rows.get(&dim) {
            Some(row) => form.plus(row, factor),
            None => form.plus(&Form::variable(dim), factor),
        })?;
    Some(Constraint { form, relation: constraint.relation })
}

/// Few constraints that say, beside what is known, what all of these say.
fn beyond(known: &Product, all: Vec<Constraint>) -> Vec<Constraint> {
    let mut kept: Vec<Constraint> = Vec::new();
    let mut sum = known.clone();
    for constraint in all {
        if !sum.entails(&constraint) {
            sum.guard(&constraint);
            kept.push(constraint);
        }
    }
    // What was needed at first may follow from what came later.
    let mut index = 0;
    while index < kept.len() {
        let mut rest = known.clone();
        let others = kept.iter().enumerate().filter(|(other, _)| *other != index);
        others.for_each(|(_, constraint)| rest.guard(constraint));
        if rest.entails(&kept[index]) {
            kept.remove(index);
        } else {
            index += 1;
        }
    }
    kept
}
