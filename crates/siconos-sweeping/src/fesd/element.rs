//! Finite element: a time interval within a step, with one active set.

use super::radau::RadauTable;

/// Finite element: a time interval within a step, with its active set and the values at its stages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// Start time \[s\].
    pub t: f64,
    /// Length \[s\].
    pub h: f64,
    /// Indices of the weights that can differ from 0, in increasing order. For a Filippov system these are
    /// the active modes (several in a sliding motion); for a sweeping process, the active constraints. The
    /// slacks of these indices are 0 at all stages.
    pub active: Vec<usize>,
    /// State at the start, n entries.
    pub start: Vec<f64>,
    /// States at the stages, s x n, row by row. The last row is the state at the end.
    pub stages: Vec<f64>,
    /// Weights at the stages, s x m: theta of a Filippov system, lambda of a sweeping process.
    pub weights: Vec<f64>,
    /// mu at the stages: the smallest guard of a Filippov system, or 0 for a sweeping process.
    pub levels: Vec<f64>,
}

impl Element {
    pub(super) fn resize(&mut self, n: usize, m: usize, stages: usize) {
        self.start.resize(n, 0.0);
        self.stages.resize(stages * n, 0.0);
        self.weights.resize(stages * m, 0.0);
        self.levels.resize(stages, 0.0);
    }

    /// Copies another element, and reuses the memory of this element.
    pub(super) fn copy_from(&mut self, other: &Self) {
        (self.t, self.h) = (other.t, other.h);
        let pairs = [
            (&mut self.start, &other.start),
            (&mut self.stages, &other.stages),
            (&mut self.weights, &other.weights),
            (&mut self.levels, &other.levels),
        ];
        for (to, from) in pairs {
            to.clear();
            to.extend_from_slice(from);
        }
        self.set_active(&other.active);
    }

    pub(super) fn set_active(&mut self, active: &[usize]) {
        self.active.clear();
        self.active.extend_from_slice(active);
    }

    /// Returns the state at the end, n entries.
    #[must_use]
    pub fn end(&self) -> &[f64] {
        &self.stages[self.stages.len() - self.start.len()..]
    }

    /// Returns the weights at a stage.
    pub(super) fn weights_at(&self, stage: usize) -> &[f64] {
        let m = self.weights.len() / self.levels.len();
        &self.weights[stage * m..(stage + 1) * m]
    }

    /// Returns the state at a stage.
    pub(super) fn state_at(&self, stage: usize) -> &[f64] {
        let n = self.start.len();
        &self.stages[stage * n..(stage + 1) * n]
    }

    /// Sets a constant initial guess at all stages: the start state and the given weights and mu.
    pub(super) fn guess_constant(&mut self, weights: &[f64], level: f64) {
        for row in self.stages.chunks_exact_mut(self.start.len()) {
            row.copy_from_slice(&self.start);
        }
        for row in self.weights.chunks_exact_mut(weights.len()) {
            row.copy_from_slice(weights);
        }
        self.levels.fill(level);
    }

    /// Sets an initial guess by evaluating the polynomial of another element, which covers or is near this
    /// one.
    pub(super) fn guess_from(&mut self, other: &Self, start_weights: &[f64], level: f64, table: &RadauTable) {
        let (n, m) = (self.start.len(), start_weights.len());
        for (stage, node) in table.nodes.iter().enumerate() {
            let part = (self.t + node * self.h - other.t) / other.h;
            let state = &mut self.stages[stage * n..(stage + 1) * n];
            table.interpolate(&other.start, &other.stages, part, state);
            let weights = &mut self.weights[stage * m..(stage + 1) * m];
            table.interpolate(start_weights, &other.weights, part, weights);
            table.interpolate(&[level], &other.levels, part, &mut self.levels[stage..=stage]);
        }
    }
}
