//! Time derivatives that the user does not supply, computed by central differences of sixth order. These are
//! the partial time derivative of h, and the convective acceleration of y, which is the part of the
//! acceleration of y that does not depend on the acceleration of q. The convective acceleration is computed
//! along a motion with constant velocity.
//!
//! The finite-difference step is a fraction of the time scale of the model. It does not depend on the step
//! length or the output times of a simulation. Therefore, all kinds of simulation use identical derivatives,
//! and output has no influence on results.

use ndarray::Array2;

use crate::model::At;
use crate::model::configuration::PositionSpace;
use crate::model::dynamical_system::DIFFERENCE_STEP;

/// Maximum displacement per finite-difference step, for positions that vary on a scale of 1 (as for
/// [`DIFFERENCE_STEP`]). This value balances truncation and rounding errors.
const PATH_LENGTH: f64 = 1e-3;

/// Finite-difference step for first time derivatives, as a fraction of the time scale of the model. The
/// derivative of a harmonic function whose phase changes by 1 rad per time scale has a relative truncation
/// error of 1e-24; with 100 rad per time scale, the error is 2e-12, and with 1000 rad, 2e-6. The rounding
/// error is 1e-12.
const PART_OF_TIME_SCALE: f64 = 1.0 / 4096.0;

/// Minimum finite-difference step, as a multiple of the rounding error of the time. The minimum takes effect
/// only at large times.
const ROUNDINGS: f64 = 1_048_576.0;

/// Offsets, in steps, and weights of the difference formula for the first derivative.
const FIRST: [(f64, f64); 6] = [
    (-3.0, -1.0 / 60.0),
    (-2.0, 3.0 / 20.0),
    (-1.0, -3.0 / 4.0),
    (1.0, 3.0 / 4.0),
    (2.0, -3.0 / 20.0),
    (3.0, 1.0 / 60.0),
];
/// Offsets, in steps, and weights of the difference formula for the second derivative.
const SECOND: [(f64, f64); 7] = [
    (-3.0, 1.0 / 90.0),
    (-2.0, -3.0 / 20.0),
    (-1.0, 3.0 / 2.0),
    (0.0, -49.0 / 18.0),
    (1.0, 3.0 / 2.0),
    (2.0, -3.0 / 20.0),
    (3.0, 1.0 / 90.0),
];

/// Returns the finite-difference step \[s\] at time `t` for functions that vary on the time scale of the
/// model.
fn time_step(t: f64, time_scale: f64) -> f64 {
    (PART_OF_TIME_SCALE * time_scale).max(ROUNDINGS * f64::EPSILON * t.abs())
}

/// Adds the derivative of a function of time at `t` to `out`; `value` has the length of `out`.
pub(super) fn time_derivative(
    t: f64,
    time_scale: f64,
    value: &mut [f64],
    out: &mut [f64],
    mut function: impl FnMut(f64, &mut [f64]),
) {
    let step = time_step(t, time_scale);
    for (place, weight) in FIRST {
        function(t + place * step, value);
        add(weight / step, value, out);
    }
}

/// Motion with constant velocity, $q \oplus s v$ at time $t + s$; a straight line for vectors.
#[derive(Clone, Copy)]
pub(super) struct ConstantVelocityMotion<'a> {
    pub(super) at: At<'a>,
    pub(super) space: &'a PositionSpace,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    /// Finite-difference step \[s\].
    pub(super) step: f64,
}

/// Returns the finite-difference step \[s\] along a motion with velocity v that starts at time `t`.
pub(super) fn path_step(v: &[f64], difference_step: f64, (t, time_scale): (f64, f64)) -> f64 {
    let speed = v.iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
    let length = PATH_LENGTH * difference_step / DIFFERENCE_STEP;
    // If the velocity is 0, only the time scale limits the step.
    (length / speed.max(f64::MIN_POSITIVE)).min(time_step(t, time_scale))
}

/// Workspace for the finite differences of one interaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConvectiveScratch {
    q: Vec<f64>,
    displacement: Vec<f64>,
    value: Vec<f64>,
    jacobian: Array2<f64>,
}

impl ConvectiveScratch {
    pub(crate) fn new(rows: usize, columns: usize) -> Self {
        Self {
            q: Vec::new(),
            displacement: vec![0.0; columns],
            value: vec![0.0; rows],
            jacobian: Array2::zeros((rows, columns)),
        }
    }
}

impl ConstantVelocityMotion<'_> {
    /// Adds the time derivative of a function of time, position and velocity to `out`. The function receives
    /// `scratch.jacobian` as its workspace.
    pub(super) fn first_derivative(
        self,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
        mut function: impl FnMut(At<'_>, &[f64], &[f64], &mut Array2<f64>, &mut [f64]),
    ) {
        for (place, weight) in FIRST {
            let at = self.move_to(place, &mut scratch.displacement, &mut scratch.q);
            function(at, &scratch.q, self.v, &mut scratch.jacobian, &mut scratch.value);
            add(weight / self.step, &scratch.value, out);
        }
    }

    /// Adds the second time derivative of a function of time and position to `out`.
    pub(super) fn second_derivative(
        self,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
        mut function: impl FnMut(At<'_>, &[f64], &mut [f64]),
    ) {
        // Rounding errors are larger in second derivatives, which therefore need a larger step.
        let path = Self { step: 4.0 * self.step, ..self };
        for (place, weight) in SECOND {
            let at = path.move_to(place, &mut scratch.displacement, &mut scratch.q);
            function(at, &scratch.q, &mut scratch.value);
            add(weight / (path.step * path.step), &scratch.value, out);
        }
    }

    /// Writes the position at `place` finite-difference steps from the start of the motion to `q`, and
    /// returns the corresponding time.
    fn move_to(&self, place: f64, displacement: &mut [f64], q: &mut Vec<f64>) -> At<'_> {
        let s = place * self.step;
        displacement.iter_mut().zip(self.v).for_each(|(by, v)| *by = s * v);
        q.resize(self.q.len(), 0.0);
        self.space.advance(self.q, displacement, q);
        self.at.time(self.at.t + s)
    }
}

fn add(weight: f64, value: &[f64], out: &mut [f64]) {
    for (out, value) in out.iter_mut().zip(value) {
        *out += weight * value;
    }
}
