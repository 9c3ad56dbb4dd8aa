//! Thread-modular invariants with derived counters, for any number of threads.

pub mod counters;

#[cfg(test)]
mod test_flow;
