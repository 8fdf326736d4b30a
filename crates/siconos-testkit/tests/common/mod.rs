//! Matrix classes by their definitions: slow, and with nothing of the crate under test.

#![allow(dead_code, reason = "each test binary uses a part")]

use ndarray::{Array2, Axis};

/// The determinant, by elimination with partial pivoting.
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

/// All principal minors, of the index sets in binary order.
fn principal_minors(m: &Array2<f64>) -> impl Iterator<Item = f64> {
    (1_u32..1 << m.nrows()).map(|set| {
        let indices: Vec<usize> = (0..m.nrows()).filter(|i| set & (1 << i) != 0).collect();
        determinant(&m.select(Axis(0), &indices).select(Axis(1), &indices))
    })
}

/// All principal minors are positive.
pub(crate) fn is_p_matrix(m: &Array2<f64>) -> bool {
    principal_minors(m).all(|minor| minor > 1e-9)
}

/// All principal minors of the symmetric part are, up to rounding, not negative.
pub(crate) fn is_positive_semidefinite(m: &Array2<f64>) -> bool {
    principal_minors(&symmetric_part(m)).all(|minor| minor > -1e-9)
}

/// The leading principal minors of the symmetric part are positive, by the pivots of elimination.
pub(crate) fn is_positive_definite(m: &Array2<f64>) -> bool {
    let (mut a, n) = (symmetric_part(m), m.nrows());
    for k in 0..n {
        // The pivots of Fathi's matrix are 1 among entries of 60; nothing here comes near this bound otherwise.
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

/// Each diagonal entry exceeds the magnitudes of the rest of its row.
pub(crate) fn is_dominant(m: &Array2<f64>) -> bool {
    m.rows().into_iter().enumerate().all(|(i, row)| {
        let others: f64 = row.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, x)| x.abs()).sum();
        row[i] > others
    })
}

fn symmetric_part(m: &Array2<f64>) -> Array2<f64> {
    (m + &m.t()) * 0.5
}
