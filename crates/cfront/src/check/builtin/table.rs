//! Built-ins of ordinary type.
//!
//! A signature is a list of types between blanks: the result, then the parameters. `i l L` are `int`, `long` and `long long`;
//! `u` before them is unsigned; `b c s` are `_Bool`, `char` and `short`; `z` and `t` are `size_t` and `ptrdiff_t`; `h w W O` are
//! the unsigned types of 16, 32, 64 and 128 bits; `wc wi` are `wchar_t` and `wint_t`; `f d D q` the floating types with `x` before
//! them for complex; `v` is `void`; `a` is a `va_list`; `*` is a pointer to what follows, `k` before a target is `const`;
//! `.` stands for `...`, and `()` for an unchecked parameter list. `FILE` is `void` here, as gcc has no better idea of it.

use crate::check::LibraryTypes;
use crate::check::conversion::arithmetic::{int_type, unsigned_of};
use crate::layout::DataModel;
use crate::types::{FloatKind, FunctionType, IntKind, QualType, Qualifiers, Type, TypeId, Types};

/// `__builtin_…` that no library has.
pub const INTRINSICS: &[(&str, &str)] = &[
    ("expect", "l l l"),
    ("expect_with_probability", "l l l d"),
    ("unreachable", "v"),
    ("trap", "v"),
    ("prefetch", "v *kv ."),
    ("assume_aligned", "*v *kv z ."),
    ("object_size", "z *kv i"),
    ("dynamic_object_size", "z *kv i"),
    ("frame_address", "*v ui"),
    ("return_address", "*v ui"),
    ("extract_return_addr", "*v *v"),
    ("frob_return_addr", "*v *v"),
    ("dwarf_cfa", "*v"),
    ("eh_return_data_regno", "i i"),
    ("unwind_init", "v"),
    ("alloca_with_align", "*v z z"),
    ("alloca_with_align_and_max", "*v z z z"),
    ("stack_save", "*v"),
    ("stack_restore", "v *v"),
    ("va_arg_pack", "i"),
    ("va_arg_pack_len", "i"),
    ("next_arg", "*v ."),
    ("saveregs", "*v ."),
    ("apply_args", "*v ."),
    ("apply", "*v *v *v z"),
    ("return", "v *v"),
    ("setjmp", "i *v"),
    ("longjmp", "v *v i"),
    ("clear_padding", "v *v"),
    ("__clear_cache", "v *v *v"),
    ("thread_pointer", "*v"),
    ("cpu_init", "i"),
    ("cpu_supports", "i *kc"),
    ("cpu_is", "i *kc"),
    ("clz", "i ui"),
    ("clzl", "i ul"),
    ("clzll", "i uL"),
    ("ctz", "i ui"),
    ("ctzl", "i ul"),
    ("ctzll", "i uL"),
    ("popcount", "i ui"),
    ("popcountl", "i ul"),
    ("popcountll", "i uL"),
    ("parity", "i ui"),
    ("parityl", "i ul"),
    ("parityll", "i uL"),
    ("clrsb", "i i"),
    ("clrsbl", "i l"),
    ("clrsbll", "i L"),
    ("bswap16", "h h"),
    ("bswap32", "w w"),
    ("bswap64", "W W"),
    ("bswap128", "O O"),
    ("sadd_overflow", "b i i *i"),
    ("saddl_overflow", "b l l *l"),
    ("saddll_overflow", "b L L *L"),
    ("uadd_overflow", "b ui ui *ui"),
    ("uaddl_overflow", "b ul ul *ul"),
    ("uaddll_overflow", "b uL uL *uL"),
    ("ssub_overflow", "b i i *i"),
    ("ssubl_overflow", "b l l *l"),
    ("ssubll_overflow", "b L L *L"),
    ("usub_overflow", "b ui ui *ui"),
    ("usubl_overflow", "b ul ul *ul"),
    ("usubll_overflow", "b uL uL *uL"),
    ("smul_overflow", "b i i *i"),
    ("smull_overflow", "b l l *l"),
    ("smulll_overflow", "b L L *L"),
    ("umul_overflow", "b ui ui *ui"),
    ("umull_overflow", "b ul ul *ul"),
    ("umulll_overflow", "b uL uL *uL"),
    ("inf", "d"),
    ("inff", "f"),
    ("infl", "D"),
    ("inff128", "q"),
    ("infd32", "d"),
    ("huge_val", "d"),
    ("huge_valf", "f"),
    ("huge_vall", "D"),
    ("huge_valf128", "q"),
    ("huge_valq", "q"),
    ("infq", "q"),
    ("huge_valf32", "F32"),
    ("huge_valf64", "F64"),
    ("huge_valf32x", "F32x"),
    ("huge_valf64x", "F64x"),
    ("inff32", "F32"),
    ("inff64", "F64"),
    ("inff32x", "F32x"),
    ("inff64x", "F64x"),
    ("nanf32", "F32 *kc"),
    ("nanf64", "F64 *kc"),
    ("nanf32x", "F32x *kc"),
    ("nanf64x", "F64x *kc"),
    ("nansf32", "F32 *kc"),
    ("nansf64", "F64 *kc"),
    ("nansf32x", "F32x *kc"),
    ("nansf64x", "F64x *kc"),
    ("nansf128", "q *kc"),
    ("nans", "d *kc"),
    ("nansf", "f *kc"),
    ("nansl", "D *kc"),
    ("nanf128", "q *kc"),
    ("nanq", "q *kc"),
    ("nansq", "q *kc"),
    ("fabsf128", "q q"),
    ("fabsq", "q q"),
    ("copysignf128", "q q q"),
    ("copysignq", "q q q"),
    ("fabsf32", "F32 F32"),
    ("fabsf64", "F64 F64"),
    ("fabsf32x", "F32x F32x"),
    ("fabsf64x", "F64x F64x"),
    ("copysignf32", "F32 F32 F32"),
    ("copysignf64", "F64 F64 F64"),
    ("copysignf32x", "F32x F32x F32x"),
    ("copysignf64x", "F64x F64x F64x"),
    ("powi", "d d i"),
    ("powif", "f f i"),
    ("powil", "D D i"),
    ("__memcpy_chk", "*v *v *kv z z"),
    ("__memmove_chk", "*v *v *kv z z"),
    ("__mempcpy_chk", "*v *v *kv z z"),
    ("__memset_chk", "*v *v i z z"),
    ("__stpcpy_chk", "*c *c *kc z"),
    ("__stpncpy_chk", "*c *c *kc z z"),
    ("__strcat_chk", "*c *c *kc z"),
    ("__strcpy_chk", "*c *c *kc z"),
    ("__strncat_chk", "*c *c *kc z z"),
    ("__strncpy_chk", "*c *c *kc z z"),
    ("__snprintf_chk", "i *c z i z *kc ."),
    ("__sprintf_chk", "i *c i z *kc ."),
    ("__vsnprintf_chk", "i *c z i z *kc a"),
    ("__vsprintf_chk", "i *c i z *kc a"),
    ("__fprintf_chk", "i *v i *kc ."),
    ("__printf_chk", "i i *kc ."),
    ("__vfprintf_chk", "i *v i *kc a"),
    ("__vprintf_chk", "i i *kc a"),
];

