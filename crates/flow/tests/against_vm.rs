//! Random programs: what the VM's enumeration of all interleavings finds broken, some path through the flow finds broken too.
//!
//! The flow is executed with concrete values. All numbers in the programs are small, so few values stand for "any value".

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Budget, SplitMix};
use raddle_flow::{
    Edge, Flow, LocationId, LocationKind, Options, Storage, TemplateId, VariableId, build, dump,
};
use raddle_ir::text::parse_program;
use raddle_ir::{Program, Property};
use raddle_logic::term::{ArrayValue, Evaluator, Model, Sort, TermId, Value};
use raddle_vm::Vm;
use raddle_vm::explore::{Search, explore};

const GLOBALS: &str = r#"program pointer_bits 64 entry f0
    havoc h0 "bit" i1
    global g0 "x" size 4 align 4 shape signed i32 {}
    global g1 "y" size 4 align 4 shape signed i32 { 0: i32 1 }
    global g2 "a" size 8 align 4 shape [2 stride 4: signed i32] {}
    global g3 "p" size 8 align 8 shape pointer ptr { 0: @x }
    global g4 "m" size 4 align 4 shape signed i32 {}
    global g5 "t" size 4 align 4 thread_local shape signed i32 { 0: i32 1 }
"#;

const REGISTERS: &str = "r1: i32, r2: i32, r3: i1, r4: ptr, r5: i64, r6: ptr, r7: i1, r8: i32";

/// Writes functions.
struct Writer {
    random: SplitMix,
    text: String,
    blocks: u32,
    checks: u32,
    /// Which of the places for a check has it.
    check_at: u32,
    /// Whether an atomic block is open.
    is_inside: bool,
    /// Whether functions may be called.
    calls: bool,
}

