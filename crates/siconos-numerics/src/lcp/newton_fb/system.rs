//! The problem as a system of equations for the semismooth Newton method, and a solver over it.

use crate::box_rows::judge;
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::lcp::polish::Polish;
use crate::lcp::{LcpProblem, error_of_point};
use crate::linalg::{MatrixRef, NewtonMatrix, SingularMatrix, largest_magnitude};
use crate::method::Limits;
use crate::ncp_function::NcpFunction;
use crate::own_response;
use crate::own_response::solve_without_q;
use crate::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings, SemismoothSystem};

/// The semismooth Newton method with one function for the direction and Fischer-Burmeister for the merit.
#[derive(Clone, Debug, Default)]
pub(super) struct LineSearchNewton {
    newton: SemismoothNewton,
    memory: Memory,
    polish: Polish,
    scale: Vec<f64>,
}

#[derive(Clone, Debug, Default)]
struct Memory {
    matrix: NewtonMatrix,
    /// What each z does to its own row: the functions are of d z and w, which have one unit.
    d: Vec<f64>,
    /// M z + q at the last point.
    w: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    product: Vec<f64>,
    shifted: Vec<f64>,
}

struct System<'a, 'm> {
    problem: &'a LcpProblem<'m>,
    function: NcpFunction,
    memory: &'a mut Memory,
}

/// What is added to $M_{ii}$, relative to the largest diagonal entry, when a generalised Jacobian is singular: first the
/// least that a factorisation notices. For a P0-matrix it always regularises.
const REGULARISATIONS: [f64; 3] = [1e-12, 1e-8, 1e-4];

impl System<'_, '_> {
    /// The derivatives of `function` at the last point.
    fn derivatives(&mut self, function: NcpFunction, z: &[f64]) {
        let Memory { d, w, a, b, .. } = &mut *self.memory;
        a.clear();
        b.clear();
        for ((z, w), d) in z.iter().zip(&*w).zip(&*d) {
            let (of_z, of_w) = function.derivative(d * z, *w);
            a.push(d * of_z);
            b.push(of_w);
        }
    }
}

impl SemismoothSystem for System<'_, '_> {
    fn residual(&mut self, z: &[f64], phi: &mut [f64]) -> f64 {
        let Memory { d, w, .. } = &mut *self.memory;
        let error = error_of_point(self.problem, z, w);
        for (i, phi) in phi.iter_mut().enumerate() {
            *phi = NcpFunction::FischerBurmeister.value(d[i] * z[i], w[i]);
        }
        error
    }

    fn direction(&mut self, z: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        let m = self.problem.m();
        self.derivatives(self.function, z);
        let Memory { d: responses, matrix, w, a, b, product, shifted } = &mut *self.memory;
        match self.function {
            NcpFunction::FischerBurmeister => d.iter_mut().zip(phi).for_each(|(d, phi)| *d = -phi),
            NcpFunction::Minimum => {
                for (i, d) in d.iter_mut().enumerate() {
                    *d = -self.function.value(responses[i] * z[i], w[i]);
                }
            }
        }
        product.clear();
        product.extend_from_slice(d);
        let singular = match matrix.factor(m, a, b).and_then(|()| matrix.solve(m, d)) {
            Ok(()) => return Ok(()),
            Err(singular) => singular,
        };
        shifted.clear();
        shifted.resize(a.len(), 0.0);
        let largest = largest_magnitude(responses);
        for regularisation in REGULARISATIONS {
            for ((shifted, a), b) in shifted.iter_mut().zip(&*a).zip(&*b) {
                *shifted = a + regularisation * largest * b;
            }
            d.copy_from_slice(product);
            if matrix.factor(m, shifted, b).and_then(|()| matrix.solve(m, d)).is_ok() {
                return Ok(());
            }
        }
        Err(singular)
    }

    fn gradient(&mut self, z: &[f64], phi: &[f64], g: &mut [f64]) {
        self.derivatives(NcpFunction::FischerBurmeister, z);
        let Memory { a, b, product, .. } = &mut *self.memory;
        // H^T phi = a phi + M^T (b phi)
        product.clear();
        product.extend(b.iter().zip(phi).map(|(b, phi)| b * phi));
        g.iter_mut().zip(&*a).zip(phi).for_each(|((g, a), phi)| *g = a * phi);
        self.problem.m().add_transposed_product(1.0, product, g);
    }
}

impl LineSearchNewton {
    pub(super) fn new(settings: SemismoothNewtonSettings) -> Result<Self, SettingsError> {
        Ok(Self { newton: SemismoothNewton::new(settings)?, ..Self::default() })
    }

    /// Sets entries that rounding left below 0 to 0, when that keeps the error within the tolerance; returns the error.
    fn clamp(&mut self, problem: &LcpProblem<'_>, error: f64, z: &mut [f64], w: &mut [f64]) -> f64 {
        let candidate = &mut self.memory.product;
        candidate.clear();
        candidate.extend(z.iter().map(|z| z.max(0.0)));
        if candidate == z {
            return error;
        }
        let clamped = error_of_point(problem, candidate, w);
        if clamped <= self.newton.settings().tolerance {
            z.copy_from_slice(candidate);
            return clamped;
        }
        error_of_point(problem, z, w)
    }

    pub(super) fn set_max_iterations(&mut self, max_iterations: usize) {
        self.newton.set_max_iterations(max_iterations);
    }

    pub(super) fn limits(&self) -> Limits {
        self.newton.limits()
    }

    pub(super) fn solve(
        &mut self,
        function: NcpFunction,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        if let Some(solved) = solve_without_q(problem.q(), z, w) {
            return Ok(solved);
        }
        let (m, tolerance) = (problem.m(), self.newton.limits().tolerance);
        // Sparse LU takes no notice of symmetry.
        let is_symmetric = matches!(m, MatrixRef::Dense(_)) && m.is_symmetric();
        self.memory.matrix.prepare(m, is_symmetric);
        own_response::write(m, &mut self.memory.d);
        self.memory.w.clear();
        self.memory.w.resize(z.len(), 0.0);
        let mut system = System { problem, function, memory: &mut self.memory };
        let mut info = self.newton.solve(&mut system, z);
        w.copy_from_slice(&self.memory.w);
        info.error = error_of_point(problem, z, w);
        if info.status == Status::Converged {
            info.error = self.clamp(problem, info.error, z, w);
            info.status = judge(problem, tolerance, z, w, info.error, &mut self.scale);
        } else if info.error.is_finite() {
            self.polish.prepare(m, is_symmetric);
            info.error = self.polish.improve(problem, tolerance, info.error, z, w);
            let last = judge(problem, tolerance, z, w, info.error, &mut self.scale);
            info.status = if last.is_success() { last } else { info.status };
        }
        Ok(info)
    }
}
