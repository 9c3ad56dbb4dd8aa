//! The rewrite rules, each by name, in one table.
//!
//! A constructor offers its node to the rules of its operator, in the order of [`TABLE`]; the first that
//! gives a term wins. A rule looks at a bounded neighbourhood of the node (its operands, sometimes theirs)
//! and builds its result with the constructors, so rules feed each other; none may recurse along a chain of
//! terms whose length is not bounded.
//!
//! Invariant: a rule never changes a node's value under any model. The tests take every rule of the table
//! and compare both sides by evaluation over all values at small widths; a rule that never applies there
//! fails them.
//!
//! In commutative operators a constant is the first operand, see [`Terms`].

mod arithmetic;
mod array;
mod bitwise;
mod boolean;
mod compare;
mod division;
mod equality;
mod polynomial;
mod shape;
#[cfg(test)]
mod tests;

use super::eval::scalar_operation;
use super::{Operator, Sort, Term, TermId, Terms};

/// A rewrite with its name.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Unique in the table; starts with the operator.
    pub name: &'static str,
    /// The equal term, if the rule applies to the node.
    pub apply: fn(&mut Terms, &Term) -> Option<TermId>,
}

/// The rules of one operator.
#[derive(Clone, Copy, Debug)]
pub struct RuleGroup {
    /// The operator of the nodes that are rewritten.
    pub operator: Operator,
    /// The first that applies wins.
    pub rules: &'static [Rule],
}

macro_rules! group {
    ($operator:ident: $($name:literal => $apply:path),* $(,)?) => {
        RuleGroup { operator: Operator::$operator, rules: &[$(Rule { name: $name, apply: $apply }),*] }
    };
}

