//! Data races: that no two conflicting accesses of different threads are ever both next.
//!
//! A race is two conflicting accesses that happens-before leaves unordered (C11, 5.1.2.4). What invariants show is less: that no
//! reachable state has two threads that stand before two conflicting accesses, whether these are enabled or not (*co-located*). It suffices where
//! no thread learns of another one without being ordered behind it. Take a shortest execution with a race, of a and then b, and leave out
//! of it all that does not happen before a or b. What is left is an execution: whoever read, waited or took a lock in it did so from
//! what happened before it, because all that came before b is free of races. In its last state both threads stand before their steps. So it is shown,
//! or refused by name,
//!
//! - that no thread learns of another one unordered ([`communication`]), and that only locking and plain accesses write lock words, so that
//!   whoever finds a lock free is ordered behind who freed it;
//! - that each access that counts is in the visible step of its path: a thread that is about to make it has done nothing since it came to its
//!   location that others could notice;
//! - that of what an atomic block accesses nothing comes behind something that releases (others may be ordered behind that and not behind the
//!   access), unless nothing conflicts with it. What a block does first may depend on what others do at the same time, so of an access in a block
//!   neither conditions nor addresses that the block computes are believed.
//!
//! Accesses are those of the program and of API models, as the VM counts them: locking writes its word atomically, the end of an object writes
//! all of it, plain accesses in atomic blocks of models are nobody's, and looking at a lock word is no access.
//!
//! Direction of error: accesses may be said to conflict that never do.

use raddle_base::Span;
use raddle_ir::analyses::unsynchronised::{Effect, communication};
use raddle_ir::{Ordering, Property};
use raddle_logic::term::{Term, TermId};
use raddle_semantics::ObjectId;
use raddle_verdict::proof::Obligations;
use rustc_hash::FxHashMap;

use super::Refusal;
use super::axioms::Presence;
use super::explore::{Explorer, Flow};
use super::memory::Access;
use super::obligations::Prover;
use super::quantity::Who;
use super::state::{State, overlap};

/// What an access is, for data races.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// None: it never races.
    Looks,
    /// A read or write.
    Plain { writes: bool },
    /// The same, atomic.
    Atomic { writes: bool },
    /// Locking.
    Lock,
    /// Unlocking.
    Unlock,
}

impl Touch {
    pub(super) fn of(ordering: Ordering, writes: bool) -> Self {
        if ordering == Ordering::Plain { Self::Plain { writes } } else { Self::Atomic { writes } }
    }

    fn writes(self) -> bool {
        match self {
            Self::Looks => false,
            Self::Plain { writes } | Self::Atomic { writes } => writes,
            Self::Lock | Self::Unlock => true,
        }
    }

    fn is_atomic(self) -> bool {
        matches!(self, Self::Atomic { .. } | Self::Lock | Self::Unlock)
    }

    fn is_of_lock(self) -> bool {
        matches!(self, Self::Lock | Self::Unlock)
    }
}

/// The atomic blocks that a path is in.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    /// Whether each is a model's.
    open: Vec<bool>,
    /// How many conditions the path had when the outermost one began.
    guards: usize,
    /// Whether something was released since.
    released: bool,
}

impl Blocks {
    pub(super) fn begin(&mut self, is_model: bool, guards: usize) {
        if self.open.is_empty() {
            (self.guards, self.released) = (guards, false);
        }
        self.open.push(is_model);
    }

    /// The end of a block releases, for who is ordered behind the inner one.
    pub(super) fn end(&mut self) {
        if self.open.pop() == Some(false) {
            self.release();
        }
    }

    /// Others may be ordered behind a write that is atomic.
    pub(super) fn release_by(&mut self, touch: Touch) {
        if touch.is_atomic() && touch.writes() {
            self.release();
        }
    }

    /// Others may be ordered behind this.
    pub(super) fn release(&mut self) {
        self.released |= !self.open.is_empty();
    }
}

/// Some bytes that an access may be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Of an object, from an offset on.
    Range(ObjectId, TermId, u64),
    /// Of an object, anywhere.
    Somewhere(ObjectId),
    /// Of any object whose address anybody may have.
    Anywhere,
}

