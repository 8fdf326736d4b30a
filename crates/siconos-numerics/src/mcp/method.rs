//! The interface of a solver for mixed nonlinear complementarity problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{McpProblem, Newton};
use crate::error::{SettingsError, SolverError};
use crate::info::SolveInfo;
use crate::method::MethodDescription;
use crate::ncp::NewtonSettings;
use crate::ncp_function::NcpFunction;

/// A solver is an object that owns its memory: use one over many problems of changing size.
pub trait McpSolver: std::fmt::Debug + Send {
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
        problem: &McpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;
}

/// The choice of a solver with its settings, for files and command lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum McpMethod {
    /// Semismooth Newton with line search.
    Newton(NewtonSettings),
}

impl Default for McpMethod {
    fn default() -> Self {
        Self::Newton(NewtonSettings::default())
    }
}

impl McpMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let minimum = NewtonSettings { function: NcpFunction::Minimum, ..NewtonSettings::default() };
        vec![Self::default(), Self::Newton(minimum)]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        match self {
            Self::Newton(NewtonSettings { function: NcpFunction::FischerBurmeister, .. }) => {
                MethodDescription {
                    name: "newton-fischer-burmeister",
                    siconos: "NEWTON_FB_FBLSA (700)",
                    guarantee: "P0-functions, for limit points; quadratic near a regular solution",
                    storage: "dense",
                    reference: "De Luca, Facchinei, Kanzow (1996)",
                }
            }
            Self::Newton(NewtonSettings { function: NcpFunction::Minimum, .. }) => MethodDescription {
                name: "newton-minimum",
                siconos: "NEWTON_MIN_FBLSA (701)",
                guarantee: "near a regular solution",
                storage: "dense",
                reference: "Facchinei, Pang (2003), 9.2",
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
        match self {
            Self::Newton(settings) => settings.newton.tolerance = tolerance,
        }
    }

    /// Sets the largest number of Newton steps.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        match self {
            Self::Newton(settings) => settings.newton.max_iterations = max_iterations,
        }
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn McpSolver>, SettingsError> {
        Ok(match self {
            Self::Newton(settings) => Box::new(Newton::new(settings.clone())?),
        })
    }
}
