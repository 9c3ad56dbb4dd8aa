//! Values of literals, and whether gcc agrees.

use super::*;

fn int(text: &str) -> Result<IntegerLiteral, LiteralError> {
    integer(text.as_bytes())
}

fn value(text: &str) -> u128 {
    int(text).unwrap().value
}

#[test]
fn integers_of_every_base() {
    assert_eq!(value("0"), 0);
    assert_eq!(value("42"), 42);
    assert_eq!(value("0x7fFF"), 0x7FFF);
    assert_eq!(value("0755"), 0o755);
    assert_eq!(value("0B101"), 5);
    assert_eq!(value("1\\\n2\\\r\n3"), 123);
    assert!(int("10").unwrap().decimal);
    assert!(!int("0").unwrap().decimal);
    assert!(!int("0xA").unwrap().decimal);
}

#[test]
fn integer_suffixes() {
    let suffixes = |text: &str| int(text).map(|i| (i.unsigned, i.longs, i.imaginary));
    assert_eq!(suffixes("1uLL"), Ok((true, 2, false)));
    assert_eq!(suffixes("1llu"), Ok((true, 2, false)));
    assert_eq!(suffixes("1Ul"), Ok((true, 1, false)));
    assert_eq!(suffixes("1iu"), Ok((true, 0, true)));
    for bad in ["1lL", "1lul", "1uu", "1lll", "1ij", "1abc", "0x", "0b", "0x1g", "0xe+1", "1f"] {
        assert!(int(bad).unwrap_err().starts_with("invalid suffix"), "{bad}");
    }
    assert_eq!(int("0x").unwrap_err(), "invalid suffix \"x\" on integer constant");
}

#[test]
fn wrong_digits() {
    assert_eq!(int("0b12").unwrap_err(), "invalid digit \"2\" in binary constant");
    assert_eq!(int("0189").unwrap_err(), "invalid digit \"8\" in octal constant");
}

#[test]
fn integers_beyond_64_bits_keep_the_low_ones() {
    let largest = int("18446744073709551615").unwrap();
    assert_eq!((largest.value, largest.too_large), (u128::from(u64::MAX), false));
    let beyond = int("18446744073709551616").unwrap();
    assert_eq!((beyond.value, beyond.too_large), (0, true));
    // The figure that gcc prints for it.
    let nines = int("99999999999999999999999999999999999999999999999").unwrap();
    assert_eq!((nines.value, nines.too_large), (6_450_984_253_743_169_535, true));
    assert!(!int("0xffffffffffffffff").unwrap().too_large);
    assert!(int("0x1ffffffffffffffff").unwrap().too_large);
}

fn real(text: &str) -> f64 {
    float(text.as_bytes()).unwrap().value
}

#[test]
#[expect(clippy::float_cmp, reason = "the values must be exact")]
fn floats() {
    assert_eq!(real("1."), 1.0);
    assert_eq!(real(".5"), 0.5);
    assert_eq!(real("0.1"), 0.1);
    assert_eq!(real("0.1f"), f64::from(0.1_f32));
    assert_eq!(real("09e1"), 90.0);
    assert_eq!(real("1e-320"), 1e-320);
    assert_eq!(real("1e400"), f64::INFINITY);
    assert_eq!(float(b"1.5e3L").unwrap().spelling, "1.5e3");
}

#[test]
#[expect(clippy::float_cmp, reason = "the values must be exact")]
fn hexadecimal_floats() {
    assert_eq!(real("0x1p0"), 1.0);
    assert_eq!(real("0x.8p1"), 1.0);
    assert_eq!(real("0xA.8P-1"), 5.25);
    assert_eq!(real("0x1.fffffffffffffp1023"), f64::MAX);
    assert_eq!(real("0x1p1024"), f64::INFINITY);
    assert_eq!(real("0x1.fffffffffffff8p1023"), f64::INFINITY);
    assert_eq!(real("0x1p-1074"), f64::from_bits(1));
    assert_eq!(real("0x1p-1075"), 0.0);
    assert_eq!(real("0x1.8p-1075"), f64::from_bits(1));
    assert_eq!(real("0x1.000001p0f"), 1.0);
    assert_eq!(real("0x1.0000011p0f"), f64::from(1.0_f32 + f32::EPSILON));
    assert_eq!(real("0x0.0p9999999999999999999999"), 0.0);
    assert_eq!(real("0x1p99999999999999999999999"), f64::INFINITY);
    assert_eq!(real("0x1.00000000000008p0"), 1.0);
    assert_eq!(real("0x1.000000000000080000000000000000000000000000000001p0"), 1.0 + f64::EPSILON);
    assert_eq!(real("0x10000000000000000000000000000000000000000p-160"), 1.0);
    assert_eq!(real("0x1.fffffffp127f"), f64::INFINITY);
}

