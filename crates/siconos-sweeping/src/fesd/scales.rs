//! Sizes of states, slacks and weights. The errors of a step are relative to these sizes.

use super::FesdSystem;
use super::element::Element;
use super::system::{ActiveWeights, Differences, FesdPoint};

/// Largest magnitudes of states, slacks and weights so far in the run. All tolerances are relative to these
/// sizes, so results do not depend on units.
#[derive(Debug, Default)]
pub(super) struct Scales {
    /// Size of each state: the largest |x| and |h x'|.
    pub(super) state: Vec<f64>,
    /// Sizes of the slacks: the largest |dg/dx| |x| + |h dg/dt|. All guards of a Filippov system share one
    /// size, because they are compared with each other.
    pub(super) slack: Vec<f64>,
    /// Sizes of the weights: 1 if they add up to 1, otherwise the weight that balances the drift at the
    /// constraint.
    pub(super) weight: Vec<f64>,
    /// Largest entry of `state`, used as the size of components that are still 0.
    largest: f64,
}

/// Workspace of [`Scales::begin`].
#[derive(Debug, Default)]
pub(super) struct ScaleMemory {
    gradients: Vec<f64>,
    of_rate: Vec<f64>,
    of_guards: Vec<f64>,
    rate: Vec<f64>,
    differences: Differences,
}

impl Scales {
    pub(super) fn new(n: usize, m: usize) -> Self {
        Self { state: vec![0.0; n], slack: vec![0.0; m], weight: vec![0.0; m], largest: 0.0 }
    }

    /// Returns the size of x_k from which its finite difference step is computed.
    pub(super) fn of_move(&self, k: usize, x: f64) -> f64 {
        let scale = self.state[k].max(x.abs());
        if scale > 0.0 {
            scale
        } else if self.largest > 0.0 {
            self.largest
        } else {
            1.0
        }
    }

    /// Updates the scales with a state and its rate.
    pub(super) fn include(&mut self, x: &[f64], rate: &[f64], h: f64) {
        for ((scale, x), rate) in self.state.iter_mut().zip(x).zip(rate) {
            *scale = scale.max(x.abs()).max(h * rate.abs());
            self.largest = self.largest.max(*scale);
        }
    }

    /// Updates the scales with the states and weights of an element.
    pub(super) fn include_element(&mut self, element: &Element) {
        for row in element.stages.chunks_exact(self.state.len()) {
            for (scale, x) in self.state.iter_mut().zip(row) {
                *scale = scale.max(x.abs());
            }
        }
        for row in element.weights.chunks_exact(self.weight.len()) {
            for (scale, weight) in self.weight.iter_mut().zip(row) {
                *scale = scale.max(weight.abs());
            }
        }
    }

    /// Updates the scales at the start of a step. `point` contains the values of the functions for the mode
    /// with the smallest guard (Filippov system) or without weights (sweeping process).
    pub(super) fn begin(
        &mut self,
        system: &mut FesdSystem,
        (t, h): (f64, f64),
        x: &[f64],
        active: &[usize],
        point: &FesdPoint,
        memory: &mut ScaleMemory,
    ) {
        let (n, m) = (system.states(), system.pairs());
        memory.gradients.resize(m * n, 0.0);
        memory.of_rate.resize(n, 0.0);
        memory.of_guards.resize(m, 0.0);
        memory.rate.resize(n, 0.0);
        point.rate([1.0], &mut memory.rate);
        let ScaleMemory { gradients, of_rate, of_guards, rate, differences } = memory;
        self.include(x, rate, h);
        system.write_guard_gradients(t, x, self, differences, gradients);
        let weights: &[f64] = if active.is_empty() { &[] } else { &[1.0] };
        let of_set = ActiveWeights { active, weights };
        system.write_time_derivatives(t, x, of_set, h, differences, (of_rate, of_guards));
        for (i, gradient) in gradients.chunks_exact(n).enumerate() {
            let terms = gradient.iter().zip(&self.state).map(|(g, scale)| g.abs() * scale);
            let mut slack = terms.sum::<f64>() + h * of_guards[i].abs();
            if slack.is_nan() || slack == 0.0 {
                slack = point.guards[i].abs();
            }
            self.slack[i] = self.slack[i].max(slack);
            let square: f64 = gradient.iter().map(|g| g * g).sum();
            let push = gradient.iter().zip(&*rate).map(|(g, rate)| (g * rate).abs()).sum::<f64>();
            let weight = if system.is_convex() { 1.0 } else { (push + of_guards[i].abs()) / square };
            if weight.is_finite() {
                self.weight[i] = self.weight[i].max(weight);
            }
        }
        if system.is_convex() {
            let common = self.slack.iter().copied().fold(0.0, f64::max);
            self.slack.fill(common);
        }
    }
}
