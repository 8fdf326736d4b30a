//! Whether a matrix is symmetric: asked once per problem, so it must cost less than a product with a vector.

use super::powers::{exponent, power_of_two};
use super::{Csc, MatrixRef};

impl MatrixRef<'_> {
    /// Whether a dense Cholesky factorisation may be tried; sparse LU makes no use of symmetry.
    pub(crate) fn is_dense_symmetric(&self) -> bool {
        matches!(self, Self::Dense(_)) && self.is_symmetric()
    }

    /// Whether the matrix equals its transpose up to 16 units in the last place, of each entry or of the
    /// geometric mean $\sqrt{M_{ii} M_{jj}}$ of the diagonal entries: products such as $A A^T$ round their
    /// entries like that.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        const UNITS: f64 = 16.0 * f64::EPSILON;
        if self.rows() != self.columns() {
            return false;
        }
        match self {
            Self::Dense(a) => {
                let near = |i: usize, j: usize| {
                    let (x, y) = (a[[i, j]], a[[j, i]]);
                    let difference = (x - y).abs();
                    difference <= UNITS * (x.abs() + y.abs())
                        || difference <= UNITS * (a[[i, i]] * a[[j, j]]).sqrt()
                };
                match a.as_slice() {
                    Some(entries) => mirrored_pairs(entries, a.nrows(), near),
                    None => (0..a.nrows()).all(|i| (0..i).all(|j| near(i, j))),
                }
            }
            Self::Diagonal(_) => true,
            Self::BlockCsr(_) => {
                let entries = Csc::from_matrix(*self);
                MatrixRef::Csc(&entries).is_symmetric()
            }
            Self::Csc(a) => {
                let mut mirror = Csc::default();
                mirror.copy_transposed(a);
                let near = |x: f64, y: f64, i: usize, j: usize| {
                    let difference = (x - y).abs();
                    difference <= UNITS * (x.abs() + y.abs())
                        || difference <= UNITS * (a.get(i, i) * a.get(j, j)).sqrt()
                };
                if mirror.starts() == a.starts() && mirror.row_indices() == a.row_indices() {
                    let pairs = |j| a.column(j).zip(mirror.column(j));
                    (0..a.columns()).all(|j| pairs(j).all(|((i, x), (_, y))| near(x, y, i, j)))
                } else {
                    (0..a.columns()).all(|j| a.column(j).all(|(i, x)| near(x, a.get(j, i), i, j)))
                }
            }
        }
    }
}

/// Powers of two that make a matrix exactly symmetric when its rows are multiplied by them, if there are any:
/// of one that is symmetric but for the units of rows and columns. `transposed` is its transpose.
pub(super) fn row_units_of_symmetry(a: &Csc, transposed: &Csc) -> Option<Vec<f64>> {
    if a.starts() != transposed.starts() || a.row_indices() != transposed.row_indices() {
        return None;
    }
    let mut units: Vec<Option<i32>> = vec![None; a.columns()];
    let mut reached = Vec::new();
    for root in 0..a.columns() {
        if units[root].is_some() {
            continue;
        }
        units[root] = Some(0);
        reached.push(root);
        while let Some(i) = reached.pop() {
            let of_i = units[i]?;
            for ((j, a_ji), (_, a_ij)) in a.column(i).zip(transposed.column(i)) {
                let (Some(e_ij), Some(e_ji)) = (exponent(a_ij), exponent(a_ji)) else {
                    // A zero that is stored has none on its other side.
                    if a_ij == a_ji { continue } else { return None }
                };
                let of_j = *units[j].get_or_insert_with(|| {
                    reached.push(j);
                    of_i + e_ij - e_ji
                });
                if a_ij * power_of_two(of_i) != a_ji * power_of_two(of_j) {
                    return None;
                }
            }
        }
    }
    Some(units.into_iter().flatten().map(power_of_two).collect())
}

/// Whether `near` holds for all pairs of mirrored places whose entries differ at all.
///
/// Tile by tile, since one of the two accesses runs down a column.
fn mirrored_pairs(entries: &[f64], n: usize, near: impl Fn(usize, usize) -> bool) -> bool {
    const TILE: usize = 16;
    for top in (0..n).step_by(TILE) {
        for left in (0..=top).step_by(TILE) {
            let columns = left..n.min(left + TILE);
            for i in top..n.min(top + TILE) {
                let columns = columns.start..columns.end.min(i);
                let row = &entries[i * n..][columns.clone()];
                let mirrored = entries[columns.start * n + i..].iter().step_by(n);
                let mut differs = false;
                for (x, y) in row.iter().zip(mirrored) {
                    differs |= x != y;
                }
                if differs && !columns.clone().all(|j| near(i, j)) {
                    return false;
                }
            }
        }
    }
    true
}
