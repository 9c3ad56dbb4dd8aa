//! Rewritten programs that must have the verdict of the original: metamorphic testing (Chen, Cheung and Yiu 1998).
//!
//! Rewriting is done on the preprocessed text, at the positions that the typed tree names: threads that do nothing or only
//! touch what is their own, creations in another order, other names, a loop with its first iteration peeled. Each rewriting
//! checks whether it leaves the meaning as it is, and does nothing where it cannot decide that.

mod creation;
mod peel;
mod rename;
mod walk;

use std::fmt;

use raddle_base::{Diagnostics, FileId, SourceMap, Span};
use raddle_cfront::ast::{Ast, FunctionId, StmtId};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;

/// What was done to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariantKind {
    /// A thread that does nothing.
    IdleThread,
    /// A thread that only touches a variable of its own.
    OwnVariable,
    /// Two creations in the other order.
    CreationOrder,
    /// Other names.
    Names,
    /// A loop with its first round taken out.
    Peeled,
}

impl VariantKind {
    /// All of them.
    pub const ALL: &'static [Self] =
        &[Self::IdleThread, Self::OwnVariable, Self::CreationOrder, Self::Names, Self::Peeled];
}

impl fmt::Display for VariantKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IdleThread => "idle thread added",
            Self::OwnVariable => "thread with its own variable added",
            Self::CreationOrder => "creations exchanged",
            Self::Names => "renamed",
            Self::Peeled => "loop peeled",
        })
    }
}

/// A rewritten program.
#[derive(Clone, Debug)]
pub struct Variant {
    /// What was done.
    pub kind: VariantKind,
    /// The line it was done at, of those that stand for one.
    pub line: u32,
    /// The preprocessed text.
    pub text: Vec<u8>,
}

/// At most so many variants of one kind.
const MOST_OF_A_KIND: usize = 3;

/// All variants of a preprocessed program.
#[must_use]
pub fn variants(text: &[u8], model: DataModel) -> Vec<Variant> {
    let Some(source) = VariantSource::new(text, model) else { return Vec::new() };
    let mut variants = Vec::new();
    variants.extend(creation::idle_thread(&source));
    variants.extend(creation::own_variable(&source));
    variants.extend(creation::exchanged(&source).into_iter().take(MOST_OF_A_KIND));
    variants.extend(rename::renamed(&source));
    variants.extend(peel::peeled(&source).into_iter().take(MOST_OF_A_KIND));
    variants
}

/// A program to be rewritten.
struct VariantSource {
    text: Vec<u8>,
    sources: SourceMap,
    file: FileId,
    ast: Ast,
}

/// Puts a text in the place of a range of bytes.
struct Edit {
    span: Span,
    text: String,
}

impl VariantSource {
    fn new(text: &[u8], model: DataModel) -> Option<Self> {
        let mut sources = SourceMap::new();
        let file = sources.add("case.i", text)?;
        let parsed = parse_program(&mut sources, &[file], model);
        let source = Self { text: text.to_vec(), sources, file, ast: parsed.ast };
        (!has_errors(&parsed.diagnostics)).then_some(source)
    }

    /// Where a global position lies in the text.
    fn position(&self, position: u32) -> usize {
        (position - self.sources.file(self.file).start) as usize
    }

