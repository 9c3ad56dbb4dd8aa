//! The VM's store buffers against the axioms of the memory models, on random straight-line programs.
//!
//! The VM says what can happen step by step; the axioms say which executions as a whole are possible: those whose reads,
//! writes and their orders have no cycle that the model forbids (Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014). The
//! two have nothing in common but the programs. For each program and model, the exhaustive search must give exactly the
//! outcomes that the axioms allow, and runs by chance only such; every run must replay from its trace.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use raddle_base::SplitMix;
use raddle_ir::text::parse_program;
use raddle_ir::{Program, Property};
use raddle_vm::schedule::{Pct, Random, RoundRobin, Scheduler};
use raddle_vm::{
    Exit, MemoryModel, Options, Outcome, Search, Trace, Unwatched, Vm, ZeroInputs, explore, follow, run,
};

const VARIABLES: usize = 3;

/// An instruction of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Store {
        variable: usize,
        value: usize,
        order: &'static str,
    },
    Load {
        variable: usize,
    },
    Fence {
        order: &'static str,
    },
    /// By a read-modify-write, or by an atomic section.
    Exchange {
        variable: usize,
        value: usize,
        section: bool,
    },
    CompareExchange {
        variable: usize,
        expected: usize,
        desired: usize,
    },
}

impl Op {
    fn random(random: &mut SplitMix, variables: usize) -> Self {
        let variable = random.below(variables);
        let value = 1 + random.below(2);
        match random.below(20) {
            0..=8 => {
                let order = ["plain", "plain", "plain", "relaxed", "release", "seq_cst"][random.below(6)];
                Self::Store { variable, value, order }
            }
            9..=16 => Self::Load { variable },
            17 => Self::Fence { order: ["seq_cst", "release", "acq_rel", "acquire"][random.below(4)] },
            18 => Self::Exchange { variable, value, section: random.below(2) == 0 },
            _ => Self::CompareExchange { variable, expected: random.below(3), desired: value },
        }
    }

    fn variable(self) -> Option<usize> {
        match self {
            Self::Store { variable, .. }
            | Self::Load { variable }
            | Self::Exchange { variable, .. }
            | Self::CompareExchange { variable, .. } => Some(variable),
            Self::Fence { .. } => None,
        }
    }

    fn reads(self) -> bool {
        !matches!(self, Self::Store { .. } | Self::Fence { .. })
    }

    /// What it writes, if it writes.
    fn value(self) -> Option<usize> {
        match self {
            Self::Store { value, .. } | Self::Exchange { value, .. } => Some(value),
            Self::CompareExchange { desired, .. } => Some(desired),
            Self::Load { .. } | Self::Fence { .. } => None,
        }
    }

    /// Whether it keeps its place among all accesses of its thread.
    fn is_full(self) -> bool {
        match self {
            Self::Exchange { .. } | Self::CompareExchange { .. } => true,
            Self::Store { order, .. } | Self::Fence { order } => order == "seq_cst",
            Self::Load { .. } => false,
        }
    }

    fn text(self) -> String {
        let name = |variable: usize| ["@x", "@y", "@z"][variable];
        let keep = "r3 = zero_extend r2 r1 = shl r1, i64 2 r1 = or r1, r3";
        match self {
            Self::Store { variable, value, order } => {
                let order = if order == "plain" { "" } else { order };
                format!("store i32 [{}], i32 {value} {order}", name(variable))
            }
            Self::Load { variable } => format!("r2 = load i32 [{}] relaxed {keep}", name(variable)),
            Self::Fence { order } => format!("fence {order}"),
            Self::Exchange { variable, value, section: false } => {
                format!("r2 = rmw exchange i32 [{}], i32 {value} relaxed {keep}", name(variable))
            }
            Self::Exchange { variable, value, section: true } => {
                let place = name(variable);
                format!(
                    "atomic_begin r2 = load i32 [{place}] store i32 [{place}], i32 {value} atomic_end {keep}"
                )
            }
            Self::CompareExchange { variable, expected, desired } => format!(
                "r2 = compare_exchange i32 [{}], i32 {expected}, i32 {desired} acq_rel {keep}",
                name(variable)
            ),
        }
    }
}

type Threads = Vec<Vec<Op>>;

fn random_threads(random: &mut SplitMix, seed: usize) -> Threads {
    let (threads, least, most) = [(2, 2, 4), (2, 3, 4), (3, 1, 3)][random.below(3)];
    let variables = [2, 2, VARIABLES][random.below(3)];
    let mut ops = |count: usize| (0..count).map(|_| Op::random(random, variables)).collect();
    (0..threads).map(|thread| ops(least + (thread * 7 + seed) % (1 + most - least))).collect()
}

