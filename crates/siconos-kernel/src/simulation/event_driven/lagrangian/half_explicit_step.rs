//! Step of the half-explicit method HEM4 of Brasey and Hairer (1993).

use siconos_linalg::{DenseLu, add_scaled, square};

use super::{LagrangianModes, MotionPoint};
use crate::simulation::SimulationError;

const STAGES: usize = 5;

const R6: f64 = 2.449_489_742_783_178;

/// Coefficients $a_{ij}$ of stages 2 to 5, and the weights of the end of the step (Brasey and Hairer 1993).
const TABLEAU: [[f64; STAGES]; STAGES] = [
    [0.3, 0.0, 0.0, 0.0, 0.0],
    [(1.0 + R6) / 30.0, (11.0 - 4.0 * R6) / 30.0, 0.0, 0.0, 0.0],
    [(-79.0 - 31.0 * R6) / 150.0, (-1.0 - 4.0 * R6) / 30.0, (24.0 + 11.0 * R6) / 25.0, 0.0, 0.0],
    [(14.0 + 5.0 * R6) / 6.0, (-8.0 + 7.0 * R6) / 6.0, (-9.0 - 7.0 * R6) / 4.0, (9.0 - R6) / 4.0, 0.0],
    [0.0, 0.0, (16.0 - R6) / 36.0, (16.0 + R6) / 36.0, 1.0 / 9.0],
];

/// Times of stages 2 to 5 and of the end of the step, as fractions of the step.
const TIMES: [f64; STAGES] = [0.3, (4.0 - R6) / 10.0, (4.0 + R6) / 10.0, 1.0, 1.0];

/// Workspace of a step.
#[derive(Debug, Default)]
pub(in super::super) struct HalfExplicitStep {
    /// Time derivatives of the displacement from the start of the step, for each stage.
    rates: [Vec<f64>; STAGES],
    /// Accelerations, for each stage.
    accelerations: [Vec<f64>; STAGES],
    /// $M^{-1} J^T$ of the rows of the held contacts at a stage, row by row.
    responses: Vec<f64>,
    /// Matrix $J_{i+1} M_i^{-1} J_i^T$ of the equations for the multipliers.
    matrix: Vec<f64>,
    /// Right-hand side of the equations for the multipliers, overwritten with the multipliers.
    multipliers: Vec<f64>,
    lu: DenseLu,
}

impl HalfExplicitStep {
    pub(in super::super) const STAGES: usize = STAGES;

    /// Sets the vector lengths for the current mode.
    pub(in super::super) fn begin(&mut self, modes: &LagrangianModes) {
        let (dofs, rows) = (modes.tables.dofs, modes.held.size());
        for vector in self.rates.iter_mut().chain(&mut self.accelerations) {
            vector.resize(dofs, 0.0);
        }
        self.responses.resize(rows * dofs, 0.0);
        self.matrix.resize(rows * rows, 0.0);
        self.multipliers.resize(rows, 0.0);
    }

    /// Takes a step of length h from the state `x` at t in the current mode.
    pub(in super::super) fn advance(
        &mut self,
        modes: &mut LagrangianModes,
        (t, h): (f64, f64),
        x: &[f64],
        out: &mut [f64],
    ) -> Result<(), SimulationError> {
        modes.on_trial(t, x, |modes, point| {
            let stepped = self.advance_point(modes, (t, h), x, point);
            point.x_into(out);
            stepped
        })
    }

    fn advance_point(
        &mut self,
        modes: &mut LagrangianModes,
        (t, h): (f64, f64),
        x: &[f64],
        point: &mut MotionPoint,
    ) -> Result<(), SimulationError> {
        let (q, v) = x.split_at(point.q.len());
        let is_held = !modes.held.members().is_empty();
        let varies = is_held && !modes.constant;
        modes.displacement.fill(0.0);
        if varies {
            modes.evaluate_jacobians(point);
        }
        for (stage, weights) in TABLEAU.iter().enumerate() {
            modes.evaluate_free(point)?;
            modes.space.displacement_rate(&modes.displacement, &point.v, &mut self.rates[stage]);
            self.accelerations[stage].copy_from_slice(&point.free_acceleration);
            if is_held && (varies || stage == 0) {
                self.compute_responses(modes);
            }
            // Move to the next stage without the contact forces of this stage.
            point.t = t + TIMES[stage] * h;
            modes.displacement.fill(0.0);
            point.v.copy_from_slice(v);
            for (j, weight) in weights[..=stage].iter().enumerate() {
                add_scaled(h * weight, &self.rates[j], &mut modes.displacement);
                add_scaled(h * weight, &self.accelerations[j], &mut point.v);
            }
            modes.space.advance(q, &modes.displacement, &mut point.q);
            if !is_held {
                continue;
            }
            if varies {
                modes.evaluate_jacobians(point);
            }
            self.compute_multipliers(modes, point)?;
            for (multiplier, response) in self.multipliers.iter().zip(self.responses.chunks(point.v.len())) {
                add_scaled(*multiplier, response, &mut point.v);
                add_scaled(multiplier / (h * weights[stage]), response, &mut self.accelerations[stage]);
            }
        }
        Ok(())
    }

    /// Computes $M^{-1} J^T$ of the held rows with the current mass and Jacobian.
    fn compute_responses(&mut self, modes: &mut LagrangianModes) {
        modes.solve_held_rows();
        self.responses.fill(0.0);
        let responses = self.responses.chunks_mut(modes.tables.dofs.max(1));
        for (place, response) in modes.held.rows().iter().zip(responses) {
            modes.add_response(*place, 1.0, response);
        }
    }

    /// Computes the multipliers for which the velocity of `point`, after the addition of their responses,
    /// satisfies the constraints at the position of `point`. The multipliers include the step length and the
    /// weight as factors.
    fn compute_multipliers(
        &mut self,
        modes: &LagrangianModes,
        point: &MotionPoint,
    ) -> Result<(), SimulationError> {
        let (dofs, n) = (modes.tables.dofs.max(1), self.multipliers.len());
        for (k, &place) in modes.held.rows().iter().enumerate() {
            self.multipliers[k] = -modes.kinematics.velocity(&modes.tables, place, &point.v);
            let entries = &mut self.matrix[k * n..(k + 1) * n];
            for (entry, response) in entries.iter_mut().zip(self.responses.chunks(dofs)) {
                *entry = modes.row_product(place, response);
            }
        }
        let factored = self.lu.factor(square(&self.matrix, n));
        factored.map_err(|source| SimulationError::DependentConstraints { t: point.t, source })?;
        self.lu.solve(&mut self.multipliers);
        Ok(())
    }
}
