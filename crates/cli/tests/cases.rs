//! One-file concurrent programs with their true verdicts, run by the VM under all schedules and under random ones.
//!
//! A case is a file `tests/cases/<topic>/<name>.c`; there is nothing to register. Its first lines say what is true of it:
//!
//! ```text
//! //@ property: assertion, deadlock   each is checked; several lines are allowed
//! //@ verdict: bug                    or safe: under all schedules and all inputs; or unknown: it comes upon something that
//!                                      is not supported, whose name has the text of `//@ reason: …` in it; so may a bug do elsewhere
//! //@ verdict-tso: bug                the same under the memory model tso, if it is to be looked at there; so is verdict-pso
//! //@ explore: random                 its interleavings are too many to go through them all (default: exhaustive)
//! //@ finds: exhaustive               only this way of exploring needs to find the bug (default: both, if explored)
//! //@ enumeration: unknown            what is safe is not seen to be so by runs: they come upon what `//@ reason: …` says
//! //@ executions: 6                   the number of maximal executions, derived by hand in a comment; under sc only
//! //@ contexts: 4                     the fewest context switches with which its bug shows, under sc
//! //@ models: lp64                    the data models it means anything in (default: both)
//! //@ bounds: unwind=2                for engines that need bounds; the VM does not
//! //@ signed-overflow: undefined      executions end at a signed overflow (default: wraps)
//! //@ address-reuse: never            no address is given out twice (default: possible)
//! ```
//!
//! Lines where a property may break end in `//~ BUG property`, perhaps with `thread=t1`; the main thread is t0. Every violation that is
//! found, under a memory model whose verdict is a bug, must be at such a line: both accesses of a data race, at least one of the threads of a deadlock. Every violation
//! found is recorded, written as JSON, read back, and must replay to the same place in the same step.
//!
//! Lines where executions end by undefined behaviour that is not asked for end in `//~ UNDEFINED property`: the exhaustive search comes
//! upon some of them, and upon no others.
//!
//! A wrong verdict (a violation that is not marked, or a complete search without the marked one) is reported first and
//! by that name. What a random run does not find is no wrong verdict, but fails the test too.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use raddle_base::{Diagnostics, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_cfront::preprocess::{Options as PreprocessOptions, Preprocessor};
use raddle_ir::passes::unknown_calls::{ThreadEnds, over_approximate};
use raddle_ir::{AddressReuse, Program, Property};
use raddle_lower::{ArithmeticChecks, Environment, LowerOptions, SignedOverflow, lower, models};
use raddle_vm::code::Place;
use raddle_vm::explore::{Exploration, Search, Strategy, explore};
use raddle_vm::schedule::{Pct, Random, RandomInputs, Scheduler};
use raddle_vm::{MemoryModel, Options, Outcome, ThreadId, Trace, Unwatched, Vm, replay, run};

/// Random runs of a program without bugs, for each property; of one with a bug, at most so many until it is found.
const RUNS_WITHOUT_BUG: u64 = 20;
const RUNS_WITH_BUG: u64 = 400;
/// Spin loops without end are left after so many steps.
const MAX_STEPS: u64 = 2_000;
/// No case that is searched whole has so many states.
const MAX_STATES: u64 = 200_000;
/// So many steps the reduced search may take; where that is not enough, only what it finds is compared.
const MAX_REDUCED: u64 = 20_000;

/// What a case says of itself.
struct Case {
    path: PathBuf,
    /// `topic/name`
    name: String,
    properties: Vec<Property>,
    verdict: Verdict,
    /// The verdicts under weak memory models, where they are given.
    weak: Vec<(MemoryModel, Verdict)>,
    /// What is not supported, of a case whose verdict is unknown.
    reason: Option<String>,
    /// Whether runs come upon that although the case is safe.
    unknown_to_runs: bool,
    exhaustive: bool,
    found_exhaustively: bool,
    found_by_chance: bool,
    executions: Option<u128>,
    contexts: Option<u32>,
    models: Vec<DataModel>,
    signed_overflow: SignedOverflow,
    address_reuse: AddressReuse,
    marks: Vec<Mark>,
    /// Where executions end by undefined behaviour that is not asked for.
    undefined: Vec<Mark>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Bug,
    Safe,
    Unknown,
}

/// `//~ BUG property thread=tN`
#[derive(Clone, Copy)]
struct Mark {
    line: u32,
    property: Property,
    thread: Option<ThreadId>,
}

