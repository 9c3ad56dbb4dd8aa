//! What a process and its descendants use at a moment, as the kernel reports it through files.
//!
//! Where there are no such files nothing is known, and only the time that passes is limited from outside.

use std::fs;
use std::time::Duration;

/// Memory and time of a process and its living descendants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Resident memory now. Pages that several processes share count for each of them.
    pub(super) memory_bytes: u64,
    /// Processor time since their start, of dead children that were waited for, too.
    pub(super) cpu: Duration,
}

/// What the process and its descendants use. Those that vanish meanwhile do not count.
pub(super) fn of_tree(process: u32) -> Usage {
    let mut total = Usage::default();
    let mut waiting = vec![process];
    while let Some(process) = waiting.pop() {
        let Some(usage) = of_one(process) else { continue };
        total.memory_bytes += usage.memory_bytes;
        total.cpu += usage.cpu;
        let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { continue };
        for thread in threads.flatten() {
            let children = text(&thread.path().join("children").to_string_lossy()).unwrap_or_default();
            waiting.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
    }
    total
}

fn of_one(process: u32) -> Option<Usage> {
    let stat = text(&format!("/proc/{process}/stat"))?;
    let (ticks, pages) = parse(&stat)?;
    let per_second = rustix::param::clock_ticks_per_second().max(1);
    let page = u64::try_from(rustix::param::page_size()).ok()?;
    Some(Usage {
        memory_bytes: pages.saturating_mul(page),
        cpu: Duration::from_millis(ticks.saturating_mul(1000) / per_second),
    })
}

/// Clock ticks (own and of children that were waited for, user and system) and resident pages, from a line of `stat`.
fn parse(stat: &str) -> Option<(u64, u64)> {
    // The second field is the program's name in parentheses, which may hold anything. Fields are counted from the third.
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok());
    let ticks = (11..=14).map(number).sum::<Option<u64>>()?;
    Some((ticks, number(21)?))
}

#[expect(clippy::disallowed_methods, reason = "the kernel tells what is used through files")]
fn text(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_read_whatever_the_program_is_called() {
        let line =
            "7 (a) b) S 1 7 7 0 -1 4 100 0 0 0 10 20 30 40 20 0 1 0 55 9999 321 18446744073709551615 1";
        assert_eq!(parse(line), Some((100, 321)));
        assert_eq!(parse("7 (x) S 1"), None);
    }

    #[test]
    fn this_process_uses_memory() {
        if std::path::Path::new("/proc/self/stat").exists() {
            assert!(of_tree(std::process::id()).memory_bytes > 100_000);
        }
    }
}
