//! The laws of domains, against exhaustive computation on small numbers: every vector of a few variables of 3 to 5 bits.
//!
//! `RADDLE_LAWS=100000` looks at so many random elements for each domain.

use raddle_base::random::SplitMix;

use crate::{Boxes, Constraint, Domain, Equalities, Form, Interval, Product, Relation, Zones};

const DIMS: usize = 3;

/// All vectors whose numbers have so many bits, as signed ones.
fn universe(bits: u32) -> Vec<Vec<i128>> {
    let half = 1i128 << (bits - 1);
    let numbers: Vec<i128> = (-half..half).collect();
    let mut all = vec![Vec::new()];
    for _ in 0..DIMS {
        all = all
            .iter()
            .flat_map(|vector| numbers.iter().map(|number| [vector.as_slice(), &[*number]].concat()))
            .collect();
    }
    all
}

fn number(random: &mut SplitMix, size: usize) -> i128 {
    i128::try_from(random.below(2 * size + 1)).unwrap() - i128::try_from(size).unwrap()
}

fn random_form(random: &mut SplitMix) -> Form {
    let mut form = Form::constant(number(random, 6));
    for variable in 0..DIMS {
        if !random.once_in(3) {
            let size = if random.once_in(3) { 3 } else { 1 };
            form = form.plus(&Form::variable(variable), number(random, size)).unwrap();
        }
    }
    form
}

fn random_constraint(random: &mut SplitMix) -> Constraint {
    let relation = [Relation::Equal, Relation::LessEqual, Relation::LessEqual, Relation::NotEqual];
    Constraint { form: random_form(random), relation: relation[random.below(4)] }
}

fn random_element<D: Domain>(random: &mut SplitMix) -> D {
    let mut element = D::top(DIMS);
    for _ in 0..random.below(5) {
        if random.once_in(6) {
            // One variable is the sum of the others.
            let sum = Form::variable(0).plus(&Form::variable(1), 1).unwrap();
            element.guard(&Constraint::equal(sum.plus(&Form::variable(2), -1).unwrap()));
        } else if random.once_in(4) {
            let variable = random.below(DIMS);
            element.assign(variable, &random_form(random));
        } else {
            element.guard(&random_constraint(random));
        }
    }
    element
}

/// Whether the vector is in what the element's constraints describe.
fn contains<D: Domain>(element: &D, vector: &[i128]) -> bool {
    element.constraints().iter().all(|constraint| constraint.holds(vector).unwrap())
}

fn members<D: Domain>(element: &D, universe: &[Vec<i128>]) -> Vec<Vec<i128>> {
    let constraints = element.constraints();
    let member = |vector: &&Vec<i128>| constraints.iter().all(|constraint| constraint.holds(vector).unwrap());
    universe.iter().filter(member).cloned().collect()
}

fn check_pair<D: Domain>(one: &D, other: &D, universe: &[Vec<i128>]) {
    let (of_one, of_other) = (members(one, universe), members(other, universe));
    assert!(!one.is_empty() || of_one.is_empty(), "{one:?} is not empty");
    let joined = one.join(other);
    let widened = one.widen(other, &[-4, 0, 5]);
    let next = one.widen(&joined, &[-4, 0, 5]);
    for vector in of_one.iter().chain(&of_other) {
        assert!(contains(&joined, vector), "{vector:?} is missing in the join of {one:?} and {other:?}");
        assert!(
            contains(&widened, vector) && contains(&next, vector),
            "{vector:?}: {one:?} widened by {other:?}"
        );
    }
    assert!(joined.includes(one) && joined.includes(other), "{one:?}, {other:?}: {joined:?}");
    let met = one.meet(other);
    for vector in &of_one {
        assert!(
            !contains(other, vector) || !met.is_empty() && contains(&met, vector),
            "{vector:?} is missing in what {one:?} and {other:?} have in common"
        );
    }
    if one.includes(other) {
        assert!(of_other.iter().all(|vector| contains(one, vector)), "{one:?} does not include {other:?}");
    }
}