/// What is wrong with a case, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    WrongVerdict,
    Replay,
    Count,
    NotFound,
    TooLarge,
    Build,
    Header,
}

impl Class {
    fn title(self) -> &'static str {
        match self {
            Self::WrongVerdict => "WRONG VERDICT",
            Self::Replay => "a violation that does not replay",
            Self::Count => "another number of executions",
            Self::NotFound => "a bug that chance did not find",
            Self::TooLarge => "too large to be searched whole",
            Self::Build => "a program that cannot be built or run",
            Self::Header => "a header that cannot be read",
        }
    }
}

struct Failure {
    class: Class,
    text: String,
}

/// What was done, for the summary.
#[derive(Default)]
struct Counts {
    programs: usize,
    searched: usize,
    /// Of which one execution of each class was walked.
    classes: u64,
    states: u64,
    /// With symmetry.
    reduced: u64,
    runs: u64,
    violations: usize,
    pinned: usize,
}

fn property_named(word: &str) -> Result<Property, String> {
    Property::from_name(word).ok_or_else(|| format!("no property is called `{word}`"))
}

fn parse_header(path: PathBuf, name: String, text: &str) -> Result<Case, String> {
    let mut case = Case {
        path,
        name,
        properties: Vec::new(),
        verdict: Verdict::Unknown,
        weak: Vec::new(),
        reason: None,
        unknown_to_runs: false,
        exhaustive: true,
        found_exhaustively: true,
        found_by_chance: true,
        executions: None,
        contexts: None,
        models: vec![DataModel::Lp64, DataModel::Ilp32],
        signed_overflow: SignedOverflow::Wraps,
        address_reuse: AddressReuse::Possible,
        marks: Vec::new(),
        undefined: Vec::new(),
    };
    let mut verdict = None;
    for (line, number) in text.lines().zip(1..) {
        if let Some(entry) = line.strip_prefix("//@ ") {
            let (key, value) = entry.split_once(": ").ok_or_else(|| format!("line {number}: no key"))?;
            header_entry(&mut case, &mut verdict, key, value.trim())
                .map_err(|problem| format!("line {number}: {problem}"))?;
        }
        if let Some((_, mark)) = line.split_once("//~ BUG ") {
            // Another mark may follow on the line.
            let mark = mark.split("//~").next().unwrap_or_default();
            let mut words = mark.split_whitespace();
            let property = property_named(words.next().unwrap_or_default())?;
            let thread = match words.next() {
                Some(word) => {
                    let thread = word.strip_prefix("thread=t").and_then(|thread| thread.parse().ok());
                    Some(thread.ok_or_else(|| format!("line {number}: no thread is called `{word}`"))?)
                }
                None => None,
            };
            case.marks.push(Mark { line: number, property, thread });
        }
    }
    for (line, number) in text.lines().zip(1..) {
        if let Some((_, word)) = line.split_once("//~ UNDEFINED ") {
            let property = property_named(word.trim())?;
            case.undefined.push(Mark { line: number, property, thread: None });
        }
    }
    case.verdict = verdict.ok_or("no verdict")?;
    if case.properties.is_empty() {
        return Err("no property".to_owned());
    }
    let has = |verdict: Verdict| case.verdicts().any(|(_, given)| given == verdict);
    if has(Verdict::Bug) == case.marks.is_empty() {
        return Err("a bug is marked where it is, and only a bug is".to_owned());
    }
    if case.unknown_to_runs && (has(Verdict::Unknown) || has(Verdict::Bug)) {
        return Err("only what is safe can be unknown to runs alone".to_owned());
    }
    let must_have_reason = has(Verdict::Unknown) || case.unknown_to_runs;
    let may_have_reason = must_have_reason || has(Verdict::Bug);
    if (must_have_reason && case.reason.is_none()) || (case.reason.is_some() && !may_have_reason) {
        return Err("what is unknown has a reason, and nothing that is safe has".to_owned());
    }
    if case.contexts.is_some() && case.verdict != Verdict::Bug {
        return Err("only a bug needs context switches".to_owned());
    }
    if case.marks.iter().any(|mark| !case.properties.contains(&mark.property)) {
        return Err("a mark names a property that is not checked".to_owned());
    }
    Ok(case)
}

