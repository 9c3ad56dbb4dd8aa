//! The types of arithmetic, against what gcc 12 gives for every pair (read off the sizes of arrays `char x[_Generic(a + b, …)]`).

use super::arithmetic::{Arithmetic, common, promoted};
use crate::layout::DataModel;
use crate::types::{FloatKind, IntKind};

/// Letters for the types: see [`arithmetic`].
struct Expected {
    columns: &'static str,
    /// The left operand, its type after `+a`, and the types of `a + b` for each right operand; `?` is a type without a letter.
    rows: &'static [(char, char, &'static str)],
}

const LP64: Expected = Expected {
    columns: "bcaAsSiIlLqQoOfFdxgDyzCEGHJ",
    rows: &[
        ('b', 'i', "iiiiiiiIlLqQoOfFdxgDyzCEGHJ"),
        ('c', 'i', "iiiiiiiIlLqQoOfFdxgDyzCEGHJ"),
        ('a', 'i', "iiiiiiiIlLqQoOfFdxgDyzCEGHJ"),
        ('A', 'i', "iiiiiiiIlLqQoOfFdxgDyzCEGHJ"),
        ('s', 'i', "iiiiiiiIlLqQoOfFdxgDyzCEGHJ"),
        ('S', 'i', "iiiiiiiIlLqQoOfFdxgDyzCEGHJ"),
        ('i', 'i', "iiiiiiiIlLqQoOfFdxgDyzCEGHJ"),
        ('I', 'I', "IIIIIIIIlLqQoOfFdxgDyzCEG?J"),
        ('l', 'l', "lllllllllLqQoOfFdxgDyzCEGJJ"),
        ('L', 'L', "LLLLLLLLLLQQoOfFdxgDyzCEG??"),
        ('q', 'q', "qqqqqqqqqQqQoOfFdxgDyzCEG??"),
        ('Q', 'Q', "QQQQQQQQQQQQoOfFdxgDyzCEG??"),
        ('o', 'o', "oooooooooooooOfFdxgDyzCEG??"),
        ('O', 'O', "OOOOOOOOOOOOOOfFdxgDyzCEG??"),
        ('f', 'f', "fffffffffffffffFdxgDyzCEGCC"),
        ('F', 'F', "FFFFFFFFFFFFFFFFdxgDyz?EG??"),
        ('d', 'd', "ddddddddddddddddddgDyzEEGEE"),
        ('x', 'x', "xxxxxxxxxxxxxxxxdxgDyz?EG??"),
        ('g', 'g', "gggggggggggggggggggDyz??G??"),
        ('D', 'D', "DDDDDDDDDDDDDDDDDDDDDzGGGGG"),
        ('y', 'y', "yyyyyyyyyyyyyyyyyyyDyz??G??"),
        ('z', 'z', "zzzzzzzzzzzzzzzzzzzzzz?????"),
        ('C', 'C', "CCCCCCCCCCCCCCC?E??G??CEGCC"),
        ('E', 'E', "EEEEEEEEEEEEEEEEEE?G??EEGEE"),
        ('G', 'G', "GGGGGGGGGGGGGGGGGGGGG?GGGGG"),
        ('H', 'H', "HHHHHHH?J?????C?E??G??CEGHJ"),
        ('J', 'J', "JJJJJJJJJ?????C?E??G??CEGJJ"),
    ],
};

const ILP32: Expected = Expected {
    columns: "bcaAsSiIlLqQfFdxgDyzCEGHJ",
    rows: &[
        ('b', 'i', "iiiiiiiIlLqQfFdxgDyzCEGHJ"),
        ('c', 'i', "iiiiiiiIlLqQfFdxgDyzCEGHJ"),
        ('a', 'i', "iiiiiiiIlLqQfFdxgDyzCEGHJ"),
        ('A', 'i', "iiiiiiiIlLqQfFdxgDyzCEGHJ"),
        ('s', 'i', "iiiiiiiIlLqQfFdxgDyzCEGHJ"),
        ('S', 'i', "iiiiiiiIlLqQfFdxgDyzCEGHJ"),
        ('i', 'i', "iiiiiiiIlLqQfFdxgDyzCEGHJ"),
        ('I', 'I', "IIIIIIIILLqQfFdxgDyzCEG??"),
        ('l', 'l', "lllllllLlLqQfFdxgDyzCEGJJ"),
        ('L', 'L', "LLLLLLLLLLqQfFdxgDyzCEG??"),
        ('q', 'q', "qqqqqqqqqqqQfFdxgDyzCEG??"),
        ('Q', 'Q', "QQQQQQQQQQQQfFdxgDyzCEG??"),
        ('f', 'f', "fffffffffffffFdxgDyzCEGCC"),
        ('F', 'F', "FFFFFFFFFFFFFFdxgDyz?EG??"),
        ('d', 'd', "ddddddddddddddddgDyzEEGEE"),
        ('x', 'x', "xxxxxxxxxxxxxxdxgDyz?EG??"),
        ('g', 'g', "gggggggggggggggggDyz??G??"),
        ('D', 'D', "DDDDDDDDDDDDDDDDDDDzGGGGG"),
        ('y', 'y', "yyyyyyyyyyyyyyyyyDyz??G??"),
        ('z', 'z', "zzzzzzzzzzzzzzzzzzzz?????"),
        ('C', 'C', "CCCCCCCCCCCCC?E??G??CEGCC"),
        ('E', 'E', "EEEEEEEEEEEEEEEE?G??EEGEE"),
        ('G', 'G', "GGGGGGGGGGGGGGGGGGG?GGGGG"),
        ('H', 'H', "HHHHHHH?J???C?E??G??CEGHJ"),
        ('J', 'J', "JJJJJJJ?J???C?E??G??CEGJJ"),
    ],
};

