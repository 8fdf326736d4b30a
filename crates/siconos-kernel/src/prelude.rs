//! What most programs need, in one `use`.

pub use crate::error::{Error, ModelError, SettingsError, SimulationError};
pub use crate::integrator::MoreauJean;
pub use crate::model::{
    ComplementarityCondition, ControlTerm, DynamicalSystemId, EqualityCondition, InteractionId, Jacobian,
    Lagrangian, LagrangianLinear, LagrangianLinearRelation, LagrangianRheonomousRelation,
    LagrangianScleronomousRelation, NewtonImpact, NewtonImpactFriction, NonSmoothDynamicalSystem,
};
pub use crate::nonsmooth_problem::OneStepSolver;
pub use crate::simulation::{
    NewtonSettings, OnNonConvergence, StepReport, TimeDiscretisation, TimeStepping, UnitaryRelation,
};
pub use crate::state::{Level, State};