impl Case {
    /// The verdicts under all memory models that it is looked at under.
    fn verdicts(&self) -> impl Iterator<Item = (MemoryModel, Verdict)> + '_ {
        std::iter::once((MemoryModel::Sc, self.verdict)).chain(self.weak.iter().copied())
    }
}

fn verdict_named(word: &str) -> Result<Verdict, String> {
    match word {
        "bug" => Ok(Verdict::Bug),
        "safe" => Ok(Verdict::Safe),
        "unknown" => Ok(Verdict::Unknown),
        _ => Err(format!("no verdict is called `{word}`")),
    }
}

fn header_entry(
    case: &mut Case,
    verdict: &mut Option<Verdict>,
    key: &str,
    value: &str,
) -> Result<(), String> {
    match (key, value) {
        ("property", _) => {
            for word in value.split(',') {
                case.properties.push(property_named(word.trim())?);
            }
        }
        ("verdict", _) => *verdict = Some(verdict_named(value)?),
        ("verdict-tso", _) => case.weak.push((MemoryModel::Tso, verdict_named(value)?)),
        ("verdict-pso", _) => case.weak.push((MemoryModel::Pso, verdict_named(value)?)),
        ("reason", _) => case.reason = Some(value.to_owned()),
        ("enumeration", "unknown") => case.unknown_to_runs = true,
        ("explore", "exhaustive") => {}
        ("explore", "random") => {
            case.exhaustive = false;
            case.found_exhaustively = false;
        }
        ("finds", "exhaustive") => case.found_by_chance = false,
        ("finds", "random") => case.found_exhaustively = false,
        ("executions", _) => {
            let number = value.parse().map_err(|_| format!("`{value}` is no number"))?;
            case.executions = Some(number);
        }
        ("contexts", _) => {
            let number = value.parse().map_err(|_| format!("`{value}` is no number"))?;
            case.contexts = Some(number);
        }
        ("address-reuse", "never") => case.address_reuse = AddressReuse::Never,
        ("signed-overflow", "wraps") => {}
        ("signed-overflow", "undefined") => case.signed_overflow = SignedOverflow::Undefined,
        ("models", "lp64") => case.models = vec![DataModel::Lp64],
        ("models", "ilp32") => case.models = vec![DataModel::Ilp32],
        ("bounds", _) => {
            let is_bound = |bound: &str| {
                bound.split_once('=').is_some_and(|(_, number)| number.trim().parse::<u32>().is_ok())
            };
            if !value.split(',').all(is_bound) {
                return Err(format!("`{value}` is no list of bounds"));
            }
        }
        _ => return Err(format!("`{key}: {value}` means nothing here")),
    }
    Ok(())
}

/// A case as a program, and the texts it came from.
struct Built {
    sources: SourceMap,
    program: Program,
}

fn build(case: &Case, model: DataModel) -> Result<Built, String> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let mut preprocessor = Preprocessor::new(PreprocessOptions { model, ..PreprocessOptions::default() });
    let file = preprocessor.load(&mut sources, &case.path, &mut diagnostics);
    let (name, text) = models();
    let units: Vec<_> = file.into_iter().chain(sources.add(name, text.into_bytes())).collect();
    let parsed = parse_program(&mut sources, &units, model);
    diagnostics.append(parsed.diagnostics);
    let mut program = None;
    if !diagnostics.has_errors() {
        let options = LowerOptions {
            arithmetic: ArithmeticChecks::of(&case.properties),
            signed_overflow: case.signed_overflow,
            environment: Environment { address_reuse: case.address_reuse, ..Environment::default() },
            ..LowerOptions::default()
        };
        let lowered = lower(&parsed.ast, options, 1);
        diagnostics.append(lowered.diagnostics);
        program = lowered.program;
    }
    match program {
        Some(program) if !diagnostics.has_errors() => {
            // What is safe is so whatever functions without a body do; others stop at their calls.
            let is_about_deadlock = case.properties.contains(&Property::Deadlock);
            let ends = if is_about_deadlock { ThreadEnds::Ignored } else { ThreadEnds::Possible };
            let returning =
                if case.verdict == Verdict::Safe { over_approximate(&program, ends) } else { None };
            Ok(Built { sources, program: returning.map_or(program, |made| made.program) })
        }
        _ => Err(diagnostics.iter().map(|found| format!("{}; ", found.message)).collect()),
    }
}

