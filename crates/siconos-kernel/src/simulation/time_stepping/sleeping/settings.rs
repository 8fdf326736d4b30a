//! Settings of sleeping bodies.

use serde::{Deserialize, Serialize};

use crate::settings_error::{SettingsError, check_number};

/// Conditions under which bodies at rest are held in place, which saves the cost of their contacts and
/// joints.
///
/// A body is slow in a step if the speed at its end is at most `fraction` of the speed that its loads alone
/// would cause in the step. Both speeds are norms in the mass matrix. A group of bodies that are connected by
/// detected contacts or by interactions of the model, such as joints, falls asleep after each of its bodies
/// was slow for `steps` steps. An interaction also connects its bodies while its contact is open. Sleeping
/// bodies keep their positions, and their velocities are 0. Their contacts and interactions are not part of
/// the one-step problem and not [active](crate::simulation::StepReport::active). They keep the reactions of
/// the last step in which the bodies were awake.
///
/// The group wakes in the step in which
///
/// - another body or a moving obstacle comes near, or an obstacle that carries a body disappears,
/// - the load of a body changes,
/// - the position or velocity of a body is set,
/// - an interaction that acts on a body is added or removed, or its law is set.
///
/// A change of the laws of detected contacts wakes no body.
///
/// Some bodies never sleep: bodies that touch a moving obstacle, bodies without contacts and interactions,
/// nonlinear Lagrangian systems, linear ones with more than six degrees of freedom, first-order systems, and
/// bodies on which an interaction acts whose reaction could change with time. The last kind includes all
/// interactions with user functions, such as a prescribed motion or a relay with bounds of time, and the
/// enforced motion of a joint coordinate [at a speed](crate::model::JointCoordinate::at_speed) other than 0.
/// Bodies that are connected to them do not sleep either. A motor of limited force, which is a motion at a
/// speed with a [`Relay`](crate::model::Relay), permits sleep while it cannot move its bodies. With
/// [`Projection::Direct`](crate::integrator::Projection::Direct), contacts in a heap open for single steps,
/// and the heap rarely falls asleep.
///
/// Bodies that are slow for `steps` steps are stopped, even if they would continue to move, for example a
/// ball that rolls more slowly than the limit. Sleeping bodies that would tip or slide with less than
/// $f g / n$ (as plain text: f g / n, with the fraction f, n steps and the acceleration g of the loads)
/// remain at rest.
///
/// ```
/// use siconos_kernel::simulation::Sleeping;
///
/// let patient = Sleeping { steps: 1000, ..Sleeping::default() };
/// assert!(patient.validate().is_ok());
/// assert!(Sleeping { fraction: -1.0, ..patient }.validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sleeping {
    /// Maximum speed of a slow body, as a fraction of the speed that its loads cause in a step. Default:
    /// 1/1000.
    pub fraction: f64,
    /// Number of consecutive slow steps after which bodies fall asleep. Default: 100.
    pub steps: u32,
}

impl Default for Sleeping {
    fn default() -> Self {
        Self { fraction: 1e-3, steps: 100 }
    }
}

impl Sleeping {
    /// Checks that the settings are in range.
    ///
    /// # Errors
    ///
    /// If the fraction is not between 0 and 1, or if the number of steps is 0: [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        check_number("fraction", self.fraction, |f| (0.0..=1.0).contains(&f), "between 0 and 1")?;
        check_number("steps", f64::from(self.steps), |n| n > 0.0, "at least 1")
    }
}
