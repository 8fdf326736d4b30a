//! One step of the generalised-alpha method (Chung and Hulbert 1993; with constraints Arnold and Brüls 2007).

use siconos_numerics::linalg::{DenseLu, square};
use siconos_numerics::ode::Statistics;

use super::super::integrator::{ConstraintLevel, NewmarkAlpha};
use super::{LagrangianModes, Point};
use crate::error::SimulationError;
use crate::integrator::{LagrangianRef, TangentWork};
use crate::model::{At, NonSmoothDynamicalSystem};
use crate::simulation::newton::larger;

/// The part of a step after which the third derivative is looked for at the beginning, and again after twice
/// that.
const LOOK_AHEAD: f64 = 0.125;

/// Newton's matrix is factorised anew while an iteration leaves more than this part of the correction before.
const SLOW: f64 = 0.1;

/// A step that is shorter than this part of the others is a sliver.
const SLIVER: f64 = 1e-3;

/// Rounding of positions, of which velocities have the part 1/h.
const ROUNDING: f64 = 50.0 * f64::EPSILON;

/// The method in numbers, and its memory.
#[derive(Debug)]
pub(in super::super) struct AlphaStep {
    /// The length of the steps, but for those that are cut short.
    h: f64,
    /// $\alpha_m$, $\alpha_f$, $\beta$, $\gamma$.
    parameters: [f64; 4],
    level: ConstraintLevel,
    tolerance: f64,
    max_iterations: usize,
    /// The algorithmic acceleration at the beginning of the step, and the length of step that it is for.
    algorithmic: Vec<f64>,
    algorithmic_h: f64,
    /// The forces of the held contacts.
    forces: Vec<f64>,
    /// The trial step: what the algorithmic acceleration begins with, positions and velocities without the
    /// new acceleration, the new acceleration and forces.
    old: Vec<f64>,
    q_known: Vec<f64>,
    v_known: Vec<f64>,
    acceleration: Vec<f64>,
    trial_forces: Vec<f64>,
    residual: Vec<f64>,
    matrix: Vec<f64>,
    lu: DenseLu,
    tangents: Vec<TangentWork>,
    /// The change of the model that the tangents are for.
    epoch: Option<u64>,
}

impl AlphaStep {
    pub(in super::super) fn new(settings: &NewmarkAlpha) -> Self {
        Self {
            h: settings.h,
            parameters: settings.parameters.values(),
            level: settings.level,
            tolerance: settings.tolerance,
            max_iterations: settings.max_iterations,
            algorithmic: Vec::new(),
            algorithmic_h: settings.h,
            forces: Vec::new(),
            old: Vec::new(),
            q_known: Vec::new(),
            v_known: Vec::new(),
            acceleration: Vec::new(),
            trial_forces: Vec::new(),
            residual: Vec::new(),
            matrix: Vec::new(),
            lu: DenseLu::default(),
            tangents: Vec::new(),
            epoch: None,
        }
    }

    /// Begins anew from a state and its acceleration, with steps of length h.
    pub(in super::super) fn begin(
        &mut self,
        modes: &mut LagrangianModes,
        model: &NonSmoothDynamicalSystem,
        (t, h): (f64, f64),
        x: &[f64],
        a: &[f64],
    ) -> Result<(), SimulationError> {
        if self.epoch != Some(modes.epoch()) {
            self.tangents.clear();
            for entry in &modes.tables.systems {
                let Some(system) = LagrangianRef::of(model.system(entry.id)?) else { continue };
                self.tangents.push(TangentWork::new(system));
            }
            self.epoch = Some(modes.epoch());
        }
        let dofs = a.len();
        self.forces.clear();
        self.forces.extend_from_slice(&modes.trial.held_force);
        let size = dofs + self.forces.len();
        for vector in [&mut self.old, &mut self.q_known, &mut self.v_known, &mut self.acceleration] {
            vector.resize(dofs, 0.0);
        }
        self.matrix.resize(size * size, 0.0);
        self.begin_algorithmic(modes, model, (t, h), x, a);
        self.residual.resize(size, 0.0);
        self.algorithmic_h = h;
        Ok(())
    }

