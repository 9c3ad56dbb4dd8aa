//! Reads that take a pointer for a number, or a number for a pointer, without a cast: through a union, by copying bytes, by a
//! cast of the pointer to the memory location.
//!
//! An engine whose pointers are not the numbers of addresses must not follow these. Over-approximates: every such read of which
//! something is made is found. A value that is only stored again is copied, and stays what it was.

use rustc_hash::FxHashSet;

use super::points_to::{CallSite, ObjectId, Offsets, PointsTo, Target};
use crate::inst::{Constant, Inst, InstKind, Operand, Rvalue};
use crate::layout::bytes;
use crate::program::{Function, FunctionId, Program, RegisterId, Type};

/// What a value that was made of pointers is, where it goes to memory or comes from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    Pointer,
    Number,
}

impl ValueKind {
    const fn of(ty: Type) -> Self {
        match ty {
            Type::Ptr => Self::Pointer,
            Type::Int(_) | Type::F32 | Type::F64 => Self::Number,
        }
    }
}

/// Bytes of an object that such a value is written to.
struct PunnedWrite {
    kind: ValueKind,
    object: ObjectId,
    offsets: Offsets,
    size: u64,
}

/// A read of such a value.
struct PunnedRead {
    kind: ValueKind,
    site: CallSite,
    targets: Vec<Target>,
    size: u64,
}

#[derive(Default)]
struct PunningAccesses {
    written: Vec<PunnedWrite>,
    reads: Vec<PunnedRead>,
    copies: Vec<ByteCopy>,
}

