//! Invariants of certificates, held against random runs of the VM.
//!
//! A run goes on until each thread stands at a location of the certificate, or has ended; then each of them must be in a state that the invariant of
//! its location allows, and so must each two of them where the certificate says something of pairs. What the certificate does not follow
//! (a thread in the midst of a path, an object whose like there are several of) is not looked at: an error here is a wrong certificate, or a wrong reading of
//! it, never a missed one. It shares nothing with the checker but the certificate.

use std::collections::BTreeMap;

use raddle_base::{Budget, Id, SplitMix};
use raddle_ir::{AllocStorage, Constant, GlobalId, Point, Program, Property, Site};
use raddle_proof::Certificate;
use raddle_proof::certificate::{Cell, Constraint, Known, Object, Place, Quantity, Reading, Relation, Side};
use raddle_vm::memory::{Creator, Spot};
use raddle_vm::schedule::{RandomInputs, Scheduler};
use raddle_vm::value::{Origin, signed};
use raddle_vm::{Move, Options, State, Status, Unwatched, Vm, run};

/// How many runs, and how far each goes.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// How many.
    pub count: u64,
    /// Steps of each.
    pub steps: u64,
    /// What they are drawn by.
    pub seed: u64,
}

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// States in which all threads stood at locations.
    pub states: u64,
    /// Invariants of threads in them.
    pub invariants: u64,
    /// Constraints in them that could be evaluated, and that could not.
    pub constraints: (u64, u64),
    /// The first invariant that does not hold: where, and what was wrong with it.
    pub broken: Option<String>,
}

/// Evaluates the invariants of a certificate on random runs.
#[must_use]
pub fn watch(program: &Program, certificate: &Certificate, asked: &[Property], runs: Runs) -> Seen {
    let vm = Vm::checking(program, asked);
    let mut seen = Seen::default();
    for number in 0..runs.count {
        let seed = runs.seed.wrapping_mul(1_000_003).wrapping_add(number);
        let mut watcher = Watcher::new(program, certificate, seed, std::mem::take(&mut seen));
        let budget = Budget::unlimited();
        let options =
            Options { max_steps: runs.steps, max_instructions: 100 * runs.steps, budget: Some(&budget) };
        let _ = run(&vm, &mut watcher, &mut RandomInputs::new(seed), &options, &mut Unwatched);
        seen = watcher.seen;
        if seen.broken.is_some() {
            break;
        }
    }
    seen
}

/// A scheduler that looks at each state before it chooses.
struct Watcher<'w> {
    program: &'w Program,
    certificate: &'w Certificate,
    random: SplitMix,
    locations: BTreeMap<(usize, &'w Point), usize>,
    /// Of each thread its template.
    templates: Vec<Option<usize>>,
    tallies: Vec<Option<i128>>,
    /// Who makes a step, and from where.
    chosen: Option<(usize, Point)>,
    /// Who is in the midst of a path.
    underway: Option<usize>,
    seen: Seen,
}

/// Where a thread is, as certificates see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    At(usize),
    Ended,
    Stuck,
    Between,
}

impl<'w> Watcher<'w> {
    fn new(program: &'w Program, certificate: &'w Certificate, seed: u64, seen: Seen) -> Self {
        let places = certificate.locations.iter().enumerate();
        Self {
            program,
            certificate,
            random: SplitMix::new(seed),
            locations: places
                .map(|(index, location)| ((location.template, &location.point), index))
                .collect(),
            templates: vec![Some(0)],
            tallies: vec![Some(0); certificate.tallies.len()],
            chosen: None,
            underway: None,
            seen,
        }
    }