#[test]
fn hexadecimal_floats_agree_with_decimal_ones() {
    // Every double has an exact hexadecimal spelling; printing it and reading it back is the identity.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..2_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = f64::from_bits(state & !(1 << 63));
        if !number.is_finite() {
            continue;
        }
        let (exponent, fraction) = (state >> 52 & 0x7FF, state & ((1 << 52) - 1));
        let spelled = if exponent == 0 {
            format!("0x0.{fraction:013x}p-1022")
        } else {
            format!("0x1.{fraction:013x}p{}", i64::try_from(exponent).unwrap() - 1023)
        };
        assert_eq!(real(&spelled).to_bits(), number.to_bits(), "{spelled}");
    }
}

#[test]
fn float_suffixes() {
    let kind = |text: &str| float(text.as_bytes()).map(|f| (f.kind, f.imaginary));
    assert_eq!(kind("1.0"), Ok((FloatKind::Double, false)));
    assert_eq!(kind("1.0fi"), Ok((FloatKind::Float, true)));
    assert_eq!(kind("1.0iF"), Ok((FloatKind::Float, true)));
    assert_eq!(kind("1.0jL"), Ok((FloatKind::LongDouble, true)));
    assert_eq!(kind("1.0q"), Ok((FloatKind::Float128, false)));
    assert_eq!(kind("1.0W"), Ok((FloatKind::Float80, false)));
    assert_eq!(kind("1.0F64x"), Ok((FloatKind::Float64x, false)));
    assert_eq!(kind("1.0f16"), Ok((FloatKind::Float16, false)));
    assert_eq!(kind("1.0DD"), Ok((FloatKind::Decimal64, false)));
    assert_eq!(kind("0x1.8p0f"), Ok((FloatKind::Float, false)));
    for bad in ["1.0dF", "1.0dfi", "1.0ll", "1.0lf", "1.0f80", "1.0fq", "1.0k", "1.0f128x", "0x1.0p1df"] {
        assert!(kind(bad).is_err(), "{bad}");
    }
    assert_eq!(kind("1e").unwrap_err(), "exponent has no digits");
    assert_eq!(kind("0x1p+").unwrap_err(), "exponent has no digits");
    assert_eq!(kind("0x1.0").unwrap_err(), "hexadecimal floating constants require an exponent");
    assert_eq!(kind("1.2.3").unwrap_err(), "too many decimal points in number");
    assert_eq!(kind("0x.p1").unwrap_err(), "no digits in hexadecimal floating constant");
    assert_eq!(kind("0b1.0").unwrap_err(), "invalid prefix \"0b\" for floating constant");
}

fn char_value(text: &str) -> Result<i128, LiteralError> {
    character(text.as_bytes(), DataModel::Lp64).map(|(_, value)| value)
}

#[test]
fn characters() {
    assert_eq!(char_value("'a'"), Ok(97));
    assert_eq!(char_value("'\\n'"), Ok(10));
    assert_eq!(char_value("'\\e'"), Ok(27));
    assert_eq!(char_value("'\\''"), Ok(39));
    assert_eq!(char_value("'\\377'"), Ok(-1));
    assert_eq!(char_value("'\\xff'"), Ok(-1));
    assert_eq!(char_value("'\\x1ff'"), Ok(-1));
    assert_eq!(char_value("'\\q'"), Ok(113));
    assert_eq!(char_value("'ab'"), Ok(0x6162));
    assert_eq!(char_value("'abcde'"), Ok(0x6263_6465));
    assert_eq!(char_value("'\\377\\377\\377\\377'"), Ok(-1));
    assert_eq!(char_value("'é'"), Ok(0xC3A9));
    assert_eq!(char_value("L'é'"), Ok(0xE9));
    assert_eq!(char_value("L'\\xffffffff'"), Ok(-1));
    assert_eq!(char_value("U'\\xffffffff'"), Ok(0xFFFF_FFFF));
    assert_eq!(char_value("u'\\x12345'"), Ok(0x2345));
    assert_eq!(char_value("u'ab'"), Ok(98));
    assert_eq!(char_value("u'\\U0001F600'"), Ok(0xDE00));
    assert_eq!(char_value("U'😀'"), Ok(0x1F600));
    assert_eq!(char_value("'\\\\\n0'"), Ok(0));
    assert_eq!(char_value("''").unwrap_err(), "empty character constant");
}

