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
