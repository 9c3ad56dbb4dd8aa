//! How objects, places in them and values are told to people.

use raddle_ir::{Program, ScalarStyle, Shape};

use crate::buffer::DelayedStore;
use crate::layout::function_at;
use crate::memory::{Creator, EndCause, Fault, Memory, Spot};
use crate::state::{State, ThreadId};
use crate::value::{Origin, Value, signed, to_f32, to_f64, width};

/// What does not change of an object while it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// What it was made for.
    pub creator: Creator,
    /// Its first byte's address.
    pub address: u64,
    /// In bytes.
    pub size: u64,
}

/// Who knows of objects: memory, or a recording of what memory knew ([`crate::recording`]).
pub trait Objects {
    /// A live object.
    fn known(&self, origin: Origin) -> Option<Known>;
    /// What an object was made for that has just ended.
    fn made_for(&self, ended: Origin) -> Option<Creator>;
}

impl Objects for Memory {
    fn known(&self, origin: Origin) -> Option<Known> {
        let live = self.object(origin)?;
        Some(Known { creator: live.creator, address: live.address, size: live.bytes.len() as u64 })
    }

    fn made_for(&self, ended: Origin) -> Option<Creator> {
        self.ending(ended).map(|ending| ending.creator)
    }
}

/// The name of an object: `queue`, `node (malloc)`.
#[must_use]
pub fn object(program: &Program, creator: Creator) -> String {
    match creator {
        Creator::Global(id) | Creator::ThreadLocal(id) => program.globals[id].name.clone(),
        Creator::Local(place) | Creator::Heap(place) => match place.inst(program).map(|inst| &inst.kind) {
            Some(raddle_ir::InstKind::Alloc { name, .. }) => name.to_string(),
            _ => "object".to_owned(),
        },
    }
}

fn shape(program: &Program, creator: Creator) -> &Shape {
    match creator {
        Creator::Global(id) | Creator::ThreadLocal(id) => &program.globals[id].shape,
        Creator::Local(place) | Creator::Heap(place) => match place.inst(program).map(|inst| &inst.kind) {
            Some(raddle_ir::InstKind::Alloc { shape, .. }) => shape,
            _ => &Shape::Bytes,
        },
    }
}

/// A spot as C would name it: `queue.items[3].next`.
#[must_use]
pub fn spot(program: &Program, objects: &impl Objects, spot: Spot) -> String {
    let Some(live) = objects.known(spot.origin) else { return "object that is gone".to_owned() };
    let mut name = object(program, live.creator);
    let mut shape = shape(program, live.creator);
    let mut offset = u64::from(spot.offset);
    loop {
        match shape {
            Shape::Scalar(..) if offset == 0 => return name,
            Shape::Array { element, stride, count } if *stride > 0 && offset / stride < *count => {
                name.push_str(&format!("[{}]", offset / stride));
                offset %= stride;
                shape = element;
            }
            Shape::Record(fields) => {
                // The last member that starts at or before the offset; of a union, the first.
                let start = fields.iter().map(|field| field.1).filter(|&start| start <= offset).max();
                let Some((field, start, inner)) =
                    start.and_then(|start| fields.iter().find(|field| field.1 == start))
                else {
                    return format!("{name} + {offset}");
                };
                if !field.is_empty() {
                    name.push('.');
                    name.push_str(field);
                }
                offset -= start;
                shape = inner;
            }
            Shape::Bytes if offset == 0 => return name,
            Shape::Scalar(..) | Shape::Array { .. } | Shape::Bytes => return format!("{name} + {offset}"),
        }
    }
}

/// The name of a lock: that of its word, without the members that only the C library knows.
#[must_use]
pub fn lock(program: &Program, objects: &impl Objects, at: Spot) -> String {
    let mut name = spot(program, objects, at);
    if let Some(end) = name.find(".__") {
        name.truncate(end);
    }
    name
}

/// The name of a function as the program calls it: models stand for the functions they model.
#[must_use]
pub fn function(program: &Program, function: raddle_ir::FunctionId) -> &str {
    let name = program.functions[function].name.as_str();
    name.strip_prefix("__model_").unwrap_or(name)
}

/// The name of a thread: `main`, or its number and the function it runs, `T1 worker`.
#[must_use]
pub fn thread(program: &Program, state: &State, id: ThreadId) -> String {
    match state.threads.get(id as usize) {
        _ if id == 0 => "main".to_owned(),
        Some(thread) => format!("T{id} {}", function(program, thread.start)),
        None => format!("T{id}"),
    }
}

/// How the scalar at a spot is to be shown.
#[must_use]
pub fn style(program: &Program, objects: &impl Objects, spot: Spot) -> Option<ScalarStyle> {
    let live = objects.known(spot.origin)?;
    let mut shape = shape(program, live.creator);
    let mut offset = u64::from(spot.offset);
    loop {
        match shape {
            Shape::Scalar(_, style) => return Some(*style),
            Shape::Array { element, stride, .. } if *stride > 0 => {
                offset %= stride;
                shape = element;
            }
            Shape::Record(fields) => {
                let start = fields.iter().map(|field| field.1).filter(|&start| start <= offset).max()?;
                offset -= start;
                shape = &fields.iter().find(|field| field.1 == start)?.2;
            }
            Shape::Array { .. } | Shape::Bytes => return None,
        }
    }
}

