//! The semismooth Newton method for a differentiable map between bounds: one system for the nonlinear and mixed
//! complementarity problems and for the variational inequality over a box, which differ in bounds and error measure.

use ndarray::ArrayViewMut2;

use super::box_function::{box_derivative, box_value};
use crate::cone::{ConvexSet, Interval};
use crate::error::{SolverError, check_finite, check_length};
use crate::info::{SolveInfo, Status};
use crate::linalg::{MatrixRef, NewtonMatrix, SingularMatrix, square};
use crate::method::Solver;
use crate::ncp::DifferentiableMap;
use crate::ncp_function::NcpFunction;
use crate::relay::{Relay, RelayProblem};
use crate::semismooth_newton::{SemismoothNewton, SemismoothSystem};

/// The memory of the system.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxNewton {
    w: Vec<f64>,
    /// What makes a z comparable with an F.
    unit: Vec<f64>,
    jacobian: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    scaled: Vec<f64>,
    matrix: NewtonMatrix,
}

/// What a class puts into the loop: the map, the bounds, the function and the error measure of (z, w).
pub(crate) struct Task<'a, E> {
    pub(crate) map: &'a dyn DifferentiableMap,
    pub(crate) bounds: Interval<'a>,
    pub(crate) function: NcpFunction,
    pub(crate) error: E,
    /// Whether z is measured in the unit of F, that is times the diagonal of the Jacobian at the guess.
    pub(crate) scaled: bool,
}

/// What a step to the solution of the linearised problem has to leave of the error at most.
const DECREASE: f64 = 0.9;

impl BoxNewton {
    /// Runs the loop from `z`; `w` is F(z) on return. With `linearised`, full steps to the solution of the linearised problem
    /// come first, while each brings the error down.
    pub(crate) fn solve<E: Fn(&[f64], &[f64]) -> f64>(
        &mut self,
        task: &Task<'_, E>,
        newton: &mut SemismoothNewton,
        linearised: Option<&mut dyn Solver<Class = Relay>>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let n = task.map.size();
        check_length("z", n, z.len())?;
        check_length("w", n, w.len())?;
        check_length("lower", n, task.bounds.lower().len())?;
        check_finite("z", z)?;
        self.w.clear();
        self.w.resize(n, 0.0);
        self.jacobian.clear();
        self.jacobian.resize(n * n, 0.0);
        self.set_units(task, z);
        let settings = newton.settings();
        let (tolerance, most) = (settings.tolerance, settings.max_iterations);
        let steps = match linearised {
            Some(solver) => self.linearised_steps(task, solver, tolerance, most, z, w),
            None => 0,
        };
        let mut info = newton.solve(&mut System { task, memory: self }, z);
        info.iterations += steps;
        // The loop may end beside a bound by rounding, or, when it did not converge, outside.
        task.map.value(z, w);
        let error = (task.error)(z, w);
        self.scaled.clear();
        self.scaled.extend_from_slice(z);
        task.bounds.project(&mut self.scaled);
        task.map.value(&self.scaled, &mut self.w);
        let inside = (task.error)(&self.scaled, &self.w);
        info.error = error;
        if inside <= error || inside <= newton.settings().tolerance {
            z.copy_from_slice(&self.scaled);
            w.copy_from_slice(&self.w);
            info.error = inside;
        }
        info.status = match info.status {
            _ if info.error <= newton.settings().tolerance => Status::Converged,
            Status::Converged => Status::Stalled,
            other => other,
        };
        Ok(info)
    }

