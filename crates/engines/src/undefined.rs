//! Undefined behaviour is never a proof.
//!
//! A thread whose next instruction has no meaning ends there. Where the property that is about it is asked for, that is a
//! violation; where it is not, the other properties are proved for executions that end early, and the answer must say so. Each engine
//! finds out whether some execution ends so (see [`Task::is_unchecked`](crate::Task::is_unchecked)), and asks this module what its proofs are worth.

use raddle_ir::Property;
use raddle_vm::ReplayedTrace;

use crate::{Evidence, Reason, Task, Verdict};

/// Whether executions end by undefined behaviour that nobody asked for.
#[derive(Clone, Debug)]
pub(crate) enum Undefined {
    /// None does, as far as was looked.
    Never,
    /// This one does, as a violation of the property that is about it.
    Seen(Box<ReplayedTrace>),
    /// One may.
    Perhaps(Reason),
}

impl Undefined {
    /// What an engine that ran programs saw.
    pub(crate) fn among(task: &Task<'_>, seen: &[ReplayedTrace]) -> Self {
        let is_unchecked = |property: Property| task.is_unchecked(property);
        let first = seen.iter().find(|trace| trace.outcome().property().is_some_and(is_unchecked));
        first.map_or(Self::Never, |trace| Self::Seen(Box::new(trace.clone())))
    }

    /// Whether there is nothing more to find out.
    pub(crate) const fn is_known(&self) -> bool {
        match self {
            Self::Never => false,
            Self::Seen(_) | Self::Perhaps(_) => true,
        }
    }

    /// Whether it is not known if what is proved holds.
    pub(crate) const fn is_doubtful(&self) -> bool {
        match self {
            Self::Never | Self::Seen(_) => false,
            Self::Perhaps(_) => true,
        }
    }

    /// What a proof is worth.
    pub(crate) fn qualify(&self, evidence: Evidence) -> Verdict {
        match self {
            Self::Never => Verdict::Safe(evidence),
            Self::Seen(trace) => Verdict::SafeUnless(evidence, trace.clone()),
            Self::Perhaps(reason) => Verdict::Unknown(reason.clone()),
        }
    }
}
