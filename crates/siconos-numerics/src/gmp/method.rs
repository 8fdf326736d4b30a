//! The interface of a solver for problems with blocks of different laws, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{
    Auto, AutoSettings, BlockGaussSeidel, BlockGaussSeidelSettings, EqualityElimination,
    GenericMechanicalProblem, SemismoothNewton, SemismoothNewtonSettings,
};
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo};
use crate::method::MethodDescription;

/// A solver is an object that owns its memory: use one over many problems of changing size.
///
/// Warm start in, solution out: `z` holds a guess on entry (zeros when there is none) and the best iterate on return, `w` holds
/// $M z + q$ on return.
pub trait GmpSolver: std::fmt::Debug + Send {
    /// The name of the method.
    fn name(&self) -> &'static str;

    /// The [`error`](super::error) at which a point counts as a solution.
    fn tolerance(&self) -> f64;

    /// Solves one problem.
    ///
    /// # Errors
    ///
    /// Wrong lengths, a guess that is not finite, a singular matrix that the method has to factorise. Not converging is no
    /// error but a [`Status`](crate::Status).
    fn solve(
        &mut self,
        problem: &GenericMechanicalProblem,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;

    /// What the last [`solve`](Self::solve) tried, in order, when the solver chooses among methods; empty otherwise.
    fn trace(&self) -> &[Attempt] {
        &[]
    }
}

/// The choice of a solver with its settings, for files and command lines.
///
/// ```
/// use siconos_numerics::gmp::GmpMethod;
///
/// let method = GmpMethod::from_name("gauss-seidel").unwrap();
/// let text = serde_json::to_string(&method).unwrap();
/// assert_eq!(serde_json::from_str::<GmpMethod>(&text).unwrap(), method);
/// assert_eq!(method.build()?.name(), "block Gauss-Seidel");
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum GmpMethod {
    /// The others in turn.
    Auto(AutoSettings),
    /// Sweeps over the blocks.
    GaussSeidel(BlockGaussSeidelSettings),
    /// Sweeps over the blocks that are left when all equalities are eliminated.
    EqualityElimination(BlockGaussSeidelSettings),
    /// Semismooth Newton over all blocks together.
    Newton(SemismoothNewtonSettings),
}

impl Default for GmpMethod {
    fn default() -> Self {
        Self::Auto(AutoSettings::default())
    }
}

impl GmpMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self::Auto(AutoSettings::default()),
            Self::GaussSeidel(BlockGaussSeidelSettings::default()),
            Self::EqualityElimination(BlockGaussSeidelSettings::default()),
            Self::Newton(SemismoothNewtonSettings::default()),
        ]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        let (name, siconos, guarantee, storage, reference) = match self {
            Self::Auto(_) => ("auto", "", "that of the methods it tries", "any", ""),
            Self::GaussSeidel(_) => (
                "gauss-seidel",
                "NSGS (2000), all blocks",
                "symmetric positive definite M without friction",
                "any",
                "Jourdan, Alart, Jean (1998)",
            ),
            Self::EqualityElimination(_) => (
                "equality-elimination",
                "NSGS (2000), equalities substituted or assembled",
                "symmetric positive definite M without friction",
                "any; spread out",
                "Cottle, Pang, Stone (1992), section 2.3",
            ),
            Self::Newton(_) => ("newton", "", "near regular solutions", "any", "Qi, Sun (1993)"),
        };
        MethodDescription { name, siconos, guarantee, storage, reference }
    }

    /// The method of that name with its default settings.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|method| method.description().name == name)
    }

    /// Sets the error at which a point counts as a solution.
    pub fn set_tolerance(&mut self, tolerance: f64) {
        *match self {
            Self::Auto(settings) => &mut settings.tolerance,
            Self::GaussSeidel(settings) | Self::EqualityElimination(settings) => &mut settings.tolerance,
            Self::Newton(settings) => &mut settings.tolerance,
        } = tolerance;
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::Auto(settings) => &mut settings.max_iterations,
            Self::GaussSeidel(settings) | Self::EqualityElimination(settings) => &mut settings.max_iterations,
            Self::Newton(settings) => &mut settings.max_iterations,
        } = max_iterations;
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn GmpSolver>, SettingsError> {
        Ok(match self {
            Self::Auto(settings) => Box::new(Auto::new(settings.clone())?),
            Self::GaussSeidel(settings) => Box::new(BlockGaussSeidel::new(settings.clone())?),
            Self::EqualityElimination(settings) => Box::new(EqualityElimination::new(settings.clone())?),
            Self::Newton(settings) => Box::new(SemismoothNewton::new(settings.clone())?),
        })
    }
}
