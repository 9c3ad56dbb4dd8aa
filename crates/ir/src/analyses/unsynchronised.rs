//! Unsynchronised communication: whether a thread can learn what another one did without being ordered behind it.
//!
//! Where none can, whoever reads what another thread wrote happens after it. Then conflicting accesses that nothing orders can be
//! brought together: some execution has both co-enabled, and to find data races it is enough to look for that. Where a thread can,
//! through weak atomics or through an API function that reports that a lock is taken, accesses may be unordered and yet
//! never co-enabled: there happens-before itself (Lamport 1978; C11, 5.1.2.4) must be looked at.
//!
//! In the program, all atomic accesses must acquire and release. In the API models, plain accesses inside of atomic blocks
//! neither race nor order. So whatever a model reads there of memory that others may write, and whatever it asks of lock words
//! and of threads, is communication, unless the model declares why it is none ([`ForeignReads`]). A declaration stands for the
//! function's own instructions, not for what it calls. That all paths acquire is checked here; the other declarations are claims
//! that a reader of the model can check.
//!
//! Names of functions count for nothing. May say yes where nothing is learnt; never no where something is, if the
//! declarations are true.

mod live;
mod private;

use raddle_base::{Id, Table};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::inst::{Constant, InstKind, Operand, Ordering, Rvalue, Terminator};
use crate::program::{BlockId, ForeignReads, Function, FunctionId, GlobalId, Program, RegisterId};
use crate::visit::AccessKind;
pub(crate) use live::Live;
use private::{Addresses, is_private};

/// What is read of other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ForeignRead {
    /// Whether a lock is free.
    LockWord,
    /// A word that may be unwritten.
    Peek,
    /// Whether there is a thread, or how large an object is.
    Existence,
    /// Memory that others may write, in an atomic block.
    Memory,
    /// An atomic access that does not acquire and release.
    WeakAtomic,
    /// A function that is not part of the models is called in an atomic block: it may read anything.
    Call,
}

impl ForeignRead {
    /// A word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::LockWord => "a lock word",
            Self::Peek => "a word that may be unwritten",
            Self::Existence => "whether something exists",
            Self::Memory => "memory in an atomic block",
            Self::WeakAtomic => "a weak atomic",
            Self::Call => "what a function of the program reads",
        }
    }
}

/// What a function lets its caller learn of other threads without ordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It reads nothing of others that nothing orders.
    Nothing,
    /// It reads something, and declares why nobody learns from it.
    Declared(ForeignReads),
    /// It declares to acquire, and has a path that reads this and does not.
    NotAcquired(ForeignRead),
    /// It reads this, and declares nothing.
    Communicates(ForeignRead),
}

impl Effect {
    /// Whether the caller may learn something.
    #[must_use]
    pub const fn communicates(self) -> bool {
        match self {
            Self::Nothing | Self::Declared(_) => false,
            Self::NotAcquired(_) | Self::Communicates(_) => true,
        }
    }
}

/// The first function, in the order of the program, through which threads may learn of each other without ordering.
#[must_use]
pub fn communication(program: &Program) -> Option<(FunctionId, Effect)> {
    effects(program).iter().find(|(_, effect)| effect.communicates()).map(|(id, &effect)| (id, effect))
}

/// The effect of each function by itself, without what it calls.
#[must_use]
pub fn effects(program: &Program) -> Table<FunctionId, Effect> {
    let addresses = Addresses::of(program);
    let live = Live::of(program);
    let blocks = AtomicBlocks::of(program, &live);
    let globals = written_in_blocks(program, &blocks);
    let functions = program.functions.iter();
    functions
        .map(|(id, function)| {
            let reads = if function.model {
                model_reads(
                    &Models { program, addresses: &addresses, blocks: &blocks, globals: &globals },
                    id,
                )
            } else {
                own_reads(function)
            };
            effect(program, &live, id, &reads)
        })
        .collect()
}

/// The foreign reads of a function, each with its block.
type Reads = Vec<(BlockId, ForeignRead)>;

