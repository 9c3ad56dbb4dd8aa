//! Sizes, alignments, offsets and the positions of bit-fields, held against gcc on random types, for both data models.

mod common;

use common::{gcc, layout};
use raddle_cfront::layout::DataModel;

/// Of each data model.
const SEEDS: std::ops::Range<u64> = 0..24;
const TYPES: usize = 60;

fn sample(test: &str, model: DataModel) {
    if gcc::available(test) {
        for seed in SEEDS {
            let facts =
                layout::compare(model, seed, TYPES).unwrap_or_else(|difference| panic!("{difference}"));
            assert!(facts > TYPES, "only {facts} facts were compared");
        }
    }
}

#[test]
fn random_types_have_the_layout_of_gcc_in_lp64() {
    sample("random_types_have_the_layout_of_gcc_in_lp64", DataModel::Lp64);
}

#[test]
fn random_types_have_the_layout_of_gcc_in_ilp32() {
    sample("random_types_have_the_layout_of_gcc_in_ilp32", DataModel::Ilp32);
}
