//! Constraints as formulas.
//!
//! Constraints speak of mathematical integers. Each sum is built as a bit-vector that is so wide that no value of its quantities makes it
//! wrap; where 128 bits do not suffice the certificate is refused.

use std::rc::Rc;

use raddle_base::Span;
use raddle_logic::term::{MAX_WIDTH, Sort, TermId};

use super::Refusal;
use super::explore::Explorer;
use super::memory::width;
use super::state::{Slot, State};
use crate::certificate::{Constraint, Invariant, Known, Object, Quantity, Relation, Side};

/// Widths of sums are multiples of this.
const WIDTH_STEP: u32 = 16;
/// Counters are below this power of two (A1): every thread that was ever started has an id of its own, a number of 32 bits (A4).
pub(super) const COUNTER_LIMIT_BITS: u32 = 32;
/// Bits of a counter.
pub(super) const COUNTER_BITS: u32 = 36;
/// Tallies are below this power of two (A6): no execution is longer.
pub(super) const TALLY_LIMIT_BITS: u32 = 60;
/// Bits of a tally.
pub(super) const TALLY_BITS: u32 = 64;

/// A state, as far as all threads have it in common.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) shared: Vec<TermId>,
    pub(super) counters: Vec<TermId>,
    pub(super) tallies: Vec<TermId>,
    /// Of a state behind a step: the state before it.
    pub(super) before: Option<Before>,
}

/// The state before a step, and by how much the step changes counters and tallies.
#[derive(Clone, Debug)]
pub(super) struct Before {
    pub(super) now: Rc<Moment>,
    pub(super) counters: Vec<i128>,
    pub(super) tallies: Vec<i128>,
}

/// A thread of which an invariant speaks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Who<'s> {
    /// The thread that makes a step, before it.
    Actor,
    /// Another thread, which stands where it stood.
    Other,
    /// A third one.
    Third,
    /// The thread that made a step, behind it.
    After(&'s State),
    /// A thread that was just started: its argument and its id.
    Born { argument: TermId, id: TermId },
}

/// A disjunction of conjunctions.
pub(super) type Formula = Vec<Vec<TermId>>;

