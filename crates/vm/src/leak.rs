//! Leaks: heap objects that nobody freed before the process ended.
//!
//! An object is *lost* when nothing that lives leads to it: no global, no local object of an activation that has not returned, no
//! other object that is not lost. Whatever holds an address within an object leads to it, also one that was put together byte by byte. Local
//! variables that live in registers may be out of scope though their registers still hold something: what only they lead to is
//! lost *perhaps*. The result of a thread that nobody has joined leads nowhere. What the library allocates for itself is no leak of the program.
//!
//! The process ends when `main` returns, when `exit` is called or when the last thread ends. `abort` is no end in this sense.

use raddle_base::Id;
use raddle_ir::{AllocStorage, InstKind, Program, Property, RegisterId};
use rustc_hash::FxHashSet;

use crate::code::Place;
use crate::describe;
use crate::memory::{Creator, Object};
use crate::state::{Exit, State, Status};
use crate::step::Vm;
use crate::value::{Origin, Value};
use crate::violation::Violation;

/// A heap object that was not freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The object.
    pub origin: Origin,
    /// Where the program asked for it.
    pub place: Place,
    /// What made it: `malloc`.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// What leads to it.
    pub reach: Reach,
}

/// What leads to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Other memory that lives.
    Memory,
    /// Only registers of activations that have not returned.
    Registers,
    /// Nothing.
    Lost,
}

/// How the process ended, if it has.
#[must_use]
pub fn end_of(state: &State) -> Option<Exit> {
    let all_ended = state.threads.iter().all(|thread| matches!(thread.status, Status::Ended(_)));
    state.exit.or_else(|| all_ended.then_some(Exit::Status(0)))
}

/// The leak that breaks a property in a state in which the process has ended.
pub(crate) fn violation(vm: &Vm<'_>, state: &State) -> Option<Violation> {
    if !vm.checks(Property::Leak) && !vm.checks(Property::Cleanup) {
        return None;
    }
    match end_of(state) {
        Some(Exit::Status(_)) => {}
        Some(Exit::Abort) | None => return None,
    }
    let leaks = find(vm.program(), state);
    let lost = leaks.iter().find(|leak| leak.reach == Reach::Lost && vm.checks(Property::Leak));
    let (leak, property, what) = match lost {
        Some(lost) => (lost, Property::Leak, "are lost: nothing points to them"),
        None => (leaks.first().filter(|_| vm.checks(Property::Cleanup))?, Property::Cleanup, "are not freed"),
    };
    Some(Violation {
        property,
        message: format!("{} bytes from {} {what} when the program ends", leak.size, leak.name),
        // Heap arenas belong to threads.
        thread: (leak.origin.arena / 2).saturating_sub(1),
        stack: vec![leak.place],
        span: leak.place.span(vm.program()),
        race: None,
    })
}

/// The heap objects of the program that live in a state.
#[must_use]
pub fn find(program: &Program, state: &State) -> Vec<Leak> {
    let heap = Heap::new(state);
    if heap.objects.is_empty() {
        return Vec::new();
    }
    let is_root = |creator: Creator| match creator {
        Creator::Global(_) | Creator::ThreadLocal(_) | Creator::Local(_) => true,
        Creator::Heap(_) => false,
    };
    let roots = state.memory.objects().filter(|(_, object)| is_root(object.creator));
    let mut from_memory: FxHashSet<Origin> = FxHashSet::default();
    heap.follow(state, roots.map(|(origin, _)| origin).collect(), &mut from_memory);
    let mut from_registers = from_memory.clone();
    heap.follow(state, heap.in_registers(program, state), &mut from_registers);
    let mut leaks = Vec::new();
    for (origin, object) in state.memory.objects() {
        let Creator::Heap(place) = object.creator else { continue };
        if is_library(program, place) {
            continue;
        }
        leaks.push(Leak {
            origin,
            place: object.user.unwrap_or(place),
            name: describe::object(program, object.creator),
            size: object.bytes.len() as u64,
            reach: if from_memory.contains(&origin) {
                Reach::Memory
            } else if from_registers.contains(&origin) {
                Reach::Registers
            } else {
                Reach::Lost
            },
        });
    }
    leaks
}

/// Whether the library allocates there for itself.
fn is_library(program: &Program, place: Place) -> bool {
    let kind = place.inst(program).map(|inst| &inst.kind);
    matches!(kind, Some(InstKind::Alloc { storage: AllocStorage::Library, .. }))
}

/// The heap objects by address.
struct Heap {
    objects: Vec<(u64, u64, Origin)>,
}

