//! Functions that are called without a declaration, and the library functions whose types the compiler knows.
//!
//! gcc declares an unknown function as `int name()`, and gives well-known library functions the type they should
//! have. The same table serves `__builtin_name`.

use raddle_base::{Diagnostic, Span};

use crate::ast::{Ast, Function, FunctionId, Inline};
use crate::check::Identifiers;
use crate::check::header::header_of;
use crate::check::scope::Name;
use crate::names::Symbol;
use crate::types::{FunctionType, QualType, Type, TypeId, Types};

/// The library functions gcc knows: names, and result and parameters as letters (see `letter` below); `.`
/// stands for `...`, a `!` at the end for a function that does not return.
const LIBRARY: &[(&str, &[&str])] = &[
    ("v!", &["abort"]),
    ("vi!", &["exit", "_exit", "_Exit", "quick_exit"]),
    (
        "ii",
        &[
            "abs",
            "ffs",
            "isalnum",
            "isalpha",
            "isascii",
            "isblank",
            "iscntrl",
            "isdigit",
            "isgraph",
            "islower",
            "isprint",
            "ispunct",
            "isspace",
            "isupper",
            "isxdigit",
            "toascii",
            "tolower",
            "toupper",
            "putchar",
            "putchar_unlocked",
            "iswalnum",
            "iswalpha",
            "iswblank",
            "iswcntrl",
            "iswdigit",
            "iswgraph",
            "iswlower",
            "iswprint",
            "iswpunct",
            "iswspace",
            "iswupper",
            "iswxdigit",
        ],
    ),
    ("uu", &["towlower", "towupper"]),
    ("ll", &["labs"]),
    ("qq", &["llabs", "imaxabs"]),
    ("il", &["ffsl"]),
    ("iq", &["ffsll"]),
    ("pz", &["malloc", "alloca"]),
    ("pzz", &["calloc", "aligned_alloc"]),
    ("ppz", &["realloc"]),
    ("vp", &["free"]),
    ("ipzz", &["posix_memalign"]),
    ("ppPz", &["memcpy", "memmove", "mempcpy"]),
    ("ppPiz", &["memccpy"]),
    ("pPiz", &["memchr"]),
    ("iPPz", &["memcmp", "bcmp"]),
    ("ppiz", &["memset"]),
    ("vpz", &["bzero"]),
    ("vPpz", &["bcopy"]),
    ("ssS", &["strcpy", "strcat", "stpcpy"]),
    ("ssSz", &["strncpy", "strncat", "stpncpy"]),
    ("sSi", &["strchr", "strrchr", "index", "rindex"]),
    ("sSS", &["strstr", "strpbrk"]),
    ("iSS", &["strcmp", "strcasecmp"]),
    ("iSSz", &["strncmp", "strncasecmp"]),
    ("zSS", &["strspn", "strcspn"]),
    ("zS", &["strlen"]),
    ("zSz", &["strnlen"]),
    ("sS", &["strdup"]),
    ("sSz", &["strndup"]),
    ("zszSP", &["strftime"]),
    ("iS.", &["printf", "scanf", "printf_unlocked"]),
    ("ipS.", &["fprintf", "fscanf", "fprintf_unlocked"]),
    ("isS.", &["sprintf"]),
    ("iszS.", &["snprintf"]),
    ("iSS.", &["sscanf", "execl", "execlp", "execle"]),
    ("iSV", &["vprintf", "vscanf"]),
    ("ipSV", &["vfprintf", "vfscanf"]),
    ("isSV", &["vsprintf"]),
    ("iszSV", &["vsnprintf"]),
    ("iSSV", &["vsscanf"]),
    ("iS", &["puts", "puts_unlocked"]),
    ("iSp", &["fputs", "fputs_unlocked"]),
    ("iip", &["fputc", "putc", "fputc_unlocked", "putc_unlocked"]),
    ("zPzzp", &["fwrite", "fwrite_unlocked"]),
    ("i", &["fork"]),
    ("iSp", &["execv", "execvp"]),
    ("iSpp", &["execve"]),
    (
        "dd",
        &[
            "acos",
            "acosh",
            "asin",
            "asinh",
            "atan",
            "atanh",
            "cbrt",
            "ceil",
            "cos",
            "cosh",
            "erf",
            "erfc",
            "exp",
            "exp10",
            "exp2",
            "expm1",
            "fabs",
            "floor",
            "gamma",
            "j0",
            "j1",
            "lgamma",
            "log",
            "log10",
            "log1p",
            "log2",
            "logb",
            "nearbyint",
            "pow10",
            "rint",
            "round",
            "roundeven",
            "significand",
            "sin",
            "sinh",
            "sqrt",
            "tan",
            "tanh",
            "tgamma",
            "trunc",
            "y0",
            "y1",
        ],
    ),
    (
        "ff",
        &[
            "acosf",
            "acoshf",
            "asinf",
            "asinhf",
            "atanf",
            "atanhf",
            "cbrtf",
            "ceilf",
            "cosf",
            "coshf",
            "erff",
            "erfcf",
            "expf",
            "exp10f",
            "exp2f",
            "expm1f",
            "fabsf",
            "floorf",
            "lgammaf",
            "logf",
            "log10f",
            "log1pf",
            "log2f",
            "logbf",
            "nearbyintf",
            "rintf",
            "roundf",
            "roundevenf",
            "sinf",
            "sinhf",
            "sqrtf",
            "tanf",
            "tanhf",
            "tgammaf",
            "truncf",
        ],
    ),
    (
        "ee",
        &[
            "acosl",
            "acoshl",
            "asinl",
            "asinhl",
            "atanl",
            "atanhl",
            "cbrtl",
            "ceill",
            "cosl",
            "coshl",
            "erfl",
            "erfcl",
            "expl",
            "exp10l",
            "exp2l",
            "expm1l",
            "fabsl",
            "floorl",
            "lgammal",
            "logl",
            "log10l",
            "log1pl",
            "log2l",
            "logbl",
            "nearbyintl",
            "rintl",
            "roundl",
            "roundevenl",
            "sinl",
            "sinhl",
            "sqrtl",
            "tanl",
            "tanhl",
            "tgammal",
            "truncl",
        ],
    ),
    (
        "ddd",
        &[
            "atan2",
            "copysign",
            "drem",
            "fdim",
            "fmax",
            "fmin",
            "fmod",
            "hypot",
            "nextafter",
            "pow",
            "remainder",
            "scalb",
        ],
    ),
    (
        "fff",
        &[
            "atan2f",
            "copysignf",
            "dremf",
            "fdimf",
            "fmaxf",
            "fminf",
            "fmodf",
            "hypotf",
            "nextafterf",
            "powf",
            "remainderf",
            "scalbf",
        ],
    ),
    (
        "eee",
        &[
            "atan2l",
            "copysignl",
            "dreml",
            "fdiml",
            "fmaxl",
            "fminl",
            "fmodl",
            "hypotl",
            "nextafterl",
            "powl",
            "remainderl",
            "scalbl",
        ],
    ),
    ("dddd", &["fma"]),
    ("ffff", &["fmaf"]),
    ("eeee", &["fmal"]),
    ("ddi", &["ldexp", "scalbn"]),
    ("ffi", &["ldexpf", "scalbnf"]),
    ("eei", &["ldexpl", "scalbnl"]),
    ("ddl", &["scalbln"]),
    ("ffl", &["scalblnf"]),
    ("eel", &["scalblnl"]),
    ("ddI", &["frexp"]),
    ("ffI", &["frexpf"]),
    ("eeI", &["frexpl"]),
    ("ddD", &["modf"]),
    ("ld", &["lrint", "lround"]),
    ("lf", &["lrintf", "lroundf"]),
    ("le", &["lrintl", "lroundl"]),
    ("qd", &["llrint", "llround"]),
    ("qf", &["llrintf", "llroundf"]),
    ("qe", &["llrintl", "llroundl"]),
    ("id", &["ilogb", "finite", "isinf", "isnan"]),
    ("if", &["ilogbf", "finitef", "isinff", "isnanf"]),
    ("ie", &["ilogbl", "finitel", "isinfl", "isnanl"]),
    ("dS", &["nan"]),
    ("fS", &["nanf"]),
    ("eS", &["nanl"]),
];

