//! Semismooth Newton method over all blocks together.

use siconos_linalg::{Csc, MatrixRef, SingularMatrix, SparseLu, first_non_finite, power_of_two_below};

use super::residual::{begin, error_by, error_of_point_with, judge};
use super::{GenericMechanicalProblem, Gmp, MechanicalLaw};
use crate::box_constraints::AcceptanceTest;
use crate::cascade::{Budget, Stage};
use crate::engine::semismooth_newton::{SemismoothNewton as Loop, SemismoothSystem};
use crate::error::{SettingsError, SolverError};
use crate::info::SolveInfo;
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::own_response;

pub use crate::engine::semismooth_newton::SemismoothNewtonSettings;

/// Semismooth Newton method on the natural maps of all blocks.
///
/// **Problem.** [`GenericMechanicalProblem`] in any storage; M need not be symmetric.
///
/// **Method.** With the projection $P_i$ of law i (the identity for equalities) and the shift
/// $s_i = \mu \lVert w_T \rVert$ of friction (0 for other laws), the system is
///
/// $$ \Phi_i(z) = z_i - P_i\bigl(z_i - \rho_i (w_i + s_i(w_i) e_N)\bigr) = 0, \qquad w = M z + q, $$
///
/// as plain text z - P(z - rho (w + s(w) e_N)) = 0: rho w = 0 for equalities, the smaller of z and rho w for
/// complementarity, the median of z - l, rho w and z - u for a relay. The factor $\rho_i$ is about the
/// reciprocal of the diagonal entries of block i, and row i is divided by $(\rho_i u)^{1/2}$, with a power of
/// two u near the mean diagonal of M. (1) Solve
/// $(I - D + \varepsilon I + \rho D (I + e_N \nabla s^T) M) d = -\Phi$ by sparse LU, with an element D of the
/// generalised Jacobian of the projection. The regularisation $\varepsilon$ decreases with the error, down to
/// 1e-12. (2) Halve the step until the merit function decreases
/// ([`semismooth_newton`](crate::engine::semismooth_newton)). (Qi and Sun 1993; Alart and Curnier 1991 for
/// friction.)
///
/// **Guarantee.** Fast convergence near solutions with regular generalised Jacobians. No guarantee far from a
/// solution.
///
/// **Result.** `Converged`: a solution. `AtRoundingLevel`: the error is above the tolerance, but the point is
/// as exact as rounding allows. `MaxIterations`, `Stalled`, `Breakdown`: the iterate with the smallest error.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::gmp::{GenericMechanicalProblem, MechanicalLaw, Newton};
///
/// let laws = vec![MechanicalLaw::Equality { size: 1 }, MechanicalLaw::Complementarity { size: 1 }];
/// let problem = GenericMechanicalProblem::new(array![[2.0, 1.0], [1.0, 2.0]], array![0.0, -3.0], laws)?;
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = Newton::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + 1.0).abs() < 1e-9 && (z[1] - 2.0).abs() < 1e-9);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Newton {
    newton: Loop,
    memory: NewtonWorkspace,
}

#[derive(Clone, Debug, Default)]
struct NewtonWorkspace {
    m: Csc,
    jacobian: Csc,
    lu: SparseLu,
    test: AcceptanceTest,
    w: Vec<f64>,
    argument: Vec<f64>,
    /// Factor $\rho$ of each block. `root` holds the divisor of its rows.
    rho: Vec<f64>,
    root: Vec<f64>,
    block_of: Vec<usize>,
    /// Derivatives of the projections, and their products with $I + e_N \nabla s^T$ in `g`, row by row.
    /// `firsts` holds the first entry of each block.
    d: Vec<f64>,
    g: Vec<f64>,
    firsts: Vec<usize>,
    sum: Vec<f64>,
}

impl Newton {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: SemismoothNewtonSettings) -> Result<Self, SettingsError> {
        Ok(Self { newton: Loop::new(settings)?, memory: NewtonWorkspace::default() })
    }

    /// Creates a solver from settings that [`new`](Self::new) accepts.
    pub(super) fn of_checked(settings: SemismoothNewtonSettings) -> Self {
        Self { newton: Loop::of_checked(settings), memory: NewtonWorkspace::default() }
    }
}

