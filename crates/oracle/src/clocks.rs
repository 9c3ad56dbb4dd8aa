//! All executions of a program, each with vector clocks, to see whether any has a data race.
//!
//! Here executions are enumerated, one of each class, by the VM's exploration with sleep sets: to check the search by states, which
//! relies on telling apart what happens before what. For small programs only.

use raddle_ir::{Program, Property};
use raddle_vm::{MemoryModel, Search, Strategy, Vm, explore};

/// No execution is followed beyond so many steps.
const MOST_STEPS: usize = 300;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Races {
    /// Whether some execution has a race.
    pub found: bool,
    /// Whether all executions were looked at.
    pub complete: bool,
    /// Whether inputs took only some of their values.
    pub sampled: bool,
}

/// Looks for a race in all executions, as long as they do not have more than so many steps together.
#[must_use]
pub fn races(program: &Program, model: MemoryModel, steps: u64) -> Races {
    let vm = Vm::checking(program, &[Property::DataRace]).with_memory_model(model);
    let search = Search {
        strategy: Strategy::SleepSets,
        max_states: steps,
        max_depth: MOST_STEPS,
        ..Search::default()
    };
    let found = explore(&vm, &search);
    Races { found: found.breaks(Property::DataRace), complete: found.is_complete(), sampled: found.sampled }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::build;
    use raddle_cfront::layout::DataModel;

    /// A thread writes `data` and then does `give`; the other does `take` and, if that gives one, reads `data`.
    fn passing(give: &str, take: &str) -> Races {
        let text = format!(
            "typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int data, flag, other;\
             void *writer(void *a) {{ data = 1; {give} return a; }}\
             int main(void) {{ pthread_t t; pthread_create(&t, 0, writer, 0);\
             int seen; {take} if (seen == 1) return data; return 0; }}"
        );
        let built = build("t", text.as_bytes(), DataModel::Lp64, Property::COMMON).expect("it is C");
        races(&built.program, MemoryModel::Sc, 10_000)
    }

    #[test]
    fn what_orders_is_told_from_what_does_not() {
        let safe = Races { found: false, complete: true, sampled: false };
        let relaxed_store = "__atomic_store_n(&flag, 1, 0);";
        let release_store = "__atomic_store_n(&flag, 1, 3);";
        let fenced_store = "__atomic_thread_fence(3); __atomic_store_n(&flag, 1, 0);";
        let relaxed_load = "seen = __atomic_load_n(&flag, 0);";
        let acquire_load = "seen = __atomic_load_n(&flag, 2);";
        let fenced_load = "seen = __atomic_load_n(&flag, 0); __atomic_thread_fence(2);";
        for (give, take, ordered) in [
            (release_store, acquire_load, true),
            (fenced_store, fenced_load, true),
            (release_store, fenced_load, true),
            (relaxed_store, acquire_load, false),
            (release_store, relaxed_load, false),
            (fenced_store, relaxed_load, false),
        ] {
            let races = passing(give, take);
            assert_eq!(races.found, !ordered, "{give} {take}");
            assert!(!ordered || races == safe, "{give} {take}: {races:?}");
        }
    }

    #[test]
    fn too_many_steps_leave_it_open() {
        let text = "typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int x;\
                    void *other(void *a) { for (int i = 0; i < 9; i++) __atomic_fetch_add(&x, 1, 0); return a; }\
                    int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); other(0); return 0; }";
        let built = build("t", text.as_bytes(), DataModel::Lp64, Property::COMMON).expect("it is C");
        let races = races(&built.program, MemoryModel::Sc, 100);
        assert!(!races.found && !races.complete);
    }
}
