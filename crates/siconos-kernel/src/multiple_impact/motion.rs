//! Motion during an impact in scaled variables: velocities, A and the forces have magnitudes near 1.

use siconos_linalg::{DenseCholesky, MatrixRef, exponent, power_of_two};

use super::ImpactContact;

/// Phase of a contact within the impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not compressed and not approaching.
    Open,
    Compressing,
    Expanding,
}

/// Bound of the rounding error of a scaled velocity.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Threshold for neglecting the energy stored in a contact. The energy is neglected if it corresponds to a
/// velocity below this value, because the impulse of this energy is below the rounding error of the total
/// impulse.
const SMALLEST: f64 = 16.0 * ROUNDING;

/// Number of closings of one contact after which the impact is checked for an inelastic collapse. In an
/// impact without a collapse, a contact closes about three times.
const CLOSINGS: usize = 64;

/// Minimum number of closings for any other contact to count as part of the collapse.
const CLOSINGS_OF_OTHERS: usize = 4;

/// State of all contacts, and the workspace of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Motion {
    contacts: Vec<ImpactContact>,
    /// Scaled stiffness of each contact.
    stiffness: Vec<f64>,
    velocity_before: Vec<f64>,
    /// Factor that scales A, a power of two.
    per_matrix: f64,
    /// Velocity that is scaled to 1, a power of two.
    velocity_unit: f64,
    pub(super) phase: Vec<Phase>,
    velocity: Vec<f64>,
    impulse: Vec<f64>,
    compression: Vec<f64>,
    /// Total energy that each contact has stored in its completed compressions.
    put_in: Vec<f64>,
    /// Energy that was still stored in each contact at the start of its present compression.
    put_in_before: Vec<f64>,
    /// Number of times that each contact has closed after being open.
    closings: Vec<usize>,
    /// Energy removed by an inelastic collapse.
    collapsed: f64,
    collapse: Collapse,
    diagonal: Vec<f64>,
    rates: [Vec<f64>; 4],
    trial: [Vec<f64>; 3],
}

/// Workspace for an inelastic collapse.
#[derive(Clone, Debug, Default)]
struct Collapse {
    /// Indices of the contacts in the collapse.
    contacts: Vec<usize>,
    /// For each contact, its position in `contacts`; `None` if it is not in the collapse.
    places: Vec<Option<usize>>,
    matrix: DenseCholesky,
    impulse: Vec<f64>,
}

impl Motion {
    /// Starts an impact. `velocity` contains the relative velocities before the impact.
    pub(super) fn begin(&mut self, a: MatrixRef<'_>, contacts: &[ImpactContact], velocity: &[f64]) {
        let n = contacts.len();
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
        let Self { velocity_before, impulse, compression, put_in, put_in_before, diagonal, .. } = self;
        for vector in [velocity_before, impulse, compression, put_in, put_in_before, diagonal] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        a.for_each_entry(|i, j, x| {
            if i == j {
                self.diagonal[i] += x;
            }
        });
        let unit = |values: &[f64]| {
            let largest = values.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
            exponent(largest).map_or(1.0, power_of_two)
        };
        self.per_matrix = 1.0 / unit(&self.diagonal);
        self.velocity_unit = unit(velocity);
        for (own, x) in self.velocity_before.iter_mut().zip(velocity) {
            *own = x / self.velocity_unit;
        }
        self.diagonal.iter_mut().for_each(|x| *x *= self.per_matrix);
        self.velocity.clone_from(&self.velocity_before);
        self.closings.clear();
        self.closings.resize(n, 0);
        self.collapsed = 0.0;
        self.phase.clear();
        let approaches = |&u: &f64| if u < -ROUNDING { Phase::Compressing } else { Phase::Open };
        self.phase.extend(self.velocity.iter().map(approaches));
        self.take_stiffnesses();
    }

    /// Scales the stiffnesses so that the contact with the largest approach velocity has stiffness 1. For
    /// equal exponents the results are the ratios of the stiffnesses; for different exponents they also
    /// depend on the length scale of the compression.
    fn take_stiffnesses(&mut self) {
        let fastest = (0..self.contacts.len()).min_by(|&i, &j| self.velocity[i].total_cmp(&self.velocity[j]));
        let Some(reference) = fastest.map(|i| self.contacts[i]) else { return };
        let energy = self.velocity_unit * self.velocity_unit * self.per_matrix;
        let length = (energy / reference.stiffness).powf(1.0 / (reference.exponent + 1.0));
        let in_unit = |contact: &ImpactContact| {
            let ratio = contact.stiffness / reference.stiffness;
            match contact.exponent == reference.exponent {
                true => ratio,
                false => ratio * length.powf(contact.exponent - reference.exponent),
            }
        };
        self.stiffness.clear();
        self.stiffness.extend(self.contacts.iter().map(in_unit));
    }

