//! The paths of all locations, followed again until the facts that they rest on are stable; and whether the certificate is well formed.

use std::collections::BTreeSet;

use raddle_base::{Budget, Id, Span};
use raddle_ir::{Constant, InstKind, Point, Site};
use raddle_logic::term::Sort;

use super::explore::{CellInfo, Explorer};
use super::objects::Origin;
use super::state::{Check, Edge, FrameId, Slot, State, Target};
use super::{Claim, Refusal};
use crate::certificate::{Certificate, Object, Place, Quantity};

/// No cell is larger, in bytes.
const LARGEST_CELL: u32 = 16;
/// More rounds than this are not made.
const MOST_ROUNDS: usize = 200;

/// What the obligations are made of.
pub(super) struct Derived<'p> {
    pub(super) explorer: Explorer<'p>,
    /// Of each location, the paths from there.
    pub(super) edges: Vec<Vec<Edge>>,
    pub(super) checks: Vec<Vec<Check>>,
    /// The first location of each template.
    pub(super) entries: Vec<usize>,
}

/// Derives from the program what a certificate is about.
pub(super) fn derive<'p>(
    claim: &'p Claim<'p>,
    certificate: &'p Certificate,
    budget: &Budget,
) -> Result<Derived<'p>, Refusal> {
    let mut explorer = Explorer::new(claim, certificate);
    let entries = explorer.set_up()?;
    let locations = certificate.locations.len();
    let (mut edges, mut checks) = (vec![Vec::new(); locations], vec![Vec::new(); locations]);
    for _ in 0..MOST_ROUNDS {
        explorer.facts.changed = false;
        for location in 0..locations {
            // No thread ever stands where nothing holds.
            if certificate.locations[location].invariant.is_empty() {
                continue;
            }
            (edges[location], checks[location]) = explorer.explore(location, budget)?;
        }
        explorer.spread_life(&edges, &entries);
        explorer.spread_needs(&edges);
        explorer.escape_lost(&edges);
        explorer.recount(&edges);
        if !explorer.facts.changed {
            explorer.check_followed(&edges)?;
            return Ok(Derived { explorer, edges, checks, entries });
        }
    }
    Err(Refusal::new("what escapes was not found in time", Span::NONE))
}

