//! Springs and dampers between systems.

use serde::{Deserialize, Serialize};

use super::description::{LawDescription, Refusals, RowLaw};
use crate::model::ModelError;
use crate::model::Refusal;

/// Linear spring with a damper: $\lambda = -(k y + c \dot y)$ for each component y of its relation. A
/// component is a distance, the displacement or angle of a joint, or a combination of positions. As plain
/// text: lambda = -(k y + c ydot), with the stiffness k (in \[N/m\] or \[N m/rad\]) and the damping c (in \[N
/// s/m\] or \[N m s/rad\]). The relation defines the rest length, at which y is 0.
///
/// The force is an unknown of the step, like the forces of joints and contacts. The connected systems keep
/// separate iteration matrices, however stiff the spring is. Under
/// [`MoreauJean`](crate::integrator::MoreauJean), the force is the mean of the forces at the end and at the
/// start of the step, with the weights theta and 1 - theta, as for an
/// [internal force](crate::model::Lagrangian::with_internal_force). It acts along $J^T$, with J evaluated at
/// the midpoint of the step. With theta = 1/2, the method is of order 2 and conserves the energy of a linear
/// spring. The multiplier at [`Level::Position`](crate::state::Level::Position) is the force, averaged over
/// the step. The multiplier at [`Level::Velocity`](crate::state::Level::Velocity) is its impulse.
///
/// ```
/// use siconos_kernel::model::{Distance, SpringDamper};
/// use siconos_kernel::prelude::*;
///
/// // Two balls on a spring with a rest length of 0.5 m between their centres, stretched by 0.1 m.
/// let ball = |x: f64| NewtonEuler::new(1.0, 0.004, [x, 0.0, 0.0], Quaternion::IDENTITY);
/// let (left, right) = (ball(0.0), ball(0.6));
/// let length = Distance::between((&left, &right), [0.0; 3], [0.6, 0.0, 0.0])?.with_length(0.5)?;
/// let mut model = NonSmoothDynamicalSystem::new();
/// let balls = [model.add_system(left)?, model.add_system(right)?];
/// let spring = model.add_interaction(balls, length, SpringDamper::new(200.0, 0.5)?)?;
/// let mut simulation = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 1e-3, 1e-3)?)
///     .build()?;
/// let mut state = simulation.initial_state(&model)?;
/// simulation.step(&model, &mut state)?;
/// let force = state.lambda(spring, Level::Position)[0];
/// assert!((force + 20.0).abs() < 0.1, "it pulls with 200 N/m times 0.1 m");
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct SpringDamper {
    stiffness: f64,
    damping: f64,
}

/// Unchecked coefficients, as read from a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    stiffness: f64,
    #[serde(default)]
    damping: f64,
}

impl TryFrom<Unchecked> for SpringDamper {
    type Error = ModelError;

    fn try_from(Unchecked { stiffness, damping }: Unchecked) -> Result<Self, ModelError> {
        Self::new(stiffness, damping)
    }
}

impl SpringDamper {
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "SpringDamper",
        rows: RowLaw::Equality,
        opens: false,
        is_force: true,
        refused: Refusals {
            first_order: Some(Refusal::new("a spring", "use a relation with D, or Lagrangian systems")),
            compliant: Some(Refusal::new("a spring on a compliant relation", "drop D")),
            off_velocities: Some(Refusal::new(
                "a spring",
                "use MoreauJean, or make it a force of its system",
            )),
            events: Some(Refusal::new(
                "a spring between systems",
                "make it an internal force of one system, or use TimeStepping with MoreauJean",
            )),
            first_order_events: Some(Refusal::new("a spring", "use a relation with D")),
            ..Refusals::NONE
        },
    };

    /// Creates a spring with a parallel damper. One of the two coefficients can be 0, but not both.
    ///
    /// # Errors
    ///
    /// If a coefficient is negative or not finite, or both are 0 ([`ModelError::Spring`]).
    pub fn new(stiffness: f64, damping: f64) -> Result<Self, ModelError> {
        let is_good = |x: f64| x.is_finite() && x >= 0.0;
        match is_good(stiffness) && is_good(damping) && (stiffness > 0.0 || damping > 0.0) {
            true => Ok(Self { stiffness, damping }),
            false => Err(ModelError::Spring { stiffness, damping }),
        }
    }

    /// Returns the stiffness k, in \[N/m\] or \[N m/rad\].
    #[must_use]
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// Returns the damping c, in \[N s/m\] or \[N m s/rad\].
    #[must_use]
    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// Returns the force for an elongation and its rate.
    pub(crate) fn force(&self, y: f64, y_dot: f64) -> f64 {
        -(self.stiffness * y + self.damping * y_dot)
    }
}
