//! Looks further and further: a sequential program for each pair of bounds, given to a checker.

use std::cell::OnceCell;
use std::sync::Arc;

use raddle_base::{Budget, Exhausted, Span};
use raddle_ir::Property;
use raddle_ir::analyses::loop_names::loop_names;
use raddle_sequentialize::Pipeline;
use raddle_sequentialize::record::Record;

use super::bounds::{Bound, Bounds};
use super::guide::{self, Lost};
use super::observe::Note;
use super::transform::{Made, transform};
use super::{Question, Schema, Sequentialization, misses_reuse, observe, outside, records};
use crate::task::{Source, Status};
use crate::undefined::Undefined;
use crate::{
    Answer, Answers, Coverage, Engine as _, Evidence, Exchange, Extent, Grounds, LoopCoverage, Progress,
    Reason, Session, Task, Verdict,
};
use crate::{po_bmc, unknown_calls};

/// Why a counterexample of a sequential program may be none of the input.
const UNWRITTEN: &str =
    "an execution that may break the property depends on what memory holds that was never written";

/// The work under way.
pub(super) struct Work<'w> {
    engine: Sequentialization,
    task: &'w Task<'w>,
    session: &'w Session<'w>,
    budget: &'w Budget,
    /// What was seen to end executions by undefined behaviour that nobody asked for, or why that is not known.
    undefined: Undefined,
    /// Whether the program may notice that addresses come again, once somebody wants to know.
    misses_reuse: OnceCell<bool>,
    grounds: Grounds,
}

impl<'w> Work<'w> {
    pub(super) fn new(engine: Sequentialization, task: &'w Task<'w>, session: &'w Session<'w>) -> Self {
        let grounds = Grounds { engine: engine.name(), ..Grounds::default() };
        let (budget, undefined) = (session.budget, Undefined::Never);
        Self { engine, task, session, budget, undefined, misses_reuse: OnceCell::new(), grounds }
    }

    /// Answers for all properties.
    pub(super) fn go(mut self) {
        for property in self.session.answers.open() {
            if !self.engine.card().offers(property) {
                let why = format!("the engine {} does not check this property", self.engine.name());
                self.give(property, Verdict::Unknown(Reason::Other(why)));
            }
        }
        let rest = self.deepen();
        let grounds = Arc::new(self.grounds.clone());
        for property in self.session.answers.open() {
            match &rest {
                Some(reason) => self.session.answers.give_up(property, reason, &grounds),
                None => {
                    self.conclude(property, &Reason::Other("there is nothing to look at".to_owned()));
                }
            }
        }
    }

    /// What is not decided of those that go together.
    fn open(&self, question: Question) -> Vec<Property> {
        let mut open = self.session.answers.open();
        open.retain(|&property| Question::of(property) == question);
        open
    }

    fn tell(&self, phase: &'static str, bound: Bound) {
        self.session.report(phase, bound.shown(), self.grounds.sizes);
    }

    /// Looks further and further. The work on what is open then ends for this reason, if there is one.
    fn deepen(&mut self) -> Option<Reason> {
        let source = self.task.source?;
        let mut before: Option<Bound> = None;
        let mut is_unrolled = false;
        let mut bounds = Bounds::new(self.task);
        while let Some(bound) = bounds.next(&self.session.facts.known(), &self.session.answers.open()) {
            let open = Question::ALL.into_iter().filter(|&question| !self.open(question).is_empty());
            let open: Vec<Question> = open.collect();
            if open.is_empty() {
                return None;
            }
            // Where no loop is cut off, only rounds make a difference.
            if is_unrolled && before.is_some_and(|before| before.rounds == bound.rounds) {
                continue;
            }
            let mut coverage = bound.coverage(&self.task.sequential);
            let grounds = Arc::new(self.grounds.clone());
            self.session.answers.attempt(&self.session.answers.open(), &coverage, &grounds);
            if let Err(why) = self.budget.check() {
                return Some(Reason::Exhausted(why));
            }
            let (mut is_cut, mut labels) = (false, 0);
            for question in open {
                match self.ask(&source, bound, question, &mut coverage) {
                    Ok((None, made)) => {
                        is_cut |= made.is_cut;
                        labels = labels.max(made.labels.count());
                    }
                    Ok((stop @ Some(_), _)) => return stop,
                    Err(reason @ Reason::Exhausted(_)) => return Some(reason),
                    Err(reason) => {
                        // A pass cannot treat the program within the bounds at hand: what was covered before still holds.
                        self.open(question).into_iter().for_each(|property| self.conclude(property, &reason));
                    }
                }
            }
            let is_whole = !is_cut && coverage.loops.is_empty() && coverage.recursions.is_empty();
            let complete = is_whole && coverage.added_loops.is_none();
            coverage.unwind = Some(Extent { covered: bound.unwind, complete });
            self.cover(coverage);
            // In each round that makes a difference some thread goes on to its next label.
            is_unrolled = !is_cut;
            if is_unrolled && bound.rounds as usize > labels {
                return None;
            }
            before = Some(bound);
        }
        bounds.reason()
    }

