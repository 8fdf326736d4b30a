//! The ratio test with the lexicographic rule.
//!
//! The lexicographic rule compares rows of the inverse basis, which are read from the dictionary. If $q$ is
//! perturbed by $(p_1, .., p_n)$, then $p_k$ enters only as $w_k - p_k$. If $w_k$ is nonbasic, entry k of the
//! row of a basic variable is therefore minus the coefficient of $w_k$ in that row. If $w_k$ is basic, entry
//! k is 1 in the row of $w_k$ and 0 in all other rows. The coefficients of $w_R$ are $A^{-1}$ in the rows of
//! x_C, and $M_{iC} A^{-1}$ in the row of $w_i$.

use siconos_linalg::{dot, largest_magnitude};

use super::{BASIC, Basis, Row};

/// Values count as tied if they differ by less than this multiple of the largest entry of q and z. Rounding
/// stays below this bound, and a wrong choice among tied rows changes the solution by no more than the bound.
const TIE: f64 = 1e-13;

/// Entries of the inverse basis count as equal if they differ by less than this multiple of their terms,
/// because they contain the rounding errors of all previous pivots.
const LEXICOGRAPHIC_TIE: f64 = 1e-12;

impl Basis {
    /// Returns the row of the basic variable that vanishes first as the entering variable increases, or
    /// `None` if no basic variable does.
    pub(super) fn blocking_row(&mut self, pivot_tolerance: f64, largest_q: f64) -> Option<Row> {
        let largest = largest_magnitude(&self.w_slope).max(largest_magnitude(&self.x_slope));
        let threshold = pivot_tolerance * largest;
        let smallest = smallest_ratio(&self.w, &self.w_slope, threshold).min(smallest_ratio(
            &self.x,
            &self.x_slope,
            threshold,
        ));
        if !smallest.is_finite() {
            return None;
        }
        let largest_x = largest_magnitude(&self.x).max(smallest * largest_magnitude(&self.x_slope));
        let tie = TIE * largest_q.max(largest_x);
        let mut tied = std::mem::take(&mut self.tied);
        tied.clear();
        let is_tied = |value: f64, slope: f64| {
            let (value, slope) = (value.max(0.0), -slope);
            // The bound for ties is also relative to the value, so that rounding errors cannot exclude the
            // row with the smallest ratio. If that row has a large value and were excluded, the set of tied
            // rows could be empty, which would count as a ray.
            slope > threshold && value - smallest * slope <= tie.max(TIE * value)
        };
        let pairs = |values, slopes| std::iter::zip::<&[f64], &[f64]>(values, slopes).enumerate();
        tied.extend(
            pairs(&self.w, &self.w_slope)
                .filter(|(_, (value, slope))| is_tied(**value, **slope))
                .map(|(i, _)| i),
        );
        tied.extend(
            pairs(&self.x, &self.x_slope)
                .filter(|(_, (value, slope))| is_tied(**value, **slope))
                .map(|(k, _)| self.n + k),
        );
        let is_artificial = |row: Row| row >= self.n && self.columns[row - self.n] == self.n;
        let row = match tied.iter().position(|&row| is_artificial(row)) {
            Some(place) if tied.len() == 1 || self.may_leave(tied[place], threshold, tie) => {
                Some(tied[place])
            }
            artificial => {
                artificial.map(|place| tied.remove(place));
                self.lexicographic_minimum(&mut tied)
            }
        };
        self.tied = tied;
        row
    }

    /// Returns `true` if, when the variable of this row reaches 0, no other basic variable is below 0 by more
    /// than its bound for ties (Harris 1973). This can fail for the artificial variable: if its slope is
    /// small, it can reach 0 long after a variable with a large slope, although the two rows count as tied.
    fn may_leave(&self, row: Row, threshold: f64, tie: f64) -> bool {
        let slack = |(value, slope): (&f64, &f64)| match -slope > threshold {
            true => (value.max(0.0) + tie.max(TIE * value)) / -slope,
            false => f64::INFINITY,
        };
        let rows = self.w.iter().zip(&self.w_slope).chain(self.x.iter().zip(&self.x_slope));
        let value = if row < self.n { self.w[row] } else { self.x[row - self.n] };
        value.max(0.0) / -self.slope(row) <= rows.map(slack).fold(f64::INFINITY, f64::min)
    }