/// An access that may race.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Racing {
    extent: Extent,
    touch: Touch,
    /// When it is made, as far as that is believed.
    guards: Vec<TermId>,
    /// Whether it is in an atomic block of the program: these are ordered.
    in_own_block: bool,
    /// Whether its block released something before.
    is_late: bool,
    span: Span,
}

impl Racing {
    /// Whether two accesses of different threads conflict, if they are of the same bytes.
    fn conflicts(&self, other: &Self) -> bool {
        (self.touch.writes() || other.touch.writes())
            && !(self.touch.is_atomic() && other.touch.is_atomic())
            && !(self.in_own_block && other.in_own_block)
    }
}

impl Explorer<'_> {
    pub(super) fn asks_for_races(&self) -> bool {
        self.asked.contains(&Property::DataRace)
    }

    /// Whether a model's atomic block makes plain accesses nobody's.
    fn is_hidden(&self, state: &State, touch: Touch) -> bool {
        !self.asks_for_races()
            || touch == Touch::Looks
            || !touch.is_atomic() && state.blocks.open.contains(&true)
    }

    /// Where an access may race: pieces of memory that others may reach, with conditions.
    fn extents(&self, state: &State, access: &Access, touch: Touch) -> Vec<(TermId, Extent)> {
        if self.is_hidden(state, touch) {
            return Vec::new();
        }
        let in_block = !state.blocks.open.is_empty();
        let mut extents = Vec::new();
        for (condition, object, offset) in access.shared_pieces() {
            let extent = match object {
                None => Extent::Anywhere,
                Some(object) if self.is_read_only(object) => continue,
                Some(object) if in_block && self.terms.as_bits(offset).is_none() => Extent::Somewhere(object),
                Some(object) => Extent::Range(object, offset, access.bytes()),
            };
            extents.push((condition, extent));
        }
        extents
    }

    /// Whether an access may race, so that it has to be in the visible step of its path.
    pub(super) fn may_race(&self, state: &State, access: &Access, touch: Touch) -> bool {
        !self.extents(state, access, touch).is_empty()
    }

    /// Writes down an access that may race.
    pub(super) fn note_access(&mut self, state: &mut State, access: &Access, touch: Touch, span: Span) {
        for (condition, extent) in self.extents(state, access, touch) {
            self.note_race(state, (condition, extent), touch, span);
        }
    }

    fn note_race(&mut self, state: &State, (condition, extent): (TermId, Extent), touch: Touch, span: Span) {
        let in_block = !state.blocks.open.is_empty();
        let mut guards = state.guards.clone();
        if in_block {
            guards.truncate(state.blocks.guards);
        } else {
            guards.push(condition);
        }
        let racing = Racing {
            extent,
            touch,
            guards,
            in_own_block: state.blocks.open.contains(&false),
            is_late: state.blocks.released,
            span,
        };
        if !self.racing.contains(&racing) {
            self.racing.push(racing);
        }
    }

    /// Lives of objects end, which writes all of them; of `None`, of any object whose address anybody may have. Others notice it.
    pub(super) fn note_ends(&mut self, state: &mut State, ends: &[Option<ObjectId>], span: Span) -> Flow {
        let touch = Touch::Plain { writes: true };
        if self.is_hidden(state, touch) {
            return Flow::Next;
        }
        let shared = self.shared_ends(ends);
        if shared.is_empty() {
            return Flow::Next;
        }
        if self.visible(state, span) == Flow::Over {
            return Flow::Over;
        }
        self.note_ended(state, &shared, span);
        Flow::Next
    }

    /// The same where the instruction is the visible step of its path already.
    pub(super) fn note_seen_ends(&mut self, state: &State, ends: &[Option<ObjectId>], span: Span) {
        if !self.is_hidden(state, Touch::Plain { writes: true }) {
            let shared = self.shared_ends(ends);
            self.note_ended(state, &shared, span);
        }
    }

    fn shared_ends(&self, ends: &[Option<ObjectId>]) -> Vec<Extent> {
        (ends.iter())
            .filter(|object| object.is_none_or(|object| !self.is_private(object)))
            .map(|object| object.map_or(Extent::Anywhere, Extent::Somewhere))
            .collect()
    }

    fn note_ended(&mut self, state: &State, shared: &[Extent], span: Span) {
        let yes = self.terms.bool(true);
        for &extent in shared {
            self.note_race(state, (yes, extent), Touch::Plain { writes: true }, span);
        }
    }

    /// Whether two accesses may be of the same bytes, wherever they are made.
    fn may_overlap(&self, one: Extent, other: Extent) -> bool {
        match (one, other) {
            (Extent::Range(object, first, bytes), Extent::Range(same, second, count)) => {
                let known = |term| self.terms.as_bits(term).and_then(|bits| u64::try_from(bits).ok());
                object == same
                    && match (known(first), known(second)) {
                        (Some(first), Some(second)) => overlap((first, bytes), (second, count)),
                        (Some(_) | None, _) => true,
                    }
            }
            (
                Extent::Range(object, ..) | Extent::Somewhere(object),
                Extent::Range(other, ..) | Extent::Somewhere(other),
            ) => object == other,
            (Extent::Anywhere, Extent::Range(object, ..) | Extent::Somewhere(object))
            | (Extent::Range(object, ..) | Extent::Somewhere(object), Extent::Anywhere) => {
                self.facts.escaped.contains(&object)
            }
            (Extent::Anywhere, Extent::Anywhere) => true,
        }
    }

    /// When two accesses are of the same bytes.
    fn overlap_of(&mut self, one: Extent, other: Extent) -> TermId {
        let (Extent::Range(_, first, bytes), Extent::Range(_, second, count)) = (one, other) else {
            return self.terms.bool(true);
        };
        // The second one begins before the first one ends, and ends behind its begin.
        let bits = self.objects.pointer_bits;
        let reach = self.terms.bits(u128::from(bytes) + u128::from(count) - 1, bits);
        let before = self.terms.bits(u128::from(count) - 1, bits);
        let distance = self.terms.sub(second, first);
        let distance = self.terms.add(distance, before);
        self.terms.ult(distance, reach)
    }

    /// Terms of a path of one thread as those of another thread that stands at its start.
    fn of_other(&mut self, template: usize, terms: &[TermId]) -> Vec<TermId> {
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in self.terms.subterms(terms) {
            if !matches!(self.terms[term], Term::Symbol(_)) || self.shared.contains(&term) {
                continue;
            }
            let owner = self.identities.iter().position(|identity| *identity == term);
            let new = match owner {
                Some(of) if of == template => self.identity(template, Who::Other),
                Some(_) => term,
                None => self.renamed("other", term),
            };
            map.insert(term, new);
        }
        self.terms.substitute(terms, &map)
    }
}

