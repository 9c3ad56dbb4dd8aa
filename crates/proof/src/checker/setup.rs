//! Whether a certificate is well formed, and what it names in the program.

use std::collections::BTreeSet;

use raddle_base::{Id, Span};
use raddle_ir::{AllocStorage, Constant, InstKind, Point, Site};
use raddle_logic::term::Sort;

use super::Refusal;
use super::explore::{CellInfo, Explorer};
use super::objects::Origin;
use super::state::Slot;
use crate::certificate::{Object, Place, Quantity};

/// No cell is larger, in bytes.
const LARGEST_CELL: u32 = 16;

impl Explorer<'_> {
    /// Checks that the certificate is well formed, and makes the symbols. Gives the first location of each template.
    pub(super) fn set_up(&mut self) -> Result<Vec<usize>, Refusal> {
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
                Object::Life(of) => match &**of {
                    Object::Made { template, storage: AllocStorage::Heap, .. }
                        if *template < certificate.templates.len() && (cell.offset, cell.bytes) == (0, 1) => {
                    }
                    Object::Made { .. } | Object::Global(_) | Object::Life(_) => {
                        return Err(wrong("says whether something lives that is not of the heap"));
                    }
                },
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
            if let Origin::Life(of) = *self.objects.origin(object) {
                self.facts.escape(of);
                self.lives.insert(of, index);
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
                    Origin::Number
                    | Origin::Nowhere
                    | Origin::Function(_)
                    | Origin::Global(_)
                    | Origin::Life(_) => false,
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
}
