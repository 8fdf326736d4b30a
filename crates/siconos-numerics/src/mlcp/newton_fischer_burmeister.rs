//! The semismooth Newton method on the Fischer-Burmeister equations of a mixed problem.

use super::storage::Storage;
use super::{Mlcp, MlcpProblem, MlcpRow, error};
use crate::box_rows::Verdict;
use crate::chain::{Allowance, Link};
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::linalg::{NewtonMatrix, SingularMatrix, nearest_power_of_two};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::ncp_function::NcpFunction;
use crate::own_response::{self, solve_without_q};
use crate::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings, SemismoothSystem};

/// Newton's method on the equations of Fischer and Burmeister, made global by a line search.
///
/// **Problem.** [`MlcpProblem`] in any storage.
///
/// **Method.** (1) Divide row i of $w = M z + q$ by $s_i$, the sum of the magnitudes in row i of $M$ rounded to a power of two,
/// which alters no solution, but gives it the unit of z and alters the sum of squares that the line search sees.
/// (2) Solve the equations
///
/// $$ w_i / s_i = 0 \ (i \in E), \qquad z_i + w_i / s_i - \sqrt{z_i^2 + (w_i / s_i)^2} = 0 \ (i \notin E) $$
///
/// (as plain text: w_i / s_i = 0, and z_i + w_i / s_i - sqrt(z_i^2 + (w_i / s_i)^2) = 0) by the semismooth Newton method of
/// [`crate::semismooth_newton`]: full steps as long as the sum of squares decreases enough, halved ones otherwise, the
/// gradient where there is no Newton direction. (3) Where the Jacobian is singular, 1e-8 is added to the derivatives by
/// $z_i$ before the gradient is resorted to. A dense matrix of more than 48 unknowns with less than an eighth of its entries
/// other than 0 is factorised as a sparse one. (De Luca, Facchinei, Kanzow 1996; Facchinei and Pang 2003, section 9.1, and
/// 9.4 for mixed problems.)
///
/// **Guarantee.** Every accumulation point of the iterates is stationary for the sum of squares, and a solution when
/// the equality block is regular and its Schur complement a P0-matrix; the rate is quadratic near a regular one. For other
/// matrices it is a heuristic, and on circuits a good one.
///
/// **Result.** `Converged`: error at or below the tolerance. `AtRoundingLevel`: above, but rounding allows no better.
/// `MaxIterations`, `Stalled`: the best iterate. `Breakdown`: the equations are not finite at the start.
///
/// The settings are those of the Newton loop, [`SemismoothNewtonSettings`].
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::mlcp::{MlcpProblem, MlcpRow, NewtonFischerBurmeister};
///
/// // A singular equality block: z_1 = 3 from the first row, and z_0 = -2 makes the second one 0.
/// let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
/// let m = array![[0.0, 1.0], [1.0, 0.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let problem = MlcpProblem::new(&m, &[-3.0, 2.0], &rows)?;
/// let info = NewtonFischerBurmeister::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + 2.0).abs() < 1e-8 && (z[1] - 3.0).abs() < 1e-8);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_MLCP_FB (112)")]
#[derive(Clone, Debug, Default)]
pub struct NewtonFischerBurmeister {
    newton: SemismoothNewton,
    storage: Storage,
    memory: Memory,
    verdict: Verdict,
}

/// What the system of equations needs beside the problem.
#[derive(Clone, Debug, Default)]
struct Memory {
    matrix: NewtonMatrix,
    /// What each row is multiplied by.
    scale: Vec<f64>,
    w: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    product: Vec<f64>,
}

/// Added to the derivatives by z where the Jacobian is singular.
const REGULARIZATION: f64 = 1e-8;

impl NewtonFischerBurmeister {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: SemismoothNewtonSettings) -> Result<Self, SettingsError> {
        Ok(Self { newton: SemismoothNewton::new(settings)?, ..Self::default() })
    }
}

