//! Faults in certificates.

use std::collections::BTreeMap;

use raddle_base::{SplitMix, on_large_stack};
use raddle_oracle::invariants::{Runs, watch};
use raddle_proof::Certificate;
use raddle_proof::certificate::{Constraint, Relation};

use super::{ASKED, built, claimed, flow, is_accepted, patient, programs};

/// Faults in each certificate.
const FAULTS: usize = 24;

/// Makes a fault; says which.
fn break_one(certificate: &mut Certificate, random: &mut SplitMix) -> Option<&'static str> {
    let location = random.below(certificate.locations.len());
    let disjunct = random.below(certificate.locations[location].invariant.len().max(1));
    let conjunct = certificate.locations[location]
        .invariant
        .get(disjunct)
        .map_or(0, |conjuncts| random.below(conjuncts.len().max(1)));
    let kind = random.below(11);
    let constraint = |certificate: &mut Certificate, change: &dyn Fn(&mut Constraint) -> bool| {
        let found = certificate.locations[location].invariant.get_mut(disjunct)?.get_mut(conjunct)?;
        change(found).then_some(())
    };
    Some(match kind {
        0 => {
            let conjuncts = certificate.locations[location].invariant.get_mut(disjunct)?;
            (conjunct < conjuncts.len()).then(|| conjuncts.remove(conjunct))?;
            "a conjunct is gone"
        }
        1 => {
            let disjuncts = &mut certificate.locations[location].invariant;
            (disjunct < disjuncts.len()).then(|| disjuncts.remove(disjunct))?;
            "a case is gone"
        }
        2 => {
            constraint(certificate, &|found| {
                found.terms.first_mut().is_some_and(|term| {
                    term.0 += 1;
                    term.0 != 0
                })
            })?;
            "a factor is wrong"
        }
        3 | 4 => {
            let by = if kind == 3 { 1 } else { -1 };
            constraint(certificate, &|found| {
                found.constant += by;
                true
            })?;
            "a number is wrong"
        }
        5 => {
            constraint(certificate, &|found| {
                found.relation = match found.relation {
                    Relation::Equal => Relation::LessEqual,
                    Relation::LessEqual => Relation::Equal,
                    Relation::NotEqual => Relation::Equal,
                };
                true
            })?;
            "a comparison is wrong"
        }
        6 => {
            certificate.locations.remove(location);
            for counter in &mut certificate.counters {
                counter.members.clear();
            }
            "a location is gone"
        }
        7 => {
            let other = random.below(certificate.locations.len());
            let (one, two) = (
                certificate.locations[location].invariant.clone(),
                certificate.locations[other].invariant.clone(),
            );
            if one == two {
                return None;
            }
            certificate.locations[location].invariant = two;
            certificate.locations[other].invariant = one;
            "two invariants are exchanged"
        }
        8 => {
            let counter = random.below(certificate.counters.len().max(1));
            let members = &mut certificate.counters.get_mut(counter)?.members;
            let member = random.below(members.len().max(1));
            (member < members.len()).then(|| members.remove(member))?;
            "a counter does not count all"
        }
        9 => {
            let spawn = random.below(certificate.spawns.len().max(1));
            (spawn < certificate.spawns.len()).then(|| certificate.spawns.remove(spawn))?;
            "a spawn is gone"
        }
        _ => {
            certificate.locations[location].constants.pop()?;
            "a known value is gone"
        }
    })
}

#[test]
fn broken_certificates_are_rejected_or_true() {
    let (mut rejected, mut accepted) = (BTreeMap::<&str, usize>::new(), BTreeMap::<&str, usize>::new());
    let mut looked = 0;
    on_large_stack(|| {
        for (number, ((name, _), built)) in programs::SAFE.iter().zip(built(programs::SAFE)).enumerate() {
            let right = claimed(&built.program, &mut flow(&built.program), &patient()).expect(name);
            let mut random = SplitMix::new(number as u64);
            for _ in 0..FAULTS {
                let mut broken = right.clone();
                let Some(kind) = break_one(&mut broken, &mut random) else { continue };
                if broken == right {
                    continue;
                }
                if is_accepted(&built.program, &broken).is_err() {
                    *rejected.entry(kind).or_default() += 1;
                    continue;
                }
                // It may be right all the same: a weaker invariant, or another one. Then runs keep it.
                *accepted.entry(kind).or_default() += 1;
                let seen = watch(&built.program, &broken, &ASKED, Runs { count: 20, steps: 200, seed: 1 });
                assert_eq!(seen.broken, None, "{name}: {kind}, and the certificate is accepted");
                looked += seen.invariants;
            }
        }
    });
    println!("rejected: {rejected:?}, accepted: {accepted:?}, {looked} invariants of these looked at");
    let (all, kinds) = (rejected.values().sum::<usize>(), rejected.len());
    assert!(all >= 60 && kinds >= 9, "{all} rejected: {rejected:?}");
    // What is gone was needed, or was not; these can never be right.
    assert_eq!(accepted.get("a location is gone"), None);
    assert_eq!(accepted.get("a spawn is gone"), None);
}

#[test]
fn invariants_hold_on_random_runs() {
    let mut looked = 0;
    on_large_stack(|| {
        for ((name, _), built) in programs::SAFE.iter().zip(built(programs::SAFE)) {
            let certificate = claimed(&built.program, &mut flow(&built.program), &patient()).expect(name);
            let seen = watch(&built.program, &certificate, &ASKED, Runs { count: 40, steps: 200, seed: 7 });
            assert_eq!(seen.broken, None, "{name}");
            assert!(seen.states > 20, "{name}: {seen:?}");
            looked += seen.constraints.0;
        }
    });
    assert!(looked > 1_000, "{looked} constraints");
}

#[test]
fn runs_break_what_is_wrong() {
    // Invariants that are made stronger by hand: some run comes to a state that they forbid.
    let mut found = 0;
    on_large_stack(|| {
        for ((name, _), built) in programs::SAFE.iter().zip(built(programs::SAFE)) {
            let right = claimed(&built.program, &mut flow(&built.program), &patient()).expect(name);
            for location in 0..right.locations.len() {
                let mut wrong = right.clone();
                wrong.locations[location].invariant.clear();
                let seen = watch(&built.program, &wrong, &ASKED, Runs { count: 30, steps: 200, seed: 3 });
                found += usize::from(seen.broken.is_some());
            }
        }
    });
    assert!(found >= 30, "{found}");
}
