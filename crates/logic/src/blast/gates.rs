//! The graph of gates below the terms: and-inverter logic, with exclusive or, choice and majority as gates of
//! their own because clauses for those are fewer than for the conjunctions that make them up.
//!
//! Equal gates are made once (structural hashing), constants and equal or opposite inputs are simplified
//! away, and a conjunction looks one level below its inputs (contradiction, idempotence, subsumption,
//! substitution, resolution, as in Brummayer and Biere: "Local Two-Level And-Inverter Graph Minimization without Blowup", 2006). A
//! conjunction of two negated conjunctions that together are an exclusive or, or a choice, becomes that gate.
//!
//! Inputs are made before the gates that use them, so ascending numbers are a topological order.

use std::fmt;
use std::ops::Not;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::term::bits::to_u32;

/// A gate's output or its negation, as `2 * gate + negated`. Gate zero is the constant false.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wire(u32);

impl Wire {
    /// Always false.
    pub const FALSE: Self = Self(0);
    /// Always true.
    pub const TRUE: Self = Self(1);

    /// The constant.
    #[must_use]
    pub const fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    const fn new(gate: u32, negated: bool) -> Self {
        Self(gate << 1 | negated as u32)
    }

    /// The number of the gate.
    #[must_use]
    pub const fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negated output.
    #[must_use]
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The output itself, not negated.
    #[must_use]
    pub const fn positive(self) -> Self {
        Self(self.0 & !1)
    }

    /// Negated if `negate`.
    #[must_use]
    pub const fn xor(self, negate: bool) -> Self {
        Self(self.0 ^ negate as u32)
    }

    /// Whether it is a constant.
    #[must_use]
    pub const fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl Not for Wire {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}g{}", if self.is_negated() { "!" } else { "" }, self.gate())
    }
}

/// What a gate computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// The constant false.
    False,
    /// Free; numbered so that each is different.
    Input(u32),
    /// Both.
    And(Wire, Wire),
    /// One but not the other; inputs are not negated.
    Xor(Wire, Wire),
    /// An odd number of three; inputs are not negated.
    Xor3(Wire, Wire, Wire),
    /// If the first then the second else the third; the first two are not negated.
    Mux(Wire, Wire, Wire),
    /// At least two of three; at most one is negated.
    Majority(Wire, Wire, Wire),
}

impl Gate {
    /// The inputs of the gate.
    pub(crate) fn inputs(&self) -> smallvec::SmallVec<[Wire; 3]> {
        match *self {
            Self::False | Self::Input(_) => smallvec::smallvec![],
            Self::And(a, b) | Self::Xor(a, b) => smallvec::smallvec![a, b],
            Self::Xor3(a, b, c) | Self::Mux(a, b, c) | Self::Majority(a, b, c) => {
                smallvec::smallvec![a, b, c]
            }
        }
    }
}

/// The gates. See the [module](self).
#[derive(Debug)]
pub struct Gates {
    gates: IndexSet<Gate, FxBuildHasher>,
    /// How many gates use each gate's output.
    fanout: Vec<u32>,
    inputs: u32,
}

impl Default for Gates {
    fn default() -> Self {
        Self::new()
    }
}

impl Gates {
    /// The constant alone.
    #[must_use]
    pub fn new() -> Self {
        let mut gates = Self { gates: IndexSet::default(), fanout: Vec::new(), inputs: 0 };
        gates.intern(Gate::False);
        gates
    }

