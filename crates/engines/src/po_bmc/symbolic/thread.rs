//! Threads: starting them, and what they begin with.

use std::collections::VecDeque;
use std::rc::Rc;

use raddle_base::{Exhausted, Id};
use raddle_ir::{FunctionId, Property, Type};
use raddle_logic::term::{Sort, TermId};
use raddle_vm::ThreadId;

use super::calls::callees;
use super::context::{Context, Flow};
use super::executor::Executor;
use super::follow::{Course, Following, leave};
use super::forwarding::{Forwarded, forward_to_thread};
use super::guard::Guard;
use super::known::KnownMemory;
use super::path::Path;
use super::symmetry::{Identity, identity};
use super::sync::end_thread;
use super::synchronise::synchronise;
use super::world::{Origin, Reach, SiteKey};
use crate::execution_graph::emitter::Here;
use crate::execution_graph::events::{EventId, EventKind, InstanceId, LimitKind, Sync, SynchronisationKind};

/// A thread that was started and is still to be executed.
#[derive(Debug)]
struct Pending {
    instance: InstanceId,
    name: InstanceId,
    /// The functions it may run, with their conditions.
    functions: Vec<(TermId, FunctionId)>,
    argument: TermId,
    site: SiteKey,
    /// What it knows of shared memory when it begins.
    forwarded: Forwarded,
    /// The thread of the run that it follows, if there is a run.
    follows: Option<ThreadId>,
}

/// The threads that were started.
#[derive(Default)]
pub(crate) struct Starts {
    /// Those that are still to be executed, in the order in which they were started.
    pending: VecDeque<Pending>,
    /// For each thread but the main one, what tells it from others, if that is known.
    identities: Vec<Option<Identity>>,
}

impl Starts {
    /// What tells the threads but the main one from others, as far as it is known.
    pub(crate) fn identities(&self) -> &[Option<Identity>] {
        &self.identities
    }
}

impl Executor<'_, '_> {
    /// Executes all threads.
    pub(crate) fn run(&mut self) -> Result<(), Exhausted> {
        let program = self.cx.world.program;
        let mut memory = KnownMemory::default();
        for (global, info) in program.globals.iter() {
            if !info.thread_local {
                let object = self.cx.world.object(Origin::Global(global));
                self.memory.heap.exists(&mut self.cx, object);
                let contents = self.memory.heap.first_contents(&mut self.cx, global);
                memory.add(object, contents);
            }
        }
        let always = self.cx.terms().bool(true);
        let zero = self.cx.terms().bits(0, 32);
        begin_thread(&mut self.cx, None, always, zero);
        self.cx.report.names.push(self.cx.thread_name());
        self.cx.report.followed.push(self.following.thread_followed());
        let path = self.first_path(always, memory.clone(), false);
        let entry = program.entry;
        self.execute_thread(path, &[(always, entry)], &[], None)?;
        while let Some(pending) = self.starts.pending.pop_front() {
            self.cx.switch_to(pending.instance, pending.name);
            // The fork takes effect only with the atomic block it is in.
            let fork = self.cx.out.threads[self.cx.thread()].fork.expect("it was forked");
            let started = self.cx.out.effective(fork);
            self.cx.emit().start(started);
            let mut path = self.first_path(started, memory.clone(), true);
            path.forwarded = pending.forwarded;
            if path.guard.is_false(&self.cx.out.terms) {
                mark(&mut self.cx, &path);
                mark(&mut self.cx, &path);
                continue;
            }
            if self.cx.options.paths.is_some() && pending.follows.is_none() {
                // It was not started in the run.
                mark(&mut self.cx, &path);
                leave(&mut self.cx, &path);
                mark(&mut self.cx, &path);
                continue;
            }
            self.following = Following::thread(pending.follows);
            let functions = self.begins_with(pending.functions);
            let argument = [pending.argument];
            self.execute_thread(path, &functions, &argument, Some(pending.site))?;
        }
        Ok(())
    }

    /// Of the functions that a thread may begin with, the one that it began with in the run, if that is followed.
    fn begins_with(&mut self, functions: Vec<(TermId, FunctionId)>) -> Vec<(TermId, FunctionId)> {
        let Some(paths) = self.cx.options.paths.as_deref() else { return functions };
        let begun = self.following.begins(paths);
        functions.into_iter().filter(|&(_, function)| Some(function) == begun).collect()
    }

    pub(crate) fn first_path(&mut self, started: TermId, mut memory: KnownMemory, forked: bool) -> Path {
        // A thread has its copies of thread-local objects from the start, on all paths.
        let program = self.cx.world.program;
        for (global, _) in program.globals.iter().filter(|(_, info)| info.thread_local) {
            let name = self.cx.thread_name();
            let object = self.cx.world.object(Origin::ThreadLocal(name, global));
            self.memory.heap.exists(&mut self.cx, object);
            if self.memory.heap.facts(object).reach == Reach::Own || !forked {
                let contents = self.memory.heap.first_contents(&mut self.cx, global);
                memory.add(object, contents);
            }
        }
        let zero = self.cx.out.terms.bits(0, 32);
        let course = if self.cx.options.is_narrowed() { Course::Run } else { Course::All };
        Path {
            guard: Guard::new(started),
            course,
            memory,
            forked,
            block: None,
            held: Rc::default(),
            regions: Vec::new(),
            forwarded: Forwarded::default(),
            operations: zero,
            forks: zero,
        }
    }

