//! What the library keeps between calls, seen from code that is not part of the program.
//!
//! Such code may call every function of the library, so whatever a model keeps may have changed when it returns: `errno`, the rest of
//! `strtok`'s text, the object of `gmtime`, the environment. That is the rule; the exceptions are named here.

/// What code that nobody sees can do with an object of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LibraryState {
    /// Change it.
    Hidden,
    /// Have the functions in it called, by ending the process or its thread.
    Handlers,
    /// Nothing: it is known by a handle or a lock alone, or is always the same.
    Own,
}

const EXCEPTIONS: &[(&str, LibraryState)] = &[
    ("__exit_handlers", LibraryState::Handlers),
    ("__exit_count", LibraryState::Own),
    ("__quick_handlers", LibraryState::Handlers),
    ("__quick_count", LibraryState::Own),
    ("__atfork_handlers", LibraryState::Handlers),
    ("__cleanup_stack", LibraryState::Handlers),
    ("__cleanup_depth", LibraryState::Own),
    // Threads are known by their handles.
    ("__thread_detached", LibraryState::Own),
    ("__thread_joined", LibraryState::Own),
    ("__thread_ended", LibraryState::Own),
    ("__thread_main_handle", LibraryState::Own),
    ("__thread_handles", LibraryState::Own),
    ("__thread_handle_numbers", LibraryState::Own),
    ("__thread_handle_count", LibraryState::Own),
    ("__thread_own_handle", LibraryState::Own),
    ("__thread_running", LibraryState::Own),
    // Only whoever has the lock can unlock it.
    ("__rwlock_reads", LibraryState::Own),
    ("__mutex_robust", LibraryState::Own),
    // The streams stay what they are, the locale that of C; nobody but the program sets clocks.
    ("stdin", LibraryState::Own),
    ("stdout", LibraryState::Own),
    ("stderr", LibraryState::Own),
    ("__ctype_lower", LibraryState::Own),
    ("__ctype_upper", LibraryState::Own),
    ("__ctype_lower_start", LibraryState::Own),
    ("__ctype_upper_start", LibraryState::Own),
    ("__time_seconds", LibraryState::Own),
    ("__time_nanoseconds", LibraryState::Own),
    ("__time_clock", LibraryState::Own),
];

/// Of the object of that name in the models.
pub(crate) fn library_state(name: &str) -> LibraryState {
    let exception = EXCEPTIONS.iter().find(|(known, _)| *known == name);
    exception.map_or(LibraryState::Hidden, |(_, state)| *state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::models;

    #[test]
    fn every_exception_is_an_object_of_the_models() {
        let (_, text) = models();
        for (name, _) in EXCEPTIONS {
            let declares = |line: &str| {
                let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                !line.starts_with([' ', '/'])
                    && line.contains(';')
                    && words.into_iter().any(|word| word == *name)
            };
            assert!(text.lines().any(declares), "`{name}`");
        }
        assert_eq!(library_state("__errno_value"), LibraryState::Hidden);
    }
}
