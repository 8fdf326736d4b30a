//! The interface of a solver for variational inequalities, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{Extragradient, FixedPoint, HyperplaneProjection, HyperplaneProjectionSettings, ViProblem};
use crate::error::{SettingsError, SolverError};
use crate::fixed_point::FixedPointSettings;
use crate::info::SolveInfo;
use crate::method::MethodDescription;

/// A solver is an object that owns its memory: use one over many problems of changing size.
pub trait ViSolver: std::fmt::Debug + Send {
    /// The name of the method.
    fn name(&self) -> &'static str;

    /// The [`error`](super::error) at which a point counts as a solution.
    fn tolerance(&self) -> f64;

    /// Solves one problem: `z` holds a guess on entry and the best point on return, `w` holds F(z) on return.
    ///
    /// # Errors
    ///
    /// Wrong lengths, a z that is not finite. Not converging is no error but a [`Status`](crate::Status).
    fn solve(
        &mut self,
        problem: &ViProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;
}

/// The choice of a solver with its settings, for files and command lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ViMethod {
    /// The extragradient method.
    Extragradient(FixedPointSettings),
    /// The projected fixed-point iteration.
    FixedPoint(FixedPointSettings),
    /// The hyperplane projection method.
    HyperplaneProjection(HyperplaneProjectionSettings),
}

impl Default for ViMethod {
    /// The extragradient method, which asks for no more than monotonicity and is the faster of those two.
    fn default() -> Self {
        Self::Extragradient(FixedPointSettings::default())
    }
}

impl ViMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self::default(),
            Self::FixedPoint(FixedPointSettings::default()),
            Self::HyperplaneProjection(HyperplaneProjectionSettings::default()),
        ]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        let storage = "any set with a projection";
        match self {
            Self::Extragradient(_) => MethodDescription {
                name: "extragradient",
                siconos: "EG (1000)",
                guarantee: "monotone Lipschitz maps",
                storage,
                reference: "Khobotov (1987)",
            },
            Self::FixedPoint(_) => MethodDescription {
                name: "fixed-point",
                siconos: "FPP (1001)",
                guarantee: "co-coercive maps",
                storage,
                reference: "Han, Sun (2004)",
            },
            Self::HyperplaneProjection(_) => MethodDescription {
                name: "hyperplane-projection",
                siconos: "HP (1002)",
                guarantee: "continuous pseudo-monotone maps",
                storage,
                reference: "Solodov, Svaiter (1999)",
            },
        }
    }

    /// The method of that name with its default settings.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|method| method.description().name == name)
    }

    /// Sets the error at which a point counts as a solution.
    pub fn set_tolerance(&mut self, tolerance: f64) {
        *match self {
            Self::Extragradient(settings) | Self::FixedPoint(settings) => &mut settings.tolerance,
            Self::HyperplaneProjection(settings) => &mut settings.tolerance,
        } = tolerance;
    }

    /// Sets the largest number of iterations.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::Extragradient(settings) | Self::FixedPoint(settings) => &mut settings.max_iterations,
            Self::HyperplaneProjection(settings) => &mut settings.max_iterations,
        } = max_iterations;
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn ViSolver>, SettingsError> {
        Ok(match self {
            Self::Extragradient(settings) => Box::new(Extragradient::new(settings.clone())?),
            Self::FixedPoint(settings) => Box::new(FixedPoint::new(settings.clone())?),
            Self::HyperplaneProjection(settings) => Box::new(HyperplaneProjection::new(settings.clone())?),
        })
    }
}
