//! Refinement: an error trace that the proof automaton does not exclude yet, shortest first; it is possible, or it teaches predicates that exclude it.

use std::rc::Rc;

use raddle_base::{Budget, Exhausted};
use raddle_flow::{CheckId, Flow};
use raddle_ir::{Point, Program};
use raddle_logic::term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::{Automaton, KnownId};
use crate::certify;
use crate::interpolate::{self, Infeasible};
use crate::letters::{Failure, Letter, LetterId};
use crate::product::{Product, Reduced, Reduction, StandingId, StateId, Successor, failure};
use crate::trace::{self, Decided};

/// How to look.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which interleavings.
    pub reduction: Reduction,
    /// More threads than this, the main one included, are not looked at.
    pub most_threads: usize,
    /// More rounds than this are not made.
    pub most_rounds: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { reduction: Reduction::PartialOrder, most_threads: 8, most_rounds: 2_000 }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No check fails, if the checker of certificates agrees: these predicates show it.
    Safe(Box<raddle_proof::Product>),
    /// A check fails, if the VM agrees.
    Bug(Execution),
    /// It is not known, for this reason.
    Open(String),
}

/// Steps up to the failure of a check.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The check.
    pub check: CheckId,
    /// What is done, in order.
    pub steps: Vec<Step>,
}

/// What a thread does.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number, in the order of creation.
    pub thread: usize,
    /// The instructions.
    pub path: Vec<Point>,
    /// What each `Havoc` among them gives.
    pub havocs: Vec<u128>,
}

/// How much was needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Traces that were excluded.
    pub rounds: usize,
    /// States that were looked at, in all rounds.
    pub states: usize,
    /// Predicates.
    pub predicates: usize,
    /// Questions to the solver about single steps.
    pub questions: u64,
    /// Letters of the last trace.
    pub length: usize,
}

/// A trace that goes deep has no more letters.
const DEEPEST: usize = 300;
/// No more states are looked at for it.
const MOST_DEEP: usize = 2_000;
/// More than there are slots.
const MOST_SLOTS: usize = 1 << 16;

/// A state of the search.
struct Node {
    state: StateId,
    known: KnownId,
    /// The node before, and the letter that led here.
    before: Option<(usize, LetterId)>,
}

/// The search for error traces.
pub(crate) struct Refiner<'f> {
    program: &'f Program,
    terms: Terms,
    reduced: Reduced<'f>,
    automaton: Automaton,
    initial: Rc<FxHashMap<TermId, TermId>>,
    wanted: FxHashMap<StandingId, Vec<bool>>,
    after: FxHashMap<(KnownId, LetterId, StandingId), (usize, Option<KnownId>)>,
    /// Failures that are left out: they may happen, and nothing follows from that.
    passed: Vec<Failure>,
    options: Options,
    pub(crate) effort: Effort,
}

impl<'f> Refiner<'f> {
    pub(crate) fn new(program: &'f Program, flow: &'f Flow, terms: Terms, options: Options) -> Self {
        let product = Product::new(flow, &terms, options.most_threads);
        let initial =
            flow.initial.iter().map(|&(variable, value)| (flow.variables[variable].now, value)).collect();
        Self {
            program,
            terms,
            reduced: Reduced::new(product, options.reduction),
            automaton: Automaton::default(),
            initial: Rc::new(initial),
            wanted: FxHashMap::default(),
            after: FxHashMap::default(),
            passed: Vec::new(),
            options,
            effort: Effort::default(),
        }
    }

