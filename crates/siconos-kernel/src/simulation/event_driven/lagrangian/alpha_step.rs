//! Step of the generalised-alpha method (Chung and Hulbert 1993; with constraints: Arnold and Brüls 2007).

use siconos_linalg::{DenseLu, square};
use siconos_ode::Statistics;

use super::super::integrator::{ConstraintLevel, NewmarkAlpha};
use super::{LagrangianModes, MotionPoint};
use crate::integrator::{TangentWorkspace, larger};
use crate::model::At;
use crate::simulation::SimulationError;

/// Time after the start of a step at which accelerations are evaluated to estimate the third derivative of
/// the positions, as a fraction of the step length. A second evaluation follows at twice this time.
const LOOK_AHEAD: f64 = 0.125;

/// Ratio of two successive corrections above which Newton's matrix is factorised again.
const SLOW: f64 = 0.1;

/// Fraction of the regular step length below which the constraints are imposed at velocity level.
const SLIVER: f64 = 1e-3;

/// Relative rounding error of positions. The rounding error of velocities is this error divided by h.
const ROUNDING: f64 = 50.0 * f64::EPSILON;

/// Workspace of a step.
#[derive(Debug, Default)]
pub(in super::super) struct AlphaStep {
    /// Algorithmic acceleration at the start of the step.
    algorithmic: Vec<f64>,
    /// Step length to which the algorithmic acceleration belongs.
    algorithmic_h: f64,
    /// Forces of the held contacts.
    forces: Vec<f64>,
    /// Algorithmic acceleration at the start of the trial step.
    old: Vec<f64>,
    /// Positions at the start of the trial step.
    q_before: Vec<f64>,
    /// Displacement over the trial step without the contribution of the new acceleration.
    way_known: Vec<f64>,
    /// Velocities at the end of the trial step without the contribution of the new acceleration.
    v_known: Vec<f64>,
    /// Acceleration at the end of the trial step.
    acceleration: Vec<f64>,
    /// Forces of the held contacts at the end of the trial step.
    trial_forces: Vec<f64>,
    residual: Vec<f64>,
    matrix: Vec<f64>,
    lu: DenseLu,
    tangents: Vec<TangentWorkspace>,
    /// Model version (`epoch`) for which the tangents were created.
    epoch: Option<u64>,
}

impl AlphaStep {
    /// Restarts the method at the time t, with the state x and the acceleration a.
    pub(in super::super) fn begin(
        &mut self,
        modes: &mut LagrangianModes,
        settings: &NewmarkAlpha,
        t: f64,
        x: &[f64],
        a: &[f64],
    ) {
        if self.epoch != Some(modes.tables.epoch) {
            self.tangents.clear();
            self.tangents.extend(modes.masses.iter().map(TangentWorkspace::new));
            self.epoch = Some(modes.tables.epoch);
        }
        let dofs = a.len();
        self.forces.clear();
        self.forces.extend_from_slice(&modes.trial.held_force);
        let size = dofs + self.forces.len();
        for vector in [&mut self.old, &mut self.way_known, &mut self.v_known, &mut self.acceleration] {
            vector.resize(dofs, 0.0);
        }
        self.matrix.resize(size * size, 0.0);
        self.begin_algorithmic(modes, settings, t, x, a);
        self.residual.resize(size, 0.0);
        self.algorithmic_h = settings.h;
    }

    /// Initialises the algorithmic acceleration, which belongs to a time $(\alpha_m - \alpha_f) h$ after `t`.
    /// The acceleration is extrapolated with the third derivative of the positions, which is estimated twice,
    /// from the accelerations at two later times. If the two estimates disagree because the motion is too
    /// fast for the step length, or if the accelerations cannot be evaluated, the true acceleration at `t` is
    /// used instead.
    fn begin_algorithmic(
        &mut self,
        modes: &mut LagrangianModes,
        settings: &NewmarkAlpha,
        t: f64,
        x: &[f64],
        a: &[f64],
    ) {
        let [alpha_m, alpha_f, ..] = settings.parameters.values();
        let (q, v) = x.split_at(x.len() - a.len());
        self.algorithmic.resize(a.len(), 0.0);
        let is_known = [(LOOK_AHEAD, true), (2.0 * LOOK_AHEAD, false)].into_iter().all(|(part, is_first)| {
            let delta = part * settings.h;
            let (state, way) = (&mut self.residual, &mut self.way_known);
            way.clear();
            way.extend(v.iter().zip(a).map(|(v, a)| delta * (v + 0.5 * delta * a)));
            state.resize(q.len(), 0.0);
            modes.space.advance(q, way, state);
            state.extend(v.iter().zip(a).map(|(v, a)| v + delta * a));
            let out = if is_first { &mut self.old } else { &mut self.algorithmic };
            modes.accelerations(t + delta, state, out).is_ok()
        });
        let (mut difference, mut size) = (0.0, 0.0);
        for ((near, far), a) in self.old.iter().zip(&mut self.algorithmic).zip(a) {
            // Two estimates of the third derivative times h.
            let (from_near, from_far) = ((near - a) / LOOK_AHEAD, (*far - a) / (2.0 * LOOK_AHEAD));
            difference += (from_near - from_far).powi(2);
            size += from_far.powi(2);
            *far = a + (alpha_m - alpha_f) * (2.0 * from_near - from_far);
        }
        if !(is_known && difference <= 0.25 * size) {
            self.algorithmic.copy_from_slice(a);
        }
    }

