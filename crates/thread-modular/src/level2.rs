//! Steps of two threads of which something is known together, and of a third one beside them.
//!
//! What is known of two threads begins when one of them is started, by the other one or by a third, and goes along with the steps of either. A step
//! of a third changes what is shared: what each of the two knows together with the third is met before it.

use raddle_base::Budget;
use raddle_domains::Product;

use crate::fixpoint::{Search, Stopped};
use crate::found::At;
use crate::pairs::Two;
use crate::sampling::Tags;
use crate::transfer::{self, Known, Together, Who};

/// A kind of work, for what was done.
const STARTS: usize = 0;
const MOVES: usize = 1;
const THIRD: usize = 3;

impl Search<'_> {
    /// Makes all steps of two and three threads that were not made yet. Whether there was anything new.
    pub(crate) fn round_of_pairs(&mut self, budget: &Budget) -> Result<bool, Stopped> {
        let mut news = false;
        for step in 0..self.steps.len() {
            news |= self.start(step, budget)?;
        }
        let mut entry = 0;
        while entry < self.count() {
            let (first, second) = self.places(entry);
            news |= self.move_one(entry, false, budget)?;
            if first != second {
                news |= self.move_one(entry, true, budget)?;
            }
            for step in 0..self.steps.len() {
                news |= self.move_third(entry, step, budget)?;
            }
            entry += 1;
        }
        Ok(news)
    }

    fn count(&self) -> usize {
        self.found.pairs.as_ref().map_or(0, crate::pairs::Pairs::len)
    }

    fn places(&self, entry: usize) -> (At, At) {
        let pairs = self.found.pairs.as_ref().expect("there are pairs at level 2");
        pairs.places(entry)
    }

    fn add_two(&mut self, first: At, second: At, tags: Tags, element: Option<Product>) -> bool {
        let (Some(sampling), Some(pairs)) = (self.sampling, &mut self.found.pairs) else { return false };
        let Some(element) = element else { return false };
        self.found.computed += 1;
        let two = Two { first, second, tags, element: Some(element) };
        pairs.add(self.space, sampling, two, Some(&self.thresholds))
    }

    /// Whether this was done with these versions before.
    fn is_done(&mut self, what: [usize; 5], versions: [u32; 6]) -> bool {
        self.pairs_done.insert(what, versions) == Some(versions)
    }

    /// A thread starts another one.
    fn start(&mut self, index: usize, budget: &Budget) -> Result<bool, Stopped> {
        let (flow, space, step) = (self.flow, self.space, &self.steps[index]);
        let Some((template, ..)) = &step.spawn else { return Ok(false) };
        let (from, to) = ((step.template, step.from), (step.template, step.to));
        let Some((element, version)) = self.found.hull(from) else { return Ok(false) };
        let element = element.clone();
        if self.is_done([STARTS, index, 0, 0, 0], [version, 0, 0, 0, 0, 0]) || !self.is_followed(to) {
            return Ok(false);
        }
        self.spend(budget)?;
        let child = (*template, flow.templates[*template].entry);
        let known = Known { at: from, element: &element };
        let after = transfer::after(flow, space, step, &[known], &[]);
        let both = after.and_then(|after| after.of(&[Who::Actor, Who::Child]));
        let nothing = self.sampling.map_or_else(Tags::new, crate::sampling::Sampling::nothing);
        Ok(self.is_followed(child) && self.add_two(to, child, nothing, both))
    }

    /// One of the two makes a step: the first one, or the second one.
    fn move_one(&mut self, entry: usize, is_second: bool, budget: &Budget) -> Result<bool, Stopped> {
        let (flow, space, steps) = (self.flow, self.space, self.steps);
        let (first, second) = self.places(entry);
        let (mover, stays) = if is_second { (second, first) } else { (first, second) };
        let mut news = false;
        for (index, step) in steps.iter().enumerate() {
            if (step.template, step.from) != mover {
                continue;
            }
            let (Some(own), Some(its)) = (self.found.hull(mover), self.found.hull(stays)) else { continue };
            let (Some(pairs), Some(sampling)) = (&self.found.pairs, self.sampling) else { continue };
            let seen = pairs.view(entry, is_second);
            let versions = [seen.version, own.1, its.1, 0, 0, 0];
            let what = [MOVES + usize::from(is_second), entry, index, 0, 0];
            if self.pairs_done.insert(what, versions) == Some(versions) {
                continue;
            }
            let threads = [Known { at: mover, element: own.0 }, Known { at: stays, element: its.0 }];
            let both = seen.element.map(|element| Together { first: 0, second: 1, element });
            let both: Vec<Together<'_>> = both.into_iter().collect();
            let after = transfer::after(flow, space, step, &threads, &both);
            let tags = sampling.after(index, &seen.tags());
            let nothing = sampling.nothing();
            self.spend(budget)?;
            let Some(after) = after else { continue };
            let to = (step.template, step.to);
            if self.is_followed(to) {
                news |= self.add_two(to, stays, tags, after.of(&[Who::Actor, Who::Other(1)]));
            }
            if let Some((template, ..)) = &step.spawn {
                let child = (*template, flow.templates[*template].entry);
                news |= self.add_two(child, stays, nothing, after.of(&[Who::Child, Who::Other(1)]));
            }
        }
        Ok(news)
    }

    /// A third thread makes a step that changes what is shared.
    fn move_third(&mut self, entry: usize, index: usize, budget: &Budget) -> Result<bool, Stopped> {
        let (flow, space, step) = (self.flow, self.space, &self.steps[index]);
        let third = (step.template, step.from);
        let (first, second) = self.places(entry);
        let changes = step.updates.iter().any(|(variable, _)| space.place.contains_key(variable));
        if !changes || !self.is_other(third, first) || !self.is_other(third, second) {
            return Ok(false);
        }
        let Some(pairs) = &self.found.pairs else { return Ok(false) };
        if pairs.view(entry, false).element.is_none() {
            return Ok(false);
        }
        let ways: Vec<(usize, usize)> = pairs
            .seen(third, first)
            .flat_map(|one| pairs.seen(third, second).map(move |other| (one.entry, other.entry)))
            .collect();
        let mut news = false;
        for (one, other) in ways {
            let hulls = [third, first, second].map(|at| self.found.hull(at));
            let [Some(actor), Some(left), Some(right)] = hulls else { continue };
            let Some(pairs) = &self.found.pairs else { continue };
            let seen = pairs.view(entry, false);
            let one = pairs.view(one, first < third);
            let other = pairs.view(other, second < third);
            let versions = [seen.version, one.version, other.version, actor.1, left.1, right.1];
            if self.pairs_done.insert([THIRD, entry, index, one.entry, other.entry], versions)
                == Some(versions)
            {
                continue;
            }
            let threads = [(third, actor), (first, left), (second, right)]
                .map(|(at, (element, _))| Known { at, element });
            let known = [(1, 2, seen.element), (0, 1, one.element), (0, 2, other.element)];
            let together: Vec<Together<'_>> = known
                .into_iter()
                .filter_map(|(first, second, element)| Some(Together { first, second, element: element? }))
                .collect();
            let after = transfer::after(flow, space, step, &threads, &together);
            let tags = seen.tags();
            self.spend(budget)?;
            let both = after.and_then(|after| after.of(&[Who::Other(1), Who::Other(2)]));
            news |= self.add_two(first, second, tags, both);
        }
        Ok(news)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use raddle_base::{Budget, Id as _};
    use raddle_domains::{Constraint, Domain as _, Form, Interval};
    use raddle_flow::{Flow, LocationId, TemplateId, VariableId};

    use super::*;
    use crate::atoms::Atoms;
    use crate::fixpoint::{self, Task};
    use crate::found::Found;
    use crate::meeting::Meeting;
    use crate::sampling::{Last, Sampling};
    use crate::space::Space;
    use crate::steps::{self, Step};
    use crate::test_flow::TestFlow;

    /// Threads that draw a ticket and keep it: in one step, or in two.
    struct Tickets {
        flow: Flow,
        steps: Vec<Step>,
        matters: BTreeSet<VariableId>,
        atoms: Atoms,
    }

    /// Where a thread has its ticket.
    const HELD: usize = 2;

    fn tickets(draws_at_once: bool) -> Tickets {
        let mut made = TestFlow::new();
        let next = made.shared("next", 0);
        let main = made.single(2);
        let drawer = made.many(4);
        let own = made.register(drawer, "own");
        made.step(main, 0, 0).spawn(drawer);
        let room = |before: &mut crate::test_flow::Before<'_>| {
            let (now, most) = (before.of(next), before.number(1000));
            before.terms.slt(now, most)
        };
        if draws_at_once {
            made.step(drawer, 0, HELD).when(room).copy(own, next).add(next, 1);
        } else {
            made.step(drawer, 0, 1).when(room).copy(own, next);
            made.step(drawer, 1, HELD).set(next, |before| before.plus(own, 1));
        }
        let mut flow = made.finish();
        let matters: BTreeSet<VariableId> = flow.variables.ids().collect();
        let steps = steps::split(&mut flow, &matters, steps::By::Choices);
        Tickets { flow, steps, matters, atoms: Atoms::default() }
    }

    impl Tickets {
        fn space(&self) -> Space<'_> {
            Space::new(&self.flow, &self.matters, &[], &self.atoms, &[], &[])
        }

        fn held(&self) -> At {
            (TemplateId::from_index(1), LocationId::from_index(HELD))
        }

        fn find(&self, space: &Space<'_>) -> Found {
            let meeting = Meeting::new(&self.flow);
            let sampling = Sampling::of(&self.flow, &self.steps, space).expect("tickets are sampled");
            let (flow, steps) = (&self.flow, &self.steps[..]);
            let task = Task { flow, steps, space, meeting: &meeting, sampling: Some(&sampling) };
            fixpoint::find(&task, 1, &mut 0, &Budget::unlimited()).expect("there is time")
        }

        /// The place of the ticket of a thread that holds one, among what it has.
        fn ticket(&self, space: &Space<'_>) -> usize {
            let own = self.flow.variables.ids().last().expect("there is a register");
            let ticket = space.locals(self.held()).iter().position(|&id| id == own);
            ticket.expect("it is live")
        }
    }

    /// The difference of two dimensions.
    fn minus(left: usize, right: usize) -> Form {
        Form::variable(left).plus(&Form::variable(right), -1).expect("it is small")
    }

    /// An element of a thread of which nothing is known: variables have values of their types.
    fn any(tickets: &Tickets, space: &Space<'_>, at: At) -> Product {
        let mut element = Product::top(space.dims(at));
        let variables = space.shared.iter().chain(space.locals(at));
        for (dim, &variable) in variables.enumerate() {
            Space::assume_typed(&tickets.flow, &mut element, variable, dim);
        }
        element
    }

    /// An element of a thread that has drawn: its ticket is below the next one.
    fn drawn(tickets: &Tickets, space: &Space<'_>) -> Product {
        let mut element = any(tickets, space, tickets.held());
        let below = minus(space.common() + tickets.ticket(space), 0).plus_constant(1).expect("it is small");
        element.guard(&Constraint::at_most_zero(below));
        element
    }

    #[test]
    fn who_draws_has_the_higher_ticket_whichever_of_the_two_it_is() {
        let tickets = tickets(true);
        let space = tickets.space();
        let draw = tickets.steps.iter().find(|step| step.spawn.is_none()).expect("tickets are drawn");
        let (from, held) = ((draw.template, draw.from), tickets.held());
        let (fresh, other) = (any(&tickets, &space, from), drawn(&tickets, &space));
        let threads = [Known { at: from, element: &fresh }, Known { at: held, element: &other }];
        let after = transfer::after(&tickets.flow, &space, draw, &threads, &[]).expect("it can be done");
        let (own, count) = (space.common() + tickets.ticket(&space), space.locals(held).len());
        let both = after.of(&[Who::Actor, Who::Other(1)]).expect("both are there");
        assert_eq!(both.bounds(&minus(own + count, own)).high, Some(-1));
        let both = after.of(&[Who::Other(1), Who::Actor]).expect("both are there");
        assert_eq!(both.bounds(&minus(own, own + count)).high, Some(-1));
    }

    #[test]
    fn a_third_thread_changes_what_is_shared_and_not_what_two_have() {
        let tickets = tickets(true);
        let space = tickets.space();
        let draw = tickets.steps.iter().find(|step| step.spawn.is_none()).expect("tickets are drawn");
        let (from, held) = ((draw.template, draw.from), tickets.held());
        let (own, count) = (space.common() + tickets.ticket(&space), space.locals(held).len());
        let mut together = Product::top(space.common() + 2 * count);
        let ordered = minus(own, own + count).plus_constant(1).expect("it is small");
        together.guard(&Constraint::at_most_zero(ordered));
        let full = minus(0, own + count).plus_constant(-1).expect("it is small");
        together.guard(&Constraint::equal(full));
        let (fresh, holder) = (any(&tickets, &space, from), drawn(&tickets, &space));
        let threads = [(from, &fresh), (held, &holder), (held, &holder)];
        let threads = threads.map(|(at, element)| Known { at, element });
        let known = [Together { first: 1, second: 2, element: &together }];
        let after = transfer::after(&tickets.flow, &space, draw, &threads, &known).expect("it can be done");
        let both = after.of(&[Who::Other(1), Who::Other(2)]).expect("both are there");
        assert_eq!(both.bounds(&minus(own, own + count)).high, Some(-1));
        assert_eq!(both.bounds(&minus(0, own + count)), Interval::only(2));
    }

    #[test]
    fn what_a_third_thread_cannot_do_beside_the_two_changes_nothing() {
        let tickets = tickets(true);
        let space = tickets.space();
        let draw = tickets.steps.iter().find(|step| step.spawn.is_none()).expect("tickets are drawn");
        let (from, held) = ((draw.template, draw.from), tickets.held());
        // The third is only there while no number is drawn; the two have drawn.
        let mut early = any(&tickets, &space, from);
        early.guard(&Constraint::equal(Form::variable(0)));
        let mut late = drawn(&tickets, &space);
        let positive = Form::constant(0).plus(&Form::variable(space.common() + tickets.ticket(&space)), -1);
        late.guard(&Constraint::at_most_zero(positive.expect("it is small")));
        let threads = [(from, &early), (held, &late), (held, &late)];
        let threads = threads.map(|(at, element)| Known { at, element });
        assert!(transfer::after(&tickets.flow, &space, draw, &threads, &[]).is_none());
    }

    #[test]
    fn tickets_drawn_in_one_step_differ_and_the_tag_says_how() {
        let tickets = tickets(true);
        let space = tickets.space();
        let found = tickets.find(&space);
        let pairs = found.pairs.as_ref().expect("they were asked for");
        let (own, count) = (space.common() + tickets.ticket(&space), space.locals(tickets.held()).len());
        let mut seen: Vec<_> = pairs
            .seen(tickets.held(), tickets.held())
            .map(|seen| {
                let bounds = seen.element.expect("tickets are related").bounds(&minus(own, own + count));
                (seen.tags(), bounds.low.is_some_and(|low| low > 0), bounds.high.is_some_and(|high| high < 0))
            })
            .collect();
        seen.sort();
        assert_eq!(seen, [(vec![Last::First], true, false), (vec![Last::Second], false, true)]);
    }

    #[test]
    fn tickets_drawn_in_two_steps_may_be_equal() {
        let tickets = tickets(false);
        let space = tickets.space();
        let found = tickets.find(&space);
        let pairs = found.pairs.as_ref().expect("they were asked for");
        let (own, count) = (space.common() + tickets.ticket(&space), space.locals(tickets.held()).len());
        let may_be_equal = pairs.seen(tickets.held(), tickets.held()).any(|seen| {
            seen.element
                .is_none_or(|element| element.bounds(&minus(own, own + count)).includes(Interval::only(0)))
        });
        assert!(may_be_equal);
    }
}