    /// Full steps to the solution of the problem with F(z) + J (y - z) for F, while each brings the error down by a tenth at
    /// least; returns how many. `y` is memory.
    fn linearised_steps<E: Fn(&[f64], &[f64]) -> f64>(
        &mut self,
        task: &Task<'_, E>,
        solver: &mut dyn Solver<Class = Relay>,
        tolerance: f64,
        most: usize,
        z: &mut [f64],
        memory: &mut [f64],
    ) -> usize {
        let n = z.len();
        task.bounds.project(z);
        task.map.value(z, &mut self.w);
        let mut error = (task.error)(z, &self.w);
        for steps in 0..most {
            if error <= tolerance {
                return steps;
            }
            self.jacobian.fill(0.0);
            if let Ok(view) = ArrayViewMut2::from_shape((n, n), &mut self.jacobian) {
                task.map.jacobian(z, view);
            }
            let jacobian = MatrixRef::Dense(square(&self.jacobian, n));
            jacobian.add_product(-1.0, z, &mut self.w);
            self.scaled.clear();
            self.scaled.extend_from_slice(z);
            let (lower, upper) = (task.bounds.lower(), task.bounds.upper());
            let Ok(problem) = RelayProblem::new(jacobian, &self.w, lower, upper) else { return steps };
            let Ok(info) = solver.solve(&problem, &mut self.scaled, memory) else { return steps };
            task.map.value(&self.scaled, &mut self.w);
            let new = (task.error)(&self.scaled, &self.w);
            if !info.status.is_success() || new > DECREASE * error || new.is_nan() {
                return steps;
            }
            z.copy_from_slice(&self.scaled);
            error = new;
        }
        most
    }

    fn set_units<E>(&mut self, task: &Task<'_, E>, z: &[f64]) {
        let n = z.len();
        self.unit.clear();
        self.unit.resize(n, 1.0);
        if !task.scaled {
            return;
        }
        if let Ok(view) = ArrayViewMut2::from_shape((n, n), &mut self.jacobian) {
            task.map.jacobian(z, view);
        }
        for (c, entry) in self.unit.iter_mut().zip(self.jacobian.iter().step_by(n + 1)) {
            if entry.is_normal() {
                *c = entry.abs();
            }
        }
    }
}

struct System<'a, 't, E> {
    task: &'a Task<'t, E>,
    memory: &'a mut BoxNewton,
}

impl<E: Fn(&[f64], &[f64]) -> f64> System<'_, '_, E> {
    /// The Jacobian, and a, b of the generalised Jacobian diag(a) + diag(b) J, at `z`.
    fn derive(&mut self, z: &[f64]) {
        let n = z.len();
        let BoxNewton { w, unit, jacobian, a, b, .. } = &mut *self.memory;
        jacobian.fill(0.0);
        if let Ok(view) = ArrayViewMut2::from_shape((n, n), jacobian) {
            self.task.map.jacobian(z, view);
        }
        a.clear();
        b.clear();
        let bounds = self.task.bounds.lower().iter().zip(self.task.bounds.upper());
        for (((z, w), c), (l, u)) in z.iter().zip(&*w).zip(&*unit).zip(bounds) {
            let (of_z, of_w) = box_derivative(self.task.function, c * z, *w, c * l, c * u);
            a.push(c * of_z);
            b.push(of_w);
        }
    }
}

impl<E: Fn(&[f64], &[f64]) -> f64> SemismoothSystem for System<'_, '_, E> {
    fn residual(&mut self, z: &[f64], phi: &mut [f64]) -> f64 {
        let w = &mut self.memory.w;
        self.task.map.value(z, w);
        let bounds = self.task.bounds.lower().iter().zip(self.task.bounds.upper());
        let pairs = z.iter().zip(&*w).zip(&self.memory.unit);
        for ((phi, ((z, w), c)), (l, u)) in phi.iter_mut().zip(pairs).zip(bounds) {
            *phi = box_value(self.task.function, c * z, *w, c * l, c * u);
        }
        (self.task.error)(z, w)
    }

    fn direction(&mut self, z: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        self.derive(z);
        let BoxNewton { jacobian, a, b, matrix, .. } = &mut *self.memory;
        let jacobian = MatrixRef::Dense(square(jacobian, z.len()));
        matrix.prepare(jacobian, false);
        matrix.factor(jacobian, a, b)?;
        d.iter_mut().zip(phi).for_each(|(d, phi)| *d = -phi);
        matrix.solve(jacobian, d)
    }

    fn gradient(&mut self, z: &[f64], phi: &[f64], g: &mut [f64]) {
        let BoxNewton { jacobian, a, b, scaled, .. } = &mut *self.memory;
        scaled.clear();
        scaled.extend(b.iter().zip(phi).map(|(b, phi)| b * phi));
        g.iter_mut().zip(a).zip(phi).for_each(|((g, a), phi)| *g = *a * phi);
        MatrixRef::Dense(square(jacobian, z.len())).add_transposed_product(1.0, scaled, g);
    }
}
