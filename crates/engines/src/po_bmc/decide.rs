//! Asks, property by property, with growing bounds.
//!
//! In each round the program is unrolled and encoded up to the bounds of that round. A property that some execution
//! breaks is done: the trace was replayed. For the others it is asked which bounds can be reached at all: if none, they
//! hold; otherwise exactly the bounds that can be reached grow.
//!
//! One hard question must not hide the others. While several properties are open, a question may meet only so many conflicts;
//! a property whose question meets more is put off until the others are decided, and then asked with more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_base::{Budget, Exhausted};
use raddle_ir::analyses::loop_names::loop_names;
use raddle_ir::passes::spin::{Blocking, SpinOptions, convert_spin_loops};
use raddle_ir::{AddressReuse, BlockId, FunctionId, InstKind, Program, Property};
use raddle_logic::solver::{Answer, Stop};
use raddle_logic::term::TermId;
use raddle_vm::Machine;
use raddle_vm::verdict::LoopEntry;
use rustc_hash::FxHashMap;

use super::PoBmc;
use super::addresses::Known;
use super::counterexample::{Failure, Reader, confirm, looks_at_layout};
use super::hypotheses;
use super::local::rule_out;
use super::symbolic::{Assumptions, Options, Report, Spins, World, execute};
use crate::execution_graph::encode::{Encoding, Question, RacingPair};
use crate::execution_graph::events::{LimitKind, Unrolling};
use crate::undefined::Undefined;
use crate::unsynchronised::unsynchronised_communication;
use crate::vacuity;
use crate::{Effort, Engine as _, Evidence, Grounds, Reason, Session, Sizes, Task, Verdict};

/// Rounds of open loops, one after the other.
const DEEPENING: &[u32] = &[1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181];
/// Rounds of loops whose number of rounds is known, when not all of them can be afforded at first.
const CONSTANT_ROUNDS: &[u32] = &[2, 5, 13, 34, 89, 233, 987, 10_000, 1_000_000];
/// Below so many events everything is unrolled at once.
const AFFORDABLE: usize = 1_200;
/// The same for visits of blocks.
const AFFORDABLE_VISITS: usize = 40_000;
/// The same for threads.
const AFFORDABLE_THREADS: usize = 12;
const MAX_THREADS: u32 = 64;
/// How many conflicts a question may meet while others wait, one pass after the other.
const CONFLICTS: &[u64] = &[20_000, 400_000, 4_000_000];

/// Answers a task.
pub(crate) fn check(task: &Task<'_>, session: &Session<'_>) {
    let mut program = task.program.clone();
    let options = SpinOptions {
        // A round as one atomic section would wait for stores, which the loop itself does not.
        data_races: task.properties.contains(&Property::DataRace) || task.memory_model.is_weak(),
        deadlocks: false,
    };
    let waits = convert_spin_loops(&mut program, options);
    let spins = Spins {
        stuck: waits.iter().map(|wait| (wait.function, wait.stuck)).collect(),
        headers: waits
            .iter()
            .filter(|wait| wait.blocking == Blocking::Exact)
            .map(|wait| (wait.function, wait.header))
            .collect(),
        blocks: task.program.functions.values().map(|function| function.blocks.len()).collect(),
    };
    let mut decision = Decision {
        task,
        session,
        budget: session.budget,
        world: World::new(&program, spins),
        answers: task.properties.iter().map(|property| Answering::new(*property)).collect(),
        options: first_options(task, &program),
        assumptions: Assumptions::default(),
        rung: 0,
        grounds: Grounds { engine: PoBmc.name(), ..Grounds::default() },
        undefined: Undefined::Never,
        conflicts: None,
        spent: Sizes::default(),
    };
    for pass in CONFLICTS {
        // Where nobody waits there is no reason to give up.
        if decision.open().len() < 2 {
            break;
        }
        decision.conflicts = Some(*pass);
        if !decision.pass() {
            return decision.finish();
        }
        decision.start_again();
    }
    decision.pass();
    decision.finish();
}

