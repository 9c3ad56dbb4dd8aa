//! Certificates written by hand for small programs: right ones, and broken ones that must be rejected for the right reason.

mod atomic;
mod counter;
mod deadlock;
mod joins;
mod lives;
pub(super) mod mutants;
mod pointers;
mod races;
mod tickets;

use raddle_base::{Budget, Id};
use raddle_ir::text::parse_program;
use raddle_ir::{Constant, FunctionId, GlobalId, Point, Program, Property, RegisterId, Site};

use super::{Claim, check};
use crate::certificate::*;

/// A program and a certificate for it.
pub(super) struct Case {
    pub(super) program: Program,
    pub(super) certificate: Certificate,
    pub(super) asked: Vec<Property>,
    pub(super) excused: Vec<Property>,
}

impl Case {
    pub(super) fn new(text: &str, templates: &[&str]) -> Self {
        let program = parse_program(text).expect("the program of a test");
        let findings = raddle_ir::validate::validate(&program);
        assert!(findings.is_empty(), "{findings:?}");
        let templates = templates.iter().map(|name| function(&program, name)).collect();
        let certificate = Certificate { templates, ..Certificate::default() };
        Self { program, certificate, asked: vec![Property::Assertion], excused: Vec::new() }
    }

    /// An instruction of a template's first function.
    pub(super) fn point(&self, template: usize, block: usize, index: usize) -> Point {
        let function = self.certificate.templates[template];
        Point { frame: Vec::new(), site: Site { function, block: Id::from_index(block), index } }
    }

    pub(super) fn cell(&mut self, global: &str, offset: u64, bytes: u32) -> Quantity {
        let (global, _) =
            self.program.globals.iter().find(|(_, known)| known.name == global).expect("a global");
        self.certificate.cells.push(Cell { object: Object::Global(global), offset, bytes });
        Quantity::Shared(self.certificate.cells.len() - 1)
    }

    pub(super) fn spawn(&mut self, by: usize, (block, index): (usize, usize), starts: usize) {
        let at = self.point(by, block, index);
        self.certificate.spawns.push(Spawn { by, at, starts });
    }

    /// Adds a location and gives its index.
    pub(super) fn at(
        &mut self,
        template: usize,
        (block, index): (usize, usize),
        invariant: Invariant,
    ) -> usize {
        let point = self.point(template, block, index);
        let location = Location { template, point, constants: Vec::new(), invariant };
        self.certificate.locations.push(location);
        self.certificate.locations.len() - 1
    }

    pub(super) fn counter(&mut self, members: &[Place]) -> Quantity {
        self.certificate.counters.push(Counter { members: members.to_vec(), ..Counter::default() });
        Quantity::Counter(self.certificate.counters.len() - 1)
    }

    /// Why it is rejected; `None` if it is a proof.
    pub(super) fn verdict(&self) -> Option<String> {
        let claim =
            Claim { program: &self.program, asked: self.asked.clone(), excused: self.excused.clone() };
        check(&claim, &self.certificate, &Budget::unlimited()).err().map(|why| why.to_string())
    }

    /// How many obligations there are.
    pub(super) fn obligations(&self) -> usize {
        let claim =
            Claim { program: &self.program, asked: self.asked.clone(), excused: self.excused.clone() };
        check(&claim, &self.certificate, &Budget::unlimited()).expect("a proof").obligations()
    }
}

pub(super) fn function(program: &Program, name: &str) -> FunctionId {
    program.functions.iter().find(|(_, function)| function.name == name).expect("a function").0
}

pub(super) fn reading(quantity: &Quantity) -> Reading {
    Reading { quantity: quantity.clone(), signed: false, side: Side::Left }
}

pub(super) fn sum(terms: &[(i128, &Quantity)], relation: Relation, constant: i128) -> Constraint {
    let terms = terms.iter().map(|(factor, quantity)| (*factor, reading(quantity))).collect();
    Constraint { terms, constant, relation }
}

/// The quantity is this number.
pub(super) fn is(quantity: &Quantity, number: i128) -> Constraint {
    sum(&[(1, quantity)], Relation::Equal, -number)
}

/// The quantity is at most this number.
pub(super) fn at_most(quantity: &Quantity, number: i128) -> Constraint {
    sum(&[(1, quantity)], Relation::LessEqual, -number)
}

/// Two quantities are equal.
pub(super) fn same(left: &Quantity, right: &Quantity) -> Constraint {
    sum(&[(1, left), (-1, right)], Relation::Equal, 0)
}

pub(super) fn register(index: usize) -> Quantity {
    Quantity::Register(Vec::new(), RegisterId::from_index(index))
}

/// A program's text, and what makes it with its certificate.
pub(super) type Made = (&'static str, fn() -> Case);

/// All of them.
pub(super) const CASES: &[Made] = &[
    (atomic::TEXT, atomic::case),
    (counter::TEXT, counter::case),
    (deadlock::TEXT, deadlock::case),
    (deadlock::ORDERS, deadlock::orders),
    (joins::TEXT, joins::case),
    (pointers::ARGUMENT, pointers::argument),
    (pointers::ESCAPED, pointers::escaped),
    (pointers::LOCALS, pointers::locals),
    (races::TEXT, races::case),
    (tickets::TEXT, tickets::case),
];

/// Nothing is known.
pub(super) fn anything() -> Invariant {
    vec![Vec::new()]
}

/// A broken version: what is wrong with it, how it is made, and what must be in the reason why it is rejected.
pub(super) type Broken = (&'static str, fn(&mut Case), &'static str);

/// Each broken version must be rejected with its reason.
pub(super) fn all_rejected(make: fn() -> Case, broken: &[Broken]) {
    assert_eq!(make().verdict(), None);
    let mut wrong = Vec::new();
    for (name, break_it, reason) in broken {
        let mut case = make();
        break_it(&mut case);
        match case.verdict() {
            None => wrong.push(format!("{name}: accepted")),
            Some(why) if why.contains(reason) => {}
            Some(why) => wrong.push(format!("{name}: rejected because {why}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Takes a location out.
pub(super) fn drop_location(case: &mut Case, location: usize) {
    case.certificate.locations.remove(location);
    for counter in &mut case.certificate.counters {
        counter.members.retain(|member| *member != Place::At(location));
        for member in &mut counter.members {
            if let Place::At(other) = member
                && *other > location
            {
                *other -= 1;
            }
        }
    }
}

/// The program with a piece of its text replaced.
pub(super) fn rewrite(case: &mut Case, text: &str, from: &str, to: &str) {
    assert!(text.contains(from), "{from}");
    case.program = parse_program(&text.replacen(from, to, 1)).expect("the program of a test");
}
