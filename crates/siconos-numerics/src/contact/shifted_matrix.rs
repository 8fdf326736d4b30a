//! Copy of a matrix with a variable shift of its diagonal.

use siconos_linalg::{Csc, Matrix, MatrixRef};

/// Matrix $W + \alpha D$ in the storage format of W, where D is a diagonal matrix. If $\alpha$ changes, only
/// the diagonal entries are rewritten.
#[derive(Clone, Debug, Default)]
pub(super) struct ShiftedMatrix {
    matrix: Matrix,
    /// Positions of the diagonal entries in the array of values, for a block or sparse matrix.
    places: Vec<usize>,
    diagonal: Vec<f64>,
}

impl ShiftedMatrix {
    /// Copies a square matrix. A block matrix with a missing diagonal block is converted to a sparse matrix.
    pub(super) fn prepare(&mut self, w: MatrixRef<'_>) {
        self.places.clear();
        self.diagonal.clear();
        self.diagonal.resize(w.rows(), 0.0);
        w.copy_diagonal(&mut self.diagonal);
        match (w, &mut self.matrix) {
            (MatrixRef::Dense(a), Matrix::Dense(own)) if own.dim() == a.dim() => own.assign(&a),
            (MatrixRef::Dense(a), own) => *own = Matrix::from(a.to_owned()),
            (MatrixRef::Diagonal(d), own) => *own = Matrix::Diagonal(d.to_owned()),
            (MatrixRef::BlockCsr(a), Matrix::BlockCsr(own)) => own.clone_from(a),
            (MatrixRef::BlockCsr(a), own) => *own = Matrix::BlockCsr(a.clone()),
            (MatrixRef::Csc(a), Matrix::Csc(own)) => own.clone_from(a),
            (MatrixRef::Csc(a), own) => *own = Matrix::Csc(a.clone()),
        }
        if self.find_places() {
            return;
        }
        let a = Csc::from_matrix(w);
        let n = a.columns();
        let entries = (0..n).flat_map(|j| a.column(j).map(move |(i, x)| (i, j, x)).chain([(j, j, 0.0)]));
        self.matrix = Matrix::Csc(Csc::from_triplets(n, n, entries).unwrap_or_default());
        self.find_places();
    }

    /// Finds the positions of the diagonal entries. Returns `false` if a diagonal entry is not stored.
    fn find_places(&mut self) -> bool {
        self.places.clear();
        match &self.matrix {
            Matrix::BlockCsr(a) => {
                let mut first = 0;
                for block_row in 0..a.block_rows() {
                    let row = a.block_row(block_row);
                    let rows = row.rows();
                    for (columns, block) in row.blocks() {
                        let width = columns.len();
                        let on_diagonal = rows.clone().filter(|i| columns.contains(i));
                        self.places.extend(
                            on_diagonal.map(|i| first + (i - rows.start) * width + i - columns.start),
                        );
                        first += block.len();
                    }
                }
                self.places.len() == a.rows()
            }
            Matrix::Csc(a) => {
                for j in 0..a.columns() {
                    let range = a.starts()[j]..a.starts()[j + 1];
                    if let Ok(k) = a.row_indices()[range.clone()].binary_search(&j) {
                        self.places.push(range.start + k);
                    }
                }
                self.places.len() == a.columns()
            }
            _ => true,
        }
    }

    /// Sets the diagonal entries of $\alpha D$ to `shift`.
    pub(super) fn set_shift(&mut self, shift: &[f64]) {
        let diagonal = self.diagonal.iter().zip(shift).map(|(d, shift)| d + shift);
        match &mut self.matrix {
            Matrix::Dense(a) => a.diag_mut().iter_mut().zip(diagonal).for_each(|(a, d)| *a = d),
            Matrix::Diagonal(a) => a.iter_mut().zip(diagonal).for_each(|(a, d)| *a = d),
            Matrix::BlockCsr(a) => {
                let values = a.values_mut();
                self.places.iter().zip(diagonal).for_each(|(&k, d)| values[k] = d);
            }
            Matrix::Csc(a) => {
                let values = a.values_mut();
                self.places.iter().zip(diagonal).for_each(|(&k, d)| values[k] = d);
            }
        }
    }

    /// Returns $W + \alpha D$.
    pub(super) fn view(&self) -> MatrixRef<'_> {
        self.matrix.view()
    }
}