fn effect(program: &Program, live: &Live, id: FunctionId, reads: &Reads) -> Effect {
    let function = &program.functions[id];
    let first = reads.first().map(|(_, read)| *read);
    match (function.foreign_reads, first) {
        // What it declares may count in another program, where models ask for more.
        // A declaration without a read is no error: what a model reads depends on the other models of the
        // program.
        (_, None) => Effect::Nothing,
        (None, Some(read)) => Effect::Communicates(read),
        // This is the only declaration that can be checked, so it is.
        (Some(ForeignReads::Acquired), Some(_)) => {
            match unacquired(&PathsThrough { program, live, id }, reads) {
                Some(read) => Effect::NotAcquired(read),
                None => Effect::Declared(ForeignReads::Acquired),
            }
        }
        (Some(declared), Some(_)) => Effect::Declared(declared),
    }
}

fn acquires(ordering: Ordering) -> bool {
    match ordering {
        Ordering::Acquire | Ordering::AcquireRelease | Ordering::SequentiallyConsistent => true,
        Ordering::Plain | Ordering::Relaxed | Ordering::Release => false,
    }
}

fn releases(ordering: Ordering) -> bool {
    match ordering {
        Ordering::Release | Ordering::AcquireRelease | Ordering::SequentiallyConsistent => true,
        Ordering::Plain | Ordering::Relaxed | Ordering::Acquire => false,
    }
}

/// Whether an instruction is an atomic access that lets others learn of what came before without ordering it, or lets this
/// thread learn without being ordered.
fn is_weak(kind: &InstKind) -> bool {
    match *kind {
        InstKind::Load { ordering, .. } => ordering != Ordering::Plain && !acquires(ordering),
        InstKind::Store { ordering, .. } => ordering != Ordering::Plain && !releases(ordering),
        InstKind::AtomicRmw { ordering, .. } => !acquires(ordering) || !releases(ordering),
        InstKind::CompareExchange { ordering, failure, .. } => {
            !acquires(ordering) || !releases(ordering) || !acquires(failure)
        }
        InstKind::Assign { .. }
        | InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::Free { .. }
        | InstKind::EndLife(_)
        | InstKind::Call { .. }
        | InstKind::Intrinsic { .. }
        | InstKind::Havoc { .. }
        | InstKind::Assume(_)
        | InstKind::WaitUntil(_)
        | InstKind::Check { .. }
        | InstKind::Fork { .. }
        | InstKind::Join { .. }
        | InstKind::Lock { .. }
        | InstKind::Unlock { .. }
        | InstKind::AtomicBegin
        | InstKind::AtomicEnd => false,
    }
}

/// What a function of the program reads. Plain accesses that nothing orders are races by themselves, and its atomic blocks order.
fn own_reads(function: &Function) -> Reads {
    let mut reads = Reads::new();
    for (id, block) in function.blocks.iter() {
        for inst in &block.insts {
            if is_weak(&inst.kind) {
                reads.push((id, ForeignRead::WeakAtomic));
            }
        }
    }
    reads
}

/// What is known of the models of a program.
struct Models<'a> {
    program: &'a Program,
    addresses: &'a Addresses,
    blocks: &'a AtomicBlocks<'a>,
    /// The objects that models write inside of atomic blocks: to read them outside is no race either.
    globals: &'a FxHashSet<GlobalId>,
}

fn model_reads(models: &Models<'_>, id: FunctionId) -> Reads {
    let function = &models.program.functions[id];
    let private = models.addresses.private(models.program, function);
    let bases = Bases::of(function);
    let mut reads = Reads::new();
    // Depths are upper bounds, so an instruction that may be in a block counts as in one.
    models.blocks.walk(models.program, id, &mut |block, place, depth| {
        let kind = &function.blocks[block].insts[place].kind;
        // An object that models protect by their blocks may also be read without one.
        let of_blocks = kind.access().is_some_and(|access| {
            access.kind != AccessKind::Write
                && bases.of_operand(access.address).any(|base| models.globals.contains(&base))
        });
        let in_block = depth > 0 || of_blocks;
        if let Some(read) = model_read(models.program, &private, kind, in_block) {
            reads.push((block, read));
        }
    });
    reads
}

