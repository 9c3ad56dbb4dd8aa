//! Text to tokens.
//!
//! The lexer reads preprocessed C: what `cc -E` prints, or a `.i` file. It allocates nothing per token: names
//! are interned, and literals keep only their span (see [`crate::literal`] for their values). Line markers go
//! to the source map. `#pragma` lines are dropped, except `pack`, whose token spans the text from `pack` to the
//! end of the line (or of the string in `_Pragma`).
//!
//! Whatever cannot be a token is reported here, once: stray characters are dropped, as gcc does, and an
//! unterminated literal becomes a [`TokenKind::Unknown`] token, which the parser takes without a further message.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::{memchr, memchr2, memchr3, memmem};
use raddle_base::{Diagnostic, Diagnostics, FileId, Id, LineMarker, SourceMap, Span};
use rustc_hash::FxHashMap;

use crate::names::{Names, Symbol};
use crate::token::{KEYWORDS, Token, TokenKind};

mod characters;
mod recent;

pub(crate) use characters::decode_utf8;
use characters::{may_begin_identifier, may_continue_identifier, universal_character_name};
use recent::RecentNames;

/// After this many stray characters the text is no C, and the rest is not looked at.
const MAX_STRAY: u32 = 20;
/// The longest delimiter of a raw string.
const MAX_RAW_DELIMITER: usize = 16;

/// Lexes a preprocessed text, records its line markers in the source map, and ends with [`TokenKind::Eof`].
pub fn lex(
    sources: &mut SourceMap,
    file: FileId,
    names: &mut Names,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let source = sources.file(file);
    let text = Arc::clone(&source.text);
    let mut lexer = Lexer {
        text: &text,
        start: source.start,
        position: 0,
        fresh_line: true,
        keywords: keyword_table(names),
        pragma_operator: names.intern("_Pragma"),
        pragma_operator_seen: false,
        names,
        recent: RecentNames::new(),
        diagnostics,
        // Preprocessed text has a token every five bytes or so.
        tokens: Vec::with_capacity(text.len() / 4 + 1),
        markers: Vec::new(),
        marker_files: FxHashMap::default(),
        name: Arc::clone(&source.name),
        stray: 0,
        directive_reported: false,
        nul_reported: false,
    };
    lexer.run();
    let (tokens, markers) = (lexer.tokens, lexer.markers);
    sources.set_markers(file, markers);
    tokens
}

/// The keyword that each symbol stands for, by the symbol's index. The keywords are interned first of all, so
/// the table is short.
fn keyword_table(names: &mut Names) -> Vec<Option<TokenKind>> {
    let mut table = Vec::with_capacity(KEYWORDS.len());
    for &(spelling, kind) in KEYWORDS {
        let index = names.intern(spelling).index();
        if table.len() <= index {
            table.resize(index + 1, None);
        }
        table[index] = Some(kind);
    }
    table
}

/// Which bytes go on with an identifier without a second look.
const IDENTIFIER: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
        byte += 1;
    }
    table
};