/// The threads, and a main thread that ends with all the values that they read, two bits each.
fn program(threads: &Threads) -> Program {
    let mut text = String::from("program pointer_bits 64 entry f0\n");
    for (id, name) in ["x", "y", "z"].iter().enumerate() {
        let _ = writeln!(text, "global g{id} \"{name}\" size 4 align 4 shape signed i32 {{}}");
    }
    let numbers: Vec<String> = (0..threads.len()).map(|thread| format!("r{thread}: i32")).collect();
    let _ = writeln!(text, "function f0 \"main\" () {{ registers {},", numbers.join(", "));
    let n = threads.len();
    let _ = writeln!(text, "r{n}: i64, r{}: ptr, r{}: i64, r{}: i32", n + 1, n + 2, n + 3);
    let _ = writeln!(text, "b0: r{n} = i64 0");
    for thread in 0..n {
        let _ = writeln!(text, "r{thread} = fork @t{thread}(null)");
    }
    for (thread, ops) in threads.iter().enumerate() {
        let bits = 2 * ops.iter().filter(|op| op.reads()).count();
        let _ = writeln!(text, "r{} = join r{thread} r{} = pointer_to_int r{}", n + 1, n + 2, n + 1);
        let _ = writeln!(text, "r{n} = shl r{n}, i64 {bits} r{n} = or r{n}, r{}", n + 2);
    }
    let _ = writeln!(text, "r{} = truncate r{n} exit_process r{} }}", n + 3, n + 3);
    for (thread, ops) in threads.iter().enumerate() {
        let _ = writeln!(text, "function f{} \"t{thread}\" (r0) -> ptr {{", thread + 1);
        text.push_str("registers r0: ptr, r1: i64, r2: i32, r3: i64, r4: ptr b0: r1 = i64 0\n");
        for op in ops {
            let _ = writeln!(text, "  {}", op.text());
        }
        text.push_str("r4 = int_to_pointer r1 return r4 }\n");
    }
    let program = parse_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(raddle_ir::validate::validate(&program).is_empty(), "{text}");
    program
}

/// Something that happens: the first value of a variable, or an instruction of a thread.
#[derive(Clone, Copy)]
struct Event {
    thread: usize,
    /// None: it writes the first value, zero, of the variable.
    op: Option<Op>,
    variable: Option<usize>,
}

/// A relation on events, as rows of bits.
#[derive(Clone)]
struct Relation(Vec<u64>);

impl Relation {
    fn new(events: usize) -> Self {
        Self(vec![0; events])
    }

    fn add(&mut self, from: usize, to: usize) {
        self.0[from] |= 1 << to;
    }

    fn with(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    fn is_acyclic(&self) -> bool {
        // Events that lead nowhere are taken away until none is left or all that are left lead on.
        let mut left = (1_u64 << self.0.len()) - 1;
        loop {
            let ends = (0..self.0.len()).filter(|&event| left >> event & 1 == 1 && self.0[event] & left == 0);
            let ends = ends.fold(0, |set, event| set | 1 << event);
            if ends == 0 {
                return left == 0;
            }
            left &= !ends;
        }
    }
}

/// What the axioms allow.
struct Axioms {
    events: Vec<Event>,
    /// Program order that the model keeps.
    kept: Relation,
    /// Program order of accesses to the same variable.
    same: Relation,
    outcomes: BTreeSet<i32>,
}

impl Axioms {
    fn outcomes(threads: &Threads, model: MemoryModel) -> BTreeSet<i32> {
        let mut events: Vec<Event> =
            (0..VARIABLES).map(|variable| Event { thread: 99, op: None, variable: Some(variable) }).collect();
        for (thread, ops) in threads.iter().enumerate() {
            events.extend(ops.iter().map(|&op| Event { thread, op: Some(op), variable: op.variable() }));
        }
        let mut kept = Relation::new(events.len());
        let mut same = Relation::new(events.len());
        for (to, late) in events.iter().enumerate() {
            for (from, early) in events.iter().enumerate().take(to) {
                if let (Some(first), Some(second)) = (early.op, late.op)
                    && early.thread == late.thread
                {
                    if keeps(model, first, second, &events[from + 1..to]) {
                        kept.add(from, to);
                    }
                    if early.variable == late.variable && early.variable.is_some() {
                        same.add(from, to);
                    }
                }
            }
        }
        let reads: Vec<usize> =
            (0..events.len()).filter(|&event| events[event].op.is_some_and(Op::reads)).collect();
        let mut axioms = Self { events, kept, same, outcomes: BTreeSet::new() };
        axioms.choose_sources(&reads, &mut Vec::new());
        axioms.outcomes
    }

    fn written(&self, event: usize) -> usize {
        self.events[event].op.map_or(0, |op| op.value().unwrap())
    }

