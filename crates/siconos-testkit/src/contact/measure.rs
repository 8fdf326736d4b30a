//! Errors of contact problems, implemented independently of the crate under test.

use std::ops::Range;

use siconos_linalg::MatrixRef;
use siconos_numerics::contact::ContactLawData;

use super::law::{parts, shift};

/// Returns the point nearest to x in the cone $\lbrace \lVert x_k \rVert \le \mu_k N \rbrace$, where N is the
/// first component and each $x_k$ is one of the `parts`.
///
/// N is found by bisection. With the first component n of x, the slope of the squared distance, N - n - sum
/// of mu_k (norm(x_k) - mu_k N)_+, changes its sign at the minimum.
#[must_use]
pub fn nearest(parts: &[(f64, Range<usize>)], x: &[f64]) -> Vec<f64> {
    let slope = |n: f64| {
        n - x[0] - parts.iter().map(|(mu, p)| mu * (length(&x[p.clone()]) - mu * n).max(0.0)).sum::<f64>()
    };
    let sum = parts.iter().fold(x[0].abs(), |sum, (mu, p)| sum + mu * length(&x[p.clone()]));
    let (mut low, mut high) = (0.0, sum);
    if slope(0.0) >= 0.0 {
        high = 0.0;
    }
    // Bisects until the two bounds are neighbouring floating-point numbers.
    for _ in 0..1100 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        *(if slope(middle) < 0.0 { &mut low } else { &mut high }) = middle;
    }
    let mut foot = x.to_vec();
    foot[0] = high;
    for (mu, part) in parts {
        let size = length(&x[part.clone()]);
        if size > mu * high {
            foot[part.clone()].iter_mut().for_each(|x| *x *= mu * high / size);
        }
    }
    foot
}

/// Returns the norm of $r - P_K(r - u - s(u) e_N)$ over all blocks, or NaN if an entry is not finite.
#[must_use]
pub fn violation(law: &ContactLawData, r: &[f64], u: &[f64]) -> f64 {
    if r.iter().chain(u).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let of_block = |i: usize| {
        let range = law.view().range(i);
        let (r, u) = (&r[range.clone()], &u[range]);
        let parts = parts(law, i);
        let mut x: Vec<f64> = r.iter().zip(u).map(|(r, u)| r - u).collect();
        x[0] -= shift(law, i, u);
        r.iter().zip(nearest(&parts, &x)).map(|(r, x)| (r - x).powi(2)).sum::<f64>()
    };
    (0..law.view().blocks()).map(of_block).sum::<f64>().sqrt()
}

