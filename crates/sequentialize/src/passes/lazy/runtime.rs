//! The C that the sequential program brings along: what a thread is, how threads are driven, and the primitives of the thread
//! models as sequential functions.

use raddle_cfront::primitive::Primitive;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

use raddle_cfront::ast::{FunctionId, Item, VarId};

use crate::program::Program;

use super::schedule::Schedule;

/// What does not depend on the program.
const FIXED: &str = include_str!("runtime.c");

/// The runtime for threads of these names, whose last labels have these numbers; each round lists the threads that take part.
pub(super) fn text(names: &[String], ends: &[u32], schedule: &Schedule, deadlock: bool) -> String {
    let mut text = String::new();
    let largest = ends.iter().copied().max().unwrap_or(0);
    // Small types make small formulas.
    let label = match largest {
        0..=254 => "unsigned char",
        255..=65_534 => "unsigned short",
        _ => "unsigned int",
    };
    let _ = writeln!(text, "enum {{ __RADDLE_THREADS = {} }};", names.len());
    let _ = writeln!(text, "typedef {label} __raddle_label;");
    text.push_str(FIXED);
    for (number, name) in names.iter().enumerate() {
        let _ = writeln!(text, "__raddle_label __raddle_at_{number};");
        let _ = writeln!(text, "void {name}(void);");
    }
    text.push_str("int main(void) {\n    __raddle_active[0] = 1;\n");
    for (round, pool) in schedule.rounds.iter().enumerate() {
        let _ = writeln!(text, "    __raddle_round = {};", round + 1);
        for &number in pool {
            let limit = schedule.condition(round, number);
            turn(&mut text, number, &names[number], ends[number], round == 0, limit);
        }
    }
    if deadlock {
        probes(&mut text, names);
    }
    text.push_str("    return 0;\n}\n");
    text
}

/// When all rounds are over: is every live thread stuck?
fn probes(text: &mut String, names: &[String]) {
    text.push_str(
        "    if (__raddle_over)\n        return 0;\n    __raddle_probe = 1;\n    _Bool __raddle_stuck = 0;\n",
    );
    for (number, name) in names.iter().enumerate() {
        let _ = writeln!(text, "    if (__raddle_active[{number}] && !__raddle_finished[{number}]) {{");
        let _ = writeln!(text, "        __raddle_current = {number};");
        let _ = writeln!(text, "        __raddle_leave = __raddle_at_{number};");
        let _ = writeln!(text, "        __raddle_blocked = 0;");
        let _ = writeln!(text, "        {name}();");
        let _ = writeln!(text, "        __VERIFIER_assume(__raddle_blocked);");
        let _ = writeln!(text, "        __raddle_stuck = 1;");
        text.push_str("    }\n");
    }
    text.push_str("    if (__raddle_stuck)\n        __raddle_deadlock();\n");
}

/// One thread's turn in a round.
fn turn(text: &mut String, number: usize, name: &str, end: u32, first: bool, limit: Option<String>) {
    let indent = if number == 0 { "    " } else { "        " };
    if number > 0 {
        let _ = writeln!(text, "    if (__raddle_active[{number}]) {{");
    }
    let _ = writeln!(text, "{indent}__raddle_current = {number};");
    let _ = writeln!(text, "{indent}__raddle_leave = __raddle_nondet_label();");
    // In the first round every thread stands at its first label.
    let least = if first { String::new() } else { format!("__raddle_at_{number} <= __raddle_leave && ") };
    let _ = writeln!(text, "{indent}__VERIFIER_assume({least}__raddle_leave <= {end});");
    if let Some(limit) = limit {
        let _ = writeln!(text, "{indent}__VERIFIER_assume({limit});");
    }
    let _ = writeln!(text, "{indent}{name}();");
    let _ = writeln!(text, "{indent}__raddle_at_{number} = __raddle_leave;");
    if number > 0 {
        let _ = writeln!(text, "{indent}__raddle_finished[{number}] = __raddle_leave == {end};");
        text.push_str("    }\n");
    } else {
        let _ = writeln!(text, "{indent}__raddle_finished[0] = __raddle_leave == {end};");
    }
}

