//! What programs ask of the outside: formatted output, mathematics.

use raddle_ir::{Intrinsic, MathFunction};

use crate::memory::{Fault, Memory};
use crate::observe::{Observer, Stream};
use crate::printf;
use crate::value::{Value, mask, to_f64};

/// Carries out a service and gives its result.
pub(crate) fn call(
    memory: &mut Memory,
    pointer_bits: u8,
    which: Intrinsic,
    arguments: &[Value],
    observer: &mut impl Observer,
) -> Result<Value, Fault> {
    match (which, arguments) {
        (Intrinsic::PrintOut, [format, area]) => {
            print(memory, pointer_bits, *format, *area, Stream::Out, observer)
        }
        (Intrinsic::PrintError, [format, area]) => {
            print(memory, pointer_bits, *format, *area, Stream::Error, observer)
        }
        (Intrinsic::PrintBuffer, [buffer, capacity, format, area]) => {
            let text = printf::format(memory, pointer_bits, *format, *area)?;
            let room = usize::try_from(capacity.low()).unwrap_or(usize::MAX);
            if let Some(most) = room.checked_sub(1) {
                let bytes = text.iter().take(most).copied().chain(std::iter::once(0));
                for (byte, place) in bytes.zip(0_u128..) {
                    let address = Value {
                        bits: buffer.bits.wrapping_add(place) & mask(pointer_bits),
                        origin: buffer.origin,
                    };
                    let spot = memory.resolve(address, 1)?;
                    if memory.object(spot.origin).is_some_and(|object| object.read_only) {
                        return Err(Fault::ReadOnly(spot.origin));
                    }
                    memory.write(spot, 1, Value::plain(byte.into()));
                }
            }
            Ok(length(&text))
        }
        (Intrinsic::PutByte, [stream, byte]) => {
            let stream = if stream.bits == 2 { Stream::Error } else { Stream::Out };
            observer.output(stream, &byte.bits.to_le_bytes()[..1]);
            Ok(*byte)
        }
        (Intrinsic::Math(function), operands) => {
            let operand = |place: usize| operands.get(place).map_or(0.0, |value| to_f64(value.bits));
            Ok(Value::plain(math(function, operand(0), operand(1)).to_bits().into()))
        }
        // The validator has counted the arguments.
        (Intrinsic::PrintOut | Intrinsic::PrintError | Intrinsic::PrintBuffer | Intrinsic::PutByte, _) => {
            Err(Fault::Wild)
        }
    }
}

fn print(
    memory: &Memory,
    pointer_bits: u8,
    format: Value,
    area: Value,
    stream: Stream,
    observer: &mut impl Observer,
) -> Result<Value, Fault> {
    let text = printf::format(memory, pointer_bits, format, area)?;
    observer.output(stream, &text);
    Ok(length(&text))
}

fn length(text: &[u8]) -> Value {
    Value::plain(u128::try_from(text.len()).unwrap_or(0) & mask(32))
}

fn math(function: MathFunction, x: f64, y: f64) -> f64 {
    match function {
        MathFunction::Sin => x.sin(),
        MathFunction::Cos => x.cos(),
        MathFunction::Tan => x.tan(),
        MathFunction::Atan => x.atan(),
        MathFunction::Atan2 => x.atan2(y),
        MathFunction::Exp => x.exp(),
        MathFunction::Log => x.ln(),
        MathFunction::Pow => x.powf(y),
        MathFunction::Floor => x.floor(),
        MathFunction::Ceil => x.ceil(),
        MathFunction::Fmod => x % y,
        MathFunction::Round => x.round(),
        MathFunction::Trunc => x.trunc(),
    }
}
