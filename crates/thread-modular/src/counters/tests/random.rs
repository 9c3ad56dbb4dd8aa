//! Random flows: contributions against executions.

use super::super::*;
use crate::test_flow::TestFlow;
use raddle_base::SplitMix;

#[test]
fn the_answer_is_the_same_each_time() {
    let mut random = SplitMix::new(4);
    for _ in 0..50 {
        let flow = random_flow(&mut random);
        assert_eq!(derive(&flow, Level::All), derive(&flow, Level::All));
    }
}

/// Threads that add constants on random edges and start each other.
fn random_flow(random: &mut SplitMix) -> Flow {
    let mut test = TestFlow::new();
    let templates = [test.single(5), test.many(5), test.many(5)];
    let variable = test.shared("x", 0);
    for (position, &template) in templates.iter().enumerate() {
        // The last location, where threads have ended, is not used: its edges may be left out.
        for _ in 0..2 + random.below(4) {
            let step = test.step(template, random.below(4), random.below(4));
            let step = match random.below(4) {
                0 => step.add(variable, 1),
                1 => step.add(variable, -1),
                _ => step,
            };
            if random.once_in(3) {
                step.spawn(templates[1 + random.below(2)]);
            }
        }
        if position == 0 {
            test.step(template, 0, random.below(4)).spawn(templates[1]);
        }
    }
    test.finish()
}

fn added(change: writes::Change) -> i128 {
    match change {
        writes::Change::By(number) => number,
        writes::Change::To(_) | writes::Change::Any => panic!("random flows only add"),
    }
}

/// In random executions a variable with contributions is a constant plus their sum (or a multiple is).
#[test]
fn the_sum_of_contributions_follows_the_variable() {
    let mut random = SplitMix::new(8);
    let mut solved = 0;
    for _ in 0..3_000 {
        let flow = random_flow(&mut random);
        let program = Program::new(&flow);
        let writes = writes::writes(&program);
        let Some(found) =
            writes.values().next().and_then(|writes| contributions::contributions(&program, writes))
        else {
            continue;
        };
        if found.is_empty() {
            continue;
        }
        solved += 1;
        let main = flow.templates.ids().next().unwrap();
        let alone = shape::alone(&program, main);
        let changes = &writes.values().next().unwrap().changes;
        let of = |template, location| found.get(&(template, location)).copied().unwrap_or(0);
        let mut threads = vec![(main, flow.templates[main].entry)];
        let mut factor = None;
        for _ in 0..60 {
            let index = random.below(threads.len());
            let (template, from) = threads[index];
            let edges = &program.templates[template].edges;
            let leaving: Vec<usize> = (0..edges.len()).filter(|&edge| edges[edge].from == from).collect();
            if leaving.is_empty() {
                continue;
            }
            let taken = leaving[random.below(leaving.len())];
            let edge = &edges[taken];
            threads[index].1 = edge.to;
            let mut moved = of(template, edge.to) - of(template, from);
            if let Some(spawn) = &edge.spawn {
                let child = (spawn.template, flow.templates[spawn.template].entry);
                threads.push(child);
                moved += of(child.0, child.1);
            } else if template == main && alone.contains(&from) {
                continue;
            }
            let change = changes.get(&(template, taken)).map_or(0, |change| added(*change));
            if change != 0 && moved != 0 && factor.is_none() {
                factor = Some(moved / change);
            }
            assert_eq!(moved, change * factor.unwrap_or(1), "{flow:?} {found:?}");
        }
    }
    assert!(solved > 100, "{solved}");
}
