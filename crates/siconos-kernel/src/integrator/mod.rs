//! One-step integrators: how the motion of a system is discretised over a step.

mod euler_moreau;
mod first_order_work;
mod iteration_matrix;
mod moreau_jean;
mod scheme;
mod system_work;

pub use euler_moreau::{BackwardEuler, EulerMoreau, FullyImplicit, MeasureEuler, ThetaGamma, ZeroOrderHold};
pub(crate) use first_order_work::{BlockSystems, FactorError, FirstOrderWork, Refactor};
pub use moreau_jean::MoreauJean;
pub use scheme::Integrator;
pub(crate) use scheme::{FirstOrderScheme, Scheme, Unknown};
pub(crate) use system_work::{StepTimes, SystemWork};
