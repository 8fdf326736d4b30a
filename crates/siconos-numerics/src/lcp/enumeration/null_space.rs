//! Null space of a singular principal block. It spans the directions of a face of solutions.

/// Pivots below this multiple of the largest entry of the block count as 0.
const RANK: f64 = 1e-10;

/// Returns a basis of the null space of the principal block `basis` of the row-major n x n matrix `m`. The
/// vectors have n entries; each is scaled to largest entry 1, then multiplied entry by entry by `units`.
///
/// Gauss-Jordan elimination with complete pivoting (Golub and Van Loan 2013, section 3.4.8).
pub(super) fn null_space(m: &[f64], n: usize, basis: &[usize], units: &[f64]) -> Vec<Vec<f64>> {
    let k = basis.len();
    let mut a: Vec<Vec<f64>> = basis.iter().map(|&i| basis.iter().map(|&j| m[i * n + j]).collect()).collect();
    let largest = a.iter().flatten().fold(0.0_f64, |a, x| a.max(x.abs()));
    // Original index of the column that is now at each position.
    let mut order: Vec<usize> = (0..k).collect();
    let mut rank = 0;
    while rank < k {
        let places = (rank..k).flat_map(|i| (rank..k).map(move |j| (i, j)));
        let size = |&(i, j): &(usize, usize)| a[i][j].abs();
        let Some((i, j)) = places.max_by(|x, y| size(x).total_cmp(&size(y))) else { break };
        if a[i][j].abs() <= RANK * largest {
            break;
        }
        a.swap(rank, i);
        a.iter_mut().for_each(|row| row.swap(rank, j));
        order.swap(rank, j);
        let pivot = a[rank][rank];
        a[rank].iter_mut().for_each(|x| *x /= pivot);
        let pivot_row = a[rank].clone();
        for (_, row) in a.iter_mut().enumerate().filter(|(i, _)| *i != rank) {
            let factor = row[rank];
            row.iter_mut().zip(&pivot_row).for_each(|(x, p)| *x -= factor * p);
        }
        rank += 1;
    }
    (rank..k)
        .map(|free| {
            let mut direction = vec![0.0; n];
            direction[basis[order[free]]] = 1.0;
            for (row, &place) in a[..rank].iter().zip(&order) {
                direction[basis[place]] = -row[free];
            }
            let size = direction.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            direction.iter_mut().zip(units).for_each(|(x, unit)| *x *= unit / size);
            direction
        })
        .collect()
}
