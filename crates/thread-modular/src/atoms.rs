//! By what states are partitioned: the values of flags, whether locks are free, and signs.
//!
//! A flag is a variable that is only given constants, or copies of flags. Which value it has often decides which constraints hold beside it, so
//! elements are kept apart by it. A lock word (it is given a thread's id plus one) counts by whether it is zero.

use std::collections::{BTreeMap, BTreeSet};

use raddle_flow::{Flow, LocationId, TemplateId, Variable, VariableId};
use raddle_logic::term::{Term, TermId};

use crate::linear::{constant, numeric};
use crate::rows::Row;
use crate::steps::{By, Step};

/// A flag with more values is none.
const MOST_VALUES: usize = 8;
/// More signs are not asked for.
const MOST_SIGNS: usize = 6;
/// More atoms are not used.
const MOST_ATOMS: usize = 14;

/// A question with few answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Atom {
    /// About which variable.
    pub variable: VariableId,
    /// Its owner, if it has one.
    pub owner: Option<TemplateId>,
    /// How it is asked.
    pub kind: AtomKind,
}

/// How it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AtomKind {
    /// Which of these values it has, ascending; the last answer is: none of them.
    Value(Vec<i128>),
    /// Whether it is below, at, or above a number.
    Sign(i128),
    /// Not of the variable but of a row of so many bits: the multiple of `2^bits` that it is next to. There the sum is zero by
    /// machine arithmetic (and so is the next one: Müller-Olm and Seidl 2007 have equalities modulo a power of two).
    Around {
        /// Which row.
        row: usize,
        /// Bits of all that it is a sum of.
        bits: u32,
        /// The least and the greatest multiple.
        between: (i128, i128),
    },
}

/// All questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Atoms {
    pub list: Vec<Atom>,
}

/// What the answers are in one state: one for each question that is about what a location has; the others have none.
pub(crate) type Key = Vec<Option<u8>>;

impl Atom {
    /// How many answers there are.
    pub(crate) fn answers(&self) -> u8 {
        match &self.kind {
            AtomKind::Value(values) => u8::try_from(values.len()).unwrap_or(u8::MAX - 1) + 1,
            AtomKind::Sign(_) => 3,
            AtomKind::Around { between: (low, high), .. } => u8::try_from(high - low + 1).unwrap_or(u8::MAX),
        }
    }
}

impl Atoms {
    /// Whether a question can be asked at a location.
    pub(crate) fn is_asked(&self, atom: usize, at: (TemplateId, LocationId), locals: &[VariableId]) -> bool {
        let atom = &self.list[atom];
        atom.owner.is_none_or(|owner| owner == at.0 && locals.contains(&atom.variable))
    }
}

/// What is written to a variable.
#[derive(Default)]
struct Writes {
    values: BTreeSet<i128>,
    copies: BTreeSet<VariableId>,
    identity: bool,
    others: bool,
}

/// The questions to ask; none if signs or wraps make no difference.
pub(crate) fn choose(flow: &Flow, steps: &[Step], rows: &[Row], by: By) -> Option<Atoms> {
    let writes = writes(flow, steps);
    let mut list = flags(flow, &writes);
    let locks = writes.iter().filter(|(_, writes)| writes.identity && !writes.others);
    let lock = |(&variable, _): (&VariableId, &Writes)| Atom {
        variable,
        owner: flow.variables[variable].owner,
        kind: AtomKind::Value(vec![0]),
    };
    list.extend(locks.map(lock));
    let mut atoms: Vec<Atom> = list;
    atoms.sort_by_key(|atom| (atom.owner.is_some(), atom.answers(), atom.variable));
    atoms.truncate(MOST_ATOMS);
    if by == By::Wraps {
        let more: Vec<Atom> =
            rows.iter().enumerate().filter_map(|(index, row)| around(flow, index, row)).collect();
        if more.is_empty() {
            return None;
        }
        atoms.extend(more);
    }
    if by == By::Signs {
        let known: BTreeSet<VariableId> = atoms.iter().map(|atom| atom.variable).collect();
        let more: Vec<Atom> = with_copied(signs_of(flow, steps), &writes)
            .into_iter()
            .filter(|(variable, _)| !known.contains(variable))
            .map(|(variable, number)| Atom {
                variable,
                owner: flow.variables[variable].owner,
                kind: AtomKind::Sign(number),
            })
            .take(MOST_SIGNS)
            .collect();
        if more.is_empty() {
            return None;
        }
        atoms.extend(more);
    }
    Some(Atoms { list: atoms })
}

