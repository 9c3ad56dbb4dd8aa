//! Cosmetics: what passes leave behind and nobody needs.

use raddle_cfront::ast::{FunctionId, LabelId, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use crate::flow::{ends_with_jump, gotos};
use crate::program::Program;
use crate::visit::{Node, labels_in, stmts_in, walk};

/// Takes blocks that declare nothing into the blocks around them, and drops empty statements and labels that no jump names. When a
/// limit is met it leaves things as they are: nobody will look at the program any more.
pub(crate) fn tidy(program: &mut Program, function: FunctionId) {
    let Some(body) = program.body(function) else { return };
    if program.may_go_on().is_err() {
        return;
    }
    decide(program, body);
    if program.may_go_on().is_err() {
        return;
    }
    let used = named_labels(program, body);
    // Inner blocks first.
    for stmt in stmts_in(program.ast(), body).into_iter().rev() {
        let StmtKind::Block(list) = program.ast().stmts[stmt].kind.clone() else { continue };
        if program.may_go_on().is_err() {
            return;
        }
        let mut new = Vec::with_capacity(list.len());
        for inner in list {
            match program.ast().stmts[inner].kind.clone() {
                StmtKind::Empty => {}
                StmtKind::Block(inside) if !declares(program, &inside) => new.extend(inside),
                StmtKind::Label(label, marked) if is_ours(program, label) && !used.contains(&label) => {
                    if !matches!(program.ast().stmts[marked].kind, StmtKind::Empty) {
                        new.push(marked);
                    }
                }
                _ => new.push(inner),
            }
        }
        drop_dead(program, &mut new);
        join_labels(program, &mut new);
        program.ast_mut().stmts[stmt].kind = StmtKind::Block(new);
    }
}

/// Drops what stands behind a jump and cannot be jumped to.
fn drop_dead(program: &Program, list: &mut Vec<StmtId>) {
    let mut dead = false;
    list.retain(|&stmt| {
        let ast = program.ast();
        // Only behind a jump it matters what is inside.
        dead = dead
            && labels_in(ast, stmt).is_empty()
            && !stmts_in(ast, stmt)
                .iter()
                .any(|&inner| matches!(ast.stmts[inner].kind, StmtKind::Case { .. } | StmtKind::Default(_)));
        let keep = !dead || matches!(ast.stmts[stmt].kind, StmtKind::Declare(_));
        dead |= ends_with_jump(program, stmt);
        keep
    });
}

/// Takes the branch of an `if` whose condition is a constant, unless a jump may lead into the other one.
fn decide(program: &mut Program, body: StmtId) {
    for stmt in stmts_in(program.ast(), body) {
        let StmtKind::If { condition, then, otherwise } = program.ast().stmts[stmt].kind else { continue };
        if program.may_go_on().is_err() {
            return;
        }
        let Some(value) = program.constant(condition) else { continue };
        let (taken, dropped) = if value == 0 { (otherwise, Some(then)) } else { (Some(then), otherwise) };
        if dropped.is_some_and(|dropped| !labels_in(program.ast(), dropped).is_empty()) {
            continue;
        }
        program.ast_mut().stmts[stmt].kind = match taken {
            Some(taken) => StmtKind::Block(vec![taken]),
            None => StmtKind::Empty,
        };
    }
}

/// `label: ;` and the statement behind it become one.
fn join_labels(program: &mut Program, list: &mut Vec<StmtId>) {
    let mut place = 0;
    while place + 1 < list.len() {
        if let StmtKind::Label(label, marked) = program.ast().stmts[list[place]].kind
            && matches!(program.ast().stmts[marked].kind, StmtKind::Empty)
            && !matches!(program.ast().stmts[list[place + 1]].kind, StmtKind::Declare(_) | StmtKind::Block(_))
        {
            let next = list.remove(place + 1);
            program.ast_mut().stmts[list[place]].kind = StmtKind::Label(label, next);
        }
        place += 1;
    }
}

fn declares(program: &Program, list: &[StmtId]) -> bool {
    list.iter().any(|&stmt| {
        let mut stmt = stmt;
        while let StmtKind::Label(_, inner) = program.ast().stmts[stmt].kind {
            stmt = inner;
        }
        matches!(program.ast().stmts[stmt].kind, StmtKind::Declare(_))
    })
}

/// Labels that passes made end with a number; those of the user stay.
fn is_ours(program: &Program, label: LabelId) -> bool {
    let name = program.ast().text(program.ast().labels[label].name);
    name.rsplit_once("__").is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The labels that jumps, addresses and assembly name.
pub(crate) fn named_labels(program: &Program, body: StmtId) -> FxHashSet<LabelId> {
    let mut used: FxHashSet<LabelId> = gotos(program, body).into_iter().map(|(_, label)| label).collect();
    let ast = program.ast();
    walk(ast, Node::Stmt(body), &mut |node| {
        match node {
            Node::Expr(expr) => {
                if let raddle_cfront::ast::ExprKind::LabelAddress(label) = ast.exprs[expr].kind {
                    used.insert(label);
                }
            }
            Node::Stmt(stmt) => {
                if let StmtKind::Asm(asm) = &ast.stmts[stmt].kind {
                    used.extend(asm.labels.iter().copied());
                }
            }
        }
        true
    });
    used
}
