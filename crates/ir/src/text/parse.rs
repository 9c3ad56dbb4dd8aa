//! Reads programs from text: the frame of globals and functions. Instructions are read in `parse_inst`.
//!
//! The parser checks form only (and that names are known); whether ids are in range and types fit is the
//! validator's to say. It never panics and its recursion is bounded.

use raddle_base::{Id, Table};
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::lex::{Token, lex};
use super::tokens::Tokens;
use crate::inst::Constant;
use crate::program::{
    AddressReuse, Block, ForeignReads, Function, FunctionId, Global, GlobalId, GlobalInit, Havoc, HavocKind,
    Outside, Program, Register, RegisterId, ScalarStyle, Shape, UndefinedFunction,
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
    let mut parser = Parser { tokens: Tokens::new(text, tokens), symbols, registers: FxHashMap::default() };
    parser.program()
}

/// The number of an id with that letter, small enough for a table.
pub(super) fn parse_id(word: &str, prefix: char) -> Option<usize> {
    let digits = word.strip_prefix(prefix)?;
    let canonical = digits == "0" || !digits.starts_with('0');
    let plain = canonical && digits.bytes().all(|byte| byte.is_ascii_digit());
    let index: u32 = plain.then(|| digits.parse().ok()).flatten()?;
    (index < u32::MAX - 1).then_some(index as usize)
}

pub(super) type Parsed<T> = Result<T, ParseError>;

pub(super) struct Parser<'t> {
    pub(super) tokens: Tokens<'t>,
    /// Globals and functions by name; `None` for a name that several have.
    pub(super) symbols: FxHashMap<String, Option<Constant>>,
    /// The registers of the function at hand by name; `None` for a name that several have.
    pub(super) registers: FxHashMap<String, Option<RegisterId>>,
}

/// Deeper shapes are refused: reading them is recursive.
const MAX_SHAPE_DEPTH: u32 = 500;

