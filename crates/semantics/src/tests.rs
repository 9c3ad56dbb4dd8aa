//! Terms against the VM: every operator, over many widths, on random and on telling operands, as constants (which fold) and as
//! symbols (which are evaluated); and bytes that are split and joined.

use raddle_base::{Id, SplitMix};
use raddle_ir::{BinaryOp, CastOp, CompareOp, OverflowOp, Property, RmwOp, Type, UnaryOp};
use raddle_logic::term::{Model, Sort, TermId, Terms};
use raddle_vm::value as vm;

use super::pointers::{overlap, overlap_in_part, possible_offsets};
use super::{AddressSpace, Background, Contents, ObjectId, View, WordLayout, values};

const POINTER_BITS: u8 = 64;
const WIDTHS: [u8; 10] = [1, 3, 7, 8, 13, 16, 32, 33, 64, 128];

/// A number of a width: often one at which operators change what they do.
fn operand(random: &mut SplitMix, width: u8) -> u128 {
    let anything = u128::from(random.bits()) << 64 | u128::from(random.bits());
    let chosen = match random.below(8) {
        0 => 0,
        1 => 1,
        2 => u128::MAX,
        3 => 1 << (width - 1),
        4 => (1 << (width - 1)) - 1,
        5 => anything >> (random.below(128)),
        6 => u128::from(width),
        _ => anything,
    };
    chosen & vm::mask(width)
}

/// A floating-point number: often a special one.
fn float_operand(random: &mut SplitMix, ty: Type) -> u128 {
    let special =
        [0.0, -0.0, 1.0, -1.5, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324, 2_147_483_648.0, 0.1];
    let number = match special.get(random.below(24)) {
        Some(number) => *number,
        None => f64::from_bits(random.bits()),
    };
    match ty {
        #[expect(clippy::cast_possible_truncation, reason = "any single-precision number will do")]
        Type::F32 => u128::from((number as f32).to_bits()),
        Type::F64 | Type::Int(_) | Type::Ptr => u128::from(number.to_bits()),
    }
}

fn is_nan(bits: u128, ty: Type) -> bool {
    match ty {
        Type::F32 => vm::to_f32(bits).is_nan(),
        Type::F64 => vm::to_f64(bits).is_nan(),
        Type::Int(_) | Type::Ptr => false,
    }
}

/// Makes terms of operands twice, of constants and of symbols, and gives what each evaluates to.
fn both_ways(
    operands: &[(Type, u128)],
    make: impl Fn(&mut Terms, &[TermId]) -> Vec<TermId>,
) -> [Vec<u128>; 2] {
    [true, false].map(|constant| {
        let (mut terms, mut model) = (Terms::new(), Model::new());
        let inputs: Vec<TermId> = operands
            .iter()
            .map(|&(ty, bits)| {
                if constant {
                    return values::constant(&mut terms, ty, bits, POINTER_BITS.into());
                }
                let input = terms.fresh("operand", values::sort(ty, POINTER_BITS.into()));
                let symbol = terms.as_symbol(input).expect("it is one");
                match terms.sort(input) {
                    Sort::Bool => model.set_bool(symbol, bits == 1),
                    Sort::BitVec(_) | Sort::Array { .. } => model.set_bits(symbol, bits),
                }
                input
            })
            .collect();
        let made = make(&mut terms, &inputs);
        let scalar = |term: TermId| {
            let value = model.eval(&terms, term);
            value.as_bits().or(value.as_bool().map(u128::from)).expect("no value is an array")
        };
        made.into_iter().map(scalar).collect()
    })
}

/// Terms give the bits that the VM does; one not-a-number is as good as another.
fn assert_value(
    operands: &[(Type, u128)],
    to: Type,
    expected: u128,
    what: &str,
    make: impl Fn(&mut Terms, &[TermId]) -> TermId,
) {
    for result in both_ways(operands, |terms, inputs| vec![make(terms, inputs)]) {
        let same = result[0] == expected || is_nan(result[0], to) && is_nan(expected, to);
        assert!(same, "{what} of {operands:x?} is {:x}, not {expected:x}", result[0]);
    }
}

