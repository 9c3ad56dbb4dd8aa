//! Reading and writing memory, whoever may see it.

use raddle_ir::{Operand, Ordering, Property, Type};
use raddle_logic::term::TermId;

use super::context::{Context, Flow};
use super::destination::Destination;
use super::heap::Heap;
use super::path::Path;
use super::placement::Placement;
use super::region::{in_region, region};
use super::shared::{Shared, SharedRead, write_shared};
use super::store_order::releases;
use super::sync::watch_lock_words;
use super::synchronise::{is_exact, note_load, note_store, note_update};
use crate::execution_graph::events::{Access, Limit, LimitKind, Location, Space, StepId, StoreOrder};
use raddle_semantics::View;

/// What is not followed.
const CONFUSED: &str =
    "a pointer that is read as a number or put together from pieces, or a number that is read as a pointer";
/// There is no room for so many marks.
const TOO_WIDE: &str = "an access of more than 8 bytes in a program that may read pointers as numbers";

/// An access to memory by the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) address: TermId,
    /// What the address was computed from.
    pub(crate) operand: Operand,
    pub(crate) size: u32,
    pub(crate) ordering: Ordering,
    /// The ordering of an update that writes nothing.
    pub(crate) failure: Ordering,
    pub(crate) role: Role,
    /// What the bytes are taken for.
    pub(crate) view: View,
}

impl Request {
    /// The same, where it goes if it goes anywhere.
    fn at(self, destination: &Destination) -> Self {
        Self { address: destination.address.unwrap_or(self.address), ..self }
    }
}

/// What an access is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing else.
    Alone,
    /// A read-modify-write.
    Update,
    /// Taking, releasing or looking at a lock.
    LockWord,
    /// Looking at a word that counts as this number if it was never written. It never races.
    Peek(u32),
}

impl Role {
    /// What memory counts as that was never written, if that is no input.
    fn unwritten_is(self) -> Option<u32> {
        match self {
            Self::Alone | Self::Update => None,
            Self::LockWord => Some(0),
            Self::Peek(number) => Some(number),
        }
    }
}

/// All of memory.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) heap: Heap,
    pub(crate) placement: Placement,
    pub(crate) shared: Shared,
}

impl Memory {
    /// Reads memory. Nothing if the path ends there.
    pub(crate) fn load(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        request: Request,
    ) -> Option<TermId> {
        cx.operation(path);
        is_followed(cx, path, &request)?;
        let destination =
            self.destination(cx, path, (request.address, request.size), false, request.operand)?;
        let request = request.at(&destination);
        watch_lock_words(cx, path, &request, &destination);
        if destination.shared.is_some()
            && let Some(region) = region(cx, path, &request)
        {
            self.lives_apart(cx, path, &request, &destination)?;
            return Some(in_region(path, region, |path, step| {
                self.read(cx, path, Some(step), request, &destination)
            }));
        }
        let step = destination.shared.map(|_| cx.step_for(path, false));
        if let Some(step) = step {
            self.lives(cx, path, step, request.address, &destination)?;
        }
        let value = self.read(cx, path, step, request, &destination);
        if let Some(step) = step {
            cx.complete(path, step);
        }
        Some(value)
    }

    /// Writes memory.
    pub(crate) fn store(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        request: Request,
        value: TermId,
    ) -> Flow {
        cx.operation(path);
        if is_followed(cx, path, &request).is_none() {
            return Flow::Ends;
        }
        let Some(destination) =
            self.destination(cx, path, (request.address, request.size), true, request.operand)
        else {
            return Flow::Ends;
        };
        let request = request.at(&destination);
        watch_lock_words(cx, path, &request, &destination);
        if destination.shared.is_some()
            && let Some(region) = region(cx, path, &request)
        {
            if self.lives_apart(cx, path, &request, &destination).is_none() {
                return Flow::Ends;
            }
            in_region(path, region, |path, step| {
                self.write(cx, path, Some(step), request, &destination, value);
            });
            return Flow::Next;
        }
        // Such a store goes to memory at once under every memory model.
        let at_once = request.ordering == Ordering::SequentiallyConsistent;
        let step = destination.shared.map(|_| cx.step_for(path, at_once));
        if let (Some(step), None, true) = (step, &path.block, releases(request.ordering)) {
            cx.emit().order_stores(step, StoreOrder::Last);
        }
        if let Some(step) = step
            && self.lives(cx, path, step, request.address, &destination).is_none()
        {
            return Flow::Ends;
        }
        if let Some(step) = step
            && cx.options.memory_model.is_weak()
            && path.block.is_none()
            && !cx.out.steps[step].events.is_empty()
        {
            // It would have to be known whether the object lives when the store becomes visible.
            let what = "late stores to objects that may end before they become visible";
            return cx.unsupported(path, what);
        }
        self.write(cx, path, step, request, &destination, value);
        if let Some(step) = step {
            cx.complete(path, step);
        }
        Flow::Next
    }

