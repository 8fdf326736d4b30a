//! Time and state of the motion (`MotionPoint`), and the evaluation of its accelerations without and with the
//! forces of held contacts.

use super::LagrangianModes;
use crate::index::RowIndex;
use crate::integrator::Response;
use crate::model::At;
use crate::nonsmooth_problem::{Blocks, Coefficients, Tables};
use crate::simulation::SimulationError;
use crate::simulation::kinematics::{Configuration, Motion};
use crate::threads::Threads;

/// Time, position, velocity and the values derived from them.
#[derive(Clone, Debug, Default)]
pub(super) struct MotionPoint {
    pub(super) t: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    /// Velocity before the impact of the last event.
    pub(super) v_before: Vec<f64>,
    /// Acceleration without contact forces.
    pub(super) free_acceleration: Vec<f64>,
    /// Acceleration with contact forces.
    pub(super) acceleration: Vec<f64>,
    /// Impulse p\[1\] of the last event.
    pub(super) impulse: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) y_dot: Vec<f64>,
    pub(super) y_ddot: Vec<f64>,
    /// Terms of the acceleration of y that do not contain the acceleration of q.
    pub(super) convective: Vec<f64>,
    /// Percussion lambda\[1\] of the last event.
    pub(super) percussion: Vec<f64>,
    /// Contact force lambda\[2\].
    pub(super) force: Vec<f64>,
    /// Forces of the held contacts, in the order of their rows.
    pub(super) held_force: Vec<f64>,
}

impl MotionPoint {
    pub(super) fn new(tables: &Tables) -> Self {
        let dofs = || vec![0.0; tables.dofs];
        let rows = || vec![0.0; tables.rows.len()];
        Self {
            t: 0.0,
            q: vec![0.0; tables.positions],
            v: dofs(),
            v_before: dofs(),
            free_acceleration: dofs(),
            acceleration: dofs(),
            impulse: dofs(),
            y: rows(),
            y_dot: rows(),
            y_ddot: rows(),
            convective: rows(),
            percussion: rows(),
            force: rows(),
            held_force: Vec::with_capacity(tables.rows.len()),
        }
    }

    /// Sets time, position and velocity.
    pub(super) fn move_to(&mut self, t: f64, x: &[f64]) {
        let (q, v) = x.split_at(self.q.len());
        self.t = t;
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
    }

    /// Copies position and velocity to x.
    pub(super) fn x_into(&self, x: &mut [f64]) {
        let (q, v) = x.split_at_mut(self.q.len());
        q.copy_from_slice(&self.q);
        v.copy_from_slice(&self.v);
    }
}

impl LagrangianModes {
    /// Factorises the mass matrices at the positions `q`, unless they are already factorised.
    pub(super) fn factor_masses(&mut self, t: f64, q: &[f64]) -> Result<(), SimulationError> {
        for (entry, mass) in self.tables.systems.iter().zip(self.masses.iter_mut()) {
            mass.factor(&self.parameters, &q[entry.positions.range()])
                .map_err(|source| SimulationError::SingularMass { system: entry.id, t, source })?;
        }
        Ok(())
    }

    /// Evaluates the acceleration without contact forces.
    pub(super) fn evaluate_free(&mut self, point: &mut MotionPoint) -> Result<(), SimulationError> {
        self.factor_masses(point.t, &point.q)?;
        for (entry, mass) in self.tables.systems.iter().zip(self.masses.iter_mut()) {
            let (q, v) = (&point.q[entry.positions.range()], &point.v[entry.dofs.range()]);
            let a = &mut point.free_acceleration[entry.dofs.range()];
            mass.forces_into(At::new(point.t, &self.parameters), q, v, a);
            mass.respond(a);
        }
        Ok(())
    }

    /// Evaluates the acceleration without contact forces, and with the forces of the held contacts.
    pub(super) fn evaluate_motion(&mut self, point: &mut MotionPoint) -> Result<(), SimulationError> {
        self.evaluate_free(point)?;
        self.evaluate_held(point)
    }

    /// Evaluates the Jacobians that are not constant at the positions of `point`.
    pub(super) fn evaluate_jacobians(&mut self, point: &MotionPoint) {
        let at = At::new(point.t, &self.parameters);
        let here = Configuration { at, q: &point.q };
        self.kinematics.evaluate(&self.tables, &Threads::default(), here);
    }

