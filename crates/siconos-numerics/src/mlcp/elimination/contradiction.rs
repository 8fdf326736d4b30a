//! Test for inconsistent equality rows. The test is independent of the elimination and has its own scaling.

use ndarray::ArrayView2;
use siconos_linalg::nearest_power_of_two;

use crate::mlcp::MlcpRow;

/// Number of passes of equilibration.
const ROUNDS: usize = 4;

/// Entries up to this multiple of their largest term count as 0.
const ROUNDING: f64 = 1e-13;

/// Pivots below this multiple of their largest term are in doubt because of cancellation.
const CLEAR: f64 = 1e-6;

/// A remainder of a right-hand side counts as a contradiction if it is at least this multiple of its terms.
const SOMETHING: f64 = 1e-8;

/// Entry, with the largest magnitude among the terms that have been added to it.
#[derive(Clone, Copy, Debug)]
struct EntryWithSize {
    value: f64,
    size: f64,
}

impl EntryWithSize {
    fn new(value: f64) -> Self {
        Self { value, size: value.abs() }
    }

    fn is_rounding(self) -> bool {
        self.value.abs() <= ROUNDING * self.size
    }

    fn add(&mut self, term: f64) {
        self.value += term;
        self.size = self.size.max(term.abs());
    }
}

/// Returns the index of a row that contradicts the other equality rows, if no z satisfies all equality rows.
/// In such a row, elimination with complete pivoting leaves only rounding errors on the left, and a
/// significant value on the right. Each entry is compared with its own terms. `None` is not conclusive.
pub(super) fn contradicting(m: ArrayView2<'_, f64>, q: &[f64], rows: &[MlcpRow]) -> Option<usize> {
    let n = q.len();
    let is_equality = |i: &usize| rows[*i] == MlcpRow::Equality;
    let mut values: Vec<Vec<f64>> =
        (0..n).filter(is_equality).map(|i| m.row(i).iter().copied().chain([q[i]]).collect()).collect();
    equilibrate(&mut values, n);
    let mut system: Vec<Vec<EntryWithSize>> =
        values.into_iter().map(|row| row.into_iter().map(EntryWithSize::new).collect()).collect();
    let mut order: Vec<usize> = (0..n).filter(is_equality).collect();
    let mut used = vec![false; n];
    for k in 0..system.len() {
        let left = (k..system.len()).flat_map(|i| (0..n).map(move |j| (i, j)));
        let usable = left.filter(|&(i, j)| !used[j] && !system[i][j].is_rounding());
        let largest =
            usable.max_by(|a, b| system[a.0][a.1].value.abs().total_cmp(&system[b.0][b.1].value.abs()));
        let Some((i, j)) = largest else {
            let is_wrong = |row: &Vec<EntryWithSize>| row[n].value.abs() > SOMETHING * row[n].size;
            return system[k..].iter().position(is_wrong).map(|wrong| order[k + wrong]);
        };
        if system[i][j].value.abs() < CLEAR * system[i][j].size {
            return None;
        }
        system.swap(k, i);
        order.swap(k, i);
        used[j] = true;
        let (done, rest) = system.split_at_mut(k + 1);
        let pivot_row = &done[k];
        for row in rest {
            let factor = row[j].value / pivot_row[j].value;
            if factor != 0.0 {
                row.iter_mut().zip(pivot_row).for_each(|(x, p)| x.add(-factor * p.value));
            }
        }
    }
    None
}

/// Scales rows (with their right-hand sides) and columns alternately by powers of two.
fn equilibrate(system: &mut [Vec<f64>], n: usize) {
    let power = |largest: f64| 1.0 / nearest_power_of_two(largest);
    for _ in 0..ROUNDS {
        for row in system.iter_mut() {
            let scale = power(row[..n].iter().fold(0.0, |a, x| x.abs().max(a)));
            row.iter_mut().for_each(|x| *x *= scale);
        }
        for j in 0..n {
            let scale = power(system.iter().fold(0.0, |a, row| row[j].abs().max(a)));
            system.iter_mut().for_each(|row| row[j] *= scale);
        }
    }
}
