//! Who writes where (interference: Miné 2011).

use std::collections::BTreeSet;

use raddle_base::Id;

use super::{Hypothesis, Seen};
use crate::execution_graph::events::{self, EventId, InstanceId, Space, StepId, Unrolling};
use crate::po_bmc::symbolic::{Interference, Location, Report, World, Writers, WrittenRegion, objects_of};

impl Hypothesis for Interference {
    fn covers(&self, seen: &mut Seen<'_, '_>) -> bool {
        self.writers.as_ref().is_none_or(|assumed| seen.writers.is_covered_by(assumed, seen.world))
    }

    fn weaken(&mut self, seen: &mut Seen<'_, '_>) {
        if let Some(assumed) = &mut self.writers {
            assumed.add(&seen.writers);
        }
    }

    fn infer(&mut self, seen: &mut Seen<'_, '_>) -> bool {
        let helps = helps(&seen.writers, self.writers.as_ref(), seen.unrolling, seen.report, seen.world);
        if helps {
            let mut found = std::mem::take(&mut seen.writers);
            found.keep_reads_of(self.writers.as_ref());
            self.writers = Some(found);
        }
        helps
    }
}

/// Whether some read of an execution could be folded that could not with what was known before.
fn helps(
    found: &Writers,
    before: Option<&Writers>,
    out: &Unrolling,
    report: &Report,
    world: &World<'_>,
) -> bool {
    let quiet = |writers: &Writers, name: InstanceId, place: Location| {
        writers.disturbed.get(&name).is_some_and(|disturbed| !disturbed.meets(place, world))
    };
    report.reads.iter().any(|&(_, event)| {
        let Some(place) = place_of_read(out, event) else { return false };
        let name = report.names[out.steps[out.events[event].step].thread.index()];
        quiet(found, name, place) && !before.is_some_and(|before| quiet(before, name, place))
    })
}

fn place_of_read(out: &Unrolling, event: EventId) -> Option<Location> {
    let events::Location { address, size, .. } =
        out.events[event].kind.read().filter(|read| read.space == Space::Data)?;
    out.terms.as_bits(address).map(|address| (address, size))
}

/// Finds out who writes where.
pub(super) fn writers(out: &mut Unrolling, report: &Report, world: &World<'_>) -> Writers {
    let mut writes: Vec<Vec<(StepId, WrittenRegion)>> = vec![Vec::new(); out.threads.len()];
    let mut read = BTreeSet::new();
    for event in out.events.ids().collect::<Vec<_>>() {
        let step = out.events[event].step;
        if let Some(place) = place_of_read(out, event) {
            read.insert(place);
        } else if let Some(events::Location { space: Space::Data, address, size }) =
            out.events[event].kind.written()
            && out.terms.as_bool(out.events[event].guard) != Some(false)
        {
            let mut target = WrittenRegion::default();
            match out.terms.as_bits(address) {
                Some(address) => _ = target.places.insert((address, size)),
                None => match objects_of(&mut out.terms, world, address) {
                    Some(objects) => target.objects = objects,
                    None => target = WrittenRegion::everywhere(),
                },
            }
            writes[out.steps[step].thread.index()].push((step, target));
        }
    }
    let forks: Vec<Option<StepId>> =
        out.threads.values().map(|thread| thread.fork.map(|fork| out.events[fork].step)).collect();
    let parent = |thread: usize| forks[thread].map(|fork| out.steps[fork].thread.index());
    // A thread comes after the one that starts it.
    let mut written: Vec<WrittenRegion> = writes
        .iter()
        .map(|writes| {
            let mut all = WrittenRegion::default();
            writes.iter().for_each(|(_, target)| all.add(target));
            all
        })
        .collect();
    let own = written.clone();
    for thread in (1..written.len()).rev() {
        if let Some(parent) = parent(thread) {
            let places = written[thread].clone();
            written[parent].add(&places);
        }
    }
    let ancestors = |thread: usize| {
        let mut chain = Vec::new();
        let mut at = thread;
        while let (Some(fork), Some(parent)) = (forks[at], parent(at)) {
            chain.push((parent, fork));
            at = parent;
        }
        chain
    };
    let chains: Vec<Vec<(usize, StepId)>> = (0..own.len()).map(ancestors).collect();
    let mut found = Writers { read, ..Writers::default() };
    for thread in 0..own.len() {
        let mut disturbed = WrittenRegion::default();
        for other in 0..own.len() {
            if other == thread || chains[other].iter().any(|(ancestor, _)| *ancestor == thread) {
                continue;
            }
            match chains[thread].iter().find(|(ancestor, _)| *ancestor == other) {
                // What it wrote before it started this one, or one that did, is done.
                Some((_, fork)) => {
                    let later = writes[other].iter().filter(|(step, _)| step >= fork);
                    later.for_each(|(_, target)| disturbed.add(target));
                }
                None => disturbed.add(&own[other]),
            }
        }
        let name = report.names[thread];
        found.disturbed.entry(name).or_default().add(&disturbed);
        found.written.entry(name).or_default().add(&written[thread]);
    }
    found
}
