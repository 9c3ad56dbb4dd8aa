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
use raddle_ir::passes::spin::{Blocking, SpinOptions, convert_spin_loops};
use raddle_ir::passes::spin_condition::limit_spurious_wakeups;
use raddle_ir::{AddressReuse, Property};
use raddle_logic::solver::{Answer, Stop};
use raddle_logic::term::TermId;

use super::PoBmc;
use super::addresses::Known;
use super::counterexample::{Reader, counterexample};
use super::hypotheses;
use super::local::rule_out;
use super::symbolic::{Assumptions, Options, Report, Spins, World, execute};
use crate::deepening::{Deepening, Met};
use crate::execution_graph::encode::{Encoding, Question, Reads};
use crate::execution_graph::events::{LimitKind, Unrolling};
use crate::facts::{Always, Fact, UpTo};
use crate::undefined::Undefined;
use crate::unsynchronised::co_enabled_suffices;
use crate::vacuity;
use crate::{
    Coverage, Effort, Engine as _, Evidence, Extent, Grounds, Reason, Session, Sizes, Task, Verdict,
};

/// How many conflicts a question may meet while others wait, one pass after the other.
const CONFLICTS: &[u64] = &[20_000, 400_000, 4_000_000];

/// Answers a task.
pub(crate) fn check(task: &Task<'_>, session: &Session<'_>) {
    let mut program = task.program.clone();
    let options = SpinOptions {
        // A round as one atomic block would wait for stores, which the loop itself does not.
        data_races: task.properties.contains(&Property::DataRace) || task.memory_model.is_weak(),
        deadlocks: false,
    };
    let mut waits = Vec::new();
    if !task.memory_model.is_weak() {
        waits.extend(limit_spurious_wakeups(&mut program));
    }
    waits.extend(convert_spin_loops(&mut program, options));
    let spins = Spins {
        stuck: waits.iter().map(|wait| (wait.function, wait.stuck)).collect(),
        headers: waits
            .iter()
            .filter(|wait| wait.blocking == Blocking::Exact)
            .map(|wait| (wait.function, wait.header))
            .collect(),
        blocks: task.program.functions.values().map(|function| function.blocks.len()).collect(),
    };
    let deepening = Deepening::new(task.program, &task.bounds);
    let mut decision = Decision {
        task,
        session,
        budget: session.budget,
        world: World::new(&program, spins),
        put_off: BTreeSet::new(),
        options: first_options(task, &deepening),
        deepening,
        assumptions: Assumptions::default(),
        grounds: Grounds { engine: PoBmc.name(), ..Grounds::default() },
        undefined: Undefined::Never,
        more_switches: false,
        looks_at_overflow: false,
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
            return;
        }
        decision.start_again();
    }
    decision.pass();
    decision.give_up(&Reason::Effort(Effort::Conflicts));
}

