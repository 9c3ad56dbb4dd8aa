//! All paths from a location to the next ones.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use raddle_base::{Budget, Id, Span};
use raddle_ir::{BlockId, Frame, InstKind, Operand, Point, Program, Property, Type};
use raddle_logic::term::{Sort, TermId, Terms};
use raddle_semantics::pointers::Target as PointerTarget;
use raddle_semantics::{ObjectId, values};
use rustc_hash::FxBuildHasher;

use super::deadlock::Wait;
use super::facts::Facts;
use super::objects::Objects;
use super::races::{Blocks, Racing};
use super::state::{Activation, Check, Edge, FrameId, Slot, State, Target};
use super::{Claim, Refusal};
use crate::certificate::Certificate;

/// A path that executes more instructions without meeting a location is refused.
const MOST_STEPS: u32 = 20_000;
/// So are more paths from one location.
const MOST_PATHS: usize = 20_000;

/// Whether a path goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Over,
}

/// All paths from a location, and what is on them.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    pub(super) edges: Vec<Edge>,
    pub(super) checks: Vec<Check>,
    /// Accesses that may race.
    pub(super) racing: Vec<Racing>,
    pub(super) waits: Vec<Wait>,
}

/// A followed cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellInfo {
    pub(super) object: ObjectId,
    pub(super) offset: u64,
    pub(super) bytes: u32,
}

/// What is derived from the program.
#[derive(Debug)]
pub(super) struct Explorer<'p> {
    pub(super) program: &'p Program,
    pub(super) certificate: &'p Certificate,
    pub(super) asked: &'p [Property],
    pub(super) excused: &'p [Property],
    /// Whether each thread that is started is told apart: the product of threads is looked at.
    pub(super) is_product: bool,
    pub(super) terms: Terms,
    pub(super) objects: Objects,
    pub(super) frames: IndexSet<Frame, FxBuildHasher>,
    pub(super) facts: Facts,
    pub(super) cells: Vec<CellInfo>,
    /// What the cells hold before a step.
    pub(super) shared: Vec<TermId>,
    /// Of objects of which it is followed whether they live, the cells that say so.
    pub(super) lives: BTreeMap<ObjectId, usize>,
    /// The ids of threads: of the thread at hand, by template.
    pub(super) identities: Vec<TermId>,
    /// Where locations are: template, activation, site.
    pub(super) places: BTreeMap<(usize, Point), usize>,
    /// The largest ids that the threads of templates can have, where that is known.
    pub(super) most_ids: Vec<Option<u32>>,
    /// Of each location of the main thread, the templates of which a thread may have been started when it stands there.
    pub(super) beside: Vec<BTreeSet<usize>>,
    /// Of each location, the templates of which the thread may have started one.
    pub(super) started_before: Vec<BTreeSet<usize>>,
    /// Of the location at hand.
    pub(super) pending: Vec<State>,
    pub(super) edges: Vec<Edge>,
    pub(super) checks: Vec<Check>,
    pub(super) racing: Vec<Racing>,
    pub(super) waits: Vec<Wait>,
}

impl<'p> Explorer<'p> {
    pub(super) fn new(claim: &'p Claim<'p>, certificate: &'p Certificate) -> Self {
        Self {
            program: claim.program,
            certificate,
            asked: &claim.asked,
            excused: &claim.excused,
            is_product: false,
            terms: Terms::new(),
            objects: Objects::new(claim.program),
            frames: IndexSet::default(),
            facts: Facts::default(),
            cells: Vec::new(),
            shared: Vec::new(),
            lives: BTreeMap::new(),
            identities: Vec::new(),
            places: BTreeMap::new(),
            most_ids: Vec::new(),
            beside: Vec::new(),
            started_before: Vec::new(),
            pending: Vec::new(),
            edges: Vec::new(),
            checks: Vec::new(),
            racing: Vec::new(),
            waits: Vec::new(),
        }
    }

    pub(super) fn frame(&mut self, frame: Frame) -> FrameId {
        self.frames.insert_full(frame).0
    }