    /// The algorithmic acceleration stands for the time $(\alpha_m - \alpha_f) h$ later. The third derivative
    /// that takes it there comes from the accelerations at two times ahead. Where these do not agree on it,
    /// the motion is too fast for the step, and where it leads where there are none, the acceleration is
    /// taken as it is.
    fn begin_algorithmic(
        &mut self,
        modes: &mut LagrangianModes,
        model: &NonSmoothDynamicalSystem,
        (t, h): (f64, f64),
        x: &[f64],
        a: &[f64],
    ) {
        let [alpha_m, alpha_f, ..] = self.parameters;
        let (q, v) = x.split_at(a.len());
        self.algorithmic.resize(a.len(), 0.0);
        let is_known = [(LOOK_AHEAD, true), (2.0 * LOOK_AHEAD, false)].into_iter().all(|(part, is_first)| {
            let delta = part * h;
            let state = &mut self.residual;
            state.clear();
            state.extend(q.iter().zip(v).zip(a).map(|((q, v), a)| q + delta * (v + 0.5 * delta * a)));
            state.extend(v.iter().zip(a).map(|(v, a)| v + delta * a));
            let out = if is_first { &mut self.old } else { &mut self.algorithmic };
            modes.accelerations(model, t + delta, state, out).is_ok()
        });
        let (mut difference, mut size) = (0.0, 0.0);
        for ((near, far), a) in self.old.iter().zip(&mut self.algorithmic).zip(a) {
            // The third derivative times h, from the first and from the second time.
            let (from_near, from_far) = ((near - a) / LOOK_AHEAD, (*far - a) / (2.0 * LOOK_AHEAD));
            difference += (from_near - from_far).powi(2);
            size += from_far.powi(2);
            *far = a + (alpha_m - alpha_f) * (2.0 * from_near - from_far);
        }
        if !(is_known && difference <= 0.25 * size) {
            self.algorithmic.copy_from_slice(a);
        }
    }

    /// One step of length h that ends at t, from a state with its acceleration; false where Newton's
    /// iteration does not converge.
    pub(in super::super) fn advance(
        &mut self,
        modes: &mut LagrangianModes,
        model: &NonSmoothDynamicalSystem,
        (t, h): (f64, f64),
        from: (&[f64], &[f64]),
        to: (&mut [f64], &mut [f64]),
        statistics: &mut Statistics,
    ) -> Result<bool, SimulationError> {
        self.predict(h, from);
        let mut point = std::mem::take(&mut modes.trial);
        let solved = self.iterate(modes, model, (t, h), &mut point, statistics);
        let is_solved = matches!(solved, Ok(true));
        if is_solved {
            let (q, v) = to.0.split_at_mut(point.q.len());
            q.copy_from_slice(&point.q);
            v.copy_from_slice(&point.v);
            to.1.copy_from_slice(&self.acceleration);
            let [alpha_m, alpha_f, ..] = self.parameters;
            let new = self.acceleration.iter().zip(&self.old).zip(from.1);
            for (algorithmic, ((new, old), before)) in self.algorithmic.iter_mut().zip(new) {
                *algorithmic = ((1.0 - alpha_f) * new + alpha_f * before - alpha_m * old) / (1.0 - alpha_m);
            }
            self.algorithmic_h = h;
            std::mem::swap(&mut self.forces, &mut self.trial_forces);
        }
        modes.trial = point;
        solved
    }

    /// What positions and velocities are made of, but for the new acceleration.
    fn predict(&mut self, h: f64, (x, a): (&[f64], &[f64])) {
        let [alpha_m, alpha_f, beta, gamma] = self.parameters;
        let (q, v) = x.split_at(a.len());
        // The time for which the algorithmic acceleration stands goes with h.
        let stretch = h / self.algorithmic_h;
        for i in 0..a.len() {
            let old = a[i] + stretch * (self.algorithmic[i] - a[i]);
            let known = (alpha_f * a[i] - alpha_m * old) / (1.0 - alpha_m);
            self.old[i] = old;
            self.q_known[i] = q[i] + h * (v[i] + h * ((0.5 - beta) * old + beta * known));
            self.v_known[i] = v[i] + h * ((1.0 - gamma) * old + gamma * known);
        }
        self.acceleration.copy_from_slice(a);
        self.trial_forces.clear();
        self.trial_forces.extend_from_slice(&self.forces);
    }