impl Explorer<'_> {
    /// Checks that the certificate is well formed, and makes the symbols. Gives the first location of each template.
    fn set_up(&mut self) -> Result<Vec<usize>, Refusal> {
        let (program, certificate) = (self.program, self.certificate);
        let malformed =
            |what: &str| Refusal::new(format!("the certificate is malformed: {what}"), Span::NONE);
        if certificate.templates.first() != Some(&program.entry) {
            return Err(malformed("the first template is not the main thread"));
        }
        if !program.functions[program.entry].parameters.is_empty() {
            return Err(malformed("the main thread takes arguments"));
        }
        for &function in &certificate.templates {
            if program.functions.get(function).is_none_or(|function| function.blocks.is_empty()) {
                return Err(malformed("a template has no body"));
            }
        }
        for spawn in &certificate.spawns {
            if spawn.by.max(spawn.starts) >= certificate.templates.len() {
                return Err(malformed("a spawn names no template"));
            }
            if spawn.starts == 0 {
                return Err(malformed("the main thread is started again"));
            }
        }
        self.set_up_cells()?;
        for (index, location) in certificate.locations.iter().enumerate() {
            if location.template >= certificate.templates.len() {
                return Err(malformed("a location names no template"));
            }
            self.check_point(location.template, &location.point)?;
            if self.places.insert((location.template, location.point.clone()), index).is_some() {
                return Err(malformed("two locations are at one point"));
            }
        }
        let locations = certificate.locations.len();
        for counter in &certificate.counters {
            for (index, member) in counter.members.iter().enumerate() {
                let is_known = match *member {
                    Place::At(location) => location < locations,
                    Place::Ended(template) | Place::Stuck(template) => template < certificate.templates.len(),
                };
                if !is_known || counter.members[..index].contains(member) {
                    return Err(malformed("a counter has a member twice, or one that there is not"));
                }
            }
        }
        for pair in &certificate.pairs {
            if pair.left > pair.right || pair.right >= locations {
                return Err(malformed("a pair names no locations, or not in order"));
            }
        }
        let mut entries = Vec::new();
        for (template, &function) in certificate.templates.iter().enumerate() {
            let name = &program.functions[function].name;
            let site = Site { function, block: Id::from_index(0), index: 0 };
            let point = Point { frame: Vec::new(), site };
            let Some(&entry) = self.places.get(&(template, point)) else {
                let what = format!("the first instruction of `{name}` is no location");
                return Err(Refusal::new(what, program.functions[function].span));
            };
            entries.push(entry);
        }
        self.set_up_facts(&entries)?;
        Ok(entries)
    }

    fn set_up_cells(&mut self) -> Result<(), Refusal> {
        let certificate = self.certificate;
        let wrong = |what: &str| Refusal::new(format!("a followed cell {what}"), Span::NONE);
        for (index, cell) in certificate.cells.iter().enumerate() {
            match &cell.object {
                Object::Global(global) => {
                    let global = self.program.globals.get(*global).ok_or_else(|| wrong("is of no object"))?;
                    if global.thread_local {
                        return Err(wrong("is of a thread's own copy of a global"));
                    }
                    if cell.offset.checked_add(cell.bytes.into()).is_none_or(|end| end > global.size) {
                        return Err(wrong("is not within its object"));
                    }
                }
                Object::Made { template, .. } if *template >= certificate.templates.len() => {
                    return Err(wrong("names no template"));
                }
                Object::Made { .. } => {}
            }
            if cell.bytes == 0 || cell.bytes > LARGEST_CELL {
                return Err(wrong("is too large, or empty"));
            }
            let object =
                self.objects.named(self.program, &cell.object).ok_or_else(|| wrong("is of no object"))?;
            let info = CellInfo { object, offset: cell.offset, bytes: cell.bytes };
            if self.cells.iter().any(|other| {
                other.object == object
                    && super::state::overlap(
                        (other.offset, other.bytes.into()),
                        (info.offset, info.bytes.into()),
                    )
            }) {
                return Err(wrong("overlaps another one"));
            }
            if let Object::Made { .. } = cell.object {
                // All threads may come to it.
                self.facts.escape(object);
            }
            self.cells.push(info);
            let symbol = self.terms.symbol(&format!("shared.{index}"), Sort::BitVec(8 * cell.bytes));
            self.shared.push(symbol);
        }
        Ok(())
    }

    fn set_up_facts(&mut self, entries: &[usize]) -> Result<(), Refusal> {
        let certificate = self.certificate;
        let locations = certificate.locations.len();
        self.facts.live = vec![None; locations];
        self.facts.started = vec![None; locations];
        self.facts.started[entries[0]] = Some(BTreeSet::from([0]));
        self.facts.needed = vec![BTreeSet::new(); locations];
        for template in 0..certificate.templates.len() {
            self.facts.single.push(self.may_be_single(template));
            let id = if template == 0 {
                self.terms.bits(0, 32)
            } else {
                self.terms.symbol(&format!("id.{template}"), Sort::BitVec(32))
            };
            self.identities.push(id);
        }
        let too_many = || Refusal::new("there are too many objects for pointers of this width", Span::NONE);
        let mut own = BTreeSet::new();
        let program = self.program;
        for (id, global) in program.globals.iter() {
            if u128::from(global.size) > self.objects.space.largest() {
                return Err(Refusal::new(
                    format!("`{}` is too large for this checker", global.name),
                    global.span,
                ));
            }
            if global.thread_local {
                own.insert(self.objects.id(Origin::ThreadLocal(id)).ok_or_else(too_many)?);
            }
            // Whose address is in memory from the start may be found there.
            for part in &global.init {
                if let Constant::Global(..) | Constant::Function(_) = part.value {
                    let pointer = self.constant(part.value, global.span)?;
                    self.escape(pointer);
                }
            }
        }
        for &entry in entries {
            self.facts.live[entry] = Some(own.clone());
        }
        Ok(())
    }

    /// As far as the certificate's own list goes.
    fn may_be_single(&self, template: usize) -> bool {
        let mut spawns = self.certificate.spawns.iter().filter(|spawn| spawn.starts == template);
        spawns.nth(1).is_none()
    }

    /// The point is an instruction, behind calls of the functions that it says.
    fn check_point(&self, template: usize, point: &Point) -> Result<(), Refusal> {
        let wrong =
            || Refusal::new("the certificate is malformed: a location is at no instruction", Span::NONE);
        let mut function = self.certificate.templates[template];
        let mut seen = vec![function];
        for (depth, site) in point.frame.iter().chain([&point.site]).enumerate() {
            let is_last = depth == point.frame.len();
            if depth > 0 {
                function = site.function;
                if seen.contains(&function) {
                    return Err(wrong());
                }
                seen.push(function);
            }
            if site.function != function {
                return Err(wrong());
            }
            let block = self.program.functions.get(function).and_then(|known| known.blocks.get(site.block));
            let block = block.ok_or_else(wrong)?;
            if is_last {
                if site.index > block.insts.len() {
                    return Err(wrong());
                }
            } else {
                let call = block.insts.get(site.index).map(|inst| &inst.kind);
                if !matches!(call, Some(InstKind::Call { .. })) {
                    return Err(wrong());
                }
            }
        }
        Ok(())
    }

    /// What a quantity of a thread at a point is, and its bits: none for truth values. The activation of a register must be one that runs there.
    pub(super) fn slot(
        &mut self,
        template: usize,
        point: &Point,
        quantity: &Quantity,
    ) -> Result<(Slot, u32), Refusal> {
        let wrong = |what: &str| Refusal::new(format!("an invariant speaks of {what}"), Span::NONE);
        match quantity {
            Quantity::Register(frame, register) => {
                let depth = frame.len();
                let sites: Vec<&Site> = point.frame.iter().chain([&point.site]).collect();
                if depth >= sites.len() || point.frame[..depth] != frame[..] {
                    return Err(wrong("a register of an activation that does not run there"));
                }
                let function = &self.program.functions[sites[depth].function];
                let known = function.registers.get(*register);
                let ty = known.ok_or_else(|| wrong("a register that does not exist"))?.ty;
                Ok((Slot::Register(self.frame(frame.clone()), *register), self.register_width(ty)))
            }
            Quantity::Own(cell) => {
                let object = self.objects.named(self.program, &cell.object);
                let object = object.ok_or_else(|| wrong("memory of no object"))?;
                let is_own = match self.objects.origin(object) {
                    Origin::ThreadLocal(_) => true,
                    Origin::Made { template: maker, .. } => *maker == template,
                    Origin::Number | Origin::Nowhere | Origin::Function(_) | Origin::Global(_) => false,
                };
                if !is_own || !self.is_private(object) || cell.bytes == 0 || cell.bytes > LARGEST_CELL {
                    return Err(wrong("memory as a thread's own that is not private"));
                }
                Ok((Slot::Own(object, cell.offset, cell.bytes.into()), 8 * cell.bytes))
            }
            Quantity::Shared(_)
            | Quantity::IsNonzero(_)
            | Quantity::HeldByThread(_)
            | Quantity::Identity
            | Quantity::IdentityOf(_)
            | Quantity::Counter(_)
            | Quantity::Tally(_) => Err(wrong("a known value of something that is not the thread's own")),
        }
    }

    /// Which objects live where paths lead, and which threads were started.
    fn spread_life(&mut self, edges: &[Vec<Edge>], entries: &[usize]) {
        let before = self.facts.changed;
        loop {
            self.facts.changed = false;
            for (from, edges) in edges.iter().enumerate() {
                let Some(known) = self.facts.live[from].clone() else { continue };
                let before = self.facts.started[from].clone().unwrap_or_default();
                for edge in edges {
                    let state = &edge.end;
                    let mut started = before.clone();
                    started.extend(state.forks.iter().map(|fork| fork.starts));
                    for fork in &state.forks {
                        self.facts.has_started(entries[fork.starts], &started);
                    }
                    let Target::At(to) = edge.to else { continue };
                    self.facts.has_started(to, &started);
                    let mut alive = known.clone();
                    alive.extend(state.made.iter().copied());
                    alive.retain(|object| !state.dead.contains(object));
                    self.facts.arrives(to, &alive);
                }
            }
            if !self.facts.changed {
                break;
            }
            self.facts.changed_life = true;
        }
        self.facts.changed = before || std::mem::take(&mut self.facts.changed_life);
    }

    /// What is needed behind a path and not made on it is needed before.
    fn spread_needs(&mut self, edges: &[Vec<Edge>]) {
        loop {
            let mut grew = false;
            for (from, edges) in edges.iter().enumerate() {
                for edge in edges {
                    let Target::At(to) = edge.to else { continue };
                    for slot in self.facts.needed[to].clone() {
                        if !is_made(&edge.end, slot) {
                            grew |= self.facts.needs(from, slot);
                        }
                    }
                }
            }
            if !grew {
                return;
            }
        }
    }

    /// Addresses that a thread keeps where the checker loses sight of them.
    fn escape_lost(&mut self, edges: &[Vec<Edge>]) {
        let certificate = self.certificate;
        for edge in edges.iter().flatten() {
            let Target::At(to) = edge.to else { continue };
            let location = &certificate.locations[to];
            let known: Vec<Slot> = (location.constants.iter())
                .filter_map(|(quantity, _)| self.slot(location.template, &location.point, quantity).ok())
                .map(|(slot, _)| slot)
                .collect();
            let needed = self.facts.needed[to].clone();
            let is_lost = |slot: Slot| {
                !known.contains(&slot) && needed.iter().any(|needed| needed.overlaps(slot))
                    || (known.contains(&slot)
                        && needed.iter().any(|needed| *needed != slot && needed.overlaps(slot)))
            };
            let state = &edge.end;
            let mut lost = Vec::new();
            for (&(frame, register), &value) in &state.registers {
                if is_lost(Slot::Register(frame, register)) {
                    lost.push(value);
                }
            }
            for (&object, own) in &state.own {
                for (&(offset, bytes), &value) in &own.slots {
                    if is_lost(Slot::Own(object, offset, bytes)) {
                        lost.push(value);
                    }
                }
            }
            for value in lost {
                self.escape(value);
            }
        }
    }

    /// Which templates are started once at most, by the paths.
    fn recount(&mut self, edges: &[Vec<Edge>]) {
        for index in 0..self.certificate.spawns.len() {
            let spawn = &self.certificate.spawns[index];
            let (by, starts) = (spawn.by, spawn.starts);
            let frame = self.frames.get_index_of(&spawn.at.frame);
            let site = spawn.at.site;
            let once = self.facts.single[by]
                && frame.is_none_or(|frame| self.happens_once(edges, by, (frame, site)));
            if !once && self.facts.single[starts] {
                self.facts.single[starts] = false;
                self.facts.changed = true;
            }
        }
    }

    /// Whether a thread of a template executes an instruction once at most.
    fn happens_once(&self, edges: &[Vec<Edge>], template: usize, at: (FrameId, Site)) -> bool {
        let mut after = Vec::new();
        for edges in edges {
            for edge in edges.iter().filter(|edge| edge.end.template == template) {
                let times = edge.end.happened.iter().filter(|happened| **happened == at).count();
                match (times, edge.to) {
                    (0, _) | (1, Target::Ended | Target::Stuck) => {}
                    (1, Target::At(to)) => after.push(to),
                    (2.., _) => return false,
                }
            }
        }
        let mut seen = BTreeSet::new();
        while let Some(location) = after.pop() {
            if !seen.insert(location) {
                continue;
            }
            for edge in &edges[location] {
                if edge.end.happened.contains(&at) {
                    return false;
                }
                if let Target::At(to) = edge.to {
                    after.push(to);
                }
            }
        }
        true
    }

    /// Followed cells are of objects that there is one of.
    fn check_followed(&mut self, edges: &[Vec<Edge>]) -> Result<(), Refusal> {
        for cell in &self.cells {
            if let Origin::Made { template, point, .. } = self.objects.origin(cell.object) {
                let frame = self.frames.get_index_of(&point.frame);
                let once = self.facts.single[*template]
                    && frame.is_none_or(|frame| self.happens_once(edges, *template, (frame, point.site)));
                if !once {
                    let what = "a followed cell is of an object that may be made more than once";
                    return Err(Refusal::new(what, Span::NONE));
                }
                let size = self.facts.sizes.get(&cell.object).copied();
                if let Some(size) = size
                    && size.is_none_or(|size| cell.offset.saturating_add(cell.bytes.into()) > size)
                {
                    return Err(Refusal::new("a followed cell is not within its object", Span::NONE));
                }
            }
        }
        for location in &self.certificate.locations {
            for (quantity, _) in &location.constants {
                self.slot(location.template, &location.point, quantity)?;
            }
        }
        Ok(())
    }
}

/// Whether a path gives a slot a value of its own.
fn is_made(state: &State, slot: Slot) -> bool {
    match slot {
        Slot::Register(frame, register) => {
            let is_read = state.reads.contains(&slot);
            !is_read && (state.entered.contains(&frame) || state.registers.contains_key(&(frame, register)))
        }
        Slot::Own(object, offset, bytes) => state.own.get(&object).is_some_and(|own| {
            own.is_new
                || own.written.iter().any(|range| {
                    range.0 <= offset && offset.saturating_add(bytes) <= range.0.saturating_add(range.1)
                })
        }),
    }
}
