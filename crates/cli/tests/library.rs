//! Every function that the system's standard headers declare is modelled, or refused by name.
//!
//! The headers are read through the system's compiler, so the list is theirs. A program takes the address of each function; what
//! has no body after lowering is a function that nobody gave a meaning. What is refused stands in `docs/library.md`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use raddle_base::{Diagnostics, SourceMap};
use raddle_cfront::ast::Ast;
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_cfront::preprocess::{Options, Preprocessor};
use raddle_cfront::types::{FloatKind, Type, TypeId};
use raddle_ir::{Program, Terminator};
use raddle_lower::{LowerOptions, lower, models};

const HEADERS: &[&str] = &[
    "pthread",
    "semaphore",
    "threads",
    "stdatomic",
    "stdlib",
    "string",
    "stdio",
    "time",
    "errno",
    "unistd",
    "math",
    "ctype",
];

/// The most that may be refused.
const REFUSALS: usize = 40;

/// Reads a text as a program, with or without the models.
fn parse(text: &str, name: &str, with_models: bool) -> (Ast, Diagnostics) {
    let path = std::env::temp_dir().join(format!("raddle-{name}-{}.c", std::process::id()));
    #[expect(clippy::disallowed_methods, reason = "the compiler reads a file")]
    let written = std::fs::write(&path, text);
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(Options { model: DataModel::Lp64, ..Options::default() });
    let mut units: Vec<_> = preprocessor.load(&mut sources, &path, &mut diagnostics).into_iter().collect();
    let _ = std::fs::remove_file(&path);
    assert!(written.is_ok() && !units.is_empty(), "{name}: {diagnostics:?}");
    if with_models {
        let (name, text) = models();
        units.extend(sources.add(name, text.into_bytes()));
    }
    let parsed = parse_program(&mut sources, &units, DataModel::Lp64);
    diagnostics.append(parsed.diagnostics);
    (parsed.ast, diagnostics)
}

/// Whether a type is, or points to, a floating type that no engine knows.
fn is_foreign(ast: &Ast, ty: TypeId) -> bool {
    if let Type::Pointer(target) = ast.types.kind(ty) {
        return is_foreign(ast, target.id);
    }
    let Type::Float(kind) = ast.types.kind(ty) else { return false };
    !matches!(
        kind,
        FloatKind::Float | FloatKind::Float32 | FloatKind::Double | FloatKind::Float32x | FloatKind::Float64
    )
}

/// The functions that a header declares and whose types are supported.
fn declared(header: &str) -> BTreeSet<String> {
    let (ast, _) =
        parse(&format!("#define _GNU_SOURCE\n#include <{header}.h>\n"), &format!("library-{header}"), false);
    let mut found = BTreeSet::new();
    for function in ast.functions.values() {
        let Type::Function(ty) = ast.types.kind(function.ty.id) else { continue };
        let mut types = ty.parameters.iter().chain(std::iter::once(&ty.result));
        if !function.internal && function.body.is_none() && !types.any(|ty| is_foreign(&ast, ty.id)) {
            found.insert(ast.text(function.name).to_owned());
        }
    }
    found
}

/// A program that takes the addresses of all these functions.
fn program(functions: &BTreeSet<String>) -> Program {
    let mut text = String::from("#define _GNU_SOURCE\n");
    for header in HEADERS {
        let _ = writeln!(text, "#include <{header}.h>");
    }
    text.push_str("void *volatile all;\nint main(void) {\n");
    for function in functions {
        let _ = writeln!(text, "    all = (void *)({function});");
    }
    text.push_str("    return 0;\n}\n");
    let (ast, diagnostics) = parse(&text, "library-all", true);
    let errors: Vec<&str> = diagnostics.iter().map(|found| found.message.as_str()).collect();
    let lowered = lower(&ast, LowerOptions::default(), 1);
    lowered.program.unwrap_or_else(|| panic!("{errors:?}"))
}

#[test]
fn every_standard_function_has_a_meaning_or_is_refused_by_name() {
    let functions: BTreeSet<String> = HEADERS.iter().flat_map(|header| declared(header)).collect();
    if functions.len() < 500 {
        println!("the system's headers declare little; there is nothing to compare");
        return;
    }
    let program = program(&functions);
    let bodiless: Vec<&str> = program
        .functions
        .values()
        .filter(|function| function.blocks.is_empty())
        .map(|function| function.name.as_str())
        .collect();
    assert!(bodiless.is_empty(), "without a model: {bodiless:?}");
    let mut refused = BTreeSet::new();
    for function in program.functions.values() {
        let is_refused = matches!(
            function.blocks.values().next().map(|block| &block.terminator),
            Some(Terminator::Unsupported(_))
        );
        if let Some(name) = function.name.strip_prefix("__model_").filter(|_| is_refused) {
            refused.insert(name.to_owned());
        }
    }
    assert!(refused.len() <= REFUSALS, "{} are refused: {refused:?}", refused.len());
    let text = include_str!("../../../docs/library.md");
    for name in &refused {
        assert!(
            text.contains(&format!("`{name}`")),
            "`{name}` is refused, and docs/library.md does not say so"
        );
    }
}
