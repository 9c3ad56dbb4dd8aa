//! Reads that do not matter are left out, and those that matter are not.

use super::*;

/// Two threads count at location 1; one writes to location 2 what it has read at location 3, where the other one writes.
fn counting() -> (Unrolling, [TermId; 2]) {
    let mut b = Builder::with_threads(2);
    let counted = b.increment(1, 1);
    b.increment(2, 1);
    b.write(1, 3, 7);
    let handed_on = b.read(2, 3);
    let to = b.address(2);
    b.write_at(2, to, handed_on);
    let found = b.read(1, 2);
    let is_seven = b.is(found, 7);
    let is_one = b.is(counted, 1);
    (b.finish(), [is_seven, is_one])
}

#[test]
fn what_nobody_looks_at_is_left_out() {
    let (mut unrolling, [is_seven, is_one]) = counting();
    let encoding = encode_reads(&mut unrolling, MemoryModel::Sc, Reads::ThatMatter(&[is_seven]));
    assert!(encoding.leaves_out(&unrolling, is_one));
    assert!(!encoding.leaves_out(&unrolling, is_seven));
    let encoding = encode_reads(&mut unrolling, MemoryModel::Sc, Reads::ThatMatter(&[is_seven, is_one]));
    assert!(!encoding.leaves_out(&unrolling, is_one));
}

#[test]
fn what_is_handed_on_through_memory_matters() {
    let (mut unrolling, [is_seven, is_one]) = counting();
    assert!(possible_sc(&mut unrolling, &[is_seven]));
    assert!(possible_sc(&mut unrolling, &[is_seven, is_one]));
    let not_seven = unrolling.terms.not(is_seven);
    assert!(possible_sc(&mut unrolling, &[not_seven]));
}

#[test]
fn what_decides_where_a_thread_goes_matters() {
    let mut b = Builder::with_threads(2);
    b.write(1, 1, 1);
    let seen = b.read(2, 1);
    let is_set = b.is(seen, 1);
    b.when(2, is_set, |b| {
        b.write(2, 2, 1);
    });
    let mut unrolling = b.finish();
    let encoding = encode_reads(&mut unrolling, MemoryModel::Sc, Reads::ThatMatter(&[]));
    assert!(!encoding.leaves_out(&unrolling, is_set));
}
