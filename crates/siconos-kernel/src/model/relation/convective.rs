//! Derivatives in time that the user does not give: of h, and the part of the acceleration of y that does not
//! come from the acceleration of q, along a motion with a constant velocity. Central differences of sixth
//! order.
//!
//! Their step is a part of the time scale of the model, whatever the step or the points of output of a
//! simulation: both kinds of simulation see the same derivative, and output changes nothing.

use ndarray::Array2;

use crate::model::At;
use crate::model::configuration::PositionSpace;
use crate::model::dynamical_system::DIFFERENCE_STEP;

/// How far a position may move to each side, in the unit in which [`DIFFERENCE_STEP`] is right: it balances
/// the truncation of fourth order with rounding.
const PATH_LENGTH: f64 = 1e-3;

/// The step of first differences in time, as a part of the time scale of the model. For a phase that turns by
/// one radian in the time scale the truncation is 1e-24, for a hundred radians 2e-12, for a thousand 2e-6;
/// rounding is 1e-12.
const PART_OF_TIME_SCALE: f64 = 1.0 / 4096.0;

/// Late on the clock times are known to rounding only: the step is at least so many roundings.
const ROUNDINGS: f64 = 1_048_576.0;

/// Places and weights of the first and the second derivative.
const FIRST: [(f64, f64); 6] = [
    (-3.0, -1.0 / 60.0),
    (-2.0, 3.0 / 20.0),
    (-1.0, -3.0 / 4.0),
    (1.0, 3.0 / 4.0),
    (2.0, -3.0 / 20.0),
    (3.0, 1.0 / 60.0),
];
const SECOND: [(f64, f64); 7] = [
    (-3.0, 1.0 / 90.0),
    (-2.0, -3.0 / 20.0),
    (-1.0, 3.0 / 2.0),
    (0.0, -49.0 / 18.0),
    (1.0, 3.0 / 2.0),
    (2.0, -3.0 / 20.0),
    (3.0, 1.0 / 90.0),
];

/// The step \[s\] of differences at the time `t` of functions that change on the time scale of the model.
fn time_step(t: f64, time_scale: f64) -> f64 {
    (PART_OF_TIME_SCALE * time_scale).max(ROUNDINGS * f64::EPSILON * t.abs())
}

/// Adds the derivative of a function of time at `t` to `out`; `value` has as many entries.
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

/// A motion with a constant velocity: $q \oplus s v$ at the time $t + s$, a straight line of vectors.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) at: At<'a>,
    pub(super) space: &'a PositionSpace,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    /// The step of the differences \[s\].
    pub(super) step: f64,
}

/// The step in time of differences along a path that begins at `t` with velocity v.
pub(super) fn path_step(v: &[f64], difference_step: f64, (t, time_scale): (f64, f64)) -> f64 {
    let speed = v.iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
    let length = PATH_LENGTH * difference_step / DIFFERENCE_STEP;
    // A system at rest goes nowhere along its path: functions of time alone set the step.
    (length / speed.max(f64::MIN_POSITIVE)).min(time_step(t, time_scale))
}

/// The memory for one interaction.
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

impl Path<'_> {
    /// The derivative of a function of time, position and velocity, which is given the matrix of the scratch
    /// as well.
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

    /// The second derivative of a function of time and position.
    pub(super) fn second_derivative(
        self,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
        mut function: impl FnMut(At<'_>, &[f64], &mut [f64]),
    ) {
        // Of second derivatives rounding weighs more: a longer step.
        let path = Self { step: 4.0 * self.step, ..self };
        for (place, weight) in SECOND {
            let at = path.move_to(place, &mut scratch.displacement, &mut scratch.q);
            function(at, &scratch.q, &mut scratch.value);
            add(weight / (path.step * path.step), &scratch.value, out);
        }
    }

    /// Writes the position after `place` steps, and returns the time.
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
