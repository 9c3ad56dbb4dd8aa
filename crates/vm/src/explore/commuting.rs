//! Read-modify-writes that commute: two additions to one place, whose old values nobody reads, lead to the same memory in
//! either order.
//!
//! They are then independent, unless their order is seen in another way: a releasing one gives what its thread did before to an
//! acquiring one behind it. So where data races are looked for, only relaxed ones commute.

use raddle_base::Id as _;
use raddle_ir::analyses::cfg::ControlFlow;
use raddle_ir::analyses::liveness::{Liveness, add_terminator, step_back};
use raddle_ir::{Function, InstKind, Ordering, Program, Property, RegisterId, RmwOp, Type};
use rustc_hash::FxHashMap;

use crate::code::Place;
use crate::step::Vm;

/// Operations of which each commutes with all of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Sum,
    And,
    Or,
    Xor,
    SignedMin,
    SignedMax,
    UnsignedMin,
    UnsignedMax,
}

impl Class {
    const fn of(op: RmwOp) -> Option<Self> {
        match op {
            RmwOp::Add | RmwOp::Sub => Some(Self::Sum),
            RmwOp::And => Some(Self::And),
            RmwOp::Or => Some(Self::Or),
            RmwOp::Xor => Some(Self::Xor),
            RmwOp::SignedMin => Some(Self::SignedMin),
            RmwOp::SignedMax => Some(Self::SignedMax),
            RmwOp::UnsignedMin => Some(Self::UnsignedMin),
            RmwOp::UnsignedMax => Some(Self::UnsignedMax),
            RmwOp::Exchange | RmwOp::Nand => None,
        }
    }
}

/// The read-modify-writes of a program whose old values nobody reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Commuting(FxHashMap<Place, Class>);

impl Commuting {
    /// Those of which nobody can tell the order.
    pub(super) fn of(vm: &Vm<'_>) -> Self {
        let mut found = FxHashMap::default();
        // Which values were written wholly is followed through operations one by one.
        if vm.checks(Property::Uninitialised) {
            return Self(found);
        }
        let program: &Program = vm.program();
        for (id, function) in program.functions.iter() {
            let mut liveness = None;
            for (block, content) in function.blocks.iter() {
                for (inst, index) in content.insts.iter().zip(0_u32..) {
                    let InstKind::AtomicRmw { dest, op, ty: Type::Int(_), ordering, .. } = inst.kind else {
                        continue;
                    };
                    let Some(class) = Class::of(op) else { continue };
                    if ordering != Ordering::Relaxed && vm.checks(Property::DataRace) {
                        continue;
                    }
                    let liveness =
                        liveness.get_or_insert_with(|| Liveness::new(function, &ControlFlow::new(function)));
                    let place = Place { function: id, block, index };
                    if !is_live_behind(function, liveness, place, dest) {
                        found.insert(place, class);
                    }
                }
            }
        }
        Self(found)
    }

    /// What the operation at a place commutes with.
    pub(super) fn class(&self, place: Place) -> Option<Class> {
        self.0.get(&place).copied()
    }
}

fn is_live_behind(function: &Function, liveness: &Liveness, place: Place, register: RegisterId) -> bool {
    let block = &function.blocks[place.block];
    let mut set = liveness.live_out_set(place.block);
    add_terminator(&mut set, &block.terminator);
    for inst in block.insts[place.index as usize + 1..].iter().rev() {
        step_back(&mut set, inst);
    }
    set.contains(register.index())
}
