//! Who takes part in each round, and where threads may be left in it.
//!
//! Rounds are written `main+t1:all:t2`: pools of threads, one a round. Restrictions are [switch points](crate::switch_points). Where
//! nothing is left of the labels of a thread, nothing would be looked at behind that turn: that is refused.

use std::fmt::Write as _;

use crate::switch_points::{Limit, SwitchPoints, thread_number};

/// Rounds and restrictions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Schedule {
    /// Of each round, the ids of the threads that take part.
    pub(super) rounds: Vec<Vec<usize>>,
    limits: Vec<Limit>,
}

impl Schedule {
    /// Reads both texts; without one there are `rounds` rounds of all threads. `ends` are the last labels of the threads.
    pub(super) fn read(rounds: u32, pools: &str, limits: &str, ends: &[u32]) -> Result<Self, String> {
        let threads = ends.len();
        let everybody: Vec<usize> = (0..threads).collect();
        let rounds = if pools.is_empty() {
            vec![everybody; rounds as usize]
        } else {
            pools.split(':').map(|pool| read_pool(pool, threads)).collect::<Result<_, _>>()?
        };
        if rounds.first().is_some_and(|pool| !pool.contains(&0)) {
            return Err("`main` must take part in the first round: without it nothing starts".to_owned());
        }
        let SwitchPoints { limits } =
            if limits.is_empty() { SwitchPoints::default() } else { limits.parse()? };
        for limit in &limits {
            if let Some(round) = limit.round.filter(|&round| round >= rounds.len()) {
                return Err(format!("there is no round {}; the last is {}", round + 1, rounds.len()));
            }
            limit.thread.map_or(Ok(()), |thread| exists(thread, threads))?;
        }
        let schedule = Self { rounds, limits };
        for (thread, &end) in ends.iter().enumerate() {
            schedule.leaves_labels(thread, end)?;
        }
        Ok(schedule)
    }

    /// The restrictions of a turn.
    fn limits(&self, round: usize, thread: usize) -> impl Iterator<Item = &Limit> {
        self.limits.iter().filter(move |limit| {
            limit.round.is_none_or(|only| only == round) && limit.thread.is_none_or(|only| only == thread)
        })
    }

    /// Makes sure that a thread can be left somewhere in each of its turns.
    fn leaves_labels(&self, thread: usize, end: u32) -> Result<(), String> {
        let mut least = 0;
        for (round, _) in self.rounds.iter().enumerate().filter(|(_, pool)| pool.contains(&thread)) {
            let is_free = |label: &u32| {
                self.limits(round, thread).all(|limit| limit.labels.iter().any(|range| range.contains(label)))
            };
            let Some(first) = (least..=end).find(is_free) else {
                let name = if thread == 0 { "main".to_owned() } else { format!("t{thread}") };
                let behind = if least > 0 {
                    format!(", and it was left at {least} or later before")
                } else {
                    String::new()
                };
                return Err(format!(
                    "`{name}` cannot be left anywhere in round {}: its labels are 0 to {end}{behind}",
                    round + 1
                ));
            };
            // Others may have no turn in a round, because they are not started yet.
            if thread == 0 {
                least = first;
            }
        }
        Ok(())
    }

    /// What must hold of the label at which a thread is left, as C; nothing if it is free.
    pub(super) fn condition(&self, round: usize, thread: usize) -> Option<String> {
        let mut text = String::new();
        for limit in self.limits(round, thread) {
            let mut either = String::new();
            for (first, last) in limit.labels.iter().map(|range| (range.start(), range.end())) {
                let or = if either.is_empty() { "" } else { " || " };
                let _ = if first == last {
                    write!(either, "{or}__raddle_leave == {first}")
                } else {
                    write!(either, "{or}({first} <= __raddle_leave && __raddle_leave <= {last})")
                };
            }
            let and = if text.is_empty() { "" } else { " && " };
            let _ = write!(text, "{and}({either})");
        }
        (!text.is_empty()).then_some(text)
    }
}

/// Makes sure that there is a thread of that number.
fn exists(thread: usize, threads: usize) -> Result<(), String> {
    if thread < threads {
        return Ok(());
    }
    Err(format!("there is no thread {thread}; the last is {}", threads - 1))
}

fn read_pool(pool: &str, threads: usize) -> Result<Vec<usize>, String> {
    let mut found = Vec::new();
    for name in pool.split('+') {
        if name == "all" {
            found.extend(0..threads);
        } else {
            let thread = thread_number(name)?;
            exists(thread, threads)?;
            found.push(thread);
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_are_read() {
        let read = |text: &str| Schedule::read(2, text, "", &[9, 9, 9]);
        assert_eq!(read("").unwrap().rounds, [[0, 1, 2], [0, 1, 2]]);
        assert_eq!(read("main+t1:t2+t1:all").unwrap().rounds, [vec![0, 1], vec![1, 2], vec![0, 1, 2]]);
        assert!(read("t1:main").unwrap_err().contains("first round"));
        assert!(read("main+t3").unwrap_err().contains("the last is 2"));
        assert!(read("main:x").unwrap_err().contains("names no thread"));
    }

    #[test]
    fn restrictions_are_read() {
        let read = |text: &str| Schedule::read(2, "", text, &[9, 9, 3]);
        let schedule = read("1.main:3;*.t1:0..4|7").unwrap();
        assert_eq!(schedule.condition(0, 0).unwrap(), "(__raddle_leave == 3)");
        assert_eq!(schedule.condition(1, 0), None);
        let range = "((0 <= __raddle_leave && __raddle_leave <= 4) || __raddle_leave == 7)";
        assert_eq!(schedule.condition(1, 1).unwrap(), range);
        for wrong in ["main:3", "3.main:1", "1.t9:1", "1.main:x", "1.main:4..2", "1.main"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_turn_needs_a_label() {
        let read = |text: &str| Schedule::read(2, "", text, &[9, 9, 3]);
        for wrong in ["1.t2:4", "*.all:4..9", "1.t1:3;*.t1:4|5", "1.main:5;2.main:0..4"] {
            assert!(read(wrong).unwrap_err().contains("cannot be left anywhere in round"), "{wrong}");
        }
        // Thread 1 need not have a turn in the first round.
        for right in ["1.t2:3..40", "1.main:5;2.main:0..5", "1.t1:5;2.t1:0..4"] {
            assert!(read(right).is_ok(), "{right}");
        }
    }
}
