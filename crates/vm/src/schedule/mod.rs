//! Who makes the next step: one scheduler a file.
//!
//! A schedule is data, so replay is just another scheduler.

mod interactive;
mod pct;
mod random;
mod replay;
mod round_robin;

pub use interactive::Interactive;
pub use pct::Pct;
pub use random::{Random, RandomInputs};
pub use replay::{Misfit, Replay, ReplayInputs};
pub use round_robin::RoundRobin;

use crate::state::{Move, State};
use crate::step::Vm;

/// Chooses who makes the next step. Under weak memory models delayed stores wait to become visible, and that is chosen too.
pub trait Scheduler {
    /// A run begins.
    fn begin(&mut self);
    /// Chooses one of the enabled moves (there is at least one), or `None` to stop the run here.
    fn choose(&mut self, vm: &Vm<'_>, state: &State, enabled: &[Move]) -> Option<Move>;
    /// The chosen move was made; `operations` tells how many operations each thread then has made in all.
    fn end(&mut self, chosen: Move, operations: &[u64]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::{LOST_UPDATE, parse};
    use crate::state::ThreadId;
    use crate::{Unwatched, ZeroInputs};

    const ALL: [Move; 3] = [Move::Step(0), Move::Step(1), Move::Step(2)];

    /// The threads that a scheduler chooses among three that are always enabled, for some steps.
    fn choices(scheduler: &mut impl Scheduler, steps: usize) -> Vec<ThreadId> {
        let program = parse(LOST_UPDATE);
        let vm = Vm::new(&program);
        let (mut state, _) = vm.start(&mut ZeroInputs, &mut Unwatched);
        for _ in 0..2 {
            vm.step(&mut state, 0, &mut ZeroInputs, &mut Unwatched);
        }
        scheduler.begin();
        let choose = |_| {
            let chosen = scheduler.choose(&vm, &state, &ALL).unwrap();
            scheduler.end(chosen, &[0, 0, 0]);
            chosen.thread()
        };
        (0..steps).map(choose).collect()
    }

    #[test]
    fn turns_are_taken() {
        assert_eq!(choices(&mut RoundRobin::new(1), 5), [0, 1, 2, 0, 1]);
        assert_eq!(choices(&mut RoundRobin::new(2), 7), [0, 0, 1, 1, 2, 2, 0]);
    }

    #[test]
    fn chance_is_fair_and_the_seed_decides() {
        let chosen = choices(&mut Random::new(7), 3000);
        assert_eq!(chosen, choices(&mut Random::new(7), 3000));
        assert_ne!(chosen, choices(&mut Random::new(8), 3000));
        for thread in 0..3 {
            let count = chosen.iter().filter(|&&chosen| chosen == thread).count();
            assert!((900..1100).contains(&count), "{thread} was chosen {count} times");
        }
    }

    #[test]
    fn priorities_change_less_often_than_the_depth() {
        for seed in 0..50 {
            let chosen = choices(&mut Pct::new(seed, 3, 40), 40);
            let switches = chosen.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert!(switches <= 2, "seed {seed}: {chosen:?}");
        }
        let mut pct = Pct::new(1, 3, 40);
        let runs: Vec<_> = (0..20).map(|_| choices(&mut pct, 40)).collect();
        assert!(runs.iter().any(|run| *run != runs[0]), "each run has priorities of its own");
    }

    #[test]
    fn whoever_is_asked_may_refuse() {
        let mut asked = 0;
        let mut scheduler = Interactive::new(|_: &Vm<'_>, _: &State, enabled: &[Move]| {
            asked += 1;
            enabled.last().copied()
        });
        assert_eq!(choices(&mut scheduler, 2), [2, 2]);
        assert_eq!(asked, 2);
        let program = parse(LOST_UPDATE);
        let vm = Vm::new(&program);
        let (state, _) = vm.start(&mut ZeroInputs, &mut Unwatched);
        let mut wrong = Interactive::new(|_: &Vm<'_>, _: &State, _: &[Move]| Some(Move::Step(9)));
        assert_eq!(wrong.choose(&vm, &state, &ALL[..2]), None, "9 cannot go on");
        assert_eq!(wrong.choose(&vm, &state, &ALL[1..2]), Some(ALL[1]), "there is nothing to ask");
    }
}
