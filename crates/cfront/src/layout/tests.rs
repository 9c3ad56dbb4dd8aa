//! Small facts of the ABI and the limits; the bulk is tested against the compiler itself.

use raddle_base::Span;

use super::*;
use crate::ast::{Field, Record, RecordKind, Typedef};
use crate::types::Types;

fn field(ast: &mut Ast, name: &str, ty: impl Into<QualType>) -> Field {
    let name = (!name.is_empty()).then(|| ast.names.intern(name));
    Field { name, ty: ty.into(), width: None, packed: false, align: None, bit_offset: 0, span: Span::NONE }
}

fn record(ast: &mut Ast, kind: RecordKind, fields: Vec<Field>) -> (RecordId, Result<(), NoSize>) {
    let id = ast.records.push(Record {
        kind,
        tag: None,
        fields: Some(fields),
        packed: false,
        align: None,
        pack: None,
        transparent: false,
        size: 0,
        alignment: 0,
        layout: RecordLayout::default(),
        span: Span::NONE,
    });
    let result = lay_out_record(ast, id);
    (id, result)
}

fn array(ast: &mut Ast, element: impl Into<QualType>, length: ArrayLength) -> TypeId {
    ast.types.intern(Type::Array { element: element.into(), length })
}

fn sizes(ast: &Ast, id: impl Into<QualType>) -> (u64, u64, u64) {
    let ty = id.into();
    (size_of(ast, ty).unwrap(), align_of(ast, ty).unwrap(), preferred_align_of(ast, ty).unwrap())
}

#[test]
fn double_is_aligned_to_eight_but_not_in_records_of_ilp32() {
    let mut ast = Ast::new(DataModel::Ilp32);
    let fields = vec![field(&mut ast, "c", Types::char()), field(&mut ast, "d", Types::double())];
    let (id, result) = record(&mut ast, RecordKind::Struct, fields);
    assert_eq!(result, Ok(()));
    assert_eq!(ast.records[id].fields.as_ref().unwrap()[1].bit_offset, 32);
    assert_eq!((ast.records[id].size, ast.records[id].alignment), (12, 4));
    assert_eq!(sizes(&ast, Types::double()), (8, 4, 8));
    assert_eq!(sizes(&ast, QualType::plain(Types::long_long()).with(Qualifiers::ATOMIC)), (8, 8, 8));
}

#[test]
fn a_typedef_may_lower_an_alignment_and_arrays_of_it_keep_that() {
    let mut ast = Ast::new(DataModel::Lp64);
    let name = ast.names.intern("unaligned");
    let plain = QualType::plain(Types::int());
    let typedef = ast.typedefs.push(Typedef { name, ty: plain, align: Some(1), span: Span::NONE });
    let low = ast.types.typedef(typedef, plain);
    let many = array(&mut ast, low, ArrayLength::Fixed(3));
    assert_eq!(sizes(&ast, low), (4, 1, 1));
    assert_eq!(sizes(&ast, many), (12, 1, 1));
    assert_eq!(array_element_problem(&ast, low.into()), None);

    let typedef = ast.typedefs.push(Typedef { name, ty: plain, align: Some(16), span: Span::NONE });
    let high = ast.types.typedef(typedef, plain);
    assert_eq!(sizes(&ast, high), (4, 16, 16));
    assert!(array_element_problem(&ast, high.into()).is_some());
}

#[test]
fn what_is_too_large_says_so() {
    for (model, most) in [(DataModel::Lp64, (1_u64 << 63) - 1), (DataModel::Ilp32, (1 << 31) - 1)] {
        let mut ast = Ast::new(model);
        let fits = array(&mut ast, Types::char(), ArrayLength::Fixed(most));
        let exceeds = array(&mut ast, Types::char(), ArrayLength::Fixed(most + 1));
        let overflows = array(&mut ast, Types::long_long(), ArrayLength::Fixed(u64::MAX));
        let of_those = array(&mut ast, overflows, ArrayLength::Fixed(u64::MAX));
        assert_eq!(size_of(&ast, fits.into()), Ok(most));
        for id in [exceeds, overflows, of_those] {
            assert_eq!(size_of(&ast, id.into()), Err(NoSize::TooLarge));
        }
        let fields = vec![field(&mut ast, "a", fits), field(&mut ast, "b", fits), field(&mut ast, "c", fits)];
        let (id, result) = record(&mut ast, RecordKind::Struct, fields);
        assert_eq!(result, Err(NoSize::TooLarge));
        let ty = ast.types.intern(Type::Record(id));
        assert_eq!(size_of(&ast, ty.into()), Err(NoSize::TooLarge));
        assert!(is_complete(&ast, ty.into()));
    }
}

