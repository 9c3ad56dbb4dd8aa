//! How execution goes through functions, blocks and calls.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_base::{Budget, Exhausted, Id, Span};
use raddle_ir::{BlockId, Constant, FunctionId, GlobalId, Operand, Property, RegisterId, Terminator, Type};
use raddle_logic::term::{Sort, TermId, Terms};
use raddle_vm::code::Place;
use rustc_hash::{FxHashMap, FxHashSet};

use super::assumptions::{Assumptions, ReadKey};
use super::guard::Guard;
use super::memory::Memory;
use super::numbers::{Guess, Places};
use super::options::Options;
use super::order::Position;
use super::path::Path;
use super::progress::RoundStart;
use super::region::Locks;
use super::world::{Reach, SiteKey, VisitId, World};
use crate::execution_graph::events::{
    Check, EventId, Input, InstanceId, Limit, LimitKind, Space, StepId, SynchronisationId, Unrolling,
};
use crate::semantics::values;
use crate::semantics::{Background, ObjectId, WordLayout};

/// What a visit of a block costs of a budget.
const UNITS_PER_VISIT: u32 = 3;

/// A read that sees the same constant always, and so is no event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstantRead {
    pub(crate) key: ReadKey,
    pub(crate) space: Space,
    pub(crate) address: TermId,
    pub(crate) size: u32,
    /// Bits of what it sees.
    pub(crate) bits: u32,
    /// What it would see if nobody had written.
    pub(crate) initial: Option<TermId>,
}

/// What else an execution found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The reads of shared memory.
    pub(crate) reads: Vec<(ReadKey, EventId)>,
    /// The names of the threads, which are the same in each execution.
    pub(crate) names: Vec<InstanceId>,
    /// Reads that are no events, because of what they are taken to see.
    pub(crate) constant_reads: Vec<ConstantRead>,
    /// For reads of bytes with marks, what they see without these.
    pub(crate) bytes: FxHashMap<EventId, TermId>,
    /// For reads, the condition under which what they see initially was never written.
    pub(crate) unwritten: FxHashMap<EventId, TermId>,
    /// Reads for which memory that was never written counts as a number.
    pub(crate) unwritten_is: FxHashMap<EventId, u32>,
    /// The locks that were held at accesses to shared memory, where any were.
    pub(crate) locks: FxHashMap<EventId, Locks>,
    /// For what critical sections read and write at once, which section it is.
    pub(crate) acquisitions: FxHashMap<EventId, usize>,
    /// How many operations the thread has made when it reads.
    pub(crate) read_operations: FxHashMap<EventId, TermId>,
    /// Rounds of each loop that were executed at most.
    pub(crate) loops: BTreeMap<(FunctionId, BlockId), u32>,
    /// Loops that were cut although it was open whether another round follows, or whose bound was given.
    pub(crate) open_cuts: BTreeSet<(FunctionId, BlockId)>,
    /// Depth of each recursive function.
    pub(crate) recursions: BTreeMap<FunctionId, u32>,
    /// What stands in for values that have no exact term: when it counts, and what it is.
    pub(crate) opaque: Vec<(TermId, &'static str)>,
    /// All accesses to shared memory that are not those of locks, also those that are no events: address and size.
    pub(crate) touched: FxHashSet<(TermId, u32)>,
    /// Lock words are touched by other accesses than those of locks.
    pub(crate) touches_lock_words: bool,
    /// Other threads than the main one start some.
    pub(crate) others_fork: bool,
    /// Something is written over a part of a pointer, and memory does not say what is which.
    pub(crate) tears_pointers: bool,
    /// When memory is allocated for the program.
    pub(crate) heap: Vec<TermId>,
    /// When a thread takes a value that was never written, but from shared memory.
    pub(crate) uninitialised: Vec<TermId>,
    /// Where objects lie, as far as that counts: the symbol, the size, and the object if it is a global.
    pub(crate) places: Vec<(TermId, TermId, Option<GlobalId>)>,
    /// Symbols that say whether an address is the first of a heap object; settled when all objects are known.
    pub(crate) heap_questions: Vec<(TermId, TermId)>,
    /// Symbols that stand for the size of the object at an address, if it lives; settled when all objects are known.
    pub(crate) size_questions: Vec<(TermId, TermId, TermId)>,
    /// Blocks that a path comes through.
    pub(crate) passed: FxHashSet<(FunctionId, BlockId)>,
    /// Whether the cap on events was reached.
    pub(crate) too_large: bool,
}