    /// Rounds until there is an answer.
    pub(crate) fn run(&mut self, budget: &Budget) -> Result<Answer, Exhausted> {
        let mut open: Option<String> = None;
        loop {
            budget.check()?;
            self.effort.predicates = self.automaton.predicates.len();
            self.effort.questions = self.automaton.asked;
            let Some(trace) = self.error_trace(budget)? else {
                return Ok(match open {
                    Some(why) => Answer::Open(why),
                    None => Answer::Safe(Box::new(self.certificate())),
                });
            };
            self.effort.length = trace.len();
            let letters: Vec<Letter> =
                trace.iter().map(|&letter| self.reduced.product.letters[letter].clone()).collect();
            let list: Vec<&Letter> = letters.iter().collect();
            let unfolded = trace::unfold(&mut self.terms, &list, &self.initial);
            let flow = self.reduced.product.flow;
            let edge = |letter: &Letter| &flow.templates[letter.key.template].edges[letter.key.edge];
            let havocs: Vec<&[TermId]> = letters.iter().map(|letter| &edge(letter).havocs[..]).collect();
            match trace::decide(&mut self.terms, &unfolded, &havocs, budget)? {
                Decided::Possible(values) => {
                    let Some(failure) = letters.last().and_then(|letter| letter.failure) else {
                        return Ok(Answer::Open("a trace without a failure was found".to_owned()));
                    };
                    let why = match failure {
                        Failure::Check(check) if flow.checks[check].is_asked => {
                            let steps = letters
                                .iter()
                                .zip(values)
                                .map(|(letter, havocs)| Step {
                                    thread: letter.key.slot,
                                    path: edge(letter).path.clone(),
                                    havocs,
                                })
                                .collect();
                            return Ok(Answer::Bug(Execution { check, steps }));
                        }
                        Failure::Check(check) => {
                            format!("behaviour may be undefined: {}", flow.checks[check].message.claim())
                        }
                        Failure::Threads => {
                            format!("it may start more than {} threads", self.options.most_threads)
                        }
                    };
                    self.passed.push(failure);
                    open.get_or_insert(why);
                }
                Decided::Open => return Ok(Answer::Open("an error trace was not decided".to_owned())),
                Decided::Impossible(core) => {
                    let initial = Rc::clone(&self.initial);
                    let trace =
                        Infeasible { letters: &list, unfolded: &unfolded, core: &core, initial: &initial };
                    if !self.learn(&trace, budget)? {
                        let why = "no predicates were found that exclude an error trace";
                        return Ok(Answer::Open(open.unwrap_or_else(|| why.to_owned())));
                    }
                    self.effort.rounds += 1;
                    if self.effort.rounds >= self.options.most_rounds {
                        return Ok(Answer::Open("refinement did not come to an end".to_owned()));
                    }
                }
            }
        }
    }

    /// The predicates as a certificate, with what is part of where threads stand.
    fn certificate(&mut self) -> raddle_proof::Product {
        let Self { program, terms, reduced, automaton, options, .. } = self;
        let product = &reduced.product;
        let mut predicates: Vec<TermId> =
            automaton.predicates.iter().map(|predicate| predicate.term).collect();
        for &(symbol, value) in &product.letters.constants {
            predicates.push(terms.eq(symbol, value));
        }
        let words = (product.flow, &*terms, &product.letters);
        certify::certificate(program, words, &predicates, options.most_threads)
    }

    /// Adds predicates that exclude a trace. Gives whether there are new ones.
    fn learn(&mut self, trace: &Infeasible<'_>, budget: &Budget) -> Result<bool, Exhausted> {
        let known: Vec<TermId> = self.automaton.predicates.iter().map(|predicate| predicate.term).collect();
        let found = interpolate::interpolants(&mut self.terms, trace, &known, budget)?;
        let mut is_more = false;
        for term in found.into_iter().flatten() {
            is_more |= self.automaton.add(&self.terms, term);
        }
        if is_more {
            self.wanted.clear();
        }
        Ok(is_more)
    }

    /// An error trace that the automaton does not exclude: a shortest one, but in some rounds one that goes deep with threads taking turns. Bugs that
    /// need many changes between threads are found so before all shorter traces are excluded.
    fn error_trace(&mut self, budget: &Budget) -> Result<Option<Vec<LetterId>>, Exhausted> {
        let rounds = self.effort.rounds;
        if (rounds < 32 && rounds.is_multiple_of(2) || rounds.is_power_of_two())
            && let Some(trace) = self.deep_trace(budget)?
        {
            return Ok(Some(trace));
        }
        self.shortest_trace(budget)
    }

