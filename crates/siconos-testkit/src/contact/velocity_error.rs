//! Violation of a contact law by the velocities that given reactions cause, in double-double arithmetic. This
//! error is used to check solutions of the battery.

use std::ops::Range;

use ndarray::Array2;
use siconos_numerics::contact::ContactLawData;

use super::law::parts as parts_of;
use crate::double_double::DoubleDouble;

/// Coefficient of friction above which the two modes of Coulomb's law are used instead of the natural map on
/// Coulomb's cone. The map would multiply a violation of the normal velocity by 1 / mu, and slip by mu.
const LARGEST_OF_CONES: f64 = 1.0;

/// Returns the violation of the law by the velocities $u = W r + q$, relative to the free velocities q. The
/// result is NaN if an entry is NaN.
///
/// $$ e = \frac{1}{\lVert q \rVert}
///    \Bigl( \sum_i \lVert d_i (r_i - P_{K_i}(r_i - (u_i + s_i(u_i) e_N) / d_i)) \rVert^2 \Bigr)^{1/2}, $$
///
/// in plain text: the norm of d_i (r_i - P(r_i - (u_i + s e_N) / d_i)) over all blocks, divided by norm(q),
/// where
///
/// - $s_i(u_i)$ is the sum of coefficient times norm over the bounded parts of the velocity. It is 0 for
///   second-order cones.
/// - $d_i$ \[1/kg\] is the mean of the diagonal of W over the normal and tangential rows of the block. If
///   $d_i = 0$, it is replaced by the largest $d$ of all blocks, or by 1 if all are 0. The replacement does
///   not change which reactions have the error 0.
/// - Rolling rows enter as the velocity $\mu_r u_R$ and the impulse $r_R / \mu_r$. If $\mu_r = 0$, $u_R$ is
///   left out, and a nonzero moment is a violation, multiplied by the square root of $d_i W_{RR}$, where
///   $W_{RR}$ is the mean diagonal of the rolling rows.
/// - If $\mu$ is above 1 or infinite, the term of the block is the distance to the nearer of the two modes of
///   Coulomb's law. The distance to the open mode is the norm of $(d r, \min(u_N, 0))$. The distance to the
///   closed mode is the norm of $(u_N, \min(d r_N, 0), d (r_T - P(r_T - u_T / d)))$, with the projection on
///   the disc of radius $\mu r_N$. If $\mu$ is infinite and $r_N > 0$, the last term is $u_T$. In this limit
///   the law requires $r = 0$ if $r_N = 0$, and $u = 0$ if $r_N > 0$.
/// - If all free velocities are 0, the error is 0 at a solution and infinite elsewhere.
///
/// The function computes u and the violations from W, q and r in [double-double arithmetic](DoubleDouble), so
/// that large reactions that cancel do not cost digits.
///
/// # Panics
///
/// If the sizes differ.
#[track_caller]
#[must_use]
pub fn velocity_error(law: &ContactLawData, w: &Array2<f64>, q: &[f64], r: &[f64]) -> f64 {
    let n = law.view().size();
    assert!(w.dim() == (n, n) && q.len() == n && r.len() == n, "the sizes of the problem");
    if r.iter().chain(q).chain(w).any(|x| x.is_nan()) {
        return f64::NAN;
    }
    if r.iter().any(|x| x.is_infinite()) {
        return f64::INFINITY;
    }
    let u: Vec<DoubleDouble> = (0..n).map(|i| velocity(w, q, r, i)).collect();
    violation_of_pair(law, &inverse_masses(law, w), q, r, &u)
}

/// Returns the norm of the violations divided by the norm of the free velocities.
fn violation_of_pair(
    law: &ContactLawData,
    inverse_masses: &[InverseMass],
    q: &[f64],
    r: &[f64],
    u: &[DoubleDouble],
) -> f64 {
    let (mut map, mut free) = (Vec::with_capacity(r.len()), Vec::with_capacity(r.len()));
    for (i, inverse_mass) in inverse_masses.iter().enumerate() {
        let range = law.view().range(i);
        let r: Vec<DoubleDouble> = r[range.clone()].iter().copied().map(DoubleDouble::from).collect();
        let q: Vec<DoubleDouble> = q[range.clone()].iter().copied().map(DoubleDouble::from).collect();
        let mut block = Block::new(law, i, &r, &u[range], &mut free, &q);
        block.moments.iter_mut().for_each(|r| *r = *r * DoubleDouble::from(inverse_mass.of_moment));
        block.push_map(DoubleDouble::from(inverse_mass.of_impulse), &mut map);
    }
    let (map, free) = (DoubleDouble::norm(&map), DoubleDouble::norm(&free));
    if map == DoubleDouble::ZERO { 0.0 } else { (map / free).to_f64() }
}