/// The global objects that models write inside of atomic blocks by their names, or hand to a function, which may do so.
fn written_in_blocks(program: &Program, blocks: &AtomicBlocks<'_>) -> FxHashSet<GlobalId> {
    let mut written = FxHashSet::default();
    for (id, function) in program.functions.iter().filter(|(_, function)| function.model) {
        let bases = Bases::of(function);
        blocks.walk(program, id, &mut |block, place, depth| {
            let kind = &function.blocks[block].insts[place].kind;
            if let Some(access) = kind.access()
                && access.kind != AccessKind::Read
                && depth > 0
            {
                written.extend(bases.of_operand(access.address));
            }
            if let InstKind::Call { arguments, .. } = kind {
                // The function may write it under another name.
                written.extend(arguments.iter().flat_map(|argument| bases.of_operand(*argument)));
            }
        });
    }
    // Who reads what nobody writes learns nothing.
    written.retain(|global| !program.globals[*global].read_only);
    written
}

/// The global objects that the registers of a function may point into, as far as their names stand in it.
struct Bases {
    registers: FxHashMap<RegisterId, FxHashSet<GlobalId>>,
}

impl Bases {
    fn of(function: &Function) -> Self {
        let mut bases = Self { registers: FxHashMap::default() };
        loop {
            let mut grown = false;
            // To a fixpoint, because loops may assign in any order.
            for inst in function.blocks.values().flat_map(|block| &block.insts) {
                let InstKind::Assign { dest, value } = &inst.kind else { continue };
                let found: Vec<GlobalId> =
                    private::moves(value).into_iter().flat_map(|from| bases.of_operand(from)).collect();
                let known = bases.registers.entry(*dest).or_default();
                let before = known.len();
                known.extend(found);
                grown |= known.len() != before;
            }
            if !grown {
                return bases;
            }
        }
    }

    fn of_operand(&self, operand: Operand) -> impl Iterator<Item = GlobalId> {
        let (one, several) = match operand {
            Operand::Constant(Constant::Global(global, _)) => (Some(global), None),
            Operand::Constant(_) => (None, None),
            Operand::Register(register) => (None, self.registers.get(&register)),
        };
        one.into_iter().chain(several.into_iter().flatten().copied())
    }
}

/// What an instruction of a model reads of other threads.
fn model_read(
    program: &Program,
    private: &FxHashSet<RegisterId>,
    kind: &InstKind,
    in_block: bool,
) -> Option<ForeignRead> {
    let is_foreign = |address: Operand| !is_private(program, private, address);
    match kind {
        InstKind::Assign { value, .. } => match value {
            Rvalue::LockIsFree(lock) => is_foreign(*lock).then_some(ForeignRead::LockWord),
            Rvalue::Peek(word, _) => is_foreign(*word).then_some(ForeignRead::Peek),
            Rvalue::ThreadExists(_) => Some(ForeignRead::Existence),
            Rvalue::ObjectSize(object) => is_foreign(*object).then_some(ForeignRead::Existence),
            // Nobody else sets a lock word to this thread, or takes it away from it.
            Rvalue::HoldsLock(_)
            | Rvalue::Use(_)
            | Rvalue::Unary(..)
            | Rvalue::Binary(..)
            | Rvalue::Compare(..)
            | Rvalue::Cast(..)
            | Rvalue::Select(..)
            | Rvalue::PointerAdd(..)
            | Rvalue::PointerDifference(..)
            | Rvalue::Overflows(..)
            | Rvalue::ThreadLocal(_)
            | Rvalue::CurrentThread => None,
        },
        // In a block not even an ordering helps by itself: the writers may be plain accesses of other blocks.
        InstKind::Load { address, .. }
        | InstKind::AtomicRmw { address, .. }
        | InstKind::CompareExchange { address, .. }
            if in_block =>
        {
            is_foreign(*address).then_some(ForeignRead::Memory)
        }
        // Behind it, who acquires from the same word is ordered behind nothing: but whoever reads it is judged where it reads.
        InstKind::Store { .. } if in_block => None,
        InstKind::Load { address, .. }
        | InstKind::Store { address, .. }
        | InstKind::AtomicRmw { address, .. }
        | InstKind::CompareExchange { address, .. } => {
            (is_weak(kind) && is_foreign(*address)).then_some(ForeignRead::WeakAtomic)
        }
        InstKind::Call { callee, .. } => match callee {
            Operand::Constant(Constant::Function(callee)) => {
                (in_block && !program.functions[*callee].model).then_some(ForeignRead::Call)
            }
            Operand::Constant(_) | Operand::Register(_) => in_block.then_some(ForeignRead::Call),
        },
        InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::Free { .. }
        | InstKind::EndLife(_)
        | InstKind::Intrinsic { .. }
        | InstKind::Havoc { .. }
        | InstKind::Assume(_)
        | InstKind::WaitUntil(_)
        | InstKind::Check { .. }
        | InstKind::Fork { .. }
        | InstKind::Join { .. }
        | InstKind::Lock { .. }
        | InstKind::Unlock { .. }
        | InstKind::AtomicBegin
        | InstKind::AtomicEnd => None,
    }
}

