//! From what was seen of an execution of the sequential program to a record of one of the input.
//!
//! In the lazy schema turns come in the order of time. In the schema of Lal and Reps each thread makes all its turns at once, so
//! they are put in order afterwards: by rounds, and in a round by the numbers of threads.

use std::collections::BTreeMap;

use raddle_sequentialize::record::{Global, Input, Record, Turn};

use super::observe::Note;

/// Of the lazy schema.
pub(crate) fn lazy(notes: Vec<Note>) -> Record {
    let mut record = Record::default();
    let mut turn: Option<Turn> = None;
    let mut is_over = false;
    let end = |turn: &mut Option<Turn>, record: &mut Record, globals: Vec<Global>| {
        if let Some(turn) = turn.take() {
            record.turns.push(Turn { globals, ..turn });
        }
    };
    for note in notes {
        if is_over {
            break;
        }
        match note {
            Note::Current(thread, globals) => {
                end(&mut turn, &mut record, globals);
                turn = Some(Turn { thread, ..Turn::default() });
            }
            Note::Probe(globals) => {
                end(&mut turn, &mut record, globals);
                is_over = true;
            }
            Note::Leave(label) => {
                if let Some(turn) = &mut turn {
                    turn.leave = Some(label);
                }
            }
            Note::Started(thread) => record.started.push(thread),
            Note::Input { name, span, value } => {
                let thread = turn.as_ref().map_or(0, |turn| turn.thread);
                record.inputs.push(Input { thread, name, span, value });
            }
            Note::Round(_) | Note::Error | Note::Born(_) => {}
        }
    }
    if let Some(turn) = turn {
        // The last turn is the one that fails: where it would have been left does not matter.
        record.turns.push(Turn { leave: None, ..turn });
    }
    record
}

/// What a thread does in the schema of Lal and Reps.
#[derive(Debug, Default)]
struct Run {
    /// Where it is left in each of its rounds.
    left: BTreeMap<u32, u32>,
    /// What globals hold when it has run: all copies of each.
    globals: Vec<Global>,
}

/// Of the schema of Lal and Reps, with so many rounds and these last labels of threads.
pub(crate) fn lal_reps(notes: Vec<Note>, rounds: u32, ends: &[u32]) -> Record {
    let mut record = Record::default();
    let mut runs: BTreeMap<u32, Run> = BTreeMap::new();
    let mut started: Vec<((u32, u32), u32)> = Vec::new();
    let (mut thread, mut round, mut label, mut fails) = (None, 0, None, None);
    for note in notes {
        match note {
            Note::Current(next, globals) => {
                if let Some(thread) = thread {
                    end(&mut runs, (thread, round), rounds, ends, globals);
                }
                thread = Some(next);
                (round, label) = (0, None);
                runs.entry(next).or_default();
            }
            Note::Round(next) => {
                if let (Some(run), Some(label)) = (thread.and_then(|thread| runs.get_mut(&thread)), label) {
                    (round..next.min(rounds)).for_each(|round| {
                        run.left.insert(round, label);
                    });
                }
                round = next;
            }
            Note::Leave(next) => label = Some(next),
            Note::Born(new) => {
                // Before the first thread runs, all are set to be started never.
                if let Some(thread) = thread {
                    started.push(((round, thread), new));
                }
            }
            Note::Error => fails = thread.map(|thread| (round, thread)),
            Note::Input { name, span, value } => {
                record.inputs.push(Input { thread: thread.unwrap_or(0), name, span, value });
            }
            Note::Started(_) | Note::Probe(_) => {}
        }
    }
    let (Some((last_round, last_thread)), Some(thread)) = (fails, thread) else { return record };
    end(&mut runs, (thread, round), rounds, ends, Vec::new());
    for round in 0..=last_round {
        for (&thread, run) in &runs {
            if (round, thread) >= (last_round, last_thread) {
                break;
            }
            if let Some(&label) = run.left.get(&round) {
                let globals = run.globals.iter().filter_map(|global| copy(global, round, rounds)).collect();
                record.turns.push(Turn { thread, leave: Some(label), globals });
            }
        }
    }
    record.turns.push(Turn { thread: last_thread, ..Turn::default() });
    // Whoever is started first in time, not in the order of the sequential program.
    started.sort_by_key(|(when, _)| *when);
    record.started = started.into_iter().map(|(_, thread)| thread).collect();
    record
}