    fn slice(&self, span: Span) -> String {
        let bytes = &self.text[self.position(span.lo)..self.position(span.hi)];
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn line(&self, span: Span) -> u32 {
        self.sources.locate(span.lo).map_or(0, |place| place.line)
    }

    /// Whether a place is in the program's own file: the one that main stands in.
    fn is_own(&self, span: Span) -> bool {
        let file = |span: Span| self.sources.locate(span.lo).map(|place| place.file);
        self.main().is_some_and(|main| file(self.ast.functions[main].span) == file(span))
    }

    fn main(&self) -> Option<FunctionId> {
        let mut functions = self.ast.functions.iter();
        let main =
            functions.find(|(_, function)| function.body.is_some() && self.ast.text(function.name) == "main");
        main.map(|(id, _)| id)
    }

    /// The bodies of all functions of the program's own file.
    fn bodies(&self) -> Vec<StmtId> {
        let own = self.ast.functions.values().filter(|function| self.is_own(function.span));
        own.filter_map(|function| function.body).collect()
    }

    /// The variant that edits make; they must not overlap.
    fn variant(&self, kind: VariantKind, line: u32, mut edits: Vec<Edit>, behind: &str) -> Variant {
        edits.sort_by_key(|edit| edit.span.lo);
        let mut text = Vec::with_capacity(self.text.len() + behind.len());
        let mut done = 0;
        for edit in &edits {
            let (lo, hi) = (self.position(edit.span.lo), self.position(edit.span.hi));
            text.extend_from_slice(&self.text[done..lo]);
            text.extend_from_slice(edit.text.as_bytes());
            done = hi;
        }
        text.extend_from_slice(&self.text[done..]);
        text.push(b'\n');
        text.extend_from_slice(behind.as_bytes());
        Variant { kind, line, text }
    }
}

fn has_errors(diagnostics: &Diagnostics) -> bool {
    diagnostics.has_errors()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "# 1 \"case.c\"\n\
        int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n\
        int total; void *work(void *a) { while (total < 2) total++; return a; }\n\
        void *other(void *a) { for (int i = 0; i < 3; i++) { total += i; } do total--; while (total > 5); return a; }\n\
        int main(void) { unsigned long a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, other, &total);\n\
        return total; }\n";

    fn of_kind(kind: VariantKind) -> Vec<String> {
        let all = variants(PROGRAM.as_bytes(), DataModel::Lp64);
        let chosen = all.into_iter().filter(|variant| variant.kind == kind);
        chosen.map(|variant| String::from_utf8(variant.text).expect("it is text")).collect()
    }

    #[test]
    fn every_kind_applies_and_can_be_read_back() {
        for &kind in VariantKind::ALL {
            let texts = of_kind(kind);
            assert!(!texts.is_empty(), "{kind}");
            for text in texts {
                assert_ne!(text, PROGRAM);
                assert!(VariantSource::new(text.as_bytes(), DataModel::Lp64).is_some(), "{kind}: {text}");
            }
        }
    }

    #[test]
    fn creations_are_exchanged() {
        let texts = of_kind(VariantKind::CreationOrder);
        let expected = "pthread_create(&b, 0, other, &total); pthread_create(&a, 0, work, 0);";
        assert!(texts.len() == 1 && texts[0].contains(expected), "{texts:?}");
    }

    #[test]
    fn loops_are_peeled() {
        let texts = of_kind(VariantKind::Peeled);
        assert_eq!(texts.len(), 3);
        assert!(texts[0].contains("if (total < 2) { total++; while (total < 2) total++; }"), "{}", texts[0]);
        let expected =
            "{ int i = 0; if (i < 3) { { total += i; } i++; for (; i < 3; i++) { total += i; } } }";
        assert!(texts[1].contains(expected), "{}", texts[1]);
        assert!(texts[2].contains("{ total--; while (total > 5) total--; }"), "{}", texts[2]);
    }

    #[test]
    fn names_are_exchanged_everywhere() {
        let texts = of_kind(VariantKind::Names);
        assert!(
            texts.len() == 1 && !texts[0].contains(" total") && texts[0].contains("int main"),
            "{texts:?}"
        );
        assert!(texts[0].contains("pthread_create") && !texts[0].contains("(work"));
    }

    #[test]
    fn what_depends_on_the_order_is_left_alone() {
        for (from, to) in [
            // A thread could look at a handle.
            ("unsigned long a, b;", "static unsigned long a, b;"),
            // What the second gets is what the first may have changed.
            ("other, &total", "other, (void *)(long)total"),
            ("pthread_create(&b, 0", "total = 1; pthread_create(&b, 0"),
            ("pthread_create(&b, 0", "pthread_create(&a, 0"),
        ] {
            let text = PROGRAM.replace(from, to);
            assert_ne!(text, PROGRAM);
            let all = variants(text.as_bytes(), DataModel::Lp64);
            assert!(all.iter().all(|variant| variant.kind != VariantKind::CreationOrder), "{text}");
        }
        for (from, to) in
            [("total++;", "{ if (total) break; total++; }"), ("total++;", "{ static int n; total = n++; }")]
        {
            let text = PROGRAM.replace(from, to);
            let all = variants(text.as_bytes(), DataModel::Lp64);
            assert_eq!(all.iter().filter(|variant| variant.kind == VariantKind::Peeled).count(), 2, "{text}");
        }
    }
}
