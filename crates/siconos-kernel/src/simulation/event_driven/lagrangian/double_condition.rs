//! Double condition on I_2: selection of the lasting contacts that open. The selection uses the acceleration
//! and the force of each contact, either at the event or a short time later.

use super::{LagrangianModes, MotionPoint};
use crate::nonsmooth_problem::{Blocks, Coefficients, UnitaryIndex};
use crate::simulation::SimulationError;

/// Lookahead time, as a fraction of the time scale of the model.
const LOOK_AHEAD: f64 = 1.0 / 1024.0;
/// Maximum lookahead time, as a fraction of the time until functions of the model can jump.
const PART_OF_REST: f64 = 0.5;

/// Maximum acceleration at the lookahead time that counts as zero, relative to the magnitude of its terms.
const NEGLIGIBLE: f64 = 1e-13;

impl LagrangianModes {
    /// Applies the double condition to I_2 after the problem at acceleration level. A contact with positive
    /// acceleration leaves I_2 and I_1. A contact with a force stays. If both are zero, the next derivative
    /// decides: the problem at acceleration level is solved at the lookahead time, at a state extrapolated
    /// from the present motion. If acceleration and force are zero there as well, the contact stays and is
    /// reported.
    pub(super) fn apply_double_condition(&mut self) -> Result<(), SimulationError> {
        let mut is_undetermined = false;
        for place in self.constraints.places() {
            match self.verdict_now(place) {
                Some(ContactTransition::Opens) => self.open(place),
                Some(ContactTransition::Undetermined) => is_undetermined = true,
                Some(ContactTransition::Stays) | None => {}
            }
        }
        if is_undetermined {
            self.look_ahead()?;
        }
        self.hold()
    }

    fn open(&mut self, place: UnitaryIndex) {
        self.closed[place] = false;
        self.touching[place] = false;
        let name = self.name(place);
        self.outcome.released.push(name);
    }

    /// Applies the double condition to a contact of I_2 at the event. Returns `None` if the contact cannot
    /// open.
    fn verdict_now(&self, place: UnitaryIndex) -> Option<ContactTransition> {
        let may_open = self.closed[place] && !self.is_bilateral(place);
        may_open.then(|| self.verdict(&self.point, place, self.settings.acceleration_tolerance))
    }

    /// Compares the acceleration of a contact with the acceleration that its force produces.
    fn verdict(&self, point: &MotionPoint, place: UnitaryIndex, tolerance: f64) -> ContactTransition {
        let row = self.tables.unitary[place].rows.start().index();
        let response = self.own_response(place);
        let (opening, pressing) = (point.y_ddot[row], response * point.force[row]);
        if opening > tolerance && opening > pressing {
            ContactTransition::Opens
        } else if pressing > tolerance {
            ContactTransition::Stays
        } else {
            ContactTransition::Undetermined
        }
    }

    /// Returns the acceleration of a contact due to a unit of its own force, $J M^{-1} J^T$.
    pub(super) fn own_response(&self, place: UnitaryIndex) -> f64 {
        let row = self.tables.unitary[place].first_row();
        let coefficients = Coefficients::of_jacobian(&self.kinematics.jacobian);
        let blocks = Blocks { tables: &self.tables, delassus: &self.delassus, coefficients, h: 1.0 };
        blocks.entry(row, row)
    }

    /// Returns the magnitude of the terms of a gap acceleration \[m/s2\].
    fn acceleration_size(&self, place: UnitaryIndex, point: &MotionPoint) -> f64 {
        let at = self.tables.unitary[place].first_row();
        // The bound covers all directions, because the forces of other contacts cause rounding errors in all
        // of them.
        let j = self.kinematics.row(&self.tables, at);
        point.convective[at.index()].abs() + j.bound(&point.free_acceleration)
    }

    /// Applies the double condition at the lookahead time to the contacts that have neither acceleration nor
    /// force now.
    fn look_ahead(&mut self) -> Result<(), SimulationError> {
        let left = if self.horizon > self.point.t { self.horizon - self.point.t } else { f64::INFINITY };
        let delta = (LOOK_AHEAD * self.tables.time_scale).min(PART_OF_REST * left);
        // The integrator uses the trial point only between events, so it can be overwritten here.
        let mut ahead = std::mem::take(&mut self.trial);
        ahead.t = self.point.t + delta;
        for (target, source) in [
            (&mut ahead.q, &self.point.q),
            (&mut ahead.v, &self.point.v),
            // Initial guess of the solver.
            (&mut ahead.force, &self.point.force),
        ] {
            target.copy_from_slice(source);
        }
        for ((way, v), a) in self.displacement.iter_mut().zip(&mut ahead.v).zip(&self.point.acceleration) {
            *way = delta * (*v + 0.5 * delta * a);
            *v += delta * a;
        }
        self.displace(&mut ahead);
        let solved = self.solve_acceleration_at(&mut ahead);
        let solved = solved.map(|_| self.decide_by(&ahead));
        self.trial = ahead;
        solved?;
        // Evaluate masses and Jacobians again at the time of the event.
        self.on_point(|it, point| {
            let factored = it.factor_masses(point.t, &point.q);
            it.evaluate_jacobians(point);
            factored
        })
    }

    /// Applies the double condition at the later point `ahead` to the contacts that are undetermined at the
    /// event.
    fn decide_by(&mut self, ahead: &MotionPoint) {
        for place in self.constraints.places() {
            if self.verdict_now(place) != Some(ContactTransition::Undetermined) {
                continue;
            }
            // Values that grow from zero are still small at the lookahead time, so the tolerance covers only
            // rounding errors.
            let size = self.acceleration_size(place, &self.point);
            let tolerance = (NEGLIGIBLE * size).max(f64::MIN_POSITIVE);
            match self.verdict(ahead, place, tolerance) {
                ContactTransition::Opens => self.open(place),
                ContactTransition::Stays => {}
                ContactTransition::Undetermined => {
                    let name = self.name(place);
                    self.outcome.undetermined.push(name);
                }
            }
        }
    }
}

/// Result of the double condition for a contact of I_2.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ContactTransition {
    Opens,
    Stays,
    Undetermined,
}