    pub(crate) fn execute_thread(
        &mut self,
        path: Path,
        functions: &[(TermId, FunctionId)],
        arguments: &[TermId],
        site: Option<SiteKey>,
    ) -> Result<(), Exhausted> {
        mark(&mut self.cx, &path);
        let bits = self.cx.pointer_bits();
        let zero = self.cx.out.terms.bits(0, bits);
        for &(condition, function) in functions {
            let mut taken = path.clone();
            taken.guard = taken.guard.and(&mut self.cx.out.terms, condition);
            if taken.guard.is_false(&self.cx.out.terms) {
                continue;
            }
            let wanted = self.cx.world.program.functions[function].parameters.len();
            let arguments = &arguments[..wanted.min(arguments.len())];
            if let Some((mut returned, result)) = self.call(function, arguments, taken, site)? {
                end_thread(&mut self.cx, &mut returned);
                let result = result.map_or(zero, |result| match self.cx.out.terms.sort(result) {
                    Sort::BitVec(_) => self.cx.out.terms.resize(result, bits, false),
                    Sort::Bool | Sort::Array { .. } => zero,
                });
                self.ends.push((returned, Some(result)));
            }
        }
        let ends = std::mem::take(&mut self.ends);
        let end = match self.join_returns(ends) {
            Some((end, result)) => {
                let result = result.unwrap_or(zero);
                self.cx.emit().end(end.guard.term(), result, end.operations);
                end
            }
            None => {
                let mut never = path;
                never.guard = Guard::new(self.cx.out.terms.bool(false));
                never
            }
        };
        mark(&mut self.cx, &end);
        Ok(())
    }

    /// Starts a thread and gives its id.
    pub(crate) fn fork(&mut self, path: &mut Path, function: TermId, argument: TermId) -> Option<TermId> {
        self.cx.operation(path);
        let candidates: Vec<(TermId, FunctionId)> = callees(&mut self.cx, function)
            .into_iter()
            .filter(|(_, function)| {
                let callee = &self.cx.world.program.functions[*function];
                !callee.blocks.is_empty()
                    && match *callee.parameters {
                        [] => true,
                        [only] => callee.registers[only].ty == Type::Ptr,
                        _ => false,
                    }
            })
            .collect();
        let some = self.cx.out.terms.or_all(candidates.iter().map(|(condition, _)| *condition));
        self.cx.check(
            path,
            Property::MemorySafety,
            some,
            "a thread is started at something that is not a function",
        );
        if matches!(self.cx.assume(path, some), Flow::Ends) {
            return None;
        }
        if self.cx.out.threads.len() >= self.cx.options.bounds.max_threads as usize {
            let span = self.cx.span();
            self.cx.limit(path, LimitKind::Threads, span);
            return None;
        }
        if !path.forked {
            self.memory.publish(&mut self.cx, path);
        }
        let one = self.cx.out.terms.bits(1, 32);
        path.forks = self.cx.out.terms.add(path.forks, one);
        let is_main = self.cx.out.threads[self.cx.thread()].fork.is_none();
        let thread_id = if !self.cx.assumed.fixed_thread_ids.0 {
            self.cx.out.terms.fresh("thread", Sort::BitVec(32))
        } else {
            if !is_main {
                self.cx.report.others_fork = true;
            }
            path.forks
        };
        let step = self.cx.step_for(path, true);
        let guard = path.guard.term();
        let instance = InstanceId::from_index(self.cx.out.threads.len());
        let fork = self.cx.event(step, guard, EventKind::Sync(Sync::Fork { thread: instance }));
        synchronise(&mut self.cx, path, SynchronisationKind::Fork(fork));
        begin_thread(&mut self.cx, Some(fork), guard, thread_id);
        self.starts.identities.push(identity(&self.cx, &candidates, argument));
        let site = self.cx.site();
        let name = self.cx.world.instance(site);
        self.cx.report.names.push(name);
        let forwarded = forward_to_thread(&self.cx, path, name);
        let run = self.cx.options.paths.as_deref().filter(|_| path.course == Course::Run);
        let follows = run.and_then(|paths| self.following.started(paths));
        self.cx.report.followed.push(follows);
        let pending = Pending { instance, name, functions: candidates, argument, site, forwarded, follows };
        self.starts.pending.push_back(pending);
        self.cx.complete(path, step);
        Some(thread_id)
    }
}

fn begin_thread(
    cx: &mut Context<'_, '_>,
    fork: Option<EventId>,
    started: TermId,
    thread_id: TermId,
) -> InstanceId {
    let bits = cx.pointer_bits();
    cx.out.begin_thread(fork, started, thread_id, bits)
}

/// A step in which nothing happens.
fn mark(cx: &mut Context<'_, '_>, path: &Path) {
    use raddle_ir::BlockId;
    let entry = cx.world.program.entry;
    let place = raddle_vm::code::Place { function: entry, block: BlockId::from_index(0), index: 0 };
    cx.emit().mark(Here { guard: path.guard.term(), operations: path.operations, place });
}
