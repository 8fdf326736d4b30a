//! The part of the acceleration of y that does not come from the acceleration of q, where the user does not give it: derivatives
//! along the straight path of a motion, by differences of fourth order.

use ndarray::Array2;

use crate::model::At;
use crate::model::dynamical_system::DIFFERENCE_STEP;

/// How far a position may move to each side, in the unit in which [`DIFFERENCE_STEP`] is right: it balances the truncation
/// of fourth order with rounding.
const PATH_LENGTH: f64 = 1e-3;

/// A motion along a straight line: $q + s v$ at the time $t + s$.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) at: At<'a>,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    /// The step of the differences \[s\].
    pub(super) step: f64,
}

/// The step in time of differences along a path with velocity v, not longer than `longest`.
pub(super) fn path_step(v: &[f64], difference_step: f64, longest: f64) -> f64 {
    let speed = v.iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
    let length = PATH_LENGTH * difference_step / DIFFERENCE_STEP;
    // A system at rest goes nowhere along its path, and any step is right.
    (length / speed.max(f64::MIN_POSITIVE)).min(longest).min(1.0)
}

/// The memory for one interaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConvectiveScratch {
    q: Vec<f64>,
    value: Vec<f64>,
    jacobian: Array2<f64>,
}

impl ConvectiveScratch {
    pub(crate) fn new(rows: usize, columns: usize) -> Self {
        Self { q: vec![0.0; columns], value: vec![0.0; rows], jacobian: Array2::zeros((rows, columns)) }
    }
}

impl Path<'_> {
    /// The derivative of a function of time, position and velocity, which is given the matrix of the scratch as well.
    pub(super) fn first_derivative(
        self,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
        mut function: impl FnMut(At<'_>, &[f64], &[f64], &mut Array2<f64>, &mut [f64]),
    ) {
        for (place, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
            let at = self.move_to(place, &mut scratch.q);
            function(at, &scratch.q, self.v, &mut scratch.jacobian, &mut scratch.value);
            self.add(weight / (12.0 * self.step), &scratch.value, out);
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
        for (place, weight) in [(-2.0, -1.0), (-1.0, 16.0), (0.0, -30.0), (1.0, 16.0), (2.0, -1.0)] {
            let at = path.move_to(place, &mut scratch.q);
            function(at, &scratch.q, &mut scratch.value);
            path.add(weight / (12.0 * path.step * path.step), &scratch.value, out);
        }
    }

    /// Writes the position after `place` steps, and returns the time.
    fn move_to(&self, place: f64, q: &mut [f64]) -> At<'_> {
        let s = place * self.step;
        for (target, (q, v)) in q.iter_mut().zip(self.q.iter().zip(self.v)) {
            *target = q + s * v;
        }
        self.at.time(self.at.t + s)
    }

    fn add(&self, weight: f64, value: &[f64], out: &mut [f64]) {
        for (out, value) in out.iter_mut().zip(value) {
            *out += weight * value;
        }
    }
}
