//! Every operation on terms against plain Rust arithmetic: evaluated as it stands, evaluated after
//! rewriting, and folded when the operands are constants.

mod terms_support;

use raddle_logic::term::{ArrayValue, Model, Sort, SymbolId, TermId, Terms, Value};
use terms_support::{Operation, Random, operations};

fn number(value: &Value) -> u128 {
    match value {
        Value::Bool(value) => u128::from(*value),
        Value::Bits { value, .. } => *value,
        Value::Array(_) => panic!("no array was asked for"),
    }
}

/// One operation at one width, on symbols with and without rewriting.
struct Case<'a> {
    operation: &'a Operation,
    width: u32,
    arenas: Vec<(Terms, TermId, SymbolId, SymbolId)>,
}

impl<'a> Case<'a> {
    fn new(operation: &'a Operation, width: u32) -> Self {
        let arenas = [Terms::new(), Terms::without_rewriting()].into_iter().map(|mut terms| {
            let x = terms.symbol("x", Sort::BitVec(width));
            let y = terms.symbol("y", Sort::BitVec(width));
            let result = (operation.build)(&mut terms, x, y);
            let (x, y) = (terms.as_symbol(x).expect("a symbol"), terms.as_symbol(y).expect("a symbol"));
            (terms, result, x, y)
        });
        Self { operation, width, arenas: arenas.collect() }
    }

    fn check(&mut self, a: u128, b: u128) {
        let expected = (self.operation.meaning)(a, b, self.width);
        let Self { operation, width, arenas } = self;
        let what = || format!("{} of {a:#x} and {b:#x} at width {width}", operation.name);
        for (terms, result, x, y) in arenas.iter() {
            let mut model = Model::new();
            model.set_bits(*x, a);
            model.set_bits(*y, b);
            assert_eq!(number(&model.eval(terms, *result)), expected, "{}", what());
        }
        let terms = &mut arenas[0].0;
        let (a, b) = (terms.bits(a, *width), terms.bits(b, *width));
        let folded = (operation.build)(terms, a, b);
        let value = terms.as_bits(folded).or_else(|| terms.as_bool(folded).map(u128::from));
        assert_eq!(value, Some(expected), "{}, folded to {}", what(), terms.display(folded));
        // With one constant operand other rules apply.
        let (_, _, x, y) = arenas[0];
        let terms = &mut arenas[0].0;
        let (symbol_x, symbol_y) =
            (terms.symbol("x", Sort::BitVec(*width)), terms.symbol("y", Sort::BitVec(*width)));
        for (left, right) in [(a, symbol_y), (symbol_x, b)] {
            let half = (operation.build)(terms, left, right);
            let mut model = Model::new();
            model.set_bits(x, terms.as_bits(a).expect("a constant"));
            model.set_bits(y, terms.as_bits(b).expect("a constant"));
            assert_eq!(number(&model.eval(terms, half)), expected, "half {}", what());
        }
    }
}

#[test]
fn every_operation_on_all_inputs_at_small_widths() {
    for operation in &operations() {
        for width in 1..=4 {
            let mut case = Case::new(operation, width);
            for a in 0..1 << width {
                for b in 0..1 << width {
                    case.check(a, b);
                }
            }
        }
    }
}

#[test]
fn every_operation_on_random_inputs_at_larger_widths() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for operation in &operations() {
        for width in (5..=128).step_by(3).chain([8, 16, 32, 64, 127, 128]) {
            let mut case = Case::new(operation, width);
            for _ in 0..6 {
                let (a, b) = (random.bits(width), random.bits(width));
                case.check(a, b);
            }
        }
    }
}

#[test]
fn equal_terms_have_equal_ids_and_text_is_deterministic() {
    let build = || {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::BitVec(16)), terms.symbol("y", Sort::BitVec(16)));
        let (left, right) = (terms.add(x, y), terms.add(y, x));
        assert_eq!(left, right);
        let square = terms.mul(left, right);
        let shifted = terms.shl(square, x);
        let less = terms.sle(shifted, square);
        terms.display(less).to_string()
    };
    assert_eq!(build(), build());
    assert_eq!(build(), "$2 := (bvadd x y)\n$3 := (bvmul $2 $2)\n(bvsle (bvshl $3 x) $3)");
}

