//! The C that a program brings along for a backend: declarations of what the tool knows, and small functions on top of it.
//!
//! Inputs of the program come from functions `__raddle_any_TYPE` where a tool must report their values later; the value then
//! stands in a variable of a name of its own, so that it is found in a trace. Other tools have such functions themselves.

use std::fmt::Write as _;

use raddle_cfront::layout::DataModel;

use crate::backend::Backend;
use crate::backend::cbmc::{INPUT, INPUT_FUNCTIONS};

/// What the calls of primitives become for a backend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    /// Goes on only where its argument is true.
    pub(super) assume: &'static str,
    /// How a failed check is reported.
    pub(super) fail: Fail,
    /// Tells the size of the object behind a pointer.
    pub(super) object_size: Option<&'static str>,
    /// Functions of this name and that of a type give any value of the type.
    pub(super) any: &'static str,
    /// Whether an automatic variable without a value holds anything, and not just something.
    pub(super) free_locals: bool,
}

/// How a failed check is reported.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fail {
    /// `name(0, "what")`, and then nothing more is assumed to happen.
    Assert(&'static str),
    /// `name("what")`, which does not come back.
    Call(&'static str),
}

/// A function that ends with a failed check, for tools without assertions that carry a text.
const FAIL: &str = "__raddle_violation";

/// The words of a backend; none for our own checker, which knows the primitives.
pub(super) const fn words(backend: Backend) -> Option<Words> {
    Some(match backend {
        Backend::Ours => return None,
        Backend::Cbmc => Words {
            assume: "__CPROVER_assume",
            fail: Fail::Assert("__CPROVER_assert"),
            object_size: Some("__CPROVER_OBJECT_SIZE"),
            any: INPUT_FUNCTIONS,
            free_locals: true,
        },
        Backend::Esbmc => Words {
            assume: "__ESBMC_assume",
            fail: Fail::Assert("__ESBMC_assert"),
            object_size: Some("__ESBMC_get_object_size"),
            any: "nondet_",
            free_locals: true,
        },
        Backend::Cpachecker => Words {
            assume: "__raddle_go_on_if",
            fail: Fail::Call(FAIL),
            object_size: None,
            any: "__VERIFIER_nondet_",
            free_locals: true,
        },
        Backend::Klee => Words {
            assume: "klee_assume",
            fail: Fail::Call(FAIL),
            object_size: Some("klee_get_obj_size"),
            any: INPUT_FUNCTIONS,
            free_locals: false,
        },
    })
}

/// A type of inputs: its name in names of functions, and how C writes it.
pub(super) type InputType = (&'static str, &'static str);

/// The text for a backend, with functions for inputs of these types.
pub(super) fn text(backend: Backend, model: DataModel, inputs: &[InputType]) -> String {
    let size = match model {
        DataModel::Lp64 => "unsigned long",
        DataModel::Ilp32 => "unsigned int",
    };
    let mut text = String::new();
    match backend {
        Backend::Ours => {}
        Backend::Cbmc => {
            text.push_str("void __CPROVER_assume(_Bool condition);\n");
            text.push_str("void __CPROVER_assert(_Bool condition, const char *description);\n");
            let _ = writeln!(text, "{size} __CPROVER_OBJECT_SIZE(const void *pointer);");
        }
        Backend::Esbmc => {
            text.push_str("void __ESBMC_assume(_Bool condition);\n");
            text.push_str("void __ESBMC_assert(_Bool condition, const char *description);\n");
            let _ = writeln!(text, "{size} __ESBMC_get_object_size(const void *pointer);");
        }
        Backend::Cpachecker => text.push_str(
            "_Noreturn void abort(void);\n\
             void reach_error(void);\n\
             static void __raddle_go_on_if(int condition) { if (!condition) abort(); }\n\
             static void __raddle_violation(const char *what) { reach_error(); abort(); }\n",
        ),
        Backend::Klee => {
            let _ = writeln!(text, "void klee_assume({size} condition);");
            let _ = writeln!(text, "void klee_make_symbolic(void *address, {size} size, const char *name);");
            let _ = writeln!(text, "{size} klee_get_obj_size(void *pointer);");
            text.push_str(
                "_Noreturn void __assert_fail(const char *, const char *, unsigned int, const char *);\n\
                 static void __raddle_violation(const char *what) { __assert_fail(what, \"\", 0, \"\"); }\n",
            );
        }
    }
    for input in inputs {
        any(&mut text, backend, *input);
    }
    text
}

/// A function that gives any value of a type.
fn any(text: &mut String, backend: Backend, (name, ty): InputType) {
    match backend {
        Backend::Ours => {}
        Backend::Esbmc => {
            let _ = writeln!(text, "{ty} nondet_{name}(void);");
        }
        Backend::Cpachecker => {
            let _ = writeln!(text, "{ty} __VERIFIER_nondet_{name}(void);");
        }
        Backend::Cbmc if name == "bool" => {
            // Its traces give numbers by their bits, but truth values otherwise.
            let _ = writeln!(
                text,
                "unsigned char nondet_uchar(void);\n\
                 static {ty} {INPUT_FUNCTIONS}{name}(void) {{\n    unsigned char {INPUT};\n    {INPUT} = nondet_uchar();\n    \
                 __CPROVER_assume({INPUT} <= 1);\n    return {INPUT};\n}}"
            );
        }
        Backend::Cbmc => {
            let _ = writeln!(
                text,
                "{ty} nondet_{name}(void);\n\
                 static {ty} {INPUT_FUNCTIONS}{name}(void) {{\n    {ty} {INPUT};\n    {INPUT} = nondet_{name}();\n    \
                 return {INPUT};\n}}"
            );
        }
        Backend::Klee => {
            // Any byte would do for a truth value in memory, but not as a value.
            let (held, ty) = if name == "bool" { ("unsigned char", ty) } else { (ty, ty) };
            let most =
                if name == "bool" { format!("    klee_assume({INPUT} <= 1);\n") } else { String::new() };
            let _ = writeln!(
                text,
                "static {ty} {INPUT_FUNCTIONS}{name}(void) {{\n    {held} {INPUT};\n    \
                 klee_make_symbolic(&{INPUT}, sizeof({INPUT}), \"{name}\");\n{most}    return {INPUT};\n}}"
            );
        }
    }
}
