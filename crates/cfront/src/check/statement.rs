//! Statements: labels, switches, loops and returns.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a check names the types it accepts; any other is refused with an error"
)]

use raddle_base::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

use crate::ast::{CastKind, ExprId, FunctionId, Label, LabelId, StmtId, StmtKind};
use crate::check::TreeBuilder;
use crate::check::conversion::AssignContext;
use crate::check::shape::{Shape, shape};
use crate::names::Symbol;
use crate::types::{IntKind, Type, Types};

/// Checks statements: where jumps lead, and what they may not enter.
#[derive(Debug)]
pub struct Statements<'t> {
    tree: &'t mut TreeBuilder,
    body: &'t mut BodyJumps,
    /// The function whose body is being read.
    function: Option<FunctionId>,
}

impl<'t> Statements<'t> {
    pub(super) fn new(
        tree: &'t mut TreeBuilder,
        body: &'t mut BodyJumps,
        function: Option<FunctionId>,
    ) -> Self {
        Self { tree, body, function }
    }
}

/// The labels, switches and loops of the function being read, and of those around it.
#[derive(Clone, Debug, Default)]
pub struct BodyJumps {
    flow: StatementFlow,
    /// Those of the functions around it, innermost last.
    outer: Vec<StatementFlow>,
}

impl BodyJumps {
    /// Whether the function being read stands in another one.
    pub(super) fn is_nested(&self) -> bool {
        self.outer.len() > 1
    }
}

/// The labels, switches and loops of one function.
#[derive(Clone, Debug, Default)]
pub(crate) struct StatementFlow {
    labels: FxHashMap<Symbol, LabelId>,
    /// What is known about each label, in the order they came up, and where in that list each is.
    known: Vec<LabelFacts>,
    places: FxHashMap<LabelId, usize>,
    /// Names that `__label__` has taken over, with what they meant before; one list a block.
    local: Vec<Vec<(Symbol, Option<LabelId>)>>,
    jumps: Vec<(LabelId, Region, Span)>,
    switches: Vec<Switch>,
    /// The parents of the regions; the outermost has none.
    regions: Vec<(Region, RegionKind)>,
    region: Region,
    /// Statements that `break` may leave, and loops that `continue` may go on with.
    breakable: u32,
    loops: u32,
}

/// A part of a function that must not be jumped into; zero is the whole function.
type Region = usize;

/// Why a region must not be jumped into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RegionKind {
    /// A variable length array is declared at its head.
    VariableLength,
    /// It is a statement expression.
    StatementExpression,
}

#[derive(Clone, Debug)]
struct LabelFacts {
    id: LabelId,
    defined: Option<Region>,
    used: bool,
}

#[derive(Clone, Debug)]
struct Switch {
    kind: Option<IntKind>,
    /// Whether the value is a truth value.
    truth: bool,
    /// The values so far: first to last, and where.
    cases: BTreeMap<i128, (i128, Span)>,
    default: Option<Span>,
    region: Region,
}

/// What a loop or `switch` leaves behind, to be put back at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowMark {
    breakable: u32,
    loops: u32,
}

