//! What the steps of threads do to shared variables: which ones change them by a constant.

use std::collections::{BTreeMap, BTreeSet};

use raddle_flow::{Storage, TemplateId, VariableId};
use raddle_logic::term::Sort;

use super::program::Program;
use super::values::{Value, View, is_identity, wrapped};

/// An edge of a template, by its position there.
pub(super) type EdgeKey = (TemplateId, usize);

/// A write of a shared variable.
#[derive(Clone, Copy, Debug)]
struct Write {
    old: Option<Value>,
    new: Option<Value>,
    /// Whether it is made only where the variable is not zero.
    is_set: bool,
}

/// What an edge does to a shared variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It adds a number.
    By(i128),
    /// It gives it a number, whatever it was before.
    To(i128),
    /// It gives it some value.
    Any,
}

/// The writes of one shared variable.
#[derive(Debug, Default)]
pub(super) struct Writes {
    /// How edges change it. Those that are not here leave it alone.
    pub(super) changes: BTreeMap<EdgeKey, Change>,
    /// The same for a flag that may be a lock made by hand, as if who clears it had set it; none if it is no such flag.
    pub(super) as_lock: Option<BTreeMap<EdgeKey, Change>>,
    /// Whether it is a lock's word: zero, or one more than the id of the holder. It changes as if all ids were zero.
    pub(super) is_lock: bool,
}

/// The writes of all shared variables that hold bits, by edges that can be reached.
pub(super) fn writes(program: &Program<'_>) -> BTreeMap<VariableId, Writes> {
    let mut found: BTreeMap<VariableId, BTreeMap<EdgeKey, Write>> = BTreeMap::new();
    for (template, entry) in program.templates.iter() {
        for (index, edge) in entry.edges.iter().enumerate() {
            let Some(before) = &program.beliefs[template][edge.from] else {
                continue;
            };
            let view = View::new(program.flow, &program.symbols, before, &edge.guards);
            for &(variable, term) in
                edge.updates.iter().filter(|(variable, _)| is_followed(program, *variable))
            {
                let mut cleared = before.clone();
                cleared.insert(variable, Value::Number(0));
                let cleared = View::new(program.flow, &program.symbols, &cleared, &[]);
                let is_set = edge.guards.iter().any(|&guard| cleared.excludes(guard));
                let (old, new) = (view.beliefs.get(&variable).copied(), view.value(term));
                let write = Write { old, new, is_set };
                found.entry(variable).or_default().insert((template, index), write);
            }
        }
    }
    found.into_iter().map(|(variable, writes)| (variable, classified(program, variable, &writes))).collect()
}

/// Whether it is shared memory.
fn is_followed(program: &Program<'_>, variable: VariableId) -> bool {
    let variable = &program.flow.variables[variable];
    variable.owner.is_none()
        && match variable.storage {
            Storage::Cell { .. } | Storage::Elements { .. } => true,
            Storage::Register { .. } | Storage::Identity => false,
        }
}

/// By how much each write changes the variable.
fn classified(program: &Program<'_>, variable: VariableId, writes: &BTreeMap<EdgeKey, Write>) -> Writes {
    let is_id =
        |value: Option<Value>| matches!(value, Some(Value::Sum(base, 1)) if is_identity(program.flow, base));
    let is_of_lock = |value: Option<Value>| {
        is_id(value) || matches!(value, Some(Value::Number(0))) || value == Some(Value::Sum(variable, 0))
    };
    let is_lock =
        writes.values().any(|write| is_id(write.new)) && writes.values().all(|write| is_of_lock(write.new));
    let sort = program.flow.variables[variable].sort;
    let change = |write: &Write| {
        if is_lock {
            Change::By(change_of_lock(variable, *write))
        } else {
            change_of_number(variable, sort, *write)
        }
    };
    let changes = writes.iter().map(|(&edge, write)| (edge, change(write))).collect();
    let as_lock = if is_lock { None } else { as_lock(sort, writes) };
    Writes { changes, as_lock, is_lock }
}

/// The changes of a flag that is zero or one other number, if some are made without a look at it: who clears it has set it.
fn as_lock(sort: Sort, writes: &BTreeMap<EdgeKey, Write>) -> Option<BTreeMap<EdgeKey, Change>> {
    let number = |write: &Write| match write.new {
        Some(Value::Number(number)) => Some(wrapped(number, sort)),
        Some(Value::Sum(..)) | None => None,
    };
    let numbers: Option<BTreeSet<i128>> = writes.values().map(number).collect();
    let numbers = numbers?;
    let set = *numbers.iter().find(|number| **number != 0)?;
    if numbers.len() != 2 || !numbers.contains(&0) {
        return None;
    }
    let change = |write: &Write| {
        let new = number(write)?;
        let old = match write.old {
            Some(Value::Number(old)) => wrapped(old, sort),
            Some(Value::Sum(..)) | None if write.is_set || new == 0 => set,
            Some(Value::Sum(..)) | None => return None,
        };
        Some(Change::By(new.checked_sub(old)?))
    };
    writes.iter().map(|(&edge, write)| Some((edge, change(write)?))).collect()
}

/// The change of a lock's word as a number that is 1 while it is held. Who gives it back without a look at it has held it.
fn change_of_lock(variable: VariableId, write: Write) -> i128 {
    let is_held = |value: Option<Value>| match value {
        Some(Value::Number(0)) => Some(false),
        Some(Value::Number(_) | Value::Sum(..)) => Some(true),
        None => None,
    };
    if write.new == Some(Value::Sum(variable, 0)) {
        return 0;
    }
    let is_held_then = is_held(write.new) != Some(false);
    let was_held = is_held(write.old).unwrap_or(!is_held_then);
    i128::from(is_held_then) - i128::from(was_held)
}

/// The change of a number.
fn change_of_number(variable: VariableId, sort: Sort, write: Write) -> Change {
    match (write.old, write.new) {
        (_, Some(Value::Sum(base, added))) if base == variable => Change::By(added),
        (Some(Value::Number(old)), Some(Value::Number(new))) => {
            new.checked_sub(old).map_or(Change::Any, |change| Change::By(wrapped(change, sort)))
        }
        (_, Some(Value::Number(new))) => Change::To(new),
        (_, Some(Value::Sum(..)) | None) => Change::Any,
    }
}
