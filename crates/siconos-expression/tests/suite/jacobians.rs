//! Jacobian matrices compared with closed forms and with finite differences.

use proptest::prelude::*;
use siconos_expression::{Expression, Jacobian, Symbol, parse_number};

use crate::drawn::{choices, config};
use crate::model::{Banks, scope, symbol};

fn number(text: &str) -> Expression {
    parse_number(text, &scope()).expect(text)
}

fn variables() -> [Symbol; 3] {
    ["y", "z", "k"].map(symbol)
}

/// Returns the derivatives of an expression with respect to y, z and k.
fn gradient(expression: &Expression, slots: &Banks) -> [f64; 3] {
    let mut row = [0.0; 3];
    Jacobian::compile(&[expression], &variables()).evaluate(&slots.slices(), &mut row);
    row
}

fn banks_at(y: f64, z: f64, k: f64) -> Banks {
    let mut slots = Banks::new();
    for (name, value) in [("y", y), ("z", z), ("k", k)] {
        slots.set(name, value);
    }
    slots
}

/// Compares with the closed form up to a few rounding errors.
#[track_caller]
fn assert_gradient(text: &str, (y, z, k): (f64, f64, f64), expected: [f64; 3]) {
    let found = gradient(&number(text), &banks_at(y, z, k));
    for (found, expected) in found.into_iter().zip(expected) {
        let is_close = found == expected || (found - expected).abs() <= 8.0 * f64::EPSILON * expected.abs();
        assert!(
            is_close || (found.is_nan() && expected.is_nan()),
            "{text}: {found:?} instead of {expected:?}"
        );
    }
}

#[test]
fn functions_have_their_derivatives() {
    type Derivative = fn(f64) -> f64;
    let derivatives: [(&str, Derivative); 24] = [
        ("-y", |_| -1.0),
        ("sin(y)", f64::cos),
        ("cos(y)", |x| -x.sin()),
        ("tan(y)", |x| x.cos().powi(-2)),
        ("asin(y)", |x| 1.0 / (1.0 - x * x).sqrt()),
        ("acos(y)", |x| -1.0 / (1.0 - x * x).sqrt()),
        ("atan(y)", |x| 1.0 / (1.0 + x * x)),
        ("sinh(y)", f64::cosh),
        ("cosh(y)", f64::sinh),
        ("tanh(y)", |x| x.cosh().powi(-2)),
        ("asinh(y)", |x| 1.0 / (1.0 + x * x).sqrt()),
        ("acosh(1 + y)", |x| 1.0 / ((1.0 + x) * (1.0 + x) - 1.0).sqrt()),
        ("atanh(y)", |x| 1.0 / (1.0 - x * x)),
        ("exp(y)", f64::exp),
        ("ln(y)", |x| 1.0 / x),
        ("log2(y)", |x| 1.0 / (x * std::f64::consts::LN_2)),
        ("log10(y)", |x| 1.0 / (x * std::f64::consts::LN_10)),
        ("sqrt(y)", |x| 0.5 / x.sqrt()),
        ("cbrt(y)", |x| 1.0 / (3.0 * x.cbrt() * x.cbrt())),
        ("abs(y)", f64::signum),
        ("sign(y) + floor(y) + ceil(y) + round(y)", |_| 0.0),
        ("y^3", |x| 3.0 * x * x),
        ("y^-2", |x| -2.0 / (x * x * x)),
        ("y^2.5", |x| 2.5 * x.powf(1.5)),
    ];
    for (text, derivative) in derivatives {
        for x in [0.125, 0.5, 0.8125] {
            assert_gradient(text, (x, 1.0, 1.0), [derivative(x), 0.0, 0.0]);
        }
    }
}

