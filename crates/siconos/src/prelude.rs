//! Names that most programs need, for one `use` line.

#[doc(no_inline)]
pub use crate::Error;
#[doc(no_inline)]
pub use siconos_control::{ControlLoop, LinearSensor, Pid, PidGains, Sampling};
#[doc(no_inline)]
pub use siconos_hybrid::{
    Action, HybridSettings, HybridSolution, HybridSystem, IntegrationOutcome, Trigger, View,
};
#[doc(no_inline)]
pub use siconos_kernel::prelude::{ComplementarityCondition, EqualityCondition};
#[doc(no_inline)]
pub use siconos_kernel::prelude::{
    EventDriven, FirstOrderLinearRelation, FirstOrderLinearTi, Integrator, Joint, Lagrangian,
    LagrangianLinear, LagrangianLinearRelation, LagrangianRheonomousRelation, LagrangianScleronomousRelation,
    Level, MoreauJean, NewtonEuler, NewtonImpact, NewtonImpactFriction, NonSmoothDynamicalSystem,
    PointContact, Quaternion, Relay, SpringDamper, State, TimeDiscretisation, TimeStepping,
};
#[doc(no_inline)]
pub use siconos_numerics::{Solver, Status};
