//! Terms as text, in the syntax of SMT-LIB.
//!
//! What the constructors spelled out is folded back (`bvor`, `bvsub`, `zero_extend`, `=>` …). A term that is
//! used more than once, or lies deep, is given a name of its own, `$` and its number, and is defined before
//! it is used; so the text is never longer than the graph. The same arena gives the same text.

#![expect(clippy::wildcard_enum_match_arm, reason = "anything else is written plainly")]

use std::fmt::{self, Write as _};

use raddle_base::Id;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::bits::mask;
use super::{Sort, Term, TermId, Terms};

/// Terms nested deeper than this get a name.
const MAX_NESTING: u32 = 12;

/// A node as it is written: a head, and what follows it.
struct Surface {
    head: Head,
    operands: SmallVec<[TermId; 3]>,
}

/// How the operands are wrapped.
enum Head {
    /// No operands.
    Leaf(String),
    /// `(head a b)`.
    Call(String),
    /// Whether an unsigned product does not fit this width.
    UmulOverflow(u32),
    /// Whether a signed product does not fit this width.
    SmulOverflow(u32),
}

/// Text of terms: names with their definitions, and what the roots are.
#[derive(Debug)]
pub(crate) struct Text {
    /// Named terms with sort and body, each before its uses.
    pub(crate) definitions: Vec<(String, Sort, String)>,
    /// The roots, in the order they were given.
    pub(crate) roots: Vec<String>,
}

impl Terms {
    /// The term as text: definitions, one a line, then the term.
    ///
    /// ```
    /// # use raddle_logic::term::{Sort, Terms};
    /// let mut terms = Terms::new();
    /// let (x, y) = (terms.symbol("x", Sort::BitVec(8)), terms.symbol("y", Sort::BitVec(8)));
    /// let difference = terms.sub(x, y);
    /// assert_eq!(terms.display(difference).to_string(), "(bvsub x y)");
    /// ```
    #[must_use]
    pub const fn display(&self, term: TermId) -> Display<'_> {
        Display { terms: self, term }
    }
}

/// See [`Terms::display`].
#[derive(Clone, Copy, Debug)]
pub struct Display<'terms> {
    terms: &'terms Terms,
    term: TermId,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = write(self.terms, &[self.term]);
        for (name, _, body) in &text.definitions {
            writeln!(f, "{name} := {body}")?;
        }
        f.write_str(&text.roots[0])
    }
}

/// The text of some terms.
pub(crate) fn write(terms: &Terms, roots: &[TermId]) -> Text {
    let (order, uses) = used(terms, roots);
    let mut texts: FxHashMap<TermId, (String, u32)> = FxHashMap::default();
    let mut definitions = Vec::new();
    for term in order {
        let surface = surface(terms, term);
        let mut nesting = 0;
        let mut parts: SmallVec<[String; 3]> = smallvec![];
        for operand in &surface.operands {
            // A text that is used once is moved, so that long chains are not copied over and over.
            let (text, depth) = if uses[operand] > 1 {
                texts[operand].clone()
            } else {
                texts.remove(operand).expect("operands are written first")
            };
            nesting = nesting.max(depth + 1);
            parts.push(text);
        }
        let body = assemble(&surface.head, &parts);
        let leaf = surface.operands.is_empty();
        if leaf || (uses[&term] <= 1 && nesting < MAX_NESTING) {
            texts.insert(term, (body, nesting));
        } else {
            let name = format!("${}", term.index());
            definitions.push((name.clone(), terms.sort(term), body));
            texts.insert(term, (name, 0));
        }
    }
    Text { definitions, roots: roots.iter().map(|root| texts[root].0.clone()).collect() }
}

/// The terms that appear in the text, operands first, and how often each does.
fn used(terms: &Terms, roots: &[TermId]) -> (Vec<TermId>, FxHashMap<TermId, u32>) {
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut order = Vec::new();
    let mut stack: Vec<TermId> = roots.to_vec();
    while let Some(term) = stack.pop() {
        let count = uses.entry(term).or_insert(0);
        *count += 1;
        if *count == 1 {
            order.push(term);
            stack.extend(surface(terms, term).operands);
        }
    }
    order.sort_unstable();
    (order, uses)
}

fn assemble(head: &Head, parts: &[String]) -> String {
    match head {
        Head::Leaf(text) => text.clone(),
        Head::Call(head) => {
            let mut text = format!("({head}");
            for part in parts {
                text.push(' ');
                text.push_str(part);
            }
            text.push(')');
            text
        }
        Head::UmulOverflow(width) => format!(
            "(not (= ((_ extract {top} {width}) (bvmul ((_ zero_extend {width}) {a}) ((_ zero_extend {width}) {b}))) (_ bv0 {width})))",
            top = 2 * width - 1,
            a = parts[0],
            b = parts[1],
        ),
        Head::SmulOverflow(width) => format!(
            "(let ((product (bvmul ((_ sign_extend {width}) {a}) ((_ sign_extend {width}) {b})))) (not (= product ((_ sign_extend {width}) ((_ extract {top} 0) product)))))",
            top = width - 1,
            a = parts[0],
            b = parts[1],
        ),
    }
}

/// A bit-vector constant.
pub(crate) fn bits_text(value: u128, width: u32) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = (width / 4) as usize)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

/// A sort.
pub(crate) fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