    fn iterate(
        &mut self,
        modes: &mut LagrangianModes,
        model: &NonSmoothDynamicalSystem,
        (t, h): (f64, f64),
        point: &mut Point,
        statistics: &mut Statistics,
    ) -> Result<bool, SimulationError> {
        let [alpha_m, alpha_f, beta, gamma] = self.parameters;
        let new = (1.0 - alpha_f) / (1.0 - alpha_m);
        let (to_q, to_v) = (h * h * beta * new, h * gamma * new);
        let (dofs, size) = (self.acceleration.len(), self.residual.len());
        point.t = t;
        let (mut before, mut ratio) = (f64::INFINITY, f64::INFINITY);
        for iteration in 0..self.max_iterations {
            for (i, a) in self.acceleration.iter().enumerate() {
                point.q[i] = self.q_known[i] + to_q * a;
                point.v[i] = self.v_known[i] + to_v * a;
            }
            self.compute_residual(modes, model, (to_q, to_v, self.level_in(h)), point)?;
            statistics.f_evaluations += 1;
            if ratio > SLOW {
                self.compute_matrix(modes, model, (to_v, to_q), point)?;
                statistics.jacobian_evaluations += 1;
                statistics.factorisations += 1;
                // A singular matrix here may be regular for a shorter step.
                if self.lu.factor(square(&self.matrix, size)).is_err() {
                    return Ok(false);
                }
            }
            self.lu.solve(&mut self.residual);
            let (change, change_of_forces) = self.residual.split_at(dofs);
            let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
            for (i, change) in change.iter().enumerate() {
                self.acceleration[i] -= change;
                worst = larger(worst, (to_v * change).abs() / (1.0 + point.v[i].abs()));
                // What a fast motion is made of cancels in it, and leaves its rounding.
                largest = larger(largest, point.q[i].abs().max(self.q_known[i].abs()));
                point.q[i] -= to_q * change;
                point.v[i] -= to_v * change;
            }
            for (force, change) in self.trial_forces.iter_mut().zip(change_of_forces) {
                *force -= change;
            }
            if worst <= self.tolerance.max(ROUNDING * largest / h) {
                return Ok(true);
            }
            // The first ratio is known after two iterations; NaN is refused as well.
            ratio = if iteration == 0 { 0.0 } else { worst / before };
            if !(worst.is_finite() && ratio <= 2.0) {
                return Ok(false);
            }
            before = worst;
        }
        Ok(false)
    }

    /// Where the held contacts are kept closed in a step of length h. In a step that is cut very short,
    /// positions are known to rounding only, and over h squared that is no acceleration; nor do they drift.
    fn level_in(&self, h: f64) -> ConstraintLevel {
        if h < SLIVER * self.h { ConstraintLevel::Velocity } else { self.level }
    }

    /// The equations of motion, and the constraints in the unit of accelerations.
    fn compute_residual(
        &mut self,
        modes: &mut LagrangianModes,
        model: &NonSmoothDynamicalSystem,
        (to_q, to_v, level): (f64, f64, ConstraintLevel),
        point: &mut Point,
    ) -> Result<(), SimulationError> {
        let dofs = self.acceleration.len();
        let (motion, constraints) = self.residual.split_at_mut(dofs);
        for ((entry, mass), tangent) in
            modes.tables.systems.iter().zip(&mut modes.masses).zip(&mut self.tangents)
        {
            let Some(system) = LagrangianRef::of(model.system(entry.id)?) else { continue };
            let (q, v) = (&point.q[entry.positions.clone()], &point.v[entry.dofs.clone()]);
            let out = &mut motion[entry.dofs.clone()];
            mass.forces_into(system, (At::new(point.t, &modes.parameters), q, v), out);
            out.iter_mut().for_each(|force| *force = -*force);
            let a = &self.acceleration[entry.dofs.clone()];
            tangent.add_inertia(system, &modes.parameters, (q, a), out);
        }
        if constraints.is_empty() {
            return Ok(());
        }
        modes.evaluate_jacobians(model, point)?;
        modes.evaluate_outputs(model, point)?;
        let rows = modes.held_rows().zip(constraints).zip(&self.trial_forces);
        for (((interaction, row), constraint), force) in rows {
            *constraint = match level {
                ConstraintLevel::Position => point.y[row] / to_q,
                ConstraintLevel::Velocity => point.y_dot[row] / to_v,
            };
            modes.add_row(interaction, row, -force, motion);
        }
        Ok(())
    }

    /// Newton's matrix: $M + c C + k K$ of each system, bordered by the Jacobian of the constraints.
    fn compute_matrix(
        &mut self,
        modes: &LagrangianModes,
        model: &NonSmoothDynamicalSystem,
        coefficients: (f64, f64),
        point: &Point,
    ) -> Result<(), SimulationError> {
        let (dofs, size) = (self.acceleration.len(), self.residual.len());
        self.matrix.fill(0.0);
        for (entry, tangent) in modes.tables.systems.iter().zip(&mut self.tangents) {
            let Some(system) = LagrangianRef::of(model.system(entry.id)?) else { continue };
            let time = At::new(point.t, &modes.parameters);
            let at = (time, &point.q[entry.positions.clone()], &point.v[entry.dofs.clone()]);
            let target = (&mut self.matrix[..], entry.dofs.start, size);
            tangent.tangent_into(system, at, coefficients, target);
        }
        for (k, (interaction, row)) in (dofs..).zip(modes.held_rows()) {
            modes.add_row(interaction, row, 1.0, &mut self.matrix[k * size..k * size + dofs]);
            for i in 0..dofs {
                self.matrix[i * size + k] = -self.matrix[k * size + i];
            }
        }
        Ok(())
    }
}
