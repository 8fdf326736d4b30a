//! LU factorisation of a sparse or dense matrix that can be singular.
//!
//! The library faer provides dense LU with full pivoting, and sparse LU with partial pivoting. Its sparse LU
//! at best detects that a matrix is singular. Redundant rows require both sparsity and full pivoting, for
//! example in a mechanism of a thousand bodies in which one joint is defined twice.

mod front;
mod tree;

use self::front::Front;
use self::tree::Tree;
use super::pivot_units::{PivotUnits, ROUNDING_PIVOT};
use super::{Csc, SingularMatrix, power_of_two_below};

/// Multifrontal factorisation $P A Q = L U$ with dense frontal matrices along the elimination tree (Duff and
/// Reid 1984, "The multifrontal solution of unsymmetric sets of linear equations"). Elimination ends when no
/// pivot is left.
///
/// Each front searches for pivots among the rows and columns that are complete in it. Rows and columns
/// without a sufficiently large pivot are passed to the next front up the tree. Rows and columns that contain
/// only rounding errors are left out immediately. A small group of redundant rows is therefore resolved
/// locally. The last front determines the rank by full pivoting (Golub and Van Loan 2013, section 3.4.8).
///
/// If a system $A x = b$ has more than one solution, a basic solution is computed: unknowns without a pivot
/// are 0. Equations without a pivot are redundant and are ignored. The caller checks whether the system is
/// consistent, from the residual or from [`left_over`](Self::left_over).
///
/// Pivots are compared after the matrix has been scaled by powers of two that are computed from it. The order
/// of elimination and the tree are reused as long as the pattern does not change.
#[derive(Clone, Debug, Default)]
pub struct BasicLu {
    tree: Tree,
    fronts: Vec<Front>,
    /// `matrix` is the matrix to be factorised. Its pattern was made symmetric and includes the diagonal.
    /// `transposed` is its transpose.
    matrix: Csc,
    transposed: Csc,
    /// Index of each diagonal entry in the values of `matrix`.
    diagonal: Vec<usize>,
    units: PivotUnits,
    sizes: Sizes,
    /// Position of each row and column of the matrix in the front that is being assembled.
    row_place: Vec<usize>,
    column_place: Vec<usize>,
    /// Equations without a pivot, in increasing order. `left_out` holds the largest remaining entry of each,
    /// relative to the original entries of its row and column. `left_over` holds the remainders of the last
    /// right-hand side.
    left_out: Vec<(usize, f64)>,
    left_over: Vec<LeftOver>,
    unknowns: Vec<f64>,
    terms: Vec<f64>,
    operations: (f64, f64),
}

/// Remainder of an equation without a pivot after elimination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOver {
    /// Index of the equation.
    pub row: usize,
    /// Largest remaining coefficient, relative to the original entries of its row and column. It consists
    /// only of rounding errors.
    pub rounding: f64,
    /// Remainder of the right-hand side.
    pub value: f64,
    /// Sum of the magnitudes of the terms that were added to give `value`, in the same unit.
    pub terms: f64,
}

/// Largest magnitude of the entries of each row and column of the matrix.
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

    /// Returns `true` if an entry is only a rounding error compared with the original entries of its row and
    /// column.
    fn is_rounding(&self, value: f64, row: usize, column: usize) -> bool {
        value.abs() <= ROUNDING_PIVOT * self.rows[row].min(self.columns[column])
    }

    /// Returns the magnitude of an entry relative to the original entries of its row and column.
    fn part(&self, value: f64, row: usize, column: usize) -> f64 {
        if value == 0.0 { 0.0 } else { value.abs() / self.rows[row].min(self.columns[column]) }
    }
}

impl BasicLu {
    /// Factorises a square matrix and returns the number of pivots.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix::Pivot`] if an entry is not finite, or becomes infinite or NaN during the
    /// factorisation.
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

    /// Copies a matrix, and completes its pattern with the diagonal and with the mirror image of each entry.
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

    /// Scales the rows and columns of the matrix. While the scale factors are computed, each zero on the
    /// diagonal is replaced by the largest entry of its row and column.
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

    /// Assembles a front from entries of the matrix and from the remainders of its child fronts.
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

    /// Returns the remainders of the equations without a pivot in the last call of [`solve`](Self::solve), in
    /// increasing order of the equations.
    pub fn left_over(&self) -> &[LeftOver] {
        &self.left_over
    }

    /// Returns the number of operations of the last factorisation, and of one solve.
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
