//! What several cases have in common, as sentences.

use std::collections::{BTreeMap, BTreeSet};

use super::Line;
use super::cases::{Case, Range, Sum};
use super::names::Names;
use crate::certificate::Place;

/// A variable with more values is no condition.
const MOST_VALUES: usize = 4;
/// So many threads at a place are worth a sentence.
const FEW_THREADS: i128 = 4;
/// With more quantities, differences of two are not told.
const MOST_RELATED: usize = 24;
/// Longer sums say little to people.
const LONGEST_SUM: usize = 5;

/// A cell that is not zero if and only if a thread is counted.
pub(super) struct Lock {
    pub(super) cell: usize,
    pub(super) counter: usize,
}

/// Makes sentences.
pub(super) struct Teller<'t> {
    pub(super) names: &'t Names<'t>,
    pub(super) locks: &'t [Lock],
}

impl Teller<'_> {
    /// What holds in all of these cases. Locations are told of if these are not all there are.
    pub(super) fn facts(&self, cases: &[&Case], locations: Option<&BTreeSet<usize>>) -> Vec<String> {
        if cases.is_empty() {
            return vec!["no thread ever gets here".to_owned()];
        }
        let mut facts = self.holders(cases, locations);
        facts.extend(self.common(cases, locations.is_none()));
        facts.extend(self.conditional(cases, &facts));
        facts
    }

    fn lock(&self, number: usize) -> Option<&Lock> {
        self.locks.iter().find(|lock| lock.cell == number)
    }

    /// Who holds which lock while a thread is at some locations.
    fn holders(&self, cases: &[&Case], locations: Option<&BTreeSet<usize>>) -> Vec<String> {
        let Some(locations) = locations else { return Vec::new() };
        let told = |lock: &Lock| {
            let members = self.names.members(lock.counter);
            let counted = |location: &usize| members.contains(&Place::At(*location));
            let name = self.names.name(lock.cell);
            let all = |test: &dyn Fn(&Case) -> bool| cases.iter().all(|case| test(case));
            if locations.iter().all(counted) {
                Some(format!("{name} is held by this thread"))
            } else if locations.iter().any(counted) {
                None
            } else if all(&|case| case.excludes(lock.cell, 0)) {
                Some(format!("{name} is held by another thread"))
            } else if all(&|case| case.value(lock.cell) == Some(0)) {
                Some(format!("{name} is free"))
            } else {
                None
            }
        };
        self.locks.iter().filter_map(told).collect()
    }

    /// Ranges, relations of two, sums.
    fn common(&self, cases: &[&Case], with_counters: bool) -> Vec<String> {
        let hull = hull(cases);
        let is_told = |&number: &usize| {
            self.lock(number).is_none() && self.locks.iter().all(|lock| lock.counter != number)
        };
        let known: Vec<usize> = hull.quantities().filter(is_told).collect();
        let (counters, variables): (Vec<usize>, Vec<usize>) =
            known.iter().partition(|&&number| self.names.is_counter(number));
        let mut facts: Vec<String> =
            variables.iter().flat_map(|&number| self.values(number, &hull, cases)).collect();
        if variables.len() <= MOST_RELATED {
            facts.extend(self.relations(&variables, &hull, cases));
        }
        if with_counters {
            for &variable in &variables {
                let equal = counters.iter().find_map(|&counter| {
                    let most = most(cases, variable, counter)?;
                    (most == -self::most(cases, counter, variable)?).then_some((counter, most))
                });
                if let Some((counter, more)) = equal.filter(|_| hull.value(variable).is_none()) {
                    facts.push(format!("{} == {}", self.names.name(variable), self.plus(counter, more)));
                }
            }
        }
        facts.extend(self.sums(&hull, cases, with_counters));
        facts
    }

    /// The values of a variable, if its type does not say so.
    fn values(&self, number: usize, hull: &Case, cases: &[&Case]) -> Vec<String> {
        let name = self.names.name(number);
        let (low, high) = hull.range(number);
        let of_type = self.names.of_type(number);
        let values: Option<BTreeSet<i128>> = cases.iter().map(|case| case.value(number)).collect();
        if let Some(values) = values.filter(|values| (2..=3).contains(&values.len())) {
            let list: Vec<String> = values.iter().map(ToString::to_string).collect();
            return vec![format!("{name} is {}", list.join(" or "))];
        }
        let mut facts = Vec::new();
        match (low.filter(|_| low > of_type.0), high.filter(|_| high != of_type.1)) {
            (Some(low), Some(high)) if low == high => facts.push(format!("{name} == {low}")),
            (Some(low), Some(high)) => facts.push(format!("{low} <= {name} <= {high}")),
            (Some(low), None) => facts.push(format!("{name} >= {low}")),
            (None, Some(high)) => facts.push(format!("{name} <= {high}")),
            (None, None) => {}
        }
        let is_inside = low.is_none_or(|low| low < 0) && high.is_none_or(|high| high > 0);
        if is_inside && cases.iter().all(|case| case.excludes(number, 0)) {
            facts.push(format!("{name} != 0"));
        }
        facts
    }

    /// How variables compare, where their ranges do not say so.
    fn relations(&self, variables: &[usize], hull: &Case, cases: &[&Case]) -> Vec<String> {
        let mut found: BTreeMap<(usize, usize), i128> = BTreeMap::new();
        for &first in variables {
            for &second in variables.iter().filter(|&&second| second != first) {
                let Some(most) = most(cases, first, second) else { continue };
                // Of what has few values conditions tell more.
                let is_equal = || self::most(cases, second, first) == Some(-most);
                let has_few = |number: usize| cases.iter().all(|case| case.value(number).is_some());
                if (has_few(first) || has_few(second)) && !is_equal() {
                    continue;
                }
                if hull.difference(first, second).is_none_or(|by_range| most < by_range) {
                    found.insert((first, second), most);
                }
            }
        }
        // What follows from two others goes; going through them one by one, what is left always says the same.
        for pair @ (first, second) in found.keys().copied().collect::<Vec<_>>() {
            let follows = variables.iter().any(|&middle| {
                let left = found.get(&(first, middle));
                let right = found.get(&(middle, second));
                left.zip(right).is_some_and(|(left, right)| left.saturating_add(*right) <= found[&pair])
            });
            if follows {
                found.remove(&pair);
            }
        }
        let mut facts = Vec::new();
        for (&(first, second), &most) in &found {
            let opposite = found.get(&(second, first));
            let (left, right) = (self.names.name(first), self.names.name(second));
            if opposite == Some(&-most) {
                if first < second {
                    facts.push(format!("{left} == {}", self.plus(second, most)));
                }
                continue;
            }
            facts.push(match most {
                0 => format!("{left} <= {right}"),
                -1 => format!("{left} < {right}"),
                1.. => format!("{left} <= {right} + {most}"),
                _ => format!("{left} + {} <= {right}", -most),
            });
        }
        facts
    }

    /// A quantity with something added; how many threads are counted stands in brackets.
    fn plus(&self, number: usize, more: i128) -> String {
        let name = self.term(number);
        match more {
            0 => name,
            1.. => format!("{name} + {more}"),
            _ => format!("{name} - {}", more.unsigned_abs()),
        }
    }

    fn term(&self, number: usize) -> String {
        let name = self.names.name(number);
        if self.names.is_counter(number) { format!("[{name}]") } else { name.to_owned() }
    }

    /// Sums of several quantities.
    fn sums(&self, hull: &Case, cases: &[&Case], with_counters: bool) -> Vec<String> {
        let mut found: BTreeSet<&Sum> = BTreeSet::new();
        for sum in cases.iter().flat_map(|case| case.sums()) {
            let counts = sum.terms.iter().any(|&(number, _)| self.names.is_counter(number));
            let only_counts = sum.terms.iter().all(|&(number, _)| self.names.is_counter(number));
            let is_told = if counts { with_counters && sum.is_equal && !only_counts } else { true };
            if is_told
                && sum.terms.len() <= LONGEST_SUM
                && !hull.implies(sum)
                && cases.iter().all(|case| case.implies(sum))
            {
                found.insert(sum);
            }
        }
        found.into_iter().map(|sum| self.sum(sum)).collect()
    }

    /// With the first variable alone on the left where it can be, else without minus signs.
    fn sum(&self, sum: &Sum) -> String {
        let sign = if sum.is_equal { "==" } else { "<=" };
        let alone = |&(number, factor): &(usize, i128)| {
            !self.names.is_counter(number) && (factor == 1 || sum.is_equal && factor == -1)
        };
        if let Some(&(variable, factor)) = sum.terms.iter().find(|term| alone(term)) {
            let others = sum.terms.iter().filter(|&&(number, _)| number != variable);
            let others = others.map(|&(number, other)| (number, -other * factor)).collect::<Vec<_>>();
            let right = self.listed(&others, -sum.constant * factor);
            return format!("{} {sign} {right}", self.names.name(variable));
        }
        let side = |positive: bool| {
            let terms = sum.terms.iter().filter(|&&(_, factor)| (factor > 0) == positive);
            let terms = terms.map(|&(number, factor)| (number, factor.abs())).collect::<Vec<_>>();
            let constant = if (sum.constant > 0) == positive { sum.constant.abs() } else { 0 };
            self.listed(&terms, constant)
        };
        format!("{} {sign} {}", side(true), side(false))
    }

    fn listed(&self, terms: &[(usize, i128)], constant: i128) -> String {
        let mut text = String::new();
        let mut ordered: Vec<&(usize, i128)> = terms.iter().collect();
        ordered.sort_by_key(|(_, factor)| *factor < 0);
        for &&(number, factor) in &ordered {
            let times = match factor.unsigned_abs() {
                1 => String::new(),
                many => format!("{many} * "),
            };
            let sign = match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text.push_str(&format!("{sign}{times}{}", self.term(number)));
        }
        match constant {
            0 if text.is_empty() => "0".to_owned(),
            0 => text,
            _ if text.is_empty() => constant.to_string(),
            1.. => format!("{text} + {constant}"),
            _ => format!("{text} - {}", constant.unsigned_abs()),
        }
    }

    /// What holds where a variable has one of its few values, beside what holds anyway.
    fn conditional(&self, cases: &[&Case], said: &[String]) -> Vec<String> {
        let hull = hull(cases);
        // Each fact is told under the weakest condition.
        let mut best: BTreeMap<String, (usize, usize, String)> = BTreeMap::new();
        let mut order = 0;
        for key in hull.quantities().filter(|&number| !self.names.is_counter(number)) {
            for (words, group) in self.groups(key, cases) {
                order += 1;
                for fact in self.common(&group, false) {
                    if said.contains(&fact) {
                        continue;
                    }
                    let weaker = best.get(&fact).is_none_or(|(count, ..)| group.len() > *count);
                    if weaker && !speaks_of(&fact, self.names.name(key)) {
                        best.insert(fact, (group.len(), order, words.clone()));
                    }
                }
            }
        }
        let mut told: BTreeMap<(usize, &str), Vec<&str>> = BTreeMap::new();
        for (fact, (_, order, words)) in &best {
            told.entry((*order, words)).or_default().push(fact);
        }
        told.into_iter().map(|((_, words), facts)| format!("{words}: {}", facts.join(", "))).collect()
    }

    /// The cases by the value of a variable, with words for each; none if it has not few values.
    fn groups<'c>(&self, key: usize, cases: &[&'c Case]) -> Vec<(String, Vec<&'c Case>)> {
        let name = self.names.name(key);
        let is_lock = self.lock(key).is_some();
        let mut groups: BTreeMap<i128, Vec<&'c Case>> = BTreeMap::new();
        for &case in cases {
            let value = match case.value(key) {
                Some(value) if !is_lock => value,
                Some(0) => 0,
                _ if is_lock && case.excludes(key, 0) => 1,
                _ => return Vec::new(),
            };
            groups.entry(value).or_default().push(case);
        }
        if !(2..=MOST_VALUES).contains(&groups.len()) {
            return Vec::new();
        }
        let words = |value: i128| match (is_lock, value) {
            (true, 0) => format!("while {name} is free"),
            (true, _) => format!("while {name} is held"),
            (false, _) => format!("if {name} == {value}"),
        };
        groups.into_iter().map(|(value, group)| (words(value), group)).collect()
    }

    /// Where few threads can be at the same time.
    pub(super) fn exclusion(&self, all: &[&Case], lines: &BTreeMap<Line, BTreeSet<usize>>) -> Vec<String> {
        let hull = hull(all);
        let mut facts = Vec::new();
        let mut found: Vec<(i128, BTreeSet<&Line>)> = Vec::new();
        for counter in self.names.counters() {
            let Some(most) = hull.range(counter).1.filter(|most| (0..=FEW_THREADS).contains(most)) else {
                continue;
            };
            if let Some(lock) = self.locks.iter().find(|lock| lock.counter == counter) {
                facts.push(format!("threads that hold {}: at most {most}", self.names.name(lock.cell)));
            }
            let members = self.names.members(counter);
            let is_member = |location: &usize| members.contains(&Place::At(*location));
            let whole = lines.iter().filter(|(_, locations)| locations.iter().all(is_member));
            let whole: BTreeSet<&Line> = whole.map(|(line, _)| line).collect();
            if !whole.is_empty() {
                found.push((most, whole));
            }
        }
        for (index, (most, here)) in found.iter().enumerate() {
            let is_said = found.iter().enumerate().any(|(other, (fewer, there))| {
                other != index && fewer <= most && here.is_subset(there) && (here != there || other < index)
            });
            if !is_said {
                let threads = if *most == 1 { "one thread".to_owned() } else { format!("{most} threads") };
                facts.push(format!("at most {threads} at {}", spans_of_lines(here, lines)));
            }
        }
        facts
    }
}

