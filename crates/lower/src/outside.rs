//! What code that is not part of the program is called for, and what is refused because nobody declares it.

use crate::library_state::{LibraryState, library_state};
use crate::lowering::Lowering;
use raddle_base::Table;
use raddle_cfront::ast::{self, Storage, VarId};
use raddle_cfront::check::header::header_of;
use raddle_cfront::primitive::Primitive;
use raddle_ir::{Block, FunctionId, GlobalId, Outside, Terminator, UndefinedFunction};
use rustc_hash::FxHashSet;

/// Whether a function of the program has a name that means something to verifiers: nobody else calls it.
fn is_reserved(name: &str) -> bool {
    Primitive::named(name) == Some(Primitive::Error) || name.starts_with("__VERIFIER_")
}

impl Lowering<'_> {
    /// Gives library functions and macros that are used without their header a body that says so: nobody means another function.
    pub(crate) fn refuse_undeclared(&mut self) {
        let mut ids: Vec<(ast::FunctionId, FunctionId)> =
            self.function_ids.iter().map(|(id, known)| (*id, *known)).collect();
        ids.sort_unstable();
        for (id, known) in ids {
            let function = &self.ast.functions[id];
            let name = self.ast.text(function.name);
            let Some(header) = header_of(name).filter(|_| function.implicit || name == "assert") else {
                continue;
            };
            if self.functions[known].blocks.is_empty() {
                let what = format!("`{name}`, which is not declared: `#include <{header}>` is missing");
                let terminator = Terminator::Unsupported(what.into());
                let block = Block { insts: Vec::new(), terminator, span: function.span };
                self.functions[known].blocks = Table::from_iter([block]);
            }
        }
    }

    /// What code that is not part of the program is called for, what it can name, and what the library keeps for it.
    pub(crate) fn outside(&self) -> Outside {
        let undefined = self.functions.iter().filter(|(_, function)| function.blocks.is_empty());
        let functions = undefined.map(|(id, function)| UndefinedFunction {
            id,
            pure: self.options.environment.pure.contains(&function.name),
        });
        let of_models = self.ast.units[self.units..].iter().flat_map(|unit| &unit.items);
        let of_models: FxHashSet<VarId> = of_models
            .filter_map(|item| if let ast::Item::Var { id, .. } = *item { Some(id) } else { None })
            .collect();
        let mut known: Vec<(VarId, GlobalId)> =
            self.global_ids.iter().map(|(var, global)| (*var, *global)).collect();
        known.sort_unstable_by_key(|(_, global)| *global);
        let mut outside = Outside { functions: functions.collect(), ..Outside::default() };
        for (id, global) in known {
            let var = &self.ast.vars[id];
            // Objects of models are state of the library, whatever linkage they have.
            let state = var.name.filter(|_| of_models.contains(&id)).map(|name| self.ast.text(name));
            match state.map(library_state) {
                Some(LibraryState::Hidden) => outside.hidden.push(global),
                Some(LibraryState::Handlers) => outside.handlers.push(global),
                None if var.storage == Storage::External => outside.objects.push(global),
                Some(LibraryState::Own) | None => {}
            }
        }
        let callable = |(id, known): (&ast::FunctionId, &FunctionId)| {
            let function = &self.ast.functions[*id];
            let name = self.ast.text(function.name);
            // Nobody but the program's start calls `main`, and nobody outside knows the names that verifiers
            // reserve.
            let is_ours = name == "main" || is_reserved(name);
            let defined = function.body.is_some() && !function.internal && !self.is_model(*id);
            (defined && !is_ours).then_some(*known)
        };
        outside.entries = self.function_ids.iter().filter_map(callable).collect();
        outside.entries.sort_unstable();
        outside
    }
}
