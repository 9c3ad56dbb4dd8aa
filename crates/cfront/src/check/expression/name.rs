//! Names in expressions: variables, functions, constants; and what to say about unknown ones.

use raddle_base::{Diagnostic, Span};

use crate::ast::{ExprId, ExprKind, Function, FunctionId, Inline, PredefinedName};
use crate::check::Checker;
use crate::check::builtin::{self, KnownBuiltin};
use crate::check::scope::Name;
use crate::names::Symbol;
use crate::types::{QualType, Qualifiers, Types};

/// The name among `candidates` that `wanted` was most likely meant to be.
pub(crate) fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (wanted.len() / 3).min(4);
    candidates
        .filter(|candidate| candidate.len().abs_diff(wanted.len()) <= limit && *candidate != wanted)
        .map(|candidate| (distance(wanted, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be changed, added, dropped or swapped with their neighbour (restricted edit distance).
fn distance(left: &str, right: &str) -> usize {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, a) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, b) in right.iter().enumerate() {
            let change = last[column] + usize::from(a != b);
            let mut best = change.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *a == right[column - 1] && left[row - 1] == *b {
                best = best.min(before[column - 1] + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut last, current);
    }
    last[right.len()]
}

impl Checker {
    /// An identifier that stands for something in scope; `None` if it is unknown. A typedef name is reported.
    pub fn known_name(&mut self, name: Symbol, span: Span) -> Option<ExprId> {
        Some(match self.scopes.lookup(name)? {
            Name::Var(var) => {
                let ty = self.ast.vars[var].ty;
                self.expr(ExprKind::Var(var), ty, true, span)
            }
            Name::Function(function) => self.function_expr(function, span),
            Name::EnumConstant(id, place) => {
                let constants = self.ast.enums[id].constants.as_deref().unwrap_or_default();
                let ty = constants.get(place as usize).map_or(Types::int(), |constant| constant.ty);
                self.expr(ExprKind::EnumConstant(id, place), ty, false, span)
            }
            Name::Typedef(typedef) => {
                let text = self.ast.text(name).to_owned();
                let diagnostic =
                    Diagnostic::error(span, format!("expected an expression, found the type `{text}`"))
                        .also(self.ast.typedefs[typedef].span, "defined as a type here");
                self.diagnostics.push(diagnostic);
                self.error_expr(span)
            }
        })
    }

    /// A function as an expression.
    pub(crate) fn function_expr(&mut self, function: FunctionId, span: Span) -> ExprId {
        let ty = self.ast.functions[function].ty;
        self.expr(ExprKind::Function(function), ty, true, span)
    }

    /// Reports an unknown name, once in each function.
    pub fn undeclared(&mut self, name: Symbol, span: Span) -> ExprId {
        if self.function.is_some() && !self.body.undeclared.insert(name) {
            return self.error_expr(span);
        }
        let text = self.ast.text(name);
        let mut diagnostic = Diagnostic::error(span, format!("`{text}` is not declared"));
        diagnostic = if builtin::known(text).is_some() {
            diagnostic.label("a built-in that can only be called")
        } else if self.function.is_some() {
            diagnostic.label("first use in this function")
        } else {
            diagnostic.label("not found in this scope")
        };
        if let Some(similar) = self.similar_name(text) {
            diagnostic = diagnostic.help(format!("a similar name is in scope: `{similar}`"));
        }
        self.diagnostics.push(diagnostic);
        self.error_expr(span)
    }

    /// The name in scope that comes nearest to an unknown one.
    pub(crate) fn similar_name(&self, wanted: &str) -> Option<String> {
        let visible = |symbol: &Symbol| {
            matches!(
                self.scopes.lookup(*symbol),
                Some(Name::Var(_) | Name::Function(_) | Name::EnumConstant(..))
            )
        };
        let candidates = self.ast.names.symbols().filter(visible).map(|symbol| self.ast.text(symbol));
        nearest(wanted, candidates).map(str::to_owned)
    }

    /// `__func__` and its kin. At file scope gcc warns and takes the empty name (`top level` for the pretty one).
    pub fn predefined_name(&mut self, name: PredefinedName, span: Span) -> ExprId {
        let text: Box<str> = match self.function {
            Some(function) => self.ast.text(self.ast.functions[function].name).into(),
            None => {
                self.warning(span, "a function's name is asked for outside of any function");
                if name == PredefinedName::PrettyFunction { "top level".into() } else { "".into() }
            }
        };
        let element = QualType { id: Types::char(), qualifiers: Qualifiers::CONST };
        let ty = self.counted_array(element, text.len());
        self.expr(ExprKind::FunctionName(name, text), ty, true, span)
    }

    /// A built-in that is not called at once: only those that stand for library functions have an address.
    pub fn builtin_value(&mut self, name: Symbol, known: KnownBuiltin, span: Span) -> ExprId {
        if builtin::table::is_intrinsic(self.ast.text(name)) {
            return self.undeclared(name, span);
        }
        self.builtin_callee(name, known, span)
    }

    /// A built-in of ordinary type as a function; an error for the others, which can only be called.
    pub fn builtin_callee(&mut self, name: Symbol, known: KnownBuiltin, span: Span) -> ExprId {
        let function = match self.body.builtins.get(&name) {
            Some(&function) => function,
            None => {
                let Some(function) = self.declare_builtin(name, known) else {
                    return self.undeclared(name, span);
                };
                self.body.builtins.insert(name, function);
                function
            }
        };
        self.function_expr(function, span)
    }

    /// The function that stands for a built-in of ordinary type. No item declares it: every compiler knows it.
    fn declare_builtin(&mut self, name: Symbol, known: KnownBuiltin) -> Option<FunctionId> {
        let text = self.ast.text(name);
        let (ty, noreturn) = match known {
            KnownBuiltin::Ordinary(signature) => {
                let noreturn = matches!(
                    text,
                    "__builtin_unreachable" | "__builtin_trap" | "__builtin_longjmp" | "__builtin_return"
                );
                (self.signature_type(signature), noreturn)
            }
            KnownBuiltin::Library => {
                let stem = text.strip_prefix("__builtin_")?.to_owned();
                self.library_function(&stem)?
            }
            KnownBuiltin::Generic(_)
            | KnownBuiltin::Sized(..)
            | KnownBuiltin::Clang(..)
            | KnownBuiltin::Question(_) => return None,
        };
        let function = self.ast.functions.push(Function {
            name,
            ty: ty.into(),
            internal: false,
            inline: Inline::No,
            noreturn,
            parameters: Vec::new(),
            old_style: false,
            body: None,
            attributes: Vec::new(),
            asm_name: None,
            implicit: true,
            linked: None,
            owner: None,
            span: Span::NONE,
        });
        Some(function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let names = ["count", "counter", "printf", "x"];
        assert_eq!(nearest("cuont", names.into_iter()), Some("count"));
        assert_eq!(nearest("print", names.into_iter()), Some("printf"));
        assert_eq!(nearest("zzz", names.into_iter()), None);
        assert_eq!(nearest("y", names.into_iter()), None);
        assert_eq!(distance("abc", "acb"), 1);
        assert_eq!(distance("abc", ""), 3);
    }
}