/// The equations of one problem.
struct Equations<'a, 'p> {
    problem: MlcpProblem<'p>,
    memory: &'a mut Memory,
}

impl SemismoothSystem for Equations<'_, '_> {
    fn residual(&mut self, z: &[f64], phi: &mut [f64]) -> f64 {
        let Memory { w, scale, .. } = &mut *self.memory;
        w.copy_from_slice(self.problem.q());
        self.problem.m().add_product(1.0, z, w);
        for (i, row) in self.problem.rows().iter().enumerate() {
            let w = scale[i] * w[i];
            phi[i] = match row {
                MlcpRow::Equality => w,
                MlcpRow::Complementarity => NcpFunction::FischerBurmeister.value(z[i], w),
            };
        }
        error(&self.problem, z, w)
    }

    fn direction(&mut self, z: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        let (m, rows) = (self.problem.m(), self.problem.rows());
        let Memory { matrix, w, scale, a, b, product } = &mut *self.memory;
        for (i, row) in rows.iter().enumerate() {
            let (by_z, by_w) = match row {
                MlcpRow::Equality => (0.0, 1.0),
                MlcpRow::Complementarity => NcpFunction::FischerBurmeister.derivative(z[i], scale[i] * w[i]),
            };
            a[i] = by_z;
            b[i] = by_w * scale[i];
        }
        let mut solve = |a: &[f64]| {
            d.iter_mut().zip(phi).for_each(|(d, phi)| *d = -phi);
            matrix.factor(m, a, b).and_then(|()| matrix.solve(m, d))
        };
        solve(a).or_else(|_| {
            product.clear();
            product.extend(a.iter().map(|a| a + REGULARIZATION));
            solve(product)
        })
    }

    fn gradient(&mut self, _z: &[f64], phi: &[f64], g: &mut [f64]) {
        let Memory { a, b, product, .. } = &mut *self.memory;
        product.clear();
        product.extend(b.iter().zip(phi).map(|(b, phi)| b * phi));
        g.iter_mut().zip(a.iter().zip(phi)).for_each(|(g, (a, phi))| *g = a * phi);
        self.problem.m().add_transposed_product(1.0, product, g);
    }
}

impl Link for NewtonFischerBurmeister {
    fn lend(&mut self, allowance: &Allowance) {
        self.newton.set_max_iterations(allowance.iterations);
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "newton-fischer-burmeister",
    siconos: "FB (112)",
    guarantee: Guarantee::in_words("regular equality block with P0 Schur complement"),
    storage: "any",
    reference: "Facchinei, Pang (2003), 9.1, 9.4",
};

impl Solver for NewtonFischerBurmeister {
    type Class = Mlcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        self.newton.limits()
    }

    fn solve(
        &mut self,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        if let Some(solved) = solve_without_q(problem.q(), z, w) {
            return Ok(solved);
        }
        let memory = &mut self.memory;
        for list in [&mut memory.w, &mut memory.a, &mut memory.b, &mut memory.scale] {
            list.clear();
            list.resize(z.len(), 0.0);
        }
        // (1)
        let m = self.storage.of(problem.m());
        memory.w.fill(1.0);
        m.add_absolute_product(&memory.w, &mut memory.scale);
        let unit = own_response::mean(m.reborrow());
        for scale in &mut memory.scale {
            *scale = 1.0 / nearest_power_of_two(if *scale > 0.0 { *scale } else { unit });
        }
        // (2)
        memory.matrix.prepare(m, false);
        let stored = MlcpProblem::new(m, problem.q(), problem.rows())?;
        let info = self.newton.solve(&mut Equations { problem: stored, memory }, z);
        let (judged, error) = self.verdict.of(problem, z, w, self.newton.settings().tolerance);
        let status =
            if judged.is_success() || info.status == Status::Converged { judged } else { info.status };
        Ok(SolveInfo { status, iterations: info.iterations, error })
    }
}
