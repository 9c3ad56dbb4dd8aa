//! Bit-vector questions: the embedded solver over both SAT solvers, beside the installed z3 and cvc5 in the
//! same run; the choice of circuits; and the number of clauses beside a textbook encoding.
//!
//! The other solvers are given the question as it was asked, before any rewriting. Their times include the
//! start of a process, which is shown by a question of its own (`nothing`).

#![expect(clippy::print_stdout, reason = "the tables are the result")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use raddle_base::Budget;
use raddle_logic::blast::gates::{Gate, Gates};
use raddle_logic::blast::{Blaster, Divider, Multiplier};
use raddle_logic::sat::batsat::Batsat;
use raddle_logic::sat::{Sat, default_solver};
use raddle_logic::smtlib::Command;
use raddle_logic::solver::{Answer, Embedded, Solver};
use raddle_logic::term::{Sort, TermId, Terms};

/// Longer than this, nobody waits.
const LIMIT: Duration = Duration::from_secs(20);

/// A question: its name, what must hold, and whether it can.
type Question = (&'static str, fn(&mut Terms) -> TermId, bool);

const QUESTIONS: &[Question] = &[
    ("nothing", |t| t.bool(true), true),
    ("multiplication commutes, 32 bits", commutes, false),
    ("multiplication associates, 16 bits", associates, false),
    ("multiplication distributes, 16 bits", distributes, false),
    ("difference of squares, 32 bits", squares, false),
    ("product is shifted sums, 6 bits", |t| shifted_sums(t, 6), false),
    ("product is shifted sums, 7 bits", |t| shifted_sums(t, 7), false),
    ("product of swapped rows, 7 bits", |t| swapped_rows(t, 7), false),
    ("product by halves, 7 bits", |t| halves(t, 7), false),
    ("product by halves, 8 bits", |t| halves(t, 8), false),
    ("adder tree of 16, 32 bits", |t| adder_tree(t, 16, 32), false),
    ("adder trees behind choices, 16 bits", |t| chosen_adders(t, 16), false),
    ("sum by or and and, 64 bits", |t| sum_by_or(t, 64), false),
    ("average without overflow, 32 bits", |t| average(t, 32), false),
    ("ones counted two ways, 16 bits", |t| ones(t, 16), false),
    ("ones counted two ways, 24 bits", |t| ones(t, 24), false),
    ("shift left is a product, 16 bits", |t| shift_is_product(t, 16), false),
    ("shift right is a quotient, 12 bits", |t| shift_is_quotient(t, 12), false),
    ("shifts there and back, 32 bits", |t| there_and_back(t, 32), false),
    ("rotations cancel, 32 bits", |t| rotations(t, 32), false),
    ("quotient times divisor, 6 bits", |t| division(t, 6), false),
    ("quotient times divisor, 7 bits", |t| division(t, 7), false),
    ("remainder is below divisor, 16 bits", |t| remainder(t, 16), false),
    ("division by ten by a product, 8 bits", |t| by_ten(t, 8), false),
    ("overflow shows in the quotient, 6 bits", |t| overflow(t, 6), false),
    ("a factor of a product, 18 bits", factor, true),
    ("a square root, 24 bits", square_root, true),
    ("stores in two orders, 8 stores", |t| stores(t, 8), false),
    ("an array sorted by swaps, 5 elements", |t| sorted(t, 5), false),
];

fn symbols<const N: usize>(terms: &mut Terms, width: u32) -> [TermId; N] {
    std::array::from_fn(|position| terms.symbol(&format!("x{position}"), Sort::BitVec(width)))
}

fn commutes(t: &mut Terms) -> TermId {
    let [a, b] = symbols(t, 32);
    let (left, right) = (t.mul(a, b), t.mul(b, a));
    t.ne(left, right)
}

fn associates(t: &mut Terms) -> TermId {
    let [a, b, c] = symbols(t, 16);
    let (ab, bc) = (t.mul(a, b), t.mul(b, c));
    let (left, right) = (t.mul(ab, c), t.mul(a, bc));
    t.ne(left, right)
}

fn distributes(t: &mut Terms) -> TermId {
    let [a, b, c] = symbols(t, 16);
    let sum = t.add(b, c);
    let (left, ab, ac) = (t.mul(a, sum), t.mul(a, b), t.mul(a, c));
    let right = t.add(ab, ac);
    t.ne(left, right)
}

fn squares(t: &mut Terms) -> TermId {
    let [a, b] = symbols(t, 32);
    let (sum, difference) = (t.add(a, b), t.sub(a, b));
    let (left, aa, bb) = (t.mul(sum, difference), t.mul(a, a), t.mul(b, b));
    let right = t.sub(aa, bb);
    t.ne(left, right)
}

/// The rows of a product, as choices.
fn rows(t: &mut Terms, a: TermId, b: TermId) -> Vec<TermId> {
    let width = t.width(a);
    (0..width)
        .map(|position| {
            let (amount, zero) = (t.bits(u128::from(position), width), t.bits(0, width));
            let (row, bit) = (t.shl(a, amount), t.bit(b, position));
            t.ite(bit, row, zero)
        })
        .collect()
}

fn shifted_sums(t: &mut Terms, width: u32) -> TermId {
    let [a, b] = symbols(t, width);
    let sum = rows(t, a, b).into_iter().rev().reduce(|sum, row| t.add(sum, row)).expect("some rows");
    let product = t.mul(a, b);
    t.ne(sum, product)
}

fn swapped_rows(t: &mut Terms, width: u32) -> TermId {
    let [a, b] = symbols(t, width);
    let left = rows(t, a, b).into_iter().reduce(|sum, row| t.add(sum, row)).expect("some rows");
    let right = rows(t, b, a).into_iter().reduce(|sum, row| t.add(sum, row)).expect("some rows");
    t.ne(left, right)
}

fn halves(t: &mut Terms, width: u32) -> TermId {
    let [a, b] = symbols(t, width);
    let half = width / 2;
    let (high, low) = (t.extract(width - 1, half, a), t.extract(half - 1, 0, a));
    let (high, low) = (t.zero_extend(half, high), t.zero_extend(width - half, low));
    let (high, low, amount) = (t.mul(high, b), t.mul(low, b), t.bits(u128::from(half), width));
    let high = t.shl(high, amount);
    let (sum, product) = (t.add(high, low), t.mul(a, b));
    t.ne(sum, product)
}

/// Stores at different indices may be made in any order.
fn stores(t: &mut Terms, count: usize) -> TermId {
    let memory = t.symbol("memory", Sort::Array { index: 32, element: 8 });
    let positions: Vec<TermId> =
        (0..count).map(|position| t.symbol(&format!("i{position}"), Sort::BitVec(32))).collect();
    let values: Vec<TermId> =
        (0..count).map(|position| t.symbol(&format!("v{position}"), Sort::BitVec(8))).collect();
    let (mut left, mut right) = (memory, memory);
    for position in 0..count {
        left = t.store(left, positions[position], values[position]);
        right = t.store(right, positions[count - 1 - position], values[count - 1 - position]);
    }
    let (apart, differ) = (t.distinct(&positions), t.ne(left, right));
    t.and(apart, differ)
}

/// A network of compare-and-swap steps sorts; an element that is too large is at the end.
fn sorted(t: &mut Terms, count: u32) -> TermId {
    let mut memory = t.symbol("memory", Sort::Array { index: 8, element: 8 });
    let base = t.symbol("base", Sort::BitVec(8));
    let position = |t: &mut Terms, offset: u32| {
        let offset = t.bits(u128::from(offset), 8);
        t.add(base, offset)
    };
    for end in (1..count).rev() {
        for offset in 0..end {
            let (i, j) = (position(t, offset), position(t, offset + 1));
            let (a, b) = (t.select(memory, i), t.select(memory, j));
            let swap = t.ult(b, a);
            let (low, high) = (t.ite(swap, b, a), t.ite(swap, a, b));
            memory = t.store(memory, i, low);
            memory = t.store(memory, j, high);
        }
    }
    let unordered = (1..count).map(|offset| {
        let (i, j) = (position(t, offset - 1), position(t, offset));
        let (a, b) = (t.select(memory, i), t.select(memory, j));
        t.ult(b, a)
    });
    let unordered: Vec<TermId> = unordered.collect();
    t.or_all(unordered)
}

fn adder_tree(t: &mut Terms, count: usize, width: u32) -> TermId {
    let leaves: Vec<TermId> =
        (0..count).map(|position| t.symbol(&format!("x{position}"), Sort::BitVec(width))).collect();
    let chain = leaves.iter().copied().rev().reduce(|sum, leaf| t.add(sum, leaf)).expect("some");
    let mut level = leaves;
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| t.add(pair[0], pair[1])).collect();
    }
    t.ne(chain, level[0])
}