fn first_options(task: &Task<'_>, program: &Program) -> Options {
    let mut options = Options {
        unwind: task.bounds.unwind.unwrap_or(DEEPENING[0]),
        loops: FxHashMap::default(),
        recursions: FxHashMap::default(),
        constant_rounds: task.bounds.unwind.unwrap_or(u32::MAX),
        max_threads: task.bounds.max_threads.unwrap_or(MAX_THREADS),
        event_cap: usize::MAX,
        visit_cap: usize::MAX,
        thread_cap: usize::MAX,
        races: task.properties.contains(&Property::DataRace),
        happens_before: task.properties.contains(&Property::DataRace)
            && (unsynchronised_communication(task.program).is_some()
                || task.memory_model.is_weak() && has_sections(task.program)),
        memory_model: task.memory_model,
        address_reuse: task.program.address_reuse == AddressReuse::Possible,
        // Where nobody asks what ends so, going on covers more and costs less: what holds then, holds.
        ends_at_overflow: !task.excused.contains(&Property::Overflow),
    };
    let named = loop_names(task.program);
    for (name, bound) in &task.bounds.unwind_set {
        if let Some(found) = named.iter().find(|found| found.name == *name) {
            options.loops.insert((found.function, found.header), *bound);
        } else if let Some((function, _)) =
            program.functions.iter().find(|(_, function)| function.name == *name)
        {
            options.recursions.insert(function, *bound);
        }
    }
    options
}

/// Whether the program has atomic sections of its own. Under weak memory models races with them are a matter of
/// happens-before: a section may wait for what another thread's buffer holds.
fn has_sections(program: &Program) -> bool {
    let own = program.functions.values().filter(|function| !function.model);
    let mut insts = own.flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts);
    insts.any(|inst| matches!(inst.kind, InstKind::AtomicBegin))
}

/// Why deepening ended.
enum Ended {
    /// No bound can be reached.
    Complete,
    /// Bounds can be reached that are not to grow.
    Bounded,
    /// Something that is not supported can be reached, a function without a body matters, or the solver failed.
    Blocked(Reason),
    /// A question met more conflicts than it may.
    Effort,
    /// What was found goes on behind a signed overflow, where executions end: to be asked again with that.
    PastOverflow,
    /// Time or memory ran out.
    Exhausted(Exhausted),
}

/// A property, and what is known of it.
struct Answering {
    property: Property,
    verdict: Option<Verdict>,
    /// Whether its question was too hard in this pass.
    put_off: bool,
    /// Whether somebody else has decided it.
    is_closed: bool,
    /// The bounds within which it holds.
    covered: Option<Vec<String>>,
}

impl Answering {
    const fn new(property: Property) -> Self {
        Self { property, verdict: None, put_off: false, is_closed: false, covered: None }
    }

    const fn is_undecided(&self) -> bool {
        self.verdict.is_none() && !self.is_closed
    }

    const fn is_open(&self) -> bool {
        self.is_undecided() && !self.put_off
    }
}

impl From<Exhausted> for Ended {
    fn from(why: Exhausted) -> Self {
        Self::Exhausted(why)
    }
}

struct Decision<'d, 'p> {
    task: &'d Task<'d>,
    session: &'d Session<'d>,
    budget: &'d Budget,
    world: World<'p>,
    answers: Vec<Answering>,
    options: Options,
    /// What the last round confirmed.
    assumptions: Assumptions,
    /// Which of [`CONSTANT_ROUNDS`] is at work.
    rung: usize,
    grounds: Grounds,
    /// What is known of executions that end by undefined behaviour.
    undefined: Undefined,
    /// How many conflicts each question may meet.
    conflicts: Option<u64>,
    /// The work of the rounds before this one.
    spent: Sizes,
}

impl Decision<'_, '_> {
    fn tell(&self, phase: &'static str, sizes: Sizes) {
        self.session.report(phase, self.bound(), self.spent.with(sizes));
    }

