//! Scales of the error of a problem whose blocks have different laws.

use siconos_linalg::{Components, MatrixRef};

use super::MechanicalLaw;
use crate::box_constraints::Given;

/// Scales of a problem, by row and by set of coupled rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Scales {
    sets: Components,
    /// Scale of the residual of each row.
    of_rows: Vec<f64>,
    /// For each set, the largest |q| over the rows that are violated at z = 0, or over all rows if none is.
    /// `largest_open` holds the largest |q| over the rows that are not violated at z = 0.
    largest_q: Vec<f64>,
    largest_open: Vec<f64>,
    given: Vec<Given>,
    /// Scale of the whole problem.
    whole: f64,
}

/// Returns the bounds of unknown `place` of a block; infinite for equalities and friction.
pub(super) fn bounds(law: &MechanicalLaw, place: usize) -> (f64, f64) {
    match law {
        MechanicalLaw::Complementarity { .. } => (0.0, f64::INFINITY),
        MechanicalLaw::Relay { lower, upper } => (lower[place], upper[place]),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

impl Scales {
    /// Computes the scales. `responses` holds the factors $d_k$ that convert $z_k$ to the unit of $w_k$.
    pub(super) fn find(
        &mut self,
        m: MatrixRef<'_>,
        q: &[f64],
        laws: &[MechanicalLaw],
        starts: &[usize],
        responses: &[f64],
    ) {
        let Self { sets, of_rows, largest_q, largest_open, given, whole } = self;
        sets.begin(q.len());
        starts.windows(2).for_each(|block| (block[0] + 1..block[1]).for_each(|i| sets.join(block[0], i)));
        sets.join_coupled(m, |row| row);
        sets.number();
        let labels = sets.labels();
        given.clear();
        given.resize(sets.count(), Given::default());
        let rows = || {
            let blocks = laws.iter().zip(starts);
            blocks.flat_map(|(law, &first)| (first..first + law.size()).map(move |i| (law, first, i)))
        };
        // A contact that opens without a reaction satisfies its law at z = 0, whatever its tangential
        // velocity, so its rows do not count as violated.
        let bounds_of = |(law, first, i): (&MechanicalLaw, usize, usize)| match law.friction() {
            Some(_) if q[first] >= 0.0 => (f64::NEG_INFINITY, f64::INFINITY, false),
            Some(_) => (f64::NEG_INFINITY, f64::INFINITY, true),
            None => {
                let (lower, upper) = bounds(law, i - first);
                (lower, upper, Given::is_violated(q[i], (lower, upper)))
            }
        };
        for largest in [&mut *largest_q, &mut *largest_open] {
            largest.clear();
            largest.resize(sets.count(), 0.0);
        }
        for row in rows() {
            let (i, set) = (row.2, labels[row.2]);
            let (lower, upper, is_violated) = bounds_of(row);
            given[set].add_as(is_violated, 1.0, responses[i], q[i], (lower, upper));
            let largest = if is_violated { &mut largest_q[set] } else { &mut largest_open[set] };
            *largest = largest.max(q[i].abs());
        }
        for (largest, open) in largest_q.iter_mut().zip(&*largest_open) {
            *largest = if *largest > 0.0 { *largest } else { *open };
        }
        *whole = given.iter().fold(Given::default(), Given::and).scale().unwrap_or(0.0);
        of_rows.clear();
        for row in rows() {
            let set = &given[labels[row.2]];
            let is_open = set.has_violated() && !bounds_of(row).2;
            let own = if is_open { q[row.2] } else { 0.0 };
            of_rows.push(set.scale().unwrap_or(*whole).hypot(own));
        }
    }

    /// Returns the scale of the residual of each row; 0 if the scale of the whole problem is 0.
    pub(super) fn of_rows(&self) -> &[f64] {
        &self.of_rows
    }

    /// Returns the scale of the whole problem; 0 if q = 0 and z = 0 is a solution.
    pub(super) fn whole(&self) -> f64 {
        self.whole
    }

    /// Returns `true` if, in some set, an entry of `terms` exceeds `multiple` times the largest |q| of the
    /// set. `terms` holds the terms of a product with M, row by row.
    pub(super) fn exceed(&self, terms: &[f64], multiple: f64) -> bool {
        let rows = terms.iter().zip(self.sets.labels());
        rows.into_iter().any(|(terms, set)| {
            let q = self.largest_q[*set];
            q > 0.0 && *terms > multiple * q
        })
    }
}
