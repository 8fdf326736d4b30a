//! Order of elimination by nested dissection.

use feral_metis::{CscPattern, metis_order};

use super::csc::Compressed;

/// Returns the order in which nested dissection eliminates the unknowns of a symmetric matrix: entry k is the
/// unknown at position k. Returns `None` if the pattern is too large for the integer type of the library.
///
/// Nested dissection removes a few unknowns, which are eliminated last, so that the graph of the others falls
/// into two halves. Each half is divided in the same way (George 1973; multilevel bisection: Karypis, Kumar
/// 1998). Only the pattern on and above the diagonal is read.
///
/// For a pile of bodies in space, the factor has half as many entries as with minimum degree and takes a
/// third of the operations. Computing the order takes ten times as long.
pub(super) fn order(upper: Compressed<'_>) -> Option<Vec<usize>> {
    let n = upper.starts.len().saturating_sub(1);
    let (starts, rows) = both_sides(upper)?;
    let pattern = CscPattern::new(n, &starts, &rows)?;
    let order: Vec<usize> =
        metis_order(&pattern).ok()?.iter().map(|&i| usize::try_from(i).ok()).collect::<Option<_>>()?;
    is_permutation(&order, n).then_some(order)
}

/// Returns the position of each unknown in the order.
pub(super) fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &unknown)| places[unknown] = place);
    places
}

/// Returns the pattern below and above the diagonal, with increasing row indices in each column.
fn both_sides(Compressed { starts, indices, .. }: Compressed<'_>) -> Option<(Vec<i32>, Vec<i32>)> {
    let n = starts.len().saturating_sub(1);
    let above = |j: usize| indices[starts[j]..starts[j + 1]].iter().copied().filter(move |&i| i <= j);
    let mut ends = vec![0_i32; n + 1];
    for j in 0..n {
        for i in above(j) {
            ends[j + 1] = ends[j + 1].checked_add(1)?;
            if i != j {
                ends[i + 1] = ends[i + 1].checked_add(1)?;
            }
        }
    }
    for j in 0..n {
        ends[j + 1] = ends[j + 1].checked_add(ends[j])?;
    }
    let starts = ends.clone();
    let mut next: Vec<usize> =
        starts[..n].iter().map(|&start| usize::try_from(start).ok()).collect::<Option<_>>()?;
    let mut rows = vec![0_i32; usize::try_from(ends[n]).ok()?];
    // Columns are visited in increasing order. Each column receives its own rows above the diagonal, and
    // later the mirror images of entries in later columns.
    for j in 0..n {
        for i in above(j) {
            rows[next[j]] = i32::try_from(i).ok()?;
            next[j] += 1;
        }
        for i in above(j).filter(|&i| i != j) {
            rows[next[i]] = i32::try_from(j).ok()?;
            next[i] += 1;
        }
    }
    Some((starts, rows))
}

/// Returns `true` if each index below `n` occurs exactly once.
fn is_permutation(order: &[usize], n: usize) -> bool {
    let mut seen = vec![false; n];
    order.len() == n && order.iter().all(|&i| i < n && !std::mem::replace(&mut seen[i], true))
}

#[cfg(test)]
mod tests {
    use super::super::Csc;
    use super::*;

    /// Laplacian matrix of a cube of m^3 points, or only its upper triangle.
    fn cube(m: usize, is_whole: bool) -> Csc {
        let mut entries = Vec::new();
        for k in 0..m * m * m {
            entries.push((k, k, 6.5));
            for (step, is_inside) in
                [(m * m, k / (m * m) + 1 < m), (m, k / m % m + 1 < m), (1, k % m + 1 < m)]
            {
                if is_inside {
                    entries.push((k, k + step, -1.0));
                    entries.extend(is_whole.then_some((k + step, k, -1.0)));
                }
            }
        }
        Csc::from_triplets(m * m * m, m * m * m, entries).expect("inside")
    }

    #[test]
    fn all_unknowns_have_a_place_whether_one_side_is_stored_or_both() {
        let [whole, upper] = [true, false].map(|is_whole| cube(9, is_whole));
        let found = order(whole.compressed()).expect("small enough");
        assert!(is_permutation(&found, whole.columns()));
        assert_eq!(order(upper.compressed()), Some(found.clone()));
        assert!(places(&found).iter().enumerate().all(|(unknown, &place)| found[place] == unknown));
    }

    #[test]
    fn lists_that_leave_out_an_unknown_are_no_orders() {
        assert!(is_permutation(&[2, 0, 1], 3));
        assert!(
            !is_permutation(&[2, 0, 0], 3) && !is_permutation(&[0, 1], 3) && !is_permutation(&[0, 1, 3], 3)
        );
    }
}
