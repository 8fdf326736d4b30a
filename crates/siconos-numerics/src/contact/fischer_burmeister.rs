//! Fischer-Burmeister function over a second-order cone.
//!
//! The Jordan product of the cone is $x \circ y = (x^T y, x_0 \bar y + y_0 \bar x)$; squares and roots refer
//! to this product. The function $x + y - (x^2 + y^2)^{1/2}$ is zero if and only if $x$ and $y$ are in the
//! cone and are perpendicular (Fukushima, Luo, Tseng 2002, proposition 2.1). With $w = (x^2 + y^2)^{1/2}$,
//! its derivatives are $I - L_w^{-1} L_x$ and $I - L_w^{-1} L_y$, where $L_w$ is the matrix of the Jordan
//! multiplication by $w$.

use siconos_linalg::{dot, norm};

use super::ContactLaw;

/// Workspace to evaluate the function for blocks of any size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    x: Vec<f64>,
    y: Vec<f64>,
    root: Vec<f64>,
    column: Vec<f64>,
    quotient: Vec<f64>,
}

impl Scratch {
    /// Writes the square root w of $x^2 + y^2$ to `root`, and returns the determinant of w. On the boundary
    /// of the cone, where the square root is not differentiable, a small positive number replaces the
    /// determinant.
    fn take_root(&mut self) -> f64 {
        let Self { x, y, root, .. } = self;
        root.clear();
        root.push(dot(x, x) + dot(y, y));
        root.extend(x[1..].iter().zip(&y[1..]).map(|(a, b)| 2.0 * (x[0] * a + y[0] * b)));
        let length = norm(&root[1..]);
        let (small, large) = ((root[0] - length).max(0.0).sqrt(), (root[0] + length).sqrt());
        let factor = if length > 0.0 { 0.5 * (large - small) / length } else { 0.0 };
        root[0] = 0.5 * (small + large);
        root[1..].iter_mut().for_each(|w| *w *= factor);
        let large = large.max(f64::MIN_POSITIVE);
        small.max(f64::EPSILON.sqrt() * large) * large
    }

    /// Solves $w \circ z = v$ for z. `column` holds v, and z is written to `quotient`.
    fn divide(&mut self, determinant: f64) {
        let Self { root, column, quotient, .. } = self;
        let normal = root[0].max(f64::MIN_POSITIVE.sqrt());
        quotient.clear();
        quotient.push((normal * column[0] - dot(&root[1..], &column[1..])) / determinant);
        let first = quotient[0];
        quotient.extend(root[1..].iter().zip(&column[1..]).map(|(w, v)| (v - first * w) / normal));
    }
}

/// Writes $\Phi$ of a block to `phi`. If `jacobians` is given, also writes the derivatives with respect to
/// the reaction and to the velocity.
pub(crate) fn evaluate(
    law: &ContactLaw<'_>,
    i: usize,
    rho: f64,
    (r, u): (&[f64], &[f64]),
    phi: &mut [f64],
    jacobians: Option<(&mut [f64], &mut [f64])>,
    scratch: &mut Scratch,
) {
    let d = r.len();
    let mu = law.cone(i).parts()[0].coefficient;
    if mu == 0.0 || d == 1 {
        half_line(rho, r, u, phi, jacobians);
        return;
    }
    scratch.x.clear();
    scratch.x.extend_from_slice(r);
    scratch.x[0] *= mu;
    scratch.y.clear();
    scratch.y.extend(u.iter().map(|u| rho * u));
    scratch.y[0] = rho * (u[0] + law.shift(i, u)) / mu;
    let determinant = scratch.take_root();
    let sums = scratch.x.iter().zip(&scratch.y).zip(&scratch.root);
    phi.iter_mut().zip(sums).for_each(|(phi, ((x, y), w))| *phi = x + y - w);
    let Some((a, b)) = jacobians else { return };
    for (of_reaction, matrix) in [(true, &mut *a), (false, &mut *b)] {
        for j in 0..d {
            // Column j of L_x, or of L_y.
            let factor = if of_reaction { &scratch.x } else { &scratch.y };
            scratch.column.clear();
            scratch.column.resize(d, 0.0);
            if j == 0 {
                scratch.column.copy_from_slice(factor);
            } else {
                scratch.column[0] = factor[j];
                scratch.column[j] = factor[0];
            }
            scratch.divide(determinant);
            for k in 0..d {
                matrix[k * d + j] = f64::from(k == j) - scratch.quotient[k];
            }
        }
    }
    // x = (mu r_N, r_T); y = rho ((u_N + s(u)) / mu, u_T).
    scratch.column.clear();
    scratch.column.resize(d, 0.0);
    law.shift_gradient(i, u, &mut scratch.column);
    for row in 0..d {
        let (a, b) = (&mut a[row * d..(row + 1) * d], &mut b[row * d..(row + 1) * d]);
        a[0] *= mu;
        let first = rho * b[0] / mu;
        b[0] = first;
        b[1..].iter_mut().zip(&scratch.column[1..]).for_each(|(b, s)| *b = rho * *b + first * s);
    }
}

/// Evaluates the function without friction, where the cone is a half-line. The normal component of $\Phi$ is
/// the scalar Fischer-Burmeister function, and the tangential component is $r_T$.
fn half_line(rho: f64, r: &[f64], u: &[f64], phi: &mut [f64], jacobians: Option<(&mut [f64], &mut [f64])>) {
    let d = r.len();
    phi.copy_from_slice(r);
    let (x, y) = (r[0], rho * u[0]);
    let root = x.hypot(y);
    phi[0] = x + y - root;
    if let Some((a, b)) = jacobians {
        a.fill(0.0);
        b.fill(0.0);
        (1..d).for_each(|k| a[k * d + k] = 1.0);
        // At the origin, this is an element of the generalised derivative.
        let (cosine, sine) = if root > 0.0 { (x / root, y / root) } else { (0.5_f64.sqrt(), 0.5_f64.sqrt()) };
        a[0] = 1.0 - cosine;
        b[0] = rho * (1.0 - sine);
    }
}
