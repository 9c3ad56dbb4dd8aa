//! The C that the sequential program brings along: what a thread is, how threads are driven, and the primitives of the thread
//! models as sequential functions.

use std::fmt::Write as _;

use raddle_cfront::ast::{FunctionId, Item, VarId};

use crate::program::Program;

/// What does not depend on the program.
const FIXED: &str = include_str!("runtime.c");

/// The runtime for threads of these names, whose last labels have these numbers; each round lists the threads that take part.
pub(super) fn text(names: &[String], ends: &[u32], schedule: &[Vec<usize>]) -> String {
    let mut text = String::new();
    let largest = ends.iter().copied().max().unwrap_or(0);
    // Small types make small formulas.
    let label = match largest {
        0..=254 => "unsigned char",
        255..=65_534 => "unsigned short",
        _ => "unsigned int",
    };
    let _ = writeln!(text, "enum {{ SEQ_THREADS = {} }};", names.len());
    let _ = writeln!(text, "typedef {label} __seq_label;");
    text.push_str(FIXED);
    for (number, name) in names.iter().enumerate() {
        let _ = writeln!(text, "__seq_label __seq_at_{number};");
        let _ = writeln!(text, "void {name}(void);");
    }
    text.push_str("int main(void) {\n    __seq_active[0] = 1;\n");
    for (round, pool) in schedule.iter().enumerate() {
        let _ = writeln!(text, "    /* round {} */", round + 1);
        for &number in pool {
            turn(&mut text, number, &names[number], ends[number], round == 0);
        }
    }
    text.push_str("    return 0;\n}\n");
    text
}

/// One thread's turn in a round.
fn turn(text: &mut String, number: usize, name: &str, end: u32, first: bool) {
    let indent = if number == 0 { "    " } else { "        " };
    if number > 0 {
        let _ = writeln!(text, "    if (__seq_active[{number}]) {{");
    }
    let _ = writeln!(text, "{indent}__seq_current = {number};");
    let _ = writeln!(text, "{indent}__seq_leave = __seq_guess();");
    // In the first round every thread stands at its first label.
    let least = if first { String::new() } else { format!("__seq_at_{number} <= __seq_leave && ") };
    let _ = writeln!(text, "{indent}__VERIFIER_assume({least}__seq_leave <= {end});");
    let _ = writeln!(text, "{indent}{name}();");
    let _ = writeln!(text, "{indent}__seq_at_{number} = __seq_leave;");
    if number > 0 {
        let _ = writeln!(text, "{indent}__seq_finished[{number}] = __seq_leave == {end};");
        text.push_str("    }\n");
    } else {
        let _ = writeln!(text, "{indent}__seq_finished[0] = __seq_leave == {end};");
    }
}

/// The runtime's variables and functions in the tree.
#[derive(Debug)]
pub(super) struct Runtime {
    /// The number of the thread whose turn it is.
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
    pub(super) create: FunctionId,
    pub(super) assume: FunctionId,
    replacements: Vec<(&'static str, FunctionId)>,
}

/// Primitives of the thread models and what they become.
const REPLACEMENTS: &[(&str, &str)] = &[
    ("__raddle_wait_until", "__VERIFIER_assume"),
    ("__raddle_assume", "__VERIFIER_assume"),
    ("__raddle_lock", "__seq_lock"),
    ("__raddle_unlock", "__seq_unlock"),
    ("__raddle_holds", "__seq_holds"),
    ("__raddle_lock_is_free", "__seq_lock_is_free"),
    ("__raddle_join", "__seq_join"),
    ("__raddle_self", "__seq_self"),
    ("__raddle_thread_exists", "__seq_exists"),
];

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
            current: var("__seq_current"),
            leave: var("__seq_leave"),
            at: (0..threads).map(|number| var(&format!("__seq_at_{number}"))).collect(),
            argument: var("__seq_argument"),
            result: var("__seq_result"),
            arguments: var("__seq_arguments"),
            create: function("__seq_create"),
            assume: function("__VERIFIER_assume"),
            replacements: REPLACEMENTS.iter().map(|&(name, new)| (name, function(new))).collect(),
        }
    }

    /// What a primitive becomes.
    pub(super) fn replacement(&self, name: &str) -> Option<FunctionId> {
        self.replacements.iter().find(|(known, _)| *known == name).map(|(_, new)| *new)
    }
}