struct Lexer<'a> {
    text: &'a [u8],
    /// The global position of the text's first byte.
    start: u32,
    position: usize,
    /// Whether only white space and comments were met on this line so far.
    fresh_line: bool,
    keywords: Vec<Option<TokenKind>>,
    pragma_operator: Symbol,
    pragma_operator_seen: bool,
    names: &'a mut Names,
    recent: RecentNames,
    diagnostics: &'a mut Diagnostics,
    tokens: Vec<Token>,
    markers: Vec<LineMarker>,
    /// The file names met in line markers, so that each is kept once.
    marker_files: FxHashMap<Vec<u8>, Arc<str>>,
    /// The name of the text itself.
    name: Arc<str>,
    stray: u32,
    directive_reported: bool,
    nul_reported: bool,
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with(b"\xEF\xBB\xBF") {
            self.position = 3;
        }
        while let Some(&byte) = self.text.get(self.position) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\x0B' | b'\x0C' => self.position += 1,
                b'\n' => {
                    self.position += 1;
                    self.fresh_line = true;
                }
                b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' => self.identifier(),
                b'0'..=b'9' => self.number(),
                b'"' | b'\'' => self.quoted(self.position, self.position),
                _ => self.other(byte),
            }
        }
        let end = self.text.len();
        self.push(TokenKind::Eof, end, end);
        if self.pragma_operator_seen {
            self.take_pragma_operators();
        }
    }

    /// Whatever is neither space, name, number nor literal.
    fn other(&mut self, byte: u8) {
        let (second, after) = self.peek(self.position + 1);
        match byte {
            b'.' if second.is_ascii_digit() => self.number(),
            b'/' if second == b'*' => self.block_comment(after + 1),
            b'/' if second == b'/' => self.position = self.line_end(after + 1),
            b'#' if self.fresh_line => self.directive(self.position + 1),
            b'%' if self.fresh_line && second == b':' => self.directive(after + 1),
            b'\\' | 0x80.. => self.escaped_or_foreign(),
            0 => self.nul(),
            _ => match self.punctuator(byte, second, after) {
                Some((kind, end)) => {
                    self.push(kind, self.position, end);
                    self.position = end;
                }
                None => self.stray_at(self.position, self.position + 1),
            },
        }
    }

    fn push(&mut self, kind: TokenKind, lo: usize, hi: usize) {
        self.push_named(kind, None, lo, hi);
    }

    fn push_named(&mut self, kind: TokenKind, symbol: Option<Symbol>, lo: usize, hi: usize) {
        let span = self.span(lo, hi);
        self.tokens.push(Token { kind, symbol, span });
        self.fresh_line = false;
    }

    fn span(&self, lo: usize, hi: usize) -> Span {
        Span::new(self.global(lo), self.global(hi))
    }

    #[expect(clippy::cast_possible_truncation, reason = "the source map holds at most 4 GiB of text")]
    fn global(&self, position: usize) -> u32 {
        self.start + position as u32
    }

    fn error(&mut self, lo: usize, hi: usize, message: impl Into<String>) -> &mut Self {
        let span = self.span(lo, hi);
        self.diagnostics.push(Diagnostic::error(span, message));
        self
    }

    /// The byte at or after `at` that is no line splice, and its position. Zero at the end.
    fn peek(&self, at: usize) -> (u8, usize) {
        match self.text.get(at) {
            Some(b'\\') => {
                let at = skip_splices(self.text, at);
                (self.text.get(at).copied().unwrap_or(0), at)
            }
            Some(&byte) => (byte, at),
            None => (0, at),
        }
    }

    // --- names and numbers

    fn identifier(&mut self) {
        let begin = self.position;
        let mut end = begin + 1;
        while self.text.get(end).is_some_and(|&byte| IDENTIFIER[usize::from(byte)]) {
            end += 1;
        }
        match self.text.get(end) {
            Some(b'"' | b'\'') if self.literal_prefix(begin, end) => return,
            Some(b'\\' | 0x80..) => {
                self.slow_identifier(begin);
                return;
            }
            _ => {}
        }
        let symbol = self.recent.symbol(self.text, begin, end, self.names);
        self.position = end;
        self.name_token(symbol, begin, end);
    }

    fn name_token(&mut self, symbol: Symbol, begin: usize, end: usize) {
        let keyword = self.keywords.get(symbol.index()).copied().flatten();
        self.pragma_operator_seen |= symbol == self.pragma_operator;
        self.push_named(keyword.unwrap_or(TokenKind::Identifier), Some(symbol), begin, end);
    }

    /// An identifier with universal character names, other than ASCII characters, or line splices. Gives `false`
    /// and takes nothing when none begins here.
    fn slow_identifier(&mut self, begin: usize) -> bool {
        let mut spelling = String::new();
        let mut at = begin;
        while let Some((character, end)) = self.identifier_character(at) {
            if spelling.is_empty() && !may_begin_identifier(character) {
                return false;
            }
            spelling.push(character);
            at = end;
        }
        if spelling.is_empty() {
            return false;
        }
        // A prefix may stand apart from its literal by a line splice only.
        let quote = skip_splices(self.text, at);
        if matches!(self.text.get(quote), Some(b'"' | b'\''))
            && is_prefix(spelling.as_bytes(), self.text[quote])
        {
            if spelling.ends_with('R') {
                self.raw_string(begin, quote)
            } else {
                self.quoted(begin, quote)
            }
            return true;
        }
        let symbol = self.names.intern(&spelling);
        self.position = at;
        self.name_token(symbol, begin, at);
        true
    }

    /// The character at `at`, after line splices, if it may be part of an identifier, and where it ends.
    fn identifier_character(&self, at: usize) -> Option<(char, usize)> {
        let at = skip_splices(self.text, at);
        let byte = *self.text.get(at)?;
        if IDENTIFIER[usize::from(byte)] {
            return Some((char::from(byte), at + 1));
        }
        let (character, end) = match byte {
            b'\\' => universal_character_name(self.text, at)?,
            0x80.. => {
                decode_utf8(&self.text[at..]).map(|character| (character, at + character.len_utf8()))?
            }
            _ => return None,
        };
        (character == '$' || may_continue_identifier(character)).then_some((character, end))
    }

    /// Takes the literal at `quote` if what stands before it is a prefix of such a literal.
    fn literal_prefix(&mut self, begin: usize, quote: usize) -> bool {
        let prefix = &self.text[begin..quote];
        if !is_prefix(prefix, self.text[quote]) {
            return false;
        }
        if prefix.ends_with(b"R") {
            self.raw_string(begin, quote);
        } else {
            self.quoted(begin, quote);
        }
        true
    }

    /// A preprocessing number: more than the valid constants; [`crate::literal`] handles those.
    fn number(&mut self) {
        let begin = self.position;
        let mut end = begin + 1;
        let mut previous = self.text[begin];
        while let Some(&byte) = self.text.get(end) {
            let sign = matches!(byte, b'+' | b'-') && matches!(previous, b'e' | b'E' | b'p' | b'P');
            if IDENTIFIER[usize::from(byte)] || byte == b'.' || sign {
                end += 1;
                previous = byte;
            } else if byte == b'\\' && skip_splices(self.text, end) != end {
                let after = skip_splices(self.text, end);
                let more = self.text.get(after).is_some_and(|&byte| {
                    IDENTIFIER[usize::from(byte)] || byte == b'.' || matches!(byte, b'+' | b'-')
                });
                if !more {
                    break;
                }
                end = after;
            } else if let (b'\\' | 0x80.., Some((_, after))) = (byte, self.identifier_character(end)) {
                end = after;
                previous = 0;
            } else {
                break;
            }
        }
        let kind = if is_float(&self.text[begin..end]) { TokenKind::Float } else { TokenKind::Integer };
        self.push(kind, begin, end);
        self.position = end;
    }

    // --- literals

    /// A string or character constant whose prefix begins at `begin` and whose quote is at `open`.
    fn quoted(&mut self, begin: usize, open: usize) {
        let quote = self.text[open];
        let mut at = open + 1;
        while let Some(found) = memchr3(quote, b'\\', b'\n', &self.text[at..]) {
            at += found;
            match self.text[at] {
                b'\\' => {
                    let after = skip_splices(self.text, at);
                    at = if after == at { skip_splices(self.text, at + 1) + 1 } else { after };
                    if at >= self.text.len() {
                        break;
                    }
                }
                b'\n' => return self.unterminated(begin, trim_end(self.text, begin, at), quote),
                _ => {
                    let kind = if quote == b'"' { TokenKind::String } else { TokenKind::Char };
                    self.push(kind, begin, at + 1);
                    self.position = at + 1;
                    return;
                }
            }
        }
        self.unterminated(begin, trim_end(self.text, begin, self.text.len()), quote);
    }

    fn unterminated(&mut self, begin: usize, end: usize, quote: u8) {
        let span = self.span(begin, end);
        let diagnostic = if quote == b'"' {
            Diagnostic::error(span, "unterminated string literal")
                .label("no closing `\"` on this line")
                .help("close the string on its line; adjacent strings are joined")
        } else {
            Diagnostic::error(span, "unterminated character constant").label("no closing `'` on this line")
        };
        self.diagnostics.push(diagnostic);
        self.push(TokenKind::Unknown, begin, end);
        self.position = end;
    }

    /// `R"delimiter(…)delimiter"`, which GNU C17 has from C++.
    fn raw_string(&mut self, begin: usize, open: usize) {
        let rest = &self.text[open + 1..];
        let valid = |&byte: &u8| !matches!(byte, b')' | b'\\' | b'"' | b' ' | b'\t' | b'\n' | b'\r');
        let paren = rest.iter().take(MAX_RAW_DELIMITER + 1).position(|&byte| byte == b'(');
        let Some(delimiter) = paren.map(|paren| &rest[..paren]).filter(|text| text.iter().all(valid)) else {
            self.error(begin, open + 1, "invalid delimiter of a raw string");
            return self.quoted(begin, open);
        };
        let closing = [b")", delimiter, b"\""].concat();
        match memmem::find(rest, &closing) {
            Some(found) => {
                let end = open + 1 + found + closing.len();
                self.push(TokenKind::String, begin, end);
                self.position = end;
            }
            None => {
                self.error(begin, open + 1, "unterminated raw string");
                self.push(TokenKind::Unknown, begin, open + 1);
                self.position = self.text.len();
            }
        }
    }

    // --- comments and directives

    fn block_comment(&mut self, mut at: usize) {
        let begin = self.position;
        while let Some(star) = memchr(b'*', self.text.get(at..).unwrap_or_default()) {
            let (next, place) = self.peek(at + star + 1);
            if next == b'/' {
                self.position = place + 1;
                return;
            }
            at += star + 1;
        }
        let span = self.span(begin, begin + 2);
        self.diagnostics.push(
            Diagnostic::error(span, "unterminated comment")
                .label("the comment begins here")
                .help("close it with `*/`"),
        );
        self.position = self.text.len();
    }

    /// The end of the line that `at` is on: its newline, one that ends with a backslash not counted.
    fn line_end(&self, mut at: usize) -> usize {
        while let Some(found) = memchr2(b'\n', b'\\', self.text.get(at..).unwrap_or_default()) {
            at += found;
            if self.text[at] == b'\n' {
                return at;
            }
            at = skip_splices(self.text, at).max(at + 1);
        }
        self.text.len()
    }

    /// A line that begins with `#`; `at` is just behind it.
    fn directive(&mut self, at: usize) {
        let begin = self.position;
        let end = self.line_end(at);
        self.position = end;
        let line = trim_start(&self.text[at..end]);
        let word_length = line.iter().take_while(|&&byte| IDENTIFIER[usize::from(byte)]).count();
        let (word, rest) = line.split_at(word_length);
        match word {
            [b'0'..=b'9', ..] => self.line_marker(begin, end, line),
            b"line" => self.line_marker(begin, end, trim_start(rest)),
            b"pragma" => {
                let rest = trim_start(rest);
                let from = end - rest.len();
                self.pragma(rest, from);
            }
            // An empty directive means nothing; gcc, too, passes over the others in preprocessed text.
            b"" if line.is_empty() || line.starts_with(b"\r") => {}
            b"define" | b"undef" | b"ident" | b"sccs" | b"assert" | b"unassert" => {}
            _ => self.unexpanded(begin, word),
        }
    }

    fn unexpanded(&mut self, begin: usize, word: &[u8]) {
        if std::mem::replace(&mut self.directive_reported, true) {
            return;
        }
        let name = String::from_utf8_lossy(word);
        let end = trim_end(self.text, begin, self.position);
        let span = self.span(begin, end);
        self.diagnostics.push(
            Diagnostic::error(span, format!("preprocessing directive `#{name}` in preprocessed text"))
                .label("this should have been expanded")
                .note("a `.i` file is taken as it is; further directives in it are not reported")
                .help("give the file the extension `.c` to have it preprocessed"),
        );
    }

    /// `12 "file" 1 3`, after `#` or `#line`.
    fn line_marker(&mut self, begin: usize, end: usize, line: &[u8]) {
        let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&line[..digits]).ok().and_then(|digits| digits.parse().ok());
        let rest = trim_start(&line[digits..]);
        let named = if rest.first() == Some(&b'"') { marker_name(&rest[1..]) } else { Some((&[][..], rest)) };
        let (Some(number), Some((name, flags))) = (number, named) else {
            self.error(begin, trim_end(self.text, begin, end), "malformed line marker");
            return;
        };
        let previous = self.markers.last();
        let (file, system) = if name.is_empty() && rest.first() != Some(&b'"') {
            previous
                .map_or((Arc::clone(&self.name), false), |marker| (Arc::clone(&marker.file), marker.system))
        } else {
            (self.marker_file(name), false)
        };
        let flagged = flags.split(|byte| !byte.is_ascii_digit()).any(|flag| flag == b"3");
        let position = self.global((end + 1).min(self.text.len()));
        self.markers.push(LineMarker { position, line: number, file, system: system || flagged });
    }

    fn marker_file(&mut self, name: &[u8]) -> Arc<str> {
        if let Some(known) = self.marker_files.get(name) {
            return Arc::clone(known);
        }
        let file: Arc<str> = String::from_utf8_lossy(&unescape_name(name)).into();
        self.marker_files.insert(name.to_vec(), Arc::clone(&file));
        file
    }

    /// `#pragma` with `rest` behind it, which begins at `from`.
    fn pragma(&mut self, rest: &[u8], from: usize) {
        if is_pack(rest) {
            let end = trim_end(self.text, from, from + rest.len());
            self.push(TokenKind::PragmaPack, from, end);
        }
        self.fresh_line = false;
    }

    /// Replaces `_Pragma ( "…" )` by what the directive would have given.
    fn take_pragma_operators(&mut self) {
        let tokens = std::mem::take(&mut self.tokens);
        let mut rest = tokens.as_slice();
        while let Some((&token, after)) = rest.split_first() {
            rest = after;
            if token.symbol != Some(self.pragma_operator) {
                self.tokens.push(token);
                continue;
            }
            let (operand, after) = match rest {
                [open, operand, close, after @ ..]
                    if open.kind == TokenKind::LeftParen
                        && operand.kind == TokenKind::String
                        && close.kind == TokenKind::RightParen =>
                {
                    (operand, after)
                }
                _ => {
                    self.diagnostics.push(Diagnostic::error(
                        token.span,
                        "`_Pragma` takes a string literal in parentheses",
                    ));
                    continue;
                }
            };
            rest = after;
            let (lo, hi) = ((operand.span.lo - self.start) as usize, (operand.span.hi - self.start) as usize);
            let literal = &self.text[lo..hi];
            let Some(open) = memchr(b'"', literal) else { continue };
            let inside = trim_start(&literal[open + 1..literal.len() - 1]);
            if is_pack(inside) {
                let span = self.span(hi - 1 - inside.len(), hi - 1);
                self.tokens.push(Token { kind: TokenKind::PragmaPack, symbol: None, span });
            }
        }
    }

    // --- what is no token

    /// A backslash or a byte that is not ASCII: perhaps the start of a name.
    fn escaped_or_foreign(&mut self) {
        let begin = self.position;
        let after = skip_splices(self.text, begin);
        if after != begin {
            self.position = after;
            return;
        }
        if self.slow_identifier(begin) {
            return;
        }
        // A run of such bytes is one mistake.
        let foreign = self.text[begin..].iter().take_while(|&&byte| byte >= 0x80).count();
        self.stray_at(begin, begin + foreign.max(1));
    }

    fn stray_at(&mut self, begin: usize, end: usize) {
        self.position = end;
        self.fresh_line = false;
        self.stray += 1;
        if self.stray > MAX_STRAY {
            self.error(begin, end, "too many stray characters: this does not look like C");
            self.position = self.text.len();
            return;
        }
        let bytes = &self.text[begin..end];
        let message = match std::str::from_utf8(bytes) {
            Ok(text) if !text.chars().any(char::is_control) => format!("stray `{text}` in program"),
            Ok(_) | Err(_) => {
                let codes: Vec<String> = bytes.iter().take(4).map(|byte| format!("\\x{byte:02x}")).collect();
                let more = if bytes.len() > codes.len() { "…" } else { "" };
                format!("stray bytes `{}{more}` in program", codes.concat())
            }
        };
        self.error(begin, end, message);
    }

    fn nul(&mut self) {
        let begin = self.position;
        let run = self.text[begin..].iter().take_while(|&&byte| byte == 0).count();
        self.position += run;
        if !std::mem::replace(&mut self.nul_reported, true) {
            let span = self.span(begin, self.position);
            self.diagnostics.push(Diagnostic::warning(span, "null characters in the text are ignored"));
        }
    }

    // --- punctuators

    /// The punctuator that begins with `byte`, the next byte being `second` at `after`; and where it ends.
    fn punctuator(&self, byte: u8, second: u8, after: usize) -> Option<(TokenKind, usize)> {
        use TokenKind as T;
        let one = self.position + 1;
        let two = after + 1;
        let third = || self.peek(two);
        Some(match (byte, second) {
            (b'(', _) => (T::LeftParen, one),
            (b')', _) => (T::RightParen, one),
            (b'[', _) => (T::LeftBracket, one),
            (b']', _) => (T::RightBracket, one),
            (b'{', _) => (T::LeftBrace, one),
            (b'}', _) => (T::RightBrace, one),
            (b';', _) => (T::Semicolon, one),
            (b',', _) => (T::Comma, one),
            (b'?', _) => (T::Question, one),
            (b'~', _) => (T::Tilde, one),
            (b'.', b'.') => match third() {
                (b'.', at) => (T::Ellipsis, at + 1),
                _ => (T::Dot, one),
            },
            (b'.', _) => (T::Dot, one),
            (b'-', b'>') => (T::Arrow, two),
            (b'-', b'-') => (T::MinusMinus, two),
            (b'-', b'=') => (T::MinusEqual, two),
            (b'-', _) => (T::Minus, one),
            (b'+', b'+') => (T::PlusPlus, two),
            (b'+', b'=') => (T::PlusEqual, two),
            (b'+', _) => (T::Plus, one),
            (b'&', b'&') => (T::AmpersandAmpersand, two),
            (b'&', b'=') => (T::AmpersandEqual, two),
            (b'&', _) => (T::Ampersand, one),
            (b'|', b'|') => (T::PipePipe, two),
            (b'|', b'=') => (T::PipeEqual, two),
            (b'|', _) => (T::Pipe, one),
            (b'*', b'=') => (T::StarEqual, two),
            (b'*', _) => (T::Star, one),
            (b'/', b'=') => (T::SlashEqual, two),
            (b'/', _) => (T::Slash, one),
            (b'^', b'=') => (T::CaretEqual, two),
            (b'^', _) => (T::Caret, one),
            (b'!', b'=') => (T::BangEqual, two),
            (b'!', _) => (T::Bang, one),
            (b'=', b'=') => (T::EqualEqual, two),
            (b'=', _) => (T::Equal, one),
            (b'<', b'<') => match third() {
                (b'=', at) => (T::ShiftLeftEqual, at + 1),
                _ => (T::ShiftLeft, two),
            },
            (b'<', b'=') => (T::LessEqual, two),
            (b'<', b':') => (T::LeftBracket, two),
            (b'<', b'%') => (T::LeftBrace, two),
            (b'<', _) => (T::Less, one),
            (b'>', b'>') => match third() {
                (b'=', at) => (T::ShiftRightEqual, at + 1),
                _ => (T::ShiftRight, two),
            },
            (b'>', b'=') => (T::GreaterEqual, two),
            (b'>', _) => (T::Greater, one),
            (b':', b'>') => (T::RightBracket, two),
            (b':', b':') => (T::ColonColon, two),
            (b':', _) => (T::Colon, one),
            (b'%', b'=') => (T::PercentEqual, two),
            (b'%', b'>') => (T::RightBrace, two),
            (b'%', b':') => match third() {
                (b'%', at) if self.peek(at + 1).0 == b':' => (T::HashHash, self.peek(at + 1).1 + 1),
                _ => (T::Hash, two),
            },
            (b'%', _) => (T::Percent, one),
            (b'#', b'#') => (T::HashHash, two),
            (b'#', _) => (T::Hash, one),
            _ => return None,
        })
    }
}

