//! Points-to analysis on the tree (inclusion-based: Andersen 1994): which objects pointers may lead to, and at which offsets.
//!
//! One set for each offset in a variable and for the result of each function, whatever the control flow. Offsets in an object
//! are distinguished where they are known, and otherwise described by a first one and the distance between further ones.
//! Sets may be too large, never too small.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use raddle_cfront::ast::{ExprId, FunctionId, VarId};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::program::Program;

/// What a pointer may lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Object {
    /// A variable.
    Var(VarId),
    /// A function.
    Function(FunctionId),
    /// A string literal or another constant.
    Text,
    /// Nothing: a number was made a pointer.
    Number,
    /// What a call that allocates memory gives, if that has no name.
    Heap(ExprId),
    /// What a variable leads to that the program does not define: an object of the library.
    Outside(VarId),
    /// What cannot be followed.
    Unknown,
}

impl Object {
    /// Whether it is memory that can be changed.
    pub(super) const fn is_memory(self) -> bool {
        matches!(self, Self::Var(_) | Self::Heap(_) | Self::Outside(_))
    }
}

/// Offsets in an object: `base`, and everything that lies a multiple of `stride` from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Target {
    pub(super) object: Object,
    pub(super) base: i64,
    pub(super) stride: u64,
}

impl Target {
    pub(super) fn new(object: Object) -> Self {
        Self { object, base: 0, stride: 0 }
    }

    fn moved(self, base: i64, stride: u64) -> Self {
        let stride = gcd(self.stride, stride);
        let base = self.base.saturating_add(base);
        Self { object: self.object, base: within(base, stride), stride }
    }

    /// Whether all offsets of `other` are offsets of this one.
    fn covers(self, other: Self) -> bool {
        let apart = self.base.abs_diff(other.base);
        if self.stride == 0 {
            return other.stride == 0 && apart == 0;
        }
        other.stride.is_multiple_of(self.stride) && apart.is_multiple_of(self.stride)
    }

    fn with(self, other: Self) -> Self {
        let stride = gcd(gcd(self.stride, other.stride), self.base.abs_diff(other.base));
        Self { object: self.object, base: within(self.base.min(other.base), stride), stride }
    }

    /// Whether an access of `size` bytes here may touch `length` bytes at `offset`.
    pub(super) fn touches(self, size: u64, offset: u64, length: u64) -> bool {
        let (offset, length, size) = (i128::from(offset), i128::from(length), i128::from(size));
        let base = i128::from(self.base);
        // An offset p with offset - size < p < offset + length.
        let (low, high) = (offset - size + 1, offset + length - 1);
        if self.stride == 0 {
            return (low..=high).contains(&base);
        }
        let stride = i128::from(self.stride);
        let first = low + (base - low).rem_euclid(stride);
        first <= high
    }
}

fn gcd(left: u64, right: u64) -> u64 {
    if right == 0 { left } else { gcd(right, left % right) }
}

fn within(base: i64, stride: u64) -> i64 {
    match i64::try_from(stride) {
        Ok(stride) if stride > 0 => base.rem_euclid(stride),
        Ok(_) | Err(_) => base,
    }
}

/// A set of targets. An object that has many offsets in it has all of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Targets(BTreeSet<Target>);

/// More offsets than this are described by their distance.
const MOST_PLACES: usize = 8;

impl Targets {
    pub(super) fn iter(&self) -> impl Iterator<Item = Target> + '_ {
        self.0.iter().copied()
    }

    pub(super) fn contains(&self, object: Object) -> bool {
        self.iter().any(|target| target.object == object)
    }

    fn add_all(&mut self, others: &Self) {
        for target in others.iter() {
            self.add(target);
        }
    }

    /// Adds a target; says whether it is new.
    fn add(&mut self, target: Target) -> bool {
        if self.iter().any(|known| known.object == target.object && known.covers(target)) {
            return false;
        }
        let same: Vec<Target> = self.iter().filter(|known| known.object == target.object).collect();
        if same.len() < MOST_PLACES {
            self.0.retain(|known| known.object != target.object || !target.covers(*known));
            self.0.insert(target);
        } else {
            self.0.retain(|known| known.object != target.object);
            self.0.insert(same.into_iter().fold(target, Target::with));
        }
        true
    }
}

/// Who holds pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    /// An offset in an object; anywhere in it if that is not known.
    Object(Object, Option<i64>),
    /// What a function returns.
    Result(FunctionId),
}

/// Where a pointer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FlowSource {
    /// It is the address of something.
    Address(Target),
    /// Somebody holds it.
    Held(Holder),
    /// It is the scalar that lies where these lead.
    Through(Vec<Self>),
    /// It is a part of what lies where these lead.
    Within(Vec<Self>),
    /// A function gives it that one of these leads to.
    Returned(Vec<Self>),
    /// One of these, moved by so much and any multiple of so much.
    Moved(Vec<Self>, i64, u64),
}