fn check_single<D: Domain>(random: &mut SplitMix, one: &D, universe: &[Vec<i128>]) {
    let of_one = members(one, universe);
    let constraint = random_constraint(random);
    let mut guarded = one.clone();
    guarded.guard(&constraint);
    let entailed = one.entails(&constraint);
    let bounds = one.bounds(&constraint.form);
    let (variable, value) = (random.below(DIMS), random_form(random));
    let (mut assigned, mut forgotten) = (one.clone(), one.clone());
    assigned.assign(variable, &value);
    forgotten.forget(variable);
    let to = [Some(2), None, Some(0)];
    let moved = one.remap(DIMS, &to);
    for vector in &of_one {
        let holds = constraint.holds(vector).unwrap();
        assert!(
            !holds || !guarded.is_empty() && contains(&guarded, vector),
            "{vector:?}: {one:?}, {constraint:?}"
        );
        assert!(holds || !entailed, "{one:?} does not entail {constraint:?}: {vector:?}");
        assert!(
            bounds.includes(Interval::only(constraint.form.value(vector).unwrap())),
            "{vector:?}: {one:?}"
        );
        let mut after = vector.clone();
        after[variable] = value.value(vector).unwrap();
        assert!(
            contains(&assigned, &after),
            "{vector:?} to {after:?}: {one:?}, {variable} = {value:?}: {assigned:?}"
        );
        assert!(contains(&forgotten, vector) && contains(&forgotten, &after), "{vector:?}: {one:?}");
        assert!(contains(&moved, &[vector[2], 7, vector[0]]), "{vector:?}: {one:?}, {moved:?}");
    }
}

#[expect(clippy::disallowed_methods, reason = "who starts the tests says how many")]
fn check_laws<D: Domain>(seed: u64) {
    let count = std::env::var("RADDLE_LAWS").ok().and_then(|count| count.parse().ok()).unwrap_or(600);
    let universes = [universe(3), universe(4), universe(5)];
    let mut random = SplitMix::new(seed);
    for round in 0..count {
        // The largest ones take the longest.
        let universe = &universes[match round % 24 {
            0 => 2,
            1..6 => 1,
            _ => 0,
        }];
        let (one, other): (D, D) = (random_element(&mut random), random_element(&mut random));
        check_pair(&one, &other, universe);
        check_single(&mut random, &one, universe);
    }
}

#[test]
fn intervals_keep_the_laws() {
    check_laws::<Boxes>(1);
}

#[test]
fn zones_keep_the_laws() {
    check_laws::<Zones>(2);
}

#[test]
fn equalities_keep_the_laws() {
    check_laws::<Equalities>(3);
}

#[test]
fn the_product_keeps_the_laws() {
    check_laws::<Product>(4);
}

/// Over the integers a closed matrix is empty only if it says so, and its bounds are reached.
#[test]
fn zones_are_exact_on_differences() {
    let mut random = SplitMix::new(5);
    let universe = universe(4);
    for _ in 0..400 {
        let mut zones = Zones::top(DIMS);
        let mut asked = Vec::new();
        for variable in 0..DIMS {
            let form = Form::variable(variable);
            asked.push(Constraint::at_most_zero(form.plus_constant(-7).unwrap()));
            asked.push(Constraint::at_most_zero(form.times(-1).unwrap().plus_constant(-8).unwrap()));
        }
        for _ in 0..5 {
            let (left, right) = (random.below(DIMS), random.below(DIMS));
            let form = Form::variable(left).plus(&Form::variable(right), -1).unwrap();
            asked.push(Constraint::at_most_zero(form.plus_constant(number(&mut random, 5)).unwrap()));
        }
        asked.iter().for_each(|constraint| zones.guard(constraint));
        let exact: Vec<&Vec<i128>> = universe
            .iter()
            .filter(|vector| asked.iter().all(|constraint| constraint.holds(vector).unwrap()))
            .collect();
        assert_eq!(zones.is_empty(), exact.is_empty(), "{asked:?}");
        let form = Form::variable(0).plus(&Form::variable(1), -1).unwrap();
        let highest = exact.iter().filter_map(|vector| form.value(vector)).max();
        assert!(zones.is_empty() || zones.bounds(&form).high == highest, "{asked:?}: {highest:?}");
    }
}

/// The join of two affine spaces knows every equality that holds in both.
#[test]
fn equalities_lose_nothing_in_a_join() {
    let mut random = SplitMix::new(6);
    let mut seen = 0;
    for _ in 0..3000 {
        let mut sides = [Equalities::top(DIMS), Equalities::top(DIMS)];
        for side in &mut sides {
            for _ in 0..=random.below(3) {
                side.guard(&Constraint::equal(random_form(&mut random)));
            }
        }
        let joined = sides[0].join(&sides[1]);
        let form = Constraint::equal(random_form(&mut random));
        if sides.iter().all(|side| side.entails(&form)) {
            seen += 1;
            assert!(joined.entails(&form), "{sides:?}: {joined:?}, {form:?}");
        }
    }
    assert!(seen > 20, "only {seen} equalities were looked at");
}

