//! Which threads there may be beside the main thread, by where that one stands.
//!
//! Nobody but the main thread is there at first; others are there if a path of the main thread has started one of them, or one that may start them.
//! Direction of error: there may be fewer.

use std::collections::BTreeSet;

use super::explore::Explorer;
use super::state::{Edge, Target};

/// The templates of which a thread may have been started, of each location of the main thread; nothing is known of other locations.
pub(super) fn beside_main(
    explorer: &Explorer<'_>,
    edges: &[Vec<Edge>],
    entry: usize,
) -> Vec<BTreeSet<usize>> {
    let certificate = explorer.certificate;
    let mut beside: Vec<Option<BTreeSet<usize>>> = vec![None; edges.len()];
    beside[entry] = Some(BTreeSet::new());
    loop {
        let old = beside.clone();
        for (from, edges) in edges.iter().enumerate() {
            let Some(before) = beside[from].clone() else { continue };
            for edge in edges {
                let Target::At(to) = edge.to else { continue };
                let known = beside[to].get_or_insert_default();
                known.extend(&before);
                known.extend(edge.end.forks.iter().map(|fork| fork.starts));
                // Whoever is started may start others at once.
                while let Some(spawn) = (certificate.spawns.iter())
                    .find(|spawn| known.contains(&spawn.by) && !known.contains(&spawn.starts))
                {
                    known.insert(spawn.starts);
                }
            }
        }
        if beside == old {
            return beside.into_iter().map(Option::unwrap_or_default).collect();
        }
    }
}

/// The largest ids of the threads of templates that have one thread at most, where only threads of such templates can have been started before: all
/// threads are, or the main thread alone starts it.
pub(super) fn most_ids(explorer: &Explorer<'_>, edges: &[Vec<Edge>]) -> Vec<Option<u32>> {
    let certificate = explorer.certificate;
    let single = &explorer.facts.single;
    let count = |others: usize| u32::try_from(others).ok()?.checked_add(1);
    let mut most = vec![None; single.len()];
    for (template, most) in most.iter_mut().enumerate().skip(1).filter(|(template, _)| single[*template]) {
        let mut starts = certificate.spawns.iter().filter(|spawn| spawn.starts == template);
        let mut largest = Some(0);
        for (from, edge) in
            edges.iter().enumerate().flat_map(|(from, edges)| edges.iter().map(move |edge| (from, edge)))
        {
            if !edge.end.forks.iter().any(|fork| fork.starts == template) {
                continue;
            }
            let mut before = explorer.beside[from].clone();
            before.extend(edge.end.forks.iter().map(|fork| fork.starts));
            before.remove(&template);
            let is_known = before.iter().all(|other| single[*other]);
            largest = largest.max(count(before.len())).filter(|_| is_known && largest.is_some());
        }
        largest = largest.filter(|largest| *largest > 0);
        let by_main = starts.all(|spawn| spawn.by == 0);
        *most = largest.filter(|_| by_main);
        if most.is_none() && single.iter().all(|single| *single) {
            *most = count(single.len() - 2);
        }
    }
    most
}