    /// Any value of a type.
    pub(super) fn any(&mut self, ty: Type) -> TermId {
        let sort = values::sort(ty, self.objects.pointer_bits);
        self.terms.fresh("any", sort)
    }

    /// The symbol that stands for what a slot of a thread holds at the start of a path.
    pub(super) fn slot_symbol(&mut self, template: usize, slot: Slot, width: u32) -> TermId {
        let name = match slot {
            Slot::Register(frame, register) => format!("own.{template}.{frame}.{}", register.index()),
            Slot::Own(object, offset, bytes) => {
                format!("own.{template}.o{}.{offset}.{bytes}", object.index())
            }
        };
        let sort = if width == 0 { Sort::Bool } else { Sort::BitVec(width) };
        self.terms.symbol(&name, sort)
    }

    /// The width of a register's values; zero for truth values.
    pub(super) fn register_width(&self, ty: Type) -> u32 {
        match values::sort(ty, self.objects.pointer_bits) {
            Sort::Bool => 0,
            Sort::BitVec(width) => width,
            Sort::Array { .. } => unreachable!("no value is an array"),
        }
    }

    /// The address of the object may be known to anybody.
    pub(super) fn escape(&mut self, value: TermId) {
        for object in self.objects.mentions(&self.terms, value) {
            self.facts.escape(object);
        }
    }

    pub(super) fn is_mixed(&mut self, slot: Slot, ty: Type) -> bool {
        self.facts.is_mixed_slot(slot, ty == Type::Ptr)
    }

    pub(super) fn is_mixed_cell(&mut self, cell: usize, ty: Type) -> bool {
        self.facts.is_mixed_cell(cell, ty == Type::Ptr)
    }

    /// The objects that a pointer may lead to, if they are all known.
    pub(super) fn known_targets(&mut self, pointer: TermId) -> Option<Vec<PointerTarget>> {
        let targets = self.objects.space.targets(&mut self.terms, pointer)?;
        let mentioned = self.objects.mentions(&self.terms, pointer);
        let is_known = |target: &PointerTarget| {
            let number = target.object.index() < 2 && self.terms.as_bits(target.address).is_some();
            number || mentioned.contains(&target.object)
        };
        targets.iter().all(is_known).then_some(targets)
    }

    pub(super) fn owes(&self, property: Property) -> bool {
        self.asked.contains(&property) || !self.excused.contains(&property)
    }

    /// Follows all paths from a location.
    pub(super) fn explore(&mut self, location: usize, budget: &Budget) -> Result<Paths, Refusal> {
        let start = self.start(location)?;
        (self.pending, self.edges, self.checks) = (vec![start], Vec::new(), Vec::new());
        self.racing.clear();
        self.waits.clear();
        while let Some(mut state) = self.pending.pop() {
            if let Err(why) = budget.check() {
                let what = format!("the paths of the program were not all followed: {why}");
                return Err(Refusal::new(what, state.span));
            }
            while self.step(&mut state)? == Flow::Next {
                state.steps += 1;
                if state.steps > MOST_STEPS {
                    let what = "a path comes to no location of the certificate: a loop without a location?";
                    let missing = self.here(&state);
                    return Err(Refusal { missing, ..Refusal::new(what, state.span) });
                }
            }
            if self.edges.len() + self.pending.len() > MOST_PATHS {
                return Err(Refusal::new("too many paths lead on from a location", state.span));
            }
        }
        let (edges, checks) = (std::mem::take(&mut self.edges), std::mem::take(&mut self.checks));
        Ok(Paths {
            edges,
            checks,
            racing: std::mem::take(&mut self.racing),
            waits: std::mem::take(&mut self.waits),
        })
    }

