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
pub use siconos_kernel::prelude::{
    ComplementarityCondition, ContactRows, DynamicalSystemId, EqualityCondition, EulerMoreau, EventDriven,
    EventKind, FirstOrderLinear, FirstOrderLinearRelation, FirstOrderLinearTi, FirstOrderNonlinear, Inertia,
    Integrator, InteractionId, Jacobian, Joint, Lagrangian, LagrangianLinear, LagrangianLinearRelation,
    LagrangianRheonomousRelation, LagrangianScleronomousRelation, Level, MixedComplementarityCondition,
    MoreauJean, NewtonEuler, NewtonImpact, NewtonImpactFriction, NonSmoothDynamicalSystem, PointContact,
    Projection, Quaternion, Relay, SpringDamper, State, ThetaGamma, TimeDiscretisation, TimeStepping,
};
#[doc(no_inline)]
pub use siconos_numerics::{Solver, Status};
