//! Several translation units become one program.
//!
//! Each unit keeps its own declarations; where one declares what another defines, `linked` leads to the
//! definition. The rules are those of the system's linker: a weak definition gives way, and an `inline` function without an
//! external definition is seen by its own unit alone. Tentative definitions in several units are one object, the largest of them,
//! as with `-fcommon`; since gcc 10 that is no longer the default, so it is a warning. Types are compared, too; where they differ
//! that is a warning, since linkers see none.

use std::ops::Range;

use indexmap::IndexMap;
use raddle_base::{Diagnostic, Diagnostics, Id, Span};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::ast::{Ast, Attribute, External, FunctionId, Inline, Storage, StringLiteral, VarId};
use crate::check::compatible::AcrossUnits;
use crate::check::describe::describe;
use crate::layout::{align_of, size_of};
use crate::names::Symbol;
use crate::types::QualType;

/// The variables and functions of one unit, as indices of the tables.
#[derive(Clone, Debug)]
pub struct UnitRange {
    vars: Range<usize>,
    functions: Range<usize>,
}

impl UnitRange {
    /// A unit that begins here.
    #[must_use]
    pub fn starting(ast: &Ast) -> Self {
        let (vars, functions) = (ast.vars.len(), ast.functions.len());
        Self { vars: vars..vars, functions: functions..functions }
    }

    /// The same unit, ending here.
    #[must_use]
    pub fn ending(self, ast: &Ast) -> Self {
        Self { vars: self.vars.start..ast.vars.len(), functions: self.functions.start..ast.functions.len() }
    }
}

/// How firmly a unit defines a name. Later ones win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Declared,
    Weak,
    /// A tentative definition.
    Common,
    Strong,
}

/// What one unit knows by a name.
#[derive(Clone, Copy, Debug)]
struct LinkEntry {
    entity: External,
    strength: Strength,
    unit: usize,
}

/// What all units know, by the linker's names, in the order they were met.
type Entries = IndexMap<Symbol, SmallVec<[LinkEntry; 2]>, FxBuildHasher>;

/// Links the units: fills `Ast::externals`, `Var::linked` and `Function::linked`, reports names defined twice, and warns of
/// different types.
pub fn link(ast: &mut Ast, units: &[UnitRange], diagnostics: &mut Diagnostics) {
    let mut entries: Entries = Entries::default();
    for (unit, range) in units.iter().enumerate() {
        collect(ast, unit, range, &mut entries);
    }
    // After an error a unit may hold several entities of one name; what they are to each other was said already.
    let broken = diagnostics.has_errors();
    let mut types = AcrossUnits::default();
    for (name, entries) in &entries {
        let Some(chosen) = choose(ast, entries) else { continue };
        align_common(ast, entries, chosen);
        if !broken && chosen.strength > Strength::Declared {
            report(ast, *name, entries, chosen, &mut types, diagnostics);
        }
        let target = alias_target(ast, units, chosen);
        for entry in entries {
            if entry.entity != target && may_link(ast, *entry, chosen) {
                set_linked(ast, entry.entity, target);
            }
        }
        ast.externals.insert(*name, chosen.entity);
    }
}

fn collect(ast: &mut Ast, unit: usize, range: &UnitRange, entries: &mut Entries) {
    for id in range.vars.clone().map(VarId::from_index) {
        let var = &ast.vars[id];
        let (Storage::External, Some(name)) = (var.storage, var.name) else { continue };
        let strength = match strength(var.defined, &var.attributes) {
            Strength::Strong if var.defined && var.init.is_none() && !var.thread_local => Strength::Common,
            strength @ (Strength::Declared | Strength::Weak | Strength::Common | Strength::Strong) => {
                strength
            }
        };
        let name = linker_name(ast, name, ast.vars[id].asm_name.clone());
        entries.entry(name).or_default().push(LinkEntry { entity: External::Var(id), strength, unit });
    }
    for id in range.functions.clone().map(FunctionId::from_index) {
        let function = &ast.functions[id];
        if function.internal || function.owner.is_some() {
            continue;
        }
        let external_body = match function.inline {
            Inline::No | Inline::Extern => function.body.is_some(),
            Inline::Inline | Inline::Gnu => false,
        };
        let strength = strength(external_body, &function.attributes);
        let name = linker_name(ast, function.name, function.asm_name.clone());
        entries.entry(name).or_default().push(LinkEntry { entity: External::Function(id), strength, unit });
    }
}

