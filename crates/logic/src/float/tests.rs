//! Every operation against the processor's own: edge values with each other, and many random ones; a format
//! of eight bits exhaustively, against rounding by search; and questions to the solver.

use raddle_base::{Budget, Id, SplitMix};

use super::{Format, abs, add, convert, div, equal, from_signed, from_unsigned, is_nan, less, less_or_equal};
use super::{mul, neg, sqrt, sub, to_signed, to_unsigned};
use crate::solver::{Answer, Embedded, Solver};
use crate::term::bits::{mask, signed, unsigned};
use crate::term::eval::scalar_operation;
use crate::term::{Model, Sort, Term, TermId, Terms};

/// An operation of two numbers.
type Build = fn(&mut Terms, Format, TermId, TermId) -> TermId;

/// How many random operands each operation is tried on.
const RANDOM: usize = 100_000;

/// An operation as a term over two symbols, evaluated by the functions of `term::eval`, but with all nodes in
/// one list that is run from front to back: the evaluator's bookkeeping would take most of the time.
struct Tape {
    terms: Terms,
    nodes: Vec<TermId>,
    operands: [TermId; 2],
    root: TermId,
    values: Vec<u128>,
}

impl Tape {
    fn new(widths: [u32; 2], build: impl Fn(&mut Terms, TermId, TermId) -> TermId) -> Self {
        let mut terms = Terms::new();
        let operands =
            [("a", widths[0]), ("b", widths[1])].map(|(name, width)| terms.symbol(name, Sort::BitVec(width)));
        let root = build(&mut terms, operands[0], operands[1]);
        let nodes = terms.subterms(&[root]);
        let values = vec![0; terms.len()];
        Self { terms, nodes, operands, root, values }
    }

    fn run(&mut self, a: u128, b: u128) -> u128 {
        for &node in &self.nodes {
            let value = match scalar_operation(&self.terms, &self.terms[node], |id| self.values[id.index()]) {
                Some(value) => value,
                None if node == self.operands[0] => a,
                None => b,
            };
            self.values[node.index()] = value;
        }
        self.values[self.root.index()]
    }

    /// The same by the evaluator.
    fn run_slowly(&self, a: u128, b: u128) -> u128 {
        let mut model = Model::new();
        for (operand, value) in self.operands.iter().zip([a, b]) {
            model.set_bits(self.terms.as_symbol(*operand).expect("operands are symbols"), value);
        }
        let value = model.eval(&self.terms, self.root);
        value.as_bits().or_else(|| value.as_bool().map(u128::from)).expect("no arrays here")
    }
}

/// Random operands, the same in every run.
struct Random(SplitMix);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.bits()
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    fn below(&mut self, limit: u32) -> u32 {
        u32::try_from(self.0.below(limit as usize)).expect("below 2^32")
    }

    /// A number of a format: any, or with few ones in the fraction, or all ones, or with an exponent near to
    /// one that matters.
    fn number(&mut self, format: Format) -> u128 {
        let any = self.wide() & mask(format.width());
        let fraction = mask(format.fraction);
        let fraction = match self.below(6) {
            0 => any & self.wide() & self.wide() & self.wide() & fraction,
            1 => fraction & !(self.wide() & self.wide() & self.wide()),
            2 => fraction & mask(self.below(format.fraction)) << self.below(format.fraction),
            3 => 1 << self.below(format.fraction),
            _ => any & fraction,
        };
        let near = u128::from(self.below(2 * format.precision()));
        let special = u128::from(format.special_exponent());
        let exponent = match self.below(6) {
            0 => near,
            1 => special - near,
            2 | 3 => u128::from(format.bias()) + near - u128::from(format.precision()),
            4 => u128::from(format.bias()) / 2 + near,
            _ => any >> format.fraction & special,
        };
        any & 1 << (format.width() - 1) | (exponent & special) << format.fraction | fraction
    }

    /// An integer of a width, of any size with equal chance.
    fn integer(&mut self, width: u32) -> u128 {
        let size = self.wide() & mask(1 + self.below(width));
        let near = if self.below(2) == 0 { size } else { (1 << self.below(width)) ^ (size & 3) };
        let negated = if self.below(2) == 0 { near } else { near.wrapping_neg() };
        negated & mask(width)
    }
}

