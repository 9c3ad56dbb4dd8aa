//! Stories as they are shown.

use super::*;
use crate::recording::Recorder;
use crate::run::run;
use crate::run::tests::{Fixed, parse};
use crate::{Options, Vm, ZeroInputs};
use raddle_base::Location;

/// A span `@n-m` stands for line n of `bank.c`.
fn find(span: Span) -> Option<Location> {
    (span != Span::NONE).then(|| Location { file: "bank.c".into(), line: span.lo, column: 1 })
}

fn story_of(text: &str, schedule: &[ThreadId], properties: &[raddle_ir::Property]) -> Story {
    let program = parse(text);
    let vm = Vm::checking(&program, properties);
    let mut scheduler = Fixed::new(schedule);
    let mut recorder = Recorder::new(program.pointer_bits);
    let result = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut recorder);
    write_story(&program, &recorder.finish(), (&result.outcome, &result.state), &find)
}

const BANK: &str = r#"program pointer_bits 64 entry f0
    havoc h0 "__VERIFIER_nondet_int()" i32 signed
    global g0 "balance" size 4 align 4 shape signed i32 { 0: i32 100 }
    global g1 "m" size 40 align 8 shape { __data 0: { __lock 0: signed i32 } } {}
    function f0 "main" () {
      registers r0: i32, r1: i32, r2: i32 "left", r3: i1
    b0:
      r0 = fork @clerk(null) @20-21
      r1 = fork @clerk(null) @21-22
      join r0 @22-23
      join r1 @23-24
      %left = load i32 [@balance] @24-25
      r3 = equal %left, i32 80
      check assertion r3, "left == 80" @25-26
      exit_process i32 0 @26-27
    }
    function f1 "clerk" (r0) -> ptr {
      registers r0: ptr, r1: i32 "seen", r2: i32, r3: i32
    b0:
      r3 = havoc h0 @9-10
      %seen = load i32 [@balance] @10-11
      call @pthread_mutex_lock(@m) @11-12
      r2 = sub %seen, i32 10
      store i32 [@balance], r2 @12-13
      call @pthread_mutex_unlock(@m) @13-14
      return null @14-15
    }
    function f2 "pthread_mutex_lock" (r0) model {
      registers r0: ptr, r1: i32
    b0:
      atomic_begin
      r1 = load i32 [r0]
      lock [r0]
      atomic_end
      return
    }
    function f3 "__model_pthread_mutex_unlock" (r0) model {
      registers r0: ptr
    b0:
      atomic_begin
      unlock [r0]
      atomic_end
      return
    }"#;

const LOST: [ThreadId; 10] = [0, 0, 1, 2, 1, 1, 1, 2, 2, 2];

fn bank() -> String {
    BANK.replace("@pthread_mutex_unlock", "@__model_pthread_mutex_unlock")
}

#[test]
fn a_lost_update_is_told_in_columns() {
    let story = story_of(&bank(), &LOST, &[raddle_ir::Property::Assertion]);
    let expected = "\
bank.c:
step  line  main                             T1 clerk                           T2 clerk
   1    20  starts T1 clerk
         9                                   input __VERIFIER_nondet_int() = 0
   2    21  starts T2 clerk
         9                                                                      input __VERIFIER_nondet_int() = 0
   3    10                                   reads balance = 100, first value
   4    10                                                                      reads balance = 100, first value
   5    11                                   locks m
   6    12                                   writes balance = 90
   7    13                                   unlocks m
   8    11                                                                      locks m
   9    12                                                                      writes balance = 90
  10    13                                                                      unlocks m
  11    22  joins T1 clerk
  12    23  joins T2 clerk
  13    24  reads balance = 90, from step 9

assertion: left == 80
  in main
    at main (bank.c:25)
  with left = 90
";
    let shown = story.render(160);
    assert_eq!(shown, expected, "\n{shown}");
}

#[test]
fn lines_of_the_source_are_shown_where_there_is_room() {
    let source = |file: &str, line: u32| (file == "bank.c").then(|| format!("    int   line_{line} = 0;  "));
    let story = story_of(&bank(), &LOST, &[raddle_ir::Property::Assertion]).with_source(&source);
    let shown = story.render(160);
    assert!(shown.contains("\n   3    10  int line_10 = 0;  "), "\n{shown}");
    assert!(!story.render(120).contains("line_10"), "the threads need the room");
}

#[test]
fn places_in_several_files_are_told_in_full() {
    let mut story = story_of(&bank(), &LOST, &[raddle_ir::Property::Assertion]);
    story.rows[2].place = Some("vault.h:3".to_owned());
    let shown = story.render(160);
    assert!(shown.starts_with("step  place      main"), "\n{shown}");
    assert!(shown.contains("\n   6  bank.c:12  "), "\n{shown}");
}

