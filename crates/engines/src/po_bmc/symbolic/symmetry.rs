//! Threads that nobody can tell apart.
//!
//! Threads that the same thread starts one after the other, with the same function and argument, that never look at their own
//! ids and that nobody joins, can be exchanged in any execution: what one did the other could have done, as the one
//! whose first step comes first is started no later. So only executions need to be looked at in which their first steps come in
//! the order in which they are started. With n such threads that is one of n! orders.

use raddle_base::Id;
use raddle_ir::FunctionId;
use raddle_logic::term::TermId;

use super::context::Context;
use super::thread::Starts;
use crate::execution_graph::events::{EventKind, InstanceId, Sync};

/// What tells a thread from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    parent: InstanceId,
    function: FunctionId,
    argument: u128,
}

/// What tells a new thread of the one at hand from others; none if that is not sure to be the same in all executions.
pub(crate) fn identity(
    cx: &Context<'_, '_>,
    functions: &[(TermId, FunctionId)],
    argument: TermId,
) -> Option<Identity> {
    let &[(_, function)] = functions else { return None };
    let argument = cx.out.terms.as_bits(argument)?;
    Some(Identity { parent: cx.thread(), function, argument })
}

/// Finds the threads that can be exchanged.
pub(crate) fn find_symmetry(cx: &mut Context<'_, '_>, starts: &Starts) {
    if !cx.assumed.fixed_thread_ids.0 || thread_ids_are_used(cx) {
        return;
    }
    let joined = joined_thread_ids(cx);
    let identities = starts.identities();
    let identity_of = |index: usize| {
        let is_aware = cx.is_aware_of_its_id(InstanceId::from_index(index + 1));
        identities[index].as_ref().filter(|_| !is_aware)
    };
    let mut symmetric = Vec::new();
    for index in 0..identities.len() {
        let Some(identity) = identity_of(index) else { continue };
        let thread = InstanceId::from_index(index + 1);
        let earlier = (0..index).rev().find(|&other| identity_of(other) == Some(identity));
        let Some(earlier) = earlier.map(|other| InstanceId::from_index(other + 1)) else { continue };
        let thread_id = |thread: InstanceId| cx.out.terms.as_bits(cx.out.threads[thread].thread_id);
        let free =
            |thread: InstanceId| thread_id(thread).is_some_and(|thread_id| !joined.contains(&thread_id));
        // The first step is a mark: what the thread does begins with the second.
        let (Some(&first), Some(&second)) =
            (cx.out.threads[earlier].steps.get(1), cx.out.threads[thread].steps.get(1))
        else {
            continue;
        };
        if free(earlier) && free(thread) {
            symmetric.push((first, second));
        }
    }
    cx.out.symmetric.extend(symmetric);
}

/// Whether threads are asked for by ids that are not known here.
fn thread_ids_are_used(cx: &Context<'_, '_>) -> bool {
    cx.out.events.values().any(|event| match event.kind {
        EventKind::Sync(Sync::Join { thread_id, .. }) => cx.out.terms.as_bits(thread_id).is_none(),
        EventKind::Sync(Sync::ThreadExists { .. }) => true,
        EventKind::Sync(
            Sync::Lock { .. } | Sync::Unlock { .. } | Sync::LockIsFree { .. } | Sync::Fork { .. },
        )
        | EventKind::Access { .. }
        | EventKind::Mark => false,
    })
}

fn joined_thread_ids(cx: &Context<'_, '_>) -> Vec<u128> {
    let thread_ids = cx.out.events.values().filter_map(|event| match event.kind {
        EventKind::Sync(Sync::Join { thread_id, .. }) => cx.out.terms.as_bits(thread_id),
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
    thread_ids.collect()
}
