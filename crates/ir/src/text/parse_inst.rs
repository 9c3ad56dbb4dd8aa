//! Reads blocks, instructions, terminators and operands.

use super::lex::Token;
use super::parse::{Parsed, Parser};
use crate::inst::{
    AllocStorage, BinaryOp, CastOp, CompareOp, Constant, IfUnchecked, Inst, InstKind, Intrinsic, Lifetime,
    MathFunction, Operand, Ordering, OverflowOp, Property, RmwOp, Rvalue, Terminator, UnaryOp,
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
            let span = self.span();
            match line {
                Line::Inst(kind) => insts.push(Inst { kind, span }),
                Line::Last(terminator) => return Ok(Block { insts, terminator, span }),
            }
        }
    }

    fn line(&mut self) -> Parsed<Line> {
        let starts_with_register = matches!(self.peek(), Token::RegisterName(_))
            || matches!((self.peek(), self.peek_second()), (Token::Word(_), Token::Punct("=")));
        if starts_with_register {
            let dest = self.register()?;
            self.punct("=")?;
            return Ok(Line::Inst(self.assigning(dest)?));
        }
        let Token::Word(word) = *self.peek() else {
            return self.error("an instruction or a terminator");
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
            return self.error("an instruction or a terminator");
        }
        self.advance();
        Ok(match word {
            "store" => {
                let (ty, address) = self.typed_address()?;
                self.punct(",")?;
                let value = self.operand()?;
                InstKind::Store { address, value, ty, ordering: self.ordering() }
            }
            "fence" => InstKind::Fence(self.read_word("an ordering", Ordering::from_word)?),
            "free" => InstKind::Free { pointer: self.operand()? },
            "end_life" => InstKind::EndLife(self.lifetime()?),
            "call" => self.call(None)?,
            "intrinsic" => self.intrinsic(None)?,
            "assume" => InstKind::Assume(self.operand()?),
            "wait_until" => InstKind::WaitUntil(self.operand()?),
            "check" => {
                let property = self.read_word("a property", Property::from_word)?;
                let condition = self.operand()?;
                self.punct(",")?;
                let message = self.quoted()?.into();
                let if_unchecked =
                    if self.eat_word("ends") { IfUnchecked::Ends } else { IfUnchecked::GoesOn };
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
        if self.eat_word("load") {
            let (ty, address) = self.typed_address()?;
            return Ok(InstKind::Load { dest, address, ty, ordering: self.ordering() });
        }
        if self.eat_word("rmw") {
            let op = self.read_word("an operation of a read-modify-write", RmwOp::from_word)?;
            let (ty, address) = self.typed_address()?;
            self.punct(",")?;
            let value = self.operand()?;
            return Ok(InstKind::AtomicRmw { dest, op, address, value, ty, ordering: self.ordering() });
        }
        if self.eat_word("compare_exchange") {
            let (ty, address) = self.typed_address()?;
            self.punct(",")?;
            let (expected, desired) = self.pair()?;
            let ordering = self.ordering();
            let failure = if self.eat_word("else") {
                self.read_word("a memory order", Ordering::from_word)?
            } else {
                ordering
            };
            return Ok(InstKind::CompareExchange { dest, address, expected, desired, ty, ordering, failure });
        }
        if self.eat_word("alloc") {
            let storage = self.read_word("heap, local or dynamic", AllocStorage::from_word)?;
            let size = self.operand()?;
            if !self.eat_word("align") {
                return self.error("align");
            }
            let align = self.offset()?;
            let zeroed = self.eat_word("zeroed");
            let name = self.quoted()?.into();
            let shape = Box::new(self.shape_clause()?);
            return Ok(InstKind::Alloc { dest, size, align, storage, zeroed, name, shape });
        }
        if self.eat_word("call") {
            return self.call(Some(dest));
        }
        if self.eat_word("intrinsic") {
            return self.intrinsic(Some(dest));
        }
        if self.eat_word("havoc") {
            return Ok(InstKind::Havoc { dest, site: self.id('h', "a site of nondeterminism like h0")? });
        }
        if self.eat_word("fork") {
            let function = self.operand()?;
            self.punct("(")?;
            let argument = self.operand()?;
            self.punct(")")?;
            return Ok(InstKind::Fork { dest, function, argument });
        }
        if self.eat_word("join") {
            return Ok(InstKind::Join { dest: Some(dest), thread: self.operand()? });
        }
        Ok(InstKind::Assign { dest, value: self.rvalue()? })
    }

    fn rvalue(&mut self) -> Parsed<Rvalue> {
        let Token::Word(word) = *self.peek() else { return Ok(Rvalue::Use(self.operand()?)) };
        if let Some(op) = UnaryOp::from_word(word) {
            self.advance();
            return Ok(Rvalue::Unary(op, self.operand()?));
        }
        if let Some(op) = BinaryOp::from_word(word) {
            self.advance();
            let (a, b) = self.pair()?;
            return Ok(Rvalue::Binary(op, a, b));
        }
        if let Some(op) = CompareOp::from_word(word) {
            self.advance();
            let (a, b) = self.pair()?;
            return Ok(Rvalue::Compare(op, a, b));
        }
        if let Some(op) = CastOp::from_word(word) {
            self.advance();
            return Ok(Rvalue::Cast(op, self.operand()?));
        }
        self.other_rvalue(word)
    }

    fn other_rvalue(&mut self, word: &str) -> Parsed<Rvalue> {
        match word {
            "select" => {
                self.advance();
                let condition = self.operand()?;
                self.punct(",")?;
                let (a, b) = self.pair()?;
                Ok(Rvalue::Select(condition, a, b))
            }
            "pointer_add" => {
                self.advance();
                let (a, b) = self.pair()?;
                Ok(Rvalue::PointerAdd(a, b))
            }
            "pointer_difference" => {
                self.advance();
                let (a, b) = self.pair()?;
                Ok(Rvalue::PointerDifference(a, b))
            }
            "overflows" => {
                self.advance();
                let op = self.read_word("an operation that may overflow", OverflowOp::from_word)?;
                let (a, b) = self.pair()?;
                Ok(Rvalue::Overflows(op, a, b))
            }
            "thread_local" => {
                self.advance();
                Ok(Rvalue::ThreadLocal(self.global_reference()?))
            }
            "current_thread" => {
                self.advance();
                Ok(Rvalue::CurrentThread)
            }
            "thread_exists" => {
                self.advance();
                Ok(Rvalue::ThreadExists(self.operand()?))
            }
            "object_size" => {
                self.advance();
                Ok(Rvalue::ObjectSize(self.operand()?))
            }
            "holds_lock" => {
                self.advance();
                Ok(Rvalue::HoldsLock(self.operand()?))
            }
            "lock_is_free" => {
                self.advance();
                Ok(Rvalue::LockIsFree(self.operand()?))
            }
            "peek" => {
                self.advance();
                let word = self.operand()?;
                if !self.eat_word("unwritten") {
                    return self.error("unwritten");
                }
                match u32::try_from(self.offset()?) {
                    Ok(unwritten) => Ok(Rvalue::Peek(word, unwritten)),
                    Err(_) => self.error("a number of 32 bits"),
                }
            }
            _ => Ok(Rvalue::Use(self.operand()?)),
        }
    }

    fn global_reference(&mut self) -> Parsed<GlobalId> {
        if let Token::SymbolName(name) = self.peek() {
            return match self.symbols.get(name) {
                Some(Some(Constant::Global(global, _))) => {
                    let global = *global;
                    self.advance();
                    Ok(global)
                }
                _ => self.error("the name of one global"),
            };
        }
        self.id('g', "a global")
    }

    fn lifetime(&mut self) -> Parsed<Lifetime> {
        if self.eat_word("object") {
            Ok(Lifetime::Object(self.operand()?))
        } else if self.eat_word("activation") {
            Ok(Lifetime::Activation)
        } else if self.eat_word("activations") {
            Ok(Lifetime::Activations)
        } else if self.eat_word("thread") {
            Ok(Lifetime::Thread)
        } else if self.eat_word("contents") {
            let pointer = self.operand()?;
            self.punct(",")?;
            Ok(Lifetime::Contents { pointer, size: self.small_number("a number of bytes")? })
        } else {
            self.error("object, activation, activations, thread or contents")
        }
    }

    fn call(&mut self, dest: Option<RegisterId>) -> Parsed<InstKind> {
        let callee = self.operand()?;
        Ok(InstKind::Call { dest, callee, arguments: self.arguments()? })
    }

    fn intrinsic(&mut self, dest: Option<RegisterId>) -> Parsed<InstKind> {
        let which = if self.eat_word("math") {
            Intrinsic::Math(self.read_word("a function of <math.h>", MathFunction::from_word)?)
        } else {
            let known = [
                Intrinsic::PutByte,
                Intrinsic::PutInteger,
                Intrinsic::PutFloat,
                Intrinsic::PutPointer,
                Intrinsic::FloatByte,
                Intrinsic::Decimal,
            ];
            self.read_word("an intrinsic", |word| known.into_iter().find(|which| which.word() == word))?
        };
        Ok(InstKind::Intrinsic { dest, which, arguments: self.arguments()? })
    }

    fn arguments(&mut self) -> Parsed<Vec<Operand>> {
        self.punct("(")?;
        let mut arguments = Vec::new();
        while !self.eat_punct(")") {
            if !arguments.is_empty() {
                self.punct(",")?;
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
        self.advance();
        Ok(Some(match word {
            "jump" => Terminator::Jump(self.target()?),
            "branch" => {
                let condition = self.operand()?;
                self.punct(",")?;
                let yes = self.target()?;
                self.punct(",")?;
                Terminator::Branch(condition, yes, self.target()?)
            }
            "switch" => self.switch()?,
            "return" => Terminator::Return(if self.at_operand() { Some(self.operand()?) } else { None }),
            "exit_thread" => Terminator::ExitThread(self.operand()?),
            "exit_process" => Terminator::ExitProcess(self.operand()?),
            "abort" => Terminator::Abort,
            "unreachable" => Terminator::Unreachable,
            _ => Terminator::Unsupported(self.quoted()?.into()),
        }))
    }

    fn switch(&mut self) -> Parsed<Terminator> {
        let value = self.operand()?;
        self.punct("{")?;
        let mut cases = Vec::new();
        while !self.eat_word("default") {
            if !matches!(self.peek(), Token::Number(_)) {
                return self.error("a case's number or default");
            }
            let low = self.number()?;
            let high = if self.eat_punct("..") { self.number()? } else { low };
            self.punct(":")?;
            cases.push((low, high, self.target()?));
            self.punct(",")?;
        }
        self.punct(":")?;
        let default = self.target()?;
        self.punct("}")?;
        Ok(Terminator::Switch { value, cases, default })
    }

    fn target(&mut self) -> Parsed<BlockId> {
        self.id('b', "a block id like b0")
    }

    fn ordering(&mut self) -> Ordering {
        let Token::Word(word) = *self.peek() else { return Ordering::Plain };
        let Some(ordering) = Ordering::from_word(word) else { return Ordering::Plain };
        self.advance();
        ordering
    }

    fn typed_address(&mut self) -> Parsed<(Type, Operand)> {
        Ok((self.ty()?, self.address()?))
    }

    /// `[pointer]`
    fn address(&mut self) -> Parsed<Operand> {
        self.punct("[")?;
        let address = self.operand()?;
        self.punct("]")?;
        Ok(address)
    }

    fn pair(&mut self) -> Parsed<(Operand, Operand)> {
        let first = self.operand()?;
        self.punct(",")?;
        Ok((first, self.operand()?))
    }

    fn at_operand(&self) -> bool {
        match self.peek() {
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
        if let Token::RegisterName(name) = self.peek() {
            return match self.registers.get(name) {
                Some(Some(register)) => {
                    let register = *register;
                    self.advance();
                    Ok(register)
                }
                _ => self.error("a register of this function"),
            };
        }
        self.id('r', "a register")
    }

    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        let is_register = if let Token::Word(word) = self.peek() {
            word.starts_with('r') && word[1..].starts_with(|c: char| c.is_ascii_digit())
        } else {
            matches!(self.peek(), Token::RegisterName(_))
        };
        Ok(if is_register {
            Operand::Register(self.register()?)
        } else {
            Operand::Constant(self.constant()?)
        })
    }

    pub(super) fn constant(&mut self) -> Parsed<Constant> {
        if let Token::SymbolName(name) = self.peek() {
            let Some(&Some(symbol)) = self.symbols.get(name) else {
                return self.error("the name of one global or function");
            };
            self.advance();
            return match symbol {
                Constant::Global(global, _) => self.moved(global),
                Constant::Function(_)
                | Constant::Int(..)
                | Constant::F32(_)
                | Constant::F64(_)
                | Constant::Null => Ok(symbol),
            };
        }
        let Token::Word(word) = *self.peek() else { return self.error("an operand") };
        match word {
            "true" | "false" => {
                self.advance();
                Ok(Constant::bool(word == "true"))
            }
            "null" => {
                self.advance();
                Ok(Constant::Null)
            }
            "function" => {
                self.advance();
                Ok(Constant::Function(self.id('f', "a function id like f0")?))
            }
            "f32" => {
                self.advance();
                if self.eat_word("bits") {
                    return Ok(Constant::F32(self.small_number("32 bits")?));
                }
                Ok(Constant::F32(self.float::<f32>()?.to_bits()))
            }
            "f64" => {
                self.advance();
                if self.eat_word("bits") {
                    return Ok(Constant::F64(self.small_number("64 bits")?));
                }
                Ok(Constant::F64(self.float::<f64>()?.to_bits()))
            }
            _ if word.starts_with('g') => {
                let global = self.id('g', "an operand")?;
                self.moved(global)
            }
            _ if word.starts_with('i') => self.integer(),
            _ => self.error("an operand"),
        }
    }

    /// `+ n` or `- n` behind a global.
    fn moved(&mut self, global: GlobalId) -> Parsed<Constant> {
        let offset = if self.eat_punct("+") {
            self.small_number("an offset of 64 bits")?
        } else if self.eat_punct("-") {
            let distance: u64 = self.small_number("an offset of 64 bits")?;
            match 0i64.checked_sub_unsigned(distance) {
                Some(offset) => offset,
                None => return self.error("an offset of 64 bits before this"),
            }
        } else {
            0
        };
        Ok(Constant::Global(global, offset))
    }

    fn integer(&mut self) -> Parsed<Constant> {
        let Type::Int(bits) = self.ty()? else { return self.error("an operand") };
        let negative = self.eat_punct("-");
        let magnitude = self.number()?;
        let value = if negative {
            let mask = 1u128.checked_shl(bits.into()).unwrap_or(0).wrapping_sub(1);
            magnitude.wrapping_neg() & mask
        } else {
            magnitude
        };
        Ok(Constant::Int(bits, value))
    }

    fn float<F: std::str::FromStr + std::ops::Neg<Output = F>>(&mut self) -> Parsed<F> {
        let negative = self.eat_punct("-");
        let Token::Number(digits) = *self.peek() else { return self.error("a floating number") };
        match digits.parse::<F>() {
            Ok(value) => {
                self.advance();
                Ok(if negative { -value } else { value })
            }
            Err(_) => self.error("a floating number"),
        }
    }
}
