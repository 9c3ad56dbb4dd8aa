//! What counts as unsynchronised communication, and what does not.

use super::*;
use crate::text::parse_program;
use crate::validate::validate;

/// The effect of a model with this head and this body, which the program calls with the address of a word.
fn effect_of(head: &str, body: &str) -> Effect {
    let text = format!(
        "program pointer_bits 64 entry f0
         global g0 \"word\" size 4 align 4 {{ }} global g1 \"state\" size 4 align 4 {{ }}
         global g2 \"constant\" size 4 align 4 read_only {{ }} global g3 \"own\" size 4 align 4 thread_local {{ }}
         function f0 \"main\" () {{ registers r0: i32 b0: r0 = call @model(@word) call @set() exit_process i32 0 }}
         function f1 \"model\" (r0) -> i32 model {head} {{
           registers r0: ptr, r1: i32, r2: i1, r3: i32, r4: ptr {body} }}
         function f2 \"set\" () model {{ b0: atomic_begin store i32 [@state], i32 1 atomic_end return }}
         function f3 \"no\" () -> i32 model {{ b0: return i32 0 }}
         function f4 \"load\" (r0) -> i32 model {{ registers r0: ptr, r1: i32 b0: r1 = load i32 [r0] return r1 }}
         function f5 \"keep\" (r0) model {{ registers r0: ptr b0: store ptr [@state], r0 return }}
         function f6 \"stop\" () model {{ b0: exit_thread null }}"
    );
    let program = parse_program(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(validate(&program), []);
    let model = program.functions.ids().nth(1).expect("there are more");
    effects(&program)[model]
}

/// The effect without a declaration.
fn effect(body: &str) -> Effect {
    effect_of("", body)
}

#[test]
fn queries_communicate() {
    let lock = effect("b0: r2 = lock_is_free r0 r1 = zero_extend r2 return r1");
    assert_eq!(lock, Effect::Communicates(ForeignRead::LockWord));
    let peek = effect("b0: r1 = peek r0 unwritten 7 return r1");
    assert_eq!(peek, Effect::Communicates(ForeignRead::Peek));
    let thread = effect("b0: r2 = thread_exists i32 1 r1 = zero_extend r2 return r1");
    assert_eq!(thread, Effect::Communicates(ForeignRead::Existence));
    let holds = effect("b0: r2 = holds_lock r0 r1 = zero_extend r2 return r1");
    assert_eq!(holds, Effect::Nothing);
}

#[test]
fn loads_communicate_where_they_cannot_race() {
    let inside = effect("b0: atomic_begin r1 = load i32 [r0] atomic_end return r1");
    assert_eq!(inside, Effect::Communicates(ForeignRead::Memory));
    let acquires = effect("b0: atomic_begin r1 = load i32 [r0] acquire atomic_end return r1");
    assert_eq!(acquires, Effect::Communicates(ForeignRead::Memory));
    assert_eq!(effect("b0: r1 = load i32 [r0] return r1"), Effect::Nothing);
    assert_eq!(effect("b0: atomic_begin atomic_end r1 = load i32 [r0] return r1"), Effect::Nothing);
    // It is written in a block: outside of one the two do not race either.
    let outside = effect("b0: r1 = load i32 [@state] return r1");
    assert_eq!(outside, Effect::Communicates(ForeignRead::Memory));
    let relaxed = effect("b0: r1 = load i32 [r0] relaxed return r1");
    assert_eq!(relaxed, Effect::Communicates(ForeignRead::WeakAtomic));
}

#[test]
fn what_is_called_in_a_block_is_in_it() {
    let mut found = Vec::new();
    for body in ["atomic_begin r1 = call @load(r0) atomic_end", "r1 = call @load(r0)"] {
        let text = format!(
            "program pointer_bits 64 entry f0 global g0 \"word\" size 4 align 4 {{ }}
             function f0 \"main\" () {{ registers r0: i32 b0: r0 = call @model(@word) exit_process i32 0 }}
             function f1 \"model\" (r0) -> i32 model {{ registers r0: ptr, r1: i32 b0: {body} return r1 }}
             function f2 \"load\" (r0) -> i32 model {{ registers r0: ptr, r1: i32 b0: r1 = load i32 [r0] return r1 }}"
        );
        let program = parse_program(&text).expect("it parses");
        found.push(communication(&program).map(|(id, _)| program.functions[id].name.clone()));
    }
    assert_eq!(found, [Some("load".to_owned()), None]);
}

#[test]
fn private_memory_tells_nothing() {
    let local = |escape: &str| {
        format!(
            "b0: r4 = alloc local i64 4 align 4 \"x\" store i32 [r4], i32 1 {escape}
             atomic_begin r1 = load i32 [r4] atomic_end return r1"
        )
    };
    assert_eq!(effect(&local("")), Effect::Nothing);
    assert_eq!(effect(&local("r3 = call @load(r4)")), Effect::Nothing);
    let kept = effect(&local("call @keep(r4)"));
    assert_eq!(kept, Effect::Communicates(ForeignRead::Memory));
    let own = effect("b0: r4 = thread_local @own atomic_begin r1 = load i32 [r4] atomic_end return r1");
    assert_eq!(own, Effect::Nothing);
    let constant = effect("b0: atomic_begin r1 = load i32 [@constant] atomic_end return r1");
    assert_eq!(constant, Effect::Nothing);
}

#[test]
fn what_cannot_be_reached_counts_for_nothing() {
    let asked = effect(
        "b0: r1 = call @no() r2 = not_equal r1, i32 0 branch r2, b1, b2
         b1: r1 = peek r0 unwritten 7 return r1 b2: return i32 0",
    );
    assert_eq!(asked, Effect::Nothing);
}

#[test]
fn declarations_count_and_acquiring_is_checked() {
    let both = "b0: atomic_begin r1 = load i32 [r0] r2 = equal r1, i32 0 branch r2, b1, b2
                b1: lock [r0] atomic_end return i32 0 b2: OTHER atomic_end return i32 1";
    let trylock = both.replace("OTHER", "");
    assert_eq!(effect(&trylock), Effect::Communicates(ForeignRead::Memory));
    assert_eq!(effect_of("reads any", &trylock), Effect::Declared(ForeignReads::Any));
    assert_eq!(effect_of("reads acquired", &trylock), Effect::NotAcquired(ForeignRead::Memory));
    assert_eq!(
        effect_of("reads acquired", &both.replace("OTHER", "lock [r0]")),
        Effect::Declared(ForeignReads::Acquired)
    );
    // Nobody returns from there.
    assert_eq!(
        effect_of("reads acquired", &both.replace("OTHER", "call @stop()")),
        Effect::Declared(ForeignReads::Acquired)
    );
    // Who reads nothing declares nothing.
    assert_eq!(effect_of("reads any", "b0: return i32 0"), Effect::Nothing);
}
