//! Tests for matrix classes from their definitions, for small matrices. They are independent of the crate
//! under test.

use ndarray::{Array1, Array2, Axis};
use siconos_numerics::method::MatrixClass;
use siconos_testkit::lcp::KnownLcp;
use siconos_testkit::random::RandomState;

/// Returns the determinant, computed by elimination with partial pivoting.
pub(crate) fn determinant(m: &Array2<f64>) -> f64 {
    let (mut a, n) = (m.clone(), m.nrows());
    let mut determinant = 1.0;
    for k in 0..n {
        let pivot_row = (k..n).fold(k, |best, i| if a[[i, k]].abs() > a[[best, k]].abs() { i } else { best });
        if a[[pivot_row, k]] == 0.0 {
            return 0.0;
        }
        if pivot_row != k {
            determinant = -determinant;
            for j in 0..n {
                a.swap([k, j], [pivot_row, j]);
            }
        }
        determinant *= a[[k, k]];
        for i in k + 1..n {
            let factor = a[[i, k]] / a[[k, k]];
            for j in k..n {
                a[[i, j]] -= factor * a[[k, j]];
            }
        }
    }
    determinant
}

/// Returns all principal minors, with the index sets in binary order.
fn principal_minors(m: &Array2<f64>) -> impl Iterator<Item = f64> {
    (1_u32..1 << m.nrows()).map(|set| {
        let indices: Vec<usize> = (0..m.nrows()).filter(|i| set & (1 << i) != 0).collect();
        determinant(&m.select(Axis(0), &indices).select(Axis(1), &indices))
    })
}

/// Returns `true` if all principal minors are positive.
pub(crate) fn is_p_matrix(m: &Array2<f64>) -> bool {
    principal_minors(m).all(|minor| minor > 1e-9)
}

/// Returns `true` if all principal minors of the symmetric part are nonnegative up to rounding.
pub(crate) fn is_positive_semidefinite(m: &Array2<f64>) -> bool {
    principal_minors(&symmetric_part(m)).all(|minor| minor > -1e-9)
}

/// Returns `true` if the symmetric part is positive definite: all pivots of an elimination are positive.
pub(crate) fn is_positive_definite(m: &Array2<f64>) -> bool {
    let (mut a, n) = (symmetric_part(m), m.nrows());
    for k in 0..n {
        // The smallest pivots of Fathi's matrix are 1, with entries up to 60. No other pivot here is near
        // this bound.
        if a[[k, k]] < 1e-6 {
            return false;
        }
        for i in k + 1..n {
            let factor = a[[i, k]] / a[[k, k]];
            for j in k..n {
                a[[i, j]] -= factor * a[[k, j]];
            }
        }
    }
    true
}

/// Returns `true` if each diagonal entry exceeds the sum of the magnitudes of the other entries in its row.
pub(crate) fn is_dominant(m: &Array2<f64>) -> bool {
    m.rows().into_iter().enumerate().all(|(i, row)| {
        let others: f64 = row.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, x)| x.abs()).sum();
        row[i] > others
    })
}

fn symmetric_part(m: &Array2<f64>) -> Array2<f64> {
    (m + &m.t()) * 0.5
}

/// Returns `true` if the matrix is in the class that the problem names. Some classes need all principal
/// minors, which is feasible up to about 10 rows.
pub(crate) fn is_in_its_class(problem: &KnownLcp) -> bool {
    let m = &problem.m;
    let symmetric = || m == m.t();
    match problem.class {
        MatrixClass::SymmetricPositiveDefinite => symmetric() && is_positive_definite(m),
        MatrixClass::PositiveDefinite => is_positive_definite(m),
        MatrixClass::DiagonallyDominant => is_dominant(m),
        MatrixClass::HMatrix => is_h_matrix(m),
        MatrixClass::PMatrix => is_p_matrix(m),
        MatrixClass::SymmetricPositiveSemidefinite => symmetric() && is_positive_semidefinite(m),
        MatrixClass::PositiveSemidefinite => is_positive_semidefinite(m),
        // All strictly copositive matrices here have no negative entries and a positive diagonal.
        MatrixClass::StrictlyCopositive => m.iter().all(|x| *x >= 0.0) && m.diag().iter().all(|x| *x > 0.0),
        MatrixClass::CopositivePlus => is_not_seen_negative(m),
        MatrixClass::General => true,
        other => panic!("there is no check for `{other}`"),
    }
}

/// Returns `true` if the comparison matrix has positive pivots, so that it is a regular M-matrix. Its entries
/// are the diagonal entries and minus the magnitudes of the other entries.
pub(crate) fn is_h_matrix(m: &Array2<f64>) -> bool {
    let mut a = Array2::from_shape_fn(m.dim(), |(i, j)| if i == j { m[[i, j]] } else { -m[[i, j]].abs() });
    let n = a.nrows();
    for k in 0..n {
        if a[[k, k]] < 1e-9 {
            return false;
        }
        for i in k + 1..n {
            let factor = a[[i, k]] / a[[k, k]];
            for j in k..n {
                a[[i, j]] -= factor * a[[k, j]];
            }
        }
    }
    true
}

/// Returns `false` if x^T M x < 0 for one of many random x >= 0, so that M is not copositive. The result
/// `true` does not prove that M is copositive.
pub(crate) fn is_not_seen_negative(m: &Array2<f64>) -> bool {
    let mut random = RandomState::new(7);
    (0..2000).all(|_| {
        let x = Array1::from_shape_simple_fn(m.nrows(), || random.between(-1.0, 1.0).max(0.0));
        x.dot(&m.dot(&x)) > -1e-9
    })
}
