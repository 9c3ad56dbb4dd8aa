//! Deepening: bounds that grow, and what is covered within them.
//!
//! Iterative deepening for unrollings: loops and recursions start with few iterations, and exactly those grow that some execution was seen to
//! reach. Loops that go on whatever happens (their number of iterations is constant) have a schedule of their own: all
//! of them at once if that is affordable, else in large steps.
//!
//! Direction of error: none. Bounds only say how far to look; what is covered says of each loop whether it was cut.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::analyses::loop_names::{NamedLoop, loop_names};
use raddle_ir::{BlockId, FunctionId, Program};
use rustc_hash::FxHashMap;

use crate::execution_graph::events::LimitKind;
use crate::facts::Facts;
use crate::{Bounds, Coverage, Extent, LoopCoverage, RecursionCoverage};

/// Iterations of open loops, one after the other.
const ITERATIONS: &[u32] = &[1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181];
/// Iterations of loops whose number of iterations is known, when not all of them can be afforded at first.
const CONSTANT_ITERATIONS: &[u32] = &[2, 5, 13, 34, 89, 233, 987, 10_000, 1_000_000];
/// Below so many events everything is unrolled at once.
const AFFORDABLE: usize = 1_200;
/// The same for visits of blocks.
const AFFORDABLE_VISITS: usize = 40_000;
/// The same for threads.
const AFFORDABLE_THREADS: usize = 12;
const MAX_THREADS: u32 = 64;

/// No jump is farther than that: larger unrollings may be too large.
const FARTHEST_JUMP: u32 = 34;

/// A loop: its function and its header.
pub(crate) type LoopKey = (FunctionId, BlockId);

/// How far an unrolling goes.
#[derive(Clone, Debug)]
pub(crate) struct UnrollBounds {
    /// Iterations of a loop, and depth of a recursion, unless `loops` says otherwise.
    pub(crate) unwind: u32,
    /// Iterations of single loops.
    pub(crate) loops: FxHashMap<LoopKey, u32>,
    /// Depth of single recursions.
    pub(crate) recursions: FxHashMap<FunctionId, u32>,
    /// Iterations of a loop that goes on whatever happens.
    pub(crate) constant_iterations: u32,
    pub(crate) max_threads: u32,
    /// Beyond so many events no loop goes on: the unrolling is only to see that it is large.
    pub(crate) event_cap: usize,
    /// The same for visits of blocks.
    pub(crate) visit_cap: usize,
    /// The same for threads.
    pub(crate) thread_cap: usize,
}

/// What an unrolling met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met<'r> {
    /// Iterations of each loop that were executed at most.
    pub(crate) loops: &'r BTreeMap<LoopKey, u32>,
    /// Loops that were cut although it was open whether another iteration follows, or whose bound was given.
    pub(crate) open_cuts: &'r BTreeSet<LoopKey>,
    /// Depth of each recursive function.
    pub(crate) recursions: &'r BTreeMap<FunctionId, u32>,
    /// How many threads there are.
    pub(crate) threads: usize,
}

/// The bounds at work, and how they grow.
#[derive(Debug)]
pub(crate) struct Deepening<'t> {
    program: &'t Program,
    /// What the user says.
    asked: &'t Bounds,
    /// All loops of the program.
    named: Vec<NamedLoop>,
    at_work: UnrollBounds,
    /// Which of [`CONSTANT_ITERATIONS`] is at work.
    constant_step: usize,
    /// The loops that were cut where loops of a known length are followed to.
    constant_cuts: BTreeSet<LoopKey>,
    /// After how few iterations loops were seen to be left.
    seen: FxHashMap<LoopKey, u32>,
}

impl<'t> Deepening<'t> {
    pub(crate) fn new(program: &'t Program, asked: &'t Bounds) -> Self {
        let named = loop_names(program);
        let at_work = first_bounds(program, asked, &named);
        Self {
            program,
            asked,
            named,
            at_work,
            constant_step: 0,
            constant_cuts: BTreeSet::new(),
            seen: FxHashMap::default(),
        }
    }

