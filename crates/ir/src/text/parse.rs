//! Reads programs from text: the frame of globals and functions. Instructions are read in `parse_inst`.
//!
//! The parser checks form only (and that names are known); whether ids are in range and types fit is the
//! validator's to say. It never panics and its recursion is bounded.

use raddle_base::{Id, Span, Table};
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::lex::{Lexed, Token, lex};
use crate::inst::Constant;
use crate::program::{
    AddressReuse, Block, ForeignReads, Function, FunctionId, Global, GlobalId, GlobalInit, Havoc, HavocKind,
    Outside, Program, Register, RegisterId, ScalarStyle, Shape, Type, UndefinedFunction,
};

/// Why a text is no program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct ParseError {
    /// From one.
    pub line: usize,
    /// In characters, from one.
    pub column: usize,
    /// What would have been right.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// Reads a program.
///
/// # Errors
/// Reports the first position that does not fit the form, and what was expected there.
pub fn parse_program(text: &str) -> Result<Program, ParseError> {
    let tokens = lex(text);
    let mut symbols = FxHashMap::default();
    // Names may be used before they are defined, so definitions are collected first.
    for window in tokens.windows(3) {
        if let [Token::Word(kind), Token::Word(id), Token::Text(name)] =
            [&window[0].token, &window[1].token, &window[2].token]
        {
            let symbol = match *kind {
                "function" => {
                    parse_id(id, 'f').map(|index| Constant::Function(FunctionId::from_index(index)))
                }
                "global" => parse_id(id, 'g').map(|index| Constant::Global(GlobalId::from_index(index), 0)),
                _ => None,
            };
            if let Some(symbol) = symbol {
                symbols.entry(name.clone()).and_modify(|known| *known = None).or_insert(Some(symbol));
            }
        }
    }
    let mut parser = Parser { text, tokens, next: 0, symbols, registers: FxHashMap::default() };
    parser.program()
}

/// The number of an id with that letter, small enough for a table.
fn parse_id(word: &str, prefix: char) -> Option<usize> {
    let digits = word.strip_prefix(prefix)?;
    let canonical = digits == "0" || !digits.starts_with('0');
    let plain = canonical && digits.bytes().all(|byte| byte.is_ascii_digit());
    let index: u32 = plain.then(|| digits.parse().ok()).flatten()?;
    (index < u32::MAX - 1).then_some(index as usize)
}

pub(super) type Parsed<T> = Result<T, ParseError>;

pub(super) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Lexed<'t>>,
    next: usize,
    /// Globals and functions by name; `None` for a name that several have.
    pub(super) symbols: FxHashMap<String, Option<Constant>>,
    /// The registers of the function at hand by name; `None` for a name that several have.
    pub(super) registers: FxHashMap<String, Option<RegisterId>>,
}

/// Deeper shapes are refused: reading them is recursive.
const MAX_SHAPE_DEPTH: u32 = 500;