impl Writer {
    fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.random.below(words.len())]
    }

    fn put(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    fn next_block(&mut self) -> u32 {
        self.blocks += 1;
        self.blocks
    }

    /// A condition in `r3`.
    fn condition(&mut self) {
        let register = self.pick(&["r1", "r2"]);
        let compare = self.pick(&["equal", "not_equal", "signed_less"]);
        let number = self.random.below(3);
        self.put(&format!("r3 = {compare} {register}, i32 {number}"));
    }

    /// Some instructions; `depth` bounds how branches nest.
    fn statements(&mut self, count: u32, depth: u32) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let global = self.pick(&["x", "y"]);
        let register = self.pick(&["r1", "r2"]);
        match self.random.below(if depth > 0 { 21 } else { 17 }) {
            0..3 => self.put(&format!("{register} = load i32 [@{global}]")),
            3 | 4 => self.put(&format!("store i32 [@{global}], {register}")),
            5 => {
                let number = self.random.below(2);
                self.put(&format!("store i32 [@{global}], i32 {number}"));
            }
            6 => self.put(&format!("{register} = rmw xor i32 [@{global}], i32 1 seq_cst")),
            7 => self.put(&format!("{register} = compare_exchange i32 [@{global}], i32 0, i32 1 seq_cst")),
            8 => self.put(&format!("{register} = xor {register}, i32 1")),
            9 => {
                self.condition();
                self.put("assume r3");
            }
            // One that fails hides others: it may be in the same step as what makes them fail.
            10 | 11 if self.checks == self.check_at => {
                self.checks += 1;
                self.condition();
                self.put("check assertion r3, \"the check\"");
            }
            10 | 11 => self.checks += 1,
            12 => {
                // The own object, directly, or after its address was given away.
                let what = self.pick(&[
                    "store i32 [r6], r1",
                    "r2 = load i32 [r6]",
                    "store ptr [@p], r6",
                    "r7 = equal r6, @x r1 = zero_extend r7",
                ]);
                self.put(what);
            }
            13 => {
                let what = self.pick(&[
                    "r4 = load ptr [@p] store i32 [r4], r1",
                    "r4 = load ptr [@p] r1 = load i32 [r4]",
                    "store ptr [@p], @y",
                    "r7 = havoc h0 r4 = select r7, @x, @y r2 = load i32 [r4]",
                    "r7 = havoc h0 r4 = select r7, @x, @y store i32 [r4], r2",
                ]);
                self.put(what);
            }
            14 => {
                let what = self.pick(&["store i32 [r4], r2", "r2 = load i32 [r4]", "store i32 [@a], r1"]);
                if !what.starts_with("store i32 [@a]") {
                    self.put("r7 = havoc h0 r5 = zero_extend r7 r5 = mul r5, i64 4 r4 = pointer_add @a, r5");
                }
                self.put(what);
            }
            15 => {
                let what = self.pick(&["store i32 [r4], r1", "r1 = load i32 [r4]"]);
                self.put("r4 = thread_local @t");
                self.put(what);
            }
            16 => self.special(),
            17 if self.random.once_in(4) => {
                // The process ends.
                self.condition();
                let (end, goes) = (self.next_block(), self.next_block());
                let word = self.pick(&["abort", "exit_process i32 0"]);
                self.put(&format!("branch r3, L{end}L, L{goes}L\nL{end}L: {word}\nL{goes}L:"));
            }
            17 if !self.is_inside && self.random.once_in(3) => {
                let (head, end) = (self.next_block(), self.next_block());
                self.put(&format!("jump L{head}L\nL{head}L:"));
                self.statements(2, 0);
                self.condition();
                self.put(&format!("branch r3, L{head}L, L{end}L\nL{end}L:"));
            }
            17 if !self.is_inside => {
                self.put("lock [@m]");
                self.statements(2, 0);
                self.put("unlock [@m]");
            }
            18 if !self.is_inside => {
                self.put("atomic_begin");
                self.is_inside = true;
                self.statements(3, depth - 1);
                self.is_inside = false;
                self.put("atomic_end");
            }
            19 if !self.is_inside => {
                self.condition();
                self.put("wait_until r3");
            }
            17..20 if self.calls => self.put("call @leaf()"),
            _ => {
                self.condition();
                let (yes, no, end) = (self.next_block(), self.next_block(), self.next_block());
                self.put(&format!("branch r3, L{yes}L, L{no}L\nL{yes}L:"));
                self.statements(2, depth.saturating_sub(1));
                self.put(&format!("jump L{end}L\nL{no}L:"));
                self.statements(1, depth.saturating_sub(1));
                self.put(&format!("jump L{end}L\nL{end}L:"));
            }
        }
    }

    /// What is rare.
    fn special(&mut self) {
        let what = self.pick(&[
            "store i8 [@x], i8 1",
            "r5 = load i64 [@p] store i64 [@p], r5",
            "r4 = alloc heap i64 8 align 8 zeroed \"heap\" store ptr [@p], r4",
            "r4 = alloc heap i64 8 align 8 zeroed \"heap\" store i32 [r4], r1",
            "r6 = alloc local i64 4 align 4 \"again\" store i32 [r6], r1",
            "r4 = load ptr [@p] r7 = equal r4, r6 r1 = zero_extend r7",
            "r4 = compare_exchange ptr [@p], @x, r6 seq_cst",
            "r7 = holds_lock @m r2 = zero_extend r7",
            "r8 = current_thread r1 = r8 r1 = and r1, i32 1",
            "r7 = havoc h0 r2 = zero_extend r7",
        ]);
        self.put(what);
    }

    /// Registers and the own object, at the start.
    fn begin(&mut self, head: &str) {
        self.blocks = 0;
        self.put(&format!("function {head} {REGISTERS} b0:"));
        self.put(
            "r1 = i32 0 r2 = i32 1 r4 = @x r6 = alloc local i64 4 align 4 \"own\" store i32 [r6], i32 0",
        );
    }
}

/// Blocks are numbered in the order they stand in, which is known now.
fn numbered(text: &str) -> String {
    let mut functions = Vec::new();
    for function in text.split("\nfunction ") {
        let mut function = function.to_owned();
        let mut number = 0;
        while let Some(end) = function.find("L:") {
            let start = function[..end].rfind('L').unwrap();
            let label = function[start..=end].to_owned();
            number += 1;
            function = function.replace(&label, &format!("b{number}"));
        }
        functions.push(function);
    }
    functions.join("\nfunction ")
}

/// A program of two or three threads.
fn program(seed: u64) -> String {
    let random = SplitMix::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let check_at = u32::try_from(seed % 3).unwrap();
    let (text, is_inside, calls) = (GLOBALS.to_owned(), false, true);
    let mut writer = Writer { random, text, blocks: 0, checks: 0, check_at, is_inside, calls };
    writer.begin("f0 \"main\" () { registers r0: ptr,");
    writer.put("r8 = fork @work(@x)");
    let second = writer.random.below(3);
    if second == 0 {
        writer.put("r8 = fork @work(@y)");
    }
    writer.statements(2, 1);
    if second == 1 {
        writer.put("join r8");
    }
    writer.statements(2, 0);
    writer.put("end_life activation return }");
    writer.begin("f1 \"work\" (r0) -> ptr { registers r0: ptr,");
    if writer.random.below(2) == 0 {
        writer.put("store i32 [r0], i32 1");
    }
    writer.statements(5, 2);
    writer.put("end_life activation return null }");
    writer.calls = false;
    writer.begin("f2 \"leaf\" () { registers r0: ptr,");
    writer.statements(2, 0);
    writer.put("end_life activation return }");
    numbered(&writer.text)
}

