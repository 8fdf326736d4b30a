//! Functions of a system at a stage, with their derivatives.

use super::FesdSystem;
use super::scales::Scales;
use super::system::{ActiveWeights, Differences, FesdPoint};

/// Values and derivatives of the functions of a system at a stage, for an active set.
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) point: FesdPoint,
    pub(super) rate: Vec<f64>,
    /// Derivatives with constant weights: dx'/dx (n x n), dg/dx (m x n), dx'/dt (n) and dg/dt (m).
    pub(super) rate_by_x: Vec<f64>,
    pub(super) guards_by_x: Vec<f64>,
    pub(super) rate_by_t: Vec<f64>,
    pub(super) guards_by_t: Vec<f64>,
    differences: Differences,
}

impl Stage {
    /// Evaluates all fields at a stage. Derivatives with respect to time are finite differences whose step is
    /// a fraction of `span`; they are 0 if `span` is `None`.
    pub(super) fn evaluate(
        &mut self,
        system: &mut FesdSystem,
        t: f64,
        x: &[f64],
        span: Option<f64>,
        of_set: ActiveWeights<'_>,
        scales: &Scales,
    ) {
        let (n, m) = (system.states(), system.pairs());
        for (memory, size) in [
            (&mut self.rate, n),
            (&mut self.rate_by_x, n * n),
            (&mut self.guards_by_x, m * n),
            (&mut self.rate_by_t, n),
            (&mut self.guards_by_t, m),
        ] {
            memory.resize(size, 0.0);
        }
        system.evaluate(t, x, of_set.active, &mut self.point);
        self.point.rate(of_set.weights.iter().copied(), &mut self.rate);
        let differences = &mut self.differences;
        system.write_rate_derivative(t, x, of_set, scales, differences, &mut self.rate_by_x);
        system.write_guard_gradients(t, x, scales, differences, &mut self.guards_by_x);
        let to = (self.rate_by_t.as_mut_slice(), self.guards_by_t.as_mut_slice());
        if let Some(span) = span {
            system.write_time_derivatives(t, x, of_set, span, differences, to);
        } else {
            to.0.fill(0.0);
            to.1.fill(0.0);
        }
    }
}
