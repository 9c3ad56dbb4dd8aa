//! Putting values into a normalised initialiser, at any subobject, in any order.

use std::ops::Range;

use crate::ast::{ExprId, Init, InitPart, Subobject};
use crate::types::{TypeId, Types};

/// One step on the way from an aggregate to one of its parts (or, for a range of elements, to several).
#[derive(Clone, Copy, Debug)]
pub(super) struct PathStep {
    /// Which parts.
    pub subobject: Subobject,
    /// Whether choosing this part drops the others: the aggregate is a union.
    pub exclusive: bool,
    /// The type of the part.
    pub ty: TypeId,
    /// How many parts there are, where that is known.
    pub limit: u64,
}

impl PathStep {
    /// A step to a part of a structure or array whose type does not matter.
    pub(super) fn to(subobject: Subobject) -> Self {
        Self { subobject, exclusive: false, ty: Types::error(), limit: u64::MAX }
    }
}

/// Puts `value` at the end of `path`, dropping what stood there before.
///
/// Where the way leads through a part that was given by one expression, `expand` gives it as an aggregate.
pub(super) fn store(
    target: &mut Init,
    path: &[PathStep],
    value: Init,
    expand: &mut dyn FnMut(ExprId, PathStep) -> Vec<InitPart>,
) {
    // The end of the way.
    let Some((step, rest)) = path.split_first() else {
        *target = value;
        return;
    };
    // A string, for example, of which one character is overridden.
    if let Init::Expr(whole) = target {
        *target = Init::Aggregate(expand(*whole, *step));
    }
    let Init::Aggregate(parts) = target else { return };
    if step.exclusive {
        parts.retain(|part| part.subobject == step.subobject);
    }
    if rest.is_empty() {
        replace(parts, step.subobject, value);
        return;
    }
    // Part of the way: what is there is split so that exactly these elements can be changed.
    let covered = cover(parts, step.subobject);
    let Some((last, others)) = parts[covered].split_last_mut() else { return };
    // A range has one value for several elements: each gets it.
    for part in others {
        store(&mut part.value, rest, value.clone(), expand);
    }
    store(&mut last.value, rest, value, expand);
}

/// The index of the first part that reaches `subobject` or lies behind it.
fn covered_start(parts: &[InitPart], subobject: Subobject) -> usize {
    let (first, _) = bounds(subobject);
    parts.partition_point(|part| bounds(part.subobject).1 < first)
}

/// Takes out parts for which nothing was given: they are zero in any case.
pub(super) fn prune(init: &mut Init) {
    if let Init::Aggregate(parts) = init {
        parts.retain_mut(|part| {
            prune(&mut part.value);
            !matches!(&part.value, Init::Aggregate(inner) if inner.is_empty())
        });
    }
}

/// First and last index of a subobject.
fn bounds(subobject: Subobject) -> (u64, u64) {
    match subobject {
        Subobject::Field(index) => (u64::from(index), u64::from(index)),
        Subobject::Elements { first, last } => (first, last),
    }
}

/// The parts that overlap `subobject`.
fn overlap(parts: &[InitPart], subobject: Subobject) -> Range<usize> {
    let (_, last) = bounds(subobject);
    let start = match parts.last() {
        // Initialisers mostly go forward.
        Some(part) if bounds(part.subobject).1 < bounds(subobject).0 => parts.len(),
        Some(_) | None => covered_start(parts, subobject),
    };
    start..start + parts[start..].partition_point(|part| bounds(part.subobject).0 <= last)
}

/// What of `part` lies before `subobject`, and what behind.
fn remainders(part: &InitPart, subobject: Subobject) -> (Option<InitPart>, Option<InitPart>) {
    let ((part_first, part_last), (first, last)) = (bounds(part.subobject), bounds(subobject));
    let piece =
        |first, last| InitPart { subobject: Subobject::Elements { first, last }, value: part.value.clone() };
    let before = (part_first < first).then(|| piece(part_first, first - 1));
    let behind = (part_last > last).then(|| piece(last + 1, part_last));
    (before, behind)
}

/// Makes `value` the value of `subobject`.
fn replace(parts: &mut Vec<InitPart>, subobject: Subobject, value: Init) {
    let range = overlap(parts, subobject);
    let before = parts[range.clone()].first().and_then(|part| remainders(part, subobject).0);
    let behind = parts[range.clone()].last().and_then(|part| remainders(part, subobject).1);
    if range.start == parts.len() {
        parts.push(InitPart { subobject, value });
    } else {
        parts.splice(range, before.into_iter().chain([InitPart { subobject, value }]).chain(behind));
    }
}

