//! Words of the text form, with their positions.

use std::fmt;

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// Letters, digits, `_`, `.` and `$`, not starting with a digit: keywords and ids.
    Word(&'t str),
    /// `%name` or `%"name"`
    RegisterName(String),
    /// `@name` or `@"name"`
    SymbolName(String),
    /// Digits, or `0x` and hexadecimal digits; with a fraction or exponent, too.
    Number(&'t str),
    /// `@lo-hi`
    Span(u32, u32),
    /// A quoted text, with escapes resolved.
    Text(String),
    /// One of `{}[]():,=+-` or `..` as one token (two dots).
    Punct(&'static str),
    /// The end of the text.
    End,
    /// Something that is no token: what was expected, and what was found.
    Bad(&'static str, String),
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) | Self::Number(word) => f.write_str(word),
            Self::RegisterName(name) => write!(f, "%{name}"),
            Self::SymbolName(name) => write!(f, "@{name}"),
            Self::Span(lo, hi) => write!(f, "@{lo}-{hi}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Punct(punct) => f.write_str(punct),
            Self::End => f.write_str("the end"),
            Self::Bad(_, found) => f.write_str(found),
        }
    }
}

/// A token and the offset of its first byte.
#[derive(Clone, Debug)]
pub(super) struct Lexed<'t> {
    pub(super) token: Token<'t>,
    pub(super) offset: usize,
}

/// Whether a name can be written without quotes.
pub(super) fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| is_word_char(first) && !first.is_ascii_digit() && first != '.')
        && chars.all(is_word_char)
        && !name.contains("..")
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// Splits a text into tokens; the last one is the end or the first bad one.
pub(super) fn lex(text: &str) -> Vec<Lexed<'_>> {
    let mut lexer = Lexer { text, position: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let offset = lexer.position;
        let token = lexer.next_token();
        let last = matches!(token, Token::End | Token::Bad(..));
        tokens.push(Lexed { token, offset });
        if last {
            return tokens;
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.position += rest.len() - trimmed.len();
            if !trimmed.starts_with(';') {
                return;
            }
            self.position += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// The longest run of characters that fit.
    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn next_token(&mut self) -> Token<'t> {
        let Some(first) = self.peek() else { return Token::End };
        if first.is_ascii_digit() {
            return Token::Number(self.number());
        }
        if is_word_char(first) && first != '.' {
            return Token::Word(self.word());
        }
        match first {
            '"' => match self.quoted() {
                Ok(text) => Token::Text(text),
                Err(bad) => bad,
            },
            '%' => {
                self.position += 1;
                self.name(Token::RegisterName, "a register's name")
            }
            '@' => {
                self.position += 1;
                if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    self.span()
                } else {
                    self.name(Token::SymbolName, "a name or a span")
                }
            }
            _ => self.punct(first),
        }
    }

    /// Word characters up to two dots, which are a token of their own.
    fn word(&mut self) -> &'t str {
        let start = self.position;
        let run = self.take_while(is_word_char);
        let end = run.find("..").unwrap_or(run.len());
        self.position = start + end;
        &run[..end]
    }

    fn number(&mut self) -> &'t str {
        let start = self.position;
        self.word();
        // A signed exponent: `1e-7`.
        let so_far = &self.text[start..self.position];
        if so_far.ends_with(['e', 'E']) && !so_far.starts_with("0x") && self.rest().starts_with(['-', '+']) {
            self.position += 1;
            self.word();
        }
        &self.text[start..self.position]
    }

    fn span(&mut self) -> Token<'t> {
        let start = self.position;
        let lo = self.take_while(|c| c.is_ascii_digit()).parse();
        let dash = self.rest().starts_with('-');
        self.position += usize::from(dash);
        let hi = self.take_while(|c| c.is_ascii_digit()).parse();
        match (lo, dash, hi) {
            (Ok(lo), true, Ok(hi)) => Token::Span(lo, hi),
            _ => Token::Bad("a span like @3-7", format!("@{}", &self.text[start..self.position])),
        }
    }

    fn name(&mut self, make: fn(String) -> Token<'static>, expected: &'static str) -> Token<'t> {
        if self.peek() == Some('"') {
            return match self.quoted() {
                Ok(name) => make(name),
                Err(bad) => bad,
            };
        }
        let name = self.word();
        if is_plain_name(name) { make(name.to_owned()) } else { Token::Bad(expected, format!("{name:?}")) }
    }

    fn quoted(&mut self) -> Result<String, Token<'t>> {
        let mut chars = self.rest().char_indices().skip(1);
        let mut text = String::new();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.position += offset + 1;
                    return Ok(text);
                }
                '\\' => match chars.next().map(|(_, escaped)| escaped) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(same @ ('"' | '\\')) => text.push(same),
                    Some('u') => {
                        let digits: String =
                            chars.by_ref().skip(1).map(|(_, c)| c).take_while(|c| *c != '}').collect();
                        let escaped = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                        text.push(escaped.ok_or_else(|| {
                            Token::Bad("an escape like \\u{7f}", format!("\\u{{{digits}}}"))
                        })?);
                    }
                    Some(other) => {
                        return Err(Token::Bad(
                            "an escape \\n, \\t, \\\", \\\\ or \\u{7f}",
                            format!("\\{other}"),
                        ));
                    }
                    None => break,
                },
                _ => text.push(c),
            }
        }
        Err(Token::Bad("a closing quote", "the end".to_owned()))
    }

    fn punct(&mut self, first: char) -> Token<'t> {
        const PUNCTS: [&str; 13] = ["..", "->", "{", "}", "[", "]", "(", ")", ":", ",", "=", "+", "-"];
        match PUNCTS.iter().find(|punct| self.rest().starts_with(**punct)) {
            Some(punct) => {
                self.position += punct.len();
                Token::Punct(punct)
            }
            None => Token::Bad("a word of the text form", first.to_string()),
        }
    }
}