#[test]
fn operators_with_one_operand_are_those_of_the_vm() {
    let mut random = SplitMix::new(1);
    let integer = [
        UnaryOp::Neg,
        UnaryOp::Not,
        UnaryOp::CountLeadingZeros,
        UnaryOp::CountTrailingZeros,
        UnaryOp::PopCount,
        UnaryOp::ByteSwap,
    ];
    for width in WIDTHS {
        for op in integer {
            // Counts need a type that can say the width; bytes need whole ones.
            let counts =
                matches!(op, UnaryOp::CountLeadingZeros | UnaryOp::CountTrailingZeros | UnaryOp::PopCount);
            if counts && width < 8 || op == UnaryOp::ByteSwap && width % 16 != 0 {
                continue;
            }
            for _ in 0..12 {
                let (ty, bits) = (Type::Int(width), operand(&mut random, width));
                let expected = vm::unary(op, bits, ty, POINTER_BITS);
                assert_value(&[(ty, bits)], ty, expected, &format!("{op:?}"), |terms, inputs| {
                    values::unary(terms, op, inputs[0], ty)
                });
            }
        }
    }
    for ty in [Type::F32, Type::F64] {
        for op in [UnaryOp::FloatNeg, UnaryOp::FloatAbs, UnaryOp::FloatSqrt] {
            for _ in 0..6 {
                let bits = float_operand(&mut random, ty);
                let expected = vm::unary(op, bits, ty, POINTER_BITS);
                assert_value(&[(ty, bits)], ty, expected, &format!("{op:?}"), |terms, inputs| {
                    values::unary(terms, op, inputs[0], ty)
                });
            }
        }
    }
}

#[test]
fn operators_with_two_operands_are_those_of_the_vm() {
    let mut random = SplitMix::new(2);
    let integer = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::SignedDiv,
        BinaryOp::UnsignedDiv,
        BinaryOp::SignedRem,
        BinaryOp::UnsignedRem,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Shl,
        BinaryOp::SignedShr,
        BinaryOp::UnsignedShr,
    ];
    let float = [BinaryOp::FloatAdd, BinaryOp::FloatSub, BinaryOp::FloatMul, BinaryOp::FloatDiv];
    let check = |op: BinaryOp, ty: Type, left: u128, (right_ty, right): (Type, u128)| {
        let operands = [(ty, left), (right_ty, right)];
        let expected = vm::binary(op, left, right, ty, POINTER_BITS);
        for result in both_ways(&operands, |terms, inputs| {
            let values::Binary { result, defined, fits } =
                values::binary(terms, op, inputs[0], inputs[1], ty);
            vec![result, defined, fits]
        }) {
            let why = expected.err().map(vm::Undefined::property);
            let broken = match (result[1] == 1, result[2] == 1) {
                (true, true) => None,
                (true, false) => Some(Property::Overflow),
                (false, _) => Some(Property::Arithmetic),
            };
            assert_eq!(broken, why, "{op:?} of {operands:x?} is defined as in the VM");
            if let Ok(expected) = expected {
                let same = result[0] == expected || is_nan(result[0], ty) && is_nan(expected, ty);
                assert!(same, "{op:?} of {operands:x?} is {:x}, not {expected:x}", result[0]);
            }
        }
    };
    for width in WIDTHS {
        for op in integer {
            for _ in 0..12 {
                let (ty, left) = (Type::Int(width), operand(&mut random, width));
                let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::SignedShr | BinaryOp::UnsignedShr);
                // The amount of a shift may have another width.
                let right_width = if is_shift && random.below(2) == 0 { 8 } else { width };
                check(op, ty, left, (Type::Int(right_width), operand(&mut random, right_width)));
            }
        }
    }
    for ty in [Type::F32, Type::F64] {
        for op in float {
            for _ in 0..6 {
                let (left, right) = (float_operand(&mut random, ty), float_operand(&mut random, ty));
                check(op, ty, left, (ty, right));
            }
        }
    }
}

