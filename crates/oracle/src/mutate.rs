//! Small faults in C texts: a statement less, two that change places, a token that says something else.
//!
//! Works on tokens of the text as it was written, so that it can be applied to any file; what comes out need not be C, and need not be wrong.
//! Lines of the preprocessor, comments and declarations stay as they are.

use raddle_base::SplitMix;

/// A token: where it begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token {
    from: usize,
    to: usize,
}

/// Tokens of a text, without comments, spaces and lines of the preprocessor.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut is_line_start) = (Vec::new(), 0, true);
    while at < bytes.len() {
        let from = at;
        let rest = &text[at..];
        match bytes[at] {
            b'\n' => {
                is_line_start = true;
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' if is_line_start => {
                at += length_of_directive(rest);
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                continue;
            }
            quote @ (b'"' | b'\'') => at += length_of_literal(rest.as_bytes(), quote),
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                at += rest.as_bytes().iter().take_while(is_word).count();
            }
            _ => {
                const LONG: [&str; 22] = [
                    "<<=", ">>=", "...", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==",
                    "!=", "<=", ">=", "&&", "||", "<<", ">>", "->",
                ];
                let long = LONG.iter().find(|long| rest.starts_with(**long));
                at += long.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |long| long.len());
            }
        }
        is_line_start = false;
        found.push(Token { from, to: at });
    }
    found
}

fn length_of_directive(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    length
}

fn length_of_literal(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// A line in which one token says something else; `None` if it has none that could.
#[must_use]
pub fn token(text: &str, random: &mut SplitMix) -> Option<String> {
    let tokens = tokens(text);
    let able: Vec<usize> =
        (0..tokens.len()).filter(|&index| otherwise(text, &tokens, index, 0).is_some()).collect();
    if able.is_empty() {
        return None;
    }
    let index = able[random.below(able.len())];
    let other = otherwise(text, &tokens, index, random.below(6))?;
    let Token { from, to } = tokens[index];
    Some(format!("{}{other}{}", &text[..from], &text[to..]))
}

/// What else a token could say.
fn otherwise(text: &str, tokens: &[Token], index: usize, choice: usize) -> Option<String> {
    let word = |index: usize| tokens.get(index).map(|token| &text[token.from..token.to]);
    let this = word(index)?;
    let choose = |others: &[&str]| Some(others[choice % others.len()].to_owned());
    match this {
        "<" => choose(&["<=", "!=", "<="]),
        "<=" => choose(&["<", "<", "!="]),
        ">" => choose(&[">=", "!=", ">="]),
        ">=" => choose(&[">", ">", "!="]),
        "==" => choose(&["!=", "<=", ">="]),
        "!=" => choose(&["==", "<=", "<"]),
        "+=" => choose(&["=", "-=", "="]),
        "-=" => choose(&["=", "+=", "="]),
        "++" => choose(&["--"]),
        "--" => choose(&["++"]),
        "&&" => choose(&["||"]),
        "||" => choose(&["&&"]),
        "+" => choose(&["-", "|"]),
        "-" => choose(&["+"]),
        "&" if index > 0 && word(index - 1).is_some_and(ends_value) => choose(&["|", "+"]),
        "begin" | "end" => None,
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            let value: u64 = number.parse().ok()?;
            Some(if choice.is_multiple_of(2) { value + 1 } else { value.saturating_sub(1) }.to_string())
        }
        _ => None,
    }
}

/// Whether a token may be the last one of a value: then `&` behind it takes bits.
fn ends_value(word: &str) -> bool {
    word == ")" || word == "]" || word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A fault that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The text with the fault.
    pub text: String,
    /// What was done, and in which line.
    pub what: String,
}

/// A statement that ends in `;` and has no braces: its tokens.
#[derive(Clone, Copy, Debug)]
struct Statement {
    first: usize,
    last: usize,
}

/// A text with one fault somewhere inside of a function; `None` if it has no place for one.
#[must_use]
pub fn mutant(text: &str, random: &mut SplitMix) -> Option<Mutant> {
    let tokens = tokens(text);
    let statements = statements(text, &tokens);
    let kind = random.below(10);
    let made = match kind {
        0 | 1 => drop_discipline(text, &tokens, &statements, random),
        2 | 3 => drop_one(text, &tokens, &statements, random),
        4 => swap_two(text, &tokens, &statements, random),
        5 => weaken(text, &tokens, random),
        _ => change_one(text, &tokens, random),
    };
    made.filter(|made| made.text != text)
}