impl Report {
    /// Whether a value that was never written may be read.
    pub(crate) fn may_read_unwritten(&self, terms: &Terms) -> bool {
        self.uninitialised
            .iter()
            .chain(self.unwritten.values())
            .any(|&term| terms.as_bool(term) != Some(false))
    }
}

/// What is known of an object in this execution.
#[derive(Clone, Debug)]
pub(crate) struct ObjectFacts {
    /// In bytes, of pointer width.
    pub(crate) size: TermId,
    /// The most that its size can be.
    pub(crate) most: u128,
    /// In bytes.
    pub(crate) align: u64,
    pub(crate) reach: Reach,
    pub(crate) read_only: bool,
    pub(crate) background: Background,
    /// Whether `free` ends it.
    pub(crate) is_heap: bool,
    /// Whether it can end at all.
    pub(crate) is_mortal: bool,
    /// The instruction that makes it.
    pub(crate) site: Option<Place>,
}

/// An address that may not lead to a live object, to be told apart at the end, when all objects are known.
#[derive(Clone, Debug)]
pub(crate) struct Validity {
    /// The Boolean symbol that says so.
    pub(crate) valid: TermId,
    pub(crate) address: TermId,
    pub(crate) size: u32,
    pub(crate) writes: bool,
}

/// The registers of an activation; what was never assigned is zero.
pub(crate) type Registers = Vec<Option<TermId>>;

/// Where execution stands in an activation.
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) visit: VisitId,
    pub(crate) block: BlockId,
    pub(crate) index: u32,
    /// The objects that end with it.
    pub(crate) locals: Vec<ObjectId>,
    /// Whether an instruction before each return ends them.
    pub(crate) has_ended: bool,
    /// The position of the block at hand.
    pub(crate) position: Position,
    /// Components and rounds in which it was left open whether another round follows.
    open: FxHashSet<(BlockId, Position)>,
    /// What was known when the present rounds of components began.
    rounds: FxHashMap<BlockId, (Position, Rc<RoundStart>)>,
    /// Whether rounds of components went on though they changed nothing, where one such round in a row may.
    pub(crate) idle: FxHashMap<(BlockId, Position), TermId>,
}

/// Executes a program symbolically. See the [module](super).
pub(crate) struct Executor<'w, 'p> {
    pub(crate) world: &'w mut World<'p>,
    pub(crate) options: &'w Options,
    pub(crate) assumed: &'w Assumptions,
    pub(crate) out: Unrolling,
    pub(crate) report: Report,
    pub(crate) objects: FxHashMap<ObjectId, ObjectFacts>,
    /// What shared objects hold when the first thread is started.
    pub(crate) initial: Option<Memory>,
    pub(crate) validities: Vec<Validity>,
    /// Where objects lie, as far as that counts.
    pub(crate) places: Places,
    /// Where it counts what a number stands for that nobody knows.
    pub(crate) guesses: Vec<Guess>,
    /// Whether there are pointers that nobody knows: inputs, numbers, what was never written.
    pub(crate) unknown_pointers: bool,
    /// What atomic sections and critical sections have read, whatever the path.
    pub(crate) hoisted: FxHashMap<(StepId, Space, TermId, u32), TermId>,
    pub(crate) pending: std::collections::VecDeque<super::thread::Pending>,
    /// For each thread but the main one, what tells it from others; none if it is aware of its number.
    pub(crate) identities: Vec<Option<super::symmetry::Identity>>,
    pub(crate) thread: InstanceId,
    /// The thread's name in the world.
    pub(crate) thread_name: InstanceId,
    pub(crate) frames: Vec<Frame>,
    /// Blocks executed so far.
    visits: usize,
    /// Where the thread at hand may end.
    pub(crate) ends: Vec<(Path, TermId)>,
    /// Whether the read at hand is an event even if it sees the same constant always.
    pub(crate) keeps_reads: bool,
    /// Whether the read at hand can see nothing but a number.
    pub(crate) sees_number: bool,
    /// What memory counts as for the read at hand that was never written, if that is no input.
    pub(crate) unwritten_is: Option<u32>,
    /// The atomic store that the write at hand belongs to, if that is noted.
    pub(crate) store_at_hand: Option<SynchronisationId>,
    pub(crate) budget: &'w Budget,
}

