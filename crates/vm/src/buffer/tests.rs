//! The order in which stores may leave, against a plainer way to say it.

use super::*;
use crate::value::Origin;
use raddle_base::SplitMix;
use std::num::NonZeroU32;

fn store(operation: u64, offset: u32, size: u64, ordering: Ordering) -> DelayedStore {
    let place = Place { function: Id::from_index(0), block: Id::from_index(0), index: 0 };
    let origin = Origin::new(0, 0, NonZeroU32::MIN);
    let written = (Type::Int(32), Value::ZERO, ordering);
    DelayedStore::new((Spot { origin, offset }, size), written, operation, (place, place, None))
}

/// Which stores may leave, by their operations.
fn leaving(buffer: &StoreBuffer, model: MemoryModel) -> Vec<u64> {
    let stores = buffer.stores().iter().enumerate();
    stores.filter(|&(index, _)| buffer.may_leave(model, index)).map(|(_, store)| store.operation).collect()
}

#[test]
fn under_tso_only_the_oldest_store_leaves() {
    let mut buffer = StoreBuffer::default();
    assert!(!buffer.may_leave(MemoryModel::Tso, 0));
    for operation in 1..4 {
        buffer.push(store(operation, 8 * u32::try_from(operation).unwrap(), 4, Ordering::Plain));
    }
    assert_eq!(leaving(&buffer, MemoryModel::Tso), [1]);
    assert_eq!(leaving(&buffer, MemoryModel::Pso), [1, 2, 3]);
    assert_eq!(buffer.remove(0).operation, 1);
    assert_eq!(leaving(&buffer, MemoryModel::Tso), [2]);
    assert!(!buffer.may_leave(MemoryModel::Pso, 2));
}

#[test]
fn the_newest_store_to_any_of_the_bytes_is_found() {
    let mut buffer = StoreBuffer::default();
    buffer.push(store(1, 0, 8, Ordering::Plain));
    buffer.push(store(2, 4, 1, Ordering::Plain));
    let newest = |offset, size| {
        let spot = Spot { offset, ..buffer.stores()[0].spot };
        buffer.newest(spot, size).map(|store| store.operation)
    };
    assert_eq!(
        [newest(0, 4), newest(0, 5), newest(4, 1), newest(5, 2), newest(8, 4)],
        [Some(1), Some(2), Some(2), Some(1), None]
    );
}

/// A fence counts up; who comes behind one waits for all before it. Nothing is put in order, nothing is handed on.
#[derive(Default)]
struct Plainly {
    stores: Vec<(DelayedStore, u32)>,
    fences: u32,
}

impl Plainly {
    fn leaving(&self) -> Vec<u64> {
        let may_leave = |place: usize| {
            let (store, fences) = &self.stores[place];
            self.stores[..place].iter().all(|(earlier, before)| {
                before == fences
                    && !earlier.overlaps(store.spot, store.size)
                    && store.ordering != Ordering::Release
            })
        };
        (0..self.stores.len())
            .filter(|&place| may_leave(place))
            .map(|place| self.stores[place].0.operation)
            .collect()
    }
}

#[test]
fn under_pso_overlaps_release_stores_and_fences_hold_stores_back() {
    let mut random = SplitMix::new(3);
    let mut counts = [0, 0];
    for _ in 0..2_000 {
        let (mut buffer, mut plainly) = (StoreBuffer::default(), Plainly::default());
        for operation in 1..=12 {
            match random.below(5) {
                0 => {
                    buffer.fence();
                    plainly.fences += 1;
                }
                1 if !buffer.is_empty() => {
                    // Any may be taken away: one that nobody can reach leaves without waiting for its turn.
                    let removed = buffer.remove(random.below(buffer.len()));
                    plainly.stores.retain(|(store, _)| store.operation != removed.operation);
                }
                _ => {
                    let offset = u32::try_from(2 * random.below(6)).unwrap();
                    let size = [1, 2, 4][random.below(3)];
                    let ordering = [Ordering::Plain, Ordering::Relaxed, Ordering::Release][random.below(3)];
                    let new = store(operation, offset, size, ordering);
                    buffer.push(new);
                    plainly.stores.push((new, plainly.fences));
                }
            }
            assert_eq!(leaving(&buffer, MemoryModel::Pso), plainly.leaving(), "{buffer:?}");
            counts[0] += usize::from(plainly.leaving().len() < plainly.stores.len());
            counts[1] += usize::from(plainly.leaving().len() > 1);
        }
    }
    assert!(counts.iter().all(|&count| count > 1_000), "{counts:?}");
}
