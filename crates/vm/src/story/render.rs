//! Stories as text: one line a step, a column a thread.

use std::fmt::Write;

use super::{Deed, Row, Story};
use crate::state::ThreadId;

/// Columns narrower than this are hard to read: the thread is then named in the line instead.
const NARROWEST: usize = 20;
/// What stands above the places when they are all in one file.
const LINE: &str = "line";
/// More of a source line than this is not needed to recognise it.
const WIDEST_SOURCE: usize = 40;

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
        let file = self.only_file();
        if let Some(file) = file {
            push_line(text, &format!("{file}:"));
        }
        let table = Table::new(self, file, width);
        let mut line = table.head("step", table.title);
        if table.source > 0 {
            let _ = write!(line, "  {:width$}", "", width = table.source);
        }
        if table.side_by_side {
            for (&thread, &width) in table.columns.iter().zip(&table.widths) {
                let _ = write!(line, "  {:width$}", self.thread_name(thread));
            }
        }
        push_line(text, &line);
        let mut previous = None;
        for (row, cell) in self.rows.iter().zip(&table.cells) {
            let number = if previous == Some(row.step) { String::new() } else { row.step.to_string() };
            previous = Some(row.step);
            let (indent, room, cell) = if table.side_by_side {
                let column = table.columns.iter().position(|&thread| thread == row.thread).unwrap_or(0);
                let before: usize = table.widths[..column].iter().map(|width| width + 2).sum();
                (before, table.widths[column], cell.clone())
            } else {
                let named = format!("{}: {cell}", self.thread_name(row.thread));
                (0, width.saturating_sub(table.left() + 2).max(NARROWEST), named)
            };
            let mut number = number.as_str();
            let mut at = place(row, file);
            let mut source = cut(row.source.as_deref().unwrap_or(""), table.source);
            for piece in wrap(&cell, room) {
                let mut line = table.head(number, at);
                if table.source > 0 {
                    let _ = write!(line, "  {source:width$}", width = table.source);
                }
                let _ = write!(line, "  {:indent$}{piece}", "");
                push_line(text, &line);
                (number, at) = ("", "");
                source.clear();
            }
        }
    }

    /// The file that all rows are in, if it is one: then only lines need to be told.
    fn only_file(&self) -> Option<&str> {
        let mut files =
            self.rows.iter().filter_map(|row| row.place.as_deref()?.rsplit_once(':').map(|(file, _)| file));
        let first = files.next()?;
        files.all(|file| file == first).then_some(first)
    }

    fn cell(&self, row: &Row) -> String {
        let deeds: Vec<String> = row.deeds.iter().map(|deed| self.deed(deed)).collect();
        let mut cell = match &row.api {
            Some(api) if deeds.is_empty() => api.clone(),
            Some(api) if !row.deeds.first().is_some_and(|deed| is_obvious(api, deed)) => {
                format!("{api}: {}", deeds.join("; "))
            }
            Some(_) | None => deeds.join("; "),
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
            Deed::Read { name, value, from } => format!("reads {name} = {value}, {}", source(from)),
            Deed::Write { name, value } => format!("writes {name} = {value}"),
            Deed::Delay { name, value } => format!("stores {name} = {value}, delayed"),
            Deed::Visible { name, value } => format!("store of {name} = {value} becomes visible"),
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
            Deed::EndOfLife(name) => format!("ends the lifetime of {name}"),
            Deed::Input { name, value } => format!("input {name} = {value}"),
            Deed::Output(text) => format!("prints {text:?}"),
            Deed::LeftOut { rows } => format!("… {rows} lines left out that concern no other thread"),
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

/// How wide everything is.
struct Table {
    /// What stands above the places.
    title: &'static str,
    step: usize,
    place: usize,
    /// Zero when there is no room for lines of the source.
    source: usize,
    side_by_side: bool,
    columns: Vec<ThreadId>,
    widths: Vec<usize>,
    cells: Vec<String>,
}

impl Table {
    fn new(story: &Story, file: Option<&str>, width: usize) -> Self {
        let rows = &story.rows;
        let title = if file.is_some() { LINE } else { "place" };
        let mut columns: Vec<ThreadId> = rows.iter().map(|row| row.thread).collect();
        columns.sort_unstable();
        columns.dedup();
        let cells: Vec<String> = rows.iter().map(|row| story.cell(row)).collect();
        let natural: Vec<usize> = columns
            .iter()
            .map(|&thread| {
                let mine = rows.iter().zip(&cells).filter(|(row, _)| row.thread == thread);
                let longest = mine.map(|(_, cell)| count(cell)).max().unwrap_or(0);
                longest.max(count(&story.thread_name(thread)))
            })
            .collect();
        let longest = |length: &dyn Fn(&Row) -> usize| rows.iter().map(length).max().unwrap_or(0);
        let mut table = Self {
            title,
            step: longest(&|row| row.step.to_string().len()).max(4),
            place: longest(&|row| count(place(row, file))).max(title.len()),
            source: 0,
            side_by_side: true,
            columns,
            widths: natural.clone(),
            cells,
        };
        let room = width.saturating_sub(table.left() + 2 * table.columns.len());
        let cap = widest(&natural, room);
        table.side_by_side = cap >= NARROWEST;
        for (width, natural) in table.widths.iter_mut().zip(&natural) {
            *width = cap.min(*natural);
        }
        // Lines of the source take what the columns leave, if that is enough to recognise them.
        let spare = room.saturating_sub(table.widths.iter().sum::<usize>() + 2);
        let wanted = longest(&|row| row.source.as_deref().map_or(0, count));
        if table.side_by_side && table.widths == natural && spare >= wanted.min(NARROWEST) {
            table.source = wanted.min(spare).min(WIDEST_SOURCE);
        }
        table
    }

    /// How a line begins. Numbers of lines stand to the right, other places to the left.
    fn head(&self, step: &str, place: &str) -> String {
        let (step_width, place_width) = (self.step, self.place);
        if self.title == LINE {
            format!("{step:>step_width$}  {place:>place_width$}")
        } else {
            format!("{step:>step_width$}  {place:place_width$}")
        }
    }

    /// What stands before the threads.
    fn left(&self) -> usize {
        self.step + 2 + self.place + if self.source > 0 { self.source + 2 } else { 0 }
    }
}

/// Whether the name of an API function says nothing that the deed does not.
fn is_obvious(api: &str, deed: &Deed) -> bool {
    let names: &[&str] = match deed {
        Deed::Lock(_) => &["pthread_mutex_lock", "pthread_spin_lock", "mtx_lock"],
        Deed::Unlock(_) => &["pthread_mutex_unlock", "pthread_spin_unlock", "mtx_unlock"],
        Deed::Start(_) => &["pthread_create", "thrd_create"],
        Deed::Join(_) => &["pthread_join", "thrd_join"],
        Deed::Read { .. }
        | Deed::Write { .. }
        | Deed::Delay { .. }
        | Deed::Visible { .. }
        | Deed::Update { .. }
        | Deed::Free
        | Deed::EndOfLife(_)
        | Deed::Input { .. }
        | Deed::Output(_)
        | Deed::LeftOut { .. } => &[],
    };
    names.contains(&api)
}

fn place<'r>(row: &'r Row, file: Option<&str>) -> &'r str {
    let place = row.place.as_deref().unwrap_or("");
    let line = file.and_then(|file| place.strip_prefix(file)).and_then(|rest| rest.strip_prefix(':'));
    line.unwrap_or(place)
}

fn count(text: &str) -> usize {
    text.chars().count()
}

/// A text of at most so many characters; what is missing at its end is hinted at.
fn cut(text: &str, width: usize) -> String {
    if count(text) <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain((width > 0).then_some('…')).collect()
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
