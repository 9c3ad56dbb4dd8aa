//! Other names for threads, and with them for the objects that belong to them.

use crate::layout::{ArenaIndex, GLOBALS, ThreadId, heap_of, stack_of};

/// Which thread is called what. The arenas of a thread are called after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Renaming {
    to: Vec<ThreadId>,
}

impl Renaming {
    /// The new name of each thread.
    pub(crate) const fn new(to: Vec<ThreadId>) -> Self {
        Self { to }
    }

    /// Nothing has another name.
    pub(crate) fn identity(threads: usize) -> Self {
        Self { to: (0..u32::try_from(threads).unwrap_or(u32::MAX)).collect() }
    }

    pub(crate) fn is_identity(&self) -> bool {
        self.to.iter().zip(0..).all(|(&to, thread)| to == thread)
    }

    /// What a thread is called.
    pub(crate) fn thread(&self, thread: ThreadId) -> ThreadId {
        self.to.get(thread as usize).copied().unwrap_or(thread)
    }

    /// What an arena is called.
    pub(crate) fn arena(&self, arena: ArenaIndex) -> ArenaIndex {
        match arena.checked_sub(1) {
            None => GLOBALS,
            Some(number) => 2 * self.thread(number / 2) + 1 + number % 2,
        }
    }

    /// The threads in the order of their new names, if those are the old ones in another order.
    pub(crate) fn in_order(&self) -> Vec<ThreadId> {
        let mut order: Vec<ThreadId> = (0..u32::try_from(self.to.len()).unwrap_or(u32::MAX)).collect();
        order.sort_by_key(|&thread| self.thread(thread));
        order
    }

    /// All arenas in the order of their new names.
    pub(crate) fn arenas(&self) -> impl Iterator<Item = ArenaIndex> {
        let own = self.in_order().into_iter().flat_map(|thread| [stack_of(thread), heap_of(thread)]);
        std::iter::once(GLOBALS).chain(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arenas_are_called_after_their_threads() {
        let swapped = Renaming::new(vec![0, 2, 1]);
        assert_eq!((swapped.arena(GLOBALS), swapped.arena(stack_of(0))), (GLOBALS, stack_of(0)));
        assert_eq!((swapped.arena(stack_of(1)), swapped.arena(heap_of(2))), (stack_of(2), heap_of(1)));
        let order: Vec<ArenaIndex> = swapped.arenas().collect();
        let names: Vec<ArenaIndex> = order.iter().map(|&arena| swapped.arena(arena)).collect();
        assert_eq!(names, [0, 1, 2, 3, 4, 5, 6]);
        assert!(Renaming::identity(3).is_identity() && !swapped.is_identity());
    }
}
