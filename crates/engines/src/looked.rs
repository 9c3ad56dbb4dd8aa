//! Looks at where objects lie, while the VM runs: what it does then need not be what it does in another layout.

use raddle_base::Span;
use raddle_ir::Program;
use raddle_vm::address::Look;
use raddle_vm::code::Place;
use raddle_vm::memory::Memory;
use raddle_vm::{Event, Observer, Stream};

use crate::Reason;

/// The first look at where objects lie.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LookedAt(Option<(Look, Place)>);

impl LookedAt {
    /// What was looked at, and where.
    pub(crate) fn at(self, program: &Program) -> Option<(String, Span)> {
        self.0.map(|(what, place)| (what.to_owned(), place.span(program)))
    }

    /// Why nothing is known, if there was one.
    pub(crate) fn reason(self, program: &Program) -> Option<Reason> {
        self.at(program).map(|(what, span)| Reason::Unsupported { what, span })
    }
}

impl Observer for LookedAt {
    const WATCHES: bool = false;

    fn event(&mut self, _: &Event, _: &Memory) {}

    fn output(&mut self, _: Stream, _: &[u8]) {}

    fn looked(&mut self, place: Place, what: Look) {
        self.0.get_or_insert((what, place));
    }
}
