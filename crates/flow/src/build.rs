//! Rounds over a program until what is assumed of it holds.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use indexmap::IndexMap;
use raddle_base::{Budget, Id, Span, Table};
use raddle_ir::analyses::cfg::ControlFlow;
use raddle_ir::analyses::liveness::Liveness;
use raddle_ir::{Frame, FunctionId, Point, Program, RegisterId, Site};
use raddle_logic::term::{Sort, TermId, Terms};
use raddle_semantics::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::finish;
use crate::knowledge::{Cell, Knowledge, Known, Slot};
use crate::model::{Check, CheckId, Flow, Storage, TemplateId, Variable, VariableId};
use crate::objects::{Kind, Objects};
use crate::options::{Options, Reason, Refused};
use crate::state::{CheckKey, RawEdge};

/// What the edges of a location are found under.
pub(crate) type Place = (TemplateId, Point);

/// One round: terms and edges made by what is known so far.
#[derive(Debug)]
pub(crate) struct Builder<'p> {
    pub(crate) program: &'p Program,
    pub(crate) options: &'p Options,
    pub(crate) budget: &'p Budget,
    pub(crate) knowledge: Knowledge,
    pub(crate) terms: Terms,
    pub(crate) variables: Table<VariableId, Variable>,
    /// Variables by whose they are and what they are.
    pub(crate) by_storage: FxHashMap<(Option<TemplateId>, Storage), VariableId>,
    /// Symbols that are the value of a variable.
    pub(crate) symbols: FxHashMap<TermId, VariableId>,
    pub(crate) names: FxHashSet<String>,
    pub(crate) checks: Table<CheckId, Check>,
    pub(crate) check_keys: IndexMap<CheckKey, CheckId>,
    pub(crate) edges: IndexMap<Place, Vec<RawEdge>>,
    pub(crate) waiting: VecDeque<Place>,
    /// Whether conditions can hold together.
    pub(crate) possible: FxHashMap<Vec<TermId>, bool>,
    /// Cells that were read as what they hold at first.
    pub(crate) frozen: BTreeSet<Cell>,
    /// The template that is looked at.
    pub(crate) current: TemplateId,
    liveness: FxHashMap<FunctionId, Liveness>,
    live: FxHashMap<Site, Vec<RegisterId>>,
}

/// Builds the flow of a program.
///
/// # Errors
/// What has no meaning here, or is too large, is refused by name.
pub fn build(program: &Program, options: &Options, budget: &Budget) -> Result<Flow, Refused> {
    let objects = Objects::new(program)?;
    let mut builder = Builder {
        program,
        options,
        budget,
        knowledge: Knowledge::new(objects, program.entry),
        terms: Terms::new(),
        variables: Table::new(),
        by_storage: FxHashMap::default(),
        symbols: FxHashMap::default(),
        names: FxHashSet::default(),
        checks: Table::new(),
        check_keys: IndexMap::new(),
        edges: IndexMap::new(),
        waiting: VecDeque::new(),
        possible: FxHashMap::default(),
        frozen: BTreeSet::new(),
        current: TemplateId::from_index(0),
        liveness: FxHashMap::default(),
        live: FxHashMap::default(),
    };
    builder.settle()?;
    // What was concluded from too good an opinion may have left marks: once more, with all that was learned of memory.
    builder.knowledge.forget_values();
    builder.settle()?;
    Ok(finish::finish(builder))
}

