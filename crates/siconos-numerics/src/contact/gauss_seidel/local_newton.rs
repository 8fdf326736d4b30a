//! Semismooth Newton method for one contact.
//!
//! With $u = A r + b$ and a positive step length $\rho$ for each of the normal, tangential and rolling
//! components, the functions are
//!
//! $$ \Phi_{AC}(r) = \begin{pmatrix} r_N - (r_N - \rho_N u_N)_+ \cr
//! r_T - P_{D(\mu (r_N - \rho_N u_N)_+)}(r_T - \rho_T u_T)
//! \end{pmatrix}, \qquad \Phi_{NM}(r) = r - P_K(r - \rho (u + s(u) e_N)), $$
//!
//! where $P_D$ is the projection onto a disc D (Alart and Curnier 1991, section 3). In the function of Jean
//! and Moreau (Jean 1999, section 5), the radius of the disc is $\mu (r_N)_+$. Each function is zero if and
//! only if r solves the one-contact problem. As plain text: r_N - max(0, r_N - rho u_N), r_T - P_D(r_T - rho
//! u_T), and r - P_K(r - rho (u + s(u) e_N)).

use siconos_linalg::norm;

use crate::contact::ContactLaw;
use crate::contact::violation::bound;
use crate::engine::nsgs::LocalProblem;

/// Contact function whose zero is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    AlartCurnier,
    JeanMoreau,
    NaturalMap,
}

/// Outcome of the Newton iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Solved,
    /// No solution was found; the reaction is unchanged.
    Failed,
}

/// Semismooth Newton method for one contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalNewton<'a> {
    pub(super) law: ContactLaw<'a>,
    /// Step length of each contact: the reciprocal of the largest row sum of its diagonal block.
    pub(super) steps: &'a [f64],
    pub(super) tolerance: f64,
    pub(super) iterations: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LocalNewtonWorkspace {
    u: Vec<f64>,
    x: Vec<f64>,
    gradient: Vec<f64>,
    derivative: Vec<f64>,
    phi: Vec<f64>,
    trial_phi: Vec<f64>,
    jacobian: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    old: Vec<f64>,
}

/// Maximum number of step lengths along one direction. Each is half of the previous one.
const HALVINGS: usize = 20;
/// Minimum decrease of the norm, as a fraction of the decrease predicted by the linear model (Armijo 1966).
const DECREASE: f64 = 1e-4;