/// Numbers at which something changes.
fn edges(format: Format) -> Vec<u128> {
    let (fraction, special) = (format.fraction, u128::from(format.special_exponent()));
    let bias = u128::from(format.bias());
    let mut sizes = vec![
        // Zero, subnormals, the least normal numbers.
        0,
        1,
        2,
        3,
        mask(fraction) >> 1,
        mask(fraction),
        1 << fraction,
        (1 << fraction) + 1,
        2 << fraction,
        3 << (fraction - 1),
        // The largest numbers, infinity, NaNs.
        format.infinity() - 1,
        format.infinity() - 2,
        (special - 1) << fraction,
        (special - 2) << fraction | mask(fraction),
        format.infinity(),
        format.infinity() | 1,
        format.infinity() | format.quiet_bit(),
        format.infinity() | format.quiet_bit() | 5,
        format.infinity() | mask(fraction),
        format.infinity() | mask(fraction) >> 1,
    ];
    // Powers of two and their neighbours, around which halves are.
    let precision = u128::from(format.precision());
    let positions = [0, 1, 2, 7, 8, 15, 16, 30, 31, 32, 62, 63, 64];
    for exponent in positions.into_iter().chain(precision - 2..=precision + 1) {
        for exponent in [bias + exponent, bias - exponent] {
            let power = exponent << fraction;
            sizes.extend([power, power + 1, power - 1, power | 1 << (fraction - 1)]);
        }
    }
    for exponent in [126, 127, 128] {
        sizes.push(((bias + exponent) << fraction).min(format.infinity()) - 1);
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes.iter().flat_map(|&size| [size, size | 1 << (format.width() - 1)]).collect()
}

fn single(bits: u128) -> f32 {
    f32::from_bits(u32::try_from(bits).expect("single precision has 32 bits"))
}

fn double(bits: u128) -> f64 {
    f64::from_bits(u64::try_from(bits).expect("double precision has 64 bits"))
}

/// Runs an operation of two numbers on edge values and on random ones.
fn compare_binary(format: Format, build: Build, expected: impl Fn(u128, u128) -> u128) {
    let mut tape = Tape::new([format.width(); 2], |terms, a, b| build(terms, format, a, b));
    let is_comparison = tape.terms.sort(tape.root) == Sort::Bool;
    let is_nan = |bits: u128| bits & mask(format.width() - 1) > format.infinity();
    // The compiler may exchange the operands of a sum or a product, which shows when both are NaNs.
    let expected = |a, b| {
        if is_nan(a) && is_nan(b) && !is_comparison { a | format.quiet_bit() } else { expected(a, b) }
    };
    let check = |tape: &mut Tape, a: u128, b: u128| {
        let (result, expected) = (tape.run(a, b), expected(a, b));
        assert_eq!(result, expected, "operands {a:#x} and {b:#x}: {result:#x}, not {expected:#x}");
    };
    let edges = edges(format);
    for &a in &edges {
        for &b in &edges {
            check(&mut tape, a, b);
        }
    }
    assert_eq!(tape.run_slowly(edges[7], edges[11]), expected(edges[7], edges[11]));
    let mut random = Random(SplitMix::new(1));
    for _ in 0..RANDOM {
        let a = random.number(format);
        // Often close to the first, so that differences cancel.
        let b = match random.below(4) {
            0 => (a ^ u128::from(random.next() & random.next() & 0xff)) ^ 1 << (format.width() - 1),
            _ => random.number(format),
        };
        check(&mut tape, a, b);
    }
}

/// Runs an operation of one operand on edge values and on random ones.
fn compare_unary(
    width: u32,
    edges: &[u128],
    count: usize,
    mut random: impl FnMut(&mut Random) -> u128,
    build: impl Fn(&mut Terms, TermId) -> TermId,
    expected: impl Fn(u128) -> u128,
) {
    let mut tape = Tape::new([width, 1], |terms, a, _| build(terms, a));
    let mut source = Random(SplitMix::new(2));
    let numbers: Vec<u128> = (0..count).map(|_| random(&mut source)).collect();
    for &a in edges.iter().chain(&numbers) {
        let (result, expected) = (tape.run(a, 0), expected(a));
        assert_eq!(result, expected, "operand {a:#x}: {result:#x}, not {expected:#x}");
    }
}

#[test]
fn sums_are_those_of_the_processor() {
    compare_binary(Format::F32, add, |a, b| (single(a) + single(b)).to_bits().into());
    compare_binary(Format::F64, add, |a, b| (double(a) + double(b)).to_bits().into());
}

#[test]
fn differences_are_those_of_the_processor() {
    compare_binary(Format::F32, sub, |a, b| (single(a) - single(b)).to_bits().into());
    compare_binary(Format::F64, sub, |a, b| (double(a) - double(b)).to_bits().into());
}

#[test]
fn products_are_those_of_the_processor() {
    compare_binary(Format::F32, mul, |a, b| (single(a) * single(b)).to_bits().into());
    compare_binary(Format::F64, mul, |a, b| (double(a) * double(b)).to_bits().into());
}

#[test]
fn single_quotients_are_those_of_the_processor() {
    compare_binary(Format::F32, div, |a, b| (single(a) / single(b)).to_bits().into());
}

#[test]
fn double_quotients_are_those_of_the_processor() {
    compare_binary(Format::F64, div, |a, b| (double(a) / double(b)).to_bits().into());
}

#[test]
fn roots_are_those_of_the_processor() {
    for format in [Format::F32, Format::F64] {
        compare_unary(
            format.width(),
            &edges(format),
            RANDOM,
            |random| {
                let number = random.number(format);
                if random.below(4) == 0 { number } else { number & mask(format.width() - 1) }
            },
            |terms, a| sqrt(terms, format, a),
            |a| match format {
                Format::F32 => single(a).sqrt().to_bits().into(),
                _ => double(a).sqrt().to_bits().into(),
            },
        );
    }
}

#[test]
#[expect(clippy::float_cmp, reason = "this is what is tested")]
fn comparisons_are_those_of_the_processor() {
    compare_binary(Format::F32, equal, |a, b| (single(a) == single(b)).into());
    compare_binary(Format::F64, equal, |a, b| (double(a) == double(b)).into());
    compare_binary(Format::F32, less, |a, b| (single(a) < single(b)).into());
    compare_binary(Format::F64, less, |a, b| (double(a) < double(b)).into());
    compare_binary(Format::F32, less_or_equal, |a, b| (single(a) <= single(b)).into());
    compare_binary(Format::F64, less_or_equal, |a, b| (double(a) <= double(b)).into());
}

#[test]
fn signs_change_of_everything() {
    for format in [Format::F32, Format::F64] {
        let sign = 1 << (format.width() - 1);
        let build = |operation: fn(&mut Terms, Format, TermId) -> TermId| {
            move |terms: &mut Terms, a| operation(terms, format, a)
        };
        let random = |random: &mut Random| random.number(format);
        compare_unary(format.width(), &edges(format), RANDOM, random, build(neg), |a| a ^ sign);
        compare_unary(format.width(), &edges(format), RANDOM, random, build(abs), |a| a & !sign);
        compare_unary(format.width(), &edges(format), RANDOM, random, build(is_nan), |a| {
            (a & !sign > format.infinity()).into()
        });
    }
}

#[test]
#[expect(clippy::cast_possible_truncation, reason = "rounding is what is tested")]
fn conversions_between_formats_are_those_of_the_processor() {
    compare_unary(
        32,
        &edges(Format::F32),
        RANDOM,
        |random| random.number(Format::F32),
        |terms, a| convert(terms, Format::F32, Format::F64, a),
        |a| f64::from(single(a)).to_bits().into(),
    );
    let mut doubles = edges(Format::F64);
    doubles.extend(edges(Format::F32).iter().map(|&bits| u128::from(f64::from(single(bits)).to_bits())));
    // Halfway between two singles, and just beside.
    let halves: Vec<u128> =
        doubles.iter().flat_map(|&bits| [bits ^ 1 << 28, bits ^ 1 << 28 ^ 1, bits ^ 1 << 27]).collect();
    doubles.extend(halves);
    compare_unary(
        64,
        &doubles,
        RANDOM,
        |random| match random.below(3) {
            0 => random.number(Format::F64),
            1 => (f64::from(single(random.number(Format::F32))).to_bits() ^ 1 << random.below(30)).into(),
            _ => (f64::from(single(random.number(Format::F32))).to_bits() ^ random.next() >> 34).into(),
        },
        |terms, a| convert(terms, Format::F64, Format::F32, a),
        |a| (double(a) as f32).to_bits().into(),
    );
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::BitVec(32));
    assert_eq!(convert(&mut terms, Format::F32, Format::F32, x), x);
}

