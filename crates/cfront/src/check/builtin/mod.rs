//! Built-in functions.
//!
//! Most have an ordinary type: [`table`] lists them, and a use becomes a call of a function of that name which no one
//! declares. Those that take types, or arguments of any type, are the closed enum [`Builtin`]; `generic` and [`atomic`] check
//! their calls. A few are questions about the program text; only their answer remains in the tree.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a check names what it accepts; any other is refused with an error, or not folded"
)]

pub mod atomic;
pub(crate) mod fold;
mod generic;
mod select;
pub mod table;

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::ast::FunctionId;
use crate::check::{Identifiers, TreeBuilder};
use crate::names::{Names, Symbol};

/// Checks calls of built-ins that take arguments of any type, and answers questions about the program text.
#[derive(Debug)]
pub struct Builtins<'t> {
    tree: &'t mut TreeBuilder,
    /// The function around the call.
    function: Option<FunctionId>,
}

impl<'t> Builtins<'t> {
    pub(super) fn new(tree: &'t mut TreeBuilder, function: Option<FunctionId>) -> Self {
        Self { tree, function }
    }
}

/// A built-in without an ordinary type. In C, the arguments follow the [name](Builtin::name) between brackets, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `__builtin_va_start(list, last)`: `list` is an lvalue, `last` (if given) not evaluated.
    VaStart,
    /// `__builtin_va_end(list)`: `list` is an lvalue.
    VaEnd,
    /// `__builtin_va_copy(to, from)`: `to` is an lvalue, `from` a value or lvalue.
    VaCopy,
    /// `__builtin_add_overflow(a, b, result)`: computes exactly, stores in `*result`, says whether it did not fit.
    Overflow(OverflowOp),
    /// `__builtin_add_overflow_p(a, b, like)`: whether the exact result does not fit the type of `like`.
    OverflowPredicate(OverflowOp),
    /// `__builtin_isnan(x)` and its kin.
    FloatTest(FloatTest),
    /// `__builtin_isless(x, y)` and its kin: false on unordered operands, without an exception.
    FloatCompare(FloatCompare),
    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`
    FloatClassify,
    /// `__builtin_complex(real, imaginary)`
    Complex,
    /// `__builtin_shuffle(a, mask)` or `(a, b, mask)`
    Shuffle,
    /// `__builtin_shufflevector(a, b, index…)`
    ShuffleVector,
    /// `__builtin_convertvector(a, type)`: lane by lane; in C the type of the expression follows the argument.
    ConvertVector,
    /// `__builtin_speculation_safe_value(value)`: the value.
    SpeculationSafeValue,
    /// `__sync_fetch_and_add(pointer, value)` and its kin: gives the old value.
    SyncFetch(AtomicOp),
    /// `__sync_add_and_fetch(pointer, value)` and its kin: gives the new value.
    SyncOpFetch(AtomicOp),
    /// `__sync_bool_compare_and_swap(pointer, old, new)`
    SyncBoolCompareAndSwap,
    /// `__sync_val_compare_and_swap(pointer, old, new)`
    SyncValCompareAndSwap,
    /// `__sync_lock_test_and_set(pointer, value)`: an exchange.
    SyncLockTestAndSet,
    /// `__sync_swap(pointer, value)`: an exchange that orders all.
    SyncSwap,
    /// `__sync_lock_release(pointer)`: stores zero.
    SyncLockRelease,
    /// `__sync_synchronize()`
    SyncSynchronize,
    /// `__atomic_load_n(pointer, order)`
    AtomicLoadN,
    /// `__atomic_load(pointer, result, order)`
    AtomicLoad,
    /// `__atomic_store_n(pointer, value, order)`
    AtomicStoreN,
    /// `__atomic_store(pointer, value pointer, order)`
    AtomicStore,
    /// `__atomic_exchange_n(pointer, value, order)`
    AtomicExchangeN,
    /// `__atomic_exchange(pointer, value pointer, result pointer, order)`
    AtomicExchange,
    /// `__atomic_compare_exchange_n(pointer, expected pointer, desired, weak, success order, failure order)`
    AtomicCompareExchangeN,
    /// `__atomic_compare_exchange(pointer, expected pointer, desired pointer, weak, success order, failure order)`
    AtomicCompareExchange,
    /// `__atomic_fetch_add(pointer, value, order)` and its kin: gives the old value.
    AtomicFetch(AtomicOp),
    /// `__atomic_add_fetch(pointer, value, order)` and its kin: gives the new value.
    AtomicOpFetch(AtomicOp),
    /// `__atomic_test_and_set(pointer, order)`
    AtomicTestAndSet,
    /// `__atomic_clear(pointer, order)`
    AtomicClear,
    /// `__atomic_thread_fence(order)`
    AtomicThreadFence,
    /// `__atomic_signal_fence(order)`
    AtomicSignalFence,
    /// A built-in of the processor (`__builtin_ia32_…`): arguments and result are not checked, its type is the error type.
    Machine(Symbol),
}

/// The operation of an overflow built-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverflowOp {
    /// `add`
    Add,
    /// `sub`
    Sub,
    /// `mul`
    Mul,
}

/// The operation of an atomic read-modify-write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// `add`; no scaling on pointers
    Add,
    /// `sub`
    Sub,
    /// `and`
    And,
    /// `or`
    Or,
    /// `xor`
    Xor,
    /// `nand`
    Nand,
    /// `min`, by the type of the object
    Min,
    /// `max`, by the type of the object
    Max,
    /// `umin`, of unsigned numbers
    UnsignedMin,
    /// `umax`, of unsigned numbers
    UnsignedMax,
}

/// A question about one floating value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatTest {
    /// `isnan`
    IsNan,
    /// `isinf`
    IsInf,
    /// `isinf_sign`: 1, -1 or 0
    IsInfSign,
    /// `isfinite`
    IsFinite,
    /// `isnormal`
    IsNormal,
    /// `signbit`
    SignBit,
}

/// A quiet comparison of two floating values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatCompare {
    /// `isless`
    Less,
    /// `islessequal`
    LessEqual,
    /// `isgreater`
    Greater,
    /// `isgreaterequal`
    GreaterEqual,
    /// `islessgreater`
    LessGreater,
    /// `isunordered`
    Unordered,
}

const OVERFLOW_OPS: [(OverflowOp, &str); 3] =
    [(OverflowOp::Add, "add"), (OverflowOp::Sub, "sub"), (OverflowOp::Mul, "mul")];
const ATOMIC_OPS: [(AtomicOp, &str); 10] = [
    (AtomicOp::Add, "add"),
    (AtomicOp::Sub, "sub"),
    (AtomicOp::And, "and"),
    (AtomicOp::Or, "or"),
    (AtomicOp::Xor, "xor"),
    (AtomicOp::Nand, "nand"),
    (AtomicOp::Min, "min"),
    (AtomicOp::Max, "max"),
    (AtomicOp::UnsignedMin, "umin"),
    (AtomicOp::UnsignedMax, "umax"),
];
const FLOAT_TESTS: [(FloatTest, &str); 6] = [
    (FloatTest::IsNan, "isnan"),
    (FloatTest::IsInf, "isinf"),
    (FloatTest::IsInfSign, "isinf_sign"),
    (FloatTest::IsFinite, "isfinite"),
    (FloatTest::IsNormal, "isnormal"),
    (FloatTest::SignBit, "signbit"),
];
const FLOAT_COMPARES: [(FloatCompare, &str); 6] = [
    (FloatCompare::Less, "isless"),
    (FloatCompare::LessEqual, "islessequal"),
    (FloatCompare::Greater, "isgreater"),
    (FloatCompare::GreaterEqual, "isgreaterequal"),
    (FloatCompare::LessGreater, "islessgreater"),
    (FloatCompare::Unordered, "isunordered"),
];

fn name_in<T: PartialEq>(names: &[(T, &'static str)], item: &T) -> &'static str {
    names.iter().find(|(entry, _)| entry == item).map_or("", |(_, name)| name)
}

impl Builtin {
    /// How it is called in C. The forms for one size (`__sync_fetch_and_add_4`) were brought to the general form by casts.
    #[must_use]
    pub fn name(self, names: &Names) -> Cow<'static, str> {
        let fixed = match self {
            Self::Overflow(op) => {
                return format!("__builtin_{}_overflow", name_in(&OVERFLOW_OPS, &op)).into();
            }
            Self::OverflowPredicate(op) => {
                return format!("__builtin_{}_overflow_p", name_in(&OVERFLOW_OPS, &op)).into();
            }
            Self::FloatTest(test) => return format!("__builtin_{}", name_in(&FLOAT_TESTS, &test)).into(),
            Self::FloatCompare(compare) => {
                return format!("__builtin_{}", name_in(&FLOAT_COMPARES, &compare)).into();
            }
            Self::SyncFetch(op) => return format!("__sync_fetch_and_{}", name_in(&ATOMIC_OPS, &op)).into(),
            Self::SyncOpFetch(op) => return format!("__sync_{}_and_fetch", name_in(&ATOMIC_OPS, &op)).into(),
            Self::AtomicFetch(op) => return format!("__atomic_fetch_{}", name_in(&ATOMIC_OPS, &op)).into(),
            Self::AtomicOpFetch(op) => return format!("__atomic_{}_fetch", name_in(&ATOMIC_OPS, &op)).into(),
            Self::Machine(name) => return names.text(name).to_owned().into(),
            Self::VaStart => "__builtin_va_start",
            Self::VaEnd => "__builtin_va_end",
            Self::VaCopy => "__builtin_va_copy",
            Self::FloatClassify => "__builtin_fpclassify",
            Self::Complex => "__builtin_complex",
            Self::Shuffle => "__builtin_shuffle",
            Self::ShuffleVector => "__builtin_shufflevector",
            Self::ConvertVector => "__builtin_convertvector",
            Self::SpeculationSafeValue => "__builtin_speculation_safe_value",
            Self::SyncBoolCompareAndSwap => "__sync_bool_compare_and_swap",
            Self::SyncValCompareAndSwap => "__sync_val_compare_and_swap",
            Self::SyncLockTestAndSet => "__sync_lock_test_and_set",
            Self::SyncSwap => "__sync_swap",
            Self::SyncLockRelease => "__sync_lock_release",
            Self::SyncSynchronize => "__sync_synchronize",
            Self::AtomicLoadN => "__atomic_load_n",
            Self::AtomicLoad => "__atomic_load",
            Self::AtomicStoreN => "__atomic_store_n",
            Self::AtomicStore => "__atomic_store",
            Self::AtomicExchangeN => "__atomic_exchange_n",
            Self::AtomicExchange => "__atomic_exchange",
            Self::AtomicCompareExchangeN => "__atomic_compare_exchange_n",
            Self::AtomicCompareExchange => "__atomic_compare_exchange",
            Self::AtomicTestAndSet => "__atomic_test_and_set",
            Self::AtomicClear => "__atomic_clear",
            Self::AtomicThreadFence => "__atomic_thread_fence",
            Self::AtomicSignalFence => "__atomic_signal_fence",
        };
        Cow::Borrowed(fixed)
    }
}

/// What a built-in name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownBuiltin {
    /// A function of ordinary type, in the notation of [`table`].
    Ordinary(&'static str),
    /// The twin of a library function whose type [`crate::check::library`] knows.
    Library,
    /// A built-in of any type.
    Generic(Builtin),
    /// The form of a synchronisation built-in for objects of so many bytes.
    Sized(Builtin, u64),
    /// A built-in by its name in clang, `__c11_atomic_…`.
    Clang(Builtin, ClangForm),
    /// A question that is answered at once.
    Question(Question),
}

/// How the arguments of one of clang's built-ins differ from those of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClangForm {
    /// Not at all.
    Same,
    /// There is no order: it is relaxed.
    Relaxed,
    /// An exchange is strong or weak by its name.
    Exchange {
        /// Whether it may fail without a reason.
        weak: bool,
    },
}

/// A question about the program text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// `__builtin_constant_p(e)`
    ConstantP,
    /// `__builtin_classify_type(e)`
    ClassifyType,
    /// `__builtin_LINE()`
    Line,
    /// `__builtin_FILE()`
    File,
    /// `__builtin_FUNCTION()`
    Function,
    /// `__builtin_tgmath(functions…, arguments…)`: a call of the function that fits the arguments.
    TypeGenericMath,
    /// `__atomic_always_lock_free(size, pointer)`
    AlwaysLockFree,
    /// `__builtin_has_attribute(e, attribute)`
    HasAttribute,
}

static KNOWN: LazyLock<FxHashMap<Cow<'static, str>, KnownBuiltin>> = LazyLock::new(all_known);

/// What a name stands for, if it is a built-in's. Library twins and processor built-ins are not listed: see
/// [`Identifiers::known_builtin`].
#[must_use]
pub fn known(name: &str) -> Option<KnownBuiltin> {
    if name.starts_with("__") { KNOWN.get(name).copied() } else { None }
}

impl Identifiers<'_> {
    /// What a name stands for, if it is a built-in's.
    pub fn known_builtin(&mut self, name: Symbol) -> Option<KnownBuiltin> {
        // A name that was used is looked up without asking the tables again.
        if self.known.builtins.contains_key(&name) {
            // Its function is there already; nobody asks for the type again.
            return Some(KnownBuiltin::Library);
        }
        let text = self.tree.ast.text(name);
        if let Some(known) = known(text) {
            return Some(known);
        }
        let stem = text.strip_prefix("__builtin_")?;
        if stem.starts_with("ia32_") {
            return Some(KnownBuiltin::Generic(Builtin::Machine(name)));
        }
        let stem = stem.to_owned();
        self.tree.library_types().library_function(&stem).map(|_| KnownBuiltin::Library)
    }
}

fn all_known() -> FxHashMap<Cow<'static, str>, KnownBuiltin> {
    let mut known: FxHashMap<Cow<'static, str>, KnownBuiltin> = FxHashMap::default();
    for (name, signature) in table::INTRINSICS.iter().chain(table::TWINS) {
        known.insert(format!("__builtin_{name}").into(), KnownBuiltin::Ordinary(signature));
    }
    for (name, signature) in table::PLAIN {
        known.insert(Cow::Borrowed(name), KnownBuiltin::Ordinary(signature));
    }
    for (name, question) in [
        ("__builtin_constant_p", Question::ConstantP),
        ("__builtin_classify_type", Question::ClassifyType),
        ("__builtin_LINE", Question::Line),
        ("__builtin_FILE", Question::File),
        ("__builtin_FUNCTION", Question::Function),
        ("__builtin_tgmath", Question::TypeGenericMath),
        ("__atomic_always_lock_free", Question::AlwaysLockFree),
        ("__builtin_has_attribute", Question::HasAttribute),
    ] {
        known.insert(Cow::Borrowed(name), KnownBuiltin::Question(question));
    }
    let names = Names::new();
    for builtin in generic_builtins() {
        let name = builtin.name(&names);
        // The forms for one size exist for each built-in that works on values.
        if let Some(stem) = sized_stem(builtin, &name) {
            for bytes in [1, 2, 4, 8, 16] {
                known.insert(format!("{stem}_{bytes}").into(), KnownBuiltin::Sized(builtin, bytes));
            }
        }
        // gcc knows the classifications for one type by the names of the old library functions.
        if let Builtin::FloatTest(
            FloatTest::IsNan | FloatTest::IsInf | FloatTest::IsFinite | FloatTest::SignBit,
        ) = builtin
        {
            for suffix in ["f", "l", "d32", "d64", "d128", "f128"] {
                known.insert(format!("{name}{suffix}").into(), KnownBuiltin::Generic(builtin));
            }
        }
        known.insert(name, KnownBuiltin::Generic(builtin));
    }
    for (name, builtin, form) in [
        ("load", Builtin::AtomicLoadN, ClangForm::Same),
        ("store", Builtin::AtomicStoreN, ClangForm::Same),
        ("init", Builtin::AtomicStoreN, ClangForm::Relaxed),
        ("exchange", Builtin::AtomicExchangeN, ClangForm::Same),
        ("compare_exchange_strong", Builtin::AtomicCompareExchangeN, ClangForm::Exchange { weak: false }),
        ("compare_exchange_weak", Builtin::AtomicCompareExchangeN, ClangForm::Exchange { weak: true }),
        ("thread_fence", Builtin::AtomicThreadFence, ClangForm::Same),
        ("signal_fence", Builtin::AtomicSignalFence, ClangForm::Same),
    ] {
        known.insert(format!("__c11_atomic_{name}").into(), KnownBuiltin::Clang(builtin, form));
    }
    for &(op, name) in &ATOMIC_OPS {
        let fetch = KnownBuiltin::Clang(Builtin::AtomicFetch(op), ClangForm::Same);
        known.insert(format!("__c11_atomic_fetch_{name}").into(), fetch);
    }
    known.insert("__builtin_finite".into(), KnownBuiltin::Generic(Builtin::FloatTest(FloatTest::IsFinite)));
    known.insert("__builtin_finitef".into(), KnownBuiltin::Generic(Builtin::FloatTest(FloatTest::IsFinite)));
    known.insert("__builtin_finitel".into(), KnownBuiltin::Generic(Builtin::FloatTest(FloatTest::IsFinite)));
    known.insert("__builtin_stdarg_start".into(), KnownBuiltin::Generic(Builtin::VaStart));
    known
}

/// The name before the size in the forms for one size.
fn sized_stem(builtin: Builtin, name: &str) -> Option<String> {
    match builtin {
        Builtin::SyncFetch(_)
        | Builtin::SyncOpFetch(_)
        | Builtin::SyncBoolCompareAndSwap
        | Builtin::SyncValCompareAndSwap
        | Builtin::SyncLockTestAndSet
        | Builtin::SyncSwap
        | Builtin::SyncLockRelease
        | Builtin::AtomicFetch(_)
        | Builtin::AtomicOpFetch(_) => Some(name.to_owned()),
        Builtin::AtomicLoadN
        | Builtin::AtomicStoreN
        | Builtin::AtomicExchangeN
        | Builtin::AtomicCompareExchangeN => name.strip_suffix("_n").map(str::to_owned),
        _ => None,
    }
}

fn generic_builtins() -> Vec<Builtin> {
    let mut list = vec![
        Builtin::VaStart,
        Builtin::VaEnd,
        Builtin::VaCopy,
        Builtin::FloatClassify,
        Builtin::Complex,
        Builtin::Shuffle,
        Builtin::ShuffleVector,
        Builtin::ConvertVector,
        Builtin::SpeculationSafeValue,
        Builtin::SyncBoolCompareAndSwap,
        Builtin::SyncValCompareAndSwap,
        Builtin::SyncLockTestAndSet,
        Builtin::SyncSwap,
        Builtin::SyncLockRelease,
        Builtin::SyncSynchronize,
        Builtin::AtomicLoadN,
        Builtin::AtomicLoad,
        Builtin::AtomicStoreN,
        Builtin::AtomicStore,
        Builtin::AtomicExchangeN,
        Builtin::AtomicExchange,
        Builtin::AtomicCompareExchangeN,
        Builtin::AtomicCompareExchange,
        Builtin::AtomicTestAndSet,
        Builtin::AtomicClear,
        Builtin::AtomicThreadFence,
        Builtin::AtomicSignalFence,
    ];
    list.extend(
        OVERFLOW_OPS.iter().flat_map(|&(op, _)| [Builtin::Overflow(op), Builtin::OverflowPredicate(op)]),
    );
    list.extend(FLOAT_TESTS.iter().map(|&(test, _)| Builtin::FloatTest(test)));
    list.extend(FLOAT_COMPARES.iter().map(|&(compare, _)| Builtin::FloatCompare(compare)));
    list.extend(ATOMIC_OPS.iter().flat_map(|&(op, _)| {
        [
            Builtin::SyncFetch(op),
            Builtin::SyncOpFetch(op),
            Builtin::AtomicFetch(op),
            Builtin::AtomicOpFetch(op),
        ]
    }));
    list
}
