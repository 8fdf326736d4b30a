//! The state inside a step, from position, velocity and acceleration at both ends.

use std::sync::Arc;

use crate::model::PositionSpace;

/// What is below so many units in the last place of the position is rounding.
const ROUNDING: f64 = 100.0 * f64::EPSILON;

/// The degree of positions within a step, as a polynomial of time.
pub(super) const DEGREE: usize = 5;

/// State (q, v) and acceleration at one end of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Knot {
    pub(super) x: Vec<f64>,
    pub(super) a: Vec<f64>,
}

impl Knot {
    pub(super) fn resize(&mut self, states: usize, dofs: usize) {
        self.x.resize(states, 0.0);
        self.a.clear();
        self.a.resize(dofs, 0.0);
    }

    /// The position and the velocity.
    pub(super) fn halves(&self) -> (&[f64], &[f64]) {
        self.x.split_at(self.x.len() - self.a.len())
    }
}

/// The space of the positions, and the way from the beginning of a step to its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    space: Arc<PositionSpace>,
    /// The displacement over the step.
    whole: Vec<f64>,
    /// How large the positions are at both ends.
    sizes: [Vec<f64>; 2],
}

impl Way {
    /// Begins with positions in a space that have so many velocities.
    pub(super) fn begin(&mut self, space: Arc<PositionSpace>, dofs: usize) {
        self.space = space;
        for vector in self.sizes.iter_mut().chain([&mut self.whole]) {
            vector.resize(dofs, 0.0);
        }
    }

    pub(super) fn space(&self) -> &PositionSpace {
        &self.space
    }

    /// Takes the way from one knot to another.
    pub(super) fn lead(&mut self, start: &Knot, end: &Knot) {
        let (from, to) = (start.halves().0, end.halves().0);
        self.space.displacement(from, to, &mut self.whole);
        for (q, sizes) in [from, to].into_iter().zip(&mut self.sizes) {
            self.space.magnitudes(q, sizes);
        }
    }

    /// The displacements from one position to another, coordinate by coordinate, each with the size of the
    /// second.
    pub(super) fn between(&mut self, to: &[f64], from: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.space.displacement(from, to, &mut self.whole);
        self.space.magnitudes(to, &mut self.sizes[0]);
        self.sizes[0].iter().copied().zip(self.whole.iter().copied())
    }

    /// Writes the state at the fraction `s` of the step of length h between the knots that it leads from and
    /// to.
    ///
    /// Displacements are Hermite's quintic. Velocities are its derivative, written as the cubic of velocities
    /// and accelerations with a correction $\kappa s^2 (1 - s)^2$ that makes its integral the way travelled.
    /// In very short steps that way is known to rounding only, and the correction, which has h in the
    /// denominator, is left out.
    pub(super) fn interpolate(&self, h: f64, (start, end): (&Knot, &Knot), s: f64, out: &mut [f64]) {
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
            // Hermite's cubic from both ends.
            let chord = v_1[i] - v_0[i];
            let bend = h * a_0 - chord;
            let skew = chord - h * a_1 - bend;
            *v = v_0[i] + s * (chord + (1.0 - s) * (bend + s * skew)) + kappa * bump;
        }
    }
}
