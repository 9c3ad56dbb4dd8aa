//! What an execution of the sequential program says about the input, read off while the VM replays it.
//!
//! The names are those of the runtime that the schema brings along (`sequentialize`, passes `lazy` and `lal_reps`): who has its
//! turn, in which round, at which label it is left, who was started. What is noted becomes a record in `records`.

use raddle_base::Span;
use raddle_ir::{GlobalId, Program};
use raddle_sequentialize::record::Global;
use raddle_vm::address::Look;
use raddle_vm::code::Place;
use raddle_vm::memory::{Creator, Memory, Spot};
use raddle_vm::step::bytes;
use raddle_vm::{
    Action, Event, InputReason, MemoryAccess, Observer, Options, ReplayError, ReplayedTrace, Stream, Vm,
    follow,
};

use crate::looked::LookedAt;

/// What the names of the runtime begin with.
const PREFIX: &str = "__raddle_";
/// Larger objects are not looked at: where threads stand is found without them.
const LARGEST: usize = 1 << 16;

/// Something that the sequential program does, in the order of its execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// A thread is about to run; what globals hold then.
    Current(u32, Vec<Global>),
    /// The round is set.
    Round(u32),
    /// The label at which a thread is left is set.
    Leave(u32),
    /// A thread is started; in the schema of Lal and Reps that is a place in an array of copies, and `Born` tells it.
    Started(u32),
    /// The round in which a thread is started is set.
    Born(u32),
    /// A violation is written down.
    Error,
    /// All turns are over, and it is asked who is stuck; what globals hold then.
    Probe(Vec<Global>),
    /// The input's own code takes a value from outside.
    Input {
        /// The function that gives it, if one does.
        name: String,
        /// Where.
        span: Span,
        /// Its bits.
        value: u128,
    },
}

/// What was seen of an execution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// In the order of time.
    pub(crate) notes: Vec<Note>,
    /// Whether the runtime looked at memory that was never written, of which the machine has other ideas (a lock there is free).
    pub(crate) doubtful: bool,
    /// Where somebody looked at where objects lie: those of the input lie elsewhere.
    pub(crate) looked: LookedAt,
}

/// Watches a failing execution of a sequential program.
pub(crate) fn watch(program: &Program, found: &ReplayedTrace) -> Result<Seen, ReplayError> {
    let named = |name: &str| {
        let is_it = |global: &str| global.strip_prefix(PREFIX) == Some(name);
        program.globals.iter().find(|(_, global)| is_it(&global.name)).map(|(id, _)| id)
    };
    let variables =
        Variable::ALL.into_iter().filter_map(|variable| Some((named(variable.name())?, variable)));
    let mut reader = Reader { program, variables: variables.collect(), seen: Seen::default() };
    let mut machine = Vm::new(program);
    if let Some(property) = found.outcome().property() {
        machine = machine.only(property);
    }
    follow(&machine, found.trace(), &Options::default(), &mut reader)?;
    Ok(reader.seen)
}

/// A variable of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    Current,
    Round,
    Leave,
    Active,
    Born,
    Error,
    Probe,
}

impl Variable {
    const ALL: [Self; 7] =
        [Self::Current, Self::Round, Self::Leave, Self::Active, Self::Born, Self::Error, Self::Probe];

    /// Without the prefix.
    fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Round => "round",
            Self::Leave => "leave",
            Self::Active => "active",
            Self::Born => "born",
            Self::Error => "error",
            Self::Probe => "probe",
        }
    }
}

struct Reader<'p> {
    program: &'p Program,
    variables: Vec<(GlobalId, Variable)>,
    seen: Seen,
}

fn is_runtime(name: &str) -> bool {
    name == "main" || name.starts_with(PREFIX)
}

impl Reader<'_> {
    fn write(&mut self, spot: Spot, size: u64, bits: u128, memory: &Memory) {
        let Some(object) = memory.object(spot.origin) else { return };
        let Creator::Global(id) = object.creator else { return };
        let Some(&(_, variable)) = self.variables.iter().find(|(known, _)| *known == id) else { return };
        let number = u32::try_from(bits).unwrap_or(u32::MAX);
        let element = spot.offset / u32::try_from(size).unwrap_or(1).max(1);
        let note = match variable {
            Variable::Current => Note::Current(number, globals(self.program, memory)),
            Variable::Round => Note::Round(number),
            Variable::Leave => Note::Leave(number),
            Variable::Active if number != 0 && element > 0 => Note::Started(element),
            Variable::Born => Note::Born(element),
            Variable::Error if number != 0 => Note::Error,
            Variable::Probe if number != 0 => Note::Probe(globals(self.program, memory)),
            Variable::Active | Variable::Error | Variable::Probe => return,
        };
        self.seen.notes.push(note);
    }

    fn input(&mut self, event: &Event, reason: InputReason, value: u128) {
        if is_runtime(&self.program.functions[event.place.function].name) {
            self.seen.doubtful |= matches!(reason, InputReason::Uninitialised(_));
            return;
        }
        let (name, span) = match reason {
            // What passes ask for themselves is what memory without an initial value holds.
            InputReason::Havoc(site) if self.program.havocs[site].span == Span::NONE => {
                (String::new(), Span::NONE)
            }
            InputReason::Havoc(site) => {
                (self.program.havocs[site].name.clone(), self.program.havocs[site].span)
            }
            InputReason::Address(_) => return,
            InputReason::Uninitialised(_) | InputReason::External => {
                (String::new(), event.place.span(self.program))
            }
        };
        self.seen.notes.push(Note::Input { name, span, value });
    }
}

impl Observer for Reader<'_> {
    fn event(&mut self, event: &Event, memory: &Memory) {
        if let Action::Input(reason, value, _) = event.action {
            self.input(event, reason, value.bits);
        } else if let Some(MemoryAccess { spot, ty, written: Some(value), .. }) = event.action.access() {
            self.write(spot, bytes(ty, memory.pointer_bits()), value.bits, memory);
        }
    }

    fn looked(&mut self, place: Place, what: Look) {
        self.seen.looked.looked(place, what);
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}

/// What all globals hold that are not the runtime's.
pub(crate) fn globals(program: &Program, memory: &Memory) -> Vec<Global> {
    let mut found = Vec::new();
    for (origin, object) in memory.objects() {
        let Creator::Global(id) = object.creator else { continue };
        let global = &program.globals[id];
        if object.read_only || object.bytes.len() > LARGEST || is_runtime(&global.name) {
            continue;
        }
        let mut bytes: Vec<Option<u8>> = object.bytes.iter().copied().map(Some).collect();
        if !object.is_plain() {
            let word = usize::from(memory.pointer_bits() / 8);
            for (place, chunk) in bytes.chunks_mut(word).enumerate() {
                let offset = u32::try_from(place * word).unwrap_or(u32::MAX);
                let spot = Spot { origin, offset };
                if memory.pointers_in(spot, chunk.len() as u64).next().is_some() {
                    chunk.fill(None);
                }
            }
        }
        found.push(Global { name: global.name.clone(), bytes });
    }
    found
}
