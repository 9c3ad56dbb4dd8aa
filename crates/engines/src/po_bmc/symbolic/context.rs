//! What every part of symbolic execution works with: the program, what is asked and assumed, where execution stands, and what it
//! makes: an unrolling, and a report.
//!
//! Invariant: steps and events are emitted for the thread at hand, in its program order, at the program point at hand.

use raddle_base::{Budget, Exhausted, Id, Span};
use raddle_ir::{BlockId, Constant, Property, RegisterId, Type};
use raddle_logic::term::{Sort, TermId, Terms};
use raddle_vm::code::Place;
use rustc_hash::FxHashSet;

use super::assumptions::Assumptions;
use super::atomic_block::AtomicBlock;
use super::options::Options;
use super::path::Path;
use super::report::Report;
use super::world::{Origin, SiteKey, VisitId, World};
use crate::execution_graph::emitter::{Emitter, Here};
use crate::execution_graph::events::{
    BlockedOn, Blocking, Check, EventId, EventKind, Input, InstanceId, Limit, LimitKind, Location, StepId,
    Unrolling,
};
use raddle_semantics::pointers::overlap;
use raddle_semantics::{ObjectId, View, WordLayout, values};

/// What instructions lead to.
pub(crate) enum Flow {
    /// The next one.
    Next,
    /// Nowhere: the path ends here.
    Ends,
}

/// See the [module](self).
pub(crate) struct Context<'w, 'p> {
    pub(crate) world: &'w mut World<'p>,
    pub(crate) options: &'w Options,
    pub(crate) assumed: &'w Assumptions,
    pub(crate) budget: &'w Budget,
    /// What the threads do. Its tables are written through emitters only.
    pub(crate) out: Unrolling,
    pub(crate) report: Report,
    thread: InstanceId,
    thread_name: InstanceId,
    /// The instruction at hand.
    point: Place,
    /// The visit of its block; none between the threads.
    visit: Option<VisitId>,
    /// Threads that look at their own ids.
    aware: FxHashSet<InstanceId>,
    /// Of so many terms the budget knows.
    paid: usize,
}

impl<'w, 'p> Context<'w, 'p> {
    pub(crate) fn new(
        world: &'w mut World<'p>,
        options: &'w Options,
        assumed: &'w Assumptions,
        budget: &'w Budget,
        out: Unrolling,
    ) -> Self {
        let point = Place { function: world.program.entry, block: BlockId::from_index(0), index: 0 };
        let main = InstanceId::from_index(0);
        let paid = out.terms.len();
        Self {
            world,
            options,
            assumed,
            budget,
            out,
            report: Report::default(),
            thread: main,
            thread_name: main,
            point,
            visit: None,
            aware: FxHashSet::default(),
            paid,
        }
    }

    /// Charges the budget for a piece of work, and for the terms that were made since it was charged last: they are most of the work.
    pub(crate) fn spend(&mut self, units: u32) -> Result<(), Exhausted> {
        let made = self.out.terms.len() - self.paid;
        self.paid = self.out.terms.len();
        self.budget.spend(units.saturating_add(u32::try_from(made).unwrap_or(u32::MAX)))
    }

    /// The thread at hand.
    pub(crate) fn thread(&self) -> InstanceId {
        self.thread
    }

    /// Its name in the world.
    pub(crate) fn thread_name(&self) -> InstanceId {
        self.thread_name
    }

    /// Another thread is executed.
    pub(crate) fn switch_to(&mut self, thread: InstanceId, name: InstanceId) {
        (self.thread, self.thread_name) = (thread, name);
    }

    /// Execution comes to an instruction, in a visit of its block; or is between the threads: where the program begins.
    pub(crate) fn come_to(&mut self, at: Option<(Place, VisitId)>) {
        let begin = Place { function: self.world.program.entry, block: BlockId::from_index(0), index: 0 };
        self.point = at.map_or(begin, |(point, _)| point);
        self.visit = at.map(|(_, visit)| visit);
    }

    /// The instruction at hand.
    pub(crate) fn point(&self) -> Place {
        self.point
    }

    /// Its name in the world.
    pub(crate) fn site(&self) -> SiteKey {
        (self.visit.expect("something is being executed"), self.point.index)
    }

    /// Whether a thread looks at its own id.
    pub(crate) fn is_aware_of_its_id(&self, thread: InstanceId) -> bool {
        self.aware.contains(&thread)
    }

    /// The thread id of the thread at hand, which it thereby looks at.
    pub(crate) fn own_thread_id(&mut self) -> TermId {
        self.aware.insert(self.thread);
        self.out.threads[self.thread].thread_id
    }

    pub(crate) fn terms(&mut self) -> &mut Terms {
        &mut self.out.terms
    }

    pub(crate) fn pointer_bits(&self) -> u32 {
        self.world.pointer_bits()
    }

    /// How memory holds values.
    pub(crate) fn layout(&self) -> WordLayout {
        self.world.layout()
    }

    pub(crate) fn pointer(&mut self, address: u128) -> TermId {
        let bits = self.pointer_bits();
        self.terms().bits(address, bits)
    }

