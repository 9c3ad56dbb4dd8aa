//! Thread-modular invariants with derived counters, for any number of threads.
