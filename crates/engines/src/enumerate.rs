//! Engine `exhaustive`: every interleaving, one state after the other, in the VM.
//!
//! For small programs and as the oracle of the other engines. It says `SAFE` only when every state was visited: no limit was
//! met, inputs took all their values and nothing unsupported was come upon. So it is never wrong where the VM is right; it
//! may not come to an end.
//!
//! Of states that differ only in which thread is which, one is visited (`raddle_vm::explore`).
//!
//! Data races are those of the definition: what happens before what is part of a state (`raddle_vm::race`), so nothing is
//! assumed about how threads communicate.
//!
//! An execution ends where it breaks most properties ([`ends_execution`]). That must not hide what another property would meet behind
//! that point (an unlock by a non-owner breaks one property and the program goes on), so the search is made again without the broken
//! ones, until none of those looked for has cut an execution short. Behind a data race the search went on, and behind a deadlock there is
//! nothing: what such a search says of the other properties is said. One that met a limit is made again all the same, because it may
//! come to its end when it asks for less. What another engine has decided meanwhile is not reported, and is no reason to search
//! again.

use std::ops::ControlFlow;
use std::sync::Arc;

use raddle_base::Exhausted;
use raddle_ir::{Program, Property};
use raddle_vm::explore::{Follower, LeakDoubt, Limit, ends_execution};
use raddle_vm::{Exploration, Search, Vm, explore};

use crate::undefined::Undefined;
use crate::{
    Card, Coverage, Effort, Engine, EngineOption, Evidence, Extent, Grounds, MemoryModel, Reason, Session,
    Sizes, Task, Unsupported, Verdict, vacuity,
};

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Enumerate;

impl Engine for Enumerate {
    fn card(&self) -> &'static Card {
        &Card {
            name: "exhaustive",
            about: "every interleaving, one after the other: for small programs",
            properties: Property::ALL,
            memory_models: MemoryModel::ALL,
            options: &[EngineOption::Contexts],
            rewrites_source: false,
        }
    }

    fn supports(&self, task: &Task<'_>) -> Result<(), Unsupported> {
        self.card().bounds_contexts(task)
    }

    fn answer(&self, task: &Task<'_>, session: &Session<'_>) {
        Enumeration::new(self.name(), Search::default(), task, session).go();
    }
}

/// The work under way.
pub(crate) struct Enumeration<'e> {
    task: &'e Task<'e>,
    session: &'e Session<'e>,
    /// Which executions are searched, and how far.
    search: Search<'e>,
    /// The properties that no search has seen broken, and nobody has decided.
    open: Vec<Property>,
    /// Of the searches that came to their end.
    done: Sizes,
    grounds: Grounds,
}

impl<'e> Enumeration<'e> {
    /// Nothing is searched yet.
    pub(crate) fn new(
        engine: &'static str,
        search: Search<'e>,
        task: &'e Task<'e>,
        session: &'e Session<'e>,
    ) -> Self {
        let grounds = first_grounds(engine, task);
        Self { task, session, search, open: session.answers.open(), done: Sizes::default(), grounds }
    }

    /// Searches until none of the properties that are looked for is broken.
    pub(crate) fn go(mut self) {
        let last = loop {
            let found = self.search();
            note_threads(&mut self.grounds, found.threads);
            self.grounds.coverage.contexts = self.contexts(&found);
            self.give_violations(&found);
            self.done.states += found.states;
            self.grounds.sizes = self.done;
            let searched = std::mem::replace(&mut self.open, self.session.answers.open());
            let hides = |&&property: &&Property| {
                found.breaks(property) && (ends_execution(property) || found.limit.is_some())
            };
            let hidden = searched.iter().find(hides);
            if self.open.is_empty() || hidden.is_none() || stopped(&found).is_some() {
                break found;
            }
        };
        self.grounds.sizes.executions =
            last.executions.map_or(0, |count| u64::try_from(count).unwrap_or(u64::MAX));
        if self.task.properties.contains(&Property::Assertion) && last.limit.is_none() && !last.more_switches
        {
            let passed = |function, block| last.passed.contains(function, block);
            self.grounds.unreached = vacuity::unreached(self.task.program, passed);
        }
        self.session.answers.note_work(self.grounds.sizes);
        let verdicts: Vec<(Property, Verdict)> =
            self.open.iter().map(|&property| (property, self.verdict(property, &last))).collect();
        self.session.answers.give_all(verdicts, self.grounds);
    }