impl NewtonWorkspace {
    fn prepare(&mut self, problem: &GenericMechanicalProblem) {
        let n = problem.size();
        self.m.copy_from(problem.m(), |_, _| false);
        for memory in [&mut self.w, &mut self.argument] {
            memory.clear();
            memory.resize(n, 0.0);
        }
        self.block_of.clear();
        self.firsts.clear();
        self.rho.clear();
        let mean = own_response::mean(problem.m());
        let mut first = 0;
        for block in 0..problem.blocks() {
            let range = problem.range(block);
            self.block_of.extend(std::iter::repeat_n(block, range.len()));
            self.firsts.push(first);
            first += range.len().pow(2);
            let trace: f64 = range.clone().map(|i| self.m.get(i, i)).sum();
            let largest =
                range.clone().flat_map(|j| self.m.column(j)).fold(0.0_f64, |a, (_, x)| a.max(x.abs()));
            // If the trace of a block is not positive, the largest entry of its columns is used instead.
            let size = if trace > 0.0 { trace / range.len() as f64 } else { largest };
            self.rho.push(1.0 / if size > 0.0 && size.is_finite() { size } else { mean });
        }
        // A square root is rounded, but the root of a dimensionless value is the same in all units.
        let unit = power_of_two_below(mean);
        self.root.clear();
        self.root.extend(self.rho.iter().map(|rho| (rho * unit).sqrt()));
        self.firsts.push(first);
        for memory in [&mut self.d, &mut self.g] {
            memory.clear();
            memory.resize(first, 0.0);
        }
    }
}

impl Stage for Newton {
    fn set_budget(&mut self, budget: &Budget) {
        self.newton.set_max_iterations(budget.iterations);
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "newton",
    siconos: "",
    guarantee: Guarantee::in_words("near regular solutions"),
    storage: "any",
    reference: "Qi, Sun (1993)",
};

impl Solver for Newton {
    type Class = Gmp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        self.newton.limits()
    }

    fn solve(
        &mut self,
        problem: &GenericMechanicalProblem,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        self.memory.prepare(problem);
        let tolerance = self.newton.limits().tolerance;
        let memory = &mut self.memory;
        let mut system = System { problem, memory, tolerance, error: f64::INFINITY, epsilon: 0.0 };
        let info = self.newton.solve(&mut system, z);
        let error = error_of_point_with(&mut self.memory.test, problem, z, w);
        let status = judge(problem, (z, w), info.status, error, &mut self.memory.argument);
        Ok(SolveInfo { status, error, ..info })
    }
}

/// Ratio of the regularisation to the error.
const REGULARIZATION: f64 = 1e-5;

/// Minimum regularisation. Rounding errors, divided by the regularisation, only move impulses along
/// directions that do not change the velocities.
const SMALLEST_REGULARIZATION: f64 = 1e-12;

/// System of equations, evaluated at the last point.
struct System<'a> {
    problem: &'a GenericMechanicalProblem,
    memory: &'a mut NewtonWorkspace,
    tolerance: f64,
    error: f64,
    epsilon: f64,
}

impl SemismoothSystem for System<'_> {
    fn residual(&mut self, z: &[f64], phi: &mut [f64]) -> f64 {
        let NewtonWorkspace { w, argument, rho, root, test, .. } = &mut *self.memory;
        self.problem.m().write_affine(z, self.problem.q(), w);
        self.error = error_by(self.tolerance, self.problem, z, w, test);
        for (block, ((law, rho), root)) in self.problem.laws().iter().zip(rho).zip(root).enumerate() {
            let range = self.problem.range(block);
            let (z, w, x) = (&z[range.clone()], &w[range.clone()], &mut argument[range.clone()]);
            x.iter_mut().zip(z.iter().zip(w)).for_each(|(x, (z, w))| *x = z - *rho * w);
            let phi = &mut phi[range];
            match law {
                // This form has no cancellation if z is large compared with w.
                MechanicalLaw::Equality { .. } => {
                    phi.iter_mut().zip(w).for_each(|(phi, w)| *phi = *rho * w);
                }
                MechanicalLaw::Complementarity { .. } => {
                    phi.iter_mut().zip(z.iter().zip(w)).for_each(|(phi, (z, w))| *phi = z.min(*rho * w));
                }
                MechanicalLaw::Relay { lower, upper } => {
                    for (((phi, z), w), (l, u)) in phi.iter_mut().zip(z).zip(w).zip(lower.iter().zip(upper)) {
                        *phi = (*rho * w).min(z - l).max(z - u);
                    }
                }
                MechanicalLaw::Friction2 { .. }
                | MechanicalLaw::Friction3 { .. }
                | MechanicalLaw::Rolling3 { .. }
                | MechanicalLaw::Rolling5 { .. } => {
                    if let Some(law) = law.friction() {
                        x[0] -= *rho * law.shift(0, w);
                        phi.copy_from_slice(x);
                        law.project(0, phi);
                        phi.iter_mut().zip(z).for_each(|(phi, z)| *phi = z - *phi);
                    }
                }
            }
            phi.iter_mut().for_each(|phi| *phi /= *root);
        }
        self.error
    }

    fn direction(&mut self, _: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        self.epsilon = (REGULARIZATION * self.error.min(1.0)).max(SMALLEST_REGULARIZATION);
        for block in 0..self.problem.blocks() {
            self.linearise(block);
        }
        self.assemble();
        let memory = &mut *self.memory;
        memory.lu.factor(&memory.jacobian)?;
        d.iter_mut().zip(phi).for_each(|(d, phi)| *d = -phi);
        memory.lu.solve(d);
        match first_non_finite(d) {
            None => Ok(()),
            Some(column) => Err(SingularMatrix::Pivot { column, pivot: 0.0 }),
        }
    }

    fn gradient(&mut self, _: &[f64], phi: &[f64], g: &mut [f64]) {
        g.fill(0.0);
        MatrixRef::from(&self.memory.jacobian).add_transposed_product(1.0, phi, g);
        // Remove the regularisation, which is not part of the Jacobian.
        for (i, g) in g.iter_mut().enumerate() {
            *g -= self.epsilon / self.memory.root[self.memory.block_of[i]] * phi[i];
        }
    }
}