    fn bound(&self) -> String {
        let deepest = self.options.loops.values().copied().max().unwrap_or(0).max(self.options.unwind);
        format!("unwind {deepest}")
    }

    /// The properties that have no verdict yet and were not put off.
    fn open(&self) -> Vec<Property> {
        let open = self.answers.iter().filter(|answer| answer.is_open());
        open.map(|answer| answer.property).collect()
    }

    /// The properties whose violations matter: those that are open, and those about undefined behaviour that nobody asked for,
    /// as long as none was seen.
    fn looked_for(&self) -> Vec<Property> {
        let mut list = self.open();
        if !self.undefined.is_known() {
            list.extend(self.task.unchecked());
        }
        list
    }

    /// The properties that are open hold within bounds.
    fn cover(&mut self, bounds: &[String]) {
        for answer in self.answers.iter_mut().filter(|answer| answer.is_open()) {
            answer.covered = Some(bounds.to_vec());
        }
    }

    /// Decides what can be decided; says whether anything was put off.
    fn pass(&mut self) -> bool {
        let ended = self.deepen();
        let mut exhausted = None;
        for answer in self.answers.iter_mut().filter(|answer| answer.is_open()) {
            answer.verdict = match &ended {
                Ended::Complete => Some(Verdict::Safe(Evidence::FullyUnrolled)),
                Ended::Bounded => {
                    Some(Verdict::Safe(Evidence::Bounded(answer.covered.clone().unwrap_or_default())))
                }
                Ended::Blocked(reason) => Some(Verdict::Unknown(reason.clone())),
                Ended::Effort | Ended::PastOverflow => {
                    answer.put_off = true;
                    None
                }
                Ended::Exhausted(why) => {
                    exhausted = Some(*why);
                    None
                }
            };
        }
        if let Some(why) = exhausted {
            self.give_up(&Reason::Exhausted(why), &why.to_string());
        }
        self.give();
        self.answers.iter().any(Answering::is_undecided)
    }

    /// Gives the answers that are known.
    fn give(&self) {
        let grounds = Arc::new(self.grounds.clone());
        for answer in &self.answers {
            let verdict = match &answer.verdict {
                None => continue,
                Some(Verdict::Safe(evidence)) => self.undefined.qualify(evidence.clone()),
                Some(other @ (Verdict::SafeUnless(..) | Verdict::Violated(_) | Verdict::Unknown(_))) => {
                    other.clone()
                }
            };
            if self.session.answers.is_open(answer.property) {
                self.session.answers.give(answer.property, verdict, &grounds);
            }
        }
    }

    /// The next pass, about what was put off.
    fn start_again(&mut self) {
        for answer in &mut self.answers {
            answer.put_off = false;
        }
        self.conflicts = None;
        let ends_at_overflow = self.options.ends_at_overflow;
        self.options = Options { ends_at_overflow, ..first_options(self.task, self.world.program) };
        self.assumptions = Assumptions::default();
        self.rung = 0;
    }

    /// What has no verdict holds within the bounds that were covered, or is not known for a reason.
    fn give_up(&mut self, reason: &Reason, why: &str) {
        let mut is_covered = false;
        for answer in self.answers.iter_mut().filter(|answer| answer.is_undecided()) {
            answer.verdict = Some(match answer.covered.take() {
                Some(bounds) => {
                    is_covered = true;
                    Verdict::Safe(Evidence::Bounded(bounds))
                }
                None => Verdict::Unknown(reason.clone()),
            });
        }
        if is_covered {
            self.grounds.notes.push(format!("{why} before larger bounds were covered"));
        }
    }

    fn deepen(&mut self) -> Ended {
        match self.choose_rung() {
            Ok(()) => {}
            Err(exhausted) => return Ended::Exhausted(exhausted),
        }
        loop {
            match self.round() {
                Ok(None) => {}
                Err(Ended::PastOverflow) => self.options.ends_at_overflow = true,
                Ok(Some(ended)) | Err(ended) => return ended,
            }
        }
    }