#[test]
fn operations_have_their_derivatives() {
    let (y, z, k) = (0.75_f64, 1.5_f64, 2.5_f64);
    let at = (y, z, k);
    let squares = y * y + z * z;
    assert_gradient("y + z - k", at, [1.0, 1.0, -1.0]);
    assert_gradient("y * z * k", at, [z * k, y * k, y * z]);
    assert_gradient("y / z", at, [1.0 / z, -y / (z * z), 0.0]);
    assert_gradient("1 / k", at, [0.0, 0.0, -1.0 / (k * k)]);
    assert_gradient("y^z", at, [z * y.powf(z - 1.0), y.powf(z) * y.ln(), 0.0]);
    assert_gradient("2^y", at, [2.0_f64.powf(y) * 2.0_f64.ln(), 0.0, 0.0]);
    assert_gradient("atan2(y, z)", at, [z / squares, -y / squares, 0.0]);
    assert_gradient("hypot(y, z)", at, [y / squares.sqrt(), z / squares.sqrt(), 0.0]);
    assert_gradient("min(y, z)", at, [1.0, 0.0, 0.0]);
    assert_gradient("max(y, z)", at, [0.0, 1.0, 0.0]);
    assert_gradient("max(y * k, z)", at, [k, 0.0, y]);
    assert_gradient("mod(k, y)", at, [-3.0, 0.0, 1.0]);
    assert_gradient("if y < z then y^2 else z", at, [2.0 * y, 0.0, 0.0]);
    assert_gradient("if y > z then y^2 else z", at, [0.0, 1.0, 0.0]);
    assert_gradient("sin(y * z) * exp(-k)", at, {
        let (cosine, sine, decay) = ((y * z).cos(), (y * z).sin(), (-k).exp());
        [z * cosine * decay, y * cosine * decay, -sine * decay]
    });
}

#[test]
fn derivatives_are_exact_where_a_formula_might_not_be() {
    // Powers at zero.
    assert_gradient("y^2", (0.0, 0.0, 0.0), [0.0; 3]);
    assert_gradient("y^1", (0.0, 0.0, 0.0), [1.0, 0.0, 0.0]);
    assert_gradient("y^2.5", (0.0, 0.0, 0.0), [0.0; 3]);
    assert_gradient("y^k", (0.0, 0.0, 2.0), [0.0; 3]);
    assert_gradient("y^k", (0.0, 0.0, 1.0), [1.0, 0.0, 0.0]);
    assert_gradient("y^3", (-2.0, 0.0, 0.0), [12.0, 0.0, 0.0]);
    // The logarithm of a negative base is not used if the exponent is constant.
    assert_gradient("y^(1 + 1)", (-2.0, 0.0, 0.0), [-4.0, 0.0, 0.0]);
    // The branch that is not selected has no effect.
    assert_gradient("if y > 0 then sqrt(y) else 0", (0.0, 0.0, 0.0), [0.0; 3]);
    assert_gradient("if y > 0 then ln(y) else y", (-1.0, 0.0, 0.0), [1.0, 0.0, 0.0]);
    // If both arguments are equal, the first is differentiated.
    assert_gradient("min(y, 2 * z)", (2.0, 1.0, 0.0), [1.0, 0.0, 0.0]);
    assert_gradient("abs(y)", (0.0, 0.0, 0.0), [0.0; 3]);
    // Near the end of the domain.
    let x = 1.0 - f64::EPSILON;
    assert_gradient("atanh(y)", (x, 0.0, 0.0), [1.0 / ((1.0 - x) * (1.0 + x)), 0.0, 0.0]);
    // An infinite slope is returned as infinity.
    assert_eq!(gradient(&number("sqrt(y)"), &banks_at(0.0, 0.0, 0.0))[0], f64::INFINITY);
}

#[test]
fn what_does_not_move_has_the_derivative_zero_though_a_function_of_it_be_steep() {
    for text in [
        "sqrt(max(y, 0))",
        "max(sqrt(max(y, 0)), 0)",
        "cbrt(min(max(y, 0), k))",
        "max(y, 0)^0.5",
        "asin(max(y, -1))",
        "acos(min(-y, 1))",
        "acosh(max(y, 1))",
        "hypot(max(y, 0), max(z, 0))",
        "(-2)^max(y, 2)",
        "sqrt(if y > 0 then y else 0)",
    ] {
        assert_gradient(text, (-2.0, -1.0, 3.0), [0.0; 3]);
    }
    // At the origin of a norm, zero is one of its subgradients.
    assert_gradient("sqrt(y^2 + z^2)", (0.0, 0.0, 0.0), [0.0; 3]);
    assert_gradient("hypot(y, z)", (0.0, 0.0, 0.0), [0.0; 3]);
    assert_gradient("sqrt(y^2 + z^2)", (3.0, 4.0, 0.0), [0.6, 0.8, 0.0]);
    // For a large argument, the derivative of tanh keeps its digits.
    assert_gradient("tanh(y)", (18.0, 0.0, 0.0), [18.0_f64.cosh().powi(-2), 0.0, 0.0]);
}