    /// Takes down what the last step did: which threads it started, which tallies it made grow.
    fn catch_up(&mut self, state: &State) {
        let last = self.chosen.take();
        while self.templates.len() < state.threads.len() {
            let function = state.threads[self.templates.len()].start;
            let known = last.as_ref().and_then(|(by, at)| {
                let by = self.templates[*by]?;
                let spawn = self.certificate.spawns.iter().find(|spawn| spawn.by == by && spawn.at == *at)?;
                Some(spawn.starts)
            });
            let mut alike = (0..self.certificate.templates.len())
                .filter(|&template| template > 0 && self.certificate.templates[template] == function);
            let only = alike.next().filter(|_| alike.next().is_none());
            self.templates.push(known.or(only));
        }
        let Some((thread, at)) = last else { return };
        for (index, tally) in self.certificate.tallies.iter().enumerate() {
            let is_here = self.templates[thread].is_none_or(|template| template == tally.template);
            if is_here && at == tally.at {
                self.tallies[index] = self.tallies[index].map(|times| times + 1);
            } else if is_here && is_atomic_begin(self.program, at.site) {
                // Perhaps it was executed in there.
                self.tallies[index] = None;
            }
        }
    }

    fn standing(&self, state: &State, thread: usize) -> Standing {
        match state.threads[thread].status {
            Status::Ended(_) => return Standing::Ended,
            Status::Stopped => return Standing::Stuck,
            Status::Running => {}
        }
        let Some(template) = self.templates[thread] else { return Standing::Between };
        let here = point(state, thread);
        self.locations.get(&(template, &here)).map_or(Standing::Between, |&location| Standing::At(location))
    }

    fn look(&mut self, vm: &Vm<'_>, state: &State) {
        let all: Vec<Standing> =
            (0..state.threads.len()).map(|thread| self.standing(state, thread)).collect();
        if all.contains(&Standing::Between) || self.templates.contains(&None) {
            return;
        }
        self.seen.states += 1;
        let view = View {
            vm,
            state,
            program: self.program,
            certificate: self.certificate,
            templates: &self.templates,
            standing: &all,
            tallies: &self.tallies,
        };
        let (mut looked, mut broken) = ((0, 0, 0), None);
        for (thread, &standing) in all.iter().enumerate() {
            let Standing::At(location) = standing else { continue };
            looked.0 += 1;
            let invariant = &self.certificate.locations[location];
            let named = |what: String| format!("thread {thread} at {:?}: {what}", invariant.point);
            for (quantity, known) in &invariant.constants {
                if view.contradicts(thread, quantity, known) {
                    broken = broken.or_else(|| Some(named(format!("{quantity:?} is not {known:?}"))));
                }
            }
            let (holds, counts) = view.holds(&invariant.invariant, thread, thread);
            (looked.1, looked.2) = (looked.1 + counts.0, looked.2 + counts.1);
            if !holds {
                broken = broken.or_else(|| Some(named(view.explain(&invariant.invariant, thread, thread))));
            }
        }
        for pair in &self.certificate.pairs {
            for left in 0..all.len() {
                for right in (0..all.len()).filter(|&right| right != left) {
                    if all[left] == Standing::At(pair.left) && all[right] == Standing::At(pair.right) {
                        let (holds, counts) = view.holds(&pair.invariant, left, right);
                        (looked.1, looked.2) = (looked.1 + counts.0, looked.2 + counts.1);
                        if !holds {
                            let what = view.explain(&pair.invariant, left, right);
                            broken = broken.or_else(|| Some(format!("threads {left} and {right}: {what}")));
                        }
                    }
                }
            }
        }
        self.seen.invariants += looked.0;
        self.seen.constraints.0 += looked.1;
        self.seen.constraints.1 += looked.2;
        self.seen.broken = self.seen.broken.take().or(broken);
    }
}

impl Scheduler for Watcher<'_> {
    fn begin(&mut self) {}

    fn choose(&mut self, vm: &Vm<'_>, state: &State, enabled: &[Move]) -> Option<Move> {
        self.catch_up(state);
        self.look(vm, state);
        if self.seen.broken.is_some() {
            return None;
        }
        // Who is between two locations goes on, if it can.
        let goes_on = |thread: usize| {
            let is_it = |next: &&Move| next.thread() as usize == thread;
            enabled.iter().find(is_it).copied()
        };
        let between = |thread: &usize| self.standing(state, *thread) == Standing::Between;
        let stuck = self.underway.into_iter().chain(0..state.threads.len()).filter(between).find_map(goes_on);
        let next = stuck.unwrap_or_else(|| enabled[self.random.below(enabled.len())]);
        let thread = next.thread() as usize;
        self.underway = Some(thread);
        self.chosen = Some((thread, point(state, thread)));
        Some(next)
    }

    fn end(&mut self, _chosen: Move, _operations: &[u64]) {}
}

