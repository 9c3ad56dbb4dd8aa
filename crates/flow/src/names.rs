//! What variables are called, in words of the program.

use raddle_base::Id as _;
use raddle_ir::{Frame, Point, RegisterId, ScalarStyle, Shape, Site, Type};
use raddle_logic::term::{Sort, TermId};
use raddle_semantics::ObjectId;

use crate::build::Builder;
use crate::knowledge::{Cell, Slot};
use crate::model::{Storage, TemplateId, VariableId};
use crate::objects::Kind;

impl Builder<'_> {
    /// A constant of a sort.
    pub(crate) fn constant_of(&mut self, value: u128, sort: Sort) -> TermId {
        match sort {
            Sort::Bool => self.terms.bool(value != 0),
            Sort::BitVec(width) => self.terms.bits(value, width),
            Sort::Array { .. } => unreachable!("no array is a constant"),
        }
    }

    /// What something of the running thread's own holds before a step.
    pub(crate) fn slot_value(&mut self, slot: &Slot, sort: Sort) -> TermId {
        let variable = self.slot_variable(self.current, slot, sort);
        self.variables[variable].now
    }

    pub(crate) fn slot_storage(&self, slot: &Slot) -> Storage {
        match slot {
            Slot::Register(frame, register) => {
                Storage::Register { frame: frame.clone(), register: *register }
            }
            Slot::Cell(cell) => {
                Storage::Cell { object: self.object_of(cell.object), offset: cell.offset, bytes: cell.bytes }
            }
        }
    }

    /// The variable of something of a thread's own.
    pub(crate) fn slot_variable(&mut self, template: TemplateId, slot: &Slot, sort: Sort) -> VariableId {
        let storage = self.slot_storage(slot);
        if let Some(&id) = self.by_storage.get(&(Some(template), storage.clone())) {
            return id;
        }
        let name = match slot {
            Slot::Cell(cell) => self.cell_name(*cell),
            Slot::Register(frame, register) => {
                (self.register_name(template, frame, *register), sort != Sort::Bool)
            }
        };
        let name = (format!("{}@T{}", name.0, template.index()), name.1);
        self.add_variable(Some(template), storage, sort, name)
    }

    fn register_name(&self, template: TemplateId, frame: &Frame, register: RegisterId) -> String {
        let function = match frame.last() {
            None => self.knowledge.templates[template.index()].function,
            Some(site) => self.callee(site, template, frame),
        };
        let Some(function) = function else { return format!("{register}") };
        let function = &self.program.functions[function];
        match &function.registers.get(register).and_then(|register| register.name.clone()) {
            Some(name) => format!("{}.{name}", function.name),
            None => format!("{}.{register}", function.name),
        }
    }

    /// The function whose activation a frame is: what a point of it says.
    fn callee(&self, _: &Site, template: TemplateId, frame: &Frame) -> Option<raddle_ir::FunctionId> {
        let depth = frame.len();
        self.knowledge.templates[template.index()].locations.keys().find_map(|point: &Point| {
            if point.frame == *frame {
                return Some(point.site.function);
            }
            (point.frame.len() > depth && point.frame[..depth] == frame[..])
                .then(|| point.frame[depth].function)
        })
    }

    pub(crate) fn cell_name(&self, cell: Cell) -> (String, bool) {
        let object = self.knowledge.objects.get(cell.object);
        let (path, signed) = part_name(&object.shape, cell.offset);
        (format!("{}{path}", object.name), signed)
    }

    pub(crate) fn array_name(&self, object: ObjectId, field: u64) -> (String, bool) {
        let object = self.knowledge.objects.get(object);
        let Shape::Array { element, .. } = &object.shape else {
            return (format!("{}[]", object.name), false);
        };
        let (path, signed) = part_name(element, field);
        (format!("{}[]{path}", object.name), signed)
    }

    /// Whether an object is a global.
    pub(crate) fn is_global(&self, object: ObjectId) -> bool {
        matches!(self.knowledge.objects.get(object).kind, Kind::Global(_))
    }
}

/// What leads to a part of an object, and whether it is a signed number.
fn part_name(shape: &Shape, offset: u64) -> (String, bool) {
    match shape {
        Shape::Scalar(ty, style) if offset == 0 => (
            String::new(),
            matches!(style, ScalarStyle::Signed | ScalarStyle::Char) && matches!(ty, Type::Int(_)),
        ),
        Shape::Bytes | Shape::Scalar(..) => {
            (if offset == 0 { String::new() } else { format!("+{offset}") }, false)
        }
        Shape::Array { element, stride, count } => {
            let index = offset.checked_div(*stride).unwrap_or(0);
            if index >= *count {
                return (format!("+{offset}"), false);
            }
            let (path, signed) = part_name(element, offset - index * stride);
            (format!("[{index}]{path}"), signed)
        }
        Shape::Record(members) => {
            let member = members.iter().rev().find(|(_, at, _)| *at <= offset);
            let Some((name, at, shape)) = member else { return (format!("+{offset}"), false) };
            let (path, signed) = part_name(shape, offset - at);
            (format!(".{name}{path}"), signed)
        }
    }
}
