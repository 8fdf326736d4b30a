//! Solver for multiple impacts: input checks, time integration and result.

use siconos_linalg::MatrixRef;

use super::motion::Motion;
use super::{ImpactContact, MultipleImpactSettings};
use siconos_numerics::engine::{check_finite, check_finite_matrix, check_length, check_square};
use siconos_numerics::error::{ProblemError, SettingsError, SolverError};
use siconos_numerics::{SolveInfo, Status};

/// Solver for simultaneous impacts with the law of Liu, Zhao and Brogliato; see the [module](super).
///
/// **Problem.** The data are the matrix $A = J M^{-1} J^T$ in any storage, symmetric and positive
/// semi-definite; the relative velocities u before the impact \[m/s\], negative if bodies approach; and the
/// parameters of each contact. Bilateral constraints between the bodies, such as joints, must be eliminated
/// first.
///
/// **Result.** The solver computes the velocities after the impact and the impulses \[N s\], which are
/// nonnegative. The status is `Converged` if all contacts have opened and the error is within the tolerance,
/// `Stalled` if the error exceeds the tolerance, `MaxIterations` if the maximum number of steps was reached,
/// and `Breakdown` if bodies approach at a contact where no impulse can change the velocity, or the motion is
/// not finite. The error is the relative error of the energy balance: the difference between the change of
/// kinetic energy due to the impulses and the energy lost at the contacts, divided by the total compression
/// energy. Contact i loses the fraction $1 - e_i^2$ of its compression energy, so no impact gains energy.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::multiple_impact::{ImpactContact, MultipleImpact};
///
/// // Three equal balls in a row, the first of which hits the others: the last ball gets almost all of the
/// // velocity.
/// let a = array![[2.0, -1.0], [-1.0, 2.0]];
/// let contact = ImpactContact { stiffness: 1.0, exponent: 1.0, restitution: 1.0 };
/// let (mut u, mut impulse) = ([-1.0, 0.0], [0.0; 2]);
/// let info = MultipleImpact::default().solve((&a).into(), &[contact; 2], &mut u, &mut impulse)?;
/// assert!(info.status.is_success());
/// let velocities = [1.0 - impulse[0], impulse[0] - impulse[1], impulse[1]];
/// for (own, expected) in velocities.into_iter().zip([-0.130262, 0.150230, 0.980032]) {
///     assert!((own - expected).abs() < 1e-6, "{velocities:?}");
/// }
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "MultipleImpactNSL")]
#[doc(alias = "LZB")]
#[derive(Clone, Debug, Default)]
pub struct MultipleImpact {
    settings: MultipleImpactSettings,
    motion: Motion,
}

impl MultipleImpact {
    /// Creates a solver with these settings.
    ///
    /// # Errors
    ///
    /// If a setting is out of range: the errors of [`MultipleImpactSettings::validate`].
    pub fn new(settings: MultipleImpactSettings) -> Result<Self, SettingsError> {
        settings.validate()?;
        Ok(Self { settings, motion: Motion::default() })
    }

    /// Solves an impact. `velocity` contains the relative velocities before the impact on entry and after the
    /// impact on return; `impulse` is overwritten.
    ///
    /// # Errors
    ///
    /// If the matrix is not square, lengths differ, a value is not finite, or a parameter of a contact is out
    /// of range: [`SolverError::Problem`].
    pub fn solve(
        &mut self,
        a: MatrixRef<'_>,
        contacts: &[ImpactContact],
        velocity: &mut [f64],
        impulse: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_square(a.rows(), a.columns(), velocity)?;
        check_length("contacts", velocity.len(), contacts.len())?;
        check_length("impulse", velocity.len(), impulse.len())?;
        check_finite_matrix("A", a)?;
        check_finite("velocity", velocity)?;
        for (contact, own) in contacts.iter().enumerate() {
            own.validate().map_err(|SettingsError::OutOfRange { name: what, value, must_be: range }| {
                ProblemError::ContactNumber { what, contact, value, range }
            })?;
        }
        let motion = &mut self.motion;
        motion.begin(a, contacts, velocity);
        let (mut iterations, mut status) = (0, Status::Converged);
        while !motion.has_ended() {
            if iterations >= self.settings.max_iterations {
                status = Status::MaxIterations;
                break;
            }
            let h = 1.0 / (self.settings.steps_per_radian as f64 * motion.frequency(a));
            if motion.is_stuck() || !motion.advance(a, h) {
                status = Status::Breakdown;
                break;
            }
            iterations += 1;
        }
        motion.write(velocity, impulse);
        let error = motion.energy_error();
        let is_exact = error <= self.settings.tolerance;
        if status == Status::Converged && !is_exact {
            status = Status::Stalled;
        }
        Ok(SolveInfo { status, iterations, error })
    }
}