fn chosen_adders(t: &mut Terms, width: u32) -> TermId {
    let [a, b, c, d] = symbols(t, width);
    let p = t.symbol("p", Sort::Bool);
    let (ab, cd, ac, bd) = (t.add(a, b), t.add(c, d), t.add(a, c), t.add(b, d));
    let (left, right) = (t.add(ab, cd), t.add(ac, bd));
    let (left_or, right_or) = (t.ite(p, left, ab), t.ite(p, right, ab));
    let (left, right) = (t.bvxor(left_or, d), t.bvxor(right_or, d));
    t.ne(left, right)
}

fn sum_by_or(t: &mut Terms, width: u32) -> TermId {
    let [a, b] = symbols(t, width);
    let (or, and, left) = (t.bvor(a, b), t.bvand(a, b), t.add(a, b));
    let right = t.add(or, and);
    t.ne(left, right)
}

fn average(t: &mut Terms, width: u32) -> TermId {
    let [a, b] = symbols(t, width);
    let one = t.bits(1, width);
    let (and, xor) = (t.bvand(a, b), t.bvxor(a, b));
    let half = t.lshr(xor, one);
    let left = t.add(and, half);
    let (wide_a, wide_b) = (t.zero_extend(1, a), t.zero_extend(1, b));
    let sum = t.add(wide_a, wide_b);
    let right = t.extract(width, 1, sum);
    t.ne(left, right)
}

