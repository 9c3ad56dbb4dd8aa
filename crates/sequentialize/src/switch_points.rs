//! Where threads may be left: restrictions of switch points, written `1.main:3;2.t1:0..4|7`.
//!
//! In the first round `main` is left at its label 3, in the second thread 1 at one of its labels 0 to 4 or at 7. `*` stands for all
//! rounds, `all` for all threads. What is not restricted is free. Which rounds, threads and labels there are is not known here.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Restrictions of switch points; all of them hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwitchPoints {
    pub(crate) limits: Vec<Limit>,
}

/// A restriction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// From zero; all if absent.
    pub(crate) round: Option<usize>,
    /// `main` is 0; all if absent.
    pub(crate) thread: Option<usize>,
    /// The labels at which the thread may be left.
    pub(crate) labels: Vec<RangeInclusive<u32>>,
}

impl fmt::Display for SwitchPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits: Vec<String> = self.limits.iter().map(ToString::to_string).collect();
        f.write_str(&limits.join(";"))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.round {
            None => f.write_str("*.")?,
            Some(round) => write!(f, "{}.", round + 1)?,
        }
        match self.thread {
            None => f.write_str("all:")?,
            Some(0) => f.write_str("main:")?,
            Some(thread) => write!(f, "t{thread}:")?,
        }
        let ranges: Vec<String> = self
            .labels
            .iter()
            .map(|range| match (range.start(), range.end()) {
                (first, last) if first == last => first.to_string(),
                (first, last) => format!("{first}..{last}"),
            })
            .collect();
        f.write_str(&ranges.join("|"))
    }
}

impl FromStr for SwitchPoints {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let limits = text.split(';').map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self { limits })
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no restriction: say `ROUND.THREAD:LABELS`, as in `2.t1:0..4|7`");
        let (place, labels) = text.split_once(':').ok_or_else(wrong)?;
        let (round, thread) = place.split_once('.').ok_or_else(wrong)?;
        let round = match round {
            "*" => None,
            _ => match round.parse::<usize>() {
                Ok(number) if number > 0 => Some(number - 1),
                Ok(_) | Err(_) => return Err(wrong()),
            },
        };
        let thread = if thread == "all" { None } else { Some(thread_number(thread)?) };
        let mut ranges = Vec::new();
        for range in labels.split('|') {
            let (first, last) = range.split_once("..").unwrap_or((range, range));
            match (first.parse::<u32>(), last.parse::<u32>()) {
                (Ok(first), Ok(last)) if first <= last => ranges.push(first..=last),
                _ => return Err(wrong()),
            }
        }
        Ok(Self { round, thread, labels: ranges })
    }
}

/// The number of a thread by its name.
pub(crate) fn thread_number(name: &str) -> Result<usize, String> {
    let number = match name {
        "main" => Some(0),
        _ => name.strip_prefix('t').and_then(|number| number.parse::<usize>().ok()),
    };
    number.ok_or_else(|| format!("`{name}` names no thread: say `main`, `t1`, `t2` and so on, or `all`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_as_it_was() {
        for text in ["1.main:3", "1.main:3;2.t1:0..4|7", "*.all:0..9", "*.t1:0|3;*.t2:0|3"] {
            assert_eq!(text.parse::<SwitchPoints>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_restriction_is_refused() {
        for wrong in [
            "",
            "x",
            "main:3",
            "0.main:1",
            "1.main:x",
            "1.main:4..2",
            "1.main",
            "1.t1:2,3",
            "1.t1:2)",
            "1.x:2",
            "1.main:3;",
        ] {
            assert!(wrong.parse::<SwitchPoints>().is_err(), "{wrong}");
        }
    }
}