    /// Chooses which write each read sees.
    fn choose_sources(&mut self, reads: &[usize], sources: &mut Vec<usize>) {
        let Some(&read) = reads.get(sources.len()) else {
            return self.with_sources(reads, sources);
        };
        for write in 0..self.events.len() {
            let writes = self.events[write].op.is_none_or(|op| op.value().is_some());
            if writes && write != read && self.events[write].variable == self.events[read].variable {
                sources.push(write);
                self.choose_sources(reads, sources);
                sources.pop();
            }
        }
    }

    fn with_sources(&mut self, reads: &[usize], sources: &[usize]) {
        // A compare-exchange that does not see what it expects writes nothing.
        let fails = |event: usize| match self.events[event].op {
            Some(Op::CompareExchange { expected, .. }) => {
                let place = reads.iter().position(|&read| read == event).unwrap();
                self.written(sources[place]) != expected
            }
            _ => false,
        };
        if sources.iter().any(|&source| fails(source)) {
            return;
        }
        let code =
            sources.iter().fold(0, |code, &source| code << 2 | i32::try_from(self.written(source)).unwrap());
        if self.outcomes.contains(&code) {
            return;
        }
        let mut orders = vec![Vec::new()];
        for variable in 0..VARIABLES {
            let writes = (VARIABLES..self.events.len()).filter(|&event| {
                self.events[event].variable == Some(variable)
                    && self.events[event].op.unwrap().value().is_some()
                    && !fails(event)
            });
            let writes: Vec<usize> = writes.collect();
            let permutations = permutations(&writes);
            let mut longer = Vec::new();
            for order in &orders {
                for permutation in &permutations {
                    let mut order: Vec<Vec<usize>> = Vec::clone(order);
                    order.push(std::iter::once(variable).chain(permutation.iter().copied()).collect());
                    longer.push(order);
                }
            }
            orders = longer;
        }
        if orders.iter().any(|order| self.is_possible(reads, sources, order)) {
            self.outcomes.insert(code);
        }
    }

    fn is_possible(&self, reads: &[usize], sources: &[usize], order: &[Vec<usize>]) -> bool {
        let mut communication = Relation::new(self.events.len());
        let mut internal = Relation::new(self.events.len());
        for writes in order {
            for (place, &late) in writes.iter().enumerate() {
                writes[..place].iter().for_each(|&early| communication.add(early, late));
            }
        }
        for (&read, &source) in reads.iter().zip(sources) {
            let is_own = self.events[read].thread == self.events[source].thread;
            if is_own {
                internal.add(source, read)
            } else {
                communication.add(source, read)
            }
            let writes = &order[self.events[read].variable.unwrap()];
            let place = writes.iter().position(|&write| write == source).unwrap();
            let later = writes[place + 1..].iter().filter(|&&write| write != read);
            later.for_each(|&write| communication.add(read, write));
        }
        self.same.with(&communication).with(&internal).is_acyclic()
            && self.kept.with(&communication).is_acyclic()
    }
}

/// Whether the model keeps two instructions of a thread in order; `between` come between them.
fn keeps(model: MemoryModel, early: Op, late: Op, between: &[Event]) -> bool {
    if model == MemoryModel::Sc || early.is_full() || late.is_full() {
        return true;
    }
    // What is not full is a store, a load or a weak fence, which is no access itself.
    match (early, late) {
        (Op::Load { .. }, Op::Load { .. } | Op::Store { .. }) => true,
        (Op::Store { .. }, Op::Store { order, .. }) => {
            let fenced = between.iter().any(|event| {
                matches!(event.op, Some(Op::Fence { order: "release" | "acq_rel" | "seq_cst" }))
            });
            model == MemoryModel::Tso || order == "release" || fenced
        }
        _ => false,
    }
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, &first) in items.iter().enumerate() {
        let rest: Vec<usize> = [&items[..place], &items[place + 1..]].concat();
        all.extend(permutations(&rest).into_iter().map(|rest| [vec![first], rest].concat()));
    }
    all
}

fn status(outcome: &Outcome) -> i32 {
    let Outcome::Exited(Exit::Status(status)) = outcome else { panic!("{outcome:?}") };
    *status
}

