//! Reports of a simulation, and the policy for solvers that do not converge.

use serde::{Deserialize, Serialize};
use siconos_numerics::SolveInfo;

use super::{ActiveRelations, EnergyBalance, Event};
use crate::analysis::{AnalysisError, SchemeMismatch};
use crate::model::DynamicalSystemId;
use crate::nonsmooth_problem::UnitaryRelation;

/// Warnings about a model and its schemes that were found when a simulation was built.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// // x' = lambda, y = x, 0 <= y complementary to lambda >= 0: the relative degree is 1, and
/// // ThetaGamma does not suit it.
/// let mut model = NonSmoothDynamicalSystem::new();
/// let x = model.add_system(FirstOrderLinearTi::new(vec![1.0], array![[0.0]]))?;
/// let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
/// model.add_interaction([x], relation, ComplementarityCondition::new(1)?)?;
/// let sim = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1)?)
///     .integrator(ThetaGamma::default())
///     .build()?;
/// let (system, mismatch) = &sim.build_report().mismatches[0];
/// assert_eq!((*system, mismatch.degree), (x, Some(1)));
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuildReport {
    /// First-order systems with an integrator that does not suit the relative degree. First-order systems
    /// that are connected by interactions form a part of the model, and each part has its own relative
    /// degree.
    pub mismatches: Vec<(DynamicalSystemId, SchemeMismatch)>,
    /// Reason why the relative degree of a part could not be computed; `None` if all parts were analysed. If
    /// there are several reasons, the one that was found first is reported.
    pub unchecked: Option<AnalysisError>,
}

/// Report of one step.
#[derive(Clone, Copy, Debug)]
pub struct StepReport<'a> {
    /// Index of the step, counted from 1; 0 if the report contains only events at the first point of the
    /// grid.
    pub step: usize,
    /// Time at the end of the step \[s\].
    pub t: f64,
    /// Step length \[s\].
    pub h: f64,
    /// Index set I_1: the unitary relations of the one-step problem.
    pub active: ActiveRelations<'a>,
    /// User events with times in $(t_k, t_{k+1}]$, in order. They are processed at the end of the step. The
    /// grid point $t_{k+1}$ itself is not listed.
    pub events: &'a [Event],
    /// Smallest gap \[m\] at the end of the step, and its contact. The gap is negative if bodies overlap.
    /// `None` for a model without contacts that open and close.
    ///
    /// Time-stepping stops bodies at velocity level. A contact that closes within a step overlaps by up to h
    /// times its velocity, and the overlap remains. Overlaps that grow indicate that the step is too long.
    pub deepest_gap: Option<(UnitaryRelation, f64)>,
    /// Balance of the kinetic energy, if it is
    /// [enabled](crate::simulation::TimeSteppingBuilder::energy_balance).
    pub energy: Option<&'a EnergyBalance>,
    /// Result of the one-step solver in the last Newton iteration.
    pub solve: SolveInfo,
    /// Error of the one-step problem, as in [`solve`](Self::solve).
    pub error: f64,
    /// Number of Newton iterations; 1 for a linear model.
    pub newton_iterations: usize,
    /// Error of the Newton iteration ([`NewtonSettings`](super::NewtonSettings)); 0 for a linear model, for
    /// which one iteration is exact.
    pub newton_error: f64,
    /// `true` if the one-step problem, the Newton iteration and the projection of positions ended within
    /// their tolerances. It can be `false` only if the [policy](OnNonConvergence) is `Continue` or `Warn`.
    pub is_converged: bool,
}

/// Policy for a one-step problem, Newton iteration or projection of positions that does not converge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnNonConvergence {
    /// Continue with the last iterate, and report it as not converged.
    Continue,
    /// Continue with the last iterate, and emit a `tracing` warning.
    Warn,
    /// Fail with an error that names the time, the step and the error of the solver. The state does not
    /// change.
    #[default]
    Fail,
}
