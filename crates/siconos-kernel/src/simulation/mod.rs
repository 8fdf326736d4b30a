//! Simulations: time integration of a model.
//!
//! A simulation owns the integrators, index sets, solvers and workspaces, but no physical data. A simulation
//! can be dropped and rebuilt between two steps; the results are then bit-identical.

pub(crate) mod accumulation;
mod active;
pub(crate) mod any_error;
mod builder;
pub(crate) mod carried;
mod energy;
pub(crate) mod error;
mod event_driven;
pub(crate) mod events;
mod input_output;
mod kinematics;
mod newton;
mod report;
mod scheme_check;
mod time_discretisation;
mod time_stepping;

pub use accumulation::AccumulationCriterion;
pub(crate) use accumulation::{FiringCounter, accumulates, is_unresolved, note_impact};
pub use active::ActiveRelations;
pub(crate) use any_error::Error;
pub use builder::TimeSteppingBuilder;
pub(crate) use carried::countable;
pub use energy::EnergyBalance;
pub(crate) use error::SimulationError;
pub use event_driven::{
    Accumulation, AccumulationPolicy, AccumulationSettings, AlphaParameters, ConstraintLevel, EventDriven,
    EventDrivenBuilder, EventDrivenSettings, EventIntegrator, EventReport, HalfExplicit, ModeError,
    NewmarkAlpha, OneStepProblem,
};
pub(crate) use events::error::EventError;
pub use events::{Event, EventId, EventKind, EventSettings, EventsManager, Tick};
pub use newton::{ContactJacobian, JointReaction, NewtonDamping, NewtonProgress, NewtonSettings, Residuals};
pub use report::{BuildReport, OnNonConvergence, StepReport};
pub use time_discretisation::TimeDiscretisation;
pub use time_stepping::{AdaptiveReport, AdaptiveSettings, AdaptiveStepping, Sleeping, TimeStepping};
