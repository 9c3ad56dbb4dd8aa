//! Scenes: small things that several threads do together, each with an outcome that says in which order they did them.
//!
//! A scene has defined behaviour, does not deadlock, and has no data race, unless it says so ([`Sketch::races`]).

mod atomics;
mod counts;
mod data;
mod library;
mod locks;
mod memory;
mod orders;
mod scopes;
mod threads;

use super::Topic;
use super::sketch::Sketch;

/// Who plays a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cast {
    /// The workers of the program.
    Workers,
    /// Main, with threads of its own.
    Main,
}

/// A scene.
pub(super) struct Scene {
    pub(super) topic: Topic,
    pub(super) cast: Cast,
    pub(super) play: fn(&mut Sketch),
}

const fn scene(topic: Topic, cast: Cast, play: fn(&mut Sketch)) -> Scene {
    Scene { topic, cast, play }
}

/// All scenes.
pub(super) const SCENES: &[Scene] = &[
    scene(Topic::Counters, Cast::Workers, counts::counter),
    scene(Topic::Counters, Cast::Workers, counts::race),
    scene(Topic::Counters, Cast::Workers, counts::neighbours),
    scene(Topic::Counters, Cast::Workers, counts::bit_fields),
    scene(Topic::Counters, Cast::Workers, counts::floats),
    scene(Topic::Structs, Cast::Workers, data::copies),
    scene(Topic::Lists, Cast::Workers, data::intrusive_list),
    scene(Topic::Pointers, Cast::Workers, data::pointers),
    scene(Topic::Pointers, Cast::Workers, data::functions),
    scene(Topic::Pointers, Cast::Workers, memory::pieces),
    scene(Topic::Structs, Cast::Workers, memory::unions),
    scene(Topic::Structs, Cast::Workers, memory::torn),
    scene(Topic::Lists, Cast::Workers, memory::containers),
    scene(Topic::Heap, Cast::Workers, memory::reuse),
    scene(Topic::Heap, Cast::Workers, data::heap),
    scene(Topic::Library, Cast::Workers, library::texts),
    scene(Topic::Library, Cast::Workers, library::sorting),
    scene(Topic::Library, Cast::Workers, library::calls),
    scene(Topic::Library, Cast::Workers, library::outputs),
    scene(Topic::Library, Cast::Workers, library::attributes),
    scene(Topic::Locks, Cast::Workers, locks::mutexes),
    scene(Topic::Locks, Cast::Workers, locks::rwlocks),
    scene(Topic::Locks, Cast::Workers, locks::spins),
    scene(Topic::Locks, Cast::Workers, locks::robust),
    scene(Topic::Waiting, Cast::Workers, locks::semaphores),
    scene(Topic::Waiting, Cast::Workers, locks::barriers),
    scene(Topic::Waiting, Cast::Workers, locks::conditions),
    scene(Topic::Waiting, Cast::Workers, locks::once),
    scene(Topic::Waiting, Cast::Workers, locks::buffers),
    scene(Topic::Atomics, Cast::Workers, atomics::operations),
    scene(Topic::Atomics, Cast::Workers, atomics::operations),
    scene(Topic::Atomics, Cast::Workers, atomics::shapes),
    scene(Topic::Atomics, Cast::Workers, atomics::passing),
    scene(Topic::Atomics, Cast::Workers, atomics::stack),
    scene(Topic::Atomics, Cast::Workers, atomics::exclusion),
    scene(Topic::Litmus, Cast::Workers, atomics::litmus),
    scene(Topic::Litmus, Cast::Workers, orders::known),
    scene(Topic::Atomics, Cast::Workers, orders::wrappers),
    scene(Topic::Lifetimes, Cast::Main, threads::arguments),
    scene(Topic::Threads, Cast::Main, threads::results),
    scene(Topic::Threads, Cast::Workers, threads::exits),
    scene(Topic::Endings, Cast::Main, threads::cleanup),
    scene(Topic::Endings, Cast::Main, threads::keys),
    scene(Topic::Endings, Cast::Main, threads::jumps),
    scene(Topic::Endings, Cast::Main, threads::handlers),
    scene(Topic::Lifetimes, Cast::Workers, threads::thread_local),
    scene(Topic::Lifetimes, Cast::Workers, scopes::lent),
    scene(Topic::Lifetimes, Cast::Workers, scopes::left),
    scene(Topic::Threads, Cast::Workers, scopes::handles),
    scene(Topic::C11, Cast::Main, threads::c11),
];