    /// A thread that stands at a location.
    fn start(&mut self, location: usize) -> Result<State, Refusal> {
        let here = &self.certificate.locations[location];
        let mut stack = Vec::new();
        for (depth, site) in here.point.frame.iter().chain([&here.point.site]).enumerate() {
            let frame = self.frame(here.point.frame[..depth].to_vec());
            stack.push(Activation { frame, function: site.function, block: site.block, index: site.index });
        }
        let mut state = State {
            template: here.template,
            from: location,
            stack,
            registers: BTreeMap::new(),
            entered: BTreeSet::new(),
            own: BTreeMap::new(),
            shared: self.shared.clone(),
            tallies: vec![0; self.certificate.tallies.len()],
            guards: Vec::new(),
            visible: None,
            atomic_depth: 0,
            block: None,
            block_is_visible: false,
            blocks: Blocks::default(),
            made: BTreeSet::new(),
            dead: BTreeSet::new(),
            happened: Vec::new(),
            forks: Vec::new(),
            joins: Vec::new(),
            exist: Vec::new(),
            asked: Vec::new(),
            reads: BTreeSet::new(),
            moved: false,
            steps: 0,
            trail: Vec::new(),
            span: Span::NONE,
        };
        for (quantity, known) in &here.constants {
            let (slot, width) = self.slot(here.template, &here.point, quantity)?;
            let value = self.known(known, (slot, width), &here.point)?;
            match slot {
                Slot::Register(frame, register) => {
                    state.registers.insert((frame, register), value);
                }
                Slot::Own(object, offset, bytes) => {
                    state.own.entry(object).or_default().slots.insert((offset, bytes), value);
                }
            }
        }
        Ok(state)
    }

    /// One instruction of the path, or its end.
    fn step(&mut self, state: &mut State) -> Result<Flow, Refusal> {
        let Some(top) = state.stack.last() else { return Ok(Flow::Over) };
        let site = top.site();
        if state.moved && state.atomic_depth == 0 {
            let frame = self.frames[top.frame].clone();
            if let Some(&location) = self.places.get(&(state.template, Point { frame, site })) {
                self.finish(state, Target::At(location));
                return Ok(Flow::Over);
            }
        }
        state.moved = true;
        if self.is_product {
            state.trail.push((top.frame, site));
        }
        let block = &self.program.functions[site.function].blocks[site.block];
        self.count(state, top_frame(state), site);
        match block.insts.get(site.index) {
            Some(inst) => {
                if inst.span != Span::NONE {
                    state.span = inst.span;
                }
                let flow = self.execute(state, &inst.kind, state.span)?;
                if flow == Flow::Next && !matches!(inst.kind, InstKind::Call { .. }) {
                    advance(state);
                }
                Ok(flow)
            }
            None => {
                if block.span != Span::NONE {
                    state.span = block.span;
                }
                self.terminate(state, &block.terminator)
            }
        }
    }

    /// Counts an instruction that a tally is about.
    fn count(&mut self, state: &mut State, frame: FrameId, site: raddle_ir::Site) {
        for (index, tally) in self.certificate.tallies.iter().enumerate() {
            if tally.template == state.template
                && tally.at.site == site
                && self.frames[frame] == tally.at.frame
            {
                state.tallies[index] = 1;
            }
        }
    }

    /// The path ends.
    pub(super) fn finish(&mut self, state: &State, to: Target) {
        let span = state.visible.unwrap_or(state.span);
        self.edges.push(Edge { to, end: state.clone(), span });
    }

    /// The thread takes no more steps. What it did on the path counts; where others have seen nothing of that yet, it may as well
    /// be said to stand where the path started. An atomic block that does not come to its end has not happened.
    pub(super) fn stop(&mut self, state: &State) {
        let is_seen = state.shared != self.shared
            || !state.forks.is_empty()
            || state.tallies.iter().any(|&times| times > 0);
        if state.visible.is_some() && !state.block_is_visible && is_seen {
            self.finish(state, Target::Stuck);
        }
    }

    /// The path goes on only where this holds.
    pub(super) fn assume(&mut self, state: &mut State, condition: TermId) -> bool {
        if let Some(value) = self.terms.as_bool(condition) {
            return value;
        }
        let opposite = self.terms.not(condition);
        if state.guards.contains(&opposite) {
            return false;
        }
        if !state.guards.contains(&condition) {
            state.guards.push(condition);
        }
        true
    }