/// Executes a program, as far as the budget goes.
pub(crate) fn execute<'w, 'p>(
    world: &'w mut World<'p>,
    options: &'w Options,
    assumed: &'w Assumptions,
    budget: &'w Budget,
) -> Result<Draft<'w, 'p>, Exhausted> {
    let mut out = Unrolling::new(Terms::new());
    out.happens_before = options.needs_happens_before(assumed);
    out.dynamic_thread_ids = !assumed.fixed_thread_ids.0;
    let main = InstanceId::from_index(0);
    let mut executor = Executor {
        world,
        options,
        assumed,
        out,
        report: Report::default(),
        objects: FxHashMap::default(),
        initial: None,
        validities: Vec::new(),
        places: Places::default(),
        guesses: Vec::new(),
        unknown_pointers: false,
        hoisted: FxHashMap::default(),
        pending: std::collections::VecDeque::new(),
        identities: Vec::new(),
        thread: main,
        thread_name: main,
        frames: Vec::new(),
        visits: 0,
        ends: Vec::new(),
        keeps_reads: false,
        sees_number: false,
        unwritten_is: None,
        store_at_hand: None,
        budget,
    };
    executor.run()?;
    executor.settle_reads()?;
    Ok(Draft { executor })
}

/// A program that was executed, before accesses are split up.
pub(crate) struct Draft<'w, 'p> {
    executor: Executor<'w, 'p>,
}

impl<'p> Draft<'_, 'p> {
    pub(crate) fn parts(&mut self) -> (&mut Unrolling, &Report, &World<'p>) {
        (&mut self.executor.out, &self.executor.report, self.executor.world)
    }

    /// Makes it ready to be encoded.
    pub(crate) fn finish(mut self) -> Result<(Unrolling, Report), Exhausted> {
        self.executor.settle()?;
        Ok((self.executor.out, self.executor.report))
    }
}

/// What instructions lead to.
pub(crate) enum Flow {
    /// The next one.
    Next,
    /// Nowhere: the path ends here.
    Ends,
}

