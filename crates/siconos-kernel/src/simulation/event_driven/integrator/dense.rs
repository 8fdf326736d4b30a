//! Dense output of a step, from position, velocity and acceleration at both ends.

use std::sync::Arc;

use crate::model::PositionSpace;

/// Relative magnitude below which a difference of positions is attributed to rounding errors.
const ROUNDING: f64 = 100.0 * f64::EPSILON;

/// Degree of the polynomials in time that interpolate the positions within a step.
pub(super) const DEGREE: usize = 5;

/// State (q, v) and acceleration at one end of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct StepEnd {
    pub(super) x: Vec<f64>,
    pub(super) a: Vec<f64>,
}

impl StepEnd {
    pub(super) fn resize(&mut self, states: usize, dofs: usize) {
        self.x.resize(states, 0.0);
        self.a.clear();
        self.a.resize(dofs, 0.0);
    }

    /// Returns the positions and the velocities.
    pub(super) fn halves(&self) -> (&[f64], &[f64]) {
        self.x.split_at(self.x.len() - self.a.len())
    }
}

/// Displacement of the positions over a step, along which positions are interpolated.
#[derive(Clone, Debug, Default)]
pub(super) struct StepPath {
    space: Arc<PositionSpace>,
    /// Displacement over the step.
    whole: Vec<f64>,
    /// Magnitudes of the positions at both ends of the step.
    sizes: [Vec<f64>; 2],
}

impl StepPath {
    /// Sets the configuration space and its number of degrees of freedom.
    pub(super) fn begin(&mut self, space: Arc<PositionSpace>, dofs: usize) {
        self.space = space;
        for vector in self.sizes.iter_mut().chain([&mut self.whole]) {
            vector.resize(dofs, 0.0);
        }
    }

    pub(super) fn space(&self) -> &PositionSpace {
        &self.space
    }

    /// Sets the displacement from the start to the end of a step.
    pub(super) fn lead(&mut self, start: &StepEnd, end: &StepEnd) {
        let (from, to) = (start.halves().0, end.halves().0);
        self.space.displacement(from, to, &mut self.whole);
        for (q, sizes) in [from, to].into_iter().zip(&mut self.sizes) {
            self.space.magnitudes(q, sizes);
        }
    }

    /// Returns, for each degree of freedom, the magnitude of the position `to` and the displacement from
    /// `from` to `to`.
    pub(super) fn between(&mut self, to: &[f64], from: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.space.displacement(from, to, &mut self.whole);
        self.space.magnitudes(to, &mut self.sizes[0]);
        self.sizes[0].iter().copied().zip(self.whole.iter().copied())
    }

    /// Writes to `out` the state at the fraction `s` of a step of length h, from the data at both ends of the
    /// step. [`lead`](Self::lead) must have been called for this step.
    ///
    /// Displacements use quintic Hermite interpolation. Velocities are the derivative of this interpolant.
    /// The derivative is written as the cubic Hermite interpolant of the velocities plus a correction
    /// $\kappa s^2 (1 - s)^2$, which makes the integral of the velocity equal to the displacement. In very
    /// short steps, the displacement is known only up to rounding error. The correction has h in its
    /// denominator, and is then omitted.
    pub(super) fn interpolate(&self, h: f64, (start, end): (&StepEnd, &StepEnd), s: f64, out: &mut [f64]) {
        let (from, v_0) = start.halves();
        let v_1 = end.halves().1;
        let (q, v) = out.split_at_mut(from.len());
        for (i, displacement) in v.iter_mut().enumerate() {
            let (a_0, a_1) = (start.a[i], end.a[i]);
            let d = self.whole[i] - h * (v_0[i] + 0.5 * h * a_0);
            let e = h * (v_1[i] - v_0[i] - h * a_0);
            let f = h * h * (a_1 - a_0);
            let (c_3, c_4, c_5) =
                (10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f);
            *displacement = s * h * (v_0[i] + 0.5 * s * h * a_0) + s * s * s * (c_3 + s * (c_4 + s * c_5));
        }
        self.space.advance(from, v, q);
        let bump = (s * (1.0 - s)).powi(2);
        for (i, v) in v.iter_mut().enumerate() {
            let (a_0, a_1) = (start.a[i], end.a[i]);
            let way = self.whole[i] - 0.5 * h * (v_0[i] + v_1[i]) - h * h * (a_0 - a_1) / 12.0;
            let rounding = ROUNDING * self.sizes[0][i].abs().max(self.sizes[1][i].abs());
            let kappa = if way.abs() > rounding { 30.0 * way / h } else { 0.0 };
            // Cubic Hermite interpolant of the velocities.
            let chord = v_1[i] - v_0[i];
            let bend = h * a_0 - chord;
            let skew = chord - h * a_1 - bend;
            *v = v_0[i] + s * (chord + (1.0 - s) * (bend + s * skew)) + kappa * bump;
        }
    }
}
