//! Names in expressions: variables, functions, constants; and what to say about unknown ones.

use raddle_base::{Diagnostic, Span};

use crate::ast::{ExprId, ExprKind, Function, FunctionId, Inline, PredefinedName};
use crate::check::TreeBuilder;
use crate::check::builtin::{self, KnownBuiltin};
use crate::check::scope::{Name, Scopes};
use crate::names::Symbol;
use crate::types::{QualType, Qualifiers, Types};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// Checks names in expressions, and declares what C lets stand undeclared.
#[derive(Debug)]
pub struct Identifiers<'t> {
    pub(in crate::check) tree: &'t mut TreeBuilder,
    pub(in crate::check) scopes: &'t mut Scopes,
    pub(in crate::check) known: &'t mut KnownNames,
    /// The function whose body is being read.
    function: Option<FunctionId>,
}

/// Names without a declaration that were met.
#[derive(Clone, Debug, Default)]
pub struct KnownNames {
    /// Reported as unknown in the function being read.
    undeclared: FxHashSet<Symbol>,
    /// The functions that stand for built-ins, in the whole program.
    pub(in crate::check) builtins: FxHashMap<Symbol, FunctionId>,
}

impl KnownNames {
    /// Another function begins: what is unknown there is reported again.
    pub(in crate::check) fn forget_undeclared(&mut self) {
        self.undeclared.clear();
    }
}

impl<'t> Identifiers<'t> {
    pub(in crate::check) fn new(
        tree: &'t mut TreeBuilder,
        scopes: &'t mut Scopes,
        known: &'t mut KnownNames,
        function: Option<FunctionId>,
    ) -> Self {
        Self { tree, scopes, known, function }
    }
}

impl Identifiers<'_> {
    /// An identifier that stands for something in scope; `None` if it is unknown. A typedef name is reported.
    pub fn known_name(&mut self, name: Symbol, span: Span) -> Option<ExprId> {
        Some(match self.scopes.lookup(name)? {
            Name::Var(var) => {
                let ty = self.tree.ast.vars[var].ty;
                self.tree.expr(ExprKind::Var(var), ty, true, span)
            }
            Name::Function(function) => self.function_expr(function, span),
            Name::EnumConstant(id, place) => {
                let constants = self.tree.ast.enums[id].constants.as_deref().unwrap_or_default();
                let ty = constants.get(place as usize).map_or(Types::int(), |constant| constant.ty);
                self.tree.expr(ExprKind::EnumConstant(id, place), ty, false, span)
            }
            Name::Typedef(typedef) => {
                let text = self.tree.ast.text(name).to_owned();
                let diagnostic =
                    Diagnostic::error(span, format!("expected an expression, found the type `{text}`"))
                        .also(self.tree.ast.typedefs[typedef].span, "defined as a type here");
                self.tree.diagnostics.push(diagnostic);
                self.tree.error_expr(span)
            }
        })
    }

    /// A function as an expression.
    pub(crate) fn function_expr(&mut self, function: FunctionId, span: Span) -> ExprId {
        let ty = self.tree.ast.functions[function].ty;
        self.tree.expr(ExprKind::Function(function), ty, true, span)
    }

    /// Reports an unknown name, once in each function.
    pub fn undeclared(&mut self, name: Symbol, span: Span) -> ExprId {
        if self.function.is_some() && !self.known.undeclared.insert(name) {
            return self.tree.error_expr(span);
        }
        let text = self.tree.ast.text(name);
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
        self.tree.diagnostics.push(diagnostic);
        self.tree.error_expr(span)
    }

    /// The name in scope that comes nearest to an unknown one.
    pub(crate) fn similar_name(&self, wanted: &str) -> Option<String> {
        let visible = |symbol: &Symbol| {
            matches!(
                self.scopes.lookup(*symbol),
                Some(Name::Var(_) | Name::Function(_) | Name::EnumConstant(..))
            )
        };
        let candidates =
            self.tree.ast.names.symbols().filter(visible).map(|symbol| self.tree.ast.text(symbol));
        nearest(wanted, candidates).map(str::to_owned)
    }

    /// `__func__` and its kin. At file scope gcc warns and takes the empty name (`top level` for the pretty one).
    pub fn predefined_name(&mut self, name: PredefinedName, span: Span) -> ExprId {
        let text: Box<str> = match self.function {
            Some(function) => self.tree.ast.text(self.tree.ast.functions[function].name).into(),
            None => {
                self.tree.warning(span, "a function's name is asked for outside of any function");
                if name == PredefinedName::PrettyFunction { "top level".into() } else { "".into() }
            }
        };
        let element = QualType { id: Types::char(), qualifiers: Qualifiers::CONST };
        let ty = self.tree.primaries().counted_array(element, text.len());
        self.tree.expr(ExprKind::FunctionName(name, text), ty, true, span)
    }

    /// A built-in that is not called at once: only those that stand for library functions have an address.
    pub fn builtin_value(&mut self, name: Symbol, known: KnownBuiltin, span: Span) -> ExprId {
        if builtin::table::is_intrinsic(self.tree.ast.text(name)) {
            return self.undeclared(name, span);
        }
        self.builtin_callee(name, known, span)
    }

    /// A built-in of ordinary type as a function; an error for the others, which can only be called.
    pub fn builtin_callee(&mut self, name: Symbol, known: KnownBuiltin, span: Span) -> ExprId {
        let function = match self.known.builtins.get(&name) {
            Some(&function) => function,
            None => {
                let Some(function) = self.declare_builtin(name, known) else {
                    return self.undeclared(name, span);
                };
                self.known.builtins.insert(name, function);
                function
            }
        };
        self.function_expr(function, span)
    }

    /// The function that stands for a built-in of ordinary type. No item declares it: every compiler knows it.
    fn declare_builtin(&mut self, name: Symbol, known: KnownBuiltin) -> Option<FunctionId> {
        let text = self.tree.ast.text(name);
        let (ty, noreturn) = match known {
            KnownBuiltin::Ordinary(signature) => {
                let noreturn = matches!(
                    text,
                    "__builtin_unreachable" | "__builtin_trap" | "__builtin_longjmp" | "__builtin_return"
                );
                (self.tree.library_types().signature_type(signature), noreturn)
            }
            KnownBuiltin::Library => {
                let stem = text.strip_prefix("__builtin_")?.to_owned();
                self.tree.library_types().library_function(&stem)?
            }
            KnownBuiltin::Generic(_)
            | KnownBuiltin::Sized(..)
            | KnownBuiltin::Clang(..)
            | KnownBuiltin::Question(_) => return None,
        };
        let function = self.tree.ast.functions.push(Function {
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
