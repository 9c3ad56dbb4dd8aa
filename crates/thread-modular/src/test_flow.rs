//! Flows in a few lines, for tests: templates whose locations are numbers, and steps between them.

use raddle_base::{Id, Span, Table};
use raddle_flow::{
    Edge, Flow, Location, LocationId, LocationKind, Object, Spawn, Storage, Template, TemplateId, Variable,
    VariableId,
};
use raddle_ir::{BlockId, FunctionId, GlobalId, Point, RegisterId, Site};
use raddle_logic::term::{Sort, TermId, Terms};

/// How wide variables are unless a test says otherwise.
const WIDTH: u32 = 32;

/// Makes a flow. The first template is the main thread.
#[derive(Debug)]
pub(crate) struct TestFlow {
    /// What has been made so far.
    pub(crate) flow: Flow,
}

/// The values before a step, and terms over them.
#[derive(Debug)]
pub(crate) struct Before<'a> {
    /// The arena, for terms that are not offered here.
    pub(crate) terms: &'a mut Terms,
    variables: &'a Table<VariableId, Variable>,
}

/// A step that was just added, to say what it does.
#[derive(Debug)]
pub(crate) struct Step<'a> {
    flow: &'a mut Flow,
    template: TemplateId,
    index: usize,
}

fn point(number: usize) -> Point {
    let site = Site { function: FunctionId::from_index(0), block: BlockId::from_index(0), index: number };
    Point { frame: Vec::new(), site }
}

impl Before<'_> {
    /// The value of a variable.
    pub(crate) fn of(&self, variable: VariableId) -> TermId {
        self.variables[variable].now
    }

    /// A number of the usual width.
    pub(crate) fn number(&mut self, number: i128) -> TermId {
        self.terms.signed_bits(number, WIDTH)
    }

    /// The value of a variable, and a number added.
    pub(crate) fn plus(&mut self, variable: VariableId, number: i128) -> TermId {
        let (now, number) = (self.of(variable), self.number(number));
        self.terms.add(now, number)
    }

    /// Whether a variable has this value.
    pub(crate) fn is(&mut self, variable: VariableId, number: i128) -> TermId {
        let (now, number) = (self.of(variable), self.number(number));
        self.terms.eq(now, number)
    }

    /// Whether a variable has another value.
    pub(crate) fn is_not(&mut self, variable: VariableId, number: i128) -> TermId {
        let is = self.is(variable, number);
        self.terms.not(is)
    }

    /// Whether one variable is below another one, as signed numbers.
    pub(crate) fn below(&mut self, left: VariableId, right: VariableId) -> TermId {
        let (left, right) = (self.of(left), self.of(right));
        self.terms.slt(left, right)
    }
}

impl TestFlow {
    /// Without templates and variables.
    pub(crate) fn new() -> Self {
        let flow = Flow {
            terms: Terms::new(),
            variables: Table::new(),
            templates: Table::new(),
            checks: Table::new(),
            initial: Vec::new(),
            constants: Vec::new(),
            pointer_bits: 64,
            addresses: raddle_flow::Addresses::default(),
        };
        Self { flow }
    }

    fn variable(
        &mut self,
        name: &str,
        owner: Option<TemplateId>,
        storage: Storage,
        sort: Sort,
    ) -> VariableId {
        let now = self.flow.terms.fresh(name, sort);
        let variable = Variable { now, sort, storage, owner, signed: true, name: name.to_owned() };
        self.flow.variables.push(variable)
    }

    /// A shared variable and its initial value.
    pub(crate) fn shared(&mut self, name: &str, initial: i128) -> VariableId {
        self.shared_of(name, initial, WIDTH)
    }

    /// A shared variable of some width and its initial value.
    pub(crate) fn shared_of(&mut self, name: &str, initial: i128, width: u32) -> VariableId {
        let object = Object::Global(GlobalId::from_index(self.flow.variables.len()));
        let storage = Storage::Cell { object, offset: 0, bytes: width / 8 };
        let variable = self.variable(name, None, storage, Sort::BitVec(width));
        let initial = self.flow.terms.signed_bits(initial, width);
        self.flow.initial.push((variable, initial));
        variable
    }

    /// A register of the threads of a template; it is live at all locations made so far.
    pub(crate) fn register(&mut self, template: TemplateId, name: &str) -> VariableId {
        let register = RegisterId::from_index(self.flow.variables.len());
        let storage = Storage::Register { frame: Vec::new(), register };
        let variable = self.variable(name, Some(template), storage, Sort::BitVec(WIDTH));
        for (_, location) in self.flow.templates[template].locations.iter_mut() {
            location.live.push(variable);
        }
        variable
    }

    fn template(&mut self, is_single: bool, locations: usize) -> TemplateId {
        let template = self.flow.templates.next_id();
        let identity = self.variable("id", Some(template), Storage::Identity, Sort::BitVec(WIDTH));
        let locations = (0..locations)
            .map(|number| Location {
                kind: if number + 1 == locations {
                    LocationKind::Ended
                } else {
                    LocationKind::Step(point(number))
                },
                live: vec![identity],
                constants: Vec::new(),
                is_on_cycle: false,
            })
            .collect();
        self.flow.templates.push(Template {
            function: FunctionId::from_index(template.index()),
            started_at: Vec::new(),
            is_single,
            locations,
            entry: LocationId::from_index(0),
            edges: Vec::new(),
            identity,
        })
    }

