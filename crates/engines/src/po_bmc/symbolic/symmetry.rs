//! Threads that nobody can tell apart.
//!
//! Threads that the same thread starts one after the other, with the same function and argument, and that never look at their own
//! thread ids, can be exchanged in any execution if nobody joins them: what one did the other could have done, as the one
//! whose first step comes first is started no later. So only executions need to be looked at in which their first steps come in
//! the order in which they are started. With n such threads that is one of n! orders.
//!
//! Threads that are joined can be exchanged if the thread that started them joins both, each once, and does nothing in
//! between but join (`joins_in_a_row`): where it passes one join it comes to the next, no check lies between, and what it reads and writes there
//! nobody else touches. Then its joins can be made later, just before what follows the last of them; and an execution in which it
//! has passed one but not the other has another in which it waits for the first, and which differs in nothing that can be
//! asked for. Their results must be one constant. Never wrong where these conditions hold, which are compared as terms: where they
//! hold for other reasons, nothing is ordered.

use raddle_base::Id;
use raddle_ir::FunctionId;
use raddle_logic::term::TermId;

use super::context::Context;
use super::thread::Starts;
use crate::execution_graph::events::{
    AccessKind, EventId, EventKind, InstanceId, StepId, Sync, SynchronisationKind,
};

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
    let joins = joins(cx);
    let identities = starts.identities();
    for (index, identity) in identities.iter().enumerate() {
        let identity_of = |index: usize| {
            let is_aware = cx.is_aware_of_its_id(InstanceId::from_index(index + 1));
            identities[index].as_ref().filter(|_| !is_aware)
        };
        let Some(identity) = identity.as_ref().filter(|_| identity_of(index).is_some()) else { continue };
        let thread = InstanceId::from_index(index + 1);
        let earlier = (0..index).rev().find(|&other| identity_of(other) == Some(identity));
        let Some(earlier) = earlier.map(|other| InstanceId::from_index(other + 1)) else { continue };
        // The first step is a mark: what the thread does begins with the second.
        let (Some(&first), Some(&second)) =
            (cx.out.threads[earlier].steps.get(1), cx.out.threads[thread].steps.get(1))
        else {
            continue;
        };
        let id = |thread: InstanceId| cx.out.terms.as_bits(cx.out.threads[thread].thread_id);
        let (Some(a), Some(b)) = (id(earlier), id(thread)) else { continue };
        let of = |id: u128| joins.iter().filter(move |join| join.id == id).copied().collect::<Vec<Join>>();
        let is_free = match (&of(a)[..], &of(b)[..]) {
            ([], []) => true,
            (&[a], &[b]) => {
                have_one_result(cx, earlier, thread) && joins_in_a_row(cx, identity.parent, (a, b), &joins)
            }
            (_, _) => false,
        };
        let knows_as_much = !cx.options.races || forks_in_a_row(cx, identity.parent, (earlier, thread));
        if is_free && knows_as_much {
            cx.out.ordered.push((first, second));
        }
    }
}

/// Whether the same happens before the first steps of two threads of a parent, as far as data races can tell: between the two starts
/// the parent touches nothing in conflict with others, and learns nothing of them.
fn forks_in_a_row(cx: &Context<'_, '_>, parent: InstanceId, (a, b): (InstanceId, InstanceId)) -> bool {
    let fork_of = |thread: InstanceId| {
        cx.out.events.iter().find(|(_, event)| match event.kind {
            EventKind::Sync(Sync::Fork { thread: forked }) => forked == thread,
            EventKind::Sync(
                Sync::Lock { .. }
                | Sync::Unlock { .. }
                | Sync::LockIsFree { .. }
                | Sync::Join { .. }
                | Sync::ThreadExists { .. },
            )
            | EventKind::Access { .. }
            | EventKind::Mark => false,
        })
    };
    let (Some((fork_a, a)), Some((fork_b, b))) = (fork_of(a), fork_of(b)) else { return false };
    let is_between = |step: StepId, of: InstanceId| of == parent && a.step <= step && step <= b.step;
    let own: Vec<Bytes> = touched(cx, is_between);
    let others: Vec<Bytes> = touched(cx, |_, of| of != parent);
    !own.iter().any(|own| others.iter().any(|other| own.conflicts(other)))
        && !learns_between(cx, parent, (fork_a, fork_b))
}

/// Whether a thread may learn between two of its forks what others did before.
fn learns_between(cx: &Context<'_, '_>, thread: InstanceId, (a, b): (EventId, EventId)) -> bool {
    let own = cx.out.synchronisations.values().filter(|synchronisation| synchronisation.thread == thread);
    let kinds: Vec<&SynchronisationKind> = own.map(|synchronisation| &synchronisation.kind).collect();
    let position = |event: EventId| {
        let is_fork =
            |kind: &&SynchronisationKind| matches!(kind, SynchronisationKind::Fork(fork) if *fork == event);
        kinds.iter().position(is_fork)
    };
    // The first fork of all is not noted, and nothing before it.
    let from = position(a).map_or(0, |index| index + 1);
    let to = position(b).unwrap_or(kinds.len());
    kinds[from..to.max(from)].iter().any(|kind| match kind {
        SynchronisationKind::Load { .. }
        | SynchronisationKind::Fence(_)
        | SynchronisationKind::Lock(_)
        | SynchronisationKind::TakeWord { .. }
        | SynchronisationKind::Join(_)
        | SynchronisationKind::Begin(_) => true,
        // What it does here others learn from it.
        SynchronisationKind::Store { .. }
        | SynchronisationKind::Unlock(_)
        | SynchronisationKind::GiveWord { .. }
        | SynchronisationKind::Fork(_)
        | SynchronisationKind::End(_) => false,
    })
}