fn arithmetic(letter: char) -> Arithmetic {
    match letter {
        'b' => Arithmetic::Int(IntKind::Bool),
        'c' => Arithmetic::Int(IntKind::Char),
        'a' => Arithmetic::Int(IntKind::SignedChar),
        'A' => Arithmetic::Int(IntKind::UnsignedChar),
        's' => Arithmetic::Int(IntKind::Short),
        'S' => Arithmetic::Int(IntKind::UnsignedShort),
        'i' => Arithmetic::Int(IntKind::Int),
        'I' => Arithmetic::Int(IntKind::UnsignedInt),
        'l' => Arithmetic::Int(IntKind::Long),
        'L' => Arithmetic::Int(IntKind::UnsignedLong),
        'q' => Arithmetic::Int(IntKind::LongLong),
        'Q' => Arithmetic::Int(IntKind::UnsignedLongLong),
        'o' => Arithmetic::Int(IntKind::Int128),
        'O' => Arithmetic::Int(IntKind::UnsignedInt128),
        'f' => Arithmetic::Float(FloatKind::Float),
        'F' => Arithmetic::Float(FloatKind::Float32),
        'd' => Arithmetic::Float(FloatKind::Double),
        'x' => Arithmetic::Float(FloatKind::Float32x),
        'g' => Arithmetic::Float(FloatKind::Float64),
        'D' => Arithmetic::Float(FloatKind::LongDouble),
        'y' => Arithmetic::Float(FloatKind::Float64x),
        'z' => Arithmetic::Float(FloatKind::Float128),
        'C' => Arithmetic::Complex(FloatKind::Float),
        'E' => Arithmetic::Complex(FloatKind::Double),
        'G' => Arithmetic::Complex(FloatKind::LongDouble),
        'H' => Arithmetic::ComplexInt(IntKind::Int),
        'J' => Arithmetic::ComplexInt(IntKind::Long),
        other => panic!("no type has the letter {other}"),
    }
}

fn alone(model: DataModel, operand: Arithmetic) -> Arithmetic {
    match operand {
        Arithmetic::Int(kind) => Arithmetic::Int(promoted(model, kind, None)),
        other => other,
    }
}

fn compare(model: DataModel, expected: &Expected) {
    for &(left, unary, row) in expected.rows {
        let left_type = alone(model, arithmetic(left));
        assert_eq!(left_type, arithmetic(unary), "+{left} in {model:?}");
        assert_eq!(row.len(), expected.columns.len());
        for (right, result) in expected.columns.chars().zip(row.chars()) {
            if result == '?' {
                continue;
            }
            let right_type = alone(model, arithmetic(right));
            assert_eq!(
                common(model, left_type, right_type),
                Some(arithmetic(result)),
                "{left} + {right} in {model:?}"
            );
        }
    }
}

#[test]
fn the_usual_conversions_are_those_of_gcc() {
    compare(DataModel::Lp64, &LP64);
    compare(DataModel::Ilp32, &ILP32);
}

#[test]
fn decimal_and_binary_floating_types_do_not_mix() {
    let (binary, decimal) = (Arithmetic::Float(FloatKind::Double), Arithmetic::Float(FloatKind::Decimal64));
    assert_eq!(common(DataModel::Lp64, binary, decimal), None);
    let int = Arithmetic::Int(IntKind::Int);
    assert_eq!(common(DataModel::Lp64, int, decimal), Some(decimal));
}

#[test]
fn bit_fields_are_promoted_by_their_width() {
    let model = DataModel::Lp64;
    assert_eq!(promoted(model, IntKind::UnsignedInt, Some(31)), IntKind::Int);
    assert_eq!(promoted(model, IntKind::UnsignedInt, Some(32)), IntKind::UnsignedInt);
    assert_eq!(promoted(model, IntKind::UnsignedLong, Some(20)), IntKind::Int);
    assert_eq!(promoted(model, IntKind::UnsignedLong, Some(32)), IntKind::UnsignedInt);
    assert_eq!(promoted(model, IntKind::Long, Some(32)), IntKind::Int);
    assert_eq!(promoted(model, IntKind::Bool, Some(1)), IntKind::Int);
}