    /// How many context switches the executions had that were searched, if that was bounded.
    fn contexts(&self, found: &Exploration) -> Option<Extent<u32>> {
        let bound = self.task.bounds.contexts?;
        Some(if found.more_switches { Extent::bounded(bound) } else { Extent::all(bound) })
    }

    fn search(&self) -> Exploration {
        let session = self.session;
        let follow = |found: &Exploration| {
            let walked = found.executions.filter(|_| found.done.is_some()).unwrap_or(0);
            let executions = u64::try_from(walked).unwrap_or(u64::MAX);
            let sizes = Sizes { states: self.done.states + found.states, executions, ..self.done };
            session.report("enumerating", names(&self.open), sizes);
            self.give_violations(found);
            if session.answers.open().is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let vm = Vm::checking(self.task.program, &self.open).with_memory_model(self.task.memory_model);
        let contexts = self.task.bounds.contexts;
        let (budget, progress): (_, Option<&Follower<'_>>) = (Some(session.budget), Some(&follow));
        explore(&vm, &Search { contexts, budget, progress, ..self.search.clone() })
    }

    /// The first violation of each property is its answer.
    fn give_violations(&self, found: &Exploration) {
        for violation in &found.violations {
            let Some(property) = violation.outcome().property() else { continue };
            if self.session.answers.is_open(property) {
                let verdict = Verdict::Violated(Box::new(violation.clone()));
                let mut grounds = self.grounds.clone();
                grounds.sizes.states = self.done.states + found.states;
                note_threads(&mut grounds, found.threads);
                self.session.answers.give(property, verdict, &Arc::new(grounds));
            }
        }
    }

    /// What the last search, in which nothing was hidden from it, says about a property that it did not see broken.
    fn verdict(&self, property: Property, last: &Exploration) -> Verdict {
        let rest = match verdict(self.task.program, last, &self.grounds.coverage, &self.search) {
            Verdict::Safe(evidence) => Undefined::among(self.task, &last.undefined).qualify(evidence),
            other @ (Verdict::Violated(_) | Verdict::SafeUnless(..) | Verdict::Unknown(_)) => other,
        };
        let is_proof = matches!(rest, Verdict::Safe(_) | Verdict::SafeUnless(..));
        if property == Property::Uninitialised && self.task.memory_model.is_weak() {
            let why = "values that were never written are not followed under weak memory models";
            return Verdict::Unknown(Reason::Other(why.to_owned()));
        }
        if property == Property::Leak && is_proof {
            return last.leak_doubt.map_or(rest, doubtful_leak);
        }
        rest
    }
}

/// Why a search was given up, if it was; a too long execution does not end it.
fn stopped(found: &Exploration) -> Option<Exhausted> {
    match found.limit {
        Some(Limit::Budget(why)) => Some(why),
        Some(Limit::States | Limit::Blocks | Limit::Depth | Limit::Delayed | Limit::Enough) | None => None,
    }
}

/// What a search says about each of the properties that it did not see broken.
fn verdict(program: &Program, found: &Exploration, coverage: &Coverage, search: &Search<'_>) -> Verdict {
    let reason = match (found.limit, found.unsupported.first()) {
        (Some(Limit::Budget(why)), _) => Reason::Exhausted(why),
        (_, Some((what, place))) => Reason::Unsupported { what: what.clone(), span: place.span(program) },
        (Some(Limit::States | Limit::Enough), _) => Reason::Effort(Effort::States),
        (Some(Limit::Blocks), _) => Reason::Effort(Effort::Instructions),
        (Some(Limit::Depth), _) => Reason::Effort(Effort::Steps(search.max_depth)),
        (Some(Limit::Delayed), _) => Reason::Effort(Effort::DelayedStores(search.max_delayed)),
        (None, None) if found.sampled => Reason::Sampled("inputs took only some of their values".to_owned()),
        (None, None) if found.more_switches => return Verdict::Safe(Evidence::Bounded(coverage.clone())),
        (None, None) => return Verdict::Safe(Evidence::Enumerated),
    };
    Verdict::Unknown(reason)
}

fn doubtful_leak(doubt: LeakDoubt) -> Verdict {
    let why = match doubt {
        LeakDoubt::OnlyRegisters(_) => {
            "when the program ends, only a local variable, which may be out of scope, points to memory that was allocated"
        }
        LeakDoubt::WithoutEnd(_) => "memory may be lost in an execution that does not end",
    };
    Verdict::Unknown(Reason::Other(why.to_owned()))
}

/// So many threads were seen.
pub(crate) fn note_threads(grounds: &mut Grounds, threads: usize) {
    let threads = u32::try_from(threads).unwrap_or(u32::MAX).max(grounds.coverage.thread_count());
    grounds.coverage.threads = Some(Extent::all(threads));
}

/// What is known before the work begins; also which parts of the task an engine that runs programs passes over.
pub(crate) fn first_grounds(engine: &'static str, task: &Task<'_>) -> Grounds {
    let mut grounds = Grounds { engine, ..Grounds::default() };
    note_threads(&mut grounds, 1);
    if task.bounds.bounds_more_than_contexts() {
        let note = "bounds on loops and threads were not used: programs are run to their end";
        grounds.notes.push(note.to_owned());
    }
    grounds
}

fn names(properties: &[Property]) -> String {
    properties.iter().map(|property| property.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Answers, Bounds, MemoryModel, NoProgress, Outcome, Solving};
    use raddle_base::Budget;
    use raddle_ir::text::parse_program;

    /// Two threads add one to `x` each; `join` follows.
    const LOST: &str = "program pointer_bits 64 entry f0
        global g0 \"x\" size 4 align 4 shape signed i32 {}
        function f0 \"main\" () {
          registers r0: i32, r1: i32, r2: i32, r3: i1
        b0:
          r0 = fork @add(null)
          r1 = fork @add(null)
          join r0
          join r1
          r2 = load i32 [@x]
          r3 = equal r2, i32 2
          check assertion r3, \"x == 2\" @5-6
          exit_process i32 0
        }
        function f1 \"add\" (r0) -> ptr {
          registers r0: ptr, r1: i32
        b0:
          r1 = load i32 [@x]
          r1 = add r1, i32 1
          store i32 [@x], r1
          return null
        }";

