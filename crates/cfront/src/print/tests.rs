//! What the round-trip tests cannot see: how the text looks, and trees that no source has.

use raddle_base::{Severity, SourceMap};

use super::{PrintOptions, print};
use crate::ast::{Ast, StmtKind};
use crate::layout::DataModel;
use crate::{dump, parse_program};

fn parse(text: &str) -> (Ast, SourceMap) {
    let mut sources = SourceMap::new();
    let file = sources.add("test.i", text.as_bytes().to_vec()).unwrap();
    let parsed = parse_program(&mut sources, &[file], DataModel::Lp64);
    let errors = parsed.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.map(|error| error.message.as_str()).collect::<Vec<_>>(), [""; 0]);
    (parsed.ast, sources)
}

fn printed(text: &str) -> String {
    let (ast, sources) = parse(text);
    print(&ast, &PrintOptions::default(), &sources)
}

/// Text that is printed just as it is written.
fn stays(text: &str) {
    assert_eq!(printed(text), text);
}

#[test]
fn declarators_of_any_depth() {
    stays("int *(*(*f)(int, char *))[3];\n");
    stays("int (*(*const table[2])(void))(const char *const *, ...);\n");
    stays(
        "void (*signal_handler(int number, void (*handler)(int)))(int);
",
    );
    stays("_Atomic(int *) (*p)[2];\n");
    stays("int *_Atomic q;\n");
}

#[test]
fn only_needed_parentheses() {
    stays(
        "int f(int a, int b, int *p)\n{\n    return (a + b) * a - (a - (b - 1)) - *p++ + (*p)++ - -a;\n}\n",
    );
    stays("int f(int a, int b)\n{\n    return (a, b) ? a = b : b ? a & b == a : (a & b) == a;\n}\n");
    stays("int f(int a)\n{\n    return - -a + ~!a - sizeof(a) * (int)-a;\n}\n");
}

#[test]
fn a_hidden_typedef_name_is_written_out() {
    let text = printed(
        "typedef unsigned char byte;\nvoid f(byte *p) { int byte = 1; __auto_type q = p; (void)byte; (void)q; }\n",
    );
    assert!(text.contains("    unsigned char *q = p;\n"), "{text}");
    assert!(text.contains("void f(byte *p)\n"), "{text}");
}

#[test]
fn a_tag_that_would_clash_where_it_is_printed_gets_a_number() {
    let text = printed(
        "struct s { int a; };\nint f(struct s { char c; } *p) { return p->c; }\nint g(struct s *q) { return q->a; }\n",
    );
    assert!(text.contains("int g(struct s *q)\n"), "{text}");
    let again = printed(&text);
    assert_eq!(text, again);
}

#[test]
fn lengths_are_not_evaluated_twice() {
    let text = printed(
        "int f(int n) { int a[n]; n = 2; __typeof__(a) b; __auto_type p = &a; return sizeof b + sizeof *p; }\n",
    );
    assert!(text.contains("    __typeof__(a) b;\n"), "{text}");
    assert!(text.contains("    __typeof__(a) *p = &a;\n"), "{text}");
}

/// A pass may leave out a block that the source had.
#[test]
fn an_else_stays_with_its_if() {
    let (mut ast, sources) = parse("void f(int a, int b) { if (a) { if (b) a = 1; } else a = 2; }\n");
    let wanted = dump::dump(&ast);
    let then_block = ast.stmts.values().find_map(|stmt| {
        if let StmtKind::If { then, otherwise: Some(_), .. } = stmt.kind { Some(then) } else { None }
    });
    let block = then_block.unwrap();
    let StmtKind::Block(stmts) = ast.stmts[block].kind.clone() else { panic!("the source has a block") };
    ast.stmts[block].kind = ast.stmts[stmts[0]].kind.clone();
    let (again, _) = parse(&print(&ast, &PrintOptions::default(), &sources));
    assert_eq!(dump::dump(&again), wanted);
}

#[test]
fn line_directives_name_the_source() {
    let (ast, sources) = parse("# 7 \"user \\\"x\\\".c\"\nint a;\n\n\nint b;\nint c;\n");
    let text = print(&ast, &PrintOptions { line_directives: true }, &sources);
    let directive = |line: u32| format!("#line {line} \"user \\\"x\\\".c\"\n");
    assert_eq!(text, format!("{}int a;\n{}int b;\nint c;\n", directive(7), directive(10)));
}