/// All rules. The groups stand in the order of [`Operator`].
pub static TABLE: &[RuleGroup] = &[
    group!(Symbol:),
    group!(Bool:),
    group!(Bits:),
    group!(Not:
        "not-constant" => fold,
        "not-not" => boolean::not_not,
    ),
    group!(And:
        "and-constant" => boolean::and_constant,
        "and-same" => boolean::and_same,
        "and-complement" => boolean::and_complement,
        "and-absorb" => boolean::and_absorb,
        "and-subsume" => boolean::and_subsume,
        "and-resolve" => boolean::and_resolve,
        "and-clash" => boolean::and_clash,
        "and-exclusive-compare" => boolean::and_exclusive_compare,
    ),
    group!(Xor:
        "xor-constant" => boolean::xor_constant,
        "xor-same" => boolean::xor_same,
        "xor-not" => boolean::xor_not,
        "xor-cancel" => boolean::xor_cancel,
    ),
    group!(Ite:
        "ite-constant-condition" => boolean::ite_constant_condition,
        "ite-same" => boolean::ite_same,
        "ite-not-condition" => boolean::ite_not_condition,
        "ite-boolean-constant" => boolean::ite_boolean_constant,
        "ite-boolean-condition" => boolean::ite_boolean_condition,
        "ite-boolean-not" => boolean::ite_boolean_not,
        "ite-nested-same-condition" => boolean::ite_nested_same_condition,
        "ite-merge" => boolean::ite_merge,
        "ite-equal-to-branch" => boolean::ite_equal_to_branch,
        "ite-common-operand" => boolean::ite_common_operand,
    ),
    group!(Eq:
        "eq-constant" => fold,
        "eq-same" => equality::eq_same,
        "eq-facts" => equality::eq_facts,
        "eq-bit" => equality::eq_bit,
        "eq-not" => equality::eq_not,
        "eq-concat" => equality::eq_concat,
        "eq-sign-extend" => equality::eq_sign_extend,
        "eq-constant-ite" => equality::eq_constant_ite,
        "eq-constant-add" => equality::eq_constant_add,
        "eq-constant-mul" => equality::eq_constant_mul,
        "eq-xor" => equality::eq_xor,
        "eq-constant-and" => equality::eq_constant_and,
        "eq-ite" => equality::eq_ite,
        "eq-polynomial" => polynomial::eq_polynomial,
        "eq-array" => equality::eq_array,
    ),
    group!(Ult:
        "ult-constant" => fold,
        "ult-same" => compare::same,
        "ult-facts" => compare::ult_facts,
        "ult-bound" => compare::ult_bound,
        "ult-not" => compare::ult_not,
        "ult-concat" => compare::ult_concat,
        "ult-narrow" => compare::ult_narrow,
        "ult-sign-extend" => compare::ult_sign_extend,
        "ult-remainder" => compare::ult_remainder,
        "ult-constant-ite" => compare::ult_constant_ite,
    ),
    group!(Slt:
        "slt-constant" => fold,
        "slt-same" => compare::same,
        "slt-bound" => compare::slt_bound,
        "slt-sign" => compare::slt_sign,
        "slt-sign-extend" => compare::slt_sign_extend,
        "slt-known-signs" => compare::slt_known_signs,
        "slt-constant-ite" => compare::slt_constant_ite,
    ),
    group!(UmulOverflow:
        "umul-overflow-constant" => fold,
        "umul-overflow-facts" => compare::umul_overflow_facts,
    ),
    group!(SmulOverflow:
        "smul-overflow-constant" => fold,
        "smul-overflow-trivial" => compare::smul_overflow_trivial,
        "smul-overflow-narrow" => compare::smul_overflow_narrow,
    ),
    group!(BvNot:
        "bvnot-constant" => fold,
        "bvnot-not" => bitwise::bvnot_not,
        "bvnot-concat" => bitwise::bvnot_concat,
        "bvnot-negation" => bitwise::bvnot_negation,
        "bvnot-bit-ite" => bitwise::bvnot_bit_ite,
    ),
    group!(BvAnd:
        "bvand-constant" => bitwise::bvand_constant,
        "bvand-same" => bitwise::bvand_same,
        "bvand-complement" => bitwise::bvand_complement,
        "bvand-constant-nested" => bitwise::bvand_constant_nested,
        "bvand-absorb" => bitwise::bvand_absorb,
        "bvand-covered" => bitwise::bvand_covered,
        "bvand-concat" => bitwise::bvand_concat,
        "bvand-mask" => bitwise::bvand_mask,
        "bvand-facts" => by_facts,
    ),
    group!(BvXor:
        "bvxor-constant" => bitwise::bvxor_constant,
        "bvxor-same" => bitwise::bvxor_same,
        "bvxor-not" => bitwise::bvxor_not,
        "bvxor-constant-nested" => bitwise::bvxor_constant_nested,
        "bvxor-cancel" => bitwise::bvxor_cancel,
        "bvxor-concat" => bitwise::bvxor_concat,
    ),
    group!(Add:
        "add-constant" => arithmetic::add_constant,
        "add-constant-nested" => arithmetic::add_constant_nested,
        "add-not" => arithmetic::add_not,
        "add-constant-ite" => arithmetic::add_constant_ite,
        "add-like" => arithmetic::add_like,
        "add-cancel" => arithmetic::add_cancel,
        "add-pull-constant" => arithmetic::add_pull_constant,
        "add-sort" => arithmetic::add_sort,
        "add-facts" => by_facts,
    ),
    group!(Mul:
        "mul-constant" => arithmetic::mul_constant,
        "mul-constant-nested" => arithmetic::mul_constant_nested,
        "mul-distribute-constant" => arithmetic::mul_distribute_constant,
        "mul-not" => arithmetic::mul_not,
        "mul-constant-ite" => arithmetic::mul_constant_ite,
        "mul-pull-constant" => arithmetic::mul_pull_constant,
        "mul-bit" => arithmetic::mul_bit,
        "mul-sort" => arithmetic::mul_sort,
        "mul-facts" => by_facts,
    ),
    group!(Udiv:
        "udiv-constant" => fold,
        "udiv-power-of-two" => division::udiv_power_of_two,
        "udiv-by-zero" => division::udiv_by_zero,
        "udiv-same" => division::udiv_same,
        "udiv-smaller" => division::udiv_smaller,
        "udiv-narrow" => division::udiv_narrow,
        "udiv-facts" => by_facts,
    ),
    group!(Urem:
        "urem-constant" => fold,
        "urem-power-of-two" => division::urem_power_of_two,
        "urem-by-zero" => division::urem_by_zero,
        "urem-same" => division::urem_same,
        "urem-smaller" => division::urem_smaller,
        "urem-narrow" => division::urem_narrow,
    ),
    group!(Shl:
        "shl-constant" => fold,
        "shl-by-constant" => shape::shl_by_constant,
        "shl-out" => shape::shift_out,
        "shl-zero" => shape::shift_zero,
    ),
    group!(Lshr:
        "lshr-constant" => fold,
        "lshr-by-constant" => shape::lshr_by_constant,
        "lshr-out" => shape::shift_out,
        "lshr-zero" => shape::shift_zero,
        "lshr-facts" => by_facts,
    ),
    group!(Ashr:
        "ashr-constant" => fold,
        "ashr-by-constant" => shape::ashr_by_constant,
        "ashr-out" => shape::ashr_out,
        "ashr-known-sign" => shape::ashr_known_sign,
    ),
    group!(Concat:
        "concat-constant" => fold,
        "concat-right" => shape::concat_right,
        "concat-constants-meet" => shape::concat_constants_meet,
        "concat-extracts-meet" => shape::concat_extracts_meet,
    ),
    group!(Extract:
        "extract-constant" => fold,
        "extract-all" => shape::extract_all,
        "extract-extract" => shape::extract_extract,
        "extract-concat" => shape::extract_concat,
        "extract-sign-extend" => shape::extract_sign_extend,
        "extract-not" => shape::extract_not,
        "extract-constant-bitwise" => shape::extract_constant_bitwise,
        "extract-constant-ite" => shape::extract_constant_ite,
        "extract-arithmetic" => shape::extract_arithmetic,
        "extract-facts" => by_facts,
    ),
    group!(SignExtend:
        "sign-extend-constant" => fold,
        "sign-extend-twice" => shape::sign_extend_twice,
        "sign-extend-known-sign" => shape::sign_extend_known_sign,
    ),
    group!(Select:
        "select-constant-array" => array::select_constant_array,
        "select-store" => array::select_store,
        "select-ite" => array::select_ite,
    ),
    group!(Store:
        "store-store" => array::store_store,
        "store-same" => array::store_same,
        "store-constant-array" => array::store_constant_array,
    ),
    group!(ConstArray:),
];

