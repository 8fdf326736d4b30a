//! LU factorisation of a matrix that may be singular, dense or sparse: a solution of a system that has one.
//!
//! The library has sparse LU with partial pivoting, which can tell a singular matrix at best, and dense LU
//! with full pivoting. Rows that repeat others want both: a mechanism of a thousand bodies with one joint
//! made twice.

mod front;
mod tree;

use self::front::Front;
use self::tree::Tree;
use super::pivot_units::{PivotUnits, ROUNDING_PIVOT};
use super::{Csc, SingularMatrix, power_of_two_below};

/// $P A Q = L U$ as far as there are pivots, by dense fronts along the elimination tree (Duff and Reid 1984,
/// "The multifrontal solution of unsymmetric sets of linear equations").
///
/// Each front looks for pivots among the rows and columns that are complete in it. Those without a pivot that
/// is large enough go to the front above; those in which nothing but rounding is left are left out, where it
/// is seen. So a small part with repeated rows costs what it has of rows, and the last front finds the rank
/// by full pivoting (Golub and Van Loan 2013, section 3.4.8).
///
/// Of a system $A x = b$ that has several solutions it finds a basic one: unknowns without a pivot are 0, and
/// equations without a pivot, which repeat others, are passed over. Whether they do is for the caller to see:
/// in the residual, or in [`left_over`](Self::left_over).
///
/// Pivots are compared in units that the matrix determines, powers of two. The order of elimination and the
/// tree are kept while the pattern stays.
#[derive(Clone, Debug, Default)]
pub struct BasicLu {
    tree: Tree,
    fronts: Vec<Front>,
    /// The matrix with its diagonal and all mirrored places, and its transpose.
    matrix: Csc,
    transposed: Csc,
    /// Where the entries of its diagonal are.
    diagonal: Vec<usize>,
    units: PivotUnits,
    sizes: Sizes,
    /// By row and column of the matrix its place in the front that is assembled.
    row_place: Vec<usize>,
    column_place: Vec<usize>,
    /// The equations without a pivot, increasing, with the largest part of an entry that is left of each; and
    /// what the last solution left of their right-hand sides.
    left_out: Vec<(usize, f64)>,
    left_over: Vec<LeftOver>,
    unknowns: Vec<f64>,
    terms: Vec<f64>,
    operations: (f64, f64),
}

/// Remainder of an equation without a pivot after elimination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOver {
    /// The equation.
    pub row: usize,
    /// Remainder on the left-hand side, relative to the largest entries of its row and columns: rounding.
    pub rounding: f64,
    /// Remainder on the right-hand side.
    pub value: f64,
    /// Sum of the magnitudes of the terms of the value, in the same unit.
    pub terms: f64,
}

/// The largest entry of each row and column of the matrix.
#[derive(Clone, Debug, Default)]
struct Sizes {
    rows: Vec<f64>,
    columns: Vec<f64>,
}

impl Sizes {
    fn measure(&mut self, a: &Csc) {
        for sizes in [&mut self.rows, &mut self.columns] {
            sizes.clear();
            sizes.resize(a.columns(), 0.0);
        }
        for (j, of_column) in self.columns.iter_mut().enumerate() {
            for (i, value) in a.column(j) {
                *of_column = of_column.max(value.abs());
                self.rows[i] = self.rows[i].max(value.abs());
            }
        }
    }

    /// Whether an entry is what cancellation leaves of the entries that were there.
    fn is_rounding(&self, value: f64, row: usize, column: usize) -> bool {
        value.abs() <= ROUNDING_PIVOT * self.rows[row].min(self.columns[column])
    }

    /// The part that an entry is of those that were there.
    fn part(&self, value: f64, row: usize, column: usize) -> f64 {
        if value == 0.0 { 0.0 } else { value.abs() / self.rows[row].min(self.columns[column]) }
    }
}

impl BasicLu {
    /// Factorises a square matrix, and says how many pivots it has.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix::Pivot`] when an entry is not finite, or comes out so.
    pub fn factor(&mut self, a: &Csc) -> Result<usize, SingularMatrix> {
        let n = a.columns();
        if let Some((column, pivot)) = first_non_finite(a) {
            return Err(SingularMatrix::Pivot { column, pivot });
        }
        self.complete(a);
        self.tree.lay_out(&self.matrix);
        self.put_into_units(a);
        for places in [&mut self.row_place, &mut self.column_place] {
            places.clear();
            places.resize(n, 0);
        }
        self.left_out.clear();
        self.operations = (0.0, 0.0);
        self.fronts.resize(self.tree.fronts(), Front::default());
        for k in 0..self.fronts.len() {
            let mut front = std::mem::take(&mut self.fronts[k]);
            self.assemble(k, &mut front);
            front.eliminate(&self.sizes, self.tree.is_root(k));
            if !front.is_finite() {
                return Err(SingularMatrix::Pivot { column: self.tree.own(k)[0], pivot: f64::NAN });
            }
            self.left_out.extend(front.left_out(&self.sizes));
            let (factorisation, solution) = front.operations();
            self.operations.0 += factorisation;
            self.operations.1 += solution;
            self.fronts[k] = front;
        }
        self.left_out.sort_unstable_by_key(|(row, _)| *row);
        Ok(n - self.left_out.len())
    }

