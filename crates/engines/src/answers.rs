//! Answers: which properties are open, which are decided, and on what grounds. The only owner of that.
//!
//! An engine is given answers to fill in, and gives each as soon as it knows it: what another engine decides in the meantime need
//! not be looked for any more. An answer that is given is the engine's last word. Before that it says what it is about to cover
//! ([`attempt`](Answers::attempt)) and what it has covered ([`cover`](Answers::cover)), so that whoever ends the work, at any
//! moment and from any thread, can say how far each property came.
//!
//! Where several engines fill in one set of answers, each has one of its own, which is a member of the common one. Of two answers for one property the
//! one that says more counts, see [`Verdict::rank`]; of two that say as much, that of the later member.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use raddle_ir::Property;

use crate::{Answer, ArgumentBound, Coverage, Evidence, Grounds, Reason, Sizes, Unfinished, Verdict};

/// The answers for the properties of a task.
#[derive(Debug)]
pub struct Answers {
    /// What free arguments of the program put on every proof.
    arguments: Option<ArgumentBound>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    entries: Vec<Entry>,
    work: Sizes,
    members: Vec<Arc<Answers>>,
}

#[derive(Debug)]
struct Entry {
    property: Property,
    answer: Option<Answer>,
    /// Decided by somebody else.
    is_closed: bool,
    /// What is proved so far.
    covered: Option<Answer>,
    /// What is to be covered next, and by whom.
    attempted: Option<(Coverage, Arc<Grounds>)>,
}

impl Answers {
    /// Nothing is known of any of these.
    #[must_use]
    pub fn new(properties: &[Property]) -> Self {
        let entry = |&property: &Property| Entry {
            property,
            answer: None,
            is_closed: false,
            covered: None,
            attempted: None,
        };
        let entries = properties.iter().map(entry).collect();
        let state = State { entries, work: Sizes::default(), members: Vec::new() };
        Self { arguments: None, state: Mutex::new(state) }
    }

    /// The same for a program whose arguments are free: what is proved is proved for so many.
    #[must_use]
    pub fn within(mut self, arguments: Option<ArgumentBound>) -> Self {
        self.arguments = arguments;
        self
    }

    /// New answers about the same program.
    #[must_use]
    pub fn about(&self, properties: &[Property]) -> Self {
        Self::new(properties).within(self.arguments)
    }

    /// New answers for the same properties, for one of several engines. What it knows counts in the end.
    #[must_use]
    pub fn member(&self) -> Arc<Self> {
        let mut state = self.lock();
        let properties: Vec<Property> = state.entries.iter().map(|entry| entry.property).collect();
        let member = Arc::new(Self::new(&properties));
        state.members.push(Arc::clone(&member));
        member
    }

    /// The properties that are still to be decided.
    #[must_use]
    pub fn open(&self) -> Vec<Property> {
        self.lock().entries.iter().filter(|entry| entry.is_open()).map(|entry| entry.property).collect()
    }

    /// Whether a property is still to be decided.
    #[must_use]
    pub fn is_open(&self, property: Property) -> bool {
        self.lock().entries.iter().any(|entry| entry.property == property && entry.is_open())
    }

    /// Gives the answer for a property. It is the last one: nothing is said of what is not open.
    pub fn give(&self, property: Property, verdict: Verdict, grounds: &Arc<Grounds>) {
        self.take(Answer { property, verdict, grounds: Arc::clone(grounds), unfinished: None });
    }

    /// The same for several answers on the same grounds.
    pub fn give_all(&self, verdicts: impl IntoIterator<Item = (Property, Verdict)>, grounds: Grounds) {
        let grounds = Arc::new(grounds);
        for (property, verdict) in verdicts {
            self.give(property, verdict, &grounds);
        }
    }

    /// Takes an answer for a property that is open.
    pub fn take(&self, answer: Answer) {
        self.with(answer.property, |entry| entry.answer = Some(answer));
    }

    /// These bounds are looked at from now on.
    pub fn attempt(&self, properties: &[Property], coverage: &Coverage, grounds: &Arc<Grounds>) {
        for &property in properties {
            self.with(property, |entry| entry.attempted = Some((coverage.clone(), Arc::clone(grounds))));
        }
    }

    /// A property holds within bounds, and larger ones may follow.
    pub fn cover(&self, property: Property, verdict: Verdict, grounds: &Arc<Grounds>) {
        let covered = Answer { property, verdict, grounds: Arc::clone(grounds), unfinished: None };
        self.with(property, |entry| (entry.covered, entry.attempted) = (Some(covered), None));
    }

