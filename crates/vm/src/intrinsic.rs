//! What programs ask of the outside: output, and what of mathematics has no simple definition in bits.

use raddle_ir::{Intrinsic, MathFunction};

use crate::observe::{Observer, Stream};
use crate::printf::Directive;
use crate::value::{Value, mask, signed, to_f64};

/// Carries out a service and gives the bits of its result.
pub(crate) fn call(which: Intrinsic, arguments: &[Value], observer: &mut impl Observer) -> u128 {
    let bits = |place: usize| arguments.get(place).map_or(0, |value| value.bits);
    let int = |place: usize| signed(bits(place) & mask(32), 32);
    let float = |place: usize| to_f64(bits(place));
    let mut put = |text: &[u8]| {
        match bits(0) {
            1 => observer.output(Stream::Out, text),
            2 => observer.output(Stream::Error, text),
            _ => {}
        }
        text.len() as u128
    };
    match which {
        Intrinsic::PutByte => {
            put(&bits(1).to_le_bytes()[..1]);
            bits(1)
        }
        Intrinsic::PutInteger => put(&Directive::new(bits(1), int(2), int(3)).integer(bits(4))),
        Intrinsic::PutFloat => put(&Directive::new(bits(1), int(2), int(3)).float(float(4))),
        Intrinsic::PutPointer => put(&Directive::new(bits(1), int(2), -1).pointer(bits(3))),
        Intrinsic::FloatByte => {
            let text = Directive::new(bits(0), int(1), int(2)).float(float(3));
            let byte = usize::try_from(bits(4)).ok().and_then(|index| text.get(index).copied());
            byte.map_or(mask(32), u128::from)
        }
        // Rust reads decimal numbers as IEEE wants it: the nearest one, ties to even.
        Intrinsic::Decimal => {
            let text = format!("{}e{}", bits(0) & mask(64), int(1));
            text.parse::<f64>().unwrap_or(f64::NAN).to_bits().into()
        }
        Intrinsic::Math(function) => math(function, float(0), float(1), float(2)).to_bits().into(),
    }
}

fn math(function: MathFunction, x: f64, y: f64, z: f64) -> f64 {
    match function {
        MathFunction::Sin => x.sin(),
        MathFunction::Cos => x.cos(),
        MathFunction::Tan => x.tan(),
        MathFunction::Asin => x.asin(),
        MathFunction::Acos => x.acos(),
        MathFunction::Atan => x.atan(),
        MathFunction::Atan2 => x.atan2(y),
        MathFunction::Sinh => x.sinh(),
        MathFunction::Cosh => x.cosh(),
        MathFunction::Tanh => x.tanh(),
        MathFunction::Asinh => x.asinh(),
        MathFunction::Acosh => x.acosh(),
        MathFunction::Atanh => x.atanh(),
        MathFunction::Exp => x.exp(),
        MathFunction::Exp2 => x.exp2(),
        MathFunction::Expm1 => x.exp_m1(),
        MathFunction::Log => x.ln(),
        MathFunction::Log1p => x.ln_1p(),
        MathFunction::Log2 => x.log2(),
        MathFunction::Log10 => x.log10(),
        MathFunction::Pow => x.powf(y),
        MathFunction::Cbrt => x.cbrt(),
        MathFunction::Hypot => x.hypot(y),
        MathFunction::Fmod => x % y,
        MathFunction::Fma => x.mul_add(y, z),
        MathFunction::FmaSingle => f64::from(single(x).mul_add(single(y), single(z))),
    }
}

/// A number that was single precision before it came here.
#[expect(clippy::cast_possible_truncation, reason = "nothing is lost")]
fn single(value: f64) -> f32 {
    value as f32
}
