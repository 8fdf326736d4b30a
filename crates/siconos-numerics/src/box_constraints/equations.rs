//! Box-constrained complementarity as equations for the semismooth Newton method, for linear rows and for
//! differentiable maps.
//!
//! $\Phi_i$ is the [box function](super::function) of $(d_i z_i, w_i)$, with the bounds multiplied by $d_i$.
//! With its derivatives a and b with respect to z_i and w_i, the generalised Jacobian is diag(a) + diag(b) J.
//! The factors d convert z to the unit of w, and therefore the iterates do not depend on units. The problem
//! classes for nonlinear maps define an error that combines z and w without scaling. For these classes d = 1,
//! and the iterates depend on units.

use siconos_linalg::{MatrixRef, NewtonMatrix, SingularMatrix, largest_magnitude};

use super::function::{box_derivative, box_value};
use crate::engine::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings, SemismoothSystem};
use crate::error::SettingsError;
use crate::info::{SolveInfo, Status};
use crate::method::Limits;
use crate::ncp_function::NcpFunction;

/// A map z -> w, its Jacobian, and the bounds of z.
pub(crate) trait Equations {
    fn bounds(&self, i: usize) -> (f64, f64);

    /// Writes the value of the map at `z` to `w`.
    fn value(&self, z: &[f64], w: &mut [f64]);

    /// Updates the Jacobian at z. A constant Jacobian needs no update.
    fn linearise(&mut self, _z: &[f64]) {}

    /// Returns the Jacobian at the point of the last update.
    fn jacobian(&self) -> MatrixRef<'_>;

    /// Returns the error of a point as the problem class defines it. `units` are the factors d.
    fn error(&mut self, units: &[f64], z: &[f64], w: &[f64]) -> f64;
}

/// Complementarity functions of a Newton method: one for the equations to be solved, and one for the merit
/// function of the line search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Functions {
    pub(crate) direction: NcpFunction,
    pub(crate) merit: NcpFunction,
}

/// Semismooth Newton iteration for [`Equations`], with its workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxNewton {
    newton: SemismoothNewton,
    memory: NewtonWorkspace,
}

#[derive(Clone, Debug, Default)]
struct NewtonWorkspace {
    matrix: NewtonMatrix,
    /// Factors d that convert each unknown to the unit of its row, or ones.
    units: Vec<f64>,
    /// w at the last point.
    w: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    product: Vec<f64>,
    shifted: Vec<f64>,
}

/// Multiples of the largest $|J_{ii}|$, or of the largest d if all $J_{ii}$ are 0. They are added to the
/// diagonal of J, one after the other, if the generalised Jacobian is singular, for example because its rows
/// are linearly dependent. (Facchinei and Pang 2003, 9.1, on regularised steps.)
const REGULARISATIONS: [f64; 3] = [1e-12, 1e-8, 1e-4];

impl BoxNewton {
    pub(crate) fn new(settings: SemismoothNewtonSettings) -> Result<Self, SettingsError> {
        Ok(Self { newton: SemismoothNewton::new(settings)?, memory: NewtonWorkspace::default() })
    }

    pub(crate) fn limits(&self) -> Limits {
        self.newton.limits()
    }

    pub(crate) fn set_max_iterations(&mut self, max_iterations: usize) {
        self.newton.set_max_iterations(max_iterations);
    }

    /// Analyses the structure of the Jacobians; must be called before [`run`](Self::run). Returns the vector
    /// of the factors d, which the caller must fill.
    pub(crate) fn prepare(&mut self, jacobian: MatrixRef<'_>, is_symmetric: bool) -> &mut Vec<f64> {
        self.memory.w.clear();
        self.memory.w.resize(jacobian.rows(), 0.0);
        self.memory.matrix.prepare(jacobian, is_symmetric);
        &mut self.memory.units
    }