/// Whether two threads always end with the same result.
fn have_one_result(cx: &Context<'_, '_>, a: InstanceId, b: InstanceId) -> bool {
    let result = |thread: InstanceId| cx.out.terms.as_bits(cx.out.threads[thread].result);
    result(a).is_some() && result(a) == result(b)
}

/// Whether a thread does nothing between two of its joins but join, and whenever it passes the first it comes to the second.
fn joins_in_a_row(
    cx: &mut Context<'_, '_>,
    thread: InstanceId,
    (a, b): (Join, Join),
    joins: &[Join],
) -> bool {
    let (first, last) = if a.step < b.step { (a, b) } else { (b, a) };
    let is_within = |step: StepId| first.step <= step && step <= last.step;
    let row: Vec<Join> =
        joins.iter().filter(|join| join.thread == thread && is_within(join.step)).copied().collect();
    if first.step == last.step || first.thread != thread || last.thread != thread {
        return false;
    }
    // It comes from each to the next, and nowhere else.
    for pair in row.windows(2) {
        if cx.out.terms.and(pair[0].guard, pair[0].granted) != pair[1].guard {
            return false;
        }
    }
    // A check in the last step may only lie behind the join.
    let checks: Vec<TermId> = (cx.out.checks.iter())
        .filter(|check| check.thread == thread && is_within(check.step))
        .map(|check| if check.step == last.step { check.reached } else { cx.out.terms.bool(true) })
        .collect();
    if checks.into_iter().any(|reached| cx.out.terms.and(reached, last.granted) != reached) {
        return false;
    }
    let own: Vec<Bytes> = touched(cx, |step, of| of == thread && is_within(step));
    let others: Vec<Bytes> = touched(cx, |_, of| of != thread);
    only_joins(cx, thread, is_within)
        && !own.iter().any(|own| others.iter().any(|other| own.conflicts(other)))
}

/// Whether the steps of a thread in a range do nothing but join, read and write.
fn only_joins(cx: &Context<'_, '_>, thread: InstanceId, is_within: impl Fn(StepId) -> bool) -> bool {
    let is_own = |step: StepId| cx.out.steps[step].thread == thread && is_within(step);
    cx.out.events.values().filter(|event| is_own(event.step)).all(|event| match event.kind {
        EventKind::Sync(Sync::Join { .. }) | EventKind::Access { .. } | EventKind::Mark => true,
        EventKind::Sync(
            Sync::Lock { .. }
            | Sync::Unlock { .. }
            | Sync::LockIsFree { .. }
            | Sync::Fork { .. }
            | Sync::ThreadExists { .. },
        ) => false,
    })
}

/// What is touched in some steps.
fn touched(cx: &Context<'_, '_>, is_meant: impl Fn(StepId, InstanceId) -> bool) -> Vec<Bytes> {
    let is_meant = |step: StepId| is_meant(step, cx.out.steps[step].thread);
    let bytes = |address: TermId, size: u32, writes: bool| Bytes {
        address: cx.out.terms.as_bits(address),
        size: size.into(),
        writes,
    };
    let events = cx.out.events.values().filter(|event| is_meant(event.step));
    let events = events.filter_map(|event| match event.kind {
        EventKind::Access { location, access } => {
            let writes = match access {
                AccessKind::Read { .. } => false,
                AccessKind::Write { .. } => true,
            };
            Some(bytes(location.address, location.size, writes))
        }
        // Words of locks are touched by nothing else.
        EventKind::Sync(_) | EventKind::Mark => None,
    });
    let accesses = cx.out.accesses.iter().filter(|access| is_meant(access.step)).map(|access| {
        // Freeing an object touches all of it, wherever it ends.
        let address = if access.size == 0 { None } else { Some(access.address) };
        match address {
            Some(address) => bytes(address, access.size, access.writes),
            None => Bytes { address: None, size: 0, writes: access.writes },
        }
    });
    events.chain(accesses).collect()
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

/// All joins of threads whose ids are known.
fn joins(cx: &Context<'_, '_>) -> Vec<Join> {
    let joins = cx.out.events.values().filter_map(|event| match event.kind {
        EventKind::Sync(Sync::Join { thread_id, granted, .. }) => {
            let id = cx.out.terms.as_bits(thread_id)?;
            let thread = cx.out.steps[event.step].thread;
            Some(Join { thread, step: event.step, guard: event.guard, granted, id })
        }
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
    joins.collect()
}

/// A join of a thread whose id is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Join {
    /// Who joins.
    thread: InstanceId,
    step: StepId,
    guard: TermId,
    granted: TermId,
    /// Whom.
    id: u128,
}

/// Bytes that are touched.
#[derive(Clone, Copy, Debug)]
struct Bytes {
    /// Where, if that is known.
    address: Option<u128>,
    size: u128,
    writes: bool,
}

impl Bytes {
    fn conflicts(&self, other: &Self) -> bool {
        let apart =
            self.address.zip(other.address).is_some_and(|(a, b)| a + self.size <= b || b + other.size <= a);
        (self.writes || other.writes) && !apart
    }
}

#[cfg(test)]
mod tests;