/// Factors that convert the reactions of a block to velocities.
struct InverseMass {
    /// Mean diagonal of W over the rows other than rolling rows.
    of_impulse: f64,
    /// Square root of `of_impulse` times the mean diagonal of W over the rolling rows.
    of_moment: f64,
}

fn inverse_masses(law: &ContactLawData, w: &Array2<f64>) -> Vec<InverseMass> {
    let mean = |rows: Range<usize>| {
        let count = rows.len() as f64;
        rows.map(|k| w[[k, k]]).sum::<f64>() / count
    };
    let end = |i: usize| match law {
        ContactLawData::Rolling { .. } => law.view().range(i).start + law.view().range(i).len().div_ceil(2),
        _ => law.view().range(i).end,
    };
    let means: Vec<f64> = (0..law.view().blocks()).map(|i| mean(law.view().range(i).start..end(i))).collect();
    let largest = means.iter().fold(0.0_f64, |largest, d| largest.max(*d));
    let instead = if largest > 0.0 { largest } else { 1.0 };
    let of_block = |(i, d): (usize, &f64)| {
        let of_impulse = if *d > 0.0 { *d } else { instead };
        let of_moment = (of_impulse * mean(end(i)..law.view().range(i).end)).sqrt();
        InverseMass { of_impulse, of_moment: if of_moment > 0.0 { of_moment } else { of_impulse } }
    };
    means.iter().enumerate().map(of_block).collect()
}

/// Returns one row of $W r + q$.
fn velocity(w: &Array2<f64>, q: &[f64], r: &[f64], i: usize) -> DoubleDouble {
    let terms = w.row(i).into_iter().zip(r).map(|(w, r)| DoubleDouble::from(*w) * DoubleDouble::from(*r));
    terms.sum::<DoubleDouble>() + DoubleDouble::from(q[i])
}

/// One block, with rolling rows in units of velocity and impulse: the normal component and the parts that it
/// bounds.
struct Block {
    normal: (DoubleDouble, DoubleDouble),
    parts: Vec<Part>,
    /// Moments of a contact whose rolling coefficient is 0.
    moments: Vec<DoubleDouble>,
    has_shift: bool,
}

/// Part that the normal component bounds: its coefficient, reactions and velocities.
struct Part {
    mu: f64,
    r: Vec<DoubleDouble>,
    u: Vec<DoubleDouble>,
}

impl Block {
    /// Creates the block with scaled rolling rows. Appends the free velocities, scaled in the same way, to
    /// `free`.
    fn new(
        law: &ContactLawData,
        i: usize,
        r: &[DoubleDouble],
        u: &[DoubleDouble],
        free: &mut Vec<DoubleDouble>,
        q: &[DoubleDouble],
    ) -> Self {
        let is_rolling = matches!(law, ContactLawData::Rolling { .. });
        let (mut parts, mut moments) = (Vec::new(), Vec::new());
        free.push(q[0]);
        for (k, (mu, range)) in parts_of(law, i).into_iter().enumerate() {
            let (r, u, q) = (&r[range.clone()], &u[range.clone()], &q[range]);
            if !is_rolling || k == 0 {
                free.extend(q);
                parts.push(Part { mu, r: r.to_vec(), u: u.to_vec() });
            } else if mu > 0.0 {
                let length = DoubleDouble::from(mu);
                free.extend(q.iter().map(|q| *q * length));
                let r = r.iter().map(|r| *r / length).collect();
                parts.push(Part { mu: 1.0, r, u: u.iter().map(|u| *u * length).collect() });
            } else {
                moments.extend(r);
            }
        }
        let has_shift = !matches!(law, ContactLawData::SecondOrder { .. });
        Self { normal: (r[0], u[0]), parts, moments, has_shift }
    }

    fn push_map(&self, d: DoubleDouble, map: &mut Vec<DoubleDouble>) {
        map.extend(&self.moments);
        if self.has_shift && self.parts.iter().any(|part| part.mu > LARGEST_OF_CONES) {
            map.push(DoubleDouble::norm(&self.open(d)).min(DoubleDouble::norm(&self.closed(d))));
        } else {
            self.push_map_of_cone(d, map);
        }
    }

