//! Names of things that passes bring into the world.

use raddle_base::Span;
use raddle_cfront::ast::{Encoding, Expr, ExprKind, Init, PredefinedName, Storage, StringLiteral, VarId};
use raddle_cfront::types::QualType;

use crate::build::new_var;
use crate::program::Program;

/// The object that holds a function's name: where its body is copied into another function, `__func__` would name that one.
/// Says also whether it is new, and so has to be declared.
pub(crate) fn function_name_object(
    program: &mut Program,
    name: PredefinedName,
    text: &str,
    ty: QualType,
    span: Span,
) -> (VarId, bool) {
    let kind = match name {
        PredefinedName::Func => "func",
        PredefinedName::Function => "function",
        PredefinedName::PrettyFunction => "pretty_function",
    };
    let wanted = format!("__{kind}_of_{text}");
    if let Some(symbol) = program.ast().names.find(&wanted) {
        let known = program.ast().vars.iter().find(|(_, var)| var.name == Some(symbol) && var.ty == ty);
        if let Some((known, _)) = known {
            return (known, false);
        }
    }
    let units: Box<[u32]> = text.bytes().map(u32::from).collect();
    let literal = ExprKind::String(StringLiteral { encoding: Encoding::Plain, units });
    // The literal's own type has no qualifiers.
    let bare = program.ast().types.canonical(ty);
    let literal_ty = match program.ast().types.written(bare.id).clone() {
        raddle_cfront::types::Type::Array { element, length } => {
            let element = QualType::plain(element.id);
            let ty = raddle_cfront::types::Type::Array { element, length };
            program.ast_mut().types.intern(ty)
        }
        _ => ty.id,
    };
    let init =
        program.ast_mut().exprs.push(Expr { kind: literal, ty: literal_ty.into(), lvalue: true, span });
    let symbol = program.ast_mut().names.intern(&wanted);
    let mut var = new_var(symbol, ty, Storage::Static, None, span);
    var.init = Some(Init::Expr(init));
    (program.ast_mut().vars.push(var), true)
}
