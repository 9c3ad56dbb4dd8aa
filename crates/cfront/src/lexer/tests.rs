//! What the lexer makes of odd texts.

use super::*;

struct Lexed {
    sources: SourceMap,
    file: FileId,
    names: Names,
    tokens: Vec<Token>,
    messages: Vec<String>,
}

fn lexed(text: impl AsRef<[u8]>) -> Lexed {
    let mut sources = SourceMap::new();
    let file = sources.add("test.i", text.as_ref()).unwrap();
    let (mut names, mut diagnostics) = (Names::new(), Diagnostics::new());
    let tokens = lex(&mut sources, file, &mut names, &mut diagnostics);
    let messages = diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
    assert_eq!(tokens.last().map(|token| token.kind), Some(TokenKind::Eof));
    Lexed { sources, file, names, tokens, messages }
}

/// The spellings of the tokens as they stand in the text.
fn spellings(text: &str) -> Vec<String> {
    let lexed = lexed(text);
    assert_eq!(lexed.messages, [""; 0], "{text}");
    let tokens = lexed.tokens.iter().filter(|token| token.kind != TokenKind::Eof);
    tokens.map(|token| String::from_utf8(lexed.sources.text(token.span).to_vec()).unwrap()).collect()
}

fn kinds(text: &str) -> Vec<TokenKind> {
    let mut kinds: Vec<TokenKind> = lexed(text).tokens.iter().map(|token| token.kind).collect();
    kinds.pop();
    kinds
}

#[test]
fn keywords_and_names() {
    use TokenKind as T;
    assert_eq!(
        kinds("int __const__ x _Generic $y __inline"),
        [T::Int, T::Const, T::Identifier, T::Generic, T::Identifier, T::Inline]
    );
}

#[test]
fn keywords_are_known_however_many_names_came_before() {
    let mut sources = SourceMap::new();
    let file = sources.add("test.i", "x while".as_bytes()).unwrap();
    let mut names = Names::new();
    for number in 0..1000 {
        names.intern(&format!("name{number}"));
    }
    let tokens = lex(&mut sources, file, &mut names, &mut Diagnostics::new());
    assert_eq!(tokens[1].kind, TokenKind::While);
}

#[test]
fn longest_punctuators() {
    assert_eq!(
        spellings("a+++b<<=c>>d...->-- - >%:%:<::><%%>"),
        [
            "a", "++", "+", "b", "<<=", "c", ">>", "d", "...", "->", "--", "-", ">", "%:%:", "<:", ":>",
            "<%", "%>"
        ]
    );
    use TokenKind as T;
    assert_eq!(kinds("a <: 1 :> %: %:%:"), {
        [T::Identifier, T::LeftBracket, T::Integer, T::RightBracket, T::Hash, T::HashHash]
    });
    assert_eq!(kinds(".. .5 ."), [T::Dot, T::Dot, T::Float, T::Dot]);
}

#[test]
fn every_punctuator_is_one_token() {
    let all = "( ) [ ] { } . -> ++ -- & * + - ~ ! / % << >> < > <= >= == != ^ | && || ? : ; ... = *= /= %= += \
               -= <<= >>= &= ^= |= , # ## ::";
    let lexed = lexed(all);
    for (token, text) in lexed.tokens.iter().zip(all.split_whitespace()) {
        assert_eq!(token.kind.describe(), format!("`{text}`"));
    }
    assert_eq!(lexed.tokens.len(), all.split_whitespace().count() + 1);
}

#[test]
fn numbers() {
    use TokenKind as T;
    assert_eq!(spellings("0xe+1 1e+5 1.5.2 0x1p-3f 1abc 1+1"), {
        ["0xe+1", "1e+5", "1.5.2", "0x1p-3f", "1abc", "1", "+", "1"]
    });
    assert_eq!(kinds("1 0xe 1e5 1.f 0x1p1 089 0b1 1E 0x.8"), {
        [T::Integer, T::Integer, T::Float, T::Float, T::Float, T::Integer, T::Integer, T::Float, T::Float]
    });
}

