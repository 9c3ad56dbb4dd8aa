//! How fast the VM runs: instructions per second on compute loops, beside the same loop compiled by `gcc -O0` in the same
//! run, and schedule steps per second on a loop of critical sections.
//!
//! `cargo bench -p raddle-vm --bench vm [-- ONLY]`. Times are those of the processor, so that a busy machine matters little;
//! each figure is the best of several rounds in which the two take turns.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads clocks and starts gcc")]

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use raddle_ir::text::parse_program;
use raddle_ir::{Program, Property};
use raddle_vm::schedule::Random;
use raddle_vm::{Options, Outcome, Search, Unwatched, Vm, ZeroInputs, explore, run};

const ROUNDS: usize = 5;

/// A loop over registers.
const REGISTERS: &str = r#"program pointer_bits 64 entry f0
    function f0 "main" () {
      registers r0: i32 "i", r1: i32 "x", r2: i1, r3: i32
    b0:
      r0 = i32 0
      r1 = i32 1
      jump b1
    b1:
      r2 = signed_less r0, i32 COUNT
      branch r2, b2, b3
    b2:
      r3 = mul r1, i32 1103515245
      r1 = add r3, i32 12345
      r3 = unsigned_shr r1, i32 16
      r1 = xor r1, r3
      r0 = add r0, i32 1
      jump b1
    b3:
      exit_process r1
    }"#;

const REGISTERS_C: &str = "int main(void) { unsigned x = 1;
    for (int i = 0; i < COUNT; i++) { x = x * 1103515245u + 12345u; x ^= x >> 16; }
    return x & 127; }";

/// The same over an array on the stack: a load and a store in each round, both local.
const MEMORY: &str = r#"program pointer_bits 64 entry f0
    function f0 "main" () {
      registers r0: i32 "i", r1: ptr "a", r2: i1, r3: i32, r4: i64, r5: i64, r6: ptr
    b0:
      r1 = alloc local i64 4096 align 16 zeroed "a"
      r0 = i32 0
      jump b1
    b1:
      r2 = signed_less r0, i32 COUNT
      branch r2, b2, b3
    b2:
      r3 = and r0, i32 1023
      r4 = sign_extend r3
      r5 = mul r4, i64 4
      r6 = pointer_add r1, r5
      r3 = load i32 [r6]
      r3 = add r3, r0
      store i32 [r6], r3
      r0 = add r0, i32 1
      jump b1
    b3:
      exit_process i32 0
    }"#;

const MEMORY_C: &str = "int main(void) { int a[1024] = {0};
    for (int i = 0; i < COUNT; i++) a[i & 1023] += i;
    return a[7] & 127; }";

/// Calls of a function that adds.
const CALLS: &str = r#"program pointer_bits 64 entry f0
    function f0 "main" () {
      registers r0: i32 "i", r1: i32 "x", r2: i1
    b0:
      r0 = i32 0
      r1 = i32 1
      jump b1
    b1:
      r2 = signed_less r0, i32 COUNT
      branch r2, b2, b3
    b2:
      r1 = call @add(r1, r0)
      r0 = add r0, i32 1
      jump b1
    b3:
      exit_process i32 0
    }
    function f1 "add" (r0, r1) -> i32 {
      registers r0: i32, r1: i32, r2: i32
    b0:
      r2 = add r0, r1
      return r2
    }"#;

const CALLS_C: &str = "static int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
    int main(void) { int x = 1; for (int i = 0; i < COUNT; i++) x = add(x, i); return x & 127; }";

/// Two threads that each take a lock, add one, and release it; the lock as the models do it, in atomic sections.
const LOCKS: &str = r#"program pointer_bits 64 entry f0
    global g0 "counter" size 4 align 4 {}
    global g1 "m" size 40 align 8 {}
    function f0 "main" () {
      registers r0: i32, r1: i32
    b0:
      r0 = fork @worker(null)
      r1 = fork @worker(null)
      join r0
      join r1
      exit_process i32 0
    }
    function f1 "worker" (r0) -> ptr {
      registers r0: ptr, r1: i32 "i", r2: i1, r3: i32
    b0:
      r1 = i32 0
      jump b1
    b1:
      r2 = signed_less r1, i32 COUNT
      branch r2, b2, b3
    b2:
      r3 = call @mutex_lock(@m)
      r3 = load i32 [@counter]
      r3 = add r3, i32 1
      store i32 [@counter], r3
      r3 = call @mutex_unlock(@m)
      r1 = add r1, i32 1
      jump b1
    b3:
      return null
    }
    function f2 "mutex_lock" (r0) -> i32 model {
      registers r0: ptr, r1: i32, r2: i32, r3: i1, r4: ptr, r5: i32
    b0:
      r5 = i32 0
      atomic_begin
      r4 = pointer_add r0, i64 16
      r1 = load i32 [r4]
      r3 = not_equal r1, i32 -1
      check lock_misuse r3, "destroyed"
      r1 = load i32 [r0]
      r2 = current_thread
      r2 = add r2, i32 1
      r3 = equal r1, r2
      branch r3, b1, b2
    b1:
      r5 = i32 35
      jump b3
    b2:
      lock [r0]
      jump b3
    b3:
      atomic_end
      return r5
    }
    function f3 "mutex_unlock" (r0) -> i32 model {
      registers r0: ptr, r1: i32, r2: i32, r3: i1
    b0:
      atomic_begin
      r1 = load i32 [r0]
      r2 = current_thread
      r2 = add r2, i32 1
      r3 = equal r1, r2
      check lock_misuse r3, "not the owner"
      unlock [r0]
      atomic_end
      return i32 0
    }"#;

