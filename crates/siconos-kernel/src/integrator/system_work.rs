//! Workspaces of the integrators for a block of systems of any kind. A workspace keeps its system, so that
//! the kind of the system is determined only once.

use ndarray::Array2;
use siconos_linalg::FactoredMatrix;

use super::Scheme;
use super::body_work::BodyWorkspace;
use super::linear_work::LinearWorkspace;
use super::nonlinear_work::NonlinearWorkspace;
use super::two_step_work::TwoStepWorkspace;
use super::{ConstraintLevel, FactorError, FirstOrderWorkspace, FitError, MassWorkspace, Refactor};
use crate::model::{At, DynamicalSystem, DynamicalSystemId, ModelError, NonSmoothDynamicalSystem};

/// Response of the velocities (or states) of a block of systems to an impulse, computed with the inverse of W
/// of the block.
pub(crate) trait Response {
    /// Overwrites the impulse `b` with the response to `b`, which is $W^{-1} b$ or the response of
    /// [`FirstOrderWorkspace::respond`].
    fn respond(&mut self, b: &mut [f64]);

    /// Returns the last factorised W, and the factor by which the response multiplies $W^{-1} b$. Under a
    /// zero-order hold, which has no W, returns M.
    fn matrix(&self) -> (&FactoredMatrix, f64);
}

/// Times of a step for the integrator of one system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepTimes<'a> {
    /// Start $t_k$ of the step, with the parameters of the model; `end` is $t_{k+1}$.
    pub(crate) begin: At<'a>,
    pub(crate) end: At<'a>,
    pub(crate) h: f64,
    pub(crate) theta: f64,
}

/// Generalised impulses on one system over the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Impulses<'a> {
    /// $J^T \lambda$ with the Jacobian that was used to compute lambda.
    pub(crate) before: &'a [f64],
    /// $J^T \lambda$ with the Jacobian at the new position.
    pub(crate) now: &'a [f64],
    /// $|J|^T |\lambda|$ at the new position.
    pub(crate) terms: &'a [f64],
}

/// Workspace of one block of systems.
#[derive(Clone, Debug)]
pub(crate) enum SystemWorkspace {
    Linear(LinearWorkspace),
    Nonlinear(Box<NonlinearWorkspace>),
    TwoStep(Box<TwoStepWorkspace>),
    HalfExplicit(Box<MassWorkspace>),
    Body(Box<BodyWorkspace>),
    FirstOrder(Box<FirstOrderWorkspace>),
}

impl SystemWorkspace {
    /// Creates the workspace for the systems of a block. The caller must have checked that the schemes
    /// support the systems. `coupled` is `true` if a relation adds its K to W.
    pub(crate) fn new<'s>(
        model: &NonSmoothDynamicalSystem,
        entries: impl IntoIterator<Item = (DynamicalSystemId, &'s Scheme)>,
        coupled: bool,
    ) -> Result<Self, FitError> {
        let (mut systems, mut weights) = (Vec::new(), None);
        for (id, scheme) in entries {
            let system = model.system(id)?;
            let is_half_explicit = scheme.is.level == ConstraintLevel::Forces;
            match system {
                DynamicalSystem::Lagrangian(_) | DynamicalSystem::LagrangianLinear(_) if is_half_explicit => {
                    return Ok(Self::HalfExplicit(Box::new(MassWorkspace::new(system))));
                }
                DynamicalSystem::LagrangianLinear(system) if scheme.is.has_equal_steps => {
                    return Ok(Self::TwoStep(Box::new(TwoStepWorkspace::new(system, scheme))));
                }
                DynamicalSystem::LagrangianLinear(system) => {
                    return Ok(Self::Linear(LinearWorkspace::new(system)));
                }
                DynamicalSystem::Lagrangian(system) => {
                    return Ok(Self::Nonlinear(Box::new(NonlinearWorkspace::new(system))));
                }
                DynamicalSystem::NewtonEuler(body) => {
                    return Ok(Self::Body(Box::new(BodyWorkspace::new(body, scheme.gyroscopic))));
                }
                DynamicalSystem::FirstOrderLinear(_) | DynamicalSystem::FirstOrderNonlinear(_) => {
                    systems.push(system);
                    weights.get_or_insert(scheme.weights);
                }
            }
        }
        let weights = weights.ok_or(ModelError::NoSystem)?;
        Ok(Self::FirstOrder(Box::new(FirstOrderWorkspace::new(&systems, weights, coupled))))
    }

    /// Returns `true` if one Newton iteration is exact, apart from the interactions of the systems.
    pub(crate) fn is_affine(&self) -> bool {
        match self {
            Self::Linear(_) | Self::TwoStep(_) | Self::HalfExplicit(_) => true,
            Self::Nonlinear(_) => false,
            Self::Body(work) => work.is_affine(),
            Self::FirstOrder(work) => work.is_affine(),
        }
    }