/// Makes the types of library functions and built-ins, which no declaration gives.
#[derive(Debug)]
pub struct LibraryTypes<'t> {
    pub(super) ast: &'t mut Ast,
}

impl<'t> LibraryTypes<'t> {
    pub(super) fn new(ast: &'t mut Ast) -> Self {
        Self { ast }
    }
}

impl Identifiers<'_> {
    /// Declares `int name()` because a call was met before any declaration; warns. A well-known library function
    /// gets its proper type. The call declares it again when the printed text is read, so it has no item.
    pub fn declare_implicitly(&mut self, name: Symbol, span: Span) -> FunctionId {
        let earlier = match self.scopes.linked(name) {
            Some(Name::Function(earlier)) => Some(earlier),
            Some(Name::Var(_) | Name::EnumConstant(..) | Name::Typedef(_)) | None => None,
        };
        let text = self.tree.ast.text(name).to_owned();
        let known = self.tree.library_types().library_function(&text);
        if earlier.is_none_or(|earlier| !self.tree.ast.functions[earlier].implicit) {
            let mut diagnostic =
                Diagnostic::warning(span, format!("implicit declaration of function `{text}`"));
            if let Some(header) = header_of(&text) {
                diagnostic =
                    diagnostic.help(format!("include the header that declares it: `#include <{header}>`"));
            } else if known.is_some() {
                diagnostic = diagnostic.help(format!("include the header that declares `{text}`"));
            }
            self.tree.diagnostics.push(diagnostic);
        }
        // The same function as before; only the name was not visible here.
        if let Some(earlier) = earlier {
            // Declared in another block, or by a call there.
            self.scopes.declare(name, Name::Function(earlier));
            return earlier;
        }
        let (ty, noreturn) = known.unwrap_or_else(|| (self.tree.library_types().unknown_function(), false));
        let id = self.tree.ast.functions.push(Function {
            name,
            ty: ty.into(),
            internal: false,
            inline: Inline::No,
            noreturn,
            parameters: Vec::new(),
            old_style: false,
            body: None,
            attributes: Vec::new(),
            asm_name: None,
            implicit: true,
            linked: None,
            owner: None,
            span,
        });
        self.scopes.declare(name, Name::Function(id));
        self.scopes.set_linked(name, Name::Function(id));
        id
    }
}

