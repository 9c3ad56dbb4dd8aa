//! A program while it grows: what scenes put into it, and how it becomes text.
//!
//! Names of file scope have `@` in front, which stands nowhere else in C: many programs share a file where gcc builds them, and
//! there `@` becomes a prefix; for us it becomes nothing.

use raddle_base::SplitMix;

/// So many threads a program has at most, besides main.
pub(super) const MOST_WORKERS: usize = 3;

/// No outcome is larger: it is one `int`.
const MOST_OUTCOMES: u64 = 1 << 30;

/// A program while it grows.
#[derive(Debug)]
pub(super) struct Sketch {
    random: SplitMix,
    last_name: u32,
    globals: Vec<String>,
    functions: Vec<String>,
    setup: Vec<String>,
    ending: Vec<String>,
    /// What each worker does, statement by statement.
    bodies: Vec<Vec<String>>,
    /// What each worker does behind all of that.
    last: Vec<Vec<String>>,
    /// What is looked at in the end, and how many values of it are distinguished.
    observed: Vec<(String, u64)>,
    outcomes: u64,
    /// Whether locks may be forgotten here and there.
    pub(super) lapses: bool,
    /// Whether some accesses race, so that sequential consistency is not to be expected of the processor.
    pub(super) races: bool,
    /// Whether there are memory orders that allow more than sequential consistency.
    pub(super) weak: bool,
    /// Whether locks are used in ways that they refuse.
    pub(super) misuses: bool,
    /// Whether threads synchronise in ways that gcc's thread sanitizer does not know: by fences, by C11's mutexes.
    pub(super) unsanitized: bool,
}

/// The lines that take a lock and give it back.
#[derive(Clone, Debug)]
pub(super) struct Lock {
    open: String,
    close: String,
}