    /// All that is open holds within bounds.
    fn cover(&mut self, coverage: Coverage) {
        let threads = self.grounds.coverage.threads;
        self.grounds.coverage = Coverage { threads, ..coverage };
        let grounds = Arc::new(self.grounds.clone());
        for property in self.session.answers.open() {
            let verdict = if *self.misses_reuse.get_or_init(|| misses_reuse(self.task)) {
                let why = "it may depend on whether two objects get the same address, which its sequential programs do not show";
                Verdict::Unknown(Reason::Other(why.to_owned()))
            } else {
                self.undefined.qualify(Evidence::Bounded(grounds.coverage.clone()))
            };
            self.session.answers.cover(property, verdict, &grounds);
        }
    }

    /// What was covered is the answer; without it nothing is known, for this reason.
    fn conclude(&self, property: Property, reason: &Reason) {
        if !self.session.answers.conclude(property) {
            self.give(property, Verdict::Unknown(reason.clone()));
        }
    }

    /// Makes a sequential program and looks at it; a reason is one to look no further.
    fn ask(
        &mut self,
        source: &Source<'_>,
        bound: Bound,
        question: Question,
        coverage: &mut Coverage,
    ) -> Result<(Option<Reason>, Made), Reason> {
        loop {
            self.tell("sequentializing", bound);
            let before = self.open(question).len();
            let made = transform(source, &self.pipeline(bound, question), self.budget)?;
            let stop = self.look(bound, question, &made, coverage)?;
            let after = self.open(question).len();
            // Where a backend sees a check fail it goes no further on that path: what others there are may be hidden behind it.
            let hides = self.task.outside.is_some() && after < before && after > 0;
            if !hides || stop.is_some() {
                return Ok((stop, made));
            }
        }
    }

    fn pipeline(&self, bound: Bound, question: Question) -> Pipeline {
        let mut pipeline = self.engine.pipeline(bound, self.task, question);
        if let Some(checker) = self.task.outside {
            pipeline.stages.extend(outside::passes(checker.backend(), bound.unwind, &self.open(question)));
        }
        pipeline
    }

    /// Looks within some bounds, and adds to what bounds these were; a reason is one to look no further.
    fn look(
        &mut self,
        bound: Bound,
        question: Question,
        made: &Made,
        coverage: &mut Coverage,
    ) -> Result<Option<Reason>, Reason> {
        let threads = u32::try_from(made.labels.threads()).unwrap_or(u32::MAX);
        self.grounds.coverage.threads = Some(Extent::all(threads));
        match self.task.outside {
            Some(checker) => self.look_outside(checker, bound, question, made),
            None => self.look_inside(bound, question, made, coverage),
        }
    }

    /// A checker of other people answers.
    fn look_outside(
        &mut self,
        checker: &dyn outside::Checker,
        bound: Bound,
        question: Question,
        made: &Made,
    ) -> Result<Option<Reason>, Reason> {
        self.tell("running the backend", bound);
        let printed = made.print();
        let answers = outside::ask(checker, &printed, bound.unwind, &self.open(question), self.budget);
        for (property, answer) in answers {
            match answer {
                // It takes functions without a body to do nothing.
                outside::Answer::Safe => {
                    if let Some(reason) = unknown_calls::first_stop(self.task.program) {
                        self.give(property, Verdict::Unknown(reason));
                    }
                }
                outside::Answer::Fails(record, what) => {
                    self.tell("replaying", bound);
                    let verdict = self.told(property, made, &record, &what, None);
                    self.give(property, verdict);
                }
                outside::Answer::Unknown(reason) => {
                    if self.budget.check().is_err() {
                        return Ok(Some(Reason::Exhausted(Exhausted::Time)));
                    }
                    self.give(property, Verdict::Unknown(reason));
                }
            }
        }
        Ok(None)
    }

