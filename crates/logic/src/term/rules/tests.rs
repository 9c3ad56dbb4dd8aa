//! Every rule of the table, against evaluation over all values at small widths.

#![expect(clippy::wildcard_enum_match_arm, reason = "the generator looks for a few shapes only")]

use std::collections::BTreeMap;

use super::super::eval::{ArrayValue, Model};
use super::super::{Evaluator, Operator, Sort, SymbolId, Term, TermId, Terms, Value};
use super::TABLE;
use raddle_base::Id;

/// A small generator of numbers (xorshift), so that the tests are the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("small")
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Terms to make nodes of, by sort, and the models to compare under.
struct World<'models> {
    terms: Terms,
    random: Random,
    pool: BTreeMap<Sort, Vec<TermId>>,
    evaluators: Vec<Evaluator<'models>>,
}

const POOL: usize = 60;

impl<'models> World<'models> {
    fn new(width: u32, seed: u64, models: &'models [Model]) -> Self {
        let mut terms = Terms::new();
        let mut pool: BTreeMap<Sort, Vec<TermId>> = BTreeMap::new();
        for (name, sort) in symbols(width) {
            let term = terms.symbol(name, sort);
            pool.entry(sort).or_default().push(term);
        }
        for value in 0..1 << width {
            let constant = terms.bits(value, width);
            pool.entry(Sort::BitVec(width)).or_default().push(constant);
        }
        let element = pool[&Sort::BitVec(width)][0];
        let everywhere = terms.const_array(1, element);
        let array = Sort::Array { index: 1, element: width };
        pool.entry(array).or_default().push(everywhere);
        let evaluators = models.iter().map(Evaluator::new).collect();
        Self { terms, random: Random(seed), pool, evaluators }
    }

    fn any(&mut self, sort: Sort) -> Option<TermId> {
        let from = self.pool.get(&sort)?;
        Some(self.random.pick(from))
    }

    fn any_bits(&mut self) -> (TermId, u32) {
        let widths: Vec<u32> = self
            .pool
            .keys()
            .filter_map(|sort| if let Sort::BitVec(width) = sort { Some(*width) } else { None })
            .collect();
        let width = self.random.pick(&widths);
        (self.any(Sort::BitVec(width)).expect("the pool has this width"), width)
    }

    /// A bit-vector and another one, or something derived from it, as rules look for such pairs.
    fn pair(&mut self) -> (TermId, TermId) {
        let (a, width) = self.any_bits();
        let mut b = self.any(Sort::BitVec(width)).expect("the pool has this width");
        if self.random.below(6) == 0 {
            b = self.relative(a, b, width);
        }
        if self.random.below(2) == 0 { (a, b) } else { (b, a) }
    }

    fn relative(&mut self, a: TermId, b: TermId, width: u32) -> TermId {
        let terms = &mut self.terms;
        match self.random.below(7) {
            0 => a,
            1 => terms.bvnot(a),
            2 => terms.neg(a),
            3 => terms.add(a, b),
            4 => terms.bvand(a, b),
            5 => {
                let one = terms.bits(1, width);
                terms.add(a, one)
            }
            _ => terms.bvxor(a, b),
        }
    }

    /// A Boolean related to `a` in a way that rules look for, or just `b`.
    fn boolean_relative(&mut self, a: TermId, b: TermId) -> TermId {
        let terms = &mut self.terms;
        match self.random.below(12) {
            0 => terms.not(a),
            1 => terms.and(a, b),
            2 => terms.xor(a, b),
            3 => terms.implies(a, b),
            4 => {
                let a = terms.not(a);
                terms.and(a, b)
            }
            5..=7 => match terms[a] {
                Term::And(x, _) => {
                    let x = terms.not(x);
                    terms.and(x, b)
                }
                Term::Ult(x, y) => terms.ult(y, x),
                Term::Slt(x, y) => terms.eq(x, y),
                Term::Not(inner) => match terms[inner] {
                    Term::And(x, y) => {
                        let y = terms.not(y);
                        let both = terms.and(x, y);
                        terms.not(both)
                    }
                    _ => b,
                },
                _ => b,
            },
            _ => b,
        }
    }

    fn array(&mut self) -> TermId {
        let sort = *self.pool.keys().find(|sort| matches!(sort, Sort::Array { .. })).expect("an array");
        self.any(sort).expect("an array")
    }