    /// A template of one thread; threads start at 0, and at the last location they have ended.
    pub(crate) fn single(&mut self, locations: usize) -> TemplateId {
        self.template(true, locations)
    }

    /// A template of any number of threads; threads start at 0, and at the last location they have ended.
    pub(crate) fn many(&mut self, locations: usize) -> TemplateId {
        self.template(false, locations)
    }

    /// Makes a location one of another kind.
    pub(crate) fn set_kind(&mut self, template: TemplateId, location: usize, kind: LocationKind) {
        self.flow.templates[template].locations[LocationId::from_index(location)].kind = kind;
    }

    /// A step of a template between two of its locations.
    pub(crate) fn step(&mut self, template: TemplateId, from: usize, to: usize) -> Step<'_> {
        let edges = &mut self.flow.templates[template].edges;
        let index = edges.len();
        edges.push(Edge {
            from: LocationId::from_index(from),
            to: LocationId::from_index(to),
            guards: Vec::new(),
            updates: Vec::new(),
            inputs: Vec::new(),
            waits: false,
            spawn: None,
            joins: None,
            accesses: Vec::new(),
            path: vec![point(from)],
            havocs: Vec::new(),
            existing: Vec::new(),
            span: Span::NONE,
        });
        Step { flow: &mut self.flow, template, index }
    }

    /// The flow, with its cycles marked.
    pub(crate) fn finish(mut self) -> Flow {
        for (_, template) in self.flow.templates.iter_mut() {
            for location in template.locations.ids() {
                let mut seen = vec![false; template.locations.len()];
                let mut stack = vec![location];
                while let Some(from) = stack.pop() {
                    for edge in template.edges.iter().filter(|edge| edge.from == from) {
                        if !std::mem::replace(&mut seen[edge.to.index()], true) {
                            stack.push(edge.to);
                        }
                    }
                }
                template.locations[location].is_on_cycle = seen[location.index()];
            }
        }
        self.flow
    }
}

impl Step<'_> {
    fn edge(&mut self) -> &mut Edge {
        &mut self.flow.templates[self.template].edges[self.index]
    }

    fn term(&mut self, make: impl FnOnce(&mut Before<'_>) -> TermId) -> TermId {
        make(&mut Before { terms: &mut self.flow.terms, variables: &self.flow.variables })
    }

    /// It can be taken only where this holds.
    pub(crate) fn when(mut self, guard: impl FnOnce(&mut Before<'_>) -> TermId) -> Self {
        let guard = self.term(guard);
        self.edge().guards.push(guard);
        self
    }

    /// It gives a variable this value.
    pub(crate) fn set(mut self, variable: VariableId, value: impl FnOnce(&mut Before<'_>) -> TermId) -> Self {
        let value = self.term(value);
        self.edge().updates.push((variable, value));
        self
    }

    /// It gives a variable this number.
    pub(crate) fn put(self, variable: VariableId, number: i128) -> Self {
        self.set(variable, |before| before.number(number))
    }

    /// It adds a number to a variable.
    pub(crate) fn add(self, variable: VariableId, number: i128) -> Self {
        self.set(variable, |before| before.plus(variable, number))
    }

    /// It copies one variable into another one.
    pub(crate) fn copy(self, to: VariableId, from: VariableId) -> Self {
        self.set(to, |before| before.of(from))
    }

    /// It takes a lock: waits until the word is zero and writes the thread's id plus one.
    pub(crate) fn lock(mut self, word: VariableId) -> Self {
        self.edge().waits = true;
        let identity = self.flow.templates[self.template].identity;
        self.when(|before| before.is(word, 0)).set(word, |before| before.plus(identity, 1))
    }

    /// It gives a lock back.
    pub(crate) fn unlock(self, word: VariableId) -> Self {
        self.put(word, 0)
    }

    /// It gives a variable any value.
    pub(crate) fn havoc(mut self, variable: VariableId) -> Self {
        let any = self.flow.terms.fresh("any", self.flow.variables[variable].sort);
        self.edge().inputs.push(any);
        self.set(variable, |_| any)
    }

    /// It starts a thread.
    pub(crate) fn spawn(mut self, template: TemplateId) -> Self {
        let id = self.flow.terms.fresh("thread", Sort::BitVec(WIDTH));
        let point = point(self.index);
        self.flow.templates[template].started_at.push((self.template, point.clone()));
        let edge = self.edge();
        edge.inputs.push(id);
        edge.spawn = Some(Spawn { template, point, id, values: Vec::new() });
        self
    }

    /// It starts a thread and keeps its id.
    pub(crate) fn spawn_as(self, template: TemplateId, id: VariableId) -> Self {
        let mut step = self.spawn(template);
        let started = step.edge().spawn.as_ref().expect("it starts a thread").id;
        step.set(id, |_| started)
    }

    /// It waits for the end of the thread whose id a variable holds.
    pub(crate) fn join(mut self, id: VariableId) -> Self {
        let now = self.flow.variables[id].now;
        self.edge().waits = true;
        self.edge().joins = Some(now);
        self
    }
}