/// A name as SMT-LIB takes it. `$` is kept for definitions, and what cannot be quoted is replaced, with the
/// number of the symbol to keep names apart.
pub(crate) fn symbol_text(terms: &Terms, symbol: super::SymbolId) -> String {
    let name = terms.symbol_name(symbol);
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@%^&*_-+=<>.?/".contains(c);
    let starts_well = name.chars().next().is_some_and(|c| !c.is_ascii_digit() && c != '.' && c != '@');
    const RESERVED: [&str; 12] =
        ["let", "as", "forall", "exists", "par", "assert", "true", "false", "not", "and", "or", "product"];
    let builtin = name.starts_with("bv") || name.starts_with("_") || RESERVED.contains(&name);
    if starts_well && name.chars().all(simple) && !builtin && name.chars().any(char::is_alphanumeric) {
        return name.to_owned();
    }
    let mut text = String::from("|");
    let quotable = |c: char| c.is_ascii_graphic() && c != '|' && c != '\\' || c == ' ';
    let clean =
        name.chars().all(quotable) && !builtin && !name.starts_with(['$', '.', '@']) && !name.is_empty();
    text.extend(name.chars().map(|c| if quotable(c) { c } else { '_' }));
    if !clean {
        write!(text, " {symbol}").expect("writing to a string succeeds");
    }
    text.push('|');
    text
}

fn call(head: impl Into<String>, operands: &[TermId]) -> Surface {
    Surface { head: Head::Call(head.into()), operands: SmallVec::from_slice(operands) }
}

/// How a negation is written.
fn negation(terms: &Terms, a: TermId) -> Surface {
    let inner = |id: TermId| if let Term::Not(inner) = terms[id] { Some(inner) } else { None };
    match terms[a] {
        Term::And(x, y) => match (inner(x), inner(y)) {
            (Some(x), Some(y)) => call("or", &[x, y]),
            (None, Some(y)) => call("=>", &[x, y]),
            (Some(x), None) => call("=>", &[y, x]),
            (None, None) => call("not", &[a]),
        },
        Term::Xor(x, y) => call("=", &[x, y]),
        Term::Ult(x, y) => call("bvule", &[y, x]),
        Term::Slt(x, y) => call("bvsle", &[y, x]),
        _ => call("not", &[a]),
    }
}

/// The term that this one is minus one times.
fn negated(terms: &Terms, a: TermId) -> Option<TermId> {
    let Term::Mul(factor, x) = terms[a] else { return None };
    (terms.as_bits(factor)? == mask(terms.width(x)) && terms.width(x) > 1).then_some(x)
}

fn surface(terms: &Terms, term: TermId) -> Surface {
    match terms[term] {
        Term::Symbol(symbol) => leaf(symbol_text(terms, symbol)),
        Term::Bool(value) => leaf(value.to_string()),
        Term::Bits { width, value } => leaf(bits_text(value, width)),
        Term::Not(a) => negation(terms, a),
        Term::And(a, b) => call("and", &[a, b]),
        Term::Xor(a, b) => call("xor", &[a, b]),
        Term::Ite(c, a, b) => call("ite", &[c, a, b]),
        Term::Eq(a, b) => call("=", &[a, b]),
        Term::Ult(a, b) => call("bvult", &[a, b]),
        Term::Slt(a, b) => call("bvslt", &[a, b]),
        Term::UmulOverflow(a, b) => {
            Surface { head: Head::UmulOverflow(terms.width(a)), operands: smallvec![a, b] }
        }
        Term::SmulOverflow(a, b) => {
            Surface { head: Head::SmulOverflow(terms.width(a)), operands: smallvec![a, b] }
        }
        Term::BvNot(a) => {
            if let Term::BvAnd(x, y) = terms[a]
                && let (Term::BvNot(x), Term::BvNot(y)) = (terms[x], terms[y])
            {
                return call("bvor", &[x, y]);
            }
            call("bvnot", &[a])
        }
        Term::BvAnd(a, b) => call("bvand", &[a, b]),
        Term::BvXor(a, b) => call("bvxor", &[a, b]),
        Term::Add(a, b) => match (negated(terms, a), negated(terms, b)) {
            (_, Some(b)) => call("bvsub", &[a, b]),
            (Some(a), None) => call("bvsub", &[b, a]),
            (None, None) => call("bvadd", &[a, b]),
        },
        Term::Mul(a, b) => {
            negated(terms, term).map_or_else(|| call("bvmul", &[a, b]), |x| call("bvneg", &[x]))
        }
        Term::Udiv(a, b) => call("bvudiv", &[a, b]),
        Term::Urem(a, b) => call("bvurem", &[a, b]),
        Term::Shl(a, b) => call("bvshl", &[a, b]),
        Term::Lshr(a, b) => call("bvlshr", &[a, b]),
        Term::Ashr(a, b) => call("bvashr", &[a, b]),
        Term::Concat(a, b) if terms.as_bits(a) == Some(0) => {
            call(format!("(_ zero_extend {})", terms.width(a)), &[b])
        }
        Term::Concat(a, b) => call("concat", &[a, b]),
        Term::Extract { high, low, of } => call(format!("(_ extract {high} {low})"), &[of]),
        Term::SignExtend { by, of } => call(format!("(_ sign_extend {by})"), &[of]),
        Term::Select(a, b) => call("select", &[a, b]),
        Term::Store(a, b, c) => call("store", &[a, b, c]),
        Term::ConstArray { element, .. } => {
            call(format!("(as const {})", sort_text(terms.sort(term))), &[element])
        }
    }
}

fn leaf(text: String) -> Surface {
    Surface { head: Head::Leaf(text), operands: smallvec![] }
}
