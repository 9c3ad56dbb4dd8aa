//! A loop with its first round taken out of it.

use raddle_base::Span;
use raddle_cfront::ast::{StmtId, StmtKind, Storage};

use super::walk::{children, declared, statements};
use super::{Edit, Variant, VariantKind, VariantSource};

/// Each loop of the program's own file that can be peeled, peeled once.
pub(super) fn peeled(source: &VariantSource) -> Vec<Variant> {
    let mut variants = Vec::new();
    for body in source.bodies() {
        statements(&source.ast, body, &mut |statement| variants.extend(peel(source, statement)));
    }
    variants
}

fn peel(source: &VariantSource, statement: StmtId) -> Option<Variant> {
    let ast = &source.ast;
    let span = ast.stmts[statement].span;
    let kind = &ast.stmts[statement].kind;
    let (body, text) = if let StmtKind::While { body, .. } = kind {
        let (condition, text) = (brackets(&source.slice(span))?, closed(source, *body));
        (*body, format!("if ({condition}) {{ {text} while ({condition}) {text} }}"))
    } else if let StmtKind::DoWhile { body, .. } = kind {
        let behind = Span::new(ast.stmts[*body].span.hi, span.hi);
        let (condition, text) = (brackets(&source.slice(behind))?, closed(source, *body));
        (*body, format!("{{ {text} while ({condition}) {text} }}"))
    } else if let StmtKind::For { body, .. } = kind {
        let (head, text) = (brackets(&source.slice(span))?, closed(source, *body));
        let parts: Vec<&str> = head.split(';').map(str::trim).collect();
        let [init, condition, step] = parts[..] else { return None };
        let tested = if condition.is_empty() { "1" } else { condition };
        let next = if step.is_empty() { String::new() } else { format!("{step}; ") };
        let rest = format!("for (; {condition}; {step}) {text}");
        (*body, format!("{{ {init}; if ({tested}) {{ {text} {next}{rest} }} }}"))
    } else {
        return None;
    };
    if !source.is_own(span) || !can_stand_twice(source, body) || leaves(source, body) {
        return None;
    }
    Some(source.variant(VariantKind::Peeled, source.line(span), vec![Edit { span, text }], ""))
}

/// What stands in the first round brackets of a text. The spans of expressions leave out brackets at their ends, so a
/// loop's head is taken from the text.
fn brackets(text: &str) -> Option<String> {
    let start = text.find('(')? + 1;
    let (mut depth, mut quote, mut escaped) = (1, None, false);
    for (offset, character) in text[start..].char_indices() {
        match (quote, character) {
            (Some(_), '\\') => {
                escaped = !escaped;
                continue;
            }
            (Some(end), _) if character == end && !escaped => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        escaped = false;
        if depth == 0 {
            return Some(text[start..start + offset].to_owned());
        }
    }
    None
}

/// A statement's text, with its semicolon.
fn closed(source: &VariantSource, statement: StmtId) -> String {
    let text = source.slice(source.ast.stmts[statement].span);
    let text = text.trim_end();
    if text.ends_with([';', '}']) { text.to_owned() } else { format!("{text};") }
}

/// Whether a second copy of a statement means the same: labels and static variables exist once.
fn can_stand_twice(source: &VariantSource, body: StmtId) -> bool {
    let ast = &source.ast;
    let mut can = true;
    statements(ast, body, &mut |statement| {
        let has_static = declared(ast, statement).iter().any(|&var| ast.vars[var].storage == Storage::Static);
        let has_label = matches!(
            ast.stmts[statement].kind,
            StmtKind::Label(..) | StmtKind::Case { .. } | StmtKind::Default(_) | StmtKind::Asm(_)
        );
        can &= !has_static && !has_label;
    });
    // Statement expressions are not looked into.
    can && !source.slice(ast.stmts[body].span).contains("({")
}

/// Whether a `break` or `continue` in a body belongs to the loop around it.
fn leaves(source: &VariantSource, body: StmtId) -> bool {
    let kind = &source.ast.stmts[body].kind;
    let is_loop = matches!(kind, StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. });
    // A switch takes the `break`s in it; to be simple, none with anything of the kind is peeled.
    matches!(kind, StmtKind::Break | StmtKind::Continue)
        || (!is_loop && children(&source.ast, body).into_iter().any(|child| leaves(source, child)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_matched_around_texts() {
        assert_eq!(brackets("while (a && (b || f(')')))\n ;").as_deref(), Some("a && (b || f(')'))"));
        assert_eq!(brackets(r#"while (g("\"("))"#).as_deref(), Some(r#"g("\"(")"#));
        assert_eq!(brackets("for (;;) x();").as_deref(), Some(";;"));
        assert_eq!(brackets("while (a"), None);
    }
}