/// The widths that integers are converted at: those of C, and some between.
const WIDTHS: [u32; 12] = [1, 2, 8, 13, 16, 24, 32, 33, 53, 64, 100, 128];

fn integer_edges(width: u32) -> Vec<u128> {
    let mut numbers = vec![0, 1, 2, 3, mask(width), mask(width) - 1, mask(width) >> 1, 1 << (width - 1)];
    for position in 0..width {
        for half in [0, 1, 24, 25, 53, 54] {
            let power = 1_u128 << position;
            let middle = if half == 0 { 0 } else { power >> half };
            numbers.extend([power, power | middle, (power | middle) + 1, (power | middle) - 1]);
        }
    }
    let mut numbers: Vec<u128> = numbers
        .iter()
        .flat_map(|&number| [number & mask(width), number.wrapping_neg() & mask(width)])
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[test]
fn integers_become_the_numbers_that_the_processor_makes_of_them() {
    for width in WIDTHS {
        let edges = integer_edges(width);
        let random = |random: &mut Random| random.integer(width);
        let value = |a| signed(a, width);
        for (format, from_unsigned_to, from_signed_to) in [
            (
                Format::F32,
                (|a| u128::from((a as f32).to_bits())) as fn(u128) -> u128,
                (|a| u128::from((a as f32).to_bits())) as fn(i128) -> u128,
            ),
            (Format::F64, |a| u128::from((a as f64).to_bits()), |a| u128::from((a as f64).to_bits())),
        ] {
            let count = RANDOM / WIDTHS.len();
            compare_unary(width, &edges, count, random, |t, a| from_unsigned(t, format, a), from_unsigned_to);
            compare_unary(
                width,
                &edges,
                count,
                random,
                |t, a| from_signed(t, format, a),
                |a| from_signed_to(value(a)),
            );
        }
    }
}

/// What the instruction that converts to a signed register of 32 or 64 bits gives.
#[expect(clippy::cast_possible_truncation, reason = "in range by the test before")]
fn register(value: f64, width: u32) -> i128 {
    let limit = 2_f64.powi(width.cast_signed() - 1);
    let value = value.trunc();
    if (-limit..limit).contains(&value) { value as i128 } else { -1 << (width - 1) }
}

#[expect(clippy::cast_possible_truncation, reason = "saturating is what is expected")]
fn expected_signed(value: f64, width: u32) -> u128 {
    let integer = match width {
        0..=32 => register(value, 32),
        33..=64 => register(value, 64),
        _ => value as i128,
    };
    unsigned(integer, width)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating is what is expected")]
fn expected_unsigned(value: f64, width: u32) -> u128 {
    let half = 2_f64.powi(63);
    match width {
        0..=16 => unsigned(register(value, 32), width),
        17..=32 => unsigned(register(value, 64), width),
        // Two instructions and a branch: the upper half is converted as if it were the lower one.
        33..=64 if value >= half => unsigned(register(value - half, 64) ^ 1 << 63, width),
        33..=64 => unsigned(register(value, 64), width),
        _ => value as u128 & mask(width),
    }
}

#[test]
fn numbers_become_the_integers_that_the_processor_makes_of_them() {
    let value = |format, bits| if format == Format::F32 { f64::from(single(bits)) } else { double(bits) };
    for format in [Format::F32, Format::F64] {
        let mut edges = edges(format);
        for width in WIDTHS {
            // The limits of the integers, with fractions around them.
            for power in [width - 1, width] {
                let bits = u128::from(format.bias() + power) << format.fraction;
                for near in [bits, bits + 1, bits - 1, bits - 2, bits | 1 << (format.fraction - 1)] {
                    let near = near & mask(format.width() - 1);
                    edges.extend([near, near | 1 << (format.width() - 1)]);
                }
            }
        }
        let random = |random: &mut Random| {
            let number = random.number(format);
            if random.below(3) == 0 {
                return number;
            }
            // Of a size that has a whole part.
            let exponent =
                u128::from(format.bias() + random.below(130) - 1).min(format.special_exponent().into());
            number & !(mask(format.exponent) << format.fraction) | exponent << format.fraction
        };
        for width in WIDTHS {
            compare_unary(
                format.width(),
                &edges,
                RANDOM / WIDTHS.len(),
                random,
                |terms, a| to_signed(terms, format, a, width),
                |a| expected_signed(value(format, a), width),
            );
            compare_unary(
                format.width(),
                &edges,
                RANDOM / WIDTHS.len(),
                random,
                |terms, a| to_unsigned(terms, format, a, width),
                |a| expected_unsigned(value(format, a), width),
            );
        }
    }
}

/// A format of eight bits, for which everything can be tried.
const SMALL: Format = Format::new(4, 3);

/// The value of a small number, exactly.
fn small_value(bits: u128) -> f64 {
    let (exponent, fraction) = (bits >> 3 & 0xf, f64::from(u32::try_from(bits & 7).expect("three bits")));
    let scale = |exponent: u128| 2_f64.powi(i32::try_from(exponent).expect("four bits") - 7);
    let size = match exponent {
        0 => fraction / 8.0 * scale(1),
        15 if fraction == 0.0 => f64::INFINITY,
        15 => f64::NAN,
        _ => (1.0 + fraction / 8.0) * scale(exponent),
    };
    if bits >> 7 == 1 { -size } else { size }
}

/// The small number nearest to a value, found by looking at all.
fn small_nearest(value: f64) -> u128 {
    let sign = u128::from(value.is_sign_negative()) << 7;
    let size = value.abs();
    // What is at least halfway to the next power of two is infinite.
    let limit = (small_value(0x77) + 256.0) / 2.0;
    if size >= limit {
        return sign | 0x78;
    }
    let distance = |bits: u128| (small_value(bits) - size).abs();
    let nearest = (0..0x78).min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then((a & 1).cmp(&(b & 1))));
    sign | nearest.expect("there are some")
}

#[test]
fn a_small_format_is_right_everywhere() {
    let builds: [Build; 4] = [add, sub, mul, div];
    let values: [fn(f64, f64) -> f64; 4] = [|a, b| a + b, |a, b| a - b, |a, b| a * b, |a, b| a / b];
    for (build, expected) in builds.into_iter().zip(values) {
        let mut tape = Tape::new([8; 2], |terms, a, b| build(terms, SMALL, a, b));
        for a in 0..256 {
            for b in 0..256 {
                let value = expected(small_value(a), small_value(b));
                let quieted = [a, b].into_iter().find(|bits| bits & 0x7f > 0x78).map(|bits| bits | 4);
                let expected =
                    quieted.unwrap_or_else(|| if value.is_nan() { 0xfc } else { small_nearest(value) });
                assert_eq!(tape.run(a, b), expected, "{a:#x} {b:#x}");
            }
        }
    }
    let mut roots = Tape::new([8, 1], |terms, a, _| sqrt(terms, SMALL, a));
    let mut widened = Tape::new([8, 1], |terms, a, _| convert(terms, SMALL, Format::F32, a));
    for a in 0..256 {
        let (value, nan) = (small_value(a), a & 0x7f > 0x78);
        let root = if nan {
            a | 4
        } else if value.sqrt().is_nan() {
            0xfc
        } else {
            small_nearest(value.sqrt())
        };
        assert_eq!(roots.run(a, 0), root, "{a:#x}");
        let wide = widened.run(a, 0);
        assert!(if nan {
            single(wide).is_nan()
        } else {
            f64::from(single(wide)).to_bits() == value.to_bits()
        });
    }
    let mut narrowed = Tape::new([32, 1], |terms, a, _| convert(terms, Format::F32, SMALL, a));
    let mut integers = Tape::new([10, 1], |terms, a, _| from_unsigned(terms, SMALL, a));
    let mut random = Random(SplitMix::new(3));
    for _ in 0..2000 {
        let bits =
            u128::from(118 + random.below(20)) << 23 | u128::from(random.next() & random.next() & 0x7f_ffff);
        assert_eq!(narrowed.run(bits, 0), small_nearest(single(bits).into()), "{bits:#x}");
    }
    for integer in 0..1024_u32 {
        assert_eq!(integers.run(integer.into(), 0), small_nearest(integer.into()), "{integer}");
    }
}

#[test]
fn constants_give_constants() {
    for format in [Format::F32, Format::F64] {
        let mut terms = Terms::new();
        for a in edges(format).into_iter().step_by(7) {
            for b in edges(format).into_iter().step_by(11) {
                let (a, b) = (terms.bits(a, format.width()), terms.bits(b, format.width()));
                for operation in [add, sub, mul, div] {
                    let result = operation(&mut terms, format, a, b);
                    assert!(terms.as_bits(result).is_some());
                }
                for comparison in [equal, less, less_or_equal] {
                    let result = comparison(&mut terms, format, a, b);
                    assert!(terms.as_bool(result).is_some());
                }
            }
            let a = terms.bits(a, format.width());
            let results = [
                sqrt(&mut terms, format, a),
                neg(&mut terms, format, a),
                abs(&mut terms, format, a),
                convert(&mut terms, format, SMALL, a),
                to_signed(&mut terms, format, a, 32),
                to_unsigned(&mut terms, format, a, 64),
                from_signed(&mut terms, format, a),
                from_unsigned(&mut terms, format, a),
            ];
            assert!(results.iter().all(|&result| matches!(terms[result], Term::Bits { .. })));
        }
    }
}

/// A solver, and a symbol of single precision.
fn question() -> (Terms, Embedded, TermId) {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::BitVec(32));
    (terms, Embedded::new(), x)
}