    /// What was covered is the answer: there is no larger bound to look at. Says whether anything was.
    pub fn conclude(&self, property: Property) -> bool {
        let mut is_covered = false;
        self.with(property, |entry| {
            entry.answer = entry.covered.take();
            is_covered = entry.answer.is_some();
        });
        is_covered
    }

    /// The work on a property ends before its end: what was covered is the answer, or that nothing is known, for this reason.
    pub fn give_up(&self, property: Property, reason: &Reason, grounds: &Arc<Grounds>) {
        self.with(property, |entry| {
            let answer = entry.standing(reason).unwrap_or_else(|| unknown(property, reason, grounds));
            entry.answer = Some(answer);
        });
    }

    /// Somebody else has decided a property.
    pub fn close(&self, property: Property) {
        self.with(property, |entry| entry.is_closed = true);
    }

    /// How much work was done so far, of all kinds.
    pub fn note_work(&self, work: Sizes) {
        self.lock().work = work;
    }

    /// How much work was done so far.
    #[must_use]
    pub fn work(&self) -> Sizes {
        self.lock().work
    }

    /// The answers that were given, in the order in which they were asked.
    #[must_use]
    pub fn given(&self) -> Vec<Answer> {
        self.lock().entries.iter().filter_map(|entry| entry.answer.clone()).collect()
    }

    /// An answer for each property, as things stand. The work on what is open ends for this reason.
    #[must_use]
    pub fn finish(&self, reason: &Reason) -> Vec<Answer> {
        let nobody = Arc::new(Grounds::default());
        let properties: Vec<Property> = self.lock().entries.iter().map(|entry| entry.property).collect();
        let answers = properties.into_iter().map(|property| {
            let mut answer =
                self.standing(property, reason).unwrap_or_else(|| unknown(property, reason, &nobody));
            if let Some(arguments) = self.arguments {
                answer.verdict = bounded_by(answer.verdict, arguments, &answer.grounds);
            }
            answer
        });
        answers.collect()
    }

    /// What is known of a property by whoever knows most.
    fn standing(&self, property: Property, reason: &Reason) -> Option<Answer> {
        let state = self.lock();
        let entry = state.entries.iter().find(|entry| entry.property == property)?;
        if entry.answer.is_some() {
            return entry.answer.clone();
        }
        let members = state.members.iter().filter_map(|member| member.standing(property, reason));
        // Of several maxima this is the last.
        entry.standing(reason).into_iter().chain(members).max_by_key(|answer| answer.verdict.rank())
    }

