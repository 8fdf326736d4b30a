//! Random bodies and contacts: their inverse masses, Jacobians, and the Delassus matrix.

use ndarray::Array2;

use super::OwnedLaw;
use crate::random::RandomState;

/// How the masses are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Masses {
    Equal,
    /// Half of them are 2^20 times the others.
    TwoScales,
}

/// Degrees of freedom of a body.
const FREEDOMS: usize = 6;

/// Bodies of six degrees of freedom, and contacts between a body and the ground or two of them.
pub(super) struct Bodies {
    /// $H^T$: a row per unknown of a contact, a column per degree of freedom.
    jacobian: Array2<f64>,
    /// One per degree of freedom.
    inverse_masses: Vec<f64>,
}

impl Bodies {
    /// About `per_unknown` degrees of freedom for each unknown.
    pub(super) fn draw(law: &OwnedLaw, per_unknown: f64, masses: Masses, random: &mut RandomState) -> Self {
        let n = law.size();
        let count = ((per_unknown * n as f64 / FREEDOMS as f64).round() as usize).max(1);
        let mut inverse_masses = Vec::new();
        for _ in 0..count {
            let is_heavy = masses == Masses::TwoScales && random.uniform() < 0.5;
            let inverse = if is_heavy { 2.0_f64.powi(-20) } else { 1.0 } * random.between(0.5, 2.0);
            inverse_masses.extend((0..FREEDOMS).map(|_| inverse * random.between(0.8, 1.25)));
        }
        let mut jacobian = Array2::zeros((n, count * FREEDOMS));
        for i in 0..law.blocks() {
            let first = random.integer(0, count as i32 - 1) as usize;
            let second = random.integer(0, count as i32) as usize;
            // The ground, or the same body once more, which is then none.
            let sides = if second < count && second != first { vec![first, second] } else { vec![first] };
            for body in sides {
                for row in law.range(i) {
                    for column in body * FREEDOMS..(body + 1) * FREEDOMS {
                        jacobian[[row, column]] = random.standard_normal();
                    }
                }
            }
        }
        Self { jacobian, inverse_masses }
    }

    /// $H^T M^{-1} H$; with gyroscopic terms, which `random` draws, $M^{-1}$ has a skew part within each body.
    pub(super) fn delassus(&self, random: Option<&mut RandomState>) -> Array2<f64> {
        let is_skew = random.is_some();
        let mut inverse = Array2::from_diag(&ndarray::ArrayView1::from(&self.inverse_masses));
        if let Some(random) = random {
            for body in (0..self.inverse_masses.len()).step_by(FREEDOMS) {
                for i in body..body + FREEDOMS {
                    for j in body..i {
                        let both = (self.inverse_masses[i] * self.inverse_masses[j]).sqrt();
                        let skew = 0.3 * both * random.standard_normal();
                        inverse[[i, j]] = skew;
                        inverse[[j, i]] = -skew;
                    }
                }
            }
        }
        let w = self.jacobian.dot(&inverse).dot(&self.jacobian.t());
        // The products of the two halves are not rounded alike.
        if is_skew { w } else { (&w + &w.t()) * 0.5 }
    }
}

/// Contacts that give a little: a share of 1/1000 to 1 of its mean diagonal on the diagonal of each block. The matrix has
/// full rank afterwards.
pub(super) fn add_compliance(law: &OwnedLaw, w: &mut Array2<f64>, random: &mut RandomState) {
    let share = 10.0_f64.powf(random.between(-3.0, 0.0));
    for i in 0..law.blocks() {
        let range = law.range(i);
        let mean = range.clone().map(|k| w[[k, k]]).sum::<f64>() / range.len() as f64;
        range.for_each(|k| w[[k, k]] += share * mean);
    }
}