    /// Takes a step of length h that ends at t. `from` and `to` are the states and accelerations at both
    /// ends. Returns `false` if the Newton iteration does not converge.
    pub(in super::super) fn advance(
        &mut self,
        modes: &mut LagrangianModes,
        settings: &NewmarkAlpha,
        (t, h): (f64, f64),
        from: (&[f64], &[f64]),
        to: (&mut [f64], &mut [f64]),
        statistics: &mut Statistics,
    ) -> Result<bool, SimulationError> {
        self.predict(settings, h, from);
        let solved = modes.on_trial(t, from.0, |modes, point| {
            let solved = self.iterate(modes, settings, h, &mut *point, &mut *statistics);
            point.x_into(to.0);
            solved
        });
        if let Ok(true) = solved {
            to.1.copy_from_slice(&self.acceleration);
            let [alpha_m, alpha_f, ..] = settings.parameters.values();
            let new = self.acceleration.iter().zip(&self.old).zip(from.1);
            for (algorithmic, ((new, old), before)) in self.algorithmic.iter_mut().zip(new) {
                *algorithmic = ((1.0 - alpha_f) * new + alpha_f * before - alpha_m * old) / (1.0 - alpha_m);
            }
            self.algorithmic_h = h;
            std::mem::swap(&mut self.forces, &mut self.trial_forces);
        }
        solved
    }

    /// Computes displacements and velocities without the contribution of the new acceleration.
    fn predict(&mut self, settings: &NewmarkAlpha, h: f64, (x, a): (&[f64], &[f64])) {
        let [alpha_m, alpha_f, beta, gamma] = settings.parameters.values();
        let (q, v) = x.split_at(x.len() - a.len());
        self.q_before.clear();
        self.q_before.extend_from_slice(q);
        // The offset of the algorithmic acceleration in time is proportional to h.
        let stretch = h / self.algorithmic_h;
        for i in 0..a.len() {
            let old = a[i] + stretch * (self.algorithmic[i] - a[i]);
            let known = (alpha_f * a[i] - alpha_m * old) / (1.0 - alpha_m);
            self.old[i] = old;
            self.way_known[i] = h * (v[i] + h * ((0.5 - beta) * old + beta * known));
            self.v_known[i] = v[i] + h * ((1.0 - gamma) * old + gamma * known);
        }
        self.acceleration.copy_from_slice(a);
        self.trial_forces.clear();
        self.trial_forces.extend_from_slice(&self.forces);
    }

