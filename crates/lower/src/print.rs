//! `printf` and its kin with a format that is a literal: taken apart here, so that no engine has to walk through it.
//!
//! Each conversion becomes a call of the model that also walks through formats at run time (`models/print.c`): it reads the
//! argument, and what that points to, by instructions of its own. A format that is no literal, or that says something
//! unusual, is left to the models.

use raddle_cfront::ast::{ExprId, FunctionId as CFunctionId};
use raddle_cfront::spelling::spelled;
use raddle_cfront::types::QualType;
use raddle_ir::{BinaryOp, Constant, InstKind, Intrinsic, Operand, Ordering, Property, Type};

use crate::callees::Callees;
use crate::function::int;
use crate::place::{Body, ResultUse, Val, signed};
use crate::types::Class;

/// Where a function prints to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputTarget {
    /// Standard output.
    Output,
    /// The stream that the argument of this number is.
    Stream(usize),
    /// The file descriptor that the argument of this number is.
    Descriptor(usize),
    /// The buffer that the first argument points to; its size is the argument of this number, or it has none.
    Buffer(Option<usize>),
}

/// What a function does with its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// The text is a format.
    Format,
    /// It is printed as it stands.
    Plain,
    /// And a line ends behind it.
    Line,
}

/// The functions that print: name, the argument that is their text, where they print to, what the text is.
const PRINTING: &[(&str, usize, OutputTarget, Reading)] = &[
    ("printf", 0, OutputTarget::Output, Reading::Format),
    ("fprintf", 1, OutputTarget::Stream(0), Reading::Format),
    ("dprintf", 1, OutputTarget::Descriptor(0), Reading::Format),
    ("sprintf", 1, OutputTarget::Buffer(None), Reading::Format),
    ("snprintf", 2, OutputTarget::Buffer(Some(1)), Reading::Format),
    ("puts", 0, OutputTarget::Output, Reading::Line),
    ("fputs", 0, OutputTarget::Stream(1), Reading::Plain),
];

/// Functions with which it matters that standard output is used.
const WATCHING: &[&str] = &[
    "__errno_location",
    "fclose",
    "fcloseall",
    "flockfile",
    "freopen",
    "ftrylockfile",
    "setbuf",
    "setbuffer",
    "setvbuf",
];

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Bytes that are printed as they stand.
    Text(Vec<u8>),
    /// A conversion.
    Conversion { specification: i128, width: Number, precision: Number, length: i128 },
}

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Fixed(i128),
    /// `*`: the next argument.
    Argument,
}

/// The flags, as `models/print.c` has them.
const FLAGS: &[(u8, i128)] = &[(b'-', 0x100), (b'+', 0x200), (b' ', 0x400), (b'#', 0x800), (b'0', 0x1000)];

/// The length modifiers with their numbers there; longer ones first.
const LENGTHS: &[(&[u8], i128)] = &[
    (b"hh", 1),
    (b"h", 2),
    (b"ll", 4),
    (b"l", 3),
    (b"q", 4),
    (b"j", 4),
    (b"z", 5),
    (b"Z", 5),
    (b"t", 5),
    (b"L", 6),
];

/// The pieces of a format; none if it says something that only the models answer.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut text = Vec::new();
    let mut rest = format;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            text.push(byte);
        } else if let Some((b'%', tail)) = rest.split_first() {
            text.push(b'%');
            rest = tail;
        } else {
            if !text.is_empty() {
                found.push(Piece::Text(std::mem::take(&mut text)));
            }
            let (piece, tail) = conversion(rest)?;
            found.push(piece);
            rest = tail;
        }
    }
    if !text.is_empty() {
        found.push(Piece::Text(text));
    }
    Some(found)
}

fn conversion(mut rest: &[u8]) -> Option<(Piece, &[u8])> {
    let mut specification = 0;
    while let Some((byte, tail)) = rest.split_first()
        && let Some((_, flag)) = FLAGS.iter().find(|(letter, _)| letter == byte)
    {
        specification |= flag;
        rest = tail;
    }
    let width;
    (width, rest) = number(rest, 0)?;
    let mut precision = Number::Fixed(-1);
    if let Some((b'.', tail)) = rest.split_first() {
        (precision, rest) = number(tail, 0)?;
    }
    let mut length = 0;
    if let Some((prefix, code)) = LENGTHS.iter().find(|(prefix, _)| rest.starts_with(prefix)) {
        length = *code;
        rest = &rest[prefix.len()..];
    }
    let (&letter, tail) = rest.split_first()?;
    if !b"diouxXcspnfFeEgGaA".contains(&letter) {
        return None;
    }
    Some((
        Piece::Conversion { specification: specification | i128::from(letter), width, precision, length },
        tail,
    ))
}

