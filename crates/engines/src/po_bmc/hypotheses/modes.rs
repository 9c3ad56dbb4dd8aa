//! Assumptions that are on or off.
//!
//! While one of them is on, the program becomes a smaller question; an execution that refutes it turns it off, and all begins anew.

use crate::po_bmc::symbolic::{Assumptions, Report};

/// Turns off what an execution refutes, and forgets all that was inferred under it. Says whether there was anything.
pub(super) fn turn_off_refuted(assumptions: &mut Assumptions, report: &Report) -> bool {
    let modes = [
        (&mut assumptions.fixed_thread_ids.0, report.others_fork),
        (&mut assumptions.lock_words_apart.0, report.touches_lock_words),
        (&mut assumptions.whole_pointers.0, report.tears_pointers),
    ];
    let mut is_refuted = false;
    for (is_assumed, refuted) in modes {
        if *is_assumed && refuted {
            *is_assumed = false;
            is_refuted = true;
        }
    }
    if is_refuted {
        assumptions.forget_inferred();
    }
    is_refuted
}
