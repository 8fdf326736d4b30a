//! Interval of smooth motion (*arc*), and the estimate of the error that a step adds within it.

/// Constants of the local error of a scheme.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErrorConstants {
    /// Constant of the error term of order 2, which is 0 for theta = 1/2.
    pub(super) second: f64,
}

/// Constant of the error term of order 3. The trapezoidal rule adds an error of $h^3 / 12$ times the third
/// derivative.
const THIRD: f64 = 1.0 / 12.0;
/// Constant of the error term of order 2 that is used instead of the term of order 3 if the arc has only one
/// step.
const UNKNOWN: f64 = 1.0 / 6.0;

/// Mean time derivatives of v and x over a step, and the time at the midpoint of the step.
#[derive(Clone, Debug, Default)]
struct Rates {
    middle: f64,
    values: Vec<f64>,
}

/// Last steps of an arc, at most two.
#[derive(Clone, Debug, Default)]
pub(super) struct SmoothArc {
    last: Rates,
    before: Rates,
    steps: usize,
}

impl SmoothArc {
    /// Starts a new arc, after an impact or a jump of a rate.
    pub(super) fn begin(&mut self) {
        self.steps = 0;
    }

    /// Returns the number of known steps, 0 to 2.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// Returns the second time derivative of the velocity or state `dof`, if two steps of the arc are known.
    pub(super) fn slope(&self, dof: usize) -> Option<f64> {
        let rise = || self.last.values[dof] - self.before.values[dof];
        (self.steps == 2).then(|| rise() / (self.last.middle - self.before.middle))
    }

    /// Returns two estimated errors that the step adds: to the component `dof` of the velocities or states,
    /// and to the corresponding position. Returns `None` if this is the first step of the arc. The first
    /// estimate is
    ///
    /// $$ |(\theta - \tfrac12) h^2 \ddot v| + \tfrac{1}{12} h^3 |\dddot v|, $$
    ///
    /// as plain text |(theta - 1/2) h^2 v''| + h^3 |v'''| / 12. These are the leading error terms of theta
    /// schemes (Hairer, Norsett, Wanner 1993, section III.5, for estimates from differences). The derivatives
    /// are divided differences of the mean rates of this step and the previous steps.
    ///
    /// If the previous steps are longer than this step, the powers of h are replaced: $h^2$ by $h d_1$, and
    /// $h^3$ by $h d_1 d_2 / 2$, where $d_1$ and $d_2$ are the times from the midpoints of the last step and
    /// of the step before it to the midpoint of this step. The estimate is then at least a twelfth of the
    /// difference between the computed and the extrapolated velocity. A velocity jump J therefore contributes
    /// J / 12, however short the step is.
    pub(super) fn error(
        &self,
        (middle, h): (f64, f64),
        dof: usize,
        rate: f64,
        constants: ErrorConstants,
    ) -> Option<[f64; 2]> {
        if self.steps == 0 {
            return None;
        }
        let distance = middle - self.last.middle;
        let slope = (rate - self.last.values[dof]) / distance;
        let of_slope = h * h.max(distance) * slope.abs();
        let of_position = constants.second * h * h * rate.abs();
        let Some(slope_before) = self.slope(dof) else {
            let of_rate = (constants.second + UNKNOWN) * of_slope;
            return Some([of_rate, of_position + h * of_rate]);
        };
        let distance_before = middle - self.before.middle;
        let curvature = 2.0 * (slope - slope_before) / distance_before;
        let of_curvature = h * (h * h).max(0.5 * distance * distance_before) * curvature.abs();
        let of_rate = constants.second * of_slope + THIRD * of_curvature;
        Some([of_rate, of_position + THIRD * h * h * h * slope.abs()])
    }

    /// Adds a step to the arc. `middle` is the time at the midpoint of the step, and `rates` contains the
    /// mean time derivative of each component.
    pub(super) fn push(&mut self, middle: f64, rates: impl Iterator<Item = f64>) {
        std::mem::swap(&mut self.last, &mut self.before);
        self.last.middle = middle;
        self.last.values.clear();
        self.last.values.extend(rates);
        self.steps = (self.steps + 1).min(2);
    }
}