impl Parser<'_> {
    fn program(&mut self) -> Parsed<Program> {
        self.tokens.word("program")?;
        self.tokens.word("pointer_bits")?;
        let pointer_bits = self.tokens.small_number("a number of bits")?;
        self.tokens.word("entry")?;
        let entry = self.tokens.id('f', "a function id like f0")?;
        let mut program = Program {
            pointer_bits,
            functions: Table::new(),
            globals: Table::new(),
            havocs: Table::new(),
            entry,
            address_reuse: if self.tokens.eat_word("no_address_reuse") {
                AddressReuse::Never
            } else {
                AddressReuse::Possible
            },
            outside: self.outside()?,
        };
        while *self.tokens.peek() != Token::End {
            if self.tokens.eat_word("havoc") {
                self.tokens.defined_id('h', program.havocs.next_id())?;
                let havoc = self.havoc()?;
                program.havocs.push(havoc);
            } else if self.tokens.eat_word("global") {
                self.tokens.defined_id('g', program.globals.next_id())?;
                let global = self.global()?;
                program.globals.push(global);
            } else if self.tokens.eat_word("function") {
                self.tokens.defined_id('f', program.functions.next_id())?;
                let function = self.function()?;
                program.functions.push(function);
            } else {
                return self.tokens.error("havoc, global or function");
            }
        }
        Ok(program)
    }

    /// `undefined f3 pure`, `exposed g1`, `exposed f2`, `hidden g3`, `handlers g4`
    fn outside(&mut self) -> Parsed<Outside> {
        let mut outside = Outside::default();
        loop {
            if self.tokens.eat_word("undefined") {
                let id = self.tokens.id('f', "a function id like f0")?;
                outside.functions.push(UndefinedFunction { id, pure: self.tokens.eat_word("pure") });
            } else if self.tokens.eat_word("exposed") {
                let is_global = matches!(*self.tokens.peek(), Token::Word(word) if word.starts_with('g'));
                if is_global {
                    outside.objects.push(self.tokens.id('g', "a global id like g0")?);
                } else {
                    outside
                        .entries
                        .push(self.tokens.id('f', "a global id like g0 or a function id like f0")?);
                }
            } else if self.tokens.eat_word("hidden") {
                outside.hidden.push(self.tokens.id('g', "a global id like g0")?);
            } else if self.tokens.eat_word("handlers") {
                outside.handlers.push(self.tokens.id('g', "a global id like g0")?);
            } else {
                return Ok(outside);
            }
        }
    }

    fn havoc(&mut self) -> Parsed<Havoc> {
        let name = self.tokens.quoted()?;
        let ty = self.tokens.ty()?;
        let signed = self.tokens.eat_word("signed");
        let kind = if self.tokens.eat_word("uninitialised") {
            HavocKind::Uninitialised
        } else if self.tokens.eat_word("spurious") {
            HavocKind::Spurious
        } else {
            HavocKind::Input
        };
        Ok(Havoc { name, ty, signed, kind, span: self.tokens.span() })
    }

    fn global(&mut self) -> Parsed<Global> {
        let name = self.tokens.quoted()?;
        self.tokens.word("size")?;
        let size = self.tokens.offset()?;
        self.tokens.word("align")?;
        let align = self.tokens.offset()?;
        let read_only = self.tokens.eat_word("read_only");
        let thread_local = self.tokens.eat_word("thread_local");
        let shape = self.shape_clause()?;
        let span = self.tokens.span();
        self.tokens.punct("{")?;
        let mut init = Vec::new();
        while !self.tokens.eat_punct("}") {
            let offset = self.tokens.offset()?;
            self.tokens.punct(":")?;
            init.push(GlobalInit { offset, value: self.constant()? });
        }
        Ok(Global { name, size, align, init, read_only, thread_local, span, shape })
    }

    pub(super) fn shape_clause(&mut self) -> Parsed<Shape> {
        if self.tokens.eat_word("shape") { self.shape(MAX_SHAPE_DEPTH) } else { Ok(Shape::Bytes) }
    }

    fn shape(&mut self, depth: u32) -> Parsed<Shape> {
        let Some(depth) = depth.checked_sub(1) else {
            return self.tokens.error("a shape nested less deeply");
        };
        if self.tokens.eat_punct("[") {
            let count = self.tokens.small_number("a number of elements")?;
            self.tokens.word("stride")?;
            let stride = self.tokens.offset()?;
            self.tokens.punct(":")?;
            let element = Box::new(self.shape(depth)?);
            self.tokens.punct("]")?;
            return Ok(Shape::Array { element, stride, count });
        }
        if self.tokens.eat_punct("{") {
            let mut members = Vec::new();
            while !self.tokens.eat_punct("}") {
                if !members.is_empty() {
                    self.tokens.punct(",")?;
                }
                let name = if let Token::Word(word) = *self.tokens.peek() {
                    self.tokens.advance();
                    word.to_owned()
                } else {
                    self.tokens.quoted()?
                };
                let offset = self.tokens.offset()?;
                self.tokens.punct(":")?;
                members.push((name, offset, self.shape(depth)?));
            }
            return Ok(Shape::Record(members));
        }
        if self.tokens.eat_word("bytes") {
            return Ok(Shape::Bytes);
        }
        let style = self.tokens.read_word("a shape", ScalarStyle::from_word)?;
        Ok(Shape::Scalar(self.tokens.ty()?, style))
    }

    fn function(&mut self) -> Parsed<Function> {
        let name = self.tokens.quoted()?;
        self.tokens.punct("(")?;
        let mut parameters = Vec::new();
        while !self.tokens.eat_punct(")") {
            if !parameters.is_empty() {
                self.tokens.punct(",")?;
            }
            parameters.push(self.tokens.id('r', "a register id like r0")?);
        }
        let result = if self.tokens.eat_punct("->") { Some(self.tokens.ty()?) } else { None };
        let model = self.tokens.eat_word("model");
        let foreign_reads = if self.tokens.eat_word("reads") {
            let named = |word: &str| ForeignReads::ALL.iter().copied().find(|reads| reads.word() == word);
            Some(self.tokens.read_word("what it reads of other threads", named)?)
        } else {
            None
        };
        let span = self.tokens.span();
        self.tokens.punct("{")?;
        let registers = self.register_list()?;
        let mut blocks: Table<_, Block> = Table::new();
        while !self.tokens.eat_punct("}") {
            let next = blocks.next_id();
            if self.tokens.defined_id('b', next).is_err() {
                // A block's end allows either.
                return self.tokens.error(if blocks.is_empty() {
                    format!("registers, }} or {next}:")
                } else {
                    "} or a block label".to_owned()
                });
            }
            self.tokens.punct(":")?;
            let block = self.block()?;
            blocks.push(block);
        }
        Ok(Function { name, parameters, result, registers, blocks, model, foreign_reads, span })
    }

    fn register_list(&mut self) -> Parsed<Table<RegisterId, Register>> {
        let mut registers: Table<RegisterId, Register> = Table::new();
        self.registers.clear();
        if !self.tokens.eat_word("registers") {
            return Ok(registers);
        }
        loop {
            let id = registers.next_id();
            self.tokens.defined_id('r', id)?;
            self.tokens.punct(":")?;
            let ty = self.tokens.ty()?;
            let name =
                if matches!(self.tokens.peek(), Token::Text(_)) { Some(self.tokens.quoted()?) } else { None };
            if let Some(name) = &name {
                self.registers.entry(name.clone()).and_modify(|known| *known = None).or_insert(Some(id));
            }
            registers.push(Register { ty, name });
            if !self.tokens.eat_punct(",") {
                return Ok(registers);
            }
        }
    }
}
