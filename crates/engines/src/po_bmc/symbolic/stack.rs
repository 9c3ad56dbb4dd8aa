//! Where execution stands: the activations of functions of the thread at hand, and the iterations of loops they are in.

use std::rc::Rc;

use raddle_base::Id;
use raddle_ir::{BlockId, FunctionId};
use raddle_logic::term::{TermId, Terms};
use raddle_vm::code::Place;
use rustc_hash::{FxHashMap, FxHashSet};

use super::order::{BlockOrder, Position};
use super::stuttering::IterationStart;
use super::world::VisitId;
use raddle_semantics::ObjectId;

/// An iteration of a component of a function's blocks: the head, and which one.
pub(crate) type Iteration = (BlockId, Position);

/// Where execution stands in an activation.
struct Frame {
    function: FunctionId,
    visit: VisitId,
    block: BlockId,
    index: u32,
    /// The objects that end with it.
    locals: Vec<ObjectId>,
    /// Whether an instruction before each return ends them.
    have_ended: bool,
    /// The position of the block at hand.
    position: Position,
    /// Iterations in which it was left open whether another one follows.
    open: FxHashSet<Iteration>,
    /// What was known when the present iterations of components began.
    begun: FxHashMap<BlockId, (Position, Rc<IterationStart>)>,
    /// When stuttering iterations went on, where one in a row may.
    stuttered: FxHashMap<Iteration, TermId>,
}

/// The activations, the outermost first.
#[derive(Default)]
pub(crate) struct Stack {
    frames: Vec<Frame>,
    /// Blocks executed so far, by all threads.
    visits: usize,
}

impl Stack {
    fn top(&self) -> &Frame {
        self.frames.last().expect("something is being executed")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("something is being executed")
    }

    /// A function is called.
    pub(crate) fn enter(&mut self, function: FunctionId, visit: VisitId, position: Position) {
        self.frames.push(Frame {
            function,
            visit,
            block: BlockId::from_index(0),
            index: 0,
            locals: Vec::new(),
            have_ended: false,
            position,
            open: FxHashSet::default(),
            begun: FxHashMap::default(),
            stuttered: FxHashMap::default(),
        });
    }

    /// The function at hand returns.
    pub(crate) fn leave(&mut self) {
        self.frames.pop();
    }

    /// A block of the function at hand is visited.
    pub(crate) fn visit(&mut self, visit: VisitId, block: BlockId, position: &Position) {
        let frame = self.top_mut();
        (frame.visit, frame.block) = (visit, block);
        frame.position.clone_from(position);
        self.visits += 1;
    }

    /// Execution comes to an instruction of the block at hand.
    pub(crate) fn come_to(&mut self, index: usize) {
        self.top_mut().index = u32::try_from(index).expect("a block has fewer than 2^32 instructions");
    }

    /// The instruction at hand and the visit of its block, if something is being executed.
    pub(crate) fn point(&self) -> Option<(Place, VisitId)> {
        self.frames.last().map(|frame| {
            (Place { function: frame.function, block: frame.block, index: frame.index }, frame.visit)
        })
    }

    /// How many blocks were executed so far.
    pub(crate) fn visits(&self) -> usize {
        self.visits
    }

    /// How many activations of a function there are.
    pub(crate) fn depth_of(&self, function: FunctionId) -> usize {
        self.frames.iter().filter(|frame| frame.function == function).count()
    }

    pub(crate) fn function(&self) -> FunctionId {
        self.top().function
    }

    pub(crate) fn block(&self) -> BlockId {
        self.top().block
    }

    pub(crate) fn position(&self) -> &Position {
        &self.top().position
    }

    /// Whether the function at hand is the thread's first.
    pub(crate) fn is_outermost(&self) -> bool {
        self.frames.len() == 1
    }

    /// An object was made that ends with the function at hand.
    pub(crate) fn add_local(&mut self, object: ObjectId) {
        self.top_mut().locals.push(object);
    }

    /// The objects that end with the function at hand, and whether an instruction has ended them.
    pub(crate) fn locals(&self) -> (Vec<ObjectId>, bool) {
        (self.top().locals.clone(), self.top().have_ended)
    }

    /// The same for all functions; whether they have ended is said by the one at hand.
    pub(crate) fn all_locals(&self) -> (Vec<ObjectId>, bool) {
        let all = self.frames.iter().flat_map(|frame| frame.locals.iter().copied()).collect();
        (all, self.frames.last().is_some_and(|frame| frame.have_ended))
    }

    /// An instruction ends the objects.
    pub(crate) fn end_locals(&mut self) {
        self.top_mut().have_ended = true;
    }

    /// Notes for every component around the block at hand that it may be left for one of these targets or not.
    pub(crate) fn leave_open(&mut self, order: &BlockOrder, targets: &[BlockId]) {
        let frame = self.top_mut();
        for (depth, head) in order.heads(frame.block).iter().enumerate() {
            if targets.iter().any(|target| order.leaves(*head, *target)) {
                frame.open.insert((*head, Position::from_slice(&frame.position[..2 * depth + 2])));
            }
        }
    }

    /// Whether it was left open in an iteration whether another one follows.
    pub(crate) fn is_open(&self, iteration: &Iteration) -> bool {
        self.top().open.contains(iteration)
    }

    /// An iteration begins. All of the one before has been followed: nobody asks for its beginning any more.
    pub(crate) fn begin_iteration(&mut self, (head, position): Iteration, start: IterationStart) {
        self.top_mut().begun.insert(head, (position, Rc::new(start)));
    }

    /// What was known when an iteration began, if it is the present one.
    pub(crate) fn iteration_start(&self, (head, position): &Iteration) -> Option<Rc<IterationStart>> {
        let (begun, start) = self.top().begun.get(head)?;
        (begun == position).then(|| Rc::clone(start))
    }

    /// An iteration goes on under a condition though it stutters. Gives when the one before did so too, if that can be.
    pub(crate) fn note_stuttering(
        &mut self,
        iteration: &Iteration,
        goes_on: TermId,
        terms: &mut Terms,
    ) -> Option<TermId> {
        let frame = self.top_mut();
        let noted = frame.stuttered.entry(iteration.clone()).or_insert(goes_on);
        *noted = terms.or(*noted, goes_on);
        let mut before = iteration.1.clone();
        let count = before.last_mut()?;
        *count = count.checked_sub(1)?;
        frame.stuttered.get(&(iteration.0, before)).copied()
    }
}