    fn answer(text: &str, properties: &[Property], budget: &Budget) -> Outcome {
        let program = parse_program(text).unwrap();
        let task = Task { properties: properties.to_vec(), ..task(&program) };
        Enumerate.check(&task, budget, &NoProgress)
    }

    fn task(program: &Program) -> Task<'_> {
        Task {
            program,
            source: None,
            outside: None,
            properties: Vec::new(),
            excused: Vec::new(),
            bounds: Bounds::default(),
            sequential: crate::sequential::Options::default(),
            memory_model: MemoryModel::Sc,
            solving: Solving::default(),
            seed: 1,
            jobs: 1,
        }
    }

    #[test]
    fn each_property_has_its_own_answer() {
        let asked = [Property::Deadlock, Property::Assertion, Property::DataRace];
        let outcome = answer(LOST, &asked, &Budget::unlimited());
        let order: Vec<Property> = outcome.answers.iter().map(|answer| answer.property).collect();
        assert_eq!(order, asked, "in the order they were asked");
        assert!(matches!(outcome.answers[0].verdict, Verdict::Safe(Evidence::Enumerated)));
        for Answer { property, verdict, .. } in &outcome.answers[1..] {
            let Verdict::Violated(replayed) = verdict else { panic!("{property:?}: {verdict:?}") };
            assert_eq!(replayed.outcome().property(), Some(*property));
        }
        assert_eq!(outcome.answers[0].grounds.coverage.thread_count(), 3);
        assert!(outcome.ledger.work.states > 10);
    }

    #[test]
    fn races_behind_weak_atomics_are_found() {
        let text = "program pointer_bits 64 entry f0
            global g0 \"data\" size 4 align 4 shape signed i32 {}
            global g1 \"ready\" size 4 align 4 shape signed i32 {}
            function f0 \"main\" () {
              registers r0: i32, r1: i32, r2: i1
            b0:
              r0 = fork @write(null)
              r1 = load i32 [@ready] ORDER
              r2 = equal r1, i32 1
              branch r2, b1, b2
            b1:
              r1 = load i32 [@data]
              jump b2
            b2:
              join r0
              exit_process i32 0
            }
            function f1 \"write\" (r0) -> ptr {
              registers r0: ptr
            b0:
              store i32 [@data], i32 42
              store i32 [@ready], i32 1 release
              return null
            }";
        let verdict = |order: &str| {
            let outcome = answer(&text.replace("ORDER", order), &[Property::DataRace], &Budget::unlimited());
            outcome.answers[0].verdict.clone()
        };
        assert!(matches!(verdict("acquire"), Verdict::Safe(Evidence::Enumerated)));
        assert!(matches!(verdict("relaxed"), Verdict::Violated(_)), "nothing orders the accesses to `data`");
        assert!(matches!(verdict(""), Verdict::Violated(_)), "a plain flag races itself");
    }

    /// Another engine decides a property as soon as this one has begun.
    struct Meanwhile<'a>(&'a Answers, Property);

    impl crate::Progress for Meanwhile<'_> {
        fn update(&self, _: &crate::Status) {
            self.0.give(self.1, Verdict::Safe(Evidence::FullyUnrolled), &Arc::default());
        }
    }

    #[test]
    fn states_are_searched_again_only_for_what_was_cut_off() {
        let locked = LOST.replace("r1 = load i32 [@x]", "lock [@m] r1 = load i32 [@x]");
        let locked = locked.replace("store i32 [@x], r1", "store i32 [@x], r1 unlock [@m]");
        let locked =
            locked.replace("function f0", "global g1 \"m\" size 4 align 4 shape signed i32 {}\nfunction f0");
        let states = |text: &str, properties: &[Property], decided: Option<Property>| {
            let program = parse_program(text).unwrap();
            let task = Task { properties: properties.to_vec(), ..task(&program) };
            let answers = Answers::new(&task.properties);
            let meanwhile = decided.map(|property| Meanwhile(&answers, property));
            let progress: &dyn crate::Progress = meanwhile.as_ref().map_or(&NoProgress, |it| it);
            let budget = Budget::unlimited();
            let facts = crate::Exchange::default();
            let session = Session { budget: &budget, progress, answers: &answers, facts: &facts };
            Enumerate.answer(&task, &session);
            assert!(answers.open().is_empty(), "{:?}", answers.open());
            answers.work().states
        };
        let once = |text: &str, properties: &[Property]| {
            let program = parse_program(text).unwrap();
            explore(&Vm::checking(&program, properties), &Search::default()).states
        };
        let (deadlock, assertion, race) = (Property::Deadlock, Property::Assertion, Property::DataRace);
        // Nothing is broken, whoever decides some of it.
        let asked = [deadlock, assertion, race];
        for decided in [None, Some(deadlock), Some(assertion), Some(race)] {
            assert_eq!(states(&locked, &asked, decided), once(&locked, &asked), "{decided:?}");
        }
        // Behind a data race the search goes on.
        let asked = [deadlock, race, Property::LockMisuse];
        for decided in [None, Some(Property::LockMisuse)] {
            assert_eq!(states(LOST, &asked, decided), once(LOST, &asked), "{decided:?}");
        }
        // Behind an assertion it does not, and it is made again.
        let both = once(LOST, &[deadlock, assertion]) + once(LOST, &[deadlock]);
        assert_eq!(states(LOST, &[deadlock, assertion], None), both);
    }

    #[test]
    fn nothing_is_proved_when_the_budget_ends() {
        let budget = Budget::unlimited();
        budget.canceller().cancel();
        let outcome = answer(LOST, &[Property::Deadlock], &budget);
        let Verdict::Unknown(reason) = &outcome.answers[0].verdict else { panic!("{:?}", outcome.answers) };
        assert_eq!(*reason, Reason::Exhausted(Exhausted::Cancelled));
    }

    #[test]
    fn what_an_unknown_function_may_change_is_left_open() {
        let text = |exposed: &str| {
            format!(
                "program pointer_bits 64 entry f0
                 undefined f1
                 {exposed}
                 global g0 \"x\" size 4 align 4 shape signed i32 {{}}
                 function f0 \"main\" () {{
                   registers r0: i32
                 b0:
                   call @out(null)
                   r0 = load i32 [@x]
                   exit_process r0
                 }}
                 function f1 \"out\" (r0) {{ registers r0: ptr
                 b0:
                   unsupported \"depends on `out`, which has no body: give a stub\"
                 }}"
            )
        };
        let ask = |exposed| answer(&text(exposed), &[Property::Assertion], &Budget::unlimited());
        let outcome = ask("exposed g0");
        let Verdict::Unknown(reason) = &outcome.answers[0].verdict else { panic!("{:?}", outcome.answers) };
        assert!(matches!(reason, Reason::Bodiless { function, .. } if function == "out"), "{reason:?}");
        assert!(outcome.ledger.bodiless[0].takes_pointers);
        assert!(matches!(ask("").answers[0].verdict, Verdict::Safe(Evidence::Enumerated)));
    }
}