#[test]
fn a_narrow_story_names_the_thread_in_each_line() {
    let story = story_of(&bank(), &LOST, &[raddle_ir::Property::Assertion]);
    let shown = story.render(60);
    assert!(shown.lines().all(|line| line.chars().count() <= 60), "\n{shown}");
    assert!(shown.contains("   6    12  T1 clerk: writes balance = 90\n"), "\n{shown}");
}

#[test]
fn a_story_is_plain_data() {
    let story = story_of(&bank(), &LOST, &[raddle_ir::Property::Assertion]);
    let json = serde_json::to_string(&story).unwrap();
    assert_eq!(serde_json::from_str::<Story>(&json).unwrap(), story);
    assert!(json.contains(r#""deeds":[{"write":{"name":"balance","value":"90"}}]"#), "{json}");
}

#[test]
fn a_race_tells_both_accesses_and_the_locks_held() {
    let story = story_of(&bank(), &[0, 0, 1, 1, 1, 2], &[raddle_ir::Property::DataRace]);
    let shown = story.render(160);
    let ending = "\
data race on `balance`: write by T1 clerk and read by T2 clerk are not ordered
  write of balance by T1 clerk at bank.c:12
  read of balance by T2 clerk at bank.c:10
  in T2 clerk
    at clerk (bank.c:10)
  T1 clerk holds m
";
    assert!(shown.ends_with(ending), "\n{shown}");
}

#[test]
fn a_deadlock_tells_who_waits_for_whom() {
    let text = bank().replace("call @__model_pthread_mutex_unlock(@m) @13-14", "");
    let story = story_of(&text, &[0, 0, 1, 2, 1, 1], &[raddle_ir::Property::Deadlock]);
    let shown = story.render(160);
    let ending = "\
deadlock: no thread is enabled
  main      waits at bank.c:23 for T2 clerk to end
  T2 clerk  waits in pthread_mutex_lock at bank.c:11 for lock `m`, which T1 clerk held when it ended
  T1 clerk holds m
";
    assert!(shown.ends_with(ending), "\n{shown}");
}

#[test]
fn waiting_in_a_loop_is_folded() {
    let text = r#"program pointer_bits 64 entry f0
        global g0 "flag" size 4 align 4 shape signed i32 {}
        global g1 "word" size 4 align 4 shape signed i32 {}
        function f0 "main" () {
          registers r0: i32, r1: i1
        b0:
          r0 = fork @setter(null) @1-2
          jump b1
        b1:
          r0 = load i32 [@flag] acquire @2-3
          r1 = equal r0, i32 0
          branch r1, b1, b2
        b2:
          r0 = rmw add i32 [@word], i32 5 seq_cst @3-4
          r0 = compare_exchange i32 [@word], i32 4, i32 9 seq_cst @4-5
          exit_process i32 0
        }
        function f1 "setter" (r0) -> ptr {
          registers r0: ptr
        b0:
          store i32 [@flag], i32 1 release @8-9
          return null
        }"#;
    let story = story_of(text, &[0, 0, 0, 0, 1, 0], raddle_ir::Property::COMMON);
    let shown = story.render(100);
    let expected = "\
bank.c:
step  line  main                                             T1 setter
   1     1  starts T1 setter
   2     2  reads flag = 0, first value (3 times)
   5     8                                                   writes flag = 1
   6     2  reads flag = 1, from step 5
   7     3  updates word: 0 (first value) -> 5
   8     4  compares word = 5 (from step 7), writes nothing

the process ends with status 0
";
    assert_eq!(shown, expected, "\n{shown}");
}

#[test]
fn the_story_of_a_race_ends_with_the_race_where_an_assertion_fails_behind_it() {
    let text = bank().replace("check assertion r3", "check assertion false").replace("join r0 @22-23", "");
    let text = text.replace("join r1 @23-24", "");
    let program = parse(&text);
    let vm = Vm::checking(&program, &[raddle_ir::Property::DataRace]);
    let found = crate::explore(&vm, &crate::Search::default());
    let all = Vm::new(&program);
    for race in &found.violations {
        let again = crate::replay(&all, race.trace(), &Options::default(), &mut crate::Unwatched).unwrap();
        assert_eq!(Story::of(&program, &again, &find).ending.property.as_deref(), Some("data-race"));
    }
    let hidden = found.violations.iter().any(|race| {
        let followed = crate::follow(&all, race.trace(), &Options::default(), &mut crate::Unwatched).unwrap();
        followed.outcome.property() == Some(raddle_ir::Property::Assertion)
    });
    assert!(hidden, "the assertion fails in the step of some race, and would be told where all is checked");
}
