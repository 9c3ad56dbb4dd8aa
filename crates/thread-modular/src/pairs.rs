//! What is known of two threads together: an element for each two locations, kept apart by which of the two sampled last.
//!
//! Counters are left out: what each of the two knows of them is known already. Invariant: a pair of locations is stored once, the
//! lower location first; of two equal locations each entry is there seen from either thread.

use std::collections::BTreeMap;

use raddle_domains::{Domain as _, Product};

use crate::found::{At, Thresholds};
use crate::sampling::{Sampling, Tags, swapped};
use crate::space::Space;

/// An element is joined so often before it is widened.
const PATIENCE: u32 = 3;

/// Two threads at two locations.
#[derive(Clone, Debug)]
pub(crate) struct Two {
    pub first: At,
    pub second: At,
    pub tags: Tags,
    /// Over what is common, what the first has, what the second has; none: nothing but that they may stand there.
    pub element: Option<Product>,
}

/// What is known of two threads, and when it was changed.
#[derive(Clone, Debug)]
struct Entry {
    known: Two,
    /// The same, seen from the second one.
    swapped: Option<Product>,
    version: u32,
    changes: u32,
}

/// What is known of two threads, as the first of them sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'p> {
    /// Which entry it is, and which version.
    pub entry: usize,
    pub version: u32,
    is_swapped: bool,
    tags: &'p Tags,
    pub element: Option<&'p Product>,
}

impl Seen<'_> {
    pub(crate) fn tags(&self) -> Tags {
        if self.is_swapped { swapped(self.tags) } else { self.tags.clone() }
    }
}

/// All that is known of two threads. Of what is not here it is known that no two threads stand there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    entries: Vec<Entry>,
    by_place: BTreeMap<(At, At), Vec<usize>>,
}

impl Pairs {
    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Where the two threads of an entry stand.
    pub(crate) fn places(&self, entry: usize) -> (At, At) {
        (self.entries[entry].known.first, self.entries[entry].known.second)
    }

    /// An entry, seen from its first thread or its second one.
    pub(crate) fn view(&self, entry: usize, is_swapped: bool) -> Seen<'_> {
        let Entry { known, swapped, version, .. } = &self.entries[entry];
        let element = if is_swapped { swapped.as_ref() } else { known.element.as_ref() };
        Seen { entry, version: *version, is_swapped, tags: &known.tags, element }
    }

    /// What may be known of two threads at these locations: one of these.
    pub(crate) fn seen(&self, first: At, second: At) -> impl Iterator<Item = Seen<'_>> {
        let is_swapped = second < first;
        let place = if is_swapped { (second, first) } else { (first, second) };
        let entries = self.by_place.get(&place).into_iter().flatten();
        entries.map(move |&entry| self.view(entry, is_swapped))
    }

    /// Adds what may be known of two threads; widens if there are thresholds. Whether that is new.
    pub(crate) fn add(
        &mut self,
        space: &Space<'_>,
        sampling: &Sampling,
        mut two: Two,
        thresholds: Option<&Thresholds>,
    ) -> bool {
        if two.element.as_ref().is_some_and(Product::is_empty) {
            return false;
        }
        two.tags = sampling.kept(two.tags, space, two.first, two.second);
        if sampling.relates(two.first, two.second) {
            if let Some(element) = &mut two.element {
                (0..space.counters.len()).for_each(|index| element.forget(space.counter(index)));
            }
        } else {
            (two.element, two.tags) = (None, sampling.nothing());
        }
        let other = turned(space, &two);
        if two.first == two.second {
            let one = self.join(space, two, thresholds);
            return self.join(space, other, thresholds) || one;
        }
        self.join(space, if two.second < two.first { other } else { two }, thresholds)
    }

    fn join(&mut self, space: &Space<'_>, two: Two, thresholds: Option<&Thresholds>) -> bool {
        let here = self.by_place.entry((two.first, two.second)).or_default();
        let known = here.iter().copied().find(|&entry| self.entries[entry].known.tags == two.tags);
        let Some(index) = known else {
            here.push(self.entries.len());
            let swapped = turned(space, &two).element;
            self.entries.push(Entry { known: two, swapped, version: 1, changes: 0 });
            return true;
        };
        let entry = &mut self.entries[index];
        let (Some(old), Some(new)) = (&entry.known.element, &two.element) else { return false };
        if old.includes(new) {
            return false;
        }
        let joined = old.join(new);
        entry.changes += 1;
        entry.known.element = Some(match thresholds {
            Some(thresholds) if entry.changes > PATIENCE => {
                old.widen(&joined, thresholds.after(entry.changes))
            }
            Some(_) | None => joined,
        });
        entry.swapped = turned(space, &entry.known).element;
        entry.version += 1;
        true
    }
}

/// The same two threads, the second one first.
fn turned(space: &Space<'_>, two: &Two) -> Two {
    let (first, second) = (space.locals(two.first).len(), space.locals(two.second).len());
    let common = space.common();
    let to: Vec<Option<usize>> = (0..common)
        .chain(common + second..common + second + first)
        .chain(common..common + second)
        .map(Some)
        .collect();
    let element = two.element.as_ref().map(|element| element.remap(common + first + second, &to));
    Two { first: two.second, second: two.first, tags: swapped(&two.tags), element }
}
