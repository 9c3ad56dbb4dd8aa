//! Which slots' letters are followed in a state of the product, and which of these letters need not be.

use super::formulas::Stand;
use super::letters::{Effect, Kind, Letters};
use crate::product::Preference;

/// Letters that need not be taken: slots and indices of letters of where these stand, ascending.
pub(super) type Sleep = Vec<(usize, usize)>;

/// What an exploration looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Everything that must not happen, in all interleavings.
    Anything,
    /// What a slot's thread must not do.
    Of(usize),
}

impl Letters {
    /// The slots whose letters are followed: in each execution from here that goes wrong in the way that is looked for, one of them makes a step, and
    /// what comes before the first of these is independent of it. Those that are preferred come first.
    pub(super) fn membrane(&self, places: &[Stand], goal: Goal, preference: &Preference) -> Vec<usize> {
        let Goal::Of(goal) = goal else { return (0..places.len()).collect() };
        let mut members: Vec<usize> = match places.get(goal) {
            Some(Stand::At(location)) if self.may_go_wrong(*location) => vec![goal],
            Some(Stand::At(_) | Stand::Ended | Stand::Stuck) => Vec::new(),
            // It is still to be started, by one of these or by a thread that one of these starts.
            None => (0..places.len()).filter(|&slot| self.later_of(places[slot]).forks).collect(),
        };
        let mut next = 0;
        while let Some(&member) = members.get(next) {
            next += 1;
            for slot in 0..places.len() {
                let later = self.later_of(places[slot]);
                if !members.contains(&slot) && self.meets(places[member], member == goal, later) {
                    members.push(slot);
                }
            }
        }
        members.sort_unstable();
        if *preference == Preference::Higher {
            members.reverse();
        }
        members
    }

    fn later_of(&self, place: Stand) -> Effect {
        match place {
            Stand::At(location) => self.later[location],
            Stand::Ended | Stand::Stuck => Effect::default(),
        }
    }

    /// Whether one of a thread's next letters depends on something that may come later.
    fn meets(&self, place: Stand, is_goal: bool, later: Effect) -> bool {
        let Stand::At(location) = place else { return false };
        self.of[location].iter().any(|letter| {
            let counts = is_goal || matches!(letter.kind, Kind::Step(_));
            counts && letter.effect.depends_on(later)
        })
    }

    /// The letters that need not be taken behind a letter of a slot: those that needed not before it, and those of preferred slots, if they
    /// are independent of it.
    pub(super) fn sleep_behind(
        &self,
        places: &[Stand],
        goal: Goal,
        sleep: &Sleep,
        preferred: &[usize],
        (slot, effect): (usize, Effect),
    ) -> Sleep {
        if goal == Goal::Anything {
            return Sleep::new();
        }
        let mut asleep = sleep.clone();
        for &other in preferred {
            let Stand::At(location) = places[other] else { continue };
            for (index, letter) in self.of[location].iter().enumerate() {
                if matches!(letter.kind, Kind::Step(_)) || goal == Goal::Of(other) {
                    asleep.push((other, index));
                }
            }
        }
        asleep.retain(|&(other, index)| {
            let Stand::At(location) = places[other] else { return false };
            other != slot && !self.of[location][index].effect.depends_on(effect)
        });
        asleep.sort_unstable();
        asleep.dedup();
        asleep
    }
}
