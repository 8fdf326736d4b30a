//! Constant and varying sums.

use siconos_expression::{is_constant_sum, parse_expression, parse_number};

use crate::model::{PARAMETERS, scope};

/// Returns, for a + b and for a - b, `true` if it is proved constant. Parameters count as constant.
fn found(a: &str, b: &str) -> (bool, bool) {
    let scope = scope();
    let [a, b] = [a, b].map(|text| parse_expression(text, &scope).expect(text));
    let proved = |subtract| is_constant_sum(&a, &b, subtract, |symbol| symbol.slot == PARAMETERS);
    (proved(false), proved(true))
}

#[test]
fn sums_that_are_constant() {
    for (a, b) in [
        ("y", "-y - 1/2"),
        ("(y-1)*2", "2 - 2*y"),
        ("sin(y)+z", "1 - z - sin(y)"),
        ("y^2 - z^2", "(z - y) * (z + y)"),
        ("(y + z)^3", "-y^3 - 3*y^2*z - 3*y*z^2 - z^3"),
        ("k * y", "-(y + mu) * k"),
        ("y / k", "(1 - y) / k"),
        ("y / z", "-y * (1 / z) + 4"),
        ("sin(2 * y + z)", "-sin(z + y + y)"),
        ("0.1 * y + 0.2 * y", "-0.3 * y"),
        ("y / 3 * 3", "-y"),
        ("max(y, z + 1)", "2 - max(y, 1 + z)"),
        ("if y < z then y else z", "-(if y < z then y else z)"),
        ("y^k", "k - y^k"),
        ("1", "2"),
        ("k", "sin(mu) * k^2"),
        ("z - z", "0 * y"),
    ] {
        assert!(found(a, b).0, "{a} + {b}");
        assert!(found(b, a).0, "{b} + {a}");
        assert!(found(a, &format!("-({b})")).1, "{a} - -({b})");
    }
}

#[test]
fn sums_that_are_not() {
    for (a, b) in [
        ("y", "y"),
        ("y", "-z"),
        ("y", "-y * 1.0000001"),
        ("y", "-1.000000000000002 * y"),
        ("k * y", "-mu * y"),
        ("sin(y)", "-sin(z)"),
        ("sin(y)", "-cos(y)"),
        ("min(y, z)", "-max(y, z)"),
        ("y^2", "-y"),
        ("if y < z then y else z", "-(if y < k then y else z)"),
        ("1e-200 * y * (1e-200 * z)", "1"),
        ("sin(y)", "1e-300"),
    ] {
        assert!(!found(a, b).0, "{a} + {b}");
    }
}

#[test]
fn what_is_not_proved_is_not_said() {
    // These are true, but the proof needs more than sums, products and quotients.
    assert_eq!(found("sin(y)^2", "cos(y)^2"), (false, false));
    assert_eq!(found("y / y", "1"), (false, false));
    // Some numbers are not finite.
    assert_eq!(found("y * (1 / 0)", "-y * (1 / 0)"), (false, false));
    assert_eq!(found("1e200 * 1e200 * y", "y"), (false, false));
    // Conditions cannot be added.
    assert_eq!(found("on", "on"), (false, false));
    assert_eq!(found("1", "true"), (false, false));
}

#[test]
fn the_number_of_products_has_a_limit() {
    let power = |n: usize| format!("(y + z + y' + t + level + count)^{n}");
    assert!(found(&power(4), &format!("-{}", power(4))).0);
    // The expansion has more than a thousand products.
    assert!(!found(&power(12), "y").0);
    assert!(!found(&power(16), "y").0);
}

#[test]
fn long_sums_are_worked_out() {
    let scope = scope();
    let sum = |sign: &str| (1..50_000).map(|k| format!("{sign} {k} * y {sign} z")).collect::<String>();
    let [a, b] = [sum("+"), sum("-")].map(|text| parse_number(&format!("1{text}"), &scope).expect("a sum"));
    assert!(is_constant_sum(&a, &b, false, |_| false));
    assert!(!is_constant_sum(&a, &b, true, |_| false));
}