/// Built-ins whose name stands as it is.
pub const PLAIN: &[(&str, &str)] = &[
    ("__atomic_is_lock_free", "b z *kVv"),
    ("__c11_atomic_is_lock_free", "b z"),
    ("__atomic_feraiseexcept", "v i"),
];

/// Library functions that only their built-in twins are known by here; [`crate::check::library`] has the others.
pub const TWINS: &[(&str, &str)] = &[
    ("modff", "f f *f"),
    ("modfl", "D D *D"),
    ("remquo", "d d d *i"),
    ("remquof", "f f f *i"),
    ("remquol", "D D D *i"),
    ("cabs", "d xd"),
    ("cabsf", "f xf"),
    ("cabsl", "D xD"),
    ("carg", "d xd"),
    ("cargf", "f xf"),
    ("cargl", "D xD"),
    ("creal", "d xd"),
    ("crealf", "f xf"),
    ("creall", "D xD"),
    ("cimag", "d xd"),
    ("cimagf", "f xf"),
    ("cimagl", "D xD"),
    ("conj", "xd xd"),
    ("conjf", "xf xf"),
    ("conjl", "xD xD"),
    ("cexp", "xd xd"),
    ("csqrt", "xd xd"),
    ("cpow", "xd xd xd"),
    ("sincos", "v d *d *d"),
    ("sincosf", "v f *f *f"),
    ("sincosl", "v D *D *D"),
    ("lgamma_r", "d d *i"),
];