/// Atomic blocks of models nest no deeper than this.
const DEEPEST: u32 = 8;

/// How many atomic blocks of models are open at most, at each program point of a model.
#[derive(Debug)]
struct AtomicBlocks<'a> {
    live: &'a Live,
    /// How many may be open where a function is entered.
    entered: Table<FunctionId, u32>,
    /// How many more a function may leave open behind it.
    left_open: Table<FunctionId, u32>,
}

impl<'a> AtomicBlocks<'a> {
    fn of(program: &Program, live: &'a Live) -> Self {
        let none = || program.functions.values().map(|_| 0).collect();
        let mut blocks = Self { live, entered: none(), left_open: none() };
        // Both only grow, up to the deepest.
        while blocks.grow(program) {}
        blocks
    }

    fn grow(&mut self, program: &Program) -> bool {
        let mut grown = false;
        for (id, function) in program.functions.iter().filter(|(_, function)| function.model) {
            let mut calls = Vec::new();
            let at_return = self.walk(program, id, &mut |block, place, depth| {
                if let InstKind::Call { callee, .. } = &function.blocks[block].insts[place].kind {
                    calls.push((*callee, depth));
                }
            });
            let left = at_return.saturating_sub(self.entered[id]);
            // What the function was entered with does not count as left by it.
            grown |= raise(&mut self.left_open[id], left);
            for (callee, depth) in calls {
                match callee {
                    Operand::Constant(Constant::Function(callee)) => {
                        grown |= raise(&mut self.entered[callee], depth);
                    }
                    // It may be any.
                    Operand::Constant(_) | Operand::Register(_) => {
                        for place in 0..self.entered.len() {
                            grown |= raise(&mut self.entered[FunctionId::from_index(place)], depth);
                        }
                    }
                }
            }
        }
        grown
    }

    /// Shows every instruction of a function with how many blocks may be open before it. Gives how many may be at a return.
    fn walk(&self, program: &Program, id: FunctionId, show: &mut dyn FnMut(BlockId, usize, u32)) -> u32 {
        let function = &program.functions[id];
        let mut before: Table<BlockId, Option<u32>> = function.blocks.values().map(|_| None).collect();
        let Some((first, _)) = function.blocks.iter().next() else { return 0 };
        if !self.live.contains(id, first) {
            return 0;
        }
        before[first] = Some(self.entered[id]);
        let mut work = vec![first];
        while let Some(block) = work.pop() {
            let depth = self.behind(function, block, before[block].unwrap_or(0), &mut |_, _, _| {});
            // Depths only grow, and no further than the deepest, so this ends.
            for next in function.blocks[block].terminator.successors() {
                if self.live.contains(id, next) && before[next].is_none_or(|known| known < depth) {
                    before[next] = Some(depth);
                    work.push(next);
                }
            }
        }
        let mut at_return = 0;
        // Shown only now, when the depths are final: each instruction is shown once, with the largest depth.
        for (block, depth) in before.iter().filter_map(|(block, depth)| Some((block, (*depth)?))) {
            let depth = self.behind(function, block, depth, show);
            if matches!(function.blocks[block].terminator, Terminator::Return(_)) {
                at_return = at_return.max(depth);
            }
        }
        at_return
    }

    /// How many are open behind a block of instructions.
    fn behind(
        &self,
        function: &Function,
        block: BlockId,
        mut depth: u32,
        show: &mut dyn FnMut(BlockId, usize, u32),
    ) -> u32 {
        for (place, inst) in function.blocks[block].insts.iter().enumerate() {
            show(block, place, depth);
            if matches!(inst.kind, InstKind::AtomicBegin) {
                depth = (depth + 1).min(DEEPEST);
            } else if matches!(inst.kind, InstKind::AtomicEnd) {
                depth = depth.saturating_sub(1);
            } else if let InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), .. } =
                inst.kind
            {
                depth = (depth + self.left_open[callee]).min(DEEPEST);
            }
        }
        depth
    }
}

