//! Predicates as terms, in a state of the product or behind a step.
//!
//! A predicate is known or not where all that it speaks of is there: a register of an activation that does not run, memory that is not private and a slot
//! without a thread have no value, and a predicate that speaks of them is then not known to hold. The same goes for one whose sorts do not fit.

use std::collections::BTreeSet;

use raddle_base::Span;
use raddle_logic::term::{MAX_WIDTH, Sort, TermId, Terms};

use super::super::Refusal;
use super::super::explore::Explorer;
use super::super::state::{Fork, State};
use crate::certificate::Quantity;
use crate::product::{Node, Product};

/// Where the thread of a slot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Stand {
    /// At a location.
    At(usize),
    /// It has ended: it can be joined.
    Ended,
    /// It takes no more steps and has not ended.
    Stuck,
}

/// Of whom a slot's quantities are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose<'s> {
    /// The thread that makes the step, before it.
    Actor,
    /// That thread behind the step.
    After(&'s State),
    /// A thread that stands where it stood.
    Other,
    /// A thread that was just started.
    Born(TermId),
}

/// A state, or what is behind a step.
pub(super) struct View<'s> {
    /// Where the threads of slots are.
    pub(super) places: &'s [Stand],
    /// What shared cells hold.
    pub(super) shared: &'s [TermId],
    pub(super) actor: usize,
    /// The actor's path, if this is behind the step.
    pub(super) after: Option<&'s State>,
    /// Threads that the step starts, in the last slots.
    pub(super) born: &'s [Fork],
}

impl View<'_> {
    fn whose(&self, slot: usize) -> Whose<'_> {
        if slot == self.actor {
            return self.after.map_or(Whose::Actor, Whose::After);
        }
        let first = self.places.len() - self.born.len();
        match slot.checked_sub(first).and_then(|index| self.born.get(index)) {
            Some(fork) => Whose::Born(fork.argument),
            None => Whose::Other,
        }
    }
}

/// All predicates.
pub(super) struct Formulas<'p> {
    nodes: &'p [Node],
    predicates: &'p [usize],
    /// Of each predicate, the nodes that it is made of, in order.
    parts: Vec<Vec<usize>>,
    /// Of each predicate, the slots that it speaks of.
    pub(super) slots: Vec<BTreeSet<usize>>,
    /// Of each predicate, the cells that it speaks of.
    cells: Vec<BTreeSet<usize>>,
}