fn strength(defined: bool, attributes: &[Attribute]) -> Strength {
    let alias = attributes.iter().any(|attribute| matches!(attribute, Attribute::Alias(_)));
    if !defined && !alias {
        Strength::Declared
    } else if attributes.contains(&Attribute::Weak) {
        Strength::Weak
    } else {
        Strength::Strong
    }
}

/// The name the linker sees: that of `asm("name")`, if there is one.
fn linker_name(ast: &mut Ast, name: Symbol, asm_name: Option<StringLiteral>) -> Symbol {
    match asm_name.as_ref().and_then(literal_text) {
        Some(text) => ast.names.intern(&text),
        None => name,
    }
}

fn literal_text(literal: &StringLiteral) -> Option<String> {
    let bytes: Option<Vec<u8>> = literal.units.iter().map(|&unit| u8::try_from(unit).ok()).collect();
    String::from_utf8(bytes?).ok().filter(|text| !text.is_empty())
}

/// The definition that counts: the first of the strongest, of tentative ones the largest. Without any, the declaration that knows
/// most.
fn choose(ast: &Ast, entries: &[LinkEntry]) -> Option<LinkEntry> {
    let strongest = entries.iter().map(|entry| entry.strength).max()?;
    let mut candidates = entries.iter().filter(|entry| entry.strength == strongest);
    if strongest == Strength::Common {
        let size = |entry: &&LinkEntry| size_of(ast, type_and_place(ast, entry.entity).0).unwrap_or(0);
        return candidates.rev().max_by_key(size).copied();
    }
    candidates.next().copied()
}

/// An object of several tentative definitions has the alignment of all of them.
fn align_common(ast: &mut Ast, entries: &[LinkEntry], chosen: LinkEntry) {
    let (Strength::Common, External::Var(id)) = (chosen.strength, chosen.entity) else { return };
    let commons = entries.iter().filter(|entry| entry.strength == Strength::Common);
    let alignments = commons.filter_map(|entry| match entry.entity {
        External::Var(var) => {
            let var = &ast.vars[var];
            var.align.max(align_of(ast, var.ty).ok())
        }
        External::Function(_) => None,
    });
    let largest = alignments.max();
    let own = ast.vars[id].align.max(align_of(ast, ast.vars[id].ty).ok());
    if largest > own {
        ast.vars[id].align = largest;
    }
}

/// Whether the entry's uses go to the chosen definition. A unit's own inline body serves that unit.
fn may_link(ast: &Ast, entry: LinkEntry, chosen: LinkEntry) -> bool {
    if chosen.strength == Strength::Declared {
        return false;
    }
    match (entry.entity, chosen.entity) {
        (External::Var(_), External::Var(_)) => true,
        (External::Function(id), External::Function(_)) => {
            entry.strength != Strength::Declared || ast.functions[id].body.is_none()
        }
        (External::Var(_), External::Function(_)) | (External::Function(_), External::Var(_)) => false,
    }
}

fn set_linked(ast: &mut Ast, from: External, to: External) {
    match (from, to) {
        (External::Var(from), External::Var(to)) => ast.vars[from].linked = Some(to),
        (External::Function(from), External::Function(to)) => ast.functions[from].linked = Some(to),
        (External::Var(_), External::Function(_)) | (External::Function(_), External::Var(_)) => {}
    }
}

/// What an alias stands for: something of the same kind that its own unit defines. Others stand for themselves.
fn alias_target(ast: &Ast, units: &[UnitRange], entry: LinkEntry) -> External {
    let range = &units[entry.unit];
    let target = |attributes: &[Attribute]| {
        attributes.iter().find_map(|attribute| match attribute {
            Attribute::Alias(target) => literal_text(target),
            Attribute::Weak
            | Attribute::Constructor(_)
            | Attribute::Destructor(_)
            | Attribute::Cleanup(_)
            | Attribute::ReturnsTwice
            | Attribute::AlwaysInline
            | Attribute::NoInline
            | Attribute::ForeignReads(_) => None,
        })
    };
    match entry.entity {
        External::Var(id) => {
            let found = target(&ast.vars[id].attributes).and_then(|text| {
                let mut all = range.vars.clone().map(VarId::from_index);
                all.find(|&var| {
                    let var = &ast.vars[var];
                    var.defined && var.owner.is_none() && var.name.is_some_and(|name| ast.text(name) == text)
                })
            });
            External::Var(found.unwrap_or(id))
        }
        External::Function(id) => {
            let found = target(&ast.functions[id].attributes).and_then(|text| {
                let mut all = range.functions.clone().map(FunctionId::from_index);
                all.find(|&function| {
                    let function = &ast.functions[function];
                    function.body.is_some() && function.owner.is_none() && ast.text(function.name) == text
                })
            });
            External::Function(found.unwrap_or(id))
        }
    }
}

