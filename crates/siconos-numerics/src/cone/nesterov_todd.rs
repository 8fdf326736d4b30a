//! Nesterov-Todd scaling of one second-order cone, and the Jordan algebra of the cone.
//!
//! For $x$ and $y$ inside the cone, exactly one symmetric matrix V maps the cone onto itself and satisfies
//! $V x = V^{-1} y$. With $J = \mathrm{diag}(1, -1, .., -1)$ and a vector w with $w^T J w = 1$, it satisfies
//! $V^2 = \eta^2 (2 w w^T - J)$ (Nesterov and Todd 1997; Vandenberghe 2010, "The CVXOPT linear and quadratic
//! cone program solvers", section 4.2).

use siconos_linalg::{dot, norm};

/// Returns $x_0^2 - \lVert \bar x \rVert^2$, computed without cancellation of squares.
fn determinant(x: &[f64]) -> f64 {
    let length = norm(&x[1..]);
    (x[0] - length) * (x[0] + length)
}

/// Computes the scaling of the pair (x, y): writes the vector w to `w`, and returns $\eta$. Returns `None` if
/// x or y is not inside the cone.
pub(crate) fn scaling(x: &[f64], y: &[f64], w: &mut [f64]) -> Option<f64> {
    let (of_x, of_y) = (determinant(x), determinant(y));
    if !(of_x > 0.0 && of_y > 0.0 && x[0] > 0.0 && y[0] > 0.0) {
        return None;
    }
    let (of_x, of_y) = (of_x.sqrt(), of_y.sqrt());
    let gamma = (0.5 * (1.0 + dot(x, y) / (of_x * of_y))).sqrt();
    for (k, (w, (x, y))) in w.iter_mut().zip(x.iter().zip(y)).enumerate() {
        let mirrored = if k == 0 { x / of_x } else { -x / of_x };
        *w = (y / of_y + mirrored) / (2.0 * gamma);
    }
    Some((of_y / of_x).sqrt())
}

/// Writes $V z$ to `result`, or $V^{-1} z$ if `inverse` is `true`.
pub(crate) fn apply(w: &[f64], eta: f64, inverse: bool, z: &[f64], result: &mut [f64]) {
    let sign = if inverse { -1.0 } else { 1.0 };
    let factor = if inverse { 1.0 / eta } else { eta };
    let along = sign * dot(&w[1..], &z[1..]);
    result[0] = factor * (w[0] * z[0] + along);
    let of_w = sign * z[0] + sign * along / (1.0 + w[0]);
    for (result, (w, z)) in result[1..].iter_mut().zip(w[1..].iter().zip(&z[1..])) {
        *result = factor * (z + of_w * w);
    }
}

/// Writes the Jordan product $x \circ y = (x^T y, x_0 \bar y + y_0 \bar x)$ to `result`.
pub(crate) fn product(x: &[f64], y: &[f64], result: &mut [f64]) {
    result[0] = dot(x, y);
    for (result, (a, b)) in result[1..].iter_mut().zip(x[1..].iter().zip(&y[1..])) {
        *result = x[0] * b + y[0] * a;
    }
}

/// Solves $x \circ z = v$ in place: `v` holds the right-hand side on entry and z on return. x must be inside
/// the cone.
pub(crate) fn divide(x: &[f64], v: &mut [f64]) {
    let first = (x[0] * v[0] - dot(&x[1..], &v[1..])) / determinant(x);
    v[0] = first;
    let normal = x[0];
    v[1..].iter_mut().zip(&x[1..]).for_each(|(v, x)| *v = (*v - first * x) / normal);
}

/// Returns the largest t for which $x + t d$ is in the cone, or infinity if it is in the cone for every
/// positive t. x must be inside the cone.
pub(crate) fn longest_step(x: &[f64], d: &[f64]) -> f64 {
    let a = d[0] * d[0] - dot(&d[1..], &d[1..]);
    let b = x[0] * d[0] - dot(&x[1..], &d[1..]);
    let c = determinant(x).max(0.0);
    // The smallest positive root of a t^2 + 2 b t + c, computed without cancellation.
    let root = (b * b - a * c).max(0.0).sqrt();
    let leaves = if b * b < a * c {
        f64::INFINITY
    } else if b < 0.0 {
        c / (root - b)
    } else if a < 0.0 {
        (b + root) / -a
    } else {
        f64::INFINITY
    };
    if d[0] < 0.0 { leaves.min(-x[0] / d[0]) } else { leaves }
}
