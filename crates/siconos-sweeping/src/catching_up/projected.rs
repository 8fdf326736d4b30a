//! Steps over sets given only by their projection.

use ndarray::Array2;
use siconos_linalg::norm;
use siconos_numerics::engine::fixed_point::{FixedPoint, ProjectedMap};
use siconos_numerics::{SolveInfo, Status};

use super::super::{MovingSet, SweepingError};
use super::perturbation::Perturbation;

/// Variational inequality of a step, in the form required by the projection method: find $x \in K$ such that
/// $(P (x - u + h f(t, x)))^T (y - x) \ge 0$ for all y in K.
pub(super) struct StepMap<'p, S> {
    pub(super) set: &'p mut S,
    pub(super) t: f64,
    pub(super) h: f64,
    /// State at the start of the step (`u`), and state at which the set is evaluated (`state`).
    pub(super) u: &'p [f64],
    pub(super) state: &'p [f64],
    pub(super) perturbation: Option<&'p Perturbation>,
    pub(super) metric: Option<&'p Array2<f64>>,
    pub(super) memory: &'p mut Vec<f64>,
    /// First error of a user function or of the set.
    pub(super) error: Option<SweepingError>,
    /// Status of the most recent projection that failed, or `Converged` if none failed.
    pub(super) status: Status,
}

impl<S: MovingSet> ProjectedMap for StepMap<'_, S> {
    fn map(&mut self, z: &[f64], f: &mut [f64]) {
        f.fill(0.0);
        if let Some(Err(error)) = self.perturbation.map(|perturbation| perturbation.write(self.t, z, f)) {
            self.error.get_or_insert(error);
        }
        for ((f, z), u) in f.iter_mut().zip(z).zip(self.u) {
            *f = z - u + self.h * *f;
        }
        if let Some(metric) = self.metric {
            self.memory.copy_from_slice(f);
            for (f, row) in f.iter_mut().zip(metric.rows()) {
                *f = row.iter().zip(&*self.memory).map(|(p, way)| p * way).sum();
            }
        }
    }

    fn project(&mut self, x: &mut [f64]) {
        match self.set.project(self.t, self.state, x) {
            Ok(projection) if projection.status.is_success() => (),
            Ok(projection) => self.status = projection.status,
            Err(error) => {
                self.error.get_or_insert(error.at(self.t));
            }
        }
    }

    fn error(&mut self, z: &[f64], f: &[f64]) -> f64 {
        let mut moved = std::mem::take(self.memory);
        moved.iter_mut().zip(z).zip(f).for_each(|((moved, z), f)| *moved = z - f);
        self.project(&mut moved);
        moved.iter_mut().zip(z).for_each(|(moved, z)| *moved -= z);
        // The error is relative to the larger of the norms of the states before and after the step.
        let size = norm(z).max(norm(self.u));
        let change = norm(&moved);
        *self.memory = moved;
        if size > 0.0 { change / size } else { change }
    }
}

/// Solves for x; on entry x is the initial guess.
pub(super) fn solve<S: MovingSet>(
    method: &mut FixedPoint,
    mut map: StepMap<'_, S>,
    x: &mut [f64],
) -> Result<(Status, usize), SweepingError> {
    let SolveInfo { status, iterations, .. } = method.solve(&mut map, x);
    match map.error {
        Some(error) => Err(error),
        None if status.is_success() => Ok((map.status, iterations)),
        None => Ok((status, iterations)),
    }
}