impl<'t> Parser<'t> {
    pub(super) fn peek(&self) -> &Token<'t> {
        &self.tokens[self.next].token
    }

    /// The token after the next one.
    pub(super) fn peek_second(&self) -> &Token<'t> {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].token
    }

    pub(super) fn advance(&mut self) -> Token<'t> {
        let token = self.peek().clone();
        // The last token is the end, which is met again and again.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn error<T>(&self, expected: impl Into<String>) -> Parsed<T> {
        let lexed = &self.tokens[self.next];
        let before = &self.text[..lexed.offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let (expected, found) = if let Token::Bad(better, found) = &lexed.token {
            ((*better).to_owned(), found.clone())
        } else {
            (expected.into(), lexed.token.to_string())
        };
        Err(ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            expected,
            found,
        })
    }

    pub(super) fn eat_punct(&mut self, punct: &str) -> bool {
        let found = matches!(self.peek(), Token::Punct(next) if *next == punct);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn punct(&mut self, punct: &str) -> Parsed<()> {
        if self.eat_punct(punct) { Ok(()) } else { self.error(punct) }
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(next) if *next == word);
        if found {
            self.advance();
        }
        found
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.error(word) }
    }

    /// A word that `read` understands.
    pub(super) fn read_word<T>(&mut self, expected: &str, read: impl Fn(&str) -> Option<T>) -> Parsed<T> {
        let value = if let Token::Word(word) = self.peek() { read(word) } else { None };
        match value {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => self.error(expected),
        }
    }

    pub(super) fn id<I: Id>(&mut self, prefix: char, expected: &str) -> Parsed<I> {
        self.read_word(expected, |word| parse_id(word, prefix).map(I::from_index))
    }

    /// The id of the next definition in a table.
    fn defined_id<I: Id + std::fmt::Display>(&mut self, prefix: char, next: I) -> Parsed<()> {
        self.read_word(&next.to_string(), |word| (parse_id(word, prefix) == Some(next.index())).then_some(()))
    }

    pub(super) fn quoted(&mut self) -> Parsed<String> {
        let Token::Text(text) = self.peek() else { return self.error("a quoted text") };
        let text = text.clone();
        self.advance();
        Ok(text)
    }

    /// An unsigned number, decimal or hexadecimal.
    pub(super) fn number(&mut self) -> Parsed<u128> {
        let Token::Number(digits) = *self.peek() else { return self.error("an integer") };
        let value = match digits.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        match value {
            Ok(value) => {
                self.advance();
                Ok(value)
            }
            Err(_) => self.error("an integer of at most 128 bits"),
        }
    }

    pub(super) fn small_number<N: TryFrom<u128>>(&mut self, expected: &str) -> Parsed<N> {
        let start = self.next;
        let number = self.number()?;
        N::try_from(number).or_else(|_| {
            self.next = start;
            self.error(expected)
        })
    }

    pub(super) fn offset(&mut self) -> Parsed<u64> {
        self.small_number("a number of bytes")
    }

    pub(super) fn span(&mut self) -> Span {
        let Token::Span(lo, hi) = *self.peek() else { return Span::NONE };
        self.advance();
        Span::new(lo, hi)
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.read_word("a type", |word| match word {
            "ptr" => Some(Type::Ptr),
            "f32" => Some(Type::F32),
            "f64" => Some(Type::F64),
            _ => parse_id(word, 'i').and_then(|bits| u8::try_from(bits).ok()).map(Type::Int),
        })
    }

    fn program(&mut self) -> Parsed<Program> {
        self.word("program")?;
        self.word("pointer_bits")?;
        let pointer_bits = self.small_number("a number of bits")?;
        self.word("entry")?;
        let entry = self.id('f', "a function id like f0")?;
        let mut program = Program {
            pointer_bits,
            functions: Table::new(),
            globals: Table::new(),
            havocs: Table::new(),
            entry,
            address_reuse: if self.eat_word("no_address_reuse") {
                AddressReuse::Never
            } else {
                AddressReuse::Possible
            },
            outside: self.outside()?,
        };
        while *self.peek() != Token::End {
            if self.eat_word("havoc") {
                self.defined_id('h', program.havocs.next_id())?;
                let havoc = self.havoc()?;
                program.havocs.push(havoc);
            } else if self.eat_word("global") {
                self.defined_id('g', program.globals.next_id())?;
                let global = self.global()?;
                program.globals.push(global);
            } else if self.eat_word("function") {
                self.defined_id('f', program.functions.next_id())?;
                let function = self.function()?;
                program.functions.push(function);
            } else {
                return self.error("havoc, global or function");
            }
        }
        Ok(program)
    }

    /// `undefined f3 pure`, `exposed g1`, `exposed f2`, `hidden g3`, `handlers g4`
    fn outside(&mut self) -> Parsed<Outside> {
        let mut outside = Outside::default();
        loop {
            if self.eat_word("undefined") {
                let id = self.id('f', "a function id like f0")?;
                outside.functions.push(UndefinedFunction { id, pure: self.eat_word("pure") });
            } else if self.eat_word("exposed") {
                let is_global = matches!(*self.peek(), Token::Word(word) if word.starts_with('g'));
                if is_global {
                    outside.objects.push(self.id('g', "a global id like g0")?);
                } else {
                    outside.entries.push(self.id('f', "a global id like g0 or a function id like f0")?);
                }
            } else if self.eat_word("hidden") {
                outside.hidden.push(self.id('g', "a global id like g0")?);
            } else if self.eat_word("handlers") {
                outside.handlers.push(self.id('g', "a global id like g0")?);
            } else {
                return Ok(outside);
            }
        }
    }

    fn havoc(&mut self) -> Parsed<Havoc> {
        let name = self.quoted()?;
        let ty = self.ty()?;
        let signed = self.eat_word("signed");
        let kind = if self.eat_word("uninitialised") {
            HavocKind::Uninitialised
        } else if self.eat_word("spurious") {
            HavocKind::Spurious
        } else {
            HavocKind::Input
        };
        Ok(Havoc { name, ty, signed, kind, span: self.span() })
    }

    fn global(&mut self) -> Parsed<Global> {
        let name = self.quoted()?;
        self.word("size")?;
        let size = self.offset()?;
        self.word("align")?;
        let align = self.offset()?;
        let read_only = self.eat_word("read_only");
        let thread_local = self.eat_word("thread_local");
        let shape = self.shape_clause()?;
        let span = self.span();
        self.punct("{")?;
        let mut init = Vec::new();
        while !self.eat_punct("}") {
            let offset = self.offset()?;
            self.punct(":")?;
            init.push(GlobalInit { offset, value: self.constant()? });
        }
        Ok(Global { name, size, align, init, read_only, thread_local, span, shape })
    }

    pub(super) fn shape_clause(&mut self) -> Parsed<Shape> {
        if self.eat_word("shape") { self.shape(MAX_SHAPE_DEPTH) } else { Ok(Shape::Bytes) }
    }

    fn shape(&mut self, depth: u32) -> Parsed<Shape> {
        let Some(depth) = depth.checked_sub(1) else { return self.error("a shape nested less deeply") };
        if self.eat_punct("[") {
            let count = self.small_number("a number of elements")?;
            self.word("stride")?;
            let stride = self.offset()?;
            self.punct(":")?;
            let element = Box::new(self.shape(depth)?);
            self.punct("]")?;
            return Ok(Shape::Array { element, stride, count });
        }
        if self.eat_punct("{") {
            let mut members = Vec::new();
            while !self.eat_punct("}") {
                if !members.is_empty() {
                    self.punct(",")?;
                }
                let name = if let Token::Word(word) = *self.peek() {
                    self.advance();
                    word.to_owned()
                } else {
                    self.quoted()?
                };
                let offset = self.offset()?;
                self.punct(":")?;
                members.push((name, offset, self.shape(depth)?));
            }
            return Ok(Shape::Record(members));
        }
        if self.eat_word("bytes") {
            return Ok(Shape::Bytes);
        }
        let style = self.read_word("a shape", ScalarStyle::from_word)?;
        Ok(Shape::Scalar(self.ty()?, style))
    }

    fn function(&mut self) -> Parsed<Function> {
        let name = self.quoted()?;
        self.punct("(")?;
        let mut parameters = Vec::new();
        while !self.eat_punct(")") {
            if !parameters.is_empty() {
                self.punct(",")?;
            }
            parameters.push(self.id('r', "a register id like r0")?);
        }
        let result = if self.eat_punct("->") { Some(self.ty()?) } else { None };
        let model = self.eat_word("model");
        let foreign_reads = if self.eat_word("reads") {
            let named = |word: &str| ForeignReads::ALL.iter().copied().find(|reads| reads.word() == word);
            Some(self.read_word("what it reads of other threads", named)?)
        } else {
            None
        };
        let span = self.span();
        self.punct("{")?;
        let registers = self.register_list()?;
        let mut blocks: Table<_, Block> = Table::new();
        while !self.eat_punct("}") {
            let next = blocks.next_id();
            if self.defined_id('b', next).is_err() {
                // A block's end allows either.
                return self.error(if blocks.is_empty() {
                    format!("registers, }} or {next}:")
                } else {
                    "} or a block label".to_owned()
                });
            }
            self.punct(":")?;
            let block = self.block()?;
            blocks.push(block);
        }
        Ok(Function { name, parameters, result, registers, blocks, model, foreign_reads, span })
    }

    fn register_list(&mut self) -> Parsed<Table<RegisterId, Register>> {
        let mut registers: Table<RegisterId, Register> = Table::new();
        self.registers.clear();
        if !self.eat_word("registers") {
            return Ok(registers);
        }
        loop {
            let id = registers.next_id();
            self.defined_id('r', id)?;
            self.punct(":")?;
            let ty = self.ty()?;
            let name = if matches!(self.peek(), Token::Text(_)) { Some(self.quoted()?) } else { None };
            if let Some(name) = &name {
                self.registers.entry(name.clone()).and_modify(|known| *known = None).or_insert(Some(id));
            }
            registers.push(Register { ty, name });
            if !self.eat_punct(",") {
                return Ok(registers);
            }
        }
    }
}