    /// Copies a matrix with its diagonal and all mirrored places.
    fn complete(&mut self, a: &Csc) {
        self.transposed.copy_transposed(a);
        self.matrix.begin(a.rows());
        self.diagonal.clear();
        for j in 0..a.columns() {
            let mut own = a.column(j).peekable();
            let mut mirrored = self.transposed.column(j).map(|(i, _)| i).peekable();
            let mut diagonal = Some(j);
            loop {
                let of_a = own.peek().map(|(i, _)| *i);
                let next = of_a.into_iter().chain(mirrored.peek().copied()).chain(diagonal).min();
                let Some(i) = next else { break };
                mirrored.next_if_eq(&i);
                if i == j {
                    self.diagonal.push(self.matrix.entries());
                    diagonal = None;
                }
                self.matrix.push(i, own.next_if(|(row, _)| *row == i).map_or(0.0, |(_, value)| value));
            }
            self.matrix.close_column();
        }
    }

    /// Finds the units of rows and columns, in which the matrix is factorised. For them, and for them only, a
    /// row without a diagonal entry has the largest of its others in that place.
    fn put_into_units(&mut self, a: &Csc) {
        self.sizes.measure(&self.matrix);
        let missing: Vec<_> = (0..a.columns()).filter(|&j| a.get(j, j) == 0.0).collect();
        for &j in &missing {
            let largest = self.sizes.rows[j].max(self.sizes.columns[j]);
            self.matrix.values_mut()[self.diagonal[j]] = power_of_two_below(largest);
        }
        self.transposed.copy_transposed(&self.matrix);
        self.units.find_sparse(&self.matrix, &self.transposed);
        missing.iter().for_each(|&j| self.matrix.values_mut()[self.diagonal[j]] = 0.0);
        let PivotUnits { rows, columns, .. } = &self.units;
        self.matrix.scale_entries(|i, j| rows[i] * columns[j]);
        self.transposed.copy_transposed(&self.matrix);
        self.sizes.measure(&self.matrix);
    }

    /// Gathers the entries of a front: of the matrix, and of what the fronts below have left.
    fn assemble(&mut self, k: usize, front: &mut Front) {
        let Self { tree, fronts, row_place, column_place, matrix, transposed, .. } = self;
        front.begin(tree.own(k));
        tree.children(k).for_each(|child| front.take_over(&fronts[child]));
        front.extend(tree.changed(k));
        for (places, list) in [(&mut *row_place, &front.rows), (&mut *column_place, &front.columns)] {
            list.iter().enumerate().for_each(|(place, &index)| places[index] = place);
        }
        for (place, &own) in tree.own(k).iter().enumerate() {
            for (row, value) in matrix.column(own).filter(|(row, _)| tree.is_left(k, *row)) {
                front.add(row_place[row], place, value);
            }
            for (column, value) in transposed.column(own).filter(|(column, _)| tree.is_left(k + 1, *column)) {
                front.add(place, column_place[column], value);
            }
        }
        tree.children(k).for_each(|child| front.add_left(&fronts[child], row_place, column_place));
    }

    /// Overwrites `b` with a solution of $A x = b$.
    pub fn solve(&mut self, b: &mut [f64]) {
        let Self { fronts, units, unknowns, terms, left_out, left_over, .. } = self;
        b.iter_mut().zip(&units.rows).for_each(|(b, unit)| *b *= unit);
        left_over.clear();
        if left_out.is_empty() {
            fronts.iter().for_each(|front| front.forward(b));
        } else {
            terms.clear();
            terms.extend(b.iter().map(|b| b.abs()));
            fronts.iter().for_each(|front| front.forward(b));
            fronts.iter().for_each(|front| front.add_magnitudes(b, terms));
            left_over.extend(left_out.iter().map(|&(row, rounding)| LeftOver {
                row,
                rounding,
                value: b[row],
                terms: terms[row],
            }));
        }
        unknowns.clear();
        unknowns.resize(b.len(), 0.0);
        fronts.iter().rev().for_each(|front| front.backward(b, unknowns));
        b.iter_mut().zip(unknowns).zip(&units.columns).for_each(|((b, x), unit)| *b = *x * unit);
    }

    /// What the last solution left of the equations without a pivot, in increasing order.
    pub fn left_over(&self) -> &[LeftOver] {
        &self.left_over
    }

    /// Operations of the last factorisation, and those of a solution.
    pub fn operations(&self) -> (f64, f64) {
        self.operations
    }
}

fn first_non_finite(a: &Csc) -> Option<(usize, f64)> {
    let place = super::first_non_finite(a.values())?;
    Some((a.starts().partition_point(|&start| start <= place) - 1, a.values()[place]))
}

#[cfg(test)]
mod tests;
