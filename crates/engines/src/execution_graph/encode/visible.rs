//! Which writes matter to a read.
//!
//! A write is *past* for a read if the read cannot read from anything older: the write is always before it, or is an earlier
//! one of the same thread (see the [module above](super) for memory models). It is *sure* if it also happens whenever the read
//! does, to the same address. What is older than a sure write is of no concern to the read: it is not read from, and need not be
//! ordered, because the sure write is. Writes on different branches may be sure together: then what is older than all of
//! them is of no concern.
//!
//! Two accesses are *apart* if they are in different critical sections of one lock: one is over before the other
//! begins. So for a read r in such a critical section:
//! - after a sure write in r's own critical section, no write apart from it is read from or comes between;
//! - of the writes of another critical section only the last one matters: the others come before the read, or after it, together
//!   with that one, and are not read from;
//! - if no write can come between two reads of the same address, the later one reads from what the earlier one read from, unless
//!   its own thread wrote in between.

use raddle_logic::term::{TermId, Terms};

use super::facts::{self, Facts};
use super::knowledge::Knowledge;
use super::locks::CriticalSections;
use super::memory::{Member, Read, Write};
use super::writer::Writer;

/// How many writes nearby are tried as a stand-in for one.
pub(super) const NEIGHBOURS: usize = 4;

/// The writes that matter to a read.
#[derive(Debug)]
pub(super) struct View {
    /// Those that the read may read from, or that must be ordered.
    pub(super) live: Vec<Member>,
    /// Those among them that it may read from.
    pub(super) visible: Vec<usize>,
    /// Sure writes: the last ones of each thread, with those that they are sure together with.
    pub(super) sure: Vec<Vec<Write>>,
}

/// Whether the read cannot read from anything older than the write, should that happen to its address.
pub(super) fn is_past(writer: &Writer, write: &Write, read: &Read) -> bool {
    writer.always_before(write.step, read.step)
        || write.thread == read.thread && write.position < read.position
}

/// Finds the writes that matter to a read: see the [module](self). Says nothing to the solver.
#[derive(Debug)]
pub(super) struct Viewer<'e, 'a> {
    terms: &'e mut Terms,
    known: &'e mut Knowledge<'a>,
    writer: &'e Writer,
    sections: &'e CriticalSections,
}

impl<'e, 'a> Viewer<'e, 'a> {
    pub(super) fn new(
        terms: &'e mut Terms,
        known: &'e mut Knowledge<'a>,
        writer: &'e Writer,
        sections: &'e CriticalSections,
    ) -> Self {
        Self { terms, known, writer, sections }
    }

    /// Finds the writes that matter to a read.
    pub(super) fn view(&mut self, read: &Read, facts: &Facts, group: &[Member]) -> View {
        // What always comes after the read, or never happens with it, cannot come between. That two threads' guards exclude each
        // other is not looked for: they hardly ever share conditions.
        let mut live: Vec<Member> = group
            .iter()
            .filter(|Member { write, .. }| {
                write.step != read.step
                    && !self.writer.always_before(read.step, write.step)
                    && !(write.thread == read.thread && facts::exclusive(self.terms, facts, write.effective))
            })
            .copied()
            .collect();
        let sure = self.sure(read, facts, &live);
        // Locks of critical sections of the read in which a sure write of its own came before.
        let written_inside: Vec<TermId> = self
            .sections
            .around(read.step)
            .iter()
            .filter(|(_, section)| {
                let has = |write: &Write| self.sections.is_inside(write.step, *section);
                sure.iter().any(|writes| writes.iter().all(has))
            })
            .map(|&(lock, _)| lock)
            .collect();
        live.retain(|member| {
            let step = member.write.step;
            let is_older = sure
                .iter()
                .any(|writes| writes.iter().all(|write| self.writer.always_before(step, write.step)));
            let is_apart = written_inside.iter().any(|&lock| self.sections.of_lock(step, lock).is_some());
            !(is_older || is_apart && member.write.thread != read.thread)
        });
        // All are judged against the same list, and only then dropped: each is dropped for a later one of its thread, so the last
        // of them stays.
        let hidden: Vec<bool> = (0..live.len())
            .map(|index| self.is_hidden_in_critical_section(read, facts, &live, index))
            .collect();
        let mut hidden = hidden.into_iter();
        live.retain(|_| !hidden.next().unwrap_or(false));
        let visible =
            (0..live.len()).filter(|&index| !self.is_overwritten(read, facts, &live, index)).collect();
        View { live, visible, sure }
    }

