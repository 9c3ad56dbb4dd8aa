//! What is known at each location, for each way to answer the questions of [`atoms`](crate::atoms).

use std::collections::{BTreeMap, BTreeSet};

use raddle_domains::{Constraint, Domain as _, Form, Product};
use raddle_flow::{CheckId, Flow, LocationId, LocationKind, TemplateId};
use raddle_logic::term::Term;
use rustc_hash::FxHashMap;

use crate::atoms::{AtomKind, Key};
use crate::linear::{constant, numeric, range};
use crate::pairs::Pairs;
use crate::space::Space;
use crate::steps::Step;
use crate::transfer::{self, Known, Together, with};

/// An element is joined so often before it is widened.
const PATIENCE: u32 = 3;
/// An element that changed more often is widened to few thresholds only.
const MANY: u32 = 40;
/// A location with more elements keeps them together.
const MOST_KEYS: usize = 64;

pub(crate) type At = (TemplateId, LocationId);

/// What is known at a location where the questions have these answers.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub at: At,
    pub key: Key,
    pub element: Product,
    pub version: u32,
    changes: u32,
}

/// Invariants.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub entries: Vec<Entry>,
    by_key: FxHashMap<(At, Key), usize>,
    by_location: BTreeMap<At, Vec<usize>>,
    /// What all entries of a location have in common, and how often that changed.
    hulls: FxHashMap<At, (Product, u32)>,
    /// What is known of two threads together; none: that was not asked.
    pub pairs: Option<Pairs>,
    /// How many elements were computed.
    pub computed: usize,
}

impl Found {
    /// Nothing yet, with pairs if these are asked for.
    pub(crate) fn new(pairs: Option<Pairs>) -> Self {
        Self { pairs, ..Self::default() }
    }

    /// The entries of a location.
    pub(crate) fn at(&self, at: At) -> &[usize] {
        self.by_location.get(&at).map_or(&[], |entries| entries)
    }

    /// What is known at a location: one of these.
    pub(crate) fn elements(&self, at: At) -> impl Iterator<Item = &Product> {
        self.at(at).iter().map(|&index| &self.entries[index].element)
    }

    /// What is known at a location whatever the answers, and how often that changed; none if no thread comes there.
    pub(crate) fn hull(&self, at: At) -> Option<(&Product, u32)> {
        self.hulls.get(&at).map(|(element, version)| (element, *version))
    }

    /// What is known of two of the threads that take part in a step, the first two; one of these.
    pub(crate) fn together(&self, first: At, second: At) -> Vec<Option<Together<'_>>> {
        let Some(pairs) = &self.pairs else { return vec![None] };
        let both = |element| Together { first: 0, second: 1, element };
        pairs.seen(first, second).map(|seen| seen.element.map(both)).collect()
    }

    /// Checks that may fail, as far as is known.
    pub(crate) fn open_checks(&self, flow: &Flow, steps: &[Step], space: &Space<'_>) -> Vec<CheckId> {
        let mut open = BTreeSet::new();
        for step in steps {
            let LocationKind::Failed(check) = flow.templates[step.template].locations[step.to].kind else {
                continue;
            };
            let at = (step.template, step.from);
            let fails = |element| transfer::may_step(flow, space, step, Known { at, element });
            if !open.contains(&check) && self.elements(at).any(fails) {
                open.insert(check);
            }
        }
        open.into_iter().collect()
    }

    /// Adds what may be known at a location; widens if there are thresholds. Whether that is new.
    pub(crate) fn add(
        &mut self,
        space: &Space<'_>,
        at: At,
        mut element: Product,
        thresholds: Option<&Thresholds>,
    ) -> bool {
        space.assume_few(&mut element, at, space.common());
        if element.is_empty() {
            return false;
        }
        let mut news = false;
        for (key, part) in split(space, at, element) {
            news |= self.add_part(at, key, part, thresholds);
        }
        news
    }

    fn add_part(&mut self, at: At, key: Key, part: Product, thresholds: Option<&Thresholds>) -> bool {
        self.computed += 1;
        let Some(&index) = self.by_key.get(&(at, key.clone())) else {
            let here = self.by_location.entry(at).or_default();
            // Too many: the rest is kept together, whatever the answers.
            let together: Key = vec![None; key.len()];
            if here.len() >= MOST_KEYS && key != together {
                return self.add_part(at, together, part, thresholds);
            }
            let index = self.entries.len();
            here.push(index);
            self.by_key.insert((at, key.clone()), index);
            self.cover(at, &part);
            self.entries.push(Entry { at, key, element: part, version: 1, changes: 0 });
            return true;
        };
        let entry = &mut self.entries[index];
        if entry.element.includes(&part) {
            return false;
        }
        let joined = entry.element.join(&part);
        entry.changes += 1;
        entry.element = match thresholds {
            Some(thresholds) if entry.changes > PATIENCE => {
                entry.element.widen(&joined, thresholds.after(entry.changes))
            }
            Some(_) | None => joined,
        };
        entry.version += 1;
        let element = entry.element.clone();
        self.cover(at, &element);
        true
    }

    fn cover(&mut self, at: At, element: &Product) {
        match self.hulls.get_mut(&at) {
            None => _ = self.hulls.insert(at, (element.clone(), 1)),
            Some((hull, version)) if !hull.includes(element) => {
                (*hull, *version) = (hull.join(element), *version + 1);
            }
            Some(_) => {}
        }
    }
}