/// From where to where a value is copied.
struct ByteCopy {
    from: Vec<Target>,
    to: Vec<Target>,
    size: u64,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Punning {
    /// The instructions that read so.
    pub reads: FxHashSet<CallSite>,
    /// Registers of numbers that are read from memory and only stored again.
    pub copied: FxHashSet<(FunctionId, RegisterId)>,
}

impl Punning {
    /// Looks at a program.
    #[must_use]
    pub fn new(program: &Program, points_to: &PointsTo) -> Self {
        let reads = punned_reads(program, points_to);
        let mut copied = FxHashSet::default();
        for (id, function) in program.functions.iter() {
            copied.extend(copied_registers(function).into_iter().map(|register| (id, register)));
        }
        Self { reads, copied }
    }
}

fn punned_reads(program: &Program, points_to: &PointsTo) -> FxHashSet<CallSite> {
    let mut accesses = PunningAccesses::default();
    let size = bytes(Type::Ptr, program.pointer_bits);
    for (id, global) in program.globals.iter() {
        let Some(object) = points_to.global(id) else { continue };
        for init in &global.init {
            // Where a pointer is written at an offset that does not fit, it counts as far away; accesses
            // there are errors.
            if matches!(init.value, Constant::Global(..) | Constant::Function(_)) {
                let offsets = Offsets::exactly(i64::try_from(init.offset).unwrap_or(i64::MAX));
                accesses.written.push(PunnedWrite { kind: ValueKind::Pointer, object, offsets, size });
            }
        }
    }
    for (id, function) in program.functions.iter() {
        if points_to.is_reached(id) {
            accesses.collect(program, points_to, (id, function));
        }
    }
    let carried = accesses.carried();
    let torn = accesses.torn(&carried, size);
    let is_punned = |read: &PunnedRead| {
        // An object that holds copies is not looked at byte by byte: whatever was copied may be anywhere in
        // it.
        read.targets.iter().any(|(object, offsets)| {
            carried.iter().any(|(copied, kind)| copied == object && *kind != read.kind)
                || read.kind == ValueKind::Pointer && torn.contains(object)
                || accesses.written.iter().any(|written| {
                    let overlap = || offsets.overlap(read.size, written.offsets, written.size);
                    let meets = || overlap().same_start || overlap().partial;
                    written.kind != read.kind && written.object == *object && meets()
                })
        })
    };
    accesses.reads.iter().filter(|read| is_punned(read)).map(|read| read.site).collect()
}

impl PunningAccesses {
    fn collect(&mut self, program: &Program, points_to: &PointsTo, (id, function): (FunctionId, &Function)) {
        let copied = copied_registers(function);
        let size = |ty: Type| bytes(ty, program.pointer_bits);
        for (block, body) in function.blocks.iter() {
            for (inst, Inst { kind, .. }) in body.insts.iter().enumerate() {
                let site = CallSite { function: id, block, inst };
                let (read, written) = match *kind {
                    InstKind::Load { dest, address, ty, .. } => (Some((dest, address, ty)), None),
                    InstKind::Store { address, value, ty, .. } => (None, Some((address, value, ty))),
                    InstKind::AtomicRmw { dest, address, value, ty, .. }
                    | InstKind::CompareExchange { dest, address, desired: value, ty, .. } => {
                        (Some((dest, address, ty)), Some((address, value, ty)))
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
                    | InstKind::AtomicEnd => (None, None),
                };
                // A number that no pointer flows into cannot be a pointer in disguise.
                if let Some((dest, address, ty)) = read
                    && !points_to.register_targets(id, dest).is_empty()
                    && !copied.contains(&dest)
                {
                    let targets = points_to.targets(id, address);
                    self.reads.push(PunnedRead { kind: ValueKind::of(ty), site, targets, size: size(ty) });
                }
                if let Some((address, value, ty)) = written
                    && !points_to.targets(id, value).is_empty()
                {
                    let targets = points_to.targets(id, address);
                    // What is only moved keeps its kind, so the object it came from decides.
                    match sources(function, &copied, value) {
                        Some(from) => {
                            let from = from.into_iter().flat_map(|from| points_to.targets(id, from));
                            let (from, size) = (from.collect(), size(ty));
                            self.copies.push(ByteCopy { from, to: targets, size });
                        }
                        None => self.written.extend(targets.into_iter().map(|(object, offsets)| {
                            PunnedWrite { kind: ValueKind::of(ty), object, offsets, size: size(ty) }
                        })),
                    }
                }
            }
        }
    }

    /// The objects that pointers are copied to in pieces, and from there: what is read there may be pieces of several pointers.
    fn torn(&self, carried: &[(ObjectId, ValueKind)], pointer: u64) -> FxHashSet<ObjectId> {
        let mut torn = FxHashSet::default();
        loop {
            let before = torn.len();
            // Pieces: less than a pointer at a time, of an object with pointers. Whole pointers may be mixed
            // up by that.
            for ByteCopy { from, to, size } in &self.copies {
                let holds = from.iter().any(|(object, _)| {
                    let is_pointer = carried.contains(&(*object, ValueKind::Pointer))
                        || self.written.iter().any(|w| w.kind == ValueKind::Pointer && w.object == *object);
                    torn.contains(object) || *size < pointer && is_pointer
                });
                torn.extend(to.iter().filter(|_| holds).map(|(object, _)| *object));
            }
            if torn.len() == before {
                return torn;
            }
        }
    }

    /// The objects that values are copied to, with what they are.
    fn carried(&self) -> Vec<(ObjectId, ValueKind)> {
        let mut carried: Vec<(ObjectId, ValueKind)> = Vec::new();
        // To a fixpoint: copies of copies.
        loop {
            let before = carried.len();
            for ByteCopy { from, to, .. } in &self.copies {
                for kind in [ValueKind::Pointer, ValueKind::Number] {
                    let holds = from.iter().any(|(object, _)| {
                        carried.contains(&(*object, kind))
                            || self.written.iter().any(|w| w.kind == kind && w.object == *object)
                    });
                    for (object, _) in to.iter().filter(|_| holds) {
                        if !carried.contains(&(*object, kind)) {
                            carried.push((*object, kind));
                        }
                    }
                }
            }
            if carried.len() == before {
                return carried;
            }
        }
    }
}

/// Registers of numbers that come from memory, perhaps through other registers, and only go there again.
fn copied_registers(function: &Function) -> FxHashSet<RegisterId> {
    let (mut moves, mut loaded, mut other) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
    // A parameter may come from anywhere.
    other.extend(function.parameters.iter().copied());
    for block in function.blocks.values() {
        for inst in &block.insts {
            let harmless = match &inst.kind {
                InstKind::Load { dest, ty: Type::Int(_), .. } => {
                    loaded.insert(*dest);
                    None
                }
                InstKind::Assign { dest, value: Rvalue::Use(Operand::Register(from)) } => {
                    moves.push((*from, *dest));
                    Some(*from)
                }
                // Storing the value is harmless, using it as the address is not.
                InstKind::Store { value: Operand::Register(value), address, .. } => {
                    other.extend(address.register());
                    Some(*value)
                }
                kind @ (InstKind::Assign { .. }
                | InstKind::Load { .. }
                | InstKind::Store { .. }
                | InstKind::AtomicRmw { .. }
                | InstKind::CompareExchange { .. }
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
                | InstKind::AtomicEnd) => {
                    other.extend(kind.dest());
                    None
                }
            };
            inst.kind.for_each_operand(|operand| {
                other.extend(operand.register().filter(|register| Some(*register) != harmless));
            });
        }
        block.terminator.for_each_operand(|operand| other.extend(operand.register()));
    }
    // What one end of a move is not, the other is not either.
    loop {
        let before = other.len();
        for (from, to) in &moves {
            if other.contains(from) || other.contains(to) {
                other.extend([*from, *to]);
            }
        }
        if other.len() == before {
            break;
        }
    }
    let moved = moves.into_iter().flat_map(|(from, to)| [from, to]);
    loaded.into_iter().chain(moved).filter(|register| !other.contains(register)).collect()
}

/// The addresses that a copied value may have been read from.
fn sources(function: &Function, copied: &FxHashSet<RegisterId>, value: Operand) -> Option<Vec<Operand>> {
    let mut from = vec![value.register().filter(|register| copied.contains(register))?];
    let mut addresses = Vec::new();
    let mut next = 0;
    // Back along moves to the loads.
    while let Some(&register) = from.get(next) {
        next += 1;
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            if let InstKind::Load { dest, address, .. } = inst.kind
                && dest == register
            {
                addresses.push(address);
            }
            if let InstKind::Assign { dest, value: Rvalue::Use(Operand::Register(before)) } = inst.kind
                && dest == register
                && !from.contains(&before)
            {
                from.push(before);
            }
        }
    }
    Some(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    fn places(text: &str) -> Vec<usize> {
        let program = parse_program(text).unwrap();
        let points_to = PointsTo::new(&program);
        let mut found: Vec<usize> =
            punned_reads(&program, &points_to).into_iter().map(|site| site.inst).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_pointer_that_is_read_as_a_number_is_found_and_a_copy_is_not() {
        let text = "program pointer_bits 64 entry f0
             global g0 \"x\" size 8 align 8 {}
             global g1 \"p\" size 8 align 8 {}
             global g2 \"q\" size 8 align 8 {}
             function f0 \"main\" () {
               registers r0: i64, r1: i64, r2: i64, r3: ptr
             b0:
               store ptr [@p], @x
               r0 = load i64 [@p]
               store i64 [@q], r0
               r1 = load i64 [@p]
               r2 = and r1, i64 8
               r3 = load ptr [@q]
               r1 = load i64 [@q]
               return
             }";
        assert_eq!(places(text), [3, 6]);
    }
}