    /// Returns `true` if the free motion has a constant acceleration. The acceleration is then computed only
    /// once.
    pub(crate) fn is_steady(&self) -> bool {
        match self {
            Self::Linear(work) => work.is_steady(),
            Self::Body(work) => work.is_steady(),
            Self::Nonlinear(_) | Self::TwoStep(_) | Self::HalfExplicit(_) | Self::FirstOrder(_) => false,
        }
    }

    /// Writes the acceleration of a [steady](Self::is_steady) system to `out`. W must have been prepared.
    pub(crate) fn steady_acceleration_into(&mut self, at: At<'_>, out: &mut [f64]) {
        match self {
            Self::Linear(work) => work.steady_acceleration_into(at, out),
            Self::Body(work) => work.steady_acceleration_into(at, out),
            Self::Nonlinear(_) | Self::TwoStep(_) | Self::HalfExplicit(_) | Self::FirstOrder(_) => {
                out.fill(0.0);
            }
        }
    }

    /// Returns `true` if W is constant or depends only on the step length.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            Self::Linear(_) | Self::TwoStep(_) => true,
            Self::Nonlinear(work) => work.is_constant(),
            Self::HalfExplicit(work) => work.is_constant(),
            Self::Body(work) => work.is_affine(),
            Self::FirstOrder(work) => work.refactor() == Refactor::WithStepLength,
        }
    }

    /// Returns `true` if W depends on the step length, that is, if W is not M.
    pub(crate) fn has_step_length(&self) -> bool {
        match self {
            Self::Linear(work) => work.has_step_length(),
            Self::TwoStep(work) => work.has_step_length(),
            Self::HalfExplicit(_) => false,
            Self::Nonlinear(work) => work.has_step_length(),
            Self::Body(work) => !work.is_affine(),
            Self::FirstOrder(_) => true,
        }
    }

    /// Returns an upper bound of the number of nonzero entries of W, or `None` if it is not known.
    pub(crate) fn entries(&self) -> Option<usize> {
        match self {
            Self::Linear(work) => Some(work.entries()),
            Self::TwoStep(work) => Some(work.entries()),
            Self::Nonlinear(_) | Self::HalfExplicit(_) | Self::Body(_) => None,
            Self::FirstOrder(work) => work.entries(),
        }
    }

    /// Discards forces that were kept for the next step, after a parameter has changed or an event has acted.
    pub(crate) fn forget_forces(&mut self) {
        match self {
            Self::Linear(work) => work.forget_forces(),
            Self::Nonlinear(work) => work.forget_forces(),
            Self::Body(work) => work.forget_forces(),
            Self::TwoStep(_) | Self::HalfExplicit(_) | Self::FirstOrder(_) => {}
        }
    }

    /// Factorises W if it depends only on the step length. Otherwise, W is factorised later, at the iterate.
    pub(crate) fn prepare(&mut self, step: StepTimes<'_>, x: &[f64]) -> Result<(), FactorError> {
        match self {
            Self::Linear(work) => work.prepare(step)?,
            Self::TwoStep(work) => work.prepare(step.h)?,
            Self::Body(work) => work.prepare()?,
            Self::FirstOrder(work) if work.refactor() == Refactor::WithStepLength => {
                work.factor(step, (x, x), std::iter::empty())?;
            }
            Self::Nonlinear(_) | Self::HalfExplicit(_) | Self::FirstOrder(_) => {}
        }
        Ok(())
    }

    /// Returns W of the last iteration of a step.
    pub(crate) fn w(&self, step: StepTimes<'_>) -> Array2<f64> {
        match self {
            Self::Linear(work) => work.w(step),
            Self::Nonlinear(_) | Self::TwoStep(_) | Self::HalfExplicit(_) | Self::Body(_) => {
                self.matrix().0.to_dense()
            }
            Self::FirstOrder(work) => work.w(),
        }
    }
}

impl Response for SystemWorkspace {
    fn respond(&mut self, b: &mut [f64]) {
        match self {
            Self::Linear(work) => work.respond(b),
            Self::TwoStep(work) => work.respond(b),
            Self::HalfExplicit(work) => work.respond(b),
            Self::Nonlinear(work) => work.respond(b),
            Self::Body(work) => work.respond(b),
            Self::FirstOrder(work) => work.respond(b),
        }
    }

    fn matrix(&self) -> (&FactoredMatrix, f64) {
        match self {
            Self::Linear(work) => (work.factored(), 1.0),
            Self::TwoStep(work) => (work.factored(), 1.0),
            Self::HalfExplicit(work) => work.matrix(),
            Self::Nonlinear(work) => (work.factored(), 1.0),
            Self::Body(work) => (work.factored(), 1.0),
            Self::FirstOrder(work) => work.factored(),
        }
    }
}