fn ones(t: &mut Terms, width: u32) -> TermId {
    let [a] = symbols(t, width);
    let bits: Vec<TermId> = (0..width)
        .map(|position| {
            let bit = t.extract(position, position, a);
            t.zero_extend(7, bit)
        })
        .collect();
    let chain = bits.iter().copied().reduce(|sum, bit| t.add(sum, bit)).expect("some");
    let mut level = bits;
    level.reverse();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| if let [a, b] = *pair { t.add(a, b) } else { pair[0] }).collect();
    }
    // Behind a mask, so that rewriting does not see that two sums are compared.
    let mask = t.symbol("mask", Sort::BitVec(8));
    let (left, right) = (t.bvand(chain, mask), t.bvand(level[0], mask));
    t.ne(left, right)
}

fn shift_is_product(t: &mut Terms, width: u32) -> TermId {
    let [x, s] = symbols(t, width);
    let one = t.bits(1, width);
    let (left, power) = (t.shl(x, s), t.shl(one, s));
    let right = t.mul(x, power);
    t.ne(left, right)
}

fn shift_is_quotient(t: &mut Terms, width: u32) -> TermId {
    let [x, s] = symbols(t, width);
    let (one, limit) = (t.bits(1, width), t.bits(u128::from(width), width));
    let (left, power) = (t.lshr(x, s), t.shl(one, s));
    let (right, in_range) = (t.udiv(x, power), t.ult(s, limit));
    let differ = t.ne(left, right);
    t.and(in_range, differ)
}

fn there_and_back(t: &mut Terms, width: u32) -> TermId {
    let [x, s] = symbols(t, width);
    let ones = t.bits(u128::MAX, width);
    let (there, mask) = (t.shl(x, s), t.lshr(ones, s));
    let (back, kept) = (t.lshr(there, s), t.bvand(x, mask));
    t.ne(back, kept)
}

fn rotations(t: &mut Terms, width: u32) -> TermId {
    let [x, s] = symbols(t, width);
    let limit = t.bits(u128::from(width), width);
    let in_range = t.ult(s, limit);
    let rest = t.sub(limit, s);
    let (high, low) = (t.shl(x, s), t.lshr(x, rest));
    let there = t.bvor(high, low);
    let (low, high) = (t.lshr(there, s), t.shl(there, rest));
    let back = t.bvor(high, low);
    let differ = t.ne(back, x);
    t.and(in_range, differ)
}

fn division(t: &mut Terms, width: u32) -> TermId {
    let [n, d] = symbols(t, width);
    let (quotient, remainder) = (t.udiv(n, d), t.urem(n, d));
    let product = t.mul(quotient, d);
    let sum = t.add(product, remainder);
    t.ne(sum, n)
}

fn remainder(t: &mut Terms, width: u32) -> TermId {
    let [n, d] = symbols(t, width);
    let remainder = t.urem(n, d);
    let (above, nonzero) = (t.uge(remainder, d), t.is_nonzero(d));
    t.and(above, nonzero)
}

