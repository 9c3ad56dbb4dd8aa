//! Writes questions as SMT-LIB 2 text.

use std::fmt::Write as _;

use raddle_base::Id;

use crate::order::NodeId;
use crate::solver::{Name, QueryRecord};
use crate::term::print::{self, Text};
use crate::term::{Sort, Term, TermId, Terms};

/// A question as text, ready for `(check-sat)`, which is its last line: what is asserted, named assertions
/// with names `a1`, `a2` …, and the assumptions as named assertions `h0`, `h1` ….
#[must_use]
pub fn script(terms: &Terms, record: &QueryRecord, assumptions: &[TermId]) -> String {
    let (mut text, _) = question(terms, record, assumptions);
    text.push_str("(check-sat)\n");
    text
}

/// The name of a named assertion in the text.
pub(super) fn assertion_name(name: Name) -> String {
    format!("a{}", name.0)
}

/// The name of an assumption in the text, by its position.
pub(super) fn assumption_name(position: usize) -> String {
    format!("h{position}")
}

/// The integer that stands for a node: that of its atomic block, if it is in one.
pub(super) fn node_name(record: &QueryRecord, node: NodeId) -> String {
    match record.nodes[node] {
        Some((block, _)) => format!("atomic!{block}"),
        None => format!("node!{}", node.index()),
    }
}

/// `before` is before `after`, as text.
fn before_text(record: &QueryRecord, before: NodeId, after: NodeId) -> String {
    match (record.nodes[before], record.nodes[after]) {
        (Some((block, position)), Some((other, later))) if block == other => (position < later).to_string(),
        _ if before == after => "false".to_owned(),
        _ => format!("(< {} {})", node_name(record, before), node_name(record, after)),
    }
}

/// Options, declarations and assertions; and the symbols that were declared.
pub(super) fn question(terms: &Terms, record: &QueryRecord, assumptions: &[TermId]) -> (String, Vec<TermId>) {
    let mut roots: Vec<TermId> = record.all().map(|assertion| assertion.term).collect();
    let asserted = roots.len();
    roots.extend(assumptions);
    let assumed = roots.len();
    roots.extend(record.edges.iter().flat_map(|edge| edge.conditions.iter().copied()));
    let ordered = !record.nodes.is_empty();

    let mut text =
        String::from("(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n");
    // No named logic has integers beside bit-vectors, or constant arrays.
    let constant_arrays =
        || terms.subterms(&roots).iter().any(|&term| matches!(terms[term], Term::ConstArray { .. }));
    let logic = if ordered || constant_arrays() { "ALL" } else { "QF_ABV" };
    writeln!(text, "(set-logic {logic})").expect("writing to a string succeeds");
    write_nodes(&mut text, record);
    let symbols = write_symbols(&mut text, terms, record, &roots);
    let Text { definitions, roots: written } = print::write(terms, &roots);
    for (name, sort, body) in definitions {
        writeln!(text, "(define-fun {name} () {} {body})", print::sort_text(sort)).expect("as above");
    }
    for (assertion, body) in record.all().zip(&written) {
        match assertion.name {
            None => writeln!(text, "(assert {body})"),
            Some(name) => writeln!(text, "(assert (! {body} :named {}))", assertion_name(name)),
        }
        .expect("as above");
    }
    for (position, body) in written[asserted..assumed].iter().enumerate() {
        writeln!(text, "(assert (! {body} :named {}))", assumption_name(position)).expect("as above");
    }
    let mut conditions = written[assumed..].iter();
    for edge in &record.edges {
        let fact = before_text(record, edge.before, edge.after);
        let conditions: Vec<&str> =
            edge.conditions.iter().filter_map(|_| conditions.next()).map(String::as_str).collect();
        match conditions.as_slice() {
            [] => writeln!(text, "(assert {fact})"),
            [one] => writeln!(text, "(assert (=> {one} {fact}))"),
            more => writeln!(text, "(assert (=> (and {}) {fact}))", more.join(" ")),
        }
        .expect("as above");
    }
    (text, symbols)
}

/// Declares an integer for each node or atomic block. Two of them that are compared are not equal.
fn write_nodes(text: &mut String, record: &QueryRecord) {
    let mut seen = indexmap::IndexSet::new();
    for node in record.nodes.ids() {
        let name = node_name(record, node);
        if seen.insert(name.clone()) {
            writeln!(text, "(declare-const {name} Int)").expect("writing to a string succeeds");
        }
    }
    for &(low, high) in record.befores.keys() {
        let (low, high) = (node_name(record, low), node_name(record, high));
        if low != high {
            writeln!(text, "(assert (not (= {low} {high})))").expect("as above");
        }
    }
}

/// Declares the symbols of the terms; those that say "a before b" are defined. Gives the declared ones.
fn write_symbols(text: &mut String, terms: &Terms, record: &QueryRecord, roots: &[TermId]) -> Vec<TermId> {
    let mut defined = indexmap::IndexMap::new();
    for (&(low, high), &term) in &record.befores {
        defined.insert(term, (low, high));
    }
    let mut all = roots.to_vec();
    all.extend(defined.keys());
    let mut declared = Vec::new();
    for term in terms.subterms(&all) {
        let Some(symbol) = terms.as_symbol(term) else { continue };
        let name = print::symbol_text(terms, symbol);
        if let Some(&(low, high)) = defined.get(&term) {
            let meaning = before_text(record, low, high);
            writeln!(text, "(define-fun {name} () Bool {meaning})").expect("writing to a string succeeds");
            continue;
        }
        let sort: Sort = terms.symbol_sort(symbol);
        writeln!(text, "(declare-const {name} {})", print::sort_text(sort)).expect("as above");
        declared.push(term);
    }
    declared
}
