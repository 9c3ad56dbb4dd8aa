//! Trace abstraction refinement over a partial-order-reduced product of threads (Cassez and Ziegler 2015).