    pub(crate) fn span(&self) -> Span {
        self.point.span(self.world.program)
    }

    /// The path ends here without that being seen: an assumption, undefined behaviour, a bound.
    pub(crate) fn stop_if(&mut self, path: &Path, condition: TermId) {
        let stops = self.out.terms.and(path.guard.term(), condition);
        self.emit().stop(stops);
    }

    /// Goes on only where a condition holds; elsewhere the thread stops.
    pub(crate) fn assume(&mut self, path: &mut Path, condition: TermId) -> Flow {
        let fails = self.terms().not(condition);
        self.stop_if(path, fails);
        self.restrict(path, condition)
    }

    /// Goes on only where a condition holds.
    pub(crate) fn restrict(&mut self, path: &mut Path, condition: TermId) -> Flow {
        path.guard = path.guard.and(&mut self.out.terms, condition);
        if path.guard.is_false(&self.out.terms) { Flow::Ends } else { Flow::Next }
    }

    /// The unrolling ends here.
    pub(crate) fn limit(&mut self, path: &Path, kind: LimitKind, span: Span) {
        let always = self.terms().bool(true);
        self.stop_if(path, always);
        let step = self.step_at(path);
        self.out.limits.push(Limit { kind, reached: path.guard.term(), step, span });
    }

    /// Something that cannot be followed.
    pub(crate) fn unsupported(&mut self, path: &Path, what: &str) -> Flow {
        let span = self.span();
        self.limit(path, LimitKind::Unsupported(what.to_owned()), span);
        Flow::Ends
    }

    /// What cannot be followed under a condition. The path goes on without it.
    pub(crate) fn unsupported_under(&mut self, path: &mut Path, condition: TermId, what: &str) -> Flow {
        let mut at = path.clone();
        at.guard = at.guard.and(&mut self.out.terms, condition);
        if at.guard.is_false(&self.out.terms) {
            return Flow::Next;
        }
        self.unsupported(&at, what);
        let otherwise = self.out.terms.not(condition);
        self.restrict(path, otherwise)
    }

    /// A check that fails unless `holds`.
    pub(crate) fn check(&mut self, path: &Path, property: Property, holds: TermId, message: &str) {
        let fails = self.out.terms.not(holds);
        let violated = self.out.terms.and(path.guard.term(), fails);
        if self.out.terms.as_bool(violated) == Some(false) && property != Property::Assertion {
            return;
        }
        let step = self.step_at(path);
        self.out.checks.push(Check {
            thread: self.thread,
            property,
            reached: path.guard.term(),
            violated,
            step,
            operations: path.operations,
            place: self.point,
            message: message.to_owned(),
        });
    }

    /// The step after (or in) which a path is.
    pub(crate) fn step_at(&self, path: &Path) -> StepId {
        path.block.as_ref().map_or_else(|| self.last_step(), |block| block.step())
    }

    pub(crate) fn last_step(&self) -> StepId {
        *self.out.threads[self.thread].steps.last().expect("a thread begins with a step")
    }

    /// A value from outside.
    pub(crate) fn input(&mut self, path: &mut Path, ty: Type, value: TermId, name: String, guard: TermId) {
        if let Some(block) = &mut path.block {
            block.note_input();
        }
        let guard = self.out.terms.and(path.guard.term(), guard);
        self.out.inputs.push(Input {
            thread: self.thread,
            guard,
            value,
            ty,
            operations: path.operations,
            name,
        });
    }

    pub(crate) fn fresh(&mut self, prefix: &str, ty: Type) -> TermId {
        let sort = values::sort(ty, self.pointer_bits());
        self.terms().fresh(prefix, sort)
    }

    /// A value that has no exact term: anything.
    pub(crate) fn havoc(&mut self, path: &Path, ty: Type, what: &'static str) -> TermId {
        self.report.havocked.push((path.guard.term(), what));
        self.fresh("opaque", ty)
    }

    pub(crate) fn flag(&mut self, prefix: &str) -> TermId {
        self.terms().fresh(prefix, Sort::Bool)
    }

    pub(crate) fn constant(&mut self, constant: Constant) -> TermId {
        let pointer_bits = self.pointer_bits();
        match constant {
            Constant::Int(bits, value) => {
                values::constant(&mut self.out.terms, Type::Int(bits), value, pointer_bits)
            }
            Constant::F32(bits) => self.out.terms.bits(bits.into(), 32),
            Constant::F64(bits) => self.out.terms.bits(bits.into(), 64),
            Constant::Null => self.pointer(0),
            Constant::Global(global, offset) => {
                let object = self.world.object(Origin::Global(global));
                let mask = (1_u128 << pointer_bits) - 1;
                let offset =
                    u128::from(offset.cast_unsigned()) | if offset < 0 { !u128::from(u64::MAX) } else { 0 };
                self.pointer(self.world.base(object).wrapping_add(offset) & mask)
            }
            Constant::Function(function) => {
                let object = self.world.object(Origin::Function(function));
                self.pointer(self.world.base(object))
            }
        }
    }