/// Whether a name is that of a built-in no library has: it can only be called.
#[must_use]
pub fn is_intrinsic(name: &str) -> bool {
    let stem = name.strip_prefix("__builtin_");
    stem.is_some_and(|stem| INTRINSICS.iter().any(|(known, _)| *known == stem))
}

impl LibraryTypes<'_> {
    /// The function type of a signature.
    pub(crate) fn signature_type(&mut self, signature: &str) -> TypeId {
        let mut words = signature.split(' ');
        let result = words.next().map_or(Types::void(), |word| self.signature_part(word).id);
        let mut parameters = Vec::new();
        let (mut variadic, mut prototype) = (false, true);
        for word in words {
            match word {
                "." => variadic = true,
                "()" => prototype = false,
                word => parameters.push(self.signature_part(word)),
            }
        }
        let function =
            FunctionType { result: result.into(), parameters: parameters.into(), variadic, prototype };
        self.ast.types.intern(Type::Function(function))
    }

    fn signature_part(&mut self, word: &str) -> QualType {
        if let Some(target) = word.strip_prefix('*') {
            let target = self.signature_part(target);
            return self.ast.types.pointer_to(target).into();
        }
        if let Some(target) = word.strip_prefix('k') {
            return self.signature_part(target).with(Qualifiers::CONST);
        }
        if let Some(target) = word.strip_prefix('V') {
            return self.signature_part(target).with(Qualifiers::VOLATILE);
        }
        let id = match word {
            "v" => Types::void(),
            "a" => Types::va_list(),
            "f" => Types::float(),
            "d" => Types::double(),
            "D" => Types::long_double(),
            "q" => self.ast.types.intern(Type::Float(FloatKind::Float128)),
            "F32" => self.ast.types.intern(Type::Float(FloatKind::Float32)),
            "F64" => self.ast.types.intern(Type::Float(FloatKind::Float64)),
            "F32x" => self.ast.types.intern(Type::Float(FloatKind::Float32x)),
            "F64x" => self.ast.types.intern(Type::Float(FloatKind::Float64x)),
            "xf" => self.ast.types.intern(Type::Complex(FloatKind::Float)),
            "xd" => self.ast.types.intern(Type::Complex(FloatKind::Double)),
            "xD" => self.ast.types.intern(Type::Complex(FloatKind::LongDouble)),
            word => int_type(integer_word(word, self.ast.model)),
        };
        id.into()
    }
}

fn integer_word(word: &str, model: DataModel) -> IntKind {
    match word {
        "b" => IntKind::Bool,
        "c" => IntKind::Char,
        "s" => IntKind::Short,
        "l" => IntKind::Long,
        "L" => IntKind::LongLong,
        "z" => model.size_type(),
        "t" => model.difference_type(),
        "h" => IntKind::UnsignedShort,
        "w" | "wi" => IntKind::UnsignedInt,
        "W" if model.int_bytes(IntKind::Long) == 8 => IntKind::UnsignedLong,
        "W" => IntKind::UnsignedLongLong,
        "O" => IntKind::UnsignedInt128,
        "wc" => model.wide_char(),
        _ => match word.strip_prefix('u') {
            Some(signed) if !signed.is_empty() => unsigned_of(integer_word(signed, model)),
            _ => IntKind::Int,
        },
    }
}