    /// Returns `true` if all contacts are open. A contact also counts as open if its velocity and the energy
    /// of its compression are at the level of rounding errors, because a spring with an exponent above 1 can
    /// need infinite time to open.
    pub(super) fn has_ended(&self) -> bool {
        let is_open = |i: usize| self.phase[i] == Phase::Open;
        let is_still = |i: usize| {
            self.velocity[i].abs() <= ROUNDING
                && 2.0 * self.diagonal[i] * self.stored(i).abs() <= SMALLEST * SMALLEST
        };
        let all = 0..self.phase.len();
        all.clone().all(is_open)
            || all.clone().all(|i| self.velocity[i] >= -ROUNDING && (is_open(i) || is_still(i)))
    }

    /// Returns `true` if bodies approach at a contact where no impulse can change the velocity.
    pub(super) fn is_stuck(&self) -> bool {
        let mut phases = self.phase.iter().zip(&self.diagonal);
        phases.any(|(phase, a)| *phase == Phase::Compressing && (*a <= 0.0 || a.is_nan()))
    }

    /// Returns an upper bound of the angular frequencies of the motion, from the Gershgorin circles of A
    /// times the diagonal matrix of contact stiffnesses. The stiffness of a contact is evaluated at its
    /// present compression or at its predicted largest compression, whichever is larger.
    pub(super) fn frequency(&mut self, a: MatrixRef<'_>) -> f64 {
        let Self { contacts, stiffness, phase, velocity, compression, diagonal, trial, per_matrix, .. } =
            self;
        let [sums, tangents, _] = trial;
        sums.clear();
        sums.resize(contacts.len(), 0.0);
        tangents.clear();
        for (j, contact) in contacts.iter().enumerate() {
            let eta = contact.exponent;
            let tangent = || match eta {
                1.0 => stiffness[j],
                _ => {
                    let energy = 0.5 * velocity[j] * velocity[j] / diagonal[j];
                    let ahead = ((eta + 1.0) * energy / stiffness[j]).powf(1.0 / (eta + 1.0));
                    stiffness[j] * eta * compression[j].max(ahead).powf(eta - 1.0)
                }
            };
            tangents.push(match phase[j] {
                Phase::Open => 0.0,
                Phase::Compressing => tangent(),
                Phase::Expanding => tangent() / (contact.restitution * contact.restitution),
            });
        }
        a.for_each_entry(|i, j, x| sums[i] += (x * *per_matrix).abs() * tangents[j]);
        sums.iter().fold(0.0_f64, |largest, sum| largest.max(*sum)).sqrt()
    }

    /// Advances by at most the time `h`, up to the first change of phase, and applies this change. Returns
    /// `false` if the motion is not finite.
    pub(super) fn advance(&mut self, a: MatrixRef<'_>, h: f64) -> bool {
        self.try_step(a, h);
        let [velocity, impulse, compression] = &self.trial;
        if velocity.iter().chain(impulse).chain(compression).any(|x| !x.is_finite()) {
            return false;
        }
        if self.changes() {
            let (mut before, mut behind) = (0.0, h);
            while behind - before > 4.0 * f64::EPSILON * h {
                let middle = 0.5 * (before + behind);
                self.try_step(a, middle);
                if self.changes() { behind = middle } else { before = middle }
            }
            self.try_step(a, behind);
        }
        let [velocity, impulse, compression] = &mut self.trial;
        std::mem::swap(&mut self.velocity, velocity);
        std::mem::swap(&mut self.impulse, impulse);
        std::mem::swap(&mut self.compression, compression);
        let mut may_collapse = false;
        for i in 0..self.phase.len() {
            let was_open = self.phase[i] == Phase::Open;
            self.change_phase(i);
            if was_open && self.phase[i] == Phase::Compressing {
                self.closings[i] += 1;
                may_collapse |= self.closings[i].is_multiple_of(CLOSINGS);
            }
        }
        if may_collapse {
            self.collapse(a);
        }
        true
    }