impl<'p> Executor<'_, 'p> {
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

    /// The instruction at hand.
    pub(crate) fn place(&self) -> Place {
        match self.frames.last() {
            Some(frame) => Place { function: frame.function, block: frame.block, index: frame.index },
            // Between the threads: where the program begins.
            None => Place { function: self.world.program.entry, block: BlockId::from_index(0), index: 0 },
        }
    }

    pub(crate) fn site(&self) -> SiteKey {
        let frame = self.frames.last().expect("something is being executed");
        (frame.visit, frame.index)
    }

    pub(crate) fn span(&self) -> Span {
        self.place().span(self.world.program)
    }

    /// The path ends here without that being seen: an assumption, undefined behaviour, a bound.
    pub(crate) fn stop_if(&mut self, path: &Path, condition: TermId) {
        let stops = self.out.terms.and(path.guard.term(), condition);
        self.out.emit(self.thread).stop(stops);
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
        self.out.limits.push(Limit { kind, reached: path.guard.term(), span });
    }

    /// Something that cannot be followed.
    pub(crate) fn unsupported(&mut self, path: &Path, what: &str) -> Flow {
        let span = self.span();
        self.limit(path, LimitKind::Unsupported(what.to_owned()), span);
        Flow::Ends
    }

    /// A check that fails unless `holds`.
    pub(crate) fn check(&mut self, path: &Path, property: Property, holds: TermId, message: &str) {
        let fails = self.out.terms.not(holds);
        let violated = self.out.terms.and(path.guard.term(), fails);
        if self.out.terms.as_bool(violated) == Some(false) && property != Property::Assertion {
            return;
        }
        let step = path.section.as_ref().map_or_else(|| self.last_step(), |section| section.step);
        self.out.checks.push(Check {
            thread: self.thread,
            property,
            reached: path.guard.term(),
            violated,
            step,
            operations: path.operations,
            place: self.place(),
            message: message.to_owned(),
        });
    }

    pub(crate) fn last_step(&self) -> StepId {
        *self.out.threads[self.thread].steps.last().expect("a thread begins with a step")
    }

    /// A value from outside.
    pub(crate) fn input(&mut self, path: &mut Path, ty: Type, value: TermId, name: String, guard: TermId) {
        if let Some(section) = &mut path.section {
            section.inputs = true;
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
    pub(crate) fn opaque(&mut self, path: &Path, ty: Type, what: &'static str) -> TermId {
        self.report.opaque.push((path.guard.term(), what));
        self.fresh("opaque", ty)
    }

    pub(crate) fn flag(&mut self, prefix: &str) -> TermId {
        self.terms().fresh(prefix, Sort::Bool)
    }

    /// What an operand holds.
    pub(crate) fn operand(&mut self, registers: &Registers, operand: Operand) -> TermId {
        let pointer_bits = self.pointer_bits();
        match operand {
            Operand::Register(register) => registers[register.index()].unwrap_or_else(|| {
                let ty = self.register_type(register);
                values::constant(&mut self.out.terms, ty, 0, pointer_bits)
            }),
            Operand::Constant(constant) => self.constant(constant),
        }
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
                let object = self.world.object(super::world::Origin::Global(global));
                let mask = (1_u128 << pointer_bits) - 1;
                let offset =
                    u128::from(offset.cast_unsigned()) | if offset < 0 { !u128::from(u64::MAX) } else { 0 };
                self.pointer(self.world.base(object).wrapping_add(offset) & mask)
            }
            Constant::Function(function) => {
                let object = self.world.object(super::world::Origin::Function(function));
                self.pointer(self.world.base(object))
            }
        }
    }

    pub(crate) fn register_type(&self, register: RegisterId) -> Type {
        let function = self.frames.last().expect("something is being executed").function;
        self.world.program.functions[function].registers[register].ty
    }

    pub(crate) fn operand_type(&self, operand: Operand) -> Type {
        match operand {
            Operand::Register(register) => self.register_type(register),
            Operand::Constant(constant) => constant.ty(),
        }
    }

    /// Calls a function. Gives the result, and what is known when it returns; nothing if it never does.
    pub(crate) fn call(
        &mut self,
        function: FunctionId,
        arguments: &[TermId],
        path: Path,
        site: Option<SiteKey>,
    ) -> Result<Option<(Path, Option<TermId>)>, Exhausted> {
        let body = &self.world.program.functions[function];
        let depth = self.frames.iter().filter(|frame| frame.function == function).count();
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        if depth > 0 {
            let deepest = self.report.recursions.entry(function).or_default();
            *deepest = (*deepest).max(depth);
            let bound =
                self.options.bounds.recursions.get(&function).copied().unwrap_or(self.options.bounds.unwind);
            if depth > bound {
                self.limit(&path, LimitKind::Recursion(function), body.span);
                return Ok(None);
            }
        }
        let activation = self.world.activation(self.thread_name, site, function);
        let mut registers: Registers = vec![None; body.registers.len()];
        for (parameter, argument) in body.parameters.iter().zip(arguments) {
            registers[parameter.index()] = Some(*argument);
        }
        let entry = BlockId::from_index(0);
        let position = self.world.facts(function).order.start();
        let visit = self.world.visit(activation, entry, &position);
        self.frames.push(Frame {
            function,
            visit,
            block: entry,
            index: 0,
            locals: Vec::new(),
            has_ended: false,
            position: position.clone(),
            open: FxHashSet::default(),
            rounds: FxHashMap::default(),
            idle: FxHashMap::default(),
        });
        let mut work: Work = BTreeMap::new();
        work.insert(position, (entry, vec![(path, registers)]));
        let mut returns = Vec::new();
        while let Some((position, (block, incoming))) = work.pop_first() {
            self.budget.spend(UNITS_PER_VISIT)?;
            for (number, incoming) in self.sections_apart(incoming).into_iter().enumerate() {
                let Some((path, registers)) = self.meet(function, block, incoming) else { continue };
                let mut named = position.clone();
                if number > 0 {
                    named.push(u32::try_from(number).expect("there are fewer paths than that"));
                }
                let visit = self.world.visit(activation, block, &named);
                let frame = self.frames.last_mut().expect("just pushed");
                frame.visit = visit;
                frame.block = block;
                frame.position.clone_from(&position);
                self.visits += 1;
                self.report.too_large |= self.visits > self.options.bounds.visit_cap;
                let heads = self.world.facts(function).order.heads(block);
                if heads.last() == Some(&block) {
                    let round = Position::from_slice(&position[..2 * heads.len()]);
                    let start = Rc::new(self.round_start(&path, &registers));
                    let frame = self.frames.last_mut().expect("just pushed");
                    // All of the round before has been followed: nobody asks for its beginning any more.
                    frame.rounds.insert(block, (round, start));
                }
                self.block(path, registers, &mut work, &mut returns)?;
            }
        }
        let joined = self.join_returns(returns);
        let frame = self.frames.last_mut().expect("pushed above");
        let (locals, have_ended) = (std::mem::take(&mut frame.locals), frame.has_ended);
        let returned = joined.map(|(mut path, result)| {
            self.drop_locals(&mut path, &locals, have_ended);
            (path, result)
        });
        self.frames.pop();
        Ok(returned)
    }

    /// Paths that are in different atomic sections go on by themselves.
    fn sections_apart(&self, incoming: Vec<(Path, Registers)>) -> Vec<Vec<(Path, Registers)>> {
        let mut groups: Vec<Vec<(Path, Registers)>> = Vec::new();
        for (path, registers) in incoming {
            if path.guard.is_false(&self.out.terms) {
                continue;
            }
            let section = |path: &Path| path.section.as_ref().map(|section| (section.step, section.depth));
            let same = groups.iter_mut().find(|group| section(&group[0].0) == section(&path));
            match same {
                Some(group) => group.push((path, registers)),
                None => groups.push(vec![(path, registers)]),
            }
        }
        groups
    }

    /// All paths that come to a block become one.
    fn meet(
        &mut self,
        function: FunctionId,
        block: BlockId,
        mut incoming: Vec<(Path, Registers)>,
    ) -> Option<(Path, Registers)> {
        if incoming.len() > 1 {
            let mut paths: Vec<&mut Path> = incoming.iter_mut().map(|(path, _)| path).collect();
            self.align(&mut paths);
        }
        while incoming.len() > 1 {
            let (first, second) = deepest_pair(&incoming, |(path, _)| &path.guard);
            let (other, others) = incoming.remove(second);
            let (path, registers) = &mut incoming[first];
            let selector = path.join(&other, &mut self.out.terms);
            let facts = self.world.facts(function);
            for (index, (own, other)) in registers.iter_mut().zip(&others).enumerate() {
                let register = RegisterId::from_index(index);
                if !facts.liveness.is_live_in(block, register) {
                    *own = None;
                } else if *own != *other {
                    // What was never assigned is zero, also where a register holds a whole word.
                    let zero = own.or(*other).map(|value| values::zero_like(&mut self.out.terms, value));
                    *own =
                        (own.or(zero)).zip(other.or(zero)).map(|(a, b)| self.out.terms.ite(selector, a, b));
                }
            }
        }
        incoming.pop().filter(|(path, _)| !path.guard.is_false(&self.out.terms))
    }

    /// Makes paths fit to be joined: all have forked or none, all are in the same section or in none.
    fn align(&mut self, paths: &mut [&mut Path]) {
        if paths.iter().any(|path| path.forked) {
            for path in paths.iter_mut() {
                if !path.forked {
                    self.publish(path);
                }
            }
        }
        self.align_regions(paths);
        let section = |path: &Path| path.section.as_ref().map(|section| (section.step, section.depth));
        let first = section(paths[0]);
        for path in paths.iter_mut().skip(1) {
            if section(path) != first && !path.guard.is_false(&self.out.terms) {
                self.unsupported(path, "atomic blocks that begin on different paths and end together");
                path.guard = Guard::new(self.out.terms.bool(false));
                path.section.clone_from(&None);
            }
        }
    }

    pub(crate) fn join_returns(
        &mut self,
        mut returns: Vec<(Path, Option<TermId>)>,
    ) -> Option<(Path, Option<TermId>)> {
        if returns.len() > 1 {
            let mut paths: Vec<&mut Path> = returns.iter_mut().map(|(path, _)| path).collect();
            self.align(&mut paths);
            returns.retain(|(path, _)| !path.guard.is_false(&self.out.terms));
        }
        while returns.len() > 1 {
            let (first, second) = deepest_pair(&returns, |(path, _)| &path.guard);
            let (other, others) = returns.remove(second);
            let (path, result) = &mut returns[first];
            let selector = path.join(&other, &mut self.out.terms);
            *result = match (*result, others) {
                (Some(a), Some(b)) => Some(self.out.terms.ite(selector, a, b)),
                (a, b) => a.or(b),
            };
        }
        returns.pop()
    }

    fn block(
        &mut self,
        mut path: Path,
        mut registers: Registers,
        work: &mut Work,
        returns: &mut Vec<(Path, Option<TermId>)>,
    ) -> Result<(), Exhausted> {
        let frame = self.frames.last().expect("a block is executed in a frame");
        let block = &self.world.program.functions[frame.function].blocks[frame.block];
        for (index, inst) in block.insts.iter().enumerate() {
            let frame = self.frames.last_mut().expect("calls leave the frame");
            frame.index = u32::try_from(index).expect("a block has fewer than 2^32 instructions");
            match self.instruction(&inst.kind, &mut path, &mut registers)? {
                Flow::Next => {}
                Flow::Ends => return Ok(()),
            }
        }
        let frame = self.frames.last_mut().expect("calls leave the frame");
        frame.index = u32::try_from(block.insts.len()).expect("a block has fewer than 2^32 instructions");
        let passed = (frame.function, frame.block);
        self.report.passed.insert(passed);
        self.terminate(&block.terminator, path, registers, work, returns);
        Ok(())
    }

    fn terminate(
        &mut self,
        terminator: &Terminator,
        mut path: Path,
        registers: Registers,
        work: &mut Work,
        returns: &mut Vec<(Path, Option<TermId>)>,
    ) {
        match terminator {
            Terminator::Jump(target) => self.go(*target, path, registers, work),
            Terminator::Branch(condition, then, otherwise) => {
                let condition = self.operand(&registers, *condition);
                let cases = [(condition, *then)];
                self.choose(&cases, *otherwise, path, registers, work);
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(&registers, *value);
                let cases: Vec<(TermId, BlockId)> = cases
                    .iter()
                    .map(|&(low, high, target)| {
                        (values::is_between(&mut self.out.terms, value, low, high), target)
                    })
                    .collect();
                self.choose(&cases, *default, path, registers, work);
            }
            Terminator::Return(result) => {
                let result = result.map(|result| self.operand(&registers, result));
                returns.push((path, result));
            }
            Terminator::ExitThread(result) => {
                let result = self.operand(&registers, *result);
                self.leave_all(&mut path);
                self.end_thread(&mut path);
                self.ends.push((path, result));
            }
            Terminator::ExitProcess(_) | Terminator::Abort => {
                self.out.process_ends = self.out.terms.or(self.out.process_ends, path.guard.term());
                if let Some(section) = &path.section {
                    self.out.emit(self.thread).exit_in_block(section.step, path.guard.term());
                    if self.options.races && self.options.memory_model.is_weak() {
                        // Such stores are made, so they may race, but they never become visible.
                        let what = "data races of an atomic block that ends the process before late stores become visible";
                        self.unsupported(&path, what);
                    }
                }
            }
            Terminator::Unreachable => {
                let never = self.terms().bool(false);
                self.check(&path, Property::MemorySafety, never, "unreachable code was reached");
                self.assume(&mut path, never);
            }
            Terminator::Unsupported(what) => {
                self.unsupported(&path, what);
            }
        }
    }

    /// Goes to the target of the first case that holds, or to the default.
    fn choose(
        &mut self,
        cases: &[(TermId, BlockId)],
        default: BlockId,
        mut path: Path,
        registers: Registers,
        work: &mut Work,
    ) {
        let decided = |condition: TermId, terms: &Terms| terms.as_bool(condition);
        let open = cases.iter().any(|(condition, _)| decided(*condition, &self.out.terms).is_none());
        if open {
            let targets: Vec<BlockId> =
                cases.iter().map(|(_, target)| *target).chain(std::iter::once(default)).collect();
            self.leave_open(&targets);
        }
        for (condition, target) in cases {
            let mut taken = path.clone();
            taken.guard = taken.guard.and(&mut self.out.terms, *condition);
            if !taken.guard.is_false(&self.out.terms) {
                self.go(*target, taken, registers.clone(), work);
            }
            let otherwise = self.out.terms.not(*condition);
            path.guard = path.guard.and(&mut self.out.terms, otherwise);
            if path.guard.is_false(&self.out.terms) {
                return;
            }
        }
        self.go(default, path, registers, work);
    }

    /// Notes for every component around the block that it may be left here or not.
    fn leave_open(&mut self, targets: &[BlockId]) {
        let frame = self.frames.last_mut().expect("a block is executed in a frame");
        let order = &self.world.facts(frame.function).order;
        let heads = order.heads(frame.block);
        for (depth, head) in heads.iter().enumerate() {
            if targets.iter().any(|target| order.leaves(*head, *target)) {
                frame.open.insert((*head, Position::from_slice(&frame.position[..2 * depth + 2])));
            }
        }
    }

    /// Takes an edge.
    fn go(&mut self, target: BlockId, mut path: Path, registers: Registers, work: &mut Work) {
        let frame = self.frames.last().expect("a block is executed in a frame");
        let (function, block) = (frame.function, frame.block);
        let order = &self.world.facts(function).order;
        let taken = order.take(block, &frame.position, target);
        if let Some((head, round)) = taken.round {
            let depth = order.heads(target).len();
            let this_round = Position::from_slice(&frame.position[..2 * depth]);
            let key = (head, this_round);
            let open = frame.open.contains(&key);
            if let Some((begun, start)) = frame.rounds.get(&head)
                && *begun == key.1
            {
                let start = Rc::clone(start);
                self.ask_for_progress(&mut path, &registers, &start, (function, &key));
                if path.guard.is_false(&self.out.terms) {
                    return;
                }
            }
            let named = self.options.bounds.loops.get(&(function, head)).copied();
            let bound = match named {
                Some(bound) => bound,
                None if open => self.options.bounds.unwind,
                None => self.options.bounds.constant_iterations,
            };
            self.report.too_large |= self.out.events.len() > self.options.bounds.event_cap
                || self.out.threads.len() > self.options.bounds.thread_cap;
            if round > bound || self.report.too_large {
                if open || named.is_some() {
                    self.report.open_cuts.insert((function, head));
                }
                let span = self.world.program.functions[function].blocks[head].span;
                self.limit(&path, LimitKind::Loop(function, head), span);
                return;
            }
            let rounds = self.report.loops.entry((function, head)).or_default();
            *rounds = (*rounds).max(round);
        }
        work.entry(taken.position).or_insert_with(|| (target, Vec::new())).1.push((path, registers));
    }
}

/// Block instances that are to be executed, and the paths that lead to them.
type Work = BTreeMap<Position, (BlockId, Vec<(Path, Registers)>)>;

/// The two paths that parted last.
fn deepest_pair<T>(list: &[T], guard: impl Fn(&T) -> &Guard) -> (usize, usize) {
    const MANY: usize = 12;
    let count = list.len();
    if count == 2 || count > MANY {
        return (count - 2, count - 1);
    }
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    pairs
        .max_by_key(|&(first, second)| {
            (guard(&list[first]).common_depth(guard(&list[second])), std::cmp::Reverse(first))
        })
        .expect("there are two")
}

/// Shares a list without copying it.
pub(crate) fn push<T: Clone>(list: &mut Rc<Vec<T>>, item: T) {
    Rc::make_mut(list).push(item);
}