fn constant(terms: &mut Terms, number: f32) -> TermId {
    terms.bits(number.to_bits().into(), 32)
}

fn check(terms: &mut Terms, solver: &mut Embedded, assumptions: &[TermId]) -> Answer {
    solver.check(terms, assumptions, &Budget::unlimited()).expect("nothing external")
}

fn found(terms: &Terms, solver: &Embedded, term: TermId) -> u128 {
    solver.value(terms, term).and_then(|value| value.as_bits()).expect("there is a model")
}

#[test]
#[expect(clippy::float_cmp, reason = "this is what is asked for")]
fn one_is_too_small_to_be_added_to_some_numbers() {
    let (mut terms, mut solver, x) = question();
    let (one, infinity) = (constant(&mut terms, 1.0), constant(&mut terms, f32::INFINITY));
    let sum = add(&mut terms, Format::F32, x, one);
    let same = equal(&mut terms, Format::F32, sum, x);
    let size = abs(&mut terms, Format::F32, x);
    let finite = less(&mut terms, Format::F32, size, infinity);
    solver.assert(&mut terms, same);
    solver.assert(&mut terms, finite);
    assert_eq!(check(&mut terms, &mut solver, &[]), Answer::Sat);
    let number = single(found(&terms, &solver, x));
    assert!(number.is_finite() && number + 1.0 == number);
    // But not below two to the 24th.
    let limit = constant(&mut terms, 16_777_216.0);
    let small = less(&mut terms, Format::F32, size, limit);
    assert_eq!(check(&mut terms, &mut solver, &[small]), Answer::Unsat);
}