impl Explorer<'_> {
    /// The id of a thread of a template.
    pub(super) fn identity(&mut self, template: usize, who: Who<'_>) -> TermId {
        match who {
            Who::Actor | Who::After(_) => self.identities[template],
            Who::Born { id, .. } => id,
            Who::Other | Who::Third if self.facts.single[template] => self.identities[template],
            Who::Other => self.terms.symbol(&format!("other.id.{template}"), Sort::BitVec(32)),
            Who::Third => self.terms.symbol(&format!("third.id.{template}"), Sort::BitVec(32)),
        }
    }

    /// What a slot of a thread that stands at a location holds.
    fn slot_value(
        &mut self,
        location: usize,
        slot: Slot,
        bits: u32,
        who: Who<'_>,
    ) -> Result<TermId, Refusal> {
        let here = &self.certificate.locations[location];
        match who {
            Who::Actor | Who::Other | Who::Third => {
                for (quantity, known) in &here.constants {
                    let (known_slot, width) = self.slot(here.template, &here.point, quantity)?;
                    if known_slot == slot {
                        return self.known(known, (slot, width), &here.point);
                    }
                }
                let symbol = self.slot_symbol(here.template, slot, bits);
                Ok(match who {
                    Who::Other => self.renamed("other", symbol),
                    Who::Third => self.renamed("third", symbol),
                    Who::Actor | Who::After(_) | Who::Born { .. } => symbol,
                })
            }
            Who::After(state) => Ok(self.value_after(state, slot, bits)),
            Who::Born { argument, .. } => Ok(self.value_at_birth(location, slot, bits, argument)),
        }
    }

    /// The symbol of another thread for the same.
    pub(super) fn renamed(&mut self, whose: &str, symbol: TermId) -> TermId {
        let sort = self.terms.sort(symbol);
        let name = format!("{whose}.{symbol}");
        self.terms.symbol(&name, sort)
    }

    fn fresh_of(&mut self, bits: u32) -> TermId {
        let sort = if bits == 0 { Sort::Bool } else { Sort::BitVec(bits) };
        self.terms.fresh("any", sort)
    }

    /// What a slot holds behind a path.
    pub(super) fn value_after(&mut self, state: &State, slot: Slot, bits: u32) -> TermId {
        match slot {
            Slot::Register(frame, register) => match state.registers.get(&(frame, register)) {
                Some(&value) => value,
                None if state.entered.contains(&frame) => self.fresh_of(bits),
                None => self.slot_symbol(state.template, slot, bits),
            },
            Slot::Own(object, offset, bytes) => {
                // Looking at it changes nothing: the path is over.
                let mut state = state.clone();
                self.own_value(&mut state, (object, offset, bytes), false)
            }
        }
    }

    /// What a slot of a thread that was just started holds.
    pub(super) fn value_at_birth(
        &mut self,
        location: usize,
        slot: Slot,
        bits: u32,
        argument: TermId,
    ) -> TermId {
        let template = self.certificate.locations[location].template;
        let function = &self.program.functions[self.certificate.templates[template]];
        match slot {
            Slot::Register(_, register) if function.parameters.first() == Some(&register) => argument,
            Slot::Register(..) => self.fresh_of(bits),
            Slot::Own(object, offset, bytes) => {
                let initial = match *self.objects.origin(object) {
                    super::objects::Origin::ThreadLocal(global) => {
                        let kind = self.facts.kind_of_slot(slot);
                        self.initial_value(global, offset, bytes, kind)
                    }
                    super::objects::Origin::Made { .. }
                    | super::objects::Origin::Life(_)
                    | super::objects::Origin::Number
                    | super::objects::Origin::Nowhere
                    | super::objects::Origin::Function(_)
                    | super::objects::Origin::Global(_) => None,
                };
                initial.unwrap_or_else(|| self.fresh_of(width(bytes)))
            }
        }
    }

    fn quantity(
        &mut self,
        quantity: &Quantity,
        moment: &Moment,
        location: usize,
        who: Who<'_>,
    ) -> Result<TermId, Refusal> {
        let wrong = || {
            Refusal::new("an invariant speaks of something that the certificate does not have", Span::NONE)
        };
        let here = &self.certificate.locations[location];
        Ok(match quantity {
            Quantity::Shared(cell) => *moment.shared.get(*cell).ok_or_else(wrong)?,
            Quantity::IsNonzero(cell) => {
                let value = *moment.shared.get(*cell).ok_or_else(wrong)?;
                self.terms.is_nonzero(value)
            }
            Quantity::HeldByThread(cell) => {
                let value = *moment.shared.get(*cell).ok_or_else(wrong)?;
                if self.terms.width(value) != 32 {
                    return Err(Refusal::new("a lock word has not 32 bits", Span::NONE));
                }
                let (id, one) = (self.identity(here.template, who), self.terms.bits(1, 32));
                let held = self.terms.add(id, one);
                self.terms.eq(value, held)
            }
            Quantity::Register(..) | Quantity::Own(_) => {
                let (slot, bits) = self.slot(here.template, &here.point, quantity)?;
                self.slot_value(location, slot, bits, who)?
            }
            Quantity::Identity => self.identity(here.template, who),
            Quantity::IdentityOf(template) => {
                if !self.facts.single.get(*template).is_some_and(|single| *single) {
                    let what = "an invariant speaks of the one thread of a template that may have more";
                    return Err(Refusal::new(what, Span::NONE));
                }
                self.identities[*template]
            }
            Quantity::Counter(counter) => *moment.counters.get(*counter).ok_or_else(wrong)?,
            Quantity::Tally(tally) => *moment.tallies.get(*tally).ok_or_else(wrong)?,
        })
    }

    /// Behind a step: what a counter or tally was before it, and by how much the step changes it. It is far from wrapping before and behind
    /// the step (A1, A6), so the machine's sum is the sum of the numbers.
    fn counted(&self, quantity: &Quantity, moment: &Moment) -> Option<(TermId, i128)> {
        let Before { now, counters, tallies } = moment.before.as_ref()?;
        match *quantity {
            Quantity::Counter(index) => Some((now.counters[index], counters[index])),
            Quantity::Tally(index) => Some((now.tallies[index], tallies[index])),
            Quantity::Shared(_)
            | Quantity::IsNonzero(_)
            | Quantity::HeldByThread(_)
            | Quantity::Register(..)
            | Quantity::Own(_)
            | Quantity::Identity
            | Quantity::IdentityOf(_) => None,
        }
    }

    /// So many bits that neither side of a sum can wrap as a signed number; none if 128 do not suffice. Sums of the same width share
    /// what is in them, so there are few widths.
    fn width_of_sum(&self, parts: &[(i128, TermId, bool)], constant: i128) -> Option<u32> {
        let magnitude = |number: i128| 128 - number.unsigned_abs().leading_zeros();
        let summand =
            |&(factor, value, _): &(i128, TermId, bool)| self.terms.width(value) + 1 + magnitude(factor);
        let largest = parts.iter().map(summand).fold(magnitude(constant) + 1, u32::max);
        let count = u32::try_from(parts.len() + 1).ok()?;
        let total = largest.checked_add(u32::BITS - count.leading_zeros())?;
        (total <= MAX_WIDTH).then(|| total.next_multiple_of(WIDTH_STEP).min(MAX_WIDTH))
    }

    /// A constraint as a formula. `of` gives the location and the thread that a side stands for.
    fn constraint<'s>(
        &mut self,
        constraint: &Constraint,
        moment: &Moment,
        of: &dyn Fn(Side) -> Option<(usize, Who<'s>)>,
    ) -> Result<TermId, Refusal> {
        let (mut parts, mut constant) = (Vec::new(), constraint.constant);
        for (factor, reading) in &constraint.terms {
            let what = "an invariant of one thread speaks of another one";
            let (location, who) = of(reading.side).ok_or_else(|| Refusal::new(what, Span::NONE))?;
            let value = self.quantity(&reading.quantity, moment, location, who)?;
            // Behind a step a counter is what it was and a number: so what is known of the sum before says something of the sum behind it.
            let (value, by) = self.counted(&reading.quantity, moment).unwrap_or((value, 0));
            constant = factor.checked_mul(by).and_then(|by| constant.checked_add(by)).ok_or_else(too_wide)?;
            let value = match self.terms.sort(value) {
                Sort::Bool => self.terms.bool_to_bit(value),
                Sort::BitVec(_) | Sort::Array { .. } => value,
            };
            parts.push((*factor, value, reading.signed));
        }
        let total = self.width_of_sum(&parts, constant).ok_or_else(too_wide)?;
        // What is added is on the left, what is subtracted on the right: comparing is simpler than subtracting.
        let zero = self.terms.bits(0, total);
        let (mut left, mut right) = (zero, zero);
        for (factor, value, signed) in parts {
            let wide = self.terms.resize(value, total, signed);
            let size = self.terms.bits(factor.unsigned_abs(), total);
            let product = self.terms.mul(size, wide);
            let side = if factor > 0 { &mut left } else { &mut right };
            *side = self.terms.add(*side, product);
        }
        let added = self.terms.bits(constant.unsigned_abs(), total);
        let side = if constant > 0 { &mut left } else { &mut right };
        *side = self.terms.add(*side, added);
        Ok(match constraint.relation {
            Relation::Equal => self.terms.eq(left, right),
            Relation::NotEqual => self.terms.ne(left, right),
            Relation::LessEqual => self.terms.sle(left, right),
        })
    }

    /// An invariant of threads as a formula.
    pub(super) fn formula<'s>(
        &mut self,
        invariant: &Invariant,
        moment: &Moment,
        of: &dyn Fn(Side) -> Option<(usize, Who<'s>)>,
    ) -> Result<Formula, Refusal> {
        let mut formula = Vec::new();
        for conjunction in invariant {
            let mut parts = Vec::new();
            for constraint in conjunction {
                parts.push(self.constraint(constraint, moment, of)?);
            }
            formula.push(parts);
        }
        Ok(formula)
    }

    /// The invariant of one thread at a location.
    pub(super) fn invariant(
        &mut self,
        location: usize,
        moment: &Moment,
        who: Who<'_>,
    ) -> Result<Formula, Refusal> {
        let of = |side| match side {
            Side::Left => Some((location, who)),
            Side::Right => None,
        };
        let certificate = self.certificate;
        self.formula(&certificate.locations[location].invariant, moment, &of)
    }

    /// That the known values of a location are there.
    pub(super) fn known_values(&mut self, location: usize, who: Who<'_>) -> Result<Vec<TermId>, Refusal> {
        let here = &self.certificate.locations[location];
        let mut parts = Vec::new();
        for (quantity, known) in &here.constants {
            let (slot, bits) = self.slot(here.template, &here.point, quantity)?;
            let expected = self.known(known, (slot, bits), &here.point)?;
            let value = self.slot_value(location, slot, bits, who)?;
            if value == expected {
                continue;
            }
            let is_made = |known: &Known| match known {
                Known::Address(Object::Made { .. } | Object::Life(_), _) => true,
                Known::Address(Object::Global(global), _) => self.program.globals[*global].thread_local,
                Known::Constant(_) => false,
            };
            if is_made(known) {
                // Of what is made again the old address is not the new one, whatever their numbers: only where the address came from tells.
                parts.push(self.terms.bool(false));
            } else {
                parts.push(raddle_semantics::values::equal(&mut self.terms, value, expected));
            }
        }
        Ok(parts)
    }

    /// A formula as one term.
    pub(super) fn term(&mut self, formula: &Formula) -> TermId {
        let mut any = self.terms.bool(false);
        for conjunction in formula {
            let all = self.terms.and_all(conjunction.iter().copied());
            any = self.terms.or(any, all);
        }
        any
    }
}

fn too_wide() -> Refusal {
    Refusal::new("an invariant has a sum of more than 128 bits", Span::NONE)
}
