//! The semismooth Newton method for rows between bounds, in any storage.
//!
//! With $\Phi_i$ the [box function](crate::vi::box_function) of $(d_i z_i, w_i)$ and its bounds times $d_i$, and a, b its derivatives with
//! respect to z_i and w_i, the generalised Jacobian is diag(a) + diag(b) M. The d of [`own_response`] give z the unit of w,
//! so that the iterates do not depend on units.

use super::{BoxProblem, error_by, error_of_point};
use crate::error::SettingsError;
use crate::info::{SolveInfo, Status};
use crate::linalg::{MatrixRef, NewtonMatrix, SingularMatrix, largest_magnitude};
use crate::method::Limits;
use crate::ncp_function::NcpFunction;
use crate::own_response;
use crate::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings, SemismoothSystem};
use crate::vi::box_function::{box_derivative, box_value};

/// The complementarity functions of a Newton method: of the equations whose zero is sought, and of the merit by which the line search
/// judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Functions {
    pub(crate) direction: NcpFunction,
    pub(crate) merit: NcpFunction,
}

impl Functions {
    /// The same function for both.
    pub(crate) const fn both(function: NcpFunction) -> Self {
        Self { direction: function, merit: function }
    }
}

/// The loop and its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxRowsNewton {
    newton: SemismoothNewton,
    memory: Memory,
}

#[derive(Clone, Debug, Default)]
struct Memory {
    matrix: NewtonMatrix,
    /// What each z does to its own row.
    d: Vec<f64>,
    /// M z + q at the last point.
    w: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    product: Vec<f64>,
    shifted: Vec<f64>,
}

/// Multiples of the largest d that are added to the diagonal of M, one after the other, when the generalised Jacobian is singular,
/// as it is where rows depend on each other. (Facchinei and Pang 2003, 9.1, on regularised steps.)
const REGULARISATIONS: [f64; 3] = [1e-12, 1e-8, 1e-4];

impl BoxRowsNewton {
    pub(crate) fn new(settings: SemismoothNewtonSettings) -> Result<Self, SettingsError> {
        Ok(Self { newton: SemismoothNewton::new(settings)?, memory: Memory::default() })
    }

    pub(crate) fn limits(&self) -> Limits {
        self.newton.limits()
    }

    pub(crate) fn set_max_iterations(&mut self, max_iterations: usize) {
        self.newton.set_max_iterations(max_iterations);
    }

    /// Looks at the matrix of a problem, before [`run`](Self::run); returns whether it is dense and symmetric.
    pub(crate) fn prepare(&mut self, problem: &impl BoxProblem) -> bool {
        let m = problem.m();
        // Sparse LU does not use symmetry.
        let is_symmetric = matches!(m, MatrixRef::Dense(_)) && m.is_symmetric();
        self.memory.matrix.prepare(m.reborrow(), is_symmetric);
        own_response::write(m, &mut self.memory.d);
        self.memory.w.clear();
        self.memory.w.resize(problem.q().len(), 0.0);
        is_symmetric
    }

    /// Runs the loop from `z` and ends at its best point, put between the bounds where that is no worse; `w` = M z + q.
    pub(crate) fn run<P: BoxProblem>(
        &mut self,
        functions: Functions,
        problem: &P,
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        let mut system = System { problem, functions, memory: &mut self.memory };
        let info = self.newton.solve(&mut system, z);
        // A step may end beside a bound by rounding.
        let Memory { product: last, w: memory, .. } = &mut self.memory;
        last.clear();
        last.extend_from_slice(z);
        for (i, z) in z.iter_mut().enumerate() {
            let (lower, upper) = problem.bounds(i);
            *z = z.max(lower).min(upper);
        }
        let error = error_of_point(problem, z, w);
        if error <= self.newton.limits().tolerance || last.as_slice() == z {
            return SolveInfo { error, ..info };
        }
        let error_outside = error_of_point(problem, last, memory);
        if error <= error_outside || error_outside.is_nan() {
            let status = if info.status == Status::Converged { Status::Stalled } else { info.status };
            return SolveInfo { status, error, ..info };
        }
        z.copy_from_slice(last);
        w.copy_from_slice(memory);
        SolveInfo { error: error_outside, ..info }
    }
}

/// The equations at the last point.
struct System<'a, P> {
    problem: &'a P,
    functions: Functions,
    memory: &'a mut Memory,
}

impl<P: BoxProblem> System<'_, P> {
    fn write_value(&self, function: NcpFunction, z: &[f64], phi: &mut [f64]) {
        let Memory { d, w, .. } = &*self.memory;
        for (i, phi) in phi.iter_mut().enumerate() {
            let (lower, upper) = self.problem.bounds(i);
            *phi = box_value(function, d[i] * z[i], w[i], d[i] * lower, d[i] * upper);
        }
    }

    /// The derivatives a, b of a function at the last point.
    fn derive(&mut self, function: NcpFunction, z: &[f64]) {
        let Memory { d, w, a, b, .. } = &mut *self.memory;
        a.clear();
        b.clear();
        for (i, ((z, w), d)) in z.iter().zip(&*w).zip(&*d).enumerate() {
            let (lower, upper) = self.problem.bounds(i);
            let (of_z, of_w) = box_derivative(function, d * z, *w, d * lower, d * upper);
            a.push(d * of_z);
            b.push(of_w);
        }
    }
}

impl<P: BoxProblem> SemismoothSystem for System<'_, P> {
    fn residual(&mut self, z: &[f64], phi: &mut [f64]) -> f64 {
        let Memory { w, .. } = &mut *self.memory;
        // The product first, as for the error.
        w.fill(0.0);
        self.problem.m().add_product(1.0, z, w);
        w.iter_mut().zip(self.problem.q()).for_each(|(w, q)| *w += q);
        self.write_value(self.functions.merit, z, phi);
        error_by(&self.memory.d, self.problem, z, &self.memory.w)
    }

    fn direction(&mut self, z: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        let m = self.problem.m();
        let Functions { direction, merit } = self.functions;
        self.derive(direction, z);
        if direction == merit {
            d.copy_from_slice(phi);
        } else {
            self.write_value(direction, z, d);
        }
        d.iter_mut().for_each(|d| *d = -*d);
        let Memory { d: responses, matrix, a, b, product, shifted, .. } = &mut *self.memory;
        product.clear();
        product.extend_from_slice(d);
        let singular = match matrix.factor(m.reborrow(), a, b).and_then(|()| matrix.solve(m.reborrow(), d)) {
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
            let factored = matrix.factor(m.reborrow(), shifted, b);
            if factored.and_then(|()| matrix.solve(m.reborrow(), d)).is_ok() {
                return Ok(());
            }
        }
        Err(singular)
    }

    fn gradient(&mut self, z: &[f64], phi: &[f64], g: &mut [f64]) {
        self.derive(self.functions.merit, z);
        let Memory { a, b, product, .. } = &mut *self.memory;
        // H^T phi = a phi + M^T (b phi)
        product.clear();
        product.extend(b.iter().zip(phi).map(|(b, phi)| b * phi));
        g.iter_mut().zip(&*a).zip(phi).for_each(|((g, a), phi)| *g = a * phi);
        self.problem.m().add_transposed_product(1.0, product, g);
    }
}
