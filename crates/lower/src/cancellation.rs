//! Calls that may be cancellation points, by POSIX's second list. The models of what must be one test for themselves.
//!
//! The test comes behind the call: whatever a function did until then it may have done before it found the request.

use raddle_cfront::ast::FunctionId as CFunctionId;
use raddle_cfront::library::OPTIONAL_CANCELLATION_POINTS;
use raddle_cfront::spelling::spelled;
use raddle_ir::{Constant, InstKind, Operand};

use crate::place::Body;

impl Body<'_, '_> {
    /// Behind a call of a library function: the thread may end here, if another has asked for that.
    pub(crate) fn cancellation_point(&mut self, function: CFunctionId) {
        let name = spelled(self.code.ast.text(self.code.ast.functions[function].name));
        if !OPTIONAL_CANCELLATION_POINTS.contains(&name.as_ref()) {
            return;
        }
        let is_library = self.code.program.is_model(self.code.program.resolve_function(function));
        if !is_library
            || self.code.program.is_model(self.function)
            || !self.code.program.uses("pthread_cancel")
        {
            return;
        }
        if let Some(test) = self.code.program.defined_function("__model___cancel_optional") {
            let callee = Operand::Constant(Constant::Function(test));
            self.code.b.emit(InstKind::Call { dest: None, callee, arguments: Vec::new() });
        }
    }
}