impl Builder<'_> {
    /// Rounds until nothing changes.
    fn settle(&mut self) -> Result<(), Refused> {
        /// What is refused is looked at so often again.
        const MOST_RETRIES: u32 = 8;
        let mut retries = 0;
        loop {
            self.knowledge.changed = false;
            if let Err(refused) = self.round() {
                // A callee may be unknown only because a cell was met for the first time, so that nothing was known of it.
                let may_change = matches!(refused.reason, Reason::UnknownCallee | Reason::UnknownThread);
                if !may_change || !self.knowledge.changed || retries == MOST_RETRIES {
                    return Err(refused);
                }
                retries += 1;
                self.knowledge.forget_values();
                continue;
            }
            self.look_at_cycles();
            if !self.knowledge.changed {
                return Ok(());
            }
        }
    }

    /// All steps from all locations that are reached.
    fn round(&mut self) -> Result<(), Refused> {
        self.terms = Terms::new();
        self.variables = Table::new();
        self.by_storage.clear();
        self.symbols.clear();
        self.names.clear();
        self.checks = Table::new();
        self.check_keys.clear();
        self.edges.clear();
        self.waiting.clear();
        self.possible.clear();
        self.frozen.clear();
        for template in 0..self.knowledge.templates.len() {
            self.identity(TemplateId::from_index(template));
        }
        let main = TemplateId::from_index(0);
        let entry = self.entry_point(main);
        let values = self.first_values(main, None);
        self.arrive(main, &entry, &values);
        for (template, known) in self.knowledge.templates.iter().enumerate() {
            for point in known.locations.keys() {
                let place = (TemplateId::from_index(template), point.clone());
                if !self.waiting.contains(&place) {
                    self.waiting.push_back(place);
                }
            }
        }
        let mut edges = 0;
        while let Some((template, point)) = self.waiting.pop_front() {
            self.budget.check()?;
            self.current = template;
            let found = self.steps_from(&point)?;
            edges += found.len();
            if edges > self.options.most_edges || self.edges.len() > self.options.most_locations {
                return Err(Reason::TooLarge.at(Span::NONE));
            }
            self.edges.insert((template, point), found);
        }
        Ok(())
    }

    /// Where threads of a template start.
    pub(crate) fn entry_point(&self, template: TemplateId) -> Point {
        let function =
            self.knowledge.templates[template.index()].function.expect("a template has a function");
        Point { frame: Frame::new(), site: Site { function, block: Id::from_index(0), index: 0 } }
    }

    /// What a new thread has of its own.
    pub(crate) fn first_values(
        &mut self,
        template: TemplateId,
        argument: Option<TermId>,
    ) -> Vec<(Slot, TermId)> {
        let function =
            self.knowledge.templates[template.index()].function.expect("a template has a function");
        let mut values = Vec::new();
        if let (Some(&register), Some(argument)) =
            (self.program.functions[function].parameters.first(), argument)
        {
            values.push((Slot::Register(Frame::new(), register), argument));
        }
        let own: Vec<Cell> = self
            .knowledge
            .objects
            .ids()
            .filter(|&id| {
                let object = self.knowledge.objects.get(id);
                object.is_own && matches!(object.kind, Kind::Global(_)) && !self.knowledge.is_shared(id)
            })
            .flat_map(|id| self.knowledge.cells(id))
            .collect();
        for cell in own {
            let value = self.initial(cell);
            values.push((Slot::Cell(cell), value));
        }
        values
    }

    /// A thread comes to a location: what it has of its own is joined to what others have there.
    pub(crate) fn arrive(&mut self, template: TemplateId, point: &Point, values: &[(Slot, TermId)]) {
        let is_new = !self.knowledge.templates[template.index()].locations.contains_key(point);
        let mut weaker = is_new;
        let mut escaping: Vec<TermId> = Vec::new();
        let mut constants: Vec<u128> = Vec::new();
        let known = self.knowledge.templates[template.index()].locations.entry(point.clone()).or_default();
        // Of what this one does not have nothing is known: a local variable of a block that it did not enter.
        for (slot, now) in known.iter_mut() {
            if let Known::Constant(before, sort) = *now
                && !values.iter().any(|(own, _)| own == slot)
            {
                constants.push(before);
                *now = Known::Varies(sort);
                weaker = true;
            }
        }
        for (slot, value) in values {
            let sort = self.terms.sort(*value);
            let constant = match sort {
                Sort::Bool => self.terms.as_bool(*value).map(u128::from),
                Sort::BitVec(_) | Sort::Array { .. } => self.terms.as_bits(*value),
            };
            let now = match (constant, known.get(slot)) {
                // Who came here before did not have it.
                (Some(constant), None) if is_new => Known::Constant(constant, sort),
                (Some(constant), Some(&Known::Constant(before, _))) if before == constant => continue,
                (_, Some(Known::Varies(_))) => {
                    escaping.push(*value);
                    continue;
                }
                (_, before) => {
                    if let Some(Known::Constant(before, _)) = before {
                        constants.push(*before);
                    }
                    escaping.push(*value);
                    Known::Varies(sort)
                }
            };
            weaker = true;
            known.insert(slot.clone(), now);
        }
        for constant in constants {
            self.expose_constant(constant);
        }
        for value in escaping {
            self.expose(value);
        }
        let place = (template, point.clone());
        if (weaker || !self.edges.contains_key(&place)) && !self.waiting.contains(&place) {
            self.waiting.push_back(place);
        }
        if weaker {
            self.knowledge.changed = true;
        }
    }

    /// A thread comes to a location with these objects alive: no more of them live whenever one is there.
    pub(crate) fn stay_alive(&mut self, template: TemplateId, point: &Point, alive: &BTreeSet<ObjectId>) {
        let known = &mut self.knowledge.templates[template.index()].alive;
        let Some(before) = known.get_mut(point) else {
            known.insert(point.clone(), alive.clone());
            return;
        };
        let count = before.len();
        before.retain(|object| alive.contains(object));
        if before.len() < count {
            self.knowledge.changed = true;
            let place = (template, point.clone());
            if !self.waiting.contains(&place) {
                self.waiting.push_back(place);
            }
        }
    }

    /// The registers of a function that may be read from an instruction on.
    pub(crate) fn live_before(&mut self, site: Site) -> Vec<RegisterId> {
        if let Some(list) = self.live.get(&site) {
            return list.clone();
        }
        let function = &self.program.functions[site.function];
        let liveness = self
            .liveness
            .entry(site.function)
            .or_insert_with(|| Liveness::new(function, &ControlFlow::new(function)));
        let block = &function.blocks[site.block];
        let mut set = liveness.live_out_set(site.block);
        raddle_ir::analyses::liveness::add_terminator(&mut set, &block.terminator);
        for inst in block.insts.iter().skip(site.index).rev() {
            raddle_ir::analyses::liveness::step_back(&mut set, inst);
        }
        let list: Vec<RegisterId> = set.ones().map(RegisterId::from_index).collect();
        self.live.insert(site, list.clone());
        list
    }

    /// The id of the running thread.
    pub(crate) fn identity(&mut self, template: TemplateId) -> VariableId {
        if let Some(&id) = self.by_storage.get(&(Some(template), Storage::Identity)) {
            return id;
        }
        let name = format!("id of T{}", template.index());
        self.add_variable(Some(template), Storage::Identity, Sort::BitVec(32), (name, false))
    }

    /// A new variable.
    pub(crate) fn add_variable(
        &mut self,
        owner: Option<TemplateId>,
        storage: Storage,
        sort: Sort,
        (name, signed): (String, bool),
    ) -> VariableId {
        let mut unique = name.clone();
        let mut number = 1;
        while !self.names.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}#{number}");
        }
        let now = self.terms.symbol(&unique, sort);
        let id = self.variables.push(Variable {
            now,
            sort,
            storage: storage.clone(),
            owner,
            signed,
            name: unique,
        });
        self.symbols.insert(now, id);
        self.by_storage.insert((owner, storage), id);
        id
    }

    /// Objects that are made more than once, and templates that are started more than once.
    fn look_at_cycles(&mut self) {
        let components = finish::components(&self.edges);
        let mut starts: BTreeMap<TemplateId, Vec<(TemplateId, bool)>> = BTreeMap::new();
        let mut several_objects = Vec::new();
        for (place, edges) in &self.edges {
            for edge in edges {
                let is_repeated = components.is_on_cycle(place, &edge.to);
                let is_several = self.knowledge.templates[place.0.index()].is_several;
                if let Some(spawn) = &edge.state.spawn {
                    starts.entry(spawn.template).or_default().push((place.0, is_repeated));
                }
                for (index, &object) in edge.state.made.iter().enumerate() {
                    let twice = edge.state.made[..index].contains(&object);
                    let shared = self.knowledge.is_shared(object);
                    let local = matches!(
                        self.knowledge.objects.get(object).kind,
                        Kind::Made(_, _, raddle_ir::AllocStorage::Local)
                    );
                    // A thread's own local object is made anew each time, and the one before has ended.
                    if (twice || is_repeated) && (shared || !local) || is_several && shared {
                        several_objects.push(object);
                    }
                }
            }
        }
        for object in several_objects {
            self.knowledge.summarise(object);
        }
        for (template, by) in starts {
            let places = self.knowledge.templates[template.index()].starts.len();
            let repeated =
                by.iter().any(|(by, repeated)| *repeated || self.knowledge.templates[by.index()].is_several);
            let known = &mut self.knowledge.templates[template.index()];
            if (repeated || places > 1 || template.index() == 0) && !known.is_several {
                known.is_several = true;
                self.knowledge.changed = true;
            }
        }
    }
}
