//! Reads blocks, instructions, terminators and operands.

use super::lex::Token;
use super::parse::{Parsed, Parser};
use crate::inst::{
    AllocStorage, BinaryOp, CastOp, CheckMessage, CompareOp, Constant, IfUnchecked, Inst, InstKind,
    Intrinsic, Lifetime, MathFunction, Operand, Ordering, OverflowOp, Property, RmwOp, Rvalue, Terminator,
    UnaryOp,
};
use crate::program::{Block, BlockId, GlobalId, RegisterId, Type};

/// What a line of a block holds.
enum Line {
    Inst(InstKind),
    Last(Terminator),
}

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let mut insts = Vec::new();
        loop {
            let line = self.line()?;
            let span = self.tokens.span();
            match line {
                Line::Inst(kind) => insts.push(Inst { kind, span }),
                Line::Last(terminator) => return Ok(Block { insts, terminator, span }),
            }
        }
    }

    fn line(&mut self) -> Parsed<Line> {
        let starts_with_register = matches!(self.tokens.peek(), Token::RegisterName(_))
            || matches!((self.tokens.peek(), self.tokens.peek_second()), (Token::Word(_), Token::Punct("=")));
        if starts_with_register {
            let dest = self.register()?;
            self.tokens.punct("=")?;
            return Ok(Line::Inst(self.assigning(dest)?));
        }
        let Token::Word(word) = *self.tokens.peek() else {
            return self.tokens.error("an instruction or a terminator");
        };
        if let Some(terminator) = self.terminator(word)? {
            return Ok(Line::Last(terminator));
        }
        Ok(Line::Inst(self.plain_inst(word)?))
    }

    /// An instruction that assigns nothing, by its first word.
    fn plain_inst(&mut self, word: &str) -> Parsed<InstKind> {
        if !matches!(
            word,
            "store"
                | "fence"
                | "free"
                | "call"
                | "intrinsic"
                | "assume"
                | "wait_until"
                | "check"
                | "join"
                | "end_life"
                | "lock"
                | "unlock"
                | "atomic_begin"
                | "atomic_end"
        ) {
            return self.tokens.error("an instruction or a terminator");
        }
        self.tokens.advance();
        Ok(match word {
            "store" => {
                let (ty, address) = self.typed_address()?;
                self.tokens.punct(",")?;
                let value = self.operand()?;
                InstKind::Store { address, value, ty, ordering: self.ordering() }
            }
            "fence" => InstKind::Fence(self.tokens.read_word("an ordering", Ordering::from_word)?),
            "free" => InstKind::Free { pointer: self.operand()? },
            "end_life" => InstKind::EndLife(self.lifetime()?),
            "call" => self.call(None)?,
            "intrinsic" => self.intrinsic(None)?,
            "assume" => InstKind::Assume(self.operand()?),
            "wait_until" => InstKind::WaitUntil(self.operand()?),
            "check" => {
                let property = self.tokens.read_word("a property", Property::from_word)?;
                let condition = self.operand()?;
                self.tokens.punct(",")?;
                let message = self.check_message()?;
                let if_unchecked =
                    if self.tokens.eat_word("ends") { IfUnchecked::Ends } else { IfUnchecked::GoesOn };
                InstKind::Check { property, condition, message, if_unchecked }
            }
            "join" => InstKind::Join { dest: None, thread: self.operand()? },
            "lock" => InstKind::Lock { lock: self.address()? },
            "unlock" => InstKind::Unlock { lock: self.address()? },
            "atomic_begin" => InstKind::AtomicBegin,
            _ => InstKind::AtomicEnd,
        })
    }

    /// What stands behind `register =`.
    fn assigning(&mut self, dest: RegisterId) -> Parsed<InstKind> {
        if self.tokens.eat_word("load") {
            let (ty, address) = self.typed_address()?;
            return Ok(InstKind::Load { dest, address, ty, ordering: self.ordering() });
        }
        if self.tokens.eat_word("rmw") {
            let op = self.tokens.read_word("an operation of a read-modify-write", RmwOp::from_word)?;
            let (ty, address) = self.typed_address()?;
            self.tokens.punct(",")?;
            let value = self.operand()?;
            return Ok(InstKind::AtomicRmw { dest, op, address, value, ty, ordering: self.ordering() });
        }
        if self.tokens.eat_word("compare_exchange") {
            let (ty, address) = self.typed_address()?;
            self.tokens.punct(",")?;
            let (expected, desired) = self.pair()?;
            let ordering = self.ordering();
            let failure = if self.tokens.eat_word("else") {
                self.tokens.read_word("a memory order", Ordering::from_word)?
            } else {
                ordering
            };
            return Ok(InstKind::CompareExchange { dest, address, expected, desired, ty, ordering, failure });
        }
        if self.tokens.eat_word("alloc") {
            let storage = self.tokens.read_word("heap, local or dynamic", AllocStorage::from_word)?;
            let size = self.operand()?;
            if !self.tokens.eat_word("align") {
                return self.tokens.error("align");
            }
            let align = self.tokens.offset()?;
            let zeroed = self.tokens.eat_word("zeroed");
            let name = self.tokens.quoted()?.into();
            let shape = Box::new(self.shape_clause()?);
            return Ok(InstKind::Alloc { dest, size, align, storage, zeroed, name, shape });
        }
        if self.tokens.eat_word("call") {
            return self.call(Some(dest));
        }
        if self.tokens.eat_word("intrinsic") {
            return self.intrinsic(Some(dest));
        }
        if self.tokens.eat_word("havoc") {
            return Ok(InstKind::Havoc {
                dest,
                site: self.tokens.id('h', "a site of nondeterminism like h0")?,
            });
        }
        if self.tokens.eat_word("fork") {
            let function = self.operand()?;
            self.tokens.punct("(")?;
            let argument = self.operand()?;
            self.tokens.punct(")")?;
            return Ok(InstKind::Fork { dest, function, argument });
        }
        if self.tokens.eat_word("join") {
            return Ok(InstKind::Join { dest: Some(dest), thread: self.operand()? });
        }
        Ok(InstKind::Assign { dest, value: self.rvalue()? })
    }

    fn rvalue(&mut self) -> Parsed<Rvalue> {
        let Token::Word(word) = *self.tokens.peek() else { return Ok(Rvalue::Use(self.operand()?)) };
        if let Some(op) = UnaryOp::from_word(word) {
            self.tokens.advance();
            return Ok(Rvalue::Unary(op, self.operand()?));
        }
        if let Some(op) = BinaryOp::from_word(word) {
            self.tokens.advance();
            let (a, b) = self.pair()?;
            return Ok(Rvalue::Binary(op, a, b));
        }
        if let Some(op) = CompareOp::from_word(word) {
            self.tokens.advance();
            let (a, b) = self.pair()?;
            return Ok(Rvalue::Compare(op, a, b));
        }
        if let Some(op) = CastOp::from_word(word) {
            self.tokens.advance();
            return Ok(Rvalue::Cast(op, self.operand()?));
        }
        self.other_rvalue(word)
    }

    fn other_rvalue(&mut self, word: &str) -> Parsed<Rvalue> {
        match word {
            "select" => {
                self.tokens.advance();
                let condition = self.operand()?;
                self.tokens.punct(",")?;
                let (a, b) = self.pair()?;
                Ok(Rvalue::Select(condition, a, b))
            }
            "pointer_add" => {
                self.tokens.advance();
                let (a, b) = self.pair()?;
                Ok(Rvalue::PointerAdd(a, b))
            }
            "pointer_difference" => {
                self.tokens.advance();
                let (a, b) = self.pair()?;
                Ok(Rvalue::PointerDifference(a, b))
            }
            "overflows" => {
                self.tokens.advance();
                let op = self.tokens.read_word("an operation that may overflow", OverflowOp::from_word)?;
                let (a, b) = self.pair()?;
                Ok(Rvalue::Overflows(op, a, b))
            }
            "thread_local" => {
                self.tokens.advance();
                Ok(Rvalue::ThreadLocal(self.global_reference()?))
            }
            "current_thread" => {
                self.tokens.advance();
                Ok(Rvalue::CurrentThread)
            }
            "thread_exists" => {
                self.tokens.advance();
                Ok(Rvalue::ThreadExists(self.operand()?))
            }
            "object_size" => {
                self.tokens.advance();
                Ok(Rvalue::ObjectSize(self.operand()?))
            }
            "holds_lock" => {
                self.tokens.advance();
                Ok(Rvalue::HoldsLock(self.operand()?))
            }
            "lock_is_free" => {
                self.tokens.advance();
                Ok(Rvalue::LockIsFree(self.operand()?))
            }
            "peek" => {
                self.tokens.advance();
                let word = self.operand()?;
                if !self.tokens.eat_word("unwritten") {
                    return self.tokens.error("unwritten");
                }
                match u32::try_from(self.tokens.offset()?) {
                    Ok(unwritten) => Ok(Rvalue::Peek(word, unwritten)),
                    Err(_) => self.tokens.error("a number of 32 bits"),
                }
            }
            _ => Ok(Rvalue::Use(self.operand()?)),
        }
    }

    fn global_reference(&mut self) -> Parsed<GlobalId> {
        if let Token::SymbolName(name) = self.tokens.peek() {
            return match self.symbols.get(name) {
                Some(Some(Constant::Global(global, _))) => {
                    let global = *global;
                    self.tokens.advance();
                    Ok(global)
                }
                _ => self.tokens.error("the name of one global"),
            };
        }
        self.tokens.id('g', "a global")
    }

    fn check_message(&mut self) -> Parsed<CheckMessage> {
        if self.tokens.eat_word("asserts") {
            Ok(CheckMessage::Asserts(self.tokens.quoted()?.into()))
        } else if self.tokens.eat_word("forbids") {
            Ok(CheckMessage::Forbids(self.tokens.quoted()?.into()))
        } else if self.tokens.eat_word("forbids_label") {
            Ok(CheckMessage::ForbidsLabel(self.tokens.quoted()?.into()))
        } else {
            Ok(CheckMessage::Wrong(self.tokens.quoted()?.into()))
        }
    }

    fn lifetime(&mut self) -> Parsed<Lifetime> {
        if self.tokens.eat_word("object") {
            Ok(Lifetime::Object(self.operand()?))
        } else if self.tokens.eat_word("activation") {
            Ok(Lifetime::Activation)
        } else if self.tokens.eat_word("activations") {
            Ok(Lifetime::Activations)
        } else if self.tokens.eat_word("thread") {
            Ok(Lifetime::Thread)
        } else if self.tokens.eat_word("contents") {
            let pointer = self.operand()?;
            self.tokens.punct(",")?;
            Ok(Lifetime::Contents { pointer, size: self.tokens.small_number("a number of bytes")? })
        } else {
            self.tokens.error("object, activation, activations, thread or contents")
        }
    }

    fn call(&mut self, dest: Option<RegisterId>) -> Parsed<InstKind> {
        let callee = self.operand()?;
        Ok(InstKind::Call { dest, callee, arguments: self.arguments()? })
    }

    fn intrinsic(&mut self, dest: Option<RegisterId>) -> Parsed<InstKind> {
        let which = if self.tokens.eat_word("math") {
            Intrinsic::Math(self.tokens.read_word("a function of <math.h>", MathFunction::from_word)?)
        } else {
            let known = [
                Intrinsic::PutByte,
                Intrinsic::PutInteger,
                Intrinsic::PutFloat,
                Intrinsic::PutPointer,
                Intrinsic::FloatByte,
                Intrinsic::Decimal,
            ];
            self.tokens
                .read_word("an intrinsic", |word| known.into_iter().find(|which| which.word() == word))?
        };
        Ok(InstKind::Intrinsic { dest, which, arguments: self.arguments()? })
    }

    fn arguments(&mut self) -> Parsed<Vec<Operand>> {
        self.tokens.punct("(")?;
        let mut arguments = Vec::new();
        while !self.tokens.eat_punct(")") {
            if !arguments.is_empty() {
                self.tokens.punct(",")?;
            }
            arguments.push(self.operand()?);
        }
        Ok(arguments)
    }

    fn terminator(&mut self, word: &str) -> Parsed<Option<Terminator>> {
        if !matches!(
            word,
            "jump"
                | "branch"
                | "switch"
                | "return"
                | "exit_thread"
                | "exit_process"
                | "abort"
                | "unreachable"
                | "unsupported"
        ) {
            return Ok(None);
        }
        self.tokens.advance();
        Ok(Some(match word {
            "jump" => Terminator::Jump(self.target()?),
            "branch" => {
                let condition = self.operand()?;
                self.tokens.punct(",")?;
                let yes = self.target()?;
                self.tokens.punct(",")?;
                Terminator::Branch(condition, yes, self.target()?)
            }
            "switch" => self.switch()?,
            "return" => Terminator::Return(if self.at_operand() { Some(self.operand()?) } else { None }),
            "exit_thread" => Terminator::ExitThread(self.operand()?),
            "exit_process" => Terminator::ExitProcess(self.operand()?),
            "abort" => Terminator::Abort,
            "unreachable" => Terminator::Unreachable,
            _ => Terminator::Unsupported(self.tokens.quoted()?.into()),
        }))
    }

    fn switch(&mut self) -> Parsed<Terminator> {
        let value = self.operand()?;
        self.tokens.punct("{")?;
        let mut cases = Vec::new();
        while !self.tokens.eat_word("default") {
            if !matches!(self.tokens.peek(), Token::Number(_)) {
                return self.tokens.error("a case's number or default");
            }
            let low = self.tokens.number()?;
            let high = if self.tokens.eat_punct("..") { self.tokens.number()? } else { low };
            self.tokens.punct(":")?;
            cases.push((low, high, self.target()?));
            self.tokens.punct(",")?;
        }
        self.tokens.punct(":")?;
        let default = self.target()?;
        self.tokens.punct("}")?;
        Ok(Terminator::Switch { value, cases, default })
    }

    fn target(&mut self) -> Parsed<BlockId> {
        self.tokens.id('b', "a block id like b0")
    }

    fn ordering(&mut self) -> Ordering {
        let Token::Word(word) = *self.tokens.peek() else { return Ordering::Plain };
        let Some(ordering) = Ordering::from_word(word) else { return Ordering::Plain };
        self.tokens.advance();
        ordering
    }

    fn typed_address(&mut self) -> Parsed<(Type, Operand)> {
        Ok((self.tokens.ty()?, self.address()?))
    }

    /// `[pointer]`
    fn address(&mut self) -> Parsed<Operand> {
        self.tokens.punct("[")?;
        let address = self.operand()?;
        self.tokens.punct("]")?;
        Ok(address)
    }

    fn pair(&mut self) -> Parsed<(Operand, Operand)> {
        let first = self.operand()?;
        self.tokens.punct(",")?;
        Ok((first, self.operand()?))
    }

    fn at_operand(&self) -> bool {
        match self.tokens.peek() {
            Token::RegisterName(_) | Token::SymbolName(_) => true,
            // A block label or an instruction may follow; both are recognised by their first letters.
            Token::Word(word) => {
                matches!(*word, "true" | "false" | "null" | "f32" | "f64" | "function")
                    || (word.starts_with(['r', 'g', 'i'])
                        && word[1..].starts_with(|c: char| c.is_ascii_digit()))
            }
            Token::Number(_)
            | Token::Span(..)
            | Token::Text(_)
            | Token::Punct(_)
            | Token::End
            | Token::Bad(..) => false,
        }
    }

    fn register(&mut self) -> Parsed<RegisterId> {
        if let Token::RegisterName(name) = self.tokens.peek() {
            return match self.registers.get(name) {
                Some(Some(register)) => {
                    let register = *register;
                    self.tokens.advance();
                    Ok(register)
                }
                _ => self.tokens.error("a register of this function"),
            };
        }
        self.tokens.id('r', "a register")
    }

    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        let is_register = if let Token::Word(word) = self.tokens.peek() {
            word.starts_with('r') && word[1..].starts_with(|c: char| c.is_ascii_digit())
        } else {
            matches!(self.tokens.peek(), Token::RegisterName(_))
        };
        Ok(if is_register {
            Operand::Register(self.register()?)
        } else {
            Operand::Constant(self.constant()?)
        })
    }

    pub(super) fn constant(&mut self) -> Parsed<Constant> {
        if let Token::SymbolName(name) = self.tokens.peek() {
            let Some(&Some(symbol)) = self.symbols.get(name) else {
                return self.tokens.error("the name of one global or function");
            };
            self.tokens.advance();
            return match symbol {
                Constant::Global(global, _) => self.moved(global),
                Constant::Function(_)
                | Constant::Int(..)
                | Constant::F32(_)
                | Constant::F64(_)
                | Constant::Null => Ok(symbol),
            };
        }
        let Token::Word(word) = *self.tokens.peek() else { return self.tokens.error("an operand") };
        match word {
            "true" | "false" => {
                self.tokens.advance();
                Ok(Constant::bool(word == "true"))
            }
            "null" => {
                self.tokens.advance();
                Ok(Constant::Null)
            }
            "function" => {
                self.tokens.advance();
                Ok(Constant::Function(self.tokens.id('f', "a function id like f0")?))
            }
            "f32" => {
                self.tokens.advance();
                if self.tokens.eat_word("bits") {
                    return Ok(Constant::F32(self.tokens.small_number("32 bits")?));
                }
                Ok(Constant::F32(self.float::<f32>()?.to_bits()))
            }
            "f64" => {
                self.tokens.advance();
                if self.tokens.eat_word("bits") {
                    return Ok(Constant::F64(self.tokens.small_number("64 bits")?));
                }
                Ok(Constant::F64(self.float::<f64>()?.to_bits()))
            }
            _ if word.starts_with('g') => {
                let global = self.tokens.id('g', "an operand")?;
                self.moved(global)
            }
            _ if word.starts_with('i') => self.integer(),
            _ => self.tokens.error("an operand"),
        }
    }

    /// `+ n` or `- n` behind a global.
    fn moved(&mut self, global: GlobalId) -> Parsed<Constant> {
        let offset = if self.tokens.eat_punct("+") {
            self.tokens.small_number("an offset of 64 bits")?
        } else if self.tokens.eat_punct("-") {
            let distance: u64 = self.tokens.small_number("an offset of 64 bits")?;
            match 0i64.checked_sub_unsigned(distance) {
                Some(offset) => offset,
                None => return self.tokens.error("an offset of 64 bits before this"),
            }
        } else {
            0
        };
        Ok(Constant::Global(global, offset))
    }

    fn integer(&mut self) -> Parsed<Constant> {
        let Type::Int(bits) = self.tokens.ty()? else { return self.tokens.error("an operand") };
        let negative = self.tokens.eat_punct("-");
        let magnitude = self.tokens.number()?;
        let value = if negative {
            let mask = 1u128.checked_shl(bits.into()).unwrap_or(0).wrapping_sub(1);
            magnitude.wrapping_neg() & mask
        } else {
            magnitude
        };
        Ok(Constant::Int(bits, value))
    }

    fn float<F: std::str::FromStr + std::ops::Neg<Output = F>>(&mut self) -> Parsed<F> {
        let negative = self.tokens.eat_punct("-");
        let Token::Number(digits) = *self.tokens.peek() else {
            return self.tokens.error("a floating number");
        };
        match digits.parse::<F>() {
            Ok(value) => {
                self.tokens.advance();
                Ok(if negative { -value } else { value })
            }
            Err(_) => self.tokens.error("a floating number"),
        }
    }
}
