//! Globals.

use super::{Rule, Validator, show};
use crate::program::{Global, GlobalId, Shape};

impl Validator<'_> {
    pub(super) fn global(&mut self, id: GlobalId, global: &Global) {
        let position = format!("global `{}` ({id})", global.name);
        if !global.align.is_power_of_two() {
            let text = format!("{position}: the alignment {} is no power of two", global.align);
            self.report(Rule::Alignment, text);
        }
        let mut end = 0;
        for part in &global.init {
            if let Some((rule, text)) = self.wrong_constant(part.value) {
                self.report(rule, format!("{position}, offset {}: {text}", part.offset));
                continue;
            }
            let ty = part.value.ty();
            let Some(bytes) = ty.bytes(self.program.pointer_bits) else {
                let text = format!("{position}, offset {}: {} has no form in memory", part.offset, show(ty));
                self.report(Rule::StorableType, text);
                continue;
            };
            if part.offset < end {
                let text = format!(
                    "{position}, offset {}: the contents before reach to {end}; they come in order and do not overlap",
                    part.offset
                );
                self.report(Rule::GlobalContents, text);
            }
            end = part.offset.saturating_add(bytes);
            if end > global.size {
                let text = format!(
                    "{position}, offset {}: {bytes} bytes do not lie in {}",
                    part.offset, global.size
                );
                self.report(Rule::GlobalContents, text);
            }
        }
        match shape_end(&global.shape, self.program.pointer_bits) {
            Some(end) if end <= global.size => {}
            _ => self.report(Rule::GlobalContents, format!("{position}: its shape does not fit it")),
        }
    }
}

/// One past the last byte that a shape names; `None` when that exceeds 64 bits or a scalar has no form in memory.
fn shape_end(shape: &Shape, pointer_bits: u8) -> Option<u64> {
    match shape {
        Shape::Bytes | Shape::Array { count: 0, .. } => Some(0),
        Shape::Scalar(ty, _) => ty.bytes(pointer_bits),
        Shape::Array { element, stride, count } => {
            stride.checked_mul(count - 1)?.checked_add(shape_end(element, pointer_bits)?)
        }
        Shape::Record(members) => members.iter().try_fold(0, |end: u64, (_, offset, member)| {
            Some(end.max(offset.checked_add(shape_end(member, pointer_bits)?)?))
        }),
    }
}