    /// Changes what is known of an open property.
    fn with(&self, property: Property, change: impl FnOnce(&mut Entry)) {
        let mut state = self.lock();
        let mut entries = state.entries.iter_mut();
        if let Some(entry) = entries.find(|entry| entry.property == property && entry.is_open()) {
            change(entry);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    const fn is_open(&self) -> bool {
        !self.is_closed && self.answer.is_none()
    }

    /// What can be said when the work ends now.
    fn standing(&self, reason: &Reason) -> Option<Answer> {
        let attempted = self.attempted.as_ref().map(|(coverage, _)| coverage.clone());
        let unfinished = Some(Unfinished { attempted, why: reason.clone() });
        match (&self.covered, &self.attempted) {
            (Some(covered), _) => Some(Answer { unfinished, ..covered.clone() }),
            (None, Some((_, grounds))) => {
                Some(Answer { unfinished, ..unknown(self.property, reason, grounds) })
            }
            (None, None) => None,
        }
    }
}

fn unknown(property: Property, reason: &Reason, grounds: &Arc<Grounds>) -> Answer {
    let verdict = Verdict::Unknown(reason.clone());
    Answer { property, verdict, grounds: Arc::clone(grounds), unfinished: None }
}

/// A proof is one for so many arguments only.
fn bounded_by(verdict: Verdict, arguments: ArgumentBound, grounds: &Grounds) -> Verdict {
    let bounded = |evidence: Evidence| {
        let coverage = match evidence {
            Evidence::Bounded(coverage) => coverage,
            Evidence::FullyUnrolled | Evidence::Enumerated | Evidence::Proved(_) => grounds.coverage.clone(),
        };
        Evidence::Bounded(Coverage { arguments: Some(arguments), ..coverage })
    };
    match verdict {
        Verdict::Safe(evidence) => Verdict::Safe(bounded(evidence)),
        Verdict::SafeUnless(evidence, trace) => Verdict::SafeUnless(bounded(evidence), trace),
        Verdict::Violated(_) | Verdict::Unknown(_) => verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, Extent};

    fn unwound(iterations: u32) -> Coverage {
        Coverage { unwind: Some(Extent::bounded(iterations)), ..Coverage::default() }
    }

    fn bounded(iterations: u32) -> Verdict {
        Verdict::Safe(Evidence::Bounded(unwound(iterations)))
    }

    fn effort() -> Reason {
        Reason::Effort(Effort::Conflicts)
    }

    /// The iterations that were covered, and those that were not finished.
    fn far(answer: &Answer) -> (Option<u32>, Option<u32>) {
        let iterations = |coverage: &Coverage| coverage.unwind.map(|unwind| unwind.covered);
        let covered = match &answer.verdict {
            Verdict::Safe(Evidence::Bounded(coverage)) => iterations(coverage),
            Verdict::Safe(_) | Verdict::SafeUnless(..) | Verdict::Violated(_) | Verdict::Unknown(_) => None,
        };
        let attempted = answer.unfinished.as_ref().and_then(|unfinished| unfinished.attempted.as_ref());
        (covered, attempted.and_then(iterations))
    }

    #[test]
    fn whoever_ends_the_work_can_say_how_far_each_property_came() {
        let answers = Answers::new(&[Property::Assertion, Property::Deadlock, Property::DataRace]);
        let grounds = Arc::new(Grounds { engine: "po-bmc", ..Grounds::default() });
        answers.attempt(&answers.open(), &unwound(1), &grounds);
        answers.cover(Property::Assertion, bounded(1), &grounds);
        answers.give(Property::Deadlock, Verdict::Safe(Evidence::Enumerated), &grounds);
        answers.attempt(&[Property::Assertion], &unwound(2), &grounds);
        assert_eq!(answers.open(), [Property::Assertion, Property::DataRace]);
        let finished = answers.finish(&effort());
        assert_eq!(far(&finished[0]), (Some(1), Some(2)));
        assert!(matches!(finished[1].verdict, Verdict::Safe(Evidence::Enumerated)));
        assert_eq!(finished[1].unfinished, None);
        assert!(matches!(finished[2].verdict, Verdict::Unknown(Reason::Effort(_))));
        assert_eq!((far(&finished[2]), finished[2].grounds.engine), ((None, Some(1)), "po-bmc"));
        assert!(answers.is_open(Property::Assertion), "who asks ends nothing");
    }

    #[test]
    fn an_answer_is_the_last_word() {
        let answers = Answers::new(&[Property::Assertion, Property::Deadlock]);
        let grounds = Arc::new(Grounds::default());
        answers.cover(Property::Assertion, bounded(3), &grounds);
        answers.give_up(Property::Assertion, &effort(), &grounds);
        answers.cover(Property::Assertion, bounded(9), &grounds);
        assert_eq!(far(&answers.given()[0]).0, Some(3));
        answers.cover(Property::Deadlock, bounded(3), &grounds);
        assert!(answers.conclude(Property::Deadlock) && !answers.conclude(Property::Deadlock));
        assert_eq!(answers.given()[1].unfinished, None, "there was nothing more to look at");
    }

    #[test]
    fn of_members_the_one_that_says_more_counts_and_then_the_later_one() {
        let answers = Answers::new(&[Property::Assertion, Property::Deadlock]);
        let grounds = |engine| Arc::new(Grounds { engine, ..Grounds::default() });
        let (first, second) = (answers.member(), answers.member());
        first.cover(Property::Assertion, bounded(7), &grounds("first"));
        second.cover(Property::Assertion, bounded(2), &grounds("second"));
        first.cover(Property::Deadlock, bounded(7), &grounds("first"));
        second.give(Property::Deadlock, Verdict::Unknown(effort()), &grounds("second"));
        let finished = answers.finish(&effort());
        let engines: Vec<&str> = finished.iter().map(|answer| answer.grounds.engine).collect();
        assert_eq!(engines, ["second", "first"]);
    }

    #[test]
    fn free_arguments_bound_every_proof() {
        let arguments = ArgumentBound { count: 2, length: 3 };
        let answers = Answers::new(&[Property::Assertion]).within(Some(arguments));
        answers.give(Property::Assertion, Verdict::Safe(Evidence::Enumerated), &Arc::default());
        assert!(answers.open().is_empty());
        let Verdict::Safe(Evidence::Bounded(coverage)) = &answers.finish(&effort())[0].verdict else {
            panic!("the proof is about all arguments");
        };
        assert_eq!(coverage.arguments, Some(arguments));
    }

    #[test]
    fn what_somebody_else_decided_is_not_open() {
        let answers = Answers::new(&[Property::Assertion]);
        answers.close(Property::Assertion);
        answers.give(Property::Assertion, Verdict::Safe(Evidence::Enumerated), &Arc::default());
        assert!(answers.open().is_empty() && answers.given().is_empty());
    }
}