    /// Loops whose number of rounds is known are unrolled at once if that is affordable, else step by step.
    fn choose_rung(&mut self) -> Result<(), Exhausted> {
        if self.task.bounds.unwind.is_some() {
            return Ok(());
        }
        let mut all = self.options.clone();
        all.constant_rounds = u32::MAX;
        all.event_cap = AFFORDABLE;
        all.visit_cap = AFFORDABLE_VISITS;
        all.thread_cap = AFFORDABLE_THREADS;
        let nothing = Assumptions::default();
        let mut draft = execute(&mut self.world, &all, &nothing, self.budget)?;
        let too_large = draft.parts().1.too_large;
        drop(draft);
        if too_large {
            self.options.constant_rounds = CONSTANT_ROUNDS[self.rung];
        } else {
            // What is learnt may still show that a loop is never left.
            self.options.event_cap = 2 * AFFORDABLE;
            self.options.visit_cap = 2 * AFFORDABLE_VISITS;
        }
        Ok(())
    }

    /// One round: everything up to the present bounds.
    fn round(&mut self) -> Result<Option<Ended>, Ended> {
        self.spent = self.session.answers.work();
        for answer in &mut self.answers {
            answer.is_closed |= answer.is_open() && !self.session.answers.is_open(answer.property);
        }
        if self.open().is_empty() {
            return Ok(Some(Ended::Complete));
        }
        self.tell("unrolling", Sizes::default());
        let (mut unrolling, report) = self.unroll()?;
        let asked = if self.task.solving.is_ours() {
            rule_out(&mut unrolling, &self.looked_for(), self.budget)?
        } else {
            Sizes::default()
        };
        if self.is_settled(&unrolling, &report) {
            let sizes = Sizes { events: unrolling.events.len() as u64, ..asked };
            self.note(&unrolling, sizes);
            let cut = sure_cuts(&unrolling, &report);
            if cut.is_empty() {
                return Ok(Some(self.complete(&report)));
            }
            self.note_loops(&report, &cut);
            let bounds = self.bounds_of(&report, &cut);
            self.cover(&bounds);
            return Ok(if self.grow(&cut, &report) { None } else { Some(Ended::Bounded) });
        }
        let addresses = Known::new(&mut unrolling, &self.world);
        self.tell("encoding", Sizes::default());
        let solver = self.task.solving.solver();
        let mut encoding =
            Encoding::new(solver, &mut unrolling, self.task.memory_model, &addresses, self.budget)?;
        encoding.limit_conflicts(self.conflicts);
        self.note(&unrolling, encoding.sizes());
        for index in 0..self.answers.len() {
            if self.answers[index].is_open() {
                match self.ask(self.answers[index].property, &mut unrolling, &mut encoding, &report) {
                    Ok(verdict) => {
                        self.answers[index].verdict = verdict;
                        self.give();
                    }
                    Err(Ended::Effort) => self.answers[index].put_off = true,
                    Err(ended) => return Err(ended),
                }
                self.note(&unrolling, encoding.sizes());
            }
        }
        if self.open().is_empty() {
            return Ok(Some(Ended::Complete));
        }
        self.look_for_undefined(&mut unrolling, &mut encoding, &report)?;
        self.tell("checking bounds", encoding.sizes());
        let reached = self.reached_limits(&mut unrolling, &mut encoding, &report)?;
        self.note(&unrolling, encoding.sizes());
        self.note_loops(&report, &reached);
        let bounds = self.bounds_of(&report, &reached);
        self.cover(&bounds);
        if let Some(reason) = Self::obstacle(&reached, &unrolling) {
            return Ok(Some(Ended::Blocked(reason)));
        }
        if reached.is_empty() {
            return Ok(Some(self.complete(&report)));
        }
        Ok(if self.grow(&reached, &report) { None } else { Some(Ended::Bounded) })
    }