/// Which multiple of a power of two a row is next to, if it is a sum of variables that count modulo that.
fn around(flow: &Flow, index: usize, row: &Row) -> Option<Atom> {
    let variables = || row.terms.iter().map(|(variable, _)| &flow.variables[*variable]);
    let bits = numeric(variables().next()?.sort).filter(|bits| (8..=64).contains(bits))?;
    let is_one = |variable: &Variable| !variable.signed && numeric(variable.sort) == Some(bits);
    let sum = |positive: bool| -> i128 {
        row.terms.iter().map(|(_, factor)| *factor).filter(|factor| (*factor > 0) == positive).sum()
    };
    // One that is its thread's own, if there is one.
    let (variable, _) = row.terms.iter().max_by_key(|(variable, _)| flow.variables[*variable].owner)?;
    variables().all(is_one).then(|| Atom {
        variable: *variable,
        owner: flow.variables[*variable].owner,
        kind: AtomKind::Around { row: index, bits, between: (sum(false), sum(true)) },
    })
}

/// What is written to each variable that is a number.
#[expect(clippy::wildcard_enum_match_arm, reason = "whatever else there is is treated alike")]
fn writes(flow: &Flow, steps: &[Step]) -> BTreeMap<VariableId, Writes> {
    let by_symbol: BTreeMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let identities: BTreeSet<TermId> =
        flow.templates.values().map(|template| flow.variables[template.identity].now).collect();
    let mut all: BTreeMap<VariableId, Writes> = BTreeMap::new();
    let mut write = |variable: VariableId, value: TermId| {
        let Some(width) = numeric(flow.variables[variable].sort) else { return };
        let entry = all.entry(variable).or_default();
        match flow.terms[value] {
            Term::Bool(value) => _ = entry.values.insert(value.into()),
            Term::Bits { value, .. } => {
                entry.values.insert(constant(value, width, flow.variables[variable].signed));
            }
            _ if by_symbol.contains_key(&value) => _ = entry.copies.insert(by_symbol[&value]),
            Term::Add(a, b) if identities.contains(&a) || identities.contains(&b) => {
                entry.identity = true;
            }
            _ => entry.others = true,
        }
    };
    for &(variable, value) in &flow.initial {
        write(variable, value);
    }
    for step in steps {
        let spawned = step.spawn.iter().flat_map(|(_, _, values)| values);
        step.updates.iter().chain(spawned).for_each(|&(variable, value)| write(variable, value));
    }
    all
}

/// Variables with few values.
fn flags(flow: &Flow, writes: &BTreeMap<VariableId, Writes>) -> Vec<Atom> {
    let mut values: BTreeMap<VariableId, BTreeSet<i128>> = writes
        .iter()
        .filter(|(_, writes)| !writes.others && !writes.identity)
        .map(|(&variable, writes)| (variable, writes.values.clone()))
        .collect();
    // What is a copy of something that is no flag is none; values go along copies.
    loop {
        let mut next = values.clone();
        for (&variable, own) in &values {
            for copied in &writes[&variable].copies {
                match values.get(copied) {
                    Some(its) => next.get_mut(&variable).into_iter().for_each(|own| own.extend(its)),
                    None => _ = next.remove(&variable),
                }
            }
            if own.len() > MOST_VALUES {
                next.remove(&variable);
            }
        }
        if next == values {
            break;
        }
        values = next;
    }
    values
        .into_iter()
        .filter(|(_, values)| values.len() > 1)
        .map(|(variable, values)| Atom {
            variable,
            owner: flow.variables[variable].owner,
            kind: AtomKind::Value(values.into_iter().collect()),
        })
        .collect()
}

/// Variables that are compared with numbers for being different.
fn signs_of(flow: &Flow, steps: &[Step]) -> BTreeSet<(VariableId, i128)> {
    let by_symbol: BTreeMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let mut all = BTreeSet::new();
    for guard in steps.iter().flat_map(|step| step.guards.iter()) {
        let Term::Not(atom) = flow.terms[*guard] else { continue };
        let Term::Eq(a, b) = flow.terms[atom] else { continue };
        for (variable, number) in [(a, b), (b, a)] {
            let (Some(&variable), Term::Bits { value, width }) =
                (by_symbol.get(&variable), flow.terms[number])
            else {
                continue;
            };
            all.insert((variable, constant(value, width, flow.variables[variable].signed)));
        }
    }
    all
}

/// The same for variables that are copied to these.
fn with_copied(
    mut signs: BTreeSet<(VariableId, i128)>,
    writes: &BTreeMap<VariableId, Writes>,
) -> BTreeSet<(VariableId, i128)> {
    loop {
        let copied = signs.iter().flat_map(|&(variable, number)| {
            let copies = writes.get(&variable).into_iter().flat_map(|writes| writes.copies.iter());
            copies.map(move |&copied| (copied, number))
        });
        let more: Vec<(VariableId, i128)> = copied.filter(|sign| !signs.contains(sign)).collect();
        if more.is_empty() {
            return signs;
        }
        signs.extend(more);
    }
}
