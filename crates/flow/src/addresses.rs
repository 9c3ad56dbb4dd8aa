//! What constant pointers lead to.

use raddle_ir::FunctionId;
use raddle_logic::term::{Term, TermId};

use crate::model::{Flow, Object};

/// What the numbers of pointers stand for.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    /// The number of the first byte of each object, ascending.
    pub(crate) bases: Vec<(u128, Pointee)>,
    /// A pointer is nearer than this to the first byte of its object.
    pub(crate) reach: u128,
}

/// What a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointee {
    /// A byte of an object.
    Object(Object, i64),
    /// A function.
    Function(FunctionId),
    /// Nothing: it is null, or a number.
    Number(u128),
}

impl Flow {
    /// What a constant pointer leads to; none if it is no constant.
    #[must_use]
    pub fn pointee(&self, pointer: TermId) -> Option<Pointee> {
        let Term::Bits { value, width } = self.terms[pointer] else { return None };
        if width != self.pointer_bits {
            return None;
        }
        self.addresses.pointee(value)
    }
}

impl Addresses {
    /// What a constant pointer leads to, if it is one.
    #[must_use]
    pub fn pointee(&self, value: u128) -> Option<Pointee> {
        let Self { bases, reach } = self;
        let near = bases.iter().find(|(base, _)| base.abs_diff(value) < *reach);
        let Some((base, pointee)) = near else { return Some(Pointee::Number(value)) };
        let offset = i64::try_from(value.cast_signed() - base.cast_signed()).ok()?;
        Some(match pointee {
            Pointee::Object(object, _) => Pointee::Object(object.clone(), offset),
            Pointee::Function(_) | Pointee::Number(_) => pointee.clone(),
        })
    }
}