    /// Whether what was folded while unrolling leaves nothing to ask, but for loops that are cut too early for sure.
    fn is_settled(&self, unrolling: &Unrolling, report: &Report) -> bool {
        let never = |term: TermId| unrolling.terms.as_bool(term) == Some(false);
        let looked_for = self.looked_for();
        let open = |property: Property| looked_for.contains(&property);
        !open(Property::DataRace)
            && !open(Property::Deadlock)
            && (!report.may_read_unwritten(&unrolling.terms) || !open(Property::Uninitialised))
            && (report.heap.iter().all(|&made| never(made))
                || !open(Property::Leak) && !open(Property::Cleanup))
            && unrolling.checks.iter().all(|check| never(check.violated) || !open(check.property))
            && unrolling.limits.iter().all(|limit| never(limit.reached) || is_sure_cut(&limit.kind, report))
    }

    /// No bound can be reached: what holds, holds always.
    fn complete(&mut self, report: &Report) -> Ended {
        let passed = |function, block| report.passed.contains(&(function, block));
        self.grounds.unreached = vacuity::unreached(self.task.program, passed);
        self.note_loops(report, &BTreeSet::new());
        Ended::Complete
    }

    /// Unrolls the program. If it is larger than it may be, loops of a known length are followed step by step.
    fn unroll(&mut self) -> Result<(Unrolling, Report), Exhausted> {
        loop {
            let assumptions = &mut self.assumptions;
            let unrolled = hypotheses::unroll(&mut self.world, &self.options, assumptions, self.budget)?;
            self.lift_caps();
            match unrolled {
                Some(unrolled) => return Ok(unrolled),
                None => self.options.constant_rounds = CONSTANT_ROUNDS[self.rung],
            }
        }
    }

    /// Larger bounds may be as large as they are.
    fn lift_caps(&mut self) {
        self.options.event_cap = usize::MAX;
        self.options.visit_cap = usize::MAX;
    }

    /// Looks for an execution that breaks a property; none: there is none within the bounds.
    fn ask(
        &mut self,
        property: Property,
        unrolling: &mut Unrolling,
        encoding: &mut Encoding<'_>,
        report: &Report,
    ) -> Result<Option<Verdict>, Ended> {
        self.tell("solving", encoding.sizes());
        let question = match property {
            Property::DataRace => Question::Race,
            Property::Deadlock => Question::Deadlock,
            Property::Assertion | Property::LockMisuse | Property::MemorySafety | Property::Overflow => {
                let violations: Vec<TermId> = unrolling
                    .checks
                    .iter()
                    .filter(|check| check.property == property)
                    .map(|check| check.violated)
                    .collect();
                let any = unrolling.terms.or_all(violations);
                if unrolling.terms.as_bool(any) == Some(false) {
                    return Ok(None);
                }
                Question::Holds(any)
            }
            Property::Leak | Property::Cleanup => {
                let is_made = report.heap.iter().any(|&made| unrolling.terms.as_bool(made) != Some(false));
                return Ok(is_made.then(|| not_checked("whether memory that is allocated is freed")));
            }
            Property::Uninitialised => {
                let is_read = report.may_read_unwritten(&unrolling.terms);
                return Ok(is_read.then(|| not_checked("what becomes of values that were never written")));
            }
        };
        let found = self.finds(unrolling, encoding, question, property.name())?;
        if found && !self.options.ends_at_overflow {
            let reader = Reader::new(unrolling, encoding, report, self.task.memory_model);
            if reader.is_some_and(|reader| reader.failing_check(Property::Overflow).is_some()) {
                return Err(Ended::PastOverflow);
            }
        }
        Ok(found.then(|| self.counterexample(property, unrolling, encoding, report)))
    }

    /// Looks for an execution that ends by undefined behaviour that nobody asked for.
    fn look_for_undefined(
        &mut self,
        unrolling: &mut Unrolling,
        encoding: &mut Encoding<'_>,
        report: &Report,
    ) -> Result<(), Ended> {
        let unchecked: Vec<Property> = self.task.unchecked().collect();
        for property in unchecked {
            if self.undefined.is_known() {
                return Ok(());
            }
            self.undefined = match self.ask(property, unrolling, encoding, report)? {
                None | Some(Verdict::Safe(_) | Verdict::SafeUnless(..)) => Undefined::Never,
                Some(Verdict::Violated(trace)) => Undefined::Seen(trace),
                Some(Verdict::Unknown(reason)) => Undefined::Perhaps(reason),
            };
        }
        Ok(())
    }

