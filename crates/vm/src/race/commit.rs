//! Commit: when what happens in an atomic block counts.
//!
//! A block commits when it reaches its end, and when its thread or the process ends in it. Its events count then, all at once. A block
//! that waits, or in which an assumption fails, has not happened: its events never count. A check that fails ends the execution,
//! so nothing is left to count.

use crate::observe::{Action, Event};

/// The atomic block that the thread at hand is in, if it is in one: a step is never left in the midst of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenBlock {
    /// How many begins are without an end.
    depth: u32,
    events: Vec<Event>,
}

/// When an event counts.
pub(super) enum Counts {
    /// It is in no block.
    Now,
    /// When its block commits.
    Later,
    /// Its block commits with it: these are the block's events.
    Block(Vec<Event>),
}

impl OpenBlock {
    /// Something happened.
    pub(super) fn event(&mut self, event: &Event) -> Counts {
        let is_open = self.depth > 0;
        match event.action {
            Action::AtomicBegin => self.depth += 1,
            Action::AtomicEnd => self.depth = self.depth.saturating_sub(1),
            Action::End(_) => self.depth = 0,
            Action::Read { .. }
            | Action::Write { .. }
            | Action::Delay { .. }
            | Action::Flush { .. }
            | Action::Update { .. }
            | Action::Fence(_)
            | Action::Wait
            | Action::Lock(_)
            | Action::Unlock(_)
            | Action::Fork(_)
            | Action::Join(_)
            | Action::Alloc(_)
            | Action::Free(_)
            | Action::EndLife
            | Action::Ended(_)
            | Action::Query
            | Action::Input(..) => {}
        }
        if !is_open && self.depth == 0 {
            return Counts::Now;
        }
        self.events.push(*event);
        if self.depth > 0 {
            return Counts::Later;
        }
        Counts::Block(self.end())
    }

    /// The block commits where it is, if there is one: the process ends. Gives its events.
    pub(super) fn end(&mut self) -> Vec<Event> {
        self.depth = 0;
        std::mem::take(&mut self.events)
    }

    /// The block does not commit.
    pub(super) fn drop_it(&mut self) {
        self.depth = 0;
        self.events.clear();
    }
}