#[test]
fn comparisons_and_overflows_are_those_of_the_vm() {
    let mut random = SplitMix::new(3);
    let integer = [
        CompareOp::Equal,
        CompareOp::NotEqual,
        CompareOp::SignedLess,
        CompareOp::SignedLessEqual,
        CompareOp::UnsignedLess,
        CompareOp::UnsignedLessEqual,
    ];
    let overflow = [
        OverflowOp::SignedAdd,
        OverflowOp::UnsignedAdd,
        OverflowOp::SignedSub,
        OverflowOp::UnsignedSub,
        OverflowOp::SignedMul,
        OverflowOp::UnsignedMul,
    ];
    let truth = Type::Int(1);
    for width in WIDTHS {
        for _ in 0..12 {
            let ty = Type::Int(width);
            let (left, right) = (operand(&mut random, width), operand(&mut random, width));
            let operands = [(ty, left), (ty, right)];
            for op in integer {
                let expected = vm::compare(op, left, right, ty, POINTER_BITS).into();
                assert_value(&operands, truth, expected, &format!("{op:?}"), |terms, inputs| {
                    values::compare(terms, op, inputs[0], inputs[1], ty)
                });
            }
            for op in overflow {
                let expected = vm::overflows(op, left, right, width).into();
                assert_value(&operands, truth, expected, &format!("{op:?}"), |terms, inputs| {
                    values::overflows(terms, op, inputs[0], inputs[1])
                });
                // Against one constant there is a shorter way.
                let [_, half] = both_ways(&operands[..1], |terms, inputs| {
                    let constant = values::constant(terms, ty, right, POINTER_BITS.into());
                    vec![values::overflows(terms, op, inputs[0], constant)]
                });
                assert_eq!(half[0], expected, "{op:?} of {operands:x?}");
            }
        }
    }
    for ty in [Type::F32, Type::F64] {
        for op in [CompareOp::FloatEqual, CompareOp::FloatLess, CompareOp::FloatLessEqual] {
            for _ in 0..12 {
                let (left, right) = (float_operand(&mut random, ty), float_operand(&mut random, ty));
                let right = if random.below(3) == 0 { left } else { right };
                let expected = vm::compare(op, left, right, ty, POINTER_BITS).into();
                assert_value(
                    &[(ty, left), (ty, right)],
                    truth,
                    expected,
                    &format!("{op:?}"),
                    |terms, inputs| values::compare(terms, op, inputs[0], inputs[1], ty),
                );
            }
        }
    }
}

#[test]
fn conversions_are_those_of_the_vm() {
    let mut random = SplitMix::new(4);
    let check = |op: CastOp, from: Type, to: Type, bits: u128| {
        let expected = vm::cast(op, bits, from, to, POINTER_BITS);
        assert_value(&[(from, bits)], to, expected, &format!("{op:?} to {to:?}"), |terms, inputs| {
            values::cast(terms, op, inputs[0], (from, to), POINTER_BITS.into())
        });
    };
    for from in WIDTHS {
        for to in WIDTHS {
            for _ in 0..6 {
                let (bits, types) = (operand(&mut random, from), (Type::Int(from), Type::Int(to)));
                if to < from {
                    check(CastOp::Truncate, types.0, types.1, bits);
                } else if to > from {
                    check(CastOp::ZeroExtend, types.0, types.1, bits);
                    check(CastOp::SignExtend, types.0, types.1, bits);
                }
            }
        }
    }
    for float in [Type::F32, Type::F64] {
        for width in [8, 16, 32, 64] {
            for _ in 0..4 {
                let (int, bits) = (Type::Int(width), operand(&mut random, width));
                check(CastOp::SignedToFloat, int, float, bits);
                check(CastOp::UnsignedToFloat, int, float, bits);
                let number = float_operand(&mut random, float);
                check(CastOp::FloatToSigned, float, int, number);
                check(CastOp::FloatToUnsigned, float, int, number);
            }
        }
    }
    for _ in 0..12 {
        check(CastOp::FloatToFloat, Type::F32, Type::F64, float_operand(&mut random, Type::F32));
        check(CastOp::FloatToFloat, Type::F64, Type::F32, float_operand(&mut random, Type::F64));
        check(CastOp::Bits, Type::F64, Type::Int(64), float_operand(&mut random, Type::F64));
        check(CastOp::Bits, Type::Int(32), Type::F32, operand(&mut random, 32));
    }
}

#[test]
fn read_modify_writes_are_what_their_names_say() {
    let mut random = SplitMix::new(5);
    for width in [8, 16, 32, 64] {
        for _ in 0..24 {
            let ty = Type::Int(width);
            let (old, new) = (operand(&mut random, width), operand(&mut random, width));
            let (signed_old, signed_new) = (vm::signed(old, width), vm::signed(new, width));
            let all = vm::mask(width);
            let expected = [
                (RmwOp::Exchange, new),
                (RmwOp::Add, old.wrapping_add(new) & all),
                (RmwOp::Sub, old.wrapping_sub(new) & all),
                (RmwOp::And, old & new),
                (RmwOp::Nand, !(old & new) & all),
                (RmwOp::Or, old | new),
                (RmwOp::Xor, old ^ new),
                (RmwOp::SignedMin, vm::unsigned(signed_old.min(signed_new), width)),
                (RmwOp::SignedMax, vm::unsigned(signed_old.max(signed_new), width)),
                (RmwOp::UnsignedMin, old.min(new)),
                (RmwOp::UnsignedMax, old.max(new)),
            ];
            for (op, expected) in expected {
                assert_value(&[(ty, old), (ty, new)], ty, expected, &format!("{op:?}"), |terms, inputs| {
                    values::rmw(terms, op, inputs[0], inputs[1], ty)
                });
            }
        }
    }
}

