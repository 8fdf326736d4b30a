//! The state inside a step, from position, velocity and acceleration at both ends.

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
    pub(super) fn resize(&mut self, dofs: usize) {
        self.x.clear();
        self.x.resize(2 * dofs, 0.0);
        self.a.clear();
        self.a.resize(dofs, 0.0);
    }
}

/// Writes the state at the fraction `s` of a step of length h.
///
/// Positions are Hermite's quintic. Velocities are its derivative, written as the cubic of velocities and
/// accelerations with a correction $\kappa s^2 (1 - s)^2$ that makes its integral the way travelled. In very
/// short steps that way is known to rounding only, and the correction, which has h in the denominator, is
/// left out.
pub(super) fn interpolate(h: f64, (start, end): (&Knot, &Knot), s: f64, out: &mut [f64]) {
    let n = start.a.len();
    let (q, v) = out.split_at_mut(n);
    let ((q_0, v_0), (q_1, v_1)) = (start.x.split_at(n), end.x.split_at(n));
    let bump = (s * (1.0 - s)).powi(2);
    for i in 0..n {
        let (a_0, a_1) = (start.a[i], end.a[i]);
        let d = q_1[i] - q_0[i] - h * (v_0[i] + 0.5 * h * a_0);
        let e = h * (v_1[i] - v_0[i] - h * a_0);
        let f = h * h * (a_1 - a_0);
        let (c_3, c_4, c_5) =
            (10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f);
        q[i] = q_0[i] + s * h * (v_0[i] + 0.5 * s * h * a_0) + s * s * s * (c_3 + s * (c_4 + s * c_5));
        let way = q_1[i] - q_0[i] - 0.5 * h * (v_0[i] + v_1[i]) - h * h * (a_0 - a_1) / 12.0;
        let rounding = ROUNDING * q_0[i].abs().max(q_1[i].abs());
        let kappa = if way.abs() > rounding { 30.0 * way / h } else { 0.0 };
        // Hermite's cubic from both ends.
        let chord = v_1[i] - v_0[i];
        let bend = h * a_0 - chord;
        let skew = chord - h * a_1 - bend;
        v[i] = v_0[i] + s * (chord + (1.0 - s) * (bend + s * skew)) + kappa * bump;
    }
}
