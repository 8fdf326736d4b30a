//! Random expressions, compared with an evaluation of the same tree in Rust.

use siconos_expression::{
    Expression, FunctionDefinition, Jacobian, Name, Role, Scope, Symbol, Tape, ValueKind, parse_number,
};

use crate::model::assert_same;
use crate::trees::{Draw, Evaluation, Function, NAMES, Parts, Tree, argument_name, function_name};

const FUNCTIONS: usize = 5;

/// Returns random user-defined functions, each of which can call the preceding functions, and a scope in
/// which they are declared in reverse order.
fn drawn_functions(draw: &mut Draw) -> (Vec<Function>, Scope) {
    let mut functions: Vec<Function> = Vec::new();
    for _ in 0..FUNCTIONS {
        let arguments = 1 + draw.below(3);
        let body = Tree::drawn(draw, Parts { functions: &functions, arguments }, 3);
        functions.push(Function { arguments, body });
    }
    let mut scope = Scope::new();
    for (index, name) in (0..).zip(NAMES) {
        let symbol = Symbol { slot: 0, index };
        scope.declare(name, Name { symbol, kind: ValueKind::Real, role: Role::State }).expect("a new name");
    }
    let definition = |(place, function): (usize, &Function)| {
        let arguments = (0..function.arguments).map(argument_name);
        FunctionDefinition::new(function_name(place), arguments, function.body.text(0))
    };
    let definitions: Vec<_> = functions.iter().enumerate().rev().map(definition).collect();
    scope.declare_functions(&definitions).expect("right functions");
    (functions, scope)
}

/// Draws `count` random expressions, and passes each to `check` with the functions that it may call.
fn drawn(count: usize, seed: u64, mut check: impl FnMut(&mut Draw, &[Function], &Tree, &Expression)) {
    let mut draw = Draw(seed);
    for _ in 0..count / 50 {
        let (functions, scope) = drawn_functions(&mut draw);
        for _ in 0..50 {
            let depth = 1 + draw.below(6);
            let tree = Tree::drawn(&mut draw, Parts { functions: &functions, arguments: 0 }, depth);
            let text = tree.text(0);
            let expression = parse_number(&text, &scope).unwrap_or_else(|error| panic!("{text}: {error}"));
            check(&mut draw, &functions, &tree, &expression);
        }
    }
}

#[test]
fn ten_thousand_expressions_have_the_bits_of_an_evaluation_in_rust() {
    const SPECIAL: [f64; 10] =
        [0.0, -0.0, 1.0, -1.0, 0.5, 1e300, -5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let (mut values_that_are_numbers, mut all) = (0, 0);
    drawn(10_000, 19, |draw, functions, tree, expression| {
        let tape = Tape::compile(&[expression]);
        for place in 0..4 {
            let values = NAMES.map(|_| if place == 3 { draw.one_of(&SPECIAL) } else { draw.small() });
            let expected = Evaluation::new(functions, &values).of(tree, &[]);
            let mut out = [0.0];
            tape.evaluate(&[&values], &mut out);
            let what = || format!("{} at {values:?}", tree.text(0));
            assert_same(out[0], expected, &what());
            assert_same(expression.evaluate(&[&values]), expected, &what());
            values_that_are_numbers += usize::from(!expected.is_nan());
            all += 1;
        }
    });
    assert!(values_that_are_numbers > all / 2, "{values_that_are_numbers} of {all}");
}

/// Returns a central difference of fourth order and a bound on its error, or `None` if a kink or a jump is
/// near. The bound is computed from the differences of longer steps. `at` returns the value, the sides of the
/// kinks, and the largest intermediate value.
fn difference(at: impl Fn(f64) -> (f64, Vec<u64>, f64)) -> Option<(f64, f64)> {
    let (_, sides, mut largest) = at(0.0);
    let mut second_order = [0.0; 4];
    for (place, of_second_order) in (0..).zip(&mut second_order) {
        let step = 2e-3 / f64::from(1 << place);
        let ((below, sides_below, largest_below), (above, sides_above, largest_above)) =
            (at(-step), at(step));
        if sides_below != sides || sides_above != sides {
            return None;
        }
        // The sum remains NaN if a summand is NaN.
        largest += largest_below + largest_above;
        *of_second_order = (above - below) / (2.0 * step);
    }
    let [a, b, c, d] = second_order;
    let (coarse, middle, fine) = ((4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0, (4.0 * d - c) / 3.0);
    // Rounding errors of the values are amplified by a factor of at most 1e4, by the smallest step and the
    // extrapolation.
    let bound = 10.0 * ((fine - middle).abs() + (middle - coarse).abs()) + 1e4 * f64::EPSILON * largest;
    (largest.is_finite() && bound.is_finite()).then_some((fine, bound))
}

#[test]
fn derivatives_away_from_kinks_are_those_of_central_differences() {
    let variables: Vec<Symbol> = (0..).zip(NAMES).map(|(index, _)| Symbol { slot: 0, index }).collect();
    let mut compared = 0;
    drawn(5000, 20, |draw, functions, tree, expression| {
        let jacobian = Jacobian::compile(&[expression], &variables);
        let values = NAMES.map(|_| draw.small());
        let mut row = [0.0; NAMES.len()];
        jacobian.evaluate(&[&values], &mut row);
        for (column, found) in row.into_iter().enumerate() {
            let along = |by: f64| {
                let mut moved = values;
                moved[column] += by;
                let mut evaluation = Evaluation::new(functions, &moved);
                let value = evaluation.of(tree, &[]);
                (value, evaluation.sides, evaluation.largest)
            };
            let Some((expected, bound)) = difference(along) else { continue };
            let size = expected.abs().max(1.0);
            if bound <= 1e-7 * size && found != 0.0 {
                let error = (found - expected).abs();
                let what = || format!("{} by {} at {values:?}", tree.text(0), NAMES[column]);
                assert!(error <= 1e-6 * size, "{}: {found} {expected}", what());
                compared += 1;
            } else if found == 0.0 {
                assert!(
                    expected.abs() <= bound + 1e-6,
                    "{} by {}: 0 {expected}",
                    tree.text(0),
                    NAMES[column]
                );
            }
        }
    });
    assert!(compared > 2000, "{compared}");
}