impl Heap {
    fn new(state: &State) -> Self {
        let heap = state.memory.objects().filter(|(_, object)| matches!(object.creator, Creator::Heap(_)));
        let range = |object: &Object| (object.address, object.address + object.bytes.len() as u64);
        let mut objects: Vec<(u64, u64, Origin)> =
            heap.map(|(origin, object)| (range(object).0, range(object).1, origin)).collect();
        objects.sort_unstable();
        Self { objects }
    }

    /// The object that an address lies in, or just behind.
    fn at(&self, address: u64) -> Option<Origin> {
        let behind = self.objects.partition_point(|&(start, ..)| start <= address);
        let &(_, end, origin) = self.objects.get(behind.checked_sub(1)?)?;
        (address <= end).then_some(origin)
    }

    /// Adds these objects and all that they lead to.
    fn follow(&self, state: &State, mut work: Vec<Origin>, reached: &mut FxHashSet<Origin>) {
        let width = usize::from(state.memory.pointer_bits() / 8);
        while let Some(origin) = work.pop() {
            if reached.insert(origin)
                && let Some(object) = state.memory.object(origin)
            {
                work.extend(object.addresses(state.memory.pointer_bits()));
                work.extend(object.bytes.windows(width).filter_map(|bytes| {
                    let address = bytes.iter().rev().fold(0, |address, &byte| address << 8 | u64::from(byte));
                    self.at(address)
                }));
            }
        }
    }

    /// The objects that registers of variables lead to, and delayed stores.
    fn in_registers(&self, program: &Program, state: &State) -> Vec<Origin> {
        let mut found = Vec::new();
        let mut add = |value: Value| found.extend(value.origin.into_iter().chain(self.at(value.low())));
        for thread in &state.threads {
            for frame in &thread.frames {
                let registers = &program.functions[frame.function].registers;
                for (id, register) in registers.iter() {
                    let id: RegisterId = id;
                    if register.name.is_some() {
                        add(thread.registers[frame.base as usize + id.index()]);
                    }
                }
            }
            thread.buffer.stores().iter().for_each(|store| add(store.value));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::{Fixed, parse};
    use crate::{Options, Unwatched, ZeroInputs, run};

    const PROGRAM: &str = r#"program pointer_bits 64 entry f0
        global g0 "head" size 8 align 8 {}
        global g1 "own" size 8 align 8 thread_local {}
        function f0 "main" () {
          registers r0: ptr, r1: ptr, r2: ptr, r3: ptr, r4: ptr, r5: ptr "kept"
        b0:
          r0 = alloc heap i64 8 align 8 "malloc"
          r1 = alloc heap i64 16 align 8 "malloc"
          store ptr [r1], r0
          store ptr [@head], r1
          r2 = alloc heap i64 3 align 8 "calloc"
          r3 = alloc heap i64 5 align 8 "malloc"
          free r3
          r4 = thread_local @own
          store ptr [r4], r2
          r2 = alloc heap i64 7 align 8 "malloc"
          r5 = alloc heap i64 9 align 8 "malloc"
          r3 = alloc library i64 11 align 8 "malloc"
          exit_process i32 0
        }"#;

    #[test]
    fn lost_and_reachable_objects_are_told_apart_and_freed_ones_are_none() {
        let program = parse(PROGRAM);
        let vm = Vm::checking(&program, &[Property::Assertion]);
        let result = run(&vm, &mut Fixed::new(&[]), &mut ZeroInputs, &Options::default(), &mut Unwatched);
        let leaks: Vec<_> = find(&program, &result.state)
            .into_iter()
            .map(|leak| (leak.size, leak.reach, leak.name))
            .collect();
        let name = |name: &str| name.to_owned();
        assert_eq!(
            leaks,
            [
                (8, Reach::Memory, name("malloc")),
                (16, Reach::Memory, name("malloc")),
                (3, Reach::Memory, name("calloc")),
                (7, Reach::Lost, name("malloc")),
                (9, Reach::Registers, name("malloc")),
            ]
        );
    }

    #[test]
    fn a_leak_is_a_violation_where_it_is_asked_for() {
        let program = parse(PROGRAM);
        for (property, text) in [
            (Property::Leak, "7 bytes from malloc are lost: nothing points to them when the program ends"),
            (Property::Cleanup, "8 bytes from malloc are not freed when the program ends"),
        ] {
            let vm = Vm::checking(&program, &[property]);
            let result = run(&vm, &mut Fixed::new(&[]), &mut ZeroInputs, &Options::default(), &mut Unwatched);
            assert_eq!(result.outcome.property(), Some(property));
            assert_eq!(result.trace.message.as_deref(), Some(text));
        }
    }
}