impl LocalNewton<'_> {
    /// Iterates from `z` to a zero of $\Phi$. Each iteration (1) solves $J d = -\Phi$ and (2) tries the steps
    /// d, d/2, d/4, .. until the norm of $\Phi$ decreases by at least a given fraction of the decrease
    /// predicted by the linear model.
    pub(super) fn solve(
        &self,
        function: Function,
        contact: usize,
        local: &LocalProblem<'_>,
        z: &mut [f64],
        memory: &mut LocalNewtonWorkspace,
    ) -> Outcome {
        let d = z.len();
        for (array, length) in [
            (&mut memory.u, d),
            (&mut memory.x, d),
            (&mut memory.gradient, d),
            (&mut memory.derivative, d * d),
            (&mut memory.phi, d),
            (&mut memory.trial_phi, d),
            (&mut memory.jacobian, d * d),
            (&mut memory.step, d),
        ] {
            array.clear();
            array.resize(length, 0.0);
        }
        memory.old.clear();
        memory.old.extend_from_slice(z);
        let offset = self.steps[contact] * norm(local.b);
        self.evaluate(function, contact, local, z, memory);
        std::mem::swap(&mut memory.phi, &mut memory.trial_phi);
        let mut size = norm(&memory.phi);
        for _ in 0..self.iterations {
            if size <= self.tolerance * (norm(z) + offset) {
                self.law.project(contact, z);
                return Outcome::Solved;
            }
            self.differentiate(function, contact, local, z, memory);
            memory.step.iter_mut().zip(&memory.phi).for_each(|(step, phi)| *step = -phi);
            if !eliminate(&mut memory.jacobian, &mut memory.step) {
                break;
            }
            let mut length = 1.0;
            let mut next = f64::INFINITY;
            for _ in 0..HALVINGS {
                let mut trial = std::mem::take(&mut memory.trial);
                trial.clear();
                trial.extend(z.iter().zip(&memory.step).map(|(z, step)| z + length * step));
                self.evaluate(function, contact, local, &trial, memory);
                memory.trial = trial;
                next = norm(&memory.trial_phi);
                if next <= (1.0 - DECREASE * length) * size {
                    break;
                }
                length *= 0.5;
            }
            if next.is_nan() || next >= size {
                break;
            }
            size = next;
            z.copy_from_slice(&memory.trial);
            std::mem::swap(&mut memory.phi, &mut memory.trial_phi);
        }
        z.copy_from_slice(&memory.old);
        Outcome::Failed
    }

    /// Writes $\Phi$ at `z` to `trial_phi`, the velocity to `u` and the arguments of the projections to `x`.
    fn evaluate(
        &self,
        function: Function,
        contact: usize,
        local: &LocalProblem<'_>,
        z: &[f64],
        memory: &mut LocalNewtonWorkspace,
    ) {
        let d = z.len();
        let LocalNewtonWorkspace { u, x, trial_phi: phi, .. } = memory;
        for (u, (row, b)) in u.iter_mut().zip(local.diagonal.chunks_exact(d).zip(local.b)) {
            *u = row.iter().zip(z).map(|(a, z)| a * z).sum::<f64>() + b;
        }
        if function == Function::NaturalMap {
            let step = self.steps[contact];
            x.iter_mut().zip(z.iter().zip(&*u)).for_each(|(x, (z, u))| *x = z - step * u);
            x[0] -= step * self.law.shift(contact, u);
            phi.copy_from_slice(x);
            self.law.project(contact, phi);
            phi.iter_mut().zip(z).for_each(|(phi, z)| *phi = z - *phi);
            return;
        }
        x[0] = z[0] - u[0] / local.diagonal[0];
        phi[0] = z[0] - x[0].max(0.0);
        let normal = if function == Function::AlartCurnier { x[0] } else { z[0] }.max(0.0);
        for part in self.law.cone(contact).parts() {
            let step = part_step(local.diagonal, d, part.range.clone());
            part.range.clone().for_each(|i| x[i] = z[i] - step * u[i]);
            let (radius, length) = (bound(part.coefficient, normal), norm(&x[part.range.clone()]));
            let factor = if length > radius { radius / length } else { 1.0 };
            part.range.clone().for_each(|i| phi[i] = z[i] - factor * x[i]);
        }
    }

    /// Writes an element of the generalised Jacobian at `z` to `jacobian`. This also evaluates $\Phi$.
    fn differentiate(
        &self,
        function: Function,
        contact: usize,
        local: &LocalProblem<'_>,
        z: &[f64],
        memory: &mut LocalNewtonWorkspace,
    ) {
        self.evaluate(function, contact, local, z, memory);
        let (d, a) = (z.len(), local.diagonal);
        let LocalNewtonWorkspace { u, x, gradient, derivative, jacobian, .. } = memory;
        if function == Function::NaturalMap {
            let step = self.steps[contact];
            // J = I - D (I - rho (A + e_N g^T A)), where g is the gradient of the shift, and D is the
            // derivative of the projection.
            self.law.shift_gradient(contact, u, gradient);
            self.law.cone(contact).derivative(x, derivative);
            for j in 0..d {
                let turn: f64 = (0..d).map(|k| gradient[k] * a[k * d + j]).sum();
                for i in 0..d {
                    let row = &derivative[i * d..(i + 1) * d];
                    let through: f64 = (0..d).map(|k| row[k] * a[k * d + j]).sum::<f64>() + row[0] * turn;
                    jacobian[i * d + j] = f64::from(u8::from(i == j)) - row[j] + step * through;
                }
            }
            return;
        }
        let step = 1.0 / a[0];
        let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
        for j in 0..d {
            jacobian[j] = if x[0] > 0.0 { step * a[j] } else { unit(0, j) };
            // Gradient of the normal component that determines the radius of the disc.
            gradient[j] = match function {
                Function::AlartCurnier if x[0] > 0.0 => unit(0, j) - step * a[j],
                Function::JeanMoreau if z[0] > 0.0 => unit(0, j),
                _ => 0.0,
            };
        }
        let normal = if function == Function::AlartCurnier { x[0] } else { z[0] }.max(0.0);
        for part in self.law.cone(contact).parts() {
            let step = part_step(a, d, part.range.clone());
            let (radius, length) = (bound(part.coefficient, normal), norm(&x[part.range.clone()]));
            let slope = if normal > 0.0 { part.coefficient } else { 0.0 };
            for i in part.range.clone() {
                for j in 0..d {
                    jacobian[i * d + j] = if length <= radius {
                        step * a[i * d + j]
                    } else {
                        // Derivative of x_k / |x_k| by the chain rule, with x_k = z_k - rho u_k.
                        let along: f64 = (part.range.clone())
                            .map(|k| x[k] / length * (unit(k, j) - step * a[k * d + j]))
                            .sum();
                        let turn = (unit(i, j) - step * a[i * d + j] - x[i] / length * along) / length;
                        unit(i, j) - radius * turn - slope * gradient[j] * x[i] / length
                    };
                }
            }
        }
    }
}

/// Returns the step length of a range of components: the reciprocal of the largest row sum of their diagonal
/// block.
fn part_step(a: &[f64], d: usize, range: std::ops::Range<usize>) -> f64 {
    let size =
        (range.clone()).map(|i| a[i * d..][range.clone()].iter().map(|x| x.abs()).sum()).fold(0.0, f64::max);
    if size > 0.0 { 1.0 / size } else { 1.0 / a[0] }
}

/// Performs Gaussian elimination with partial pivoting in place. Returns `false` if a pivot is zero within
/// rounding errors.
fn eliminate(a: &mut [f64], b: &mut [f64]) -> bool {
    let d = b.len();
    let threshold = a.iter().fold(0.0_f64, |m, x| m.max(x.abs())) * f64::EPSILON * d as f64;
    for k in 0..d {
        let mut pivot_row = k;
        for i in k + 1..d {
            if a[i * d + k].abs() > a[pivot_row * d + k].abs() {
                pivot_row = i;
            }
        }
        let pivot = a[pivot_row * d + k];
        if pivot.is_nan() || pivot.abs() <= threshold {
            return false;
        }
        if pivot_row != k {
            (0..d).for_each(|j| a.swap(k * d + j, pivot_row * d + j));
            b.swap(k, pivot_row);
        }
        for i in k + 1..d {
            let factor = a[i * d + k] / pivot;
            for j in k + 1..d {
                a[i * d + j] -= factor * a[k * d + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..d).rev() {
        let sum: f64 = (k + 1..d).map(|j| a[k * d + j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k * d + k];
    }
    true
}