fn first_options(task: &Task<'_>, deepening: &Deepening<'_>) -> Options {
    Options {
        bounds: deepening.bounds().clone(),
        races: task.properties.contains(&Property::DataRace),
        co_enabled: co_enabled_suffices(task.program),
        memory_model: task.memory_model,
        address_reuse: task.program.address_reuse == AddressReuse::Possible,
        // Where nobody asks what ends so, going on covers more and costs less: what holds then, holds.
        ends_at_overflow: !task.excused.contains(&Property::Overflow),
        paths: None,
        seen: None,
        follows_looks: false,
    }
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
    /// What was found may go on behind one, which cannot be told without reads that were left out: to be asked again with these.
    OverflowLeftOut,
    /// Time or memory ran out.
    Exhausted(Exhausted),
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
    /// The properties whose questions were too hard in this pass.
    put_off: BTreeSet<Property>,
    options: Options,
    deepening: Deepening<'d>,
    /// What the last round confirmed.
    assumptions: Assumptions,
    grounds: Grounds,
    /// What is known of executions that end by undefined behaviour.
    undefined: Undefined,
    /// Whether some execution has more context switches than it may have.
    more_switches: bool,
    /// Whether models must tell where an execution overflows, though nobody asks for that.
    looks_at_overflow: bool,
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
        format!("unwind {}", self.deepening.deepest())
    }

    /// The properties that have no answer yet and were not put off.
    fn open(&self) -> Vec<Property> {
        let mut open = self.session.answers.open();
        open.retain(|property| !self.put_off.contains(property));
        open
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
    fn cover(&mut self, coverage: Coverage) {
        self.grounds.coverage = coverage;
        let grounds = Arc::new(self.grounds.clone());
        for property in self.open() {
            let evidence = Evidence::Bounded(grounds.coverage.clone());
            self.session.answers.cover(property, self.undefined.qualify(evidence), &grounds);
            if let Some(up_to) = UpTo::of(&grounds.coverage).filter(|_| !self.undefined.is_doubtful()) {
                self.session.facts.publish(Fact::Held { property, up_to });
            }
        }
    }

    /// What is open holds up to these bounds, of which none is known to be enough yet: the work may end before that is known.
    fn cover_for_now(&mut self, unrolling: &Unrolling, report: &Report) {
        let reachable =
            unrolling.limits.iter().filter(|limit| unrolling.terms.as_bool(limit.reached) != Some(false));
        let perhaps: BTreeSet<LimitKind> = reachable.map(|limit| limit.kind.clone()).collect();
        if !perhaps.iter().any(|kind| matches!(kind, LimitKind::Unsupported(_))) {
            let covered = self.deepening.covered(&met(unrolling, report), &perhaps);
            let contexts = self.task.bounds.contexts.map(Extent::bounded);
            self.cover(Coverage { contexts, ..covered });
        }
    }

    /// Decides what can be decided; says whether anything was put off.
    fn pass(&mut self) -> bool {
        let answers = self.session.answers;
        let ended = self.deepen();
        let open = self.open();
        match ended {
            Ended::Complete => {
                let verdict = self.undefined.qualify(Evidence::FullyUnrolled);
                self.give(&open, &verdict);
            }
            Ended::Bounded => open.iter().for_each(|&property| {
                answers.conclude(property);
            }),
            Ended::Blocked(reason) => self.give(&open, &Verdict::Unknown(reason)),
            Ended::Effort | Ended::PastOverflow | Ended::OverflowLeftOut => self.put_off.extend(open),
            Ended::Exhausted(why) => self.give_up(&Reason::Exhausted(why)),
        }
        !answers.open().is_empty()
    }

    /// Gives the same answer for several properties.
    fn give(&self, properties: &[Property], verdict: &Verdict) {
        let grounds = Arc::new(self.grounds.clone());
        for &property in properties {
            self.session.answers.give(property, verdict.clone(), &grounds);
        }
    }

    /// What has no answer holds within the bounds that were covered, or is not known for a reason.
    fn give_up(&self, reason: &Reason) {
        let grounds = Arc::new(self.grounds.clone());
        for property in self.session.answers.open() {
            self.session.answers.give_up(property, reason, &grounds);
        }
    }

    /// The next pass, about what was put off.
    fn start_again(&mut self) {
        self.put_off.clear();
        self.conflicts = None;
        self.deepening.start_again();
        self.assumptions = Assumptions::default();
    }

    fn deepen(&mut self) -> Ended {
        if let Err(exhausted) = self.choose_bounds() {
            return Ended::Exhausted(exhausted);
        }
        loop {
            match self.round() {
                Ok(None) => {}
                Err(Ended::PastOverflow) => self.options.ends_at_overflow = true,
                Err(Ended::OverflowLeftOut) => self.looks_at_overflow = true,
                Ok(Some(ended)) | Err(ended) => return ended,
            }
        }
    }

    /// Makes a draft to see whether loops whose number of iterations is known can be unrolled at once.
    fn choose_bounds(&mut self) -> Result<(), Exhausted> {
        if !self.deepening.grows() {
            return Ok(());
        }
        self.options.bounds = self.deepening.draft();
        let nothing = Assumptions::default();
        let mut draft = execute(&mut self.world, &self.options, &nothing, self.budget)?;
        let too_large = draft.parts().1.too_large;
        drop(draft);
        self.deepening.choose(!too_large);
        Ok(())
    }

    /// One round: everything up to the present bounds.
    fn round(&mut self) -> Result<Option<Ended>, Ended> {
        self.spent = self.session.answers.work();
        let open = self.open();
        if open.is_empty() {
            return Ok(Some(Ended::Complete));
        }
        let attempted = self.deepening.attempted();
        let attempted = Coverage { contexts: self.task.bounds.contexts.map(Extent::bounded), ..attempted };
        self.session.answers.attempt(&open, &attempted, &Arc::new(self.grounds.clone()));
        self.tell("unrolling", Sizes::default());
        let (mut unrolling, report) = self.unroll()?;
        let asked = if self.task.solving.is_ours() {
            rule_out(&mut unrolling, &self.looked_for(), self.budget)?
        } else {
            Sizes::default()
        };
        if self.is_decided_without_query(&unrolling, &report) {
            let sizes = Sizes { events: unrolling.events.len() as u64, ..asked };
            self.note(&unrolling, sizes);
            let cut = sure_cuts(&unrolling, &report);
            if cut.is_empty() {
                return Ok(Some(self.complete(&unrolling, &report)));
            }
            let met = met(&unrolling, &report);
            self.tell_counted(&cut, &met);
            self.cover(self.deepening.covered(&met, &cut));
            self.deepening.take_notice(&self.session.facts.known());
            return Ok(if self.deepening.grow(&cut, &met) { None } else { Some(Ended::Bounded) });
        }
        let addresses = Known::new(&mut unrolling, &self.world);
        self.tell("encoding", Sizes::default());
        let solver = self.task.solving.solver();
        let looked_at = self.looked_at(&unrolling, &report);
        let reads = match self.task.bounds.contexts {
            None => Reads::ThatMatter(&looked_at),
            // What a context counts are all accesses.
            Some(_) => Reads::All,
        };
        let mut encoding =
            Encoding::new(solver, &mut unrolling, self.task.memory_model, &addresses, reads, self.budget)?;
        if let Some(switches) = self.task.bounds.contexts {
            encoding.bound_contexts(&mut unrolling, switches);
        }
        encoding.limit_conflicts(self.conflicts);
        self.note(&unrolling, encoding.sizes());
        for property in open {
            // Another engine may have answered meanwhile.
            if self.session.answers.is_open(property) {
                match self.ask(property, &mut unrolling, &mut encoding, &report) {
                    Ok(Some(verdict)) => self.give(&[property], &verdict),
                    Ok(None) => {}
                    Err(Ended::Effort) => {
                        self.put_off.insert(property);
                    }
                    Err(ended) => return Err(ended),
                }
                self.note(&unrolling, encoding.sizes());
            }
        }
        if self.open().is_empty() {
            return Ok(Some(Ended::Complete));
        }
        self.look_for_undefined(&mut unrolling, &mut encoding, &report)?;
        self.cover_for_now(&unrolling, &report);
        self.tell("checking bounds", encoding.sizes());
        let reached = self.reached_limits(&mut unrolling, &mut encoding, &report)?;
        self.note(&unrolling, encoding.sizes());
        if let Some(reason) = Self::obstacle(&reached, &unrolling) {
            return Ok(Some(Ended::Blocked(reason)));
        }
        self.look_for_more_switches(&mut unrolling, &mut encoding)?;
        if reached.is_empty() && !self.more_switches {
            return Ok(Some(self.complete(&unrolling, &report)));
        }
        let met = met(&unrolling, &report);
        self.tell_counted(&reached, &met);
        let covered = self.deepening.covered(&met, &reached);
        self.cover(Coverage { contexts: self.contexts(), ..covered });
        if reached.is_empty() {
            // Nothing but the context switches is bounded, and those are as many as were asked for.
            return Ok(Some(Ended::Bounded));
        }
        self.deepening.take_notice(&self.session.facts.known());
        Ok(if self.deepening.grow(&reached, &met) { None } else { Some(Ended::Bounded) })
    }

    /// Tells others where only loops of a known length were cut.
    fn tell_counted(&self, reached: &BTreeSet<LimitKind>, met: &Met<'_>) {
        let is_counted = |kind: &LimitKind| match kind {
            LimitKind::Loop(function, header) => !met.open_cuts.contains(&(*function, *header)),
            LimitKind::Recursion(_) | LimitKind::Threads | LimitKind::Unsupported(_) => false,
        };
        if reached.iter().all(is_counted) {
            self.session.facts.publish(Fact::Counted);
        }
    }

    /// How many context switches are covered, if they are bounded.
    fn contexts(&self) -> Option<Extent<u32>> {
        let bound = self.task.bounds.contexts?;
        Some(if self.more_switches { Extent::bounded(bound) } else { Extent::all(bound) })
    }

    /// Looks for an execution with more context switches than it may have. With larger bounds it is still one.
    fn look_for_more_switches(
        &mut self,
        unrolling: &mut Unrolling,
        encoding: &mut Encoding<'_>,
    ) -> Result<(), Ended> {
        if self.more_switches || self.task.bounds.contexts.is_none() {
            return Ok(());
        }
        let more = encoding.switches_more(&mut unrolling.terms);
        self.more_switches = match self.finds(unrolling, encoding, Question::Holds(more), "switches") {
            Ok(found) => found,
            // Whoever does not know says that there is one.
            Err(Ended::Effort) => true,
            Err(ended) => return Err(ended),
        };
        Ok(())
    }

    /// What will be asked, and what is looked at in models.
    fn looked_at(&self, unrolling: &Unrolling, report: &Report) -> Vec<TermId> {
        let looked_for = self.looked_for();
        let is_asked = |property| {
            looked_for.contains(&property) || property == Property::Overflow && self.looks_at_overflow
        };
        let checks = unrolling.checks.iter().filter(|check| is_asked(check.property));
        let asked = checks.flat_map(|check| [check.reached, check.violated, check.operations]);
        report.looked_at().into_iter().chain(asked).collect()
    }

    /// Whether what was folded while unrolling leaves nothing to ask, but for loops that are cut too early for sure.
    fn is_decided_without_query(&self, unrolling: &Unrolling, report: &Report) -> bool {
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
    fn complete(&mut self, unrolling: &Unrolling, report: &Report) -> Ended {
        let passed = |function, block| report.passed.contains(&(function, block));
        self.grounds.unreached = vacuity::unreached(self.task.program, passed);
        let covered = self.deepening.covered(&met(unrolling, report), &BTreeSet::new());
        self.grounds.coverage = Coverage { contexts: self.contexts(), ..covered };
        if let Some(most) = Always::of(&self.grounds.coverage) {
            // Loops of API models are not named in a coverage.
            let most = most.or_more(report.loops.values().copied().max().unwrap_or(0));
            self.session.facts.publish(Fact::Enough(most));
        }
        Ended::Complete
    }

    /// Unrolls the program. If it is larger than it may be, loops of a known length are followed step by step.
    fn unroll(&mut self) -> Result<(Unrolling, Report), Exhausted> {
        loop {
            self.options.bounds.clone_from(self.deepening.bounds());
            let assumptions = &mut self.assumptions;
            let unrolled = hypotheses::unroll(&mut self.world, &self.options, assumptions, self.budget)?;
            self.deepening.lift_caps();
            match unrolled {
                Some(unrolled) => return Ok(unrolled),
                None => self.deepening.go_in_steps(),
            }
        }
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
            Property::Assertion
            | Property::LockMisuse
            | Property::MemorySafety
            | Property::Overflow
            | Property::Arithmetic => {
                let is_it = |&check: &usize| unrolling.checks[check].property == property;
                let checks: Vec<usize> = (0..unrolling.checks.len()).filter(is_it).collect();
                let violations: Vec<TermId> =
                    checks.into_iter().map(|check| encoding.fails(unrolling, check)).collect();
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
            let mut overflows = unrolling.checks.iter().filter(|check| check.property == Property::Overflow);
            if overflows.any(|check| encoding.leaves_out(unrolling, check.violated)) {
                return Err(Ended::OverflowLeftOut);
            }
            let reader = Reader::new(unrolling, encoding, report, self.task.memory_model);
            if reader.is_some_and(|reader| reader.failing_check(Property::Overflow).is_some()) {
                return Err(Ended::PastOverflow);
            }
        }
        Ok(found.then(|| {
            self.tell("replaying", encoding.sizes());
            counterexample(self.task, property, (unrolling, encoding, report), self.budget)
        }))
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
            reader.question(&name, &encoding.script(unrolling, question, self.budget)?);
        }
        match encoding.ask(unrolling, question, self.budget) {
            Ok(Answer::Sat) => Ok(true),
            Ok(Answer::Unsat) => Ok(false),
            Ok(Answer::Unknown(Stop::Budget(why))) => Err(Ended::Exhausted(why)),
            Ok(Answer::Unknown(Stop::Conflicts)) => Err(Ended::Effort),
            Err(error) => Err(Ended::Blocked(Reason::Other(error.to_string()))),
        }
    }

    /// The limits that some execution reaches.
    fn reached_limits(
        &self,
        unrolling: &mut Unrolling,
        encoding: &mut Encoding<'_>,
        report: &Report,
    ) -> Result<BTreeSet<LimitKind>, Ended> {
        let mut open: BTreeMap<LimitKind, Vec<TermId>> = BTreeMap::new();
        let sure =
            if self.deepening.cuts_constant_loops() { sure_cuts(unrolling, report) } else { BTreeSet::new() };
        for limit in &unrolling.limits {
            if unrolling.terms.as_bool(limit.reached) != Some(false) && !sure.contains(&limit.kind) {
                let within = encoding.within_contexts(&mut unrolling.terms, limit.step);
                let reached = unrolling.terms.and(limit.reached, within);
                open.entry(limit.kind.clone()).or_default().push(reached);
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

    fn note(&mut self, unrolling: &Unrolling, sizes: Sizes) {
        self.session.answers.note_work(self.spent.with(sizes));
        let grounds = &mut self.grounds;
        grounds.sizes = sizes;
        let threads = u32::try_from(unrolling.threads.len()).unwrap_or(u32::MAX);
        grounds.coverage.threads = Some(Extent::all(threads));
        grounds.notes.clear();
        if let Some(solver) = self.task.solving.external {
            grounds.notes.push(format!("formulas are solved by `{solver}`"));
        }
    }
}

/// What an unrolling met.
fn met<'r>(unrolling: &Unrolling, report: &'r Report) -> Met<'r> {
    Met {
        loops: &report.loops,
        open_cuts: &report.open_cuts,
        recursions: &report.recursions,
        threads: unrolling.threads.len(),
    }
}

/// Whether a loop was cut in which another iteration follows whatever happens: that it can come so far is not worth asking.
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