/// Where a thread stands, behind which calls.
fn point(state: &State, thread: usize) -> Point {
    let mut stack: Vec<Site> = state.threads[thread]
        .stack()
        .into_iter()
        .rev()
        .map(|place| Site { function: place.function, block: place.block, index: place.index as usize })
        .collect();
    let site = stack.pop().expect("a thread that runs stands somewhere");
    Point { frame: stack, site }
}

fn is_atomic_begin(program: &Program, site: Site) -> bool {
    let inst = program.functions[site.function].blocks[site.block].insts.get(site.index);
    inst.is_some_and(|inst| matches!(inst.kind, raddle_ir::InstKind::AtomicBegin))
}

/// A state as certificates see it.
struct View<'v> {
    vm: &'v Vm<'v>,
    state: &'v State,
    program: &'v Program,
    certificate: &'v Certificate,
    templates: &'v [Option<usize>],
    standing: &'v [Standing],
    tallies: &'v [Option<i128>],
}

impl View<'_> {
    /// Whether some conjunction holds, as far as it can be told; how many constraints could be evaluated, and could not.
    fn holds(&self, invariant: &[Vec<Constraint>], left: usize, right: usize) -> (bool, (u64, u64)) {
        let (mut counts, mut any) = ((0, 0), false);
        for conjunction in invariant {
            let mut all = true;
            for constraint in conjunction {
                match self.constraint(constraint, left, right) {
                    Some(holds) => {
                        counts.0 += 1;
                        all &= holds;
                    }
                    None => counts.1 += 1,
                }
            }
            any |= all;
        }
        (any, counts)
    }

    fn explain(&self, invariant: &[Vec<Constraint>], left: usize, right: usize) -> String {
        let mut text = format!("none of {} conjunctions holds", invariant.len());
        for conjunction in invariant {
            let wrong = conjunction.iter().find(|part| self.constraint(part, left, right) == Some(false));
            if let Some(wrong) = wrong {
                let terms = wrong.terms.iter();
                let values: Vec<_> = terms.map(|(_, reading)| self.reading(reading, left, right)).collect();
                text += &format!("; not {wrong:?} with {values:?}");
            }
        }
        text
    }

    fn constraint(&self, constraint: &Constraint, left: usize, right: usize) -> Option<bool> {
        let mut sum = constraint.constant;
        for (factor, reading) in &constraint.terms {
            sum = sum.checked_add(factor.checked_mul(self.reading(reading, left, right)?)?)?;
        }
        Some(match constraint.relation {
            Relation::Equal => sum == 0,
            Relation::LessEqual => sum <= 0,
            Relation::NotEqual => sum != 0,
        })
    }

    fn reading(&self, reading: &Reading, left: usize, right: usize) -> Option<i128> {
        let thread = match reading.side {
            Side::Left => left,
            Side::Right => right,
        };
        let (bits, width) = self.quantity(&reading.quantity, thread)?;
        Some(if reading.signed && width > 0 { signed(bits, width) } else { i128::try_from(bits).ok()? })
    }

    /// The bits of a quantity, and how many; none for numbers that have no width.
    fn quantity(&self, quantity: &Quantity, thread: usize) -> Option<(u128, u8)> {
        let small = |value: bool| Some((u128::from(value), 0));
        match quantity {
            Quantity::Shared(cell) => self.cell(&self.certificate.cells[*cell], None),
            Quantity::IsNonzero(cell) => small(self.cell(&self.certificate.cells[*cell], None)?.0 != 0),
            Quantity::HeldByThread(cell) => {
                small(self.cell(&self.certificate.cells[*cell], None)?.0 == thread as u128 + 1)
            }
            Quantity::Register(frame, register) => {
                let of = &self.state.threads[thread];
                let base = of.frames.get(frame.len())?.base as usize;
                let function = of.frames[frame.len()].function;
                let ty = self.program.functions[function].registers.get(*register)?.ty;
                let width = raddle_vm::value::width(ty, self.program.pointer_bits);
                Some((of.registers[base + register.index()].bits, width))
            }
            Quantity::Own(cell) => self.cell(cell, Some(thread)),
            Quantity::Identity => Some((thread as u128, 0)),
            Quantity::IdentityOf(template) => {
                let who = self.templates.iter().position(|of| *of == Some(*template))?;
                Some((who as u128, 0))
            }
            Quantity::Counter(counter) => {
                let members = &self.certificate.counters[*counter].members;
                let is_member = |thread: &usize| {
                    let template = self.templates[*thread].unwrap_or(usize::MAX);
                    members.contains(&match self.standing[*thread] {
                        Standing::At(location) => Place::At(location),
                        Standing::Ended => Place::Ended(template),
                        Standing::Stuck | Standing::Between => Place::Stuck(template),
                    })
                };
                Some(((0..self.standing.len()).filter(is_member).count() as u128, 0))
            }
            Quantity::Tally(tally) => Some((u128::try_from(self.tallies[*tally]?).ok()?, 0)),
        }
    }

    /// What a cell holds; of the only object that it may be about.
    fn cell(&self, cell: &Cell, owner: Option<usize>) -> Option<(u128, u8)> {
        if let Object::Life(of) = &cell.object {
            // Of what does not live nobody knows here whether it was made and freed.
            return self.object(of, owner).map(|_| (1, 8));
        }
        let origin = self.object(&cell.object, owner)?;
        let offset = u32::try_from(cell.offset).ok()?;
        let length = self.state.memory.object(origin)?.bytes.len() as u64;
        if cell.offset + u64::from(cell.bytes) > length {
            return None;
        }
        let read = self.state.memory.read(Spot { origin, offset }, cell.bytes.into());
        // Bytes that were never written hold anything.
        read.initialised.then_some((read.value.bits, u8::try_from(8 * cell.bytes).ok()?))
    }

    fn object(&self, object: &Object, owner: Option<usize>) -> Option<Origin> {
        let mut alike = self.state.memory.objects().filter(|(origin, found)| match object {
            Object::Global(global) if self.program.globals[*global].thread_local => {
                owner.is_some_and(|owner| self.own_copy(owner, *global) == Some(*origin))
            }
            Object::Global(global) => found.creator == Creator::Global(*global),
            Object::Made { point, storage, .. } => {
                let place = match (found.creator, storage) {
                    (Creator::Local(place), AllocStorage::Local | AllocStorage::Dynamic)
                    | (Creator::Heap(place), AllocStorage::Heap | AllocStorage::Library) => place,
                    (
                        Creator::Global(_) | Creator::ThreadLocal(_) | Creator::Local(_) | Creator::Heap(_),
                        _,
                    ) => {
                        return false;
                    }
                };
                let is_there = place.function == point.site.function
                    && place.block == point.site.block
                    && place.index as usize == point.site.index;
                let is_own = owner.is_none_or(|owner| {
                    origin.arena == raddle_vm::memory::stack_of(u32::try_from(owner).unwrap_or(u32::MAX))
                });
                is_there && is_own
            }
            Object::Life(_) => false,
        });
        let (origin, _) = alike.next()?;
        alike.next().is_none().then_some(origin)
    }

    fn own_copy(&self, thread: usize, global: GlobalId) -> Option<Origin> {
        let copies = &self.state.threads[thread].thread_locals;
        copies.iter().find(|(of, _)| *of == global).map(|&(_, origin)| origin)
    }

    /// Whether a value that is claimed to be known is another one.
    fn contradicts(&self, thread: usize, quantity: &Quantity, known: &Known) -> bool {
        let Some((bits, _)) = self.quantity(quantity, thread) else { return false };
        match known {
            Known::Constant(Constant::Int(_, value)) => bits != *value,
            Known::Constant(Constant::Null) => bits != 0,
            Known::Constant(Constant::Global(global, offset)) => {
                let address = self.vm.global_address(*global);
                address.is_some_and(|address| bits != u128::from(address.wrapping_add_signed(*offset)))
            }
            Known::Constant(Constant::F32(value)) => bits != u128::from(*value),
            Known::Constant(Constant::F64(value)) => bits != u128::from(*value),
            Known::Constant(Constant::Function(_)) | Known::Address(..) => false,
        }
    }
}