    /// Reads, and writes what is made of the value if that is anything, in one step. Nothing if the path ends there.
    pub(crate) fn update(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        request: Request,
        make: impl FnOnce(&mut Self, &mut Context<'_, '_>, &mut Path, Option<StepId>, TermId) -> (TermId, TermId),
    ) -> Option<TermId> {
        cx.operation(path);
        is_followed(cx, path, &request)?;
        let destination =
            self.destination(cx, path, (request.address, request.size), true, request.operand)?;
        let request = request.at(&destination);
        watch_lock_words(cx, path, &request, &destination);
        if destination.shared.is_some()
            && let Some(region) = region(cx, path, &request)
        {
            self.lives_apart(cx, path, &request, &destination)?;
            return Some(in_region(path, region, |path, step| {
                self.update_in(cx, path, Some(step), request, &destination, make)
            }));
        }
        let step = destination.shared.map(|_| cx.step_for(path, true));
        if let Some(step) = step {
            self.lives(cx, path, step, request.address, &destination)?;
        }
        let old = self.update_in(cx, path, step, request, &destination, make);
        if let Some(step) = step {
            cx.complete(path, step);
        }
        Some(old)
    }

    /// The reading and writing of an update.
    pub(crate) fn update_in(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        step: Option<StepId>,
        request: Request,
        destination: &Destination,
        make: impl FnOnce(&mut Self, &mut Context<'_, '_>, &mut Path, Option<StepId>, TermId) -> (TermId, TermId),
    ) -> TermId {
        let request = Request { role: Role::Update, ..request };
        let old = self.read(cx, path, step, request, destination);
        let (condition, new) = make(self, cx, path, step, old);
        if let (Some(step), Some(shared)) = (step, destination.shared) {
            note_update(cx, path, step, request, shared, condition);
            if path.is_in_model() {
                note_access(cx, path, step, request, shared, false);
            }
        }
        let mut writer = path.clone();
        writer.guard = path.guard.and(&mut cx.out.terms, condition);
        if !writer.guard.is_false(&cx.out.terms) {
            self.write(cx, &mut writer, step, request, destination, new);
            let mut untouched = path.clone();
            let otherwise = cx.out.terms.not(condition);
            untouched.guard = path.guard.and(&mut cx.out.terms, otherwise);
            if untouched.guard.is_false(&cx.out.terms) {
                *path = writer;
            } else {
                writer.join(&untouched, &mut cx.out.terms);
                *path = writer;
            }
        }
        old
    }

    /// Goes on only where the shared object at an address lives, in a step of its own.
    pub(crate) fn lives_apart(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        request: &Request,
        destination: &Destination,
    ) -> Option<()> {
        if !destination.may_end {
            return Some(());
        }
        let step = cx.step_for(path, false);
        self.lives(cx, path, step, request.address, destination)?;
        cx.complete(path, step);
        Some(())
    }

    /// Goes on only where the shared object at an address lives.
    pub(crate) fn lives(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        step: StepId,
        address: TermId,
        destination: &Destination,
    ) -> Option<()> {
        if !destination.may_end {
            return Some(());
        }
        let first = cx.first_address(address);
        let shared = destination.shared.unwrap_or_else(|| cx.out.terms.bool(false));
        let dead = self.shared.read(cx, path, step, SharedRead::lifetime(first, shared));
        let zero = cx.out.terms.bits(0, 8);
        let alive = cx.out.terms.eq(dead, zero);
        let elsewhere = cx.out.terms.not(shared);
        let fine = cx.out.terms.or(alive, elsewhere);
        cx.check(path, Property::MemorySafety, fine, "an access to an object that has ended");
        match cx.assume(path, fine) {
            Flow::Next => Some(()),
            Flow::Ends => None,
        }
    }

