//! What recordings keep, and how often a violation is executed.

use super::*;
use crate::explore::{Search, explore};
use crate::run::tests::{Fixed, LOST_UPDATE, parse};
use crate::run::{Options, run};
use crate::step::Vm;
use crate::story::Story;
use crate::{Exit, Outcome, Unwatched, ZeroInputs, replay};
use raddle_ir::Property;

/// Which steps were made, by whom, and of reads the step that each reads from.
fn accesses(recording: &Recording) -> Vec<(u64, ThreadId, Option<u64>)> {
    let access = |entry: &Entry| match entry {
        Entry::Event(Recorded { step, event, reads_from, .. }) => {
            let is_access = matches!(event.action, Action::Read { .. } | Action::Write { .. });
            is_access.then_some((*step, event.thread, *reads_from))
        }
        Entry::Output { .. } => None,
    };
    recording.entries().iter().filter_map(access).collect()
}

#[test]
fn reads_know_which_step_they_read_from() {
    let program = parse(LOST_UPDATE);
    let vm = Vm::new(&program);
    let mut recorder = Recorder::new(program.pointer_bits);
    let mut scheduler = Fixed::new(&[0, 0, 1, 1, 2, 2]);
    let result = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut recorder);
    assert_eq!(result.outcome, Outcome::Exited(Exit::Status(0)));
    // The accesses to each thread's own copy are not kept.
    let expected = [(3, 1, None), (4, 1, None), (5, 2, Some(4)), (6, 2, None), (9, 0, Some(6))];
    assert_eq!(accesses(&recorder.finish()), expected);
}

#[test]
fn bytes_know_who_wrote_them_also_where_words_meet_and_steps_are_undone() {
    let spot = |offset| Spot { origin: crate::step::global_origin(raddle_base::Id::from_index(0)), offset };
    let mut writers = Writers::default();
    assert_eq!(writers.latest(spot(0), 16), None);
    writers.write(spot(6), 4, 0);
    writers.begin();
    writers.write(spot(9), 1, 3);
    writers.write(spot(9), 2, 3);
    assert_eq!((writers.latest(spot(0), 6), writers.latest(spot(0), 7)), (None, Some(0)));
    assert_eq!((writers.latest(spot(6), 3), writers.latest(spot(0), 16)), (Some(0), Some(3)));
    writers.undo();
    assert_eq!((writers.latest(spot(6), 4), writers.latest(spot(10), 1)), (Some(0), None));
    writers.begin();
    writers.write(spot(10), 1, 4);
    assert_eq!((writers.latest(spot(9), 1), writers.latest(spot(8), 8)), (Some(0), Some(4)));
}

/// A thread overwrites `x` in an atomic block that does not commit before `main` has read `x`.
const UNDONE: &str = r#"program pointer_bits 64 entry f0
    havoc h0 "choice" i1
    global g0 "x" size 4 align 4 shape signed i32 {}
    function f0 "main" () {
      registers r0: i32, r1: i32, r2: i1
    b0:
      store i32 [@x], i32 5
      r0 = fork @other(null)
      r1 = load i32 [@x]
      r2 = equal r1, i32 0
      check assertion r2, "x == 0"
      exit_process i32 0
    }
    function f1 "other" (r0) -> ptr {
      registers r0: ptr, r1: i1
    b0:
      atomic_begin
      store i32 [@x], i32 7
      r1 = havoc h0
      wait_until r1
      atomic_end
      return null
    }"#;

#[test]
fn what_does_not_commit_is_not_recorded() {
    let program = parse(UNDONE);
    let vm = Vm::new(&program);
    let mut recorder = Recorder::new(program.pointer_bits);
    // The first choice of thread 1 does not commit with an input of zero.
    let mut scheduler = Fixed::new(&[0, 0, 1, 0]);
    let result = run(&vm, &mut scheduler, &mut ZeroInputs, &Options::default(), &mut recorder);
    assert_eq!(result.outcome.property(), Some(Property::Assertion));
    assert_eq!(accesses(&recorder.finish()), [(1, 0, None), (3, 0, Some(1))]);
}

#[test]
fn a_violation_is_executed_twice_from_found_to_told() {
    let program = parse(LOST_UPDATE);
    let vm = Vm::checking(&program, &[Property::Assertion]);
    let starts = crate::step::starts;
    let before = starts();
    let found = explore(&vm, &Search::default());
    // The search itself, the run that makes a trace of its path, and the replay of that trace.
    assert_eq!((found.violations.len(), starts() - before), (1, 3));
    let story = Story::of(&program, &found.violations[0], &|_| None);
    let text = story.render(80);
    assert!(text.contains("sum == 2"), "{text}");
    assert_eq!(starts() - before, 3, "the story executes nothing");
    let again = replay(&vm, found.violations[0].trace(), &Options::default(), &mut Unwatched).unwrap();
    assert_eq!(Story::of(&program, &again, &|_| None), story);
    assert_eq!(starts() - before, 4, "a recorded trace that is replayed and told is executed once");
}