    /// Ends an inelastic collapse (see the [module](super)). Computes the impulses that make the velocities
    /// of the contacts in the collapse zero, and applies them if all of them are positive and the other
    /// contacts are open and stay open.
    fn collapse(&mut self, a: MatrixRef<'_>) {
        let Self { collapse, closings, phase, velocity, per_matrix, .. } = self;
        let Collapse { contacts, places, matrix, impulse } = collapse;
        contacts.clear();
        contacts.extend((0..phase.len()).filter(|&i| closings[i] >= CLOSINGS_OF_OTHERS));
        places.clear();
        places.resize(phase.len(), None);
        contacts.iter().enumerate().for_each(|(place, &i)| places[i] = Some(place));
        if phase.iter().zip(&*places).any(|(phase, place)| place.is_none() && *phase != Phase::Open) {
            return;
        }
        let n = contacts.len();
        let entries = matrix.entries_mut(n);
        entries.fill(0.0);
        a.for_each_entry(|i, j, x| {
            if let (Some(i), Some(j)) = (places[i], places[j]) {
                entries[j * n + i] += x * *per_matrix;
            }
        });
        impulse.clear();
        impulse.extend(contacts.iter().map(|&i| -velocity[i]));
        if matrix.factor().is_err() {
            return;
        }
        matrix.solve(impulse);
        if !impulse.iter().all(|p| *p > 0.0) {
            return;
        }
        let [trial_velocity, trial_impulse, _] = &mut self.trial;
        trial_impulse.copy_from_slice(&self.impulse);
        contacts.iter().zip(&*impulse).for_each(|(&i, p)| trial_impulse[i] += p);
        trial_velocity.copy_from_slice(&self.velocity_before);
        a.add_product(self.per_matrix, trial_impulse, trial_velocity);
        contacts.iter().for_each(|&i| trial_velocity[i] = 0.0);
        if trial_velocity.iter().any(|u| *u < -ROUNDING) {
            return;
        }
        let kinetic: f64 = contacts.iter().zip(impulse).map(|(&i, p)| -0.5 * *p * self.velocity[i]).sum();
        self.collapsed = kinetic + (0..self.phase.len()).map(|i| self.stored(i)).sum::<f64>();
        let [trial_velocity, trial_impulse, _] = &mut self.trial;
        std::mem::swap(&mut self.velocity, trial_velocity);
        std::mem::swap(&mut self.impulse, trial_impulse);
        self.phase.fill(Phase::Open);
        self.compression.fill(0.0);
    }

    /// Returns the energy that is stored in a contact and not yet counted as lost. During compression, this
    /// includes the energy that the contact will lose.
    fn stored(&self, i: usize) -> f64 {
        let ImpactContact { exponent, restitution, .. } = self.contacts[i];
        let own = self.stiffness[i] * self.compression[i].max(0.0).powf(exponent + 1.0) / (exponent + 1.0);
        let given_back = restitution * restitution;
        match self.phase[i] {
            Phase::Open => 0.0,
            Phase::Compressing => own - (1.0 - given_back) * self.put_in_before[i],
            Phase::Expanding => given_back * own,
        }
    }

    /// Returns `true` if a contact changes its phase in the trial step.
    fn changes(&self) -> bool {
        let [velocity, _, compression] = &self.trial;
        (0..self.phase.len()).any(|i| next_phase(self.phase[i], velocity[i], compression[i]).is_some())
    }

    fn change_phase(&mut self, i: usize) {
        let Some(next) = next_phase(self.phase[i], self.velocity[i], self.compression[i]) else { return };
        let ImpactContact { exponent, restitution, .. } = self.contacts[i];
        let energy = |stiffness: f64, compression: f64| {
            stiffness * compression.max(0.0).powf(exponent + 1.0) / (exponent + 1.0)
        };
        let own = energy(self.stiffness[i], self.compression[i]);
        self.phase[i] = next;
        match next {
            Phase::Compressing => self.put_in_before[i] = own,
            Phase::Expanding => {
                self.put_in[i] += own - self.put_in_before[i];
                if restitution == 0.0 {
                    (self.phase[i], self.compression[i]) = (Phase::Open, 0.0);
                }
            }
            Phase::Open => self.compression[i] = 0.0,
        }
    }