/// Returns the error of the reactions `r` and the velocities `u` of a contact problem: max(x, min(y, y^2)),
/// or NaN if an entry is not finite.
///
/// x is the norm of all violations divided by the norm of q over the blocks that a zero reaction does not
/// solve (over all blocks if a zero reaction solves all of them). In y, the violation of each block is
/// divided by another norm of q: over the blocks that are coupled with this block, directly or through other
/// blocks, and that a zero reaction does not solve. If this norm is at most 64 epsilon times the norm of q
/// over all blocks, the violation is divided by the same norm as in x.
///
/// Let R = d r, where d is the mean of the diagonal of W over the normal and tangential rows of a block. If d
/// = 0, the mean of all nonzero d is used. For Coulomb friction the violation of a block is the smaller of
/// two norms: the norm of (R, min(u_N, 0)) for an open contact, and the norm of (u_N, min(R_N, 0), R_T -
/// P(R_T - u_T)) for a closed contact. P is the projection on the disc of radius mu max(R_N, 0). Rolling rows
/// enter like the tangential rows, with r_R / mu_r, mu_r u_R and the radius max(R_N, 0). For second-order
/// cones the violation is R - P_K(R - u).
#[must_use]
pub fn contact_error(law: &ContactLawData, w: MatrixRef<'_>, q: &[f64], r: &[f64], u: &[f64]) -> f64 {
    if r.iter().chain(u).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let mut diagonal = vec![0.0; q.len()];
    w.copy_diagonal(&mut diagonal);
    let velocities = |i: usize| match law {
        ContactLawData::Rolling { .. } => {
            law.view().range(i).start..law.view().range(i).start + law.view().range(i).len().div_ceil(2)
        }
        _ => law.view().range(i),
    };
    let mean =
        |rows: Range<usize>| diagonal[rows.clone()].iter().map(|d| d.abs()).sum::<f64>() / rows.len() as f64;
    let masses: Vec<f64> = (0..law.view().blocks()).map(|i| mean(velocities(i))).collect();
    let moved: Vec<f64> = masses.iter().copied().filter(|d| *d > 0.0).collect();
    let instead = if moved.is_empty() { 1.0 } else { moved.iter().sum::<f64>() / moved.len() as f64 };
    let (mut violations, mut free) = (Vec::new(), Vec::new());
    for (i, d) in masses.into_iter().enumerate() {
        let d = if d > 0.0 { d } else { instead };
        let range = law.view().range(i);
        let (r, u, q) = (&r[range.clone()], &u[range.clone()], &q[range.clone()]);
        let impulse: Vec<f64> = r.iter().map(|r| d * r).collect();
        if let ContactLawData::SecondOrder { .. } = law {
            let x: Vec<f64> = impulse.iter().zip(u).map(|(r, u)| r - u).collect();
            let foot = nearest(&parts(law, i), &x);
            violations.push(impulse.iter().zip(foot).map(|(r, x)| (r - x).powi(2)).sum::<f64>());
            let polar: Vec<f64> = q.iter().map(|q| -q).collect();
            let is_open = nearest(&parts(law, i), &polar).iter().all(|x| *x == 0.0);
            free.push(Free { square: length(q).powi(2), is_open });
            continue;
        }
        let normal = impulse[0];
        let mut open = normal.powi(2) + u[0].min(0.0).powi(2);
        let mut closed = u[0].powi(2) + normal.min(0.0).powi(2);
        let mut square = q[0].powi(2);
        for (k, (mu, part)) in parts(law, i).into_iter().enumerate() {
            let rolls = k == 1;
            let lever = match (rolls, mu > 0.0) {
                (false, _) => 1.0,
                (true, true) => mu,
                (true, false) => (d / mean(velocities(i).end..law.view().range(i).end)).sqrt(),
            };
            let slope = if rolls { f64::from(mu > 0.0) } else { mu };
            let turns = if rolls && mu == 0.0 { 0.0 } else { lever };
            let radius = if normal > 0.0 { slope * normal } else { 0.0 };
            let x: Vec<f64> = part.clone().map(|j| impulse[j] / lever - turns * u[j]).collect();
            let factor = if length(&x) > radius { radius / length(&x) } else { 1.0 };
            for (j, x) in part.zip(x) {
                let impulse = impulse[j] / lever;
                open += impulse.powi(2);
                closed += if factor == 1.0 { (turns * u[j]).powi(2) } else { (impulse - factor * x).powi(2) };
                square += (turns * q[j]).powi(2);
            }
        }
        violations.push(open.min(closed));
        free.push(Free { square, is_open: q[0] >= 0.0 });
    }
    let sets = independent_blocks(law, w);
    let closing = |set: &[usize]| {
        set.iter().map(|&i| &free[i]).filter(|free| !free.is_open).map(|free| free.square).sum::<f64>()
    };
    let everything: Vec<usize> = (0..free.len()).collect();
    let all: f64 = free.iter().map(|free| free.square).sum();
    let whole = if closing(&everything) > 0.0 { closing(&everything) } else { all };
    let of_set = |set: &Vec<usize>| {
        let own = closing(set).sqrt();
        let scale = if own > 64.0 * f64::EPSILON * all.sqrt() { own.powi(2) } else { whole };
        let sum: f64 = set.iter().map(|&i| violations[i]).sum();
        if sum == 0.0 { 0.0 } else { sum / scale }
    };
    let of_sets = sets.iter().map(of_set).sum::<f64>();
    let sum: f64 = violations.iter().sum();
    let of_all = if sum == 0.0 { 0.0 } else { (sum / whole).sqrt() };
    of_all.max(of_sets.min(of_sets.sqrt()))
}

/// Squared norm of the free velocity of a block, and a flag that is set if a zero reaction solves the block.
struct Free {
    square: f64,
    /// `true` if a zero reaction solves the block.
    is_open: bool,
}

/// Returns the sets of blocks such that entries of W couple only blocks of the same set.
fn independent_blocks(law: &ContactLawData, w: MatrixRef<'_>) -> Vec<Vec<usize>> {
    let n = law.view().blocks();
    let block_of: Vec<usize> = (0..n).flat_map(|i| law.view().range(i).map(move |_| i)).collect();
    let mut neighbours = vec![Vec::new(); n];
    w.for_each_entry(|i, j, x| {
        if x != 0.0 && block_of[i] != block_of[j] {
            neighbours[block_of[i]].push(block_of[j]);
            neighbours[block_of[j]].push(block_of[i]);
        }
    });
    let mut is_reached = vec![false; n];
    let mut sets = Vec::new();
    for first in 0..n {
        if !std::mem::replace(&mut is_reached[first], true) {
            let mut set = vec![first];
            let mut next = 0;
            while next < set.len() {
                for &j in &neighbours[set[next]] {
                    if !std::mem::replace(&mut is_reached[j], true) {
                        set.push(j);
                    }
                }
                next += 1;
            }
            sets.push(set);
        }
    }
    sets
}

/// Returns the error as Siconos defines it: the [`violation`] divided by a scale. The scale is norm(q) for
/// rolling friction in the plane, 1 + norm(q) for second-order cones, and max(norm(q), norm(r), norm(u))
/// otherwise. If the scale is not above epsilon, the violation is not divided.
#[must_use]
pub fn siconos_contact_error(law: &ContactLawData, q: &[f64], r: &[f64], u: &[f64]) -> f64 {
    let of_q = length(q);
    let scale = match law {
        ContactLawData::SecondOrder { .. } => of_q + 1.0,
        ContactLawData::Rolling { dimension: 3, .. } => of_q,
        _ => of_q.max(length(r)).max(length(u)),
    };
    violation(law, r, u) / if scale > f64::EPSILON { scale } else { 1.0 }
}

pub(super) fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