    /// Our own checker answers.
    fn look_inside(
        &mut self,
        bound: Bound,
        question: Question,
        made: &Made,
        coverage: &mut Coverage,
    ) -> Result<Option<Reason>, Reason> {
        let lowering = self.task.source.map(|source| source.lowering.signed_overflow);
        let mut program = made.lower(lowering.unwrap_or_default())?;
        unknown_calls::let_return(&mut program, self.task.program);
        self.budget.check().map_err(Reason::Exhausted)?;
        let inner = Task {
            program: &program,
            source: None,
            outside: None,
            properties: self.open(question),
            excused: self.task.excused.clone(),
            bounds: crate::Bounds {
                unwind_max: Some(bound.unwind.max(LEAST_INNER)),
                ..crate::Bounds::default()
            },
            sequential: super::Options::default(),
            memory_model: self.task.memory_model,
            solving: self.task.solving,
            seed: self.task.seed,
            jobs: 1,
        };
        let shown = Shown { progress: self.session.progress, bound: bound.shown() };
        let answers = Answers::new(&inner.properties);
        // What others know is about the input, not about this program.
        let facts = Exchange::default();
        let session = Session { budget: self.budget, progress: &shown, answers: &answers, facts: &facts };
        po_bmc::PoBmc.answer(&inner, &session);
        self.grounds.sizes = self.grounds.sizes.with(answers.work());
        self.session.answers.note_work(self.grounds.sizes);
        let mut stop = None;
        for Answer { property, verdict, .. } in answers.finish(&Reason::Exhausted(Exhausted::Cancelled)) {
            match verdict {
                // Addresses are those of the sequential program, whose objects are others.
                Verdict::Violated(found) if found.trace().addresses.iter().any(|each| each.choice != 0) => {
                    let why = "an execution that may break the property depends on whether two objects get the same address";
                    self.give(property, Verdict::Unknown(Reason::Other(why.to_owned())));
                }
                Verdict::Violated(found) => {
                    self.tell("replaying", bound);
                    let what = found.trace().message.clone().unwrap_or_default();
                    let verdict = match self.record(&program, made, &found) {
                        Ok((record, doubt)) => self.told(property, made, &record, &what, doubt),
                        Err(why) => internal(&what, &why),
                    };
                    self.give(property, verdict);
                }
                Verdict::Safe(evidence) => self.add_bounds(coverage, &evidence),
                Verdict::SafeUnless(evidence, found) => {
                    self.add_bounds(coverage, &evidence);
                    self.note_undefined(&program, made, &found);
                }
                Verdict::Unknown(reason @ (Reason::Exhausted(_) | Reason::Effort(_))) => stop = Some(reason),
                Verdict::Unknown(Reason::Internal { message, .. }) => {
                    let message = format!("about the sequential program: {message}");
                    self.give(property, Verdict::Unknown(Reason::Internal { message, trace: None }));
                }
                Verdict::Unknown(
                    reason @ (Reason::Unsupported { .. }
                    | Reason::Bodiless { .. }
                    | Reason::NotProved { .. }
                    | Reason::Sampled(_)
                    | Reason::Other(_)),
                ) => self.give(property, Verdict::Unknown(reason)),
            }
        }
        Ok(stop)
    }

    /// An execution of the sequential program ends by undefined behaviour that nobody asked for.
    fn note_undefined(
        &mut self,
        program: &raddle_ir::Program,
        made: &Made,
        found: &raddle_vm::ReplayedTrace,
    ) {
        if self.undefined.is_known() {
            return;
        }
        let property = found.outcome().property().unwrap_or(Property::MemorySafety);
        let replayed = self.record(program, made, found).ok().and_then(|(record, _)| {
            guide::find(self.task.program, property, &record, &made.labels, self.budget).ok()
        });
        self.undefined = match replayed {
            Some(replayed) => Undefined::Seen(Box::new(replayed)),
            // What was guessed may be wrong, or the behaviour may be the sequential program's alone.
            None => Undefined::Perhaps(Reason::Other(format!(
                "an execution may end by undefined behaviour ({}), which is not checked",
                property.name()
            ))),
        };
    }

    fn give(&self, property: Property, verdict: Verdict) {
        self.session.answers.give(property, verdict, &Arc::new(self.grounds.clone()));
    }