    /// Iterates from `z` and writes the best point to `z` and its image to `w`. The best point is projected
    /// onto the bounds, unless the projection increases the error to a value above the tolerance.
    pub(crate) fn run<E: Equations>(
        &mut self,
        functions: Functions,
        equations: &mut E,
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        let mut system = System { equations, functions, memory: &mut self.memory };
        let info = self.newton.solve(&mut system, z);
        // The last iterate can violate a bound by rounding error or, without convergence, by more.
        let NewtonWorkspace { product: last, w: image_of_last, units, .. } = &mut self.memory;
        last.clear();
        last.extend_from_slice(z);
        for (i, z) in z.iter_mut().enumerate() {
            let (lower, upper) = equations.bounds(i);
            *z = z.max(lower).min(upper);
        }
        let tolerance = self.newton.limits().tolerance;
        equations.value(z, w);
        let mut error = equations.error(units, z, w);
        let is_inside = error <= tolerance || last.as_slice() == z;
        if !is_inside {
            equations.value(last, image_of_last);
            let outside = equations.error(units, last, image_of_last);
            if outside < error || (error.is_nan() && !outside.is_nan()) {
                z.copy_from_slice(last);
                w.copy_from_slice(image_of_last);
                error = outside;
            }
        }
        let status = match info.status {
            _ if error <= tolerance => Status::Converged,
            Status::Converged => Status::Stalled,
            other => other,
        };
        SolveInfo { status, error, ..info }
    }
}

/// Equations at the last point.
struct System<'a, E> {
    equations: &'a mut E,
    functions: Functions,
    memory: &'a mut NewtonWorkspace,
}

impl<E: Equations> System<'_, E> {
    fn write_value(&self, function: NcpFunction, z: &[f64], phi: &mut [f64]) {
        let NewtonWorkspace { units, w, .. } = &*self.memory;
        for (i, (phi, d)) in phi.iter_mut().zip(units).enumerate() {
            let (lower, upper) = self.equations.bounds(i);
            *phi = box_value(function, d * z[i], w[i], d * lower, d * upper);
        }
    }

    /// Computes the derivatives a, b of a function at the last point.
    fn derive(&mut self, function: NcpFunction, z: &[f64]) {
        let NewtonWorkspace { units, w, a, b, .. } = &mut *self.memory;
        a.clear();
        b.clear();
        for (i, ((z, w), d)) in z.iter().zip(&*w).zip(&*units).enumerate() {
            let (lower, upper) = self.equations.bounds(i);
            let (of_z, of_w) = box_derivative(function, d * z, *w, d * lower, d * upper);
            a.push(d * of_z);
            b.push(of_w);
        }
    }
}

impl<E: Equations> SemismoothSystem for System<'_, E> {
    fn residual(&mut self, z: &[f64], phi: &mut [f64]) -> f64 {
        self.equations.value(z, &mut self.memory.w);
        self.write_value(self.functions.merit, z, phi);
        self.equations.error(&self.memory.units, z, &self.memory.w)
    }

    fn direction(&mut self, z: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        self.equations.linearise(z);
        let Functions { direction, merit } = self.functions;
        self.derive(direction, z);
        if direction == merit {
            d.copy_from_slice(phi);
        } else {
            self.write_value(direction, z, d);
        }
        d.iter_mut().for_each(|d| *d = -*d);
        let j = self.equations.jacobian();
        let NewtonWorkspace { units, matrix, a, b, product, shifted, .. } = &mut *self.memory;
        product.clear();
        product.extend_from_slice(d);
        let singular = match matrix.factor(j.reborrow(), a, b).and_then(|()| matrix.solve(j.reborrow(), d)) {
            Ok(()) => return Ok(()),
            Err(singular) => singular,
        };
        shifted.clear();
        shifted.resize(a.len(), 0.0);
        let mut largest = 0.0_f64;
        j.for_each_diagonal(|_, entry| largest = largest.max(entry.abs()));
        if largest == 0.0 {
            largest = largest_magnitude(units);
        }
        for regularisation in REGULARISATIONS {
            for ((shifted, a), b) in shifted.iter_mut().zip(&*a).zip(&*b) {
                *shifted = a + regularisation * largest * b;
            }
            d.copy_from_slice(product);
            let factored = matrix.factor(j.reborrow(), shifted, b);
            if factored.and_then(|()| matrix.solve(j.reborrow(), d)).is_ok() {
                return Ok(());
            }
        }
        Err(singular)
    }

    fn gradient(&mut self, z: &[f64], phi: &[f64], g: &mut [f64]) {
        self.derive(self.functions.merit, z);
        let NewtonWorkspace { a, b, product, .. } = &mut *self.memory;
        // H^T phi = a phi + J^T (b phi)
        product.clear();
        product.extend(b.iter().zip(phi).map(|(b, phi)| b * phi));
        g.iter_mut().zip(&*a).zip(phi).for_each(|((g, a), phi)| *g = a * phi);
        self.equations.jacobian().add_transposed_product(1.0, product, g);
    }
}
