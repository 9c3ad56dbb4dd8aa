//! Several engines on one task, each in a thread of its own, that take turns.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use raddle_base::stack::spawn_on_large_stack;
use raddle_base::{Allotment, Bell, Budget, Exhausted, SliceEnd};

use crate::facts::Facts;
use crate::{Answers, Coverage, Engine, Evidence, Exchange, Progress, Session, Sizes, Status, Task, Verdict};

/// Who waits for turns to end looks this often whether the budget has.
const PATIENCE: Duration = Duration::from_millis(20);

/// An engine that takes part.
pub(super) struct Member<'m> {
    engine: &'m dyn Engine,
    /// What it may spend.
    work: Arc<Allotment>,
    budget: Budget,
    /// What it has answered, and what it need not look for.
    answers: Arc<Answers>,
    /// What it has found that others can use, and what it was told.
    facts: Exchange,
    is_started: AtomicBool,
    is_able: bool,
    /// Its work in the turns that counted.
    counted: Mutex<Sizes>,
}

/// All of them.
pub(super) struct Team<'m> {
    members: Vec<Member<'m>>,
    task: &'m Task<'m>,
    session: &'m Session<'m>,
    /// Rings when a turn has ended.
    bell: Arc<Bell>,
}

/// A turn: whose, and how much work.
pub(super) type Turn = (usize, u64);

impl<'m> Member<'m> {
    fn new(engine: &'m dyn Engine, task: &Task<'_>, session: &Session<'_>, bell: &Arc<Bell>) -> Self {
        let work = Arc::new(Allotment::new(Arc::clone(bell)));
        Self {
            engine,
            budget: session.budget.allotted(Arc::clone(&work)),
            work,
            answers: session.answers.member(),
            facts: Exchange::default(),
            is_started: AtomicBool::new(false),
            is_able: engine.supports(task).is_ok(),
            counted: Mutex::default(),
        }
    }

    /// Whether it can still say something.
    fn goes_on(&self) -> bool {
        self.is_able && self.work.ended() != Some(SliceEnd::Done)
    }

    fn has_ended_turn(&self) -> bool {
        self.work.ended().is_some()
    }

    /// Works until there is nothing more to say.
    fn answer(&self, task: &Task<'_>, progress: &dyn Progress) {
        let shown = Shown { progress, engine: self.engine.name() };
        // Also when the engine panics: somebody waits for it.
        let _end = Finished(&self.work);
        let (budget, answers, facts) = (&self.budget, &*self.answers, &self.facts);
        self.engine.answer(task, &Session { budget, progress: &shown, answers, facts });
    }
}

/// Says that the work is done when it goes out of scope.
struct Finished<'w>(&'w Allotment);

impl Drop for Finished<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

impl<'m> Team<'m> {
    pub(super) fn new(engines: &[&'m dyn Engine], task: &'m Task<'m>, session: &'m Session<'m>) -> Self {
        let bell = Arc::new(Bell::default());
        let member = |&engine: &&'m dyn Engine| Member::new(engine, task, session, &bell);
        let members = engines.iter().map(member).collect();
        Self { members, task, session, bell }
    }

    /// Gives everybody a turn, as many at the same time as there are jobs. Says whether that was the last round.
    ///
    /// What a member decides counts only when all members before it have ended their turns: whoever comes first in the order
    /// has the first word. Who begins first makes no difference then, so with several jobs the longest turn does.
    pub(super) fn round<'s>(&'s self, scope: &'s Scope<'s, '_>, turns: &[Turn]) -> bool {
        let turns: Vec<Turn> =
            turns.iter().copied().filter(|&(member, _)| self.members[member].goes_on()).collect();
        let jobs = self.task.jobs.max(1);
        let mut waiting = turns.clone();
        if jobs > 1 {
            waiting.sort_by_key(|&(_, units)| std::cmp::Reverse(units));
        }
        let (mut begun, mut counted) = (0, 0);
        while counted < turns.len() {
            let heard = self.bell.count();
            let has_ended =
                |turn: &Turn| waiting[..begun].contains(turn) && self.members[turn.0].has_ended_turn();
            while turns.get(counted).is_some_and(has_ended) {
                self.count(&self.members[turns[counted].0]);
                counted += 1;
            }
            if self.session.answers.open().is_empty() {
                self.dismiss(Exhausted::Cancelled);
                return true;
            }
            if let Err(why) = self.session.budget.check() {
                self.dismiss(why);
                return true;
            }
            let running = waiting[..begun].iter().filter(|turn| !has_ended(turn)).count();
            if begun < waiting.len() && running < jobs {
                self.begin(scope, waiting[begun]);
                begun += 1;
            } else if counted < turns.len() {
                self.bell.wait(heard, PATIENCE);
            }
        }
        for property in &self.task.properties {
            if !self.session.answers.is_open(*property) {
                self.members.iter().for_each(|member| member.answers.close(*property));
            }
        }
        self.pass_on_facts();
        !self.members.iter().any(Member::goes_on)
    }

    fn begin<'s>(&'s self, scope: &'s Scope<'s, '_>, (member, units): Turn) {
        let member = &self.members[member];
        member.work.grant(units);
        if !member.is_started.swap(true, Ordering::Relaxed) {
            spawn_on_large_stack(scope, || member.answer(self.task, self.session.progress));
        }
    }

    /// Whether there is nothing more to be said: also where only the context switches are bounded, as was asked.
    fn is_last_word(&self, verdict: &Verdict) -> bool {
        let is_asked = |coverage: &Coverage| coverage.is_bounded_by_contexts_alone();
        match verdict {
            Verdict::Safe(Evidence::Bounded(coverage))
            | Verdict::SafeUnless(Evidence::Bounded(coverage), _) => {
                self.task.bounds.contexts.is_some() && is_asked(coverage)
            }
            Verdict::Safe(_) | Verdict::SafeUnless(..) | Verdict::Violated(_) | Verdict::Unknown(_) => {
                verdict.is_final()
            }
        }
    }

    /// Takes what a member has decided.
    fn count(&self, member: &Member<'_>) {
        for answer in member.answers.given().into_iter().filter(|answer| self.is_last_word(&answer.verdict)) {
            self.session.answers.take(answer);
        }
        *member.counted.lock().unwrap_or_else(PoisonError::into_inner) = member.answers.work();
        let work =
            self.members.iter().map(|member| *member.counted.lock().unwrap_or_else(PoisonError::into_inner));
        self.session.answers.note_work(work.fold(Sizes::default(), Sizes::with));
    }

    /// Tells everybody what the others have found. Everybody waits: what a member knows does not depend on who was faster.
    fn pass_on_facts(&self) {
        let mut known = Facts::default();
        self.members.iter().for_each(|member| known.add_all(&member.facts.found()));
        let known = Arc::new(known);
        self.members.iter().for_each(|member| member.facts.tell(&known));
    }

    /// What all members know.
    pub(super) fn facts(&self) -> Arc<Facts> {
        self.members.first().map(|member| member.facts.known()).unwrap_or_default()
    }

    /// Nobody needs to go on, or may.
    fn dismiss(&self, why: Exhausted) {
        for member in &self.members {
            member.budget.canceller().cancel_for(why);
            member.work.wake();
        }
    }
}

/// Says whose progress it is.
struct Shown<'s> {
    progress: &'s dyn Progress,
    engine: &'static str,
}

impl Progress for Shown<'_> {
    fn update(&self, status: &Status) {
        let bound = [self.engine, &status.bound].map(str::to_owned).join(", ");
        self.progress.update(&Status { bound, ..status.clone() });
    }
}