fn text(pieces: &[&str]) -> Result<(Encoding, Vec<u32>), LiteralError> {
    let pieces: Vec<&[u8]> = pieces.iter().map(|piece| piece.as_bytes()).collect();
    string(&pieces, DataModel::Lp64).map(|literal| (literal.encoding, literal.units.into_vec()))
}

fn codes(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

#[test]
fn strings() {
    assert_eq!(text(&["\"ab\"", "\"c\\0d\""]), Ok((Encoding::Plain, codes("abc\0d"))));
    assert_eq!(text(&["\"a\\\nb\""]), Ok((Encoding::Plain, codes("ab"))));
    assert_eq!(text(&["\"\""]), Ok((Encoding::Plain, vec![])));
    // An escape ends with its piece.
    assert_eq!(text(&["\"\\x1\"", "\"2\""]), Ok((Encoding::Plain, vec![1, 0x32])));
    assert_eq!(text(&["\"é\""]), Ok((Encoding::Plain, vec![0xC3, 0xA9])));
    assert_eq!(text(&["u8\"\\u00e9\"", "\"x\""]), Ok((Encoding::Utf8, vec![0xC3, 0xA9, 0x78])));
    assert_eq!(text(&["\"é\"", "L\"x\""]), Ok((Encoding::Wide, vec![0xE9, 0x78])));
    assert_eq!(text(&["u\"😀\""]), Ok((Encoding::Utf16, vec![0xD83D, 0xDE00])));
    assert_eq!(text(&["U\"😀\""]), Ok((Encoding::Utf32, vec![0x1F600])));
    assert_eq!(text(&["R\"x(a\\n)\")x\""]), Ok((Encoding::Plain, codes("a\\n)\""))));
    assert_eq!(text(&["LR\"(a\r\nb\\\nc)\""]), Ok((Encoding::Wide, codes("a\nb\\\nc"))));
}

#[test]
fn strings_that_gcc_rejects() {
    assert!(text(&["u\"a\"", "L\"b\""]).unwrap_err().contains("different prefixes"));
    assert!(text(&["\"x\"", "u8\"y\"", "L\"z\""]).is_err());
    assert_eq!(text(&["\"\\xg\""]).unwrap_err(), "\\x used with no following hex digits");
    assert_eq!(text(&["\"\\u12\""]).unwrap_err(), "incomplete universal character name \\u12");
    assert_eq!(text(&["\"\\u0041\""]).unwrap_err(), "\\u0041 is not a valid universal character");
    assert_eq!(text(&["\"\\ud800\""]).unwrap_err(), "\\ud800 is not a valid universal character");
    assert!(string(&[b"L\"\xff\""], DataModel::Lp64).is_err());
    assert!(string(&[b"\"\xff\""], DataModel::Lp64).is_ok());
}

/// Draws from a fixed sequence, so that every run tests the same.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn one<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn some(&mut self, most: usize, choices: &[&str]) -> String {
        (0..self.below(most + 1)).map(|_| self.one(choices)).collect()
    }
}

const DIGITS: &[&str] = &["0", "1", "2", "7", "8", "9", "00", "4294967295", "36028797018963967"];
const HEX_DIGITS: &[&str] = &["0", "1", "8", "a", "F", "fff", "80000000", "123456789abcdef"];
const SUFFIXES: &[&str] =
    &["", "", "u", "U", "l", "L", "ll", "LL", "lL", "i", "j", "f", "F", "d", "x", "q", "w", "z"];
