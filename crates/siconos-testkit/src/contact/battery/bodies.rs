//! Random bodies and contacts: inverse masses, Jacobians, and the Delassus matrix.

use ndarray::{Array2, ArrayView1, Axis, concatenate};
use siconos_numerics::contact::ContactLawData;

use crate::random::RandomState;

/// Distribution of the masses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Masses {
    Equal,
    /// Half of the masses are $2^{20}$ times as large as the others.
    TwoScales,
}

/// Number of degrees of freedom of a body.
const FREEDOMS: usize = 6;

/// Bodies with six degrees of freedom, and contacts between two bodies or between a body and the ground.
#[derive(Clone, Debug)]
pub(super) struct Bodies {
    /// $H^T$, with a row for each unknown of the contacts and a column for each degree of freedom of the
    /// bodies.
    pub(super) jacobian: Array2<f64>,
    /// $M^{-1}$.
    pub(super) inverse: Array2<f64>,
}

impl Bodies {
    /// Draws bodies with about `per_unknown` degrees of freedom for each unknown of the contacts.
    pub(super) fn draw(
        law: &ContactLawData,
        per_unknown: f64,
        masses: Masses,
        random: &mut RandomState,
    ) -> Self {
        let n = law.view().size();
        let count = ((per_unknown * n as f64 / FREEDOMS as f64).round() as usize).max(1);
        let mut inverse_masses = Vec::new();
        for _ in 0..count {
            let is_heavy = masses == Masses::TwoScales && random.uniform() < 0.5;
            let inverse = if is_heavy { 2.0_f64.powi(-20) } else { 1.0 } * random.between(0.5, 2.0);
            inverse_masses.extend((0..FREEDOMS).map(|_| inverse * random.between(0.8, 1.25)));
        }
        let mut jacobian = Array2::zeros((n, count * FREEDOMS));
        for i in 0..law.view().blocks() {
            let first = random.integer(0, count as i32 - 1) as usize;
            let second = random.integer(0, count as i32) as usize;
            // The contact is with the ground if the second index is past the last body or equals the first
            // index.
            let sides = if second < count && second != first { vec![first, second] } else { vec![first] };
            for body in sides {
                for row in law.view().range(i) {
                    for column in body * FREEDOMS..(body + 1) * FREEDOMS {
                        jacobian[[row, column]] = random.standard_normal();
                    }
                }
            }
        }
        Self { jacobian, inverse: Array2::from_diag(&ArrayView1::from(&inverse_masses)) }
    }

    /// Adds a skew part to the block of each body in $M^{-1}$, as gyroscopic terms do.
    pub(super) fn add_gyroscopes(&mut self, random: &mut RandomState) {
        for body in (0..self.inverse.nrows()).step_by(FREEDOMS) {
            for i in body..body + FREEDOMS {
                for j in body..i {
                    let both = (self.inverse[[i, i]] * self.inverse[[j, j]]).sqrt();
                    let skew = 0.3 * both * random.standard_normal();
                    self.inverse[[i, j]] = skew;
                    self.inverse[[j, i]] = -skew;
                }
            }
        }
    }

    /// Returns $H^T M^{-1} H$.
    pub(super) fn delassus(&self) -> Array2<f64> {
        let w = self.jacobian.dot(&self.inverse).dot(&self.jacobian.t());
        let is_symmetric = self.inverse.indexed_iter().all(|((i, j), x)| *x == self.inverse[[j, i]]);
        // The product is not exactly symmetric because of rounding errors.
        if is_symmetric { (&w + &w.t()) * 0.5 } else { w }
    }

    /// Adds a degree of freedom for each unknown of the contacts. It has the given inverse mass and affects
    /// only this unknown.
    pub(super) fn add_compliance(&mut self, compliance: &[f64]) {
        let (n, freedoms) = self.jacobian.dim();
        self.jacobian = concatenate![Axis(1), self.jacobian, Array2::eye(n)];
        let mut inverse = Array2::zeros((freedoms + n, freedoms + n));
        inverse.slice_mut(ndarray::s![..freedoms, ..freedoms]).assign(&self.inverse);
        compliance.iter().enumerate().for_each(|(k, c)| inverse[[freedoms + k, freedoms + k]] = *c);
        self.inverse = inverse;
    }

    /// Multiplies the rows of the Jacobian by factors.
    pub(super) fn scale_rows(&mut self, factor: impl Fn(usize) -> f64) {
        for (k, mut row) in self.jacobian.rows_mut().into_iter().enumerate() {
            row.mapv_inplace(|x| x * factor(k));
        }
    }
}

/// Adds compliance to the contacts, so that the matrix has full rank. The value added to the diagonal of a
/// block is a fraction, between 1/1000 and 1, of the mean diagonal of the block. Returns the added values.
pub(super) fn add_compliance(
    law: &ContactLawData,
    w: &mut Array2<f64>,
    random: &mut RandomState,
) -> Vec<f64> {
    let share = 10.0_f64.powf(random.between(-3.0, 0.0));
    let mut added = vec![0.0; law.view().size()];
    for i in 0..law.view().blocks() {
        let range = law.view().range(i);
        let mean = range.clone().map(|k| w[[k, k]]).sum::<f64>() / range.len() as f64;
        range.for_each(|k| {
            added[k] = share * mean;
            w[[k, k]] += added[k];
        });
    }
    added
}