/// A value of so many bits as people read it.
#[must_use]
pub fn value(
    program: &Program,
    objects: &impl Objects,
    value: Value,
    bits: u8,
    style: Option<ScalarStyle>,
) -> String {
    if let Some(origin) = value.origin {
        return pointer(program, objects, value, origin);
    }
    match style {
        Some(ScalarStyle::Unsigned) => value.bits.to_string(),
        Some(ScalarStyle::Bool) => if value.is_true() { "true" } else { "false" }.to_owned(),
        Some(ScalarStyle::Float) if bits == 32 => to_f32(value.bits).to_string(),
        Some(ScalarStyle::Float) => to_f64(value.bits).to_string(),
        Some(ScalarStyle::Pointer) if value.bits == 0 => "null".to_owned(),
        Some(ScalarStyle::Pointer) => match function_at(program, value) {
            Some(target) => format!("&{}", function(program, target)),
            None => format!("{:#x}", value.bits),
        },
        Some(ScalarStyle::Char) => match u8::try_from(value.bits) {
            Ok(byte) if byte.is_ascii_graphic() || byte == b' ' => format!("'{}'", char::from(byte)),
            _ => signed(value.bits, bits).to_string(),
        },
        Some(ScalarStyle::Signed) | None => signed(value.bits, bits).to_string(),
    }
}

fn pointer(program: &Program, objects: &impl Objects, value: Value, origin: Origin) -> String {
    let Some(live) = objects.known(origin) else { return "dangling pointer".to_owned() };
    let distance = value.low().wrapping_sub(live.address);
    match u32::try_from(distance) {
        // One past the end still belongs to the object.
        Ok(offset) if distance <= live.size => {
            format!("&{}", spot(program, objects, Spot { origin, offset }))
        }
        Ok(_) | Err(_) => format!("&{} {:+}", object(program, live.creator), distance.cast_signed()),
    }
}

/// A delayed store: `x = 1`.
#[must_use]
pub fn store(program: &Program, memory: &Memory, store: &DelayedStore) -> String {
    let bits = width(store.ty, memory.pointer_bits());
    let shown = value(program, memory, store.value, bits, style(program, memory, store.spot));
    format!("{} = {shown}", spot(program, memory, store.spot))
}

/// An object that has just ended, by name.
#[must_use]
pub fn ended(program: &Program, objects: &impl Objects, origin: Origin) -> String {
    match objects.made_for(origin) {
        Some(creator @ (Creator::Global(_) | Creator::ThreadLocal(_) | Creator::Local(_))) => {
            object(program, creator)
        }
        Some(Creator::Heap(_)) | None => "memory that is freed".to_owned(),
    }
}

/// What is wrong with an access to a local or thread-local object that has ended.
fn dead(program: &Program, memory: &Memory, origin: Origin, what: &str) -> String {
    let Some(ending) = memory.ending(origin) else {
        return format!("{what} of a local variable after the end of its lifetime");
    };
    let name = object(program, ending.creator);
    let of = function(program, ending.place.function);
    match (ending.cause, ending.creator) {
        (EndCause::Returned, _) => format!("{what} of `{name}` after `{of}` has returned"),
        (EndCause::ThreadEnded, Creator::ThreadLocal(_)) => {
            format!("{what} of the thread-local `{name}` after its thread has ended")
        }
        (EndCause::ThreadEnded, _) => format!("{what} of the local `{name}` after its thread has ended"),
        (EndCause::BlockLeft | EndCause::Freed, _) => {
            format!("{what} of `{name}` after its block in `{of}` was left")
        }
    }
}

/// What is wrong with an access.
#[must_use]
pub fn fault(program: &Program, memory: &Memory, fault: Fault, what: &str) -> String {
    let name = |origin| {
        memory
            .object(origin)
            .map_or_else(|| "object".to_owned(), |live| format!("`{}`", object(program, live.creator)))
    };
    match fault {
        Fault::Null => format!("{what} through a null pointer"),
        Fault::Wild => format!("{what} at an address of no live object"),
        Fault::OutOfBounds { origin, offset } => {
            let size = memory.object(origin).map_or(0, |live| live.bytes.len());
            format!("{what} outside of {}: at byte {offset} of {size}", name(origin))
        }
        Fault::Freed(_) => format!("{what} after free"),
        Fault::Dead(origin) => dead(program, memory, origin, what),
        Fault::ReadOnly(origin) => format!("{what} to {}, which is constant", name(origin)),
        Fault::InvalidFree => "free of something that is not the start of a live heap object".to_owned(),
        Fault::Exhausted => "more memory than the simulated address space holds".to_owned(),
    }
}
