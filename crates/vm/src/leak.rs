//! Leaks: heap objects that nobody freed before the process ended.
//!
//! Not an error by itself, so it is reported apart. An object that the program could still have reached from its globals is told
//! from one that was lost: pointers in memory with a known origin are followed; one hidden in an integer without origin is not
//! seen, and its object counts as lost.

use raddle_ir::Program;
use rustc_hash::FxHashSet;

use crate::code::Place;
use crate::describe;
use crate::memory::Creator;
use crate::state::State;
use crate::value::Origin;

/// A heap object that was not freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The object.
    pub origin: Origin,
    /// Where it was made.
    pub place: Place,
    /// What made it: `malloc`.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// Whether pointers lead to it from a global.
    pub reachable: bool,
}

/// The heap objects that live in a state.
#[must_use]
pub fn find(program: &Program, state: &State) -> Vec<Leak> {
    let mut reached: FxHashSet<Origin> = FxHashSet::default();
    let is_root = |creator: Creator| match creator {
        Creator::Global(_) | Creator::ThreadLocal(_) => true,
        Creator::Local(_) | Creator::Heap(_) => false,
    };
    let roots = state.memory.objects().filter(|(_, object)| is_root(object.creator));
    let mut work: Vec<Origin> = roots.map(|(origin, _)| origin).collect();
    while let Some(origin) = work.pop() {
        if reached.insert(origin)
            && let Some(object) = state.memory.object(origin)
        {
            work.extend(object.pointers());
        }
    }
    let mut leaks = Vec::new();
    for (origin, object) in state.memory.objects() {
        if let Creator::Heap(place) = object.creator {
            leaks.push(Leak {
                origin,
                place,
                name: describe::object(program, object.creator),
                size: object.bytes.len() as u64,
                reachable: reached.contains(&origin),
            });
        }
    }
    leaks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::{Fixed, parse};
    use crate::{Machine, Options, Unwatched, ZeroInputs, run};

    #[test]
    fn lost_and_reachable_objects_are_told_apart_and_freed_ones_are_none() {
        let program = parse(
            r#"program pointer_bits 64 entry f0
            global g0 "head" size 8 align 8 {}
            global g1 "own" size 8 align 8 thread_local {}
            function f0 "main" () {
              registers r0: ptr, r1: ptr, r2: ptr, r3: ptr, r4: ptr
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
              exit_process i32 0
            }"#,
        );
        let machine = Machine::new(&program);
        let result =
            run(&machine, &mut Fixed::new(&[]), &mut ZeroInputs, &Options::default(), &mut Unwatched);
        let leaks: Vec<_> = find(&program, &result.state)
            .into_iter()
            .map(|leak| (leak.size, leak.reachable, leak.name))
            .collect();
        let name = |name: &str| name.to_owned();
        assert_eq!(
            leaks,
            [
                (8, true, name("malloc")),
                (16, true, name("malloc")),
                (3, true, name("calloc")),
                (7, false, name("malloc"))
            ]
        );
    }
}