/// A decimal number or `*`.
fn number(rest: &[u8], default: i128) -> Option<(Number, &[u8])> {
    if let Some((b'*', tail)) = rest.split_first() {
        return Some((Number::Argument, tail));
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, tail) = rest.split_at(digits);
    if digits.is_empty() {
        return Some((Number::Fixed(default), tail));
    }
    let value: i32 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((Number::Fixed(value.into()), tail))
}

/// What all parts of one call share.
struct Sink {
    stream: Operand,
    buffer: Operand,
    room: Operand,
}

impl Body<'_, '_> {
    /// A call of a printing function of the library whose text is a literal.
    pub(crate) fn print_call(
        &mut self,
        callee: ExprId,
        function: CFunctionId,
        arguments: &[ExprId],
        ty: QualType,
    ) -> Option<Val> {
        let name = spelled(self.code.ast.text(self.code.ast.functions[function].name));
        let &(_, text, target, reading) = PRINTING.iter().find(|(known, ..)| *known == name)?;
        if !self.code.program.is_model(self.code.program.resolve_function(function)) {
            return None;
        }
        let literal = self.code.callees().literal_bytes(*arguments.get(text)?)?;
        let pieces = match reading {
            Reading::Format => pieces(&literal)?,
            Reading::Plain => vec![Piece::Text(literal)],
            Reading::Line => vec![Piece::Text([&literal[..], b"\n"].concat())],
        };
        let fixed = match target {
            OutputTarget::Stream(place) if place > text => place + 1,
            OutputTarget::Output
            | OutputTarget::Stream(_)
            | OutputTarget::Descriptor(_)
            | OutputTarget::Buffer(_) => text + 1,
        };
        if arguments.len() < fixed {
            return None;
        }
        let span = self.code.b.span;
        let given: Vec<Operand> =
            arguments[..fixed].iter().map(|&argument| self.argument(argument)).collect();
        let area = self.variadic_area(&arguments[fixed..]);
        self.code.b.span = span;
        if !self.code.callees().kinds_fit(&pieces, &arguments[fixed..]) {
            let message = "an argument of formatted output is of another kind than its conversion";
            self.code.b.check(Property::MemorySafety, int(1, 0), message);
        }
        let sink = self.code.callees().sink(target, &given)?;
        let count = self.code.callees().print_pieces(&sink, &pieces, area)?;
        let mut printed = self
            .code
            .callees()
            .model_call("__print_end", vec![sink.stream, sink.buffer, sink.room, count])?;
        if let OutputTarget::Stream(place) = target {
            let dropped = self.asked == Some((callee, ResultUse::Nothing));
            let model = if dropped { "__print_result_dropped" } else { "__print_result" };
            printed = self.code.callees().model_call(model, vec![given[place], printed])?;
        }
        let scalar = self.code.scalar_type(ty);
        Some(Val::Scalar(self.code.resize(printed, scalar, true)))
    }
}