    /// Whether there is an execution that answers the question. The words say what the question is about.
    fn finds(
        &self,
        unrolling: &mut Unrolling,
        encoding: &mut Encoding<'_>,
        question: Question,
        about: &str,
    ) -> Result<bool, Ended> {
        if let Some(reader) = self.task.solving.reader {
            let name = format!("{} {about}", self.bound());
            reader.question(&name, &encoding.script(unrolling, question));
        }
        match encoding.ask(unrolling, question, self.budget) {
            Ok(Answer::Sat) => Ok(true),
            Ok(Answer::Unsat) => Ok(false),
            Ok(Answer::Unknown(Stop::Budget(why))) => Err(Ended::Exhausted(why)),
            Ok(Answer::Unknown(Stop::Conflicts)) => Err(Ended::Effort),
            Err(error) => Err(Ended::Blocked(Reason::Other(error.to_string()))),
        }
    }

    fn counterexample(
        &mut self,
        property: Property,
        unrolling: &Unrolling,
        encoding: &Encoding<'_>,
        report: &Report,
    ) -> Verdict {
        self.tell("replaying", encoding.sizes());
        let Some(reader) = Reader::new(unrolling, encoding, report, self.task.memory_model) else {
            return internal("there is no model", None);
        };
        let failure = match property {
            Property::DataRace => match reader.race() {
                Some(pair) => Failure::Race(pair),
                None => return internal("a model shows no race", None),
            },
            Property::Deadlock => Failure::Deadlock,
            Property::Assertion | Property::LockMisuse | Property::MemorySafety | Property::Overflow => {
                match reader.failing_check(property) {
                    Some(index) => Failure::Check(index),
                    None => return internal("a model shows no violation", None),
                }
            }
            Property::Leak | Property::Cleanup | Property::Uninitialised => {
                return internal("nobody asks for such a model", None);
            }
        };
        let machine =
            Machine::checking(self.task.program, &[property]).with_memory_model(self.task.memory_model);
        let reader = reader.with_layout(&machine);
        let mut trace = reader.trace(property, failure);
        trace.memory_model = self.task.memory_model;
        let confirmed = confirm(&machine, &trace, self.budget).or_else(|why| {
            let Failure::Race(pair) = failure else { return Err(why) };
            let others = self.other_ways(pair).into_iter().find_map(|way| {
                let mut other = reader.trace(property, Failure::Race(way));
                other.memory_model = self.task.memory_model;
                confirm(&machine, &other, self.budget).ok()
            });
            others.ok_or(why)
        });
        match confirmed {
            Ok(replayed) => Verdict::Violated(Box::new(replayed)),
            Err(why) => match reader.opaque() {
                Some(what) => Verdict::Unknown(Reason::Other(format!(
                    "an execution that may break the property depends on {what}, which is only approximated"
                ))),
                None => {
                    // In the VM's layout another object may lie where the number leads.
                    if let Some(reason) = looks_at_layout(&machine, &trace) {
                        return Verdict::Unknown(reason);
                    }
                    let what = match failure {
                        Failure::Check(index) => unrolling.checks[index].message.clone(),
                        Failure::Race(_) => "a data race".to_owned(),
                        Failure::Deadlock => "a deadlock".to_owned(),
                    };
                    internal(&format!("a counterexample ({what}) does not replay: {why}"), Some(trace))
                }
            },
        }
    }

    /// Other ways to make two accesses that race. In the other order: an access to an object that was just freed is no access. And a
    /// section may wait for what a late store writes.
    fn other_ways(&self, pair: RacingPair) -> Vec<RacingPair> {
        let swapped = RacingPair { accesses: (pair.accesses.1, pair.accesses.0), ..pair };
        let mut ways = vec![swapped];
        if self.task.memory_model.is_weak() {
            ways.extend([pair, swapped].map(|pair| RacingPair { visible: true, ..pair }));
        }
        ways
    }

