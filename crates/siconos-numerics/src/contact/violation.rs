//! Violation of the law by the reaction and the velocity of one block.
//!
//! The reaction is converted to a velocity by the inverse mass $d$ of the block, $R = d r$. The formulas
//! distinguish cases, so that a small reaction or velocity is not lost to rounding when it is combined with a
//! large one.

use siconos_linalg::dot;

use crate::contact::ContactLaw;
use crate::contact::scales::BlockScale;

/// Returns the square of the amount by which one block violates the law \[m^2/s^2\].
///
/// A contact with friction is either open or closed. The violation is the smaller of the norms of two
/// vectors:
///
/// $$ \text{open: } \bigl(R, (u_N)_-\bigr), \qquad
///    \text{closed: } \bigl(u_N, (R_N)_-, R_k - P_{D(\mu_k (R_N)_+)}(R_k - u_k)\bigr), $$
/// as plain text: open (R, min(u_N, 0)); closed (u_N, min(R_N, 0), R_k - P_D(R_k - u_k)) with the disc D of
/// radius mu_k max(R_N, 0) for every component k, tangential and rolling. Subtracting the entries of the
/// smaller vector from R and u leaves a pair that satisfies the law exactly. The violation is therefore an
/// upper bound of the distance to a pair that satisfies the law. This holds for any coefficient, including
/// infinity.
///
/// The natural map on Coulomb's cone differs from the violation by a factor of at most 3 + mu: it divides
/// violations of $u_N$ by the coefficient, and multiplies the sliding velocity of a sticking contact by it.
///
/// A rolling moment enters as the impulse $r_R / \mu_r$ and the velocity $\mu_r u_R$, with the disc of radius
/// $R_N$. If $\mu_r = 0$, $u_R$ is ignored; the moment is then a violation, divided by the characteristic
/// length of the block. For second-order cones, the violation is the norm of the natural map
/// $R - P_K(R - u)$.
#[inline(always)]
pub(crate) fn violation_square(
    law: &ContactLaw<'_>,
    block: usize,
    scale: BlockScale,
    r: &[f64],
    u: &[f64],
) -> f64 {
    let inverse_mass = scale.inverse_mass;
    match *law {
        ContactLaw::Coulomb { mu, .. } => {
            let approach = u[0].min(0.0);
            if r.iter().all(|r| *r == 0.0) {
                return approach * approach;
            }
            let open = approach * approach + inverse_mass * inverse_mass * square(r);
            if u[0] * u[0] >= open {
                return open;
            }
            let normal = inverse_mass * r[0];
            let part = disc_square(bound(mu[block], normal), inverse_mass, &r[1..], &u[1..]);
            open.min(u[0] * u[0] + normal.min(0.0).powi(2) + part)
        }
        ContactLaw::Rolling { mu, mu_rolling, .. } => {
            rolling_square((mu[block], mu_rolling[block]), scale, r, u)
        }
        ContactLaw::SecondOrder { tau, .. } => cone_square(tau[block], inverse_mass, r, u),
    }
}

/// Returns the radius of the friction disc for a normal reaction. If the normal reaction is not positive, the
/// radius is 0, even if friction is infinite.
#[inline(always)]
pub(crate) fn bound(mu: f64, normal: f64) -> f64 {
    if normal > 0.0 { mu * normal } else { 0.0 }
}

#[inline(always)]
fn square(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// Returns the square of the norm of $R - P(R - u)$, where $R = d r$ and P is the projection onto the disc of
/// the given radius.
#[inline(always)]
fn disc_square(radius: f64, d: f64, r: &[f64], u: &[f64]) -> f64 {
    // With x = R - u, |x| - |R| is computed from u (u - 2 R), so that no digits of u are lost if R is large.
    let (mut of_x, mut of_r, mut of_u, mut turn) = (0.0, 0.0, 0.0, 0.0);
    for (r, u) in r.iter().zip(u) {
        let r = d * r;
        of_x += (r - u) * (r - u);
        of_r += r * r;
        of_u += u * u;
        turn += u * (u - 2.0 * r);
    }
    if of_x < DISTINCT_RATIO * radius * radius {
        return of_u;
    }
    let (of_x, of_r) = (of_x.sqrt(), of_r.sqrt());
    let longer = if turn == 0.0 { 0.0 } else { turn / (of_x + of_r) };
    let excess = (of_r - radius) + longer;
    if excess <= 0.0 || of_x == 0.0 {
        return of_u;
    }
    let factor = excess / of_x;
    r.iter().zip(u).map(|(r, u)| u + factor * (d * r - u)).map(|x| x * x).sum()
}

/// If the ratio of two squared lengths is below this value, the difference of the lengths exceeds rounding
/// errors.
const DISTINCT_RATIO: f64 = 1.0 - 1e-6;

/// Returns the square of the violation for rolling friction, for the open and closed cases of
/// [`violation_square`].
fn rolling_square((mu, mu_rolling): (f64, f64), scale: BlockScale, r: &[f64], u: &[f64]) -> f64 {
    let (tangential, moment) = r[1..].split_at((r.len() - 1) / 2);
    let (sliding, turning) = u[1..].split_at((r.len() - 1) / 2);
    let BlockScale { inverse_mass: d, lever, .. } = scale;
    let (normal, of_moment) = (d * r[0], d / lever);
    let open = u[0].min(0.0).powi(2)
        + normal * normal
        + d * d * square(tangential)
        + of_moment * of_moment * square(moment);
    let mut closed = u[0] * u[0] + normal.min(0.0).powi(2);
    closed += disc_square(bound(mu, normal), d, tangential, sliding);
    closed += if mu_rolling > 0.0 {
        // There are at most two rolling components.
        let mut scaled = [0.0; 2];
        scaled.iter_mut().zip(turning).for_each(|(x, u)| *x = lever * u);
        disc_square(normal.max(0.0), of_moment, moment, &scaled[..turning.len()])
    } else {
        of_moment * of_moment * square(moment)
    };
    open.min(closed)
}

/// Returns the square of the norm of $R - P_K(R - u)$ for the cone $\lVert \bar x \rVert \le \tau x_0$.
///
/// With $x = R - u$ and the direction t of $\bar x$, this vector is $u + e (-\tau, t)$, where
/// $e = (\lVert \bar x \rVert - \tau x_0)_+ / (1 + \tau^2)$. The term $e (-\tau, t)$ is the difference
/// between x and its projection (Moreau's decomposition). If x is in the polar cone, the vector is R.
fn cone_square(tau: f64, d: f64, r: &[f64], u: &[f64]) -> f64 {
    let x = |k: usize| d * r[k] - u[k];
    if r.len() == 1 {
        return (d * r[0]).min(u[0]).powi(2);
    }
    let of_r = d * square(&r[1..]).sqrt();
    let of_x = (1..r.len()).map(|k| x(k).powi(2)).sum::<f64>().sqrt();
    if tau * of_x <= -x(0) {
        return d * d * square(r);
    }
    let turn = dot(&u[1..], &u[1..]) - 2.0 * d * dot(&u[1..], &r[1..]);
    let longer = if turn == 0.0 { 0.0 } else { turn / (of_x + of_r) };
    let gap = (of_r - tau * d * r[0]) + longer;
    let excess = (gap + tau * u[0]) / (1.0 + tau * tau);
    if excess <= 0.0 {
        return square(u);
    }
    let normal = (u[0] - tau * gap) / (1.0 + tau * tau);
    let factor = if of_x > 0.0 { excess / of_x } else { 0.0 };
    normal * normal + (1..r.len()).map(|k| (u[k] + factor * x(k)).powi(2)).sum::<f64>()
}