/// Skips backslashes that end their line, and the line ends. White space between them is allowed, as by gcc.
pub(crate) fn skip_splices(text: &[u8], mut at: usize) -> usize {
    while text.get(at) == Some(&b'\\') {
        let blanks = text[at + 1..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | 0x0B | 0x0C))
            .count();
        if text.get(at + 1 + blanks) != Some(&b'\n') {
            break;
        }
        at += blanks + 2;
    }
    at
}

/// The text without its line splices.
pub(crate) fn without_splices(text: &[u8]) -> Cow<'_, [u8]> {
    let spliced = |&at: &usize| skip_splices(text, at) != at;
    let Some(first) = memchr::memchr_iter(b'\\', text).find(spliced) else { return Cow::Borrowed(text) };
    let mut clean = text[..first].to_vec();
    let mut at = first;
    while at < text.len() {
        let after = skip_splices(text, at);
        if after == at {
            clean.push(text[at]);
            at += 1;
        } else {
            at = after;
        }
    }
    Cow::Owned(clean)
}

/// Whether `prefix` may stand before a literal in `quote`s. C17 has `u8` for strings only.
fn is_prefix(prefix: &[u8], quote: u8) -> bool {
    match prefix {
        b"L" | b"u" | b"U" => true,
        b"u8" | b"R" | b"LR" | b"uR" | b"UR" | b"u8R" => quote == b'"',
        _ => false,
    }
}

