//! Where co-enabled accesses are enough to find all data races, and why not elsewhere.
//!
//! The precondition is that no thread learns of another without ordering ([`raddle_ir::analyses::unsynchronised`]): then
//! accesses that happens-before leaves unordered are co-enabled in some execution.

use raddle_ir::Program;
use raddle_ir::analyses::unsynchronised::{Effect, ForeignRead, communication};

use crate::Reason;

/// How threads of a program may communicate without synchronising, if they may: then races that are never co-enabled are not
/// excluded by looking for those that are.
pub(crate) fn unsynchronised_communication(program: &Program) -> Option<Reason> {
    let (function, effect) = communication(program)?;
    let function = &program.functions[function];
    let is_own = !function.model;
    let text = match effect {
        Effect::Nothing | Effect::Declared(_) => return None,
        Effect::Communicates(ForeignRead::WeakAtomic) if is_own => {
            "relaxed atomics do not synchronise, so data races behind them are not excluded".to_owned()
        }
        Effect::Communicates(read) | Effect::NotAcquired(read) => {
            let name = function.name.trim_start_matches("__model_");
            format!(
                "`{name}` reads {} of other threads without synchronising, so data races behind it are not excluded",
                read.word()
            )
        }
    };
    Some(Reason::Other(text))
}