    /// Takes notice of what others have seen: a loop that grows need not stop where no execution that was seen has left it, since nothing
    /// of what is behind the loop is looked at with fewer iterations. That says only where to look next: what is covered are the bounds at work.
    pub(crate) fn take_notice(&mut self, facts: &Facts) {
        for named in &self.named {
            let key = (named.function, named.header);
            if let Some(iterations) = facts.fewest_iterations(key) {
                self.seen.insert(key, iterations.min(FARTHEST_JUMP));
            }
        }
    }

    /// Begins again with the smallest bounds.
    pub(crate) fn start_again(&mut self) {
        self.at_work = first_bounds(self.program, self.asked, &self.named);
        self.constant_step = 0;
        self.constant_cuts.clear();
    }

    pub(crate) const fn bounds(&self) -> &UnrollBounds {
        &self.at_work
    }

    /// Whether bounds grow, which they do unless the user says how large they are.
    pub(crate) const fn grows(&self) -> bool {
        self.asked.unwind.is_none()
    }

    /// Bounds for a draft: everything that is affordable, to see whether that is all.
    pub(crate) fn draft(&self) -> UnrollBounds {
        UnrollBounds {
            constant_iterations: u32::MAX,
            event_cap: AFFORDABLE,
            visit_cap: AFFORDABLE_VISITS,
            thread_cap: AFFORDABLE_THREADS,
            ..self.at_work.clone()
        }
    }

    /// Loops whose number of iterations is known are unrolled at once if that is affordable, as a draft has shown, else step by step.
    pub(crate) fn choose(&mut self, is_affordable: bool) {
        if is_affordable {
            // What is inferred may still show that a loop is never left.
            self.at_work.event_cap = 2 * AFFORDABLE;
            self.at_work.visit_cap = 2 * AFFORDABLE_VISITS;
        } else {
            self.go_in_steps();
        }
    }

    /// Loops whose number of iterations is known are followed step by step.
    pub(crate) fn go_in_steps(&mut self) {
        self.at_work.constant_iterations = CONSTANT_ITERATIONS[self.constant_step];
    }

    /// Larger bounds may be as large as they are.
    pub(crate) const fn lift_caps(&mut self) {
        self.at_work.event_cap = usize::MAX;
        self.at_work.visit_cap = usize::MAX;
    }

    /// Whether loops of a known length are cut because that is where they are followed to for now.
    pub(crate) const fn cuts_constant_loops(&self) -> bool {
        self.at_work.constant_iterations != u32::MAX && self.grows()
    }

    /// Lets the bounds grow that can be reached. Says whether any did.
    pub(crate) fn grow(&mut self, reached: &BTreeSet<LimitKind>, met: &Met<'_>) -> bool {
        if !self.grows() {
            return false;
        }
        let mut grown = false;
        let most = self.asked.unwind_max.unwrap_or(u32::MAX);
        let next =
            |now: u32| ITERATIONS.iter().copied().find(|&next| next > now).filter(|&next| next <= most);
        for kind in reached {
            match kind {
                LimitKind::Loop(function, header) => {
                    let key = (*function, *header);
                    if self.is_named(key) {
                        continue;
                    }
                    if !met.open_cuts.contains(&key) {
                        // The next constant step lets it grow.
                        self.constant_cuts.insert(key);
                        continue;
                    }
                    let now = self.at_work.loops.get(&key).copied().unwrap_or(self.at_work.unwind);
                    let seen = self.seen.get(&key).map_or(0, |seen| seen.saturating_sub(1));
                    if let Some(next) = next(now.max(seen)).or_else(|| next(now)) {
                        self.at_work.loops.insert(key, next);
                        grown = true;
                    }
                }
                LimitKind::Recursion(function) => {
                    if self.asked.unwind_set.contains_key(&self.program.functions[*function].name) {
                        continue;
                    }
                    if let Some(next) = next(self.depth(*function)) {
                        self.at_work.recursions.insert(*function, next);
                        grown = true;
                    }
                }
                LimitKind::Threads | LimitKind::Unsupported(_) => {}
            }
        }
        if self.at_work.constant_iterations != u32::MAX && self.constant_step + 1 < CONSTANT_ITERATIONS.len()
        {
            self.constant_step += 1;
            self.at_work.constant_iterations = CONSTANT_ITERATIONS[self.constant_step].min(most);
            grown = true;
        }
        grown
    }