    /// A node with this operator, not yet in the arena.
    #[expect(clippy::too_many_lines, reason = "one flat match over the operators")]
    fn node(&mut self, operator: Operator) -> Option<Term> {
        let boolean = |world: &mut Self| world.any(Sort::Bool).expect("the pool has Booleans");
        Some(match operator {
            Operator::Symbol | Operator::Bool | Operator::Bits => return None,
            Operator::Not => Term::Not(boolean(self)),
            Operator::And | Operator::Xor => {
                let (mut a, b) = (boolean(self), boolean(self));
                let mut b = self.boolean_relative(a, b);
                if self.random.below(2) == 0 {
                    let c = boolean(self);
                    (a, b) = (self.boolean_relative(b, c), a);
                }
                let (a, b) = self.terms.ordered(a, b);
                if operator == Operator::And { Term::And(a, b) } else { Term::Xor(a, b) }
            }
            Operator::Ite => {
                let mut condition = boolean(self);
                let (mut a, mut b) = match self.random.below(4) {
                    0 => (boolean(self), boolean(self)),
                    1 => (self.array(), self.array()),
                    _ => self.pair(),
                };
                match self.random.below(12) {
                    0 => condition = self.terms.eq(a, b),
                    1 => a = self.terms.ite(condition, a, b),
                    2 => b = self.terms.ite(condition, a, b),
                    _ => {}
                }
                Term::Ite(condition, a, b)
            }
            Operator::Eq => {
                let (a, b) =
                    if self.random.below(6) == 0 { (self.array(), self.array()) } else { self.pair() };
                let (a, b) = self.terms.ordered(a, b);
                Term::Eq(a, b)
            }
            Operator::Select => {
                let mut array = self.array();
                let index = self.any(Sort::BitVec(1))?;
                if self.random.below(4) == 0 {
                    let (condition, other) = (boolean(self), self.array());
                    let (_, width) = self.terms.array_widths(array);
                    let element = self.any(Sort::BitVec(width))?;
                    let stored = self.terms.store(array, index, element);
                    let everywhere = self.terms.const_array(1, element);
                    let plain = self.random.pick(&[other, everywhere]);
                    array = self.terms.ite(condition, stored, plain);
                }
                Term::Select(array, index)
            }
            Operator::Store => {
                let array = self.array();
                let index = self.any(Sort::BitVec(1))?;
                let (_, width) = self.terms.array_widths(array);
                let mut element = self.any(Sort::BitVec(width))?;
                if self.random.below(6) == 0 {
                    element = self.terms.select(array, index);
                }
                Term::Store(array, index, element)
            }
            Operator::ConstArray => return None,
            Operator::BvNot => {
                let (mut a, width) = self.any_bits();
                if self.random.below(3) == 0 {
                    let b = self.any(Sort::BitVec(width))?;
                    a = self.relative(a, b, width);
                }
                Term::BvNot(a)
            }
            Operator::Concat => {
                let ((a, left), (b, right)) = (self.any_bits(), self.any_bits());
                if left + right > 8 {
                    return None;
                }
                if self.random.below(6) == 0 && left > 1 {
                    let high = self.terms.extract(left - 1, left - 1, a);
                    let mut low = self.terms.extract(left - 2, 0, a);
                    if self.random.below(2) == 0 {
                        low = self.terms.concat(low, b);
                    }
                    return Some(Term::Concat(high, low));
                }
                Term::Concat(a, b)
            }
            Operator::Extract => {
                let (of, width) = self.any_bits();
                let low = u32::try_from(self.random.below(width as usize)).expect("small");
                let more = u32::try_from(self.random.below((width - low) as usize)).expect("small");
                Term::Extract { high: low + more, low, of }
            }
            Operator::SignExtend => {
                let (of, width) = self.any_bits();
                if width > 4 {
                    return None;
                }
                Term::SignExtend { by: 1 + u32::from(self.random.below(2) == 0), of }
            }
            Operator::Ult => {
                let (a, b) = self.pair();
                let remainder = self.terms.urem(a, b);
                match self.random.below(8) {
                    0 => Term::Ult(remainder, b),
                    1 => Term::Ult(a, remainder),
                    _ => Term::Ult(a, b),
                }
            }
            Operator::Slt => self.binary(false, Term::Slt),
            Operator::UmulOverflow => self.binary(true, Term::UmulOverflow),
            Operator::SmulOverflow => self.binary(true, Term::SmulOverflow),
            Operator::BvAnd => self.binary(true, Term::BvAnd),
            Operator::BvXor => self.binary(true, Term::BvXor),
            Operator::Add => self.binary(true, Term::Add),
            Operator::Mul => self.binary(true, Term::Mul),
            Operator::Udiv => self.binary(false, Term::Udiv),
            Operator::Urem => self.binary(false, Term::Urem),
            Operator::Shl => self.binary(false, Term::Shl),
            Operator::Lshr => self.binary(false, Term::Lshr),
            Operator::Ashr => self.binary(false, Term::Ashr),
        })
    }

    fn binary(&mut self, commutes: bool, node: fn(TermId, TermId) -> Term) -> Term {
        let (a, b) = self.pair();
        let (a, b) = if commutes { self.terms.ordered(a, b) } else { (a, b) };
        node(a, b)
    }