/// A value that a variable has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    Number(u128),
    /// The default, and where it differs.
    Array(u128, BTreeMap<u128, u128>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Thread {
    template: TemplateId,
    at: LocationId,
    own: BTreeMap<VariableId, u128>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    shared: BTreeMap<VariableId, Held>,
    threads: Vec<Thread>,
}

struct Explorer<'f> {
    flow: &'f Flow,
    seen: BTreeSet<State>,
    waiting: Vec<State>,
    failed: BTreeSet<String>,
    work: usize,
}

/// More states are not looked at.
const MOST_STATES: usize = 1_500;
/// Nor more steps made.
const MOST_WORK: usize = 20_000;

impl Explorer<'_> {
    /// Looks at all states. Gives whether there are no more.
    fn run(&mut self) -> bool {
        let flow = self.flow;
        let empty = Model::new();
        let shared = flow.initial.iter().map(|(id, value)| (*id, held(flow, &empty, *value))).collect();
        let (main, template) = flow.templates.iter().next().unwrap();
        let thread = Thread { template: main, at: template.entry, own: BTreeMap::new() };
        self.add(State { shared, threads: vec![thread] });
        while let Some(state) = self.waiting.pop() {
            if self.seen.len() > MOST_STATES || self.work > MOST_WORK {
                return false;
            }
            for (index, thread) in state.threads.iter().enumerate() {
                let template = &flow.templates[thread.template];
                for edge in template.edges.iter().filter(|edge| edge.from == thread.at) {
                    self.step(&state, index, edge);
                }
            }
        }
        true
    }

    fn add(&mut self, state: State) {
        if self.seen.insert(state.clone()) {
            self.waiting.push(state);
        }
    }

    /// A step with each of a few values for each input.
    fn step(&mut self, state: &State, index: usize, edge: &Edge) {
        let spawned = edge.spawn.as_ref().map(|spawn| spawn.id);
        let mut inputs: Vec<(TermId, u128)> =
            edge.inputs.iter().filter(|input| Some(**input) != spawned).map(|input| (*input, 0)).collect();
        loop {
            self.step_with(state, index, edge, &inputs);
            let mut carry = true;
            for (input, value) in &mut inputs {
                if carry {
                    carry = *value == 1;
                    *value = 1 - *value;
                }
                let _ = input;
            }
            if carry {
                return;
            }
        }
    }

    /// What symbols stand for in a step.
    fn model(&self, state: &State, index: usize, edge: &Edge, inputs: &[(TermId, u128)]) -> Model {
        let flow = self.flow;
        let thread = &state.threads[index];
        let mut model = Model::new();
        for (id, variable) in flow.variables.iter() {
            let symbol = flow.terms.as_symbol(variable.now).unwrap();
            match (&variable.storage, variable.owner) {
                (Storage::Identity, owner) if owner == Some(thread.template) => {
                    model.set_bits(symbol, index as u128);
                }
                (_, Some(_)) => {
                    set(&mut model, flow, variable.now, thread.own.get(&id).copied().unwrap_or(0))
                }
                (_, None) => match state.shared.get(&id) {
                    Some(Held::Number(number)) => set(&mut model, flow, variable.now, *number),
                    Some(Held::Array(default, entries)) => {
                        model.set_array(symbol, ArrayValue { default: *default, entries: entries.clone() });
                    }
                    None => {}
                },
            }
        }
        for (input, value) in inputs {
            set(&mut model, flow, *input, *value);
        }
        if let Some(spawn) = &edge.spawn {
            set(&mut model, flow, spawn.id, state.threads.len() as u128);
        }
        model
    }

    fn step_with(&mut self, state: &State, index: usize, edge: &Edge, inputs: &[(TermId, u128)]) {
        let flow = self.flow;
        self.work += 1;
        let model = self.model(state, index, edge, inputs);
        let mut evaluator = Evaluator::new(&model);
        if !edge.guards.iter().all(|guard| evaluator.holds(&flow.terms, *guard)) {
            return;
        }
        if let Some(joined) = edge.joins {
            let id = usize::try_from(evaluator.scalar(&flow.terms, joined)).unwrap();
            let has_ended = |thread: &Thread| {
                flow.templates[thread.template].locations[thread.at].kind == LocationKind::Ended
            };
            if !state.threads.get(id).is_some_and(has_ended) {
                return;
            }
        }
        let template = &flow.templates[state.threads[index].template];
        if let LocationKind::Failed(check) = template.locations[edge.to].kind {
            self.failed.insert(flow.checks[check].message.to_string());
            return;
        }
        let mut next = state.clone();
        next.threads[index].at = edge.to;
        for (variable, value) in &edge.updates {
            match (flow.variables[*variable].owner, held(flow, &model, *value)) {
                (Some(_), Held::Number(number)) => {
                    next.threads[index].own.insert(*variable, number);
                }
                (None, value) => {
                    next.shared.insert(*variable, value);
                }
                (Some(_), Held::Array(..)) => panic!("no thread has an array of its own"),
            }
        }
        let live = &template.locations[edge.to].live;
        next.threads[index].own.retain(|variable, _| live.contains(variable));
        if let Some(spawn) = &edge.spawn {
            let own =
                spawn.values.iter().map(|(id, value)| (*id, evaluator.scalar(&flow.terms, *value))).collect();
            let at = flow.templates[spawn.template].entry;
            next.threads.push(Thread { template: spawn.template, at, own });
        }
        self.add(next);
    }
}

