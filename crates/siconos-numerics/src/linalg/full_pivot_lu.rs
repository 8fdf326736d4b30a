//! LU factorisation with full pivoting: a solution of a singular system that has one.

use faer::Mat;
use faer::linalg::solvers::FullPivLu;
use ndarray::ArrayView2;

/// Pivots below this times the first one, or beside their rows and columns, are rounding: entries are sums
/// of some terms, in rows of one unit.
pub(super) const ROUNDING_PIVOT: f64 = 1e-12;

/// $P A Q = L U$ with full pivoting (Golub and Van Loan 2013, section 3.4.8), as far as there are pivots.
///
/// Of a system $A x = b$ that has several solutions it finds a basic one: unknowns without a pivot are 0, and
/// equations without a pivot, which repeat others, are passed over. Whether they do is for the caller to see,
/// in the residual.
#[derive(Clone, Debug, Default)]
pub(crate) struct FullPivotLu {
    lu: Option<FullPivLu<f64>>,
    rank: usize,
    sorted: Vec<f64>,
}

impl FullPivotLu {
    /// Factorises a square matrix of finite entries, and says how many pivots it has.
    pub(crate) fn factor(&mut self, a: ArrayView2<'_, f64>) -> usize {
        let lu = Mat::from_fn(a.nrows(), a.ncols(), |i, j| a[[i, j]]).full_piv_lu();
        let u = lu.U();
        let pivots = (0..a.nrows()).map(|k| u[(k, k)].abs());
        let first = u.get(..1, ..1).norm_max();
        self.rank = pivots.take_while(|pivot| *pivot > ROUNDING_PIVOT * first).count();
        self.lu = Some(lu);
        self.rank
    }

    /// Overwrites `b` with a solution of $A x = b$.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        let Some(lu) = &self.lu else { return };
        let (l, u, rank) = (lu.L(), lu.U(), self.rank);
        let (rows, columns) = (lu.P().arrays().0, lu.Q().arrays().0);
        let x = &mut self.sorted;
        x.clear();
        x.extend(rows[..rank].iter().map(|&row| b[row]));
        for i in 0..rank {
            x[i] -= (0..i).map(|k| l[(i, k)] * x[k]).sum::<f64>();
        }
        for i in (0..rank).rev() {
            x[i] = (x[i] - (i + 1..rank).map(|k| u[(i, k)] * x[k]).sum::<f64>()) / u[(i, i)];
        }
        b.fill(0.0);
        columns.iter().zip(&*x).for_each(|(&column, x)| b[column] = *x);
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    #[test]
    fn a_singular_system_that_has_solutions_gets_one() {
        // J J^T of five rows of which two are combinations of the others.
        let mut j = Array2::from_shape_fn((5, 4), |(i, k)| (((3 * i + 2) * (k + 1)) as f64).sin());
        let (fourth, fifth) = (&j.row(0) * 2.0 - j.row(1), &j.row(1) + &j.row(2));
        j.row_mut(3).assign(&fourth);
        j.row_mut(4).assign(&fifth);
        let a = j.dot(&j.t());
        let known = ndarray::arr1(&[1.0, -2.0, 0.5, 3.0, -1.0]);
        let b = a.dot(&known);
        let mut lu = FullPivotLu::default();
        assert_eq!(lu.factor(a.view()), 3);
        let mut x = b.to_vec();
        lu.solve(&mut x);
        let left = a.dot(&ndarray::arr1(&x)) - &b;
        assert!(left.iter().all(|left| left.abs() < 1e-13), "{left}");
        assert_eq!(x.iter().filter(|x| **x == 0.0).count(), 2);
        // A regular one, with rows and columns to be exchanged.
        let a = ndarray::array![[0.0, 2.0, 1.0], [3.0, 0.0, 0.0], [1.0, 1.0, 5.0]];
        assert_eq!(lu.factor(a.view()), 3);
        let mut x = a.dot(&ndarray::arr1(&[1.0, 2.0, 3.0])).to_vec();
        lu.solve(&mut x);
        assert!(x.iter().zip([1.0, 2.0, 3.0]).all(|(x, y)| (x - y).abs() < 1e-14), "{x:?}");
        assert_eq!(lu.factor(Array2::zeros((2, 2)).view()), 0);
        let mut x = [1.0, 2.0];
        lu.solve(&mut x);
        assert_eq!(x, [0.0; 2]);
    }
}