impl Callees<'_, '_, '_> {
    /// Whether floating numbers are given where conversions want them, and nowhere else.
    fn kinds_fit(&self, pieces: &[Piece], arguments: &[ExprId]) -> bool {
        let mut wanted = Vec::new();
        for piece in pieces {
            if let Piece::Conversion { specification, width, precision, .. } = piece {
                wanted.extend(
                    [width, precision].iter().filter(|number| ***number == Number::Argument).map(|_| false),
                );
                wanted.push(
                    u8::try_from(specification & 0xff).is_ok_and(|letter| b"fFeEgGaA".contains(&letter)),
                );
            }
        }
        let is_float = |argument: &ExprId| {
            matches!(self.code.class(self.code.ast.exprs[*argument].ty), Class::Scalar(Type::F32 | Type::F64))
        };
        arguments.iter().map(is_float).zip(wanted).all(|(given, wanted)| given == wanted)
    }

    fn sink(&mut self, target: OutputTarget, given: &[Operand]) -> Option<Sink> {
        let size = self.code.b.pointer_bits;
        let nowhere = Operand::Constant(Constant::Null);
        Some(match target {
            OutputTarget::Output if WATCHING.iter().any(|name| self.code.program.uses(name)) => {
                let stream = self.model_call("__print_output", Vec::new())?;
                Sink { stream, buffer: nowhere, room: int(size, 0) }
            }
            OutputTarget::Output => Sink { stream: int(32, 1), buffer: nowhere, room: int(size, 0) },
            OutputTarget::Stream(place) => {
                let stream = self.model_call("__print_stream", vec![given[place]])?;
                Sink { stream, buffer: nowhere, room: int(size, 0) }
            }
            OutputTarget::Descriptor(place) => {
                let stream = self.model_call("__print_descriptor", vec![given[place]])?;
                Sink { stream, buffer: nowhere, room: int(size, 0) }
            }
            OutputTarget::Buffer(room) => {
                let room = room.map_or(int(size, -1), |place| given[place]);
                let room = self.code.resize(room, Type::Int(size), false);
                Sink { stream: int(32, 0), buffer: given[0], room }
            }
        })
    }

    /// Prints the pieces one after the other; gives how many bytes that were.
    fn print_pieces(&mut self, sink: &Sink, pieces: &[Piece], area: Operand) -> Option<Operand> {
        let size = self.code.b.size_type();
        let mut count = int(self.code.b.pointer_bits, 0);
        let mut taken = 0;
        for piece in pieces {
            match piece {
                Piece::Text(bytes) if sink.stream != int(32, 0) => {
                    for &byte in bytes {
                        let arguments = vec![sink.stream, int(32, byte.into())];
                        self.code.b.emit(InstKind::Intrinsic {
                            dest: None,
                            which: Intrinsic::PutByte,
                            arguments,
                        });
                    }
                    let length = int(self.code.b.pointer_bits, i128::try_from(bytes.len()).ok()?);
                    count = self.code.b.binary(BinaryOp::Add, size, count, length);
                }
                Piece::Text(bytes) => {
                    for &byte in bytes {
                        let byte = int(32, byte.into());
                        let arguments = vec![sink.stream, sink.buffer, sink.room, count, byte];
                        count = self.model_call("__print_byte", arguments)?;
                    }
                }
                Piece::Conversion { specification, width, precision, length } => {
                    let [width, precision] = [*width, *precision].map(|number| match number {
                        Number::Fixed(value) => int(32, value),
                        Number::Argument => {
                            let slot = self.code.b.offset(area, signed(taken));
                            taken += SLOT;
                            self.code.b.load(slot, Type::Int(32), Ordering::Plain)
                        }
                    });
                    let argument = self.code.b.offset(area, signed(taken));
                    taken += SLOT;
                    let specification = int(32, *specification);
                    let arguments = vec![
                        sink.stream,
                        sink.buffer,
                        sink.room,
                        count,
                        specification,
                        width,
                        precision,
                        int(32, *length),
                        argument,
                    ];
                    count = self.model_call("__print_conversion", arguments)?;
                }
            }
        }
        Some(count)
    }

    /// Calls a model that programs do not know of; gives its result.
    fn model_call(&mut self, name: &str, arguments: Vec<Operand>) -> Option<Operand> {
        let function = self.code.program.defined_function(&format!("__model_{name}"))?;
        let dest = self.code.b.register(self.code.program.functions[function].result?, None);
        let callee = Operand::Constant(Constant::Function(function));
        self.code.b.emit(InstKind::Call { dest: Some(dest), callee, arguments });
        Some(Operand::Register(dest))
    }
}

/// Each argument lies in a slot of so many bytes.
const SLOT: u64 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_taken_apart() {
        let plain = |letter: char| Piece::Conversion {
            specification: u32::from(letter).into(),
            width: Number::Fixed(0),
            precision: Number::Fixed(-1),
            length: 0,
        };
        assert_eq!(pieces(b"a%%b%d"), Some(vec![Piece::Text(b"a%b".to_vec()), plain('d')]));
        let wanted = Piece::Conversion {
            specification: 0x1100 | i128::from(b'x'),
            width: Number::Argument,
            precision: Number::Fixed(0),
            length: 4,
        };
        assert_eq!(pieces(b"%-0*.llx"), Some(vec![wanted]));
        assert_eq!(pieces(b"%1$d"), None);
        assert_eq!(pieces(b"%"), None);
        assert_eq!(pieces(b"%m"), None);
    }
}
