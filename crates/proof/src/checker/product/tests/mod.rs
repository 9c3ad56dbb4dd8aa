//! Certificates of products that are written by hand, broken ones, and random programs that are judged by exploration.

mod cases;
mod mutants;
mod random;

use raddle_base::{Budget, Id};
use raddle_ir::text::parse_program;
use raddle_ir::{FunctionId, InstKind, Point, Program, Property, RegisterId, Site};

use super::super::Claim;
use super::super::tests::function;
use super::{Unproved, check_product};
use crate::certificate::{Cell, Object, Spawn};
use crate::product::{Node, Preference, Product, Standing};

/// A program and a certificate for it.
#[derive(Clone)]
struct Case {
    program: Program,
    certificate: Product,
    asked: Vec<Property>,
}

impl Case {
    /// With locations at all visible instructions and at the starts of blocks. What starts threads is found by the names of functions.
    fn new(text: &str, templates: &[&str], cells: &[&str], most_threads: usize) -> Self {
        let program = parse_program(text).expect("the program of a test");
        let findings = raddle_ir::validate::validate(&program);
        assert!(findings.is_empty(), "{findings:?}\n{text}");
        let mut certificate = Product { most_threads, ..Product::default() };
        certificate.templates = templates.iter().map(|name| function(&program, name)).collect();
        for name in cells {
            let (global, _) =
                program.globals.iter().find(|(_, known)| known.name == *name).expect("a global");
            certificate.cells.push(Cell { object: Object::Global(global), offset: 0, bytes: 4 });
        }
        for template in 0..templates.len() {
            add_locations(&program, &mut certificate, template);
        }
        Self { program, certificate, asked: vec![Property::Assertion] }
    }

    fn node(&mut self, node: Node) -> usize {
        self.certificate.nodes.push(node);
        self.certificate.nodes.len() - 1
    }

    /// The predicate that something is a number.
    fn is(&mut self, of: Node, value: u128) -> usize {
        let (of, value) = (self.node(of), self.node(Node::Bits { width: 32, value }));
        self.node(Node::Eq(of, value))
    }

    fn or(&mut self, parts: &[usize]) -> usize {
        let mut all = parts[0];
        for &part in &parts[1..] {
            all = self.node(Node::Or(all, part));
        }
        all
    }

    /// That one thing implies another one.
    fn implies(&mut self, left: usize, right: usize) -> usize {
        let not = self.node(Node::Not(left));
        self.node(Node::Or(not, right))
    }

    fn predicate(&mut self, node: usize) -> usize {
        self.certificate.predicates.push(node);
        self.certificate.predicates.len() - 1
    }

    fn check(&self) -> Result<usize, Unproved> {
        let claim = Claim { program: &self.program, asked: self.asked.clone(), excused: Vec::new() };
        check_product(&claim, &self.certificate, &Budget::unlimited()).map(|proof| proof.obligations())
    }

    /// Why it is rejected; `None` if it is a proof. All preferences must agree, or only the reduced ones accept.
    fn verdict(&self) -> Option<String> {
        let mut verdicts = Vec::new();
        for preference in [Preference::Lower, Preference::Higher, Preference::None] {
            let mut case = self.clone();
            case.certificate.preference = preference;
            verdicts.push(case.check().err().map(|why| why.to_string()));
        }
        // What all interleavings show, fewer show as well.
        if verdicts[2].is_none() {
            assert_eq!(verdicts, [None, None, None]);
        }
        verdicts.swap_remove(0)
    }
}

/// An own register of a slot's first activation.
fn register(slot: usize, index: usize) -> Node {
    Node::Register { slot, frame: Vec::new(), register: RegisterId::from_index(index) }
}

fn add_locations(program: &Program, certificate: &mut Product, template: usize) {
    let id: FunctionId = certificate.templates[template];
    let function = &program.functions[id];
    let mut depth = 0;
    for (block, code) in function.blocks.iter() {
        for index in 0..=code.insts.len() {
            let point = Point { frame: Vec::new(), site: Site { function: id, block, index } };
            let Some(inst) = code.insts.get(index) else {
                if index == 0 && depth == 0 {
                    let standing = Standing { template, point, constants: Vec::new() };
                    certificate.locations.push(standing);
                }
                continue;
            };
            if let InstKind::Fork { function: raddle_ir::Operand::Constant(started), .. } = inst.kind
                && let raddle_ir::Constant::Function(started) = started
                && let Some(starts) = certificate.templates.iter().position(|&known| known == started)
            {
                certificate.spawns.push(Spawn { by: template, at: point.clone(), starts });
            }
            let is_visible = matches!(
                inst.kind,
                InstKind::Load { .. }
                    | InstKind::Store { .. }
                    | InstKind::AtomicRmw { .. }
                    | InstKind::CompareExchange { .. }
                    | InstKind::Fork { .. }
                    | InstKind::Join { .. }
                    | InstKind::Lock { .. }
                    | InstKind::Unlock { .. }
                    | InstKind::WaitUntil(_)
                    | InstKind::AtomicBegin
            );
            if depth == 0 && (index == 0 || is_visible) {
                certificate.locations.push(Standing { template, point, constants: Vec::new() });
            }
            depth += i32::from(matches!(inst.kind, InstKind::AtomicBegin));
            depth -= i32::from(matches!(inst.kind, InstKind::AtomicEnd));
        }
    }
}