impl<'p> Formulas<'p> {
    pub(super) fn new(certificate: &'p Product) -> Result<Self, Refusal> {
        let malformed =
            |what: &str| Refusal::new(format!("the certificate is malformed: {what}"), Span::NONE);
        for (index, node) in certificate.nodes.iter().enumerate() {
            if operands(node).iter().any(|&operand| operand >= index) {
                return Err(malformed("a formula refers to a later one"));
            }
            if let Node::Shared(cell) = node
                && *cell >= certificate.cells.len()
            {
                return Err(malformed("a formula speaks of a cell that there is not"));
            }
        }
        let (mut parts, mut slots, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        for &root in &certificate.predicates {
            if root >= certificate.nodes.len() {
                return Err(malformed("a predicate is no formula"));
            }
            let (mut of, mut open) = (BTreeSet::new(), vec![root]);
            let (mut spoken, mut shared) = (BTreeSet::new(), BTreeSet::new());
            while let Some(index) = open.pop() {
                if of.insert(index) {
                    let node = &certificate.nodes[index];
                    open.extend(operands(node));
                    if let Node::Register { slot, .. } | Node::Own { slot, .. } = node {
                        spoken.insert(*slot);
                    }
                    if let Node::Shared(cell) = node {
                        shared.insert(*cell);
                    }
                }
            }
            parts.push(of.into_iter().collect());
            slots.push(spoken);
            cells.push(shared);
        }
        Ok(Self { nodes: &certificate.nodes, predicates: &certificate.predicates, parts, slots, cells })
    }

    pub(super) fn len(&self) -> usize {
        self.predicates.len()
    }

    /// Whether something that a predicate speaks of is other behind a path of a slot's thread, which starts threads from a slot on.
    pub(super) fn is_touched(
        &self,
        predicate: usize,
        (slot, born): (usize, usize),
        changed: &[usize],
    ) -> bool {
        self.slots[predicate].iter().any(|&spoken| spoken == slot || spoken >= born)
            || changed.iter().any(|cell| self.cells[predicate].contains(cell))
    }

    /// A predicate as a term; none where it has no meaning.
    pub(super) fn term(
        &self,
        explorer: &mut Explorer<'_>,
        predicate: usize,
        view: &View<'_>,
    ) -> Option<TermId> {
        let mut values: Vec<(usize, TermId)> = Vec::with_capacity(self.parts[predicate].len());
        for &index in &self.parts[predicate] {
            let node = &self.nodes[index];
            let value = match node {
                Node::Shared(cell) => *view.shared.get(*cell)?,
                Node::Register { slot, frame, register } => {
                    let quantity = Quantity::Register(frame.clone(), *register);
                    own(explorer, *slot, &quantity, view)?
                }
                Node::Own { slot, cell } => own(explorer, *slot, &Quantity::Own(cell.clone()), view)?,
                Node::Bool(_)
                | Node::Bits { .. }
                | Node::Not(_)
                | Node::And(..)
                | Node::Or(..)
                | Node::Xor(..)
                | Node::Ite(..)
                | Node::Eq(..)
                | Node::Ult(..)
                | Node::Slt(..)
                | Node::UmulOverflow(..)
                | Node::SmulOverflow(..)
                | Node::BvNot(_)
                | Node::BvAnd(..)
                | Node::BvXor(..)
                | Node::Add(..)
                | Node::Mul(..)
                | Node::Udiv(..)
                | Node::Urem(..)
                | Node::Shl(..)
                | Node::Lshr(..)
                | Node::Ashr(..)
                | Node::Concat(..)
                | Node::Extract { .. }
                | Node::SignExtend { .. } => {
                    let get = |operand: usize| {
                        let found = values.binary_search_by_key(&operand, |&(index, _)| index);
                        found.ok().map(|position| values[position].1)
                    };
                    computed(&mut explorer.terms, node, get)?
                }
            };
            values.push((index, value));
        }
        let &(_, root) = values.last()?;
        (explorer.terms.sort(root) == Sort::Bool).then_some(root)
    }
}

/// What a slot's thread has of its own; none where that has no meaning.
fn own(explorer: &mut Explorer<'_>, slot: usize, quantity: &Quantity, view: &View<'_>) -> Option<TermId> {
    let Stand::At(location) = *view.places.get(slot)? else { return None };
    let here = &explorer.certificate.locations[location];
    let (held, bits) = explorer.slot(here.template, &here.point, quantity).ok()?;
    match view.whose(slot) {
        Whose::After(state) => Some(explorer.value_after(state, held, bits)),
        Whose::Born(argument) => Some(explorer.value_at_birth(location, held, bits, argument)),
        whose @ (Whose::Actor | Whose::Other) => {
            for (quantity, known) in &here.constants {
                let (known_slot, width) = explorer.slot(here.template, &here.point, quantity).ok()?;
                if known_slot == held {
                    return explorer.known(known, (held, width), &here.point).ok();
                }
            }
            let symbol = explorer.slot_symbol(here.template, held, bits);
            Some(match whose {
                Whose::Other => explorer.renamed(&format!("slot.{slot}"), symbol),
                Whose::Actor | Whose::After(_) | Whose::Born(_) => symbol,
            })
        }
    }
}

fn operands(node: &Node) -> Vec<usize> {
    match *node {
        Node::Shared(_) | Node::Register { .. } | Node::Own { .. } | Node::Bool(_) | Node::Bits { .. } => {
            Vec::new()
        }
        Node::Not(a) | Node::BvNot(a) | Node::Extract { of: a, .. } | Node::SignExtend { of: a, .. } => {
            vec![a]
        }
        Node::And(a, b)
        | Node::Or(a, b)
        | Node::Xor(a, b)
        | Node::Eq(a, b)
        | Node::Ult(a, b)
        | Node::Slt(a, b)
        | Node::UmulOverflow(a, b)
        | Node::SmulOverflow(a, b)
        | Node::BvAnd(a, b)
        | Node::BvXor(a, b)
        | Node::Add(a, b)
        | Node::Mul(a, b)
        | Node::Udiv(a, b)
        | Node::Urem(a, b)
        | Node::Shl(a, b)
        | Node::Lshr(a, b)
        | Node::Ashr(a, b)
        | Node::Concat(a, b) => vec![a, b],
        Node::Ite(a, b, c) => vec![a, b, c],
    }
}

/// The term of an operator whose operands fit.
fn computed(terms: &mut Terms, node: &Node, get: impl Fn(usize) -> Option<TermId>) -> Option<TermId> {
    let truths = |terms: &Terms, a, b| {
        let (a, b) = (get(a)?, get(b)?);
        (terms.sort(a) == Sort::Bool && terms.sort(b) == Sort::Bool).then_some((a, b))
    };
    let bits = |terms: &Terms, a| {
        let a = get(a)?;
        matches!(terms.sort(a), Sort::BitVec(_)).then_some(a)
    };
    let numbers = |terms: &Terms, a, b| {
        let (a, b) = (bits(terms, a)?, bits(terms, b)?);
        (terms.sort(a) == terms.sort(b)).then_some((a, b))
    };
    let truth = |terms: &Terms, a| get(a).filter(|&a| terms.sort(a) == Sort::Bool);
    type Of = fn(&mut Terms, TermId, TermId) -> TermId;
    let two: (Of, usize, usize) = match *node {
        Node::Shared(_) | Node::Register { .. } | Node::Own { .. } => return None,
        Node::Bool(value) => return Some(terms.bool(value)),
        Node::Bits { width, value } => {
            return (1..=MAX_WIDTH).contains(&width).then(|| terms.bits(value, width));
        }
        Node::Not(a) => return truth(terms, a).map(|a| terms.not(a)),
        Node::And(a, b) => return truths(terms, a, b).map(|(a, b)| terms.and(a, b)),
        Node::Or(a, b) => return truths(terms, a, b).map(|(a, b)| terms.or(a, b)),
        Node::Xor(a, b) => return truths(terms, a, b).map(|(a, b)| terms.xor(a, b)),
        Node::Ite(c, a, b) => {
            let (c, a, b) = (truth(terms, c)?, get(a)?, get(b)?);
            return (terms.sort(a) == terms.sort(b)).then(|| terms.ite(c, a, b));
        }
        Node::BvNot(a) => return bits(terms, a).map(|a| terms.bvnot(a)),
        Node::Concat(a, b) => {
            let (a, b) = (bits(terms, a)?, bits(terms, b)?);
            let fits = terms.width(a) + terms.width(b) <= MAX_WIDTH;
            return fits.then(|| terms.concat(a, b));
        }
        Node::Extract { high, low, of } => {
            let of = bits(terms, of)?;
            let fits = low <= high && high < terms.width(of);
            return fits.then(|| terms.extract(high, low, of));
        }
        Node::SignExtend { by, of } => {
            let of = bits(terms, of)?;
            let fits = by <= MAX_WIDTH && terms.width(of) + by <= MAX_WIDTH;
            return fits.then(|| terms.sign_extend(by, of));
        }
        Node::Eq(a, b) => (Terms::eq, a, b),
        Node::Ult(a, b) => (Terms::ult, a, b),
        Node::Slt(a, b) => (Terms::slt, a, b),
        Node::UmulOverflow(a, b) => (Terms::umul_overflows, a, b),
        Node::SmulOverflow(a, b) => (Terms::smul_overflows, a, b),
        Node::BvAnd(a, b) => (Terms::bvand, a, b),
        Node::BvXor(a, b) => (Terms::bvxor, a, b),
        Node::Add(a, b) => (Terms::add, a, b),
        Node::Mul(a, b) => (Terms::mul, a, b),
        Node::Udiv(a, b) => (Terms::udiv, a, b),
        Node::Urem(a, b) => (Terms::urem, a, b),
        Node::Shl(a, b) => (Terms::shl, a, b),
        Node::Lshr(a, b) => (Terms::lshr, a, b),
        Node::Ashr(a, b) => (Terms::ashr, a, b),
    };
    let (make, a, b) = two;
    numbers(terms, a, b).map(|(a, b)| make(terms, a, b))
}
