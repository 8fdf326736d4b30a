//! Support of linear relations of first-order systems: the states that a relation reads or acts on, if they
//! are few.

use ndarray::Array2;
use siconos_linalg::Matrix;

/// C and B without the states for which both are zero.
#[derive(Clone, Debug)]
pub(crate) struct Support {
    /// Indices of the remaining states among the states of all systems of the interaction, in increasing
    /// order.
    pub(crate) states: Vec<usize>,
    pub(super) c: Array2<f64>,
    pub(super) b: Array2<f64>,
}

/// Number of states below which all states are kept.
const FEW_STATES: usize = 16;

/// Maximum fraction of states with nonzero coefficients for which the other states are left out.
const SPARSE: f64 = 0.25;

impl Support {
    /// Finds the support of C (`m x N`) and B (`N x m`); `None` if the support is empty or not small, or if
    /// the shapes differ. Wrong shapes are reported when the relation is added to a model.
    pub(super) fn of(c: &Matrix, b: &Matrix) -> Option<Self> {
        let (rows, columns) = (c.rows(), c.columns());
        if columns < FEW_STATES || (b.rows(), b.columns()) != (columns, rows) {
            return None;
        }
        let mut is_used = vec![false; columns];
        c.view().for_each_entry(|_, state, entry| is_used[state] |= entry != 0.0);
        b.view().for_each_entry(|state, _, entry| is_used[state] |= entry != 0.0);
        let states: Vec<_> = (0..columns).filter(|&state| is_used[state]).collect();
        if states.is_empty() || states.len() as f64 > SPARSE * columns as f64 {
            return None;
        }
        let place = |state: usize| states.binary_search(&state).ok();
        let (mut own_c, mut own_b) =
            (Array2::zeros((rows, states.len())), Array2::zeros((states.len(), rows)));
        c.view().for_each_entry(|row, state, entry| {
            if entry != 0.0
                && let Some(place) = place(state)
            {
                own_c[[row, place]] = entry;
            }
        });
        b.view().for_each_entry(|state, row, entry| {
            if entry != 0.0
                && let Some(place) = place(state)
            {
                own_b[[place, row]] = entry;
            }
        });
        Some(Self { states, c: own_c, b: own_b })
    }
}

#[cfg(test)]
mod tests {
    use siconos_linalg::Csc;

    use super::*;

    /// A relation with one row that reads one state and acts on two states. Dense and sparse data have the
    /// same support.
    #[test]
    fn states_without_a_coefficient_are_left_out() {
        let c = Csc::from_triplets(1, 20, [(0, 7, 2.0)]).expect("a row");
        let b = Csc::from_triplets(20, 1, [(3, 0, -1.0), (7, 0, 0.0), (12, 0, 5.0)]).expect("a column");
        let dense = [c.to_dense(), b.to_dense()].map(Matrix::from);
        let sparse = [Matrix::from(c), Matrix::from(b)];
        for [c, b] in [dense, sparse] {
            let support = Support::of(&c, &b).expect("3 of 20 states");
            assert_eq!(support.states, [3, 7, 12]);
            assert_eq!(support.c.as_slice(), Some(&[0.0, 2.0, 0.0][..]));
            assert_eq!(support.b.as_slice(), Some(&[-1.0, 0.0, 5.0][..]));
        }
        let all = Matrix::from(Array2::ones((1, 20)));
        assert!(Support::of(&all, &Matrix::from(Array2::ones((20, 1)))).is_none());
        assert!(Support::of(&all, &all).is_none(), "shapes that do not fit");
    }
}