impl System<'_> {
    /// Writes the derivative of the projection of a block, and its product with $I + e_N \nabla s^T$.
    fn linearise(&mut self, block: usize) {
        let NewtonWorkspace { w, argument, d, g, firsts, sum, .. } = &mut *self.memory;
        let (law, range) = (&self.problem.laws()[block], self.problem.range(block));
        let size = range.len();
        let d = &mut d[firsts[block]..firsts[block + 1]];
        let g = &mut g[firsts[block]..firsts[block + 1]];
        let (w, x) = (&w[range.clone()], &argument[range]);
        if let Some(law) = law.friction() {
            law.cone(0).derivative(x, d);
            sum.clear();
            sum.resize(size, 0.0);
            law.shift_gradient(0, w, sum);
            for (g, d) in g.chunks_exact_mut(size).zip(d.chunks_exact(size)) {
                for ((g, d_j), s) in g.iter_mut().zip(d).zip(&*sum) {
                    *g = d_j + d[0] * s;
                }
            }
            return;
        }
        d.fill(0.0);
        for (k, x) in x.iter().enumerate() {
            let is_free = match law {
                MechanicalLaw::Complementarity { .. } => *x >= 0.0,
                MechanicalLaw::Relay { lower, upper } => lower[k] <= *x && *x <= upper[k],
                _ => true,
            };
            d[k * size + k] = if is_free { 1.0 } else { 0.0 };
        }
        g.copy_from_slice(d);
    }

    fn assemble(&mut self) {
        let NewtonWorkspace { m, jacobian, rho, root, block_of, d, g, firsts, sum, .. } = &mut *self.memory;
        jacobian.begin(m.rows());
        for j in 0..m.columns() {
            let own = block_of[j];
            let column = m.starts()[j]..m.starts()[j + 1];
            let (rows, values) = (&m.row_indices()[column.clone()], &m.values()[column]);
            let mut next = 0;
            let mut own_done = false;
            loop {
                // The diagonal block is stored even if M has no entries in it.
                let of_m = rows.get(next).map(|&i| block_of[i]);
                let block = match of_m {
                    Some(block) if own_done || block <= own => block,
                    _ if !own_done => own,
                    _ => break,
                };
                own_done |= block == own;
                let range = self.problem.range(block);
                let (size, first, root) = (range.len(), firsts[block], root[block]);
                let factor = rho[block] / root;
                sum.clear();
                sum.resize(size, 0.0);
                while next < rows.len() && block_of[rows[next]] == block {
                    let l = rows[next] - range.start;
                    for (k, sum) in sum.iter_mut().enumerate() {
                        *sum += factor * g[first + k * size + l] * values[next];
                    }
                    next += 1;
                }
                if block == own {
                    let l = j - range.start;
                    for (k, sum) in sum.iter_mut().enumerate() {
                        let identity = if k == l { 1.0 + self.epsilon } else { 0.0 };
                        *sum += (identity - d[first + k * size + l]) / root;
                    }
                }
                range.zip(&*sum).for_each(|(i, x)| jacobian.push(i, *x));
            }
            jacobian.close_column();
        }
    }
}
