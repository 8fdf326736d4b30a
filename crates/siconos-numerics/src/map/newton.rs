//! Adapter that presents a differentiable map with box constraints as the [equations](Equations) of Newton's
//! method. Nonlinear complementarity problems, mixed complementarity problems and variational inequalities
//! over a box share it. They differ in the bounds and in the error.

use ndarray::ArrayViewMut2;
use siconos_linalg::{MatrixRef, square};

use super::DifferentiableMap;
use crate::box_constraints::{BoxNewton, Equations, NewtonSettings};
use crate::convex_set::{ConvexSet, Interval};
use crate::engine::{check_finite, check_length};
use crate::error::{SettingsError, SolverError};
use crate::info::SolveInfo;
use crate::method::{Limits, Solver};
use crate::relay::{Relay, RelayProblem};

/// Newton's method for a differentiable map with box constraints, with its workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct MapNewton {
    settings: NewtonSettings,
    newton: BoxNewton,
    jacobian: Vec<f64>,
    image: Vec<f64>,
    trial: Vec<f64>,
}

/// Problem to solve: the map, the bounds, and the error as a function of z and w.
pub(crate) struct Task<'a, E> {
    pub(crate) map: &'a dyn DifferentiableMap,
    pub(crate) bounds: Interval<'a>,
    pub(crate) error: E,
    /// `true` if z is scaled to the unit of F, that is, multiplied by the diagonal of the Jacobian at the
    /// initial guess.
    pub(crate) scaled: bool,
}

/// Maximum ratio of the new error to the old error for which a step to the solution of the linearised problem
/// is accepted.
const DECREASE: f64 = 0.9;

impl MapNewton {
    pub(crate) fn new(settings: NewtonSettings) -> Result<Self, SettingsError> {
        Ok(Self { newton: BoxNewton::new(settings.newton.clone())?, settings, ..Self::default() })
    }

    pub(crate) fn settings(&self) -> &NewtonSettings {
        &self.settings
    }

    pub(crate) fn limits(&self) -> Limits {
        self.newton.limits()
    }

    /// Runs Newton's method from `z`; `w` is F(z) on return. If the solver `linearised` is given, full steps
    /// to the solution of the linearised problem are taken first, as long as each step reduces the error
    /// sufficiently.
    pub(crate) fn solve<E: Fn(&[f64], &[f64]) -> f64>(
        &mut self,
        task: &Task<'_, E>,
        linearised: Option<&mut dyn Solver<Class = Relay>>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let n = task.map.size();
        check_length("z", n, z.len())?;
        check_length("w", n, w.len())?;
        check_length("lower", n, task.bounds.lower().len())?;
        check_finite("z", z)?;
        self.jacobian.clear();
        self.jacobian.resize(n * n, 0.0);
        let mut map = Linearised { task, jacobian: &mut self.jacobian };
        if task.scaled {
            map.linearise(z);
        }
        let units = self.newton.prepare(map.jacobian(), false);
        units.clear();
        units.resize(n, 1.0);
        for (unit, entry) in units.iter_mut().zip(map.jacobian.iter().step_by(n + 1)) {
            *unit = if entry.is_normal() { entry.abs() } else { 1.0 };
        }
        let steps = match linearised {
            Some(solver) => {
                let memory = (&mut self.image, &mut self.trial);
                map.step_by_inequalities(solver, self.newton.limits(), memory, z, w)
            }
            None => 0,
        };
        let info = self.newton.run(self.settings.functions(), &mut map, z, w);
        Ok(SolveInfo { iterations: info.iterations + steps, ..info })
    }
}

/// Problem, together with the Jacobian of its map at one point.
struct Linearised<'a, 't, E> {
    task: &'a Task<'t, E>,
    jacobian: &'a mut [f64],
}

impl<E: Fn(&[f64], &[f64]) -> f64> Linearised<'_, '_, E> {
    /// Takes full steps as long as each step reduces the error by at least a tenth. A step goes from z to the
    /// solution y of the problem with F(z) + J (y - z) instead of F(y). Returns the number of steps.
    fn step_by_inequalities(
        &mut self,
        solver: &mut dyn Solver<Class = Relay>,
        limits: Limits,
        (image, y): (&mut Vec<f64>, &mut Vec<f64>),
        z: &mut [f64],
        memory: &mut [f64],
    ) -> usize {
        let Task { map, bounds, error: measure, .. } = self.task;
        image.clear();
        image.resize(z.len(), 0.0);
        bounds.project(z);
        map.value(z, image);
        let mut error = measure(z, image);
        for steps in 0..limits.max_iterations {
            if error <= limits.tolerance {
                return steps;
            }
            self.linearise(z);
            let jacobian = self.jacobian();
            jacobian.add_product(-1.0, z, image);
            y.clear();
            y.extend_from_slice(z);
            let Ok(problem) = RelayProblem::new(jacobian, image, bounds.lower(), bounds.upper()) else {
                return steps;
            };
            let Ok(info) = solver.solve(&problem, y, memory) else { return steps };
            map.value(y, image);
            let new = measure(y, image);
            if !info.status.is_success() || new > DECREASE * error || new.is_nan() {
                return steps;
            }
            z.copy_from_slice(y);
            error = new;
        }
        limits.max_iterations
    }
}

impl<E: Fn(&[f64], &[f64]) -> f64> Equations for Linearised<'_, '_, E> {
    fn bounds(&self, i: usize) -> (f64, f64) {
        (self.task.bounds.lower()[i], self.task.bounds.upper()[i])
    }

    fn value(&self, z: &[f64], w: &mut [f64]) {
        self.task.map.value(z, w);
    }

    fn linearise(&mut self, z: &[f64]) {
        self.jacobian.fill(0.0);
        if let Ok(view) = ArrayViewMut2::from_shape((z.len(), z.len()), self.jacobian) {
            self.task.map.jacobian(z, view);
        }
    }

    fn jacobian(&self) -> MatrixRef<'_> {
        MatrixRef::Dense(square(self.jacobian, self.task.map.size()))
    }

    fn error(&mut self, _: &[f64], z: &[f64], w: &[f64]) -> f64 {
        (self.task.error)(z, w)
    }
}