impl Built {
    fn line(&self, place: Place) -> u32 {
        self.sources.locate(place.span(&self.program).lo).map_or(0, |location| location.line)
    }

    /// The innermost place that is not in a model.
    fn user(&self, stack: &[Place]) -> Option<Place> {
        stack.iter().copied().find(|place| !self.program.functions[place.function].model)
    }

    /// What broke and where: the lines, with the threads that stand there.
    fn places(&self, outcome: &Outcome) -> Vec<(u32, ThreadId)> {
        match outcome {
            Outcome::Violated(violation) => match &violation.race {
                Some(race) => {
                    let access = |access: &raddle_vm::race::Access| (self.line(access.user), access.thread);
                    vec![access(&race.first), access(&race.second)]
                }
                None => {
                    let place = self.user(&violation.stack);
                    vec![(place.map_or(0, |place| self.line(place)), violation.thread)]
                }
            },
            Outcome::Deadlock(deadlock) => {
                deadlock.waiters.iter().map(|waiter| (self.line(waiter.user), waiter.thread)).collect()
            }
            Outcome::Exited(_)
            | Outcome::Unsupported { .. }
            | Outcome::StepLimit
            | Outcome::Stopped
            | Outcome::Halted
            | Outcome::Exhausted(_) => Vec::new(),
        }
    }
}

/// One case in one data model under one memory model.
struct Check<'c> {
    case: &'c Case,
    model: DataModel,
    memory_model: MemoryModel,
    verdict: Verdict,
    built: &'c Built,
    failures: Vec<Failure>,
    counts: Counts,
}

