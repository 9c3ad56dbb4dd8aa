//! What a step does, taken down while it is made.

use raddle_ir::{Program, Property};

use super::commuting::Commuting;
use super::footprint::Footprint;
use super::found::Passed;
use super::symmetry::Learned;
use crate::code::Place;
use crate::mark::Look;
use crate::memory::{Memory, Spot};
use crate::observe::{Action, Event, Observer, Question, Stream};
use crate::race::RaceDetector;
use crate::state::ThreadId;
use crate::step::Vm;

/// Takes down what a step does.
pub(super) struct Watcher<'p, 'b> {
    program: &'p Program,
    passed: &'b mut Passed,
    /// How many basic blocks were passed.
    pub(super) blocks: u64,
    /// Where it depended on the layout of memory how to go on.
    unsupported: &'b mut Vec<(String, Place)>,
    /// The threads whose ends it saw.
    pub(super) joined: Vec<ThreadId>,
    /// The clocks behind it, where they are kept.
    pub(super) clocks: Option<RaceDetector<'p>>,
    /// What it depends on, where executions are searched with sleep sets.
    pub(super) footprint: Option<Footprint>,
    /// Which read-modify-writes commute with each other.
    commuting: Option<&'b Commuting>,
    /// What nobody checks and ended a thread.
    pub(super) undefined: Vec<Property>,
    /// What may tell threads apart, where symmetry is used.
    pub(super) learned: Option<Learned>,
}

impl<'p, 'b> Watcher<'p, 'b> {
    pub(super) fn new(
        vm: &Vm<'p>,
        (passed, unsupported): (&'b mut Passed, &'b mut Vec<(String, Place)>),
    ) -> Self {
        Self {
            program: vm.program(),
            passed,
            blocks: 0,
            unsupported,
            joined: Vec::new(),
            clocks: None,
            footprint: None,
            commuting: None,
            undefined: Vec::new(),
            learned: None,
        }
    }

    /// Keeps clocks, if there are any.
    pub(super) fn with_clocks(self, clocks: Option<RaceDetector<'p>>) -> Self {
        Self { clocks, ..self }
    }

    /// Takes down what the step depends on.
    pub(super) fn with_footprint(self, wanted: bool) -> Self {
        Self { footprint: wanted.then(Footprint::default), ..self }
    }

    /// Takes read-modify-writes apart that commute with each other.
    pub(super) fn with_commuting(self, commuting: Option<&'b Commuting>) -> Self {
        Self { commuting, ..self }
    }

    /// Takes down what may tell threads apart.
    pub(super) fn with_learned(self, learned: Option<Learned>) -> Self {
        Self { learned, ..self }
    }
}

impl Observer for Watcher<'_, '_> {
    fn looked(&mut self, place: Place, what: Look) {
        if !self.unsupported.iter().any(|known| known.1 == place) {
            self.unsupported.push((what.to_owned(), place));
        }
    }

    fn event(&mut self, event: &Event, memory: &Memory) {
        if let Some(clocks) = &mut self.clocks {
            clocks.event(event, memory);
        }
        if let Some(footprint) = &mut self.footprint {
            footprint.add(event, memory, self.program, self.commuting);
        }
        if let Some(learned) = &mut self.learned {
            learned.event(event, memory);
        }
        if let Action::Join(other) = event.action {
            self.joined.push(other);
        }
    }

    fn asked(&mut self, thread: ThreadId, question: Question, memory: &Memory) {
        if let Some(learned) = &mut self.learned {
            learned.asked(thread, question, memory);
        }
        if let Some(footprint) = &mut self.footprint {
            footprint.ask(question);
        }
    }

    fn settled(&mut self) {
        if let Some(footprint) = &mut self.footprint {
            footprint.settled();
        }
    }

    fn refused(&mut self, lock: Spot) {
        if let Some(footprint) = &mut self.footprint {
            footprint.refused(lock);
        }
    }

    fn passed(&mut self, _: ThreadId, place: Place) {
        self.blocks += 1;
        self.passed.insert(place.function, place.block);
    }

    fn undone(&mut self) {
        // What it depends on stays: it read that all the same.
        if let Some(clocks) = &mut self.clocks {
            clocks.undone();
        }
        self.joined.clear();
    }

    fn undefined(&mut self, property: Property) {
        self.undefined.push(property);
    }

    fn exited(&mut self, memory: &Memory) {
        if let Some(clocks) = &mut self.clocks {
            clocks.exited(memory);
        }
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}
