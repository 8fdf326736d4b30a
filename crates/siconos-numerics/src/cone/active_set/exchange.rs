//! Exchange step of the active-set method, in which a violated row becomes active.

use siconos_linalg::{add_scaled, dot};

use super::super::Inequalities;
use super::{PROOF, PolyhedronActiveSet};

/// A row is treated as independent of the active rows if more than this fraction of its self-response H_i W
/// H_i^T remains after the active rows have been eliminated.
pub(super) const INDEPENDENT: f64 = 1e-11;

/// A row is nearly dependent on the active rows if at most this fraction of its self-response remains. The
/// direction of such a row is corrected repeatedly; `ROUNDS` is the maximum number of times it is computed.
const NEAR: f64 = 1e-3;
const ROUNDS: usize = 3;

/// W is treated as indefinite if the remainder of a self-response is negative and its magnitude exceeds this
/// fraction of the self-response. A smaller negative remainder is a rounding error.
const INDEFINITE: f64 = 1e-8;

/// Outcome of an exchange step.
pub(super) enum Exchange {
    /// The row is now active.
    Holds,
    /// The row is a combination of active rows, and none of these rows can leave the active set.
    Depends,
    /// W is not definite.
    Breaks,
}

impl PolyhedronActiveSet {
    /// Raises the multiplier of row `face` from 0 until the row is satisfied. An active row leaves the active
    /// set when its multiplier reaches 0.
    pub(super) fn drive(
        &mut self,
        rows: &Inequalities,
        face: usize,
        x: &mut [f64],
        iterations: &mut usize,
    ) -> Exchange {
        let (mut force, own) = (0.0, self.responses.own_of(face));
        loop {
            *iterations += 1;
            let rate = self.find_way(rows, face);
            if rate.is_nan() || rate < -INDEFINITE * own {
                return Exchange::Breaks;
            }
            let is_independent = self.bearing.len() < rows.dimension() && rate > INDEPENDENT * own;
            let lack = -rows.gap(face, x);
            let mut shortest = if is_independent { lack.max(0.0) / rate } else { f64::INFINITY };
            let mut leaving = None;
            for (place, (force, change)) in self.forces.iter().zip(&self.changes).enumerate() {
                let length = force / -change;
                let counts = is_independent || self.is_change(place, own);
                if *change < 0.0 && counts && length < shortest {
                    (shortest, leaving) = (length, Some(place));
                }
            }
            if !shortest.is_finite() {
                return Exchange::Depends;
            }
            force += shortest;
            self.forces.iter_mut().zip(&self.changes).for_each(|(force, change)| {
                *force = (*force + shortest * change).max(0.0);
            });
            if is_independent {
                add_scaled(shortest, &self.way, x);
            }
            match leaving {
                Some(place) => self.take_out(place),
                None => {
                    self.take_in(rows, face, rate);
                    self.forces.push(force);
                    return Exchange::Holds;
                }
            }
        }
    }

    /// Computes the directions in which x and the active multipliers change when the multiplier of row `face`
    /// increases. Returns the rate at which the gap of row `face` increases with its multiplier.
    pub(super) fn find_way(&mut self, rows: &Inequalities, face: usize) -> f64 {
        let Self { responses, bearing, column, changes, way, row, inverse, .. } = self;
        let (response, own) = (responses.of(face), responses.own_of(face));
        changes.clear();
        changes.resize(bearing.len(), 0.0);
        way.clear();
        way.extend_from_slice(response);
        let mut rate = own;
        for round in 0..ROUNDS {
            // The rate is a small difference of large values, so its rounding errors are corrected.
            if round > 0 && (rate > NEAR * own || rate.is_nan()) {
                break;
            }
            column.clear();
            column.extend(bearing.iter().map(|other| rows.product(*other, way)));
            inverse.apply(column, row);
            for ((other, change), correction) in bearing.iter().zip(&mut *changes).zip(&*row) {
                *change -= correction;
                add_scaled(-correction, responses.of(*other), way);
            }
            rate = rows.product(face, way);
        }
        rate
    }

    /// Adds a row to the active set. The most recent direction must be the direction of this row. The caller
    /// must add the multiplier.
    pub(super) fn take_in(&mut self, rows: &Inequalities, face: usize, rate: f64) {
        let Self { responses, bearing, column, row, changes, inverse, updates, .. } = self;
        column.clear();
        column.extend(bearing.iter().map(|other| rows.product(face, responses.of(*other))));
        inverse.apply_transposed(column, row);
        inverse.grow(changes, row, rate);
        bearing.push(face);
        *updates += 1;
    }

    /// Removes a row from the active set.
    pub(super) fn take_out(&mut self, place: usize) {
        self.inverse.remove(place, place);
        self.bearing.swap_remove(place);
        self.forces.swap_remove(place);
        self.updates += 1;
    }

    /// Returns `true` if the change of an active multiplier exceeds the level of rounding errors, relative to
    /// the row that enters.
    fn is_change(&self, place: usize, own: f64) -> bool {
        let change = self.changes[place];
        change * change * self.responses.own_of(self.bearing[place]) > PROOF * PROOF * own
    }

    /// Writes a proof that the polyhedron is empty, and returns `true` if the proof is valid. In the proof,
    /// row `face` is a combination of active rows with nonpositive factors, and the bound of row `face` is
    /// too high for this combination.
    pub(super) fn write_certificate(&mut self, rows: &Inequalities, face: usize) -> bool {
        let Self { certificate, bearing, changes, way, sizes, .. } = self;
        certificate.clear();
        certificate.resize(rows.len(), 0.0);
        certificate[face] = 1.0;
        for (other, change) in bearing.iter().zip(changes) {
            certificate[*other] = change.max(0.0);
        }
        let largest = certificate.iter().fold(0.0_f64, |largest, y| largest.max(*y));
        certificate.iter_mut().for_each(|y| *y /= largest);
        // H^T y is compared with the magnitudes of its terms, and so is k . y.
        way.fill(0.0);
        sizes.fill(0.0);
        for (row, y) in certificate.iter().enumerate().filter(|(_, y)| **y > 0.0) {
            rows.add_row(row, *y, way);
            rows.entries(row).for_each(|(column, value)| sizes[column] += y * value.abs());
        }
        let bound = dot(certificate, rows.bounds());
        let terms: f64 = certificate.iter().zip(rows.bounds()).map(|(y, k)| (y * k).abs()).sum();
        let is_proof = way.iter().zip(&*sizes).all(|(sum, terms)| sum.abs() <= PROOF * terms);
        let is_proof = is_proof && bound > PROOF * terms;
        if !is_proof {
            certificate.clear();
        }
        is_proof
    }
}