impl Check<'_> {
    fn fail(&mut self, class: Class, what: &str) {
        let memory_model = self.memory_model.name();
        let text = format!("{} ({:?}, {memory_model}): {what}", self.case.name, self.model);
        self.failures.push(Failure { class, text });
    }

    /// Where properties break under this memory model.
    fn marks(&self) -> &[Mark] {
        match self.verdict {
            Verdict::Bug => &self.case.marks,
            Verdict::Safe | Verdict::Unknown => &[],
        }
    }

    /// A violation was found: is it one of those that there are, and does it replay?
    fn violation(&mut self, vm: &Vm<'_>, outcome: &Outcome, trace: &Trace, how: &str) {
        self.counts.violations += 1;
        let Some(property) = outcome.property() else { return };
        let places = self.built.places(outcome);
        let is_marked = |&(line, thread): &(u32, ThreadId)| {
            self.marks().iter().any(|mark| {
                mark.line == line
                    && mark.property == property
                    && mark.thread.is_none_or(|marked| marked == thread)
            })
        };
        let expected = match property {
            Property::Deadlock => places.iter().any(is_marked),
            Property::Assertion
            | Property::LockMisuse
            | Property::DataRace
            | Property::MemorySafety
            | Property::Overflow
            | Property::Arithmetic
            | Property::Leak
            | Property::Cleanup
            | Property::Uninitialised => places.iter().all(is_marked),
        };
        if !expected {
            let message = if let Outcome::Violated(violation) = outcome { &violation.message } else { "" };
            let text = format!("{how} finds {} at {places:?}: {message}", property.name());
            self.fail(Class::WrongVerdict, &text);
        }
        let again = Trace::from_json(&trace.to_json());
        let replayed = again.map_err(|error| error.to_string()).and_then(|again| {
            if again != *trace {
                return Err("the trace is another one after JSON".to_owned());
            }
            replay(vm, &again, &Options::default(), &mut Unwatched).map_err(|error| error.to_string())
        });
        match replayed {
            Ok(replayed) => {
                let same_place = self.built.places(replayed.outcome()) == places;
                if !same_place || trace.failing_step != Some(replayed.steps()) {
                    let text = format!("{how}: {} is replayed to another place or step", property.name());
                    self.fail(Class::Replay, &text);
                }
            }
            Err(error) => self.fail(Class::Replay, &format!("{how}: {}: {error}", property.name())),
        }
    }

    /// One execution of each class must say the same, as far as they are few.
    fn classes(&mut self, vm: &Vm<'_>, all: &Exploration) {
        if self.memory_model != MemoryModel::Sc {
            return;
        }
        let search =
            Search { strategy: Strategy::Dpor, max_states: MAX_REDUCED, max_depth: 300, ..Search::default() };
        let found = explore(vm, &search);
        for violation in &found.violations {
            self.violation(vm, violation.outcome(), violation.trace(), "optimal reduction");
        }
        let is_complete = found.limit.is_none();
        self.counts.classes += u64::from(is_complete);
        for &property in &self.case.properties {
            if found.breaks(property) != all.breaks(property) && (is_complete || found.breaks(property)) {
                let text = format!("optimal reduction and exhaustive search differ on {}", property.name());
                self.fail(Class::WrongVerdict, &text);
            }
        }
        if is_complete && found.unsupported.is_empty() != all.unsupported.is_empty() {
            self.fail(Class::WrongVerdict, "optimal reduction misses what is not supported, or makes it up");
        }
    }

    fn unsupported(&mut self, what: &str) {
        if !self.case.reason.as_ref().is_some_and(|reason| what.contains(reason)) {
            self.fail(Class::Build, &format!("comes upon what is not supported: {what}"));
        }
    }

    /// The properties that the case says are broken.
    fn broken(&self) -> Vec<Property> {
        let marked = |property: &&Property| self.marks().iter().any(|mark| mark.property == **property);
        self.case.properties.iter().filter(marked).copied().collect()
    }

    fn all_schedules(&mut self) {
        let vm =
            Vm::checking(&self.built.program, &self.case.properties).with_memory_model(self.memory_model);
        let search = Search { symmetry: false, max_states: MAX_STATES, ..Search::default() };
        let found = explore(&vm, &search);
        self.counts.searched += 1;
        self.counts.states += found.states;
        for violation in &found.violations {
            self.violation(&vm, violation.outcome(), violation.trace(), "exhaustive search");
        }
        for (what, _) in &found.unsupported {
            self.unsupported(what);
        }
        let is_unknown = self.verdict == Verdict::Unknown || self.case.unknown_to_runs;
        if is_unknown && found.unsupported.is_empty() {
            self.fail(Class::WrongVerdict, "nothing that is not supported is come upon");
        }
        if found.limit.is_some() {
            let text = format!("after {} states: {:?}", found.states, found.limit);
            self.fail(Class::TooLarge, &text);
            return;
        }
        self.undefined(&found);
        self.classes(&vm, &found);
        self.symmetry(&found, &explore(&vm, &Search { symmetry: true, ..search.clone() }));
        for property in self.broken() {
            if self.case.found_exhaustively && !found.breaks(property) {
                let text = format!("exhaustive search does not find {}", property.name());
                self.fail(Class::WrongVerdict, &text);
            }
        }
        if let Some(fewest) = self.case.contexts.filter(|_| self.memory_model == MemoryModel::Sc) {
            self.few_switches(&vm, &search, fewest);
        }
        let pinned = self.case.executions.filter(|_| self.memory_model == MemoryModel::Sc);
        if let Some(expected) = pinned {
            let apart = explore(&vm, &Search { strategy: Strategy::Executions, ..search });
            self.counts.pinned += 1;
            for (executions, how) in [(found.executions, "with hashing"), (apart.executions, "one by one")] {
                if executions != Some(expected) {
                    let text = format!("{executions:?} executions instead of {expected} when counted {how}");
                    self.fail(Class::Count, &text);
                }
            }
        }
    }

    /// Does the bug show with so many context switches, and not with fewer?
    fn few_switches(&mut self, vm: &Vm<'_>, search: &Search<'_>, fewest: u32) {
        for bound in fewest.saturating_sub(1)..=fewest {
            let found = explore(vm, &Search { contexts: Some(bound), ..search.clone() });
            for property in self.broken() {
                if found.breaks(property) != (bound == fewest) {
                    let what = if bound == fewest { "does not show" } else { "shows" };
                    let text = format!("{} {what} within {bound} context switches", property.name());
                    self.fail(Class::WrongVerdict, &text);
                }
            }
        }
    }

    /// Does a search that takes threads for equal find the same in fewer states?
    fn symmetry(&mut self, found: &Exploration, reduced: &Exploration) {
        let different = |property: &&Property| found.breaks(**property) != reduced.breaks(**property);
        if let Some(property) = self.case.properties.iter().find(different) {
            let text = format!("symmetry changes what is found of {}", property.name());
            self.fail(Class::WrongVerdict, &text);
        }
        let words = |found: &Exploration| {
            let exits = found.exits.iter().map(|exit| format!("{exit:?}"));
            let others = found.unsupported.iter().map(|(what, _)| what.clone());
            exits.chain(others).collect::<BTreeSet<String>>()
        };
        if words(found) != words(reduced) || found.passed != reduced.passed {
            self.fail(Class::WrongVerdict, "symmetry changes where executions come to");
        }
        // Where no two threads are equal after all, joins that are made late cost a few states.
        if reduced.states > found.states + found.states / 8 {
            let text = format!("symmetry: {} states instead of {}", reduced.states, found.states);
            self.fail(Class::WrongVerdict, &text);
        }
        self.counts.reduced += reduced.states;
    }

    /// Are executions that end by undefined behaviour those that there are?
    fn undefined(&mut self, found: &Exploration) {
        for trace in &found.undefined {
            let (property, places) = (trace.outcome().property(), self.built.places(trace.outcome()));
            let is_marked = |&(line, _): &(u32, ThreadId)| {
                self.case.undefined.iter().any(|mark| mark.line == line && Some(mark.property) == property)
            };
            if !places.iter().all(is_marked) {
                let text = format!("an execution ends by undefined behaviour at {places:?}: {property:?}");
                self.fail(Class::WrongVerdict, &text);
            }
        }
        if found.undefined.is_empty() && !self.case.undefined.is_empty() {
            self.fail(Class::WrongVerdict, "no execution ends by undefined behaviour");
        }
    }

    fn random_schedules(&mut self) {
        let all =
            Vm::checking(&self.built.program, &self.case.properties).with_memory_model(self.memory_model);
        let broken = self.broken();
        for &property in &self.case.properties {
            let vm = all.only(property);
            let expected = broken.contains(&property) && self.case.found_by_chance;
            let mut found = false;
            for seed in 0..if expected { RUNS_WITH_BUG } else { RUNS_WITHOUT_BUG } {
                let mut random = Random::new(seed);
                let mut pct = Pct::new(seed, 3, 40);
                let scheduler: &mut dyn Scheduler = if seed % 2 == 0 { &mut random } else { &mut pct };
                let options = Options { max_steps: MAX_STEPS, ..Options::default() };
                let result = run(&vm, scheduler, &mut RandomInputs::new(seed), &options, &mut Unwatched);
                self.counts.runs += 1;
                if let Outcome::Unsupported { what, .. } = &result.outcome {
                    self.unsupported(what);
                    break;
                }
                if result.outcome.property().is_some() {
                    let how = format!("random run {seed}");
                    self.violation(&vm, &result.outcome, &result.trace, &how);
                    found = true;
                    break;
                }
            }
            if expected && !found {
                self.fail(Class::NotFound, &format!("{} in {RUNS_WITH_BUG} random runs", property.name()));
            }
        }
    }
}