impl LibraryTypes<'_> {
    /// `int ()`
    fn unknown_function(&mut self) -> TypeId {
        self.ast.types.intern(Type::Function(FunctionType {
            result: Types::int().into(),
            parameters: Box::default(),
            variadic: false,
            prototype: false,
        }))
    }

    /// The type of a well-known library function (without `__builtin_`), and whether it never returns.
    pub fn library_function(&mut self, name: &str) -> Option<(TypeId, bool)> {
        let (letters, _) = LIBRARY.iter().find(|(_, names)| names.contains(&name))?;
        let (letters, noreturn) = match letters.strip_suffix('!') {
            Some(rest) => (rest, true),
            None => (*letters, false),
        };
        let (letters, variadic) = match letters.strip_suffix('.') {
            Some(rest) => (rest, true),
            None => (letters, false),
        };
        let mut types: Vec<QualType> = letters.chars().map(|letter| self.letter(letter).into()).collect();
        let result = types.remove(0);
        let function = FunctionType { result, parameters: types.into(), variadic, prototype: true };
        Some((self.ast.types.intern(Type::Function(function)), noreturn))
    }

    /// The type that a letter of the table stands for.
    fn letter(&mut self, letter: char) -> TypeId {
        let types = &mut self.ast.types;
        match letter {
            'v' => Types::void(),
            'u' => Types::unsigned_int(),
            'l' => Types::long(),
            'q' => Types::long_long(),
            'f' => Types::float(),
            'd' => Types::double(),
            'e' => Types::long_double(),
            'z' => types.intern(Type::Int(self.ast.model.size_type())),
            'p' => Types::void_pointer(),
            'P' => Types::const_void_pointer(),
            's' => Types::char_pointer(),
            'S' => Types::const_char_pointer(),
            'V' => Types::va_list(),
            'I' => types.pointer_to(Types::int().into()),
            'D' => types.pointer_to(Types::double().into()),
            _ => Types::int(),
        }
    }
}