/// Splits and adds parts so that some of them make up exactly `subobject`, and says which.
fn cover(parts: &mut Vec<InitPart>, subobject: Subobject) -> Range<usize> {
    let range = overlap(parts, subobject);
    // The usual case: the part is there, and just as long.
    if let [part] = &parts[range.clone()]
        && part.subobject == subobject
    {
        return range;
    }
    let (first, last) = bounds(subobject);
    let empty = |first, last| {
        let subobject =
            if let Subobject::Field(_) = subobject { subobject } else { Subobject::Elements { first, last } };
        InitPart { subobject, value: Init::Aggregate(Vec::new()) }
    };
    let mut pieces = Vec::new();
    let (mut before, mut behind) = (None, None);
    // Everything from `next` on is still without a piece.
    let mut next = first;
    for part in &parts[range.clone()] {
        let (part_first, part_last) = bounds(part.subobject);
        let (left, right) = remainders(part, subobject);
        before = before.or(left);
        behind = right;
        if part_first > next {
            pieces.push(empty(next, part_first - 1));
        }
        let inner = Subobject::Elements { first: part_first.max(first), last: part_last.min(last) };
        pieces.push(InitPart { subobject: inner, value: part.value.clone() });
        next = part_last.min(last) + 1;
    }
    if next <= last {
        pieces.push(empty(next, last));
    }
    // What stood before the range stays in front of it.
    let start = range.start + usize::from(before.is_some());
    let count = pieces.len();
    parts.splice(range, before.into_iter().chain(pieces).chain(behind));
    start..start + count
}

#[cfg(test)]
mod tests {
    use raddle_base::Id;

    use super::*;

    fn value(number: usize) -> Init {
        Init::Expr(ExprId::from_index(number))
    }

    fn elements(first: u64, last: u64) -> PathStep {
        PathStep::to(Subobject::Elements { first, last })
    }

    fn put(target: &mut Init, path: &[PathStep], number: usize) {
        store(target, path, value(number), &mut |_, _| Vec::new());
    }

    /// `0-3:7` for elements 0 to 3 with the value numbered 7; aggregates in brackets.
    fn show(init: &Init) -> String {
        match init {
            Init::Expr(expr) => expr.index().to_string(),
            Init::Aggregate(parts) => {
                let show_part = |part: &InitPart| {
                    let (first, last) = bounds(part.subobject);
                    format!("{first}-{last}:{}", show(&part.value))
                };
                format!("[{}]", parts.iter().map(show_part).collect::<Vec<_>>().join(" "))
            }
        }
    }

    #[test]
    fn a_later_value_splits_an_earlier_range() {
        let mut init = Init::Aggregate(Vec::new());
        put(&mut init, &[elements(0, 9)], 1);
        put(&mut init, &[elements(4, 5)], 2);
        assert_eq!(show(&init), "[0-3:1 4-5:2 6-9:1]");
        put(&mut init, &[elements(3, 6)], 3);
        assert_eq!(show(&init), "[0-2:1 3-6:3 7-9:1]");
        put(&mut init, &[elements(0, 20)], 4);
        assert_eq!(show(&init), "[0-20:4]");
    }

    #[test]
    fn a_part_of_a_range_keeps_what_each_element_had() {
        let mut init = Init::Aggregate(Vec::new());
        put(&mut init, &[elements(2, 2), elements(1, 1)], 1);
        put(&mut init, &[elements(4, 7), elements(1, 1)], 2);
        put(&mut init, &[elements(1, 5), elements(0, 0)], 3);
        assert_eq!(show(&init), "[1-1:[0-0:3] 2-2:[0-0:3 1-1:1] 3-3:[0-0:3] 4-5:[0-0:3 1-1:2] 6-7:[1-1:2]]");
    }

    #[test]
    fn a_union_holds_what_was_given_last() {
        let member = |index, exclusive| PathStep {
            subobject: Subobject::Field(index),
            exclusive,
            ty: Types::int(),
            limit: u64::MAX,
        };
        let mut init = Init::Aggregate(Vec::new());
        put(&mut init, &[member(1, true), member(1, false)], 1);
        put(&mut init, &[member(1, true), member(0, false)], 2);
        assert_eq!(show(&init), "[1-1:[0-0:2 1-1:1]]");
        put(&mut init, &[member(0, true)], 3);
        assert_eq!(show(&init), "[0-0:3]");
    }
}
