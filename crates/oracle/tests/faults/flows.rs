//! Faults in the automata of threads.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Id, SplitMix, on_large_stack};
use raddle_flow::{Edge, Flow, LocationKind, TemplateId, VariableId};
use raddle_logic::term::{Sort, Term, TermId};
use rustc_hash::FxHashMap;

use super::{budget, built, claimed, flow, is_accepted, programs};

/// Faults that are tried on each program, and how many of those that prove something suffice.
const TRIES: usize = 60;
const ENOUGH: usize = 8;

/// A kind of fault: changes a flow, and says in words what was changed; none if there is nothing to change.
type Kind = fn(&mut Flow, TemplateId, usize, &mut SplitMix) -> Option<(&'static str, String)>;

/// Makes a fault; says which.
fn make(flow: &mut Flow, random: &mut SplitMix) -> Option<(&'static str, String)> {
    let template = TemplateId::from_index(random.below(flow.templates.len()));
    let edges = flow.templates[template].edges.len();
    if edges == 0 {
        return None;
    }
    let edge = random.below(edges);
    let kinds: [Kind; 12] = [
        drop_edge,
        drop_failing,
        drop_spawn,
        drop_update,
        drop_update,
        skip_interference,
        skip_interference,
        add_guard,
        claim_single,
        take_one_branch,
        fuse,
        miscount,
    ];
    kinds[random.below(kinds.len())](flow, template, edge, random)
}

type Fault = Option<(&'static str, String)>;

fn drop_edge(flow: &mut Flow, template: TemplateId, edge: usize, _: &mut SplitMix) -> Fault {
    flow.templates[template].edges.remove(edge);
    Some(("a step is gone", format!("{template} {edge}")))
}

/// The check of an assertion is overlooked.
fn drop_failing(flow: &mut Flow, template: TemplateId, edge: usize, _: &mut SplitMix) -> Fault {
    let of = &mut flow.templates[template];
    let LocationKind::Failed(_) = of.locations[of.edges[edge].to].kind else { return None };
    of.edges.remove(edge);
    Some(("a check is overlooked", format!("{template} {edge}")))
}

fn drop_spawn(flow: &mut Flow, template: TemplateId, edge: usize, _: &mut SplitMix) -> Fault {
    flow.templates[template].edges[edge].spawn.take()?;
    Some(("a spawn is gone", format!("{template} {edge}")))
}

fn drop_update(flow: &mut Flow, template: TemplateId, edge: usize, random: &mut SplitMix) -> Fault {
    let updates = &mut flow.templates[template].edges[edge].updates;
    if updates.is_empty() {
        return None;
    }
    let (variable, _) = updates.remove(random.below(updates.len()));
    Some(("an update is gone", format!("{template} {edge} {variable}")))
}

/// All that a template does to a shared variable is overlooked.
fn skip_interference(flow: &mut Flow, template: TemplateId, _: usize, random: &mut SplitMix) -> Fault {
    let shared = shared(flow);
    let variable = *shared.get(random.below(shared.len().max(1)))?;
    let mut found = false;
    for edge in &mut flow.templates[template].edges {
        let before = edge.updates.len();
        edge.updates.retain(|(of, _)| *of != variable);
        found |= edge.updates.len() < before;
    }
    found.then(|| ("interference is skipped", format!("{template} {variable}")))
}

fn shared(flow: &Flow) -> Vec<VariableId> {
    flow.variables.iter().filter(|(_, variable)| variable.owner.is_none()).map(|(id, _)| id).collect()
}

/// A step needs more than it does: that a shared variable holds a small number.
fn add_guard(flow: &mut Flow, template: TemplateId, edge: usize, random: &mut SplitMix) -> Fault {
    let shared = shared(flow);
    let variable = *shared.get(random.below(shared.len().max(1)))?;
    let Sort::BitVec(width) = flow.variables[variable].sort else { return None };
    let number = random.below(2);
    let value = flow.terms.bits(number as u128, width);
    let guard = flow.terms.eq(flow.variables[variable].now, value);
    flow.templates[template].edges[edge].guards.push(guard);
    Some(("a guard too much", format!("{template} {edge} {variable} {number}")))
}

fn claim_single(flow: &mut Flow, template: TemplateId, _: usize, _: &mut SplitMix) -> Fault {
    let single = &mut flow.templates[template].is_single;
    (!std::mem::replace(single, true)).then(|| ("many threads are one", format!("{template}")))
}

/// A choice is taken for granted: a strong update for a weak one.
fn take_one_branch(flow: &mut Flow, template: TemplateId, edge: usize, random: &mut SplitMix) -> Fault {
    let updates = &mut flow.templates[template].edges[edge].updates;
    let able: Vec<usize> =
        (0..updates.len()).filter(|&at| matches!(flow.terms[updates[at].1], Term::Ite(..))).collect();
    let at = *able.get(random.below(able.len().max(1)))?;
    let Term::Ite(_, then, otherwise) = flow.terms[updates[at].1] else { return None };
    let first = random.once_in(2);
    updates[at].1 = if first { then } else { otherwise };
    Some(("a strong update for a weak one", format!("{template} {edge} {at} {first}")))
}

/// A step and the one behind it become one: nobody comes between.
fn fuse(flow: &mut Flow, template: TemplateId, edge: usize, _: &mut SplitMix) -> Fault {
    let first = flow.templates[template].edges[edge].clone();
    let next: Vec<Edge> =
        flow.templates[template].edges.iter().filter(|next| next.from == first.to).cloned().collect();
    let is_simple = |next: &Edge| {
        next.to != first.to && !(first.spawn.is_some() && next.spawn.is_some()) && next.joins.is_none()
    };
    if next.is_empty() || first.from == first.to || !next.iter().all(is_simple) {
        return None;
    }
    let mut made = Vec::new();
    for next in next {
        let map: FxHashMap<TermId, TermId> =
            first.updates.iter().map(|&(variable, value)| (flow.variables[variable].now, value)).collect();
        let guards = flow.terms.substitute(&next.guards, &map);
        let (variables, values): (Vec<VariableId>, Vec<TermId>) = next.updates.iter().copied().unzip();
        let values = flow.terms.substitute(&values, &map);
        let mut updates: BTreeMap<VariableId, TermId> = first.updates.iter().copied().collect();
        updates.extend(variables.into_iter().zip(values));
        let mut fused = first.clone();
        fused.to = next.to;
        fused.guards.extend(guards);
        fused.updates = updates.into_iter().collect();
        fused.inputs.extend(next.inputs);
        fused.accesses.extend(next.accesses);
        fused.path.extend(next.path);
        fused.spawn = fused.spawn.or(next.spawn);
        made.push(fused);
    }
    let edges = &mut flow.templates[template].edges;
    edges.remove(edge);
    edges.extend(made);
    Some(("two steps are one", format!("{template} {edge}")))
}

/// A number is changed by another one.
fn miscount(flow: &mut Flow, template: TemplateId, edge: usize, random: &mut SplitMix) -> Fault {
    let updates = &flow.templates[template].edges[edge].updates;
    let at = random.below(updates.len().max(1));
    let &(variable, value) = updates.get(at)?;
    let Sort::BitVec(width) = flow.variables[variable].sort else { return None };
    let number = 1 + random.below(2) as u128;
    let number =
        if random.once_in(2) { number } else { number.wrapping_neg() & (u128::MAX >> (128 - width)) };
    let by = flow.terms.bits(number, width);
    flow.templates[template].edges[edge].updates[at].1 = flow.terms.add(value, by);
    Some(("a number is changed by another one", format!("{template} {edge} {variable} {number}")))
}

#[test]
fn what_a_faulty_analyser_proves_is_rejected() {
    let (mut faults, mut of_programs) = (BTreeMap::<&str, usize>::new(), 0);
    on_large_stack(|| {
        for (number, ((name, _), built)) in programs::UNSAFE.iter().zip(built(programs::UNSAFE)).enumerate() {
            let mut random = SplitMix::new(number as u64);
            let mut seen = BTreeSet::new();
            for _ in 0..TRIES {
                let mut flow = flow(&built.program);
                let Some((kind, what)) = make(&mut flow, &mut random) else { continue };
                if seen.contains(&(kind, what.clone())) {
                    continue;
                }
                let Some(certificate) = claimed(&built.program, &mut flow, &budget()) else { continue };
                let verdict = is_accepted(&built.program, &certificate);
                assert!(verdict.is_err(), "{name}: {kind} ({what}), and the proof is accepted");
                *faults.entry(kind).or_default() += 1;
                seen.insert((kind, what));
                if seen.len() >= ENOUGH {
                    break;
                }
            }
            of_programs += usize::from(!seen.is_empty());
        }
    });
    let all: usize = faults.values().sum();
    println!("{all} faults of {of_programs} programs: {faults:?}");
    // Fewer would mean that this is no test any more.
    assert!(
        all >= 100 && of_programs >= 20 && faults.len() >= 8,
        "{all} faults, {of_programs} programs: {faults:?}"
    );
}
