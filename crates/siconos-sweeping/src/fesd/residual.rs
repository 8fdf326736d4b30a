//! Errors of all conditions of finite elements with switch detection.

use super::super::sizes::{relative, worse};
use super::FesdSystem;
use super::element::Element;
use super::radau::RadauTable;
use super::scales::Scales;
use super::system::FesdPoint;

/// Errors of all conditions of a step. Each error is relative to a size: |x| and |h x'| for states,
/// |dg/dx| |x| for slacks, 1 for the weights of a Filippov system, and the step length for lengths. For the
/// weights of a sweeping process, the size is the weight that balances the drift at the constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FesdResidual {
    /// Error of the Runge-Kutta equations. They include the continuity of the state between elements.
    pub stages: f64,
    /// Error of the sum of the weights of a Filippov system, which must be 1.
    pub sum: f64,
    /// Complementarity: largest |min(w, s)| over all pairs of a weight w and a slack s, at all stages.
    pub complementarity: f64,
    /// Cross complementarity: largest min(max w, max s) over all elements and all pairs of a weight w and a
    /// slack s. max w is taken over the stages of the element. max s is taken over the stages and the start
    /// of the element, where the slack is the slack at the end of the previous element.
    pub cross_complementarity: f64,
    /// Equilibration: largest difference between the lengths of neighbouring elements that have no switch
    /// between them.
    pub equilibration: f64,
    /// Error of the sum of the element lengths, which must be the step length.
    pub length: f64,
}

impl FesdResidual {
    /// Returns the largest error; NaN if one of the errors is NaN.
    #[must_use]
    pub fn largest(&self) -> f64 {
        [
            self.stages,
            self.sum,
            self.complementarity,
            self.cross_complementarity,
            self.equilibration,
            self.length,
        ]
        .into_iter()
        .fold(0.0, worse)
    }
}

/// Workspace of [`measure`].
#[derive(Debug, Default)]
pub(super) struct ResidualMemory {
    point: FesdPoint,
    rates: Vec<f64>,
    weights: Vec<f64>,
    /// Slacks at the end of the previous element.
    left: Vec<f64>,
    /// Slacks at a stage.
    slacks: Vec<f64>,
    /// Largest slack of each pair in an element.
    most_slack: Vec<f64>,
    /// Largest weight of each pair in an element, relative to its scale.
    most_weight: Vec<f64>,
}

/// Computes the errors of the elements of a step of length h that starts at x.
pub(super) fn measure(
    system: &mut FesdSystem,
    table: &RadauTable,
    x: &[f64],
    h: f64,
    elements: &[Element],
    scales: &Scales,
    memory: &mut ResidualMemory,
) -> FesdResidual {
    let (n, m, stages) = (system.states(), system.pairs(), table.stages());
    let mut residual = FesdResidual::default();
    let ResidualMemory { point, rates, weights, left, slacks, most_slack, most_weight } = memory;
    rates.resize(stages * n, 0.0);
    for memory in [&mut *left, slacks, most_slack, most_weight] {
        memory.clear();
        memory.resize(m, 0.0);
    }
    let Some(first) = elements.first() else { return residual };
    system.write_guards(first.t, x, left);
    let level = system.level(left);
    left.iter_mut().for_each(|slack| *slack -= level);
    let mut before = x;
    for element in elements {
        most_slack.copy_from_slice(left);
        most_weight.fill(0.0);
        for j in 0..stages {
            weights.clear();
            weights.extend(element.active.iter().map(|&i| element.weights_at(j)[i]));
            let t = element.t + table.nodes[j] * element.h;
            system.evaluate(t, element.state_at(j), &element.active, point);
            point.rate(weights.iter().copied(), &mut rates[j * n..(j + 1) * n]);
            for i in 0..m {
                slacks[i] = point.guards[i] - element.levels[j];
                let slack = relative(slacks[i], scales.slack[i]);
                let weight = element.weights_at(j)[i];
                let weight = relative(weight, scales.weight[i].max(weight.abs()));
                residual.complementarity = worse(slack.min(weight).abs(), residual.complementarity);
                most_slack[i] = worse(slacks[i], most_slack[i]);
                most_weight[i] = worse(weight, most_weight[i]);
            }
            if system.is_convex() {
                let sum = element.weights_at(j).iter().sum::<f64>();
                residual.sum = worse((sum - 1.0).abs(), residual.sum);
            }
        }
        for j in 0..stages {
            for k in 0..n {
                let row = &table.matrix[j * stages..(j + 1) * stages];
                let moved: f64 = row.iter().enumerate().map(|(l, a)| a * rates[l * n + k]).sum();
                let error = element.state_at(j)[k] - before[k] - element.h * moved;
                residual.stages = worse(relative(error.abs(), scales.state[k]), residual.stages);
            }
        }
        for i in 0..m {
            let cross = relative(most_slack[i], scales.slack[i]).min(most_weight[i]);
            residual.cross_complementarity = worse(cross, residual.cross_complementarity);
        }
        left.copy_from_slice(slacks);
        before = element.end();
    }
    for pair in elements.windows(2) {
        if pair[0].active == pair[1].active {
            residual.equilibration = worse((pair[0].h - pair[1].h).abs() / h, residual.equilibration);
        }
    }
    let sum: f64 = elements.iter().map(|element| element.h).sum();
    residual.length = (sum - h).abs() / h;
    residual
}
