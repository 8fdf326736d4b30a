//! Simulations: how a model moves on in time.
//!
//! A simulation owns integrators, index sets, solver and scratch, and nothing of the physics: it may be
//! dropped and built again at any step, and goes on to the same last bit.

pub(crate) mod accumulation;
mod active;
mod builder;
pub(crate) mod carried;
mod energy;
mod event_driven;
pub(crate) mod events;
mod input_output;
mod kinematics;
mod newton;
mod report;
mod scheme_check;
mod threads;
mod time_discretisation;
mod time_stepping;

pub use accumulation::AccumulationCriterion;
pub(crate) use accumulation::{Repeats, accumulates, is_unresolved, note_impact};
pub use active::ActiveRelations;
pub use builder::TimeSteppingBuilder;
pub(crate) use carried::countable;
pub use energy::EnergyBalance;
pub use event_driven::{
    Accumulation, AccumulationPolicy, AccumulationSettings, AlphaParameters, ConstraintLevel, EventDriven,
    EventDrivenBuilder, EventDrivenSettings, EventIntegrator, EventReport, HalfExplicit, ModeError,
    NewmarkAlpha, OneStepProblem,
};
pub use events::{Event, EventId, EventKind, EventSettings, EventsManager, Tick};
pub(crate) use newton::larger;
pub use newton::{ContactJacobian, Damping, JointReaction, NewtonProgress, NewtonSettings, Residuals};
pub use report::{BuildReport, OnNonConvergence, StepReport, UnitaryRelation};
pub(crate) use threads::Threads;
pub use time_discretisation::TimeDiscretisation;
pub use time_stepping::{AdaptiveReport, AdaptiveSettings, AdaptiveStepping, TimeStepping};