/// What the VM can do, and that what it does can be done again.
fn outcomes(threads: &Threads, model: MemoryModel, seed: u64) -> BTreeSet<i32> {
    let program = program(threads);
    let vm = Vm::checking(&program, &[Property::Assertion, Property::Deadlock]).with_memory_model(model);
    let found = explore(&vm, &Search::default());
    assert!(found.is_complete() && found.violations.is_empty(), "{threads:?}");
    let exits = found.exits.iter().map(|exit| match exit {
        Exit::Status(status) => *status,
        Exit::Abort => panic!("nobody aborts"),
    });
    let exits: BTreeSet<i32> = exits.collect();
    let schedulers: [Box<dyn Scheduler>; 3] = [
        Box::new(Random::new(seed)),
        Box::new(RoundRobin::new(1 + seed % 3)),
        Box::new(Pct::new(seed, 3, 12)),
    ];
    for mut scheduler in schedulers {
        let options = Options::default();
        let first = run(&vm, scheduler.as_mut(), &mut ZeroInputs, &options, &mut Unwatched);
        assert!(exits.contains(&status(&first.outcome)), "{model:?} {threads:?} {:?}", first.trace);
        let trace = Trace::from_json(&first.trace.to_json()).unwrap();
        let again = follow(&vm, &trace, &options, &mut Unwatched).unwrap();
        assert_eq!((&again.outcome, again.steps, &again.trace), (&first.outcome, first.steps, &first.trace));
    }
    exits
}

#[test]
fn the_machine_and_the_axioms_allow_the_same() {
    let mut random = SplitMix::new(11);
    let mut weaker = [0, 0];
    for seed in 0..1_500 {
        let threads = random_threads(&mut random, seed);
        let mut before: Option<BTreeSet<i32>> = None;
        for (&model, step) in MemoryModel::ALL.iter().zip(0..) {
            let ours = outcomes(&threads, model, seed as u64);
            assert_eq!(ours, Axioms::outcomes(&threads, model), "{model:?} {threads:?}");
            if let Some(before) = before {
                assert!(before.is_subset(&ours), "{model:?} {threads:?}");
                weaker[step - 1] += usize::from(before != ours);
            }
            before = Some(ours);
        }
    }
    // The programs tell the models apart, or the comparison says little.
    assert!(weaker[0] >= 25 && weaker[1] >= 25, "{weaker:?}");
}

fn store(variable: usize, order: &'static str) -> Op {
    Op::Store { variable, value: 1, order }
}

fn load(variable: usize) -> Op {
    Op::Load { variable }
}

fn fence(order: &'static str) -> Op {
    Op::Fence { order }
}

/// Whether an outcome is possible under each model, by both; the values read, in order of threads.
fn allowed(threads: &Threads, read: &[i32]) -> [bool; 3] {
    let code = read.iter().fold(0, |code, value| code << 2 | value);
    [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso].map(|model| {
        let ours = outcomes(threads, model, 1);
        assert_eq!(ours, Axioms::outcomes(threads, model), "{model:?} {threads:?}");
        ours.contains(&code)
    })
}

#[test]
fn known_programs_have_their_known_outcomes() {
    let (x, y) = (0, 1);
    let plain = "plain";
    let buffering = |middle: &[Op], order| -> Threads {
        let side = |mine, other| [&[store(mine, order)], middle, &[load(other)]].concat();
        vec![side(x, y), side(y, x)]
    };
    assert_eq!(allowed(&buffering(&[], plain), &[0, 0]), [false, true, true]);
    assert_eq!(allowed(&buffering(&[], "release"), &[0, 0]), [false, true, true]);
    assert_eq!(allowed(&buffering(&[], "seq_cst"), &[0, 0]), [false, false, false]);
    assert_eq!(allowed(&buffering(&[fence("seq_cst")], plain), &[0, 0]), [false, false, false]);
    assert_eq!(allowed(&buffering(&[fence("acq_rel")], plain), &[0, 0]), [false, true, true]);
    let drained = Op::Exchange { variable: 2, value: 1, section: true };
    assert_eq!(allowed(&buffering(&[drained], plain), &[0, 0, 1, 0]), [false, false, false]);
    let passing = |middle: &[Op], order| -> Threads {
        vec![[&[store(x, plain)], middle, &[store(y, order)]].concat(), vec![load(y), load(x)]]
    };
    assert_eq!(allowed(&passing(&[], plain), &[1, 0]), [false, false, true]);
    assert_eq!(allowed(&passing(&[], "release"), &[1, 0]), [false, false, false]);
    assert_eq!(allowed(&passing(&[fence("release")], plain), &[1, 0]), [false, false, false]);
    assert_eq!(allowed(&passing(&[fence("acquire")], plain), &[1, 0]), [false, false, true]);
    let loads_first: Threads = vec![vec![load(x), store(y, plain)], vec![load(y), store(x, plain)]];
    assert_eq!(allowed(&loads_first, &[1, 1]), [false, false, false]);
    let again: Threads = vec![vec![store(x, plain)], vec![load(x), load(x)]];
    assert_eq!(allowed(&again, &[1, 0]), [false, false, false]);
    let own: Threads = vec![vec![store(x, plain), load(x), load(y)], vec![store(y, plain), load(y), load(x)]];
    assert_eq!(allowed(&own, &[1, 0, 1, 0]), [false, true, true], "one's own store is seen early");
}
