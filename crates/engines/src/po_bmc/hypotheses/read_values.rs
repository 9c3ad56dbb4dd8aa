//! Which values reads read.

use super::{Hypothesis, Seen};
use crate::po_bmc::symbolic::{ReadKey, ReadValues, ValueSet};

/// The reads of an execution, those included that are no events because of what is assumed of them.
fn reads<'s>(seen: &'s Seen<'_, '_>) -> impl Iterator<Item = ReadKey> + 's {
    let events = seen.report.reads.iter().map(|(key, _)| *key);
    events.chain(seen.report.constant_reads.iter().map(|read| read.key))
}

impl ReadValues {
    /// Whether what is assumed of a read allows all that it may read.
    fn covers_read(&self, key: ReadKey, seen: &Self) -> bool {
        let Some(assumed) = self.known.get(&key) else { return true };
        seen.known.get(&key).is_some_and(|seen| assumed.covers(seen))
    }
}

impl Hypothesis for ReadValues {
    fn covers(&self, seen: &mut Seen<'_, '_>) -> bool {
        reads(seen).all(|key| self.covers_read(key, &seen.values))
    }

    /// Assumptions about single reads are widened, or dropped for good.
    fn weaken(&mut self, seen: &mut Seen<'_, '_>) {
        let refuted: Vec<ReadKey> = reads(seen).filter(|key| !self.covers_read(*key, &seen.values)).collect();
        for key in refuted {
            let assumed = self.known.remove(&key);
            let wider =
                assumed.zip(seen.values.known.get(&key)).and_then(|(assumed, seen)| assumed.join(seen));
            match wider {
                Some(wider) => _ = self.known.insert(key, wider),
                None => _ = self.banned.insert(key),
            }
        }
    }

    fn infer(&mut self, seen: &mut Seen<'_, '_>) -> bool {
        let mut is_new = false;
        for (key, found) in std::mem::take(&mut seen.values.known) {
            if self.banned.contains(&key) {
                continue;
            }
            let is_better = match (&found, self.known.get(&key)) {
                (_, None) => true,
                (ValueSet::Between { .. }, Some(before @ ValueSet::Between { .. })) => {
                    before.covers(&found) && *before != found
                }
                (ValueSet::OneOf(_), Some(before)) => *before != found,
                (ValueSet::Between { .. }, Some(ValueSet::OneOf(_))) => false,
            };
            if is_better {
                self.known.insert(key, found);
                is_new = true;
            }
        }
        is_new
    }
}