    /// Whether the user says how far a loop is followed.
    fn is_named(&self, key: LoopKey) -> bool {
        let is_it = |named: &&NamedLoop| (named.function, named.header) == key;
        self.named.iter().find(is_it).is_some_and(|named| self.asked.unwind_set.contains_key(&named.name))
    }

    fn depth(&self, function: FunctionId) -> u32 {
        self.at_work.recursions.get(&function).copied().unwrap_or(self.at_work.unwind)
    }

    /// What the bounds at work will cover: loops that are followed further than others, and the bound for these.
    pub(crate) fn attempted(&self) -> Coverage {
        let loops = self.named.iter().filter_map(|named| {
            let key = (named.function, named.header);
            let constant = || self.constant_cuts.contains(&key).then_some(self.at_work.constant_iterations);
            let iterations = self.at_work.loops.get(&key).copied().or_else(constant)?;
            Some(self.loop_coverage(named, iterations, false))
        });
        let mut recursions: Vec<RecursionCoverage> = self
            .program
            .functions
            .iter()
            .filter_map(|(id, function)| {
                let depth = *self.at_work.recursions.get(&id)?;
                Some(RecursionCoverage { function: function.name.clone(), depth, complete: false })
            })
            .collect();
        recursions.sort();
        let loops: Vec<LoopCoverage> = loops.collect();
        // Where single loops have grown, the others have all they need.
        let unwind = (loops.is_empty() && recursions.is_empty()).then_some(self.at_work.unwind);
        Coverage { loops, recursions, unwind: unwind.map(Extent::bounded), ..Coverage::default() }
    }

    /// What an unrolling covers whose bounds are reached in these places.
    pub(crate) fn covered(&self, met: &Met<'_>, reached: &BTreeSet<LimitKind>) -> Coverage {
        let loops = self.named.iter().filter_map(|named| {
            let key = (named.function, named.header);
            let iterations = met.loops.get(&key).copied();
            let is_cut = reached.contains(&LimitKind::Loop(key.0, key.1));
            let is_shown = is_cut || iterations.is_some() && !self.program.functions[named.function].model;
            is_shown.then(|| self.loop_coverage(named, iterations.unwrap_or(0), !is_cut))
        });
        let deepest = |function: FunctionId| RecursionCoverage {
            function: self.program.functions[function].name.clone(),
            depth: self.depth(function),
            complete: false,
        };
        let mut recursions: Vec<RecursionCoverage> = Vec::new();
        for (&function, &depth) in met.recursions {
            let is_cut = reached.contains(&LimitKind::Recursion(function));
            let followed = RecursionCoverage { depth, complete: true, ..deepest(function) };
            recursions.push(if is_cut { deepest(function) } else { followed });
        }
        let mut is_many = false;
        for kind in reached {
            match kind {
                LimitKind::Recursion(function) if !met.recursions.contains_key(function) => {
                    recursions.push(deepest(*function));
                }
                LimitKind::Threads => is_many = true,
                LimitKind::Loop(..) | LimitKind::Recursion(_) | LimitKind::Unsupported(_) => {}
            }
        }
        let threads = if is_many {
            Extent::bounded(self.at_work.max_threads)
        } else {
            Extent::all(u32::try_from(met.threads).unwrap_or(u32::MAX))
        };
        Coverage { loops: loops.collect(), recursions, threads: Some(threads), ..Coverage::default() }
    }

    fn loop_coverage(&self, named: &NamedLoop, iterations: u32, complete: bool) -> LoopCoverage {
        LoopCoverage {
            name: named.name.clone(),
            function: self.program.functions[named.function].name.clone(),
            span: named.span,
            iterations,
            complete,
        }
    }

    /// The largest number of iterations at work, for those who follow the progress.
    pub(crate) fn deepest(&self) -> u32 {
        self.at_work.loops.values().copied().max().unwrap_or(0).max(self.at_work.unwind)
    }
}

