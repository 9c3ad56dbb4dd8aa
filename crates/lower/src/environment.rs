//! The world around the program, where C leaves open what it does.
//!
//! Without options it is kind: memory is there, threads start, `main` gets the arguments that are given. A proof rests on
//! what of that the program makes use of, so [`assumptions`] names it.

use raddle_cfront::ast::{Ast, ExprKind, External};
use raddle_ir::analyses::address_reuse::Comparisons;
use raddle_ir::{AddressReuse, Program};

/// What the user says of the world around the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// Functions without a body that do nothing but return a value.
    pub pure: Vec<String>,
    /// `main` gets any arguments, up to [`MOST_ARGUMENTS`] of up to [`LONGEST_ARGUMENT`] characters each.
    pub free_arguments: bool,
    /// There may be no memory left.
    pub malloc_may_fail: bool,
    /// There may be no resources for another thread, or for a lock and its like.
    pub create_may_fail: bool,
    /// Whether a new object may lie where one lay that has ended.
    pub address_reuse: AddressReuse,
}

/// How many arguments free ones are, the name of the program included.
pub const MOST_ARGUMENTS: u32 = 4;

/// How long each of them is, without the null character behind it.
pub const LONGEST_ARGUMENT: u32 = 8;

/// Functions, what they are assumed to do unless an option says otherwise, and which option that is.
type Row = (&'static [&'static str], &'static str, fn(&Environment) -> bool);

const ROWS: &[Row] = &[
    (
        &[
            "malloc",
            "calloc",
            "realloc",
            "reallocarray",
            "aligned_alloc",
            "memalign",
            "valloc",
            "pvalloc",
            "posix_memalign",
            "strdup",
            "strndup",
            "asprintf",
            "vasprintf",
            "getline",
            "getdelim",
            "tempnam",
            "setenv",
            "sem_open",
        ],
        "there is always memory left for malloc and its like (--malloc-may-fail)",
        |environment| environment.malloc_may_fail,
    ),
    (
        &["signal", "sigaction", "sigset", "bsd_signal", "sysv_signal"],
        "signals come from the program itself and from nobody else",
        |_| false,
    ),
    (
        &["pthread_create", "thrd_create"],
        "threads can always be started (--create-may-fail)",
        |environment| environment.create_may_fail,
    ),
    (
        &[
            "pthread_mutex_init",
            "pthread_cond_init",
            "pthread_rwlock_init",
            "pthread_barrier_init",
            "pthread_spin_init",
            "pthread_key_create",
            "sem_init",
            "mtx_init",
            "cnd_init",
            "tss_create",
        ],
        "locks and their like can always be initialised (--create-may-fail)",
        |environment| environment.create_may_fail,
    ),
    (
        &[
            "getenv",
            "secure_getenv",
            "getcwd",
            "get_current_dir_name",
            "realpath",
            "canonicalize_file_name",
            "ttyname",
            "getlogin",
            "getusershell",
        ],
        "texts from the environment and the system have at most 63 bytes",
        |_| false,
    ),
    (
        &[
            "printf",
            "fprintf",
            "vprintf",
            "vfprintf",
            "dprintf",
            "vdprintf",
            "puts",
            "fputs",
            "putchar",
            "fputc",
            "putc",
            "perror",
            "fwrite",
            "fflush",
            "write",
            "fputs_unlocked",
            "putc_unlocked",
            "putchar_unlocked",
            "fputc_unlocked",
            "fwrite_unlocked",
        ],
        "output to standard output and standard error succeeds",
        |_| false,
    ),
    (
        &[
            "sysconf",
            "get_nprocs",
            "get_nprocs_conf",
            "sched_getcpu",
            "getcpu",
            "sched_getaffinity",
            "pthread_getaffinity_np",
        ],
        "there are one to four CPUs",
        |_| false,
    ),
    (
        &["localtime", "localtime_r", "mktime", "timelocal", "ctime", "ctime_r", "tzset"],
        "the local time is UTC",
        |_| false,
    ),
    (
        &[
            "pthread_attr_getstacksize",
            "pthread_attr_getstack",
            "pthread_getattr_np",
            "pthread_getattr_default_np",
        ],
        "a thread has a stack of 8 MiB unless its attributes say otherwise",
        |_| false,
    ),
];

impl Environment {
    /// The constants that the models ask.
    #[must_use]
    pub(crate) fn constants(&self) -> String {
        format!(
            "enum {{ __ENVIRONMENT_MALLOC_MAY_FAIL = {}, __ENVIRONMENT_CREATE_MAY_FAIL = {} }};\n",
            u8::from(self.malloc_may_fail),
            u8::from(self.create_may_fail)
        )
    }

    /// The bounds that free arguments put on a proof about this program, if they do: how many, and how many characters each has.
    #[must_use]
    pub fn bound(&self, ast: &Ast) -> Option<(u32, u32)> {
        (self.free_arguments && uses_arguments(ast)).then_some((MOST_ARGUMENTS, LONGEST_ARGUMENT))
    }
}

/// What a proof about the program takes for granted of the world around it, a sentence each.
#[must_use]
pub fn assumptions(ast: &Ast, environment: &Environment, arguments: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    if uses_arguments(ast) && !environment.free_arguments {
        let shown: Vec<String> =
            arguments.iter().zip(0..).map(|(text, index)| format!(", argv[{index}] = {text:?}")).collect();
        let count = arguments.len();
        found.push(format!("main is called with argc = {count}{} (--free-arguments)", shown.concat()));
    }
    if uses_parameter(ast, 2) {
        found.push("main is given an empty environment".to_owned());
    }
    let uses = |name: &&str| names_function(ast, name);
    let holds =
        ROWS.iter().filter(|(functions, _, is_free)| !is_free(environment) && functions.iter().any(uses));
    found.extend(holds.map(|(_, sentence, _)| (*sentence).to_owned()));
    found
}

/// What the answers take for granted of addresses that come again, where the program may observe it or the user has said so.
#[must_use]
pub fn address_assumption(program: &Program) -> Option<String> {
    match program.address_reuse {
        AddressReuse::Never => Some("no address is given out twice (--no-address-reuse)".to_owned()),
        AddressReuse::Possible => Comparisons::of_heap(program).then(|| {
            "memory that was freed may be given out again at the same address (--no-address-reuse)".to_owned()
        }),
    }
}

/// Whether `main` reads what it is called with.
fn uses_arguments(ast: &Ast) -> bool {
    uses_parameter(ast, 0) || uses_parameter(ast, 1)
}

/// Whether `main` reads its parameter of this number.
fn uses_parameter(ast: &Ast, number: usize) -> bool {
    let main = ast.names.find("main").and_then(|name| ast.externals.get(&name));
    let Some(External::Function(main)) = main else { return false };
    let Some(parameter) = ast.functions[*main].parameters.get(number) else { return false };
    ast.exprs.values().any(|expr| matches!(&expr.kind, ExprKind::Var(var) if var == parameter))
}

/// Whether the program has an expression that names the function.
fn names_function(ast: &Ast, name: &str) -> bool {
    let Some(name) = ast.names.find(name) else { return false };
    let names_it =
        |kind: &ExprKind| matches!(kind, ExprKind::Function(id) if ast.functions[*id].name == name);
    ast.exprs.values().any(|expr| names_it(&expr.kind))
}