/// Whether a sentence speaks of a variable.
fn speaks_of(fact: &str, name: &str) -> bool {
    fact.split(' ').any(|word| word == name)
}

/// Lines, those in a row together. Between them are only lines where no thread ever is between two steps.
fn spans_of_lines(here: &BTreeSet<&Line>, lines: &BTreeMap<Line, BTreeSet<usize>>) -> String {
    let mut runs: Vec<(&Line, &Line)> = Vec::new();
    let mut is_open = false;
    for line in lines.keys() {
        let is_here = here.contains(line);
        match runs.last_mut().filter(|(_, last)| is_here && is_open && last.0 == line.0) {
            Some((_, last)) => *last = line,
            None if is_here => runs.push((line, line)),
            None => {}
        }
        is_open = is_here;
    }
    let several_files = runs.iter().any(|(first, _)| first.0 != runs[0].0.0);
    let words = |(first, last): &(&Line, &Line)| {
        let file = if several_files { format!("{}:", first.0) } else { String::new() };
        if first == last { format!("{file}{}", first.1) } else { format!("{file}{}-{}", first.1, last.1) }
    };
    let plural = if matches!(runs.as_slice(), [(first, last)] if first == last) { "line" } else { "lines" };
    format!("{plural} {}", runs.iter().map(words).collect::<Vec<_>>().join(", "))
}

/// By how much the first exceeds the second at most, in all cases.
fn most(cases: &[&Case], first: usize, second: usize) -> Option<i128> {
    let all: Option<Vec<i128>> = cases.iter().map(|case| case.difference(first, second)).collect();
    all?.into_iter().max()
}

/// What is known in all cases: ranges.
fn hull(cases: &[&Case]) -> Case {
    let mut ranges: BTreeMap<usize, Range> = BTreeMap::new();
    let Some((first, others)) = cases.split_first() else { return Case::default() };
    for number in first.quantities() {
        if others.iter().any(|case| case.quantities().all(|other| other != number)) {
            continue;
        }
        let lows: Option<Vec<i128>> = cases.iter().map(|case| case.range(number).0).collect();
        let highs: Option<Vec<i128>> = cases.iter().map(|case| case.range(number).1).collect();
        let low = lows.and_then(|lows| lows.into_iter().min());
        let high = highs.and_then(|highs| highs.into_iter().max());
        ranges.insert(number, (low, high));
    }
    Case::new(ranges)
}