/// The parts of an element by the answers to the questions.
fn split(space: &Space<'_>, at: At, element: Product) -> Vec<(Key, Product)> {
    let mut parts = vec![(Key::new(), element)];
    let locals = space.locals(at);
    for (index, atom) in space.atoms.list.iter().enumerate() {
        let dim = if let AtomKind::Around { row, .. } = atom.kind {
            space.row_place(row, at)
        } else if atom.owner.is_none() {
            space.place.get(&atom.variable).copied()
        } else {
            let own = locals.iter().position(|&variable| variable == atom.variable);
            own.map(|index| space.common() + index)
        };
        let dim = dim.filter(|_| space.atoms.is_asked(index, at, locals));
        let mut next = Vec::new();
        for (key, part) in parts {
            let answered = |answer: Option<u8>| {
                let mut key = key.clone();
                key.push(answer);
                key
            };
            match dim {
                None => next.push((answered(None), part)),
                Some(dim) => {
                    let answers = answers(&atom.kind, dim, &part);
                    next.extend(answers.into_iter().map(|(answer, part)| (answered(Some(answer)), part)));
                }
            }
        }
        parts = next;
    }
    parts
}

/// The parts of an element by the answers to one question about a dimension.
fn answers(kind: &AtomKind, dim: usize, element: &Product) -> Vec<(u8, Product)> {
    let variable = Form::variable(dim);
    let bounds = element.bounds(&variable);
    let minus = |number: i128| variable.plus_constant(-number);
    let mut parts = Vec::new();
    match kind {
        AtomKind::Value(values) => {
            let mut rest = Some(element.clone());
            for (answer, &value) in (0_u8..).zip(values) {
                if !bounds.includes(raddle_domains::Interval::only(value)) {
                    continue;
                }
                let Some(form) = minus(value) else { continue };
                parts.extend(with(element, &Constraint::equal(form.clone())).map(|part| (answer, part)));
                rest = rest.and_then(|rest| with(&rest, &Constraint::not_equal(form)));
            }
            let is_one = bounds.single().is_some_and(|value| values.contains(&value));
            let other = u8::try_from(values.len()).unwrap_or(u8::MAX);
            parts.extend(rest.filter(|_| !is_one).map(|part| (other, part)));
        }
        AtomKind::Around { bits, between: (low, high), .. } => {
            let half = 1_i128 << (bits - 1);
            for (answer, multiple) in (0_u8..).zip(*low..=*high) {
                let middle = multiple << bits;
                let above = Form::constant(middle - half).plus(&variable, -1).map(Constraint::at_most_zero);
                let below = minus(middle + half - 1).map(Constraint::at_most_zero);
                let part = above.and_then(|above| with(element, &above));
                let part = below.and_then(|below| with(&part?, &below));
                parts.extend(part.map(|part| (answer, part)));
            }
        }
        AtomKind::Sign(number) => {
            let form = minus(*number);
            let below = form.as_ref().and_then(|form| form.plus_constant(1)).map(Constraint::at_most_zero);
            let at = form.clone().map(Constraint::equal);
            let above = form.and_then(|form| Form::constant(1).plus(&form, -1)).map(Constraint::at_most_zero);
            for (answer, constraint) in [(0, below), (1, at), (2, above)] {
                match constraint {
                    Some(constraint) => {
                        parts.extend(with(element, &constraint).map(|part| (answer, part)));
                    }
                    None => parts.push((answer, element.clone())),
                }
            }
        }
    }
    parts
}

/// What bounds that move are widened to, ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thresholds {
    /// All numbers of the program, those beside them, their opposites, and the limits of types.
    all: Vec<i128>,
    /// Zero, one, and the limits of the types of variables.
    few: Vec<i128>,
}

impl Thresholds {
    /// Of a program.
    pub(crate) fn new(flow: &Flow, steps: &[Step]) -> Self {
        let sorts = flow.variables.values().filter_map(|variable| numeric(variable.sort));
        let limits = sorts.filter(|width| *width > 1).flat_map(|width| {
            [true, false].into_iter().flat_map(move |signed| {
                let range = range(width, signed);
                range.low.into_iter().chain(range.high)
            })
        });
        let few: BTreeSet<i128> = limits.chain([0, 1]).collect();
        let mut all: BTreeSet<i128> = few.iter().copied().chain([-1, 2]).collect();
        let roots: Vec<_> = steps
            .iter()
            .flat_map(|step| step.guards.iter().copied().chain(step.updates.iter().map(|(_, value)| *value)))
            .chain(flow.initial.iter().map(|(_, value)| *value))
            .collect();
        for term in flow.terms.subterms(&roots) {
            if let Term::Bits { value, width } = flow.terms[term]
                && width <= 64
            {
                for signed in [true, false] {
                    let number = constant(value, width, signed);
                    all.extend((-1..=1).flat_map(|by| [number + by, -number + by]));
                }
            }
        }
        Self { all: all.into_iter().collect(), few: few.into_iter().collect() }
    }

    /// Those for an element that changed so often.
    pub(crate) fn after(&self, changes: u32) -> &[i128] {
        if changes > MANY { &self.few } else { &self.all }
    }
}