    /// Evaluates gaps and gap velocities, with the Jacobians of
    /// [`evaluate_jacobians`](Self::evaluate_jacobians).
    pub(super) fn evaluate_outputs(&mut self, point: &mut MotionPoint) {
        let MotionPoint { t, q, v, y, y_dot, .. } = point;
        let motion = Motion { at: At::new(*t, &self.parameters), q, v, lambda: &[] };
        self.kinematics.outputs(&self.tables, &Threads::default(), motion, (y, y_dot));
    }

    /// Evaluates the convective terms of the accelerations of y.
    pub(super) fn evaluate_convective(&mut self, point: &mut MotionPoint) {
        for (place, entry) in self.tables.interactions.entries() {
            if entry.constant {
                continue;
            }
            let at = At::new(point.t, &self.parameters);
            let (scratch, out) = (&mut self.convective[place], &mut point.convective[entry.rows.range()]);
            self.kinematics.convective(&self.tables, place, at, (&point.q, &point.v), scratch, out);
        }
    }

    /// Computes the responses $M^{-1} J^T$ of the held contacts, with the current Jacobians and masses.
    pub(super) fn solve_held_rows(&mut self) {
        let Self { tables, kinematics, delassus, masses, held, constant, .. } = self;
        let coefficients = Coefficients::of_jacobian(&kinematics.jacobian);
        delassus.want(tables, 1.0, *constant, held.rows().iter().copied());
        delassus.solve_wanted(tables, &Threads::default(), masses, coefficients, 1.0);
    }

    /// Gathers the matrix of the held contacts, with the current Jacobians and masses.
    pub(super) fn gather_held_matrix(&mut self) {
        self.solve_held_rows();
        let Self { tables, kinematics, delassus, held, .. } = self;
        let coefficients = Coefficients::of_jacobian(&kinematics.jacobian);
        held.gather(Blocks { tables, delassus, coefficients, h: 1.0 });
    }

    /// Evaluates the forces that keep the held contacts closed, and the acceleration with these forces.
    /// [`evaluate_free`](Self::evaluate_free) must have been called.
    pub(super) fn evaluate_held(&mut self, point: &mut MotionPoint) -> Result<(), SimulationError> {
        point.acceleration.copy_from_slice(&point.free_acceleration);
        point.held_force.clear();
        if self.held.members().is_empty() {
            return Ok(());
        }
        if !self.constant {
            self.evaluate_jacobians(point);
            self.evaluate_convective(point);
        }
        self.factor_held(point.t)?;
        for &place in self.held.rows() {
            let free = self.row_product(place, &point.free_acceleration);
            point.held_force.push(-free - point.convective[place.index()]);
        }
        self.held.solve(&mut point.held_force);
        self.apply(&point.held_force, &mut point.acceleration);
        Ok(())
    }

    /// Adds the responses $M^{-1} J^T \lambda$ of the held contacts to accelerations, velocities, or
    /// displacements in velocity coordinates.
    pub(super) fn apply(&self, multipliers: &[f64], out: &mut [f64]) {
        for (place, multiplier) in self.held.rows().iter().zip(multipliers) {
            self.add_response(*place, *multiplier, out);
        }
    }

    /// Factorises the matrix of the held contacts, with the current Jacobians and masses.
    pub(super) fn factor_held(&mut self, t: f64) -> Result<(), SimulationError> {
        if self.constant && self.is_factorised {
            return Ok(());
        }
        self.gather_held_matrix();
        self.held.factor().map_err(|source| SimulationError::DependentConstraints { t, source })?;
        self.is_factorised = true;
        Ok(())
    }

    /// Returns the product of a row of a Jacobian and a vector over all degrees of freedom.
    pub(super) fn row_product(&self, place: RowIndex, x: &[f64]) -> f64 {
        self.kinematics.row(&self.tables, place).times(x)
    }

    /// Adds the response $M^{-1} J^T \lambda$ of one row.
    pub(super) fn add_response(&self, place: RowIndex, lambda: f64, out: &mut [f64]) {
        self.delassus.response(&self.tables, place).add_to(lambda, out);
    }
}