    /// The limits that some execution reaches.
    fn reached_limits(
        &self,
        unrolling: &mut Unrolling,
        encoding: &mut Encoding<'_>,
        report: &Report,
    ) -> Result<BTreeSet<LimitKind>, Ended> {
        let mut open: BTreeMap<LimitKind, Vec<TermId>> = BTreeMap::new();
        let sure = if self.options.constant_rounds == u32::MAX || self.task.bounds.unwind.is_some() {
            BTreeSet::new()
        } else {
            sure_cuts(unrolling, report)
        };
        for limit in &unrolling.limits {
            if unrolling.terms.as_bool(limit.reached) != Some(false) && !sure.contains(&limit.kind) {
                open.entry(limit.kind.clone()).or_default().push(limit.reached);
            }
        }
        let mut terms: Vec<(LimitKind, TermId)> = Vec::new();
        for (kind, conditions) in open {
            terms.push((kind, unrolling.terms.or_all(conditions)));
        }
        let mut reached = sure;
        loop {
            let any = unrolling.terms.or_all(terms.iter().map(|(_, term)| *term));
            if unrolling.terms.as_bool(any) == Some(false) {
                return Ok(reached);
            }
            if !self.finds(unrolling, encoding, Question::Holds(any), "bounds")? {
                return Ok(reached);
            }
            let mut found = encoding.found().expect("there is a model");
            terms.retain(|(kind, term)| {
                let hit = found.holds(unrolling, *term);
                if hit {
                    reached.insert(kind.clone());
                }
                !hit
            });
        }
    }

    /// What stands in the way of any proof.
    fn obstacle(reached: &BTreeSet<LimitKind>, unrolling: &Unrolling) -> Option<Reason> {
        for kind in reached {
            if let LimitKind::Unsupported(what) = kind {
                let limit = unrolling.limits.iter().find(|limit| limit.kind == *kind);
                let span = limit.map_or(raddle_base::Span::NONE, |limit| limit.span);
                return Some(Reason::Unsupported { what: what.clone(), span });
            }
        }
        None
    }

    /// Lets the bounds grow that can be reached. Says whether any did.
    fn grow(&mut self, reached: &BTreeSet<LimitKind>, report: &Report) -> bool {
        let bounds = &self.task.bounds;
        let mut grown = false;
        let most = bounds.unwind_max.unwrap_or(u32::MAX);
        let next = |now: u32| DEEPENING.iter().copied().find(|&next| next > now).filter(|&next| next <= most);
        let named: BTreeSet<(FunctionId, BlockId)> =
            first_options(self.task, self.task.program).loops.keys().copied().collect();
        let deepens = bounds.unwind.is_none();
        for kind in reached {
            match kind {
                LimitKind::Loop(function, head) => {
                    if !deepens || named.contains(&(*function, *head)) {
                        continue;
                    }
                    let key = (*function, *head);
                    // All rounds of the others are covered when the next rung is.
                    if !report.open_cuts.contains(&key) {
                        continue;
                    }
                    let now = self.options.loops.get(&key).copied().unwrap_or(self.options.unwind);
                    if let Some(next) = next(now) {
                        self.options.loops.insert(key, next);
                        grown = true;
                    }
                }
                LimitKind::Recursion(function) => {
                    if !deepens
                        || bounds.unwind_set.contains_key(&self.task.program.functions[*function].name)
                    {
                        continue;
                    }
                    let now = self.options.recursions.get(function).copied().unwrap_or(self.options.unwind);
                    if let Some(next) = next(now) {
                        self.options.recursions.insert(*function, next);
                        grown = true;
                    }
                }
                LimitKind::Threads | LimitKind::Unsupported(_) => {}
            }
        }
        if deepens && self.options.constant_rounds != u32::MAX && self.rung + 1 < CONSTANT_ROUNDS.len() {
            self.rung += 1;
            self.options.constant_rounds = CONSTANT_ROUNDS[self.rung].min(most);
            grown = true;
        }
        grown
    }