    /// Reads where the destination says. A load of an API's model happens after what it acquires: what the model waits for has
    /// come. So that is noted first; for an update, by its caller.
    pub(crate) fn read(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        step: Option<StepId>,
        request: Request,
        destination: &Destination,
    ) -> TermId {
        let ty = match request.view {
            View::Value(ty) | View::Punned(ty) => ty,
            View::Copy => Type::Int(u8::try_from(8 * request.size).unwrap_or(u8::MAX)),
        };
        let mut value = None;
        if let (Some(step), Some(shared)) = (step, destination.shared) {
            let acquires_first = path.is_in_model();
            if !acquires_first {
                note_access(cx, path, step, request, shared, false);
            }
            let location = Location { space: Space::Data, address: request.address, size: request.size };
            let read = SharedRead {
                location,
                condition: shared,
                ty: Some(ty),
                is_event: is_exact(cx, &request),
                is_number: is_number_for_sure(cx, &request),
                unwritten_is: request.role.unwritten_is(),
            };
            let read = self.shared.read(cx, path, step, read);
            if request.role != Role::Update {
                note_load(cx, path, step, request, shared);
                if acquires_first {
                    note_access(cx, path, step, request, shared, false);
                }
            }
            value = Some(read);
        }
        for &(condition, object, offset) in &destination.own {
            let read = match request.role.unwritten_is() {
                Some(number) => self.look_at_own(cx, path, (object, offset, request.size), number),
                None => self.read_own(cx, path, (object, offset, request.size), ty, condition),
            };
            value = Some(value.map_or(read, |rest| cx.out.terms.ite(condition, read, rest)));
        }
        let word = value.expect("an access goes somewhere");
        value_of_word(cx, path, word, request.size, request.view)
    }

    pub(crate) fn write(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &mut Path,
        step: Option<StepId>,
        request: Request,
        destination: &Destination,
        value: TermId,
    ) {
        let (layout, addresses) = (cx.layout(), cx.world.addresses());
        let value = layout.word(&mut cx.out.terms, value, request.size, request.view, addresses);
        if let (Some(step), Some(shared)) = (step, destination.shared) {
            note_access(cx, path, step, request, shared, true);
            let store = note_store(cx, path, request, shared);
            let location = Location { space: Space::Data, address: request.address, size: request.size };
            write_shared(cx, path, step, location, (shared, value), store);
        }
        for &(condition, object, offset) in &destination.own {
            self.write_own(cx, path, (object, offset, request.size), value, condition);
        }
    }
}

/// What a word means to an access. It must be marked as what it is taken for.
fn value_of_word(cx: &mut Context<'_, '_>, path: &Path, word: TermId, size: u32, view: View) -> TermId {
    let (layout, bits) = (cx.layout(), cx.pointer_bits());
    if let View::Punned(ty) = view
        && layout.marked
    {
        let (terms, addresses) = (&mut cx.out.terms, cx.world.addresses());
        let right = layout.is_what_it_is_taken_for(terms, word, size, ty, addresses);
        let wrong = terms.not(right);
        let reached = terms.and(path.guard.term(), wrong);
        if terms.as_bool(reached) != Some(false) {
            // What is made of the value counts for nothing: a counterexample need not replay.
            cx.report.havocked.push((reached, CONFUSED));
            let kind = LimitKind::Unsupported(CONFUSED.to_owned());
            let (step, span) = (cx.step_at(path), cx.span());
            cx.out.limits.push(Limit { kind, reached, step, span });
        }
    }
    layout.value(&mut cx.out.terms, word, size, view, bits)
}

/// Whether nothing but a number can be where an access reads.
fn is_number_for_sure(cx: &Context<'_, '_>, request: &Request) -> bool {
    let is_program = matches!(request.role, Role::Alone | Role::Update);
    cx.layout().marked && is_program && matches!(request.view, View::Value(ty) if ty != Type::Ptr)
}

/// Ends the path at an access that is not followed.
fn is_followed(cx: &mut Context<'_, '_>, path: &Path, request: &Request) -> Option<()> {
    if cx.layout().is_too_wide(request.size) {
        cx.unsupported(path, TOO_WIDE);
        return None;
    }
    Some(())
}

pub(crate) fn note_access(
    cx: &mut Context<'_, '_>,
    path: &Path,
    step: StepId,
    request: Request,
    shared: TermId,
    writes: bool,
) {
    // Plain accesses in atomic blocks of the API's models are the models' own business, and asking about a lock is none.
    let asks = request.role == Role::LockWord && !writes;
    let is_own = path.is_in_model() && request.ordering == Ordering::Plain;
    if !cx.options.races || is_own || asks || matches!(request.role, Role::Peek(_)) {
        return;
    }
    let guard = cx.out.terms.and(path.guard.term(), shared);
    let place = cx.point();
    cx.out.accesses.push(Access {
        step,
        guard,
        address: request.address,
        size: request.size,
        writes,
        ordering: request.ordering,
        in_block: path.block.as_ref().is_some_and(|block| !block.is_model()),
        synchronised: cx.out.synchronisations.len(),
        place,
    });
}
