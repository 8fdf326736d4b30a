//! Intersections of convex sets.

use std::fmt;

use serde::{Deserialize, Serialize};
use siconos_linalg::norm;

use super::{ConvexSet, ConvexSetError};
use crate::engine::check_finite;
use crate::error::SettingsError;
use crate::info::{SolveInfo, Status};

/// Stopping criteria of the projection onto an [`Intersection`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DykstraSettings {
    /// Tolerance of the change of the corrections in one cycle, as a fraction of the total distance that the
    /// point has moved. Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of cycles over all sets. Default: 100 000.
    pub max_cycles: usize,
}

impl Default for DykstraSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_cycles: 100_000 }
    }
}

/// Intersection of convex sets, with projection by Dykstra's algorithm.
///
/// Each cycle projects onto the sets one after the other. Before each projection, the correction from the
/// same set in the previous cycle is added to the point. If the intersection is not empty, the iterates
/// converge to the nearest point. For polyhedra, the rate is linear (Boyle and Dykstra 1986; Deutsch and
/// Hundal 1994); convergence is slow if the sets are nearly parallel. The algorithm stops when the change of
/// the corrections is small. This change vanishes only at the nearest point (Birgin and Raydan 2005, "Robust
/// stopping criteria for Dykstra's algorithm", SIAM Journal on Scientific Computing 26, 1405-1414). If the
/// intersection is empty, the corrections grow without bound, and
/// [`project_reported`](Self::project_reported) returns `MaxIterations`.
///
/// ```
/// use siconos_numerics::cone::{Ball, ConvexSet, HalfSpace, Intersection};
///
/// // The upper half of a disc.
/// let mut both = Intersection::default();
/// both.add(Ball::new(vec![0.0, 0.0], 1.0)?);
/// both.add(HalfSpace::new(vec![0.0, 1.0], 0.0)?);
/// let mut x = [2.0, -3.0];
/// both.project(&mut x);
/// assert!((x[0] - 1.0).abs() < 1e-9 && x[1].abs() < 1e-9);
/// # Ok::<(), siconos_numerics::cone::ConvexSetError>(())
/// ```
#[derive(Default)]
pub struct Intersection {
    sets: Vec<Box<dyn ConvexSet + Send + Sync>>,
    settings: DykstraSettings,
}

impl Intersection {
    /// Adds a set.
    pub fn add(&mut self, set: impl ConvexSet + Send + Sync + 'static) {
        self.sets.push(Box::new(set));
    }

    /// Sets the stopping criteria of the projection.
    ///
    /// # Errors
    ///
    /// If the tolerance is not positive.
    pub fn with_settings(mut self, settings: DykstraSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        self.settings = settings;
        Ok(self)
    }

    /// Replaces x by the nearest point. Returns the number of cycles, the change of the corrections in the
    /// final cycle, and the status. With `Converged`, x is the nearest point within the tolerance. With
    /// `MaxIterations`, x is in the set that was added last, but not necessarily in the other sets.
    ///
    /// # Errors
    ///
    /// If the intersection contains no set ([`ConvexSetError::NoSet`]), or if x is not finite
    /// ([`ConvexSetError::Problem`]).
    pub fn project_reported(&self, x: &mut [f64]) -> Result<SolveInfo, ConvexSetError> {
        check_finite("x", x)?;
        if self.sets.is_empty() {
            return Err(ConvexSetError::NoSet);
        }
        let begin = x.to_vec();
        let mut taken = vec![vec![0.0; x.len()]; self.sets.len()];
        let (mut before, mut gone) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        let mut change = f64::INFINITY;
        for cycle in 1..=self.settings.max_cycles {
            let mut square = 0.0;
            for (set, taken) in self.sets.iter().zip(&mut taken) {
                x.iter_mut().zip(&*taken).for_each(|(x, taken)| *x += taken);
                before.copy_from_slice(x);
                set.project(x);
                for ((taken, before), x) in taken.iter_mut().zip(&before).zip(&*x) {
                    let now = before - x;
                    square += (now - *taken) * (now - *taken);
                    *taken = now;
                }
            }
            gone.iter_mut().zip(&begin).zip(&*x).for_each(|((gone, begin), x)| *gone = begin - x);
            let distance = norm(&gone);
            change = if distance > 0.0 { square.sqrt() / distance } else { square.sqrt() };
            if change <= self.settings.tolerance {
                return Ok(SolveInfo { status: Status::Converged, iterations: cycle, error: change });
            }
        }
        let (status, iterations) = (Status::MaxIterations, self.settings.max_cycles);
        Ok(SolveInfo { status, iterations, error: change })
    }
}

impl ConvexSet for Intersection {
    fn project(&self, x: &mut [f64]) {
        // If the point is not finite, it remains unchanged.
        let _reported = self.try_project(x);
    }

    fn try_project(&self, x: &mut [f64]) -> Status {
        match self.project_reported(x) {
            Ok(info) => info.status,
            // The intersection of no sets is the whole space, so every point is its own projection.
            Err(ConvexSetError::NoSet) => Status::Converged,
            Err(_) => Status::Breakdown,
        }
    }
}

impl fmt::Debug for Intersection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Intersection")
            .field("sets", &self.sets.len())
            .field("settings", &self.settings)
            .finish()
    }
}