/// Where functions begin and end: the braces at the outermost level, as indices of tokens.
fn bodies(text: &str, tokens: &[Token]) -> Vec<(usize, usize)> {
    let (mut found, mut depth, mut open) = (Vec::new(), 0_usize, 0);
    for (index, token) in tokens.iter().enumerate() {
        match &text[token.from..token.to] {
            "{" => {
                if depth == 0 {
                    open = index;
                }
                depth += 1;
            }
            "}" => {
                depth = depth.saturating_sub(1);
                let is_function = open > 0 && &text[tokens[open - 1].from..tokens[open - 1].to] == ")";
                if depth == 0 && is_function {
                    found.push((open, index));
                }
            }
            _ => {}
        }
    }
    found
}

/// The simple statements of functions that are no declarations.
fn statements(text: &str, tokens: &[Token]) -> Vec<Statement> {
    let mut found = Vec::new();
    for (open, close) in bodies(text, tokens) {
        let (mut first, mut depth) = (open + 1, 0_usize);
        for index in open + 1..close {
            match &text[tokens[index].from..tokens[index].to] {
                "(" => depth += 1,
                ")" => {
                    depth = depth.saturating_sub(1);
                    // What stands behind the head of a loop or a branch is a statement of its own.
                    let head = &text[tokens[first].from..tokens[first].to];
                    if depth == 0 && matches!(head, "if" | "while" | "for" | "switch") {
                        first = index + 1;
                    }
                }
                "{" | "}" | ":" | "else" | "do" if depth == 0 => first = index + 1,
                ";" if depth == 0 => {
                    if first < index && is_effect(text, &tokens[first..index]) {
                        found.push(Statement { first, last: index });
                    }
                    first = index + 1;
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether a statement does something: a declaration begins with two words.
fn is_effect(text: &str, tokens: &[Token]) -> bool {
    let word = |index: usize| tokens.get(index).map(|token| &text[token.from..token.to]).unwrap_or_default();
    let is_name = |word: &str| word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    let keyword = matches!(word(0), "return" | "goto" | "break" | "continue" | "assert" | "struct" | "case");
    !keyword && !(is_name(word(0)) && (is_name(word(1)) || word(1) == "*" && is_name(word(2))))
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

/// The text without some ranges of tokens, which become empty statements.
fn without(text: &str, tokens: &[Token], gone: &[Statement]) -> String {
    let mut ranges: Vec<(usize, usize)> =
        gone.iter().map(|gone| (tokens[gone.first].from, tokens[gone.last].from)).collect();
    ranges.sort_unstable();
    let (mut made, mut at) = (String::new(), 0);
    for (from, to) in ranges {
        made.push_str(&text[at..from]);
        at = to;
    }
    made.push_str(&text[at..]);
    made
}

fn spelled<'t>(text: &'t str, tokens: &[Token], statement: Statement) -> &'t str {
    &text[tokens[statement.first].from..tokens[statement.last].to]
}

/// A lock, an unlock, a wait, a join, or both ends of an atomic block go.
fn drop_discipline(
    text: &str,
    tokens: &[Token],
    statements: &[Statement],
    random: &mut SplitMix,
) -> Option<Mutant> {
    const WORDS: [&str; 10] = [
        "lock",
        "wait",
        "join",
        "atomic_begin",
        "signal",
        "broadcast",
        "post",
        "acquire",
        "release",
        "assume",
    ];
    let is_one = |statement: &&Statement| {
        WORDS.iter().any(|word| spelled(text, tokens, **statement).to_ascii_lowercase().contains(word))
    };
    let able: Vec<Statement> = statements.iter().filter(is_one).copied().collect();
    if able.is_empty() {
        return None;
    }
    let one = able[random.below(able.len())];
    let said = spelled(text, tokens, one);
    let mut gone = vec![one];
    let partner = if said.contains("atomic_begin") {
        Some("atomic_end")
    } else if said.contains("unlock") || random.once_in(2) {
        None
    } else if said.contains("lock") {
        Some("unlock")
    } else {
        None
    };
    if let Some(partner) = partner {
        let later = statements.iter().filter(|other| other.first > one.last);
        gone.extend(later.copied().find(|other| spelled(text, tokens, *other).contains(partner)));
    }
    let what = format!("line {}: without `{said}`", line_of(text, tokens[one.first].from));
    Some(Mutant { text: without(text, tokens, &gone), what })
}

fn drop_one(text: &str, tokens: &[Token], statements: &[Statement], random: &mut SplitMix) -> Option<Mutant> {
    if statements.is_empty() {
        return None;
    }
    let one = statements[random.below(statements.len())];
    let said = spelled(text, tokens, one);
    if said.contains("atomic_begin") || said.contains("atomic_end") {
        return None;
    }
    let what = format!("line {}: without `{said}`", line_of(text, tokens[one.first].from));
    Some(Mutant { text: without(text, tokens, &[one]), what })
}

/// Two statements that follow each other change places.
fn swap_two(text: &str, tokens: &[Token], statements: &[Statement], random: &mut SplitMix) -> Option<Mutant> {
    let neighbours: Vec<(Statement, Statement)> = statements
        .windows(2)
        .filter(|pair| pair[0].last + 1 == pair[1].first)
        .map(|pair| (pair[0], pair[1]))
        .collect();
    if neighbours.is_empty() {
        return None;
    }
    let (first, second) = neighbours[random.below(neighbours.len())];
    let (a, b) = (spelled(text, tokens, first), spelled(text, tokens, second));
    let between = &text[tokens[first.last].to..tokens[second.first].from];
    let (from, to) = (tokens[first.first].from, tokens[second.last].to);
    let what = format!("line {}: `{b}` before `{a}`", line_of(text, from));
    Some(Mutant { text: format!("{}{b}{between}{a}{}", &text[..from], &text[to..]), what })
}

/// A condition of a branch becomes true, or its contrary.
fn weaken(text: &str, tokens: &[Token], random: &mut SplitMix) -> Option<Mutant> {
    let word = |index: usize| &text[tokens[index].from..tokens[index].to];
    let heads: Vec<usize> =
        (1..tokens.len()).filter(|&index| word(index) == "(" && word(index - 1) == "if").collect();
    if heads.is_empty() {
        return None;
    }
    let open = heads[random.below(heads.len())];
    let mut depth = 0_usize;
    let close = (open..tokens.len()).find(|&index| {
        match word(index) {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let (from, to) = (tokens[open].to, tokens[close].from);
    let condition = &text[from..to];
    let other = if random.once_in(2) { format!("({condition}) || 1") } else { format!("!({condition})") };
    let what = format!("line {}: `if ({other})`", line_of(text, from));
    Some(Mutant { text: format!("{}{other}{}", &text[..from], &text[to..]), what })
}

fn change_one(text: &str, tokens: &[Token], random: &mut SplitMix) -> Option<Mutant> {
    let within = bodies(text, tokens);
    let is_inside = |index: usize| within.iter().any(|&(open, close)| open < index && index < close);
    let able: Vec<usize> = (0..tokens.len())
        .filter(|&index| is_inside(index) && otherwise(text, tokens, index, 0).is_some())
        .collect();
    if able.is_empty() {
        return None;
    }
    let index = able[random.below(able.len())];
    let other = otherwise(text, tokens, index, random.below(6))?;
    let Token { from, to } = tokens[index];
    let what = format!("line {}: `{other}` for `{}`", line_of(text, from), &text[from..to]);
    Some(Mutant { text: format!("{}{other}{}", &text[..from], &text[to..]), what })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const TEXT: &str = "#include <x.h>\nint x = 3; // a < b\nvoid f(void) {\n    int y = 1;\n    lock(&m);\n    if (x < 7) x++;\n    \
                        x += y;\n    unlock(&m);\n    puts(\"a < b\");\n}\n";

    fn mutants(text: &str) -> BTreeSet<String> {
        let mut random = SplitMix::new(1);
        (0..2_000).filter_map(|_| mutant(text, &mut random)).map(|made| made.text).collect()
    }

    #[test]
    fn statements_go_and_change_places() {
        let all = mutants(TEXT);
        let has = |from: &str, to: &str| all.contains(&TEXT.replace(from, to));
        assert!(has("lock(&m);\n    if", ";\n    if"), "a lock less");
        assert!(has("x++;", ";") && has("x++", "x--") && has("x < 7", "x <= 7") && has("x < 7", "x < 8"));
        assert!(has("x += y;\n    unlock(&m);", "unlock(&m);\n    x += y;"));
        assert!(has("x += y", "x = y") && has("x < 7", "!(x < 7)"));
        assert!(all.len() >= 15, "{}", all.len());
    }

    #[test]
    fn what_is_outside_of_functions_stays() {
        for made in mutants(TEXT) {
            assert!(made.starts_with("#include <x.h>\nint x = 3; // a < b\nvoid f(void) {\n"), "{made}");
            assert!(made.contains("\"a < b\"") || !made.contains("puts"), "{made}");
            assert!(made.contains("int y = "), "{made}");
        }
    }

    #[test]
    fn both_ends_of_an_atomic_block_go() {
        let text = "void f(void) { __VERIFIER_atomic_begin(); x(); __VERIFIER_atomic_end(); }";
        for made in mutants(text) {
            assert_eq!(made.matches("atomic_begin").count(), made.matches("atomic_end").count(), "{made}");
        }
    }
}
