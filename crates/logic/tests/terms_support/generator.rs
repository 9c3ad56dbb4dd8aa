//! Random questions: a few Boolean terms over bit-vectors, Booleans and arrays.

use raddle_logic::term::{Sort, TermId, Terms};

use super::{Random, operations};

/// Sorts, and terms of them to build on.
pub struct Generator<'a> {
    pub terms: &'a mut Terms,
    pub random: &'a mut Random,
    width: u32,
    index: u32,
    bools: Vec<TermId>,
    bits: Vec<TermId>,
    indices: Vec<TermId>,
    arrays: Vec<TermId>,
}

impl<'a> Generator<'a> {
    /// Symbols are named after the sorts, so that questions share them.
    pub fn new(terms: &'a mut Terms, random: &'a mut Random) -> Self {
        let width = random.pick(&[1, 2, 3, 4, 5, 8]);
        let index = random.pick(&[1, 2, 3]);
        let mut generator = Self {
            terms,
            random,
            width,
            index,
            bools: vec![],
            bits: vec![],
            indices: vec![],
            arrays: vec![],
        };
        for position in 0..3 {
            let terms = &mut *generator.terms;
            generator.bools.push(terms.symbol(&format!("p{position}"), Sort::Bool));
            generator.bits.push(terms.symbol(&format!("x{position}_{width}"), Sort::BitVec(width)));
            generator.indices.push(terms.symbol(&format!("i{position}_{index}"), Sort::BitVec(index)));
            if position < 2 {
                let sort = Sort::Array { index, element: width };
                generator.arrays.push(terms.symbol(&format!("m{position}_{index}_{width}"), sort));
            }
        }
        let value = generator.random.bits(width);
        let constant = generator.terms.bits(value, width);
        generator.bits.push(constant);
        let value = generator.random.bits(index);
        let constant = generator.terms.bits(value, index);
        generator.indices.push(constant);
        generator
    }

    fn step(&mut self, with_arrays: bool) {
        let (p, q) = (self.random.pick(&self.bools), self.random.pick(&self.bools));
        let (a, b) = (self.random.pick(&self.bits), self.random.pick(&self.bits));
        let (i, j) = (self.random.pick(&self.indices), self.random.pick(&self.indices));
        let (m, n) = (self.random.pick(&self.arrays), self.random.pick(&self.arrays));
        let terms = &mut *self.terms;
        match self.random.below(if with_arrays { 16 } else { 9 }) {
            0 => self.bools.push(terms.and(p, q)),
            1 => self.bools.push(terms.or(p, q)),
            2 => self.bools.push(terms.xor(p, q)),
            3 => self.bools.push(terms.not(p)),
            4 => self.bits.push(terms.ite(p, a, b)),
            5..9 => {
                let all = operations();
                let chosen = &all[self.random.below(all.len())];
                let result = (chosen.build)(terms, a, b);
                match terms.sort(result) {
                    Sort::Bool => self.bools.push(result),
                    Sort::BitVec(_) => self.bits.push(terms.resize(result, self.width, false)),
                    Sort::Array { .. } => {}
                }
            }
            9 => self.arrays.push(terms.store(m, i, a)),
            10 => self.arrays.push(terms.ite(p, m, n)),
            11 => self.bits.push(terms.select(m, i)),
            12 => self.bits.push(terms.select(n, j)),
            13 => self.bools.push(terms.eq(m, n)),
            14 => {
                if self.random.below(3) == 0 {
                    self.arrays.push(terms.const_array(self.index, a));
                } else {
                    self.indices.push(terms.add(i, j));
                }
            }
            _ => {
                let cut = terms.resize(a, self.index, true);
                self.indices.push(cut);
            }
        }
    }

    /// Some Booleans made in this many steps.
    pub fn question(&mut self, steps: usize, with_arrays: bool) -> Vec<TermId> {
        for _ in 0..steps {
            self.step(with_arrays);
        }
        // Comparisons tie the values together.
        for _ in 0..3 {
            let (a, b) = (self.random.pick(&self.bits), self.random.pick(&self.bits));
            let equal = self.terms.eq(a, b);
            let less = self.terms.slt(a, b);
            self.bools.extend([equal, less]);
        }
        let count = 2 + self.random.below(5);
        let late = self.bools.len() / 2;
        (0..count)
            .map(|_| {
                let term = self.bools[late + self.random.below(self.bools.len() - late)];
                if self.random.below(2) == 0 { term } else { self.terms.not(term) }
            })
            .collect()
    }
}