#[test]
#[expect(clippy::float_cmp, reason = "this is what is asked for")]
fn two_has_no_root_but_numbers_on_both_sides_of_it() {
    let (mut terms, mut solver, x) = question();
    let (two, zero) = (constant(&mut terms, 2.0), constant(&mut terms, 0.0));
    let square = mul(&mut terms, Format::F32, x, x);
    let exact = equal(&mut terms, Format::F32, square, two);
    assert_eq!(check(&mut terms, &mut solver, &[exact]), Answer::Unsat);
    // The root is rounded: its square or that of one of its neighbours is beyond two.
    let next = terms.bits(1, 32);
    let next = terms.add(x, next);
    let next_square = mul(&mut terms, Format::F32, next, next);
    let positive = less(&mut terms, Format::F32, zero, x);
    let below = less(&mut terms, Format::F32, square, two);
    let above = less(&mut terms, Format::F32, two, next_square);
    assert_eq!(check(&mut terms, &mut solver, &[positive, below, above]), Answer::Sat);
    let number = single(found(&terms, &solver, x));
    assert!(number == 2_f32.sqrt() || number.next_up() == 2_f32.sqrt());
}

#[test]
fn sums_and_products_commute_but_for_nans() {
    let (mut terms, mut solver, x) = question();
    let y = terms.symbol("y", Sort::BitVec(32));
    let nans = [x, y].map(|number| is_nan(&mut terms, Format::F32, number));
    let no_nans = nans.map(|nan| terms.not(nan));
    for operation in [add, mul] {
        let (one, other) =
            (operation(&mut terms, Format::F32, x, y), operation(&mut terms, Format::F32, y, x));
        let differ = terms.ne(one, other);
        assert_eq!(check(&mut terms, &mut solver, &[differ, no_nans[0], no_nans[1]]), Answer::Unsat);
        assert_eq!(check(&mut terms, &mut solver, &[differ]), Answer::Sat);
        assert!(single(found(&terms, &solver, x)).is_nan() && single(found(&terms, &solver, y)).is_nan());
    }
}