fn addresses() -> AddressSpace {
    let nowhere = ObjectId::from_index(9);
    AddressSpace::new(64, 40, 10, nowhere)
}

#[test]
fn a_moved_pointer_stays_with_its_object_or_points_nowhere() {
    let (mut terms, addresses) = (Terms::new(), addresses());
    let object = ObjectId::from_index(3);
    let base = addresses.first_byte(&mut terms, object);
    let near = terms.signed_bits(-5, 64);
    let moved = addresses.moved(&mut terms, base, near);
    assert_eq!(terms.as_bits(moved), Some(addresses.base(object) - 5));
    assert_eq!(addresses.known_object(&terms, moved), Some(object));
    let far = terms.bits(addresses.span(), 64);
    let moved = addresses.moved(&mut terms, base, far);
    assert_eq!(terms.as_bits(moved), Some(addresses.base(addresses.nowhere())));
    // Numbers move among themselves, also below zero.
    let (two, back) = (terms.bits(2, 64), terms.signed_bits(-8, 64));
    let moved = addresses.moved(&mut terms, two, back);
    assert_eq!(terms.as_bits(moved), Some(u128::from(u64::MAX) - 5));
}

#[test]
fn the_objects_of_a_choice_are_those_of_its_branches() {
    let (mut terms, addresses) = (Terms::new(), addresses());
    let condition = terms.symbol("condition", Sort::Bool);
    let [a, b] = [2, 5].map(ObjectId::from_index);
    let (first, second) = (addresses.first_byte(&mut terms, a), addresses.first_byte(&mut terms, b));
    let either = terms.ite(condition, first, second);
    let index = terms.symbol("index", Sort::BitVec(64));
    let moved = terms.add(either, index);
    for pointer in [either, moved] {
        let list = addresses.targets(&mut terms, pointer).expect("they are known");
        assert_eq!(list.iter().map(|target| target.object).collect::<Vec<_>>(), [a, b]);
        assert_eq!(list[0].condition, condition);
    }
    assert!(addresses.targets(&mut terms, index).is_none());
    let start = addresses.first_address(&mut terms, either);
    assert_eq!(start, either);
}

#[test]
fn an_access_is_within_an_object_if_all_its_bytes_are() {
    let (mut terms, addresses) = (Terms::new(), addresses());
    let object_size = terms.bits(10, 64);
    let mut within = |offset: i128, size: u32| {
        let offset = terms.signed_bits(offset, 64);
        let within = addresses.within(&mut terms, offset, size, object_size);
        terms.as_bool(within).expect("all is constant")
    };
    assert!(within(0, 10) && within(6, 4) && within(10, 0));
    assert!(!within(7, 4) && !within(-1, 1) && !within(0, 11) && !within(11, 0));
}

#[test]
fn accesses_overlap_by_bytes() {
    assert!(overlap((8, 4), (11, 1)) && overlap((8, 4), (4, 8)));
    assert!(!overlap((8, 4), (12, 4)) && !overlap((8, 4), (4, 4)));
    let mut terms = Terms::new();
    let index = terms.symbol("index", Sort::BitVec(61));
    let zeros = terms.bits(0, 3);
    let aligned = terms.concat(index, zeros);
    let four = terms.bits(4, 64);
    let upper = terms.add(aligned, four);
    assert!(!overlap_in_part(&terms, (aligned, 8), (aligned, 8)));
    assert!(overlap_in_part(&terms, (aligned, 8), (upper, 4)));
    assert_eq!(possible_offsets(&terms, aligned, 8, 24), Some(vec![0, 8, 16]));
    assert_eq!(possible_offsets(&terms, four, 8, 24), Some(vec![4]));
    assert_eq!(possible_offsets(&terms, aligned, 1, 1 << 30), None, "too many");
}