    /// Takes a trial step of length `h` with the classical Runge-Kutta method, without changes of phase: P' =
    /// F(delta); delta' = -u, or -u / e^2 in expansion; u = u_0 + A P.
    fn try_step(&mut self, a: MatrixRef<'_>, h: f64) {
        let n = self.phase.len();
        for vector in self.rates.iter_mut().chain(&mut self.trial) {
            vector.resize(n, 0.0);
        }
        // Weighted sums of the rates of impulse and compression, and the rates at the latest stage.
        let Self { rates: [sum_p, sum_d, rate_p, rate_d], .. } = self;
        for vector in [sum_p, sum_d, rate_p, rate_d] {
            vector.fill(0.0);
        }
        for (weight, part) in [(1.0, 0.0), (2.0, 0.5), (2.0, 0.5), (1.0, 1.0)] {
            self.move_trial_by(h * part, 2);
            self.write_velocity(a);
            self.write_rates();
            let [sum_p, sum_d, rate_p, rate_d] = &mut self.rates;
            for (sum, rate) in sum_p.iter_mut().zip(rate_p).chain(sum_d.iter_mut().zip(rate_d)) {
                *sum += weight / 6.0 * *rate;
            }
        }
        self.move_trial_by(h, 0);
        self.write_velocity(a);
    }

    /// Sets impulse and compression of the trial step to their current values plus `h` times the rates in
    /// `rates[first]` and `rates[first + 1]`.
    fn move_trial_by(&mut self, h: f64, first: usize) {
        let [_, impulse, compression] = &mut self.trial;
        for (i, own) in impulse.iter_mut().enumerate() {
            *own = self.impulse[i] + h * self.rates[first][i];
            compression[i] = self.compression[i] + h * self.rates[first + 1][i];
        }
    }

    fn write_velocity(&mut self, a: MatrixRef<'_>) {
        let [velocity, impulse, _] = &mut self.trial;
        velocity.copy_from_slice(&self.velocity_before);
        a.add_product(self.per_matrix, impulse, velocity);
    }

    fn write_rates(&mut self) {
        let [velocity, _, compression] = &self.trial;
        let [_, _, rate_p, rate_d] = &mut self.rates;
        for (i, contact) in self.contacts.iter().enumerate() {
            let pressed = compression[i].max(0.0);
            let force = match contact.exponent {
                1.0 => self.stiffness[i] * pressed,
                eta => self.stiffness[i] * pressed.powf(eta),
            };
            (rate_p[i], rate_d[i]) = match self.phase[i] {
                Phase::Open => (0.0, 0.0),
                Phase::Compressing => (force, -velocity[i]),
                Phase::Expanding => (force, -velocity[i] / (contact.restitution * contact.restitution)),
            };
        }
    }

    /// Writes the impulses and the velocities after the impact, converted back from the scaled variables.
    pub(super) fn write(&self, velocity: &mut [f64], impulse: &mut [f64]) {
        let impulse_unit = self.velocity_unit * self.per_matrix;
        for i in 0..velocity.len() {
            velocity[i] = self.velocity_unit * self.velocity[i];
            impulse[i] = impulse_unit * self.impulse[i];
        }
    }

    /// Returns the error of the integration: the difference between the change of kinetic energy due to the
    /// impulses and the energy dissipated at the contacts, relative to the stored energy.
    pub(super) fn energy_error(&self) -> f64 {
        let (mut off, mut size) = (self.collapsed, self.collapsed);
        for (i, contact) in self.contacts.iter().enumerate() {
            off += 0.5 * self.impulse[i] * (self.velocity[i] + self.velocity_before[i]);
            off += (1.0 - contact.restitution * contact.restitution) * self.put_in[i];
            size += self.put_in[i];
        }
        if size > 0.0 { off.abs() / size } else { off.abs() }
    }
}

/// Returns the next phase of a contact, or `None` if the phase does not change.
fn next_phase(phase: Phase, velocity: f64, compression: f64) -> Option<Phase> {
    match phase {
        Phase::Open => (velocity < -ROUNDING).then_some(Phase::Compressing),
        Phase::Compressing => (velocity > 0.0).then_some(Phase::Expanding),
        Phase::Expanding if compression <= 0.0 => Some(match velocity < -ROUNDING {
            true => Phase::Compressing,
            false => Phase::Open,
        }),
        Phase::Expanding => (velocity < 0.0).then_some(Phase::Compressing),
    }
}
