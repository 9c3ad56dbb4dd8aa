//! Constant expressions, values and types, held against gcc, for both data models.

mod common;

use common::{constants, gcc};
use raddle_cfront::layout::DataModel;

/// Of each data model.
const SEEDS: std::ops::Range<u64> = 0..8;
const EXPRESSIONS: usize = 250;

fn sample(test: &str, model: DataModel) {
    if gcc::available(test) {
        for seed in SEEDS {
            constants::compare(model, seed, EXPRESSIONS).unwrap_or_else(|difference| panic!("{difference}"));
        }
    }
}

#[test]
fn random_constants_have_the_values_of_gcc_in_lp64() {
    sample("random_constants_have_the_values_of_gcc_in_lp64", DataModel::Lp64);
}

#[test]
fn random_constants_have_the_values_of_gcc_in_ilp32() {
    sample("random_constants_have_the_values_of_gcc_in_ilp32", DataModel::Ilp32);
}