impl Statements<'_> {
    /// Starts the body of a function, perhaps inside another.
    pub(crate) fn enter_body(&mut self) {
        let outer = std::mem::take(&mut self.body.flow);
        self.body.outer.push(outer);
    }

    /// Ends the body of a function: every label must have been defined, and no jump may lead where it must not.
    pub(crate) fn leave_body(&mut self) {
        let outer = self.body.outer.pop().unwrap_or_default();
        let mut flow = std::mem::replace(&mut self.body.flow, outer);
        for facts in &flow.known {
            if facts.defined.is_none() && facts.used {
                let label = &self.tree.ast.labels[facts.id];
                let (name, span) = (self.tree.ast.text(label.name).to_owned(), label.span);
                self.tree.error(span, format!("label `{name}` is used but not defined"));
            }
        }
        for (label, from, span) in std::mem::take(&mut flow.jumps) {
            let Some(to) = flow.facts(label).and_then(|facts| facts.defined) else { continue };
            if let Some(kind) = flow.entered(from, to) {
                let place = self.tree.ast.labels[label].span;
                let diagnostic =
                    Diagnostic::error(span, kind.complaint("jump")).also(place, "the label is here");
                self.tree.diagnostics.push(diagnostic);
            }
        }
    }

    /// Starts a block: `__label__` declarations end with it, and so do regions.
    pub(crate) fn enter_block(&mut self) -> usize {
        self.body.flow.local.push(Vec::new());
        self.body.flow.region
    }

    /// Ends the block that [`enter_block`](Self::enter_block) started.
    pub(crate) fn leave_block(&mut self, region: usize) {
        let flow = &mut self.body.flow;
        flow.region = region;
        for (name, before) in flow.local.pop().unwrap_or_default().into_iter().rev() {
            match before {
                Some(label) => flow.labels.insert(name, label),
                None => flow.labels.remove(&name),
            };
        }
    }

    /// Notes that from here to the end of the block no jump may lead in: a variable length array was declared.
    pub(crate) fn enter_variable_length(&mut self) {
        self.body.flow.enter_region(RegionKind::VariableLength);
    }

    /// Notes that a statement expression starts; its block's end ends it.
    pub(crate) fn enter_statement_expression(&mut self) -> usize {
        let before = self.body.flow.region;
        self.body.flow.enter_region(RegionKind::StatementExpression);
        before
    }

    /// Ends what [`enter_statement_expression`](Self::enter_statement_expression) started.
    pub(crate) fn leave_statement_expression(&mut self, region: usize) {
        self.body.flow.region = region;
    }

    fn new_label(&mut self, name: Symbol, local: bool, span: Span) -> LabelId {
        let id = self.tree.ast.labels.push(Label { name, local, span });
        let flow = &mut self.body.flow;
        flow.places.insert(id, flow.known.len());
        flow.known.push(LabelFacts { id, defined: None, used: false });
        id
    }

    /// `__label__ name;`
    pub(crate) fn declare_label(&mut self, name: Symbol, span: Span) -> Option<LabelId> {
        let taken =
            self.body.flow.local.last().is_some_and(|block| block.iter().any(|(other, _)| *other == name));
        if taken {
            let text = self.tree.ast.text(name).to_owned();
            self.tree.error(span, format!("label `{text}` is declared twice in this block"));
            return None;
        }
        let id = self.new_label(name, true, span);
        let flow = &mut self.body.flow;
        let before = flow.labels.insert(name, id);
        if let Some(block) = flow.local.last_mut() {
            block.push((name, before));
        }
        Some(id)
    }

    /// A label that is gone to, or whose address is taken.
    pub(crate) fn use_label(&mut self, name: Symbol, span: Span, jump: bool) -> LabelId {
        let id = match self.body.flow.labels.get(&name) {
            Some(&id) => id,
            // A nested function may leave for a label that the function around it declared with `__label__`.
            None => match self.outer_label(name) {
                Some(id) => return id,
                None => {
                    let id = self.new_label(name, false, span);
                    self.body.flow.labels.insert(name, id);
                    id
                }
            },
        };
        let flow = &mut self.body.flow;
        if let Some(facts) = flow.facts(id) {
            facts.used = true;
        }
        if jump {
            flow.jumps.push((id, flow.region, span));
        }
        id
    }

    fn outer_label(&self, name: Symbol) -> Option<LabelId> {
        self.body.outer.iter().rev().find_map(|flow| {
            let id = flow.labels.get(&name)?;
            self.tree.ast.labels[*id].local.then_some(*id)
        })
    }

    /// `name:`
    pub(crate) fn define_label(&mut self, name: Symbol, span: Span) -> LabelId {
        let id = match self.body.flow.labels.get(&name) {
            Some(&id) => id,
            None => {
                let id = self.new_label(name, false, span);
                self.body.flow.labels.insert(name, id);
                id
            }
        };
        let flow = &mut self.body.flow;
        let region = flow.region;
        let again = flow.facts(id).is_some_and(|facts| facts.defined.replace(region).is_some());
        if again {
            let text = self.tree.ast.text(name);
            let diagnostic = Diagnostic::error(span, format!("duplicate label `{text}`"))
                .also(self.tree.ast.labels[id].span, "first defined here");
            self.tree.diagnostics.push(diagnostic);
        } else {
            self.tree.ast.labels[id].span = span;
        }
        id
    }

    /// `goto *pointer;`
    pub(crate) fn computed_goto(&mut self, target: ExprId) -> ExprId {
        let value = self.tree.rvalue(target);
        match self.tree.shape_of(value) {
            Shape::Error | Shape::Pointer(_) => value,
            Shape::Void => self.tree.void_use(value),
            _ => {
                let described = self.tree.describe(self.tree.type_of(value));
                self.tree.error(
                    self.tree.span(value),
                    format!("computed `goto` needs a pointer, found {described}"),
                );
                self.tree.error_expr(self.tree.span(value))
            }
        }
    }

    /// The head of a loop is done: `break` and `continue` may follow.
    pub(crate) fn enter_loop(&mut self) -> FlowMark {
        let flow = &mut self.body.flow;
        let mark = FlowMark { breakable: flow.breakable, loops: flow.loops };
        flow.breakable += 1;
        flow.loops += 1;
        mark
    }

    /// Ends a loop or `switch`.
    pub(crate) fn leave_loop(&mut self, mark: FlowMark) {
        self.body.flow.breakable = mark.breakable;
        self.body.flow.loops = mark.loops;
    }

    /// `break;` or `continue;`
    pub(crate) fn leave_or_repeat(&mut self, repeat: bool, span: Span) -> StmtKind {
        let flow = &self.body.flow;
        if repeat && flow.loops == 0 {
            self.tree.error(span, "`continue` outside of any loop");
            return StmtKind::Error;
        }
        if !repeat && flow.breakable == 0 {
            self.tree.error(span, "`break` outside of any loop or `switch`");
            return StmtKind::Error;
        }
        if repeat { StmtKind::Continue } else { StmtKind::Break }
    }

    /// The head of a `switch`: its value, promoted.
    pub(crate) fn enter_switch(&mut self, value: ExprId) -> (ExprId, FlowMark) {
        let value = self.tree.rvalue(value);
        let mut truth = false;
        let value = match self.tree.shape_of(value) {
            Shape::Error => value,
            Shape::Void => self.tree.void_use(value),
            found if found.is_integer() => {
                truth = found == Shape::Int(IntKind::Bool);
                self.tree.promote(value)
            }
            _ => {
                let described = self.tree.describe(self.tree.type_of(value));
                self.tree.error(
                    self.tree.span(value),
                    format!("the value of `switch` has type {described}, not an integer type"),
                );
                self.tree.error_expr(self.tree.span(value))
            }
        };
        let kind = self.tree.shape_of(value).integer();
        let flow = &mut self.body.flow;
        let mark = FlowMark { breakable: flow.breakable, loops: flow.loops };
        flow.breakable += 1;
        let region = flow.region;
        flow.switches.push(Switch { kind, truth, cases: BTreeMap::new(), default: None, region });
        (value, mark)
    }

    /// Ends a `switch`.
    pub(crate) fn leave_switch(&mut self, mark: FlowMark) {
        self.body.flow.switches.pop();
        self.leave_loop(mark);
    }

    /// `case first:` or `case first ... last:`: the values in the type of the switch.
    pub(crate) fn case_label(
        &mut self,
        first: ExprId,
        last: Option<ExprId>,
        span: Span,
    ) -> Option<(i128, i128)> {
        let Some(switch) = self.body.flow.switches.last() else {
            self.tree.error(span, "`case` outside of any `switch`");
            return None;
        };
        let (kind, truth) = (switch.kind, switch.truth);
        let low = self.tree.integer_constant(first, "`case` label");
        let high = match last {
            Some(last) => self.tree.integer_constant(last, "`case` label"),
            None => low,
        };
        let (low, high, kind) = (low?, high?, kind?);
        let model = self.tree.ast.model;
        let (wrapped_low, wrapped_high) = (model.wrap(low, kind), model.wrap(high, kind));
        if (wrapped_low, wrapped_high) != (low, high) {
            self.tree.warning(span, "`case` value does not fit the type of the `switch`");
        }
        let (low, high) = (wrapped_low, wrapped_high);
        if truth && (low < 0 || high > 1) {
            self.tree
                .warning(span, "the value of the `switch` is a truth value, which this `case` never matches");
        }
        if low > high {
            self.tree.warning(span, "empty range of `case` values");
            return Some((low, high));
        }
        self.check_switch_region(span);
        let switch = self.body.flow.switches.last_mut()?;
        // Ranges do not overlap, so the last that starts no later than `high` decides.
        let clash = switch
            .cases
            .range(..=high)
            .next_back()
            .filter(|(_, (end, _))| *end >= low)
            .map(|(_, (_, span))| *span);
        match clash {
            Some(before) => {
                let diagnostic =
                    Diagnostic::error(span, "duplicate `case` value").also(before, "used here before");
                self.tree.diagnostics.push(diagnostic);
            }
            None => {
                switch.cases.insert(low, (high, span));
            }
        }
        Some((low, high))
    }

    /// `default:`; whether it may stand here.
    pub(crate) fn default_label(&mut self, span: Span) -> bool {
        self.check_switch_region(span);
        let Some(switch) = self.body.flow.switches.last_mut() else {
            self.tree.error(span, "`default` outside of any `switch`");
            return false;
        };
        if let Some(before) = switch.default {
            let diagnostic =
                Diagnostic::error(span, "second `default` in one `switch`").also(before, "the first is here");
            self.tree.diagnostics.push(diagnostic);
        } else {
            switch.default = Some(span);
        }
        true
    }

    fn check_switch_region(&mut self, span: Span) {
        let flow = &self.body.flow;
        let Some(switch) = flow.switches.last() else { return };
        if let Some(kind) = flow.entered(switch.region, flow.region) {
            self.tree.error(span, kind.complaint("`switch` jumps"));
        }
    }

    /// `return value;`
    pub(crate) fn return_value(&mut self, value: Option<ExprId>, span: Span) -> Option<ExprId> {
        let value = value.map(|value| self.tree.rvalue(value));
        let function = self.function?;
        let result = match self.tree.ast.types.kind(self.tree.ast.functions[function].ty.id) {
            Type::Function(function) => function.result,
            _ => return value,
        };
        let is_void = shape(&self.tree.ast, result.id) == Shape::Void;
        match value {
            None => {
                if !is_void && shape(&self.tree.ast, result.id) != Shape::Error {
                    self.tree.warning(span, "`return` without a value in a function that returns one");
                }
                None
            }
            Some(value) if is_void => {
                if matches!(self.tree.shape_of(value), Shape::Void | Shape::Error) {
                    return Some(value);
                }
                let place = self.tree.ast.functions[function].span;
                let diagnostic =
                    Diagnostic::warning(span, "`return` with a value in a function that returns `void`")
                        .also(place, "declared here");
                self.tree.diagnostics.push(diagnostic);
                Some(self.tree.cast(CastKind::ToVoid, value, Types::void(), false, self.tree.span(value)))
            }
            Some(value) => Some(self.tree.assign_convert(value, result, &AssignContext::Return)),
        }
    }

    /// An expression as a statement. Its value is kept, for it may be the last in a statement expression.
    pub(crate) fn expression_statement(&mut self, expr: ExprId, span: Span) -> StmtId {
        let value = self.tree.rvalue(expr);
        self.tree.stmt(StmtKind::Expr(value), span)
    }
}

impl RegionKind {
    fn complaint(self, what: &str) -> String {
        match self {
            Self::VariableLength => format!("{what} into the scope of a variable length array"),
            Self::StatementExpression => format!("{what} into a statement expression"),
        }
    }
}

impl StatementFlow {
    fn facts(&mut self, label: LabelId) -> Option<&mut LabelFacts> {
        let place = *self.places.get(&label)?;
        self.known.get_mut(place)
    }

    fn enter_region(&mut self, kind: RegionKind) {
        self.regions.push((self.region, kind));
        self.region = self.regions.len();
    }

    fn parent(&self, region: Region) -> Option<(Region, RegionKind)> {
        region.checked_sub(1).and_then(|index| self.regions.get(index).copied())
    }

    /// The first kind of region that a jump `from` one position `to` another enters, if any.
    fn entered(&self, from: Region, to: Region) -> Option<RegionKind> {
        let mut around = Vec::new();
        let mut region = from;
        while let Some((parent, _)) = self.parent(region) {
            around.push(region);
            region = parent;
        }
        let mut region = to;
        while let Some((parent, kind)) = self.parent(region) {
            if !around.contains(&region) {
                return Some(kind);
            }
            region = parent;
        }
        None
    }
}