#[test]
fn at_kinks_and_jumps_the_branch_that_is_taken_decides() {
    for (text, at, expected) in [
        ("abs(y)", 0.0, 0.0),
        ("abs(y)", -1e-300, -1.0),
        ("sign(y)", 0.0, 0.0),
        ("floor(y) + ceil(y) + round(y) + y", 2.0, 1.0),
        ("min(y, 2 * y)", 0.0, 1.0),
        ("max(2 * y, y)", 0.0, 2.0),
        ("if y > 0 then 3 * y else 4 * y", 0.0, 4.0),
        ("if(y >= 0, 3 * y, 4 * y)", 0.0, 3.0),
        ("clamp(3 * y, 0, 6)", -0.1, 0.0),
        ("clamp(3 * y, 0, 6)", 0.0, 3.0),
        ("clamp(3 * y, 0, 6)", 1.0, 3.0),
        ("clamp(3 * y, 0, 6)", 2.0, 3.0),
        ("clamp(3 * y, 0, 6)", 2.1, 0.0),
        ("clamp(0, y, 2 * y + 10)", 1.0, 1.0),
        ("clamp(0, -20, 2 * y - 10)", 1.0, 2.0),
        ("y % 2", 3.0, 1.0),
        ("y % 2", 4.0, 1.0),
        ("-7 % y", 2.0, 3.0),
        ("7 % y", -2.0, 3.0),
        ("mod(-7, y)", 2.0, 4.0),
        ("mod(7, y)", -2.0, 4.0),
        ("mod(y, 2)", 4.0, 1.0),
        // The rounded quotient is 10, but the integer quotient is 9.
        ("1 % y", 0.1, -9.0),
        ("y % (1 / 0)", 3.0, 1.0),
    ] {
        assert_gradient(text, (at, 1.0, 1.0), [expected, 0.0, 0.0]);
    }
    assert_gradient("(y * z) % k", (3.5, 2.0, 3.0), [2.0, 3.5, -2.0]);
}

#[test]
fn constant_entries_are_known() {
    let texts = ["3 * y - z / 4", "y * k", "k + 2", "if on then 2 * y else y + y"];
    let expressions: Vec<_> = texts.iter().map(|text| number(text)).collect();
    let compiled = |rows: &[usize]| {
        Jacobian::compile(&rows.iter().map(|row| &expressions[*row]).collect::<Vec<_>>(), &variables())
    };
    let jacobian = compiled(&[0, 1, 2, 3]);
    assert_eq!(
        [0, 1, 2].map(|column| jacobian.constant_entry(0, column)),
        [Some(3.0), Some(-0.25), Some(0.0)]
    );
    assert_eq!([0, 1, 2].map(|column| jacobian.constant_entry(1, column)), [None, Some(0.0), None]);
    assert_eq!(jacobian.constant_entry(2, 2), Some(1.0));
    // Both branches have the derivative 2, so no selection is needed.
    assert_eq!(jacobian.constant_entry(3, 0), Some(2.0));
    assert_eq!([0, 1, 2].map(|column| jacobian.is_zero(1, column)), [false, true, false]);
    assert!(jacobian.is_zero(4, 0) && jacobian.is_zero(0, 3));
    assert_eq!(jacobian.constant(), None);
    assert_eq!(jacobian.symbols(), [symbol("y"), symbol("k")]);
    assert_eq!(compiled(&[0, 2]).constant(), Some(vec![3.0, -0.25, 0.0, 0.0, 0.0, 1.0]));
    assert_eq!(compiled(&[]).constant(), Some(Vec::new()));
    // If only a parameter is read, the matrix is constant as long as the parameter is.
    let by_state = Jacobian::compile(&[&expressions[1]], &[symbol("y")]);
    assert_eq!((by_state.constant(), by_state.symbols()), (None, &[symbol("k")][..]));
}