    /// How many gates there are, inputs and the constant included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there is nothing but the constant.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.gates.len() <= 1
    }

    /// All gates, inputs of a gate before it.
    pub fn iter(&self) -> impl Iterator<Item = &Gate> {
        self.gates.iter()
    }

    /// What computes this wire, before negation.
    #[must_use]
    pub fn gate(&self, wire: Wire) -> Gate {
        self.gates[wire.gate()]
    }

    /// How many gates use this gate's output.
    #[must_use]
    pub fn fanout(&self, wire: Wire) -> u32 {
        self.fanout[wire.gate()]
    }

    fn intern(&mut self, gate: Gate) -> Wire {
        let (index, new) = self.gates.insert_full(gate);
        if new {
            self.fanout.push(0);
            for input in gate.inputs() {
                self.fanout[input.gate()] += 1;
            }
        }
        Wire::new(to_u32(index), false)
    }

    /// A free input.
    pub fn input(&mut self) -> Wire {
        self.inputs += 1;
        self.intern(Gate::Input(self.inputs))
    }

    /// The inputs of a conjunction.
    fn as_and(&self, wire: Wire) -> Option<(Wire, Wire)> {
        if let Gate::And(a, b) = self.gate(wire) { Some((a, b)) } else { None }
    }

    /// Both.
    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        let (mut a, mut b) = (a, b);
        // Each turn replaces an input by one below it, so this ends.
        loop {
            // In ascending order, so that the same conjunction is the same gate, and constants, which have the
            // lowest numbers, come first.
            if a > b {
                (a, b) = (b, a);
            }
            if a == Wire::FALSE || a == !b {
                return Wire::FALSE;
            }
            if a == Wire::TRUE || a == b {
                return b;
            }
            // Looking one level down never makes a gate of its own: what it gives is an input, or an input of
            // an input.
            match self.two_level(a, b) {
                TwoLevel::Done(wire) => return wire,
                TwoLevel::Again(c, d) => (a, b) = (c, d),
                TwoLevel::Keep => break,
            }
        }
        if let Some(wire) = self.compound(a, b) {
            return wire;
        }
        self.intern(Gate::And(a, b))
    }

    /// What looking at the inputs' inputs says about a conjunction.
    fn two_level(&self, a: Wire, b: Wire) -> TwoLevel {
        for (x, y) in [(a, b), (b, a)] {
            let Some((p, q)) = self.as_and(y) else { continue };
            if y.is_negated() {
                // `y` is `not (p and q)`. If `x` makes `p` false, `y` holds anyway.
                if x == !p || x == !q {
                    return TwoLevel::Done(x);
                }
                // If `x` is `p`, then what `y` says beside it is that `q` is false.
                if x == p {
                    return TwoLevel::Again(x, !q);
                }
                if x == q {
                    return TwoLevel::Again(x, !p);
                }
            } else {
                if x == !p || x == !q {
                    return TwoLevel::Done(Wire::FALSE);
                }
                if x == p || x == q {
                    return TwoLevel::Done(y);
                }
            }
        }
        let (Some((p, q)), Some((r, s))) = (self.as_and(a), self.as_and(b)) else { return TwoLevel::Keep };
        match (a.is_negated(), b.is_negated()) {
            (false, false) => {
                if p == !r || p == !s || q == !r || q == !s {
                    return TwoLevel::Done(Wire::FALSE);
                }
                // A shared input need not be taken twice.
                if p == r || q == r {
                    return TwoLevel::Again(a, s);
                }
                if p == s || q == s {
                    return TwoLevel::Again(a, r);
                }
            }
            (true, true) => {
                // Resolution: not (p and q) and not (p and not q) is not p.
                for (p, q) in [(p, q), (q, p)] {
                    for (r, s) in [(r, s), (s, r)] {
                        if p == r && q == !s {
                            return TwoLevel::Done(!p);
                        }
                    }
                }
            }
            (false, true) => return Self::mixed(a, (p, q), (r, s)),
            (true, false) => return Self::mixed(b, (r, s), (p, q)),
        }
        TwoLevel::Keep
    }

    /// `(p and q) and not (r and s)`, where `whole` is `p and q`.
    fn mixed(whole: Wire, (p, q): (Wire, Wire), (r, s): (Wire, Wire)) -> TwoLevel {
        // If `p and q` already contradicts one part of the negated conjunction, that one says nothing more.
        if r == !p || r == !q || s == !p || s == !q {
            return TwoLevel::Done(whole);
        }
        if r == p || r == q {
            return TwoLevel::Again(whole, !s);
        }
        if s == p || s == q {
            return TwoLevel::Again(whole, !r);
        }
        TwoLevel::Keep
    }

    /// Two negated conjunctions that are an exclusive or or a choice.
    fn compound(&mut self, a: Wire, b: Wire) -> Option<Wire> {
        if !a.is_negated() || !b.is_negated() {
            return None;
        }
        let ((p, q), (r, s)) = (self.as_and(a)?, self.as_and(b)?);
        for (p, q) in [(p, q), (q, p)] {
            for (r, s) in [(r, s), (s, r)] {
                // not (p and q) and not (not p and s) is: if p then not q else not s.
                if p == !r {
                    return Some(self.mux(p, !q, !s));
                }
            }
        }
        None
    }

    /// Either.
    pub fn or(&mut self, a: Wire, b: Wire) -> Wire {
        !self.and(!a, !b)
    }

    /// All of them.
    pub fn and_all(&mut self, wires: &[Wire]) -> Wire {
        self.tree(wires, Wire::TRUE, Self::and)
    }

    /// Some of them.
    pub fn or_all(&mut self, wires: &[Wire]) -> Wire {
        self.tree(wires, Wire::FALSE, Self::or)
    }

    /// Combines neighbours until one is left.
    fn tree(&mut self, wires: &[Wire], empty: Wire, gate: fn(&mut Self, Wire, Wire) -> Wire) -> Wire {
        // A balanced tree: as deep as the logarithm, which keeps implications short.
        let mut level = wires.to_vec();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| if let [a, b] = *pair { gate(self, a, b) } else { pair[0] })
                .collect();
        }
        level.first().copied().unwrap_or(empty)
    }

    /// One but not the other.
    pub fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        // Negations go to the output. So the inputs of an exclusive or are never negated, and fewer gates
        // differ.
        let negate = a.is_negated() != b.is_negated();
        let (mut a, mut b) = (a.positive(), b.positive());
        if a > b {
            (a, b) = (b, a);
        }
        if a == b {
            return Wire::constant(negate);
        }
        if a == Wire::FALSE {
            return b.xor(negate);
        }
        // x xor (x xor q) is q.
        for (x, y) in [(a, b), (b, a)] {
            if let Gate::Xor(p, q) = self.gate(y) {
                if p == x {
                    return q.xor(negate);
                }
                if q == x {
                    return p.xor(negate);
                }
            }
        }
        self.intern(Gate::Xor(a, b)).xor(negate)
    }

    /// Whether an odd number of three hold.
    pub fn xor3(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let negate = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut wires = [a.positive(), b.positive(), c.positive()];
        // After sorting, equal wires are neighbours and the constant is first.
        wires.sort_unstable();
        let [a, b, c] = wires;
        let plain = if a == Wire::FALSE || b == c {
            if b == c { a } else { self.xor(b, c) }
        } else if a == b {
            c
        } else {
            self.intern(Gate::Xor3(a, b, c))
        };
        plain.xor(negate)
    }

    /// If `condition` then `a` else `b`.
    pub fn mux(&mut self, condition: Wire, a: Wire, b: Wire) -> Wire {
        let (c, mut a, mut b) = if condition.is_negated() { (!condition, b, a) } else { (condition, a, b) };
        if c == Wire::FALSE {
            return b;
        }
        if a == b {
            return a;
        }
        // One branch is the negation of the other: an exclusive or, which has fewer clauses.
        if a == !b {
            return self.xor(c, b);
        }
        // A branch that is the condition, or its negation, is a constant there.
        if a.positive() == c {
            a = Wire::constant(a == c);
        }
        if b.positive() == c {
            b = Wire::constant(b != c);
        }
        match (a, b) {
            (Wire::TRUE, _) => return self.or(c, b),
            (Wire::FALSE, _) => return self.and(!c, b),
            (_, Wire::TRUE) => return self.or(!c, a),
            (_, Wire::FALSE) => return self.and(c, a),
            _ => {}
        }
        // Below a branch, the same condition is known.
        if let Gate::Mux(inner, x, _) = self.gate(a)
            && inner == c
        {
            return self.mux(c, x.xor(a.is_negated()), b);
        }
        if let Gate::Mux(inner, _, y) = self.gate(b)
            && inner == c
        {
            return self.mux(c, a, y.xor(b.is_negated()));
        }
        // A negated first branch and the negation of the output are exchanged, for the same reason as with
        // exclusive or.
        let negate = a.is_negated();
        self.intern(Gate::Mux(c, a.xor(negate), b.xor(negate))).xor(negate)
    }

    /// At least two of three: the carry of an adder.
    pub fn majority(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let mut wires = [a, b, c];
        // The order of the three does not matter, and sorting puts constants first and a wire next to its
        // negation.
        wires.sort_unstable();
        let [mut a, mut b, mut c] = wires;
        if a == Wire::FALSE {
            return self.and(b, c);
        }
        if a == Wire::TRUE {
            return self.or(b, c);
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        // Negating all inputs negates the output, so at most one negation is needed.
        let negations = [a, b, c].iter().filter(|wire| wire.is_negated()).count();
        let negate = negations >= 2;
        (a, b, c) = (a.xor(negate), b.xor(negate), c.xor(negate));
        self.intern(Gate::Majority(a, b, c)).xor(negate)
    }

    /// Sum and carry of three bits.
    pub fn full_adder(&mut self, a: Wire, b: Wire, c: Wire) -> (Wire, Wire) {
        (self.xor3(a, b, c), self.majority(a, b, c))
    }

    /// The values of all gates when the inputs have these values; a wire is looked up with [`Wire::gate`].
    pub fn simulate(&self, input: impl Fn(Wire) -> bool) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.len());
        for (index, gate) in self.gates.iter().enumerate() {
            let get = |wire: Wire| values[wire.gate()] != wire.is_negated();
            let value = match *gate {
                Gate::False => false,
                Gate::Input(_) => input(Wire::new(to_u32(index), false)),
                Gate::And(a, b) => get(a) && get(b),
                Gate::Xor(a, b) => get(a) != get(b),
                Gate::Xor3(a, b, c) => get(a) ^ get(b) ^ get(c),
                Gate::Mux(c, a, b) => {
                    if get(c) {
                        get(a)
                    } else {
                        get(b)
                    }
                }
                Gate::Majority(a, b, c) => u8::from(get(a)) + u8::from(get(b)) + u8::from(get(c)) >= 2,
            };
            values.push(value);
        }
        values
    }
}

/// What to do with a conjunction.
enum TwoLevel {
    /// It is this wire.
    Done(Wire),
    /// It is the conjunction of these.
    Again(Wire, Wire),
    /// It stays.
    Keep,
}
