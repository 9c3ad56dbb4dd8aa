//! Which objects may ever get out of the hands of the thread that made them, by analysis before the run.
//!
//! The VM itself decides by what has happened so far ([`crate::memory::Memory::share`]); only PSO must know about the
//! future, see [`crate::memory_model`]. Over-approximates, by the same analysis that tells which places are shared.

use raddle_ir::analyses::call_graph::CallGraph;
use raddle_ir::analyses::points_to::{ObjectKind, PointsTo};
use raddle_ir::analyses::sharing::Sharing;
use raddle_ir::{GlobalId, Program};
use rustc_hash::FxHashSet;

use crate::code::Place;
use crate::memory::Creator;

/// The objects that may get out, by what makes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Escapes {
    places: FxHashSet<Place>,
    thread_locals: FxHashSet<GlobalId>,
}

impl Escapes {
    pub(crate) fn new(program: &Program) -> Self {
        let points_to = PointsTo::new(program);
        let sharing = Sharing::new(program, &points_to, &CallGraph::new(program, &points_to));
        let mut escapes = Self::default();
        for (_, object) in points_to.objects().iter().filter(|(id, _)| sharing.is_escaped(*id)) {
            match object.kind {
                ObjectKind::Global(global) => {
                    escapes.thread_locals.insert(global);
                }
                ObjectKind::Alloc { site, .. } => {
                    let index = u32::try_from(site.inst).expect("a block has fewer than 2^32 instructions");
                    escapes.places.insert(Place { function: site.function, block: site.block, index });
                }
                ObjectKind::Function(_) => {}
            }
        }
        escapes
    }

    /// Whether an object may get out.
    pub(crate) fn may_escape(&self, creator: Creator) -> bool {
        match creator {
            Creator::Global(_) => true,
            Creator::ThreadLocal(global) => self.thread_locals.contains(&global),
            Creator::Local(place) | Creator::Heap(place) => self.places.contains(&place),
        }
    }
}