#[test]
fn the_parts_of_the_product_make_each_other_sharper() {
    // t = a + b, s = b, a >= 1: so s < t. Neither part knows that alone.
    let [s, t, a, b] = [0, 1, 2, 3].map(Form::variable);
    let mut product = Product::top(4);
    product.guard(&Constraint::equal(t.plus(&a, -1).unwrap().plus(&b, -1).unwrap()));
    product.guard(&Constraint::equal(s.plus(&b, -1).unwrap()));
    let below = Constraint::at_most_zero(s.plus(&t, -1).unwrap().plus_constant(1).unwrap());
    assert!(!product.entails(&below));
    product.guard(&Constraint::at_most_zero(Form::constant(1).plus(&a, -1).unwrap()));
    assert!(product.entails(&below));
}

#[test]
fn what_is_known_of_a_sum_is_kept_where_a_variable_equals_it() {
    // q = a + b: that the sum is at most 5 is known of q, and still when a and b change together.
    let [a, b, q] = [0, 1, 2].map(Form::variable);
    let sum = a.plus(&b, 1).unwrap();
    let at_most = |bound: i128| Constraint::at_most_zero(sum.plus_constant(-bound).unwrap());
    let mut product = Product::top(3);
    product.guard(&Constraint::equal(sum.plus(&q, -1).unwrap()));
    product.guard(&at_most(5));
    assert!(product.entails(&at_most(5)));
    product.assign(0, &a.plus_constant(1).unwrap());
    product.assign(1, &b.plus_constant(-2).unwrap());
    assert!(product.entails(&at_most(4)));
    assert!(!product.entails(&at_most(3)));
    let mut alone = Product::top(3);
    alone.guard(&at_most(5));
    assert!(!alone.entails(&at_most(5)));
}

#[test]
fn widening_goes_to_the_next_threshold() {
    let at_most = |bound: i128| {
        let mut zones = Zones::top(1);
        zones.guard(&Constraint::at_most_zero(Form::variable(0).plus_constant(-bound).unwrap()));
        zones
    };
    let highest = |zones: &Zones| zones.bounds(&Form::variable(0)).high;
    assert_eq!(highest(&at_most(1).widen(&at_most(2), &[0, 10, 20])), Some(10));
    assert_eq!(highest(&at_most(10).widen(&at_most(11), &[0, 10, 20])), Some(20));
    assert_eq!(highest(&at_most(20).widen(&at_most(21), &[0, 10, 20])), None);
    assert_eq!(highest(&at_most(5).widen(&at_most(3), &[0, 10, 20])), Some(5));
}

/// A bound that follows from others is no bound of its own: else it comes back each time, greater by one.
#[test]
fn chains_of_widened_zones_end() {
    const THRESHOLDS: [i128; 3] = [-1, 0, 1];
    let mut random = SplitMix::new(7);
    for _ in 0..200 {
        let mut zones = random_zones(&mut random, 0);
        for round in 1.. {
            assert!(round < 100, "{zones:?}");
            let next = zones.join(&random_zones(&mut random, round));
            if zones.includes(&next) && round > 40 {
                break;
            }
            if !zones.includes(&next) {
                zones = zones.widen(&next, &THRESHOLDS);
            }
        }
    }
}

/// Differences with bounds that grow with the round.
fn random_zones(random: &mut SplitMix, round: i128) -> Zones {
    let mut zones = Zones::top(DIMS);
    for variable in 0..DIMS {
        let other = Form::variable(random.below(DIMS));
        let difference = Form::variable(variable).plus(&other, -1).unwrap();
        zones.guard(&Constraint::at_most_zero(difference.plus_constant(-round).unwrap()));
        let low = Form::constant(-round).plus(&Form::variable(variable), -1).unwrap();
        zones.guard(&Constraint::at_most_zero(low));
    }
    zones
}

#[test]
fn numbers_that_do_not_fit_are_left_out() {
    let huge = Form::constant(i128::MAX);
    let mut product = Product::top(2);
    product.assign(0, &huge);
    product.assign(1, &Form::variable(0).plus_constant(-1).unwrap());
    let sum = Form::variable(0).plus(&Form::variable(1), 1).unwrap();
    assert_eq!(product.bounds(&sum).high, None);
    let mut equalities = Equalities::top(2);
    let form = Form::variable(0).times(i128::MAX / 2).unwrap().plus(&Form::variable(1), 3).unwrap();
    equalities.guard(&Constraint::equal(form));
    equalities.guard(&Constraint::equal(Form::variable(0).plus(&Form::variable(1), i128::MAX / 5).unwrap()));
    assert!(!equalities.is_empty());
}
