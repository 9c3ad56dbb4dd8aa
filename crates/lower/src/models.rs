//! The API models that are shipped with the tool.

use crate::environment::Environment;

/// The primitives' declarations, put in front of every model.
const PRIMITIVES: &str = include_str!("../models/raddle.h");

/// Name and text of each model; the order is the order they are linked in.
const MODELS: &[(&str, &str)] = &[
    ("thread.c", include_str!("../models/thread.c")),
    ("mutex.c", include_str!("../models/mutex.c")),
    ("condition.c", include_str!("../models/condition.c")),
    ("rwlock.c", include_str!("../models/rwlock.c")),
    ("barrier.c", include_str!("../models/barrier.c")),
    ("semaphore.c", include_str!("../models/semaphore.c")),
    ("c11.c", include_str!("../models/c11.c")),
    ("atomic.c", include_str!("../models/atomic.c")),
    ("attributes.c", include_str!("../models/attributes.c")),
    ("cancel.c", include_str!("../models/cancel.c")),
    ("memory.c", include_str!("../models/memory.c")),
    ("ctype.c", include_str!("../models/ctype.c")),
    ("messages.c", include_str!("../models/messages.c")),
    ("math.c", include_str!("../models/math.c")),
    ("print.c", include_str!("../models/print.c")),
    ("stdio.c", include_str!("../models/stdio.c")),
    ("stdlib.c", include_str!("../models/stdlib.c")),
    ("scan.c", include_str!("../models/scan.c")),
    ("time.c", include_str!("../models/time.c")),
    ("unistd.c", include_str!("../models/unistd.c")),
    ("signal.c", include_str!("../models/signal.c")),
    ("jump.c", include_str!("../models/jump.c")),
];

/// The models as one translation unit: its name and its text, ready to be parsed behind the program's own units.
#[must_use]
pub fn models() -> (&'static str, String) {
    models_in(&Environment::default())
}

/// The same in a world where more or less goes well.
#[must_use]
pub fn models_in(environment: &Environment) -> (&'static str, String) {
    let mut text = String::from("# 1 \"<models>/raddle.h\" 3\n");
    text.push_str(PRIMITIVES);
    text.push_str(&environment.constants());
    for (name, model) in MODELS {
        text.push_str(&format!("# 1 \"<models>/{name}\" 3\n"));
        text.push_str(model);
    }
    ("<models>", text)
}