    /// Returns the vector whose norm is the distance to the open mode of Coulomb's law, in which the contact
    /// is open or just touches.
    fn open(&self, d: DoubleDouble) -> Vec<DoubleDouble> {
        let (r, u) = self.normal;
        let mut distance = vec![d * r, u.min(DoubleDouble::ZERO)];
        distance.extend(self.parts.iter().flat_map(|part| &part.r).map(|r| d * *r));
        distance
    }

    /// Returns the vector whose norm is the distance to the closed mode of Coulomb's law.
    fn closed(&self, d: DoubleDouble) -> Vec<DoubleDouble> {
        let (r, u) = self.normal;
        let r = d * r;
        let mut distance = vec![u, r.min(DoubleDouble::ZERO)];
        for part in &self.parts {
            if r > DoubleDouble::ZERO && part.mu.is_infinite() {
                distance.extend(&part.u);
                continue;
            }
            let radius =
                if r > DoubleDouble::ZERO { DoubleDouble::from(part.mu) * r } else { DoubleDouble::ZERO };
            let impulse: Vec<DoubleDouble> = part.r.iter().map(|r| d * *r).collect();
            let x: Vec<DoubleDouble> = impulse.iter().zip(&part.u).map(|(r, u)| *r - *u).collect();
            let length = DoubleDouble::norm(&x);
            if length <= radius {
                distance.extend(&part.u);
            } else {
                distance.extend(impulse.iter().zip(&x).map(|(r, x)| *r - radius * *x / length));
            }
        }
        distance
    }

    /// Appends the natural map times d, $d r - P_K(d r - \hat u)$, computed for each of the three cases of
    /// the projection.
    fn push_map_of_cone(&self, d: DoubleDouble, map: &mut Vec<DoubleDouble>) {
        let shift = if self.has_shift {
            let of_part = |part: &Part| DoubleDouble::from(part.mu) * DoubleDouble::norm(&part.u);
            self.parts.iter().map(of_part).sum()
        } else {
            DoubleDouble::ZERO
        };
        let (r, u) = (d * self.normal.0, self.normal.1 + shift);
        // For each part: mu, the norm of d r - u, and the vectors d r and u.
        let parts: Vec<(DoubleDouble, DoubleDouble, Vec<DoubleDouble>, &[DoubleDouble])> = self
            .parts
            .iter()
            .map(|part| {
                let impulse: Vec<DoubleDouble> = part.r.iter().map(|r| d * *r).collect();
                let x: Vec<DoubleDouble> = impulse.iter().zip(&part.u).map(|(r, u)| *r - *u).collect();
                (DoubleDouble::from(part.mu), DoubleDouble::norm(&x), impulse, part.u.as_slice())
            })
            .collect();
        let x = r - u;
        let of_polar = parts.iter().map(|(mu, length, ..)| *mu * *length).sum::<DoubleDouble>() + x;
        if of_polar <= DoubleDouble::ZERO {
            map.push(r);
            parts.iter().for_each(|(_, _, impulse, _)| map.extend(impulse));
            return;
        }
        let height = height_of_foot(x, parts.iter().map(|(mu, length, ..)| (*mu, *length)).collect());
        // If no part exceeds its bound, the projection does not change the point, and the map equals u.
        map.push(if height == x { u } else { r - height });
        for (mu, length, impulse, u) in parts {
            let bound = mu * height;
            if length <= bound {
                map.extend(u);
            } else {
                map.extend(impulse.iter().zip(u).map(|(r, u)| *r - bound * (*r - *u) / length));
            }
        }
    }
}

/// Returns the first component N of the projection of a point on the cone. The point is outside the polar
/// cone; `x` is its first component, and `parts` contains (mu, length) of each part. N is the root of the
/// increasing function N - x - sum of mu (length - mu N)_+. As N decreases, the parts contribute to the sum
/// in the order of decreasing length / mu.
fn height_of_foot(x: DoubleDouble, mut parts: Vec<(DoubleDouble, DoubleDouble)>) -> DoubleDouble {
    parts.retain(|(mu, _)| *mu > DoubleDouble::ZERO);
    let reach = |part: &(DoubleDouble, DoubleDouble)| part.1 / part.0;
    parts.sort_by(|a, b| reach(b).partial_cmp(&reach(a)).expect("finite"));
    let (mut above, mut below) = (x, DoubleDouble::ONE);
    let mut height = x;
    for part in &parts {
        if height >= reach(part) {
            break;
        }
        above = above + part.0 * part.1;
        below = below + part.0 * part.0;
        height = above / below;
    }
    height
}
