//! One form of loop: `while (1)`, left by `break`. Jumps backwards become loops, too.
//!
//! The test of the loop is the first thing in it, or the last for `do`; a step of `for` comes at its end, and `continue` jumps
//! there. `do … while (0)` is no loop and becomes a block. Afterwards every `goto` leads forwards, except computed ones, and
//! nothing but `while (1)` repeats anything.

use std::ops::RangeInclusive;

use raddle_base::Span;
use raddle_cfront::ast::{ExprId, ExprKind, FunctionId, LabelId, StmtId, StmtKind, Storage, VarId};
use raddle_cfront::types::Types;
use rustc_hash::FxHashMap;

use crate::access::Addresses;
use crate::flow::{JumpTargets, gotos, leaving, redirect};
use crate::pass::{Pass, Refusal, Values};
use crate::program::Program;
use crate::visit::{Node, declared_here, exprs_in, labels_in, stmts_in, walk};

/// The pass.
pub static PASS: Pass = Pass {
    name: "loops",
    description: "every loop becomes `while (1)`, left by `break`; jumps backwards become such loops",
    parameters: &[],
    run,
};

pub(crate) fn run(program: &mut Program, _: &Values) -> Result<(), Refusal> {
    for (_, function) in program.definitions() {
        no_objects_in_heads(program, function)?;
        structured(program, function);
        // Jumps backwards come last, because the other loops must have their form by then.
        backward_jumps(program, function)?;
    }
    Ok(())
}

/// What the head of a loop makes lives as long as the loop; in its body it would be another object in each iteration.
fn no_objects_in_heads(program: &Program, function: FunctionId) -> Result<(), Refusal> {
    let (ast, Some(body)) = (program.ast(), program.body(function)) else { return Ok(()) };
    for stmt in stmts_in(ast, body) {
        let heads = match ast.stmts[stmt].kind {
            StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => {
                [Some(condition), None]
            }
            StmtKind::For { condition, step, .. } => [condition, step],
            _ => continue,
        };
        for head in heads.into_iter().flatten() {
            let mut exprs = Vec::new();
            walk(ast, Node::Expr(head), &mut |node| {
                if let Node::Expr(expr) = node {
                    exprs.push(expr);
                }
                true
            });
            no_literal(program, exprs, "a compound literal is in the head of a loop")?;
        }
    }
    Ok(())
}

/// Refuses compound literals.
fn no_literal(program: &Program, exprs: Vec<ExprId>, message: &str) -> Result<(), Refusal> {
    let ast = program.ast();
    let is_literal = |expr: &ExprId| {
        matches!(ast.exprs[*expr].kind, ExprKind::CompoundLiteral { static_storage: false, .. })
    };
    match exprs.into_iter().find(is_literal) {
        Some(expr) => {
            let help = "declare a variable before it";
            Err(Refusal::new(ast.exprs[expr].span, message.to_owned()).help(help))
        }
        None => Ok(()),
    }
}