    /// The last sure writes of each thread.
    fn sure(&mut self, read: &Read, facts: &Facts, live: &[Member]) -> Vec<Vec<Write>> {
        let mut sure = Vec::new();
        for members in live.chunk_by(|a, b| a.write.thread == b.write.thread) {
            let mut together: Vec<Write> = Vec::new();
            let mut any = self.terms.bool(false);
            let candidates = members
                .iter()
                .rev()
                .filter(|member| member.same && is_past(self.writer, &member.write, read));
            for Member { write, .. } in candidates {
                if facts::implied(self.terms, &[facts], write.effective) {
                    sure.push(vec![*write]);
                    break;
                }
                if together.len() < NEIGHBOURS {
                    together.push(*write);
                    any = self.terms.or(any, write.effective);
                    if facts::implied(self.terms, &[facts], any) {
                        sure.push(together);
                        break;
                    }
                }
            }
        }
        sure
    }

    /// Whether a write is followed, in its critical section, by one that happens with it; and the read is apart.
    fn is_hidden_in_critical_section(
        &mut self,
        read: &Read,
        facts: &Facts,
        live: &[Member],
        index: usize,
    ) -> bool {
        let write = live[index].write;
        if write.thread == read.thread {
            return false;
        }
        let Some((_, section)) = self.sections.apart(read.step, write.step) else { return false };
        self.is_followed(facts, live, index, |viewer, later| viewer.sections.is_inside(later.step, section))
    }

    /// Whether a write is followed by one that happens with it and that is past for the read.
    fn is_overwritten(&mut self, read: &Read, facts: &Facts, live: &[Member], index: usize) -> bool {
        self.is_followed(facts, live, index, |viewer, later| is_past(viewer.writer, later, read))
    }

    /// Whether a write is always before later ones of its thread that hide it, one of which happens with it.
    fn is_followed(
        &mut self,
        facts: &Facts,
        live: &[Member],
        index: usize,
        hides: impl Fn(&Self, &Write) -> bool,
    ) -> bool {
        let write = live[index].write;
        let mut own = None;
        let mut any = self.terms.bool(false);
        let later = live[index + 1..].iter().take_while(|member| member.write.thread == write.thread);
        for other in later.take(NEIGHBOURS) {
            // Either it is always to the address that is read, or it is to that whenever the write itself is.
            if (other.same || other.write.address == write.address)
                && self.writer.always_before(write.step, other.write.step)
                && hides(self, &other.write)
            {
                let own = own.get_or_insert_with(|| self.known.facts(self.terms, write.effective));
                any = self.terms.or(any, other.write.effective);
                if facts::implied(self.terms, &[facts, own], any) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a read reads from what an earlier one of its thread read from, or from what its own thread wrote since. Then nothing
    /// but those writes is left in the view.
    pub(super) fn is_as_before(&self, read: &Read, facts: &Facts, earlier: &Read, view: &mut View) -> bool {
        if !self.writer.always_before(earlier.step, read.step)
            || !facts::implied(self.terms, &[facts], earlier.guard)
        {
            return false;
        }
        // Locks that the thread has kept from the one to the other.
        let kept: Vec<TermId> = self
            .sections
            .around(read.step)
            .iter()
            .filter(|held| self.sections.around(earlier.step).contains(held))
            .map(|&(lock, _)| lock)
            .collect();
        let cannot_come_between = |write: &Write| {
            if write.thread == read.thread {
                // What it wrote before is what the earlier read read from, if anything newer did not come.
                return true;
            }
            self.writer.always_before(write.step, earlier.step)
                || kept.iter().any(|&lock| self.sections.of_lock(write.step, lock).is_some())
        };
        if !view.live.iter().all(|member| cannot_come_between(&member.write)) {
            return false;
        }
        // What its own thread wrote in the step of the earlier read, or since.
        let is_since = |write: &Write| write.thread == read.thread && write.position >= earlier.position;
        let visible: Vec<usize> =
            view.visible.iter().copied().filter(|&index| is_since(&view.live[index].write)).collect();
        let mut indices = Vec::with_capacity(view.live.len());
        let mut live = Vec::new();
        for member in &view.live {
            indices.push(live.len());
            if is_since(&member.write) {
                live.push(*member);
            }
        }
        view.visible = visible.into_iter().map(|index| indices[index]).collect();
        view.live = live;
        view.sure.retain(|writes| writes.iter().all(is_since));
        true
    }
}
