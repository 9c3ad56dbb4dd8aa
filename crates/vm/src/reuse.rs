//! Addresses that come again.
//!
//! A new object of the heap may lie where one lay that was freed. Which of the possible places it gets is a choice, like an input:
//! exploration tries them all, and a trace records it. There is a choice only where somebody may tell. So a place counts only if some
//! pointer to what lay there is still to be found, in memory, in a register that may be read, in a delayed store or in a thread's
//! result; and none does in a program that never compares such pointers ([`Comparisons`]). Where there are choices, making an object
//! is visible: what others free before it counts.
//!
//! Pointers are then compared by their addresses, and accesses go by provenance: a pointer to a freed object stays a bad one,
//! whatever lies there now.
//!
//! A new object begins where the other began. It may also begin elsewhere in it, or be larger than what lay there, and what `realloc`
//! gives may lie where it was; these are not tried. That some object might have been placed so is remembered, and comparing a
//! pointer to what was freed is then a look ([`crate::address`]).

use raddle_ir::analyses::address_reuse::{Comparisons, moves};
use raddle_ir::analyses::cfg::ControlFlow;
use raddle_ir::analyses::liveness::{Liveness, add_terminator, step_back};
use raddle_ir::{AddressReuse, FunctionId, InstKind, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Place;
use crate::memory::Room;
use crate::observe::{Action, InputReason, InputRequest, Inputs, Observer};
use crate::state::{State, Status, Thread, ThreadId};
use crate::step::{Halt, Vm, World};
use crate::value::{Origin, Value};

/// What is needed to find the places that come again.
#[derive(Debug)]
pub(crate) struct Reuse {
    liveness: FxHashMap<FunctionId, Liveness>,
    /// The models that make objects and free others: see [`moves`].
    moving: FxHashSet<FunctionId>,
}

impl Reuse {
    /// Nothing if the program cannot tell.
    pub(crate) fn new(program: &Program) -> Option<Self> {
        if program.address_reuse == AddressReuse::Never || !Comparisons::of_heap(program) {
            return None;
        }
        let functions = program.functions.iter().filter(|(_, function)| !function.blocks.is_empty());
        let liveness =
            functions.map(|(id, function)| (id, Liveness::new(function, &ControlFlow::new(function))));
        let moving = program.functions.iter().filter(|(_, function)| moves(function)).map(|(id, _)| id);
        Some(Self { moving: moving.collect(), liveness: liveness.collect() })
    }

    /// Whether what a function frees may lie where lies what it made before.
    pub(crate) fn moves(&self, function: FunctionId) -> bool {
        self.moving.contains(&function)
    }

    /// The values in registers that may be read from a place on.
    fn live<'t>(
        &self,
        program: &Program,
        thread: &'t Thread,
        (place, base): (Place, usize),
    ) -> Vec<&'t Value> {
        let Some(liveness) = self.liveness.get(&place.function) else { return Vec::new() };
        let block = &program.functions[place.function].blocks[place.block];
        let mut set = liveness.live_out_set(place.block);
        add_terminator(&mut set, &block.terminator);
        for inst in block.insts[place.index as usize..].iter().rev() {
            step_back(&mut set, inst);
        }
        set.ones().map(|register| &thread.registers[base + register]).collect()
    }
}

impl Vm<'_> {
    /// Makes an object of the heap, which is the next instruction of a thread.
    pub(crate) fn allocate<I: Inputs + ?Sized, O: Observer>(
        &self,
        state: &mut State,
        id: ThreadId,
        world: &mut World<'_, I, O>,
    ) -> Result<(), Halt> {
        let Some((place, InstKind::Alloc { dest, size, align, storage, zeroed, .. })) =
            self.stands_at(state, id)
        else {
            return Ok(());
        };
        let bytes = self.operand(&state.memory, &state.threads[id as usize], *size).low();
        let rooms = self.rooms(state, bytes, *align);
        let ty = Type::Int(32);
        let others = u32::try_from(rooms.len()).unwrap_or(u32::MAX);
        let reason = InputReason::Address(others);
        let choice = match others {
            0 => 0,
            _ => world.inputs.input(&InputRequest { thread: id, reason, ty, place }),
        };
        let room = usize::try_from(choice).ok().and_then(|choice| rooms.get(choice.checked_sub(1)?).copied());
        self.with_cursor(state, id, |cursor| {
            if others > 0 {
                let value = Value::plain(if room.is_some() { choice } else { 0 });
                let action = Action::Input(reason, value, ty);
                world.observe(cursor.vm, cursor.memory, cursor.thread, (id, place), action);
            }
            let (value, origin) = cursor.allocate(size, *align, *storage, *zeroed, room)?;
            cursor.set(*dest, value);
            cursor.taint(*dest, 0);
            cursor.notify(world, || Action::Alloc(origin));
            cursor.pass();
            Ok(())
        })
    }

    /// Where an object of this size and alignment may lie that others lay before, in order.
    fn rooms(&self, state: &mut State, size: u64, align: u64) -> Vec<Room> {
        let Some(reuse) = self.reuse() else { return Vec::new() };
        if state.memory.vacant().next().is_none() {
            return Vec::new();
        }
        let known = known_rooms(self, reuse, state);
        let seen: Vec<(Room, u64, u64, bool)> = state.memory.vacant().collect();
        let mut rooms = Vec::new();
        for (room, holds, address, exposed) in seen {
            if !exposed && !known.contains(&room) {
                continue;
            }
            if size <= holds && address.is_multiple_of(align.max(1)) {
                rooms.push(room);
            } else {
                state.memory.missed = true;
            }
        }
        rooms
    }
}

/// The places that pointers lead to, whether anything lives there or not.
fn known_rooms(vm: &Vm<'_>, reuse: &Reuse, state: &State) -> FxHashSet<Room> {
    let mut known = FxHashSet::default();
    let mut note = |origin: Origin| {
        known.insert(Room { arena: origin.arena, slot: origin.slot });
    };
    for (_, object) in state.memory.objects() {
        object.pointers().for_each(&mut note);
    }
    for thread in &state.threads {
        thread.buffer.stores().iter().filter_map(|store| store.value.origin).for_each(&mut note);
        if let Status::Ended(result) = thread.status {
            result.origin.into_iter().for_each(&mut note);
        }
        if thread.status != Status::Running {
            continue;
        }
        for frame in &thread.frames {
            let live = reuse.live(vm.program(), thread, (frame.stands_at(false), frame.base as usize));
            live.into_iter().filter_map(|value| value.origin).for_each(&mut note);
        }
    }
    known
}