#[test]
fn entries_that_are_zero_by_structure_are_left_out() {
    let texts = ["z", "2", "y * z", "0 * y + z", "floor(y)", "y - y"];
    let expressions: Vec<_> = texts.iter().map(|text| number(text)).collect();
    let jacobian = Jacobian::compile(&expressions.iter().collect::<Vec<_>>(), &variables());
    assert_eq!((jacobian.rows(), jacobian.columns()), (6, 3));
    assert_eq!(jacobian.entries(), [(0, 1), (2, 0), (2, 1), (3, 1)]);
    // All other entries are left unchanged.
    let mut dense = [7.0; 18];
    jacobian.evaluate(&banks_at(3.0, 5.0, 0.0).slices(), &mut dense);
    let expected = [7.0, 1.0, 7.0, 7.0, 7.0, 7.0, 5.0, 3.0, 7.0, 7.0, 1.0, 7.0];
    assert_eq!(dense[..12], expected);
    assert_eq!(dense[12..], [7.0; 6]);
}

#[test]
fn a_variable_may_be_named_twice() {
    let [y, z, _] = variables();
    let jacobian = Jacobian::compile(&[&number("y * z")], &[y, z, y]);
    let mut row = [0.0; 3];
    jacobian.evaluate(&banks_at(2.0, 3.0, 0.0).slices(), &mut row);
    assert_eq!(row, [3.0, 2.0, 3.0]);
}

/// Returns a central difference and a bound on its error. From the steps h, h/2, h/4 and h/8, the result is
/// the extrapolated value of the last two (fourth order); the bound is computed from the extrapolated values
/// of the other steps. Near a jump, a kink or a pole, the bound is large or not finite.
fn extrapolated(f: impl Fn(f64) -> f64, x: f64) -> (f64, f64) {
    let size = 1.0 + x.abs();
    let difference = |h: f64| (f(x + h) - f(x - h)) / ((x + h) - (x - h));
    let [a, b, c, d] = [1.0, 0.5, 0.25, 0.125].map(|part| difference(1e-3 * size * part));
    let (coarse, middle, fine) = ((4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0, (4.0 * d - c) / 3.0);
    // Rounding errors of the values are amplified by the smallest step (1e-4) and the extrapolation (3).
    let values = f(x + 1e-3 * size).abs().max(f(x - 1e-3 * size).abs()).max(f(x).abs());
    let rounding = 1e6 * f64::EPSILON * values;
    (fine, 10.0 * ((fine - middle).abs() + (middle - coarse).abs()) + rounding)
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn drawn_expressions_have_the_derivatives_of_differences(
        mut choices in choices(),
        y in -3.0..3.0_f64,
        z in -3.0..3.0_f64,
        k in -3.0..3.0_f64,
    ) {
        // Many teeth within a step look like a slope. Closed forms test short waves and teeth.
        let text = choices.number(4, false).replace("123456.789", "1.25");
        prop_assume!(!["mod(", "%", "floor(", "ceil(", "round("].iter().any(|teeth| text.contains(teeth)));
        let expression = number(&text);
        let found = gradient(&expression, &banks_at(y, z, k));
        for (column, derivative) in found.into_iter().enumerate() {
            let along = |value: f64| {
                let mut at = [y, z, k];
                at[column] = value;
                expression.evaluate(&banks_at(at[0], at[1], at[2]).slices())
            };
            let (expected, bound) = extrapolated(along, [y, z, k][column]);
            // Differences that do not converge prove nothing.
            if bound.is_finite() && bound <= 1e-4 * (1.0 + expected.abs()) && derivative.is_finite() {
                prop_assert!(
                    (derivative - expected).abs() <= bound + 1e-9 * expected.abs(),
                    "{} by {}: {} instead of {} +- {}", text, column, derivative, expected, bound
                );
            }
        }
    }
}