fn by_ten(t: &mut Terms, width: u32) -> TermId {
    let [x] = symbols(t, width);
    let ten = t.bits(10, width);
    let quotient = t.udiv(x, ten);
    let wide = t.zero_extend(width, x);
    let magic = t.bits((1_u128 << (width + 3)).div_ceil(10), 2 * width);
    let product = t.mul(wide, magic);
    let cut = t.extract(2 * width - 1, width + 3, product);
    let right = t.zero_extend(3, cut);
    t.ne(quotient, right)
}

fn overflow(t: &mut Terms, width: u32) -> TermId {
    let [a, b] = symbols(t, width);
    let product = t.mul(a, b);
    let (quotient, nonzero) = (t.udiv(product, a), t.is_nonzero(a));
    let differs = t.ne(quotient, b);
    let (left, right) = (t.and(nonzero, differs), t.umul_overflows(a, b));
    t.xor(left, right)
}

fn factor(t: &mut Terms) -> TermId {
    let [a, b] = symbols(t, 18);
    let (wide_a, wide_b) = (t.zero_extend(18, a), t.zero_extend(18, b));
    let product = t.mul(wide_a, wide_b);
    let target = t.bits(199_999 * 250_007, 36);
    let (found, ordered, one) = (t.eq(product, target), t.ult(a, b), t.bits(1, 18));
    let (more, both) = (t.ult(one, a), t.and(found, ordered));
    t.and(both, more)
}

fn square_root(t: &mut Terms) -> TermId {
    let [a] = symbols(t, 48);
    let (square, target) = (t.mul(a, a), t.bits(12_345_677 * 12_345_677, 48));
    let (limit, found) = (t.bits(1 << 24, 48), t.eq(square, target));
    let small = t.ult(a, limit);
    t.and(found, small)
}

fn embedded(question: &Question, sat: Box<dyn Sat>, blaster: Blaster) -> (Answer, u64) {
    let mut terms = Terms::new();
    let root = (question.1)(&mut terms);
    let mut solver = Embedded::with(sat, blaster);
    solver.assert(&mut terms, root);
    let budget = Budget::unlimited().with_time(LIMIT);
    let answer = solver.check(&mut terms, &[], &budget).expect("embedded");
    (answer, solver.statistics().sat.conflicts)
}

/// The question as it was asked.
fn plain_text(question: &Question) -> String {
    let mut terms = Terms::without_rewriting();
    let root = (question.1)(&mut terms);
    let mut solver = Embedded::new();
    solver.assert(&mut terms, root);
    solver.dump_smt2(&terms, &[])
}

fn external(command: &Command, text: &str) -> Option<bool> {
    let budget = Budget::unlimited().with_time(LIMIT);
    let printed = command.run(text, &budget).expect("it was available").ok()?;
    Some(printed.lines().next()? == "sat")
}

fn time(run: impl FnOnce() -> Option<bool>, expected: bool) -> String {
    let start = Instant::now();
    match run() {
        Some(answer) => {
            assert_eq!(answer, expected, "a wrong answer");
            format!("{:.3}", start.elapsed().as_secs_f64())
        }
        None => format!("> {}", LIMIT.as_secs()),
    }
}