/// Gives the node to the rules of its operator.
pub(super) fn rewrite(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let group = &TABLE[node.operator() as usize];
    debug_assert_eq!(group.operator, node.operator());
    group.rules.iter().find_map(|rule| (rule.apply)(terms, node))
}

/// A constant of a sort that is not an array.
fn constant(terms: &mut Terms, sort: Sort, value: u128) -> TermId {
    match sort {
        Sort::Bool => terms.bool(value == 1),
        Sort::BitVec(width) => terms.bits(value, width),
        Sort::Array { .. } => unreachable!("arrays are not folded"),
    }
}

/// The constant value of a Boolean or bit-vector term.
fn as_constant(terms: &Terms, term: TermId) -> Option<u128> {
    terms.as_bits(term).or_else(|| terms.as_bool(term).map(u128::from))
}

/// All operands are constants: compute.
fn fold(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let known = node.children().iter().all(|&child| as_constant(terms, child).is_some());
    if !known {
        return None;
    }
    let value = scalar_operation(terms, node, |child| as_constant(terms, child).expect("just checked"))?;
    let sort = terms.sort_of(node);
    Some(constant(terms, sort, value))
}

/// Known bits or the range leave only one value.
fn by_facts(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let Sort::BitVec(width) = terms.sort_of(node) else { return None };
    let value = super::TermFacts::of(terms, node, width).as_constant()?;
    Some(terms.bits(value, width))
}