fn check(case: &Case) -> (Vec<Failure>, Counts) {
    let (mut failures, mut counts) = (Vec::new(), Counts::default());
    for &model in &case.models {
        counts.programs += 1;
        let built = match build(case, model) {
            Ok(built) => built,
            Err(problem) => {
                let text = format!("{} ({model:?}): {problem}", case.name);
                failures.push(Failure { class: Class::Build, text });
                continue;
            }
        };
        let invalid = raddle_ir::validate::validate(&built.program);
        if !invalid.is_empty() {
            let text = format!("{} ({model:?}): not valid: {invalid:?}", case.name);
            failures.push(Failure { class: Class::Build, text });
            continue;
        }
        for (memory_model, verdict) in case.verdicts() {
            let mut check = Check {
                case,
                model,
                memory_model,
                verdict,
                built: &built,
                failures: Vec::new(),
                counts: Counts::default(),
            };
            if case.exhaustive {
                check.all_schedules();
            }
            check.random_schedules();
            failures.append(&mut check.failures);
            counts.add(&check.counts);
        }
    }
    (failures, counts)
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.programs += other.programs;
        self.searched += other.searched;
        self.classes += other.classes;
        self.states += other.states;
        self.reduced += other.reduced;
        self.runs += other.runs;
        self.violations += other.violations;
        self.pinned += other.pinned;
    }
}

/// The C files under a folder, two levels deep, in order.
fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let topics = entries(folder).into_iter().filter(|path| path.is_dir());
    let files = topics.flat_map(|topic| entries(&topic));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect()
}

