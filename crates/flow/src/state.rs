//! A thread in the middle of a step: what it did since the step began, as terms over the state before.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_base::Span;
use raddle_ir::{BlockId, Frame, FunctionId, Point, Property, RegisterId, Site};
use raddle_logic::term::TermId;
use raddle_semantics::ObjectId;

use crate::knowledge::{Cell, Slot};
use crate::model::{CheckId, Existing, TemplateId, VariableId};

/// A function that is being run.
#[derive(Clone, Debug)]
pub(crate) struct Activation {
    pub(crate) function: FunctionId,
    pub(crate) frame: Rc<Frame>,
    /// Those that were not assigned hold any value.
    pub(crate) registers: BTreeMap<RegisterId, TermId>,
    /// Where the caller puts the result.
    pub(crate) dest: Option<RegisterId>,
    /// Tells activations of one path apart.
    pub(crate) serial: u32,
}

/// An access, before variables have ids.
#[derive(Clone, Debug)]
pub(crate) struct RawAccess {
    pub(crate) variable: Option<VariableId>,
    pub(crate) address: TermId,
    pub(crate) bytes: u32,
    pub(crate) writes: bool,
    pub(crate) is_atomic: bool,
    pub(crate) site: Site,
}

/// A thread that is started.
#[derive(Clone, Debug)]
pub(crate) struct RawSpawn {
    pub(crate) template: TemplateId,
    pub(crate) point: Point,
    pub(crate) id: TermId,
    pub(crate) argument: TermId,
}

/// The instructions of a path, last one first.
#[derive(Debug)]
pub(crate) struct Trail {
    pub(crate) frame: Rc<Frame>,
    pub(crate) site: Site,
    pub(crate) span: Span,
    pub(crate) before: Option<Rc<Self>>,
}

/// A thread in the middle of a step.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) stack: Vec<Activation>,
    pub(crate) block: BlockId,
    pub(crate) index: usize,
    /// What followed cells hold that were accessed.
    pub(crate) cells: BTreeMap<Cell, TermId>,
    /// The same of objects that are accessed at indices, by field.
    pub(crate) arrays: BTreeMap<(ObjectId, u64), TermId>,
    pub(crate) guards: Vec<TermId>,
    /// How many atomic blocks are open.
    pub(crate) depth: u32,
    /// Whether a visible instruction or an atomic block was executed.
    pub(crate) acted: bool,
    pub(crate) waits: bool,
    pub(crate) spawn: Option<RawSpawn>,
    pub(crate) joins: Option<TermId>,
    pub(crate) accesses: Vec<RawAccess>,
    pub(crate) trail: Option<Rc<Trail>>,
    /// What `Havoc` instructions gave, in order.
    pub(crate) havocs: Vec<TermId>,
    /// Which inputs say whether a thread was started.
    pub(crate) existing: Vec<Existing>,
    pub(crate) steps: usize,
    /// Of the visible instruction.
    pub(crate) span: Option<Span>,
    /// Objects made on the way.
    pub(crate) made: Vec<ObjectId>,
    /// Blocks entered on the way, by activation.
    pub(crate) entered: BTreeMap<(u32, BlockId), u32>,
    pub(crate) serials: u32,
}

impl State {
    pub(crate) fn top(&self) -> &Activation {
        self.stack.last().expect("a thread that runs has an activation")
    }

    pub(crate) fn top_mut(&mut self) -> &mut Activation {
        self.stack.last_mut().expect("a thread that runs has an activation")
    }

    pub(crate) fn site(&self) -> Site {
        Site { function: self.top().function, block: self.block, index: self.index }
    }

    pub(crate) fn point(&self) -> Point {
        Point { frame: self.top().frame.as_ref().clone(), site: self.site() }
    }

    /// The instruction is executed now.
    pub(crate) fn record(&mut self, span: Span) {
        let (frame, site) = (Rc::clone(&self.top().frame), self.site());
        let before = self.trail.take();
        self.trail = Some(Rc::new(Trail { frame, site, span, before }));
        self.steps += 1;
    }

    /// All instructions, in order, and the source location of the first that has one.
    pub(crate) fn path(&self) -> (Vec<Point>, Span) {
        let (mut list, mut span) = (Vec::new(), Span::NONE);
        let mut next = self.trail.as_ref();
        while let Some(trail) = next {
            list.push(Point { frame: trail.frame.as_ref().clone(), site: trail.site });
            if trail.span != Span::NONE {
                span = trail.span;
            }
            next = trail.before.as_ref();
        }
        list.reverse();
        (list, span)
    }
}

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Step(Point),
    Ended,
    Stuck,
    Failed(CheckId),
}

/// A path from one location to the next.
#[derive(Clone, Debug)]
pub(crate) struct RawEdge {
    pub(crate) to: Target,
    pub(crate) state: State,
    /// What the thread's own slots hold at the end, where the next step may read them.
    pub(crate) arrives: Vec<(Slot, TermId)>,
    /// What own slots of the started thread hold.
    pub(crate) child: Vec<(Slot, TermId)>,
}

/// What checks are told apart by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CheckKey {
    pub(crate) template: TemplateId,
    pub(crate) point: Point,
    pub(crate) property: Property,
}