/// The runtime's variables and functions in the tree.
#[derive(Debug)]
pub(super) struct Runtime {
    /// The id of the thread whose turn it is.
    pub(super) current: VarId,
    /// The label at which it will be left.
    pub(super) leave: VarId,
    /// Where each thread stands.
    pub(super) at: Vec<VarId>,
    /// What each thread was given.
    pub(super) argument: VarId,
    /// What each thread gave back.
    pub(super) result: VarId,
    /// What `main` is given.
    pub(super) arguments: VarId,
    /// Whether each thread has ended.
    pub(super) finished: VarId,
    /// Whether it is asked if a thread is stuck.
    pub(super) probe: VarId,
    /// The answer.
    pub(super) blocked: VarId,
    /// Whether something was changed on the way to the answer.
    pub(super) written: VarId,
    /// Whether `main` has returned.
    pub(super) over: VarId,
    /// Nobody knows the answer.
    pub(super) unclear: FunctionId,
    /// A thread is started or ended where that cannot be followed.
    pub(super) by_pointer: FunctionId,
    pub(super) create: FunctionId,
    pub(super) assume: FunctionId,
    replacements: FxHashMap<Primitive, FunctionId>,
}

/// The function of the runtime that a primitive of the thread models becomes; the others stay, or are treated by themselves.
fn replacement(primitive: Primitive) -> Option<&'static str> {
    Some(match primitive {
        Primitive::WaitUntil | Primitive::Assume => "__VERIFIER_assume",
        Primitive::Lock => "__raddle_seq_lock",
        Primitive::Unlock => "__raddle_seq_unlock",
        Primitive::HoldsLock => "__raddle_seq_holds",
        Primitive::LockIsFree => "__raddle_seq_lock_is_free",
        Primitive::Join => "__raddle_seq_join",
        Primitive::CurrentThread => "__raddle_seq_self",
        Primitive::CheckAlone => "__raddle_seq_check_alone",
        Primitive::ThreadExists => "__raddle_seq_exists",
        Primitive::Nondet
        | Primitive::AtomicBegin
        | Primitive::AtomicEnd
        | Primitive::Peek
        | Primitive::Unwritten
        | Primitive::EndLocals
        | Primitive::Fork
        | Primitive::ExitThread
        | Primitive::ExitProcess
        | Primitive::Abort
        | Primitive::Allocate(_)
        | Primitive::Free
        | Primitive::ObjectSize
        | Primitive::Check(_)
        | Primitive::Question(_)
        | Primitive::Unsupported
        | Primitive::Fence
        | Primitive::Print(_)
        | Primitive::FloatByte
        | Primitive::Decimal
        | Primitive::Mathematics(_)
        | Primitive::AssertFail
        | Primitive::Error
        | Primitive::BoundReached
        | Primitive::Deadlock => return None,
    })
}

impl Runtime {
    /// Finds the names of the text in the program that it was read into.
    pub(super) fn find(program: &Program, threads: usize) -> Self {
        let var = |name: &str| {
            let found = program.ast().units.iter().flat_map(|unit| &unit.items).find_map(|item| match item {
                Item::Var { id, .. } if program.var_text(*id) == name => Some(*id),
                _ => None,
            });
            found.expect("the runtime declares it")
        };
        let function = |name: &str| {
            let found = program.ast().units.iter().flat_map(|unit| &unit.items).find_map(|item| match item {
                Item::Function { id, .. } if program.function_text(*id) == name => Some(*id),
                _ => None,
            });
            found.expect("the runtime declares it")
        };
        Self {
            current: var("__raddle_current"),
            leave: var("__raddle_leave"),
            at: (0..threads).map(|number| var(&format!("__raddle_at_{number}"))).collect(),
            argument: var("__raddle_argument"),
            result: var("__raddle_result"),
            arguments: var("__raddle_arguments"),
            finished: var("__raddle_finished"),
            probe: var("__raddle_probe"),
            blocked: var("__raddle_blocked"),
            written: var("__raddle_written"),
            over: var("__raddle_over"),
            unclear: function("__raddle_probe_unclear"),
            by_pointer: function("__raddle_seq_by_pointer"),
            create: function("__raddle_seq_create"),
            assume: function("__VERIFIER_assume"),
            replacements: Primitive::listed()
                .filter_map(|primitive| Some((primitive, function(replacement(primitive)?))))
                .collect(),
        }
    }

    /// What a primitive becomes.
    pub(super) fn replacement(&self, primitive: Primitive) -> Option<FunctionId> {
        self.replacements.get(&primitive).copied()
    }
}