/// A thread has run: if it came to its end, it stands there in all rounds that are left.
fn end(
    runs: &mut BTreeMap<u32, Run>,
    (thread, round): (u32, u32),
    rounds: u32,
    ends: &[u32],
    globals: Vec<Global>,
) {
    let run = runs.entry(thread).or_default();
    run.globals = globals;
    if let Some(&last) = ends.get(thread as usize) {
        (round..rounds).for_each(|round| {
            run.left.insert(round, last);
        });
    }
}

/// One of the copies of a global.
fn copy(global: &Global, round: u32, rounds: u32) -> Option<Global> {
    let size = global.bytes.len().checked_div(rounds as usize).filter(|&size| size > 0)?;
    if size * rounds as usize != global.bytes.len() {
        return None;
    }
    let bytes = global.bytes.chunks(size).nth(round as usize)?.to_vec();
    Some(Global { name: global.name.clone(), bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn global(bytes: &[u8]) -> Vec<Global> {
        vec![Global { name: "x".to_owned(), bytes: bytes.iter().copied().map(Some).collect() }]
    }

    fn turns(record: &Record) -> Vec<(u32, Option<u32>, Vec<Option<u8>>)> {
        let bytes = |turn: &Turn| turn.globals.first().map_or_else(Vec::new, |global| global.bytes.clone());
        record.turns.iter().map(|turn| (turn.thread, turn.leave, bytes(turn))).collect()
    }

    #[test]
    fn lazy_turns_are_in_order_and_the_last_one_fails() {
        let notes = vec![
            Note::Round(1),
            Note::Current(0, global(&[0])),
            Note::Leave(3),
            Note::Started(2),
            Note::Current(2, global(&[5])),
            Note::Leave(1),
            Note::Input { name: "f".to_owned(), span: raddle_base::Span::NONE, value: 7 },
        ];
        let record = lazy(notes.clone());
        assert_eq!(turns(&record), [(0, Some(3), vec![Some(5)]), (2, None, vec![])]);
        assert_eq!(record.started, [2]);
        assert_eq!((record.inputs[0].thread, record.inputs[0].value), (2, 7));
        let stuck = notes.into_iter().chain([Note::Probe(global(&[6])), Note::Current(0, global(&[6]))]);
        let record = lazy(stuck.collect());
        assert_eq!(turns(&record), [(0, Some(3), vec![Some(5)]), (2, Some(1), vec![Some(6)])]);
    }

    #[test]
    fn turns_of_lal_and_reps_are_put_in_order() {
        // Main is left at label 4 in the first of three rounds and goes on in the third, where it fails. Thread 1 is left at
        // label 2 in the first round and comes to its end, label 5, in the second.
        let notes = vec![
            Note::Born(1),
            Note::Current(0, global(&[0, 0, 0])),
            Note::Round(0),
            Note::Born(1),
            Note::Leave(4),
            Note::Round(2),
            Note::Error,
            Note::Current(1, global(&[1, 2, 3])),
            Note::Round(0),
            Note::Leave(2),
            Note::Round(1),
        ];
        let record = lal_reps(notes, 3, &[9, 5]);
        let expected = [
            (0, Some(4), vec![Some(1)]),
            (1, Some(2), vec![]),
            (0, Some(4), vec![Some(2)]),
            (1, Some(5), vec![]),
            (0, None, vec![]),
        ];
        assert_eq!(turns(&record), expected);
        assert_eq!(record.started, [1]);
    }
}