const FLOAT_SUFFIXES: &[&str] = &[
    "", "", "f", "F", "l", "L", "i", "f16", "f32", "f64", "f128", "f32x", "f64x", "df", "DD", "dl", "dF",
    "w", "Q", "h",
];
const CHARACTERS: &[&str] = &[
    "a",
    "Z",
    "0",
    "9",
    "-",
    "é",
    "→",
    "😀",
    "\\n",
    "\\0",
    "\\12",
    "\\377",
    "\\400",
    "\\x7",
    "\\xff",
    "\\x1fff",
    "\\e",
    "\\q",
    "\\?",
    "\\\\",
    "\\\"",
    "\\'",
    "\\u00e9",
    "\\U0001F600",
    "\\u0041",
    "\\u12",
    "\\ud800",
    "\\x",
    "\\\n",
    "\\8",
];

fn random_literal(draw: &mut Draw) -> String {
    match draw.below(5) {
        0 => {
            let base = draw.one(&["", "0", "0x", "0X", "0b", "0B"]);
            let digits = if base.ends_with(['x', 'X']) { HEX_DIGITS } else { DIGITS };
            let first = if base.is_empty() { draw.one(&["1", "3", "18", "9"]) } else { "" };
            format!("{base}{first}{}{}", draw.some(3, digits), draw.some(2, SUFFIXES))
        }
        1 => {
            let (digits, exponent) =
                (draw.some(2, DIGITS), draw.some(1, &["e5", "E-7", "e+30", "e", "e-320", "e308"]));
            let point = draw.one(&[".", ".", ".", "..5"]);
            format!("1{digits}{point}{}{exponent}{}", draw.some(2, DIGITS), draw.some(2, FLOAT_SUFFIXES))
        }
        2 => {
            let exponent = draw.one(&["p0", "P-3", "p+12", "p-1060", "p-140", "p", "", "p1000"]);
            let (whole, fraction) = (draw.some(2, HEX_DIGITS), draw.some(2, HEX_DIGITS));
            format!("0x{whole}.{fraction}{exponent}{}", draw.some(1, FLOAT_SUFFIXES))
        }
        3 => format!("{}'{}'", draw.one(&["", "", "L", "u", "U"]), draw.some(3, CHARACTERS)),
        _ => {
            let piece = |draw: &mut Draw| {
                format!("{}\"{}\"", draw.one(&["", "", "", "L", "u", "U", "u8"]), draw.some(4, CHARACTERS))
            };
            let pieces: Vec<String> = (0..=draw.below(3)).map(|_| piece(draw)).collect();
            pieces.join(" ")
        }
    }
}

/// What we make of a literal, as a call that checks it in C; an error if we reject it.
fn as_check(number: usize, literal: &str) -> Result<String, LiteralError> {
    let bytes = literal.as_bytes();
    if literal.ends_with('"') {
        // No piece holds `" ` inside.
        let pieces: Vec<&[u8]> =
            literal.split_inclusive("\" ").map(|piece| piece.trim_end().as_bytes()).collect();
        let value = string(&pieces, DataModel::Lp64)?;
        let units: Vec<String> = value.units.iter().chain([&0]).map(|unit| format!("{unit}u")).collect();
        let units = units.join(",");
        return Ok(format!("{{ unsigned e[] = {{{units}}}; STRING({number}, e, {literal}); }}"));
    }
    if literal.ends_with('\'') {
        let (_, value) = character(bytes, DataModel::Lp64)?;
        return Ok(format!("CHECK({number}, (long long)({literal}) == {value}ll);"));
    }
    if literal.contains('.') {
        let value = float(bytes)?;
        let bits = value.value.to_bits();
        let compared = if value.kind == FloatKind::Float {
            format!("(double)(float)({literal})")
        } else {
            literal.into()
        };
        let comparable = !value.imaginary && matches!(value.kind, FloatKind::Double | FloatKind::Float);
        return Ok(if comparable {
            format!("DOUBLE({number}, {compared}, {bits}ull);")
        } else {
            String::new()
        });
    }
    let value = integer(bytes)?;
    if value.imaginary {
        return Ok(String::new());
    }
    Ok(format!("CHECK({number}, (unsigned long long)({literal}) == {}ull);", value.value))
}