fn raise(known: &mut u32, to: u32) -> bool {
    let grows = *known < to;
    *known = (*known).max(to);
    grows
}

/// A read that some path makes that returns and does not acquire.
fn unacquired(way: &PathsThrough<'_>, reads: &Reads) -> Option<ForeignRead> {
    reads.iter().find(|(block, _)| way.misses_acquiring(*block)).map(|(_, read)| *read)
}

/// The ways through a function.
struct PathsThrough<'a> {
    program: &'a Program,
    live: &'a Live,
    id: FunctionId,
}

impl PathsThrough<'_> {
    fn function(&self) -> &Function {
        &self.program.functions[self.id]
    }

    /// Whether a path from the start of the function through this block to a return has no acquiring instruction.
    fn misses_acquiring(&self, block: BlockId) -> bool {
        let onwards = self.onwards(block);
        // A path to the block that acquires nothing, a block that acquires nothing, and a path on from it.
        self.reach([BlockId::from_index(0)]).contains(&block)
            && self.is_free(block)
            && (self.returns(block)
                || self.reach(onwards).into_iter().any(|id| self.returns(id) && self.is_free(id)))
    }

    fn onwards(&self, block: BlockId) -> Vec<BlockId> {
        let ends = !self.live.is_left(self.id, block);
        if ends { Vec::new() } else { self.function().blocks[block].terminator.successors().to_vec() }
    }

    fn returns(&self, block: BlockId) -> bool {
        self.live.is_left(self.id, block)
            && matches!(self.function().blocks[block].terminator, Terminator::Return(_))
    }

    /// Whether nothing in a block acquires.
    fn is_free(&self, block: BlockId) -> bool {
        self.function().blocks[block].insts.iter().all(|inst| !is_acquiring(self.program, &inst.kind))
    }

    /// The blocks that are entered from these on, where those that acquire are not left.
    fn reach(&self, from: impl IntoIterator<Item = BlockId>) -> FxHashSet<BlockId> {
        let is_live = |block: &BlockId| self.live.contains(self.id, *block);
        let mut work: Vec<BlockId> = from.into_iter().filter(is_live).collect();
        let mut reached = FxHashSet::from_iter(work.iter().copied());
        while let Some(block) = work.pop() {
            // A block that acquires is entered and not left.
            if self.is_free(block) {
                let next = self.onwards(block);
                work.extend(next.into_iter().filter(is_live).filter(|next| reached.insert(*next)));
            }
        }
        reached
    }
}

/// Whether an instruction orders this thread behind another one. A function counts if its first block acquires: it does
/// whatever comes then.
fn is_acquiring(program: &Program, kind: &InstKind) -> bool {
    match kind {
        InstKind::Lock { .. } | InstKind::Join { .. } => true,
        InstKind::Load { ordering, .. } | InstKind::AtomicRmw { ordering, .. } => acquires(*ordering),
        InstKind::CompareExchange { ordering, failure, .. } => acquires(*ordering) && acquires(*failure),
        InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), .. } => {
            let first = program.functions[*callee].blocks.values().next();
            // One level deep: a recursive model must not send this around in circles.
            let direct =
                |kind: &InstKind| !matches!(kind, InstKind::Call { .. }) && is_acquiring(program, kind);
            program.functions[*callee].model
                && first.is_some_and(|block| block.insts.iter().any(|inst| direct(&inst.kind)))
        }
        InstKind::Call { .. }
        | InstKind::Assign { .. }
        | InstKind::Store { .. }
        | InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::Free { .. }
        | InstKind::EndLife(_)
        | InstKind::Intrinsic { .. }
        | InstKind::Havoc { .. }
        | InstKind::Assume(_)
        | InstKind::WaitUntil(_)
        | InstKind::Check { .. }
        | InstKind::Fork { .. }
        | InstKind::Unlock { .. }
        | InstKind::AtomicBegin
        | InstKind::AtomicEnd => false,
    }
}

#[cfg(test)]
mod tests;