/// Reports a second strong definition, and types that differ from those of the chosen definition. What no unit
/// defines is the library's, and units may see its headers in different ways.
fn report(
    ast: &Ast,
    name: Symbol,
    entries: &[LinkEntry],
    chosen: LinkEntry,
    types: &mut AcrossUnits,
    diagnostics: &mut Diagnostics,
) {
    let (chosen_ty, chosen_span) = type_and_place(ast, chosen.entity);
    for entry in entries.iter().filter(|entry| entry.entity != chosen.entity) {
        let (ty, span) = type_and_place(ast, entry.entity);
        let text = ast.text(name);
        if entry.strength == Strength::Common && kind_of(chosen.entity) {
            let message =
                format!("`{text}` is defined in two translation units, which newer compilers refuse");
            diagnostics.push(
                Diagnostic::warning(span, message)
                    .label("taken as the same object, as with `-fcommon`")
                    .also(chosen_span, "also defined here"),
            );
        }
        if entry.strength == Strength::Strong
            || (entry.strength == Strength::Common && !kind_of(chosen.entity))
        {
            let diagnostic = Diagnostic::error(span, format!("`{text}` is defined in two translation units"))
                .also(chosen_span, "first defined here");
            diagnostics.push(diagnostic);
        } else if entry.unit == chosen.unit {
            // Two names of one unit that `asm` makes the same; glibc gives such twins slightly different types.
        } else if kind_of(entry.entity) != kind_of(chosen.entity) {
            let diagnostic = Diagnostic::error(
                span,
                format!("`{text}` is a variable in one translation unit and a function in another"),
            )
            .also(chosen_span, "declared here as the other");
            diagnostics.push(diagnostic);
        } else if thread_local(ast, entry.entity) != thread_local(ast, chosen.entity) {
            let diagnostic =
                Diagnostic::error(span, format!("`{text}` is thread-local in one translation unit only"))
                    .also(chosen_span, "the other declaration is here");
            diagnostics.push(diagnostic);
        } else if !types.compatible(ast, ty, chosen_ty) {
            // A linker sees no types: each unit accesses the object, or calls the function, as it believes it to be.
            let message = format!("`{text}` has different types in two translation units");
            diagnostics.push(
                Diagnostic::warning(span, message)
                    .label(format!("has type {}", describe(ast, ty)))
                    .also(chosen_span, format!("has type {} here", describe(ast, chosen_ty))),
            );
        }
    }
}

fn kind_of(entity: External) -> bool {
    matches!(entity, External::Var(_))
}

fn thread_local(ast: &Ast, entity: External) -> bool {
    match entity {
        External::Var(id) => ast.vars[id].thread_local,
        External::Function(_) => false,
    }
}

fn type_and_place(ast: &Ast, entity: External) -> (QualType, Span) {
    match entity {
        External::Var(id) => (ast.vars[id].ty, ast.vars[id].span),
        External::Function(id) => (ast.functions[id].ty, ast.functions[id].span),
    }
}

#[cfg(test)]
mod tests {
    use raddle_base::Severity;

    use super::*;
    use crate::Parsed;
    use crate::testing::{messages, parse_units};

    fn linked(units: &[&str]) -> Parsed {
        let parsed = parse_units(units);
        assert_eq!(messages(&parsed, Severity::Error), Vec::<String>::new(), "in {units:?}");
        parsed
    }

    fn external(parsed: &Parsed, name: &str) -> External {
        let symbol = parsed.ast.names.find(name).expect("the name was met");
        parsed.ast.externals[&symbol]
    }

