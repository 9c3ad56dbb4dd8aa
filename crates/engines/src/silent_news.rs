//! Whether threads can learn of each other without synchronising.
//!
//! Where they cannot, whoever sees what another thread did happens after it. Then accesses that nothing orders can be brought
//! side by side: some execution has them possible at the same moment, and it is enough to look for that. Where they can,
//! through weak atomics and through functions that tell that a lock is taken, accesses may be unordered and yet never
//! possible at the same moment: there happens-before itself must be looked at.
//!
//! May say yes where nothing is learnt; never no where something is.

use raddle_ir::{InstKind, Ordering, Program};

use crate::Reason;

/// Library functions that show what other threads have set, and order nothing: states of streams and threads, names, handlers.
const SHOW: &[&str] = &[
    "fgetc",
    "__stdio_get",
    "feof",
    "ferror",
    "getenv",
    "pthread_getaffinity_np",
    "pthread_getattr_default_np",
    "pthread_getconcurrency",
    "pthread_getname_np",
    "pthread_getschedparam",
    "pthread_mutex_getprioceiling",
    "sem_open",
    "sem_unlink",
    "sigaction",
    "signal",
    "__signal_deliver",
    "__signal_elsewhere",
];

/// How threads of a program may learn of each other without synchronising, if they may: then accesses can be unordered and yet
/// never be possible at the same moment. With the orders looked for here, whoever sees a value happens after whoever made it.
pub(crate) fn silent_news(program: &Program) -> Option<Reason> {
    let acquires = |ordering: Ordering| match ordering {
        Ordering::Acquire | Ordering::AcquireRelease | Ordering::SequentiallyConsistent => true,
        Ordering::Plain | Ordering::Relaxed | Ordering::Release => false,
    };
    let releases = |ordering: Ordering| match ordering {
        Ordering::Release | Ordering::AcquireRelease | Ordering::SequentiallyConsistent => true,
        Ordering::Plain | Ordering::Relaxed | Ordering::Acquire => false,
    };
    for function in program.functions.values() {
        if function.model {
            // What else the models do orders as the API promises.
            let name = function.name.trim_start_matches("__model_");
            let tells = ["_try", "_timed", "_clock", "_getvalue"].iter().any(|part| name.contains(part))
                || SHOW.contains(&name);
            // A wait for a condition may end at any time: that tells nothing.
            if tells && !name.contains("cond_") && !name.contains("cnd_") {
                let text = format!(
                    "`{name}` tells of other threads without ordering; races behind it are not excluded"
                );
                return Some(Reason::Other(text));
            }
            continue;
        }
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            let weak = if let InstKind::Load { ordering, .. } = inst.kind {
                ordering != Ordering::Plain && !acquires(ordering)
            } else if let InstKind::Store { ordering, .. } = inst.kind {
                ordering != Ordering::Plain && !releases(ordering)
            } else if let InstKind::AtomicRmw { ordering, .. } = inst.kind {
                !acquires(ordering) || !releases(ordering)
            } else if let InstKind::CompareExchange { ordering, failure, .. } = inst.kind {
                !acquires(ordering) || !releases(ordering) || !acquires(failure)
            } else {
                false
            };
            if weak {
                let text = "weak atomics order nothing; races behind them are not excluded".to_owned();
                return Some(Reason::Other(text));
            }
        }
    }
    None
}
