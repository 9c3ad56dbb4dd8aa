//! The C that the sequential program brings along: the state of threads, the driver, and the primitives of the thread models as
//! sequential functions.

use raddle_cfront::primitive::Primitive;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

use raddle_cfront::ast::{FunctionId, Item, VarId};

use crate::program::Program;

/// What depends on numbers only.
const FIXED: &str = include_str!("runtime.c");

/// The runtime for threads of these names.
pub(super) fn text(names: &[String], rounds: u32) -> String {
    let mut text =
        format!("enum {{ __RADDLE_THREADS = {}, __RADDLE_ROUNDS = {rounds} }};\n{FIXED}", names.len());
    text.push_str("_Bool __raddle_is_alone(void) {\n");
    for number in 1..names.len() {
        let _ = writeln!(
            text,
            "    if (__raddle_active[{number}] && !__raddle_finished[{number}])\n        return 0;"
        );
    }
    text.push_str("    return 1;\n}\n");
    for name in names {
        let _ = writeln!(text, "void {name}(void);");
    }
    text.push_str("int main(void) {\n    __raddle_guess();\n");
    for number in 1..names.len() {
        let _ = writeln!(text, "    __raddle_born[{number}] = __RADDLE_ROUNDS;");
    }
    for (number, name) in names.iter().enumerate() {
        if number == 0 {
            let _ = writeln!(text, "    __raddle_current = 0;\n    __raddle_round = 0;\n    {name}();");
            continue;
        }
        let _ = writeln!(text, "    if (__raddle_born[{number}] < __raddle_limit) {{");
        let _ = writeln!(text, "        __raddle_current = {number};");
        let _ = writeln!(text, "        __raddle_round = __raddle_born[{number}];");
        let _ = writeln!(text, "        __raddle_stopped = 0;");
        let _ = writeln!(text, "        {name}();\n    }}");
    }
    text.push_str("    __raddle_check();\n    __raddle_report();\n    return 0;\n}\n");
    text
}

/// The runtime's variables and functions in the tree.
#[derive(Debug)]
pub(super) struct Runtime {
    pub(super) current: VarId,
    pub(super) round: VarId,
    pub(super) error: VarId,
    pub(super) stopped: VarId,
    pub(super) result: VarId,
    /// What `main` is given.
    pub(super) arguments: VarId,
    /// Variables of the runtime that threads do not share: their order in the sequential program is what counts.
    pub(super) own: Vec<VarId>,
    pub(super) switch: FunctionId,
    pub(super) fail: FunctionId,
    pub(super) create: FunctionId,
    pub(super) finish: FunctionId,
    pub(super) join_wait: FunctionId,
    pub(super) join_result: FunctionId,
    pub(super) is_alone: FunctionId,
    pub(super) not_alone: FunctionId,
    pub(super) assume: FunctionId,
    /// The same, for use in expressions.
    pub(super) ensure: FunctionId,
    pub(super) guess: FunctionId,
    pub(super) begin: FunctionId,
    pub(super) check: FunctionId,
    pub(super) report: FunctionId,
    replacements: FxHashMap<Primitive, FunctionId>,
}

/// The function of the runtime that a primitive of the thread models becomes; the others stay, or are treated by themselves.
fn replacement(primitive: Primitive) -> Option<&'static str> {
    Some(match primitive {
        Primitive::WaitUntil | Primitive::Assume => "__VERIFIER_assume",
        Primitive::Lock => "__raddle_lock_word",
        Primitive::Unlock => "__raddle_unlock_word",
        Primitive::HoldsLock => "__raddle_holds_word",
        Primitive::LockIsFree => "__raddle_word_is_free",
        Primitive::Peek => "__raddle_look_at_word",
        Primitive::CurrentThread => "__raddle_self_number",
        Primitive::ThreadExists => "__raddle_is_active",
        Primitive::Nondet
        | Primitive::AtomicBegin
        | Primitive::AtomicEnd
        | Primitive::Unwritten
        | Primitive::EndLocals
        | Primitive::Fork
        | Primitive::Join
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
        | Primitive::CheckAlone
        | Primitive::Deadlock => return None,
    })
}

const OWN: &[&str] = &[
    "__raddle_current",
    "__raddle_round",
    "__raddle_leave",
    "__raddle_error",
    "__raddle_limit",
    "__raddle_stopped",
    "__raddle_born",
    "__raddle_arguments",
];

impl Runtime {
    /// Finds the names of the text in the program that it was read into.
    pub(super) fn find(program: &Program) -> Self {
        let items = || program.ast().units.iter().flat_map(|unit| &unit.items);
        let var = |name: &str| {
            let found = items().find_map(|item| match item {
                Item::Var { id, .. } if program.var_text(*id) == name => Some(*id),
                _ => None,
            });
            found.expect("the runtime declares it")
        };
        let function = |name: &str| {
            let found = items().find_map(|item| match item {
                Item::Function { id, .. } if program.function_text(*id) == name => Some(*id),
                _ => None,
            });
            found.expect("the runtime declares it")
        };
        Self {
            current: var("__raddle_current"),
            round: var("__raddle_round"),
            error: var("__raddle_error"),
            stopped: var("__raddle_stopped"),
            result: var("__raddle_result"),
            arguments: var("__raddle_arguments"),
            own: OWN.iter().map(|name| var(name)).collect(),
            switch: function("__raddle_switch"),
            fail: function("__raddle_fail"),
            create: function("__raddle_create"),
            finish: function("__raddle_finish"),
            join_wait: function("__raddle_join_wait"),
            join_result: function("__raddle_join_result"),
            is_alone: function("__raddle_is_alone"),
            not_alone: function("__raddle_not_alone"),
            assume: function("__VERIFIER_assume"),
            ensure: function("__raddle_ensure"),
            guess: function("__raddle_guess"),
            begin: function("__raddle_begin"),
            check: function("__raddle_check"),
            report: function("__raddle_report"),
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