    /// Adds the loops and recursions that our checker cut in the sequential program, by the names that they have in the input.
    fn add_bounds(&self, coverage: &mut Coverage, evidence: &Evidence) {
        let Evidence::Bounded(inner) = evidence else { return };
        let program = self.task.program;
        let named = loop_names(program);
        let mut added = coverage.added_loops;
        let mut add = |iterations: u32| added = Some(added.map_or(iterations, |least| least.min(iterations)));
        for entry in inner.open_loops() {
            let Some(own) = named.iter().find(|own| own.span == entry.span && own.span != Span::NONE) else {
                add(entry.iterations);
                continue;
            };
            match coverage.loops.iter_mut().find(|known| known.name == own.name) {
                Some(known) => known.iterations = known.iterations.min(entry.iterations),
                None => {
                    let function = program.functions[own.function].name.clone();
                    coverage.loops.push(LoopCoverage { name: own.name.clone(), function, ..entry.clone() });
                }
            }
        }
        for entry in inner.open_recursions() {
            let is_own = program.functions.values().any(|function| function.name == entry.function);
            if !is_own {
                add(entry.depth);
            } else if !coverage.recursions.contains(entry) {
                coverage.recursions.push(entry.clone());
            }
        }
        coverage.added_loops = added;
    }

    /// What an execution of the sequential program says about the input; and why that may be wrong, if there is a reason.
    fn record(
        &self,
        program: &raddle_ir::Program,
        made: &Made,
        found: &raddle_vm::ReplayedTrace,
    ) -> Result<(Record, Option<Reason>), String> {
        let seen = observe::watch(program, found).map_err(|error| error.to_string())?;
        // What the input does not ask for was chosen for a variable that has no initial value: in the input nothing is there.
        let asks = |span: Span| self.task.program.havocs.values().any(|havoc| havoc.span == span);
        let is_chosen = |note: &Note| matches!(note, Note::Input { span, .. } if !asks(*span));
        let is_unwritten = seen.notes.iter().any(is_chosen);
        let record = match self.engine.schema {
            Schema::Lazy => records::lazy(seen.notes),
            Schema::LalReps => records::lal_reps(seen.notes, made.rounds, &made.labels.ends()),
        };
        let lock = "an execution that may break the property depends on a lock that was never initialised";
        let looked = seen.looked.reason(program);
        let doubt = looked
            .or_else(|| seen.doubtful.then(|| Reason::Other(lock.to_owned())))
            .or_else(|| is_unwritten.then(|| Reason::Other(UNWRITTEN.to_owned())));
        Ok((record, doubt))
    }

    /// A counterexample of the sequential program as one of the input.
    fn told(
        &self,
        property: Property,
        made: &Made,
        record: &Record,
        what: &str,
        doubt: Option<Reason>,
    ) -> Verdict {
        let lost = match guide::find(self.task.program, property, record, &made.labels, self.budget) {
            Ok(replayed) => return Verdict::Violated(Box::new(replayed)),
            Err(lost) => lost,
        };
        if let Err(why) = self.budget.check() {
            return Verdict::Unknown(Reason::Exhausted(why));
        }
        match (lost, doubt) {
            (Lost::Unsupported(what, span), _) => Verdict::Unknown(Reason::Unsupported { what, span }),
            (Lost::MemoryError(_) | Lost::Unwritten | Lost::Otherwise(_), Some(doubt)) => {
                Verdict::Unknown(doubt)
            }
            (Lost::Unwritten, None) => Verdict::Unknown(Reason::Other(UNWRITTEN.to_owned())),
            (Lost::MemoryError(error), None) => {
                let why = format!(
                    "an execution that may break the property ends before, at a memory error that this engine does not see: {error}"
                );
                Verdict::Unknown(Reason::Other(why))
            }
            (Lost::Otherwise(why), None) => match unknown_calls::first_stop(self.task.program) {
                Some(reason) => Verdict::Unknown(reason),
                None => internal(what, &why),
            },
        }
    }
}

/// A counterexample does not lead back to the input: a mistake of ours, or of the checker.
fn internal(what: &str, why: &str) -> Verdict {
    let message = format!("a counterexample of the sequential program ({what}) is none of the input: {why}");
    Verdict::Unknown(Reason::Internal { message, trace: None })
}

/// Loops that stay in the sequential program (nobody sees their rounds) are followed at least so far.
const LEAST_INNER: u32 = 8;

/// Tells of the bounds of the schema beside those of the checker.
struct Shown<'s> {
    progress: &'s dyn Progress,
    bound: String,
}

impl Progress for Shown<'_> {
    fn update(&self, status: &Status) {
        self.progress.update(&Status { bound: self.bound.clone(), ..status.clone() });
    }
}
