//! Loads and stores: which cells an address may be of, what they hold, and what of that is followed.
//!
//! Direction of error: a load of what is not followed gives any value; a store through a pointer that is not known changes every cell that it
//! may be the address of. Such a pointer may lead to exposed objects only.

use std::collections::BTreeMap;

use raddle_ir::{Constant, Property, Shape};
use raddle_logic::term::{Sort, TermId};
use raddle_semantics::ObjectId;

use crate::build::Builder;
use crate::knowledge::{Cell, Indexed};
use crate::model::{Object, Storage, TemplateId, VariableId};
use crate::objects::Kind;
use crate::state::State;

/// What an address may be of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    Cell(Cell),
    /// An object, an offset in it that is no constant, and how many bytes.
    Indexed(ObjectId, TermId, u32),
    /// Any exposed object.
    Unknown(TermId, u32),
}

/// What an address may be of, and when.
#[derive(Clone, Debug)]
pub(crate) struct Spots {
    pub(crate) list: Vec<(TermId, Spot)>,
    /// When the access is of a live object, within its bounds.
    pub(crate) valid: TermId,
    /// Whether others may access one of them.
    pub(crate) shared: bool,
}

impl Builder<'_> {
    /// Whether nothing is owed where behaviour is undefined.
    pub(crate) fn is_excused(&self, property: Property) -> bool {
        !self.options.asked.contains(&property) && self.options.excused.contains(&property)
    }

    /// Where an access of some bytes goes.
    pub(crate) fn spots(&mut self, state: &State, address: TermId, bytes: u32, writes: bool) -> Spots {
        let space = self.knowledge.objects.space;
        let no = self.terms.bool(false);
        let mut spots = Spots { list: Vec::new(), valid: no, shared: false };
        let targets = space.targets(&mut self.terms, address);
        let Some(targets) = targets else {
            let yes = self.terms.bool(true);
            spots.valid = if self.is_excused(Property::MemorySafety) {
                yes
            } else {
                self.terms.fresh("valid", Sort::Bool)
            };
            spots.list.push((yes, Spot::Unknown(address, bytes)));
            spots.shared = true;
            return spots;
        };
        for target in targets {
            let memory = self.knowledge.objects.get(target.object);
            if matches!(memory.kind, Kind::None | Kind::Function(_) | Kind::Life(_))
                || writes && memory.is_read_only
            {
                continue;
            }
            let size = memory.size;
            let offset = space.offset_in(&mut self.terms, target.address, target.object);
            let mut valid = target.condition;
            let spot = if let Some(offset) = self.terms.as_bits(offset) {
                let in_bounds = size.is_none_or(|size| offset + u128::from(bytes) <= u128::from(size));
                let Some(offset) = u64::try_from(offset).ok().filter(|_| in_bounds) else { continue };
                Spot::Cell(Cell { object: target.object, offset, bytes })
            } else {
                if let Some(size) = size {
                    let size = self.terms.bits(size.into(), self.pointer_bits());
                    let within = space.within(&mut self.terms, offset, bytes, size);
                    valid = self.terms.and(valid, within);
                }
                Spot::Indexed(target.object, offset, bytes)
            };
            if let Some(lives) = self.lives(state, target.object) {
                valid = self.terms.and(valid, lives);
            }
            let is_certain = size.is_some() && !self.may_be_over(state, target.object);
            if !is_certain && !self.is_excused(Property::MemorySafety) {
                let lives = self.terms.fresh("lives", Sort::Bool);
                valid = self.terms.and(valid, lives);
            }
            spots.valid = self.terms.or(spots.valid, valid);
            spots.shared |= self.knowledge.is_shared(target.object);
            spots.list.push((target.condition, spot));
        }
        // That it is valid says already that it is the only one.
        if let [(condition, _)] = &mut spots.list[..] {
            *condition = self.terms.bool(true);
        }
        spots
    }

    /// Whether an object's life may be over.
    fn may_be_over(&self, state: &State, object: ObjectId) -> bool {
        match &self.knowledge.objects.get(object).kind {
            Kind::None | Kind::Function(_) | Kind::Life(_) => true,
            Kind::Global(_) => self.knowledge.summaries.contains(&object),
            Kind::Made(_, point, storage) => match storage {
                raddle_ir::AllocStorage::Heap => self.knowledge.frees && !self.has_life(object),
                raddle_ir::AllocStorage::Library => self.knowledge.frees,
                raddle_ir::AllocStorage::Local | raddle_ir::AllocStorage::Dynamic => {
                    !state.alive.contains(&object)
                        || !state.stack.iter().any(|activation| *activation.frame == point.frame)
                }
            },
        }
    }

    /// What memory holds at some spots.
    pub(crate) fn read(&mut self, state: &mut State, spots: &Spots, bytes: u32) -> TermId {
        let mut result: Option<TermId> = None;
        for (condition, spot) in spots.list.clone() {
            let value = match spot {
                Spot::Cell(cell) => self.read_cell(state, cell),
                Spot::Indexed(object, offset, bytes) => self.read_element(state, object, offset, bytes),
                Spot::Unknown(address, bytes) => self.read_anywhere(state, address, bytes),
            };
            result = Some(result.map_or(value, |rest| self.terms.ite(condition, value, rest)));
        }
        result.unwrap_or_else(|| self.unknown(bytes))
    }

    pub(crate) fn unknown(&mut self, bytes: u32) -> TermId {
        self.terms.fresh("memory", Sort::BitVec(8 * bytes))
    }

    pub(crate) fn read_cell(&mut self, state: &mut State, cell: Cell) -> TermId {
        if self.knowledge.summaries.contains(&cell.object) {
            return self.unknown(cell.bytes);
        }
        if self.knowledge.indexed.contains_key(&cell.object) {
            let offset = self.terms.bits(cell.offset.into(), self.pointer_bits());
            return self.read_element(state, cell.object, offset, cell.bytes);
        }
        if !self.knowledge.access(cell) {
            return self.unknown(cell.bytes);
        }
        if let Some(&value) = state.cells.get(&cell) {
            return value;
        }
        let value = self.cell_before(cell);
        state.cells.insert(cell, value);
        value
    }

    /// What a cell holds before a step that has not touched it.
    pub(crate) fn cell_before(&mut self, cell: Cell) -> TermId {
        if !self.knowledge.is_shared(cell.object) {
            return self.unknown(cell.bytes);
        }
        let is_global = matches!(self.knowledge.objects.get(cell.object).kind, Kind::Global(_));
        if is_global && !self.knowledge.written.contains(&cell) {
            self.frozen.insert(cell);
            return self.initial(cell);
        }
        let variable = self.cell_variable(None, cell);
        self.variables[variable].now
    }

    /// The variable of a cell.
    pub(crate) fn cell_variable(&mut self, owner: Option<TemplateId>, cell: Cell) -> VariableId {
        let object = self.object_of(cell.object);
        let storage = Storage::Cell { object, offset: cell.offset, bytes: cell.bytes };
        if let Some(&id) = self.by_storage.get(&(owner, storage.clone())) {
            return id;
        }
        let name = self.cell_name(cell);
        self.add_variable(owner, storage, Sort::BitVec(8 * cell.bytes), name)
    }

    /// An object in words of the model.
    pub(crate) fn object_of(&self, object: ObjectId) -> Object {
        match &self.knowledge.objects.get(object).kind {
            Kind::Global(global) => Object::Global(*global),
            Kind::Made(template, point, storage) => {
                Object::Made { template: *template, point: point.clone(), storage: *storage }
            }
            Kind::Life(of) => Object::Life(Box::new(self.object_of(*of))),
            Kind::None | Kind::Function(_) => unreachable!("only memory has cells"),
        }
    }

    /// What a cell holds before anybody stores to it.
    pub(crate) fn initial(&mut self, cell: Cell) -> TermId {
        let Kind::Global(global) = self.knowledge.objects.get(cell.object).kind else {
            return self.unknown(cell.bytes);
        };
        let bits = self.program.pointer_bits;
        let end = cell.offset + u64::from(cell.bytes);
        let mut overlapping = self.program.globals[global].init.iter().filter_map(|init| {
            let bytes = init.value.ty().bytes(bits).unwrap_or(1);
            (init.offset < end && cell.offset < init.offset + bytes).then_some((
                init.offset,
                bytes,
                init.value,
            ))
        });
        match (overlapping.next(), overlapping.next()) {
            (None, _) => self.terms.bits(0, 8 * cell.bytes),
            (Some((at, bytes, value)), None) if at == cell.offset && bytes == u64::from(cell.bytes) => {
                self.constant(value)
            }
            _ => self.initial_bytes(global, cell),
        }
    }

    /// The same for a cell that is made of several numbers.
    fn initial_bytes(&mut self, global: raddle_ir::GlobalId, cell: Cell) -> TermId {
        let mut value = 0_u128;
        for byte in (0..u64::from(cell.bytes)).rev() {
            let at = cell.offset + byte;
            let mut found = 0_u128;
            for init in &self.program.globals[global].init {
                let bytes = init.value.ty().bytes(self.program.pointer_bits).unwrap_or(1);
                if init.offset <= at && at < init.offset + bytes {
                    let Constant::Int(_, number) = init.value else { return self.unknown(cell.bytes) };
                    found = number >> (8 * (at - init.offset)) & 0xff;
                }
            }
            value = value << 8 | found;
        }
        self.terms.bits(value, 8 * cell.bytes)
    }

    /// Stores a value at some spots.
    pub(crate) fn write(&mut self, state: &mut State, spots: &Spots, value: TermId) {
        for (condition, spot) in spots.list.clone() {
            match spot {
                Spot::Cell(cell) => self.write_cell(state, cell, value, condition),
                Spot::Indexed(object, offset, bytes) => {
                    self.write_element(state, (object, offset, bytes), value, condition);
                }
                Spot::Unknown(address, bytes) => self.write_anywhere(state, address, bytes, value),
            }
        }
    }

    pub(crate) fn write_cell(&mut self, state: &mut State, cell: Cell, value: TermId, condition: TermId) {
        if self.knowledge.summaries.contains(&cell.object) {
            self.expose(value);
            return;
        }
        if self.knowledge.indexed.contains_key(&cell.object) {
            let offset = self.terms.bits(cell.offset.into(), self.pointer_bits());
            self.write_element(state, (cell.object, offset, cell.bytes), value, condition);
            return;
        }
        let is_shared = self.knowledge.is_shared(cell.object);
        if is_shared {
            self.expose(value);
        }
        if !self.knowledge.access(cell) {
            self.expose(value);
            return;
        }
        let before =
            if self.terms.as_bool(condition) == Some(true) { value } else { self.read_cell(state, cell) };
        let after = self.terms.ite(condition, value, before);
        state.cells.insert(cell, after);
        if is_shared {
            self.knowledge.write(cell);
        }
    }

    /// Says how an object is accessed at an index. Gives the field and the index if it is followed.
    fn element(&mut self, object: ObjectId, offset: TermId, bytes: u32) -> Option<(u64, u64, TermId)> {
        let known = self.knowledge.indexed.get(&object).cloned();
        if known == Some(Indexed::Any) || self.knowledge.summaries.contains(&object) {
            return None;
        }
        let found =
            self.stride_of(object, bytes).filter(|stride| stride.is_power_of_two()).and_then(|stride| {
                let facts = self.terms.facts(offset);
                let low = u128::from(stride) - 1;
                let field = u64::try_from(facts.ones & low).ok()?;
                ((facts.zeros | facts.ones) & low == low && field + u64::from(bytes) <= stride)
                    .then_some((stride, field))
            });
        let mut fields = match known {
            Some(Indexed::Elements { fields, .. }) => fields,
            Some(Indexed::Any) => return None,
            None => BTreeMap::new(),
        };
        let is_own = !self.knowledge.is_shared(object);
        let fits = found.is_some_and(|(_, field)| {
            let end = field + u64::from(bytes);
            let fits = fields.iter().all(|(&at, &other)| {
                (at, other) == (field, bytes) || at + u64::from(other) <= field || end <= at
            });
            fields.insert(field, bytes);
            fits
        });
        let Some((stride, field)) = found.filter(|_| fits && !is_own) else {
            self.knowledge.indexed.insert(object, Indexed::Any);
            self.knowledge.changed = true;
            return None;
        };
        let now = Indexed::Elements { stride, fields };
        if self.knowledge.indexed.get(&object) != Some(&now) {
            self.knowledge.indexed.insert(object, now);
            self.knowledge.changed = true;
        }
        let index = match self.terms.as_bits(offset) {
            Some(offset) => self.terms.bits(offset / u128::from(stride), self.pointer_bits()),
            None => {
                let amount = self.terms.bits(stride.trailing_zeros().into(), self.pointer_bits());
                self.terms.lshr(offset, amount)
            }
        };
        Some((field, stride, index))
    }

    fn stride_of(&self, object: ObjectId, bytes: u32) -> Option<u64> {
        match &self.knowledge.objects.get(object).shape {
            Shape::Array { stride, .. } => Some(*stride),
            Shape::Bytes => Some(bytes.into()),
            Shape::Scalar(..) | Shape::Record(_) => None,
        }
    }

    fn array(
        &mut self,
        state: &mut State,
        object: ObjectId,
        (field, stride, bytes): (u64, u64, u32),
    ) -> TermId {
        if let Some(&array) = state.arrays.get(&(object, field)) {
            return array;
        }
        let is_global = matches!(self.knowledge.objects.get(object).kind, Kind::Global(_));
        let cell = Cell { object, offset: field, bytes };
        let array = if is_global && !self.knowledge.written.contains(&cell) {
            self.initial_array(object, (field, stride, bytes))
        } else {
            let variable = self.array_variable(object, (field, stride, bytes));
            self.variables[variable].now
        };
        state.arrays.insert((object, field), array);
        array
    }

    pub(crate) fn array_variable(
        &mut self,
        object: ObjectId,
        (field, stride, bytes): (u64, u64, u32),
    ) -> VariableId {
        let storage = Storage::Elements { object: self.object_of(object), offset: 0, stride, field, bytes };
        if let Some(&id) = self.by_storage.get(&(None, storage.clone())) {
            return id;
        }
        let name = self.array_name(object, field);
        let sort = Sort::Array { index: self.pointer_bits(), element: 8 * bytes };
        self.add_variable(None, storage, sort, name)
    }

    /// What elements hold at first.
    pub(crate) fn initial_array(
        &mut self,
        object: ObjectId,
        (field, stride, bytes): (u64, u64, u32),
    ) -> TermId {
        /// More elements that are not zero are not followed.
        const MOST: u64 = 64;
        let width = self.pointer_bits();
        let memory = self.knowledge.objects.get(object);
        let (size, kind) = (memory.size.unwrap_or(0), memory.kind.clone());
        let Kind::Global(global) = kind else {
            return self.terms.fresh("memory", Sort::Array { index: width, element: 8 * bytes });
        };
        let zero = self.terms.bits(0, 8 * bytes);
        let mut array = self.terms.const_array(width, zero);
        if self.program.globals[global].init.is_empty() {
            return array;
        }
        let count = size / stride;
        if count > MOST {
            return self.terms.fresh("memory", Sort::Array { index: width, element: 8 * bytes });
        }
        for index in 0..count {
            let value = self.initial(Cell { object, offset: index * stride + field, bytes });
            let index = self.terms.bits(index.into(), width);
            array = self.terms.store(array, index, value);
        }
        array
    }

    fn read_element(&mut self, state: &mut State, object: ObjectId, offset: TermId, bytes: u32) -> TermId {
        let Some((field, stride, index)) = self.element(object, offset, bytes) else {
            return self.unknown(bytes);
        };
        let array = self.array(state, object, (field, stride, bytes));
        self.terms.select(array, index)
    }

    fn write_element(
        &mut self,
        state: &mut State,
        (object, offset, bytes): (ObjectId, TermId, u32),
        value: TermId,
        condition: TermId,
    ) {
        self.expose(value);
        let Some((field, stride, index)) = self.element(object, offset, bytes) else { return };
        let array = self.array(state, object, (field, stride, bytes));
        let stored = self.terms.store(array, index, value);
        let after = self.terms.ite(condition, stored, array);
        state.arrays.insert((object, field), after);
        self.knowledge.write(Cell { object, offset: field, bytes });
    }

    /// The cells that a pointer that is not known may lead to.
    fn exposed_cells(&self) -> Vec<Cell> {
        let objects =
            self.knowledge.exposed.iter().filter(|object| !self.knowledge.summaries.contains(object));
        objects.flat_map(|&object| self.knowledge.cells(object)).collect()
    }

    fn read_anywhere(&mut self, state: &mut State, address: TermId, bytes: u32) -> TermId {
        let mut value = self.unknown(bytes);
        for cell in self.exposed_cells() {
            if cell.bytes == bytes {
                let held = self.read_cell(state, cell);
                let here = self.is_address_of(address, cell);
                value = self.terms.ite(here, held, value);
            }
        }
        value
    }

    fn cell_address(&mut self, cell: Cell) -> TermId {
        let space = self.knowledge.objects.space;
        let base = space.first_byte(&mut self.terms, cell.object);
        let offset = self.terms.bits(cell.offset.into(), self.pointer_bits());
        self.terms.add(base, offset)
    }

    fn is_address_of(&mut self, address: TermId, cell: Cell) -> TermId {
        let own = self.cell_address(cell);
        self.terms.eq(address, own)
    }

    fn write_anywhere(&mut self, state: &mut State, address: TermId, bytes: u32, value: TermId) {
        self.expose(value);
        for cell in self.exposed_cells() {
            if self.knowledge.objects.get(cell.object).is_read_only {
                continue;
            }
            let held = self.read_cell(state, cell);
            let first = self.cell_address(cell);
            // From this many bytes before the cell on, the access reaches into it.
            let before = self.terms.bits(u128::from(bytes - 1), self.pointer_bits());
            let first = self.terms.sub(first, before);
            let distance = self.terms.sub(address, first);
            let reach = self.terms.bits(u128::from(bytes - 1 + cell.bytes), self.pointer_bits());
            let overlaps = self.terms.ult(distance, reach);
            let torn = self.unknown(cell.bytes);
            let mut after = self.terms.ite(overlaps, torn, held);
            if cell.bytes == bytes {
                let here = self.is_address_of(address, cell);
                after = self.terms.ite(here, value, after);
            }
            state.cells.insert(cell, after);
            self.knowledge.write(cell);
        }
        let indexed: Vec<(ObjectId, Indexed)> =
            self.knowledge.indexed.iter().map(|(id, how)| (*id, how.clone())).collect();
        for (object, how) in indexed {
            let Indexed::Elements { fields, .. } = how else { continue };
            if !self.knowledge.exposed.contains(&object) {
                continue;
            }
            for (field, bytes) in fields {
                let sort = Sort::Array { index: self.pointer_bits(), element: 8 * bytes };
                let any = self.terms.fresh("memory", sort);
                state.arrays.insert((object, field), any);
                self.knowledge.write(Cell { object, offset: field, bytes });
            }
        }
    }

    /// All that is followed of an object holds any value, or zero.
    pub(crate) fn make_new(&mut self, state: &mut State, object: ObjectId, zeroed: bool) {
        for cell in self.knowledge.cells(object) {
            let value = if zeroed { self.terms.bits(0, 8 * cell.bytes) } else { self.unknown(cell.bytes) };
            state.cells.insert(cell, value);
        }
        if let Some(Indexed::Elements { fields, .. }) = self.knowledge.indexed.get(&object).cloned() {
            for (field, bytes) in fields {
                let width = self.pointer_bits();
                let array = if zeroed {
                    let zero = self.terms.bits(0, 8 * bytes);
                    self.terms.const_array(width, zero)
                } else {
                    self.terms.fresh("memory", Sort::Array { index: width, element: 8 * bytes })
                };
                state.arrays.insert((object, field), array);
            }
        }
    }

    /// Bytes of an object hold any value.
    pub(crate) fn forget(&mut self, state: &mut State, object: ObjectId, (from, to): (u64, u64)) {
        if let Some(Indexed::Elements { fields, .. }) = self.knowledge.indexed.get(&object).cloned() {
            for (field, bytes) in fields {
                let sort = Sort::Array { index: self.pointer_bits(), element: 8 * bytes };
                let any = self.terms.fresh("memory", sort);
                state.arrays.insert((object, field), any);
                self.knowledge.write(Cell { object, offset: field, bytes });
            }
        }
        for cell in self.knowledge.cells(object) {
            if cell.offset < to && from < cell.offset + u64::from(cell.bytes) {
                let any = self.unknown(cell.bytes);
                state.cells.insert(cell, any);
                if self.knowledge.is_shared(object) {
                    self.knowledge.write(cell);
                }
            }
        }
    }

    /// The variable that an access is of, if there is one.
    pub(crate) fn accessed(&self, spots: &Spots) -> Option<VariableId> {
        let [(_, Spot::Cell(cell))] = spots.list[..] else { return None };
        let object = self.object_of(cell.object);
        let storage = Storage::Cell { object, offset: cell.offset, bytes: cell.bytes };
        self.by_storage.get(&(None, storage)).copied()
    }
}