    /// What a property demands: that something surely holds. Where nobody asks, nothing follows unless it possibly holds.
    pub(super) fn demand(
        &mut self,
        state: &mut State,
        property: Property,
        (surely, possibly): (TermId, TermId),
        what: impl Fn() -> String,
        at: Span,
    ) -> Flow {
        if self.terms.as_bool(surely) == Some(true) || state.guards.contains(&surely) {
            return Flow::Next;
        }
        let mut other = state.clone();
        let fails = self.terms.not(surely);
        let may_fail = self.assume(&mut other, fails);
        let goes_on = if self.owes(property) {
            if may_fail {
                self.forbid(&other, what(), at);
            }
            surely
        } else {
            if may_fail {
                self.stop(&other);
            }
            possibly
        };
        if self.assume(state, goes_on) { Flow::Next } else { Flow::Over }
    }

    /// The path must not come here.
    pub(super) fn forbid(&mut self, state: &State, what: String, at: Span) {
        let (guards, joins, trail) = (state.guards.clone(), state.joins.clone(), state.trail.clone());
        let (forks, asked) = (state.forks.clone(), state.asked.clone());
        self.checks.push(Check { guards, joins, forks, asked, what, at, trail, other: None, missing: None });
    }

    /// Where a thread on a path stands, for who wants to say what is missing there.
    fn here(&self, state: &State) -> Option<(usize, Point)> {
        let top = state.stack.last()?;
        let (frame, site) = match state.block {
            Some(begin) if state.atomic_depth > 0 => begin,
            Some(_) | None => (top.frame, top.site()),
        };
        Some((state.template, Point { frame: self.frames[frame].clone(), site }))
    }

    /// The path leads to something that this checker does not follow: it must not be taken.
    pub(super) fn refuse_path(&mut self, state: &State, what: impl Into<String>, at: Span) -> Flow {
        self.forbid(state, what.into(), at);
        Flow::Over
    }

    /// Others may notice the instruction at hand.
    pub(super) fn visible(&mut self, state: &mut State, span: Span) -> Flow {
        if state.atomic_depth > 0 && state.block_is_visible {
            return Flow::Next;
        }
        if let Some(first) = state.visible {
            let what = "no path makes two visible steps without a location between them";
            let missing = self.here(state);
            self.forbid(state, what.to_owned(), span);
            if let Some(check) = self.checks.last_mut() {
                (check.other, check.missing) = (Some(first), missing);
            }
            return Flow::Over;
        }
        state.visible = Some(span);
        state.block_is_visible = state.atomic_depth > 0;
        Flow::Next
    }

    /// What an operand holds.
    pub(super) fn operand(&mut self, state: &mut State, operand: Operand) -> Result<TermId, Refusal> {
        let register = match operand {
            Operand::Constant(constant) => return self.constant(constant, state.span),
            Operand::Register(register) => register,
        };
        let top = state.stack.last().expect("a thread that runs has an activation");
        let (frame, function) = (top.frame, top.function);
        if let Some(&value) = state.registers.get(&(frame, register)) {
            return Ok(value);
        }
        let ty = self.program.functions[function].registers[register].ty;
        let value = if state.entered.contains(&frame) {
            self.any(ty)
        } else {
            let slot = Slot::Register(frame, register);
            state.reads.insert(slot);
            self.facts.needs(state.from, slot);
            let width = self.register_width(ty);
            self.slot_symbol(state.template, slot, width)
        };
        state.registers.insert((frame, register), value);
        Ok(value)
    }

    pub(super) fn operand_type(&self, state: &State, operand: Operand) -> Type {
        match operand {
            Operand::Constant(constant) => constant.ty(),
            Operand::Register(register) => {
                let function = state.stack.last().expect("a thread that runs has an activation").function;
                self.program.functions[function].registers[register].ty
            }
        }
    }
}

pub(super) fn top_frame(state: &State) -> FrameId {
    state.stack.last().map_or(0, |top| top.frame)
}

pub(super) fn advance(state: &mut State) {
    if let Some(top) = state.stack.last_mut() {
        top.index += 1;
    }
}

/// Control goes to another block.
pub(super) fn jump(state: &mut State, target: BlockId) {
    if let Some(top) = state.stack.last_mut() {
        (top.block, top.index) = (target, 0);
    }
}
