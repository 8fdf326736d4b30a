//! Solution of the variational inequality of a step over a set given by its projection.

use ndarray::Array2;
use siconos_linalg::norm;
use siconos_numerics::engine::fixed_point::FixedPointSettings;
use siconos_numerics::vi::{Extragradient, ViProblem};
use siconos_numerics::{SolveInfo, Solver, SolverError, Status};

use super::DviSettings;
use super::set::SetProjection;

/// Extragradient method for the unknown $z = d u$, where d is a scale factor. With this factor, z and the
/// value of the map have the same unit, which is necessary because the solver adds both.
#[derive(Debug)]
pub(super) struct ByProjection(Extragradient);

/// Map of a variational inequality as a function of z = d u.
pub(super) struct ScaledMap<'a> {
    /// Scale factor d.
    pub(super) unit: f64,
    /// Writes the value of the map at z.
    pub(super) value: &'a dyn Fn(&[f64], &mut [f64]),
    /// Value of the map at z = 0.
    pub(super) at_origin: &'a [f64],
}

impl ByProjection {
    pub(super) fn new(settings: &DviSettings) -> Result<Self, SolverError> {
        let DviSettings { tolerance, max_iterations } = *settings;
        let settings = FixedPointSettings { tolerance, max_iterations, ..Default::default() };
        Ok(Self(Extragradient::new(settings)?))
    }

    /// Solves the inequality. On entry u is the initial guess; on return u is the solution, and w is the
    /// value of the map at the solution.
    pub(super) fn solve(
        &mut self,
        projection: &SetProjection,
        map: &ScaledMap<'_>,
        u: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let ScaledMap { unit, value, at_origin } = *map;
        let set = |z: &mut [f64]| {
            z.iter_mut().for_each(|z| *z /= unit);
            projection.apply(z);
            z.iter_mut().for_each(|z| *z *= unit);
        };
        u.iter_mut().for_each(|u| *u *= unit);
        let info = self.0.solve(&ViProblem::new(u.len(), &value, &set), u, w);
        let info = info.map(|info| unless_lost(info, u, at_origin));
        u.iter_mut().for_each(|u| *u /= unit);
        info
    }
}

/// Largest rounding error of the map for which a solution is accepted, relative to the value of the map at z
/// = 0.
const PART_LOST_IN_ROUNDING: f64 = 1e-3;

/// Rejects a solution so large that the value of the map at the origin is lost in rounding errors. Otherwise
/// an inequality without a solution would appear to be solved far from the origin.
fn unless_lost(info: SolveInfo, z: &[f64], at_origin: &[f64]) -> SolveInfo {
    let is_lost = f64::EPSILON * norm(z) > PART_LOST_IN_ROUNDING * norm(at_origin);
    if info.status.is_success() && is_lost && norm(at_origin) > 0.0 {
        return SolveInfo { status: Status::Stalled, ..info };
    }
    info
}

/// Returns the mean magnitude of the nonzero diagonal entries of m, or 1 if there are none.
pub(super) fn unit_of_input(m: &Array2<f64>) -> f64 {
    let entries = m.diag().into_iter().filter(|x| **x != 0.0);
    let (sum, count) = entries.fold((0.0, 0), |(sum, count), x| (sum + x.abs(), count + 1));
    if count > 0 && sum > 0.0 { sum / f64::from(count) } else { 1.0 }
}