    pub(super) fn slope(&self, row: Row) -> f64 {
        if row < self.n { self.w_slope[row] } else { self.x_slope[row - self.n] }
    }

    /// Returns the tied row whose row of the inverse basis, divided by its slope, is lexicographically
    /// smallest.
    fn lexicographic_minimum(&mut self, tied: &mut Vec<Row>) -> Option<Row> {
        self.has_tied |= tied.len() > 1;
        for k in 0..self.n {
            if tied.len() <= 1 {
                break;
            }
            let column = self.inverse_basis_column(k, tied);
            let (smallest, its_terms) = column
                .iter()
                .copied()
                .fold((f64::INFINITY, 0.0), |least, entry| if entry.0 < least.0 { entry } else { least });
            let is_smallest =
                |&(x, terms): &(f64, f64)| x - smallest <= LEXICOGRAPHIC_TIE * terms.max(its_terms).max(1.0);
            let mut entries = column.iter();
            tied.retain(|_| entries.next().is_some_and(is_smallest));
            self.coefficients = column;
        }
        tied.first().copied()
    }

    /// Returns column k of the inverse basis in the tied rows, divided by their slopes, each entry together
    /// with the size of its terms.
    fn inverse_basis_column(&mut self, k: usize, tied: &[Row]) -> Vec<(f64, f64)> {
        let mut column = std::mem::take(&mut self.coefficients);
        column.clear();
        let slot = self.slot_of_row[k];
        if slot != BASIC {
            self.inverse.copy_column(slot, &mut self.product);
        }
        for &row in tied {
            let (entry, terms) = if slot == BASIC {
                (f64::from(u8::from(row == k)), 0.0)
            } else if row < self.n {
                self.matrix.copy_of_row(row, &self.columns, &mut self.work);
                let terms = self.work.iter().zip(&self.product).map(|(a, g)| (a * g).abs());
                (-dot(&self.work, &self.product), terms.sum())
            } else {
                let entry = -self.product[row - self.n];
                (entry, largest_magnitude(self.inverse.row(row - self.n)))
            };
            let slope = -self.slope(row);
            column.push((entry / slope, terms / slope));
        }
        column
    }
}

/// Returns the smallest ratio of a value to its rate of decrease, among the values that decrease faster than
/// the threshold. Returns infinity if no value does.
#[inline]
fn smallest_ratio(values: &[f64], slopes: &[f64], threshold: f64) -> f64 {
    const LANES: usize = 4;
    let ratio = |value: f64, slope: f64| {
        let ratio = (if value > 0.0 { value } else { 0.0 }) / -slope;
        if -slope > threshold { ratio } else { f64::INFINITY }
    };
    let smaller = |a: f64, b: f64| if b < a { b } else { a };
    if values.len() < LANES {
        let ratios = values.iter().zip(slopes).map(|(v, s)| ratio(*v, *s));
        return ratios.fold(f64::INFINITY, smaller);
    }
    let ((values, values_rest), (slopes, slopes_rest)) =
        (values.as_chunks::<LANES>(), slopes.as_chunks::<LANES>());
    let mut smallest = [f64::INFINITY; LANES];
    for (value, slope) in values.iter().zip(slopes) {
        for lane in 0..LANES {
            smallest[lane] = smaller(smallest[lane], ratio(value[lane], slope[lane]));
        }
    }
    let rest = values_rest.iter().zip(slopes_rest).map(|(v, s)| ratio(*v, *s));
    rest.chain(smallest).fold(f64::INFINITY, smaller)
}