#[test]
fn incomplete_types_have_no_size() {
    let mut ast = Ast::new(DataModel::Lp64);
    let unknown = array(&mut ast, Types::int(), ArrayLength::Unknown);
    let fields = vec![field(&mut ast, "n", Types::char()), field(&mut ast, "a", unknown)];
    let (id, _) = record(&mut ast, RecordKind::Struct, fields);
    assert_eq!((ast.records[id].size, ast.records[id].alignment), (4, 4));
    ast.records[id].fields = None;
    let incomplete = ast.types.intern(Type::Record(id));
    for id in [unknown, incomplete, Types::void()] {
        assert_eq!(size_of(&ast, id.into()), Err(NoSize::Incomplete));
        assert!(!is_complete(&ast, id.into()));
    }
    assert_eq!(align_of(&ast, unknown.into()), Ok(4));
    assert_eq!(align_of(&ast, incomplete.into()), Err(NoSize::Incomplete));
}

#[test]
fn members_are_found_through_anonymous_ones() {
    let mut ast = Ast::new(DataModel::Lp64);
    let fields = vec![field(&mut ast, "x", Types::int()), field(&mut ast, "y", Types::int())];
    let (inner, _) = record(&mut ast, RecordKind::Struct, fields);
    let inner_type = ast.types.intern(Type::Record(inner));
    let fields = vec![field(&mut ast, "z", Types::int()), field(&mut ast, "", inner_type)];
    let (middle, _) = record(&mut ast, RecordKind::Union, fields);
    let middle_type = ast.types.intern(Type::Record(middle));
    let fields = vec![field(&mut ast, "", middle_type), field(&mut ast, "named", inner_type)];
    let (outer, _) = record(&mut ast, RecordKind::Struct, fields);
    let mut way = |name: &str| {
        let name = ast.names.intern(name);
        find_field(&ast, outer, name)
    };
    assert_eq!(way("y"), Some(vec![(outer, 0), (middle, 1), (inner, 1)]));
    assert_eq!(way("z"), Some(vec![(outer, 0), (middle, 0)]));
    assert_eq!(way("named"), Some(vec![(outer, 1)]));
    assert_eq!(way("absent"), None);
}

#[test]
fn integers_wrap_as_their_types_do() {
    let model = DataModel::Lp64;
    assert_eq!(model.wrap(300, IntKind::UnsignedChar), 44);
    assert_eq!(model.wrap(200, IntKind::Char), -56);
    assert_eq!(model.wrap(256, IntKind::Bool), 1);
    assert_eq!(model.wrap(-1, IntKind::UnsignedLong), i128::from(u64::MAX));
    assert_eq!(DataModel::Ilp32.wrap(-1, IntKind::UnsignedLong), i128::from(u32::MAX));
    assert_eq!(model.wrap(i128::MIN, IntKind::Int128), i128::MIN);
    assert!(model.fits(-128, IntKind::SignedChar) && !model.fits(128, IntKind::SignedChar));
}

#[test]
fn enumerations_have_the_type_that_holds_them() {
    use DataModel::{Ilp32, Lp64};
    let big = i128::from(u32::MAX);
    let cases = [
        (Lp64, 0, 5, false, IntKind::UnsignedInt),
        (Lp64, -1, 5, false, IntKind::Int),
        (Lp64, -1, big, false, IntKind::Long),
        (Ilp32, -1, big, false, IntKind::LongLong),
        (Lp64, 0, big + 1, false, IntKind::UnsignedLong),
        (Lp64, 0, 255, true, IntKind::UnsignedChar),
        (Lp64, 0, 256, true, IntKind::UnsignedShort),
        (Lp64, -1, 255, true, IntKind::Short),
    ];
    for (model, low, high, packed, kind) in cases {
        assert_eq!(fitting_integer(model, low, high, packed), kind, "{model:?} {low} {high} {packed}");
    }
}
