//! Statements.

use crate::ast::{Asm, AsmOperand, Ast, ExprId, Item, LabelId, Stmt, StmtId, StmtKind};
use crate::print::Printer;
use crate::print::expression::Level;
use crate::print::literal;

/// The types declared in the head of a `for`: a structure without a tag may be. They are printed before the loop.
pub(crate) fn head_types(ast: &Ast, id: StmtId) -> &[Item] {
    let StmtKind::For { init: Some(init), .. } = ast.stmts[id].kind else { return &[] };
    let StmtKind::Declare(items) = &ast.stmts[init].kind else { return &[] };
    let types = items.iter().take_while(|item| matches!(item, Item::Record { .. } | Item::Enum(_))).count();
    &items[..types]
}

impl Printer<'_> {
    /// `{ … }`, from the current position of the line; the closing brace ends without a new line.
    pub(crate) fn block(&mut self, stmts: &[StmtId]) {
        if stmts.is_empty() {
            self.push("{}");
            return;
        }
        self.push("{");
        self.end_line();
        self.indent += 1;
        self.scope.enter();
        for &stmt in stmts {
            self.stmt(stmt);
        }
        self.scope.leave();
        self.indent -= 1;
        self.indentation();
        self.push("}");
    }

    /// A statement on lines of its own.
    fn stmt(&mut self, id: StmtId) {
        let ast = self.ast;
        let stmt = &ast.stmts[id];
        match &stmt.kind {
            StmtKind::Declare(items) => {
                self.mark(stmt.span, Some(id));
                for &item in items {
                    self.item(item);
                }
            }
            StmtKind::Label(label, body) => {
                let name = ast.text(ast.labels[*label].name);
                self.labelled(id, |printer| printer.push(name), *body);
            }
            StmtKind::Default(body) => self.labelled(id, |printer| printer.push("default"), *body),
            StmtKind::Case { first, last, values: _, body } => {
                let print = |printer: &mut Self| {
                    printer.push("case ");
                    printer.expr(*first, Level::Conditional);
                    if let Some(last) = last {
                        printer.push(" ... ");
                        printer.expr(*last, Level::Conditional);
                    }
                };
                self.labelled(id, print, *body);
            }
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Block(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm(_)
            | StmtKind::Error => {
                for &item in head_types(ast, id) {
                    self.item(item);
                }
                self.start_stmt_line(id);
                self.plain_stmt(stmt);
                self.end_line();
            }
        }
    }

    /// A label hangs to the left of the statement it marks.
    fn labelled(&mut self, id: StmtId, label: impl FnOnce(&mut Self), body: StmtId) {
        let indent = self.indent;
        self.indent = indent.saturating_sub(1);
        self.start_stmt_line(id);
        self.indent = indent;
        label(self);
        self.push(":");
        self.end_line();
        self.stmt(body);
    }

    fn keyword_stmt(&mut self, text: &str) {
        self.push(text);
        self.push(";");
    }

    /// A statement that is neither a declaration nor labelled, from the current position of the line.
    fn plain_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty => self.push(";"),
            StmtKind::Expr(expr) => {
                self.full_expr(*expr);
                self.push(";");
            }
            StmtKind::Block(stmts) => self.block(stmts),
            StmtKind::If { condition, then, otherwise } => self.if_stmt(*condition, *then, *otherwise),
            StmtKind::While { condition, body } => {
                self.head("while", *condition);
                self.body(*body);
            }
            StmtKind::Switch { value, body } => {
                self.head("switch", *value);
                self.body(*body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.push("do");
                self.body(*body);
                self.next_keyword(*body);
                self.head("while", *condition);
                self.push(";");
            }
            StmtKind::For { init, condition, step, body } => {
                self.scope.enter();
                self.for_stmt(*init, *condition, *step);
                self.body(*body);
                self.scope.leave();
            }
            StmtKind::Goto(label) => {
                self.push("goto ");
                self.push(self.ast.text(self.ast.labels[*label].name));
                self.push(";");
            }
            StmtKind::GotoComputed(target) => {
                self.push("goto *");
                self.expr(*target, Level::Cast);
                self.push(";");
            }
            StmtKind::Break => self.keyword_stmt("break"),
            StmtKind::Continue => self.keyword_stmt("continue"),
            StmtKind::Return(None) => self.keyword_stmt("return"),
            StmtKind::Return(Some(value)) => {
                self.push("return ");
                self.full_expr(*value);
                self.push(";");
            }
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::Error => self.push("; /* error */"),
            StmtKind::Declare(_) | StmtKind::Case { .. } | StmtKind::Default(_) | StmtKind::Label(..) => {
                unreachable!("these have lines of their own")
            }
        }
    }

    /// `while (condition)`
    fn head(&mut self, keyword: &str, condition: ExprId) {
        self.push(keyword);
        self.push(" (");
        self.full_expr(condition);
        self.push(")");
    }

    /// The statement that a head rules: a block on the same line, anything else on the next.
    fn body(&mut self, id: StmtId) {
        if let StmtKind::Block(stmts) = &self.ast.stmts[id].kind {
            self.push(" ");
            self.block(stmts);
            return;
        }
        if !head_types(self.ast, id).is_empty() {
            // What stands before the loop must stay together with it.
            self.push(" ");
            self.block(&[id]);
            return;
        }
        self.end_line();
        self.indent += 1;
        self.stmt(id);
        self.indent -= 1;
        // The caller ends the line itself.
        self.text.truncate(self.text.trim_end_matches('\n').len());
    }

    /// Goes on behind a body: `} else`, or on a new line.
    fn next_keyword(&mut self, body: StmtId) {
        if let StmtKind::Block(_) = self.ast.stmts[body].kind {
            self.push(" ");
        } else {
            self.end_line();
            self.indentation();
        }
    }

    fn if_stmt(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        self.head("if", condition);
        let Some(otherwise) = otherwise else { return self.body(then) };
        if self.would_take_else(then) {
            // Only a made tree has this: a parsed one keeps the braces as a block.
            self.push(" ");
            self.block(&[then]);
            self.push(" ");
        } else {
            self.body(then);
            self.next_keyword(then);
        }
        self.push("else");
        if let StmtKind::If { condition, then, otherwise: next } = self.ast.stmts[otherwise].kind
            && self.lines.is_none()
        {
            self.mark(self.ast.stmts[otherwise].span, Some(otherwise));
            let otherwise = next;
            self.push(" ");
            self.if_stmt(condition, then, otherwise);
        } else {
            self.body(otherwise);
        }
    }

    /// Whether an `else` behind this statement would belong to an `if` in it.
    fn would_take_else(&self, id: StmtId) -> bool {
        match &self.ast.stmts[id].kind {
            StmtKind::If { otherwise: None, .. } => true,
            StmtKind::If { otherwise: Some(last), .. }
            | StmtKind::While { body: last, .. }
            | StmtKind::For { body: last, .. }
            | StmtKind::Switch { body: last, .. }
            | StmtKind::Case { body: last, .. }
            | StmtKind::Default(last)
            | StmtKind::Label(_, last) => self.would_take_else(*last),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Block(_)
            | StmtKind::Declare(_)
            | StmtKind::DoWhile { .. }
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm(_)
            | StmtKind::Error => false,
        }
    }

    fn for_stmt(&mut self, init: Option<StmtId>, condition: Option<ExprId>, step: Option<ExprId>) {
        self.push("for (");
        let ast = self.ast;
        match init.map(|init| &ast.stmts[init].kind) {
            Some(StmtKind::Declare(items)) => {
                let vars: Vec<_> = items
                    .iter()
                    .filter_map(|item| if let Item::Var { id, .. } = item { Some(*id) } else { None })
                    .collect();
                self.var_list(&vars);
            }
            Some(StmtKind::Expr(expr)) => self.full_expr(*expr),
            Some(_) | None => {}
        }
        self.push(";");
        if let Some(condition) = condition {
            self.push(" ");
            self.full_expr(condition);
        }
        self.push(";");
        if let Some(step) = step {
            self.push(" ");
            self.full_expr(step);
        }
        self.push(")");
    }

    /// An `asm` statement or declaration with its semicolon.
    pub(crate) fn asm(&mut self, asm: &Asm) {
        self.push("__asm__");
        for (given, keyword) in [(asm.volatile, " volatile"), (asm.inline, " inline"), (asm.goto, " goto")] {
            if given {
                self.push(keyword);
            }
        }
        self.push("(");
        self.push(&literal::string(&asm.template));
        if asm.extended {
            self.push(" : ");
            self.asm_operands(&asm.outputs);
            self.push(" : ");
            self.asm_operands(&asm.inputs);
            self.push(" : ");
            let clobbers: Vec<_> = asm.clobbers.iter().map(literal::string).collect();
            self.push(&clobbers.join(", "));
            if asm.goto {
                let name = |&label: &LabelId| self.ast.text(self.ast.labels[label].name);
                let labels: Vec<_> = asm.labels.iter().map(name).collect();
                let labels = labels.join(", ");
                self.push(" : ");
                self.push(&labels);
            }
        }
        self.push(");");
    }

    fn asm_operands(&mut self, operands: &[AsmOperand]) {
        for (place, operand) in operands.iter().enumerate() {
            if place > 0 {
                self.push(", ");
            }
            if let Some(name) = operand.name {
                self.push("[");
                self.push(self.ast.text(name));
                self.push("] ");
            }
            self.push(&literal::string(&operand.constraint));
            self.push("(");
            self.full_expr(operand.value);
            self.push(")");
        }
    }
}