    fn note(&mut self, unrolling: &Unrolling, sizes: Sizes) {
        self.session.answers.note_work(self.spent.with(sizes));
        let grounds = &mut self.grounds;
        grounds.sizes = sizes;
        grounds.threads = u32::try_from(unrolling.threads.len()).unwrap_or(u32::MAX);
        grounds.notes.clear();
        if let Some(solver) = self.task.solving.external {
            grounds.notes.push(format!("formulas are solved by `{solver}`"));
        }
    }

    fn note_loops(&mut self, report: &Report, reached: &BTreeSet<LimitKind>) {
        let program = self.task.program;
        let mut entries: Vec<LoopEntry> = Vec::new();
        for named in loop_names(program) {
            let key = (named.function, named.header);
            let rounds = report.loops.get(&key).copied();
            let cut = reached.contains(&LimitKind::Loop(key.0, key.1));
            if rounds.is_none() && !cut {
                continue;
            }
            if program.functions[named.function].model && !cut {
                continue;
            }
            entries.push(LoopEntry {
                span: named.span,
                function: program.functions[named.function].name.clone(),
                iterations: rounds.unwrap_or(0),
                complete: !cut,
            });
        }
        self.grounds.loops = entries;
        self.grounds.recursions = report
            .recursions
            .iter()
            .map(|(function, depth)| (program.functions[*function].name.clone(), *depth))
            .collect();
    }

    /// The bounds that can be reached, in words.
    fn bounds_of(&self, report: &Report, reached: &BTreeSet<LimitKind>) -> Vec<String> {
        let program = self.task.program;
        let mut words = Vec::new();
        for named in loop_names(program) {
            if reached.contains(&LimitKind::Loop(named.function, named.header)) {
                let rounds = report.loops.get(&(named.function, named.header)).copied().unwrap_or(0);
                let plural = if rounds == 1 { "" } else { "s" };
                words.push(format!("{rounds} iteration{plural} of loop {}", named.name));
            }
        }
        for kind in reached {
            match kind {
                LimitKind::Recursion(function) => {
                    let name = &program.functions[*function].name;
                    let depth = self.options.recursions.get(function).copied().unwrap_or(self.options.unwind);
                    words.push(format!("depth {depth} of the recursion of `{name}`"));
                }
                LimitKind::Threads => words.push(format!("{} threads", self.options.max_threads)),
                LimitKind::Loop(..) | LimitKind::Unsupported(_) => {}
            }
        }
        words
    }

    fn finish(mut self) {
        self.give_up(&Reason::Effort(Effort::Conflicts), "the solver met too many conflicts");
        self.give();
    }
}

/// Whether a loop was cut in which another round follows whatever happens: that it can come so far is not worth asking.
fn is_sure_cut(kind: &LimitKind, report: &Report) -> bool {
    match kind {
        LimitKind::Loop(function, head) => !report.open_cuts.contains(&(*function, *head)),
        LimitKind::Recursion(_) | LimitKind::Threads | LimitKind::Unsupported(_) => false,
    }
}

/// Those loops.
fn sure_cuts(unrolling: &Unrolling, report: &Report) -> BTreeSet<LimitKind> {
    let reached = |term: TermId| unrolling.terms.as_bool(term) != Some(false);
    let limits = unrolling.limits.iter().filter(|limit| reached(limit.reached));
    limits.map(|limit| limit.kind.clone()).filter(|kind| is_sure_cut(kind, report)).collect()
}

fn not_checked(what: &str) -> Verdict {
    Verdict::Unknown(Reason::Other(format!("the engine po-bmc does not check {what}")))
}

fn internal(message: &str, trace: Option<raddle_vm::Trace>) -> Verdict {
    Verdict::Unknown(Reason::Internal { message: message.to_owned(), trace: trace.map(Box::new) })
}