/// `while`, `do` and `for`, inner ones first.
fn structured(program: &mut Program, function: FunctionId) {
    let Some(body) = program.body(function) else { return };
    // Inner loops come later in the text, and are done first.
    for stmt in stmts_in(program.ast(), body).into_iter().rev() {
        match program.ast().stmts[stmt].kind.clone() {
            StmtKind::While { condition, body } => {
                if !is_true(program, condition) {
                    let test = test(program, condition, stmt);
                    let whole = program.block(vec![test, body], stmt);
                    set_forever(program, stmt, whole);
                    // `while (2)` and the like get the one form that later passes look for.
                } else if !is_one(program, condition) {
                    set_forever(program, stmt, body);
                }
            }
            StmtKind::DoWhile { body, condition } => do_while(program, stmt, body, condition),
            StmtKind::For { init, condition, step, body } => {
                let span = program.ast().stmts[stmt].span;
                let next = program.fresh_label("next", span);
                let targets = JumpTargets { on_break: None, on_continue: Some(next) };
                // Without a step, `continue` leads where it always did.
                // Looked for before the body is moved into the loop.
                let used = step.is_some() && redirect(program, body, targets).by_continue;
                let mut list = Vec::new();
                if let Some(condition) = condition
                    && !is_true(program, condition)
                {
                    list.push(test(program, condition, stmt));
                }
                list.push(body);
                // `continue` leads to the step, which a `for` makes and a `while (1)` would not.
                if used {
                    list.push(program.label_stmt(next, stmt));
                }
                if let Some(step) = step {
                    list.push(program.stmt(StmtKind::Expr(step), stmt));
                }
                let whole = program.block(list, stmt);
                match init {
                    None => set_forever(program, stmt, whole),
                    Some(init) => {
                        let repeated = program.stmt(StmtKind::Empty, stmt);
                        set_forever(program, repeated, whole);
                        program.ast_mut().stmts[stmt].kind = StmtKind::Block(vec![init, repeated]);
                    }
                }
            }
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Block(_)
            | StmtKind::Declare(_)
            | StmtKind::If { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default(_)
            | StmtKind::Label(..)
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm(_)
            | StmtKind::Error => {}
        }
    }
}

fn do_while(program: &mut Program, stmt: StmtId, body: StmtId, condition: ExprId) {
    let span = program.ast().stmts[stmt].span;
    if is_true(program, condition) {
        return set_forever(program, stmt, body);
    }
    let next = program.fresh_label("next", span);
    if program.constant(condition) == Some(0) {
        // It runs once, so both ways out lead behind it.
        let targets = JumpTargets { on_break: Some(next), on_continue: Some(next) };
        let used = redirect(program, body, targets);
        let mut list = vec![body];
        if used.by_break || used.by_continue {
            list.push(program.label_stmt(next, stmt));
        }
        program.ast_mut().stmts[stmt].kind = StmtKind::Block(list);
        return;
    }
    let used = redirect(program, body, JumpTargets { on_break: None, on_continue: Some(next) });
    let mut list = vec![body];
    if used.by_continue {
        list.push(program.label_stmt(next, stmt));
    }
    list.push(test(program, condition, stmt));
    let whole = program.block(list, stmt);
    set_forever(program, stmt, whole);
}

/// `if (!condition) break;`
fn test(program: &mut Program, condition: ExprId, like: StmtId) -> StmtId {
    let leave = program.stmt(StmtKind::Break, like);
    let negated = program.not(condition);
    program.if_stmt(negated, leave, None, like)
}

/// `while (1) body`
pub(crate) fn set_forever(program: &mut Program, stmt: StmtId, body: StmtId) {
    let span = program.ast().stmts[stmt].span;
    let condition = program.int(1, span);
    program.ast_mut().stmts[stmt].kind = StmtKind::While { condition, body };
}

fn is_true(program: &Program, condition: ExprId) -> bool {
    program.constant(condition).is_some_and(|value| value != 0)
}

fn is_one(program: &Program, condition: ExprId) -> bool {
    matches!(program.ast().exprs[condition].kind, ExprKind::Integer(1))
}

/// Turns jumps backwards into loops, one label at a time.
fn backward_jumps(program: &mut Program, function: FunctionId) -> Result<(), Refusal> {
    let Some(body) = program.body(function) else { return Ok(()) };
    // One at a time: each new loop changes what comes behind what.
    while let Some(label) = first_backward(program, body) {
        // The outermost block holds everything.
        let Some((block, first, mut last)) = common_block(program, body, label) else { return Ok(()) };
        let StmtKind::Block(list) = program.ast().stmts[block].kind.clone() else { return Ok(()) };
        if list[first..=last].iter().any(|&stmt| !declared_here(program.ast(), stmt).is_empty()) {
            // What is declared there is known to the end of the block: all of that goes into the loop, which it leaves at its end.
            last = list.len() - 1;
        }
        if list[first..=last].iter().any(|&stmt| !leaving(program, stmt).is_empty()) {
            // The new loop would catch them.
            all_leaving_to_gotos(program, body);
            continue;
        }
        same_objects(program, &list[first..=last])?;
        loop_at(program, function, label, block, list, first..=last);
    }
    Ok(())
}

/// A jump back within a block does not end its objects, but the iterations of a loop have each their own: that makes a difference
/// where somebody may keep an address.
fn same_objects(program: &Program, repeated: &[StmtId]) -> Result<(), Refusal> {
    let ast = program.ast();
    let declared: Vec<VarId> = repeated.iter().flat_map(|&stmt| declared_here(ast, stmt)).collect();
    let addresses = (!declared.is_empty()).then(|| Addresses::of(program));
    let kept = declared.into_iter().find(|&var| {
        let is_automatic = matches!(ast.vars[var].storage, Storage::Automatic | Storage::Register);
        is_automatic && addresses.as_ref().is_some_and(|addresses| addresses.is_taken(var))
    });
    if let Some(var) = kept {
        let message = format!(
            "`{}` is declared between a label and a jump back to it, and its address is taken",
            program.var_text(var)
        );
        return Err(Refusal::new(ast.vars[var].span, message).help("declare it before the label"));
    }
    let exprs = repeated.iter().flat_map(|&stmt| exprs_in(ast, stmt)).collect();
    no_literal(program, exprs, "a compound literal lies between a label and a jump back to it")
}

/// A label that a jump further down leads to.
fn first_backward(program: &Program, body: StmtId) -> Option<LabelId> {
    let mut seen = Vec::new();
    for stmt in stmts_in(program.ast(), body) {
        match program.ast().stmts[stmt].kind {
            StmtKind::Label(label, _) => seen.push(label),
            StmtKind::Goto(label) if seen.contains(&label) => return Some(label),
            _ => {}
        }
    }
    None
}

fn all_leaving_to_gotos(program: &mut Program, body: StmtId) {
    for stmt in stmts_in(program.ast(), body).into_iter().rev() {
        let (inner, repeats) = match program.ast().stmts[stmt].kind {
            StmtKind::While { body, .. } => (body, true),
            StmtKind::Switch { body, .. } => (body, false),
            _ => continue,
        };
        // The test at the head of a loop may stay, as long as no loop comes between.
        if leaving(program, inner).is_empty() {
            continue;
        }
        let span = program.ast().stmts[stmt].span;
        let (out, next) = (program.fresh_label("out", span), program.fresh_label("next", span));
        let on_continue = repeats.then_some(next);
        let used = redirect(program, inner, JumpTargets { on_break: Some(out), on_continue });
        if used.by_continue {
            let end = program.label_stmt(next, stmt);
            let kind = program.ast().stmts[inner].kind.clone();
            let moved = program.stmt(kind, inner);
            program.ast_mut().stmts[inner].kind = StmtKind::Block(vec![moved, end]);
        }
        if used.by_break {
            let kind = program.ast().stmts[stmt].kind.clone();
            let moved = program.stmt(kind, stmt);
            let end = program.label_stmt(out, stmt);
            program.ast_mut().stmts[stmt].kind = StmtKind::Block(vec![moved, end]);
        }
    }
}

/// The block that holds both a label and every jump back to it, as deep inside as there is one, and the positions in it between
/// which they lie.
fn common_block(program: &Program, body: StmtId, label: LabelId) -> Option<(StmtId, usize, usize)> {
    let mut parents: FxHashMap<StmtId, StmtId> = FxHashMap::default();
    let all = stmts_in(program.ast(), body);
    for &stmt in &all {
        for part in crate::visit::parts(program.ast(), Node::Stmt(stmt)) {
            if let Node::Stmt(inner) = part {
                parents.insert(inner, stmt);
            }
        }
    }
    let mut label_seen = false;
    let mut backward = Vec::new();
    let mut home = None;
    for &stmt in &all {
        match program.ast().stmts[stmt].kind {
            StmtKind::Label(found, _) if found == label => {
                home = Some(stmt);
                label_seen = true;
            }
            StmtKind::Goto(target) if target == label && label_seen => backward.push(stmt),
            _ => {}
        }
    }
    let chain = |start: StmtId| {
        let mut chain = vec![start];
        while let Some(&parent) = parents.get(chain.last().unwrap_or(&start)) {
            chain.push(parent);
        }
        chain
    };
    // Blocks from the inside out; the first that has all jumps is the smallest.
    let label_chain = chain(home?);
    let jump_chains: Vec<Vec<StmtId>> = backward.iter().map(|&jump| chain(jump)).collect();
    for (depth, &stmt) in label_chain.iter().enumerate().skip(1) {
        let StmtKind::Block(list) = &program.ast().stmts[stmt].kind else { continue };
        if !jump_chains.iter().all(|chain| chain.contains(&stmt)) {
            continue;
        }
        let first = list.iter().position(|inner| *inner == label_chain[depth - 1])?;
        let last = list.iter().rposition(|inner| jump_chains.iter().any(|chain| chain.contains(inner)))?;
        return Some((stmt, first, last.max(first)));
    }
    None
}

/// Puts a loop around what lies between a label and the last jump back to it.
fn loop_at(
    program: &mut Program,
    function: FunctionId,
    label: LabelId,
    block: StmtId,
    mut list: Vec<StmtId>,
    range: RangeInclusive<usize>,
) {
    let span = program.ast().labels[label].span;
    let inside: Vec<StmtId> = list[range.clone()].to_vec();
    let like = inside[0];
    let again = program.fresh_label("again", span);
    // A label at the head needs no flag: the loop begins with it.
    let at_head = labels_at_head(program, inside[0]).contains(&label);
    // From the loop's head one jumps forwards to a label that lies deeper inside.
    // The flag says whether the next iteration begins in the middle.
    let flag = (!at_head).then(|| program.local(function, "jump", Types::int(), Span::NONE, like));
    let mut seen = false;
    for &stmt in &inside {
        for inner in stmts_in(program.ast(), stmt) {
            match program.ast().stmts[inner].kind {
                StmtKind::Label(found, _) if found == label => seen = true,
                StmtKind::Goto(target) if target == label && seen => {
                    let jump = program.goto(again, inner);
                    let kind = match flag {
                        None => StmtKind::Goto(again),
                        Some((flag, _)) => {
                            let (target, one) = (program.var(flag, span), program.int(1, span));
                            let set = program.assign_stmt(target, one, inner);
                            StmtKind::Block(vec![set, jump])
                        }
                    };
                    program.ast_mut().stmts[inner].kind = kind;
                }
                _ => {}
            }
        }
    }
    let mut repeated = Vec::new();
    let mut before = Vec::new();
    if let Some((flag, declaration)) = flag {
        let (target, zero) = (program.var(flag, span), program.int(0, span));
        before = vec![declaration, program.assign_stmt(target, zero, like)];
        let (condition, jump) = (program.var(flag, span), program.goto(label, like));
        repeated.push(program.if_stmt(condition, jump, None, like));
    }
    repeated.extend(&inside);
    // Falling out of the end leaves the loop; only the jump goes around.
    repeated.push(program.stmt(StmtKind::Break, like));
    repeated.push(program.label_stmt(again, like));
    let whole = program.block(repeated, like);
    let repeat = program.stmt(StmtKind::Empty, like);
    set_forever(program, repeat, whole);
    before.push(repeat);
    list.splice(range, before);
    program.ast_mut().stmts[block].kind = StmtKind::Block(list);
}

/// The labels that stand directly before a statement.
fn labels_at_head(program: &Program, mut stmt: StmtId) -> Vec<LabelId> {
    let mut found = Vec::new();
    while let StmtKind::Label(label, inner) = program.ast().stmts[stmt].kind {
        found.push(label);
        stmt = inner;
    }
    found
}

/// Whether a function still has loops that this pass cannot see: jumps by address.
pub(crate) fn computed_jump(program: &Program, body: StmtId) -> Option<Span> {
    let all = stmts_in(program.ast(), body);
    let computed =
        all.iter().find(|&&stmt| matches!(program.ast().stmts[stmt].kind, StmtKind::GotoComputed(_)));
    computed.map(|&stmt| program.ast().stmts[stmt].span)
}

/// Whether a jump from outside of `inner` leads into it.
pub(crate) fn entered_from_outside(program: &Program, whole: StmtId, inner: StmtId) -> bool {
    let labels = labels_in(program.ast(), inner);
    if labels.is_empty() {
        return false;
    }
    let own: Vec<StmtId> = gotos(program, inner).into_iter().map(|(stmt, _)| stmt).collect();
    gotos(program, whole).iter().any(|(stmt, label)| labels.contains(label) && !own.contains(stmt))
}
