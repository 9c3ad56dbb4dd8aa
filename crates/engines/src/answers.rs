//! Answers: which properties are open, which are decided, and on what grounds. The only owner of that.
//!
//! An engine is given answers to fill in, and gives each as soon as it knows it: what another engine decides in the meantime need
//! not be looked for any more. Of two answers for one property the one that says more counts, see [`Verdict::rank`]; of two that
//! say as much, the later one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use raddle_ir::Property;

use crate::{Answer, Grounds, Reason, Sizes, Verdict};

/// The answers for the properties of a task.
#[derive(Debug)]
pub struct Answers {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    entries: Vec<Entry>,
    work: Sizes,
}

#[derive(Debug)]
struct Entry {
    property: Property,
    answer: Option<Answer>,
    /// Decided by somebody else.
    is_closed: bool,
}

impl Answers {
    /// Nothing is known of any of these.
    #[must_use]
    pub fn new(properties: &[Property]) -> Self {
        let entry = |&property: &Property| Entry { property, answer: None, is_closed: false };
        let entries = properties.iter().map(entry).collect();
        Self { state: Mutex::new(State { entries, work: Sizes::default() }) }
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

    /// Gives an answer. It is taken if it says at least as much as what is known.
    pub fn give(&self, property: Property, verdict: Verdict, grounds: &Arc<Grounds>) {
        self.take(Answer { property, verdict, grounds: Arc::clone(grounds) });
    }

    /// The same for several answers on the same grounds.
    pub fn give_all(&self, verdicts: impl IntoIterator<Item = (Property, Verdict)>, grounds: Grounds) {
        let grounds = Arc::new(grounds);
        for (property, verdict) in verdicts {
            self.give(property, verdict, &grounds);
        }
    }

    /// Takes an answer if it says at least as much as what is known.
    pub fn take(&self, answer: Answer) {
        let mut state = self.lock();
        let entry = state.entries.iter_mut().find(|entry| entry.property == answer.property);
        if let Some(entry) = entry
            && entry.answer.as_ref().is_none_or(|known| answer.verdict.rank() >= known.verdict.rank())
        {
            entry.answer = Some(answer);
        }
    }

    /// Somebody else has decided a property.
    pub fn close(&self, property: Property) {
        let mut state = self.lock();
        let entries = state.entries.iter_mut().filter(|entry| entry.property == property);
        entries.for_each(|entry| entry.is_closed = true);
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

    /// What is known of each property, in the order they were asked.
    #[must_use]
    pub fn known(&self) -> Vec<Option<Answer>> {
        self.lock().entries.iter().map(|entry| entry.answer.clone()).collect()
    }

    /// An answer for each property. What nobody has answered has this reason.
    #[must_use]
    pub fn finish(&self, reason: &Reason) -> Vec<Answer> {
        let nobody = Arc::new(Grounds::default());
        let answer = |entry: &Entry| {
            entry.answer.clone().unwrap_or_else(|| Answer {
                property: entry.property,
                verdict: Verdict::Unknown(reason.clone()),
                grounds: Arc::clone(&nobody),
            })
        };
        self.lock().entries.iter().map(answer).collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn is_open(&self) -> bool {
        !self.is_closed && !self.answer.as_ref().is_some_and(|answer| answer.verdict.is_final())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evidence;

    fn bounded(rounds: &str) -> Verdict {
        Verdict::Safe(Evidence::Bounded(vec![rounds.to_owned()]))
    }

    #[test]
    fn the_answer_that_says_more_counts() {
        let answers = Answers::new(&[Property::Assertion, Property::Deadlock]);
        let grounds = Arc::new(Grounds::default());
        let unknown = || Verdict::Unknown(Reason::Other("too hard".to_owned()));
        answers.give(Property::Assertion, bounded("2 iterations"), &grounds);
        answers.give(Property::Assertion, unknown(), &grounds);
        answers.give(Property::Assertion, bounded("3 iterations"), &grounds);
        assert!(answers.is_open(Property::Assertion), "a larger bound may come");
        answers.give(Property::Deadlock, Verdict::Safe(Evidence::Enumerated), &grounds);
        answers.give(Property::Deadlock, bounded("9 iterations"), &grounds);
        assert_eq!(answers.open(), [Property::Assertion]);
        let verdicts: Vec<Verdict> =
            answers.finish(&Reason::Other(String::new())).into_iter().map(|answer| answer.verdict).collect();
        let Verdict::Safe(Evidence::Bounded(bounds)) = &verdicts[0] else { panic!("{verdicts:?}") };
        assert_eq!(bounds, &["3 iterations"]);
        assert!(matches!(verdicts[1], Verdict::Safe(Evidence::Enumerated)));
    }

    #[test]
    fn what_somebody_else_decided_is_not_open() {
        let answers = Answers::new(&[Property::Assertion, Property::Deadlock]);
        answers.close(Property::Assertion);
        assert_eq!(answers.open(), [Property::Deadlock]);
        let reason = Reason::Other("nobody looked".to_owned());
        let last = answers.finish(&reason).pop().map(|answer| answer.verdict);
        assert!(matches!(last, Some(Verdict::Unknown(Reason::Other(_)))));
    }
}
