//! The solver: checks, the loop of steps, and what it tells.

use siconos_linalg::MatrixRef;

use super::motion::Motion;
use super::{ImpactContact, MultipleImpactSettings};
use siconos_numerics::engine::{check_finite, check_finite_matrix, check_length, check_square};
use siconos_numerics::error::{ProblemError, SettingsError, SolverError};
use siconos_numerics::{SolveInfo, Status};

/// The impact law of Liu, Zhao and Brogliato: see the [module](super).
///
/// **Problem.** $A = J M^{-1} J^T$ in any storage, symmetric and positive semi-definite; relative velocities
/// u before the impact \[m/s\], below 0 where bodies approach; a contact for each. Equations between the
/// bodies, joints say, are to be eliminated before.
///
/// **Result.** The velocities after the impact, and the impulses \[N s\], which are not below 0. `Converged`
/// where every contact has opened and the balance of energies holds to the tolerance; `Stalled` where it does
/// not; `MaxIterations`; `Breakdown` where bodies approach at which nothing can move. The error is that of
/// the balance: what the impulses change of the kinetic energy, against the part $1 - e_i^2$ of what each
/// contact was compressed by, beside all of that. No impact gains energy.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::multiple_impact::{ImpactContact, MultipleImpact};
///
/// // Three equal balls in a row, of which the first hits the others: Newton's cradle is not exact.
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
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// Those of [`MultipleImpactSettings::validate`].
    pub fn new(settings: MultipleImpactSettings) -> Result<Self, SettingsError> {
        settings.validate()?;
        Ok(Self { settings, motion: Motion::default() })
    }

    /// Solves an impact: `velocity` has the relative velocities before it, and after it those behind;
    /// `impulse` is overwritten.
    ///
    /// # Errors
    ///
    /// [`SolverError::Problem`] for a matrix that is not square, lengths that differ, numbers that are not
    /// finite, or a contact whose numbers are outside their ranges.
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