impl Prover<'_> {
    /// No two conflicting accesses are co-located. `at` has them by the locations that they are the next steps of.
    pub(super) fn show_race_free(
        &mut self,
        at: &[Vec<Racing>],
        obligations: &mut Obligations<'_>,
    ) -> Result<(), Refusal> {
        self.refuse_communication(at)?;
        for left in 0..at.len() {
            for right in left..at.len() {
                if self.may_be_beside(left, right) && self.may_be_beside(right, left) {
                    self.show_not_co_located(at, (left, right), obligations)?;
                }
            }
        }
        Ok(())
    }

    /// Whether another thread may stand at the second location while one stands at the first one.
    fn may_be_beside(&self, first: usize, second: usize) -> bool {
        let template = |location: usize| self.explorer.certificate.locations[location].template;
        let beside = &self.explorer.beside[first];
        self.may_meet(first, second) && (template(first) != 0 || beside.contains(&template(second)))
    }

    /// Some two accesses that conflict, and may be of the same bytes.
    fn conflicting<'a>(&self, ours: &'a [Racing], theirs: &'a [Racing]) -> Vec<(&'a Racing, &'a Racing)> {
        let pairs = ours.iter().flat_map(|one| theirs.iter().map(move |other| (one, other)));
        let conflict = |(one, other): &(&Racing, &Racing)| {
            one.conflicts(other) && self.explorer.may_overlap(one.extent, other.extent)
        };
        pairs.filter(conflict).collect()
    }

    /// What co-location says nothing about.
    fn refuse_communication(&self, at: &[Vec<Racing>]) -> Result<(), Refusal> {
        let program = self.explorer.program;
        if let Some((id, effect)) = communication(program) {
            let function = &program.functions[id];
            let what = format!(
                "threads may learn of each other without being ordered ({}), so that races need not be next to each other: {}",
                function.name,
                match effect {
                    Effect::Communicates(read) | Effect::NotAcquired(read) => read.word(),
                    Effect::Nothing | Effect::Declared(_) => "what it declares",
                }
            );
            return Err(Refusal::new(what, function.span));
        }
        let all = || at.iter().flatten();
        for lock in all().filter(|access| access.touch.is_of_lock()) {
            let mut others = all().filter(|access| !access.touch.is_of_lock());
            let over = others.find(|other| {
                other.touch == Touch::Atomic { writes: true }
                    && self.explorer.may_overlap(lock.extent, other.extent)
            });
            if let Some(over) = over {
                let what = "an atomic access may write a lock word, which orders nobody";
                return Err(Refusal::new(what, over.span).with(lock.span));
            }
        }
        Ok(())
    }

    fn show_not_co_located(
        &mut self,
        at: &[Vec<Racing>],
        (left, right): (usize, usize),
        obligations: &mut Obligations<'_>,
    ) -> Result<(), Refusal> {
        let pairs = self.conflicting(&at[left], &at[right]);
        let Some(&(first, second)) = pairs.first() else { return Ok(()) };
        if let Some((one, other)) = pairs.iter().find(|(one, other)| one.is_late || other.is_late) {
            let what = "an access that conflicts with another one comes behind a release in its atomic block";
            return Err(Refusal::new(what, one.span).with(other.span));
        }
        let mut parts = self.co_located(left, right)?;
        let template = self.explorer.certificate.locations[right].template;
        let mut any = self.explorer.terms.bool(false);
        for &(one, other) in &pairs {
            let mut both = one.guards.clone();
            both.extend(self.explorer.of_other(template, &other.guards));
            let moved = match other.extent {
                Extent::Range(object, offset, bytes) => {
                    Extent::Range(object, self.explorer.of_other(template, &[offset])[0], bytes)
                }
                Extent::Somewhere(_) | Extent::Anywhere => other.extent,
            };
            both.push(self.explorer.overlap_of(one.extent, moved));
            let both = self.explorer.terms.and_all(both);
            any = self.explorer.terms.or(any, both);
        }
        parts.push(any);
        let ((here, _), (there, _)) = (self.at(left), self.at(right));
        let what = || format!("that the accesses at {here} and {there} are never both next");
        self.refute(obligations, &parts, what, first.span).map_err(|why| why.with(second.span))
    }

    /// What holds while two different threads stand at two locations: the one that acts and the other one.
    pub(super) fn co_located(&mut self, left: usize, right: usize) -> Result<Vec<TermId>, Refusal> {
        let now = self.now.clone();
        let me = Presence { location: left, who: Who::Actor };
        let other = Presence { location: right, who: Who::Other };
        let certificate = self.explorer.certificate;
        let (mine, theirs) = (certificate.locations[left].template, certificate.locations[right].template);
        let standing = self.standing[right].clone();
        let mut parts = vec![self.acting[left], self.explorer.term(&standing)];
        parts.extend(self.explorer.counter_axioms(&now, &[me, other]));
        let ids = [
            (mine, self.explorer.identity(mine, Who::Actor)),
            (theirs, self.explorer.identity(theirs, Who::Other)),
        ];
        parts.extend(self.explorer.identity_axioms(&ids));
        parts.extend(self.pair_holds(me, other, &now)?);
        Ok(parts)
    }
}