    /// The values of a term under all models.
    fn values(&mut self, term: TermId) -> Vec<Vec<u128>> {
        let terms = &self.terms;
        let value = |evaluator: &mut Evaluator<'_>| match evaluator.eval(terms, term) {
            Value::Bool(value) => vec![u128::from(value)],
            Value::Bits { value, .. } => vec![value],
            // Indices are one bit wide.
            Value::Array(array) => vec![array.get(0), array.get(1)],
        };
        self.evaluators.iter_mut().map(value).collect()
    }

    /// How many terms this one consists of, as far as that matters.
    fn size(&self, term: TermId) -> usize {
        let mut found = vec![term];
        let mut next = 0;
        while next < found.len() && found.len() < 20 {
            let children = self.terms[found[next]].children();
            found.extend(children.into_iter().filter(|child| !found.contains(child)).collect::<Vec<_>>());
            next += 1;
        }
        found.len()
    }

    /// Keeps a term for later nodes, if it is small; some older one may go.
    fn keep(&mut self, term: TermId) {
        if self.size(term) > 12 {
            return;
        }
        let pool = self.pool.entry(self.terms.sort(term)).or_default();
        if pool.len() < POOL {
            pool.push(term);
        } else {
            // The first few are symbols and constants, which stay.
            let position = 12 + self.random.below(POOL - 12);
            pool[position] = term;
        }
    }
}

/// The symbols that terms are made of, in the order they are made.
fn symbols(width: u32) -> [(&'static str, Sort); 6] {
    [
        ("x", Sort::BitVec(width)),
        ("y", Sort::BitVec(width)),
        ("b", Sort::BitVec(1)),
        ("p", Sort::Bool),
        ("q", Sort::Bool),
        ("m", Sort::Array { index: 1, element: width }),
    ]
}

/// All values of the scalars, with a few arrays each.
fn models(width: u32, random: &mut Random) -> Vec<Model> {
    let mut models = vec![Model::new()];
    for (position, (_, sort)) in symbols(width).into_iter().enumerate() {
        let symbol = SymbolId::from_index(position);
        let mut next = Vec::new();
        for model in &models {
            let count = match sort {
                Sort::Bool => 2,
                Sort::BitVec(width) => 1 << width,
                Sort::Array { .. } => 2,
            };
            for value in 0..count {
                let mut model = model.clone();
                match sort {
                    Sort::Bool => model.set_bool(symbol, value == 1),
                    Sort::BitVec(_) => model.set_bits(symbol, value),
                    Sort::Array { .. } => {
                        let mut any = || u128::from(random.next()) & ((1 << width) - 1);
                        let entries = BTreeMap::from([(0, any()), (1, any())]);
                        model.set_array(symbol, ArrayValue { default: 0, entries });
                    }
                }
                next.push(model);
            }
        }
        models = next;
    }
    models
}

/// The operators that have rules.
fn operators() -> Vec<Operator> {
    TABLE.iter().filter(|group| !group.rules.is_empty()).map(|group| group.operator).collect()
}

#[test]
fn the_table_stands_in_the_order_of_the_operators_and_names_are_unique() {
    for (position, group) in TABLE.iter().enumerate() {
        assert_eq!(group.operator as usize, position, "{:?} is out of order", group.operator);
    }
    let mut names: Vec<&str> = TABLE.iter().flat_map(|group| group.rules).map(|rule| rule.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "a rule's name is used twice");
}

#[test]
fn every_rule_applies_and_keeps_the_value() {
    let mut applied: BTreeMap<&str, u32> =
        TABLE.iter().flat_map(|group| group.rules).map(|rule| (rule.name, 0)).collect();
    let mut operators = operators();
    // Conjunctions have the rules that need the most luck.
    operators.extend([Operator::And; 6]);
    for (width, rounds, seed) in [(1, 4_000, 1), (2, 12_000, 2), (3, 9_000, 3), (2, 12_000, 4), (4, 2_000, 5)]
    {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ seed);
        let mut models = models(width, &mut random);
        if models.len() > 200 {
            // An odd step, so that every value of every symbol stays.
            models = models.into_iter().step_by(if width > 3 { 17 } else { 3 }).collect();
        }
        let mut world = World::new(width, random.next(), &models);
        for round in 0..rounds {
            let operator = operators[round % operators.len()];
            let Some(node) = world.node(operator) else { continue };
            let results: Vec<(&str, TermId)> = TABLE[operator as usize]
                .rules
                .iter()
                .filter_map(|rule| Some((rule.name, (rule.apply)(&mut world.terms, &node)?)))
                .collect();
            let plain = world.terms.intern(node);
            if results.is_empty() {
                world.keep(plain);
                continue;
            }
            let expected = world.values(plain);
            for &(name, result) in &results {
                *applied.get_mut(name).expect("in the table") += 1;
                let values = world.values(result);
                assert!(
                    values == expected,
                    "rule {name} turns {} into {}",
                    world.terms.display(plain),
                    world.terms.display(result),
                );
            }
            let rewritten = results[0].1;
            world.keep(rewritten);
        }
    }
    let idle: Vec<&str> = applied.iter().filter(|&(_, &count)| count == 0).map(|(&name, _)| name).collect();
    assert!(idle.is_empty(), "never applied: {idle:?}");
}
