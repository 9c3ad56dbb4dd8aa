//! Stories as text: one line a step, a column a thread.

use std::fmt::Write;

use super::{Deed, Row, Story};
use crate::state::ThreadId;

/// Columns narrower than this are hard to read: the thread is then named in the line instead.
const NARROWEST: usize = 20;

impl Story {
    /// The story in lines of at most `width` characters, where that is possible.
    #[must_use]
    pub fn render(&self, width: usize) -> String {
        let mut text = String::new();
        if !self.rows.is_empty() {
            self.render_rows(width, &mut text);
            text.push('\n');
        }
        self.render_ending(&mut text);
        text
    }

    fn thread_name(&self, thread: ThreadId) -> String {
        self.threads.get(thread as usize).cloned().unwrap_or_else(|| format!("T{thread}"))
    }

    fn render_rows(&self, width: usize, text: &mut String) {
        let step_width = self.rows.iter().map(|row| row.step.to_string().len()).max().unwrap_or(1).max(4);
        let place_width = self.rows.iter().map(|row| place(row).chars().count()).max().unwrap_or(0).max(5);
        let mut columns: Vec<ThreadId> = self.rows.iter().map(|row| row.thread).collect();
        columns.sort_unstable();
        columns.dedup();
        let left = step_width + 2 + place_width;
        let cells: Vec<String> = self.rows.iter().map(|row| self.cell(row)).collect();
        let natural: Vec<usize> = columns
            .iter()
            .map(|&thread| {
                let mine = self.rows.iter().zip(&cells).filter(|(row, _)| row.thread == thread);
                let longest = mine.map(|(_, cell)| cell.chars().count()).max().unwrap_or(0);
                longest.max(self.thread_name(thread).chars().count())
            })
            .collect();
        let room = width.saturating_sub(left + 2 * columns.len());
        let cap = widest(&natural, room);
        let side_by_side = cap >= NARROWEST;
        let widths: Vec<usize> = natural.iter().map(|&natural| natural.min(cap)).collect();
        let mut line = format!("{:>step_width$}  {:place_width$}", "step", "place");
        if side_by_side {
            for (&thread, &width) in columns.iter().zip(&widths) {
                let _ = write!(line, "  {:width$}", self.thread_name(thread));
            }
        }
        push_line(text, &line);
        let mut previous = None;
        for (row, cell) in self.rows.iter().zip(&cells) {
            let number = if previous == Some(row.step) { String::new() } else { row.step.to_string() };
            previous = Some(row.step);
            let (indent, room, cell) = if side_by_side {
                let column = columns.iter().position(|&thread| thread == row.thread).unwrap_or(0);
                let before: usize = widths[..column].iter().map(|width| width + 2).sum();
                (before, widths[column], cell.clone())
            } else {
                let named = format!("{}: {cell}", self.thread_name(row.thread));
                (0, width.saturating_sub(left + 2).max(NARROWEST), named)
            };
            let mut number = number.as_str();
            let mut at = place(row);
            for piece in wrap(&cell, room) {
                let line = format!("{number:>step_width$}  {at:place_width$}  {:indent$}{piece}", "");
                push_line(text, &line);
                (number, at) = ("", "");
            }
        }
    }

    fn cell(&self, row: &Row) -> String {
        let deeds: Vec<String> = row.deeds.iter().map(|deed| self.deed(deed)).collect();
        let mut cell = match (&row.api, deeds.is_empty()) {
            (Some(api), true) => api.clone(),
            (Some(api), false) => format!("{api}: {}", deeds.join("; ")),
            (None, _) => deeds.join("; "),
        };
        if row.times > 1 {
            let _ = write!(cell, " ({} times)", row.times);
        }
        cell
    }

    fn deed(&self, deed: &Deed) -> String {
        let source = |from: &Option<u64>| match from {
            None => "first value".to_owned(),
            Some(0) => "from before".to_owned(),
            Some(step) => format!("from step {step}"),
        };
        match deed {
            Deed::Read { name, value, from } => format!("reads {name} = {value} ({})", source(from)),
            Deed::Write { name, value } => format!("writes {name} = {value}"),
            Deed::Update { name, old, from, new: Some(new) } => {
                format!("updates {name}: {old} ({}) -> {new}", source(from))
            }
            Deed::Update { name, old, from, new: None } => {
                format!("compares {name} = {old} ({}), writes nothing", source(from))
            }
            Deed::Lock(name) => format!("locks {name}"),
            Deed::Unlock(name) => format!("unlocks {name}"),
            Deed::Start(thread) => format!("starts {}", self.thread_name(*thread)),
            Deed::Join(thread) => format!("joins {}", self.thread_name(*thread)),
            Deed::Free => "frees memory".to_owned(),
            Deed::Input { name, value } => format!("input {name} = {value}"),
            Deed::Output(text) => format!("prints {text:?}"),
        }
    }

    fn render_ending(&self, text: &mut String) {
        let ending = &self.ending;
        push_line(text, &ending.summary);
        for detail in &ending.details {
            push_line(text, &format!("  {detail}"));
        }
        if let Some(thread) = ending.thread {
            push_line(text, &format!("  in {}", self.thread_name(thread)));
        }
        for call in &ending.stack {
            let place = call.place.as_deref().map_or_else(String::new, |place| format!(" ({place})"));
            push_line(text, &format!("    at {}{place}", call.function));
        }
        if !ending.values.is_empty() {
            let values: Vec<String> =
                ending.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            push_line(text, &format!("  with {}", values.join(", ")));
        }
        for (thread, locks) in &ending.locks {
            push_line(text, &format!("  {} holds {}", self.thread_name(*thread), locks.join(", ")));
        }
    }
}

fn place(row: &Row) -> &str {
    row.place.as_deref().unwrap_or("")
}

/// The largest width to which columns can be cut so that together they fit the room.
fn widest(natural: &[usize], room: usize) -> usize {
    let fits = |cap: usize| natural.iter().map(|&natural| natural.min(cap)).sum::<usize>() <= room;
    let longest = natural.iter().copied().max().unwrap_or(0).max(NARROWEST);
    (1..=longest).rev().find(|&cap| fits(cap)).unwrap_or(0)
}

/// Adds a line without blanks at its end.
fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

/// Breaks a text at blanks so that pieces fit; a word that does not fit stays whole.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut current = String::new();
    for word in text.split(' ') {
        let length = current.chars().count() + 1 + word.chars().count();
        if !current.is_empty() && length > width {
            pieces.push(std::mem::take(&mut current));
            // What goes on is set in, so that it is not taken for something new.
            current.push_str("  ");
            current.push_str(word);
        } else {
            if !current.is_empty() {
                current.push(' ');
            }
            current.push_str(word);
        }
    }
    pieces.push(current);
    pieces
}

#[cfg(test)]
mod tests {
    use super::{widest, wrap};

    #[test]
    fn text_is_broken_at_blanks() {
        assert_eq!(wrap("reads x = 1 (from step 3)", 12), ["reads x = 1", "  (from step", "  3)"]);
        assert_eq!(wrap("incomprehensibilities x", 5), ["incomprehensibilities", "  x"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn narrow_columns_leave_their_room_to_wide_ones() {
        assert_eq!(widest(&[30, 30], 80), 30);
        assert_eq!(widest(&[10, 100, 50], 110), 50);
        assert_eq!(widest(&[40, 40, 40], 60), 20);
    }
}