/// Bytes are written in pieces and read in others; a plain array of bytes says what must be there.
#[test]
fn contents_hold_what_an_array_of_bytes_would() {
    let mut random = SplitMix::new(6);
    for marked in [false, true] {
        let layout = WordLayout { marked, pointer_bytes: 8 };
        let mut terms = Terms::new();
        let mut contents = Contents::new(Background::Zero, layout);
        let mut bytes = [0_u8; 32];
        for _ in 0..400 {
            let size = 1_u32 << random.below(4);
            let first = random.below(bytes.len() - size as usize + 1);
            let (at, range) = (u64::try_from(first).unwrap(), first..first + size as usize);
            if random.below(2) == 0 {
                let number = operand(&mut random, 64) & vm::mask(u8::try_from(8 * size).unwrap());
                let word = layout.constant(&mut terms, number, size);
                contents.write(at, size, word, &mut terms);
                bytes[range].copy_from_slice(&number.to_le_bytes()[..size as usize]);
            } else {
                let cell = contents.cell_at(at, size, &mut terms);
                let found = layout.bytes(&mut terms, cell.value, size);
                let mut expected = [0_u8; 16];
                expected[..size as usize].copy_from_slice(&bytes[range]);
                assert_eq!(terms.as_bits(found), Some(u128::from_le_bytes(expected)));
            }
        }
    }
}

#[test]
fn merged_contents_are_those_of_the_path_that_was_taken() {
    let layout = WordLayout { marked: false, pointer_bytes: 8 };
    let mut terms = Terms::new();
    let selector = terms.symbol("first", Sort::Bool);
    let (wide, narrow) = (terms.bits(0x0403_0201, 32), terms.bits(0xff, 8));
    let mut first = Contents::new(Background::Zero, layout);
    first.write(0, 4, wide, &mut terms);
    let mut second = Contents::new(Background::Zero, layout);
    second.write(1, 1, narrow, &mut terms);
    second.write(8, 1, narrow, &mut terms);
    first.merge(&second, selector, &mut terms);
    let symbol = terms.as_symbol(selector).expect("it is one");
    for (taken, expected) in [(true, [0x0403_0201, 0]), (false, [0xff00, 0xff])] {
        let mut model = Model::new();
        model.set_bool(symbol, taken);
        let cells = [(0, 4), (8, 1)].map(|(at, size)| first.cell_at(at, size, &mut terms).value);
        assert_eq!(cells.map(|cell| model.eval(&terms, cell).as_bits().unwrap()), expected);
    }
}

#[test]
fn a_pointer_in_memory_is_no_number_and_pieces_of_it_are_nothing() {
    let (mut terms, addresses) = (Terms::new(), addresses());
    let layout = WordLayout { marked: true, pointer_bytes: 8 };
    let pointer = addresses.first_byte(&mut terms, ObjectId::from_index(3));
    let word = layout.word(&mut terms, pointer, 8, View::Value(Type::Ptr), &addresses);
    let mut is = |word: TermId, size: u32, ty: Type| {
        let right = layout.is_what_it_is_taken_for(&mut terms, word, size, ty, &addresses);
        terms.as_bool(right).expect("all is constant")
    };
    assert!(is(word, 8, Type::Ptr) && !is(word, 8, Type::Int(64)));
    let null = addresses.pointer(&mut terms, 0);
    let null = layout.word(&mut terms, null, 8, View::Value(Type::Ptr), &addresses);
    let mut is = |word: TermId, size: u32, ty: Type| {
        let right = layout.is_what_it_is_taken_for(&mut terms, word, size, ty, &addresses);
        terms.as_bool(right).expect("all is constant")
    };
    assert!(is(null, 8, Type::Ptr) && is(null, 8, Type::Int(64)), "null is both");
    // Copied as a whole it stays a pointer; in halves it is neither that nor a number.
    assert_eq!(layout.value(&mut terms, word, 8, View::Copy, 64), word);
    let halves = [0, 4].map(|at| {
        let half = layout.part(&mut terms, (word, 8), at, 4);
        layout.value(&mut terms, half, 4, View::Copy, 64)
    });
    let joined = layout.join(&mut terms, (halves[0], 4), (halves[1], 4));
    let mut is = |word: TermId, size: u32, ty: Type| {
        let right = layout.is_what_it_is_taken_for(&mut terms, word, size, ty, &addresses);
        terms.as_bool(right).expect("all is constant")
    };
    assert!(!is(joined, 8, Type::Ptr) && !is(joined, 8, Type::Int(64)));
}
