//! Predicates as a certificate: in the words of the program.
//!
//! A predicate that speaks of what a certificate has no words for (arrays) is left out: the checker decides whether the others are enough.

use std::collections::BTreeMap;

use raddle_base::Id as _;
use raddle_flow::{Flow, LocationId, LocationKind, Object, Pointee, Storage, TemplateId, VariableId};
use raddle_ir::{Constant, Point, Program, Type};
use raddle_logic::term::{Term, TermId, Terms};
use raddle_proof::certificate::{self, Known, Quantity};
use raddle_proof::product::{Node, Preference, Product, Standing};
use rustc_hash::FxHashMap;

use crate::letters::Letters;

/// Names of what a certificate speaks of.
struct Names<'n> {
    program: &'n Program,
    flow: &'n Flow,
    terms: &'n Terms,
    letters: &'n Letters,
    /// The index of each shared variable's cell.
    cells: BTreeMap<VariableId, usize>,
    nodes: Vec<Node>,
    made: FxHashMap<TermId, Option<usize>>,
}

/// The certificate of predicates over slots.
pub(crate) fn certificate(
    program: &Program,
    (flow, terms, letters): (&Flow, &Terms, &Letters),
    predicates: &[TermId],
    most_threads: usize,
) -> Product {
    let (mut cells, mut by_variable) = (Vec::new(), BTreeMap::new());
    for (id, variable) in flow.variables.iter().filter(|(_, variable)| variable.owner.is_none()) {
        if let Storage::Cell { object, offset, bytes } = &variable.storage {
            by_variable.insert(id, cells.len());
            cells.push(certificate::Cell { object: of_object(object), offset: *offset, bytes: *bytes });
        }
    }
    let mut constants = Vec::new();
    for (storage, value) in &flow.constants {
        if let (Storage::Cell { object, offset, bytes }, Some(value)) = (storage, terms.as_bits(*value)) {
            constants.push((cells.len(), 8 * bytes, value));
            cells.push(certificate::Cell { object: of_object(object), offset: *offset, bytes: *bytes });
        }
    }
    let (nodes, made) = (Vec::new(), FxHashMap::default());
    let mut names = Names { program, flow, terms, letters, cells: by_variable, nodes, made };
    let mut predicates: Vec<usize> =
        predicates.iter().filter_map(|&predicate| names.formula(predicate)).collect();
    for (cell, width, value) in constants {
        let first = names.nodes.len();
        let parts = [Node::Shared(cell), Node::Bits { width, value }, Node::Eq(first, first + 1)];
        names.nodes.extend(parts);
        predicates.push(first + 2);
    }
    let spawns = flow.templates.iter().flat_map(|(id, template)| {
        template.started_at.iter().map(move |(by, at)| certificate::Spawn {
            by: by.index(),
            at: at.clone(),
            starts: id.index(),
        })
    });
    let all = flow
        .templates
        .iter()
        .flat_map(|(id, template)| template.locations.ids().map(move |location| (id, location)));
    let locations = all.filter_map(|at| names.standing(at)).collect();
    Product {
        templates: flow.templates.values().map(|template| template.function).collect(),
        spawns: spawns.collect(),
        cells,
        locations,
        most_threads,
        nodes: names.nodes,
        predicates,
        preference: Preference::Lower,
    }
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
    fn standing(&self, (template, location): (TemplateId, LocationId)) -> Option<Standing> {
        let location = &self.flow.templates[template].locations[location];
        let LocationKind::Step(point) = &location.kind else { return None };
        let constants = location
            .constants
            .iter()
            .filter_map(|(storage, constant)| {
                Some((own_quantity(storage)?, self.known(point, storage, *constant)?))
            })
            .collect();
        Some(Standing { template: template.index(), point: point.clone(), constants })
    }

    /// A value that is the same whenever a thread is there.
    fn known(&self, point: &Point, storage: &Storage, constant: TermId) -> Option<Known> {
        if let Some(value) = self.terms.as_bool(constant) {
            return Some(Known::Constant(Constant::Int(1, value.into())));
        }
        let value = self.terms.as_bits(constant)?;
        let width = u8::try_from(self.terms.width(constant)).ok();
        let integer = || Some(Known::Constant(Constant::Int(width?, value)));
        if self.is_number(point, storage) {
            return integer();
        }
        let Some(pointee) = self.pointee(constant) else { return integer() };
        match pointee {
            Pointee::Number(_) => integer(),
            Pointee::Function(function) => Some(Known::Constant(Constant::Function(function))),
            Pointee::Object(Object::Global(global), offset) => {
                Some(Known::Constant(Constant::Global(global, offset)))
            }
            Pointee::Object(object, offset) => Some(Known::Address(of_object(&object), offset)),
        }
    }

    /// What a constant leads to if it is a pointer.
    fn pointee(&self, constant: TermId) -> Option<Pointee> {
        let is_pointer = self.terms.width(constant) == self.flow.pointer_bits;
        self.flow.addresses.pointee(self.terms.as_bits(constant)?).filter(|_| is_pointer)
    }

    /// Whether something that holds as many bits as a pointer is known to be none.
    fn is_number(&self, point: &Point, storage: &Storage) -> bool {
        let Storage::Register { frame, register } = storage else { return false };
        let function = point.frame.get(frame.len()).map_or(point.site.function, |site| site.function);
        self.program.functions[function].registers[*register].ty != Type::Ptr
    }

    /// The node of a term; none if there are no words for it.
    fn formula(&mut self, root: TermId) -> Option<usize> {
        for term in self.terms.subterms(&[root]) {
            if !self.made.contains_key(&term) {
                let node = self.node(term);
                let index = node.map(|node| {
                    self.nodes.push(node);
                    self.nodes.len() - 1
                });
                self.made.insert(term, index);
            }
        }
        self.made.get(&root).copied().flatten()
    }

    fn node(&self, term: TermId) -> Option<Node> {
        let at = |term: TermId| self.made.get(&term).copied().flatten();
        Some(match self.terms[term] {
            Term::Symbol(_) => return self.symbol(term),
            Term::Bool(value) => Node::Bool(value),
            Term::Bits { width, value } => Node::Bits { width, value },
            Term::Not(a) => Node::Not(at(a)?),
            Term::And(a, b) => Node::And(at(a)?, at(b)?),
            Term::Xor(a, b) => Node::Xor(at(a)?, at(b)?),
            Term::Ite(c, a, b) => Node::Ite(at(c)?, at(a)?, at(b)?),
            Term::Eq(a, b) => Node::Eq(at(a)?, at(b)?),
            Term::Ult(a, b) => Node::Ult(at(a)?, at(b)?),
            Term::Slt(a, b) => Node::Slt(at(a)?, at(b)?),
            Term::UmulOverflow(a, b) => Node::UmulOverflow(at(a)?, at(b)?),
            Term::SmulOverflow(a, b) => Node::SmulOverflow(at(a)?, at(b)?),
            Term::BvNot(a) => Node::BvNot(at(a)?),
            Term::BvAnd(a, b) => Node::BvAnd(at(a)?, at(b)?),
            Term::BvXor(a, b) => Node::BvXor(at(a)?, at(b)?),
            Term::Add(a, b) => Node::Add(at(a)?, at(b)?),
            Term::Mul(a, b) => Node::Mul(at(a)?, at(b)?),
            Term::Udiv(a, b) => Node::Udiv(at(a)?, at(b)?),
            Term::Urem(a, b) => Node::Urem(at(a)?, at(b)?),
            Term::Shl(a, b) => Node::Shl(at(a)?, at(b)?),
            Term::Lshr(a, b) => Node::Lshr(at(a)?, at(b)?),
            Term::Ashr(a, b) => Node::Ashr(at(a)?, at(b)?),
            Term::Concat(a, b) => Node::Concat(at(a)?, at(b)?),
            Term::Extract { high, low, of } => Node::Extract { high, low, of: at(of)? },
            Term::SignExtend { by, of } => Node::SignExtend { by, of: at(of)? },
            Term::Select(..) | Term::Store(..) | Term::ConstArray { .. } => return None,
        })
    }

    fn symbol(&self, symbol: TermId) -> Option<Node> {
        let (variable, slot) = self.letters.meaning(symbol)?;
        match (slot, &self.flow.variables[variable].storage) {
            (None, _) => Some(Node::Shared(*self.cells.get(&variable)?)),
            (Some(slot), Storage::Cell { object, offset, bytes }) => {
                let cell = certificate::Cell { object: of_object(object), offset: *offset, bytes: *bytes };
                Some(Node::Own { slot, cell })
            }
            (Some(slot), Storage::Register { frame, register }) => {
                Some(Node::Register { slot, frame: frame.clone(), register: *register })
            }
            (Some(_), Storage::Elements { .. } | Storage::Identity) => None,
        }
    }
}

fn own_quantity(storage: &Storage) -> Option<Quantity> {
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