/// Whether a preprocessing number is to be read as a floating constant.
fn is_float(number: &[u8]) -> bool {
    match number {
        [b'0', b'x' | b'X', digits @ ..] => digits.iter().any(|byte| matches!(byte, b'.' | b'p' | b'P')),
        [b'0'..=b'9'] => false,
        [b'0', b'b' | b'B', digits @ ..] => digits.contains(&b'.'),
        _ => number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')),
    }
}

fn is_pack(pragma: &[u8]) -> bool {
    pragma
        .strip_prefix(b"pack")
        .is_some_and(|rest| rest.first().is_none_or(|&byte| !IDENTIFIER[usize::from(byte)]))
}

/// The name in a line marker, up to its closing quote, and what follows.
fn marker_name(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut at = 0;
    loop {
        match rest.get(at)? {
            b'"' => return Some((&rest[..at], &rest[at + 1..])),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Resolves `\\`, `\"` and octal escapes, which `cc -E` writes in file names.
fn unescape_name(name: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let [first, ..] = after else {
            plain.push(byte);
            break;
        };
        if byte != b'\\' {
            plain.push(byte);
        } else if let Some((code, used)) = octal(after) {
            plain.push(code);
            rest = &after[used..];
        } else {
            plain.push(*first);
            rest = &after[1..];
        }
    }
    plain
}

/// Up to three octal digits: their value, and how many.
fn octal(text: &[u8]) -> Option<(u8, usize)> {
    let used = text.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    let value = text[..used].iter().fold(0_u32, |value, &byte| value * 8 + u32::from(byte - b'0'));
    (used > 0).then_some((u8::try_from(value & 0xFF).ok()?, used))
}

fn trim_start(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | 0x0B | 0x0C)).count();
    &text[blanks..]
}

/// `end`, or earlier if only white space stands before it.
fn trim_end(text: &[u8], begin: usize, end: usize) -> usize {
    begin + text[begin..end].trim_ascii_end().len()
}

#[cfg(test)]
mod tests;