#[test]
fn rewriting_sees_through_arithmetic() {
    let mut terms = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::BitVec(32)));
    let yes = terms.bool(true);
    let no = terms.bool(false);
    // (a + b) - a = b
    let sum = terms.add(a, b);
    let difference = terms.sub(sum, a);
    assert_eq!(difference, b);
    // (a + b) * c = c * b + c * a
    let (left, cb, ca) = (terms.mul(sum, c), terms.mul(c, b), terms.mul(c, a));
    let right = terms.add(cb, ca);
    assert_eq!(terms.eq(left, right), yes);
    // 2 * a + 1 = 2 * b has no solution.
    let (two, one) = (terms.bits(2, 32), terms.bits(1, 32));
    let (twice_a, twice_b) = (terms.mul(two, a), terms.mul(two, b));
    let odd = terms.add(one, twice_a);
    assert_eq!(terms.eq(odd, twice_b), no);
    // (a << 8 | b & 255) as 16 bits is a concatenation, of which the low byte is that of b.
    let (eight, low) = (terms.bits(8, 32), terms.bits(255, 32));
    let (high, low) = (terms.shl(a, eight), terms.bvand(b, low));
    let word = terms.bvor(high, low);
    let byte = terms.extract(7, 0, word);
    assert_eq!(byte, terms.extract(7, 0, b));
    // A widened byte is below 256, and its ranges are known.
    let byte = terms.zero_extend(24, byte);
    let limit = terms.bits(256, 32);
    assert_eq!(terms.ult(byte, limit), yes);
    assert_eq!(terms.slt(byte, limit), yes);
    let sum = terms.add(byte, byte);
    assert_eq!(terms.facts(sum).max, 510);
}

#[test]
fn arrays_read_what_was_written() {
    let mut terms = Terms::new();
    let memory = terms.symbol("memory", Sort::Array { index: 32, element: 8 });
    let (i, v) = (terms.symbol("i", Sort::BitVec(32)), terms.symbol("v", Sort::BitVec(8)));
    let one = terms.bits(1, 32);
    let next = terms.add(i, one);
    let written = terms.store(memory, i, v);
    assert_eq!(terms.select(written, i), v);
    assert_eq!(terms.select(written, next), terms.select(memory, next));
    let j = terms.symbol("j", Sort::BitVec(32));
    let read = terms.select(written, j);
    let mut model = Model::new();
    let symbol = |terms: &Terms, term| terms.as_symbol(term).expect("a symbol");
    model.set_array(symbol(&terms, memory), ArrayValue { default: 7, entries: [(3, 9)].into() });
    model.set_bits(symbol(&terms, i), 5);
    model.set_bits(symbol(&terms, v), 1);
    for (j_value, expected) in [(5, 1), (3, 9), (4, 7)] {
        model.set_bits(symbol(&terms, j), j_value);
        assert_eq!(model.eval(&terms, read), Value::Bits { width: 8, value: expected });
    }
}

#[test]
fn deep_terms_do_not_exhaust_the_stack() {
    let mut terms = Terms::new();
    let (p, x) = (terms.symbol("p", Sort::Bool), terms.symbol("x", Sort::BitVec(32)));
    let mut sum = x;
    let mut other = x;
    let mut chain = p;
    for step in 0..100_000 {
        let q = terms.symbol(&format!("q{}", step % 1000), Sort::Bool);
        let y = terms.symbol(&format!("y{}", step % 1000), Sort::BitVec(32));
        let product = terms.mul(sum, y);
        sum = terms.add(sum, product);
        let masked = terms.bvand(other, y);
        let flipped = terms.bvnot(masked);
        other = terms.ite(q, flipped, other);
        let exclusive = terms.xor(chain, q);
        chain = terms.ite(p, exclusive, chain);
    }
    let equal = terms.eq(sum, other);
    let root = terms.and(chain, equal);
    assert!(terms.subterms(&[root]).len() > 100_000);
    let model = Model::new();
    // All zero: the sum and the choices stay zero, so the equality holds, and p does not.
    assert!(model.holds(&terms, equal));
    assert!(!model.holds(&terms, root));
    assert!(terms.display(root).to_string().len() > 100_000);
}