/// Where a pointer goes.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// To somebody who holds it.
    Holder(Holder),
    /// To the scalar that lies where these lead.
    Through(Vec<FlowSource>),
    /// Anywhere in the objects that these lead to.
    Within(Vec<FlowSource>),
}

/// Where all pointers of a program may lead.
#[derive(Debug, Default)]
pub(super) struct Points {
    held: IndexMap<Holder, Targets, FxBuildHasher>,
    /// The offsets of each object that are distinguished.
    places: FxHashMap<Object, Vec<i64>>,
    /// The functions that are more than names.
    bodies: FxHashSet<FunctionId>,
}

impl Points {
    /// Looks through the whole program.
    pub(super) fn of(program: &Program) -> Self {
        let flows = super::flows::flows(program);
        let bodies = program.definitions().into_iter().map(|(_, function)| function).collect();
        let mut points = Self { bodies, ..Self::default() };
        loop {
            let mut grown = false;
            for (from, to) in &flows {
                let found = points.targets(from);
                match to {
                    Goal::Holder(holder) => grown |= points.add(*holder, &found),
                    Goal::Through(places) | Goal::Within(places) => {
                        let exact = matches!(to, Goal::Through(_));
                        for place in points.targets(places).iter() {
                            if place.object.is_memory() {
                                let known = (exact && place.stride == 0).then_some(place.base);
                                grown |= points.add(Holder::Object(place.object, known), &found);
                            }
                        }
                    }
                }
            }
            if !grown {
                return points;
            }
        }
    }

    fn add(&mut self, holder: Holder, found: &Targets) -> bool {
        if let Holder::Object(object, Some(place)) = holder {
            let places = self.places.entry(object).or_default();
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let held = self.held.entry(holder).or_default();
        let mut grown = false;
        for target in found.iter() {
            grown |= held.add(target);
        }
        grown
    }

    /// What an object may hold: at this offset, or anywhere.
    pub(super) fn held(&self, object: Object, place: Option<i64>) -> Targets {
        let mut found = Targets::default();
        let mut add = |place: Option<i64>| {
            for target in self.held.get(&Holder::Object(object, place)).into_iter().flat_map(Targets::iter) {
                found.add(target);
            }
        };
        add(None);
        match place {
            Some(_) => add(place),
            None => self.places.get(&object).into_iter().flatten().for_each(|&place| add(Some(place))),
        }
        found
    }

    /// Where one of these may lead.
    pub(super) fn targets(&self, sources: &[FlowSource]) -> Targets {
        let mut found = Targets::default();
        for source in sources {
            match source {
                FlowSource::Address(target) => {
                    found.add(*target);
                }
                FlowSource::Held(Holder::Object(object, place)) => found.add_all(&self.held(*object, *place)),
                FlowSource::Held(holder @ Holder::Result(_)) => {
                    if let Some(held) = self.held.get(holder) {
                        found.add_all(held);
                    }
                }
                FlowSource::Through(places) | FlowSource::Within(places) => {
                    let exact = matches!(source, FlowSource::Through(_));
                    for place in self.targets(places).iter() {
                        match place.object {
                            Object::Var(_) | Object::Heap(_) | Object::Outside(_) => {
                                let known = (exact && place.stride == 0).then_some(place.base);
                                found.add_all(&self.held(place.object, known));
                            }
                            Object::Unknown => {
                                found.add(Target::new(Object::Unknown));
                            }
                            Object::Function(_) | Object::Text | Object::Number => {}
                        }
                    }
                }
                FlowSource::Returned(callees) => {
                    for callee in self.targets(callees).iter() {
                        match callee.object {
                            Object::Function(function) if self.bodies.contains(&function) => {
                                if let Some(held) = self.held.get(&Holder::Result(function)) {
                                    found.add_all(held);
                                }
                            }
                            _ => {
                                found.add(Target::new(Object::Unknown));
                            }
                        }
                    }
                }
                FlowSource::Moved(inner, base, stride) => {
                    for target in self.targets(inner).iter() {
                        found.add(target.moved(*base, *stride));
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Object, Target, Targets};

    const fn at(base: i64, stride: u64) -> Target {
        Target { object: Object::Text, base, stride }
    }

    #[test]
    fn places_touch_what_they_overlap() {
        assert!(at(4, 0).touches(4, 4, 4));
        assert!(!at(4, 0).touches(4, 0, 4));
        assert!(at(2, 0).touches(4, 0, 4));
        assert!(at(4, 40).touches(4, 84, 4));
        assert!(!at(4, 40).touches(4, 80, 4));
        assert!(at(4, 40).touches(8, 88, 1));
        assert!(!at(4, 40).touches(4, 88, 36));
        assert!(at(0, 1).touches(1, 1_000, 1));
    }

    #[test]
    fn many_places_become_all_of_a_kind() {
        let mut targets = Targets::default();
        for place in 0..20 {
            targets.add(at(place * 8 + 4, 0));
        }
        assert_eq!(targets.iter().collect::<Vec<_>>(), [at(4, 8)]);
        assert!(!targets.add(at(804, 0)), "that is one of them");
        assert!(targets.add(at(806, 0)));
    }
}