    fn iterate(
        &mut self,
        modes: &mut LagrangianModes,
        settings: &NewmarkAlpha,
        h: f64,
        point: &mut MotionPoint,
        statistics: &mut Statistics,
    ) -> Result<bool, SimulationError> {
        let [alpha_m, alpha_f, beta, gamma] = settings.parameters.values();
        let new = (1.0 - alpha_f) / (1.0 - alpha_m);
        let (to_q, to_v) = (h * h * beta * new, h * gamma * new);
        let (dofs, size) = (self.acceleration.len(), self.residual.len());
        let level = level_in(settings, h);
        let (mut before, mut ratio) = (f64::INFINITY, f64::INFINITY);
        for iteration in 0..settings.max_iterations {
            for (i, a) in self.acceleration.iter().enumerate() {
                modes.displacement[i] = self.way_known[i] + to_q * a;
                point.v[i] = self.v_known[i] + to_v * a;
            }
            modes.space.advance(&self.q_before, &modes.displacement, &mut point.q);
            self.compute_residual(modes, to_q, to_v, level, point)?;
            statistics.f_evaluations += 1;
            if ratio > SLOW {
                self.compute_matrix(modes, (to_v, to_q), point)?;
                statistics.jacobian_evaluations += 1;
                statistics.factorisations += 1;
                // If the matrix is singular, a shorter step can have a regular matrix.
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
                modes.displacement[i] -= to_q * change;
                point.v[i] -= to_v * change;
                // The rounding error follows from the largest term, because terms can cancel.
                largest = larger(largest, self.way_known[i].abs());
            }
            largest = point.q.iter().fold(largest, |largest, q| larger(largest, q.abs()));
            modes.space.advance(&self.q_before, &modes.displacement, &mut point.q);
            for (force, change) in self.trial_forces.iter_mut().zip(change_of_forces) {
                *force -= change;
            }
            if worst <= settings.tolerance.max(ROUNDING * largest / h) {
                return Ok(true);
            }
            // The ratio of corrections is known after two iterations. The iteration also ends if the
            // correction is NaN.
            ratio = if iteration == 0 { 0.0 } else { worst / before };
            if !(worst.is_finite() && ratio <= 2.0) {
                return Ok(false);
            }
            before = worst;
        }
        Ok(false)
    }

    /// Computes the residuals of the equations of motion and of the constraints. The constraints are scaled
    /// to accelerations.
    fn compute_residual(
        &mut self,
        modes: &mut LagrangianModes,
        to_q: f64,
        to_v: f64,
        level: ConstraintLevel,
        point: &mut MotionPoint,
    ) -> Result<(), SimulationError> {
        let dofs = self.acceleration.len();
        let (motion, constraints) = self.residual.split_at_mut(dofs);
        for ((entry, mass), tangent) in
            modes.tables.systems.iter().zip(modes.masses.iter_mut()).zip(&mut self.tangents)
        {
            let (q, v) = (&point.q[entry.positions.range()], &point.v[entry.dofs.range()]);
            let out = &mut motion[entry.dofs.range()];
            mass.forces_into(At::new(point.t, &modes.parameters), q, v, out);
            out.iter_mut().for_each(|force| *force = -*force);
            let a = &self.acceleration[entry.dofs.range()];
            tangent.add_inertia(&modes.parameters, (q, a), out);
        }
        if constraints.is_empty() {
            return Ok(());
        }
        modes.evaluate_jacobians(point);
        modes.evaluate_outputs(point);
        let rows = modes.held.rows().iter().zip(constraints).zip(&self.trial_forces);
        for ((&at, constraint), force) in rows {
            *constraint = match level {
                ConstraintLevel::Position => point.y[at.index()] / to_q,
                ConstraintLevel::Velocity => point.y_dot[at.index()] / to_v,
            };
            modes.kinematics.row(&modes.tables, at).add_to(-force, motion);
        }
        Ok(())
    }

    /// Computes Newton's matrix. It consists of $M + c C + k K$ of each system, bordered by the Jacobian of
    /// the constraints.
    fn compute_matrix(
        &mut self,
        modes: &LagrangianModes,
        coefficients: (f64, f64),
        point: &MotionPoint,
    ) -> Result<(), SimulationError> {
        let (dofs, size) = (self.acceleration.len(), self.residual.len());
        self.matrix.fill(0.0);
        for (entry, tangent) in modes.tables.systems.iter().zip(&mut self.tangents) {
            let at = At::new(point.t, &modes.parameters);
            let motion = (&point.q[entry.positions.range()], &point.v[entry.dofs.range()]);
            let first = entry.dofs.range().start;
            tangent.tangent_into(at, motion, coefficients, &mut self.matrix, first, size);
        }
        for (k, &place) in (dofs..).zip(modes.held.rows()) {
            let j = modes.kinematics.row(&modes.tables, place);
            j.add_to(1.0, &mut self.matrix[k * size..k * size + dofs]);
            for i in 0..dofs {
                self.matrix[i * size + k] = -self.matrix[k * size + i];
            }
        }
        Ok(())
    }
}

/// Returns the level at which the constraints are imposed in a step of length h. In a very short step,
/// positions are known only up to rounding error, so that a division by $h^2$ gives no useful acceleration.
/// The velocity level is then used. The drift of the positions in such a step is negligible.
fn level_in(settings: &NewmarkAlpha, h: f64) -> ConstraintLevel {
    if h < SLIVER * settings.h { ConstraintLevel::Velocity } else { settings.level }
}