#[expect(clippy::disallowed_methods, reason = "the tests read their cases")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// `RADDLE_CASES=topic/na` runs only the cases whose names have that in them.
#[expect(clippy::disallowed_methods, reason = "the environment chooses the cases")]
fn wanted(name: &str) -> bool {
    std::env::var("RADDLE_CASES").map_or(true, |part| name.contains(&part))
}

#[test]
fn every_case_has_its_verdict() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let (mut cases, mut failures) = (Vec::new(), Vec::new());
    for path in c_files(&root) {
        let name = path.strip_prefix(&root).unwrap().with_extension("").to_string_lossy().replace('\\', "/");
        let text = read(&path);
        if !wanted(&name) {
            continue;
        }
        match parse_header(path, name.clone(), &text) {
            Ok(case) => cases.push(case),
            Err(problem) => {
                failures.push(Failure { class: Class::Header, text: format!("{name}: {problem}") });
            }
        }
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new((failures, Counts::default()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (mut failures, counts) = check(case);
                    let mut done = done.lock().unwrap();
                    done.0.append(&mut failures);
                    done.1.add(&counts);
                }
            });
        }
    });
    let (mut failures, counts) = done.into_inner().unwrap();
    failures.sort_by(|left, right| (left.class, &left.text).cmp(&(right.class, &right.text)));
    let has_bug = |case: &&Case| case.verdicts().any(|(_, verdict)| verdict == Verdict::Bug);
    let bugs = cases.iter().filter(has_bug).count();
    println!(
        "{} cases ({bugs} with a bug), {} programs, {} searched whole ({} states, {} with symmetry; one execution of each class \
         of {}), {} random runs, {} violations found and replayed, {} counts of executions as pinned; {} failures",
        cases.len(),
        counts.programs,
        counts.searched,
        counts.states,
        counts.reduced,
        counts.classes,
        counts.runs,
        counts.violations,
        counts.pinned,
        failures.len(),
    );
    let mut report = String::new();
    let mut last = None;
    for failure in &failures {
        if last != Some(failure.class) {
            let _ = writeln!(report, "{}:", failure.class.title());
            last = Some(failure.class);
        }
        let _ = writeln!(report, "  {}", failure.text);
    }
    assert!(failures.is_empty(), "{} failures\n{report}", failures.len());
}

#[test]
fn headers_that_say_nothing_are_refused() {
    let parse = |text: &str| parse_header(PathBuf::new(), String::new(), text).map(|_| ());
    let good = "//@ property: assertion, data-race\n//@ verdict: bug\nx; //~ BUG data-race thread=t2\n";
    assert_eq!(parse(good), Ok(()));
    assert_eq!(parse(&good.replace("verdict: bug", "verdict: safe\n//@ verdict-pso: bug")), Ok(()));
    for (from, to) in [
        ("assertion,", "assertions,"),
        ("verdict: bug", "verdict: perhaps"),
        ("//@ verdict: bug\n", ""),
        ("//@ verdict", "//@ wish: none\n//@ verdict"),
        ("//@ verdict", "//@ executions: many\n//@ verdict"),
        ("//@ verdict", "//@ bounds: unwind\n//@ verdict"),
        ("//@ verdict", "//@ contexts: few\n//@ verdict"),
        ("verdict: bug", "verdict: safe"),
        ("verdict: bug", "verdict: unknown"),
        ("verdict: bug", "verdict: safe\n//@ verdict-tso: safe"),
        ("verdict: bug", "verdict: bug\n//@ verdict-tso: perhaps"),
        ("verdict: bug", "verdict: bug\n//@ verdict-rmo: bug"),
        ("//~ BUG data-race thread=t2", ""),
        ("thread=t2", "thread=main"),
        ("BUG data-race", "BUG deadlock"),
    ] {
        let text = good.replace(from, to);
        assert!(text != good && parse(&text).is_err(), "{text}");
    }
}

#[test]
fn there_are_enough_cases_of_both_kinds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let texts: Vec<String> = c_files(&root).iter().map(|path| read(path)).collect();
    let having = |part: &str| texts.iter().filter(|text| text.contains(part)).count();
    assert!(texts.len() >= 130, "{} cases", texts.len());
    assert!(having("//@ verdict: bug") >= 60 && having("//@ verdict: safe") >= 60);
    assert!(having("//@ executions: ") >= 12, "{} pinned counts", having("//@ executions: "));
}
