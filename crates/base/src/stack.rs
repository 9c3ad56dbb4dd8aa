//! Room for recursion.
//!
//! Trees are as deep as their source. The parser caps nesting, but a chain of operators makes a deep tree
//! without nesting, so whatever walks trees runs on a stack that such chains cannot exhaust.

use std::cell::Cell;
use std::thread::Scope;

/// Address space, not memory: pages are taken only when the stack grows into them.
const STACK_BYTES: usize = 1 << 30;

thread_local! {
    static ON_LARGE_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a thread with a large stack, or right here when this already is one.
///
/// A panic in `work` goes on in the caller.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if ON_LARGE_STACK.get() {
        return work();
    }
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || {
            ON_LARGE_STACK.set(true);
            work()
        });
        match worker.expect("the system can start one more thread").join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Starts `work` on a thread of a scope, with a large stack.
pub fn spawn_on_large_stack<'s>(scope: &'s Scope<'s, '_>, work: impl FnOnce() + Send + 's) {
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || {
        ON_LARGE_STACK.set(true);
        work();
    });
    worker.expect("the system can start one more thread");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(levels: u64) -> u64 {
        let padding = std::hint::black_box([levels; 64]);
        if levels == 0 { 0 } else { 1 + depth(padding[0] - 1) }
    }

    #[test]
    fn deep_recursion_fits() {
        assert_eq!(on_large_stack(|| on_large_stack(|| depth(500_000))), 500_000);
    }
}
