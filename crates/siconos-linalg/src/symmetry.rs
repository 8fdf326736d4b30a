//! Symmetry check of a matrix. It runs once per problem, and must cost less than a product with a vector.

use super::csc::Compressed;
use super::powers::{exponent, power_of_two};
use super::{Csc, MatrixRef};

impl MatrixRef<'_> {
    /// Returns `true` if the matrix equals its transpose up to rounding.
    ///
    /// With the machine precision $\epsilon$, the difference of two mirrored entries must be at most
    /// $16 \epsilon (|M_{ij}| + |M_{ji}|)$ or at most $16 \epsilon \sqrt{M_{ii} M_{jj}}$. The second bound
    /// covers the rounding errors of products such as $A A^T$.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        if self.rows() != self.columns() {
            return false;
        }
        match self {
            Self::Dense(a) => {
                let near = |i: usize, j: usize| are_near(a[[i, j]], a[[j, i]], || (a[[i, i]], a[[j, j]]));
                match a.as_slice() {
                    Some(entries) => mirrored_pairs(entries, a.nrows(), near),
                    None => (0..a.nrows()).all(|i| (0..i).all(|j| near(i, j))),
                }
            }
            Self::Diagonal(_) => true,
            Self::BlockCsr(a) => match a.compressed_rows() {
                Some(rows) => has_mirrored_entries(rows),
                None => {
                    let entries = Csc::from_matrix(*self);
                    MatrixRef::Csc(&entries).is_symmetric()
                }
            },
            Self::Csc(a) => has_mirrored_entries(a.compressed()),
        }
    }
}

/// Returns `true` if two mirrored entries are equal up to rounding. `diagonal` returns the diagonal entries
/// of their two rows.
fn are_near(x: f64, y: f64, diagonal: impl FnOnce() -> (f64, f64)) -> bool {
    const UNITS: f64 = 16.0 * f64::EPSILON;
    let difference = (x - y).abs();
    difference <= UNITS * (x.abs() + y.abs()) || {
        let (of_row, of_column) = diagonal();
        difference <= UNITS * (of_row * of_column).sqrt()
    }
}

/// Returns `true` if a matrix in compressed columns or rows is symmetric.
pub(super) fn has_mirrored_entries(Compressed { starts, indices, values }: Compressed<'_>) -> bool {
    let n = starts.len().saturating_sub(1);
    let places = |j: usize| starts[j]..starts[j + 1];
    let find = |i: usize, j: usize| {
        let place = indices[places(j)].binary_search(&i).ok()?;
        Some(values[starts[j] + place])
    };
    let diagonal = |i: usize| find(i, i).unwrap_or(0.0);
    let near = |i: usize, j: usize, x: f64, y: f64| x == y || are_near(x, y, || (diagonal(i), diagonal(j)));
    // If every entry above the diagonal has a mirror image and there are as many entries below the diagonal,
    // every entry below has a mirror image as well.
    let (mut pairs, mut beside) = (0, 0);
    for j in 0..n {
        for place in places(j) {
            let (i, x) = (indices[place], values[place]);
            beside += usize::from(i != j);
            if i < j {
                let mirrored = find(j, i);
                pairs += usize::from(mirrored.is_some());
                if !near(i, j, x, mirrored.unwrap_or(0.0)) {
                    return false;
                }
            }
        }
    }
    let of_other_side = |j: usize| places(j).filter(move |&place| indices[place] > j);
    let has_image = |j: usize, place: usize| {
        let i = indices[place];
        near(i, j, values[place], find(j, i).unwrap_or(0.0))
    };
    beside == 2 * pairs || (0..n).all(|j| of_other_side(j).all(|place| has_image(j, place)))
}

/// Returns powers of two that make a matrix exactly symmetric if its rows are multiplied by them. They exist
/// if the matrix is symmetric except for the units of rows and columns. `transposed` is the transpose of `a`.
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
                    // The mirror image of a stored zero must be zero.
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

/// Returns `true` if `near` returns `true` for all pairs of mirrored entries that differ.
///
/// The matrix is traversed in tiles, because one of the two accesses runs along a column.
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
