//! Prelude: the names that most programs need, for import with one `use`.

pub use crate::integrator::{
    BackwardEuler, D1MinusLinear, EulerMoreau, ForceLevel, FullyImplicit, GyroscopicTerm, HeldSource,
    Integrator, MeasureEuler, ModalExact, MoreauJean, Projection, SchatzmanPaoli, ThetaGamma, ZeroOrderHold,
};
pub use crate::model::{
    At, ComplementarityCondition, ConeComplementarity, ConfigurationSpace, ContactBall, ContactRows,
    ContactSurface, ControlTerm, Disc, DynamicalSystemId, EqualityCondition, FirstOrderLinear,
    FirstOrderLinearRelation, FirstOrderLinearTi, FirstOrderNonlinear, FirstOrderNonlinearRelation, Inertia,
    InteractionId, Jacobian, Joint, Lagrangian, LagrangianLinear, LagrangianLinearRelation,
    LagrangianRheonomousRelation, LagrangianScleronomousRelation, MixedComplementarityCondition,
    MultipleImpact, NewtonEuler, NewtonEulerRelation, NewtonImpact, NewtonImpactFriction,
    NonSmoothDynamicalSystem, NormalCone, Origin, ParameterId, Parameters, PlanarContact, PlanarRows,
    PlanarSurface, PointContact, Quaternion, RelationId, RelationJacobian, Relay, RotationUpdate,
    SpringDamper, UserFunctions,
};
pub use crate::nonsmooth_problem::{OneStepSolver, UnitaryRelation};
pub use crate::simulation::{
    AccumulationPolicy, AdaptiveSettings, AdaptiveStepping, BuildReport, EnergyBalance, Event, EventDriven,
    EventDrivenSettings, EventId, EventIntegrator, EventKind, EventReport, EventSettings, EventsManager,
    HalfExplicit, NewmarkAlpha, NewtonSettings, OnNonConvergence, StepReport, TimeDiscretisation,
    TimeStepping,
};
pub use crate::state::{ContactState, EventSide, Level, State, StateRecord};
pub use crate::{Error, EventError, ModelError, SettingsError, SimulationError};
pub use siconos_linalg::Matrix;
pub use siconos_numerics::{SolveInfo, Status};
pub use siconos_ode::OdeSettings;