fn set(model: &mut Model, flow: &Flow, term: TermId, value: u128) {
    let symbol = flow.terms.as_symbol(term).unwrap();
    match flow.terms.sort(term) {
        Sort::Bool => model.set_bool(symbol, value != 0),
        Sort::BitVec(_) => model.set_bits(symbol, value),
        Sort::Array { .. } => {
            model.set_array(symbol, ArrayValue { default: value, entries: BTreeMap::new() })
        }
    }
}

fn held(flow: &Flow, model: &Model, term: TermId) -> Held {
    match model.eval(&flow.terms, term) {
        Value::Bool(value) => Held::Number(u128::from(value)),
        Value::Bits { value, .. } => Held::Number(value),
        Value::Array(array) => Held::Array(array.default, array.entries),
    }
}

/// The checks that the VM finds broken.
fn broken(program: &Program) -> Option<BTreeSet<String>> {
    let vm = Vm::checking(program, &[Property::Assertion]);
    let found = explore(&vm, &Search { max_states: 3_000, max_blocks: 200_000, ..Search::default() });
    if found.limit.is_some() {
        return None;
    }
    let message = |outcome: &raddle_vm::Outcome| match outcome {
        raddle_vm::Outcome::Violated(violation) => Some(violation.message.clone()),
        raddle_vm::Outcome::Exited(_)
        | raddle_vm::Outcome::Deadlock(_)
        | raddle_vm::Outcome::Unsupported { .. }
        | raddle_vm::Outcome::StepLimit
        | raddle_vm::Outcome::Stopped
        | raddle_vm::Outcome::Halted
        | raddle_vm::Outcome::Exhausted(_) => None,
    };
    Some(found.violations.iter().filter_map(|trace| message(trace.outcome())).collect())
}

#[test]
fn what_the_vm_finds_broken_is_broken_in_the_flow() {
    let (mut compared, mut violated, mut precise) = (0, 0, 0);
    for seed in 0..600 {
        let text = program(seed);
        let program = parse_program(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        raddle_ir::validate::debug_validate(&program, "test");
        let Some(wanted) = broken(&program) else { continue };
        let flow = build(&program, &Options::default(), &Budget::unlimited()).unwrap();
        let (seen, waiting, failed) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
        let mut explorer = Explorer { flow: &flow, seen, waiting, failed, work: 0 };
        let complete = explorer.run();
        let missing: Vec<&String> = wanted.difference(&explorer.failed).collect();
        assert!(
            missing.is_empty() || !complete,
            "seed {seed}: {missing:?}\n{text}\n{}",
            dump(&flow, &program)
        );
        compared += 1;
        violated += u32::from(!wanted.is_empty());
        precise += u32::from(wanted == explorer.failed);
    }
    assert!(compared > 400 && violated > 60 && precise > 300, "{compared} {violated} {precise}");
}