impl Sketch {
    pub(super) fn new(random: SplitMix, workers: usize) -> Self {
        Self {
            random,
            last_name: 0,
            globals: Vec::new(),
            functions: Vec::new(),
            setup: Vec::new(),
            ending: Vec::new(),
            bodies: vec![Vec::new(); workers],
            last: vec![Vec::new(); workers],
            observed: Vec::new(),
            outcomes: 1,
            lapses: false,
            races: false,
            weak: false,
            misuses: false,
            unsanitized: false,
        }
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len())].clone()
    }

    /// A new name of file scope.
    pub(super) fn name(&mut self, stem: &str) -> String {
        self.last_name += 1;
        format!("@{stem}{}", self.last_name)
    }

    /// A new name of a block.
    pub(super) fn local(&mut self, stem: &str) -> String {
        self.last_name += 1;
        format!("{stem}{}", self.last_name)
    }

    pub(super) fn global(&mut self, line: impl Into<String>) {
        self.globals.push(line.into());
    }

    pub(super) fn function(&mut self, text: impl Into<String>) {
        self.functions.push(text.into());
    }

    /// Main does this before there are workers.
    pub(super) fn setup(&mut self, line: impl Into<String>) {
        self.setup.push(line.into());
    }

    /// Main does this when it has joined all workers.
    pub(super) fn ending(&mut self, line: impl Into<String>) {
        self.ending.push(line.into());
    }

    /// A worker does this, behind what it does already.
    pub(super) fn work(&mut self, worker: usize, statement: impl Into<String>) {
        self.bodies[worker].push(statement.into());
    }

    /// A worker does this behind everything else: it keeps what others wait for until it ends.
    pub(super) fn last_work(&mut self, worker: usize, statement: impl Into<String>) {
        self.last[worker].push(statement.into());
    }

    pub(super) fn workers(&self) -> usize {
        self.bodies.len()
    }

    /// All workers, or two of them, in any order.
    pub(super) fn some_workers(&mut self) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.workers()).collect();
        for last in (1..all.len()).rev() {
            let other = self.below(last + 1);
            all.swap(last, other);
        }
        if all.len() > 2 && self.chance(60) {
            all.truncate(2);
        }
        all
    }

    /// Two workers.
    pub(super) fn two(&mut self) -> (usize, usize) {
        let some = self.some_workers();
        (some[0], some[1])
    }

    /// A new variable for what a worker has seen, which is looked at in the end.
    pub(super) fn got(&mut self, values: u64) -> String {
        let name = self.name("got");
        self.global(format!("static int {name};"));
        self.observe(&name, values);
        name
    }

    /// Looks at the value of an expression in the end. What does not fit into an outcome any more is not looked at.
    pub(super) fn observe(&mut self, expression: &str, values: u64) {
        if self.outcomes * values < MOST_OUTCOMES {
            self.outcomes *= values;
            self.observed.push((expression.to_owned(), values));
        }
    }

    /// `volatile ` where accesses may race, so that gcc makes each of them.
    pub(super) fn volatile(&self) -> &'static str {
        if self.lapses { "volatile " } else { "" }
    }

    /// A new lock of some kind.
    pub(super) fn lock(&mut self) -> Lock {
        let name = self.name("lock");
        let (open, close) = match self.below(12) {
            0..=2 => {
                self.global(format!("static pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;"));
                (format!("pthread_mutex_lock(&{name});"), format!("pthread_mutex_unlock(&{name});"))
            }
            3 | 4 => return self.lock_of_kind(&name),
            5 => {
                self.global(format!("static pthread_rwlock_t {name} = PTHREAD_RWLOCK_INITIALIZER;"));
                (format!("pthread_rwlock_wrlock(&{name});"), format!("pthread_rwlock_unlock(&{name});"))
            }
            6 => {
                self.global(format!("static pthread_spinlock_t {name};"));
                self.setup(format!("pthread_spin_init(&{name}, PTHREAD_PROCESS_PRIVATE);"));
                (format!("pthread_spin_lock(&{name});"), format!("pthread_spin_unlock(&{name});"))
            }
            7 => {
                self.global(format!("static sem_t {name};"));
                self.setup(format!("sem_init(&{name}, 0, 1);"));
                (format!("sem_wait(&{name});"), format!("sem_post(&{name});"))
            }
            8 => {
                self.unsanitized = true;
                self.global(format!("static mtx_t {name};"));
                self.setup(format!("mtx_init(&{name}, mtx_plain);"));
                (format!("mtx_lock(&{name});"), format!("mtx_unlock(&{name});"))
            }
            9 => {
                self.global(format!("static atomic_flag {name} = ATOMIC_FLAG_INIT;"));
                (
                    format!("while (atomic_flag_test_and_set(&{name})) RELAX();"),
                    format!("atomic_flag_clear(&{name});"),
                )
            }
            10 => {
                self.global(format!("static atomic_int {name};"));
                let expected = self.local("free");
                (
                    format!(
                        "int {expected} = 0; while (!atomic_compare_exchange_weak_explicit(&{name}, &{expected}, 1, \
                         memory_order_acquire, memory_order_relaxed)) {{ {expected} = 0; RELAX(); }}"
                    ),
                    format!("atomic_store_explicit(&{name}, 0, memory_order_release);"),
                )
            }
            _ => {
                self.global(format!("static atomic_uint {name}_next, {name}_now;"));
                let ticket = self.local("ticket");
                (
                    format!(
                        "unsigned {ticket} = atomic_fetch_add(&{name}_next, 1); while (atomic_load(&{name}_now) != {ticket}) \
                         RELAX();"
                    ),
                    format!("atomic_fetch_add(&{name}_now, 1);"),
                )
            }
        };
        Lock { open, close }
    }

    /// A mutex whose kind is set by attributes.
    fn lock_of_kind(&mut self, name: &str) -> Lock {
        let kind = self.pick(&["RECURSIVE", "ERRORCHECK", "NORMAL", "DEFAULT"]);
        let kinds = self.local("kinds");
        self.global(format!("static pthread_mutex_t {name};"));
        self.setup(format!("pthread_mutexattr_t {kinds}; pthread_mutexattr_init(&{kinds});"));
        self.setup(format!("pthread_mutexattr_settype(&{kinds}, PTHREAD_MUTEX_{kind});"));
        self.setup(format!("pthread_mutex_init(&{name}, &{kinds}); pthread_mutexattr_destroy(&{kinds});"));
        let times = if kind == "RECURSIVE" { 2 } else { 1 };
        Lock {
            open: format!("pthread_mutex_lock(&{name});").repeat(times),
            close: format!("pthread_mutex_unlock(&{name});").repeat(times),
        }
    }

    /// Statements with a lock held; or, where that is allowed, without it.
    pub(super) fn locked(&mut self, lock: &Lock, statements: &str) -> String {
        if self.lapses && self.chance(15) {
            self.races = true;
            return format!("{{ {statements} }}");
        }
        Self::surely_locked(lock, statements)
    }

    /// Statements with a lock held.
    pub(super) fn surely_locked(lock: &Lock, statements: &str) -> String {
        format!("{{ {} J(); {statements} J(); {} }}", lock.open, lock.close)
    }

    /// The whole program.
    pub(super) fn text(&self) -> String {
        let mut lines: Vec<String> = self.globals.iter().chain(&self.functions).cloned().collect();
        let does = |worker: usize| self.bodies[worker].iter().chain(&self.last[worker]);
        let workers: Vec<usize> =
            (0..self.workers()).filter(|&worker| does(worker).next().is_some()).collect();
        let count = workers.len();
        for &worker in &workers {
            lines.push(format!("static void *@worker{worker}(void *argument)\n{{\n    START({count});"));
            lines.extend(does(worker).map(|statement| format!("    {statement}\n    J();")));
            lines.push("    return argument;\n}".to_owned());
        }
        lines.push("int @main(void)\n{\n    unsigned outcome = 0;".to_owned());
        lines.extend(self.setup.iter().map(|line| format!("    {line}")));
        for worker in &workers {
            lines.push(format!("    pthread_t thread{worker};"));
            lines.push(format!("    pthread_create(&thread{worker}, 0, @worker{worker}, 0);"));
        }
        lines.extend(workers.iter().map(|worker| format!("    pthread_join(thread{worker}, 0);")));
        lines.extend(self.ending.iter().map(|line| format!("    {line}")));
        for (expression, values) in &self.observed {
            lines.push(format!("    outcome = outcome * {values} + (unsigned)({expression}) % {values};"));
        }
        lines.push("    FINISH((int)outcome);\n    return 0;\n}\n".to_owned());
        lines.join("\n")
    }
}