const CHECKS: &str = "
#include <stdio.h>
#include <string.h>
static int failed;
#define CHECK(n, condition) do { if (!(condition)) { printf(\"%d \", n); failed = 1; } } while (0)
#define DOUBLE(n, literal, bits) do { double d = literal; unsigned long long b = bits; CHECK(n, !memcmp(&d, &b, 8)); } \\
    while (0)
#define STRING(n, e, literal) do { __typeof__(literal) a; __builtin_memcpy(a, literal, sizeof a); \\
    CHECK(n, sizeof a / sizeof *a == sizeof e / sizeof *e); \\
    for (unsigned i = 0; i < sizeof e / sizeof *e; i++) \\
        CHECK(n, ((unsigned)a[i] & (unsigned)((1ull << 8 * sizeof *a) - 1)) == e[i]); } while (0)
int main(void) {
";

/// The literals that gcc rejects are those that we reject, and the values of the others are equal.
#[test]
#[expect(clippy::disallowed_methods, reason = "asks the compiler for its opinion")]
fn gcc_agrees() {
    use std::process::Command;
    let directory = std::env::temp_dir().join(format!("raddle-literals-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let source = directory.join("literals.c");
    let mut draw = Draw(7);
    let literals: Vec<String> = (0..3_000).map(|_| random_literal(&mut draw)).collect();

    let single_lines: String =
        literals.iter().map(|text| format!("int x[sizeof({})];\n", text.replace("\\\n", ""))).collect();
    std::fs::write(&source, single_lines).unwrap();
    let syntax =
        Command::new("cc").args(["-fsyntax-only", "-w"]).arg(&source).env("LC_ALL", "C").output().unwrap();
    let said = String::from_utf8_lossy(&syntax.stderr).into_owned();
    let mut rejected = vec![false; literals.len()];
    for line in said.lines().filter(|line| line.contains(" error: ")) {
        let number: usize =
            line.rsplit("literals.c:").next().unwrap().split(':').next().unwrap().parse().unwrap();
        rejected[number - 1] = true;
    }
    let mut program = CHECKS.to_owned();
    for (number, literal) in literals.iter().enumerate() {
        let ours = as_check(number, literal);
        assert_eq!(ours.is_err(), rejected[number], "{literal}: {ours:?}");
        program.push_str(&ours.unwrap_or_default());
        program.push('\n');
    }
    program.push_str("return failed; }\n");
    std::fs::write(&source, program).unwrap();
    let binary = directory.join("literals");
    let compiled = Command::new("cc").arg("-w").arg(&source).arg("-o").arg(&binary).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&binary).output().unwrap();
    let wrong = String::from_utf8_lossy(&ran.stdout).into_owned();
    let wrong: Vec<&String> =
        wrong.split_whitespace().map(|number| &literals[number.parse::<usize>().unwrap()]).collect();
    assert!(ran.status.success(), "{wrong:?}");
    assert!(rejected.iter().filter(|&&rejected| rejected).count() > 500, "the sample is lively");
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn constants_of_long_double_lie_between_two_decimals() {
    let double = |text: &str| {
        let (below, above) = around_extended(text).unwrap();
        let (below, above): (f64, f64) = (below.parse().unwrap(), above.parse().unwrap());
        (below.to_bits() == above.to_bits()).then_some(below)
    };
    assert_eq!(double("1.79769313486231570814527423731704357e+308"), Some(f64::MAX));
    assert_eq!(double("2.22507385850720138309023271733240406e-308"), Some(f64::MIN_POSITIVE));
    assert_eq!(double("2.22044604925031308084726333618164062e-16"), Some(f64::EPSILON));
    assert_eq!(double("4.94065645841246544176568792868221372e-324"), Some(f64::from_bits(1)));
    assert_eq!(double("0.0"), Some(0.0));
    assert_eq!(double("100"), Some(100.0));
    assert_eq!(double(".5"), Some(0.5));
    // Half way between two numbers of type `double`, or too near to be distinguished.
    assert_eq!(double("9007199254740993.0"), None);
    assert_eq!(double("9007199254740993.0000000001"), None);
    assert_eq!(around_extended("0x1.8p3"), None);
}
