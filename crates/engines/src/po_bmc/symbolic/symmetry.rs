//! Threads that nobody can tell apart.
//!
//! Threads that the same thread starts one after the other, with the same function and argument, that never look at their own
//! numbers and that nobody joins, can be exchanged in any execution: what one did the other could have done, as the one
//! whose first step comes first is started no later. So only executions need to be looked at in which their first steps come in
//! the order in which they are started. With n such threads that is one of n! orders.

use raddle_base::Id;
use raddle_ir::FunctionId;
use raddle_logic::term::TermId;

use super::execute::Executor;
use crate::execution_graph::events::{EventKind, InstanceId, Sync};

/// What tells a thread from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    parent: InstanceId,
    function: FunctionId,
    argument: u128,
}

impl Executor<'_, '_> {
    /// What tells a new thread of the one at hand from others; none if that is not sure to be the same in all executions.
    pub(crate) fn identity(&self, functions: &[(TermId, FunctionId)], argument: TermId) -> Option<Identity> {
        let &[(_, function)] = functions else { return None };
        let argument = self.out.terms.as_bits(argument)?;
        Some(Identity { parent: self.thread, function, argument })
    }

    /// The thread at hand looks at its number.
    pub(crate) fn knows_its_number(&mut self) {
        if let Some(place) = self.thread.index().checked_sub(1)
            && let Some(identity) = self.identities.get_mut(place)
        {
            *identity = None;
        }
    }

    /// Finds the threads that can be exchanged.
    pub(crate) fn find_symmetry(&mut self) {
        if !self.assumed.fixed_thread_ids.0 || self.numbers_are_used() {
            return;
        }
        let joined = self.joined_numbers();
        for (place, identity) in self.identities.iter().enumerate() {
            let Some(identity) = identity else { continue };
            let thread = InstanceId::from_index(place + 1);
            let earlier = (0..place).rev().find(|&other| self.identities[other].as_ref() == Some(identity));
            let Some(earlier) = earlier.map(|other| InstanceId::from_index(other + 1)) else { continue };
            let number = |thread: InstanceId| self.out.terms.as_bits(self.out.threads[thread].thread_id);
            let free = |thread: InstanceId| number(thread).is_some_and(|number| !joined.contains(&number));
            // The first step is a mark: what the thread does begins with the second.
            let (Some(&first), Some(&second)) =
                (self.out.threads[earlier].steps.get(1), self.out.threads[thread].steps.get(1))
            else {
                continue;
            };
            if free(earlier) && free(thread) {
                self.out.symmetric.push((first, second));
            }
        }
    }

    /// Whether threads are asked for by numbers that are not known here.
    fn numbers_are_used(&self) -> bool {
        self.out.events.values().any(|event| match event.kind {
            EventKind::Sync(Sync::Join { thread_id, .. }) => self.out.terms.as_bits(thread_id).is_none(),
            EventKind::Sync(Sync::ThreadExists { .. }) => true,
            EventKind::Sync(
                Sync::Lock { .. } | Sync::Unlock { .. } | Sync::LockIsFree { .. } | Sync::Fork { .. },
            )
            | EventKind::Access { .. }
            | EventKind::Mark => false,
        })
    }

    fn joined_numbers(&self) -> Vec<u128> {
        let numbers = self.out.events.values().filter_map(|event| match event.kind {
            EventKind::Sync(Sync::Join { thread_id, .. }) => self.out.terms.as_bits(thread_id),
            EventKind::Sync(
                Sync::Lock { .. }
                | Sync::Unlock { .. }
                | Sync::LockIsFree { .. }
                | Sync::Fork { .. }
                | Sync::ThreadExists { .. },
            )
            | EventKind::Access { .. }
            | EventKind::Mark => None,
        });
        numbers.collect()
    }
}