fn main() {
    let only = std::env::args().skip(1).find(|word| !word.starts_with("--"));
    let wanted = |name: &str| only.as_deref().is_none_or(|only| name.contains(only));
    println!("{:<12} {:>12} {:>14} {:>12}", "loop", "ms", "M insts/s", "x gcc -O0");
    for (name, ir, c, per_round) in [
        ("registers", REGISTERS, REGISTERS_C, 8),
        ("memory", MEMORY, MEMORY_C, 11),
        ("calls", CALLS, CALLS_C, 7),
    ] {
        if wanted(name) {
            compute(name, ir, c, per_round);
        }
    }
    println!("{:<12} {:>12} {:>14}", "steps", "ms", "M steps/s");
    for (name, properties) in [
        ("locks", &[Property::Assertion, Property::Deadlock, Property::LockMisuse][..]),
        ("locks races", Property::COMMON),
    ] {
        if wanted(name) {
            steps(name, properties);
        }
    }
    if wanted("explore") {
        exploration();
    }
}

fn program(text: &str, count: u32) -> Program {
    let program =
        parse_program(&text.replace("COUNT", &count.to_string())).expect("the benchmark's program is right");
    assert!(raddle_ir::validate::validate(&program).is_empty(), "the benchmark's program is valid");
    program
}

/// The processor's time that this process and the ones it started have used.
fn processor_time() -> Duration {
    const TICK: Duration = Duration::from_millis(10);
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the benchmark runs on Linux");
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(4);
    let ticks: u32 = fields.map(|field| field.parse::<u32>().expect("a count of ticks")).sum();
    TICK * ticks
}

fn time(work: impl FnOnce()) -> Duration {
    let start = processor_time();
    work();
    processor_time().saturating_sub(start).max(Duration::from_millis(1))
}

fn compute(name: &str, ir: &str, c: &str, per_round: u32) {
    const COUNT: u32 = 5_000_000;
    let program = program(ir, COUNT);
    let vm = Vm::checking(&program, &[Property::Assertion, Property::MemorySafety]);
    // gcc's loop is so fast that it needs more rounds to be seen beside the start of a process.
    let factor = 50;
    let binary = compile(&c.replace("COUNT", &(COUNT * factor).to_string()));
    let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        ours = ours.min(time(|| {
            let result = run(&vm, &mut Random::new(1), &mut ZeroInputs, &Options::default(), &mut Unwatched);
            assert!(matches!(result.outcome, Outcome::Exited(_)), "{:?}", result.outcome);
        }));
        if let Some(binary) = &binary {
            theirs = theirs.min(time(|| {
                Command::new(binary).status().expect("the compiled loop runs");
            }));
        }
    }
    let rate = f64::from(COUNT) * f64::from(per_round) / ours.as_secs_f64() / 1e6;
    let ratio = ours.as_secs_f64() * f64::from(factor) / theirs.as_secs_f64();
    println!("{name:<12} {:>12.1} {rate:>14.1} {ratio:>12.1}", ours.as_secs_f64() * 1e3);
    if let Some(binary) = binary {
        std::fs::remove_file(binary).expect("the compiled loop can be removed");
    }
}

fn compile(c: &str) -> Option<PathBuf> {
    let source = std::env::temp_dir().join(format!("raddle-bench-{}.c", std::process::id()));
    let binary = source.with_extension("out");
    std::fs::write(&source, c).expect("the temporary directory can be written");
    let status = Command::new("gcc").args(["-O0", "-o"]).arg(&binary).arg(&source).status();
    std::fs::remove_file(source).expect("the source can be removed");
    status.ok().filter(std::process::ExitStatus::success).map(|_| binary)
}

fn steps(name: &str, properties: &[Property]) {
    let program = program(LOCKS, 200_000);
    let vm = Vm::checking(&program, properties);
    let (mut best, mut count) = (Duration::MAX, 0);
    for seed in 0..ROUNDS {
        best = best.min(time(|| {
            let mut scheduler = Random::new(seed as u64);
            let result = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut Unwatched);
            assert!(matches!(result.outcome, Outcome::Exited(_)), "{:?}", result.outcome);
            count = result.steps;
        }));
    }
    let rate = count as f64 / best.as_secs_f64() / 1e6;
    println!("{name:<12} {:>12.1} {rate:>14.2}", best.as_secs_f64() * 1e3);
}

fn exploration() {
    let program = program(LOCKS, 120);
    let vm = Vm::new(&program);
    let (mut best, mut states, mut transitions) = (Duration::MAX, 0, 0);
    for _ in 0..ROUNDS {
        best = best.min(time(|| {
            let found = explore(&vm, &Search::default());
            assert!(found.is_complete() && found.violations.is_empty(), "the program is right");
            (states, transitions) = (found.states, found.transitions);
        }));
    }
    let rate = states as f64 / best.as_secs_f64() / 1e6;
    println!(
        "explore      {:>12.1} {rate:>14.3} M states/s, {states} states, {transitions} transitions",
        best.as_secs_f64() * 1e3
    );
}
