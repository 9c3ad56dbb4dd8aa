//! Reads s-expressions and the values that solvers print.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::term::{ArrayValue, Value};

/// An s-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    /// A symbol, number, keyword or string, as written; without the bars of a quoted symbol.
    Atom(String),
    /// A list.
    List(Vec<Self>),
}

impl Sexp {
    /// The atom's text.
    #[must_use]
    pub fn atom(&self) -> Option<&str> {
        if let Self::Atom(text) = self { Some(text) } else { None }
    }

    /// The list's parts.
    #[must_use]
    pub fn list(&self) -> Option<&[Self]> {
        if let Self::List(parts) = self { Some(parts) } else { None }
    }
}

/// All complete s-expressions of a text, in order. What is left open at the end is dropped.
#[must_use]
pub fn read(text: &str) -> Vec<Sexp> {
    let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' => open.push(Vec::new()),
            ')' => {
                if open.len() > 1
                    && let Some(done) = open.pop()
                    && let Some(above) = open.last_mut()
                {
                    above.push(Sexp::List(done));
                }
            }
            ';' => while chars.next_if(|&c| c != '\n').is_some() {},
            '|' | '"' => {
                let mut atom = String::new();
                for inner in chars.by_ref() {
                    if inner == c {
                        break;
                    }
                    atom.push(inner);
                }
                if let Some(above) = open.last_mut() {
                    above.push(Sexp::Atom(atom));
                }
            }
            c if c.is_whitespace() => {}
            c => {
                let mut atom = String::from(c);
                while let Some(c) = chars.next_if(|&c| !c.is_whitespace() && !"()|\";".contains(c)) {
                    atom.push(c);
                }
                if let Some(above) = open.last_mut() {
                    above.push(Sexp::Atom(atom));
                }
            }
        }
    }
    open.swap_remove(0)
}

/// The value that a solver printed, if it is one of a Boolean, a bit-vector or an array.
#[must_use]
pub fn value(sexp: &Sexp) -> Option<Value> {
    value_in(sexp, &FxHashMap::default())
}

fn value_in(sexp: &Sexp, bound: &FxHashMap<String, Value>) -> Option<Value> {
    match sexp {
        Sexp::Atom(text) => match text.as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            text => bits(text).or_else(|| bound.get(text).cloned()),
        },
        Sexp::List(parts) => match parts.as_slice() {
            [underscore, number, width] if underscore.atom() == Some("_") => {
                let value = number.atom()?.strip_prefix("bv")?.parse().ok()?;
                Some(Value::Bits { width: width.atom()?.parse().ok()?, value })
            }
            // ((as const SORT) ELEMENT)
            [Sexp::List(head), element]
                if head.first().and_then(Sexp::atom) == Some("as")
                    && head.get(1).and_then(Sexp::atom) == Some("const") =>
            {
                let default = value_in(element, bound)?.as_bits()?;
                Some(Value::Array(ArrayValue { default, entries: BTreeMap::new() }))
            }
            [store, ..] if store.atom() == Some("store") => stores(sexp, bound),
            [let_, Sexp::List(bindings), body] if let_.atom() == Some("let") => {
                let mut inner = bound.clone();
                for binding in bindings {
                    let [name, meaning] = binding.list()? else { return None };
                    inner.insert(name.atom()?.to_owned(), value_in(meaning, bound)?);
                }
                value_in(body, &inner)
            }
            _ => None,
        },
    }
}

/// A chain of stores, which may be long, without recursing along it.
fn stores(sexp: &Sexp, bound: &FxHashMap<String, Value>) -> Option<Value> {
    let mut written = Vec::new();
    let mut below = sexp;
    while let Sexp::List(parts) = below
        && let [head, array, index, element] = parts.as_slice()
        && head.atom() == Some("store")
    {
        written.push((value_in(index, bound)?.as_bits()?, value_in(element, bound)?.as_bits()?));
        below = array;
    }
    let Value::Array(mut array) = value_in(below, bound)? else { return None };
    // The innermost store comes first.
    array.entries.extend(written.into_iter().rev());
    Some(Value::Array(array))
}

fn bits(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('#')?;
    let (radix, per_digit) = match digits.chars().next()? {
        'x' => (16, 4),
        'b' => (2, 1),
        _ => return None,
    };
    let digits = &digits[1..];
    let width = u32::try_from(digits.len()).ok()? * per_digit;
    Some(Value::Bits { width, value: u128::from_str_radix(digits, radix).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_all_their_spellings() {
        let bits = |width, value| Some(Value::Bits { width, value });
        let of = |text: &str| value(&read(text)[0]);
        assert_eq!(of("true"), Some(Value::Bool(true)));
        assert_eq!(of("#x0f"), bits(8, 15));
        assert_eq!(of("#b101"), bits(3, 5));
        assert_eq!(of("(_ bv7 32)"), bits(32, 7));
        let array = of("(let ((a!1 (store ((as const (Array X Y)) #x0) #x1 #x2))) (store a!1 #x1 #x3))");
        let expected = ArrayValue { default: 0, entries: BTreeMap::from([(1, 3)]) };
        assert_eq!(array, Some(Value::Array(expected)));
        assert_eq!(of("(lambda ((x Int)) x)"), None);
    }

    #[test]
    fn quoted_symbols_comments_and_unfinished_lists() {
        let read = read("(|a b| \"c)\") ; (d\n e (f");
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].list().map(<[Sexp]>::len), Some(2));
        assert_eq!(read[1].atom(), Some("e"));
    }
}