#[test]
fn some_doubles_are_singles() {
    let mut terms = Terms::new();
    let mut solver = Embedded::new();
    let d = terms.symbol("d", Sort::BitVec(64));
    let narrow = convert(&mut terms, Format::F64, Format::F32, d);
    let back = convert(&mut terms, Format::F32, Format::F64, narrow);
    let same = equal(&mut terms, Format::F64, back, d);
    let other = terms.not(same);
    assert_eq!(check(&mut terms, &mut solver, &[same]), Answer::Sat);
    let number = double(found(&terms, &solver, d));
    assert_eq!(f64::from(single(found(&terms, &solver, narrow))), number);
    let nan = is_nan(&mut terms, Format::F64, d);
    let no_nan = terms.not(nan);
    assert_eq!(check(&mut terms, &mut solver, &[other, no_nan]), Answer::Sat);
    assert!(!double(found(&terms, &solver, d)).is_nan());
}

#[test]
fn a_difference_is_zero_only_between_equals() {
    // This holds because of subnormal numbers.
    let (mut terms, mut solver, x) = question();
    let y = terms.symbol("y", Sort::BitVec(32));
    let difference = sub(&mut terms, Format::F32, x, y);
    let zero = constant(&mut terms, 0.0);
    let none = equal(&mut terms, Format::F32, difference, zero);
    let same = equal(&mut terms, Format::F32, x, y);
    let other = terms.not(same);
    assert_eq!(check(&mut terms, &mut solver, &[none, other]), Answer::Unsat);
    assert_eq!(check(&mut terms, &mut solver, &[none, same]), Answer::Sat);
}

#[test]
fn a_quotient_and_a_root_are_found() {
    let (mut terms, mut solver, x) = question();
    let (three, seven) = (constant(&mut terms, 3.0), constant(&mut terms, 7.0));
    let quotient = div(&mut terms, Format::F32, x, three);
    let wanted = equal(&mut terms, Format::F32, quotient, seven);
    assert_eq!(check(&mut terms, &mut solver, &[wanted]), Answer::Sat);
    assert!((single(found(&terms, &solver, x)) / 3.0 - 7.0).abs() == 0.0);
    let root = sqrt(&mut terms, Format::F32, x);
    let wanted = equal(&mut terms, Format::F32, root, three);
    assert_eq!(check(&mut terms, &mut solver, &[wanted]), Answer::Sat);
    assert!((single(found(&terms, &solver, x)).sqrt() - 3.0).abs() == 0.0);
}
