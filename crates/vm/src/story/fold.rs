//! Long stories, shortened.
//!
//! Left out are stretches of one thread's rows that read and write only what no other thread touches in this story: setting up
//! a table, summing up at the end. Never left out: synchronisation, inputs, output, and the last rows before the failure. So
//! what is left shows every place where threads meet; what a thread computed by itself may be missing, and the row that
//! stands for it says so.

use rustc_hash::FxHashMap;

use super::{Deed, Row, Story};
use crate::state::ThreadId;

/// Shorter stories are told in full.
const LONG: usize = 40;
/// Stretches shorter than this stay.
const STRETCH: usize = 3;
/// The last rows stay: they lead to the failure.
const LAST: usize = 8;

/// Who touches a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Toucher {
    One(ThreadId),
    Several,
}

impl Story {
    /// A shorter story, if there is something to leave out.
    #[must_use]
    pub fn folded(&self) -> Option<Self> {
        if self.rows.len() < LONG {
            return None;
        }
        let mut touchers: FxHashMap<&str, Toucher> = FxHashMap::default();
        for row in &self.rows {
            for name in row.deeds.iter().filter_map(touched) {
                let toucher = touchers.entry(name).or_insert(Toucher::One(row.thread));
                if *toucher != Toucher::One(row.thread) {
                    *toucher = Toucher::Several;
                }
            }
        }
        let is_private = |row: &Row| {
            !row.deeds.is_empty()
                && row.deeds.iter().all(|deed| {
                    touched(deed).is_some_and(|name| touchers.get(name) != Some(&Toucher::Several))
                })
        };
        let mut rows: Vec<Row> = Vec::new();
        let (body, end) = self.rows.split_at(self.rows.len() - LAST);
        for stretch in body.chunk_by(|a, b| a.thread == b.thread && is_private(a) && is_private(b)) {
            if stretch.len() < STRETCH {
                rows.extend_from_slice(stretch);
                continue;
            }
            let left_out = u64::try_from(stretch.len()).unwrap_or(u64::MAX);
            let deeds = vec![Deed::LeftOut { rows: left_out }];
            rows.push(Row { api: None, place: None, source: None, times: 1, deeds, ..stretch[0].clone() });
        }
        rows.extend_from_slice(end);
        (rows.len() < self.rows.len()).then(|| Self { rows, ..self.clone() })
    }
}

/// What a deed reads or writes; `None` for deeds that are never left out.
fn touched(deed: &Deed) -> Option<&str> {
    match deed {
        Deed::Read { name, .. }
        | Deed::Write { name, .. }
        | Deed::Delay { name, .. }
        | Deed::Visible { name, .. }
        | Deed::Update { name, .. } => Some(name),
        Deed::Lock(_)
        | Deed::Unlock(_)
        | Deed::Start(_)
        | Deed::Join(_)
        | Deed::Free
        | Deed::EndOfLife(_)
        | Deed::Input { .. }
        | Deed::Output(_)
        | Deed::LeftOut { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(step: u64, thread: ThreadId, name: &str) -> Row {
        let deeds = vec![Deed::Write { name: name.to_owned(), value: "1".to_owned() }];
        Row { step, times: 1, thread, place: None, source: None, api: None, deeds }
    }

    fn story(rows: Vec<Row>) -> Story {
        Story { threads: Vec::new(), rows, ending: super::super::Ending::default() }
    }

    #[test]
    fn what_one_thread_does_for_itself_is_left_out_of_a_long_story() {
        let table = (1..=50).map(|step| row(step, 0, &format!("table[{step}]")));
        let shared = [row(51, 0, "flag"), row(52, 1, "flag")];
        let end = (53..=60).map(|step| row(step, 0, "sum"));
        let folded = story(table.chain(shared).chain(end).collect()).folded().unwrap();
        assert_eq!(folded.rows.len(), 1 + 2 + 8);
        assert_eq!(folded.rows[0].deeds, [Deed::LeftOut { rows: 50 }]);
        assert_eq!((folded.rows[1].step, folded.rows[10].step), (51, 60));
    }

    #[test]
    fn what_threads_share_stays_and_so_does_a_short_story() {
        let shared = (1..=60).map(|step| row(step, u32::from(step % 10 == 0), "x"));
        assert_eq!(story(shared.collect()).folded(), None);
        assert_eq!(story((1..=20).map(|step| row(step, 0, "x")).collect()).folded(), None);
    }
}
