//! What a step tells, and what is to be done when a solver does not converge.

use serde::{Deserialize, Serialize};
use siconos_numerics::SolveInfo;

use super::{ActiveRelations, EnergyBalance, Event};
use crate::analysis::{AnalysisError, SchemeMismatch};
use crate::model::DynamicalSystemId;
use crate::nonsmooth_problem::UnitaryRelation;

/// What was found when a simulation was built, and is no error.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// // x' = lambda, y = x, 0 <= y complementary to lambda >= 0: of relative degree 1, which ThetaGamma is not for.
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
    /// First-order systems whose integrator is not for the solutions that the relative degree means, which
    /// each part of the model that interactions connect has for itself.
    pub mismatches: Vec<(DynamicalSystemId, SchemeMismatch)>,
    /// Why the relative degree of a part was not looked at, if there is one: the first reason.
    pub unchecked: Option<AnalysisError>,
}

/// The account of one step.
#[derive(Clone, Copy, Debug)]
pub struct StepReport<'a> {
    /// The number of this step, counted from 1; 0 where only events at the first point of the grid are
    /// reported.
    pub step: usize,
    /// The time at its end \[s\].
    pub t: f64,
    /// Its length \[s\].
    pub h: f64,
    /// The index set I_1: the unitary relations that were in the one-step problem.
    pub active: ActiveRelations<'a>,
    /// The events of the user with times in $(t_k, t_{k+1}]$, in order, to be dealt with at the end of the
    /// step. The point $t_{k+1}$ of the grid is not among them: this report is that event.
    pub events: &'a [Event],
    /// The smallest gap at the end of the step \[m\], with the contact that has it: below zero where bodies
    /// overlap. `None` for a model without contacts that open and close. Time-stepping stops bodies by their
    /// velocities, so a contact that closes within a step overlaps by up to h times its velocity, and stays
    /// so; growing overlaps tell of a step that is too long.
    pub deepest_gap: Option<(UnitaryRelation, f64)>,
    /// What became of the kinetic energy, where [that is asked
    /// for](crate::simulation::TimeSteppingBuilder::energy_balance).
    pub energy: Option<&'a EnergyBalance>,
    /// What the solver of the one-step problem told; of the last Newton iteration.
    pub solve: SolveInfo,
    /// The error measure of the one-step problem, as in [`solve`](Self::solve).
    pub error: f64,
    /// Newton iterations: 1 for a linear model.
    pub newton_iterations: usize,
    /// The error measure of Newton's loop ([`NewtonSettings`](super::NewtonSettings)); 0 for a linear model,
    /// which is solved at once.
    pub newton_error: f64,
    /// Whether the one-step problem, Newton's loop and the projection of positions ended within their
    /// tolerances; false only where the [policy](OnNonConvergence) is to go on.
    pub is_converged: bool,
}

/// What to do when the solver of the one-step problem, or Newton's loop, does not converge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnNonConvergence {
    /// Goes on with the last iterate; the report says so.
    Continue,
    /// Goes on, and emits a `tracing` warning.
    Warn,
    /// Ends the step with an error that names time, step and error measure; the state stays where it was.
    #[default]
    Fail,
}
