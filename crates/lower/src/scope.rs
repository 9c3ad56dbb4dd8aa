//! Variables with the attribute `cleanup`: their functions run wherever control leaves their block.

use raddle_cfront::ast::{self, Attribute, Item, LabelId, StmtId, StmtKind, VarId};
use raddle_ir::{Constant, InstKind, Operand};

use crate::place::{Body, Home};
use crate::refused::Refused;

impl Body<'_, '_> {
    /// The function that is to run when the variable's block is left.
    pub(crate) fn cleanup_of(&self, var: VarId) -> Option<ast::FunctionId> {
        self.ast.vars[var].attributes.iter().find_map(|attribute| match attribute {
            Attribute::Cleanup(function) => Some(*function),
            Attribute::Weak
            | Attribute::Alias(_)
            | Attribute::Constructor(_)
            | Attribute::Destructor(_)
            | Attribute::ReturnsTwice
            | Attribute::AlwaysInline
            | Attribute::NoInline => None,
        })
    }

    /// Ends the scopes inside the first `depth` variables.
    pub(crate) fn leave_scope(&mut self, depth: usize) {
        self.run_cleanups(depth);
        self.cleanups.truncate(depth);
    }

    /// Calls what is to be called when control leaves to where `depth` variables are in scope; the last declared goes first.
    pub(crate) fn run_cleanups(&mut self, depth: usize) {
        let running = self.cleanups[depth..].to_vec();
        for &(var, function) in running.iter().rev() {
            let Some(Home::Memory(address)) = self.homes.get(&var).copied() else { continue };
            let callee = self.program.function(function);
            if self.program.functions[callee].parameters.len() != 1 {
                self.refuse(Refused::WrongArguments);
                return;
            }
            self.b.emit(InstKind::Call {
                dest: None,
                callee: Operand::Constant(Constant::Function(callee)),
                arguments: vec![Operand::Register(address)],
            });
        }
    }

    /// Makes ready for a jump to a label, which may leave blocks but enters none that has such variables.
    pub(crate) fn leave_to(&mut self, label: LabelId) {
        match self.label_depths.get(&label).copied() {
            Some(depth) if depth < self.cleanups.len() => self.run_cleanups(depth),
            Some(_) => {}
            None if self.cleanups.is_empty() => {}
            None => {
                self.refuse(Refused::CleanupJump);
            }
        }
    }

    /// Notes how many such variables are in scope at each label.
    pub(crate) fn note_labels(&mut self, statement: StmtId, depth: usize) -> usize {
        let ast = self.ast;
        match &ast.stmts[statement].kind {
            StmtKind::Block(list) => {
                list.iter().fold(depth, |depth, &inner| self.note_labels(inner, depth));
                depth
            }
            StmtKind::Declare(items) => {
                let cleaned = items
                    .iter()
                    .filter(|item| matches!(**item, Item::Var { id, .. } if self.cleanup_of(id).is_some()));
                depth + cleaned.count()
            }
            StmtKind::Label(label, body) => {
                self.label_depths.insert(*label, depth);
                self.note_labels(*body, depth)
            }
            StmtKind::If { then, otherwise, .. } => {
                self.note_labels(*then, depth);
                if let Some(otherwise) = otherwise {
                    self.note_labels(*otherwise, depth);
                }
                depth
            }
            StmtKind::For { init, body, .. } => {
                let inside = init.map_or(depth, |init| self.note_labels(init, depth));
                self.note_labels(*body, inside);
                depth
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => {
                self.note_labels(*body, depth);
                depth
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) => self.note_labels(*body, depth),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm(_)
            | StmtKind::Error => depth,
        }
    }
}