fn first_bounds(program: &Program, asked: &Bounds, named: &[NamedLoop]) -> UnrollBounds {
    let mut bounds = UnrollBounds {
        unwind: asked.unwind.unwrap_or(ITERATIONS[0]),
        loops: FxHashMap::default(),
        recursions: FxHashMap::default(),
        constant_iterations: asked.unwind.unwrap_or(u32::MAX),
        max_threads: asked.max_threads.unwrap_or(MAX_THREADS),
        event_cap: usize::MAX,
        visit_cap: usize::MAX,
        thread_cap: usize::MAX,
    };
    for (name, bound) in &asked.unwind_set {
        if let Some(found) = named.iter().find(|found| found.name == *name) {
            bounds.loops.insert((found.function, found.header), *bound);
        } else if let Some((function, _)) =
            program.functions.iter().find(|(_, function)| function.name == *name)
        {
            bounds.recursions.insert(function, *bound);
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::text::parse_program;

    /// Two loops, one after the other.
    const LOOPS: &str = "program pointer_bits 64 entry f0
        function f0 \"main\" () {
          registers r0: i1
        b0: jump b1
        b1: branch r0, b1, b2
        b2: branch r0, b2, b3
        b3: return
        }";

    fn reached(program: &Program, loops: &[usize]) -> (BTreeSet<LimitKind>, BTreeSet<LoopKey>) {
        let named = loop_names(program);
        let keys: BTreeSet<LoopKey> =
            loops.iter().map(|&index| (named[index].function, named[index].header)).collect();
        (keys.iter().map(|&(function, header)| LimitKind::Loop(function, header)).collect(), keys)
    }

    #[test]
    fn exactly_the_loops_grow_that_are_reached_and_that_nobody_has_bounded() {
        let program = parse_program(LOOPS).unwrap();
        let asked = Bounds {
            unwind_set: [("main.1".to_owned(), 4)].into(),
            unwind_max: Some(2),
            ..Bounds::default()
        };
        let mut deepening = Deepening::new(&program, &asked);
        let (limits, open_cuts) = reached(&program, &[0, 1]);
        let (loops, recursions) = (BTreeMap::new(), BTreeMap::new());
        let met = Met { loops: &loops, open_cuts: &open_cuts, recursions: &recursions, threads: 1 };
        assert!(deepening.grow(&limits, &met));
        let attempted = deepening.attempted();
        let iterations: Vec<u32> = attempted.loops.iter().map(|entry| entry.iterations).collect();
        assert_eq!(iterations, [2, 4]);
        assert!(!deepening.grow(&limits, &met), "as far as `--unwind-max` says");
        deepening.start_again();
        assert_eq!(deepening.deepest(), 4);
    }

    #[test]
    fn what_is_attempted_names_loops_of_a_known_length() {
        let program = parse_program(LOOPS).unwrap();
        let asked = Bounds::default();
        let mut deepening = Deepening::new(&program, &asked);
        deepening.go_in_steps();
        let (limits, open_cuts) = reached(&program, &[0, 1]);
        let open_cuts = open_cuts.into_iter().take(1).collect();
        let (loops, recursions) = (BTreeMap::new(), BTreeMap::new());
        let met = Met { loops: &loops, open_cuts: &open_cuts, recursions: &recursions, threads: 1 };
        assert!(deepening.grow(&limits, &met));
        let attempted = deepening.attempted();
        let shown: Vec<(&str, u32)> =
            attempted.loops.iter().map(|entry| (entry.name.as_str(), entry.iterations)).collect();
        assert_eq!(shown, [("main.0", ITERATIONS[1]), ("main.1", CONSTANT_ITERATIONS[1])]);
        assert_eq!(attempted.unwind, None);
    }

    #[test]
    fn what_is_covered_says_which_loops_were_cut() {
        let program = parse_program(LOOPS).unwrap();
        let asked = Bounds::default();
        let deepening = Deepening::new(&program, &asked);
        let (_, keys) = reached(&program, &[0, 1]);
        let (limits, open_cuts) = reached(&program, &[1]);
        let loops = keys.iter().map(|&key| (key, 3)).collect();
        let recursions = BTreeMap::new();
        let met = Met { loops: &loops, open_cuts: &open_cuts, recursions: &recursions, threads: 2 };
        let covered = deepening.covered(&met, &limits);
        let shown: Vec<(&str, u32, bool)> = covered
            .loops
            .iter()
            .map(|entry| (entry.name.as_str(), entry.iterations, entry.complete))
            .collect();
        assert_eq!(shown, [("main.0", 3, true), ("main.1", 3, false)]);
        assert_eq!(covered.threads, Some(Extent::all(2)));
    }
}