    fn functions<'a>(parsed: &'a Parsed, name: &str) -> Vec<(FunctionId, &'a crate::ast::Function)> {
        parsed.ast.functions.iter().filter(|(_, function)| parsed.ast.text(function.name) == name).collect()
    }

    #[test]
    fn declarations_lead_to_the_definition() {
        let parsed = linked(&["int f(int); extern int a[];", "int f(int x) {} int a[3];"]);
        let found = functions(&parsed, "f");
        assert_eq!(found[0].1.linked, Some(found[1].0));
        assert_eq!(found[1].1.linked, None);
        assert_eq!(external(&parsed, "f"), External::Function(found[1].0));
        let arrays: Vec<_> =
            parsed.ast.vars.iter().filter(|(_, var)| var.storage == Storage::External).collect();
        assert_eq!((arrays[0].1.linked, arrays[1].1.linked), (Some(arrays[1].0), None));
    }

    #[test]
    fn statics_stay_apart() {
        let parsed = linked(&["static int a; static int f(void) {}", "int a; int f(void) {}"]);
        assert!(parsed.ast.vars.values().all(|var| var.linked.is_none()));
        assert!(parsed.ast.functions.values().all(|function| function.linked.is_none()));
        assert_eq!(parsed.ast.externals.len(), 2);
    }

    #[test]
    fn two_definitions_are_reported_with_both_places() {
        for units in [
            ["int f(void) {}", "int f(void) {}"],
            ["int x = 1;", "int x = 1;"],
            ["_Thread_local int x;", "_Thread_local int x;"],
            ["extern inline int f(void) {}", "int f(void) {}"],
        ] {
            let parsed = parse_units(&units);
            let error = parsed.diagnostics.iter().next().expect("an error is reported");
            assert!(error.message.contains("defined in two"), "in {units:?}: {error:?}");
            assert_eq!(error.secondary.len(), 1);
        }
    }

    #[test]
    fn weak_definitions_give_way() {
        let parsed = linked(&["__attribute__((weak)) int f(void) {}", "int f(void) {}"]);
        let found = functions(&parsed, "f");
        assert_eq!(found[0].1.linked, Some(found[1].0));
        linked(&["__attribute__((weak)) int f(void) {}", "__attribute__((weak)) int f(void) {}"]);
    }

    #[test]
    fn tentative_definitions_are_one_object() {
        for (units, definition, warnings) in [
            (["int x;", "int x;"], 0, 1),
            (["int x = 1;", "int x;"], 0, 1),
            (["int x;", "int x = 1;"], 1, 1),
            (["int x[2];", "int x[3];"], 1, 2),
            (["__attribute__((weak)) int x = 1;", "int x;"], 1, 0),
        ] {
            let parsed = linked(&units);
            let vars: Vec<_> = parsed.ast.vars.iter().collect();
            assert_eq!(external(&parsed, "x"), External::Var(vars[definition].0), "in {units:?}");
            assert_eq!(vars[1 - definition].1.linked, Some(vars[definition].0), "in {units:?}");
            assert_eq!(parsed.diagnostics.iter().count(), warnings, "in {units:?}");
        }
    }

    #[test]
    fn inline_definitions_serve_their_own_unit() {
        let parsed =
            linked(&["inline int f(void) {}", "int f(void) {}", "inline int f(void) {}", "int f(void);"]);
        let found = functions(&parsed, "f");
        let targets: Vec<_> = found.iter().map(|(_, function)| function.linked).collect();
        assert_eq!(targets, [None, None, None, Some(found[1].0)]);
    }

    #[test]
    fn types_are_compared_across_units() {
        let node = "struct node { struct node *next; int value; }; extern struct node *head;";
        linked(&[&format!("{node} struct node *head;"), node]);
        linked(&["struct s; extern struct s *p;", "struct s { int a; }; struct s *p;"]);
        linked(&["enum e { A, B }; extern enum e x;", "enum e { A, B }; enum e x;"]);
        linked(&["typedef unsigned long size; extern size x;", "unsigned long x;"]);
        for units in [
            ["extern int x;", "char x;"],
            ["extern int x;", "unsigned x;"],
            ["extern int x[4];", "int x[2];"],
            ["int f(int);", "int f(long x) {}"],
            ["int f(int);", "void f(int x) {}"],
            ["int f();", "int f(char x) {}"],
            ["struct s { int a; }; extern struct s x;", "struct s { long a; }; struct s x;"],
            ["struct s { int a; }; extern struct s x;", "struct s { int b; }; struct s x;"],
            ["enum e { A, B }; extern enum e x;", "enum e { A, C }; enum e x;"],
        ] {
            let parsed = linked(&units);
            assert_eq!(parsed.diagnostics.iter().count(), 1, "in {units:?}");
        }
        for units in [["extern int x;", "int x(void) {}"], ["extern _Thread_local int x;", "int x;"]] {
            let found = messages(&parse_units(&units), Severity::Error);
            assert_eq!(found.len(), 1, "in {units:?}: {found:?}");
        }
    }

    #[test]
    fn an_alias_leads_to_its_target() {
        let parsed = linked(&[
            "int g(void) {} int f(void) __attribute__((alias(\"g\")));",
            "int f(void); int h(void) asm(\"f\");",
        ]);
        let target = functions(&parsed, "g")[0].0;
        assert!(functions(&parsed, "f").iter().all(|(_, function)| function.linked == Some(target)));
        assert_eq!(functions(&parsed, "h")[0].1.linked, Some(target));
    }
}