fn answer(answer: Answer) -> Option<bool> {
    match answer {
        Answer::Sat => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

fn installed() -> Vec<(&'static str, Command)> {
    let all = ["z3", "cvc5"].map(|name| (name, Command::named(name)));
    all.into_iter()
        .filter(|(name, command)| match command.available() {
            Ok(()) => true,
            Err(error) => {
                println!("without {name}: {error}");
                false
            }
        })
        .collect()
}

/// One run of every question with every solver, in seconds.
fn table_of_solvers() {
    let others = installed();
    print!("\n| question | cadical | batsat |");
    others.iter().for_each(|(name, _)| print!(" {name} |"));
    println!("\n|---|---|---|{}", "---|".repeat(others.len()));
    for question in QUESTIONS {
        let cadical = time(|| answer(embedded(question, default_solver(), Blaster::new()).0), question.2);
        let batsat =
            time(|| answer(embedded(question, Box::new(Batsat::new()), Blaster::new()).0), question.2);
        print!("| {} | {cadical} | {batsat} |", question.0);
        let text = plain_text(question);
        for (_, command) in &others {
            print!(" {} |", time(|| external(command, &text), question.2));
        }
        println!();
    }
}

/// One run of the arithmetic questions with every choice of circuits: seconds and conflicts.
fn table_of_circuits() {
    let multipliers = [Multiplier::ShiftAdd, Multiplier::Columns, Multiplier::Array, Multiplier::Booth];
    print!("\n| question |");
    multipliers.iter().for_each(|multiplier| print!(" {multiplier:?} |"));
    println!(" non-restoring |\n|---|---|---|---|---|---|");
    let run = |question: &Question, multiplier, divider| {
        let mut conflicts = 0;
        let blaster = Blaster::with_circuits(multiplier, divider);
        let seconds = time(
            || {
                let (found, met) = embedded(question, default_solver(), blaster);
                conflicts = met;
                answer(found)
            },
            question.2,
        );
        print!(" {seconds}, {conflicts} |");
    };
    for question in QUESTIONS.iter().filter(|question| {
        ["product", "quotient", "factor", "root", "division", "remainder", "overflow"]
            .iter()
            .any(|word| question.0.contains(word))
    }) {
        print!("| {} |", question.0);
        for multiplier in multipliers {
            run(question, multiplier, Divider::Restoring);
        }
        run(question, Multiplier::default(), Divider::NonRestoring);
        println!();
    }
}

/// Variables and clauses of the textbook: every gate is made of conjunctions and negations, each conjunction
/// takes a variable and three clauses. Exclusive or and choice take three conjunctions, a majority four.
fn textbook(gates: &Gates) -> (u64, u64) {
    let mut conjunctions = 0;
    let mut inputs = 0;
    for gate in gates.iter() {
        match gate {
            Gate::False => {}
            Gate::Input(_) => inputs += 1,
            Gate::And(..) => conjunctions += 1,
            Gate::Xor(..) | Gate::Mux(..) => conjunctions += 3,
            Gate::Xor3(..) => conjunctions += 6,
            Gate::Majority(..) => conjunctions += 4,
        }
    }
    (inputs + conjunctions, 3 * conjunctions)
}

/// Clauses and variables of standard circuits, when the result is compared with a symbol.
fn table_of_sizes() {
    println!(
        "\n| circuit | variables | clauses | textbook variables | textbook clauses |\n|---|---|---|---|---|"
    );
    type Build = fn(&mut Terms, TermId, TermId) -> TermId;
    let circuits: [(&str, u32, Build); 8] = [
        ("adder, 32", 32, Terms::add),
        ("less-than, 32", 32, |t, a, b| {
            let less = t.ult(a, b);
            t.bool_to_bit(less)
        }),
        ("shift left, 32", 32, Terms::shl),
        ("shift right, 64", 64, Terms::ashr),
        ("multiplier, 16", 16, Terms::mul),
        ("multiplier, 32", 32, Terms::mul),
        ("divider, 16", 16, Terms::udiv),
        ("signed remainder, 16", 16, Terms::srem),
    ];
    for (name, width, build) in circuits {
        let mut terms = Terms::new();
        let [a, b] = symbols(&mut terms, width);
        let result = build(&mut terms, a, b);
        let out = terms.symbol("out", Sort::BitVec(terms.width(result)));
        let same = terms.eq(out, result);
        let mut blaster = Blaster::new();
        let mut sat = default_solver();
        blaster.assert(&terms, &mut *sat, same, &[]);
        let ours = sat.statistics();
        let (variables, clauses) = textbook(blaster.gates());
        println!("| {name} | {} | {} | {variables} | {clauses} |", ours.variables, ours.clauses);
    }
}

fn tables(_: &mut Criterion) {
    table_of_sizes();
    table_of_solvers();
    table_of_circuits();
}

/// The questions that every solver answers quickly, measured many times.
fn measured(criterion: &mut Criterion) {
    let others = installed();
    let chosen =
        ["product is shifted sums, 6 bits", "sum by or and and, 64 bits", "rotations cancel, 32 bits"];
    for question in QUESTIONS.iter().filter(|question| chosen.contains(&question.0)) {
        let mut group = criterion.benchmark_group(question.0);
        group
            .sample_size(10)
            .measurement_time(Duration::from_secs(4))
            .warm_up_time(Duration::from_millis(500));
        group.bench_function("cadical", |bencher| {
            bencher.iter(|| embedded(question, default_solver(), Blaster::new()));
        });
        group.bench_function("batsat", |bencher| {
            bencher.iter(|| embedded(question, Box::new(Batsat::new()), Blaster::new()));
        });
        let text = plain_text(question);
        for (name, command) in &others {
            group.bench_function(*name, |bencher| bencher.iter(|| external(command, &text)));
        }
        group.finish();
    }
}

criterion_group!(benches, tables, measured);
criterion_main!(benches);
