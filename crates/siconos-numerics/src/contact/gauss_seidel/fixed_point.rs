//! Local solvers of one contact by projections: one projection of the whole reaction, one projection per
//! component group (normal, tangential, rolling), or repeated projections.

use siconos_linalg::norm;

use crate::contact::ContactLaw;
use crate::contact::violation::bound;
use crate::engine::nsgs::LocalProblem;

/// Computes $z \leftarrow P_K(z - \rho (w + s(w) e_N))$, where $w$ is the velocity for the old z.
#[inline]
pub(super) fn project_once(law: &ContactLaw<'_>, contact: usize, step: f64, w: &[f64], z: &mut [f64]) {
    let shift = law.shift(contact, w);
    z.iter_mut().zip(w).for_each(|(z, w)| *z -= step * w);
    z[0] -= step * shift;
    law.project(contact, z);
}

/// Performs one projected step for the normal reaction, then one for the tangential reaction and, if there is
/// one, one for the rolling reaction. The first step is $r_N \leftarrow (r_N - u_N / A_{NN})_+$. Each other
/// step uses the velocity after the change of the normal reaction. Its step length is the reciprocal of the
/// largest row sum of the diagonal block of its components. Its result is shortened to its bound, for example
/// $\mu r_N$.
pub(super) fn project_by_parts(
    law: &ContactLaw<'_>,
    contact: usize,
    local: &LocalProblem<'_>,
    z: &mut [f64],
) {
    let d = z.len();
    let a = |i: usize, j: usize| local.diagonal[i * d + j];
    let normal = (z[0] - local.w[0] / a(0, 0)).max(0.0);
    let change = normal - z[0];
    z[0] = normal;
    for part in law.cone(contact).parts() {
        let rows = part.range.clone();
        let size = rows.clone().map(|i| part.range.clone().map(|j| a(i, j).abs()).sum()).fold(0.0, f64::max);
        if size > 0.0 {
            rows.for_each(|i| z[i] -= (local.w[i] + a(i, 0) * change) / size);
        }
        let (bound, length) = (bound(part.coefficient, normal), norm(&z[part.range.clone()]));
        if length > bound {
            z[part.range.clone()].iter_mut().for_each(|z| *z *= bound / length);
        }
    }
}

/// Repeated projections until the contact is solved. The step rule is the rule of Khobotov (1987), as in
/// [`crate::engine::fixed_point`].
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalIteration<'a> {
    pub(super) law: ContactLaw<'a>,
    pub(super) tolerance: f64,
    pub(super) iterations: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LocalIterationWorkspace {
    /// Shifted velocity for the current reaction.
    w: Vec<f64>,
    /// Shifted velocity for the trial reaction.
    next_w: Vec<f64>,
    trial: Vec<f64>,
}

/// If the value of the step rule is above this limit, the step length is multiplied by [`CUT`]. The value is
/// the step length times the change of the velocity, divided by the change of the reaction.
const LONGEST: f64 = 0.9;

/// If the value of the step rule is below this limit, the step length is divided by [`CUT`].
const SHORTEST: f64 = 0.3;

/// Factor by which the step length is reduced.
const CUT: f64 = 2.0 / 3.0;
/// Maximum number of reductions of the step length in one iteration.
const MOST_CUTS: usize = 60;

impl LocalIteration<'_> {
    /// Iterates from `z`. `step` is the step length; it is updated, and the caller passes it to the next
    /// call.
    pub(super) fn solve(
        &self,
        contact: usize,
        local: &LocalProblem<'_>,
        z: &mut [f64],
        step: &mut f64,
        memory: &mut LocalIterationWorkspace,
    ) {
        let LocalIterationWorkspace { w, next_w, trial } = memory;
        self.velocity(contact, local, z, w);
        for _ in 0..self.iterations {
            let mut moved = 0.0;
            for _ in 0..MOST_CUTS {
                trial.clear();
                trial.extend(z.iter().zip(&*w).map(|(z, w)| z - *step * w));
                self.law.project(contact, trial);
                self.velocity(contact, local, trial, next_w);
                moved = distance(z, trial);
                let measure = *step * distance(w, next_w);
                if measure <= LONGEST * moved {
                    if measure < SHORTEST * moved {
                        *step /= CUT;
                    }
                    break;
                }
                *step *= CUT;
            }
            z.copy_from_slice(trial);
            std::mem::swap(w, next_w);
            // The comparison with the tolerance is false for NaN, so NaN is tested separately.
            if moved.is_nan() || moved <= self.tolerance * norm(z) {
                return;
            }
        }
    }

    /// Writes the shifted velocity $A z + b + s e_N$ to `w`.
    fn velocity(&self, contact: usize, local: &LocalProblem<'_>, z: &[f64], w: &mut Vec<f64>) {
        w.clear();
        let rows = local.diagonal.chunks_exact(z.len());
        w.extend(rows.zip(local.b).map(|(row, b)| row.iter().zip(z).map(|(a, z)| a * z).sum::<f64>() + b));
        w[0] += self.law.shift(contact, w);
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}