    /// A new step of the thread at hand.
    pub(crate) fn step(&mut self, path: &Path, fence: bool) -> StepId {
        let here = self.here(path);
        self.emit().open_step(here, fence)
    }

    /// Where a path is.
    pub(crate) fn here(&self, path: &Path) -> Here {
        Here { guard: path.guard.term(), operations: path.operations, place: self.point }
    }

    /// Writes what the thread at hand does.
    pub(crate) fn emit(&mut self) -> Emitter<'_> {
        self.out.emit(self.thread)
    }

    /// An event in a step.
    pub(crate) fn event(&mut self, step: StepId, guard: TermId, kind: EventKind) -> EventId {
        let place = self.point;
        self.emit().add(step, guard, kind, place)
    }

    /// The step that an operation belongs to: that of its atomic block, or a new one.
    pub(crate) fn step_for(&mut self, path: &Path, fence: bool) -> StepId {
        match &path.block {
            Some(block) => block.step(),
            None => self.step(path, fence),
        }
    }

    /// One more operation was made.
    pub(crate) fn operation(&mut self, path: &mut Path) {
        let one = self.out.terms.bits(1, 32);
        path.operations = self.out.terms.add(path.operations, one);
    }

    /// After what a step does on a path, it has come so far.
    pub(crate) fn complete(&mut self, path: &Path, step: StepId) {
        if path.block.is_none() {
            self.emit().close_step(step, path.guard.term(), path.operations);
        }
    }

    /// A pointer to the first byte of the object that a pointer belongs to.
    pub(crate) fn first_address(&mut self, address: TermId) -> TermId {
        self.world.addresses().first_address(&mut self.out.terms, address)
    }

    /// Whether an access of so many bytes at an offset stays within an object.
    pub(crate) fn within(&mut self, offset: TermId, size: u32, object_size: TermId) -> TermId {
        self.world.addresses().within(&mut self.out.terms, offset, size, object_size)
    }

    /// A pointer moved by an offset.
    pub(crate) fn moved(&mut self, pointer: TermId, offset: TermId) -> TermId {
        self.world.addresses().moved(&mut self.out.terms, pointer, offset)
    }

    /// Whether a pointer belongs to an object.
    pub(crate) fn is_in(&mut self, pointer: TermId, object: ObjectId) -> TermId {
        self.world.addresses().is_in(&mut self.out.terms, pointer, object)
    }

    /// How far a pointer is behind the first byte of an object.
    pub(crate) fn offset_in(&mut self, pointer: TermId, object: ObjectId) -> TermId {
        self.world.addresses().offset_in(&mut self.out.terms, pointer, object)
    }

    /// Whether a pointer is a number that was made a pointer, null included.
    pub(crate) fn is_number(&mut self, pointer: TermId) -> TermId {
        self.world.addresses().is_number(&mut self.out.terms, pointer)
    }

    /// Whether an address is a constant in a global.
    pub(crate) fn is_global(&self, address: TermId) -> bool {
        let object = self.out.terms.as_bits(address).and_then(|address| self.world.object_at(address));
        object.is_some_and(|object| matches!(self.world.origin(object), Origin::Global(_)))
    }

    pub(crate) fn blocking(&mut self, path: &Path, step: StepId, refused: TermId, blocked_on: BlockedOn) {
        let blocked = self.out.terms.and(path.guard.term(), refused);
        if self.out.terms.as_bool(blocked) == Some(false) {
            return;
        }
        let uncertain = path.block.as_ref().is_some_and(AtomicBlock::has_inputs);
        let blocked_on = if uncertain { BlockedOn::Nothing } else { blocked_on };
        let place = self.point;
        self.out.blockings.push(Blocking { thread: self.thread, step, blocked, blocked_on, place });
    }

    /// Whether a register of the function at hand only holds what is copied.
    pub(crate) fn is_copied(&self, register: RegisterId) -> bool {
        self.world.is_copied(self.point.function, register)
    }

    /// What an instruction takes what it reads for.
    pub(crate) fn view(&self, dest: RegisterId, ty: Type) -> View {
        let (place, is_copied) = (self.point, self.is_copied(dest));
        let is_bytes = matches!(ty, Type::Int(bits) if bits.is_multiple_of(8));
        if is_copied && is_bytes {
            View::Copy
        } else if is_copied || self.world.is_punned(place) {
            View::Punned(ty)
        } else {
            View::Value(ty)
        }
    }

    /// A counterexample in which this holds may be none in the VM, where objects lie elsewhere.
    pub(crate) fn note_dependence(&mut self, path: &Path, condition: TermId, what: &'static str) {
        let happens = self.out.terms.and(path.guard.term(), condition);
        if self.out.terms.as_bool(happens) != Some(false) {
            self.report.havocked.push((happens, what));
        }
    }

    /// Whether two locations at constant addresses share bytes.
    pub(crate) fn overlaps(&self, first: Location, second: Location) -> bool {
        match (self.out.terms.as_bits(first.address), self.out.terms.as_bits(second.address)) {
            (Some(a), Some(b)) => overlap((a, first.size), (b, second.size)),
            (_, _) => false,
        }
    }
}
