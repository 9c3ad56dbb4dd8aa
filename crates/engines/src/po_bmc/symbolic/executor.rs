//! The executor: what it consists of, and how an execution begins and ends.

use raddle_base::{Budget, Exhausted};
use raddle_logic::term::{TermId, Terms};

use super::assumptions::Assumptions;
use super::context::Context;
use super::follow::Following;
use super::memory::Memory;
use super::options::Options;
use super::path::Path;
use super::report::Report;
use super::stack::Stack;
use super::symmetry::find_symmetry;
use super::thread::Starts;
use super::world::World;
use crate::execution_graph::events::Unrolling;

/// Executes a program symbolically. See the [module](super).
pub(crate) struct Executor<'w, 'p> {
    pub(crate) cx: Context<'w, 'p>,
    pub(crate) memory: Memory,
    pub(crate) stack: Stack,
    pub(crate) starts: Starts,
    /// Where the thread at hand may end, with its results.
    pub(crate) ends: Vec<(Path, Option<TermId>)>,
    /// How far the thread at hand has followed the run, if there is one.
    pub(crate) following: Following,
}

/// Executes a program, as far as the budget goes.
pub(crate) fn execute<'w, 'p>(
    world: &'w mut World<'p>,
    options: &'w Options,
    assumed: &'w Assumptions,
    budget: &'w Budget,
) -> Result<Draft<'w, 'p>, Exhausted> {
    let mut out = Unrolling::new(Terms::new());
    out.dynamic_thread_ids = !assumed.fixed_thread_ids.0;
    let mut executor = Executor {
        cx: Context::new(world, options, assumed, budget, out),
        memory: Memory::default(),
        stack: Stack::default(),
        starts: Starts::default(),
        ends: Vec::new(),
        following: Following::thread(Some(0)),
    };
    executor.run()?;
    executor.memory.resolve_reads(&mut executor.cx)?;
    Ok(Draft { executor })
}

/// A program that was executed, before accesses are split up.
pub(crate) struct Draft<'w, 'p> {
    executor: Executor<'w, 'p>,
}

impl<'p> Draft<'_, 'p> {
    pub(crate) fn parts(&mut self) -> (&mut Unrolling, &Report, &World<'p>) {
        let cx = &mut self.executor.cx;
        (&mut cx.out, &cx.report, cx.world)
    }

    /// Makes it ready to be encoded.
    pub(crate) fn finish(self) -> Result<(Unrolling, Report), Exhausted> {
        let Executor { mut cx, mut memory, starts, .. } = self.executor;
        memory.resolve(&mut cx)?;
        if !cx.options.is_narrowed() {
            find_symmetry(&mut cx, &starts);
        }
        Ok((cx.out, cx.report))
    }
}
