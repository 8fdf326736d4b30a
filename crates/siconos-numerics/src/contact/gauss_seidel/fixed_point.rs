//! Local solvers of one contact by projections: one projection, one projection per part of the reaction, or
//! repeated projections until the contact is solved.

use siconos_linalg::norm;

use crate::contact::ContactLaw;
use crate::contact::violation::bound;
use crate::engine::nsgs::LocalProblem;

/// Performs $z \leftarrow P_K(z - \rho (w + s(w) e_N))$, where $w$ is the velocity at the old z.
#[inline]
pub(super) fn project_once(law: &ContactLaw<'_>, contact: usize, step: f64, w: &[f64], z: &mut [f64]) {
    let shift = law.shift(contact, w);
    z.iter_mut().zip(w).for_each(|(z, w)| *z -= step * w);
    z[0] -= step * shift;
    law.project(contact, z);
}

/// Performs one projected step for each part of the reaction. The first step is for the normal reaction,
/// $r_N \leftarrow (r_N - u_N / A_{NN})_+$. Then each other part takes a step with the updated velocity and
/// is shortened to $\mu r_N$; its step length is the reciprocal of the largest row sum of its own block.
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

/// Repeated projections until the contact is solved, with the step rule of Khobotov (1987) as in
/// [`crate::engine::fixed_point`].
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalIteration<'a> {
    pub(super) law: ContactLaw<'a>,
    pub(super) tolerance: f64,
    pub(super) iterations: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LocalIterationWorkspace {
    /// Shifted velocity at the current point.
    w: Vec<f64>,
    /// Shifted velocity at the trial point.
    next_w: Vec<f64>,
    trial: Vec<f64>,
}

/// Value of the step rule above which the step length is multiplied by [`CUT`]. The value is the step length
/// times the change of the velocity, divided by the change of the reaction.
const LONGEST: f64 = 0.9;

/// Value of the step rule below which the step length is divided by [`CUT`].
const SHORTEST: f64 = 0.3;

/// Factor by which the step length is reduced.
const CUT: f64 = 2.0 / 3.0;
/// Maximum number of reductions of the step length in one iteration.
const MOST_CUTS: usize = 60;

impl LocalIteration<'_> {
    /// Iterates from `z`. `step` is the step length, which the caller keeps from one call to the next.
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