    /// The first error trace in a depth-first search in which threads take turns.
    fn deep_trace(&mut self, budget: &Budget) -> Result<Option<Vec<LetterId>>, Exhausted> {
        let state = self.reduced.start();
        let known = self.automaton.start(&mut self.terms, &self.initial, budget)?;
        let mut nodes = vec![Node { state, known, before: None }];
        let mut seen: FxHashSet<(StateId, KnownId)> = FxHashSet::default();
        let mut open = vec![(0, 0)];
        while let Some((at, depth)) = open.pop() {
            let (state, known) = (nodes[at].state, nodes[at].known);
            if !seen.insert((state, known)) {
                continue;
            }
            if seen.len() > MOST_DEEP {
                break;
            }
            self.effort.states += 1;
            budget.spend(5)?;
            let last = nodes[at].before.map_or(0, |(_, letter)| self.slot(letter));
            let successors = self.reduced.successors(&mut self.terms, state);
            let mut list: Vec<Successor> = successors.to_vec();
            // The last one is looked at first. Threads are started first; who may fail then waits: the others do what they can before.
            let standing = self.reduced.standing_of(state);
            list.sort_by_key(|&(letter, _)| {
                let slot = self.slot(letter);
                let turn = if slot > last { slot } else { slot + MOST_SLOTS };
                std::cmp::Reverse((self.reduced.product.only_fails(standing, slot), turn))
            });
            for (letter, to) in list {
                let Some(to) = to else {
                    let why = failure(&self.reduced.product, letter);
                    if why.is_none_or(|why| !self.passed.contains(&why))
                        && self.after(known, letter, None, budget)?.is_some()
                    {
                        return Ok(Some(path(&nodes, at, letter)));
                    }
                    continue;
                };
                let standing = self.reduced.standing_of(to);
                if depth < DEEPEST
                    && let Some(after) = self.after(known, letter, Some(standing), budget)?
                {
                    nodes.push(Node { state: to, known: after, before: Some((at, letter)) });
                    open.push((nodes.len() - 1, depth + 1));
                }
            }
        }
        Ok(None)
    }

    fn slot(&self, letter: LetterId) -> usize {
        self.reduced.product.letters[letter].key.slot
    }

    /// A shortest error trace that the automaton does not exclude.
    fn shortest_trace(&mut self, budget: &Budget) -> Result<Option<Vec<LetterId>>, Exhausted> {
        let state = self.reduced.start();
        let known = self.automaton.start(&mut self.terms, &self.initial, budget)?;
        let mut nodes = vec![Node { state, known, before: None }];
        let mut seen: FxHashSet<(StateId, KnownId)> = FxHashSet::default();
        seen.insert((state, known));
        let mut next = 0;
        while next < nodes.len() {
            let (state, known) = (nodes[next].state, nodes[next].known);
            self.effort.states += 1;
            budget.spend(5)?;
            let successors = self.reduced.successors(&mut self.terms, state);
            for &(letter, to) in successors.iter() {
                let Some(to) = to else {
                    let why = failure(&self.reduced.product, letter);
                    if why.is_some_and(|why| self.passed.contains(&why)) {
                        continue;
                    }
                    if self.after(known, letter, None, budget)?.is_some() {
                        return Ok(Some(path(&nodes, next, letter)));
                    }
                    continue;
                };
                let standing = self.reduced.standing_of(to);
                let Some(after) = self.after(known, letter, Some(standing), budget)? else { continue };
                if seen.insert((to, after)) {
                    nodes.push(Node { state: to, known: after, before: Some((next, letter)) });
                }
            }
            next += 1;
        }
        Ok(None)
    }

    /// What is known behind a letter.
    fn after(
        &mut self,
        known: KnownId,
        letter: LetterId,
        to: Option<StandingId>,
        budget: &Budget,
    ) -> Result<Option<KnownId>, Exhausted> {
        let count = self.automaton.predicates.len();
        let key = to.map(|to| (known, letter, to));
        let already = key.and_then(|key| self.after.get(&key).copied());
        if let Some((made, after)) = already
            && (made == count || after.is_none())
        {
            return Ok(after);
        }
        let already = already.and_then(|(made, after)| Some((made, after?)));
        let wanted = match to {
            Some(to) => self.wanted(to),
            None => vec![false; count],
        };
        let what = (letter, &self.reduced.product.letters[letter]);
        let after = self.automaton.after(&mut self.terms, known, what, (&wanted, already), budget)?;
        if let Some(key) = key {
            self.after.insert(key, (count, after));
        }
        Ok(after)
    }

    /// The predicates that speak only of what may matter where slots stand.
    fn wanted(&mut self, standing: StandingId) -> Vec<bool> {
        if let Some(wanted) = self.wanted.get(&standing) {
            return wanted.clone();
        }
        let product = &self.reduced.product;
        let places = product.standing(standing);
        let mut known: FxHashMap<TermId, bool> = FxHashMap::default();
        let wanted: Vec<bool> =
            self.automaton
                .predicates
                .iter()
                .map(|predicate| {
                    predicate.symbols.iter().all(|&symbol| {
                        *known.entry(symbol).or_insert_with(|| product.matters(places, symbol))
                    })
                })
                .collect();
        self.wanted.insert(standing, wanted.clone());
        wanted
    }
}

/// The letters that lead to a node, and one more.
fn path(nodes: &[Node], mut at: usize, last: LetterId) -> Vec<LetterId> {
    let mut path = vec![last];
    while let Some((before, letter)) = nodes[at].before {
        path.push(letter);
        at = before;
    }
    path.reverse();
    path
}