#[test]
fn literals_with_prefixes() {
    use TokenKind as T;
    assert_eq!(
        kinds(r#"L'a' u"b" U'c' u8"d" R"(e"f)" LR"x(g)")x" '\'' "\"" "\\""#),
        [T::Char, T::String, T::Char, T::String, T::String, T::String, T::Char, T::String, T::String]
    );
    // C17 has no `u8` characters.
    assert_eq!(kinds("u8'a' X\"b\""), [T::Identifier, T::Char, T::Identifier, T::String]);
}

#[test]
fn comments_and_splices() {
    assert_eq!(spellings("a/* x * / **/b// c \\\n still\nd/**/e"), ["a", "b", "d", "e"]);
    let lexed = lexed("wh\\\nile +\\\r\n= 1\\\n2 /\\\n* x *\\\n/ \"a\\\nb\" '\\\\\nn' L\\\n\"x\" \\\n y");
    assert_eq!(lexed.messages, [""; 0]);
    use TokenKind as T;
    assert_eq!(lexed.tokens.iter().map(|token| token.kind).collect::<Vec<_>>(), {
        [T::While, T::PlusEqual, T::Integer, T::String, T::Char, T::String, T::Identifier, T::Eof]
    });
}

#[test]
fn names_beyond_ascii() {
    let lexed = lexed("é \\u00e9 e\\U000000E9 eé 变量");
    assert_eq!(lexed.messages, [""; 0]);
    let symbols: Vec<&str> =
        lexed.tokens.iter().filter_map(|token| token.symbol).map(|s| lexed.names.text(s)).collect();
    assert_eq!(symbols, ["é", "é", "eé", "eé", "变量"]);
}

#[test]
fn line_markers() {
    let text = "# 1 \"a\\\\b \\\"q\\\".c\" 1\nx\n# 7 \"h.h\" 1 3 4\ny\n#line 9\nz\n #line 3 \"k.c\"\nw";
    let lexed = lexed(text);
    assert_eq!(lexed.messages, [""; 0]);
    let place = |index: usize| {
        let location = lexed.sources.locate(lexed.tokens[index].span.lo).unwrap();
        (location.file.to_string(), location.line, lexed.sources.is_system(lexed.tokens[index].span.lo))
    };
    assert_eq!(place(0), ("a\\b \"q\".c".to_owned(), 1, false));
    assert_eq!(place(1), ("h.h".to_owned(), 7, true));
    assert_eq!(place(2), ("h.h".to_owned(), 9, true));
    assert_eq!(place(3), ("k.c".to_owned(), 3, false));
    assert_eq!(lexed.sources.file(lexed.file).name.as_ref(), "test.i");
}

#[test]
fn pragmas() {
    let text = "#pragma once\n#pragma GCC poison x\n# pragma pack(push, 1) \r\nx _Pragma(\"omp\") y _Pragma ( \
                \" pack()\") z #pragma";
    let lexed = lexed(text);
    assert_eq!(lexed.messages, [""; 0]);
    let spelled =
        |token: &Token| (token.kind, String::from_utf8_lossy(lexed.sources.text(token.span)).into());
    let all: Vec<(TokenKind, String)> = lexed.tokens.iter().map(spelled).collect();
    use TokenKind as T;
    let expected = [
        (T::PragmaPack, "pack(push, 1)"),
        (T::Identifier, "x"),
        (T::Identifier, "y"),
        (T::PragmaPack, "pack()"),
        (T::Identifier, "z"),
        (T::Hash, "#"),
        (T::Identifier, "pragma"),
        (T::Eof, ""),
    ];
    assert_eq!(all, expected.map(|(kind, text)| (kind, text.to_owned())));
    assert_eq!(self::lexed("_Pragma x").messages, ["`_Pragma` takes a string literal in parentheses"]);
}

#[test]
fn directives_left_over_are_reported_once() {
    let text = "#define X 1\n#undef X\n#\n#ident \"x\"\n#include <a.h>\n#include <b.h>\n#if 1\nint x;";
    let lexed = lexed(text);
    assert_eq!(lexed.messages, ["preprocessing directive `#include` in preprocessed text"]);
    assert_eq!(lexed.tokens.len(), 4);
    assert_eq!(self::lexed("# 12 x y\"\n").messages, [""; 0]);
    assert_eq!(self::lexed("# 12 \"x\n").messages, ["malformed line marker"]);
    assert_eq!(self::lexed("# 99999999999 \"x\"\n").messages, ["malformed line marker"]);
}

#[test]
fn what_does_not_end() {
    for (text, message) in [
        ("/* abc", "unterminated comment"),
        ("/*", "unterminated comment"),
        ("/*/", "unterminated comment"),
        ("\"abc\nx", "unterminated string literal"),
        ("\"abc", "unterminated string literal"),
        ("\"abc\\", "unterminated string literal"),
        ("\"abc\\\"", "unterminated string literal"),
        ("\"abc\\\n", "unterminated string literal"),
        ("'", "unterminated character constant"),
        ("'a\r\n", "unterminated character constant"),
        ("R\"x(abc)\"", "unterminated raw string"),
    ] {
        assert_eq!(lexed(text).messages, [message], "{text}");
    }
}

#[test]
fn stray_characters() {
    assert_eq!(lexed("a ` b @ \\ \u{2192}").messages, {
        ["stray ``` in program", "stray `@` in program", "stray `\\` in program", "stray `→` in program"]
    });
    assert_eq!(lexed(b"\xff\xfe\xfd").messages, ["stray bytes `\\xff\\xfe\\xfd` in program"]);
    assert_eq!(lexed(b"a\0\0b\0").messages, ["null characters in the text are ignored"]);
    assert_eq!(lexed(b"\xEF\xBB\xBFint x;").messages, [""; 0]);
}

#[test]
fn noise_is_reported_briefly_and_never_panics() {
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    })
    .take(100_000)
    .collect();
    assert!(lexed(&noise).messages.len() < 100);
    for window in noise.chunks(7) {
        lexed(window);
    }
    // Texts made of the bytes that matter, in all orders of a small size.
    let alphabet = b"\\\n\"'/*#uR8(.0e";
    for code in 0..alphabet.len().pow(4) {
        let text: Vec<u8> =
            (0..4_u32).map(|place| alphabet[code / alphabet.len().pow(place) % alphabet.len()]).collect();
        lexed(text);
    }
}
